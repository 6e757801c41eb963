/* table.c: tables as text or Markdown.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench_rng.h"

#include <stdarg.h>
#include <stdio.h>

enum { FIRST = 28, OTHER = 9 };

void bench_heading(const bench_settings *s, const char *text)
{
  printf(s->markdown ? "\n### %s\n\n" : "\n%s\n", text);
}

void bench_remark(const bench_settings *s, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  printf(s->markdown ? "- " : "  ");
  vprintf(format, arguments);
  printf("\n");
  va_end(arguments);
}

bench_table bench_table_begin(const bench_settings *s, const char *first, const char *const *head,
                              int columns, const char *notes)
{
  const bench_table t = {s->markdown, columns, notes != NULL};
  if (t.markdown) printf("| ");
  printf("%-*s", FIRST, first);
  for (int c = 0; c < columns; c++) printf(t.markdown ? " | %*s" : " %*s", OTHER, head[c]);
  if (notes) printf(t.markdown ? " | %s" : "  %s", notes);
  printf(t.markdown ? " |\n|---" : "\n");
  if (t.markdown) {
    for (int c = 0; c < columns; c++) printf("|--:");
    printf(notes ? "|---|\n" : "|\n");
  }
  return t;
}

void bench_table_row(const bench_table *t, const char *first, const double *value, const char *note)
{
  if (t->markdown) printf("| ");
  printf("%-*s", FIRST, first);
  for (int c = 0; c < t->columns; c++) {
    const double v = value[c];
    char cell[32] = "";
    const int digits = v >= 99.95 ? 0 : v >= 9.995 ? 1 : v >= 0.9995 ? 2 : v >= 0.09995 ? 3 : 4;
    if (v > 0.0) snprintf(cell, sizeof cell, "%.*f", digits, v);
    printf(t->markdown ? " | %*s" : " %*s", OTHER, cell);
  }
  if (t->notes) printf(t->markdown ? " | %s" : "  %s", note ? note : "");
  printf(t->markdown ? " |\n" : "\n");
  fflush(stdout);
}
