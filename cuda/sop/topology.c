/* Reading .sop files.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/sop_topology.h"

#include "text.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 6, SECTIONS = 4, PARAMETERS = 7 };
enum { NO_SECTION = -1, IN_PARAMETERS, IN_BONDS, IN_CONTACTS, IN_RADII };

static const char *const section_name[SECTIONS] = {"Parameters", "Bonds", "Contacts", "Radii"};

/* A parameter's name, where it is kept, and what it may be. */
static const struct {
  const char *name;
  size_t at;
  int may_be_zero, optional;
} parameter[PARAMETERS] = {{"k", offsetof(ds_sop_parameters, k), 0, 0},
                           {"R0", offsetof(ds_sop_parameters, R0), 0, 0},
                           {"eps_n", offsetof(ds_sop_parameters, eps_n), 1, 0},
                           {"eps_r", offsetof(ds_sop_parameters, eps_r), 1, 0},
                           {"sigma", offsetof(ds_sop_parameters, sigma), 0, 0},
                           {"eps_a", offsetof(ds_sop_parameters, eps_a), 1, 1},
                           {"sigma_a", offsetof(ds_sop_parameters, sigma_a), 0, 1}};

/* What the reader knows while it goes through the lines. */
typedef struct {
  ds_sop_topology *t;
  int line, section;
  int section_seen[SECTIONS], parameter_seen[PARAMETERS];
  int has_beads, has_bonds, has_contacts, has_copies;
  int32_t want_bonds, want_contacts;
  int32_t bond_room, contact_room;
  int32_t *bond_line, *contact_line; /* where a row stood */
  char *words[MAX_WORDS + 1];
  int count;
  ds_error *err;
} reader;

#define FAIL(r, ...) ds_text_fail((r)->err, (r)->line, __VA_ARGS__)

/* ---------------------------------------------------------------------------------------- numbers */

static ds_status read_count(reader *r, const char *word, const char *what, int64_t low, int64_t high, int32_t *value)
{
  int64_t v;
  if (!ds_text_integer(word, &v) || v < low || v > high)
    return FAIL(r, "%s is '%s', must be an integer from %lld to %lld", what, word, (long long) low, (long long) high);
  *value = (int32_t) v;
  return DS_OK;
}

/* A number that single precision can hold, its square and its inverse too. */
#define POSSIBLE "a number from 1e-15 to 1e15"
static int is_possible(double v, int may_be_zero)
{
  return (v >= 1e-15 && v <= 1e15) || (may_be_zero && v == 0.0);
}

static ds_status read_number(reader *r, const char *word, const char *what, int may_be_zero, double *value)
{
  double v;
  if (ds_text_number(word, &v) && is_possible(v, may_be_zero)) {
    *value = v;
    return DS_OK;
  }
  return FAIL(r, "%s is '%s', must be %s" POSSIBLE, what, word, may_be_zero ? "0 or " : "");
}

/* ----------------------------------------------------------------------------------------- header */

static ds_status header_line(reader *r)
{
  const char *const name = r->words[1];
  if (r->count != 2)
    return FAIL(r,
                "'%s' is neither a number with 'beads', 'bonds', 'contacts' or 'copies', nor "
                "the name of a section",
                r->words[0]);
  struct {
    const char *name;
    int *has;
    int32_t *value;
    int64_t low, high;
  } const known[4] = {{"beads", &r->has_beads, &r->t->beads, 1, DS_SOP_MAX_BEADS},
                      {"bonds", &r->has_bonds, &r->want_bonds, 0, DS_SOP_MAX_ROWS},
                      {"contacts", &r->has_contacts, &r->want_contacts, 0, DS_SOP_MAX_ROWS},
                      {"copies", &r->has_copies, &r->t->copies, 1, DS_SOP_MAX_ROWS}};
  for (int k = 0; k < 4; k++)
    if (strcmp(name, known[k].name) == 0) {
      if (*known[k].has) return FAIL(r, "a second number of %s", name);
      *known[k].has = 1;
      return read_count(r, r->words[0], name, known[k].low, known[k].high, known[k].value);
    }
  return FAIL(r, "'%s' is not one of 'beads', 'bonds', 'contacts' and 'copies'", name);
}

