"""Forces, energies and stresses of pair_style dpd/gpu inside LAMMPS, against the plain double loop of
reference_dpd.py: in every kind of box, with types, molecules, exclusions, other pair styles, and after
everything that changes atoms, boxes or coefficients between or within runs.

What is compared are the forces of the last step of a run, as a step makes them: from positions at its end and
velocities half a step before. These are v - (dt/2) f/m with what fix nve has left in v and f; the sum is
rounded, but the noise takes the eleven leading bits of the velocity, which such an error hardly ever reaches.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import math
import re

import numpy as np
import pytest

from checks import require
from lammps_run import BACKEND, DIGITS, Reference, chains, relative
from reference_dpd import bond_partners

SEED, DT, KT = 4711, 0.005, 1.0

# Largest deviation over the root mean square. double: the engine's logarithm and cosine are good to 4.3e-12
# and 1.1e-10, a deviate is at most 6.66 of them. mixed: positions of 32 bits and float arithmetic;
# 1 - r/rc loses digits near the cutoff, so that a weight (1 - r/rc)^s with s < 1 is good to eps^s only, and
# hence the 90 % quantile is compared: a rare pair may be off.
TOLERANCE = {"double": 1e-9, "mixed": 5e-6}

# pairs of types: A, gamma, cutoff, power
ONE = {(1, 1): (25.0, 4.5, 1.0, 1.0)}
TWO = {(1, 1): (25.0, 4.5, 1.0, 0.25), (1, 2): (35.0, 9.0, 1.2, 0.5), (2, 2): (15.0, 3.0, 0.8, 2.0)}

NVE = "fix move all nve\n"

# ------------------------------------------------------------------------------------------- input

def box_text(region, atoms, types, first="", atom_style="atomic", fill=None):
    """A box, atoms (of them 40 % of type 2, where there are two types) and velocities."""
    if fill is None:
        fill = f"region box {region}\ncreate_box {types} box\n"
        if atoms:
            fill += f"create_atoms 1 random {atoms} 9721 NULL\n"
        if atoms and types > 1:
            fill += "set type 1 type/fraction 2 0.4 881\n"
    masses = "".join(f"mass {t} {1.0 + 0.5 * (t - 1)}\n" for t in range(1, types + 1))
    speed = "velocity all create 1.0 87 loop geom\n" if atoms else ""
    return (f"units lj\natom_style {atom_style}\n{first}\n{fill}{masses}{speed}neighbor 0.3 bin\n"
            f"neigh_modify every 5 delay 0 check no\ntimestep {DT}\n")


def coefficients_text(coefficients, style=""):
    return "".join(f"pair_coeff {i} {j} {style} {a} {gamma} {cutoff} power {power}\n"
                   for (i, j), (a, gamma, cutoff, power) in coefficients.items())


def style_words(coefficients, precision="double", seed=SEED):
    """pair_style without its first word."""
    cutoff = max(values[2] for values in coefficients.values())
    return f"dpd/gpu {KT} {cutoff} {seed} precision {precision} backend {BACKEND}"


# the reduction is there to have energies and stresses of atoms tallied in the last step
OUTPUT = """
compute e all pe pair
compute p all pressure NULL pair
compute ea all pe/atom pair
compute sa all stress/atom NULL pair
compute tally all reduce max c_ea c_sa[1]
thermo_style custom step c_e c_p[1] c_p[2] c_p[3] c_p[4] c_p[5] c_p[6] c_tally[1] c_tally[2]
thermo 10
"""
FINISH = f"""
print "energy = $(c_e:%.17g)"
print "pressure = $(c_p[1]:%.17g) $(c_p[2]:%.17g) $(c_p[3]:%.17g) $(c_p[4]:%.17g) $(c_p[5]:%.17g) $(c_p[6]:%.17g)"
print "volume = $(vol:%.17g)"
write_dump all custom now.dump id type mass x y z vx vy vz fx fy fz c_ea c_sa[*] {DIGITS}
"""


def force_case(lammps, region="", atoms=0, coefficients=ONE, types=None, first="", atom_style="atomic", fill=None,
               make="", pair=None, fixes=NVE, run="run 12\n", ranks=1, precision="double", files=None,
               **options):
    """One row of the tables below: the input, in the order of its parts, and what check() is told."""
    for name, text in (files or {}).items():
        lammps.write(name, text)
    types = types or max(j for _, j in coefficients)
    if pair is None:
        pair = f"pair_style {style_words(coefficients, precision)}\n{coefficients_text(coefficients)}"
    commands = [box_text(region, atoms, types, first, atom_style, fill), make, pair, fixes, OUTPUT, run, FINISH]
    return check(lammps, "\n".join(commands), coefficients, ranks, precision, **options)


# -------------------------------------------------------------------------------------- comparison

def check(lammps, commands, coefficients, ranks=1, precision="double", half=True, pairs=None, dt=DT, kT=KT,
          seed=SEED, periodic=None, says=None, lonely=False, final=None, second=None, **options):
    """Runs commands and compares the state that they leave.

    half      velocities of the forces were half a step old
    pairs     (i, j, types, distance) -> force over distance and energy of a further interaction
    periodic  images to count, where they are not those of the box
    says      what LAMMPS must have printed
    lonely    no forces are fine
    final     the coefficients at the end
    second    coefficients and seed of a second dpd/gpu on top
    options   go to the reference"""
    done = lammps.run(commands, ranks=ranks)
    require(not says or re.search(says, done.output), f"LAMMPS did not say '{says}'")
    dump = lammps.dump("now.dump")
    if periodic:
        dump.periodic = periodic
    velocities = dump.v - (0.5 * dt / dump.column["mass"][:, None] * dump.f if half else 0.0)
    forces, energies, virials = 0.0, 0.0, 0.0
    for table, number in [(final or coefficients, seed)] + ([second] if second else []):
        wanted = Reference(dump, table, kT, dt, number, **options)
        wanted.v = dict(zip(wanted.order, velocities.tolist()))
        parts = wanted.forces(dump.step)
        forces, energies, virials = forces + parts[0], energies + parts[1], virials + parts[2]
    if pairs:
        add_pairs(wanted, pairs, forces, energies, virials)
    return compare(done, dump, forces, energies, virials, precision, lonely)


def compare(done, dump, forces, energies, virials, precision, lonely):
    energy, volume = done.printed("energy")[-1], done.printed("volume")[-1]
    virial = np.array(done.printed("pressure")[-6:]) * volume
    stress = dump.vectors(*(f"c_sa[{k}]" for k in range(1, 7)))
    found = {"force": (dump.f, forces), "energy": (energy, energies.sum()), "virial": (virial, virials.sum(axis=0)),
             "energy of an atom": (dump.column["c_ea"], energies), "stress of an atom": (-stress, virials),
             "sum of energies": (dump.column["c_ea"].sum(), energy), "sum of stresses": (-stress.sum(axis=0), virial)}
    for name, (a, b) in found.items():
        size = relative(a, b, None if precision == "double" else 0.9)
        # these sum over pairs of either sign
        allowed = TOLERANCE[precision] * (20 if name in ("virial", "sum of stresses") else 1)
        require(size <= allowed, f"{name} differs by {size:.2e} of its size, allowed are {allowed:.0e}")
    require(lonely or np.abs(forces).max() > 1.0, "no forces: nothing was tested")
    return f"forces agree to {relative(dump.f, forces):.1e}"


def add_pairs(reference, pairs, forces, energies, virials):
    row = {i: k for k, i in enumerate(reference.order)}
    for i, j, d in reference.pairs():
        over_r, energy = pairs(i, j, reference.types, math.dist(d, (0, 0, 0)))
        d = np.array(d)
        forces[row[i]] += over_r * d
        energies[row[i]] += 0.5 * energy
        virials[row[i]] += 0.5 * over_r * np.array([d[0] * d[0], d[1] * d[1], d[2] * d[2], d[0] * d[1],
                                                    d[0] * d[2], d[1] * d[2]])


def cases(table, **common):
    return [pytest.param({**common, **row}, id=name) for name, row in table.items()]


def on_ranks(table, ranks, **common):
    """The cases of a table, once for each number of ranks."""
    return [case for n in ranks for case in cases({f"{name}, {n} rank(s)": row for name, row in table.items()}, ranks=n, **common)]


# ------------------------------------------------------------------------------------ kinds of boxes


CUBE = {"region": "block 0 5 0 5 0 5", "atoms": 375}
PRISM = {"region": "prism 0 5 0 5 0 4 1.2 -0.8 0.6", "atoms": 300}
WALLS = NVE + "fix walls all wall/reflect {}\n"
PLANE = {"region": "block 0 10 0 10 -0.5 0.5", "atoms": 200, "first": "dimension 2",
         "fixes": NVE + "fix plane all enforce2d\n", "periodic": (1, 1, 0)}

BOXES = {
    "cube": CUBE,
    "far from the origin": {"region": "block -1001.5 -997.1 12.25 17.25 -0.5 3.5", "atoms": 264},
    "triclinic": PRISM,
    "triclinic, tilted far": {"region": "prism -3 2 0 5 0 5 -2.4 1.9 -2.2", "atoms": 375},
    "not periodic": {**CUBE, "first": "boundary f f f",
                     "fixes": WALLS.format("xlo EDGE xhi EDGE ylo EDGE yhi EDGE zlo EDGE zhi EDGE")},
    "shrink-wrapped": {**CUBE, "first": "boundary s s s"},
    "shrink-wrapped with a minimum": {**CUBE, "first": "boundary m s p"},
    "one face open": {**CUBE, "first": "boundary p p fs", "fixes": WALLS.format("zlo EDGE")},
    "triclinic, ends in z": {"region": "prism 0 5 0 5 0 5 1.0 0.0 0.0", "atoms": 375, "first": "boundary p p s"},
    "cube of 1.5 cutoffs": {"region": "block 0 1.8 0 1.8 0 1.8", "atoms": 17},
    "cube of 0.9 cutoffs": {"region": "block 0 1.1 0 1.1 0 1.1", "atoms": 4},
    "cube of 0.5 cutoffs, images of one's own": {"region": "block 0 0.6 0 0.6 0 0.6", "atoms": 3},
    "triclinic of 1.2 cutoffs": {"region": "prism 0 1.4 0 1.5 0 1.6 0.5 0.4 -0.6", "atoms": 10},
    "slab": {"region": "block 0 10 0 10 0 1.2", "atoms": 360},
    "rod": {"region": "block 0 1.2 0 1.2 0 60", "atoms": 259},
    "two dimensions": PLANE,
    "two dimensions, triclinic": {**PLANE, "region": "prism 0 10 0 10 -0.5 0.5 3 0 0"},
    "two dimensions, shrink-wrapped": {**PLANE, "first": "dimension 2\nboundary s p p", "periodic": (0, 1, 0)},
    "dense": {"region": "block 0 3 0 3 0 3", "atoms": 540},
    "dilute": {"region": "block 0 20 0 20 0 20", "atoms": 500},
    "atoms in a corner": {"region": "block 0 20 0 20 0 20", "make":
                          "region corner block 17 20 17 20 17 20\ncreate_atoms 1 random 80 9 corner\n"
                          "create_atoms 2 random 20 10 corner\nvelocity all create 1.0 87 loop geom"},
}
FOUR_RANKS = ("cube", "triclinic", "cube of 0.9 cutoffs", "slab", "atoms in a corner")


@pytest.mark.parametrize("row", [*on_ranks(BOXES, (1, 2), coefficients=TWO),
                                 *on_ranks({name: BOXES[name] for name in FOUR_RANKS}, (4,), coefficients=TWO)])
def test_boxes(lammps, row):
    force_case(lammps, **row)


# ---- precision and newton
SETTINGS = {"mixed": {"precision": "mixed"}, "mixed, 2 ranks": {"precision": "mixed", "ranks": 2},
            "newton off, 2 ranks": {"first": "newton off", "ranks": 2}}


@pytest.mark.parametrize("row", cases({f"{box}, {fluid}: {name}": {**row, "coefficients": coefficients, **settings}
                  for box, row in (("cube", CUBE), ("triclinic", PRISM))
                  for fluid, coefficients in (("s = 1", ONE), ("two types", TWO))
                  for name, settings in SETTINGS.items()}))
def test_settings(lammps, row):
    force_case(lammps, **row)


# ------------------------------------------------------------------------------------ special atoms


# seven types, all pairs of them different
MANY_TYPES = {(i, j): (10.0 + i + 2 * j, 1.0 + 0.5 * i + 0.1 * j, 0.5 + 0.03 * i * j % 0.7, 0.2 + 0.07 * i * j)
              for i in range(1, 8) for j in range(i, 8)}
LARGE_IDS = "\n".join(["large IDs", "", "64 atoms", "1 atom types", "0 3 xlo xhi", "0 3 ylo yhi", "0 3 zlo zhi", "",
                       "Atoms", ""] + [f"{2147483391 + 4 * k} 1 {k % 4 * 0.74 + 0.003 * k} {k // 4 % 4 * 0.73} "
                                       f"{k // 16 * 0.72}" for k in range(64)]) + "\n"


@pytest.mark.parametrize("row", cases({
    "IDs up to 2^31": {"first": "atom_modify map hash", "fill": "read_data large.data\n", "atoms": 64,
                       "files": {"large.data": LARGE_IDS}},
    "one": {"region": "block 0 5 0 5 0 5", "make": "create_atoms 1 single 1 2 3", "lonely": True},
    "none": {"region": "block 0 5 0 5 0 5", "lonely": True},
    "none on one of two ranks": {"region": "block 0 8 0 4 0 4", "ranks": 2, "make":
                                 "region part block 0.5 3 0 4 0 4\ncreate_atoms 1 random 100 9 part\n"
                                 "velocity all create 1.0 87 loop geom"},
    "two at the same place": {"region": "block 0 5 0 5 0 5", "atoms": 200, "run": "run 0\n", "half": False,
                              "make": "create_atoms 1 single 1 2 3\ncreate_atoms 1 single 1 2 3"},
    "seven types": {**CUBE, "coefficients": MANY_TYPES, "ranks": 2, "make": "".join(
        f"set type 1 type/fraction {k} 0.2 {k}\n" for k in range(3, 8))},
    "not sorted by LAMMPS": {**CUBE, "first": "atom_modify sort 0 0.0"},
    "sorted at each reneighboring": {**CUBE, "first": "atom_modify sort 1 0.0", "ranks": 2},
    "velocities of ghosts are known": {**CUBE, "make": "comm_modify vel yes", "ranks": 2},
    "ghosts from far": {**CUBE, "make": "comm_modify cutoff 3.5", "ranks": 2},
    "tiles": {**CUBE, "coefficients": TWO, "ranks": 2, "make": "comm_style tiled\nbalance 1.0 rcb"},
    "reach by type": {**CUBE, "coefficients": TWO, "ranks": 2,
                      "make": "neighbor 0.3 multi\ncomm_modify mode multi"},
    "lists without bins": {**CUBE, "coefficients": TWO, "make": "neighbor 0.3 nsq"},
    "no skin": {**CUBE, "make": "neighbor 0.0 bin\nneigh_modify every 1", "ranks": 2},
}))
def test_atoms(lammps, row):
    force_case(lammps, **row)


# ----------------------------------------------------------------------- molecules and exclusions

def molecules(count, beads, edge, factors, **more):
    text, bonds = chains(count, beads, edge)
    special = " ".join(str(factor) for factor in factors)
    return {"fill": "read_data chains.data\nbond_style zero\nbond_coeff *\n", "files": {"chains.data": text},
            "atom_style": "bond", "atoms": count * beads, "coefficients": TWO, "partners": bond_partners(bonds),
            "special": (1.0, *factors), **more, "make": f"special_bonds lj {special}\n" + more.get("make", "")}


def template(beads):
    """Molecule file of one chain with its special bonds."""
    def section(title, line):
        return f"\n{title}\n\n" + "".join(f"{k} {line(k)}\n" for k in range(1, beads + 1))

    def partners(k, distance):
        return [j for j in (k - distance, k + distance) if 1 <= j <= beads]

    bonds = "".join(f"{k} 1 {k} {k + 1}\n" for k in range(1, beads))
    return (f"a chain\n\n{beads} atoms\n{beads - 1} bonds\n"
            + section("Coords", lambda k: f"{0.4 * k} {0.2 * (k % 2)} {0.02 * k * k}")
            + section("Types", lambda k: 1 + k % 2) + f"\nBonds\n\n{bonds}"
            + section("Special Bond Counts", lambda k: " ".join(str(len(partners(k, d))) for d in (1, 2, 3)))
            + section("Special Bonds", lambda k: " ".join(str(j) for d in (1, 2, 3) for j in partners(k, d))))


MANY, FEW = (50, 6, 5.0), (3, 6, 1.9)


@pytest.mark.without_kokkos("as templates")
@pytest.mark.parametrize("row", cases({
    "factors 0, 0.5, 1": molecules(*MANY, (0.0, 0.5, 1.0)),
    "factors 0, 0.5, 1, 2 ranks": molecules(*MANY, (0.0, 0.5, 1.0), ranks=2),
    "factors 0.2, 0.3, 0.4, mixed": molecules(*MANY, (0.2, 0.3, 0.4), precision="mixed"),
    "factors 1, 1, 0.1": molecules(*MANY, (1.0, 1.0, 0.1)),
    "factors 1, 1, 1": molecules(*MANY, (1.0, 1.0, 1.0)),
    "factors 0, 0, 0": molecules(*MANY, (0.0, 0.0, 0.0)),
    "box of 1.6 cutoffs": molecules(*FEW, (0.1, 0.5, 0.7)),
    "factors changed between runs": molecules(*MANY, (0.2, 0.3, 0.4), make="special_bonds lj 1 1 1", ranks=2,
                                              run="run 6\nspecial_bonds lj 0.2 0.3 0.4\nrun 6"),
    "as templates": {**molecules(*MANY, (0.2, 0.5, 0.7)), "first":
                     "molecule chain chain.mol\natom_style template chain",
                     "fill": "region box block 0 5 0 5 0 5\ncreate_box 2 box bond/types 1 extra/special/per/atom 6\n"
                             "create_atoms 0 random 50 321 NULL mol chain 77\nbond_style zero\nbond_coeff *\n",
                     "files": {"chain.mol": template(6)}},
}))
def test_molecules(lammps, row):
    force_case(lammps, **row)


UNLIKE = {"exclude": lambda r, i, j: r.types[i] != r.types[j], "says": "own neighbor list"}
INTRA = {"exclude": lambda r, i, j: (i - 1) // 6 == (j - 1) // 6, "says": "own neighbor list"}


@pytest.mark.parametrize("row", cases({
    "unlike types": {**CUBE, "make": "neigh_modify exclude type 1 2", **UNLIKE},
    "unlike types, 2 ranks": {**CUBE, "make": "neigh_modify exclude type 1 2", "ranks": 2, **UNLIKE},
    "groups": {**CUBE, "make": "group a type 1\ngroup b type 2\nneigh_modify exclude group a b", **UNLIKE},
    "within molecules": molecules(*MANY, (1.0, 1.0, 1.0), make="neigh_modify exclude molecule/intra all", **INTRA),
    "from the second run on": {**CUBE, "run": "run 6\nneigh_modify exclude type 1 2\nrun 6", **UNLIKE},
    "up to the second run": {**CUBE, "run": "run 6\nneigh_modify exclude none\nrun 6",
                             "make": "neigh_modify exclude type 1 2", "says": "own neighbor list"},
    "all but a group": {**CUBE, "first": "atom_modify first one",
                        "make": "group one type 1\nneigh_modify include one",
                        "exclude": lambda r, i, j: r.types[i] != 1 or r.types[j] != 1},
}, coefficients=TWO))
def test_exclusions(lammps, row):
    force_case(lammps, **row)


# ------------------------------------------------------------------------------- other pair styles

def soft(scale):
    """LAMMPS's pair style soft with cutoff 1."""
    def pairs(i, j, types, r):
        a = scale.get((types[i], types[j])) or scale.get((types[j], types[i])) or 0.0
        return (a * math.pi * math.sin(math.pi * r) / r, a * (1.0 + math.cos(math.pi * r))) if r < 1.0 else (0.0, 0.0)
    return pairs


