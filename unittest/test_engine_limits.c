/* test_engine_limits.c: atoms that are nowhere, forces out of range, memory that is exhausted; and
   nothing at all, which is no error.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_limits cuda" makes the same checks on the GPU. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dpdsop/device/neighbor.h"
#include "support/errors.h"
#include "support/memory.h"

/* A process without atoms, and so without arrays: nothing of it is an error. */
static void test_nothing(void)
{
  const int shift[3] = {1, 0, 0};
  for (int k = 0; k < variants.n; k++)
    for (int p = 0; p < DS_PRECISIONS; p++) {
      ds_error err;
      ds_atoms a;
      const ds_array none = array_none();
      int64_t start[1] = {7};
      int rows = 7;
      ds_pair_request r;
      ds_pair_totals totals;
      ds_pair *dpd = with_box(k, (ds_precision) p);
      memset(&a, 0, sizeof a);
      memset(&r, 0, sizeof r);
      r.want_energy = r.want_virial = 1;
      totals.energy = totals.virial[3] = 7.0;
      totals.force_sum[1] = 7;
      CHECK_OK(ds_pair_set_atoms(dpd, &a, &err), err);
      CHECK_OK(ds_pair_set_ghost_owners(dpd, NULL, NULL, &err), err);
      CHECK_OK(ds_pair_load(dpd, &none, &none, 0, &err), err);
      CHECK_OK(ds_pair_pack_ghosts(dpd, 0, NULL, shift, NULL, DS_SPACE_HOST, &err), err);
      CHECK_OK(ds_pair_unpack_ghosts(dpd, 0, 0, NULL, DS_SPACE_HOST, &err), err);
      CHECK_OK(ds_pair_build_list(dpd, &err), err);
      CHECK_OK(ds_pair_compute(dpd, &r, &totals, &err), err);
      CHECK(totals.energy == 0.0 && totals.virial[3] == 0.0 && totals.force_sum[1] == 0);
      CHECK_OK(ds_pair_read_list(dpd, &rows, NULL, start, NULL, &err), err);
      CHECK(rows == 0 && start[0] == 0);
      CHECK_INT(ds_pair_get_info(dpd).rows, 0);
      ds_pair_close(dpd);
    }
}

/* Coordinates that are no numbers or too far out, in every place of a vector loop and at its
   ends. */
static void test_positions(void)
{
  static const int atom[] = {0, 7, 255, 256, 498, 499};
  const double bad[] = {NAN, INFINITY, -INFINITY, -0.301, 7.3001, 1e300, -1e18};
  for (int k = 0; k < variants.n; k++)
    for (int p = 0; p < DS_PRECISIONS; p++)
      for (int a = 0; a < 6; a++)
        for (int b = 0; b < 7; b++) {
          double *const place = atoms_system.x + 3 * atom[a] + (b == 4 ? 2 : b % 3), old = *place;
          test_engine e;
          char words[80];
          if (!CHECK_OK(engine_open(&e, &variants.options[k], (ds_precision) p), e.err)) continue;
          *place = bad[b];
          const ds_status status = engine_setup(&e, &model, &atoms_system, 77);
          snprintf(words, sizeof words, "atom %d at (|at step 77|skin 0.3", 1001 + atom[a]);
          EXPECT(status, e.err, DS_ERR_POSITION, words);
          *place = old;
          engine_close(&e);
        }
}

/* Within the skin, on any side, is allowed. */
static void test_allowed_positions(void)
{
  for (int d = 0; d < 3; d++)
    for (int side = 0; side < 2; side++) {
      double *const place = atoms_system.x + 3 * 13 + d, old = *place;
      test_engine e;
      *place = side ? h[d] + 0.2999 : -0.2999;
      if (!CHECK_OK(engine_open(&e, &variants.options[0], DS_PRECISION_MIXED), e.err)) continue;
      CHECK_OK(engine_setup(&e, &model, &atoms_system, 77), e.err);
      *place = old;
      engine_close(&e);
    }
}

/* Two atoms alone, 0.5 apart along z, approaching at `speed`; returns the status of the forces. */
static ds_status collide(int variant, ds_precision p, double gamma, double kT, double speed,
                         int ntypes, ds_error *err, double *force)
{
  static test_model t;
  static const double x[2][3] = {{1, 1, 1}, {1, 1, 1.5}};
  const double v[2][3] = {{0, 0, speed}, {0, 0, -speed}}, still[3] = {0, 0, 0};
  test_system s;
  test_engine e;
  uint64_t seed = 410;
  model_open(&t, ntypes, 25, gamma, 1.0, 1.0, 0.3);
  t.m.kT = kT;
  system_open(&s, lo, h, all_periodic, 1.3, 0.3);
  for (int k = 0; k < 300; k++) { /* not the first row of the list, nor its first pair */
    const double other[3] = {2.5 + 2.0 * check_uniform(&seed), 5.0 * check_uniform(&seed),
                             6.0 * check_uniform(&seed)};
    system_add(&s, other, still, 1);
  }
  system_add(&s, x[0], v[0], 1);
  system_add(&s, x[1], v[1], ntypes);
  system_shift_tags(&s, 5000000000);
  system_images(&s);
  ds_status status = engine_open(&e, &variants.options[variant], p);
  if (!status) status = engine_setup(&e, &t, &s, 123);
  if (!status) status = engine_forces(&e, 0);
  *err = e.err;
  *force = status ? 0.0 : fabs(e.f[3 * 300 + 2]);
  if (e.dpd) engine_close(&e);
  system_close(&s);
  return status;
}

