"""Which residues are bonded: peptide bonds, disulfide bonds, other links, bonds across a periodic box.

SPDX-License-Identifier: GPL-2.0-or-later"""

import itertools
import math

import gemmi
import numpy as np

from .files import listed
from .structure import chain_name

PEPTIDE_BOND = 2.0      # Å, largest C-N distance of residues with a bond
CA_BOND = 4.5           # Å, largest distance of the two CA where C or N is not in the file
DISULFIDE = 2.5         # Å, sulfur atoms closer than this are bonded (S-S is 2.05 Å long)


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
        notes.append(f"close sulfur atoms, but no SSBOND in the file: {words}; --disulfides near makes bonds of them")
    return [(p, q, residues[p].atoms["SG"], residues[q].atoms["SG"], True, "disulfide bond")
            for p, q in pairs if wanted]


def links(structure, residues, notes):
    """Disulfide bonds and other covalent links between two residues, as the file names them: (index, index, position
    of the first atom, of the second, text). Positions are those of CA where the linked atoms are not known."""
    places = {}
    for index, residue in enumerate(residues):
        places.setdefault((residue.file_chain, residue.number, residue.name), index)
    found = []
    for connection in structure.connections:
        if connection.type not in (gemmi.ConnectionType.Disulf, gemmi.ConnectionType.Covale):
            continue
        partners = (connection.partner1, connection.partner2)
        ends = [places.get((chain_name(partner.chain_name), str(partner.res_id.seqid), partner.res_id.name))
                for partner in partners]
        if None in ends:
            if connection.type == gemmi.ConnectionType.Disulf and any(end is not None for end in ends):
                notes.append(f"disulfide bond {partners[0]} - {partners[1]}: left out, as it names a residue that is "
                             "no bead")
            continue
        known = all(partner.atom_name in residues[end].atoms for partner, end in zip(partners, ends))
        atoms = [residues[end].atoms[partner.atom_name if known else "CA"] for partner, end in zip(partners, ends)]
        kind = "disulfide bond" if connection.type == gemmi.ConnectionType.Disulf else "link"
        found.append((*ends, *atoms, known, kind))
    return found
