"""run_style verlet/gpu against run_style verlet where a run is not all: what commands and programs do between runs, runs
that stop early, atoms that are lost, systems that are dense or condense, and output of which each has its own interval.
As in test_resident.py, files and thermo output must be the same to the last bit.

DS_TEST_BACKEND=cuda makes the same checks on the GPU.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import pytest

from checks import require
from lammps_run import BACKEND, STATE
from resident_fluid import ORTHOGONAL, RULES, TRICLINIC, compare, run_with, stops_alike, text_of

DIGITS = "thermo_modify format float %.17g"    # thermo_style forgets it


def cases(rows, rules=("check yes",)):
    return [pytest.param(row, RULES.get(rule, rule), id=f"{name}, {rule}")
            for name, row in rows.items() for rule in row.get("rules", rules)]


# ------------------------------------------------------------------------------------ between two runs


# name: what is done after a run of 25 steps, and before the next
BETWEEN = {
    "minimize, cg": "min_style cg; minimize 0 0 7 100; run 25; minimize 0 0 1 9",
    "minimize, fire": "min_style fire; minimize 0 0 7 100",
    "minimize, and the next run has no set-up": "minimize 0 0 30 100; run 33 pre no",
    "velocities":
        "velocity all scale 0.9; run 13 pre no; velocity all create 2.0 771 rot yes; run 13 pre no; "
        "velocity two ramp vx 0 1 y 0 5 sum yes",
    "displace_atoms": "displace_atoms one move 0.4 5.5 -0.3; run 13; displace_atoms all random 0.1 0.1 0.1 771",
    "types": "set group one type/fraction 2 0.4 9; run 13; set group all type 1; run 13 pre no; set atom 1*300 type 2",
    "masses": "mass 1 1.9; run 25; mass 2 0.4; run 13 pre no",
    "image flags": "set group one image 511 -512 1; run 13 pre no; set group all image 0 0 0",
    "atoms on the walls of the box":
        "set atom 1 x 7.0 y 6.0 z 8.0; set atom 2 x 0.0 y 0.0 z 0.0; set atom 3 x -0.0 y 6.05",
    "atoms that go and come":
        "region hole sphere 3 3 3 1.7; delete_atoms region hole; run 13; create_atoms 2 random 50 881 hole; run 13; "
        "delete_atoms group two compress yes; run 13; create_atoms 2 random 400 91 NULL",
    "no atom at all": "delete_atoms group all compress yes; run 13; create_atoms 1 random 500 881 NULL",
    "change_box":
        "change_box all x final 0 7.7 y scale 1.1 remap; run 13; change_box all z scale 1.01 remap; run 13 pre no",
    "change_box, tilted and back":
        "undump d; change_box all triclinic; change_box all xy final 0.9 yz final -1 remap; run 13; "
        "change_box all xy final 0 yz final 0 remap ortho",
    "replicate": "unfix DPD_GPU_STATE; replicate 1 1 2",
    "reset_timestep": "undump d; reset_timestep 1000; run 13; reset_timestep 0; run 40; reset_timestep 7000000000",
    "files written":
        "write_restart a.restart; write_data a.dump; run 13 pre no; "
        'run 26 every 13 "write_data b.dump" "write_restart b.restart"',
    "a restart file read":
        "write_restart a.restart; undump d; clear; read_restart a.restart; run_style RUN_STYLE; fix 1 all nve; "
        "thermo 7; thermo_modify format float %.17g; dump d all custom 7 b.dump id x y z vx vy vz; "
        "dump_modify d sort id format float %.17g",
    "respa":
        "run_style respa 2 2 pair 2; run 13; run_style RUN_STYLE; run 13; run_style verlet; run 13; "
        "run_style RUN_STYLE",
    "reset_atoms":
        "delete_atoms group two compress no; run 13; reset_atoms id; run 13; reset_atoms id sort yes; "
        "reset_atoms image all",
    "groups and fixes nve":
        "group two clear; group two id 1:200; run 13; unfix 1; fix 1 two nve; run 13; fix 2 one nve; run 13; "
        "unfix 1; unfix 2; run 13; fix 9 all nve",
    "timestep": "timestep 0.003; run 13; timestep 0.007; run 13 pre no",
    "neigh_modify":
        "neigh_modify every 3 delay 0; run 13 pre no; neigh_modify every 2 delay 6 check yes; run 13; "
        "neigh_modify once yes; run 7; neigh_modify once no; neighbor 0.5 bin",
    "a larger skin, and the next run has no set-up": "neighbor 0.9 bin; run 55 pre no",
    "a smaller skin, and the next run has no set-up": "neighbor 0.05 bin; run 55 pre no",
    "exclusions, and the next run has no set-up": "neigh_modify exclude type 1 2; run 13 pre no",
    "atom_modify sort":
        "atom_modify sort 7 0.0; run 13; atom_modify sort 1 0.3; run 13 pre no; atom_modify sort 0 0.0",
    "pair_coeff": "pair_coeff 1 2 40 4.5; run 13; pair_coeff 2 2 10 9.0 0.7; run 13 pre no",
    "pair_style":
        "pair_style dpd/gpu 0.5 0.9 77 backend BACKEND; pair_coeff * * 30 4.5; run 13; "
        "pair_style dpd/ext/gpu 1.0 1.0 34387 precision double backend BACKEND; pair_coeff * * 25 4.5 3 1 1",
    "fixes and computes":
        "compute c all coord/atom cutoff 0.9; fix av all ave/atom 1 1 1 c_c; fix mo all momentum 3 linear 1 1 1; "
        "run 13; unfix av; uncompute c; unfix mo",
    "restart files from now on": "restart 7 a.restart b.restart; run 30 pre no; run 13; restart 0",
    "run 0": "run 0; run 0 pre no; run 13; run 0 pre no; run 0",
    "runs of one step": "; ".join(["run 1 pre no post no"] * 20),
    "run upto, and in parts":
        'run 33 upto pre no; run 46 upto post no; run 40 every 9 "velocity all scale 0.95" "set atom 7 type 2"; '
        'run 40 pre no every 13 "displace_atoms one move 0.05 0.02 0.01"',
    "loops":
        "variable i loop 5; label again; run 7; if '$i == 3' then 'velocity all scale 0.5' 'run 3 pre no'; next i; "
        "jump SELF again",
    "rerun": "rerun all.dump dump x y z vx vy vz; run 13; rerun all.dump every 40 dump x y z; undump d",
    "2 ranks: minimize, atoms, run style":
        "minimize 0 0 7 100; run 13; delete_atoms group one compress no; run 13; create_atoms 2 random 50 881 NULL; "
        "run 13; run_style verlet; run 3; run_style RUN_STYLE; mass 2 0.9",
}


@pytest.mark.parametrize("row, rule", cases({name: {"run": f"run 25; {commands}; run 21".replace("; ", "\n"),
                            "ranks": 2 if name.startswith("2 ranks") else 1}
                     for name, commands in BETWEEN.items()}))
def test_between_runs(lammps, row, rule):
    compare(lammps, row, rule)


@pytest.mark.tree
@pytest.mark.parametrize("row, rule", cases({"run 0": {"run": "run 0\nrun 13"}, "run 0, 2 ranks": {"run": "run 0\nrun 13", "ranks": 2},
                     "no time left": {"run": "timer timeout 0\nrun 13\ntimer timeout off\nrun 13"},
                     "replicate": {"run": "replicate 1 1 2\nrun 40"}}))
def test_first_of_all(lammps, row, rule):
    compare(lammps, row, rule)


# A run without set-up needs one before, by the same run style with the same pair style
NO_SET_UP = {"run_style": "run_style RUN_STYLE",
             "pair_style": "pair_style dpd/ext/gpu 1.0 1.0 34387 backend BACKEND\npair_coeff * * 25 4.5 3 1 1"}


@pytest.mark.parametrize("commands", NO_SET_UP.values(), ids=NO_SET_UP)
def test_refused_pre_no_after(lammps, commands):
    done = run_with(lammps, {"run": f"run 13\n{commands}\nrun 13 pre no"}, "verlet/gpu", RULES["check yes"], ok=False)
    require(done.status and any("allowed is" in error and "pre yes" in error for error in done.errors),
            f"ended with {done.status}, errors {done.errors}\n{done.tail(8)}")


@pytest.mark.parametrize("commands, ranks", [
    pytest.param(commands, n, id=f"{name}, {n} rank(s)")
    for name, commands, ranks in (("create_atoms", "create_atoms 1 single 1 1 1", (1, 2, 4)), ("delete_atoms", "delete_atoms group two", (1, 2, 4)),
                              ("displace_atoms", "displace_atoms all move 0.0 0.0 1.3", (2, 4)))
    for n in ranks])
def test_refused_pre_no_after_other_atoms(lammps, commands, ranks):
    """All ranks end together, with one message, whichever of them has other atoms."""
    row = {"run": f"undump d\nrun 13\n{commands}\nrun 13 pre no", "ranks": ranks, "atom_style": "atomic", "room": ""}
    done = run_with(lammps, row, "verlet/gpu", RULES["check yes"], ok=False)
    require(done.status and done.errors == ["Run_style verlet/gpu: atoms were changed after the last run, allowed is then a run with pre yes"],
            f"ended with {done.status}, errors {done.errors}\n{done.tail(8)}")


# ------------------------------------------------------------------------------------- what fixes do in a run

# Changed within a run, but by no fix that has a place of its own in the step
@pytest.mark.tree("more fixes", "adapt", "dt/reset")
@pytest.mark.parametrize("row, rule", cases({
    "dynamic groups": {
        "more": "variable hot atom 'vx > 0.3'\ngroup hot dynamic all var hot every 7\ncompute hot hot temp\n"
                "variable top equal 4+0.01*step\nregion slab block INF INF INF INF 2 4 move NULL NULL v_top\n"
                "group slab dynamic all region slab every 3\ncompute slab slab temp\n"
                f"thermo_style custom step temp press c_hot c_slab\n{DIGITS}",
        "run": "run 40\nunfix 1\nfix 1 hot nve\nrun 40"},
    "dynamic group of crowded atoms": {    # ghosts are looked at within a step
        "more": "compute near all coord/atom cutoff 0.8\nvariable crowded atom 'c_near > 5'\n"
                "group crowded dynamic all var crowded every 5\ncompute crowded crowded temp\n"
                f"thermo_style custom step temp press c_crowded\nthermo 5\n{DIGITS}",
        "run": "run 40\nunfix 1\nfix 1 crowded nve\nrun 40"},
    "torques of a fix": {
        "atom_style": "hybrid sphere dipole bond", "state": STATE + " tqx tqy tqz",
        "more": "set group all diameter 1 mass 1\nset group all dipole/random 77 0.5\nset group all charge 0.3\n"
                "fix 2 all efield 1.0 0.5 0.3"},
    "more fixes nve than fit the engine": {
        "move": "\n".join(f"group part{k} id {100 * k + 1}:{100 * k + 150}\nfix n{k} part{k} nve" for k in range(9)),
        "run": "run 40"},
    "coefficients by fix adapt": {
        "more": "variable a equal ramp(25,40)\nfix 2 all adapt 7 pair dpd/gpu a * * v_a", "run": "run 40"},
    "types by fix set": {
        "more": "variable kind atom '1+((id+step)%3 == 0)'\nfix 2 all set 7 0 group all type v_kind", "run": "run 40"},
    "timestep by fix dt/reset": {"more": "fix 2 all dt/reset 7 0.001 0.02 0.01 units box", "run": "run 40"},
    "a group of atoms comes first": {"more": "atom_modify first one", "run": "run 40"},
    # what is left of a set-up is the velocities that its forces were made with, also where a fix has changed them since
    "in two dimensions, a run of no steps": {"region": "region box block 0 14 0 12 -0.5 0.5", "first": "dimension 2",
                                             "atoms": 504, "style": "dpd/ext/gpu 1.0 1.0 34387", "coefficients": "25.0 4.5 3.0 1.0 1.0",
                                             "more": "set group all z 0.0\nset group one vz 0.1\nfix 2 all enforce2d", "run": "run 0\nrun 20"},
    "in two dimensions": {"region": "region box block 0 14 0 12 -0.5 0.5", "first": "dimension 2",
                          "more": "set group all z 0.0\nvelocity all set NULL NULL 0.0\nfix 2 all enforce2d", "run": "run 40"},
}))
def test_in_a_run(lammps, row, rule):
    compare(lammps, row, rule)


# ------------------------------------------------------------------------------------------- library

@pytest.mark.parametrize("row, rule", cases({
    "gather and scatter": {"run": "run 20", "program": """
