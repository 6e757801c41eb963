"""Tandems: a protein several times in a row, with a linker of glycines between, as titin's domains are in pulling.

SPDX-License-Identifier: GPL-2.0-or-later"""

import copy
import math

import numpy as np

from .files import BadInput

BOND = 3.8          # Å, between CA of neighbors in the linker
CLEAR = 5.0         # Å, beads of domains and linkers that are not bonded are farther apart than this
DIRECTIONS = 200
BLOCK = 32          # points that are looked at together
LONGEST = 1000      # residues of a linker


def directions(axis):
    """Unit vectors all around, those first that point most along the axis."""
    k = np.arange(DIRECTIONS) + 0.5
    z, angle = 1.0 - 2.0 * k / DIRECTIONS, k * math.pi * (3.0 - math.sqrt(5.0))
    around = np.stack([np.sqrt(1.0 - z**2) * np.cos(angle), np.sqrt(1.0 - z**2) * np.sin(angle), z], axis=1)
    length = np.linalg.norm(axis)
    if length > 0.0:
        around = np.concatenate([[axis / length], around])
    return around[np.argsort(-(around @ axis), kind="stable")]


def touch(a, b):
    """Whether two sets of points come close; looks at a part of b at a time, as mostly the first tells."""
    for begin in range(0, len(b), BLOCK):
        d = a[None, :, :] - b[begin:begin + BLOCK, None, :]
        if np.einsum("ijk,ijk->ij", d, d).min(initial=math.inf) < CLEAR**2:
            return True
    return False


def is_clear(x, linker, shift, count):
    """Whether domains and linkers keep apart: each linker from both of its domains, bonded beads aside, and each domain
    from the others."""
    if touch(x[:-1], linker) or touch(x[-1:], linker[1:]):
        return False
    if touch(x[1:] + shift, linker[::-1]) or touch(x[:1] + shift, linker[:-1]):
        return False
    size = np.linalg.norm(x.max(axis=0) - x.min(axis=0))
    last = min(count - 1, int(size / max(np.linalg.norm(shift), BOND)) + 1)
    return not any(touch(x, x + m * shift) for m in range(1, last + 1))


def layout(x, residues, count):
    """Places of the linker's beads and the shift from domain to domain, or None if there is no room. The linker is
    straight, and as much along the line from first to last bead as it can."""
    for direction in directions(x[-1] - x[0]):
        linker = x[-1] + BOND * np.arange(1, residues + 1)[:, None] * direction
        shift = x[-1] + BOND * (residues + 1) * direction - x[0]
        if is_clear(x, linker, shift, count):
            return linker, shift
    return None


def shortest_linker(x, above, count):
    """The least number of residues for which there is room, or None."""
    low, high = above, LONGEST
    if layout(x, high, count) is None:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if layout(x, middle, count) else (middle, high)
    return high


def repeat(path, protein, native, depths, count, residues):
    """The tandem, its contacts (those of each domain) and their depths."""
    if len(protein.chains) != 1:
        raise BadInput(f"{path}: --tandem {count}: must be one chain, and there are {len(protein.chains)}; choose one "
                       "with --chains")
    found = layout(protein.x, residues, count)
    if found is None:
        least = shortest_linker(protein.x, residues, count)
        remedy = f"at least {least} are needed" if least else f"nor are {LONGEST} enough"
        raise BadInput(f"{path}: --linker {residues}: a linker of {residues} residues, {BOND * (residues + 1):.1f} Å long, "
                       f"is too short for the gap between domains that do not touch; {remedy}")
    linker, shift = found
    n, unit = len(protein.x), len(protein.x) + residues
    total = unit * count - residues
    result = copy.copy(protein)
    parts = [part + m * shift for m in range(count) for part in (protein.x, linker)]
    result.x = np.round(np.concatenate(parts)[:total], 3) + 0.0
    joints = np.arange(n - 1, total - 1)
    joints = joints[(joints % unit >= n - 1)]
    result.bonds = np.concatenate([protein.bonds + m * unit for m in range(count)]
                                  + [np.stack([joints, joints + 1], axis=1)])
    result.bonds = result.bonds[np.lexsort((result.bonds[:, 1], result.bonds[:, 0]))]
    result.linked = protein.linked * count
    result.chain = np.zeros(total, dtype=int)
    result.atoms = ["CA"] * total
    name_beads(result, protein, count, residues)
    contacts = np.concatenate([native + m * unit for m in range(count)])
    return result, contacts, None if depths is None else np.tile(depths, count)


def name_beads(result, protein, count, residues):
    """Names, numbers, labels, and the parts from bead to bead: A, its linker, A-2, ..."""
    chain, n = protein.chains[0], len(protein.x)
    result.names, result.numbers, result.labels, result.parts = [], [], [], []
    for m in range(count):
        name = chain if m == 0 else f"{chain}-{m + 1}"
        result.parts.append((f"Chain {name}", len(result.names), len(result.names) + n - 1))
        result.names += protein.names
        result.numbers += protein.numbers
        result.labels += [f"{name} {label.rpartition(' ')[2]}" for label in protein.labels]
        if m < count - 1 and residues:
            result.parts.append(("Linker", len(result.names), len(result.names) + residues - 1))
            result.names += ["GLY"] * residues
            result.numbers += [str(k + 1) for k in range(residues)]
            result.labels += [f"{name} linker GLY{k + 1}" for k in range(residues)]
