/* Bonds and angles of resident atoms: the caller's terms, copied, and who has which; sums over them.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "bonded.h"

#include <limits.h>
#include <string.h>

void ds_bonded_open(ds_bonded_lists *l, ds_pool *memory)
{
  memset(l, 0, sizeof *l);
  l->pool.memory = &ds_host_memory;
  l->memory = memory;
}

/* What stages work on stays for the next terms. */
void ds_bonded_close(ds_bonded_lists *l)
{
  ds_pool_close(&l->pool);
  memset(&l->given, 0, sizeof l->given);
  l->natoms = 0;
}

int ds_bonded_terms(const ds_bonded_lists *l)
{
  return l->given.bonds.n + l->given.angles.n;
}

/* ------------------------------------------------------------------------------------------- checks */

static ds_status check_terms(const ds_terms *t, int is_angle, int n, ds_error *err)
{
  const char *const what = is_angle ? "angle" : "bond";
  const int size = is_angle ? DS_ANGLE_SIZE : DS_BOND_SIZE;
  if (t->style == DS_BOND_STYLE_NONE) return DS_OK;
  if (is_angle ? t->style != DS_ANGLE_STYLE_HARMONIC && t->style != DS_ANGLE_STYLE_COSINE &&
                     t->style != DS_ANGLE_STYLE_HARMONIC_EXACT
               : t->style != DS_BOND_STYLE_HARMONIC && t->style != DS_BOND_STYLE_FENE)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d is no style of %ss", t->style, what);
  if (t->n < 0 || t->n > INT_MAX / 16)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d %ss; allowed: 0 to %d", t->n, what, INT_MAX / 16);
  if (t->ntypes < 0) return ds_fail(err, DS_ERR_ARGUMENT, "%d types of %ss", t->ntypes, what);
  if (t->n && (!t->member || !t->type))
    return ds_fail(err, DS_ERR_ARGUMENT, "no array of %ss or of their types (NULL)", what);
  for (int k = 0; k < t->n; k++) {
    const int32_t *const member = t->member + (size_t) size * (size_t) k;
    for (int m = 0; m < size - 1; m++)
      if (member[m] < 0 || member[m] >= n)
        return ds_fail(err, DS_ERR_ARGUMENT, "%s %d has an atom %d; allowed: 0 to %d", what, k,
                       member[m], n - 1);
    if (member[size - 1] < 1 || member[size - 1] > t->ntypes)
      return ds_fail(err, DS_ERR_ARGUMENT, "%s %d has type %d; allowed: 1 to %d", what, k,
                     member[size - 1], t->ntypes);
  }
  return DS_OK;
}

/* -------------------------------------------------------------------------------------------- lists */

static ds_status copy_terms(ds_bonded_lists *l, ds_terms *t, size_t size, ds_buffer *member,
                            ds_buffer *type, ds_buffer *images, ds_error *err)
{
  const size_t n = (size_t) t->n, types = (size_t) t->ntypes + 1;
  ds_status s = ds_reserve(&l->pool, member, size * n, sizeof(int32_t), "bonds", err);
  if (!s) s = ds_reserve(&l->pool, type, types, sizeof(ds_bonded_type), "types of bonds", err);
  if (!s) s = ds_reserve(&l->pool, images, n, sizeof(int32_t), "images of bonds", err);
  if (s || n == 0) return s;
  memcpy(member->data, t->member, size * n * sizeof(int32_t));
  memcpy(type->data, t->type, types * sizeof(ds_bonded_type));
  t->member = member->data;
  t->type = type->data;
  return DS_OK;
}

/* Calls for each member of each term, in the order of the list; an angle's owner is no member of its own. */
typedef void member_function(ds_bonded_lists *l, uint32_t *count, int atom, uint32_t entry);

static void visit_member(ds_bonded_lists *l, uint32_t *count, int atom, uint32_t entry, member_function *visit)
{
  if (atom < l->own || l->given.shared) visit(l, count, atom, entry); /* else nothing acts on copies */
}

