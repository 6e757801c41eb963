"""Pairs and their factors that LAMMPS's own neighbor list knows of and the list of this package has to know of as well:
atoms of a group alone (neigh_modify include), and bonds that are stored in molecule templates (atom_style template).

First forces without noise are those of LAMMPS's own pair dpd. With noise, run_style verlet/gpu and any number of ranks
give the bits of run_style verlet on one rank.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import random

import numpy as np

import pytest

from checks import Failed, require
from lammps_run import BACKEND, DIGITS, STATE, chains, difference, relative

CLOSE = 1e-10    # of the root mean square of forces
EDGES = (8.0, 5.0, 5.0)    # up to four ranks share the long edge
BONDED = 300               # atoms of templates; 60 more are of none
PARTNERS = {"chain": 6, "pair": 2}    # beads of each template

# ------------------------------------------------------------------------------------------- inputs

def velocities(count):
    draw = random.Random(880)
    rows = [f"{tag} " + " ".join(repr(draw.gauss(0, 1)) for _ in range(3)) for tag in range(1, count + 1)]
    return "\n".join(["", "Velocities", "", *rows, ""])


def data_file(rows, edges=EDGES):
    head = ["atoms", "", f"{len(rows)} atoms", "2 atom types"]
    head += [f"0 {edge} {axis}lo {axis}hi" for axis, edge in zip("xyz", edges)]
    return "\n".join(head + ["", "Atoms", "", *rows, ""]) + velocities(len(rows))


def places(draw, count, edges=EDGES):
    return [" ".join(repr(draw.uniform(0, edge)) for edge in edges) for _ in range(count)]


def template(beads):
    """Molecule file of a chain with its special bonds."""
    def section(title, line):
        return f"\n{title}\n\n" + "".join(f"{k} {line(k)}\n" for k in range(1, beads + 1))

    def partners(k, distance):
        return [j for j in (k - distance, k + distance) if 1 <= j <= beads]

    return (f"a chain\n\n{beads} atoms\n{beads - 1} bonds\n" + section("Types", lambda k: 1 + k % 2)
            + "\nBonds\n\n" + "".join(f"{k} 1 {k} {k + 1}\n" for k in range(1, beads))
            + section("Special Bond Counts", lambda k: " ".join(str(len(partners(k, d))) for d in (1, 2, 3)))
            + section("Special Bonds", lambda k: " ".join(str(j) for d in (1, 2, 3) for j in partners(k, d))))


def start(atom_style, data, more="", room=""):
    return f"""
