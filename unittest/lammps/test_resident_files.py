"""Dumps and restart files of run_style verlet/gpu, which LAMMPS writes while the engine makes the steps behind them. Files and
thermo output must be those of run_style verlet, to the last bit, whatever a file takes of atoms and whenever it is due; errors,
too. That steps go on in the meantime is seen where a file has no reader for a while.

DS_TEST_BACKEND=cuda makes the same checks on the GPU. Steps go on beside LAMMPS only where resident atoms are not its own: on a
GPU, or with DS_TEST_OWN_COPIES=1.

SPDX-License-Identifier: GPL-2.0-or-later
"""

import pytest

from checks import require
from lammps_run import BACKEND, OWN_COPIES, STATE, difference
from resident_fluid import ORTHOGONAL, ROOM, RULES, TRICLINIC, compare, ends_early, run_with, stops_alike, text_of

CONNECTED = "special_bonds lj 0.0 1.0 1.0\ncreate_bonds many all all 1 0.2 0.35\nspecial_bonds lj 1.0 1.0 1.0"
BONDS = "bond_style harmonic\nbond_coeff 1 30.0 0.5\n" + CONNECTED
BESIDE = OWN_COPIES or BACKEND == "cuda"
EXACT = " format float %.17g"


def written(more, **other):
    """Atoms that are sorted now and then, thermo output of sums, and files."""
    row = {"atom_style": "atomic", "room": "", "first": "atom_modify map yes",
           "more": "undump d\nthermo 6\natom_modify sort 50 0.0\n" + more, "run": "run 60\nrun 90 pre no\nrun 40"}
    row.update(other)
    return row


def dump(words, modify="", every=16, name="d", file="d.dump"):
    return f"dump {name} all {words.replace('FILE', f'{every} {file}', 1)}\n" + (f"dump_modify {name} {modify}\n" if modify else "")


