/* test_sop_damaged.c: thousands of damaged .sop files, each of which is refused with the number of a line, or read as it
   stands there; and what was read can be computed with, or is refused.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "support/sop.h"

#include <ctype.h>
#include <string.h>

enum { ROOM = 65536, BEADS = 76 };

static char original[ROOM];
static size_t original_size;
static test_molecule ubiquitin;

/* -------------------------------------------------------------------------------------------- damage */

typedef struct {
  char text[ROOM];
  size_t size;
} document;

static size_t below(uint64_t *seed, size_t n)
{
  return n ? (size_t) (check_random(seed) % n) : 0;
}

/* Puts `n` bytes in the place of those from `from` to `to`. */
static void splice(document *d, size_t from, size_t to, const char *bytes, size_t n)
{
  if (d->size - (to - from) + n > ROOM) return;
  memmove(d->text + from + n, d->text + to, d->size - to);
  memcpy(d->text + from, bytes, n);
  d->size += n - (to - from);
}

/* The line that a random byte is in, its end of line included. */
static void some_line(const document *d, uint64_t *seed, size_t *from, size_t *to)
{
  *from = *to = below(seed, d->size);
  while (*from > 0 && d->text[*from - 1] != '\n') --*from;
  while (*to < d->size && d->text[*to] != '\n') ++*to;
  if (*to < d->size) ++*to;
}

/* A word that a random byte is in or before; from == to where there is none. */
static void some_word(const document *d, uint64_t *seed, size_t *from, size_t *to)
{
  *from = below(seed, d->size);
  while (*from > 0 && !isspace((unsigned char) d->text[*from - 1])) --*from;
  *to = *from;
  while (*to < d->size && !isspace((unsigned char) d->text[*to])) ++*to;
}

static void damage_bytes(document *d, uint64_t *seed)
{
  static const char likely[] = "0123456789 \t\n\r#.-+eExXkR_n";
  const size_t at = below(seed, d->size);
  const char byte = below(seed, 4) ? likely[below(seed, sizeof likely - 1)]
                                   : (char) (unsigned char) below(seed, 256);
  switch (below(seed, 3)) {
  case 0:
    splice(d, at, at + (d->size > 0), &byte, 1);
    break;
  case 1:
    splice(d, at, at, &byte, 1);
    break;
  default:
    splice(d, at, at + (d->size > 0), "", 0);
  }
}

static void damage_word(document *d, uint64_t *seed)
{
  static const char *const word[] = {
      "0",    "-1",         "1",   "76",  "77",    "75",    "177",        "1e400", "1e-400", "1e15",
      "1e16", "1e-15",      "nan", "inf", "-inf",  "0x1p3", "2147483648", "1.5",   "",       "-0",
      "3.8",  "4294967297", "k",   "#",   "Bonds", "beads", "Parameters", "1e",    "+",      "."};
  const char *const w = word[below(seed, sizeof word / sizeof *word)];
  size_t from, to;
  some_word(d, seed, &from, &to);
  splice(d, from, to, w, strlen(w));
}

static void damage_lines(document *d, uint64_t *seed)
{
  size_t from, to, at, end;
  char line[1024];
  some_line(d, seed, &from, &to);
  if (to - from > sizeof line) return;
  memcpy(line, d->text + from, to - from);
  const size_t n = to - from;
  switch (below(seed, 4)) {
  case 0: /* deleted */
    splice(d, from, to, "", 0);
    break;
  case 1: /* twice */
    splice(d, to, to, line, n);
    break;
  case 2: /* at another place */
    some_line(d, seed, &at, &end);
    splice(d, at, at, line, n);
    break;
  default: /* moved */
    splice(d, from, to, "", 0);
    some_line(d, seed, &at, &end);
    splice(d, at, at, line, n);
  }
}

