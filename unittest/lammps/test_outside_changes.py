"""What other commands change outside pair_style dpd/gpu while it keeps a neighbor list of its own: types of atoms
between two lists (set, fix set, fix atom/swap, fix sgcmc), and pairs that are to be left out (neigh_modify exclude;
fix gcmc and fix widom, which take atoms away by exclusions).

Monte Carlo moves are compared with those of LAMMPS's own pair dpd in the same input. Both draw the same random
numbers and decide by the conservative energy alone. Where noise and friction are off (T = 0, gamma = 0), or moves
alone displace atoms, that energy is the same but for rounding, and every decision must be the same.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import random
import re

import numpy as np
import pytest

from checks import Failed, require
from lammps_run import BACKEND, DIGITS, chains, difference, relative

SEED, DT = 4711, 0.005
CLOSE = 1e-9    # for what differs by rounding in double precision; found are 3e-12 and less
EDGES, ATOMS = (8.0, 5.0, 5.0), 600    # two ranks share the long edge

# A and cutoff of the pairs of types. With equal cutoffs, other types need no other list.
EQUAL = {(1, 1): (25.0, 1.0), (1, 2): (40.0, 1.0), (2, 2): (80.0, 1.0)}
UNLIKE = {(1, 1): (25.0, 1.0), (1, 2): (40.0, 1.2), (2, 2): (80.0, 0.8)}
CUTOFFS = {"equal cutoffs": EQUAL, "cutoffs by type": UNLIKE}
RANKS = {"1 rank": 1, "2 ranks": 2}


@pytest.fixture(autouse=True)
def files(lammps):
    """Data files of a fluid; its first 60 atoms belong to no molecule, the others to molecules of six."""
    draw = random.Random(9721)
    atoms, velocities = [], []
    for tag in range(1, ATOMS + 1):
        place = " ".join(repr(draw.uniform(0, edge)) for edge in EDGES)
        atoms.append((tag, 0 if tag <= 60 else 1 + (tag - 61) // 6, 2 if draw.random() < 0.4 else 1, place))
        velocities.append(f"{tag} " + " ".join(repr(draw.gauss(0, 1)) for _ in range(3)))
    head = ["fluid", "", f"{ATOMS} atoms", "2 atom types"]
    head += [f"0 {edge} {axis}lo {axis}hi" for axis, edge in zip("xyz", EDGES)]
    head += ["", "Masses", "", "1 1.0", "2 1.5", "", "Atoms", ""]
    for kind, form in (("atomic", "{0} {2} {3}"), ("molecular", "{0} {1} {2} {3}")):
        rows = [form.format(*atom) for atom in atoms]
        lammps.write(f"{kind}.data", "\n".join(head + rows + ["", "Velocities", "", *velocities, ""]))
    lammps.write("chains.data", chains(30, 6, 4.5)[0])
    lammps.write("small.data", chains(4, 6, 1.6)[0])
    lammps.write("pair.mol", "two beads\n\n2 atoms\n\nCoords\n\n1 0 0 0\n2 0.4 0 0\n\nTypes\n\n1 1\n2 2\n")


THERMO = "thermo 1\nthermo_style custom step pe {}\nthermo_modify norm no format float %.17g\n"
NVE = "fix move all nve\n"
DUMP = f"write_dump all custom {{}} id type x y z vx vy vz fx fy fz {DIGITS}\n"


def fluid(data="atomic", kind="atomic", every=5):
    return f"""