LIKE = {(1, 1): (25.0, 4.5, 1.2, 0.5)}
SECOND = {(1, 1): (5.0, 2.0, 0.9, 1.0), (1, 2): (5.0, 2.0, 0.9, 1.0), (2, 2): (5.0, 2.0, 0.9, 1.0)}
HYBRID = f"pair_style hybrid {style_words(LIKE)} soft 1.0\n{coefficients_text(LIKE, 'dpd/gpu')}"
OVERLAY = (f"pair_style hybrid/overlay {style_words(TWO)} soft 1.0\n{coefficients_text(TWO, 'dpd/gpu')}"
           "pair_coeff 1 * soft 10\npair_coeff 2 2 soft 0\n")
TWICE = (f"pair_style hybrid/overlay {style_words(TWO)} {style_words(SECOND, seed=99)}\n"
         f"{coefficients_text(TWO, 'dpd/gpu 1')}{coefficients_text(SECOND, 'dpd/gpu 2')}")


@pytest.mark.parametrize("row", on_ranks({
    "each pair of types its style": {"pair": HYBRID + "pair_coeff 1 2 soft 20\npair_coeff 2 2 soft 30\n",
                                     "coefficients": LIKE, "pairs": soft({(1, 2): 20.0, (2, 2): 30.0})},
    "pairs of types without a style": {"pair": HYBRID + "pair_coeff 1 2 none\npair_coeff 2 2 soft 30\n",
                                       "coefficients": LIKE, "pairs": soft({(2, 2): 30.0})},
    "overlay": {"pair": OVERLAY, "pairs": soft({(1, 1): 10.0, (1, 2): 10.0})},
    "overlay with exclusions": {"pair": OVERLAY, "make": "neigh_modify exclude type 1 2", **UNLIKE,
                                "pairs": soft({(1, 1): 10.0})},
    "two of this style": {"pair": TWICE, "second": (SECOND, 99)},
}, (1, 2), **CUBE, coefficients=TWO, types=2))
def test_hybrid(lammps, row):
    force_case(lammps, **row)


