/* Dissipative particle dynamics with signature noise, on host or GPU: the LAMMPS side. Forces are made
   by the engine; here are commands, their checks and what other commands ask of a pair style.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "pair_dpd_gpu.h"

#include "dpd_gpu_engine.h"

#include "atom.h"
#include "citeme.h"
#include "comm.h"
#include "compute.h"
#include "domain.h"
#include "error.h"
#include "force.h"
#include "memory.h"
#include "modify.h"
#include "neighbor.h"
#include "utils.h"

#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

static const char cite_pair_dpd_gpu[] =
    "pair dpd/gpu command: doi:10.1016/j.cpc.2014.06.015\n\n"
    "@Article{Tang2014,\n"
    " author = {Tang, Yu-Hang and Karniadakis, George Em},\n"
    " title = {Accelerating Dissipative Particle Dynamics Simulations on {GPU}s:\n"
    "   Algorithms, Numerics and Applications},\n"
    " journal = {Computer Physics Communications},\n"
    " year = 2014,\n"
    " volume = 185,\n"
    " pages = {2809--2822}\n"
    "}\n\n";

namespace {
enum { OWN, LAMMPS_LIST };

// keywords of pair_style; the values are in the order of the enums that they stand for
struct Keyword {
  const char *name;
  const char *values[3];
  const char *allowed;
};

constexpr Keyword KEYWORDS[] = {
    {"precision", {"mixed", "single", "double"}, "single, mixed, double"},
    {"backend", {"auto", "host", "cuda"}, "auto, cuda, host"},
    {"neigh", {"own", "lammps", nullptr}, "own, lammps"},
};
enum { PRECISION, BACKEND, NEIGH, NKEYWORDS };

static_assert(DS_PRECISION_MIXED == 0 && DS_PRECISION_SINGLE == 1 && DS_PRECISION_DOUBLE == 2 &&
                  DS_BACKEND_AUTO == 0 && DS_BACKEND_HOST == 1 && DS_BACKEND_CUDA == 2,
              "order of keyword values");
}    // namespace

/* ----------------------------------------------------------------------
   number in a command; where it stands and what is allowed go into the error
------------------------------------------------------------------------- */

static double number(LAMMPS *lmp, Error *error, const char *command, const char *name,
                     const char *text, double above, bool or_equal)
{
  const bool is_number = utils::is_double(text);
  const double value = is_number ? utils::numeric(FLERR, text, false, lmp) : 0.0;
  if (!is_number || !std::isfinite(value) || value < above || (value == above && !or_equal)) {
    if (std::isinf(above))
      error->all(FLERR, "Pair dpd/gpu: {}: {} is {}, allowed are finite numbers", command, name,
                 text);
    error->all(FLERR, "Pair dpd/gpu: {}: {} is {}, allowed are numbers {} {}", command, name, text,
               or_equal ? ">=" : ">", above);
  }
  return value;
}

/* ---------------------------------------------------------------------- */

PairDPDGPU::PairDPDGPU(LAMMPS *lmp) :
    Pair(lmp), temperature(0.0), cut_global(0.0), seed(1), precision(DS_PRECISION_MIXED),
    backend(DS_BACKEND_AUTO), neigh_source(OWN), a0(nullptr), gamma(nullptr), cut(nullptr),
    power(nullptr), active(nullptr), engine(nullptr), coeffs_changed(1), neigh_used(-1),
    types_change(0)
{
  if (lmp->citeme) lmp->citeme->add(cite_pair_dpd_gpu);

  writedata = 1;
  respa_enable = 0;
  centroidstressflag = CENTROID_SAME;

  // a full list puts no forces on ghosts, so the virial is not sum of f.r

  no_virial_fdotr_compute = 1;

  // total of all forces: zero, to the last bit

  nextra = 3;
  pvector = new double[nextra];
  for (int k = 0; k < nextra; k++) pvector[k] = 0.0;

  engine = new DPDGPUEngine(lmp);
  reset_settings();
}

/* ---------------------------------------------------------------------- */

PairDPDGPU::~PairDPDGPU()
{
  if (copymode) return;

  delete engine;
  delete[] pvector;

  if (allocated) {
    memory->destroy(setflag);
    memory->destroy(cutsq);
    memory->destroy(a0);
    memory->destroy(gamma);
    memory->destroy(cut);
    memory->destroy(power);
    memory->destroy(active);
  }
}

