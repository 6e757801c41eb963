"""Two kinds of molecules in one box: two fixes langevin/sop/gpu, each with a topology of its own and a group; offset says at
which atom the second topology begins. Each kind moves as it would without the other, to the bit.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import numpy as np
import pytest

from checks import require
from lammps_run import BACKEND
from sop_molecules import ZETA, Molecule, data, positions, snapshots

LONG, SHORT = Molecule(24), Molecule(15, seed=9)
LONG_COPIES, SHORT_COPIES = 2, 3
OFFSET = LONG_COPIES * LONG.beads
LAST = OFFSET + SHORT_COPIES * SHORT.beads
FREE = [(40.0, 0.0, 4.0 * k) for k in range(3)]
LONG_ROWS = LONG.atoms(LONG_COPIES, apart=20.0)
SHORT_ROWS = [(row[0] + OFFSET, row[1] + LONG_COPIES, row[2], row[3] - 30.0, *row[4:])
              for row in SHORT.atoms(SHORT_COPIES, FREE, apart=20.0, seed=4)]

INPUT = """
units real
atom_style molecular
boundary s s s
comm_modify cutoff 5.0
{read}
timestep 4000.0
{groups}
{fixes}
dump {name} all custom 2 {name}.dump id xu yu zu
dump_modify {name} sort id format float %.17g
thermo_style custom step {values}
thermo_modify format float %.17g
{run}
"""
GROUPS = f"group long id 1:{OFFSET}\ngroup short id > {OFFSET}\n"
LONG_FIX = ("fix first {group} langevin/sop/gpu {T} {T} {zeta!r} 4711 topology long.sop backend {backend} substeps 5 "
            "pull 1 24 spring 0.5 1e-5 end pullfile {name}.long 4 {rng}\n")
SHORT_FIX = ("fix second {group} langevin/sop/gpu {T} {T} {zeta!r} 4711 topology short.sop backend {backend} substeps 5 "
             "pull 2 14,15 force 0.4 end pullfile {name}.short 4 offset {offset} {rng}\n")


@pytest.fixture(autouse=True)
def files(lammps):
    lammps.write("long.sop", LONG.sop(LONG_COPIES))
    lammps.write("short.sop", SHORT.sop(SHORT_COPIES))
    for name, rows in (("both", LONG_ROWS + SHORT_ROWS), ("long", LONG_ROWS), ("short", SHORT_ROWS),
                       ("first", [(row[0] - OFFSET, *row[1:]) for row in SHORT_ROWS])):
        lammps.write(f"{name}.data", data(rows))


def run(lammps, name, fixes, ranks=1, read=None, groups="", group="all", run="run 20", values="", **changes):
    values = values or " ".join(f"f_{which}[*]" for which in ("first", "second") if f"fix {which} " in fixes)
    words = dict({"T": 300.0, "zeta": ZETA, "backend": BACKEND, "offset": OFFSET, "rng": "", "name": name, "group": group}, **changes)
    text = INPUT.format(read=read or f"read_data {name}.data", groups=groups, fixes=fixes.format(**words), name=name, run=run,
                        values=values)
    return lammps.run(text, ranks), {step: positions(rows) for step, rows in snapshots(lammps.path(f"{name}.dump")).items()}


def both(lammps, ranks, **changes):
    fixes = LONG_FIX.replace("{group}", "long") + SHORT_FIX.replace("{group}", "short")
    return run(lammps, "both", fixes, ranks, groups=GROUPS, **changes)


def same(found, wanted, ids, what, shift=0):
    require(set(found) == set(wanted) and ids, f"{what}: steps {sorted(found)}, not {sorted(wanted)}")
    for step, x in wanted.items():
        for i in ids:
            require(np.array_equal(found[step][i], x[i - shift]), f"{what}: step {step}, atom {i}: {found[step][i]}, not {x[i - shift]}")


def lines_of(lammps, name):
    with open(lammps.path(name)) as file:
        return file.read()


@pytest.mark.parametrize("ranks, rng", [
    pytest.param(ranks, rng, id=f"{ranks} rank(s), {rng or 'rng tea'}")
    for ranks, rng in ((1, ""), (2, "rng taus"), (3, ""), (4, "rng mrg32k3a"))])
def test_each_moves_as_if_alone(lammps, ranks, rng):
    done, found = both(lammps, ranks, rng=rng)
    require("2 molecules of 24 beads, 0 free" in done.output and "3 molecules of 15 beads, 3 free" in done.output, done.tail(60))
    tables = [done.thermo[0]]
    for name, fix, ids in (("long", LONG_FIX, range(1, OFFSET + 1)), ("short", SHORT_FIX, range(OFFSET + 1, LAST + len(FREE) + 1))):
        alone, wanted = run(lammps, name, fix, rng=rng)
        same(found, wanted, ids, f"{name} beside the other")
        require(lines_of(lammps, f"both.{name}") == lines_of(lammps, f"{name}.{name}"), f"pullfiles of {name}")
        tables.append(alone.thermo[0])
    for table in tables[1:]:
        for name, column in table.items():    # sums over ranks
            require(np.allclose(column, tables[0][name], rtol=1e-12, atol=0), f"{name}: {tables[0][name]}, not {column}")


def test_without_noise_molecules_of_any_offset_move_in_the_same_way(lammps):
    """The noise is that of the atom's ID."""
    for T, like in ((0.0, True), (300.0, False)):
        found = run(lammps, "short", SHORT_FIX, T=T)[1]
        wanted = run(lammps, "first", SHORT_FIX, T=T, offset=0)[1]
        try:
            same(found, wanted, range(OFFSET + 1, LAST + 1), "another offset", OFFSET)
        except Exception:
            require(not like, f"T = {T}: another way")
            continue
        require(like, f"T = {T}: the same noise for other IDs")


