"""pair_style dpd/coul/slater/long/gpu and coul/slater/long/gpu: forces, energies and pressures against LAMMPS's own styles with the
same kspace style, the same bits in all ways to run and on any number of ranks, total force, ion pairs against the analytic form,
files, fix adapt, hybrids, errors.

LAMMPS's styles take erfc from a formula that is good to 1.5e-7 (Abramowitz & Stegun, 7.1.26), and the engine one that is good to
1e-13. What differs is known: the same sum over pairs with both formulas. It is added to what LAMMPS's styles give.

DS_TEST_BACKEND=cuda makes the same checks on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later
"""

import math
import random

import numpy as np
import pytest

from checks import require
from lammps_run import BACKEND, BOTH_RUN_STYLES, DIGITS, STATE, difference, relative

EDGE, WATERS, IONS = 5.5, 300, 50    # pairs of ions; some are bonded to each other
LAMDA, CUTOFF, EWALD = 0.25, 2.4, 1.1
TOLERANCE = {"double": 1e-10, "mixed": 1e-6}
WATER, CATION, ANION = 1, 2, 3

pytestmark = pytest.mark.copies_in_turn


def data(chain=0, tilt=0.0, moved=0.0):
    """A data file with charges 1, -1 and 0.6, -0.6 of ions; `chain`: consecutive ions are bonded in chains of so many."""
    draw = random.Random(21)
    ions = 2 * IONS
    bonds = [k for k in range(1, ions) if chain and k % chain]
    head = ["salt", "", f"{ions + WATERS} atoms", "3 atom types", f"{len(bonds)} bonds", f"{1 if chain else 0} bond types"]
    head += [f"0 {EDGE} {axis}lo {axis}hi" for axis in "xyz"] + ([f"{tilt} 0 {-tilt} xy xz yz"] if tilt else [])
    atoms, speeds, at = [], [], [1.0, 1.0, 1.0]
    for k in range(ions + WATERS):
        near = chain and k < ions and k % chain
        at = [(c + draw.gauss(0, 0.35) if near else draw.uniform(0, EDGE)) for c in at]
        kind = CATION + k % 2 if k < ions else WATER
        charge = (1 - 2 * (k % 2)) * (0.6 if k % 4 < 2 else 1.0) if k < ions else 0.0
        place = [c % EDGE + moved for c in at] if not tilt else [0.05 * EDGE + 0.9 * (c % EDGE) for c in at]
        atoms.append(f"{k + 1} 1 {kind} {charge} {place[0]!r} {place[1]!r} {place[2]!r}")
        speeds.append(f"{k + 1} " + " ".join(repr(draw.gauss(0, 1)) for _ in range(3)))
    lines = head + ["", "Atoms # full", ""] + atoms + ["", "Velocities", ""] + speeds
    if bonds:
        lines += ["", "Bonds", ""] + [f"{k + 1} 1 {i} {i + 1}" for k, i in enumerate(bonds)]
    return "\n".join(lines) + "\n"


DPD = "pair_coeff * * 25 4.5 no\npair_coeff 2*3 2*3 25 4.5 yes\npair_coeff 1 2 30 3.0 no 1.2\n"
COUL = "pair_coeff * *\n"
SPECIAL = "special_bonds lj 0.3 0.5 1.0 coul 0.0 0.4 0.9\n"

ROWS = {
    "dpd, pppm": {},
    "dpd, ewald": {"kspace": "ewald 1e-4"},
    "dpd, tilted": {"tilt": 1.3},
    "dpd, special bonds": {"chain": 4, "special": SPECIAL},
    "dpd, all bonded pairs left out": {"chain": 3, "special": "special_bonds lj/coul 0.0 0.0 0.5\n"},
    "dpd, newton off": {"newton": "off"},
    "dpd, units real and a dielectric": {"units": "real", "dielectric": 78.0},
    "coul alone": {"alone": True},
    "coul alone, special bonds": {"alone": True, "chain": 4, "special": SPECIAL},
}

