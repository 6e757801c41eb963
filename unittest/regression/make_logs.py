#!/usr/bin/env python3
# Makes the reference logs of the examples anew, on 1 and 4 ranks, after a change that alters trajectories.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs every input of the examples in a copy of its folder and puts the logs beside the original, as
log.<date>.<name>.g++.<ranks> with the date of the LAMMPS that made them. The plugin is named by a path
relative to the copy, so that no log holds a path of the machine. Before anything is replaced, the logs of
1 and 4 ranks must agree in every printed digit of the thermodynamic output."""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from run import PATIENT, thermo


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
for name, text in (("examples", "folder of the examples"), ("plugin", "dpdsopplugin.so"),
                   ("lmp", "LAMMPS"), ("mpiexec", "MPI launcher"), ("work", "scratch folder")):
    parser.add_argument("--" + name, required=True, help=text)
parser.add_argument("--only", default="in.*", help="inputs (default: %(default)s)")
args = parser.parse_args()

inputs = sorted(Path(args.examples).rglob(args.only))
if not inputs:
    sys.exit(f"no {args.only} in {args.examples}")
for script in inputs:
    name = script.name[3:]
    logs = {}
    for ranks in (1, 4):
        folder = Path(args.work) / f"{name}.{ranks}"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "plugins").mkdir(parents=True)
        shutil.copy(args.plugin, folder / "plugins" / "dpdsopplugin.so")
        for file in script.parent.iterdir():
            if file.is_file() and not file.name.startswith("log."):
                shutil.copy(file, folder)
        launch = [args.mpiexec, "-n", str(ranks)] if ranks > 1 else []
        done = subprocess.run(
            launch + [args.lmp, "-in", script.name, "-log", "log"], cwd=folder, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**PATIENT, **os.environ, "LAMMPS_PLUGIN_PATH": "plugins", "OMP_NUM_THREADS": "1"})
        if done.returncode:
            sys.exit(f"{done.stdout[-1000:]}\n{script} failed on {ranks} ranks")
        logs[ranks] = folder / "log"
    if thermo(logs[1]) != thermo(logs[4]) or not thermo(logs[1]):
        sys.exit(f"{script}: 1 and 4 ranks differ: {logs[1]} {logs[4]}")
    day, month, year = re.match(r"LAMMPS \((\d+) (\w+) \d\d(\d\d)", logs[1].read_text()).groups()
    for old in script.parent.glob(f"log.*.{name}.g++.[14]"):
        old.unlink()
    for ranks, log in logs.items():
        new = script.parent / f"log.{day}{month}{year}.{name}.g++.{ranks}"
        shutil.copyfile(log, new)
        seconds = sum(float(t) for t in re.findall(r"^Loop time of (\S+)", log.read_text(), re.MULTILINE))
        print(f"{new}   {seconds:.0f} s")
