/* fix langevin/sop/gpu: Brownian dynamics of self-organized-polymer proteins.   SPDX-License-Identifier: GPL-2.0-or-later

   The fix gives positions, and the sum of LAMMPS's forces, to the engine. The engine moves the beads by all Brownian steps of a
   timestep and returns positions. */

#include "fix_langevin_sop_gpu.h"

#include "engine_session.h"
#include "sop_beads.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "force.h"
#include "group.h"
#include "memory.h"
#include "modify.h"
#include "update.h"

#include "dpdsop/version.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <cstdlib>
#include <cstring>

using namespace LAMMPS_NS;

static constexpr char CITE[] = "Zhmurov, Dima, Kholodov and Barsegov, Proteins 78, 2984 (2010)";
static constexpr char CITE_TEA[] = "Geyer and Winter, J. Chem. Phys. 130, 114905 (2009)";

// The longest Brownian step that the fix allows. STABLE is in units of zeta / curvature of the stiffest mode, STABLE_TIP in
// units of friction / spring constant of the tip: see the manual

static constexpr double STABLE = 0.75, STABLE_TIP = 0.6;

/* ----------------------------------------------------------------------
   Four digits of a limit, cut and not rounded up, so that what is printed is allowed
------------------------------------------------------------------------- */

static std::string limit(double most)
{
  const std::string text = fmt::format("{:.4g}", most);
  if (!(strtod(text.c_str(), nullptr) > most)) return text;
  return fmt::format("{:.4g}", most - 0.5 * pow(10.0, floor(log10(most)) - 3.0));
}

/* ---------------------------------------------------------------------- */

FixLangevinSOPGPU::FixLangevinSOPGPU(LAMMPS *lmp, int narg, char **arg) :
    Fix(lmp, narg, arg), user("Fix langevin/sop/gpu"), substeps(1), check_stability(1), offset(0), options(),
    rng("tea"), topology(), pull(), indent(), sop(nullptr),
    done(-1), values_step{-1, -1, -1, -1, -1}, moved(0), in_step(0), values()
{
  options.order = 1;
  options.skin = -1.0;
  read_arguments(narg, arg);

  time_integrate = 1;
  energy_global_flag = 1;
  scalar_flag = vector_flag = 1;
  size_vector = NVALUES;
  global_freq = 1;
  extscalar = 1;
  extvector = -1;
  extlist = new int[NVALUES];
  for (int k = 0; k < NVALUES; k++) extlist[k] = k <= ANGLES;
  restart_global = 1;
  nevery = files.empty() ? 1 : files[0].every;
  for (const auto &file : files) nevery = std::gcd(nevery, file.every);

  if (!atom->tag_enable) error->all(FLERR, "{}: atoms need IDs", user);

  session = std::make_unique<EngineSession>(lmp, user);
  beads = std::make_unique<SOPBeads>(lmp, user);
}

/* ---------------------------------------------------------------------- */

FixLangevinSOPGPU::~FixLangevinSOPGPU()
{
  ds_sop_close(sop);
  ds_sop_topology_free(&topology);
  for (auto &file : files)
    if (file.out && fclose(file.out))    // it is open only after a run that ended with an error
      error->warning(FLERR, "{}: {} may lack its last lines", user, file.name);
  delete[] extlist;
}

/* ---------------------------------------------------------------------- */

int FixLangevinSOPGPU::setmask()
{
  return FixConst::INITIAL_INTEGRATE | FixConst::PRE_NEIGHBOR |
         (files.empty() ? 0 : FixConst::END_OF_STEP);
}

/* ----------------------------------------------------------------------
   Stops LAMMPS on all ranks if one has failed
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::agree()
{
  if (session->agree()) return;
  session->raise();
}

/* ---------------------------------------------------------------------- */

void FixLangevinSOPGPU::init()
{
  if (utils::strmatch(update->integrate_style, "^respa"))
    error->all(FLERR, "{}: run_style {} is not supported", user, update->integrate_style);
  if (domain->dimension == 2) error->all(FLERR, "{}: molecules move in three dimensions", user);
  if (update->whichflag == 2)
    error->all(FLERR,
               "{}: minimize would not know the forces of this fix; unfix it before, or let it run "
               "at temperature 0 instead",
               user);
  if (options.inter && (domain->xperiodic || domain->yperiodic || domain->zperiodic))
    error->all(FLERR,
               "{}: inter yes wants a box that is not periodic, as molecules do not see images of "
               "each other",
               user);
  check_fixes();
  open();
}

