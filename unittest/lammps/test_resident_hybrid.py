"""run_style verlet/gpu against run_style verlet with pair styles of this package in a hybrid: files must be the same byte for byte,
thermo output up to last digits of sums, and the log must say that the steps are resident, or why they are not.

Both add the forces of the sub-styles in the hybrid's order, as floating-point numbers, so there is no difference in bits.

DS_TEST_BACKEND=cuda makes the same checks on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later
"""

import random
import re

import pytest

from checks import require
from lammps_run import BACKEND, DIGITS, ONE_RUN, STATE, WAYS, difference
import resident_fluid
from resident_fluid import RULES, thermo_lines
from test_lj_cut import data

INPUT = """
units lj
{first}
atom_style molecular
newton {newton}
{bond_style}
special_bonds lj {special}
read_data atoms.data
mass 1 1.0
mass 2 1.4
{bonds}
group one type 1
group two type 2
{pair}
run_style {run_style}
neighbor 0.3 bin
neigh_modify {rule}
atom_modify sort 17 0.0
timestep 0.005
thermo 7
thermo_style custom step temp pe evdwl emol press pxx pyy pzz pxy pxz pyz
thermo_modify format float %.17g
dump d all custom 20 all.dump {state}
dump_modify d {digits}
{move}
{more}
{run}
write_restart end.restart
"""

SEED = 771
LJ = "lj/cut/gpu {} PRECISION BACKEND"
DPD = f"dpd/gpu 1.0 {{}} {SEED} PRECISION BACKEND"
EXT = f"dpd/ext/gpu 1.0 {{}} {SEED} PRECISION BACKEND"
TSTAT = f"dpd/tstat/gpu 1.0 {{}} {{}} {SEED} PRECISION BACKEND"


def style(kind, *parts):
    return f"pair_style {kind} " + " ".join(parts) + "\n"


LJ_COEFF = "pair_coeff 1 1 lj/cut/gpu 1.0 1.0\npair_coeff 2 2 lj/cut/gpu 1.3 0.85 2.2\npair_coeff 1 2 lj/cut/gpu 0.7 0.9\n"
OVERLAY = style("hybrid/overlay", LJ.format(2.5), TSTAT.format(1.0, 1.0, 1.5)) + LJ_COEFF + "pair_coeff * * dpd/tstat/gpu 4.5\n"
WCA = (style("hybrid/overlay", LJ.format(1.122462048309373), TSTAT.format(1.0, 1.0, 1.122462048309373))
       + "pair_coeff * * lj/cut/gpu 1.0 1.0\npair_coeff * * dpd/tstat/gpu 4.5\npair_modify pair lj/cut/gpu shift yes\n")
EACH = (style("hybrid", LJ.format(2.5), DPD.format(1.3))
        + "pair_coeff 1 1 lj/cut/gpu 1.0 1.0\npair_coeff 1 2 dpd/gpu 25 4.5\npair_coeff 2 2 dpd/gpu 18 3.0 1.1\n")
TWICE = (style("hybrid/overlay", LJ.format(2.5), LJ.format(1.4), TSTAT.format(1.0, 1.0, 1.2))
         + "pair_coeff * * lj/cut/gpu 1 1.0 1.0\npair_coeff 1 2 lj/cut/gpu 2 -0.3 0.9\npair_coeff 2 2 lj/cut/gpu 2 0.4 0.8 1.2\n"
           "pair_coeff * * dpd/tstat/gpu 4.5\n")
MOST = (style("hybrid/overlay", LJ.format(2.5), LJ.format(1.4), LJ.format(1.2), DPD.format(1.2))
        + "pair_coeff * * lj/cut/gpu 1 1.0 1.0\npair_coeff * * lj/cut/gpu 2 -0.2 0.9\npair_coeff 1 2 lj/cut/gpu 3 0.1 0.8\n"
          "pair_coeff * * dpd/gpu 12 4.5\n")
