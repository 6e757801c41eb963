# What the plot scripts of these examples share: their arguments, what inputs wrote in pN, nm and us, their criteria.
# SPDX-License-Identifier: GPL-2.0-or-later
import math
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import plots  # noqa: E402: first, as it chooses how to draw
import matplotlib.pyplot as plt  # noqa: E402
from plots import arguments, execute, mean_error, read_table, reading, rows_of  # noqa: E402, F401: for the plot scripts

PN = 69.4770      # pN, of one kcal/mol/Angstrom
KT = 4.142        # pN nm, at 300 K
UNFOLDED = 8.0    # nm: a longer ubiquitin is not folded; 3.7 is the length in the crystal, 28.5 that of the chain
WINDOW = 0.2      # nm that the cantilever moves while a running mean of the force is taken


def read_numbers(path):
    """What an input says of its run."""
    rows = rows_of(path)
    with reading(path):
        return [float(word) for row in rows for word in row]


def running_mean(row, samples):
    return np.convolve(row, np.ones(samples) / samples, "valid")


class Curves:
    """Force (pN), extension (nm) and share of native contacts: [copy][sample]; the time of each sample (us)."""

    def __init__(self, out, name, speed=True):
        numbers = read_numbers(out / f"{name}.run.dat")
        if speed:
            self.speed, self.spring = numbers[:2]
        else:
            self.clamp = numbers[0]
        step, copy, force, extension, intact = read_table(out / f"{name}.dat")
        self.copies = len(np.unique(copy))
        self.time = step[::self.copies] * numbers[-1] * 1e-9
        self.force = PN * self.by_copy(force)
        self.extension = 0.1 * self.by_copy(extension)
        self.intact = self.by_copy(intact)
        self.T = read_table(out / f"{name}.T.dat")[1]

    def by_copy(self, column):
        return column.reshape(-1, self.copies).T

    def running(self, rows, window=WINDOW):
        """Running means over the time in which the cantilever moves by so many nm."""
        samples = max(1, round(window / (1e-3 * self.speed * (self.time[1] - self.time[0]))))
        return np.array([running_mean(row, samples) for row in rows])

    def unfolding(self, window=WINDOW, unfolded=UNFOLDED):
        """The force at which each copy unfolds: the largest running mean before it is so long. NaN: it does not."""
        force, extension = self.running(self.force, window), self.running(self.extension, window)
        peak = np.full(self.copies, math.nan)
        for k in range(self.copies):
            late = np.flatnonzero(extension[k] > unfolded)
            if len(late):
                peak[k] = force[k, :late[0] + 1].max()
        return peak


def force_and_contacts(against):
    """A figure with a force above and the share of native contacts below, and the axes of both; against: label of x."""
    fig, (force, contacts) = plt.subplots(2, 1, figsize=(8, 7), sharex=True, height_ratios=(3, 1), layout="constrained")
    contacts.set(xlabel=against, ylabel="native contacts", ylim=(0, 1))
    return fig, force, contacts


class Verdict(plots.Verdict):
    """That of all examples, and of a protein's temperature."""

    def temperature(self, values, wanted=300.0):
        """Each value is of other random numbers than all others, so they are independent."""
        mean, error = mean_error(values)
        self(f"temperature {mean:.2f} +- {error:.2f} K   within 4 standard errors of {wanted:g}",
             abs(mean - wanted) < 4 * error)