/* ----------------------------------------------------------------------
   An atom must not be moved by two fixes
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::check_fixes()
{
  for (const auto &other : modify->get_fix_list()) {
    if (other == this || !other->time_integrate) continue;
    bigint shared = 0, all;
    for (int i = 0; i < atom->nlocal; i++)
      shared += (atom->mask[i] & groupbit) && (atom->mask[i] & other->groupbit);
    MPI_Allreduce(&shared, &all, 1, MPI_LMP_BIGINT, MPI_SUM, world);
    if (all)
      error->all(FLERR, "{}: {} atoms are also moved by fix {} {}", user, all, other->id,
                 other->style);
  }
}

/* ----------------------------------------------------------------------
   Opened again if options have changed: package omp may change the number of threads
   between runs
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::open()
{
  if (sop) {
    session->note(ds_sop_set_threads(sop, comm->nthreads, session->error_text()));
    agree();
    return;
  }
  options.local_rank = session->node_rank();
  options.threads = comm->nthreads;
  options.isa = session->instruction_set();
  if (options.skin < 0.0) options.skin = 0.75 * topology.parameters.sigma;
  if (pulled_weights.by_mass || fixed_weights.by_mass) weigh_by_mass();
  session->note(ds_sop_open(&sop, &options, &topology, session->error_text()));
  if (session->working() && pull.mode != DS_SOP_PULL_NONE)
    session->note(ds_sop_set_pull(sop, &pull, session->error_text()));
  if (session->working() && indent.radius > 0.0)
    session->note(ds_sop_set_indent(sop, &indent, session->error_text()));
  agree();
}

/* ---------------------------------------------------------------------- */

void FixLangevinSOPGPU::setup_pre_neighbor()
{
  set_beads();
  change_speeds();
  beads->plan();
}

void FixLangevinSOPGPU::pre_neighbor()
{
  beads->plan();
}

/* ----------------------------------------------------------------------
   Ranks may share a molecule only if positions are exchanged after each Brownian step,
   and no rank has a GPU
------------------------------------------------------------------------- */

int FixLangevinSOPGPU::may_share() const
{
  int host = strcmp(ds_sop_get_info(sop).backend, "host") == 0;
  int all;
  MPI_Allreduce(&host, &all, 1, MPI_INT, MPI_MIN, world);
  if (!all || substeps > 1 || options.order > 1 || options.hydro) return SOPBeads::NEVER;
  if (options.scheme == DS_SOP_PARTICLE) return SOPBeads::ALWAYS;
  return options.scheme == DS_SOP_AUTO ? SOPBeads::IF_LARGE : SOPBeads::NEVER;
}

/* ----------------------------------------------------------------------
   If the beads are those of the last run, the states of their generators are kept
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::set_beads()
{
  const std::vector<int64_t> before = beads->id;
  const bool first = beads->all_molecules() == 0;
  beads->find(igroup, topology.beads, topology.copies, offset, options.inter, may_share());
  int changed = done < 0 || beads->id != before;
  int any;
  MPI_Allreduce(&changed, &any, 1, MPI_INT, MPI_MAX, world);
  if (!any) return;

  if (beads->all_molecules() == 0 && beads->all_free() == 0)
    error->all(FLERR, "{}: group {} has no atoms", user, group->names[igroup]);
  if (beads->all_molecules() == 0)
    error->all(FLERR,
               "{}: none of the {} atoms of the topology is in group {}. The topology begins at atom {}, which keyword offset "
               "changes",
               user, beads_of_copies(), group->names[igroup], offset + 1);
  const int me = comm->me;
  session->note(ds_sop_set_share(sop, beads->shared() ? beads->first_share(me) : 0,
                                 beads->shared() ? beads->first_share(me + 1) : 0,
                                 session->error_text()));
  if (session->working())
    session->note(ds_sop_set_beads(sop, beads->molecules(), beads->free(), beads->id.data(),
                                 session->error_text()));
  if (!session->agree()) {
    beads->id.clear();    // so the next run sets them again
    session->raise();
  }
  moved = 0;
  const bool unmoved = done < 0;
  if (unmoved) {
    check_number(0, update->ntimestep);
    done = update->ntimestep * substeps;
  }
  ds_sop_state_sizes size;
  ds_sop_state_parts(sop, &size);
  if (!first && !unmoved && comm->me == 0 &&
      (size.bead || pull.mode != DS_SOP_PULL_NONE || indent.radius > 0.0))
    error->warning(FLERR,
                   "{}: the group has other atoms than in the run before: states of generators, "
                   "pulling and pressing begin anew",
                   user);
  load_state();
}

/* ----------------------------------------------------------------------
   Speeds of fix_modify, and those of a restart file: the cantilevers go on from where
   they are
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::change_speeds()
{
  pull.speed = ds_sop_pull_speed(sop);
  indent.speed = ds_sop_indent_speed(sop);
  if (pull_speed.waits) {
    for (auto &file : files)
      if (file.settings.empty()) file.settings = settings_line();    // those of the lines before
    session->note(ds_sop_set_pull_speed(sop, pull_speed.value, session->error_text()));
  }
  if (tip_speed.waits && session->working())
    session->note(ds_sop_set_indent_speed(sop, tip_speed.value, session->error_text()));
  agree();
  pull.speed = ds_sop_pull_speed(sop);
  indent.speed = ds_sop_indent_speed(sop);
  if (comm->me == 0 && !told.empty()) {    // the first run tells all of the pull
    if (pull_speed.waits) {
      utils::logmesg(lmp, "{}: the spring moves on at the speed {}\n", user, pull.speed);
      tell_pull();
    }
    if (tip_speed.waits) utils::logmesg(lmp, "{}: the spring of the tip moves on at the speed {}\n", user, indent.speed);
  }
  pull_speed.waits = tip_speed.waits = false;
}

/* ----------------------------------------------------------------------
   Noise depends on the number of its Brownian step, which has 63 bits
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::check_number(bigint before, bigint timesteps)
{
  const bigint most = (MAXBIGINT - before) / substeps;
  if (timesteps > most)
    error->all(FLERR,
               "{}: {} timesteps of {} Brownian steps, after {} Brownian steps, are too many to be "
               "numbered, at most {} timesteps are allowed; reset_timestep before the first run of "
               "this fix makes the numbers smaller",
               user, timesteps, substeps, before, most);
}

/* ---------------------------------------------------------------------- */

