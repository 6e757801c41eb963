/* Stress and energy of each atom: LAMMPS's computes stress/atom and pe/atom, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "compute_stress_atom_gpu.h"

#include "bonded_lists.h"
#include "bonded_types.h"
#include "compute_temp_gpu.h"
#include "pair_gpu.h"
#include "step_arrays.h"

#include "atom.h"
#include "comm.h"
#include "error.h"
#include "fix.h"
#include "force.h"
#include "memory.h"
#include "modify.h"
#include "update.h"

#include "dpdsop/device/bonded.h"
#include "dpdsop/device/step/atom_value.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   LAMMPS's own compute reads the same arguments and checks them
------------------------------------------------------------------------- */

static Compute *create_by_lammps(LAMMPS *lmp, int narg, char **arg, const char *style)
{
  std::vector<char *> words(arg, arg + narg);
  std::string name = style;
  words[2] = name.data();
  return (*lmp->modify->compute_map)[name](lmp, narg, words.data());
}

ComputeStressAtomGPU::ComputeStressAtomGPU(LAMMPS *lmp, int narg, char **arg) :
    Compute(lmp, narg, arg), rows(0), is_virial(strncmp(arg[2], "stress", 6) == 0), is_told(false), wants(),
    wants_kspace(false), wants_fixes(false), wants_motion(false), unit(1.0), step_of_bonds(-1)
{
  by_lammps.reset(create_by_lammps(lmp, narg, arg, is_virial ? "stress/atom" : "pe/atom"));
  read_words(narg, arg);
  peratom_flag = timeflag = 1;
  size_peratom_cols = is_virial ? COMPONENTS : 0;
  pressatomflag = is_virial ? 1 : 0;
  peatomflag = is_virial ? 0 : 1;
  comm_reverse = DS_TERM_SUMS * static_cast<int>(sizeof(ds_exact_sum) / sizeof(double));
}

ComputeStressAtomGPU::~ComputeStressAtomGPU()
{
  if (is_virial)
    memory->destroy(array_atom);
  else
    memory->destroy(vector_atom);
}

void ComputeStressAtomGPU::read_words(int narg, char **arg)
{
  int k = 3;
  if (is_virial && strcmp(arg[k], "NULL") != 0) id_temp = arg[k];
  if (is_virial) k++;
  const auto all_of_virial = [this]() {
    std::fill_n(wants, static_cast<int>(DS_TALLIES), true);
    wants_kspace = wants_fixes = true;
  };
  if (k == narg) {
    all_of_virial();
    wants_motion = is_virial;
  }
  for (; k < narg; k++) {
    const std::string word = arg[k];
    if (word == "ke") wants_motion = true;
    if (word == "pair") wants[DS_TALLY_PAIRS] = true;
    if (word == "bond") wants[DS_TALLY_BONDS] = true;
    if (word == "angle") wants[DS_TALLY_ANGLES] = true;
    if (word == "dihedral") wants[DS_TALLY_DIHEDRALS] = true;
    if (word == "improper") wants[DS_TALLY_IMPROPERS] = true;
    if (word == "kspace") wants_kspace = true;
    if (word == "fix") wants_fixes = true;
    if (word == "virial") all_of_virial();
  }
}

/* ----------------------------------------------------------------------
   Why the engine cannot make the values
------------------------------------------------------------------------- */

std::string ComputeStressAtomGPU::why_not_fixes() const
{
  if (!wants_fixes) return "";
  for (const Fix *fix : modify->get_fix_list()) {
    const bool has_part =
        is_virial ? fix->virial_peratom_flag && fix->thermo_virial : fix->energy_peratom_flag && fix->thermo_energy;
    if (has_part) return fmt::format("fix {} of style {} has a part in it", fix->id, fix->style);
  }
  return "";
}

std::string ComputeStressAtomGPU::why_not_temperature() const
{
  const Compute *const temperature = modify->get_compute_by_id(id_temp);
  if (!wants_motion || !temperature || !temperature->tempbias || dynamic_cast<const ComputeTempGPU *>(temperature)) return "";
  return fmt::format("compute {} is of LAMMPS's style {}", id_temp, temperature->style);
}

