#!/usr/bin/env python3
# Viscosity, diffusion and Schmidt number against the exponent of the weight function, of what in.schmidt wrote.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Fluids whose friction has the weight (1 - r)^(2 s).

Criteria: temperatures are within 3 % of 1. With --numbers: the smaller the exponent, the larger are viscosity and
Schmidt number, and the smaller is D, each by more than 4 standard errors; for s = 1 viscosity and D are those of other
examples within 4 standard errors. The exit code is 0 if they hold and 1 if not."""

import math
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, execute, files_like, mean_error, parser, read_table, stop, with_error  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

DENSITY, RATE, DT = 3.0, 0.2, 0.01  # as in in.schmidt
# the same fluid with s = 1 in other ways: means and standard errors of examples dpd/fluid and dpd/walls
KNOWN_D, KNOWN_VISCOSITY = (0.2937, 0.0015), (0.269, 0.005)


def diffusion(path):
    """D and its error from z^2 = 2 D t, of quarters of the run, whose displacements begin anew in this difference."""
    step, z2 = read_table(path)
    slopes = [np.polyfit(part[:, 0] * DT, part[:, 1], 1)[0] / 2 for part in np.array_split(np.column_stack((step, z2)), 4)]
    return mean_error(slopes)


def measured(folder, name):
    """Rows of power, T, D, its error, viscosity, its error, in the order of falling powers."""
    rows = []
    for path in files_like(folder, f"{name}.*.stress.dat"):
        power = float(path.name[len(name) + 1:-len(".stress.dat")])
        _, T, stress = read_table(path)
        viscosity = -stress / RATE / DENSITY
        error = mean_error(viscosity)[1] if len(viscosity) > 1 else math.nan
        rows.append((power, T.mean(), *diffusion(path.with_name(path.name.replace("stress", "way"))), viscosity.mean(), error))
    return np.array(sorted(rows, reverse=True)).T


def apart(values, errors):
    """Does each value exceed the one before by more than 4 standard errors?"""
    return np.all(np.diff(values) > 4 * np.hypot(errors[1:], errors[:-1]))


def main():
    p = parser(__doc__, "schmidt")
    p.add_argument("--numbers", action="store_true", help="viscosity and D are judged, too")
    args = p.parse_args()
    power, T, D, D_error, nu, nu_error = measured(args.out, args.name)
    schmidt = nu / D
    schmidt_error = schmidt * np.hypot(nu_error / nu, D_error / D)
    if args.numbers and np.isnan(nu_error).any():
        stop("the run is too short for --numbers: the viscosity has an error from 2 blocks on")

    verdict = Verdict()
    for k, s in enumerate(power):
        print(f"s = {s:g}: temperature {T[k]:.4f}, D {with_error(D[k], D_error[k], 4)}, viscosity "
              f"{with_error(nu[k], nu_error[k], 3)}, Schmidt number {with_error(schmidt[k], schmidt_error[k], 2)}")
    verdict("temperatures within 3 % of 1", np.all(abs(T - 1) < 0.03))
    if args.numbers:
        verdict("viscosity grows as the exponent falls", apart(nu, nu_error))
        verdict("D falls as the exponent falls", apart(-D, D_error))
        verdict("Schmidt number grows as the exponent falls", apart(schmidt, schmidt_error))
        for name, value, error, known in (("D", D, D_error, KNOWN_D), ("viscosity", nu, nu_error, KNOWN_VISCOSITY)):
            verdict(f"{name} for s = 1: {{}} +- {{}} in another example   within 4 standard errors".format(*known),
                    abs(value[0] - known[0]) < 4 * math.hypot(error[0], known[1]))

    fig, axes = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
    known = ("dpd/walls", KNOWN_VISCOSITY), ("dpd/fluid", KNOWN_D), (None, None)
    for axis, values, errors, label, (source, other) in zip(
            axes, (nu, D, schmidt), (nu_error, D_error, schmidt_error),
            ("kinematic viscosity ν", "diffusion constant D", "Schmidt number ν/D"), known):
        axis.errorbar(power, values, errors, fmt="o-", label="this run")
        if source:
            axis.errorbar(1, *other, fmt="s", mfc="none", ms=9, label=f"example {source}")
            axis.legend()
        axis.set(xlabel="exponent s of the weight function", ylabel=label, xlim=(0, 1.1), ylim=(0, None))
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
