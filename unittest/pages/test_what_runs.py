"""The table of doc/what_runs_on_the_gpu.rst against the styles that the plugin registers: each of them has a row, and each
style of this package that a row names is there. Styles are those that LAMMPS lists with the plugin and not without it.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import csv
import re

import page_blocks
from checks import require

PAGE = "doc/what_runs_on_the_gpu.rst"
# how a row names the kinds, and the titles that the command info has for them
KINDS = {"pair": "Pair", "bond": "Bond", "angle": "Angle", "dihedral": "Dihedral", "improper": "Improper", "fix": "Fix",
         "compute": "Compute", "region": "Region", "run_style": "Integrate", "kspace_style": "KSpace"}
NEEDS_KNOWN_CLASSES = {("run_style", "verlet/gpu"), ("fix", "deform/gpu")}    # a LAMMPS of other classes lacks both


def listed(text):
    """{(kind, name)} of what the command info says; styles that are not for users are not listed."""
    found = set()
    for kind, title in KINDS.items():
        section = re.search(rf"^{title} styles:\n(.*?)(?=^\w[\w ]* styles:|\Z)", text, re.M | re.S)
        require(section, f"info styles lists no {title} styles")
        found.update((kind, name) for name in section[1].split() if re.fullmatch(r"[a-z][\w/]*", name))
    return found


def registered(lammps):
    """The package's styles, without the second names of those that have two. Styles of KOKKOS are named by their first one."""
    plain = listed(lammps.run("info styles\n", env={"LAMMPS_PLUGIN_PATH": None}).output)
    styles = listed(lammps.run("info styles\n").output) - plain
    return {(kind, name) for kind, name in styles
            if not re.search(r"/kk/(device|host)$", name)
            and not (name.endswith("/exact/gpu") and (kind, name.replace("/exact/gpu", "/gpu")) in styles)}


def first_cells(page):
    """First cells of the rows of all tables on a page, each as one line."""
    return [" ".join(cell.split()) for cell in re.findall(r"^   \* - (.*?)(?=^     - )", page, re.M | re.S)]


def named(page):
    """{(kind, name)} of this package's styles in the rows."""
    found = set()
    for cell in first_cells(page):
        kind = None
        for word, name in re.findall(rf"\b({'|'.join(KINDS)})\b|((?:\w+/)+gpu(?:/kk)?)\b", cell):
            kind = word or kind
            if name:
                found.add((kind, name))
    return found


def faults(styles, page):
    """What the page lacks, and what it has too much."""
    rows = named(page)
    known = styles if ("run_style", "verlet/gpu") in styles else styles | NEEDS_KNOWN_CLASSES
    return ([f"no row has {kind} {name}" for kind, name in sorted(styles - rows)] +
            [f"a row names {kind} {name}, which is not registered" for kind, name in sorted(rows - known, key=str)])


def test_each_style_has_a_row_and_each_row_a_style(lammps):
    styles = registered(lammps)
    require(len(styles) > 50, f"only {len(styles)} styles are registered: {styles}")
    found = faults(styles, page_blocks.read(PAGE))
    require(not found, "\n".join(found))
    print(f"{len(styles)} styles")


def test_a_style_without_a_row_and_a_row_without_a_style_are_found(lammps):
    styles, page = registered(lammps), page_blocks.read(PAGE)
    require(faults(styles | {("fix", "other/gpu")}, page) == ["no row has fix other/gpu"], "a style without a row")
    require(faults(styles - {("fix", "gravity/gpu")}, page) == ["a row names fix gravity/gpu, which is not registered"],
            "a row without a style")
    require(faults(styles, page.replace("angle :doc:`cosine/gpu", "bond :doc:`cosine/gpu")) ==
            ["no row has angle cosine/gpu", "a row names bond cosine/gpu, which is not registered"], "another kind")


# rows of README's table, by what they name, and the inputs of doc/data/input_rates.csv
README_ROWS = {"nothing": "plain", "pressures": "thermo-stress", "fix ave/chunk": "velocity-profile", "fix wall/reflect": "wall/reflect",
               "fix addforce": "addforce", "fix deform": "deform", "fix nvt": "nvt", "fix npt": "npt", "chains": "chains-cosine",
               "fix rigid/small": "rigid"}


def test_rates_in_readme_are_those_of_the_table_of_all_inputs(lammps):
    inputs = csv.reader(page_blocks.read("doc/data/input_rates.csv").splitlines())
    measured = {row[0]: row[3].split(" ")[0].replace(",", "") for row in inputs}
    text = page_blocks.read("README.md")
    table = re.search(r"^\| You add to .*?\n\|---.*?\n(.*?)\n\n", text, re.M | re.S)[1]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.split("\n")]
    found = {cells[0]: cells[1] for cells in rows if cells[1]}
    require(len(found) == len(README_ROWS), f"{len(found)} rows with a rate, {len(README_ROWS)} are known here")
    for words, name in README_ROWS.items():
        rates = [rate for what, rate in found.items() if words in what]
        require(rates == [measured[name]], f"{words}: {rates}, measured: {measured[name]}")
