"""The inputs that bench_inputs measures: a fluid, and what people add to it.   SPDX-License-Identifier: GPL-2.0-or-later

Commands have the names of LAMMPS's own styles; bench_inputs replaces them by others. Variables of every input are n,
the wanted number of particles, and edge, that of the box."""

from dataclasses import dataclass

BLOCK = "block 0 ${edge} 0 ${edge} 0 ${edge}"
PRISM = "prism 0 ${edge} 0 ${edge} 0 ${edge} 0 0 0"
WARM_UP_RUNS = 3    # two to reach equilibrium, one with what the case adds


@dataclass(frozen=True)
class Case:
    name: str
    what: str                   # for --list
    add: str = ""               # commands for the fluid in equilibrium
    thermo: str = "thermo 100"
    # the fluid itself, where it is not the plain one
    motion: str = "fix move all nve"
    pair: str = "pair_style dpd 1.0 1.0 34387\npair_coeff * * 25.0 4.5"
    style: str = "atomic"
    boundary: str = "p p p"
    box: str = BLOCK
    types: int = 1
    room: str = ""              # for bonds, as create_box takes it
    bonds: str = ""             # styles of bonds and angles
    create: str = "create_atoms 1 random ${n} 4711 NULL"
    files: tuple = ()           # names and texts of files that the input reads


def input_of(case, n, warm, steps, repeats, beginning="", run_style=""):
    """An input: the fluid and a warm-up, what the case adds and a warm-up, then the runs that count."""
    lines = ["units lj", f"atom_style {case.style}", f"boundary {case.boundary}", beginning,
             f"variable n equal {n}", "variable edge equal (v_n/3.0)^(1.0/3.0)",
             f"region box {case.box}", f"create_box {case.types} box {case.room}".rstrip(), case.bonds, case.create,
             "mass * 1.0", "velocity all create 1.0 87287", case.pair,
             "neighbor 0.3 bin", "neigh_modify every 5 delay 0 check no", "timestep 0.005", run_style, case.motion,
             "thermo 1000", f"run {warm}", "velocity all scale 1.0", f"run {warm}", "velocity all scale 1.0",
             case.add, case.thermo, f"run {warm}"] + [f"run {steps}"] * repeats
    return "\n".join(line for line in lines if line) + "\n"


# ---------------------------------------------------------------------------------------------------- parts of inputs

STRESS = "thermo_style custom step temp press pxx pyy pzz\nthermo 10"
SLICES = "compute slice all chunk/atom bin/1d z lower 0.05 units reduced\n"
STRESS_PROFILE = (SLICES + "compute stress all stress/atom NULL\n"
                  "fix mean all ave/chunk 10 10 100 slice c_stress[1] c_stress[2] c_stress[3] file stress.out")

WALLS = """region low block INF INF INF INF INF 1.5
variable below equal ${edge}-1.5
region high block INF INF INF INF ${below} INF
region walls union 2 low high
group walls region walls
group fluid subtract all walls
velocity walls set 0 0 0
"""

# one particle diameter away from walls that push, as these need it
BETWEEN_WALLS = """variable top equal ${edge}-1.0
region between block INF INF INF INF 1.0 ${top}
create_atoms 1 random ${n} 4711 between"""

TWO_TYPES = "\nset group all type/fraction 2 0.3 777"

# colloids of radius 2, one in the middle of each cell of about 8 x 8 x 8
COLLOIDS = """variable cells equal floor(v_edge/8)
variable width equal v_edge/v_cells
variable i atom floor(x/v_width)
variable j atom floor(y/v_width)
variable k atom floor(z/v_width)
variable r2 atom (x-(v_i+0.5)*v_width)^2+(y-(v_j+0.5)*v_width)^2+(z-(v_k+0.5)*v_width)^2
variable inside atom v_r2<4.0
variable number atom 1+v_i+v_cells*(v_j+v_cells*v_k)
group colloids variable inside
group fluid subtract all colloids
set group colloids mol v_number
comm_modify cutoff 3.0
set group colloids image 0 0 0
neigh_modify exclude molecule/intra colloids
unfix move
fix move fluid nve
fix rigid colloids rigid/small molecule"""

