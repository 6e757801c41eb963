"""Fix deform/gpu: the bits of LAMMPS's fix deform in all of its styles, under both run styles, on any number of ranks, across
flips and after a restart; the engine goes through its steps alone; errors are LAMMPS's.

More of run_style verlet/gpu in boxes that change: test_resident_box.py, test_resident_bonds.py, test_shear.py.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import pytest

from checks import require
from lammps_run import BACKEND

pytestmark = pytest.mark.copies_in_turn

START = """
units lj
lattice sc 0.8
region box prism 0 9 0 8 0 10 1.3 -0.7 1.1 units box
create_box 2 box
create_atoms 1 random 2000 7711 box
set group all type/fraction 2 0.3 771
mass 1 1.0
mass 2 1.7
velocity all create 1.0 87287 loop geom
{box}
write_data start.data nocoeff
"""
STRAIGHT = "change_box all xy final 0 xz final 0 yz final 0 remap units box\nchange_box all ortho"

INPUT = """
units lj
lattice sc 0.8
{read}
mass 1 1.0
mass 2 1.7
pair_style dpd/gpu 1.0 1.0 34387 backend {backend}
pair_coeff * * 25.0 4.5
run_style {run_style}
neighbor 0.3 bin
neigh_modify {rule}
atom_modify sort 25 0.0
timestep 0.005
group two type 2
variable h equal 0.3*sin(0.05*step)
variable rate equal 0.3*cos(0.05*step)
fix 1 all nve
fix 2 {deform}
compute warm all temp/deform
thermo 10
thermo_style custom step press pxx pxy xlo xhi ylo yhi zlo zhi xy xz yz c_warm
thermo_modify format float %.17g
dump d all custom 20 all.dump id type x y z vx vy vz fx fy fz ix iy iz
dump_modify d sort id format float %.17g
{run}
write_dump all custom {name}.dump id x y z vx vy vz ix iy iz modify sort id format float %.17g
"""
RULES = ("every 5 delay 0 check no", "every 1 delay 0 check yes")
RUN = "run 50\nrun 30"
TILTED = True

# name: arguments behind the group and {deform}, whether the box is triclinic
STYLES = {
    "final": ("1 x final -0.2 9.5 y final 0.1 8 units box", False),
    "final, tilt": ("1 xy final 2.0 xz final 0.5 yz final -1.0 units box", TILTED),
    "delta": ("1 x delta -0.2 0.3 z delta 0.1 -0.1 units box", False),
    "delta, tilt": ("1 xy delta 0.7 yz delta -0.4 units box", TILTED),
    "scale": ("1 x scale 1.1 y scale 0.95", False),
    "scale, every 7 steps": ("7 x scale 1.1 y scale 0.95", False),
    "vel": ("1 x vel 0.5 y vel -0.4 units box", False),
    "vel, tilt": ("1 xy vel 1.1 xz vel -0.7 units box", TILTED),
    "vel, units lattice": ("1 x vel 0.5 xy vel 1.0", TILTED),
    "erate": ("1 x erate 0.2 y erate -0.1", False),
    "erate, tilt": ("1 xy erate 0.6 yz erate -0.3", TILTED),
    "trate": ("1 x trate 0.2 z trate -0.1", False),
    "trate, tilt": ("1 xy trate 0.6 yz trate -0.5", TILTED),
    "volume, one from one": ("1 x erate 0.2 y volume", False),
    "volume, two from one": ("1 x erate 0.2 y volume z volume", False),
    "volume, one from two": ("1 x erate 0.2 y vel -0.1 z volume units box", False),
    "wiggle": ("1 x wiggle 0.4 0.3 z wiggle -0.3 0.5 units box", False),
    "wiggle, tilt": ("1 xy wiggle 0.8 0.3 xz wiggle -0.5 0.5 units box", TILTED),
    "variable": ("1 x variable v_h v_rate", False),
    "variable, tilt": ("1 xy variable v_h v_rate xz erate 0.1", TILTED),
    "flips of xy": ("1 xy erate 1.6", TILTED),
    "flips of xz": ("1 xz erate -1.2", TILTED),
    "flips of yz": ("1 yz erate 1.2", TILTED),
    "flips of two": ("3 xy erate 1.6 xz erate 1.2", TILTED),
    "flip no": ("1 xy erate 1.5 flip no", TILTED),
    "all": ("2 x wiggle 0.4 1.3 y trate -0.03 z volume xy erate 1.5 xz wiggle 0.8 0.9 yz wiggle 0.3 0.9 units box", TILTED),
}


def text(case, who="all", gpu="", run_style="verlet", rule=RULES[0], remap="v", **other):
    row = dict(read="read_data start.data", run=RUN, name="end", deform=f"{who} deform{gpu} {case[0]} remap {remap}",
               run_style=run_style, rule=rule, backend=BACKEND)
    row.update(other)
    return INPUT.format(**row)


def start(lammps, case):
    lammps.make("start.data", START.format(box="" if case[1] else STRAIGHT))


def read(lammps, *names):
    found = []
    for name in names:
        with open(lammps.path(name), encoding="ascii") as file:
            found.append(file.read())
    return found


def thermo(done):
    """All columns but the last two, which are made of sums that differ in their last digits."""
    return [line.split() for line in re.findall(r"^ +\d+ +[-0-9.].*$", done.output, re.M)]


def boxes(done):
    return [row[4:13] for row in thermo(done)]


def flips(done):
    """The tilt jumps back."""
    tilts = [[float(word) for word in row[10:13]] for row in thermo(done)]
    return sum(abs(a - b) > 3.0 for one, other in zip(tilts, tilts[1:]) for a, b in zip(one, other))


def same_bits(lammps, case, remap, rule, who="all"):
    """LAMMPS's own fix on one rank gives what is expected."""
    start(lammps, case)
    own = lammps.run(text(case, who, rule=rule, remap=remap))
    expected = read(lammps, "all.dump", "end.dump")
    require(len(re.findall("ITEM: TIMESTEP", expected[0])) >= 4 and len(boxes(own)) >= 8, "too little to compare")
    require(boxes(own)[0] != boxes(own)[-1], "the box has not changed")
    require(flips(own) or "flips" not in "".join(name for name, c in STYLES.items() if c is case), "the box has not flipped")
    for gpu, run_style, ranks in (("/gpu", "verlet", 1), ("/exact/gpu", "verlet", 3), ("/gpu", "verlet/gpu", 1),
                                  ("/gpu", "verlet/gpu", 2), ("/exact/gpu", "verlet/gpu", 4)):
        done = lammps.run(text(case, who, gpu, run_style, rule, remap), ranks=ranks)
        what = f"{ranks} ranks, {run_style}"
        require(boxes(done) == boxes(own), f"{what}: other boxes than those of fix deform:\n{boxes(done)}\n{boxes(own)}")
        require(read(lammps, "all.dump", "end.dump") == expected, f"{what}: another trajectory than with fix deform")
        for one, other in zip(thermo(own), thermo(done)):
            for a, b in zip(one, other):
                require(abs(float(a) - float(b)) <= 1e-11 * max(1.0, abs(float(a))), f"{what}: thermo\n    {one}\n    {other}")
        if run_style == "verlet/gpu" and ranks == 1:
            require(f"2 (deform{gpu})" in done.output, f"the fix is not resident:\n{done.tail()}")
            goes_alone(done)