/* Returns whether the line is the name of a section. */
static int is_section(reader *r, ds_status *s)
{
  for (int k = 0; k < SECTIONS; k++)
    if (r->count == 1 && strcmp(r->words[0], section_name[k]) == 0) {
      if (r->section_seen[k])
        *s = FAIL(r, "a second section %s", section_name[k]);
      else if (!r->has_beads || !r->has_bonds || !r->has_contacts)
        *s = FAIL(r, "section %s before the number of %s", section_name[k],
                  !r->has_beads   ? "beads"
                  : !r->has_bonds ? "bonds"
                                  : "contacts");
      r->section_seen[k] = 1;
      r->section = k;
      return 1;
    }
  return 0;
}

/* --------------------------------------------------------------------------------------- sections */

static ds_status parameter_line(reader *r)
{
  for (int k = 0; k < PARAMETERS; k++) {
    if (strcmp(r->words[0], parameter[k].name) != 0) continue;
    if (r->count != 2) return FAIL(r, "%s wants one value, found %d", parameter[k].name, r->count - 1);
    if (r->parameter_seen[k]) return FAIL(r, "%s is set a second time", parameter[k].name);
    r->parameter_seen[k] = 1;
    return read_number(r, r->words[1], parameter[k].name, parameter[k].may_be_zero,
                       (double *) ((char *) &r->t->parameters + parameter[k].at));
  }
  return FAIL(r, "'%s' is not a parameter; known are k, R0, eps_n, eps_r, sigma, eps_a, sigma_a", r->words[0]);
}

/* Room for one row more, in steps, so that a number of rows that is wrong takes no memory. */
static int grow(void **rows, int32_t **lines, int32_t *room, int32_t count, size_t size)
{
  if (count < *room) return 1;
  const int32_t more = *room < 512 ? 1024 : *room < DS_SOP_MAX_ROWS / 2 ? 2 * *room : DS_SOP_MAX_ROWS;
  void *const grown = realloc(*rows, (size_t) more * size);
  if (grown) *rows = grown;
  int32_t *const grown_lines = grown ? realloc(*lines, (size_t) more * sizeof **lines) : NULL;
  if (!grown_lines) return 0;
  *lines = grown_lines;
  *room = more;
  return 1;
}

static ds_status no_memory(reader *r, const char *what)
{
  ds_text_fail(r->err, r->line, "no host memory for %s", what);
  if (r->err) r->err->code = DS_ERR_MEMORY;
  return DS_ERR_MEMORY;
}

/* The two beads of a row, the smaller number first, counted from 0. */
static ds_status read_beads(reader *r, int32_t *i, int32_t *j)
{
  ds_status s = read_count(r, r->words[0], "the first bead", 1, r->t->beads, i);
  if (!s) s = read_count(r, r->words[1], "the second bead", 1, r->t->beads, j);
  if (s) return s;
  if (*i == *j) return FAIL(r, "bead %d with itself", *i);
  if (*i > *j) {
    const int32_t k = *i;
    *i = *j;
    *j = k;
  }
  --*i;
  --*j;
  return DS_OK;
}

static ds_status bond_line(reader *r)
{
  ds_sop_topology *const t = r->t;
  if (r->count < 3 || r->count > 5) return FAIL(r, "a bond is 'i j r0', 'i j r0 k' or 'i j r0 k R0', found %d words", r->count);
  if (t->bonds == r->want_bonds) return FAIL(r, "more bonds than the %d of the header", t->bonds);
  if (!grow((void **) &t->bond, &r->bond_line, &r->bond_room, t->bonds, sizeof *t->bond)) return no_memory(r, "bonds");
  ds_sop_bond_row *const b = t->bond + t->bonds;
  b->k = b->R0 = 0.0; /* the default, once it is known */
  ds_status s = read_beads(r, &b->i, &b->j);
  if (!s) s = read_number(r, r->words[2], "r0", 0, &b->r0);
  if (!s && r->count > 3) s = read_number(r, r->words[3], "k", 0, &b->k);
  if (!s && r->count > 4) s = read_number(r, r->words[4], "R0", 0, &b->R0);
  if (s) return s;
  r->bond_line[t->bonds++] = r->line;
  return DS_OK;
}