void FixLangevinSOPGPU::put_positions()
{
  beads->collect();
  session->note(ds_sop_set_positions(sop, beads->x.data(), session->error_text()));
}

/* ---------------------------------------------------------------------- */

void FixLangevinSOPGPU::setup(int)
{
  std::fill_n(values_step, NPARTS, -1);
  check_number(done, update->nsteps);
  if (moved && !in_step) find_replaced();
  in_step = 0;
  put_positions();
  agree();
  check_structure();
  for (auto &file : files) open_file(file);
}

/* ----------------------------------------------------------------------
   Commands rerun and read_dump may have put atoms elsewhere. Values of the last step
   then do not belong to these atoms
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::find_replaced()
{
  const double most = 1e-3 * topology.parameters.sigma;
  std::vector<double> here(3 * beads->id.size() + 3);
  session->note(ds_sop_get_positions(sop, here.data(), session->error_text()));
  agree();
  beads->collect();

  // if ranks share molecules, the engine does not yet know the beads that other ranks have moved

  const int bound = beads->molecules() * topology.beads, me = comm->me;
  const int first = beads->shared() ? beads->first_share(me) : 0,
            last = beads->shared() ? beads->first_share(me + 1) : bound;
  int mine = 0, any;
  for (int b = 0; b < beads->beads(); b++)
    for (int c = 0; c < 3 && (b >= bound || (b >= first && b < last)); c++)
      mine |= !(fabs(here[3 * b + c] - beads->x[3 * b + c]) < most);
  MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, world);
  if (any) moved = -1;
}

/* ----------------------------------------------------------------------
   Forces at the start must be in range, and the step must be short enough for the
   stiffest mode
------------------------------------------------------------------------- */

void FixLangevinSOPGPU::check_structure()
{
  std::vector<double> force(3 * beads->id.size() + 3);
  session->note(ds_sop_get_forces(sop, force.data(), session->error_text()));
  agree();

  double curvature = 0.0;
  session->note(ds_sop_stiffness(&topology, &pull, &curvature, session->error_text()));
  agree();
  const double most = curvature > 0.0 ? STABLE * zeta / (curvature * most_mobile()) : INFINITY;
  tell(most);
  check_step(
      most, fmt::format("stiffest {}, of curvature {:.4g}; at most {} with this friction",
                        pull.mode == DS_SOP_PULL_SPRING ? "bonds and the spring of the pull" : "bonds", curvature,
                        limit(most)));
  if (indent.radius > 0.0) {
    const double tip = STABLE_TIP * indent.friction / indent.spring;
    check_step(tip, fmt::format("spring of the tip, {:.4g}; at most {} with its friction, {:.4g}",
                                indent.spring, limit(tip), indent.friction));
  }
}

/* ---------------------------------------------------------------------- */

/* ----------------------------------------------------------------------
   The largest mobility of a bead in units of 1/zeta: with hydro, small beads have less
   friction than zeta
------------------------------------------------------------------------- */

double FixLangevinSOPGPU::most_mobile() const
{
  double most = 1.0;
  for (int b = 0; options.hydro && topology.radius && b < topology.beads; b++)
    if (topology.radius[b] > 0.0) most = MAX(most, options.radius / topology.radius[b]);
  return most;
}