def goes_alone(done):
    """But for flips, and rebuilds in their steps."""
    require("wrap and lists: resident" in done.output, f"lists are not the engine's:\n{done.tail()}")
    took = [int(n) for n in re.findall(r"LAMMPS took part in (\d+) of", done.output)]
    reasons = re.findall(r"LAMMPS took part in .* steps, as (.*)", done.output)
    require(not done.own_copies or "DPD_GPU_WRAP" not in done.output, f"LAMMPS flips the box:\n{done.tail()}")
    require(sum(took) <= 8 and all("lists were to be rebuilt" in why for why in reasons), f"LAMMPS takes part:\n{done.output}")


@pytest.mark.tree("all, remap", "flips of two", "volume, one from two", "vel, tilt", "wiggle")
@pytest.mark.parametrize("case, remap, rule", [
    pytest.param(case, remap, RULES[1 if remap == "none" else (k // 2) % 2], id=f"{name}, remap {remap}")
    for k, (name, case) in enumerate(STYLES.items())
    for j, remap in enumerate(("v", "x", "none"))
    if j == k % 2 or name in ("all", "flips of two")])
def test_same_bits(lammps, case, remap, rule):
    same_bits(lammps, case, remap, rule)


def test_same_bits_atoms_of_a_group(lammps):
    same_bits(lammps, STYLES["all"], "x", RULES[1], "two")


@pytest.mark.tree("erate, tilt", "flips of xy")
@pytest.mark.parametrize("run_style", ("verlet", "verlet/gpu"))
@pytest.mark.parametrize("name", ("erate, tilt", "trate", "volume, two from one", "flips of xy", "final"))
def test_goes_on(lammps, name, run_style):
    """From a file written in the middle of a run, and in two parts: as fix deform does. It changes the box after the forces of a
    step, so the forces that a run begins with are those of another box than in a run that goes on."""
    case = STYLES[name]
    start(lammps, case)
    states = []
    for gpu, style, ranks in (("", "verlet", 1), ("/gpu", run_style, 2)):
        for what, more in (("whole", {"run": "restart 30 mid.*.restart\nrun 60 start 0 stop 60"}),
                           ("rest", {"read": "read_restart mid.30.restart", "run": "run 30 start 0 stop 60"}),
                           ("parts", {"run": "run 30 start 0 stop 60\nrun 30 start 0 stop 60"})):
            lammps.run(text(case, gpu=gpu, run_style=style, name=what, **more), ranks=ranks if what == "rest" else 1)
        states.append(read(lammps, "whole.dump", "rest.dump", "parts.dump"))
    for k, what in enumerate(("whole", "after a restart", "in parts")):
        require(states[0][k] == states[1][k], f"another state than with fix deform, {what}")
    require(states[0][1] != states[0][0], "the file is not read")


@pytest.mark.tree
def test_rescale(lammps):
    """Erate/rescale, which some versions of LAMMPS have, is left to LAMMPS: the same bits, across flips."""
    case = ("1 x erate 0.2 xy erate/rescale 1.1", TILTED)
    start(lammps, case)
    own = lammps.run(text(case, remap="x"), ok=False)
    if any("erate/rescale" in error for error in own.errors):
        pytest.skip("LAMMPS's fix deform has no style erate/rescale")
    require(own.status == 0 and flips(own), f"no run with flips\n{own.tail()}")
    expected = read(lammps, "all.dump", "end.dump")
    for run_style, ranks in (("verlet", 1), ("verlet/gpu", 1), ("verlet/gpu", 2)):
        done = lammps.run(text(case, gpu="/gpu", run_style=run_style, remap="x"), ranks=ranks)
        require(boxes(done) == boxes(own) and read(lammps, "all.dump", "end.dump") == expected, f"{run_style}, {ranks} ranks: other bits")
        require(run_style == "verlet" or "fix 2: style erate/rescale" in done.output, f"the log does not say why\n{done.tail()}")


def test_with_suffix_gpu_the_fix_of_this_package_is_taken(lammps):
    case = STYLES["erate, tilt"]
    start(lammps, case)
    done = lammps.run("suffix gpu\n" + text(case))
    require("2 (deform/gpu)" in done.output, f"it is not resident:\n{done.tail()}")


def test_lammps_fix_the_log_says_that_this_package_has_one(lammps):
    case = STYLES["erate, tilt"]
    start(lammps, case)
    done = lammps.run(text(case, run_style="verlet/gpu"))
    require("fix 2 (deform) by LAMMPS" in done.output and "deform/exact/gpu would be resident" in done.output, done.tail())


# ---- what is wrong, and how the error text begins
REFUSED = {
    "no arguments": ("all deform{gpu}", "Illegal fix deform"),
    "every 0": ("all deform{gpu} 0 x erate 0.1", "Fix deform Nevery must be > 0"),
    "a style": ("all deform{gpu} 1 x pull 0.1", "Illegal fix deform command argument: pull"),
    "a keyword": ("all deform{gpu} 1 x erate 0.1 speed 2", "Unknown fix deform keyword: speed"),
    "remap": ("all deform{gpu} 1 x erate 0.1 remap y", "Illegal fix deform remap command: y"),
    "tilt of an orthogonal box": ("all deform{gpu} 1 xy erate 0.1", "Fix deform tilt factors require triclinic box"),
    "volume alone": ("all deform{gpu} 1 x volume", "Fix deform volume setting is invalid"),
    "a period of 0": ("all deform{gpu} 1 x wiggle 0.1 0", "Illegal fix deform wiggle period, must be positive"),
    "no variable": ("all deform{gpu} 1 x variable v_no v_rate", "Fix deform/gpu: variable no does not exist"),
    "too short": ("all deform{gpu} 1 x erate -10", "Final box dimension due to fix deform/gpu is < 0.0"),
    "two of them": ("all deform{gpu} 1 x erate 0.1\nfix 3 all deform{gpu} 1 y erate 0.1", "More than one fix deform"),
    "two of them, one LAMMPS's": ("all deform{gpu} 1 x erate 0.1\nfix 3 all deform 1 y erate 0.1", "More than one fix deform"),
    "a barostat of this axis": ("all deform{gpu} 1 x erate 0.1\nfix 3 all press/berendsen/gpu x 25 25 1.0",
                                "Must not have multiple fixes change box parameter x"),
    "LAMMPS's barostat of this axis": ("all deform{gpu} 1 x erate 0.1\nfix 3 all press/berendsen x 25 25 1.0",
                                       "Must not have multiple fixes change box parameter x"),
    "some atoms with remap v": ("two deform{gpu} 1 x erate 0.1 remap v", "Pair dpd/gpu: fix deform has remap v for atoms of a group"),
}


@pytest.mark.tree("a barostat of this axis", "two of them")
@pytest.mark.parametrize("deform, words", REFUSED.values(), ids=REFUSED)
def test_refused(lammps, deform, words):
    start(lammps, ("", False))
    row = dict(read="read_data start.data", run="run 60", name="end", rule=RULES[0], backend=BACKEND,
               deform=deform.replace("{gpu}", "/gpu"))
    lammps.require_refused(words, lambda run_style: INPUT.format(run_style=run_style, **row), (("verlet/gpu", 1),))
