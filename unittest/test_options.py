"""Options of the tests in Python (conftest.py), as pytest takes them.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from checks import require

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = "unittest/pages/test_folders.py"

# In a folder with a copy of the options: two tests of three cases, one of which is a matter of statistics
CASES = """import os
import pytest

@pytest.mark.parametrize("number", ["one", "two", "three"])
def test_plain(number):
    print("RNG", os.environ.get("DS_RNG_PROGRAMS"), "DRIVER", os.environ.get("DS_OLD_DRIVER"))

@pytest.mark.statistical
def test_of_means():
    pass
"""


def run(*words, folder=ROOT, **variables):
    """Status and output. Without the variables that ctest sets."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("DS_", "LAMMPS_PLUGIN_PATH"))}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, words)], cwd=folder,
                          env={**environment, **variables}, capture_output=True, text=True, timeout=100)
    return done.returncode, done.stdout + done.stderr


def require_usage_error(text, status, output):
    require(status == pytest.ExitCode.USAGE_ERROR and text in output and "Traceback" not in output, f"{status}: {output[-500:]}")


def make_build(folder):
    """A build folder, as far as options look at it."""
    (folder / "unittest").mkdir(parents=True)
    (folder / "unittest" / "variables.txt").write_text("DS_RNG_PROGRAMS=of/the/build\nDS_OLD_DRIVER=\n")
    return folder


@pytest.fixture
def copy(tmp_path):
    """A package with the same options and other tests."""
    folder = tmp_path / "package"
    (folder / "unittest").mkdir(parents=True)
    for name in ("conftest.py", "pyproject.toml", "unittest/checks.py"):
        (folder / name).write_text((ROOT / name).read_text())
    (folder / "unittest" / "test_cases.py").write_text(CASES)
    return folder


def made(output):
    return re.findall(r"^unittest/test_cases.py::(\S+)", output, re.M)


def test_build_is_no_build_folder(tmp_path):
    require_usage_error("there is no such folder", *run(FOLDERS, "--build", tmp_path / "missing"))
    require_usage_error("there is no unittest/variables.txt", *run(FOLDERS, "--build", tmp_path))


def test_build_comes_before_the_environment(copy):
    words = ["unittest", "-s", "-k", "one", "--build", make_build(copy / "build")]
    status, output = run(*words, folder=copy, DS_RNG_PROGRAMS="of/the/shell", DS_OLD_DRIVER="of/the/shell")
    require(status == 0 and "RNG of/the/build DRIVER \n" in output, output)


def test_build_without_a_path_of_tests(copy, tmp_path):
    """A folder within the package may be a word of its own. pytest takes that of another place for a test."""
    make_build(copy / "build")
    for words in (["--build", "build"], [f"--build={make_build(tmp_path / 'elsewhere')}"]):
        status, output = run(*words, "-s", "-k", "one", folder=copy)
        require(status == 0 and "RNG of/the/build" in output and "1 passed" in output, output)


@pytest.mark.parametrize("words, cases", [
    ("--brief", ["test_plain[one]", "test_plain[three]"]),
    ("--brief -k two", ["test_plain[two]"]),
    ("", ["test_plain[one]", "test_plain[two]", "test_plain[three]", "test_of_means"])])
def test_brief_of_those_that_are_chosen(copy, words, cases):
    status, output = run("unittest", "--collect-only", *words.split(), folder=copy, DS_TEST_BRIEF="0")
    require(status == 0 and made(output) == cases, output)


def test_brief_leaves_none(copy):
    require_usage_error("have the marker statistical", *run("unittest", "--brief", "-k", "means", folder=copy))


def test_brief_by_the_environment(copy):
    status, output = run("unittest", "--collect-only", folder=copy, DS_TEST_BRIEF="1")
    require(made(output) == ["test_plain[one]", "test_plain[three]"], output)


@pytest.mark.parametrize("option", ["--inputs=0", "--inputs=-3", "--first-input=many"])
def test_numbers_that_are_none(option):
    require_usage_error("is no number from", *run(FOLDERS, option))


def test_every_file_is_read_without_a_build():
    """Files of tests look at variables in their cases only."""
    status, output = run("unittest", "--collect-only")
    require(status == 0, output[-2000:])


def test_cases_that_want_a_build_say_so():
    status, output = run("unittest/statistics/test_crush.py", "-k", "summary")
    require(status == 1 and "DS_RNG_PROGRAMS is not set: --build FOLDER says which build is tested" in output, output)
