"""The package compiles for a LAMMPS without MPI, whose mpi.h takes no pointers to constants, with IDs of both sizes.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import argparse
import pathlib
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("package", "lammps", "version", "compiler"):
        parser.add_argument(f"--{name}", required=True)
    o = parser.parse_args()
    package, source = pathlib.Path(o.package), pathlib.Path(o.lammps) / "src"
    files = [f for f in sorted((package / "src").glob("*.cpp")) if f.name != "dpdsopplugin.cpp"]
    folders = [f"-I{folder}" for folder in (source / "STUBS", source, package / "cuda" / "include", package / "src")]
    together = "".join(f'#include "{file}"\n' for file in files)    # as one file, which takes a twentieth of the time
    failed = not files
    for sizes in ("SMALLBIG", "BIGBIG"):
        done = subprocess.run([o.compiler, "-std=c++17", "-fsyntax-only", f"-DLAMMPS_{sizes}", f"-DDS_LAMMPS_VERSION={o.version}",
                               *folders, "-x", "c++", "-"], input=together, capture_output=True, text=True)
        print(done.stderr, end="")
        print(f"{len(files)} files {'compile' if done.returncode == 0 else 'do NOT compile'} without MPI, LAMMPS_{sizes}")
        failed = failed or done.returncode != 0
    sys.exit(failed)


if __name__ == "__main__":
    main()