@pytest.mark.parametrize("row", cases({
    "special factors of the sub-style": molecules(
        *MANY, (0.2, 0.3, 0.4), pair=OVERLAY.replace("soft 10", "soft 0")
        + "special_bonds lj 0.9 0.9 0.9\npair_modify pair dpd/gpu special lj 0.2 0.3 0.4\n"),
}))
def test_hybrid_special_factors(lammps, row):
    force_case(lammps, **row)


# ------------------------------------------------------------ the other styles, against those of LAMMPS


# T = 0: what is left is the same function of positions and velocities. Cutoffs differ by type.
COLD = """
units lj
{first}
comm_modify vel yes
{fill}
mass 1 1.0
mass 2 1.5
velocity all create 1.0 87 loop geom
neigh_modify every 5 delay 0 check no
timestep 0.005
{style}
{fixes}
compute e all pe pair
compute p all pressure NULL pair
thermo_style custom step c_e c_p[1] c_p[2] c_p[3] c_p[4] c_p[5] c_p[6]
thermo 2
thermo_modify norm no format float %.17g
run 10
write_dump all custom now.dump id type x y z vx vy vz fx fy fz {digits}
"""
ATOMS = "create_box 2 box\ncreate_atoms 1 random {} 9721 NULL\nset type 1 type/fraction 2 0.4 881\n"
PLACES = {"cube": ("region box block 0 5 0 5 0 5\n" + ATOMS.format(375), ""),
          "triclinic": ("region box prism 0 5 0 5 0 4 1.2 -0.8 0.6\n" + ATOMS.format(300), ""),
          "small cube": ("region box block 0 1.8 0 1.8 0 1.8\n" + ATOMS.format(17), "")}
