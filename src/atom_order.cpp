/* The order of LAMMPS's atoms: the bins that it sorts them by, and atoms put in a given order.
   SPDX-License-Identifier: GPL-2.0-or-later

   Where atoms are sorted by the engine, LAMMPS's own follow when somebody asks for them, array by array: then a row of one atom
   is not needed to find that of the next one, as it is where LAMMPS moves atom after atom. What other fixes have of atoms they
   move themselves. */

#include "atom_order.h"

#include "fix_dpd_gpu_state.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "fix.h"
#include "modify.h"
#include "neighbor.h"

#include <algorithm>
#include <memory>
#include <thread>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   LAMMPS finds its bins when it sets up a run. In a box that changes it finds them anew
   before each sort
------------------------------------------------------------------------- */

AtomOrder::AtomOrder(LAMMPS *lmp) : Pointers(lmp), bin(), count(0) {}

void AtomOrder::follow_box()
{
  if (!domain->box_change) return;
  atom->setup();
  find_bins();
}

/* ----------------------------------------------------------------------
   Finds the bins of Atom::setup_sort_bins(), which LAMMPS does not publish. They are
   about half a range of the list wide, or as wide as atom_modify sort says. The package
   GPU may choose other bins, so with it they are not known
------------------------------------------------------------------------- */

void AtomOrder::find_bins()
{
  count = 0;
  const double width = atom->userbinsize > 0.0 ? atom->userbinsize : 0.5 * neighbor->cutneighmax;
  double hi[3];
  bin = {};
  if (!(width > 0.0) || modify->get_fix_by_id("package_gpu")) return;
  if (domain->triclinic) {
    domain->bbox(domain->sublo_lamda, domain->subhi_lamda, bin.lo, hi);
  } else {
    std::copy_n(domain->sublo, 3, bin.lo);
    std::copy_n(domain->subhi, 3, hi);
  }
  const double inverse = 1.0 / width;
  for (int d = 0; d < 3; d++) {
    const double edge = hi[d] - bin.lo[d];
    bin.n[d] = d == 2 && domain->dimension == 2 ? 1 : std::max(1, static_cast<int>(edge * inverse));
    bin.inverse[d] = bin.n[d] / edge;
  }
  count = bin.n[0] * bin.n[1] * bin.n[2];
}

/* ----------------------------------------------------------------------
   Whether atoms are sorted by these bins. In a tilted box positions have been converted
   to fractions and back since the sort, which rounds. So an atom at the edge of a bin
   may belong to either of two bins, and is left out
------------------------------------------------------------------------- */

static constexpr double EDGE = 1.0e-9;    // in units of a bin's width

bool AtomOrder::is_by_bins() const
{
  if (count < 1) return false;
  const ds_sort_bins &b = bin;
  int last = 0;
  for (int i = 0; i < atom->nlocal; i++) {
    double below[3], above[3];
    for (int d = 0; d < 3; d++) {
      const double edge = domain->triclinic ? EDGE / b.inverse[d] : 0.0;
      below[d] = atom->x[i][d] - edge;
      above[d] = atom->x[i][d] + edge;
    }
    const int low = ds_sort_bin(&b, below);
    if (low != ds_sort_bin(&b, above)) continue;
    if (low < last) return false;
    last = low;
  }
  return true;
}

/* ----------------------------------------------------------------------
   Fixes with values of atoms. The package's own of states has some only in a step with
   a restart file
------------------------------------------------------------------------- */

std::vector<Fix *> AtomOrder::fixes_with_values() const
{
  std::vector<Fix *> fixes;
  for (int k = 0; k < atom->nextra_grow; k++) {
    Fix *const fix = modify->fix[atom->extra_grow[k]];
    const auto *const state = dynamic_cast<FixDPDGPUState *>(fix);
    if (!state || state->keeps()) fixes.push_back(fix);
  }
  return fixes;
}

/* ----------------------------------------------------------------------
   Arrays of ellipsoids, lines, triangles and bodies are not among those of
   Atom::peratom. Fixes need a place for one atom more than there are
------------------------------------------------------------------------- */

std::string AtomOrder::why_not() const
{
  if (atom->ellipsoid_flag || atom->line_flag || atom->tri_flag || atom->body_flag) return "they have shapes of their own";
  if (atom->nmax == atom->nlocal && atom->nextra_grow > 0) return "its arrays have no room for one more atom";
  return "";
}

