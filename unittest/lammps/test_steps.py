"""Fixes that declare what they do in a step (FixStep): run_style verlet/gpu makes the bits of run_style verlet, on any
number of ranks, across restarts; forces, velocities and values are those of LAMMPS's own fixes; temperatures are exact.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re

import numpy as np
import pytest

from checks import Failed, require
from lammps_run import BACKEND, WAYS

pytestmark = pytest.mark.copies_in_turn

EDGE = 8
ATOMS = 1100

START = """
units lj
atom_style atomic
atom_modify map yes
boundary {boundary}
region box {region}
create_box 2 box
region in block INF INF INF INF 1.0 7.0
create_atoms 1 random {atoms} 7711 in
set group all type/fraction 2 0.3 771
mass 1 1.0
mass 2 1.7
velocity all create 1.0 87287 loop geom
write_data start.data
"""

INPUT = """
{suffix}
units lj
atom_style atomic
atom_modify map yes
boundary {boundary}
{read}
{pair}
run_style {run_style}
neighbor 0.3 bin
neigh_modify {rule}
atom_modify sort 25 0.0
timestep 0.005
region far block 3 8 INF INF INF INF
group left region far
group two type 2
group nobody empty
variable w equal 0.2*sin(0.05*step)
thermo 10
fix 1 all nve
{fix}
thermo_style custom step temp press pxx pxy etotal {values}
thermo_modify format float %.17g
dump d all custom {every} {name}.dump id type x y z vx vy vz fx fy fz ix iy iz
dump_modify d sort id format float %.17g
{run}
"""

ORTHOGONAL, TRICLINIC = f"block 0 {EDGE} 0 {EDGE} 0 8", f"prism 0 {EDGE} 0 {EDGE} 0 8 1.3 0 0"
PAIR = f"pair_style dpd/gpu 1.0 1.0 34387 backend {BACKEND}\npair_coeff * * 25.0 4.5"
RULES = ("every 5 delay 0 check no", "every 1 delay 0 check yes")

VIRIAL = "compute p all pressure NULL virial"

# of those of all, the largest and the smallest: no sum is rounded
STRESSES = ("compute s all stress/atom NULL fix\ncompute thighest all reduce max c_s[1] c_s[2] c_s[3] c_s[4] c_s[5] c_s[6]\n"
            "compute tlowest all reduce min c_s[1] c_s[2] c_s[3]")
STRESS_VALUES = "c_thighest[1] c_thighest[2] c_thighest[3] c_thighest[4] c_thighest[5] c_thighest[6] c_tlowest[1] c_tlowest[2] c_tlowest[3]"

# name: what the fix is, without its suffix, and the values that it has; {gpu} stands for the suffix
PERIODIC = {
    "addforce": ("fix 2 all addforce{gpu} 0.1 -0.2 0.3", "f_2 f_2[1] f_2[2] f_2[3]"),
    "addforce, virial": ("fix 2 two addforce{gpu} 0.1 -0.2 0.3\nfix_modify 2 energy yes virial yes\n" + VIRIAL,
                         "c_p[1] c_p[2] c_p[3] c_p[4] c_p[5] c_p[6]"),
    "addforce, virials of atoms": (
        "region up block{gpu} INF INF INF INF 4 INF\nfix 2 two addforce{gpu} 0.1 -0.2 0.3 region up\nfix_modify 2 virial yes\n" + STRESSES, STRESS_VALUES),
    "addforce, every": ("fix 2 two addforce{gpu} 0.1 -0.2 0.3 every 3", ""),
    "addforce, a variable of time": ("fix 2 all addforce{gpu} v_w 0 0", ""),
    "addforce, a variable of sums": (
        "compute k two ke{gpu}\ncompute m left momentum{gpu}\n"
        "variable sums equal 0.01*xcm(left,y)+0.001*ke(two)+0.001*mass(two)/count(all)+0.001*c_k-0.01*c_m[2]+0.1*(temp-1.0)\n"
        "variable push equal 2*v_sums-0.5*vcm(two,x)\nfix 2 two addforce{gpu} v_push 0 v_push", "f_2 f_2[1] f_2[3]"),
    "addforce, a variable of sums now and then": ("variable push equal -0.5*vcm(left,x)\nfix 2 left addforce{gpu} v_push 0 0 every 4", ""),
    "gravity, a variable of sums": ("variable g equal 1.0+vcm(all,x)\nfix 2 all gravity{gpu} v_g vector v_g 0 1", "f_2"),
    "temp/rescale, a variable": ("variable T equal 1.0+0.1*ke(left)/count(left)\nfix 2 all temp/rescale{gpu} 5 v_T 1.0 0.01 0.8", "f_2"),
    "langevin without noise, a variable": ("variable T equal 0.0*step\nfix 2 two langevin{gpu} v_T 1.0 0.5 777", ""),
    "addforce, block": ("region up block{gpu} INF INF INF INF 4 INF\nfix 2 all addforce{gpu} 0.3 0 0 region up", "f_2[1]"),
    "setforce": ("fix 2 two setforce{gpu} 0.0 NULL 0.1", "f_2[1] f_2[2] f_2[3]"),
    "setforce, outside of a sphere": ("region up sphere{gpu} 4 4 4 2.5 side out\nfix 2 all setforce{gpu} NULL 0 0 region up", ""),
    "setforce, cylinder": ("region up cylinder{gpu} z 4 4 2.5 1 EDGE\nfix 2 all setforce{gpu} NULL 0 0 region up", ""),
    "aveforce": ("fix 2 two aveforce{gpu} 0.1 NULL 0.0", "f_2[1] f_2[2] f_2[3]"),
    "aveforce, union": ("region a plane{gpu} 4 4 4 1 1 0\nregion b sphere{gpu} 4 4 4 2\nregion up union{gpu} 2 a b side out\n"
                        "fix 2 all aveforce{gpu} 0.1 0 0 region up", ""),
    "addforce, intersect": ("region a plane{gpu} 4 4 4 1 1 0\nregion b sphere{gpu} 4 4 4 3\nregion up intersect{gpu} 2 a b\n"
                            "fix 2 all addforce{gpu} 0.1 0 0 region up", ""),
    "gravity": ("fix 2 all gravity{gpu} 0.3 vector 1 -2 0.5", "f_2"),
    "gravity, chute": ("fix 2 two gravity{gpu} 0.3 chute 26.0", "f_2"),
    "gravity, spherical": ("fix 2 two gravity{gpu} 0.3 spherical 30.0 120.0", "f_2"),
    "spring": ("fix 2 left spring{gpu} tether 5.0 1 NULL 2 0.5", "f_2 f_2[1] f_2[3] f_2[4]"),
    "temp/rescale, temp/partial": ("compute t two temp/partial{gpu} 1 0 1\nfix 2 two temp/rescale{gpu} 5 1.0 1.5 0.01 0.8\nfix_modify 2 temp t", "f_2 c_t"),
    "langevin, temp/partial": ("compute t all temp/partial{gpu} 0 1 1\nfix 2 all langevin{gpu} 0.0 0.0 0.5 777 tally yes\nfix_modify 2 temp t", "f_2 c_t"),
    "ke, com": ("compute k two ke{gpu}\ncompute x left com{gpu}\nfix 2 all addforce{gpu} 0.1 0 0", "c_k c_x[1] c_x[2] c_x[3]"),
    "compute momentum": ("compute m two momentum{gpu}\nfix 2 all addforce{gpu} 0.1 0 0", "c_m[1] c_m[3]"),
    "temp/partial": ("compute t two temp/partial{gpu} 1 0 1\ncompute_modify t extra/dof 2\nfix 2 all addforce{gpu} 0.1 0 0", "c_t c_t[1] c_t[2] c_t[5]"),
    "temp/profile": ("compute t all temp/profile{gpu} 1 1 1 z 5\ncompute_modify t extra/dof 2\ncompute tbin two temp/profile{gpu} 0 1 0 xyz 2 3 2 out bin\n"
                     "compute tplane two temp/profile{gpu} 1 0 1 xy 4 3 out tensor\nfix 2 all addforce{gpu} 0.1 0 0",
                     "c_t c_t[1] c_t[5] c_tbin[1][1] c_tbin[2][2] c_tbin[12][2] c_tplane[2] c_tplane[4]"),
    "temp/profile, of a thermostat and a pressure": (
        "compute t all temp/profile{gpu} 1 0 1 x 4\nthermo_modify temp t\ncompute p all pressure t\nfix 2 all temp/rescale{gpu} 5 1.0 1.5 0.01 0.8\n"
        "fix_modify 2 temp t", "f_2 c_t c_t[2] c_p"),
    "temp/profile, behind fixes that change velocities, a fix of LAMMPS's reads it": (
        "fix 2 all temp/rescale{gpu} 10 1.0 1.5 0.01 0.8\nfix 3 two momentum{gpu} 10 linear 1 1 1 angular\n"
        "compute t all temp/profile{gpu} 1 1 1 z 5\nvariable t equal c_t\nfix 4 all halt 5 v_t < 0", "c_t c_t[2]"),
    "temp/profile, a group that changes": ("region up block{gpu} INF INF INF INF 4 INF\ngroup dyn dynamic all region up every 2\n"
                                           "compute t dyn temp/profile{gpu} 1 0 0 xz 2 3\nfix 2 all addforce{gpu} 0.1 0 0", "c_t"),
    "momentum": ("fix 2 all momentum{gpu} 3 linear 1 0 1", ""),
    "momentum, rescale": ("fix 2 two momentum{gpu} 7 linear 1 1 1 rescale", ""),
    "momentum, angular": ("fix 2 all momentum{gpu} 3 angular", ""),
    "momentum, all of it": ("fix 2 left momentum{gpu} 7 linear 1 1 0 angular rescale", ""),
    "momentum, a line": ("group few id 7 33\nfix 2 few momentum{gpu} 1 linear 1 1 1 angular", ""),
    "momentum, a group that changes": ("region up block{gpu} INF INF INF INF 4 INF\ngroup dyn dynamic all region up every 2\n"
                                       "fix 2 dyn momentum{gpu} 3 linear 1 1 1 angular rescale", ""),
    "temp/rescale": ("fix 2 all temp/rescale{gpu} 5 1.0 1.5 0.01 0.8", "f_2"),
    "langevin without noise": ("fix 2 all langevin{gpu} 0.0 0.0 0.5 777 scale 2 3.0 tally yes", "f_2 ecouple econserve"),
    "two of a kind": ("fix 2 two addforce{gpu} 0.1 0 0\nfix 3 left setforce{gpu} NULL 0 0\nfix 4 all momentum{gpu} 5 linear 1 1 1", "f_3[2]"),
}
NOISE = {
    "langevin": ("fix 2 all langevin{gpu} 1.0 2.0 0.5 777", ""),
    "langevin of a bias": ("compute t two temp/partial{gpu} 0 1 1\nfix 2 two langevin{gpu} 1.0 2.0 0.5 777 zero yes\nfix_modify 2 temp t", ""),
    "langevin, scale": ("fix 2 two langevin{gpu} 1.0 1.0 0.5 777 scale 2 3.0", ""),
    "langevin, zero": ("fix 2 left langevin{gpu} 1.0 1.0 0.5 777 zero yes", ""),
    "langevin, tally": ("fix 2 all langevin{gpu} 1.0 2.0 0.5 777 tally yes", "f_2"),
    "langevin, a variable": ("compute t two temp{gpu}\nvariable T equal 1.0+0.5*sin(0.1*step)+0.1*c_t\nfix 2 two langevin{gpu} v_T 1.0 0.5 777 tally yes", "f_2"),
    "langevin, all keywords": ("fix 2 left langevin{gpu} 1.0 1.0 0.5 777 tally yes scale 1 0.5 zero yes scale 2 2.0 omega no", "f_2"),
}
OWN_MOTION = {
    "nve": ("unfix 1\nfix 1 all nve/exact/gpu", ""),
    "nve/limit": ("unfix 1\nfix 1 all nve/limit{gpu} 0.01", "f_1"),
    "mvv/dpd": ("unfix 1\nfix 1 all mvv/dpd{gpu} 0.65", ""),
    "mvv/dpd of groups, with a fix of LAMMPS's": ("unfix 1\nfix 1 left mvv/dpd{gpu} 0.5\ngroup right subtract all left\n"
                                                "fix 3 right mvv/dpd{gpu} 0.65\nfix 2 two addforce 0.1 0 0", ""),
}
WALLS = {
    "wall/reflect, a wall that moves": ("variable z equal 0.8+0.01*(step%100)\nfix 2 all wall/reflect{gpu} zlo v_z zhi EDGE", ""),
    "wall/reflect, a wall that follows": ("variable z equal 0.3*xcm(all,z)\nfix 2 all wall/reflect{gpu} zlo v_z zhi EDGE", ""),
    "wall/lj93, variables": ("variable z equal 0.3+0.05*vcm(all,z)\nvariable e equal 1.0+0.001*step\nvariable s equal 0.6+0.01*temp\n"
                             "fix 2 all wall/lj93{gpu} zlo v_z v_e v_s 1.2 zhi 8.0 v_e 0.5 1.0\nfix_modify 2 energy yes", "f_2 f_2[1] f_2[2]"),
    "wall/reflect": ("fix 2 all wall/reflect{gpu} zlo EDGE zhi 7.9", ""),
    "wall/lj93": ("fix 2 all wall/lj93{gpu} zlo EDGE 1.0 0.6 1.2 zhi 8.0 1.5 0.5 1.0\nfix_modify 2 energy yes virial yes\n" + VIRIAL, "f_2 f_2[1] f_2[2] c_p[2] c_p[3]"),
    "wall/lj93, virials of atoms": ("fix 2 all wall/lj93{gpu} zlo EDGE 1.0 0.6 1.2 zhi 8.0 1.5 0.5 1.0\nfix_modify 2 virial yes\n" + STRESSES, STRESS_VALUES),
    "wall/lj126": ("fix 2 all wall/lj126{gpu} zlo EDGE 1.0 0.6 1.2 zhi 8.0 1.5 0.5 1.0", "f_2 f_2[1] f_2[2]"),
    "wall/harmonic": ("fix 2 all wall/harmonic{gpu} zlo EDGE 40.0 0.6 1.2 zhi 8.0 60.0 0.5 1.0\nfix_modify 2 energy yes virial yes\n" + VIRIAL, "f_2 f_2[1] f_2[2] c_p[2] c_p[3]"),
}
BOUNCE = {"wall/bounce": ("fix 2 all wall/bounce{gpu} zlo EDGE velocity -0.5 0 0 zhi EDGE velocity 0.5 0.1 0", "")}


def input_of(case, walls, **other):
    fix, values = case
    row = dict(suffix="", boundary="p p f" if walls else "p p p", read="read_data start.data", pair=PAIR, run_style="verlet",
               rule=RULES[0], values=values, every=15, name="all", run="run 30\nrun 25", fix=fix.replace("{gpu}", "/gpu"))
    row.update(other)
    return INPUT.format(**row)


def start(lammps, walls, triclinic=False):
    lammps.make("start.data", START.format(boundary="p p f" if walls else "p p p", region=TRICLINIC if triclinic else ORTHOGONAL,
                                           atoms=ATOMS))


def read(lammps, name):
    with open(lammps.path(name)) as file:
        return file.read()


def thermo(done):
    return re.findall(r"^ +\d+ +[-0-9.].*$", done.output, re.M)


def outputs_of(done, names):
    """Of fixes, with all digits. To a pressure LAMMPS adds up floating-point numbers of all ranks."""
    rows = [line.split()[-len(names):] for line in thermo(done) if names]
    exact = ("f_", "c_t", "c_k", "c_x", "c_m")
    return [[word if name.startswith(exact) else f"{float(word):.12e}" for name, word in zip(names, row)] for row in rows]


def same_in_all_ways(lammps, text_by, check_log, names=()):
    """Trajectories, and outputs of these names, are those of the first way. text_by(run_style) is an input, check_log(done, ranks)
    looks at what verlet/gpu has printed."""
    expected = outputs = None
    for run_style, ranks in WAYS:
        done = lammps.run(text_by(run_style), ranks=ranks)
        found = read(lammps, "all.dump")
        if run_style == "verlet/gpu":
            check_log(done, ranks)
        require(len(re.findall("ITEM: TIMESTEP", found)) >= 4, "too little to compare")
        expected = expected or found
        require(found == expected, f"{ranks} ranks, {run_style}: another trajectory than on 1 rank by verlet")
        values = outputs_of(done, names)
        outputs = outputs or values
        require(values == outputs, f"{ranks} ranks, {run_style}: outputs {values}, on 1 rank by verlet {outputs}")


def as_lammps(lammps, case, walls):
    """One step from the same state: forces, velocities, positions, values."""
    start(lammps, walls)
    tables = []
    for gpu in ("", "/gpu"):
        fix = case[0].replace("{gpu}", gpu)
        # a step in which fixes act that do so every 3, 4, 5 or 7 steps
        text = input_of((fix, case[1]), walls, every=1, run="reset_timestep 419\nrun 1", rule=RULES[0])
        text = text.replace("atom_modify sort 25 0.0", "atom_modify sort 0 0.0")
        try:
            done = lammps.run(text)
        except Failed as failure:
            package = re.search(r"part of the (\S+) package which is not enabled", str(failure))
            if not gpu and package:
                pytest.skip(f"this LAMMPS has no package {package[1]}")
            raise
        frame = read(lammps, "all.dump").split("ITEM: ATOMS")[-1].splitlines()[1:]
        atoms = np.array([[float(word) for word in line.split()] for line in frame])
        tables.append((atoms, np.array([float(word) for word in thermo(done)[-1].split()])))
    (atoms, values), (ours, our_values) = tables
    scale = np.maximum(1.0, np.abs(atoms))
    require(np.all(np.abs(atoms - ours) <= 1e-12 * scale), f"atoms differ by {np.max(np.abs(atoms - ours) / scale):.1e}")
    scale = np.maximum(1.0, np.abs(values))
    require(np.all(np.abs(values - our_values) <= 1e-10 * scale), f"values {our_values}, LAMMPS's {values}")
    return f"atoms to {np.max(np.abs(atoms - ours)):.0e}, values to {np.max(np.abs(values - our_values)):.0e}"


@pytest.mark.tree("momentum", "wall")
@pytest.mark.parametrize("case, walls, triclinic, rule", [
    pytest.param(case, walls, k % 2 == 1 and not walls, RULES[k // 2 % 2], id=name)
    for walls, cases in ((False, {**PERIODIC, **NOISE, **OWN_MOTION}), (True, {**WALLS, **BOUNCE}))
    for k, (name, case) in enumerate(cases.items())])
def test_same_bits(lammps, case, walls, triclinic, rule):
    def check_log(done, ranks):
        require(ranks > 1 or re.search(r"resident fixes: .*\b(1|2) \(", done.output) and "(addforce/gpu) by LAMMPS" not in done.output,
                f"the fix is not resident:\n{done.tail()}")

    start(lammps, walls, triclinic)
    same_in_all_ways(lammps, lambda run_style: input_of(case, walls, run_style=run_style, rule=rule, run="run 20\nrun 15\nrun 12 pre no"),
                     check_log, case[1].split())


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in PERIODIC.items() if "every" not in name])
def test_as_lammps(lammps, case):
    print(as_lammps(lammps, case, False))


def test_as_lammps_nve_limit(lammps):
    print(as_lammps(lammps, OWN_MOTION["nve/limit"], False))


@pytest.mark.parametrize("case", WALLS.values(), ids=WALLS)
def test_as_lammps_walls(lammps, case):
    print(as_lammps(lammps, case, True))


def same_by_both(lammps, case, words, **other):
    """Both run styles end with the same bits, and the output of each, as `words` has it by name, says so."""
    start(lammps, False)
    ends = []
    for run_style in ("verlet", "verlet/gpu"):
        done = lammps.run(input_of(case, False, run_style=run_style, **other))
        require(words.get(run_style, "") in done.output, done.tail())
        ends.append(read(lammps, "all.dump"))
    require(ends[0] == ends[1], "another trajectory than by run_style verlet")


def test_a_variable_of_an_energy(lammps):
    """A variable of an energy: LAMMPS calls the fix in each step, with the same bits, and as its own."""
    case = ("variable push equal 1e-3*pe\nfix 2 two addforce{gpu} v_push 0 0", "f_2[1]")
    same_by_both(lammps, case, {"verlet/gpu": "fix 2: variable push depends on pe, which is no sum"})
    print(as_lammps(lammps, case, False))


def test_a_restart_in_the_middle_the_same_bits(lammps):
    start(lammps, False)
    case = ("fix 2 all langevin/gpu 1.0 2.0 0.5 777\nfix 3 all momentum/gpu 5 linear 1 1 1", "")
    lammps.run(input_of(case, False, run_style="verlet/gpu", run="run 30 start 0 stop 60\nwrite_restart mid.restart\nrun 30 start 0 stop 60",
                        name="whole", every=60))
    text = input_of(case, False, run_style="verlet/gpu", run="run 30 start 0 stop 60", read="read_restart mid.restart", name="rest", every=60)
    lammps.run(text, ranks=2)
    require(read(lammps, "whole.dump").split("ITEM: TIMESTEP")[-1] == read(lammps, "rest.dump").split("ITEM: TIMESTEP")[-1],
            "another state after a restart")


def test_add_up(lammps):
    """Values that add up from step to step: as LAMMPS's, on any number of ranks, and after a restart."""
    start(lammps, False)
    motion, bath = "unfix 1\nfix 1 all nve/limit{gpu} 0.01", "fix 2 two temp/rescale{gpu} 5 1.0 1.5 0.01 0.8\nfix 3 two langevin{gpu} 0.0 0.0 0.5 777 tally yes scale 1 3.0"
    values = "f_3 f_1 f_2"
    runs = "run 20\nwrite_restart mid.restart\nrun 30"
    results = {}
    for gpu, ranks, run_style in (("", 1, "verlet"), ("/gpu", 1, "verlet"), ("/gpu", 1, "verlet/gpu"), ("/gpu", 3, "verlet/gpu"),
                                  ("/gpu", 2, "verlet")):
        fix = f"{motion}\n{bath}".replace("{gpu}", gpu)
        done = lammps.run(input_of((fix, values), False, run=runs, run_style=run_style), ranks=ranks)
        results[gpu, ranks, run_style] = [line.split()[-3:] for line in thermo(done)]
    own, ours = results["", 1, "verlet"], results["/gpu", 1, "verlet"]
    require(all(rows == ours for (gpu, _, _), rows in results.items() if gpu), f"{results}")
    require(len(ours) > 6 and np.allclose(np.array(own, dtype=float), np.array(ours, dtype=float), rtol=1e-9), f"{ours}, LAMMPS's {own}")
    require(float(ours[2][1]) > 1.0 and all(abs(float(ours[-1][k])) > 0.05 for k in (0, 2)), f"{ours}")
    fix = f"{motion}\n{bath}".replace("{gpu}", "/gpu")
    for ranks, run_style in ((1, "verlet/gpu"), (2, "verlet")):
        text = input_of((fix, values), False, run="run 30", run_style=run_style, read="read_restart mid.restart")
        lines = [line.split()[-3:] for line in thermo(lammps.run(text, ranks=ranks))]
        # sums of the first part of a run are one number of the file
        require(len(lines) == 4 and np.allclose(np.array(lines, dtype=float), np.array(ours[-4:], dtype=float), rtol=1e-14), f"{lines}, without a restart {ours}")


