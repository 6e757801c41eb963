/* system.c: boxes of atoms for the engine's tests.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "support/system.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

void *test_alloc(size_t bytes)
{
  void *p = calloc(bytes ? bytes : 1, 1);
  if (!p) {
    printf("no memory for %zu bytes of test data\n", bytes);
    exit(1);
  }
  return p;
}

static void *resize(void *old, size_t bytes, size_t used)
{
  void *p = test_alloc(bytes);
  if (used) memcpy(p, old, used);
  free(old);
  return p;
}

double random_normal(uint64_t *seed)
{
  double a, b, s;
  do {
    a = 2.0 * check_uniform(seed) - 1.0;
    b = 2.0 * check_uniform(seed) - 1.0;
    s = a * a + b * b;
  } while (s >= 1.0 || s == 0.0);
  return a * sqrt(-2.0 * log(s) / s);
}

void system_widths(const ds_box *box, double width[3])
{
  const double *h = box->h;
  /* volume over area of the face that the other two edges span: a = (xx,0,0), b = (xy,yy,0), c =
     (xz,yz,zz) */
  const double bc[3] = {h[1] * h[2], -h[5] * h[2], h[5] * h[3] - h[1] * h[4]};
  const double volume = h[0] * h[1] * h[2];
  width[0] = volume / sqrt(bc[0] * bc[0] + bc[1] * bc[1] + bc[2] * bc[2]);
  width[1] = volume / (h[0] * sqrt(h[2] * h[2] + h[3] * h[3]));
  width[2] = h[2];
}

void system_open(test_system *s, const double lo[3], const double h[6], const int periodic[3],
                 double range, double skin)
{
  double width[3];
  memset(s, 0, sizeof *s);
  for (int k = 0; k < 6; k++) s->box.h[k] = h[k];
  system_widths(&s->box, width);
  for (int d = 0; d < 3; d++) {
    s->box.lo[d] = lo[d];
    s->box.periodic[d] = periodic[d];
    s->box.sublo[d] = 0.0;
    s->box.subhi[d] = 1.0;
    s->box.ghost_reach[d] = range / width[d];
  }
  s->box.slack = skin;
  s->range = range;
  system_reserve(s, 16);
}

void system_close(test_system *s)
{
  free(s->x);
  free(s->v);
  free(s->image);
  free(s->origin);
  free(s->tag);
  free(s->type);
  free(s->nspecial);
  free(s->special);
  free(s->mask);
  free(s->molecule);
  memset(s, 0, sizeof *s);
}

void system_reserve(test_system *s, int n)
{
  if (n <= s->room) return;
  const size_t used = (size_t) (s->nlocal + s->nghost), room = (size_t) n + (size_t) n / 2;
  s->x = resize(s->x, 24 * room, 24 * used);
  s->v = resize(s->v, 24 * room, 24 * used);
  s->image = resize(s->image, 12 * room, 12 * used);
  s->origin = resize(s->origin, 4 * room, 4 * used);
  s->tag = resize(s->tag, 8 * room, 8 * used);
  s->type = resize(s->type, 4 * room, 4 * used);
  s->mask = resize(s->mask, 4 * room, 4 * used);
  s->molecule = resize(s->molecule, 8 * room, 8 * used);
  s->room = (int) room;
}

int system_add(test_system *s, const double x[3], const double v[3], int type)
{
  const int i = s->nlocal;
  s->nghost = 0;
  system_reserve(s, i + 1);
  for (int d = 0; d < 3; d++) {
    s->x[3 * i + d] = x[d];
    s->v[3 * i + d] = v[d];
    s->image[3 * i + d] = 0;
  }
  s->origin[i] = i;
  s->tag[i] = i + 1;
  s->type[i] = type;
  s->mask[i] = 0;
  s->molecule[i] = 0;
  s->nlocal++;
  return i;
}

static void from_fraction(const ds_box *b, const double l[3], double x[3])
{
  x[0] = b->lo[0] + b->h[0] * l[0] + b->h[5] * l[1] + b->h[4] * l[2];
  x[1] = b->lo[1] + b->h[1] * l[1] + b->h[3] * l[2];
  x[2] = b->lo[2] + b->h[2] * l[2];
}

