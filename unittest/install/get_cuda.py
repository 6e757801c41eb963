#!/usr/bin/env python3
# What tools/get-cuda decides on machines that are made of small scripts: an nvcc that works or does not, a driver that
# is new enough or not, a pip. Nothing is downloaded, and nothing of the machine that runs the test is seen.
# SPDX-License-Identifier: GPL-2.0-or-later
import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("--package", required=True)
parser.add_argument("--work", required=True, help="folder to work in; emptied first")
args = parser.parse_args()

work = Path(args.work).resolve()
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
TOOLS = ("sh", "cat", "cksum", "dirname", "grep", "mkdir", "mktemp", "rm", "sed", "touch", "tr")

# what the scripts do
NVCC = 'while [ $# -gt 1 ]; do [ "$1" = -o ] && echo object > "$2"; shift; done'
FAILS = "exit 1"
COMPLAINS = "echo compiling; echo 'nvcc fatal: too old'; echo 'an error, too'; exit 2"
SILENT = "exit 0"      # and makes no object
NEW_DRIVER = "echo 580.95.05; echo 580.95.05"
OLD_DRIVER = "echo 550.54.14"
NO_GPU = "echo No devices were found"
LIBCUDA = "echo '	libcuda.so.1 (libc6,x86-64) => /usr/lib/libcuda.so.1'"
PIP = """echo "$@" >> "$DS_ROOT/pip-was-called"
while [ $# -gt 1 ]; do [ "$1" = --target ] && dir=$2; shift; done
mkdir -p "$dir/nvidia/cu13/bin"; echo nvcc > "$dir/nvidia/cu13/bin/nvcc"
"""
KERNEL_MODULE = ("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  {}  Release Build  (dvs-builder)\n"
                 "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n")

NONE = "CUDA: none, as {}; the CPU is used"
PYPI = "CUDA: compiler of PyPI (nvcc 13.0), as {}"
FOUND = "CUDA: {}/nvcc, as it is there and works"
NO_NVCC = "there is no nvcc"
TOO_OLD = ", and that of PyPI needs an NVIDIA driver 580 or newer, not {}"

