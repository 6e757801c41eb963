/* Long-range forces in run_style verlet/gpu.   SPDX-License-Identifier: GPL-2.0-or-later

   The engine adds those of kspace_style pppm/gpu to its own forces, on one process. On several processes, and for other kspace
   styles, LAMMPS takes part in each step. */

#include "verlet_gpu.h"

#include "engine_handle.h"
#include "pair_gpu.h"
#include "pppm_gpu.h"

#include "atom.h"
#include "comm.h"
#include "force.h"
#include "timer.h"
#include "update.h"

#include <algorithm>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

void VerletGPU::find_mesh()
{
  mesh = engine->reads_charges() ? dynamic_cast<PPPMExactGPU *>(force->kspace) : nullptr;
}

/* ----------------------------------------------------------------------
   Tells the engine of the mesh in the present box, or that it has none
------------------------------------------------------------------------- */

ds_status VerletGPU::set_mesh(ds_error *err)
{
  const bool has_one = plan.mesh_resident && mesh->is_charged();
  const ds_mesh_model model = has_one ? mesh->model() : ds_mesh_model{};
  return ds_resident_set_mesh(atoms->engine(), has_one ? &model : nullptr, err);
}

void VerletGPU::give_mesh()
{
  EngineSession &session = engine->get_session();
  if (session.working()) session.note(set_mesh(session.error_text()));
}

/* ----------------------------------------------------------------------
   Gives the engine the charges that LAMMPS has now, unless it has them (`given`). Sums of them are found anew where lists are
   rebuilt, as under run_style verlet. If they have changed, the next rebuild is left to LAMMPS. On several processes LAMMPS
   takes part in each step, and the pair style looks at charges itself
------------------------------------------------------------------------- */

void VerletGPU::follow_charges(bool given, bool rebuilt)
{
  if (!engine->reads_charges() || comm->nprocs > 1) return;
  const double *const q = atom->q, *const end = q + atom->nlocal;
  const bool may_differ = charges_seen != atoms->count_of_identities();
  charges_seen = atoms->count_of_identities();
  if (may_differ && !std::equal(charges.begin(), charges.end(), q, end)) {
    charges.assign(q, end);
    if (!given) engine->give_charges();
    const bool of_pairs = pair->charges_have_changed(), of_mesh = mesh && mesh->charges_have_changed();
    charges_are_old = charges_are_old || of_pairs || of_mesh;
  }
  if (!rebuilt || !charges_are_old) return;
  pair->look_at_charges();
  if (mesh) mesh->look_at_charges();
  charges_are_old = false;
}

/* ----------------------------------------------------------------------
   Adds long-range forces, behind those of pairs and bonds. If a style reads energies or
   virials of atoms, they are made on LAMMPS's arrays in this step
------------------------------------------------------------------------- */

void VerletGPU::resident_mesh()
{
  EngineSession &session = engine->get_session();
  timer->stamp();
  if (wants_atom_energies()) {
    if (plan.bonds_resident) return;    // lammps_bonds_once() has done it, in LAMMPS's order
    atoms->need_on_host(DS_ALL_FIELDS);
    agree();
    lammps_mesh();
    atoms->changed_on_host(DS_FORCE);
  } else if (mesh->is_charged()) {
    ds_mesh_sums sums = {};
    const bool wants_sums = eflag || vflag || plan.program.reads_virial();
    give_mesh();
    atoms->need_on_engine(DS_ALL_FIELDS);
    if (session.working())
      session.note(
          ds_resident_mesh_forces(atoms->engine(), update->ntimestep, wants_sums ? &sums : nullptr, session.error_text()));
    atoms->changed_on_engine(DS_FORCE);
    agree();
    if (wants_sums) take_mesh(sums);
    if (wants_sums) mesh->take_virial(sums);
  }
  timer->stamp(Timer::KSPACE);
}

/* On LAMMPS's arrays, which are up to date. */

void VerletGPU::lammps_mesh()
{
  timer->stamp();
  mesh->compute(eflag, vflag);
  timer->stamp(Timer::KSPACE);
}

void VerletGPU::take_mesh(const ds_mesh_sums &sums)
{
  mesh->take_sums(eflag, vflag, sums);
}

void VerletGPU::tell_mesh()
{
  ds_mesh_sums sums;
  if (!plan.mesh_resident || !plan.program.reads_virial()) return;
  ds_resident_mesh_sums(atoms->engine(), &sums);
  mesh->take_virial(sums);
}