namespace {
struct Rows {
  int *first;
  size_t stride, used;    // numbers of words
};

size_t longest(const Atom::PerAtom &array, int n)    // length of the longest row, where lengths differ from atom to atom
{
  const int of_several = array.collength;
  int most = 0;
  for (int i = 0; i < n; i++)
    most = std::max(most, of_several ? (*static_cast<int ***>(array.address_length))[i][of_several - 1]
                                     : (*static_cast<int **>(array.address_length))[i]);
  return most;
}

Rows rows_of(const Atom::PerAtom &array, int n)
{
  const size_t words = array.datatype == Atom::INT ? 1 : 2;    // words per number
  if (array.cols == 0) return {*static_cast<int **>(array.address), words, words};
  int **const row = *static_cast<int ***>(array.address);
  if (!row) return {nullptr, 0, 0};
  return {row[0], static_cast<size_t>(row[1] - row[0]), words * (array.cols > 0 ? array.cols : longest(array, n))};
}

struct Range {
  size_t first, end;
};

template <size_t FIXED>    // the number of words that are used, or 0: any
void gather(const Rows &rows, const std::vector<int> &order, Range range, int *copy)
{
  const size_t used = FIXED ? FIXED : rows.used;
  for (size_t i = range.first; i < range.end; i++) {
    const int *const from = rows.first + rows.stride * order[i];
    for (size_t w = 0; w < used; w++) copy[used * i + w] = from[w];
  }
}

void put_back(const Rows &rows, Range range, const int *copy)
{
  for (size_t i = range.first; i < range.end; i++) std::copy_n(copy + rows.used * i, rows.used, rows.first + rows.stride * i);
}

/* ----------------------------------------------------------------------
   Work on n rows is shared by threads
------------------------------------------------------------------------- */

template <class Work> void share(size_t n, int nthreads, const Work &work)
{
  const auto part = [&](int k) { work(Range{n * k / nthreads, n * (k + 1) / nthreads}); };
  std::vector<std::thread> others;
  for (int k = 1; k < nthreads; k++) others.emplace_back(part, k);
  part(0);
  for (std::thread &other : others) other.join();
}

void put_all(const std::vector<Rows> &arrays, const std::vector<int> &order, int nthreads)
{
  size_t longest_row = 0;
  for (const Rows &rows : arrays) longest_row = std::max(longest_row, rows.used);
  const std::unique_ptr<int[]> copy(new int[longest_row * order.size()]);
  for (const Rows &rows : arrays) {
    share(order.size(), nthreads, [&](Range range) {
      rows.used == 1 ? gather<1>(rows, order, range, copy.get()) : gather<0>(rows, order, range, copy.get());
    });
    share(order.size(), nthreads, [&](Range range) { put_back(rows, range, copy.get()); });
  }
}
}    // namespace

/* ----------------------------------------------------------------------
   While arrays are put in order the processors of this rank have nothing else to do
------------------------------------------------------------------------- */

static int threads_for(int natoms, int nprocs)
{
  static constexpr int MAX_THREADS = 8;    // more have to wait for the memory
  static constexpr int FEW = 100000;       // with fewer atoms a thread costs more than it saves
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  return natoms < FEW ? 1 : std::clamp(processors / nprocs, 1, MAX_THREADS);
}

void AtomOrder::put_arrays(const std::vector<int> &order, const std::vector<HasRowsOfAtoms::Rows> &of_fixes) const
{
  static constexpr const char *SET_ANEW[] = {"type", "mask", "image", "x", "v", "f", "rmass"};
  if (atom->nlocal < 2) return;
  std::vector<Rows> arrays;
  for (const auto &array : atom->peratom) {
    const auto is_its_name = [&array](const char *name) { return array.name == name; };
    if (std::any_of(std::begin(SET_ANEW), std::end(SET_ANEW), is_its_name)) continue;
    const Rows rows = rows_of(array, atom->nlocal);
    if (rows.first && rows.used) arrays.push_back(rows);
  }
  for (const HasRowsOfAtoms::Rows &of_fix : of_fixes) {
    static constexpr size_t WORDS = 3 * sizeof(double) / sizeof(int);
    if (of_fix.numbers) arrays.push_back({of_fix.numbers, 1, 1});
    if (of_fix.vectors) arrays.push_back({reinterpret_cast<int *>(of_fix.vectors[0]), WORDS, WORDS});
  }
  put_all(arrays, order, threads_for(atom->nlocal, comm->nprocs));
}

/* ----------------------------------------------------------------------
   cycle by cycle; what the first atom of a cycle has waits behind all atoms
------------------------------------------------------------------------- */

void AtomOrder::put_values(const std::vector<int> &order, Fix *fix) const
{
  const int n = atom->nlocal;
  std::vector<bool> in_place(n);
  for (int first = 0; first < n; first++) {
    if (in_place[first] || order[first] == first) continue;
    fix->copy_arrays(first, n, 0);
    int to = first;
    for (; order[to] != first; to = order[to]) {
      fix->copy_arrays(order[to], to, 0);
      in_place[to] = true;
    }
    fix->copy_arrays(n, to, 0);
    in_place[to] = true;
  }
}

/* ---------------------------------------------------------------------- */

void AtomOrder::put(const std::vector<int> &order) const
{
  const std::vector<tagint> tags(atom->tag, atom->tag + atom->nlocal);
  if (atom->map_style != Atom::MAP_NONE) atom->map_clear();
  atom->nghost = 0;
  std::vector<HasRowsOfAtoms::Rows> of_fixes;
  for (Fix *fix : fixes_with_values()) {
    auto *const has_rows = dynamic_cast<HasRowsOfAtoms *>(fix);
    if (has_rows)
      of_fixes.push_back(has_rows->rows_of_atoms());
    else
      put_values(order, fix);
  }
  put_arrays(order, of_fixes);
  for (int i = 0; i < atom->nlocal; i++)
    if (atom->tag[i] != tags[order[i]])
      error->all(FLERR, "Run_style verlet/gpu: atom {} is not where the engine has it",
                 tags[order[i]]);
  if (atom->map_style != Atom::MAP_NONE) atom->map_set();
}
