/* testu01_driver: a battery of TestU01 on 32-bit words from standard input.   SPDX-License-Identifier: GPL-2.0-or-later

     words -p streams -w 100 philox | testu01_driver small|crush|big [reversed] [TEST]

   reversed: of each word the lowest bit comes first; batteries look at the highest ones most. TEST: number of the only
   one to be made, 1 to 10, 96 or 106; it then gets the first words, not those behind the tests before it. Prints a line
   "p-value,test" per result, the name of a test in quotation marks, and TestU01's report on standard error.
   Exit status: 0; 2 for errors, as where the words end too early.
   L'Ecuyer & Simard, ACM Trans. Math. Softw. 33, 22 (2007). TestU01 is a library of its own, Debian's libtestu01-0-dev. */
#include "dpdsop/device/base.h"

#include <testu01/bbattery.h>
#include <testu01/unif01.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 1 << 16 };

static uint32_t buffer[WORDS];
static size_t at = WORDS;

static unsigned int word(void)
{
  if (at == WORDS && fread(buffer, sizeof buffer[0], WORDS, stdin) < WORDS) {
    fprintf(stderr, "testu01_driver: the words on standard input end before the tests do\n");
    exit(2);
  }
  at %= WORDS;
  return buffer[at++];
}

static unsigned int reversed(void)
{
  return ds_brev32(word());
}

typedef struct {
  const char *name;
  void (*run)(unif01_Gen *);
  void (*repeat)(unif01_Gen *, int *); /* each test so many times */
  int tests;
} battery;

static const battery BATTERIES[] = {{"small", bbattery_SmallCrush, bbattery_RepeatSmallCrush, 10},
                                    {"crush", bbattery_Crush, bbattery_RepeatCrush, 96},
                                    {"big", bbattery_BigCrush, bbattery_RepeatBigCrush, 106}};

int main(int argc, char **argv)
{
  const battery *b = NULL;
  int repeat[107] = {0};
  char *end = "", name[] = "words";
  for (int k = 0; argc > 1 && k < 3; k++)
    if (strcmp(argv[1], BATTERIES[k].name) == 0) b = BATTERIES + k;
  const int backwards = argc > 2 && strcmp(argv[2], "reversed") == 0, one = argc > 2 + backwards;
  const long number = one ? strtol(argv[2 + backwards], &end, 10) : 0;
  if (!b || argc > 3 + backwards || *end || number < one || number > b->tests) {
    fprintf(stderr, "testu01_driver: usage: words ... | testu01_driver small|crush|big [reversed] [TEST]\n");
    return 2;
  }
  const int results = dup(STDOUT_FILENO); /* reports of the library go to standard output */
  FILE *const out = results < 0 ? NULL : fdopen(results, "w");
  if (!out || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    perror("testu01_driver: standard output");
    return 2;
  }
  unif01_Gen *const g = unif01_CreateExternGenBits(name, backwards ? reversed : word);
  repeat[number] = 1;
  if (one)
    b->repeat(g, repeat);
  else
    b->run(g);
  unif01_DeleteExternGenBits(g);
  for (int k = 0; k < bbattery_NTests; k++) fprintf(out, "%.6g,\"%s\"\n", bbattery_pVal[k], bbattery_TestNames[k]);
  const int failed = ferror(out);
  if (fclose(out) == 0 && !failed) return 0;
  perror("testu01_driver: p-values could not be written");
  return 2;
}
