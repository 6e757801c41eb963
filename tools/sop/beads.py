"""The beads of a model: residues of the chains, or of their images in a biological assembly, and the bonds.

SPDX-License-Identifier: GPL-2.0-or-later"""

import math

import numpy as np

from . import assembly, contacts
from .files import COLUMNS, BadInput, listed, printable
from .links import CA_LINK, LINK, Lattice, across_the_box, bonded, links, near_disulfides, seem_bonded
from .lists import bonds_in

SAME_PLACE = 1.0    # Å, beads closer than this are an error
NEAR = 2.8          # Å, nearer than the CA atoms of a cis peptide, so that a note says it
TORN = 15.0         # Å, residues whose numbers follow each other are nearer than this if the chain is whole
LONGEST_BOND = 5.0  # Å, no two CA with a peptide bond are farther apart
PLACES = 3          # decimals of coordinates, as in PDB files


class Protein:
    """Arrays over beads and bonds, numbered from 0.

    x (n, 3), chain (n), position in the sequence (n), labels; side_x (m, 3) and owner (m), side-chain atoms and their
    beads; bonds (b, 2) with i < j, sorted; chains, the names; linked, the number of bonds that are no peptide bonds;
    names and numbers of residues; atoms, the names of what beads stand for; columns of the structure file, at CA; parts, as
    (title, first bead, last bead). has_side_chain (n): whether side_x has atoms other than CA of it. bonds are those of
    backbone, peptide bonds and those of a list, and of links, (bond, which of its ends are side chains)."""


def chain_positions(residues, linked, lattice, notes):
    """Place of each residue in the sequence of its chain, and whether a peptide bond joins it to the one before. A gap
    counts its missing residues, as far as the numbers tell, and at least one. A chain may also go on by a link."""
    position, joined = [], []
    for k, residue in enumerate(residues):
        before = residues[k - 1] if k else None
        if before is None or before.chain != residue.chain:
            position.append(0)
            joined.append(False)
            if before is not None and seem_bonded(before, residue):
                notes.append(f"{before} and {residue} are as near as in a peptide bond, but belong to two chains: no bond")
            continue
        together, measured = bonded(before, residue)
        joined.append(together)
        together = together or (k - 1, k) in linked
        position.append(position[-1] + (1 if together else max(2, residue.sequence - before.sequence)))
        if not together:
            notes.append(gap(before, residue, measured, lattice))
    notes += torn(residues, joined)
    return np.array(position), np.array(joined)


def gap(before, residue, measured, lattice):
    """The note on a place where a chain does not go on."""
    where = f"between {before.name}{before.number} and {residue.name}{residue.number} ({measured} Å"
    image = across_the_box(lattice, before, residue)
    if image:
        return (f"chain {residue.chain}: broken across the periodic box {where}; {image} Å from image to image): no bond "
                "there; make molecules whole in the program that wrote the file")
    far = math.dist(before.atoms["CA"], residue.atoms["CA"]) > TORN
    doubt = ("; the numbers leave no residue out: is the molecule broken across a periodic box?"
             if far and residue.sequence - before.sequence == 1 else "")
    return f"chain {residue.chain}: gap, no bond {where}){doubt}"


def torn(residues, joined):
    """Bonds far longer than any between two CA: atoms of a residue lie on two sides of a box."""
    long = [f"{before} - {residue}" for before, residue, bond in zip(residues, residues[1:], joined[1:])
            if bond and math.dist(before.atoms["CA"], residue.atoms["CA"]) > LONGEST_BOND]
    if not long:
        return []
    return [f"bonds longer than {LONGEST_BOND:g} Å: {listed(long)}: is a residue broken across a periodic box?"]


def near_pair(link):
    """The two residues in their order, if a link other than a disulfide bond joins them in the file's coordinates."""
    p, q, atom_p, atom_q, known, _, kind = link
    near = kind == "link" and math.dist(atom_p, atom_q) < (LINK if known else CA_LINK)
    return [(min(p, q), max(p, q))] if near else []


def image_bonds(joined, image):
    """Peptide bonds of an image, in the beads' numbers."""
    second = np.flatnonzero(joined & image.chosen & np.roll(image.chosen, 1))
    return np.stack([image.index[second - 1], image.index[second]], axis=1)


def link_bonds(link, images, residues, notes):
    """(bond, which of its ends are side chains) between the images of two linked residues: where their linked atoms are
    close."""
    p, q, atom_p, atom_q, known, sides, kind = link
    first = [image for image in images if image.chosen[p]]
    second = [image for image in images if image.chosen[q]]
    found = []
    if first and second:
        here = np.array([image.move(atom_p) for image in first])
        there = np.array([image.move(atom_q) for image in second])
        distances = np.linalg.norm(here[:, None] - there[None, :], axis=2)
        for a, b in np.argwhere(distances < (LINK if known else CA_LINK)):
            i, j = first[a].index[p], second[b].index[q]
            if i != j:
                found.append(((i, j), sides) if i < j else ((j, i), sides[::-1]))
        if not found:
            notes.append(f"{kind} {residues[p]} - {residues[q]}: left out, {'atoms' if known else 'CA'} are "
                         f"{distances.min():.2f} Å apart")
    return found


def listed_bonds(pairs, images):
    """Bonds that a list asks for, in each image that has both residues."""
    return [(image.index[p], image.index[q]) for p, q in pairs for image in images if image.chosen[p] and image.chosen[q]]


