"""The bits of pair_style dpd/gpu as they were recorded: 1,000 steps from a given state must end in the state of
which the SHA-256 is written here, whatever computes them.

test_exactness.py compares ways to compute one trajectory with each other, so it cannot notice a change that moves
all of them alike: another order of operations in the one source of all code paths, another hash, another rounding
of positions. This test does. The fluid is chaotic: one differing bit in one force spreads over all atoms.

The state at the start is a function of this file alone. Integers from splitmix64 become positions and velocities
by exactly rounded operations, as velocities from LAMMPS depend on the order of its sums. LAMMPS reads them from a
data file with 17 digits and writes a restart file, from which each case starts. What is hashed are the lines of the
atoms in the dump at the end: ID, x, v and f with 17 digits, sorted by ID.

Part of the record is the rounding of LAMMPS: of fix nve, of wrapping into the box, and of the conversion to
fractions of a triclinic box and back. It is that of baseline x86-64, on which v + (dt/2m) f is a product and a sum,
each rounded. A LAMMPS that has been compiled to fuse them (-march=native, most other processors) gives other bits
with the same forces. For that there is a case 'LAMMPS alone' for each box, with constant forces and without
dpd/gpu: where it fails, the failure of others says nothing about the pair style. Bonds exert no forces here, as
LAMMPS sums those in an order that depends on the ranks; they are there for special_bonds.

A record may change only where the bits are meant to: then

    test_recorded_bits.py --print

prints the table RECORDED as this build computes it, by the first case of each box and precision. Other arguments
select cases, as for all tests here.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pytest

import hashlib
import os
import re
import sys
import tempfile

from checks import require
from lammps_run import DIGITS, NO_GPU, Lammps

STEPS = 1000
TYPES = 2
BEADS = 4    # of a chain: partners at all three distances of special_bonds
COLUMNS = "id x y z vx vy vz fx fy fz"

# Edges and tilts xy, xz, yz; density 3. The largest cutoff and the skin are 1.5 together. The rod is shorter than twice
# that in y, and shorter than that in z: there are ghosts of ghosts, and atoms meet several images of their partners.
BOXES = {
    "orthogonal": {"edges": (9.0, 7.0, 6.0), "style": "bond", "chains": 60, "seed": 101},
    "triclinic": {"edges": (8.0, 7.0, 6.5), "tilts": (2.0, -1.5, 1.0), "style": "atomic", "chains": 0, "seed": 102},
    "rod": {"edges": (100.0, 2.5, 1.4), "style": "molecular", "chains": 60, "seed": 103},
}
PRECISIONS = ("mixed", "double")

# box, and precision or "LAMMPS alone": SHA-256
RECORDED = {
    ("orthogonal", "LAMMPS alone"): "75f912504485e821c75cf8654aeac293b9f41b8fef0d11b23a44aaf5597fb4ef",
    ("orthogonal", "mixed"): "dee2a8d642038cf5ca2dd2fb9a1090ce1d55f7bcbe8de618a2677cfcb1f821d4",
    ("orthogonal", "double"): "cd1d2debb62ba6ffccfd550f52862e7a7b136fefa31fd7787c5a1ed953ac4437",
    ("triclinic", "LAMMPS alone"): "9abbbfe2aa15f8d2055b3c61c48d84e5acf45d6029bc158daa4e2a51a9396427",
    ("triclinic", "mixed"): "57c24813d0c33e4d60add0e892c4a4a5066dfbba6116d908692a8bb298672168",
    ("triclinic", "double"): "7f8a6cad6d5180fd03aef385e6578d99f847062fe516796c6c5b3a0901304103",
    ("rod", "LAMMPS alone"): "89afd0dfb0ccbbd5034f81f4b44bdbb21a0f34b27b6443b47b0d36c88633e9a4",
    ("rod", "mixed"): "89825049b2992ef3920903b5e7e007a16a9ef5b2b29a9ecbe9c5dc5397ae196d",
    ("rod", "double"): "624e4ecfc20cff4dc2bf44acc413ecf32846a8ba7a6a84bf88382ce6abf6d8d5",
}

PREPARE = """
units lj
atom_style {style}
read_data start.data
mass 1 1.0
mass 2 1.5
write_restart start.restart
"""

MEASURE = """
read_restart start.restart
{bonds}
{pair}
neighbor 0.3 bin
neigh_modify every 4 delay 0 check no
fix move all nve
timestep 0.005
thermo {steps}
run {steps}
write_dump all custom end.dump {columns} {digits}
"""

# partners that have gone too far from each other are no error here
BONDS = """
bond_style zero
bond_coeff *
special_bonds lj 0.0 0.4 0.7
thermo_modify lost/bond ignore
"""

PAIR = """
pair_style dpd/gpu 1.0 1.0 4711 precision {precision} backend {backend}
pair_coeff 1 1 25 4.5
pair_coeff 1 2 35 9 1.2 power 0.25
pair_coeff 2 2 15 3 0.8
"""

ALONE = """
pair_style zero 1.2
pair_coeff * *
fix push all addforce 0.37 -0.23 0.11
"""

# Keys: ranks, threads, isa, backend; and `boxes`, where these are not all. Every value of each key occurs in
# both precisions, but not every combination, as test_exactness.py is there for these.
ROWS = {
    "1 rank": {},
    "3 ranks": {"ranks": 3, "boxes": "orthogonal"},
    "4 ranks": {"ranks": 4, "boxes": "triclinic"},
    "2 threads": {"threads": 2, "boxes": "rod"},
    "2 ranks": {"ranks": 2, "boxes": "rod"},
    "base instructions": {"isa": "base", "boxes": "orthogonal"},
    "avx2 instructions": {"isa": "avx2", "boxes": "orthogonal triclinic"},
    "avx512 instructions": {"isa": "avx512", "boxes": "rod"},
    "GPU": {"backend": "cuda"},
    "GPU, 2 ranks": {"backend": "cuda", "ranks": 2},
}

restarts = {}            # box -> restart file
no_gpu = []              # a word, once a case has found no GPU: the others need not look again
alone_differs = set()    # boxes in which LAMMPS alone does not give what is recorded


# --------------------------------------------------------------------------------- state at the start

class Draw:
    """splitmix64 (Steele, Lea & Flood 2014), and numbers made of its words without a rounding that could differ."""

    MASK = 2**64 - 1

    def __init__(self, seed):
        self.state = seed

    def word(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & self.MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & self.MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & self.MASK
        return z ^ (z >> 31)

    def uniform(self):
        """In [0,1)."""
        return (self.word() >> 11) * 2.0**-53

    def normal(self):
        """Nearly, with deviation 1: the sum of twelve uniform numbers, as logarithms are not the same everywhere."""
        return (sum(self.word() >> 32 for _ in range(12)) - 6 * 2**32) * 2.0**-32


def data_file(edges, style, chains, seed, tilts=(0.0, 0.0, 0.0)):
    """Chains first, each a short walk, then single atoms; all fractions of the box, and velocities."""
    draw = Draw(seed)
    count = round(3 * edges[0] * edges[1] * edges[2])
    xy, xz, yz = tilts
    atoms, velocities, bonds = [], [], []
    for tag in range(1, count + 1):
        if tag > chains * BEADS or tag % BEADS == 1:
            at = [draw.uniform() for _ in range(3)]
        else:
            at = [(a + (draw.uniform() - 0.5) / edge) % 1.0 for a, edge in zip(at, edges)]
            bonds.append((tag - 1, tag))
        x = (edges[0] * at[0] + xy * at[1] + xz * at[2], edges[1] * at[1] + yz * at[2], edges[2] * at[2])
        kind = 1 if draw.uniform() < 0.6 else 2
        molecule = "" if style == "atomic" else f"{(tag - 1) // BEADS + 1 if tag <= chains * BEADS else 0} "
        atoms.append(f"{tag} {molecule}{kind} " + " ".join(f"{c:.17g}" for c in x))
        velocities.append(f"{tag} " + " ".join(f"{draw.normal():.17g}" for _ in range(3)))
    lines = ["recorded bits", "", f"{count} atoms", f"{TYPES} atom types"]
    if bonds:
        lines += [f"{len(bonds)} bonds", "1 bond types"]
    lines += [f"0 {edge:.17g} {axis}lo {axis}hi" for axis, edge in zip("xyz", edges)]
    if any(tilts):
        lines += [f"{xy:.17g} {xz:.17g} {yz:.17g} xy xz yz"]
    lines += ["", f"Atoms # {style}", "", *atoms, "", "Velocities", "", *velocities]
    if bonds:
        lines += ["", "Bonds", "", *(f"{k} 1 {i} {j}" for k, (i, j) in enumerate(bonds, 1))]
    return "\n".join(lines) + "\n"


def prepare(lammps, box):
    """The box's restart file, made once and by one process, so that all cases start from the same bytes."""
    if box not in restarts:
        lammps.write("start.data", data_file(**BOXES[box]))
        lammps.run(PREPARE.format(style=BOXES[box]["style"]))
        with open(lammps.path("start.restart"), "rb") as file:
            restarts[box] = file.read()
    with open(lammps.path("start.restart"), "wb") as file:
        file.write(restarts[box])


