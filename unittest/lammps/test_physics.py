"""A fluid in equilibrium: its temperature is that of its thermostat whatever the exponent s, the precision, the
number of ranks and the molecules in it, and its pressure and energy are those of LAMMPS's own pair dpd. Temperature and
viscosity under dpd/ext/gpu, and temperature under dpd/tstat/gpu, are those of LAMMPS's own styles in the same script.

Means are over blocks of one time unit. In these fluids (density 3, gamma 4.5) an atom's velocity forgets itself
in half a time unit or less, so that blocks are nearly independent, and the standard error of a mean of n blocks
is their deviation over sqrt(n). One sample of the temperature of N atoms deviates by sqrt(2/3N), 1.5 % here: a
standard error of more than a third of that would mean that not even nine samples are independent, and is
refused, as it would hide what is looked for. Allowed are four standard errors, and SHIFT on top, for what the
integrator does to a temperature at this time step: with LAMMPS's own pair dpd it is 1.0048 +- 0.0012 after
30,000 steps of 1,536 atoms.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import math
import re

import numpy as np
import pytest

from checks import require
from lammps_run import BACKEND, chains, relative

ATOMS, STEPS, EVERY, BLOCK, DT = 3000, 4000, 10, 200, 0.005
SHIFT = 0.005
SEED = 34387

MAKE = f"""
units lj
region box block 0 10 0 10 0 10
create_box 1 box
create_atoms 1 random {ATOMS} 9721 NULL
mass 1 1.0
velocity all create 1.0 87 loop geom mom yes
neigh_modify every 5 delay 0 check no
timestep {DT}
fix move all nve
thermo 1000
pair_style dpd/gpu 1.0 1.0 {SEED} backend {BACKEND}
pair_coeff 1 1 25 4.5 power {{power}}
run 1000
write_restart {{name}}
"""
MEASURE = f"""
{{style}}
neigh_modify every 5 delay 0 check no
timestep {DT}
fix move all nve
thermo {EVERY}
thermo_style custom step temp press pe
thermo_modify format float %.17g
run {{steps}}
"""

series = {}    # (style, precision, s) -> thermo output


def steps_of(precision, ranks):
    """The slow ones are shorter; a trajectory that must be another's again needs no statistics."""
    if ranks > 1:
        return STEPS // 4
    return STEPS // 2 if precision == "double" else STEPS


