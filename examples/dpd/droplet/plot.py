#!/usr/bin/env python3
# Contact angles of the droplets that in.droplet made, from their layers and from the height of their middle.
# SPDX-License-Identifier: GPL-2.0-or-later
"""A droplet of many-body DPD on a wall.

A droplet is taken for the cap of a sphere. By layers: the area of the layer at height z is pi (R^2 - (z - c)^2), so that
area/pi + z^2 is a line in z. Its slope 2 c and R give the angle, cos(angle) = -c/R. By height: that of the middle over the
cube root of the volume depends on the angle alone.

Criteria: all particles are in the box, at a temperature of 0.9 to 1.6. With --relaxed (for runs in which droplets had time): the
angle grows as the attraction of the wall becomes weaker; both ways agree within 8 degrees; the temperature is 1 to 3 %.
The exit code is 0 if that holds and 1 if not."""

import math
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, execute, files_like, parser, read_blocks, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

DENSITY = 6.71    # of this liquid beside its vapor


def angle_of_layers(z, count, thickness):
    """Degrees; of layers in the middle, where neither wall nor top is near."""
    area = count / (DENSITY * thickness)
    inside = np.flatnonzero(area > 0.25 * area.max())
    part = inside[(z[inside] > 0.6) & (z[inside] < 0.9 * z[inside[-1]])]
    slope, level = np.polyfit(z[part], area[part] / math.pi + z[part] ** 2, 1)
    middle = slope / 2
    return math.degrees(math.acos(np.clip(-middle / math.sqrt(level + middle**2), -1, 1)))


def height_of_cap(angle):
    """Of the middle of a cap of volume 1."""
    c = math.cos(angle)
    R = (3 / (math.pi * (1 - c) ** 2 * (2 + c))) ** (1 / 3)
    h = R * (1 - c)
    return h * (4 * R - h) / (4 * (3 * R - h))


def angle_of_height(height, number):
    wanted, low, high = height / (number / DENSITY) ** (1 / 3), 0.05, math.pi - 1e-3
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if height_of_cap(middle) < wanted else (low, middle)
    return math.degrees(low)


def main():
    p = parser(__doc__, "droplet")
    p.add_argument("--relaxed", action="store_true", help="droplets must have their angles")
    args = p.parse_args()
    paths = files_like(args.out, f"{args.name}.-*.state.dat")
    names = sorted((path.name[len(args.name) + 1:-len(".state.dat")] for path in paths), key=float)
    verdict = Verdict()
    angles, by_height = [], []
    fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    for name in names:
        height, T = read_table(args.out / f"{args.name}.{name}.state.dat")[1:]
        z, count = read_blocks(args.out / f"{args.name}.{name}.profile.dat")[1].mean(axis=0).T[1:3]
        z, count = z[z > 1] - 1, count[z > 1]
        angles.append(angle_of_layers(z, count, z[1] - z[0]))
        by_height.append(angle_of_height(height.mean(), count.sum()))
        print(f"attraction {name}: contact angle {angles[-1]:.0f} degrees, by height {by_height[-1]:.0f}, T = {T.mean():.3f}")
        wide = (0.97, 1.03) if args.relaxed else (0.9, 1.6)
        verdict(f"    temperature {wide[0]} to {wide[1]}", wide[0] < T.mean() < wide[1])
        left.plot(np.sqrt(count / (DENSITY * (z[1] - z[0]) * math.pi)), z, label=f"{name}: {angles[-1]:.0f}°")
    verdict("three attractions", len(names) == 3)
    if args.relaxed:
        verdict("the angle grows as the attraction becomes weaker", all(a < b for a, b in zip(angles, angles[1:])))
        verdict("both ways agree within 8 degrees", max(abs(a - b) for a, b in zip(angles, by_height)) < 8)
    left.set(title="radius of layers", xlabel="radius", ylabel="height", aspect="equal", xlim=(0, 7), ylim=(0, 7))
    left.legend(title="attraction of the wall")
    right.plot([float(name) for name in names], angles, "o-", label="by layers")
    right.plot([float(name) for name in names], by_height, "s--", label="by height")
    right.set(title="contact angle", xlabel="A between wall and liquid", ylabel="degrees")
    right.legend()
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