# -------------------------------------------------------------------------------------------- cases

def measure(lammps, box, pair, **how):
    """What LAMMPS printed, and the SHA-256 of the state at the end."""
    prepare(lammps, box)
    done = lammps.run(MEASURE.format(bonds=BONDS if BOXES[box]["chains"] else "", pair=pair, steps=STEPS,
                                     columns=COLUMNS, digits=DIGITS), ok=False, **how)
    if done.status or done.errors:
        return done, None
    end = lammps.dump("end.dump")
    require(end.step == STEPS, f"ended at step {end.step}")
    return done, hashlib.sha256("".join(row.rstrip() + "\n" for row in end.rows).encode()).hexdigest()


def measure_row(lammps, box, precision, row):
    backend, isa = row.get("backend", "host"), row.get("isa")
    ranks, threads = row.get("ranks", 1), row.get("threads", 1)
    if backend == "cuda" and no_gpu:
        pytest.skip(no_gpu[0])
    done, found = measure(lammps, box, PAIR.format(precision=precision, backend=backend), ranks=ranks,
                          threads=threads, env={"DPDSOP_ISA": isa})
    for error in done.errors:
        if backend == "cuda" and NO_GPU.search(error):
            no_gpu.append("no GPU")
            pytest.skip(no_gpu[0])
        if isa and "not supported by this processor" in error:
            pytest.skip(f"no {isa} on this processor")
    require(found, f"LAMMPS ended with {done.status}:\n{done.tail()}")

    # the row must have been what its name says
    wanted = "cuda" if backend == "cuda" else rf"host backend \({isa or '.*'}, {threads} "
    require(re.search(rf"{precision} precision, {wanted}.*own neighbor list", done.output) and
            f" with {ranks} MPI tasks " in done.output, f"not run as wanted:\n{done.tail(60)}")
    return found


