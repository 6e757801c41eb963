"""Molecules of the self-organized-polymer model for the tests of fix langevin/sop/gpu: their files, and eq. 1 of
Zhmurov et al., Proteins 78, 2984 (2010), written apart from the package, with numpy.

Units are those of LAMMPS's "real": angstrom, kcal/mol, fs.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import numpy as np

from lammps_run import BACKEND

# The paper's friction in water, 7.0e5 pN ps/nm; 1 kcal/mol/angstrom is 69.4786 pN.
ZETA = 7.0e7 / 69.4786
BOLTZ = 0.0019872067    # kcal/mol/K, as LAMMPS has it

# Every parameter differs from the others, so that none can be taken for another.
PARAMETERS = {"k": 20.0, "R0": 2.0, "eps_n": 1.5, "eps_r": 1.0, "sigma": 3.8, "eps_a": 0.8, "sigma_a": 4.2}

INPUT = """
units {units}
atom_style molecular
boundary {boundary}
comm_modify cutoff 5.0
read_data {data}
{pair}
timestep {dt!r}
{before}
fix move {group} langevin/sop/gpu {T} {T} {zeta!r} {seed} topology {sop} backend {backend} {keywords}
{after}
"""


def to_grid(x):
    """Whole units of the coordinates that forces follow from: 2^-17 angstrom, here 2^-10 for shorter files."""
    return np.round(1024.0 * np.asarray(x)) / 1024.0


class Molecule:
    """An alpha helix of CA beads, each some 0.2 angstrom off, with contacts to the third and fourth neighbor. Some bonds
    and contacts have parameters of their own."""

    def __init__(self, beads=24, seed=7):
        draw = np.random.default_rng(seed)
        turn = np.radians(100.0) * np.arange(beads)
        self.beads = beads
        self.x = np.stack([2.3 * np.cos(turn), 2.3 * np.sin(turn), 1.5 * np.arange(beads)], axis=1)
        self.x = to_grid(self.x + draw.uniform(-0.2, 0.2, self.x.shape))
        self.bonds = [(i, i + 1, self.distance(i, i + 1), 25.0 if i % 5 == 3 else 20.0,
                       1.8 if i % 10 == 3 else 2.0) for i in range(beads - 1)]
        self.contacts = [(i, j, self.distance(i, j), 2.0 if i % 4 == 1 else 1.5)
                         for i in range(beads) for j in (i + 3, i + 4) if j < beads]

    def distance(self, i, j):
        return round(float(np.linalg.norm(self.x[i] - self.x[j])), 4)

    def sop(self, copies=1, units="real", **changes):
        """Text of the topology file."""
        values = dict(PARAMETERS, **changes)
        lines = [f"# UNITS: {units}", f"{self.beads} beads", f"{len(self.bonds)} bonds",
                 f"{len(self.contacts)} contacts", f"{copies} copies", "", "Parameters", ""]
        lines += [f"{name} {value!r}" for name, value in values.items()]
        lines += ["", "Bonds", ""] + [f"{i + 1} {j + 1} {r0} {k} {R0}" for i, j, r0, k, R0 in self.bonds]
        lines += ["", "Contacts", ""] + [f"{i + 1} {j + 1} {r0} {eps}" for i, j, r0, eps in self.contacts]
        return "\n".join(lines) + "\n"

    def atoms(self, copies=1, free=(), apart=0.0, shake=0.0, seed=3):
        """Rows (ID, molecule, type, x, y, z): all copies, each so far along y from the one before, with beads up to
        `shake` off their native places along each axis; then free atoms."""
        rows = []
        draw = np.random.default_rng(seed)
        for c in range(copies):
            for b, at in enumerate(to_grid(self.x + draw.uniform(-shake, shake, self.x.shape))):
                rows.append((c * self.beads + b + 1, c + 1, 1, at[0], at[1] + c * apart, at[2]))
        for k, at in enumerate(free):
            rows.append((copies * self.beads + k + 1, 0, 2, *at))
        return rows

    # ---- eq. 1

    def pairs(self):
        """Pairs i, i+2 of a chain and all other pairs that are neither bonded nor in contact."""
        bonded = {(i, j) for i, j, *_ in self.bonds}
        known = bonded | {(i, j) for i, j, *_ in self.contacts}
        rest = [(i, j) for i in range(self.beads) for j in range(i + 1, self.beads) if (i, j) not in known]
        angles = [(i, j) for i, j in rest if j == i + 2 and (i, i + 1) in bonded and (i + 1, j) in bonded]
        return angles, [pair for pair in rest if pair not in set(angles)]

    def evaluate(self, x, cutoff=3.0 * PARAMETERS["sigma"]):
        """Energies {bonds, native, other, angles}, how many contacts are intact, and the forces of one molecule at x."""
        p = PARAMETERS
        forces = np.zeros_like(x)
        energy = {}

        def add(name, pairs, slope):
            """slope: of (r, row) -> V, dV/dr, for all pairs at once."""
            i, j = np.array(pairs, dtype=int).reshape(-1, 2).T
            d = x[i] - x[j]
            r = np.linalg.norm(d, axis=1)
            v, dv = slope(r)
            energy[name] = float(np.sum(v))
            push = (-dv / r)[:, None] * d
            np.add.at(forces, i, push)
            np.add.at(forces, j, -push)
            return r

        def bond(r):
            r0, k, R0 = np.array([row[2:] for row in self.bonds]).T
            room = 1.0 - (r - r0)**2 / R0**2
            return -0.5 * k * R0**2 * np.log(room), k * (r - r0) / room

        def contact(r):
            r0, eps = np.array([row[2:] for row in self.contacts]).T
            return eps * ((r0 / r)**12 - 2.0 * (r0 / r)**6), -12.0 * eps * ((r0 / r)**12 - (r0 / r)**6) / r

        def repulsion(eps, sigma, reach):
            def value(r):
                near = r < reach
                return eps * (sigma / r)**6 * near, -6.0 * eps * (sigma / r)**6 / r * near
            return value

        angles, others = self.pairs()
        add("bonds", [row[:2] for row in self.bonds], bond)
        r = add("native", [row[:2] for row in self.contacts], contact)
        add("angles", angles, repulsion(p["eps_a"], p["sigma_a"], np.inf))
        add("other", others, repulsion(p["eps_r"], p["sigma"], cutoff))
        intact = int(np.sum(r <= 1.2 * np.array([row[2] for row in self.contacts])))
        return energy, intact, forces


def data(rows, low=(-60.0, -60.0, -60.0), high=(68.0, 68.0, 68.0), tilt=None):
    """Text of a data file; all its atoms must be in the box unless it is shrink-wrapped or periodic."""
    lines = ["molecules", "", f"{len(rows)} atoms", "2 atom types", ""]
    lines += [f"{low[k]!r} {high[k]!r} {axis}lo {axis}hi" for k, axis in enumerate("xyz")]
    if tilt:
        lines.append("{!r} {!r} {!r} xy xz yz".format(*tilt))
    lines += ["", "Masses", "", "1 110.0", "2 110.0", "", "Atoms # molecular", ""]
    lines += [f"{i} {m} {t} {float(x)!r} {float(y)!r} {float(z)!r}" for i, m, t, x, y, z in rows]
    return "\n".join(lines) + "\n"


def script(**changes):
    """The input up to the fix, whose ID is `move`."""
    values = {"units": "real", "boundary": "s s s", "data": "atoms.data", "pair": "", "dt": 1000.0, "before": "",
              "group": "all", "T": 300.0, "zeta": ZETA, "seed": 4711, "sop": "molecule.sop", "backend": BACKEND,
              "keywords": "", "after": ""}
    unknown = set(changes) - set(values)
    assert not unknown, unknown
    return INPUT.format(**dict(values, **changes))


def snapshots(path):
    """{step: rows of atoms} of a text dump."""
    with open(path) as file:
        text = file.read()
    parts = re.findall(r"ITEM: TIMESTEP\n(\d+)\n.*?ITEM: ATOMS[^\n]*\n(.*?)(?=ITEM: TIMESTEP|\Z)", text, re.S)
    return {int(step): rows.splitlines() for step, rows in parts}


def positions(rows):
    """{ID: position} of rows that begin with the ID and end with three coordinates."""
    found = {}
    for row in rows:
        words = row.split()
        found[int(words[0])] = np.array(words[-3:], dtype=float)
    return found
