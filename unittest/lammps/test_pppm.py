"""kspace_style pppm/gpu: forces, energies, pressures, meshes and screening parameters of LAMMPS's own pppm, the same bits in all ways
to run and on any number of ranks, boxes that change, energies and stresses of atoms, files, LAMMPS's pair styles beside it, errors.

DS_TEST_BACKEND=cuda makes the same checks on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later
"""

import re

import numpy as np
import pytest

from checks import require
from lammps_run import BACKEND, BOTH_RUN_STYLES, DIGITS, STATE, WAYS, difference, relative
from test_coul import DPD, FINISH, OUTPUT, data, style_of, words_of

TOLERANCE = 1e-10

pytestmark = pytest.mark.copies_in_turn

# what the input of a case has, where it is not as here
PLAIN = {"kspace": "1e-4", "modify": "", "chain": 0, "units": "lj", "dielectric": 1.0, "boundary": "p p p", "more": "", "fix": "nve",
         "pair": None, "tilt": 0.0, "before": "", "coefficients": DPD, "bond": "zero", "run": "run 0\n"}


def text(row, mesh="/gpu", run_style="verlet", temperature=0.0, precision="double"):
    """The input of a run with this package's pair style, and its mesh or, with mesh "", LAMMPS's."""
    r = {**PLAIN, **row}
    bonds = (f"bond_style {r['bond']}\n", "bond_coeff *" + (" 20.0 0.4\n" if r["bond"] != "zero" else "\n")) if r["chain"] else ("", "")
    pair = r["pair"] or f"{style_of({}, True, temperature)} {words_of(precision)}"
    return (f"units {r['units']}\natom_style full\nboundary {r['boundary']}\n{bonds[0]}comm_modify vel yes\nread_data atoms.data\n"
            f"{r['before']}mass * 1.0\n{bonds[1]}pair_style {pair}\n{r['coefficients']}dielectric {r['dielectric']}\n"
            f"kspace_style pppm{mesh} {r['kspace']}\nkspace_modify fftbench no {r['modify']}\nneighbor 0.3 bin\n"
            f"neigh_modify every 1 delay 0 check yes\nrun_style {run_style}\ntimestep 0.01\nfix move all {r['fix']}\n"
            f"{r['more']}{OUTPUT}{r['run']}{FINISH}")


def write_atoms(lammps, row):
    lammps.write("atoms.data", data(row.get("chain", 0), row.get("tilt", 0.0)))


# --------------------------------------------------------------------------------------- against LAMMPS


ROWS = {
    "accuracy alone": {},
    "a coarse mesh": {"kspace": "1e-2"},
    "order 2": {"modify": "order 2", "kspace": "1e-2"},
    "order 3, gewald": {"modify": "order 3 gewald 1.3", "kspace": "1e-3"},
    "order 4, mesh": {"modify": "order 4 mesh 9 16 11"},    # 11 becomes 12
    "order 6, absolute accuracy": {"modify": "order 6 force 1e-3"},
    "order 7, mesh and gewald": {"modify": "order 7 mesh 20 18 25 gewald 1.2"},
    "images of wave vectors": {"modify": "mesh 4 5 6 gewald 1.5"},
    "bonded, factors of 1-2 pairs": {"chain": 4},
    "units real, dielectric": {"units": "real", "dielectric": 78.0, "kspace": "1e-5"},
    "a net charge": {"more": "set atom 1 charge 2.5\n"},
    "tilted": {"tilt": 1.3},
    "tilted, coarse mesh of order 4": {"tilt": -2.4, "modify": "order 4", "kspace": "1e-2"},
    "tilted, images of wave vectors, net charge": {"tilt": 1.3, "modify": "mesh 4 5 6 gewald 1.5", "more": "set atom 1 charge 2.5\n"},
    "triclinic, not tilted yet": {"before": "change_box all triclinic\n"},
    "slab": {"boundary": "p p f", "modify": "slab 3.0"},
    "slab, net charge": {"boundary": "p p f", "modify": "slab 2.5 order 4", "more": "set atom 1 charge 2.5\n"},
    "slab nozforce": {"boundary": "p p f", "modify": "slab nozforce", "more": "change_box all z final -2.0 7.5\n"},
}


