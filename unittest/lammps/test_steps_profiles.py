"""Averages in bins (ComputeChunkAtomGPU, FixAveChunkGPU): files have the same bytes under both run styles and on any number of
ranks, and the numbers of LAMMPS's own; atoms stay with the engine meanwhile.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re

import pytest

from checks import require
from lammps_run import BACKEND, WAYS
from test_steps import ORTHOGONAL, PAIR, RULES, START, TRICLINIC, read

pytestmark = pytest.mark.copies_in_turn

TILTED, WALLS = "tilted", "walls"

INPUT = """
units lj
atom_style atomic
atom_modify map yes
boundary {boundary}
{read}
{pair}
run_style {run_style}
neighbor 0.3 bin
neigh_modify {rule}
atom_modify sort 25 0.0
timestep 0.005
group left id < 500
group two type 2
thermo 10
fix 1 all nve
{fixes}
thermo_modify format float %.17g
{run}
"""

# {chunk} stands for the suffix of compute chunk/atom and fix ave/chunk; the file is {file}
ONE = "compute b all chunk/atom{chunk} bin/1d z lower 1.1 units box\n"
PROFILES = {
    "layers": (ONE + "fix p all ave/chunk{chunk} 5 3 20 b vx vy vz density/number density/mass mass temp fx fy fz file {file}", ""),
    "a group in layers of another": ("compute b left chunk/atom{chunk} bin/1d x upper 0.9\n"
                                     "fix p two ave/chunk{chunk} 2 2 10 b vx mass file {file}", ""),
    "fractions of the box": ("compute b all chunk/atom{chunk} bin/1d z center 0.07 units reduced\n"
                             "fix p all ave/chunk{chunk} 5 3 20 b vx density/number temp file {file}", ""),
    "two axes, sampled, running": ("compute b all chunk/atom{chunk} bin/2d x center 1.1 y 2.0 1.3 bound y 1 7\n"
                                   "fix p two ave/chunk{chunk} 2 2 10 b vx mass temp density/number ave running norm sample file {file}", ""),
    "three axes, without a norm, in windows": ("compute b two chunk/atom{chunk} bin/3d z upper 2.3 x lower 2 y 3 1.9 discard yes\n"
                                               "fix p all ave/chunk{chunk} 1 4 4 b density/mass vz ave window 3 norm none file {file}", ""),
    "bounds": ("compute b all chunk/atom{chunk} bin/2d x 4 1.1 z lower 2 bound x 2 upper bound z lower 5 discard mixed\n"
               "fix p all ave/chunk{chunk} 2 2 6 b vx ave window 2 file {file}", ""),
    "bounds, none discarded": ("compute b all chunk/atom{chunk} bin/1d x 9 1.1 bound x 2 6 discard no\n"
                               "fix p all ave/chunk{chunk} 2 2 6 b vx file {file}", ""),
    "a cylinder": ("compute b all chunk/atom{chunk} bin/cylinder y lower 2 1 7 0 4 5 pbc yes nchunk every\ncompute t two temp/partial/gpu 0 1 1\n"
                   "fix p two ave/chunk{chunk} 10 1 10 b temp density/number vx bias t adof 2 cdof 1 title1 one title2 two title3 three file {file}", ""),
    "a cylinder along x, in fractions": ("compute b all chunk/atom{chunk} bin/cylinder x lower 0.3 0.5 0.5 0.1 0.4 3 units reduced discard yes\n"
                                         "fix p all ave/chunk{chunk} 2 5 10 b density/mass vx file {file}", ""),
    "a sphere": ("compute b all chunk/atom{chunk} bin/sphere -20 2 3 0.5 3.5 6 pbc yes discard yes\n"
                 "fix p all ave/chunk{chunk} 5 1 5 b temp density/number vx ave running overwrite format ' %.9g' file {file}", ""),
    "a sphere, sampled": ("compute b all chunk/atom{chunk} bin/sphere 4 4 4 0 3.5 6\n"
                          "fix p all ave/chunk{chunk} 2 3 10 b temp density/mass fy norm sample file {file}", ""),
    "a region": ("region up sphere/gpu 4 4 4 2.5 side out\ncompute b all chunk/atom{chunk} bin/1d z lower 1 region up\n"
                 "fix p all ave/chunk{chunk} 2 3 10 b vx density/number file {file}", ""),
    "a region of LAMMPS's": ("region up sphere 4 4 4 2.5 side out\ncompute b all chunk/atom{chunk} bin/1d z lower 1 region up\n"
                             "fix p all ave/chunk{chunk} 2 3 10 b vx density/number file {file}", ""),
    "a group that changes": ("region up block/gpu INF INF INF INF 4 INF\ngroup dyn dynamic all region up every 2\n"
                             "compute b dyn chunk/atom{chunk} bin/1d z lower 1\nfix p all ave/chunk{chunk} 2 3 10 b vx density/number file {file}", ""),
    "between fixes that change velocities": (ONE + "fix 2 all momentum/gpu 5 linear 1 1 1\nfix p all ave/chunk{chunk} 5 1 5 b vx temp file {file}\n"
                                             "fix 3 all temp/rescale/gpu 5 1.0 1.5 0.01 0.8", ""),
    "beside fixes of LAMMPS's": (ONE + "fix 2 all ave/atom 1 5 10 vx\nfix p all ave/chunk{chunk} 5 2 10 b vx temp file {file}\n"
                                 "variable third equal f_p[2][3]\nfix 3 all print 10 '${{third}} 0 0' file {file}.print screen no title ''", ""),
    "two of a kind": (ONE + "fix q all ave/chunk{chunk} 3 2 9 b vx file {file}.2\ncompute c all chunk/atom{chunk} bin/1d x lower 2\n"
                      "fix p two ave/chunk{chunk} 2 3 10 c vx temp file {file}", ""),
    "walls": (ONE + "fix 2 all wall/reflect/gpu zlo EDGE zhi EDGE\nfix p all ave/chunk{chunk} 2 3 10 b vz density/number file {file}", WALLS),
    "a tilted box": ("compute b all chunk/atom{chunk} bin/2d y lower 0.2 x lower 0.3 units reduced\n"
                     "fix p all ave/chunk{chunk} 2 3 10 b vz density/number temp file {file}", TILTED),
    "a box that shears": ("fix 2 all deform 1 xy erate 0.5 remap v\ncompute t all temp/deform/gpu\n"
                          "compute b all chunk/atom{chunk} bin/1d y lower 0.1 units reduced\n"
                          "fix p all ave/chunk{chunk} 2 3 10 b vx temp bias t file {file}", TILTED),
    "a box that shears afterwards": ("compute b all chunk/atom{chunk} bin/1d y lower 0.1 units reduced\n"
                                     "fix p all ave/chunk{chunk} 2 3 10 b vx temp file {file}\nfix 2 all deform 1 xy erate 0.5 remap v", TILTED),
}
# boxes that change: bins of every epoch, of the first, and parts of the box
for name, bath in {"npt": "unfix 1\nfix 1 all npt/exact/gpu temp 1 1 0.5 iso 60 60 0.5",
                   "press/berendsen": "fix 2 all press/berendsen/gpu iso 60 60 0.5 modulus 40"}.items():
    PROFILES |= {
        f"{name}, layers": (f"{bath}\ncompute b all chunk/atom{{chunk}} bin/1d x lower 0.75\n"
                            "fix p all ave/chunk{chunk} 2 4 10 b vx density/number density/mass file {file}", ""),
        f"{name}, one sample": ("compute b all chunk/atom{chunk} bin/2d x lower 0.75 y lower 4\n"
                                "fix p all ave/chunk{chunk} 5 1 5 b vx density/number norm sample file {file}\n" + bath, ""),
        f"{name}, bins that stay": (f"{bath}\ncompute b all chunk/atom{{chunk}} bin/1d x lower 0.75 nchunk once\n"
                                    "fix p all ave/chunk{chunk} 2 4 10 b vx density/number ave running file {file}", ""),
        f"{name}, running, from a later step on": (f"{bath}\ncompute b all chunk/atom{{chunk}} bin/1d x lower 0.75 discard yes\n"
                                                   "fix p all ave/chunk{chunk} 3 2 15 b vx density/number ave running file {file}", ""),
        f"{name}, in windows, from a later step on": (
            f"{bath}\ncompute b all chunk/atom{{chunk}} bin/2d x lower 0.75 z lower 3 discard yes\n"
            "fix p all ave/chunk{chunk} 5 2 20 b density/number norm sample ave window 2 file {file}", ""),
        f"{name}, a sphere in fractions": (f"{bath}\ncompute b all chunk/atom{{chunk}} bin/sphere 0.5 0.5 0.5 0.1 0.4 4 units reduced\n"
                                           "fix p all ave/chunk{chunk} 2 4 10 b density/number temp file {file}", ""),
    }
RUNS = "run 33\nrun 29\nrun 20 pre no"
RUNS_OF_A_FLOW = "run 33\nrun 29\nrun 20"    # "pre no" wants subdomains as they were when lists were built


def start(lammps, kind):
    lammps.make("start.data", START.format(boundary="p p f" if kind == WALLS else "p p p",
                                           region=TRICLINIC if kind == TILTED else ORTHOGONAL, atoms=1100))


def profile(fixes, kind, chunk="/gpu", **other):
    row = dict(boundary="p p f" if kind == WALLS else "p p p", read="read_data start.data", pair=PAIR, run_style="verlet", rule=RULES[0],
               run=RUNS_OF_A_FLOW if "deform" in fixes else RUNS)
    row.update(other)
    return INPUT.format(fixes=fixes.format(chunk=chunk, file="case.ave"), **row)


def file_of(lammps):
    """With what has been printed of the fix's array."""
    return read(lammps, "case.ave") + (read(lammps, "case.ave.print") if os.path.exists(lammps.path("case.ave.print")) else "")