STATES = {"temp/rescale": ("fix 2 all temp/rescale/gpu 5 1.0 1.5 0.01 0.8", b"DS_RESCA"), "move": ("fix 2 two move/gpu linear 2.5 NULL -1.2 units box", b"DS_MOVES")}


@pytest.mark.parametrize("name", STATES)
def test_refused_a_restart_file_with_another_state_of(lammps, name):
    start(lammps, False)
    command, mark = STATES[name]
    lammps.run(input_of((command, "temp"), False, run="run 10\nwrite_restart mid.restart"))
    file = f"Fix {name}/gpu: the restart file "
    errors = {0: file + "has no state of this fix, or one that another version of it wrote", 8: file + "has a state of format",
              18: file + "is damaged"}
    lammps.require_damage_found("mid.restart", mark, errors, lambda restart: input_of(
        (command, "temp"), False, run="run 10", read=f"read_restart {restart}"))


def test_suffix(lammps):
    """An input of LAMMPS's own styles, with -sf exact/gpu: all is resident, and exact on any number of ranks."""
    start(lammps, False)
    text = input_of(("region up block INF INF INF INF 4 INF\nfix 2 all addforce 0.3 0 0 region up\ncompute p all pressure thermo_temp\n"
                     "fix 3 all ave/time 5 2 10 c_p[1] c_thermo_temp file p.ave format \" %.17g\"", ""), False,
                    pair="comm_modify vel yes\npair_style dpd 1.0 1.0 34387\npair_coeff * * 25.0 4.5")
    text = text.replace("run_style verlet\n", "")
    results = []
    for ranks in (1, 2, 3, 4):
        done = lammps.run(text, ranks=ranks, options=["-sf", "exact/gpu"])
        results.append((thermo(done), read(lammps, "p.ave"), read(lammps, "all.dump")))
        if ranks == 1:
            for line in ("resident fixes: 1 (nve/exact/gpu), 2 (addforce/exact/gpu)", "LAMMPS reads sums"):
                require(line in done.output, f"no line {line}:\n{done.tail()}")
        require(results[-1] == results[0], f"{ranks} ranks: other temperatures, pressures or atoms than on 1")


