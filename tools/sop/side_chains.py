"""Two beads per residue: CA, and one for the side chain, as in the documentation of SOP-GPU 2.0.

SPDX-License-Identifier: GPL-2.0-or-later"""

import copy
import itertools

import numpy as np

from .beads import PLACES, SAME_PLACE, joined_pairs, refuse_one_place
from .contacts import pairs_closer

CUTOFF = 5.2    # Å, of two beads of side chains


def with_side_chains(path, protein):
    """The protein with a second bead for each residue that has a side chain, bonded to CA. In each chain, beads of side
    chains follow the CA. Links of side chains, such as disulfide bonds, join their beads."""
    owners, result = side_chain_owners(protein), copy.copy(protein)
    order, result.parts = in_order(protein, owners)
    ca, cb = ({residue: k for k, (residue, atom) in enumerate(order) if atom == name} for name in ("CA", "CB"))
    copy_residues(protein, result, order)
    for residue, k in cb.items():
        result.x[k] = np.round(protein.side_x[owners[residue]].mean(axis=0), PLACES) + 0.0
    result.owner = np.array([cb.get(k, ca[k]) for k in protein.owner.tolist()], dtype=np.int64)
    plain = [(ca[i], ca[j]) for i, j in protein.backbone.tolist()] + [(ca[k], cb[k]) for k in cb]
    links = [[cb.get(k, ca[k]) if side else ca[k] for k, side in zip(*link)] for link in protein.links]
    result.bonds = joined_pairs(np.array(plain, dtype=np.int64).reshape(-1, 2), np.sort(np.reshape(links, (-1, 2)), axis=1))
    result.linked = protein.linked - len(protein.bonds) + len(result.bonds) - len(cb)
    refuse_one_place(path, "beads", result, pairs_closer(result.x, SAME_PLACE))
    return result


def in_order(protein, owners):
    """(residue, CA or CB) of each bead, and the parts."""
    order, parts = [], []
    for title, first, last in protein.parts:
        residues = range(first, last + 1)
        sides = [k for k in residues if k in owners]
        for atom, found, name in (("CA", residues, title), ("CB", sides, f"Side chains of {title[0].lower()}{title[1:]}")):
            if found:
                parts.append((name, len(order), len(order) + len(found) - 1))
            order += [(k, atom) for k in found]
    return order, parts


def side_chain_owners(protein):
    """{bead: its atoms in side_x}, without residues for whose side chain CA stands."""
    owners = {}
    for atom, bead in enumerate(protein.owner.tolist()):
        if protein.has_side_chain[bead]:
            owners.setdefault(bead, []).append(atom)
    return owners


def copy_residues(protein, result, order):
    """What a bead has from its residue."""
    residues, result.atoms = [k for k, _ in order], [atom for _, atom in order]
    result.x = protein.x[residues]
    result.chain, result.position = protein.chain[residues], protein.position[residues]
    result.names, result.numbers = [protein.names[k] for k in residues], [protein.numbers[k] for k in residues]
    result.labels = [protein.labels[k] + (" CB" if atom == "CB" else "") for k, atom in order]
    result.columns = {name: values[residues] for name, values in protein.columns.items()}


def within_two_bonds(protein):
    """Pairs of beads that one bond or two bonds join, as i n + j with i < j."""
    n = len(protein.x)
    partners = [[] for _ in range(n)]
    for i, j in protein.bonds.tolist():
        partners[i].append(j)
        partners[j].append(i)
    found = {i * n + j for i, j in protein.bonds.tolist()}
    for others in partners:
        found.update(min(i, j) * n + max(i, j) for i, j in itertools.combinations(others, 2))
    return np.array(sorted(found), dtype=np.int64)


def native_contacts(protein, cutoff, cutoff_cb, side_chains):
    """Pairs of beads closer than cutoff, two of side chains closer than cutoff_cb, or with atoms of side chains closer than
    side_chains, with more than two bonds between them; 0: not asked for. Sorted."""
    n = len(protein.x)
    is_side = np.array(protein.atoms) == "CB"
    i, j = pairs_closer(protein.x, max(cutoff, cutoff_cb)).T
    apart = np.linalg.norm(protein.x[i] - protein.x[j], axis=1)
    near = apart < np.where(is_side[i] & is_side[j], cutoff_cb, cutoff)
    key = i[near] * n + j[near]
    if side_chains > 0.0:
        owners = np.sort(protein.owner[pairs_closer(protein.side_x, side_chains)], axis=1)
        owners = owners[is_side[owners].all(axis=1) & (owners[:, 0] != owners[:, 1])]
        key = np.concatenate([key, owners[:, 0] * n + owners[:, 1]])
    key = np.setdiff1d(np.unique(key), within_two_bonds(protein), assume_unique=True)
    return np.stack([key // n, key % n], axis=1)
