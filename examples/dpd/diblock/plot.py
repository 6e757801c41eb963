#!/usr/bin/env python3
# Structure factor, order parameter and density profile of what in.diblock wrote.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Lamellae of symmetric diblock copolymers.

S(q) = |sum_j s_j exp(-i q.r_j)|^2 / N with s = 1 for A and -1 for B, for all waves of the periodic box below Q_MAX.
The order parameter is that of a nematic, of the directions of q, each weighted with S(q): 0 without a common
direction, 1 for one set of lamellae.

Criterion: A and B have begun to separate, that is the highest S(q) has grown by a fifth. With --lamellae: the order
parameter is above 0.8 in the last frames, and along the normal of the lamellae the density of A varies between less
than 0.2 and more than 2.8 of 3. The exit code is 0 if that holds and 1 if not."""

import itertools
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, execute, parser, read_dump  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

A, B = 1, 2
Q_MAX = 3.0
BINS = 20


def waves(edge):
    """Wave vectors of the box up to Q_MAX, one of q and -q."""
    most = int(Q_MAX * edge.max() / (2 * np.pi))
    n = np.array([n for n in itertools.product(range(-most, most + 1), repeat=3) if n > (0, 0, 0)])
    q = 2 * np.pi * n / edge
    return q[np.linalg.norm(q, axis=1) < Q_MAX]


def structure_factor(q, x, types):
    """S(q), for some waves at a time: the array of phases has one number per wave and bead."""
    sign = np.where(types == A, 1.0, -1.0)
    result = np.empty(len(q))
    for part in np.array_split(np.arange(len(q)), 1 + len(q) * len(x) // 4_000_000):
        result[part] = abs(np.exp(-1j * (q[part] @ x.T)) @ sign)**2 / len(x)
    return result


def order_parameter(q, s):
    unit = q / np.linalg.norm(q, axis=1)[:, None]
    tensor = np.einsum("k,ki,kj->ij", s, unit, unit) / s.sum()
    return 1.5 * np.linalg.eigvalsh(tensor)[-1] - 0.5


def profile(normal, x, types, volume):
    """Density of A and B along one period; the phase is such that A is in the middle."""
    phase = x @ normal
    center = np.angle(np.exp(1j * phase[types == A]).sum())
    turn = ((phase - center) / (2 * np.pi) + 0.5) % 1
    density = [np.histogram(turn[types == kind], BINS, (0, 1))[0] * BINS / volume for kind in (A, B)]
    return (np.arange(BINS) + 0.5) / BINS, density


def draw_slice(axis, time, edge, types, x):
    near = x[:, 2] % edge[2] < 1.5
    for kind, color, name in ((A, "C0", "A"), (B, "C3", "B")):
        chosen = near & (types == kind)
        axis.scatter(*(x[chosen, :2] % edge[:2]).T, s=(130 / edge[0])**2 / 4, color=color, lw=0, label=name)
    axis.set(title=f"t = {time:g}, slice of 1.5", xlabel="x", ylabel="y", xlim=(0, edge[0]), ylim=(0, edge[1]),
             aspect="equal")
    axis.legend(loc="upper right")


def main():
    p = parser(__doc__, "diblock")
    p.add_argument("--lamellae", action="store_true", help="lamellae must have formed")
    args = p.parse_args()

    times, order, highest = [], [], []
    for time, edge, columns in read_dump(args.out / f"{args.name}.beads.dat"):
        types, x = columns["type"].astype(int), np.column_stack([columns[i] for i in "xyz"])
        q = waves(edge)
        s = structure_factor(q, x, types)
        times.append(time)
        order.append(order_parameter(q, s))
        highest.append(s.max())
    normal = q[s.argmax()]
    length = np.linalg.norm(q, axis=1)
    turn, density = profile(normal, x, types, edge.prod())
    period = 2 * np.pi / np.linalg.norm(normal)
    late = np.mean(order[-max(1, len(order) // 4):])

    verdict = Verdict()
    verdict(f"highest S(q): {highest[0]:.1f} at t = {times[0]:g}, "
            f"{highest[-1]:.1f} at t = {times[-1]:g}   more by a fifth",
            highest[-1] > 1.2 * highest[0])
    print(f"at q = {np.linalg.norm(normal):.3f}, a period of {period:.2f}")
    print(f"order parameter: {order[0]:.3f} at the start, {late:.3f} in the last quarter")
    print(f"density of A along the normal: {density[0].min():.2f} to {density[0].max():.2f}")
    if args.lamellae:
        verdict("order parameter above 0.8", late > 0.8)
        verdict("density of A from below 0.2 to above 2.8", density[0].min() < 0.2 and density[0].max() > 2.8)

    fig, axes = plt.subplots(2, 2, figsize=(10, 8), layout="constrained")
    draw_slice(axes[0, 0], time, edge, types, x)
    axes[0, 1].plot(times, order, marker="o", ms=3)
    axes[0, 1].set(title="order of the layers", xlabel="t", ylabel="order parameter", ylim=(0, 1))
    axes[1, 0].semilogy(length, s, ".", ms=4)
    axes[1, 0].set(title=f"structure factor at t = {time:g}", xlabel="q", ylabel="S(q)")
    for row, color, name in zip(density, ("C0", "C3"), "AB"):
        axes[1, 1].plot(turn * period, row, color=color, label=name)
    axes[1, 1].plot(turn * period, sum(density), color="k", lw=0.8, label="both")
    axes[1, 1].set(title="one period of the layers", xlabel="distance along the normal", ylabel="density", ylim=(0, None))
    axes[1, 1].legend()
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