PLACES = dump("atom FILE", "sort id scale no image yes format line '%d %d %.17g %.17g %.17g %d %d %d'")
ALL = dump(f"custom FILE {STATE}", "sort id" + EXACT)
RESTART = "restart 24 part.*.restart\n"
BOTH = ALL + "restart 16 part.*.restart\n"
STRESS = "compute s all stress/atom/gpu NULL\ncompute e all pe/atom/gpu\n"
PAIRS = "compute p all pair/local dist eng force\n"
ROWS = {
    # styles
    "atom": written(PLACES),
    "atom, as LAMMPS has them": written(dump("atom FILE", "sort off scale yes")),
    "custom, sorted, with forces": written(ALL),
    "custom, as LAMMPS has them": written(dump(f"custom FILE {STATE}", "sort off" + EXACT)),
    "custom, binary": written(dump(f"custom FILE {STATE}", "sort id", file="d.dump.bin")),
    "custom, in files of their own": written(dump("custom FILE id x y z", "sort id", file="d.*.dump")),
    "custom, with computes": written(
        STRESS + "compute n all coord/atom cutoff 0.8\ncompute m all displace/atom\ncompute k all ke/atom\n" +
        dump("custom FILE id c_s[1] c_s[4] c_e c_n c_m[4] c_k", "sort id" + EXACT)),
    "custom, with variables and fixes": written(
        "variable a atom \"x*fy + vz\"\nfix f all store/state 0 x y vx\nfix g all ave/atom 2 3 6 vx fx\n" +
        dump("custom FILE id v_a f_f[*] f_g[*]", "sort id" + EXACT, every=12)),
    "custom, a group and a threshold": written(
        f"dump d one custom 16 d.dump {STATE}\ndump_modify d sort id thresh vx > 0.2 thresh z < 5{EXACT}\n"),
    "custom, of a moving region": written(
        "variable top equal 4+0.01*step\nregion slab block INF INF INF INF 2 4 move NULL NULL v_top\n" +
        dump(f"custom FILE {STATE}", "sort id region slab" + EXACT)),
    "cfg": written(dump("cfg FILE mass type xs ys zs vx", "sort id", file="d.*.dump")),
    "xyz": written(dump("xyz FILE", "sort id format line '%s %.17g %.17g %.17g'")),
    "xtc": written(dump("xtc FILE", "sort id unwrap yes")),
    "yaml": written(dump("yaml FILE id x y z fx", "sort id" + EXACT)),
    "local": written(PAIRS + dump("local FILE index c_p[*]", EXACT)),
    "local, bonds": written(
        "compute b all property/local batom1 batom2 btype\ncompute l all bond/local dist engpot force\n" +
        dump("local FILE index c_b[*] c_l[*]", EXACT), atom_style="bond", room=ROOM, bonds=BONDS),
    "image": written("dump d all image 40 d.*.dump type type adiam 0.3 size 60 60\n"),
    "image, with bonds": written("dump d all image 40 d.*.dump type type adiam 0.3 size 60 60 bond type 0.1\n",
                                 atom_style="bond", room=ROOM, bonds=BONDS),
    # when they are due
    "restart files": written(RESTART),
    "restart files, one and then the other": written("restart 24 a.restart b.restart\n"),
    "restart files of both kinds": written("restart 24 part.*.restart\nrestart 16 a.restart b.restart\n"),
    "restart files at steps of a variable": written("variable n equal step+17\nrestart v_n part.*.restart\n" + PLACES),
    "a dump and a restart file of one step": written(BOTH),
    "a dump and a restart file, with means": written(BOTH + "fix t all ave/time 2 4 8 c_thermo_temp c_thermo_press file t.ave\n"),
    "a dump and a restart file, with a profile": written(
        BOTH + "compute c all chunk/atom/gpu bin/1d z lower 0.1 units reduced\n"
               "fix p all ave/chunk/gpu 2 4 8 c vx density/number file p.ave\n"),
    "a dump and a restart file, with LAMMPS's profile": written(
        BOTH + "compute c all chunk/atom bin/1d z lower 0.25\nfix p all ave/chunk 4 2 8 c vx density/number file p.ave\n"),
    "a dump and a restart file, with distances of pairs": written(
        BOTH + "compute r all rdf/gpu 20\nfix r all ave/time 8 2 16 c_r[*] mode vector file r.ave\n"
               "variable s equal \"c_r[7][2] < 0.001\"\n" + dump("xyz FILE", "sort id skip v_s", 12, "e", "e.dump")),
    "three dumps": written(ALL + dump("atom FILE", "sort id", 10, "e", "e.dump") + dump("xyz FILE", "sort id", 7, "f", "f.dump")),
    "in every step": written(dump(f"custom FILE {STATE}", "sort id" + EXACT, every=1), run="run 40"),
    "in every other step": written(dump("atom FILE", "sort id", every=2), run="run 40"),
    "at steps of a variable": written("variable n equal stride(3,200,17)\n" + PLACES + "dump_modify d every v_n\n"),
    "at times": written(PLACES + "dump_modify d every/time 0.07\n"),
    "with a delay, and at first": written(PLACES + "dump_modify d delay 40 first yes\n"),
    "some are skipped": written("variable s equal \"temp < 1.02\"\n" + ALL + "dump_modify d skip v_s\n"),
    "some are skipped, by what atoms are": written("variable s equal \"xcm(two,x) < 3.5\"\n" + PLACES + "dump_modify d skip v_s\n"),
    "all are wrapped": written(ALL + "dump_modify d pbc yes\n", region=TRICLINIC),
    "no thermo output": written(BOTH + "thermo 0\n"),
    "thermo output in every step": written(BOTH + "thermo 1\n"),
    "thermo output of atoms": written(BOTH + "compute t two temp\nvariable f equal fcm(all,x)\nthermo_style custom step c_t v_f pe\n"),
    "thermo output of the dump's compute": written(
        "compute r all reduce sum c_s[1]\n".join([STRESS, dump("custom FILE id c_s[1]", "sort id" + EXACT)]) +
        "thermo_style custom step temp c_r\n"),
    "changed between runs": written(BOTH, run="run 50\ndump_modify d every 9\nrestart 11 a.restart b.restart\nrun 50 pre no\n"
                                              "undump d\nrestart 0\nrun 20\n" + ALL + "run 50"),
    "runs in parts": written(BOTH, run="run 60 every 7 NULL\nrun 130 upto\nrun 20 pre no post no\nrun 17 pre no"),
    # what else is in the run
    "triclinic": written(BOTH, region=TRICLINIC, precision="precision double"),
    "sorted with each list": written(BOTH + "atom_modify sort 1 0.0"),
    "never sorted": written(BOTH + "atom_modify sort 0 0.0"),
    "bonds": written(BOTH, atom_style="bond", room=ROOM, bonds=BONDS),
    "bonds, stresses in the dump": written(STRESS + dump("custom FILE id c_s[*] c_e", "sort id" + EXACT), atom_style="bond",
                                           room=ROOM, bonds=BONDS),
    "walls": written(BOTH + "fix w all wall/reflect/gpu zlo EDGE zhi EDGE\nfix f all addforce/gpu 0.1 0.0 0.2\n",
                     region=ORTHOGONAL + "\nchange_box all boundary p p f"),
    "open, and atoms are lost": written(BOTH + "thermo_modify lost ignore\n", region=ORTHOGONAL + "\nchange_box all boundary p p f"),
    "langevin, springs": written(
        BOTH + "fix l all langevin/gpu 1.0 1.0 2.0 771 tally yes\nfix s two spring/self/gpu 5.0\nthermo_style custom step temp f_l f_s\n"),
    "something acts at the end": written(BOTH + "fix m all momentum/gpu 4 linear 1 1 1\nfix r all temp/rescale/gpu 5 1.0 1.0 0.01 0.7\n"),
    "LAMMPS acts at the end": written(BOTH + "fix m all momentum 4 linear 1 1 1\n"),
    "a barostat": written(BOTH, move="fix 1 all npt/exact/gpu temp 1.0 1.0 0.5 iso 20.0 20.0 2.0"),
    "the box is sheared": written(BOTH + "fix s all deform/gpu 1 xy erate 0.1 remap v\n", region=TRICLINIC),
    "a group is chosen": written(BOTH + "variable hot atom 'vx > 0.3'\ngroup hot dynamic all var hot every 6\nfix g hot gravity/gpu 0.3 vector 1 0 0\n"),
    "fix halt": written(BOTH + "fix h all halt 12 tlimit > 1e9\n"),
    "a force of LAMMPS's": written(BOTH + "fix f two addforce 0.1 0 0\n"),
    "2 ranks": written(BOTH, ranks=2),
    "2 ranks, bonds and computes": written(
        STRESS + "restart 24 part.*.restart\n" + dump("custom FILE id c_s[*] c_e", "sort id" + EXACT), ranks=2, atom_style="bond",
        room=ROOM, bonds=BONDS),
    "4 ranks, no sorting": written(BOTH + PLACES.replace(" d ", " e ").replace("d.dump", "e.dump"), ranks=4),
    "it condenses, and lists become too small": {
        **written(BOTH), "style": "dpd/gpu 0.1 1.0 34387", "coefficients": "-40.0 20", "atoms": 400, "run": "run 250"},
}


