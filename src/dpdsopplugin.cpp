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
#include "fix_mvv_dpd_gpu.h"
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
#include "pair_coul_slater_long_gpu.h"
#include "pair_dpd_coul_slater_long_gpu.h"
#include "pair_dpd_ext_gpu.h"
#include "pair_dpd_gpu.h"
#include "pair_dpd_tstat_gpu.h"
#include "pair_lj_cut_gpu.h"
#include "pair_mdpd_gpu.h"
#include "pair_mdpd_rhosum_gpu.h"
#include "plugin_styles.h"
#include "pppm_gpu.h"
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
#include <set>
#include <string>

using namespace LAMMPS_NS;

// A row X of the tables is a style with two names, X/gpu and X/exact/gpu. LAMMPS's package GPU has some of the first names,
// too, but no other package has one of the second names

static constexpr const char *SUFFIXES[] = {"/gpu", "/exact/gpu"};

static const std::vector<PluginPair> PAIRS = {
    {"dpd", "dissipative particle dynamics with signature noise", create_plugin_pair<PairDPDGPU>},
    {"dpd/ext", "dpd/gpu with a transverse thermostat", create_plugin_pair<PairDPDExtGPU>},
    {"dpd/tstat", "the thermostat of dpd/gpu alone", create_plugin_pair<PairDPDTstatGPU>},
    {"lj/cut", "the Lennard-Jones potential with a cutoff", create_plugin_pair<PairLJCutExactGPU>},
    {"coul/slater/long", "smeared charges, the part in real space", create_plugin_pair<PairCoulSlaterLongExactGPU>},
    {"dpd/coul/slater/long", "dpd/gpu with smeared charges", create_plugin_pair<PairDPDCoulSlaterLongExactGPU>},
    {"mdpd", "many-body dissipative particle dynamics with signature noise", create_plugin_pair<PairMDPDExactGPU>},
    {"mdpd/rhosum", "densities of mdpd/gpu", create_plugin_pair<PairMDPDRhosumExactGPU>},
};

static const std::vector<PluginBond> BONDS = {
    {"harmonic", "springs of the engine", create_plugin_pair<BondHarmonicGPU>},
    {"fene", "finitely extensible springs of the engine", create_plugin_pair<BondFENEGPU>},
};

static const std::vector<PluginAngle> ANGLES = {
    {"harmonic", "harmonic angles of the engine", create_plugin_pair<AngleHarmonicGPU>},
    {"cosine", "angles of the engine", create_plugin_pair<AngleCosineGPU>},
};

static const std::vector<PluginDihedral> DIHEDRALS = {
    {"harmonic", "dihedrals of the engine", create_plugin_pair<DihedralHarmonicGPU>},
    {"charmm", "dihedrals of the engine, of weight 0", create_plugin_pair<DihedralCharmmGPU>},
    {"opls", "dihedrals of the engine", create_plugin_pair<DihedralOPLSGPU>},
};

static const std::vector<PluginImproper> IMPROPERS = {
    {"harmonic", "impropers of the engine", create_plugin_pair<ImproperHarmonicGPU>},
};

