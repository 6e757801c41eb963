"""tools/pdb2sop on small structures made here, one for each rule: chains, gaps, numbers, kinds of residues, links,
models, assemblies, formats. Checked by a plain evaluation over all pairs that shares no code with the tool.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import gzip
import math

import pytest

from checks import require
from sop_files import (HALF_TURN, IDENTITY, Atom, biomt, chain_bonds, check, counts, equal, helix, make, mmcif, moved,
                       np, operators, pdb, places, renamed, ssbond, without, write)

gemmi = pytest.importorskip("gemmi")
# ------------------------------------------------------------------------------- chains, gaps, numbers

def test_two_chains():
    topology, data, _ = make(write("a.pdb", pdb(helix(), helix("B", 15, shift=(8, 0, 3)))))
    check(topology, data, places(*range(20)) + places(*range(15), chain=1))
    equal(set(topology.bonds), chain_bonds(20) | chain_bonds(15, 21), "bonds")
    require(any(i <= 20 < j for i, j in topology.contacts), "no contact between the chains")
    equal(data.labels[19:21], ["A ALA20", "B ALA1"], "labels")


def test_chosen_chains():
    file = write("a.pdb", pdb(*(helix(name, 10, shift=(9 * k, 0, 0)) for k, name in enumerate("ABC"))))
    for words, wanted in (("C,A", "AC"), ("B", "B"), ("A,B,C,A", "ABC")):
        _, data, out = make(file, "--chains", words)
        equal([label[0] for label in data.labels[::10]], list(wanted), "chains")
        equal(counts(out)["Chains"], str(len(wanted)), "number of chains")


def test_chain_without_a_name():
    _, data, _ = make(write("a.pdb", pdb(helix(" "))), "--chains", "_")
    equal(data.labels[0], "_ ALA1", "label")


def test_peptide_bond_between_two_chains():
    """It is none, but the file may have a wrong name."""
    whole = helix(count=35)
    _, _, out = make(write("a.pdb", pdb(whole[:80], [atom._replace(chain="B") for atom in whole[80:]])))
    require("A ALA20 and B ALA21 are as near as in a peptide bond, but belong to two chains: no bond" in out, out)


def test_gap_missing_residues_by_their_numbers():
    """The loop that is missing counts in the sequence; what is left has no bond across."""
    for missing in ([10], [10, 11], [8, 9, 10, 11, 12]):
        left = [number for number in range(1, 21) if number not in missing]
        topology, data, out = make(write("a.pdb", pdb(without(helix(), *missing))))
        check(topology, data, places(*left))
        wanted = {(k, k + 1) for k in range(1, len(left)) if left[k] == left[k - 1] + 1}
        equal(set(topology.bonds), wanted, "bonds")
        require(f"gap, no bond between ALA{missing[0] - 1} and ALA{missing[-1] + 1}" in out, out)


def test_gap_numbers_that_do_not_tell():
    """As the chain breaks, at least one residue is missing, whatever the numbers say."""
    file = write("a.pdb", pdb([*helix(count=10), *moved(helix(count=10, first=11), (0, 0, 18))]))
    topology, data, _ = make(file)
    equal(set(topology.bonds), chain_bonds(10) | chain_bonds(10, 11), "bonds")
    check(topology, data, places(*range(1, 11), *range(12, 22)))


def test_numbers_that_jump_and_fall_in_an_unbroken_chain():
    atoms = [atom._replace(number=atom.number + (50 if 6 <= atom.number < 12 else -30 if atom.number >= 12 else 0))
             for atom in helix()]
    topology, data, out = make(write("a.pdb", pdb(atoms)))
    check(topology, data, places(*range(20)))
    equal(set(topology.bonds), chain_bonds(20), "bonds")
    require("gap" not in out and data.labels[-1] == "A ALA-10", f"{out} {data.labels[-1]}")


def test_insertion_codes():
    codes = {6: (5, "A"), 7: (5, "B"), 8: (5, "C")}
    atoms = [atom._replace(number=codes[atom.number][0], code=codes[atom.number][1]) if atom.number in codes else atom
             for atom in helix()]
    topology, data, _ = make(write("a.pdb", pdb(atoms)))
    check(topology, data, places(*range(20)))
    equal(data.labels[4:9], ["A ALA5", "A ALA5A", "A ALA5B", "A ALA5C", "A ALA9"], "labels")
    equal(set(topology.bonds), chain_bonds(20), "bonds")


def test_residue_numbers_above_9999():
    """They have letters in PDB files: A000 is 10000."""
    lines = pdb(helix(first=9990)).splitlines()
    lines = [line[:22] + f"A{int(line[22:27]) - 10000:03} " + line[28:] if len(line) > 60 and int(line[22:27]) > 9999
             else line for line in lines]
    topology, data, _ = make(write("a.pdb", "\n".join(lines) + "\n"))
    check(topology, data, places(*range(20)))
    equal(data.labels[9:11], ["A ALA9999", "A ALA10000"], "labels")


def test_ca_only():
    atoms = [atom for atom in without(helix(), 10, 11) if atom.name == "CA"]
    topology, data, out = make(write("a.pdb", pdb(atoms)), "--side-chains", 5.2)
    left = [*range(1, 10), *range(12, 21)]
    check(topology, data, places(*left), 8.0, [[x] for x in data.x], 5.2)
    equal(set(topology.bonds), chain_bonds(9) | chain_bonds(9, 10), "bonds")
    require("gap, no bond between ALA9 and ALA12 (CA-CA" in out, out)


def test_residue_without_ca():
    topology, data, out = make(write("a.pdb", pdb([atom for atom in helix() if (atom.number, atom.name) != (7, "CA")])))
    equal(len(data.x), 19, "beads")
    equal(set(topology.bonds), chain_bonds(6) | chain_bonds(13, 7), "bonds")
    require("no CA in ALA7: no bead" in out and "gap, no bond between ALA6 and ALA8" in out, out)


# ------------------------------------------------------------------------------------ kinds of residues

def test_alternate_locations():
    """The highest occupancy, the first of equals, for each residue."""
    for occupancies, wanted in (((0.3, 0.7), 1.0), ((0.6, 0.4), 0.0), ((0.5, 0.5), 0.0)):
        atoms = []
        for atom in helix(side_chain=("CB", "CG")):
            if atom.number == 8:
                for k, alt in enumerate("AB"):
                    x = tuple(np.array(atom.x) + (0, 0, 0.4 * k))
                    atoms.append(atom._replace(alt=alt, occupancy=occupancies[k], x=x))
            else:
                atoms.append(atom)
        _, data, out = make(write("a.pdb", pdb(atoms)))
        ca = next(atom for atom in helix() if atom.number == 8 and atom.name == "CA")
        equal(len(data.x), 20, "beads")
        require(np.allclose(data.x[7], np.array(ca.x) + (0, 0, 0.4 * wanted), atol=6e-4), f"{data.x[7]}")
        require("alternate locations in 1 residue(s)" in out, out)


def test_alternate_locations_of_a_side_chain_alone():
    """Two helices whose side chains meet in one of the conformers only."""
    for occupancy, meet in ((0.7, True), (0.3, False)):
        first = [atom for atom in helix(count=5) if (atom.number, atom.name) != (3, "CB")]
        ca = next(atom for atom in first if (atom.number, atom.name) == (3, "CA"))
        for alt, reach, share in (("A", 4.0, occupancy), ("B", 0.5, 1 - occupancy)):
            first.append(ca._replace(name="CB", alt=alt, occupancy=share, x=(ca.x[0] - reach, *ca.x[1:])))
        partner = Atom("CA", "GLY", "B", 1, (ca.x[0] - 8.8, *ca.x[1:]))
        topology, _, _ = make(write("a.pdb", pdb(first, [partner])), "--cutoff", 8, "--side-chains", 5)
        equal((3, 6) in topology.contacts, meet, "contact")


def test_hydrogen_is_no_side_chain():
    """A residue with hydrogen alone beside its backbone is represented by CA."""
    for element, meet in (("H", False), ("C", True)):
        first = [atom._replace(element=element) if atom.name == "CB" else atom for atom in helix(count=5)]
        side = next(atom for atom in first if (atom.number, atom.name) == (3, "CB"))
        partner = Atom("CA", "GLY", "B", 1, (side.x[0] - 4.0, *side.x[1:]))
        topology, _, _ = make(write("a.pdb", pdb(first, [partner])), "--cutoff", 1, "--side-chains", 4.5)
        equal((3, 6) in topology.contacts, meet, f"contact of {element}")


def test_two_kinds_of_residue_at_one_place():
    atoms = []
    for atom in helix():
        if atom.number == 8:
            atoms.append(atom._replace(residue="SER", alt="A", occupancy=0.4))
            atoms.append(atom._replace(residue="THR", alt="B", occupancy=0.6))
        else:
            atoms.append(atom)
    topology, data, _ = make(write("a.pdb", pdb(sorted(atoms, key=lambda a: (a.number, a.residue)))))
    equal((len(data.x), data.labels[7]), (20, "A THR8"), "beads")
    equal(set(topology.bonds), chain_bonds(20), "bonds")


def test_modified_residues():
    atoms = renamed(renamed(helix(), 5, residue="MSE", hetero=True), 9, residue="SEP", hetero=True)
    topology, data, out = make(write("a.pdb", pdb(atoms)))
    equal((data.labels[4], data.labels[8], set(topology.bonds)), ("A MSE5", "A SEP9", chain_bonds(20)), "beads")
    require("not standard: MSE (1), SEP (1)" in out, out)


def test_calcium_water_and_free_amino_acids_are_no_beads():
    ca = Atom("CA", "CA", "A", 101, (30, 0, 0), hetero=True, element="CA")
    water = Atom("O", "HOH", "A", 102, (35, 0, 0), hetero=True, element="O")
    glu = [atom._replace(residue="GLU", number=103, hetero=True) for atom in moved(helix(count=1), (40, 0, 0))]
    for text in (pdb(helix(), ligands=[ca, water, *glu]), pdb([*helix(), *glu])):    # after TER, and before it
        _, data, _ = make(write("a.pdb", text))
        equal(len(data.x), 20, "beads")
    _, data, _ = make(write("a.cif", mmcif([*helix(), ca._replace(hetero=False)])))    # calcium in the same entity
    equal(len(data.x), 20, "beads")


def test_a_chain_of_dna_is_left_out():
    base = [Atom(name, "DA", "D", number, (30 + 6 * number, k, 0), element=name[0])
            for number in range(1, 6) for k, name in enumerate(("P", "C4'", "N9"))]
    _, data, out = make(write("a.pdb", pdb(helix(), base)))
    equal(len(data.x), 20, "beads")
    require("chain D: none of its 5 residue(s) has a CA: left out" in out, out)


# ------------------------------------------------------------------------------------------- links

def two_helices(distance, **changes):
    """Chains A and B with a cysteine each, whose sulfur atoms are as far apart as asked."""
    first = renamed(helix(), 10, residue="CYS")
    ca = next(atom for atom in first if (atom.number, atom.name) == (10, "CA"))
    sulfur = ca._replace(name="SG", element="S", x=(ca.x[0] + 1.8, *ca.x[1:]))
    place = next(k for k, atom in enumerate(first) if atom.number == 11)
    first.insert(place, sulfur)
    turn = np.array([-1, -1, 1])
    shift = (2 * sulfur.x[0] + distance, 2 * sulfur.x[1], 0)
    second = [atom._replace(chain="B", x=tuple(turn * atom.x + shift)) for atom in first]
    return first, second


def only_near(out):
    """The one note is that on residues of both helices, which have little room beside the bond."""
    return out.count("Note") == out.count(" Å apart, which residues of a protein are not") == 1


def test_disulfide_bond_between_chains():
    topology, data, out = make(write("a.pdb", pdb(*two_helices(2.05), head=[ssbond("A", 10, "B", 10)])))
    check(topology, data, places(*range(20)) + places(*range(20), chain=1))
    equal(set(topology.bonds), chain_bonds(20) | chain_bonds(20, 21) | {(10, 30)}, "bonds")
    require("1 are disulfide bonds or other links" in out and only_near(out), out)


def test_disulfide_bond_that_the_file_does_not_name():
    file = write("a.pdb", pdb(*two_helices(2.05)))
    topology, _, out = make(file)
    require((10, 30) not in topology.bonds and (10, 30) in topology.contacts, "without SSBOND it is a contact")
    require("close sulfur atoms that no SSBOND of the file joins: A CYS10 - B CYS10;" in out, out)
    topology, data, out = make(file, "--disulfides", "near")
    check(topology, data, places(*range(20)) + places(*range(20), chain=1))
    require((10, 30) in topology.bonds and only_near(out), out)
    for distance, wanted in ((2.4, True), (2.6, False)):
        topology, _, _ = make(write("a.pdb", pdb(*two_helices(distance))), "--disulfides", "near")
        equal((10, 30) in topology.bonds, wanted, f"bond of {distance} Å")


def test_disulfide_bond_within_a_chain():
    atoms = renamed(renamed(helix(side_chain=("CB", "SG")), 5, residue="CYS"), 9, residue="CYS")
    meeting = next(atom.x for atom in atoms if (atom.number, atom.name) == (5, "SG"))
    atoms = [atom._replace(x=(meeting[0], meeting[1], meeting[2] + 2.0)) if (atom.number, atom.name) == (9, "SG")
             else atom for atom in atoms]
    topology, data, _ = make(write("a.pdb", pdb(atoms, head=[ssbond("A", 5, "A", 9)])))
    equal(set(topology.bonds), chain_bonds(20) | {(5, 9)}, "bonds")
    check(topology, data, places(*range(20)))


def test_disulfide_bonds_that_cannot_be():
    for distance, ends, text in ((9.0, ("A", 10, "B", 10), "atoms are 9.00 Å apart"),
                                 (2.0, ("A", 10, "B", 99), "names a residue that is no bead")):
        topology, _, out = make(write("a.pdb", pdb(*two_helices(distance), head=[ssbond(*ends)])))
        equal(set(topology.bonds), chain_bonds(20) | chain_bonds(20, 21), "bonds")
        require("disulfide bond" in out and "left out" in out and text in out, out)


def test_disulfide_bonds_of_programs_files():
    """CYX for CYS; copies that share the name of their chain, all of which have the bond; and a chain that is not there."""
    first, second = ([atom._replace(residue="CYX" if atom.residue == "CYS" else atom.residue) for atom in chain]
                     for chain in two_helices(2.05))
    topology, _, out = make(write("a.pdb", pdb(first, second, head=[ssbond("A", 10, "B", 10)])))
    require((10, 30) in topology.bonds and only_near(out), out)
    first, second = two_helices(2.05)
    one = first + [atom._replace(chain="A", number=atom.number + 20) for atom in second]
    head = [ssbond("A", 10, "A", 30)]
    topology, _, out = make(write("a.pdb", pdb(one, moved(one, (90, 0, 0)), head=head)))
    require({(10, 30), (50, 70)} <= set(topology.bonds), f"bonds of both copies\n{out}")
    _, _, out = make(write("a.pdb", pdb(first, second, head=[ssbond("X", 10, "Y", 10)])))
    require("disulfide bond X/CYS 10/SG - Y/CYS 10/SG: left out, as it names a residue that is no bead" in out, out)
    same = [[atom._replace(chain="A") for atom in chain] for chain in (first, second)]
    topology, _, out = make(write("a.pdb", pdb(*same, head=[ssbond("A", 10, "A", 10)])))
    require((10, 30) in topology.bonds and "left out" not in out, out)
    _, _, out = make(write("a.pdb", pdb(first, second, head=[ssbond("A", 55, "A", 77)])))
    require("disulfide bond A/CYS 55/SG - A/CYS 77/SG: left out, as it names a residue that is no bead" in out, out)
    _, _, out = make(write("a.pdb", pdb(first, second, helix("C", shift=(60, 0, 0)), head=[ssbond("A", 10, "B", 10)])),
                     "--chains", "C")
    require("disulfide bond" not in out, out)


def test_disulfide_bond_of_ca_only():
    chains = [[atom for atom in chain if atom.name == "CA"] for chain in two_helices(2.05)]
    topology, _, _ = make(write("a.pdb", pdb(*chains, head=[ssbond("A", 10, "B", 10)])))
    require((10, 30) in topology.bonds, "no bond")


def test_isopeptide_link():
    first, second = two_helices(1.3)
    link = "LINK         SG  CYS A  10                 SG  CYS B  10     1555   1555  1.30"
    topology, _, _ = make(write("a.pdb", pdb(first, second, head=[link])))
    require((10, 30) in topology.bonds, "no bond")


def test_chain_that_goes_on_by_a_link():
    """As by the side chain of gamma-glutamic acid: no gap, and places in the sequence go on by one."""
    atoms = helix(side_chain=("CB", "CD"))
    nitrogen = next(atom.x for atom in atoms if (atom.number, atom.name) == (11, "N"))
    near = {"C": (20, 20, 20), "CD": (nitrogen[0], nitrogen[1], nitrogen[2] + 1.3)}
    atoms = [atom._replace(x=near[atom.name]) if atom.number == 10 and atom.name in near else atom for atom in atoms]
    link = "LINK         CD  ALA A  10                 N   ALA A  11     1555   1555  1.30"
    topology, data, out = make(write("a.pdb", pdb(atoms, head=[link])), "--cutoff", 7)
    check(topology, data, places(*range(20)), 7.0)
    equal(set(topology.bonds), chain_bonds(20), "bonds")
    require("gap" not in out, out)


# -------------------------------------------------------------------------------- models, assemblies

def test_models():
    body = "".join(f"MODEL     {number:4}\n" + pdb(helix(shift=(number, 0, 0))).replace("END\n", "ENDMDL\n")
                   for number in (2, 5))
    for number in (2, 5):
        _, data, _ = make(write("a.pdb", body + "END\n"), "--model", number)
        require(abs(data.x[0, 0] - 2.3 - number) < 1e-3, f"x = {data.x[0, 0]}")


def test_assembly_of_two_images():
    chain = helix(shift=(4.5, 0, 0))
    head = biomt("A", IDENTITY, (HALF_TURN, (0, 0, 2)))
    file = write("a.pdb", pdb(chain, helix("B", 10, shift=(0, 50, 0)), head=head))
    topology, data, out = make(file, "--assembly", 1)
    check(topology, data, places(*range(20)) + places(*range(20), chain=1))
    require(np.allclose(data.x[20:], data.x[:20] * (-1, -1, 1) + (0, 0, 2), atol=2e-3), "coordinates of the image")
    equal(data.molecules, [1] * 20 + [2] * 20, "molecules")
    equal((data.labels[0], data.labels[20]), ("A ALA1", "A-2 ALA1"), "labels")
    equal(set(topology.bonds), chain_bonds(20) | chain_bonds(20, 21), "bonds")
    require(any(i <= 20 < j for i, j in topology.contacts), "no contact between the images")
    _, data, out = make(file)
    require(len(data.x) == 30 and "biological assemblies in the file: 1 (2 images)" in out, out)


def test_assembly_a_disulfide_bond_to_the_other_image():
    """The file names a bond of a residue with its own image."""
    first, _ = two_helices(2.05)
    sulfur = next(atom for atom in first if atom.name == "SG")
    operator = (HALF_TURN, (2 * sulfur.x[0] + 2.05, 2 * sulfur.x[1], 0))
    head = [ssbond("A", 10, "A", 10) + " " * 24 + "  1555   2655  2.05", *biomt("A", IDENTITY, operator)]
    topology, _, _ = make(write("a.pdb", pdb(first, head=head)), "--assembly", 1)
    equal(set(topology.bonds), chain_bonds(20) | chain_bonds(20, 21) | {(10, 30)}, "bonds")


def test_assembly_of_an_mmcif_file():
    """Operators name label_asym_id, chains are chosen by auth_asym_id."""
    expressions = {"1": ("1", "P,Q"), "capsid": ("(1,2)(2)", "Q"), "moved": ("(X0)(1-2)", "Q"), "lost": ("1,9", "Q")}
    file = write("a.cif", mmcif(helix(), helix("B", 10, shift=(9, 0, 0)), extra=operators(expressions)))
    asymmetric = make(file, "--chains", "B")[1].x
    turned = asymmetric * (-1, -1, 1) + (0, 0, 5)
    for name, wanted in (("capsid", (turned, asymmetric + (0, 0, 10))),
                         ("moved", (asymmetric + (100, 0, 0), turned + (100, 0, 0)))):
        _, data, _ = make(file, "--assembly", name)
        require(np.allclose(data.x, np.concatenate(wanted), atol=2e-3), f"{name}: {data.x}")
    _, data, _ = make(file, "--assembly", "1", "--chains", "A")
    equal(data.labels[0] + data.labels[-1], "A ALA1A ALA20", "beads of one chain")
    _, _, out = make(file)
    require("capsid (2 images), moved (2 images)" in out, out)


# ------------------------------------------------------------------------------------ other formats

def test_mmcif_and_compressed_files_give_the_same():
    chains = helix(), helix("B", 12, shift=(9, 0, 0))
    wanted = make(write("a.pdb", pdb(*chains)))[:2]
    with gzip.open("b.pdb.gz", "wt") as file:
        file.write(pdb(*chains))
    write("c.cif", mmcif(*chains))
    write("d.txt", pdb(*chains))
    write("e.dat", mmcif(*chains))
    write("f.json", gemmi.cif.read("c.cif").as_json(mmjson=True))
    for name in ("b.pdb.gz", "c.cif", "d.txt", "e.dat", "f.json"):
        topology, data, _ = make(name)
        equal((topology.bonds, topology.contacts), (wanted[0].bonds, wanted[0].contacts), name)
        equal(data.labels, wanted[1].labels, name)
        require(np.array_equal(data.x, wanted[1].x), name)


def test_mmcif_tells_how_many_residues_are_missing():
    """Numbers of the authors run on over the gap; label_seq_id does not."""
    left = [*range(1, 9), *range(12, 21)]
    atoms = [atom._replace(number=left.index(atom.number) + 1) for atom in without(helix(), 9, 10, 11)]
    topology, data, _ = make(write("a.cif", mmcif(atoms, label=lambda number: left[number - 1])), "--cutoff", 12)
    check(topology, data, places(*left), 12.0)


def test_pdb_files_from_before_1996():
    """Columns 73 to 80 have the name of the entry and the number of the line."""
    lines = [f"{line[:72]:72}1ABC{number:4}" for number, line in enumerate(pdb(helix()).splitlines(), 85)]
    topology, data, _ = make(write("a.pdb", "\n".join(lines) + "\n"))
    check(topology, data, places(*range(20)))
    equal(len(data.x), 20, "beads")


def test_title_in_latin_1():
    for title, shown in (("M\xdcLLER", ""), ("GREEN", ": GREEN")):
        make(write("a.pdb", f"TITLE     {title}\n" + pdb(helix())))
        with open("made.sop", encoding="ascii") as file:
            equal(file.read().splitlines()[1], "# pdb2sop a.pdb --cutoff 8" + shown, "comment")


def test_names_that_could_spoil_the_files():
    atoms = [atom._replace(chain="'A #\"&$'") for atom in helix()]
    topology, data, _ = make(write("a.cif", mmcif(atoms)))
    check(topology, data, places(*range(20)))
    require(len(data.x) == 20 and math.isfinite(data.box.sum()), "beads")