std::string ComputeStressAtomGPU::why_not() const
{
  if (lmp->kokkos) return "the atoms are KOKKOS's";
  if (force->pair && !dynamic_cast<const PairGPU *>(force->pair))
    return fmt::format("pair style {} is none of this package's", force->pair_style);
  std::string why;
  for (int kind = 0; kind < DS_BONDED_KINDS && why.empty(); kind++)
    if (wants[DS_TALLY_BONDS + kind]) why = BondedTypes::why_not(lmp, kind);
  if (!why.empty()) return why;
  if (wants_kspace && force->kspace) return "long-range forces have a part in it";
  why = why_not_fixes();
  return why.empty() ? why_not_temperature() : why;
}

void ComputeStressAtomGPU::init()
{
  by_lammps->init();
  unit = StepArrays::units_of(lmp).energy;
  step_of_bonds = -1;
  const std::string why = why_not();
  if (!why.empty() && !is_told && comm->me == 0)
    utils::logmesg(lmp, "Compute {}: values of compute {} are made by LAMMPS's own {}, as {}\n", style, id, by_lammps->style,
                   why);
  is_told = !why.empty();
}

/* ----------------------------------------------------------------------
   How a value is made
------------------------------------------------------------------------- */

bool ComputeStressAtomGPU::has(int part) const
{
  if (!wants[part]) return false;
  if (part == DS_TALLY_PAIRS) return force->pair && force->pair->compute_flag;
  return BondedTypes::exist(lmp, part - DS_TALLY_BONDS);
}

ds_atom_value ComputeStressAtomGPU::value() const
{
  ds_atom_value v = {};
  v.group = groupbit;
  v.is_virial = is_virial ? 1 : 0;
  for (int part = 0; part < DS_TALLIES; part++) v.parts |= has(part) ? 1 << part : 0;
  v.kinetic = wants_motion ? 1 : 0;
  v.bias[0] = DS_BIAS_NONE;
  if (const auto *const ours = dynamic_cast<const ComputeTempGPU *>(modify->get_compute_by_id(id_temp))) ours->put_bias(v.bias);
  v.mvv = force->mvv2e;
  v.factor = is_virial ? -force->nktv2p : 1.0;
  return v;
}

/* ----------------------------------------------------------------------
   Tallies bonds of LAMMPS's lists. Sums are integers, so the order of terms and of what
   returns from other ranks does not matter
------------------------------------------------------------------------- */

bool ComputeStressAtomGPU::has_bonds() const
{
  bool any = false;
  for (int part = DS_TALLY_BONDS; part < DS_TALLIES; part++) any = any || has(part);
  return any;
}

void ComputeStressAtomGPU::add_term(const int *member, int members, const double *values)
{
  for (int m = 0; m < members; m++) {
    if (member[m] >= atom->nlocal && !force->newton_bond) continue;
    ds_exact_sum *const to = sums.data() + static_cast<size_t>(member[m]) * DS_TERM_SUMS;
    for (int k = 0; k < DS_TERM_SUMS; k++) ds_exact_add_number(to + k, ds_member_share(members, values[k]), unit);
  }
}

void ComputeStressAtomGPU::tally_kind(int part)
{
  sums.assign(static_cast<size_t>(atom->nlocal + atom->nghost) * DS_TERM_SUMS, {});
  BondedLists::for_terms(lmp, part - DS_TALLY_BONDS, [this](const int *member, int members, const double *values) {
    add_term(member, members, values);
  });
  if (force->newton_bond) comm->reverse_comm(this);
  std::vector<double> &to = tallied[part];
  to.resize(static_cast<size_t>(atom->nlocal) * components());
  for (size_t k = 0; k < to.size(); k++) {
    const size_t component = is_virial ? 1 + k % COMPONENTS : 0;
    to[k] = ds_exact_value(&sums[k / components() * DS_TERM_SUMS + component], unit);
  }
}

void ComputeStressAtomGPU::tally_bonds()
{
  step_of_bonds = update->ntimestep;
  for (int part = DS_TALLY_BONDS; part < DS_TALLIES; part++)
    if (has(part)) tally_kind(part);
}

void ComputeStressAtomGPU::tally_bonds_of_step(LAMMPS *lmp)
{
  const Update *const update = lmp->update;
  for (Compute *compute : lmp->modify->get_compute_list()) {
    auto *const ours = dynamic_cast<ComputeStressAtomGPU *>(compute);
    const bool is_read = ours && (ours->is_virial ? update->vflag_atom : update->eflag_atom) == update->ntimestep;
    if (is_read && ours->has_bonds() && ours->why_not().empty()) ours->tally_bonds();
  }
}

