/* test_engine_sop_pull.c: held and pulled beads: which way, how far, when, and what is reported.
   SPDX-License-Identifier: GPL-2.0-or-later

   Without noise, with beads that do not see each other, everything follows by hand. Positions are rounded to units in each
   step, so that n steps are right to n / 2 units and what single arithmetic has of them, 2^-22. What acts on sets of beads
   with weights, and from a plane, has the host's bits: with the argument "cuda" the host's are compared with the GPU's. */
#include "check.h"
#include "support/sop.h"
#include "support/expect.h"
#include "support/system.h"

static sop_variants variants;
static test_molecule molecule; /* four beads 20 angstrom apart along x */

enum { BEADS = 4, COPIES = 18 };

static const double h = 2000.0;

static double tolerance(int steps, double length)
{
  return 0.5 * steps * sop_units_of(&molecule.topology).position + 0x1p-22 * fabs(length) + 1e-12;
}

static ds_sop *start(const ds_sop_options *o, const ds_sop_pull *pull, double **from)
{
  ds_error err;
  double *const x = sop_copies(&molecule, COPIES, 3, 30.0);
  for (int m = 0; m < COPIES; m++) x[3 * (BEADS * m + 3) + 1] += m; /* so that directions differ */
  ds_sop *const sop = sop_start(o, &molecule, COPIES, 3, 1, x);
  free(x);
  *from = sop_positions(sop, BEADS * COPIES + 3);
  if (pull) CHECK_OK(ds_sop_set_pull(sop, pull, &err), err);
  return sop;
}

/* The unit vector from bead 0 to the mean of beads 2 and 3 of a copy, and its length. */
static double end_to_end(const double *x, int copy, double n[3])
{
  const double *const b = x + 3 * BEADS * copy;
  double square = 0.0;
  for (int c = 0; c < 3; c++) {
    n[c] = 0.5 * (b[6 + c] + b[9 + c]) - b[c];
    square += n[c] * n[c];
  }
  for (int c = 0; c < 3; c++) n[c] /= sqrt(square);
  return sqrt(square);
}

/* ---------------------------------------------------------------------------------- a constant force */

/* Shared equally by beads 2 and 3; bead 0 is held, 1 and the free ones are left alone. */
static void check_force(const ds_sop_options *o)
{
  enum { STEPS = 40 };
  const int32_t fixed = 0, pulled[2] = {2, 3};
  const ds_sop_pull pull = {
    .mode = DS_SOP_PULL_FORCE, .fixed = 1, .pulled = 2, .fixed_bead = &fixed, .pulled_bead = pulled, .force = 3.0
  };
  double *x, force[COPIES], extension[COPIES], n[3], m[3], direction[3 * COPIES], projection[COPIES];
  ds_error err;
  ds_sop *const sop = start(o, &pull, &x);
  CHECK_OK(ds_sop_pulling(sop, force, extension, &err), err);
  for (int k = 0; k < COPIES; k++) /* not begun: as if it began here */
    CHECK(force[k] == 3.0 && fabs(extension[k] - end_to_end(x, k, n)) < 1e-7);
  for (int begun = 0; begun < 2; begun++) {
    CHECK_OK(ds_sop_pull_direction(sop, direction, projection, &err), err);
    for (int k = 0; k < COPIES; k++) {
      CHECK_NEAR(projection[k], end_to_end(x, k, n) + (begun ? 1.5 * h / SOP_ZETA : 0.0), 1e-7);
      for (int c = 0; c < 3; c++) CHECK_NEAR(direction[3 * k + c], n[c], 1e-12);
    }
    if (!begun) sop_advance(sop, 2, 1, h, 0.0);
  }
  sop_advance(sop, 3, STEPS, h, 0.0);
  double *const y = sop_positions(sop, BEADS * COPIES + 3);
  CHECK_OK(ds_sop_pulling(sop, force, extension, &err), err);
  for (int k = 0; k < COPIES; k++) {
    const double way = (STEPS + 1) * h * 1.5 / SOP_ZETA;
    end_to_end(x, k, n);
    for (int b = 0; b < BEADS; b++)
      for (int c = 0; c < 3; c++) {
        const int at = 3 * (BEADS * k + b) + c;
        CHECK_NEAR(y[at] - x[at], b >= 2 ? way * n[c] : 0.0, b >= 2 ? tolerance(STEPS + 1, way) : 0.0);
      }
    CHECK_NEAR(force[k], 3.0, 0.0);
    CHECK_NEAR(extension[k], end_to_end(y, k, m), 1e-8);
  }
  for (int c = 0; c < 9; c++) CHECK_NEAR(y[3 * BEADS * COPIES + c], x[3 * BEADS * COPIES + c], 0.0);
  ds_sop_close(sop);
  free(x);
  free(y);
}

