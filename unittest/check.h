/* check.h: assertions for the C tests.
   SPDX-License-Identifier: GPL-2.0-or-later

   A failed check prints where and what, is counted, and the test goes on; main ends with
   `return check_result();`. Measured errors are printed beside their bounds, so that a log shows
   how much room is left. */
#ifndef DPDSOP_CHECK_H
#define DPDSOP_CHECK_H

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "splitmix.h"

#if defined(__GNUC__)
#define CHECK_HELPER __attribute__((unused)) static
#define CHECK_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define CHECK_HELPER static
#define CHECK_PRINTF(f, a)
#endif

static long check_done, check_failed;

/* Cases of a program: CHECK_CASE(test_boxes(2)) makes the call. `program words...` makes those whose call, as written,
   has one of the words, and with --list the program prints their calls instead. A program that wants a backend or numbers
   takes these arguments first, by check_takes and check_number. All others are words, and each must choose a case. */
enum { CHECK_ARGUMENTS = 64, CHECK_NO_WORD = 1, CHECK_FOUND };
static int check_argc, check_lists;
static long check_cases;
static char **check_argv;
static char check_argument[CHECK_ARGUMENTS]; /* CHECK_NO_WORD, or a word that has CHECK_FOUND a case; else 0 */

/* Whether an argument is there that is none of the words. */
CHECK_HELPER int check_takes(const char *argument)
{
  int found = 0;
  for (int k = 1; k < check_argc; k++)
    if (strcmp(check_argv[k], argument) == 0) found = check_argument[k] = CHECK_NO_WORD;
  return found;
}

/* The first argument that is a number and has not been taken; `otherwise` where there is none. */
CHECK_HELPER long check_number(long otherwise)
{
  for (int k = 1; k < check_argc; k++)
    if (!check_argument[k] && check_argv[k][0] && check_argv[k][strspn(check_argv[k], "0123456789")] == 0) {
      check_argument[k] = CHECK_NO_WORD;
      return atol(check_argv[k]);
    }
  return otherwise;
}

CHECK_HELPER void check_open(int argc, char **argv)
{
  if (argc > CHECK_ARGUMENTS) {
    printf("more than %d arguments\n", CHECK_ARGUMENTS - 1);
    exit(2);
  }
  check_argc = argc;
  check_argv = argv;
  check_lists = check_takes("--list");
}

/* Whether all cases are made: else what they have counted together says nothing. */
CHECK_HELPER int check_all(void)
{
  for (int k = 1; k < check_argc; k++)
    if (check_argument[k] != CHECK_NO_WORD) return 0;
  return !check_lists;
}

/* Whether to make a call. */
CHECK_HELPER int check_case(const char *call, int *listed)
{
  int words = 0, wanted = 0;
  for (int k = 1; k < check_argc; k++) {
    if (check_argument[k] == CHECK_NO_WORD) continue;
    words++;
    if (strstr(call, check_argv[k]) == NULL) continue;
    check_argument[k] = CHECK_FOUND;
    wanted = 1;
  }
  wanted |= !words;
  check_cases++;
  if (wanted && check_lists && !*listed) printf("%s\n", call);
  *listed |= wanted;
  return wanted && !check_lists;
}