def chosen(done):
    """What the log says of the mesh. LAMMPS's estimate of errors counts those of its tables, too."""
    return re.findall(r"^  (?:G vector .*|grid|stencil order|estimated \w+ RMS force accuracy) = (.*)$", done.output, re.M)


@pytest.mark.parametrize("row, ranks", [pytest.param(row, 1 + k % 4, id=name) for k, (name, row) in enumerate(ROWS.items())])
def test_as_lammps(lammps, row, ranks):
    write_atoms(lammps, row)
    other = lammps.run(text(row, ""))
    wanted = lammps.dump("now.dump")
    done = lammps.run(text(row), ranks=ranks)
    found = lammps.dump("now.dump")
    expected, values = np.array(other.printed("values")), np.array(done.printed("values"))
    sizes = {"force": relative(found.f, wanted.f), "energies": relative(values[[0, 1, 8]], expected[[0, 1, 8]]),
             "elong": abs(values[8] / expected[8] - 1.0), "pressures": relative(values[2:8], expected[2:8])}
    for name, size in sizes.items():
        require(size <= TOLERANCE, f"{name}: {size:.2e} of the size, allowed are {TOLERANCE}; {values} {expected}")
    require(abs(expected[8]) > 1e-3, "no long-range energy: nothing was tested")
    meshes = [[float(v) for line in chosen(run) for v in line.split()] for run in (done, other)]
    require(len(meshes[0]) == 6 and relative(meshes[0][:5], meshes[1][:5]) < 1e-7 and abs(meshes[0][5] / meshes[1][5] - 1.0) < 3e-5,
            f"meshes {meshes}")
    print(f"forces agree to {sizes['force']:.1e}, elong to {sizes['elong']:.1e}")


def of_atoms(lammps, row, run_style, ranks):
    """Energies and stresses of atoms, their part of long-range forces."""
    write_atoms(lammps, row)
    more = "compute e all pe/atom kspace\ncompute s all stress/atom NULL kspace\n"
    dump = f"write_dump all custom now.dump {STATE} q c_e c_s[*] {DIGITS}\n"
    values = []
    for mesh in ("", "/gpu"):
        commands = text({**row, "more": more, "run": "run 2\n"}, mesh, run_style if mesh else "verlet")
        lammps.run(commands.replace(FINISH, dump), ranks=ranks if mesh else 1)
        found = lammps.dump("now.dump")
        values.append((found.column["c_e"], found.vectors(*(f"c_s[{k}]" for k in range(1, 7)))))
    for name, a, b in zip(("energy", "stress"), values[1], values[0]):
        require(relative(a, b) < 1e-9 and np.abs(b).max() > 0.1, f"{name} of an atom differs by {relative(a, b):.1e}")


def test_energies_and_stresses_of_atoms_verlet_3_ranks(lammps):
    of_atoms(lammps, {}, "verlet", 3)


def test_energies_and_stresses_of_atoms_verlet_gpu_1_rank(lammps):
    of_atoms(lammps, {"boundary": "p p f", "modify": "slab 3.0"}, "verlet/gpu", 1)


def beside_lammps(lammps, run, ranks):
    """Beside a pair style of LAMMPS: as with LAMMPS's mesh."""
    row = {"pair": "coul/long 2.4", "coefficients": "pair_coeff * *\n", "run": run}
    write_atoms(lammps, row)
    results = []
    for mesh in ("", "/exact/gpu"):
        done = lammps.run(text(row, mesh), ranks=ranks if mesh else 1)
        results.append((lammps.dump("now.dump").f, done.printed("values")))
    require(relative(results[1][0], results[0][0]) < 1e-8 and relative(results[1][1], results[0][1]) < 1e-8, f"{results[0][1]} {results[1][1]}")


def test_beside_coul_long_of_lammps(lammps):
    beside_lammps(lammps, "run 5\n", 2)