OUTPUT = """
thermo_style custom step temp evdwl ecoul elong pe press pxx pyy pzz pxy pxz pyz
thermo_modify norm no
thermo 5
"""
VALUES = """
print "values = $(evdwl:%.17g) $(ecoul:%.17g) $(pxx:%.17g) $(pyy:%.17g) $(pzz:%.17g) $(pxy:%.17g) $(pxz:%.17g) $(pyz:%.17g) $(elong:%.17g)"
"""
FINISH = f"{VALUES}write_dump all custom now.dump {STATE} q fx fy fz {DIGITS}\n"


def style_of(row, ours, temperature=0.0):
    suffix = "/gpu" if ours else ""
    if row.get("alone"):
        return f"coul/slater/long{suffix} {LAMDA} {CUTOFF}"
    return f"dpd/coul/slater/long{suffix} {temperature} 1.0 771 {LAMDA} {CUTOFF}"


def text(row, ours, run_style="verlet", run="run 0\n", words="", more="", temperature=0.0, pair=None):
    chain = row.get("chain", 0)
    bonds = ("bond_style zero\n", "bond_coeff *\n") if chain else ("", "")
    return (f"units {row.get('units', 'lj')}\natom_style full\n{bonds[0]}{row.get('special', '')}newton {row.get('newton', 'on')}\n"
            f"comm_modify vel yes\nread_data atoms.data\nmass * 1.0\n{bonds[1]}"
            f"pair_style {pair or style_of(row, ours, temperature) + ' ' + words}\n"
            f"{row.get('coefficients', COUL if row.get('alone') else DPD)}dielectric {row.get('dielectric', 1.0)}\n"
            f"kspace_style {row.get('kspace', 'pppm 1e-4')}\nkspace_modify gewald {EWALD} {row.get('modify', '')}\n"
            f"neighbor 0.3 bin\nneigh_modify every 1 delay 0 check yes\nrun_style {run_style}\ntimestep 0.01\nfix move all nve\n"
            f"{more}{OUTPUT}{run}{FINISH}")


def write_atoms(lammps, row):
    lammps.write("atoms.data", data(row.get("chain", 0), row.get("tilt", 0.0)))


def words_of(precision):
    return f"precision {precision} backend {BACKEND}"


# --------------------------------------------------------------------------------------- against LAMMPS


A_AND_S = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)


def by_formula(x):
    t = 1.0 / (1.0 + 0.3275911 * x)
    return sum(a * t**(k + 1) for k, a in enumerate(A_AND_S)) * math.exp(-x * x), 1.12837917


def by_libm(x):
    return math.erfc(x), 2.0 / math.sqrt(math.pi)


def correction(dump, edges, strength, cutoff=CUTOFF, g=EWALD):
    """What forces, ecoul and virial become by the better erfc. edges: of the box, as rows of a matrix."""
    rows = np.flatnonzero(dump.column["q"] != 0.0)
    x, q = dump.x[rows], dump.column["q"][rows]
    forces, energy, virial = np.zeros_like(dump.f), 0.0, np.zeros((3, 3))
    inverse = np.linalg.inv(edges)
    for i in range(len(rows)):
        d = x[i] - x[i + 1:]
        d -= np.rint(d @ inverse) @ edges    # nearest in fractions; others are looked at below
        for shift in np.array([(a, b, c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1)]) @ edges:
            s = d + shift
            r2 = np.einsum("ij,ij->i", s, s)
            for k in np.flatnonzero(r2 < cutoff**2):
                r = math.sqrt(r2[k])
                qq = strength * q[i] * q[i + 1 + k]
                (new, f_new), (old, f_old) = by_libm(g * r), by_formula(g * r)
                more = qq / r**3 * (new - old + (f_new - f_old) * g * r * math.exp(-(g * r) ** 2)) * s[k]
                forces[rows[i]] += more
                forces[rows[i + 1 + k]] -= more
                energy += qq / r * (new - old)
                virial += np.outer(s[k], more)
    return forces, energy, virial


def edges_of(row):
    tilt = row.get("tilt", 0.0)
    return np.array([[EDGE, 0, 0], [tilt, EDGE, 0], [0, -tilt, EDGE]])


@pytest.mark.parametrize("row, precision, ranks", [
    pytest.param(row, precision, 1 + (k + (precision == "mixed")) % 4, id=f"{name}, {precision}")
    for k, (name, row) in enumerate(ROWS.items())
    for precision in TOLERANCE])
