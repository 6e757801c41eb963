"""run_style verlet/gpu against run_style verlet with bonds, angles and LAMMPS's constant forces: files and thermo output must be the
same to the last bit, and the log must say who makes them, so that none is left to LAMMPS unnoticed.

DS_TEST_BACKEND=cuda makes the same checks on the GPU, but for LAMMPS's angle style harmonic: the arc cosine has another last
bit there, so positions and forces after two steps are compared within bounds.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import math
import random
import re

import numpy as np
import pytest

from checks import require
from lammps_run import BACKEND, DIGITS, ONE_RUN, STATE
import resident_fluid
from resident_fluid import RULES, warnings

pytestmark = pytest.mark.copies_in_turn

EDGES = (5.0, 5.5, 6.0)
CHAINS, BEADS, ATOMS = 16, 8, 495    # density 3

INPUT = """
units lj
atom_style {atom_style}
newton {newton}
{first}
special_bonds lj {special}
bond_style {bond}
angle_style {angle}
pair_style dpd/gpu 1.0 1.0 34387 precision {precision} backend {backend}
read_data m.data {read}
run_style {run_style}
pair_coeff * * 25.0 4.5
{coefficients}
group one type 1
group two type 2 3
velocity all create 1.0 87287 loop geom
neighbor 0.3 bin
neigh_modify {rule}
atom_modify sort 17 0.0
timestep 0.005
thermo 7
thermo_style custom step temp pe ebond eangle press pxy
thermo_modify format float %.17g
dump d all custom 20 all.dump {state}
dump_modify d {digits}
{move}
{more}
{run}
write_restart end.restart
"""

COEFFICIENTS = {
    "harmonic": ("30 0.5", "50 0.7"), "fene": ("30 1.5 1.0 0.6", "25 2.0 0.7 0.5"), "none": None, "angle harmonic": ("3 150", "5 120"),
    "angle cosine": ("3", "5"), "angle none": None}


def molecules(apart=1):
    """Data file of chains among single atoms, in an order of their own. The first chains begin at corners of the box."""
    draw, atoms, bonds, angles = random.Random(5), [], [], []
    for chain in range(CHAINS):
        at = [edge * (chain >> d & 1) if chain < 8 else draw.uniform(0, edge) for d, edge in enumerate(EDGES)]
        for bead in range(BEADS):
            i = len(atoms)
            atoms.append((chain + 1, 1 + bead // 4, at))
            if bead:
                bonds.append((1 + bead % 2, i - 1, i))
            if bead > 1:
                angles.append((1 + chain % 2, i - 2, i - 1, i))
            step = [draw.gauss(0, 1) for _ in EDGES]
            at = [x + 0.6 * s / math.hypot(*step) for x, s in zip(at, step)]
    while len(atoms) < ATOMS:
        atoms.append((0, 3, [draw.uniform(0, edge) for edge in EDGES]))
    tags = list(range(1, apart * ATOMS + 1, apart))
    draw.shuffle(tags)
    lines = ["molecules", "", f"{ATOMS} atoms", f"{len(bonds)} bonds", f"{len(angles)} angles", "3 atom types", "2 bond types", "2 angle types"]
    lines += [f"0 {edge} {axis}lo {axis}hi" for edge, axis in zip(EDGES, "xyz")]
    lines += ["", "Masses", "", "1 1.0", "2 1.7", "3 0.8"]
    places = [" ".join(repr(x % edge) for x, edge in zip(at, EDGES)) for _, _, at in atoms]
    lines += ["", "Atoms # angle", ""] + [f"{tag} {m} {kind} {place}" for tag, (m, kind, _), place in sorted(zip(tags, atoms, places))]
    for name, terms in (("Bonds", bonds), ("Angles", angles)):
        lines += ["", name, ""] + [f"{k + 1} {term[0]} " + " ".join(str(tags[i]) for i in term[1:]) for k, term in enumerate(terms)]
    return "\n".join(lines) + "\n"


DATA = molecules()


def two_atoms(*places):
    """Data file of two atoms and their bond."""
    edges = re.search(r"^0 .*?(?=\n\nMasses)", DATA, re.M | re.S).group()
    masses = re.search(r"^Masses.*?(?=\n\nAtoms)", DATA, re.M | re.S).group()
    atoms = "\n".join(f"{k + 1} 1 {2 * k + 1} {x} 2.0 2.0" for k, x in enumerate(places))
    return (f"two atoms\n\n2 atoms\n1 bonds\n3 atom types\n2 bond types\n2 angle types\n{edges}\n\n{masses}\n\n"
            f"Atoms # angle\n\n{atoms}\n\nBonds\n\n1 1 1 2\n")


def coefficients_of(row):
    if "coefficients" in row:
        return row["coefficients"]
    lines = []
    for kind, style in (("bond", row.get("bond", "harmonic")), ("angle", row.get("angle", "cosine"))):
        values = COEFFICIENTS[(style if kind == "bond" else "angle " + style).split("/")[0]]
        lines += [f"{kind}_coeff {t + 1} {value}" for t, value in enumerate(values or ())]
    return "\n".join(lines)


def text_of(row, run_style, rule):
    return INPUT.format(
        atom_style=row.get("atom_style", "angle"), newton=row.get("newton", "on"), first=row.get("first", ""),
        special=row.get("special", "1 1 1"), bond=row.get("bond", "harmonic"), angle=row.get("angle", "cosine"),
        precision=row.get("precision", "mixed"), backend=BACKEND, read=row.get("read", ""), run_style=run_style,
        coefficients=coefficients_of(row), rule=rule, state=STATE, digits=DIGITS.replace("modify ", ""),
        move=row.get("move", "fix 1 all nve"), more=row.get("more", ""),
        run=row.get("run", "run 60\nrun 37").replace("RUN_STYLE", run_style).replace("BACKEND", BACKEND))


def run_with(lammps, row, run_style, rule, ok=True):
    lammps.write("m.data", row.get("data", DATA))
    done = lammps.run(text_of(row, run_style, rule), ranks=row.get("ranks", 1), threads=row.get("threads", 1), ok=ok)
    require(("Run_style verlet/gpu:" in done.output) == (run_style == "verlet/gpu"), f"not run as wanted:\n{done.tail()}")
    return done


RESIDENT = "  bonds, angles: resident"
BY_LAMMPS = "  bonds, angles: by LAMMPS, every step"
LOST = "Run_style verlet/gpu: bonds by LAMMPS from step "


def require_told(done, row):
    """The table is printed once per set-up. `says`: why LAMMPS makes bonds; `lost`: it does from some step on (None: or not)."""
    text = re.sub(" --$", "", done.output, flags=re.M)    # behind lines with as many words as there are columns
    tables = len(re.findall("^Run_style verlet/gpu: .* backend", text, re.M))
    line = BY_LAMMPS + (", as " + row["says"] if row["says"] else "") if "says" in row else row.get("resident", RESIDENT)
    found = text.count("\n" + line + "\n")
    require(tables and found == row.get("tables", tables), f"{found} lines '{line}' in {tables} tables:\n{done.tail(40)}")
    if row.get("lost", False) is not None:
        require((LOST in text) == row.get("lost", False), f"bonds are lost: {LOST in text}")


def compare(lammps, row, rule):
    require_told(resident_fluid.compare(lammps, row, rule, run_with), row)


def cases(rows, rule="check yes"):
    return [pytest.param(row, RULES.get(row.get("rule", rule), row.get("rule", rule)), id=name) for name, row in rows.items()]


# ------------------------------------------------------------------------------------------- styles


ON_GPU = BACKEND == "cuda"


@pytest.mark.tree("harmonic, cosine", "fene")
@pytest.mark.parametrize("row, rule", cases({
    "harmonic, cosine": {},
    "harmonic, cosine, every 5 steps": {"rule": "check no", "precision": "double"},
    "harmonic, cosine, newton off": {"newton": "off"},
    "fene, cosine": {"bond": "fene/gpu", "special": "0 1 1"},
    "fene, cosine, newton off, every 5 steps": {"bond": "fene/gpu", "newton": "off", "rule": "check no", "special": "0 1 1"},
    "fene, no angles": {"bond": "fene/gpu", "angle": "none", "precision": "double", "rule": "check no"},
    "harmonic, no angles, newton off": {"angle": "none", "newton": "off", "special": "0 0.5 1"},
    "no bonds, cosine": {"bond": "none", "special": "0 0 0"},
    "no bonds, cosine, newton off": {"bond": "none", "newton": "off", "rule": "check no"},
    "newton of pairs off": {"newton": "off on"},
    "newton of bonds off": {"newton": "on off", "precision": "double"},
    "delayed rebuilds": {"rule": "every 2 delay 4 check yes"},
    "rebuilds in each step": {"rule": "every 1 delay 0 check no"},
    "sorted with each list": {"more": "atom_modify sort 1 0.0"},
    "not sorted": {"more": "atom_modify sort 0 0.0", "newton": "off"},
    "2 threads": {"threads": 2, "bond": "fene/gpu"},
    "harmonic/gpu, cosine/gpu": {"bond": "harmonic/gpu", "angle": "cosine/gpu"},
    "harmonic/gpu, harmonic/gpu, newton off": {"bond": "harmonic/gpu", "angle": "harmonic/gpu", "newton": "off", "rule": "check no"},
    "fene/exact/gpu, harmonic/exact/gpu": {"bond": "fene/exact/gpu", "angle": "harmonic/exact/gpu", "special": "0 1 1"},
    "no bonds, harmonic/gpu": {"bond": "none", "angle": "harmonic/gpu", "precision": "double"},
    "two fixes nve": {"move": "fix 1 one nve\nfix 2 two nve"},
    "LAMMPS moves": {"move": "fix 1 all nve/limit 0.1"},
    "one group moves": {"move": "fix 1 two nve", "bond": "fene/gpu"},
    "with charges": {"atom_style": "full", "data": re.sub(r"^(\d+ \d+ \d) (?=\d+\.\d+ \d+\.)", r"\1 0.0 ", DATA, flags=re.M)},
    "a mass of each atom": {"more": "fix mass all property/atom rmass ghost yes\nset type 1 mass 1.0\nset type 2 mass 1.7\nset type 3 mass 0.7",
                            "newton": "off"},
    "walls": {"more": "change_box all boundary p p f\nfix wall all wall/reflect zlo EDGE zhi EDGE"},
    "wider ghosts": {"first": "comm_modify cutoff 2.3"},
    "IDs up to two million": {"data": molecules(4001)},
} | ({} if ON_GPU else {
    "harmonic, harmonic": {"angle": "harmonic"},
    "harmonic, harmonic, newton off": {"angle": "harmonic", "newton": "off", "rule": "check no"},
    "fene, harmonic": {"bond": "fene/gpu", "angle": "harmonic", "precision": "double"},
    "no bonds, harmonic": {"bond": "none", "angle": "harmonic"},
})))
def test_styles(lammps, row, rule):
    compare(lammps, row, rule)


@pytest.mark.tree
def test_styles_angle_style_harmonic_two_steps(lammps):
    row = {"angle": "harmonic", "more": "dump_modify d every 2", "run": "run 2"}
    dumps = []
    for run_style in ("verlet", "verlet/gpu"):
        require_told(run_with(lammps, row, run_style, RULES["check no"]), row) if run_style != "verlet" else \
            run_with(lammps, row, run_style, RULES["check no"])
        dumps.append(lammps.dump("all.dump"))
    plain, resident = dumps
    shifted = np.max(np.abs(plain.x - resident.x))
    require(shifted <= 1e-14 * np.max(np.abs(plain.x)) if ON_GPU else shifted == 0.0, f"positions differ by {shifted:.3g}")
    apart = np.max(np.abs(plain.f - resident.f)) / np.max(np.abs(plain.f))
    require(apart <= 1e-12 if ON_GPU else apart == 0.0, f"forces differ by {apart:.3g} of the largest")
    print(f"{apart:.1e}")


# ------------------------------------------------------------------- this package's styles and LAMMPS's


PAIRS = {"harmonic": "cosine", "fene": "harmonic"}
TOLD = """
compute b all bond/local dist engpot force
compute a all angle/local theta eng
compute e all pe/atom bond angle
compute s all centroid/stress/atom NULL bond angle
dump b all local 20 b.dump index c_b[*]
dump a all local 20 a.dump index c_a[*]
dump e all custom 20 e.dump id c_e c_s[*]
dump_modify b format float %.17g
dump_modify a format float %.17g
dump_modify e sort id format float %.17g
thermo_style custom step temp pe ebond eangle press pxy
thermo_modify format float %.17g
"""


def numbers(text):
    return np.array([float(word) for line in text.splitlines() for word in line.split() if re.fullmatch(r"-?[\d.]+(e[+-]?\d+)?", word)])


@pytest.mark.parametrize("bond", PAIRS)
def test_as_lammps_derivatives_of(lammps, bond):
    found = []
    for suffix in ("", "/gpu"):
        row = {"bond": bond + suffix, "angle": PAIRS[bond] + suffix, "special": "0 1 1"}
        lammps.write("m.data", DATA)
        text = re.sub(r"pair_style .*", "pair_style zero 1.0", text_of(row, "verlet", RULES["check yes"])).replace("pair_coeff * * 25.0 4.5", "pair_coeff * *")
        text = text.replace("run 60", "compute m all born/matrix bond angle\nthermo_style custom step c_m[*]\nrun 0")
        found.append(np.array([list(line.values()) for line in lammps.run(text.split("run 37")[0]).thermo], dtype=float))
    require(found[0].shape[1] == 22 and np.max(np.abs(found[0][0, 1:])) > 1.0 and
            np.all(np.abs(found[1] - found[0]) <= 1e-9 * np.max(np.abs(found[0]))), f"{found[1]}\n    instead of\n    {found[0]}")


@pytest.mark.parametrize("newton", ("on", "off"))
@pytest.mark.parametrize("bond", PAIRS)
def test_as_lammps(lammps, bond, newton):
    """The same bits but for the arc cosine, of which a last unit may differ: then two steps are compared."""
    angle, files = PAIRS[bond], []
    exact = angle == "cosine"
    for suffix in ("", "/gpu"):
        row = {"bond": bond + suffix, "angle": angle + suffix, "newton": newton, "special": "0 1 1", "more": TOLD,
               "run": "run 60" if exact else "dump_modify d every 2\nrun 2"}
        done = run_with(lammps, row, "verlet", RULES["check yes"])
        texts = [lammps.path(name) for name in ("all.dump", "b.dump", "a.dump", "e.dump")]
        files.append(([open(name).read() for name in texts], done.thermo))
    for own, theirs in zip(files[1][0], files[0][0]):
        if exact:
            require(own == theirs, "files differ")
        own, theirs = numbers(own), numbers(theirs)
        require(own.size == theirs.size > 100 and np.all(np.abs(own - theirs) <= 1e-11 * (1 + np.abs(theirs))),
                "numbers of a file differ")
    own, theirs = (np.array([list(line.values()) for line in thermo], dtype=float) for _, thermo in files[::-1])
    require(own.shape[1] == 7 and np.all(np.abs(own - theirs) <= 1e-10 * np.abs(theirs) + 1e-8), f"{own}\n    instead of\n    {theirs}")


def compare_written(lammps, kinds, name_with_suffix, row_of):
    """Restart files, and data files but for the name, are LAMMPS's own, whichever style has written them; either style reads them."""
    found = {}
    for suffix in ("off", "on"):
        row = row_of(run=f"write_data {suffix}.data\nwrite_restart {suffix}.restart", first="suffix exact/gpu" if suffix == "on" else "")
        run_with(lammps, row, "verlet", RULES["check yes"])
        found[suffix] = re.findall(rf"((?:{kinds}) Coeffs # \S+)\n\n(.*?)\n\n", open(lammps.path(suffix + ".data")).read(), re.S)
    require(len(found["on"]) == 2 and found["on"] == [(name_with_suffix(name), values) for name, values in found["off"]],
            f"{found['on']} instead of {found['off']}")
    forces = []
    for written, read in (("off", "off"), ("on", "off"), ("off", "on"), ("on", "on")):
        lammps.run(f"{'suffix exact/gpu' if read == 'on' else ''}\nread_restart {written}.restart\nfix 1 all nve\n"
                   f"run 0\nwrite_dump all custom f.dump {STATE} {DIGITS}")
        forces.append(lammps.dump("f.dump").f)
    apart = max(np.max(np.abs(f - forces[0])) for f in forces)
    require(apart <= 1e-12 * np.max(np.abs(forces[0])), f"forces differ by {apart:.3g}")