int ComputeStressAtomGPU::pack_reverse_comm(int n, int first, double *buf)
{
  const ds_exact_sum *const from = sums.data() + static_cast<size_t>(first) * DS_TERM_SUMS;
  const int bytes = n * comm_reverse * static_cast<int>(sizeof(double));
  memcpy(buf, from, bytes);
  return n * comm_reverse;
}

void ComputeStressAtomGPU::unpack_reverse_comm(int n, int *list, double *buf)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < DS_TERM_SUMS; k++) {
      ds_exact_sum theirs;
      memcpy(&theirs, buf + static_cast<size_t>(i) * comm_reverse + k * (comm_reverse / DS_TERM_SUMS), sizeof theirs);
      ds_exact_add(&sums[static_cast<size_t>(list[i]) * DS_TERM_SUMS + k], &theirs);
    }
}

/* ----------------------------------------------------------------------
   Sums of ghosts, which the engine writes
------------------------------------------------------------------------- */

ds_exact_sum *ComputeStressAtomGPU::sums_of_ghosts()
{
  sums.assign(static_cast<size_t>(atom->nlocal + atom->nghost) * DS_TERM_SUMS, {});
  return sums.data() + static_cast<size_t>(atom->nlocal) * DS_TERM_SUMS;
}

const ds_exact_sum *ComputeStressAtomGPU::return_sums()
{
  comm->reverse_comm(this);
  return sums.data();
}

/* ----------------------------------------------------------------------
   Values on LAMMPS's arrays
------------------------------------------------------------------------- */

void ComputeStressAtomGPU::add_tallied_bonds(ds_tallies &t) const
{
  for (int part = DS_TALLY_BONDS; part < DS_TALLIES; part++)
    if (has(part)) (is_virial ? t.virial : t.energy)[part] = tallied[part].data();
}

void ComputeStressAtomGPU::add_tallies(ds_tallies &t)
{
  if ((is_virial ? update->vflag_atom : update->eflag_atom) != update->ntimestep)
    error->all(FLERR,
               "Compute {}: {} of atoms were not tallied in step {}, allowed: a step of which LAMMPS knows ahead that "
               "compute {} is read",
               style, is_virial ? "virials" : "energies", update->ntimestep, id);
  if (has_bonds() && step_of_bonds != update->ntimestep) tally_bonds();
  const Pair *const pair = force->pair;
  if (has(DS_TALLY_PAIRS) && is_virial && pair->vatom) t.virial[DS_TALLY_PAIRS] = *pair->vatom;
  if (has(DS_TALLY_PAIRS) && !is_virial) t.energy[DS_TALLY_PAIRS] = pair->eatom;
  add_tallied_bonds(t);
}

void ComputeStressAtomGPU::fill()
{
  const ds_atom_value v = value();
  ds_tallies t = {};
  ds_step_context c = {};
  add_tallies(t);
  StepArrays::flow_of(lmp, c.flow);
  for (int i = 0; i < atom->nlocal; i++) {
    ds_particle p = {};
    p.mask = atom->mask[i];
    p.mass = atom->rmass ? atom->rmass[i] : atom->mass[atom->type[i]];
    std::copy_n(atom->x[i], 3, p.x);
    std::copy_n(atom->v[i], 3, p.v);
    for (int k = 0; k < components(); k++)
      (is_virial ? array_atom[i][k] : vector_atom[i]) = ds_atom_value_of(&c, &v, &t, i, k, &p);
  }
}

void ComputeStressAtomGPU::compute_peratom()
{
  invoked_peratom = update->ntimestep;
  if (rows < atom->nmax) {
    rows = atom->nmax;
    if (is_virial)
      memory->grow(array_atom, rows, COMPONENTS, "stress/atom/gpu:array_atom");
    else
      memory->grow(vector_atom, rows, "pe/atom/gpu:vector_atom");
  }
  if (why_not().empty()) {
    fill();
    return;
  }
  by_lammps->compute_peratom();
  const size_t n = static_cast<size_t>(atom->nlocal);
  if (n && is_virial)
    std::copy_n(*by_lammps->array_atom, COMPONENTS * n, *array_atom);
  else if (n)
    std::copy_n(by_lammps->vector_atom, n, vector_atom);
}

double ComputeStressAtomGPU::memory_usage()
{
  size_t numbers = static_cast<size_t>(rows) * components();
  for (const std::vector<double> &of_kind : tallied) numbers += of_kind.capacity();
  return static_cast<double>(numbers * sizeof(double) + sums.capacity() * sizeof sums[0]) + by_lammps->memory_usage();
}
