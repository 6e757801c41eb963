"""Files with a line per molecule that fix langevin/sop/gpu writes (copyfile): each column against what follows from the positions
of a dump, by eq. 1 in numpy (sop_molecules.py).

SPDX-License-Identifier: GPL-2.0-or-later
"""

import numpy as np
import pytest

from checks import require
from sop_molecules import Molecule, data, positions, script, snapshots

HELIX = Molecule(24)
COPIES = 3
DT, EVERY, STEPS = 4000.0, 4, 24
DUMP = ("dump out all custom 4 out.dump id xu yu zu\ndump_modify out sort id format float %.17g\n"
        "thermo_style custom step f_move[*]\nthermo_modify format float %.17g\nthermo 4\n")
COLUMNS = "force extension intact energy bonds native other angles fx fy fz projection tip travel".split()
TIP = "indent 10 1 0.5 30.5 spring 5 5e-5 0 0 -1 friction 5e5"


@pytest.fixture(autouse=True)
def files(lammps):
    lammps.write("molecule.sop", HELIX.sop(COPIES))
    lammps.write("atoms.data", data(HELIX.atoms(COPIES, apart=1.0, shake=0.12)))


def table(lammps, name, columns):
    """{(step, molecule): {column: value}}; the second line of the file has the names."""
    with open(lammps.path(name)) as file:
        lines = [line.split() for line in file]
    require(lines[1] == ["#", "step", "molecule", *columns], f"{name}: {lines[1]}")
    return {(int(row[0]), int(row[1])): dict(zip(columns, map(float, row[2:]))) for row in lines if row[0] != "#"}


def copies_at(found, step):
    rows = positions(found[step])
    return np.array([rows[i + 1] for i in range(COPIES * HELIX.beads)]).reshape(COPIES, HELIX.beads, 3)


def expected(x, start, fixed, pulled, direction, force_of, weights=None, held=None, plane=None):
    """Of one molecule, without the tip."""
    energy, whole, _ = HELIX.evaluate(x)
    values = dict(energy, intact=whole / len(HELIX.contacts), energy=sum(energy.values()))
    r, r0 = (np.average(place[pulled], axis=0, weights=weights) for place in (x, start))
    base, base0 = (np.average(place[fixed], axis=0, weights=held) for place in (x, start)) if fixed else (r0, r0)
    n = np.array(direction, dtype=float) if direction else r0 - base0
    n /= np.linalg.norm(n)
    if plane:
        base = r0 = start.mean(axis=0) + plane
    values["force"] = force_of((r - r0) @ n)
    values["extension"] = values["projection"] = (r - base) @ n
    if not plane:
        values["extension"] = np.linalg.norm(r - base)
    values.update(zip(("fx", "fy", "fz"), values["force"] * n))
    return values


def columns(lammps, ranks, keywords, fixed, pulled, direction, force_of, tip, sets=(), before=""):
    names = COLUMNS if tip else COLUMNS[:-2]
    done = lammps.run(script(dt=DT, before=before, keywords=f"{keywords} {TIP if tip else ''} copyfile all.dat {EVERY} {' '.join(names)} "
                             f"copyfile few.dat 6 fz native pullfile pull.dat 4") + DUMP + f"run {STEPS}\n", ranks)
    found, each, few = snapshots(lammps.path("out.dump")), table(lammps, "all.dat", names), table(lammps, "few.dat", ("fz", "native"))
    require(list(few) == [(step, m) for step in range(6, STEPS + 1, 6) for m in (1, 2, 3)], f"{list(few)}")
    require(list(each) == [(step, m) for step in range(EVERY, STEPS + 1, EVERY) for m in (1, 2, 3)], f"{list(each)}")
    start = copies_at(found, 0)
    for (step, m), row in each.items():
        wanted = expected(copies_at(found, step)[m - 1], start[m - 1], fixed, pulled, direction, lambda along: force_of(step, along),
                          **dict(sets))
        # energies: of coordinates rounded to 2^-17, by forces of some 20 on 24 beads; others: eight digits
        for name, value in wanted.items():
            most = 24 * 20 * 2.0**-17 if name in ("energy", "bonds", "native", "other", "angles") else 1e-5
            require(abs(row[name] - value) < most + 1e-6 * abs(value), f"step {step}, {m}, {name}: {row[name]}, not {value}")
        if (step, m) in few:
            require(all(few[step, m][name] == row[name] for name in ("fz", "native")), f"few.dat: {few[step, m]}, not {row}")
    for k, step in enumerate(done.thermo[0]["Step"]):
        for name, column in (("tip", "f_move[9]"), ("travel", "f_move[10]")) if tip and step else ():
            mean = np.mean([each[int(step), m][name] for m in (1, 2, 3)])
            require(abs(mean - done.thermo[0][column][k]) < 1e-6, f"step {step}: {name} {mean}, not {done.thermo[0][column][k]}")
    require(not tip or len({row["travel"] for row in each.values()}) == len(each), "tips move alike")
    pulls = table(lammps, "pull.dat", ("force", "extension", "intact"))
    require(all(pulls[key][name] == each[key][name] for key in each for name in pulls[key]), "pullfile and copyfile differ")


