"""Thermostats and barostats (FixNHGPU, FixBerendsenGPU): the same bits under both run styles, on any number of ranks and after a
restart; temperatures, boxes and values are those of LAMMPS's own fixes, also after many steps; what is wanted is reached.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import numpy as np
import pytest

from checks import require
from lammps_run import BACKEND
from test_steps import PAIR, RULES, input_of, read, same_in_all_ways, start, thermo

pytestmark = pytest.mark.copies_in_turn

TILTED = True

# name: fixes, their values, a tilted box. {gpu} stands for the suffix
BATHS = {
    "nvt": ("fix 1 all nvt{gpu} temp 1.0 1.4 0.5", "f_1 f_1[1] f_1[2] f_1[12]"),
    "nvt, a long chain with loops and drag": ("fix 1 all nvt{gpu} temp 1.0 1.0 0.3 tchain 5 tloop 3 drag 0.2", "f_1 f_1[9]"),
    "nvt, one thermostat": ("fix 1 all nvt{gpu} temp 1.0 1.0 0.3 tchain 1", "f_1 f_1[*]"),
    "nvt of a group": ("group rest subtract all two\nfix 1 two nvt{gpu} temp 1.5 1.5 0.3\nfix 2 rest nve", "f_1 c_1_temp"),
    "nvt, the temperature of another compute": ("compute t all temp{gpu}\nfix 1 all nvt{gpu} temp 1.0 1.0 0.3\n"
                                                "fix_modify 1 temp t", "f_1 c_t"),
    "nvt beside other fixes": ("fix 1 all nvt{gpu} temp 1.0 1.0 0.3\nfix 2 all momentum{gpu} 4 linear 1 1 1\n"
                               "fix 3 all addforce{gpu} v_w 0 0", "f_1"),
    "temp/berendsen": ("fix 1 all nve\nfix 2 all temp/berendsen{gpu} 1.0 1.4 0.3", "f_2 c_2_temp"),
    "temp/berendsen, a variable": ("variable T equal 1.0+0.1*sin(0.1*step)\nfix 1 all nve\nfix 2 two temp/berendsen{gpu} v_T 1.0 0.3\n"
                                   "fix 3 all momentum{gpu} 4 linear 1 1 1", "f_2 c_2_temp"),
    "press/berendsen": ("fix 1 all nve\nfix 2 all press/berendsen{gpu} iso 25 24 1.0 modulus 40", "lx xlo"),
    "press/berendsen, aniso": ("fix 1 all nve\nfix 2 all press/berendsen{gpu} x 25 24 1.0 z 20 20 0.5 couple none", "lx lz xlo"),
    "press/berendsen, dilate, coupled": ("fix 1 all nve\nfix 2 two press/berendsen{gpu} aniso 25 24 1.0 couple xz dilate partial", "lx ly xlo"),
    "both of Berendsen's": ("fix 1 all nve\nfix 2 all temp/berendsen{gpu} 1.0 1.4 0.3\n"
                            "fix 3 all press/berendsen{gpu} iso 25 24 1.0 modulus 40\nfix 4 all ave/time 5 2 10 c_3_press file p.ave", "f_2 lx c_3_press"),
    "nvt and press/berendsen": ("fix 1 all nvt{gpu} temp 1.0 1.0 0.3\nfix 2 all press/berendsen{gpu} iso 25 24 1.0 modulus 40", "f_1 lx"),
    "nph": ("fix 1 all nph{gpu} iso 25.0 24.0 1.0", "lx f_1 f_1[*]"),
    "npt": ("fix 1 all npt{gpu} temp 1.0 1.4 0.5 iso 25.0 24.0 1.0", "lx f_1 f_1[*]"),
    "npt, aniso, without the terms of MTK": ("fix 1 all npt{gpu} temp 1.0 1.0 0.5 aniso 25.0 24.0 1.0 mtk no drag 0.3", "lx ly f_1 f_1[*]"),
    "npt, two axes, chains, loops, a reference box": (
        "fix 1 all npt{gpu} temp 1.0 1.0 0.5 x 25.0 24.0 1.0 z 20.0 21.0 2.0 nreset 10 tchain 4 pchain 2 tloop 2 ploop 3", "lx lz f_1 f_1[*]"),
    "npt, coupled axes, no chain of the box": (
        "fix 1 all npt{gpu} temp 1.0 1.0 0.5 x 25 24 1 y 25 24 1 z 20 21 2 couple xy pchain 0 fixedpoint 1 2 3", "lx lz zlo f_1 f_1[*]"),
    "npt, dilate": ("fix 1 all npt{gpu} temp 1.0 1.0 0.5 iso 25 25 1 dilate two", "lx f_1"),
    "npt of a group": ("group rest subtract all two\nfix 1 two npt{gpu} temp 1.5 1.5 0.3 iso 25 25 1\nfix 2 rest nve", "lx f_1 c_1_temp"),
    "npt beside other fixes": ("fix 1 all npt{gpu} temp 1.0 1.0 0.3 iso 25 25 1\nfix 2 all momentum{gpu} 4 linear 1 1 1", "lx f_1"),
    "nph, ptemp": ("fix 1 all nph{gpu} aniso 25 25 1 couple yz ptemp 1.3", "lx ly f_1"),
}
IN_TILTED_BOX = {
    "npt in a tilted box": ("fix 1 all npt{gpu} temp 1.0 1.0 0.5 iso 25 24 1 flip no", "lx xy f_1"),
    "npt, tri": ("fix 1 all npt{gpu} temp 1.0 1.0 0.5 tri 25 24 1 flip no", "lx xy xz yz f_1 f_1[*]"),
    "npt, components": ("fix 1 all npt{gpu} temp 1.0 1.0 0.5 x 25 24 1 xy 1 1 2 yz 0 0 2 flip no", "lx xy xz yz f_1 f_1[*]"),
    "nph, scaled tilt": ("fix 1 all nph{gpu} y 25 24 1 scalexy yes flip no", "ly xy f_1"),
}


def bath(case, gpu="/exact/gpu", **other):
    fix, values = case
    return input_of((("unfix 1\n" + fix).replace("{gpu}", gpu), values), False, **other)


@pytest.mark.parametrize("case, tilted, rule", [
    pytest.param(case, tilted, RULES[k % 2], id=name)
    for tilted, cases in ((False, BATHS), (TILTED, IN_TILTED_BOX))
    for k, (name, case) in enumerate(cases.items())])
def test_same_bits(lammps, case, tilted, rule):
    def check_log(done, ranks):
        require(ranks > 1 or re.search(r"resident fixes: .*\b1 \(", done.output), f"the fix is not resident:\n{done.tail()}")
        require(ranks > 1 or "wrap and lists: resident" in done.output, f"lists are not the engine's:\n{done.tail()}")

    start(lammps, False, tilted)
    same_in_all_ways(lammps, lambda run_style: bath(case, run_style=run_style, rule=rule), check_log)


@pytest.mark.parametrize("case, tilted", [
    pytest.param(case, tilted, id=name)
    for tilted, cases in ((False, BATHS), (TILTED, IN_TILTED_BOX))
    for k, (name, case) in enumerate(cases.items())])
def test_as_lammps(lammps, case, tilted):
    """Many steps. Noise is made of the last bits of velocities, so there is none; positions have 2^-62 of the box."""
    start(lammps, False, tilted)
    pair = PAIR.replace("dpd/gpu 1.0", "dpd/gpu 0.0").replace(f"backend {BACKEND}", f"backend {BACKEND} precision double")
    tables = []
    for gpu in ("", "/exact/gpu"):
        done = lammps.run(bath(case, gpu, pair=pair, run="run 120\nrun 80"))
        tables.append(np.array([[float(word) for word in line.split()] for line in thermo(done)]))
    lammps_values, ours = tables
    require(len(ours) >= 20 and ours.shape == lammps_values.shape, f"{ours.shape}, {lammps_values.shape}")
    error = np.max(np.abs(ours - lammps_values) / np.maximum(1.0, np.abs(lammps_values)))
    require(error < 1e-9, f"values differ by {error:.1e}:\n{ours[-1]}\n{lammps_values[-1]}")
    print(f"to {error:.0e}")


@pytest.mark.parametrize("case, in_parts", [
    pytest.param(BATHS[name], in_parts, id=name)
    for name, in_parts in (("nvt", True), ("npt", False), ("npt, two axes, chains, loops, a reference box", False), ("nph", True),
                       ("npt, aniso, without the terms of MTK", True), ("temp/berendsen", True))])
def test_goes_on(lammps, case, in_parts):
    """A file written in the middle of a run, on one rank; the rest on one and on two. And a run in two parts: a new run makes the masses and
    the reference of the box anew, as in LAMMPS, where they depend on the step."""
    start(lammps, False)
    whole, *rest = middle(lammps, case, case)
    parts = end_of(lammps, case, 3, run="restart 30 again.*.restart\nrun 30 start 0 stop 60\nrun 30 start 0 stop 60")
    require(rest == [whole, whole], "another state after a restart")
    require(parts == whole or not in_parts, "another state after a run in parts")


def end_of(lammps, case, ranks, **how):
    """The last frame of a run to step 60, without sorting."""
    text = bath(case, name="end", every=60, **how)
    lammps.run(text.replace("atom_modify sort 25 0.0", "atom_modify sort 0 0.0"), ranks=ranks)
    return read(lammps, "end.dump").split("ITEM: TIMESTEP")[-1]


def middle(lammps, first, rest):
    """The last frames of a whole run, and of runs from the file that it has written in its middle, on one rank and on two."""
    frames = [end_of(lammps, first, 1, run_style="verlet/gpu", run="restart 30 mid.*.restart\nrun 60 start 0 stop 60")]
    for ranks in (1, 2):
        frames.append(end_of(lammps, rest, ranks, run_style="verlet/gpu", read="read_restart mid.30.restart",
                             run="run 30 start 0 stop 60"))
    return frames


# Fixes that change velocities at the end of the step of the file, and one that has a temperature of other atoms
BESIDE = {
    "nvt, temp/rescale": ("fix 1 all nvt{gpu} temp 1.0 1.4 0.5\nfix 2 two temp/rescale{gpu} 5 1.0 1.0 0.01 0.5", "f_1"),
    "nvt, temp/berendsen before it": ("fix 2 all temp/berendsen{gpu} 1.0 1.5 0.3\nfix 1 all nvt{gpu} temp 1.0 1.4 0.5",
                                      "f_1"),
    "npt, momentum": ("fix 1 all npt{gpu} temp 1.0 1.4 0.5 iso 25 24 1\nfix 2 two momentum{gpu} 5 linear 1 1 1", "f_1"),
    "npt, axes, temp/berendsen": ("fix 1 all npt{gpu} temp 1.0 1.0 0.5 x 25 24 1 z 20 21 2\n"
                                  "fix 2 two temp/berendsen{gpu} 1.0 1.5 0.3", "f_1"),
    "nph, temp/rescale": ("fix 1 all nph{gpu} iso 25 24 1\nfix 2 all temp/rescale{gpu} 5 1.0 1.0 0.01 0.5", "f_1"),
    "npt of a group": BATHS["npt of a group"],
}


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in BESIDE.items()])
def test_goes_on_beside_fixes_that_change_velocities(lammps, case):
    """Chains are advanced by the kinetic energy of the step, which is not that of the velocities in the file."""
    start(lammps, False)
    whole, *rest = middle(lammps, case, case)
    require(rest == [whole, whole], "another state after a restart")


def test_velocities_changed_after_a_restart_count(lammps):
    """Kinetic energies of the file do not hold for other velocities: the temperature of chains is that of the atoms."""
    start(lammps, False)
    fix, _ = BESIDE["nvt, temp/rescale"]
    lammps.run(bath((fix, "f_1"), run_style="verlet/gpu", run="restart 30 mid.*.restart\nrun 60"))
    ways = []
    for velocity in ("velocity all scale 2.0", "velocity all scale 2.0\nrun 0"):    # behind run 0, nothing of the file is left
        lammps.run(bath((fix, "f_1"), read="read_restart mid.30.restart", name="rest", every=60,
                        run=f"{velocity}\nrun 20").replace("fix 2 two", "fix 2 nobody"))
        ways.append(read(lammps, "rest.dump").split("ITEM: TIMESTEP")[-1])
    require(ways[0] == ways[1], "the temperature of the file has been used")


@pytest.mark.parametrize("case, word", [
    pytest.param("npt{gpu} temp 1.0 1.0 0.5 x 25 24 1 y 20 20 2", "", id="the center of the first box"),
    pytest.param("npt{gpu} temp 1.0 1.0 0.5 aniso 25 24 1", " fixedpoint 1 2 3", id="a point that the command gives")])
def test_goes_on_about_the_fixed_point(lammps, case, word):
    """The center of the box in a file is that of the first box, except for rounding; the fix goes on about the first one."""
    start(lammps, False)
    first = (f"change_box all x final -0.3 7.7 y final -2.1 6.3 units box\nfix 1 all {case}", "f_1")
    whole, *rest = middle(lammps, first, (f"fix 1 all {case}{word}", "f_1"))
    require((rest == [whole, whole]) == (not word), "about another point")


SHRINKING = """units lj
region box block 0 3.1 0 8 0 8
create_box 1 box
create_atoms 1 random 400 7711 box
mass 1 1.0
{pair}
velocity all create 1.0 815
neighbor 0.3 bin
neigh_modify every 1 delay 0 check yes
timestep 0.005
run_style {run_style}
fix 1 all npt/exact/gpu temp 1.0 1.0 0.5 x {pressure} {pressure} {time}
thermo_style custom step lx
dump d all custom 25 all.dump id x y z vx vy vz
dump_modify d sort id format float %.17g
run 300
run 50
"""


def test_same_bits_narrow(lammps):
    """Same bits: a box that shrinks below two ranges of the list, where LAMMPS's ghosts are needed."""
    frames = []
    for run_style in ("verlet", "verlet/gpu"):
        done = lammps.run(SHRINKING.format(pair=PAIR, run_style=run_style, pressure=30, time=2.0))
        lx = done.thermo[-1]["Lx"][-1]
        require(lx < 2.5, f"the box stays wide: {lx}")
        frames.append(read(lammps, "all.dump"))
    require(frames[0] == frames[1], "another trajectory than by verlet")


