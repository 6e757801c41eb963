"""Computes of groups and molecules (ComputeGyrationGPU, ComputeChunkMoments): the numbers of LAMMPS's own; the same bytes in files
under both run styles and on any number of ranks; atoms stay with the engine meanwhile.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import pytest

from checks import require
from lammps_run import BACKEND
from test_resident_bonds import COEFFICIENTS, DATA
from test_steps import read

INPUT = """
units lj
atom_style angle
comm_modify cutoff 2.6
{first}
{pair}
{read}
run_style {run_style}
{coefficients}
group some id 1:77 200:260:3
group two type 2
group chains molecule 1:16
group nobody empty
neighbor 0.3 bin
neigh_modify every 1 delay 0 check yes
atom_modify sort 17 0.0
timestep 0.005
fix 1 all nve
{more}
thermo_style custom step {columns}
thermo_modify format float %.17g
thermo 10
{run}
"""

# forces of bonds across a border of ranks are rounded otherwise than on one rank; without any, atoms move on the same ways
BONDS = {"bonds": "bond_style harmonic/gpu\nangle_style cosine/gpu\n", "none": "bond_style none\nangle_style none\nspecial_bonds lj 1 1 1\n"}
PAIR = f"pair_style dpd/gpu 1.0 1.0 34387 precision double backend {BACKEND}\n"
# velocities are made on one rank: LAMMPS adds up their momentum in another order on several
START = """units lj
atom_style angle
bond_style none
angle_style none
read_data m.data
{tilt}
velocity all create 1.0 87287 loop geom
write_data start.data nocoeff
"""
# fixes that share a compute chunk/atom have the same windows: LAMMPS wants it so
CHUNKS = """compute c {of} chunk/atom{{suffix}} molecule {keywords}
compute k {of} chunk/atom{{suffix}} molecule {keywords}
compute m {of} chunk/atom{{suffix}} molecule {keywords}
compute a {group} com/chunk{{suffix}} c
compute b {group} gyration/chunk{{suffix}} c
compute d {group} gyration/chunk{{suffix}} k tensor
compute e {group} msd/chunk{{suffix}} m
fix a all ave/time 5 2 10 c_a[*] mode vector format ' %.17g' file case.a
fix b all ave/time 5 2 10 c_b mode vector format ' %.17g' file case.b
fix d all ave/time 3 1 3 c_d[*] mode vector format ' %.17g' file case.d
fix e all ave/time 1 10 10 c_e[*] mode vector format ' %.17g' file case.e
"""


def chunks(of="all", group="all", keywords="", more=""):
    return CHUNKS.format(of=of, group=group, keywords=keywords) + more


# Fixes and computes, and what else is another one than in most inputs
CASES = {
    "groups": {"more": "compute a all gyration{suffix}\ncompute b chains gyration{suffix}\ncompute d nobody gyration{suffix}\n"
                       "fix a all ave/time 5 2 10 c_a c_a[*] c_b[6] c_b format ' %.17g' file case.a",
               "columns": "c_a c_b c_a[1] c_a[5] c_b[4] c_d c_d[1]"},
    "a group that changes": {"more": "region up block/gpu INF INF INF INF 2 INF\ngroup dyn dynamic all region up every 5\n"
                                     "compute a dyn gyration{suffix}\nfix a all ave/time 5 2 10 c_a format ' %.17g' file case.a"},
    "molecules": {"more": chunks(), "columns": "c_b[3] c_e[2][4] c_a[1][1]"},
    "molecules without atoms, of a group": {"more": chunks("chains", "two")},
    "chunks of another group": {"more": chunks("some", "chains", "nchunk every")},
    "without empty chunks": {"more": chunks("some", "all", "compress yes")},
    "not more than so many": {"more": chunks(keywords="limit 7 max")},
    "so many, in which all others are, too": {"more": chunks(keywords="limit 9 exact discard no")},
    "so many, of which some are empty": {"more": chunks(keywords="limit 40 exact")},
    "without empty chunks, then so many": {"more": chunks("some", keywords="compress yes limit 30 exact")},
    "molecules that stay": {"more": chunks(keywords="nchunk once ids once")},
    "averages that go on": {"more": "compute r all chunk/atom{suffix} molecule\ncompute a all com/chunk{suffix} r\ncompute b all gyration/chunk{suffix} r\n"
                                    "fix a all ave/time 5 2 10 c_b mode vector ave running file case.a\n"
                                    "fix b all ave/time 5 2 10 c_a[2] mode vector ave running format ' %.17g' file case.b"},
    "a tilted box": {"more": chunks(), "tilted": True},
    "a box that shears": {"more": chunks("chains", "chains") + "fix 2 all deform/gpu 1 xy erate 0.5 remap v", "tilted": True,
                          "run": "run 33\nrun 27"},
    "a barostat": {"more": "unfix 1\nfix 1 all npt/exact/gpu temp 1 1 0.5 iso 60 60 0.5\n" + chunks()},
    "chains": {"bonds": "bonds", "more": chunks()},
    "chains, newton off": {"bonds": "bonds", "first": "newton off", "more": chunks()},
    "a fix of LAMMPS's in every step": {"more": chunks() + "fix 2 all drag 4 4 4 0.1 1.0"},
    "molecules that change between runs": {"more": chunks(keywords="nchunk every", more="set group some mol 3\n"),
                                           "run": "run 20\nset type 1 mol 5\nrun 20"},
}
RUN = "run 33\nrun 27\nrun 10 pre no"
TILT = "change_box all triclinic\nchange_box all xy final 0.7 xz final -0.4 yz final 0.9 remap\n"


def start(lammps, row):
    lammps.write("m.data", DATA)
    lammps.run(START.format(tilt=TILT if row.get("tilted") else ""))


def text_of(row, suffix="/gpu", run_style="verlet", run=None, atoms="read_data start.data"):
    bonds = row.get("bonds", "none")
    coefficients = "\n".join(f"{kind}_coeff {t + 1} {value}" for kind, style in (("bond", "harmonic"), ("angle", "angle cosine"))
                             for t, value in enumerate(COEFFICIENTS[style]) if bonds != "none")
    return INPUT.format(first=row.get("first", ""), pair=BONDS[bonds] + PAIR, read=atoms, run_style=run_style,
                        coefficients="pair_coeff * * 25.0 4.5\n" + coefficients, more=row["more"].format(suffix=suffix),
                        columns=row.get("columns", ""), run=run or row.get("run", RUN))


def files_of(lammps, row, done):
    """All that it has written: averages without the titles, and the thermo output."""
    names = re.findall(r"file (case\.\w)", row["more"])
    found = {name: [line for line in read(lammps, name).split("\n") if not line.startswith("#")] for name in names}
    found["thermo"] = re.findall(r"^ +\d+(?: +[-0-9.e+]+)+ *$", done.output, re.M) if "columns" in row else []
    require(all(len(lines) > 5 for name, lines in found.items() if name != "thermo" or "columns" in row), f"too little to compare: {found}")
    return found


def numbers(lines):
    return [[float(word) for word in line.split()] for line in lines]


def check_near(found, wanted, what):
    """As far as LAMMPS's own rounding of sums lets them."""
    for name in wanted:
        got, own = numbers(found[name]), numbers(wanted[name])
        require(len(got) == len(own) and all(len(a) == len(b) for a, b in zip(got, own)), f"{what}, {name}: other lines")
        for a, b in zip(got, own):
            size = max((abs(x) for x in b), default=0.0)
            require(all(abs(x - y) <= 1e-12 * max(abs(y), 1e-3 * size, 1e-3) for x, y in zip(a, b)), f"{what}, {name}: {a}, LAMMPS has {b}")


