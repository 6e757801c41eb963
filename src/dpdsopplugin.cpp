/* Entry of the plugin: tells LAMMPS which styles dpdsopplugin.so has.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_dpd_gpu_state.h"
#include "angle_gpu.h"
#include "bond_gpu.h"
#include "dihedral_gpu.h"
#include "improper_gpu.h"
#include "compute_chunk_atom_gpu.h"
#include "compute_chunk_moments_gpu.h"
#include "compute_gyration_gpu.h"
#include "compute_stress_atom_gpu.h"
#include "compute_msd_gpu.h"
#include "compute_rdf_gpu.h"
#include "compute_sums_gpu.h"
#include "compute_temp_bias_gpu.h"
#include "compute_temp_profile_gpu.h"
#include "fix_addforce_gpu.h"
#include "fix_ave_chunk_gpu.h"
#include "fix_gravity_gpu.h"
#include "fix_move_gpu.h"
#include "fix_spring_self_gpu.h"
#include "fix_step_anchors.h"
#include "fix_step_centers.h"
#include "fix_langevin_gpu.h"
#include "fix_momentum_gpu.h"
#include "fix_nh_gpu.h"
#include "fix_nve_gpu.h"
#include "fix_press_berendsen_gpu.h"
#include "fix_rigid_gpu.h"
#include "fix_setforce_gpu.h"
#include "fix_spring_gpu.h"
#include "fix_temp_berendsen_gpu.h"
#include "fix_temp_rescale_gpu.h"
#include "fix_wall_gpu.h"
#include "fix_wall_reflect_gpu.h"
#include "fix_dpd_gpu_wrap.h"
#include "fix_langevin_sop_gpu.h"
#include "pair_dpd_ext_gpu.h"
#include "pair_dpd_gpu.h"
#include "pair_dpd_tstat_gpu.h"
#include "plugin_styles.h"
#include "region_gpu.h"
#ifndef DS_UNKNOWN_CLASSES
#include "fix_deform_gpu.h"
#include "verlet_gpu.h"
#endif

#include "lammps.h"
#include "library.h"
#include "update.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

using namespace LAMMPS_NS;

static const std::vector<PluginPair> PAIRS = {
    {"dpd/gpu", "pair style dpd/gpu: dissipative particle dynamics with signature noise",
     create_plugin_pair<PairDPDGPU>},
    {"dpd/ext/gpu", "pair style dpd/ext/gpu: the same with a transverse thermostat",
     create_plugin_pair<PairDPDExtGPU>},
    {"dpd/tstat/gpu", "pair style dpd/tstat/gpu: its thermostat alone",
     create_plugin_pair<PairDPDTstatGPU>},
    // names that no other package has
    {"dpd/exact/gpu", "pair style dpd/exact/gpu: dpd/gpu of this package",
     create_plugin_pair<PairDPDGPU>},
    {"dpd/ext/exact/gpu", "pair style dpd/ext/exact/gpu: dpd/ext/gpu of this package",
     create_plugin_pair<PairDPDExtGPU>},
    {"dpd/tstat/exact/gpu", "pair style dpd/tstat/exact/gpu: dpd/tstat/gpu of this package",
     create_plugin_pair<PairDPDTstatGPU>},
};

static const std::vector<PluginBond> BONDS = {
    {"harmonic/gpu", "bond style harmonic/gpu: springs of the engine", create_plugin_pair<BondHarmonicGPU>},
    {"harmonic/exact/gpu", "bond style harmonic/exact/gpu: the same", create_plugin_pair<BondHarmonicGPU>},
    {"fene/gpu", "bond style fene/gpu: finitely extensible springs of the engine", create_plugin_pair<BondFENEGPU>},
    {"fene/exact/gpu", "bond style fene/exact/gpu: the same", create_plugin_pair<BondFENEGPU>},
};

static const std::vector<PluginAngle> ANGLES = {
    {"harmonic/gpu", "angle style harmonic/gpu: harmonic angles of the engine", create_plugin_pair<AngleHarmonicGPU>},
    {"harmonic/exact/gpu", "angle style harmonic/exact/gpu: the same", create_plugin_pair<AngleHarmonicGPU>},
    {"cosine/gpu", "angle style cosine/gpu: angles of the engine", create_plugin_pair<AngleCosineGPU>},
    {"cosine/exact/gpu", "angle style cosine/exact/gpu: the same", create_plugin_pair<AngleCosineGPU>},
};

static const std::vector<PluginDihedral> DIHEDRALS = {
    {"harmonic/gpu", "dihedral style harmonic/gpu: dihedrals of the engine", create_plugin_pair<DihedralHarmonicGPU>},
    {"harmonic/exact/gpu", "dihedral style harmonic/exact/gpu: the same", create_plugin_pair<DihedralHarmonicGPU>},
    {"charmm/gpu", "dihedral style charmm/gpu: dihedrals of the engine, of weight 0", create_plugin_pair<DihedralCharmmGPU>},
    {"charmm/exact/gpu", "dihedral style charmm/exact/gpu: the same", create_plugin_pair<DihedralCharmmGPU>},
    {"opls/gpu", "dihedral style opls/gpu: dihedrals of the engine", create_plugin_pair<DihedralOPLSGPU>},
    {"opls/exact/gpu", "dihedral style opls/exact/gpu: the same", create_plugin_pair<DihedralOPLSGPU>},
};

static const std::vector<PluginImproper> IMPROPERS = {
    {"harmonic/gpu", "improper style harmonic/gpu: impropers of the engine", create_plugin_pair<ImproperHarmonicGPU>},
    {"harmonic/exact/gpu", "improper style harmonic/exact/gpu: the same", create_plugin_pair<ImproperHarmonicGPU>},
};

template <class COMPUTE> static void *create_of_chunks(void *ptr, int narg, char **arg)
{
  auto *const lmp = static_cast<LAMMPS *>(ptr);
  Compute *const own = ComputeChunkMoments::of_lammps(lmp, narg, arg, COMPUTE::OF_LAMMPS);
  return own ? own : new COMPUTE(lmp, narg, arg);
}

static void *create_ave_chunk(void *lmp, int narg, char **arg)
{
  return FixAveChunkGPU::create(static_cast<LAMMPS *>(lmp), narg, arg);
}

static const std::vector<PluginFix> FIXES = {
    {FixDPDGPUState::STYLE,
     "fix style DPD_GPU/STATE: used by these pair styles, for runs that go on",
     create_plugin_fix<FixDPDGPUState>},
    {FixDPDGPUWrap::STYLE,
     "fix style DPD_GPU/WRAP: used by these pair styles, for boxes that are sheared",
     create_plugin_fix<FixDPDGPUWrap>},
    {"addforce/gpu", "fix style addforce/gpu: a constant force", create_plugin_fix<FixAddForceGPU>},
    {"addforce/exact/gpu", "fix style addforce/exact/gpu: a constant force", create_plugin_fix<FixAddForceGPU>},
    {"setforce/gpu", "fix style setforce/gpu: forces that are set", create_plugin_fix<FixSetForceGPU>},
    {"setforce/exact/gpu", "fix style setforce/exact/gpu: forces that are set", create_plugin_fix<FixSetForceGPU>},
    {"aveforce/gpu", "fix style aveforce/gpu: forces that are averaged", create_plugin_fix<FixSetForceGPU>},
    {"aveforce/exact/gpu", "fix style aveforce/exact/gpu: forces that are averaged", create_plugin_fix<FixSetForceGPU>},
    {"gravity/gpu", "fix style gravity/gpu: a constant acceleration", create_plugin_fix<FixGravityGPU>},
    {"gravity/exact/gpu", "fix style gravity/exact/gpu: a constant acceleration", create_plugin_fix<FixGravityGPU>},
    {"spring/gpu", "fix style spring/gpu: a group that is tethered", create_plugin_fix<FixSpringGPU>},
    {"spring/exact/gpu", "fix style spring/exact/gpu: a group that is tethered", create_plugin_fix<FixSpringGPU>},
    {FixStepCenters::STYLE, "fix style DPD_GPU/CENTERS: centers of chunks that a compute refers to", create_plugin_fix<FixStepCenters>},
    {FixStepAnchors::STYLE, "fix style DPD_GPU/ANCHORS: positions that other styles refer to", create_plugin_fix<FixStepAnchors>},
    {"spring/self/gpu", "fix style spring/self/gpu: atoms that are tethered", create_plugin_fix<FixSpringSelfGPU>},
    {"spring/self/exact/gpu", "fix style spring/self/exact/gpu: atoms that are tethered", create_plugin_fix<FixSpringSelfGPU>},
    {"move/gpu", "fix style move/gpu: atoms that move with a given velocity", create_plugin_fix<FixMoveGPU>},
    {"move/exact/gpu", "fix style move/exact/gpu: atoms that move with a given velocity", create_plugin_fix<FixMoveGPU>},
    {"nve/exact/gpu", "fix style nve/exact/gpu: velocity Verlet", create_plugin_fix<FixNVEGPU>},
    {"nvt/exact/gpu", "fix style nvt/exact/gpu: Nose-Hoover thermostat", create_plugin_fix<FixNHGPU>},
    {"nph/gpu", "fix style nph/gpu: Nose-Hoover barostat", create_plugin_fix<FixNHGPU>},
    {"nph/exact/gpu", "fix style nph/exact/gpu: Nose-Hoover barostat", create_plugin_fix<FixNHGPU>},
    {"npt/exact/gpu", "fix style npt/exact/gpu: Nose-Hoover thermostat and barostat", create_plugin_fix<FixNHGPU>},
    {"rigid/gpu", "fix style rigid/gpu: rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"rigid/exact/gpu", "fix style rigid/exact/gpu: rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"rigid/nve/gpu", "fix style rigid/nve/gpu: rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"rigid/nve/exact/gpu", "fix style rigid/nve/exact/gpu: rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"rigid/nvt/gpu", "fix style rigid/nvt/gpu: rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"rigid/nvt/exact/gpu", "fix style rigid/nvt/exact/gpu: rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"rigid/small/gpu", "fix style rigid/small/gpu: small rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"rigid/small/exact/gpu", "fix style rigid/small/exact/gpu: small rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"rigid/nve/small/gpu", "fix style rigid/nve/small/gpu: small rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"rigid/nve/small/exact/gpu", "fix style rigid/nve/small/exact/gpu: small rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"rigid/nvt/small/gpu", "fix style rigid/nvt/small/gpu: small rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"rigid/nvt/small/exact/gpu", "fix style rigid/nvt/small/exact/gpu: small rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"nve/limit/gpu", "fix style nve/limit/gpu: velocity Verlet with a longest way", create_plugin_fix<FixNVEGPU>},
    {"nve/limit/exact/gpu", "fix style nve/limit/exact/gpu: velocity Verlet with a longest way", create_plugin_fix<FixNVEGPU>},
    {"langevin/gpu", "fix style langevin/gpu: Langevin friction and noise", create_plugin_fix<FixLangevinGPU>},
    {"langevin/exact/gpu", "fix style langevin/exact/gpu: Langevin friction and noise", create_plugin_fix<FixLangevinGPU>},
    {"temp/rescale/gpu", "fix style temp/rescale/gpu: velocities scaled to a temperature", create_plugin_fix<FixTempRescaleGPU>},
    {"temp/rescale/exact/gpu", "fix style temp/rescale/exact/gpu: velocities scaled to a temperature", create_plugin_fix<FixTempRescaleGPU>},
    {"temp/berendsen/gpu", "fix style temp/berendsen/gpu: Berendsen's thermostat", create_plugin_fix<FixTempBerendsenGPU>},
    {"temp/berendsen/exact/gpu", "fix style temp/berendsen/exact/gpu: Berendsen's thermostat", create_plugin_fix<FixTempBerendsenGPU>},
    {"press/berendsen/gpu", "fix style press/berendsen/gpu: Berendsen's barostat", create_plugin_fix<FixPressBerendsenGPU>},
    {"press/berendsen/exact/gpu", "fix style press/berendsen/exact/gpu: Berendsen's barostat", create_plugin_fix<FixPressBerendsenGPU>},
#ifndef DS_UNKNOWN_CLASSES
    {"deform/gpu", "fix style deform/gpu: a box that is deformed", create_plugin_fix<FixDeformGPU>},
    {"deform/exact/gpu", "fix style deform/exact/gpu: a box that is deformed", create_plugin_fix<FixDeformGPU>},
#endif
    {"momentum/gpu", "fix style momentum/gpu: momentum that is taken away", create_plugin_fix<FixMomentumGPU>},
    {"momentum/exact/gpu", "fix style momentum/exact/gpu: momentum that is taken away", create_plugin_fix<FixMomentumGPU>},
    {"wall/lj93/gpu", "fix style wall/lj93/gpu: walls that push", create_plugin_fix<FixWallGPU>},
    {"wall/lj93/exact/gpu", "fix style wall/lj93/exact/gpu: walls that push", create_plugin_fix<FixWallGPU>},
    {"wall/lj126/gpu", "fix style wall/lj126/gpu: walls that push", create_plugin_fix<FixWallGPU>},
    {"wall/lj126/exact/gpu", "fix style wall/lj126/exact/gpu: walls that push", create_plugin_fix<FixWallGPU>},
    {"wall/harmonic/gpu", "fix style wall/harmonic/gpu: walls that push", create_plugin_fix<FixWallGPU>},
    {"wall/harmonic/exact/gpu", "fix style wall/harmonic/exact/gpu: walls that push", create_plugin_fix<FixWallGPU>},
    {"wall/reflect/gpu", "fix style wall/reflect/gpu: walls that reflect", create_plugin_fix<FixWallReflectGPU>},
    {"wall/reflect/exact/gpu", "fix style wall/reflect/exact/gpu: walls that reflect", create_plugin_fix<FixWallReflectGPU>},
    {"wall/bounce/gpu", "fix style wall/bounce/gpu: walls without slip", create_plugin_fix<FixWallReflectGPU>},
    {"wall/bounce/exact/gpu", "fix style wall/bounce/exact/gpu: walls without slip", create_plugin_fix<FixWallReflectGPU>},
    {"ave/chunk/gpu", "fix style ave/chunk/gpu: averages of atoms in bins", create_ave_chunk},
    {"ave/chunk/exact/gpu", "fix style ave/chunk/exact/gpu: averages of atoms in bins", create_ave_chunk},
    {"langevin/sop/gpu",
     "fix style langevin/sop/gpu: Brownian dynamics of self-organized-polymer proteins",
     create_plugin_fix<FixLangevinSOPGPU>},
};

static const std::vector<PluginRegion> REGIONS = {
    {"block/gpu", "region style block/gpu: one that the engine knows", create_plugin_fix<RegBlockGPU>},
    {"block/exact/gpu", "region style block/exact/gpu: one that the engine knows", create_plugin_fix<RegBlockGPU>},
    {"sphere/gpu", "region style sphere/gpu: one that the engine knows", create_plugin_fix<RegSphereGPU>},
    {"sphere/exact/gpu", "region style sphere/exact/gpu: one that the engine knows", create_plugin_fix<RegSphereGPU>},
    {"cylinder/gpu", "region style cylinder/gpu: one that the engine knows", create_plugin_fix<RegCylinderGPU>},
    {"cylinder/exact/gpu", "region style cylinder/exact/gpu: one that the engine knows", create_plugin_fix<RegCylinderGPU>},
    {"plane/gpu", "region style plane/gpu: one that the engine knows", create_plugin_fix<RegPlaneGPU>},
    {"plane/exact/gpu", "region style plane/exact/gpu: one that the engine knows", create_plugin_fix<RegPlaneGPU>},
    {"union/gpu", "region style union/gpu: one that the engine knows", create_plugin_fix<RegUnionGPU>},
    {"union/exact/gpu", "region style union/exact/gpu: one that the engine knows", create_plugin_fix<RegUnionGPU>},
    {"intersect/gpu", "region style intersect/gpu: one that the engine knows", create_plugin_fix<RegUnionGPU>},
    {"intersect/exact/gpu", "region style intersect/exact/gpu: one that the engine knows", create_plugin_fix<RegUnionGPU>},
};

static const std::vector<PluginCompute> COMPUTES = {
    {"temp/gpu", "compute style temp/gpu: temperature from exact sums", create_plugin_fix<ComputeTempGPU>},
    {"temp/exact/gpu", "compute style temp/exact/gpu: the same", create_plugin_fix<ComputeTempGPU>},
    {"temp/partial/gpu", "compute style temp/partial/gpu: that along some axes", create_plugin_fix<ComputeTempBiasGPU>},
    {"temp/partial/exact/gpu", "compute style temp/partial/exact/gpu: the same", create_plugin_fix<ComputeTempBiasGPU>},
    {"temp/deform/gpu", "compute style temp/deform/gpu: that without the flow of fix deform", create_plugin_fix<ComputeTempBiasGPU>},
    {"temp/deform/exact/gpu", "compute style temp/deform/exact/gpu: the same", create_plugin_fix<ComputeTempBiasGPU>},
    {"temp/profile/gpu", "compute style temp/profile/gpu: that without the mean velocities in bins", create_plugin_fix<ComputeTempProfileGPU>},
    {"temp/profile/exact/gpu", "compute style temp/profile/exact/gpu: the same", create_plugin_fix<ComputeTempProfileGPU>},
    {"ke/gpu", "compute style ke/gpu: kinetic energy from exact sums", create_plugin_fix<ComputeKEGPU>},
    {"ke/exact/gpu", "compute style ke/exact/gpu: the same", create_plugin_fix<ComputeKEGPU>},
    {"momentum/gpu", "compute style momentum/gpu: momentum from exact sums", create_plugin_fix<ComputeMomentumGPU>},
    {"momentum/exact/gpu", "compute style momentum/exact/gpu: the same", create_plugin_fix<ComputeMomentumGPU>},
    {"com/gpu", "compute style com/gpu: center of mass from exact sums", create_plugin_fix<ComputeCOMGPU>},
    {"com/exact/gpu", "compute style com/exact/gpu: the same", create_plugin_fix<ComputeCOMGPU>},
    {"chunk/atom/gpu", "compute style chunk/atom/gpu: chunks of atoms, whose bins the engine knows", create_plugin_fix<ComputeChunkAtomGPU>},
    {"chunk/atom/exact/gpu", "compute style chunk/atom/exact/gpu: the same", create_plugin_fix<ComputeChunkAtomGPU>},
    {"stress/atom/gpu", "compute style stress/atom/gpu: stress of each atom", create_plugin_fix<ComputeStressAtomGPU>},
    {"stress/atom/exact/gpu", "compute style stress/atom/exact/gpu: the same", create_plugin_fix<ComputeStressAtomGPU>},
    {"pe/atom/gpu", "compute style pe/atom/gpu: energy of each atom", create_plugin_fix<ComputeStressAtomGPU>},
    {"pe/atom/exact/gpu", "compute style pe/atom/exact/gpu: the same", create_plugin_fix<ComputeStressAtomGPU>},
    {"rdf/gpu", "compute style rdf/gpu: radial distribution functions, from the engine's own cells", create_plugin_fix<ComputeRDFGPU>},
    {"rdf/exact/gpu", "compute style rdf/exact/gpu: the same", create_plugin_fix<ComputeRDFGPU>},
    {"gyration/gpu", "compute style gyration/gpu: radius of gyration from exact sums", create_plugin_fix<ComputeGyrationGPU>},
    {"gyration/exact/gpu", "compute style gyration/exact/gpu: the same", create_plugin_fix<ComputeGyrationGPU>},
    {"com/chunk/gpu", "compute style com/chunk/gpu: centers of mass of molecules", create_of_chunks<ComputeCOMChunkGPU>},
    {"com/chunk/exact/gpu", "compute style com/chunk/exact/gpu: the same", create_of_chunks<ComputeCOMChunkGPU>},
    {"gyration/chunk/gpu", "compute style gyration/chunk/gpu: radii of gyration of molecules", create_of_chunks<ComputeGyrationChunkGPU>},
    {"gyration/chunk/exact/gpu", "compute style gyration/chunk/exact/gpu: the same", create_of_chunks<ComputeGyrationChunkGPU>},
    {"msd/chunk/gpu", "compute style msd/chunk/gpu: squared displacements of molecules", create_of_chunks<ComputeMSDChunkGPU>},
    {"msd/chunk/exact/gpu", "compute style msd/chunk/exact/gpu: the same", create_of_chunks<ComputeMSDChunkGPU>},
    {"msd/gpu", "compute style msd/gpu: mean squared displacement from exact sums", create_plugin_fix<ComputeMSDGPU>},
    {"msd/exact/gpu", "compute style msd/exact/gpu: the same", create_plugin_fix<ComputeMSDGPU>},
};

/* ----------------------------------------------------------------------
   LAMMPS's loader of plugins does not know run styles in all versions, but the
   map in which LAMMPS looks for them is there for all
------------------------------------------------------------------------- */

