/* Radial distribution functions: LAMMPS's compute rdf, from the engine's own cells.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "compute_rdf_gpu.h"

#include "neigh_exclusions.h"
#include "engine_handle.h"
#include "pair_together.h"
#include "pi.h"
#include "resident_atoms.h"
#include "step_arrays.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "force.h"
#include "group.h"
#include "memory.h"
#include "neighbor.h"
#include "pair.h"
#include "update.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ComputeRDFGPU::ComputeRDFGPU(LAMMPS *lmp, int narg, char **arg) :
    ComputeLooking(lmp, narg, arg), nbin(0), cutoff_given(0.0), cutoff(0.0), width(0.0), counts_change(false), natoms_before(0),
    session(lmp, "Compute " + std::string(arg[2])), access(lmp), all(lmp), rdf(nullptr), on_gpu(false)
{
  read_arguments(narg, arg);
  find_kinds();
  array_flag = timeflag = 1;
  extarray = 0;
  size_array_rows = nbin;
  size_array_cols = 1 + 2 * static_cast<int>(columns.size());
  memory->create(array, size_array_rows, size_array_cols, "rdf/gpu:array");
}

ComputeRDFGPU::~ComputeRDFGPU()
{
  memory->destroy(array);
  close();
}

void ComputeRDFGPU::read_arguments(int narg, char **arg)
{
  const int ntypes = atom->ntypes;
  if (narg < 4) error->all(FLERR, "Compute {}: no number of bins, allowed: Nbin and pairs of types", style);
  nbin = utils::inumeric(FLERR, arg[3], false, lmp);
  if (nbin < 1) error->all(FLERR, "Compute {}: {} bins, allowed: 1 and more", style, nbin);
  int k = 4;
  for (; k < narg && strcmp(arg[k], "cutoff") != 0; k += 2) {
    if (k + 1 >= narg || strcmp(arg[k + 1], "cutoff") == 0)
      error->all(FLERR, "Compute {}: type {} has no partner, allowed: pairs of types", style, arg[k]);
    Column c = {};
    utils::bounds_typelabel(FLERR, arg[k], 1, ntypes, c.ilo, c.ihi, lmp, Atom::ATOM);
    utils::bounds_typelabel(FLERR, arg[k + 1], 1, ntypes, c.jlo, c.jhi, lmp, Atom::ATOM);
    if (c.ilo > c.ihi || c.jlo > c.jhi)
      error->all(FLERR, "Compute {}: types {} and {}, allowed: ranges within 1 to {}", style, arg[k], arg[k + 1], ntypes);
    columns.push_back(c);
  }
  if (columns.empty()) columns.push_back({1, ntypes, 1, ntypes, 0.0, 0.0, 0.0});
  for (; k < narg; k += 2) {
    if (strcmp(arg[k], "cutoff") != 0 || k + 1 >= narg)
      error->all(FLERR, "Compute {}: keyword {}, allowed: cutoff Rcut", style, arg[k]);
    cutoff_given = utils::numeric(FLERR, arg[k + 1], false, lmp);
    if (cutoff_given < 0.0) cutoff_given = 0.0;    // as LAMMPS has it
  }
}

/* ----------------------------------------------------------------------
   Each pair is counted once by the engine. A column adds it once for each of the two
   atoms that is a central one
------------------------------------------------------------------------- */

void ComputeRDFGPU::find_kinds()
{
  const int n = atom->ntypes;
  kind.assign(static_cast<size_t>(n) * n, -1);
  for (int i = 1; i <= n; i++)
    for (int j = i; j <= n; j++) {
      std::vector<int> of_columns;
      for (const Column &c : columns) of_columns.push_back((c.counts(i, j) ? 1 : 0) + (c.counts(j, i) ? 1 : 0));
      if (std::all_of(of_columns.begin(), of_columns.end(), [](int times) { return times == 0; })) continue;
      const auto same = std::find(parts.begin(), parts.end(), of_columns);
      const int number = static_cast<int>(same - parts.begin());
      if (same == parts.end()) parts.push_back(of_columns);
      kind[static_cast<size_t>(i - 1) * n + j - 1] = kind[static_cast<size_t>(j - 1) * n + i - 1] = number;
    }
}

/* ---------------------------------------------------------------------- */