def test_as_lammps(lammps, row, precision, ranks):
    write_atoms(lammps, row)
    other = lammps.run(text(row, False))
    wanted = lammps.dump("now.dump")
    done = lammps.run(text(row, True, words=words_of(precision)), ranks=ranks)
    found = lammps.dump("now.dump")
    units = {"lj": (1.0, 1.0), "real": (332.06371, 68568.415)}[row.get("units", "lj")]
    forces, energy, virial = correction(wanted, edges_of(row), units[0] / row.get("dielectric", 1.0))
    expected, values = np.array(other.printed("values")), np.array(done.printed("values"))
    expected[1] += energy
    for k, (a, b) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
        expected[2 + k] += units[1] * virial[a, b] / EDGE**3
    allowed = TOLERANCE[precision]
    ions = wanted.column["q"] != 0.0 if row.get("alone") else slice(None)    # others have no force at all
    sizes = {"force": relative(found.f[ions], (wanted.f + forces)[ions]), "energies": relative(values[:2], expected[:2]),
             "pressures": relative(values[2:8], expected[2:8])}
    for name, size in sizes.items():
        require(size <= allowed, f"{name}: {size:.2e} of the size, allowed are {allowed:.0e}; {values} {expected}")
    plain = relative(found.f, wanted.f)
    require(plain < 1e-4, f"forces without the correction: {plain:.1e}")
    require(np.abs(wanted.f).max() > 1e-3 and abs(expected[1]) > 1e-3, "no forces: nothing was tested")
    require(bool(row.get("alone")) == (values[0] == 0.0), "evdwl is that of dpd")
    print(f"forces agree to {sizes['force']:.1e}, without the correction to {plain:.1e}")


def of_atoms(lammps, run_style, ranks):
    """Energies and stresses of atoms, of both kinds of forces together."""
    row = ROWS["dpd, special bonds"]
    write_atoms(lammps, row)
    more = "compute e all pe/atom pair\ncompute s all stress/atom NULL pair\n"
    dump = f"write_dump all custom now.dump {STATE} q c_e c_s[*] {DIGITS}\n"
    values = []
    for ours in (False, True):
        commands = text(row, ours, run_style if ours else "verlet", "run 1\n", words_of("double") if ours else "", more)
        lammps.run(commands.replace(FINISH, dump), ranks=ranks if ours else 1)
        found = lammps.dump("now.dump")
        values.append((found.column["c_e"], found.vectors(*(f"c_s[{k}]" for k in range(1, 7)))))
    for name, a, b in zip(("energy", "stress"), values[1], values[0]):
        require(relative(a, b) < 1e-6 and np.abs(b).max() > 1.0, f"{name} of an atom differs by {relative(a, b):.1e}")


def test_energies_and_stresses_of_atoms_verlet_2_ranks(lammps):
    of_atoms(lammps, "verlet", 2)


def test_energies_and_stresses_of_atoms_verlet_gpu_1_rank(lammps):
    of_atoms(lammps, "verlet/gpu", 1)


# -------------------------------------------------------------------------------------------- same bits

@pytest.mark.parametrize("row", [pytest.param(ROWS[name], id=name) for name in ("dpd, tilted", "dpd, special bonds", "coul alone")])
def test_same_bits(lammps, row):
    """The part in real space alone, after 20 steps, with what LAMMPS's run style makes on one rank. The sum of its forces is
    exactly zero."""
    row = dict(row, modify="compute no")
    name = "coul/slater/long/gpu" if row.get("alone") else "dpd/coul/slater/long/gpu"
    more = f"compute p all pair {name}\nvariable p equal abs(c_p[1])+abs(c_p[2])+abs(c_p[3])\n"
    write_atoms(lammps, row)
    for precision in TOLERANCE:
        first = None
        for run_style, ranks in (("verlet", 1), ("verlet/gpu", 1), ("verlet/gpu", 2), ("verlet", 4)):
            done = lammps.run(text(row, True, run_style, "run 9\nrun 11\n", words_of(precision), more, 1.0)
                              + 'print "total = $(v_p:%.17g)"\n', ranks=ranks)
            require(done.printed("total")[0] == 0.0, f"total force {done.printed('total')}")
            now = lammps.dump("now.dump")
            first = first or now
            worse = difference(first, now)
            require(not worse, f"{precision}, {run_style} on {ranks} ranks: {worse}")


