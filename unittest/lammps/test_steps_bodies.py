"""Rigid bodies (FixRigidGPU): the same bits under both run styles, on any number of ranks and after a restart; forces, velocities,
positions, pressures and values are those of LAMMPS's own fixes rigid, rigid/nve, rigid/nvt and of those for small bodies; a free body
turns as Euler's equations say; thermostats keep temperatures and the energy of what is extended by them.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from checks import Failed, require
from lammps_run import BACKEND
from test_steps import RULES, read, same_in_all_ways, thermo

pytestmark = pytest.mark.copies_in_turn

EDGE, FLUID, TILT = 9.0, 1500, 1.3
EACH_STEP = "every 1 delay 0 check no"
PAIR = f"pair_style dpd/gpu 1.0 1.0 34387 backend {BACKEND}\npair_coeff * * 25.0 4.5"

INPUT = """units lj
atom_style molecular
atom_modify map yes
{read}
{pair}
run_style {run_style}
neighbor 0.3 bin
neigh_modify {rule}
comm_modify cutoff 2.5
atom_modify sort 25 0.0
timestep 0.01
group bodies type 2
group fluid type 1
group some molecule 1 3
group others molecule 2 4 5
neigh_modify exclude molecule/intra bodies
thermo 10
fix 1 fluid nve
{fix}
thermo_style custom step temp press pxx pxy pyz etotal {values}
thermo_modify format float %.17g
{before}
dump d all custom {every} {name}.dump id type x y z vx vy vz fx fy fz ix iy iz
dump_modify d sort id format float %.17g
{run}
"""


def points(random, n, *widths):
    return random.uniform(-1.0, 1.0, (n, 3)) * widths


def start(lammps, tilted=False, bend=0.0):
    """A fluid and five bodies: two of them across the border, one at a corner, one a line unless it is bent, one on one rank."""
    random = np.random.default_rng(5)
    bodies = [np.array([0.1, 4.0, 5.0]) + points(random, 20, 1.0, 0.7, 0.5),
              np.array([5.0, 0.1, 8.9]) + points(random, 15, 1.0, 0.5, 0.3),
              np.array([4.5, 4.5, 4.5]) + np.array([[np.cos(k), np.sin(k), 0.1 * k] for k in range(12)]),
              np.array([3.0, 7.0, 2.0]) + np.outer(np.arange(7), [0.3, 0.2, 0.1]) + bend * np.outer(np.arange(7) == 2, [0, 1, 0]),
              np.array([8.8, 8.9, 8.7]) + np.array([[0.0, 0.0, 0.0], [0.4, 0.0, 0.0], [0.0, 0.5, 0.0]])]
    edges = np.array([[EDGE, 0, 0], [TILT if tilted else 0, EDGE, 0], [0, 0, EDGE]])
    rows = [(0, 1, x @ edges) for x in random.random((FLUID, 3))]
    rows += [(k + 1, 2, x) for k, body in enumerate(bodies) for x in body]
    text = f"bodies\n\n{len(rows)} atoms\n2 atom types\n0 {EDGE} xlo xhi\n0 {EDGE} ylo yhi\n0 {EDGE} zlo zhi\n"
    text += f"{TILT} 0 0 xy xz yz\n" if tilted else ""
    text += "\nMasses\n\n1 1.0\n2 1.7\n\nAtoms # molecular\n\n"
    for k, (molecule, kind, x) in enumerate(rows):
        boxes = np.floor(x @ np.linalg.inv(edges))
        x = x - boxes @ edges
        text += f"{k + 1} {molecule} {kind} {x[0]:.17g} {x[1]:.17g} {x[2]:.17g} " + " ".join(f"{n:.0f}" for n in boxes) + "\n"
    text += "\nVelocities\n\n"
    for k, v in enumerate(random.normal(0.0, 1.0, (len(rows), 3))):
        text += f"{k + 1} {v[0]:.17g} {v[1]:.17g} {v[2]:.17g}\n"
    with open(lammps.path("start.data"), "w") as file:
        file.write(text)


def input_of(case, **other):
    fix, values, ours = (*case, {"/gpu": ""})[:3]
    row = dict(read="read_data start.data", pair=PAIR, run_style="verlet", rule=RULES[1], values=values, every=15, name="all",
               before="", run="run 30\nrun 25", fix=fix.replace("{gpu}", "/gpu") + ours["/gpu"])
    row.update(other)
    return INPUT.format(**row)


OF_BODIES = "f_2 f_2[1][1] f_2[2][5] f_2[3][9] f_2[4][10] f_2[5][13] f_2[5][14]"

# name: fixes, their values. {gpu} stands for the suffix
CASES = {
    "molecules": ("fix 2 bodies rigid{gpu} molecule", OF_BODIES),
    "small": ("fix 2 bodies rigid/small{gpu} molecule", "f_2"),
    "all one body": ("group third molecule 3\ngroup rest subtract bodies third\nfix 2 third rigid{gpu} single\nfix 3 rest nve", "f_2 f_2[1][1] f_2[1][12]"),
    "groups": ("fix 2 bodies rigid{gpu} group 2 some others torque * off off off", "f_2 f_2[1][1] f_2[2][7]"),
    "what moves and turns": ("fix 2 bodies rigid{gpu} molecule force 1*2 off on off torque 2*3 on off on", OF_BODIES),
    "friction": ("fix 2 bodies rigid{gpu} molecule langevin 0.0 0.0 0.5 777", OF_BODIES),
    "small, friction": ("fix 2 bodies rigid/small{gpu} molecule langevin 0.0 0.0 0.5 777", "f_2"),
    "bodies that stay known": ("fix 2 bodies rigid{gpu} molecule reinit no", OF_BODIES),
    "no virial": ("fix 2 bodies rigid{gpu} molecule\nfix_modify 2 virial no", OF_BODIES),
    "forces on bodies": ("fix 3 bodies addforce{gpu} 3.0 -1.0 0.5\nfix 4 all setforce{gpu} NULL NULL 0.3\nfix 2 bodies rigid{gpu} molecule", OF_BODIES),
    "velocities that others read": ("fix 2 bodies rigid{gpu} molecule\nfix 3 fluid temp/rescale{gpu} 5 1.0 1.0 0.02 0.7\nfix 4 fluid momentum{gpu} 3 linear 1 1 1\n"
                                    "compute t bodies temp{gpu}\nfix 5 all ave/time 1 5 5 c_t file t.ave", OF_BODIES + " f_5"),
    "before the fluid": ("unfix 1\nfix 2 bodies rigid{gpu} molecule\nfix 1 fluid nve", OF_BODIES),
}

# LAMMPS's scalar of rigid/nvt is the energy of the chains plus a temperature, that of rigid/nvt/small plus an energy that counts
# what moves twice. Freedom: that of five bodies
THEIR_CHAINS = "compute k bodies ke/rigid 2\ncompute e bodies erotate/rigid 2\nvariable chains equal f_2-"
OUR_CHAINS = "\nvariable chains equal f_2"


def chains(options, small=False):
    excess = "2*c_k-c_e" if small else "2*(c_k+c_e)/30"
    return (f"fix 2 bodies rigid/nvt{'/small' if small else ''}{{gpu}} molecule {options}", "v_chains" + ("" if small else OF_BODIES[3:]),
            {"": f"\n{THEIR_CHAINS}{excess}", "/gpu": OUR_CHAINS})


SYMPLECTIC = {
    "nve": ("fix 2 bodies rigid/nve{gpu} molecule", OF_BODIES),
    "small, nve": ("fix 2 bodies rigid/nve/small{gpu} molecule", "ke"),
    "nve, friction": ("fix 2 bodies rigid/nve{gpu} molecule langevin 0.0 0.0 0.5 777", OF_BODIES),
    "nve, what moves and turns": ("fix 2 bodies rigid/nve{gpu} molecule force 1*2 off on on torque 2*3 on off on", OF_BODIES),
    "nvt": chains("temp 1.0 2.0 0.3"),
    "nvt, other parts": chains("temp 3.0 1.0 0.1 tparam 3 2 5"),
    "nvt, one thermostat": chains("temp 1.0 1.0 0.5 tparam 1 1 3 reinit no"),
    "nvt, what moves and turns": ("fix 2 bodies rigid/nvt{gpu} molecule temp 1.0 1.0 0.5 force 1*2 off on on torque 3*4 on off on", OF_BODIES[4:]),
    "small, nvt": chains("temp 2.0 2.0 0.2", small=True),
    "nvt, forces on bodies": chains("temp 1.0 1.0 0.5\nfix 3 bodies addforce{gpu} 3.0 -1.0 0.5"),
}
NOISE = {
    "nve, noise": ("fix 2 bodies rigid/nve{gpu} molecule langevin 1.0 2.0 0.5 777", "f_2"),
    "noise": ("fix 2 bodies rigid{gpu} molecule langevin 1.0 2.0 0.5 777", "f_2"),
    "small, noise": ("fix 2 bodies rigid/small{gpu} molecule langevin 1.0 1.0 0.5 777\nfix 3 fluid langevin{gpu} 1.0 1.0 0.5 777", "f_2"),
}


def atoms_of(lammps):
    frame = read(lammps, "all.dump").split("ITEM: ATOMS")[-1].splitlines()[1:]
    return np.array([[float(word) for word in line.split()] for line in frame])


def as_lammps(lammps, case, tilted, steps, accuracy, bend=0.0, rule=RULES[1]):
    """From the same state. Noise is made of the last bits of velocities, so there is none."""
    start(lammps, tilted, bend)
    pair = PAIR.replace("dpd/gpu 1.0", "dpd/gpu 0.0").replace(f"backend {BACKEND}", f"backend {BACKEND} precision double")
    tables = []
    for gpu in ("", "/gpu"):
        also = case[2][gpu] if len(case) > 2 else ""
        fix, before = case[0].replace("{gpu}", gpu) + also, f"run 0\nreset_timestep {420 - steps}" if "ave/time" not in case[0] else "run 0"
        if not gpu and "langevin" in fix:
            fix = fix.replace("rigid/small", "rigid")    # LAMMPS's rigid/small with friction differs from machine to machine
        try:
            # LAMMPS's counts the freedom of bodies from the second run on
            done = lammps.run(input_of((fix, case[1]), pair=pair, rule=rule, every=steps, before=before, run=f"run {steps}"))
        except Failed as failure:
            package = re.search(r"part of the (\S+) package which is not enabled", str(failure))
            if not gpu and package:
                pytest.skip(f"this LAMMPS has no package {package[1]}")
            raise
        tables.append((atoms_of(lammps), np.array([float(word) for word in thermo(done)[-1].split()])))
    (atoms, values), (ours, our_values) = tables
    scale = np.maximum(1.0, np.abs(atoms))
    require(np.all(np.abs(atoms - ours) <= accuracy * scale), f"atoms differ by {np.max(np.abs(atoms - ours) / scale):.1e}")
    scale = np.maximum(1.0, np.abs(values))
    require(np.all(np.abs(values - our_values) <= 100 * accuracy * scale), f"values {our_values}, LAMMPS's {values}")
    return f"atoms to {np.max(np.abs(atoms - ours)):.0e}, values to {np.max(np.abs(values - our_values)):.0e}"


@pytest.mark.parametrize("case, tilted, rule", [
    pytest.param(case, k % 2 == 1, RULES[k // 2 % 2], id=name)
    for k, (name, case) in enumerate({**CASES, **SYMPLECTIC, **NOISE}.items())])
def test_same_bits(lammps, case, tilted, rule):
    def check_log(done, ranks):
        require(re.search(r"resident fixes: .*\b2 \(rigid", done.output), f"the fix is not resident:\n{done.tail()}")
        require(ranks > 1 or "wrap and lists: resident" in done.output, f"lists are not the engine's:\n{done.tail()}")

    start(lammps, tilted)
    same_in_all_ways(lammps, lambda run_style: input_of(case, run_style=run_style, rule=rule, run="run 20\nrun 15\nrun 12 pre no"),
                     check_log, case[1].split())


@pytest.mark.parametrize("k, case", [pytest.param(k, case, id=name) for k, (name, case) in enumerate(CASES.items())])
def test_as_lammps(lammps, k, case):
    print(as_lammps(lammps, case, k % 2 == 0, 1, 1e-12))


@pytest.mark.parametrize("k, case", [pytest.param(k, case, id=name) for k, (name, case) in enumerate(CASES.items())])
def test_as_lammps_100_steps(lammps, k, case):
    print(as_lammps(lammps, case, k % 2 == 1, 100, 1e-9))


# Axes of a line are any across it: rotations one by one are the same to third order of the time step. What a thermostat does to
# the pressure depends on the box in which a body lies: LAMMPS moves it into the one whenever it rebuilds lists
@pytest.mark.parametrize("k, case", [pytest.param(k, case, id=name) for k, (name, case) in enumerate(SYMPLECTIC.items())])
def test_as_lammps_symplectic(lammps, k, case):
    print(as_lammps(lammps, case, k % 2 == 0, 1, 1e-12, 0.3, EACH_STEP))


@pytest.mark.parametrize("k, case", [pytest.param(k, case, id=name) for k, (name, case) in enumerate(SYMPLECTIC.items())])
def test_as_lammps_200_steps_symplectic(lammps, k, case):
    print(as_lammps(lammps, case, k % 2 == 1, 200, 1e-9, 0.3, EACH_STEP))


def test_as_lammps_a_line_among_bodies_nve(lammps):
    print(as_lammps(lammps, SYMPLECTIC["nve"], False, 1, 1e-5))


def goes_on_as(lammps, whole, case, file):
    """From step 20, of which the restart file is, to step 38: the last frame of that whole run, on any ranks and run style."""
    for ranks, run_style in ((1, "verlet"), (1, "verlet/gpu"), (3, "verlet/gpu")):
        lammps.run(input_of(case, run_style=run_style, read=f"read_restart {file}", run="run 18 start 0 stop 38", name="rest",
                            every=38), ranks=ranks)
        frames = [read(lammps, f"{name}.dump").split("ITEM: TIMESTEP")[-1] for name in ("rest", whole)]
        require(frames[0] == frames[1], f"{file}, {ranks} ranks, {run_style}: another state after a restart")


def test_restart(lammps):
    """A restart in the middle of a run, and between runs: the same bits."""
    start(lammps)
    for case in (CASES["molecules"], NOISE["noise"], NOISE["nve, noise"], SYMPLECTIC["nvt"], SYMPLECTIC["small, nvt"]):
        lammps.run(input_of(case, run_style="verlet/gpu", run="restart 20 *.mid\nrun 38 start 0 stop 38", name="whole", every=38))
        lammps.run(input_of(case, run_style="verlet/gpu", run="run 20 start 0 stop 38\nwrite_restart between\nrun 18 start 0 stop 38",
                            name="parts", every=38))
        goes_on_as(lammps, "whole", case, "20.mid")
        goes_on_as(lammps, "parts", case, "between")


# Fixes that change velocities of bodies after these have moved, and forces that are defined behind the bodies
BEHIND = {
    "momentum": ("rigid{gpu} molecule", "fix 3 all momentum{gpu} 2 linear 1 1 1"),
    "nvt, temp/rescale": ("rigid/nvt{gpu} molecule temp 1.0 1.2 0.5", "fix 3 all temp/rescale{gpu} 5 1.0 1.0 0.01 0.5"),
    "small, noise, temp/berendsen": ("rigid/small{gpu} molecule langevin 1.0 1.0 0.5 777",
                                     "fix 3 some temp/berendsen{gpu} 1.0 1.5 0.3"),
    "addforce": ("rigid{gpu} molecule", "fix 3 some addforce{gpu} 3.0 -1.0 0.5"),
    "nve, spring/self, setforce": ("rigid/nve{gpu} molecule",
                                   "fix 3 bodies spring/self{gpu} 4.0\nfix 4 others setforce{gpu} NULL 0.0 NULL"),
    "small, nvt, gravity, LAMMPS's spring": ("rigid/nvt/small{gpu} molecule temp 1.0 1.0 0.5",
                                             "fix 3 all gravity{gpu} 0.5 vector 0 0 -1\n"
                                             "fix 4 one spring tether 3.0 1.0 NULL 2.0 0.5"),
}


@pytest.mark.parametrize("bodies, behind", [pytest.param(*fixes, id=name) for name, fixes in BEHIND.items()])
def test_restart_other_fixes_behind_bodies(lammps, bodies, behind):
    start(lammps)
    case = (f"group one id 1510\nfix 2 bodies {bodies}\n{behind}", "f_2")
    lammps.run(input_of(case, run_style="verlet/gpu", run="restart 20 *.mid\nrun 38 start 0 stop 38", name="whole", every=38))
    goes_on_as(lammps, "whole", case, "20.mid")


def test_refused_other_chains(lammps):
    """Refused: a restart file with damaged chains; chains of another length begin anew."""
    start(lammps)
    case = ("fix 2 bodies rigid/nvt/gpu molecule temp 1.0 1.0 0.2", "f_2")
    lammps.run(input_of(case, run="run 20\nwrite_restart mid"))
    file = "Fix rigid/nvt/gpu: the restart file "
    errors = {0: file + "has no state of this fix", 8: file + "has a state of format 3, allowed is 1", 17: file + "is damaged",
              50: file + "is damaged"}
    lammps.require_damage_found("mid", b"DS_CHAIN", errors, lambda restart: input_of(case, read=f"read_restart {restart}"))
    done = lammps.run(input_of((f"{case[0]} tparam 3 1 3", "f_2"), read="read_restart mid", run="run 0"))
    require("the restart file has chains of 10 thermostats, not of 3: their state begins anew" in done.output, done.tail())
    require(float(thermo(done)[-1].split()[-1]) == 0.0, f"{thermo(done)}")


def test_a_restart_and_then_other_velocities_bodies_have_these(lammps):
    start(lammps)
    for more in ("", "\nfix 3 all momentum/gpu 5 linear 1 1 1"):
        case = ("fix 2 bodies rigid/gpu molecule" + more, "f_2 f_2[1][4]")
        lammps.run(input_of(case, run="restart 20 *.mid\nrun 40"))
        done = lammps.run(input_of(case, read="read_restart 20.mid", run="velocity all set 0.25 0 0\nrun 0"))
        require(abs(float(thermo(done)[-1].split()[-1]) - 0.25) < 1e-12, f"{thermo(done)}")


def test_velocity_with_keyword_rigid(lammps):
    """Velocity with keyword rigid: bodies at rest, and bodies that do not turn."""
    start(lammps)
    for command, columns in (("velocity bodies zero linear rigid 2", "f_2[1][4] f_2[2][5] f_2[3][6]"), ("velocity bodies zero angular rigid 2", "v_w")):
        fix = f"fix 2 bodies rigid/gpu molecule\nvariable w equal omega(one,x)\ngroup one molecule 1\nrun 0\n{command}"
        done = lammps.run(input_of((fix, columns), run="run 0"))
        require(np.all(np.abs(np.array(thermo(done)[-1].split()[7:], dtype=float)) < 1e-11), f"{command}: {thermo(done)}")


def last_rows(lammps):
    """Positions that are not wrapped, and velocities."""
    last = read(lammps, "all.dump").split("ITEM: ATOMS")[-1].splitlines()[1:]
    rows = np.array([line.split()[2:] for line in last], dtype=float)
    return np.hstack((rows[:, :3] + EDGE * rows[:, 9:], rows[:, 3:6]))


@pytest.mark.parametrize("style", ("rigid", "rigid/small"))
def test_minimization_before_the_first_run_bodies_are_those_that_it_leaves(lammps, style):
    """Bodies that stay known are made at the begin of the first run: its first step does not put back what was minimized. LAMMPS's
    own fix rigid does that, and is no reference."""
    start(lammps)
    found = []
    for gpu, run_style, reinit in (("/gpu", "verlet", "yes"), ("/gpu", "verlet", "no"), ("/gpu", "verlet/gpu", "no"), ("", "verlet", "no")):
        case = (f"fix 2 bodies {style}{gpu} molecule reinit {reinit}", "")
        lammps.run(input_of(case, run_style=run_style, run="minimize 0 1e-6 5 20\nrun 1", every=1, rule=EACH_STEP))
        found.append(last_rows(lammps))
    require(np.all(found[1] == found[0]) and np.all(found[2] == found[0]), "other atoms than where bodies are made anew in each run")
    require(style == "rigid" or np.abs(found[3] - found[0]).max() < 1e-8, f"{np.abs(found[3] - found[0]).max()} from LAMMPS's own")


def test_beside_fix_balance(lammps):
    """Ranks get other parts of the box, which stays as it is: bodies go on. The fix rounds positions."""
    start(lammps)
    found = []
    for balance, run_style, ranks in (("", "verlet", 1), ("fix 3 all balance 10 1.0 shift xyz 10 1.01", "verlet", 2),
                                      ("fix 3 all balance 10 1.0 shift xyz 10 1.01", "verlet/gpu", 2)):
        lammps.run(input_of((f"fix 2 bodies rigid/gpu molecule\n{balance}", "f_2"), run_style=run_style, every=5), ranks=ranks)
        found.append(last_rows(lammps))
        require(np.abs(found[-1] - found[0]).max() < 1e-6, f"{run_style}, {ranks} ranks: {np.abs(found[-1] - found[0]).max()} from one rank")
    require(np.all(found[2] == found[1]), "other atoms than by verlet")


def test_fixes_of_lammps_in_each_step_beside_lammps(lammps):
    """Fixes of LAMMPS's in each step: bodies go on in the engine, with the same bits."""
    start(lammps)
    for fix in ("fix 3 all viscous 0.1", "compute c bodies com\nvariable b equal f_2[1][1]+f_2[5][7]\nfix 3 all ave/time 1 1 1 c_c[1] v_b file b.ave format \" %.17g\""):
        found = []
        for run_style, ranks in (("verlet", 1), ("verlet/gpu", 1), ("verlet/gpu", 2)):
            lammps.run(input_of((f"{fix}\nfix 2 bodies rigid/gpu molecule", "f_2") if "f_2" not in fix else (f"fix 2 bodies rigid/gpu molecule\n{fix}", "f_2"),
                                run_style=run_style), ranks=ranks)
            averages = [line.split()[2:] for line in read(lammps, "b.ave").splitlines()] if "b.ave" in fix else []
            found.append((read(lammps, "all.dump"), averages))
        require(found[1] == found[0] and found[2] == found[0], f"{fix}: other atoms or values than by verlet")