@pytest.mark.tree("atom", "custom, sorted", "local", "restart files", "three dumps", "at steps", "at times")
@pytest.mark.parametrize("row, rule", [
    pytest.param(row, rule, id=f"{name}, {rule}") for name, row in ROWS.items() for rule in (RULES if BESIDE else ["check yes"])])
def test_same_files(lammps, row, rule):
    compare(lammps, row, RULES[rule])


# ------------------------------------------------------------------------------------------------ they can be read again

def test_read_again(lammps):
    """Restart files of steps in the midst of a run: what follows has the bits of a run that was never ended."""
    run_with(lammps, written(ALL + RESTART, run="run 160"), "verlet/gpu", RULES["check yes"])
    whole = lammps.dump("d.dump")
    require(whole.step == 160, f"the last frame is of step {whole.step}")
    for step in (24, 72, 144):
        lammps.run(f"read_restart part.{step}.restart\nrun_style verlet/gpu\nneighbor 0.3 bin\nneigh_modify {RULES['check yes']}\n"
                   f"atom_modify sort 50 0.0\nfix 1 all nve\ntimestep 0.005\nrestart 24 again.*.restart\n"
                   f"dump d all custom 16 again.dump {STATE}\ndump_modify d sort id{EXACT}\nrun 160 upto")
        again = lammps.dump("again.dump")
        require(again.step == 160, f"from {step} on: the last frame is of step {again.step}")
        require(not difference(whole, again), f"from {step} on: {difference(whole, again)}")


# ------------------------------------------------------------------------------------------------------ stops and errors


