"""What random_inputs.py chooses from. Words in braces are values of the case (Case.draw_words).

SPDX-License-Identifier: GPL-2.0-or-later
"""

from dataclasses import dataclass
from typing import Callable

# why other numbers of ranks give other bits
SUM = "LAMMPS adds floating-point numbers of all ranks, and moves atoms by the sum"
GENERATOR = "LAMMPS's generator of random numbers is one per rank"
NUMBERS = "LAMMPS gives atoms new IDs, rank by rank"
SHIFT = "LAMMPS rounds coordinates when it balances by shifts"
INCLUDED = "LAMMPS clears forces of the group of neigh_modify include alone: those of other atoms are what their places have held"
TILES = "LAMMPS's comm_style tiled misses ghosts of a narrow triclinic box"
# why the first forces are not those of LAMMPS's own style
NO_GHOSTS = "LAMMPS's own list does not see pairs whose ghosts are left out"


@dataclass(frozen=True)
class Item:
    text: str
    weight: float = 1.0
    ranks: str = ""
    own: str = ""
    kind: str = ""
    when: Callable = lambda case: True
    steps: int = 1    # of rules of lists: how many steps may pass without a look


def group(name):
    return lambda case: any(item.kind == name for item in case.groups)


def wall(case):
    return any(boundary != "p" for boundary in case.box.boundary)


def all_periodic(case):
    return not wall(case)


def tiled(case):
    return case.communication.kind == "tiled"


def wide(case):
    """For tiles, with which LAMMPS wants ghosts from next boxes only, and hangs without atoms."""
    return min(case.box.edges) > 3.0 and case.count > 8


def triclinic(case):
    return case.box.tilt is not None


def multi(case):
    return case.neighbor == "multi"


def keeps_no_time(case):
    items = [*case.outputs, *(fix for fix, _ in case.fixes)]
    return not any("/" in item.text and ("ave" in item.text or "dt/reset" in item.text) for item in items)


def molecules(case):
    return bool(case.length)


def first_style(case):
    return not case.hybrid


# the weight is the probability
GROUPS = [
    Item("group first type 1", 0.3, kind="first"),
    Item("group one id {some}", 0.3, kind="one"),
    Item("region half block {slab}\ngroup half region half", 0.3, kind="half"),
    Item("group nothing empty", 0.15, kind="nothing"),
    Item("region where block {slab}\ngroup moving dynamic all region where every {every}", 0.15, kind="moving"),
]

MOTIONS = [
    Item("fix move all nve", 12),
    Item("", 0.7),
    Item("fix move first nve", 1, when=group("first")),
    Item("fix move half nve", 2, when=group("half")),
    Item("fix move moving nve", 2, when=group("moving")),
    Item("fix move nothing nve", 0.5, when=group("nothing")),
    Item("fix move half nve\nfix move2 one nve", 1, when=lambda case: group("half")(case) and group("one")(case)),
    Item("fix move all nve\nfix move2 one nve", 0.5, when=group("one")),
    Item("fix move all nve\nvelocity half set 0 0 0\nfix hold half setforce 0 0 0", 2, when=group("half")),
    Item("fix move half rigid/exact/gpu single torque * off off off", 0.7, when=lambda case: group("half")(case) and case.count > 8),
    Item("fix move all rigid/small/exact/gpu molecule langevin 1.0 1.0 0.5 {seed}", 0.4, when=molecules),
    Item("fix move all rigid/nvt/small/exact/gpu molecule temp 1.0 1.2 0.5", 0.4, when=molecules),
    Item("fix move all rigid/nve/small/exact/gpu molecule", 0.4, when=molecules),
    Item("fix move half rigid/exact/gpu single reinit no\ngroup rest subtract all half\nfix move2 rest nve", 0.4,
         when=lambda case: group("half")(case) and case.count > 8),
    Item("fix move all nve/limit 0.1", 1),
    Item("fix move all nve/noforce", 0.5),
    Item("fix move all nvt temp 1.0 1.0 0.5", 0.5, ranks=SUM),
    Item("fix move all nph iso 20.0 20.0 5.0", 0.4, ranks=SUM,
         when=lambda case: all_periodic(case) and case.box.kind != "huge"),
]

