/* lists.h: an engine's list against brute force, and a list as a caller gives it. After check.h.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_LISTS_H
#define DPDSOP_TEST_LISTS_H

#include "support/engine.h"

#include <stdlib.h>

/* The list that the engine has, against brute force; `wide`: positions of double precision. */
CHECK_HELPER void check_list(const char *name, test_engine *e, const test_model *t,
                             const test_system *s, int wide)
{
  test_list got, expected;
  int where;
  if (!CHECK_OK(list_read(&got, e->dpd, &e->err), e->err)) return;
  list_by_brute_force(&expected, s, t, wide);
  const int row = list_compare(&got, &expected, &where);
  CHECK_MSG(row < 0, "%s: row %d of the list differs at entry %d", name, row, where);
  CHECK(ds_pair_get_info(e->dpd).entries >= got.start[got.rows]);
  list_free(&got);
  list_free(&expected);
}

/* All rows of a list as a caller gives them to ds_pair_set_list, of a system with n own atoms. Its entries are those of
   `from`, which must live as long. */
typedef struct {
  int *atom, *count, **entries;
  ds_pair_list list;
} caller_list;

CHECK_HELPER void caller_list_open(caller_list *c, const test_list *from, int n)
{
  c->atom = (int *) test_alloc((size_t) n * sizeof *c->atom);
  c->count = (int *) test_alloc((size_t) n * sizeof *c->count);
  c->entries = (int **) test_alloc((size_t) n * sizeof *c->entries);
  for (int r = 0; r < from->rows; r++) {
    const int i = from->atom[r];
    c->atom[r] = i;
    c->count[i] = (int) (from->start[r + 1] - from->start[r]);
    c->entries[i] = (int *) (from->entries + from->start[r]);
  }
  const ds_pair_list list = {from->rows, c->atom, c->count, c->entries, 0, NULL};
  c->list = list;
}

CHECK_HELPER void caller_list_close(caller_list *c)
{
  free(c->atom);
  free(c->count);
  free(c->entries);
}

#endif