/* Forces up to 16 times what the coefficients let one expect are right, those beyond 32 times are
   refused, by the names of the two atoms; between, the power of two decides. Expected: a + 6.66
   sigma / sqrt(dt) for the noise, and friction of gamma rc / (16 dt). A velocity that is not a
   number gives no force that is one. */
static void test_force_range(void)
{
  const double w = 0.5, gamma = 4.5;
  for (int k = 0; k < variants.n; k++)
    for (int p = 0; p < DS_PRECISIONS; p++)
      for (int form = 0; form < 6; form++) {
        const double kT = form & 1,
                     expected = 25 + 6.66 * sqrt(2 * gamma * kT / 0.01) + gamma / (16 * 0.01);
        const double drag = (form < 2   ? 15.0
                             : form < 4 ? 40.0
                                        : 1e9) *
                            expected,
                     speed = drag / (2 * gamma * w * w);
        double force;
        ds_error err;
        const ds_status status =
            collide(k, (ds_precision) p, gamma, kT, speed, form < 4 ? 1 : 2, &err, &force);
        if (form < 2) {
          CHECK_OK(status, err);
          CHECK_NEAR(force, drag, 0.1 * drag);
        } else {
          EXPECT(status, err, DS_ERR_FORCE_RANGE,
                 "force|5000000301|5000000302|at step 123|at most");
        }
      }
  for (int k = 0; k < variants.n; k++)
    for (int p = 0; p < DS_PRECISIONS; p++) {
      double force;
      ds_error err;
      EXPECT(collide(k, (ds_precision) p, gamma, 1.0, NAN, 1, &err, &force), err,
             DS_ERR_FORCE_RANGE, "5000000301|5000000302");
      EXPECT(collide(k, (ds_precision) p, gamma, 1.0, INFINITY, 1, &err, &force), err,
             DS_ERR_FORCE_RANGE, "5000000301|5000000302");
    }
}

/* Atom of the first row that has a pair within the cutoff 1 of which one has a velocity that is no number. */
static int first_row_at_fault(const test_engine *e, const test_system *s)
{
  const size_t n = (size_t) s->nlocal;
  int rows, found = -1, *const atom = test_alloc(sizeof(int) * n);
  int64_t *const start = test_alloc(sizeof(int64_t) * (n + 1));
  ds_error err;
  CHECK_OK(ds_pair_read_list(e->dpd, &rows, atom, start, NULL, &err), err);
  uint32_t *const entries = test_alloc(sizeof(uint32_t) * (size_t) start[rows] + 4);
  CHECK_OK(ds_pair_read_list(e->dpd, &rows, atom, start, entries, &err), err);
  for (int r = 0; r < rows && found < 0; r++)
    for (int64_t k = start[r]; k < start[r + 1] && found < 0; k++) {
      const int i = atom[r], j = (int) (entries[k] & DS_INDEX_MASK);
      double d[3];
      if (!isnan(s->v[3 * i]) && !isnan(s->v[3 * (j < s->nlocal ? j : s->origin[j])])) continue;
      system_separation(s, i, j, d);
      if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < 1.0) found = i;
    }
  free(atom), free(start), free(entries);
  return found;
}

/* Of many faults in one evaluation, in parts that several threads take as they come, it is always that of the first row
   that is named. */
static void test_first_fault(void)
{
  static const double wide[6] = {15, 14, 16, 0, 0, 0};
  for (uint64_t round = 0; round < 4; round++) {
    static test_model t;
    test_system s;
    uint64_t seed = 900 + round;
    model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
    system_open(&s, lo, wide, all_periodic, 1.3, 0.3);
    system_fill(&s, 9000, 1, 1.0, &seed);
    system_shift_tags(&s, 100000);
    for (int k = 0; k < 6; k++) s.v[3 * (check_random(&seed) % 9000)] = NAN;
    system_images(&s);
    for (int v = 0; v < variants.n; v++)
      for (int again = 0; again < 3; again++) {
        test_engine e;
        char words[40];
        if (!CHECK_OK(engine_open(&e, &variants.options[v], (ds_precision) (round % DS_PRECISIONS)), e.err))
          continue;
        CHECK_OK(engine_setup(&e, &t, &s, 3), e.err);
        snprintf(words, sizeof words, "between atoms %d and", 100001 + first_row_at_fault(&e, &s));
        EXPECT(engine_forces(&e, 0), e.err, DS_ERR_FORCE_RANGE, words);
        engine_close(&e);
      }
    system_close(&s);
  }
}

/* Host memory that is exhausted: the process may have 64 MB more than it has now. */
static void test_memory(void)
{
  ds_error err;
  if (variants.options[0].backend == DS_BACKEND_CUDA) return; /* maps all addresses */
  ds_pair *dpd = with_box(0, DS_PRECISION_MIXED);
  ds_atoms a = atoms_of(&atoms_system);
  a.nlocal = 0; /* refused before any of them is looked at */
  a.nghost = 100000000;
  if (memory_limit(64u << 20)) {
    const ds_status status = ds_pair_set_atoms(dpd, &a, &err);
    memory_limit_end();
    EXPECT(status, err, DS_ERR_MEMORY, "ghosts|bytes of host memory");
  }
  ds_pair_close(dpd);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  small_system();
  CHECK_CASE(test_nothing());
  CHECK_CASE(test_positions());
  CHECK_CASE(test_allowed_positions());
  CHECK_CASE(test_force_range());
  CHECK_CASE(test_first_fault());
  CHECK_CASE(test_memory());
  system_close(&atoms_system);
  return check_result();
}