static void to_fraction(const ds_box *b, const double x[3], double l[3])
{
  l[2] = (x[2] - b->lo[2]) / b->h[2];
  l[1] = (x[1] - b->lo[1] - b->h[3] * l[2]) / b->h[1];
  l[0] = (x[0] - b->lo[0] - b->h[5] * l[1] - b->h[4] * l[2]) / b->h[0];
}

static void add_random(test_system *s, const double x[3], int ntypes, double thermal,
                       uint64_t *seed)
{
  const int type = 1 + (int) (check_uniform(seed) * ntypes);
  double v[3];
  for (int d = 0; d < 3; d++) v[d] = thermal * random_normal(seed);
  system_add(s, x, v, type);
}

double system_charge(int64_t tag)
{
  static const double charge[7] = {1.0, -1.0, 0.37, 0.0, -TEST_LARGEST_CHARGE, 0.8, -1.0 / 3.0};
  return charge[tag % 7];
}

void system_fill(test_system *s, int n, int ntypes, double thermal, uint64_t *seed)
{
  for (int k = 0; k < n; k++) {
    double l[3], x[3];
    for (int d = 0; d < 3; d++) l[d] = check_uniform(seed);
    from_fraction(&s->box, l, x);
    add_random(s, x, ntypes, thermal, seed);
  }
}

void system_ball(test_system *s, int n, const double center[3], double radius, int ntypes,
                 double thermal, uint64_t *seed)
{
  for (int k = 0; k < n; k++) {
    double d[3], x[3];
    do
      for (int c = 0; c < 3; c++) d[c] = 2.0 * check_uniform(seed) - 1.0;
    while (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > 1.0);
    for (int c = 0; c < 3; c++) x[c] = center[c] + radius * d[c];
    add_random(s, x, ntypes, thermal, seed);
  }
}

void system_wrap(test_system *s)
{
  static const int column[3][3] = {
      {0, -1, -1}, {5, 1, -1}, {4, 3, 2}}; /* components of edges a, b, c in h */
  for (int i = 0; i < s->nlocal; i++)
    for (int d = 2; d >= 0; d--) {
      double l[3];
      if (!s->box.periodic[d]) continue;
      to_fraction(&s->box, s->x + 3 * i, l);
      const double whole = floor(l[d]);
      if (whole == 0.0) continue;
      for (int c = 0; c <= d; c++) s->x[3 * i + c] -= whole * s->box.h[column[d][c]];
    }
}

void system_snap(test_system *s, double grain)
{
  for (int k = 0; k < 3 * s->nlocal; k++) s->x[k] = rint(s->x[k] / grain) * grain;
}

static void add_ghost(test_system *s, int owner, const int image[3])
{
  const int g = s->nlocal + s->nghost;
  system_reserve(s, g + 1);
  for (int d = 0; d < 3; d++) {
    s->x[3 * g + d] = s->x[3 * owner + d];
    s->v[3 * g + d] = s->v[3 * owner + d];
    s->image[3 * g + d] = image[d];
  }
  s->origin[g] = owner;
  s->tag[g] = s->tag[owner];
  s->type[g] = s->type[owner];
  s->mask[g] = s->mask[owner];
  s->molecule[g] = s->molecule[owner];
  s->nghost++;
}

void system_images(test_system *s)
{
  double width[3];
  s->nghost = 0;
  system_widths(&s->box, width);
  for (int i = 0; i < s->nlocal; i++) {
    double l[3];
    int low[3], high[3], b[3];
    to_fraction(&s->box, s->x + 3 * i, l);
    for (int d = 0; d < 3; d++) {
      const double reach = s->range / width[d];
      const int given = s->box.periodic[d] && !s->box.undecomposed[d];
      low[d] = given ? (int) ceil(s->box.sublo[d] - reach - l[d]) : 0;
      high[d] = given ? (int) floor(s->box.subhi[d] + reach - l[d]) : 0;
      if (low[d] > 0) low[d] = 0; /* an own atom may be outside by the skin */
      if (high[d] < 0) high[d] = 0;
    }
    for (b[2] = low[2]; b[2] <= high[2]; b[2]++)
      for (b[1] = low[1]; b[1] <= high[1]; b[1]++)
        for (b[0] = low[0]; b[0] <= high[0]; b[0]++)
          if (b[0] || b[1] || b[2]) add_ghost(s, i, b);
  }
}