units lj
atom_style {kind}
atom_modify map yes
processors * 1 1
comm_modify vel yes
read_data {data}.data
timestep {DT}
neigh_modify every {every} delay 0 check no
{THERMO.format('')}"""


def coefficients(pairs, gamma, style=""):
    return "".join(f"pair_coeff {i} {j} {style} {a} {gamma} {cutoff}\n" for (i, j), (a, cutoff) in pairs.items())


def ours(pairs, T=1.0, gamma=4.5, words=""):
    return f"pair_style dpd/gpu {T} 1.2 {SEED} backend {BACKEND} {words}\n" + coefficients(pairs, gamma)


def theirs(pairs, T=1.0, gamma=4.5):
    return f"pair_style dpd {T} 1.2 {SEED}\n" + coefficients(pairs, gamma)


def same(a, b, what):
    different = difference(a, b)
    if different:
        raise Failed(f"{what}: {different}")


def says(done):
    """It tells once, and that in all runs of the input, that it uses its own list."""
    lines = re.findall(r"^Pair dpd/gpu: .*neighbor list.*$", done.output, re.M)
    require(len(lines) == 1 and lines[0].endswith("own neighbor list"), f"another list: {lines}")
    return done


# ------------------------------------------------------------------------- types between two lists


# Atoms in the middle of a rank's part meet no ghost, nor does any ghost of theirs meet an atom. The other commands
# change types of ghosts: LAMMPS brings these up to date only with a new list, and its own pair dpd computes with
# the old ones until then. Ours takes the types of today.
MIDDLE = """
region left block 1.55 2.45 1.55 3.45 1.55 3.45
region right block 5.55 6.45 1.55 3.45 1.55 3.45
region middle union 2 left right
group middle region middle
set group middle type/fraction 2 0.5 77
"""
SETS = {"set in the middle": MIDDLE, "set type": "set type 2 type 1\n", "set atom": "set atom 1*200 type 2\n"}


@pytest.mark.parametrize("ranks", RANKS.values(), ids=RANKS)
@pytest.mark.parametrize("pairs", CUTOFFS.values(), ids=CUTOFFS)
@pytest.mark.parametrize("command", SETS.values(), ids=SETS)
def test_run_with_pre_no_after(lammps, command, pairs, ranks):
    """After the first run no atom moves: the others have the same state, but for the number of the step."""
    done = lammps.run(fluid(every=1000) + ours(pairs) + NVE + "run 20\nunfix move\nrun 0\n"
                      + command + "run 2 pre no\n" + DUMP.format("kept") + "run 0\n" + DUMP.format("anew"), ranks)
    says(done)
    same(lammps.dump("kept"), lammps.dump("anew"), "pre no and pre yes")
    first, kept, anew = (table["PotEng"] for table in done.thermo[-3:])
    require(first[0] != anew[0], "no type was changed")
    require(kept[-1] == anew[0], f"energies with pre no and pre yes: {kept[-1]!r}, {anew[0]!r}")


# LAMMPS makes ghosts and lists for the skin and cutoffs of the last set-up: a run without one goes on with them.
LATER = {"a smaller skin": "neighbor 0.02 bin\n", "a larger skin": "neighbor 0.9 bin\n",
         "a larger cutoff": "pair_coeff 1 2 40 4.5 1.9\n"}


@pytest.mark.parametrize("ranks", RANKS.values(), ids=RANKS)
@pytest.mark.parametrize("pairs", CUTOFFS.values(), ids=CUTOFFS)
@pytest.mark.parametrize("command", LATER.values(), ids=LATER)
def test_run_with_pre_no_after_kept_till_set_up(lammps, command, pairs, ranks):
    for name, words in (("as_before", ""), ("changed", command)):
        done = lammps.run(fluid() + ours(pairs) + NVE + "run 7\n" + words
                          + "run 20 pre no\n" + DUMP.format(name) + "run 0\n" + DUMP.format(name + "_anew"), ranks)
        says(done)
    same(lammps.dump("as_before"), lammps.dump("changed"), "pre no")
    if "pair_coeff" in command:
        require(difference(lammps.dump("as_before_anew"), lammps.dump("changed_anew")), "the cutoff is never taken")


# fix set acts after a step and asks for no new list (its 0). No atom comes to the walls of the box, as where one
# is wrapped, rounding would tell when lists are made.
CHANGING = """
region rim block 0.7 7.3 0.7 4.3 0.7 4.3 side out
delete_atoms region rim compress no
neighbor 0.8 bin
variable kind atom "1+((id+step)%3 == 0)"
fix change all set 2 0 group {group} type v_kind
"""
WHICH = {"in the middle": MIDDLE + CHANGING.format(group="middle"), "everywhere": CHANGING.format(group="all")}


@pytest.mark.parametrize("ranks", RANKS.values(), ids=RANKS)
@pytest.mark.parametrize("pairs", CUTOFFS.values(), ids=CUTOFFS)
@pytest.mark.parametrize("change", WHICH.values(), ids=WHICH)
def test_fix_set_in_a_run(lammps, change, pairs, ranks):
    for name, every in (("kept", 1000), ("anew", 1)):
        says(lammps.run(fluid(every=every) + ours(pairs) + change + NVE + "run 15\n"
                        + DUMP.format(name), ranks))
    same(lammps.dump("kept"), lammps.dump("anew"), "old lists and new ones")


# -------------------------------------------------------------------------------- Monte Carlo moves

def same_moves(lammps, start, commands, columns, pairs, ranks, steps, T, gamma):
    """Both styles must decide alike. No column may be all zeros: then nothing would be tested."""
    tables = []
    for style in (ours(pairs, T, gamma, "precision double"), theirs(pairs, T, gamma)):
        done = lammps.run(start + style + commands + THERMO.format(columns) + f"run {steps}\n", ranks)
        tables.append(done.thermo[-1])
        if "dpd/gpu" in style:
            says(done)
    for name, wanted in tables[1].items():
        apart = np.abs(tables[0][name] - wanted)
        require(np.all(apart <= CLOSE * np.abs(wanted)),
                f"{name} in steps {tables[1]['Step'][apart > CLOSE * np.abs(wanted)]}, by up to {apart.max():.3g}:\n"
                f"{tables[0][name]}\nwith pair dpd:\n{wanted}")
        require(np.any(wanted), f"{name} is always 0")


NOISY, FROZEN = (1.0, 4.5), (0.0, 0.0)    # T and gamma


@pytest.mark.parametrize("ranks", RANKS.values(), ids=RANKS)
@pytest.mark.parametrize("pairs", CUTOFFS.values(), ids=CUTOFFS)
def test_fix_atom_swap(lammps, pairs, ranks):
    same_moves(lammps, fluid(), NVE + "fix mc all atom/swap 5 10 29494 3.0 ke no types 1 2\n", "f_mc[1] f_mc[2]",
               pairs, ranks, 40, *FROZEN)


# Every 7 steps, so that most moves come between two lists. With the wide skin LAMMPS's lists have all pairs of an
# atom that takes the other type, also where that has the longer cutoff. One rank: with a style other than eam,
# fix sgcmc takes no more.
SGCMC = "neighbor 0.8 bin\nfix mc all sgcmc 7 0.05 {} -10 randseed 811\n"


@pytest.mark.parametrize("pairs", CUTOFFS.values(), ids=CUTOFFS)
def test_fix_sgcmc(lammps, pairs):
    same_moves(lammps, fluid(), NVE + SGCMC.format(3.0), "f_mc[1] f_mc[2] f_mc[3]", pairs, 1, 42, *FROZEN)


@pytest.mark.statistical
def test_fix_sgcmc_in_a_fluid_with_noise(lammps):
    """Means over the second half of 490 steps, with 864 moves. Six runs with other seeds deviate by 0.06 in the
    energy of an atom (7.85), by 0.007 in the share of type 1 (0.44), and by 13 in the moves accepted (250), which
    is what 864 independent moves would: five deviations of a difference of two are allowed. Where no move has an
    energy, the energy is 10.5, and the share 0.2."""
    means = []
    for style in (ours(EQUAL), theirs(EQUAL)):
        done = lammps.run(fluid() + style + NVE + "thermo 200\nrun 200\n" + SGCMC.format(1.0)
                          + THERMO.format("f_mc[1] f_mc[2] f_mc[3]") + "thermo 7\nrun 490\n")
        if "dpd/gpu" in style:
            says(done)
        half = {name: column[len(column) // 2:] for name, column in done.thermo[-1].items()}
        require(sum(half["f_mc[1]"] + half["f_mc[2]"]) == 864, "not 864 moves")
        means.append((half["PotEng"].mean() / ATOMS, half["f_mc[3]"].mean(), half["f_mc[1]"].sum()))
    for name, mine, wanted, deviation in zip(("energy", "share", "accepted"), *means, (0.06, 0.007, 13.0)):
        require(abs(mine - wanted) < 5 * deviation * 2**0.5, f"{name} {mine}, with pair dpd {wanted}")


# --------------------------------------------------------------------------------------- exclusions


EXCLUSIONS = {
    "type 1 2": ("exclude type 1 2",),
    "type 1 1 and 2 2": ("exclude type 1 1", "exclude type 2 2"),
    "groups that overlap": ("exclude group low middle",),
    "group and itself": ("exclude group low low",),
    "molecule/intra": ("exclude molecule/intra all",),
    "molecule/inter": ("exclude molecule/inter low",),
    "all kinds": ("exclude type 2 2", "exclude group low middle", "exclude molecule/intra middle"),
}
GROUPS = "group low id <= 300\ngroup middle id 200:450\n"

CHAINS = """
mass * 1.0
bond_style harmonic
bond_coeff 1 50.0 0.45
special_bonds lj {}
velocity all create 1.0 87 loop geom
"""


def state(lammps, start, style, commands, ranks):
    done = lammps.run(start + style + commands + NVE + "run 12\n" + DUMP.format("now"), ranks)
    if "dpd/gpu" in style:
        says(done)
    return lammps.dump("now")


def as_pair_dpd(lammps, start, commands, ranks):
    own = state(lammps, start, ours(UNLIKE, 0.0, 0.0, "precision double"), commands, ranks)
    wanted = state(lammps, start, theirs(UNLIKE, 0.0, 0.0), commands, ranks)
    require(relative(own.f, wanted.f) < CLOSE, f"forces of pair dpd differ by {relative(own.f, wanted.f)}")


@pytest.mark.parametrize("ranks", RANKS.values(), ids=RANKS)
@pytest.mark.parametrize("modify", EXCLUSIONS.values(), ids=EXCLUSIONS)
def test_exclude(lammps, modify, ranks):
    start = fluid("molecular", "molecular")
    commands = GROUPS + "".join(f"neigh_modify {words}\n" for words in modify)
    as_pair_dpd(lammps, start, commands, ranks)
    own = state(lammps, start, ours(UNLIKE), commands, ranks)
    if ranks > 1:
        same(own, state(lammps, start, ours(UNLIKE), commands, 1), "several ranks and one")
    else:
        require(difference(own, state(lammps, start, ours(UNLIKE), "", ranks)), "nothing was excluded")


BONDED = "group low id <= 12\nneigh_modify exclude molecule/intra low\nneigh_modify exclude type 1 2\n"
MORE = {
    "in chains with special factors": (fluid("chains", "molecular") + CHAINS.format("0.2 0.5 0.7"), BONDED),
    "in a box of 1.3 cutoffs": (fluid("small", "molecular") + CHAINS.format("1 1 1"), BONDED),
    "in a triclinic box": (fluid("molecular", "molecular") + "change_box all triclinic xy final 1.0 yz final -0.5\n",
                           GROUPS + "neigh_modify exclude group low middle\n"),
    "a group that changes between runs": (fluid(), GROUPS + NVE + "neigh_modify exclude group low middle\nrun 7\n"
                                          "group low clear\ngroup low id 400:600\nunfix move\n"),
    "from the second run on": (fluid(), NVE + "run 7\nneigh_modify exclude type 1 2\nunfix move\n"),
    "up to the second run": (fluid(), "neigh_modify exclude type 1 2\n" + NVE + "run 7\n"
                             "neigh_modify exclude none\nunfix move\n"),
}


@pytest.mark.parametrize("ranks", RANKS.values(), ids=RANKS)
@pytest.mark.parametrize("case", MORE.values(), ids=MORE)
def test_exclude_and_more(lammps, case, ranks):
    as_pair_dpd(lammps, *case, ranks)


OVERLAY = (f"pair_style hybrid/overlay dpd/gpu 1.0 1.2 {SEED} backend {BACKEND} zero 1.3\n"
           + coefficients(UNLIKE, 4.5, "dpd/gpu") + "pair_coeff * * zero\n")


@pytest.mark.parametrize("ranks", RANKS.values(), ids=RANKS)
def test_exclude_in_hybrid_overlay_with_zero(lammps, ranks):
    """Beside a style that computes nothing, but has a list of LAMMPS's."""
    commands = "neigh_modify exclude type 1 2\n"
    own = state(lammps, fluid(), OVERLAY, commands, ranks)
    same(own, state(lammps, fluid(), ours(UNLIKE), commands, ranks), "in an overlay and alone")


