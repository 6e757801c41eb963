"""tools/bench/bench_inputs: each of its inputs runs in each way, and what fails is told. Rates are not looked at. And bench_files.

DS_TEST_BACKEND=cuda makes the same runs on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later
"""

import csv
import importlib.machinery
import importlib.util
import pytest

import json
import os
import re
import sys

from checks import require
from lammps_run import BACKEND, LMP, execute

BENCH = os.path.join(os.environ["DS_SOURCE_DIR"], "tools", "bench")
TOOL = os.path.join(BENCH, "bench_inputs")
sys.path.insert(0, BENCH)
from bench_cases import CASES  # noqa: E402

NAMES = [case.name for case in CASES]
REPEATS = 2

# styles of packages that a LAMMPS need not have
OPTIONAL = {"angle style cosine", "angle style harmonic", "atom style full", "atom style mdpd", "atom style molecular", "bond style fene",
            "bond style harmonic", "dump style dcd", "fix style atom/swap", "fix style rigid/nvt/small", "fix style rigid/small", "kspace style pppm",
            "pair style dpd/coul/slater/long", "pair style dpd", "pair style dpd/tstat", "pair style morse"}
# what LAMMPS itself does not have
OURS_ALONE = {"gpu": set(), "suffix": set(), "offload": {"fix style wall/bounce"}, "lammps": {"fix style wall/bounce"}}
# inputs all fixes of which are styles of this package
RESIDENT = ("check-yes", "thermo-stress", "dump", "dump-binary", "dump-text", "restart", "momentum", "temp/rescale", "langevin", "gravity", "addforce", "wall/reflect",
            "wall/bounce", "wall/lj126", "wall/lj93", "frozen-exclude", "frozen-setforce", "two-types", "chains",
            "chains-cosine", "chains-dihedrals", "fene", "rigid", "rigid-nvt", "nvt", "velocity-profile", "velocity-profile-often", "velocity-map", "stress-profile",
            "chains-stress-profile", "lj/cut", "hybrid", "melt", "mdpd", "charges")


def run(lammps, *words, backend=BACKEND, env=None):
    """The process, and the contents of its file."""
    done = execute([sys.executable, TOOL, "--lmp", LMP, "--backend", backend, "-n", "2000", "--steps", "20", "--warm", "20",
                    "--repeat", str(REPEATS), "--json", "rates.json", *words], lammps.folder, env=env)
    if not os.path.exists(lammps.path("rates.json")):
        return done, None
    with open(lammps.path("rates.json")) as file:
        return done, json.load(file)


def tool():
    """The program as a module."""
    loader = importlib.machinery.SourceFileLoader("bench_inputs", TOOL)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_inputs", loader))
    loader.exec_module(module)
    return module


def check_rows(way, measured):
    plain = measured["plain"]["median"]
    for name, row in measured.items():
        require(row["steps"] == 20 and len(row["rates"]) == REPEATS and min(row["rates"]) > 0.0, f"{name}: {row}")
        require(abs(row["of_plain"] * plain / row["median"] - 1.0) < 1e-12, f"{name}: {row['of_plain']} of {plain}")
        if way in ("gpu", "suffix") and name in RESIDENT:
            called = [line for line in row["lammps"] if line.startswith(("fix ", "bonds", "all steps"))]
            require(not called, f"{name}: LAMMPS is called for {called}")
        if way in ("gpu", "suffix") and name == "hybrid-lammps":
            require("all steps" in row["more_than_plain"][0], f"{name}: {row['more_than_plain']}")
        if way in ("offload", "lammps"):
            require(row["lammps"] == [], f"{name}: run_style verlet/gpu has a part")


@pytest.mark.parametrize("way", OURS_ALONE)
def test_every_case(lammps, way):
    done, found = run(lammps, "--way", way)
    require(found, done.tail())
    left_out = dict(re.findall(r"^\w+ +\d+ (\S+) +left out: this LAMMPS has no (.*)$", done.output, re.M))
    refused = {row["name"]: row["error"] for row in found["failures"]}
    measured = {row["name"]: row for row in found["rows"]}
    require(sorted([*left_out, *refused, *measured]) == sorted(NAMES), f"not all cases once:\n{done.output}")
    unknown = set(left_out.values()) - OPTIONAL - OURS_ALONE[way]
    require(not unknown, f"left out for lack of {unknown}")
    require(not refused and done.status == 0, f"status {done.status}, failed: {sorted(refused)}\n{done.tail(60)}")
    check_rows(way, measured)
    print(f"{len(measured)} run, {len(left_out)} left out")