def same_with_mesh(lammps, ranks, more):
    """With kspace forces of LAMMPS, on as many ranks, in both run styles."""
    write_atoms(lammps, ROWS["dpd, special bonds"])
    states = []
    for run_style in ("verlet", "verlet/gpu"):
        done = lammps.run(text(ROWS["dpd, special bonds"], True, run_style, "run 9\nrun 11\n", words_of("mixed"), more, 1.0), ranks=ranks)
        states.append((lammps.dump("now.dump"), done.printed("values")))
    require(not difference(states[0][0], states[1][0]), difference(states[0][0], states[1][0]))
    require(relative(states[1][1], states[0][1]) < 1e-13, f"{states[0][1]} {states[1][1]}")    # LAMMPS rounds temperatures


ADAPTED = "variable q equal 1.0+0.02*step\nfix a plus adapt {every} atom charge v_q reset no\n"


@pytest.mark.parametrize("ranks", (1, 2))
def test_verlet_gpu_is_verlet_with_pppm(lammps, ranks):
    same_with_mesh(lammps, ranks, "")


@pytest.mark.parametrize("ranks, every", ((1, 1), (2, 1), (1, 4), (2, 4)))
def test_verlet_gpu_is_verlet_with_charges_that_fix_adapt_changes(lammps, ranks, every):
    same_with_mesh(lammps, ranks, "group plus type 2\n" + ADAPTED.format(every=every))


def test_verlet_gpu_is_verlet_in_a_box_that_lammps_barostat_changes(lammps):
    write_atoms(lammps, {})
    states = []
    for run_style in ("verlet", "verlet/gpu"):
        commands = text({}, True, run_style, "run 20\n", words_of("double"), "", 1.0).replace("fix move all nve", "fix move all npt temp 1 1 1 iso 40 20 1")
        done = lammps.run(commands + 'print "box = $(lx:%.17g)"\n')
        states.append((lammps.dump("now.dump").x, done.printed("box")))
    require(relative(states[1][0], states[0][0]) < 1e-9 and relative(states[1][1], states[0][1]) < 1e-10, f"{states[0][1]} {states[1][1]}")
    require(abs(states[0][1][0] - EDGE) > 1e-3, "the box did not change")


def test_charges_whose_sum_is_not_zero_lammps_warns_and_forces_are_made(lammps):
    write_atoms(lammps, {})
    done = lammps.run(text({}, True, words=words_of("mixed"), more="set atom 1 charge 2.5\n"))
    require("System is not charge neutral" in done.output, done.tail())


def test_fix_adapt_adapted(lammps):
    """Fix adapt: charges are read in each step, as LAMMPS's style reads them."""
    write_atoms(lammps, {})
    results = {}
    for ours in (False, True):
        more = "group plus type 2\n" + ADAPTED.format(every=1)
        done = lammps.run(text({}, ours, "verlet", "run 4\n", words_of("double") if ours else "", more))
        results[ours] = np.array(done.printed("values"))
    require(relative(results[True], results[False]) < 1e-6, str(results))
    still = np.array(lammps.run(text({}, True, "verlet", "run 4\n", words_of("double"))).printed("values"))
    require(relative(still[1], results[True][1]) > 1e-3, "charges did not change")


def test_fix_adapt_scale_of_coul_slater_long_as_with_lammps_style(lammps):
    write_atoms(lammps, {})
    results = {}
    for ours in (False, True):
        name = "coul/slater/long" + ("/gpu" if ours else "")
        more = f"variable s equal 0.5+0.1*step\nfix a all adapt 1 pair {name} scale 2 3 v_s\n"
        done = lammps.run(text({"alone": True}, ours, "verlet", "run 3\n", words_of("double") if ours else "", more))
        results[ours] = np.array(done.printed("values"))
    require(relative(results[True], results[False]) < 1e-6, str(results))


# ---------------------------------------------------------------------------------------------- ion pairs

