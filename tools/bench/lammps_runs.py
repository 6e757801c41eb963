"""Runs of LAMMPS, for bench_lammps, bench_inputs and openmm_dpd.   SPDX-License-Identifier: GPL-2.0-or-later"""

import contextlib
import math
import os
import re
import statistics
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LOOP = re.compile(r"^Loop time of (\S+) on \d+ procs for (\d+) steps with (\d+) atoms", re.MULTILINE)
SHARE = re.compile(r"^(Pair|Neigh|Comm|Modify|Output|Other) +\|.*\| *([\d.]+)$", re.MULTILINE)
WARM_UP_RUNS = 4  # of in.dpd
SKIN = 0.3


class Failed(Exception):
    """A program that ended with an error, and the end of its output."""


def finished(command, environment=None, folder=None, limit=None):
    """Output of a command that has ended well, within limit seconds."""
    try:
        result = subprocess.run(command, env=environment, cwd=folder, timeout=limit, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                check=False)
    except OSError as error:
        raise Failed(f"{command[0]}: {error.strerror}") from error
    except subprocess.TimeoutExpired as late:
        raise Failed(f"no end after {limit:g} s: {' '.join(command)}") from late
    if result.returncode:
        raise Failed(f"{result.stdout[-2000:].rstrip()}\nexit status {result.returncode}: {' '.join(command)}")
    return result.stdout


def listed(density, cutoff):
    """Entries of an atom in a list of half the pairs for which there is room: twice the mean, or LAMMPS's default."""
    return max(2000, round(4.0 / 3.0 * math.pi * (cutoff + SKIN) ** 3 * density))


class Lammps:
    """A LAMMPS binary, its options, and whether it loads plugins, or from which folder."""

    def __init__(self, binary, options=(), plugins=True, mpiexec="mpiexec"):
        self.start = [binary, "-log", "none", "-nocite", *options]
        self.mpiexec = mpiexec.split()
        self.environment = dict(os.environ)
        self.environment.setdefault("OMP_NUM_THREADS", "1")
        if not plugins:
            self.environment.pop("LAMMPS_PLUGIN_PATH", None)
        elif plugins is not True:
            self.environment["LAMMPS_PLUGIN_PATH"] = plugins

    def run(self, variables, thermo, ranks=1, service=None):
        """Output of a run of in.dpd with these variables; service has environment variables of MPS."""
        with tempfile.TemporaryDirectory() as folder:
            variables = dict(variables, count=os.path.join(folder, "steps"),
                             one=listed(variables["density"], variables["cutoff"]))
            words = []
            for name, value in variables.items():
                words += ["-var", name, str(value)]
            words += ["-var", "thermo", *map(str, thermo)]
            return self.execute(os.path.join(HERE, "in.dpd"), words, ranks, service)

    def run_text(self, text, files=(), limit=None):
        """Output of a run of an input given as text, in a folder of its own with these files, (name, text) each."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in (("in.text", text), *files):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(content)
            return self.execute("in.text", folder=folder, limit=limit)

    def execute(self, script, words=(), ranks=1, environment=None, **more):
        """Output of a run of any input; more: what finished() takes."""
        command = [*self.mpiexec, "-n", str(ranks)] * (ranks > 1) + [*self.start, "-in", script, *words]
        return finished(command, dict(self.environment, **(environment or {})), **more)


def rates_of(output, warm_up_runs=WARM_UP_RUNS):
    """Particle-steps per second of each run after the warm-up, and their steps."""
    loops = LOOP.findall(output)[warm_up_runs:]
    if not loops:
        raise Failed(output[-2000:] + "\nno run after the warm-up")
    return [int(steps) * int(atoms) / float(seconds) for seconds, steps, atoms in loops], int(loops[0][1])


def shares_of(output):
    """For each run after the warm-up, the percentages of time that LAMMPS books under each of its headings."""
    found, runs = SHARE.findall(output), []
    for name, value in found:
        if name == "Pair":
            runs.append({})
        runs[-1][name] = float(value)
    return runs


def remarks_of(output):
    """What the program says about itself: version, and what this package's styles run on."""
    return re.findall(r"^(LAMMPS \(.*\)|Pair dpd/gpu(?:/kk)?: .*|Run_style verlet/gpu: .*|  resident fixes: .*|  pair forces: .*)$",
                      output, re.MULTILINE)


def spread(rates):
    return (max(rates) - min(rates)) / statistics.median(rates)


@contextlib.contextmanager
def mps(wanted):
    """NVIDIA's multi-process service, one of our own, where it is wanted: the environment variables of its users."""
    if not wanted:
        yield {}
        return
    with tempfile.TemporaryDirectory() as folder:
        service = {"CUDA_MPS_PIPE_DIRECTORY": folder, "CUDA_MPS_LOG_DIRECTORY": folder}
        environment = dict(os.environ, **service)
        subprocess.run(["nvidia-cuda-mps-control", "-d"], env=environment, check=True)
        try:
            yield service
        finally:
            subprocess.run(["nvidia-cuda-mps-control"], env=environment, input="quit\n", text=True, check=False)
