"""Residues of a protein: which of a file's are beads, in which conformer, and what their atoms are.

SPDX-License-Identifier: GPL-2.0-or-later"""

import math

import gemmi

from .files import BadInput, listed
from .pdb_lines import PEPTIDE
from .residue_kinds import tabulated

LARGEST_COORDINATE = 1e5    # Å
BACKBONE = {"N", "CA", "C", "O", "OXT"}
TERMINAL = {"OT1", "OT2", "OC1", "OC2", "O1", "O2"}    # names that CHARMM and GROMACS give to O and OXT of a last residue


class Residue:
    """One residue, in the conformer that was chosen: its atoms' positions by name, the heavy ones of its side chain.

    chain is its chain as this tool names it, file_chain the name in the file, segment the segment ID, if any. piece is
    the chain that gemmi has read, of which several may have the name in the file."""

    def __init__(self, chain, piece, residue, conformer):
        atoms = [atom for atom in residue if atom.altloc in ("\0", conformer)]
        self.chain = self.file_chain = chain
        self.piece, self.subchain, self.segment, self.name = piece, residue.subchain, residue.segment, residue.name
        self.hetero = residue.het_flag == "H"
        self.number = str(residue.seqid)    # with insertion code
        self.place = (residue.seqid.num, residue.seqid.icode)
        # label_seq counts missing residues and exists in mmCIF files only
        self.counted = residue.label_seq is not None
        self.sequence = residue.label_seq if self.counted else residue.seqid.num
        ca = next(atom for atom in atoms if atom.name == "CA")
        self.columns = {"occupancy": ca.occ, "b-factor": ca.b_iso}
        self.atoms = {}
        for atom in atoms:
            self.atoms.setdefault(atom.name, atom.pos.tolist())
        standard = tabulated(residue.name).is_standard()
        backbone = BACKBONE | TERMINAL if standard else BACKBONE
        heavy = {atom.name for atom in atoms if not is_hydrogen(atom, standard)} - backbone
        # CA stands for the side chain of glycine, and for one that is not in the file
        self.has_side_chain = bool(heavy)
        self.side_chain = [self.atoms[name] for name in sorted(heavy)] or [self.atoms["CA"]]

    def __str__(self):
        return f"{self.chain} {self.name}{self.number}"


def is_hydrogen(atom, standard):
    """Names that begin in the column of another element, as HG does in files of CHARMM, look like mercury to gemmi."""
    return atom.is_hydrogen() or (standard and atom.name.lstrip("0123456789").startswith("H"))


def chain_name(name):
    """A PDB file may leave it blank."""
    return name.strip() or "_"


def name_in_file(file, chain):
    return chain_name(file.pieces[chain.name].chain if chain.name in file.pieces else chain.name)


def choose_model(structure, path, number):
    if len(structure) == 0:
        raise BadInput(f"{path}: no atoms")
    numbers = [model.num for model in structure]
    if number is None:
        if len(structure) > 1:
            raise BadInput(f"{path}: {len(numbers)} models ({numbers[0]} to {numbers[-1]}); choose one with --model")
        return structure[0]
    if number not in numbers:
        raise BadInput(f"{path}: --model {number}: no such model; the file has {len(numbers)} "
                       f"({numbers[0]} to {numbers[-1]})")
    return structure[numbers.index(number)]


def is_peptide(residue):
    return PEPTIDE <= {atom.name for atom in residue}


def alpha_carbons(residue):
    """Atoms CA. Calcium has the same name, and in files without elements the same columns: but not beside N and C, nor in
    an amino acid that is known by name; elsewhere the element tells."""
    known = tabulated(residue.name).is_amino_acid() or is_peptide(residue)
    return [atom for atom in residue if atom.name == "CA" and (known or atom.element == gemmi.Element("C"))]


def occupancy(path, atom):
    if not math.isfinite(atom.occ):
        raise BadInput(f"{path}: the occupancy of atom {atom.serial} is not a number")
    return atom.occ


def has_conformer(residue, wanted):
    """Whether a residue has this alternate location, and a CA in it."""
    return (any(atom.altloc == wanted for atom in residue)
            and any(atom.altloc in ("\0", wanted) for atom in alpha_carbons(residue)))


