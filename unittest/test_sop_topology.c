/* test_sop_topology.c: the reader of .sop files: what it takes, and each error with the number of its line;
   and what is wrong with a topology that was not read.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "dpdsop/sop.h"
#include "support/expect.h"

#include <string.h>

/* A good file, line by line. */
enum { LINES = 23 };
static const char *const good[LINES] = {
    "# DATE: 2026-11-22 UNITS: real CONTRIBUTOR: nobody",
    "",
    "4 beads",
    "3 bonds",
    "1 contacts",
    "2 copies",
    "",
    "Parameters",
    "",
    "k 20.0",
    "R0 2.0",
    "eps_n 1.5",
    "eps_r 1.0",
    "sigma 3.8",
    "",
    "Bonds  # of neighbors",
    "",
    "1 2 3.8",
    "2 3 3.7 10",
    "4 3 3.9 11 1.5",
    "",
    "Contacts",
    "1 4 6.0",
};

/* The good file with another line `at` (from 1; 0: none is changed), or without it (NULL). Returns its length. */
static size_t with_line(char *text, size_t size, int at, const char *line, const char *end_of_line)
{
  size_t n = 0;
  text[0] = 0;
  for (int k = 0; k < LINES; k++) {
    const char *const l = k + 1 == at ? line : good[k];
    if (!l) continue;
    n += (size_t) snprintf(text + n, size - n, "%s%s", l, k + 1 < LINES ? end_of_line : "");
  }
  return n;
}

static void refuse(int at, const char *line, const char *words, int source_line)
{
  char text[4096];
  ds_sop_topology t;
  ds_error err;
  const size_t size = with_line(text, sizeof text, at, line, "\n");
  check_error(ds_sop_topology_parse(&t, text, size, &err), &err, DS_ERR_ARGUMENT, words, __FILE__,
              source_line);
  CHECK(t.bond == NULL && t.contact == NULL && t.beads == 0 && t.bonds == 0 && t.contacts == 0);
  CHECK(ds_sop_topology_parse(&t, text, size, NULL) == DS_ERR_ARGUMENT);
}

#define REFUSE(at, line, words) refuse(at, line, words, __LINE__)

/* ------------------------------------------------------------------------------------- what is right */

static void check_good(const ds_sop_topology *t, const char *what)
{
  const ds_sop_parameters *const p = &t->parameters;
  CHECK_MSG(t->beads == 4 && t->bonds == 3 && t->contacts == 1 && t->copies == 2,
            "%s: %d beads, %d bonds, %d contacts, %d copies", what, t->beads, t->bonds, t->contacts,
            t->copies);
  CHECK_MSG(strcmp(t->units, "real") == 0, "%s: units '%s'", what, t->units);
  CHECK(p->k == 20.0 && p->R0 == 2.0 && p->eps_n == 1.5 && p->eps_r == 1.0 && p->sigma == 3.8);
  CHECK(p->eps_a == 1.0 && p->sigma_a == 3.8); /* the defaults */
  if (t->bonds != 3 || t->contacts != 1) return;
  const ds_sop_bond_row *const b = t->bond;
  CHECK(b[0].i == 0 && b[0].j == 1 && b[0].r0 == 3.8 && b[0].k == 20.0 && b[0].R0 == 2.0);
  CHECK(b[1].i == 1 && b[1].j == 2 && b[1].r0 == 3.7 && b[1].k == 10.0 && b[1].R0 == 2.0);
  CHECK(b[2].i == 2 && b[2].j == 3 && b[2].r0 == 3.9 && b[2].k == 11.0 && b[2].R0 == 1.5);
  CHECK(t->contact[0].i == 0 && t->contact[0].j == 3 && t->contact[0].r0 == 6.0);
  CHECK(t->contact[0].eps == 1.5);
  CHECK_INT(ds_sop_topology_others(t), 6 - 3 - 1);
}

static int take(int at, const char *line, const char *end_of_line, ds_sop_topology *t)
{
  char text[4096];
  ds_error err;
  const size_t size = with_line(text, sizeof text, at, line, end_of_line);
  const int is_good = CHECK_OK(ds_sop_topology_parse(t, text, size, &err), err);
  CHECK(!is_good || err.text[0] == 0);
  return is_good;
}

