/* What pair styles of this package have in common. The engine makes forces; this file has what LAMMPS calls before, during and
   after a run. Commands and files are in pair_gpu_commands.cpp and pair_gpu_files.cpp.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "pair_gpu.h"

#include "compute_stress_atom_gpu.h"
#include "engine_handle.h"
#include "pair_together.h"

#include "atom.h"
#include "comm.h"
#include "compute.h"
#include "domain.h"
#include "error.h"
#include "force.h"
#include "group.h"
#include "memory.h"
#include "modify.h"
#include "neighbor.h"
#include "update.h"
#include "utils.h"

#include "dpdsop/version.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

// only a plugin that was compiled for a LAMMPS with KOKKOS has the styles with /kk
#ifdef LMP_KOKKOS
static constexpr char IN_PLUGIN[] = "";
#else
static constexpr char IN_PLUGIN[] = "in a plugin compiled for the build folder of this LAMMPS, ";
#endif

static_assert((int) PairGPUStyle::LIMIT == (int) DS_MAX_COEFFICIENTS, "number of coefficients");

/* ---------------------------------------------------------------------- */

PairGPU::PairGPU(LAMMPS *lmp, const PairGPUStyle &style_in, EngineHandle *engine_in) :
    Pair(lmp), together(nullptr), style(style_in), ntemperatures(0), ncoeff(0), nneeded(0), nplain(0), nwritten(0),
    temperature(0.0), t_start(0.0), t_stop(0.0), cut_global(0.0), seed(1),
    precision(DS_PRECISION_MIXED), backend(DS_BACKEND_AUTO), values(), cut(nullptr),
    engine(engine_in), coeffs_changed(1), cited(false), suffix_told(false), warned_of_bonds(false)
{
  while (ntemperatures < 2 && style.temperatures[ntemperatures]) ntemperatures++;
  while (ncoeff < PairGPUStyle::LIMIT && style.coeff[ncoeff].name) ncoeff++;
  while (nneeded < ncoeff && style.coeff[nneeded].place == PairGPUStyle::NEEDED) nneeded++;
  nplain = nneeded;
  while (nplain < ncoeff && style.coeff[nplain].place == PairGPUStyle::BEHIND_CUTOFF) nplain++;
  while (nwritten < ncoeff && style.coeff[nwritten].place != PairGPUStyle::DERIVED) nwritten++;

  writedata = 1;
  respa_enable = 0;
  centroidstressflag = CENTROID_SAME;

  // the engine puts no forces on ghosts, so the sum of f.r over atoms and ghosts is not the virial

  no_virial_fdotr_compute = 1;

  // compute pair gives the total force, which is exactly zero

  nextra = 3;
  pvector = new double[nextra];
  for (int k = 0; k < nextra; k++) pvector[k] = 0.0;

  if (!engine) engine = new EngineHandle(lmp, std::string("Pair ") + style.name, style.engine);
  reset_settings();
}

/* ---------------------------------------------------------------------- */

PairGPU::~PairGPU()
{
  if (copymode) return;

  if (together) together->lose_parts();
  delete engine;
  delete[] pvector;

  if (allocated) {
    memory->destroy(setflag);
    memory->destroy(cutsq);
    memory->destroy(cut);
    for (int k = 0; k < ncoeff; k++) memory->destroy(values[k]);
  }
}

/* ---------------------------------------------------------------------- */

void PairGPU::compute(int eflag, int vflag)
{
  ds_pair_totals totals[DS_MAX_STYLES] = {};
  begin(eflag, vflag);
  engine->compute(this, totals);
  take_totals(totals);
  if (engine->resides()) return;
  show_atoms(*engine);
  ComputeStressAtomGPU::tally_bonds_of_step(lmp);
}

/* ---------------------------------------------------------------------- */

void PairGPU::begin(int eflag, int vflag)
{
  ev_init(eflag, vflag);

  // fixes are initialized after pair styles, so their settings are checked here

  if (neighbor->ago == 0) check_fixes();

  follow_step();
}