REVERSED = (style("hybrid/overlay", DPD.format(1.0), LJ.format(2.5)) + "pair_coeff * * dpd/gpu 25 4.5\n" + LJ_COEFF)


def text_of(row, run_style, rule):
    text = INPUT.format(
        first=row.get("first", ""), newton=row.get("newton", "on"), special=row.get("special", "1 1 1"),
        bond_style="bond_style harmonic" if "chain" in row else "", bonds="bond_coeff 1 30.0 1.1" if "chain" in row else "", pair=row.get("pair", OVERLAY), run_style=run_style, rule=rule, state=STATE, digits=DIGITS.replace("modify ", ""),
        move=row.get("move", "fix 1 all nve"), more=row.get("more", ""), run=row.get("run", "run 31\nrun 29"))
    return (text.replace("RUN_STYLE", run_style).replace("PRECISION", f"precision {row.get('precision', 'mixed')}")
            .replace("BACKEND", f"backend {BACKEND}").replace("RULE", rule))


def run_with(lammps, row, run_style, rule, ok=True):
    lammps.write("atoms.data", row.get("data") or data(row.get("chain", 0), tilt=row.get("tilt", 0.0)))
    done = lammps.run(text_of(row, run_style, rule), ranks=row.get("ranks", 1), threads=row.get("threads", 1), ok=ok)
    require(("Run_style verlet/gpu:" in done.output) == (run_style == "verlet/gpu"), f"not run as wanted:\n{done.tail()}")
    return done


NO_PATH = ("Run_style verlet/gpu: pair style {} has no resident path, as {}: steps are those of run_style verlet, with forces of each "
           "sub-style where that computes them\n")
RESIDENT = "  pair forces: resident; periodic wrap and lists: "


def require_told(done, row):
    """`plain`: (the style, why its steps are run_style verlet's), once per set-up; without it, all set-ups are resident."""
    text = done.output
    if "plain" in row:
        require(NO_PATH.format(*row["plain"]) in text, f"not told: {row['plain']}\n{done.tail(60)}")
    else:
        require("has no resident path" not in text, done.tail(60))
    if row.get("resident", "plain" not in row):
        lists = row.get("lists", "resident\n" if row.get("ranks", 1) == 1 else "rebuilt by LAMMPS, as ")
        require(RESIDENT + lists in text, f"no line {RESIDENT + lists}\n{done.tail(60)}")
    else:
        require(RESIDENT not in text, f"pair forces are resident:\n{done.tail(60)}")


def compare(lammps, row, rule):
    done = resident_fluid.compare(lammps, row, rule, run_with)
    require_told(done, row)
    if "says" in row:
        require(row["says"] in done.output, f"not said: {row['says']}\n{done.tail(60)}")


def cases(rows, **common):
    return [pytest.param({**common, **row}, RULES[row.get("rule", "check yes")], id=name) for name, row in rows.items()]


pytestmark = pytest.mark.copies_in_turn

# ------------------------------------------------------------------------------------------- styles

STYLES = {
    "lj/cut and dpd/tstat": {},
    "lj/cut and dpd/tstat, short": {"pair": WCA},
    "dpd and lj/cut": {"pair": REVERSED},
    "lj/cut and dpd/ext": {"pair": style("hybrid/overlay", LJ.format(1.6), EXT.format(1.3)) + LJ_COEFF.replace(" 2.2", " 1.5")
                           + "pair_coeff * * dpd/ext/gpu 25 4.5 2.0 0.5 1.5\n"},
    "each pair of types one style": {"pair": EACH},
    "a pair of types without forces": {"pair": EACH.replace("1 2 dpd/gpu 25 4.5", "1 2 none")},
    "a pair of types with two styles": {
        "pair": style("hybrid/overlay", LJ.format(2.5), TSTAT.format(1.0, 1.0, 1.5)) + LJ_COEFF + "pair_coeff 1 2 dpd/tstat/gpu 4.5\n"},
    "lj/cut twice and dpd/tstat": {"pair": TWICE},
    "four styles": {"pair": MOST},
    "lj/cut twice": {"pair": TWICE.replace(" " + TSTAT.format(1.0, 1.0, 1.2), "").replace("pair_coeff * * dpd/tstat/gpu 4.5\n", "")},
    "one style": {"pair": style("hybrid", DPD.format(1.3)) + "pair_coeff * * dpd/gpu 25 4.5\n"},
    "names that no other package has": {"pair": OVERLAY.replace("lj/cut/gpu", "lj/cut/exact/gpu").replace("dpd/tstat/gpu", "dpd/tstat/exact/gpu")},
    "mixed coefficients": {"pair": OVERLAY.replace("pair_coeff 1 2 lj/cut/gpu 0.7 0.9\n", "")},
    "tail corrections": {"pair": OVERLAY + "pair_modify pair lj/cut/gpu tail yes\n"},
    "a temperature that changes": {"pair": OVERLAY.replace("dpd/tstat/gpu 1.0 1.0", "dpd/tstat/gpu 1.0 3.0")},
}