# text: keyword-value pairs of neigh_modify
LISTS = [
    Item("every 1 delay 0 check yes", 6),
    Item("every 1 delay 0 check no", 3),
    Item("every 5 delay 0 check no", 3, steps=5),
    Item("every 2 delay 4 check yes", 1, steps=4),
    Item("every 10 delay 10 check yes", 1, steps=10),
    Item("every 1 delay 0 check yes exclude type 1 {type}", 1),
    Item("every 1 delay 0 check yes exclude group one half", 1, when=lambda case: group("half")(case) and group("one")(case)),
    Item("every 1 delay 0 check yes exclude molecule/intra all", 1, when=molecules),
    Item("every 1 delay 0 check yes one 200000 page 2000000", 1),
    # LAMMPS crashes where bins of neighbor multi have this width
    Item("every 1 delay 0 check yes binsize 0.7", 1, when=lambda case: not multi(case)),
    Item("every 1 delay 0 check yes include first", 0.5, ranks=INCLUDED, kind="first", when=group("first")),
]

COMMUNICATION = [
    Item("", 10),
    Item("comm_modify cutoff 2.5", 1),
    Item("comm_modify vel yes", 1),
    Item("comm_modify mode multi", 3, when=multi),
    Item("comm_modify mode multi cutoff/multi 1 2.5", 1, when=multi),
    Item("", 1, kind="tiled", when=wide),
    Item("balance 1.0 rcb", 1, kind="tiled", when=wide),
    Item("comm_modify mode multi reduce/multi", 1.5, when=multi),
    Item("comm_modify cutoff 0.4", 0.3, own=NO_GHOSTS),
    Item("comm_modify group first", 0.3, kind="first", when=group("first"), own=NO_GHOSTS),
]

# Those of LAMMPS's that this package has, too (/exact/gpu), with all arguments that stand here
DECLARED_FIXES = ["nve", "nve/limit", "addforce", "setforce", "aveforce", "gravity", "langevin", "temp/rescale", "momentum",
                  "nvt", "nph", "temp/berendsen", "press/berendsen", "spring/self", "move", "wall/reflect", "wall/harmonic", "wall/lj93", "wall/lj126"]

WALLS = Item("fix {id} all wall/reflect {faces}", kind="wall")