#ifndef DS_UNKNOWN_CLASSES
static Integrate *create_verlet_gpu(LAMMPS *lmp, int narg, char **arg)
{
  return new VerletGPU(lmp, narg, arg);
}

/* ----------------------------------------------------------------------
   with the command line's -sf exact/gpu, LAMMPS has looked for its first run style
   before it loaded the plugin
------------------------------------------------------------------------- */

static void register_run_style(LAMMPS *lmp)
{
  for (const char *name : {"verlet/gpu", "verlet/exact/gpu"})
    (*lmp->update->integrate_map)[name] = create_verlet_gpu;
  if (!lmp->suffix_enable || !lmp->suffix || strcmp(lmp->suffix, "exact/gpu") != 0) return;
  if (!lmp->update->integrate_style || strcmp(lmp->update->integrate_style, "verlet") != 0) return;
  char style[] = "verlet", *arg[] = {style};
  lmp->update->create_integrate(1, arg, 1);
}
#endif

/* ----------------------------------------------------------------------
   The classes that a plugin derives from change between LAMMPS versions, and with
   the sizes of LAMMPS's integers: a plugin compiled for others would crash or read
   wrong numbers, so it is not registered. Asked through LAMMPS's C library, which
   does not depend on any class.
------------------------------------------------------------------------- */