STOPS = {
    "a timestep that is far too long, found in the steps behind a dump": written(
        dump("atom FILE", every=50), run="run 50\ntimestep 0.5\nrun 100"),
    "an atom that flies off, in the steps behind a restart file": written(
        "restart 40 a.restart b.restart\ngroup lead id 77\nfix p lead addforce/gpu 100 0 0\n", run="run 400",
        rule="every 1000 delay 0 check no"),
    "a file that cannot be made any more": written(
        dump("atom FILE", file="sub/d.*.dump"), run="shell mkdir sub\nrun 20\nshell mv sub gone\nrun 100"),
    "atoms lost, with a dump": written(dump("atom FILE", every=40) + "thermo 80\n", region=ORTHOGONAL + "\nchange_box all boundary p p f"),
}


@pytest.mark.tree
@pytest.mark.parametrize("row", STOPS.values(), ids=STOPS)
def test_stops(lammps, row):
    stops_alike(lammps, row)


def test_library_caught(lammps):
    """Library: a file cannot be written while steps are ahead; a restart file is read and the run goes on."""
    row = written(dump("atom FILE", file="sub/d.*.dump", every=20), run="")
    text = text_of(row, "verlet/gpu", RULES["check no"]).replace("write_restart end.restart", "")
    done = lammps.python(f"""
import os, shutil
from lammps import lammps
lmp = lammps(cmdargs=["-screen", "none", "-log", "none", "-nocite"])
os.mkdir("sub")
lmp.commands_string('''{text}''')
lmp.commands_string("run 20\\nwrite_restart here.restart")
shutil.rmtree("sub")
for k in range(2):
    try:
        lmp.command("run 100")
        print("no error")
    except Exception as error:
        print("error:", error)
os.mkdir("sub")
lmp.command("clear")
lmp.commands_string('''read_restart here.restart
run_style verlet/gpu
fix 1 all nve
dump d all atom 20 sub/d.*.dump
run 100''')
print("end", len(os.listdir("sub")))
""")
    require(done.status == 0 and done.output.count("error:") == 2 and done.output.rstrip().endswith("end 6"), done.tail())


def test_library_ends_early(lammps):
    """Library: a run is ended from another thread, while LAMMPS writes dumps."""
    ends_early(lammps, written(dump("atom FILE", every=100) + "thermo 5", run="run 10"))


# ------------------------------------------------------------------------------------------------------ steps in the meantime


# The file of step 100, the first of the run, is a pipe that nobody reads, too small for what LAMMPS writes: LAMMPS stays in
# this step. Processor time that is neither that of LAMMPS's thread nor of this one is that of steps made in the meantime
WAITS = """
import os, select, threading, time
from lammps import lammps
lmp = lammps(cmdargs=["-log", "none", "-nocite", "-screen", "none"])
lmp.file("in.test")
os.mkfifo("part.100.FILE")
run = threading.Thread(target=lambda: lmp.command("run 101"))

def used_by_others():
    clock = time.pthread_getcpuclockid(run.ident)
    return time.process_time() - time.thread_time() - time.clock_gettime(clock)

before = time.process_time() - time.thread_time()
run.start()
pipe = os.open("part.100.FILE", os.O_RDONLY | os.O_NONBLOCK)
deadline = time.monotonic() + 60
while not select.select([pipe], [], [], 0.01)[0] or used_by_others() - before < 0.01:
    if time.monotonic() > deadline:
        print("no steps in the meantime", flush=True)
        os._exit(1)
    time.sleep(0.01)
os.set_blocking(pipe, True)
while os.read(pipe, 65536):
    pass
run.join()
print("end", lmp.extract_global("ntimestep"))
lmp.close()
"""


def goes_on(lammps, more, file):
    """99 steps of 6000 atoms can be made while LAMMPS waits in step 100; a hundredth of a second is a few of them. No sort of
    LAMMPS's comes between, to which the engine would leave a rebuild."""
    if not OWN_COPIES or BACKEND == "cuda":
        pytest.skip("no steps of the host beside LAMMPS")
    row = written("", atoms=6000, region="region box block 0 10 0 10 0 20", run="atom_modify sort 0 0.0\nrun 99\n" + more)
    lammps.write("in.test", text_of(row, "verlet/gpu", RULES["check no"]).replace("write_restart end.restart", ""))
    done = lammps.python(WAITS.replace("FILE", file))
    require(done.status == 0 and done.output.rstrip().endswith("end 200"), done.tail())


def test_steps_go_on_while_lammps_writes_a_dump(lammps):
    goes_on(lammps, dump("atom FILE", every=100, file="part.*.dump"), "dump")


def test_steps_go_on_while_lammps_writes_a_restart_file(lammps):
    goes_on(lammps, "restart 100 part.*.restart\n", "restart")