units lj
{more}
atom_style {atom_style}
atom_modify map yes
processors * 1 1
comm_modify vel yes
read_data {data}.data {room}
mass 1 1.0
mass 2 1.5
neighbor 0.3 bin
timestep 0.005
neigh_modify every 3 delay 0 check no
"""


COEFFICIENTS = "pair_coeff 1 1 25 4.5 1.0\npair_coeff 1 2 40 9.0 1.2\npair_coeff 2 2 80 4.5 0.8\n"
DUMP = f"write_dump some custom now.dump {STATE} {DIGITS}\n"
RUN_STYLES = {"verlet": "", "verlet/gpu": "run_style verlet/gpu\n"}


def first_forces(lammps, text, style, ranks, run_style=""):
    words = "0.0 1.2 4711" + (f" precision double backend {BACKEND}" if "gpu" in style else "")
    done = lammps.run(text.format(pair=f"pair_style {style} {words}\n{COEFFICIENTS}") + run_style + "run 0\n" + DUMP, ranks=ranks)
    require("gpu" not in style or "own neighbor list" in done.output, "another list than its own")
    return lammps.dump("now.dump")


def as_pair_dpd(lammps, text, without, ranks, run_style):
    """text has a place for the pair style. Without what is tested, forces must be others."""
    ours = first_forces(lammps, text, "dpd/gpu", ranks, run_style)
    theirs = first_forces(lammps, text, "dpd", ranks)
    require(np.abs(theirs.f).max() > 1.0, "no forces: nothing was tested")
    require(relative(ours.f, first_forces(lammps, without, "dpd", 1).f) > 1e-3, "all pairs are as ever: nothing was tested")
    size = relative(ours.f, theirs.f)
    require(size < CLOSE, f"forces of pair dpd differ by {size:.2e}")
    return f"forces agree to {size:.1e}"


def same_bits(lammps, text, ranks, run_style):
    pair = f"pair_style dpd/gpu 1.0 1.2 4711 backend {BACKEND}\n{COEFFICIENTS}"
    found = []
    for count, style in ((1, ""), (ranks, run_style)):
        lammps.run(text.format(pair=pair) + "fix move some nve\n" + style + "run 40\n" + DUMP, ranks=count)
        found.append(lammps.dump("now.dump"))
    require(np.abs(found[0].f).max() > 1.0, "no forces: nothing was tested")
    different = difference(*found)
    if different:
        raise Failed(different)


# -------------------------------------------------------------------------------- atoms of a group alone

# LAMMPS clears forces of the group alone: those of other atoms are what their places in its arrays have held, and no
# integrator may move these atoms

def write_fluid(lammps):
    draw = random.Random(881)
    for name, count, edges in (("fluid", 600, EDGES), ("narrow", 60, (5.6, 1.9, 1.9))):
        lammps.write(f"{name}.data", data_file(
            [f"{tag} {2 if draw.random() < 0.4 else 1} {place}" for tag, place in enumerate(places(draw, count, edges), 1)],
            edges))
    lammps.write("chains.data", chains(50, 6, 6.2)[0] + velocities(300))


INCLUDE = "neigh_modify include some\n"
CHAINS = "bond_style zero\nbond_coeff *\nspecial_bonds lj 0.2 0.5 0.7\n"
INCLUDED = {}
for name, (atom_style, data, group, more) in {
        "of a type": ("atomic", "fluid", "type 1", ""),
        "of some IDs, beside exclusions": ("atomic", "fluid", "id <= 400", "neigh_modify exclude type 1 2\n"),
        "in a triclinic box": ("atomic", "fluid", "type 1", "change_box all triclinic xy final 1.0 yz final -0.5\n"),
        "in a box of 1.6 cutoffs": ("atomic", "narrow", "type 1", ""),
        "in chains with special factors": ("bond", "chains", "id <= 200", CHAINS),
        "and ghosts of the group alone": ("atomic", "fluid", "type 1", "comm_modify group some\n")}.items():
    fluid = start(atom_style, data).replace("map yes", "map yes first some")
    commands = f"group some {group}\n{more}"
    without = commands.replace("comm_modify group some\n", "")
    INCLUDED[name] = write_fluid, fluid + commands + INCLUDE + "{pair}", fluid + without + "{pair}"


# ----------------------------------------------------------------------------- bonds stored in templates

def write_molecules(lammps):
    """Chains of six beads, pairs, and single atoms, one after the other."""
    draw = random.Random(882)
    rows, tag, molecule = [], 1, 1
    while tag <= BONDED:
        kind = 1 + molecule % 2
        beads = list(PARTNERS.values())[kind - 1]
        at = [draw.uniform(0, edge) for edge in EDGES]
        for k in range(1, beads + 1):
            # a bead may leave the box by the periodic faces
            at = [(x + draw.uniform(-0.3, 0.3)) % edge for x, edge in zip(at, EDGES)]
            rows.append(f"{tag} {molecule} {kind} {k} {1 + k % 2} " + " ".join(map(repr, at)))
            tag += 1
        molecule += 1
    rows += [f"{tag + k} 0 0 0 1 {place}" for k, place in enumerate(places(draw, 60))]
    lammps.write("molecules.data", data_file(rows))
    for name, beads in PARTNERS.items():
        lammps.write(f"{name}.mol", template(beads))


molecules = start("template kinds", "molecules", "molecule kinds " + " ".join(f"{name}.mol" for name in PARTNERS),
                  "extra/bond/types 1 extra/bond/per/atom 2 extra/special/per/atom 6")
molecules += "group some id > 0\nbond_style zero\nbond_coeff *\n"
TEMPLATES = {
    "factors": (write_molecules, molecules + "special_bonds lj 0.2 0.5 0.7\n{pair}", molecules + "special_bonds lj 1 1 1\n{pair}"),
    "factors 0": (write_molecules, molecules + "special_bonds lj 0 0 1\n{pair}", molecules + "special_bonds lj 1 1 1\n{pair}")}


# ------------------------------------------------------------------------------------------------ both

SYSTEMS = {**{f"neigh_modify include, atoms {name}": system for name, system in INCLUDED.items()},
           **{f"atom_style template, {name}": system for name, system in TEMPLATES.items()}}


@pytest.mark.parametrize("run_style", RUN_STYLES.values(), ids=RUN_STYLES)
@pytest.mark.parametrize("ranks", (1, 2, 4))
@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_forces_of_pair_dpd(lammps, system, ranks, run_style):
    prepare, text, without = system
    prepare(lammps)
    as_pair_dpd(lammps, text, without, ranks, run_style)


@pytest.mark.parametrize("ranks, run_style", [
    pytest.param(ranks, words, id=f"{ranks}-{style}") for ranks in (1, 2, 4) for style, words in RUN_STYLES.items() if ranks > 1 or words])
@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_same_bits(lammps, system, ranks, run_style):
    prepare, text, _ = system
    prepare(lammps)
    same_bits(lammps, text, ranks, run_style)


def test_atom_style_template_special_factors_change_between_runs(lammps):
    write_molecules(lammps)
    found = []
    for commands in ("special_bonds lj 0.2 0.5 0.7\n{pair}", "special_bonds lj 1 1 1\n{pair}run 0\nspecial_bonds lj 0.2 0.5 0.7\n"):
        found.append(first_forces(lammps, molecules + commands, "dpd/gpu", 2))
    different = difference(*found)
    require(not different, different)