def test_langevin_the_temperature(lammps):
    steps, damp, dt, kT = 3000, 0.2, 0.01, 1.3
    done = lammps.run(f"""units lj
region box block 0 6 0 6 0 6
create_box 1 box
create_atoms 1 random 600 7711 box
mass 1 1.0
pair_style dpd/gpu 1.0 1.0 34387 backend {BACKEND}
pair_coeff 1 1 0.0 0.0
run_style verlet/gpu
velocity all create {kT} 815
timestep {dt}
thermo 5
fix 1 all nve
fix 2 all langevin/gpu {kT} {kT} {damp} 777
run {steps}
""")
    values = np.array([float(line.split()[1]) for line in thermo(done)])[100:]
    # kinetic energies are forgotten within damp / 2
    independent = min(len(values), (steps - 500) * dt / damp)
    error = kT * np.sqrt(2.0 / (3 * 600 * independent))
    require(abs(values.mean() - kT) < 4 * error + 0.003 * kT, f"T = {values.mean()}, set {kT}, standard error {error:.1e}")
    print(f"T = {values.mean():.4f}, set {kT}, standard error {error:.4f}")


def test_langevin_tally_the_energy_of_atoms_and_bath_together_stays(lammps):
    start(lammps, False)
    for run_style in ("verlet", "verlet/gpu"):
        fix = ("pair_coeff * * 25.0 0.0\nfix 2 all langevin/gpu 3.0 3.0 0.2 777 tally yes", "ecouple econserve")
        done = lammps.run(input_of(fix, False, run_style=run_style, run="run 200").replace("timestep 0.005", "timestep 0.002"))
        rows = np.array([line.split() for line in thermo(done)], dtype=float)
        energy, couple, conserved = rows[:, 5], rows[:, -2], rows[:, -1]
        require(np.ptp(couple) > 0.5 and np.ptp(energy) > 0.5, f"the bath has given {couple}")
        require(np.ptp(conserved) < 0.01 * np.ptp(energy), f"{run_style}: energies {energy}, with that of the bath {conserved}")
    print(f"changes by {np.ptp(conserved):.1e}, that of the atoms by {np.ptp(energy):.1e}")


