"""1,000 damaged structure files: bytes, numbers and lines of good ones changed at random, always in the same way. For
each, tools/pdb2sop says what is wrong in one line that names the file, or writes files that pass the plain evaluation
over all pairs and whose coordinates are those of the damaged file. It never ends in another way, nor runs for long.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import random

from checks import Failed, require
from sop_files import (HALF_TURN, IDENTITY, UBIQUITIN, Data, Topology, biomt, check, helix, left_aligned, mmcif, np,
                       operators, pdb, renamed, run, ssbond, with_segment, write)

COUNT = 1000
MADE = ("made.sop", "made.data", "made.psf", "made.beads.pdb")
SEED = 20261122
NUMBERS = ["nan", "inf", "-inf", "1e999", "-1e308", "1e-320", "99999999", "-9999999", "0", "-0", "", "?", ".", "****",
           "0x10", "1,5", "2147483648", "99999999999999999999", "1e5", "1.5.2", "--3"]


def good_files():
    """(name, text, options to choose from)"""
    cysteines = renamed(renamed(helix(), 5, residue="CYS"), 9, residue="CYS")
    second = helix("B", 12, shift=(9, 0, 0), side_chain=("CB", "CG"))
    head = [ssbond("A", 5, "A", 9), *biomt("AB", IDENTITY, (HALF_TURN, (0, 0, 60)))]
    small = pdb(cysteines, second, head=head)
    two_models = "".join(f"MODEL     {number:4}\n" + pdb(helix(count=12)).replace("END\n", "ENDMDL\n")
                         for number in (1, 2))
    tables = operators({"1": ("(1,2)", "P,Q"), "2": ("(X0)(1-2)", "P")})
    with open(UBIQUITIN) as file:
        ubiquitin = file.read()
    simulated = with_segment(left_aligned(pdb(helix(" ", residue="HSD"), helix(" ", 12, shift=(9, 0, 0)))), "PROA")
    blocks = [atom._replace(alt=letter, occupancy=0.5, x=(*atom.x[:2], atom.x[2] + shift))
              for letter, shift in (("A", 0.0), ("B", 0.4)) for atom in helix(count=3, first=8)]
    conformers = pdb([*helix(count=7), *blocks])
    plain = [[], ["--side-chains", "5.2"], ["--view"], ["--depths", "b-factor", "--view"]]
    return [("small.pdb", small, plain + [["--assembly", "1"], ["--chains", "B"]]),
            ("models.pdb", two_models, [["--model", "1"], ["--model", "2"], []]),
            ("small.cif", mmcif(cysteines, second, extra=tables), plain + [["--assembly", "1"], ["--assembly", "2"]]),
            ("simulated.pdb", "CRYST1   30.000   30.000   30.000  90.00  90.00  90.00 P 1\n" + simulated,
             plain + [["--chains", "PROA"], ["--chains", "PROA.2"]]),
            ("conformers.pdb", conformers, plain + [["--conformer", "B"], ["--tandem", "2", "--linker", "9"]]),
            ("1ubq.pdb", ubiquitin, plain)]


# ------------------------------------------------------------------------------------------ damage

def change_bytes(draw, text):
    letters = list(text)
    for _ in range(draw.choice([1, 3, 30])):
        letters[draw.randrange(len(letters))] = chr(draw.randrange(256))
    return "".join(letters)


def change_number(draw, text):
    """Words of some lines that are numbers."""
    lines = text.splitlines()
    for _ in range(draw.choice([1, 3, 10])):
        place = draw.randrange(len(lines))
        words = lines[place].split()
        if words:
            old = draw.choice(words)
            new = draw.choice(NUMBERS)
            if draw.random() < 0.5:    # columns stay in place
                new = new[:len(old)].rjust(len(old))
            lines[place] = lines[place].replace(old, new, 1)
    return "\n".join(lines) + "\n"


def change_digits(draw, text):
    places = [k for k, letter in enumerate(text) if letter.isdigit()]
    letters = list(text)
    for place in draw.sample(places, min(draw.choice([1, 5, 50]), len(places))):
        letters[place] = draw.choice("0123456789")
    return "".join(letters)


def change_lines(draw, text):
    lines = text.splitlines()
    for _ in range(draw.choice([1, 5, 20])):
        k, m = draw.randrange(len(lines)), draw.randrange(len(lines))
        kind = draw.randrange(5)
        if kind == 0:
            lines[k], lines[m] = lines[m], lines[k]
        elif kind == 1:
            lines.insert(m, lines[k])
        elif kind == 2 and len(lines) > 1:
            del lines[k]
        elif kind == 3:
            lines[k] = lines[k][:draw.randrange(len(lines[k]) + 1)]
        else:
            lines[k] = draw.choice("ATOM  |HETATM|TER   |MODEL |ENDMDL|END   |loop_ |data_ ".split("|")) + lines[k][6:]
    return "\n".join(lines) + "\n"


def cut(draw, text):
    begin = draw.randrange(len(text))
    return text[:begin] if draw.random() < 0.5 else text[:begin] + text[begin + draw.randrange(1, 2000):]


DAMAGES = [change_bytes, change_number, change_digits, change_lines, cut]


# ------------------------------------------------------------------------------------------- check

def coordinates_in(text):
    """The positions that lines can be read to have: columns of a PDB file, three words of an mmCIF row."""
    found = set()
    for line in text.split("\n"):
        words = line.split()
        candidates = [[line[30:38], line[38:46], line[46:54]]] + [words[k:k + 3] for k in range(len(words) - 2)]
        for candidate in candidates:
            try:
                found.add(tuple(round(float(word), 3) + 0.0 for word in candidate))
            except (ValueError, OverflowError):
                pass
    return found


def check_answer(text, options):
    topology, data = Topology("made.sop"), Data("made.data")
    if "--tandem" in options:    # contacts are those of its parts, and positions are new ones
        require(data.atoms == topology.header["beads"] and np.all(np.isfinite(data.x)), "beads of the tandem")
        return
    if "--side-chains" in options:    # contacts of side chains alone are not evaluated here
        for pair in [pair for pair, r in topology.contacts.items() if r >= 8.0]:
            del topology.contacts[pair]
            topology.sections["Contacts"].pop()
            topology.header["contacts"] -= 1
    check(topology, data)
    if "--assembly" not in options:
        lost = {tuple(x) for x in data.x.tolist()} - coordinates_in(text)
        require(not lost, f"coordinates that the file has not: {lost}")


def one(name, text, options):
    """Whether the damaged file gave an answer, or an error."""
    with open(name, "w", encoding="latin-1") as file:
        file.write(text)
    for made in MADE:
        if os.path.exists(made):
            os.remove(made)
    done = run(name, "--out", "made", *options)
    if done.status == 0:
        require(not done.err, f"printed {done.err}")
        check_answer(text, options)
        return True
    require(done.status == 1, f"ended with {done.status}: {done.err}")
    require(done.err.startswith(f"pdb2sop: {name}") and done.err.count("\n") == 1, f"said {done.err}")
    require(not any(map(os.path.exists, MADE)), "wrote files")
    return False


def damaged_files():
    """(name, text, options, damage) of each, always the same."""
    draw, files = random.Random(SEED), good_files()
    for _ in range(COUNT):
        name, text, choices = draw.choices(files, weights=[4, 1, 4, 2, 2, 1])[0]
        damage, options = draw.choice(DAMAGES), draw.choice(choices)
        text = damage(draw, text)
        if draw.random() < 0.2:
            text = draw.choice(DAMAGES)(draw, text)
        yield name, text, options, damage


def test_damaged_files():
    """All failures are told at once; their files stay in the folder of the case."""
    answers, failures = 0, []
    for number, (name, text, options, damage) in enumerate(damaged_files()):
        try:
            answers += one(name, text, options)
        except Failed as error:
            failures.append(f"file {number}, {name} {' '.join(options)}, {damage.__name__}: {error}")
            write(f"{number}-{name}", text)
    print(f"{COUNT} damaged files: {answers} answers, {COUNT - answers - len(failures)} errors")
    require(not failures, "\n".join(failures))
    require(0 < answers < COUNT, f"{answers} answers")