static void for_members(ds_bonded_lists *l, uint32_t *count, member_function *visit)
{
  const ds_terms *const b = &l->given.bonds, *const a = &l->given.angles;
  for (int k = 0; k < b->n; k++)
    for (int m = 0; m < 2; m++)
      visit_member(l, count, b->member[DS_BOND_SIZE * (size_t) k + (size_t) m], ds_entry_of(k, 0, m), visit);
  for (int k = 0; k < a->n; k++)
    for (int m = 0; m < 3; m++)
      visit_member(l, count, a->member[DS_ANGLE_SIZE * (size_t) k + (size_t) m + 1], ds_entry_of(k, 1, m), visit);
}

static void count_member(ds_bonded_lists *l, uint32_t *count, int atom, uint32_t entry)
{
  (void) l, (void) entry;
  count[atom]++;
}

static void put_member(ds_bonded_lists *l, uint32_t *next, int atom, uint32_t entry)
{
  DS_DATA(uint32_t, l->entry)[next[atom]++] = entry;
}

/* count: of each atom's entries; becomes where they begin */
static void begin_rows(ds_bonded_lists *l, uint32_t *count, int n)
{
  uint32_t *const first = l->first.data, begin = 0;
  int32_t *const atom = l->atom.data;
  l->natoms = 0;
  for (int i = 0; i < n; i++) {
    const uint32_t own = count[i];
    count[i] = begin;
    if (!own) continue;
    atom[l->natoms] = i;
    first[l->natoms++] = begin;
    begin += own;
  }
  first[l->natoms] = begin;
}

static ds_status find_entries(ds_bonded_lists *l, int n, ds_error *err)
{
  const size_t entries = 2 * (size_t) l->given.bonds.n + 3 * (size_t) l->given.angles.n;
  const size_t atoms = entries < (size_t) n ? entries : (size_t) n;
  ds_buffer count = {NULL, 0, NULL};
  ds_status s = ds_reserve(&l->pool, &l->atom, atoms, sizeof(int32_t), "atoms with bonds", err);
  if (!s) s = ds_reserve(&l->pool, &l->first, atoms + 1, sizeof(uint32_t), "atoms with bonds", err);
  if (!s) s = ds_reserve(&l->pool, &l->entry, entries, sizeof(uint32_t), "bonds of atoms", err);
  if (!s)
    s = ds_buffer_reserve(&ds_host_memory, &count, (size_t) n + 1, sizeof(uint32_t),
                          "bonds of atoms", err);
  if (s) return s;
  memset(count.data, 0, ((size_t) n + 1) * sizeof(uint32_t));
  for_members(l, count.data, count_member);
  begin_rows(l, count.data, n);
  for_members(l, count.data, put_member);
  ds_buffer_free(&ds_host_memory, &count);
  return DS_OK;
}

ds_status ds_bonded_set(ds_bonded_lists *l, const ds_bonded *b, int n, ds_error *err)
{
  if (b->with_copies && (b->ncopies < 0 || b->ncopies > INT_MAX - n))
    return ds_fail(err, DS_ERR_ARGUMENT, "%d copies of %d atoms", b->ncopies, n);
  const int members = b->with_copies ? n + b->ncopies : n;
  ds_status s = check_terms(&b->bonds, 0, members, err);
  if (!s) s = check_terms(&b->angles, 1, members, err);
  if (s) return s;
  l->given = *b;
  l->own = n;
  if (b->bonds.style == DS_BOND_STYLE_NONE) memset(&l->given.bonds, 0, sizeof l->given.bonds);
  if (b->angles.style == DS_BOND_STYLE_NONE) memset(&l->given.angles, 0, sizeof l->given.angles);
  s = copy_terms(l, &l->given.bonds, DS_BOND_SIZE, &l->bond, &l->bond_type, &l->bond_images, err);
  if (!s)
    s = copy_terms(l, &l->given.angles, DS_ANGLE_SIZE, &l->angle, &l->angle_type, &l->angle_images,
                   err);
  return s ? s : find_entries(l, members, err);
}

static ds_status send(ds_bonded_lists *l, ds_queue *q, ds_buffer *to, const ds_buffer *from,
                      size_t count, size_t size, ds_error *err)
{
  const ds_status s = ds_reserve(l->memory, to, count + 1, size, "bonds", err);
  return s ? s : ds_queue_copy(q, to->data, from->data, count * size, "copying bonds", err);
}