# a lattice that fits the box, as Lennard-Jones particles must not overlap
ON_LATTICE = """variable rows equal round(v_n^(1.0/3.0))
variable density equal (v_rows/v_edge)^3
lattice sc ${density}
create_atoms 1 box"""

# in the box's density of 3 it makes the density of a melt, 0.85
SIGMA = 0.656

# Warren's fluid, whose liquid has 6 particles in a cube of its cutoff, with lengths of 1.26: its liquid has the box's density of 3
MANY_BODY = """pair_style hybrid/overlay mdpd/rhosum mdpd 1.0 1.26 34387
pair_coeff * * mdpd/rhosum 0.945
pair_coeff * * mdpd -31.75 39.69 14.29 1.26 0.945"""

# as many positive as negative ions, a tenth of all particles
IONS = """
variable cations equal floor(v_n/20)
variable next equal v_cations+1
variable last equal 2*v_cations
set group all charge 0.0
set atom 1*${cations} charge 1.0
set atom ${next}*${last} charge -1.0
set atom 1*${last} type 2"""

CHARGES = """pair_style dpd/coul/slater/long 1.0 1.0 34387 0.67 2.0
pair_coeff * * 25.0 4.5 no
pair_coeff 2 2 25.0 4.5 yes
kspace_style pppm 1e-2"""

# ---- chains of ten beads, three of which are of another type

BEADS = 10
ROOM = ("bond/types 1 angle/types 1 extra/bond/per/atom 2 extra/angle/per/atom 3 dihedral/types 1 extra/dihedral/per/atom 4 "
        "extra/special/per/atom 6")
CREATE_CHAINS = f"""molecule chain chain.mol
variable chains equal ceil(v_n/{BEADS})
create_atoms 0 random ${{chains}} 4711 NULL mol chain 555"""
HARMONIC = "bond_style harmonic\nbond_coeff 1 50.0 0.5"
FENE = "bond_style fene\nbond_coeff 1 30.0 1.5 1.0 0.5"
AMPHIPHILE = "pair_style dpd 1.0 1.0 34387\npair_coeff * * 25.0 4.5\npair_coeff 1 2 40.0 4.5"


def molecule(angles, dihedrals, bond=0.5):
    """A straight chain, as the command molecule reads it."""
    sections = {"Coords": [f"{k + 1} {bond * k:.10g} 0 0" for k in range(BEADS)],
                "Types": [f"{k + 1} {1 if k < 3 else 2}" for k in range(BEADS)],
                "Bonds": [f"{k} 1 {k} {k + 1}" for k in range(1, BEADS)]}
    counts = [f"{BEADS} atoms", f"{BEADS - 1} bonds"]
    if angles:
        sections["Angles"] = [f"{k} 1 {k} {k + 1} {k + 2}" for k in range(1, BEADS - 1)]
        counts.append(f"{BEADS - 2} angles")
    if dihedrals:
        sections["Dihedrals"] = [f"{k} 1 {k} {k + 1} {k + 2} {k + 3}" for k in range(1, BEADS - 2)]
        counts.append(f"{BEADS - 3} dihedrals")
    return "\n".join(["a chain", "", *counts] + [
        line for title, lines in sections.items() for line in ("", title, "", *lines)]) + "\n"


def chains(name, what, bonds=HARMONIC, angle="", dihedral="", special="1 1 1", **more):
    bonds = [bonds, f"special_bonds lj {special}"]
    bonds += [style for style in (angle, dihedral) if style]
    return Case(name, what, style="molecular", types=2, room=ROOM, bonds="\n".join(bonds),
                create=CREATE_CHAINS, pair=AMPHIPHILE, files=(("chain.mol", molecule(bool(angle), bool(dihedral))),), **more)


COSINE = "angle_style cosine\nangle_coeff 1 5.0"
OPLS = "dihedral_style opls\ndihedral_coeff 1 1.0 -0.5 0.7 0.2"
STRAIGHT = "angle_style harmonic\nangle_coeff 1 5.0 180.0"

