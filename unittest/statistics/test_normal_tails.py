# normal_tails: its table against laws that are computed here in other ways.   SPDX-License-Identifier: GPL-2.0-or-later
import csv
import math
import os
import sys
from pathlib import Path

import pytest

from checks import of_build, output_of, require

PROGRAM = [sys.executable, Path(__file__).resolve().parents[2] / "tools" / "rng" / "normal_tails"]
BACKEND = os.environ.get("DS_TEST_BACKEND", "host")
LEVELS = [1, 2, 3, 4, 5, 5.5, 6, 6.5]
WORDS = 2.0**32


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """{(generator, precision): {value: row of the table}}"""
    table = tmp_path_factory.mktemp("tails") / "table.csv"
    output_of([*PROGRAM, "--programs", of_build("DS_RNG_PROGRAMS"), "--generator", "all", "--precision", "both", "--backend", BACKEND,
               "--table", table])
    found = {}
    with open(table, newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault((row["generator"], row["precision"]), {})[row["value"]] = row
    require(len(found) == 16 and all(len(rows) == 26 for rows in found.values()), "eight generators, two precisions, 26 values")
    return found


def near(a, b, relative):
    return abs(a - b) <= relative * abs(b)


def arcs(level, words):
    """Sum over the words of the share of a circle of their radius that is right of the level."""
    radii = (math.sqrt(-2.0 * math.log(max(word, 1) / WORDS)) for word in words)
    return sum(math.acos(level / r) / math.pi for r in radii if r > level)


def normal_above(level):
    return 0.5 * math.erfc(level / math.sqrt(2.0))


def test_laws(runs):
    """Beyond 5.5 few words make a number, so that all can be counted."""
    for level in (5.5, 6, 6.5):
        end = int(WORDS * math.exp(-0.5 * level**2)) + 2
        exact = {
            "philox": arcs(level, range(end)) / WORDS,
            "ran2": arcs(level, range(2, end, 2)) / 2147483562,
            "mrg32k3a": arcs(level, range(1, end)) / 4294967087,
            "mt19937": math.floor(WORDS * normal_above(level) + 0.5) / WORDS,
        }
        for generator, p in exact.items():
            for (name, _), rows in runs.items():
                row = rows[f"> {level:g}"]
                if name == generator:
                    require(near(float(row["law"]), p * int(row["numbers"]), 1e-9), f"law of {name} beyond {level}")


def test_moments(runs):
    """The second moment of philox is a sum of logarithms, which Stirling's series gives; that of ran2 likewise."""
    whole = 1.0 + 0.5 * (math.log(WORDS) - math.log(2.0 * math.pi)) / WORDS
    half, most = 2.0**31, 2147483562
    log_factorial = (most + 0.5) * math.log(most) - most + 0.5 * math.log(2.0 * math.pi)
    ran2 = math.log(half) - log_factorial / most
    for (name, _), rows in runs.items():
        if name in ("philox", "ran2"):
            law = float(rows["mean x^2"]["law"])
            require(abs(law - (whole if name == "philox" else ran2)) < 1e-12, f"second moment of {name}")


def test_deviations(runs):
    for rows in runs.values():
        check_deviations(rows)


def check_deviations(rows):
    for level in LEVELS:
        for value in (f"> {level:g}", f"< -{level:g}"):
            row = rows[value]
            n, found = int(row["numbers"]), float(row["found"])
            p = normal_above(level)
            require(near(float(row["normal law"]), n * p, 1e-12), f"normal law, {value}")
            off = (found - n * p) / math.sqrt(n * p * (1.0 - p))
            require(abs(off - float(row["off by (normal)"])) < 1e-3, f"deviation, {value}")
    for k, (mean, square) in enumerate([(0, 1), (1, 3), (0, 15), (3, 105)], 1):
        row = rows[f"mean x^{k}"]
        off = (float(row["found"]) - mean) / math.sqrt((square - mean**2) / int(row["numbers"]))
        require(abs(off - float(row["off by (normal)"])) < 1e-3, f"deviation, moment {k}")