static ds_status contact_line(reader *r)
{
  ds_sop_topology *const t = r->t;
  if (r->count < 3 || r->count > 4) return FAIL(r, "a contact is 'i j r0' or 'i j r0 eps', found %d words", r->count);
  if (t->contacts == r->want_contacts) return FAIL(r, "more contacts than the %d of the header", t->contacts);
  if (!grow((void **) &t->contact, &r->contact_line, &r->contact_room, t->contacts, sizeof *t->contact))
    return no_memory(r, "contacts");
  ds_sop_contact_row *const c = t->contact + t->contacts;
  c->eps = -1.0; /* the default, once it is known */
  ds_status s = read_beads(r, &c->i, &c->j);
  if (!s) s = read_number(r, r->words[2], "r0", 0, &c->r0);
  if (!s && r->count > 3) s = read_number(r, r->words[3], "eps", 1, &c->eps);
  if (s) return s;
  r->contact_line[t->contacts++] = r->line;
  return DS_OK;
}

static ds_status radius_line(reader *r)
{
  ds_sop_topology *const t = r->t;
  int32_t bead = 1;
  if (r->count != 2) return FAIL(r, "a radius is 'i radius', found %d words", r->count);
  if (!t->radius) t->radius = calloc((size_t) t->beads, sizeof *t->radius);
  if (!t->radius) return no_memory(r, "radii");
  const ds_status s = read_count(r, r->words[0], "the bead", 1, t->beads, &bead);
  if (s) return s;
  if (t->radius[bead - 1] != 0.0) return FAIL(r, "a second radius of bead %d", bead);
  return read_number(r, r->words[1], "the radius", 0, t->radius + bead - 1);
}

static ds_status one_line(reader *r)
{
  ds_status s = DS_OK;
  if (r->count == 0 || is_section(r, &s)) return s;
  switch (r->section) {
  case IN_PARAMETERS: return parameter_line(r);
  case IN_BONDS: return bond_line(r);
  case IN_CONTACTS: return contact_line(r);
  case IN_RADII: return radius_line(r);
  default: return header_line(r);
  }
}

/* --------------------------------------------------------------------------------------- the whole */

static void take_defaults(ds_sop_topology *t, const int seen[PARAMETERS])
{
  ds_sop_parameters *const p = &t->parameters;
  if (!seen[5]) p->eps_a = p->eps_r;
  if (!seen[6]) p->sigma_a = p->sigma;
  for (int32_t k = 0; k < t->bonds; k++) {
    if (t->bond[k].k == 0.0) t->bond[k].k = p->k;
    if (t->bond[k].R0 == 0.0) t->bond[k].R0 = p->R0;
  }
  for (int32_t k = 0; k < t->contacts; k++)
    if (t->contact[k].eps < 0.0) t->contact[k].eps = p->eps_n;
}

typedef struct {
  int64_t pair;
  int32_t line;
} located_pair;

static int by_pair_and_line(const void *a, const void *b)
{
  const located_pair *const p = a, *const q = b;
  if (p->pair != q->pair) return p->pair < q->pair ? -1 : 1;
  return p->line < q->line ? -1 : p->line > q->line;
}

