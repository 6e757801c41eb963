"""What the LAMMPS input on the pages needs before and after it: for each paragraph of commands that is not a complete
input, the system that it is run in.

SPDX-License-Identifier: GPL-2.0-or-later
"""

from collections import namedtuple

BOX = """\
units        lj
region       box block 0 6 0 6 0 6
"""
ONE_TYPE = BOX + """\
create_box   1 box
create_atoms 1 random 648 4711 box
mass         * 1.0
velocity     all create 1.0 815
"""
TWO_TYPES = BOX + """\
create_box   2 box
create_atoms 1 random 324 4711 box
create_atoms 2 random 324 815 box
mass         * 1.0
velocity     all create 1.0 815
"""
DPD = """\
pair_style   dpd/gpu 1.0 1.0 34387
pair_coeff   * * 25.0 4.5
"""
BODIES = """\
units        lj
atom_style   molecular
region       box block 0 6 0 6 0 6
create_box   2 box
create_atoms 2 single 1 1 1
create_atoms 2 single 1.6 1 1
create_atoms 2 single 1 1.7 1
set          group all mol 1
create_atoms 2 single 4 3 3
create_atoms 2 single 4 3 3.5
set          atom 4*5 mol 2
create_atoms 1 random 600 4711 box
mass         * 1.0
velocity     all create 1.0 815
timestep     0.01
"""
MOVING = "fix move all nve\ntimestep 0.01\n"
SHEARED = """\
create_box   1 box
create_atoms 1 random 24000 4711 box
mass         * 1.0
timestep     0.01
""" + DPD
IN_A_FILE = TWO_TYPES + DPD + MOVING + "run 10\nwrite_restart fluid.restart\nclear\n"
BETWEEN_WALLS = """\
units        lj
boundary     p p f
region       box block 0 6 0 6 0 6
region       between block 0 6 0 6 0.5 5.5
create_box   2 box
create_atoms 1 random 270 4711 between
create_atoms 2 random 270 815 between
mass         * 1.0
velocity     all create 1.0 815
"""
FAR_APART = """\
units        lj
lattice      sc 0.7
region       box block 0 6 0 6 0 6
create_box   2 box
create_atoms 1 box
set          group all type/fraction 2 0.4 881
mass         * 1.0
velocity     all create 1.0 815
"""
CHAINS = """\
units        lj
atom_style   bond
read_data    chains.data
bond_style   harmonic
bond_coeff   * 50.0 0.5
mass         * 1.0
velocity     all create 1.0 815
pair_style   hybrid/overlay lj/cut 2.5 dpd/tstat/gpu 1.0 1.0 2.5 34387
pair_coeff   * * lj/cut 1.0 1.0
pair_coeff   * * dpd/tstat/gpu 4.5
"""
BEADS = """\
units        lj
atom_style   angle
read_data    chains.data extra/angle/types 1 extra/angle/per/atom 3
mass         * 1.0
"""
FOURS = """\
units        lj
atom_style   molecular
region       box block 0 6 0 6 0 6
create_box   1 box dihedral/types 1 improper/types 1 extra/dihedral/per/atom 1 extra/improper/per/atom 1 extra/special/per/atom 4
create_atoms 1 random 600 4711 box
mass         * 1.0
"""
CHARGED = """\
units        lj
atom_style   charge
region       box block 0 6 0 6 0 6
create_box   2 box
create_atoms 1 random 400 4711 box
create_atoms 2 random 100 4712 box
mass         * 1.0
variable     sign atom 2*(id%2)-1
set          type 2 charge v_sign
"""
PROTEIN = """\
units        real
atom_style   molecular
boundary     s s s
comm_modify  cutoff 10
neigh_modify every 1 delay 0 check no
read_data    {}.data
"""
UBIQUITIN = PROTEIN.format("ubiquitin")
MANY = UBIQUITIN + "replicate 100 1 1\n"
CAPSID = PROTEIN.format("capsid")

