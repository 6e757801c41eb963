"""Bad input: each case must end LAMMPS with exactly one error, which names command, value and what is
allowed. Good input with an odd face must run.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import contextlib
import os
import re
import struct
import subprocess
import sys
import threading

import pytest

from checks import named_by_words, require

# A box with two atoms in the middle of two subdomains, and a third near the first.
START = """
units lj
{first}
region box block 0 8 0 4 0 4
create_box 2 box
create_atoms 1 single 2 2 2
create_atoms 2 single 6 2 2
create_atoms 1 single 2.5 2 2
mass * 1.0
velocity all create 1.0 5 loop geom
neighbor 0.3 bin
neigh_modify every 1000 delay 0 check no
timestep 0.01
"""
STYLE = "pair_style dpd/gpu 1.0 1.0 4711\n"
COEFF = "pair_coeff * * 25 4.5\n"
NVE = "fix move all nve\n"


def expect(lammps, commands, error, ranks=1, env=None, start=None, style="dpd/gpu"):
    """The one error must be "Pair dpd/gpu: " and then what matches the pattern, to its end."""
    done = lammps.run((START.format(first="") if start is None else start) + commands, ranks=ranks, env=env,
                      ok=False, timeout=60)
    found = done.errors
    require(found, f"no error, status {done.status}:\n{done.tail()}")
    require(len(found) == 1, "more than one error:\n" + "\n".join(found))
    require(re.fullmatch(f"Pair {style}: " + error, found[0]), f"another error:\n    {found[0]}")
    require(done.status != 0, "LAMMPS ended with status 0")


def settings(words):
    return f"pair_style dpd/gpu {words}\n{COEFF}{NVE}run 1\n"


def coeff(words):
    return f"{STYLE}{COEFF}pair_coeff {words}\n{NVE}run 1\n"


# ---- the words of the two commands. Pattern: name and value, then what is allowed.
NUMBER = "pair_style: {0} is {1}, allowed are finite numbers {2}"
PRECISIONS = r"mixed, double \(single has been removed: it was no faster\)"
LISTS = r"own \(lammps has been removed: own serves neigh_modify include and atom_style template, too\)"
SEED = r"pair_style: seed is {0}, allowed are integers from 1 to 2147483647"


@pytest.mark.parametrize("words, error", named_by_words(
    ("-0.5 1.0 4711", NUMBER.format("T", "-0.5", ">= 0")),
    ("warm 1.0 4711", NUMBER.format("T", "warm", ">= 0")),
    ("nan 1.0 4711", NUMBER.format("T", "nan", ">= 0")),
    ("inf 1.0 4711", NUMBER.format("T", "inf", ">= 0")),
    ("1.0 0.0 4711", NUMBER.format("cutoff", "0.0", "> 0")),
    ("1.0 -1.0 4711", NUMBER.format("cutoff", "-1.0", "> 0")),
    ("1.0 inf 4711", NUMBER.format("cutoff", "inf", "> 0")),
    ("1.0 1.0 0", SEED.format("0")),
    ("1.0 1.0 -3", SEED.format("-3")),
    ("1.0 1.0 2.5", SEED.format("2.5")),
    ("1.0 1.0 2147483648", SEED.format("2147483648")),
    ("", "pair_style has 0 arguments, needed are T cutoff seed"),
    ("1.0 1.0", "pair_style has 2 arguments, needed are T cutoff seed"),
    ("1.0 1.0 4711 exact yes", "pair_style: unknown keyword exact, allowed are tstop, precision, backend, neigh"),
    ("1.0 1.0 4711 tstop -1", "pair_style: tstop is -1, allowed are finite numbers >= 0"),
    ("1.0 1.0 4711 tstop inf", "pair_style: tstop is inf, allowed are finite numbers >= 0"),
    ("1.0 1.0 4711 tstop", "pair_style: keyword tstop has no value, allowed are finite numbers >= 0"),
    ("1.0 1.0 4711 backend", "pair_style: keyword backend has no value, allowed are auto, cuda, host"),
    ("1.0 1.0 4711 precision", f"pair_style: keyword precision has no value, allowed are {PRECISIONS}"),
    ("1.0 1.0 4711 backend host neigh", f"pair_style: keyword neigh has no value, allowed are {LISTS}"),
    ("1.0 1.0 4711 precision single", f"pair_style: precision is single, allowed are {PRECISIONS}"),
    ("1.0 1.0 4711 precision half", f"pair_style: precision is half, allowed are {PRECISIONS}"),
    ("1.0 1.0 4711 backend opencl", "pair_style: backend is opencl, allowed are auto, cuda, host"),
    ("1.0 1.0 4711 neigh lammps", f"pair_style: neigh is lammps, allowed are {LISTS}"),
    ("1.0 1.0 4711 neigh mine", f"pair_style: neigh is mine, allowed are {LISTS}")))
def test_pair_style_dpd_gpu(lammps, words, error):
    expect(lammps, settings(words), error)


@pytest.mark.parametrize("words, error", named_by_words(
    ("1 1", "pair_coeff has 2 arguments, needed are I J A gamma"),
    ("1 1 25", "pair_coeff has 3 arguments, needed are I J A gamma"),
    ("1 1 high 4.5", "pair_coeff: A is high, allowed are finite numbers"),
    ("1 1 inf 4.5", "pair_coeff: A is inf, allowed are finite numbers"),
    ("1 1 25 -4.5", "pair_coeff: gamma is -4.5, allowed are finite numbers >= 0"),
    ("1 1 25 nan", "pair_coeff: gamma is nan, allowed are finite numbers >= 0"),
    ("1 1 25 4.5 0", "pair_coeff: cutoff is 0, allowed are finite numbers > 0"),
    ("1 1 25 4.5 -1.0 power 1", "pair_coeff: cutoff is -1.0, allowed are finite numbers > 0"),
    ("1 1 25 4.5 1.0 power -1", "pair_coeff: power is -1, allowed are numbers > 0 and <= 100"),
    ("1 1 25 4.5 power 0", "pair_coeff: power is 0, allowed are numbers > 0 and <= 100"),
    ("1 1 25 4.5 power", "pair_coeff: keyword power has no value, allowed are numbers > 0 and <= 100"),
    ("1 1 25 4.5 1.0 2.0", "pair_coeff: unknown keyword 2.0, allowed is power"),
    ("1 1 25 4.5 wide 1.0", "pair_coeff: unknown keyword wide, allowed is power"),
    ("2* 1*1 25 4.5", r"pair_coeff: types 2\* 1\*1 name no pair with I <= J")))
def test_pair_coeff(lammps, words, error):
    expect(lammps, coeff(words), error)


# ---- the other styles: the same checks, and what is different
THREE = "pair_coeff * * 25 4.5 4.5 1 1\n"
ACROSS = "I J A gamma gamma_across s s_across"
EXPONENT = "pair_coeff: {0} is {1}, allowed are numbers > 0 and <= 100"


@pytest.mark.parametrize("words, error", named_by_words(
    ("-1 1.0 4711", NUMBER.format("T", "-1", ">= 0")),
    ("1.0 1.0", "pair_style has 2 arguments, needed are T cutoff seed"),
    ("1.0 1.0 4711 backend opencl", "pair_style: backend is opencl, allowed are auto, cuda, host")))
def test_pair_style_dpd_ext_gpu(lammps, words, error):
    expect(lammps, f"pair_style dpd/ext/gpu {words}\n{THREE}{NVE}run 1\n", error, 1, None, None, "dpd/ext/gpu")


@pytest.mark.parametrize("words, error", named_by_words(
    ("1 1 25 4.5 4.5 1", f"pair_coeff has 6 arguments, needed are {ACROSS}"),
    ("1 1 25 4.5 4.5 1 1 1.0 1.0", f"pair_coeff has 9 arguments, allowed are {ACROSS} and cutoff"),
    ("1 1 inf 4.5 4.5 1 1", "pair_coeff: A is inf, allowed are finite numbers"),
    ("1 1 25 -4.5 4.5 1 1", "pair_coeff: gamma is -4.5, allowed are finite numbers >= 0"),
    ("1 1 25 4.5 across 1 1", "pair_coeff: gamma_across is across, allowed are finite numbers >= 0"),
    ("1 1 25 4.5 4.5 0 1", EXPONENT.format("s", "0")),
    ("1 1 25 4.5 4.5 1 101", EXPONENT.format("s_across", "101")),
    ("1 1 25 4.5 4.5 1 1 power", "pair_coeff: cutoff is power, allowed are finite numbers > 0"),
    ("2* 1*1 25 4.5 4.5 1 1", r"pair_coeff: types 2\* 1\*1 name no pair with I <= J")))
def test_dpd_ext_gpu_pair_coeff(lammps, words, error):
    expect(lammps, f"pair_style dpd/ext/gpu 1.0 1.0 4711\n{THREE}pair_coeff {words}\n{NVE}run 1\n", error, 1, None, None,
           "dpd/ext/gpu")


@pytest.mark.parametrize("words, error", named_by_words(
    ("warm 1.0 1.0 4711", NUMBER.format("Tstart", "warm", ">= 0")),
    ("1.0 -1.0 1.0 4711", NUMBER.format("Tstop", "-1.0", ">= 0")),
    ("1.0 1.0 0 4711", NUMBER.format("cutoff", "0", "> 0")),
    ("1.0 1.0 1.0 0.5", SEED.format("0.5")),
    ("1.0 1.0 4711", "pair_style has 3 arguments, needed are Tstart Tstop cutoff seed"),
    ("1.0 1.0 1.0 4711 exact yes", "pair_style: unknown keyword exact, allowed are precision, backend, neigh")))
def test_pair_style_dpd_tstat_gpu(lammps, words, error):
    expect(lammps, f"pair_style dpd/tstat/gpu {words}\npair_coeff * * 4.5\n{NVE}run 1\n", error, 1, None, None, "dpd/tstat/gpu")


@pytest.mark.parametrize("words, error", named_by_words(
    ("1 1", "pair_coeff has 2 arguments, needed are I J gamma"),
    ("1 1 -4.5", "pair_coeff: gamma is -4.5, allowed are finite numbers >= 0"),
    ("1 1 4.5 -1", "pair_coeff: cutoff is -1, allowed are finite numbers > 0"),
    ("1 1 4.5 1.0 1.0", "pair_coeff: unknown keyword 1.0, allowed is power"),
    ("1 1 4.5 power 1000", EXPONENT.format("power", "1000"))))
def test_dpd_tstat_gpu_pair_coeff(lammps, words, error):
    expect(lammps, f"pair_style dpd/tstat/gpu 1.0 1.0 1.0 4711\npair_coeff * * 4.5\npair_coeff {words}\n{NVE}run 1\n", error, 1,
           None, None, "dpd/tstat/gpu")


def test_dpd_ext_gpu_coefficients_beyond_single_precision(lammps):
    expect(lammps, f"pair_style dpd/ext/gpu 1.0 1.0 4711\npair_coeff * * 25 4.5 1e39 1 1\n{NVE}run 1\n",
           r"gamma_across = 1e\+39 of types 1 1 must be at most 1e\+30", 2, None, None, "dpd/ext/gpu")


def test_dpd_tstat_gpu_pair_coefficients_missing(lammps):
    expect(lammps, f"pair_style dpd/tstat/gpu 1.0 1.0 1.0 4711\npair_coeff 1 1 4.5\npair_coeff 2 2 4.5\n{NVE}run 1\n",
           "pair_coeff of types 1 2 is missing: all pairs of types must be set, there is no mixing", 1, None, None, "dpd/tstat/gpu")


# ---- what only shows when a run begins
MISSING = "pair_coeff of types 1 2 is missing: all pairs of types must be set, there is no mixing"


@pytest.mark.parametrize("chosen", ("dpd/gpu", "dpd/ext/gpu", "dpd/tstat/gpu"))
def test_suffix_kk_in_a_lammps_without_kokkos(lammps, chosen):
    expect(lammps, f"pair_style {chosen}/kk 1.0 1.0 4711\n",
           f"the LAMMPS that this plugin was compiled for has no KOKKOS package, allowed is pair style {chosen}", 1, None, None,
           f"{chosen}/kk")


def test_pair_coefficients_missing(lammps):
    expect(lammps, f"{STYLE}pair_coeff 1 1 25 4.5\npair_coeff 2 2 25 4.5\n{NVE}run 1\n", MISSING)


def test_pair_coefficients_missing_2_ranks(lammps):
    expect(lammps, f"{STYLE}pair_coeff 1 1 25 4.5\npair_coeff 2 2 25 4.5\n{NVE}run 1\n", MISSING, 2)


@pytest.mark.parametrize("words, error", named_by_words(
    ("1e39 4.5", r"A = 1e\+39 of types 1 1 must be at most 1e\+30"),
    ("25 1e39", r"gamma = 1e\+39 of types 1 1 must be at most 1e\+30")))
def test_pair_coeff_of_all_types(lammps, words, error):
    expect(lammps, f"{STYLE}pair_coeff * * {words}\n{NVE}run 1\n", error)


def test_t_far_beyond_single_precision(lammps):
    expect(lammps, settings("1e300 1.0 4711"), r"sqrt\(2 gamma kT / timestep\) = [0-9.]+e\+151 of types 1 1 must be at most 1e\+30")


def test_atoms_without_ids(lammps):
    expect(lammps, f"{STYLE}{COEFF}{NVE}run 1\n",
           r"atoms have no IDs \(atom_modify id no\), but the noise is made from them: allowed is atom_modify id yes", 1, None,
           START.format(first="atom_modify id no"))


def test_timestep_0(lammps):
    expect(lammps, f"{STYLE}{COEFF}{NVE}timestep 0\nrun 1\n", "timestep 0 must be > 0")


def test_timestep_0_2_ranks(lammps):
    expect(lammps, f"{STYLE}{COEFF}{NVE}timestep 0\nrun 1\n", "timestep 0 must be > 0", 2)


@pytest.mark.parametrize("ranks", (1, 2))
def test_instructions_that_no_processor_has(lammps, ranks):
    expect(lammps, f"{STYLE}{COEFF}{NVE}run 1\n", "unknown host code path 'mmx'; allowed: base, avx2, avx512", ranks,
           {"DPDSOP_ISA": "mmx"})


def test_compute_that_is_called_for_each_pair(lammps):
    expect(lammps, f"{STYLE}{COEFF}{NVE}compute e all pe/tally all\nrun 1\n",
           r"compute e of style pe/tally wants to be called for each pair, which this style .*")


def test_velocities_of_some_atoms_remapped_by_fix_deform(lammps):
    expect(lammps, f"{STYLE}{COEFF}{NVE}group some id 1:10\nfix shear some deform 1 x erate 0.1 remap v\nrun 1\n",
           "fix deform has remap v for atoms of a group, allowed is group all")


def test_another_fix_with_the_id_of_ours_in_a_box_that_is_sheared(lammps):
    expect(lammps, f"{STYLE}{COEFF}{NVE}change_box all triclinic\nfix DPD_GPU_WRAP all deform 1 xy erate 0.1 remap v\nrun 1\n",
           "fix ID DPD_GPU_WRAP is used for a fix of style deform, allowed is any other ID")


def test_images_moved_apart_by_fix_numdiff_virial(lammps):
    expect(lammps, f"{STYLE}{COEFF}{NVE}fix numeric all numdiff/virial 5 1e-4\nrun 1\n",
           "fix numdiff/virial moves images apart from their atoms, allowed is fix numdiff")


def test_another_fix_with_the_id_of_ours(lammps):
    expect(lammps, f"{STYLE}{COEFF}fix DPD_GPU_STATE all nve\nrun 1\n",
           "fix ID DPD_GPU_STATE is used for a fix of style nve, allowed is any other ID")


@pytest.mark.parametrize("ranks", (1, 2))
@pytest.mark.parametrize("name, error", [
    ("gamma", r"gamma = -[0-9.]+ of types 1 1 must be >= 0"),
    ("power", r"power = -[0-9.]+ of types 1 1 must be > 0 and <= 100"),
    ("temperature", r"kT = -[0-9.]+ must be >= 0"),
    ("a", r"A = -?(inf|nan) of types 1 1 must be finite")], ids=("gamma", "power", "temperature", "a"))
def test_fix_adapt_sets_what_is_not_allowed(lammps, name, error, ranks):
    value = "1e308*(1+step)*10" if name == "a" else "0.5-step"
    expect(lammps, f"{STYLE}{COEFF}{NVE}variable value equal {value}\n"
           f"fix change all adapt 1 pair dpd/gpu {name} * * v_value\nrun 5\n", error, ranks)


# ---- ghosts. What LAMMPS checks of its own full lists only; decided from commands, so on one rank, too
REDUCE = ("comm_modify reduce/multi leaves out ghosts that a full neighbor list needs, allowed is comm_modify mode "
          "multi without it")
GROUP = ("comm_modify group {0} leaves out ghosts of other atoms, and pairs of these across ranks would be missing: "
         "allowed is group all, or neigh_modify include {0} with it")
MULTI = "neighbor 0.3 multi\nneigh_modify collection/type 2 1 2\ncomm_modify mode multi"
FIRST = START.format(first="").replace("create_box", "atom_modify map array first some\ncreate_box").replace(
    "mass *", "group some type 2\nmass *")


@pytest.mark.parametrize("ranks, how", [
    pytest.param(ranks, how, id=f"{how}, {ranks} rank(s)") for ranks in (1, 2, 4) for how in ("brick", "tiled")])
def test_comm_modify_reduce_multi(lammps, ranks, how):
    expect(lammps, f"comm_style {how}\n{STYLE}{COEFF}pair_coeff 2 2 25 4.5 1.6\n{NVE}{MULTI} reduce/multi\nrun 1\n", REDUCE, ranks)


def test_comm_modify_reduce_multi_in_a_hybrid_between_two_runs(lammps):
    expect(lammps, "pair_style hybrid/overlay dpd/gpu 1.0 1.0 4711 zero 1.0\npair_coeff * * dpd/gpu 25 4.5\npair_coeff * * zero\n"
          f"{NVE}{MULTI}\nrun 1\ncomm_modify reduce/multi\nrun 1\n", REDUCE, 2)


@pytest.mark.parametrize("ranks", (1, 2))
def test_comm_modify_group(lammps, ranks):
    expect(lammps, f"{STYLE}{COEFF}{NVE}comm_modify group some\nrun 1\n", GROUP.format("some"), ranks, None, FIRST)


def test_comm_modify_group_with_neigh_modify_include(lammps):
    for ranks in (1, 2):
        # LAMMPS sets no forces of other atoms, not even to 0
        lammps.run(FIRST + f"{STYLE}{COEFF}fix move some nve\ncomm_modify group some\nneigh_modify include some\nrun 1\n",
                   ranks=ranks)


# ---- boxes so large that positions, 2^30 in an edge, are coarse: from 1e-6 of the shortest cutoff a warning, from 1e-4 an error
def large(edge, boundary="f f f"):
    return START.format(first=f"boundary {boundary}\natom_modify sort 0 0").replace(
        "block 0 8 0 4 0 4", f"block 0 {edge} 0 4 0 4").replace("neighbor 0.3 bin", "neighbor 0.3 nsq")


COARSE = (r"in a box with edges {0} 4 4 positions are multiples of [0-9.e-]+, more than 0\.0001 of the shortest cutoff {1}; "
          r"allowed: a smaller box, or precision double, where they are 2\^32 times finer")


@pytest.mark.parametrize("ranks", (1, 2))
def test_box_of_108_000_cutoffs(lammps, ranks):
    expect(lammps, f"{STYLE}{COEFF}{NVE}run 1\n", COARSE.format("108000", "1"), ranks, None, large(108000))


@pytest.mark.parametrize("ranks", (1, 2))
def test_box_of_108_000_of_the_shortest_cutoffs(lammps, ranks):
    expect(lammps, f"{STYLE}{COEFF}pair_coeff 1 2 25 4.5 0.25\n{NVE}run 1\n", COARSE.format("27000", "0.25"), ranks, None,
           large(27000))


@pytest.mark.parametrize("ranks, kind", [
    pytest.param(ranks, kind, id=f"{kind}, {ranks} rank(s)") for ranks in (1, 2) for kind in ("verlet", "verlet/gpu")[:3 - ranks]])
def test_box_that_grows_to_108_000_cutoffs_run_style(lammps, ranks, kind):
    expect(lammps, f"run_style {kind}\n{STYLE}{COEFF}{NVE}fix grow all deform 1 x final 0 200000 units box\nrun 100\n",
           COARSE.format(r"[0-9.e+]+", "1"), ranks, None, large(1000, "p p p"))


def test_warning_of_coarse_positions(lammps):
    """Warning of coarse positions: once per run, by one rank, and only where they are coarse."""
    for edge, precision, kind, ranks, runs in (
            (1100, "mixed", "verlet", 1, 2), (1100, "mixed", "verlet", 2, 2), (107000, "mixed", "verlet/gpu", 1, 2),
            (1070, "mixed", "verlet", 1, 0), (107000, "double", "verlet", 2, 0), (1e9, "double", "verlet", 1, 0)):
        done = lammps.run(large(edge) + f"run_style {kind}\n{STYLE[:-1]} precision {precision}\n{COEFF}{NVE}"
                          "run 5\nrun 5\nrun 5 pre no\n", ranks=ranks)
        found = re.findall("^WARNING: Pair dpd/gpu: the box is so large that positions are rounded to (.*) of the shortest "
                           "cutoff.*precision double", done.output, re.M)
        require(len(found) == runs and done.output.count("so large that positions") == runs,
                f"{edge}, {precision}: {len(found)} warnings\n{done.tail()}")
        for size in found:
            require(abs(float(size) / (edge / 2**30) - 1) < 0.05, f"{edge}: {size}")
    done = lammps.run(large(1000, "p p p") + f"{STYLE}{COEFF}{NVE}fix grow all deform 1 x final 0 2000 units box\nrun 50\n")
    require(done.output.count("so large that positions are rounded to 1e-06") == 1, done.tail(40))


# ---- positions. LAMMPS checks them only when it reneighbors, here never after the first step.
FAR = (r"atom 1 at \({0}\) at step {1} is not a number or further outside its subdomain than {2} "
       "allows")
FAR_OF = {1: "one edge of the box", 2: "the skin 0.3"}    # on one rank of a periodic box an atom may be a box away
SLIPPERY = STYLE + "pair_coeff * * 25 0\n"    # without friction, so that speed makes no force


@pytest.mark.parametrize("ranks", (1, 2))
def test_coordinate_that_is_not_a_number(lammps, ranks):
    expect(lammps, f"{SLIPPERY}group one id 1\nvariable big equal 1e308\nvariable zero equal 0.0\n"
              "variable no equal v_big*(step-1)*1e10-v_big*1e10*(step-1)\nvariable y equal 0.0\n"
              "fix lead one move variable v_no v_zero v_zero v_zero v_zero v_zero\nrun 5\n",
           FAR.format(r"-?nan, 2, 2", "1", FAR_OF[ranks]), ranks)


@pytest.mark.parametrize("ranks", (1, 2))
def test_atom_too_fast_for_the_skin(lammps, ranks):
    expect(lammps, f"{SLIPPERY}{NVE}group one id 1\nvelocity one set 0 {300 * (3 if ranks == 1 else 1)} 0\nrun 5\n",
           FAR.format(r"[0-9.]+, 1?[15](\.\d+)?, [0-9.]+", "1", FAR_OF[ranks]), ranks)


@pytest.mark.parametrize("ranks", (1, 2))
def test_atom_far_beyond_all_integers(lammps, ranks):
    expect(lammps, f"{SLIPPERY}{NVE}group one id 2\nvelocity one set 0 0 1e307\nrun 5\n",
           FAR.format(r"[0-9.]+, [0-9.]+, 1e\+305", "1", FAR_OF[ranks]).replace("atom 1", "atom 2"), ranks)


# Ranks agree on errors where atoms are renumbered, where there is output, and when a run ends. It is the first error
# that is told, by the rank that had it, whatever LAMMPS comes upon in between.
AWAY = f"{SLIPPERY}{NVE}group one id 2\nvelocity one set 0 300 0\nthermo 1000\n"
LATER = {
    "the run ends": "run 5\n",
    "atoms are renumbered": "neigh_modify every 4\nrun 40\n",
    "there is output": "thermo 3\nrun 40\n",
    "the run is halted": "variable now equal step\nfix stop all halt 1 v_now >= 3 error continue message no\nrun 40\n",
    "pressure is computed": "compute p all pressure NULL pair\nfix mean all ave/time 3 1 3 c_p\nrun 40\n",
}


@pytest.mark.parametrize("ranks, commands", [
    pytest.param(ranks, commands, id=f"{name}, {ranks} ranks") for ranks in (2, 4) for name, commands in LATER.items()])
def test_error_that_is_told_when(lammps, ranks, commands):
    expect(lammps, AWAY + commands, FAR.format(r"6(\.\d+)?, 5(\.\d+)?, [0-9.]+", "1", FAR_OF[2]).replace("atom 1", "atom 2"), ranks)


# Ghosts of a rank that has failed do not arrive. With cutoffs by type, others would make a list without them.
CROWD = ("create_atoms 1 random 380 9721 NULL\nset type 1 type/fraction 2 0.4 881\nvelocity all create 1.0 87 loop geom\n"
         f"{STYLE}pair_coeff * * 25 0 0.8\npair_coeff 1 2 25 0 1.0\n{NVE}group one id 2\nvelocity one set 0 300 0\n"
         "thermo 1000\nrun 30\n")


@pytest.mark.parametrize("ranks", (2, 4))
def test_error_in_a_fluid_told_29_steps_later(lammps, ranks):
    expect(lammps, CROWD, FAR.format(r"[0-9.]+, 5(\.\d+)?, [0-9.]+", "1", FAR_OF[2]).replace("atom 1", "atom 2"), ranks)


MOLECULE = (START.format(first="atom_style bond")
            .replace("create_box 2 box", "create_box 2 box bond/types 1 extra/bond/per/atom 1 extra/special/per/atom 2")
            + "bond_style zero\nbond_coeff *\n")


def test_bond_missing(lammps):
    """LAMMPS misses the partner of a bond before ranks agree on the error.

    The reason is among the warnings. LAMMPS aborts all ranks here, and mpiexec may end before it has passed on what
    the first of them has written: then once more."""
    for _ in range(3):
        done = lammps.run(MOLECULE + f"{SLIPPERY}create_bonds single/bond 1 1 3\n{NVE}group one id 1\n"
                          "velocity one set 300 0 0\nneigh_modify every 4\nthermo 1000\nrun 40\n", 2, ok=False)
        require(done.status != 0, f"LAMMPS did not stop:\n{done.tail()}")
        if done.errors:
            break
    require(len(done.errors) == 1 and done.errors[0].startswith("Bond atoms"), f"errors: {done.errors}")
    warnings = re.findall("^WARNING: Pair dpd/gpu: (.*); this stops the run", done.output, re.M)
    require(len(warnings) == 1 and re.fullmatch(FAR.format(r"5(\.\d+)?, [0-9.]+, [0-9.]+", "1", FAR_OF[2]), warnings[0]),
            f"warnings: {warnings}\n{done.tail()}")


# ---- forces beyond what the integers hold
TOO_MUCH = (r"force -?[0-9.]+e\+\d+ between atoms (1 and 3|3 and 1) at step {0} exceeds the fixed-point range, "
            "at most [0-9.e+]+ with these coefficients")


@pytest.mark.parametrize("precision, ranks", [
    pytest.param(precision, ranks, id=f"{precision}, {ranks} rank(s)") for precision in ("mixed", "double") for ranks in (1, 2)])
def test_friction_of_atoms_that_collide_too_fast(lammps, precision, ranks):
    expect(lammps, f"pair_style dpd/gpu 1.0 1.0 4711 precision {precision}\n{COEFF}{NVE}"
                  "group one id 1\nvelocity one set 1e9 0 0\nrun 5\n", TOO_MUCH.format(0), ranks)


@pytest.mark.parametrize("ranks", (2, 3))
def test_all_atoms_too_fast(lammps, ranks):
    expect(lammps, f"{STYLE}{COEFF}{NVE}create_atoms 1 random 300 55 NULL\nvelocity all create 1.0 5 loop geom\n"
              "velocity all scale 1e14\nrun 5\n",
           TOO_MUCH.replace("(1 and 3|3 and 1)", r"\d+ and \d+").replace(r"-?[0-9.]+e\+\d+", "-?[0-9.e+]+").format(0), ranks)


def test_velocity_that_is_not_a_number(lammps):
    expect(lammps, f"{STYLE}{COEFF}{NVE}variable big equal 1e308\nvariable no atom v_big*1e10-v_big*1e10\n"
          "velocity all set v_no 0 0\nrun 5\n", r"force -?nan between atoms (1 and 3|3 and 1) at step 0 exceeds .*")


# ---- GPU
CUDA = settings("1.0 1.0 4711 backend cuda")
OLD_DRIVER = os.environ.get("DS_OLD_DRIVER")    # folder of a driver that only has a version number


def test_backend_cuda_without_a_gpu(lammps):
    # where there is one, it is hidden; a build without CUDA code says so
    for ranks in (1, 2):
        expect(lammps, CUDA, "backend cuda: (this build has no CUDA code|no NVIDIA driver was found, for which CUDA says .*|"
               "no NVIDIA GPU is visible: .*); allowed: auto, host", ranks, {"CUDA_VISIBLE_DEVICES": ""})


def test_backend_cuda_with_a_driver_that_is_too_old(lammps):
    if not OLD_DRIVER:
        pytest.skip("built without CUDA")
    for ranks in (1, 2):
        expect(lammps, CUDA, r"backend cuda: the NVIDIA driver is too old: it supports CUDA 9\.2, this build needs "
               r"\d+\.\d+; .*; allowed: auto, host", ranks, {"LD_LIBRARY_PATH": OLD_DRIVER})


def test_backend_auto_with_a_driver_that_is_too_old_takes_the_host(lammps):
    if not OLD_DRIVER:
        pytest.skip("built without CUDA")
    done = lammps.run(START.format(first="") + settings("1.0 1.0 4711"), env={"LD_LIBRARY_PATH": OLD_DRIVER})
    require("host backend" in done.output, done.tail())
    require("no GPU is used: the NVIDIA driver is too old: it supports CUDA 9.2" in done.output, done.tail())


# Takes all memory of the first GPU, says so, and keeps it until its standard input ends.
HOG = """
import ctypes, sys
cuda = ctypes.CDLL("libcuda.so.1")
device, context, memory = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_uint64()
for status in (cuda.cuInit(0), cuda.cuDeviceGet(ctypes.byref(device), 0),
               cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), cuda.cuCtxSetCurrent(context)):
    if status:
        sys.exit(f"CUDA error {status}")
