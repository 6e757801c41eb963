#!/usr/bin/env python3
# Forces at which the copies of in.ww unfolded, for several runs, beside those of the paper.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Unfolding forces of many copies of the WW domain, and those of Fig. 3 of Zhmurov et al., Proteins 78, 2984 (2010).

The force at which a copy unfolds is the largest running mean before its extension is 6.5 nm. The paper averages over 500 data
points: in SOP-GPU the cantilever moves by 0.025 nm meanwhile. Averages over other ways are in the table, too. Criteria:

  unfolded     at least 9 of 10 copies of each run
  mean         from 60 to 200 pN, what experiments have for proteins of beta strands (the paper)
  temperature  of the noise, within 4 standard errors of that of the run

The exit code is 0 if all hold and 1 if not."""

import math
import pathlib
import sys

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from curves import Curves, Verdict, arguments, execute, mean_error, read_numbers  # noqa: E402

LONG = 6.5                             # nm: a longer WW domain is not folded; 0.9 is its length in the crystal, 12.5 that of the chain
POINTS = 0.025                         # nm that the cantilever moves in 500 data points
WAYS = (0.0, POINTS, 0.1, 0.25, 0.5)   # nm over which forces are averaged; 0: not at all
PAPER = (("CPU", 260, 120.56, 5.83), ("GPU", 300, 120.94, 6.58))    # copies, mean, standard deviation
BIN = 3.6                              # pN, the paper's


def spread(forces):
    return np.std(forces, ddof=1)


def cell(forces):
    if len(forces) < 2:
        return f"{'-':>22}"
    (mean, error), deviation = mean_error(forces), spread(forces)
    return f"{mean:8.1f} +- {error:3.1f} {deviation:7.1f}"


class Run:
    """What one run was, and the forces of its copies by the way over which they are averaged."""

    def __init__(self, out, name):
        curves = Curves(out, name)
        numbers = read_numbers(out / f"{name}.run.dat")
        self.name, self.copies, self.speed = name, curves.copies, curves.speed
        self.contacts, self.temperature, self.T = numbers[2], numbers[3], curves.T
        self.forces = {}
        for way in WAYS:
            peaks = curves.unfolding(way, LONG)
            self.forces[way] = peaks[~np.isnan(peaks)]

    def row(self):
        return f"{self.name:12} {self.contacts:8.4g} {self.speed:8.4g}" + "".join(cell(self.forces[way]) for way in WAYS)


def judge(run, verdict):
    forces = run.forces[POINTS]
    verdict(f"{run.name}: {len(forces)} of {run.copies} copies unfolded   9 of 10", len(forces) >= 0.9 * run.copies)
    if len(forces):
        verdict(f"{run.name}: mean {forces.mean():.1f} pN   60 to 200", 60 < forces.mean() < 200)
    verdict.temperature(run.T, run.temperature)


def draw(axis, runs):
    drawn = [run for run in runs if len(run.forces[POINTS]) > 1]
    for name, _, mean, deviation in PAPER:
        at = np.linspace(mean - 4 * deviation, mean + 4 * deviation, 100)
        axis.plot(at, np.exp(-0.5 * ((at - mean) / deviation)**2) / (deviation * math.sqrt(2 * math.pi)),
                  "k-" if name == "GPU" else "k--", lw=1, label=f"paper, {name}: {mean:.1f}, {deviation:.1f} pN")
    for run in drawn:
        forces = run.forces[POINTS]
        edges = np.arange(BIN * math.floor(forces.min() / BIN), forces.max() + BIN, BIN)
        axis.hist(forces, edges, density=True, histtype="stepfilled", alpha=0.4,
                  label=f"{run.name}: {forces.mean():.1f}, {spread(forces):.1f} pN")
    axis.set(xlabel="unfolding force (pN)", ylabel="density (1/pN)", title="WW domain: mean and standard deviation")
    axis.legend(fontsize="small")


def main():
    args = arguments(__doc__, ["ww"], nargs="+", help="first part of the file names of each run (default: ww)")

    verdict = Verdict()
    runs = [Run(args.out, name) for name in args.name]
    print("unfolding force, mean +- standard error and standard deviation, pN, of averages over so many nm of the cantilever")
    print(f"{'run':12} {'contacts':>8} {'um/s':>8}" + "".join(f"{way:22g}" for way in WAYS))
    for run in runs:
        print(run.row())
    for name, copies, mean, deviation in PAPER:
        print(f"paper, {name}: {copies} copies, mean {mean} +- {deviation / math.sqrt(copies):.1f}, standard deviation {deviation}")
    for run in runs:
        judge(run, verdict)
    fig, axis = plt.subplots(figsize=(7, 4.5), layout="constrained")
    draw(axis, runs)
    return verdict.end(fig, args.out / f"{args.name[0]}.png")


if __name__ == "__main__":
    execute(main)