@pytest.mark.parametrize("bond", PAIRS)
def test_files(lammps, bond):
    compare_written(lammps, "Bond|Angle", lambda name: name + "/exact/gpu",
                    lambda **more: {"bond": bond, "angle": PAIRS[bond], "special": "0 1 1", **more})


# With suffix on, an unchanged input takes this package's styles, and nothing of it is left to LAMMPS
@pytest.mark.parametrize("bond", PAIRS)
def test_suffix(lammps, bond):
    row = {"bond": bond, "angle": PAIRS[bond], "special": "1 1 1", "first": "suffix exact/gpu"}
    require_told(run_with(lammps, row, "verlet/gpu", RULES["check yes"]), row)


REFUSED = {
    "too few numbers": ("bond_coeff 1 30 1.5 1.0", "Bond style fene/gpu: bond_coeff has 4 values, allowed are 5: a type, k, r0, epsilon, sigma"),
    "too many numbers": ("angle_coeff 1 3 120 7", "Angle style harmonic/gpu: angle_coeff has 4 values, allowed are 3: a type, k, theta0"),
    "no number": ("bond_coeff 1 30 x 1.0 0.6", "Expected floating point parameter instead of 'x'"),
    "nan": ("angle_coeff 1 nan 120", "Expected floating point parameter instead of 'nan'"),
    "infinite": ("bond_coeff 1 1e999 1.5 1.0 0.6", "1e999"),
    "a type that does not exist": ("bond_coeff 3 30 1.5 1.0 0.6", "Numeric index 3 is out of bounds (1-2)"),
    "not all types": ("bond_coeff 1 30 1.5 1.0 0.6\nangle_coeff * 3 120", "All bond coeffs are not set"),
    "no coefficients": ("angle_coeff * 3 120", "Bond coeffs are not set"),
}