static bool fits(void *lmp)
{
  const int running = lammps_version(lmp);
  std::string other;
  if (DS_LAMMPS_VERSION != 0 && running != DS_LAMMPS_VERSION)
    other = "LAMMPS version " + std::to_string(DS_LAMMPS_VERSION) +
            " and is not loaded into version " + std::to_string(running);

  static constexpr struct {
    const char *name;
    int bytes;
  } INTEGERS[] = {
      {"tagint", sizeof(tagint)}, {"imageint", sizeof(imageint)}, {"bigint", sizeof(bigint)}};
  for (const auto &integer : INTEGERS) {
    const int bytes = lammps_extract_setting(lmp, integer.name);
    if (!other.empty() || bytes == integer.bytes) continue;
    other = "a LAMMPS whose " + std::string(integer.name) + " has " +
            std::to_string(integer.bytes) +
            " bytes and is not loaded into this one, where it has " + std::to_string(bytes) +
            " (LAMMPS_SIZES: smallbig, bigbig or smallsmall)";
  }

  if (other.empty()) return true;
  // one write: fprintf() hands a long line to the unbuffered stderr in pieces, between which
  // mpiexec may print what other ranks say
  const std::string warning = "WARNING: dpdsopplugin.so was compiled for " + other +
      ": compile it for this LAMMPS\n";
  if (lammps_extract_setting(lmp, "world_rank") == 0) fputs(warning.c_str(), stderr);
  return false;
}

