"""The beads with their bonds for VMD, OVITO and MDAnalysis: PSF and PDB.

SPDX-License-Identifier: GPL-2.0-or-later"""

import itertools
import re

import numpy as np

from .files import BadInput, printable
from .output import masses

LARGEST_SERIAL = 99999      # of PDB files; beyond it, numbers begin anew
LOWEST, HIGHEST = -999.999, 9999.999    # Å, what the columns of PDB files hold
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def word(text):
    """Text without what ends a word."""
    return printable(text).replace(" ", "_")


def bonds_of_copies(protein, copies):
    """Pairs of atom IDs, from 1."""
    n = len(protein.x)
    return np.concatenate([protein.bonds + copy * n for copy in range(copies)]) + 1


def psf(protein, copies, origin):
    """Text of a PSF file with wide columns (EXT): atoms and bonds."""
    bonds, mass = bonds_of_copies(protein, copies), masses(protein)
    lines = ["PSF EXT", "", f"{1:10} !NTITLE", f"* {origin}"[:160], "", f"{len(protein.x) * copies:10} !NATOM"]
    ends = [f"{word(protein.chains[chain])[:8]:8} {word(number)[:8]:8} {word(name)[:8]:8} {atom:8} {atom:4} "
            f"{0:14.6f}{mass[atom]:14.4f}{0:8}"
            for chain, number, name, atom in zip(protein.chain.tolist(), protein.numbers, protein.names, protein.atoms)]
    lines += [f"{serial:10} {end}" for serial, end in enumerate(ends * copies, 1)]
    lines += ["", f"{len(bonds):10} !NBOND: bonds"]
    flat = [f"{serial:10}" for serial in bonds.ravel().tolist()]
    lines += ["".join(flat[k:k + 8]) for k in range(0, len(flat), 8)]
    for section in ("NTHETA: angles", "NPHI: dihedrals", "NIMPHI: impropers", "NDON: donors", "NACC: acceptors", "NNB"):
        lines += ["", f"{0:10} !{section}", ""]
    return "\n".join(lines) + "\n"


def pdb(path, protein, copies, origin):
    """Text of a PDB file: atoms, and bonds where serials can name them."""
    if protein.x.min() < LOWEST or protein.x.max() > HIGHEST:
        raise BadInput(f"{path}: --view: coordinates from {protein.x.min():g} to {protein.x.max():g} Å; those of a PDB "
                       f"file must be from {LOWEST:g} to {HIGHEST:g}")
    total = len(protein.x) * copies
    lines = [f"REMARK   6 {origin}"[:79]]
    letters = chain_letters(protein.chains)
    ends = [pdb_end(protein, letters, k) for k in range(len(protein.x))]
    for serial, end in enumerate(ends * copies, 1):
        lines.append(f"ATOM  {(serial - 1) % LARGEST_SERIAL + 1:5}  {end}")
    if total <= LARGEST_SERIAL:
        lines += connections(bonds_of_copies(protein, copies).tolist())
    return "\n".join([*lines, "END", ""])


def chain_letters(chains):
    """One letter for each chain: its name, or one that is no name, as long as there are such ones."""
    names = [word(name) if len(name) == 1 else "" for name in chains]
    others = itertools.cycle([letter for letter in LETTERS if letter not in names] or LETTERS)
    return [name or next(others) for name in names]


def pdb_end(protein, letters, k):
    """A line ATOM from the name of the atom on."""
    number, code = re.fullmatch(r"(-?\d+)(.?)", word(protein.numbers[k])).groups()
    number = int(number) if -999 <= int(number) <= 9999 else int(number) % 10000
    x, y, z = protein.x[k]
    return (f"{protein.atoms[k]}  {protein.names[k][:3]:>3} {letters[protein.chain[k]]}{number:4}{code:1}   "
            f"{x:8.3f}{y:8.3f}{z:8.3f}{1:6.2f}{0:6.2f}          {'C':>2}")


def connections(bonds):
    """Lines CONECT: each bead with all that it is bonded to, four in a line."""
    partners = {}
    for i, j in bonds:
        partners.setdefault(i, []).append(j)
        partners.setdefault(j, []).append(i)
    lines = []
    for i in sorted(partners):
        others = sorted(partners[i])
        lines += [f"CONECT{i:5}" + "".join(f"{j:5}" for j in others[k:k + 4]) for k in range(0, len(others), 4)]
    return lines
