/* Second half of the CUDA neighbor list: rows by warp vote (Tang & Karniadakis 2014, 3.3 and Alg. 3).
   SPDX-License-Identifier: GPL-2.0-or-later

   Each lane takes one place of a stencil at a time and all rows of the segment in turn; a vote gives 32 bits of a row's
   neighbors at once. Then each lane takes a row and writes out its bits. So rows hold their entries in the order of
   the curve, from run to run the same. One addition to a counter per warp finds room for its rows: where a row
   lies may differ from run to run, what it holds does not.

   A warp builds the rows of 32 consecutive slots. They belong to a few cells: the slots of one cell are a segment, and its rows
   have the same stencil. Where slots are too few to keep the GPU busy, the four warps of a block share 32 of them: each builds
   eight rows, and all have one room. */
#include "../core/launch.cuh"
#include "list.h"

enum {
  DS_WARP = 32,
  DS_BUILD_WARPS = 4,
  DS_FINISH_THREADS = 128,
  DS_BUILD_TYPES = 12, /* whose ranges have room in shared memory beside the tables of warps */
  DS_FEW_TILES = 6,    /* of 64 places, that a stencil can have in the tables */
  DS_MANY_TILES = 16   /* where a range is long beside the distance of atoms */
};

typedef struct {
  ds_launch_id launch;
  ds_list_source in;
  ds_list_view list;
  unsigned long long room; /* of the entries of each GPU */
  int single_rows; /* a segment is one row (dpdsop/device/list_distance.h) */
} build_args;

/* Each GPU reads its own copy of the positions. */
static void ds_set_share(build_args &a, const ds_share &share, int)
{
  a.launch.share = share;
  a.in.position += 4 * share.gpu * a.in.copy_stride;
}

template <int Tiles> struct warp_space {
  enum {
    WINDOW = Tiles * 2 * DS_WARP,
    PLACES = Tiles == DS_FEW_TILES ? 1248 : WINDOW /* of all stencils in the tables: the few ones of 32 slots, mostly */
  };
  float4 row[DS_WARP];        /* -2 p, p the row's place; |p|^2, or what it leaves of the range */
  uint2 near[Tiles][DS_WARP]; /* by tile of the row's stencil: places within range */
  int32_t type[DS_WARP];      /* of the row's atom, times the number of types */
  uint32_t place[PLACES];     /* slots of the stencils' atoms, one stencil after the other */
};

/* This GPU's table of cells. */
__device__ __forceinline__ const int2 *ranges_of(const build_args &a)
{
  return (const int2 *) a.list.cell_range + (size_t) a.launch.share.gpu * a.list.range_stride;
}

/* The fine stencil of a cell (3.3.1): each lane holds one cell of the coarse one. */
typedef struct {
  int total;         /* places */
  int offset, count; /* first place and places of this lane's cell */
  int first;         /* slot of it */
} fine_stencil;

__device__ __forceinline__ fine_stencil open_stencil(const build_args &a, int cell, int lane)
{
  fine_stencil f;
  int2 range = make_int2(0, 0);
  const int other = lane < DS_STENCIL ? __ldg(&a.list.stencil[(size_t) cell * DS_STENCIL + lane]) : -1;
  if (other >= 0) range = __ldg(ranges_of(a) + other);
  f.first = range.x;
  f.count = range.y - range.x;
  int sum = f.count;
#pragma unroll
  for (int step = 1; step < DS_WARP; step *= 2) {
    const int below = __shfl_up_sync(DS_FULL_WARP, sum, step);
    if (lane >= step) sum += below;
  }
  f.offset = sum - f.count;
  f.total = __shfl_sync(DS_FULL_WARP, sum, DS_WARP - 1);
  return f;
}

/* Slots of places from .. from + n - 1 of a stencil. */
__device__ __forceinline__ void write_places(const fine_stencil &f, int from, int n, uint32_t *place)
{
  const int begin = max(0, from - f.offset), end = min(f.count, from + n - f.offset);
  for (int k = begin; k < end; k++) place[f.offset - from + k] = (uint32_t) (f.first + k);
  __syncwarp();
}