/* Room for positions of copies, and for forces, which stay 0 where there are no terms. */
static ds_status send_copies(ds_bonded_lists *l, ds_queue *q, ds_error *err)
{
  const size_t numbers = 3 * (size_t) l->given.ncopies;
  ds_status s = ds_reserve(l->memory, &l->sent.copy_x, numbers + 1, sizeof(double), "copies of atoms", err);
  if (!s) s = ds_reserve(l->memory, &l->sent.copy_f, numbers + 1, sizeof(double), "forces of copies", err);
  return s ? s : ds_queue_clear(q, l->sent.copy_f.data, numbers * sizeof(double), "forces of copies", err);
}

ds_status ds_bonded_send(ds_bonded_lists *l, ds_queue *q, ds_error *err)
{
  const ds_bonded *const g = &l->given;
  const size_t bonds = (size_t) g->bonds.n, angles = (size_t) g->angles.n, word = sizeof(int32_t);
  const size_t atoms = (size_t) l->natoms, entries = 2 * bonds + 3 * angles;
  const size_t bond_types = bonds ? (size_t) g->bonds.ntypes + 1 : 0,
               angle_types = angles ? (size_t) g->angles.ntypes + 1 : 0;
  ds_status s = ds_queue_wait(q, "bonds", err); /* nothing may be under way in what grows */
  if (!s) s = send(l, q, &l->sent.bond, &l->bond, DS_BOND_SIZE * bonds, word, err);
  if (!s) s = send(l, q, &l->sent.angle, &l->angle, DS_ANGLE_SIZE * angles, word, err);
  if (!s)
    s = send(l, q, &l->sent.bond_type, &l->bond_type, bond_types, sizeof(ds_bonded_type), err);
  if (!s)
    s = send(l, q, &l->sent.angle_type, &l->angle_type, angle_types, sizeof(ds_bonded_type), err);
  if (!s) s = send(l, q, &l->sent.atom, &l->atom, atoms, word, err);
  if (!s) s = send(l, q, &l->sent.first, &l->first, atoms + 1, word, err);
  if (!s) s = send(l, q, &l->sent.entry, &l->entry, entries, word, err);
  if (!s) s = ds_reserve(l->memory, &l->sent.bond_images, bonds + 1, word, "images of bonds", err);
  if (!s) s = ds_reserve(l->memory, &l->sent.angle_images, angles + 1, word, "images of bonds", err);
  if (!s)
    s = ds_reserve(l->memory, &l->sent.vectors, 3 * bonds + 6 * angles + 1, sizeof(double),
                   "vectors of bonds", err);
  if (!s && g->with_copies) s = send_copies(l, q, err);
  return s ? s : ds_queue_wait(q, "bonds", err);
}

static ds_bonded_view plain_view(const ds_bonded_lists *l)
{
  const ds_bonded *const g = &l->given;
  ds_bonded_view b;
  memset(&b, 0, sizeof b);
  b.shared = g->shared;
  b.bond_style = g->bonds.style;
  b.angle_style = g->angles.style;
  b.nbonds = g->bonds.n;
  b.nangles = g->angles.n;
  b.natoms = l->natoms;
  b.own = g->with_copies ? l->own : INT32_MAX;
  return b;
}

ds_bonded_view ds_bonded_view_of(const ds_bonded_lists *l, const ds_wrap *wrap, int threads)
{
  ds_bonded_view b = plain_view(l);
  b.threads = threads;
  b.box = *wrap;
  ds_reach_in_box(wrap, l->given.reach, b.reach);
  b.copy_x = l->sent.copy_x.data;
  b.copy_f = l->sent.copy_f.data;
  b.bond_type = l->sent.bond_type.data;
  b.angle_type = l->sent.angle_type.data;
  b.bond = l->sent.bond.data;
  b.angle = l->sent.angle.data;
  b.bond_images = l->sent.bond_images.data;
  b.angle_images = l->sent.angle_images.data;
  b.atom = l->sent.atom.data;
  b.first = l->sent.first.data;
  b.entry = l->sent.entry.data;
  return b;
}

