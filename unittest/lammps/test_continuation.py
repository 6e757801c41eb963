"""A run that is interrupted goes on as if it had not been: one run ends in the same bits as two runs of half
as many steps, as one that starts from a file of the command restart, and as one that starts from a file of
write_restart, on any number of ranks before and after. But a velocity that has been changed in between is
the one that counts, and so are all where the time step has another number.

The box is orthogonal, atoms are moved by fix nve, and LAMMPS reneighbors at fixed steps, of which that of the
interruption is one. What is compared is a dump with all digits, sorted by ID, and of its bytes the SHA-256.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import hashlib
import re
import struct

import numpy as np
import pytest

from checks import require
from lammps_run import BACKEND, DIGITS, STATE, difference, digest

STEPS, HALF = 400, 200

# types and velocities depend on the number of ranks, so one file serves all
CREATE = """
units lj
region box block 0 6 0 5 0 5
create_box 2 box
create_atoms 1 random 450 9721 NULL
set type 1 type/fraction 2 0.4 881
mass 1 1.0
mass 2 1.5
velocity all create 1.0 87 loop geom
write_data start.data nocoeff
"""
START = "units lj\natom_style atomic\nread_data start.data\n"
STYLE = "pair_style dpd/gpu 1.0 1.0 4711 precision {precision} backend {backend}\n"
COEFF = """
pair_coeff 1 1 25 4.5 power 0.25
pair_coeff 1 2 35 9 1.2 power 0.25
pair_coeff 2 2 15 3 0.8 power 0.25
"""
# what a restart file does not have
REST = """
neigh_modify every 5 delay 0 check no
fix move all nve
timestep 0.005
thermo 100
thermo_modify norm no
"""
OVERLAY = """
pair_style hybrid/overlay dpd/gpu 1.0 1.0 4711 backend {backend} &
  dpd/gpu 1.0 0.9 17 precision double backend {backend}