def test_langevin_zero_the_noise_has_no_sum(lammps):
    """Friction is next to nothing, and noise is large."""
    start(lammps, False)
    drift = {}
    for zero in ("yes", "no"):
        for run_style, ranks in (("verlet", 2), ("verlet/gpu", 1)):
            fix = f"velocity all zero linear\nvariable v equal vcm(all,x)\nfix 2 all langevin/gpu 1e9 1e9 1e9 777 scale 2 2.0 zero {zero}"
            done = lammps.run(input_of((fix, "v_v"), False, run_style=run_style), ranks=ranks)
            drift[zero, run_style] = max(abs(float(line.split()[-1])) for line in thermo(done))
    require(all((value < 1e-9) == (zero == "yes") for (zero, _), value in drift.items()), f"{drift}")
    require(drift["no", "verlet"] > 1e-3, f"{drift}")


def test_refused_langevin_more_ratios_than_there_is_room_for(lammps):
    scales = " ".join(f"scale {k} {k}.5" for k in range(1, 10))
    done = lammps.run("units lj\nregion b block 0 5 0 5 0 5\ncreate_box 9 b\nmass * 1.0\n"
                      f"fix 2 all langevin/gpu 1.0 1.0 1.0 777 {scales}\n", ok=False)
    text = "Fix langevin/gpu: scale: 9 runs of types of one ratio, allowed: 8 at most"
    done.require_error(text)