void PairGPU::follow_step()
{
  set_temperature();
  set_coefficients();
}

void PairGPU::take_options(const PairGPU &other)
{
  precision = other.precision;
  backend = other.backend;
  reset_settings();
}

void PairGPU::take_totals(const ds_pair_totals *totals)
{
  engine->tally(this, totals);
}

void PairGPU::clear_ghost_tallies()
{
  const int n = atom->nlocal, all = atom->nlocal + atom->nghost;
  if (eflag_atom) {
    if (all > maxeatom) memory->grow(eatom, maxeatom = atom->nmax, "pair:eatom");
    std::fill(eatom + n, eatom + all, 0.0);
  }
  if (vflag_atom) {
    if (all > maxvatom) memory->grow(vatom, maxvatom = atom->nmax, 6, "pair:vatom");
    if (all > n) std::fill_n(vatom[n], 6 * static_cast<size_t>(all - n), 0.0);
  }
}

/* ----------------------------------------------------------------------
   Refuses fixes and computes that would give ghosts other positions or velocities than
   those of images of their owners
------------------------------------------------------------------------- */

void PairGPU::check_fixes()
{
  if (!modify->get_fix_by_style("^numdiff/virial").empty())
    error->all(FLERR,
               "Pair {}: fix numdiff/virial moves images apart from their atoms, allowed is fix "
               "numdiff",
               style.name);
  if (!modify->get_compute_by_style("^born/matrix").empty())
    error->all(FLERR,
               "Pair {}: compute born/matrix moves images apart from their atoms, allowed is none",
               style.name);

  // the velocity of an image follows from its position, so remap v has to be that of all atoms

  if (domain->deform_vremap && !(domain->deform_groupbit & 1))
    error->all(FLERR,
               "Pair {}: fix deform has remap v for atoms of a group, allowed is group all",
               style.name);
}

/* ---------------------------------------------------------------------- */

void PairGPU::allocate()
{
  allocated = 1;
  const int np1 = atom->ntypes + 1;

  memory->create(setflag, np1, np1, "pair:setflag");
  memory->create(cutsq, np1, np1, "pair:cutsq");
  memory->create(cut, np1, np1, "pair:cut");
  for (int k = 0; k < ncoeff; k++) memory->create(values[k], np1, np1, "pair:values");

  for (int i = 0; i < np1; i++)
    for (int j = 0; j < np1; j++) {
      setflag[i][j] = 0;
      cutsq[i][j] = cut[i][j] = 0.0;
      for (int k = 0; k < ncoeff; k++) values[k][i][j] = PairGPUStyle::neutral(style.coeff[k].range);
    }
  engine->model.begin();
}

/* ----------------------------------------------------------------------
   Initializes what is specific to these pair styles
------------------------------------------------------------------------- */

void PairGPU::init_style()
{
  if (!atom->tag_enable)
    error->all(FLERR,
               "Pair {}: atoms have no IDs (atom_modify id no), but {} made from them: "
               "allowed is atom_modify id yes",
               style.name, has_noise() ? "the noise is" : "messages of errors are");

  // the engine's range of forces depends on coefficients of all pairs of types; init_one() tells which of them are ours

  engine->model.begin();
  engine->model.set_place(place_of_seed());
  coeffs_changed = 1;

  check_ghosts();
  choose_atoms();
  const bool opened =
      engine->open(static_cast<ds_precision>(precision), static_cast<ds_backend>(backend_of_run()));
  engine->join_state();
  if (opened) tell();
  warn_of_bonds();
}

/* ----------------------------------------------------------------------
   LAMMPS's default of special_bonds is made for bonded atoms without pair forces
------------------------------------------------------------------------- */

void PairGPU::warn_of_bonds()
{
  const double *const factor = force->special_lj;
  const bool none = factor[1] == 0.0 && factor[2] == 0.0 && factor[3] == 0.0;
  if (style.is_fluid && none && atom->nbonds > 0 && !warned_of_bonds && comm->me == 0)
    error->warning(FLERR,
                   "Pair {}: bonded pairs do not interact, as special_bonds is lj 0 0 0, LAMMPS's default; models of polymers "
                   "by DPD usually have special_bonds lj 1 1 1",
                   style.name);
  warned_of_bonds = none;
}

