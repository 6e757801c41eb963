"""tools/pdb2sop on files as simulation programs write them: names of residues and atoms of CHARMM, NAMD and Amber,
chains that only segment IDs or numbers tell apart, molecules that a periodic box has cut; conformers in blocks, and
amino acids that are ligands. Checked by a plain evaluation over all pairs that shares no code with the tool.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import itertools

from checks import require
from sop_files import (Atom, chain_bonds, check, counts, equal, helix, left_aligned, make, mmcif, moved, np, pdb,
                       places, renamed, run, with_segment, without, write)

SIMULATED = ("HSD", "HSE", "HSP", "HID", "HIE", "HIP", "CYX", "CYM", "ASH", "GLH", "LYN")
CELL = "CRYST1   40.000   50.000   60.000  90.00  90.00  90.00 P 1           1\n"


def joined(*texts):
    """Atoms of several files in one, without TER and END."""
    return "".join(line + "\n" for text in texts for line in text.splitlines() if line.startswith("ATOM")) + "END\n"


def is_chain(topology, data, out, n=20):
    equal((len(data.x), set(topology.bonds)), (n, chain_bonds(n)), "beads and bonds")
    require("gap" not in out and "no CA" not in out, out)


# ------------------------------------------------------------------------------------ names of residues and atoms

def test_last_oxygen_atoms_are_no_side_chain():
    """By each of the names that programs give to them: the topology is that of O and OXT."""
    made = []
    for last in (("O", "OXT"), ("OT1", "OT2"), ("OC1", "OC2"), ("O1", "O2")):
        atoms = helix(side_chain=("CB",))
        ends = [atom for atom in atoms if atom.number == 20 and atom.name in ("N", "CA")]
        atoms += [end._replace(name=name, x=tuple(v + 1.0 for v in end.x), element="O") for end, name in zip(ends, last)]
        topology, data, out = make(write("a.pdb", pdb(atoms)), "--cutoff", "0", "--side-chains", "6.5")
        made.append((topology.bonds, topology.contacts))
    equal(made[1:], made[:1] * 3, "bonds and contacts")


def test_names_that_simulation_programs_give_to_amino_acids():
    """Within a chain, at its ends, and the whole chain; with TER and without; names of atoms to the left."""
    for name in SIMULATED:
        for atoms in (renamed(helix(), 7, residue=name), renamed(renamed(helix(), 1, residue=name), 20, residue=name),
                      helix(residue=name)):
            for text in (pdb(atoms), joined(pdb(atoms))):
                for change in (left_aligned, str):
                    topology, data, out = make(write("a.pdb", with_segment(change(text), "")))
                    is_chain(topology, data, out)
                    check(topology, data, places(*range(20)))
                    require("not standard" not in out, out)
        require(data.labels[6] == f"A {name}7", f"{data.labels[6]}")


def test_ca_to_the_left_is_no_calcium_beside_n_and_c():
    """In a kind of residue that nobody knows."""
    atoms = renamed(helix(), 7, residue="XYZ")
    topology, data, out = make(write("a.pdb", with_segment(left_aligned(pdb(atoms)), "")))
    is_chain(topology, data, out)
    require("not standard: XYZ (1)" in out, out)
    lone = [atom for atom in helix(count=21) if atom.number < 21 or atom.name == "CA"]
    text = with_segment(left_aligned(pdb(renamed(lone, 21, residue="CA"))), "")
    topology, data, out = make(write("b.pdb", text))
    is_chain(topology, data, out)
    require("Left out: chain A: CA (1)" in out, out)


def test_hydrogen_whose_name_is_to_the_left_is_no_side_chain():
    """It has the place of mercury's HG, and of names that are none of an element."""
    for name, meet in (("HG", False), ("HB1", False), ("CG", True)):
        first = [atom._replace(name=name) if (atom.number, atom.name) == (3, "CB") else atom
                 for atom in helix(count=5, residue="SER")]
        side = next(atom for atom in first if atom.name == name)
        partner = Atom("CA", "GLY", "B", 1, (side.x[0] - 4.0, *side.x[1:]))
        text = with_segment(left_aligned(pdb(first, [partner])), "")
        topology, _, _ = make(write("a.pdb", text), "--cutoff", 1, "--side-chains", 4.5)
        equal((3, 6) in topology.contacts, meet, f"contact of {name}")


# ------------------------------------------------------------------------------------------------ chains