FLOW = """compute t all temp/deform{gpu}
fix a all ave/time 1 5 5 c_t c_t[4] file flow.ave format " %.17g"
compute p all pressure t
{bath}
fix box all deform 1 x erate 0.1 xy erate 0.2 remap v
"""
BATHS = {"none": "", "none, and thermo output alone": "unfix a", "temp/rescale": "fix 2 all temp/rescale{gpu} 5 1.0 1.5 0.01 0.8\nfix_modify 2 temp t",
         "langevin": "fix 2 all langevin{gpu} 0.0 0.0 0.5 777 tally yes\nfix_modify 2 temp t",
         "langevin with noise": "fix 2 all langevin/gpu 1.0 1.0 0.5 777 zero yes\nfix_modify 2 temp t"}


@pytest.mark.parametrize("bath", BATHS)
def test_temp_deform(lammps, bath):
    """Of a box that changes with the flow: the same bits on any number of ranks, and as LAMMPS's own."""
    start(lammps, False, True)
    results = {}
    for gpu, ranks, run_style in (("", 1, "verlet"), ("/gpu", 1, "verlet"), ("/gpu", 1, "verlet/gpu"), ("/gpu", 2, "verlet/gpu"), ("/gpu", 3, "verlet")):
        text = input_of((FLOW.format(gpu=gpu, bath=BATHS[bath].replace("{gpu}", gpu)), "c_t c_t[1] c_t[4]"), False,
                        run_style=run_style, run="run 30\nrun 25")
        done = lammps.run(text, ranks=ranks)
        results[gpu, ranks, run_style] = (read(lammps, "all.dump"), read(lammps, "flow.ave"), [line.split()[-3:] for line in thermo(done)])
        if run_style == "verlet/gpu" and ranks == 1:
            require("fix 2" not in BATHS[bath] or " 2 (" in re.search("resident fixes: .*", done.output)[0], f"the fix is not resident:\n{done.tail()}")
    ours = results["/gpu", 1, "verlet"]
    for way, found in results.items():
        require(not way[0] or found == ours, f"{way}: thermo {found[2]}, by verlet {ours[2]}")
    own = np.array(results["", 1, "verlet"][2], dtype=float)
    require(bath == "langevin with noise" or np.allclose(own, np.array(ours[2], dtype=float), rtol=1e-8, atol=1e-8), f"{ours[2]}, LAMMPS's {own}")
    require(len(own) >= 6 and abs(own[-1, 2]) > 1e-6, f"{own}")


def test_fix_modify_temp_a_temperature_of_lammps_which_lammps_takes(lammps):
    start(lammps, False)
    for fix in ("fix 2 two temp/rescale{gpu} 5 1.0 1.5 0.01 0.8", "fix 2 two langevin{gpu} 0.0 0.0 0.5 777 tally yes"):
        results = {}
        for gpu, run_style in (("", "verlet"), ("/gpu", "verlet"), ("/gpu", "verlet/gpu")):
            text = input_of(("compute t two temp/com\n" + fix.replace("{gpu}", gpu) + "\nfix_modify 2 temp t", "f_2"), False, run_style=run_style)
            done = lammps.run(text)
            results[gpu, run_style] = [line.split()[-1] for line in thermo(done)]
        require("fix 2: compute t is of LAMMPS's style temp/com" in done.output, done.tail())
        require(results["/gpu", "verlet"] == results["/gpu", "verlet/gpu"], f"{results}")
        own, ours = (np.array(results[gpu, "verlet"], dtype=float) for gpu in ("", "/gpu"))
        require(abs(ours[-1]) > 1e-4 and np.allclose(own, ours, rtol=1e-9, atol=1e-12), f"{ours}, LAMMPS's {own}")


def test_no_room(lammps):
    """Computes that find no room in the engine's program: the same values."""
    for compute, column, reads in (("compute t all temp/gpu", "", "velocities"), ("compute t all msd/gpu com yes", "[4]", "atoms")):
        without_room(lammps, compute, column, reads)


def without_room(lammps, compute, column, reads):
    start(lammps, False)
    fixes = "\n".join(f"fix a{k} all gravity/gpu 0.01 vector 1 0 0" for k in range(30))
    results = []
    for run_style in ("verlet", "verlet/gpu"):
        text = input_of((fixes + f"\n{compute}", "c_t" + column), False, run_style=run_style)
        done = lammps.run(text.replace(" press pxx pxy etotal", ""), env={"DPDSOP_OWN_COPIES": "1"})
        results.append([line.split()[-1] for line in thermo(done)])    # of the exact compute in both
    require(len(results[0]) > 4 and results[0] == results[1], f"temperatures {results}")
    require(f"LAMMPS reads {reads}" in done.output, f"sums are read that nobody adds up:\n{done.tail()}")


def test_temp_rescale_dynamic(lammps):
    """Temp/rescale: a dynamic group has the temperature wanted, whatever atoms it has.

    Taken in each step with the degrees of freedom of that step; so it is what it is to be, and the same with both run styles."""
    start(lammps, False)
    fix = ("region up block INF INF INF INF 3 INF\ngroup dyn dynamic two region up every 1\nfix 2 dyn temp/rescale/gpu 1 0.7 0.7 0.0 1.0\n"
           "compute t dyn temp/exact/gpu\ncompute_modify t dynamic/dof yes\nvariable n equal count(dyn)", "c_t v_n")
    lines = []
    for run_style, ranks in (("verlet", 1), ("verlet/gpu", 1), ("verlet/gpu", 3)):
        done = lammps.run(input_of(fix, False, run_style=run_style), ranks=ranks)
        lines.append([line.split()[-2:] for line in thermo(done)])
    values = np.array(lines[0][1:], dtype=float)
    require(np.all(np.abs(values[1:, 0] / 0.7 - 1.0) < 1e-12), f"temperatures {values[:, 0]}")
    require(len(set(values[:, 1])) > 2, f"the group stays the same: {values[:, 1]}")
    require(lines[1] == lines[0] and lines[2] == lines[0], f"{lines}")