def build(path, file, found, wanted, near_sulfurs, bond_list):
    """The Protein of the chains found, or of an assembly of them, and notes on what was met."""
    notes = []
    residues = [residue for chain in found.values() for residue in chain]
    between = links(file, residues, notes)
    between += near_disulfides(residues, between, near_sulfurs, notes)
    linked = {pair for link in between for pair in near_pair(link)}
    position, joined = chain_positions(residues, linked, Lattice(file.structure.cell), notes)
    if wanted is None:
        images = assembly.identity(residues)
    else:
        images = assembly.images(path, file.structure, file.document, residues, wanted)
    protein = place(residues, position, images)
    peptide = np.concatenate([image_bonds(joined, image) for image in images])
    protein.links = [bond for link in between for bond in link_bonds(link, images, residues, notes)]
    protein.backbone = joined_pairs(peptide, listed_bonds(bonds_in(bond_list, residues) if bond_list else [], images))
    protein.bonds = joined_pairs(protein.backbone, [bond for bond, _ in protein.links])
    protein.linked = len(protein.bonds) - len(unique_pairs(peptide))
    notes += check_places(path, protein)
    return protein, notes


def place(residues, position, images):
    """The beads of all images, one chain after the other in each."""
    protein, times = Protein(), {}
    x = np.array([residue.atoms["CA"] for residue in residues])
    side_x = np.array([atom for residue in residues for atom in residue.side_chain])
    owner = np.repeat(np.arange(len(residues)), [len(residue.side_chain) for residue in residues])
    parts = {"x": [], "chain": [], "position": [], "side_x": [], "owner": []}
    protein.labels, protein.chains, count = [], [], 0
    for image in images:
        chosen = np.flatnonzero(image.chosen)
        image.index = np.full(len(residues), -1)
        image.index[chosen] = np.arange(count, count + len(chosen))
        count += len(chosen)
        names = [residues[k].chain for k in chosen]
        new = np.array([k == 0 or names[k] != names[k - 1] for k in range(len(names))])
        parts["chain"].append(len(protein.chains) + np.cumsum(new) - 1)
        shown = {names[k]: image_name(names[k], times) for k in np.flatnonzero(new)}
        protein.chains += shown.values()
        protein.labels += [printable(f"{shown[names[m]]} {residues[k].name}{residues[k].number}")
                           for m, k in enumerate(chosen)]
        parts["x"].append(image.move(x[chosen]))
        parts["position"].append(position[chosen])
        atoms = image.chosen[owner]
        parts["side_x"].append(image.move(side_x[atoms]))
        parts["owner"].append(image.index[owner[atoms]])
    for name, arrays in parts.items():
        setattr(protein, name, np.concatenate(arrays))
    chosen = [residues[k] for image in images for k in np.flatnonzero(image.chosen)]
    protein.names = [printable(residue.name) for residue in chosen]
    protein.numbers = [residue.number for residue in chosen]
    protein.atoms = ["CA"] * len(chosen)
    protein.has_side_chain = [residue.has_side_chain for residue in chosen]
    protein.columns = {column: np.array([residue.columns[column] for residue in chosen])
                       for column in COLUMNS}
    protein.parts = parts_of(protein)
    protein.x = np.round(protein.x, PLACES) + 0.0    # what the data file says; + 0.0 makes 0 of -0
    return protein


def parts_of(protein):
    """Chains, from bead to bead."""
    begin = np.flatnonzero(np.diff(protein.chain, prepend=-1))
    end = np.append(begin[1:], len(protein.chain)) - 1
    return [(f"Chain {protein.chains[protein.chain[a]]}", a, b) for a, b in zip(begin.tolist(), end.tolist())]


def image_name(chain, times):
    """A for the first image of chain A, A-2 for the second."""
    times[chain] = times.get(chain, 0) + 1
    return chain if times[chain] == 1 else f"{chain}-{times[chain]}"


def joined_pairs(pairs, more):
    return unique_pairs(np.concatenate([pairs, np.array(more, dtype=np.int64).reshape(-1, 2)]))


def unique_pairs(pairs):
    return np.unique(pairs, axis=0).reshape(-1, 2)


def distances(protein, pairs):
    return np.linalg.norm(protein.x[pairs[:, 0]] - protein.x[pairs[:, 1]], axis=1)


def refuse_one_place(path, what, protein, pairs):
    """Beads in one place are an error; what: the word for them."""
    apart = distances(protein, pairs)
    for k in np.flatnonzero(apart < SAME_PLACE)[:1]:
        i, j = pairs[k]
        raise BadInput(f"{path}: {what} {protein.labels[i]} and {protein.labels[j]} are {apart[k]:.2f} Å apart; must be "
                       f"{SAME_PLACE} Å at least")


def check_places(path, protein):
    """The note on beads that are nearer to each other than residues of a protein, of which the nearest pair is named."""
    close = contacts.pairs_closer(protein.x, NEAR)
    refuse_one_place(path, "residues", protein, close)
    if not len(close):
        return []
    apart = distances(protein, close)
    i, j = close[np.argmin(apart)]
    others = f", and {len(close) - 1} more pairs are nearer than {NEAR} Å" if len(close) > 1 else ""
    return [f"residues {protein.labels[i]} and {protein.labels[j]} are {apart.min():.2f} Å apart, which residues of a protein "
            f"are not{others}"]