/* --------------------------------------------------------------------------------------------- sums */

/* Where terms are not shared, LAMMPS adds a part for each own atom; it knows which by the images. */
static void add_parts(const ds_bonded_view *b, const int32_t *member, int members, int images, double energy,
                      const double virial[6], ds_bonded_sum *sum)
{
  const double part = members == 2 ? 0.5 : 1.0 / 3.0;
  if (b->shared) {
    sum->energy += energy;
    for (int k = 0; k < 6; k++) sum->virial[k] += virial[k];
    return;
  }
  const double own = part * energy;
  for (int m = 0; m < members; m++) {
    if (ds_image_of(images, m) != DS_NO_SHIFT || member[m] >= b->own) continue;
    sum->energy += own;
    for (int k = 0; k < 6; k++) sum->virial[k] += part * virial[k];
  }
}

static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};

static void add_up_bond(const ds_bonded_view *b, int k, const double way[3], ds_bonded_sum *sum)
{
  const ds_bonded_type *const t = ds_type_of_bond(b, k);
  const double r2 = ds_dot(way, way);
  double virial[6];
  int too_long;
  const double force = ds_bond_force(b->bond_style, t, r2, &too_long);
  for (int v = 0; v < 6; v++) virial[v] = way[row[v]] * way[column[v]] * force;
  add_parts(b, b->bond + DS_BOND_SIZE * (size_t) k, 2, b->bond_images[k], ds_bond_energy(b->bond_style, t, r2), virial, sum);
}

static void add_up_angle(const ds_bonded_view *b, int k, const double way[6], ds_bonded_sum *sum)
{
  const ds_bonded_type *const t = ds_type_of_angle(b, k);
  double f1[3], f3[3], virial[6];
  const double energy = ds_angle_forces(b->angle_style, t, way, way + 3, f1, f3);
  for (int v = 0; v < 6; v++)
    virial[v] = way[row[v]] * f1[column[v]] + way[3 + row[v]] * f3[column[v]];
  add_parts(b, b->angle + DS_ANGLE_SIZE * (size_t) k + 1, 3, b->angle_images[k], energy, virial, sum);
}

static void add_up(const ds_bonded_view *b, const double *vectors, ds_bonded_sums *sums)
{
  memset(sums, 0, sizeof *sums);
  for (int k = 0; k < b->nbonds; k++)
    if (!(b->bond_images[k] & DS_TERM_OFF))
      add_up_bond(b, k, vectors + ds_vectors_before(b, k), &sums->bonds);
  for (int k = 0; k < b->nangles; k++)
    if (!(b->angle_images[k] & DS_TERM_OFF))
      add_up_angle(b, k, vectors + ds_vectors_before(b, b->nbonds + k), &sums->angles);
}

ds_status ds_bonded_add_up(ds_bonded_lists *l, ds_queue *q, ds_bonded_sums *sums, ds_error *err)
{
  const size_t bonds = (size_t) l->given.bonds.n, angles = (size_t) l->given.angles.n;
  const size_t numbers = 3 * bonds + 6 * angles;
  ds_status s =
      ds_reserve(&l->pool, &l->vectors, numbers + 1, sizeof(double), "vectors of bonds", err);
  if (!s)
    s = ds_queue_copy(q, l->vectors.data, l->sent.vectors.data, numbers * sizeof(double),
                      "copying vectors of bonds", err);
  if (!s)
    s = ds_queue_copy(q, l->bond_images.data, l->sent.bond_images.data, bonds * sizeof(int32_t),
                      "copying images", err);
  if (!s)
    s = ds_queue_copy(q, l->angle_images.data, l->sent.angle_images.data, angles * sizeof(int32_t),
                      "copying images", err);
  if (!s) s = ds_queue_wait(q, "sums of bonds", err);
  if (s) return s;
  ds_bonded_view b = plain_view(l);
  b.bond_type = l->bond_type.data;
  b.angle_type = l->angle_type.data;
  b.bond = l->bond.data;
  b.angle = l->angle.data;
  b.bond_images = l->bond_images.data;
  b.angle_images = l->angle_images.data;
  add_up(&b, l->vectors.data, sums);
  return DS_OK;
}