def test_thermo_temp_extra_dof(lammps):
    """Thermo_temp: degrees of freedom that compute_modify has given before the run style."""
    start(lammps, False)
    found = []
    for run_style in ("verlet", "verlet/gpu"):
        text = input_of(("", ""), False, run_style=run_style).replace("run_style", "compute_modify thermo_temp extra/dof 600\nrun_style", 1)
        require("extra/dof 600\nrun_style" in text, text)
        found.append(lammps.run(text).thermo[0]["Temp"])
    require(len(found[0]) >= 4 and found[0][0] > 1.1 and np.allclose(found[0], found[1], rtol=1e-11), f"{found}")


def test_temp_rescale_a_group_at_rest_stays_at_rest_others_go_on(lammps):
    start(lammps, False)
    for run_style in ("verlet", "verlet/gpu"):
        lammps.run(input_of(("group still type 2\nvelocity still set 0 0 0\nfix 2 still temp/rescale/gpu 1 1.0 1.0 0.01 1.0\n"
                             "fix 3 still setforce/gpu 0 0 0", ""), False, run_style=run_style))
        atoms = [line.split() for line in read(lammps, "all.dump").split("ITEM: ATOMS")[-1].splitlines()[1:]]
        velocities = {kind: np.array([[float(word) for word in row[5:8]] for row in atoms if row[1] == kind]) for kind in "12"}
        require(len(velocities["2"]) > 100 and not velocities["2"].any(), f"{run_style}: the group moves")
        require(np.isfinite(velocities["1"]).all() and velocities["1"].any(), f"{run_style}: the others do not move")


# A viscous fluid between two plates: its velocity profile after it has become steady
PLATES = """units lj
boundary p p f
region box block 0 5 0 5 0 10
create_box 1 box
create_atoms 1 random 750 7711 box
mass 1 1.0
pair_style dpd/gpu 1.0 1.0 34387 backend {backend}
pair_coeff 1 1 10.0 20.0
run_style verlet/gpu
velocity all create 1.0 815
timestep 0.01
fix 1 all nve
{fixes}
run 5000
compute b all chunk/atom bin/1d z lower 1.0
fix p all ave/chunk 5 200 1000 b vx density/number file p.ave
run 10000
"""


def profile(lammps, bins):
    """Blocks of an ave/chunk file: the coordinates of the bins, and the velocities of each block in them."""
    rows = [line.split() for line in read(lammps, "p.ave").splitlines() if not line.startswith("#")]
    table = np.array([row for row in rows if len(row) > 3], dtype=float).reshape(-1, bins, len(rows[1]))
    return table[0, :, 1], table[:, :, -2]


def test_wall_bounce_a_fluid_between_walls_that_move_does_not_slip(lammps):
    lammps.run(PLATES.format(backend=BACKEND, fixes="fix 2 all wall/bounce/gpu zlo EDGE velocity -1 0 0 zhi EDGE velocity 1 0 0"))
    z, v = profile(lammps, 10)
    inner = slice(1, 9)
    slopes = np.array([np.polyfit(z[inner] - 5.0, row[inner], 1)[0] for row in v])
    slope, error = slopes.mean(), slopes.std(ddof=1) / np.sqrt(len(slopes))
    report = f"shear rate {slope:.4f} +- {error:.4f}, without slip 0.2"
    require(abs(slope - 0.2) < 4 * error + 0.008, report)
    print(report)


def test_wall_bounce_poiseuille_flow_between_plates_does_not_slip(lammps):
    lammps.run(PLATES.format(backend=BACKEND, fixes="fix 2 all wall/bounce/gpu zlo EDGE zhi EDGE\nfix 3 all gravity/gpu 0.1 vector 1 0 0"))
    z, v = profile(lammps, 10)
    print(no_slip(z - 5.0, v, 5.0))


def no_slip(r, v, wall):
    """Half the width of the parabola, from blocks that are independent of each other: where the fluid would be at rest."""
    inner = np.abs(r) < wall - 0.9
    widths = []
    for row in v.reshape(5, -1, v.shape[1]).mean(axis=1):
        curve = np.polyfit(r[inner]**2, row[inner], 1)
        widths.append(np.sqrt(-curve[1] / curve[0]))
    width, error = np.mean(widths), np.std(widths, ddof=1) / np.sqrt(len(widths))
    report = f"at rest at {width:.3f} +- {error:.3f} from the middle, the wall is at {wall}"
    require(error < 0.1 * wall and abs(width - wall) < 4 * error + 0.02 * wall, report)
    return report


def test_wall_bounce_poiseuille_flow_in_a_pipe_a_region_does_not_slip(lammps):
    lammps.run(f"""units lj
region box block -5 5 -5 5 0 6
create_box 1 box
region pipe cylinder/gpu z 0 0 4 INF INF
create_atoms 1 random 905 7711 pipe
mass 1 1.0
pair_style dpd/gpu 1.0 1.0 34387 backend {BACKEND}
pair_coeff 1 1 10.0 20.0
run_style verlet/gpu
velocity all create 1.0 815
timestep 0.01
fix 1 all nve
fix 2 all wall/bounce/gpu region pipe
fix 3 all gravity/gpu 0.2 vector 0 0 1
run 5000
compute b all chunk/atom bin/cylinder z lower 6 0 0 0 4 8
fix p all ave/chunk 5 200 1000 b vz density/number file p.ave
run 10000
""")
    r, v = profile(lammps, 8)
    print(no_slip(r, v, 4.0))


def test_wall_bounce_density(lammps):
    """Wall/bounce: without forces the density is the same up to the walls, and no atom gets out.

    Of an ideal gas with friction: bounce-back keeps volumes of phase space. Counts of blocks far apart are independent."""
    report = []
    for name, region, wall in (("plates", "region fluid block/gpu INF INF INF INF INF INF", "zlo EDGE zhi EDGE"),
                               ("sphere", "region fluid sphere/gpu 5 5 5 4", "region fluid"),
                               ("outside of a sphere", "region fluid sphere/gpu 5 5 5 4 side out", "region fluid")):
        lammps.run(f"""units lj
boundary p p {"f" if name == "plates" else "p"}
region box block 0 10 0 10 0 10
create_box 1 box
{region}
create_atoms 1 random 900 7711 fluid
mass 1 1.0
pair_style dpd/gpu 1.0 1.0 34387 backend {BACKEND}
pair_coeff 1 1 0.0 4.5
run_style verlet/gpu
velocity all create 1.0 815
timestep 0.02
neigh_modify delay 0 every 1 check yes
fix 1 all nve
fix 2 all wall/bounce/gpu {wall}
run 500
dump d all custom 100 all.dump id x y z
dump_modify d format float %.17g
run 10000
""")
        far = distances(lammps, name)
        near, all_of_it = np.array([[np.sum(block < 0.5), len(block)] for block in far], dtype=float).T
        share = {"plates": 0.1, "sphere": 1 - 3.5**3 / 4**3, "outside of a sphere": 4 / 3 * np.pi * (4.5**3 - 4**3) / (1000 - 4 / 3 * np.pi * 64)}[name]
        found, error = (near / all_of_it).mean(), (near / all_of_it).std(ddof=1) / np.sqrt(len(near))
        require(min(block.min() for block in far) > -1e-9, f"{name}: an atom is outside")
        require(abs(found - share) < 4 * 1.5 * error, f"{name}: {found:.4f} +- {error:.4f} of the atoms are within 0.5 of the wall, expected {share:.4f}")
        report.append(f"{name} {found / share:.3f} +- {error / share:.3f}")
    print(", ".join(report))


