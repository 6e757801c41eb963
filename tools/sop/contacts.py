"""Pairs of points closer than a distance, and native contacts.

SPDX-License-Identifier: GPL-2.0-or-later"""

import itertools

import numpy as np

BLOCK = 20000    # points whose candidates are looked at together


def half_of_the_neighbors():
    """Offsets of a cell's neighbors such that each pair of cells is met once: those after (0, 0, 0) in order."""
    return [offset for offset in itertools.product((-1, 0, 1), repeat=3) if offset > (0, 0, 0)]


def pairs_closer(x, distance):
    """Indices i < j of all pairs of points closer than `distance`, sorted by i and j; x has the shape (n, 3)."""
    n = len(x)
    cell = np.floor((x - x.min(axis=0)) / max(distance, 1.0)).astype(np.int64)
    size = cell.max(axis=0) + 3    # empty cells around, so that no offset leads to the other end of a row
    stride = np.array([size[1] * size[2], size[2], 1])
    key = cell @ stride
    order = np.argsort(key, kind="stable")
    x, key = x[order], key[order]
    found = [np.empty((0, 2), dtype=np.int64)]
    for offset in [(0, 0, 0)] + half_of_the_neighbors():
        begin = np.searchsorted(key, key + np.dot(offset, stride), "left")
        end = np.searchsorted(key, key + np.dot(offset, stride), "right")
        if offset == (0, 0, 0):
            begin = np.arange(1, n + 1)    # in its own cell a point looks at those after it
        for first in range(0, n, BLOCK):
            found.append(close_candidates(x, first, begin[first:first + BLOCK], end[first:first + BLOCK], distance))
    pairs = np.sort(order[np.concatenate(found)], axis=1)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def close_candidates(x, first, begin, end, distance):
    """Pairs of the points first, first + 1, ... with the points begin[k] ... end[k] - 1 that are close."""
    count = np.maximum(end - begin, 0)
    i = np.repeat(np.arange(first, first + len(count)), count)
    j = np.arange(len(i)) + np.repeat(begin - (np.cumsum(count) - count), count)
    d = x[i] - x[j]
    close = np.einsum("ij,ij->i", d, d) < distance**2
    return np.stack([i[close], j[close]], axis=1)


def native_contacts(protein, cutoff, side_chains):
    """Pairs of beads, CA closer than cutoff or side chains closer than side_chains (0: not asked for), that are not
    bonded and not within two places in the sequence of one chain. Sorted."""
    n = len(protein.x)
    keys = []
    if cutoff > 0.0:
        keys.append(pairs_closer(protein.x, cutoff))
    if side_chains > 0.0:
        owners = protein.owner[pairs_closer(protein.side_x, side_chains)]
        keys.append(np.sort(owners[owners[:, 0] != owners[:, 1]], axis=1))
    pairs = np.concatenate(keys)
    i, j = pairs.T
    near = (protein.chain[i] == protein.chain[j]) & (np.abs(protein.position[i] - protein.position[j]) <= 2)
    key = np.unique((i * n + j)[~near])
    key = np.setdiff1d(key, protein.bonds[:, 0] * n + protein.bonds[:, 1], assume_unique=True)
    return np.stack([key // n, key % n], axis=1)