#define CHECK_CASE(...)                                                                            \
  do {                                                                                             \
    static int listed_;                                                                            \
    if (check_case(#__VA_ARGS__, &listed_)) __VA_ARGS__;                                           \
  } while (0)

/* Under sanitizers, which look for faults of code that has run, and need not run it for every value: DS_TEST_BRIEF=1. */
CHECK_HELPER int check_brief(void)
{
  const char *const value = getenv("DS_TEST_BRIEF");
  return value && *value && strcmp(value, "0") != 0;
}

CHECK_PRINTF(4, 5)
CHECK_HELPER int check_that(int ok, const char *file, int line, const char *format, ...)
{
  check_done++;
  if (ok) return 1;
  check_failed++;
  if (check_failed > 50) return 0; /* the first failures tell what is wrong */
  va_list args;
  va_start(args, format);
  printf("%s:%d: FAILED: ", file, line);
  vprintf(format, args);
  printf("\n");
  va_end(args);
  return 0;
}

/* Value and bound are printed in any case. A NaN fails. */
CHECK_HELPER int check_bound(double value, double bound, const char *what, const char *file,
                             int line)
{
  printf("  %-58s %11.4g  (bound %.4g)\n", what, value, bound);
  return check_that(value <= bound, file, line, "%s is %.9g, more than %.9g", what, value, bound);
}

/* Arguments are evaluated once: what is compared may be a call that changes something. */
CHECK_HELPER int check_int(int64_t got, int64_t expected, const char *format, const char *what, const char *file, int line)
{
  return check_that(got == expected, file, line, format, what, got, expected);
}

CHECK_HELPER int check_near(double got, double expected, double tolerance, const char *what, const char *file, int line)
{
  return check_that(fabs(got - expected) <= tolerance, file, line, "%s is %.17g, expected %.17g within %g", what, got, expected,
                    tolerance);
}

/* A condition, as written. */
#define CHECK(condition) check_that(!!(condition), __FILE__, __LINE__, "%s", #condition)

/* A condition with a text of one's own: CHECK_MSG(n == 3, "n is %d", n). */
#define CHECK_MSG(condition, ...) check_that(!!(condition), __FILE__, __LINE__, __VA_ARGS__)

/* A call of the engine that must return DS_OK; the text of its ds_error is printed where it does not. */
#define CHECK_OK(call, error) CHECK_MSG((call) == DS_OK, "%s: %s", #call, (error).text)

/* Integers of up to 64 bits, printed as such. */
#define CHECK_INT(got, expected)                                                                   \
  check_int((int64_t) (got), (int64_t) (expected), "%s is %" PRId64 ", expected %" PRId64, #got, __FILE__, __LINE__)
#define CHECK_HEX(got, expected)                                                                   \
  check_int((int64_t) (got), (int64_t) (expected), "%s is 0x%" PRIx64 ", expected 0x%" PRIx64, #got, __FILE__, __LINE__)

/* |got - expected| <= tolerance; a NaN fails. */
#define CHECK_NEAR(got, expected, tolerance)                                                       \
  check_near((double) (got), (double) (expected), (double) (tolerance), #got, __FILE__, __LINE__)

/* A measured error, or the distance of an average from what it should be, against its bound. */
#define CHECK_BOUND(value, bound, what) check_bound((value), (bound), (what), __FILE__, __LINE__)

/* Exit status 77 counts as skipped: for what needs a GPU, and nothing else. */
#define CHECK_SKIP(reason) return printf("skipped: %s\n", (reason)), 77

/* Whether each word has chosen a case; says of those that have not. */
CHECK_HELPER int check_unknown(void)
{
  int good = 1;
  for (int k = 1; k < check_argc; k++) {
    if (check_argument[k]) continue;
    if (check_cases)
      printf("no case has the word '%s'; --list prints all\n", check_argv[k]);
    else
      printf("'%s': this program has no cases to choose from\n", check_argv[k]);
    good = 0;
  }
  return good;
}

CHECK_HELPER int check_result(void)
{
  const int good = check_unknown();
  if (check_lists) return !good;
  printf("%ld checks, %ld failed\n", check_done, check_failed);
  return check_failed || !check_done || !good ? 1 : 0;
}

/* Random words for inputs. */
CHECK_HELPER uint64_t check_random(uint64_t *state)
{
  const uint64_t word = ds_splitmix(*state);
  *state += DS_SPLITMIX_STEP;
  return word;
}

/* Uniform in [0,1). */
CHECK_HELPER double check_uniform(uint64_t *state)
{
  return (double) (check_random(state) >> 11) * (1.0 / 9007199254740992.0);
}

#endif