/* ----------------------------------------------------------------------
   Sub-styles of a hybrid with the same seed get different noise, by their numbers. The
   first one, or a single one, has number 0. Force::pair_match() numbers the sub-styles
   whose names match: all names of this package that have noise begin with dpd or mdpd,
   also if LAMMPS has appended a suffix
------------------------------------------------------------------------- */

int PairGPU::place_of_seed() const
{
  if (!has_noise()) return 0;
  int place = 0;
  const Pair *before = nullptr;
  for (int n = 1;; n++) {
    const Pair *const found = force->pair_match("^m?dpd", 0, n);
    if (!found || found == before || found == this) return place;    // a single match is returned for any number
    const auto *const other = dynamic_cast<const PairGPU *>(found);
    if (other && other->seed == seed) place++;
    before = found;
  }
}

/* ----------------------------------------------------------------------
   The engine needs each atom of a pair as a ghost on the other one's rank. LAMMPS checks
   this only for lists of its own. Settings of comm_modify are the same on all ranks
------------------------------------------------------------------------- */

struct CommSettings : public Comm {    // no object of it is made: only derived classes can name these members of Comm
  static bool reduces_multi(const Comm &comm) { return comm.*(&CommSettings::multi_reduce) != 0; }
  static int group_sent(const Comm &comm) { return comm.*(&CommSettings::bordergroup); }
};

void PairGPU::check_ghosts()
{
  if (CommSettings::reduces_multi(*comm))
    error->all(FLERR,
               "Pair {}: comm_modify reduce/multi leaves out ghosts that a full neighbor list needs, "
               "allowed is comm_modify mode multi without it",
               style.name);
  const int sent = CommSettings::group_sent(*comm);    // 0: all atoms
  if (sent && !neighbor->includegroup)
    error->all(FLERR,
               "Pair {}: comm_modify group {} leaves out ghosts of other atoms, and pairs of these across "
               "ranks would be missing: allowed is group all, or neigh_modify include {} with it",
               style.name, group->names[sent], group->names[sent]);
}

/* ----------------------------------------------------------------------
   Tells in the log what is used, and what would be faster. Citations are printed here
   because LAMMPS's citeme.h of 2026 includes a header that LAMMPS does not install
------------------------------------------------------------------------- */

void PairGPU::tell()
{
  const std::string no_gpu = engine->no_gpu();
  if (comm->me) return;

  const ds_pair_info info = engine->info();
  utils::logmesg(
      lmp, "Pair {}: {} precision, {} backend ({}, {} thread(s) per rank), own neighbor list\n",
      style.name, name_of_precision(), info.backend, info.variant, comm->nthreads);
  if (engine->atoms().owner())
    utils::logmesg(lmp, "  on the atoms of {}\n", engine->atoms().owner());
  else if (lmp->kokkos && !is_for_kokkos() && style.has_kokkos)
    utils::logmesg(lmp, "  KOKKOS is on, but not used by this pair style: {}{}/kk would be on its atoms\n", IN_PLUGIN,
                   style.name);
  if (!no_gpu.empty()) utils::logmesg(lmp, "  {}\n", no_gpu);
  if (!cited) utils::logmesg(lmp, "  lammps-dpd-sop {}\n", DPDSOP_VERSION);
  if (comm->nprocs > 1 && force->newton_pair)
    utils::logmesg(lmp, "  newton off would save a communication in each step\n");
  if (comm->nprocs == 1 && !lmp->kokkos && strcmp(info.backend, "cuda") == 0 &&
      strcmp(update->integrate_style, "verlet") == 0)
    utils::logmesg(lmp, "  run_style verlet/gpu would keep the atoms on the GPU between steps\n");
  if (!cited && style.cite && lmp->citeme) utils::logmesg(lmp, "  to be cited: {}\n", style.cite);
  cited = true;
}

