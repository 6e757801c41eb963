/* How a launch of the scheme block shares out the work.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_BLOCK_SHAPE_CUDA_CUH
#define DPDSOP_SOP_BLOCK_SHAPE_CUDA_CUH

#include "block_force_cuda.cuh"

/* Threads of a block: fewer where some are producers of noise, so that consumers have more registers. */
__host__ __device__ constexpr int most_of_block(bool producers)
{
  return producers ? 768 : 1024;
}

/* Sizes that there are kernels for: beads of a block. */
enum { SMALL = 128, MIDDLE = 256, LARGE = 512 };

/* Steps that noise is made for at a time, by the consumers or by producers; beads that one warp of producers can keep up
   with. */
enum { LEAST_AHEAD = 4, MAX_AHEAD = 32, PRODUCERS_AHEAD = 16, BEADS_OF_PRODUCERS = 16 };

/* Of the memory that a launch asks for, by `group` molecules per block. */
static size_t pulled_bytes(const ds_sop *sop, int group)
{
  return sop->pull.spec.mode ? 24 * (size_t) sop->pull.spec.pulled * (size_t) group : 0;
}

static size_t shared_bytes(const ds_sop *sop, int group, int room, int ahead)
{
  return pulled_bytes(sop, group) + 12 * (size_t) ahead * (size_t) group * (size_t) sop->model.topology.beads +
         4 * (size_t) room;
}

/* Room for the near pairs: some more than there were; at first for those of compact molecules, at a bead per 110 cubic angstrom
   half of what a sphere of 15 holds. */
static int list_room(const ds_sop *sop, const ds_sop_cuda *g, int group)
{
  const int usual = 64 * sop->model.topology.beads, some_more = g->listed + g->listed / 8 + 32;
  int room = g->candidates < usual ? g->candidates : usual;
  if (g->listed > 0 && some_more < room) room = some_more;
  return group * room;
}

/* Blocks of eight warps each do best four at a time: while some wait for their slowest warp, others work. */
enum { TOGETHER = 4, WARPS_OF_FOUR = 8 };

/* ahead: of the steps that there is noise for at a time, twice where some threads make the next ones meanwhile. */
static int block_has_room(const ds_sop *sop, const ds_sop_cuda *g, int group, int ahead)
{
  const int beads = group * sop->model.topology.beads;
  const size_t size = beads > MIDDLE ? sizeof(shared_molecules<LARGE>) : sizeof(shared_molecules<MIDDLE>);
  const size_t all = shared_bytes(sop, group, list_room(sop, g, group), ahead) + size + 1024;
  return (group > 1 ? TOGETHER : 1) * all <= (size_t) g->block_shared;
}

/* Turns of 32 pairs in a step: as many as there were near, at first as many as there can be. */
static int turns_of_step(const ds_sop *sop, const ds_sop_cuda *g, int group)
{
  int turns = turns_of(group * (g->listed > 0 ? g->listed : g->candidates));
  for (int kind = 0; kind < DS_SOP_LISTED; kind++) turns += turns_of(group * sop->model.pairs[kind].count);
  return turns > 0 ? turns : 1;
}

/* How a block shares out its work. */
struct block_shape {
  int group;                /* molecules */
  int consumers, producers; /* threads */
  int ahead;
};

/* Blocks that the multiprocessor with most of them has. */
static int blocks_of_one(const ds_sop *sop, const ds_sop_cuda *g, int group)
{
  const int blocks = (sop->molecules + group - 1) / group;
  return (blocks + g->multiprocessors - 1) / g->multiprocessors;
}

/* Molecules of a block: as many as leave the fewest turns to the multiprocessor with most of them, which has some blocks to
   change between nevertheless. A turn of beads is about as long as two of pairs. */
static int group_of(const ds_sop *sop, const ds_sop_cuda *g)
{
  enum { LIMIT = 8 };
  const int beads = sop->model.topology.beads;
  int best = 1;
  int64_t fewest = INT64_MAX;
  for (int group = 1; group <= LIMIT; group++) {
    const int blocks = blocks_of_one(sop, g, group);
    if (group > 1 && (blocks < TOGETHER || group * beads > MIDDLE)) break;
    if (!block_has_room(sop, g, group, LEAST_AHEAD)) break;
    const int64_t turns = (int64_t) blocks * (turns_of_step(sop, g, group) + 2 * turns_of(group * beads));
    if (turns >= fewest) continue;
    best = group;
    fewest = turns;
  }
  return best;
}

/* Threads that make noise, in whole warps; 0: the consumers do. */
static int producers_of(const ds_sop *sop, const ds_sop_cuda *g)
{
  const int beads = sop->model.topology.beads;
  if (sop->molecules > g->multiprocessors || beads > SMALL) return 0;
  return block_has_room(sop, g, 1, 2 * PRODUCERS_AHEAD) ? 1 + beads / BEADS_OF_PRODUCERS : 0;
}

/* So many steps that the consumers, who make the numbers of two beads at a time, are busy. */
static int steps_ahead(const ds_sop *sop, const ds_sop_cuda *g, int group, int consumers)
{
  enum { ENOUGH = 12288 }; /* bytes */
  const int beads = group * sop->model.topology.beads;
  int best = LEAST_AHEAD;
  double best_share = 0.0;
  for (int ahead = LEAST_AHEAD; ahead <= MAX_AHEAD; ahead++) {
    const int turns = (ahead * beads + 2 * consumers - 1) / (2 * consumers);
    const double share = (double) (ahead * beads) / (2.0 * consumers * turns);
    if (ahead > LEAST_AHEAD && (12 * ahead * beads > ENOUGH || !block_has_room(sop, g, group, ahead))) break;
    if (share <= best_share + 0.01) continue;
    best = ahead;
    best_share = share;
  }
  return best;
}

/* Warps that a multiprocessor has for each of its blocks; of so many blocks that they take turns anyway, four at a time. */
static int warps_for_each(int blocks, bool producers)
{
  const int most = most_of_block(producers) / 32;
  return blocks >= 3 * TOGETHER ? WARPS_OF_FOUR : most / blocks;
}

/* Where every molecule has a multiprocessor to itself, so many threads that all warps take as many turns, but no fewer than
   components of beads, and some more that make noise; with more molecules, as many as there is room for, but no fewer than
   beads. */
static block_shape shape_of_block(const ds_sop *sop, const ds_sop_cuda *g)
{
  const int producers = producers_of(sop, g), group = producers ? 1 : group_of(sop, g);
  const int beads = group * sop->model.topology.beads, least = (beads + 31) / 32;
  const int room = warps_for_each(blocks_of_one(sop, g, group), producers > 0) - producers;
  const int turns = turns_of_step(sop, g, group), rounds = (turns + room - 1) / room;
  int warps = (turns + rounds - 1) / rounds;
  if (producers && 32 * warps < 3 * beads) warps = (3 * beads + 31) / 32;
  if (warps < 2) warps = 2;
  if (warps < least) warps = least;
  const block_shape s = {group, 32 * warps, 32 * producers,
                         producers ? PRODUCERS_AHEAD : steps_ahead(sop, g, group, 32 * warps)};
  return s;
}

#endif
