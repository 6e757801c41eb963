"""pair_style mdpd/gpu and mdpd/rhosum/gpu: forces, energies, stresses and densities against LAMMPS's own mdpd and mdpd/rhosum, in
all ways to run and on any number of ranks; restart and data files, fix adapt, suffix, hybrids; errors.

DS_TEST_BACKEND=cuda makes the same checks on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later
"""

import random

import numpy as np
import pytest

from checks import require
from lammps_run import BACKEND, DIGITS, STATE, WAYS, difference, relative

COUNT, EDGE, SIDE = 600, 4.9, 9

# Largest deviation over the root mean square. mixed: a force is a sum of some hundred pairs of either sign
TOLERANCE = {"double": 1e-10, "mixed": 2e-5}

pytestmark = pytest.mark.copies_in_turn


def data(style, types=2, tilt=0.0, chain=0):
    """A data file of atoms at random; `chain`: they are near points of a grid, and consecutive ones are bonded in chains of so many."""
    draw = random.Random(21)
    bonds = [k for k in range(1, COUNT) if chain and k % chain]
    head = ["fluid", "", f"{COUNT} atoms", f"{types} atom types"]
    if chain:
        head += [f"{len(bonds)} bonds", "1 bond types"]
    head += [f"0 {EDGE} {axis}lo {axis}hi" for axis in "xyz"]
    if tilt:
        head.append(f"{tilt} 0 {-tilt} xy xz yz")
    atoms, speeds = [], []
    for k in range(COUNT):
        at = [draw.uniform(0, EDGE) for _ in range(3)]
        if chain:
            at = [(c + 0.5 + draw.uniform(-0.2, 0.2)) * EDGE / SIDE for c in (k % SIDE, k // SIDE % SIDE, k // SIDE**2)]
        place = " ".join(repr(c) for c in at)
        kind = 1 + (draw.random() < 0.4) * (types - 1)
        words = {"atomic": f"{kind} {place}", "mdpd": f"{kind} 0.0 {place}", "hybrid mdpd bond": f"{kind} {place} 0.0 1"}[style]
        atoms.append(f"{k + 1} {words}")
        speeds.append(f"{k + 1} " + " ".join(repr(draw.gauss(0, 1)) for _ in range(3)))
    lines = head + ["", f"Atoms # {style.split()[0]}", ""] + atoms + ["", "Velocities", ""] + speeds
    if chain:
        lines += ["", "Bonds", ""] + [f"{k + 1} 1 {i} {i + 1}" for k, i in enumerate(bonds)]
    return "\n".join(lines) + "\n"


# pairs of types: A B gamma cutoff cutoff_d; range of the density
PLAIN = {"* *": ("-40.0 25.0 18.0 1.0 0.75", 0.75)}
MANY = {"1 1": ("-40.0 25.0 18.0 1.0 0.75", 0.75), "2 2": ("10.0 15.0 4.5 0.8 0.8", 0.6), "1 2": ("-20.0 30.0 9.0 1.2 0.6", 0.9)}

ROWS = {
    "plain": {},
    "three pairs of types": {"pairs": MANY},
    "masses": {"pairs": MANY, "masses": (2.0, 0.5)},
    "no friction": {"pairs": {"* *": ("-40.0 25.0 0.0 1.0 0.75", 0.75)}},
    "repulsion alone": {"pairs": {"* *": ("0.0 25.0 4.5 1.0 1.0", 1.0)}},
    "attraction alone": {"pairs": {"* *": ("-40.0 0.0 4.5 1.0 0.75", 0.75)}},
    "no cutoff_d": {"pairs": {"* *": ("15.0 25.0 4.5 1.0 0.0", 0.75)}},
    "tilted": {"pairs": MANY, "tilt": 0.9},
    "special bonds": {"pairs": MANY, "chain": 5, "atom_style": "hybrid mdpd bond", "special": "special_bonds lj 0.0 0.5 0.8\n"},
}

OUTPUT = """
compute e all pe/atom pair
compute s all stress/atom NULL pair
RHO
thermo_style custom step temp pe press pxx pyy pzz pxy pxz pyz
thermo 5
"""
FINISH = f"""
print "values = $(pe:%.17g) $(pxx:%.17g) $(pyy:%.17g) $(pzz:%.17g) $(pxy:%.17g) $(pxz:%.17g) $(pyz:%.17g)"
write_dump all custom now.dump {STATE} fx fy fz c_e c_s[*] RHO {DIGITS}
"""


def words_of(precision):
    return f"precision {precision} backend {BACKEND}"


def style_lines(row, density, force, temperature, words):
    """density '': mdpd/gpu alone."""
    pairs = row.get("pairs", PLAIN)
    name = f"hybrid/overlay {density} {force}" if density else force
    lines = [f"pair_style {name} {temperature} 1.0 771 {words}"]
    for types, (coefficients, rho) in pairs.items():
        if density:
            lines.append(f"pair_coeff {types} {density} {rho}")
        lines.append(f"pair_coeff {types} {force if density else ''} {coefficients}")
    return "\n".join(lines) + "\n"


def text(row, styles, run_style="verlet", run="run 0\n", atoms="atoms.data", more="", suffix=""):
    atom_style = row.get("atom_style", "mdpd")
    has_rho = "mdpd" in atom_style
    bonds = "bond_style zero\nbond_coeff *\n" if row.get("chain") else ""
    masses = row.get("masses", (1.0, 1.4))
    output = OUTPUT.replace("RHO", "compute rho all property/atom rho" if has_rho else "")
    finish = FINISH.replace("RHO", "c_rho" if has_rho else "")
    return (f"units lj\natom_style {atom_style}\ncomm_modify vel yes\n{row.get('special', '')}newton {row.get('newton', 'on')}\n"
            f"read_data {atoms}\nmass 1 {masses[0]}\nmass 2 {masses[1]}\n{bonds}{suffix}{styles}neighbor 0.3 bin\n"
            f"neigh_modify every 3 delay 0 check no\nrun_style {run_style}\ntimestep 0.005\n{row.get('fix', 'fix move all nve')}\n"
            f"{more}{output}{run}{finish}")


def write_atoms(lammps, row):
    lammps.write("atoms.data", data(row.get("atom_style", "mdpd"), tilt=row.get("tilt", 0.0), chain=row.get("chain", 0)))


def ours(row, precision="mixed", temperature=1.0):
    return style_lines(row, "mdpd/rhosum/gpu", "mdpd/gpu", temperature, words_of(precision))


def alone(row, precision="mixed", temperature=1.0):
    return style_lines(row, "", "mdpd/gpu", temperature, words_of(precision))


ATOMIC = {"atom_style": "atomic"}

# --------------------------------------------------------------------------------------- against LAMMPS

@pytest.mark.parametrize("row, precision, ranks", [
    pytest.param(row, precision, 1 + (k + (precision == "mixed")) % 4, id=f"{name}, {precision}")
    for k, (name, row) in enumerate(ROWS.items())
    for precision in TOLERANCE])
def test_as_lammps(lammps, row, precision, ranks):
    write_atoms(lammps, row)
    other = lammps.run(text(row, style_lines(row, "mdpd/rhosum", "mdpd", 0.0, "")))
    wanted = lammps.dump("now.dump")
    done = lammps.run(text(row, ours(row, precision, 0.0)), ranks=ranks)
    found = lammps.dump("now.dump")
    stress = [f"c_s[{k}]" for k in range(1, 7)]
    parts = {"force": (found.f, wanted.f), "density": (found.column["c_rho"], wanted.column["c_rho"]),
             "energy of an atom": (found.column["c_e"], wanted.column["c_e"]),
             "stress of an atom": (found.vectors(*stress), wanted.vectors(*stress)),
             "energy and pressure": (done.printed("values"), other.printed("values"))}
    for name, (a, b) in parts.items():
        size = relative(a, b)
        allowed = TOLERANCE[precision] * (3 if name == "stress of an atom" else 1)    # a difference of larger ones than the force
        require(size <= allowed, f"{name} differs by {size:.2e} of its size, allowed are {allowed:.0e}")
    require(np.abs(wanted.f).max() > 1.0 and wanted.column["c_rho"].max() > 1.0, "no forces: nothing was tested")
    print(f"forces agree to {relative(found.f, wanted.f):.1e}")


def test_with_suffix(lammps):
    """An input of LAMMPS with suffix exact/gpu: the same densities and forces, after some steps, too."""
    row = {"pairs": MANY}
    write_atoms(lammps, row)
    lines = style_lines(row, "mdpd/rhosum", "mdpd", 0.0, "")
    lammps.run(text(row, lines, run="run 5\n"))
    wanted = lammps.dump("now.dump")
    done = lammps.run(text(row, lines, run="run 5\n", suffix="suffix exact/gpu\n"), ranks=2)
    found = lammps.dump("now.dump")
    require("Pair mdpd/gpu: mixed precision" in done.output, done.tail())
    require(relative(found.f, wanted.f) < 1e-4, f"forces differ by {relative(found.f, wanted.f)}")
    require(relative(found.column["c_rho"], wanted.column["c_rho"]) < 1e-5, "densities differ")


# -------------------------------------------------------------------------------------------- same bits

def same_bits(lammps, row, styles, run="run 17\nrun 23\n"):
    """With noise, with what LAMMPS's run style makes on one rank."""
    write_atoms(lammps, row)
    for precision in TOLERANCE:
        first = None
        for run_style, ranks in WAYS:
            lammps.run(text(row, styles(row, precision), run_style, run), ranks=ranks)
            state = lammps.dump("now.dump")
            first = first or state
            worse = difference(first, state)
            require(not worse, f"{precision}, {run_style} on {ranks} ranks: {worse}")
            if "c_rho" in state.column:
                require(np.array_equal(first.column["c_rho"], state.column["c_rho"]), f"{precision}, {run_style}, {ranks}: densities")


def test_same_bits_plain_with_densities(lammps):
    same_bits(lammps, {}, ours)


def test_same_bits_masses_tilted(lammps):
    same_bits(lammps, {"pairs": MANY, "masses": (2.0, 0.5), "tilt": 0.9}, ours)


def test_same_bits_atom_style_atomic(lammps):
    same_bits(lammps, ATOMIC, alone)


def test_same_bits_special_bonds(lammps):
    same_bits(lammps, ROWS["special bonds"], ours, "run 4\nrun 6\n")


def test_without_rhosum(lammps):
    """Mdpd/gpu alone is mdpd/gpu beside mdpd/rhosum/gpu with the range cutoff_d, to the bit."""
    write_atoms(lammps, {})
    states = []
    for styles, run_style in ((ours, "verlet"), (alone, "verlet"), (alone, "verlet/gpu")):
        lammps.run(text({}, styles({}), run_style, "run 10\n"))
        states.append(lammps.dump("now.dump"))
        require(not difference(states[0], states[-1]), difference(states[0], states[-1]))


def test_dumped(lammps):
    """Densities in dumps during a run are those of run_style verlet, also where the engine sorts atoms and makes steps ahead."""
    write_atoms(lammps, {})
    more = (f"atom_modify sort 6 0.0\ncompute d all property/atom rho\ndump d all custom 4 RUN.dump id c_d\ndump_modify d {DIGITS[7:]}\n"
            "compute most all reduce max c_d\nfix most all ave/time 5 1 5 c_most file RUN.txt format ' %.17g'\n")
    found = {}
    for run_style, ranks in (("verlet", 1), ("verlet/gpu", 1), ("verlet/gpu", 2)):
        name = f"{run_style.replace('/', '')}{ranks}"
        lammps.run(text({}, ours({}), run_style, "run 40\n", more=more.replace("RUN", name)), ranks=ranks)
        files = []
        for end in ("dump", "txt"):
            with open(lammps.path(f"{name}.{end}"), encoding="utf-8") as file:
                files.append([line for line in file if not line.startswith("#")])
        found[run_style, ranks] = files
        require(files == found["verlet", 1], f"{run_style} on {ranks} ranks: other densities than by run_style verlet")
    require(len(found["verlet", 1][1]) == 9 and float(found["verlet", 1][1][-1].split()[1]) > 1.0, "no densities")


def test_the_total_force_is_zero_to_the_last_bit_on_any_number_of_ranks(lammps):
    write_atoms(lammps, {"pairs": MANY})
    more = "compute p all pair mdpd/gpu\nvariable p vector c_p\nthermo_style custom step c_p[1] c_p[2] c_p[3]\n"
    for ranks in (1, 3):
        done = lammps.run(text({"pairs": MANY}, alone({"pairs": MANY}), run="run 5\n", more=more)
                          + 'print "force = $(c_p[1]:%.17g) $(c_p[2]:%.17g) $(c_p[3]:%.17g)"\n', ranks=ranks)
        require(done.printed("force") == [0.0, 0.0, 0.0], str(done.printed("force")))


def test_hybrid(lammps):
    """A hybrid with another style of this package, on one list: resident steps have the bits of run_style verlet."""
    lines = (f"pair_style hybrid/overlay mdpd/rhosum/gpu mdpd/gpu 1.0 1.0 771 backend {BACKEND} lj/cut/gpu 1.1 backend {BACKEND}\n"
             "pair_coeff 1 1 mdpd/rhosum/gpu 0.6\npair_coeff 1 1 mdpd/gpu -40 25 18 1.0 0.75\n"
             "pair_coeff 1 2 lj/cut/gpu 0.01 0.3\npair_coeff 2 2 lj/cut/gpu 0.01 0.2\npair_coeff 1 1 lj/cut/gpu 0.01 0.1\n"
             "pair_modify pair mdpd/gpu special lj 0.9 0.4 0.7\n")
    row = {"chain": 5, "atom_style": "hybrid mdpd bond", "special": "special_bonds lj 0.2 0.5 0.8\n"}
    write_atoms(lammps, row)
    states = {}
    for run_style, ranks in (("verlet", 1), ("verlet/gpu", 1), ("verlet/gpu", 2)):
        input_text = text(row, lines, run_style, "run 20\n").replace("compute e all pe/atom pair\n", "") \
            .replace("compute s all stress/atom NULL pair\n", "").replace(" c_e c_s[*]", "")
        done = lammps.run(input_text, ranks=ranks)
        require("no resident path" not in done.output, done.tail())
        states[run_style, ranks] = lammps.dump("now.dump")
        worse = difference(states["verlet", 1], states[run_style, ranks])
        require(not worse, f"{run_style} on {ranks} ranks: {worse}")


# --------------------------------------------------------------------------------------- fix mvv/dpd/gpu

def test_fix_mvv_dpd_gpu_mvv_as_lammps(lammps):
    """Fix mvv/dpd/gpu: positions and velocities of LAMMPS's fix mvv/dpd after one step and after ten, of the same forces.

    Pair style dpd/gpu, which LAMMPS's fix accepts: it wants a name that begins with dpd."""
    write_atoms(lammps, {})
    pair = f"pair_style dpd/gpu 1.0 1.0 771 {words_of('double')}\npair_coeff * * 25.0 4.5\n"
    for steps, allowed in ((1, 1e-13), (10, 1e-11)):
        ends = []
        for fix in ("mvv/dpd 0.65", "mvv/dpd/gpu 0.65", "mvv/dpd/exact/gpu 0.5", "mvv/dpd/gpu"):
            row = {"fix": f"fix move all {fix}"}
            lammps.run(text(row, pair, run=f"run {steps}\n").replace("compute rho all property/atom rho", "").replace("c_rho", ""))
            ends.append(lammps.dump("now.dump"))
        for names in (("x", "y", "z"), ("vx", "vy", "vz")):
            size = relative(ends[1].vectors(*names), ends[0].vectors(*names))
            require(size < allowed, f"{names} after {steps} steps differ by {size:.2e} of their size")
        require(relative(ends[2].vectors("vx", "vy", "vz"), ends[1].vectors("vx", "vy", "vz")) > 1e-6, "lambda does nothing")
        require(not difference(ends[2], ends[3]), "the default is not 0.5")


def test_same_bits_fix_mvv_dpd_gpu(lammps):
    same_bits(lammps, {"fix": "fix move all mvv/dpd/gpu 0.65", "pairs": MANY, "masses": (2.0, 0.5)}, ours)


def test_mvv_at_walls(lammps):
    """Fix mvv/dpd/gpu with lambda 0.5 is nve, to the bit, also at walls that reflect velocities between both halves of a step."""
    write_atoms(lammps, {})
    states = []
    for fix, run_style in (("nve/exact/gpu", "verlet"), ("mvv/dpd/gpu 0.5", "verlet"), ("mvv/dpd/gpu 0.5", "verlet/gpu")):
        row = {"fix": f"change_box all boundary p p f\nfix move all {fix}\nfix wall all wall/reflect/gpu zlo 0.0 zhi {EDGE}"}
        lammps.run(text(row, alone(row), run_style, "run 30\n"))
        states.append(lammps.dump("now.dump"))
        require(not difference(states[0], states[-1]), difference(states[0], states[-1]))


def test_fix_mvv_dpd_gpu_a_restart_file_and_a_run_with_the_suffix(lammps):
    row = {"fix": "fix move all mvv/dpd 0.65"}
    write_atoms(lammps, row)
    lammps.run(text(row, alone(row), "verlet/gpu", "run 20\nwrite_restart at.20\nrun 20\n", suffix="suffix exact/gpu\n"))
    whole = lammps.dump("now.dump")
    for ranks in (1, 3):
        done = lammps.run("comm_modify vel yes\nread_restart at.20\nneighbor 0.3 bin\nneigh_modify every 3 delay 0 check no\n"
                          f"run_style verlet/gpu\ntimestep 0.005\nsuffix exact/gpu\n{row['fix']}\n"
                          f"{OUTPUT.replace('RHO', 'compute rho all property/atom rho')}run 20\n{FINISH.replace('RHO', 'c_rho')}",
                          ranks=ranks)
        worse = difference(whole, lammps.dump("now.dump"))
        require(not worse, f"{ranks} ranks: {worse}")
        require(ranks > 1 or "move (mvv/dpd/exact/gpu)" in done.output, done.tail())


# ------------------------------------------------------------------------------------------------ files

def test_a_restart_file_restarted(lammps):
    """A restart file: coefficients are as before, and the run has the same bits."""
    row = {"pairs": MANY}
    write_atoms(lammps, row)
    lammps.run(text(row, alone(row), "verlet/gpu", "run 20\nwrite_restart at.20\nrun 20\n"))
    whole = lammps.dump("now.dump")
    for ranks in (1, 3):
        lammps.run("comm_modify vel yes\nread_restart at.20\nneighbor 0.3 bin\nneigh_modify every 3 delay 0 check no\n"
                   f"run_style verlet/gpu\ntimestep 0.005\nfix move all nve\n"
                   f"{OUTPUT.replace('RHO', 'compute rho all property/atom rho')}run 20\n{FINISH.replace('RHO', 'c_rho')}", ranks=ranks)
        worse = difference(whole, lammps.dump("now.dump"))
        require(not worse, f"{ranks} ranks: {worse}")


def test_a_restart_file_damage_is_found(lammps):
    write_atoms(lammps, {})
    lammps.run(text({}, alone({}), run="run 0\nwrite_restart at.0\n"))
    # five flags, temperature and cutoff; then the digest and the coefficients
    mark = np.array([2, 771, 0], dtype="<i4").tobytes()
    lammps.require_damage_found("at.0", mark, {21: "its settings have been changed", 30: "its settings have been changed",
                                               54: "its coefficients have been changed"},
                                lambda name: f"read_restart {name}\n")


def test_a_data_file_written(lammps):
    """A data file: the words of its coefficients are those of LAMMPS's mdpd, and the energy is as before."""
    row = {"pairs": MANY, **ATOMIC}
    write_atoms(lammps, row)
    done = lammps.run(text(row, alone(row, "double"), run="run 0\nwrite_data out.data pair ij\n"))
    with open(lammps.path("out.data"), encoding="utf-8") as file:
        require("1 2 -20 30 9 1.2 0.6" in file.read(), "the pair of types 1 2 is not in the data file")
    again = lammps.run(f"atom_style atomic\npair_style mdpd/gpu 1.0 1.0 771 {words_of('double')}\nread_data out.data\n"
                       f"neighbor 0.3 bin\n{OUTPUT.replace('RHO', '')}run 0\n{FINISH.replace('RHO', '')}")
    require(relative(done.printed("values")[0], again.printed("values")[0]) < 1e-10,
            f"{done.printed('values')[0]} {again.printed('values')[0]}")


def test_fix_adapt_forces_are_those_of_the_coefficients_set(lammps):
    write_atoms(lammps, {})
    more = ("variable a equal -30.0\nvariable b equal 20.0\nvariable g equal 4.5\n"
            "fix a all adapt 1 pair mdpd/gpu a * * v_a pair mdpd/gpu b * * v_b pair mdpd/gpu gamma * * v_g\n")
    lammps.run(text({}, alone({}), run="run 1\n", more=more))
    found = lammps.dump("now.dump")
    row = {"pairs": {"* *": ("-30.0 20.0 4.5 1.0 0.75", 0.75)}}
    lammps.run(text(row, alone(row), run="run 1\n"))
    require(not difference(found, lammps.dump("now.dump")), difference(found, lammps.dump("now.dump")))


# ---------------------------------------------------------------------------------------------- errors

def both(first, second, before=""):
    return (f"pair_style hybrid/overlay mdpd/rhosum/gpu mdpd/gpu 1.0 1.0 771 backend {BACKEND}\n"
            f"{before}pair_coeff * * mdpd/rhosum/gpu {first}\npair_coeff * * mdpd/gpu {second}\n")


def one(coefficients, settings="1.0 1.0 771"):
    return f"pair_style mdpd/gpu {settings}\npair_coeff * * {coefficients}\n"


GOOD = "-40 25 18 1.0 0.75"
ERRORS = {
    "no seed": ("pair_style has 2 arguments, needed are T cutoff seed", one(GOOD, "1.0 1.0")),
    "no cutoff_d": ("pair_coeff has 6 arguments, needed are I J A B gamma cutoff cutoff_d", one("-40 25 18 1.0")),
    "a word too many": ("pair_coeff has 8 arguments, allowed are I J A B gamma cutoff cutoff_d", one(GOOD + " 0.75")),
    "cutoff_d beyond the cutoff": ("pair_coeff: cutoff_d is 1.1 for types 1 1, allowed are 0 to the cutoff 1", one("-40 25 18 1.0 1.1")),
    "a negative cutoff_d": ("pair_coeff: cutoff_d is -0.5, allowed are finite numbers >= 0", one("-40 25 18 1.0 -0.5")),
    "a range of the density beyond the cutoff": ("pair_coeff: cutoff is 1.5 for types 1 1, allowed are 0 to the cutoff 1 of mdpd/gpu",
                                                 both("1.5", GOOD)),
    "a range of the density of 0": ("pair_coeff: cutoff is 0.0, allowed are finite numbers > 0", both("0.0", GOOD)),
    "densities of LAMMPS": ("densities of LAMMPS's pair style mdpd/rhosum are not used",
                            both("0.75", GOOD).replace("mdpd/rhosum/gpu", "mdpd/rhosum")),
    "densities of other pairs of types": ("types 2 2 have no pair_coeff of mdpd/gpu",
                                          f"pair_style hybrid/overlay mdpd/rhosum/gpu mdpd/gpu 1.0 1.0 771 dpd/gpu 1.0 1.0 5\n"
                                          f"pair_coeff * * mdpd/rhosum/gpu 0.75\npair_coeff 1 * mdpd/gpu {GOOD}\npair_coeff 2 2 dpd/gpu 25 4.5\n"),
    "two sub-styles": ("has several sub-styles of this kind",
                       f"pair_style hybrid mdpd/gpu 1.0 1.0 771 mdpd/gpu 1.0 1.0 772\npair_coeff 1 * mdpd/gpu 1 {GOOD}\n"
                       f"pair_coeff 2 2 mdpd/gpu 2 {GOOD}\n"),
    "two sub-styles for densities": ("has several sub-styles mdpd/rhosum, allowed is one",
                                     "pair_style hybrid/overlay mdpd/rhosum/gpu mdpd/rhosum/gpu mdpd/gpu 1.0 1.0 771\n"
                                     "pair_coeff * * mdpd/rhosum/gpu 1 0.75\npair_coeff * * mdpd/rhosum/gpu 2 0.5\n"
                                     f"pair_coeff * * mdpd/gpu {GOOD}\n"),
    "too dense": ("exceeds the fixed-point range", one("-40 25 18 1.0 0.75") + "variable s atom 1.0+0.0001*id\n"
                  "set atom 1*400 x v_s y 1.0 z 1.0\n"),
}


@pytest.mark.parametrize("error, lines, row", [pytest.param(error, lines, {}, id=name) for name, (error, lines) in ERRORS.items()])
def test_refused(lammps, error, lines, row, more=""):
    write_atoms(lammps, row)
    lammps.require_refused(error, lambda run_style: text(row, lines, run_style, more + "run 0\n"))


def test_refused_densities_without_forces(lammps):
    write_atoms(lammps, {})
    lammps.run(text({}, "pair_style mdpd/rhosum/gpu\npair_coeff * * 0.75\n"), ok=False).require_error("there is no mdpd/gpu beside it")


def test_refused_masses_of_atoms(lammps):
    """Refused: masses of atoms; compute pair/local, as the force of a pair depends on other atoms."""
    row = {}
    write_atoms(lammps, row)
    sphere = ("units lj\natom_style sphere\nregion b block 0 5 0 5 0 5\ncreate_box 1 b\ncreate_atoms 1 random 100 4 b\n"
              f"set group all diameter 1.0 density 1.0\n{one(GOOD)}run 0\n")
    lammps.run(sphere, ok=False).require_error("atoms of atom_style sphere have masses of their own")
    local = text(row, alone(row), more="compute l all pair/local force\ncompute m all reduce sum c_l inputs local\nthermo_style custom c_m\n")
    lammps.run(local, ok=False).require_error("pair/local")


def test_collapse(lammps):
    """A warning where B < 0 and the pressure falls as the density grows; none else."""
    words = "B is -25 for types 1 1: at"
    for coefficients, warned in (("-40 -25 18 1.0 0.75", True), (GOOD, False), ("100 -0.01 18 1.0 0.75", False)):
        write_atoms(lammps, {})
        done = lammps.run(text({}, one(coefficients, f"0.0 1.0 771 backend {BACKEND}")))
        require((words in done.output) == warned and done.output.count("nothing keeps such a fluid") == warned, done.tail())