void lammpsplugin_init(void *lmp, void *handle, void *register_function)
{
  if (!fits(lmp)) return;

  auto register_plugin = reinterpret_cast<dpdsop_plugin_register>(register_function);
  dpdsop_plugin plugin;

  plugin.version = DS_LAMMPS_VERSION_TEXT;
  plugin.author = "DPD/SOP package";
  plugin.handle = handle;

  const bool with_kokkos = HAVE_KOKKOS || !lammps_config_has_package("KOKKOS");
  std::vector<PluginPair> pairs = PAIRS;
  if (with_kokkos) pairs.insert(pairs.end(), KOKKOS_PAIRS.begin(), KOKKOS_PAIRS.end());
  const std::pair<const char *, const std::vector<PluginPair> *> of_no_arguments[] = {
      {"pair", &pairs}, {"bond", &BONDS}, {"angle", &ANGLES},
      {"dihedral", &DIHEDRALS}, {"improper", &IMPROPERS}};
  for (const auto &kind : of_no_arguments)
    for (const auto &style : *kind.second) {
      plugin.style = kind.first;
      plugin.name = style.name;
      plugin.info = style.info;
      plugin.creator.v1 = style.create;
      register_plugin(&plugin, lmp);
    }

  plugin.style = "fix";
  for (const auto *const fixes : {&FIXES, &KOKKOS_FIXES})
    for (const auto &fix : *fixes) {
      plugin.name = fix.name;
      plugin.info = fix.info;
      plugin.creator.v2 = fix.create;
      register_plugin(&plugin, lmp);
    }

  plugin.style = "compute";
  for (const auto &compute : COMPUTES) {
    plugin.name = compute.name;
    plugin.info = compute.info;
    plugin.creator.v2 = compute.create;
    register_plugin(&plugin, lmp);
  }

  plugin.style = "region";
  for (const auto &region : REGIONS) {
    plugin.name = region.name;
    plugin.info = region.info;
    plugin.creator.v2 = region.create;
    register_plugin(&plugin, lmp);
  }

#ifndef DS_UNKNOWN_CLASSES
  register_run_style(static_cast<LAMMPS *>(lmp));
#endif
}