# {group}: of each fix, any
FIXES = [
    Item("fix {id} {group} addforce {number} 0.0 -{small}", 3, kind="addforce"),
    Item("region push block {slab}\nfix {id} {group} addforce 0.0 {number} 0.0 region push", 1, kind="addforce"),
    Item("fix {id} {group} addforce 0.0 {number} 0.0 every {every}", 1, kind="addforce"),
    Item("variable push atom 0.1*x\nfix {id} {group} addforce v_push 0.0 0.0", 1, kind="addforce"),
    Item("fix {id} {group} gravity {number} vector 1 0 0", 3, kind="gravity"),
    Item("fix {id} {group} gravity {number} vector 0.3 -0.5 0.1", 1, kind="gravity"),
    Item("fix {id} {group} setforce 0.0 NULL NULL", 1, kind="setforce"),
    Item("fix {id} {group} spring/self {number}", 1, kind="spring"),
    Item("fix {id} {group} spring/exact/gpu tether {number} 1.0 NULL 2.0 {small}", 1, kind="spring"),
    Item("fix {id} {group} aveforce {small} NULL 0.0", 0.5, ranks=SUM, kind="aveforce"),
    Item("variable ramp equal 0.01*step\nfix {id} {group} addforce v_ramp 0.0 0.1", 1, kind="addforce"),
    Item("variable drift equal vcm(all,x)\nfix {id} {group} addforce v_drift 0.0 0.1", 0.5, ranks=SUM, kind="addforce"),
    Item("region push sphere/exact/gpu 1.0 1.0 1.0 {number} side out\nfix {id} {group} setforce NULL 0.0 NULL region push", 1, kind="setforce"),
    Item("region a plane {middle} {middle} {middle} 1 1 0\nregion b cylinder z 1.0 1.0 1.5 INF INF\nregion push union 2 a b side out\n"
         "fix {id} {group} addforce 0.1 {small} 0.0 region push", 1, kind="addforce"),
    Item("region a block {slab} side out\nregion b sphere 1.0 1.0 1.0 2.0\nregion push intersect 2 a b\n"
         "fix {id} {group} setforce {small} NULL NULL region push", 1, kind="setforce"),
    Item("variable pull equal -{small}*xcm(all,x)+{small}*vcm(all,y)+0.0001*ke(all)+mass(all)/(1+count(all))\n"
         "fix {id} {group} addforce v_pull 0.0 v_pull", 1, ranks=SUM, kind="addforce"),
    Item("compute heat all ke/exact/gpu\nvariable pull equal 0.0001*c_heat\nfix {id} {group} gravity/exact/gpu v_pull vector 1 0 0", 1, kind="gravity"),
    Item("variable pull equal 1.0e-5*pe\nfix {id} {group} addforce v_pull 0.0 0.0", 0.3, ranks=SUM, kind="addforce"),
    Item("variable T equal 1.0+0.5*sin(0.1*step)\nfix {id} {group} langevin/exact/gpu v_T 1.0 0.5 {seed} tally yes", 0.5, kind="langevin"),
    Item("variable T equal 1.0+0.01*vcm(all,x)\nfix {id} all temp/rescale/exact/gpu {every} v_T 1.0 0.01 0.5", 0.5, kind="rescale", when=lambda case: case.count > 3),
    Item("fix {id} {group} spring/self {number} xy\nfix_modify {id} energy yes", 0.5, kind="spring"),
    Item("fix {id} all npt/exact/gpu temp 1.0 1.5 0.5 iso 20.0 20.0 5.0", 0.4, kind="deform",
         when=lambda case: all_periodic(case) and case.box.kind != "huge" and case.count > 8),
    Item("variable e equal 1.0+0.01*step\nfix {id} {group} wall/lj93/exact/gpu {wall}lo EDGE v_e 0.2 0.5 {wall}hi EDGE 1.0 0.1 0.3\n"
         "fix_modify {id} virial yes", 0.5, kind="wall", when=wall),
    Item("variable z equal {low}+0.001*step\nfix {id} {group} wall/reflect/exact/gpu {wall}lo v_z units box", 1, kind="wall",
         when=lambda case: wall(case) and case.words["axis"] == case.words["wall"]),
    Item("fix {id} {group} langevin 1.0 2.0 0.5 {seed}", 0.5, ranks=GENERATOR, kind="langevin"),
    Item("fix {id} all momentum {every} linear 1 0 1 rescale", 0.5, ranks=SUM, kind="momentum", when=lambda case: case.count > 3),
    Item("fix {id} {group} wall/bounce/exact/gpu {wall}lo EDGE {wall}hi EDGE", 2, kind="wall", when=wall),
    Item("fix {id} {group} wall/lj126 {wall}lo EDGE {number} 0.2 0.5 {wall}hi EDGE 1.0 0.1 0.3", 0.5, kind="wall", when=wall),
    Item("fix {id} {group} viscous {number}", 1, kind="viscous"),
    Item("fix {id} {group} langevin 1.0 1.0 1.0 {seed}", 0.5, ranks=GENERATOR, kind="langevin"),
    Item("fix {id} all langevin 1.0 1.0 1.0 {seed} tally yes scale {type} {number} zero yes", 0.5, ranks=GENERATOR, kind="langevin",
         when=lambda case: case.count > 0),
    Item("fix {id} {group} aveforce NULL 0.0 NULL", 0.5, ranks=SUM, kind="aveforce"),
    Item("fix {id} all momentum {every} linear 1 1 1", 0.5, ranks=SUM, kind="momentum"),
    Item("fix {id} all momentum {every} linear 1 1 1 angular", 0.5, ranks=SUM, kind="momentum", when=lambda case: case.count > 3),
    Item("fix {id} all temp/rescale {every} 1.0 1.0 0.01 0.5", 0.5, ranks=SUM, kind="rescale",
         when=lambda case: case.count > 3),
    Item("fix {id} all temp/berendsen 1.0 1.5 0.5", 0.5, ranks=SUM, kind="berendsen", when=lambda case: case.count > 3),
    Item("fix {id} all press/berendsen iso 20.0 20.0 5.0 modulus 60.0", 0.4, ranks=SUM, kind="deform",
         when=lambda case: all_periodic(case) and not triclinic(case) and case.box.kind != "huge"),
    Item("fix {id} all deform 1 {axis} erate {small} remap v", 1, kind="deform", when=all_periodic),
    Item("fix {id} all deform {every} {axis} scale 1.1 remap x", 0.5, kind="deform", when=all_periodic),
    Item("fix {id} all deform 1 xy erate {number} remap v flip yes", 1, kind="deform",
         when=lambda case: triclinic(case) and all_periodic(case)),
    Item("fix {id} all deform/exact/gpu {every} {axis} erate {small} remap v", 2, kind="deform", when=all_periodic),
    Item("fix {id} {group} deform/exact/gpu {every} {axis} wiggle 0.1 0.2 remap x units box", 2, kind="deform", when=all_periodic),
    Item("fix {id} all deform/exact/gpu 1 {axis} trate {small} remap none", 1, kind="deform", when=all_periodic),
    Item("fix {id} all deform/exact/gpu 1 xy erate {number} remap v flip yes", 2, kind="deform",
         when=lambda case: triclinic(case) and all_periodic(case)),
    Item("fix {id} all deform/exact/gpu {every} xy vel {number} yz wiggle 0.1 0.3 remap x units box", 2, kind="deform",
         when=lambda case: triclinic(case) and all_periodic(case)),
    Item("fix {id} {group} wall/reflect {wall}lo EDGE {wall}hi EDGE", 6, kind="wall", when=wall),
    Item("fix {id} {group} wall/harmonic {wall}lo EDGE {number} 1.0 0.3", 1, kind="wall", when=wall),
    Item("fix {id} {group} ave/time 1 2 {every} c_thermo_temp c_thermo_press file case.ave", 1, kind="ave"),
    Item("fix {id} {group} ave/atom 1 2 {every} x vx", 1, kind="ave/atom"),
    Item("fix {id} {group} store/state {every} x vx", 1, kind="store"),
    Item("variable now equal step\nfix {id} all print {every} \"now ${{now}}\"", 1, kind="print"),
    Item("variable far equal vcm(all,x)\nfix {id} all halt 4 v_far > 1.0e9", 0.3, kind="halt"),
    Item("fix {id} all dt/reset {every} NULL 0.01 0.05 units box", 0.5, kind="dt"),
    Item("variable part equal ramp(4.0,5.0)\nfix {id} all adapt {every} pair {style} gamma * * v_part", 1, kind="adapt",
         when=first_style),
    Item("fix {id} all balance {every} 1.0 shift x 5 1.1", 0.5, ranks=SHIFT, kind="balance",
         when=lambda case: case.count > 8),
    Item("fix {id} all balance {every} 1.0 rcb", 2, kind="balance", when=tiled),
    Item("fix {id} {group} move linear {small} 0.0 NULL", 0.3, kind="move"),
    Item("region out block {slab}\nfix {id} {group} evaporate {every} 1 out {seed}", 0.3, ranks=GENERATOR, kind="evaporate"),
    Item("fix {id} {group} nve", 0.5, kind="nve"),
]