/* ---------------------------------------------------------------------- */

void PairDPDGPU::compute(int eflag, int vflag)
{
  ev_init(eflag, vflag);

  set_coefficients();
  if (engine->begin(this, types_change)) {
    check_fixes();
    engine->set_list(neigh_used == OWN ? nullptr : list);
  }
  engine->forces(this);
}

/* ----------------------------------------------------------------------
   fixes are initialized after pair styles: what they ask for shows here
------------------------------------------------------------------------- */

void PairDPDGPU::check_fixes()
{
  if (neigh_used == OWN && has_exclusions())
    error->all(
        FLERR,
        "Pair dpd/gpu: a fix has defined neighbor exclusions, allowed with pair_style keyword "
        "neigh lammps");

  // positions of images come from their owners

  if (!modify->get_fix_by_style("^numdiff/virial").empty())
    error->all(FLERR,
               "Pair dpd/gpu: fix numdiff/virial moves images apart from their atoms, allowed is "
               "fix numdiff");
  if (!modify->get_compute_by_style("^born/matrix").empty())
    error->all(FLERR,
               "Pair dpd/gpu: compute born/matrix moves images apart from their atoms, allowed is "
               "none");

  // images would have to move at other velocities than their owners

  if (domain->deform_vremap)
    error->all(FLERR, "Pair dpd/gpu: fix deform has remap v, allowed are remap x and remap none");
}

/* ---------------------------------------------------------------------- */

void PairDPDGPU::allocate()
{
  allocated = 1;
  const int np1 = atom->ntypes + 1;

  memory->create(setflag, np1, np1, "pair:setflag");
  memory->create(cutsq, np1, np1, "pair:cutsq");
  memory->create(a0, np1, np1, "pair:a0");
  memory->create(gamma, np1, np1, "pair:gamma");
  memory->create(cut, np1, np1, "pair:cut");
  memory->create(power, np1, np1, "pair:power");
  memory->create(active, np1, np1, "pair:active");

  for (int i = 0; i < np1; i++)
    for (int j = 0; j < np1; j++) {
      setflag[i][j] = active[i][j] = 0;
      cutsq[i][j] = a0[i][j] = gamma[i][j] = cut[i][j] = 0.0;
      power[i][j] = 1.0;
    }
}

/* ----------------------------------------------------------------------
   what follows from the settings
------------------------------------------------------------------------- */

void PairDPDGPU::reset_settings()
{
  // pair hybrid and comm read this before the engine exists: 28 bytes a ghost, 52 in double precision.
  // On one rank, a ghost's owner and image take 4 values.

  comm_forward = precision == DS_PRECISION_DOUBLE ? 7 : 4;
  coeffs_changed = 1;
}

/* ----------------------------------------------------------------------
   global settings: T cutoff seed keyword value ...
------------------------------------------------------------------------- */

void PairDPDGPU::settings(int narg, char **arg)
{
  const char *const command = "pair_style";
  if (narg < 3)
    error->all(FLERR, "Pair dpd/gpu: pair_style has {} arguments, needed are T cutoff seed", narg);

  temperature = number(lmp, error, command, "T", arg[0], 0.0, true);
  cut_global = number(lmp, error, command, "cutoff", arg[1], 0.0, false);

  // below 2^31, as the noise takes seeds that differ in the top bit for the same

  const bigint wanted = utils::is_integer(arg[2]) ? utils::bnumeric(FLERR, arg[2], false, lmp) : 0;
  if (wanted < 1 || wanted > MAXSMALLINT)
    error->all(FLERR, "Pair dpd/gpu: pair_style: seed is {}, allowed are integers from 1 to {}",
               arg[2], MAXSMALLINT);
  seed = static_cast<int>(wanted);

  int chosen[NKEYWORDS] = {DS_PRECISION_MIXED, DS_BACKEND_AUTO, OWN};
  for (int iarg = 3; iarg < narg; iarg += 2) {
    int k = 0;
    while (k < NKEYWORDS && strcmp(arg[iarg], KEYWORDS[k].name) != 0) k++;
    if (k == NKEYWORDS)
      error->all(
          FLERR,
          "Pair dpd/gpu: pair_style: unknown keyword {}, allowed are precision, backend, neigh",
          arg[iarg]);
    if (iarg + 1 == narg)
      error->all(FLERR, "Pair dpd/gpu: pair_style: keyword {} has no value, allowed are {}",
                 arg[iarg], KEYWORDS[k].allowed);
    chosen[k] = -1;
    for (int value = 0; value < 3; value++)
      if (KEYWORDS[k].values[value] && strcmp(arg[iarg + 1], KEYWORDS[k].values[value]) == 0)
        chosen[k] = value;
    if (chosen[k] < 0)
      error->all(FLERR, "Pair dpd/gpu: pair_style: {} is {}, allowed are {}", arg[iarg],
                 arg[iarg + 1], KEYWORDS[k].allowed);
  }
  precision = chosen[PRECISION];
  backend = chosen[BACKEND];
  neigh_source = chosen[NEIGH];
  reset_settings();

  // reset cutoffs that have been explicitly set

  if (allocated)
    for (int i = 1; i <= atom->ntypes; i++)
      for (int j = i; j <= atom->ntypes; j++)
        if (setflag[i][j]) cut[i][j] = cut_global;
}

