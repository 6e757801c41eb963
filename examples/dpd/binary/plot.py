#!/usr/bin/env python3
# Plots what in.binary wrote: maps of the composition, share of unlike neighbors, size of the domains.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Separation of two immiscible DPD fluids.

The size of the domains is 2 pi over the mean wavenumber of the composition, weighted with its structure
factor. Criteria, with room for the chances of one small system (see README): at the end the share of unlike
neighbors is below a quarter of the first one, and the domains are more than 1.5 times their size at the first
map. The exit code is 0 if both hold and 1 if not."""

import math
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, arguments, execute, read_blocks, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

DT = 0.01                # time step of in.binary
K_MAX = 2 * math.pi / 2  # shorter waves are the noise of single particles


def read_maps(path):
    """Times, maps [time][x][y] of the composition, and length of the box in x and y."""
    steps, blocks = read_blocks(path)
    n = math.isqrt(blocks.shape[1])
    first, last = blocks[0, [0, -1], 1]  # centers of the outermost columns: half a column from 0 and from the edge
    return steps * DT, blocks[:, :, 4].reshape(len(steps), n, n), first + last


def domain_size(composition, box):
    n = len(composition)
    k = 2 * math.pi * np.fft.fftfreq(n, box / n)
    k = np.hypot(k[:, None], k[None, :])
    power = abs(np.fft.fft2(composition - composition.mean()))**2
    used = (k > 0) & (k < K_MAX)
    return 2 * math.pi * power[used].sum() / (k * power)[used].sum()


def main():
    args = arguments(__doc__, "binary")
    times, maps, box = read_maps(args.out / f"{args.name}.map.dat")
    steps, share = read_table(args.out / f"{args.name}.part.dat")
    size = np.array([domain_size(m, box) for m in maps])

    verdict = Verdict()
    verdict(f"unlike neighbors: {share[0]:.3f} at the start, {share[-1]:.4f} at t = {steps[-1] * DT:g}   < 1/4",
            share[-1] < share[0] / 4)
    verdict(f"size of domains:  {size[0]:.2f} at t = {times[0]:g}, {size[-1]:.2f} at t = {times[-1]:g}   > 1.5 times",
            size[-1] > 1.5 * size[0])

    fig = plt.figure(figsize=(11, 6), layout="constrained")
    top, bottom = fig.subfigures(2, 1, height_ratios=(1, 0.9))
    shown = [np.argmin(abs(times - t)) for t in np.geomspace(times[0], times[-1], 4)]
    for axis, i in zip(top.subplots(1, 4), shown):
        image = axis.imshow(maps[i].T, origin="lower", extent=(0, box, 0, box), cmap="coolwarm", vmin=-1, vmax=1)
        axis.set(title=f"t = {times[i]:g}", xlabel="x", ylabel="y")
        axis.label_outer()
    top.colorbar(image, ax=top.axes, label="composition", shrink=0.8)
    left, right = bottom.subplots(1, 2)
    left.plot(steps * DT, share)
    left.set(title="neighbors closer than 1", xlabel="t", ylabel="share of unlike ones", ylim=(0, None))
    right.plot(times, size, marker="o", ms=4)
    right.axhline(box, color="k", lw=0.8, ls=":", label="box length")
    right.set(title="domains", xlabel="t", ylabel="size 2π/⟨k⟩", ylim=(0, 1.1 * box))
    right.legend(loc="lower right")
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
