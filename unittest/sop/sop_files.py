"""Small structure files, the runs of tools/pdb2sop on them, and what it wrote, for the tests in this folder.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import contextlib
import importlib.machinery
import importlib.util
import io
import math
import os
import re
import signal
import sys
import tempfile
import traceback
from unittest import mock

import pytest

from checks import require

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "tools", "pdb2sop")
UBIQUITIN = os.path.join(ROOT, "potentials", "1ubq.pdb")
TIME_LIMIT = 30    # seconds for one run of the tool: none takes one


np = pytest.importorskip("numpy")
pytest.importorskip("gemmi")


def load_tool(path):
    """A tool as a module: it has no extension. Its own modules lie beside it."""
    sys.path.insert(0, os.path.dirname(path))
    loader = importlib.machinery.SourceFileLoader(os.path.basename(path).replace("-", "_"), path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


tool = load_tool(TOOL)
for lazy in ("numpy.ma", "encodings.ascii", "encodings.latin_1"):    # else each child would load them anew
    importlib.import_module(lazy)


def equal(found, wanted, what):
    require(found == wanted, f"{what}: {found}, wanted {wanted}")


# ------------------------------------------------------------------------------------- running it

Run = collections.namedtuple("Run", "status out err")


def run(*arguments, seconds=TIME_LIMIT):
    """Runs the tool in a child process, without starting Python anew. A negative status is the signal that ended it."""
    sys.stdout.flush()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            run_as_child([str(word) for word in arguments], out, err, seconds)
        _, status = os.waitpid(child, 0)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    return Run(os.waitstatus_to_exitcode(status), *texts)


def run_here(tool, path, *arguments):
    """Runs main() of a tool that has been loaded, within this process: for many runs, and where a process takes long to begin."""
    out, err, status = io.StringIO(), io.StringIO(), 0
    with mock.patch.object(sys, "argv", [path, *arguments]), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            tool.main()
        except SystemExit as end:
            status = 1 if isinstance(end.code, str) else end.code
            err.write(f"{end.code}\n" if isinstance(end.code, str) else "")
    return Run(status, out.getvalue(), err.getvalue())


def run_as_child(arguments, out, err, seconds):
    status = 1
    try:
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        sys.stdout, sys.stderr = (open(number, "w", closefd=False) for number in (1, 2))    # not those that pytest has
        signal.alarm(seconds)
        sys.argv = [TOOL, *arguments]
        try:
            tool.main()
            status = 0
        except SystemExit as end:
            if isinstance(end.code, str):
                print(end.code, file=sys.stderr)
            else:
                status = end.code or 0
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def make(*arguments, name="made"):
    """A run that must succeed: its topology, data file and output."""
    done = run(*arguments, "--out", name)
    require(done.status == 0 and not done.err, f"ended with {done.status}: {done.err}{done.out}")
    return Topology(f"{name}.sop"), Data(f"{name}.data"), done.out


def counts(out):
    """The table that the tool prints, as {row: text}."""
    return {line[:18].strip(): line[18:].strip() for line in out.splitlines() if re.match(r"\S.{17}.{16}$", line)}


# ------------------------------------------------------------------------------- what it has written

class Topology:
    """A .sop file, read by the rules of its documentation."""

    def __init__(self, path):
        with open(path, encoding="ascii") as file:
            self.text = file.read()
        rows = [line.split("#")[0].split() for line in self.text.splitlines()]
        rows = [row for row in rows if row]
        titles = {"Parameters", "Bonds", "Contacts"}
        first = next(k for k, row in enumerate(rows) if row[0] in titles)
        self.header = {name: int(number) for number, name in rows[:first]}
        section, self.sections = None, {title: [] for title in titles}
        for row in rows[first:]:
            if row[0] in titles:
                section = self.sections[row[0]]
            else:
                section.append(row)
        self.parameters = {name: float(value) for name, value in self.sections["Parameters"]}
        self.bonds = {(int(i), int(j)): float(r) for i, j, r in self.sections["Bonds"]}
        self.contacts = {(int(i), int(j)): float(r) for i, j, r, *_ in self.sections["Contacts"]}
        self.depths = {(int(i), int(j)): float(*depth) for i, j, _, *depth in self.sections["Contacts"] if depth}


class Data:
    """A LAMMPS data file with atoms only."""

    def __init__(self, path):
        with open(path, encoding="ascii") as file:
            self.text = file.read()
        head, body = self.text.split("Atoms # molecular\n")
        self.atoms = int(re.search(r"^(\d+) atoms$", head, re.M)[1])
        self.box = np.array([[float(word) for word in re.search(rf"^(\S+) (\S+) {a}lo {a}hi$", head, re.M).groups()]
                             for a in "xyz"])
        lines = [line for line in body.splitlines() if line]
        self.labels = [line.partition("  # ")[2] for line in lines]
        rows = [line.split("#")[0].split() for line in lines]
        self.ids, self.molecules, self.types = ([int(row[k]) for row in rows] for k in range(3))
        self.x = np.array([[float(word) for word in row[3:]] for row in rows])


def chain_bonds(n, first=1):
    """Bonds of beads first, first + 1, ... of a chain."""
    return {(k, k + 1) for k in range(first, first + n - 1)}


def places(*numbers, chain=0):
    """Chain and place in the sequence of beads, as check() wants them."""
    return [(chain, number) for number in numbers]


def distances(x):
    return np.sqrt(((x[:, None, :] - x[None, :, :])**2).sum(axis=2))


def check(topology, data, places=None, cutoff=8.0, side_chains=None, side_cutoff=0.0):
    """Both files against a plain evaluation over all pairs. places: (chain, place in the sequence) of each bead;
    without them, pairs up to two beads apart may miss. side_chains: a list of positions for each bead."""
    n = topology.header["beads"]
    copies = topology.header.get("copies", 1)
    require(data.atoms == n * copies == len(data.x), f"{data.atoms} atoms for {copies} copies of {n} beads")
    require(data.ids == list(range(1, data.atoms + 1)) and set(data.types) == {1}, "atom IDs or types")
    require(np.all(np.isfinite(data.x)) and np.all(data.x == np.tile(data.x[:n], (copies, 1))), "copies differ")
    require(np.all(data.box[:, 0] < data.x.min(axis=0)) and np.all(data.box[:, 1] > data.x.max(axis=0)), "box")
    require(topology.header["bonds"] == len(topology.sections["Bonds"]) == len(topology.bonds), "number of bonds")
    require(topology.header["contacts"] == len(topology.sections["Contacts"]) == len(topology.contacts), "of contacts")
    require(not set(topology.bonds) & set(topology.contacts), "a pair is bond and contact")
    r = distances(data.x[:n])
    for (i, j), r0 in [*topology.bonds.items(), *topology.contacts.items()]:
        require(1 <= i < j <= n, f"pair {i} {j} of {n} beads")
        require(abs(r0 - r[i - 1, j - 1]) < 6e-5, f"pair {i} {j}: {r0}, they are {r[i - 1, j - 1]} apart")
    for i in range(n):
        for j in range(i + 1, n):
            wanted = r[i, j] < cutoff
            if side_cutoff:
                wanted = wanted or closest(side_chains[i], side_chains[j]) < side_cutoff
            wanted = wanted and (i + 1, j + 1) not in topology.bonds
            is_there = (i + 1, j + 1) in topology.contacts
            if places is None:
                require(is_there == wanted or (wanted and j - i <= 2 and data.molecules[i] == data.molecules[j]),
                        f"contact {i + 1} {j + 1} at {r[i, j]}: {is_there}")
                continue
            near = places[i][0] == places[j][0] and abs(places[i][1] - places[j][1]) <= 2
            require(is_there == (wanted and not near), f"contact {i + 1} {j + 1} at {r[i, j]}: {is_there}")
    for i in range(1, n - 1):
        chain = (i, i + 1) in topology.bonds and (i + 1, i + 2) in topology.bonds
        require(not (chain and (i, i + 2) in topology.contacts), f"contact {i} {i + 2} within a chain")


def closest(one, other):
    return min(math.dist(a, b) for a in one for b in other)


# ------------------------------------------------------------------------------------- structures

Atom = collections.namedtuple("Atom", "name residue chain number x alt code hetero occupancy element",
                              defaults=("", "", False, 1.0, "C"))


def helix(chain="A", count=20, first=1, shift=(0.0, 0.0, 0.0), residue="ALA", side_chain=("CB",)):
    """Atoms of an alpha helix of one kind of residue. Between two CA, 3.8 Å apart, C and N lie on the line."""
    angle = math.radians(100.0)
    ca = [np.array([2.3 * math.cos(k * angle), 2.3 * math.sin(k * angle), 1.5 * k]) + shift
          for k in range(-1, count + 1)]
    atoms = []
    for k in range(1, count + 1):
        outwards = np.array([math.cos((k - 1) * angle), math.sin((k - 1) * angle), 0.0])
        places = [("N", ca[k] + 0.38 * (ca[k - 1] - ca[k]), "N"), ("CA", ca[k], "C"),
                  ("C", ca[k] + 0.28 * (ca[k + 1] - ca[k]), "C")]
        places += [(name, ca[k] + 1.5 * (m + 1) * outwards, name[0]) for m, name in enumerate(side_chain)]
        atoms += [Atom(name, residue, chain, first + k - 1, tuple(x), element=element) for name, x, element in places]
    return atoms


def renamed(atoms, number, **changes):
    """The same atoms, one residue changed."""
    return [atom._replace(**changes) if atom.number == number else atom for atom in atoms]


def without(atoms, *numbers):
    return [atom for atom in atoms if atom.number not in numbers]


def moved(atoms, shift):
    return [atom._replace(x=tuple(np.array(atom.x) + shift)) for atom in atoms]


def pdb_line(serial, atom):
    record = "HETATM" if atom.hetero else "ATOM"
    name = atom.name.ljust(4) if len(atom.name) == 4 or len(atom.element) == 2 else f" {atom.name:3}"
    x, y, z = atom.x
    return (f"{record:6}{serial:5} {name}{atom.alt:1}{f'{atom.residue:3} '[:4]}{atom.chain:1}{atom.number:4}{atom.code:1}   "
            f"{x:8.3f}{y:8.3f}{z:8.3f}{atom.occupancy:6.2f}{20.0:6.2f}          {atom.element:>2}")


def pdb(*chains, head=(), ligands=()):
    """A PDB file: the chains with TER, then the ligands."""
    lines, serial = list(head), 0
    for chain in chains:
        for atom in chain:
            serial += 1
            lines.append(pdb_line(serial, atom))
        lines.append("TER")
    lines += [pdb_line(serial + k, atom) for k, atom in enumerate(ligands, 1)]
    return "\n".join([*lines, "END", ""])


def with_segment(text, segment):
    """The lines of atoms with a segment ID, and without elements, as NAMD and CHARMM write them."""
    return "".join(f"{line[:72]:72}{segment:4}\n" if line.startswith("ATOM") else line + "\n"
                   for line in text.splitlines())


def left_aligned(text):
    """Names of atoms one column to the left: carbon's CA then has the place of calcium's."""
    return "".join(f"{line[:12]}{line[12:16].strip():4}{line[16:]}\n" if line.startswith("ATOM") else line + "\n"
                   for line in text.splitlines())


def ssbond(chain1, number1, chain2, number2):
    return f"SSBOND   1 CYS {chain1} {number1:4}    CYS {chain2} {number2:4}"


def biomt(chains, *operators):
    """REMARK 350 of assembly 1."""
    lines = ["REMARK 350 BIOMOLECULE: 1", f"REMARK 350 APPLY THE FOLLOWING TO CHAINS: {', '.join(chains)}"]
    for k, (matrix, shift) in enumerate(operators, 1):
        for axis in range(3):
            a, b, c = matrix[axis]
            lines.append(f"REMARK 350   BIOMT{axis + 1} {k:3}{a:10.6f}{b:10.6f}{c:10.6f}     {shift[axis]:10.5f}")
    return lines


IDENTITY = (((1, 0, 0), (0, 1, 0), (0, 0, 1)), (0, 0, 0))
HALF_TURN = ((-1, 0, 0), (0, -1, 0), (0, 0, 1))    # about z


def mmcif(*chains, label=None, extra=""):
    """An mmCIF file. label: place in the full sequence by residue number (default: the number)."""
    columns = ("group_PDB id type_symbol label_atom_id label_alt_id label_comp_id label_asym_id label_entity_id "
               "label_seq_id pdbx_PDB_ins_code Cartn_x Cartn_y Cartn_z occupancy B_iso_or_equiv auth_seq_id "
               "auth_asym_id pdbx_PDB_model_num").split()
    lines = ["data_test", "loop_", "_entity.id", "_entity.type", "1 polymer", "loop_", "_entity_poly.entity_id",
             "_entity_poly.type", "1 polypeptide(L)", extra, "loop_"] + [f"_atom_site.{name}" for name in columns]
    serial = 0
    for asym, chain in zip("PQRSTU", chains):    # label_asym_id is another name than auth_asym_id
        for atom in chain:
            serial += 1
            x, y, z = (f"{value:.3f}" for value in atom.x)
            place = label(atom.number) if label else atom.number
            lines.append(" ".join(str(word) for word in (
                "HETATM" if atom.hetero else "ATOM", serial, atom.element, atom.name, atom.alt or ".", atom.residue,
                asym, 1, place, atom.code or "?", x, y, z, atom.occupancy, 20.0, atom.number, atom.chain, 1)))
    return "\n".join([*lines, ""])


def operators(expressions):
    """Tables of an mmCIF file: operator 1 is the identity, 2 a half turn about z and 5 Å along it, X0 100 Å along x;
    3 is a mirror."""
    columns = ("assembly_id", "oper_expression", "asym_id_list")
    lines = ["loop_"] + [f"_pdbx_struct_assembly_gen.{name}" for name in columns]
    lines += [f"{name} {expression} {chains}" for name, (expression, chains) in expressions.items()]
    lines += ["loop_", "_pdbx_struct_oper_list.id"]
    lines += [f"_pdbx_struct_oper_list.matrix[{a}][{b}]" for a in (1, 2, 3) for b in (1, 2, 3)]
    lines += [f"_pdbx_struct_oper_list.vector[{a}]" for a in (1, 2, 3)]
    lines += ["1  1 0 0  0 1 0  0 0 1  0 0 0", "2  -1 0 0  0 -1 0  0 0 1  0 0 5", "X0  1 0 0  0 1 0  0 0 1  100 0 0",
              "3  -1 0 0  0 1 0  0 0 1  0 0 0"]
    return "\n".join(lines)


def write(name, text):
    with open(name, "w", encoding="latin-1") as file:
        file.write(text)
    return name
