/* LAMMPS's atoms while they stay with the engine: which arrays are up to date where.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "resident_atoms.h"

#include "atom_access.h"
#include "engine_session.h"
#include "step_arrays.h"
#include "step_program.h"

#include "atom.h"
#include "domain.h"
#include "neighbor.h"
#include "update.h"

#include <algorithm>
#include <numeric>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ResidentAtoms::ResidentAtoms(LAMMPS *lmp, EngineSession &session_in) :
    Pointers(lmp), order(lmp), session(session_in), program(nullptr), pair(nullptr), resident(nullptr), bound(),
    on_host(DS_ALL_FIELDS), on_engine(0), changes_of_identity(0), bodies_moved(false), kept_changed(false),
    reordered(false)
{
}

ResidentAtoms::~ResidentAtoms()
{
  close();
}

/* ---------------------------------------------------------------------- */

bool ResidentAtoms::check(ds_status status)
{
  session.note(status);
  return status == DS_OK;
}

void ResidentAtoms::open(ds_pair *with)
{
  if (resident && pair == with) return;
  close();
  if (!session.working()) return;
  pair = with;
  const int own_copies = session.has_own_copies() ? 1 : 0;
  check(ds_resident_open(&resident, pair, own_copies, session.error_text()));
}

void ResidentAtoms::close()
{
  abandon_order();
  ds_resident_close(resident);
  resident = nullptr;
  bound = {};
  on_host = DS_ALL_FIELDS;
  on_engine = 0;
}

static bool same_anchors(const ds_resident_atoms &a, const ds_resident_atoms &b)
{
  return std::equal(a.anchor, a.anchor + DS_MAX_ANCHORS, b.anchor,
                    [](const ds_array &p, const ds_array &q) { return p.data == q.data; });
}

/* ----------------------------------------------------------------------
   LAMMPS may have reallocated its arrays. It does so when atoms are renumbered, and then
   all fields are up to date on the host, so the engine only needs the new pointers
------------------------------------------------------------------------- */

ds_resident *ResidentAtoms::engine()
{
  const bool reads_molecules = neighbor->nex_mol || (program && program->reads_molecules());
  const ds_resident_atoms now = StepArrays::atoms_of(
      atom, AtomAccess(lmp), program ? program->anchors() : std::vector<double **>(),
      program ? program->bodies_of_atoms() : nullptr, reads_molecules);
  std::vector<double> mass;
  if (now.mass) mass.assign(now.mass, now.mass + now.ntypes + 1);
  const bool same = now.n == bound.n && now.x.data == bound.x.data && now.v.data == bound.v.data &&
                    now.f.data == bound.f.data && now.image.data == bound.image.data &&
                    now.type.data == bound.type.data && now.mask.data == bound.mask.data &&
                    now.rmass.data == bound.rmass.data && now.tag.data == bound.tag.data &&
                    now.body.data == bound.body.data &&
                    now.molecule.data == bound.molecule.data && same_anchors(now, bound) && mass == bound_mass;
  if (!same && session.working() &&
      check(ds_resident_set_atoms(resident, &now, session.error_text()))) {
    bound = now;
    bound_mass = mass;
  }
  return resident;
}

/* ---------------------------------------------------------------------- */

void ResidentAtoms::need_on_host(int fields)
{
  int missing = fields & ~on_host;
  if (reordered && (missing & ~DS_VELOCITY)) {
    follow();
    missing = DS_ALL_FIELDS;
  }
  on_host |= missing;
  if (missing && session.working())
    check(ds_resident_to_host(engine(), missing, session.error_text()));
  if (fields == DS_ALL_FIELDS && kept_changed) bring_kept();    // LAMMPS may renumber its atoms
}

void ResidentAtoms::need_on_engine(int fields)
{
  const int missing = fields & ~on_engine;
  on_engine |= fields;
  if (missing && session.working())
    check(ds_resident_to_engine(engine(), missing, session.error_text()));
}

void ResidentAtoms::wait()
{
  if (session.working()) check(ds_resident_to_host(engine(), 0, session.error_text()));    // nothing is copied
}

void ResidentAtoms::changed_on_host(int fields)
{
  on_host |= fields;
  on_engine &= ~fields;
  if (!(fields & DS_IDENTITY)) return;
  on_engine &= ~DS_TAG;
  changes_of_identity++;
}

void ResidentAtoms::changed_on_engine(int fields)
{
  on_engine |= fields;
  on_host &= ~fields;
  bodies_moved = true;
  kept_changed = program && program->keeps_forces();
}

/* ----------------------------------------------------------------------
   Rigid bodies. While the engine has them, only its steps change them
------------------------------------------------------------------------- */

void ResidentAtoms::give_bodies()
{
  const std::vector<ds_body> *const bodies = program ? program->bodies() : nullptr;
  bodies_moved = false;
  if (!session.working()) return;
  check(ds_resident_set_bodies(engine(), bodies ? bodies->data() : nullptr, bodies ? static_cast<int>(bodies->size()) : 0,
                               session.error_text()));
}