void system_chains(test_system *s, int length)
{
  enum { LIMIT = 6 };
  const size_t n = (size_t) s->nlocal;
  free(s->nspecial);
  free(s->special);
  s->max_special = LIMIT;
  s->nspecial = test_alloc(3 * n * sizeof *s->nspecial);
  s->special = test_alloc(LIMIT * n * sizeof *s->special);
  for (int i = 0; i < s->nlocal; i++) {
    int m = 0;
    for (int step = 1; step <= 3; step++) {
      for (int side = -1; side <= 1; side += 2) {
        const int k = i + side * step;
        if (k >= 0 && k < s->nlocal && k / length == i / length)
          s->special[LIMIT * i + m++] = s->tag[k];
      }
      s->nspecial[3 * i + step - 1] = m;
    }
  }
}

static void copy_special(test_system *to, int k, const test_system *from, int i)
{
  const size_t m = (size_t) from->max_special;
  memcpy(to->nspecial + 3 * k, from->nspecial + 3 * i, 3 * sizeof *to->nspecial);
  memcpy(to->special + m * (size_t) k, from->special + m * (size_t) i, m * sizeof *to->special);
}

void system_groups(test_system *s, int size, uint64_t *seed)
{
  for (int i = 0; i < s->nlocal; i++) {
    s->mask[i] = (int32_t) (check_random(seed) & 15u);
    s->molecule[i] = 5000000000 + i / size; /* molecules, too, have names of 64 bits */
  }
}

test_system system_alone(const test_system *s)
{
  test_system view = *s;
  view.nghost = 0;
  view.box.undecomposed[0] = view.box.undecomposed[1] = view.box.undecomposed[2] = 1;
  return view;
}

void system_shuffle(test_system *to, const test_system *from, uint64_t *seed)
{
  const int n = from->nlocal;
  int *order = test_alloc((size_t) n * sizeof *order);
  for (int k = 0; k < n; k++) order[k] = k;
  for (int k = n - 1; k > 0; k--) {
    const int m = (int) (check_random(seed) % (uint64_t) (k + 1)), t = order[k];
    order[k] = order[m];
    order[m] = t;
  }
  system_open(to, from->box.lo, from->box.h, from->box.periodic, from->range, from->box.slack);
  memcpy(to->box.image_rate, from->box.image_rate, sizeof to->box.image_rate);
  for (int k = 0; k < n; k++) {
    const int i = order[k];
    system_add(to, from->x + 3 * i, from->v + 3 * i, from->type[i]);
    to->tag[k] = from->tag[i];
    to->mask[k] = from->mask[i];
    to->molecule[k] = from->molecule[i];
  }
  to->nexclusions = from->nexclusions;
  to->exclusion = from->exclusion;
  if (from->max_special) {
    to->max_special = from->max_special;
    to->nspecial = test_alloc(3 * (size_t) n * sizeof *to->nspecial);
    to->special = test_alloc((size_t) (from->max_special * n) * sizeof *to->special);
    for (int k = 0; k < n; k++) copy_special(to, k, from, order[k]);
  }
  if (from->nghost) system_images(to);
  free(order);
}

void system_shift_tags(test_system *s, int64_t offset)
{
  for (int k = 0; k < s->nlocal + s->nghost; k++) s->tag[k] += offset;
  for (int k = 0; k < s->nlocal * s->max_special; k++) s->special[k] += offset;
}

void system_fraction(const test_system *s, int k, double lambda[3])
{
  to_fraction(&s->box, s->x + 3 * k, lambda);
  for (int d = 0; d < 3; d++) lambda[d] += s->image[3 * k + d];
}

void system_place(const test_system *s, int k, double x[3])
{
  const int *b = s->image + 3 * k;
  const double *h = s->box.h;
  x[0] = s->x[3 * k] + (h[0] * b[0] + h[5] * b[1] + h[4] * b[2]);
  x[1] = s->x[3 * k + 1] + (h[1] * b[1] + h[3] * b[2]);
  x[2] = s->x[3 * k + 2] + h[2] * b[2];
}

/* Whole boxes from k to its image that is nearest to i, along the periodic axes of which no images are given. */
static void nearest_image(const test_system *s, int i, int k, int b[3])
{
  double p[3], q[3];
  to_fraction(&s->box, s->x + 3 * i, p);
  to_fraction(&s->box, s->x + 3 * k, q);
  for (int d = 0; d < 3; d++)
    if (s->box.undecomposed[d] && s->box.periodic[d]) b[d] = (int) rint(p[d] - q[d]);
}