def test_beside_coul_long_of_lammps_run_style_respa(lammps):
    beside_lammps(lammps, "run_style respa 2 2 pair 1 kspace 2\nrun 5\n", 1)


def test_beside_coul_long_of_lammps_a_minimization(lammps):
    beside_lammps(lammps, "minimize 0 0 3 5\n", 2)


def test_fix_adapt_charges_that_change_in_each_step_as_with_lammps_mesh(lammps):
    row = {"more": "group plus type 2\nvariable q equal 1.0+0.02*step\nfix a plus adapt 1 atom charge v_q reset no\n", "run": "run 4\n"}
    write_atoms(lammps, row)
    results = []
    for mesh, run_style, ranks in (("", "verlet", 1), ("/gpu", "verlet", 2), ("/gpu", "verlet/gpu", 1)):
        done = lammps.run(text(row, mesh, run_style), ranks=ranks)
        results.append((lammps.dump("now.dump"), done.printed("values")))
    for found, values in results[1:]:
        require(relative(found.f, results[0][0].f) < 1e-9 and relative(values, results[0][1]) < 1e-9, f"{values} {results[0][1]}")
    require(not difference(results[1][0], results[2][0]), difference(results[1][0], results[2][0]))


# -------------------------------------------------------------------------------------------- same bits


SAME = {
    "salt": {"kspace": "1e-2"},
    "slab between walls": {"boundary": "p p f", "modify": "slab 3.0", "kspace": "1e-2",
                           "more": "fix w all wall/reflect/gpu zlo 0.0 zhi 5.5\n"},
    "sheared": {"fix": "nve", "tilt": 1.3, "kspace": "1e-2", "more": "fix shear all deform/gpu 1 xy erate 0.1 remap v\n"},
    "a barostat": {"fix": "npt/exact/gpu temp 1 1 1 iso 40 20 1", "kspace": "1e-2"},
    "charges that change at times": {"kspace": "1e-2", "more": "group plus type 2\nvariable q equal 1.0+0.02*step\n"
                                     "fix a plus adapt 4 atom charge v_q reset no\n"},
}


@pytest.mark.parametrize("row", SAME.values(), ids=SAME)
def test_same_bits(lammps, row):
    """After 20 steps, in both precisions of pairs, what run_style verlet makes on one rank."""
    row = {"run": "run 9\nrun 11\n", **row}
    write_atoms(lammps, row)
    for precision, ways in (("mixed", WAYS), ("double", WAYS[1:3])):
        first = None
        for run_style, ranks in (*WAYS[:1], *ways):
            done = lammps.run(text(row, "/gpu", run_style, 1.0, precision), ranks=ranks)
            now = (lammps.dump("now.dump"), done.printed("values"))
            first = first or now
            worse = difference(first[0], now[0])
            require(not worse, f"{precision}, {run_style} on {ranks} ranks: {worse}")
            require(now[1][8] == first[1][8], f"{precision}, {run_style} on {ranks} ranks: elong {now[1][8]}, {first[1][8]}")
            resident = "long-range forces (pppm/gpu): resident" in done.output
            require(resident == (run_style == "verlet/gpu" and ranks == 1), done.tail(40))


def test_same_bits_bonds_on_one_rank(lammps):
    row = {"chain": 4, "bond": "harmonic/gpu", "run": "run 9\nrun 11\n", "kspace": "1e-2"}
    write_atoms(lammps, row)
    first = None
    for run_style in ("verlet", "verlet/gpu"):
        done = lammps.run(text(row, "/gpu", run_style, 1.0, "mixed"))
        first = first or lammps.dump("now.dump")
        require(not difference(first, lammps.dump("now.dump")), difference(first, lammps.dump("now.dump")))
    require("bonds, angles: resident" in done.output and "(pppm/gpu): resident" in done.output, done.tail(40))