static void damage(document *d, uint64_t *seed)
{
  memcpy(d->text, original, original_size);
  d->size = original_size;
  for (size_t k = 1 + below(seed, 3); k > 0; k--) switch (below(seed, 10)) {
    case 0:
    case 1:
    case 2:
      damage_bytes(d, seed);
      break;
    case 3:
    case 4:
    case 5:
      damage_word(d, seed);
      break;
    case 6:
      if (below(seed, 4) == 0) d->size = below(seed, d->size + 1); /* truncated */
      break;
    default:
      damage_lines(d, seed);
    }
}

/* ------------------------------------------------------------------------------------- another reader */

/* The rows of the sections Bonds and Contacts as scanf finds them, against those that were read. */
static int rows_are_right(const document *d, const ds_sop_topology *t)
{
  enum { NONE, BONDS, CONTACTS } section = NONE;
  int bonds = 0, contacts = 0;
  for (size_t at = 0; at < d->size;) {
    char line[1024], word[1024], more[1024];
    size_t n = 0;
    for (; at < d->size && d->text[at] != '\n'; at++)
      if (n + 1 < sizeof line) line[n++] = d->text[at];
    at++;
    line[n] = 0;
    line[strcspn(line, "#")] = 0;
    int i, j;
    double r0, a = 0.0, b = 0.0;
    if (sscanf(line, "%s %s", word, more) == 1)
      section = strcmp(word, "Bonds") == 0      ? BONDS
                : strcmp(word, "Contacts") == 0 ? CONTACTS
                                                : NONE;
    const int found = sscanf(line, "%d %d %lf %lf %lf", &i, &j, &r0, &a, &b);
    if (found < 3 || section == NONE) continue;
    const int low = (i < j ? i : j) - 1, high = (i < j ? j : i) - 1;
    if (section == BONDS) {
      if (bonds == t->bonds) return 0;
      const ds_sop_bond_row *const r = t->bond + bonds++;
      if (r->i != low || r->j != high || r->r0 != r0 || r->k != (found > 3 ? a : t->parameters.k) ||
          r->R0 != (found > 4 ? b : t->parameters.R0))
        return 0;
    } else {
      if (contacts == t->contacts) return 0;
      const ds_sop_contact_row *const r = t->contact + contacts++;
      if (r->i != low || r->j != high || r->r0 != r0 ||
          r->eps != (found > 3 ? a : t->parameters.eps_n))
        return 0;
    }
  }
  return bonds == t->bonds && contacts == t->contacts;
}

static int is_number(double v, int may_be_zero)
{
  return (v >= 1e-15 && v <= 1e15) || (may_be_zero && v == 0.0);
}

static int values_are_right(const ds_sop_topology *t)
{
  const ds_sop_parameters *const p = &t->parameters;
  int good = t->beads >= 1 && t->copies >= 1 && is_number(p->k, 0) && is_number(p->R0, 0) &&
             is_number(p->eps_n, 1) && is_number(p->eps_r, 1) && is_number(p->sigma, 0) &&
             is_number(p->eps_a, 1) && is_number(p->sigma_a, 0);
  for (int k = 0; k < t->bonds; k++) {
    const ds_sop_bond_row *const b = t->bond + k;
    good &= 0 <= b->i && b->i < b->j && b->j < t->beads && is_number(b->r0, 0) &&
            is_number(b->k, 0) && is_number(b->R0, 0);
  }
  for (int k = 0; k < t->contacts; k++) {
    const ds_sop_contact_row *const c = t->contact + k;
    good &=
        0 <= c->i && c->i < c->j && c->j < t->beads && is_number(c->r0, 0) && is_number(c->eps, 1);
  }
  for (int k = 0; k < t->beads && t->radius; k++) good &= is_number(t->radius[k], 1);
  return good;
}

/* ----------------------------------------------------------------------------------------- the engine */