void ComputeRDFGPU::init()
{
  if (!force->pair && cutoff_given == 0.0)
    error->all(FLERR, "Compute {}: there is no pair style, allowed: one, or the keyword cutoff", style);
  cutoff = cutoff_given > 0.0 ? cutoff_given : force->pair->cutforce;
  if (!(cutoff > 0.0)) error->all(FLERR, "Compute {}: cutoff {} of forces, allowed: > 0, or the keyword cutoff", style, cutoff);
  width = cutoff / nbin;
  check_box();
  for (int k = 0; k < nbin; k++) array[k][0] = (k + 0.5) * width;
  natoms_before = atom->natoms;
  counts_change = group->dynamic[igroup] || dynamic_user;
  count_atoms();
  rules = neigh_exclusions(neighbor, group);
  forget_sums();
}

/* ----------------------------------------------------------------------
   The cutoff must fit between the faces of the box, which may change in a run
------------------------------------------------------------------------- */

void ComputeRDFGPU::check_box()
{
  const double *const i = domain->h_inv;
  const double density[3] = {std::sqrt(i[0] * i[0] + i[5] * i[5] + i[4] * i[4]), std::sqrt(i[1] * i[1] + i[3] * i[3]), i[2]};
  for (int d = 0; d < domain->dimension; d++)
    if (domain->periodicity[d] && cutoff * density[d] > 1.0)
      error->all(FLERR, "Compute {}: cutoff {} is beyond the box, allowed: up to {}, its width along {}", style, cutoff,
                 1.0 / density[d], "xyz"[d]);
}

void ComputeRDFGPU::count_atoms()
{
  std::vector<bigint> mine(atom->ntypes + 1, 0), of_type(atom->ntypes + 1, 0);
  for (int i = 0; i < atom->nlocal; i++)
    if (atom->mask[i] & groupbit) mine[atom->type[i]]++;
  MPI_Allreduce(mine.data(), of_type.data(), atom->ntypes + 1, MPI_LMP_BIGINT, MPI_SUM, world);
  for (Column &c : columns) {
    c.centers = c.others = c.both = 0.0;
    for (int t = 1; t <= atom->ntypes; t++) {
      const bool is_center = c.ilo <= t && t <= c.ihi, is_other = c.jlo <= t && t <= c.jhi;
      if (is_center) c.centers += of_type[t];
      if (is_other) c.others += of_type[t];
      if (is_center && is_other) c.both += of_type[t];
    }
  }
}

/* ----------------------------------------------------------------------
   The engine counts on the GPU if a pair style of this package uses one
------------------------------------------------------------------------- */

void ComputeRDFGPU::open()
{
  const std::vector<EngineHandle *> engines = PairTogether::engines_of(lmp);
  const bool gpu = !engines.empty() && engines[0]->is_open() && engines[0]->computes_on_gpu();
  if (rdf && gpu == on_gpu) return;
  close();
  on_gpu = gpu;
  const int rank = session.node_rank();
  session.note(ds_rdf_open(&rdf, gpu ? DS_BACKEND_CUDA : DS_BACKEND_HOST, rank, comm->nthreads, session.error_text()));
}

void ComputeRDFGPU::close()
{
  ds_rdf_close(rdf);
  rdf = nullptr;
}

/* ----------------------------------------------------------------------
   Whether LAMMPS's lists leave out pairs of atoms that are k bonds apart. They do so with
   keyword cutoff as well
------------------------------------------------------------------------- */

static bool special_is_out(const Force *force, int k)
{
  return force->special_lj[k] == 0.0 && force->special_coul[k] == 0.0;
}

bool ComputeRDFGPU::leaves_out_special() const
{
  return atom->molecular != Atom::ATOMIC && (special_is_out(force, 1) || special_is_out(force, 2) || special_is_out(force, 3));
}

/* ----------------------------------------------------------------------
   Atoms of all processes are gathered, because pairs may be further apart than ghosts
   reach
------------------------------------------------------------------------- */

ds_rdf_atoms ComputeRDFGPU::atoms_of_lammps()
{
  ds_rdf_atoms a = {};
  all.find();
  a.n = all.n();
  a.first = all.first();
  a.nown = atom->nlocal;
  a.x = all.gather(AtomsOfAll::POSITIONS, access.x());
  a.type = all.gather(AtomsOfAll::TYPES, access.type());
  a.mask = all.gather(AtomsOfAll::MASKS, access.mask());
  if (leaves_out_special()) {
    access.find_special();
    a.tag = all.gather(AtomsOfAll::TAGS, access.tag());
    a.nspecial = access.nspecial();
    a.special = access.special();
  }
  if (!rules.empty() && neighbor->nex_mol && atom->molecule) a.molecule = all.gather(AtomsOfAll::MOLECULES, access.molecule());
  return a;
}

/* ----------------------------------------------------------------------
   What steps do not change is taken from LAMMPS's arrays, in the order of the engine
------------------------------------------------------------------------- */