# the model of Kremer and Grest (J. Chem. Phys. 92, 5057, 1990) with the thermostat of DPD; chains begin side by side, along x
CUTOFF = 2 ** (1 / 6) * SIGMA
MELT = f"""pair_style hybrid/overlay lj/cut {CUTOFF:.6f} dpd/tstat 1.0 1.0 {CUTOFF:.6f} 34387
pair_coeff * * lj/cut 1.0 {SIGMA}
pair_coeff * * dpd/tstat 4.5
pair_modify shift yes"""
MELT_BONDS = f"bond_style fene\nbond_coeff 1 {30 / SIGMA**2:.4f} {1.5 * SIGMA:.4f} 1.0 {SIGMA}\nspecial_bonds fene"
SIDE_BY_SIDE = f"""molecule chain chain.mol
variable along equal floor(v_n^(1.0/3.0)/{BEADS}+0.001)
variable across equal round(sqrt(v_n/({BEADS}*v_along)))
variable length equal v_edge/v_along
variable width equal v_edge/v_across
variable density equal 1.0/(v_length*v_width^2)
lattice custom ${{density}} a1 ${{length}} 0 0 a2 0 ${{width}} 0 a3 0 0 ${{width}} basis 0 0 0
create_atoms 0 box mol chain 555 rotate 0 0 0 1"""
MELT_FILES = (("chain.mol", molecule(False, False, bond=3 ** (-1 / 3))),)

# ------------------------------------------------------------------------------------------------------------ the table