# name: scripts, environment, files, choice, line. {} in choice and line is the folder of the scripts
CASES = {
    "nvcc": ({"nvcc": NVCC}, {}, {}, "nvcc {}/nvcc", FOUND),
    "nvcc and driver": ({"nvcc": NVCC, "nvidia-smi": NEW_DRIVER}, {}, {}, "nvcc {}/nvcc", FOUND),
    "nvcc and old driver": ({"nvcc": NVCC, "nvidia-smi": OLD_DRIVER}, {}, {}, "nvcc {}/nvcc", FOUND),
    "nvcc, ON": ({"nvcc": NVCC}, {"DS_CUDA": "ON"}, {}, "nvcc {}/nvcc", FOUND),
    "nvcc, OFF": ({"nvcc": NVCC, "nvidia-smi": NEW_DRIVER}, {"DS_CUDA": "OFF"}, {}, "none", NONE.format("DS_CUDA=OFF")),
    "nvcc, PYPI": ({"nvcc": NVCC}, {"DS_CUDA": "PYPI"}, {}, "pypi", PYPI.format("DS_CUDA=PYPI")),
    "nvcc in CUDACXX": ({"mine": NVCC, "nvcc": FAILS}, {"CUDACXX": "mine -O3"}, {}, "nvcc {}/mine",
                        FOUND.replace("nvcc", "mine")),
    "driver": ({"nvidia-smi": NEW_DRIVER}, {}, {}, "pypi",
               PYPI.format(NO_NVCC + ", and there is an NVIDIA driver (580.95.05)")),
    "driver, OFF": ({"nvidia-smi": NEW_DRIVER}, {"DS_CUDA": "off"}, {}, "none", NONE.format("DS_CUDA=OFF")),
    "driver without nvidia-smi": ({}, {}, {"proc/driver/nvidia/version": KERNEL_MODULE.format("581.2.3")}, "pypi",
                                  PYPI.format(NO_NVCC + ", and there is an NVIDIA driver (581.2.3)")),
    "driver without GPU": ({"nvidia-smi": NO_GPU}, {}, {"proc/driver/nvidia/version": KERNEL_MODULE.format("590.1")},
                           "pypi", PYPI.format(NO_NVCC + ", and there is an NVIDIA driver (590.1)")),
    "library of the driver": ({"ldconfig": LIBCUDA}, {}, {}, "pypi",
                              PYPI.format(NO_NVCC + ", and there is an NVIDIA driver")),
    "WSL": ({}, {}, {"usr/lib/wsl/lib/libcuda.so.1": ""}, "pypi",
            PYPI.format(NO_NVCC + ", and there is an NVIDIA driver")),
    "old driver": ({"nvidia-smi": OLD_DRIVER}, {}, {}, "none", NONE.format(NO_NVCC + TOO_OLD.format("550.54.14"))),
    "old driver without nvidia-smi": ({}, {}, {"proc/driver/nvidia/version": KERNEL_MODULE.format("535.1.2")}, "none",
                                      NONE.format(NO_NVCC + TOO_OLD.format("535.1.2"))),
    "old driver, ON": ({"nvidia-smi": OLD_DRIVER}, {"DS_CUDA": "ON"}, {}, "pypi",
                       PYPI.format("DS_CUDA=ON, and " + NO_NVCC)),
    "another processor": ({"nvidia-smi": NEW_DRIVER, "uname": "echo ppc64le"}, {}, {}, "none",
                          NONE.format(NO_NVCC + ", and PyPI has none for this processor")),
    "neither": ({"nvidia-smi": FAILS}, {}, {}, "none", NONE.format("there is neither nvcc nor an NVIDIA driver")),
    "neither, ON": ({}, {"DS_CUDA": "ON"}, {}, "pypi", PYPI.format("DS_CUDA=ON, and " + NO_NVCC)),
    "neither, OFF": ({}, {"DS_CUDA": "OFF"}, {}, "none", NONE.format("DS_CUDA=OFF")),
    "broken nvcc": ({"nvcc": FAILS}, {}, {}, "none",
                    NONE.format("{}/nvcc does not work, and there is no NVIDIA driver")),
    "nvcc that complains": ({"nvcc": COMPLAINS}, {}, {}, "none", NONE.format(
        "{}/nvcc does not work (nvcc fatal: too old), and there is no NVIDIA driver")),
    "nvcc without object": ({"nvcc": SILENT}, {}, {}, "none",
                            NONE.format("{}/nvcc does not work, and there is no NVIDIA driver")),
    "broken nvcc and driver": ({"nvcc": FAILS, "nvidia-smi": NEW_DRIVER}, {}, {}, "pypi",
                               PYPI.format("{}/nvcc does not work, and there is an NVIDIA driver (580.95.05)")),
    "broken nvcc, ON": ({"nvcc": FAILS}, {"DS_CUDA": "ON"}, {}, "pypi",
                        PYPI.format("DS_CUDA=ON, and {}/nvcc does not work")),
    "missing nvcc in CUDACXX": ({"nvcc": NVCC}, {"CUDACXX": "/nowhere/nvcc"}, {}, "none",
                                NONE.format(
                                    "/nowhere/nvcc does not work (no such program), and there is no NVIDIA driver")),
}


class Machine:
    """A folder that is the PATH, and one that stands for /."""

    def __init__(self, name, scripts, environment, files=()):
        self.root = work / name.replace(" ", "-").replace(",", "")
        self.bin = self.root / "bin"
        self.bin.mkdir(parents=True)
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        for script, text in {"ldconfig": "", "uname": "echo x86_64", **scripts}.items():
            self.script(script, text)
        for path, text in dict(files).items():
            (self.root / path).parent.mkdir(parents=True)
            (self.root / path).write_text(text)
        self.environment = {"PATH": str(self.bin), "DS_ROOT": str(self.root), "TMPDIR": str(self.root), **environment}

    def script(self, name, text):
        (self.bin / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.bin / name).chmod(0o755)

    def get_cuda(self, *words):
        command = [os.path.join(args.package, "tools", "get-cuda"), *map(str, words)]
        return subprocess.run(command, env=self.environment, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)


failed = []


def check(name, got, expected):
    print("ok" if got == expected else "FAILED", name)
    if got != expected:
        print(f"  got      {got}\n  expected {expected}")
        failed.append(name)


