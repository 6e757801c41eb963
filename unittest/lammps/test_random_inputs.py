"""Random inputs (random_inputs.py): each is run with run_style verlet and verlet/gpu, on one rank and on several, and its
first forces are computed by LAMMPS's own pair style, too. Both run styles must write the same bits, all numbers of ranks as
well, forces must be those of LAMMPS's style, and what one refuses the others refuse. A run that does not end is a failure.

    pytest test_random_inputs.py                                  200 inputs, as ctest does
    pytest test_random_inputs.py --inputs 10000                   more of them
    pytest test_random_inputs.py --first-input 300 --inputs 50    50, from number 300 on
    pytest "test_random_inputs.py::test_input[17]"                one of them

A failing input is printed, and its files stay in the folder that is named.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import glob
import os
import re
import shutil
import subprocess

import numpy as np

from checks import Failed
from lammps_run import BACKEND, LMP, MPIEXEC, OWN_COPIES, Dump, Run, environment
from random_inputs import CUTOFF, Case
from random_inputs_tables import INCLUDED, TILES

# An error of verlet/gpu where verlet runs
REFUSED_BY_RUN_STYLE = [
    "pair_modify has compute no",
    "more than a whole box",
]
# An error of the package's pair styles where LAMMPS's own run
REFUSED_BY_PAIR_STYLE = [
    "exceeds the fixed-point range",
    "positions are multiples of .* allowed: a smaller box, or precision double",
    "reduce/multi|multi/reduce",
    "comm_modify (group|cutoff)|communication cutoff|ghost",
    "fix deform has remap v for atoms of a group",
    "further outside its subdomain than",
]
# An error of LAMMPS's own styles where the package's run: of lists or ghosts that those of the package do not need
REFUSED_BY_LAMMPS = [
    "Too many neighbor bins", "box size << cutoff", "Neighbor list overflow, boost neigh_modify one", "Domain too large for neighbor bins",
    "Cannot use multi/reduce communication with a full neighbor list",
]
# An error that is always a failure: one style has read what another has written
NEVER = ["Invalid seed for Marsaglia", "Invalid flag in force field section"]
# Errors of LAMMPS that depend on how the box is divided
BY_DIVISION = [
    "Bond atoms? .* missing", "Angle atoms? .* missing", "Lost atoms", "Bad grid of processors",
    "Communication cutoff", "Fix balance", "Balance",
]


LIMIT = 60    # seconds for a run
LOST = "an error whose words are lost"
AFTER_FIRST = "the-first-input-has-ended"


class Found(Exception):
    """A failure: its kind, and what was seen."""

    def __init__(self, kind, text):
        super().__init__(f"{kind}: {text}")
        self.kind = kind


class Result:
    """A run that has ended: its errors, and the snapshots that it has written, by name of the file."""

    def __init__(self, name, run, folder):
        # words of the rank that aborts may get lost with several
        self.name, self.run, self.error = name, run, (run.errors or [LOST if run.status == 1 else ""])[0]
        self.files = {}
        for path in sorted(glob.glob(os.path.join(folder, "*.dump"))):
            with open(path) as file:
                self.files[os.path.basename(path)] = file.read()

    @property
    def about(self):
        """The error without numbers, which may be those of one rank."""
        text = re.sub(r"\(\.\./.*|\(src/.*", "", self.error)
        # the engine that evaluates sub-styles together says which of them it is
        text = re.sub(r"^Pair hybrid: (force \S+) of (\S+) ", r"Pair \2/gpu: \1 ", text)
        # an atom behind a wall is found by the fix, or by the engine, which speaks for the pair style
        text = re.sub(r"^(Fix|Pair) \S+: (?=fix \S+: atom)", "", text)
        return re.sub(r"[-+]?\d[\d.e+-]*|nan|inf", "#", text)

    def ends_as(self, other):
        return self.about == other.about or bool(self.error and other.error and LOST in (self.error, other.error))

    @property
    def misses_pairs(self):
        """Lists were made too late, so that bits are not promised (doc/exactness.rst)."""
        return bool(re.search("Dangerous builds = [1-9]|a dangerous build", self.run.output))

    def is_one_of(self, patterns):
        return any(re.search(pattern, self.error) for pattern in patterns)


def start(words, ranks, folder, limit):
    """A finished Run, or None after the limit. mpiexec ends its ranks when it is asked to, and not when it is killed."""
    command = [LMP, *words, "-log", "none", "-nocite"]
    if ranks > 1:
        command = [MPIEXEC, "-n", str(ranks), *command]
    with open(os.path.join(folder, "output"), "w+b") as output, open(os.path.join(folder, "messages"), "w+b") as messages:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=messages,
                                   env=environment(ranks=ranks))
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            return None
        for stream in (output, messages):
            stream.seek(0)
        return Run(process.returncode, *(stream.read().decode(errors="replace") for stream in (output, messages)))


class Check:
    """All runs of one case, in a folder of their own, and their comparisons."""

    def __init__(self, number, folder):
        self.case, self.folder = Case(number), str(folder)
        self.found = []

    def write(self, name, text):
        """A folder NAME with the input and its data file, which stays until the case has passed."""
        folder = os.path.join(self.folder, name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for file, content in (("case.data", self.case.data()), ("in.case", text)):
            with open(os.path.join(folder, file), "w") as out:
                out.write(content)
        return folder

    def execute(self, name, text, ranks):
        folder = self.write(name, text)
        run = start(["-in", "in.case"], ranks, folder, LIMIT)
        if run is None:
            raise Found("hang", f"{name} has not ended after {LIMIT} s")
        result = Result(name, run, folder)
        if (run.status != 0) != bool(result.error) or not 0 <= run.status < 128:
            raise Found("crash" + " of LAMMPS's own style" * name.endswith("own"), f"{name} ended with {run.status}\n{run.tail()}")
        if result.is_one_of(NEVER):
            self.found.append(Found("error", f"{name}: {result.error}"))
        return result

    def two(self, names, texts, ranks, compare):
        """Runs two inputs and compares them. It is done in one process, as starting MPI takes longer than a run; if anything is
        wrong, each is run by itself, and only that counts."""
        folders = [self.write(name, text) for name, text in zip(names, texts)]
        both = f"shell cd {names[0]}\n{texts[0]}print {AFTER_FIRST}\nclear\nshell cd ../{names[1]}\n{texts[1]}"
        with open(os.path.join(self.folder, "in.both"), "w") as out:
            out.write(both)
        run = start(["-in", "in.both"], ranks, self.folder, LIMIT)
        if run is not None and run.status == 0 and not run.errors:
            parts = run.output.split(f"\n{AFTER_FIRST}\n")
            try:
                results = [Result(name, Run(0, part), folder) for name, part, folder in zip(names, parts, folders)]
                compare(*results)
                return results[0]
            except Found:
                pass
        results = [self.look(lambda k=k: self.execute(names[k], texts[k], ranks)) for k in (0, 1)]
        if None not in results:
            self.look(lambda: compare(*results))
        return results[0]

    def __call__(self):
        """All comparisons; the failures are in self.found. What is returned is the error in which the runs ended alike."""
        case = self.case
        runs = [self.two([f"verlet-{ranks}", f"verlet_gpu-{ranks}"],
                         [case.text(style, ranks, BACKEND) for style in ("verlet", "verlet/gpu")], ranks, self.same_styles)
                for ranks in sorted({1, case.ranks})]
        if len(runs) == 2 and None not in runs:
            self.look(lambda: self.same_ranks(*runs))
        ranks = case.ranks if case.number % 3 == 0 else 1
        self.two(["first-gpu", "first-own"], [case.first_forces(ranks, own, BACKEND) for own in (False, True)],
                 ranks, self.same_forces)
        return runs[0].error if runs[0] else ""

    def look(self, comparison):
        try:
            return comparison()
        except Found as found:
            self.found.append(found)
            return None

    # --------------------------------------------------------------------------------- comparisons

    def same_styles(self, plain, resident):
        """verlet and verlet/gpu: all snapshots, and the same error."""
        if self.case.lists.kind == "first" and (OWN_COPIES or BACKEND == "cuda"):
            return    # what the places of other atoms have held in LAMMPS's arrays
        if plain.error or resident.error:
            if resident.is_one_of(REFUSED_BY_RUN_STYLE):
                return
            if plain.is_one_of(["Lost atoms", "Bond atoms? .* missing"]) and resident.is_one_of(["further outside its subdomain"]):
                return    # verlet/gpu names the atom, as its page says
            if not plain.ends_as(resident) and not plain.misses_pairs:
                raise Found("errors of run styles", f"{plain.name}: {plain.error}\n{resident.name}: {resident.error}")
            return
        if self.case.order_of_atoms_varies and not plain.name.endswith("-1"):
            return
        self.same_bits("run styles differ", plain, resident)
        if plain.misses_pairs:
            return
        for a, b in zip(plain.run.thermo, resident.run.thermo):
            for column in a:
                if column in b and not close(a[column], b[column]):
                    raise Found("thermo output of run styles",
                                f"{column}\n{plain.name}: {a[column]}\n{resident.name}: {b[column]}")

    def same_ranks(self, one, several):
        reason = self.case.reason("ranks")
        if one.error or several.error:
            if one.misses_pairs or several.misses_pairs:
                return
            divided = one.is_one_of(BY_DIVISION) or several.is_one_of(BY_DIVISION)
            if not one.ends_as(several) and not reason and not divided:
                raise Found("errors of ranks", f"{one.name}: {one.error}\n{several.name}: {several.error}")
            return
        if reason:
            self.same_first_step(one, several)
        else:
            self.same_bits("ranks differ", one, several)

    @staticmethod
    def same_bits(kind, a, b):
        for name in sorted(set(a.files) | set(b.files), key=step_of):
            p, q = a.files.get(name), b.files.get(name)
            if p is None or q is None:
                raise Found(kind, f"{name} is not there in {a.name if p is None else b.name}")
            if p != q and not (name != "all.0.dump" and (a.misses_pairs or b.misses_pairs)):
                raise Found(kind, f"{a.name} and {b.name}, {name}, {first_line(p, q)}")

    def same_first_step(self, one, several):
        """Forces of the first snapshot, up to the order of sums."""
        name = min((n for n in one.files if n.startswith("all.")), key=step_of)
        p, q = self.snapshot(one, name), self.snapshot(several, name)
        if p.ids.tolist() != q.ids.tolist():
            raise Found("ranks differ", f"{name}: other atoms")
        if any(fix.ranks for fix, _ in self.case.fixes) or self.case.reason("ranks") in (INCLUDED, TILES):
            return
        deviation = np.max(np.abs(p.f - q.f), initial=0.0)
        # positions of a triclinic box are rounded again
        allowed = 1e-12 * max(self.scale(), np.max(np.abs(p.f), initial=0.0)) + self.resolution(p) * (1.0 if self.case.box.tilt else 0.0)
        if not deviation <= allowed:
            raise Found("first forces of ranks", f"{one.name} and {several.name} by {deviation:.3g}, allowed is {allowed:.3g}")

    def same_forces(self, ours, own):
        """First forces without noise: those of LAMMPS's style, up to how the package rounds."""
        reason = self.case.reason("own")
        if ours.error or own.error:
            if ours.ends_as(own) or reason or ours.is_one_of(REFUSED_BY_PAIR_STYLE) or \
               not ours.error and own.is_one_of(REFUSED_BY_LAMMPS):
                return
            raise Found("errors of pair styles", f"{ours.name}: {ours.error}\n{own.name}: {own.error}")
        if reason:
            return
        p, q = self.snapshot(ours, "first.dump"), self.snapshot(own, "first.dump")
        if p.ids.tolist() != q.ids.tolist():
            raise Found("first forces", "other atoms")
        largest = np.max(np.abs(q.f), initial=0.0)
        deviation = np.max(np.abs(p.f - q.f), initial=0.0)
        allowed = (1e-10 if "double" in self.case.precision else 1e-6) * largest + self.resolution(q)
        if not deviation <= allowed:
            raise Found("first forces", f"by {deviation:.3g} of {largest:.3g}, allowed is {allowed:.3g}")

    def snapshot(self, result, name):
        return Dump(os.path.join(self.folder, result.name, name))

    def scale(self):
        """Of the force of a pair, without noise: conservative, and friction at the velocities of the start."""
        speed = 2.0 * max((abs(v) for speeds in self.case.speeds for v in speeds), default=0.0)
        rows = [row for sub in self.case.subs for _, _, row in sub["coefficients"]]
        return max(row["a"] + (row["gamma"] + row["across"]) * speed for row in rows) * len(self.case.subs)

    def resolution(self, dump):
        """How far forces may be from those of LAMMPS's style, whose sums of some ten neighbors round to 1e-15.

        place: the error of a distance. Positions are fractions of the box, and have 30 bits (where the box is narrow: of what
        ghosts need); with precision double they are doubles. From 10^-4 cutoffs on that is an error. It turns the direction of
        two near atoms; and weights w^(1/2) are steep at the cutoff, by a factor 100 where w is 1e-5.
        unit: the rounding of a pair's force (doc/exactness.rst), a few times.
        arithmetic: of single or double precision."""
        case, double = self.case, "double" in self.case.precision
        edge = max(max(dump.box[:3]), 3.0 * (case.reach + case.skin))
        farthest = max(abs(value) for value in (*dump.low, *np.abs(dump.x).ravel()))
        place = min(edge * (2.0**-52 if double else 2.0**-29) + 2.0**-51 * farthest, 1e-4 * CUTOFF)
        rows = [row for sub in case.subs for _, _, row in sub["coefficients"]]
        most = max(row["a"] + (row["gamma"] + row["across"]) * row["cutoff"] / (16 * case.dt) for row in rows)
        unit = most * 2.0**(-50 if double else -25)
        arithmetic = 1e-13 if double else 1e-6
        return 40.0 * len(case.subs) * unit + 6.0 * self.scale() * (arithmetic + 100.0 * place + 2.0 * place / closest(dump))