# ---------------------------------------------------- atoms that fixes put in and take away by exclusions


GCMC = "group gas {group}\nfix mc gas gcmc 2 6 4 {what} full_energy\n"
ATOMS_OF_TYPE = GCMC.format(group="type 2", what="2 29494 5.0 25.0 0.2")
MOLECULES = "molecule pair pair.mol\n" + GCMC.format(group="empty", what="0 29494 9.0 50.0 0.2 mol pair")
WIDOM = "group gas empty\nfix mc gas widom 2 8 {} full_energy\n"
COUNTS = "f_mc[1] f_mc[2] f_mc[3] f_mc[4] f_mc[5] f_mc[6]"
START = {"atomic": fluid(), "molecular": fluid("molecular", "molecular")}


# still: noise is there, but only moves displace atoms; moving: conservative forces do so too
@pytest.mark.parametrize("commands, columns, kind, first, bath, ranks", [
    pytest.param(commands, columns, kind, first, bath, ranks, id=f"{name}, {moves}, {ranks} rank(s)")
    for name, commands, columns, kind, most in (
        ("fix gcmc, atoms", ATOMS_OF_TYPE, COUNTS, "atomic", 2),
        ("fix gcmc, molecules", MOLECULES, COUNTS + " f_mc[7] f_mc[8]", "molecular", 1),
        ("fix widom, atoms", WIDOM.format("1 29494 2.0"), "f_mc[1] f_mc[2]", "atomic", 2),
        ("fix widom, molecules", "molecule pair pair.mol\n" + WIDOM.format("0 29494 2.0 mol pair"), "f_mc[1] f_mc[2]",
         "molecular", 1))
    for moves, (first, bath) in (("still", ("", NOISY)), ("moving", (NVE, FROZEN)))
    for ranks in range(1, most + 1)])
def test_gcmc_and_widom(lammps, commands, columns, kind, first, bath, ranks):
    same_moves(lammps, START[kind], first + commands, columns, UNLIKE, ranks, 20, *bath)


# --------------------------------------------------------------------- an exponent that has no meaning

@pytest.mark.parametrize("power, error", [
    (101, True), ("100.0001", True), ("1e6", True), (100, False)])
def test_pair_coeff_with_power(lammps, power, error):
    done = lammps.run(fluid() + ours(EQUAL) + f"pair_coeff 1 2 25 4.5 power {power}\n" + NVE + "run 2\n", ok=not error)
    wanted = [f"Pair dpd/gpu: pair_coeff: power is {power}, allowed are numbers > 0 and <= 100"] if error else []
    require(done.errors == wanted, f"errors: {done.errors}\n{done.tail()}")
