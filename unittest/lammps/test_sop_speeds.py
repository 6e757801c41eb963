"""Pulls and tips of fix langevin/sop/gpu whose speed changes (fix_modify pull speed, fix_modify indent speed): forth, held and
back. The cantilever goes on from where it is, with the same bits on any number of ranks, and after a restart.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import numpy as np
import pytest

from checks import require
from lammps_run import BACKEND
from sop_molecules import ZETA, Molecule, data, positions, script, snapshots

HELIX = Molecule(24)
COPIES = 3
FREE = [(30.0, 0.0, 3.0 * k) for k in range(3)]
ROWS = HELIX.atoms(COPIES, FREE, apart=1.0)
DT = 4000.0
K_PULL, K_TIP = 0.5, 5.0
PULL = f"pull none 23,24 spring {K_PULL} 1e-5 0 0 1"
TIP = f"indent 10 1 0.5 30.5 spring {K_TIP} 5e-5 0 0 -1 friction 5e5"
DUMP = "dump {name} all custom {every} {name}.dump id xu yu zu\ndump_modify {name} sort id format float %.17g\n"
VALUES = "thermo_style custom step f_move[*]\nthermo_modify format float %.17g\nthermo 1\n"

# What is done: a speed of the pull and one of the tip, a timestep, and how many steps follow
PLAN = ((1e-5, 5e-5, DT, 12), (-2e-5, 0.0, DT, 10), (0.0, -9e-5, 0.5 * DT, 10), (-2e-5, -9e-5, 0.5 * DT, 6), (3e-5, 4e-5, DT, 10))
TURNED = "".join(f"fix_modify move pull speed {pull} indent speed {tip}\ntimestep {dt}\nrun {steps}\n"
                 for pull, tip, dt, steps in PLAN)
END = sum(steps for *_, steps in PLAN)


@pytest.fixture(autouse=True)
def files(lammps):
    lammps.write("molecule.sop", HELIX.sop(COPIES))
    lammps.write("atoms.data", data(ROWS))


def run(lammps, commands, ranks=1, threads=1, keywords=f"substeps 5 {PULL} {TIP}", name="out", every=2, **changes):
    text = script(dt=DT, keywords=keywords, **changes) + DUMP.format(name=name, every=every) + commands
    return lammps.run(text, ranks, threads), snapshots(lammps.path(f"{name}.dump"))


def same(found, wanted, what):
    """Every snapshot of `wanted`, to the digit; Brownian motion with the same noise forgets a difference."""
    require(set(wanted) <= set(found), f"{what}: steps {sorted(found)} of {sorted(wanted)}")
    for step, rows in wanted.items():
        require(found[step] == rows, f"{what}: step {step} differs")


def test_force_and_place_at_each_step_also_as_a_run_begins(lammps):
    """The force is K times what the end of the spring is ahead, at every step; where speeds change it is the same before and
    after."""
    done, found = run(lammps, VALUES + TURNED, every=1)
    at = {step: positions(rows) for step, rows in found.items()}
    ends = [HELIX.beads * c + b for c in range(COPIES) for b in (23, 24)]
    pull_end = tip_end = 0.0
    step = 0
    for k, ((pull, tip, dt, steps), table) in enumerate(zip(PLAN, done.thermo)):
        for row in range(steps + 1):
            along = np.mean([at[step][i][2] - at[0][i][2] for i in ends])
            for name, wanted in (("f_move[7]", K_PULL * (pull_end - along)),
                                 ("f_move[9]", K_TIP * (tip_end - table["f_move[10]"][row]))):
                require(abs(table[name][row] - wanted) < 1e-6, f"step {step}: {name} is {table[name][row]}, not {wanted}")
            if row < steps:
                pull_end, tip_end, step = pull_end + dt * pull, tip_end + dt * tip, step + 1
        for name in ("f_move[7]", "f_move[8]", "f_move[9]", "f_move[10]"):
            require(k == 0 or table[name][0] == done.thermo[k - 1][name][-1] != 0.0, f"{name} jumps before step {step - steps}")


reference = {}    # keywords without the scheme -> snapshots


def same_bits(lammps, ranks, threads, keywords, scheme, commands=TURNED):
    if keywords not in reference:
        reference[keywords] = run(lammps, commands, keywords=f"{keywords} scheme particle", backend="host")[1]
    same(run(lammps, commands, ranks, threads, keywords=f"{keywords} scheme {scheme}")[1], reference[keywords], "another way")


@pytest.mark.parametrize("order, ranks, threads, scheme", [
    pytest.param(order, ranks, threads, scheme, id=f"{order}, {ranks} rank(s) of {threads} thread(s), scheme {scheme}")
    for order in (1, 2)
    for ranks, threads, scheme in ((2, 1, "particle"), (3, 1, "pair"), (4, 1, "particle"), (1, 2, "pair"))])
def test_same_bits_order(lammps, order, ranks, threads, scheme):
    same_bits(lammps, ranks, threads, f"substeps 5 order {order} {PULL} {TIP}", scheme)


@pytest.mark.parametrize("order, ranks", [
    pytest.param(order, ranks, id=f"{order}, {ranks} rank(s), scheme block") for order in (1, 2) for ranks in (1, 4)])
def test_same_bits_pulled_alone_order(lammps, order, ranks):
    same_bits(lammps, ranks, 1, f"substeps 5 order {order} {PULL}", "block", re.sub("indent speed [^\n]*", "", TURNED))


def test_same_bits_shared_by_4_ranks(lammps):
    same_bits(lammps, 4, 1, f"substeps 1 {PULL} {TIP}", "particle")


def test_again(lammps):
    """A speed that is given again changes no bit; before the first step it is that of the fix command."""
    plain = run(lammps, "run 20\n")[1]
    speeds = "fix_modify move pull speed 1e-5\nfix_modify move indent speed 5e-5\n"
    same(run(lammps, f"{speeds}run 10\n{speeds}run 10\n")[1], plain, "the same speeds")
    other = PULL.replace("1e-5", "-7e-5"), TIP.replace("5e-5", "8e-5")
    same(run(lammps, f"{speeds}run 20\n", keywords=f"substeps 5 {other[0]} {other[1]}")[1], plain, "speeds before the first step")
    moved = run(lammps, "run 10\nfix_modify move pull speed 2e-5\nrun 10\n")[1]
    require(moved[10] == plain[10] and moved[20] != plain[20], "another speed changes nothing")


AGAIN = ("comm_modify cutoff 5.0\nread_restart {file}\nfix move all langevin/sop/gpu 300.0 300.0 {zeta!r} 4711 topology molecule.sop "
         "backend {backend} substeps 5 {keywords}\ntimestep {dt}\n")


def read_again(file, dt, keywords):
    return AGAIN.format(file=file, zeta=ZETA, backend=BACKEND, keywords=keywords, dt=dt)


@pytest.mark.parametrize("writers, readers, keywords", [
    pytest.param(writers, readers, keywords, id=f"{writers} rank(s) before and {readers} after, {keywords.split('pull')[0]}")
    for writers, readers, keywords in ((1, 1, f"{PULL} {TIP}"), (3, 2, f"rng taus {PULL} {TIP}"), (2, 4, f"order 2 {PULL} {TIP}"))])
def test_restart(lammps, writers, readers, keywords):
    """Files are written as the pull comes back, between a fix_modify and its run, and by a run that has read the first of them."""
    first, second, rest = TURNED.split("run 10\n", 2)
    through = run(lammps, TURNED, keywords=f"substeps 5 {keywords}")[1]
    run(lammps, f"{first}run 5\nwrite_restart back.restart\nrun 5\n{second}write_restart held.restart\n", writers,
        keywords=f"substeps 5 {keywords}")
    for file, dt, commands, begin in (
            ("back.restart", DT, f"run 5\n{second}write_restart later.restart\nrun 10\n{rest}", 17),
            ("held.restart", 0.5 * DT, f"run 10\n{rest}", 22), ("later.restart", 0.5 * DT, f"run 10\n{rest}", 22)):
        done = lammps.run(read_again(file, dt, keywords) + DUMP.format(name="late", every=2) + commands, readers)
        require("of the restart file" not in done.output and "has the state of" not in done.output, done.tail(60))
        same({step: rows for step, rows in snapshots(lammps.path("late.dump")).items() if step > begin},
             {step: rows for step, rows in through.items() if step > begin}, f"after {file}")
    # a speed that was given after the file has been read, and before anything has moved
    lammps.run(read_again("back.restart", DT, keywords) + second + "write_restart unmoved.restart\n", readers)
    found = {}
    for file, change in (("back", second), ("unmoved", "")):
        lammps.run(read_again(f"{file}.restart", 0.5 * DT, keywords) + change + DUMP.format(name=file, every=2) + "run 10\n",
                   writers)
        found[file] = snapshots(lammps.path(f"{file}.dump"))
    same(found["unmoved"], found["back"], "after unmoved.restart")
    require(found["back"][22] != through[22], "the speed is not changed early")


def test_restart_before_the_first_step(lammps):
    """A speed that has been given is in the file; also where the file is written before the steps get other numbers, and where
    the run goes on."""
    change = "fix_modify move pull speed -3e-5 indent speed 9e-5\n"
    plain = run(lammps, change + "run 10\n")[1]
    for ranks, before in ((1, ""), (2, "reset_timestep 100\n")):
        goes_on = run(lammps, f"{before}{change}write_restart first.restart\nreset_timestep 0\nrun 10\n", ranks)[1]
        same(goes_on, plain, "a run that goes on")
    run(lammps, change + "write_restart first.restart\n", 2)
    lammps.run(read_again("first.restart", DT, f"{PULL} {TIP}") + DUMP.format(name="late", every=2) + "run 10\n", 3)
    same(snapshots(lammps.path("late.dump")), plain, "after first.restart")


def test_told(lammps):
    """The pullfile has the speed of the lines that follow; the log tells it."""
    keywords = "pull 1 24 spring 0.3 2e-5 end pullfile pull.txt 2"
    done = run(lammps, "run 4\nfix_modify move pull speed -1e-5\nwrite_restart turned.restart\nrun 4\nrun 2\n"
               "fix_modify move pull speed 0\nrun 2\nwrite_restart held.restart\n", keywords=keywords)[0]
    require("  pulled by a spring of 208.4 pN/nm at 2e+06 um/s" in done.output and
            "Fix langevin/sop/gpu: the spring moves on at the speed -1e-05\n  pulled by a spring of 208.4 pN/nm at -1e+06 um/s"
            in done.output, done.tail())
    line = read_again("held.restart", DT, keywords).replace("substeps 5", "")
    done = lammps.run(line + "run 2\nfix_modify move pull speed 1e-5\nrun 2\n")
    require("at 0 um/s" in done.output, done.tail())
    lammps.run(line.replace("held", "turned").replace("pull.txt", "back.txt") + "run 2\n")
    lammps.run(line + "fix_modify move pull speed -3e-5\nrun 2\n")
    speeds = {}
    for name in ("pull.txt", "back.txt"):
        with open(lammps.path(name)) as file:
            lines = [line.split() for line in file if line.startswith("# units") or line.split()[1] == "1"]
        speeds[name] = [words[-1] if words[0] == "#" else int(words[0]) for words in lines]
    require(speeds["back.txt"] == ["-1e-05", 6], f"{speeds}")
    require(speeds["pull.txt"] == ["2e-05", 2, 4, "-1e-05", 6, 8, 10, "0", 12, 14, "1e-05", 16, "-3e-05", 14], f"{speeds}")


@pytest.mark.parametrize("keywords, words, error", [
    pytest.param(keywords, words, error, id=f"{keywords.split(' ')[0]}, {words}")
    for keywords, words, error in (
        ("", "pull speed -1e-5", "pull speed -1e-5, but the fix has no pull"),
        (PULL, "indent speed -1e-5", "indent speed -1e-5, but the fix has no indent"),
        ("pull 1 24 force 1 end", "pull speed 1e-5", "pull speed 1e-5, but the fix pulls with a constant force; only a spring has "
         "a speed"),
        (PULL, "pull", "pull wants speed V"),
        (PULL, "pull speed", "pull wants speed V; found speed"),
        (PULL, "pull reverse yes", "pull wants speed V; found reverse"),
        (PULL, "pull speed 1e999", "pull speed 1e999, must be finite"),
        (TIP, "indent speed inf", "indent speed inf, must be finite"))])
def test_refused(lammps, keywords, words, error):
    done = lammps.run(script(keywords=keywords) + f"run 2\nfix_modify move {words}\nrun 2\n", ok=False, timeout=60)
    require(done.status != 0 and done.errors == [f"Fix langevin/sop/gpu: fix_modify {error}"], f"{done.errors}\n{done.tail()}")
