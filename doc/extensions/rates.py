# The role `share`: how much of the plain fluid's rate an input has.
# SPDX-License-Identifier: GPL-2.0-or-later
"""The name of an input of tools/bench/bench_inputs becomes its shares with 64,000 and 1,000,000 particles:

    :share:`nvt`

They are those of data/input_rates.csv, which performance.rst shows. There is no second place for these numbers."""

import csv
import pathlib
import re

from docutils import nodes

TABLE = pathlib.Path(__file__).resolve().parent.parent / "data" / "input_rates.csv"


def shares():
    """{input: [share of each size]}, an empty text where it was not measured."""
    with TABLE.open(newline="") as file:
        _, *rows = csv.reader(file)
    return {name: [share_in(cell) for cell in cells] for name, _, *cells in rows}


def share_in(cell):
    return "".join(re.findall(r"\((.*)\)", cell))


def share(name, rawtext, text, lineno, inliner, options=None, content=None):
    found = shares().get(text)
    if found is None:
        message = inliner.reporter.error(f"{TABLE.name} has no input {text}", line=lineno)
        return [inliner.problematic(rawtext, rawtext, message)], [message]
    return [nodes.Text(", ".join(each or "–" for each in found))], []


def setup(app):
    app.add_role("share", share)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
