#!/usr/bin/env python3
# Extension with time of what in.clamp wrote, and the share of copies that are folded.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Ubiquitin under a constant force.

A copy is unfolded from the time on at which its extension is 8 nm. The drag of the water makes even the fastest copy
take a while from 5 to 8 nm. So the times are those of an exponential distribution that begins with a delay: the
first copy's time, less lifetime / copies. The lifetime is the sum of the times that all copies were folded after the
first one, over the number n of the others that unfolded; its standard error, lifetime / sqrt(n). Criteria:

  unfolded     more than half of the copies
  step         the last extension of the unfolded copies, less that of the folded state, from 15 to 25 nm
               (the chain has 28.5 nm, the folded protein under this force 5)
  lifetimes    exponential after the delay: the largest distance of the two distributions (Kolmogorov and Smirnov)
               below 1.25 / sqrt(copies), the level of 1 % for a fitted exponential distribution (Lilliefors)
  temperature  of the noise, within 4 standard errors of 300 K

The exit code is 0 if all hold and 1 if not."""

import math
import pathlib
import sys

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from curves import UNFOLDED, Curves, Verdict, arguments, execute  # noqa: E402


def main():
    args = arguments(__doc__, "clamp")

    curves = Curves(args.out, args.name, speed=False)
    time, extension = curves.time, curves.extension
    end = np.array([next(iter(time[row > UNFOLDED]), math.nan) for row in extension])
    unfolded = ~np.isnan(end)
    n = int(unfolded.sum())
    if n < 2:
        sys.exit("plot.py: too few copies have unfolded")
    first = end[unfolded].min()
    lifetime = (np.where(unfolded, end, time[-1]) - first).sum() / (n - 1)
    error = lifetime / math.sqrt(n - 1)
    delay = first - lifetime / curves.copies
    folded = extension[:, time < 0.2].mean()
    print(f"{curves.copies} copies under {curves.clamp:g} pN for {time[-1]:g} us")
    print(f"lifetime of the folded state {lifetime:.3f} +- {error:.3f} us, after a delay of {delay:.3f} us")
    verdict = Verdict()
    verdict(f"{n} of {curves.copies} copies unfolded   more than half", n > curves.copies / 2)
    step = extension[unfolded, -1].mean() - folded
    verdict(f"extension {folded:.2f} nm of the folded, {step:.2f} nm more of the unfolded at the end   15 to 25",
            15 < step < 25)
    ordered = np.sort(end[unfolded])
    expected = 1 - np.exp(-(ordered - delay) / lifetime)
    steps = np.arange(n + 1) / curves.copies
    distance = max((steps[1:] - expected).max(), (expected - steps[:-1]).max())
    verdict(f"distance from an exponential distribution {distance:.2f}   below {1.25 / math.sqrt(curves.copies):.2f}",
            distance < 1.25 / math.sqrt(curves.copies))
    verdict.temperature(curves.T)

    fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    left.plot(time, extension.T, lw=0.6)
    left.axhline(UNFOLDED, color="k", lw=0.6, ls=":")
    left.set(xlabel="time (µs)", ylabel="extension (nm)", ylim=(0, None),
             title=f"{curves.copies} copies of ubiquitin under {curves.clamp:g} pN")
    right.step(np.concatenate(([0], ordered, time[-1:])), np.concatenate((1 - steps, [1 - steps[-1]])),
               where="post", color="C0", label="run")
    right.plot(time, np.minimum(np.exp((delay - time) / lifetime), 1), color="k", lw=0.8, ls="--",
               label=f"exponential, {lifetime:.2f} ± {error:.2f} µs after {delay:.2f} µs")
    right.set(xlabel="time (µs)", ylabel="share of folded copies", ylim=(0, 1.02), title="Lifetimes")
    right.legend()
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