def madelung(r, edge):
    """Energy of unit charges +1 and -1 at distance r along x in a periodic cube with a conducting surrounding, as points: a
    plain sum of Ewald's, with a screening of its own."""
    g, reach = 6.0 / edge, 8
    energy = 0.0
    for n in np.ndindex(3, 3, 3):
        shift = edge * (np.array(n) - 1)
        for sign, at in ((1.0, np.zeros(3)), (-1.0, np.array([r, 0.0, 0.0]))):
            s = float(np.linalg.norm(at + shift))
            if s > 0.0:
                energy += sign * math.erfc(g * s) / s    # half of it for each of two charges
    for n in np.ndindex(2 * reach + 1, 2 * reach + 1, 2 * reach + 1):
        k = 2.0 * math.pi / edge * (np.array(n) - reach)
        k2 = float(k @ k)
        if k2 > 0.0:
            energy += 2.0 * math.pi / edge**3 / k2 * math.exp(-k2 / (4 * g * g)) * (2.0 - 2.0 * math.cos(k[0] * r))
    return energy - 2.0 * g / math.sqrt(math.pi)


def test_an_ion_pair(lammps):
    """An ion pair: energy and force are those of Slater's form, for cutoffs and meshes that differ."""
    edge, worst = 10.0, 0.0
    for r in (0.05, 0.4, 1.3):
        smeared = (1.0 + r / LAMDA) * math.exp(-2.0 * r / LAMDA) / r
        wanted = madelung(r, edge) + smeared
        h = 1e-4
        slope = (madelung(r + h, edge) + (1.0 + (r + h) / LAMDA) * math.exp(-2.0 * (r + h) / LAMDA) / (r + h)
                 - madelung(r - h, edge) - (1.0 + (r - h) / LAMDA) * math.exp(-2.0 * (r - h) / LAMDA) / (r - h)) / (2 * h)
        lammps.write("atoms.data", f"pair\n\n2 atoms\n3 atom types\n0 {edge} xlo xhi\n0 {edge} ylo yhi\n0 {edge} zlo zhi\n\nAtoms # full\n\n"
                     f"1 1 2 1.0 5.0 5.0 5.0\n2 1 3 -1.0 {5.0 + r!r} 5.0 5.0\n")
        for cutoff, kspace in ((2.4, "ewald 1e-6"), (3.5, "pppm 1e-5"), (4.5, "ewald 1e-6")):
            row = {"alone": True, "kspace": kspace}
            input_text = text(row, True, words=words_of("double"), pair=f"coul/slater/long/gpu {LAMDA} {cutoff} {words_of('double')}")
            done = lammps.run(input_text.replace(f"kspace_modify gewald {EWALD}", ""))
            values = done.printed("values")
            force = lammps.dump("now.dump").f[1, 0]
            off = max(abs(values[1] + values[-1] - wanted), abs(force + slope))
            require(off < 3e-4, f"r {r}, cutoff {cutoff}, {kspace}: energy {values[1] + values[-1]}, force {force}; expected {wanted}, {-slope}")
            worst = max(worst, off)
    print(f"largest deviation {worst:.1e}")


# ------------------------------------------------------------------------------------------------ files

def test_a_restart_file_restarted(lammps):
    """A restart file: all settings are as before, and the run has the same bits."""
    row = {"modify": "compute no"}
    write_atoms(lammps, row)
    lammps.run(text(row, True, "verlet/gpu", "run 10\nwrite_restart at.10\nrun 10\n", words_of("mixed"), temperature=1.0))
    whole = lammps.dump("now.dump")
    for ranks in (1, 3):
        lammps.run(f"read_restart at.10\ncomm_modify vel yes\nkspace_style pppm 1e-4\nkspace_modify gewald {EWALD} compute no\n"
                   "neighbor 0.3 bin\nneigh_modify every 1 delay 0 check yes\nrun_style verlet/gpu\ntimestep 0.01\nfix move all nve\n"
                   f"{OUTPUT}run 10\n{FINISH}", ranks=ranks)
        require(not difference(whole, lammps.dump("now.dump")), f"{ranks} ranks: " + difference(whole, lammps.dump("now.dump")))