def closest(dump):
    """The smallest distance of two atoms that are near in the order of x (images left out), but not below 0.001."""
    x = dump.x[np.argsort(dump.x[:, 0])]
    nearest = 0.1
    for k in range(1, min(20, len(x))):
        nearest = min(nearest, np.min(np.linalg.norm(x[k:] - x[:-k], axis=1)))
    return max(nearest, 1e-3)


def close(a, b):
    """Sums printed by both run styles; they may be added in another order."""
    if len(a) != len(b):
        return False
    return bool(np.allclose(a, b, rtol=1e-8, atol=1e-8 * max(1.0, float(np.max(np.abs(a), initial=0.0))), equal_nan=True))


def step_of(name):
    numbers = re.findall(r"\d+", name)
    return name.startswith("end"), int(numbers[0]) if numbers else 0, name


def first_line(p, q):
    p, q = p.split("\n"), q.split("\n")
    different = [(a, b) for a, b in zip(p, q) if a != b]
    if not different:
        return f"{len(p)} and {len(q)} lines"
    return f"{len(different)} of {len(p)} lines, the first:\n    {different[0][0]}\n    {different[0][1]}"


def pytest_generate_tests(metafunc):
    first = metafunc.config.getoption("--first-input")
    metafunc.parametrize("number", range(first, first + metafunc.config.getoption("--inputs")))


def test_input(number, tmp_path, backend):
    one = Check(number, tmp_path)
    error = one()
    if one.found:
        text = one.case.text("verlet/gpu", one.case.ranks, backend)
        raise Failed("\n".join(map(str, one.found)) + f"\nits files are in {tmp_path}\n{text}")
    if error:
        print(f"ended with an error, alike everywhere: {error}")
