"""run_style verlet/gpu against run_style verlet in boxes that fix deform/gpu changes: the same files, byte for byte, as in
test_resident.py. The engine rebuilds lists, and changes velocities with images, but where the box flips.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import pytest

from checks import require
from resident_fluid import ORTHOGONAL, RULES, TRICLINIC, compare, stops_alike
from test_resident import BONDS, END, OUTPUT, VALUES, sorted_row

SHEAR = "fix 4 all deform/gpu 1 xy erate 1.0 remap v\n"    # the box flips
STRETCH = "fix 4 all deform/gpu 1 x erate 0.3 y erate -0.2 z trate -0.1 remap v\n"
ALL_EDGES = ("fix 4 all deform/gpu 1 x wiggle 0.4 1.3 y trate -0.03 z volume xy erate 1.0 xz wiggle 0.8 0.9 yz wiggle 0.3 0.9 "
             "remap v\n")
VARIABLE = ("variable h equal 0.5*sin(0.01*step)\nvariable rate equal 0.5*cos(0.01*step)\n"
            "fix 4 all deform/gpu 1 xy variable v_h v_rate remap v\n")
OF_ATOMS = "compute exact all temp/gpu\n" + VARIABLE.replace("step)\n", "step)*c_exact\n", 1)

# pointers to their names would stand in the restart file
UNTIL_VARIABLES_GO = "run 200" + END + "\nunfix 4"

RESIDENT = "periodic wrap and lists: resident"
BY_LAMMPS = "periodic wrap and lists: rebuilt by LAMMPS"
DECLARED = "4 (deform/gpu)"


def sheared(also="", **other):
    """A row in a sheared box. says: what the table of the run style must contain."""
    row = {"region": TRICLINIC, "more": SHEAR + also, "says": (RESIDENT, DECLARED)}
    row.update(other)
    return row


def stretched(also="", **other):
    return sheared(**{"region": ORTHOGONAL, "more": STRETCH + also, **other})


# name: what differs from the first row of test_resident.py
ROWS = {
    "sheared": sheared(),
    "stretched": stretched(),
    "all edges, double": sheared(more=ALL_EDGES, precision="precision double"),
    "sheared, 2d": sheared(more="set group all z 0.0\nvelocity all set NULL NULL 0.0\n" + SHEAR.replace("1.0", "0.3"),
                           first="dimension 2", region="region box prism 0 30 0 20 -0.5 0.5 13.0 0 0", atoms=1500),
    "every third step": sheared(more=SHEAR.replace("gpu 1", "gpu 3")),
    "no flips": sheared(more=SHEAR.replace("\n", " flip no\n").replace("2.0", "0.1")),
    "delayed rebuilds": sheared(rules={"delayed": "every 2 delay 4 check yes", "every step": "every 1 delay 0 check no"}),
    "output in every step": sheared("thermo 1"),
    "output of all kinds, sheared": sheared(OUTPUT),
    "output of all kinds, stretched": stretched(OUTPUT, precision="precision double"),
    "no output": stretched("thermo 0\nundump d"),
    "sorted, values of fixes": sorted_row(VALUES + SHEAR + "atom_modify sort 7 0.0", region=TRICLINIC),
    "sorted, the temperature alone": sorted_row("undump d\nthermo 3\natom_modify sort 20 0.0\n" + STRETCH),
    "in several runs": sheared(run="run 20\nvelocity all scale 0.9\nrun 50 every 7 NULL\n"
                                   "run 150 upto\nrun 180 upto start 0 stop 200" + END),
    "fixes in every step": stretched("fix 2 all langevin 1.0 1.0 2.0 991\nfix 3 all addforce 0.1 0.0 0.1"),
    "a fix at the end of every step": sheared("fix 3 all ave/time 1 3 3 c_thermo_temp c_thermo_press file time.ave",
                                              says=(RESIDENT,)),
    "gravity": sheared("fix 3 all gravity 0.3 vector 1 0 0"),
    "walls": stretched(region=ORTHOGONAL + "\nchange_box all boundary p p f",
                       more="fix 4 all deform/gpu 1 x erate 0.3 remap v\nfix wall all wall/reflect zlo EDGE zhi EDGE"),
    "bonds": stretched(bonds=BONDS, region=ORTHOGONAL.replace("7 0 6", "9 0 9")),
    "becomes narrow": stretched(more="fix 4 all deform/gpu 1 x erate -0.4 y erate 0.3 remap v\n"
                                     "thermo_style custom step temp pe press lx",
                                region=ORTHOGONAL.replace("7", "3.4"), run="run 60\nrun 140",
                                shows=lambda done: float(re.findall(r"^ +200 .*", done.output, re.M)[-1].split()[-1]) < 2.4),
    "variables": sheared(more=VARIABLE, run=UNTIL_VARIABLES_GO, says=(RESIDENT, DECLARED)),
    "variables of atoms": sheared(more=OF_ATOMS, run=UNTIL_VARIABLES_GO, says=(BY_LAMMPS, "variable h depends on c_exact")),
    "variables, and a fix": sheared(more=VARIABLE + "fix 3 all ave/time 1 3 3 c_thermo_temp file time.ave",
                                    run=UNTIL_VARIABLES_GO, says=()),
    "moves atoms": sheared(more=SHEAR.replace("remap v", "remap x")),
    "moves atoms, stretched": stretched(more=STRETCH.replace("remap v", "remap x") + OUTPUT),
    "moves atoms of a group": sheared(more=ALL_EDGES.replace("4 all", "4 two").replace("remap v", "remap x")),
    "moves atoms, every seventh step": sheared(more=ALL_EDGES.replace("gpu 1", "gpu 7").replace("remap v", "remap x")),
    "moves nothing": sheared(more=ALL_EDGES.replace("remap v", "remap none")),
    "moves nothing, walls": stretched(region=ORTHOGONAL + "\nchange_box all boundary p p f",
                                      more="fix 4 all deform/gpu 1 z erate 0.02 remap none\nfix wall all wall/reflect/gpu zlo EDGE zhi EDGE\n"
                                           "fix push all wall/harmonic/gpu zlo EDGE 3.0 1.0 0.5 zhi EDGE 3.0 1.0 0.5"),
    "shrinks along z": stretched(region=ORTHOGONAL + "\nchange_box all boundary p p s", says=(BY_LAMMPS,),
                                 more="fix 4 all deform/gpu 1 x erate 0.3 remap v\nfix wall all wall/reflect/gpu zlo -0.2 zhi 9"),
    "output of sums": sheared(more=SHEAR + "undump d\ncompute warm all temp/deform/gpu\nthermo_style custom step temp c_warm pxy xy\n"
                                           "fix 3 all ave/time 2 2 8 c_warm c_thermo_press[4] file time.ave\n"),
    "a thermostat without the flow": sheared(more=SHEAR + "compute warm all temp/deform/gpu\nfix 3 all langevin/gpu 1.0 1.0 2.0 991\n"
                                                          "fix_modify 3 temp warm"),
    "displacements": sheared("compute way all msd/gpu\nthermo_style custom step c_way[*]\nthermo 7"),
    "bonds, sheared": sheared(bonds=BONDS, region=TRICLINIC.replace("7 0 6 0 8", "9 0 9 0 9")),
    "bonds, moves atoms": stretched(more=STRETCH.replace("remap v", "remap x"), bonds=BONDS, region=ORTHOGONAL.replace("7 0 6", "9 0 9")),
    "beside a barostat": stretched(more="fix 4 all deform/gpu 1 x erate 0.3 remap v\nfix 5 all press/berendsen/gpu z 25 25 2.0"),
    "beside a barostat, moves atoms": sheared(more=SHEAR.replace("remap v", "flip no remap x"), move="fix 1 all npt/exact/gpu temp 1.0 1.0 0.5 z 25 25 2.0 flip no"),
    "LAMMPS's own": sheared(more=SHEAR.replace("/gpu", ""), says=(BY_LAMMPS, "deform/exact/gpu would be resident")),
    "LAMMPS's own, moves atoms": stretched(more=STRETCH.replace("/gpu", "").replace("remap v", "remap x"), says=(BY_LAMMPS,)),
    "another one": stretched(more="fix 4 all deform/gpu 1 x erate 0.3 remap v\nfix 5 all press/berendsen z 25 25 2.0", says=(BY_LAMMPS,)),
    "no computes": sheared("thermo_style custom step\nuncompute thermo_temp\nuncompute thermo_press\nuncompute thermo_pe"),
    "2 ranks": sheared(ranks=2, says=(BY_LAMMPS, DECLARED)),
    "2 threads": sheared(threads=2),
}

AFTERWARDS = ("compute near all coord/atom cutoff 1.0\ncompute pair all property/local patom1 patom2 cutoff type\n"
              "compute apart all pair/local dist force\nthermo 0\n")
WRITTEN = ("run 33\nwrite_dump all custom near.dump id c_near modify sort id\n"
           "write_dump all local apart.dump index c_pair[1] c_pair[2] c_apart[1] c_apart[2] modify format float %.17g")
for name, row in (("sheared", sheared(AFTERWARDS)), ("stretched", stretched(AFTERWARDS)),
                  ("in the last step alone", sheared(more=SHEAR.replace("gpu 1", "gpu 33") + AFTERWARDS)),
                  ("velocities of ghosts", stretched("comm_modify vel yes\n" + AFTERWARDS)),
                  ("moves atoms", sheared(more=SHEAR.replace("remap v", "remap x") + AFTERWARDS)),
                  ("2 ranks", stretched(AFTERWARDS, ranks=2))):
    ROWS[f"ghosts after the run, {name}"] = {**row, "run": WRITTEN, "says": ()}

pytestmark = pytest.mark.copies_in_turn


@pytest.mark.parametrize("row, rule", [
    pytest.param(row, row.get("rules", RULES)[rule], id=f"{name}, {rule}")
    for name, row in ROWS.items()
    for rule in row.get("rules", RULES)])
def test_same_files(lammps, row, rule):
    done = compare(lammps, row, rule)
    for text in row.get("says", ()):
        require(text in done.output, f"not said: {text}\n{done.tail()}")


def test_stops_an_edge_that_becomes_negative(lammps):
    stops_alike(lammps, stretched(more="fix 4 all deform/gpu 1 x vel -300 remap v", rule=RULES["check yes"]))