/* ------------------------------------------------------------------------------------------- a spring */

/* How far the mean of two beads comes in steps of eqs. 4 and 5, each of which has half of the force; the spring's other end has
   come to `end`. */
static double by_spring(double s, double k, double end, double step, int order)
{
  const double rate = 0.5 * k * (end - s) / SOP_ZETA;
  const double ahead = 0.5 * k * (end - s - rate * step) / SOP_ZETA;
  return s + step * (order == 1 ? rate : 0.5 * (rate + ahead));
}

/* t is 0 in the first step after set_pull, and goes on when the length of steps changes; set anew, the spring begins from
   where the beads are. The direction given is not a unit vector. */
static void check_spring(const ds_sop_options *o)
{
  const double k = 5.0, v = 4e-5, direction[3] = {0.0, 3.0, -4.0};
  const double length[4] = {h, h, 0.5 * h, 1.5 * h};
  const int32_t pulled[2] = {2, 3};
  const ds_sop_pull pull = {
    .mode = DS_SOP_PULL_SPRING, .pulled = 2, .pulled_bead = pulled, .spring = k, .speed = v, .direction = {0.0, 3.0, -4.0}
  };
  double *x, force[COPIES], extension[COPIES];
  ds_error err;
  ds_sop *const sop = start(o, NULL, &x);
  sop_advance(sop, 0, 5, h, 0.0); /* no time for a spring that is not there */
  for (int again = 0; again < 2; again++) {
    double s = 0.0, t = 0.0;
    int64_t step = 1000 * again + 5;
    int steps = 0;
    double *const from = sop_positions(sop, BEADS * COPIES + 3);
    CHECK_OK(ds_sop_set_pull(sop, &pull, &err), err);
    for (int run = 0; run < 4; run++) {
      sop_advance(sop, step, 30, length[run], 0.0);
      step += 30;
      steps += 30;
      for (int i = 0; i < 30; i++, t += length[run])
        s = by_spring(s, k, v * t, length[run], o->order);
    }
    double *const y = sop_positions(sop, BEADS * COPIES + 3);
    CHECK_OK(ds_sop_pulling(sop, force, extension, &err), err);
    for (int m = 0; m < COPIES; m++) {
      for (int b = 0; b < BEADS; b++)
        for (int c = 0; c < 3; c++) {
          const int at = 3 * (BEADS * m + b) + c;
          CHECK_NEAR(y[at] - from[at], b >= 2 ? 0.2 * s * direction[c] : 0.0,
                     b >= 2 ? tolerance(steps, s) : 0.0);
        }
      CHECK_NEAR(force[m], k * (v * t - s), k * tolerance(2 * steps, s));
      CHECK_NEAR(extension[m], s, tolerance(2 * steps, s)); /* from where they began */
    }
    CHECK(s > 0.5); /* it is pulled */
    free(from);
    free(y);
  }
  ds_sop_close(sop);
  free(x);
}

/* Forth, back, standing still, and on: the end goes on from where it is, so that the force does not jump, in steps of another
   length, too. A speed set before the first step is that of a pull that was set with it, to the bit. */
