# What the plot scripts of the examples share: their arguments, what LAMMPS wrote, their criteria.
# SPDX-License-Identifier: GPL-2.0-or-later
import argparse
import contextlib
import itertools
import math
import pathlib
import sys
import warnings

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


def number(kind, low, above=False):
    """Type of an option: a number of this kind from low on, or above it."""
    def read(word):
        with contextlib.suppress(ValueError, OverflowError):
            value = kind(word)
            if low < value < math.inf or (value == low and not above):
                return value
        name = "an integer" if kind is int else "a number"
        raise argparse.ArgumentTypeError(f"{word}; allowed: {name} " + (f"above {low}" if above else f"from {low} on"))
    return read


def stop(text):
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {text}")


def execute(main):
    """Ends the script with the exit code of main. Means of nothing, errors and slopes of one value, and columns that are not
    there are no results: of them it says a sentence."""
    warnings.simplefilter("error", RuntimeWarning)  # what NumPy says where it makes a nan
    try:
        sys.exit(main())
    except OSError as wrong:
        stop(f"{wrong.filename}: {wrong.strerror}" if wrong.filename else wrong)
    except (ArithmeticError, LookupError, TypeError, ValueError, RuntimeWarning) as wrong:
        stop(f"the run is too short, or its files are not those of this input ({wrong})")


@contextlib.contextmanager
def reading(path):
    """What is wrong with a file ends the script."""
    try:
        yield
    except OSError as wrong:
        stop(f"{path}: {wrong.strerror}")
    except (LookupError, ValueError) as wrong:
        stop(f"{path} is empty, not complete, or not what the run writes: {wrong}")


def files_like(folder, pattern):
    """Files with such names; without any the script ends."""
    return list(folder.glob(pattern)) or stop(f"{folder / pattern}: no such file")


def rows_of(path):
    """Words of the lines that are no comments."""
    with reading(path):
        rows = [line.split() for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
        if not rows:
            raise ValueError("it has no rows")
        return rows


def finite(rows):
    """As an array of numbers."""
    if len(set(map(len, rows))) != 1:
        raise ValueError("its rows are not equally long")
    values = np.array(rows, dtype=float)
    if not np.isfinite(values).all():
        raise ValueError("it has numbers that are not finite")
    return values


def read_table(path):
    """Columns of a file of fix ave/time or fix print, as arrays."""
    rows = rows_of(path)
    with reading(path):
        return finite(rows).T


def read_blocks(path):
    """Steps, and array [block][row][column], of a file of fix ave/chunk, or of fix ave/time in mode vector."""
    rows = rows_of(path)
    with reading(path):
        n = int(rows[0][1])
        if len(rows) % (n + 1):
            raise ValueError(f"its blocks do not all have {n} rows")
        heads, body = rows[::n + 1], [row for k, row in enumerate(rows) if k % (n + 1)]
        return np.array([int(head[0]) for head in heads]), finite(body).reshape(len(heads), n, -1)


def read_dump(path):
    """Yields time, edges of the box, and {column: array} of each frame of a text dump (dump_modify time yes)."""
    header, frames = {}, 0
    with reading(path), path.open() as file:
        for line in file:
            item = line.split()
            if item[1] in ("TIME", "TIMESTEP", "NUMBER"):
                header[item[1]] = float(file.readline())
            elif item[1] == "BOX":
                low, high = np.loadtxt(itertools.islice(file, 3)).T
            elif item[1] == "ATOMS":
                lines = list(itertools.islice(file, int(header["NUMBER"])))
                if len(lines) < header["NUMBER"]:
                    raise ValueError("its last frame has fewer rows than atoms")
                frames += 1
                yield header["TIME"], high - low, dict(zip(item[2:], np.loadtxt(lines, ndmin=2).T))
        if not frames:
            raise ValueError("it has no frames")


def mean_error(values):
    """Mean and standard error of independent values, or of each column of independent rows."""
    return np.mean(values, axis=0), np.std(values, axis=0, ddof=1) / math.sqrt(len(values))


def block_error(values, blocks=8):
    """Mean and standard error of correlated values: those of the means of some blocks."""
    return mean_error([block.mean() for block in np.array_split(np.asarray(values), blocks)])


def with_error(mean, error, digits):
    """In words; an error that is not a number is one of too few values."""
    more = f" +- {error:.{digits}f}" if math.isfinite(error) else " (run too short for an error)"
    return f"{mean:.{digits}f}{more}"


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