EXT = """pair_style {} 0.0 1.2 4711 {}
pair_coeff 1 1 25 4.5 9.0 1.0 0.5
pair_coeff 1 2 35 9.0 3.0 0.5 2.0 1.1
pair_coeff 2 2 15 3.0 0.0 2.0 1.0 0.8
"""
TSTAT = """pair_style hybrid/overlay soft 1.0 {0} 0.0 0.0 1.2 4711 {1}
pair_coeff * * soft 30
pair_coeff 1 1 {0} 4.5
pair_coeff 1 2 {0} 9.0 1.1
pair_coeff 2 2 {0} 3.0 0.8
"""


DPD = """pair_style {} 0.0 1.2 4711 {}
pair_coeff 1 1 25 4.5
pair_coeff 1 2 35 9.0 1.1
pair_coeff 2 2 15 3.0 0.8
"""
# images that move with the box
SHEAR = {"cube": "fix flow all deform 1 x erate 1.0 y trate -0.8 z vel 3.0 remap v\n",
         "triclinic": "fix flow all deform 1 xy erate 1.2 yz vel -2.0 x erate 0.5 remap v\n",
         "small cube": "fix flow all deform 1 x erate 1.0 y trate -0.8 z vel 3.0 remap v\n"}


def like_lammps(lammps, style, place, ranks, fixes=""):
    name, text = style
    fill, first = PLACES[place]
    found = []
    for pair in (text.format(f"{name}/gpu", f"precision double backend {BACKEND}"), text.format(name, "")):
        done = lammps.run(COLD.format(first=first, fill=fill, style=pair, fixes=NVE + fixes, digits=DIGITS), ranks=ranks)
        found.append((lammps.dump("now.dump"), done.thermo[0]))
    (mine, table), (theirs, wanted) = found
    require(np.abs(theirs.f).max() > 1.0, "no forces: nothing was tested")
    for what in ("x", "v", "f"):
        size = relative(getattr(mine, what), getattr(theirs, what))
        require(size < 1e-8, f"{what} differs by {size:.2e}")
    for column in wanted:
        size = relative(table[column], wanted[column])
        require(size < 1e-8, f"{column} differs by {size:.2e}")
    return f"forces agree to {relative(mine.f, theirs.f):.1e}"


@pytest.mark.parametrize("place, ranks, style", [
    pytest.param(place, ranks, style, id=f"{style[0]}/gpu as {style[0]} of LAMMPS, {place}, {ranks} rank(s)")
    for place in PLACES
    for ranks in (1, 2)
    for style in (("dpd/ext", EXT), ("dpd/tstat", TSTAT))])
def test_like_lammps(lammps, place, ranks, style):
    print(like_lammps(lammps, style, place, ranks))


@pytest.mark.parametrize("place, ranks, style", [
    pytest.param(place, ranks, style, id=f"{style[0]}/gpu as {style[0]} of LAMMPS, {place}, {ranks} rank(s)")
    for place in PLACES
    for ranks in (1, 2)
    for style in (("dpd", DPD), ("dpd/ext", EXT), ("dpd/tstat", TSTAT))])
def test_remap_v(lammps, place, ranks, style):
    print(like_lammps(lammps, style, place, ranks, SHEAR[place]))


def test_a_temperature_that_changes_ramp(lammps):
    """A temperature that changes: dpd/tstat/gpu, and dpd/gpu without A, by tstop and by fix adapt."""
    adapt = ("variable ramp equal 0.5+1.5*step/10\n"
             "fix warm all adapt 1 pair dpd/gpu temperature * * v_ramp\n")
    found = []
    for style, fixes in ((f"pair_style dpd/tstat/gpu 0.5 2.0 1.2 4711 precision double backend {BACKEND}\n"
                          "pair_coeff * * 4.5 power 0.5\n", ""),
                         (f"pair_style dpd/gpu 0.5 1.2 4711 precision double backend {BACKEND}\n"
                          "pair_coeff * * 0 4.5 power 0.5\n", adapt),
                         (f"pair_style dpd/gpu 0.5 1.2 4711 tstop 2.0 precision double backend {BACKEND}\n"
                          "pair_coeff * * 0 4.5 power 0.5\n", "")):
        lammps.run(COLD.format(first="", fill=PLACES["cube"][0], style=style, fixes=NVE + fixes, digits=DIGITS), ranks=2)
        found.append(lammps.dump("now.dump"))
    size = max(relative(found[0].f, other.f) for other in found[1:])
    require(size < 1e-9, f"forces differ by {size:.2e}")
    print(f"forces agree to {size:.1e}")


def test_a_temperature_that_changes_goes_on_from_a_restart_file(lammps):
    """With a ramp of one temperature the settings in the file are two."""
    whole = "run 10 start 0 stop 20\nwrite_restart middle.restart\nrun 10 start 0 stop 20\n"
    end = f"write_dump all custom end.dump id vx vy vz fx fy fz {DIGITS}\n"
    for style in ("dpd/gpu 0.5 1.2 4711 tstop 2.0", "dpd/ext/gpu 0.5 1.2 4711 tstop 0.0", "dpd/tstat/gpu 0.5 2.0 1.2 4711"):
        coefficients = {"dpd/gpu": "25 4.5", "dpd/ext/gpu": "25 4.5 1 1 1", "dpd/tstat/gpu": "4.5"}[style.split()[0]]
        lammps.run(f"units lj\natom_modify map yes\nregion box block 0 5 0 5 0 5\ncreate_box 1 box\ncreate_atoms 1 random 375 7 NULL\nmass 1 1\n"
                   f"pair_style {style} backend {BACKEND}\npair_coeff 1 1 {coefficients}\nvelocity all create 0.5 771\nfix 1 all nve\n"
                   f"timestep 0.01\n{whole}{end}")
        rows = lammps.dump("end.dump").rows
        lammps.run(f"read_restart middle.restart\nfix 1 all nve\ntimestep 0.01\nrun 10 start 0 stop 20\n{end}")
        require(lammps.dump("end.dump").rows == rows, f"{style}: another end")
        lammps.run(f"read_restart middle.restart\nfix 1 all nve\ntimestep 0.01\nrun 10\n{end}")
        require(lammps.dump("end.dump").rows != rows, f"{style}: the temperature does not matter")


# --------------------------------------------------------------- changes between runs and within one


# without it, run 0 shows once more the forces that the run before has ended with
FORGET = "unfix DPD_GPU_STATE\n"
NEW_COEFFICIENTS = {**TWO, (1, 2): (10.0, 1.0, 1.1, 1.0)}
MIXED = f"pair_style {style_words(TWO, 'mixed')}\n{coefficients_text(TWO)}"
BETWEEN = {
    "types": {"run": "run 7\nset type 2 type 1\nset type 1 type/fraction 2 0.3 7\nrun 7"},
    "atoms deleted": {"run": "run 7\ndelete_atoms random fraction 0.3 yes all NULL 482\nrun 7"},
    "atoms created": {"run": "run 7\ncreate_atoms 2 random 50 3 NULL\nrun 7"},
    "atoms moved": {"run": "run 7\ndisplace_atoms all random 1 1 1 77\nrun 7"},
    "new IDs": {"run": "run 7\nreset_atoms id sort yes\nrun 7"},
    "replicated": {"region": "block 0 3 0 3 0 3", "atoms": 81, "run": f"run 7\n{FORGET}replicate 2 1 1\nrun 7"},
    "box larger": {"run": "run 7\nchange_box all x scale 1.2 remap\nrun 7"},
    "box smaller than two cutoffs": {"run": "run 7\nchange_box all x scale 0.4 y scale 2.5 remap\nrun 7"},
    "box triclinic": {"run": "run 7\nchange_box all triclinic xy final 1.0 remap\nrun 7"},
    "box no more periodic": {"run": "run 7\nchange_box all boundary s p p\nrun 7"},
    "time step number beyond 2^32": {"run": "run 7\nreset_timestep 12345678901\nrun 7"},
    "time step": {"run": "run 7\ntimestep 0.002\nrun 7", "dt": 0.002},
    "skin": {"run": "run 7\nneighbor 0.6 bin\nrun 7"},
    "reach of communication": {"run": "run 7\ncomm_modify cutoff 3.0\nrun 7"},
    "tiles": {"run": "run 7\ncomm_style tiled\nbalance 1.0 rcb\nrun 7"},
    "coefficients": {"run": f"run 7\n{coefficients_text(NEW_COEFFICIENTS)}run 7", "final": NEW_COEFFICIENTS},
    "settings": {"run": f"run 7\npair_style {style_words(TWO, 'double', 12)}\n{coefficients_text(TWO)}run 7",
                 "seed": 12},
    "precision": {"pair": MIXED,
                  "run": f"run 7\npair_style {style_words(TWO)}\n{coefficients_text(TWO)}run 7"},
    "style away and back": {"run": f"run 7\npair_style zero 1.5\npair_coeff * *\nrun 1\n"
                                   f"pair_style {style_words(TWO)}\n{coefficients_text(TWO)}run 7"},
    "nothing, and no set-up": {"run": "run 6\nrun 8 pre no"},
    "run 0, twice": {"run": "run 7\nrun 0\nrun 0"},
    "run 0 afresh": {"run": f"run 7\n{FORGET}run 0", "half": False},
    "respa": {"run": f"run_style respa 2 2 pair 2\nrun 7\n{FORGET}run 0", "half": False},
}


@pytest.mark.parametrize("row", on_ranks(BETWEEN, (1, 2), **CUBE, coefficients=TWO))
def test_changed_between_runs(lammps, row):
    force_case(lammps, **row)


FALL = {pair: (-40.0, 9.0, 1.2, 1.0) for pair in TWO}
ADAPT = "variable more equal 1+0.1*step\nvariable less equal 9/(1+step)\nvariable warm equal 1+0.25*step\n"
WITHIN = {
    # the box changes at the end of steps 5 and 10, after their forces
    "fix deform": {"fixes": NVE + "fix pull all deform 5 x erate 2.0 y erate -1.0 remap x"},
    "fix deform, triclinic": {**PRISM, "fixes": NVE + "fix pull all deform 5 xy erate 2.0 z erate 1.5 remap x"},
    "fix deform, tilt flips": {**PRISM, "fixes": NVE + "fix pull all deform 5 xy erate 25 remap x", "run": "run 23"},
    "fix npt": {"fixes": "fix move all npt temp 1 1 0.1 iso 40 40 0.1", "run": f"run 12\n{FORGET}run 0", "half": False},
    "fix press/berendsen": {"fixes": NVE + "fix press all press/berendsen aniso 60 60 0.1",
                            "run": f"run 12\n{FORGET}run 0", "half": False},
    "fix adapt, A": {"fixes": NVE + ADAPT + "fix more all adapt 1 pair dpd/gpu a 1 2 v_more", "run": "run 12",
                     "final": {**TWO, (1, 2): (2.2, *TWO[1, 2][1:])}},
    "fix adapt, gamma": {"fixes": NVE + ADAPT + "fix less all adapt 1 pair dpd/gpu gamma * * v_less",
                         "final": {pair: (c[0], 9 / 13, *c[2:]) for pair, c in TWO.items()}},
    "fix adapt, power": {"fixes": NVE + ADAPT + "fix more all adapt 1 pair dpd/gpu power 1 1 v_more",
                         "final": {**TWO, (1, 1): (*TWO[1, 1][:3], 2.2)}},
    "fix adapt, temperature": {"fixes": NVE + ADAPT + "fix warm all adapt 1 pair dpd/gpu temperature * * v_warm",
                               "kT": 4.0},
    "fix adapt in a hybrid": {"fixes": NVE + ADAPT + "fix more all adapt 1 pair dpd/gpu a 1 2 v_more",
                              "pair": OVERLAY.replace("soft 10", "soft 0"),
                              "final": {**TWO, (1, 2): (2.2, *TWO[1, 2][1:])}},
    "fix dt/reset": {"fixes": NVE + "fix step all dt/reset 3 0.001 0.002 10", "dt": 0.002},
    "fix atom/swap": {"fixes": NVE + "fix swap all atom/swap 4 20 29494 1.0 types 1 2", "run": "run 14"},
    "fix deposit": {"fixes": NVE + "region all block 0 5 0 5 0 5\n"
                                   "fix rain all deposit 10 2 1 12345 region all near 0.0 vx -1 1"},
    "fix evaporate": {"fixes": NVE + "region all block 0 5 0 5 0 5\nfix dry all evaporate 4 20 all 49892"},
    "fix balance": {"fixes": NVE + "fix even all balance 5 1.0 shift xyz 5 1.0", "ranks": 2,
                    "region": "block 0 8 0 4 0 4", "atoms": 0, "make":
                    "region part block 0.5 3 0 4 0 4\ncreate_atoms 1 random 100 9 part\nset type 1 type/fraction 2 0.4 9\n"
                    "velocity all create 3.0 87 loop geom", "run": "run 43"},
    "attraction: rows that grow": {"pair": f"pair_style {style_words(FALL)}\n{coefficients_text(FALL)}", "final": FALL,
                                   "make": "neigh_modify every 1 delay 0 check yes", "run": "run 300"},
    "reneighboring when atoms have moved": {"make": "neigh_modify every 1 delay 0 check yes", "run": "run 60"},
}


@pytest.mark.without_kokkos("fix atom/swap")
@pytest.mark.parametrize("row", on_ranks(WITHIN, (1, 2), **CUBE, coefficients=TWO))
def test_changed_within_a_run(lammps, row):
    force_case(lammps, **row)


# ------------------------------------------------------------------------- bond partners in tilted boxes

def test_tilted_bond(lammps):
    """A bond longer than half an edge's fraction of a tilted box is still a bond: as pair dpd has it.

    The bond is shorter than half the box along x, y and z, and longer as a fraction of the tilted edges."""
    found = {}
    for name, words in (("dpd", ""), ("dpd/gpu", f"precision double backend {BACKEND}")):
        lammps.run(f"""
units lj
atom_style bond
comm_modify vel yes
region box prism 0 2.5 0 2.5 0 2.5 1.2 -1.2 1.2
create_box 1 box bond/types 1 extra/bond/per/atom 1 extra/special/per/atom 2
create_atoms 1 single 0.74 1.61 0.75 units box
create_atoms 1 single 1.5751 1.2092 1.3432 units box
mass 1 1
bond_style zero
bond_coeff * 1.0
special_bonds lj 0.5 1 1
create_bonds single/bond 1 1 2
pair_style {name} 0 1.2 5 {words}
pair_coeff 1 1 25 4.5
run 0
write_dump all custom now.dump id type mass x y z vx vy vz fx fy fz {DIGITS}
""")
        found[name] = lammps.dump("now.dump").f
    require(np.abs(found["dpd"]).max() > 0.5, "no force: nothing was tested")
    for name, forces in found.items():
        require(relative(forces, found["dpd"]) < 1e-9, f"{name}: forces {forces.tolist()}, dpd {found['dpd'].tolist()}")
