#!/usr/bin/env python3
# Interfacial tension against coverage, and profiles, of what in.surfactant wrote.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Surfactants at the interface of oil and water.

Criterion: there is a value for each coverage, and oil and water are apart: less than a third of the middle of the
box is water. With --tension: each tension is below that of the coverage before it (by more than 2 standard errors
in all), and that of the bare interface is within 10 % of the formula of Groot and Warren. The exit code is 0 if
that holds and 1 if not."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, block_error, parser, read_blocks, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

NAMES = ("water", "oil", "head", "tail")


def groot_warren(unlike, like=25.0, rho=3.0):
    """J. Chem. Phys. 107, 4423 (1997): tension between two fluids of single beads."""
    chi = 0.286 * (unlike - like)
    return 0.75 * rho * chi**0.26 * (1 - 2.36 / chi)**1.5


def main():
    p = parser(__doc__, "surfactant")
    p.add_argument("--tension", action="store_true", help="the tension must fall with coverage")
    args = p.parse_args()
    files = sorted(args.out.glob(f"{args.name}.*.state.dat"), key=lambda path: int(path.name.split(".")[-3]))

    rows = []
    for file in files:
        step, coverage, tension, T = read_table(file)
        rows.append((coverage[0], *block_error(tension, min(8, len(tension)))))
    coverage, tension, error = np.array(rows).T
    verdict = Verdict()
    verdict(f"coverages: {len(rows)}   five", len(rows) == 5)
    for row in rows:
        print("coverage {:.3f}: tension {:.3f} +- {:.3f}".format(*row))
    profile = read_blocks(pathlib.Path(str(files[-1]).replace(".state.", ".profile.")))[1][-1]
    z, density, parts = profile[:, 1], profile[:, 3], profile[:, 4:8]
    middle = parts[abs(z - 10) < 2, 0].mean()
    verdict(f"part of water in the middle of the oil: {middle:.3f}   below 1/3", middle < 1 / 3)
    formula = groot_warren(80.0)
    if args.tension:
        fall = (tension[:-1] - tension[1:])
        verdict(f"tension falls from {tension[0]:.2f} to {tension[-1]:.2f}, at each coverage",
                (fall > 0).all() and tension[0] - tension[-1] > 2 * np.hypot(error[0], error[-1]))
        verdict(f"bare interface {tension[0]:.2f} +- {error[0]:.2f}, Groot and Warren {formula:.2f}   within 10 %",
                abs(tension[0] / formula - 1) < 0.1)

    fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    left.errorbar(coverage, tension, error, fmt="o-")
    left.axhline(formula, color="k", lw=0.8, ls=":", label="Groot and Warren, bare")
    left.set(title="interfacial tension", xlabel="surfactants per area")
    left.legend()
    for name, part, color in zip(NAMES, parts.T, ("C0", "C1", "C2", "C3")):
        right.plot(z, part * density, color=color, label=name)
    right.plot(z, density, color="k", lw=0.8, label="all")
    right.set(title=f"densities at coverage {coverage[-1]:g}", xlabel="z")
    right.legend(fontsize="small")
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    sys.exit(main())
