"""The longest stable Brownian step of a topology.

This is the rule by which fix langevin/sop/gpu refuses a step: the curvature is that of ds_sop_stiffness in
cuda/sop/stiffness.c, and STABLE that of src/fix_langevin_sop_gpu.cpp. The tool does not need the package's library, so
the rule stands here once more; unittest/lammps/test_sop_files.py compares both.

SPDX-License-Identifier: GPL-2.0-or-later"""

import math

import numpy as np

STABLE = 0.75       # largest step, in units of friction/curvature
LEAST, LIMIT = 50, 1000
SAME = 1e-6         # relative change between two turns at which the curvature is known


def stiffness(beads, bonds, k, contacts, depths, r0):
    """The curvature that limits the step: of bonds at their native lengths, all in one line, and a third of each
    contact's 72 eps/r0^2, as contacts point to all sides. r0 is the contacts'."""
    curvature = np.concatenate([np.full(len(bonds), k), 24.0 * depths / r0**2])
    return largest_eigenvalue(beads, np.concatenate([bonds, contacts]), curvature)


def largest_eigenvalue(beads, pairs, curvature):
    """Of the matrix of these springs in one dimension, by its powers. In its mode neighbors move against each other; so
    does the vector that this begins with."""
    i, j = pairs.T
    bead = np.arange(beads)
    v = np.where(bead % 2, -1.0, 1.0) * (1.0 + 0.5 * np.sin(1.0 + 2.5 * bead))
    length, growth = np.linalg.norm(v), 0.0
    for turn in range(LIMIT):
        if length == 0.0:
            break
        v = v / length
        force = curvature * (v[i] - v[j])
        v = np.bincount(i, force, beads) - np.bincount(j, force, beads)
        before, growth = growth, np.linalg.norm(v)
        length = growth
        if turn > LEAST and abs(growth - before) < SAME * growth:
            break
    return float(growth)


def longest_step(friction, curvature):
    """In fs where friction is in kcal/mol fs/Å^2 and curvature, above 0, in kcal/mol/Å^2. Digits are cut at the
    fourth, not rounded up."""
    step = STABLE * friction / curvature
    digit = 10.0 ** (math.floor(math.log10(step)) - 3)
    return math.floor(step / digit) * digit
