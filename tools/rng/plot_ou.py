#!/usr/bin/env python3
# A plot of what ornstein_uhlenbeck wrote, and its verdicts in one table.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Oscillators moved by random numbers, against what is known exactly (after Zhmurov et al. 2010, Fig. 4).

Top: the average position and the two-point function, with the errors of the ensemble. Middle: the two-point
function less its exact curve, with the exact standard error; numbers that come again show as peaks far out.
Bottom: the two oscillators that are most alike, one of them shifted in time, of the generator where that is least
likely. The exit code is 0 if all generators that are not marked as unfit pass all tests, and 1 if not."""

import argparse
import csv
import pathlib
import sys

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

SHOWN = 40  # points with error bars on a curve


def read(path):
    return np.genfromtxt(path, delimiter=",", names=True)


def read_tests(folder):
    """{generator: its rows}, the unfit ones last."""
    tests = {}
    for path in sorted(folder.glob("*.tests.csv")):
        with open(path, newline="") as f:
            rows = list(csv.DictReader(f))
        tests[rows[0]["generator"]] = rows
    return dict(sorted(tests.items(), key=lambda t: t[1][0]["unfit"]))


def passed(rows):
    return all(r["passed"] == "1" for r in rows)


def print_table(tests):
    names = [r["test"] for r in next(iter(tests.values()))]
    print("value of each test, by generator (standard errors; chi-square over degrees of freedom)")
    for k, name in enumerate(names, 1):
        print(f"  ({k}) {name}")
    print(f"{'generator':12} {'dt/ps':>8} {'tau':>4}" + "".join(f"{f'({k + 1})':>9}" for k in range(len(names))))
    for generator, rows in tests.items():
        cells = "".join(f"{float(r['value']):8.2f}{' ' if r['passed'] == '1' else '*' if r['judged'] == '1' else '-'}"
                        for r in rows)
        print(f"{generator:12} {float(rows[0]['dt_ps']):8.4g} {rows[0]['taus']:>4}{cells}"
              f"  {'passed' if passed(rows) else 'FAILED'}{' (unfit)' if rows[0]['unfit'] == '1' else ''}")
    print(f"* fails: p < {float(rows[0]['bound']):.2g}")


def some(t, last, log):
    """Indices of some points of a curve up to t = last, evenly in t or in log t."""
    grid = np.geomspace(t[1], last, SHOWN) if log else np.linspace(0, last, SHOWN)
    return np.unique(np.searchsorted(t, grid[grid <= t[-1]]))


def style(generator, unfit, k):
    return dict(color="r" if unfit else f"C{k if k < 3 else k + 1}", label=generator + (" (unfit)" if unfit else ""))


def plot_mean(axis, d, how):
    i = some(d["tau"], d["tau"][-1], log=True)
    axis.errorbar(d["tau"][i], d["mean"][i], d["mean_ensemble_error"][i], marker=".", lw=0.6, elinewidth=0.8, **how)


def plot_correlation(axis, d, how):
    i = some(d["tau"], 5, log=False)
    axis.errorbar(d["tau"][i], d["c"][i], d["c_ensemble_error"][i], marker=".", lw=0, elinewidth=0.8, **how)


def plot_difference(axis, d, how):
    axis.plot(d["tau"], (d["c"] - d["c_exact"]) / d["c_exact"][0], lw=1.0 if how["color"] == "r" else 0.5, **how)


def plot_pair(axis, folder, tests):
    """Of the generator whose most alike pair is the least likely."""
    row = min((r[-1] for r in tests.values() if r[-1]["judged"] == "1"), key=lambda r: float(r["p"]), default=None)
    if row is None:
        return
    with open(folder / f"{row['generator']}.pair.csv") as f:
        title = f.readline().strip("# \n")
        d = np.genfromtxt(f, delimiter=",", names=True)
    # where both have forgotten their common start, and few enough tau to see something
    end = min(len(d), 400)
    axis.plot(d["tau"][:end], d["first"][:end], color="k", lw=0.8, label="first")
    axis.plot(d["tau"][:end], d["second"][:end], color="r", lw=0.8, label="second, shifted")
    axis.set(xlabel="t / τ", ylabel="X / nm", title=f"{row['generator']}: {title}; {float(row['value']):.1f} standard "
             f"errors, p {'<' if float(row['p']) < 1 else '='} {max(float(row['p']), 1e-300):.0e}")
    axis.legend(loc="upper right", ncol=2)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."), help="folder of the files")
    p.add_argument("--picture", type=pathlib.Path, help="(default: ornstein_uhlenbeck.png in that folder)")
    args = p.parse_args()
    tests = read_tests(args.out)
    if not tests:
        sys.exit(f"plot_ou.py: no *.tests.csv in {args.out}")
    print_table(tests)

    fig = plt.figure(figsize=(11, 11), layout="constrained")
    grid = fig.add_gridspec(3, 2)
    mean, corr = fig.add_subplot(grid[0, 0]), fig.add_subplot(grid[0, 1])
    diff, pair = fig.add_subplot(grid[1, :]), fig.add_subplot(grid[2, :])
    longest = {}
    for k, (generator, rows) in enumerate(tests.items()):
        how = style(generator, rows[0]["unfit"] == "1", k)
        for kind, plot, axis in (("mean", plot_mean, mean), ("correlation", plot_correlation, corr),
                                 ("correlation", plot_difference, diff)):
            d = read(args.out / f"{generator}.{kind}.csv")
            plot(axis, d, how)
            if kind not in longest or d["tau"][-1] > longest[kind]["tau"][-1]:
                longest[kind] = d
    m, c = longest["mean"], longest["correlation"]
    mean.plot(m["tau"][1:], m["mean_continuous"][1:], color="k", lw=1, zorder=3, label="exact")
    mean.set(xscale="log", xlabel="t / τ", ylabel="⟨X(t)⟩ / nm", title="Average position")
    mean.legend(fontsize="small")
    early = c["tau"] <= 5
    corr.plot(c["tau"][early], c["c_continuous"][early], color="k", lw=1, zorder=3, label="exact")
    corr.set(yscale="log", xlabel="t / τ", ylabel="C(t) / nm²", title="Two-point function in equilibrium")
    error = c["c_exact_error"] / c["c_exact"][0]
    diff.fill_between(c["tau"], -error, error, color="k", alpha=0.2, lw=0, zorder=0, label="exact standard error")
    diff.set(xlabel="t / τ", ylabel="(C(t) - exact) / C(0)", title="Two-point function less the exact curve",
             xlim=(0, c["tau"][-1]))
    diff.legend(fontsize="small", ncol=6, loc="upper left")
    plot_pair(pair, args.out, tests)
    for axis in (mean, corr, diff, pair):
        axis.grid(alpha=0.3)
    picture = args.picture or args.out / "ornstein_uhlenbeck.png"
    fig.savefig(picture, dpi=120)
    print(f"plot: {picture}")
    return 0 if all(passed(rows) or rows[0]["unfit"] == "1" for rows in tests.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