def test_two_fixes(lammps):
    """Two fixes: bodies of the second one are moved by LAMMPS's steps, with the same bits."""
    start(lammps)
    fixes = ("fix 2 some rigid/gpu molecule\nfix 3 others rigid/small/gpu molecule", "f_2 f_3")
    found = []
    for run_style, ranks in (("verlet", 1), ("verlet/gpu", 1), ("verlet/gpu", 2)):
        done = lammps.run(input_of(fixes, run_style=run_style), ranks=ranks)
        found.append(read(lammps, "all.dump"))
    require("fix 3: there are rigid bodies of another fix" in done.output, done.tail())
    require(found[1] == found[0] and found[2] == found[0], "other atoms than by verlet")


# ------------------------------------------------------------------------------------------- physics


TOP = """units lj
atom_style molecular
atom_modify map yes
region box block -5 5 -5 5 -5 5
create_box 1 box
create_atoms 1 single  1.0 0.0 0.0
create_atoms 1 single -1.0 0.0 0.0
create_atoms 1 single  0.0 0.6 0.0
create_atoms 1 single  0.0 -0.6 0.0
create_atoms 1 single  0.0 0.0 0.3
create_atoms 1 single  0.0 0.0 -0.3
set group all mol 1
mass 1 1.0
pair_style dpd/gpu 0.0 1.0 34387 backend {backend}
pair_coeff 1 1 0.0 0.0
neigh_modify exclude molecule/intra all
run_style verlet/gpu
velocity all set 4.0 0 0
velocity all zero linear
variable vx atom {wy}*z-{wz}*y
variable vy atom {wz}*x-{wx}*z
variable vz atom {wx}*y-{wy}*x
velocity all set v_vx v_vy v_vz
timestep {dt}
fix 1 all {style} single
thermo {every}
variable ax equal x[1]
variable ay equal y[1]
variable az equal z[1]
variable bx equal x[3]
variable by equal y[3]
variable bz equal z[3]
thermo_style custom step ke v_ax v_ay v_az v_bx v_by v_bz
thermo_modify format float %.17g
run {steps}
"""


