"""Options, markers and fixtures of the tests in Python, which are in unittest. doc/working_on_it.rst shows how to run one.

This file is at the top so that pytest knows the options before it knows the tests. Without it, "pytest --build build/work"
would take build/work for a test, and look for options there and in the folders above only.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import argparse
import os
import shutil
import zlib
from pathlib import Path

import pytest

from checks import NOTHING_TESTED, is_on

ROOT = Path(__file__).resolve().parent


def count(least):
    """The type of an option: an integer, and which is the least."""
    def read(word):
        if not word.isdecimal() or int(word) < least:
            raise argparse.ArgumentTypeError(f"{word} is no number from {least} on")
        return int(word)
    return read


def pytest_addoption(parser):
    group = parser.getgroup("dpdsop", "tests of lammps-dpd-sop")
    group.addoption("--build", metavar="FOLDER", help="the build folder that is tested; ctest sets variables instead")
    group.addoption("--backend", choices=("host", "cuda"), help="where a test leaves it open (host)")
    group.addoption("--own-copies", action="store_true", help="resident atoms are not LAMMPS's own on the host, either")
    group.addoption("--kokkos", action="store_true", help="all runs with KOKKOS, for a LAMMPS that has it")
    group.addoption("--kokkos-in-tree", action="store_true", help="only cases with this marker")
    group.addoption("--tree", action="store_true", help="only cases with this marker")
    group.addoption("--brief", action="store_true", help="the first and the last case of each test, and no statistics")
    group.addoption("--first-input", type=count(0), default=0, help="test_random_inputs.py: number of the first input (0)")
    group.addoption("--inputs", type=count(1), default=200, help="test_random_inputs.py: how many (200)")


def variables_of(build):
    """What ctest sets for the tests of a build folder: CMake has written it there."""
    file = Path(build).resolve() / "unittest" / "variables.txt"
    if not Path(build).is_dir():
        raise pytest.UsageError(f"--build {build}: there is no such folder")
    if not file.is_file():
        raise pytest.UsageError(f"--build {build}: there is no unittest/{file.name}, so CMake has not made this folder for "
                                "this package with its tests")
    return dict(line.split("=", 1) for line in file.read_text().splitlines())


def pytest_configure(config):
    """Tests read variables of the environment, as ctest sets them. Those of --build come before those that are set."""
    if config.getoption("--build"):
        os.environ.update(variables_of(config.getoption("--build")))
    others = {"DS_SOURCE_DIR": ROOT, "DS_SOP_FILE": ROOT / "potentials/ubiquitin.sop", "DS_LMP": shutil.which("lmp"),
              "DS_MPIEXEC": shutil.which("mpiexec")}
    for name, value in others.items():
        if value:
            os.environ.setdefault(name, str(value))
    if config.getoption("--backend"):
        os.environ["DS_TEST_BACKEND"] = config.getoption("--backend")
    for option, name in (("--own-copies", "DS_TEST_OWN_COPIES"), ("--kokkos", "DS_TEST_KOKKOS")):
        if config.getoption(option):
            os.environ[name] = "1"


# ------------------------------------------------------------------------------- which cases are made

def case_id(item):
    return item.callspec.id if hasattr(item, "callspec") else ""


def is_marked(item, name):
    return any(not marker.args or any(word in case_id(item) for word in marker.args) for marker in item.iter_markers(name))


def require_words_to_select(items):
    """A word of a marker that is in the ID of no case would leave out what it was written for, and nobody would see it."""
    ids = {}
    for item in items:
        ids.setdefault((item.path, getattr(item, "originalname", item.name)), []).append(item)
    for (path, function), cases in ids.items():
        for marker in cases[0].iter_markers():
            if marker.name in ("tree", "without_kokkos"):
                for word in marker.args:
                    if not any(word in case_id(case) for case in cases):
                        raise pytest.UsageError(f"{path.name}, {function}: marker {marker.name}: no case has {word!r} in its ID")


def one_of_each(items):
    """The first and the last case of each test, and of those without parameters whose names begin with the same word. For
    sanitizers, which look for faults of code that has run, and need not run it for every value."""
    tests = {}
    for item in items:
        if not item.get_closest_marker("statistical"):
            name = item.originalname if hasattr(item, "callspec") else item.name.split("_")[1]
            tests.setdefault((item.path, name), []).append(item)
    return {case for cases in tests.values() for case in (cases[0], cases[-1])}


def choose(config, items):
    """The cases that are to be made, of those that -k has left."""
    wanted = list(items)
    if config.getoption("--kokkos"):
        wanted = [item for item in wanted if not is_marked(item, "without_kokkos")]
    for name in ("tree", "kokkos_in_tree"):
        if config.getoption(f"--{name}".replace("_", "-")):
            wanted = [item for item in wanted if is_marked(item, name)]
    if config.getoption("--brief") or is_on("DS_TEST_BRIEF"):    # the variable is that of the tests in C
        brief = one_of_each(wanted)
        if wanted and not brief:
            raise pytest.UsageError("all cases that were chosen have the marker statistical, which --brief and DS_TEST_BRIEF "
                                    "leave out")
        wanted = [item for item in wanted if item in brief]
    return wanted


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config, items):
    if not any("::" in word for word in config.args):    # else some cases of a test are not there
        require_words_to_select(items)
    result = yield    # -k and -m choose
    wanted = choose(config, items)
    chosen = set(wanted)
    unwanted = [item for item in items if item not in chosen]
    if unwanted:
        config.hook.pytest_deselected(items=unwanted)
        items[:] = wanted
    return result


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    """Where each case was skipped, ctest has to know. Where there was none, pytest fails."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    passed = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)    # the latter if a whole file was skipped
    if passed and "passed" not in reporter.stats and "skipped" in reporter.stats:
        session.exitstatus = NOTHING_TESTED


# ------------------------------------------------------------------------------------------ fixtures

@pytest.fixture(scope="session")
def backend(tmp_path_factory):
    """The backend where a test leaves it open. Cases are skipped if this is a GPU and there is none."""
    import lammps_run
    if lammps_run.BACKEND == "cuda" and not lammps_run.has_gpu(str(tmp_path_factory.mktemp("gpu"))):
        pytest.skip("no GPU")
    return lammps_run.BACKEND


@pytest.fixture
def lammps(request, tmp_path, backend):
    """LAMMPS in a folder of its own, which is kept if the case fails."""
    import lammps_run
    if not lammps_run.LMP or not lammps_run.MPIEXEC:
        pytest.fail("lmp and mpiexec are not in PATH, and DS_LMP and DS_MPIEXEC do not name them", pytrace=False)
    in_turn = None
    if request.node.get_closest_marker("copies_in_turn") and not lammps_run.OWN_COPIES:
        in_turn = zlib.crc32(request.node.name.encode()) % 2    # the same whatever cases are made
    return lammps_run.Lammps(str(tmp_path), in_turn)
