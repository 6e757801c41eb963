"""tools/pdb2sop on ubiquitin, its table, its options and both of its files. Contacts are checked by a
plain evaluation over all pairs that shares no code with the tool.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re
import subprocess
import sys

from checks import require
from sop_files import (HALF_TURN, IDENTITY, ROOT, TOOL, UBIQUITIN, Atom, biomt, chain_bonds, check, counts, equal,
                       helix, make, np, pdb, places, run, tool, write)

BACKBONE = ("N", "CA", "C", "O", "OXT")


# -------------------------------------------------------------------------------------- ubiquitin

def ubiquitin_atoms():
    """(name, residue number, element, position) of the lines ATOM, read without gemmi."""
    with open(UBIQUITIN) as file:
        lines = [line for line in file if line.startswith("ATOM")]
    return [(line[12:16].strip(), int(line[22:26]), line[76:78].strip(),
             [float(line[k:k + 8]) for k in (30, 38, 46)]) for line in lines]


def test_ubiquitin_the_papers_rule():
    topology, data, out = make(UBIQUITIN)
    check(topology, data, places(*range(1, 77)))
    equal(topology.header, {"beads": 76, "bonds": 75, "contacts": 177}, "counts")
    equal(set(topology.bonds), chain_bonds(76), "bonds")
    ca = [x for name, _, _, x in ubiquitin_atoms() if name == "CA"]
    require(np.array_equal(data.x, ca), "coordinates")
    equal(counts(out), {"Structure": "1ubq.pdb", "Chains": "1", "Residues": "76", "Covalent bonds": "75",
                        "Native contacts": "177", "Non-native pairs": "2,598"}, "table")


SHIPPED = ((UBIQUITIN, (), "potentials/ubiquitin.sop", "potentials/ubiquitin.data"),
           (UBIQUITIN, ("--copies", "100"), "examples/sop/copies/ubiquitin-100.sop", None),
           (os.path.join(ROOT, "potentials", "ww.pdb"), ("--cutoff", "8", "--side-chains", "5.2", "--eps-n", "1.5"), "potentials/ww.sop",
            "potentials/ww.data"),
           (os.path.join(ROOT, "potentials", "ww.pdb"), ("--cutoff", "8", "--side-chains", "5.2", "--eps-n", "1.5", "--copies", "8"),
            "examples/sop/refold/ww-8.sop", None),
           (os.path.join(ROOT, "potentials", "ww.pdb"), ("--cutoff", "8", "--eps-n", "1.5", "--copies", "300"),
            "examples/sop/ww/ww-65.sop", None),
           (os.path.join(ROOT, "potentials", "ww.pdb"), ("--cutoff", "8", "--side-chains", "5.2", "--eps-n", "1.5", "--copies", "300"),
            "examples/sop/ww/ww-76.sop", None),
           (UBIQUITIN, ("--tandem", "3", "--linker", "2"), "examples/sop/tandem/ubiquitin-3.sop", "examples/sop/tandem/ubiquitin-3.data"),
           (os.path.join(ROOT, "examples", "sop", "indent", "cage.pdb"), ("--assembly", "1"),
            "examples/sop/indent/cage.sop", "examples/sop/indent/cage.data"))


def test_the_files_of_potentials_and_examples_are_what_the_tool_makes():
    for structure, options, *files in SHIPPED:
        equal(run(structure, "--out", "made", "--date", "2026-11-22", *options).status, 0, "status")
        for made, file in zip(("made.sop", "made.data"), files):
            if file:
                with open(made) as a, open(os.path.join(ROOT, file)) as b:
                    require(a.read() == b.read(), f"{file} is not what the tool makes")


def test_ubiquitin_side_chains():
    atoms = ubiquitin_atoms()
    groups = []
    for number in range(1, 77):
        mine = [atom for atom in atoms if atom[1] == number]
        heavy = [x for name, _, element, x in mine if name not in BACKBONE and element != "H"]
        groups.append(heavy or [x for name, _, _, x in mine if name == "CA"])
    found = []
    for cutoff, side_cutoff in ((8.0, 5.2), (0.0, 5.2), (6.5, 4.0)):
        topology, data, _ = make(UBIQUITIN, "--cutoff", cutoff, "--side-chains", side_cutoff)
        check(topology, data, places(*range(1, 77)), cutoff, groups, side_cutoff)
        found.append(len(topology.contacts))
    require(found[0] > 177 and found[1] < found[0] > found[2], f"contacts {found}")


def test_ubiquitin_other_cutoffs():
    for cutoff in (3.9, 5.0, 12.345, 30.0):
        topology, data, _ = make(UBIQUITIN, "--cutoff", cutoff)
        check(topology, data, places(*range(1, 77)), cutoff)


def test_closer_than_the_cutoff():
    for distance, wanted in ((7.999, 1), (8.0, 0)):
        pair = [[Atom("CA", "GLY", chain, 1, (x, 0.0, 0.0))] for chain, x in (("A", 0.0), ("B", distance))]
        topology, _, _ = make(write("a.pdb", pdb(*pair)))
        equal(len(topology.contacts), wanted, f"contacts at {distance} Å")


# ------------------------------------------------------------------------------- table, text, options

def test_table_i_of_the_paper():
    for residues, bonds, contacts, others in ((34, 33, 65, 463), (89, 88, 255, 3573), (126, 125, 328, 7422)):
        equal(tool.non_native_pairs(residues, bonds, contacts), others, f"non-native pairs of {residues} residues")
    topology, _, out = make(write("a.pdb", pdb(helix(count=34))))
    shown = counts(out)
    contacts = len(topology.contacts)
    equal((shown["Residues"], shown["Covalent bonds"], shown["Native contacts"], shown["Non-native pairs"]),
          ("34", "33", str(contacts), str(561 - 33 - contacts)), "table")


def test_the_longest_stable_step():
    """0.75 of the friction over the largest eigenvalue of the springs in one dimension, here by numpy from the files. The
    tool's is one of a thousand turns, and lies below by less than a thousandth; the step has four digits."""
    file = write("a.pdb", pdb(helix(), helix("B", shift=(8, 0, 3))))
    for options, k, eps, zeta in (((), 20.0, 1.5, 1.0075e6), (("--k", 31, "--eps-n", 4, "--zeta", 5e5), 31.0, 4.0, 5e5)):
        topology, _, out = make(file, *options)
        matrix = np.zeros((40, 40))
        for (i, j), curvature in [(pair, k) for pair in topology.bonds] + [
                (pair, 24 * eps / r0**2) for pair, r0 in topology.contacts.items()]:
            matrix[[i - 1, j - 1], [i - 1, j - 1]] += curvature
            matrix[[i - 1, j - 1], [j - 1, i - 1]] -= curvature
        exact = 0.75 * zeta / np.linalg.eigvalsh(matrix)[-1]
        found = float(re.search(r"^Longest stable step: (\S+) fs with a friction of", out, re.M)[1])
        require(0.999 * exact < found < 1.001 * exact, f"{found} fs, by numpy {exact}")
    lone = [Atom("CA", "GLY", "A", 1, (0.0, 0.0, 0.0))]
    require("step" not in make(write("b.pdb", pdb(lone)))[2], "a step where nothing limits it")


