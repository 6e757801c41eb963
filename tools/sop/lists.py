"""Lists that a user gives: depths of contacts by kinds of residue, and bonds.

SPDX-License-Identifier: GPL-2.0-or-later"""

import collections
import math

import numpy as np

from .files import BadInput, listed, printable
from .residue_kinds import kind

LARGEST_DEPTH = 1e6     # kcal/mol


def rows_of(path, words, meaning):
    """(number of the line, its words) of a text file; # begins a comment."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not a text file") from None
    rows = [(count, line.split("#")[0].split()) for count, line in enumerate(lines, 1)]
    rows = [(count, row) for count, row in rows if row]
    for count, row in rows:
        if len(row) != words:
            raise BadInput(f"{path}, line {count}: {len(row)} words; must be {words}: {meaning}")
    if not rows:
        raise BadInput(f"{path}: no line with {meaning}")
    return rows


# ------------------------------------------------------------------------------------------------- depths

def depth_table(path):
    """{(kind, kind): depth} with both orders of each pair."""
    table = {}
    for count, (a, b, word) in rows_of(path, 3, "two kinds of residue and a depth"):
        try:
            depth = float(word)
        except ValueError:
            depth = math.nan
        if not 0.0 <= depth <= LARGEST_DEPTH:
            raise BadInput(f"{path}, line {count}: depth '{printable(word)}' is not a number from 0 to {LARGEST_DEPTH:g}")
        if table.get((a, b), depth) != depth:
            raise BadInput(f"{path}, line {count}: {printable(a)} and {printable(b)} have two depths, "
                           f"{table[(a, b)]:g} and {depth:g}")
        table[(a, b)] = table[(b, a)] = depth
    return table


def from_table(path, protein, pairs):
    """Depths of contacts by their kinds of residue."""
    table, depths = depth_table(path), []
    for i, j in pairs.tolist():
        a, b = kind(protein.names[i]), kind(protein.names[j])
        if (a, b) not in table:
            raise BadInput(f"{path}: no depth of {printable(a)} and {printable(b)}, which have a contact: "
                           f"{protein.labels[i]} - {protein.labels[j]}")
        depths.append(table[(a, b)])
    return np.array(depths)


def from_column(path, column, protein, pairs):
    """Depths of contacts as geometric means of what the file has in a column of both CA."""
    values = protein.columns[column]
    for label, value in zip(protein.labels, values.tolist()):
        if not 0.0 <= value <= LARGEST_DEPTH:
            raise BadInput(f"{path}: --depths {column}: {value:g} of residue {label} must be a number from 0 to "
                           f"{LARGEST_DEPTH:g}")
    return np.sqrt(values[pairs[:, 0]] * values[pairs[:, 1]])


def depths_of(path, source, protein, pairs):
    """Depths of contacts from a column of the structure file or from a table; None if all have the same."""
    if source is None:
        return None
    return from_column(path, source, protein, pairs) if source in protein.columns else from_table(source, protein, pairs)


# -------------------------------------------------------------------------------------------------- bonds

def places_of(residues):
    """{(chain, number): indices of residues}, by the names that chains have here, and where these name none, by those of
    the file."""
    here, in_file = collections.defaultdict(list), collections.defaultdict(list)
    for index, residue in enumerate(residues):
        here[residue.chain, residue.number].append(index)
        in_file[residue.file_chain, residue.number].append(index)
    return {**in_file, **here}


def residue_of(where, places, residues, chain, number):
    """The one residue that a chain and a number name."""
    found = places.get((chain, number), [])
    words = f"residue {printable(number)} of chain {printable(chain)}"
    if not found:
        raise BadInput(f"{where}: no bead is made of {words}")
    if len(found) > 1:
        raise BadInput(f"{where}: {words} is not one residue; there are: {listed(str(residues[index]) for index in found)}")
    return found[0]


def bonds_in(path, residues):
    """Pairs of residues that a list names, each by chain and number."""
    places, pairs = places_of(residues), []
    for count, row in rows_of(path, 4, "chain and number of two residues"):
        where = f"{path}, line {count}"
        ends = [residue_of(where, places, residues, *row[k:k + 2]) for k in (0, 2)]
        if ends[0] == ends[1]:
            raise BadInput(f"{where}: a bond of a residue with itself")
        pairs.append((min(ends), max(ends)))
    return pairs