/* Place of a slot of the segment's own cell, which begins at slot `begin`, in the stencil. */
__device__ __forceinline__ int own_place(const fine_stencil &f, int begin, int slot)
{
  const uint32_t own = __ballot_sync(DS_FULL_WARP, f.count > 0 && f.first == begin);
  return __shfl_sync(DS_FULL_WARP, f.offset, __ffs((int) own) - 1) + slot - begin;
}

/* A segment: rows lo .. hi-1 of the warp's 32, in a cell. */
typedef struct {
  int lo, hi, cell;
} segment;

/* The segment's rows, relative to its first own atom, into the warp's space. Returns 0 where it has no own atom. */
template <bool Types, class Space>
__device__ __forceinline__ int open_rows(const build_args &a, const segment &s, int lane, uint32_t own, const int4 &mine,
                                         float list2, Space *w, ds_position *origin)
{
  const uint32_t rows = own & ((s.hi < 32 ? 1u << s.hi : 0u) - (1u << s.lo));
  if (rows == 0) return 0;
  const int from = __ffs((int) rows) - 1;
  origin->x = __shfl_sync(DS_FULL_WARP, mine.x, from);
  origin->y = __shfl_sync(DS_FULL_WARP, mine.y, from);
  origin->z = __shfl_sync(DS_FULL_WARP, mine.z, from);
  if (lane >= s.lo && lane < s.hi) {
    const ds_position p = {mine.x, mine.y, mine.z};
    float x, y, z;
    ds_list_place(&a.in.frame, *origin, p, &x, &y, &z);
    const float p2 = ds_squaref(x, y, z);
    const int is_own = own >> lane & 1; /* a ghost has no neighbors */
    w->row[lane] = make_float4(-2.0f * x, -2.0f * y, -2.0f * z, !is_own ? (Types ? 1e30f : -1e30f) : Types ? p2 : list2 - p2);
    if (Types) w->type[lane] = mine.w * a.in.ntypes;
  }
  __syncwarp();
  return 1;
}

/* The atom at a place, relative to the origin: x y z, and their square. Far away where there is none. */
__device__ __forceinline__ float4 place_of(const build_args &a, const ds_position &origin, int4 q, int valid)
{
  float4 p;
  const ds_position at = {q.x, q.y, q.z};
  ds_list_place(&a.in.frame, origin, at, &p.x, &p.y, &p.z);
  p.w = valid ? ds_squaref(p.x, p.y, p.z) : 1e30f;
  return p;
}

/* Squared range with the margins, of a pair of types; `widened`: of all pairs, if there are few enough. */
__device__ __forceinline__ float range_of(const build_args &a, const float *widened, int pair)
{
  return widened ? widened[pair] : ds_list_widen(__ldg(&a.in.list2_table[pair]), a.in.margin);
}

/* Which of 32 places are within the list's range of row p; `type` is the row's. */
template <bool Types>
__device__ __forceinline__ uint32_t vote(const build_args &a, const float *widened, const float4 &p, int type, const float4 &q,
                                         int qtype)
{
  const float rest = fmaf(p.z, q.z, fmaf(p.y, q.y, fmaf(p.x, q.x, q.w))); /* |p - q|^2 - |p|^2 */
  const float range = Types ? range_of(a, widened, type + qtype) - p.w : p.w;
  return __ballot_sync(DS_FULL_WARP, rest < range);
}

/* Votes of all rows of a segment on a tile: each lane has two of its places. */
template <bool Types, class Space>
__device__ __forceinline__ void vote_rows(const build_args &a, const float *widened, Space *w, const segment &s, int tile,
                                          int lane, const float4 &q0, const float4 &q1, int type0, int type1)
{
#pragma unroll 2
  for (int i = s.lo; i < s.hi; i++) {
    const float4 p = w->row[i];
    const int type = Types ? w->type[i] : 0;
    const uint2 near = make_uint2(vote<Types>(a, widened, p, type, q0, type0), vote<Types>(a, widened, p, type, q1, type1));
    if (lane == 0) w->near[tile][i] = near;
  }
}

