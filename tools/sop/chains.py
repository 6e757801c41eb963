"""The chains of a model: which are asked for, what belongs to them, and what they are called.

A chain has the name of the file. If the file has none, its segment IDs tell the chains apart. TER ends a chain, and so
does a gap behind which the numbers of residues begin anew.

SPDX-License-Identifier: GPL-2.0-or-later"""

import collections

from .files import BadInput, listed
from .links import bonded
from .residue_kinds import tabulated
from .structure import chain_residues, is_polymer, name_in_file


def chains_of(path, file, model, wanted, conformer, notes):
    """{name: residues} of the chains asked for (all if None), in the order of the file, and what was left out, as
    {name in the file: {kind of residue: number}}."""
    check_names(path, file, model, wanted)
    check_conformer(path, model, conformer)
    residues, left_out = [], {}
    for chain in model:
        if wanted and not names_in_file(file, chain) & with_parts(wanted):
            continue
        residues += chain_residues(path, chain, file, conformer, notes)
        count_others(name_in_file(file, chain), chain, left_out)
    if not residues and not wanted:
        raise BadInput(f"{path}: no CA atoms of a protein")
    residues = without_free_residues(residues, notes)
    by_segment(path, residues)
    found = chosen_chains(path, in_parts(file, residues, notes), wanted)
    note_modified(found, notes)
    return found, left_out


# -------------------------------------------------------------------------------------- what is asked for

def segments_of(chain):
    return {residue.segment for residue in chain} - {""}


def names_in_file(file, chain):
    return {name_in_file(file, chain)} | segments_of(chain)


def with_parts(wanted):
    """A word such as A.2 asks for a part of the file's chain A."""
    return set(wanted) | {name.rpartition(".")[0] for name in wanted}


def check_names(path, file, model, wanted):
    known = set().union(*(names_in_file(file, chain) for chain in model))
    for name in wanted or ():
        if not known & with_parts([name]):
            shown = dict.fromkeys(name for chain in model for name in shown_names(file, chain))
            raise BadInput(f"{path}: --chains {name}: no such chain; there are: {listed(shown, 100)}")


def shown_names(file, chain):
    name = name_in_file(file, chain)
    return sorted(segments_of(chain)) or [name] if name == "_" else [name]


def check_conformer(path, model, wanted):
    if wanted is None:
        return
    there = sorted({atom.altloc for chain in model for residue in chain for atom in residue} - {"\0"})
    if wanted not in there:
        known = f"there are: {', '.join(there)}" if there else "the file has none"
        raise BadInput(f"{path}: --conformer {wanted}: no such alternate location; {known}")


def chosen_chains(path, residues, wanted):
    """A word chooses a chain by the name that it has here, or where no chain has it, by chain name or segment ID of the
    file."""
    names = {residue.chain for residue in residues}
    chosen = set()
    for name in wanted or ():
        here = {name} & names or {residue.chain for residue in residues
                                  if name in (residue.file_chain, residue.segment)}
        if not here:
            raise BadInput(f"{path}: --chains {name}: no CA atoms in this chain")
        chosen |= here
    found = {}
    for residue in residues:
        if not wanted or residue.chain in chosen:
            found.setdefault(residue.chain, []).append(residue)
    return found


# ------------------------------------------------------------------------------------------------ names

def by_segment(path, residues):
    """Names chains by segment IDs: those without a name, and those whose name several segments share."""
    segments = {residue.file_chain: set() for residue in residues}
    chains = collections.defaultdict(set)
    for residue in residues:
        if residue.segment:
            segments[residue.file_chain].add(residue.segment)
            chains[residue.segment].add(residue.file_chain)
    for residue in residues:
        name, segment = residue.file_chain, residue.segment
        if segment not in ("", name) and (name == "_" or len(segments[name]) > 1):
            others = chains[segment] - {name} | {segment} & set(segments)
            if others:
                raise BadInput(f"{path}: chains and segment IDs contradict each other: chain {name} has the segments "
                               f"{listed(sorted(segments[name]))}, and {segment} is also a name or a segment of chain "
                               f"{min(others)}; clear one of the two columns in the file")
            residue.chain = segment


def in_parts(file, residues, notes):
    """A chain that TER ends before its last residue is two chains, and so is one whose numbers fall, or come again, where
    no bond leads on. The latter does not happen where mmCIF counts residues."""
    chains = {}
    for residue in residues:
        chains.setdefault(residue.chain, []).append(residue)
    for base, chain in chains.items():
        part, parts = 1, {}
        for before, residue in zip(chain, chain[1:]):
            reason = new_part(file, before, residue)
            if reason:
                part += 1
                parts.setdefault(reason, []).append((f"{base}.{part}", before, residue))
            if part > 1:
                residue.chain = f"{base}.{part}"
        for reason, found in parts.items():
            places = listed(f"from {last.name}{last.number} to {first.name}{first.number}" for _, last, first in found)
            notes.append(f"chain {base}: {reason}, {places}: what follows is called chain "
                         f"{listed(name for name, _, _ in found)}")
    return [residue for chain in chains.values() for residue in chain]


def new_part(file, before, residue):
    """Why a chain ends between two residues; empty if it goes on."""
    other_piece, piece = residue.piece != before.piece, file.pieces.get(residue.piece)
    if other_piece and piece and piece.behind_ter:
        return "TER comes before its end"
    if not residue.counted and (residue.place < before.place or other_piece) and not bonded(before, residue)[0]:
        return "the numbers of residues fall at a gap"
    return ""


# ------------------------------------------------------------------------------------------ what is left out

def without_free_residues(residues, notes):
    """Without amino acids that are ligands: HETATM, and bonded to neither neighbor in the file. If such a one is written
    as ATOM, nothing tells it from a residue of a chain that lacks both neighbors."""
    kept, chains = [], {}
    for residue in residues:
        chains.setdefault(residue.file_chain, []).append(residue)
    for name, chain in chains.items():
        free = []
        for k, residue in enumerate(chain):
            neighbors = chain[max(k - 1, 0):k + 2]
            alone = not any(bonded(a, b)[0] for a, b in zip(neighbors, neighbors[1:]))
            if alone and residue.hetero:
                notes.append(f"chain {name}: HETATM {residue.name}{residue.number} has no peptide bond: left out")
                continue
            if alone and len(chain) > 1:
                free.append(f"{residue.name}{residue.number}")
            kept.append(residue)
        if free:
            notes.append(f"chain {name}: no peptide bond leads to {listed(free)}, and each is a bead, as it is written as "
                         "ATOM; if it is a ligand, delete it or write it as HETATM")
    return kept


def count_others(name, chain, left_out):
    """Counts what is no part of a polymer by kind: water, ions, ligands."""
    others = collections.Counter(residue.name for residue in chain if not is_polymer(residue))
    if others:
        left_out.setdefault(name, collections.Counter()).update(others)


def note_modified(found, notes):
    modified = collections.Counter(residue.name for residues in found.values() for residue in residues
                                   if not tabulated(residue.name).is_standard())
    if modified:
        names = listed(f"{name} ({count})" for name, count in sorted(modified.items()))
        notes.append(f"residues that are not standard: {names}")
