#!/usr/bin/env python3
# Histogram of the forces at which the copies of in.copies unfolded; with several runs, forces against loading rates.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Unfolding forces of many copies of ubiquitin.

The force at which a copy unfolds is the largest running mean, over the time in which the cantilever moves by 0.2 nm,
before its extension is 8 nm. Criteria:

  unfolded     at least 9 of 10 copies
  mean         from 150 to 350 pN
  spread       standard deviation from 5 to 40 pN
  temperature  of the noise, within 4 standard errors of 300 K
  with several runs: the force grows with the loading rate, by more than 3 standard errors

The exit code is 0 if all hold and 1 if not."""

import math
import pathlib
import sys

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from curves import KT, Curves, Verdict, arguments, execute, mean_error  # noqa: E402

BIN = 5.0  # pN


def judge(args, name, verdict):
    """Loading rate (pN/s) and forces (pN) of one run."""
    curves = Curves(args.out, name)
    peaks = curves.unfolding()
    forces = peaks[~np.isnan(peaks)]
    rate = 1e3 * curves.spring * curves.speed
    print(f"{name}: {curves.copies} copies, cantilever {curves.spring:g} pN/nm at {curves.speed:g} um/s: "
          f"{rate:.3g} pN/s")
    verdict(f"{len(forces)} of {curves.copies} copies unfolded   9 of 10", len(forces) >= 0.9 * curves.copies)
    if len(forces) < 4:
        sys.exit("plot.py: too few unfolded")
    (mean, error), deviation = mean_error(forces), np.std(forces, ddof=1)
    verdict(f"mean {mean:.1f} +- {error:.1f} pN   150 to 350", 150 < mean < 350)
    verdict(f"standard deviation {deviation:.1f} +- {deviation / math.sqrt(2 * (len(forces) - 1)):.1f} pN   5 to 40",
            5 < deviation < 40)
    verdict.temperature(curves.T)
    return rate, forces


def fit(rates, runs):
    """Force = a + b ln(rate), weighted by the standard errors: a, b, error of b."""
    x = np.log(rates)
    mean, error = np.array([mean_error(forces) for forces in runs]).T
    design = np.column_stack((np.ones_like(x), x)) / error[:, None]
    covariance = np.linalg.inv(design.T @ design)
    a, b = covariance @ design.T @ (mean / error)
    return a, b, math.sqrt(covariance[1, 1])


def draw_histogram(axis, rate, forces):
    mean, deviation = forces.mean(), forces.std(ddof=1)
    edges = np.arange(BIN * math.floor(forces.min() / BIN), forces.max() + BIN, BIN)
    axis.hist(forces, edges, color="C0", alpha=0.7, zorder=2)
    axis.axvline(mean, color="C3", zorder=3, label=f"mean {mean:.1f} pN")
    axis.axvspan(mean - deviation, mean + deviation, color="C3", alpha=0.1, zorder=1,
                 label=f"± standard deviation, {deviation:.1f} pN")
    axis.set(xlabel="unfolding force (pN)", ylabel=f"copies per {BIN:g} pN",
             title=f"{len(forces)} copies of ubiquitin, {rate:.2g} pN/s")
    axis.legend()


def draw_rates(axis, rates, runs, a, b):
    for rate, forces in zip(rates, runs):
        mean, error = mean_error(forces)
        axis.plot(np.full(len(forces), rate), forces, ".", color="C0", alpha=0.3)
        axis.errorbar(rate, mean, error, color="C3", marker="o", capsize=3)
    ends = np.array((min(rates), max(rates)))
    axis.plot(ends, a + b * np.log(ends), color="k", lw=0.8, label=f"{b:.1f} pN per factor e")
    axis.set(xscale="log", xlabel="loading rate (pN/s)", ylabel="unfolding force (pN)",
             title="Each copy, mean ± standard error")
    axis.legend()


def main():
    args = arguments(__doc__, ["copies"], nargs="+", help="first part of the file names; of the first run the "
                     "histogram is drawn (default: copies)")

    verdict = Verdict()
    rates, runs = zip(*(judge(args, name, verdict) for name in args.name))
    several = len(set(rates)) > 1
    fig, axes = plt.subplots(1, 1 + several, figsize=(6 + 5 * several, 4.5), layout="constrained", squeeze=False)
    draw_histogram(axes[0, 0], rates[0], runs[0])
    if several:
        a, b, error = fit(rates, runs)
        print(f"force = {a:.1f} pN + {b:.2f} pN ln(rate / (pN/s)), so kT/x = {b:.2f} pN, x = {KT / b:.3f} nm")
        verdict(f"slope {b:.2f} +- {error:.2f} pN   above 3 standard errors", b > 3 * error)
        draw_rates(axes[0, 1], rates, runs, a, b)
    return verdict.end(fig, args.out / f"{args.name[0]}.png")


if __name__ == "__main__":
    execute(main)
