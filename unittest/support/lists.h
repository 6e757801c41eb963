/* lists.h: an engine's list against brute force. After check.h.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_LISTS_H
#define DPDSOP_TEST_LISTS_H

#include "support/engine.h"

/* The list that the engine has, against brute force; `wide`: positions of double precision. */
CHECK_HELPER void check_list(const char *name, test_engine *e, const test_model *t,
                             const test_system *s, int wide)
{
  test_list got, expected;
  int where;
  if (!CHECK_OK(list_read(&got, e->dpd, &e->err), e->err)) return;
  list_by_brute_force(&expected, s, t, wide, 1);
  const int row = list_compare(&got, &expected, &where);
  CHECK_MSG(row < 0, "%s: row %d of the list differs at entry %d", name, row, where);
  CHECK(engine_room(e) >= got.start[got.rows]);
  list_free(&got);
  list_free(&expected);
}

#endif