/* Whole boxes from k to the image of it that i sees. */
static void image_seen(const test_system *s, int i, int k, int b[3])
{
  memcpy(b, s->image + 3 * k, 3 * sizeof *b);
  nearest_image(s, i, k, b);
}

void system_image_velocity(const test_system *s, int i, int k, double w[3])
{
  const double *r = s->box.image_rate;
  int b[3];
  image_seen(s, i, k, b);
  w[0] = r[0] * b[0] + r[5] * b[1] + r[4] * b[2];
  w[1] = r[1] * b[1] + r[3] * b[2];
  w[2] = r[2] * b[2];
}

void system_separation(const test_system *s, int i, int k, double d[3])
{
  const double *h = s->box.h, *xi = s->x + 3 * i, *xk = s->x + 3 * k;
  int b[3];
  image_seen(s, i, k, b);
  d[0] = (xi[0] - xk[0]) - (h[0] * b[0] + h[5] * b[1] + h[4] * b[2]);
  d[1] = (xi[1] - xk[1]) - (h[1] * b[1] + h[3] * b[2]);
  d[2] = (xi[2] - xk[2]) - h[2] * b[2];
}

double system_shortest_period(const test_system *s)
{
  enum { LIMIT = 12 };
  const double *h = s->box.h;
  const int *on = s->box.periodic;
  double shortest = INFINITY;
  for (int a = -LIMIT * on[0]; a <= LIMIT * on[0]; a++)
    for (int b = -LIMIT * on[1]; b <= LIMIT * on[1]; b++)
      for (int c = -LIMIT * on[2]; c <= LIMIT * on[2]; c++) {
        const double x = h[0] * a + h[5] * b + h[4] * c, y = h[1] * b + h[3] * c, z = h[2] * c;
        if (a || b || c) shortest = fmin(shortest, sqrt(x * x + y * y + z * z));
      }
  return shortest;
}

void system_image_number(const test_system *s, int i, int k, int number[3])
{
  double p[3], q[3];
  int b[3];
  image_seen(s, i, k, b);
  to_fraction(&s->box, s->x + 3 * i, p);
  to_fraction(&s->box, s->x + 3 * k, q);
  for (int d = 0; d < 3; d++) number[d] = s->box.periodic[d] ? (int) rint(p[d] - q[d] - b[d]) : 0;
}

int system_excluded(const test_system *s, int i, int k)
{
  for (int m = 0; m < s->nexclusions; m++) {
    const ds_exclusion *const e = &s->exclusion[m];
    const int pair[2] = {i, k};
    for (int turn = 0; turn < 2; turn++) {
      const int p = pair[turn], q = pair[1 - turn];
      const int one = (s->mask[p] & e->a) != 0, both = one && (s->mask[q] & e->a) != 0;
      if (e->kind == DS_EXCLUDE_GROUPS && one && (s->mask[q] & e->b)) return 1;
      if (e->kind == DS_EXCLUDE_TYPES && s->type[p] == e->a && s->type[q] == e->b) return 1;
      if (e->kind == DS_EXCLUDE_SAME_MOLECULE && both && s->molecule[p] == s->molecule[q]) return 1;
      if (e->kind == DS_EXCLUDE_OTHER_MOLECULE && both && s->molecule[p] != s->molecule[q])
        return 1;
      if (e->kind == DS_EXCLUDE_OUTSIDE_GROUP && !one) return 1;
    }
  }
  return 0;
}

int system_special_code(const test_system *s, int i, int k)
{
  double r[3];
  int code = 0;
  if (!s->max_special) return 0;
  for (int m = s->nspecial[3 * i + 2] - 1; m >= 0; m--)
    if (s->special[s->max_special * i + m] == s->tag[k])
      code = m < s->nspecial[3 * i] ? 1 : m < s->nspecial[3 * i + 1] ? 2 : 3;
  if (!code) return 0;
  system_separation(s, i, k, r);
  for (int d = 0; d < 3; d++)
    if (s->box.periodic[d] && fabs(r[d]) > 0.5 * s->box.h[d]) return 0;
  return code;
}
