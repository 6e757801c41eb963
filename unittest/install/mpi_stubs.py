"""The package compiles for a LAMMPS without MPI: its stand-in for mpi.h takes no pointers to constants.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("package", "lammps", "compiler"):
        parser.add_argument(f"--{name}", required=True)
    o = parser.parse_args()
    package, source = pathlib.Path(o.package), pathlib.Path(o.lammps) / "src"
    files = [f for f in sorted((package / "src").glob("*.cpp")) if f.name != "dpdsopplugin.cpp"]

    def compiled(file):
        return subprocess.run([o.compiler, "-std=c++17", "-fsyntax-only", "-DLAMMPS_SMALLBIG", f"-I{source}/STUBS", f"-I{source}",
                               f"-I{package}/cuda/include", f"-I{package}/src", str(file)], capture_output=True, text=True)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(compiled, files))
    for file, run in zip(files, runs):
        print("ok" if run.returncode == 0 else "FAILED", file.name)
        print(run.stderr, end="")
    sys.exit(not files or any(run.returncode for run in runs))


if __name__ == "__main__":
    main()
