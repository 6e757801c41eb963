"""tools/plot-pull: what it tells of curves whose peaks are known, of any number of copies, and which files it refuses.

Exit codes: 0 all passed, 1 some failed, 77 a package is not installed.   SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re
import subprocess
import sys

import pytest

from checks import require
from sop_files import ROOT, load_tool, np, run_here

pytest.importorskip("matplotlib")
pytest.importorskip("scipy")

TOOL = os.path.join(ROOT, "tools", "plot-pull")
PN = 69.4769546    # of one kcal/mol/Angstrom
SPRING = "# units real timestep 1000 spring 0.05 speed 1e-06"
COLUMNS = "# step molecule force extension intact"
tool = load_tool(TOOL)


def plot(*arguments):
    return run_here(tool, TOOL, *arguments)


def write(name, lines):
    with open(name, "w") as file:
        file.write("\n".join(lines) + "\n")
    return name


def plotted(*arguments):
    done = plot(*arguments, "--out", "curve.png")
    require(done.status == 0, done.err)
    with open("curve.png", "rb") as file:
        require(file.read(4) == b"\x89PNG", "no picture")
    return done.out


def refused(words, *arguments):
    done = plot(*arguments)
    require(done.status == 1 and done.err.count("\n") == 1 and re.search(words, done.err), f"'{words}', not {done.err}")


def sawtooth(tops, samples=100):
    """Force (pN) and extension (nm): it rises to each top from 20 pN, and falls back at once."""
    force = np.concatenate([np.linspace(20.0, top, samples, endpoint=True) for top in tops] + [[20.0] * samples])
    return force, 3.0 + 0.1 * np.arange(len(force))


def rows(curves, first=1):
    """Lines of copies, given as (force, extension)."""
    return [f"{first + k} {c + 1} {force[k] / PN:.9g} {10 * extension[k]:.9g} {1 - k / len(force):.6g}"
            for k in range(len(curves[0][0])) for c, (force, extension) in enumerate(curves)]


def test_peaks_of_a_tandem_forces_lengths_times():
    tops = (200.0, 250.0, 180.0)
    out = plotted(write("a.dat", [SPRING, COLUMNS, *rows([sawtooth(tops)])]))
    # the cantilever moves by 1e-4 nm in a timestep: with 0.2 nm as the mean's travel that would be all samples
    require("34.74 pN/nm at 1e+05 um/s" in out and "means of 2 samples" in plotted("a.dat", "--travel", "2e-4"), out)
    found = re.findall(r"^    ([\d.]+) pN at ([\d.]+) nm after ([\d.]+) us, (\d+) %", plotted("a.dat", "--travel", "1e-4"), re.M)
    require([float(row[0]) for row in found] == list(tops), f"{found}")
    require([float(row[1]) for row in found] == [round(3.0 + 0.1 * (100 * k + 99), 2) for k in range(3)], f"{found}")
    require([row[2] for row in found] == [f"{1e-6 * (100 * k + 100):.4g}" for k in range(3)], f"{found}")


def test_peaks_are_those_of_the_prominence_that_is_asked_for():
    write("a.dat", [SPRING, COLUMNS, *rows([sawtooth((200.0, 45.0, 120.0))])])
    for least, number in ((10, 3), (30, 2), (150, 1), (500, 0)):
        out = plotted("a.dat", "--travel", "1e-4", "--prominence", str(least))
        require(f"copy 1: {number} peak" in out, f"{least}: {out}")


def test_many_copies():
    """Many copies: mean, error and standard deviation of the largest forces."""
    tops = np.array([150.0 + 10.0 * k for k in range(9)])
    out = plotted(write("a.dat", [SPRING, COLUMNS, *rows([sawtooth((top,)) for top in tops])]), "--travel", "1e-4")
    sigma = tops.std(ddof=1)
    require(f"largest force: {tops.mean():.1f} +- {sigma / 3:.1f} pN, standard deviation {sigma:.1f}, from 150.0 to 230.0" in out, out)
    require("copy 1:" not in out and "9 copies" in out, out)


def test_a_run_that_is_still_going_the_last_sample_lacks_copies():
    lines = rows([sawtooth((200.0,)), sawtooth((150.0,))])
    whole = plotted(write("a.dat", [SPRING, COLUMNS, *lines[:-2]]))
    cut = plotted(write("a.dat", [SPRING, COLUMNS, *lines[:-1]]))
    require(whole == cut, f"{whole}\n{cut}")


def test_a_constant_force_and_a_timestep_that_changes():
    force, extension = np.full(200, 260.0), np.repeat([4.0, 20.0], 100)
    lines = rows([(force, extension)])
    half = "# units real timestep 2000000 force 3.742"
    out = plotted(write("a.dat", ["# units real timestep 1000000 force 3.742", COLUMNS, *lines[:50], half, *lines[50:]]))
    # 50 steps of 1 ns, then 51 of 2 ns, to step 101; the mean is that of two samples
    require("constant force 260 pN" in out and "extension from 4.00 to 20.00 nm; half-way after 0.151 us" in out, out)


def test_a_cantilever_that_comes_back():
    """A cantilever that comes back: its speeds, and means by the fastest."""
    lines = rows([sawtooth((200.0, 150.0))])
    turns = [SPRING.replace("1e-06", speed) for speed in ("0", "-2e-06", "-2e-06")]
    out = plotted(write("a.dat", [SPRING, COLUMNS, *lines[:100], turns[0], *lines[100:120], turns[1], *lines[120:200], turns[2],
                                  *lines[200:]]), "--travel", "1e-3")
    require("34.74 pN/nm at 1e+05, 0, -2e+05 um/s" in out and "means of 5 samples" in out and "copy 1: 2 peaks" in out, out)


def test_reduced_units():
    lines = [f"{k} 7 {f} {k} 1" for k, f in enumerate((1.0, 50.0, 1.0, 1.0), 1)]
    out = plotted(write("a.dat", ["# units lj timestep 0.5 spring 2 speed 0.1", COLUMNS, *lines]), "--travel", "0.05", "--prominence", "5")
    require("2 reduced/reduced at 0.1 reduced" in out and "copy 7: 1 peak" in out and "50.0 reduced at 2.00 reduced after 1 reduced" in out, out)


def test_refused_files_each_in_one_line_that_says_what_is_wrong():
    good = [SPRING, COLUMNS, *rows([sawtooth((200.0,)), sawtooth((150.0,))])]
    for name, lines, words in (
            ("old", good[1:], "does not begin with a line '# units ...': an older version of the fix wrote it"),
            ("a data file", ["LAMMPS data file of a.pdb", "", "2 atoms"], "does not begin with a line '# units ...': it is not a pull file"),
            ("reversed", [*good[:2], *good[:1:-1]], "a.dat:5: step 199 after step 200: steps begin again; allowed: steps that rise"),
            ("twice", good + good, "step 1 after step 200: steps begin again"),
            ("unknown", [SPRING.replace("real", "cgs"), *good[1:]], "a.dat:1: .*allowed: # units"),
            ("no number", [SPRING.replace("0.05", "x"), *good[1:]], "a.dat:1: could not convert"),
            ("a word", [*good, "1 2 x 4 5"], "a.dat:\\d+: could not convert"),
            ("not a number", [*good, "300 1 nan 4 1"], "a.dat:\\d+: 300 1 nan 4 1; allowed: finite"),
            ("too short a line", [*good, "1 2 3"], "3 numbers, a line has 5"),
            ("one sample", good[:4], "1 samples, at least 2"),
            ("nothing", good[:2], "0 samples, at least 2"),
            ("other copies", [*good[:-1], good[-1].replace(" 2 ", " 3 ", 1)], "not the same copies at each step")):
        write("a.dat", lines)
        refused(words, "a.dat")
    write("a.dat", ["# units real"])
    for content, words in ((b"", "a.dat is not a pull file: it is empty"), (bytes(range(128, 256)), "a.dat is not a pull file: it is not text")):
        with open("a.dat", "wb") as file:
            file.write(content)
        refused(words, "a.dat")
    refused("No such file", "b.dat")
    write("a.dat", good)
    write("c.dat", ["# units real timestep 1000 force 1", *good[1:]])
    refused("one kind in a picture", "a.dat", "c.dat")
    done = plot("a.dat", "--travel", "0")
    require(done.status == 2 and "--travel: 0; allowed: a number above 0" in done.err, done.err)
    os.mkdir("folder.png")
    for name in (".", "", "folder.png", "folder", "folder.png/"):
        done = plot("a.dat", "--out", name)
        require(done.status == 2 and f"argument --out: '{name}' is not a name for a picture" in done.err, done.err)
    require(not os.path.exists("pull-curve.png"), "a picture of refused files")


def test_the_name_of_the_picture_is_that_of_the_file():
    write("a.dat", [SPRING, COLUMNS, *rows([sawtooth((200.0,))])])
    os.mkdir("d")
    for name, written in (("d/pic", "d/pic.png"), ("d/v1.svg", "d/v1.svg")):
        done = plot("a.dat", "--out", name)
        require(done.status == 0 and done.out.endswith(f"plot: {written}\n") and os.path.exists(written), done.out + done.err)


def test_a_reader_that_has_enough():
    write("a.dat", [SPRING, COLUMNS, *rows([sawtooth((200.0,))])])
    for words in ("--help", "a.dat --out heard.png"):
        done = subprocess.run(f"'{sys.executable}' '{TOOL}' {words} | true", shell=True, capture_output=True, text=True)
        require(not done.stderr, done.stderr)
    require(os.path.exists("heard.png"), "no picture")
