#!/usr/bin/env python3
# Distribution of the velocities that in.million wrote, against Maxwell's.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Velocities of all beads at the end of the run.

Criterion: the components of all velocities are distributed as Maxwell says at the temperature that LAMMPS gives, by
a chi-square test of the bins with 10 counts or more at the level of 0.1 %. The exit code is 0 if it holds and 1 if
not."""

import math
import pathlib
import statistics
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, arguments, execute, read_blocks, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402


def chi_square_bound(freedom, level):
    """Wilson and Hilferty's approximation of the quantile."""
    z = statistics.NormalDist().inv_cdf(1 - level)
    return freedom * (1 - 2 / (9 * freedom) + z * math.sqrt(2 / (9 * freedom)))**3


def main():
    args = arguments(__doc__, "million")
    v, count = read_blocks(args.out / f"{args.name}.histo.dat")[1][-1][:, 1:3].T
    N, T = (column[-1] for column in read_table(args.out / f"{args.name}.state.dat")[1:])
    width = v[1] - v[0]

    edges = np.append(v - width / 2, v[-1] + width / 2) / math.sqrt(2 * T)
    part = np.diff([math.erf(x) for x in edges]) / 2
    expected = 3 * N * part
    used = expected >= 10
    chi2, bound = ((count - expected)[used]**2 / expected[used]).sum(), chi_square_bound(used.sum() - 2, 0.001)

    verdict = Verdict()
    print(f"{N:.0f} beads, temperature {T:.4f}")
    verdict(f"velocities: chi-square {chi2:.1f} of {used.sum() - 2} degrees of freedom   below {bound:.1f}",
            chi2 < bound)

    fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    left.semilogy(v, count / (3 * N * width), ".", label="simulation")
    left.semilogy(v, part / width, lw=1, label="Maxwell")
    left.set(title="components of velocities", xlabel="v", ylabel="density of probability", ylim=(0.3 / (3 * N * width), 1))
    left.legend(loc="lower center")
    right.errorbar(v[used], count[used] / expected[used] - 1, 1 / np.sqrt(expected[used]), fmt=".")
    right.axhline(0, color="k", lw=0.8)
    right.set(title="simulation less Maxwell", xlabel="v", ylabel="relative difference")
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