/* Every pair of beads may stand in one row only. */
static ds_status check_pairs(reader *r)
{
  const ds_sop_topology *const t = r->t;
  const size_t n = (size_t) t->bonds + (size_t) t->contacts;
  located_pair *const all = malloc((n + 1) * sizeof *all);
  ds_status s = DS_OK;
  if (!all) return no_memory(r, "pairs");
  for (int32_t k = 0; k < t->bonds; k++) {
    all[k].pair = (int64_t) t->bond[k].i * t->beads + t->bond[k].j;
    all[k].line = r->bond_line[k];
  }
  for (int32_t k = 0; k < t->contacts; k++) {
    all[t->bonds + k].pair = (int64_t) t->contact[k].i * t->beads + t->contact[k].j;
    all[t->bonds + k].line = r->contact_line[k];
  }
  qsort(all, n, sizeof *all, by_pair_and_line);
  for (size_t k = 1; k < n && !s; k++)
    if (all[k].pair == all[k - 1].pair) {
      r->line = all[k].line;
      s = FAIL(r, "beads %lld and %lld have a row in line %d already", (long long) (all[k].pair / t->beads + 1),
               (long long) (all[k].pair % t->beads + 1), all[k - 1].line);
    }
  free(all);
  return s;
}

static ds_status check_whole(reader *r)
{
  const ds_sop_topology *const t = r->t;
  if (!r->has_beads) return FAIL(r, "the number of beads is missing ('76 beads')");
  if (!r->has_bonds) return FAIL(r, "the number of bonds is missing ('75 bonds')");
  if (!r->has_contacts) return FAIL(r, "the number of contacts is missing ('256 contacts')");
  if ((int64_t) t->beads * t->copies > DS_SOP_MAX_ROWS)
    return FAIL(r, "%d copies of %d beads; at most %d beads in all", t->copies, t->beads, (int) DS_SOP_MAX_ROWS);
  for (int k = 0; k < PARAMETERS; k++)
    if (!r->parameter_seen[k] && !parameter[k].optional)
      return FAIL(r, "the end, and parameter %s is missing", parameter[k].name);
  if (t->bonds != r->want_bonds) return FAIL(r, "the end, and %d bonds of %d", t->bonds, r->want_bonds);
  if (t->contacts != r->want_contacts) return FAIL(r, "the end, and %d contacts of %d", t->contacts, r->want_contacts);
  return check_pairs(r);
}

static ds_status read_lines(reader *r, char *text)
{
  for (char *next = text; next;) {
    char *const line = next;
    next = ds_text_cut_line(line);
    r->line++;
    if (r->line == 1) ds_text_tag(line, "UNITS:", r->t->units, sizeof r->t->units);
    r->count = ds_text_split(line, r->words, MAX_WORDS + 1);
    const ds_status s = one_line(r);
    if (s) return s;
  }
  return check_whole(r);
}

ds_status ds_sop_topology_parse(ds_sop_topology *t, const char *text, size_t size, ds_error *err)
{
  reader r;
  memset(&r, 0, sizeof r);
  memset(t, 0, sizeof *t);
  t->copies = 1;
  r.t = t;
  r.section = NO_SECTION;
  r.err = err;
  const char *const zero = memchr(text, 0, size);
  char *const copy = malloc(size + 1);
  ds_status s;
  if (zero)
    s = ds_fail(err, DS_ERR_ARGUMENT, "byte %zu is 0: not a text", (size_t) (zero - text) + 1);
  else if (!copy)
    s = ds_fail(err, DS_ERR_MEMORY, "no host memory for a text of %zu bytes", size);
  else {
    memcpy(copy, text, size);
    copy[size] = 0;
    s = read_lines(&r, copy);
  }
  if (!s) take_defaults(t, r.parameter_seen);
  free(copy);
  free(r.bond_line);
  free(r.contact_line);
  if (s) ds_sop_topology_free(t);
  return s ? s : ds_succeed(err);
}

ds_status ds_sop_topology_read(ds_sop_topology *t, const char *file, ds_error *err)
{
  char *text;
  size_t size;
  ds_error inner;
  memset(t, 0, sizeof *t);
  ds_status s = ds_text_read(file, &text, &size, err);
  if (s) return s;
  s = ds_sop_topology_parse(t, text, size, &inner);
  free(text);
  return s ? ds_fail(err, s, "%s: %s", file, inner.text) : ds_succeed(err);
}

