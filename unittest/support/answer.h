/* answer.h: what the engine computes for a system, and comparison to the bit. After check.h.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_ANSWER_H
#define DPDSOP_TEST_ANSWER_H

#include "support/engine.h"

#include <stdlib.h>
#include <string.h>

/* Forces, energies and virials of a system, by atom. */
typedef struct {
  int n;
  double *f, *eatom, *vatom, energy, virial[6];
  int64_t sum[3];
} answer;

CHECK_HELPER void answer_open(answer *a, int n)
{
  memset(a, 0, sizeof *a);
  a->n = n;
  a->f = test_alloc(24 * (size_t) n);
  a->eatom = test_alloc(8 * (size_t) n);
  a->vatom = test_alloc(48 * (size_t) n);
}

CHECK_HELPER void answer_close(answer *a)
{
  free(a->f);
  free(a->eatom);
  free(a->vatom);
}

/* by[i]: where atom i's values go. NULL: in its own place. */
CHECK_HELPER void answer_take(answer *a, const test_engine *e, const int *by)
{
  for (int i = 0; i < a->n; i++) {
    const int k = by ? by[i] : i;
    memcpy(a->f + 3 * k, e->f + 3 * i, 24);
    a->eatom[k] = e->eatom[i];
    memcpy(a->vatom + 6 * k, e->vatom + 6 * i, 48);
  }
  a->energy = e->totals.energy;
  memcpy(a->virial, e->totals.virial, sizeof a->virial);
  memcpy(a->sum, e->totals.force_sum, sizeof a->sum);
}

CHECK_HELPER void check_atoms(const answer *got, const answer *expected, const char *name,
                              const char *what)
{
  const size_t n = (size_t) expected->n;
  int atom = -1;
  for (int k = 3 * expected->n - 1; k >= 0; k--)
    if (memcmp(&got->f[k], &expected->f[k], 8) != 0) atom = k / 3;
  if (atom >= 0) {
    const double *f = got->f + 3 * atom, *g = expected->f + 3 * atom;
    CHECK_MSG(0, "%s, %s: force on atom %d is %.17g %.17g %.17g, expected %.17g %.17g %.17g", name,
              what, atom, f[0], f[1], f[2], g[0], g[1], g[2]);
  }
  CHECK_MSG(memcmp(got->eatom, expected->eatom, 8 * n) == 0, "%s, %s: energies differ", name, what);
  CHECK_MSG(memcmp(got->vatom, expected->vatom, 48 * n) == 0, "%s, %s: virials differ", name, what);
}

CHECK_HELPER void check_answer(const answer *got, const answer *expected, const char *name,
                               const char *what)
{
  check_atoms(got, expected, name, what);
  CHECK_MSG(got->energy == expected->energy, "%s, %s: energy %.17g, expected %.17g", name, what,
            got->energy, expected->energy);
  CHECK_MSG(memcmp(got->virial, expected->virial, sizeof got->virial) == 0,
            "%s, %s: total virials differ", name, what);
  CHECK_MSG(got->sum[0] == 0 && got->sum[1] == 0 && got->sum[2] == 0,
            "%s, %s: sum of forces is not zero", name, what);
}

/* One process, ghosts by owner where there are any, the engine's own list. */
CHECK_HELPER int evaluate(answer *a, const ds_pair_options *options, ds_precision precision,
                          const test_model *t, const test_system *s, const int *by)
{
  test_engine e;
  ds_pair_options o = *options;
  o.style = t->style;
  int good = CHECK_OK(engine_open(&e, &o, precision), e.err) &&
             CHECK_OK(engine_setup(&e, t, s, 9), e.err) && CHECK_OK(engine_forces(&e, 1), e.err);
  if (good) answer_take(a, &e, by);
  if (e.dpd) engine_close(&e);
  return good;
}

CHECK_HELPER const ds_pair_options *plain(void)
{
  static ds_pair_options o;
  o.backend = DS_BACKEND_HOST;
  o.threads = 1;
  o.isa = "base";
  return &o;
}

/* What an engine computes, against a fresh one. */
CHECK_HELPER void check_fresh(const char *name, test_engine *e, ds_precision precision,
                              const test_model *t, const test_system *s)
{
  answer a, b;
  answer_open(&a, s->nlocal);
  answer_open(&b, s->nlocal);
  if (CHECK_OK(engine_forces(e, 1), e->err) && evaluate(&b, plain(), precision, t, s, NULL)) {
    answer_take(&a, e, NULL);
    check_answer(&a, &b, name, precision == DS_PRECISION_DOUBLE ? "double" : "mixed");
  }
  answer_close(&a);
  answer_close(&b);
}

#endif
