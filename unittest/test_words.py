"""Arguments of the test programs in C (check.h): --list, words that choose cases, and those that choose none.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

from checks import of_build, require

HERE = Path(__file__).parent
# a case as the program prints it: a call
CALL = re.compile(r"\w+(<[\w, ]+>)?\(.*\)")
PROGRAMS = sorted(path.relative_to(HERE).with_suffix("") for pattern in ("test_*.c", "test_*.cpp", "gpu/test_*.c", "gpu/test_*.cu")
                  for path in HERE.glob(pattern))


def run(program, *words, **variables):
    path = Path(of_build("DS_BUILD_DIR")) / "unittest" / program
    if not path.exists() and path.parent.name == "gpu":
        pytest.skip("built without CUDA")
    environment = {name: value for name, value in os.environ.items() if name != "DS_TEST_BRIEF"}
    done = subprocess.run([path, *words], capture_output=True, text=True, env={**environment, **variables}, timeout=60)
    return done.returncode, done.stdout.splitlines()


def listed(program, *words, **variables):
    status, lines = run(program, *words, "--list", **variables)
    require(status == 0 and lines, f"--list ended with {status} and printed {len(lines)} lines")
    wrong = [line for line in lines if not CALL.fullmatch(line)]
    require(not wrong, f"--list prints what is no case: {wrong[:3]}")
    return lines


def require_refused(word, status, lines):
    require(status == 1 and f"no case has the word '{word}'; --list prints all" in lines, f"{word}: {status}, {lines[-3:]}")


@pytest.mark.parametrize("program", [pytest.param(program, id=str(program)) for program in PROGRAMS])
def test_cases_of_a_program(program):
    """They are listed on both backends, without a GPU, too. A word that is in none is named, whatever the others are."""
    cases = listed(program)
    if program.name.startswith("test_engine_"):
        require(listed(program, "cuda") and run(program, "--list", "cuda") == run(program, "cuda", "--list"), "cuda is first or not")
    else:
        require_refused("cuda", *run(program, "--list", "cuda"))
    name = cases[-1].partition("(")[0]
    require(all(name in line for line in listed(program, name)), "--list prints the cases that have the word")
    for words in (["no_such"], [name, "no_such"], ["no_such", name]):
        require_refused("no_such", *run(program, *words, "--list"))


def test_cases_that_are_made():
    """Those that have one of the words, and no others; then a word that chose none is named."""
    require(run("test_morton", "curve", "order") == (0, ["304093 checks, 0 failed"]), "two of four cases")
    status, lines = run("test_morton", "order", "ordre")
    require_refused("ordre", status, lines)
    require(lines[-1] == "299997 checks, 0 failed", "the others are made")
    require_refused("17", *run("test_morton", "17"))
    require_refused("--brief", *run("test_morton", "--brief"))


@pytest.mark.parametrize("value, brief", [("1", True), ("0", False), ("", False)])
def test_brief(value, brief):
    every = listed("test_engine_rng_fibonacci")
    require((listed("test_engine_rng_fibonacci", DS_TEST_BRIEF=value) != every) == brief, f"DS_TEST_BRIEF={value}")
