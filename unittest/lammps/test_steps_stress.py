"""Stress and energy of atoms (ComputeStressAtomGPU): profiles of them have the same bytes under both run styles and on any number of
ranks, and the numbers of LAMMPS's own computes; all that reads values of atoms finds them; atoms stay with the engine meanwhile.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import numpy as np
import pytest

from checks import require
from lammps_run import BACKEND
from test_resident_bonds import COEFFICIENTS, DATA, WEAK
from test_resident_torsions import MOLECULES as MOLECULES_OF_FOUR, lines_of
from test_steps import RULES, read
from test_steps_profiles import ONE, TILTED, WALLS, as_lammps, file_of, left_to_lammps, numbers, profile, same_files, start

pytestmark = pytest.mark.copies_in_turn

STRESS = "compute s all stress/atom{chunk} NULL\n"
ENERGY = "compute e all pe/atom{chunk}\n"
EXT = (f"pair_style dpd/ext/gpu 1.0 1.0 34387 backend {BACKEND}\npair_coeff 1 1 25 4.5 9 1 1\npair_coeff 2 2 20 4.5 2 1.5 1\n"
       "pair_coeff 1 2 30 3 9 1 2 0.8\n")
TSTAT = f"pair_style dpd/tstat/gpu 1.0 1.0 1.0 34387 backend {BACKEND}\npair_coeff 1 1 4.5\npair_coeff 2 2 6 0.9\npair_coeff 1 2 2\n"
TYPES = f"pair_style dpd/gpu 1.0 1.0 34387 precision double backend {BACKEND}\npair_coeff 1 1 25 4.5\npair_coeff 2 2 30 2\npair_coeff 1 2 40 4.5 0.8\n"

# fixes, kind of box: as in test_steps_profiles; {chunk} stands for the suffix of all computes and of the fix
PROFILES = {
    "stress and energy": (ONE + STRESS + ENERGY + "fix p all ave/chunk{chunk} 5 3 20 b c_s[*] c_e vx file {file}", ""),
    "parts of the stress": (ONE + "compute k all stress/atom{chunk} NULL ke\ncompute v all stress/atom{chunk} NULL virial\n"
                            "compute a all stress/atom{chunk} NULL pair ke\ncompute e two pe/atom{chunk} pair bond\n"
                            "fix p all ave/chunk{chunk} 5 3 20 b c_k[1*3] c_v[4*] c_a[2] c_a[1] c_e file {file}", ""),
    "groups": ("compute b left chunk/atom{chunk} bin/1d x upper 0.9\ncompute s two stress/atom{chunk} NULL\n"
               "fix p left ave/chunk{chunk} 2 2 10 b c_s[1] density/number c_s[5] norm none file {file}", ""),
    "an empty group": (ONE + "group nobody empty\ncompute s nobody stress/atom{chunk} NULL\ncompute e nobody pe/atom{chunk}\n"
                       "fix p all ave/chunk{chunk} 5 2 10 b c_s[1] c_e file {file}", ""),
    "nobody's averages": (ONE + STRESS + "group nobody empty\nfix p nobody ave/chunk{chunk} 5 2 10 b c_s[1] vx file {file}", ""),
    "a group that changes": ("region up block/gpu INF INF INF INF 4 INF\ngroup dyn dynamic all region up every 2\n" + ONE +
                             "compute s dyn stress/atom{chunk} NULL\nfix p all ave/chunk{chunk} 2 3 10 b c_s[3] vx file {file}", ""),
    "a bias of axes": (ONE + "compute t all temp/partial/gpu 1 0 1\ncompute s all stress/atom{chunk} t\n"
                       "fix p all ave/chunk{chunk} 5 1 5 b c_s[1] c_s[2] c_s[4] c_s[6] file {file}", ""),
    "a temperature without a bias": (ONE + "compute t all temp\ncompute s all stress/atom{chunk} t ke\n"
                                     "fix p all ave/chunk{chunk} 5 1 5 b c_s[1] c_s[2] ave running file {file}", ""),
    "a region, sampled": ("region up sphere/gpu 4 4 4 2.5 side out\ncompute b all chunk/atom{chunk} bin/2d z lower 1.3 x 1 2.1 region up\n" + STRESS +
                          "fix p two ave/chunk{chunk} 2 3 10 b c_s[3] c_s[1] norm sample file {file}", ""),
    "a region of LAMMPS's": ("region up sphere 4 4 4 2.5 side out\ncompute b all chunk/atom{chunk} bin/1d z lower 1 region up\n" + STRESS + ENERGY +
                             "fix p all ave/chunk{chunk} 2 3 10 b c_s[2] c_e density/number file {file}", ""),
    "a sphere": ("compute b all chunk/atom{chunk} bin/sphere 4 4 4 0.5 3.5 6 pbc yes discard yes\n" + STRESS +
                 "fix p all ave/chunk{chunk} 5 2 10 b c_s[1] c_s[2] c_s[3] ave window 2 norm none file {file}", ""),
    "beside output of values": (ONE + STRESS + ENERGY + "fix p all ave/chunk{chunk} 5 2 10 b c_s[*] c_e file {file}\n"
                                "compute r all reduce sum c_s[1] c_s[4] c_e\nthermo_style custom step temp press c_r[*]\n"
                                "dump d all custom 10 {file}.dump id c_s[1] c_s[6] c_e\nfix 2 all ave/atom 5 2 10 c_s[2] c_e", ""),
    "two fixes, five computes": (ONE + STRESS + ENERGY + "compute c all chunk/atom{chunk} bin/1d x lower 2\n"
                                 "compute k all stress/atom{chunk} NULL ke\nfix q all ave/chunk{chunk} 3 2 9 c c_k[1] c_e file {file}.2\n"
                                 "fix p two ave/chunk{chunk} 2 3 10 b c_s[1] c_k[1] c_e file {file}", ""),
    "thermostats that ask": (ONE + STRESS + "fix 2 all temp/rescale/gpu 5 1.0 1.5 0.01 0.8\nfix p all ave/chunk{chunk} 5 1 5 b c_s[1] temp file {file}", ""),
    "a barostat": ("unfix 1\nfix 1 all npt/exact/gpu temp 1 1 0.5 iso 60 60 0.5\ncompute b all chunk/atom{chunk} bin/1d x lower 0.1 units reduced\n" +
                   STRESS + "fix p all ave/chunk{chunk} 2 4 10 b c_s[1] c_s[6] density/number file {file}", ""),
    "walls": (ONE + STRESS + "fix 2 all wall/reflect/gpu zlo EDGE zhi EDGE\nfix p all ave/chunk{chunk} 2 3 10 b c_s[3] c_s[1] file {file}", WALLS),
    "a tilted box": ("compute b all chunk/atom{chunk} bin/2d y lower 0.2 x lower 0.3 units reduced\n" + STRESS + ENERGY +
                     "fix p all ave/chunk{chunk} 2 3 10 b c_s[4] c_e file {file}", TILTED),
    "a box that shears": ("fix 2 all deform/gpu 1 xy erate 0.5 remap v\ncompute t all temp/deform/gpu\ncompute s all stress/atom{chunk} t\n"
                          "compute b all chunk/atom{chunk} bin/1d y lower 0.1 units reduced\n"
                          "fix p all ave/chunk{chunk} 2 3 10 b c_s[4] c_s[1] vx file {file}", TILTED),
    "dpd/ext/gpu": (EXT + ONE + STRESS + ENERGY + "fix p all ave/chunk{chunk} 5 2 10 b c_s[1] c_s[4] c_e file {file}", ""),
    "dpd/tstat/gpu": (TSTAT + ONE + STRESS + ENERGY + "fix p all ave/chunk{chunk} 5 2 10 b c_s[1] c_s[4] c_e file {file}", ""),
    "types, double": (TYPES + ONE + STRESS + ENERGY + "fix p all ave/chunk{chunk} 5 2 10 b c_s[1] c_s[4] c_e file {file}", ""),
    "a fix of LAMMPS's in every step": (ONE + STRESS + ENERGY + "fix 2 all drag 4 4 4 0.1 1.0\nfix p all ave/chunk{chunk} 5 2 10 b c_s[1] c_e file {file}", ""),
    "steps without a set-up, of one rank more": (ONE + STRESS + "fix p all ave/chunk{chunk} 1 1 1 b c_s[1] file {file}", ""),
}


@pytest.mark.tree("stress and energy", "a sphere")
@pytest.mark.parametrize("k, row", [pytest.param(k, row, id=name) for k, (name, row) in enumerate(PROFILES.items())])
def test_the_same_file(lammps, k, row):
    same_files(lammps, *row, RULES[k % 2])


@pytest.mark.tree("stress and energy", "a sphere")
@pytest.mark.parametrize("row", PROFILES.values(), ids=PROFILES)
def test_lammps_numbers(lammps, row):
    as_lammps(lammps, *row)


@pytest.mark.tree
def test_values_of_atoms_without_bonds_have_the_bits_of_lammps_computes(lammps):
    start(lammps, "")
    fixes = (STRESS + ENERGY + "compute t all temp/partial/gpu 1 0 1\ncompute v two stress/atom{chunk} t ke pair\n"
             "compute r all reduce max c_s[1] c_e\nthermo_style custom step c_r[*]\n"
             "fix 2 all ave/atom 3 2 9 c_s[3] c_v[1]\ndump d all custom 9 case.dump id c_s[*] c_e c_v[*] f_2[*]\n"
             "dump_modify d sort id format float %.17g")
    found = []
    for chunk, run_style, ranks in (("", "verlet", 1), ("/gpu", "verlet", 1), ("/gpu", "verlet/gpu", 1), ("/gpu", "verlet/gpu", 2),
                                    ("/exact/gpu", "verlet", 4)):
        done = lammps.run(profile(fixes, "", chunk=chunk, run_style=run_style), ranks=ranks)
        found.append((read(lammps, "case.dump"), re.findall(r"^ +\d+ +[-0-9.e+]+ +[-0-9.e+]+ *$", done.output, re.M)))
        require(len(found[-1][1]) > 6 and len(found[-1][0].splitlines()) > 5000, done.tail())
        require(found[-1] == found[0], f"{chunk}, {run_style}, {ranks} ranks: other values than by LAMMPS")


def test_a_restart_in_the_middle(lammps):
    start(lammps, "")
    fixes = ONE + STRESS + ENERGY + "fix p all ave/chunk{chunk} 5 2 10 b c_s[1] c_s[4] c_e format ' %.17g' file {file}"
    for run_style in ("verlet", "verlet/gpu"):
        lammps.run(profile(fixes, "", run_style=run_style, run="run 30\nwrite_restart a.restart\nrun 30"))
        whole = file_of(lammps).splitlines()
        lammps.run(profile(fixes, "", run_style=run_style, read="read_restart a.restart", run="run 30"))
        rest = file_of(lammps).splitlines()
        blocks = [k for k, line in enumerate(whole) if line.startswith(("40 ", "50 ", "60 "))]
        require(len(blocks) == 3 and rest[-len(whole) + blocks[0]:] == whole[blocks[0]:], f"{run_style}: other averages after a restart")


# ------------------------------------------------------------------------------------------- bonds


BONDED = """
units lj
atom_style {atom_style}
{first}
newton {newton}
special_bonds lj {special}
bond_style {bond}
angle_style {angle}
{styles}
pair_style dpd/gpu 1.0 1.0 34387 backend {backend}
read_data m.data
run_style {run_style}
pair_coeff * * 25.0 4.5
{coefficients}
group some type 1 3
velocity all create 1.0 87287 loop geom
neighbor 0.3 bin
neigh_modify every 1 delay 0 check yes
atom_modify sort 17 0.0
timestep 0.005
thermo 7
thermo_style custom step temp pe press
fix 1 all nve
compute b all chunk/atom{chunk} bin/1d x lower 0.9
compute s all stress/atom{chunk} NULL
compute e some pe/atom{chunk}
compute m all stress/atom{chunk} NULL bond
compute n all stress/atom{chunk} NULL angle
fix p all ave/chunk{chunk} 5 2 10 b c_s[1] c_s[4] c_e c_m[*] c_n[1*3] {norm} format ' %.15g' file case.ave
{more}
{run}
"""
OUTPUT = ("compute r all reduce sum c_s[2] c_e\nthermo_style custom step c_r[*]\nfix q all ave/atom 2 2 6 c_m[1] c_n[2]\n"
          "dump d all custom 12 case.dump id c_s[*] c_e c_m[*] c_n[*] f_q[*]\ndump_modify d sort id format float %.17g")

MOLECULES = {
    "harmonic, cosine": {},
    "harmonic, harmonic, newton off": {"newton": "off", "angle": "harmonic/gpu"},
    "fene, special factors": {"bond": "fene/gpu", "angle": "harmonic/gpu", "special": "0 0.5 1"},
    "of this package, newton off, special factors": {"bond": "harmonic/gpu", "angle": "cosine/gpu", "newton": "on off", "special": "0.3 0 1"},
    "beside output of values": {"more": OUTPUT},
    "beside output of values, newton off": {"more": OUTPUT, "newton": "off", "bond": "harmonic/gpu", "angle": "cosine/gpu"},
    "a fix of LAMMPS's in every step": {"more": "fix 2 all drag 4 4 4 0.1 1.0"},
    "a box that changes": {"more": OUTPUT + "\nfix 2 all press/berendsen/gpu iso 60 60 0.5 modulus 40"},
    "a box that deforms, newton off": {"more": OUTPUT + "\nfix 2 all deform/gpu 1 x scale 1.1 remap x", "newton": "off"},
    "a box that deforms, bonds of this package": {"more": OUTPUT + "\nfix 2 all deform/gpu 2 x scale 1.1 y scale 0.9 remap x",
                                                  "bond": "harmonic/gpu", "angle": "cosine/gpu"},
    "ranks without atoms": {"more": "region half block INF INF 2.6 INF INF INF\ndelete_atoms region half mol yes"},
    "angles switched off": {"angle": "none"},
    "norm none": {"norm": "norm none"},
    "dihedrals, impropers": {"torsions": ("harmonic/gpu", "harmonic/gpu")},
    "dihedrals, impropers, newton off": {"torsions": ("opls/gpu", "harmonic/gpu"), "newton": "off"},
    "dihedrals, impropers, beside output of values": {"torsions": ("charmm/gpu", "harmonic/gpu"), "more": OUTPUT},
    "impropers, special factors": {"torsions": ("none", "harmonic/gpu"), "special": "0.3 0 0.5"},
}

# parts of four atoms in columns of their own
TORSIONS = ("compute d all stress/atom{chunk} NULL dihedral\ncompute i some pe/atom{chunk} improper dihedral\n"
            "fix p all ave/chunk{chunk} 5 2 10 b c_s[1] c_s[4] c_e c_d[*] c_i format ' %.15g' file case.ave")


def bonded(row, **other):
    settings = dict(atom_style="angle", styles="", first="", coefficients="", newton="on", special="1 1 1", bond="harmonic", angle="cosine", backend=BACKEND, run_style="verlet", chunk="/gpu", norm="",
                    more="", run="run 33\nrun 27")
    settings.update(row)
    settings.update(other)
    lines = []
    for kind, style in (("bond", settings["bond"]), ("angle", settings["angle"])):
        found = COEFFICIENTS[(style if kind == "bond" else "angle " + style).split("/")[0]]
        lines += [f"{kind}_coeff {t + 1} {value}" for t, value in enumerate(found or ())]
    if "torsions" in row:
        dihedral, improper = row["torsions"]
        settings.update(atom_style="molecular", styles=f"dihedral_style {dihedral}\nimproper_style {improper}")
        lines += lines_of("dihedral", dihedral) + lines_of("improper", improper)
    settings["coefficients"] = settings["coefficients"] or "\n".join(lines)
    text = BONDED
    if "torsions" in row:
        text = re.sub("^fix p all .*$", TORSIONS, text, flags=re.M)
    return text.format(**settings)


def same_by_both(files, row, what):
    """The energy of a fene bond needs a logarithm: that of CUDA has another last bit."""
    if BACKEND == "cuda" and "fene" in row.get("bond", ""):
        same_to_rounding(numbers(files[1][0]), numbers(files[0][0]), f"of averages, {what}")
        return
    require(files[0] == files[1], f"{what}: another file by verlet/gpu than by verlet")


def same_to_rounding(ours, theirs, what):
    require([len(line) for line in ours] == [len(line) for line in theirs], f"files {what} of different lines")
    words = [line for line in zip(ours, theirs) if line[0] and re.fullmatch(r"[-0-9.e+]+", line[0][0])]
    a, b = (np.array([float(word) for pair in words for word in pair[k]]) for k in (0, 1))
    size = max(1.0, np.abs(b[np.abs(b) < 1e6]).max())
    require(np.abs(a - b).max() <= 1e-12 * size, f"{what}: {np.abs(a - b).max()} of {size}, by LAMMPS's own computes")


@pytest.mark.tree("harmonic, cosine")
@pytest.mark.parametrize("row", MOLECULES.values(), ids=MOLECULES)
def test_molecules(lammps, row):
    """Files of both run styles have the same bytes, on each number of ranks; LAMMPS's own differ by the rounding of its sums."""
    lammps.write("m.data", MOLECULES_OF_FOUR if "torsions" in row else DATA)
    lammps.run(bonded(row, chunk=""))
    theirs = (numbers(file_of(lammps)), read(lammps, "case.dump") if "dump" in row.get("more", "") else "")
    require(len(theirs[0]) > 30, "too little to compare")
    for ranks in (1, 2, 4):
        files = []
        for run_style in ("verlet", "verlet/gpu"):
            done = lammps.run(bonded(row, run_style=run_style, first="comm_modify cutoff 2.45" if ranks > 1 else ""), ranks=ranks)
            files.append((file_of(lammps), read(lammps, "case.dump") if theirs[1] else ""))
            if run_style == "verlet/gpu" and ranks == 1:
                require(re.search(r"resident fixes: .*p \(ave/chunk/gpu\)", done.output), f"the fix is not resident:\n{done.tail()}")
                require(row.get("more") or "LAMMPS took part" not in done.output, f"LAMMPS takes part:\n{done.tail()}")
        same_by_both(files, row, f"{ranks} ranks")
        if ranks > 1:    # bonds across a border are rounded otherwise, and so are the steps that follow
            continue
        same_to_rounding(numbers(files[0][0]), theirs[0], "of averages")
        if theirs[1]:
            same_to_rounding(numbers(files[0][1]), numbers(theirs[1]), "of values")


