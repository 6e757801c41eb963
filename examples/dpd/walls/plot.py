#!/usr/bin/env python3
# Velocity and density between walls, and the slip, of what in.walls wrote.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Flow between walls of frozen particles.

Poiseuille flow: a parabola A z (d - z) + C is fitted where the forces of the walls do not reach, and extrapolated to
them. C is the slip velocity, C/(A d) the slip length: so far behind the wall the parabola would be zero.
Couette flow (the upper wall has the speed V): a line B z + C is fitted. The slip velocity, (V - B d)/2, is the mean
of both walls. The viscosity is the force per area on the upper wall over B. Errors come from four blocks.

Criteria: no particle has left the channel, the density between the ranges of the walls is the mean of the channel
to 2 %, and the temperature across the flow is within 3 % of 1. With --no-slip: the slip is below 5 % of the largest
velocity. The exit code is 0 if they hold and 1 if not."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, execute, mean_error, parser, read_blocks, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

RANGE = 1.0  # of the forces


def fitted(z, v, d, force, speed):
    """A, B and C of A z (d - z) + B z + C, from bins that are further from the walls than the range of the forces. A is
    0 without a force on the fluid, B without a wall that moves."""
    inner = (z > RANGE) & (z < d - RANGE)
    terms = np.array([force != 0, speed != 0, True])
    columns = np.column_stack((z * (d - z), z, np.ones_like(z)))[inner][:, terms]
    result = np.zeros(3)
    result[terms] = np.linalg.lstsq(columns, v[inner], rcond=None)[0]
    return result


def poiseuille(mean, blocks, d, force, density):
    """Prints viscosity and slip of a flow that a force drives; returns the slip velocity and the largest one."""
    A, _, slip = mean
    slip_error = mean_error(blocks[:, 2])[1]
    length_error = mean_error(blocks[:, 2] / (blocks[:, 0] * d))[1]
    nu, nu_error = force / (2 * A), mean_error(force / (2 * blocks[:, 0]))[1]
    largest = A * d**2 / 4 + slip
    print(f"kinematic viscosity {nu:.3f} +- {nu_error:.3f}, dynamic {density * nu:.3f}")
    print(f"largest velocity {largest:.3f}, slip velocity {slip:.3f} +- {slip_error:.3f}, "
          f"slip length {slip / (A * d):.3f} +- {length_error:.3f}")
    return slip, largest


def couette(mean, blocks, d, speed, stress):
    """The same of a flow that the upper wall drives, of which the stress of each block is known."""
    rate = mean[1]
    slip, slip_error = (speed - rate * d) / 2, mean_error((speed - blocks[:, 1] * d) / 2)[1]
    eta, eta_error = stress.mean() / rate, mean_error(stress / blocks[:, 1])[1]
    print(f"shear rate {rate:.4f}, dynamic viscosity {eta:.3f} +- {eta_error:.3f}")
    print(f"speed of the wall {speed:.3f}, slip velocity {slip:.3f} +- {slip_error:.3f}, "
          f"slip length {slip / rate:.3f}")
    return slip, speed


def joined(args, kind):
    """Columns of a table of all runs, without the steps."""
    return np.concatenate([read_table(args.out / f"{name}.{kind}.dat")[1:] for name in args.name], axis=1)


def main():
    p = parser(__doc__, ["walls"], nargs="+", help="first parts of the file names, one of each run (default: walls)")
    p.add_argument("--no-slip", action="store_true", help="there must be next to no slip")
    args = p.parse_args()
    # those of several runs, which differ in their seeds, are blocks of one
    blocks = np.concatenate([read_blocks(args.out / f"{name}.profile.dat")[1] for name in args.name])
    out, d, side, force, speed, T = joined(args, "state")
    d, side, force, speed = d[0], side[0], force[0], speed[0]
    if (force != 0) == (speed != 0):
        sys.exit("plot.py: either a force or the upper wall must drive the flow")
    z = blocks[0, :, 1]
    blocks = blocks[:, (z > 0) & (z < d)]
    z, number, v, density = blocks[0, :, 1], blocks[:, :, 2], blocks[:, :, 3], blocks[:, :, 4].mean(axis=0)

    blocks = np.array([fitted(z, row, d, force, speed) for row in v])
    fit = fitted(z, v.mean(axis=0), d, force, speed)
    A, B, C = fit
    middle = density[(z > RANGE) & (z < d - RANGE)].mean()

    verdict = Verdict()
    verdict("particles that left the channel: none", not out.any())
    mean = number.mean(axis=0).sum() / (d * side**2)
    verdict(f"density in the middle {middle:.3f}, mean of the channel {mean:.3f}   the same to 2 %",
            abs(middle / mean - 1) < 0.02)
    verdict(f"temperature across the flow {T.mean():.4f}   within 3 % of 1", abs(T.mean() - 1) < 0.03)
    print(f"density: least {density.min():.2f}, highest {density.max():.2f}")
    if speed:
        drag, = joined(args, "drag")
        slip, largest = couette(fit, blocks, d, speed, -drag / side**2)
    else:
        slip, largest = poiseuille(fit, blocks, d, force, middle)
    if args.no_slip:
        verdict("slip below 5 % of the largest velocity", abs(slip) < 0.05 * largest)

    fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    fine = np.linspace(0, d, 101)
    left.plot(z, v.mean(axis=0), "o", ms=4, label="simulation")
    left.plot(fine, A * fine * (d - fine) + B * fine + C,
              label="line, fitted in the middle" if speed else "parabola, fitted in the middle")
    left.set(title="flow between walls", xlabel="z", ylabel="velocity", ylim=(0, None))
    left.legend(loc="lower center")
    right.step(z, density, where="mid")
    right.set(title="fluid", xlabel="z", ylabel="density", ylim=(0, 1.1 * density.max()))
    return verdict.end(fig, args.out / f"{args.name[0]}.png")


if __name__ == "__main__":
    execute(main)
