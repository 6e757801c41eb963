/* The state of an object as bytes, for restarts: a header, then a record of each molecule, then one of each bead. Each of
   them ends with a digest, that of a record also of the ID that it belongs to: so records of several objects can be put
   together, and one that was damaged, or is another molecule's or bead's, is noticed.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/digest.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>

/* What acts on molecules besides the model: which one, when it began, and whether each molecule has a record of it. */
typedef struct {
  ds_sop_clock clock;
  uint64_t signature;
  int64_t begun;
} saved_action;

typedef struct {
  char mark[8]; /* "dpdsopbd" */
  char generator[16];
  uint32_t version;
  int32_t beads; /* of a molecule */
  saved_action pull, indent;
  uint64_t check; /* digest of all that comes before it in the header */
} saved_header;

/* The speed of a cantilever, and ds_sop_cantilever.shows_way. */
typedef struct {
  double speed;
  int64_t shows_way;
} saved_speed;

/* Ends the header where a speed is not, or has not always been, the one that was set with the action. */
typedef struct {
  saved_speed pull, indent;
  uint64_t check; /* digest of the header and of them */
} saved_speeds;

enum { PLAIN = 1, WITH_SPEEDS = 2 }; /* versions */
static const char mark[8] = {'d', 'p', 'd', 's', 'o', 'p', 'b', 'd'};

typedef uint64_t check_word;

static size_t with_check(size_t bytes)
{
  return bytes ? bytes + sizeof(check_word) : 0;
}

/* What is saved of a molecule, and of a bead, without the digest. */
static size_t molecule_bytes(int64_t pulled, int64_t indented)
{
  return (pulled ? sizeof(ds_sop_anchor) : 0) + (indented ? sizeof(ds_sop_tip) : 0);
}

static size_t bead_bytes(const ds_sop *sop)
{
  return (size_t) sop->generator->bytes;
}

static size_t header_bytes(uint32_t version)
{
  return sizeof(saved_header) + (version == WITH_SPEEDS ? sizeof(saved_speeds) : 0);
}

static uint32_t version_of(const ds_sop *sop)
{
  const ds_sop_cantilever *const pull = &sop->pull.cantilever, *const indent = &sop->indent.cantilever;
  const int plain = !pull->shows_way && pull->speed == sop->pull.spec.speed && !indent->shows_way &&
                    indent->speed == sop->indent.spec.speed;
  return plain ? PLAIN : WITH_SPEEDS;
}

static ds_sop_state_sizes sizes_of(const ds_sop *sop, uint32_t version, int64_t pulled, int64_t indented)
{
  const ds_sop_state_sizes s = {header_bytes(version), with_check(molecule_bytes(pulled, indented)),
                                with_check(bead_bytes(sop))};
  return s;
}

static size_t total(const ds_sop *sop, const ds_sop_state_sizes *s)
{
  return s->header + s->molecule * (size_t) sop->molecules + s->bead * (size_t) sop->beads;
}

void ds_sop_state_parts(const ds_sop *sop, ds_sop_state_sizes *sizes)
{
  *sizes = sizes_of(sop, version_of(sop), sop->pull.molecules, sop->indent.molecules);
}

size_t ds_sop_state_bytes(const ds_sop *sop)
{
  ds_sop_state_sizes size;
  ds_sop_state_parts(sop, &size);
  return total(sop, &size);
}

/* ----------------------------------------------------------------------------------------- digests */

static uint64_t digest_of_header(const saved_header *h)
{
  return ds_digest(DS_DIGEST_OF_NOTHING, h, offsetof(saved_header, check));
}

static uint64_t digest_of_speeds(const saved_header *h, const saved_speeds *s)
{
  return ds_digest(h->check, s, offsetof(saved_speeds, check));
}

static uint64_t digest_of_record(int64_t id, const char *record, size_t bytes)
{
  return ds_digest(ds_digest(DS_DIGEST_OF_NOTHING, &id, sizeof id), record, bytes);
}

/* A molecule goes by the ID of its first bead. */
static int64_t id_of_molecule(const ds_sop *sop, int32_t m)
{
  return sop->id[(int64_t) m * sop->model.topology.beads];
}

/* Writes the digest behind a record. Returns where the next one begins. */
static char *seal(int64_t id, char *record, size_t bytes)
{
  const check_word check = digest_of_record(id, record, bytes);
  return (char *) memcpy(record + bytes, &check, sizeof check) + sizeof check;
}

static int is_sealed(int64_t id, const char *record, size_t bytes)
{
  check_word check;
  memcpy(&check, record + bytes, sizeof check);
  return check == digest_of_record(id, record, bytes);
}

/* -------------------------------------------------------------------------------------------- save */