def numbers(text):
    return [line.split() for line in text.splitlines()]


def are_close(ours, theirs, digits):
    """Equal words; or numbers that differ by a unit of the last digit, where a sum of LAMMPS's is rounded otherwise."""
    if ours == theirs:
        return True
    a, b = float(ours), float(theirs)
    return abs(a - b) <= 1.01 * 10.0**-digits * max(1e-2, abs(a), abs(b))


def same_files(lammps, fixes, kind, rule):
    start(lammps, kind)
    expected = None
    for run_style, ranks in WAYS:
        done = lammps.run(profile(fixes, kind, run_style=run_style, rule=rule), ranks=ranks)
        found = file_of(lammps)
        expected = expected or found
        require(len(found.splitlines()) > 6, f"too little to compare:\n{found}")
        require(found == expected, f"{ranks} ranks, {run_style}: another file than on 1 rank by verlet")
        if run_style == "verlet/gpu" and ranks == 1 and "region up sphere 4" not in fixes:
            require(re.search(r"resident fixes: .*p \(ave/chunk/gpu\)", done.output), f"the fix is not resident:\n{done.tail()}")


def as_lammps(lammps, fixes, kind):
    start(lammps, kind)
    lammps.run(profile(fixes, kind))
    ours = numbers(file_of(lammps))
    lammps.run(profile(fixes, kind, chunk=""))
    theirs = numbers(file_of(lammps))
    require([len(line) for line in ours] == [len(line) for line in theirs] and len(ours) > 6, "files of different lines")
    for line, other in zip(ours, theirs):
        require(not line or line[0].startswith("#") or all(are_close(a, b, 5) for a, b in zip(line, other)), f"{line}, LAMMPS's own: {other}")


