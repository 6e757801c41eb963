"""One trajectory, whatever computes it: from one restart file, 600 steps of a fluid of two types with
s = 0.25 must end in the same bits on any number of ranks and threads, with either neighbor list, on every
instruction set and on a GPU, whatever LAMMPS is asked to communicate, tally or print, in one run or in
several, with a restart file in between.

The fluid is chaotic: one differing bit in one force spreads over all atoms, so final states that agree in all digits of
x, v and f mean that every force of every step agreed.

Bits are promised for precision mixed and double. Everything here keeps to what LAMMPS itself does exactly:
one restart file, fix nve, and reneighboring at fixed steps, as that is when atoms are wrapped into the box.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import math
import re

import numpy as np
import pytest

from checks import Failed, require
from lammps_run import DIGITS, NO_GPU, STATE, difference

STEPS = 300
MASS = {1: 1.0, 2: 1.5}
DT = 0.005

# edges well above two cutoffs on each of 4 ranks; the fluid's density is 3
BOXES = {"orthogonal": "region box block 0 9 0 8 0 8",
         "triclinic": "region box prism 0 9 0 8 0 8 2.0 -1.5 1.0"}
ATOMS = 3 * 9 * 8 * 8

PREPARE = """
units lj
{region}
create_box 2 box
create_atoms 1 random {atoms} 9721 NULL
set type 1 type/fraction 2 0.4 881
mass 1 {mass1}
mass 2 {mass2}
{style}
neigh_modify every 5 delay 0 check no
fix move all nve
timestep {dt}
run 100
write_restart start.restart
write_dump all custom start.dump {state} {digits}
"""

STYLE = """
pair_style dpd/gpu 1.0 1.0 4711 precision {precision} backend {backend}
pair_coeff 1 1 25 4.5 power 0.25
pair_coeff 1 2 35 9 1.2 power 0.25
pair_coeff 2 2 15 3 0.8 power 0.25
"""

MEASURE = """
{before}
read_restart {start}.restart
{style}
neigh_modify every 5 delay 0 check no
fix move all nve
timestep {dt}
compute sum all pair dpd/gpu
thermo 100
thermo_style custom step temp press pe c_sum[1] c_sum[2] c_sum[3]
thermo_modify format float %.17g
{after}
write_dump all custom {name}.dump {state} {digits}
"""

# name: what differs from the first row. Keys: ranks, threads, isa, backend, run, steps; before, after:
# commands in front of and behind the restart file. A row for which `only` names a precision or a box is left out
# for the others: some need not be repeated for all four, and in a triclinic box LAMMPS rounds positions once more
# whenever a run begins, atoms are sorted or tiles are moved.
ROWS = {
    "1 rank": {},
    "2 ranks": {"ranks": 2},
    "3 ranks": {"ranks": 3, "only": "mixed"},
    "4 ranks": {"ranks": 4, "only": "mixed"},
    "2 threads": {"threads": 2},
    "2 ranks of 2 threads": {"ranks": 2, "threads": 2, "only": "mixed"},
    "base instructions": {"isa": "base", "only": "mixed"},
    "avx2 instructions": {"isa": "avx2"},
    "avx512 instructions": {"isa": "avx512"},
    "newton off, 2 ranks": {"ranks": 2, "before": "newton off", "only": "mixed"},
    # tiles are slow where ranks share cores
    "tiles of recursive bisection, moved every 50 steps": {
        "ranks": 3, "after": "comm_style tiled\nbalance 1.0 rcb\nfix even all balance 50 1.0 rcb",
        "only": "orthogonal, mixed", "steps": 200},
    "velocities of ghosts, wide reach": {
        "ranks": 2, "after": "comm_modify vel yes cutoff 2.5", "only": "mixed"},
    "skin 0.6": {"after": "neighbor 0.6 bin", "only": "mixed"},
    "skin 0.2, cutoffs by type, no sorting": {
        "ranks": 2, "after": "atom_modify sort 0 0\nneighbor 0.2 multi\ncomm_modify mode multi",
        "only": "orthogonal, mixed"},
    "ghosts asked for within less than the range, and short lists of LAMMPS": {
        "ranks": 2, "after": "comm_modify cutoff 0.4\nneigh_modify one 10 page 100", "only": "orthogonal, mixed", "steps": 200},
    "the same by collection": {
        "ranks": 3, "after": "neighbor 0.3 multi\nneigh_modify collection/type 2 1 2\n"
                             "comm_modify mode multi cutoff/multi * 0.4", "only": "orthogonal, mixed", "steps": 200},
    "energies and stresses tallied each step": {
        "after": "compute e all pe/atom pair\ncompute s all stress/atom NULL pair\n"
                 "compute most all reduce max c_e c_s[1]\nvariable e equal c_most[1]\n"
                 "fix tally all ave/time 1 1 1 c_most[1] c_most[2]"},
    "no output": {"ranks": 2, "after": "thermo 1000", "only": "mixed"},
    "split into two runs, a restart file in between": {
        "run": f"run {STEPS // 2}\nwrite_restart half\nrun {STEPS // 2}", "only": "orthogonal"},
    "split into ten runs, 2 ranks": {
        "ranks": 2, "run": f"run {STEPS} every {STEPS // 10} NULL", "only": "orthogonal, mixed"},
    "GPU": {"backend": "cuda"},
    "GPU, 2 ranks": {"backend": "cuda", "ranks": 2},
}

prepared = {}    # (box, precision) -> (restart file, dump of its atoms, final dump on one rank)


def momentum(dump):
    """Total momentum; fsum adds no rounding of its own."""
    mass = np.array([MASS[int(t)] for t in dump.column["type"]])
    return [math.fsum(mass * dump.column[name]) for name in ("vx", "vy", "vz")]


def check_momentum(start, end, steps):
    """Forces that sum to zero leave only the rounding of fix nve: for each atom and step two sums v + k f.

    The last bit of a double of size |v| is at most 2^-52 |v|, so an error, uniform over half of it to both
    sides, has a standard deviation of at most 2^-52 |v| / sqrt(12); k f is rounded too, and smaller than v.
    Errors of 2 N steps sums are independent and <m v^2> = kT = 1: sqrt(2 N steps m) 2^-52 / sqrt(12), with
    another half for k f and the largest mass. Allowed are five standard deviations."""
    sums = 2 * len(start.rows) * steps * max(MASS.values())
    allowed = 5 * 1.5 * math.sqrt(sums) * 2.0**-52 / math.sqrt(12.0)
    drift = max(abs(p - q) for p, q in zip(momentum(start), momentum(end)))
    require(drift <= allowed, f"momentum has changed by {drift:.3g}, rounding explains {allowed:.3g}")


def check_force_sum(done):
    for table in done.thermo:
        for name in ("c_sum[1]", "c_sum[2]", "c_sum[3]"):
            require(np.all(table[name] == 0.0), f"sum of all forces {name} is {table[name]}")


def check_fluid(start, end):
    """That something has happened, and that it is a fluid: else equal bits would mean little."""
    moved = np.sqrt(np.mean(np.sum((end.v - start.v)**2, axis=1)))
    mass = np.array([MASS[int(t)] for t in end.column["type"]])
    temperature = np.sum(mass[:, None] * end.v**2) / (3 * len(mass))
    require(moved > 1.0, f"velocities have changed by {moved} only")
    # one sample deviates by sqrt(2/3N) = 2 %, and a young mixture is still warm
    require(abs(temperature - 1.0) < 0.2, f"temperature is {temperature}")


def prepare(lammps, box, precision):
    style = STYLE.format(precision=precision, backend="host")
    lammps.run(PREPARE.format(region=BOXES[box], atoms=ATOMS, mass1=MASS[1], mass2=MASS[2], style=style,
                              dt=DT, state=STATE, digits=DIGITS))
    with open(lammps.path("start.restart"), "rb") as file:
        return file.read(), lammps.dump("start.dump")


def measure(lammps, row, precision, start, name, run):
    """A run from a restart file with the settings of a row; returns its final state."""
    style = STYLE.format(precision=precision, backend=row.get("backend", "host"))
    text = MEASURE.format(before=row.get("before", ""), start=start, style=style, dt=DT,
                          after=row.get("after", "") + "\n" + run, name=name, state=STATE, digits=DIGITS)
    ranks, threads = row.get("ranks", 1), row.get("threads", 1)
    done = lammps.run(text, ranks=ranks, threads=threads, env={"DPDSOP_ISA": row.get("isa")}, ok=False)
    for error in done.errors:
        if row.get("backend") == "cuda" and NO_GPU.search(error):
            pytest.skip("no GPU")
        if row.get("isa") and "not supported by this processor" in error:
            pytest.skip(f"no {row['isa']} on this processor")
    require(done.status == 0 and not done.errors, f"LAMMPS ended with {done.status}:\n{done.tail()}")

    # the row must have been what its name says
    wanted = "cuda" if row.get("backend") == "cuda" else rf"host backend \({row.get('isa') or '.*'}, {threads} "
    require(re.search(rf"{precision} precision, {wanted}.*own neighbor list", done.output),
            f"not run as wanted:\n{done.tail(60)}")
    check_force_sum(done)
    return lammps.dump(f"{name}.dump")


def reference(lammps, box, precision):
    """The state that all begin with, as a file and as a dump, and the one that a run on one rank ends with."""
    if (box, precision) not in prepared:
        restart, before = prepare(lammps, box, precision)
        end = measure(lammps, {}, precision, "start", "end", f"run {STEPS}")
        require(end.step == before.step + STEPS, f"ended at step {end.step}")
        check_momentum(before, end, STEPS)
        check_fluid(before, end)
        prepared[box, precision] = restart, before, end
    restart, before, end = prepared[box, precision]
    with open(lammps.path("start.restart"), "wb") as file:
        file.write(restart)
    return before, end


@pytest.mark.without_kokkos("instructions", "GPU", "tiles", "double: ")
@pytest.mark.parametrize("box, precision, row", [
    pytest.param(box, precision, row, id=f"{box}, {precision}: {name}")
    for box in BOXES
    for precision in ("mixed", "double")
    for name, row in ROWS.items()
    if row.get("only", precision) in (precision, box, f"{box}, {precision}")])
def test_same_bits(lammps, box, precision, row):
    before, wanted = reference(lammps, box, precision)
    if not row:
        return
    steps = row.get("steps", STEPS)
    if steps != STEPS:
        wanted = measure(lammps, {}, precision, "start", "wanted", f"run {steps}")
    end = measure(lammps, row, precision, "start", "end", row.get("run", f"run {steps}"))
    require(end.step == before.step + steps, f"ended at step {end.step}")
    check_momentum(before, end, steps)
    different = difference(end, wanted)
    if different:
        raise Failed(different)


@pytest.mark.without_kokkos("double: restart in the middle, 2")
@pytest.mark.parametrize("box, precision, writers, readers", [
    pytest.param(box, precision, writers, readers, id=f"{box}, {precision}: restart in the middle, {writers} rank(s) before and {readers}")
    for box in BOXES
    for precision in ("mixed", "double")
    if box == "orthogonal"
    for writers, readers in ((1, 1), (1, 2), (2, 1))])
def test_restart_in_the_middle(lammps, box, precision, writers, readers):
    """A run that is cut in the middle and goes on from the restart file written there."""
    before, wanted = reference(lammps, box, precision)
    half = STEPS // 2
    middle = before.step + half
    measure(lammps, {"ranks": writers, "after": f"restart {middle} part.*.restart"}, precision, "start", "through",
            f"run {half + 7}")    # past the file, so that it is written within a run
    end = measure(lammps, {"ranks": readers}, precision, f"part.{middle}", "continued", f"run {STEPS - half}")
    different = difference(end, wanted)
    if different:
        raise Failed(different)