SELDOM = "neigh_modify every 5 delay 0 check no\n"
CHANGED = {    # charges that LAMMPS changes, in steps between two rebuilds and in those of one
    "fix set": {"more": SELDOM + "variable qq atom q*1.15\nfix se all set 2 1 group all charge v_qq\n", "run": "run 13\nrun 8\n"},
    "fix set, lists often": {"more": "variable qq atom q*1.15\nfix se all set 3 1 group all charge v_qq\n", "run": "run 13\n"},
    "fix adapt": {"more": SELDOM + "variable qq equal 1+0.1*step\ngroup ca type 2\nfix se ca adapt 3 atom charge v_qq\n", "run": "run 17\n"},
    "there and back": {"more": SELDOM + "variable qq equal 1+0.5*(step%2)\ngroup ca type 2\nfix se ca adapt 1 atom charge v_qq\n", "run": "run 12\n"},
    "atoms that go": {"more": "region bx block 0 2 0 INF 0 INF\nfix ev all evaporate 3 2 bx 77\n", "run": "run 17\n"},
    "between runs": {"more": SELDOM, "run": "run 7\nset type 2 charge 1.5\nrun 9\nset type 3 charge -1.7\nrun 9 pre no\n"},
}


@pytest.mark.parametrize("row", CHANGED.values(), ids=CHANGED)
def test_charges_that_change(lammps, row):
    """Forces have the new charges in the next step, and sums of charges are found anew in the next rebuild, under both run styles."""
    write_atoms(lammps, row)
    for precision in ("mixed", "double"):
        found = []
        for run_style in ("verlet", "verlet/gpu"):
            done = lammps.run(text(row, "/gpu", run_style, 1.0, precision))
            found.append((lammps.dump("now.dump"), done.printed("values")))
        worse = difference(found[0][0], found[1][0])
        require(not worse, f"{precision}: {worse}")
        require(found[1][1][8] == found[0][1][8], f"{precision}: elong {found[1][1][8]}, by verlet {found[0][1][8]}")


def test_charges_that_change_forces_are_those_of_lammps(lammps):
    """Whose ghosts have new charges from a rebuild on, so there is one in each step. Without noise trajectories stay together."""
    row = {**CHANGED["fix set, lists often"], "run": "neigh_modify every 1 delay 0 check no\nrun 9\n"}
    write_atoms(lammps, row)
    lammps.run(text(row, "/gpu", "verlet/gpu"))
    ours = lammps.dump("now.dump")
    lammps.run(text({**row, "pair": style_of({}, False, 0.0)}, ""))
    theirs = lammps.dump("now.dump")
    require(relative(ours.f, theirs.f) < 1e-5, f"forces differ by {relative(ours.f, theirs.f)}")


def test_fft_benchmark_ends(lammps):
    write_atoms(lammps, {})
    lammps.run(text({"modify": "fftbench yes"}))


MANY = """units lj
atom_style full
region box block 0 {edge} 0 {edge} 0 {edge}
create_box 2 box
create_atoms 1 random $(floor(3*{edge}^3)) 4711 box
set type 1 type/ratio 2 0.1 17
mass * 1.0
group ions type 2
variable sign atom 2*(id%2)-1
set group ions charge v_sign
pair_style dpd/coul/slater/long/exact/gpu 1.0 1.0 34387 0.67 2.0 backend {backend}
pair_coeff * * 25.0 4.5 no
pair_coeff 2 2 25.0 4.5 yes
kspace_style pppm/exact/gpu 1e-2
neighbor 0.3 bin
neigh_modify every 1 delay 4 check yes
run_style {run_style}
timestep 0.01
fix 1 all nve
thermo 20
thermo_modify warn ignore
run 40
run 25
run 15 pre no
write_dump all custom many.dump id x y z vx vy vz q modify sort id format float %.17g
"""


@pytest.mark.skipif(BACKEND != "cuda", reason="atoms follow the order of the list on a GPU alone")
def test_many_charges_lie_in_the_order_of_the_list(lammps):
    """More than 400,000 atoms do so during a run, with their charges, and go back at its end: the bits of run_style verlet."""
    found = []
    for run_style in ("verlet", "verlet/gpu"):
        lammps.run(MANY.format(edge=53, backend=BACKEND, run_style=run_style))
        with open(lammps.path("many.dump")) as file:
            found.append(file.read())
    require(len(found[0].splitlines()) > 440000 and found[1] == found[0], "other atoms than by verlet")


