"""A box that is sheared or stretched together with its flow (fix deform with remap v): images of atoms move with it. The
same bits on any number of ranks and threads, with either neighbor list, with atoms that stay with the engine and on a
GPU; the viscosity of LAMMPS's own pair dpd in the same script; and a temperature that is the same everywhere across the
flow.

Forces are compared with LAMMPS's own in test_forces.py (like_lammps).

SPDX-License-Identifier: GPL-2.0-or-later
"""

import math

import numpy as np
import pytest

from checks import Failed, require
from lammps_run import BACKEND, DIGITS, NO_GPU, STATE, difference
from test_physics import mean

START, STEPS, DT = 300, 200, 0.005

# the box flips when it has been sheared by half an edge; the last row changes all that can be changed
DEFORMATIONS = {
    "sheared, flips": ("prism 0 9 0 8 0 8 0 0 0", "xy erate 0.5"),
    "stretched": ("block 0 9 0 8 0 8", "x erate 0.06 y erate -0.04 z trate -0.03"),
    "tilted in yz, flips": ("prism 0 9 0 8 0 8 2.0 -1.5 1.0", "x trate -0.02 yz erate 0.6"),
    "all edges": ("prism 0 9 0 8 0 8 2.0 -1.5 1.0",
                  "x wiggle 0.4 1.3 y trate -0.03 z erate 0.02 xy erate 0.3 xz wiggle 0.8 0.9 yz wiggle 0.5 1.1"),
}
ATOMS = 3 * 9 * 8 * 8

STYLE = """
pair_style dpd/gpu 1.0 1.0 4711 precision {precision} backend {backend}
pair_coeff 1 1 25 4.5 power 0.5
pair_coeff 1 2 35 9 1.2
pair_coeff 2 2 15 3 0.8
"""
PREPARE = """
units lj
region box {region}
create_box 2 box
create_atoms 1 random {atoms} 9721 NULL
set type 1 type/fraction 2 0.4 881
mass 1 1.0
mass 2 1.5
velocity all create 1.0 87 loop geom
{style}
neigh_modify every 5 delay 0 check no
fix move all nve
timestep {dt}
run {start}
write_restart start.restart
"""
MEASURE = """
{before}
read_restart {start}
run_style {run_style}
{style}
neigh_modify every 5 delay 0 check no
fix move all nve
fix shear all deform{gpu} 1 {deformation} remap v
timestep {dt}
compute sum all pair dpd/gpu
thermo 100
thermo_style custom step temp press pe c_sum[1] c_sum[2] c_sum[3]
thermo_modify format float %.17g
{run}
write_dump all custom end.dump {state} {digits}
"""

ROWS = {
    "1 rank": {},
    "2 ranks": {"ranks": 2},
    "3 ranks": {"ranks": 3},
    "4 ranks": {"ranks": 4},
    "2 threads, base instructions": {"threads": 2, "isa": "base"},
    "newton off, 2 ranks": {"ranks": 2, "before": "newton off"},
    "deform/gpu": {"gpu": "/gpu"},
    "resident": {"run_style": "verlet/gpu", "gpu": "/gpu"},
    "resident, own copies": {"run_style": "verlet/gpu", "gpu": "/gpu", "own_copies": "1"},
    "resident, 2 ranks": {"run_style": "verlet/gpu", "gpu": "/gpu", "ranks": 2},
    "LAMMPS's fix, resident": {"run_style": "verlet/gpu"},
    "double": {"precision": "double"},
    "double, 2 ranks": {"precision": "double", "ranks": 2},
    "double, resident, own copies": {"precision": "double", "run_style": "verlet/gpu", "gpu": "/gpu", "own_copies": "1"},
    "GPU": {"backend": "cuda"},
    "GPU, 2 ranks": {"backend": "cuda", "ranks": 2},
    "GPU, resident": {"backend": "cuda", "run_style": "verlet/gpu", "gpu": "/gpu"},
    "GPU, double, resident": {"backend": "cuda", "precision": "double", "run_style": "verlet/gpu", "gpu": "/gpu"},
}

prepared = {}    # deformation -> restart file; (deformation, precision) -> final dump


def style_of(row):
    return STYLE.format(precision=row.get("precision", "mixed"), backend=row.get("backend", "host"))


def start_file(lammps, name):
    if name not in prepared:
        lammps.run(PREPARE.format(region=DEFORMATIONS[name][0], atoms=ATOMS, style=style_of({}), dt=DT,
                                  start=START))
        with open(lammps.path("start.restart"), "rb") as file:
            prepared[name] = file.read()
    with open(lammps.path("start.restart"), "wb") as file:
        file.write(prepared[name])


def measure(lammps, name, row, run, start="start.restart"):
    text = MEASURE.format(before=row.get("before", ""), start=start, run_style=row.get("run_style", "verlet"),
                          style=style_of(row), gpu=row.get("gpu", ""), deformation=DEFORMATIONS[name][1], dt=DT, run=run, state=STATE,
                          digits=DIGITS)
    done = lammps.run(text, ranks=row.get("ranks", 1), threads=row.get("threads", 1), ok=False,
                      env={"DPDSOP_ISA": row.get("isa"), "DPDSOP_OWN_COPIES": row.get("own_copies")})
    if row.get("backend") == "cuda" and any(NO_GPU.search(error) for error in done.errors):
        pytest.skip("no GPU")
    require(done.status == 0 and not done.errors, f"LAMMPS ended with {done.status}:\n{done.tail()}")
    for table in done.thermo:
        require(all(np.all(table[f"c_sum[{k}]"] == 0.0) for k in (1, 2, 3)), "the sum of all forces is not zero")
    return lammps.dump("end.dump")