/* Comments, blank lines, blanks, ends of lines, and the last one without. */
static void test_forms(void)
{
  static const struct {
    int at;
    const char *line, *what;
  } form[] = {
      {0, NULL, "as it is"},
      {2, "   \t  ", "a line of blanks"},
      {2, "# 5 beads", "a comment"},
      {3, "\t4\t beads # four", "blanks and a comment"},
      {10, "  k\t2e1", "another form of a number"},
      {10, "k +20.", "another form of a number"},
      {15, "#", "an empty comment"},
      {16, "Bonds#", "a comment at once"},
      {18, "2 1 3.8", "the larger bead first"},
      {18, "+1 2 3.80000", "a sign"},
      {23, "1 4 6.0\n\n# the end\n\n", "lines after the last"},
      {23, "1 4 6.0 # last", "a comment at the end"},
  };
  for (size_t k = 0; k < sizeof form / sizeof *form; k++)
    for (int crlf = 0; crlf <= 1; crlf++) {
      ds_sop_topology t;
      if (!take(form[k].at, form[k].line, crlf ? "\r\n" : "\n", &t)) continue;
      check_good(&t, form[k].what);
      ds_sop_topology_free(&t);
      CHECK(t.bond == NULL && t.contact == NULL && t.beads == 0);
      ds_sop_topology_free(&t); /* once more does no harm */
    }
}

/* Values that are not the defaults. */
static void test_values(void)
{
  ds_sop_topology t;
  if (take(14, "sigma 4\neps_a 0.5\nsigma_a 3.5", "\n", &t)) {
    CHECK(t.parameters.sigma == 4.0 && t.parameters.eps_a == 0.5 && t.parameters.sigma_a == 3.5);
    ds_sop_topology_free(&t);
  }
  if (take(13, "eps_r 0", "\n", &t)) {
    CHECK(t.parameters.eps_r == 0.0 && t.parameters.eps_a == 0.0);
    ds_sop_topology_free(&t);
  }
  if (take(23, "1 4 6.0 0", "\n", &t)) {
    CHECK(t.contact[0].eps == 0.0); /* not the default, though it is 0 */
    ds_sop_topology_free(&t);
  }
  if (take(6, NULL, "\n", &t)) {
    CHECK_INT(t.copies, 1);
    ds_sop_topology_free(&t);
  }
  if (take(23, "1 4 6.0\nRadii\n2 4.5\n4 1e-3", "\n", &t)) {
    CHECK(t.radius[0] == 0.0 && t.radius[1] == 4.5 && t.radius[2] == 0.0 && t.radius[3] == 1e-3);
    ds_sop_topology_free(&t);
    CHECK(t.radius == NULL);
  }
  if (take(23, "1 4 6.0\nRadii", "\n", &t)) {
    CHECK(t.radius == NULL);
    ds_sop_topology_free(&t);
  }
  if (take(1, "# no units", "\n", &t)) {
    CHECK(t.units[0] == 0);
    ds_sop_topology_free(&t);
  }
  if (take(1, "# UNITS: a_very_long_name_of_units", "\n", &t)) {
    CHECK(strcmp(t.units, "a_very_long_nam") == 0);
    ds_sop_topology_free(&t);
  }
}

/* Sections in any order, and a molecule of one bead without any rows. */
static void test_order(void)
{
  static const char text[] = "0 contacts\n1 beads\n0 bonds\nContacts\nBonds\nParameters\nsigma 1\n"
                             "eps_r 1\neps_n 0\nR0 1e-15\nk 1e15";
  ds_sop_topology t;
  ds_error err;
  if (!CHECK_OK(ds_sop_topology_parse(&t, text, strlen(text), &err), err)) return;
  CHECK(t.beads == 1 && t.bonds == 0 && t.contacts == 0 && t.copies == 1);
  CHECK(t.parameters.R0 == 1e-15 && t.parameters.k == 1e15 && t.units[0] == 0);
  CHECK_INT(ds_sop_topology_others(&t), 0);
  ds_sop_topology_free(&t);
}

/* ------------------------------------------------------------------------------------- what is wrong */