static void check_speeds(const ds_sop_options *o)
{
  enum { RUNS = 7, STEPS = 30 };
  static const double speed[RUNS] = {4e-5, -3e-5, -3e-5, -2e-4, 0.0, 4e-5, 4e-5},
                      length[RUNS] = {2000.0, 2000.0, 1000.0, 1000.0, 3000.0, 3000.0, 2000.0};
  const double k = 5.0;
  const int32_t pulled[2] = {2, 3};
  const ds_sop_pull pull = {
    .mode = DS_SOP_PULL_SPRING, .pulled = 2, .pulled_bead = pulled, .spring = k, .speed = 9e-5, .direction = {0.0, 3.0, -4.0}
  };
  ds_sop_pull first = pull;
  double *x, *same, force[COPIES], extension[COPIES], before[COPIES], s = 0.0, end = 0.0, last = 0.0;
  ds_error err;
  first.speed = speed[0];
  ds_sop *const sop = start(o, &pull, &x), *const twin = start(o, &first, &same);
  for (int run = 0; run < RUNS; run++) {
    CHECK_OK(ds_sop_pulling(sop, before, extension, &err), err);
    CHECK_OK(ds_sop_set_pull_speed(sop, speed[run], &err), err);
    CHECK(ds_sop_pull_speed(sop) == speed[run]);
    CHECK_OK(ds_sop_pulling(sop, force, extension, &err), err);
    CHECK(memcmp(force, before, sizeof force) == 0);
    sop_advance(sop, STEPS * run, STEPS, length[run], 0.0);
    for (int i = 0; i < STEPS; i++, end += speed[run] * length[run]) s = by_spring(s, k, end, length[run], o->order);
    CHECK_OK(ds_sop_pulling(sop, force, extension, &err), err);
    for (int m = 0; m < COPIES; m++) {
      const double most = tolerance(2 * STEPS * (run + 1), 5.0);
      CHECK_NEAR(force[m], k * (end - s), k * most);
      CHECK_NEAR(extension[m], fabs(s), most);
    }
    if (run == 0) {
      sop_advance(twin, 0, STEPS, length[0], 0.0);
      double *const y = sop_positions(sop, BEADS * COPIES + 3), *const z = sop_positions(twin, BEADS * COPIES + 3);
      CHECK(memcmp(y, z, 3 * (BEADS * COPIES + 3) * sizeof *y) == 0);
      free(y);
      free(z);
    }
    if (run == 3) { /* the end has come back beyond where it began, and draws the beads back */
      CHECK(end < -1.0 && force[0] < -5.0 && s < last);
    }
    last = s;
  }
  ds_sop_close(sop);
  ds_sop_close(twin);
  free(x);
  free(same);
}

/* -------------------------------------------------------------------------------------- sets, planes */

/* Beads 0 and 1 are held, and weigh 2 to 1; 2 and 3 are pulled, and weigh 1 to 3. */
static const int32_t held_set[2] = {0, 1}, pulled_set[2] = {2, 3};
static const double held_weight[2] = {5.0, 2.5}, pulled_weight[2] = {0.1, 0.3}, share[2] = {0.25, 0.75};

static ds_sop_pull pull_of_sets(ds_sop_pull_mode mode)
{
  const ds_sop_pull pull = {
    .mode = mode, .fixed = 2, .pulled = 2, .fixed_bead = held_set, .pulled_bead = pulled_set, .fixed_weight = held_weight,
    .pulled_weight = pulled_weight
  };
  return pull;
}

/* Component c of the mean of the held or of the pulled beads of a copy. */
static double mean_held(const double *x, int copy, int c)
{
  const double *const b = x + 3 * BEADS * copy + c;
  return (2.0 * b[0] + b[3]) / 3.0;
}

static double mean_pulled(const double *x, int copy, int c)
{
  const double *const b = x + 3 * BEADS * copy + c;
  return share[0] * b[6] + share[1] * b[9];
}

/* From one mean to the other: the way by which beads go follows from weights, and so do direction and extension. All shares
   together are the force. */
