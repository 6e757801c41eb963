"""Options, markers and fixtures of the tests in Python. doc/working_on_it.rst shows how to run one of them.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import shutil
import zlib
from pathlib import Path

import pytest

from checks import NOTHING_TESTED

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser):
    group = parser.getgroup("dpdsop", "tests of lammps-dpd-sop")
    group.addoption("--build", metavar="FOLDER", help="the build folder that is tested; ctest sets variables instead")
    group.addoption("--backend", choices=("host", "cuda"), help="where a test leaves it open (host)")
    group.addoption("--own-copies", action="store_true", help="resident atoms are not LAMMPS's own on the host, either")
    group.addoption("--kokkos", action="store_true", help="all runs with KOKKOS, for a LAMMPS that has it")
    group.addoption("--kokkos-in-tree", action="store_true", help="only cases with this marker")
    group.addoption("--tree", action="store_true", help="only cases with this marker")
    group.addoption("--brief", action="store_true", help="the first and the last case of each test, and no statistics")
    group.addoption("--first-input", type=int, default=0, help="test_random_inputs.py: number of the first input (0)")
    group.addoption("--inputs", type=int, default=200, help="test_random_inputs.py: how many (200)")


def pytest_configure(config):
    """Tests read variables of the environment, as ctest sets them."""
    variables = {"DS_SOURCE_DIR": ROOT, "DS_SOP_FILE": ROOT / "potentials/ubiquitin.sop", "DS_LMP": shutil.which("lmp"),
                 "DS_MPIEXEC": shutil.which("mpiexec")}
    if config.getoption("--build"):
        build = Path(config.getoption("--build")).resolve()
        variables.update(
            DS_BUILD_DIR=build, LAMMPS_PLUGIN_PATH=build / "plugins", DS_RNG_PROGRAMS=build / "tools/rng", DS_CTEST="ctest",
            DS_SOP_FORCES=build / "unittest/sop_forces", DS_OTHER_LAMMPS=build / "unittest/other_lammps.so",
            DS_OLD_DRIVER=build / "unittest/old_driver")
    for name, value in variables.items():
        if value and (name == "DS_CTEST" or Path(value).exists()):    # a build without CUDA has no old driver
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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    if not any("::" in word for word in config.args):    # else some cases of a test are not there
        require_words_to_select(items)
    wanted = set(items)
    if config.getoption("--brief") or os.environ.get("DS_TEST_BRIEF"):    # the variable is that of the tests in C
        wanted &= one_of_each(items)
    if config.getoption("--kokkos"):
        wanted -= {item for item in items if is_marked(item, "without_kokkos")}
    for name in ("tree", "kokkos_in_tree"):
        if config.getoption(f"--{name}".replace("_", "-")):
            wanted &= {item for item in items if is_marked(item, name)}
    unwanted = [item for item in items if item not in wanted]
    if unwanted:
        config.hook.pytest_deselected(items=unwanted)
        items[:] = [item for item in items if item in wanted]


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
