"""How a test in Python says what is wrong.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import subprocess

import pytest

NOTHING_TESTED = 77    # the exit code of programs, and for ctest, that means "skipped"


class Failed(AssertionError):
    """What a case raises that finds something wrong."""


def require(condition, text):
    __tracebackhide__ = True    # of pytest, which shows the line that calls this
    if not condition:
        raise Failed(text)


def named_by_words(*rows):
    """Parameters of cases whose first one is words of an input, which are the names of the cases."""
    return [pytest.param(*row, id=row[0]) for row in rows]


def is_on(name):
    """Whether a variable of the environment is set, and not to 0."""
    return os.environ.get(name, "") not in ("", "0")


def of_build(name):
    """A variable that ctest sets, and that pytest has from --build."""
    if not os.environ.get(name):
        pytest.fail(f"{name} is not set: --build FOLDER says which build is tested", pytrace=False)
    return os.environ[name]


def output_of(command):
    """What a program prints. A program that says that it lacks something makes its caller skipped."""
    done = subprocess.run(command, capture_output=True)
    if done.returncode == NOTHING_TESTED:
        pytest.skip((done.stderr or done.stdout).decode().strip())
    require(done.returncode == 0, f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stderr.decode()}")
    return done.stdout
