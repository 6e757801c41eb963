#!/usr/bin/env python3
# Draws what in.vesicle wrote: slices through the box, a ray-cast of the membranes, order parameters.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Amphiphiles that form membranes.

Criterion (see README): at the end a B (hydrophobic bead) has less than half of the contacts with water that it has at
the start. With --membranes it has less than a tenth, chains lie along their neighbors (order above 0.2), and the B form
sheets (dimension 1.8 to 2.4). The exit code is 0 if that holds and 1 if not."""

import itertools
import math
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import execute, parser, read_dump, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

A, B = 2, 3              # types: hydrophilic, hydrophobic
VOXEL = 0.5              # edge of a cell of the density
MAX_VOXELS = 320        # along an edge of the box
SLAB = 1.5               # thickness of the slices
SURFACE = 2.5            # density of A and B at the surface of a membrane: half of that inside
COLOR_A, COLOR_B = np.array([0.93, 0.93, 0.90]), np.array([0.78, 0.13, 0.10])


def read_frames(path):
    """Yields time, edges of the box, types and positions of each picture."""
    for time, edge, column in read_dump(path):
        yield time, edge, column["type"].astype(int), np.column_stack([column[name] for name in "xyz"]) % edge


def count(x, edge, n):
    """Number of beads in each of n[0] x n[1] x n[2] voxels."""
    cell = np.minimum((x / edge * n).astype(int), n - 1)
    return np.bincount(np.ravel_multi_index(cell.T, n), minlength=n.prod()).reshape(n).astype(float)


def voxels(edge):
    return np.minimum(np.maximum(np.rint(edge / VOXEL), 4), MAX_VOXELS).astype(int)


def waves(n, lengths):
    """Squares of the wave numbers of rfftn, as an array."""
    k = [2 * math.pi * np.fft.fftfreq(m, d / m) for m, d in zip(n, lengths)]
    k[2] = k[2][:n[2] // 2 + 1]
    return k[0][:, None, None]**2 + k[1][None, :, None]**2 + k[2]**2


def density(x, edge, n, width=0.45):
    """Number density in voxels, each bead spread over a Gaussian."""
    smooth = np.fft.rfftn(count(x, edge, n)) * np.exp(-waves(n, edge) * width**2 / 2)
    return np.fft.irfftn(smooth, s=n, axes=(0, 1, 2)) * n.prod() / edge.prod()


def dimension(x, edge, near=2.0, far=4.0):
    """How the number of beads within r of a bead grows between r = near and far, as a power of r: 2 in a thin sheet,
    1 in a thread, 3 in a filled box. Beads are counted in voxels, through the autocorrelation of their density."""
    n = voxels(edge)
    power = abs(np.fft.rfftn(count(x, edge, n)))**2
    pairs = np.fft.irfftn(power, s=n, axes=(0, 1, 2))
    d = [np.minimum(i, m - i) * (length / m) for i, m, length in zip(map(np.arange, n), n, edge)]
    r2 = d[0][:, None, None]**2 + d[1][None, :, None]**2 + d[2]**2
    return math.log(pairs[r2 < far**2].sum() / pairs[r2 < near**2].sum()) / math.log(far / near)


class View:
    """Orthographic view of the box from above one of its corners, whose octant is cut away."""

    def __init__(self, edge):
        self.edge = edge
        self.ahead = np.array([-0.62, -0.55, -0.45])
        self.ahead /= np.linalg.norm(self.ahead)
        self.right = np.cross(self.ahead, [0, 0, 1])
        self.right /= np.linalg.norm(self.right)
        self.up = np.cross(self.right, self.ahead)
        self.radius = np.linalg.norm(edge) / 2

    def flat(self, points):
        """Where points are in the picture."""
        p = np.asarray(points) - self.edge / 2
        return p @ self.right, p @ self.up

    def rays(self, pixels):
        """Origins of the rays, and how far from them each enters and leaves what is left of the box. All coordinates
        fall along a ray: it is in the box when the last of them is below the edge, and has left the octant that is cut
        away when the first is below half of it."""
        u = ((np.arange(pixels) + 0.5) / pixels * 2 - 1) * self.radius
        across, upward = np.meshgrid(u, u)
        origin = (self.edge / 2 + across.reshape(-1, 1) * self.right + upward.reshape(-1, 1) * self.up
                  - self.radius * self.ahead)
        enter = np.maximum(((self.edge - origin) / self.ahead).max(axis=1),
                           ((self.edge / 2 - origin) / self.ahead).min(axis=1))
        return origin, enter, (-origin / self.ahead).min(axis=1)


class Field:
    """A field in voxels of a periodic box, linear between their centers."""

    def __init__(self, values, edge):
        self.flat, self.n, self.voxel = values.ravel(), np.array(values.shape), edge / values.shape
        for axis in range(3):
            values = np.maximum(values, np.maximum(np.roll(values, 1, axis), np.roll(values, -1, axis)))
        self.most = values.ravel()  # in a voxel and all around it

    def exceeds(self, level, p):
        at = np.clip((p / self.voxel).astype(int), 0, self.n - 1)
        above = self.most[np.ravel_multi_index(at.T, self.n)] > level
        above[above] = self(p[above]) > level
        return above

    def __call__(self, p):
        q = p / self.voxel - 0.5
        low = np.floor(q).astype(int)
        part, value = q - low, 0.0
        for corner in itertools.product((0, 1), repeat=3):
            weight = np.prod(np.where(corner, part, 1 - part), axis=1)
            value = value + weight * self.flat[np.ravel_multi_index(((low + corner) % self.n).T, self.n)]
        return value

    def normal(self, p):
        slope = np.stack([self(p + d) - self(p - d) for d in np.diag(self.voxel)], axis=1)
        return -slope / np.maximum(np.linalg.norm(slope, axis=1), 1e-9)[:, None]


def first_hits(field, view, pixels):
    """The rays that hit the surface, how far from their origins, and which of them hit it in a cut."""
    origin, at, leave = view.rays(pixels)
    step = field.voxel.min() / 3
    waiting = np.flatnonzero(at < leave)
    rays, ways, cuts = [], [], []
    first = True
    while len(waiting):
        hit = field.exceeds(SURFACE, origin[waiting] + at[waiting, None] * view.ahead)
        rays.append(waiting[hit])
        low, high = at[rays[-1]] - step, at[rays[-1]]
        for _ in range(0 if first else 5):
            middle = (low + high) / 2
            dense = field.exceeds(SURFACE, origin[rays[-1]] + middle[:, None] * view.ahead)
            low, high = np.where(dense, low, middle), np.where(dense, middle, high)
        ways.append(high)
        cuts.append(np.full(hit.sum(), first))
        at[waiting] += step
        waiting = waiting[~hit & (at[waiting] < leave[waiting])]
        first = False
    return np.concatenate(rays), np.concatenate(ways), np.concatenate(cuts)


def ray_cast(a, b, edge, pixels=560):
    """Picture of the surface of membranes, and of their inside where the box is cut. White: A, red: B; darker: further
    away, or turned away from the light."""
    view, total, hydrophobic = View(edge), Field(a + b, edge), Field(b, edge)
    rays, ways, cuts = first_hits(total, view, pixels)
    p = view.rays(pixels)[0][rays] + ways[:, None] * view.ahead
    toward = -view.ahead + 0.5 * view.up + 0.3 * view.right
    light = 0.5 + 0.5 * np.clip(total.normal(p) @ toward / np.linalg.norm(toward), 0, 1)
    light[cuts] = 1.0
    light *= 1 - 0.45 * ways / (2 * view.radius)
    share = np.clip((hydrophobic(p) / total(p) - 0.45) / 0.4, 0, 1)[:, None]
    image = np.ones((pixels * pixels, 3))
    image[rays] = ((1 - share) * COLOR_A + share * COLOR_B) * light[:, None]
    return view, image.reshape(pixels, pixels, 3)


def draw_slice(axis, time, edge, types, x):
    near = abs(x[:, 2] - edge[2] / 2) < SLAB / 2
    size = min(9.0, (170 / edge[0])**2 / 9)
    for kind, color, name in ((B, COLOR_B, "B"), (A, (0.1, 0.25, 0.6), "A")):
        chosen = near & (types == kind)
        axis.scatter(x[chosen, 0], x[chosen, 1], s=size, color=color, lw=0, label=name)
    axis.set(title=f"t = {time:g}", xlim=(0, edge[0]), ylim=(0, edge[1]), aspect="equal", xlabel="x", ylabel="y",
             facecolor="#dcebf5")
    axis.label_outer()


def draw_ray_cast(axis, time, edge, types, x, pixels=560):
    """Returns the view."""
    n = voxels(edge)
    view, image = ray_cast(density(x[types == A], edge, n), density(x[types == B], edge, n), edge, pixels)
    axis.imshow(image, origin="lower", extent=[-view.radius, view.radius] * 2)
    axis.set(title=f"t = {time:g}, an octant cut away")
    axis.axis("off")
    return view


def draw_box(axis, view):
    """Its edges, and those of the octant."""
    edge = view.edge
    for i, (p, q) in itertools.product(range(3), itertools.product((0, 1), repeat=2)):
        ends = np.insert(np.array([[p, q], [p, q]], float), i, [0, 1], axis=1)
        if p and q:
            ends[1, i] = 0.5  # the rest of this edge is cut away
        axis.plot(*view.flat(ends * edge), color="0.5", lw=0.6)
    corner = {"".join(map(str, c)): np.array(c) / 2 for c in itertools.product((1, 2), repeat=3)}
    for one, other in itertools.combinations(corner, 2):
        if sum(k != m for k, m in zip(one, other)) == 1:
            axis.plot(*view.flat(np.array([corner[one], corner[other]]) * edge), color="0.5", lw=0.6)


def save_render(picture, frame):
    """The ray-cast alone, large."""
    figure, axis = plt.subplots(figsize=(8, 8), layout="constrained")
    view = draw_ray_cast(axis, *frame, pixels=1600)
    near = 1.05 * np.max(np.abs(view.flat(frame[-1])))
    axis.set(title="", xlim=(-near, near), ylim=(-near, near))
    figure.savefig(picture, dpi=100)
    print(f"plot: {picture}")


def main():
    p = parser(__doc__, "vesicle")
    p.add_argument("--membranes", action="store_true", help="membranes must have formed")
    p.add_argument("--render", action="store_true", help="the last picture alone, large")
    args = p.parse_args()

    frames = list(read_frames(args.out / f"{args.name}.beads.dat"))
    time, contacts, largest, aligned = read_table(args.out / f"{args.name}.order.dat")[1:5]
    end, edge, types, x = frames[-1]
    late = aligned[time >= 0.75 * time[-1]].mean()
    sheets = dimension(x[types == B], edge)

    wetter = 1 / 10 if args.membranes else 1 / 2
    found = [(f"water around a B:   {contacts[0]:.2f} at the start, {contacts[-1]:.2f} at t = {time[-1]:g}",
              f"less than 1/{1 / wetter:g}", contacts[-1] < wetter * contacts[0], True),
             (f"largest cluster:    {largest[0]:.3f} of all B at the start, {largest[-1]:.3f} at the end", "", True,
              False),
             (f"order of neighbors: {late:.3f} in the last quarter", "above 0.2", late > 0.2, args.membranes),
             (f"dimension:          {sheets:.2f} at t = {end:g}", "1.8 to 2.4", 1.8 < sheets < 2.4, args.membranes)]
    for text, bound, ok, judged in found:
        print(f"{text}   {bound}: {'ok' if ok else 'FAILED'}" if judged else text)

    fig = plt.figure(figsize=(12, 8.2), layout="constrained")
    top, bottom = fig.subfigures(2, 1, height_ratios=(1, 1.55))
    shown = np.unique(np.rint(np.linspace(0, len(frames) - 1, 4)).astype(int))
    for axis, i in zip(np.atleast_1d(top.subplots(1, len(shown))), shown):
        draw_slice(axis, *frames[i])
    top.suptitle(f"slices of {SLAB}: A blue, B red")
    left, right = bottom.subplots(1, 2, width_ratios=(1, 0.9))
    draw_box(left, draw_ray_cast(left, *frames[-1]))
    right.plot(time, contacts / contacts[0], label="water around a B / first value")
    right.plot(time, largest, label="largest cluster / all B")
    right.plot(time, aligned, label="order of neighbors")
    right.axhline(0, color="k", lw=0.6)
    right.set(xlabel="t", ylabel="measure", ylim=(-0.1, 1.05))
    right.grid(alpha=0.3)
    right.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, fontsize="small")
    picture = args.out / f"{args.name}.png"
    fig.savefig(picture, dpi=100)
    print(f"plot: {picture}")
    if args.render:
        save_render(args.out / f"{args.name}.render.png", frames[-1])
    return 0 if all(ok for _, _, ok, judged in found if judged) else 1


if __name__ == "__main__":
    execute(main)