void ds_sop_topology_free(ds_sop_topology *t)
{
  free(t->bond);
  free(t->contact);
  free(t->radius);
  memset(t, 0, sizeof *t);
}

/* --------------------------------------------------------------------------- one that was not read */

/* Row `row` of the bonds, or of the contacts. */
static ds_status check_beads(const ds_sop_topology *t, const char *what, int32_t row, int32_t i, int32_t j, ds_error *err)
{
  if (i >= 0 && i < j && j < t->beads) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "%s[%d] of the topology has the beads %d and %d, must be i < j, from 0 to %d", what, row,
                 i, j, t->beads - 1);
}

static ds_status check_value(const char *what, int32_t row, const char *name, double value, int may_be_zero, ds_error *err)
{
  if (is_possible(value, may_be_zero)) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "%s[%d] of the topology has %s = %g, must be %s" POSSIBLE, what, row, name, value,
                 may_be_zero ? "0 or " : "");
}

static ds_status check_count(const char *what, int64_t count, int64_t low, int64_t high, ds_error *err)
{
  if (count >= low && count <= high) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "the topology has %lld %s, must be %lld to %lld", (long long) count, what,
                 (long long) low, (long long) high);
}

static ds_status check_counts(const ds_sop_topology *t, ds_error *err)
{
  ds_status s = check_count("beads", t->beads, 1, DS_SOP_MAX_BEADS, err);
  if (!s) s = check_count("bonds", t->bonds, 0, DS_SOP_MAX_ROWS, err);
  if (!s) s = check_count("contacts", t->contacts, 0, DS_SOP_MAX_ROWS - t->bonds, err);
  if (!s && ((t->bonds && !t->bond) || (t->contacts && !t->contact)))
    s = ds_fail(err, DS_ERR_ARGUMENT, "the topology has %d bonds and %d contacts, and %s is NULL", t->bonds, t->contacts,
                t->bonds && !t->bond ? "bond" : "contact");
  return s;
}

static ds_status check_parameters(const ds_sop_parameters *p, ds_error *err)
{
  for (int k = 0; k < PARAMETERS; k++) {
    double value;
    memcpy(&value, (const char *) p + parameter[k].at, sizeof value);
    if (!is_possible(value, parameter[k].may_be_zero))
      return ds_fail(err, DS_ERR_ARGUMENT, "the topology has %s = %g, must be %s" POSSIBLE, parameter[k].name, value,
                     parameter[k].may_be_zero ? "0 or " : "");
  }
  return DS_OK;
}

ds_status ds_sop_topology_check(const ds_sop_topology *t, ds_error *err)
{
  if (!t) return ds_fail(err, DS_ERR_ARGUMENT, "the topology is NULL");
  ds_status s = check_counts(t, err);
  if (!s) s = check_parameters(&t->parameters, err);
  for (int32_t k = 0; k < t->bonds && !s; k++) {
    const ds_sop_bond_row *const b = t->bond + k;
    s = check_beads(t, "bond", k, b->i, b->j, err);
    if (!s) s = check_value("bond", k, "r0", b->r0, 0, err);
    if (!s) s = check_value("bond", k, "k", b->k, 0, err);
    if (!s) s = check_value("bond", k, "R0", b->R0, 0, err);
  }
  for (int32_t k = 0; k < t->contacts && !s; k++) {
    const ds_sop_contact_row *const c = t->contact + k;
    s = check_beads(t, "contact", k, c->i, c->j, err);
    if (!s) s = check_value("contact", k, "r0", c->r0, 0, err);
    if (!s) s = check_value("contact", k, "eps", c->eps, 1, err);
  }
  for (int32_t k = 0; k < t->beads && t->radius && !s; k++) s = check_value("radius", k, "R", t->radius[k], 1, err);
  return s ? s : ds_succeed(err);
}

int64_t ds_sop_topology_others(const ds_sop_topology *t)
{
  return (int64_t) t->beads * (t->beads - 1) / 2 - t->bonds - t->contacts;
}