static void test_header(void)
{
  REFUSE(3, "beads", "line 3:|'beads' is neither a number with 'beads'|nor the name of a section");
  REFUSE(3, "4 beads 5", "line 3:|'4' is neither");
  REFUSE(3, "4 bead", "line 3:|'bead' is not one of 'beads', 'bonds', 'contacts' and 'copies'");
  REFUSE(3, "0 beads", "line 3:|beads is '0'|from 1 to 16777216");
  REFUSE(3, "-4 beads", "line 3:|beads is '-4'");
  REFUSE(3, "4.0 beads", "line 3:|beads is '4.0', must be an integer");
  REFUSE(3, "16777217 beads", "line 3:|'16777217'");
  REFUSE(3, "99999999999999999999 beads", "line 3:|'99999999999999999999'");
  REFUSE(3, "four beads", "line 3:|'four'");
  REFUSE(4, "-1 bonds", "line 4:|bonds is '-1'|from 0 to 536870912");
  REFUSE(5, "536870913 contacts", "line 5:|contacts is '536870913'");
  REFUSE(6, "0 copies", "line 6:|copies is '0'|from 1 to");
  REFUSE(6, "200000000 copies", "line 23:|200000000 copies of 4 beads|at most 536870912");
  REFUSE(6, "4 beads", "line 6:|a second number of beads");
  REFUSE(6, "3 bonds", "line 6:|a second number of bonds");
  REFUSE(2, "Bond", "line 2:|'Bond' is neither");
  REFUSE(3, NULL, "line 7:|section Parameters before the number of beads");
  REFUSE(4, NULL, "line 7:|section Parameters before the number of bonds");
  REFUSE(5, NULL, "line 7:|section Parameters before the number of contacts");
  REFUSE(2, "Contacts", "line 2:|section Contacts before the number of beads");
}

static void test_sections(void)
{
  REFUSE(15, "Parameters", "line 15:|a second section Parameters");
  REFUSE(21, "Bonds", "line 21:|a second section Bonds");
  REFUSE(8, "Parameter", "line 8:|'Parameter' is neither");
  REFUSE(8, "parameters", "line 8:|'parameters' is neither");
  REFUSE(16, "bonds", "line 16:|'bonds' is not a parameter; known are k, R0");
  REFUSE(22, "Contacts 1", "line 22:|a bond is|found 2 words");
}

static void test_parameters(void)
{
  REFUSE(10, "k", "line 10:|k wants one value, found 0");
  REFUSE(10, "k 1 2", "line 10:|k wants one value, found 2");
  REFUSE(10, "k 1 2 3 4 5 6 7 8 9", "line 10:|k wants one value");
  REFUSE(10, "K 20",
         "line 10:|'K' is not a parameter; known are k, R0, eps_n, eps_r, sigma, eps_a, sigma_a");
  REFUSE(10, "R0 2.0", "line 11:|R0 is set a second time");
  REFUSE(10, "k 0", "line 10:|k is '0', must be a number from 1e-15 to 1e15");
  REFUSE(10, "k -20", "line 10:|k is '-20'");
  REFUSE(10, "k 2e15", "line 10:|k is '2e15'");
  REFUSE(10, "k 1e-16", "line 10:|k is '1e-16'");
  REFUSE(10, "k nan", "line 10:|k is 'nan'");
  REFUSE(10, "k inf", "line 10:|k is 'inf'");
  REFUSE(10, "k 1e999", "line 10:|k is '1e999'");
  REFUSE(10, "k 0x10", "line 10:|k is '0x10'");
  REFUSE(10, "k 20,0", "line 10:|k is '20,0'");
  REFUSE(10, "k 1-2", "line 10:|k is '1-2'");
  REFUSE(10, "k e", "line 10:|k is 'e'");
  REFUSE(10, "k .", "line 10:|k is '.'");
  REFUSE(11, "R0 0", "line 11:|R0 is '0'");
  REFUSE(12, "eps_n -1", "line 12:|eps_n is '-1', must be 0 or a number");
  REFUSE(13, "eps_r -0.1", "line 13:|eps_r is '-0.1', must be 0 or");
  REFUSE(14, "sigma 0", "line 14:|sigma is '0', must be a number");
  REFUSE(15, "eps_a -1", "line 15:|eps_a is '-1', must be 0 or");
  REFUSE(15, "sigma_a 0", "line 15:|sigma_a is '0', must be a number");
  REFUSE(10, NULL, "line 22:|the end, and parameter k is missing");
  REFUSE(11, NULL, "line 22:|the end, and parameter R0 is missing");
  REFUSE(12, NULL, "line 22:|the end, and parameter eps_n is missing");
  REFUSE(13, NULL, "line 22:|the end, and parameter eps_r is missing");
  REFUSE(14, NULL, "line 22:|the end, and parameter sigma is missing");
}

