#!/usr/bin/env python3
# The saw-tooth of force against extension of what in.tandem wrote.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Force-extension curve of several domains in a row.

Forces are running means over the time in which the cantilever moves by 0.2 nm. A domain counts as unfolded when the native
contacts have fallen by half of its share. Its peak is the largest force since the domain before it. Criteria:

  one by one   after each peak the force falls by more than 20 pN before the next one
  spacing      from peak to peak the chain becomes longer by 18 to 28 nm: a domain has 75 bonds of 0.38 nm, of which some 4 nm
               are the length of the folded one, and the chain is not quite stretched
  temperature  of the noise, within 4 standard errors of 300 K

The exit code is 0 if all hold and 1 if not."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from curves import Curves, Verdict, arguments, execute, force_and_contacts  # noqa: E402

DOMAINS = 3
AT_REST = 2.0     # nm that the cantilever has moved, up to which all domains are folded
FALL = 20.0       # pN
SPACING = 18.0, 28.0    # nm


def unfoldings(intact, folded):
    """Samples in which the native contacts have fallen by half of a domain's share, for each domain."""
    return [int(np.flatnonzero(intact < folded * (1 - (k + 0.5) / DOMAINS))[0]) for k in range(DOMAINS)]


def main():
    args = arguments(__doc__, "tandem")
    curves = Curves(args.out, args.name)
    force, extension = curves.running(curves.force)[0], curves.running(curves.extension)[0]
    intact = curves.running(curves.intact)[0]
    moved = 1e-3 * curves.speed * curves.time[:len(force)]    # nm
    folded = intact[moved < AT_REST].mean()
    if intact.min() > folded * 0.5 / DOMAINS:
        sys.exit(f"plot.py: at {extension.max():.1f} nm not all of the {DOMAINS} domains have unfolded")
    events = unfoldings(intact, folded)
    begins = [0] + events[:-1]
    peaks = [begin + int(np.argmax(force[begin:event + 1])) for begin, event in zip(begins, events)]
    ends = peaks[1:] + [events[-1] + int(np.argmax(extension[events[-1]:] > extension[peaks[-1]] + SPACING[0]))]
    falls = [force[peak] - force[peak:end + 1].min() for peak, end in zip(peaks, ends)]
    spacing = np.diff(extension[peaks])

    print(f"cantilever of {curves.spring:g} pN/nm at {curves.speed:g} um/s, {curves.time[-1]:.2f} us")
    for k, (peak, fall) in enumerate(zip(peaks, falls), 1):
        print(f"domain {k}: {force[peak]:.0f} pN at {extension[peak]:.1f} nm, after which the force falls by {fall:.0f} pN")
    verdict = Verdict()
    verdict(f"after each peak the force falls by {min(falls):.0f} pN or more   above {FALL:g}", min(falls) > FALL)
    verdict(f"from peak to peak {', '.join(f'{s:.1f}' for s in spacing)} nm   from {SPACING[0]:g} to {SPACING[1]:g}",
            bool(np.all((spacing > SPACING[0]) & (spacing < SPACING[1]))))
    verdict.temperature(curves.T)

    fig, axis, contacts = force_and_contacts("extension (nm)")
    axis.plot(extension, force, color="C0", lw=1.2, label="running mean")
    axis.plot(extension[peaks], force[peaks], "o", color="C3", label="a domain unfolds")
    axis.set(ylabel="force (pN)", ylim=(0, 1.3 * force[peaks].max()),
             title=f"Three ubiquitins pulled at {curves.speed:g} µm/s, cantilever {curves.spring:g} pN/nm")
    axis.legend(loc="upper left")
    contacts.plot(extension, intact, color="C2")
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
