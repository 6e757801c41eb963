/* The state of an object as bytes, for restarts: a header, then a record of each molecule, then one of each bead.
   SPDX-License-Identifier: GPL-2.0-or-later */
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
  saved_action pull, indent;
  int64_t state_bytes; /* of a bead */
} saved_header;

static size_t molecule_bytes(int64_t pulled, int64_t indented)
{
  return (pulled ? sizeof(ds_sop_anchor) : 0) + (indented ? sizeof(ds_sop_tip) : 0);
}

void ds_sop_state_parts(const ds_sop *sop, ds_sop_state_sizes *sizes)
{
  sizes->header = sizeof(saved_header);
  sizes->molecule = molecule_bytes(sop->pull.molecules, sop->indent.molecules);
  sizes->bead = (size_t) sop->generator->bytes;
}

size_t ds_sop_state_bytes(const ds_sop *sop)
{
  ds_sop_state_sizes size;
  ds_sop_state_parts(sop, &size);
  return size.header + size.molecule * (size_t) sop->molecules + size.bead * (size_t) sop->beads;
}

static saved_header header_of(const ds_sop *sop)
{
  saved_header h;
  memset(&h, 0, sizeof h);
  h.pull.clock = sop->pull.clock;
  h.pull.signature = ds_sop_pull_signature(&sop->pull);
  h.pull.begun = sop->pull.molecules > 0;
  h.indent.clock = sop->indent.clock;
  h.indent.signature = ds_sop_indent_signature(&sop->indent);
  h.indent.begun = sop->indent.molecules > 0;
  h.state_bytes = sop->generator->bytes;
  return h;
}

ds_status ds_sop_save(const ds_sop *sop, void *bytes, size_t size, ds_error *err)
{
  const saved_header h = header_of(sop);
  if (size < ds_sop_state_bytes(sop))
    return ds_fail(err, DS_ERR_ARGUMENT, "room for %zu bytes of %zu", size,
                   ds_sop_state_bytes(sop));
  char *to = bytes;
  memcpy(to, &h, sizeof h);
  to += sizeof h;
  for (int32_t m = 0; m < sop->molecules; m++) {
    if (h.pull.begun)
      to = (char *) memcpy(to, sop->pull.anchor + m, sizeof(ds_sop_anchor)) + sizeof(ds_sop_anchor);
    if (h.indent.begun)
      to = (char *) memcpy(to, sop->indent.tip + m, sizeof(ds_sop_tip)) + sizeof(ds_sop_tip);
  }
  const ds_status s = sop->functions->get_states(sop, (uint32_t *) to, err);
  return s ? s : ds_succeed(err);
}

/* One part of all molecules' records, which are `stride` apart; to be freed. */
static void *take_records(const ds_sop *sop, const char *from, size_t part, size_t stride,
                          ds_error *err)
{
  char *const all = malloc((size_t) sop->molecules * part + 1);
  if (!all) ds_fail(err, DS_ERR_MEMORY, "no host memory for a state");
  for (size_t m = 0; m < (size_t) sop->molecules && all; m++)
    memcpy(all + m * part, from + m * stride, part);
  return all;
}

/* What was saved of other actions than those that are set is left out: they begin anew. */
static ds_status load_actions(ds_sop *sop, const saved_header *h, const char *from, ds_error *err)
{
  const size_t stride = molecule_bytes(h->pull.begun, h->indent.begun);
  if (h->pull.begun && h->pull.signature == ds_sop_pull_signature(&sop->pull)) {
    void *const a = take_records(sop, from, sizeof(ds_sop_anchor), stride, err);
    if (!a) return DS_ERR_MEMORY;
    ds_sop_pull_forget(&sop->pull);
    sop->pull.anchor = a;
    sop->pull.clock = h->pull.clock;
    sop->pull.molecules = sop->molecules;
  }
  if (h->indent.begun && h->indent.signature == ds_sop_indent_signature(&sop->indent)) {
    void *const t =
        take_records(sop, from + molecule_bytes(h->pull.begun, 0), sizeof(ds_sop_tip), stride, err);
    if (!t) return DS_ERR_MEMORY;
    ds_sop_indent_forget(&sop->indent);
    sop->indent.tip = t;
    sop->indent.clock = h->indent.clock;
    sop->indent.molecules = sop->molecules;
  }
  sop->changes++;
  return DS_OK;
}

ds_status ds_sop_load(ds_sop *sop, const void *bytes, size_t size, ds_error *err)
{
  saved_header h;
  const char *const from = (const char *) bytes + sizeof h;
  if (size < sizeof h) return ds_fail(err, DS_ERR_ARGUMENT, "a state of %zu bytes", size);
  memcpy(&h, bytes, sizeof h);
  const size_t states = (size_t) sop->generator->bytes * (size_t) sop->beads;
  const size_t records = molecule_bytes(h.pull.begun, h.indent.begun) * (size_t) sop->molecules;
  if (h.state_bytes != sop->generator->bytes || size != sizeof h + records + states)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "the state is of other molecules, or of another generator than %s",
                   sop->generator->name);
  ds_status s = load_actions(sop, &h, from, err);
  if (!s) s = sop->functions->put_states(sop, (const uint32_t *) (from + records), err);
  return s ? s : ds_succeed(err);
}
