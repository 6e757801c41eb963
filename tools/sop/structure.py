"""Residues of a protein from a structure file: PDB, mmCIF or mmJSON, also compressed with gzip. gemmi reads it.

SPDX-License-Identifier: GPL-2.0-or-later"""

import collections
import gzip
import itertools
import math
import os
import re

import gemmi

PEPTIDE_BOND = 2.0      # Å, largest C-N distance of residues with a bond
CA_BOND = 4.5           # Å, largest distance of the two CA where C or N is not in the file
DISULFIDE = 2.5         # Å, sulfur atoms closer than this are bonded (S-S is 2.05 Å long)
LARGEST_COORDINATE = 1e5    # Å
BACKBONE = {"N", "CA", "C", "O", "OXT"}
REAL = re.compile(r" *[-+]?(\d+\.?\d*|\.\d+) *")
RESIDUE_NUMBER = re.compile(r" *-?\d+ *|[A-Za-z][0-9A-Za-z]{3}")    # the latter is hybrid-36


class BadInput(Exception):
    """What is wrong with a file or an option, in one line."""


class Residue:
    """One residue, in the conformer that was chosen: its atoms' positions by name, the heavy ones of its side chain."""

    def __init__(self, chain, residue, conformer):
        atoms = [atom for atom in residue if atom.altloc in ("\0", conformer)]
        self.chain, self.subchain, self.name = chain, residue.subchain, residue.name
        self.hetero = residue.het_flag == "H"
        self.number = str(residue.seqid)    # with insertion code
        # label_seq counts missing residues and exists in mmCIF files only
        self.sequence = residue.seqid.num if residue.label_seq is None else residue.label_seq
        self.atoms = {}
        for atom in atoms:
            self.atoms.setdefault(atom.name, atom.pos.tolist())
        heavy = {atom.name for atom in atoms if not atom.is_hydrogen()} - BACKBONE
        # glycine, and a residue whose side chain is not in the file, are represented by CA
        self.side_chain = [self.atoms[name] for name in sorted(heavy)] or [self.atoms["CA"]]

    def __str__(self):
        return f"{self.chain} {self.name}{self.number}"


def chain_name(name):
    """A PDB file may leave it blank."""
    return name.strip() or "_"


# ------------------------------------------------------------------------------------------- file

# structure: as gemmi sees it, polymers told apart from ligands and water; document: the tables of an mmCIF file
File = collections.namedtuple("File", "structure document")


def read(path):
    """The contents of a file."""
    if not os.path.exists(path):
        raise BadInput(f"{path}: no such file")
    if not os.path.isfile(path):
        raise BadInput(f"{path}: not a file")
    if os.path.getsize(path) == 0:
        raise BadInput(f"{path}: the file is empty")
    document = gemmi.cif.Document()
    try:
        structure = read_structure(path, document)
        structure.setup_entities()
    except Exception as error:    # gemmi has no class of its own for what it finds in a file
        text = " ".join(str(error).split()).removeprefix(f"{path}:")
        raise BadInput(f"{path}: {text}") from None
    if structure.input_format == gemmi.CoorFormat.Pdb:
        check_pdb_numbers(path)
    return File(structure, document)


def read_structure(path, document):
    try:
        return gemmi.read_structure(path, format=gemmi.CoorFormat.Detect, save_doc=document)
    except RuntimeError as error:
        if "charge" not in str(error):
            raise
        return gemmi.read_pdb(path, max_line_length=72)    # before 1996 the columns 73 to 80 had no charge


def pdb_lines(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="latin-1") as file:
        yield from file


def check_pdb_numbers(path):
    """gemmi reads a number as far as it is one, and takes what is none for 0: here that is an error."""
    fields = (("residue number", 22, 26, RESIDUE_NUMBER), ("x", 30, 38, REAL), ("y", 38, 46, REAL), ("z", 46, 54, REAL))
    for count, line in enumerate(pdb_lines(path), 1):
        record = line[:6].upper()
        if record.rstrip() == "END":
            return    # nor does gemmi read on
        if not record.startswith("ATOM") and record != "HETATM":
            continue
        line = line.rstrip("\r\n")
        if not line.isascii():
            raise BadInput(f"{path}, line {count}: letters that are not ASCII: '{printable(line[:54])}'")
        for name, begin, end, pattern in fields:
            if not pattern.fullmatch(line[begin:end]):
                raise BadInput(f"{path}, line {count}: {name} '{printable(line[begin:end]).strip()}' is not a number")
        if line[54:60].strip() and not REAL.fullmatch(line[54:60]):
            raise BadInput(f"{path}, line {count}: occupancy '{printable(line[54:60]).strip()}' is not a number")


def printable(text):
    return "".join(letter if " " <= letter <= "~" else "?" for letter in text)


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


# --------------------------------------------------------------------------------------- residues

def alpha_carbons(residue):
    """Atoms CA. Calcium has the same name: not in an amino acid that gemmi knows; elsewhere the element tells."""
    known = gemmi.find_tabulated_residue(residue.name).is_amino_acid()
    return [atom for atom in residue if atom.name == "CA" and (known or atom.element == gemmi.Element("C"))]