@pytest.mark.tree("lj/cut and dpd/tstat")
@pytest.mark.parametrize("row, rule", cases({f"{name}, {precision}, {rule}": {**row, "precision": precision, "rule": rule}
               for name, row in STYLES.items()
               for precision, rule in (("mixed", "check yes"), ("double", "check no"))}))
def test_styles(lammps, row, rule):
    compare(lammps, row, rule)


@pytest.mark.tree
@pytest.mark.parametrize("row, rule", cases({f"{seed}": {"pair": OVERLAY.replace(str(SEED), str(seed))} for seed in (1, 34387, 2147483647)}))
def test_seeds(lammps, row, rule):
    compare(lammps, row, rule)


@pytest.mark.parametrize("row, rule", cases({
    f"{ranks} rank(s), {'triclinic' if tilt else 'orthogonal'}, {rule}: {of}": {
        "ranks": ranks, "tilt": tilt, "rule": rule, "pair": pair, "precision": "double" if ranks == 2 else "mixed"}
    for ranks in (1, 2, 4)
    for tilt in (0.0, 1.7)
    for rule in RULES
    for of, pair in {"overlay": OVERLAY, "each pair of types one style": EACH}.items()
    if ranks > 1 or tilt}))
def test_ranks(lammps, row, rule):
    compare(lammps, row, rule)


# ------------------------------------------------------------------------------------------- bonds


OWN_FACTORS = ("pair_modify pair lj/cut/gpu special lj 0.0 0.3 0.6\npair_modify pair dpd/tstat/gpu special lj 1.0 1.0 0.5\n")


@pytest.mark.parametrize("row, rule", cases({
    "no pair forces between bonded atoms": {"special": "0 1 1"},
    "all factors": {"special": "0.2 0.5 0.8", "rule": "check no"},
    "factors of each style": {"special": "0.5 0.5 0.5", "pair": OVERLAY + OWN_FACTORS},
    "factors of each style, 2 ranks": {"special": "0.5 0.5 0.5", "pair": OVERLAY + OWN_FACTORS, "ranks": 2, "rule": "check no"},
    "factors of one style alone": {"special": "0.5 0.5 0.5", "pair": OVERLAY + OWN_FACTORS.split("\n")[0] + "\n"},
    "factors of a style change between runs": {
        "special": "0.5 0.5 0.5", "pair": OVERLAY + OWN_FACTORS,
        "run": "run 20\npair_modify pair lj/cut/gpu special lj 0.9 0.1 0.2\nrun 20\nrun 10 pre no"},
    "factors, the same style twice": {"special": "0.5 0.5 0.5", "pair": TWICE + "pair_modify pair lj/cut/gpu 2 special lj 0.0 0.9 1.0\n"},
    "newton off": {"special": "0 0.5 1", "newton": "off", "pair": WCA},
    "newton off, 2 ranks": {"special": "0 0.5 1", "newton": "off", "ranks": 2},
    "bond style of this package": {"special": "0 1 1", "more": "bond_style harmonic/gpu\nbond_coeff 1 30.0 1.1"},
}, chain=9))
def test_bonds(lammps, row, rule):
    compare(lammps, row, rule)


