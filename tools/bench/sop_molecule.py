"""Molecules of .sop and .data files, for the benchmarks in this folder.   SPDX-License-Identifier: GPL-2.0-or-later

The format of .sop files is that of doc/pdb2sop.rst. Beads count from 0 here."""

import numpy as np


class Topology:
    """What a .sop file says: parameters by their names, and arrays of pairs with the values of each row."""

    def __init__(self, file):
        header, self.parameters, rows = read_sections(file)
        self.beads = int(header["beads"])
        p = self.parameters
        p.setdefault("eps_a", p["eps_r"])
        p.setdefault("sigma_a", p["sigma"])
        self.bonds, self.bond_values = pair_rows(rows["Bonds"], [None, p["k"], p["R0"]])
        self.contacts, self.contact_values = pair_rows(rows["Contacts"], [None, p["eps_n"]])

    def angles(self):
        """Pairs i, i+2 that are both bonded to i+1 and in no row themselves."""
        i = np.arange(self.beads - 2)
        bonds, rows = self.keys(self.bonds), self.keys(np.concatenate([self.bonds, self.contacts]))
        pairs = np.stack([i, i + 2], axis=1)
        found = np.isin(self.keys(pairs - [0, 1]), bonds) & np.isin(self.keys(pairs + [1, 0]), bonds)
        return pairs[found & ~np.isin(self.keys(pairs), rows)]

    def others(self):
        """All pairs that are in no row and no angles: a list that grows with the square of the beads."""
        pairs = np.stack(np.triu_indices(self.beads, 1), axis=1)
        known = np.concatenate([self.bonds, self.contacts, self.angles()])
        return pairs[~np.isin(self.keys(pairs), self.keys(known))]

    def keys(self, pairs):
        """One number per pair, whichever of its beads comes first."""
        return pairs.min(axis=1) * self.beads + pairs.max(axis=1)


def read_sections(file):
    header, parameters, rows, section = {}, {}, {"Bonds": [], "Contacts": []}, None
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            words = line.split("#")[0].split()
            if len(words) == 1:
                section = words[0]
            elif words and section is None:
                header[words[1]] = words[0]
            elif words and section == "Parameters":
                parameters[words[0]] = float(words[1])
            elif words:
                rows[section].append(words)
    return header, parameters, rows


def pair_rows(rows, defaults):
    """Pairs of beads, and the values behind them; rows may leave out the last of these."""
    pairs = np.array([row[:2] for row in rows], dtype=int).reshape(-1, 2) - 1
    values = [row[2:] + defaults[len(row) - 2:] for row in rows]
    return pairs, np.array(values, dtype=float).reshape(-1, len(defaults))


def read_coordinates(file):
    """Coordinates of the atoms of a LAMMPS data file (atom_style molecular), by their IDs."""
    rows = []
    with open(file, encoding="utf-8") as lines:
        in_atoms = False
        for line in lines:
            words = line.split("#")[0].split()
            if line.startswith("Atoms"):
                in_atoms = True
            elif in_atoms and len(words) >= 6:
                rows.append((int(words[0]), [float(w) for w in words[3:6]]))
    return np.array([x for _, x in sorted(rows)])