def occupancy(path, atom):
    if not math.isfinite(atom.occ):
        raise BadInput(f"{path}: the occupancy of atom {atom.serial} is not a number")
    return atom.occ


def best_conformer(residue):
    """Letter of the alternate location to take: the highest occupancy of CA, or where CA has one place only, of any
    atom. The first of equals."""
    atoms = ([atom for atom in alpha_carbons(residue) if atom.altloc != "\0"]
             or [atom for atom in residue if atom.altloc != "\0"])
    return max(atoms, key=lambda atom: atom.occ).altloc if atoms else "\0"


def is_polymer(residue):
    if residue.entity_type == gemmi.EntityType.Unknown:
        return gemmi.find_tabulated_residue(residue.name).is_amino_acid()
    return residue.entity_type == gemmi.EntityType.Polymer


def same_place(chain):
    """Lists of the polymer residues that share number and insertion code: alternatives of one place in the sequence."""
    groups = []
    for residue in chain:
        if not is_polymer(residue):
            continue
        if groups and groups[-1][0].seqid == residue.seqid:
            groups[-1].append(residue)
        else:
            groups.append([residue])
    return groups


def chain_residues(path, chain, notes):
    """The residues of a chain that have a CA, one for each place in the sequence."""
    name, chosen, alternates, without = chain_name(chain.name), [], 0, []
    for group in same_place(chain):
        group_ca = [(residue, alpha_carbons(residue)) for residue in group]
        complete = [(residue, max(occupancy(path, atom) for atom in found)) for residue, found in group_ca if found]
        if not complete:
            without.append(f"{group[0].name}{group[0].seqid}")
            continue
        residue = max(complete, key=lambda pair: pair[1])[0]
        conformer = best_conformer(residue)
        alternates += conformer != "\0" or len(complete) > 1
        if residue.seqid.num is None:
            raise BadInput(f"{path}: chain {name}: the number '{residue.seqid}' of a {residue.name} is no number")
        chosen.append(checked(path, Residue(name, residue, conformer)))
    if alternates:
        notes.append(f"chain {name}: alternate locations in {alternates} residue(s); the one of the highest "
                     "occupancy is taken")
    if without and chosen:
        notes.append(f"chain {name}: no CA in {listed(without)}: no bead")
    elif without:
        notes.append(f"chain {name}: none of its {len(without)} residue(s) has a CA: left out")
    return without_free_residues(chosen, notes)


def without_free_residues(residues, notes):
    """Without amino acids that are ligands: HETATM, and bonded to neither neighbor in the file."""
    kept = []
    for k, residue in enumerate(residues):
        neighbors = residues[max(k - 1, 0):k + 2]
        if residue.hetero and not any(bonded(a, b)[0] for a, b in zip(neighbors, neighbors[1:])):
            notes.append(f"chain {residue.chain}: HETATM {residue.name}{residue.number} has no peptide bond: left out")
        else:
            kept.append(residue)
    return kept


def checked(path, residue):
    for name, position in residue.atoms.items():
        for axis, value in zip("xyz", position):
            if not math.isfinite(value) or abs(value) > LARGEST_COORDINATE:
                raise BadInput(f"{path}: {axis} = {value:g} of atom {name} in residue {residue}: must be a number from "
                               f"{-LARGEST_COORDINATE:.0f} to {LARGEST_COORDINATE:.0f}")
    return residue


def listed(words, most=8):
    words = list(words)
    return ", ".join(words[:most]) + (f" and {len(words) - most} more" if len(words) > most else "")


def chains_of(path, model, wanted, notes):
    """{name: residues} of the chains asked for (all if None), in the order of the file."""
    names = list(dict.fromkeys(chain_name(chain.name) for chain in model))
    for name in wanted or ():
        if name not in names:
            raise BadInput(f"{path}: --chains {name}: no such chain; there are: {listed(names, 100)}")
    found = {}
    for chain in model:
        if wanted and chain_name(chain.name) not in wanted:
            continue
        residues = chain_residues(path, chain, notes)
        if residues:
            found.setdefault(chain_name(chain.name), []).extend(residues)
    for name in wanted or ():
        if name not in found:
            raise BadInput(f"{path}: --chains {name}: no CA atoms in this chain")
    if not found:
        raise BadInput(f"{path}: no CA atoms of a protein")
    modified = collections.Counter(residue.name for residues in found.values() for residue in residues
                                   if not gemmi.find_tabulated_residue(residue.name).is_standard())
    if modified:
        names = listed(f"{name} ({count})" for name, count in sorted(modified.items()))
        notes.append(f"residues that are not standard: {names}")
    return found


# ------------------------------------------------------------------------------------------ bonds

def bonded(first, second):
    """Whether a chain goes on from one residue to the next, and what was measured."""
    if "C" in first.atoms and "N" in second.atoms:
        distance = math.dist(first.atoms["C"], second.atoms["N"])
        return distance < PEPTIDE_BOND, f"C-N {distance:.2f}"
    distance = math.dist(first.atoms["CA"], second.atoms["CA"])
    return distance < CA_BOND, f"CA-CA {distance:.2f}"


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
        places.setdefault((residue.chain, residue.number, residue.name), index)
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