def measure_alone(lammps, box):
    done, found = measure(lammps, box, ALONE)
    require(found, f"LAMMPS ended with {done.status}:\n{done.tail()}")
    return found


def difference(box, what, name, found):
    """What to say where the bits are not those recorded."""
    recorded = RECORDED.get((box, what), "nothing")
    if found == recorded:
        return ""
    return (f"{box} box, {what}, case '{name}': bits differ from those recorded:\n    found    {found}\n"
            f"    recorded {recorded}")


@pytest.mark.parametrize("box", BOXES)
def test_lammps_alone(lammps, box):
    text = difference(box, "LAMMPS alone", "LAMMPS alone", measure_alone(lammps, box))
    if text:
        alone_differs.add(box)
    require(not text, text)


@pytest.mark.parametrize("box, precision, name, row", [
    pytest.param(box, precision, name, row, id=f"{box}, {precision}: {name}")
    for box in BOXES
    for precision in PRECISIONS
    for name, row in ROWS.items()
    if box in row.get("boxes", box)])
def test_recorded_bits(lammps, box, precision, name, row):
    text = difference(box, precision, name, measure_row(lammps, box, precision, row))
    if text and box in alone_differs:
        text += "\n    but so do those of LAMMPS alone: this says nothing about pair_style dpd/gpu"
    require(not text, text)


def print_records():
    for box in BOXES:
        with tempfile.TemporaryDirectory(prefix="run-", dir=".") as folder:
            lammps = Lammps(os.path.abspath(folder))
            print(f'    ("{box}", "LAMMPS alone"): "{measure_alone(lammps, box)}",', flush=True)
            for precision in PRECISIONS:
                print(f'    ("{box}", "{precision}"): "{measure_row(lammps, box, precision, {})}",', flush=True)


if __name__ == "__main__":
    if "--print" in sys.argv[1:]:
        print_records()
