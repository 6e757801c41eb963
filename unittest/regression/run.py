#!/usr/bin/env python3
# Runs LAMMPS's regression tester over a copy of our examples, and judges what it reports.
# SPDX-License-Identifier: GPL-2.0-or-later
"""run_tests.py works inside the folders of the examples and ends with 0 whatever it found: hence the copy,
and hence the look at its summary. On one rank it compares with log.*.g++.1, on 4 with log.*.g++.4."""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent.parent / "lammps")]
from lammps_run import patience  # noqa: E402


ROWS = re.compile(r"^ *Step .*?^Loop time", re.MULTILINE | re.DOTALL)


def thermo(log):
    """Thermodynamic output of all runs in a log: heads and rows of numbers. Between them are tables of run_style
    verlet/gpu, which tell the number of processes, and warnings."""
    return [[line for line in block.splitlines() if re.match(r" *(Step\b|-?\d)", line)]
            for block in ROWS.findall(log.read_text())]


def reference(script, ranks):
    """The reference logs of an input; there should be one."""
    return sorted(script.parent.glob(f"log.*.{script.name[3:]}.g++.{ranks}"))


def main():
    import yaml

    parser = argparse.ArgumentParser()
    for name in ("run-tests", "examples", "config", "lmp", "mpiexec", "ranks", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--leave-out", nargs="*", default=[], help="folders whose logs are only compared with each other")
    args = parser.parse_args()

    work = Path(args.work)
    shutil.rmtree(work, ignore_errors=True)
    examples = work / "examples"
    shutil.copytree(args.examples, examples, ignore=shutil.ignore_patterns("CMakeLists.txt", "__pycache__"))
    inputs = sorted(examples.rglob("in.*"))
    if not inputs:
        sys.exit("no input scripts in " + args.examples)

    # an input without a log for this number of ranks would be run but compared with nothing
    missing = [f"{i}, {ranks} ranks" for i in inputs for ranks in (1, 4) if not reference(i, ranks)]
    if missing:
        sys.exit("no reference log: " + "; ".join(missing))
    differ = [str(i) for i in inputs if thermo(reference(i, 1)[0]) != thermo(reference(i, 4)[0])]
    if differ:
        sys.exit("the reference logs of 1 and 4 ranks do not agree in all digits: " + " ".join(differ))

    for folder in args.leave_out:
        shutil.rmtree(examples / folder)
    inputs = sorted(examples.rglob("in.*"))

    config = yaml.safe_load(Path(args.config).read_text())
    if args.ranks != "1":
        config["mpiexec"] = args.mpiexec
        config["nprocs"] = args.ranks
    (work / "config.yaml").write_text(yaml.safe_dump(config))

    run = subprocess.run(
        [sys.executable, args.run_tests, "--lmp-bin=" + args.lmp, "--config-file=config.yaml",
         "--examples-top-level=" + str(examples), "--verbose"],
        cwd=work, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        env={**patience(int(args.ranks)), **os.environ})
    print(run.stdout)

    def count(label):
        found = re.search(label + r"\s*:\s*(\d+)", run.stdout)
        return int(found.group(1)) if found else -1

    passed, total = count("numerical tests passed"), count("Total number of input scripts")
    checks = [int(n) for n in re.findall(r"all (\d+) checks passed", run.stdout)]
    if run.returncode != 0 or total != len(inputs) or passed != total or 0 in checks:
        for log in sorted(work.glob("*.log")):
            print(f"---- {log}\n{log.read_text()}")
        sys.exit(f"{passed} of {len(inputs)} examples agree with their logs on {args.ranks} ranks")
    print(f"all {passed} examples agree with their logs on {args.ranks} ranks")


if __name__ == "__main__":
    main()