/* ---------------------------------------------------------------------- */

void FixLangevinSOPGPU::check_step(double most, const std::string &why)
{
  if (h() <= most) return;
  if (check_stability)
    error->all(FLERR,
               "{}: a Brownian step of {:.8g} is too long for the {}. More substeps make it "
               "shorter; \"stability ignore\" runs it nevertheless",
               user, h(), why);
  if (comm->me == 0)
    error->warning(FLERR, "{}: a Brownian step of {:.8g} is longer than the {} that are stable",
                   user, h(), limit(most));
}

/* ---------------------------------------------------------------------- */

void FixLangevinSOPGPU::tell(double most)
{
  const ds_sop_info info = ds_sop_get_info(sop);
  if (comm->me) return;
  std::string text =
      fmt::format("{}: {} molecule{} of {} beads, {} free bead{}, backend {}", user,
                  beads->all_molecules(), beads->all_molecules() == 1 ? "" : "s", topology.beads,
                  beads->all_free(), beads->all_free() == 1 ? "" : "s", info.backend);
  if (info.device[0]) text += fmt::format(" ({})", info.device);
  if (options.hydro)
    text += fmt::format(", hydro {} of radius {:.4g}", options.hydro == DS_SOP_HYDRO_TEA ? "tea" : "exact", options.radius);
  text += fmt::format(", scheme {}, {} Brownian step{} of {:.8g} per timestep",
                      info.scheme, substeps, substeps == 1 ? "" : "s", h());
  if (text == told) return;    // rerun begins anew with every snapshot
  told = text;
  if (most < INFINITY)
    text += fmt::format("; at most {} is stable\n", limit(most));
  else
    text += "; no bonds or contacts limit it\n";
  if (options.backend == DS_BACKEND_AUTO && info.no_gpu[0])
    text += fmt::format("  no GPU is used: {}\n", info.no_gpu);
  text += fmt::format("  lammps-dpd-sop {}\n", DPDSOP_VERSION);
  if (beads->all_molecules() < topology.copies)
    text += fmt::format("  {} of {} copies of the topology are in the group\n",
                        beads->all_molecules(), topology.copies);
  if (lmp->citeme) {
    text += fmt::format("  to be cited: {}\n", CITE);
    if (options.hydro == DS_SOP_HYDRO_TEA) text += fmt::format("  to be cited: {}\n", CITE_TEA);
  }
  utils::logmesg(lmp, text);
  tell_pull();
  if (beads->shared())
    utils::logmesg(lmp, "  {} ranks share the beads\n", comm->nprocs);
  else if (options.inter && comm->nprocs > 1)
    error->warning(FLERR, "{}: inter yes on {} ranks: all molecules are moved by one rank", user,
                   comm->nprocs);
  else if (beads->all_molecules() < comm->nprocs)
    error->warning(FLERR, "{}: {} molecule{} on {} ranks: a molecule is moved by one rank", user,
                   beads->all_molecules(), beads->all_molecules() == 1 ? "" : "s", comm->nprocs);
}

/* ---------------------------------------------------------------------- */

double FixLangevinSOPGPU::h() const
{
  return update->dt / substeps;
}

double FixLangevinSOPGPU::kT_now() const
{
  double part = (double) (update->ntimestep - update->beginstep);
  if (part != 0.0) part /= (double) (update->endstep - update->beginstep);
  return force->boltz * (t_start + part * (t_stop - t_start));
}

/* ---------------------------------------------------------------------- */

void FixLangevinSOPGPU::initial_integrate(int)
{
  const ds_sop_motion motion = {done, substeps, h(), zeta, kT_now()};
  in_step = 1;
  put_positions();
  if (session->working())
    session->note(
        ds_sop_set_forces(sop, beads->pushed ? beads->f.data() : nullptr, session->error_text()));
  if (session->working()) session->note(ds_sop_advance(sop, &motion, session->error_text()));
  if (session->working())
    session->note(ds_sop_get_positions(sop, beads->x.data(), session->error_text()));
  agree();
  beads->deliver();
  done += substeps;
  in_step = 0;
  moved = 1;
}

/* ---------------------------------------------------------------------- */

void FixLangevinSOPGPU::reset_target(double t)
{
  t_start = t_stop = t;
}

void *FixLangevinSOPGPU::extract(const char *name, int &dim)
{
  dim = 0;
  if (strcmp(name, "t_target") == 0) return &t_start;
  if (strcmp(name, "zeta") == 0) return &zeta;
  return nullptr;
}

double FixLangevinSOPGPU::memory_usage()
{
  return (sop ? (double) ds_sop_get_info(sop).bytes : 0.0) +
         (double) (beads->x.capacity() * 4 * sizeof(double));
}