QUICKLY = """units lj
region box block 0 5.4 0 5.4 0 5.4
create_box 1 box
create_atoms 1 random 79 11 box
mass 1 1.0
velocity all create 1.0 77
{pair}
neighbor 0.3 bin
neigh_modify every 1 delay 0 check yes
timestep 0.01
fix 1 all nve/exact/gpu
fix 2 all press/berendsen/exact/gpu iso 60.0 60.0 1.0 modulus 30.0
thermo 1000
thermo_style custom step lx
run_style {run_style}
run 400
write_dump all custom all.dump id x y z vx vy vz modify sort id format float %.17g
"""


def test_same_bits_a_wide_box_that_is_soon_narrow(lammps):
    """A box twice as wide as two ranges of the list becomes narrower than these in one call of the engine, first fast, then slowly."""
    frames = []
    for run_style in ("verlet", "verlet/gpu"):
        done = lammps.run(QUICKLY.format(pair=PAIR, run_style=run_style))
        lx = done.thermo[-1]["Lx"]
        require(lx[0] == 5.4 and lx[-1] < 2.6, f"edges from {lx[0]} to {lx[-1]}")
        frames.append(read(lammps, "all.dump"))
    require(frames[0] == frames[1], "another trajectory than by verlet")


def test_refused_shrunk(lammps):
    """Refused: a box that shrinks below two ranges of the list at once."""
    done = lammps.run(SHRINKING.format(pair=PAIR, run_style="verlet/gpu", pressure=4000, time=0.1), ok=False)
    require(done.status and any("the box has shrunk by more than a factor of 1.05 in two steps" in error for error in done.errors),
            f"{done.errors}\n{done.tail()}")