/* Bits of the rows of a segment for so many places; the lane's own row has its own place at `self`. Returns the number
   of entries of the lane's row. */
template <bool Types, class Space>
__device__ __forceinline__ int search(const build_args &a, const float *widened, const segment &s, const ds_position &origin,
                                      int self, int lane, int places, const uint32_t *place, Space *w)
{
  const int4 *const position = (const int4 *) a.in.position;
  int entries = 0;
  int4 next0 = __ldg(&position[lane < places ? place[lane] : 0]);
  int4 next1 = __ldg(&position[lane + DS_WARP < places ? place[lane + DS_WARP] : 0]);
  for (int c = 0, k = lane; c * 2 * DS_WARP < places; c++, k += 2 * DS_WARP) {
    const int4 now0 = next0, now1 = next1;
    /* loaded while this tile is worked on */
    if (k + 2 * DS_WARP < places) next0 = __ldg(&position[place[k + 2 * DS_WARP]]);
    if (k + 3 * DS_WARP < places) next1 = __ldg(&position[place[k + 3 * DS_WARP]]);
    const float4 q0 = place_of(a, origin, now0, k < places), q1 = place_of(a, origin, now1, k + DS_WARP < places);
    vote_rows<Types>(a, widened, w, s, c, lane, q0, q1, now0.w, now1.w);
  }
  __syncwarp();
  if (lane < s.lo || lane >= s.hi) return 0;
  if (self >= 0 && self < places) {
    uint2 *const near = &w->near[self / (2 * DS_WARP)][lane];
    const uint32_t bit = 1u << self % DS_WARP;
    if (self & DS_WARP)
      near->y &= ~bit;
    else
      near->x &= ~bit;
  }
  for (int c = 0; c * 2 * DS_WARP < places; c++) {
    const uint2 near = w->near[c][lane];
    entries += __popc(near.x) + __popc(near.y);
  }
  return entries;
}

/* Room for 32 rows, side by side, of which the longest has so many entries: where it begins. */
__device__ __forceinline__ unsigned long long add_room(const build_args &a, int longest, int *full)
{
  const unsigned long long entries = (unsigned long long) (longest + 3) / 4 * 4 * DS_WARP;
  const ds_share &share = a.launch.share;
  unsigned long long *const taken = &a.launch.control->entries[a.list.number][share.gpu];
  const unsigned long long at = longest > 0 ? atomicAdd_system(taken, entries) : 0;
  *full = at + entries > a.room;
  if (*full) ds_stop(a.launch);
  return (share.gpu * a.room + at) / 4;
}

/* Room for rows of so many entries, one per lane; where the lane's is. */
__device__ __forceinline__ unsigned long long take_room(const build_args &a, int entries, int lane, int *full)
{
  const int longest = __reduce_max_sync(DS_FULL_WARP, entries);
  unsigned long long at = 0;
  if (lane == 0) at = add_room(a, longest, full);
  *full = __shfl_sync(DS_FULL_WARP, *full, 0);
  return __shfl_sync(DS_FULL_WARP, at, 0) + (unsigned long long) lane;
}

/* The same where the warps of a block have one room; all of its threads call it. */
__device__ __forceinline__ unsigned long long take_room_together(const build_args &a, int entries, int lane, int *full)
{
  __shared__ unsigned long long begin;
  __shared__ int longest[DS_BUILD_WARPS], is_full;
  const int mine = __reduce_max_sync(DS_FULL_WARP, entries);
  if (lane == 0) longest[threadIdx.x / DS_WARP] = mine;
  __syncthreads();
  if (threadIdx.x == 0) begin = add_room(a, max(max(longest[0], longest[1]), max(longest[2], longest[3])), &is_full);
  __syncthreads();
  *full = is_full;
  return begin + (unsigned long long) lane;
}

