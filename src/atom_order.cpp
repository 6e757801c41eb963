/* The order of LAMMPS's atoms: the bins that it sorts them by, and atoms put in a given order.
   SPDX-License-Identifier: GPL-2.0-or-later

   Where atoms are sorted by the engine, LAMMPS's own follow when somebody asks for them. It is LAMMPS that moves them,
   as it alone knows what belongs to an atom: Atom::sort() is given positions in such bins that the order wanted comes
   out. It leaves atoms of a bin in the order that they have, so bins are needed only where an index is less than the
   one before it, and one sort is enough for what an earlier sort by the same bins has made. */

#include "atom_order.h"

#include "fix_dpd_gpu_state.h"

#include "atom.h"
#include "domain.h"
#include "error.h"
#include "modify.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   LAMMPS keeps them to itself and to classes derived from its own
------------------------------------------------------------------------- */

namespace {
class BinsOfAtom : public Atom {
 public:
  static ds_sort_bins of(const Atom *a)
  {
    ds_sort_bins b = {
        {a->*&BinsOfAtom::nbinx, a->*&BinsOfAtom::nbiny, a->*&BinsOfAtom::nbinz},
        {0.0, 0.0, 0.0},
        {a->*&BinsOfAtom::bininvx, a->*&BinsOfAtom::bininvy, a->*&BinsOfAtom::bininvz}};
    std::copy_n(a->*&BinsOfAtom::bboxlo, 3, b.lo);
    return b;
  }
  static int number_of(const Atom *a) { return a->*&BinsOfAtom::nbins; }
};
}    // namespace

/* ----------------------------------------------------------------------
   where the box changes, LAMMPS finds its bins anew before it sorts
------------------------------------------------------------------------- */

AtomOrder::AtomOrder(LAMMPS *lmp) : Pointers(lmp)
{
  if (domain->box_change) atom->setup();
}

ds_sort_bins AtomOrder::bins() const
{
  return BinsOfAtom::of(atom);
}

bool AtomOrder::sorts() const
{
  return BinsOfAtom::number_of(atom) > 1;
}

/* ----------------------------------------------------------------------
   In a tilted box positions have been converted to fractions and back since: an
   atom at the edge of a bin may have been in either
------------------------------------------------------------------------- */

static constexpr double EDGE = 1.0e-9;    // of a bin

bool AtomOrder::is_by_bins() const
{
  if (BinsOfAtom::number_of(atom) < 1) return false;
  const ds_sort_bins b = bins();
  int last = 0;
  for (int i = 0; i < atom->nlocal; i++) {
    double below[3], above[3];
    for (int d = 0; d < 3; d++) {
      const double edge = domain->triclinic ? EDGE / b.inverse[d] : 0.0;
      below[d] = atom->x[i][d] - edge;
      above[d] = atom->x[i][d] + edge;
    }
    const int bin = ds_sort_bin(&b, below);
    if (bin != ds_sort_bin(&b, above)) continue;
    if (bin < last) return false;
    last = bin;
  }
  return true;
}

/* ----------------------------------------------------------------------
   of what LAMMPS has of an atom of style atomic, the engine has all but the tag,
   unless fixes or a style with more have values of their own
------------------------------------------------------------------------- */

bool AtomOrder::has_tags_alone() const
{
  if (strcmp(atom->atom_style, "atomic") != 0) return false;
  for (int k = 0; k < atom->nextra_grow; k++) {
    const auto *state = dynamic_cast<FixDPDGPUState *>(modify->fix[atom->extra_grow[k]]);
    if (!state || state->keeps()) return false;
  }
  return true;
}

/* ---------------------------------------------------------------------- */

void AtomOrder::sort_by(const std::vector<int> &bin) const
{
  const ds_sort_bins b = bins();
  const bigint nextsort = atom->nextsort;
  for (int i = 0; i < atom->nlocal; i++) ds_sort_bin_middle(&b, bin[i], atom->x[i]);
  if (domain->triclinic) domain->x2lamda(atom->nlocal);
  atom->sort();
  atom->nextsort = nextsort;
}

/* ----------------------------------------------------------------------
   Atoms in groups that go into bins, as far as there are enough of them: else by
   the last digit of the group first, with as many digits as there are bins
------------------------------------------------------------------------- */

void AtomOrder::sort_into(const std::vector<int> &order) const
{
  const int n = atom->nlocal, base = BinsOfAtom::number_of(atom);
  std::vector<int> group(n), bin(n);
  int last = 0;
  for (int i = 0; i < n; i++) {
    if (i > 0 && order[i] < order[i - 1]) last++;
    group[order[i]] = last;
  }
  for (bigint unit = 1; unit <= last; unit *= base) {
    const auto digit = [unit, base](int g) { return static_cast<int>(g / unit % base); };
    std::transform(group.begin(), group.end(), bin.begin(), digit);
    sort_by(bin);
    if (last / unit < base) return;
    std::stable_sort(group.begin(), group.end(),
                     [digit](int g, int h) { return digit(g) < digit(h); });
  }
}

/* ---------------------------------------------------------------------- */

void AtomOrder::put(const std::vector<int> &order) const
{
  const std::vector<tagint> tags(atom->tag, atom->tag + atom->nlocal);
  if (atom->map_style != Atom::MAP_NONE) atom->map_clear();
  atom->nghost = 0;
  if (has_tags_alone())
    std::transform(order.begin(), order.end(), atom->tag, [&tags](int i) { return tags[i]; });
  else
    sort_into(order);
  for (int i = 0; i < atom->nlocal; i++)
    if (atom->tag[i] != tags[order[i]])
      error->all(FLERR, "Run_style verlet/gpu: LAMMPS has not sorted atom {} as it was told to",
                 tags[order[i]]);
  if (atom->map_style != Atom::MAP_NONE) atom->map_set();
}