for name, (scripts, environment, files, choice, line) in CASES.items():
    machine = Machine(name, scripts, environment, files)
    done = machine.get_cuda("choose")
    check(name, (done.returncode, done.stdout, done.stderr),
          (0, choice.replace("{}", str(machine.bin)) + "\n", line.replace("{}", str(machine.bin)) + "\n"))

# CMake, which looks for nvcc in the same way, goes on without one that does not work; compilers of this machine
broken = work / "cmake"
broken.mkdir()
(broken / "nvcc").write_text(f"#!/bin/sh\n{FAILS}\n")
(broken / "nvcc").chmod(0o755)
environment = {k: v for k, v in os.environ.items() if k not in ("CUDACXX", "CUDA_HOME", "CUDA_PATH")}
done = subprocess.run(["cmake", "-S", f"{args.package}/cuda", "-B", broken / "build"], text=True,
                      env={**environment, "PATH": f"{broken}:{os.environ['PATH']}"}, stdin=subprocess.DEVNULL,
                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
check("CMake and a broken nvcc", (done.returncode, "Engine: CUDA backend OFF" in done.stdout), (0, True))

# a toolkit where it is by default, and one that the environment names, which comes first
machine = Machine("default toolkit", {}, {})
for folder in ("usr/local/cuda", "opt/cuda"):
    (machine.root / folder / "bin").mkdir(parents=True)
    machine.script(f"../{folder}/bin/nvcc", NVCC)
check("/usr/local/cuda", machine.get_cuda("find").stdout, f"{machine.root}/usr/local/cuda/bin/nvcc\n")
machine.environment["CUDA_HOME"] = str(machine.root / "opt" / "cuda")
check("CUDA_HOME", machine.get_cuda("find").stdout, f"{machine.root}/opt/cuda/bin/nvcc\n")
check("find without nvcc", Machine("nothing", {}, {}).get_cuda("find").returncode, 1)

# the first GPU of a machine, if the package can use it
for says, architecture in {"echo 9.0; echo 8.0": "90\n", "echo 12.0": "120\n", "echo 7.5; echo 9.0": "", NO_GPU: "",
                           FAILS: "", "echo '[N/A]'": ""}.items():
    done = Machine(f"architecture {says.split(';')[0]}", {"nvidia-smi": says}, {}).get_cuda("architecture")
    check(f"architecture: {says}", (done.returncode, done.stdout), (0 if architecture else 1, architecture))
check("architecture without nvidia-smi", Machine("no nvidia-smi", {}, {}).get_cuda("architecture").returncode, 1)

done = Machine("wrong word", {}, {"DS_CUDA": "perhaps"}).get_cuda("choose")
check("wrong DS_CUDA", (done.returncode, done.stdout), (1, ""))

# PyPI's compiler is installed once, and once again if the last time was broken off
machine = Machine("install", {"nvidia-smi": NEW_DRIVER, "python": FAILS}, {"PYTHON": "python"})
done = machine.get_cuda("nvcc", machine.root / "cuda")
check("installation fails", (done.returncode, done.stdout), (1, ""))
machine.script("python", PIP)
for k in range(2):
    done = machine.get_cuda("nvcc", machine.root / "cuda")
    check(f"installation {k}", (done.returncode, done.stdout), (0, f"{machine.root}/cuda/nvidia/cu13/bin/nvcc\n"))
calls = (machine.root / "pip-was-called").read_text().splitlines()
check("pip was called once", len(calls), 1)
packages = machine.get_cuda("packages").stdout.split()
check("all packages, with versions", [package.split("==")[1][:5] for package in packages], 5 * ["13.0."])
words = calls[0].split()
check("hashes are asked for", "--require-hashes" in words, True)
listed = Path(words[words.index("-r") + 1]).read_text()
check("each package has hashes", re.findall(r"^(\S+==\S+) \\\n +--hash=sha256:[0-9a-f]{64}", listed, re.M), packages)
done = Machine("nothing to install", {"python": FAILS}, {"PYTHON": "python"}).get_cuda("nvcc", work / "unused")
check("nothing is installed without need", (done.returncode, done.stdout, (work / "unused").exists()), (0, "", False))

if failed:
    sys.exit(f"{len(failed)} failed: " + ", ".join(failed))
