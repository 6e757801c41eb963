#!/usr/bin/env python3
# Velocity and density between walls, and the slip, of what in.walls wrote.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Flow between walls of frozen particles.

A parabola A z (d - z) + C is fitted where the forces of the walls do not reach, and extrapolated to them. C is the
velocity of slip, C/(A d) the length of slip: so far behind the wall the parabola would be zero. Errors come from
four blocks.

Criteria: no particle has left the channel, the density between the ranges of the walls is the mean of the channel
to 2 %, and the temperature across the flow is within 3 % of 1. With --no-slip: the slip is below 5 % of the largest
velocity. The exit code is 0 if they hold and 1 if not."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, mean_error, parser, read_blocks, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

RANGE = 1.0  # of the forces


def parabola(z, v, d):
    """A and C of A z (d - z) + C, from bins that are further from the walls than the range of the forces."""
    inner = (z > RANGE) & (z < d - RANGE)
    columns = np.column_stack((z * (d - z), np.ones_like(z)))[inner]
    return np.linalg.lstsq(columns, v[inner], rcond=None)[0]


def main():
    p = parser(__doc__, "walls")
    p.add_argument("--no-slip", action="store_true", help="there must be next to no slip")
    args = p.parse_args()
    blocks = read_blocks(args.out / f"{args.name}.profile.dat")[1]
    out, d, side, force, T = read_table(args.out / f"{args.name}.state.dat")[1:]
    d, side, force = d[0], side[0], force[0]
    z = blocks[0, :, 1]
    blocks = blocks[:, (z > 0) & (z < d)]
    z, number, v, density = blocks[0, :, 1], blocks[:, :, 2], blocks[:, :, 3], blocks[:, :, 4].mean(axis=0)

    fits = np.array([parabola(z, row, d) for row in v])
    amplitude, slip = parabola(z, v.mean(axis=0), d)
    slip_error = mean_error(fits[:, 1])[1]
    largest = amplitude * d**2 / 4 + slip
    length_error = mean_error(fits[:, 1] / (fits[:, 0] * d))[1]
    middle = density[(z > RANGE) & (z < d - RANGE)].mean()
    nu, nu_error = force / (2 * amplitude), mean_error(force / (2 * fits[:, 0]))[1]

    verdict = Verdict()
    verdict("particles that left the channel: none", not out.any())
    mean = number.mean(axis=0).sum() / (d * side**2)
    verdict(f"density in the middle {middle:.3f}, mean of the channel {mean:.3f}   the same to 2 %",
            abs(middle / mean - 1) < 0.02)
    verdict(f"temperature across the flow {T.mean():.4f}   within 3 % of 1", abs(T.mean() - 1) < 0.03)
    print(f"density: least {density.min():.2f}, highest {density.max():.2f}")
    print(f"kinematic viscosity {nu:.3f} +- {nu_error:.3f}, dynamic {middle * nu:.3f}")
    print(f"largest velocity {largest:.3f}, velocity of slip {slip:.3f} +- {slip_error:.3f}, "
          f"length of slip {slip / (amplitude * d):.3f} +- {length_error:.3f}")
    if args.no_slip:
        verdict("slip below 5 % of the largest velocity", abs(slip) < 0.05 * largest)

    fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    fine = np.linspace(0, d, 101)
    left.plot(z, v.mean(axis=0), "o", ms=4, label="simulation")
    left.plot(fine, amplitude * fine * (d - fine) + slip, label="parabola, fitted in the middle")
    left.set(title="velocity", xlabel="z", ylim=(0, None))
    left.legend(loc="lower center")
    right.step(z, density, where="mid")
    right.set(title="density", xlabel="z", ylim=(0, 1.1 * density.max()))
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    sys.exit(main())