# ------------------------------------------------------------------------------------------- runs


LISTS_BY_LAMMPS = {"lists": "rebuilt by LAMMPS, as "}
PLAIN = style("hybrid/overlay", LJ.format(2.5), "soft 1.0") + LJ_COEFF + "pair_coeff * * soft 3.0\n"
FOREIGN = "some sub-style is not of this package"
ALONE = "pair_style lj/cut/gpu 2.5 PRECISION BACKEND\npair_coeff * * 1.0 1.0\n"
RESTARTED = ("run 17\nwrite_restart part.restart\nclear\nread_restart part.restart\n{}run_style RUN_STYLE\nneighbor 0.3 bin\n"
             "neigh_modify RULE\natom_modify sort 17 0.0\ntimestep 0.005\nthermo 7\nthermo_style custom step temp pe press pxy\n"
             f"thermo_modify format float %.17g\nfix 1 all nve\ndump d all custom 20 more.dump {STATE}\n"
             f"dump_modify d {DIGITS.replace('modify ', '')}\nrun 33")
COEFFICIENTS_ALONE = LJ_COEFF + "pair_coeff * * dpd/tstat/gpu 4.5\n"


@pytest.mark.tree("in between")
@pytest.mark.parametrize("row, rule", cases({
    "in several runs": {"run": "run 20\nrun 13 pre no post no\nvelocity all scale 0.9\nrun 20 every 7 NULL\nrun 70 upto"},
    "too short for a rebuild of lists": {"run": "run 6\n" * 8},
    # as many ghosts as before, and no list was rebuilt in the run before
    "two atoms change places between short runs": {
        "more": "timestep 0.0001\natom_modify sort 0 0.0",
        "run": "run 3\nset atom 365 x 6.05 y 4.95 z 4.95\nset atom 366 x 4.95 y 4.95 z 4.95\nrun 3\nrun 3"},
    "too short for a rebuild of lists, 2 ranks": {"run": "run 6\n" * 8, "ranks": 2},
    "too short for a rebuild of lists, commands between": {
        "run": "run 4\nset type 2 type/fraction 1 0.2 5\nrun 4\ndisplace_atoms all random 0.04 0.04 0.04 71\nrun 4\n"
               "change_box all x scale 1.02 remap\nrun 4\nneigh_modify exclude type 1 2\nrun 4\nneigh_modify exclude none\nrun 4"},
    "of no steps": {"run": "run 0\nrun 20\nrun 0 pre no\nrun 15 pre no\nrun 0\nrun 10"},
    "other styles in between": {"run": f"run 20\n{TWICE}run 20\n{REVERSED}run 20\n{OVERLAY}run 10"},
    "a style alone in between": {"run": f"run 20\n{ALONE}run 20\n{OVERLAY}run 10"},
    "a style of LAMMPS in between": {"run": f"run 20\n{PLAIN}run 20\n{OVERLAY}run 10",
                                     "plain": ("hybrid/overlay", FOREIGN), "resident": True},
    "coefficients change": {"run": "run 20\npair_coeff 1 2 lj/cut/gpu 0.5 0.8\npair_coeff 2 2 dpd/tstat/gpu 9.0 1.2\nrun 20"},
    "a cutoff grows": {"run": "run 20\npair_coeff 1 1 lj/cut/gpu 1.0 1.0 2.9\nrun 20", "ranks": 2},
    "run styles change": {"run": "run 20\nrun_style verlet\nrun 20\nrun_style RUN_STYLE\nrun 20"},
    "a restart file between": {"run": RESTARTED.format(COEFFICIENTS_ALONE)},
    "a restart file between, one pair of types each": {
        "pair": EACH, "run": RESTARTED.format(EACH.split("\n", 1)[1]), "rule": "check no"},
    "a restart file between, 2 ranks": {"run": RESTARTED.format(COEFFICIENTS_ALONE), "ranks": 2},
    "restart files while it goes on": {"more": "restart 7 part.*.restart"},
    "a data file": {"run": "run 20\nwrite_data out.dump pair ij\nrun 20"},
    "minimize": {"run": "run 10\nminimize 0 0 7 100\nrun 13\nmin_style fire\nminimize 0 0 5 50\nrun 5"},
    "types change": {"run": "run 20\nset type 2 type/fraction 1 0.3 81\nrun 20"},
    "atoms come and go": {"run": "run 20\ndelete_atoms group two compress yes\nrun 20\ncreate_atoms 2 random 9 881 NULL overlap 0.9\nrun 20"},
    "the time step changes": {"run": "run 20\ntimestep 0.003\nrun 20"},
    "the skin changes": {"run": "run 20\nneighbor 0.5 bin\nrun 20"},
    "precision changes": {"run": f"run 20\n{OVERLAY.replace('PRECISION', 'precision double')}run 20"},
    "styles go with a run without set-up": {"run": "run 20\nrun 10 pre no\nrun 10 pre no"},
}))
def test_runs(lammps, row, rule):
    compare(lammps, row, rule)


