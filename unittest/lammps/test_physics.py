"""A fluid in equilibrium: its temperature is that of its thermostat whatever the exponent s, the precision, the
number of ranks and the molecules in it, and its pressure and energy are those of LAMMPS's own pair dpd.

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

import numpy as np

from lammps_run import BACKEND, Suite, chains, relative, require

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

suite = Suite()
series = {}    # (style, precision, s) -> thermo output


def steps_of(precision, ranks):
    """The slow ones are shorter; a trajectory that must be another's again needs no statistics."""
    if ranks > 1 and precision != "single":
        return STEPS // 4
    return STEPS // 2 if ranks > 1 or precision == "double" else STEPS


def blocks(values):
    """Means of the blocks, without the first sample, which belongs to the state before."""
    size = BLOCK // EVERY
    values = values[1:1 + (len(values) - 1) // size * size]
    return values.reshape(-1, size).mean(axis=1)


def mean(values):
    """Mean and its standard error."""
    means = blocks(values)
    return means.mean(), means.std(ddof=1) / math.sqrt(len(means))


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


def fluid(lammps, power, precision, ranks):
    name = equilibrate(lammps, power)
    style = (f"read_restart {name}\npair_style dpd/gpu 1.0 1.0 {SEED} precision {precision} backend {BACKEND}\n"
             f"pair_coeff 1 1 25 4.5 power {power}")
    exact = ranks > 1 and precision != "single"
    done = lammps.run(MEASURE.format(style=style, steps=steps_of(precision, ranks)), ranks=ranks)
    table = done.thermo[-1]
    if exact:
        # the same trajectory as on one rank, and so its temperature. LAMMPS adds up temperatures rank by rank.
        rows = STEPS // 4 // EVERY + 1
        wanted = series["dpd/gpu", precision, power]["Temp"][:rows]
        size = relative(table["Temp"], wanted)
        require(len(table["Temp"]) == rows and size < 1e-12, f"temperatures differ by {size:.1e} from those on 1 rank")
        return f"temperatures as on 1 rank, to {size:.0e}"
    if ranks == 1:
        series["dpd/gpu", precision, power] = table
    return check_temperature(table["Temp"], ATOMS)


def against_dpd(lammps, power, precision):
    """Pressure and energy do not depend on s: an equilibrium does not know its thermostat."""
    if "dpd" not in series:
        name = equilibrate(lammps, 1.0)
        style = f"read_restart {name}\ncomm_modify vel yes\npair_style dpd 1.0 1.0 {SEED}\npair_coeff 1 1 25 4.5"
        series["dpd"] = lammps.run(MEASURE.format(style=style, steps=STEPS)).thermo[-1]
    report = []
    for column in ("Press", "PotEng"):
        a, da = mean(series["dpd/gpu", precision, power][column])
        b, db = mean(series["dpd"][column])
        report.append(f"{column} {a:.4f} and {b:.4f} +- {math.hypot(da, db):.4f}")
        require(abs(a - b) <= 4.0 * math.hypot(da, db), report[-1])
    return ", ".join(report)


for power in (1.0, 0.5, 0.25):
    for ranks in (1, 4):
        for precision in ("single", "mixed", "double"):
            suite.add(f"s = {power}, {precision}, {ranks} rank(s)", fluid, power, precision, ranks)
for power in (1.0, 0.5, 0.25):
    suite.add(f"s = {power}, mixed, against pair dpd", against_dpd, power, "mixed")


@suite.case("equipartition between types of different mass")
def equipartition(lammps):
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
run 4000
thermo {EVERY}
thermo_style custom step c_one c_two
run {STEPS}
""")
    table = done.thermo[-1]
    return ", ".join(check_temperature(table[name], ATOMS / 2) for name in ("c_one", "c_two"))


def molecules(lammps, power, factors):
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
    return check_temperature(done.thermo[-1]["Temp"], 3000)


for power, factors in ((1.0, "0 0.5 1"), (0.25, "0 0.5 1"), (1.0, "0.5 0.25 0.5")):
    suite.add(f"chains, special_bonds lj {factors}, s = {power}", molecules, power, factors)


if __name__ == "__main__":
    suite.main()