/* What was read has forces that are numbers, or none, for a reason. */
static void compute(const ds_sop_topology *t, uint64_t seed)
{
  static double x[3 * 100], f[3 * 100];
  const ds_sop_motion motion = {0, 1, 500.0, SOP_ZETA, SOP_KT};
  int64_t id[100];
  ds_sop_options o;
  ds_error err;
  ds_sop *sop;
  double sum = 0.0;
  memset(&o, 0, sizeof o);
  o.backend = DS_BACKEND_HOST;
  o.threads = o.order = 1;
  o.rng = "tea";
  o.skin = 1.0;
  o.hydro = (ds_sop_hydro) (seed % 3);
  o.radius = 3.0;
  for (int b = 0; b < 100; b++) {
    id[b] = b + 1;
    for (int c = 0; c < 3; c++) x[3 * b + c] = b < BEADS ? ubiquitin.x[3 * b + c] : 30.0 * b;
  }
  ds_status status = ds_sop_open(&sop, &o, t, &err);
  if (status) {
    CHECK_MSG(err.text[0], "file %" PRIu64 ": refused without a word", seed);
    return;
  }
  status = ds_sop_set_beads(sop, 1, 0, id, &err);
  if (!status) status = ds_sop_set_positions(sop, x, &err);
  if (!status) status = ds_sop_get_forces(sop, f, &err);
  for (int k = 0; k < 3 * t->beads && !status; k++) sum += f[k] * f[k];
  CHECK_MSG(status || isfinite(sum), "file %" PRIu64 ": a force is %g", seed, sum);
  if (!status) status = ds_sop_advance(sop, &motion, &err);
  if (!status) status = ds_sop_get_positions(sop, f, &err);
  for (int k = 0; k < 3 * t->beads && !status; k++) sum += f[k] * f[k];
  CHECK_MSG(status || isfinite(sum), "file %" PRIu64 ": a position is %g", seed, sum);
  CHECK_MSG(!status || err.text[0], "file %" PRIu64 ": refused without a word", seed);
  ds_sop_close(sop);
}

static int lines_of(const document *d)
{
  int n = 1;
  for (size_t k = 0; k < d->size; k++) n += d->text[k] == '\n';
  return n;
}

/* Returns whether it was read. */
static int check_file(const document *d, uint64_t seed)
{
  ds_sop_topology t;
  ds_error err;
  int line = 0;
  if (ds_sop_topology_parse(&t, d->text, d->size, &err)) {
    const int zero = memchr(d->text, 0, d->size) != NULL;
    CHECK_MSG(zero ||
                  (sscanf(err.text, "line %d: ", &line) == 1 && line >= 1 && line <= lines_of(d)),
              "file %" PRIu64 ", %d lines: '%s'", seed, lines_of(d), err.text);
    CHECK_MSG(err.code == DS_ERR_ARGUMENT && t.bond == NULL && t.contact == NULL,
              "file %" PRIu64 ": code %d, or something is left of it", seed, err.code);
    return 0;
  }
  CHECK_MSG(values_are_right(&t), "file %" PRIu64 ": impossible values were read", seed);
  CHECK_MSG(rows_are_right(d, &t), "file %" PRIu64 ": other rows were read than there are", seed);
  if (t.beads <= 100) compute(&t, seed);
  ds_sop_topology_free(&t);
  return 1;
}

static void read_original(void)
{
  FILE *const f = fopen(DS_TEST_DATA "/../potentials/ubiquitin.sop", "rb");
  if (!CHECK(f != NULL)) return;
  original_size = fread(original, 1, ROOM / 2, f);
  fclose(f);
  original_size += (size_t) sprintf(original + original_size, "\nRadii\n\n");
  for (int b = 1; b <= BEADS; b += 3)
    original_size += (size_t) sprintf(original + original_size, "%d %g\n", b, 2.0 + 0.03 * b);
}

static void test_damaged_files(void)
{
  static document d;
  const int files = check_brief() ? 2000 : 10000;
  int good = 0;
  read_original();
  molecule_ubiquitin(&ubiquitin);
  for (int k = 0; k < files; k++) {
    uint64_t seed = (uint64_t) k;
    damage(&d, &seed);
    good += check_file(&d, (uint64_t) k);
  }
  printf("  %d files, %d of them read, %d refused\n", files, good, files - good);
  CHECK(good > files / 20 && good < files / 2); /* or else the damage is not what it should be */
  molecule_close(&ubiquitin);
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  CHECK_CASE(test_damaged_files());
  return check_result();
}