/* Reads the places of a row's bits one after the other. */
typedef struct {
  const uint32_t *word; /* of the next tile of 32 places */
  const uint32_t *place;
  uint32_t near; /* what is left of the present one, whose places begin at place - 32 */
  int half;
} bit_reader;

template <class Space> __device__ __forceinline__ bit_reader open_reader(const Space *w, const uint32_t *place, int lane)
{
  const bit_reader r = {&w->near[0][lane].x, place, 0, 0};
  return r;
}

/* There must be one more. */
__device__ __forceinline__ uint32_t next_entry(bit_reader *r)
{
  while (r->near == 0) {
    r->near = *r->word;
    r->word += r->half ? 2 * DS_WARP - 1 : 1; /* the other half of a tile of 64, or the next tile */
    r->half ^= 1;
    r->place += DS_WARP;
  }
  const int k = __ffs((int) r->near) - 1;
  r->near &= r->near - 1;
  return (r->place - DS_WARP)[k];
}

/* The lane's row, four entries at a time. The rest of the last four is the atom itself. */
template <class Space>
__device__ __forceinline__ void write_row(const Space *w, const uint32_t *place, int lane, int entries, uint32_t slot,
                                          uint4 *row)
{
  bit_reader r = open_reader(w, place, lane);
  uint4 four;
  int n = 0;
  for (; n + 4 <= entries; n += 4, row += DS_WARP) {
    four.x = next_entry(&r);
    four.y = next_entry(&r);
    four.z = next_entry(&r);
    four.w = next_entry(&r);
    *row = four;
  }
  if (n == entries) return;
  four.x = next_entry(&r);
  four.y = n + 1 < entries ? next_entry(&r) : slot;
  four.z = n + 2 < entries ? next_entry(&r) : slot;
  four.w = slot;
  *row = four;
}

/* A segment whose stencil is too long for the tables: window after window of it, twice, to count and to write. */
template <bool Types, class Space>
__device__ __noinline__ void dense_segment(const build_args &a, const float *widened, const segment &s, const fine_stencil &f,
                                           const ds_position &origin, int self, int lane, int slot, Space *w)
{
  const int in_rows = lane >= s.lo && lane < s.hi;
  int entries = 0, written = 0, full = 0;
  uint32_t first = 0;
  for (int pass = 0; pass < 2 && !full; pass++) {
    for (int from = 0; from < f.total; from += Space::WINDOW) {
      const int places = min(f.total - from, (int) Space::WINDOW);
      write_places(f, from, places, w->place);
      const int found = search<Types>(a, widened, s, origin, self - from, lane, places, w->place, w);
      bit_reader r = open_reader(w, w->place, lane);
      for (int k = 0; k < found && pass; k++) a.list.entries[ds_lane_entry(first, written++)] = next_entry(&r);
      if (!pass) entries += found;
      __syncwarp();
    }
    if (!pass) first = (uint32_t) take_room(a, entries, lane, &full);
  }
  if (full || !in_rows) return;
  for (int n = entries; n % 4; n++) a.list.entries[ds_lane_entry(first, n)] = (uint32_t) slot;
  a.list.first[slot] = first;
  a.list.count[slot] = entries;
}

/* Rows that the warp holds bits of; each lane one, whose stencil's places begin at `place`. Together: with those of the other
   warps of the block. */
template <bool Together, class Space>
__device__ __forceinline__ void flush(const build_args &a, const Space *w, int lane, int slot, int pending, int entries,
                                      int place)
{
  int full = 0;
  const int mine = pending ? entries : 0;
  const unsigned long long first = Together ? take_room_together(a, mine, lane, &full) : take_room(a, mine, lane, &full);
  if (!full && pending) {
    a.list.first[slot] = (uint32_t) first;
    a.list.count[slot] = entries;
    write_row(w, w->place + place, lane, entries, (uint32_t) slot, (uint4 *) a.list.entries + first);
  }
  __syncwarp();
}