def test_bench_files(lammps):
    """Bench_files: a time and a size for each style of dumps that this LAMMPS has, and for restart files."""
    tool_of_files = os.path.join(BENCH, "bench_files")
    done = execute([sys.executable, tool_of_files, "--lmp", LMP, "-n", "2000", "3000", "--steps", "2", "--repeat", "1"], lammps.folder)
    rows = {name: [float(word) for word in words.split()]
            for name, words in re.findall(r"^(\S.{44}) +((?:[\d.]+ *){4})$", done.output, re.M)}
    names = [name.strip() for name in rows]
    require(done.status == 0 and names[0] == "atom" and names[-1] == "restart" and len(names) >= 10, done.tail())
    require(all(min(values) > 0.0 and values[3] > values[1] for values in rows.values()), done.output)
    binary = next(values for name, values in rows.items() if name.startswith("custom id type x y z, binary "))
    require(abs(binary[1] - 2000 * 5 * 8 / 1e6) < 0.01, f"a binary frame of {binary[1]} MB")


def test_names_of_styles_those_of_a_way_and_what_is_missing(lammps):
    text = "region up block 0 1 0 1 0 1\npair_style hybrid/overlay dpd 1.0 other 2.0\npair_coeff * * dpd 25\nfix 1 all nve\n" \
           "fix 2 all far 1\n"
    there = {"Region": {"block", "block/exact/gpu"}, "Pair": {"hybrid/overlay", "dpd", "dpd/exact/gpu", "other"},
             "Fix": {"nve", "nve/exact/gpu", "far/exact/gpu"}}
    pair = text.replace("dpd", "dpd/exact/gpu")
    ours = pair.replace("block", "block/exact/gpu").replace("nve", "nve/exact/gpu").replace("far", "far/exact/gpu")
    for way, wanted in (("gpu", (ours, "")), ("suffix", (text, "")), ("offload", (pair, "fix style far")),
                        ("lammps", (text, "fix style far"))):
        found = tool().in_words_of(way, text, there)
        require(found == wanted, f"{way}: {found}, expected: {wanted}")


def test_choice_of_cases_patterns_and_the_plain_fluid(lammps):
    done, found = run(lammps, "--cases", "wall/lj*", "gravity", "--csv", "rates.csv")
    require(done.status == 0, done.tail())
    with open(lammps.path("rates.csv"), newline="") as file:
        table = list(csv.reader(file))
    require(table[0] == ["Input", "What it is", "2,000"] and table[1][0] == "plain" and table[1][2].endswith(" (1.00)"), str(table))
    require([row[0] for row in table[1:]] == [name for name in NAMES if name in ("plain", "gravity", "wall/lj126", "wall/lj93")],
            str(table))
    names = [row["name"] for row in found["rows"]]
    require(names == ["plain", "gravity", "wall/lj126", "wall/lj93"], f"run: {names}")
    listed = run(lammps, "--list")[0].output
    require([line.split()[0] for line in listed.splitlines()] == NAMES, listed)


def test_choice_of_cases_a_name_that_is_none(lammps):
    done = run(lammps, "--cases", "gravitation")[0]
    require(done.status == 1 and "no case has a name like gravitation" in done.output, done.tail())


def test_failures_the_next_case_is_run_and_the_status_is_1(lammps):
    done, found = run(lammps, "--cases", "gravity", "--limit", "0.01")
    names = [row["name"] for row in found["failures"]]
    require(done.status == 1 and names == ["plain", "gravity"] and not found["rows"], done.tail())
    lines = re.findall(r"^gpu +2000 (\S+) +FAILED: no end after 0.01 s", done.output, re.M)
    require(lines == names, done.output)


def test_failures_a_gpu_was_wanted_and_the_host_was_used(lammps):
    done, found = run(lammps, "--cases", "plain", backend="cuda", env={"CUDA_VISIBLE_DEVICES": ""})
    require(done.status == 1 and not found["rows"], done.tail())
    require("FAILED: ERROR: backend host was used, wanted was cuda. no GPU is used: " in done.output, done.output)


def test_failures_no_such_lammps(lammps):
    done = run(lammps, "--lmp", "./no_lammps")[0]
    require(done.status == 1 and "no_lammps: No such file" in done.output and "Traceback" not in done.output, done.tail())


def test_failures_the_package_is_not_loaded(lammps):
    done, found = run(lammps, env={"LAMMPS_PLUGIN_PATH": lammps.folder})
    require(done.status == 1 and "this LAMMPS has not loaded the package" in done.output and not found, done.tail())