OUTPUTS = [
    Item("thermo_style custom step temp pe press pxx pxy"),
    Item("compute t all temp/partial 1 0 1\nthermo_style custom step temp c_t density", when=lambda case: not case.flat),
    Item("compute sum all pair {style}\nthermo_style custom step temp c_sum[1]", when=first_style),
    Item("compute e all pe/atom\ncompute s all stress/atom NULL\ndump more all custom 3 more.*.dump id c_e c_s[1]\n"
         "dump_modify more sort id format float %.17g"),
    Item("compute m all msd\nthermo_style custom step temp c_m[4]"),
    Item("compute m all msd/exact/gpu com yes\nthermo_style custom step temp c_m[4]"),
    Item("compute k all ke/exact/gpu\ncompute x all com/exact/gpu\ncompute p all momentum/exact/gpu\nthermo_style custom step temp c_k c_x[1] c_p[3]"),
    Item("compute g all gyration/exact/gpu\nthermo_style custom step temp c_g c_g[4]"),
    Item("compute c all chunk/atom/exact/gpu molecule\ncompute g all gyration/chunk/exact/gpu c tensor\ncompute x all com/chunk/exact/gpu c\n"
         "compute w all msd/chunk/exact/gpu c\nfix c all ave/time {every} 1 {every} c_g[*] c_x[*] c_w[*] mode vector file case.chunk",
         when=molecules),
    Item("variable v equal xcm(all,x)+ke(all)\nvariable f equal mass(all)+count(all)\n"
         "fix values all ave/time 1 2 4 v_f file case.values\nthermo_style custom step temp v_v v_f"),
    Item("fix lines all print 3 \"$(xcm(all,y):%.9g)\" file case.lines screen no"),
    Item("compute t all temp/deform/exact/gpu\nthermo_style custom step temp c_t", when=lambda case: not case.flat),
    Item("compute t all temp/partial/exact/gpu 1 0 1\nthermo_style custom step temp c_t", when=lambda case: not case.flat),
    Item("compute r all rdf 10\nfix rdf all ave/time 2 1 2 c_r[*] mode vector file case.rdf", when=lambda case: case.box.kind != "huge"),
    Item("compute r all rdf/exact/gpu 10 * * 1 *\nfix rdf all ave/time 2 1 2 c_r[*] mode vector file case.rdf", when=wide),
    Item("compute c all chunk/atom bin/1d {axis} lower 0.2 units reduced\nfix c all ave/chunk 1 2 {every} c vx file case.chunk",
         when=lambda case: not case.flat),
    Item("compute c all chunk/atom/exact/gpu bin/1d {axis} lower 0.2 units reduced\n"
         "fix c all ave/chunk/exact/gpu 1 2 {every} c vx density/number temp file case.chunk", when=lambda case: not case.flat),
    Item("compute c all chunk/atom/exact/gpu bin/1d {axis} lower 0.2 units reduced\ncompute s all stress/atom/exact/gpu NULL\n"
         "compute e all pe/atom/exact/gpu\nfix c all ave/chunk/exact/gpu 1 2 {every} c c_s[1] c_s[4] c_e file case.chunk",
         when=lambda case: not case.flat),
    Item("compute e all pe/atom/exact/gpu\ncompute s all stress/atom/exact/gpu NULL\ndump more all custom 3 more.*.dump id c_e c_s[1]\n"
         "dump_modify more sort id format float %.17g"),
    Item("thermo_modify lost ignore", 2),
    Item("thermo_modify lost ignore\nthermo_style custom step atoms temp", 1),
    Item("restart {every} part.*.restart"),
    Item("dump more all atom 4 more.*.dump\ndump_modify more sort id scale no format line '%d %d %.17g %.17g %.17g'\n"
         "restart 6 part.*.restart"),
]