def blocks(values):
    """Means of the blocks, without the first sample, which belongs to the state before."""
    size = BLOCK // EVERY
    values = values[1:1 + (len(values) - 1) // size * size]
    return values.reshape(-1, size).mean(axis=1)


def mean_of_blocks(means):
    """Mean and its standard error."""
    return means.mean(), means.std(ddof=1) / math.sqrt(len(means))


def mean(values):
    return mean_of_blocks(blocks(values))


def check_temperature(values, natoms, target=1.0):
    found, error = mean(values)
    require(error < target / 3.0 * math.sqrt(2.0 / (3.0 * natoms)), f"standard error {error}: too few samples")
    require(abs(found - target) <= 4.0 * error + SHIFT * target,
            f"temperature {found:.4f}, standard error {error:.4f}, thermostat {target}")
    return f"T = {found:.4f} +- {error:.4f}"


def equilibrate(lammps, power):
    name = f"s{power}"
    if name not in series:
        lammps.run(MAKE.format(power=power, name=name))
        with open(lammps.path(name), "rb") as file:
            series[name] = file.read()
    with open(lammps.path(name), "wb") as file:
        file.write(series[name])
    return name


def measured(lammps, power, precision, ranks):
    """Thermo output of a run."""
    name = equilibrate(lammps, power)
    style = (f"read_restart {name}\npair_style dpd/gpu 1.0 1.0 {SEED} precision {precision} backend {BACKEND}\n"
             f"pair_coeff 1 1 25 4.5 power {power}")
    return lammps.run(MEASURE.format(style=style, steps=steps_of(precision, ranks)), ranks=ranks).thermo[-1]


def on_one_rank(lammps, power, precision):
    key = "dpd/gpu", precision, power
    if key not in series:
        series[key] = measured(lammps, power, precision, 1)
    return series[key]


# what precision and the number of ranks change does not depend on s: in double, and on 4, one of them
@pytest.mark.parametrize("power, precision, ranks", [
    pytest.param(power, precision, ranks, id=f"{power}, {precision}, {ranks} rank(s)")
    for power in (1.0, 0.5, 0.25)
    for ranks in ((1, 4) if power == 1.0 else (1,))
    for precision in (("mixed", "double") if power == 1.0 else ("mixed",))])
def test_temperature(lammps, power, precision, ranks):
    wanted = on_one_rank(lammps, power, precision)["Temp"]
    if ranks == 1:
        print(check_temperature(wanted, ATOMS))
        return
    # the same trajectory as on one rank, and so its temperature. LAMMPS adds up temperatures rank by rank.
    found, rows = measured(lammps, power, precision, ranks)["Temp"], STEPS // 4 // EVERY + 1
    size = relative(found, wanted[:rows])
    require(len(found) == rows and size < 1e-12, f"temperatures differ by {size:.1e} from those on 1 rank")


@pytest.mark.parametrize("power, precision", [
    pytest.param(power, "mixed", id=f"{power}, mixed, against pair dpd") for power in (1.0, 0.5, 0.25)])
def test_temperature_against_dpd(lammps, power, precision):
    """Pressure and energy do not depend on s: an equilibrium does not know its thermostat."""
    if "dpd" not in series:
        name = equilibrate(lammps, 1.0)
        style = f"read_restart {name}\ncomm_modify vel yes\npair_style dpd 1.0 1.0 {SEED}\npair_coeff 1 1 25 4.5"
        series["dpd"] = lammps.run(MEASURE.format(style=style, steps=STEPS)).thermo[-1]
    report = []
    for column in ("Press", "PotEng"):
        a, da = mean(on_one_rank(lammps, power, precision)[column])
        b, db = mean(series["dpd"][column])
        report.append(f"{column} {a:.4f} and {b:.4f} +- {math.hypot(da, db):.4f}")
        require(abs(a - b) <= 4.0 * math.hypot(da, db), report[-1])
    print(", ".join(report))


def test_equipartition_between_types_of_different_mass(lammps):
    # the same repulsion for all: a mixture that separates would warm itself for long
    done = lammps.run(f"""
units lj
region box block 0 10 0 10 0 10
create_box 2 box
create_atoms 1 random {ATOMS} 9721 NULL
set type 1 type/fraction 2 0.5 881
mass 1 1.0
mass 2 3.0
group one type 1
group two type 2
velocity one create 2.0 87 loop geom
velocity two create 0.5 88 loop geom
pair_style dpd/gpu 1.0 1.0 {SEED} backend {BACKEND}
pair_coeff 1 1 25 4.5 power 0.5
pair_coeff 1 2 25 9.0
pair_coeff 2 2 25 2.0 power 0.25
neigh_modify every 5 delay 0 check no
timestep {DT}
fix move all nve
compute one one temp
compute two two temp
run 2000
thermo {EVERY}
thermo_style custom step c_one c_two
run {STEPS}
""")
    table = done.thermo[-1]
    print(", ".join(check_temperature(table[name], ATOMS / 2) for name in ("c_one", "c_two")))


@pytest.mark.parametrize("power, factors", [
    pytest.param(power, factors, id=f"{factors}, s = {power}")
    for power, factors in ((1.0, "0 0.5 1"), (0.25, "0 0.5 1"), (1.0, "0.5 0.25 0.5"))])
def test_chains_special_bonds_lj(lammps, power, factors):
    """Bonded partners feel factor times the friction, hence root of factor times the noise: with any other noise
    this fluid has another temperature, as a good part of its friction is between such partners."""
    lammps.write("chains.data", chains(count=500, beads=6, edge=10.0, types=1, bond=0.5)[0])
    done = lammps.run(f"""
units lj
atom_style bond
special_bonds lj {factors}
read_data chains.data
mass 1 1.0
velocity all create 1.0 87 loop geom
pair_style dpd/gpu 1.0 1.0 {SEED} backend {BACKEND}
pair_coeff 1 1 25 4.5 power {power}
bond_style harmonic
bond_coeff 1 50 0.5
neigh_modify every 5 delay 0 check no
timestep {DT}
fix move all nve
run 500
velocity all scale 1.0
run 500
velocity all scale 1.0
run 1000
thermo {EVERY}
thermo_style custom step temp
run {STEPS}
""")
    print(check_temperature(done.thermo[-1]["Temp"], 3000))


# A flow along z is driven by a force that varies as sin(2 pi x / 5). Its amplitude is force * density / (viscosity k^2);
# v_wave, the mean of vz sin(kx), is half of that, and forgets itself in density / (viscosity k^2), 1.2 time units or
# less: blocks of 2 are nearly independent.
FLOW_BLOCK = 400
FLOW = f"""
units lj
comm_modify vel yes
region box block 0 5 0 8 0 10
create_box 1 box
create_atoms 1 random 1200 9721 NULL
mass 1 1.0
velocity all create 1.0 87 loop geom mom yes
pair_style {{style}}
pair_coeff 1 1 25 4.5 {{across}} 1.0 0.5
neigh_modify every 5 delay 0 check no
timestep {DT}
variable k equal 2*PI/5
variable push atom {{force}}*sin(v_k*x)
variable flow atom vz*sin(v_k*x)
fix move all nve
fix push all addforce 0 0 v_push
compute across all temp/partial 1 1 0
compute wave all reduce ave v_flow
run {{warm}}
fix mean all ave/time 5 {FLOW_BLOCK // 5} {FLOW_BLOCK} c_across c_wave
thermo {FLOW_BLOCK}
thermo_style custom step f_mean[1] f_mean[2]
thermo_modify format float %.17g
run {{steps}}
"""


def flow(lammps, style, across, force, blocks):
    """Temperature and viscosity, each with its standard error."""
    table = lammps.run(FLOW.format(style=style, across=across, force=force, warm=4 * FLOW_BLOCK,
                                 steps=blocks * FLOW_BLOCK)).thermo[-1]
    wave, error = mean_of_blocks(table["f_mean[2]"][1:])
    viscosity = 3.0 * force / (2.0 * wave * (2.0 * math.pi / 5.0)**2)
    return (*mean_of_blocks(table["f_mean[1]"][1:]), viscosity, viscosity * error / wave)


def test_dpd_ext_gpu_temperature_and_viscosity_as_with_dpd_ext(lammps):
    theirs = flow(lammps, f"dpd/ext 1.0 1.0 {SEED}", 13.5, 2.4, 16)
    ours = flow(lammps, f"dpd/ext/gpu 1.0 1.0 {SEED} backend {BACKEND}", 13.5, 2.4, 16)
    without = flow(lammps, f"dpd/ext/gpu 1.0 1.0 {SEED} backend {BACKEND}", 0.0, 0.6, 8)
    report = []
    for name, k in (("T", 0), ("viscosity", 2)):
        error = math.hypot(ours[k + 1], theirs[k + 1])
        report.append(f"{name} {ours[k]:.4f} and {theirs[k]:.4f} +- {error:.4f}")
        require(error < 0.02 * theirs[k] and abs(ours[k] - theirs[k]) <= 4.0 * error, report[-1])
    # friction across the line of centers makes a difference that such an error cannot hide
    report.append(f"viscosity {without[2]:.2f} without friction across")
    require(theirs[2] > 1.3 * without[2], report[-1])
    print(", ".join(report))


# Repulsive Lennard-Jones particles, which the thermostat alone warms from T = 1 to T = 2.
RAMP = f"""
units lj
comm_modify vel yes
lattice sc 0.7
region box block 0 12 0 12 0 12
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.0 87 loop geom mom yes
pair_style hybrid/overlay lj/cut 1.12246 {{style}} 1.0 1.0 1.5 {SEED} {{options}}
pair_coeff 1 1 lj/cut 1.0 1.0
pair_coeff 1 1 {{style}} 4.5
neigh_modify every 5 delay 0 check no
timestep {DT}
fix move all nve
run 1000
pair_style hybrid/overlay lj/cut 1.12246 {{style}} 1.0 2.0 1.5 {SEED} {{options}}
pair_coeff 1 1 lj/cut 1.0 1.0
pair_coeff 1 1 {{style}} 4.5
fix mean all ave/time 1 200 200 c_thermo_temp
thermo 200
thermo_style custom step f_mean
thermo_modify format float %.17g
run 4000
"""


def test_dpd_tstat_gpu_warms_from_tstart_to_tstop_as_dpd_tstat(lammps):
    """A mean over one time unit deviates less than one sample does, by sqrt(2/3N)."""
    theirs = lammps.run(RAMP.format(style="dpd/tstat", options="")).thermo[-1]["f_mean"][1:]
    target = 1.0 + (np.arange(20) + 0.5) / 20.0
    allowed = 4.0 * math.sqrt(2.0 / (3.0 * 1728)) * target
    ours = lammps.run(RAMP.format(style="dpd/tstat/gpu", options=f"backend {BACKEND}")).thermo[-1]["f_mean"][1:]
    size, off = np.abs(ours - theirs) / allowed, np.abs(ours - target) / (allowed + 0.03 * target)
    report = f"T = {ours[0]:.3f} to {ours[-1]:.3f}, of dpd/tstat {theirs[0]:.3f} to {theirs[-1]:.3f}"
    require(len(ours) == 20 and size.max() <= math.sqrt(2.0) and off.max() <= 1.0, report)
    print(report)


# ------------------------------------------------------------------------ boxes narrower than two cutoffs


# Several images of a neighbor are within the cutoff there, and each has friction. With one random number for all of them a
# slab of 0.8 cutoffs had 1.50, 1.50 and 0.13, a cube of 1.2 cutoffs 0.60.
NARROW = {"slab of 0.5": (8, 8, 0.5), "slab of 0.8": (8, 8, 0.8), "slab of 1.2": (8, 8, 1.2), "slab of 1.7": (8, 8, 1.7),
          "rod of 0.8": (14, 0.8, 0.8), "cube of 1.2": (1.2, 1.2, 1.2)}
NARROW_STYLES = {"dpd/gpu": ("1.0 1.0", "25 4.5"), "dpd/ext/gpu": ("1.0 1.0", "25 4.5 3.0 1 1"), "dpd/tstat/gpu": ("1.0 1.0 1.0", "4.5")}
NARROW_BLOCK = 100    # samples of a mean, 1,000 steps: sound waves along a slab are over by then. Twelve of them tell 1.3 from 1


@pytest.mark.statistical
@pytest.mark.parametrize("edges, style, precision", [
    pytest.param(edges, style, precision, id=f"{name} cutoffs, {style}, {precision}")
    for name, edges in NARROW.items()
    for style in (NARROW_STYLES if name == "slab of 0.8" else ["dpd/gpu"])
    for precision in ["double" if (name, style) == ("slab of 0.8", "dpd/gpu") else "mixed"]])
def test_narrow(lammps, edges, style, precision):
    """An atom that meets its own images has no fewer degrees of freedom: the total momentum alone is none."""
    settings, coefficients = NARROW_STYLES[style]
    done = lammps.run(f"""
units lj
region box block 0 {edges[0]} 0 {edges[1]} 0 {edges[2]}
create_box 1 box
create_atoms 1 random {round(3 * math.prod(edges))} 9721 NULL
mass 1 1.0
velocity all create 1.0 87 loop geom mom yes
pair_style {style} {settings} {SEED} backend {BACKEND} precision {precision}
pair_coeff 1 1 {coefficients}
neigh_modify every 1 delay 0 check yes
timestep {DT}
fix move all nve
compute x all temp/partial 1 0 0
compute y all temp/partial 0 1 0
compute z all temp/partial 0 0 1
run 1000
thermo 10
thermo_style custom step c_x c_y c_z
thermo_modify format float %.17g
run 12000
""")
    report = []
    for axis in "xyz":
        values = done.thermo[-1][f"c_{axis}"][1:]
        found, error = mean_of_blocks(values[:len(values) // NARROW_BLOCK * NARROW_BLOCK].reshape(-1, NARROW_BLOCK).mean(axis=1))
        report.append(f"T_{axis} = {found:.4f} +- {error:.4f}")
        require(abs(found - 1.0) <= 4.0 * error + 2.0 * SHIFT, ", ".join(report))
    print(", ".join(report))


# ------------------------------------------------------------------------ sub-styles with one seed


# LAMMPS knows a sub-style by the word in the input: with a suffix or without, where one is appended.
MIXTURES = ("hybrid/overlay dpd/gpu dpd/tstat/gpu", "hybrid/overlay dpd/tstat/exact/gpu dpd/exact/gpu",
            "hybrid/overlay dpd/gpu dpd/ext/gpu dpd/tstat/gpu", "hybrid/scaled dpd/gpu dpd/gpu",
            "hybrid/overlay dpd dpd/tstat")


def mixture(words):
    """pair_style and pair_coeff: equal friction in all of them, and only the first repels."""
    kind, *names = words.split()
    style, coefficients = f"pair_style {kind}", ""
    for k, name in enumerate(names):
        plain = re.sub("(/exact)?/gpu", "", name)
        number = f" {names[:k].count(name) + 1}" if names.count(name) > 1 else ""
        repulsion = "0" if "dpd" in [re.sub("(/exact)?/gpu", "", n) for n in names[:k]] else "25"
        style += ((" 1.0" if "scaled" in kind else "") + f" {name} " + ("1.0 " if plain == "dpd/tstat" else "")
                  + f"1.0 1.0 {SEED} backend {BACKEND}")
        coefficients += f"pair_coeff 1 1 {name}{number} " + {
            "dpd": f"{repulsion} 4.5", "dpd/ext": "0 4.5 4.5 1 1", "dpd/tstat": "4.5"}[plain] + "\n"
    return ("" if "gpu" in words else "suffix gpu\n") + f"{style}\n{coefficients}"


@pytest.mark.parametrize("words", MIXTURES)
@pytest.mark.statistical
def test_sub_styles_with_one_seed(lammps, words):
    """The same noise in two sub-styles would have amplitudes add up instead of variances: T = 2 for two, 3 for three."""
    name = equilibrate(lammps, 1.0)
    done = lammps.run(MEASURE.format(style=f"read_restart {name}\n{mixture(words)}", steps=STEPS // 2))
    print(check_temperature(done.thermo[-1]["Temp"], ATOMS))
