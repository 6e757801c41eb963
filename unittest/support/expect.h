/* expect.h: checks of statuses and texts. After check.h.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_EXPECT_H
#define DPDSOP_TEST_EXPECT_H

#include "dpdsop/status.h"

#include <string.h>

/* The status, and a text with each of the words (separated by |). */
CHECK_HELPER void check_error(ds_status got, const ds_error *err, ds_status expected,
                              const char *words, const char *file, int line)
{
  char copy[256];
  check_that(got == expected && err->code == expected, file, line,
             "status %d (%d), expected %d: %s", got, err->code, expected, err->text);
  strcpy(copy, words);
  for (char *w = strtok(copy, "|"); w; w = strtok(NULL, "|"))
    check_that(strstr(err->text, w) != NULL, file, line, "'%s' is not in '%s'", w, err->text);
}

#define EXPECT(call, err, status, words)                                                           \
  check_error((call), &(err), (status), (words), __FILE__, __LINE__)

#endif