def two_chains(text, names, *options):
    topology, data, out = make(write("a.pdb", text), *options)
    check(topology, data, places(*range(20)) + places(*range(15), chain=1))
    equal(set(topology.bonds), chain_bonds(20) | chain_bonds(15, 21), "bonds")
    equal((data.labels[0], data.labels[20]), (f"{names[0]} ALA1", f"{names[1]} ALA1"), "labels")
    equal((counts(out)["Chains"], data.molecules), ("2", [1] * 20 + [2] * 15), "chains")
    return out


def test_chains_known_by_segment_id():
    for chain in " P":
        parts = [with_segment(pdb(helix(chain)), "PROA"), with_segment(pdb(helix(chain, 15, shift=(8, 0, 3))), "PROB")]
        for text in ("".join(parts).replace("END\n", "") + "END\n", joined(*parts)):
            two_chains(text, ("PROA", "PROB"))
            _, data, _ = make("a.pdb", "--chains", "PROB")
            equal((len(data.x), data.labels[0]), (15, "PROB ALA1"), "chosen chain")
            _, data, _ = make("a.pdb", "--chains", chain.strip() or "_")
            equal(len(data.x), 35, "beads of both")


def test_a_protein_behind_the_last_ter():
    """As docking programs write it: TER between two proteins only, of one chain name or of none; also in a model."""
    for chain in "A ":
        for names in (("PROA", "PROB"), ("", "")):
            first, second = (with_segment(pdb([atom._replace(chain=chain) for atom in atoms]), name)
                             for atoms, name in zip((helix(), moved(helix(first=101), (30, 0, 0))), names))
            atoms = ["".join(line + "\n" for line in text.splitlines() if line.startswith("ATOM")) for text in (first, second)]
            for text in (atoms[0] + "TER\n" + atoms[1] + "END\n", atoms[0] + "TER\n" + atoms[1],
                         "MODEL        1\n" + atoms[0] + "TER\n" + atoms[1] + "ENDMDL\nEND\n"):
                topology, data, out = make(write("a.pdb", text))
                equal(len(data.x), 40, f"beads of\n{out}")
                require("Left out" not in out, out)


def test_a_few_amino_acids_behind_the_last_ter_are_left_out():
    text = pdb(helix(), moved(helix("A", count=9, first=101), (30, 0, 0)))
    at = text.rindex("TER")
    topology, data, out = make(write("a.pdb", text[:at] + "END\n"))
    equal(len(data.x), 20, "beads")
    require("Left out: chain A: ALA (9)" in out, out)


def test_one_segment_of_several_chains_says_nothing():
    """Old files have the name of the entry in its place."""
    two_chains(with_segment(pdb(helix(), helix("B", 15, shift=(8, 0, 3))), "1ABC"), "AB")


def test_chains_known_by_numbers_that_fall_at_a_gap():
    for chain, name in ((" ", "_"), ("A", "A")):
        both = pdb(helix(chain), helix(chain, 15, shift=(8, 0, 3)))
        for text, reason in ((both, "TER comes before its end"), (joined(both), "the numbers of residues fall at a gap")):
            out = two_chains(text, (name, f"{name}.2"))
            require(f"chain {name}: {reason}, from ALA20 to ALA1: what follows is called chain {name}.2" in out, out)
            for wanted, beads in ((name, 20), (f"{name}.2", 15)):
                equal(len(make("a.pdb", "--chains", wanted)[1].x), beads, f"beads of {wanted}")


def test_ter_ends_a_chain():
    """Also where the numbers go on, where the next residue is as near as in a peptide bond, and where water is between.
    So contacts, repulsion and tandems are those of two chains."""
    whole = helix(count=35)
    water = Atom("O", "HOH", "A", 300, (30, 0, 0), element="O", hetero=True)
    for lines in ([], [water]):
        text = pdb(whole[:80], lines + whole[80:])
        topology, data, out = make(write("a.pdb", text))
        check(topology, data, places(*range(20)) + places(*range(15), chain=1))
        equal(set(topology.bonds), chain_bonds(20) | chain_bonds(15, 21), "bonds")
        equal((data.labels[20], data.molecules), ("A.2 ALA21", [1] * 20 + [2] * 15), "chains")
        require("chain A: TER comes before its end, from ALA20 to ALA21: what follows is called chain A.2" in out, out)
        require("A ALA20 and A.2 ALA21 are as near as in a peptide bond, but belong to two chains: no bond" in out, out)
    done = run("a.pdb", "--out", "b", "--tandem", "2", "--linker", "5")
    require(done.status == 1 and "must be one chain, and there are 2" in done.err, done.err)
    ca = [[atom for atom in part if atom.name == "CA"] for part in (whole[:80], whole[80:])]
    topology, _, out = make(write("a.pdb", pdb(*ca)))
    equal(set(topology.bonds), chain_bonds(20) | chain_bonds(15, 21), "bonds of CA alone")


