#!/usr/bin/env python3
# Energies and diffusion of the rigid spheres of in.colloid.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Rigid spheres in a DPD fluid.

By equipartition each degree of freedom of a sphere, translation or rotation, has twice its energy equal to kT. The momentum
of all is zero, which takes a sphere of mass m out of a total of M the part m/M of its energy of translation. The
diffusion constant is the integral of the correlation of velocities, and is compared with that of Stokes and
Einstein in a periodic box, kT/(6 pi eta R) (1 - 2.837 R/L).

Criterion: energies are positive and the spheres move. With --equilibrium: twice the energies are within 4 standard
errors of equipartition. The exit code is 0 if it holds and 1 if not."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, block_error, execute, parser, read_blocks, read_table, with_error  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

DT = 0.1           # time between two samples
ETA = 0.81         # viscosity of the fluid, by example dpd/walls
R, EDGE = 1.5, 9.0


def correlation(v, lags):
    """Mean of v(0) v(t) over times, spheres and directions: v[time][sphere][direction]."""
    return np.array([(v[:len(v) - lag] * v[lag:]).mean() for lag in range(lags)])


def integral(c):
    """From 0 to each of the times, by trapezoids."""
    return np.concatenate(([0], np.cumsum((c[1:] + c[:-1]) / 2))) * DT


def main():
    p = parser(__doc__, "colloid")
    p.add_argument("--equilibrium", action="store_true", help="the energies must be those of equipartition")
    args = p.parse_args()
    beads, total, T, translation, rotation = read_table(args.out / f"{args.name}.state.dat")[1:]
    v = read_blocks(args.out / f"{args.name}.velocity.dat")[1][:, :, 1:]
    blocks = min(10, len(T) // 2)
    expected = {"translation": 1 - beads[0] / total[0], "rotation": 1.0}

    verdict = Verdict()
    verdict("spheres move and rotate", translation.min() > 0 and rotation.min() > 0)
    print(f"spheres of {beads[0]:g} beads in the mean, {total[0]:.0f} beads in all, "
          f"temperature of the fluid {T.mean():.4f}")
    for name, values in (("translation", translation), ("rotation", rotation)):
        mean, error = block_error(values, blocks)
        text = (f"twice the energy per degree of freedom, {name}: {mean:.3f} +- {error:.3f}, "
                f"expected {expected[name]:.3f}")
        if args.equilibrium:
            verdict(f"{text}   within 4 standard errors", abs(mean - expected[name]) < 4 * error)
        else:
            print(text)

    lags = max(2, min(100, len(v) // 4))
    c = correlation(v, lags)
    D = integral(c)
    parts = [integral(correlation(part, lags))[-1] for part in np.array_split(v, blocks) if len(part) > lags]
    error = np.std(parts, ddof=1) / np.sqrt(len(parts)) if len(parts) > 1 else float("nan")
    stokes = 1 / (6 * np.pi * ETA * R) * (1 - 2.837 * R / EDGE)
    print(f"diffusion constant {with_error(D[-1], error, 4)}; Stokes and Einstein {stokes:.4f} for R = {R}")

    fig, axes = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
    x = (v / v.std()).ravel()
    axes[0].hist(x, 40, range=(-4, 4), density=True, alpha=0.5)
    fine = np.linspace(-4, 4, 201)
    axes[0].plot(fine, np.exp(-fine**2 / 2) / np.sqrt(2 * np.pi))
    axes[0].set(title="velocities of spheres", xlabel="v / standard deviation", ylabel="density of probability")
    axes[1].plot(DT * np.arange(lags), c)
    axes[1].axhline(0, color="k", lw=0.6)
    axes[1].set(title="correlation of velocities", xlabel="t", ylabel="⟨v(0) v(t)⟩")
    axes[2].plot(DT * np.arange(lags), D, label="integral")
    axes[2].axhline(stokes, color="k", ls=":", label="Stokes and Einstein")
    axes[2].set(title="diffusion constant", xlabel="upper limit t of the integral", ylabel="D", ylim=(0, None))
    axes[2].legend(loc="lower right")
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