size = 1 << 36
while size >= 1 << 20:
    if cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(size)):
        size >>= 1
print("full", flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def full_gpu():
    with subprocess.Popen([sys.executable, "-c", HOG], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as hog:
        try:
            require(hog.stdout.readline() == b"full\n", "could not take the memory of the GPU")
            yield
        finally:
            hog.stdin.close()


def need_gpu(lammps):
    if "cuda backend" not in lammps.run(START.format(first="") + settings("1.0 1.0 4711")).output:
        pytest.skip("no GPU")


def test_gpu_without_free_memory(lammps):
    need_gpu(lammps)
    with full_gpu():
        expect(lammps, CUDA, ".*(could not get [0-9]+ bytes of|out of memory).*")


# Atoms fly to the middle of the box. Before the second run LAMMPS waits until the test has taken what memory there is.
IMPLOSION = """
units lj
region box block 0 24 0 24 0 24
create_box 1 box
create_atoms 1 random 41472 771 NULL
mass 1 1.0
run_style verlet/gpu
pair_style dpd/gpu 1.0 1.0 4711 backend cuda
pair_coeff 1 1 1.0 0.1
neighbor 0.3 bin
neigh_modify every 1 delay 0 check yes
timestep 0.002
fix move all nve
run 20
shell touch ready
shell sh wait.sh
variable vx atom 2*(12-x)
variable vy atom 2*(12-y)
variable vz atom 2*(12-z)
velocity all set v_vx v_vy v_vz
run 200
"""


def test_no_memory_left(lammps):
    """GPU memory that is gone when a list grows in the middle of a resident run."""
    need_gpu(lammps)
    lammps.write("wait.sh", "while [ ! -e full ]; do sleep 0.1; done\n")
    ended = threading.Event()

    def take_memory():
        while not os.path.exists(lammps.path("ready")) and not ended.wait(0.1):
            pass
        with full_gpu():
            lammps.write("full", "")
            ended.wait(60)

    hog = threading.Thread(target=take_memory)
    hog.start()
    try:
        expect(lammps, IMPLOSION, ".*(could not get [0-9]+ bytes of|out of memory).*", start="")
    finally:
        ended.set()
        hog.join()


def test_backend_auto_without_a_gpu_takes_the_host(lammps):
    done = lammps.run(START.format(first="") + settings("1.0 1.0 4711 backend auto"),
                      env={"CUDA_VISIBLE_DEVICES": ""})
    require("host backend" in done.output, done.tail())
    require(re.search("no GPU is used: (this build has no CUDA code|no NVIDIA)", done.output), done.tail())


# ---- restart files
def test_restart_file_of_another_pair_style_dpd_gpu(lammps):
    lammps.run(START.format(first="") + STYLE + COEFF + "write_restart there\n")
    with open(lammps.path("there"), "rb") as file:
        data = file.read()
    ours = struct.pack("<5i", 2, 4711, 0, 0, 0)    # format, seed, precision, backend, neigh
    require(data.count(ours) == 1, "settings not found in the restart file")
    with open(lammps.path("there"), "wb") as file:
        file.write(data.replace(ours, struct.pack("<5i", 7, 4711, 0, 0, 0)))
    for ranks in (1, 2):
        expect(lammps, "", r"the restart file was written by LAMMPS's own pair style dpd, or by another pair style "
               r"dpd/gpu \(format 7, allowed is 2\): it can be read with suffix off",
               ranks, start="read_restart there\n")


OWN_STYLES = {"dpd": ("1.0 1.0 4711", "25 4.5"), "dpd/ext": ("1.0 1.0 4711", "25 4.5 4.5 1 1"),
              "dpd/tstat": ("1.0 1.0 1.0 4711", "4.5")}


@pytest.mark.parametrize("name", OWN_STYLES)
def test_restart_file_of_lammps(lammps, name):
    """LAMMPS's own style has written the file, and with suffix gpu this package's is to read it."""
    settings, coefficients = OWN_STYLES[name]
    for kind in ("", "hybrid "):
        words = f"{name} {coefficients}" if kind else coefficients
        lammps.run(START.format(first="") + f"comm_modify vel yes\npair_style {kind}{name} {settings}\npair_coeff * * {words}\n"
                   "write_restart there\n")
        for ranks in (1, 2):
            expect(lammps, "", rf"the restart file was written by LAMMPS's own pair style {name}, or by another pair style "
                   rf"{name}/gpu \(format \d+, allowed is 2\): it can be read with suffix off", ranks,
                   start="suffix gpu\nread_restart there\n", style=f"{name}/gpu")


@pytest.mark.parametrize("name, suffix", [
    pytest.param(name, suffix, id=f"{name} written with suffix {suffix}")
    for name, suffix in (("dpd", "gpu"), ("dpd/ext", "gpu"), ("dpd/tstat", "exact/gpu"), ("dpd", "exact/gpu"))])
def test_restart_file_written_with_suffix(lammps, name, suffix):
    """A warning that tells how such a file is to be read, once per style, and no other; and it can be read so."""
    settings, coefficients = OWN_STYLES[name]
    for kind in ("", "hybrid/overlay "):
        words = f"pair_coeff * * {name + ' ' if kind else ''}{coefficients}\n"
        for on in (True, False):
            used = name if on or kind == "" else f"{name}/{suffix}"
            text = (f"suffix {suffix}\n" if on else "") + START.format(first="") + f"pair_style {kind}" + (
                name if on else f"{name}/{suffix}") + f" {settings}\n" + (
                    words if on else words.replace(f" {name} ", f" {name}/{suffix} "))
            text += f"{NVE}run 2\nwrite_restart there\nwrite_restart there\n"
            again = "read_restart there\n" + (words.replace(f" {name} ", f" {used} ") if kind else "") + f"{NVE}run 2\n"
            done = lammps.run(text + "suffix off\nclear\n" + (f"suffix {suffix}\n" if on else "") + again, ranks=1 + on)
            found = re.findall(r"^WARNING: Pair (\S+): LAMMPS calls this style (\S+) in restart files, because of suffix (\S+): "
                               r"they must be read with suffix (\S+) on, or LAMMPS's own pair style (\S+) takes", done.output, re.M)
            require(found == ([(f"{name}/gpu", name, suffix, suffix, name)] if on else []), f"{kind}{name}: {found}\n{done.tail()}")
            require(done.output.count(f"Pair {name}/gpu: mixed precision") == 2, done.tail(60))


def test_damaged_restart(lammps):
    """Restart files of which one bit is another, in settings and coefficients."""
    lammps.run(START.format(first="") + STYLE + COEFF + "write_restart there\n")
    with open(lammps.path("there"), "rb") as file:
        data = file.read()
    begin = data.index(struct.pack("<5i", 2, 4711, 0, 0, 0))    # format, seed, precision, backend, neigh
    settings_end = begin + 20 + 16 + 8        # temperature and cutoff; the digest
    pairs = 3 * (4 + 4 * 8)                   # of two types: set, a, gamma, cutoff, power
    for block, first, last in (("settings", begin + 4, settings_end), ("coefficients", settings_end, settings_end + pairs + 8)):
        for at in range(first, last, 3):
            damaged = bytearray(data)
            damaged[at] ^= 1 << at % 8
            with open(lammps.path("there"), "wb") as file:
                file.write(damaged)
            # where a pair of types is said not to be set, what follows is read from another place: an error, too
            ranks = 2 if at % 9 == 0 else 1
            expect(lammps, "", f"the restart file is damaged: its {block} have been changed", ranks, start="read_restart there\n")


def test_pair_write_before_the_first_run(lammps):
    for when in ("", "run 0\n"):
        lammps.run(START.format(first="") + STYLE + COEFF +
                   f"timestep 0.01\n{when}pair_write 1 1 3 r 0.1 0.9 table A\n")
        with open(lammps.path("table")) as file:
            rows = [line.split() for line in file if re.match(r"\s*\d+\s", line)]
        os.remove(lammps.path("table"))
        found = [float(row[3]) for row in rows]
        require(found == [22.5, 12.5, 2.5], f"forces {found}, wanted 25 (1 - r)")


# ---- odd, but allowed

@pytest.mark.parametrize("commands", [
    pytest.param(commands, id=name) for name, commands in (
        ("T = 0", settings("0 1.0 4711")),
        ("gamma = 0", coeff("1 1 25 0")),
        ("A = 0 and below", coeff("1 1 0 4.5") + "pair_coeff 1 2 -3 4.5\nrun 1\n"),
        ("types in either order", coeff("2 1 25 4.5")),
        ("coefficients before a run with pre no",
         STYLE + COEFF + NVE + "run 1\npair_coeff 1 2 30 4.5\nrun 1 pre no\n"),
        ("largest seed", settings("1.0 1.0 2147483647")),
        ("keywords twice: the last one counts", settings("1.0 1.0 4711 precision mixed neigh own precision double")),
        ("numbers with exponents", settings("1e0 1.0e+0 4711") + coeff("1 1 2.5e1 45e-1 1e0 power 5e-1")),
        ("no interaction in reach", settings("1.0 0.001 4711")),
        ("speed below the limit", f"{STYLE}{COEFF}{NVE}group one id 1\nvelocity one set 20 0 0\nrun 1\n"))])
def test_allowed(lammps, commands):
    lammps.run(START.format(first="") + commands)