def test_a_restart_file_damage_is_found(lammps):
    write_atoms(lammps, {})
    lammps.run(text({}, True, run="run 0\nwrite_restart at.0\n", words=words_of("mixed")))
    # lamda and the cutoff of charges, and their digest
    mark = np.array([LAMDA, CUTOFF], dtype="<f8").tobytes()
    lammps.require_damage_found("at.0", mark, {3: "its settings have been changed", 17: "its settings have been changed"},
                                lambda name: f"read_restart {name}\n")


def test_data_files_written(lammps):
    """Data files: the coefficients are read back, and energies are the same."""
    for row in ({}, {"alone": True, "coefficients": COUL + "pair_coeff 2 3 scale 0.5\n"}):
        write_atoms(lammps, row)
        done = lammps.run(text(row, True, run="run 0\nwrite_data out.data pair ij\n", words=words_of("double")))
        again = lammps.run(f"atom_style full\npair_style {style_of(row, True)} {words_of('double')}\nread_data out.data\n"
                           f"kspace_style pppm 1e-4\nkspace_modify gewald {EWALD}\nneighbor 0.3 bin\n{OUTPUT}run 0\n{FINISH}")
        require(relative(again.printed("values"), done.printed("values")) < 1e-9, f"{done.printed('values')} {again.printed('values')}")


def test_pair_write_single_has_energy_and_force_of_lammps_style(lammps):
    for row in ({}, {"alone": True}):
        write_atoms(lammps, row)
        tables = []
        for ours in (False, True):
            lammps.run(text(row, ours, run=f"run 0\npair_write 2 3 40 r 0.1 2.6 {len(row)}{ours}.txt T 1.0 -0.7\n",
                            words=words_of("double") if ours else ""))
            with open(lammps.path(f"{len(row)}{ours}.txt"), encoding="utf-8") as file:
                lines = [line.split() for line in file]
            tables.append(np.array([line for line in lines if len(line) == 4 and line[0].isdigit()], dtype=float))
        require(len(tables[0]) == 40 and relative(tables[1], tables[0]) < 1e-6 and np.abs(tables[0][:, 2]).max() > 1.0,
                f"{relative(tables[1], tables[0]):.1e}")


# --------------------------------------------------------------------------------------------- hybrids

@pytest.mark.parametrize("run_style, ranks", [
    pytest.param(run_style, ranks, id=f"{run_style}, {ranks} ranks")
    for run_style, ranks in (("verlet", 1), ("verlet", 2), ("verlet/gpu", 1), ("verlet/gpu", 2))])
def test_hybrid_overlay_of_both_parts(lammps, run_style, ranks):
    """dpd/gpu and coul/slater/long/gpu beside each other make the forces of the style that has both, to the bit."""
    row = {"modify": "compute no", "coefficients": DPD}
    write_atoms(lammps, row)
    one = lammps.run(text(row, True, "verlet", "run 10\n", words_of("mixed"), temperature=1.0))
    whole = lammps.dump("now.dump")
    parts = ("pair_coeff * * dpd/gpu 25 4.5\npair_coeff 1 2 dpd/gpu 30 3.0 1.2\npair_coeff 2*3 2*3 coul/slater/long/gpu\n")
    pair = (f"hybrid/overlay dpd/gpu 1.0 1.0 771 {words_of('mixed')} coul/slater/long/gpu {LAMDA} {CUTOFF} {words_of('mixed')}")
    done = lammps.run(text(dict(row, coefficients=parts), True, run_style, "run 10\n", pair=pair), ranks=ranks)
    require(not difference(whole, lammps.dump("now.dump")), difference(whole, lammps.dump("now.dump")))
    require(relative(done.printed("values"), one.printed("values")) < 1e-12, f"{one.printed('values')} {done.printed('values')}")


