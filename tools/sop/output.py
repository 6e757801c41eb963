"""The two files that a run reads: topology (.sop) and LAMMPS data file.

SPDX-License-Identifier: GPL-2.0-or-later"""

import os
import tempfile

import numpy as np

from .files import BadInput, printable

CITATION = "Zhmurov et al, Proteins 78, 2984 (2010)"
MASS = 110.0              # g/mol, the mean mass of a residue
BACKBONE_MASS = 56.0      # of N, CA, C, O and their hydrogen, where the side chain is a bead of its own
MAX_COMMENTS = 20000     # rows; a file with more has none at their ends
LARGEST_MARGIN = 10000.0  # Å


def topology(protein, contacts, depths, parameters, copies, date, origin):
    """Text of the .sop file. Where contacts have depths of their own, these stand in their rows."""
    rows = len(protein.bonds) + len(contacts)
    lines = [f"# DATE: {date} UNITS: real CONTRIBUTOR: pdb2sop CITATION: {CITATION}",
             f"# {origin}", "# energies in kcal/mol, distances in Angstrom", "",
             f"{len(protein.x)} beads", f"{len(protein.bonds)} bonds", f"{len(contacts)} contacts"]
    if copies > 1:
        lines.append(f"{copies} copies")
    lines += ["", "Parameters", ""] + [f"{name} {value!r}" for name, value in parameters.items()]
    for title, pairs, own in (("Bonds", protein.bonds, None), ("Contacts", contacts, depths)):
        lines += ["", title, ""] + pair_rows(protein, pairs, own, rows <= MAX_COMMENTS)
    return "\n".join(lines) + "\n"


def distances(x, pairs):
    """Those of pairs of beads, with the decimals that the file has."""
    return np.round(np.linalg.norm(x[pairs[:, 0]] - x[pairs[:, 1]], axis=1), 4)


def pair_rows(protein, pairs, own, commented):
    rows = [f"{i + 1} {j + 1} {r:.4f}" for (i, j), r in zip(pairs.tolist(), distances(protein.x, pairs).tolist())]
    if own is not None:
        rows = [f"{row} {value:.6g}" for row, value in zip(rows, own.tolist())]
    if commented:
        rows = [f"{row}  # {protein.labels[i]} - {protein.labels[j]}" for row, (i, j) in zip(rows, pairs.tolist())]
    return rows


def longest_molecule(protein, largest_change):
    """Length of the largest set of bonded beads with every bond at its longest, in Å."""
    leader = list(range(len(protein.x)))

    def find(bead):
        while leader[bead] != bead:
            leader[bead] = leader[leader[bead]]
            bead = leader[bead]
        return bead

    for i, j in protein.bonds.tolist():
        leader[find(j)] = find(i)
    bonds = np.linalg.norm(protein.x[protein.bonds[:, 0]] - protein.x[protein.bonds[:, 1]], axis=1) + largest_change
    lengths = np.zeros(len(leader))
    np.add.at(lengths, [find(i) for i in protein.bonds[:, 0].tolist()], bonds)
    return float(lengths.max())


def masses(protein):
    """Of beads CA and CB, in this order: {name: mass}."""
    return {"CA": BACKBONE_MASS, "CB": MASS - BACKBONE_MASS} if "CB" in protein.atoms else {"CA": MASS}


def data_file(protein, copies, largest_change, origin):
    """Text of the LAMMPS data file: atom_style molecular, units real."""
    n, mass = len(protein.x), masses(protein)
    kinds = list(mass)    # the atom types
    margin = min(max(longest_molecule(protein, largest_change), 10.0), LARGEST_MARGIN)
    low, high = np.floor(protein.x.min(axis=0) - margin), np.ceil(protein.x.max(axis=0) + margin)
    lines = [f"LAMMPS data file: {origin}", "", f"{n * copies} atoms", f"{len(kinds)} atom types", ""]
    lines += [f"{low[k]:.1f} {high[k]:.1f} {axis}lo {axis}hi" for k, axis in enumerate("xyz")]
    lines += ["", "Masses", ""]
    meaning = dict(zip(kinds, ("residue",) if len(kinds) == 1 else ("backbone", "side chain")))
    lines += [f"{kinds.index(atom) + 1} {mass[atom]}  # of a mean {meaning[atom]}; Brownian motion does not use it"
              for atom in kinds]
    lines += ["", "Atoms # molecular", ""]
    ends = [f"{kinds.index(atom) + 1} {x:.3f} {y:.3f} {z:.3f}" for (x, y, z), atom in zip(protein.x.tolist(), protein.atoms)]
    if n * copies <= MAX_COMMENTS:
        ends = [f"{end}  # {label}" for end, label in zip(ends, protein.labels)]
    chain = protein.chain.tolist()
    for copy in range(copies):
        lines += [f"{copy * n + k + 1} {copy + 1 if copies > 1 else chain[k] + 1} {end}" for k, end in enumerate(ends)]
    return "\n".join(lines) + "\n"


def origin(path, structure, options):
    """Where the files come from, in one line."""
    words = [printable(os.path.basename(path)), *options]
    return f"pdb2sop {' '.join(words)}: {title(structure)[:80]}".rstrip(": ")


def title(structure):
    try:
        return printable(structure.info["_struct.title"]).strip() if "_struct.title" in structure.info else ""
    except UnicodeDecodeError:    # old files may have letters of Latin-1
        return ""


def write(texts):
    """Writes {path: text}, all files or none: under other names first."""
    written = []
    try:
        for path, text in texts.items():
            if os.path.isdir(path):
                raise BadInput(f"{path}: is a folder")
            handle, name = tempfile.mkstemp(prefix=".pdb2sop-", dir=os.path.dirname(path) or ".")
            written.append((name, path))
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(text)
            os.chmod(name, 0o666 & ~umask())
        for name, path in written:
            os.replace(name, path)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        for name, _ in written:
            if os.path.exists(name):
                os.remove(name)


def umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask
