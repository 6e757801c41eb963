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

from lammps_run import DIGITS, Reference, Suite, relative, require
from reference_dpd import bond_partners

SEED, DT, KT = 4711, 0.005, 1.0

# Largest deviation over the root mean square. double: the engine's logarithm and cosine are good to 4.3e-12
# and 1.1e-10, a deviate is at most 6.66 of them. mixed and single: single precision positions and arithmetic;
# 1 - r/rc loses digits near the cutoff, so that a weight (1 - r/rc)^s with s < 1 is good to eps^s only, and
# hence the 90 % quantile is compared: a rare pair may be off.
TOLERANCE = {"double": 2e-9, "mixed": 2e-5, "single": 2e-4}

# pairs of types: A, gamma, cutoff, power
ONE = {(1, 1): (25.0, 4.5, 1.0, 1.0)}
TWO = {(1, 1): (25.0, 4.5, 1.0, 0.25), (1, 2): (35.0, 9.0, 1.2, 0.5), (2, 2): (15.0, 3.0, 0.8, 2.0)}

suite = Suite()


# ------------------------------------------------------------------------------------------- input

def box_text(region, atoms, types=1, first="", atom_style="atomic", extra="", data=None):
    """A box, atoms (of them 40 % of type 2, where there are two types) and velocities."""
    if data:
        fill = f"read_data {data}\n"
    else:
        fill = f"region box {region}\ncreate_box {types} box {extra}\n"
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


def words_text(coefficients, precision="double", neigh="own", seed=SEED):
    cutoff = max(values[2] for values in coefficients.values())
    return f"dpd/gpu {KT} {cutoff} {seed} precision {precision} backend host neigh {neigh}"


OUTPUT = """
compute e all pe pair
compute p all pressure NULL pair
compute ea all pe/atom pair
compute sa all stress/atom NULL pair
thermo_style custom step c_e c_p[1] c_p[2] c_p[3] c_p[4] c_p[5] c_p[6]
thermo 10
"""
FINISH = f"""
print "energy = $(c_e:%.17g)"
print "pressure = $(c_p[1]:%.17g) $(c_p[2]:%.17g) $(c_p[3]:%.17g) $(c_p[4]:%.17g) $(c_p[5]:%.17g) $(c_p[6]:%.17g)"
print "volume = $(vol:%.17g)"
write_dump all custom now.dump id type mass x y z vx vy vz fx fy fz c_ea c_sa[*] {{columns}} {DIGITS}
"""


def force_case(lammps, region=None, atoms=0, coefficients=ONE, first="", atom_style="atomic", extra="", data=None,
               make="", pair=None, fixes="fix move all nve\n", run="run 12\n", ranks=1, precision="double",
               neigh="own", columns="", files=None, **options):
    """One row of the tables below: makes the input and checks what it leaves."""
    types = max(j for _, j in coefficients)
    for name, text in (files or {}).items():
        lammps.write(name, text)
    if pair is None:
        pair = "pair_style " + words_text(coefficients, precision, neigh) + "\n" + coefficients_text(coefficients)
    commands = (box_text(region, atoms, types, first, atom_style, extra, data) + make + "\n" + pair + "\n" + fixes
                + "\n" + OUTPUT + run + "\n" + FINISH.format(columns=columns))
    return check(lammps, commands, coefficients, ranks, precision, **options)


def check(lammps, commands, coefficients, ranks=1, precision="double", half=True, pairs=None, dt=DT, kT=KT,
          seed=SEED, periodic=None, says=None, lonely=False, final=None, **options):
    """Runs commands and compares the state that they leave. half: velocities were half a step old. pairs(i, j,
    types, distance): force over distance and energy of a further interaction. final: coefficients in the end.
    periodic: images to count, where they are not the box's. lonely: no forces are fine. Other options go to the
    reference."""
    done = lammps.run(commands, ranks=ranks)
    require(not says or re.search(says, done.output), f"LAMMPS did not say '{says}'")
    dump = lammps.dump("now.dump")
    if periodic:
        dump.periodic = periodic
    if callable(options.get("exclude")):
        options["exclude"] = options["exclude"](dump)
    wanted = Reference(dump, final or coefficients, kT, dt, seed, **options)
    velocities = dump.v - (0.5 * dt / dump.column["mass"][:, None] * dump.f if half else 0.0)
    wanted.v = dict(zip(wanted.order, velocities.tolist()))
    forces, _, _, energies, virials = wanted.forces(dump.step)
    if pairs:
        add_pairs(wanted, pairs, forces, energies, virials)

    energy, volume = done.printed("energy")[-1], done.printed("volume")[-1]
    virial = np.array(done.printed("pressure")[-6:]) * volume
    stress = dump.vectors(*(f"c_sa[{k}]" for k in range(1, 7)))
    found = {"force": (dump.f, forces), "energy": (energy, energies.sum()), "virial": (virial, virials.sum(axis=0)),
             "energy of an atom": (dump.column["c_ea"], energies), "stress of an atom": (-stress, virials),
             "sum of energies": (dump.column["c_ea"].sum(), energy), "sum of stresses": (-stress.sum(axis=0), virial)}
    report = ""
    for name, (a, b) in found.items():
        size = relative(a, b, None if precision == "double" else 0.9)
        # sums are over pairs of either sign
        allowed = TOLERANCE[precision] * (20 if name in ("virial", "sum of stresses") else 1)
        require(size <= allowed, f"{name} differs by {size:.2e} of its size, allowed are {allowed:.0e}")
        report = report or f"force differs by {size:.1e}"
    require(lonely or np.abs(forces).max() > 1.0, "no forces: nothing was tested")
    return report


