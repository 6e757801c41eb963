"""tools/pdb2sop --beads ca-cb: two beads per residue. Checked by a plain evaluation over all pairs that shares no code with
the tool.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import itertools

from checks import require
from sop_files import (HALF_TURN, IDENTITY, UBIQUITIN, biomt, chain_bonds, closest, counts, distances, equal, helix, make,
                       moved, np, pdb, renamed, run, ssbond, write)

BACKBONE = {"N", "CA", "C", "O", "OXT"}
OPTIONS = {"cutoff": "--cutoff", "cutoff_cb": "--cutoff-cb", "side_cutoff": "--side-chains"}    # by the words of check()


def residues_of(*chains):
    """[chain][residue] of {name: position}."""
    result = []
    for chain in chains:
        found = {}
        for atom in chain:
            found.setdefault(atom.number, {})[atom.name] = np.round(atom.x, 3)
        result.append(list(found.values()))
    return result


def sides_of(residue):
    return [x for name, x in residue.items() if name not in BACKBONE]


def wanted_beads(chains):
    """Positions, atoms of side chains (None for CA), and the bead of each (chain, residue, kind)."""
    x, sides, bead = [], [], {}
    for c, residues in enumerate(chains):
        for kind in ("CA", "CB"):
            for k, residue in enumerate(residues):
                if kind == "CB" and not sides_of(residue):
                    continue
                bead[c, k, kind] = len(x)
                x.append(residue["CA"] if kind == "CA" else np.mean(sides_of(residue), axis=0))
                sides.append(sides_of(residue) if kind == "CB" else None)
    return np.array(x), sides, bead


def check(topology, data, chains, links=(), cutoff=8.0, cutoff_cb=5.2, side_cutoff=0.0):
    x, sides, bead = wanted_beads(chains)
    n = len(x)
    equal((topology.header["beads"], data.atoms), (n, n), "beads")
    require(np.abs(data.x - x).max() < 6e-4, f"places: off by {np.abs(data.x - x).max()}")
    equal(data.types, [1 if side is None else 2 for side in sides], "types")
    bonds = {(bead[c, k, "CA"], bead[c, k + 1, "CA"]) for c, residues in enumerate(chains) for k in range(len(residues) - 1)}
    bonds |= {(bead[c, k, "CA"], bead[c, k, "CB"]) for c, k, kind in bead if kind == "CB"} | set(links)
    equal({(i - 1, j - 1) for i, j in topology.bonds}, bonds, "bonds")
    partners = [{j for pair in bonds if i in pair for j in pair} | {i} for i in range(n)]
    r = distances(data.x)
    for i, j in itertools.combinations(range(n), 2):
        near = r[i, j] < (cutoff_cb if sides[i] and sides[j] else cutoff)
        near = near or (side_cutoff and sides[i] and sides[j] and closest(sides[i], sides[j]) < side_cutoff)
        apart = not partners[i] & partners[j]    # more than two bonds
        equal((i + 1, j + 1) in topology.contacts, bool(near and apart), f"contact {i + 1} {j + 1} at {r[i, j]}")
    for (i, j), r0 in [*topology.bonds.items(), *topology.contacts.items()]:
        require(abs(r0 - r[i - 1, j - 1]) < 6e-5, f"pair {i} {j}: {r0}, they are {r[i - 1, j - 1]} apart")


def two_chains():
    """A with side chains of three atoms and a glycine, B with one atom each."""
    first = [atom for atom in helix(side_chain=("CB", "CG", "CD")) if atom.number != 7 or atom.name in BACKBONE]
    return renamed(first, 7, residue="GLY"), moved(helix("B", 15), (9, 0, 3))


def test_beads_bonds_and_contacts():
    chains = two_chains()
    write("a.pdb", pdb(*chains))
    for options in ({}, {"cutoff_cb": 7.5}, {"cutoff": 6.0, "side_cutoff": 4.0}, {"cutoff": 4.0, "side_cutoff": 6.0},
                    {"cutoff": 0.0}, {"cutoff_cb": 0.0}):
        words = [word for name, value in options.items() for word in (OPTIONS[name], value)]
        topology, data, out = make("a.pdb", "--beads", "ca-cb", *words)
        check(topology, data, residues_of(*chains), **options)
    equal((counts(out)["Residues"], counts(out)["Beads"], data.molecules), ("35", "69", [1] * 39 + [2] * 30), "counts")
    equal((data.labels[0], data.labels[20], data.labels[26]), ("A ALA1", "A ALA1 CB", "A ALA8 CB"), "labels")
    for line in ("Chain A: beads 1 to 20, ALA1 to ALA20", "Side chains of chain A: beads 21 to 39, ALA1 to ALA20",
                 "Chain B: beads 40 to 54, ALA1 to ALA15", "Side chains of chain B: beads 55 to 69, ALA1 to ALA15"):
        require(line + "\n" in out, out)


def test_ubiquitin():
    """76 residues, 6 of which are glycine."""
    topology, data, out = make(UBIQUITIN, "--beads", "ca-cb")
    equal((topology.header["beads"], topology.header["bonds"]), (146, 145), "counts")
    one, _, _ = make(UBIQUITIN)
    backbone = {pair for pair in topology.contacts if max(pair) <= 76}
    equal(backbone, set(one.contacts), "contacts of CA")
    require("--beads ca-cb --cutoff-cb 5.2" in topology.text, topology.text[:300])


def test_links_join_side_chains():
    """Disulfide bonds, isopeptide bonds; those of a list join CA, and so do those of CA-only files."""
    first, second = helix(side_chain=("CB", "SG")), moved(helix("B", side_chain=("CB", "SG")), (30, 0, 0))
    meeting = next(atom.x for atom in first if (atom.number, atom.name) == (10, "SG"))
    second = [atom._replace(x=(meeting[0] + 2.0, *meeting[1:])) if (atom.number, atom.name) == (10, "SG") else atom
              for atom in second]
    chains = renamed(first, 10, residue="CYS"), renamed(second, 10, residue="CYS")
    link = "LINK         SG  CYS A  10                 SG  CYS B  10     1555   1555  2.00"
    for head in ([ssbond("A", 10, "B", 10)], [link]):
        topology, data, _ = make(write("a.pdb", pdb(*chains, head=head)), "--beads", "ca-cb")
        check(topology, data, residues_of(*chains), links=[(29, 69)])
    topology, data, _ = make(write("a.pdb", pdb(*chains)), "--beads", "ca-cb", "--disulfides", "near")
    check(topology, data, residues_of(*chains), links=[(29, 69)])
    topology, data, _ = make("a.pdb", "--beads", "ca-cb", "--bonds", write("list", "A 10 B 10\n"))
    check(topology, data, residues_of(*chains), links=[(9, 49)])
    ca = [[atom for atom in chain if atom.name == "CA"] for chain in chains]
    topology, _, _ = make(write("b.pdb", pdb(*ca, head=[ssbond("A", 10, "B", 10)])), "--beads", "ca-cb")
    equal(topology.header["beads"], 40, "beads of CA alone")


def test_neighbors_that_are_linked_keep_their_peptide_bond():
    """As vicinal disulfide bonds; and two links of one pair of residues are two bonds."""
    chain = helix(side_chain=("CB", "SG"))
    place = next(atom.x for atom in chain if (atom.number, atom.name) == (10, "SG"))
    chain = [atom._replace(residue="CYS") if atom.number in (10, 11) else atom for atom in chain]
    chain = [atom._replace(x=(place[0], place[1], place[2] + 2.0)) if (atom.number, atom.name) == (11, "SG") else atom
             for atom in chain]
    residues = residues_of(chain)
    topology, data, out = make(write("a.pdb", pdb(chain, head=[ssbond("A", 10, "A", 11)])), "--beads", "ca-cb")
    check(topology, data, residues, links=[(29, 30)])
    require("1 are disulfide bonds or other links" in out, out)
    write("list", "A 10 A 13\n")
    chain = [atom._replace(x=(place[0], place[1], place[2] + 2.0)) if (atom.number, atom.name) == (13, "SG") else atom
             for atom in renamed(chain, 13, residue="CYS")]
    topology, data, _ = make(write("a.pdb", pdb(chain, head=[ssbond("A", 10, "A", 13)])), "--beads", "ca-cb", "--bonds", "list")
    check(topology, data, residues_of(chain), links=[(29, 32), (9, 12)])


def test_one_residue():
    for atoms in (helix(count=1, residue="GLY", side_chain=()), helix(count=1)):
        topology, data, _ = make(write("a.pdb", pdb(atoms)), "--beads", "ca-cb")
        check(topology, data, residues_of(atoms))


def test_assemblies_copies_depths_and_files_for_viewers():
    chain = two_chains()[0]
    write("a.pdb", pdb(chain, head=biomt("A", IDENTITY, (HALF_TURN, (0, 0, 90)))))
    topology, data, out = make("a.pdb", "--beads", "ca-cb", "--assembly", 1, "--copies", 2, "--depths", "b-factor", "--view")
    equal((topology.header["beads"], data.atoms, data.molecules), (78, 156, [1] * 78 + [2] * 78), "two images, two copies")
    one = make("a.pdb", "--beads", "ca-cb", name="one")[0]
    for shift in (0, 39):
        require({(i + shift, j + shift) for i, j in one.bonds} <= set(topology.bonds), "bonds of an image")
    equal(len(topology.bonds), 2 * len(one.bonds), "bonds")
    require(set(topology.depths.values()) == {20.0} and len(topology.depths) == len(topology.contacts), "depths")
    with open("made.psf") as psf, open("made.beads.pdb") as beads:
        names = [line.split()[4:6] for line in psf.read().split("!NATOM\n")[1].splitlines()[:156]]
        equal(names, ([["CA", "CA"]] * 20 + [["CB", "CB"]] * 19) * 4, "names in the PSF file")
        atoms = [line[12:16] for line in beads.read().splitlines() if line.startswith("ATOM")]
        equal(atoms, ([" CA "] * 20 + [" CB "] * 19) * 4, "names in the PDB file")


def test_what_does_not_go_together():
    write("a.pdb", pdb(helix()))
    for words, error in ((["--cutoff-cb", 5], "--cutoff-cb needs --beads ca-cb"),
                         (["--beads", "ca-cb", "--tandem", 2, "--linker", 5], "--tandem has --beads ca only"),
                         (["--beads", "cb"], "invalid choice: 'cb'"),
                         (["--beads", "ca-cb", "--cutoff-cb", -1], "'-1' is not a number from 0 to 30")):
        done = run("a.pdb", "--out", "b", *words)
        require(done.status == 2 and error in done.err and done.err.count("\n") == 1, done.err)


def test_beads_in_one_place():
    atoms = helix()
    inside = next(atom.x for atom in atoms if (atom.number, atom.name) == (9, "CA"))
    atoms = [atom._replace(x=(inside[0] + 0.5, *inside[1:])) if (atom.number, atom.name) == (3, "CB") else atom
             for atom in atoms]
    write("a.pdb", pdb(atoms))
    done = run("a.pdb", "--out", "b", "--beads", "ca-cb")
    require(done.status == 1 and "a.pdb: beads A ALA9 and A ALA3 CB are 0.50 Å apart; must be 1.0 Å at least" in done.err,
            done.err)
    make("a.pdb")


def test_chains_without_side_chains():
    """Glycine alone, and CA alone: one bead per residue."""
    for atoms in (helix(side_chain=()), [atom for atom in helix() if atom.name == "CA"]):
        topology, data, out = make(write("a.pdb", pdb(atoms)), "--beads", "ca-cb")
        equal((len(data.x), set(topology.bonds), set(data.types)), (20, chain_bonds(20), {1}), "beads, bonds and types")