def test_a_barostat_box_and_pressures_as_with_lammps_fix_npt_and_mesh(lammps):
    write_atoms(lammps, {})
    results = []
    for mesh, fix, run_style in (("", "npt", "verlet"), ("/gpu", "npt", "verlet/gpu"), ("/gpu", "npt/exact/gpu", "verlet/gpu")):
        done = lammps.run(text({"fix": f"{fix} temp 1 1 1 aniso 40 20 1", "run": "run 15\n"}, mesh, run_style, 1.0)
                          + 'print "box = $(lx:%.17g) $(lz:%.17g)"\n')
        results.append((lammps.dump("now.dump").x, done.printed("box"), done.printed("values")))
    for x, box, values in results[1:]:
        require(relative(box, results[0][1]) < 1e-10 and relative(x, results[0][0]) < 1e-8 and relative(values, results[0][2]) < 1e-7,
                f"{box} {results[0][1]}; {values} {results[0][2]}")
    require(abs(results[0][1][0] - 5.5) > 1e-3, "the box did not change")


def test_a_restart_file_the_run_has_the_same_bits(lammps):
    row = {"run": "run 10\nwrite_restart at.10\nrun 10\n", "kspace": "1e-2", "modify": "gewald 1.1"}
    write_atoms(lammps, row)
    lammps.run(text(row, "/gpu", "verlet/gpu", 1.0, "mixed"))
    whole = lammps.dump("now.dump")
    for ranks in (1, 3):
        lammps.run("read_restart at.10\ncomm_modify vel yes\nkspace_style pppm/gpu 1e-2\nkspace_modify gewald 1.1\nneighbor 0.3 bin\n"
                   f"neigh_modify every 1 delay 0 check yes\nrun_style verlet/gpu\ntimestep 0.01\nfix move all nve\n{OUTPUT}run 10\n{FINISH}",
                   ranks=ranks)
        require(not difference(whole, lammps.dump("now.dump")), f"{ranks} ranks: " + difference(whole, lammps.dump("now.dump")))


def test_steps_that_lammps_shares_and_suffix_exact_gpu_the_same_bits(lammps):
    """A fix of LAMMPS in each step, and energies of atoms that are asked for now and then."""
    row = {"kspace": "1e-2", "run": "run 12\n", "more": "fix nothing all addforce 0 0 0\ncompute e all pe/atom\ncompute r all reduce sum c_e\n"}
    write_atoms(lammps, row)
    plain = {**row, "more": ""}
    lammps.run(text(plain, "/gpu", "verlet", 1.0, "mixed"))
    whole = lammps.dump("now.dump")
    commands = text(row, "/gpu", "verlet/gpu", 1.0, "mixed").replace("elong pe", "elong c_r pe")
    suffixed = "suffix exact/gpu\n" + re.sub("(slater/long|pppm)/gpu", r"\1", text(plain, "/gpu", "verlet", 1.0, "mixed"))
    for name, again in (("shared steps", commands), ("suffix", suffixed)):
        done = lammps.run(again)
        require(not difference(whole, lammps.dump("now.dump")), f"{name}: " + difference(whole, lammps.dump("now.dump")))
    require("(pppm/exact/gpu): resident" in done.output, done.tail(40))


# ---------------------------------------------------------------------------------------------- errors