@pytest.mark.parametrize("commands, words", REFUSED.values(), ids=REFUSED)
def test_refused(lammps, commands, words):
    row = {"bond": "fene/gpu", "angle": "harmonic/gpu", "coefficients": commands, "run": "run 1"}
    lammps.write("m.data", DATA)
    lammps.require_refused(words, lambda run_style: text_of(row, run_style, RULES["check yes"]), ONE_RUN)


# ------------------------------------------------------------------------------------------- output


FLOAT = "thermo_modify format float %.17g"    # thermo_style forgets it
ENERGIES = f"""
compute stress all stress/atom NULL
compute centroid all centroid/stress/atom NULL bond angle
compute energy all pe/atom bond angle
compute sum all reduce sum c_energy
compute bonds all bond/local dist engpot force
compute pairs all property/local batom1 batom2 btype
compute angles all angle/local theta eng
compute bonded all pe bond angle
compute pressed all pressure NULL bond angle
compute only all pressure NULL angle
fix mean all ave/time 3 2 12 c_thermo_pe c_bonded c_pressed[1] c_only file mean.ave
fix atoms all ave/atom 2 3 26 c_stress[1] c_energy
dump e all custom 26 e.dump id c_stress[*] c_energy c_centroid[*] f_atoms[*]
dump_modify e sort id format float %.17g
dump l all local 17 l.dump index c_bonds[*] c_pairs[*]
dump_modify l format float %.17g
dump a all local 19 a.dump index c_angles[*]
dump_modify a format float %.17g
restart 23 a.restart b.restart
thermo_style custom step temp pe ebond eangle emol press pxy c_bonded c_pressed c_sum
{FLOAT}
thermo 11
"""


@pytest.mark.parametrize("row, rule", cases({
    "of all kinds": {"more": ENERGIES},
    "of all kinds, newton off, fene": {"more": ENERGIES, "newton": "off", "bond": "fene/gpu", "rule": "check no"},
    "pressure alone": {"more": f"thermo_style custom step press pyz\n{FLOAT}\nthermo 3"},
    "energies alone": {"more": f"thermo_style custom step ebond eangle\n{FLOAT}\nthermo 5"},
    "none but at the end": {"more": "thermo 0\nundump d"},
    "each step": {"more": "thermo 1\ndump_modify d every 1", "run": "run 30"},
    "of unwrapped places": {"more": "dump u all custom 9 u.dump id xu yu zu ix iy iz\ndump_modify u sort id format float %.17g"},
}))
def test_output(lammps, row, rule):
    compare(lammps, row, rule)


# ---------------------------------------------------------------------------- tilted boxes, and boxes that change


TILTED = "\nchange_box all triclinic\nchange_box all xy final 1.1 xz final -0.7 yz final 1.3 remap"
SHEAR = "fix 4 all deform/gpu 1 xy erate 0.6 remap v"
STRETCH = "fix 4 all deform/gpu 3 x erate -0.05 y erate 0.05 remap v"
MIXED = "fix 4 all deform/gpu 1 xz erate 0.5 yz erate -0.6 z erate 0.01 remap v"
SEES = "dump_modify d every 1\ncompute r all rdf 20\nfix r all ave/time 7 1 7 c_r[*] mode vector file r.ave"


