"""Bad input to tools/pdb2sop: each fault ends it with a text of one line that names file or option and value,
and with no file written or changed.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import bz2
import gzip
import lzma
import os
import subprocess
import sys

import pytest

from checks import require
from sop_files import (HALF_TURN, IDENTITY, TOOL, Atom, biomt, helix, make, mmcif, moved, np, operators, pdb, run,
                       ssbond, with_segment, write)


def good():
    return pdb(helix(), head=biomt("A", IDENTITY, (HALF_TURN, (0, 0, 40))))


def with_column(number, begin, text):
    lines = pdb(helix()).splitlines()
    line = lines[number - 1]
    lines[number - 1] = line[:begin] + text + line[begin + len(text):]
    return "\n".join(lines) + "\n"


def with_word(row, column, text):
    """CIF with one value of the atom's row changed."""
    lines = CIF.splitlines()
    place = next(k for k, line in enumerate(lines) if line.startswith(f"ATOM {row} "))
    words = lines[place].split()
    words[column] = text
    lines[place] = " ".join(words)
    return "\n".join(lines) + "\n"


def models(*numbers):
    return "".join(f"MODEL     {number:4}\n" + pdb(helix()).replace("END\n", "ENDMDL\n") for number in numbers)


def oxygen(chain, number):
    return Atom("O", "HOH", chain, number, (50, 50, 50), hetero=True, element="O")


def packed(how):
    """What a program writes, as text of Latin-1."""
    return how(good().encode()).decode("latin-1")


def segments(*parts):
    """Helices: chain, segment ID, place along x."""
    return "".join(with_segment(pdb(helix(chain, shift=(x, 0, 0))), segment).replace("END\n", "").replace("TER\n", "")
                   for chain, segment, x in parts) + "END\n"


CONTRADICTION = segments(("A", "PROA", 0), ("A", "PROB", 9), ("B", "PROB", 18))
MIRROR = (((-1, 0, 0), (0, 1, 0), (0, 0, 1)), (0, 0, 0))
NUMBER = "is not a number"
INTEGER = "is not an integer from"
WATER = pdb(ligands=[oxygen("W", 1), oxygen("W", 2)])
TWICE = pdb(helix(), moved(helix("B"), (0.3, 0, 0)))
EXPRESSIONS = {"2": ("1,9", "P"), "3": ("(1-9999999999)", "P"), "4": ("(1", "P"), "5": ("3", "P"), "6": ("1", "Z"),
               "7": ("(1,2,X0)" * 12, "P")}
CIF = mmcif(helix(), extra=operators(EXPRESSIONS))

