/* LAMMPS's atoms while they stay with the engine: which arrays are up to date where.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "resident_atoms.h"

#include "atom_arrays.h"
#include "atom_order.h"
#include "engine_session.h"

#include "atom.h"
#include "domain.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

using namespace LAMMPS_NS;

static constexpr int COMPARED = 1000;    // atoms whose rounding is looked at

/* ---------------------------------------------------------------------- */

ResidentAtoms::ResidentAtoms(LAMMPS *lmp, EngineSession &session_in) :
    Pointers(lmp), session(session_in), pair(nullptr), resident(nullptr), bound(),
    on_host(DS_ALL_FIELDS), on_engine(0), reordered(false)
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
  const int apart = session.keeps_atoms_apart() ? 1 : 0;
  check(ds_resident_open(&resident, pair, apart, session.error_text()));
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

/* ---------------------------------------------------------------------- */

ds_resident_atoms ResidentAtoms::arrays() const
{
  ds_resident_atoms a = {};
  a.n = atom->nlocal;
  a.x = AtomArrays::rows(atom->x, 3);
  a.v = AtomArrays::rows(atom->v, 3);
  a.f = AtomArrays::rows(atom->f, 3);
  a.image = {atom->image, sizeof(imageint) == 8 ? DS_I64 : DS_I32, DS_SPACE_HOST, 1, 1};
  a.type = AtomArrays::vector(atom->type);
  a.mask = AtomArrays::vector(atom->mask);
  a.rmass = AtomArrays::vector(atom->rmass);
  a.tag = AtomArrays::tags(atom->tag);
  a.ntypes = atom->ntypes;
  a.mass = atom->rmass ? nullptr : atom->mass;
  return a;
}

/* ----------------------------------------------------------------------
   LAMMPS moves its arrays when it needs more room, which is when atoms are
   renumbered; then all of them are on the host
------------------------------------------------------------------------- */

ds_resident *ResidentAtoms::engine()
{
  const ds_resident_atoms now = arrays();
  std::vector<double> mass;
  if (now.mass) mass.assign(now.mass, now.mass + now.ntypes + 1);
  const bool same = now.n == bound.n && now.x.data == bound.x.data && now.v.data == bound.v.data &&
                    now.f.data == bound.f.data && now.image.data == bound.image.data &&
                    now.type.data == bound.type.data && now.mask.data == bound.mask.data &&
                    now.rmass.data == bound.rmass.data && now.tag.data == bound.tag.data &&
                    mass == bound_mass;
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
  if (reordered && (fields & ~DS_VELOCITY)) {
    follow();
    fields = DS_ALL_FIELDS;
  } else if (reordered && fields) {
    if (!(on_host & DS_IDENTITY)) shown = get_order();
    fields |= DS_IDENTITY;    // sums over velocities ask for groups and masses
  }
  const int missing = fields & ~on_host;
  on_host |= fields;
  if (missing && session.working())
    check(ds_resident_to_host(engine(), missing, session.error_text()));
}

void ResidentAtoms::need_on_engine(int fields)
{
  const int missing = fields & ~on_engine;
  on_engine |= fields;
  if (missing && session.working())
    check(ds_resident_to_engine(engine(), missing, session.error_text()));
}

void ResidentAtoms::changed_on_host(int fields)
{
  on_host |= fields;
  on_engine &= ~fields;
  if (fields & DS_IDENTITY) on_engine &= ~DS_TAG;
}

void ResidentAtoms::changed_on_engine(int fields)
{
  on_engine |= fields;
  on_host &= ~fields;
}

void ResidentAtoms::renumbered()
{
  changed_on_host(DS_ALL_FIELDS);
}

/* ---------------------------------------------------------------------- */

void ResidentAtoms::hold()
{
  need_on_engine(DS_POSITION);
  if (session.working()) check(ds_resident_hold(engine(), session.error_text()));
}

/* ----------------------------------------------------------------------
   LAMMPS's atoms stay as they are
------------------------------------------------------------------------- */

void ResidentAtoms::sort(const ds_sort_bins &bins)
{
  need_on_engine(DS_ALL_FIELDS | DS_TAG);
  if (!session.working() || !check(ds_resident_sort(engine(), &bins, session.error_text()))) return;
  reordered = true;
  on_host = 0;
}

void ResidentAtoms::identity(ds_array *tag, ds_array *type, ds_array *mask)
{
  need_on_engine(DS_IDENTITY | DS_TAG);
  ds_resident_identity(engine(), tag, type, mask);
}

/* ---------------------------------------------------------------------- */