static void test_rows(void)
{
  REFUSE(18, "1 2", "line 18:|a bond is 'i j r0', 'i j r0 k' or 'i j r0 k R0', found 2 words");
  REFUSE(18, "1 2 3.8 20 2 1", "line 18:|a bond is|found 6 words");
  REFUSE(18, "1 2 3.8 20 2 1 7 8 9 10", "line 18:|a bond is");
  REFUSE(18, "0 2 3.8", "line 18:|the first bead is '0', must be an integer from 1 to 4");
  REFUSE(18, "1 5 3.8", "line 18:|the second bead is '5'|from 1 to 4");
  REFUSE(18, "1 2.0 3.8", "line 18:|the second bead is '2.0'");
  REFUSE(18, "A 2 3.8", "line 18:|the first bead is 'A'");
  REFUSE(18, "2 2 3.8", "line 18:|bead 2 with itself");
  REFUSE(18, "1 2 0", "line 18:|r0 is '0', must be a number");
  REFUSE(18, "1 2 -3.8", "line 18:|r0 is '-3.8'");
  REFUSE(18, "1 2 3.8 0", "line 18:|k is '0', must be a number");
  REFUSE(18, "1 2 3.8 20 0", "line 18:|R0 is '0', must be a number");
  REFUSE(18, "2 3 3.8", "line 19:|beads 2 and 3 have a row in line 18 already");
  REFUSE(18, "4 1 3.8", "line 23:|beads 1 and 4 have a row in line 18 already");
  REFUSE(21, "1 3 3.8", "line 21:|more bonds than the 3 of the header");
  REFUSE(18, NULL, "line 22:|the end, and 2 bonds of 3");
  REFUSE(4, "536870912 bonds", "line 23:|the end, and 3 bonds of 536870912");
  REFUSE(23, "1 4", "line 23:|a contact is 'i j r0' or 'i j r0 eps', found 2 words");
  REFUSE(23, "1 4 6.0 1.5 7", "line 23:|a contact is|found 5 words");
  REFUSE(23, "1 4 0", "line 23:|r0 is '0'");
  REFUSE(23, "1 4 6.0 -1", "line 23:|eps is '-1', must be 0 or a number");
  REFUSE(23, "4 4 6.0", "line 23:|bead 4 with itself");
  REFUSE(23, "1 5 6.0", "line 23:|the second bead is '5'");
  REFUSE(23, "1 4 6.0\n2 4 6.0", "line 24:|more contacts than the 1 of the header");
  REFUSE(23, NULL, "line 23:|the end, and 0 contacts of 1");
}

static void test_radii(void)
{
  REFUSE(23, "1 4 6.0\nRadii\n2", "line 25:|a radius is 'i radius', found 1 words");
  REFUSE(23, "1 4 6.0\nRadii\n2 4.5 1", "line 25:|a radius is 'i radius', found 3 words");
  REFUSE(23, "1 4 6.0\nRadii\n5 4.5", "line 25:|the bead is '5', must be an integer from 1 to 4");
  REFUSE(23, "1 4 6.0\nRadii\n2 0", "line 25:|the radius is '0', must be a number from 1e-15 to 1e15");
  REFUSE(23, "1 4 6.0\nRadii\n2 -4.5", "line 25:|the radius is '-4.5', must be a number");
  REFUSE(23, "1 4 6.0\nRadii\n2 4.5\n1 3\n2 4.5", "line 27:|a second radius of bead 2");
  REFUSE(23, "1 4 6.0\nRadii\n2 4.5\nRadii", "line 26:|a second section Radii");
  REFUSE(3, "Radii\n4 beads", "line 3:|section Radii before the number of beads");
}