def test_many_chains_of_one_name():
    """With TER and without, in one model and in two: each begins with the number 1, and copies lie in a row."""
    for chain in "A ":
        copies = [moved(helix(chain, count=9), (12 * k, 0, 0)) for k in range(30)]
        for text in (pdb(*copies), joined(pdb(*copies))):
            model = text.replace("END\n", "ENDMDL\n")
            for file in (text, f"MODEL        1\n{model}MODEL        2\n{model}END\n"):
                _, data, out = make(write("a.pdb", file), *([] if file is text else ["--model", "2"]))
                equal(data.molecules, [k + 1 for k in range(30) for _ in range(9)], "chains")
                equal(data.labels[-1], f"{chain.strip() or '_'}.30 ALA9", "last residue")
                require(f"{chain.strip() or '_'}.8 and 22 more" in out or "and 21 more" in out, out)


def test_names_of_four_letters():
    """As GROMACS writes them, in the column before the chain too. Where all residues have a letter there, it is the first
    one of the chain's name."""
    wanted = make(write("a.pdb", pdb(renamed(renamed(helix(), 1, residue="MET"), 7, residue="ASP"))))
    for chain, ends in (("A", ("GLUP", "GLU")), (" ", ("CHID", "HID"))):
        atoms = helix(chain)
        for number, name in ((1, "NMET"), (7, "ASPP"), (20, ends[0])):
            atoms = renamed(atoms, number, residue=name)
        topology, data, out = make(write("a.pdb", pdb(atoms)))
        is_chain(topology, data, out)
        equal((topology.bonds, topology.contacts), (wanted[0].bonds, wanted[0].contacts), "bonds and contacts")
        name = chain.strip() or "_"
        equal([data.labels[k] for k in (0, 6, 19)], [f"{name} MET1", f"{name} ASP7", f"{name} {ends[1]}20"], "labels")
        require("not standard" not in out and counts(out)["Chains"] == "1", out)
    text = pdb(helix(residue="ASP")).replace("ASP A", "ASPPA")
    _, data, _ = make(write("a.pdb", text))
    equal(data.labels[0], "PA ASP1", "a chain with a name of two letters")


def with_two_letters(text, letter):
    """Chain A has a name of two letters then."""
    return text.replace(" A  ", f"{letter}A  ").replace("TER\nEND\n", "TER\n")


def test_chain_names_of_two_letters():
    """HIS of chain AA looks like HISA, CYS of 1A like CYS1, NAL of AA like NALA, beside a chain that is called A."""
    for letter, name in (("A", "HIS"), ("1", "CYS"), ("A", "NAL")):
        second = pdb(moved(renamed(helix(), 5, residue=name), (30, 0, 0)))
        for text in (pdb(helix()).replace("END\n", "") + with_two_letters(second, letter),
                     with_two_letters(second, letter) + pdb(helix(first=101))):
            _, data, out = make(write("a.pdb", text))
            equal((counts(out)["Chains"], len(data.x), data.molecules), ("2", 40, [1] * 20 + [2] * 20), f"chains\n{out}")
            require(f"{letter}A {name}5" in data.labels, f"{data.labels}")
            require("gap" not in out and "Left out" not in out, out)


def test_what_comes_behind_a_ter():
    """A residue of a kind that nobody knows is one of the next chain; an ion that comes again begins none; an amino acid
    without a peptide bond is noted."""
    whole = helix(count=40)
    unknown = renamed(whole, 21, residue="XYZ")
    _, data, out = make(write("a.pdb", pdb(unknown[:80], unknown[80:])))
    equal((data.labels[20], data.molecules), ("A.2 XYZ21", [1] * 20 + [2] * 20), f"second chain\n{out}")
    ion = [Atom("NA", "Na+", "A", 1, (50, 0, 0), element="NA")]
    apart = moved(whole[80:], (30, 0, 0))
    _, data, out = make(write("a.pdb", pdb(ion + whole[:80], ion + apart)))
    equal(data.molecules, [1] * 20 + [2] * 20, "chains beside ions")
    require("TER comes before its end, from ALA20 to ALA21" in out and "fall at a gap" not in out, out)
    _, data, out = make(write("a.pdb", pdb(ion + whole[:80] + ion + apart)))
    require(set(data.molecules) == {1} and "gap, no bond between ALA20 and ALA21" in out, out)
    lone = [atom._replace(x=(50, 0, atom.x[2]), residue="GLU", number=50) for atom in whole if atom.number == 3]
    _, _, out = make(write("a.pdb", pdb(whole[:80], lone)))
    require("chain A: no peptide bond leads to GLU50, and each is a bead, as it is written as ATOM" in out, out)