# files below the root of the package that these inputs read, by the names that the pages give them
FILES = {"ubiquitin.data": "potentials/ubiquitin.data", "ubiquitin.sop": "potentials/ubiquitin.sop",
         "ww.data": "potentials/ww.data", "ww.sop": "potentials/ww.sop",
         "many.sop": "examples/sop/copies/ubiquitin-100.sop",
         "capsid.data": "examples/sop/indent/cage.data", "capsid.sop": "examples/sop/indent/cage.sop",
         "chain.mol": "examples/dpd/diblock/chain.mol"}

Fragment = namedtuple("Fragment", "page begins before after gap", defaults=("run 0", ""))

# A paragraph of a page, by the text that it begins with, and what stands before it, after it, and for its line "..."
FRAGMENTS = [
    Fragment("doc/exactness.rst", "dump        d all custom", TWO_TYPES + DPD),
    Fragment("doc/install.rst", "plugin load", "", TWO_TYPES + DPD + "run 0"),
    Fragment("doc/fix_langevin_sop_gpu.rst",
             "fix 1 all langevin/sop/gpu 300 300 1.0075e6 4711 topology ubiquitin.sop\n",
             UBIQUITIN + "timestep 8.0e3\n", "run 10"),
    Fragment("doc/fix_langevin_sop_gpu.rst",
             "fix 1 all langevin/sop/gpu 300 300 1.0075e6 4711 topology ubiquitin.sop &\n      substeps 1000 &",
             UBIQUITIN + "timestep 8.0e6\n", "run 10"),
    Fragment("doc/fix_langevin_sop_gpu.rst",
             "fix 1 all langevin/sop/gpu 300 300 1.0075e6 4711 topology ubiquitin.sop &\n      substeps 1000 hydro 3.5",
             UBIQUITIN + "timestep 8.0e6\n", "run 1"),
    Fragment("doc/fix_langevin_sop_gpu.rst",
             "fix 1 all langevin/sop/gpu 300 300 1.0075e6 4711 topology many.sop", MANY + "timestep 8.0e6\n", "run 1"),
    Fragment("doc/fix_langevin_sop_gpu.rst",
             "fix 1 all langevin/sop/gpu 300 350 1.0075e6 4711 topology many.sop", MANY + "timestep 8.0e5\n", "run 1"),
    Fragment("doc/fix_langevin_sop_gpu.rst",
             "fix 1 all langevin/sop/gpu 300 300 1.0075e6 4711 topology capsid.sop",
             CAPSID + "timestep 8.0e6\n", "run 1"),
    Fragment("doc/fix_langevin_sop_gpu.rst", "read_data ww.data\n",
             "units real\natom_style molecular\nboundary s s s\ncomm_modify cutoff 10\n", "timestep 6.4e6\nrun 10"),
    Fragment("doc/fix_langevin_sop_gpu.rst", "fix_modify 1 pull speed",
             CAPSID + "timestep 8.0e6\nfix 1 all langevin/sop/gpu 300 300 1.0075e6 4711 topology capsid.sop substeps 1000 "
             "pull 1 76 spring 0.050376 4.0e-9 end indent 200 0 0 540 spring 0.07197 1.0e-9 0 0 -1\n", "run 1"),
    Fragment("doc/howto_dpd.rst", "read_restart    fluid.restart", IN_A_FILE),
    Fragment("doc/howto_dpd.rst", "write_data      melt.data", BEADS + "bond_style harmonic/gpu\nbond_coeff * 50.0 0.5\n" + DPD + MOVING, "run 10"),
    Fragment("doc/howto_sop.rst", "fix 1 all langevin/sop/gpu 300 300 1.0075e6 4711 topology capsid.sop",
             CAPSID + "timestep 8.0e6\n", "run 1"),
    Fragment("doc/pair_dpd_ext_gpu.rst", "pair_style dpd/ext/gpu 1.0 1.0 34387\npair_coeff 1 1", ONE_TYPE),
    Fragment("doc/pair_dpd_ext_gpu.rst", "pair_style dpd/ext/gpu 1.0 1.0 34387 precision double", TWO_TYPES),
    Fragment("doc/pair_dpd_ext_gpu.rst", "pair_style dpd/ext/gpu 1.0 1.0 34387 tstop", TWO_TYPES, "run 10"),
    Fragment("doc/pair_dpd_gpu.rst", "pair_style dpd/gpu 1.0 1.0 34387\npair_coeff 1 1", ONE_TYPE),
    Fragment("doc/pair_dpd_gpu.rst", "pair_style dpd/gpu 1.0 1.0 34387 precision double", TWO_TYPES),
    Fragment("doc/pair_dpd_gpu.rst", "pair_style dpd/gpu 1.0 1.0 34387 tstop", TWO_TYPES, "run 10"),
    Fragment("doc/pair_dpd_gpu.rst", "pair_style hybrid/overlay dpd/gpu 1.0 1.0 34387 backend host morse", TWO_TYPES),
    Fragment("doc/pair_dpd_gpu.rst", "pair_style hybrid/overlay dpd/gpu 1.0 1.0 34387 morse", TWO_TYPES),
    Fragment("doc/pair_dpd_gpu.rst", "pair_style hybrid dpd/gpu", TWO_TYPES),
    Fragment("doc/pair_dpd_gpu.rst", "pair_style hybrid/overlay lj/cut/gpu", FAR_APART),
    Fragment("doc/pair_dpd_gpu.rst", "variable T equal ramp", TWO_TYPES + DPD + MOVING, "run 20"),
    Fragment("doc/pair_dpd_gpu.rst", "variable a12 equal ramp", TWO_TYPES + DPD + MOVING, "run 20"),
    Fragment("doc/shear.rst", "region box prism", BOX.split("\n")[0] + "\n", "run 10", SHEARED),
    Fragment("doc/pair_dpd_gpu.rst", "read_restart fluid.restart", IN_A_FILE),
    Fragment("doc/pair_dpd_gpu.rst", "compute total all pair", TWO_TYPES + DPD),
    Fragment("doc/pair_dpd_tstat_gpu.rst", "pair_style hybrid/overlay lj/cut", TWO_TYPES),
    Fragment("doc/pair_dpd_tstat_gpu.rst", "pair_style dpd/tstat/gpu 2.0 0.5", TWO_TYPES),
    Fragment("doc/pair_dpd_tstat_gpu.rst", "special_bonds lj", CHAINS),
    Fragment("doc/pair_lj_cut_gpu.rst", "pair_style lj/cut/gpu 2.5", FAR_APART),
    Fragment("doc/pair_lj_cut_gpu.rst", "pair_style hybrid/overlay lj/cut/gpu", FAR_APART),
    Fragment("doc/pair_coul_slater_long_gpu.rst", "pair_style   dpd/coul/slater/long/gpu 1.0 1.0 34387 0.25 3.0\n", CHARGED),
    Fragment("doc/pair_coul_slater_long_gpu.rst", "pair_style   dpd/coul/slater/long/gpu 1.0 1.0 34387 0.25 3.0 tstop", CHARGED, "run 10"),
    Fragment("doc/pair_coul_slater_long_gpu.rst", "pair_style   hybrid/overlay", CHARGED),
    Fragment("doc/kspace_pppm_gpu.rst", "pair_style    dpd/coul/slater/long/gpu 1.0 1.0 34387 0.25 3.0\npair_coeff    * * 25.0 4.5 no", CHARGED),
    Fragment("doc/kspace_pppm_gpu.rst", "pair_style    dpd/coul/slater/long/gpu 1.0 1.0 34387 0.25 3.0\npair_coeff    * * 25.0 4.5 yes", CHARGED),
    Fragment("doc/pair_mdpd_gpu.rst", "pair_style mdpd/gpu 1.0 1.0 65689\n", TWO_TYPES),
    Fragment("doc/pair_mdpd_gpu.rst", "pair_style mdpd/gpu 1.0 1.0 65689 tstop", TWO_TYPES, "run 10"),
    Fragment("doc/pair_mdpd_gpu.rst", "pair_style hybrid/overlay mdpd/rhosum/gpu", TWO_TYPES),
    *(Fragment("doc/fix_addforce_gpu.rst", begins, TWO_TYPES + DPD + MOVING, "run 10")
      for begins in ("region lower", "variable push", "fix 2 all setforce", "fix 2 all aveforce", "fix 2 all gravity", "fix 2 all spring/gpu",
                     "fix 2 all spring/self")),
    *(Fragment("doc/fix_nve_gpu.rst", begins, TWO_TYPES + DPD + "timestep 0.01\n", "run 10")
      for begins in ("fix 1 all nve/exact", "fix 1 all nve/limit", "fix 1 all mvv/dpd", "group wall")),
    *(Fragment("doc/fix_wall_gpu.rst", begins, BETWEEN_WALLS + DPD + MOVING, "run 10")
      for begins in ("fix 2 all wall/lj93", "fix 2 all wall/harmonic", "variable top", "fix 2 all wall/reflect",
                     "fix 2 all wall/bounce")),
    Fragment("doc/fix_wall_gpu.rst", "region hole",
             BETWEEN_WALLS + "region inner sphere 3 3 3 1.1\ndelete_atoms region inner\n" + DPD + MOVING, "run 10"),
    *(Fragment("doc/fix_langevin_gpu.rst", begins, TWO_TYPES + DPD + MOVING, "run 10")
      for begins in ("fix 2 all langevin", "fix 2 all temp/rescale", "fix 2 all momentum", "group two")),
    *(Fragment("doc/compute_ke_gpu.rst", begins, TWO_TYPES + DPD + MOVING, "run 10")
      for begins in ("group two", "fix 2 all deform", "compute across", "compute heat")),
    *(Fragment("doc/compute_rdf_gpu.rst", begins, TWO_TYPES + DPD + MOVING, "run 10")
      for begins in ("compute g all rdf/gpu 100", "compute g all rdf/gpu 250", "group two")),
    *(Fragment("doc/compute_gyration_gpu.rst", begins, BEADS + "bond_style harmonic/gpu\nbond_coeff * 50.0 0.5\nangle_style cosine/gpu\n"
               "angle_coeff * 3.0\npair_style dpd/gpu 1.0 1.0 34387\npair_coeff * * 25.0 4.5\n" + MOVING, "run 10")
      for begins in ("compute rg all gyration", "compute mol all chunk/atom/gpu molecule\ncompute rg", "compute mol all chunk/atom/gpu molecule compress",
                     "compute mol all chunk/atom/gpu molecule\ncompute way")),
    *(Fragment("doc/fix_ave_chunk_gpu.rst", begins, TWO_TYPES + DPD + MOVING, "run 10")
      for begins in ("compute slices", "compute shells", "compute rings")),
    *(Fragment("doc/compute_stress_atom_gpu.rst", begins, TWO_TYPES + DPD + MOVING, "run 10")
      for begins in ("compute slices", "compute across", "compute energy")),
    *(Fragment("doc/fix_nh_gpu.rst", begins, TWO_TYPES + DPD + "timestep 0.01\n", "run 10")
      for begins in ("fix 1 all nvt", "fix 1 all npt", "fix 1 all nph", "fix 1 all nve")),
    *(Fragment("doc/fix_deform_gpu.rst", begins, TWO_TYPES + DPD + MOVING, "run 10")
      for begins in ("fix 2 all deform/gpu 1 x", "change_box all triclinic\nfix 2 all deform/gpu 1 xy erate",
                     "change_box all triclinic\nfix 2 all deform/gpu 1 xy wiggle")),
    Fragment("doc/fix_rigid_gpu.rst", "group colloids", BODIES + DPD, "run 10"),
    *(Fragment("doc/fix_rigid_gpu.rst", begins, BODIES + DPD + "group colloids type 2\ngroup solvent type 1\nfix 1 solvent nve\n", "run 10")
      for begins in ("fix 2 colloids rigid/small", "fix 2 colloids rigid/gpu single", "fix 2 colloids rigid/nvt")),
    *(Fragment("doc/region_gpu.rst", begins, TWO_TYPES + DPD + MOVING, "run 10")
      for begins in ("region lower", "region ball", "region pipe", "region half", "region left")),
    *(Fragment("doc/bond_gpu.rst", begins, BEADS, "pair_style dpd/gpu 1.0 1.0 34387\npair_coeff * * 25.0 4.5\nrun 0")
      for begins in ("bond_style harmonic/gpu\nbond_coeff * 50.0 0.5\nangle", "bond_style harmonic/gpu\nbond_coeff * 50.0 0.5",
                     "bond_style fene/gpu")),
    *(Fragment("doc/dihedral_gpu.rst", begins, FOURS, "pair_style dpd/gpu 1.0 1.0 34387\npair_coeff * * 25.0 4.5\nrun 0")
      for begins in ("dihedral_style harmonic/gpu", "dihedral_style opls/gpu", "dihedral_style charmm/gpu")),
    Fragment("doc/run_style_verlet_gpu.rst", "run_style verlet/gpu", TWO_TYPES + "timestep 0.01\n", ""),
]