@pytest.mark.parametrize("row, rule", cases({
    "tilted": {"read": TILTED},
    "tilted, not by much": {"read": "\nchange_box all triclinic"},
    "tilted, every 5 steps": {"read": TILTED, "rule": "check no", "precision": "double"},
    "tilted, newton off": {"read": TILTED, "newton": "off", "bond": "fene/gpu"},
    "tilted, newton of bonds off": {"read": TILTED, "newton": "on off", "rule": "check no"},
    "tilted, rebuilds in each step": {"read": TILTED, "rule": "every 1 delay 0 check no"},
    "tilted, rebuilds in each step, newton off": {"read": TILTED, "rule": "every 1 delay 0 check no", "newton": "off"},
    "tilted, sorted with each list": {"read": TILTED, "more": "atom_modify sort 1 0.0"},
    "tilted, not sorted": {"read": TILTED, "more": "atom_modify sort 0 0.0\ndump_modify d every 1"},
    "tilted, seen in each step": {"read": TILTED, "more": "dump_modify d every 1\nthermo 1"},
    "tilted, ghosts seen in each rebuild": {"read": TILTED, "rule": "every 7 delay 0 check no", "more": SEES},
    "tilted, of all kinds": {"read": TILTED, "more": ENERGIES, "rule": "check no"},
    "tilted, of all kinds, newton off": {"read": TILTED, "more": ENERGIES, "newton": "off"},
    "tilted, LAMMPS moves": {"read": TILTED, "move": "fix 1 all nve/limit 0.1"},
    "tilted, a wall": {"read": TILTED.replace(" xz final -0.7 yz final 1.3", ""),
                       "more": "change_box all boundary p p f\nfix wall all wall/reflect zlo EDGE zhi EDGE"},
    "tilted, no set-up": {"read": TILTED, "run": "run 13\nrun 1 pre no\nrun 30 pre no"},
    "tilted, wider ghosts": {"read": TILTED, "first": "comm_modify cutoff 1.9"},
    "stretched, fene": {"more": STRETCH, "bond": "fene/gpu"},
}))
def test_boxes(lammps, row, rule):
    compare(lammps, row, rule)


# LAMMPS warns of bonds that may be longer than its ghosts reach in each rebuild of lists in a box that changes: these are short
SHORT = "bond_coeff 1 30 0.4\nbond_coeff 2 50 0.44\nangle_coeff 1 3\nangle_coeff 2 5"


@pytest.mark.parametrize("row, rule", cases({name: {"coefficients": SHORT, **row} for name, row in {
    "sheared": {"more": SHEAR, "read": TILTED},
    "sheared, every 5 steps, newton off": {"more": SHEAR, "read": TILTED, "rule": "check no", "newton": "off"},
    "sheared, rebuilds in each step": {"more": SHEAR, "read": TILTED, "rule": "every 1 delay 0 check no"},
    "sheared, the box flips": {"more": SHEAR.replace("0.6", "2.9"), "read": TILTED},
    "sheared, of all kinds": {"more": ENERGIES + SHEAR, "read": TILTED},
    "sheared, ghosts seen in each rebuild": {"read": TILTED, "rule": "every 7 delay 0 check no", "more": SHEAR + "\n" + SEES},
    "sheared, no set-up": {"more": SHEAR, "read": TILTED, "run": "run 13\nrun 1 pre no\nrun 30 pre no"},
    "sheared, and it wiggles": {"more": "fix 4 all deform/gpu 1 xy wiggle 0.4 0.3 yz wiggle 0.2 0.2 remap v", "read": TILTED},
    "stretched": {"more": STRETCH},
    "stretched, atoms go along": {"more": STRETCH.replace("remap v", "remap x"), "run": "run 60"},
    "sheared, atoms go along, the box flips": {"more": SHEAR.replace("0.6", "2.9").replace("remap v", "remap x"), "read": TILTED},
    "tilted and stretched, no atoms go along": {"more": MIXED.replace("remap v", "remap none"), "read": TILTED},
    "stretched, of all kinds, newton off": {"more": ENERGIES + STRETCH, "newton": "off", "rule": "check no"},
    "stretched, sorted with each list": {"more": STRETCH + "\natom_modify sort 1 0.0"},
    "tilted and stretched": {"more": MIXED, "read": TILTED},
    "tilted and stretched, every 5 steps, newton off": {"more": MIXED, "read": TILTED, "newton": "off", "rule": "check no"},
    "stretched until ghosts are too wide": {"more": "fix 4 all deform/gpu 1 x final 0 2.5 remap v\ntimestep 0.002", "run": "run 60", "lost": True},
}.items()}))
def test_boxes_of_short_bonds(lammps, row, rule):
    compare(lammps, row, rule)


# ------------------------------------------------------------------------- barostats, two dimensions, biased temperatures


WEAK = "bond_coeff 1 30 1.5 1.0 0.6\nbond_coeff 2 2 1.25 0.2 0.4\nangle_coeff * 3"
LATE = WEAK.replace("2 2 1.25", "2 4 1.4")    # some steps after those in which LAMMPS takes part
# ghosts reach as far as bonds of neighboring ranks do
WIDE = "comm_modify cutoff 2.4"
ISO = "fix 1 all npt/exact/gpu temp 1 1 0.5 iso 24 24 1.0"
BERENDSEN = "fix 1 all nve\nfix 2 all press/berendsen/gpu x 20 20 2 y 25 25 2 z 30 30 2 modulus 100"


@pytest.mark.tree("too long")
@pytest.mark.parametrize("row, rule", cases({name: {"run": "run 31\nrun 30", "coefficients": SHORT, **row} for name, row in {
    "npt": {"move": ISO},
    "npt, newton off, every 5 steps": {"move": ISO, "newton": "off", "rule": "check no"},
    "npt, fene/gpu, harmonic/gpu": {"move": ISO, "bond": "fene/gpu", "angle": "harmonic/gpu", "special": "0 1 1",
                                    "coefficients": "bond_coeff * 25.0 2.0 0.7 0.5\nangle_coeff * 3.0 150.0"},
    "npt, edges apart, output in each step": {"move": ISO.replace("iso", "aniso"), "more": "thermo 1\ndump_modify d every 1"},
    "npt, of all kinds": {"move": ISO, "more": ENERGIES},
    "npt, sorted with each list": {"move": ISO, "more": "atom_modify sort 1 0.0"},
    "npt, a fix of LAMMPS's in each step": {"move": ISO, "more": "fix 2 all langevin 1.0 1.0 2.0 991"},
    "npt, momentum": {"move": ISO, "more": "fix 2 two momentum/gpu 4 linear 1 1 1"},
    "npt, a temperature of other atoms": {"move": ISO, "more": "compute of_two two temp/exact/gpu\nfix_modify 1 temp of_two"},
    "npt in parts of a run": {"move": ISO, "run": "run 20\nrun 11 pre no\nbond_coeff 1 40 0.6\nrun 21"},
    "nph": {"move": "fix 1 all nph/exact/gpu x 20 20 1 y 24 24 1 z 28 28 1"},
    "npt, tilted": {"read": TILTED, "move": ISO.replace("iso 24 24 1.0", "iso 24 24 1.0 scalexy no scalexz no scaleyz no flip no")},
    "nph, a tilt": {"read": TILTED, "move": "fix 1 all nph/exact/gpu xy 1 1 1 scalexy no flip no"},
    "press/berendsen": {"move": BERENDSEN},
    "press/berendsen, rebuilds in each step": {"move": BERENDSEN, "rule": "every 1 delay 0 check no", "newton": "off"},
    "bonds that become too long": {"move": ISO, "bond": "fene/gpu", "coefficients": LATE, "lost": True, "run": "run 97"},
    "2 ranks": {"move": ISO, "ranks": 2, "first": WIDE},
    "4 ranks, newton off": {"move": ISO, "ranks": 4, "first": WIDE, "newton": "off"},
    "2 ranks, press/berendsen": {"move": BERENDSEN, "ranks": 2, "first": WIDE},
}.items()}))
def test_barostats(lammps, row, rule):
    compare(lammps, row, rule)