def distances(lammps, name):
    """From the wall, of the atoms of each snapshot."""
    blocks = []
    for text in read(lammps, "all.dump").split("ITEM: ATOMS")[1:]:
        x = np.array([line.split()[1:4] for line in text.split("ITEM:")[0].splitlines()[1:]], dtype=float)
        r = np.sqrt(np.sum((x - 5.0)**2, axis=1))
        blocks.append(np.minimum(x[:, 2], 10.0 - x[:, 2]) if name == "plates" else 4.0 - r if name == "sphere" else r - 4.0)
    return blocks


REFUSED = {
    "a bounce at a region of LAMMPS's": (False, "region r sphere 4 4 4 9\nfix 2 all wall/bounce/gpu region r",
                                         "Fix wall/bounce/gpu: region r is of LAMMPS's style sphere, allowed: a region of styles of this package"),
    "a bounce from outside of a region": (False, "region r sphere/gpu 4 4 4 1\nfix 2 all wall/bounce/gpu region r", "fix wall/bounce: atom"),
    "a bounce of nothing": (True, "fix 2 all wall/bounce/gpu", "Fix wall/bounce/gpu: no wall, allowed:"),
    "springs of a dynamic group": (False, "group d dynamic all region far every 2\nfix 2 d spring/self/gpu 1.0", "does not allow use with a dynamic group"),
    "motion of a dynamic group": (False, "group d dynamic all region far every 2\nfix 2 d move/gpu linear 1 0 0", "does not allow use with a dynamic group"),
    "displacements of a dynamic group": (False, "group d dynamic all region far every 2\ncompute m d msd/exact/gpu",
                                         "Compute msd/exact/gpu: group d is dynamic, allowed is one whose atoms stay"),
    "a group that is gone": (False, "group q id 1:50\nfix 2 q addforce/gpu 1 0 0\nrun 0\ngroup q delete", "Cannot delete group q currently used by fix ID 2"),
    "a group of a variable that is gone": (False, "group q id 1:50\nvariable t equal vcm(q,x)\nfix 2 all addforce/gpu v_t 0 0\nrun 0\ngroup q delete",
                                           "Variable t: Group q in variable formula does not exist"),
    "a compute of a variable that is gone": (False, "compute k all ke/gpu\nvariable t equal c_k\nfix 2 all addforce/gpu v_t 0 0\nrun 0\nuncompute k",
                                             "Variable t: Invalid compute ID 'k' in variable formula"),
    "a variable that is no number": (False, "variable t equal ln(vcm(all,x)-1.0)\nfix 2 all addforce/gpu v_t 0 0", "Fix addforce/gpu: variable t: "),
    "a wall in a periodic direction": (False, "fix 2 all wall/harmonic/gpu zlo EDGE 1 1 1", "Fix wall/harmonic/gpu: wall zlo in a periodic direction"),
    "a wall outside of the box": (True, "fix 2 all wall/reflect/gpu zhi 9.5", "Fix wall/reflect/gpu: wall zhi at 9.5, outside of the box from 0 to 8"),
    "NaN": (False, "fix 2 all addforce/gpu nan 0 0", "instead of 'nan'"),
    "no such variable": (False, "fix 2 all setforce/gpu v_none 0 0", "Fix setforce/gpu: variable none does not exist"),
    "an atom-style variable": (False, "variable a atom x\nfix 2 all addforce/gpu v_a 0 0", "Fix addforce/gpu: variable a is not of style equal"),
    "no such region": (False, "fix 2 all addforce/gpu 1 0 0 region none", "Fix addforce/gpu: region none does not exist"),
    "a region that is gone": (False, "region r block/gpu 0 1 0 1 0 1\nfix 2 all addforce/gpu 1 0 0 region r\nrun 0\nregion r delete",
                              "Fix addforce/gpu: region r does not exist any more"),
    "a variable that is gone": (False, "fix 2 all addforce/gpu v_w 0 0\nrun 0\nvariable w delete", "Fix addforce/gpu: variable w does not exist"),
    "a region that moves": (False, "region r block/gpu 0 1 0 1 0 1 move v_w NULL NULL", "Region block/gpu: keyword move, allowed: side, units"),
    "a bounce from behind": (True, "set atom 1 z 7.9\nfix 2 all wall/bounce/gpu zhi 4.0", "fix wall/bounce: atom"),
    "a particle on a wall": (True, "fix 2 all wall/lj126/gpu zhi 4.0 1 1 2", "fix wall/lj126: atom"),
    "two walls of one face": (True, "fix 2 all wall/reflect/gpu zhi EDGE zhi 7", "Fix wall/reflect/gpu: two walls zhi"),
    "damp": (False, "fix 2 all langevin/gpu 1 1 0 77", "Fix langevin/gpu: damp 0, allowed: damp > 0"),
    "no temperature": (False, "fix 2 all langevin/gpu 1 1 1 77\nfix_modify 2 temp none", "Fix langevin/gpu: compute none does not exist, allowed: the ID of a temperature"),
    "no temperature but another compute": (False, "fix 2 all temp/rescale/gpu 5 1 1 0 1\nfix_modify 2 temp thermo_press",
                                           "Fix temp/rescale/gpu: compute thermo_press of style pressure is no temperature"),
    "langevin, a variable that becomes negative": (False, "variable T equal 1.0-step\nfix 2 all langevin/gpu v_T 1.0 1.0 777",
                                                   "Fix langevin/gpu: the variable for Tstart is -1, allowed: one >= 0"),
    "temp/rescale, a variable that becomes negative": (False, "variable T equal 1.0-step\nfix 2 all temp/rescale/gpu 1 v_T 1.0 0.01 1.0",
                                                       "Fix temp/rescale/gpu: the variable for Tstart is -1, allowed: one >= 0"),
    "temp/rescale, a temperature": (False, "fix 2 all temp/rescale/gpu 5 -1 1 0 1", "Fix temp/rescale/gpu: Tstart -1, allowed: Tstart >= 0"),
    "temp/rescale, the other one": (False, "fix 2 all temp/rescale/gpu 5 1 -1 0 1", "Fix temp/rescale/gpu: Tstop -1, allowed: Tstop >= 0"),
    "a temperature that is gone": (False, "compute t all temp/partial/gpu 1 1 0\nfix 2 all temp/rescale/gpu 5 1 1 0 1\nfix_modify 2 temp t\nuncompute t",
                                   "Fix temp/rescale/gpu: compute t does not exist any more, allowed: that it stays"),
    "temp/partial without axes": (False, "compute t all temp/partial/gpu 1 1", "Compute temp/partial/gpu: 2 arguments, allowed are 3"),
    "temp/partial, an axis": (False, "compute t all temp/partial/gpu 1 1 2", "Compute temp/partial/gpu: axis 2, allowed are 0 and 1"),
    "temp/profile without bins": (False, "compute t all temp/profile/gpu 1 1 1", "Compute temp/profile/gpu: 3 arguments, allowed: xflag yflag zflag, axes and numbers of bins"),
    "temp/profile, a flag": (False, "compute t all temp/profile/gpu 1 2 1 x 3", "Compute temp/profile/gpu: yflag 2, allowed are 0 and 1"),
    "temp/profile, axes": (False, "compute t all temp/profile/gpu 1 1 1 zx 3 3", "Compute temp/profile/gpu: bins along zx, allowed: x, y, z, xy, yz, xz, xyz"),
    "temp/profile, too few numbers": (False, "compute t all temp/profile/gpu 1 1 1 xyz 3 3", "Compute temp/profile/gpu: no number of bins along z"),
    "temp/profile, no bins": (False, "compute t all temp/profile/gpu 1 1 1 xy 3 0", "Compute temp/profile/gpu: 0 bins along y, allowed: 1 and more, up to"),
    "temp/profile, too many bins": (False, "compute t all temp/profile/gpu 1 1 1 xy 100000 3000", "Compute temp/profile/gpu: 3000 bins along y, allowed"),
    "temp/profile, out of nothing": (False, "compute t all temp/profile/gpu 1 1 1 x 3 out",
                                     "Compute temp/profile/gpu: keyword out has no value, allowed: out tensor, out bin"),
    "temp/profile, a keyword": (False, "compute t all temp/profile/gpu 1 1 1 x 3 out all", "Compute temp/profile/gpu: keyword out all, allowed: out tensor, out bin"),
    "ke of something": (False, "compute t all ke/gpu x", "Compute ke/gpu: argument x is not known, allowed is none"),
    "com of something": (False, "compute t all com/gpu x", "Compute com/gpu: argument x is not known, allowed is none"),
    "momentum of something": (False, "compute t all momentum/gpu x", "Compute momentum/gpu: argument x is not known, allowed is none"),
    "scale of a type": (False, "fix 2 all langevin/gpu 1 1 1 77 scale 3 1.0", "Fix langevin/gpu: scale of type 3, allowed: 1 to 2"),
    "scale 0": (False, "fix 2 all langevin/gpu 1 1 1 77 scale 2 0.0", "Fix langevin/gpu: scale 2 0.0, allowed: a ratio > 0"),
    "scale of nothing": (False, "fix 2 all langevin/gpu 1 1 1 77 scale 2", "Fix langevin/gpu: scale 2 has no ratio, allowed: scale type ratio"),
    "langevin, tally of nothing": (False, "fix 2 all langevin/gpu 1 1 1 77 tally", "Fix langevin/gpu: keyword tally has no value"),
    "langevin, a keyword": (False, "fix 2 all langevin/gpu 1 1 1 77 tell", "Fix langevin/gpu: keyword tell, allowed: scale, tally, zero"),
    "angmom": (False, "fix 2 all langevin/gpu 1 1 1 77 angmom 3.3", "Fix langevin/gpu: keyword angmom 3.3, allowed: scale, tally, zero; LAMMPS's own"),
    "omega": (False, "fix 2 all langevin/gpu 1 1 1 77 omega yes", "Fix langevin/gpu: keyword omega yes, allowed: scale, tally, zero; LAMMPS's own"),
    "gjf": (False, "fix 2 all langevin/gpu 1 1 1 77 gjf vhalf", "Fix langevin/gpu: keyword gjf vhalf, allowed: scale, tally, zero"),
    "zero of nobody": (False, "fix 2 nobody langevin/gpu 1 1 1 77 zero yes", "Fix langevin/gpu: zero yes with group nobody, which has no atoms, allowed: a group"),
    "forces that were kept and are gone": (False, "fix 2 all langevin/gpu 1 1 1 77 tally yes\nunfix 2_ANCHORS",
                                           "Fix langevin/gpu: fix 2_ANCHORS does not exist any more, allowed: that it stays"),
    "no momentum": (False, "fix 2 all momentum/gpu 1 rescale", "Fix momentum/gpu: no momentum, allowed: linear x y z, angular, or both"),
    "momentum of nobody": (False, "fix 2 nobody momentum/gpu 1 angular", "Fix momentum/gpu: group nobody has no atoms, allowed: a group with atoms, or a dynamic one"),
    "half of a momentum": (False, "fix 2 all momentum/gpu 1 linear 1 1", "Fix momentum/gpu: keyword linear, allowed: linear x y z, angular, rescale"),
    "couple": (False, "fix 2 all spring/gpu couple left 1 1 1 1 0", "Fix spring/gpu: couple"),
}