GAS = """units lj
region box block 0 5 0 5 0 5
create_box 1 box
create_atoms 1 random 250 7711 box
mass 1 1.0
pair_style dpd/gpu 1.0 1.0 34387 backend {backend}
pair_coeff 1 1 0.0 {gamma}
run_style verlet/gpu
velocity all create 1.0 815
timestep 0.02
neigh_modify every 5 delay 0 check yes
fix 1 all {fix}
thermo_style custom step temp vol
thermo 10
thermo_modify format float %.10g
run 2000
run {steps}
"""


def mean_and_variance(values, blocks=40):
    """With standard errors from blocks, which are longer than what is correlated."""
    parts = values[:len(values) // blocks * blocks].reshape(blocks, -1)
    means, variances = parts.mean(axis=1), np.mean((parts - values.mean())**2, axis=1)
    return [(each.mean(), each.std(ddof=1) / np.sqrt(blocks)) for each in (means, variances)]


def test_nph_the_volume_of_an_ideal_gas_and_how_much_it_fluctuates(lammps):
    """The pair style is the thermostat, and a little too hot with this time step. The center of mass is at rest, so V has the
    distribution V^(N-1) exp(-P V / kT): mean N kT / P, variance N (kT / P)^2."""
    n, pressure = 250, 2.0
    done = lammps.run(GAS.format(backend=BACKEND, gamma=4.5, fix=f"nph/gpu iso {pressure} {pressure} 1.0", steps=60000))
    (mean, mean_error), (variance, variance_error) = mean_and_variance(done.thermo[-1]["Volume"])
    share = done.thermo[-1]["Temp"].mean() / pressure
    expected, expected_variance = n * share, n * share**2
    report = (f"volume {mean:.2f} +- {mean_error:.2f}, expected {expected:.2f}; variance {variance:.1f} +- {variance_error:.1f}, "
              f"expected {expected_variance:.1f}")
    require(mean_error < 1.0 and variance_error < 10.0, report)
    require(abs(mean - expected) < 4 * mean_error, report)
    require(abs(variance - expected_variance) < 4 * variance_error, report)
    print(report)


def test_temp_berendsen_nvt_the_temperature_that_is_wanted(lammps):
    report = []
    for fix in ("nvt/exact/gpu temp 1.3 1.3 0.5", "nve\nfix 2 all temp/berendsen/gpu 1.3 1.3 0.5"):
        text = GAS.format(backend=BACKEND, gamma=0.0, fix=fix, steps=20000).replace("pair_coeff 1 1 0.0", "pair_coeff 1 1 10.0")
        (mean, error), _ = mean_and_variance(lammps.run(text).thermo[-1]["Temp"])
        report.append(f"{fix.split()[0]}: {mean:.4f} +- {error:.4f}")
        require(abs(mean - 1.3) < 4 * error + 0.003 and error < 0.02, report[-1])
    print(", ".join(report))


# ---- what is wrong, and how the error text begins
REFUSED = {
    "no temperature": ("fix 1 all nvt{gpu}", "Fix nvt/exact/gpu: no temp, allowed: temp Tstart Tstop Tdamp"),
    "a temperature of 0": ("fix 1 all nvt{gpu} temp 0 1 1", "Fix nvt/exact/gpu: Tstart 0 and Tstop 1, allowed: both > 0"),
    "a time of 0": ("fix 1 all nvt{gpu} temp 1 1 0", "Fix nvt/exact/gpu: Tdamp 0, allowed: Tdamp > 0"),
    "too few values": ("fix 1 all nvt{gpu} temp 1 1", "Fix nvt/exact/gpu: temp with too few values"),
    "a time that loses the temperature": ("fix 1 all nvt{gpu} temp 1 1 1e-12", "Fix nvt/exact/gpu: Tdamp 1e-12: the temperature is "),
    "no chain": ("fix 1 all nvt{gpu} temp 1 1 1 tchain 0", "Fix nvt/exact/gpu: tchain 0, allowed: tchain >= 1"),
    "no loop": ("fix 1 all nvt{gpu} temp 1 1 1 tloop 0", "Fix nvt/exact/gpu: tloop 0, allowed: tloop >= 1"),
    "drag": ("fix 1 all nvt{gpu} temp 1 1 1 drag -1", "Fix nvt/exact/gpu: drag -1, allowed: drag >= 0"),
    "a pressure in nvt": ("fix 1 all nvt{gpu} temp 1 1 1 iso 1 1 1", "Fix nvt/exact/gpu: a pressure, allowed: none"),
    "a word": ("fix 1 all nvt{gpu} temp 1 1 1 update dipole", "Fix nvt/exact/gpu: keyword update, allowed: temp, iso"),
    "no pressure": ("fix 1 all npt{gpu} temp 1 1 1", "Fix npt/exact/gpu: no pressure, allowed: iso"),
    "a temperature in nph": ("fix 1 all nph{gpu} temp 1 1 1 iso 1 1 1", "Fix nph/exact/gpu: temp, allowed: no temp in nph"),
    "ptemp in npt": ("fix 1 all npt{gpu} temp 1 1 1 iso 1 1 1 ptemp 1", "Fix npt/exact/gpu: ptemp and temp"),
    "ptemp": ("fix 1 all nph{gpu} iso 1 1 1 ptemp 0", "Fix nph/exact/gpu: ptemp 0, allowed: ptemp > 0"),
    "a pressure's time of 0": ("fix 1 all nph{gpu} iso 1 1 0", "Fix nph/exact/gpu: Pdamp 0, allowed: Pdamp > 0"),
    "a pressure's time that loses the box": ("fix 1 all npt{gpu} temp 1 1 1 iso 23 23 1e-300", "Fix npt/exact/gpu: Pdamp 1e-300: x of the box is "),
    "couple": ("fix 1 all nph{gpu} aniso 1 1 1 couple zz", "Fix nph/exact/gpu: couple zz, allowed: none, xyz, xy, yz, xz"),
    "couple of different axes": ("fix 1 all nph{gpu} x 1 1 1 y 2 2 1 couple xy", "Fix nph/exact/gpu: couple xy of axes with different"),
    "couple of one axis": ("fix 1 all nph{gpu} x 1 1 1 couple xy", "Fix nph/exact/gpu: couple xy of axes with different"),
    "tilt in an orthogonal box": ("fix 1 all nph{gpu} xy 1 1 1", "Fix nph/exact/gpu: xy in a box that is not triclinic"),
    "dilate": ("fix 1 all nph{gpu} iso 1 1 1 dilate none", "Fix nph/exact/gpu: dilate none, allowed: the ID of a group"),
    "two barostats": ("fix 1 all nph{gpu} iso 1 1 1\nfix 2 nobody nph{gpu} x 1 1 1", "change box parameter"),
    "a barostat and deform": ("fix 1 all nph{gpu} iso 1 1 1\nfix 2 all deform 1 x erate 0.1", "change box parameter"),
    "a temperature with a bias": ("compute c all temp/com\nfix 1 all nvt{gpu} temp 1 1 1\nfix_modify 1 temp c",
                                  "Fix nvt/exact/gpu: fix_modify temp c, allowed: a compute of style temp or temp/exact/gpu"),
    "press without a barostat": ("compute p all pressure thermo_temp\nfix 1 all nvt{gpu} temp 1 1 1\nfix_modify 1 press p",
                                 "Fix nvt/exact/gpu: fix_modify press, allowed: a fix with a barostat"),
    "a pressure without kinetic energy": ("compute p all pressure NULL virial\nfix 1 all nph{gpu} iso 1 1 1\nfix_modify 1 press p",
                                          "Fix nph/exact/gpu: compute p for the pressure: it is"),
    "a wall's virial": ("fix 2 all addforce{gpu} 1 0 0\nfix_modify 2 virial yes\nfix 1 all nph{gpu} iso 1 1 1",
                        "Fix nph/exact/gpu: fix_modify 2 virial yes, allowed: virial no beside a barostat"),
    "a compute that is gone": ("fix 1 all nvt{gpu} temp 1 1 1\nuncompute 1_temp", "Fix nvt/exact/gpu: compute 1_temp does not exist any more"),
    "temp/berendsen, values": ("fix 2 all temp/berendsen{gpu} 1 1", "Fix temp/berendsen/exact/gpu: 2 arguments, allowed: Tstart Tstop Tdamp"),
    "temp/berendsen, Tdamp": ("fix 2 all temp/berendsen{gpu} 1 1 0", "Fix temp/berendsen/exact/gpu: Tdamp 0, allowed: Tdamp > 0"),
    "temp/berendsen, a short Tdamp": ("fix 1 all nve\nfix 2 all temp/berendsen{gpu} 0 0 0.001", "takes more than all of the temperature"),
    "temp/berendsen, a negative variable": ("variable T equal -1\nfix 1 all nve\nfix 2 all temp/berendsen{gpu} v_T 1 1",
                                            "the variable for Tstart is -1, allowed is one >= 0"),
    "temp/berendsen, rest": ("velocity all set 0 0 0\nfix 1 nobody nve\nfix 2 all temp/berendsen{gpu} 1 1 1",
                             "the temperature of the group is 0, allowed is one above 0"),
    "press/berendsen, nothing": ("fix 2 all press/berendsen{gpu} modulus 1", "Fix press/berendsen/exact/gpu: no pressure, allowed: iso"),
    "press/berendsen, modulus": ("fix 2 all press/berendsen{gpu} iso 1 1 1 modulus 0", "Fix press/berendsen/exact/gpu: modulus 0"),
    "press/berendsen, dilate": ("fix 2 all press/berendsen{gpu} iso 1 1 1 dilate none", "Fix press/berendsen/exact/gpu: dilate none, allowed: all, partial"),
    "press/berendsen, a word": ("fix 2 all press/berendsen{gpu} tri 1 1 1", "Fix press/berendsen/exact/gpu: keyword tri, allowed: iso"),
    "press/berendsen, a short Pdamp": ("fix 1 all nve\nfix 2 all press/berendsen{gpu} iso 1000 1000 0.01", "would take away all of the box in a step"),
    "rest": ("velocity all set 0 0 0\nfix 1 all nph{gpu} iso 1 1 1", "Fix nph/exact/gpu: a start at temperature 0"),
}


def refused(lammps, fix, text, tilted=False):
    start(lammps, False, tilted)
    lammps.require_refused(text, lambda run_style: bath((fix, ""), run_style=run_style, run="run 5"))


@pytest.mark.parametrize("fix, text", REFUSED.values(), ids=REFUSED)
def test_refused(lammps, fix, text):
    refused(lammps, fix, text)


def test_refused_flip_yes_in_a_tilted_box(lammps):
    refused(lammps, "fix 1 all nph{gpu} iso 1 1 1",
            "Fix nph/exact/gpu: a box that is or will be tilted, and flip yes, allowed: flip no", TILTED)


def test_refused_a_tilt_that_is_coupled_and_scaled(lammps):
    refused(lammps, "fix 1 all nph{gpu} xy 1 1 1 scalexy yes flip no", "Fix nph/exact/gpu: both xy and scalexy yes", TILTED)


def test_refused_press_berendsen_in_a_triclinic_box(lammps):
    refused(lammps, "fix 2 all press/berendsen{gpu} iso 1 1 1",
            "Fix press/berendsen/exact/gpu: a triclinic box, allowed: an orthogonal box", TILTED)
