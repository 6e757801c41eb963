"""Dihedrals and impropers: run_style verlet/gpu against run_style verlet, to the last bit, as test_resident_bonds does for bonds and
angles; this package's styles against LAMMPS's; their files and errors.

DS_TEST_BACKEND=cuda makes the same checks on the GPU.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import random
import re

import numpy as np
import pytest

from checks import require
from lammps_run import ONE_RUN
import resident_fluid
import test_resident_bonds as bonds
from resident_fluid import RULES
from test_resident_bonds import BEADS, CHAINS, DATA, FLOAT, SHEAR, STRETCH, TILTED, numbers

COEFFICIENTS = {
    "helix": ("2 1 0.5", "1 2 0.3"), "hybrid harmonic opls": ("harmonic 2 1 3", "opls 1 2 3 0.5"), "improper cvff": ("3 1 2", "2 -1 3"),
    "harmonic": ("2.0 1 3", "1.5 -1 2"), "charmm": ("1.2 2 30 0", "2.5 3 -120 0.0"), "opls": ("2 -1 3 0.5", "0.5 4 -1 2"),
    "improper harmonic": ("3 20", "2 140"), "none": (), "improper none": ()}


def torsions():
    """The chains of test_resident_bonds, in which each atom but the last three begins a dihedral, and some an improper."""
    tags, head, draw = chains(), DATA.replace("# angle", "# molecular"), random.Random(7)
    dihedrals, impropers = [], []
    for chain in tags:
        for k in range(BEADS - 3):
            four = chain[k:k + 4] if k % 2 else chain[k:k + 4][::-1]
            dihedrals.append((1 + k % 2, *four))
            if draw.random() < 0.6:
                impropers.append((1 + k % 2, four[1], four[0], four[2], four[3]))
    counts = f"{len(dihedrals)} dihedrals\n{len(impropers)} impropers\n2 dihedral types\n2 improper types\n"
    text = head.replace("3 atom types", counts + "3 atom types")
    for name, terms in (("Dihedrals", dihedrals), ("Impropers", impropers)):
        text += f"\n{name}\n\n" + "".join(f"{k + 1} {' '.join(map(str, term))}\n" for k, term in enumerate(terms))
    return text


def chains():
    """Tags of each chain, in its order: angles of the data file are three beads behind each other."""
    angles = re.search(r"^Angles\n\n(.*)", DATA, re.M | re.S).group(1)
    found = []
    for line in angles.splitlines():
        a, b, c = (int(word) for word in line.split()[2:5])
        if found and found[-1][-2:] == [a, b]:
            found[-1].append(c)
        else:
            found.append([a, b, c])
    require(len(found) == CHAINS and all(len(chain) == BEADS for chain in found), "chains are not found again")
    return found


MOLECULES = torsions()
THERMO = f"thermo_style custom step temp pe ebond eangle edihed eimp emol press pxy\n{FLOAT}"


def lines_of(kind, style):
    found = COEFFICIENTS[(style if kind == "dihedral" else "improper " + style).split("/")[0]]
    return [f"{kind}_coeff {t + 1} {value}" for t, value in enumerate(found)]


def full(row):
    """A row of test_resident_bonds."""
    dihedral, improper = row.get("dihedral", "harmonic/gpu"), row.get("improper", "harmonic/gpu")
    own = (row.get("bonds") or bonds.coefficients_of(row)).splitlines() + lines_of("dihedral", dihedral) + lines_of("improper", improper)
    return {"atom_style": "molecular", "data": MOLECULES, "resident": "  bonds, angles, dihedrals, impropers: resident", **row,
            "first": f"{row.get('first', '')}\ndihedral_style {dihedral}\nimproper_style {improper}",
            "coefficients": "\n".join(own), "more": f"{THERMO}\n{row.get('more', '')}"}


def compare(lammps, row, rule):
    bonds.require_told(resident_fluid.compare(lammps, row, rule, bonds.run_with), row)


def cases(rows, rule="check yes"):
    return [pytest.param(full(row), RULES.get(row.get("rule", rule), row.get("rule", rule)), id=name) for name, row in rows.items()]


@pytest.mark.parametrize("row, rule", cases({
    "harmonic/gpu, harmonic/gpu": {},
    "charmm/gpu": {"dihedral": "charmm/gpu"},
    "charmm/gpu, newton off": {"dihedral": "charmm/gpu", "newton": "off", "rule": "check no"},
    "opls/gpu": {"dihedral": "opls/gpu", "precision": "double"},
    "opls/exact/gpu, harmonic/exact/gpu, newton off": {"dihedral": "opls/exact/gpu", "improper": "harmonic/exact/gpu", "newton": "off"},
    "no impropers": {"improper": "none"},
    "no dihedrals": {"dihedral": "none"},
    "no bonds, no angles": {"bond": "none", "angle": "none", "special": "0 0 0"},
    "fene/gpu, factors": {"bond": "fene/gpu", "special": "0 0.5 0.7", "dihedral": "charmm/gpu"},
    "newton of bonds off": {"newton": "on off", "dihedral": "opls/gpu"},
    "newton of pairs off, rebuilds in each step": {"newton": "off on", "rule": "every 1 delay 0 check no"},
    "sorted with each list": {"more": "atom_modify sort 1 0.0", "dihedral": "opls/gpu"},
    "sorted with each list, newton off": {"more": "atom_modify sort 1 0.0", "newton": "off"},
    "2 threads": {"threads": 2, "dihedral": "charmm/gpu"},
    "wider ghosts": {"first": "comm_modify cutoff 2.3"},
}))
def test_styles(lammps, row, rule):
    compare(lammps, row, rule)


ENERGIES = f"""
compute stress all stress/atom NULL
compute centroid all centroid/stress/atom NULL dihedral improper
compute energy all pe/atom dihedral improper
compute turned all dihedral/local phi
compute bent all improper/local chi
compute torsions all pe dihedral improper
compute pressed all pressure NULL dihedral improper
fix mean all ave/time 3 2 12 c_thermo_pe c_torsions c_pressed[1] c_pressed file mean.ave
dump e all custom 26 e.dump id c_stress[*] c_energy c_centroid[*]
dump_modify e sort id format float %.17g
dump l all local 17 l.dump index c_turned
dump_modify l format float %.17g
dump a all local 19 a.dump index c_bent
dump_modify a format float %.17g
restart 23 a.restart b.restart
thermo_style custom step temp edihed eimp press pxy c_torsions c_pressed
{FLOAT}
thermo 11
"""


@pytest.mark.parametrize("row, rule", cases({
    "of all kinds": {"more": ENERGIES},
    "of all kinds, newton off": {"more": ENERGIES, "newton": "off", "dihedral": "opls/gpu", "rule": "check no"},
    "each step": {"more": "thermo 1\ndump_modify d every 1", "run": "run 30"},
}))
def test_output(lammps, row, rule):
    compare(lammps, row, rule)


# As in test_resident_bonds. The bonds of a dihedral are three
SHORT = "bond_coeff 1 30 0.25\nbond_coeff 2 50 0.3\nangle_coeff 1 3\nangle_coeff 2 5"


@pytest.mark.parametrize("row, rule", cases({
    "tilted": {"read": TILTED, "dihedral": "charmm/gpu"},
    "tilted, rebuilds in each step, newton off": {"read": TILTED, "rule": "every 1 delay 0 check no", "newton": "off"},
    "tilted, of all kinds": {"read": TILTED, "more": ENERGIES},
    "sheared, the box flips": {"bonds": SHORT, "more": SHEAR.replace("0.6", "2.9"), "read": TILTED},
    "sheared, newton off": {"bonds": SHORT, "more": SHEAR, "read": TILTED, "newton": "off", "dihedral": "opls/gpu"},
    "stretched": {"bonds": SHORT, "more": STRETCH},
    "npt": {"bonds": SHORT, "move": "fix 1 all npt/exact/gpu temp 1 1 0.5 iso 24 24 1.0"},
    "npt, newton off": {"bonds": SHORT, "move": "fix 1 all npt/exact/gpu temp 1 1 0.5 aniso 24 24 1.0", "newton": "off", "dihedral": "opls/gpu"},
}))
def test_boxes(lammps, row, rule):
    compare(lammps, row, rule)


BETWEEN = {
    "coefficients": "dihedral_coeff 1 0.5 1 4\nimproper_coeff 2 1 70\nrun 13\ndihedral_coeff 2 0.7 -1 1\nrun 13 pre no",
    "styles": "dihedral_style opls/gpu\ndihedral_coeff * 1 2 3 4\nrun 13\nimproper_style none\nrun 13",
    "delete_bonds": "delete_bonds one dihedral 1\nrun 13\ndelete_bonds two improper 1 remove special\nrun 13\ndelete_bonds one dihedral 1 undo",
    "set, and the next run has no set-up": "set atom 1*200 dihedral 2\nset atom 1*300 improper 1\nrun 60 pre no",
    "create_bonds": "create_bonds single/dihedral 2 1 5 9 14 special no\ncreate_bonds single/improper 1 1 5 9 14 special no",
    "molecules that go": "delete_atoms group one mol yes compress no\nrun 13\nreset_atoms id sort yes",
    "restart into either style": "write_restart a.restart\nundump d\nclear\nread_restart a.restart\nrun_style RUN_STYLE\nfix 1 all nve\nthermo 7\n"
                                 f"{THERMO}",
    "minimize": "minimize 0 0 7 100\nrun 13",
}


@pytest.mark.parametrize("row, rule", cases({name: {"run": f"run 25\n{commands}\nrun 21",
                            "read": " extra/dihedral/per/atom 10 extra/improper/per/atom 10 extra/special/per/atom 10"} for name, commands in BETWEEN.items()}))
def test_between_runs(lammps, row, rule):
    compare(lammps, row, rule)


OTHERS = {"a dihedral style": ("helix", "harmonic", "dihedral style helix is LAMMPS's"),
          "an improper style": ("harmonic/gpu", "cvff", "improper style cvff is LAMMPS's"),
          "those of the same names": ("opls", "harmonic", "dihedral style opls is LAMMPS's; opls/exact/gpu would be resident"),
          "an improper style of the same name": ("charmm/gpu", "harmonic", "improper style harmonic is LAMMPS's; harmonic/exact/gpu would be resident"),
          "hybrid": ("hybrid harmonic opls", "harmonic", "dihedral style hybrid is LAMMPS's")}


@pytest.mark.parametrize("dihedral, improper, says", [
    pytest.param(dihedral, improper, says, id=name) for name, (dihedral, improper, says) in OTHERS.items()])
def test_by_lammps(lammps, dihedral, improper, says):
    compare(lammps, full({"dihedral": dihedral, "improper": improper, "says": says}), RULES["check yes"])


# Ghosts reach as far as dihedrals of neighboring ranks do
FAR = "comm_modify cutoff 2.45"


@pytest.mark.parametrize("row, rule", cases({name: {"first": FAR, **row} for name, row in {
    "2": {"ranks": 2},
    "3, newton off": {"ranks": 3, "newton": "off", "dihedral": "charmm/gpu"},
    "4, opls/gpu": {"ranks": 4, "dihedral": "opls/gpu", "rule": "check no"},
    "2, newton of bonds off": {"ranks": 2, "newton": "on off"},
    "2, of all kinds": {"ranks": 2, "more": ENERGIES},
    "4, of all kinds, newton off": {"ranks": 4, "more": ENERGIES, "newton": "off"},
    "4, tilted": {"ranks": 4, "read": TILTED},
    "2, sheared": {"ranks": 2, "read": TILTED, "more": SHEAR, "bonds": SHORT},
    "2, sorted with each list": {"ranks": 2, "more": "atom_modify sort 1 0.0"},
    "2, no dihedrals": {"ranks": 2, "dihedral": "none"},
}.items()}))
def test_ranks(lammps, row, rule):
    compare(lammps, row, rule)


# ------------------------------------------------------------------- this package's styles and LAMMPS's


PAIRS = {"harmonic": "harmonic", "charmm": "cvff", "opls": "cvff"}    # impropers beside the dihedrals
TOLD = ENERGIES[:ENERGIES.index("restart 23")].replace(" 26 e.dump", " 20 e.dump") + ENERGIES[ENERGIES.index("thermo_style"):]


# With suffix on, an unchanged input takes this package's styles, and nothing of it is left to LAMMPS
@pytest.mark.parametrize("dihedral", PAIRS)
def test_files(lammps, dihedral):
    bonds.compare_written(lammps, "Dihedral|Improper", lambda name: name if "cvff" in name else name + "/exact/gpu",
                          lambda **more: full({"dihedral": dihedral, "improper": PAIRS[dihedral], **more}))


@pytest.mark.parametrize("dihedral", PAIRS)
def test_suffix(lammps, dihedral):
    row = full({"dihedral": dihedral, "improper": "harmonic", "first": "suffix exact/gpu"})
    bonds.require_told(bonds.run_with(lammps, row, "verlet/gpu", RULES["check yes"]), row)


@pytest.mark.parametrize("newton", ("on", "off"))
@pytest.mark.parametrize("dihedral", PAIRS)
def test_as_lammps(lammps, dihedral, newton):
    """The same bits but for arc cosine and sines, of which a last unit may differ: then two steps are compared."""
    improper, files = PAIRS[dihedral], []
    exact = dihedral == "charmm"
    for suffix in ("", "/gpu"):
        row = full({"dihedral": dihedral + suffix, "improper": improper + (suffix if improper != "cvff" else ""), "newton": newton,
                    "more": TOLD if exact else TOLD + "\ndump_modify e every 1\nthermo 1", "run": "run 60" if exact else "dump_modify d every 1\nrun 2"})
        done = bonds.run_with(lammps, row, "verlet", RULES["check yes"])
        files.append(([open(lammps.path(name)).read() for name in ("all.dump", "e.dump", "l.dump", "a.dump")], done.thermo))
    for own, theirs in zip(files[1][0], files[0][0]):
        require(own == theirs or not exact, "files differ")
        own, theirs = numbers(own), numbers(theirs)
        require(own.size == theirs.size > 10 and np.all(np.abs(own - theirs) <= 1e-9 * (1 + np.abs(theirs))), "numbers of a file differ")
    own, theirs = (np.array([list(line.values()) for line in thermo], dtype=float) for _, thermo in files[::-1])
    require(own.shape[1] == 8 and np.abs(theirs[:, 2:4]).min() > 0.1, f"{theirs}")
    require(np.all(np.abs(own - theirs) <= 1e-9 * np.abs(theirs) + 1e-7), f"{own}\n    instead of\n    {theirs}")


REFUSED = {
    "too few numbers": ("charmm/gpu", "dihedral_coeff 1 1 2 30", "Dihedral style charmm/gpu: dihedral_coeff has 4 values, allowed are 5: a type, k, "
                        "multiplicity, shift, weight"),
    "too many numbers": ("harmonic/gpu", "improper_coeff 1 3 120 7", "Improper style harmonic/gpu: improper_coeff has 4 values, allowed are 3: a type, k, chi"),
    "a weight": ("charmm/gpu", "dihedral_coeff 1 1 2 30 0.5", "Dihedral style charmm/gpu: weight is 0.5, allowed is 0: LAMMPS's dihedral style charmm has weights"),
    "a sign": ("harmonic/gpu", "dihedral_coeff 1 1 2 3", "Dihedral style harmonic/gpu: d is 2, allowed are -1 and 1"),
    "a negative multiplicity": ("harmonic/gpu", "dihedral_coeff 1 1 1 -3", "Dihedral style harmonic/gpu: multiplicity is -3, allowed is an integer from 0 on"),
    "a multiplicity that is no integer": ("charmm/gpu", "dihedral_coeff 1 1 1.5 30 0", "Expected integer parameter instead of '1.5'"),
    "no number": ("opls/gpu", "dihedral_coeff 1 1 2 x 4", "Expected floating point parameter instead of 'x'"),
    "infinite": ("opls/gpu", "dihedral_coeff 1 1 2 1e999 4", "1e999"),
    "a type that does not exist": ("opls/gpu", "dihedral_coeff 3 1 2 3 4", "Numeric index 3 is out of bounds (1-2)"),
    "not all types": ("opls/gpu", "dihedral_coeff 1 1 2 3 4\nimproper_coeff * 1 2", "All dihedral coeffs are not set"),
}


@pytest.mark.parametrize("dihedral, commands, words", REFUSED.values(), ids=REFUSED)
def test_refused(lammps, dihedral, commands, words):
    row = full({"dihedral": dihedral, "run": "run 1"})
    row["coefficients"] = f"{bonds.coefficients_of({})}\n{commands}"
    lammps.write("m.data", MOLECULES)
    lammps.require_refused(words, lambda run_style: bonds.text_of(row, run_style, RULES["check yes"]), ONE_RUN)