def test_between_lammps(lammps):
    """Between fixes of LAMMPS's that change velocities, whose sums are those of one rank."""
    start(lammps, "")
    momentum, averages = "fix 2 all momentum 10 linear 1 1 1", "fix p all ave/chunk{chunk} 5 2 10 b vx temp file {file}"
    for first, last in ((momentum, averages), (averages, momentum)):
        files = []
        for run_style in ("verlet", "verlet/gpu"):
            lammps.run(profile(f"{ONE}{first}\n{last}", "", run_style=run_style))
            files.append(read(lammps, "case.ave"))
        require(files[0] == files[1] and len(files[0].splitlines()) > 6, f"another file by verlet/gpu, fixes: {first}, {last}")


@pytest.mark.tree("three axes", "cylinder")
@pytest.mark.parametrize("k, row", [pytest.param(k, row, id=name) for k, (name, row) in enumerate(PROFILES.items())])
def test_the_same_file(lammps, k, row):
    same_files(lammps, *row, RULES[k % 2])


@pytest.mark.tree("three axes", "cylinder")
@pytest.mark.parametrize("row", PROFILES.values(), ids=PROFILES)
def test_lammps_numbers(lammps, row):
    as_lammps(lammps, *row)


LEFT_TO_LAMMPS = {
    "values of a compute": (ONE + "compute k all ke/atom\nfix p all ave/chunk{chunk} 5 3 20 b c_k vx file {file}", "the value c_k is LAMMPS's"),
    "a compute of LAMMPS's": ("compute b all chunk/atom bin/1d z lower 1.1\nfix p all ave/chunk{chunk} 5 3 20 b vx file {file}",
                              "compute b is of style chunk/atom"),
    "types": ("compute b all chunk/atom{chunk} type\nfix p all ave/chunk{chunk} 5 3 20 b vx file {file}", "its chunks are type"),
    "compressed bins": ("compute b all chunk/atom{chunk} bin/1d z lower 0.1 compress yes\nfix p all ave/chunk{chunk} 5 3 20 b vx file {file}",
                        "it has compress yes"),
    "chunks that stay": ("compute b all chunk/atom{chunk} bin/1d z lower 1 ids nfreq\nfix p all ave/chunk{chunk} 5 3 20 b vx file {file}",
                         "it has ids nfreq"),
    "a bias of LAMMPS's": (ONE + "compute t all temp/com\nfix p all ave/chunk{chunk} 5 3 20 b temp bias t file {file}", "compute t is of style temp/com"),
}


