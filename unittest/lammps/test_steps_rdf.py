"""Radial distribution functions (ComputeRDFGPU): files have the same bytes under both run styles, on any number of ranks, and are
those of LAMMPS's own compute rdf; atoms stay with the engine meanwhile.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import pytest

from checks import require
from lammps_run import BACKEND, BOTH_RUN_STYLES
from test_resident_bonds import COEFFICIENTS, DATA
from test_steps import PAIR, RULES, read
from test_steps_profiles import INPUT, TILTED, WALLS, start

pytestmark = pytest.mark.copies_in_turn

SHRINKS = "shrinks"
AVERAGE = "fix r all ave/time 5 2 10 c_r[*] mode vector file case.rdf\n"
TYPES = f"pair_style dpd/gpu 1.0 1.0 34387 precision double backend {BACKEND}\npair_coeff 1 1 25 4.5\npair_coeff 2 2 30 2\npair_coeff 1 2 40 4.5 0.8\n"

# {style} stands for rdf; LAMMPS's own wants ghosts for a cutoff, which {far} gives it
CASES = {
    "the cutoff of forces": ("compute r all {style} 40\n" + AVERAGE, ""),
    "types": ("compute r all {style} 40 1 1 1 2 2 1 2 2 * 1 *2 *\n" + AVERAGE, ""),
    "labels of types": ("labelmap atom 1 A 2 B\ncompute r all {style} 40 A B B B\n" + AVERAGE, ""),
    "further than forces": ("{far} 3.3\ncompute r all {style} 29 * * 1 2 2*2 * cutoff 2.9\n" + AVERAGE, ""),
    "less far than forces": ("compute r all {style} 7 2 * cutoff 0.7\n" + AVERAGE, ""),
    "more than half of the box": ("{far} 7.2\nneigh_modify one 9000 page 100000\ncompute r all {style} 67 1 2 * * cutoff 6.7\n" + AVERAGE, ""),
    "a group": ("{far} 3.3\ncompute r two {style} 29 * * 1 2 cutoff 2.9\n" + AVERAGE, ""),
    "an empty group": ("group nobody empty\ncompute r nobody {style} 10\n" + AVERAGE, ""),
    "a group that changes": ("region up block INF INF INF INF 4 INF\ngroup dyn dynamic all region up every 5\n"
                             "compute r dyn {style} 10 1 2 * *\n" + AVERAGE, ""),
    "pairs that are left out": ("neigh_modify exclude type 1 2 exclude group left two\ncompute r all {style} 20 * * 1 2 2 2\n" + AVERAGE, ""),
    "a group of lists": ("atom_modify first two\nneigh_modify include two\nunfix 1\nfix 1 two nve\ncompute r all {style} 20 * * 1 2 2 2\n" + AVERAGE, ""),
    "cutoff 0": ("compute r all {style} 40 cutoff 0\n" + AVERAGE, ""),
    "two computes, output of one": ("{far} 2.5\ncompute r all {style} 11 cutoff 2.1\ncompute q two {style} 13\n" + AVERAGE +
                                    "variable q equal c_q[7][2]\nfix q all ave/time 3 1 3 v_q file case.q\n"
                                    "variable first equal c_q[13][3]\nfix s all print 4 '${{first}}' file case.s screen no title ''\n"
                                    "thermo_style custom step temp c_q[9][3] c_r[9][2]\nthermo 4", ""),
    "types with cutoffs": (TYPES + "{far} 2.5\ncompute r all {style} 20 1 2 2 2 1 1 cutoff 1.0\n" + AVERAGE, ""),
    "walls": ("{far} 3.3\nfix 2 all wall/reflect/gpu zlo EDGE zhi EDGE\ncompute r all {style} 29 cutoff 2.9\n" + AVERAGE, WALLS),
    "a box that shrinks around atoms": ("{far} 3.3\ncompute r all {style} 29 cutoff 2.9\n" + AVERAGE, SHRINKS),
    "a tilted box": ("{far} 3.3\ncompute r all {style} 29 1 2 * * cutoff 2.9\n" + AVERAGE, TILTED),
    # LAMMPS's ghosts are those of the box before
    "a box that shears": ("{far} 3.3\ncompute r all {style} 29 cutoff 2.9\n" + AVERAGE + "fix 2 all deform/gpu 1 xy erate 0.5 remap v", TILTED),
    "a barostat": ("unfix 1\nfix 1 all npt/exact/gpu temp 1 1 0.5 iso 60 60 0.5\ncompute r all {style} 29\n" + AVERAGE, ""),
    "a fix of LAMMPS's in every step": ("fix 2 all drag 4 4 4 0.1 1.0\ncompute r all {style} 20\n" + AVERAGE, ""),
    "fixes that change velocities": ("fix 2 all momentum/gpu 5 linear 1 1 1\ncompute r all {style} 20\n" + AVERAGE + "fix 3 all temp/rescale/gpu 5 1.0 1.5 0.01 0.8", ""),
    "a fix of LAMMPS's at the end of steps": ("compute r all {style} 20\nfix 2 all momentum 5 linear 1 1 1\n" + AVERAGE + "fix 3 all momentum 10 linear 1 0 0", ""),
}


def text_of(case, kind, style="rdf", run_style="verlet", rule=RULES[0], run="run 33\nrun 27"):
    far = "comm_modify cutoff" if style == "rdf" else "#"
    fixes = case.format(style=style, far=far)
    return INPUT.format(boundary={WALLS: "p p f", SHRINKS: "p s m"}.get(kind, "p p p"), read="read_data start.data", pair=PAIR, rule=rule,
                        run_style=run_style, fixes=fixes, run=run)


def files_of(lammps, case, done):
    """All that it has written: averages without the titles, which have the name of the fix; and the thermo output."""
    names = [name for name in ("case.rdf", "case.q", "case.s") if name in case]
    found = {name: [line for line in read(lammps, name).split("\n") if not line.startswith("#")] for name in names}
    if "thermo_style" in case:
        found["thermo"] = re.findall(r"^ +\d+ +[-0-9.e+]+ +([-0-9.e+]+ +[-0-9.e+]+) *$", done.output, re.M)
    require(all(len(lines) > 10 for lines in found.values()), f"too little to compare: {found.keys()}")
    return found


@pytest.mark.tree("cutoff of forces")
@pytest.mark.parametrize("case, kind, rule", [
    pytest.param(*row, RULES[k % 2], id=name) for k, (name, row) in enumerate(CASES.items())])
def test_the_files_of_lammps(lammps, case, kind, rule):
    start(lammps, WALLS if kind in (WALLS, SHRINKS) else kind)
    done = lammps.run(text_of(case, kind, rule=rule))
    wanted = files_of(lammps, case, done)
    require(any(float(word) > 0 for line in wanted["case.rdf"] for word in line.split()[2:]) or "nobody" in case, "nothing was counted")
    for style, run_style, ranks in (("rdf/gpu", "verlet", 1), ("rdf/exact/gpu", "verlet/gpu", 1), ("rdf/gpu", "verlet", 3),
                                    ("rdf/gpu", "verlet/gpu", 2), ("rdf/gpu", "verlet/gpu", 4)):
        done = lammps.run(text_of(case, kind, style, run_style, rule), ranks=ranks)
        found = files_of(lammps, case, done)
        require(found == wanted, f"{style}, {run_style}, {ranks} rank(s): other files than by LAMMPS's own compute")
        if run_style == "verlet/gpu" and ranks == 1:
            require("bring atoms over" not in done.output, f"not resident:\n{done.tail()}")


def test_atoms_stay_with_the_engine_which_goes_on_while_lammps_writes(lammps):
    start(lammps, "")
    case = "compute r all {style} 40 cutoff 2.0\n" + AVERAGE + "thermo_style custom step temp c_r[9][2]"
    done = lammps.run(text_of(case, "", "rdf/gpu", "verlet/gpu"))
    require("LAMMPS reads sums" in done.output and "LAMMPS took part" not in done.output, done.tail())


# ------------------------------------------------------------------------------------------- molecules


BONDED = """
units lj
atom_style angle
comm_modify cutoff 2.6
newton {newton}
special_bonds lj {special}
bond_style harmonic
angle_style cosine
pair_style dpd/gpu 1.0 1.0 34387 backend {backend}
read_data m.data
run_style {run_style}
pair_coeff * * 25.0 4.5
{coefficients}
velocity all create 1.0 87287 loop geom
neighbor 0.3 bin
neigh_modify every 1 delay 0 check yes
{more}
atom_modify sort 17 0.0
timestep 0.005
fix 1 all nve
compute r all {style} 30 * * 1 2 {cutoff}
fix r all ave/time 5 2 10 c_r[*] mode vector file case.rdf
run 33
run 27
"""

MOLECULES = {
    "1-2 neighbors left out": {"special": "0 1 1"},
    "1-2 and 1-4 neighbors left out, further than forces": {"special": "0 0.5 0", "cutoff": "cutoff 2.2"},
    "all neighbors left out, newton off": {"special": "0 0 0", "newton": "off", "cutoff": "cutoff 2.2"},
    "charges count": {"special": "0 0 0\nspecial_bonds coul 1 0 0.5", "cutoff": "cutoff 1.7"},
    "one molecule left out": {"special": "0 1 1", "more": "neigh_modify exclude molecule/intra all"},
    "other molecules left out": {"special": "1 1 1", "more": "neigh_modify exclude molecule/inter all", "cutoff": "cutoff 2.2"},
}


@pytest.mark.parametrize("row", MOLECULES.values(), ids=MOLECULES)
def test_molecules(lammps, row):
    lammps.write("m.data", DATA)
    coefficients = [f"{kind}_coeff {t + 1} {value}" for kind, style in (("bond", "harmonic"), ("angle", "angle cosine"))
                    for t, value in enumerate(COEFFICIENTS[style])]
    settings = {"newton": "on", "cutoff": "", "more": "", "backend": BACKEND, "coefficients": "\n".join(coefficients), **row}
    found = []
    for style, run_style, ranks in (("rdf", "verlet", 1), ("rdf/gpu", "verlet", 1), ("rdf/gpu", "verlet/gpu", 1), ("rdf/gpu", "verlet/gpu", 2),
                                    ("rdf", "verlet", 3), ("rdf/gpu", "verlet", 3)):
        lammps.run(BONDED.format(**settings, style=style, run_style=run_style), ranks=ranks)
        found.append(files_of(lammps, "case.rdf", None))
        # bonds across a border of ranks are rounded otherwise, and so are the steps that follow
        wanted = found[0] if ranks == 1 else found[3] if ranks == 2 else found[4]
        require(found[-1] == wanted, f"{style}, {run_style}, {ranks} rank(s): other files than by LAMMPS's own compute")
    require(any(float(word) > 0 for line in found[0]["case.rdf"] for word in line.split()[2:]), "nothing was counted")


# ------------------------------------------------------------------------------------------- other boxes


LATTICE = """
units lj
dimension {dimension}
boundary p p p
lattice {lattice}
region box block 0 {n} 0 {n} {z}
create_box 2 box
create_atoms 1 box
set group all type/fraction 2 0.4 991
mass * 1.0
pair_style lj/cut 1.2
pair_coeff * * 1.0 1.0
{far}
compute r all {style} 24 * * 1 2 cutoff 2.9
fix r all ave/time 1 1 1 c_r[*] mode vector file case.rdf
fix 1 all nve
run 3
"""


def test_a_flat_box_with_a_pair_style_of_lammps_and_a_lattice(lammps):
    for dimension, lattice, n, z in ((2, "hex 0.9", 11, "-0.5 0.5"), (3, "sc 1.1", 7, "0 9"), (3, "fcc 0.83", 5, "0 5")):
        found = []
        for style, ranks in (("rdf", 1), ("rdf/gpu", 1), ("rdf/gpu", 4)):
            far = "comm_modify cutoff 3.3" if style == "rdf" else ""
            lammps.run(LATTICE.format(dimension=dimension, lattice=lattice, n=n, z=z, style=style, far=far), ranks=ranks)
            found.append(files_of(lammps, "case.rdf", None))
            require(found[-1] == found[0], f"{lattice}, {style}, {ranks} rank(s): other files than by LAMMPS's own compute")


def test_without_a_pair_style(lammps):
    start(lammps, "")
    text = "units lj\natom_style atomic\nread_data start.data\ncomm_modify cutoff 2.5\ncompute r all {style} 20 cutoff 2.0\n" + AVERAGE + "fix 1 all nve\nrun 20"
    found = []
    for style, ranks in (("rdf", 1), ("rdf/gpu", 1), ("rdf/gpu", 2)):
        lammps.run(text.format(style=style), ranks=ranks)
        found.append(files_of(lammps, "case.rdf", None))
        require(found[-1] == found[0], f"{style}, {ranks} rank(s): other files than by LAMMPS's own compute")


@pytest.mark.tree
def test_a_restart_in_the_middle(lammps):
    start(lammps, "")
    case = CASES["further than forces"][0]
    for run_style, ranks in (("verlet", 1), ("verlet/gpu", 1), ("verlet/gpu", 2)):
        lammps.run(text_of(case, "", "rdf/gpu", run_style, run="run 30\nwrite_restart a.restart\nrun 30"), ranks=ranks)
        whole = read(lammps, "case.rdf").split("\n")
        lammps.run(text_of(case, "", "rdf/gpu", run_style, run="run 30").replace("read_data start.data", "read_restart a.restart"), ranks=ranks)
        rest = read(lammps, "case.rdf").split("\n")
        require(len(rest) > 80 and rest[3:] == whole[-len(rest) + 3:], f"{run_style}, {ranks} rank(s): other averages after a restart")


# ------------------------------------------------------------------------------------------- bad input


REFUSED = {
    "no bins": ("compute r all rdf/gpu", "Compute rdf/gpu: no number of bins, allowed: Nbin and pairs of types"),
    "0 bins": ("compute r all rdf/gpu 0", "Compute rdf/gpu: 0 bins, allowed: 1 and more"),
    "half a pair": ("compute r all rdf/gpu 10 1 2 1", "Compute rdf/gpu: type 1 has no partner, allowed: pairs of types"),
    "half a pair, and a cutoff": ("compute r all rdf/gpu 10 1 cutoff 2", "Compute rdf/gpu: type 1 has no partner"),
    "a type that is not there": ("compute r all rdf/gpu 10 1 3", "is out of bounds"),
    "a keyword": ("compute r all rdf/gpu 10 1 2 cutoff 2.0 skin 1", "Compute rdf/gpu: keyword skin, allowed: cutoff Rcut"),
    "no cutoff": ("compute r all rdf/gpu 10 1 2 cutoff", "Compute rdf/gpu: keyword cutoff, allowed: cutoff Rcut"),
    "beyond the box": ("compute r all rdf/gpu 10 cutoff 8.5\nrun 0", "Compute rdf/gpu: cutoff 8.5 is beyond the box, allowed: up to 8, its width along x"),
    "beyond a box that has become smaller": ("compute r all rdf/gpu 10 cutoff 7.9\nvariable g equal c_r[1][2]\nfix r all ave/time 5 1 5 v_g\nfix 2 all deform/gpu 1 y final 0 6",
                                             "Compute rdf/gpu: cutoff 7.9 is beyond the box, allowed: up to"),
    "no pair style": ("pair_style none\ncompute r all rdf/gpu 10\nrun 0", "Compute rdf/gpu: there is no pair style, allowed: one, or the keyword cutoff"),
}


@pytest.mark.tree
@pytest.mark.parametrize("commands, text", REFUSED.values(), ids=REFUSED)
def test_refused(lammps, commands, text):
    start(lammps, "")
    # run_style verlet/gpu refuses a run without a pair style for a reason of its own
    runs = [run for run in BOTH_RUN_STYLES if run[0] == "verlet" or "pair_style none" not in commands]
    lammps.require_refused(text, lambda run_style: text_of(commands, "", "rdf/gpu", run_style), runs)
