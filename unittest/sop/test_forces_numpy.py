"""Forces and energies of SOP molecules against eq. 1 of Zhmurov et al., Proteins 78, 2984 (2010), in NumPy, which reads the
topology by itself, too.

Environment: DS_SOP_FORCES, the program that prints what the engine computes; DS_SOP_FILE, its topology; DS_TEST_BACKEND,
host (the default) or cuda.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os

import pytest

from checks import of_build, output_of, require

np = pytest.importorskip("numpy")

# what single arithmetic may leave of a pair's terms before they cancel: some ten operations of 2^-24
ROUNDING = 2.0**-20


def read_topology(file):
    """Parameters, and bonds and contacts as arrays of i, j (from 0) and values."""
    parameters, rows, section = {}, {"Bonds": [], "Contacts": []}, None
    for line in open(file, encoding="utf-8"):
        words = line.split("#")[0].split()
        if len(words) == 1:
            section = words[0]
        elif words and section == "Parameters":
            parameters[words[0]] = float(words[1])
        elif words and section in rows:
            rows[section].append([int(words[0]) - 1, int(words[1]) - 1, float(words[2])])
        elif len(words) == 2:
            parameters[words[1]] = int(words[0])
    return parameters, np.array(rows["Bonds"]), np.array(rows["Contacts"])


def engine_output():
    printed = output_of([of_build("DS_SOP_FORCES"), os.environ.get("DS_TEST_BACKEND", "host")])
    return [[float(word) for word in line.split()] for line in printed.decode().splitlines()]


class Molecules:
    """Sums pairs, each given by i, j, energy, -dE/dr and what that is made of before it cancels."""

    def __init__(self, x, unit):
        self.x, self.unit = x, unit
        self.f = np.zeros_like(x)
        self.slack = np.zeros(len(x))

    def distance(self, i, j):
        return np.linalg.norm(self.x[i] - self.x[j], axis=1)

    def add(self, i, j, force, size):
        d = self.x[i] - self.x[j]
        along = force[:, None] * d / np.linalg.norm(d, axis=1)[:, None]
        for bead, sign in ((i, 1.0), (j, -1.0)):
            np.add.at(self.f, bead, sign * along)
            np.add.at(self.slack, bead, 0.5 * self.unit + ROUNDING * size)

    def bonds(self, i, j, r0, k, R0):
        x = self.distance(i, j) - r0
        room = 1.0 - (x / R0) ** 2
        self.add(i, j, -k * x / room, k * (x + 2.0 * r0) / room**2)
        return np.sum(-0.5 * k * R0**2 * np.log(room))

    def contacts(self, i, j, r0, eps):
        r = self.distance(i, j)
        q = (r0 / r) ** 6
        self.add(i, j, 12.0 * eps * (q**2 - q) / r, 12.0 * eps * (q**2 + q) / r)
        return np.sum(eps * (q**2 - 2.0 * q)), np.count_nonzero(r <= 1.2 * r0)

    def repulsion(self, i, j, eps, sigma):
        r = self.distance(i, j)
        v = eps * (sigma / r) ** 6
        self.add(i, j, 6.0 * v / r, 6.0 * v / r)
        return np.sum(v)


def pairs_of_all(rows, molecules, beads):
    """i and j of the rows in each molecule, and the other columns."""
    shift = np.repeat(np.arange(molecules) * beads, len(rows))
    all_rows = np.tile(rows, (molecules, 1))
    return all_rows[:, 0].astype(int) + shift, all_rows[:, 1].astype(int) + shift, all_rows[:, 2]


def compare(head, rows, topology):
    p, bonds, contacts = topology
    n, molecules, inter, cutoff, unit = p["beads"], int(head[0]), int(head[1]), head[2], head[3]
    m = Molecules(rows[:, :3], unit)
    angles = np.array([[i, i + 2, 0.0] for i in range(n - 2)])
    i, j, r0 = pairs_of_all(bonds, molecules, n)
    e_bonds = m.bonds(i, j, r0, p["k"], p["R0"])
    known = {*zip(i, j)}
    i, j, r0 = pairs_of_all(contacts, molecules, n)
    e_native, intact = m.contacts(i, j, r0, p["eps_n"])
    known |= {*zip(i, j)}
    i, j, _ = pairs_of_all(angles, molecules, n)
    e_angles = m.repulsion(i, j, p.get("eps_a", p["eps_r"]), p.get("sigma_a", p["sigma"]))
    known |= {*zip(i, j)}
    i, j = np.triu_indices(molecules * n, 1)
    near = (m.distance(i, j) < cutoff) & ((inter == 1) | (i // n == j // n))
    i, j = i[near], j[near]
    other = np.array([pair not in known for pair in zip(i, j)])
    e_other = m.repulsion(i[other], j[other], p["eps_r"], p["sigma"])
    error = np.max(np.abs(m.f - rows[:, 3:]) / m.slack[:, None])
    energy = np.max(np.abs(np.array([e_bonds, e_native, e_angles, e_other]) - head[4:8]))
    print(f"{molecules} molecules, inter {inter}, cutoff {cutoff:g}: forces off by {error:.3f} bounds, energies by {energy:.2g} "
          f"kcal/mol, {intact} and {int(head[8])} contacts intact")
    require(error <= 1.0, f"forces off by {error:.3f} bounds")
    require(energy <= 1e-8 * len(rows), f"energies off by {energy:.2g} kcal/mol")
    require(intact == int(head[8]), f"{intact} contacts are intact, not {int(head[8])}")
    require(not np.any(np.sum(rows[:, 3:], axis=0)), "the sum of forces is not zero")


def test_forces_and_energies():
    topology = read_topology(os.environ["DS_SOP_FILE"])
    lines, settings = engine_output(), 0
    while lines:
        count = int(lines[0][0]) * topology[0]["beads"]
        compare(lines[0], np.array(lines[1:1 + count]), topology)
        lines, settings = lines[1 + count:], settings + 1
    require(settings, "nothing was printed")