def euler(w, seconds):
    """Orientation of the top of TOP after some time: Euler's equations for the angular velocity in the body, and the axes that turn
    with it."""
    moments = 2.0 * np.array([0.36 + 0.09, 1.0 + 0.09, 1.0 + 0.36])

    def rate(_, state):
        spin, axes = state[:3], state[3:].reshape(3, 3)    # rows: axes of the body in space
        turning = np.cross(moments * spin, spin) / moments
        return np.hstack([turning, np.cross(spin @ axes, axes).ravel()])

    axes = solve_ivp(rate, (0.0, seconds), np.hstack([w, np.eye(3).ravel()]), method="DOP853", rtol=1e-11, atol=1e-12).y[3:, -1]
    return axes[:3], 0.6 * axes[3:6]


@pytest.mark.parametrize("style", ("rigid/gpu", "rigid/nve/gpu"))
def test_a_free_asymmetric_top(lammps, style):
    """A free asymmetric top: it turns as Euler's equations say, to second order, and its energy stays.

    About the middle axis, which is not stable: it tumbles."""
    w, seconds = np.array([0.02, 1.0, 0.03]), 16.0
    expected = np.hstack(euler(w, seconds))
    errors, drifts = [], []
    for dt in (0.02, 0.01):
        steps = round(seconds / dt)
        done = lammps.run(TOP.format(backend=BACKEND, style=style, dt=dt, steps=steps, every=steps // 40, wx=w[0], wy=w[1], wz=w[2]))
        rows = np.array([line.split() for line in thermo(done)], dtype=float)
        require(len(rows) == 41 and np.min(rows[:, 6]) < -0.5, f"it has not tumbled: {rows[:, 6]}")
        errors.append(np.max(np.abs(rows[-1, 2:] - expected)))
        drifts.append(np.ptp(rows[:, 1]) / rows[0, 1])
    require(errors[0] < 0.02 and 3.2 < errors[0] / errors[1] < 4.8, f"places are wrong by {errors}")
    require(drifts[1] < 1e-5 and drifts[1] < drifts[0] / 3.0, f"energies change by {drifts}")
    print(f"places to {errors[1]:.1e}, energy to {drifts[1]:.1e}")


def test_rigid_nvt_conserved(lammps):
    """Rigid/nvt: energy with that of the chains stays, to second order, while that of the chains changes."""
    start(lammps)
    pair = PAIR.replace("dpd/gpu 1.0", "dpd/gpu 0.0").replace("25.0 4.5", "25.0 0.0").replace(BACKEND, f"{BACKEND} precision double")
    for style in ("rigid/nvt/gpu", "rigid/nvt/small/gpu"):
        drifts = []
        for steps in (200, 400):
            run = f"thermo_style custom step ecouple econserve f_2\nthermo_modify format float %.17g norm no\ntimestep {1.0 / steps}\nthermo {steps // 20}\nrun {steps}"
            case = (f"fix 2 bodies {style} molecule temp 3.0 3.0 0.2", "f_2")
            done = lammps.run(input_of(case, pair=pair, run_style="verlet/gpu", every=1000, run=run))
            rows = np.array([line.split() for line in thermo(done)], dtype=float)
            require(len(rows) == 21 and np.array_equal(rows[:, 1], rows[:, 3]), f"ecouple is not the fix's scalar: {rows[-1]}")
            drifts.append(np.max(np.abs(rows[:, 2] - rows[0, 2])))
            change = np.ptp(rows[:, 1])
        require(change > 20.0 and drifts[1] < 0.02 * change, f"{style}: the sum changes by {drifts}, the energy of the chains by {change}")
        require(drifts[0] / drifts[1] > 2.5, f"{style}: the sum changes by {drifts} for steps of which the second ones are half as long")
    print(f"to {drifts[1]:.2g} while chains take {change:.3g}")


TRIMERS = """units lj
atom_style molecular
atom_modify map yes
read_data trimers.data
pair_style dpd/gpu 0.0 1.0 34387 backend {backend}
pair_coeff 1 1 25.0 0.0
neigh_modify exclude molecule/intra all every 2 delay 0 check yes
run_style verlet/gpu
velocity all zero linear
timestep 0.005
fix 2 all {style} molecule temp 1.3 1.3 0.5
compute t all temp/gpu
run 1000
fix v all ave/time 10 1 10 f_2[4] f_2[5] f_2[6] mode vector file v.ave
thermo 10
thermo_style custom step c_t
thermo_modify format float %.17g
run 20000
"""


def test_rigid_nvt_temperature(lammps):
    """Rigid/nvt: bodies have the temperature of the thermostat, and so has their translation, to four standard errors."""
    random, wanted, side = np.random.default_rng(11), 1.3, 4
    corners = 1.5 * np.array([[i, j, k] for i in range(side) for j in range(side) for k in range(side)]) + 0.3
    shape = np.array([[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.4, 0.2]])
    atoms = [(k + 1, corner + x) for k, corner in enumerate(corners) for x in shape]
    with open(lammps.path("trimers.data"), "w") as file:
        file.write(f"trimers\n\n{len(atoms)} atoms\n1 atom types\n" + "".join(f"0 {1.5 * side} {x}lo {x}hi\n" for x in "xyz") + "\nMasses\n\n1 1.0\n\nAtoms # molecular\n\n")
        file.write("".join(f"{k + 1} {body} 1 {x[0]} {x[1]} {x[2]}\n" for k, (body, x) in enumerate(atoms)) + "\nVelocities\n\n")
        file.write("".join(f"{k + 1} {v[0]} {v[1]} {v[2]}\n" for k, v in enumerate(random.normal(0.0, 1.0, (len(atoms), 3)))))
    done = lammps.run(TRIMERS.format(backend=BACKEND, style="rigid/nvt/gpu"))
    of_all = np.array([line.split()[1] for line in thermo(done)], dtype=float)
    lines = [line.split() for line in read(lammps, "v.ave").splitlines() if not line.startswith("#")]
    v = np.array([line[1:] for line in lines if len(line) == 4], dtype=float).reshape(-1, len(corners), 3)
    translation = 3.0 * np.mean(v**2, axis=(1, 2))
    of_all *= (6 * len(corners) - 3) / (6 * len(corners))    # chains count the motion of all bodies together, which there is not
    found = []
    for values in (of_all, translation):
        blocks = values[-2000:].reshape(20, 100).mean(axis=1)
        mean, error = blocks.mean(), blocks.std(ddof=1) / np.sqrt(20)
        require(error < 0.01, f"standard error {error}: too few samples")
        require(abs(mean - wanted) < 4.0 * error, f"temperature {mean:.4f}, standard error {error:.4f}, thermostat {wanted}")
        found.append(f"{mean:.4f} +- {error:.4f}")
    print(", ".join(found))


# ----------------------------------------------------------------------------------------- bad input


REFUSED = {
    "no bodystyle": ("fix 2 bodies rigid/gpu", "Fix rigid/gpu: no bodystyle, allowed: single, molecule, group"),
    "custom": ("fix 2 bodies rigid/gpu custom i_x", "Fix rigid/gpu: bodystyle custom, allowed: single, molecule, group; LAMMPS's own"),
    "small single": ("fix 2 bodies rigid/small/gpu single", "Fix rigid/small/gpu: bodystyle single, allowed: molecule"),
    "nobody": ("group none empty\nfix 2 none rigid/gpu molecule", "Fix rigid/gpu: no rigid bodies: the group has no atoms"),
    "a body with one atom": ("set atom 1 mol 17\ngroup one id 1\ngroup more union bodies one\nfix 2 more rigid/gpu molecule",
                             "Fix rigid/gpu: body 17 has 1 atom(s), allowed: 2 or more"),
    "a group without atoms": ("group none empty\nfix 2 bodies rigid/gpu group 2 some none", "Fix rigid/gpu: body 2 has 0 atom(s), allowed: 2 or more"),
    "a body whose atoms are gone": ("fix 2 bodies rigid/gpu molecule\nrun 1\n"
                                    "group gone molecule 3\ndelete_atoms group gone", "Fix rigid/gpu: body 3 has 0 atom(s), allowed: 2 or more"),
    "no such group": ("fix 2 bodies rigid/gpu group 1 nothing", "Fix rigid/gpu: group nothing does not exist, allowed: IDs of groups"),
    "too few groups": ("fix 2 bodies rigid/gpu group 3 some others", "Fix rigid/gpu: bodystyle group with 3 groups, allowed: group N"),
    "atoms of two groups": ("fix 2 bodies rigid/gpu group 2 some bodies", "Fix rigid/gpu: atoms that are in two of the groups"),
    "a switch": ("fix 2 bodies rigid/gpu molecule force 1 on off yes", "Fix rigid/gpu: keyword force: yes where on or off is expected"),
    "too few switches": ("fix 2 bodies rigid/gpu molecule torque * on off", "Fix rigid/gpu: keyword torque: nothing where on or off is expected"),
    "a body that there is not": ("fix 2 bodies rigid/gpu molecule force 7 on on on", "Numeric index 7 is out of bounds"),
    "small, force": ("fix 2 bodies rigid/small/gpu molecule force 1 on on on", "Fix rigid/small/gpu: keyword force, allowed: langevin, reinit; LAMMPS's own"),
    "infile": ("fix 2 bodies rigid/gpu molecule infile x", "Fix rigid/gpu: keyword infile, allowed: langevin, reinit, force, torque; LAMMPS's own"),
    "langevin, too few values": ("fix 2 bodies rigid/gpu molecule langevin 1 1 1", "Fix rigid/gpu: keyword langevin with too few values"),
    "langevin, a period": ("fix 2 bodies rigid/gpu molecule langevin 1 1 0 77", "Fix rigid/gpu: Tperiod 0, allowed: Tperiod > 0"),
    "langevin, a temperature": ("fix 2 bodies rigid/gpu molecule langevin -1 1 1 77", "Fix rigid/gpu: Tstart -1, allowed: Tstart >= 0"),
    "nvt, no temperature": ("fix 2 bodies rigid/nvt/gpu molecule", "Fix rigid/nvt/gpu: no temp, allowed: temp Tstart Tstop Tdamp"),
    "nvt, too few values": ("fix 2 bodies rigid/nvt/gpu molecule temp 1 1", "Fix rigid/nvt/gpu: keyword temp with too few values, allowed: temp Tstart Tstop Tdamp"),
    "nvt, Tstart": ("fix 2 bodies rigid/nvt/gpu molecule temp 0 1 1", "Fix rigid/nvt/gpu: Tstart 0, allowed: Tstart > 0"),
    "nvt, Tstop": ("fix 2 bodies rigid/nvt/small/gpu molecule temp 1 -1 1", "Fix rigid/nvt/small/gpu: Tstop -1, allowed: Tstop > 0"),
    "nvt, Tdamp": ("fix 2 bodies rigid/nvt/gpu molecule temp 1 1 0", "Fix rigid/nvt/gpu: Tdamp 0, allowed: Tdamp > 0"),
    "nvt, a chain": ("fix 2 bodies rigid/nvt/gpu molecule temp 1 1 1 tparam 0 1 3", "Fix rigid/nvt/gpu: Tchain 0, allowed: Tchain >= 1"),
    "nvt, iterations": ("fix 2 bodies rigid/nvt/gpu molecule temp 1 1 1 tparam 3 0 3", "Fix rigid/nvt/gpu: Titer 0, allowed: Titer >= 1"),
    "nvt, an order": ("fix 2 bodies rigid/nvt/gpu molecule temp 1 1 1 tparam 3 1 4", "Fix rigid/nvt/gpu: Torder 4, allowed: 3, 5"),
    "nvt, tparam with too few values": ("fix 2 bodies rigid/nvt/gpu molecule tparam 3 1", "Fix rigid/nvt/gpu: keyword tparam with too few values"),
    "nvt, langevin": ("fix 2 bodies rigid/nvt/gpu molecule temp 1 1 1 langevin 1 1 1 77",
                      "Fix rigid/nvt/gpu: keyword langevin, allowed: temp, tparam, reinit, force, torque; LAMMPS's own"),
    "nve, temp": ("fix 2 bodies rigid/nve/gpu molecule temp 1 1 1", "Fix rigid/nve/gpu: keyword temp, allowed: langevin, reinit, force, torque; LAMMPS's own"),
    "langevin, a seed": ("fix 2 bodies rigid/gpu molecule langevin 1 1 1 0", "Fix rigid/gpu: seed 0, allowed: seed > 0"),
    "a body across half of the box": ("set atom 1503 image 1 0 0\nfix 2 bodies rigid/gpu molecule",
                                      "Fix rigid/gpu: body 1 reaches over more than half of the box along x, allowed: less, with image flags"),
    "two fixes that move the same atoms": ("fix 3 some nve\nfix 2 bodies rigid/gpu molecule", "Fix rigid/gpu: atoms of its bodies are moved by fix 3, too"),
    "two fixes of the same bodies": ("fix 2 bodies rigid/gpu molecule\nfix 3 some rigid/small/gpu molecule", "atoms of its bodies are moved by fix"),
    "a box that changes": ("fix 2 bodies rigid/gpu molecule\nfix 3 all deform 1 x erate 0.01 remap v", "Fix rigid/gpu: the box is changed by fix 3, allowed: a box that stays"),
    "ke/rigid": ("fix 2 bodies rigid/gpu molecule\ncompute k bodies ke/rigid 2",
                 "Fix rigid/gpu: compute k of style ke/rigid reads its bodies, allowed: that compute with LAMMPS's own fix"),
    "erotate/rigid": ("fix 2 bodies rigid/small/gpu molecule\ncompute k bodies erotate/rigid 2",
                      "Fix rigid/small/gpu: compute k of style erotate/rigid reads its bodies"),
    "a barostat": ("fix 2 bodies rigid/gpu molecule\nfix 3 all press/berendsen/gpu iso 20 20 1", "Fix rigid/gpu: the box is changed by fix 3, allowed: a box that stays"),
}


@pytest.mark.parametrize("fix, text", REFUSED.values(), ids=REFUSED)
def test_refused(lammps, fix, text):
    start(lammps)
    runs = (("verlet/gpu", 1), ("verlet/gpu", 2))
    lammps.require_refused(text, lambda run_style: input_of((fix, ""), run_style=run_style, run="run 5"), runs)


def test_refused_a_plane_atoms_with_sizes_atoms_without_molecules(lammps):
    box = "region b block 0 5 0 5 -0.5 0.5\n{}create_box 1 b\ncreate_atoms 1 random 20 771 b\nmass 1 1.0\n"
    for text, error in (("dimension 2\natom_style molecular\n" + box + "fix 2 all rigid/gpu single", "Fix rigid/gpu: a simulation in 2 dimensions, allowed: 3"),
                        ("atom_style sphere\n" + box.replace("mass 1 1.0\n", "") + "fix 2 all rigid/gpu single", "Fix rigid/gpu: atom_style sphere, whose atoms have sizes"),
                        ("atom_style atomic\n" + box + "fix 2 all rigid/gpu molecule", "Fix rigid/gpu: bodystyle molecule with atom_style atomic, allowed:")):
        done = lammps.run("units lj\n" + text.format("") + "\n", ok=False)
        done.require_error(error)
