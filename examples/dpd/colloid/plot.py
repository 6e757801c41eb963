#!/usr/bin/env python3
# Energies, diffusion and rotation of the rigid spheres of in.colloid.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Rigid spheres in a DPD fluid.

By equipartition each degree of freedom of a sphere, translation or rotation, has twice its energy equal to kT. The momentum
of all is zero, which takes a sphere of mass m out of a total of M the part m/M of its energy of translation.

Constants of diffusion are slopes: of the mean square displacement, 6 D t, and of the logarithm of the correlation of
orientations, exp(-2 D_r t). They are compared with those of a sphere without slip in a periodic box: of Stokes and Einstein,
D = kT/(6 pi eta R) (1 - 2.837 R/L + 4 pi/3 (R/L)^3), and of Debye, D_r = kT/(8 pi eta R^3) - kT/(6 eta L^3). The radius R is
between that of the outermost beads and that where the fluid begins.

Criterion: energies are positive and the spheres move. With --equilibrium: twice the energies are within 4 standard
errors and 0.02 of equipartition, and D and D_r within 4 standard errors of what these radii allow. The exit code is 0 if it
holds and 1 if not."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, block_error, execute, mean_error, parser, read_blocks, read_dump, read_table, with_error  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

DT = 0.01                                    # time step
ETA = 0.81                                   # viscosity of the fluid, by example dpd/walls
OUTERMOST, FLUID = 1.5, 1.7                  # radius of the cut, and where the fluid has half of its density
HEATING = 0.02                               # by the time step, see README.md
MOVED, TURNED = (10.0, 40.0), (5.0, 25.0)    # times between which slopes are taken: spheres have forgotten their velocities


def centers(out, name, edge):
    """Time from row to row, and centers of mass [time][sphere][axis], boxes passed included."""
    steps, rows = read_blocks(out / f"{name}.spheres.dat")
    return DT * (steps[1] - steps[0]), rows[:, :, 1:4] + edge * rows[:, :, 4:7]


def orientations(out, name):
    """Time from frame to frame, and by which matrix [time][sphere] each is turned against the first frame: as some of its
    beads are."""
    frames = list(read_dump(out / f"{name}.marks.dump"))
    x = np.array([[columns[axis] for axis in ("xu", "yu", "zu")] for _, _, columns in frames])
    spheres = frames[0][2]["mol"]
    turned = []
    for sphere in np.unique(spheres):
        beads = x[:, :, spheres == sphere]
        beads = beads - beads.mean(axis=2, keepdims=True)
        turned.append(beads @ np.linalg.pinv(beads[0]))
    return frames[1][0] - frames[0][0], np.array(turned).swapaxes(0, 1)


def square_displacement(x, lag):
    return ((x[lag:] - x[:-lag]) ** 2).sum(axis=2).mean()


def cosine(turned, lag):
    """Mean over the three axes of a sphere of the cosine of the angle by which it turns them."""
    return np.einsum("tsij,tsij->ts", turned[lag:], turned[:-lag]).mean() / 3


def curve(function, values, dt, most):
    """Times up to `most`, or half of the run, and the function there."""
    lags = np.unique(np.geomspace(1, max(2, min(len(values) // 2, most / dt)), 60).astype(int))
    return lags * dt, np.array([function(values, lag) for lag in lags])


def slope(times, values, between):
    """From the first to the second of two times; over all of a run that is shorter."""
    first, last = np.minimum(np.searchsorted(times, between), len(times) - 1)
    first = first if first < last else 0
    return (values[last] - values[first]) / (times[last] - times[first])


def diffusion(x, dt):
    """D, and the curve that it is taken from."""
    times, moved = curve(square_displacement, x, dt, 2 * MOVED[1])
    return slope(times, moved, MOVED) / 6, times, moved


def rotation(turned, dt):
    times, cosines = curve(cosine, turned, dt, 2 * TURNED[1])
    return -slope(times, np.log(np.maximum(cosines, 1e-3)), TURNED) / 2, times, cosines


def in_parts(function, values, dt, parts):
    """A constant from parts of the run: its error."""
    return mean_error([function(part, dt)[0] for part in np.array_split(values, parts)])[1]


def allowed(edge):
    """What radii of a sphere without slip allow, the least and the largest."""
    R = np.array([FLUID, OUTERMOST])
    return {"D": 1 / (6 * np.pi * ETA * R) * (1 - 2.837297 * R / edge + 4 * np.pi / 3 * (R / edge) ** 3),
            "D_r": 1 / (8 * np.pi * ETA * R**3) - 1 / (6 * ETA * edge**3)}


def draw(figure, limits, moved, turned):
    left, right = figure.subplots(1, 2)
    left.loglog(*moved, label="spheres")
    left.fill_between(moved[0], *(6 * D * moved[0] for D in limits["D"]), alpha=0.3, label="6 D t, Stokes and Einstein")
    left.set(title="diffusion", xlabel="t", ylabel="mean square displacement")
    right.semilogy(*turned, label="spheres")
    right.fill_between(turned[0], *(np.exp(-2 * D * turned[0]) for D in limits["D_r"]), alpha=0.3,
                       label="exp(-2 D_r t), Debye")
    right.set(title="rotation", xlabel="t", ylabel="mean cosine of the angle")
    for axes, between in ((left, MOVED), (right, TURNED)):
        axes.axvspan(*between, color="k", alpha=0.06, label="times of the slope")
        axes.legend()


def main():
    p = parser(__doc__, "colloid")
    p.add_argument("--equilibrium", action="store_true", help="energies, diffusion and rotation must be what is expected")
    args = p.parse_args()
    beads, total, edge, T, shift, turn = read_table(args.out / f"{args.name}.state.dat")[1:]
    parts = min(10, len(T) // 2)
    verdict = Verdict()

    def judge(text, tolerance, holds):
        if args.equilibrium:
            verdict(f"{text}   within {tolerance}", holds)
        else:
            print(text)

    verdict("spheres move and rotate", shift.min() > 0 and turn.min() > 0)
    print(f"spheres of {beads[0]:g} beads in the mean, {total[0]:.0f} beads in all, "
          f"temperature of the fluid {T.mean():.4f}")
    for name, values, wanted in (("translation", shift, 1 - beads[0] / total[0]), ("rotation", turn, 1.0)):
        mean, error = block_error(values, parts)
        judge(f"twice the energy per degree of freedom, {name}: {mean:.3f} +- {error:.3f}, expected {wanted:.3f}",
              f"4 standard errors and {HEATING}", abs(mean - wanted) < 4 * error + HEATING)

    limits, curves = allowed(edge[0]), []
    for name, law, function, (dt, values) in (("D", "Stokes and Einstein", diffusion, centers(args.out, args.name, edge[0])),
                                              ("D_r", "Debye", rotation, orientations(args.out, args.name))):
        constant, *found = function(values, dt)
        error = in_parts(function, values, dt, parts) if args.equilibrium else float("nan")
        low, high = limits[name]
        judge(f"{name} {with_error(constant, error, 4)}; {law}: {low:.4f} for R = {FLUID} to {high:.4f} for R = {OUTERMOST}",
              "4 standard errors", low - 4 * error < constant < high + 4 * error)
        curves.append(found)

    figure = plt.figure(figsize=(10, 4.2), layout="constrained")
    draw(figure, limits, *curves)
    return verdict.end(figure, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