/* Texts that are no such file at all. */
static void test_others(void)
{
  static const char zero[] = "4 beads\n3 bo\0nds\n";
  ds_sop_topology t;
  ds_error err;
  EXPECT(ds_sop_topology_parse(&t, "", 0, &err), err, DS_ERR_ARGUMENT,
         "line 1:|the number of beads is missing");
  EXPECT(ds_sop_topology_parse(&t, "\n\n\n", 3, &err), err, DS_ERR_ARGUMENT,
         "line 4:|the number of beads is missing");
  EXPECT(ds_sop_topology_parse(&t, "4 beads", 7, &err), err, DS_ERR_ARGUMENT,
         "line 1:|the number of bonds is missing");
  EXPECT(ds_sop_topology_parse(&t, "4 beads\n0 bonds", 15, &err), err, DS_ERR_ARGUMENT,
         "line 2:|the number of contacts is missing");
  EXPECT(ds_sop_topology_parse(&t, zero, sizeof zero - 1, &err), err, DS_ERR_ARGUMENT,
         "byte 13 is 0|not a text");
  EXPECT(ds_sop_topology_read(&t, "/no/such/file.sop", &err), err, DS_ERR_ARGUMENT,
         "cannot open /no/such/file.sop");
  EXPECT(ds_sop_topology_read(&t, DS_TEST_DATA "/../potentials/ubiquitin.data", &err), err,
         DS_ERR_ARGUMENT, "ubiquitin.data: line 1: 'LAMMPS' is neither");
}

/* A word that is longer than an error can say. */
static void test_long_words(void)
{
  enum { LONG = 100000 };
  char *const text = malloc(LONG + 64);
  ds_sop_topology t;
  ds_error err;
  if (!CHECK(text != NULL)) return;
  memset(text, 'x', LONG);
  EXPECT(ds_sop_topology_parse(&t, text, LONG, &err), err, DS_ERR_ARGUMENT, "line 1:|xxxxx");
  CHECK(strlen(err.text) < sizeof err.text);
  memset(text, '#', LONG);
  EXPECT(ds_sop_topology_parse(&t, text, LONG, &err), err, DS_ERR_ARGUMENT, "number of beads");
  memset(text, '\n', LONG);
  EXPECT(ds_sop_topology_parse(&t, text, LONG, &err), err, DS_ERR_ARGUMENT, "line 100001:");
  free(text);
}

/* The file of the package. */
static void test_ubiquitin(void)
{
  ds_sop_topology t;
  ds_error err;
  if (!CHECK_OK(ds_sop_topology_read(&t, DS_TEST_DATA "/../potentials/ubiquitin.sop", &err), err))
    return;
  CHECK(t.beads == 76 && t.bonds == 75 && t.contacts == 177 && t.copies == 1);
  CHECK(strcmp(t.units, "real") == 0);
  CHECK(t.bond[0].i == 0 && t.bond[0].j == 1 && t.bond[0].r0 == 3.8045 && t.bond[0].k == 20.0);
  CHECK_INT(ds_sop_topology_others(&t), 76 * 75 / 2 - 75 - 177);
  ds_sop_topology_free(&t);
}

/* ----------------------------------------------------------------------- one that the caller has filled */

static ds_sop_options host_options(void)
{
  ds_sop_options o;
  memset(&o, 0, sizeof o);
  o.backend = DS_BACKEND_HOST;
  o.threads = o.order = 1;
  o.rng = "tea";
  return o;
}

static void refuse_to_open(const ds_sop_topology *t, const char *words, int line)
{
  const ds_sop_options o = host_options();
  ds_error err;
  ds_sop *sop = NULL;
  check_error(ds_sop_open(&sop, &o, t, &err), &err, DS_ERR_ARGUMENT, words, __FILE__, line);
  CHECK(sop == NULL);
}

static void refuse_topology(const ds_sop_topology *t, const char *words, int line)
{
  ds_error err;
  double curvature;
  refuse_to_open(t, words, line);
  check_error(ds_sop_topology_check(t, &err), &err, DS_ERR_ARGUMENT, words, __FILE__, line);
  check_error(ds_sop_stiffness(t, NULL, &curvature, &err), &err, DS_ERR_ARGUMENT, words, __FILE__, line);
}

