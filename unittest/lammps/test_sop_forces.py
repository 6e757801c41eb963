"""Forces of fix langevin/sop/gpu and those that other commands add, and what the fix gives out, against eq. 1 in numpy
(sop_molecules.py) and against LAMMPS itself.

Without noise a bead moves by f dt / zeta in a step of first order. Where f comes from LAMMPS, an input without the
fix tells it.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import numpy as np
import pytest

from checks import require
from sop_molecules import BOLTZ, ZETA, Molecule, data, positions, script, snapshots

HELIX = Molecule(24)
COPIES = 3
FREE = [(8.0, 0.0, 2.0 + 6.0 * k) for k in range(5)]
ROWS = HELIX.atoms(COPIES, FREE, apart=15.0, shake=0.12)
BEADS = COPIES * HELIX.beads

# A displacement is rounded to 2^-29 angstrom, and a coordinate that forces see to 2^-17, on which beads begin here.
# A force on a bead is a sum of at most 23 pairs in whole 2^-16 kcal/mol/angstrom (k R0 = 45 is the largest scale, in
# (2^21, 2^22] units), in single arithmetic: some 2^-20 of a pair's repulsion, which is below 200.
POSITION = 2.0**-29
FORCE = 23 * 0.5 * 2.0**-16 + 200.0 * 2.0**-20
DT = 2000.0


@pytest.fixture(autouse=True)
def files(lammps):
    lammps.write("molecule.sop", HELIX.sop(COPIES))
    lammps.write("atoms.data", data(ROWS))


def ordered(rows):
    found = positions(rows)
    return np.array([found[i] for i in sorted(found)])


def model_forces(x):
    """Eq. 1 for all atoms; free ones have none."""
    f = np.zeros_like(x)
    for c in range(COPIES):
        part = slice(c * HELIX.beads, (c + 1) * HELIX.beads)
        f[part] = HELIX.evaluate(x[part])[2]
    return f


def check_move(first, last, forces, name):
    """That atoms have moved by forces dt / zeta: free atoms to 1e-6 and the rounding, beads to that of eq. 1."""
    moved, wanted = last - first, forces * DT / ZETA
    require(np.max(np.abs(wanted[BEADS:])) > 1e-3 or name == "nothing else", f"{name} hardly moves free atoms")
    off = np.abs(moved - wanted)
    require(np.all(off[BEADS:] <= 1e-6 * np.abs(wanted[BEADS:]) + POSITION),
            f"free atoms move by\n{moved[BEADS:]}, not\n{wanted[BEADS:]}")
    allowed = FORCE * DT / ZETA + 1e-6 * np.abs(wanted[:BEADS]) + POSITION
    require(np.all(off[:BEADS] <= allowed),
            f"beads are off by up to {np.max(off[:BEADS]):.3g}, allowed {np.min(allowed):.3g}")


ZERO = "pair_style zero 5.0\npair_coeff * *\n"
OTHERS = {
    "nothing else": "",
    "fix addforce": "fix push all addforce 1.5 -0.7 0.3",
    "fix setforce": "fix push all setforce 4.0 -2.0 NULL",
    "fix spring": "group end id 24 77\nfix pull end spring tether 2.0 20.0 5.0 9.0 1.0",
    "fix spring/self": "displace_atoms all random 0.01 0.01 0.01 7\nfix hold all spring/self 5.0\n"
                       "displace_atoms all move 0.25 0.125 0.5",
    "fix smd": "group end id 12 73:77\nfix pull end smd cvel 5.0 0.0 tether 20.0 5.0 9.0 1.0",
    "fix indent": "fix press all indent 2.0 sphere 8.5 1.0 13.5 9.0",
    "fix wall/harmonic": "fix wall all wall/harmonic xlo -2.9 3.0 1.0 14.0",
    "fix wall/lj126": "fix wall all wall/lj126 xhi 12.0 3.0 3.5 14.0",
    "fix addforce with a variable": "variable late atom 0.1*id-3\nfix field all addforce 0.0 v_late 0.0",
    "pair lj/cut": "pair_style lj/cut 9.0\npair_coeff * * 0.0 4.0\npair_coeff 1 2 0.3 5.0\npair_coeff 2 2 0.5 6.0",
    "two of them": "fix push all addforce 1.5 -0.7 0.3\nfix press all indent 2.0 sphere 8.5 1.0 13.5 9.0",
}


def others(lammps, name, commands, ranks):
    """Forces are those of a run without the fix."""
    box = "f f f" if "wall" in name else "s s s"
    head = script(T=0.0, dt=DT, pair=ZERO, boundary=box)
    if "wall" in name:
        head = head.replace("timestep", "change_box all x final -3 14\ntimestep")
    fix = next(line for line in head.splitlines() if line.startswith("fix move"))
    before = head.replace(fix, "") + commands + "\n"
    dump = "dump {0} all custom 1 {0}.dump id {1}\ndump_modify {0} sort id format float %.17g\n"
    lammps.run(before + "thermo 1\n" + dump.format("forces", "fx fy fz") + "run 0\n", ranks)
    lammps.run(before + fix + "\n" + dump.format("moved", "xu yu zu") + "run 1\n", ranks)
    forces = ordered(snapshots(lammps.path("forces.dump"))[0])
    moved = snapshots(lammps.path("moved.dump"))
    first, last = ordered(moved[0]), ordered(moved[1])
    check_move(first, last, forces + model_forces(first), name)


@pytest.mark.parametrize("name, commands", [pytest.param(name, commands, id=name) for name, commands in OTHERS.items()])
def test_step_at_t_0(lammps, name, commands):
    others(lammps, name, commands, 1)


def test_step_at_t_0_pair_lj_cut_3_ranks(lammps):
    others(lammps, "pair lj/cut", OTHERS["pair lj/cut"], 3)


def test_step_at_t_0_two_of_them_2_ranks(lammps):
    others(lammps, "two of them", OTHERS["two of them"], 2)


def test_second_order_the_mean_of_forces_before_and_after(lammps):
    lammps.run(script(T=0.0, dt=DT, keywords="order 2") + "dump out all custom 1 out.dump id xu yu zu\n"
               "dump_modify out sort id format float %.17g\nrun 1\n")
    found = snapshots(lammps.path("out.dump"))
    first, last = ordered(found[0]), ordered(found[1])
    f = model_forces(first)
    # the middle is on no grid: its coordinates are 2^-17 off, times the largest curvature, some 100
    wanted = 0.5 * (f + model_forces(first + f * DT / ZETA)) * DT / ZETA
    off = np.max(np.abs(last - first - wanted)[:BEADS])
    allowed = (FORCE + 100.0 * 2.0**-17) * DT / ZETA
    far = np.max(np.abs(wanted - f * DT / ZETA))
    require(off < allowed < 0.1 * far, f"off by {off:.3g}, allowed {allowed:.3g}, of {far:.3g}")


def mobility(x, radius, a):
    """Matrix of Rotne, Prager and Yamakawa in units of 1 / zeta, for beads that do not lie inside of others."""
    n = len(x)
    h = np.zeros((n, 3, n, 3))
    for i in range(n):
        h[i, :, i, :] = np.eye(3) * a / radius[i]
        for j in range(i):
            d = x[i] - x[j]
            r, p, q = np.linalg.norm(d), radius[i], radius[j]
            along = np.outer(d, d) / r**2
            if r > p + q:
                s = (p * p + q * q) / r**2
                block = 0.75 * a / r * ((1 + s / 3) * np.eye(3) + (1 - s) * along)
            else:
                m = (p - q)**2
                block = a / (32 * r**3 * p * q) * ((16 * r**3 * (p + q) - (m + 3 * r * r)**2) * np.eye(3) + 3 * (m - r * r)**2 * along)
            h[i, :, j, :] = h[j, :, i, :] = block
    return h.reshape(3 * n, 3 * n)


@pytest.mark.parametrize("keywords, a, radii, ranks", [
    pytest.param(keywords, a, radii, ranks, id=f"{keywords}, radii {radii}, {ranks} rank(s)")
    for ranks, keywords, a, radii in ((1, "hydro 2.5", 2.5, {}), (2, "hydro 1.2 tea", 1.2, {}), (1, "hydro 2.5 tea", 2.5, {3: 1.5, 24: 4.0}),
                                  (3, "hydro 2.5 exact", 2.5, {1: 3.25}))])
def test_step_at_t_0_hydro(lammps, keywords, a, radii, ranks):
    """Beads move by H f dt / zeta, molecule by molecule, and free atoms by themselves."""
    radius = np.full(HELIX.beads, a)
    for bead, value in radii.items():
        radius[bead - 1] = value
    lammps.write("molecule.sop", HELIX.sop(COPIES) + ("\nRadii\n\n" if radii else "") +
                 "".join(f"{bead} {value}\n" for bead, value in radii.items()))
    lammps.run(script(T=0.0, dt=DT, keywords=keywords, after="fix push all addforce 1.5 -0.7 0.3") +
               "dump out all custom 1 out.dump id xu yu zu\ndump_modify out sort id format float %.17g\nrun 1\n", ranks)
    found = snapshots(lammps.path("out.dump"))
    first, last = ordered(found[0]), ordered(found[1])
    forces = model_forces(first) + np.array([1.5, -0.7, 0.3])
    wanted = forces * DT / ZETA
    for c in range(COPIES):
        part = slice(c * HELIX.beads, (c + 1) * HELIX.beads)
        wanted[part] = (mobility(first[part], radius, a) @ wanted[part].ravel()).reshape(-1, 3)
    off = np.abs(last - first - wanted)
    # sums of 24 beads, each off by FORCE or by the roundings of single arithmetic, and none more mobile than the smallest bead
    most = max(1.0, a / min(radius)) * HELIX.beads
    allowed = most * (FORCE * DT / ZETA + POSITION + 1e-6 * np.max(np.abs(forces)) * DT / ZETA)
    far = np.max(np.abs(wanted - forces * DT / ZETA)[:BEADS])
    require(np.max(off) < allowed < 0.1 * far, f"off by {np.max(off):.3g}, allowed {allowed:.3g}, of {far:.3g}")


def test_a_shorter_reach_of_the_repulsion(lammps):
    """It changes what the other pairs add, and nothing else."""
    x = np.array([row[3:] for row in ROWS])
    for cutoff in (6.0, 9.0, 20.0):
        found = lammps.run(script(keywords=f"cutoff {cutoff} 1.0") + "thermo_style custom step f_move[*]\n"
                           "thermo_modify format float %.17g\nrun 0\n").thermo[0]
        parts = [HELIX.evaluate(x[c * HELIX.beads:(c + 1) * HELIX.beads], cutoff)[0] for c in range(COPIES)]
        for k, name in enumerate(("bonds", "native", "other", "angles")):
            wanted = sum(part[name] for part in parts)
            value = found[f"f_move[{k + 1}]"][0]
            # beads begin on whole units: what is left is the rounding of each of some 800 pairs to 2^-34
            require(abs(value - wanted) < 800 * 2.0**-34 + 1e-12 * abs(wanted),
                    f"cutoff {cutoff}: {name} is {value}, not {wanted}")


def test_fix_wall_reflect_which_moves_atoms_after_this_fix_has(lammps):
    lammps.write("atoms.data", data(HELIX.atoms(COPIES, FREE), low=(-60.0, -60.0, 0.0), high=(68.0, 68.0, 40.0)))
    commands = "dump out all custom 20 out.dump id xu yu zu\ndump_modify out sort id format float %.17g\nrun 400\n"
    lows = []
    for wall in ("fix wall all wall/reflect zlo -0.5\n", ""):
        lammps.run(script(T=600.0, dt=4000.0, boundary="f f f").replace("timestep", "change_box all z final -60 60\n"
                   "timestep") + wall + commands)
        lows.append(min(np.min(ordered(rows)[:, 2]) for rows in snapshots(lammps.path("out.dump")).values()))
    require(lows[0] >= -0.5 > lows[1], f"the lowest atoms are at {lows}")


# ---- what the fix gives out
VECTOR = ("thermo_style custom step pe f_move f_move[*]\nthermo_modify format float %.17g\n"
          "dump out all custom {every} out.dump id xu yu zu\ndump_modify out sort id format float %.17g\n"
          "thermo {every}\n")
FIXED, PULLED = [0, 1], [21, 23]


def output(lammps, ranks, spring):
    K, V, F, dt = 0.3, 2e-5, 0.7, 800.0
    how = f"spring {K} {V} end" if spring else f"force {F} 1 2 2"
    done = lammps.run(script(dt=dt, keywords=f"substeps 4 pull 1:2 22,24 {how} pullfile pull.txt 20") + VECTOR.format(
        every=20) + "fix_modify move energy yes\nrun 100\nrun 20\n", ranks)
    found = snapshots(lammps.path("out.dump"))
    with open(lammps.path("pull.txt")) as file:
        lines = np.array([line.split() for line in file if not line.startswith("#")], dtype=float)
    start = ordered(found[0])
    rows = {int(step): k for k, step in enumerate(done.thermo[0]["Step"])}
    for step in sorted(found)[:6]:
        x = ordered(found[step])
        row = {name: column[rows[step]] for name, column in done.thermo[0].items()}
        sums = {"bonds": 0.0, "native": 0.0, "other": 0.0, "angles": 0.0}
        intact, pulling, extension, of_copy = 0, [], [], {}
        for c in range(COPIES):
            part = x[c * HELIX.beads:(c + 1) * HELIX.beads]
            begin = start[c * HELIX.beads:(c + 1) * HELIX.beads]
            energy, whole, _ = HELIX.evaluate(part)
            for name in sums:
                sums[name] += energy[name]
            intact += whole
            end = part[PULLED].mean(axis=0) - part[FIXED].mean(axis=0)
            n = begin[PULLED].mean(axis=0) - begin[FIXED].mean(axis=0)
            along = (part[PULLED] - begin[PULLED]).mean(axis=0) @ n / np.linalg.norm(n)
            pulling.append(K * (V * dt * step - along) if spring else F)
            extension.append(np.linalg.norm(end))
            of_copy[c + 1] = whole / len(HELIX.contacts)
            require(np.array_equal(part[FIXED], begin[FIXED]), "fixed beads move")
        total = sum(sums.values())
        # coordinates are rounded to 2^-17: an energy is off by that times the force of some 50 beads, of some 20
        for name, wanted in (("f_move", total), ("PotEng", total), ("f_move[1]", sums["bonds"]),
                             ("f_move[2]", sums["native"]), ("f_move[3]", sums["other"]),
                             ("f_move[4]", sums["angles"])):
            require(abs(row[name] - wanted) < 50 * 20 * 2.0**-17, f"step {step}: {name} {row[name]}, not {wanted}")
        require(abs(row["f_move"] - sum(row[f"f_move[{k}]"] for k in (1, 2, 3, 4))) < 1e-9, "sum of energies")
        close = (("f_move[6]", intact / (COPIES * len(HELIX.contacts))), ("f_move[7]", np.mean(pulling)),
                 ("f_move[8]", np.mean(extension)))
        for name, wanted in close:
            require(abs(row[name] - wanted) < 1e-6, f"step {step}: {name} is {row[name]}, not {wanted}")
        if step:
            each = {int(line[1]): line for line in lines if line[0] == step}
            require(list(each) == [1, 2, 3], f"molecules {list(each)} at step {step}")
            for c, line in each.items():
                wanted = (pulling[c - 1], extension[c - 1], of_copy[c])
                require(np.allclose(line[2:], wanted, rtol=1e-5, atol=1e-6), f"{line} is not {wanted}")
    # as a second run begins, nothing has changed
    for name, column in done.thermo[1].items():
        require(name == "Step" or column[0] == done.thermo[0][name][-1], f"{name} changes between runs")
    require(len(lines) == COPIES * 6, f"{len(lines)} lines in the pullfile")


@pytest.mark.parametrize("ranks", (1, 2, 4))
def test_output_a_spring_that_pulls(lammps, ranks):
    output(lammps, ranks, True)


def test_output_a_constant_force(lammps):
    output(lammps, 1, False)


def test_settings(lammps):
    """The pullfile says what its lines are of, and again where the timestep changes; the log says it in pN."""
    text = script(dt=800.0, keywords="substeps 4 pull 1 24 spring 0.3 2e-5 end pullfile pull.txt 20")
    done = lammps.run(text + "run 40\nrun 40\ntimestep 400\nrun 40\nwrite_restart a.restart\n")
    require("  pulled by a spring of 208.4 pN/nm at 2e+06 um/s: 4.169e+11 pN/s\n" in done.output, done.tail())
    with open(lammps.path("pull.txt")) as file:
        lines = [line.strip() for line in file if line.startswith("#") or line.split()[1] == "1"]
    require([line for line in lines if line.startswith("#")] == [
        "# units real timestep 800 spring 0.3 speed 2e-05", "# step molecule force extension intact",
        "# units real timestep 400 spring 0.3 speed 2e-05"], f"{lines}")
    require([line.split()[0] for line in lines] == ["#", "#", "20", "40", "60", "80", "#", "100", "120"], f"{lines}")


def test_a_force_that_was_meant_in_pn_is_told(lammps):
    for force, warned in (("260", True), ("3.742", False), ("-29", True)):
        done = lammps.run(script(keywords=f"pull 1 24 force {force} end") + "run 0\n")
        require(("pN in units real" in done.output) == warned, f"{force}: {done.tail()}")
        require(warned or "  pulled by 260 pN\n" in done.output, done.tail())
    done = lammps.run(script(keywords="pull 1 24 force 260 end") + "run 0\n")
    require("a pull of force 260 is 1.806e+04 pN in units real; 260 pN would be force 3.742" in done.output, done.tail())


@pytest.mark.parametrize("factors, tilt, cylinder", [
    pytest.param((0.0, 1.0), None, None, id="repels"),
    pytest.param((1.0, -2.0), (0.1, -0.2, 0.05), None, id="attracts, the plane is tilted"),
    pytest.param((0.4, 0.6), None, ((1.0, -0.5, 3.0), (0.2, 0.1, 2.0), 9.0, "inside"), id="attracts and repels, in a cylinder"),
    pytest.param((1.0, 0.0), None, ((22.0, 0.0, 0.0), (0.0, 0.3, 1.0), 15.0, "outside"), id="repels, beside a cylinder")])
def test_output_a_tip_that_presses_without_noise_1_and_2_ranks(lammps, factors, tilt, cylinder):
    """The beads move as eq. 1, the tip, the plane and the cylinder say, the tip as they and its spring say: by NumPy, step by step.
    tilt: what the plane's normal has besides -n; cylinder: point, axis, radius, side."""
    K, V, zeta_tip, dt, eps, sigma, R = 5.0, 1e-4, 4e5, 1500.0, 0.8, 3.5, 9.0
    n = np.array([0.36, 0.48, -0.8])
    begin, plane, across = np.array([-9.5, -13.0, 21.0]), np.array([0.0, 0.0, -23.0]), n
    keywords = (f"indent {R} {begin[0]} {begin[1]} {begin[2]} spring {K} {V} 3.6 4.8 -8 friction {zeta_tip} "
                f"plane {plane[0]} {plane[1]} {plane[2]} repulsion {eps} {sigma}")
    if factors != (0.0, 1.0):
        keywords += f" lj {factors[0]} {factors[1]}"
    if tilt:
        across = n - np.array(tilt)
        keywords += " normal " + " ".join(repr(float(c)) for c in -across)
        across = across / np.linalg.norm(across)
    if cylinder:
        keywords += " cylinder " + " ".join(map(str, (*cylinder[0], *cylinder[1], *cylinder[2:])))

    def wall(gap):
        ratio = sigma / gap
        return np.where(gap < 3.0 * sigma, eps * (12.0 * factors[0] * ratio**12 + 6.0 * factors[1] * ratio**6) / gap, 0.0)

    def by_cylinder(x):
        if not cylinder:
            return np.zeros_like(x)
        axis = np.array(cylinder[1]) / np.linalg.norm(cylinder[1])
        d = x - np.array(cylinder[0])
        d = d - np.outer(d @ axis, axis)
        r, side = np.linalg.norm(d, axis=1), 1.0 if cylinder[3] == "inside" else -1.0
        return -side * (wall(side * (cylinder[2] - r)) / r)[:, None] * d

    lammps.write("atoms.data", data(HELIX.atoms(COPIES, shake=0.1)))
    for ranks in (1, 2):
        done = lammps.run(script(dt=dt, T=0.0, keywords=keywords) + VECTOR.format(every=1) + "run 60\n", ranks)
        found = snapshots(lammps.path("out.dump"))
        x = ordered(found[0]).reshape(COPIES, HELIX.beads, 3)
        centre, s = x.mean(axis=1), np.zeros(COPIES)
        touched = held = 0
        for step in range(60):
            force = K * (V * dt * step - s)
            row = {name: column[step] for name, column in done.thermo[0].items()}
            for name, wanted in (("f_move[9]", force.mean()), ("f_move[10]", s.mean())):
                require(abs(row[name] - wanted) < 1e-3 * abs(wanted) + 1e-5, f"step {step}: {name} is {row[name]}, not {wanted}")
            following = np.empty_like(x)
            for c in range(COPIES):
                d = x[c] - (centre[c] + begin + s[c] * n)
                r = np.linalg.norm(d, axis=1)
                by_tip = (wall(r - R) / r)[:, None] * d
                by_plane = -wall((centre[c] + plane - x[c]) @ across)[:, None] * across
                by_wall = by_cylinder(x[c] - centre[c])
                touched += np.any(by_tip) and np.any(by_plane)
                held += np.any(by_wall)
                following[c] = x[c] + dt / ZETA * (HELIX.evaluate(x[c])[2] + by_tip + by_plane + by_wall)
                s[c] += dt / zeta_tip * (force[c] - np.sum(by_tip, axis=0) @ n)
            x = ordered(found[step + 1]).reshape(COPIES, HELIX.beads, 3)
            # forces are summed in units of 2^-17, of some 50 pairs, and have single precision; noise is not there
            off = np.max(np.abs(x - following))
            require(off < dt / ZETA * 50 * 2.0**-16, f"step {step}: off by {off:.3g}")
        require(touched > 60, f"tip and plane are felt in {touched} steps")
        require(held > 60 or not cylinder, f"the cylinder is felt in {held} steps")


