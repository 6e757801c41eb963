"""Reads structure files with gemmi: PDB, mmCIF or mmJSON, also compressed with gzip.

SPDX-License-Identifier: GPL-2.0-or-later"""

import collections
import os
import re

import gemmi

from .pdb_lines import is_atom, pdb_lines, prepared
from .residue_kinds import SIMULATED, kind

REAL = re.compile(r" *[-+]?(\d+\.?\d*|\.\d+) *")
RESIDUE_NUMBER = re.compile(r" *-?\d+ *|[A-Za-z][0-9A-Za-z]{3}")    # the latter is hybrid-36
GZIP = b"\x1f\x8b"
PACKED = {b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"PK\x03\x04": "zip", b"\x28\xb5\x2f\xfd": "zstd",
          b"\x1f\x9d": "compress"}

# columns of an atom from which depths may come, by the words of --depths: name, place in a PDB line, tag of mmCIF
COLUMNS = {"occupancy": ("occupancy", 54, 60, "_atom_site.occupancy"),
           "b-factor": ("B factor", 60, 66, "_atom_site.B_iso_or_equiv")}


class BadInput(Exception):
    """What is wrong with a file or an option, in one line."""


# structure: as gemmi sees it, polymers told apart from ligands and water; document: the tables of an mmCIF file;
# pieces: chains of the structure that the file has under other names (pdb_lines.Piece)
File = collections.namedtuple("File", "structure document pieces")


def printable(text):
    return "".join(letter if " " <= letter <= "~" else "?" for letter in text)


def listed(words, most=8):
    words = list(words)
    return ", ".join(words[:most]) + (f" and {len(words) - most} more" if len(words) > most else "")


def read(path, column=None):
    """The contents of a file. column: one of COLUMNS, if each CA has to have a number there."""
    check_readable(path)
    document, pieces = gemmi.cif.Document(), {}
    try:
        structure = read_structure(path, document)
        if structure.input_format == gemmi.CoorFormat.Pdb:
            lines, pieces = prepared(path)
            structure = read_lines(lines) if lines else structure
        set_up(structure)
    except Exception as error:    # gemmi has no class of its own for what it finds in a file
        text = " ".join(str(error).split()).removeprefix(f"{path}:")
        raise BadInput(f"{path}: {text}") from None
    if structure.input_format == gemmi.CoorFormat.Pdb:
        check_pdb_numbers(path, column)
    elif column:
        check_table_column(path, document, column)
    return File(structure, document, pieces)


def check_readable(path):
    if not os.path.exists(path):
        raise BadInput(f"{path}: no such file")
    if not os.path.isfile(path):
        raise BadInput(f"{path}: not a file")
    if os.path.getsize(path) == 0:
        raise BadInput(f"{path}: the file is empty")
    try:
        with open(path, "rb") as file:
            begin = file.read(8)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    for magic, name in PACKED.items():
        if begin.startswith(magic):
            raise BadInput(f"{path}: compressed by {name}; only gzip (.gz) is read: unpack the file first")
    if begin.startswith(GZIP) and not path.endswith(".gz"):
        raise BadInput(f"{path}: compressed by gzip; the name of such a file must end with .gz")


def read_structure(path, document):
    try:
        return gemmi.read_structure(path, format=gemmi.CoorFormat.Detect, save_doc=document)
    except RuntimeError as error:
        if "charge" not in str(error):
            raise
        return gemmi.read_pdb(path, max_line_length=72)    # before 1996 the columns 73 to 80 had no charge


def set_up(structure):
    """Tells polymers from ligands, with the names of the file's residues replaced by standard ones meanwhile."""
    renamed = [(residue, residue.name) for model in structure for chain in model for residue in chain
               if residue.name in SIMULATED]
    for residue, name in renamed:
        residue.name = kind(name)
    structure.setup_entities()
    for residue, name in renamed:
        residue.name = name


# ------------------------------------------------------------------------------------------ PDB lines

def read_lines(lines):
    text = "".join(lines).encode("latin-1")
    try:
        structure = gemmi.read_pdb_string(text)
    except RuntimeError as error:
        if "charge" not in str(error):
            raise
        structure = gemmi.read_pdb_string(text, max_line_length=72)
    structure.merge_chain_parts()
    return structure


def check_pdb_numbers(path, column):
    """gemmi reads a number as far as it is one, and takes what is none for 0: here that is an error."""
    fields = (("residue number", 22, 26, RESIDUE_NUMBER), ("x", 30, 38, REAL), ("y", 38, 46, REAL), ("z", 46, 54, REAL))
    ended = False
    for count, line in enumerate(pdb_lines(path), 1):
        ended = ended or line[:6].rstrip().upper() == "END"
        if not is_atom(line):
            continue
        if ended:
            raise BadInput(f"{path}, line {count}: atoms after END; several models are told apart by MODEL and ENDMDL")
        line = line.rstrip("\r\n")
        if not line.isascii():
            raise BadInput(f"{path}, line {count}: letters that are not ASCII: '{printable(line[:54])}'")
        for name, begin, end, pattern in fields:
            if not pattern.fullmatch(line[begin:end]):
                raise BadInput(f"{path}, line {count}: {name} '{printable(line[begin:end]).strip()}' is not a number")
        for word, (name, begin, end, _) in COLUMNS.items():
            text = line[begin:end]
            if column == word and not text.strip() and line[12:16].strip() == "CA":
                raise BadInput(f"{path}, line {count}: no {name}, which --depths {word} reads")
            if word in ("occupancy", column) and text.strip() and not REAL.fullmatch(text):
                raise BadInput(f"{path}, line {count}: {name} '{printable(text).strip()}' is not a number")


def check_table_column(path, document, column):
    """Of mmCIF and mmJSON, where a column may be missing, or a value not be known."""
    tag = COLUMNS[column][-1]
    table = document[0].find(["_atom_site.label_atom_id", tag]) if len(document) else ()
    if not len(table):
        raise BadInput(f"{path}: no {tag}, which --depths {column} reads")
    for count, row in enumerate(table, 1):
        if row.str(0) == "CA" and row[1] in ("?", "."):
            raise BadInput(f"{path}: atom {count} has no {tag}, which --depths {column} reads")