def test_parameters():
    file = write("a.pdb", pdb(helix()))
    topology, _, _ = make(file)
    equal(topology.parameters, {"k": 20.0, "R0": 2.0, "eps_n": 1.5, "eps_r": 1.0, "sigma": 3.8}, "defaults")
    words = "--k 14.5 --R0 1.5 --eps-n 1.25 --eps-r 0 --sigma 4 --eps-a 0.5 --sigma-a 3e-3"
    topology, _, _ = make(file, *words.split())
    equal(topology.parameters, {"k": 14.5, "R0": 1.5, "eps_n": 1.25, "eps_r": 0.0, "sigma": 4.0, "eps_a": 0.5,
                                "sigma_a": 3e-3}, "values")


def test_first_line_as_in_potential_files():
    make(write("a.pdb", pdb(helix())), "--date", "2024-02-29")
    with open("made.sop") as file:
        line = file.readline()
    require(re.fullmatch(r"# DATE: 2024-02-29 UNITS: real CONTRIBUTOR: \S+ CITATION: Zhmurov et al, Proteins 78, 2984 "
                         r"\(2010\).*\n", line), line)


def test_the_same_bytes_from_every_run():
    head = biomt("AB", IDENTITY, (HALF_TURN, (0, 0, 40)))
    file = write("a.pdb", pdb(helix(), helix("B", shift=(9, 0, 0)), head=head))
    texts = set()
    for seed in ("0", "1", "4711"):
        command = [sys.executable, TOOL, file, "--out", "x", "--side-chains", "5.2", "--assembly", "1"]
        done = subprocess.run(command, env=dict(os.environ, PYTHONHASHSEED=seed), capture_output=True, text=True)
        equal((done.returncode, done.stderr), (0, ""), "status and errors")
        texts.add(open("x.sop").read() + open("x.data").read() + done.stdout)
    equal(len(texts), 1, "different results")