static saved_header header_of(const ds_sop *sop)
{
  saved_header h;
  memset(&h, 0, sizeof h);
  memcpy(h.mark, mark, sizeof h.mark);
  strncpy(h.generator, sop->generator->name, sizeof h.generator - 1);
  h.version = version_of(sop);
  h.beads = sop->model.topology.beads;
  h.pull.clock = sop->pull.cantilever.clock;
  h.pull.signature = ds_sop_pull_signature(&sop->pull);
  h.pull.begun = sop->pull.molecules > 0;
  h.indent.clock = sop->indent.cantilever.clock;
  h.indent.signature = ds_sop_indent_signature(&sop->indent);
  h.indent.begun = sop->indent.molecules > 0;
  h.check = digest_of_header(&h);
  return h;
}

static saved_speed speed_of(const ds_sop_cantilever *c)
{
  const saved_speed s = {c->speed, c->shows_way};
  return s;
}

/* Returns where the records begin. */
static char *save_header(const ds_sop *sop, char *to)
{
  const saved_header h = header_of(sop);
  to = (char *) memcpy(to, &h, sizeof h) + sizeof h;
  if (h.version == PLAIN) return to;
  saved_speeds s = {speed_of(&sop->pull.cantilever), speed_of(&sop->indent.cantilever), 0};
  s.check = digest_of_speeds(&h, &s);
  return (char *) memcpy(to, &s, sizeof s) + sizeof s;
}

static char *save_molecules(const ds_sop *sop, char *to)
{
  const size_t anchor = molecule_bytes(sop->pull.molecules, 0), tip = molecule_bytes(0, sop->indent.molecules);
  for (int32_t m = 0; m < sop->molecules && anchor + tip > 0; m++) {
    if (anchor) memcpy(to, sop->pull.anchor + m, anchor);
    if (tip) memcpy(to + anchor, sop->indent.tip + m, tip);
    to = seal(id_of_molecule(sop, m), to, anchor + tip);
  }
  return to;
}

/* States come without digests: they are put at the end of their room, and go to their places one after the other. */
static ds_status save_beads(const ds_sop *sop, char *to, ds_error *err)
{
  const size_t bytes = bead_bytes(sop), n = (size_t) sop->beads;
  char *const states = to + sizeof(check_word) * n;
  if (bytes == 0) return DS_OK;
  const ds_status s = sop->functions->get_states(sop, states, err);
  for (size_t b = 0; b < n && !s; b++) {
    memmove(to, states + bytes * b, bytes);
    to = seal(sop->id[b], to, bytes);
  }
  return s;
}

ds_status ds_sop_save(const ds_sop *sop, void *bytes, size_t size, ds_error *err)
{
  if (!bytes || size < ds_sop_state_bytes(sop))
    return ds_fail(err, DS_ERR_ARGUMENT, "the state has %zu bytes, there is room for %zu", ds_sop_state_bytes(sop),
                   bytes ? size : 0);
  const ds_status s = save_beads(sop, save_molecules(sop, save_header(sop, bytes)), err);
  return s ? s : ds_succeed(err);
}

/* -------------------------------------------------------------------------------------------- load */

static ds_status fail_cut(size_t size, size_t header, ds_error *err)
{
  return ds_fail(err, DS_ERR_ARGUMENT, "the state has been cut: %zu bytes, and its header has %zu", size, header);
}

static ds_status fail_changed(ds_error *err)
{
  return ds_fail(err, DS_ERR_ARGUMENT, "the header of the state has been changed");
}

/* Whether this is a whole header of a state of a known version. A plain one leaves *speeds as it is. */
static ds_status take_header(saved_header *h, saved_speeds *speeds, const void *bytes, size_t size, ds_error *err)
{
  if (memcmp(bytes, mark, size < sizeof mark ? size : sizeof mark))
    return ds_fail(err, DS_ERR_ARGUMENT, "%zu bytes are no state of SOP molecules", size);
  if (size < sizeof *h) return fail_cut(size, sizeof *h, err);
  memcpy(h, bytes, sizeof *h);
  if (h->version != PLAIN && h->version != WITH_SPEEDS)
    return ds_fail(err, DS_ERR_ARGUMENT, "the state is of version %lu, allowed are %d and %d", (unsigned long) h->version,
                   PLAIN, WITH_SPEEDS);
  if (h->check != digest_of_header(h)) return fail_changed(err);
  if (h->version == PLAIN) return DS_OK;
  if (size < header_bytes(h->version)) return fail_cut(size, header_bytes(h->version), err);
  memcpy(speeds, (const char *) bytes + sizeof *h, sizeof *speeds);
  if (speeds->check != digest_of_speeds(h, speeds)) return fail_changed(err);
  return DS_OK;
}

static ds_status check_header(const ds_sop *sop, const saved_header *h, size_t size, ds_error *err)
{
  const ds_sop_state_sizes sizes = sizes_of(sop, h->version, h->pull.begun, h->indent.begun);
  const size_t wanted = total(sop, &sizes);
  if (strncmp(h->generator, sop->generator->name, sizeof h->generator) || h->beads != sop->model.topology.beads)
    return ds_fail(err, DS_ERR_ARGUMENT, "a state of %.15s and molecules of %d beads is no state of %s and of %d beads",
                   h->generator, h->beads, sop->generator->name, sop->model.topology.beads);
  if (size != wanted)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "%zu bytes are no state of %d molecules and %d free beads, which has %zu, or "
                   "have been cut",
                   size, sop->molecules, sop->free, wanted);
  return DS_OK;
}