FLAT_DATA = re.sub(r"^(\d+ \d+ \d \S+ \S+) \S+$", r"\1 0.0", DATA, flags=re.M).replace(f"0 {EDGES[2]} zlo zhi", "-0.3 0.3 zlo zhi")
FLAT = {"data": FLAT_DATA, "first": "dimension 2", "more": "timestep 0.002"}


@pytest.mark.parametrize("row, rule", cases({name: {**FLAT, **row} for name, row in {
    "harmonic, cosine": {},
    "fene/gpu, newton off": {"bond": "fene/gpu", "newton": "off", "rule": "check no", "coefficients": "bond_coeff * 30 2.5 1e-6 0.3\nangle_coeff * 1"},
    "tilted": {"read": "\nchange_box all triclinic\nchange_box all xy final 1.1 remap"},
    "npt": {"move": "fix 1 all npt/exact/gpu temp 1 1 0.5 iso 500 500 1.0", "coefficients": SHORT},
    "sorted with each list": {"more": "timestep 0.002\natom_modify sort 1 0.0"},
    "2 ranks": {"ranks": 2, "first": "dimension 2\n" + WIDE},
}.items()}))
def test_two_dimensions(lammps, row, rule):
    compare(lammps, row, rule)


BIAS = "compute t all temp/partial/exact/gpu 1 0 1\n"


@pytest.mark.parametrize("row, rule", cases({
    "langevin": {"more": BIAS + "fix 2 all langevin/gpu 1.0 1.0 2.0 991\nfix_modify 2 temp t"},
    "temp/rescale": {"more": BIAS + "fix 2 all temp/rescale/gpu 5 1.0 1.5 0.01 0.8\nfix_modify 2 temp t", "newton": "off"},
    "of the output": {"more": BIAS + f"thermo_modify temp t\n{FLOAT}"},
    "of a flow": {"read": TILTED, "coefficients": SHORT, "more": SHEAR + "\ncompute t all temp/deform/exact/gpu\nfix 2 all langevin/gpu 1.0 1.0 2.0 991\nfix_modify 2 temp t"},
}))
def test_biased_temperatures(lammps, row, rule):
    compare(lammps, row, rule)


# --------------------------------------------------------------------------------------- between runs


BETWEEN = {
    "runs of no steps": "run 0\nrun 0 pre no\nrun 13\nrun 0 pre no",
    "no set-up": "run 13 pre no post no\nrun 1 pre no\nrun 1 pre no\nrun 13 pre no",
    "bond_coeff": "bond_coeff 1 40 0.6\nangle_coeff 2 1\nrun 13\nbond_coeff 2 20 0.4",
    "bond_coeff, and the next run has no set-up": "bond_coeff 1 40 0.6\nangle_coeff 2 1\nrun 13 pre no",
    "bond_coeff in parts of a run": "run 30 every 10 \"bond_coeff 1 $(20+step/10) 0.5\"\nrun 30 pre no every 7 \"angle_coeff 1 $(step/10)\"",
    "bond_style": "bond_style fene/gpu\nbond_coeff * 30 2.5 1.0 0.3\nrun 13\nangle_style none\nrun 13\nangle_style cosine\nangle_coeff * 2",
    "set bond": "set atom 1*200 bond 2\nset atom 1*300 angle 1",
    "set bond, and the next run has no set-up": "set atom * bond 2\nset atom * angle 1\nrun 60 pre no",
    "delete_bonds": "delete_bonds one bond 1\nrun 13\ndelete_bonds two angle 1 remove special\nrun 13\ndelete_bonds one bond 1 undo",
    "delete_bonds, and the next run has no set-up": "delete_bonds all bond 1 any\nrun 40 pre no",
    "create_bonds": "create_bonds single/bond 2 1 5\ncreate_bonds single/angle 1 1 5 9 special no",
    "molecules that go": "delete_atoms group one mol yes compress no\nrun 13\nreset_atoms id sort yes",
    "velocities, displacements": "velocity all scale 0.8\nrun 13 pre no\ndisplace_atoms all move 0.3 5.1 -0.2\nrun 13\nset group all image 1 0 -1",
    "the order of atoms": "atom_modify sort 5 0.5\nrun 13 pre no\natom_modify sort 0 0.0",
    "restart into either style": "write_restart a.restart\nundump d\nclear\nread_restart a.restart\nrun_style verlet\nfix 1 all nve\nrun 13\n"
                                 "write_restart b.restart\nclear\nread_restart b.restart\nrun_style RUN_STYLE\nfix 1 all nve\nthermo 7\n"
                                 f"thermo_style custom step temp pe ebond eangle press\n{FLOAT}",
    "run_style": "run_style verlet\nrun 13\nrun_style RUN_STYLE",
    "minimize": "minimize 0 0 7 100\nrun 13\nmin_style fire\nminimize 0 0 5 50",
    "change_box": "change_box all x final 0 5.3 y scale 1.05 remap\nrun 13\nchange_box all z scale 1.01 remap",
    "newton": "undump d\nwrite_restart a.restart\nclear\nnewton off\nread_restart a.restart\nrun_style RUN_STYLE\nfix 1 all nve\nthermo 7\n"
              f"thermo_style custom step temp pe ebond eangle press\n{FLOAT}",
    "special_bonds": "special_bonds lj 0 0 0.5\nrun 13\nspecial_bonds lj 1 1 1",
    "timestep, neigh_modify": "timestep 0.003\nrun 13 pre no\nneigh_modify every 3 delay 6 check yes\nrun 13\nneighbor 0.4 bin\nneigh_modify once yes",
    "skin, and the next run has no set-up": "neighbor 0.5 bin\nrun 33 pre no",
    "out of time": "timer timeout 0.00001\nrun 40\ntimer timeout off",
    "replicate": "unfix DPD_GPU_STATE\nundump d\nreplicate 1 2 1",
}


@pytest.mark.parametrize("row, rule", cases({name: {"run": f"run 25\n{commands}\nrun 21"} for name, commands in BETWEEN.items()}))
def test_between_runs(lammps, row, rule):
    compare(lammps, row, rule)