@pytest.mark.parametrize("row", CASES.values(), ids=CASES)
def test_the_numbers_of_lammps(lammps, row):
    start(lammps, row)
    own = files_of(lammps, row, lammps.run(text_of(row, "")))
    ours = None
    for suffix, run_style, ranks in (("/gpu", "verlet", 1), ("/exact/gpu", "verlet/gpu", 1), ("/gpu", "verlet", 3), ("/gpu", "verlet/gpu", 3)):
        done = lammps.run(text_of(row, suffix, run_style), ranks=ranks)
        found = files_of(lammps, row, done)
        check_near(found, own, f"{suffix}, {run_style}, {ranks} rank(s)")
        ours = ours or found
        require(found == ours or (ranks > 1 and "bonds" in row), f"{suffix}, {run_style}, {ranks} rank(s): other bytes than on one, under run_style verlet")
        if run_style == "verlet/gpu" and ranks == 1:
            require("bring atoms over" not in done.output, f"not resident:\n{done.tail()}")


def test_resident(lammps):
    """Atoms stay with the engine, which adds up in the steps that are read."""
    row = {"more": chunks(), "columns": "c_b[3] c_e[2][4]"}
    start(lammps, row)
    done = lammps.run(text_of(row, "/gpu", "verlet/gpu"))
    require("LAMMPS reads sums" in done.output and "LAMMPS took part" not in done.output, done.tail())


def test_displacements_go_on_after_a_restart_on_other_ranks_too(lammps):
    row = {"more": chunks("chains")}
    start(lammps, row)
    lammps.run(text_of(row, run="run 30\nwrite_restart a.restart\nrun 30"))
    whole = files_of(lammps, row, lammps.run(text_of(row, run="run 30\nrun 30")))["case.e"]
    for run_style, ranks in (("verlet", 1), ("verlet/gpu", 1), ("verlet/gpu", 2), ("verlet", 3)):
        done = lammps.run(text_of(row, "/gpu", run_style, "run 30", "read_restart a.restart"), ranks=ranks)
        rest = files_of(lammps, row, done)["case.e"]
        require(len(rest) > 30 and rest == whole[-len(rest):], f"{run_style}, {ranks} rank(s): other displacements after a restart")