def left_to_lammps(lammps, fixes, why, run_styles=("verlet", "verlet/gpu")):
    start(lammps, "")
    expected = None
    for chunk in ("", "/gpu"):
        for run_style in run_styles:
            done = lammps.run(profile(fixes, "", chunk=chunk, run_style=run_style))
            found = file_of(lammps)
            expected = expected or found
            require(found == expected and len(found.splitlines()) > 5, f"suffix {chunk}, {run_style}: another file than LAMMPS's own")
            require(chunk == "" or "fix p is LAMMPS's own ave/chunk, as" in done.output and why in done.output, done.tail())


@pytest.mark.tree
@pytest.mark.parametrize("fixes, why", LEFT_TO_LAMMPS.values(), ids=LEFT_TO_LAMMPS)
def test_left_to_lammps(lammps, fixes, why):
    left_to_lammps(lammps, fixes, why)


@pytest.mark.tree
def test_computes_of_lammps_read_the_chunks_values_of_atoms_are_lammps(lammps):
    start(lammps, "")
    tables = []
    for chunk in ("", "/gpu"):
        for run_style in ("verlet", "verlet/gpu"):
            fixes = ("compute b all chunk/atom{chunk} bin/1d z lower 1.1\ncompute n all property/chunk b count coord1\ncompute x all com/chunk b\n"
                     "variable many equal c_b\nthermo_style custom step temp c_n[2][1] c_x[3][2] v_many\n"
                     "dump d all custom 10 case.dump id c_b\ndump_modify d sort id")
            done = lammps.run(profile(fixes, "", chunk=chunk, run_style=run_style))
            lines = re.findall(r"^ +\d+ +[-0-9.].*$", done.output, re.M)
            tables.append(([line.split()[2:] for line in lines], read(lammps, "case.dump")))
            require(len(lines) > 6, done.tail())
    for table in tables[1:]:
        require(table == tables[0], f"{table[0]}, by LAMMPS: {tables[0][0]}")