def best_conformer(residue, wanted):
    """Letter of the alternate location to take: the one that is wanted, if the residue has it, or the highest occupancy
    of CA, or where CA has one place only, of any atom. The first of equals."""
    atoms = ([atom for atom in alpha_carbons(residue) if atom.altloc != "\0"]
             or [atom for atom in residue if atom.altloc != "\0"])
    if has_conformer(residue, wanted):
        return wanted
    return max(atoms, key=lambda atom: atom.occ).altloc if atoms else "\0"


def is_polymer(residue):
    """What belongs to a chain, and not an ion that stands before its end."""
    known = tabulated(residue.name).is_amino_acid()
    if residue.entity_type == gemmi.EntityType.Unknown:
        return known or is_peptide(residue)
    ion = len(residue) == 1 and not known and residue[0].element != gemmi.Element("C")
    return residue.entity_type == gemmi.EntityType.Polymer and not ion


def conformers(residue):
    """Letters of the conformers to which a residue belongs as a whole; none if some of its atoms belong to all."""
    letters = {atom.altloc for atom in residue}
    return set() if "\0" in letters else letters


def same_place(chain):
    """Lists of the polymer residues that share number and insertion code: alternatives of one place in the sequence. In
    the file they follow each other, or all of one conformer come before all of the next."""
    groups, of_conformers = [], {}
    for residue in chain:
        if not is_polymer(residue):
            continue
        place, letters = (residue.segment, str(residue.seqid)), conformers(residue)
        group = of_conformers.get(place)
        if groups and (groups[-1][0].segment, str(groups[-1][0].seqid)) == place:
            groups[-1].append(residue)
        elif letters and group and not any(letters & conformers(other) for other in group):
            group.append(residue)
        else:
            groups.append([residue])
        if letters:
            of_conformers.setdefault(place, groups[-1])
    return groups


def choose(path, group, wanted):
    """The residue and the conformer to take of alternatives that have a CA, and whether there was a choice."""
    complete = [(residue, alpha_carbons(residue)) for residue in group]
    complete = [(residue, max(occupancy(path, atom) for atom in found)) for residue, found in complete if found]
    if not complete:
        return None, "\0", False
    asked = [pair for pair in complete if has_conformer(pair[0], wanted)]
    residue = max(asked or complete, key=lambda pair: pair[1])[0]
    conformer = best_conformer(residue, wanted)
    return residue, conformer, conformer != "\0" or len(complete) > 1


def chain_residues(path, chain, file, wanted, notes):
    """The residues of a chain that have a CA, one for each place in the sequence."""
    name, chosen, alternates, without = name_in_file(file, chain), [], 0, []
    for group in same_place(chain):
        residue, conformer, choice = choose(path, group, wanted)
        if residue is None:
            without.append(f"{group[0].name}{group[0].seqid}")
            continue
        alternates += choice
        if residue.seqid.num is None:
            raise BadInput(f"{path}: chain {name}: the number '{residue.seqid}' of a {residue.name} is no number")
        check_one_ca(path, name, residue, conformer)
        chosen.append(checked(path, Residue(name, chain.name, residue, conformer)))
    if alternates:
        first = f"{wanted}, or else " if wanted else ""
        notes.append(f"chain {name}: alternate locations in {alternates} residue(s); {first}the one of the highest "
                     "occupancy is taken")
    if without and chosen:
        notes.append(f"chain {name}: no CA in {listed(without)}: no bead")
    elif without:
        notes.append(f"chain {name}: none of its {len(without)} residue(s) has a CA: left out")
    return chosen


def check_one_ca(path, chain, residue, conformer):
    """Two chains of one name, or residues that share a number, would have become one residue."""
    count = sum(atom.name == "CA" and atom.altloc in ("\0", conformer) for atom in residue)
    if count > 1:
        raise BadInput(f"{path}: residue {residue.seqid} of chain {chain} has {count} atoms CA; residues must differ in chain "
                       "or number (of mmCIF auth_asym_id, auth_seq_id), alternate locations in their letters")


def checked(path, residue):
    for name, position in residue.atoms.items():
        for axis, value in zip("xyz", position):
            if not math.isfinite(value) or abs(value) > LARGEST_COORDINATE:
                raise BadInput(f"{path}: {axis} = {value:g} of atom {name} in residue {residue}: must be a number from "
                               f"{-LARGEST_COORDINATE:.0f} to {LARGEST_COORDINATE:.0f}")
    return residue