for k in range(12):
    x, v = lmp.gather_atoms("x", 1, 3), lmp.gather_atoms("v", 1, 3)
    for i in range(0, len(v), 7): v[i] += 0.01*(i % 5)
    for i in range(0, len(x), 31): x[i] += 0.003
    lmp.scatter_atoms("v", 1, 3, v)
    lmp.scatter_atoms("x", 1, 3, x)
    lmp.command("run 1 pre no post no" if k % 4 else "run 5")
image, kind = lmp.gather_atoms("image", 0, 3), lmp.gather_atoms("type", 0, 1)
for i in range(len(image)): image[i] += i % 3
for i in range(0, len(kind), 9): kind[i] = 3 - kind[i]
lmp.scatter_atoms("image", 0, 3, image)
lmp.scatter_atoms("type", 0, 1, kind)
lmp.command("run 3 pre no post no")
dump("a")
"""},
    "arrays of LAMMPS": {"run": "run 20", "program": """
n = lmp.extract_setting("nlocal")
for k in range(20):
    lmp.numpy.extract_atom("v")[:n] *= 0.99
    lmp.numpy.extract_atom("x")[3, 0] += 0.002
    lmp.numpy.extract_atom("f")[5, 1] += 1.5
    lmp.command("run 1 pre no post no")