# name, file and its text, options, what the error must contain
FILES = [
    ("missing file", "none.pdb", None, "", "none.pdb: no such file"),
    ("folder", ".", None, "", ".: not a file"),
    ("empty file", "a.pdb", "", "", "a.pdb: the file is empty"),
    ("no structure", "a.txt", "This is no structure.\n" * 30, "", "a.txt: no CA atoms of a protein"),
    ("no atoms", "a.pdb", "HEADER    NOTHING\nEND\n", "", "a.pdb: no"),
    ("no CA atoms", "a.pdb", WATER, "", "a.pdb: no CA atoms of a protein"),
    ("not gzip", "a.pdb.gz", good(), "", "a.pdb.gz: "),
    ("mmCIF: a name without value", "a.cif", "data_x\nloop_\n_atom_site.id\n1 2 3\n_b\n", "", "a.cif: 5 in data_x"),
    ("mmCIF: open quotes", "a.cif", "data_x\n_a 'b\nc d\n", "", "a.cif: 2:"),
    ("mmCIF: coordinate", "a.cif", with_word(6, 10, "1x"), "", "a.cif: x = nan of atom CA in residue A ALA2"),
    ("mmCIF: unknown coordinate", "a.cif", with_word(6, 12, "?"), "", "a.cif: z = nan of atom CA in residue A ALA2"),
    ("mmCIF: number of a residue", "a.cif", with_word(6, 15, "y"), "",
     "a.cif: chain A: the number '?y' of a ALA is no number"),
    ("mmCIF: occupancy", "a.cif", with_word(6, 13, "full"), "", "a.cif: the occupancy of atom 6 is not a number"),
    ("short line", "a.pdb", "\n".join(line[:40] for line in good().splitlines()), "", "a.pdb: Problem in line 9"),
    ("coordinate: letters", "a.pdb", with_column(5, 38, "   1z.34"), "", "a.pdb, line 5: y '1z.34' " + NUMBER),
    ("coordinate: nan", "a.pdb", with_column(5, 30, "     nan"), "", "a.pdb, line 5: x 'nan' " + NUMBER),
    ("coordinate: blank", "a.pdb", with_column(5, 46, "        "), "", "a.pdb, line 5: z '' " + NUMBER),
    ("coordinate: far away", "a.pdb", with_column(5, 46, " 9999999"), "",
     "a.pdb: z = 1e+07 of atom N in residue A ALA2: must be a number from -100000 to 100000"),
    ("residue number", "a.pdb", with_column(5, 22, " 2x "), "", "a.pdb, line 5: residue number '2x' " + NUMBER),
    ("occupancy", "a.pdb", with_column(5, 54, "  0.x0"), "", "a.pdb, line 5: occupancy '0.x0' " + NUMBER),
    ("letters: atom", "a.pdb", with_column(5, 13, "\xb9"), "", "a.pdb, line 5: letters that are not ASCII: 'ATOM"),
    ("letters: SSBOND", "a.pdb", ssbond("\xb9", 5, "A", 9) + "\n" + good(), "",
     "a.pdb: a name in it is not UTF-8 text: b'\\xb9'"),
    ("beads at one place", "a.pdb", TWICE, "", "a.pdb: residues A ALA1 and B ALA1 are 0.30 Å apart; must be 1.0 Å"),
    ("atoms after END", "a.pdb", good() + good(), "", "atoms after END; several models are told apart by MODEL and ENDMDL"),
    ("no B factors", "a.pdb", "\n".join(line[:60] for line in good().splitlines()), "--depths b-factor",
     "no B factor, which --depths b-factor reads"),
    ("no occupancies", "a.pdb", "\n".join(line[:54] for line in good().splitlines()), "--depths occupancy",
     "no occupancy, which --depths occupancy reads"),
    ("mmCIF: no B factors", "a.cif", mmcif(helix()).replace("B_iso_or_equiv", "other"), "--depths b-factor",
     "a.cif: no _atom_site.B_iso_or_equiv, which --depths b-factor reads"),
    ("mmCIF: unknown occupancy", "a.cif", with_word(6, 13, "?"), "--depths occupancy",
     "a.cif: atom 6 has no _atom_site.occupancy, which --depths occupancy reads"),
    ("several models", "a.pdb", models(1, 2, 3), "", "a.pdb: 3 models (1 to 3); choose one with --model"),
    ("compressed by bzip2", "a.pdb.bz2", packed(bz2.compress), "",
     "a.pdb.bz2: compressed by bzip2; only gzip (.gz) is read: unpack the file first"),
    ("compressed by xz", "a.pdb", packed(lzma.compress), "", "a.pdb: compressed by xz; only gzip"),
    ("gzip under another name", "a.pdb", packed(gzip.compress), "", "a.pdb: compressed by gzip; the name of such a file"),
    ("conformer that is not there", "a.pdb", good(), "--conformer B",
     "a.pdb: --conformer B: no such alternate location; the file has none"),
    ("conformer: a word", "a.pdb", good(), "--conformer AB", "--conformer: 'AB' is not the one letter"),
    ("segments and chains that contradict", "a.pdb", CONTRADICTION, "",
     "a.pdb: chains and segment IDs contradict each other: chain A has the segments PROA, PROB, and PROB is also"),
    ("segment with the name of a chain", "a.pdb", segments((" ", "A", 0), ("A", "", 9)), "",
     "a.pdb: chains and segment IDs contradict each other: chain _ has the segments A, and A is also"),
    ("model that is not there", "a.pdb", models(1, 2, 3), "--model 7", "--model 7: no such model; the file has 3"),
    ("model of a file with one", "a.pdb", good(), "--model 2", "--model 2: no such model; the file has 1"),
    ("chain that is not there", "a.pdb", good(), "--chains A,X", "--chains X: no such chain; there are: A"),
    ("chain without CA", "a.pdb", pdb(helix(), ligands=[oxygen("W", 1)]), "--chains W", "--chains W: no CA atoms"),
    ("assembly that is not there", "a.pdb", good(), "--assembly 2",
     "--assembly 2: no such biological assembly; there are: 1"),
    ("assembly of a file without", "a.pdb", pdb(helix()), "--assembly 1",
     "--assembly 1: no such biological assembly; the file has none"),
    ("assembly: a mirror", "a.pdb", pdb(helix(), head=biomt("A", IDENTITY, MIRROR)), "--assembly 1",
     "--assembly 1: operator 2 is not a rotation and a shift"),
    ("assembly: twice the same place", "a.pdb", pdb(helix(), head=biomt("A", IDENTITY, IDENTITY)), "--assembly 1",
     "residues A ALA1 and A-2 ALA1 are 0.00 Å apart"),
    ("assembly without the chain", "a.pdb", pdb(helix(), helix("B", shift=(9, 0, 0)), head=biomt("A", IDENTITY)),
     "--assembly 1 --chains B", "--assembly 1: has none of the chains"),
    ("mmCIF assembly: unknown operator", "a.cif", CIF, "--assembly 2", "--assembly 2: its operators, '1,9', are not"),
    ("mmCIF assembly: endless range", "a.cif", CIF, "--assembly 3", "--assembly 3: its operators, '(1-9999999999)'"),
    ("mmCIF assembly: parenthesis", "a.cif", CIF, "--assembly 4", "--assembly 4: its operators, '(1', are not"),
    ("mmCIF assembly: a mirror", "a.cif", CIF, "--assembly 5", "--assembly 5: operator 1 is not a rotation"),
    ("mmCIF assembly: no chain", "a.cif", CIF, "--assembly 6", "--assembly 6: has none of the chains"),
    ("mmCIF assembly: too many images", "a.cif", CIF, "--assembly 7", "are not 1 to 100000 that the file has"),
    ("too many atoms", "a.pdb", good(), "--copies 200000000", "--copies 200000000: 20 beads times this are more than"),
    ("cutoff: a word", "a.pdb", good(), "--cutoff near", "--cutoff: 'near' is not a number from 0 to 30"),
    ("cutoff: nan", "a.pdb", good(), "--cutoff nan", "--cutoff: 'nan' " + NUMBER),
    ("cutoff: negative", "a.pdb", good(), "--cutoff -1", "--cutoff: '-1' " + NUMBER),
    ("cutoff: too large", "a.pdb", good(), "--cutoff 31", "--cutoff: '31' " + NUMBER),
    ("cutoff: none at all", "a.pdb", good(), "--cutoff 0", "--cutoff 0 needs --side-chains"),
    ("side chains", "a.pdb", good(), "--side-chains inf", "--side-chains: 'inf' is not a number from 0 to 30"),
    ("copies: zero", "a.pdb", good(), "--copies 0", f"--copies: '0' {INTEGER} 1 to 2147483647"),
    ("copies: fraction", "a.pdb", good(), "--copies 1.5", f"--copies: '1.5' {INTEGER}"),
    ("model: a word", "a.pdb", good(), "--model first", f"--model: 'first' {INTEGER}"),
    ("k: zero", "a.pdb", good(), "--k 0", "--k: '0' is not a number > 0 and <= 1e+06"),
    ("R0: negative", "a.pdb", good(), "--R0 -2", "--R0: '-2' is not a number > 0 and <= 100"),
    ("eps-n", "a.pdb", good(), "--eps-n 1e9", "--eps-n: '1e9' is not a number from 0 to 1e+06"),
    ("eps-r", "a.pdb", good(), "--eps-r x", "--eps-r: 'x' " + NUMBER),
    ("eps-a", "a.pdb", good(), "--eps-a -0.1", "--eps-a: '-0.1' " + NUMBER),
    ("sigma", "a.pdb", good(), "--sigma 101", "--sigma: '101' is not a number > 0 and <= 100"),
    ("sigma 0", "a.pdb", good(), "--sigma-a 0", "--sigma-a: '0' is not a number > 0 and <= 100"),
    ("sigma-a", "a.pdb", good(), "--sigma-a nan", "--sigma-a: 'nan' " + NUMBER),
    ("chains: empty name", "a.pdb", good(), "--chains A,,B", "--chains: 'A,,B' is not a list of chain names"),
    ("disulfides", "a.pdb", good(), "--disulfides all", "--disulfides: invalid choice: 'all'"),
    ("date", "a.pdb", good(), "--date yesterday", "--date: 'yesterday' is not a date such as 2026-11-22"),
    ("unknown option", "a.pdb", good(), "--fancy", "unrecognized arguments: --fancy"),
    ("shortened option", "a.pdb", good(), "--cut 8", "unrecognized arguments: --cut 8"),
]