def test_restart_1_rank_before_and_3_after(lammps):
    found = both(lammps, 1, rng="rng taus", run="run 10\nwrite_restart half.restart\nrun 10")[1]
    late = both(lammps, 3, rng="rng taus", read="read_restart half.restart", run="run 10")
    require("it is not used" not in late[0].output, late[0].tail(60))
    same(late[1], {step: x for step, x in found.items() if step >= 10}, range(1, LAST + len(FREE) + 1), "after the restart")


def test_restart_copies_1_and_2_of_another_offset_are_other_molecules(lammps):
    for name, read, first, warned in (("short", None, OFFSET, False), ("again", "read_restart short.restart", OFFSET, False),
                                      ("moved", "read_restart short.restart", OFFSET + SHORT.beads, True)):
        groups = "group some clear\n" if read else ""    # the file has the group, too
        groups += f"group some id {first + 1}:{first + 2 * SHORT.beads}\n"
        done = run(lammps, name, SHORT_FIX, groups=groups, group="some", offset=first, rng="rng taus", read=read,
                   run=f"run 2\nwrite_restart {name}.restart")[0]
        found = "has the state of 2 molecules, 0 free beads and rng taus, of other atoms or another hydro: it is not used"
        require((found in done.output) == warned, done.tail(60))


def refused(lammps, groups, fix, error, ranks=1):
    text = INPUT.format(read="read_data both.data", groups=groups, fixes=fix, name="both", run="run 2", values="f_second[1]")
    done = lammps.run(text, ranks, ok=False, timeout=60)
    require(done.status != 0 and done.errors == ["Fix langevin/sop/gpu: " + error], f"{done.errors}\n{done.tail()}")


FIX = f"fix second short langevin/sop/gpu 300 300 {ZETA!r} 4711 topology short.sop"
CHANGES = "The topology begins at atom {}, which keyword offset changes"


@pytest.mark.parametrize("ranks", (1, 2))
def test_the_second_kind_without_offset(lammps, ranks):
    refused(lammps, GROUPS, FIX, "none of the 45 atoms of the topology is in "
              "group short. " + CHANGES.format(1), ranks)


@pytest.mark.parametrize("ranks", (1, 2))
def test_an_offset_that_is_too_large(lammps, ranks):
    refused(lammps, GROUPS, f"{FIX} offset {OFFSET + 1}",
            f"atom {OFFSET + 1} of group short has an ID that is not above offset {OFFSET + 1}", ranks)


@pytest.mark.parametrize("ranks", (1, 2))
def test_an_offset_that_is_too_small(lammps, ranks):
    refused(lammps, GROUPS, f"{FIX} offset {OFFSET - 5}",
            f"molecule 1 has 10 of its 15 atoms in the group; the first that is missing is atom {OFFSET - 4}. "
              + CHANGES.format(OFFSET - 4), ranks)