dump("a")
lmp.numpy.extract_atom("type")[:40] = 2
lmp.command("run 9 pre no")
dump("b")
lmp.numpy.extract_atom("mask")[:40] &= ~2
lmp.commands_string("unfix 1\\nfix 1 one nve\\nrun 9")
dump("c")
lmp.numpy.extract_atom("mass")[1] = 1.5
lmp.command("run 9 pre no")
dump("d")
"""},
    "fix external": {"run": "run 20", "program": """
def push(caller, step, nlocal, tag, x, f):
    f[:, 0], f[:, 1], f[:, 2] = 0.1*np.sin(x[:, 1]), 0, 0.05*(tag % 3)
    lmp.numpy.extract_atom("v")[:nlocal] *= 0.999
    lmp.numpy.extract_atom("x")[0, 0] += 0.001
lmp.command("fix out all external pf/callback 2 1")
lmp.set_fix_external_callback("out", push, None)
lmp.commands_string("run 30\\nrun 7 pre no\\nunfix out\\nfix out all external pf/array 3\\nrun 3")
for row in lmp.fix_external_get_force("out")[:100]: row[0] = 1.0
lmp.command("run 20")
dump("a")
"""},
    "values asked between steps": {
        "run": "run 20", "more": "compute e all pe/atom\ncompute t all temp/exact/gpu\ncompute p all pressure t\nfix mean all ave/atom 1 1 1 c_e", "program": """