# Lists that stay as they are. LAMMPS looks for images and for bonds where it rebuilds its lists, and not where a run begins
NEVER = {"rule": "every 1000 delay 0 check no", "angle": "none", "more": "dump_modify d every 1\ntimestep 0.001"}
ACROSS = {**NEVER, "more": NEVER["more"] + "\nset atom * vx 0.0 vy 0.0 vz 0.0\nset atom 2 vx 2.0",
          "coefficients": "bond_coeff * 1.0 1.3"}
KEPT = {"set bond": "set atom * bond 2", "delete_bonds": "delete_bonds all bond 1"}


@pytest.mark.parametrize("row, rule", cases({
    "a bond leaves the reach of ghosts": {**ACROSS, "data": two_atoms(4.995, 1.290), "run": "run 10\nrun 10 pre no"},
    "a bond leaves the reach of ghosts, and coefficients change": {**ACROSS, "data": two_atoms(4.995, 1.290),
                                                                   "run": "run 10\nbond_coeff 1 1.0 1.2\nrun 10 pre no"},
    "a bond leaves the reach of ghosts in the first step": {**ACROSS, "data": two_atoms(4.995, 1.299), "run": "run 10\nrun 10"},
    "a bond comes into the reach of ghosts": {**ACROSS, "data": two_atoms(4.995, 1.31), "run": "run 1\nset atom 2 vx -20.0\nrun 10 pre no"},
}))
def test_lists_of_before(lammps, row, rule):
    compare(lammps, row, rule)


@pytest.mark.parametrize("row, rule", cases({name: {**NEVER, "run": f"run 10\n{command}\nrun 10 pre no\nrun 10", "lost": None} for name, command in KEPT.items()}))
def test_lists_of_before_that_are_kept(lammps, row, rule):
    compare(lammps, row, rule)


@pytest.mark.parametrize("row, rule", cases({"run 0": {"run": "run 0\nrun 13"}, "run 1": {"run": "run 1\nrun 1\nrun 1 pre no\nrun 30 pre no"}}))
def test_first_of_all(lammps, row, rule):
    compare(lammps, row, rule)


# ---------------------------------------------------------------------------------------- in each step

@pytest.mark.parametrize("row, rule", cases({
    "fix langevin": {"more": "fix 2 all langevin 1.0 1.0 2.0 991"},
    "fix momentum": {"more": "fix 2 all momentum 7 linear 1 1 1", "newton": "off"},
    "fix setforce": {"more": "fix 2 one setforce NULL 0.0 NULL"},
    "fix store/force, which reads pair forces and bonds": {"more": "fix 2 all store/force\ndump_modify d every 5\ndump s all custom 7 s.dump id f_2[*]\n"
                                                           "dump_modify s sort id format float %.17g"},
    "fix ave/atom of energies in each step": {"more": "compute e all pe/atom bond\nfix 2 all ave/atom 1 7 7 c_e", "run": "run 30"},
    "dynamic groups": {"more": "variable hot atom 'vx > 0.3'\ngroup hot dynamic all var hot every 7\ncompute hot hot temp\n"
                               f"thermo_style custom step temp c_hot pe\n{FLOAT}"},
    "coefficients of bonds by fix adapt, in each step": {"more": "variable k equal 30+step/2\nfix 2 all adapt 1 bond harmonic k 1 v_k"},
    "coefficients of bonds by fix adapt": {"more": "variable k equal 30+step/2\nfix 2 all adapt 5 bond harmonic k 1 v_k"},
    "coefficients of this package's bonds by fix adapt": {"bond": "harmonic/gpu", "angle": "harmonic/gpu", "more":
        "variable k equal 30+step/2\nfix 2 all adapt 11 bond harmonic/gpu k 1 v_k\nfix 3 all adapt 0 angle harmonic/gpu k 1 v_k"},
    "fix halt": {"more": "variable t equal step\nfix h all halt 5 v_t > 40 error continue"},
}))
def test_in_a_run(lammps, row, rule):
    compare(lammps, row, rule)


# ------------------------------------------------------------------------- bonds that are left to LAMMPS

@pytest.mark.parametrize("row, rule", cases({
    "LAMMPS's fene": {"bond": "fene", "special": "0 1 1", "says": "bond style fene is LAMMPS's; fene/exact/gpu would be resident"},
    "another bond style": {"bond": "morse", "coefficients": "bond_coeff * 10 2 0.5\nangle_coeff * 3", "says": "bond style morse is LAMMPS's"},
    "hybrid": {"bond": "hybrid harmonic fene", "coefficients": "bond_coeff 1 harmonic 30 0.5\nbond_coeff 2 fene 30 2.0 1.0 0.5\nangle_coeff * 3",
               "says": "bond style hybrid is LAMMPS's"},
    "another angle style": {"angle": "cosine/squared", "coefficients": "bond_coeff * 30 0.5\nangle_coeff * 3 120",
                            "says": "angle style cosine/squared is LAMMPS's"},
    "a dihedral style": {"atom_style": "molecular", "read": "extra/dihedral/types 1 extra/dihedral/per/atom 4",
                         "first": "dihedral_style none", "more": "dihedral_style helix\ndihedral_coeff 1 1.0 1.0 2.0\ncreate_bonds single/dihedral 1 1 5 9 12",
                         "says": "dihedral style helix is LAMMPS's"},
    "tiled": {"first": "comm_style tiled", "says": "the communication style is tiled"},
    "ghosts by type": {"more": "neighbor 0.3 multi\ncomm_modify mode multi\npair_coeff 3 3 25 4.5 0.5", "says": "ghost cutoffs depend on types"},
    "a narrow box": {"first": "comm_modify cutoff 2.6", "says": "the box is narrower than two ghost cutoffs"},
    "a narrow tilted box": {"first": "comm_modify cutoff 2.3", "read": "\nchange_box all triclinic\nchange_box all xy final 2.5 yz final 2.7 remap",
                            "says": "the box is narrower than two ghost cutoffs"},
}))
def test_by_lammps(lammps, row, rule):
    compare(lammps, row, rule)


# Where LAMMPS rebuilds lists, for another reason that the table tells
@pytest.mark.parametrize("row, rule", cases({name: {**row, "says": ""} for name, row in {
    "bonds that break": {"more": "fix 2 all bond/break 7 1 0.9"},
    "deformation": {"more": "fix 4 all deform 1 x erate 0.02 remap x"},
}.items()}))
def test_by_lammps_as_lists_are(lammps, row, rule):
    compare(lammps, row, rule)


# ---------------------------------------------------------------------------------- bonds that are too long


PLAIN_OUTPUT = "thermo_style custom step temp pe ebond press\nthermo 1"
WARNED = {"shows": lambda done: len([w for w in warnings(done) if "FENE bond too long" in w]) > 1}


