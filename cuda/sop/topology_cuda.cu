/* The topology in the GPU's memory.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "cuda_state.h"

#include <algorithm>
#include <new>
#include <vector>

static ds_status upload(ds_sop_cuda *g, ds_buffer *b, const void *data, size_t count, size_t size, const char *what,
                        ds_error *err)
{
  ds_status s = ds_reserve(&g->s.memory, b, count + 1, size, what, err);
  if (!s && count) s = ds_queue_copy(&g->s, b->data, data, count * size, what, err);
  return s;
}

/* Pairs of a kind in the order of their diagonals, j - i first, then i. */
static std::vector<int32_t> along_diagonals(const ds_sop_pairs &p)
{
  std::vector<int32_t> order((size_t) p.count);
  for (int32_t k = 0; k < p.count; k++) order[(size_t) k] = k;
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    const int32_t da = p.j[a] - p.i[a], db = p.j[b] - p.i[b];
    return da != db ? da < db : p.i[a] < p.i[b];
  });
  return order;
}

static int32_t bits_of(float x)
{
  return (int32_t) ds_float_as_uint(x);
}

/* An entry of a pair: its partner, or both beads, and up to three coefficients. */
static int4 entry_of(const ds_sop_model *m, int kind, int32_t pair, uint32_t beads)
{
  int4 e = {(int32_t) beads, 0, 0, 0};
  if (kind == DS_SOP_BONDS) {
    e.y = bits_of(m->bond[pair].k);
    e.z = bits_of(m->bond[pair].r0);
    e.w = bits_of(m->bond[pair].inverse_R2);
  } else if (kind == DS_SOP_CONTACTS) {
    e.y = bits_of(m->contact[pair].r02);
    e.z = bits_of(m->contact[pair].eps);
  }
  return e;
}

/* Bonded pairs of `group` molecules whose beads follow each other, kind by kind, each of which is filled up to turns of 32 with
   what is no pair. */
static std::vector<int4> block_bonded(const ds_sop_model *m, int group)
{
  const int4 none = {-1, 0, 0, 0};
  std::vector<int4> all;
  for (int kind = 0; kind < DS_SOP_LISTED; kind++) {
    const ds_sop_pairs &p = m->pairs[kind];
    const std::vector<int32_t> order = along_diagonals(p);
    for (int32_t g = 0; g < group; g++)
      for (int32_t k : order) {
        const int32_t base = g * m->topology.beads;
        all.push_back(entry_of(m, kind, k, DS_SOP_PACK(base + p.i[k], base + p.j[k])));
      }
    while (all.size() % 32) all.push_back(none);
  }
  return all;
}

/* Pairs that may be on the list of a block, along the diagonals of one molecule after the other; of molecules that are not
   too large for one. */
static std::vector<uint32_t> block_candidates(const ds_sop_model *m, int group)
{
  enum { MAX_BEADS = 1024 };
  std::vector<uint32_t> all;
  const int32_t n = m->topology.beads > MAX_BEADS ? 0 : m->topology.beads;
  for (int32_t g = 0; g < group; g++)
    for (int32_t d = 1; d < n; d++)
      for (int32_t i = 0; i + d < n; i++)
        if (!ds_sop_is_excluded(&m->exclusions, i, i + d)) all.push_back(DS_SOP_PACK(g * n + i, g * n + i + d));
  return all;
}

ds_status ds_sop_cuda_block_pairs(const ds_sop *sop, ds_sop_cuda *g, int group, ds_error *err)
{
  if (g->group == group) return DS_OK;
  try {
    const std::vector<int4> bonded = block_bonded(&sop->model, group);
    const std::vector<uint32_t> candidate = block_candidates(&sop->model, group);
    ds_status s = upload(g, &g->block_bonded, bonded.data(), bonded.size(), sizeof bonded[0], "pairs", err);
    if (!s) s = upload(g, &g->candidate, candidate.data(), candidate.size(), sizeof candidate[0], "pairs", err);
    if (!s) s = ds_queue_wait(&g->s, "pairs", err);
    if (!s) g->group = group;
    return s;
  } catch (const std::bad_alloc &) {
    return ds_fail(err, DS_ERR_MEMORY, "no host memory for the pairs of %d molecules", group);
  }
}

/* The entry of the same pair in the partner's row. */
static std::vector<int32_t> mates_of(const std::vector<int32_t> &first, const std::vector<int4> &entry)
{
  std::vector<int32_t> mate(entry.size(), 0);
  for (size_t b = 0; b + 1 < first.size(); b++)
    for (int32_t k = first[b]; k < first[b + 1]; k++) {
      const int32_t partner = entry[(size_t) k].x & 0x3FFFFFFF;
      for (int32_t j = first[(size_t) partner]; j < first[(size_t) partner + 1]; j++)
        if ((size_t) (entry[(size_t) j].x & 0x3FFFFFFF) == b) mate[(size_t) k] = j;
    }
  return mate;
}

/* Rows of the scheme particle: of each bead its bonds, contacts and angles. An entry is the partner, with the kind in the
   upper two bits, and up to three coefficients. */
static ds_status upload_rows(const ds_sop_model *m, ds_sop_cuda *g, ds_error *err)
{
  std::vector<int32_t> first(1, 0);
  std::vector<int4> entry;
  for (int32_t b = 0; b < m->topology.beads; b++) {
    for (int kind = 0; kind < DS_SOP_LISTED; kind++)
      for (int32_t k = m->rows[kind].first[b]; k < m->rows[kind].first[b + 1]; k++) {
        const uint32_t partner = (uint32_t) m->rows[kind].partner[k] | (uint32_t) kind << 30;
        entry.push_back(entry_of(m, kind, m->rows[kind].pair[k], partner));
      }
    first.push_back((int32_t) entry.size());
  }
  const std::vector<int32_t> mate = mates_of(first, entry);
  g->bonded_entries = (int) entry.size();
  ds_status s = upload(g, &g->bonded_first, first.data(), first.size(), sizeof(int32_t), "rows", err);
  if (!s) s = upload(g, &g->bonded_mate, mate.data(), mate.size(), sizeof(int32_t), "rows", err);
  if (!s) s = upload(g, &g->bonded, entry.data(), entry.size(), sizeof(int4), "rows", err);
  return s;
}

static ds_status upload_partners(const ds_sop_model *m, ds_sop_cuda *g, ds_error *err)
{
  const ds_sop_rows *const r = &m->exclusions;
  const size_t n = (size_t) m->topology.beads + 1;
  const ds_status s = upload(g, &g->exclusion_first, r->first, n, sizeof(int32_t), "partners of beads", err);
  return s ? s : upload(g, &g->exclusion, r->partner, (size_t) r->first[n - 1], sizeof(int32_t), "partners of beads", err);
}

ds_status ds_sop_cuda_topology(const ds_sop *sop, ds_sop_cuda *g, ds_error *err)
{
  try {
    g->candidates = (int) block_candidates(&sop->model, 1).size();
    ds_status s = upload_rows(&sop->model, g, err);
    if (!s) s = upload_partners(&sop->model, g, err);
    return s;
  } catch (const std::bad_alloc &) {
    return ds_fail(err, DS_ERR_MEMORY, "no host memory for a topology of %d bonds and %d contacts", sop->model.topology.bonds,
                   sop->model.topology.contacts);
  }
}