def test_fene_bonds_that_become_too_long_bonds_are_lammps_from_there_on(lammps):
    lammps.write("m.data", DATA)
    for newton in ("on", "off"):
        files, row = [], {"bond": "fene/gpu", "coefficients": WEAK, "newton": newton}
        for run_style in ("verlet", "verlet/gpu"):
            done = lammps.run(bonded(row, run_style=run_style, run="run 60"))
            files.append((file_of(lammps), ""))
            require(run_style == "verlet" or "bonds by LAMMPS from step" in done.output, done.tail())
        require(len(files[0][0].splitlines()) > 30, "too little to compare")
        same_by_both(files, row, f"newton {newton}")


# ------------------------------------------------------------------------------- what cannot be given


SOFT = "pair_style soft 1.0\npair_coeff * * 10\n"
LEFT_TO_LAMMPS = {
    "a pair style of LAMMPS's": (SOFT + ONE + STRESS + "fix p all ave/chunk{chunk} 5 3 20 b c_s[1] file {file}",
                                 "of compute s: pair style soft is none of this package's"),
    "bonds beside a pair style of LAMMPS's": (SOFT + ONE + "compute s all stress/atom{chunk} NULL bond\n"
                                              "fix p all ave/chunk{chunk} 5 3 20 b c_s[1] file {file}",
                                              "of compute s: pair style soft is none of this package's"),
    "a bias of LAMMPS's": (ONE + "compute t all temp/com\ncompute s all stress/atom{chunk} t\nfix p all ave/chunk{chunk} 5 3 20 b c_s[1] file {file}",
                           "of compute s: compute t is of LAMMPS's style temp/com"),
    "a fix with a virial": (ONE + STRESS + "fix 2 all addforce 0.1 0 0\nfix_modify 2 virial yes\nfix p all ave/chunk{chunk} 5 3 20 b c_s[1] file {file}",
                            "of compute s: fix 2 of style addforce has a part in it"),
    "many values": (ONE + STRESS + "compute k all stress/atom{chunk} NULL ke\nfix p all ave/chunk{chunk} 5 3 20 b c_s[*] c_k[*] vx vy vz temp file {file}",
                    "there are more than 15 values"),
    "beside a variable": (ONE + STRESS + "variable a atom vx*vy\nfix p all ave/chunk{chunk} 5 3 20 b c_s[1] v_a file {file}", "the value v_a is LAMMPS's"),
}


