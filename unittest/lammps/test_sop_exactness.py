"""Trajectories of fix langevin/sop/gpu, dumped with all digits, are the same to the bit on any number of ranks and
threads, with each scheme, in one run or several, with a restart in the middle, alone or among other molecules.

Every snapshot is compared, not only the last: Brownian motion with the same noise forgets a difference.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import random
import re

import numpy as np
import pytest

from checks import require
from lammps_run import BACKEND
from sop_molecules import Molecule, data, positions, script, snapshots

STEPS, EVERY, DT = 40, 8, 4000.0
COPIES = 5
HELIX = Molecule(24)
FREE = [(30.0 + 0.3 * k, 5.0 * k - 20.0, 7.0) for k in range(7)]
ROWS = HELIX.atoms(COPIES, FREE, apart=1.0)
PULL = "pull 1:2 23,24 spring 0.5 1e-5 end"
PRESS = "indent 10 1 0.5 30.5 spring 5 5e-5 0 0.1 -1 friction 5e5 plane 0 0 -20.5 normal 0.1 0 1 lj 0.5 0.5 " \
    "cylinder 0 0 0 0 0 1 13 inside"

# a force on each atom that depends on where it is, so that forces from outside must come to the right bead in time
PUSH = """
variable fx atom 0.05*(id%7-3)
variable fy atom 0.002*(x-5.0)
fix push all addforce v_fx v_fy 0.02
"""
DUMP = "dump out all custom {every} {name}.dump id type xu yu zu\ndump_modify out sort id format float %.17g\n"

reference = {}    # what is simulated -> snapshots of its first run


def run(lammps, name, ranks=1, threads=1, rows=ROWS, low=None, high=None, tilt=None, run=f"run {STEPS}", every=EVERY, after=PUSH,
        keywords=PULL, copies=COPIES, **changes):
    lammps.write("molecule.sop", HELIX.sop(copies))
    box = {key: value for key, value in (("low", low), ("high", high), ("tilt", tilt)) if value}
    lammps.write("atoms.data", data(rows, **box))
    commands = script(dt=DT, keywords=f"substeps 5 {keywords}", after=after, **changes)
    done = lammps.run(commands + DUMP.format(every=every, name=name) + run + "\n", ranks, threads)
    return done, snapshots(lammps.path(f"{name}.dump"))


def same(found, wanted, ids=None):
    """All snapshots that both have, and all of the wanted ones, are the same for the atoms with these IDs."""
    require(set(wanted) <= set(found), f"steps {sorted(found)} of {sorted(wanted)}")
    for step, rows in wanted.items():
        kept = [row for row in rows if ids is None or int(row.split()[0]) in ids]
        there = [row for row in found[step] if ids is None or int(row.split()[0]) in ids]
        different = [pair for pair in zip(kept, there) if pair[0] != pair[1]]
        require(len(kept) == len(there) and kept, f"step {step}: {len(there)} atoms of {len(kept)}")
        require(not different, f"step {step}: {len(different)} of {len(kept)} atoms differ, first\n    {different[:1]}")


def wanted(lammps, **changes):
    """The first run of this kind: one rank, one thread, on the host, whichever backend is tested."""
    key = repr(sorted(changes.items()))
    if key not in reference:
        reference[key] = run(lammps, "wanted", backend="host", **changes)[1]
        moved(reference[key], 0.3)
    return reference[key]


def moved(found, least):
    """Root mean square of what atoms have moved."""
    first, last = (positions(found[step]) for step in (min(found), max(found)))
    far = np.sqrt(np.mean([np.sum((last[i] - first[i])**2) for i in first]))
    require(far > least, f"atoms have moved by {far:.3g} only")


def output_on(lammps, more, rows, copies, keywords):
    commands = PUSH + "thermo 10\nthermo_style custom step pe f_move f_move[*]\nthermo_modify format float %.17g\n" \
        "fix_modify move energy yes"
    tables, pulled = [], []
    for ranks in (1, more):
        done, _ = run(lammps, "found", ranks, rows=rows, copies=copies, after=commands,
                      keywords=f"{keywords} pullfile pull.{ranks} 4")
        tables.append(done.thermo[0])
        with open(lammps.path(f"pull.{ranks}")) as file:
            pulled.append(file.read())
    require(pulled[0] == pulled[1], f"pullfiles differ:\n{pulled[0]}\n{pulled[1]}")
    require(len(pulled[0].splitlines()) == 2 + copies * STEPS // 4, pulled[0])
    require(list(tables[0]) == list(tables[1]) and len(tables[0]) == 3 + 10, f"{list(tables[0])}")
    for name, column in tables[0].items():
        # sums of doubles over ranks
        require(np.allclose(column, tables[1][name], rtol=1e-12, atol=0), f"{name}: {column} {tables[1][name]}")


# ---- ranks, threads, schemes

def rows_of_ranks(lammps, ranks, threads, keywords, scheme):
    done, found = run(lammps, "found", ranks, threads, keywords=f"{keywords} scheme {scheme}")
    require(f"scheme {scheme}" in done.output, done.tail(60))
    same(found, wanted(lammps, keywords=keywords))


@pytest.mark.parametrize("order, ranks, threads, scheme", [
    pytest.param(order, ranks, threads, scheme, id=f"{order}: {ranks} rank(s) of {threads} thread(s), scheme {scheme}")
    for order in (1, 2)
    for ranks, threads, scheme in ((2, 1, "particle"), (3, 1, "pair"), (4, 1, "block"), (1, 2, "particle"),
                                   (1, 2, "pair"), (2, 2, "block"))])
def test_ranks_and_threads(lammps, order, ranks, threads, scheme):
    rows_of_ranks(lammps, ranks, threads, f"order {order} {PULL}", scheme)


@pytest.mark.parametrize("order, ranks, threads, scheme", [
    pytest.param(order, ranks, threads, scheme, id=f"{order}: {ranks} ranks of {threads} thread(s), scheme {scheme}")
    for order in (1, 2)
    for ranks, threads, scheme in ((2, 1, "pair"), (3, 2, "particle"))])
def test_ranks_and_threads_pressed(lammps, order, ranks, threads, scheme):
    rows_of_ranks(lammps, ranks, threads, f"order {order} {PRESS}", scheme)


SETS = "pull 1,2 24,9,20:22 spring 0.5 1e-5 plane 0 0 5 0 1 2 weights 3,1,1,2.5,1"


@pytest.mark.parametrize("order, ranks, threads, scheme", [
    pytest.param(order, ranks, threads, scheme, id=f"{order}: {ranks} rank(s) of {threads} thread(s), scheme {scheme}")
    for order, ranks, threads, scheme in ((1, 2, 2, "particle"), (2, 3, 1, "pair"), (2, 1, 2, "block"))])
def test_ranks_and_threads_sets_and_a_plane(lammps, order, ranks, threads, scheme):
    rows_of_ranks(lammps, ranks, threads, f"order {order} {SETS}", scheme)


# ---- hydrodynamic interactions

def test_hydro_3_0_tea_sets_of_beads_and_a_plane_2_ranks(lammps):
    rows_of_ranks(lammps, 2, 1, f"hydro 3.0 tea {SETS}", "pair")


@pytest.mark.parametrize("hydro, ranks, threads, scheme", [
    pytest.param(hydro, ranks, threads, scheme, id=f"{hydro}: {ranks} rank(s) of {threads} thread(s), scheme {scheme}")
    for hydro in ("3.0", "3.0 tea")
    for ranks, threads, scheme in ((1, 3, "particle"), (2, 2, "pair"), (3, 1, "block"), (4, 1, "particle"))])
def test_hydro_pressed(lammps, hydro, ranks, threads, scheme):
    rows_of_ranks(lammps, ranks, threads, f"hydro {hydro} {PULL}", scheme)


@pytest.mark.parametrize("hydro", [
    pytest.param(hydro, id=f"{hydro}: pressed, 3 ranks of 2 threads") for hydro in ("3.0", "3.0 tea")])
def test_hydro(lammps, hydro):
    rows_of_ranks(lammps, 3, 2, f"hydro {hydro} {PRESS}", "pair")


def test_hydro_is_another_trajectory(lammps):
    """Hydrodynamic interactions make another trajectory, and one of their own with each method and radius."""
    found = [wanted(lammps, keywords=f"{hydro} {PULL}")[STEPS] for hydro in ("", "hydro 3.0", "hydro 3.0 tea")]
    found.append(run(lammps, "found", keywords=f"hydro 3.25 {PULL}")[1][STEPS])
    require(all(a != b for k, a in enumerate(found) for b in found[:k]), "two are the same")


def test_hydro_of_few_molecules(lammps):
    """Hydrodynamic interactions: ranks that have no molecule do not share those of others."""
    keywords = "substeps 1 scheme particle hydro 3.0 tea"
    done, found = run(lammps, "found", 4, rows=TWO, copies=2, keywords=keywords)
    require("moved by one rank" in done.output, done.tail(60))
    same(found, wanted(lammps, rows=TWO, copies=2, keywords=keywords))


# ---- molecules that are fewer than ranks, which share them: with one Brownian step per timestep


TWO = HELIX.atoms(2, FREE, apart=9.0)
SHARE = "substeps 1 scheme particle"


@pytest.mark.parametrize("ranks, threads, keywords", [
    pytest.param(ranks, threads, keywords, id=f"{ranks} ranks of {threads} thread(s), {keywords}")
    for ranks, threads, keywords in ((3, 1, PULL), (4, 1, "rng taus"), (3, 2, f"rng philox {PULL}"), (4, 1, f"inter yes {PULL}"),
                                 (4, 1, PRESS), (3, 1, SETS))])
def test_shared_by(lammps, ranks, threads, keywords):
    done, found = run(lammps, "found", ranks, threads, rows=TWO, copies=2, keywords=f"{SHARE} {keywords}")
    # with a GPU one rank moves them; the trajectory is the same
    told = f"{ranks} ranks share the beads" if BACKEND == "host" else "moved by one rank"
    require(told in done.output, done.tail(60))
    same(found, wanted(lammps, rows=TWO, copies=2, keywords=f"{SHARE} {keywords}"))


def test_thermo_output_and_the_lines_of_the_pullfile_shared_by_4_ranks(lammps):
    output_on(lammps, 4, TWO, 2, f"{SHARE} {PULL} {PRESS}")


def test_second_run(lammps):
    """As a second run begins, all values are those of the last step, shared by 4 ranks."""
    after = PUSH + "thermo_style custom step f_move f_move[*]\nthermo_modify format float %.17g\n"
    done, _ = run(lammps, "found", 4, rows=TWO, copies=2, keywords=f"{SHARE} {PULL} {PRESS}", after=after,
                  run="run 10\nrun 0")
    first, again = done.thermo
    for name, column in again.items():
        require(column[0] == first[name][-1], f"{name} is {column[0]}, was {first[name][-1]}")
    require(first["f_move[5]"][-1] > 1.0 and first["f_move[7]"][-1] != 0.0, "nothing to compare")


def test_molecules_that_see_each_other_on_3_ranks(lammps):
    rows = HELIX.atoms(COPIES, FREE, apart=9.0)
    first = wanted(lammps, rows=rows, keywords="inter yes")
    same(run(lammps, "found", 3, rows=rows, keywords="inter yes")[1], first)
    apart = run(lammps, "apart", rows=rows, keywords="inter no")[1]
    require(apart[STEPS] != first[STEPS], "molecules do not see each other")


def test_thermo_output_and_the_lines_of_the_pullfile_on_3_ranks(lammps):
    output_on(lammps, 3, ROWS, COPIES, PULL)
    output_on(lammps, 2, ROWS, COPIES, f"{PULL} {PRESS}")


# ---- runs and substeps

def test_several_runs_in_a_row(lammps):
    # the force from outside is evaluated anew as a run begins: it is the same, as positions are
    half = f"run {STEPS // 2}\n"
    for commands in (half + half, f"run {STEPS} every {STEPS // 4} NULL", f"run 0\nrun {STEPS} pre no\n"):
        same(run(lammps, "found", run=commands)[1], wanted(lammps))


def test_substeps_of_the_same_length(lammps):
    """Without forces from outside, which move on with timesteps."""
    lammps.write("molecule.sop", HELIX.sop(COPIES))
    lammps.write("atoms.data", data(ROWS))
    found = []
    for m in (1, 4, 100):
        lammps.run(script(dt=200.0 * m, keywords=f"substeps {m} {PULL}") + DUMP.format(every=200 // m, name=f"m{m}") +
                   f"run {200 // m}\n")
        last = snapshots(lammps.path(f"m{m}.dump"))
        found.append(last[max(last)])
    require(found[0] == found[1] == found[2], "substeps make another trajectory")


# ---- molecules alone and among others

@pytest.mark.parametrize("copy", (0, 3, 4))
def test_copy_alone(lammps, copy):
    ids = set(range(copy * HELIX.beads + 1, (copy + 1) * HELIX.beads + 1))
    one = [row for row in ROWS if row[0] in ids]
    same(run(lammps, "found", rows=one)[1], wanted(lammps), ids)
    first, last = min(ids), max(ids)
    done, found = run(lammps, "found", 2, before=f"group one id {first}:{last}", group="one")
    same(found, wanted(lammps), ids)
    rest = set(range(1, len(ROWS) + 1)) - ids
    still = snapshots(lammps.path("found.dump"))
    same({EVERY: still[0]}, {EVERY: still[EVERY]}, rest)
    require("1 of 5 copies" in done.output, done.tail(60))


def test_atoms_in_any_order_in_the_data_file(lammps):
    rows = list(ROWS)
    random.Random(5).shuffle(rows)
    for ranks in (1, 3):
        same(run(lammps, "found", ranks, rows=rows)[1], wanted(lammps))


# ---- boundaries. Edges and origins are powers of two, so that images are whole units of positions.

def boundaries(lammps, boundary, ranks, low, high):
    free = [(1.0 + 2.0 * k, 3.0, 5.0) for k in range(7)]
    rows = HELIX.atoms(COPIES, free, apart=1.0)
    # forces do not depend on where an atom is: addforce sees wrapped coordinates
    after = "variable fx atom 0.5*(id%7-3)\nfix push all addforce v_fx 0.4 0.3"
    first = wanted(lammps, rows=rows, after=after)
    if boundary == "p p p":
        rows = [(i, m, t, x % 16.0, y % 16.0, z % 16.0) for i, m, t, x, y, z in rows]
        images = {i: [v // 16.0 for v in at] for i, _, _, *at in HELIX.atoms(COPIES, free, apart=1.0)}
        lammps.write("images", "\n".join(f"set atom {i} image {ix:.0f} {iy:.0f} {iz:.0f}"
                                         for i, (ix, iy, iz) in images.items()) + "\n")
        after = "include images\n" + after
    found = run(lammps, "found", ranks, rows=rows, low=low, high=high, boundary=boundary, after=after)[1]
    same(found, {step: first[step] for step in first if step > 0})    # which are whole units of positions


WIDE = (-128.0, -128.0, -128.0), (128.0, 128.0, 128.0)


@pytest.mark.parametrize("ranks", (1, 2))
def test_boundary_f(lammps, ranks):
    boundaries(lammps, "f f f", ranks, *WIDE)


@pytest.mark.parametrize("ranks", (1, 2))
def test_boundary_p_a_box_smaller_than_the_molecule(lammps, ranks):
    boundaries(lammps, "p p p", ranks, (0.0, 0.0, 0.0), (16.0, 16.0, 16.0))


def test_boundary_p_a_triclinic_box_1_and_2_ranks(lammps):
    """LAMMPS itself rounds coordinates when it wraps atoms into such a box; one unit of positions is 2^-29."""
    after = "fix push all addforce 0.3 0.4 0.3"
    first = wanted(lammps, after=after)
    for ranks in (1, 2):
        found = run(lammps, "found", ranks, boundary="p p p", after=after, low=(0.0, 0.0, 0.0), high=(16.0, 32.0, 16.0),
                    tilt=(4.0, -2.0, 8.0))[1]
        for step in first:
            there, here = positions(found[step]), positions(first[step])
            off = max(np.max(np.abs(there[i] - here[i])) for i in here)
            require(off < 2.0**-40, f"step {step}: off by {off:.3g}")


# ---- restarts


RESTART = """
comm_modify cutoff 5.0
read_restart {file}
fix move all langevin/sop/gpu 300.0 300.0 {zeta} 4711 topology molecule.sop backend {backend} substeps 5 {keywords}
timestep {dt}
"""


def restarted(lammps, keywords, writers, readers, rows=ROWS, copies=COPIES):
    half = STEPS // 2
    first, through = run(lammps, "through", writers, rows=rows, copies=copies, keywords=f"{keywords} pullfile through.pull 4",
                         run=f"restart {half} half.*\nrun {STEPS}")
    moved(through, 0.3)
    text = re.search(r"fix move all langevin/sop/gpu (\S+) \S+ (\S+) .* backend (\S+)",
                     script(keywords=keywords)).groups()
    commands = RESTART.format(file=f"half.{half}", zeta=text[1], dt=DT, backend=text[2],
                              keywords=f"{keywords} pullfile continued.pull 4")
    done = lammps.run(commands + PUSH + DUMP.format(every=EVERY, name="continued") + f"run {STEPS - half}\n", readers)
    require("it is not used" not in done.output, done.tail(60))
    after = {step: rows for step, rows in through.items() if step > half}
    same(snapshots(lammps.path("continued.dump")), after)
    with open(lammps.path("through.pull")) as a, open(lammps.path("continued.pull")) as b:
        late = [line for line in a if not line.startswith("#") and int(line.split()[0]) > half]
        require(late == [line for line in b if not line.startswith("#")], "pulling differs after the restart")


RANKS = ((1, 1), (1, 3), (2, 1), (3, 2))


@pytest.mark.parametrize("rng, order, writers, readers", [
    (rng, order, *RANKS[(2 * k + order) % len(RANKS)])
    for k, rng in enumerate(("tea", "philox", "taus", "ran2", "lfib", "lcg", "mrg32k3a", "mt19937"))
    for order in (1, 2)])
def test_restart_of_each_generator(lammps, rng, order, writers, readers):
    restarted(lammps, f"rng {rng} order {order} {PULL}", writers, readers)


def test_restart_a_set_of_beads_and_a_plane_3_ranks_before_and_2_after(lammps):
    restarted(lammps, SETS, 3, 2)


def test_restart_a_constant_force_2_ranks_before_and_4_after(lammps):
    restarted(lammps, "rng taus pull none 24 force 0.4 0 1 2", 2, 4)


@pytest.mark.parametrize("order, writers, readers", [
    pytest.param(order, writers, readers, id=f"{order}, {writers} rank(s) before and {readers} after")
    for order, writers, readers in ((1, 3, 1), (2, 1, 2))])
def test_restart_pressed_and_pulled(lammps, order, writers, readers):
    restarted(lammps, f"order {order} rng taus {PULL} {PRESS}", writers, readers)


@pytest.mark.parametrize("hydro, writers, readers", [
    pytest.param(hydro, writers, readers, id=f"{hydro}, {writers} rank(s) before and {readers} after")
    for hydro, writers, readers in (("3.0 exact", 1, 3), ("3.0 tea", 3, 2))])
def test_restart_hydro(lammps, hydro, writers, readers):
    restarted(lammps, f"hydro {hydro} rng taus {PULL}", writers, readers)


@pytest.mark.parametrize("k, writers, readers", [
    pytest.param(k, writers, readers, id=f"{writers} rank(s) that share before and {readers} after")
    for k, (writers, readers) in enumerate(((3, 1), (1, 4), (4, 3)))])
def test_restart_of_molecules_that_are_shared(lammps, k, writers, readers):
    restarted(lammps, f"{SHARE} rng {('taus', 'mrg32k3a', 'tea')[k]} {PULL} {(PRESS, '', PRESS)[k]}", writers, readers, TWO, 2)
