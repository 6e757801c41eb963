#!/usr/bin/env python3
# Temperature against the ramp of the thermostat, and the end-to-end distance, of what in.kremer_grest wrote.
# SPDX-License-Identifier: GPL-2.0-or-later
"""A Kremer-Grest melt with dpd/tstat/exact/gpu as its thermostat.

Criteria: bonds are 0.96 to 0.98 long in the mean. With --relaxed (for runs in which chains had time): the
temperature differs from that of the thermostat by less than 2 % in the mean over the second half of the time before
the ramp and over the ramp. The exit code is 0 if that holds and 1 if not."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import Verdict, block_error, execute, parser, read_table  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402


def main():
    p = parser(__doc__, "kremer_grest")
    p.add_argument("--relaxed", action="store_true", help="the temperature must be that of the thermostat")
    args = p.parse_args()
    t, wanted, T, P, R2, bond = read_table(args.out / f"{args.name}.state.dat")[1:]

    ramp = wanted != wanted[0]
    steady = ~ramp & (t > t[~ramp][-1] / 2)
    verdict = Verdict()
    verdict(f"bonds {bond.mean():.4f} long   0.96 to 0.98", 0.96 < bond.mean() < 0.98)
    for name, part in (("before the ramp", steady), ("in the ramp", ramp)):
        ratio, error = block_error(T[part] / wanted[part], min(8, part.sum() // 2))
        text = f"temperature over that of the thermostat, {name}: {ratio:.4f} +- {error:.4f}"
        if args.relaxed:
            verdict(f"{text}   within 2 %", abs(ratio - 1) < 0.02)
        else:
            print(text)
    mean, error = block_error(R2[steady], min(8, steady.sum() // 2))
    print(f"mean square of the end-to-end distance before the ramp: {mean:.1f} +- {error:.1f}")
    mean, error = block_error(P[steady], min(8, steady.sum() // 2))
    print(f"pressure before the ramp: {mean:.3f} +- {error:.3f}")

    fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    left.plot(t, T, lw=0.7, label="melt")
    left.plot(t, wanted, color="k", label="thermostat")
    left.set(title="temperature", xlabel="t", ylabel="kT", ylim=(0, None))
    left.legend(loc="lower right")
    right.plot(t, R2)
    right.set(title="chains of 10 beads", xlabel="t", ylabel="mean square of the end-to-end distance", ylim=(0, None))
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