static void test_filled(void)
{
  ds_sop_bond_row bond[3] = {{0, 1, 3.8, 20.0, 2.0}, {1, 2, 3.8, 20.0, 2.0}, {2, 3, 3.8, 20.0, 2.0}};
  ds_sop_contact_row contact[1] = {{0, 3, 6.0, 1.5}};
  const ds_sop_topology filled = {"", 4, 1, {20.0, 2.0, 1.5, 1.0, 3.8, 1.0, 3.8}, 3, 1, bond, contact, NULL};
  const ds_sop_options o = host_options();
  ds_error err;
  ds_sop *sop = NULL;
  CHECK_OK(ds_sop_open(&sop, &o, &filled, &err), err);
  ds_sop_close(sop);
  refuse_topology(NULL, "topology is NULL", __LINE__);
#define TOPOLOGY(field, value, words)                                                              \
  do {                                                                                             \
    ds_sop_topology bad = filled;                                                                  \
    bad.field = (value);                                                                           \
    refuse_topology(&bad, words, __LINE__);                                                        \
  } while (0)
  TOPOLOGY(beads, 0, "0 beads|1 to 16777216");
  TOPOLOGY(beads, -4, "-4 beads");
  TOPOLOGY(beads, DS_SOP_MAX_BEADS + 1, "16777217 beads");
  TOPOLOGY(beads, 3, "bond[2]|beads 2 and 3|i < j, from 0 to 2");
  TOPOLOGY(bonds, -1, "-1 bonds");
  TOPOLOGY(contacts, -1, "-1 contacts");
  TOPOLOGY(contacts, DS_SOP_MAX_ROWS, "536870912 contacts|0 to 536870909");
  TOPOLOGY(bond, NULL, "3 bonds|bond is NULL");
  TOPOLOGY(contact, NULL, "1 contacts|contact is NULL");
  TOPOLOGY(parameters.k, -1.0, "k = -1|1e-15 to 1e15");
  TOPOLOGY(parameters.sigma, 0.0, "sigma = 0|must be a number");
  TOPOLOGY(parameters.sigma_a, INFINITY, "sigma_a = inf");
  TOPOLOGY(parameters.eps_r, -1.0, "eps_r = -1|0 or a number");
  TOPOLOGY(parameters.eps_n, NAN, "eps_n = ");
#undef TOPOLOGY
#define ROW(type, row, field, value, words)                                                        \
  do {                                                                                             \
    const type kept = row;                                                                         \
    row.field = (value);                                                                           \
    refuse_topology(&filled, words, __LINE__);                                                     \
    row = kept;                                                                                    \
  } while (0)
  ROW(ds_sop_bond_row, bond[1], j, 99, "bond[1]|beads 1 and 99|from 0 to 3");
  ROW(ds_sop_bond_row, bond[1], i, -1, "bond[1]|beads -1 and 2");
  ROW(ds_sop_bond_row, bond[1], i, 2, "bond[1]|beads 2 and 2|i < j");
  ROW(ds_sop_bond_row, bond[2], i, 1 << 30, "bond[2]|beads 1073741824 and 3");
  ROW(ds_sop_bond_row, bond[0], r0, 0.0, "bond[0]|r0 = 0");
  ROW(ds_sop_bond_row, bond[0], k, NAN, "bond[0]|k = ");
  ROW(ds_sop_bond_row, bond[2], R0, -2.0, "bond[2]|R0 = -2");
  ROW(ds_sop_contact_row, contact[0], j, 4, "contact[0]|beads 0 and 4");
  ROW(ds_sop_contact_row, contact[0], i, INT32_MIN, "contact[0]|beads -2147483648 and 3");
  ROW(ds_sop_contact_row, contact[0], r0, 1e300, "contact[0]|r0 = 1e+300");
  ROW(ds_sop_contact_row, contact[0], eps, -0.5, "contact[0]|eps = -0.5|0 or a number");
#undef ROW
  contact[0].j = 1;
  refuse_to_open(&filled, "two rows|beads 0 and 1", __LINE__);
  contact[0].j = 3;
  bond[2].i = 1, bond[2].j = 2;
  refuse_to_open(&filled, "two rows|beads 1 and 2", __LINE__);
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  CHECK_CASE(test_forms());
  CHECK_CASE(test_values());
  CHECK_CASE(test_order());
  CHECK_CASE(test_header());
  CHECK_CASE(test_sections());
  CHECK_CASE(test_parameters());
  CHECK_CASE(test_rows());
  CHECK_CASE(test_radii());
  CHECK_CASE(test_others());
  CHECK_CASE(test_long_words());
  CHECK_CASE(test_ubiquitin());
  CHECK_CASE(test_filled());
  return check_result();
}