/* Squared ranges with the margins of all pairs of types, in memory of the block: else each vote would find a root. */
__device__ __forceinline__ const float *widen_ranges(const build_args &a, float *table)
{
  const int pairs = a.in.ntypes * a.in.ntypes;
  if (a.in.ntypes > DS_BUILD_TYPES) return NULL;
  for (int k = threadIdx.x; k < pairs; k += DS_BUILD_WARPS * DS_WARP)
    table[k] = ds_list_widen(__ldg(&a.in.list2_table[k]), a.in.margin);
  __syncthreads();
  return table;
}

/* As many blocks at a time as have room for their tables in the 228 KB of a multiprocessor, of 7 KB per warp and 1 KB of
   CUDA's: seven; six of 9 KB. To ask for more would take registers away, and bring nothing. */
template <bool Types, bool Together, int Tiles>
__global__ void __launch_bounds__(DS_BUILD_WARPS *DS_WARP, Tiles == DS_FEW_TILES ? 7 : 6)
    build_kernel(const __grid_constant__ build_args a)
{
  typedef warp_space<Tiles> space_of_warp;
  __shared__ space_of_warp space[DS_BUILD_WARPS];
  __shared__ float ranges[Types ? DS_BUILD_TYPES * DS_BUILD_TYPES : 1];
  const float *const widened = Types ? widen_ranges(a, ranges) : NULL;
  const int lane = threadIdx.x % DS_WARP, warp = threadIdx.x / DS_WARP;
  space_of_warp *const w = &space[warp];
  const int block = ds_block(a.launch), base = (Together ? block : block * DS_BUILD_WARPS + warp) * DS_WARP, slot = base + lane;
  if (base >= a.list.slots || ds_stopped(a.launch)) return;
  const int is_mine = !Together || lane / (DS_WARP / DS_BUILD_WARPS) == warp;
  const int exists = is_mine && slot < a.list.slots;
  const int own = exists && a.list.atom_of_slot[slot] < a.in.nlocal;
  const int cell = exists ? a.list.cell_of_slot[slot] : -1;
  const int4 mine = exists ? __ldg(&((const int4 *) a.in.position)[slot]) : make_int4(0, 0, 0, 0);
  const float list2 = ds_list_widen(a.in.list2, a.in.margin);
  const uint32_t owns = __ballot_sync(DS_FULL_WARP, own);
  const int left = __shfl_up_sync(DS_FULL_WARP, cell, 1);
  uint32_t begins = __ballot_sync(DS_FULL_WARP, exists && (lane == 0 || left != cell || a.single_rows));
  const int end = DS_WARP - __clz((int) __ballot_sync(DS_FULL_WARP, exists)); /* of the rows that there are */
  int pending = 0, entries = 0, place = 0, used = 0;
  if (exists && !own) a.list.count[slot] = 0;
  while (begins) {
    segment s;
    ds_position origin;
    s.lo = __ffs((int) begins) - 1;
    begins &= begins - 1;
    s.hi = begins ? __ffs((int) begins) - 1 : end;
    s.cell = __shfl_sync(DS_FULL_WARP, cell, s.lo);
    if (!open_rows<Types>(a, s, lane, owns, mine, list2, w, &origin)) continue;
    const fine_stencil f = open_stencil(a, s.cell, lane);
    const int self = own_place(f, __ldg(ranges_of(a) + s.cell).x, slot);
    const int dense = f.total > space_of_warp::WINDOW;
    if (dense || used + f.total > space_of_warp::PLACES) {
      flush<false>(a, w, lane, slot, pending, entries, place);
      pending = used = 0;
    }
    if (dense) {
      dense_segment<Types>(a, widened, s, f, origin, self, lane, slot, w);
      continue;
    }
    write_places(f, 0, f.total, w->place + used);
    const int n = search<Types>(a, widened, s, origin, self, lane, f.total, w->place + used, w);
    if (own && lane >= s.lo && lane < s.hi) {
      pending = 1;
      entries = n;
      place = used;
    }
    used += f.total;
  }
  if (Together || __any_sync(DS_FULL_WARP, pending)) flush<Together>(a, w, lane, slot, pending, entries, place);
}