def first_of(lammps, name, precision):
    """The state that all rows must end in: on one rank, with LAMMPS's own run style."""
    if (name, precision) not in prepared:
        start_file(lammps, name)
        prepared[name, precision] = measure(lammps, name, {"precision": precision}, f"run {STEPS}")
    return prepared[name, precision]


@pytest.mark.parametrize("name, row", [
    pytest.param(name, row, id=f"{name}: {row_name}")
    for name in DEFORMATIONS
    for row_name, row in ROWS.items()
    if name == "all edges" or row.get("precision") != "double"])
def test_same_bits(lammps, name, row):
    wanted = first_of(lammps, name, row.get("precision", "mixed"))
    start_file(lammps, name)
    end = measure(lammps, name, row, f"run {STEPS}")
    different = difference(end, wanted)
    if different:
        raise Failed(different)
    if not row:    # else equal bits would mean little
        crossings = int(np.abs(end.vectors("ix", "iy", "iz")).sum())
        require(crossings > 500, f"only {crossings} times has an atom crossed a face")


def test_a_run_with_pre_no(lammps):
    """A run with pre no: atoms outside the box have the velocity of their place.

    The set-up of such a run wraps no atoms; its forces are those of velocities at the end of the step before."""
    name = "sheared, flips"
    found = []
    for ranks in (1, 2):
        start_file(lammps, name)
        found.append(measure(lammps, name, {"ranks": ranks}, "run 58\nrun 60 pre no\nrun 61"))
    different = difference(*found)
    if different:
        raise Failed(different)


FLOW = """
units lj
comm_modify vel yes
region box prism 0 10 0 10 0 10 {tilt} 0 0
create_box 1 box
create_atoms 1 random 3000 9721 NULL
mass 1 1.0
velocity all create 1.0 87 loop geom mom yes
velocity all ramp vx 0 10 y 0 10 sum yes
neigh_modify every 5 delay 0 check no
timestep 0.01
{style}
pair_coeff 1 1 25 4.5
fix move all nve
compute warm all temp/deform
compute stress all pressure warm
compute across all chunk/atom bin/1d y lower 0.1 units reduced
fix profile all ave/chunk 4 25 100 across temp bias warm adof 3.0 file profile.dat
thermo 10
thermo_style custom step c_warm c_stress[4]
thermo_modify format float %.17g
{run}
"""
FLIPPED_BY_FIX = "fix shear all deform 1 xy erate 1.0 remap v\nrun 5000\n"
# Run 0 takes all atoms into the box with their velocities before it is flipped.
FLIPPED_BY_HAND = """
fix shear all deform 1 xy erate 1.0 remap v flip no
label again
variable k loop 5
run 1000
run 0
change_box all xy final -5.0 units box
next k
jump SELF again
"""


def flow(lammps, style, run, tilt):
    """Stresses and temperatures of the last 4,000 steps, and temperatures by block of time and place."""
    tables = lammps.run(FLOW.format(style=style, run=run, tilt=tilt), timeout=900).thermo
    rows = {name: np.concatenate([t[name][1:] for t in tables]) for name in tables[0]}
    series = {name: values[100:] for name, values in rows.items()}
    require(len(series["c_warm"]) == 400, f"{len(series['c_warm'])} samples")
    with open(lammps.path("profile.dat"), encoding="ascii") as file:
        lines = [line.split() for line in file if not line.startswith("#")]
    bins = np.array([line for line in lines if len(line) == 4], dtype=float)
    return series, bins[:, 3].reshape(-1, 10)[10:]


@pytest.mark.statistical
def test_viscosity(lammps):
    """Viscosity and temperature at shear rate 1, as of LAMMPS's pair dpd; the temperature's profile is flat.

    Means of blocks as in test_physics.py; allowed are four standard errors. The thermostat carries away what the shear
    puts in: the temperature is above 1, with either style. With LAMMPS's own style the box is flipped by hand: where fix
    deform does it, atoms keep the velocity of the face that they have left (fix_dpd_gpu_wrap.cpp), and it is 1.17."""
    mine, profile = flow(lammps, f"pair_style dpd/gpu 1.0 1.0 4711 backend {BACKEND}", FLIPPED_BY_FIX, 0)
    theirs, _ = flow(lammps, "pair_style dpd 1.0 1.0 4711", FLIPPED_BY_HAND, -5)
    report = []
    for column in ("c_stress[4]", "c_warm"):
        (a, da), (b, db) = mean(mine[column]), mean(theirs[column])
        error = math.hypot(da, db)
        report.append(f"{column} {a:.4f} and {b:.4f} +- {error:.4f}")
        require(abs(a - b) <= 4.0 * error, report[-1])
    require(mean(mine["c_stress[4]"])[0] < -10.0 * mean(mine["c_stress[4]"])[1], "no viscosity is seen")
    bins, error = profile.mean(axis=0), profile.std(axis=0, ddof=1) / math.sqrt(len(profile))
    away = np.abs(bins - bins.mean()) / error
    require(away.max() <= 4.0, f"temperature of a bin is off by {away.max():.1f} standard errors: {bins}")
    print(", ".join(report) + f", bins within {away.max():.1f} standard errors")
