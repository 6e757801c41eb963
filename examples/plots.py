# What the plot scripts of the examples share: their arguments, what LAMMPS wrote, their criteria.
# SPDX-License-Identifier: GPL-2.0-or-later
import argparse
import itertools
import math
import pathlib

import matplotlib
matplotlib.use("Agg")
import numpy as np


def parser(description, name, **more):
    """Where the files of an input are, and what their names begin with: .out, .name. more: of argparse, for name."""
    p = argparse.ArgumentParser(description=description.splitlines()[0])
    more.setdefault("help", "first part of the file names (default: %(default)s)")
    p.add_argument("--name", default=name, **more)
    p.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."), help="folder of the files")
    return p


def arguments(description, name, **more):
    return parser(description, name, **more).parse_args()


def read_table(path):
    """Columns of a file of fix ave/time or fix print, as arrays."""
    return np.loadtxt(path, ndmin=2).T


def read_blocks(path):
    """Steps, and array [block][row][column], of a file of fix ave/chunk, or of fix ave/time in mode vector."""
    rows = [line.split() for line in path.read_text().splitlines() if not line.startswith("#")]
    n = int(rows[0][1])
    blocks = [rows[i + 1:i + 1 + n] for i in range(0, len(rows), n + 1)]
    return np.array([int(row[0]) for row in rows[::n + 1]]), np.array(blocks, dtype=float)


def read_dump(path):
    """Yields time, edges of the box, and {column: array} of each frame of a text dump (dump_modify time yes)."""
    header = {}
    with path.open() as file:
        for line in file:
            item = line.split()
            if item[1] in ("TIME", "TIMESTEP", "NUMBER"):
                header[item[1]] = float(file.readline())
            elif item[1] == "BOX":
                low, high = np.loadtxt(itertools.islice(file, 3)).T
            elif item[1] == "ATOMS":
                rows = np.loadtxt(itertools.islice(file, int(header["NUMBER"])), ndmin=2)
                yield header["TIME"], high - low, dict(zip(item[2:], rows.T))


def mean_error(values):
    """Mean and standard error of independent values, or of each column of independent rows."""
    return np.mean(values, axis=0), np.std(values, axis=0, ddof=1) / math.sqrt(len(values))


def block_error(values, blocks=8):
    """Mean and standard error of correlated values: those of the means of some blocks."""
    return mean_error([block.mean() for block in np.array_split(np.asarray(values), blocks)])


class Verdict:
    """Prints criteria; `good` tells whether all hold."""

    def __init__(self):
        self.good = True

    def __call__(self, text, holds):
        self.good = self.good and bool(holds)
        print(f"{text}: {'ok' if holds else 'FAILED'}")

    def end(self, figure, picture):
        """Saves the figure; returns the exit code."""
        for axis in figure.axes:
            if not axis.images:
                axis.grid(alpha=0.3)
        figure.savefig(picture, dpi=100)
        print(f"plot: {picture}")
        print("all criteria hold" if self.good else "A CRITERION FAILED")
        return 0 if self.good else 1