# between two runs; light: what needs no set-up, so that a run with "pre no" may follow
BETWEEN = [
    Item("velocity all set {small} 0.0 NULL", kind="light", when=lambda case: case.count > 0),
    Item("velocity all scale 0.9", 0.4, kind="light", ranks=SUM, when=lambda case: case.count > 3),
    Item("velocity all zero linear", 0.4, kind="light", ranks=SUM, when=lambda case: case.count > 0),
    Item("velocity all create 1.0 {seed} loop geom", 0.4, ranks=SUM, when=lambda case: case.count > 3),
    Item("displace_atoms all move {move} 0.0 0.0 units box"),
    Item("displace_atoms all random 0.1 0.1 0.0 {seed} units box"),
    Item("displace_atoms half move 0.1 0.0 0.0 units box", when=group("half")),
    Item("change_box all {axis} scale 1.05 remap", when=lambda case: case.box.periodic("xyz".index(case.words["axis"]))),
    Item("undump d\nchange_box all triclinic\n{DUMP}", 0.5, when=lambda case: not triclinic(case) and not case.flat),
    Item("change_box all xy delta 0.1 remap", when=lambda case: triclinic(case) and all_periodic(case)),
    Item("set type 1 type {type}", when=lambda case: case.count > 0),
    Item("set group all type/fraction {type} 0.5 {seed}", when=lambda case: case.count > 0),
    Item("set atom {some} vx 1.5", kind="light", when=lambda case: case.count > 0),
    Item("set atom {some} vx 1.0e5", 0.2, when=lambda case: case.count > 0),
    Item("delete_atoms group half bond yes compress no", when=lambda case: group("half")(case) and molecules(case)),
    Item("delete_atoms group half compress no", when=lambda case: group("half")(case) and not molecules(case)),
    Item("delete_atoms group half", 0.3, ranks=NUMBERS, when=lambda case: group("half")(case) and not molecules(case)),
    Item("delete_atoms group all", 0.3, when=lambda case: not molecules(case)),
    Item("write_data end.data pair ij nocoeff"),
    Item("write_restart end.restart"),
    Item("", 3, kind="restart", when=lambda case: not case.hybrid),
    Item("", 9, kind="restart", when=lambda case: case.suffix and not case.hybrid),
    Item("undump d\nreset_timestep {every}00\n{DUMP}", when=keeps_no_time),
    Item("timestep 0.0025"),
    Item("timestep 0.0009765625"),
    Item("run_style verlet\nrun 3\nrun_style {RUN_STYLE}"),
    Item("unfix DPD_GPU_STATE", 0.3),
    Item("neighbor 0.45 bin", when=lambda case: case.box.kind != "huge"),
    Item("minimize 0.0 1.0e-4 5 20", 0.5, ranks=SUM, when=lambda case: not case.fixes),
    Item("balance 1.0 shift x 5 1.1", 0.5, ranks=SHIFT, when=lambda case: case.count > 8),
    Item("fix more all addforce {small} 0.0 0.0"),
    Item("unfix move\nfix move all nve", when=lambda case: case.motion.text != ""),
    # sorted by place in bins whose number depends on the ranks
    Item("reset_atoms id sort yes", 0.3, ranks=NUMBERS, when=lambda case: not molecules(case)),
    Item("pair_modify compute no", 0.1),
    Item("create_atoms 1 single 0.1 0.1 0.0 units box", 0.5, when=lambda case: not molecules(case)),
]

RUNS = [
    Item("run LENGTH", 5),
    Item("run LENGTH pre no", 3, when=lambda case: len(case.steps) > 1 and case.steps[-1].kind == "light"),
    Item("run LENGTH post no", 1),
    Item("run LENGTH every 2 NULL", 0.5),
    Item("run LENGTH every 3 \"velocity all set 0.1 NULL NULL\"", 0.5, when=lambda case: case.count > 0),
]