static void check_shares(const ds_sop_options *o)
{
  enum { STEPS = 40 };
  ds_sop_pull pull = pull_of_sets(DS_SOP_PULL_FORCE);
  double *x, force[COPIES], extension[COPIES], direction[3 * COPIES], projection[COPIES];
  ds_error err;
  pull.force = 3.0;
  ds_sop *const sop = start(o, &pull, &x);
  sop_advance(sop, 2, STEPS, h, 0.0);
  double *const y = sop_positions(sop, BEADS * COPIES + 3);
  CHECK_OK(ds_sop_pulling(sop, force, extension, &err), err);
  CHECK_OK(ds_sop_pull_direction(sop, direction, projection, &err), err);
  for (int k = 0; k < COPIES; k++) {
    const double way = STEPS * h * 3.0 / SOP_ZETA;
    double n[3], length = 0.0, square = 0.0, all = 0.0;
    for (int c = 0; c < 3; c++) length += pow(n[c] = mean_pulled(x, k, c) - mean_held(x, k, c), 2.0);
    for (int c = 0; c < 3; c++) {
      const double *const from = x + 3 * BEADS * k + c, *const to = y + 3 * BEADS * k + c;
      n[c] /= sqrt(length);
      CHECK_NEAR(direction[3 * k + c], n[c], 1e-12);
      CHECK(to[0] == from[0] && to[3] == from[3]);
      for (int b = 0; b < 2; b++) CHECK_NEAR(to[6 + 3 * b] - from[6 + 3 * b], share[b] * way * n[c], tolerance(STEPS, way));
      all += (to[6] - from[6] + to[9] - from[9]) * n[c];
      square += pow(mean_pulled(y, k, c) - mean_held(y, k, c), 2.0);
    }
    CHECK_NEAR(all, way, 2.0 * tolerance(2 * STEPS, way));
    CHECK_NEAR(extension[k], sqrt(square), 1e-7);
    CHECK_NEAR(force[k], 3.0, 0.0);
  }
  ds_sop_close(sop);
  free(x);
  free(y);
}

/* The distance of the mean from a plane that begins 7 angstrom behind it; the other end of the spring begins in the plane.
   Whatever is along the plane stays. The molecule may be far away from where numbers begin. */
static void check_plane(const ds_sop_options *o)
{
  enum { STEPS = 60 };
  static const double n[3] = {0.0, 0.6, -0.8}, mobility = 0.25 * 0.25 + 0.75 * 0.75;
  const double k = 4.0, v = 3e-5;
  double force[COPIES], extension[COPIES], projection[COPIES], direction[3 * COPIES];
  ds_error err;
  ds_sop_pull pull = pull_of_sets(DS_SOP_PULL_SPRING);
  pull.spring = k;
  pull.speed = v;
  pull.has_plane = 1;
  double *const x = sop_copies(&molecule, COPIES, 3, 30.0);
  for (int b = 0; b < BEADS * COPIES + 3; b++) x[3 * b] += 1.5e9; /* times a weight this does not fit into 64 bits */
  for (int c = 0; c < 3; c++) {
    pull.direction[c] = 10.0 * n[c];
    pull.plane[c] = mean_pulled(x, 0, c) - 7.0 * n[c];
    for (int b = 0; b < BEADS; b++) pull.plane[c] -= x[3 * b + c] / BEADS;
  }
  ds_sop *const sop = sop_start(o, &molecule, COPIES, 3, 1, x);
  CHECK_OK(ds_sop_set_pull(sop, &pull, &err), err);
  CHECK_OK(ds_sop_pulling(sop, force, extension, &err), err);
  for (int m = 0; m < COPIES; m++) {
    CHECK_NEAR(extension[m], 7.0, 1e-6);
    CHECK_NEAR(force[m], -7.0 * k, 1e-5);
  }
  sop_advance(sop, 11, STEPS, h, 0.0);
  double *const y = sop_positions(sop, BEADS * COPIES + 3), d = 7.0;
  for (int i = 0; i < STEPS; i++) {
    const double rate = mobility * k * (v * h * i - d) / SOP_ZETA, ahead = mobility * k * (v * h * i - d - rate * h) / SOP_ZETA;
    d += h * (o->order == 1 ? rate : 0.5 * (rate + ahead));
  }
  CHECK(d > 0.5 && d < 6.5); /* it has moved, and is not there yet */
  CHECK_OK(ds_sop_pulling(sop, force, extension, &err), err);
  CHECK_OK(ds_sop_pull_direction(sop, direction, projection, &err), err);
  for (int m = 0; m < COPIES; m++) {
    const double most = tolerance(2 * STEPS, 7.0) + 1e-6; /* doubles of such coordinates have 2^-22 */
    CHECK_NEAR(extension[m], d, most);
    CHECK_NEAR(projection[m], extension[m], 1e-9);
    CHECK_NEAR(force[m], k * (v * h * STEPS - d), k * most);
    for (int c = 0; c < 3; c++)
      CHECK_NEAR(mean_pulled(y, m, c) - mean_pulled(x, m, c), (d - 7.0) * n[c], most);
  }
  ds_sop_close(sop);
  free(x);
  free(y);
}

