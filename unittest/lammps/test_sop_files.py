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


TWO_BEADS = STEP.replace("run 0", "thermo_style custom step f_move[1] f_move[2] f_move[3] f_move[4] f_move[6]\n"
                         "thermo_modify format float %.10g\nthermo 500\nrun 0\ntimestep 5000.0\nrun 2000")


def test_two_beads_per_residue(lammps):
    """Energies of the native structure are those of the formulas, and the protein stays folded at 300 K."""
    made(lammps, os.path.join(POTENTIALS, "1ubq.pdb"), "--beads", "ca-cb")
    x = rows_of(lammps.path("made.data"))[:, 3:]
    bonds, contacts = (pairs_in(lammps.path("made.sop"), title) for title in ("Bonds", "Contacts"))
    require((len(x), len(bonds)) == (146, 145), f"{len(x)} beads, {len(bonds)} bonds")
    i, j = np.triu_indices(len(x), 1)
    r = np.linalg.norm(x[i] - x[j], axis=1)
    angle = np.array([(a, a + 1) in bonds and (b - 1, b) in bonds and b == a + 2 for a, b in zip(i, j)])
    other = np.array([(a, b) not in bonds and (a, b) not in contacts for a, b in zip(i, j)]) & ~angle & (r < 11.4)
    # energies at the native structure: of bonds and contacts to the rounding of the distances in the file
    wanted = 0.0, -1.5 * len(contacts), np.sum((3.8 / r[other])**6), np.sum((3.8 / r[angle])**6)
    done = lammps.run(TWO_BEADS.format(zeta="1.0075e6"))
    found = [done.thermo[0][name][0] for name in (f"f_move[{k}]" for k in (1, 2, 3, 4))]
    require(np.allclose(found, wanted, rtol=0, atol=2e-4), f"energies {found}, wanted {wanted}")
    intact = done.thermo[1]["f_move[6]"]
    require(min(intact) > 0.8, f"contacts intact {intact}")


def pairs_in(path, title):
    """Of a section of a .sop file, numbers from 0."""
    with open(path) as file:
        text = file.read().split(f"\n{title}\n\n")[1].split("\n\n")[0]
    return {tuple(int(word) - 1 for word in line.split()[:2]) for line in text.splitlines()}


def test_names_with_letters_that_mean_something_to_lammps(lammps):
    """Chains called # and &, and a title in quotes: all of it is in comments."""
    with open(os.path.join(POTENTIALS, "1ubq.pdb")) as file:
        lines = [line for line in file if line.startswith("ATOM")]
    for letter in "#&$\"'":
        text = "".join(line[:21] + letter + line[22:] for line in lines)
        lammps.write("odd.pdb", "TITLE     \"${A} & 'B' #\n" + text + "END\n")
        made(lammps, "odd.pdb")
        reads(lammps, lammps.path("made.data"), "p p p", 76)
