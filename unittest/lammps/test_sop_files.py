"""LAMMPS reads the data files that tools/pdb2sop writes, with all that is in them, in boxes of any boundary.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import importlib.util
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from checks import require

ROOT = os.environ["DS_SOURCE_DIR"]
POTENTIALS = os.path.join(ROOT, "potentials")
READ = """
units real
atom_style molecular
boundary {boundary}
read_data {data}
{pair}
fix move all nve
velocity all create 300.0 4711
run {steps}
write_dump all custom read.dump id mol type mass xu yu zu modify sort id format float %.10g
"""
PAIR = "pair_style zero 10.0\npair_coeff * *"    # copies lie in one place: too many neighbors for a pair style


def rows_of(path):
    """The rows of the section Atoms, read without LAMMPS: id, molecule, type, x, y, z."""
    with open(path) as file:
        body = file.read().split("Atoms # molecular\n")[1]
    return np.array([line.split("#")[0].split() for line in body.splitlines() if line], dtype=float)


def reads(lammps, path, boundary, atoms, steps=0, pair=PAIR):
    done = lammps.run(READ.format(boundary=boundary, data=path, steps=steps, pair=pair))
    wanted = rows_of(path)
    found = lammps.dump("read.dump").column
    require(f"{atoms} atoms" in done.output and len(wanted) == atoms, done.tail())
    require(not pair or "WARNING" not in done.output, done.tail())
    for k, name in enumerate(("id", "mol", "type")):
        require(np.array_equal(found[name], wanted[:, k]), f"{name}: {found[name]}")
    require(set(found["mass"]) == {110.0}, f"mass {set(found['mass'])}")
    if steps == 0:
        for k, name in enumerate(("xu", "yu", "zu"), 3):
            require(np.allclose(found[name], wanted[:, k], rtol=0, atol=1e-6), f"{name}: {found[name]}")


UBIQUITIN = os.path.join(POTENTIALS, "ubiquitin.data")


@pytest.mark.parametrize("boundary", ("s s s", "p p p", "f f f"))
def test_ubiquitin_boundary(lammps, boundary):
    reads(lammps, UBIQUITIN, boundary, 76)


@pytest.mark.parametrize("boundary", ("s s s", "p p p", "f f f"))
def test_ubiquitin_moves_boundary(lammps, boundary):
    reads(lammps, UBIQUITIN, boundary, 76, 100)


def made(lammps, name, *options):
    if importlib.util.find_spec("gemmi") is None:
        pytest.skip("gemmi is not installed")
    command = [sys.executable, os.path.join(ROOT, "tools", "pdb2sop"), name, "--out", lammps.path("made"), *options]
    done = subprocess.run(command, cwd=lammps.folder, capture_output=True, text=True)
    require(done.returncode == 0, done.stderr)
    return done.stdout


def test_copies_of_ubiquitin_with_and_without_comments(lammps):
    for number in (3, 300):
        made(lammps, os.path.join(POTENTIALS, "1ubq.pdb"), "--copies", str(number))
        reads(lammps, lammps.path("made.data"), "s s s", 76 * number, pair="")
        require(set(lammps.dump("read.dump").column["mol"]) == set(range(1, number + 1)), "molecules")


STEP = """
units real
atom_style molecular
boundary s s s
comm_modify cutoff 10
read_data made.data
timestep 1000.0
fix move all langevin/sop/gpu 300 300 {zeta} 4711 topology made.sop
run 0
"""


def test_longest_step(lammps):
    """The longest stable step that pdb2sop prints is the one of the fix."""
    cage = os.path.join(ROOT, "examples", "sop", "indent", "cage.pdb")
    for structure, zeta, *options in ((os.path.join(POTENTIALS, "1ubq.pdb"), "1.0075e6"), (cage, "4e5", "--assembly", "1"),
                                      (cage, "2e6", "--k", "45", "--eps-n", "3", "--side-chains", "5.2")):
        printed = made(lammps, structure, *options, "--zeta", zeta)
        step = float(re.search(r"^Longest stable step: (\S+) fs", printed, re.M)[1])
        done = lammps.run(STEP.format(zeta=zeta))
        most = float(re.search(r"at most (\S+) is stable", done.output)[1])
        require(0 <= most - step <= 1e-3 * most, f"pdb2sop {step}, the fix {most}")


def test_names_with_letters_that_mean_something_to_lammps(lammps):
    """Chains called # and &, and a title in quotes: all of it is in comments."""
    with open(os.path.join(POTENTIALS, "1ubq.pdb")) as file:
        lines = [line for line in file if line.startswith("ATOM")]
    for letter in "#&$\"'":
        text = "".join(line[:21] + letter + line[22:] for line in lines)
        lammps.write("odd.pdb", "TITLE     \"${A} & 'B' #\n" + text + "END\n")
        made(lammps, "odd.pdb")
        reads(lammps, lammps.path("made.data"), "p p p", 76)