def test_segments_of_which_some_are_blank():
    """Beside residues of the same chain whose segment ID is its name; numbers come again and fall."""
    parts = [with_segment(pdb(moved(helix(), (30 * k, 0, 0))), name).replace("END\n", "")
             for k, name in enumerate(("A", "A", ""))]
    for order in itertools.permutations(parts):
        _, data, out = make(write("a.pdb", "".join(order) + "END\n"))
        equal((len(data.x), data.molecules), (60, [k + 1 for k in range(3) for _ in range(20)]), f"chains\n{out}")


def test_water_inside_of_a_chain():
    """And before it: gemmi takes what follows for something else."""
    water = [Atom("O", "HOH", "A", 300, (50, 0, 0), element="O", hetero=True)]
    whole = helix(count=40)
    for atoms in (whole[:80] + water + whole[80:], water + whole):
        for text in (pdb(atoms), joined(pdb(atoms)).replace("END\n", "TER\nEND\n")):
            _, data, out = make(write("a.pdb", text))
            equal((len(data.x), set(data.molecules)), (40, {1}), f"beads\n{out}")


def test_residues_that_share_chain_and_number():
    """They would be one bead, without a word."""
    same = [atom._replace(number=1) for atom in helix()]
    for name, text in (("a.pdb", pdb(same)), ("a.cif", mmcif(helix(), moved(helix(), (30, 0, 0))))):
        done = run(write(name, text), "--out", "b")
        require(done.status == 1 and f"{name}: residue 1 of chain A has {20 if name == 'a.pdb' else 2} atoms CA; "
                "residues must differ in chain or number" in done.err, done.err)


def test_numbers_that_fall_at_a_gap_and_are_new():
    two = [*helix(first=101), *helix(count=15, shift=(8, 0, 3))]
    _, data, _ = make(write("a.pdb", pdb(two)))
    equal((data.labels[20], data.molecules), ("A.2 ALA1", [1] * 20 + [2] * 15), "second chain")
    _, data, _ = make(write("a.cif", mmcif(two, label=lambda number: number - 100 if number > 100 else number + 30)))
    equal(data.labels[20], "A ALA1", "mmCIF counts places in the sequence")


def test_water_that_begins_anew_is_no_chain():
    two = [Atom("O", "HOH", " ", number, (30 + number, 0, 0), element="O") for number in (1, 2, 3)]
    text = joined(pdb(helix(" ")), pdb(two), pdb(moved(two, (0, 9, 0))))
    topology, data, out = make(write("a.pdb", text))
    is_chain(topology, data, out)
    require("Note" not in out, out)


# -------------------------------------------------------------------------------------------------- boxes

def test_molecule_broken_across_a_periodic_box():
    """With the box in the file, and without."""
    for name, most, distance in ((None, "C-N", "1.30"), ("CA", "CA-CA", "3.83")):
        atoms = [atom for atom in helix() if name in (None, atom.name)]
        cut = [atom._replace(x=tuple(np.array(atom.x) + (40, -50, 0))) if atom.number > 12 else atom for atom in atoms]
        topology, _, out = make(write("a.pdb", CELL + pdb(cut)))
        equal(set(topology.bonds), chain_bonds(12) | chain_bonds(8, 13), "bonds")
        require("chain A: broken across the periodic box between ALA12 and ALA13" in out, out)
        require(f"{most} {distance} Å from image to image" in out, out)
        _, _, out = make(write("a.pdb", pdb(cut)))
        require("gap, no bond between ALA12 and ALA13" in out and "is the molecule broken across a periodic box?" in out,
                out)


def test_no_broken_molecule_where_there_is_none():
    for text in (CELL + pdb(without(helix(), 10, 11)), pdb(without(helix(), 10, 11)), CELL + pdb(helix(count=30))):
        _, _, out = make(write("a.pdb", text))
        require("periodic" not in out, out)


