"""tools/pdb2sop: depths of single contacts, lists of bonds, tandems, files for viewers, and what is said of each chain.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import math
import os
import random
import re
import subprocess
import sys
from unittest import mock

import pytest

from checks import require
from sop_files import (HALF_TURN, IDENTITY, UBIQUITIN, TOOL, Atom, Topology, biomt, chain_bonds, check, counts,
                       distances, equal, helix, make, mmcif, np, pdb, places, renamed, run, run_here, tool,
                       with_segment, write)

from test_pdb2sop_damage import DAMAGES

gemmi = pytest.importorskip("gemmi")


def options_here(*arguments):
    with mock.patch.object(tool, "plain_letters", lambda: None):
        return run_here(tool, TOOL, *arguments)


def refused(wanted, *arguments):
    done = run(*arguments, "--out", "refused")
    require(done.status in (1, 2) and done.err.count("\n") == 1 and wanted in done.err, f"'{wanted}', not {done.err}")


# ------------------------------------------------------------------------------------------------- contacts

def test_no_contacts_are_noted():
    for options, words in (((), ""), (("--side-chains", "1"), " --side-chains 1")):
        _, _, out = make(UBIQUITIN, "--cutoff", 1, *options)
        require(f"Note: no native contacts with --cutoff 1{words}: only bonds hold" in out, out)
    require("no native contacts" not in make(UBIQUITIN)[2], "contacts that are there")


def test_a_reader_that_has_enough():
    for words in (("--help",), (UBIQUITIN, "--out", "heard")):
        done = subprocess.run(f"'{sys.executable}' '{TOOL}' {' '.join(words)} | true", shell=True, capture_output=True, text=True)
        require(not done.stderr, done.stderr)
    require(os.path.exists("heard.sop") and os.path.exists("heard.data"), "no files")


# ------------------------------------------------------------------------------------------------- depths

def test_depths_from_columns():
    """The geometric mean of both CA."""
    occupancy = {number: 0.1 * number for number in range(1, 21)}
    atoms = [atom._replace(occupancy=round(occupancy[atom.number], 2)) for atom in helix()]
    b = {number: 100.0 - number for number in occupancy}
    lines = [f"{line[:60]}{b[int(line[22:26])]:6.2f}{line[66:]}" if line.startswith("ATOM") else line
             for line in pdb(atoms).splitlines()]
    plain, _, _ = make(write("a.pdb", "\n".join(lines) + "\n"))
    require(not plain.depths, "depths that nobody asked for")
    for column, values in (("occupancy", occupancy), ("b-factor", b)):
        topology, data, out = make("a.pdb", "--depths", column)
        check(topology, data, places(*range(20)))
        equal((topology.bonds, set(topology.depths)), (plain.bonds, set(plain.contacts)), "rows with a depth")
        for (i, j), depth in topology.depths.items():
            require(abs(depth - math.sqrt(values[i] * values[j])) < 1e-5 * depth, f"{column} {i} {j}: {depth}")
    make(write("a.cif", mmcif(atoms)), "--depths", "occupancy")
    equal(make("a.cif", "--depths", "occupancy")[0].depths, make("a.pdb", "--depths", "occupancy")[0].depths, "of mmCIF")


def test_depths_from_a_table_of_residues():
    """Either order of a pair; names of simulation programs are those of the amino acid."""
    atoms = renamed(renamed(helix(), 5, residue="HSD"), 9, residue="GLY")
    write("table", "# kcal/mol\nALA ALA 1.25\nHIS ALA 0.5 # weak\n\nALA GLY 2\nGLY HIS 0\n")
    topology, data, _ = make(write("a.pdb", pdb(atoms)), "--depths", "table")
    check(topology, data, places(*range(20)))
    for (i, j), depth in topology.depths.items():
        kinds = {"HIS" if k == 5 else "GLY" if k == 9 else "ALA" for k in (i, j)}
        wanted = {("ALA",): 1.25, ("ALA", "HIS"): 0.5, ("ALA", "GLY"): 2.0, ("GLY", "HIS"): 0.0}[tuple(sorted(kinds))]
        equal(depth, wanted, f"depth of {i} {j}")
    equal(set(topology.depths), set(topology.contacts), "rows with a depth")


def test_depths_decide_about_the_longest_step():
    write("a.pdb", pdb(helix()))
    write("deep", "ALA ALA 40\n")
    steps = [float(re.search(r"^Longest stable step: (\S+) fs", make("a.pdb", *options)[2], re.M)[1])
             for options in ((), ("--depths", "deep"), ("--eps-n", "40"))]
    require(steps[1] == steps[2] < steps[0], f"{steps}")


def test_bad_tables_of_depths():
    write("a.pdb", pdb(renamed(helix(), 9, residue="GLY")))
    for text, wanted in (("ALA ALA 1\n", "table: no depth of ALA and GLY, which have a contact: A ALA5 - A GLY9"),
                         ("ALA ALA\n", "table, line 1: 2 words; must be 3: two kinds of residue and a depth"),
                         ("\nALA ALA x\n", "table, line 2: depth 'x' is not a number from 0 to 1e+06"),
                         ("ALA ALA -1\n", "depth '-1' is not a number"), ("ALA ALA nan\n", "depth 'nan' is not a number"),
                         ("ALA GLY 1\nGLY ALA 2\n", "table, line 2: GLY and ALA have two depths, 1 and 2"),
                         ("# none\n", "table: no line with two kinds of residue and a depth"),
                         ("\xff\xfe\n", "table: not a text file")):
        write("table", text)
        refused(wanted, "a.pdb", "--depths", "table")
    refused("nowhere: cannot be read: No such file", "a.pdb", "--depths", "nowhere")
    text = open("a.pdb").read()
    write("b.pdb", text.replace(" 20.00  ", " -2.00  "))
    refused("b.pdb: --depths b-factor: -2 of residue A ALA1 must be a number from 0 to 1e+06", "b.pdb", "--depths", "b-factor")
    write("c.pdb", text.replace(" 20.00  ", " 2x.00  ", 1))
    refused("c.pdb, line 1: B factor '2x.00' is not a number", "c.pdb", "--depths", "b-factor")
    make("c.pdb")


# -------------------------------------------------------------------------------------------------- bonds

def test_bonds_from_a_list():
    """Also of residues that are far apart, of one chain and of two, with insertion codes; and in each image."""
    first = [atom._replace(number=5, code="A") if atom.number == 6 else atom for atom in helix()]
    head = biomt("AB", IDENTITY, (HALF_TURN, (0, 0, 90)))
    write("a.pdb", pdb(first, helix("B", 15, shift=(8, 0, 3)), head=head))
    write("list", "A 5A A 20   # a loop\nB 15 A 1\n")
    wanted = chain_bonds(20) | chain_bonds(15, 21) | {(6, 20), (1, 35)}
    topology, data, out = make("a.pdb", "--bonds", "list")
    check(topology, data, places(*range(20)) + places(*range(15), chain=1))
    equal(set(topology.bonds), wanted, "bonds")
    require("2 are disulfide bonds or other links" in out, out)
    topology, _, _ = make("a.pdb", "--bonds", "list", "--assembly", 1)
    equal(set(topology.bonds), wanted | {(i + 35, j + 35) for i, j in wanted}, "bonds of two images")
    for text, error in (("A 99 B 1\n", "list, line 1: no bead is made of residue 99 of chain A"),
                        ("A 1 B 1\nA 1 C 1\n", "list, line 2: no bead is made of residue 1 of chain C"),
                        ("A 1 A 1\n", "list, line 1: a bond of a residue with itself"),
                        ("A 1 B\n", "list, line 1: 3 words; must be 4: chain and number of two residues"),
                        ("", "list: no line with chain and number of two residues")):
        write("list", text)
        refused(error, "a.pdb", "--bonds", "list")
    segments = [with_segment(pdb(helix("P", shift=(20 * k, 0, 0))), f"PRO{k}") for k in range(2)]
    write("a.pdb", "".join(segments).replace("END\n", "") + "END\n")
    write("list", "PRO1 1 PRO0 20\n")
    require((20, 21) in make("a.pdb", "--bonds", "list")[0].bonds, "by segment")
    write("list", "P 1 P 20\n")
    refused("list, line 1: residue 1 of chain P is not one residue; there are: PRO0 ALA1, PRO1 ALA1", "a.pdb",
            "--bonds", "list")
    write("a.pdb", pdb(helix(), helix(first=101, shift=(20, 0, 0))))
    write("list", "A 5 A 105\n")
    require((5, 25) in make("a.pdb", "--bonds", "list")[0].bonds, "by the name in the file, which one residue has")
    write("a.pdb", pdb([atom._replace(number=(atom.number - 1) % 10 + 1) for atom in helix()]))
    write("list", "A 2 A 7\n")
    refused("list, line 1: residue 2 of chain A is not one residue; there are: A ALA2, A ALA2", "a.pdb", "--bonds", "list")


def test_1_000_damaged_tables_and_lists():
    """For each, an error of one line that names the list, or an answer with the contacts and bonds of the structure."""
    draw = random.Random(20261127)
    write("a.pdb", pdb(renamed(helix(), 9, residue="GLY")))
    plain, _, _ = make("a.pdb")
    good = {"--depths": "ALA ALA 1.25 # strong\nGLY ALA 0.5\nGLY GLY 2.75\n", "--bonds": "A 1 A 20\nA 3 A 12 # a bridge\n"}
    answers = 0
    for number in range(1000):
        option = draw.choice(sorted(good))
        write("list", draw.choice(DAMAGES)(draw, good[option]))
        done = options_here("a.pdb", "--out", "made", option, "list")
        if done.status == 0:
            answers += 1
            topology = Topology("made.sop")
            require(not done.err and set(plain.bonds) <= set(topology.bonds), f"list {number}: {done.err}")
            require(set(plain.contacts) - set(topology.bonds) == set(topology.contacts), f"contacts of list {number}")
            require(all(0 <= depth <= 1e6 for depth in topology.depths.values()), f"depths of list {number}")
        else:
            require(done.status == 1 and done.err.startswith("pdb2sop: list") and done.err.count("\n") == 1,
                    f"list {number}: {done.err}")
    require(0 < answers < 1000, f"{answers} answers")


# ------------------------------------------------------------------------------------------------ tandems

def test_a_tandem():
    """Each domain has the distances and contacts of one; linkers have bonds of 3.8 Å; nothing else is near."""
    one, single, _ = make(UBIQUITIN, "--depths", "b-factor")
    topology, data, out = make(UBIQUITIN, "--depths", "b-factor", "--tandem", 4, "--linker", 5)
    n, unit = 76, 81
    equal((topology.header["beads"], topology.header["bonds"], topology.header["contacts"]), (319, 318, 4 * 177), "counts")
    equal(set(topology.bonds), chain_bonds(319), "bonds")
    for m in range(4):
        for (i, j), r0 in one.contacts.items():
            pair = (i + m * unit, j + m * unit)
            require(abs(topology.contacts[pair] - r0) < 2e-3, f"contact {pair}")    # coordinates have steps of 0.001 Å
            equal(topology.depths[pair], one.depths[(i, j)], f"depth of {pair}")
        x = data.x[m * unit:m * unit + n]
        require(np.allclose(x - x[0], single.x - single.x[0], atol=2e-3), f"domain {m + 1}")
    r = distances(data.x)
    domain = np.arange(319) % unit < n
    inside = domain[:, None] & domain[None, :] & (np.arange(319)[:, None] // unit == np.arange(319)[None, :] // unit)
    np.fill_diagonal(inside, True)
    for i, j in topology.bonds:
        require(inside[i - 1, j - 1] or abs(r[i - 1, j - 1] - 3.8) < 2e-3, f"bond {i} {j} of the linker")
        inside[i - 1, j - 1] = inside[j - 1, i - 1] = True
    require(r[~inside].min() >= 5.0 - 2e-3, f"beads {r[~inside].min()} Å apart")
    for line in ("Chain A: beads 1 to 76, MET1 to GLY76", "Linker: beads 77 to 81, GLY1 to GLY5",
                 "Chain A-4: beads 244 to 319, MET1 to GLY76"):
        require(line + "\n" in out, out)
    equal((counts(out)["Residues"], set(data.molecules)), ("319", {1}), "residues and molecules")
    _, data, _ = make(UBIQUITIN, "--tandem", 2, "--linker", 3, "--copies", 3)
    equal((data.atoms, data.molecules), (465, [1] * 155 + [2] * 155 + [3] * 155), "copies of a tandem")


def shell(radius, count, first, last):
    """CA on a sphere, evenly, between two others."""
    k = np.arange(count) + 0.5
    z, angle = 1 - 2 * k / count, k * math.pi * (3 - math.sqrt(5))
    around = np.stack([np.sqrt(1 - z**2) * np.cos(angle), np.sqrt(1 - z**2) * np.sin(angle), z], axis=1)
    places = [first, *(radius * around).tolist(), last]
    return pdb([Atom("CA", "ALA", "A", number, tuple(x)) for number, x in enumerate(places, 1)])


def test_tandems_that_cannot_be():
    """Ends within a sphere that has no holes."""
    write("shell.pdb", shell(30.0, 900, (0.0, 0.0, -4.0), (0.0, 0.0, 4.0)))
    refused("--linker 2: a linker of 2 residues, 11.4 Å long, is too short for the gap between domains that do not touch; "
            "nor are 1000 enough", "shell.pdb", "--tandem", 2, "--linker", 2)
    write("a.pdb", pdb(helix(), helix("B", shift=(9, 0, 0))))
    refused("--tandem 2: must be one chain, and there are 2; choose one with --chains", "a.pdb", "--tandem", 2, "--linker", 4)
    make("a.pdb", "--tandem", 2, "--linker", 4, "--chains", "B")
    refused("--tandem N and --linker L need each other", "a.pdb", "--tandem", 2)
    refused("--tandem N and --linker L need each other", "a.pdb", "--linker", 2)
    refused("--tandem: '1' is not an integer from 2 to 10000", "a.pdb", "--tandem", 1, "--linker", 2)
    refused("--linker: '0' is not an integer from 1 to 1000", "a.pdb", "--tandem", 2, "--linker", 0)


def test_a_linker_that_is_too_short_shortest_linker():
    """A linker that is too short: the error has the length that is enough.

    Both ends are on top of a sphere of 12 Å: the next one must be 24 Å beside it, and beads 5 Å apart."""
    write("a.pdb", shell(12.0, 100, (0.0, 0.0, 18.0), (4.0, 0.0, 18.0)))
    done = run("a.pdb", "--out", "made", "--tandem", 3, "--linker", 1)
    least = re.search(r"at least (\d+) are needed", done.err)
    require(done.status == 1 and least and 4 <= int(least[1]) <= 8, f"{done.status} {done.err}{done.out}")
    make("a.pdb", "--tandem", 3, "--linker", int(least[1]))
    refused("is too short", "a.pdb", "--tandem", 3, "--linker", int(least[1]) - 1)


# ------------------------------------------------------------------------------------------------ viewers

def psf_of(path):
    """Atoms and bonds of a PSF file with wide columns."""
    with open(path, encoding="ascii") as file:
        lines = file.read().splitlines()
    equal(lines[0], "PSF EXT", "first line")
    start = next(k for k, line in enumerate(lines) if line.endswith("!NATOM"))
    n = int(lines[start].split()[0])
    atoms = [(int(line[:10]), line[11:19].strip(), line[20:28].strip(), line[29:37].strip(), line[38:46].strip())
             for line in lines[start + 1:start + 1 + n]]
    start = next(k for k, line in enumerate(lines) if "!NBOND" in line)
    m, flat = int(lines[start].split()[0]), []
    for line in lines[start + 1:start + 1 + (2 * m + 7) // 8]:
        flat += [int(line[k:k + 10]) for k in range(0, len(line), 10)]
    return atoms, {tuple(pair) for pair in zip(flat[::2], flat[1::2])}


def test_psf_and_pdb_of_the_beads():
    chains = helix(), [atom._replace(number=5, code="A") if atom.number == 6 else atom for atom in helix("B", shift=(8, 0, 3))]
    write("a.pdb", pdb(*chains))
    for copies in (1, 3):
        topology, data, _ = make("a.pdb", "--view", "--copies", copies)
        wanted = {(i + 40 * c, j + 40 * c) for i, j in topology.bonds for c in range(copies)}
        atoms, bonds = psf_of("made.psf")
        equal((len(atoms), bonds), (40 * copies, wanted), "atoms and bonds of the PSF file")
        equal((atoms[0], atoms[25]), ((1, "A", "1", "ALA", "CA"), (26, "B", "5A", "ALA", "CA")), "atoms")
        structure = gemmi.read_pdb("made.beads.pdb")
        with open("made.beads.pdb") as file:
            lines = file.read().splitlines()
        x = [[float(line[k:k + 8]) for k in (30, 38, 46)] for line in lines if line.startswith("ATOM")]
        require(np.array_equal(x, data.x), "coordinates of the PDB file")
        equal({chain.name for chain in structure[0]}, {"A", "B"}, "chains")
        found = {tuple(sorted((int(line[6:11]), int(line[k:k + 5])))) for line in lines if line.startswith("CONECT")
                 for k in range(11, len(line), 5)}
        equal(found, wanted, "bonds of the PDB file")


def test_letters_of_chains():
    """Each chain has one of its own, as long as there are letters."""
    names = ["PA", "A", "QB", "B"]
    write("a.cif", mmcif(*([atom._replace(chain=name) for atom in helix(shift=(0, 0, 40 * k))] for k, name in enumerate(names))))
    make("a.cif", "--view")
    equal([chain.name for chain in gemmi.read_pdb("made.beads.pdb")[0]], ["C", "A", "D", "B"], "chains")


def test_files_for_viewers_that_cannot_be():
    far = [atom._replace(x=(atom.x[0] - 2000, *atom.x[1:])) for atom in helix()]
    write("a.cif", mmcif(far))
    refused("a.cif: --view: coordinates from -2002", "a.cif", "--view")
    make("a.cif")
    write("b.beads.pdb", pdb(helix()))
    done = run("b.beads.pdb", "--out", "b", "--view")
    require(done.status == 1 and "the structure would be overwritten" in done.err, done.err)
    atoms = [atom._replace(chain="'long #\"&$'") for atom in helix()]
    make(write("c.cif", mmcif(atoms)), "--view")
    equal(psf_of("made.psf")[0][0][1:4], ("long_#\"&", "1", "ALA"), "names without blanks")


def test_from_which_bead_to_which_each_chain_is():
    write("a.pdb", pdb(helix(first=3), helix("B", 15, shift=(8, 0, 3)), head=biomt("B", IDENTITY, (HALF_TURN, (0, 0, 90)))))
    _, _, out = make("a.pdb")
    require("Chain A: beads 1 to 20, ALA3 to ALA22\nChain B: beads 21 to 35, ALA1 to ALA15\n" in out, out)
    _, _, out = make("a.pdb", "--assembly", 1)
    require("Chain B: beads 1 to 15, ALA1 to ALA15\nChain B-2: beads 16 to 30, ALA1 to ALA15\n" in out, out)
