#!/usr/bin/env python3
# Compiles LAMMPS with the package in it: lmp must know the style, and no file of LAMMPS may change.
# SPDX-License-Identifier: GPL-2.0-or-later
import argparse
import os
import shutil
import sys
from pathlib import Path

import dpd_input

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from commands import runner  # noqa: E402

parser = argparse.ArgumentParser()
for name in ("package", "lammps", "mpicxx", "cuda", "work"):
    parser.add_argument("--" + name, required=True)
parser.add_argument("--architectures", default="", help="GPUs to compile for, if CUDA is used")
parser.add_argument("options", nargs="*", help="of CMake, for LAMMPS")
args = parser.parse_args()

work = Path(args.work).resolve()
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
environment = {k: v for k, v in os.environ.items() if k != "LAMMPS_PLUGIN_PATH"}
include = f"-DCMAKE_PROJECT_lammps_INCLUDE={args.package}/cmake/in-tree.cmake"


run = runner(work, environment, may_fail=True)


def state_of_tree():
    """Size and time of every file of LAMMPS."""
    return {p: (p.stat().st_size, p.stat().st_mtime_ns)
            for p in sorted(Path(args.lammps).rglob("*")) if p.is_file() and "__pycache__" not in p.parts}


before = state_of_tree()

status, output = run("cmake", "-S", f"{args.lammps}/cmake", "-B", "with-gpu", "-G", "Ninja", include, "-DPKG_GPU=on",
                     f"-DMPI_CXX_COMPILER={args.mpicxx}")
if status == 0 or "only one of the two can" not in " ".join(output.split()):
    sys.exit("a LAMMPS with its GPU package must be refused")

status, output = run(f"{args.package}/tools/get-lammps", "build", args.lammps, "build", args.mpicxx, include,
                     f"-DDS_CUDA={args.cuda}", f"-DCMAKE_CUDA_ARCHITECTURES={args.architectures}",
                     "-DDS_WARNINGS=ON", *args.options)    # all as in the builds of these tests: ccache knows
if status:
    sys.exit("LAMMPS with the package could not be built")

(work / "in.dpd").write_text(dpd_input.INPUT)
status, output = run("build/lmp", "-in", "in.dpd", "-log", "none")
if status or not dpd_input.finished(output):
    sys.exit("lmp did not finish its run")

# styles of all kinds are in: fixes, computes, regions, the run style
(work / "in.steps").write_text(dpd_input.INPUT.replace("fix 1 all nve", """fix 1 all nve/exact/gpu
run_style verlet/gpu
region half block/exact/gpu 0 2.5 INF INF INF INF
fix 2 all addforce/exact/gpu 0.1 0.0 0.0 region half
compute msd all msd/exact/gpu
thermo_style custom step temp c_msd[4]"""))
status, output = run("build/lmp", "-in", "in.steps", "-log", "none")
if status or "resident fixes: 1 (nve/exact/gpu), 2 (addforce/exact/gpu)" not in output:
    sys.exit("lmp did not run the package's fixes")

after = state_of_tree()
changed = sorted(str(p) for p in before.keys() | after.keys() if before.get(p) != after.get(p))
if changed:
    sys.exit("files of LAMMPS were changed: " + " ".join(changed))
print("compiled in, with LAMMPS's own files as they were")