void ResidentAtoms::bring_bodies()
{
  std::vector<ds_body> *const bodies = program ? program->bodies() : nullptr;
  if (bodies && bodies_moved && session.working())
    check(ds_resident_bodies(engine(), bodies->data(), session.error_text()));
  bodies_moved = false;
}

void ResidentAtoms::bring_kept()
{
  kept_changed = false;
  if ((on_engine & DS_TAG) && session.working()) check(ds_resident_to_host(engine(), DS_TAG, session.error_text()));
}

std::vector<ds_exact_sum> ResidentAtoms::add_once(const StepRecords &records, EngineSession &with)
{
  const ds_step_program once = StepArrays::program_of(lmp, records);
  std::vector<ds_exact_sum> cells(StepArrays::cells_of(records.binnings[0]));
  need_on_engine(DS_ALL_FIELDS | DS_TAG);
  if (with.working())
    with.note(ds_resident_add_once(engine(), &once, update->ntimestep, cells.data(), cells.size(), with.error_text()));
  if (!with.agree()) with.raise();
  return cells;
}

void ResidentAtoms::renumbered()
{
  changed_on_host(DS_ALL_FIELDS);
}

/* ---------------------------------------------------------------------- */

void ResidentAtoms::save_rebuild_positions()
{
  need_on_engine(DS_POSITION);
  if (session.working()) check(ds_resident_set_reference(engine(), session.error_text()));
}

/* ----------------------------------------------------------------------
   The fractions of a tilted box from which LAMMPS has made positions in this step
------------------------------------------------------------------------- */

void ResidentAtoms::save_rebuild_fractions(const std::vector<double> &fractions)
{
  const ds_wrap wrap = StepArrays::box_of(lmp);    // the box may have flipped in this step
  if (session.working()) check(ds_resident_set_wrap(engine(), &wrap, session.error_text()));
  if (session.working())
    check(ds_resident_set_fractions(engine(), fractions.data(), update->ntimestep, session.error_text()));
}

bool ResidentAtoms::has_rebuild_positions()
{
  return ds_resident_has_reference(engine()) != 0;
}

/* ----------------------------------------------------------------------
   Sorts the engine's atoms. LAMMPS's arrays keep their order until follow()
------------------------------------------------------------------------- */

void ResidentAtoms::sort(const ds_sort_bins &bins)
{
  need_on_engine(DS_ALL_FIELDS | DS_TAG);
  if (!session.working() || !check(ds_resident_sort(engine(), &bins, session.error_text()))) return;
  reordered = true;
  on_host = 0;
}

ds_identity ResidentAtoms::identity()
{
  need_on_engine(DS_IDENTITY | DS_TAG);
  return ds_resident_identity(engine());
}

/* ---------------------------------------------------------------------- */

std::vector<int> ResidentAtoms::get_order()
{
  std::vector<int> places(atom->nlocal);
  if (!reordered) {
    std::iota(places.begin(), places.end(), 0);
    return places;
  }
  if (!session.working() || !check(ds_resident_order(engine(), places.data(), session.error_text())))
    places.clear();
  return places;
}

ds_array ResidentAtoms::in_order(const ds_array &array, const std::vector<int> &order, std::vector<char> &copy)
{
  if (!array.data) return array;
  const size_t row = static_cast<size_t>(array.atom_stride) * ds_type_bytes(array.type);
  const char *const from = static_cast<const char *>(array.data);
  copy.resize(row * order.size());
  for (size_t i = 0; i < order.size(); i++) std::copy_n(from + row * order[i], row, copy.data() + row * i);
  ds_array moved = array;
  moved.data = copy.data();
  return moved;
}

/* ----------------------------------------------------------------------
   Brings LAMMPS's atoms into the order of the engine's. The engine first gets every
   field that is up to date on the host only
------------------------------------------------------------------------- */

void ResidentAtoms::follow()
{
  need_on_engine(DS_ALL_FIELDS);
  const std::vector<int> wanted = get_order();
  if (!session.working()) return;
  order.follow_box();
  order.put(wanted);
  ds_resident_note_same_order(resident);
  reordered = false;
  on_host = 0;
}

void ResidentAtoms::abandon_order()
{
  if (!reordered) return;
  ds_resident_note_same_order(resident);
  reordered = false;
}

/* ----------------------------------------------------------------------
   Puts the positions of the last rebuild into LAMMPS's arrays. The present positions are
   saved before, as the engine may have no copy of them
------------------------------------------------------------------------- */

void ResidentAtoms::show_held()
{
  need_on_host(DS_POSITION);
  const double *x = atom->nlocal ? *atom->x : nullptr;
  saved.assign(x, x + 3 * static_cast<size_t>(atom->nlocal));
  if (session.working()) check(ds_resident_reference_to_host(engine(), session.error_text()));
}

void ResidentAtoms::show_held_fractions()
{
  if (!ds_resident_has_fractions(engine()))
    domain->x2lamda(atom->nlocal);
  else if (session.working())
    check(ds_resident_fractions_to_host(engine(), session.error_text()));
}

void ResidentAtoms::show_present()
{
  if (!saved.empty()) std::copy(saved.begin(), saved.end(), *atom->x);
  saved.clear();
}