@pytest.mark.tree
@pytest.mark.parametrize("row, rule", cases({
    name: {"bond": "fene/gpu", "coefficients": WEAK, "lost": True, **WARNED, **row} for name, row in {
        "check yes": {},
        "check no, newton off": {"rule": "check no", "newton": "off"},
        "thermo each step": {"more": "thermo 1"},
        "energies of atoms each step": {"more": "compute e all pe/atom\nfix 2 all ave/atom 1 5 5 c_e",
                                        "lost": False},    # LAMMPS makes all bonds
        "no set-up in between": {"run": "run 10\nrun 10 pre no\nrun 10 pre no\nrun 30 pre no"},
        "with gravity": {"more": "fix g all gravity 0.3 vector 1 0 0"},
        "not sorted": {"more": "atom_modify sort 0 0.0"},
        "beside the output": {"more": PLAIN_OUTPUT, "coefficients": LATE},
        "beside the output, with a fix at the end of steps": {
            "more": PLAIN_OUTPUT.replace("thermo 1", "thermo 7") + "\nfix m all momentum/exact/gpu 1 linear 1 1 1 rescale",
            "coefficients": LATE},
        "beside the output, restart files": {"more": PLAIN_OUTPUT + "\nrestart 13 part.*.restart", "coefficients": LATE},
        "beside dumps": {"more": "dump p all atom 20 p.dump\nrestart 25 part.*.restart", "coefficients": LATE},
    }.items()}))
def test_too_long(lammps, row, rule):
    compare(lammps, row, rule)


# ---------------------------------------------------------------------------------------------- several ranks

@pytest.mark.parametrize("row, rule", cases({name: {"first": WIDE, **row} for name, row in {
    "2": {"ranks": 2},
    "3, newton off": {"ranks": 3, "newton": "off"},
    "4, fene, harmonic/gpu": {"ranks": 4, "bond": "fene/gpu", "angle": "harmonic/gpu", "special": "0 1 1", "coefficients":
                              "bond_coeff * 25.0 2.0 0.7 0.5\nangle_coeff * 3.0 150.0"},
    "4, newton of pairs off, every 5 steps": {"ranks": 4, "newton": "off on", "rule": "check no"},
    "2, newton of bonds off": {"ranks": 2, "newton": "on off"},
    "2, each step": {"ranks": 2, "more": "thermo 1\ndump_modify d every 1", "run": "run 30"},
    "2, rebuilds in each step": {"ranks": 2, "rule": "every 1 delay 0 check no"},
    "2, of all kinds": {"ranks": 2, "more": ENERGIES},
    "4, of all kinds, newton off": {"ranks": 4, "more": ENERGIES, "newton": "off"},
    "2, no bonds": {"ranks": 2, "bond": "none"},
    "3, no angles, newton off": {"ranks": 3, "angle": "none", "newton": "off"},
    "2, no set-up": {"ranks": 2, "run": "run 13\nrun 1 pre no\nrun 30 pre no"},
    "2, coefficients change without a set-up": {"ranks": 2, "run": "run 13\nbond_coeff 1 40 0.6\nangle_coeff 2 1\nrun 30 pre no\nbond_coeff 2 40 0.6\nrun 13"},
    "2, bonds change without a set-up": {"ranks": 2, "run": "run 13\nset atom * bond 2\nset atom 1*300 angle 1\nrun 60 pre no"},
    "2, delete_bonds": {"ranks": 2, "run": "run 13\ndelete_bonds all bond 1 any\nrun 40"},
    "2, molecules that go": {"ranks": 2, "run": "run 13\ndelete_atoms group one mol yes compress no\nrun 13\nreset_atoms id sort yes\nrun 13"},
    "2, restart": {"ranks": 2, "run": "run 20\n" + BETWEEN["restart into either style"] + "\nrun 20"},
    "2, declared fixes": {"ranks": 2, "more": "fix g all gravity/exact/gpu 0.3 vector 1 -2 0.5\nfix m all momentum/exact/gpu 7 linear 1 1 1"},
    "2, fixes of LAMMPS": {"ranks": 2, "more": "fix 2 all langevin 1.0 1.0 2.0 991\nfix 3 all momentum 7 linear 1 1 1"},
    "4, fixes of LAMMPS, newton off": {"ranks": 4, "newton": "off", "more": "fix 2 all langevin 1.0 1.0 2.0 991\nfix g all gravity 0.3 vector 1 -2 0.5"},
    "2, tiled": {"ranks": 2, "first": "comm_style tiled\n" + WIDE, "more": "balance 1.0 rcb"},
    "4, a rank without molecules": {"ranks": 4, "more": "region corner block 2.5 INF 2.7 INF INF INF\ndelete_atoms region corner mol yes"},
    "2, ghost velocities": {"ranks": 2, "first": "comm_modify vel yes cutoff 2.4"},
    "2, sorted with each list": {"ranks": 2, "more": "atom_modify sort 1 0.0"},
    "4, tilted": {"ranks": 4, "read": TILTED},
    "2, tilted, newton off": {"ranks": 2, "read": TILTED, "newton": "off", "rule": "check no"},
    "2, sheared": {"ranks": 2, "read": TILTED, "more": SHEAR, "coefficients": SHORT},
    "4, sheared, newton off": {"ranks": 4, "read": TILTED, "more": SHEAR, "newton": "off", "coefficients": SHORT},
    "2, stretched": {"ranks": 2, "more": STRETCH, "coefficients": SHORT},
    "2, the box flips": {"ranks": 2, "read": TILTED, "more": SHEAR.replace("0.6", "2.9"), "coefficients": SHORT},
}.items()}))
def test_ranks(lammps, row, rule):
    compare(lammps, row, rule)


@pytest.mark.tree
@pytest.mark.parametrize("row, rule", cases({
    "2": {"ranks": 2, "first": WIDE, "bond": "fene/gpu", "coefficients": WEAK, "lost": True, "run": "run 30", **WARNED},
    "3, newton off": {"ranks": 3, "first": WIDE, "bond": "fene/gpu", "coefficients": WEAK, "lost": True, "run": "run 30", "newton": "off", **WARNED},
}))
def test_ranks_too_long(lammps, row, rule):
    compare(lammps, row, rule)


@pytest.mark.parametrize("row, rule", cases({name: {"ranks": 2, "says": "", "first": WIDE, **row} for name, row in {
    "coefficients by fix adapt": {"more": "variable k equal 30+step/2\nfix 2 all adapt 5 bond harmonic k 1 v_k"},
    "bonds that break": {"more": "fix 2 all bond/break 7 1 0.9"},
    "deformation": {"more": "fix 4 all deform 1 x erate 0.02 remap x"},
    "balanced": {"first": "comm_style tiled\n" + WIDE, "more": "fix b all balance 20 1.0 rcb"},
}.items()}))
def test_ranks_by_lammps(lammps, row, rule):
    compare(lammps, row, rule)


STOPS = {
    "a bad bond of LAMMPS's fene": ({"bond": "fene", "coefficients": WEAK.replace("2 2 1.25", "2 0.01 0.7"), "run": "run 500"}, "Bad FENE bond"),
    "a bad bond": ({"bond": "fene/gpu", "coefficients": WEAK.replace("2 2 1.25", "2 0.01 0.7"), "run": "run 500"}, "Bad FENE bond"),
    "a bond whose atom is lost": ({"more": "change_box all boundary p p f\nthermo_modify lost ignore", "run": "run 500"}, "missing"),
}


@pytest.mark.parametrize("row, words", STOPS.values(), ids=STOPS)
def test_stops(lammps, row, words):
    texts = []
    for run_style in ("verlet", "verlet/gpu"):
        done = run_with(lammps, row, run_style, RULES["check yes"], ok=False)
        require(done.status and done.errors, f"{run_style} did not stop:\n{done.tail()}")
        texts.append((done.errors[0], warnings(done)))
    require(texts[0] == texts[1], f"{texts[1]}\n    instead of\n    {texts[0]}")
    require(words in texts[0][0], texts[0][0])


