#!/usr/bin/env python3
# Compiles the LAMMPS side of the package against exactly the headers that the newest LAMMPS installs
# (tools/get-lammps headers): an include that only a source tree has, or an interface that has changed,
# shows here without a LAMMPS being built. Nothing is linked and nothing is run.
# SPDX-License-Identifier: GPL-2.0-or-later
import argparse
import os
import subprocess
import sys
import tempfile
from datetime import datetime
from pathlib import Path

TOGETHER = 30    # sources that are compiled at once: each alone would read LAMMPS's headers anew

parser = argparse.ArgumentParser()
parser.add_argument("--package", type=Path, required=True, help="folder of the package")
parser.add_argument("--headers", type=Path, required=True, help="folder with include/lammps in it")
parser.add_argument("--mpi-include", type=Path, required=True, nargs="+", help="folders, one with mpi.h in it")
parser.add_argument("--compiler", default=os.environ.get("CXX", "c++"))
args = parser.parse_args()

lammps = args.headers / "include" / "lammps"
mpi = next((folder for folder in args.mpi_include if (folder / "mpi.h").exists()), None)
sources = sorted((args.package / "src").glob("*.cpp"))
if not (lammps / "lammps.h").exists():
    sys.exit(f"no lammps.h in {lammps}")
if not mpi:
    sys.exit("no mpi.h in " + " ".join(map(str, args.mpi_include)))
if not sources:
    sys.exit(f"no source in {args.package / 'src'}")
version = args.headers / "version"
text, number = "unknown version", "0"
if version.exists():
    text = version.read_text().strip()
    number = datetime.strptime(text, "%d %b %Y").strftime("%Y%m%d")

# as cmake/FindLAMMPS.cmake and src/CMakeLists.txt have it; warnings are wanted of the package alone
definitions = ("LAMMPS_SMALLBIG", "OMPI_SKIP_MPICXX", "MPICH_SKIP_MPICXX",
               f"DS_LAMMPS_VERSION={number}", f'DS_LAMMPS_VERSION_TEXT="{text}"')
command = [args.compiler, "-std=c++17", "-Wall", "-Wextra", *("-D" + d for d in definitions),
           "-I", args.package / "src", "-I", args.package / "cuda" / "include",
           "-isystem", lammps, "-isystem", mpi]


def run(*words):
    return subprocess.run([*command, *words], text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


failed = []
with tempfile.TemporaryDirectory() as folder:
    # what takes most of the time is compiled once: LAMMPS's pointers.h, which nearly all sources include
    header = Path(folder) / "first.h"
    header.write_text('#include "pointers.h"\n')
    done = run("-x", "c++-header", header, "-o", f"{header}.gch")
    if done.returncode:
        sys.exit("pointers.h does not compile:\n" + done.stdout)
    command += ["-fsyntax-only", "-include", header]
    for k in range(0, len(sources), TOGETHER):
        some = sources[k:k + TOGETHER]
        together = Path(folder) / "together.cpp"
        together.write_text("".join(f'#include "{source.resolve()}"\n' for source in some))
        done = run(together)
        names = " ".join(source.name for source in some)
        print("compiles" if done.returncode == 0 else "FAILED  ", names, flush=True)
        print(done.stdout, end="", flush=True)
        if done.returncode:
            failed.append(names)
if failed:
    sys.exit(f"of {len(sources)} some do not compile with the headers that LAMMPS of {text} installs: "
             + " ".join(failed))
print(f"{len(sources)} sources compile with the headers that LAMMPS of {text} installs")
