#!/usr/bin/env python3
# Micelles in what in.micelles wrote: their number and size with time, a picture, and densities around their centers.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Surfactants in water form micelles.

Two chains belong to one aggregate if tail beads of them are closer than 1. Criteria: there are fewer aggregates at the
end than at the start. With --micelles: in the last quarter at least 4 of 5 chains are in aggregates of 5 or more, of
which there are at least two, and in these the heads are further from the center than the tails. The exit code is 0 if
they hold and 1 if not."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, execute, parser, read_dump  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

HEAD, TAIL = 1, 2
NEAR, MICELLE = 1.0, 5  # distance of beads in touch; chains of the smallest micelle


def nearest(d, edge):
    return d - edge * np.rint(d / edge)


def aggregates(x, chains, edge):
    """The number of the aggregate of each chain, from positions and chains of tail beads."""
    d = nearest(x[:, None] - x, edge)
    i, j = np.nonzero((d**2).sum(axis=2) < NEAR**2)
    label = np.arange(chains.max() + 1)
    while True:  # each chain takes the smallest label of those that it touches
        smaller = label.copy()
        np.minimum.at(smaller, chains[i], label[chains[j]])
        if np.array_equal(smaller, label):
            return label
        label = smaller


def center(x, edge):
    """Of beads in a periodic box: the mean of angles on a circle, and then of nearest images."""
    turn = np.exp(2j * np.pi * x / edge).mean(axis=0)
    near = np.angle(turn) / (2 * np.pi) * edge
    return near + nearest(x - near, edge).mean(axis=0)


class Frame:
    def __init__(self, time, edge, columns):
        self.time, self.edge = time, edge
        self.types, chains = columns["type"].astype(int), columns["mol"].astype(int) - 1
        self.x = np.column_stack([columns[axis] for axis in "xyz"])
        tails = self.types == TAIL
        self.of_bead = aggregates(self.x[tails], chains[tails], edge)[chains]
        self.labels, beads = np.unique(self.of_bead, return_counts=True)
        self.sizes = beads // (len(chains) // (chains.max() + 1))  # in chains

    def micelles(self):
        return self.labels[self.sizes >= MICELLE]

    def distances(self, kind):
        """Of the beads of a kind from the centers of their micelles."""
        found = [np.empty(0)]
        for label in self.micelles():
            mine = self.of_bead == label
            middle = center(self.x[mine], self.edge)
            found.append(np.linalg.norm(nearest(self.x[mine & (self.types == kind)] - middle, self.edge), axis=1))
        return np.concatenate(found)


def draw_picture(axis, frame):
    """Beads from the front to the back of the box, the nearer ones larger and brighter."""
    order = np.argsort(frame.x[:, 2])
    depth = (frame.x[order, 2] / frame.edge[2])
    for kind, color, name in ((TAIL, (0.9, 0.45, 0.1), "tails"), (HEAD, (0.15, 0.3, 0.75), "heads")):
        chosen = frame.types[order] == kind
        shade = np.clip((0.35 + 0.65 * depth[chosen])[:, None] * np.array(color) + (0.45 * (1 - depth[chosen]))[:, None], 0, 1)
        axis.scatter(*frame.x[order][chosen, :2].T, s=30 + 70 * depth[chosen], c=shade, lw=0.3, edgecolor="k", label=name)
    axis.set(title=f"t = {frame.time:g}", xlabel="x", ylabel="y", aspect="equal", xlim=(0, frame.edge[0]), ylim=(0, frame.edge[1]))
    axis.legend(loc="upper right")


def main():
    p = parser(__doc__, "micelles")
    p.add_argument("--micelles", action="store_true", help="micelles must have formed")
    args = p.parse_args()
    frames = [Frame(*frame) for frame in read_dump(args.out / f"{args.name}.beads.dat")]
    first, last = frames[0], frames[-1]
    late = frames[-max(1, len(frames) // 4):]

    share = np.mean([frame.sizes[frame.sizes >= MICELLE].sum() / frame.sizes.sum() for frame in late])
    number = np.mean([len(frame.micelles()) for frame in late])
    distances = {kind: np.concatenate([frame.distances(kind) for frame in late]) for kind in (HEAD, TAIL)}
    verdict = Verdict()
    verdict(f"aggregates: {len(first.sizes)} at t = {first.time:g}, {len(last.sizes)} at t = {last.time:g}   fewer",
            len(last.sizes) < len(first.sizes))
    print("chains in the micelles of the last frame:", *sorted(last.sizes[last.sizes >= MICELLE], reverse=True))
    if args.micelles:
        verdict(f"chains in micelles: {100 * share:.0f} %   80 % and more", share >= 0.8)
        verdict(f"micelles: {number:.1f}   2 and more", number >= 2)
        far = [distances[kind].mean() for kind in (HEAD, TAIL)]
        verdict("heads {:.2f} from the center, tails {:.2f}   heads further".format(*far), far[0] > far[1])

    fig, axes = plt.subplots(1, 3, figsize=(14, 4.6), layout="constrained")
    draw_picture(axes[0], last)
    axes[1].plot([frame.time for frame in frames], [len(frame.sizes) for frame in frames], label="aggregates and single chains")
    axes[1].plot([frame.time for frame in frames], [frame.sizes.max() for frame in frames], label="chains in the largest one")
    axes[1].set(title="growth", xlabel="t", ylabel="number", ylim=(0, None))
    axes[1].legend()
    edges = np.arange(0, 5.01, 0.2)
    volume = 4 / 3 * np.pi * np.diff(edges**3)
    for kind, color, name in ((TAIL, "tab:orange", "tails"), (HEAD, "tab:blue", "heads")):
        count = np.histogram(distances[kind], edges)[0]
        axes[2].stairs(count / volume / max(1, number * len(late)), edges, color=color, label=name)
    axes[2].set(title="a micelle of the last quarter", xlabel="distance from its center", ylabel="density of beads")
    axes[2].legend()
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