/* In equilibrium the distance has the variance kB T / K, times what steps of this length make of it: 2 / (2 - a), of the first
   order, where a step takes the share a of the distance away. 7,200 samples, five standard deviations. */
static void check_equipartition(const ds_sop_options *o)
{
  enum { SAMPLES = 400, EACH = 6 };
  const double mobility = 0.25 * 0.25 + 0.75 * 0.75, k = 16.0, a = 0.5, step = a * SOP_ZETA / (k * mobility);
  double *x, force[COPIES], extension[COPIES], sum = 0.0, square = 0.0;
  ds_error err;
  ds_sop_pull pull = pull_of_sets(DS_SOP_PULL_SPRING);
  pull.spring = k;
  pull.has_plane = 1;
  pull.direction[2] = 1.0;
  if (o->order != 1) return;
  ds_sop *const sop = start(o, &pull, &x);
  for (int i = -5; i < SAMPLES; i++) {
    sop_advance(sop, EACH * (i + 5), EACH, step, SOP_KT);
    CHECK_OK(ds_sop_pulling(sop, force, extension, &err), err);
    for (int m = 0; m < COPIES && i >= 0; m++) {
      sum += extension[m];
      square += extension[m] * extension[m];
    }
  }
  const double samples = SAMPLES * COPIES, variance = SOP_KT / k * 2.0 / (2.0 - a);
  CHECK_NEAR(sum / samples, 0.0, 5.0 * sqrt(variance / samples));
  CHECK_NEAR(square / samples / variance, 1.0, 5.0 * sqrt(2.0 / samples));
  ds_sop_close(sop);
  free(x);
}

/* A trajectory with noise under a pull; to be freed. */
static double *pulled_by(const ds_sop_options *o, const test_molecule *m, const ds_sop_pull *pull)
{
  enum { N = 5, FREE = 2 };
  ds_error err;
  double *const x = sop_copies(m, N, FREE, 50.0);
  ds_sop *const sop = sop_start(o, m, N, FREE, 1, x);
  free(x);
  CHECK_OK(ds_sop_set_pull(sop, pull, &err), err);
  sop_advance(sop, 3, 40, 1000.0, SOP_KT);
  double *const y = sop_positions(sop, (size_t) (N * m->topology.beads + FREE));
  ds_sop_close(sop);
  return y;
}

enum { FOLDED = 24 };

/* A set whose beads weigh the same, whatever that is, and a single bead of any weight, are pulled as without weights. */
static void check_equal_weights(const ds_sop_options *o, const test_molecule *m)
{
  static const int32_t fixed[2] = {0, 5}, pulled[2] = {FOLDED - 1, 9};
  static const double weight[2] = {0.3, 0.3};
  for (int count = 1; count <= 2; count++) {
    ds_sop_pull pull = {
      .mode = DS_SOP_PULL_SPRING, .fixed = count, .pulled = count, .fixed_bead = fixed, .pulled_bead = pulled, .spring = 0.5,
      .speed = 1e-3
    };
    double *const plain = pulled_by(o, m, &pull);
    pull.fixed_weight = pull.pulled_weight = weight;
    sop_check_positions(pulled_by(o, m, &pull), plain, 5 * FOLDED + 2, o, "equal weights");
    pull.pulled_weight = pulled_weight;
    double *const other = pulled_by(o, m, &pull);
    CHECK((memcmp(other, plain, (5 * FOLDED + 2) * 3 * sizeof *other) == 0) == (count == 1));
    free(plain);
    free(other);
  }
}

