#!/usr/bin/env python3
# Plots what in.binary wrote: maps of the composition, part of unlike neighbors, size of the domains.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Separation of two immiscible DPD fluids.

The size of the domains is 2 pi over the mean wavenumber of the composition, weighted with its structure
factor. Criteria, with room for the chances of one small system (see README): at the end the part of unlike
neighbors is below a quarter of the first one, and the domains are more than 1.5 times their size at the first
map. The exit code is 0 if both hold and 1 if not."""

import argparse
import math
import pathlib
import sys

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

BOX = 20.0  # length of the box in x and y
DT = 0.01
K_MAX = 2 * math.pi / 2  # shorter waves are the noise of single particles


def read_maps(path):
    """Times and maps [time][x][y] of the composition, from a file of fix ave/chunk (bin/2d)."""
    times, maps, rows = [], [], None
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            continue
        words = line.split()
        if len(words) == 3:
            times.append(int(words[0]) * DT)
            rows = []
            maps.append(rows)
        else:
            rows.append(float(words[4]))
    if not maps:
        sys.exit(f"plot.py: no map in {path}")
    n = math.isqrt(len(maps[0]))
    return np.array(times), np.array(maps).reshape(len(maps), n, n)


def domain_size(composition):
    n = len(composition)
    k = 2 * math.pi * np.fft.fftfreq(n, BOX / n)
    k = np.hypot(k[:, None], k[None, :])
    power = abs(np.fft.fft2(composition - composition.mean()))**2
    used = (k > 0) & (k < K_MAX)
    return 2 * math.pi * power[used].sum() / (k * power)[used].sum()


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--name", default="binary", help="first part of the file names (default: %(default)s)")
    p.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."), help="folder of the files")
    args = p.parse_args()

    times, maps = read_maps(args.out / f"{args.name}.map.dat")
    part = np.loadtxt(args.out / f"{args.name}.part.dat", ndmin=2)
    size = np.array([domain_size(m) for m in maps])

    ok_part, ok_size = part[-1, 1] < part[0, 1] / 4, size[-1] > 1.5 * size[0]
    print(f"unlike neighbors: {part[0, 1]:.3f} at the start, {part[-1, 1]:.4f} at t = {part[-1, 0] * DT:g}"
          f"   < 1/4: {'ok' if ok_part else 'FAILED'}")
    print(f"size of domains:  {size[0]:.2f} at t = {times[0]:g}, {size[-1]:.2f} at t = {times[-1]:g}"
          f"   > 1.5 times: {'ok' if ok_size else 'FAILED'}")

    fig = plt.figure(figsize=(11, 7), layout="constrained")
    top, bottom = fig.subfigures(2, 1, height_ratios=(1, 0.9))
    shown = [int(np.argmin(abs(times - f * times[-1]))) for f in (0, 0.1, 0.4, 1)]
    for axis, i in zip(top.subplots(1, 4), shown):
        image = axis.imshow(maps[i].T, origin="lower", extent=(0, BOX, 0, BOX), cmap="coolwarm", vmin=-1, vmax=1)
        axis.set(title=f"t = {times[i]:g}", xlabel="x", ylabel="y")
        axis.label_outer()
    top.colorbar(image, ax=top.axes, label="composition", shrink=0.8)
    left, right = bottom.subplots(1, 2)
    left.semilogy(part[:, 0] * DT, part[:, 1])
    left.set(title="part of unlike neighbors (r < 1)", xlabel="t")
    right.plot(times, size, marker="o", ms=4)
    right.axhline(BOX, color="k", lw=0.8, ls=":", label="box length")
    right.set(title="size of the domains, 2π/⟨k⟩", xlabel="t", ylim=(0, 1.1 * BOX))
    right.legend(loc="lower right")
    for axis in (left, right):
        axis.grid(alpha=0.3, which="both")
    fig.suptitle("Two immiscible DPD fluids, 6000 particles in 20 × 20 × 5")
    picture = args.out / f"{args.name}.png"
    fig.savefig(picture, dpi=120)
    print(f"plot: {picture}")
    return 0 if ok_part and ok_size else 1


if __name__ == "__main__":
    sys.exit(main())