def test_many_sums(lammps):
    """A variable of more sums than a fix may have: LAMMPS calls the fix, with the same bits."""
    formula = "+".join(f"vcm({group},{axis})" for group in ("all", "left", "two") for axis in "xyz")
    case = (f"variable t equal 1e-5*({formula}+ke(all)+ke(two)+ke(left))\nfix 2 all addforce/gpu v_t 0 0", "f_2[1]")
    same_by_both(lammps, case, {"verlet/gpu": "fix 2: variable t is one of those with more than 8 sums"})


def test_moved_twice(lammps):
    """Two fixes that move the same atoms: LAMMPS's warning, and the same bits in both run styles."""
    warning = "One or more atoms are time integrated more than once"
    same_by_both(lammps, ("fix 2 two nve/exact/gpu", ""), {"verlet": warning, "verlet/gpu": warning}, rule=RULES[1], run="run 15")


def test_refused_a_box_around_a_region_that_has_none(lammps):
    for shape in ("plane/gpu 1 1 1 0 0 1", "union/gpu 2 a b", "intersect/gpu 2 a b"):
        text = "region a sphere/gpu 3 3 3 1\nregion b sphere/gpu 3 3 3 2\nregion c sphere/gpu 1 1 1 1\nregion c delete\n"
        done = lammps.run(f"units lj\n{text}region c {shape}\ncreate_box 1 c\n", ok=False)
        require(any("bounding box" in error for error in done.errors), f"{shape}: {done.errors}\n{done.tail()}")


@pytest.mark.parametrize("walls, fix, text", REFUSED.values(), ids=REFUSED)
def test_refused(lammps, walls, fix, text):
    start(lammps, walls)
    lammps.require_refused(text, lambda run_style: input_of((fix, ""), walls, run_style=run_style, run="run 5"))