static ds_status check_records(const ds_sop *sop, const ds_sop_state_sizes *sizes, const char *from, ds_error *err)
{
  for (int32_t m = 0; m < sop->molecules && sizes->molecule; m++, from += sizes->molecule)
    if (!is_sealed(id_of_molecule(sop, m), from, sizes->molecule - sizeof(check_word)))
      return ds_fail(err, DS_ERR_ARGUMENT, "the state of the molecule of atom %lld has been changed, or is another's",
                     (long long) id_of_molecule(sop, m));
  for (int64_t b = 0; b < sop->beads && sizes->bead; b++, from += sizes->bead)
    if (!is_sealed(sop->id[b], from, sizes->bead - sizeof(check_word)))
      return ds_fail(err, DS_ERR_ARGUMENT, "the state of the generator of atom %lld has been changed, or is another's",
                     (long long) sop->id[b]);
  return DS_OK;
}

/* One part of `count` records, which are `stride` apart; to be freed. */
static void *take_records(const char *from, size_t count, size_t part, size_t stride, ds_error *err)
{
  char *const all = malloc(count * part + 1);
  if (!all) ds_fail(err, DS_ERR_MEMORY, "no host memory for %zu bytes of a state", count * part);
  for (size_t k = 0; k < count && all; k++) memcpy(all + k * part, from + k * stride, part);
  return all;
}

/* going: its action has begun in this object. */
static void load_cantilever(ds_sop_cantilever *c, int going, const saved_action *a, const saved_speed *s)
{
  if (!a->begun) {
    ds_sop_cantilever_set_speed(c, going, s->speed);
    return;
  }
  c->speed = s->speed;
  c->shows_way = (int) s->shows_way;
  c->clock = a->clock;
}

/* What was saved of other actions than those that are set is left out: they begin anew. */
static ds_status load_actions(ds_sop *sop, const saved_header *h, const saved_speeds *speeds, const ds_sop_state_sizes *sizes,
                              const char *from, ds_error *err)
{
  const size_t n = (size_t) sop->molecules;
  const int pulls = h->pull.signature == ds_sop_pull_signature(&sop->pull),
            presses = h->indent.signature == ds_sop_indent_signature(&sop->indent);
  if (pulls) load_cantilever(&sop->pull.cantilever, sop->pull.molecules > 0, &h->pull, &speeds->pull);
  if (presses) load_cantilever(&sop->indent.cantilever, sop->indent.molecules > 0, &h->indent, &speeds->indent);
  if (h->pull.begun && pulls) {
    void *const a = take_records(from, n, sizeof(ds_sop_anchor), sizes->molecule, err);
    if (!a) return DS_ERR_MEMORY;
    ds_sop_pull_forget(&sop->pull);
    sop->pull.anchor = a;
    sop->pull.molecules = sop->molecules;
  }
  if (h->indent.begun && presses) {
    const size_t at = molecule_bytes(h->pull.begun, 0);
    void *const t = take_records(from + at, n, sizeof(ds_sop_tip), sizes->molecule, err);
    if (!t) return DS_ERR_MEMORY;
    ds_sop_indent_forget(&sop->indent);
    sop->indent.tip = t;
    sop->indent.molecules = sop->molecules;
  }
  sop->changes++;
  return DS_OK;
}

static ds_status load_states(ds_sop *sop, const ds_sop_state_sizes *sizes, const char *from, ds_error *err)
{
  const size_t bytes = bead_bytes(sop);
  if (bytes == 0) return DS_OK;
  void *const states = take_records(from, (size_t) sop->beads, bytes, sizes->bead, err);
  const ds_status s = states ? sop->functions->put_states(sop, states, err) : DS_ERR_MEMORY;
  free(states);
  return s;
}

ds_status ds_sop_load(ds_sop *sop, const void *bytes, size_t size, ds_error *err)
{
  saved_header h;
  saved_speeds speeds = {{sop->pull.spec.speed, 0}, {sop->indent.spec.speed, 0}, 0};
  if (!bytes) return ds_fail(err, DS_ERR_ARGUMENT, "the state is NULL");
  ds_status s = take_header(&h, &speeds, bytes, size, err);
  if (!s) s = check_header(sop, &h, size, err);
  if (s) return s;
  const ds_sop_state_sizes sizes = sizes_of(sop, h.version, h.pull.begun, h.indent.begun);
  const char *const from = (const char *) bytes + sizes.header;
  s = check_records(sop, &sizes, from, err);
  if (!s) s = load_actions(sop, &h, &speeds, &sizes, from, err);
  if (!s) s = load_states(sop, &sizes, from + sizes.molecule * (size_t) sop->molecules, err);
  return s ? s : ds_succeed(err);
}
