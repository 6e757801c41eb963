#!/usr/bin/env python3
# Velocity profiles of in.poiseuille_start at five times, against the analytic solution, and the viscosity.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Start-up of periodic Poiseuille flow.

The two halves of the box are averaged, one with reversed sign, which takes out a drift of the whole fluid. One
number is fitted to the profiles of all times, the kinematic viscosity. The errors of points come from runs with
different seeds, or, for one run, from what is left of the fit.

Criteria: the mean temperature across the flow is within 1 % of 1; with the fitted viscosity, the amplitude of the
profiles is within 4 standard errors of the analytic one in each of the five windows of time. The exit code is 0 if
they hold and 1 if not."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, arguments, execute, read_blocks, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

FRACTIONS = (0.05, 0.1, 0.2, 0.4, 0.9)  # of the time of the run: when profiles are drawn
TERMS = 40                              # of the series


def analytic(z, t, d, force, nu):
    """Velocity at the distance z from the middle of a half, after the force has acted for t."""
    k = (2 * np.arange(TERMS)[:, None] + 1) * np.pi / d
    sign = (-1.0)**np.arange(TERMS)[:, None]
    series = 4 * force / (d * nu) * sign / k**3 * np.cos(k * z) * np.exp(-nu * k**2 * t)
    return force * d**2 / (8 * nu) * (1 - (2 * z / d)**2) - series.sum(axis=0)


def read(args, name):
    """Distances from the middle, times of the middles of the windows, profiles [time][bin], width, force, T."""
    step, blocks = read_blocks(args.out / f"{name}.profile.dat")
    width, force, T = read_table(args.out / f"{name}.state.dat")[1:4]
    d, v, half = width[0], blocks[:, :, 3], blocks.shape[1] // 2
    z = blocks[0, :half, 1] - d / 2
    v = (v[:, :half] - v[:, half:]) / 2
    return z, 0.01 * (step - 49), (v + v[:, ::-1]) / 2, d, force[0], T


def model(z, times, d, force, nu):
    """Mean of the solution over each bin, by two Gaussian points."""
    h = (z[1] - z[0]) / np.sqrt(12)
    return np.array([(analytic(z - h, t, d, force, nu) + analytic(z + h, t, d, force, nu)) / 2 for t in times])


def fit_viscosity(z, times, v, d, force):
    """Least squares by golden section, in the logarithm of the viscosity."""
    low, high, golden = np.log(0.02), np.log(20.0), (np.sqrt(5) - 1) / 2

    def misfit(x):
        return ((v - model(z, times, d, force, np.exp(x)))**2).sum()

    while high - low > 1e-5:
        a, b = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, b) if misfit(a) < misfit(b) else (a, high)
    return np.exp((low + high) / 2)


def main():
    args = arguments(__doc__, ["poiseuille_start"], nargs="+", help="first part of the file names of one run, or of "
                     "each of several")
    runs = [read(args, name) for name in args.name]
    z, times, _, d, force, _ = runs[0]
    profiles = np.array([run[2] for run in runs])
    T = np.mean([run[5] for run in runs])
    each = [fit_viscosity(z, times, v, d, force) for v in profiles]
    v = profiles.mean(axis=0)
    nu = fit_viscosity(z, times, v, d, force)
    expected = model(z, times, d, force, nu)

    verdict = Verdict()
    verdict(f"temperature across the flow {T:.4f}   within 1 % of 1", abs(T - 1) < 0.01)
    error = f" +- {np.std(each, ddof=1) / np.sqrt(len(each)):.4f}" if len(each) > 1 else ""
    print(f"kinematic viscosity {nu:.4f}{error}, from {len(each)} run(s); dynamic {5 * nu:.3f}; "
          f"relaxation time d^2/(pi^2 nu) = {d**2 / np.pi**2 / nu:.1f}")

    # projection of windows of time on the analytic profile
    amplitude = (profiles * expected).sum(axis=2) / (expected**2).sum(axis=1)
    scatter = (profiles - expected).std(axis=(0, 1)).mean() / np.sqrt(len(runs))
    fig, (left, right) = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
    fine = np.linspace(-d / 2, d / 2, 201)
    for i, fraction in enumerate(FRACTIONS):
        at = min(round(fraction * len(times)), len(times) - 1)
        window = slice(max(0, at - 1), at + 2)
        ratio = amplitude[:, window].mean()
        if len(runs) > 1:
            error = amplitude[:, window].mean(axis=1).std(ddof=1) / np.sqrt(len(runs))
        else:  # what is left of the fit is one slow wave of noise in a window
            error = scatter * np.sqrt(len(z) / (expected[at]**2).sum())
        verdict(f"t = {times[at]:5.1f}: amplitude {ratio:.3f} +- {error:.3f} of the analytic one   "
                "within 4 standard errors",
                abs(ratio - 1) < 4 * error)
        left.plot(z, v[window].mean(axis=0), "o", ms=4, color=f"C{i}", label=f"t = {times[at]:g}")
        left.plot(fine, analytic(fine, times[at], d, force, nu), color=f"C{i}", lw=1)
    left.set(title="lines: analytic", xlabel="distance from the middle", ylabel="velocity")
    left.legend(fontsize="small")
    right.plot(times, (v * np.cos(np.pi * z / d)).mean(axis=1), ".", ms=4, label="simulation")
    right.plot(times, (expected * np.cos(np.pi * z / d)).mean(axis=1), label="analytic")
    right.set(title="the slowest part of the flow", xlabel="t", ylabel="mean of v cos(πz/d)")
    right.legend()
    return verdict.end(fig, args.out / f"{args.name[0]}.png")


if __name__ == "__main__":
    execute(main)
