#!/usr/bin/env python3
# Fluctuation of each residue in what in.equilibrium wrote, beside that of the crystal.
# SPDX-License-Identifier: GPL-2.0-or-later
"""RMSF per residue of ubiquitin at 300 K.

Each frame is laid on the mean structure (least squares over residues 1 to 72, repeated until the mean stays the
same). Errors are standard errors from 5 parts of the run. Beside it, what the B factors of the crystal structure
tell: RMSF = sqrt(3 B / (8 pi^2)). Criteria:

  temperature  of the noise, within 4 standard errors of 300 K
  folded       more than 2/3 of the native contacts, and a mean structure within 3 Angstrom of the crystal's
  RMSF         of the C-terminal tail, residues 73 to 76, at least twice that of residues 1 to 72
  B factors    correlation with the RMSF above 0.5

The exit code is 0 if all hold and 1 if not."""

import math
import pathlib
import sys

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from curves import Verdict, arguments, execute, mean_error, read_table, reading  # noqa: E402

CORE = slice(0, 72)
PARTS = 5


def read_frames(path):
    """Positions [frame][bead][axis] of a dump."""
    with reading(path):
        lines = path.read_text().splitlines()
        beads = int(lines[3])
        rows = [line.split()[1:] for start in range(9, len(lines), beads + 9) for line in lines[start:start + beads]]
        return np.array(rows, dtype=float).reshape(-1, beads, 3)


def read_crystal(path):
    """Positions and B factors of the CA atoms of a PDB file."""
    rows = [line for line in path.read_text().splitlines() if line.startswith("ATOM") and line[12:16] == " CA "]
    return (np.array([[float(line[k:k + 8]) for k in (30, 38, 46)] for line in rows]),
            np.array([float(line[60:66]) for line in rows]))


def lay_on(frames, target):
    """Frames moved and turned so that residues CORE are as close to those of the target as can be (Kabsch)."""
    frames = frames - frames[:, CORE].mean(axis=1, keepdims=True)
    target = target - target[CORE].mean(axis=0)
    u, _, vt = np.linalg.svd(np.einsum("fbi,bj->fij", frames[:, CORE], target[CORE]))
    u[:, :, 2] *= np.sign(np.linalg.det(u @ vt))[:, None]
    return frames @ (u @ vt)


def lay_on_mean(frames):
    mean = frames[0]
    for _ in range(10):
        frames = lay_on(frames, mean)
        mean = frames.mean(axis=0)
    return frames


def rmsf(frames):
    return np.sqrt(((frames - frames.mean(axis=0))**2).sum(axis=2).mean(axis=0))


def main():
    args = arguments(__doc__, "equilibrium")

    T, intact, bonds, contacts = read_table(args.out / f"{args.name}.dat")[1:]
    frames = lay_on_mean(read_frames(args.out / f"{args.name}.dump.dat"))
    crystal, b_factor = read_crystal(HERE / "1ubq.pdb")
    if len(frames) < 10 * PARTS:
        sys.exit(f"plot.py: {len(frames)} frames are too few")

    value = rmsf(frames)
    error = np.array([rmsf(part) for part in np.array_split(frames, PARTS)]).std(axis=0, ddof=1) / math.sqrt(PARTS)
    off = lay_on(frames.mean(axis=0)[None], crystal)[0] - (crystal - crystal[CORE].mean(axis=0))
    rmsd = math.sqrt((off[CORE]**2).sum(axis=1).mean())
    measured = np.sqrt(3 * b_factor / (8 * math.pi**2))
    correlation, core_correlation = (np.corrcoef(value[k], measured[k])[0, 1] for k in (slice(None), CORE))

    parts = [[part.mean() for part in np.array_split(energy, PARTS)] for energy in (bonds, contacts)]
    print("{} frames; energy of bonds {:.2f} +- {:.2f}, of contacts {:.1f} +- {:.1f} kcal/mol".format(
        len(frames), *mean_error(parts[0]), *mean_error(parts[1])))
    verdict = Verdict()
    verdict.temperature(T)
    share, share_error = mean_error([part.mean() for part in np.array_split(intact, PARTS)])
    verdict(f"native contacts {share:.3f} +- {share_error:.3f}   above 2/3", share > 2 / 3)
    verdict(f"mean structure {rmsd:.2f} Angstrom from the crystal's   below 3", rmsd < 3)
    core, tail = value[CORE].mean(), value[72:].mean()
    verdict(f"RMSF of residues 1 to 72 {core:.2f}, of 73 to 76 {tail:.2f} Angstrom   twice as much", tail > 2 * core)
    verdict(f"correlation with B factors {correlation:.2f} (residues 1 to 72: {core_correlation:.2f})   above 0.5",
            correlation > 0.5)

    number = np.arange(1, len(value) + 1)
    fig, axis = plt.subplots(figsize=(9, 5), layout="constrained")
    axis.fill_between(number, value - error, value + error, color="C0", alpha=0.3)
    axis.plot(number, value, color="C0", marker="o", ms=3, label="run, ± standard error")
    axis.plot(number, measured, color="C1", lw=1, label="B factors of the crystal")
    for first, last in ((1, 7), (10, 17), (40, 45), (48, 49), (66, 72)):
        axis.axvspan(first - 0.5, last + 0.5, color="C2", alpha=0.1, lw=0, label="strands" if first == 1 else None)
    for first, last in ((23, 34), (56, 59)):
        axis.axvspan(first - 0.5, last + 0.5, color="C3", alpha=0.1, lw=0, label="helices" if first == 23 else None)
    axis.set(xlabel="residue", ylabel="RMSF (Å)", xlim=(0.5, 76.5), ylim=(0, None),
             title="Fluctuation of ubiquitin's residues at 300 K")
    axis.legend()
    return verdict.end(fig, args.out / f"{args.name}.png")


if __name__ == "__main__":
    execute(main)