# Errors that a page quotes, without the name of the style that they begin with, and the command that makes them
EXT, TSTAT = "pair_style dpd/ext/gpu 1.0 1.0 34387\n", "pair_style dpd/tstat/gpu 1.0 1.0 1.0 34387\n"
SALT = ("clear\n" + CHARGED + "{box}\npair_style dpd/coul/slater/long/gpu 1.0 1.0 34387 0.25 3.0\npair_coeff * * 25.0 4.5 yes\n"
        "kspace_style pppm/gpu 1e-4\nkspace_modify {modify}\nrun 0")
ON_THE_WALL = ("pair_style dpd/gpu 1.0 1.0 34387\npair_coeff * * 25.0 4.5\ndelete_atoms group all\ncreate_atoms 1 single 3 3 1\n"
               "fix 2 all wall/lj126/gpu zlo 1.0 1.0 0.5 1.0 pbc yes")
MISTAKES = [
    ("doc/pair_dpd_ext_gpu.rst", "pair_coeff has 6 arguments, needed are I J A gamma gamma_across s s_across",
     EXT + "pair_coeff 1 1 25.0 4.5 4.5 1.0"),
    ("doc/pair_dpd_ext_gpu.rst", "pair_coeff: gamma_across is -1, allowed are finite numbers >= 0",
     EXT + "pair_coeff 1 1 25.0 4.5 -1 1.0 1.0"),
    ("doc/pair_dpd_ext_gpu.rst", "pair_coeff: s_across is 101, allowed are numbers > 0 and <= 100",
     EXT + "pair_coeff 1 1 25.0 4.5 4.5 1.0 101"),
    ("doc/pair_dpd_tstat_gpu.rst", "pair_style has 3 arguments, needed are Tstart Tstop cutoff seed",
     "pair_style dpd/tstat/gpu 1.0 1.0 34387"),
    ("doc/pair_dpd_tstat_gpu.rst", "pair_style: Tstop is -1.0, allowed are finite numbers >= 0",
     "pair_style dpd/tstat/gpu 1.0 -1.0 1.0 34387"),
    ("doc/pair_dpd_tstat_gpu.rst", "pair_coeff: unknown keyword 1.0, allowed is power",
     TSTAT + "pair_coeff 1 1 4.5 1.0 1.0"),
    ("doc/pair_lj_cut_gpu.rst", "pair_style: unknown keyword 771, allowed are precision, backend, neigh",
     "pair_style lj/cut/gpu 2.5 771"),
    ("doc/pair_lj_cut_gpu.rst", "pair_coeff has 3 arguments, needed are I J epsilon sigma",
     "pair_style lj/cut/gpu 2.5\npair_coeff 1 1 1.0"),
    ("doc/pair_lj_cut_gpu.rst", "pair_coeff: sigma is -1.0, allowed are finite numbers >= 0",
     "pair_style lj/cut/gpu 2.5\npair_coeff 1 1 1.0 -1.0"),
    ("doc/pair_coul_slater_long_gpu.rst", "pair_style: lamda is 0.0, allowed are finite numbers > 0",
     "pair_style dpd/coul/slater/long/gpu 1.0 1.0 34387 0.0 3.0"),
    ("doc/pair_coul_slater_long_gpu.rst", "pair_coeff: is_charged is 1.0, allowed are yes and no",
     "pair_style dpd/coul/slater/long/gpu 1.0 1.0 34387 0.25 3.0\npair_coeff 1 1 25.0 4.5 1.0"),
    *(("doc/kspace_pppm_gpu.rst", text, SALT.format(box=box, modify=modify)) for text, box, modify in (
        ("kspace_modify slab in a triclinic box, allowed are orthogonal boxes", "change_box all triclinic", "slab 3.0"),
        ("the box is not periodic, allowed are boundaries p p p; or p p f with kspace_modify slab", "change_box all boundary p p f", "order 5"),
        ("kspace_modify diff ad, allowed is diff ik; LAMMPS's own pppm has both (suffix off)", "", "diff ad"),
        ("kspace_modify order 8, allowed are 2 to 7", "", "order 8"))),
    ("doc/pair_mdpd_gpu.rst", "pair_coeff has 6 arguments, needed are I J A B gamma cutoff cutoff_d",
     "pair_style mdpd/gpu 1.0 1.0 771\npair_coeff * * -40 25 18 1.0"),
    ("doc/pair_mdpd_gpu.rst", "pair_coeff: cutoff_d is 1.1 for types 1 1, allowed are 0 to the cutoff 1",
     "pair_style mdpd/gpu 1.0 1.0 771\npair_coeff * * -40 25 18 1.0 1.1"),
    ("doc/pair_mdpd_gpu.rst", "pair_coeff: cutoff is 1.5 for types 1 1, allowed are 0 to the cutoff 1 of mdpd/gpu",
     "pair_style hybrid/overlay mdpd/rhosum/gpu mdpd/gpu 1.0 1.0 771\npair_coeff * * mdpd/rhosum/gpu 1.5\n"
     "pair_coeff * * mdpd/gpu -40 25 18 1.0 0.75\nrun 0"),
    ("doc/pair_mdpd_gpu.rst",
     "there is no mdpd/gpu beside it, allowed is pair_style hybrid/overlay with both: that makes forces of the densities",
     "pair_style mdpd/rhosum/gpu\npair_coeff * * 0.75\nrun 0"),
    ("doc/fix_nve_gpu.rst", "lambda 0, allowed: lambda > 0 and <= 1", "fix 2 all mvv/dpd/gpu 0"),
    ("doc/fix_nve_gpu.rst", "xmax 0, allowed: xmax > 0", "fix 2 all nve/limit/gpu 0"),
    ("doc/fix_wall_gpu.rst", "wall zlo in a periodic direction, allowed: a boundary f, s or m there; or pbc yes",
     "fix 2 all wall/lj93/gpu zlo EDGE 1.0 0.5 1.0"),
    ("doc/fix_wall_gpu.rst", "two walls zlo, allowed: one of each face",
     "fix 2 all wall/reflect/gpu zlo EDGE zlo 1.0"),
    ("doc/fix_wall_gpu.rst", "cutoff 0, allowed: cutoff > 0", "fix 2 all wall/harmonic/gpu zlo EDGE 1.0 0.5 0"),
    ("doc/fix_wall_gpu.rst", "a velocity across the wall, allowed: one along it, 0 across",
     "fix 2 all wall/bounce/gpu zlo EDGE velocity 0.0 0.0 1.0"),
    ("doc/fix_wall_gpu.rst",
     "atom 1 at (3, 3, 1) in step 0 is on the wall or behind it, or came there from elsewhere than the fluid", ON_THE_WALL),
    ("doc/fix_langevin_gpu.rst", "damp 0, allowed: damp > 0", "fix 2 all langevin/gpu 1.0 1.0 0 48279"),
    ("doc/fix_langevin_gpu.rst", "keyword omega yes, allowed: scale, tally, zero; LAMMPS's own fix has angmom and omega, too (suffix off)",
     "fix 2 all langevin/gpu 1.0 1.0 10.0 48279 omega yes"),
    ("doc/fix_langevin_gpu.rst", "fraction 1.5, allowed: 0 < fraction <= 1",
     "fix 2 all temp/rescale/gpu 10 1.0 1.0 0.02 1.5"),
    ("doc/fix_langevin_gpu.rst", "no momentum, allowed: linear x y z, angular, or both", "fix 2 all momentum/gpu 100 rescale"),
    ("doc/bond_gpu.rst", "bond_coeff has 4 values, allowed are 5: a type, k, r0, epsilon, sigma",
     "clear\natom_style bond\nregion box block 0 6 0 6 0 6\ncreate_box 1 box bond/types 1\nbond_style fene/gpu\nbond_coeff 1 30 1.5 1.0"),
    *(("doc/dihedral_gpu.rst", text, "clear\natom_style molecular\nregion box block 0 6 0 6 0 6\n"
       f"create_box 1 box dihedral/types 1\ndihedral_style {style}\ndihedral_coeff 1 {values}")
      for style, values, text in (
          ("charmm/gpu", "1 2 30", "dihedral_coeff has 4 values, allowed are 5: a type, k, multiplicity, shift, weight"),
          ("charmm/gpu", "1 2 30 0.5", "weight is 0.5, allowed is 0: LAMMPS's dihedral style charmm has weights"),
          ("harmonic/gpu", "1 2 3", "d is 2, allowed are -1 and 1"),
          ("harmonic/gpu", "1 1 -3", "multiplicity is -3, allowed is an integer from 0 on"))),
    ("doc/compute_ke_gpu.rst", "axis 2, allowed are 0 and 1", "compute t all temp/partial/gpu 0 1 2"),
    ("doc/compute_ke_gpu.rst", "argument x is not known, allowed is none", "compute k all ke/gpu x"),
    ("doc/compute_ke_gpu.rst", "bins along zx, allowed: x, y, z, xy, yz, xz, xyz", "compute t all temp/profile/gpu 1 1 1 zx 3 3"),
    ("doc/compute_rdf_gpu.rst", "cutoff 8.5 is beyond the box, allowed: up to 6, its width along x", "compute g all rdf/gpu 100 cutoff 8.5"),
    ("doc/compute_rdf_gpu.rst", "type 1 has no partner, allowed: pairs of types", "compute g all rdf/gpu 100 1"),
    ("doc/compute_rdf_gpu.rst", "there is no pair style, allowed: one, or the keyword cutoff", "compute g all rdf/gpu 100"),
    ("doc/compute_gyration_gpu.rst", "no chunks, allowed: the ID of a compute chunk/atom", "compute c all com/chunk/gpu"),
    ("doc/compute_gyration_gpu.rst", "keyword trace, allowed: tensor",
     "clear\natom_style bond\nregion box block 0 6 0 6 0 6\ncreate_box 1 box bond/types 1\ncompute mol all chunk/atom/gpu molecule\n"
     "compute c all gyration/chunk/gpu mol trace"),
    ("doc/fix_ave_chunk_gpu.rst",
     "Nevery 10, Nrepeat 20, Nfreq 100, allowed: Nfreq a multiple of Nevery, and not below Nrepeat times Nevery",
     "compute b all chunk/atom/gpu bin/1d z lower 1.0\nfix 2 all ave/chunk/gpu 10 20 100 b vx"),
    ("doc/fix_ave_chunk_gpu.rst", "overwrite, allowed: overwrite with ave running",
     "compute b all chunk/atom/gpu bin/1d z lower 1.0\nfix 2 all ave/chunk/gpu 10 10 100 b vx overwrite"),
    ("doc/fix_ave_chunk_gpu.rst", "shells of radius 4 with pbc yes, allowed: up to half a period, 3",
     "compute b all chunk/atom/gpu bin/sphere 3 3 3 0 4 10 pbc yes\nrun 0"),
    ("doc/compute_stress_atom_gpu.rst",
     "virials of atoms were not tallied in step 1, allowed: a step of which LAMMPS knows ahead that compute s is read",
     "clear\natom_modify map yes\n" + ONE_TYPE + DPD + "compute s all stress/atom/gpu NULL\nvariable a equal 0*C_s[3][1]\n"
     "region r block 0 1 0 1 0 1 move v_a NULL NULL\nfix 2 all addforce 0 0 0 region r\nrun 2"),
    ("doc/compute_stress_atom_gpu.rst",
     "of compute s: pair style soft is none of this package's, allowed: what compute stress/atom/gpu can give; or fix ave/chunk of LAMMPS",
     "compute b all chunk/atom/gpu bin/1d z lower 1.0\ncompute s all stress/atom/gpu NULL\n"
     "fix 2 all ave/chunk/gpu 10 10 100 b c_s[1]\npair_style soft 1.0\npair_coeff * * 10\nrun 0"),
    ("doc/fix_nh_gpu.rst", "Tdamp 0, allowed: Tdamp > 0", "fix 1 all nvt/exact/gpu temp 1 1 0"),
    ("doc/fix_nh_gpu.rst",
     "couple xy of axes with different pressures or without one, allowed: the same Pstart, Pstop and Pdamp for these axes",
     "fix 1 all nph/gpu x 1 1 1 couple xy"),
    ("doc/fix_nh_gpu.rst",
     "a box that is or will be tilted, and flip yes, allowed: flip no; LAMMPS's own fix flips boxes (suffix off)",
     "change_box all triclinic\nfix 1 all nph/gpu tri 1 1 1"),
    ("doc/fix_nh_gpu.rst", "no pressure, allowed: iso, aniso, x, y, z", "fix 1 all press/berendsen/gpu modulus 1"),
    ("doc/fix_rigid_gpu.rst", "body 17 has 1 atom(s), allowed: 2 or more; a free atom is moved by fix nve",
     "clear\n" + BODIES + "set atom 1 mol 17\nfix 2 all rigid/gpu molecule"),
    ("doc/fix_rigid_gpu.rst", "Torder 4, allowed: 3, 5",
     "clear\n" + BODIES + "fix 2 all rigid/nvt/gpu molecule temp 1.0 1.0 0.5 tparam 5 1 4"),
    ("doc/fix_rigid_gpu.rst", "the box is changed by fix 3, allowed: a box that stays; LAMMPS's own fix has others (suffix off)",
     "clear\n" + BODIES + DPD + "group colloids type 2\nfix 2 colloids rigid/gpu molecule\nfix 3 all deform 1 x erate 0.01 remap v\nrun 1"),
    ("doc/fix_rigid_gpu.rst", "atoms of its bodies are moved by fix 1, too, allowed: one fix that moves an atom",
     "clear\n" + BODIES + DPD + "group colloids type 2\nfix 1 all nve\nfix 2 colloids rigid/gpu molecule\nrun 1"),
    ("doc/fix_rigid_gpu.rst",
     "body 1 reaches over more than half of the box along x, allowed: less, with image flags that keep it together, or a body that "
     "does not turn (torque off off off)",
     "clear\n" + BODIES + DPD + "group colloids type 2\nset atom 1 image 1 0 0\nfix 2 colloids rigid/gpu molecule\nrun 1"),
    ("doc/region_gpu.rst", "keyword move, allowed: side, units; LAMMPS's own region has it (suffix off)",
     "variable w equal 1\nregion r block/gpu 0 1 0 1 0 1 move v_w NULL NULL"),
    ("doc/region_gpu.rst", "variable v_r, allowed: numbers; LAMMPS's own region moves (suffix off)",
     "variable r equal 1\nregion r sphere/gpu 0 0 0 v_r"),
    ("doc/region_gpu.rst", "from 4 to 2, allowed: lo <= hi", "region r block/gpu 4 2 INF INF INF INF"),
    ("doc/region_gpu.rst", "region none does not exist, allowed: IDs of regions",
     "region r union/gpu 2 box none"),
]

# Pages with a Syntax section: the words that its keywords allow are added to the first example of the page. Keywords
# that want numbers stand in an example of the page, or here with numbers.
SYNTAX = ["doc/pair_dpd_gpu.rst", "doc/pair_dpd_ext_gpu.rst", "doc/pair_dpd_tstat_gpu.rst", "doc/pair_lj_cut_gpu.rst",
          "doc/pair_coul_slater_long_gpu.rst", "doc/pair_mdpd_gpu.rst",
          "doc/fix_langevin_sop_gpu.rst", "doc/fix_wall_gpu.rst"]
WITH_NUMBERS = {"cutoff": "cutoff 20 5", "offset": "offset 0", "copyfile": "copyfile copies.dat 5 intact energy"}