def test_hybrid_of_two(lammps):
    """Hybrid/overlay of dpd/coul/slater/long/gpu and lj/cut/gpu: both run styles, one list."""
    write_atoms(lammps, {})
    parts = DPD.replace("* * 25", "* * dpd/coul/slater/long/gpu 25").replace("2*3 25", "2*3 dpd/coul/slater/long/gpu 25").replace(
        "1 2 30", "1 2 dpd/coul/slater/long/gpu 30") + "pair_coeff 2 2 lj/cut/gpu 0.1 0.3\n"
    pair = (f"hybrid/overlay {style_of({}, True, 1.0)} {words_of('mixed')} lj/cut/gpu 0.4 {words_of('mixed')}")
    states = []
    for run_style in ("verlet", "verlet/gpu"):
        done = lammps.run(text({"coefficients": parts}, True, run_style, "run 10\n", pair=pair))
        states.append((lammps.dump("now.dump"), done.printed("values")))
    require(not difference(states[0][0], states[1][0]), difference(states[0][0], states[1][0]))
    require(relative(states[1][1], states[0][1]) < 1e-13, f"{states[0][1]} {states[1][1]}")    # LAMMPS rounds temperatures


# ---------------------------------------------------------------------------------------------- errors


BOTH, ALONE = f"dpd/coul/slater/long/gpu 1.0 1.0 771 {LAMDA} {CUTOFF}", f"coul/slater/long/gpu {LAMDA} {CUTOFF}"
NO_MESH = [("kspace_style pppm 1e-4\n", ""), (f"kspace_modify gewald {EWALD} \n", "")]
ERRORS = {
    "no kspace style": ("there is no kspace_style for the long-range part, allowed are pppm, ewald", {}, BOTH, NO_MESH),
    "no kspace style, coul": ("there is no kspace_style for the long-range part, allowed are pppm, ewald", {"alone": True}, ALONE, NO_MESH),
    "a kspace style without charges in the pair style": ("KSpace style is incompatible with Pair style", {"coefficients": "pair_coeff * * 25 4.5\n"},
                                                         "dpd/gpu 1.0 1.0 771", []),
    "too few arguments": ("pair_style has 3 arguments, needed are T cutoff seed lamda cutoff_coul", {}, "dpd/coul/slater/long/gpu 1.0 1.0 771", []),
    "too few arguments, coul": ("pair_style has 1 arguments, needed are lamda cutoff", {"alone": True}, "coul/slater/long/gpu 0.25", []),
    "lamda of 0": ("pair_style: lamda is 0.0, allowed are finite numbers > 0", {}, f"dpd/coul/slater/long/gpu 1.0 1.0 771 0.0 {CUTOFF}", []),
    "a negative lamda": ("pair_style: lamda is -0.2, allowed are finite numbers > 0", {"alone": True}, f"coul/slater/long/gpu -0.2 {CUTOFF}", []),
    "no cutoff of charges": ("pair_style: cutoff_coul is 0, allowed are finite numbers > 0", {}, f"dpd/coul/slater/long/gpu 1.0 1.0 771 {LAMDA} 0", []),
    "is_charged": ("pair_coeff: is_charged is 1.0, allowed are yes and no", {"coefficients": "pair_coeff * * 25 4.5 1.0\n"}, BOTH, []),
    "a cutoff in pair_coeff": ("pair_coeff: 2.0 after the types, allowed is scale and a number", {"alone": True, "coefficients": "pair_coeff * * 2.0\n"},
                               ALONE, []),
    "nothing is charged": ("no pair of types is charged, allowed is one at least", {"coefficients": "pair_coeff * * 25 4.5 no\n"}, BOTH, []),
}


@pytest.mark.parametrize("error, row, pair, changes", ERRORS.values(), ids=ERRORS)
def test_refused(lammps, error, row, pair, changes):
    write_atoms(lammps, {})

    def input_of(run_style):
        commands = text(row, True, run_style, pair=pair)
        for old, new in changes:
            require(old in commands, f"{old} is not in the input")
            commands = commands.replace(old, new)
        return commands

    lammps.require_refused(error, input_of, (("verlet", 1),) if error.startswith("pair_") else BOTH_RUN_STYLES)


def test_refused_atoms_without_charges(lammps):
    lammps.require_refused("atoms of atom_style atomic have no charges, allowed are styles with charges",
                           lambda run_style: f"region b block 0 6 0 6 0 6\ncreate_box 1 b\ncreate_atoms 1 random 50 1 b\nmass 1 1\npair_style {BOTH}\n"
                           f"pair_coeff * * 25 4.5 yes\nrun_style {run_style}\nrun 0\n")
