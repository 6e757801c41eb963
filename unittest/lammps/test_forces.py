"""Forces, energy and virial inside LAMMPS against the plain Python reference, in every kind of box.

A few atoms each, at the start, and in double precision also after three steps of fix nve, with either
neighbor list, on one and two ranks. In mixed and single precision there are only forces of the start to
compare: the noise reads velocity bits, which a relative error of 1e-7 can change after a step. Bounds:
relative to the root mean square force, 1e-9 in double precision (the engine's cosine has an error of
1.1e-10, a deviate is at most 6.66), else 1e-5 (a few tens of pairs, each to some 2^-24); single
precision makes no promise on the total of all forces.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import math
import os
import random
import re
import subprocess
import sys

import reference_dpd as reference

COEFFICIENTS = {(1, 1): (25.0, 4.5, 1.0, 1.0), (1, 2): (35.0, 3.0, 0.8, 0.5), (2, 2): (20.0, 4.5, 0.9, 0.25)}
MASSES = {1: 1.0, 2: 2.5}
KT, DT, SEED, STEPS, NATOMS = 1.1, 0.02, 90210, 3, 40

# name: box xx yy zz yz xz xy, boundary, atoms in the plane, ranks that LAMMPS can use
CASES = {
    "cube": ((2.4, 2.4, 2.4, 0.0, 0.0, 0.0), "p p p", False, (1, 2)),
    "flat": ((4.0, 3.0, 0.7, 0.0, 0.0, 0.0), "p p p", False, (1, 2)),
    "tilted": ((2.6, 2.3, 2.5, -0.6, 0.7, 1.1), "p p p", False, (1, 2)),
    "plane": ((4.0, 3.5, 0.2, 0.0, 0.0, 0.0), "p p p", True, (1, 2)),
    "walls": ((3.0, 2.5, 2.6, 0.0, 0.0, 0.0), "f p s", False, (1, 2)),
    "open": ((3.0, 2.5, 2.6, 0.0, 0.0, 0.0), "s m s", False, (1, 2)),
}
SPECIAL = (1.0, 0.0, 0.4, 0.7)
BONDS = [(i, i + 1) for i in range(1, 12)] + [(3, 20), (5, 30)]


def lower_corner(box):
    return (-0.3, 0.2, -0.5 * box[2])


def make_atoms(box, periodic, plane, generator):
    xx, yy, zz, yz, xz, xy = box
    positions, velocities = {}, {}
    for i in range(1, NATOMS + 1):
        # away from fixed walls, where LAMMPS would lose atoms
        a, b, c = ((0.02 + 0.96 * generator.random()) if p else (0.2 + 0.6 * generator.random())
                   for p in periodic)
        c = 0.5 if plane else c
        at = (a * xx + b * xy + c * xz, b * yy + c * yz, c * zz)
        positions[i] = [x + low for x, low in zip(at, lower_corner(box))]
        velocities[i] = [generator.gauss(0.0, 1.0) for _ in range(3)]
        if plane:
            velocities[i][2] = 0.0
    # the first two as close as fluids of soft particles allow
    positions[2] = [x + dx for x, dx in zip(positions[1], (1e-3, -2e-3, 0.0))]
    return {i: 1 + i % 2 for i in positions}, positions, velocities


def write_data(path, box, types, positions, velocities, bonds):
    xx, yy, zz, yz, xz, xy = box
    with open(path, "w") as file:
        file.write(f"test of forces\n\n{len(types)} atoms\n2 atom types\n{len(bonds)} bonds\n1 bond types\n\n")
        for name, low, edge in zip("xyz", lower_corner(box), (xx, yy, zz)):
            file.write(f"{low!r} {low + edge!r} {name}lo {name}hi\n")
        if xy or xz or yz:
            file.write(f"{xy} {xz} {yz} xy xz yz\n")
        file.write("\nAtoms # bond\n\n")
        for i, t in types.items():
            file.write(f"{i} 1 {t} " + " ".join(repr(c) for c in positions[i]) + "\n")
        file.write("\nVelocities\n\n")
        for i, v in velocities.items():
            file.write(f"{i} " + " ".join(repr(c) for c in v) + "\n")
        if bonds:
            file.write("\nBonds\n\n")
            for k, (i, j) in enumerate(bonds):
                file.write(f"{k + 1} 1 {i} {j}\n")


def script(name, boundary, plane, options):
    coefficients = "\n".join(f"pair_coeff {i} {j} {a} {g} {rc} power {s}"
                             for (i, j), (a, g, rc, s) in COEFFICIENTS.items())
    masses = "\n".join(f"mass {t} {m}" for t, m in MASSES.items())
    dump = ("write_dump all custom {}.{} id fx fy fz modify sort id format float %.17g\n"
            'print "RESULT {} $(pe:%.17g) $(c_stress[1]:%.17g) $(c_stress[2]:%.17g) $(c_stress[3]:%.17g) '
            '$(c_stress[4]:%.17g) $(c_stress[5]:%.17g) $(c_stress[6]:%.17g) $(vol:%.17g) '
            '$(c_total[1]) $(c_total[2]) $(c_total[3]) $(c_energies:%.17g) $(c_stresses[4]:%.17g)"\n')
    return f"""units lj