std::vector<int> ResidentAtoms::get_order()
{
  std::vector<int> order(atom->nlocal);
  if (!reordered) {
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  if (!session.working() || !check(ds_resident_order(engine(), order.data(), session.error_text())))
    order.clear();
  return order;
}

/* ----------------------------------------------------------------------
   forces that LAMMPS has cleared go to the engine before
------------------------------------------------------------------------- */

void ResidentAtoms::follow()
{
  need_on_engine(DS_ALL_FIELDS);
  const std::vector<int> order = on_host & DS_IDENTITY ? shown : get_order();
  if (!session.working()) return;
  AtomOrder(lmp).put(order);
  ds_resident_follow(resident);
  shown.clear();
  reordered = false;
  on_host = 0;
}

/* ----------------------------------------------------------------------
   what has come in the engine's order goes back to where LAMMPS's atoms are
------------------------------------------------------------------------- */

template <typename Element> static void put_back(Element *data, const std::vector<int> &order)
{
  if (!data || order.empty()) return;
  const std::vector<Element> now(data, data + order.size());
  for (size_t i = 0; i < order.size(); i++) data[order[i]] = now[i];
}

void ResidentAtoms::abandon_order()
{
  if (!reordered) return;
  if (!shown.empty()) put_back(reinterpret_cast<std::array<double, 3> *>(*atom->v), shown);
  put_back(atom->type, shown);
  put_back(atom->mask, shown);
  put_back(atom->rmass, shown);
  ds_resident_follow(resident);
  shown.clear();
  reordered = false;
}

/* ----------------------------------------------------------------------
   the engine may have no arrays of its own: then LAMMPS's are the only ones
------------------------------------------------------------------------- */

void ResidentAtoms::show_held()
{
  need_on_host(DS_POSITION);
  const double *x = atom->nlocal ? *atom->x : nullptr;
  saved.assign(x, x + 3 * static_cast<size_t>(atom->nlocal));
  if (session.working()) check(ds_resident_held_to_host(engine(), session.error_text()));
}

void ResidentAtoms::show_present()
{
  if (!saved.empty()) std::copy(saved.begin(), saved.end(), *atom->x);
  saved.clear();
}

/* ---------------------------------------------------------------------- */

void ResidentAtoms::before_nve()
{
  const size_t n = 3 * static_cast<size_t>(std::min(atom->nlocal, COMPARED));
  old_x.assign(n ? *atom->x : nullptr, n ? *atom->x + n : nullptr);
  old_v.assign(n ? *atom->v : nullptr, n ? *atom->v + n : nullptr);
}

/* ----------------------------------------------------------------------
   of the two ways to round, those that give what is found; with both, nothing
   could be told, as where no force acts
------------------------------------------------------------------------- */

static ResidentAtoms::Rounding verdict(bool plain, bool fused)
{
  if (plain && fused) return ResidentAtoms::UNKNOWN;
  if (plain) return ResidentAtoms::PLAIN;
  return fused ? ResidentAtoms::FUSED : ResidentAtoms::OTHER;
}

ResidentAtoms::Rounding ResidentAtoms::after_nve(const ds_motion &motion)
{
  bool good[2] = {true, true};
  for (size_t k = 0; k < old_x.size(); k += 3) {
    const auto i = static_cast<int>(k / 3);
    for (int fused = 0; fused < 2; fused++) {
      ds_motion m = motion;
      m.fused = fused;
      double *const x = &old_x[k], *const v = &old_v[k];
      double new_x[3] = {x[0], x[1], x[2]}, new_v[3] = {v[0], v[1], v[2]};
      ds_move_atom(&m, 0, 1, atom->mask[i],
                   atom->rmass ? atom->rmass[i] : atom->mass[atom->type[i]], new_x, new_v,
                   atom->f[i]);
      good[fused] = good[fused] && memcmp(new_x, atom->x[i], sizeof new_x) == 0 &&
                    memcmp(new_v, atom->v[i], sizeof new_v) == 0;
    }
  }
  return verdict(good[0], good[1]);
}

/* ----------------------------------------------------------------------
   LAMMPS converts some atoms to fractions of the box, and back
------------------------------------------------------------------------- */

ResidentAtoms::Rounding ResidentAtoms::of_tilted_box(const ds_wrap &wrap)
{
  const int n = std::min(atom->nlocal, COMPARED);
  if (n == 0) return PLAIN;
  need_on_host(DS_POSITION);
  const std::vector<double> x(*atom->x, *atom->x + 3 * static_cast<size_t>(n));
  bool good[2] = {true, true};
  const auto compare = [&](std::vector<double> ours[2]) {
    for (int fused = 0; fused < 2; fused++)
      good[fused] =
          good[fused] && memcmp(ours[fused].data(), *atom->x, x.size() * sizeof(double)) == 0;
  };

  std::vector<double> ours[2] = {x, x};
  for (int fused = 0; fused < 2; fused++) {
    ds_wrap w = wrap;
    w.fused = fused;
    for (int i = 0; i < n; i++) ds_to_fractions(&w, &ours[fused][3 * static_cast<size_t>(i)]);
  }
  domain->x2lamda(n);
  compare(ours);
  for (int fused = 0; fused < 2; fused++) {
    ds_wrap w = wrap;
    w.fused = fused;
    ours[fused].assign(*atom->x, *atom->x + x.size());
    for (int i = 0; i < n; i++) ds_from_fractions(&w, &ours[fused][3 * static_cast<size_t>(i)]);
  }
  domain->lamda2x(n);
  compare(ours);
  std::copy(x.begin(), x.end(), *atom->x);

  const Rounding found = verdict(good[0], good[1]);
  return found == UNKNOWN ? PLAIN : found;
}