/* ----------------------------------------------------------------------
   coefficients of one or more pairs of types: I J A gamma [cutoff] [power s]
------------------------------------------------------------------------- */

void PairDPDGPU::coeff(int narg, char **arg)
{
  const char *const command = "pair_coeff";
  if (narg < 4)
    error->all(FLERR, "Pair dpd/gpu: pair_coeff has {} arguments, needed are I J A gamma", narg);
  if (!allocated) allocate();

  int ilo, ihi, jlo, jhi;
  utils::bounds(FLERR, arg[0], 1, atom->ntypes, ilo, ihi, error);
  utils::bounds(FLERR, arg[1], 1, atom->ntypes, jlo, jhi, error);

  const double a0_one = number(lmp, error, command, "A", arg[2], -INFINITY, true);
  const double gamma_one = number(lmp, error, command, "gamma", arg[3], 0.0, true);
  double cut_one = cut_global;
  double power_one = 1.0;

  int iarg = 4;
  if (iarg < narg && strcmp(arg[iarg], "power") != 0 && utils::is_double(arg[iarg]))
    cut_one = number(lmp, error, command, "cutoff", arg[iarg++], 0.0, false);
  for (; iarg < narg; iarg += 2) {
    if (strcmp(arg[iarg], "power") != 0)
      error->all(FLERR, "Pair dpd/gpu: pair_coeff: unknown keyword {}, allowed is power",
                 arg[iarg]);
    if (iarg + 1 == narg)
      error->all(FLERR,
                 "Pair dpd/gpu: pair_coeff: keyword power has no value, allowed are numbers > 0");
    power_one = number(lmp, error, command, "power", arg[iarg + 1], 0.0, false);
  }

  int count = 0;
  for (int i = ilo; i <= ihi; i++)
    for (int j = MAX(jlo, i); j <= jhi; j++) {
      a0[i][j] = a0_one;
      gamma[i][j] = gamma_one;
      cut[i][j] = cut_one;
      power[i][j] = power_one;
      a0[j][i] = a0_one;    // init_one() is not called before a run with pre no
      gamma[j][i] = gamma_one;
      cut[j][i] = cut_one;
      power[j][i] = power_one;
      setflag[i][j] = 1;
      count++;
    }
  if (count == 0)
    error->all(FLERR, "Pair dpd/gpu: pair_coeff: types {} {} name no pair with I <= J", arg[0],
               arg[1]);
  coeffs_changed = 1;
}

/* ----------------------------------------------------------------------
   init specific to this pair style
------------------------------------------------------------------------- */

void PairDPDGPU::init_style()
{
  if (!atom->tag_enable)
    error->all(
        FLERR,
        "Pair dpd/gpu: atoms have no IDs (atom_modify id no), but the noise is made from them: "
        "allowed is atom_modify id yes");

  // the force range of the engine depends on coefficients of all pairs: init_one() marks ours

  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = 1; j <= atom->ntypes; j++) active[i][j] = 0;
  coeffs_changed = 1;

  types_change = !modify->get_fix_by_style("/swap$").empty();

  const bool opened =
      engine->open(static_cast<ds_precision>(precision), static_cast<ds_backend>(backend));
  engine->join_state();
  const int neigh_before = neigh_used;
  choose_neigh();
  if (neigh_used == LAMMPS_LIST) neighbor->add_request(this, NeighConst::REQ_FULL);

  if (comm->me == 0 && (opened || neigh_used != neigh_before)) {
    const ds_dpd_info info = engine->info();
    utils::logmesg(
        lmp,
        "Pair dpd/gpu: {} precision, {} backend ({}, {} thread(s) per rank), {} neighbor list\n",
        KEYWORDS[PRECISION].values[precision], info.backend, info.variant, comm->nthreads,
        neigh_used == OWN ? "own" : "LAMMPS's");
    if (info.no_gpu[0]) utils::logmesg(lmp, "  no GPU is used: {}\n", info.no_gpu);
  }
}

