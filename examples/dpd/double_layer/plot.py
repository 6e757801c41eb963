#!/usr/bin/env python3
# Where ions are between charged plates, in what in.double_layer wrote.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Ions between two charged plates, and the theory of Poisson and Boltzmann.

The part of all beads that are ions does not know of the layers that beads of any kind form at a wall. In the theory an ion has the
energy kT phi(z) in the mean field of all charges, and its density is proportional to exp(-phi). Charges of area density s(z)
make phi(z) = sum of s(z') g(z - z'), where g is -2 pi l_B |z|, the potential of a charged sheet, for points. The potential of two
charges of coul/slater is that of a point and a cloud exp(-2 r / lambda). So that of a sheet is spread by such a cloud, which
along z is (1 + 2 |z| / lambda) exp(-2 |z| / lambda) / (2 lambda). The theory of points has the solution K^2 / (2 pi l_B cos^2 K z) between the plates, with K tan(K gap / 2) = 2 pi l_B sigma
(Israelachvili, Intermolecular and Surface Forces, ch. 14).

Criterion: all ions are counted. With --profile: the density is within 4 standard errors or 10 % of the theory of spread
charges in each layer, and ions are more dense at the plates than in the middle. The exit code is 0 if that holds and 1 if not."""

import math
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, execute, mean_error, parser, read_blocks, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

FINE = 24  # points of the theory in a layer


def spread_sheet(z, bjerrum, spread):
    """The potential of a sheet, at distances z."""
    if not spread:
        return -2 * math.pi * bjerrum * abs(z)
    u = np.linspace(-20 * spread, 20 * spread, 8001)
    step = u[1] - u[0]
    cloud = (1 + 2 * abs(u) / spread) * np.exp(-2 * abs(u) / spread) / (2 * spread)
    return np.array([-2 * math.pi * bjerrum * (cloud * abs(at - u)).sum() * step for at in z])


def boltzmann(middle, gap, sigma, bjerrum, spread, temperature):
    """Density of the ions, by iteration: their potential is that of both plates and their own."""
    dz = middle[1] - middle[0]
    distance = np.arange(len(middle)) * dz
    sheet = spread_sheet(distance, bjerrum, spread)
    own = sheet[abs(np.arange(len(middle))[:, None] - np.arange(len(middle))[None, :])] * dz
    plates = -sigma * (spread_sheet(middle, bjerrum, spread) + spread_sheet(gap - middle, bjerrum, spread))
    density = np.full(len(middle), 2 * sigma / gap)
    for _ in range(2000):
        phi = (plates + own @ density) / temperature
        new = np.exp(phi.min() - phi)
        new *= 2 * sigma / (new.sum() * dz)
        if abs(new - density).max() < 1e-10:
            break
        density += 0.2 * (new - density)
    return density


def main():
    p = parser(__doc__, "double_layer")
    p.add_argument("--profile", action="store_true", help="the profile must be that of the theory")
    args = p.parse_args()
    T, spread, bjerrum, sigma, gap = read_table(args.out / f"{args.name}.state.dat")[1:]
    T, spread, bjerrum, sigma, gap = T[len(T) // 4:].mean(), spread[0], bjerrum[0], sigma[0], gap[0]
    ions = read_blocks(args.out / f"{args.name}.ions.dat")[1]
    beads = read_blocks(args.out / f"{args.name}.all.dat")[1]
    z, counted = ions[0, :, 1], ions[:, :, 2]
    skip = len(ions) // 10  # ions begin anywhere
    part = counted[skip:] / beads[skip:, :, 2].mean(axis=0)
    part = 0.5 * (part + part[:, ::-1])  # both plates are alike
    scale = 2 * sigma / (part.mean() * len(z) * (z[1] - z[0]))
    mean, error = (scale * v for v in mean_error(part))

    fine = (np.arange(len(z) * FINE) + 0.5) * gap / (len(z) * FINE)
    theory = boltzmann(fine, gap, sigma, bjerrum, spread, T)
    points = boltzmann(fine, gap, sigma, bjerrum, 0.0, T)
    expected = theory.reshape(len(z), FINE).mean(axis=1)

    verdict = Verdict()
    print(f"{counted[0].sum():.0f} ions between plates at distance {gap:.1f}, temperature {T:.4f}, {len(part)} averages")
    verdict("all ions are counted in each average", np.allclose(counted.sum(axis=1), counted[0].sum(), rtol=1e-4))
    off = abs(mean - expected)
    worst = (off / expected).max()
    text = f"largest difference from the theory {100 * worst:.1f} %, mean {100 * (off / expected).mean():.1f} %"
    if args.profile:
        verdict(f"{text}   each layer within 4 standard errors or 10 %", (off < np.maximum(4 * error, 0.1 * expected)).all())
        verdict(f"density at the plates by that in the middle {mean[0] / mean[len(z) // 2]:.2f}, theory "
                f"{expected[0] / expected[len(z) // 2]:.2f}   above 1.2", mean[0] / mean[len(z) // 2] > 1.2)
    else:
        print(text)

    fig, axis = plt.subplots(figsize=(7, 4.5), layout="constrained")
    axis.errorbar(z, mean, error, fmt="o", ms=4, label="simulation")
    axis.plot(fine, theory, label="Poisson and Boltzmann, charges spread out")
    axis.plot(fine, points, "--", label="the same with point charges")
    axis.set(title="density of ions between two charged plates", xlabel="z", ylabel="part of beads that are ions", ylim=(0, None))
    axis.legend()
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