def one_line(done, wanted):
    require(done.status in (1, 2), f"ended with {done.status}: {done.out}{done.err}")
    require(done.err.startswith("pdb2sop: ") and done.err.count("\n") == 1 and done.err.endswith("\n"), done.err)
    require(wanted in done.err, f"'{wanted}' is not in: {done.err}")
    require(not done.out, f"printed {done.out}")


@pytest.mark.parametrize("name, text, options, wanted", [pytest.param(*case[1:], id=case[0]) for case in FILES])
def test_bad_file(name, text, options, wanted):
    if text is not None:
        write(name, text)
    write("made.sop", "earlier topology")
    write("made.data", "earlier data")
    before = sorted(os.listdir("."))
    one_line(run(name, "--out", "made", *options.split()), wanted)
    require(sorted(os.listdir(".")) == before, f"files: {os.listdir('.')}")
    kept = open("made.sop").read(), open("made.data").read()
    require(kept == ("earlier topology", "earlier data"), f"changed files: {kept}")


def test_no_file_no_out():
    write("a.pdb", good())
    one_line(run(), "the following arguments are required: FILE, --out")
    one_line(run("a.pdb"), "the following arguments are required: --out")


def test_out_that_cannot_be():
    write("a.pdb", good())
    os.mkdir("folder")
    os.mkdir("taken.data")
    one_line(run("a.pdb", "--out", "folder/"), "'folder/' is not a name for files")
    one_line(run("a.pdb", "--out", "nowhere/made"), "there is no folder 'nowhere'")
    one_line(run("a.pdb", "--out", "taken"), "taken.data: is a folder")
    require(sorted(os.listdir(".")) == ["a.pdb", "folder", "taken.data"], f"files: {os.listdir('.')}")


