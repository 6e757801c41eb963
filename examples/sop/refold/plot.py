#!/usr/bin/env python3
# Force and native contacts of what in.refold wrote, forth and back.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Copies of the WW domain that are pulled apart and led back.

The work on a copy is the sum of force times step of the cantilever. Over the whole cycle it is the area of the loop of force
against the cantilever's place: what has become heat. Criteria:

  unfolded     at the turn no copy has more than 30 % of its native contacts, as a mean over 0.4 us
  refolded     in the second half of the rest at the end, each copy has more than half of them; the difference to the rest before, over
               all copies, is within 4 standard errors of 0
  hysteresis   the mean work of the cycle is above 0 by more than 4 standard errors
  temperature  of the noise, within 4 standard errors of 300 K

The exit code is 0 if all hold and 1 if not."""

import pathlib
import sys

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from curves import KT, Curves, Verdict, arguments, execute, mean_error, read_numbers  # noqa: E402

TURN = 0.4        # us


def main():
    args = arguments(__doc__, "refold")

    curves = Curves(args.out, args.name)
    rest, way = map(int, read_numbers(args.out / f"{args.name}.run.dat")[2:4])
    forth, back = slice(rest, rest + way), slice(rest + way, rest + 2 * way)
    each = curves.time[1] - curves.time[0]
    step = 1e-3 * curves.speed * each    # of the cantilever, nm
    place = step * np.concatenate((np.zeros(rest), 1 + np.arange(way), way - 1.0 - np.arange(way), np.zeros(rest)))
    if len(place) != len(curves.time):
        sys.exit(f"plot.py: {len(curves.time)} samples, not {len(place)}: the run is not complete")
    before = curves.intact[:, rest // 2:rest].mean(axis=1)
    turn = curves.intact[:, rest + way - round(TURN / each):rest + way].mean(axis=1)
    after = curves.intact[:, -(rest // 2):].mean(axis=1)
    works = [sign * step * curves.force[:, part].sum(axis=1) for sign, part in ((1, forth), (-1, back))]
    work, error = mean_error(sum(works) / KT)

    print(f"{curves.copies} copies, cantilever of {curves.spring:g} pN/nm, {way * step:.2f} nm forth and back at {curves.speed:g} um/s")
    print(f"native contacts {100 * before.mean():.1f} % at rest, {100 * turn.mean():.1f} % at the turn, {100 * after.mean():.1f} % "
          "after the return")
    print("work of the cantilever, kT: {:.0f} +- {:.0f} forth, {:.0f} +- {:.0f} back".format(
        *(number for part in works for number in mean_error(part / KT))))
    verdict = Verdict()
    verdict(f"unfolded: at most {100 * turn.max():.0f} % at the turn   below 30", turn.max() < 0.3)
    verdict(f"refolded: at least {100 * after.min():.0f} % at the end   above 50", after.min() > 0.5)
    lost, lost_error = mean_error(100 * (before - after))
    verdict(f"difference of the two rests {lost:.1f} +- {lost_error:.1f} %   within 4 standard errors of 0", abs(lost) < 4 * lost_error)
    verdict(f"hysteresis: work of the cycle {work:.0f} +- {error:.0f} kT   above 0 by 4 standard errors", work > 4 * error)
    verdict.temperature(curves.T)

    fig, (loop, contacts) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    forces, places = curves.running(curves.force), curves.running(place[None])[0]
    for part, color, label in ((forth, "C0", "forth"), (back, "C1", "back")):
        loop.plot(places[part], forces[:, part].T, color=color, lw=0.5, alpha=0.35)
        loop.plot(places[part], forces[:, part].mean(axis=0), color=color, lw=2, label=label)
    loop.set(xlabel="place of the cantilever (nm)", ylabel="force (pN)", title=f"Work of the cycle {work:.0f} ± {error:.0f} kT")
    loop.legend()
    contacts.plot(curves.time, curves.intact.T, lw=0.5, alpha=0.5)
    contacts.plot(curves.time, curves.intact.mean(axis=0), color="k", lw=1.5, label="mean of all copies")
    for k in (rest, rest + way, rest + 2 * way):
        contacts.axvline(curves.time[k - 1], color="k", lw=0.6, ls=":")
    contacts.set(xlabel="time (µs)", ylabel="native contacts", ylim=(0, 1.02), title=f"{curves.copies} copies of the WW domain")
    contacts.legend()
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
