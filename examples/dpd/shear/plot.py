#!/usr/bin/env python3
# Viscosity at each shear rate from what in.shear wrote, and a plot of stresses and profiles.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Viscosity of a DPD fluid from plane shear.

Blocks are five time units long, many times what a stress remembers: means of blocks are independent.

Criteria, at each shear rate: the viscosity differs from the published one of this fluid, 2.09 +- 0.02, by less than 3 of
the two standard errors together; the temperature of every slab is within 4 standard errors of the mean; the velocity is
linear, to 5 % of the difference across the box: slow waves of the velocity remain in a mean over 100 time units. Fewer
than 5 blocks have no error: then the viscosity must be within 30 % of the published one, and the temperature within 2 %. The
exit code is 0 if all hold and 1 if not."""

import math
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, execute, mean_error, number, parser, read_blocks, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

KT = 0.5
PUBLISHED, PUBLISHED_ERROR = 2.09, 0.02  # Backer et al., J. Chem. Phys. 122, 154503 (2005), from Poiseuille flow


def profile(path):
    """Places of the slabs, and means of their values with standard errors."""
    blocks = read_blocks(path)[1]
    return blocks[0, :, 1], *mean_error(blocks[:, :, 3])


def shear_rate(word):
    """As it stands in the names of files."""
    number(float, 0, above=True)(word)
    return word


def main():
    p = parser(__doc__, "shear")
    p.add_argument("--edge", type=number(float, 0, above=True), default=8.0, help="of the box (default: %(default)s)")
    p.add_argument("--rates", type=shear_rate, nargs="+", default=["0.1", "0.2", "0.4"],
                   help="shear rates (default: %(default)s)")
    args = p.parse_args()
    verdict = Verdict()
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
    for color, rate in zip(("C0", "C1", "C2", "C3"), args.rates):
        stress, warmth = read_table(args.out / f"{args.name}.{rate}.stress.dat")[1:3]
        if len(stress) < 5:  # no errors
            eta = -stress.mean() / float(rate)
            verdict(f"shear rate {rate}, {len(stress)} block(s): temperature {warmth.mean():.4f}   within 2 % of {KT}",
                    abs(warmth.mean() / KT - 1) < 0.02)
            verdict(f"  viscosity {eta:.2f}   within 30 % of {PUBLISHED}", abs(eta / PUBLISHED - 1) < 0.3)
            continue
        eta, error = mean_error(-stress / float(rate))
        off = (eta - PUBLISHED) / math.hypot(error, PUBLISHED_ERROR)
        verdict(f"shear rate {rate}: temperature {warmth.mean():.4f}, viscosity {eta:.3f} +- {error:.3f}, "
                f"{off:+.1f} standard errors from {PUBLISHED}   < 3", abs(off) < 3)
        left.errorbar(float(rate), -stress.mean(), yerr=error * float(rate), fmt="o", color=color)

        # the fluid as a whole may drift: atoms that cross the sheared faces take momentum along
        y, v, v_error = profile(args.out / f"{args.name}.{rate}.speed.dat")
        across = float(rate) * args.edge
        linear = across * (y - y.mean())
        worst = np.abs(v - v.mean() - linear).max() / across
        verdict(f"  velocity linear to {100 * worst:.1f} % of {across:.2g}   < 5 %", worst < 0.05)
        middle.errorbar(y, v - v.mean(), yerr=v_error, fmt="o", ms=4, color=color, label=f"rate {rate}")
        middle.plot(y, linear, color=color, lw=1)

        y, t, t_error = profile(args.out / f"{args.name}.{rate}.warmth.dat")
        worst = (np.abs(t - t.mean()) / t_error).max()
        verdict(f"  temperature flat: slabs within {worst:.1f} standard errors   < 4", worst < 4)
        right.errorbar(y, t, yerr=t_error, fmt="o-", ms=4, color=color, lw=1)
    rates = np.array([0.0, *map(float, args.rates)])
    left.plot(rates, PUBLISHED * rates, color="gray", lw=1, label=f"viscosity {PUBLISHED}, from Poiseuille flow")
    left.set(title="viscosity", xlabel="shear rate", ylabel="shear stress")
    left.legend()
    middle.set(title="lines: rate times y", xlabel="y / edge", ylabel="velocity")
    if middle.lines:
        middle.legend()
    right.set(title="slabs", xlabel="y / edge", ylabel="temperature")
    return verdict.end(figure, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