def test_beads_nearer_than_residues_are():
    _, _, out = make(write("a.pdb", pdb(helix(), moved(helix("B"), (1.95, 0, 0)))))
    require("Å apart, which residues of a protein are not, and 25 more pairs are nearer than 2.8 Å" in out and
            " are 1.95 Å apart" in out, out)
    _, _, out = make(write("a.pdb", pdb(helix(), moved(helix("B"), (0, 30, 0)))))
    require("apart" not in out, out)


def test_residue_broken_across_a_periodic_box():
    """The bond between C and N is whole, but CA lies at the other side."""
    cut = [atom._replace(x=(atom.x[0] + 40, *atom.x[1:])) if (atom.number, atom.name) == (12, "CA") else atom
           for atom in helix()]
    _, _, out = make(write("a.pdb", CELL + pdb(cut)))
    require("bonds longer than 5 Å: A ALA11 - A ALA12, A ALA12 - A ALA13: is a residue broken across a periodic box?"
            in out, out)


# ----------------------------------------------------------------------------------- conformers and ligands

def in_blocks(name):
    """Residues 8 and 9 of conformer A, then both of conformer B, 0.4 Å along z."""
    def block(letter, occupancies, shift, residue):
        return [atom._replace(alt=letter, occupancy=occupancies[atom.number - 8], residue=residue,
                              x=tuple(np.array(atom.x) + (0, 0, shift))) for atom in helix() if 8 <= atom.number <= 9]
    return ([atom for atom in helix() if atom.number < 8] + block("A", (0.4, 0.6), 0.0, "ALA")
            + block("B", (0.6, 0.4), 0.4, name) + [atom for atom in helix() if atom.number > 9])


def test_conformers_in_blocks_chosen_by_a_word():
    plain = np.array([atom.x for atom in helix() if atom.name == "CA"])
    for name in ("ALA", "SER"):
        for text, file in ((pdb(in_blocks(name)), "a.pdb"), (mmcif(in_blocks(name)), "a.cif")):
            write(file, text)
            for options, shifts in ((("--conformer", "A"), (0, 0)), (("--conformer", "B"), (0.4, 0.4)), ((), (0.4, 0))):
                topology, data, out = make(file, *options)
                check(topology, data, places(*range(20)))
                equal(set(topology.bonds), chain_bonds(20), "bonds")
                moved_by = np.zeros((20, 3))
                moved_by[7:9, 2] = shifts
                require(np.allclose(data.x, plain + moved_by, atol=6e-4), f"{name} {options}: {data.x[7:9]}")
                require("alternate locations in 2 residue(s)" in out, out)
    make("a.pdb", "--conformer", "B")
    with open("made.sop") as file:
        require("--conformer B" in file.readlines()[1], "the option is not in the comment")


def test_a_conformer_that_lacks_ca_in_a_residue_is_not_taken_there():
    atoms = [atom for atom in in_blocks("ALA") if (atom.number, atom.name, atom.alt) != (9, "CA", "B")]
    _, data, out = make(write("a.pdb", pdb(atoms)), "--conformer", "B")
    plain = np.array([atom.x for atom in helix() if atom.name == "CA"])
    equal(np.round(data.x - plain, 2)[7:9, 2].tolist(), [0.4, 0.0], "places of residues 8 and 9")


def test_an_amino_acid_that_is_a_ligand_and_written_as_atom():
    glu = [atom._replace(residue="GLU", number=103) for atom in moved(helix(count=1), (40, 0, 0))]
    _, data, out = make(write("a.pdb", pdb([*helix(), *glu])))
    equal(len(data.x), 21, "beads")
    require("chain A: no peptide bond leads to GLU103, and each is a bead, as it is written as ATOM;" in out, out)
    _, data, out = make(write("b.pdb", pdb(helix(), ligands=glu)))    # after TER
    equal(len(data.x), 20, "beads")
    require("Left out: chain A: GLU (1)" in out, out)


def test_what_is_left_out():
    heme = [Atom(name, "HEM", "A", 201, (40 + k, 0, 0), hetero=True, element=name[:2].strip("AB")) for k, name in
            enumerate(("FE", "NA", "NB"))]
    water = [Atom("O", "HOH", "W", number, (50 + number, 0, 0), hetero=True, element="O") for number in (1, 2)]
    _, _, out = make(write("a.pdb", pdb(helix(), ligands=[*heme, *water])))
    require("Left out: chain A: HEM (1); chain W: HOH (2)\n" in out and "Note" not in out, out)