# Chunks that are none of molecules, or may change in a run: LAMMPS's own compute is taken, and the log says why
OWN = {
    "bins": ("compute c all chunk/atom/gpu bin/1d z lower 1.1", "chunks of compute c are no molecules"),
    "LAMMPS's own chunks": ("compute c all chunk/atom molecule", "compute c is of style chunk/atom"),
    "a region": ("region up block INF INF INF INF 2 INF\ncompute c all chunk/atom/gpu molecule region up", "of compute c: it has region up"),
    "ids nfreq": ("compute c all chunk/atom/gpu molecule limit 9 max ids nfreq", "of compute c: it has ids nfreq"),
}


@pytest.mark.parametrize("commands, why", OWN.values(), ids=OWN)
def test_lammps_compute(lammps, commands, why):
    found = []
    for style, run_style in (("com/chunk", "verlet"), ("com/chunk/gpu", "verlet"), ("com/chunk/gpu", "verlet/gpu")):
        row = {"more": f"{commands if style != 'com/chunk' else commands.replace('/gpu', '')}\ncompute a all {style} c\n"
                       "fix a all ave/time 5 2 10 c_a[*] mode vector file case.a"}
        start(lammps, row)
        done = lammps.run(text_of(row, run_style=run_style))
        found.append(files_of(lammps, row, done))
        require(found[-1] == found[0], f"{style}, {run_style}: other files than by LAMMPS's own")
        text = f"Compute com/chunk/gpu: compute a is LAMMPS's own com/chunk, as {why}"
        require((text in done.output) == (style != "com/chunk"), f"{style}, {run_style}: {done.tail()}")


def test_suffix_gpu_takes_these_styles(lammps):
    row = {"first": "suffix exact/gpu", "more": chunks() + "compute g all gyration\n", "columns": "c_g"}
    start(lammps, row)
    done = lammps.run(text_of(row, "", "verlet/gpu"))
    require("bring atoms over" not in done.output and "LAMMPS's own" not in done.output, done.tail())


# ------------------------------------------------------------------------------------------- bad input


C = "compute c all chunk/atom/gpu molecule\n"
READ = "variable r equal c_e[1][4]\nfix r all ave/time 5 1 5 v_r\n"
REFUSED = {
    "an argument of gyration": ("compute a all gyration/gpu tensor", "Compute gyration/gpu: argument tensor is not known, allowed is none"),
    "no chunks": ("compute a all com/chunk/gpu", "Compute com/chunk/gpu: no chunks, allowed: the ID of a compute chunk/atom"),
    "chunks that are not there": ("compute a all msd/chunk/gpu c", "Compute msd/chunk/gpu: chunks of compute c, allowed: those of a compute chunk/atom/gpu molecule"),
    "an argument of com/chunk": (C + "compute a all com/chunk/gpu c 3", "Compute com/chunk/gpu: argument 3 is not known, allowed is none behind chunks"),
    "an argument of msd/chunk": (C + "compute a all msd/chunk/gpu c 3", "Compute msd/chunk/gpu: argument 3 is not known"),
    "a keyword": (C + "compute a all gyration/chunk/gpu c trace", "Compute gyration/chunk/gpu: keyword trace, allowed: tensor"),
    "chunks that are not there any more": (C + "compute a all com/chunk/gpu c\nuncompute c\nrun 0",
                                           "Compute com/chunk/gpu: compute c does not exist any more, allowed: that it stays"),
    "centers that are not there any more": (C + "compute a all msd/chunk/gpu c\nunfix a_CENTERS\nrun 0",
                                            "Compute msd/chunk/gpu: fix a_CENTERS does not exist any more, allowed is that it stays"),
    "another number of molecules": (C.replace("molecule", "molecule nchunk every") + "compute e all msd/chunk/gpu c\n" + READ +
                                    "run 10\nset group some mol 21\nrun 10", "Compute msd/chunk/gpu: 21 chunks, and 16 at first, allowed: as many"),
    "numbers of molecules far apart": ("set group some mol 300000000\n" + C + "compute e all msd/chunk/gpu c\n" + READ + "run 10",
                                       "Compute chunk/atom/gpu: molecules with 300000001 numbers from the first to the last one, allowed: up to 268435456"),
    "atoms that have left their group": ("compute c some chunk/atom/gpu molecule nchunk once ids once\ncompute e all msd/chunk/gpu c\n" + READ +
                                         "run 10\ngroup some clear\ngroup some id 300:310\nrun 10",
                                         "Compute chunk/atom/gpu: atoms of one molecule are in several chunks, allowed: "),
}


@pytest.mark.parametrize("commands, text", REFUSED.values(), ids=REFUSED)
def test_refused(lammps, commands, text):
    row = {"more": commands}
    start(lammps, row)
    lammps.require_refused(text, lambda run_style: text_of(row, run_style=run_style, run="run 20"))
