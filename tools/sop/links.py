"""Which residues are bonded: peptide bonds, disulfide bonds, other links, bonds across a periodic box.

SPDX-License-Identifier: GPL-2.0-or-later"""

import collections
import itertools
import math

import gemmi
import numpy as np

from .files import listed
from .residue_kinds import kind
from .structure import BACKBONE, chain_name, name_in_file

PEPTIDE_BOND = 2.0      # Å, largest C-N distance of residues with a bond
CA_BOND = 4.5           # Å, largest distance of the two CA where C or N is not in the file
DISULFIDE = 2.5         # Å, sulfur atoms closer than this are bonded (S-S is 2.05 Å long)
LINK = 3.0              # Å, largest distance of two linked atoms
CA_LINK = 8.0           # Å, largest distance of the CA of linked residues where the linked atoms are not in the file


def measured_atoms(first, second):
    """Atoms whose distance tells whether a chain goes on, and how far apart they are at most if it does."""
    return (("C", "N"), PEPTIDE_BOND) if "C" in first.atoms and "N" in second.atoms else (("CA", "CA"), CA_BOND)


def bonded(first, second):
    """Whether a chain goes on from one residue to the next, and what was measured."""
    names, most = measured_atoms(first, second)
    distance = math.dist(first.atoms[names[0]], second.atoms[names[1]])
    return distance < most, f"{'-'.join(names)} {distance:.2f}"


class Lattice:
    """Vectors of a periodic box."""

    def __init__(self, cell):
        self.vectors, self.inverse = np.array(cell.orth.mat.tolist()), np.array(cell.frac.mat.tolist())
        with np.errstate(all="ignore"):
            self.known = cell.is_crystal() and np.allclose(self.vectors @ self.inverse, np.eye(3))

    def nearest(self, a, b):
        """The shortest distance of a and the images of b, and whether that of b itself is longer."""
        d = np.subtract(b, a)
        images = np.round(self.inverse @ d)
        return float(np.linalg.norm(d - self.vectors @ images)), bool(images.any())


def seem_bonded(first, second):
    """Whether two residues are as near as in a peptide bond, by C and N, which tell it better than CA."""
    return "C" in first.atoms and "N" in second.atoms and bonded(first, second)[0]


def across_the_box(lattice, first, second):
    """What is measured between the nearest images of two residues, if these are bonded; else nothing."""
    names, most = measured_atoms(first, second)
    if not lattice.known:
        return ""
    distance, other_image = lattice.nearest(first.atoms[names[0]], second.atoms[names[1]])
    return f"{'-'.join(names)} {distance:.2f}" if other_image and distance < most else ""


def sulfur_pairs(residues):
    """Residues, in pairs, whose atoms SG are as close as in a disulfide bond."""
    sulfurs = [(k, residue.atoms["SG"]) for k, residue in enumerate(residues) if "SG" in residue.atoms]
    return [(p, q) for (p, here), (q, there) in itertools.combinations(sulfurs, 2)
            if math.dist(here, there) < DISULFIDE]


def near_disulfides(residues, named, wanted, notes):
    """Links between sulfur atoms that are close although the file does not name their bond; a note if not wanted."""
    known = {(min(link[:2]), max(link[:2])) for link in named}
    pairs = [pair for pair in sulfur_pairs(residues) if pair not in known]
    if pairs and not wanted:
        words = listed(f"{residues[p]} - {residues[q]}" for p, q in pairs)
        notes.append(f"close sulfur atoms that no SSBOND of the file joins: {words}; --disulfides near makes bonds of them")
    return [(p, q, residues[p].atoms["SG"], residues[q].atoms["SG"], True, (True, True), "disulfide bond")
            for p, q in pairs if wanted]


def nearest_pairs(connection, ends, residues):
    """Of residues that fit to the two names of a connection, as copies of a chain may that share its name, all pairs whose
    linked atoms are bonded; if none is, the nearest pair. As (index, index, position, position, whether the positions are
    those of the linked atoms and not of CA, which of the two are atoms of side chains)."""
    names = connection.partner1.atom_name, connection.partner2.atom_name
    found = []
    for pair in unlike_pairs(ends) or itertools.product(*ends):
        known = all(name in residues[end].atoms for name, end in zip(names, pair))
        atoms = [residues[end].atoms[name if known else "CA"] for name, end in zip(names, pair)]
        found.append((*pair, *atoms, known, tuple(name not in BACKBONE for name in names)))
    near = [pair for pair in found if math.dist(*pair[2:4]) < (LINK if pair[4] else CA_LINK)]
    return near if len(found) > 1 and near else [min(found, key=lambda pair: math.dist(*pair[2:4]))]


def unlike_pairs(ends):
    """Each pair of two residues once. Without any, a residue may be linked to one of its images in an assembly."""
    return list({frozenset(pair): pair for pair in itertools.product(*ends) if pair[0] != pair[1]}.values())


def links(file, residues, notes):
    """Disulfide bonds and other covalent links between two residues, as the file names them: what nearest_pairs has, and
    the kind in words."""
    places = collections.defaultdict(list)
    for index, residue in enumerate(residues):
        places[residue.file_chain, residue.number, kind(residue.name)].append(index)
    chains = {name_in_file(file, chain) for model in file.structure for chain in model}
    chosen = {residue.file_chain for residue in residues}
    found = []
    for connection in file.structure.connections:
        if connection.type not in (gemmi.ConnectionType.Disulf, gemmi.ConnectionType.Covale):
            continue
        partners = (connection.partner1, connection.partner2)
        names = [chain_name(partner.chain_name) for partner in partners]
        ends = [places.get((name, str(partner.res_id.seqid), kind(partner.res_id.name)))
                for name, partner in zip(names, partners)]
        disulfide = connection.type == gemmi.ConnectionType.Disulf
        if None in ends:
            if disulfide and (any(ends) or any(name in chosen or name not in chains for name in names)):
                notes.append(f"disulfide bond {partners[0]} - {partners[1]}: left out, as it names a residue that is "
                             "no bead")
            continue
        found += [(*pair, "disulfide bond" if disulfide else "link") for pair in nearest_pairs(connection, ends, residues)]
    return found