"""
OVERLAY_COEFF = "pair_coeff * * dpd/gpu 1 25 4.5\npair_coeff * * dpd/gpu 2 5 2.0\n"
SYSTEMS = {
    "mixed": STYLE.format(precision="mixed", backend=BACKEND) + COEFF,
    "double": STYLE.format(precision="double", backend=BACKEND) + COEFF,
    "two sub-styles": OVERLAY.format(backend=BACKEND) + OVERLAY_COEFF,
}
# what pair hybrid does not have in restart files
AGAIN = {"mixed": "", "double": "", "two sub-styles": OVERLAY_COEFF}
PRECISIONS = ("mixed", "double")

start = []      # the file that all begin with
through = {}    # system -> what an uninterrupted run ends with


# ------------------------------------------------------------------------------------------ running

def fresh(system):
    return START + SYSTEMS[system] + REST


def read(name, system="mixed"):
    return f"read_restart {name}\n{AGAIN[system]}{REST}"


def run(lammps, commands, ranks=1):
    """LAMMPS must not have come upon data that nobody wanted, and warn of nothing but other ranks."""
    if not start:
        lammps.run(CREATE)
        with open(lammps.path("start.data")) as file:
            start.append(file.read())
    lammps.write("start.data", start[0])
    done = lammps.run(commands, ranks=ranks)
    require("Unused restart file" not in done.output, f"unused data:\n{done.tail(60)}")
    warnings = [line for line in done.output.split("\n")
                if line.startswith("WARNING") and "used different # of processors" not in line]
    require(not warnings, f"{warnings}")
    return done


def end(lammps, commands, ranks=1):
    """Final state of a run: (SHA-256 of the dump, dump)."""
    run(lammps, f"{commands}\nwrite_dump all custom end.dump {STATE} {DIGITS}\n", ranks)
    with open(lammps.path("end.dump"), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest(), lammps.dump("end.dump")


def uninterrupted(lammps, system="mixed"):
    """What every way must lead to."""
    if system not in through:
        through[system] = end(lammps, fresh(system) + f"run {STEPS}\n")
        dump = through[system][1]
        require(dump.step == STEPS, f"ended at step {dump.step}")
        # 3 N degrees of freedom, N = 450: relative standard error sqrt(2/3N) = 3.8 %
        mass = np.where(dump.column["type"] == 1, 1.0, 1.5)
        temperature = np.sum(mass[:, None] * dump.v**2) / (3 * len(mass))
        require(abs(temperature - 1.0) < 0.2, f"this is no fluid: temperature is {temperature}")
    return through[system]


def same(found, wanted):
    require(found[0] == wanted[0] and not difference(found[1], wanted[1]), difference(found[1], wanted[1]))


def differ(a, b):
    require(np.any(a[1].v != b[1].v), "no difference")


# --------------------------------------------------------------------------------- within one input


TWICE = f"run {HALF}\nrun {HALF}\n"
INPUTS = {
    "two runs": TWICE,
    "a run of four parts": f"run {STEPS} every {HALF // 2} NULL\n",
    "many runs, some of no step": f"run 0\nrun {HALF}\nrun 0\nrun 5\nrun 0\nrun 0\nrun {HALF - 5}\n",
    "restart files written in between": f"restart {HALF // 2} one.restart two.restart\nrun {HALF}\nwrite_restart three.restart\n"
                                        f"restart 0\nrun {HALF}\n",
    "halted, not at the step that was planned":
        f"variable now equal step\nfix stop all halt 1 v_now >= {HALF} error continue message no\n"
        f"run 99999\nunfix stop\nrun {HALF}\n",
    "out of time before the first step": f"run {HALF}\ntimer timeout 0\nrun 7\ntimer timeout off\nrun {HALF}\n",
    "coefficients set again, same pair style": f"run {HALF}\n{{style}}run {HALF}\n",
    "a part without set-up": f"run 100\nrun {HALF - 100} pre no\nrun {HALF}\n",
    "forces minimized for no step": f"run {HALF}\nminimize 0 0 0 0\nrun {HALF}\n",
}


def within_one_input(lammps, system, commands, ranks):
    commands = commands.replace("{style}", SYSTEMS[system])
    same(end(lammps, fresh(system) + commands, ranks), uninterrupted(lammps, system))


@pytest.mark.without_kokkos("out of time")
@pytest.mark.parametrize("system, commands", [
    pytest.param(system, commands, id=f"{system}: {name}")
    for system in PRECISIONS
    for name, commands in INPUTS.items()
    if system == "mixed" or name == "two runs"])
def test_within_one_input(lammps, system, commands):
    within_one_input(lammps, system, commands, 1)


@pytest.mark.parametrize("system", PRECISIONS)
def test_two_runs_2_ranks(lammps, system):
    within_one_input(lammps, system, TWICE, 2)


def test_two_sub_styles_two_runs_2_ranks(lammps):
    within_one_input(lammps, "two sub-styles", TWICE, 2)


def test_atoms_are_moved_to_the_other_rank_and_back_between_two_runs(lammps):
    """What is kept goes with them. Coordinates are rounded by that, but not integer positions."""
    run(lammps, fresh("mixed") + f"run {HALF}\nwrite_dump all custom a.dump {STATE} {DIGITS}\n"
        "displace_atoms all move 3 0 0\ndisplace_atoms all move -3 0 0\nrun 0\n"
        f"write_dump all custom b.dump {STATE} {DIGITS}\n", ranks=2)
    a, b = lammps.dump("a.dump"), lammps.dump("b.dump")
    require(np.max(np.abs(a.x - b.x)) < 1e-14, "other positions")
    require(np.array_equal(a.v, b.v) and np.array_equal(a.f, b.f), "other velocities or forces")


def test_forces_and_pressure_of_a_run_are_shown_again_by_the_next(lammps):
    """Thermo output at the step of the interruption, once by either run; and forces after run 0."""
    done = run(lammps, fresh("double") + f"run {HALF}\nwrite_dump all custom a.dump {STATE} {DIGITS}\n"
               f"thermo_modify line one format float %.17g\nrun 0\n"
               f"write_dump all custom b.dump {STATE} {DIGITS}\nrun 0\n")
    require(not difference(lammps.dump("a.dump"), lammps.dump("b.dump")), "the state differs")
    first, second, third = [[table[name][-1] for name in ("Temp", "E_pair", "Press")] for table in done.thermo]
    require(np.allclose(first, second, rtol=1e-7) and second == third, f"{first}, {second}, {third}")


# -------------------------------------------------------------------------------- from restart files


# file name: commands that write it
WRITTEN = {
    "write.restart": f"run {HALF}\nwrite_restart write.restart\n",
    f"during.{HALF}": f"restart {HALF} during.*\nrun {HALF + 5}\n",
    "by-turns.b": f"restart {HALF // 2} by-turns.a by-turns.b\nrun {HALF + 20}\n",    # the second of two
    f"parts.{HALF}.%": f"restart {HALF} parts.*.%\nrun {HALF}\n",
    "every.restart": f'run {HALF} every {HALF // 2} "write_restart every.restart"\n',
    "without-init.restart": f"run {HALF}\nwrite_restart without-init.restart noinit\n",
}


def from_file(lammps, system, name, before, after):
    wanted = uninterrupted(lammps, system)
    run(lammps, fresh(system) + WRITTEN[name], before)
    same(end(lammps, f"{read(name, system)}run {STEPS - HALF}\n", after), wanted)


@pytest.mark.parametrize("system, before, after, name", [
    pytest.param(system, before, after, name, id=f"{system}: {name}, from {before} to {after} rank(s)")
    for system in PRECISIONS
    for before, after in ((1, 1), (1, 2), (2, 1), (2, 3))
    for name in ("write.restart", f"during.{HALF}")
    if system == "mixed" or (before, after) == (2, 1)])
def test_from_file(lammps, system, before, after, name):
    from_file(lammps, system, name, before, after)


@pytest.mark.parametrize("name, ranks", [
    pytest.param(name, ranks, id=f"{name}, from {ranks[0]} to {ranks[1]} rank(s)")
    for name, ranks in (("by-turns.b", (1, 1)), (f"parts.{HALF}.%", (3, 2)), ("every.restart", (2, 2)),
                    ("without-init.restart", (1, 2)))])
def test_from_other_files(lammps, name, ranks):
    from_file(lammps, "mixed", name, *ranks)


def test_two_sub_styles_write_restart_from_1_to_2_ranks(lammps):
    from_file(lammps, "two sub-styles", "write.restart", 1, 2)


def test_chain(lammps):
    """Restart file of a restart file, beside another fix that keeps data of atoms.

    Its data come first in the files; one of them is read and written again without a run."""
    keep = "fix first all store/state 0 x y z\n"
    half = HALF // 2
    run(lammps, fresh("mixed") + f"{keep}run {half}\nwrite_restart a.restart\n")
    run(lammps, f"{read('a.restart')}{keep}write_restart b.restart\n")
    run(lammps, f"{read('b.restart')}{keep}run {half}\nwrite_restart c.restart\n", ranks=2)
    same(end(lammps, f"{read('c.restart')}{keep}run 0\nrun {HALF}\n"), uninterrupted(lammps))


def test_pair_style_given_again_after_read_restart(lammps):
    run(lammps, fresh("mixed") + WRITTEN["write.restart"])
    same(end(lammps, f"read_restart write.restart\n{SYSTEMS['mixed']}{REST}run {HALF}\n"), uninterrupted(lammps))


def test_restart_file_read_by_pair_style_dpd(lammps):
    """Only what LAMMPS says of any data that no fix has asked for."""
    run(lammps, fresh("mixed") + WRITTEN["write.restart"])
    style = "pair_style dpd 1.0 1.0 4711\npair_coeff * * 25 4.5\ncomm_modify vel yes\n"
    done = lammps.run(f"read_restart write.restart\n{style}{REST}run 10\n")
    for kind in ("global", "peratom"):
        require(f"Unused restart file {kind} fix info:\n  fix style: DPD_GPU/STATE, fix ID: DPD_GPU_STATE\n"
                in done.output, f"not said of {kind} data:\n{done.tail(60)}")
    require("WARNING" not in done.output, f"a warning:\n{done.tail(60)}")


def test_restart_file_without_a_run_before_nothing_is_kept_in_it(lammps):
    run(lammps, fresh("mixed") + "write_restart none.restart\n")
    done = run(lammps, f"{read('none.restart')}run 10\n")
    require("Resetting" not in done.output, done.tail(60))


# ------------------------------------------------------------------------ restart files that are damaged
class Restart:
    """A restart file, and where in it the fix's header and its values of atoms are: src/fix_dpd_gpu_state.cpp."""
    HEADER, VALUES = 32, 64    # bytes: mark, format, step, digest; how many, six velocities, digest

    def __init__(self, lammps):
        run(lammps, fresh("mixed") + "run 20\nwrite_restart good.restart\n")
        with open(lammps.path("good.restart"), "rb") as file:
            self.content = file.read()
        self.header = self.content.index(b"dpdsopvk")
        first = struct.pack("<d", self.VALUES / 8)
        places = [match.start() for match in re.finditer(re.escape(first), self.content)]
        self.atoms = [at for at in places
                      if digest(self.content[at + 8:at + 56]) == self.content[at + 56:at + 64]]
        require(digest(self.content[self.header:self.header + 24]) == self.content[self.header + 24:self.header + 32]
                and self.content.count(b"dpdsopvk") == 1 and len(self.atoms) == 450, f"{len(self.atoms)} atoms")

    def read(self, lammps, content, ranks=1):
        with open(lammps.path("found.restart"), "wb") as file:
            file.write(content)
        return lammps.run(f"{read('found.restart')}run 0\n", ranks=ranks, ok=False, timeout=60)

    def changed(self, bit):
        content = bytearray(self.content)
        content[bit // 8] ^= 1 << bit % 8
        return bytes(content)


def test_restart_damaged_bits_of_the_header_numbers_in_it(lammps):
    file = Restart(lammps)
    at = file.header
    cases = [(file.changed(8 * at + bit), ".*") for bit in range(3, 256, 11)]
    for step in (-2, -2**63):
        record = b"dpdsopvk" + struct.pack("<2q", 1, step)
        cases.append((file.content[:at] + record + digest(record) + file.content[at + 32:],
                      f"is damaged: its step is {step}, allowed are -1 and above"))
    cases.append((file.content[:at + 8] + struct.pack("<q", 7) + file.content[at + 16:],
                  "has a state of format 7, allowed is 1"))
    for k, (content, error) in enumerate(cases):
        done = file.read(lammps, content, 1 + k % 2)
        require(len(done.errors) == 1 and re.fullmatch(f"Fix DPD_GPU/STATE: the restart file {error}", done.errors[0]),
                f"{done.errors}\n{done.tail()}")
    require(file.read(lammps, file.content).status == 0, "the file that is not damaged is not read")


def test_restart_damaged_velocities_that_are_kept_of_an_atom(lammps):
    """One bit of what is kept of some atom, also where another rank has this atom."""
    file = Restart(lammps)
    draw = np.random.default_rng(5)
    for k in range(24):
        at = file.atoms[draw.integers(len(file.atoms))]
        bit = 8 * (at + 8) + int(draw.integers(8 * (file.VALUES - 8)))
        done = file.read(lammps, file.changed(bit), 1 + k % 3)
        require(len(done.errors) == 1 and re.fullmatch(r"Fix DPD_GPU/STATE: the restart file is damaged: the velocities "
                r"kept of atom \d+ have been changed", done.errors[0]), f"bit {bit}: {done.errors}\n{done.tail()}")


# ------------------------------------------------------------- velocities that LAMMPS has are honoured

# A data file has all digits of coordinates and velocities, and nothing that a fix keeps.

def afresh(lammps, step=HALF):
    """A run that starts from what state.data has."""
    first = fresh("mixed").replace("start.data", "state.data")
    return end(lammps, f"{first}reset_timestep {step}\nrun {HALF}\n")


def test_without_a_change_a_data_file_starts_another_trajectory(lammps):
    """Else the cases below would show nothing."""
    wanted = uninterrupted(lammps)
    run(lammps, fresh("mixed") + f"run {HALF}\nwrite_data state.data nocoeff\n")
    differ(afresh(lammps), wanted)


# name: commands between two runs, and the step at which the second begins
CHANGES = {
    "all velocities": ("velocity all scale 1.1", HALF),
    "number of the time step": ("reset_timestep 7", 7),
    "fix deleted by the user": ("unfix DPD_GPU_STATE", HALF),
    "other pair style in between": ("pair_style zero 1.3\npair_coeff * *\n" + SYSTEMS["mixed"], HALF),
}


def changed(lammps, change, step, ranks):
    found = end(lammps, fresh("mixed") + f"run {HALF}\n{change}\nwrite_data state.data nocoeff\nrun {HALF}\n", ranks)
    same(found, afresh(lammps, step))


@pytest.mark.parametrize("change, step", [pytest.param(change, step, id=name) for name, (change, step) in CHANGES.items()])
def test_changed_between_runs(lammps, change, step):
    changed(lammps, change, step, 1)


def test_changed_between_runs_all_velocities_2_ranks(lammps):
    changed(lammps, *CHANGES["all velocities"], 2)


def test_changed_after_read_restart_all_velocities(lammps):
    run(lammps, fresh("mixed") + WRITTEN["write.restart"])
    found = end(lammps, f"read_restart write.restart\nvelocity all scale 1.1\n{REST}"
                f"write_data state.data nocoeff\nrun {HALF}\n")
    same(found, afresh(lammps))


def test_changed_before_write_restart_all_velocities(lammps):
    run(lammps, fresh("mixed") + f"run {HALF}\nvelocity all scale 1.1\nwrite_restart new.restart\n"
        "write_data state.data nocoeff\n")
    same(end(lammps, f"{read('new.restart')}run {HALF}\n", 2), afresh(lammps))


def test_one_changed(lammps):
    """One velocity changed, atoms deleted and created: others go on as they were.

    Forces change on atoms within reach of the changed ones, to the bit, and on no other."""
    run(lammps, fresh("double") + f"run {HALF}\nwrite_dump all custom a.dump {STATE} {DIGITS}\n"
        "group one id 17\nvelocity one set 1.0 2.0 3.0\nrun 0\n"
        f"write_dump all custom b.dump {STATE} {DIGITS}\n"
        "group two id 18\ndelete_atoms group two compress no\ncreate_atoms 1 single 3.0 2.5 2.5\nrun 0\n"
        f"write_dump all custom c.dump {STATE} {DIGITS}\n", ranks=2)
    reach = 1.2    # the largest cutoff
    edges = np.array([6.0, 5.0, 5.0])
    a, b, c = [lammps.dump(f"{name}.dump") for name in "abc"]

    def check(p, q, centers):
        common, i, j = np.intersect1d(p.ids, q.ids, return_indices=True)
        moved = np.any(p.f[i] != q.f[j], axis=1)
        d = q.x[j][:, None, :] - np.array(centers)[None, :, :]
        near = np.min(np.linalg.norm(d - edges * np.round(d / edges), axis=2), axis=1) < reach
        require(not np.any(moved & ~near), f"atoms {common[moved & ~near]} have other forces")
        require(np.sum(moved) > 5, "no force has changed")
        require(len(common) - np.sum(near) > 100, "all are near")

    check(a, b, [a.x[a.ids == 17][0]])
    check(b, c, [a.x[a.ids == 18][0], [3.0, 2.5, 2.5]])


# --------------------------------------------------------------------------------- life of the fix

@pytest.mark.without_kokkos
def test_styles_come_and_go(lammps):
    """The fix is there as long as a pair style of this kind is, and after clear everything is new."""
    count = '\nprint "fixes = $(is_defined(fix,DPD_GPU_STATE))"\n'
    zero = "pair_style zero 1.3\npair_coeff * *\nrun 3\n"
    text = (fresh("mixed") + count + "velocity all scale 1.0\nminimize 0 0 0 0\n" + count + "run 5\n" + count
            + zero + count + SYSTEMS["two sub-styles"] + "run 5\n" + count + "run 5\n" + SYSTEMS["mixed"] + count
            + "run 5\n" + count + "unfix DPD_GPU_STATE\nrun 5 pre no\nrun 5\n" + count
            + "pair_style none\n" + count + "clear\n" + fresh("double") + count + f"run {HALF}\nrun {HALF}\n")
    done = run(lammps, text + f"write_dump all custom end.dump {STATE} {DIGITS}\n")
    require(done.printed("fixes") == [0, 0, 1, 0, 1, 0, 1, 1, 0, 0], f"{done.printed('fixes')}")
    require(not difference(lammps.dump("end.dump"), uninterrupted(lammps, "double")[1]), "the end differs")


def test_replicate_after_a_run_and_after_read_restart(lammps):
    """LAMMPS replicates no atoms of which a fix keeps something: the fix can be taken away."""
    run(lammps, fresh("mixed") + f"run {HALF}\nwrite_restart a.restart\nunfix DPD_GPU_STATE\n"
        "write_restart b.restart\nreplicate 2 1 1\nrun 10\n")
    run(lammps, f"{read('a.restart')}run 0\nunfix DPD_GPU_STATE\nreplicate 2 1 1\nrun 10\n", ranks=2)
    run(lammps, f"read_restart b.restart\nreplicate 2 1 1\n{REST}run 10\n", ranks=2)


@pytest.mark.without_kokkos
def test_the_id_is_used_by_another_fix(lammps):
    run(lammps, fresh("mixed"))
    done = lammps.run(fresh("mixed") + "fix DPD_GPU_STATE all momentum 1 linear 1 1 1\nrun 1\n", ok=False)
    wanted = "Pair dpd/gpu: fix ID DPD_GPU_STATE is used for a fix of style momentum, allowed is any other ID"
    require(done.errors == [wanted], f"{done.errors}\n{done.tail()}")
