#!/usr/bin/env python3
# Interfacial tension against coverage, and profiles, of what in.surfactant wrote.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Surfactants at the interface of oil and water.

The tension is found from the pressure tensor, in every step, and from a profile of stresses, in every tenth step. In the same
steps both are the same but for the digits in the files.

Criterion: there is a value for each coverage, oil and water are apart, that is less than a third of the middle of the box
is water, and in each block the tension from the profile is that of the pressure tensor in the same steps to 0.001. With
--tension: each tension is below that of the coverage before it (by more than 2 standard errors in all), that of the bare
interface is within 10 % of the formula of Groot and Warren, and those from the profiles are within 4 standard errors of those of
every step. The exit code is 0 if that holds and 1 if not."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, block_error, execute, files_like, parser, read_blocks, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

NAMES = ("water", "oil", "head", "tail")
AREA = 64.0  # of an interface


def groot_warren(unlike, like=25.0, rho=3.0):
    """J. Chem. Phys. 107, 4423 (1997): tension between two fluids of single beads."""
    chi = 0.286 * (unlike - like)
    return 0.75 * rho * chi**0.26 * (1 - 2.36 / chi)**1.5


class Profile:
    """Stresses in slabs of one coverage, in blocks."""

    def __init__(self, path):
        _, blocks = read_blocks(path)
        number, xx, yy, zz, density = np.moveaxis(blocks[:, :, 2:7], 2, 0)
        self.z = blocks[0, :, 1]
        # a stress of an atom is minus a pressure times a volume. There are two interfaces
        self.tension = -(number * (zz - (xx + yy) / 2)).sum(axis=1) / (2 * AREA)
        self.local = -(zz - (xx + yy) / 2) * density


def beside(file, name):
    """Another file of the same coverage."""
    return pathlib.Path(str(file).replace(".state.", f".{name}."))


def judge_profile(verdict, row, profile, same, strict):
    """Mean and error of the tension by profile. row: coverage, tension of every step and its error. same: the tension from the
    pressure tensor in the steps of the profile"""
    coverage, tension, error = row
    mean, profile_error = block_error(profile.tension, min(8, len(same)))
    off = abs(profile.tension - same).max()
    verdict(f"coverage {coverage:.3f}: by profile {mean:.3f} +- {profile_error:.3f}, in each block the same as by the tensor "
            f"to {off:.5f}   below 0.001", off < 0.001)
    if strict:
        verdict("    within 4 standard errors of the tension of every step",
                abs(mean - tension) < 4 * np.hypot(error, profile_error))
    return mean, profile_error


def main():
    p = parser(__doc__, "surfactant")
    p.add_argument("--tension", action="store_true", help="the tension must fall with coverage")
    args = p.parse_args()
    files = sorted(files_like(args.out, f"{args.name}.*.state.dat"), key=lambda path: int(path.name.split(".")[-3]))

    rows = []
    for file in files:
        step, coverage, tension, T = read_table(file)
        rows.append((coverage[0], *block_error(tension, min(8, len(tension)))))
    coverage, tension, error = np.array(rows).T
    verdict = Verdict()
    verdict(f"coverages: {len(rows)}   five", len(rows) == 5)
    for row in rows:
        print("coverage {:.3f}: tension {:.3f} +- {:.3f}".format(*row))
    profiles = [Profile(beside(file, "stress")) for file in files]
    same = [read_table(beside(file, "same"))[1] for file in files]
    by_profile = np.array([judge_profile(verdict, *each, args.tension) for each in zip(rows, profiles, same)])
    profile = read_blocks(beside(files[-1], "profile"))[1][-1]
    z, density, parts = profile[:, 1], profile[:, 3], profile[:, 4:8]
    water = parts[abs(z - 10) < 2, 0].mean()
    verdict(f"part of water in the middle of the oil: {water:.3f}   below 1/3", water < 1 / 3)
    formula = groot_warren(80.0)
    if args.tension:
        fall = (tension[:-1] - tension[1:])
        verdict(f"tension falls from {tension[0]:.2f} to {tension[-1]:.2f}, at each coverage",
                (fall > 0).all() and tension[0] - tension[-1] > 2 * np.hypot(error[0], error[-1]))
        verdict(f"bare interface {tension[0]:.2f} +- {error[0]:.2f}, Groot and Warren {formula:.2f}   within 10 %",
                abs(tension[0] / formula - 1) < 0.1)

    fig, (left, middle, right) = plt.subplots(1, 3, figsize=(15, 4.5), layout="constrained")
    left.errorbar(coverage, tension, error, fmt="o-", label="pressure tensor, every step")
    left.errorbar(coverage, *by_profile.T, fmt="s", mfc="none", label="profile of stresses, every tenth step")
    left.axhline(formula, color="k", lw=0.8, ls=":", label="Groot and Warren, bare")
    left.set(title="interfacial tension", xlabel="surfactants per area", ylabel="tension")
    left.legend()
    for each, row in zip((profiles[0], profiles[-1]), (rows[0], rows[-1])):
        middle.plot(each.z, each.local.mean(axis=0), label=f"coverage {row[0]:g}")
    middle.set(title="stress profile", xlabel="z", ylabel="pressure across less that along the interface")
    middle.legend(fontsize="small")
    for name, part, color in zip(NAMES, parts.T, ("C0", "C1", "C2", "C3")):
        right.plot(z, part * density, color=color, label=name)
    right.plot(z, density, color="k", lw=0.8, label="all")
    right.set(title=f"densities at coverage {coverage[-1]:g}", xlabel="z", ylabel="density")
    right.legend(fontsize="small")
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