static const std::vector<PluginKSpace> KSPACES = {
    {"pppm", "long-range Coulomb forces on a mesh", create_plugin_pair<PPPMExactGPU>},
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
    {"addforce", "a constant force", create_plugin_fix<FixAddForceGPU>},
    {"setforce", "forces that are set", create_plugin_fix<FixSetForceGPU>},
    {"aveforce", "forces that are averaged", create_plugin_fix<FixSetForceGPU>},
    {"gravity", "a constant acceleration", create_plugin_fix<FixGravityGPU>},
    {"spring", "a group that is tethered", create_plugin_fix<FixSpringGPU>},
    {"spring/self", "atoms that are tethered", create_plugin_fix<FixSpringSelfGPU>},
    {"move", "atoms that move with a given velocity", create_plugin_fix<FixMoveGPU>},
    {"nph", "Nose-Hoover barostat", create_plugin_fix<FixNHGPU>},
    {"rigid", "rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"rigid/nve", "rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"rigid/nvt", "rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"rigid/small", "small rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"rigid/nve/small", "small rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"rigid/nvt/small", "small rigid bodies", create_plugin_fix<FixRigidGPU>},
    {"nve/limit", "velocity Verlet with a longest displacement", create_plugin_fix<FixNVEGPU>},
    {"mvv/dpd", "modified velocity Verlet", create_plugin_fix<FixMvvDPDGPU>},
    {"langevin", "Langevin friction and noise", create_plugin_fix<FixLangevinGPU>},
    {"temp/rescale", "velocities scaled to a temperature", create_plugin_fix<FixTempRescaleGPU>},
    {"temp/berendsen", "Berendsen's thermostat", create_plugin_fix<FixTempBerendsenGPU>},
    {"press/berendsen", "Berendsen's barostat", create_plugin_fix<FixPressBerendsenGPU>},
#ifndef DS_UNKNOWN_CLASSES
    {"deform", "a box that is deformed", create_plugin_fix<FixDeformGPU>},
#endif
    {"momentum", "momentum that is taken away", create_plugin_fix<FixMomentumGPU>},
    {"wall/lj93", "walls that push", create_plugin_fix<FixWallGPU>},
    {"wall/lj126", "walls that push", create_plugin_fix<FixWallGPU>},
    {"wall/harmonic", "walls that push", create_plugin_fix<FixWallGPU>},
    {"wall/reflect", "walls that reflect", create_plugin_fix<FixWallReflectGPU>},
    {"wall/bounce", "walls without slip", create_plugin_fix<FixWallReflectGPU>},
    {"ave/chunk", "averages of atoms in bins", create_ave_chunk},
};

// Fixes with one name. Of nve, nvt and npt it is the second one, because LAMMPS's package GPU has fixes nve/gpu, nvt/gpu and
// npt/gpu. The last ones are internal fixes, which other styles of this package make

static const std::vector<PluginFix> FIXES_OF_ONE_NAME = {
    {"nve/exact/gpu", "velocity Verlet", create_plugin_fix<FixNVEGPU>},
    {"nvt/exact/gpu", "Nose-Hoover thermostat", create_plugin_fix<FixNHGPU>},
    {"npt/exact/gpu", "Nose-Hoover thermostat and barostat", create_plugin_fix<FixNHGPU>},
    {"langevin/sop/gpu", "Brownian dynamics of self-organized-polymer proteins", create_plugin_fix<FixLangevinSOPGPU>},
    {FixDPDGPUState::STYLE, "used by these pair styles, for runs that go on", create_plugin_fix<FixDPDGPUState>},
    {FixDPDGPUWrap::STYLE, "used by these pair styles, for boxes that are sheared", create_plugin_fix<FixDPDGPUWrap>},
    {FixStepCenters::STYLE, "centers of chunks that a compute refers to", create_plugin_fix<FixStepCenters>},
    {FixStepAnchors::STYLE, "positions that other styles refer to", create_plugin_fix<FixStepAnchors>},
};

static const std::vector<PluginRegion> REGIONS = {
    {"block", "one that the engine knows", create_plugin_fix<RegBlockGPU>},
    {"sphere", "one that the engine knows", create_plugin_fix<RegSphereGPU>},
    {"cylinder", "one that the engine knows", create_plugin_fix<RegCylinderGPU>},
    {"plane", "one that the engine knows", create_plugin_fix<RegPlaneGPU>},
    {"union", "one that the engine knows", create_plugin_fix<RegUnionGPU>},
    {"intersect", "one that the engine knows", create_plugin_fix<RegUnionGPU>},
};

static const std::vector<PluginCompute> COMPUTES = {
    {"temp", "temperature from exact sums", create_plugin_fix<ComputeTempGPU>},
    {"temp/partial", "temperature along some axes", create_plugin_fix<ComputeTempBiasGPU>},
    {"temp/deform", "temperature without the flow of fix deform", create_plugin_fix<ComputeTempBiasGPU>},
    {"temp/profile", "temperature without the mean velocities in bins", create_plugin_fix<ComputeTempProfileGPU>},
    {"ke", "kinetic energy from exact sums", create_plugin_fix<ComputeKEGPU>},
    {"momentum", "momentum from exact sums", create_plugin_fix<ComputeMomentumGPU>},
    {"com", "center of mass from exact sums", create_plugin_fix<ComputeCOMGPU>},
    {"chunk/atom", "chunks of atoms, whose bins the engine knows", create_plugin_fix<ComputeChunkAtomGPU>},
    {"stress/atom", "stress of each atom", create_plugin_fix<ComputeStressAtomGPU>},
    {"pe/atom", "energy of each atom", create_plugin_fix<ComputeStressAtomGPU>},
    {"rdf", "radial distribution functions, from the engine's own cells", create_plugin_fix<ComputeRDFGPU>},
    {"gyration", "radius of gyration from exact sums", create_plugin_fix<ComputeGyrationGPU>},
    {"com/chunk", "centers of mass of molecules", create_of_chunks<ComputeCOMChunkGPU>},
    {"gyration/chunk", "radii of gyration of molecules", create_of_chunks<ComputeGyrationChunkGPU>},
    {"msd/chunk", "squared displacements of molecules", create_of_chunks<ComputeMSDChunkGPU>},
    {"msd", "mean squared displacement from exact sums", create_plugin_fix<ComputeMSDGPU>},
};

/* ----------------------------------------------------------------------
   LAMMPS's loader of plugins does not register run styles in all versions. The map in
   which LAMMPS looks for them is public in all of them
------------------------------------------------------------------------- */

#ifndef DS_UNKNOWN_CLASSES
static Integrate *create_verlet_gpu(LAMMPS *lmp, int narg, char **arg)
{
  return new VerletGPU(lmp, narg, arg);
}

/* ----------------------------------------------------------------------
   With -sf exact/gpu on the command line, LAMMPS has made its first run style before it
   loaded the plugin. So it is made again here
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
   Whether the plugin was compiled for this LAMMPS. The classes that it derives from
   differ between LAMMPS versions, and with the sizes of LAMMPS's integers. A plugin
   compiled for others would crash or read wrong numbers, so it registers nothing.
   LAMMPS's C library is asked, because it does not depend on any class.
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

/* ----------------------------------------------------------------------
   Registers rows of tables. LAMMPS keeps pointers to names and texts as long as it
   runs, so they are kept here, once for all LAMMPS of the process
------------------------------------------------------------------------- */

namespace {
class Registrar {
 public:
  Registrar(void *lmp_in, void *handle, void *function) :
      lmp(lmp_in), function(reinterpret_cast<dpdsop_plugin_register>(function)), plugin()
  {
    plugin.version = DS_LAMMPS_VERSION_TEXT;
    plugin.author = "DPD/SOP package";
    plugin.handle = handle;
  }

  template <class Row> void add_both_names(const char *kind, const std::vector<Row> &rows)
  {
    for (const Row &row : rows)
      for (const char *suffix : SUFFIXES) add(kind, std::string(row.name) + suffix, row);
  }

  template <class Row> void add(const char *kind, const std::vector<Row> &rows)
  {
    for (const Row &row : rows) add(kind, row.name, row);
  }

 private:
  void *lmp;
  dpdsop_plugin_register function;
  dpdsop_plugin plugin;

  static const char *keep(const std::string &text)
  {
    static std::set<std::string> all;
    return all.insert(text).first->c_str();
  }

  void set_creator(dpdsop_plugin_factory1 create) { plugin.creator.v1 = create; }
  void set_creator(dpdsop_plugin_factory2 create) { plugin.creator.v2 = create; }

  template <class Row> void add(const char *kind, const std::string &name, const Row &row)
  {
    plugin.style = kind;
    plugin.name = keep(name);
    plugin.info = keep(std::string(kind) + " style " + name + ": " + row.info);
    set_creator(row.create);
    function(&plugin, lmp);
  }
};
}    // namespace

void lammpsplugin_init(void *lmp, void *handle, void *register_function)
{
  if (!fits(lmp)) return;

  Registrar styles(lmp, handle, register_function);
  styles.add_both_names("pair", PAIRS);
  if (HAVE_KOKKOS || !lammps_config_has_package("KOKKOS")) styles.add("pair", KOKKOS_PAIRS);
  styles.add_both_names("bond", BONDS);
  styles.add_both_names("angle", ANGLES);
  styles.add_both_names("dihedral", DIHEDRALS);
  styles.add_both_names("improper", IMPROPERS);
  styles.add_both_names("kspace", KSPACES);
  styles.add_both_names("fix", FIXES);
  styles.add("fix", FIXES_OF_ONE_NAME);
  styles.add("fix", KOKKOS_FIXES);
  styles.add_both_names("compute", COMPUTES);
  styles.add_both_names("region", REGIONS);

#ifndef DS_UNKNOWN_CLASSES
  register_run_style(static_cast<LAMMPS *>(lmp));
#endif
}