K, V = 0.5, 2e-5


@pytest.mark.parametrize("ranks", (1, 2, 4))
def test_columns_a_spring_from_end_to_end(lammps, ranks):
    columns(lammps, ranks, f"pull 1:2 22,24 spring {K} {V} end", [0, 1], [21, 23], None,
            lambda step, along: K * (V * DT * step - along), False)


@pytest.mark.parametrize("ranks", (1, 2, 4))
def test_columns_a_spring_along_a_line_and_a_tip(lammps, ranks):
    columns(lammps, ranks, f"pull none 24 spring {K} {V} 1 -2 2", [], [23], (1, -2, 2),
            lambda step, along: K * (V * DT * step - along), True)


def test_columns_a_constant_force(lammps):
    columns(lammps, 1, "pull 3 24 force 0.7 0 3 4", [2], [23], (0, 3, 4), lambda step, along: 0.7, False)


def test_columns_beads_of_several_weights_from_end_to_end(lammps):
    columns(lammps, 2, f"pull 1,3 24,20 spring {K} {V} end weights 1,3 "
          "fixedweights 0.5,0.25", [0, 2], [23, 19], None, lambda step, along: K * (V * DT * step - along), False,
            {"weights": (1, 3), "held": (2, 1)})


def test_columns_weights_that_are_masses_from_a_plane(lammps):
    columns(lammps, 3, f"pull 1 24,10,20 spring {K} {V} plane 1 -2 3 0 0.6 2 "
          "weights mass", [0], [23, 9, 19], (0, 0.6, 2), lambda step, along: K * (V * DT * step - along), False,
            {"weights": (71, 71, 128), "plane": (1, -2, 3)},
            "set atom 20 type 2\nset atom 44 type 2\nset atom 68 type 2\nmass 1 71\nmass 2 128\n")


def test_columns_a_constant_force_on_a_set_from_a_plane(lammps):
    columns(lammps, 1, "pull none 3,24 force 0.7 plane 0 0 0 0 3 4 weights 1.0,0.7", [], [2, 23], (0, 3, 4),
            lambda step, along: 0.7, False, {"weights": (10, 7), "plane": (0, 0, 0)})


def test_native_contacts_of_copies_at_rest(lammps):
    """Native contacts of copies at rest, without a pull; later runs append."""
    lammps.run(script(dt=DT, keywords="copyfile rest.dat 5 intact") + DUMP.replace("custom 4", "custom 5")
               + "run 10\nrun 5\ntimestep 1000\nrun 5\n", 2)
    found = snapshots(lammps.path("out.dump"))
    each = table(lammps, "rest.dat", ("intact",))
    require(list(each) == [(step, m) for step in (5, 10, 15, 20) for m in (1, 2, 3)], f"{list(each)}")
    for (step, m), row in each.items():
        wanted = HELIX.evaluate(copies_at(found, step)[m - 1])[1] / len(HELIX.contacts)
        require(abs(row["intact"] - wanted) < 1e-6, f"step {step}, {m}: {row['intact']}, not {wanted}")
    with open(lammps.path("rest.dat")) as file:
        settings = [line.strip() for line in file if line.startswith("# units")]
    require(settings == ["# units real timestep 4000", "# units real timestep 1000"], f"{settings}")