/* The first special partners of a row's atom, which the thread of the row looks at for each of its entries. */
typedef struct {
  enum { HELD = 8 };
  int64_t tag[HELD];
  int n; /* how many partners there are in all */
} held_partners;

template <typename Tag> __device__ __forceinline__ void read_tags(const ds_array &partners, int atom, held_partners *h)
{
  const Tag *const row = (const Tag *) partners.data + atom * partners.atom_stride;
#pragma unroll
  for (int k = 0; k < held_partners::HELD; k++) h->tag[k] = k < h->n ? row[k * partners.component_stride] : 0;
}

__device__ __forceinline__ held_partners hold_partners(const ds_special &s, int atom)
{
  held_partners h;
  h.n = s.max_special ? ds_special_partners(&s, atom) : 0;
  if (s.partners.type == DS_I64)
    read_tags<int64_t>(s.partners, atom, &h);
  else
    read_tags<int32_t>(s.partners, atom, &h);
  return h;
}

/* 0: no atom of this tag is among the partners. */
__device__ __forceinline__ int may_be_partner(const held_partners &h, int64_t tag)
{
  int found = h.n > held_partners::HELD;
#pragma unroll
  for (int k = 0; k < held_partners::HELD; k++) found |= h.tag[k] == tag;
  return found;
}

__device__ __forceinline__ int code_of_entry(const build_args &a, int slot, int atom, uint32_t j)
{
  const int4 p = ((const int4 *) a.in.position)[slot], q = ((const int4 *) a.in.position)[j];
  return ds_entry_code(&a.in.frame, &a.in.special, atom, a.in.tag[j], ds_diff32(p.x, q.x), ds_diff32(p.y, q.y),
                       ds_diff32(p.z, q.z));
}

__device__ __forceinline__ ds_excluded_atom read_excluded(const build_args &a, uint32_t slot)
{
  return ds_read_excluded(&a.in.excluded, a.list.atom_of_slot[slot], 1 + ((const int4 *) a.in.position)[slot].w);
}

/* Of n entries of a row, a bit for each that is left out. Nothing is written: reads for an entry need not wait for others. */
__device__ __forceinline__ uint32_t excluded_entries(const build_args &a, const ds_excluded_atom &self, uint32_t first,
                                                     int begin, int n)
{
  uint32_t out = 0;
#pragma unroll 4
  for (int k = 0; k < n; k++) {
    const ds_excluded_atom other = read_excluded(a, a.list.entries[ds_lane_entry(first, begin + k)]);
    out |= (uint32_t) ds_is_excluded(&a.in.excluded, &self, &other) << k;
  }
  return out;
}

/* Likewise, those whose atoms may be special partners. */
__device__ __forceinline__ uint32_t special_entries(const build_args &a, const held_partners &partners, uint32_t first,
                                                    int begin, int n)
{
  uint32_t may_be = 0;
  for (int k = 0; k < n; k++)
    may_be |= (uint32_t) may_be_partner(partners, a.in.tag[a.list.entries[ds_lane_entry(first, begin + k)]]) << k;
  return may_be;
}

/* One thread per row: special codes into its entries, and excluded pairs out of them. Entries that change are found first, 32
   at a time: threads of a warp then have about as many of them, though not at the same places of their rows. */