ERRORS = {
    "too many arguments": ("there are 2 arguments, allowed is one, the relative accuracy", {"kspace": "1e-4 host"}),
    "an accuracy above 1": ("relative accuracy 2 of forces, allowed are numbers up to 1", {"kspace": "2.0"}),
    "a box that is not periodic": ("the box is not periodic, allowed are boundaries p p p; or p p f with kspace_modify slab", {"boundary": "p p f"}),
    "a slab in a periodic box": ("kspace_modify slab with other boundaries than p p f", {"modify": "slab 3.0"}),
    "diff ad": ("kspace_modify diff ad, allowed is diff ik", {"modify": "diff ad"}),
    "order 8": ("kspace_modify order 8, allowed are 2 to 7", {"modify": "order 8"}),
    "slab ew2d": ("kspace_modify slab ew2d or wire, allowed are slab with a factor", {"boundary": "p p f", "modify": "slab ew2d"}),
    "a mesh too large": ("2000 mesh points along x; allowed: 2 to 1024", {"modify": "mesh 2000 8 8"}),
    "a mesh a little too large": ("1025 mesh points along x; allowed: 2 to 1024", {"modify": "mesh 1025 8 8"}),
    "a screening parameter far off": ("1025 mesh points along x or more for this accuracy", {"modify": "gewald 1e10"}),
    "an accuracy that no mesh has": ("or more for this accuracy; allowed: 2 to 1024", {"kspace": "1e-16"}),
    "no charges, and no gewald": ("there are no charges, and a screening parameter is to be chosen: needed are charges, or kspace_modify gewald",
                                  {"more": "set group all charge 0.0\n"}),
    "a pair style without charges": ("KSpace style is incompatible with Pair style", {"pair": "dpd/gpu 1.0 1.0 771", "coefficients": "pair_coeff * * 25 4.5\n"}),
    "charges that grow too far": ("has grown from", {"more": "neigh_modify every 100 delay 0 check no\nvariable qq atom q*3\n"
                                                     "fix se all set 1 1 group all charge v_qq\n", "run": "run 9\n"}),
    "a cutoff that grows": ("cutoff_coul is", {"more": "variable c equal ramp(2.0,3.5)\nfix ad all adapt 1 pair dpd/coul/slater/long/gpu cut_coul * * v_c\n",
                                                "run": "run 4\n"}),
    "a slab in a triclinic box": ("kspace_modify slab in a triclinic box, allowed are orthogonal boxes",
                                  {"boundary": "p p f", "modify": "slab 3.0", "before": "change_box all triclinic\n"}),
}


@pytest.mark.parametrize("error, row", ERRORS.values(), ids=ERRORS)
def test_refused(lammps, error, row):
    write_atoms(lammps, row)
    lammps.require_refused(error, lambda run_style: text(row, "/gpu", run_style),
                           BOTH_RUN_STYLES[:2] if "slab" in error else (("verlet/gpu", 2),))


def test_warnings(lammps):
    """Warnings: a net charge, a mesh too coarse for the accuracy, no charges at all."""
    write_atoms(lammps, {})
    done = lammps.run(text({"more": "set atom 1 charge 2.5\n", "modify": "mesh 4 4 4"}))
    require("System is not charge neutral, net charge = 1.9" in done.output, done.tail())
    require("the estimated error of forces is" in done.output and "the accuracy wanted 0.0001" in done.output, done.tail(40))
    done = lammps.run(text({"more": "set group all charge 0.0\n", "modify": "gewald 1.0", "run": "run 3\n"}, "/gpu", "verlet/gpu"))
    require("Using kspace solver on system with no charge" in done.output and done.printed("values")[8] == 0.0, done.tail())
    done = lammps.run(text({}))
    require("WARNING" not in done.output, "\n".join(line for line in done.output.splitlines() if "WARNING" in line))


def test_refused_atoms_without_charges(lammps):
    """Refused: atoms without charges, and beside a barostat of this package LAMMPS's mesh."""
    lammps.require_refused("atoms of atom_style atomic have no charges",
                           lambda run_style: "region b block 0 6 0 6 0 6\ncreate_box 1 b\ncreate_atoms 1 random 50 1 b\nmass 1 1\n"
                           f"pair_style lj/cut 1.0\npair_coeff * * 1 1\nkspace_style pppm/gpu 1e-3\nrun_style verlet\nrun 0\n", (("verlet", 1),))
    write_atoms(lammps, {})
    lammps.require_refused("kspace_style pppm, allowed: pppm/gpu, or none",
                           lambda run_style: text({"fix": "npt/exact/gpu temp 1 1 1 iso 40 20 1"}, ""), (("verlet", 1),))