CASES = [
    Case("plain", "the fluid alone: fix nve, lists every 5 steps, thermo output every 100"),
    Case("check-yes", "displacements say when lists are rebuilt", "neigh_modify every 1 delay 0 check yes"),

    # what is watched
    Case("thermo-stress", "thermo output of temp, press, pxx, pyy and pzz every 10 steps", thermo=STRESS),
    Case("ave/time", "means of the pressure, every 10 steps",
         "compute p all pressure thermo_temp\n"
         "fix mean all ave/time 10 10 100 c_p[1] c_p[2] c_p[3] file pressure.out"),
    Case("ave/correlate", "autocorrelation of the shear stress, every 5 steps",
         "compute p all pressure thermo_temp\n"
         "fix mean all ave/correlate 5 40 200 c_p[4] c_p[5] c_p[6] file correlation.out"),
    Case("velocity-profile", "velocity and density in slices, every 10 steps",
         SLICES + "fix mean all ave/chunk 10 10 100 slice vx density/number file velocity.out"),
    Case("velocity-profile-often", "the same, written every 10 steps",
         SLICES + "fix mean all ave/chunk 10 1 10 slice vx density/number temp file velocity.out"),
    Case("velocity-map", "velocity and density in 20 x 20 x 20 bins, every 10 steps",
         "compute brick all chunk/atom bin/3d x lower 0.05 y lower 0.05 z lower 0.05 units reduced\n"
         "fix mean all ave/chunk 10 100 1000 brick vx vy vz density/number file velocity.out"),
    Case("stress-profile", "stress in slices, every 10 steps",
         STRESS_PROFILE),
    Case("rdf", "radial distribution function, every 100 steps",
         "compute rdf all rdf 50\nfix mean all ave/time 100 1 100 c_rdf[*] mode vector file rdf.out"),
    Case("rdf-far", "the same, up to three cutoffs of forces",
         "comm_modify cutoff 3.4\ncompute rdf all rdf 150 cutoff 3.0\n"
         "fix mean all ave/time 100 1 100 c_rdf[*] mode vector file rdf.out"),
    Case("temp-profile", "temperature without the flow of slices, every 10 steps",
         "compute heat all temp/profile 1 0 0 z 20\nfix mean all ave/time 10 1 10 c_heat file heat.out"),
    Case("msd", "mean square displacement, every 10 steps",
         "compute msd all msd\nfix mean all ave/time 10 1 10 c_msd[4] file msd.out"),
    Case("dump", "positions into a file of the fastest style, dcd, every 100 steps",
         "dump frames all dcd 100 frames.dcd\ndump_modify frames sort id"),
    Case("dump-binary", "positions into a binary file of style custom, every 100 steps",
         "dump frames all custom 100 frames.bin id type x y z"),
    Case("dump-text", "positions into a text file of style custom, every 100 steps",
         "dump frames all custom 100 frames.dump id type x y z"),
    Case("restart", "a restart file every 100 steps", "restart 100 a.restart b.restart"),
    Case("print", "a variable of energies, printed every 10 steps",
         "variable total equal pe+ke\nfix show all print 10 \"${total}\" file energy.out screen no"),
    Case("dynamic-group", "temperature of a group that is chosen anew every 100 steps",
         "variable half equal 0.5*v_edge\nregion half block INF ${half} INF INF INF INF\n"
         "group chosen dynamic all region half every 100\ncompute t chosen temp\n"
         "fix mean all ave/time 100 1 100 c_t file temperature.out"),

    # what acts on velocities and forces
    Case("momentum", "fix momentum every 10 steps", "fix still all momentum 10 linear 1 1 1"),
    Case("momentum-angular", "fix momentum every 10 steps, angular momentum, too",
         "fix still all momentum 10 linear 1 1 1 angular"),
    Case("temp/rescale", "fix temp/rescale every 10 steps", "fix heat all temp/rescale 10 1.0 1.0 0.01 1.0"),
    Case("langevin", "fix langevin", "fix heat all langevin 1.0 1.0 10.0 777"),
    Case("langevin-zero", "fix langevin with noise of the sum 0, and its work",
         "fix heat all langevin 1.0 1.0 10.0 777 zero yes tally yes"),
    Case("gravity", "fix gravity", "fix fall all gravity 0.02 vector 1 0 0"),
    Case("addforce", "forces in opposite directions on either half of the box (region)",
         "variable half equal 0.5*v_edge\nregion upper block INF INF INF INF ${half} INF\n"
         "fix push all addforce 0.02 0.0 0.0\nfix back all addforce -0.04 0.0 0.0 region upper"),

    # what changes the motion and the box
    Case("nvt", "fix nvt", motion="fix move all nvt temp 1.0 1.0 1.0"),
    Case("npt", "fix npt", motion="fix move all npt temp 1.0 1.0 1.0 iso 23.0 23.0 5.0"),
    Case("nph", "fix nph", motion="fix move all nph iso 23.0 23.0 5.0"),
    Case("temp/berendsen", "fix temp/berendsen", "fix heat all temp/berendsen 1.0 1.0 1.0"),
    Case("press/berendsen", "fix press/berendsen", "fix box all press/berendsen iso 23.0 23.0 5.0 modulus 60.0"),
    Case("deform", "shear: fix deform of xy, remap v", "fix shear all deform 1 xy erate 0.1 remap v", box=PRISM),
    Case("deform-shaken", "a box that is shaken, remap x", "fix shake all deform 1 x wiggle 0.5 2.0 y volume remap x units box"),

    # walls
    Case("wall/reflect", "walls that reflect, in z", boundary="p p f",
         motion="fix move all nve\nfix wall all wall/reflect zlo EDGE zhi EDGE"),
    Case("wall/bounce", "walls without slip, in z", boundary="p p f",
         motion="fix move all nve\nfix wall all wall/bounce zlo EDGE zhi EDGE"),
    Case("wall/lj126", "Lennard-Jones walls, in z", boundary="p p f", create=BETWEEN_WALLS,
         motion="fix move all nve\nfix wall all wall/lj126 zlo EDGE 1.0 1.0 2.5 zhi EDGE 1.0 1.0 2.5"),
    Case("wall/lj93", "Lennard-Jones walls of style 93, in z", boundary="p p f", create=BETWEEN_WALLS,
         motion="fix move all nve\nfix wall all wall/lj93 zlo EDGE 1.0 1.0 2.5 zhi EDGE 1.0 1.0 2.5"),
    Case("frozen-exclude", "walls of frozen particles that no fix moves, without forces between them",
         WALLS + "unfix move\nfix move fluid nve\nneigh_modify exclude group walls walls"),
    Case("frozen-setforce", "walls of frozen particles: fix setforce",
         WALLS + "fix freeze walls setforce 0.0 0.0 0.0"),

    # other particles
    Case("two-types", "two types, with cutoffs of their own", types=2,
         create=Case.create + TWO_TYPES,
         pair="pair_style dpd 1.0 1.2 34387\npair_coeff 1 1 25.0 4.5 1.0\npair_coeff 1 2 40.0 4.5 1.1\n"
              "pair_coeff 2 2 25.0 4.5 1.2"),
    Case("atom/swap", "two types that change places every 100 steps", types=2,
         create=Case.create + TWO_TYPES, pair=AMPHIPHILE,
         add="fix swap all atom/swap 100 5 777 1.0 ke no types 1 2"),
    chains("chains", "chains of ten beads with harmonic bonds"),
    chains("chains-cosine", "chains with harmonic bonds and cosine angles", angle=COSINE),
    chains("chains-dihedrals", "chains with harmonic bonds, cosine angles and opls dihedrals", angle=COSINE, dihedral=OPLS),
    chains("chains-angles", "chains with harmonic bonds and harmonic angles", angle=STRAIGHT),
    chains("chains-special", "the same; bonded beads have no pair force", angle=STRAIGHT, special="0 1 1"),
    chains("chains-triclinic", "chains with harmonic bonds, triclinic box", box=PRISM),
    chains("chains-deform", "chains with harmonic bonds and cosine angles, sheared", angle=COSINE, box=PRISM,
           add="fix shear all deform 1 xy erate 0.1 remap v"),
    chains("chains-stress-profile", "chains with harmonic bonds and cosine angles, stress in slices, every 10 steps", angle=COSINE,
           add=STRESS_PROFILE),
    chains("chains-gyration", "chains with harmonic bonds and cosine angles, radii of gyration and displacements of all chains, every 100 steps",
           angle=COSINE,
           add="compute mol all chunk/atom molecule\ncompute rg all gyration/chunk mol\ncompute way all msd/chunk mol\n"
               "fix rg all ave/time 100 1 100 c_rg mode vector file rg.out\n"
               "fix way all ave/time 100 1 100 c_way[4] mode vector file way.out"),
    chains("chains-radius", "the same chains, radius of gyration of all beads, every 10 steps", angle=COSINE,
           add="compute rg all gyration\nfix rg all ave/time 10 1 10 c_rg c_rg[1] file rg.out"),
    chains("chains-stress", "chains with harmonic bonds, check yes, stress every 10 steps", thermo=STRESS,
           add="neigh_modify every 1 delay 0 check yes"),
    chains("fene", "chains with fene bonds; bonded beads have no pair force", bonds=FENE, special="0 1 1"),
    Case("rigid", "rigid bodies, of radius 2: fix rigid/small", COLLOIDS, style="molecular"),
    Case("rigid-nvt", "the same with chains of thermostats: fix rigid/nvt/small",
         COLLOIDS.replace("rigid/small molecule", "rigid/nvt/small molecule temp 1.0 1.0 0.5"), style="molecular"),
    Case("hybrid", "hybrid/overlay: dpd/tstat and lj/cut", create=ON_LATTICE,
         pair="pair_style hybrid/overlay dpd/tstat 1.0 1.0 1.0 34387 lj/cut 1.0\npair_coeff * * dpd/tstat 4.5\n"
              "pair_coeff * * lj/cut 0.2 0.6"),
    Case("hybrid-lammps", "hybrid/overlay: dpd/tstat and a style of LAMMPS", create=ON_LATTICE,
         pair="pair_style hybrid/overlay dpd/tstat 1.0 1.0 1.0 34387 morse 1.0\npair_coeff * * dpd/tstat 4.5\n"
              "pair_coeff * * morse 0.2 5.0 0.67"),
    Case("lj/cut", "Lennard-Jones particles, cutoff 2.5 diameters", create=ON_LATTICE,
         pair=f"pair_style lj/cut {2.5 * SIGMA}\npair_coeff * * 1.0 {SIGMA}"),
    Case("melt", "melt of Kremer and Grest: lj/cut, fene bonds, dpd/tstat", style="molecular", types=2, room=ROOM,
         bonds=MELT_BONDS, create=SIDE_BY_SIDE, pair=MELT, files=MELT_FILES),
    Case("mdpd", "many-body DPD: liquid and vapor, mdpd/rhosum and mdpd", style="mdpd", pair=MANY_BODY),
    Case("charges", "dpd/coul/slater/long, a tenth is charged, with pppm", style="full", types=2, create=Case.create + IONS,
         pair=CHARGES),
]