with open("values.ave", "w") as file:
    for k in range(6):
        lmp.command("run 3 pre no post no")
        print(repr(lmp.get_thermo("pe")), repr(lmp.extract_compute("p", 0, 0)), repr(lmp.extract_compute("t", 0, 0)),
              lmp.numpy.extract_compute("e", 1, 1)[:3].tolist(), file=file)
"""},
    "two of them": {"run": "run 20", "program": """
other = lammps(cmdargs=["-log", "none", "-nocite", "-screen", "none"])
other.commands_string(open("in.test").read().replace("all.dump", "other.dump").replace("end.", "other."))
for k in range(5):
    lmp.command("run 7 pre no")
    other.command("run 11")
other.close()
lmp.command("run 7")
"""},
}))
def test_library(lammps, row, rule):
    compare(lammps, row, rule)


# ------------------------------------------------------------------------------------- early stops, atoms lost

def steps_made(done):
    """By each run."""
    return [int(steps) for steps in re.findall(r"^Loop time of .* for (\d+) steps", done.output, re.M)]


HALT = "variable t equal temp\nfix halt all halt 7 v_t > 1.5 error {}\n"


@pytest.mark.tree
@pytest.mark.parametrize("row, rule", cases({
    "fix halt, soft": {"run": HALT.format("soft") + "run 100\nrun 30\nwrite_restart end.restart"},
    "fix halt, continue": {"run": HALT.format("continue") + "run 100\nrun 30\nunfix halt\nrun 13",
                           "shows": lambda done: steps_made(done) == [14, 7, 13]},
    "out of time": {"run": "timer timeout 0.0001\nrun 100\nrun 13\ntimer timeout off\nrun 13",
                    "shows": lambda done: steps_made(done) == [10, 13]},
    "out of time, output in between": {"run": "thermo 3\ntimer timeout 0.0001\nrun 100\ntimer timeout off\nrun 13",
                                       "shows": lambda done: steps_made(done) == [10, 13]},
}))
def test_stops_early(lammps, row, rule):
    compare(lammps, row, rule)


@pytest.mark.tree
def test_stops_early_out_of_time_looked_at_every_7_steps(lammps):
    """What N is in timer timeout T every N, LAMMPS tells nobody: up to 10 steps may be too many."""
    row = {"run": "timer timeout 0.0001 every 7\nrun 500"}
    steps = steps_made(run_with(lammps, row, "verlet/gpu", RULES["check yes"]))
    require(7 <= steps[0] <= 17, f"{steps[0]} steps")


OPEN = ORTHOGONAL + "\nchange_box all boundary p p f"
LOSES = {"shows": lambda done: done.thermo[-1]["Atoms"][-1] < done.thermo[0]["Atoms"][0] - 20}
COLUMNS = f"thermo_style custom step atoms temp pe press\nthermo 7\nthermo_modify format float %.17g lost "


@pytest.mark.tree
@pytest.mark.parametrize("row, rule", cases({
    "ignored": {"region": OPEN, "more": COLUMNS + "ignore", "run": "run 100\nrun 40", **LOSES},
    "warned of, triclinic": {"region": TRICLINIC + "\nchange_box all boundary p f f", "more": COLUMNS + "warn",
                             "run": "run 100", **LOSES},
    "ignored, no sorting": {"region": OPEN, "more": COLUMNS + "ignore\natom_modify sort 0 0.0", "run": "run 100", **LOSES},
    "ignored, sorted with each list": {"region": OPEN, "more": COLUMNS + "ignore\natom_modify sort 1 0.0", "run": "run 60",
                                       **LOSES},
    # Atoms leave the gas in z, so that LAMMPS rebuilds; there it finds more ghosts than its arrays have room for. Energies
    # of atoms, wanted in the last step, are then in another array than when the run began.
    "and LAMMPS's arrays grow": {
        "first": "region core block 0.85 1.15 0 2 0 200", "filled": "core",
        "region": "region box block 0 2 0 2 0 200\nchange_box all boundary p p f",
        "atoms": 5600, "style": "dpd/gpu 1.0 0.5 34387", "coefficients": "0.0 0.5", "rules": [RULES["check no"]],
        "more": "atom_modify sort 0 0.0\nthermo_modify lost ignore\nthermo 400\nundump d\n"
                "compute e all pe/atom\ncompute s all stress/atom NULL\n"
                "dump d all custom 400 e.dump id c_e c_s[1]\ndump_modify d sort id format float %.17g", "run": "run 400",
        "shows": lambda done: int(re.search(r"^Nghost: +(\d+)", done.output, re.M).group(1)) > 16384 - 5600},
}, RULES))
def test_loses_atoms(lammps, row, rule):
    compare(lammps, row, rule)


STOPS = {
    "atoms lost, sorted with each list": {"region": OPEN, "more": "atom_modify sort 1 0.0\nthermo 1"},
    "atoms lost between two outputs": {"region": OPEN, "run": "run 10\nrun 90"},
    "numbers that are none": {"run": "run 25\ntimestep 1e160\nrun 50"},
    "a timestep that is far too long": {"run": "run 25\ntimestep 0.5\nrun 50"},
    "fix halt, hard": {"run": HALT.format("hard") + "run 100"},
    "fix halt, hard, in a program": {"run": HALT.format("hard"), "program": 'lmp.command("run 100")'},
}


@pytest.mark.parametrize("row", STOPS.values(), ids=STOPS)
def test_stops(lammps, row):
    stops_alike(lammps, row)


def test_stops_at_numbers_that_are_none(lammps):
    """Stops: numbers that are none, where verlet does not tell the step."""
    done = lammps.run(text_of(STOPS["numbers that are none"], "verlet/gpu", RULES["check yes"]), ok=False)
    require(done.status and done.errors and " at step 26 is not a number or " in done.errors[0],
            f"{done.errors}\n{done.tail()}")


# -------------------------------------------------------------------------------------------- systems


# The number of pairs in reach must have grown this much
GROWN = {"more": "compute near all coord/atom cutoff 1.0\ncompute near_all all reduce ave c_near\n"
                 "thermo_style custom step temp pe c_near_all\n" + DIGITS,
         "shows": lambda done: done.thermo[0]["c_near_all"][-1] > 3 * done.thermo[0]["c_near_all"][0]}
CONDENSES = {"style": "dpd/gpu 0.1 1.0 34387", "coefficients": "-40.0 20", "atoms": 400, "run": "run 250"}


@pytest.mark.parametrize("row, rule", cases({
    "density 6": {"atoms": 2016, "run": "run 40"},
    "density 50": {"region": "region box block 0 4 0 4 0 4", "atoms": 3200, "coefficients": "5.0 4.5", "run": "run 12"},
    "cutoff 1.5": {"style": "dpd/gpu 1.0 1.5 34387", "run": "run 40"},
    "a cutoff of each pair of types": {
        "more": "pair_coeff 1 1 20 4.5 0.6\npair_coeff 1 2 25 3.0 1.1\npair_coeff 2 2 60 9 1.6", "run": "run 40"},
    "a box smaller than a cutoff": {"region": "region box block 0 0.4 0 0.5 0 0.6", "atoms": 3, "run": "run 40"},
    "no skin": {"more": "neighbor 0.0 bin", "run": "run 40"},
    "it condenses": {**CONDENSES, **GROWN},
    "it condenses, triclinic": {"region": TRICLINIC, **CONDENSES, **GROWN},
}))
def test_system(lammps, row, rule):
    compare(lammps, row, rule)


# --------------------------------------------------------------------------------------------- output


PRIMES = f"""
compute pairs all pair/local dist eng force
compute atoms all property/local patom1 patom2
compute ke all ke/atom
compute bins all chunk/atom bin/1d x lower 0.05 units reduced
compute bin all property/chunk bins count coord1
compute com all com/chunk bins
compute vacf all vacf
compute gyration all gyration
compute way all displace/atom
compute biased all temp/com
compute pressure all pressure biased
compute exact all temp/exact/gpu
compute total all pressure exact
variable f2 atom fx^2+fy^2
variable mass equal "mass(two)+count(one)"
compute max all reduce max x v_f2 c_way[4]
dump local all local 17 local.dump index c_atoms[1] c_atoms[2] c_pairs[1] c_pairs[2] c_pairs[3]
dump_modify local format float %.17g
dump atom all atom 13 atom.dump
dump_modify atom sort id scale yes image yes
dump unwrapped all custom 11 unwrapped.dump id xu yu zu xs xsu c_ke c_way[4] v_f2
dump_modify unwrapped sort id format float %.17g pbc yes
dump few two custom 7 few.dump id vx vy
dump_modify few thresh vx > 0.5 sort id format float %.17g
fix time all ave/time 1 3 11 c_max[1] c_max[2] c_thermo_pe file time.ave
fix histo all ave/histo 7 2 21 -3 3 20 vx vy mode vector file histo.ave
fix cor all ave/correlate 2 5 26 c_thermo_press[1] c_thermo_press[4] type auto file cor.ave
fix chunk all ave/chunk 7 1 7 bins vx fx density/mass v_f2 file chunk.ave
fix bins all ave/time 13 1 13 c_com[1] c_bin[2] mode vector file bins.ave
fix say all print 17 "$(step) $(c_exact:%.17g) $(pe:%.17g) $(c_total:%.17g) $(v_mass) $(c_max[3]:%.17g) $(vcm(one,x):%.17g)" file say.ave screen no
fix keep all store/state 19 x vx xu
restart 29 a.restart b.restart
thermo 13
thermo_style custom step temp pe press c_vacf[4] c_gyration c_biased c_pressure fnorm c_max[*]
{DIGITS}
"""
# Steps that variables choose, by positions and velocities; the time decides when the last dump is written
CHOSEN = """
variable thermo equal step+3+4*(xcm(all,x)>3.5)
thermo v_thermo
"""
CHOSEN_MORE = CHOSEN + """
variable dump equal step+11+5*(temp>1.5)
variable restart equal step+17
dump_modify d every v_dump
dump time all custom 10 time.dump id x vx
dump_modify time every/time 0.035 sort id format float %.17g
restart v_restart a.restart b.restart
"""


@pytest.mark.parametrize("row, rule", cases({
    "at prime intervals": {"more": PRIMES, "run": "run 100"},
    "at prime intervals, triclinic": {"more": PRIMES, "region": TRICLINIC, "run": "run 100"},
    "thermo at steps of a variable, nothing else": {"more": "undump d" + CHOSEN, "run": "run 60"},
    "at steps of variables": {"more": CHOSEN_MORE, "run": "run 100"},
}, RULES))
def test_output(lammps, row, rule):
    compare(lammps, row, rule)


# -------------------------------------------------------------------------------------------- memory


STEPS, RUNS, ATOMS, ALLOWED_KIB = 40000, 200, 192, 1024


@pytest.mark.statistical
def test_long_run_memory_does_not_grow_and_momentum_stays(lammps):
    """Memory: from the middle to the end. Lost at each of the 2,000 rebuilds and more of that time, the positions of
    all atoms alone would be 9 MiB; lost at each of the runs, they would be 0.9 MiB, with velocities or forces more than
    what is allowed.

    Momentum: forces have an exact sum of 0. Each of two kicks per step rounds a velocity by half a unit in the last
    place, at most 2^-51 where velocities are below 4 (4 standard deviations; few are above). As a random walk of
    independent, equally distributed errors, times the larger mass, with 6 standard deviations."""
    bound = 6 * 1.7 * 2**-51 / 12**0.5 * (2 * STEPS * ATOMS)**0.5
    done = run_with(lammps, {"region": "region box block 0 4 0 4 0 4", "atoms": ATOMS, "run": "run 500", "program": f"""
import os
def used():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])*os.sysconf("SC_PAGE_SIZE")//1024
def momentum():
    v, kind = lmp.numpy.extract_atom("v")[:{ATOMS}], lmp.numpy.extract_atom("type")[:{ATOMS}].ravel()
    return (np.where(kind == 1, 1.0, 1.7)[:, None]*v).sum(axis=0)
lmp.commands_string("undump d\\nthermo 1000\\nfix mean all ave/time 7 1 7 c_thermo_temp")
before, memory = momentum(), []
for part in range(2):
    lmp.commands_string("run {STEPS // 2 - 2 * RUNS}\\n" + "run 1 post no\\nrun 1 pre no post no\\n"*{RUNS})
    memory.append(used())
print("\\nmemory =", *memory)
print("momentum =", *(momentum() - before))
"""}, "verlet/gpu", RULES["check yes"])
    memory, momentum = done.printed("memory"), done.printed("momentum")
    require(memory[1] - memory[0] <= ALLOWED_KIB, f"{memory} KiB")
    require(max(map(abs, momentum)) <= bound, f"momentum {momentum}, allowed {bound}")
    print(f"{memory[1] - memory[0]:.0f} KiB, momentum {max(map(abs, momentum)):.1e} of {bound:.1e}")