dimension {2 if plane else 3}
boundary {boundary}
atom_style bond
bond_style zero nocoeff
special_bonds lj {SPECIAL[1]} {SPECIAL[2]} {SPECIAL[3]}
neighbor 0.3 bin
neigh_modify every 1 delay 0 check no
comm_modify cutoff {1.5 if "p p" in boundary else 3.0}
read_data {name}.data
bond_coeff *
{masses}
pair_style dpd/gpu {KT} 1.0 {SEED} {options}
{coefficients}
timestep {DT}
compute stress all pressure NULL pair
compute total all pair dpd/gpu
compute energy all pe/atom pair
compute energies all reduce sum c_energy
compute tensor all stress/atom NULL pair
compute stresses all reduce sum c_tensor[*]
fix integrate all nve
thermo_style custom step pe c_stress[1] c_total[1] c_energies c_stresses[1]
thermo 1
run 0
{dump.format("forces", "0", "0")}run {STEPS}
{dump.format("forces", STEPS, STEPS)}"""


def run_lammps(name, ranks, text):
    with open(f"in.{name}", "w") as file:
        file.write(text)
    command = [os.environ["DS_LMP"], "-in", f"in.{name}", "-log", "none", "-nocite"]
    if ranks > 1:
        command = [os.environ["DS_MPIEXEC"], "-n", str(ranks)] + command
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-3000:]}")
    results = {}
    for step in (0, STEPS):
        numbers = re.search(rf"^RESULT {step} (.*)$", done.stdout, re.M).group(1).split()
        with open(f"forces.{step}") as file:
            lines = file.read().split("\n")
        rows = [line.split() for line in lines[9:] if line]
        results[step] = ([float(n) for n in numbers], rows)
    return results


def compare(label, result, expected, bound):
    numbers, rows = result
    forces, energy, virial = expected
    errors = [reference.deviation(forces, rows)]
    volume = numbers[7]
    size = math.sqrt(sum(w * w for w in virial))
    errors.append(abs(numbers[0] * NATOMS - energy) / max(abs(energy), 1e-300))
    # compute pressure is intensive; in two dimensions it leaves out z
    for k, w in enumerate(virial):
        if w:
            errors.append(abs(numbers[1 + k] * volume - w) / size)
    total = numbers[8:11]
    errors.append(abs(numbers[11] - energy) / abs(energy))
    errors.append(abs(-numbers[12] - virial[3]) / size)    # stress/atom has the opposite sign
    good = max(errors) <= bound and ("single" in label or not any(total))
    print(f"{'ok  ' if good else 'FAIL'} {label}: largest deviation {max(errors):.1e} (allowed {bound:.0e}), "
          f"sum of forces {total}")
    return good


def main():
    generator = random.Random(7)
    good = True
    for name, (box, boundary, plane, ranks) in CASES.items():
        periodic = [b == "p" for b in boundary.split()]
        types, positions, velocities = make_atoms(box, periodic, plane, generator)
        write_data(f"{name}.data", box, types, positions, velocities, BONDS)
        if plane:
            periodic[2] = False    # all atoms in one plane: images in z do not interact
        expected = {}
        for step in (0, STEPS):
            fluid = reference.Fluid(box, periodic, types, dict(positions), dict(velocities), COEFFICIENTS,
                                    KT, DT, SEED, reference.bond_partners(BONDS), SPECIAL)
            expected[step] = fluid.run(step, MASSES, 1.0)
        for options, bound in (("precision double", 1e-9), ("precision double neigh lammps", 1e-9),
                               ("", 1e-5), ("precision single", 1e-5)):
            for n in ranks:
                result = run_lammps(name, n, script(name, boundary, plane, options))
                for step in (0, STEPS) if "double" in options else (0,):
                    label = f"{name}, {options or 'precision mixed'}, {n} rank(s), step {step}"
                    good &= compare(label, result[step], expected[step], bound)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