# ------------------------------------------------------------------------------------------- fixes and computes


SUMS = ("fix t all ave/time 2 3 6 c_thermo_temp c_thermo_press file t.ave\nfix c all ave/correlate 3 4 12 c_thermo_press[4] "
        "c_thermo_press[5] file c.ave\n")
PARTS = ("compute lj all pair lj/cut/gpu\ncompute bath all pair dpd/tstat/gpu\nthermo_style custom step temp pe c_lj c_bath c_bath[1] "
         "c_bath[2] c_bath[3] press\n")


def flat():
    """Atoms near the points of a grid in a plane."""
    draw = random.Random(13)
    lines = ["plane", "", "729 atoms", "2 atom types", "0 29.7 xlo xhi", "0 29.7 ylo yhi", "-0.5 0.5 zlo zhi", "", "Atoms # molecular", ""]
    for k in range(27 * 27):
        x, y = [(c + 0.5) * 1.1 + draw.uniform(-0.12, 0.12) for c in (k % 27, k // 27)]
        lines.append(f"{k + 1} 1 {1 + (draw.random() < 0.4)} {x!r} {y!r} 0.0")
    return "\n".join(lines) + "\n"


@pytest.mark.tree("a barostat")
@pytest.mark.parametrize("row, rule", cases({
    "compute pair": {"more": PARTS},
    "compute pair, 2 ranks": {"more": PARTS, "ranks": 2},
    "sums that files have": {"more": SUMS},
    "sums, no dump": {"more": "undump d\n" + SUMS + "atom_modify sort 5 0.0", "run": f"run 60\nwrite_dump all custom end.dump {STATE} {DIGITS}"},
    "not sorted": {"more": "atom_modify sort 0 0.0", "rule": "check no"},
    "sorted with each list": {"more": "atom_modify sort 1 0.0"},
    "no output": {"more": "thermo 0\nundump d"},
    "fix adapt": {"more": "variable e equal 1.0+0.1*sin(0.1*step)\nvariable g equal 4.5+0.05*step\n"
                          "fix a all adapt 1 pair lj/cut/gpu epsilon 1 2 v_e pair dpd/tstat/gpu gamma * * v_g"},
    "fix adapt, every 5 steps": {"more": "variable e equal 1.0+0.01*step\nfix a all adapt 5 pair lj/cut/gpu epsilon * * v_e", "rule": "check no"},
    "fix adapt, a temperature": {"more": "variable t equal 1.0+0.02*step\nfix a all adapt 1 pair dpd/tstat/gpu temperature * * v_t"},
    "fix adapt in one run": {"more": "variable e equal 1.0+0.01*step\nfix a all adapt 1 pair lj/cut/gpu epsilon 1 1 v_e reset yes",
                             "run": "run 20\nunfix a\nrun 20"},
    "fix dt/reset": {"more": "fix r all dt/reset 5 0.001 0.005 0.03 units box"},
    "gravity and a thermostat": {"more": "fix g all gravity/gpu 0.2 vector 1 0 0\nfix l two langevin/gpu 1.0 1.0 0.5 77"},
    "walls": {"more": "change_box all boundary p p f\nfix wall all wall/lj126/gpu zlo EDGE 1.0 0.4 0.44 zhi EDGE 1.0 0.4 0.44\n"
                      "fix keep all wall/reflect/gpu zlo EDGE zhi EDGE", "pair": WCA},
    "a barostat": {"move": "fix 1 all npt/exact/gpu temp 1.0 1.0 0.5 iso 1.0 1.0 2.0", "rule": "check no"},
    "a barostat, triclinic, 2 ranks": {"move": "fix 1 all npt/exact/gpu temp 1.0 1.0 0.5 aniso 1.0 1.0 2.0 flip no", "tilt": 1.7, "ranks": 2},
    "a barostat and tail corrections": {"move": "fix 1 all nph/gpu aniso 1.0 1.0 2.0", "pair": OVERLAY + "pair_modify pair lj/cut/gpu tail yes\n"},
    "a flow": {"more": "fix f all deform/gpu 1 xy erate 0.1 remap v flip yes", "tilt": 1.7},
    "LAMMPS's own fixes": {"more": "fix g all addforce 0.1 0 0\nfix l two langevin 1.0 1.0 0.5 77"},
    "fix atom/swap": {"more": "fix s all atom/swap 5 3 2951 1.0 types 1 2 ke yes", **LISTS_BY_LAMMPS},
    "compute group/group": {"more": "compute g one group/group two\nthermo_style custom step temp pe c_g"},
    # not at the end of a run: the next one begins with velocities of the last evaluation, which is that of the compute then
    "compute fep": {"more": "compute f all fep 1.0 pair lj/cut/gpu epsilon 1 1 v_de\nvariable de equal 0.1\n"
                            "fix f all ave/time 7 1 7 c_f[1] c_f[2] file f.ave"},
    "rdf": {"more": "compute r all rdf/gpu 30\nfix r all ave/time 5 2 20 c_r[*] mode vector file r.ave"},
    "rdf with a cutoff, LAMMPS's": {"more": "compute r all rdf 30\nfix r all ave/time 5 2 20 c_r[*] mode vector file r.ave"},
    "profiles": {"more": "compute slab all chunk/atom/gpu bin/1d x lower 0.2 units reduced\n"
                         "fix p all ave/chunk/gpu 2 5 10 slab vx density/number temp file p.ave"},
    "excluded pairs": {"more": "neigh_modify exclude type 1 1"},
    "two dimensions": {"first": "dimension 2", "more": "velocity all create 1.0 4711\nvelocity all set NULL NULL 0.0\nfix flat all enforce2d", "data": flat(), **LISTS_BY_LAMMPS},
    "one atom": {"more": "group lead id 1\ngroup rest subtract all lead\ndelete_atoms group rest"},
    "no atom": {"more": "delete_atoms group all"},
    "2 threads": {"threads": 2},
}))
def test_beside(lammps, row, rule):
    compare(lammps, row, rule)


# ------------------------------------------------------------------------------------------- no resident path

def plain_row(kind, why, parts, coefficients, **other):
    return {"pair": style(kind, *parts) + coefficients, "plain": (kind, why), "run": "run 20", **other}


TSTAT_COEFF = "pair_coeff * * dpd/tstat/gpu 4.5\n"


@pytest.mark.tree
@pytest.mark.parametrize("row, rule", cases({
    "a style of LAMMPS": {"pair": PLAIN, "plain": ("hybrid/overlay", FOREIGN), "run": "run 20"},
    "a style of LAMMPS, 2 ranks": {"pair": PLAIN, "plain": ("hybrid/overlay", FOREIGN), "run": "run 20", "ranks": 2},
    "precisions": plain_row("hybrid/overlay", "precision or backend of sub-styles differ",
                            [LJ.format(2.5).replace("PRECISION", "precision double"), TSTAT.format(1.0, 1.0, 1.5)],
                            COEFFICIENTS_ALONE),
    "two noises": plain_row("hybrid/overlay", "several sub-styles have noise", [DPD.format(1.0), TSTAT.format(1.0, 1.0, 1.5)],
                            "pair_coeff * * dpd/gpu 25 4.5\n" + TSTAT_COEFF),
    "more than four": plain_row("hybrid/overlay", "there are more than 4 sub-styles",
                                [LJ.format(1.0 + 0.1 * k) for k in range(5)],
                                "".join(f"pair_coeff * * lj/cut/gpu {k + 1} 0.3 0.9\n" for k in range(5))),
    "hybrid/scaled": plain_row("hybrid/scaled", "only hybrid and hybrid/overlay have one",
                               ["0.5 " + LJ.format(2.5), "1.0 " + TSTAT.format(1.0, 1.0, 1.5)], COEFFICIENTS_ALONE),
    "hybrid/molecular": plain_row("hybrid/molecular", "only hybrid and hybrid/overlay have one", [LJ.format(2.5), DPD.format(1.3)],
                                  "pair_coeff * * lj/cut/gpu 1.0 1.0\npair_coeff * * dpd/gpu 25 4.5\n"),
    "energies of atoms": {"plain": ("hybrid/overlay", "a compute wants energies or stresses of atoms"), "run": "run 20",
                          "more": "compute e all pe/atom\ndump e all custom 10 e.dump id c_e\ndump_modify e sort id format float %.17g"},
    "stresses of atoms": {"plain": ("hybrid/overlay", "a compute wants energies or stresses of atoms"), "run": "run 20",
                          "more": "compute s all stress/atom NULL\ndump s all custom 10 s.dump id c_s[*]\n"
                                  "dump_modify s sort id format float %.17g"},
    "stresses of atoms by this package": {"plain": ("hybrid/overlay", "a compute wants energies or stresses of atoms"), "run": "run 20",
                                          "more": "compute s all stress/atom/gpu NULL\ncompute slab all chunk/atom/gpu bin/1d x lower 0.2 units "
                                                  "reduced\nfix s all ave/chunk/gpu 5 2 10 slab c_s[1] file s.ave"},
    "a compute of energies comes and goes": {
        "plain": ("hybrid/overlay", "a compute wants energies or stresses of atoms"), "resident": True,
        "run": "run 20\ncompute e all pe/atom\nrun 10\nuncompute e\nrun 20"},
}))
def test_plain(lammps, row, rule):
    compare(lammps, row, rule)


# ------------------------------------------------------------------------------------------- bits, refusals, suffix


BAROSTAT = {"move": "fix 1 all npt/exact/gpu temp 1.0 1.0 0.5 iso 1.0 1.0 2.0"}


@pytest.mark.tree("a barostat")
@pytest.mark.parametrize("row", [
    pytest.param(row, id=name)
    for name, row in {"overlay": {}, "each pair of types one style": {"pair": EACH}, "factors of each style": {
        "special": "0.5 0.5 0.5", "pair": OVERLAY + OWN_FACTORS, "chain": 9, "more": "bond_coeff 1 0.0 1.1"}, "a barostat": BAROSTAT,
        "a barostat, triclinic": {"move": BAROSTAT["move"] + " flip no", "tilt": 1.7}}.items()])
def test_same_bits_on_any_number_of_ranks(lammps, row):
    """Sums are those of integers, so the pressure that a barostat reads, too, is the same on any number of ranks."""
    dumps = []
    for run_style, ranks in WAYS:
        run_with(lammps, {**row, "ranks": ranks}, run_style, RULES["check no"])
        dumps.append(lammps.dump("all.dump"))
        require(dumps[-1].step == 60, f"step {dumps[-1].step}")
        require(dumps[-1].box == dumps[0].box, f"{run_style}, {ranks} ranks: box {dumps[-1].box}, with one {dumps[0].box}")
        require(not difference(dumps[0], dumps[-1]), f"{run_style}, {ranks} ranks: {difference(dumps[0], dumps[-1])}")


def refuses(lammps, row, text):
    lammps.write("atoms.data", data())
    lammps.require_refused(text, lambda run_style: text_of(row, "verlet/gpu", RULES["check yes"]), ONE_RUN, whole=True)


def test_refused_compute_no(lammps):
    refuses(lammps, {"pair": OVERLAY + "pair_modify compute no\n"},
            "Run_style verlet/gpu: pair_modify has compute no, allowed is compute yes")


@pytest.mark.parametrize("other", [
    pytest.param(other, id=name)
    for name, other in {"another hybrid": TWICE, "the same hybrid anew": OVERLAY, "a style alone": ALONE}.items()])
def test_refused_no_set_up_after_a_pair_style_command(lammps, other):
    refuses(lammps, {"run": f"run 10\n{other}run 10 pre no"},
            "Run_style verlet/gpu: run has pre no, but there was no set-up with this run style and this pair style, allowed is pre yes")


def test_stops_too_near(lammps):
    """Stops: a pair force beyond the range, of which the sub-style is named."""
    row = {"more": "variable s equal 1.0+0.02*step\nfix a all adapt 1 pair lj/cut/gpu sigma 1 1 v_s", "run": "run 100"}
    errors = []
    for run_style, words in (("verlet", "Pair lj/cut/gpu: force {}"), ("verlet/gpu", "Pair hybrid: force {} of lj/cut")):
        lammps.write("atoms.data", data())
        done = lammps.run(text_of(row, run_style, RULES["check yes"]), ok=False)
        found = re.fullmatch(words.format(r"(\S+)") + r" between atoms (\d+) and (\d+) at step (\d+) exceeds the fixed-point range, "
                             r"at most (\S+) with these coefficients", done.errors[0])
        require(done.status and found, f"{done.errors}\n{done.tail()}")
        force, i, j, step, limit = found.groups()
        errors.append((force, {i, j}, step, limit))
    require(errors[0] == errors[1], f"{errors}")


def suffixed(lammps, row, suffix, ranks):
    """An input of LAMMPS's own styles, with and without the suffix's name in it."""
    lammps.write("atoms.data", data())
    named = text_of(row, "verlet/gpu", RULES["check yes"]).replace(f" backend {BACKEND}", "").replace(" precision mixed", "")
    plain = named.replace("/gpu", "")
    require("/gpu" not in plain and "/gpu" in named, plain)
    expected = lammps.run(named, ranks=ranks)
    dump, thermo = lammps.dump("all.dump"), thermo_lines(expected)
    ways = [([], f"suffix {suffix}\n")]
    if suffix != "gpu":    # LAMMPS takes -sf gpu only where it has its package GPU
        ways.append((["-sf", suffix], ""))
    for options, first in ways:
        found = lammps.run(first + plain, ranks=ranks, options=options)
        require_told(found, {**row, "ranks": ranks})
        require(not difference(dump, lammps.dump("all.dump")), difference(dump, lammps.dump("all.dump")))
        require(thermo_lines(found) == thermo, f"thermo\n{thermo_lines(found)}\n{thermo}")


@pytest.mark.parametrize("suffix, pair", [
    pytest.param(suffix, pair, id=f"{suffix}: {name}")
    for suffix in ("gpu", "exact/gpu")
    for name, pair in {"overlay": OVERLAY, "each pair of types one style": EACH, "the same style twice": TWICE}.items()])
def test_suffix(lammps, suffix, pair):
    suffixed(lammps, {"pair": pair}, suffix, 1)


@pytest.mark.parametrize("suffix", [pytest.param(suffix, id=f"{suffix}: overlay, 2 ranks") for suffix in ("gpu", "exact/gpu")])
def test_suffix_overlay_2_ranks(lammps, suffix):
    suffixed(lammps, {}, suffix, 2)
