#!/usr/bin/env python3
# The force on the tip against how far it has come, of what in.indent wrote.
# SPDX-License-Identifier: GPL-2.0-or-later
"""A cage of 12 ubiquitins under the tip of an atomic force microscope.

Forces and ways are running means over the time in which the cantilever moves by 0.2 nm. The stiffness of the cage is the
slope of a straight line through the force, from 100 to 250 pN. Criteria:

  force        it reaches 250 pN
  stiffness    from 0.05 to 1 N/m
  elastic      three quarters of the contacts are left at the end
  temperature  of the noise, within 4 standard errors of 300 K

The exit code is 0 if all hold and 1 if not."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from curves import (WINDOW, Verdict, arguments, execute, force_and_contacts, read_numbers, read_table,  # noqa: E402
                    running_mean)

LOW, HIGH = 100.0, 250.0  # pN


def main():
    args = arguments(__doc__, "indent")
    speed, spring, radius = read_numbers(args.out / f"{args.name}.run.dat")
    _, time, force, way, intact, T = read_table(args.out / f"{args.name}.dat")[:, 1:]
    samples = max(1, round(WINDOW / (1e-3 * speed * (time[1] - time[0]))))
    mean_force, mean_way = running_mean(force, samples), running_mean(way, samples)
    print(f"cantilever of {spring:g} pN/nm at {speed:g} um/s, tip of {0.1 * radius:g} nm: {time[-1]:.3f} us, "
          f"tip {way[-1]:.2f} nm further")
    verdict = Verdict()
    verdict(f"largest force {mean_force.max():.0f} pN   above {HIGH:g}", mean_force.max() > HIGH)
    stiffness = start = np.nan
    if mean_force.max() > HIGH:
        rises = slice(int(np.argmax(mean_force > LOW)), int(np.argmax(mean_force > HIGH)))
        stiffness, offset = np.polyfit(mean_way[rises], mean_force[rises], 1)
        start = -offset / stiffness
    verdict(f"stiffness {1e-3 * stiffness:.3f} N/m from {LOW:g} to {HIGH:g} pN   0.05 to 1", 50 < stiffness < 1000)
    verdict(f"native contacts {intact[-samples:].mean():.3f} at the end   above 3/4", intact[-samples:].mean() > 0.75)
    verdict.temperature(T)

    fig, main_axis, contacts = force_and_contacts("displacement of the tip (nm)")
    main_axis.plot(way, force, color="C0", alpha=0.25, lw=0.5, label=f"every {1e3 * (time[1] - time[0]):g} ns")
    main_axis.plot(mean_way, mean_force, color="C0", lw=1.5, label="running mean")
    line = np.array([LOW, HIGH])
    main_axis.plot(start + line / stiffness, line, color="C3", lw=2, label=f"{1e-3 * stiffness:.2f} N/m")
    main_axis.set(ylabel="force on the tip (pN)",
                  title=f"A cage of 12 ubiquitins, tip of {0.1 * radius:g} nm at {speed:g} µm/s")
    main_axis.legend()
    contacts.plot(mean_way, running_mean(intact, samples), color="C2")
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
