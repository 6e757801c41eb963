#!/usr/bin/env python3
# Force against extension of what in.pull wrote.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Force-extension curve of one ubiquitin pulled at constant speed.

Forces are running means over the time in which the cantilever moves by 0.2 nm. Criteria:

  one peak     the protein unfolds at 150 to 350 pN; the force falls below 3/4 of that, and does not come back
               to 9/10 of it before the extension is 22 nm, where the chain begins to be stretched
  temperature  of the noise, within 4 standard errors of 300 K

The exit code is 0 if all hold and 1 if not."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from curves import UNFOLDED, Curves, Verdict, arguments, execute, force_and_contacts  # noqa: E402

STRETCHED = 22.0  # nm


def main():
    args = arguments(__doc__, "pull")

    curves = Curves(args.out, args.name)
    force, extension = curves.running(curves.force)[0], curves.running(curves.extension)[0]
    intact = curves.running(curves.intact)[0]
    peak = curves.unfolding()[0]
    if np.isnan(peak) or extension.max() < STRETCHED:
        sys.exit(f"plot.py: the extension of {extension.max():.1f} nm is too short: the protein has not unfolded")
    top = int(np.argmax(force == peak))
    after = force[top:np.flatnonzero(extension > STRETCHED)[0]]
    low = int(np.argmin(after))
    print(f"cantilever of {curves.spring:g} pN/nm at {curves.speed:g} um/s: "
          f"loading rate {1e3 * curves.spring * curves.speed:.3g} pN/s, {curves.time[-1]:.2f} us")
    print(f"peak {peak:.1f} pN at {extension[top]:.2f} nm after {curves.time[top]:.3f} us, "
          f"where {100 * intact[top]:.0f} % of the native contacts are left")
    print(f"lowest force after it {after[low]:.1f} pN at {extension[top + low]:.2f} nm; "
          f"largest after that, up to {STRETCHED:g} nm, {after[low:].max():.1f} pN")
    verdict = Verdict()
    verdict("peak from 150 to 350 pN", 150 < peak < 350)
    verdict("force falls below 3/4 of the peak", after[low] < 0.75 * peak)
    verdict(f"no second peak of 9/10 of it up to {STRETCHED:g} nm", after[low:].max() < 0.9 * peak)
    verdict.temperature(curves.T)

    fig, main_axis, contacts = force_and_contacts("extension (nm)")
    main_axis.plot(curves.extension[0], curves.force[0], color="C0", alpha=0.25, lw=0.5,
                   label=f"every {1e3 * (curves.time[1] - curves.time[0]):g} ns")
    main_axis.plot(extension, force, color="C0", lw=1.5, label="running mean")
    main_axis.plot(extension[top], peak, "o", color="C3", label=f"unfolding: {peak:.0f} pN")
    for axis in (main_axis, contacts):
        axis.axvline(UNFOLDED, color="k", lw=0.8, ls=":", label=f"{UNFOLDED:g} nm: unfolded beyond")
    main_axis.set(ylabel="force (pN)", ylim=(0, None),
                  title=f"Ubiquitin pulled at {curves.speed:g} µm/s, cantilever {curves.spring:g} pN/nm")
    main_axis.legend(loc="upper center")
    contacts.plot(extension, intact, color="C2")
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
