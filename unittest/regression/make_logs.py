#!/usr/bin/env python3
# Makes the reference logs of the examples anew, on 1 and 4 ranks, after a change that alters trajectories.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs every input of the examples in a copy of its folder and puts the logs beside the original, as
log.<date>.<name>.g++.<ranks> with the date of the LAMMPS that made them. The plugin is named by a path
relative to the copy, so that no log holds a path of the machine. Before anything is replaced, the logs of
1 and 4 ranks must agree in every printed digit of the thermodynamic output. With --gpu NAME a log of one rank and a GPU
is made as well, log.<date>.<name>.NAME.1, which must agree with them, too; the others are made without the GPU."""

import argparse
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from run import patience, thermo

NO_GPU = {"CUDA_VISIBLE_DEVICES": ""}


class Failed(Exception):
    """What is wrong with an example; the others go on."""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, text in (("examples", "folder of the examples"), ("plugin", "dpdsopplugin.so"),
                       ("lmp", "LAMMPS"), ("mpiexec", "MPI launcher"), ("work", "scratch folder")):
        parser.add_argument("--" + name, required=True, help=text)
    parser.add_argument("--only", default="in.*", help="inputs (default: %(default)s)")
    parser.add_argument("--gpu", metavar="NAME", help="make logs of a GPU, with NAME in their names")
    parser.add_argument("--cores", type=int, default=1, help="to be used at the same time (default: %(default)s)")
    return parser.parse_args()


def run(args, script, ranks, gpu):
    """One input in a copy of its folder; its log."""
    folder = Path(args.work) / f"{script.name[3:]}.{'gpu' if gpu else ranks}"
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
        env={**patience(ranks), **os.environ, **({} if gpu else NO_GPU), "LAMMPS_PLUGIN_PATH": "plugins", "OMP_NUM_THREADS": "1"})
    if done.returncode:
        raise Failed(f"{done.stdout[-1000:]}\n{script} failed on {ranks} ranks{' and a GPU' if gpu else ''}")
    log = folder / "log"
    if gpu and not re.search(r"\bcuda\b", log.read_text()):
        raise Failed(f"{script}: no GPU was used")
    return log


def make(args, script):
    """Its logs, by the end of their names."""
    logs = {"g++.1": run(args, script, 1, False), "g++.4": run(args, script, 4, False)}
    if args.gpu:
        logs[f"{args.gpu}.1"] = run(args, script, 1, True)
    tables = [thermo(log) for log in logs.values()]
    if not tables[0] or any(table != tables[0] for table in tables):
        raise Failed(f"{script}: {', '.join(map(str, logs.values()))} differ")
    return logs


def replace(script, logs):
    name, log = script.name[3:], logs["g++.1"].read_text()
    day, month, year = re.match(r"LAMMPS \((\d+) (\w+) \d\d(\d\d)", log).groups()
    for end, log in logs.items():
        for old in script.parent.glob(f"log.*.{name}.{end}"):
            old.unlink()
        new = script.parent / f"log.{day}{month}{year}.{name}.{end}"
        shutil.copyfile(log, new)
        seconds = sum(float(t) for t in re.findall(r"^Loop time of (\S+)", log.read_text(), re.MULTILINE))
        print(f"{new}   {seconds:.1f} s", flush=True)


def main():
    args = arguments()
    inputs = sorted(Path(args.examples).rglob(args.only))
    if not inputs:
        sys.exit(f"no {args.only} in {args.examples}")
    failed = 0
    with ThreadPoolExecutor(max(1, args.cores // 4)) as pool:
        made = [pool.submit(make, args, script) for script in inputs]
        for script, logs in zip(inputs, made):
            try:
                replace(script, logs.result())
            except Failed as error:
                print(error, flush=True)
                failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
