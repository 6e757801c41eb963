"""What pip calls to build the package: scikit-build-core, with a CUDA compiler where the machine is to have one.

tools/get-cuda decides which compiler that is. If it is that of PyPI, it is a requirement of the build; with
--no-build-isolation, which installs no requirements, it is fetched for the time of the build.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import contextlib
import os
import re
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

from scikit_build_core import build as skbuild
from scikit_build_core.build import (build_sdist, get_requires_for_build_sdist,  # noqa: F401
                                     prepare_metadata_for_build_editable, prepare_metadata_for_build_wheel)

ROOT = Path(__file__).resolve().parents[2]
# A wheel can be taken to another machine: code for all GPUs that the package supports, as far as the compiler knows
# them, and PTX of the newest, from which the driver makes code for those to come.
GPUS = ("80", "86", "89", "90", "100", "120")


def get_cuda(*words, settings=None, silent=False):
    """Standard output of tools/get-cuda."""
    environment = dict(os.environ, PYTHON=sys.executable)
    for name, key in (("DS_CUDA", "cmake.define.DS_CUDA"), ("CUDACXX", "cmake.define.CMAKE_CUDA_COMPILER")):
        if key in (settings or {}):
            environment[name] = settings[key]
    done = subprocess.run([str(ROOT / "tools" / "get-cuda"), *words], env=environment, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode or not silent:
        print(done.stderr, end="", file=sys.stderr, flush=True)
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout.strip()


def packages_of_cuda(settings):
    """What the build says, it says once, and so not here."""
    return get_cuda("packages").split() if get_cuda("choose", settings=settings, silent=True) == "pypi" else []


def version_of(package):
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def installed_nvcc():
    """PyPI's nvcc in the environment of this build, if all of its packages are there in the right version."""
    wanted = dict(line.split("==") for line in get_cuda("packages").split())
    if any(version_of(package) != version for package, version in wanted.items()):
        return None
    return next((str(f.locate()) for f in metadata.files("nvidia-cuda-nvcc") or [] if f.name == "nvcc"), None)


def architectures(nvcc):
    listed = subprocess.run([nvcc, "--list-gpu-code"], check=True, text=True, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE).stdout
    known = [gpu for gpu in GPUS if re.search(rf"\bsm_{gpu}\b", listed)]
    return ";".join([f"{gpu}-real" for gpu in known] + [f"{known[-1]}-virtual"])


def say_which_lammps():
    """pip hides the environment that it installs into from the build; the Python there is the same."""
    code = "from importlib import metadata; print(metadata.version('lammps'))"
    found = subprocess.run([sys.executable, "-I", "-c", code], text=True, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.strip()
    ours = version_of("lammps")
    line = f"LAMMPS: the plugin is compiled for lammps {ours}"
    if found and found != ours:
        line += f"; here is lammps {found}, which will not load it: with [lammps] pip replaces it (to compile for it: doc/install.rst)"
    print(line, file=sys.stderr, flush=True)


@contextlib.contextmanager
def with_cuda(settings):
    """Settings for scikit-build-core, with the compiler and the architectures in them."""
    say_which_lammps()
    settings = dict(settings or {})
    choice, _, nvcc = get_cuda("choose", settings=settings).partition(" ")
    with tempfile.TemporaryDirectory() as folder:
        if choice == "pypi":
            nvcc = installed_nvcc() or get_cuda("install", folder)
        if nvcc:
            os.environ["CUDACXX"] = nvcc
            if "CUDAARCHS" not in os.environ:
                settings.setdefault("cmake.define.CMAKE_CUDA_ARCHITECTURES", architectures(nvcc))
        settings["cmake.define.DS_CUDA"] = "ON" if nvcc else "OFF"
        yield settings


def get_requires_for_build_wheel(config_settings=None):
    return skbuild.get_requires_for_build_wheel(config_settings) + packages_of_cuda(config_settings)


def get_requires_for_build_editable(config_settings=None):
    return skbuild.get_requires_for_build_editable(config_settings) + packages_of_cuda(config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with with_cuda(config_settings) as settings:
        return skbuild.build_wheel(wheel_directory, settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    with with_cuda(config_settings) as settings:
        return skbuild.build_editable(wheel_directory, settings, metadata_directory)
