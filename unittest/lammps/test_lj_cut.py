"""pair_style lj/cut/gpu: forces, energies and stresses against LAMMPS's own lj/cut with the same words, in all ways to run and on
any number of ranks; restart and data files, fix adapt, tail corrections, hybrids; errors.

DS_TEST_BACKEND=cuda makes the same checks on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later
"""

import math
import random

import numpy as np
import pytest

from checks import require
from lammps_run import BACKEND, DIGITS, STATE, difference, relative

SIDE, SPACING = 9, 1.1    # atoms near the points of a grid

# Largest deviation over the root mean square. double: positions and forces are fixed-point numbers of 62 bits. mixed: the force
# of a pair has an error of some 1e-6 of it, as a power of a float, and that of an atom is a difference of such forces that are
# ten times as large
TOLERANCE = {"double": 1e-10, "mixed": 2e-5}

pytestmark = pytest.mark.copies_in_turn


def data(chain=0, types=2, tilt=0.0):
    """A data file; `chain`: consecutive atoms are bonded in chains of so many."""
    draw = random.Random(11)
    edge, count = SIDE * SPACING, SIDE**3
    bonds = [k for k in range(1, count) if chain and k % chain]
    head = ["fluid", "", f"{count} atoms", f"{types} atom types", f"{len(bonds)} bonds", f"{1 if chain else 0} bond types"]
    head += [f"0 {edge} {axis}lo {axis}hi" for axis in "xyz"]
    if tilt:
        head.append(f"{tilt} 0 {-tilt} xy xz yz")
    atoms, speeds = [], []
    for k in range(count):
        at = [(c + 0.5) * SPACING + draw.uniform(-0.12, 0.12) for c in (k % SIDE, k // SIDE % SIDE, k // SIDE**2)]
        atoms.append(f"{k + 1} 1 {1 + (draw.random() < 0.4) * (types - 1)} {at[0]!r} {at[1]!r} {at[2]!r}")
        speeds.append(f"{k + 1} " + " ".join(repr(draw.gauss(0, 1)) for _ in range(3)))
    lines = head + ["", "Atoms # molecular", ""] + atoms + ["", "Velocities", ""] + speeds
    if bonds:
        lines += ["", "Bonds", ""] + [f"{k + 1} 1 {i} {i + 1}" for k, i in enumerate(bonds)]
    return "\n".join(lines) + "\n"


COEFFICIENTS = "pair_coeff 1 1 1.0 1.0\npair_coeff 2 2 1.3 0.85 2.2\n"

ROWS = {
    "plain": {},
    "shifted": {"modify": "pair_modify shift yes\n"},
    "a cutoff of its own for each pair": {"coefficients": COEFFICIENTS + "pair_coeff 1 2 0.4 1.1 1.7\n"},
    "repulsive": {"coefficients": "pair_coeff * * 1.0 1.0 1.122462048309373\n", "modify": "pair_modify shift yes\n"},
    "attraction alone": {"coefficients": COEFFICIENTS + "pair_coeff 1 2 -0.5 0.9\n"},
    "one pair of types without forces": {"coefficients": COEFFICIENTS + "pair_coeff 1 2 0.0 1.0\n"},
    "mix geometric": {"modify": "pair_modify mix geometric shift yes\n"},
    "mix arithmetic": {"modify": "pair_modify mix arithmetic\n"},
    "mix sixthpower": {"modify": "pair_modify mix sixthpower\n"},
    "tail": {"modify": "pair_modify tail yes\n"},
    "tail and mix arithmetic": {"modify": "pair_modify tail yes mix arithmetic\n"},
    "tilted": {"tilt": 1.7},
    "special bonds": {"chain": 5, "special": "special_bonds lj 0.0 0.5 0.8\n", "modify": "pair_modify shift yes\n"},
    "special bonds, all leave something": {"chain": 5, "special": "special_bonds lj 0.2 0.5 1.0\n"},
    "units real": {"units": "real", "scale": 3.4, "coefficients": "pair_coeff 1 1 0.238 3.4\npair_coeff 2 2 0.3 2.9 7.0\n", "cutoff": 8.5},
}

OUTPUT = """
compute e all pe/atom pair
compute s all stress/atom NULL pair
compute a all reduce sum c_e c_s[1]
thermo_style custom step temp pe press pxx pyy pzz pxy pxz pyz c_a[1] c_a[2]
thermo 5
"""
FINISH = f"""
print "values = $(pe:%.17g) $(pxx:%.17g) $(pyy:%.17g) $(pzz:%.17g) $(pxy:%.17g) $(pxz:%.17g) $(pyz:%.17g)"
write_dump all custom now.dump {STATE} fx fy fz c_e c_s[*] {DIGITS}
"""


def text(row, style, run_style="verlet", run="run 0\n", words="", atoms="atoms.data", more=""):
    chain = row.get("chain", 0)
    bonds = "bond_style harmonic\nbond_coeff 1 0.0 1.1\n" if chain else ""
    scale = row.get("scale", 1.0)
    grown = f"change_box all x scale {scale} y scale {scale} z scale {scale} remap\n" if scale != 1.0 else ""
    speed = "velocity all scale 100\n" if row.get("units") else ""
    return (f"units {row.get('units', 'lj')}\natom_style molecular\n{bonds.splitlines()[0] if bonds else ''}\n"
            f"{row.get('special', '')}newton {row.get('newton', 'on')}\nread_data {atoms}\nmass 1 1.0\nmass 2 1.4\n{grown}{bonds}"
            f"{speed}pair_style {style} {row.get('cutoff', 2.5)} {words}\n{row.get('coefficients', COEFFICIENTS)}"
            f"{row.get('modify', '')}neighbor {0.3 * scale} bin\nneigh_modify every 5 delay 0 check no\nrun_style {run_style}\n"
            f"timestep {0.002 if scale == 1.0 else 1.0}\nfix move all nve\n{more}{OUTPUT}{run}{FINISH}")


def write_atoms(lammps, row):
    lammps.write("atoms.data", data(row.get("chain", 0), tilt=row.get("tilt", 0.0)))


def words_of(precision):
    return f"precision {precision} backend {BACKEND}"


# --------------------------------------------------------------------------------------- against LAMMPS

def require_alike(found, wanted, done, other, tolerance):
    """Dumps and printed sums of two runs."""
    parts = {"force": (found.f, wanted.f), "energy of an atom": (found.column["c_e"], wanted.column["c_e"]),
             "stress of an atom": (found.vectors(*(f"c_s[{k}]" for k in range(1, 7))),
                                   wanted.vectors(*(f"c_s[{k}]" for k in range(1, 7)))),
             "energy and pressure": (done.printed("values"), other.printed("values"))}
    for name, (a, b) in parts.items():
        size = relative(a, b)
        allowed = tolerance * (3 if name == "stress of an atom" else 1)    # a difference of larger ones than the force
        require(size <= allowed, f"{name} differs by {size:.2e} of its size, allowed are {allowed:.0e}")
    require(np.abs(wanted.f).max() > 1e-3, "no forces: nothing was tested")


@pytest.mark.parametrize("row, precision, ranks", [
    pytest.param(row, precision, 1 + (k + (precision == "mixed")) % 4, id=f"{name}, {precision}")
    for k, (name, row) in enumerate(ROWS.items())
    for precision in TOLERANCE])
def test_as_lammps(lammps, row, precision, ranks):
    write_atoms(lammps, row)
    other = lammps.run(text(row, "lj/cut"))
    wanted = lammps.dump("now.dump")
    done = lammps.run(text(row, "lj/cut/gpu", words=words_of(precision)), ranks=ranks)
    found = lammps.dump("now.dump")
    require_alike(found, wanted, done, other, TOLERANCE[precision])
    print(f"forces agree to {relative(found.f, wanted.f):.1e}")


# -------------------------------------------------------------------------------------------- same bits

@pytest.mark.parametrize("row", [
    pytest.param(ROWS[name], id=name) for name in ("plain", "tail and mix arithmetic", "tilted", "special bonds")])
def test_same_bits(lammps, row):
    """After 40 steps, with what LAMMPS's run style makes on one rank."""
    write_atoms(lammps, row)
    states = {}
    for precision in TOLERANCE:
        for run_style, ranks in (("verlet", 1), ("verlet/gpu", 1), ("verlet/gpu", 2), ("verlet", 4)):
            lammps.run(text(row, "lj/cut/gpu", run_style, "run 17\nrun 23\n", words_of(precision)), ranks=ranks)
            states[run_style, ranks] = lammps.dump("now.dump")
            worse = difference(states["verlet", 1], states[run_style, ranks])
            require(not worse, f"{precision}, {run_style} on {ranks} ranks: {worse}")


def test_energy_is_kept_400_steps_within_what_lammps_style_loses(lammps):
    row = {"modify": "pair_modify shift yes\n"}
    write_atoms(lammps, row)
    more = "variable e equal etotal\nfix e all ave/time 1 1 1 v_e file e.txt\n"
    spread = {}
    for style, run_style, words in (("lj/cut", "verlet", ""), ("lj/cut/gpu", "verlet/gpu", words_of("mixed"))):
        lammps.run(text(row, style, run_style, "run 400\n", words, more=more))
        with open(lammps.path("e.txt"), encoding="utf-8") as file:
            energies = [float(line.split()[1]) for line in file if not line.startswith("#")]
        spread[style] = max(energies) - min(energies)
    require(spread["lj/cut/gpu"] < 1.05 * spread["lj/cut"], f"the total energy varies by {spread}")


def barostat(lammps, fix, tail):
    """The box after 20 steps follows the pressure with what pairs beyond the cutoff add."""
    boxes = {}
    row = {"modify": f"pair_modify tail {tail}\n"}
    write_atoms(lammps, row)
    for style, suffix, run_style, words in (("lj/cut", "", "verlet", ""), ("lj/cut/gpu", "/exact/gpu", "verlet/gpu", words_of("double"))):
        input_text = text(row, style, run_style, "run 20\n", words).replace("fix move all nve", f"fix move all {fix.replace('/X', suffix)}")
        boxes[style] = np.array(lammps.run(input_text + 'print "box = $(lx:%.17g) $(ly:%.17g) $(lz:%.17g)"\n').printed("box"))
    require(relative(boxes["lj/cut/gpu"], boxes["lj/cut"]) < 1e-9, str(boxes))
    return boxes["lj/cut"][0]


def test_barostats(lammps):
    """Barostats: tail corrections are part of the pressure, and the box is LAMMPS's."""
    for fix in ("npt/X temp 1.0 1.0 0.2 iso 1.0 1.0 1.0", "nph/X x 1.0 1.0 1.0 z 0.5 0.5 1.0"):
        with_tail, without = barostat(lammps, fix, "yes"), barostat(lammps, fix, "no")
        require(abs(with_tail - without) > 1e-6, f"{fix}: no difference, {with_tail}")


# ------------------------------------------------------------------------------------------------ files

def test_a_restart_file_restarted(lammps):
    """A restart file: coefficients, mixing, shift and tail are as before, and the run has the same bits."""
    row = {"modify": "pair_modify mix sixthpower shift yes tail no\n"}
    write_atoms(lammps, row)
    lammps.run(text(row, "lj/cut/gpu", "verlet/gpu", "run 20\nwrite_restart at.20\nrun 20\n", words_of("mixed")))
    whole = lammps.dump("now.dump")
    for ranks in (1, 3):
        lammps.run("read_restart at.20\nneighbor 0.3 bin\nneigh_modify every 5 delay 0 check no\nrun_style verlet/gpu\n"
                   f"timestep 0.002\nfix move all nve\n{OUTPUT}run 20\n{FINISH}", ranks=ranks)
        require(not difference(whole, lammps.dump("now.dump")), f"{ranks} ranks: " + difference(whole, lammps.dump("now.dump")))
    tails = {"modify": "pair_modify mix arithmetic tail yes\n"}
    before = lammps.run(text(tails, "lj/cut/gpu", run="run 0\nwrite_restart at.0\n", words=words_of("double")))
    after = lammps.run(f"read_restart at.0\nneighbor 0.3 bin\nfix move all nve\n{OUTPUT}run 0\n{FINISH}")
    require(before.printed("values") == after.printed("values"), f"{before.printed('values')} {after.printed('values')}")


def test_a_restart_file_damage_is_found(lammps):
    write_atoms(lammps, {})
    lammps.run(text({}, "lj/cut/gpu", run="run 0\nwrite_restart at.0\n", words=words_of("mixed")))
    # five flags, the cutoff and three settings of pair_modify; then the digest and the coefficients
    mark = np.array([2, 1, 0], dtype="<i4").tobytes()
    lammps.require_damage_found("at.0", mark, {21: "its settings have been changed", 30: "its settings have been changed",
                                               60: "its coefficients have been changed"},
                                lambda name: f"read_restart {name}\n")


def test_a_data_file_written(lammps):
    """A data file: LAMMPS's own style reads the coefficients, and has the same energy."""
    row = {"coefficients": COEFFICIENTS + "pair_coeff 1 2 0.4 1.1 1.7\n"}
    write_atoms(lammps, row)
    done = lammps.run(text(row, "lj/cut/gpu", run="run 0\nwrite_data out.data pair ij\n", words=words_of("double")))
    other = lammps.run("atom_style molecular\npair_style lj/cut 2.5\nread_data out.data\nneighbor 0.3 bin\n"
                       f"{OUTPUT}run 0\n{FINISH}")
    require(relative(done.printed("values")[0], other.printed("values")[0]) < 1e-10,
            f"{done.printed('values')[0]} {other.printed('values')[0]}")


# --------------------------------------------------------------------------------- what other commands ask

def adapted(lammps, what, value):
    """Mixed pairs follow, as with LAMMPS's own style."""
    write_atoms(lammps, {})
    more = f"variable s equal {value}\nfix a all adapt 1 pair STYLE {what} 1 1 v_s\n"
    results = {}
    for style, words in (("lj/cut", ""), ("lj/cut/gpu", words_of("double"))):
        done = lammps.run(text({}, style, "verlet", "run 3\n", words, more=more.replace("STYLE", style)))
        results[style] = done.printed("values")
    require(relative(results["lj/cut/gpu"], results["lj/cut"]) < 1e-10, str(results))


def test_fix_adapt_epsilon(lammps):
    adapted(lammps, "epsilon", "1.0+0.1*step")


def test_fix_adapt_sigma(lammps):
    adapted(lammps, "sigma", "0.9+0.01*step")


def test_single(lammps):
    """Pair_write and compute group/group: single() has energy and force of LAMMPS's own style."""
    write_atoms(lammps, {})
    tables = {}
    for style, words in (("lj/cut", ""), ("lj/cut/gpu", words_of("double"))):
        lammps.run(text({"modify": "pair_modify shift yes\n"}, style, run=f"run 0\npair_write 1 2 40 r 0.8 2.6 {len(tables)}.txt T\n",
                        words=words))
        with open(lammps.path(f"{len(tables)}.txt"), encoding="utf-8") as file:
            rows = [line.split() for line in file]
        tables[style] = np.array([row for row in rows if len(row) == 4 and row[0].isdigit()], dtype=float)
    require(len(tables["lj/cut"]) == 40 and relative(tables["lj/cut/gpu"], tables["lj/cut"]) < 1e-12, str(tables))


# --------------------------------------------------------------------------------------------- hybrids

@pytest.mark.parametrize("run_style, ranks", [
    pytest.param(run_style, ranks, id=f"{run_style}, {ranks} ranks")
    for run_style, ranks in (("verlet", 1), ("verlet", 2), ("verlet/gpu", 1))])
def test_hybrid_overlay_with_dpd_tstat_gpu(lammps, run_style, ranks):
    """The DPD thermostat without friction beside it adds nothing; forces are those of lj/cut alone, to the bit."""
    write_atoms(lammps, {})
    row = ROWS["a cutoff of its own for each pair"]
    alone = text(row, "lj/cut/gpu", "verlet", "run 10\n", words_of("mixed"))
    beside = text({"coefficients": row["coefficients"].replace("1.0 1.0", "lj/cut/gpu 1.0 1.0").replace("1.3 0.85", "lj/cut/gpu 1.3 0.85")
                   .replace("0.4 1.1", "lj/cut/gpu 0.4 1.1") + "pair_coeff * * dpd/tstat/gpu 0.0\n"},
                  "hybrid/overlay lj/cut/gpu", run_style, "run 10\n",
                  f"{words_of('mixed')} dpd/tstat/gpu 1.0 1.0 1.5 771 backend {BACKEND}")
    lammps.run(alone)
    one = lammps.dump("now.dump")
    lammps.run(beside, ranks=ranks)
    require(not difference(one, lammps.dump("now.dump")), difference(one, lammps.dump("now.dump")))


def test_melt(lammps):
    """A melt of chains with FENE bonds and the DPD thermostat keeps its temperature.

    Kremer and Grest's chains from positions on a line of a lattice. The temperature of 729 atoms has a relative deviation of
    sqrt(2 / (3 n)); its mean over 500 steps, of correlated values, has at most that: 4 of them."""
    lammps.write("atoms.data", data(chain=9))
    row = {"chain": 9, "special": "special_bonds fene\n", "cutoff": "1.122462048309373",
           "coefficients": "pair_coeff * * lj/cut/gpu 1.0 1.0\npair_coeff * * dpd/tstat/gpu 5.0\n", "modify": "pair_modify shift yes\n"}
    commands = text(row, "hybrid/overlay lj/cut/gpu", "verlet", "run 500\n",
                    f"{words_of('mixed')} dpd/tstat/gpu 1.0 1.0 2.5 771 backend {BACKEND}")
    commands = commands.replace("bond_style harmonic\n", "bond_style fene\n").replace("bond_coeff 1 0.0 1.1\n", "bond_coeff 1 30.0 1.5 1.0 1.0\n")
    commands = commands.replace("timestep 0.002", "timestep 0.005").replace("run 500", "run 500\nfix t all ave/time 1 500 500 c_thermo_temp\nrun 500")
    done = lammps.run(commands + 'print "mean = $(f_t)"\n')
    mean = done.printed("mean")[0]
    require(abs(mean - 1.0) < 4.0 * math.sqrt(2.0 / (3 * SIDE**3)), f"temperature {mean}")


# ---------------------------------------------------------------------------------------------- errors


ERRORS = {
    "no cutoff": ("pair_style has 0 arguments, needed are cutoff", {"cutoff": ""}),
    "a cutoff of 0": ("pair_style: cutoff is 0.0, allowed are finite numbers > 0", {"cutoff": "0.0"}),
    "a seed": ("pair_style: unknown keyword 771, allowed are precision, backend, neigh", {"cutoff": "2.5 771"}),
    "no sigma": ("pair_coeff has 3 arguments, needed are I J epsilon sigma", {"coefficients": "pair_coeff 1 1 1.0\n"}),
    "a negative sigma": ("pair_coeff: sigma is -1.0, allowed are finite numbers >= 0", {"coefficients": "pair_coeff * * 1.0 -1.0\n"}),
    "not a number": ("pair_coeff: epsilon is nan, allowed are finite numbers", {"coefficients": "pair_coeff * * nan 1.0\n"}),
    "a type is missing": ("All pair coeffs are not set", {"coefficients": "pair_coeff 1 1 1.0 1.0\n"}),
    "too close": ("exceeds the fixed-point range", {"coefficients": "pair_coeff * * 1.0 2.3 5.0\n", "cutoff": "5.0"}),
}


@pytest.mark.parametrize("error, row", ERRORS.values(), ids=ERRORS)
def test_refused(lammps, error, row, words="", more=""):
    write_atoms(lammps, {})
    lammps.require_refused(error, lambda run_style: text(row, "lj/cut/gpu", run_style, more + "run 0\n", words))
