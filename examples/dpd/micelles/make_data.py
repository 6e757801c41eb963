#!/usr/bin/env python3
# Writes the data file that in.micelles reads: chains of heads and tails as random walks at random places.
# SPDX-License-Identifier: GPL-2.0-or-later
"""A LAMMPS data file of surfactants H-H-T-T, with their bonds."""

import argparse
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))
from plots import execute, number  # noqa: E402

HEAD, TAIL, WATER = 1, 2, 3


def walks(rng, chains, beads, edge, bond):
    """Positions [chain][bead][axis], not wrapped into the box."""
    steps = rng.normal(size=(chains, beads, 3))
    steps *= bond / np.linalg.norm(steps, axis=2, keepdims=True)
    steps[:, 0] = rng.uniform(0, edge, (chains, 3))
    return np.cumsum(steps, axis=1)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--chains", type=number(int, 1), default=90, help="(default: %(default)s)")
    p.add_argument("--heads", type=number(int, 1), default=2, help="head beads of a chain (default: %(default)s)")
    p.add_argument("--tails", type=number(int, 1), default=2, help="tail beads of a chain (default: %(default)s)")
    p.add_argument("--edge", type=number(float, 0, above=True), default=11.0, help="of the box (default: %(default)s)")
    p.add_argument("--bond", type=number(float, 0, above=True), default=0.7, help="length of a bond (default: %(default)s)")
    p.add_argument("--seed", type=number(int, 0), default=2026)
    p.add_argument("--out", type=pathlib.Path, default=pathlib.Path("micelles.data"))
    args = p.parse_args()

    beads = args.heads + args.tails
    x = walks(np.random.default_rng(args.seed), args.chains, beads, args.edge, args.bond)
    image, inside = np.divmod(x, args.edge)
    lines = [f"Surfactants of {args.heads} heads and {args.tails} tails, by make_data.py", "",
             f"{args.chains * beads} atoms", f"{args.chains * (beads - 1)} bonds", "3 atom types", "1 bond types", ""]
    lines += [f"0 {args.edge:g} {axis}lo {axis}hi" for axis in "xyz"]
    lines += ["", "Atoms  # bond", ""]
    for i in range(args.chains):
        for k in range(beads):
            place = " ".join(f"{value:.4f}" for value in inside[i, k])
            lines.append(f"{i * beads + k + 1} {i + 1} {HEAD if k < args.heads else TAIL} {place} "
                         + " ".join(f"{value:.0f}" for value in image[i, k]))
    lines += ["", "Bonds", ""]
    lines += [f"{i * (beads - 1) + k + 1} 1 {i * beads + k + 1} {i * beads + k + 2}"
              for i in range(args.chains) for k in range(beads - 1)]
    args.out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    execute(main)