def add_pairs(reference, pairs, forces, energies, virials):
    row = {i: k for k, i in enumerate(reference.order)}
    for i, j, d in reference.pairs():
        over_r, energy = pairs(i, j, reference.types, math.dist(d, (0, 0, 0)))
        d = np.array(d)
        forces[row[i]] += over_r * d
        energies[row[i]] += 0.5 * energy
        virials[row[i]] += 0.5 * over_r * np.array([d[0] * d[0], d[1] * d[1], d[2] * d[2], d[0] * d[1],
                                                    d[0] * d[2], d[1] * d[2]])


def rows(prefix, table, **common):
    for name, row in table.items():
        suite.add(f"{prefix}: {name}", lambda lammps, keys: force_case(lammps, **keys), {**common, **row})


# ------------------------------------------------------------------------------------ kinds of boxes

CUBE = {"region": "block 0 5 0 5 0 5", "atoms": 375}
PRISM = {"region": "prism 0 5 0 5 0 4 1.2 -0.8 0.6", "atoms": 300}
NVE = "fix move all nve\n"
WALLS = NVE + "fix walls all wall/reflect {}\n"
PLANE = NVE + "fix plane all enforce2d\n"

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
    "two dimensions": {"region": "block 0 10 0 10 -0.5 0.5", "atoms": 200, "first": "dimension 2", "fixes": PLANE,
                       "periodic": (1, 1, 0)},
    "two dimensions, triclinic": {"region": "prism 0 10 0 10 -0.5 0.5 3 0 0", "atoms": 200, "first": "dimension 2",
                                  "fixes": PLANE, "periodic": (1, 1, 0)},
    "two dimensions, shrink-wrapped": {"region": "block 0 10 0 10 -0.5 0.5", "atoms": 200,
                                       "first": "dimension 2\nboundary s p p", "fixes": PLANE, "periodic": (0, 1, 0)},
    "dense": {"region": "block 0 3 0 3 0 3", "atoms": 540},
    "dilute": {"region": "block 0 20 0 20 0 20", "atoms": 500},
    "atoms in a corner": {"region": "block 0 20 0 20 0 20", "atoms": 0, "make":
                          "region corner block 17 20 17 20 17 20\ncreate_atoms 1 random 80 9 corner\n"
                          "create_atoms 2 random 20 10 corner\nvelocity all create 1.0 87 loop geom"},
}
for ranks in (1, 2, 4):
    for name, row in BOXES.items():
        if ranks < 4 or name in ("cube", "triclinic", "cube of 0.9 cutoffs", "slab", "atoms in a corner"):
            rows(f"{ranks} rank(s)", {name: row}, coefficients=TWO, ranks=ranks)

# ---- precision, lists and newton in an orthogonal and a triclinic box
for box, row in (("cube", CUBE), ("triclinic", PRISM)):
    for fluid, coefficients in (("s = 1", ONE), ("two types", TWO)):
        rows(f"{box}, {fluid}", {
            "mixed": {"precision": "mixed"}, "single": {"precision": "single"},
            "mixed, 2 ranks": {"precision": "mixed", "ranks": 2},
            "single, 2 ranks": {"precision": "single", "ranks": 2},
            "list of LAMMPS": {"neigh": "lammps"}, "list of LAMMPS, 2 ranks": {"neigh": "lammps", "ranks": 2},
            "newton off, 2 ranks": {"first": "newton off", "ranks": 2},
        }, **row, coefficients=coefficients)

# ----------------------------------------------------------------------------------- special atoms

LARGE = "variable shift equal 2000000000\nset atom * id v_large\n"
rows("atoms", {
    "IDs near 2^31": {"first": "atom_modify map hash", "data": "far.data",
                      "files": {"far.data": "\n".join(
                          ["large IDs", "", "60 atoms", "1 atom types", "0 3 xlo xhi", "0 3 ylo yhi", "0 3 zlo zhi", "",
                           "Atoms # atomic", ""]
                          + [f"{2147483400 + 4 * k} 1 {k % 4 * 0.75 + 0.01 * k} {k // 4 % 4 * 0.7} {k // 16 * 0.7}"
                             for k in range(60)]) + "\n"}, "atoms": 60, "region": "none"},
    "one": {"region": "block 0 5 0 5 0 5", "atoms": 0, "make": "create_atoms 1 single 1 2 3", "lonely": True},
    "none": {"region": "block 0 5 0 5 0 5", "atoms": 0, "lonely": True},
    "none on one of two ranks": {"region": "block 0 8 0 4 0 4", "atoms": 0, "ranks": 2, "make":
                                 "region half block 0.5 3 0 4 0 4\ncreate_atoms 1 random 100 9 half\n"
                                 "velocity all create 1.0 87 loop geom"},
    "two at the same place": {"region": "block 0 5 0 5 0 5", "atoms": 30, "make":
                              "create_atoms 1 single 1 2 3\ncreate_atoms 1 single 1 2 3", "fixes": "", "half": False,
                              "run": "run 0\n"},
    "not sorted by LAMMPS": {**CUBE, "first": "atom_modify sort 0 0.0"},
    "sorted often": {**CUBE, "first": "atom_modify sort 1 0.0", "ranks": 2},
    "first group": {**CUBE, "coefficients": TWO, "first": "",
                    "make": "group first type 1\natom_modify first first\nneigh_modify include first",
                    "fixes": "fix move first nve", "says": "because of neigh_modify include", "half": False,
                    "run": "velocity all set 0 0 0\nrun 0\n",
                    "exclude": lambda dump: lambda i, j: False} if False else {**CUBE},
})