def test_name_that_is_too_long():
    write("a.pdb", good())
    one_line(run("a.pdb", "--out", "x" * 300), "cannot be written: File name too long")
    require(os.listdir(".") == ["a.pdb"], f"files: {os.listdir('.')}")


def test_file_that_may_not_be_read():
    if os.geteuid() == 0:
        return    # root may read everything
    write("a.pdb", good())
    os.chmod("a.pdb", 0)
    one_line(run("a.pdb", "--out", "made"), "a.pdb: ")


def test_without_gemmi():
    os.mkdir("gemmi")
    write("gemmi/__init__.py", "raise ImportError('no gemmi here')\n")
    done = subprocess.run([sys.executable, TOOL, "a.pdb", "--out", "made"], capture_output=True, text=True,
                          env=dict(os.environ, PYTHONPATH=os.getcwd()))
    require(done.returncode == 1 and done.stderr.count("\n") == 1, f"{done.returncode}: {done.stderr}")
    require("needs the Python packages gemmi and numpy" in done.stderr, done.stderr)


def test_values_at_the_ends_of_their_ranges():
    """What the errors call allowed is allowed."""
    write("a.pdb", good())
    for words in ("--cutoff 30", "--cutoff 0 --side-chains 30", "--k 1e6 --R0 100 --eps-n 0 --eps-r 1e6 --sigma 0.01",
                  "--eps-a 0 --sigma-a 100", "--model 1", "--copies 1"):
        _, data, _ = make("a.pdb", *words.split())
        require(len(data.x) == 20 and np.all(np.isfinite(data.box)), words)