/* Sets and planes have the bits of the host's scheme particle with one thread. */
static void check_bits(const ds_sop_options *o, const test_molecule *m)
{
  static const int32_t fixed[3] = {0, 1, 7}, pulled[3] = {FOLDED - 1, FOLDED - 2, 9};
  static const double weight[4][3] = {{1.0, 2.0, 7.0}, {57.05, 71.08, 128.17}, {1.0, 1.0, 1.0}, {1000.0, 1.0, 0.5}};
  for (int k = 0; k < 8; k++) {
    const ds_sop_pull pull = {
      .mode = k % 4 == 3 ? DS_SOP_PULL_FORCE : DS_SOP_PULL_SPRING, .fixed = 3, .pulled = 3, .fixed_bead = fixed,
      .pulled_bead = pulled, .spring = 0.7, .speed = 2e-3, .force = 1.5, .direction = {0.0, 0.0, k % 2 ? -2.0 : 0.0},
      .fixed_weight = weight[(k + 1) % 4], .pulled_weight = weight[k % 4], .has_plane = k % 2, .plane = {1.0, 2.0, -9.0}
    };
    ds_sop_options here = *o, there = *o;
    if (k > 5 && o->order == 1) here = there = sop_with_hydro(o, k % 2 ? DS_SOP_HYDRO_TEA : DS_SOP_HYDRO_EXACT, 2.0);
    if (k > 5 && o->order != 1) continue;
    there.backend = DS_BACKEND_HOST;
    there.isa = NULL;
    there.threads = 1;
    there.scheme = DS_SOP_PARTICLE;
    double *const expected = pulled_by(&there, m, &pull);
    sop_check_positions(pulled_by(&here, m, &pull), expected, 5 * FOLDED + 2, &here, "sets and planes");
    free(expected);
  }
}

/* ------------------------------------------------------------------------------------------- nothing */

/* NONE: what was held and pulled before is free. */
static void check_none(const ds_sop_options *o)
{
  const int32_t fixed = 0, pulled = 3;
  const ds_sop_pull pull = {
    .mode = DS_SOP_PULL_FORCE, .fixed = 1, .pulled = 1, .fixed_bead = &fixed, .pulled_bead = &pulled, .force = 3.0
  };
  const ds_sop_pull none = {.mode = DS_SOP_PULL_NONE};
  const ds_sop_motion warm = {20, 10, h, SOP_ZETA, SOP_KT};
  double *x, force[COPIES], extension[COPIES];
  ds_error err;
  ds_sop *const sop = start(o, &pull, &x);
  sop_advance(sop, 0, 10, h, 0.0);
  CHECK_OK(ds_sop_set_pull(sop, &none, &err), err);
  double *const y = sop_positions(sop, BEADS * COPIES + 3);
  sop_advance(sop, 10, 10, h, 0.0);
  double *const z = sop_positions(sop, BEADS * COPIES + 3);
  CHECK(memcmp(y, z, 3 * (BEADS * COPIES + 3) * sizeof *y) == 0);
  CHECK_OK(ds_sop_pulling(sop, force, extension, &err), err);
  CHECK(force[0] == 0.0 && extension[0] == 0.0);
  CHECK_OK(ds_sop_advance(sop, &warm, &err), err);
  double *const w = sop_positions(sop, BEADS * COPIES + 3);
  CHECK(w[0] != z[0] && w[1] != z[1] && w[2] != z[2]); /* bead 0 is not held any more */
  ds_sop_close(sop);
  free(x);
  free(y);
  free(z);
  free(w);
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  test_molecule folded;
  molecule_loose(&molecule, BEADS);
  molecule_folded(&folded, FOLDED, 436);
  for (int v = 0; v < variants.n; v++)
    for (int scheme = DS_SOP_PARTICLE; scheme <= DS_SOP_BLOCK; scheme++)
      for (int order = 1; order <= 2; order++) {
        ds_sop_options o = variants.options[v];
        o.scheme = (ds_sop_scheme) scheme;
        o.order = order;
        CHECK_CASE(check_force(&o));
        CHECK_CASE(check_spring(&o));
        CHECK_CASE(check_speeds(&o));
        CHECK_CASE(check_none(&o));
        CHECK_CASE(check_shares(&o));
        CHECK_CASE(check_plane(&o));
        CHECK_CASE(check_equipartition(&o));
        CHECK_CASE(check_equal_weights(&o, &folded));
        CHECK_CASE(check_bits(&o, &folded));
      }
  molecule_close(&molecule);
  molecule_close(&folded);
  return check_result();
}