/* ----------------------------------------------------------------------
   Coefficients of a pair of types that has not been set, from those of each type with
   itself. Returns false if there are none
------------------------------------------------------------------------- */

bool PairGPU::mix(int i, int j)
{
  if (!style.mixes || !setflag[i][i] || !setflag[j][j]) return false;
  double **const energy = values[0], **const distance = values[1];
  energy[i][j] = mix_energy(energy[i][i], energy[j][j], distance[i][i], distance[j][j]);
  distance[i][j] = mix_distance(distance[i][i], distance[j][j]);
  cut[i][j] = mix_distance(cut[i][i], cut[j][j]);
  return true;
}

/* ----------------------------------------------------------------------
   Initializes one pair of types i,j and j,i
------------------------------------------------------------------------- */

double PairGPU::init_one(int i, int j)
{
  if (setflag[i][j] == 0 && !mix(i, j))
    error->all(FLERR,
               "Pair {}: pair_coeff of types {} {} is missing: all pairs of types must be set, "
               "there is no mixing",
               style.name, i, j);

  for (int k = 0; k < ncoeff; k++) values[k][j][i] = values[k][i][j];
  engine->model.set_cutoff(i, j, cut[i][j]);
  coeffs_changed = 1;

  return cut[i][j];
}

/* ----------------------------------------------------------------------
   A temperature that changes linearly during a run, as in LAMMPS's thermostats
------------------------------------------------------------------------- */

void PairGPU::set_temperature()
{
  if (t_start == t_stop) return;
  double delta = update->ntimestep - update->beginstep;
  if (delta != 0.0) delta /= update->endstep - update->beginstep;
  temperature = t_start + delta * (t_stop - t_start);
  coeffs_changed = 1;
}

/* ---------------------------------------------------------------------- */

void PairGPU::set_coefficients()
{
  if (!coeffs_changed) return;
  double allowed[PairGPUStyle::LIMIT];
  for (int k = 0; k < ncoeff; k++) allowed[k] = PairGPUStyle::neutral(style.coeff[k].range);
  engine->model.set_coefficients(ncoeff, values, allowed);
  engine->model.set_bath(force->boltz * temperature, seed);
  coeffs_changed = 0;
}

/* ---------------------------------------------------------------------- */

int PairGPU::pack_forward_comm(int n, int *sendlist, double *buf, int pbc_flag, int *pbc)
{
  return engine->pack(n, sendlist, buf, pbc_flag, pbc);
}

/* ---------------------------------------------------------------------- */

void PairGPU::unpack_forward_comm(int n, int first, double *buf)
{
  engine->unpack(n, first, buf);
}

/* ----------------------------------------------------------------------
   The conservative part only, as in pair style dpd
------------------------------------------------------------------------- */

double PairGPU::single(int /*i*/, int /*j*/, int itype, int jtype, double rsq,
                       double /*factor_coul*/, double factor_dpd, double &fforce)
{
  set_coefficients();
  return engine->model.single(itype, jtype, rsq, 0.0, factor_dpd, fforce);
}

/* ---------------------------------------------------------------------- */

void *PairGPU::extract(const char *str, int &dim)
{
  dim = 0;
  if (has_noise() && strcmp(str, "temperature") == 0) return (void *) &temperature;
  dim = 2;
  for (int k = 0; k < nwritten; k++)
    if (utils::lowercase(style.coeff[k].name) == str) return (void *) values[k];
  return nullptr;
}

/* ---------------------------------------------------------------------- */

void PairGPU::add_tally_callback(Compute *compute)
{
  error->all(
      FLERR,
      "Pair {0}: compute {1} of style {2} wants to be called for each pair, which this style "
      "cannot do; with pair hybrid, pair_modify pair {0} compute/tally no leaves it out",
      style.name, compute->id, compute->style);
}

/* ---------------------------------------------------------------------- */

double PairGPU::memory_usage()
{
  double bytes = Pair::memory_usage();
  if (engine->is_open()) bytes += static_cast<double>(engine->info().bytes_host);
  return bytes;
}