/* ---------------------------------------------------------------------- */

bool PairDPDGPU::has_exclusions() const
{
  return neighbor->nex_type || neighbor->nex_group || neighbor->nex_mol;
}

/* ----------------------------------------------------------------------
   the list of the engine knows neither exclusions, nor groups, nor bond
   partners that are stored with molecule templates
------------------------------------------------------------------------- */

void PairDPDGPU::choose_neigh()
{
  const char *reason = nullptr;
  if (has_exclusions()) reason = "neigh_modify exclude";
  if (neighbor->includegroup) reason = "neigh_modify include";
  if (atom->molecular == Atom::TEMPLATE) reason = "atom_style template";

  const int before = neigh_used;
  neigh_used = neigh_source == LAMMPS_LIST || reason ? LAMMPS_LIST : OWN;
  if (comm->me == 0 && neigh_source == OWN && reason && before != neigh_used)
    utils::logmesg(lmp, "Pair dpd/gpu: uses the neighbor list of LAMMPS because of {}\n", reason);
}

/* ----------------------------------------------------------------------
   init for one type pair i,j and corresponding j,i
------------------------------------------------------------------------- */

double PairDPDGPU::init_one(int i, int j)
{
  if (setflag[i][j] == 0)
    error->all(
        FLERR,
        "Pair dpd/gpu: pair_coeff of types {} {} is missing: all pairs of types must be set, "
        "there is no mixing",
        i, j);

  a0[j][i] = a0[i][j];
  gamma[j][i] = gamma[i][j];
  cut[j][i] = cut[i][j];
  power[j][i] = power[i][j];
  active[i][j] = active[j][i] = 1;
  coeffs_changed = 1;

  return cut[i][j];
}

/* ---------------------------------------------------------------------- */

void PairDPDGPU::set_coefficients()
{
  if (!coeffs_changed) return;
  engine->set_coefficients(active, a0, gamma, cut, power);
  engine->set_bath(force->boltz * temperature, seed);
  coeffs_changed = 0;
}

/* ---------------------------------------------------------------------- */

int PairDPDGPU::pack_forward_comm(int n, int *sendlist, double *buf, int pbc_flag, int *pbc)
{
  return engine->pack(n, sendlist, buf, pbc_flag, pbc);
}

/* ---------------------------------------------------------------------- */

void PairDPDGPU::unpack_forward_comm(int n, int first, double *buf)
{
  engine->unpack(n, first, buf);
}

/* ----------------------------------------------------------------------
   conservative part only, as pair dpd
------------------------------------------------------------------------- */

double PairDPDGPU::single(int /*i*/, int /*j*/, int itype, int jtype, double rsq,
                          double /*factor_coul*/, double factor_dpd, double &fforce)
{
  set_coefficients();
  return engine->single(itype, jtype, rsq, factor_dpd, fforce);
}

/* ---------------------------------------------------------------------- */

void *PairDPDGPU::extract(const char *str, int &dim)
{
  dim = 0;
  if (strcmp(str, "temperature") == 0) return (void *) &temperature;
  dim = 2;
  if (strcmp(str, "a") == 0) return (void *) a0;
  if (strcmp(str, "gamma") == 0) return (void *) gamma;
  if (strcmp(str, "power") == 0) return (void *) power;
  return nullptr;
}

/* ---------------------------------------------------------------------- */

void PairDPDGPU::add_tally_callback(Compute *compute)
{
  error->all(
      FLERR,
      "Pair dpd/gpu: compute {} of style {} wants to be called for each pair, which this style "
      "cannot do; with pair hybrid, pair_modify pair dpd/gpu compute/tally no leaves it out",
      compute->id, compute->style);
}

/* ---------------------------------------------------------------------- */

double PairDPDGPU::memory_usage()
{
  double bytes = Pair::memory_usage();
  if (engine->is_open()) bytes += static_cast<double>(engine->info().bytes_host);
  return bytes;
}