ds_rdf_atoms ComputeRDFGPU::atoms_of_engine(ResidentAtoms &atoms)
{
  ds_rdf_atoms a = {};
  a.n = a.nown = atom->nlocal;
  atoms.need_on_engine(DS_ALL_FIELDS | DS_TAG);
  atoms.wait();
  a.x = ds_resident_array(atoms.engine(), DS_POSITION);
  const ds_identity identity = atoms.identity();
  a.tag = identity.tag;
  a.type = identity.type;
  a.mask = identity.mask;
  if (!rules.empty() && neighbor->nex_mol) a.molecule = identity.molecule;
  if (leaves_out_special()) {
    access.find_special();
    a.nspecial = access.nspecial();
    a.special = access.special();
  }
  if (!atoms.is_reordered() || !a.nspecial.data) return a;
  const std::vector<int> order = atoms.get_order();
  a.nspecial = ResidentAtoms::in_order(a.nspecial, order, ordered[0]);
  a.special = ResidentAtoms::in_order(a.special, order, ordered[1]);
  return a;
}

/* ----------------------------------------------------------------------
   Called on all processes together
------------------------------------------------------------------------- */

void ComputeRDFGPU::count(const ds_rdf_atoms &atoms)
{
  ds_rdf_settings s = {nbin, 1.0 / width, cutoff, groupbit, atom->ntypes, static_cast<int>(parts.size()), kind.data(), {}};
  for (int k = 1; k < 4; k++) s.special_is_out[k] = special_is_out(force, k) ? 1 : 0;
  ds_wrap box = StepArrays::box_of(lmp);
  if (domain->dimension == 2) box.periodic[2] = 0;    // atoms have no images along z
  ds_rdf_atoms given = atoms;
  given.nexclusions = static_cast<int>(rules.size());
  given.exclusion = rules.data();
  std::vector<int64_t> mine(static_cast<size_t>(nbin) * parts.size());
  pairs.resize(mine.size());
  check_box();
  open();
  if (session.working()) session.note(ds_rdf_count(rdf, &s, &given, &box, mine.data(), session.error_text()));
  if (!session.agree()) session.raise();
  MPI_Allreduce(mine.data(), pairs.data(), static_cast<int>(mine.size()), MPI_LONG_LONG, MPI_SUM, world);
}

/* ----------------------------------------------------------------------
   Several processes gather LAMMPS's arrays, so LAMMPS has to have the atoms there
------------------------------------------------------------------------- */

std::string ComputeRDFGPU::why_not_declared()
{
  return comm->nprocs > 1 ? "there are several processes" : "";
}

void ComputeRDFGPU::look_at_atoms(ResidentAtoms &atoms)
{
  count(atoms_of_engine(atoms));
  has_looked();
}

/* ---------------------------------------------------------------------- */

void ComputeRDFGPU::compute_array()
{
  invoked_array = update->ntimestep;
  if (is_to_look_now()) {
    require_latest_positions("pairs were not counted");
    count(atoms_of_lammps());
  }
  if (natoms_before != atom->natoms) counts_change = true;
  natoms_before = atom->natoms;
  if (counts_change) count_atoms();
  normalize();
}

/* ----------------------------------------------------------------------
   in LAMMPS's order of operations
------------------------------------------------------------------------- */

void ComputeRDFGPU::normalize()
{
  const bool is_flat = domain->dimension == 2;
  const double constant =
      is_flat ? PI / (domain->xprd * domain->yprd) : 4.0 * PI / (3.0 * domain->xprd * domain->yprd * domain->zprd);
  for (size_t m = 0; m < columns.size(); m++) {
    const Column &c = columns[m];
    const double others = c.centers > 0.0 ? c.others - c.both / c.centers : 0.0;    // without the atom itself
    double within = 0.0;
    for (int k = 0; k < nbin; k++) {
      const double lower = k * width, upper = (k + 1) * width;
      const double fraction =
          constant * (is_flat ? upper * upper - lower * lower : upper * upper * upper - lower * lower * lower);
      bigint number = 0;
      for (size_t p = 0; p < parts.size(); p++) number += parts[p][m] * pairs[p * nbin + k];
      const double g = fraction * others != 0.0 ? static_cast<double>(number) / (fraction * others * c.centers) : 0.0;
      if (c.centers > 0.0) within += g * fraction * others;
      array[k][1 + 2 * m] = g;
      array[k][2 + 2 * m] = within;
    }
  }
}

double ComputeRDFGPU::memory_usage()
{
  return static_cast<double>(pairs.capacity() * sizeof pairs[0]) + all.memory_usage();
}