def test_called_by_a_link_from_another_folder():
    os.mkdir("elsewhere")
    os.symlink(TOOL, "link")
    write("a.pdb", pdb(helix()))
    done = subprocess.run([sys.executable, "link", "a.pdb", "--out", "elsewhere/b"], capture_output=True, text=True)
    equal((done.returncode, done.stderr), (0, ""), "status and errors")
    equal(sorted(os.listdir("elsewhere")), ["b.data", "b.sop"], "files")
    require(os.access(TOOL, os.X_OK), "the tool is not executable")


def test_help_on_any_terminal():
    done = subprocess.run([sys.executable, TOOL, "--help"], capture_output=True, text=True,
                          env=dict(os.environ, PYTHONIOENCODING="ascii"))
    equal((done.returncode, done.stderr), (0, ""), "status and errors")
    with open(os.path.join(ROOT, "doc", "pdb2sop.rst")) as page:
        syntax = page.read().split("Examples\n")[0]
    for option in re.findall(r"^ +(--[\w-]+)", done.stdout, re.M):
        require(option in syntax, f"{option} is not in doc/pdb2sop.rst")


def test_copies():
    file = write("a.pdb", pdb(helix(), helix("B", shift=(9, 0, 0))))
    one, single, _ = make(file)
    equal(single.molecules, [1] * 20 + [2] * 20, "molecules of one copy")
    require("copies" not in one.text, "copies named where there is one")
    topology, data, out = make(file, "--copies", 3)
    check(topology, data, places(*range(20)) + places(*range(20), chain=1))
    equal(data.molecules, [1] * 40 + [2] * 40 + [3] * 40, "molecules")
    equal((topology.header["copies"], counts(out)["Copies"]), (3, "3"), "copies")
    equal((topology.bonds, topology.contacts), (one.bonds, one.contacts), "bonds and contacts")


def test_no_comments_at_the_ends_of_many_rows():
    topology, data, _ = make(UBIQUITIN, "--copies", 300)
    require(not any(data.labels) and data.text.count("#") == 2, "comments in the data file")
    require("# A MET1 - A GLN2" in topology.text, "no comments in the topology")
    _, data, _ = make(UBIQUITIN, "--copies", 2)
    equal(data.labels[75:77], ["A GLY76", "A MET1"], "comments")
    most = tool.output.MAX_COMMENTS
    for number, wanted in ((75 + 177, True), (75 + 176, False)):
        tool.output.MAX_COMMENTS = number
        topology, _, _ = make(UBIQUITIN)
        equal("# A MET1 - A GLN2" in topology.text, wanted, f"comments of 252 rows where {number} may have some")
    tool.output.MAX_COMMENTS = most


def test_box_of_the_stretched_chain():
    topology, data, _ = make(write("a.pdb", pdb(helix(count=30), helix("B", 10, shift=(0, 0, 60)))), "--R0", 3)
    longest = sum(r0 + 3 for (_, j), r0 in topology.bonds.items() if j <= 30)
    margins = np.concatenate([data.x.min(axis=0) - data.box[:, 0], data.box[:, 1] - data.x.max(axis=0)])
    require(np.all(margins >= longest) and np.all(margins <= longest + 1), f"margins {margins}, chain {longest}")