__global__ void __launch_bounds__(DS_FINISH_THREADS, 9) finish_kernel(const __grid_constant__ build_args a)
{
  const int slot = (int) (ds_block(a.launch) * blockDim.x + threadIdx.x);
  if (slot >= a.list.slots || ds_stopped(a.launch)) return;
  const int atom = a.list.atom_of_slot[slot], count = a.list.count[slot];
  if (atom >= a.in.nlocal || count == 0) return;
  const held_partners partners = hold_partners(a.in.special, atom);
  const ds_excluded_atom self = a.in.excluded.n ? read_excluded(a, slot) : ds_excluded_atom{};
  const bool excludes = ds_may_be_excluded(&a.in.excluded, &self);
  if (!excludes && partners.n == 0) return;
  const uint32_t first = a.list.first[slot];
  int kept = 0;
  for (int begin = 0; begin < count; begin += 32) {
    const int n = min(count - begin, 32);
    const uint32_t gone = excludes ? excluded_entries(a, self, first, begin, n) : 0;
    uint32_t may_be_special = partners.n ? special_entries(a, partners, first, begin, n) & ~gone : 0;
    for (; may_be_special; may_be_special &= may_be_special - 1) {
      uint32_t *const entry = a.list.entries + ds_lane_entry(first, begin + __ffs((int) may_be_special) - 1);
      *entry |= (uint32_t) code_of_entry(a, slot, atom, *entry) << DS_INDEX_BITS;
    }
    const int stay = !gone && kept == begin;
    if (stay) kept += n;
    for (int k = 0; k < n && !stay; k++)
      if (!(gone >> k & 1)) a.list.entries[ds_lane_entry(first, kept++)] = a.list.entries[ds_lane_entry(first, begin + k)];
  }
  if (kept == count) return;
  a.list.count[slot] = kept;
  for (int k = kept; k < (kept + 3) / 4 * 4; k++) a.list.entries[ds_lane_entry(first, k)] = (uint32_t) slot;
}

/* ------------------------------------------------------------------------------------------ driver */

/* By types, together, many tiles. */
typedef void (*build_pointer)(build_args);

static build_pointer choose_kernel(bool types, bool together, bool many)
{
  static const build_pointer kernel[2][2][2] = {
      {{build_kernel<false, false, DS_FEW_TILES>, build_kernel<false, false, DS_MANY_TILES>},
       {build_kernel<false, true, DS_FEW_TILES>, build_kernel<false, true, DS_MANY_TILES>}},
      {{build_kernel<true, false, DS_FEW_TILES>, build_kernel<true, false, DS_MANY_TILES>},
       {build_kernel<true, true, DS_FEW_TILES>, build_kernel<true, true, DS_MANY_TILES>}}};
  return kernel[types][together][many];
}

/* Most stencils of a uniform system would not find room in the small tables. */
static bool has_long_stencils(const ds_list *l)
{
  return (double) DS_STENCIL * l->about / ds_grid_count(&l->grid) > 0.8 * warp_space<DS_FEW_TILES>::WINDOW;
}

ds_status ds_list_cuda_rows(ds_list *l, const ds_list_source *source, int64_t step, ds_error *err)
{
  enum { FEW = 256, /* slots of a multiprocessor, by trial */ ROWS = 4 * DS_WARP };
  ds_queue *const q = l->queue;
  build_args a;
  a.launch = ds_queue_launch_id(q, step);
  a.in = *source;
  a.list = ds_list_view_of(l);
  a.room = l->room / q->gpus.n / ROWS * ROWS; /* the first rows of each GPU begin at a piece */
  a.single_rows = ds_list_single_rows(&l->grid);
  ds_queue_begin(q, DS_STAGE_BUILD_LIST);
  const int together = l->about < q->multiprocessors * FEW;
  const build_pointer kernel = choose_kernel(source->ranges_differ, together, has_long_stencils(l));
  ds_status s = DS_LAUNCH_STAGE(err, "build kernel", kernel, (size_t) l->slots * (together ? DS_BUILD_WARPS : 1),
                                DS_BUILD_WARPS * DS_WARP, q, a);
  ds_queue_end(q, DS_STAGE_BUILD_LIST);
  if (s || (!source->special.max_special && !source->excluded.n)) return s;
  a.launch = ds_queue_launch_id(q, step);
  ds_queue_begin(q, DS_STAGE_FINISH_LIST);
  s = DS_LAUNCH_STAGE(err, "finish kernel", finish_kernel, l->slots, DS_FINISH_THREADS, q, a);
  ds_queue_end(q, DS_STAGE_FINISH_LIST);
  return s;
}
