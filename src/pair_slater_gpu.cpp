/* What pair styles with smeared charges have in common.   SPDX-License-Identifier: GPL-2.0-or-later

   The engine makes the part of Coulomb forces in real space. The part in the space of wave vectors is that of LAMMPS's
   kspace style, which chooses the screening parameter for the cutoff given here. */

#include "pair_slater_gpu.h"

#include "engine_handle.h"
#include "pair_together.h"

#include "atom.h"
#include "comm.h"
#include "error.h"
#include "force.h"
#include "kspace.h"
#include "neighbor.h"

#include "dpdsop/dpd.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

PairSlaterGPU::PairSlaterGPU(LAMMPS *lmp, const PairGPUStyle &style_in) :
    PairGPU(lmp, style_in), lamda(0.0), cut_coul(0.0), given(), largest(-1.0),
    cut_at_init(0.0)
{
  ewaldflag = pppmflag = 1;
}

/* ---------------------------------------------------------------------- */

void PairSlaterGPU::read_charges(const char *lamda_text, const char *cutoff_text)
{
  lamda = number("pair_style", "lamda", lamda_text, PairGPUStyle::POSITIVE);
  cut_coul = number("pair_style", name_of_cutoff(), cutoff_text, PairGPUStyle::POSITIVE);
}

/* ---------------------------------------------------------------------- */

void PairSlaterGPU::init_style()
{
  if (!atom->q_flag)
    error->all(FLERR,
               "Pair {}: atoms of atom_style {} have no charges, allowed are styles with charges, such as charge and full",
               style.name, atom->get_style());
  if (!force->kspace)
    error->all(FLERR, "Pair {}: there is no kspace_style for the long-range part, allowed are pppm, ewald and the like",
               style.name);
  largest = -1.0;
  cut_at_init = cut_coul;
  PairGPU::init_style();
  if (&coulomb() != &engine->model) coulomb().begin();
}

/* ----------------------------------------------------------------------
   LAMMPS's kspace style has been initialized before pair styles, and may choose another
   screening parameter later
------------------------------------------------------------------------- */

PairSlaterGPU::Screening PairSlaterGPU::now() const
{
  return {force->qqrd2e, lamda, force->kspace ? force->kspace->g_ewald : given.ewald, std::max(largest, 0.0)};
}

bool PairSlaterGPU::Screening::operator!=(const Screening &other) const
{
  return strength != other.strength || lamda != other.lamda || ewald != other.ewald || largest != other.largest;
}

/* ----------------------------------------------------------------------
   Forces are rounded to a fraction of the largest to be expected. All ranks need the same
   one, so they look for the largest charge together: in the first evaluation, and when
   lists are rebuilt
------------------------------------------------------------------------- */

double PairSlaterGPU::largest_here() const
{
  double mine = 0.0;
  for (int i = 0; i < atom->nlocal; i++) mine = std::max(mine, std::fabs(atom->q[i]));
  return mine;
}

double PairSlaterGPU::largest_now() const
{
  double mine = largest_here();    // not const: LAMMPS's MPI for one process takes void *
  double all;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, world);
  return all;
}

void PairSlaterGPU::look_at_charges()
{
  largest = largest_now();
}

bool PairSlaterGPU::charges_have_changed()
{
  const double now = largest_now();
  check_growth(now);
  return now != largest;
}

EngineHandle *PairSlaterGPU::engine_of_step() const
{
  return together ? together->get_engine() : engine;
}

/* ----------------------------------------------------------------------
   Sums of forces and energies have room for charges that grow between two rebuilds, but
   not without end. An error of one rank stops all of them in this evaluation
------------------------------------------------------------------------- */

void PairSlaterGPU::check_growth(double now)
{
  static constexpr double MOST = 4.0;
  if (largest > 0.0 && now > MOST * largest)
    engine_of_step()->get_session().fail(
        fmt::format("the largest charge has grown from {} to {} since lists were rebuilt, allowed is a factor of {}: rebuild "
                    "them more often (neigh_modify)",
                    largest, now, MOST));
}

/* ----------------------------------------------------------------------
   run_style verlet/gpu asks for a look itself, as lists are rebuilt within its calls of the engine
------------------------------------------------------------------------- */

void PairSlaterGPU::begin(int eflag, int vflag)
{
  const bool is_asked = comm->nprocs == 1 && engine_of_step()->resides();
  if (largest <= 0.0 || (!is_asked && neighbor->ago == 0))
    look_at_charges();
  else
    check_growth(largest_here());
  if (cut_coul > cut_at_init)
    error->all(FLERR, "Pair {}: {} is {} by now, allowed is up to {}, which the run began with", style.name, name_of_cutoff(),
               cut_coul, cut_at_init);
  PairGPU::begin(eflag, vflag);
}

void PairSlaterGPU::follow_step()
{
  if (now() != given) coeffs_changed = 1;
  PairGPU::follow_step();
}

/* ---------------------------------------------------------------------- */

void PairSlaterGPU::set_coefficients()
{
  if (!coeffs_changed) return;
  PairGPU::set_coefficients();
  EngineModel &model = coulomb();
  if (!model.has_pairs()) error->all(FLERR, "Pair {}: no pair of types is charged, allowed is one at least", style.name);
  given = now();
  model.set_everywhere(DS_COUL_STRENGTH, given.strength);
  model.set_everywhere(DS_COUL_LAMDA, given.lamda);
  model.set_everywhere(DS_COUL_EWALD, given.ewald);
  model.set_everywhere(DS_COUL_LARGEST, given.largest);
}

double PairSlaterGPU::product(int i, int j) const
{
  return atom->q[i] * atom->q[j];
}

/* ----------------------------------------------------------------------
   LAMMPS's kspace styles ask for the cutoff
------------------------------------------------------------------------- */

void *PairSlaterGPU::extract(const char *str, int &dim)
{
  dim = 0;
  if (strcmp(str, "cut_coul") == 0) return (void *) &cut_coul;
  if (strcmp(str, "lamda") == 0) return (void *) &lamda;
  return PairGPU::extract(str, dim);
}

/* ----------------------------------------------------------------------
   proc 0 writes to restart file
------------------------------------------------------------------------- */

void PairSlaterGPU::write_restart_settings(FILE *fp)
{
  const double settings[2] = {lamda, cut_coul};
  PairGPU::write_restart_settings(fp);
  write_checked(fp, settings, sizeof settings);
}

void PairSlaterGPU::read_restart_settings(FILE *fp)
{
  double settings[2];
  PairGPU::read_restart_settings(fp);
  read_checked(fp, settings, sizeof settings, "settings");
  lamda = settings[0];
  cut_coul = settings[1];
}