@pytest.mark.tree
@pytest.mark.parametrize("row", LEFT_TO_LAMMPS.values(), ids=LEFT_TO_LAMMPS)
def test_left_to_lammps(lammps, row):
    left_to_lammps(lammps, *row, ("verlet",) if "style soft" in row[0] else ("verlet", "verlet/gpu"))


REFUSED = {
    "no index": (ONE + STRESS + "fix p all ave/chunk{chunk} 5 3 20 b c_s", "Fix ave/chunk/gpu: value c_s, allowed: c_s[1] to c_s[6]"),
    "an index": (ONE + STRESS + "fix p all ave/chunk{chunk} 5 3 20 b c_s[7]", "Fix ave/chunk/gpu: value c_s[7], allowed: c_s[1] to c_s[6]"),
    "an index that is none": (ONE + STRESS + "fix p all ave/chunk{chunk} 5 3 20 b c_s[x]", "Fix ave/chunk/gpu: value c_s[x], allowed: c_s[1] to c_s[6]"),
    "an index of an energy": (ONE + ENERGY + "fix p all ave/chunk{chunk} 5 3 20 b c_e[1]", "Fix ave/chunk/gpu: value c_e[1], allowed: c_e"),
    "values that are gone": (ONE + STRESS + "fix p all ave/chunk{chunk} 5 3 20 b c_s[1]\nuncompute s", "Fix ave/chunk/gpu: compute s does not exist any more"),
    "another pair style afterwards": (ONE + STRESS + "fix p all ave/chunk{chunk} 5 3 20 b c_s[1]\nrun_style verlet\n" + SOFT,
                                      "Fix ave/chunk/gpu: of compute s: pair style soft is none of this package's, allowed: what compute stress/atom/gpu"),
    "no temp-ID": ("compute s all stress/atom{chunk}", "compute stress/atom"),
    "a temp-ID": ("compute s all stress/atom{chunk} t", "compute stress/atom temperature"),
    "a word": ("compute s all stress/atom{chunk} NULL pairs", "compute stress/atom"),
    "a word of pe/atom": ("compute s all pe/atom{chunk} ke", "compute pe/atom"),
    "a step that nobody knew ahead": (STRESS + "variable a equal 0*C_s[3][1]\nregion r block 0 1 0 1 0 1 move v_a NULL NULL\nfix 2 all addforce 0 0 0 region r",
                                      "Compute stress/atom/gpu: virials of atoms were not tallied in step 1, allowed: a step of which"),
}


@pytest.mark.tree
@pytest.mark.parametrize("fixes, text", REFUSED.values(), ids=REFUSED)
def test_refused(lammps, fixes, text):
    start(lammps, "")
    lammps.require_refused(text, lambda run_style: profile(fixes, "", run_style=run_style, run="run 5"))