# ---- temperature and motion. Free atoms: n of them have 3 n independent numbers per step.
GAS = [(3.0 * (k % 20), 3.0 * (k // 20), 40.0) for k in range(400)]


def gas(lammps, commands, **changes):
    lammps.write("molecule.sop", HELIX.sop(1))
    lammps.write("atoms.data", data(HELIX.atoms(1, GAS)))
    return lammps.run(script(**changes) + commands)


@pytest.mark.statistical
def test_temperature_of_the_noise_of_a_ramp_and_diffusion(lammps):
    """A mean of squares of 3 n numbers has the relative standard error sqrt(2 / 3n). Beads of the molecule count, too."""
    n, steps = HELIX.beads + len(GAS), 200
    commands = ("thermo_style custom step f_move[5]\nthermo 1\ndump out all custom 200 out.dump id xu yu zu\n"
                "dump_modify out sort id format float %.17g\nrun 200\n")
    done = gas(lammps, commands, keywords="substeps 3")
    mean = np.mean(done.thermo[0]["f_move[5]"][1:])
    error = 300.0 * np.sqrt(2.0 / (3 * n * steps))
    require(abs(mean - 300.0) < 4 * error, f"T = {mean}, not 300 +- {error:.2g}")
    found = snapshots(lammps.path("out.dump"))
    moved = (ordered(found[steps]) - ordered(found[0]))[HELIX.beads:]
    wanted = 2.0 * BOLTZ * 300.0 * steps * 1000.0 / ZETA
    error = wanted * np.sqrt(2.0 / moved.size)
    require(abs(np.mean(moved**2) - wanted) < 4 * error, f"<dx^2> = {np.mean(moved**2):.4g}, not {wanted:.4g}")
    require(abs(np.mean(moved)) < 4 * np.sqrt(wanted / moved.size), f"<dx> = {np.mean(moved):.3g}")

    ramp = script().replace("langevin/sop/gpu 300.0 300.0", "langevin/sop/gpu 100.0 500.0")
    require("100.0 500.0" in ramp, ramp)
    found = lammps.run(ramp + commands).thermo[0]["f_move[5]"][1:]
    wanted = 100.0 + 400.0 * np.arange(1, steps + 1) / steps
    off = (found / wanted - 1.0) * np.sqrt(3 * n / 2.0)    # of standard deviation 1
    require(abs(np.mean(off)) < 4 / np.sqrt(steps), f"the ramp is off by {np.mean(off):.3g} standard deviations")
    require(abs(np.std(off) - 1.0) < 4 / np.sqrt(2 * steps), f"deviations from the ramp of {np.std(off):.3g} errors")


def test_a_ramp_over_several_runs_and_one_that_ends_at_0(lammps):
    commands = "thermo_style custom step f_move[5]\nthermo 1\nrun 10 start 0 stop 20\nrun 10 start 0 stop 20\n"
    ramp = script().replace("langevin/sop/gpu 300.0 300.0", "langevin/sop/gpu 300.0 0.0")
    two = lammps.run(ramp + commands).thermo
    one = lammps.run(ramp + "thermo_style custom step f_move[5]\nthermo 1\nrun 20\n").thermo[0]["f_move[5]"]
    require(np.array_equal(np.concatenate([two[0]["f_move[5]"], two[1]["f_move[5]"][1:]]), one), "another ramp")
    require(one[-1] == 0.0 and one[1] > 100.0, f"T = {one}")


@pytest.mark.statistical
def test_atoms_in_a_trap_have_its_temperature(lammps):
    """x(t+h) = (1 - a) x(t) + noise, a = k h / zeta: <x^2> = kT / k / (1 - a/2). Squares are correlated over 1/(2a) steps,
    so that samples 1/a apart keep exp(-2) of it: 1.31 times the variance of independent ones."""
    k, steps = 50.0, 2000
    a = k * 2000.0 / ZETA
    every = int(np.ceil(1.0 / a))
    gas(lammps, "group gas type 2\nfix trap gas spring/self 50.0\nrun 100\ndump out gas custom "
        f"{every} out.dump id xu yu zu\ndump_modify out sort id format float %.17g\nrun {steps}\n", dt=2000.0)
    x = np.array([ordered(rows) for rows in snapshots(lammps.path("out.dump")).values()]) - np.array(GAS)
    wanted = BOLTZ * 300.0 / k / (1.0 - 0.5 * a)
    error = wanted * np.sqrt(1.31 * 2.0 / x.size)
    require(abs(np.mean(x**2) - wanted) < 4 * error, f"<x^2> = {np.mean(x**2):.5g}, not {wanted:.5g} +- {error:.2g}")
    print(f"{(np.mean(x**2) - wanted) / error:.1f} standard errors")