# ------------------------------------------------------------------------------------- constant forces


G = "fix g all gravity 0.3 vector 1 -2 0.5"
SUMS = f"thermo_style custom step temp pe press f_g f_g[1]\n{FLOAT}"
GRAVITY = {"more": G}
VARIABLE = "variable a equal 0.01*step\nvariable c equal 0.3\nvariable x atom 0.1*x\n"
REGIONS = "region in block INF INF INF INF 0 3\nregion out sphere 2.5 2.5 2.5 2.0 side out\nregion no block 90 91 INF INF INF INF\n"


@pytest.mark.tree("gravity")
@pytest.mark.parametrize("row, rule", cases({
    "gravity": GRAVITY,
    "gravity, every 5 steps, newton off": {**GRAVITY, "newton": "off", "rule": "check no", "precision": "double"},
    "gravity, chute": {"more": "fix g all gravity 0.3 chute 24"},
    "gravity, spherical": {"more": "fix g one gravity 0.3 spherical 30 70"},
    "gravity, a mass of each atom": {"more": G + "\nfix mass all property/atom rmass ghost yes\nset type 1 mass 1.0\nset type 2 mass 1.7\nset type 3 mass 0.7"},
    "gravity, and no bonds": {"bond": "none", "angle": "none", "more": G, "tables": 0},
    "gravity, off": {"more": G + "\nfix g all gravity 0.3 vector 1 0 0 disable"},
    "gravity, of a variable": {"more": VARIABLE + "fix g all gravity v_a vector 1 0 0"},
    "gravity, of a variable that is constant": {"more": VARIABLE + "fix g all gravity v_c vector 1 0 0"},
    "gravity, before fix nve": {"move": G + "\nfix 1 all nve"},
    "gravity, thermo each step": {"more": G + "\nthermo 1"},
    "gravity, nothing moves": {"move": "fix t all ave/time 10 1 10 c_thermo_temp file time.ave", "more": G},
    "gravity, LAMMPS moves": {"move": "fix 1 all nve/limit 0.1", "more": G},
    "addforce": {"more": "fix g two addforce 0.3 0.0 -0.7"},
    "addforce, none": {"more": "fix g two addforce 0.0 0.0 0.0"},
    "addforce, every 2": {"more": "fix g two addforce 0.3 0.0 -0.7 every 2"},
    "addforce, inside": {"more": REGIONS + "fix g all addforce 0.3 0.0 -0.7 region in"},
    "addforce, outside": {"more": REGIONS + "fix g all addforce 0.3 0.0 -0.7 region out"},
    "addforce, nowhere": {"more": REGIONS + "fix g all addforce 0.3 0.0 -0.7 region no"},
    "addforce, with regions that it has not": {"more": REGIONS.replace(" side out", "") + "fix g all addforce 0.3 0.0 -0.7"},
    "addforce, of variables": {"more": VARIABLE + "fix g all addforce v_a 0.0 v_c"},
    "addforce, of an atom variable": {"more": VARIABLE + "fix g all addforce v_x 0.0 0.1"},
    "addforce, with energy": {"more": VARIABLE + "fix g all addforce v_c 0.0 0.1 energy v_x\nfix_modify g energy yes"},
    "sums in thermo output": {"more": G + "\n" + SUMS.replace(" f_g[1]", "")},
    "sums of addforce in thermo output": {"more": "fix g two addforce 0.3 0.0 -0.7\n" + SUMS},
    "sums in output of another kind": {
        "more": "fix g two addforce 0.3 0.0 -0.7\nvariable f equal f_g[2]\nvariable v vector f_g\nfix a all ave/time 3 2 12 f_g[1] v_f file a.ave\n"
                "fix p all print 13 \"$(f_g:%.17g) $(f_g[3]:%.17g)\" file p.ave screen no\nfix w all vector 5 f_g[1]\n"
                "variable z atom fx-v_f*0.01\ndump z all custom 17 z.dump id v_z\ndump_modify z sort id format float %.17g\n"
                "compute z all reduce sum v_z\nfix b all ave/time 19 1 19 c_z file b.ave"},
    "sums between runs": {"more": "fix g two addforce 0.3 0.0 -0.7",
                          "run": "run 25\nprint \"$(f_g:%.17g) $(f_g[1]:%.17g)\" append x.ave\nrun 13 pre no\nprint \"$(f_g:%.17g) $(f_g[2]:%.17g)\" append x.ave\n"
                                 "run 30 pre no every 7 \"print '$(f_g:%.17g) $(f_g[2]:%.17g)' append x.ave\"\n"
                                 "timer timeout 0.00001\nrun 40\nprint \"$(step) $(f_g:%.17g) $(f_g[2]:%.17g)\" append x.ave"},
    "sums under another name": {"more": "fix g two addforce 0.3 0.0 -0.7\nthermo_style custom step temp f_g[1] press\nthermo_modify colname 3 PotEng\n" + FLOAT},
    "energy": {"more": G + "\nfix_modify g energy yes\nfix a all ave/time 3 1 3 c_thermo_pe file a.ave"},
    "energy of addforce": {"more": "fix g two addforce 0.3 0.0 -0.7\nfix_modify g energy yes"},
    "virial of addforce": {"more": "fix g two addforce 0.3 0.0 -0.7\nfix_modify g virial yes"},
    "several": {"move": "fix 1 one nve\nfix 2 two nve",
                "more": G + "\nfix h one addforce 0.1 0.2 0.3\nfix i two addforce -0.1 0.7 0.3\nfix j all gravity 0.1 vector 0 0 1"},
    "several, of which one is none": {"more": VARIABLE + G + "\nfix h one addforce 0.1 v_a 0.3\nfix i two addforce -0.1 0.7 0.3"},
    "nine fixes gravity": {"more": "\n".join(f"fix g{k} all gravity 0.{k + 1} vector 1 {k} 0" for k in range(9))},
    "with fix setforce": {"more": G + "\nfix h one setforce 0.0 NULL NULL"},
    "with fix langevin": {"more": G + "\nfix h one langevin 1 1 2 991"},
    "with a fix in each step": {"more": G + "\nchange_box all boundary p p f\nfix wall all wall/reflect zlo EDGE zhi EDGE"},
    "a group without atoms": {"more": "group empty id 99999\nfix g empty addforce 1 0 0"},
    "a group that changes": {"more": f"variable hot atom 'vx > 0.3'\ngroup hot dynamic all var hot every 7\nfix g hot addforce 0.3 0 0"},
    "fixes that come and go": {"more": G, "run": "run 25\nunfix g\nrun 13\nfix g one addforce 0.3 0.1 0.0\nrun 13\nfix g two addforce 0.7 0.1 0.0\n"
                                                 "run 13 pre no\nunfix g\nrun 13"},
    "minimize in between": {"more": G, "run": "run 25\nminimize 0 0 5 50\nrun 25"},
}))
def test_constant_forces(lammps, row, rule):
    compare(lammps, row, rule)
