"""Fixes that exert forces by themselves, and move atoms: addforce, setforce, aveforce, gravity, spring, nve and nve/limit of this package.
Under run_style verlet/gpu and run_style verlet they must leave the same files, byte for byte; and they must do what LAMMPS's
own fixes of these names do.

DS_TEST_BACKEND=cuda makes the same checks on the GPU.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import numpy as np
import pytest

from checks import require
from lammps_run import BACKEND, DIGITS, ONE_RUN, STATE, relative
from resident_fluid import ORTHOGONAL, RULES, TRICLINIC, compare, first_difference, run_with, text_of, thermo_lines

PLAIN = {"atom_style": "atomic", "room": ""}
EDGE = "region edge block 0 1.3 INF INF INF INF\ngroup edge region edge\n"    # on one of several ranks
PART = "region part block/gpu 1 5 1 4 INF INF\n"
OWN_PART = "region part block 1 5 1 4 INF INF\n"
RAMP = "variable push equal 0.01*step\n"

# name: commands, and the outputs of fix 2. /gpu stands where LAMMPS's own fix has nothing
FIXES = {
    "addforce": ("fix 2 one addforce/gpu 0.3 -0.2 0.1\nfix_modify 2 energy yes", "f_2 f_2[1] f_2[2] f_2[3]"),
    "addforce, some steps in a region": (PART + "fix 2 all addforce/gpu 2.0 0.0 0.3 every 7 region part", "f_2 f_2[1] f_2[2] f_2[3]"),
    "addforce, a variable": (RAMP + "fix 2 all addforce/gpu v_push 0.0 0.3 every 3", "f_2 f_2[1] f_2[2] f_2[3]"),
    "setforce": ("fix 2 two setforce/gpu 0.0 NULL 0.4", "f_2[1] f_2[2] f_2[3]"),
    "setforce, a region": (PART + "fix 2 all setforce/gpu NULL 0.0 NULL region part", "f_2[1] f_2[2] f_2[3]"),
    "aveforce": ("fix 2 one aveforce/gpu NULL 0.5 0.0", "f_2[1] f_2[2] f_2[3]"),
    "aveforce, a region": (PART + "fix 2 all aveforce/gpu 0.0 NULL 0.1 region part", "f_2[1] f_2[2] f_2[3]"),
    "gravity, chute": ("fix 2 all gravity/gpu 0.3 chute 27.0\nfix_modify 2 energy yes", "f_2"),
    "gravity, spherical": ("fix 2 two gravity/gpu 0.3 spherical 31.0 68.0", "f_2"),
    "gravity, vector": (RAMP + "fix 2 one gravity/gpu v_push vector 1 2 v_push", "f_2"),
    "spring": ("fix 2 one spring/gpu tether 500.0 3.0 2.0 5.0 0.5\nfix_modify 2 energy yes", "f_2 f_2[1] f_2[2] f_2[3] f_2[4]"),
    "spring, a plane": ("fix 2 two spring/gpu tether 500.0 NULL NULL 4.5 1.0", "f_2 f_2[1] f_2[2] f_2[3] f_2[4]"),
    "spring/self": ("fix 2 one spring/self/gpu 20.0\nfix_modify 2 energy yes", "f_2"),
    "spring/self, a plane": (RAMP + "fix 2 two spring/self/gpu v_push xz", "f_2"),
    "addforce, virial": ("fix 2 one addforce/gpu 0.3 -0.2 0.1\nfix_modify 2 energy yes virial yes\ncompute p all pressure NULL virial",
                         "f_2 c_p[1] c_p[4] c_p[6]"),
    "msd": ("compute 2 one msd/exact/gpu\ncompute 3 all msd/exact/gpu com yes", "c_2[1] c_2[4] c_3[2] c_3[4]"),
    "few atoms": (EDGE + "fix 2 edge aveforce/gpu 1.0 0.0 0.0\nfix 3 edge addforce/gpu 0.0 0.1 0.0\nfix 4 edge spring/gpu tether 10.0 2.0 2.0 2.0 0.0",
                  "f_2[1] f_3 f_3[2] f_4 f_4[4]"),
    "no atoms": ("group nobody empty\nfix 2 nobody aveforce/gpu 1.0 0.0 0.0\nfix 3 nobody addforce/gpu 0.0 0.1 0.0\n"
                 "fix 4 nobody setforce/gpu 0.0 0.1 0.0\nfix 5 nobody spring/gpu tether 10.0 2.0 2.0 2.0 0.0",
                 "f_2[1] f_3 f_3[2] f_4[1] f_5 f_5[4]"),
    "many": (PART + "fix 2 one addforce/gpu 0.3 -0.2 0.1\nfix 3 all addforce/gpu 2.0 0.0 0.3 every 7 region part\nfix 4 two setforce/gpu 0.1 NULL NULL\n"
             "fix 5 one aveforce/gpu NULL 0.0 NULL\nfix 6 all gravity/gpu 0.1 vector 0 1 0\nfix 7 one spring/gpu tether 90.0 3.0 2.0 5.0 0.5",
             "f_2 f_2[3] f_3 f_3[1] f_4[1] f_4[3] f_5[2] f_6 f_7 f_7[4]"),
}
MOVES = {
    "nve": "fix 1 all nve/exact/gpu",
    "nve of groups": "fix 1 one nve/exact/gpu\nfix 2 two nve/exact/gpu",
    "nve/limit": "fix 1 all nve/limit/gpu 0.006",
    "mvv/dpd": "fix 1 all mvv/dpd/gpu 0.65",
    "move linear": "fix 1 one nve/exact/gpu\nfix 2 two move/gpu linear 2.5 NULL -1.2 units box",
    "nve/limit of groups": "fix 1 one nve/limit/exact/gpu 0.004\nfix 2 two nve/exact/gpu",
}


def rows():
    """Name and row of a table of resident_fluid, for one rank."""
    for name, (commands, outputs) in FIXES.items():
        more = f"{commands}\nthermo 4\nthermo_style custom step pe {outputs}\nthermo_modify format float %.17g"
        yield name, {**PLAIN, "more": more}
    for name, move in MOVES.items():
        count = " f_1" if "limit" in name else ""
        yield name, {**PLAIN, "move": move, "more": f"thermo_style custom step pe{count}"}


def names_of(text):
    """Fixes of this package in a row, as the log has them."""
    fixes = [line.split() for line in text.split("\n") if line.startswith("fix ") and "/gpu" in line]
    return [f"{words[1]} ({words[3]})" for words in fixes]


pytestmark = pytest.mark.copies_in_turn


@pytest.mark.tree("gravity", "msd", "move linear")
@pytest.mark.parametrize("row, rule", [
    pytest.param({"ranks": ranks, "region": region, "run": "run 20\nvelocity all scale 1.3\nrun 19 pre no\nvelocity all scale 0.9\nrun 24", **row}, RULES[rule], id=f"{name}, {ranks} rank(s), {('prism' if region is TRICLINIC else 'block')}")
    for name, row in rows()
    for ranks, region, rule in ((1, ORTHOGONAL, "check yes"), (1, TRICLINIC, "check no"), (2, TRICLINIC, "check yes"),
                                (3, ORTHOGONAL, "check no"))])
def test_same_files(lammps, row, rule):
    done = compare(lammps, row, rule)
    if row.get("ranks", 1) > 1:
        return
    line = next(line for line in done.output.split("\n") if line.startswith("  resident fixes: "))
    for fix in names_of(row.get("move", "") + "\n" + row["more"]):
        require(fix in line, f"no {fix} in: {line}")


@pytest.mark.tree("gravity", "msd", "move linear")
@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in rows()])
def test_restart_in_the_middle_on_1_to_3_ranks(lammps, row):
    """A run that is written in its middle and read again, on any number of ranks, ends as the one that goes on, with the same
    outputs of fixes."""
    columns = [word for line in row["more"].split("\n") if line.startswith("thermo_style") for word in line.split() if word.startswith(("f_", "c_"))]
    thermo = "thermo 3\nthermo_style custom step atoms " + " ".join(columns) + "\nthermo_modify format float %.17g"
    end = f"run 30\nwrite_dump all custom end.txt {STATE} {DIGITS}\n"
    text = text_of({**row, "run": f"run 20\nwrite_restart middle.restart\n{thermo}\n{end}"}, "verlet/gpu", RULES["check yes"])
    done = lammps.run(text)
    whole, outputs = lammps.dump("end.txt").rows, thermo_lines(done)[-11:]
    kept = ("fix ", "fix_modify ", "compute ", "region part", "variable ", "neigh_modify ")
    again = [line for line in text.split("\n") if line.startswith(kept)]
    for ranks, run_style in ((1, "verlet"), (2, "verlet/gpu"), (3, "verlet/gpu")):
        done = lammps.run("\n".join(["read_restart middle.restart", f"run_style {run_style}", "neighbor 0.3 bin", "atom_modify sort 40 0.0",
                                     "timestep 0.005", *again, thermo, end]), ranks=ranks)
        require(lammps.dump("end.txt").rows == whole, f"the end on {ranks} rank(s) is another one")
        found = thermo_lines(done)[-11:]    # the first may be older than the restart file
        require(found == outputs, f"outputs on {ranks} rank(s), {first_difference(outputs, found)}")


# -------------------------------------------------------------------------------- against LAMMPS's own

def own(text):
    return text.replace(PART, OWN_PART).replace("/exact/gpu", "").replace("/gpu", "")


# LAMMPS's own spring has no energy without atoms that is a number; its move rounds, so that noise is another one: see below
# and its mvv/dpd wants another atom_style: test_mdpd.py
@pytest.mark.tree("gravity", "msd")
@pytest.mark.parametrize("row", [
    pytest.param({**row, "region": TRICLINIC, "ranks": 2}, id=name)
    for name, row in rows()
    if name not in ("no atoms", "move linear", "mvv/dpd")])
def test_as_lammps(lammps, row, first=""):
    """One step with this package's fixes and with LAMMPS's own, from the same state, in which atoms have crossed the box."""
    results = []
    for change in (str, own):
        start = {**row, "more": "thermo_modify format float %.17g", "move": "fix 1 all nve",
                 "run": "run 60\n" + ("unfix 1\n" + change(row["move"]) + "\n" if "move" in row else "") + change(row["more"]) +
                        "\nundump d\nthermo 1\nreset_timestep 14\nrun 1\n" + f"write_dump all custom end.txt {STATE} {DIGITS}"}
        done = run_with(lammps, start, "verlet", RULES["check yes"])
        results.append((done.thermo[-1], lammps.dump("end.txt")))
    (thermo, dump), (own_thermo, own_dump) = results
    for a, b, what in ((dump.x, own_dump.x, "positions"), (dump.v, own_dump.v, "velocities"), (dump.f, own_dump.f, "forces")):
        require(relative(a, b) < 1e-12, f"{what} differ by {relative(a, b):.3g}")
    require(list(thermo) == list(own_thermo), f"columns {list(thermo)} and {list(own_thermo)}")
    for name, wanted in own_thermo.items():
        error = np.max(np.abs(thermo[name] - wanted) / np.maximum(1.0, np.abs(wanted)))
        require(error < 1e-12, f"{name} is {thermo[name]} instead of {wanted}")


@pytest.mark.tree
def test_as_lammps_move_linear(lammps):
    """After one step, across a rebuild: where the atoms are that are moved, and how fast."""
    ends = []
    for change in (str, own):
        row = {**PLAIN, "region": ORTHOGONAL, "ranks": 2, "run": "run 60\nunfix 1\n" + change(MOVES["move linear"]) + "\nundump d\n"
               f"run 1\nwrite_dump two custom end.txt id xu yu zu vx vz {DIGITS}"}
        run_with(lammps, row, "verlet", RULES["check no"])
        with open(lammps.path("end.txt")) as file:
            ends.append(np.array([line.split() for line in file.read().split("\n")[9:] if line], dtype=float))
    require(len(ends[0]) > 100 and np.max(np.abs(ends[0] - ends[1])) < 1e-11, f"{np.max(np.abs(ends[0] - ends[1])):.3g}")
    require(np.all(ends[0][:, 4:] == [2.5, -1.2]), "other velocities")


SMALL_UNITS = """
units si
atom_style atomic
atom_modify map yes
region box block 0 8e-9 0 8e-9 0 8e-9
create_box 1 box
create_atoms 1 random 1500 771 NULL
mass 1 3e-26
pair_style dpd/gpu 300.0 1.0e-9 34387 backend {backend}
pair_coeff 1 1 1.0e-10 1.0e-13
velocity all create 300.0 771
neighbor 1.0e-10 bin
neigh_modify every 1 delay 0 check yes
timestep 1.0e-14
fix 1 all nve
fix 2 all spring{gpu} tether 1.0e-3 1.0e-9 2.0e-9 3.0e-9 0.0
fix 3 all aveforce{gpu} 1.0e-12 0.0 NULL
thermo 1
thermo_style custom step f_2 f_2[1] f_3[1] f_3[2]
thermo_modify format float %.17g
run 1
write_dump all custom end.txt {state} {digits}
"""


def test_as_lammps_units_si_in_which_all_numbers_are_small(lammps):
    results = []
    for gpu in ("/gpu", ""):
        done = lammps.run(SMALL_UNITS.format(gpu=gpu, backend=BACKEND, state=STATE, digits=DIGITS))
        results.append((done.thermo[-1], lammps.dump("end.txt")))
    (thermo, dump), (own_thermo, own_dump) = results
    require(relative(dump.f, own_dump.f) < 1e-12, f"forces differ by {relative(dump.f, own_dump.f):.3g}")
    for name, wanted in own_thermo.items():
        require(np.allclose(thermo[name], wanted, rtol=1e-9, atol=0.0), f"{name} is {thermo[name]} instead of {wanted}")


MINIMIZED = {"setforce": "setforce/gpu 0.0 NULL 0.0", "aveforce": "aveforce/gpu NULL 0.0 0.0", "addforce": "addforce/gpu 0.5 0.0 0.0",
             "spring/self": "spring/self/gpu 500.0", "spring": "spring/gpu tether 500.0 3.0 2.0 5.0 0.5"}


@pytest.mark.parametrize("fix", MINIMIZED.values(), ids=MINIMIZED)
def test_in_a_minimization_as_lammps(lammps, fix):
    ends = []
    for change in (str, own):
        row = {**PLAIN, "more": change(f"fix 2 one {fix}\nfix_modify 2 energy yes" if "ad" in fix or "spring" in fix else f"fix 2 one {fix}"),
               "run": f"min_style quickmin\nmin_modify dmax 0.02\nminimize 0 0 5 5\nwrite_dump all custom end.txt {STATE} {DIGITS}"}
        run = text_of(row, "verlet", RULES["check yes"]).replace("velocity all create", "# ")
        lammps.run(run)
        ends.append(lammps.dump("end.txt"))
    require(relative(ends[0].f, ends[1].f) < 1e-9, f"forces differ by {relative(ends[0].f, ends[1].f):.3g}")
    require(relative(ends[0].x, ends[1].x) < 1e-9, f"positions differ by {relative(ends[0].x, ends[1].x):.3g}")


# -------------------------------------------------------------------------------------------- bad input


RESPA = "run_style respa 2 2"
GRAVITY = "magnitude chute angle, spherical phi theta, or vector x y z"
REFUSED = {
    "addforce, few arguments": ("fix 2 all addforce/gpu 1 2", "addforce/gpu: too few arguments, allowed: fix ID group addforce/gpu fx fy fz [every N] [region ID]"),
    "addforce, energy": ("variable e atom x\nfix 2 all addforce/gpu 1 2 3 energy v_e",
                         "addforce/gpu: keyword energy, allowed: every, region; LAMMPS's own fix has others (suffix off)"),
    "addforce, a force that is not finite": ("variable push equal 1e300*1e300\nfix 2 all addforce/exact/gpu 1 v_push 3", "addforce/exact/gpu: fix addforce has inf as number 1"),
    "addforce, a variable of atoms": ("variable a atom x\nfix 2 all addforce/gpu v_a 0 0",
                                      "addforce/gpu: variable a is not of style equal, allowed: an equal-style variable; LAMMPS's own fix takes others (suffix off)"),
    "addforce, no variable": ("fix 2 all addforce/gpu v_a 0 0", "addforce/gpu: variable a does not exist, allowed: an equal-style variable"),
    "addforce, every 0": ("fix 2 all addforce/gpu 1 2 3 every 0", "addforce/gpu: every 0, allowed: every >= 1"),
    "addforce, every of nothing": ("fix 2 all addforce/gpu 1 2 3 every", "addforce/gpu: keyword every has no value, allowed: keywords with values"),
    "addforce, no region": ("fix 2 all addforce/gpu 1 2 3 region there", "addforce/gpu: region there does not exist, allowed: the ID of a region"),
    "addforce, a region that goes": ("region there block 0 1 0 1 0 1\nfix 2 all addforce/gpu 1 2 3 region there\nregion there delete",
                                     "addforce/gpu: region there does not exist any more, allowed: the ID of a region"),
    "addforce, a variable in a minimization": (RAMP + "fix 2 all addforce/gpu v_push 0 0\nminimize 0 0 5 5",
                                               "addforce/gpu: a minimization with forces that are variables, allowed: numbers; LAMMPS's own fix has keyword energy (suffix off)"),
    "addforce, respa": ("fix 2 all addforce/gpu 1 2 3\n" + RESPA,
                        "addforce/gpu: run_style respa, allowed: verlet, verlet/gpu; LAMMPS's own fix has others (suffix off)"),
    "setforce, few arguments": ("fix 2 all setforce/gpu 1 2", "setforce/gpu: too few arguments, allowed: fix ID group setforce/gpu fx fy fz [region ID]"),
    "setforce, a keyword": ("fix 2 all setforce/gpu 1 2 3 every 2", "setforce/gpu: keyword every, allowed: region"),
    "setforce, a minimization": ("fix 2 all setforce/gpu 0 0 1\nminimize 0 0 5 5",
                                 "setforce/gpu: a minimization with forces other than 0, allowed: 0.0, NULL; or fix addforce"),
    "aveforce, few arguments": ("fix 2 all aveforce/gpu 1 2", "aveforce/gpu: too few arguments, allowed: fix ID group aveforce/gpu fx fy fz [region ID]"),
    "aveforce, a keyword": ("fix 2 all aveforce/gpu 1 2 3 every 2", "aveforce/gpu: keyword every, allowed: region"),
    "gravity, few arguments": ("fix 2 all gravity/gpu 1", f"gravity/gpu: too few arguments, allowed: {GRAVITY}"),
    "gravity, another style": ("fix 2 all gravity/gpu 1 down", f"gravity/gpu: style down, allowed: {GRAVITY}"),
    "gravity, disable": ("fix 2 all gravity/gpu 1 chute 20 disable",
                         f"gravity/gpu: chute with 2 values, allowed: {GRAVITY}; LAMMPS's own fix has disable, too (suffix off)"),
    "gravity, no direction": ("fix 2 all gravity/gpu 1 vector 0 0 0", "gravity/gpu: a direction of length 0, allowed: x y z with a length > 0"),
    "spring, couple": ("fix 2 one spring/gpu couple two 1 0 0 0 0",
                       "spring/gpu: couple with 6 values, allowed: tether K x y z R0; LAMMPS's own fix has couple (suffix off)"),
    "spring/self, no axis": ("fix 2 one spring/self/gpu 1.0 w", "spring/self/gpu: direction w, allowed: xyz, xy, xz, yz, x, y, z"),
    "spring/self, K 0": ("fix 2 one spring/self/gpu 0", "spring/self/gpu: K 0, allowed: K > 0"),
    "spring/self, anchors that go": ("fix 2 one spring/self/gpu 1.0\nunfix 2_ANCHORS",
                                     "spring/self/gpu: fix 2_ANCHORS does not exist any more, allowed: that it stays"),
    "move, units of nothing": ("fix 2 one move/gpu linear 1 0 0 units", "move/gpu: keyword units has no value, allowed: keywords with values"),
    "move, a keyword": ("fix 2 one move/gpu linear 1 0 0 unit", "move/gpu: keyword unit, allowed: units box, units lattice"),
    "move, another way": ("fix 2 one move/gpu wiggle 1 2 3 4", "move/gpu: wiggle with 4 values, allowed: linear Vx Vy Vz; LAMMPS's own fix has other ways (suffix off)"),
    "spring, few arguments": ("fix 2 one spring/gpu", "spring/gpu: too few arguments, allowed: tether K x y z R0; LAMMPS's own fix has couple (suffix off)"),
    "spring, a length below 0": ("fix 2 one spring/gpu tether 1 0 0 0 -1", "spring/gpu: R0 -1, allowed: R0 >= 0"),
    "nve, an argument": ("fix 2 all nve/exact/gpu 1", "nve/exact/gpu: 1 arguments, allowed: none"),
    "nve/limit, no argument": ("fix 2 all nve/limit/gpu", "nve/limit/gpu: 0 arguments, allowed: xmax"),
    "mvv/dpd, lambda 0": ("fix 2 all mvv/dpd/gpu 0", "mvv/dpd/gpu: lambda 0, allowed: lambda > 0 and <= 1"),
    "mvv/dpd, lambda above 1": ("fix 2 all mvv/dpd/gpu 1.01", "mvv/dpd/gpu: lambda 1.01, allowed: lambda > 0 and <= 1"),
    "mvv/dpd, two arguments": ("fix 2 all mvv/dpd/gpu 0.5 0.6", "mvv/dpd/gpu: 2 arguments, allowed: none, or lambda"),
    "nve/limit, 0": ("fix 2 all nve/limit/gpu 0", "nve/limit/gpu: xmax 0, allowed: xmax > 0"),
}


@pytest.mark.tree("gravity")
@pytest.mark.parametrize("commands, text", REFUSED.values(), ids=REFUSED)
def test_refused(lammps, commands, text):
    row = {**PLAIN, "more": commands, "run": "run 1"}
    lammps.require_refused("Fix " + text, lambda run_style: text_of(row, run_style, RULES["check no"]), ONE_RUN, whole=True)


def test_refused_addforce_a_variable_that_has_no_value_in_some_step(lammps):
    row = {**PLAIN, "more": "variable push equal 1.0/(step-20)\nfix 2 all addforce/gpu v_push 0 0", "run": "run 30"}
    for run_style, ranks in (("verlet", 1), ("verlet/gpu", 1), ("verlet/gpu", 2)):
        done = run_with(lammps, {**row, "ranks": ranks}, run_style, RULES["check no"], ok=False)
        require(done.status and any(error.startswith("Variable push: Divide by 0") for error in done.errors), f"{done.errors}\n{done.tail()}")


def test_addforce_an_energy_that_is_too_large_to_be_added_up(lammps):
    """The force is there, and the sum is not: as it would be wrong it is no number."""
    row = {**PLAIN, "more": "fix 2 all addforce/gpu 1e40 0 0\nfix_modify 2 energy yes\nthermo_style custom step f_2", "run": "run 0"}
    for run_style in ("verlet", "verlet/gpu"):
        done = run_with(lammps, row, run_style, RULES["check no"])
        require(done.thermo[0]["f_2"] and all(np.isnan(done.thermo[0]["f_2"])), done.tail())