# what is wrong, and how the error text begins
REFUSED = {
    "no values": (ONE + "fix p all ave/chunk{chunk} 5 3 20 b", "Fix ave/chunk/gpu: 4 arguments, allowed: Nevery Nrepeat Nfreq chunkID and values"),
    "a value": (ONE + "fix p all ave/chunk{chunk} 5 3 20 b ux", "Fix ave/chunk/gpu: value ux, allowed: vx, vy, vz"),
    "no chunks": ("fix p all ave/chunk{chunk} 5 3 20 none vx", "Fix ave/chunk/gpu: compute none does not exist, allowed: the ID of a compute chunk/atom"),
    "Nevery": (ONE + "fix p all ave/chunk{chunk} 0 3 20 b vx", "Fix ave/chunk/gpu: Nevery 0, allowed: 1 and more"),
    "periods": (ONE + "fix p all ave/chunk{chunk} 5 5 20 b vx", "Fix ave/chunk/gpu: Nevery 5, Nrepeat 5, Nfreq 20, allowed: Nfreq a multiple of Nevery"),
    "a keyword": (ONE + "fix p all ave/chunk{chunk} 5 3 20 b vx mode one", "Fix ave/chunk/gpu: keyword mode, allowed: norm, ave"),
    "a keyword without a value": (ONE + "fix p all ave/chunk{chunk} 5 3 20 b vx norm", "Fix ave/chunk/gpu: keyword norm has no value"),
    "norm": (ONE + "fix p all ave/chunk{chunk} 5 3 20 b vx norm some", "Fix ave/chunk/gpu: norm some, allowed: all, sample, none"),
    "ave": (ONE + "fix p all ave/chunk{chunk} 5 3 20 b vx ave some", "Fix ave/chunk/gpu: ave some, allowed: one, running, window M"),
    "a window": (ONE + "fix p all ave/chunk{chunk} 5 3 20 b vx ave window 0", "Fix ave/chunk/gpu: ave window 0, allowed: 1 and more"),
    "overwrite": (ONE + "fix p all ave/chunk{chunk} 5 3 20 b vx overwrite file a", "Fix ave/chunk/gpu: overwrite, allowed: overwrite with ave running"),
    "a format of a text": (ONE + "fix p all ave/chunk{chunk} 5 3 20 b vx format %s", "Fix ave/chunk/gpu: format %s, allowed: a format of one number"),
    "a format of an integer": (ONE + "fix p all ave/chunk{chunk} 5 3 20 b vx format %5d", "Fix ave/chunk/gpu: format %5d, allowed"),
    "a format of two numbers": (ONE + "fix p all ave/chunk{chunk} 5 3 20 b vx format %g%.3f", "Fix ave/chunk/gpu: format %g%.3f, allowed"),
    "a format of no number": (ONE + "fix p all ave/chunk{chunk} 5 3 20 b vx format %%g", "Fix ave/chunk/gpu: format %%g, allowed"),
    "a file": (ONE + "fix p all ave/chunk{chunk} 5 3 20 b vx file none/a", "Fix ave/chunk/gpu: file none/a cannot be opened: No such file"),
    "no bias": (ONE + "compute t all temp/gpu\nfix p all ave/chunk{chunk} 5 3 20 b temp bias t", "Fix ave/chunk/gpu: bias t without a bias"),
    "chunks that are gone": (ONE + "fix p all ave/chunk{chunk} 5 3 20 b vx\nuncompute b", "Fix ave/chunk/gpu: compute b does not exist any more"),
    "too many bins": ("compute b all chunk/atom{chunk} bin/3d x lower 0.01 y lower 0.01 z lower 0.001",
                      "Compute chunk/atom/gpu: 5120000000 bins, allowed: up to 134217727"),
    "too many layers": ("compute b all chunk/atom{chunk} bin/1d x lower 1e-10", "Compute chunk/atom/gpu: 80000000000 layers along x, allowed: up to"),
    "no bin": ("compute b all chunk/atom{chunk} bin/1d x lower 1 bound x 5 2", "Compute chunk/atom/gpu: bins from 5 to 2 along x, allowed: at least one"),
    "shells beyond half the box": ("compute b all chunk/atom{chunk} bin/sphere 4 4 4 0 5 10 pbc yes", "Compute chunk/atom/gpu: shells of radius 5 with pbc yes"),
    "shells far away": ("compute b all chunk/atom{chunk} bin/sphere 4 900 4 0 3 10 pbc yes", "Compute chunk/atom/gpu: shells around 900 along y with pbc yes"),
    "a thickness": ("compute b all chunk/atom{chunk} bin/1d x lower 0", "Illegal compute chunk/atom"),
}


@pytest.mark.parametrize("fixes, text", REFUSED.values(), ids=REFUSED)
def test_refused(lammps, fixes, text):
    start(lammps, "")
    lammps.require_refused(text, lambda run_style: profile(fixes, "", run_style=run_style, run="run 5"))
