/* CUDA backend of SOP molecules: memory, copies, and the order of launches.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "cuda_state.h"

#include <stdlib.h>
#include <string.h>

static ds_sop_cuda *state_of(const ds_sop *sop)
{
  return (ds_sop_cuda *) sop->backend;
}

static ds_status look_at_device(ds_sop_cuda *g, ds_error *err)
{
  ds_status s = ds_gpu_check(cudaDeviceGetAttribute(&g->multiprocessors, cudaDevAttrMultiProcessorCount, g->s.device),
                             "multiprocessors of the device", err);
  if (!s)
    s = ds_gpu_check(cudaDeviceGetAttribute(&g->block_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, g->s.device),
                     "shared memory of the device", err);
  return s;
}

static ds_status cuda_open(ds_sop *sop, ds_error *err)
{
  ds_sop_cuda *const g = (ds_sop_cuda *) calloc(1, sizeof *g);
  if (!g) return ds_fail(err, DS_ERR_MEMORY, "no host memory for the cuda backend");
  const ds_queue_options queue = {sop->options.local_rank, sop->options.stream, 0, 0};
  ds_status s = ds_queue_open_cuda(&g->s, &queue, err);
  if (s) {
    free(g);
    return s;
  }
  ds_list_open(&g->list, &g->s, 0, sop->isa, 1);
  s = look_at_device(g, err);
  if (!s) s = ds_sop_cuda_topology(sop, g, err);
  if (s) {
    ds_queue_close(&g->s);
    free(g);
    return s;
  }
  sop->backend = g;
  return DS_OK;
}

static void cuda_close(ds_sop *sop)
{
  ds_queue_close(&state_of(sop)->s);
  free(sop->backend);
}

static const char *cuda_device(const ds_sop *sop)
{
  return state_of(sop)->s.name;
}

static const char *cuda_scheme(const ds_sop *sop)
{
  static const char *const name[4] = {"auto", "particle", "pair", "block"};
  return name[state_of(sop)->scheme];
}

static size_t cuda_bytes(const ds_sop *sop)
{
  return ds_pool_bytes(&state_of(sop)->s.memory);
}

/* ------------------------------------------------------------------------------------------- beads */

/* What scheme auto takes: block, where a molecule fits into one and nothing indents it; else particle. Scheme pair is never
   the fastest on a GPU (H100: 34 beads 6.0 us per step, 532 7.5, 1,976 9.2, 6,916 13.9; particle 2.3, 2.6, 2.9, 4.0). */
static ds_sop_scheme fastest_scheme(const ds_sop *sop, int block_fits)
{
  enum { FEW_BEADS = 256 }; /* a block takes them as fast as many that wait for each other */
  if (sop->hydro.kind && sop->model.topology.beads > FEW_BEADS) return DS_SOP_PARTICLE;
  return block_fits && !ds_sop_indents(&sop->indent) ? DS_SOP_BLOCK : DS_SOP_PARTICLE;
}

static ds_status choose_scheme(const ds_sop *sop, ds_sop_cuda *g, ds_error *err)
{
  const int fits = sop->hydro.kind ? !sop->options.inter : ds_sop_block_fits(sop, g);
  g->scheme = sop->options.scheme == DS_SOP_AUTO ? fastest_scheme(sop, fits) : sop->options.scheme;
  if (g->scheme == DS_SOP_BLOCK && !fits)
    return ds_fail(err, DS_ERR_ARGUMENT, "a molecule of %d beads is too large for the scheme block on this GPU",
                   sop->model.topology.beads);
  return DS_OK;
}

static ds_status init_states(const ds_sop *sop, ds_sop_cuda *g, ds_error *err)
{
  const ds_sop_generator *const r = sop->generator;
  const size_t bytes = (size_t) r->bytes, n = (size_t) sop->beads;
  if (!bytes) return DS_OK;
  char *const all = (char *) malloc(bytes * n + 1);
  if (!all) return ds_fail(err, DS_ERR_MEMORY, "no host memory for states of generators");
  for (size_t b = 0; b < n; b++) ds_sop_init_generator(r, all + bytes * b, sop->options.seed, (uint64_t) sop->id[b]);
  ds_status s = ds_reserve(&g->s.memory, &g->states, n + 1, bytes, "states of generators", err);
  if (!s) s = ds_queue_copy(&g->s, g->states.data, all, bytes * n, "states of generators", err);
  if (!s) s = ds_queue_wait(&g->s, "states of generators", err);
  free(all);
  return s;
}

static ds_status cuda_set_beads(ds_sop *sop, ds_error *err)
{
  ds_sop_cuda *const g = state_of(sop);
  const size_t n = (size_t) sop->beads + 1;
  ds_status s = ds_queue_use(&g->s, err);
  if (!s) s = choose_scheme(sop, g, err);
  if (!s) s = ds_reserve(&g->s.memory, &g->position, 3 * n, sizeof(int64_t), "positions", err);
  if (!s) s = ds_reserve(&g->s.memory, &g->id, n, sizeof(uint64_t), "IDs", err);
  if (!s) s = ds_reserve(&g->s.memory, &g->outside, 3 * n, sizeof(double), "forces", err);
  if (!s) s = ds_reserve(&g->s.memory, &g->noise, 3 * n, sizeof(int32_t), "displacements", err);
  if (!s) s = ds_reserve(&g->s.memory, &g->coordinate, 3 * n, sizeof(int32_t), "coordinates", err);
  if (!s) s = ds_reserve(&g->s.memory, &g->report, 1, sizeof(ds_sop_report), "report", err);
  if (!s) s = ds_queue_copy(&g->s, g->id.data, sop->id, (size_t) sop->beads * sizeof(int64_t), "IDs", err);
  if (!s)
    s = ds_gpu_check(cudaMemsetAsync(g->noise.data, 0, 3 * n * sizeof(int32_t), g->s.stream), "clearing displacements", err);
  if (!s) /* at a fault those of some molecules are written, and all are fetched */
    s = ds_gpu_check(cudaMemsetAsync(g->coordinate.data, 0, 3 * n * sizeof(int32_t), g->s.stream), "clearing coordinates", err);
  if (!s) s = init_states(sop, g, err);
  g->outer_is_made = g->has_outside = 0;
  return s ? s : ds_queue_wait(&g->s, "setting beads", err);
}

/* A copy to or from the caller's memory; waits. */
static ds_status copy(ds_sop_cuda *g, void *to, const void *from, size_t bytes, const char *what, ds_error *err)
{
  ds_status s = ds_queue_use(&g->s, err);
  if (!s) s = ds_queue_copy(&g->s, to, from, bytes, what, err);
  return s ? s : ds_queue_wait(&g->s, what, err);
}

static ds_status cuda_put(ds_sop *sop, const int64_t *position, ds_error *err)
{
  ds_sop_cuda *const g = state_of(sop);
  return copy(g, g->position.data, position, 24 * (size_t) sop->beads, "positions", err);
}

static ds_status cuda_get(const ds_sop *sop, int64_t *position, ds_error *err)
{
  ds_sop_cuda *const g = state_of(sop);
  return copy(g, position, g->position.data, 24 * (size_t) sop->beads, "positions", err);
}

static ds_status cuda_set_forces(ds_sop *sop, const double *f, ds_error *err)
{
  ds_sop_cuda *const g = state_of(sop);
  g->has_outside = f != NULL;
  return f ? copy(g, g->outside.data, f, 24 * (size_t) sop->beads, "forces", err) : DS_OK;
}

static ds_status cuda_noise(const ds_sop *sop, int32_t *displacement, ds_error *err)
{
  ds_sop_cuda *const g = state_of(sop);
  return copy(g, displacement, g->noise.data, 12 * (size_t) sop->beads, "displacements", err);
}

static ds_status cuda_get_states(const ds_sop *sop, void *states, ds_error *err)
{
  ds_sop_cuda *const g = state_of(sop);
  return copy(g, states, g->states.data, (size_t) sop->generator->bytes * (size_t) sop->beads, "states of generators", err);
}

static ds_status cuda_put_states(ds_sop *sop, const void *states, ds_error *err)
{
  ds_sop_cuda *const g = state_of(sop);
  return copy(g, g->states.data, states, (size_t) sop->generator->bytes * (size_t) sop->beads, "states of generators", err);
}

/* ----------------------------------------------------------------------------------------- pulling */

static ds_status send(ds_sop_cuda *g, ds_buffer *b, const void *data, size_t bytes, const char *what, ds_error *err)
{
  const ds_status s = ds_reserve(&g->s.memory, b, bytes + 1, 1, what, err);
  return s ? s : ds_queue_copy(&g->s, b->data, data, bytes, what, err);
}

/* Which beads are fixed and pulled, and from where. */
static ds_status send_pull(const ds_sop *sop, ds_sop_cuda *g, ds_error *err)
{
  const ds_sop_pull_state *const p = &sop->pull;
  const size_t n = (size_t) sop->model.topology.beads;
  int32_t *const role = (int32_t *) calloc(n, sizeof *role);
  if (!role) return ds_fail(err, DS_ERR_MEMORY, "no host memory to pull");
  for (int32_t k = 0; k < p->spec.fixed; k++) role[p->spec.fixed_bead[k]] = DS_SOP_FIXED;
  for (int32_t k = 0; k < p->spec.pulled && p->spec.mode != DS_SOP_PULL_NONE; k++)
    role[p->spec.pulled_bead[k]] = p->pulled.weight[k];
  ds_status s = send(g, &g->role, role, n * sizeof *role, "pulled beads", err);
  if (!s) s = send(g, &g->pulled, p->spec.pulled_bead, (size_t) p->spec.pulled * sizeof(int32_t), "pulled beads", err);
  if (!s) s = send(g, &g->weight, p->pulled.weight, (size_t) p->spec.pulled * sizeof(int32_t), "weights of beads", err);
  if (!s) s = send(g, &g->anchor, p->anchor, (size_t) p->molecules * sizeof(ds_sop_anchor), "anchors", err);
  free(role);
  return s;
}

/* Where tips are: kernels move them on. */
static ds_status send_tips(const ds_sop *sop, ds_sop_cuda *g, ds_error *err)
{
  const size_t n = (size_t) sop->indent.molecules, sums = 3 * n * sizeof(unsigned long long);
  ds_status s = send(g, &g->tip, sop->indent.tip, n * sizeof(ds_sop_tip), "tips", err);
  if (!s) s = ds_reserve(&g->s.memory, &g->tip_bead_forces, sums + 1, 1, "forces of tips", err);
  return s ? s
           : ds_gpu_check(cudaMemsetAsync(g->tip_bead_forces.data, 0, sums + 1, g->s.stream), "clearing forces of tips", err);
}

/* What pulls and indents, where the device does not know of it. */
static ds_status send_changes(const ds_sop *sop, ds_sop_cuda *g, ds_error *err)
{
  ds_status s = DS_OK;
  if (g->changes == sop->changes) return DS_OK; /* the first beads are a change, too */
  if (sop->pull.spec.mode != DS_SOP_PULL_NONE || sop->pull.spec.fixed > 0) s = send_pull(sop, g, err);
  if (!s && sop->indent.molecules) s = send_tips(sop, g, err);
  if (!s && sop->hydro.kind) s = ds_sop_cuda_hydro_beads(sop, g, err);
  if (!s) g->changes = sop->changes;
  return s;
}

/* Where tips have come to. */
static ds_status fetch_tips(ds_sop *sop, ds_sop_cuda *g, ds_error *err)
{
  const size_t bytes = (size_t) sop->indent.molecules * sizeof(ds_sop_tip);
  return bytes ? ds_queue_copy(&g->s, sop->indent.tip, g->tip.data, bytes, "tips", err) : DS_OK;
}

static void describe_pull(const ds_sop *sop, const ds_sop_cuda *g, ds_sop_kernel_motion *m)
{
  const ds_sop_pull_state *const p = &sop->pull;
  if (p->spec.fixed == 0 && p->spec.mode == DS_SOP_PULL_NONE) return;
  m->role = (const int32_t *) g->role.data;
  m->pulled = (const int32_t *) g->pulled.data;
  m->weight = (const int32_t *) g->weight.data;
  m->pulled_count = p->spec.mode == DS_SOP_PULL_NONE ? 0 : p->spec.pulled;
  m->anchor = (const ds_sop_anchor *) g->anchor.data;
  m->pull = ds_sop_pull_at(sop, m->first, m->units.per_force);
  m->pull_speed = ds_sop_cantilever_scale(&p->cantilever);
  m->pull_clock = p->cantilever.clock;
}

static void describe_indent(const ds_sop *sop, const ds_sop_cuda *g, const ds_sop_motion *motion, ds_sop_kernel_motion *m)
{
  if (!sop->indent.molecules) return;
  m->tip = (ds_sop_tip *) g->tip.data;
  m->tip_bead_forces = (unsigned long long *) g->tip_bead_forces.data;
  m->indenter = ds_sop_indenter_of(sop);
  m->tip_step = ds_sop_tip_step_at(sop, motion, m->first);
  m->tip_speed = ds_sop_cantilever_scale(&sop->indent.cantilever);
  m->tip_clock = sop->indent.cantilever.clock;
}

/* ------------------------------------------------------------------------------------------ motion */

static ds_sop_kernel_motion describe(const ds_sop *sop, ds_sop_cuda *g, const ds_sop_motion *motion)
{
  ds_sop_kernel_motion m;
  memset(&m, 0, sizeof m);
  m.beads = sop->model.topology.beads;
  m.molecules = sop->molecules;
  m.steps = motion->steps;
  m.first = motion->first;
  m.seed = sop->options.seed;
  m.units = ds_sop_units_of(sop, motion);
  m.angle = sop->model.angle;
  m.other = sop->model.other;
  m.cut2 = sop->model.cut2;
  m.soft2 = sop->model.soft2;
  m.position = (int64_t *) g->position.data;
  m.id = (const uint64_t *) g->id.data;
  m.outside = g->has_outside ? (const double *) g->outside.data : NULL;
  m.noise = (int32_t *) g->noise.data;
  m.coordinate = (int32_t *) g->coordinate.data;
  m.generator = sop->generator->kind;
  m.states = g->states.data;
  m.report = (ds_sop_report *) g->report.data;
  describe_pull(sop, g, &m);
  describe_indent(sop, g, motion, &m);
  return m;
}

static ds_status clear_report(ds_sop_cuda *g, ds_error *err)
{
  ds_sop_report r;
  memset(&r, 0, sizeof r);
  r.fault = ~0ull;
  return ds_queue_copy(&g->s, g->report.data, &r, sizeof r, "report", err);
}

/* What a kernel reported; waits. */
static ds_status read_report(ds_sop *sop, ds_sop_cuda *g, const ds_sop_motion *motion, ds_sop_fault *fault, ds_error *err)
{
  ds_sop_report r;
  ds_status s = copy(g, &r, g->report.data, sizeof r, "sop_block", err);
  if (!s && r.listed > 0) g->listed = r.listed;
  if (s || r.fault == ~0ull) return s;
  const int32_t what = (int32_t) (uint32_t) r.fault;
  const size_t bytes = 12 * (size_t) sop->beads;
  fault->step = motion->first + (int64_t) (r.fault >> 32) / sop->options.order;
  const int32_t kind = what & DS_SOP_FAULT_PIVOT;
  fault->tip = kind == DS_SOP_FAULT_TIP ? what - kind : -1;
  fault->bead = kind == DS_SOP_FAULT_FAR ? what - kind : -1;
  fault->pivot = kind == DS_SOP_FAULT_PIVOT ? what - kind : -1;
  fault->molecule = what;
  fault->beyond = what + 1;
  fault->coordinate = (int32_t *) malloc(bytes + 1);
  if (!fault->coordinate) return ds_fail(err, DS_ERR_MEMORY, "no host memory for coordinates");
  s = copy(g, fault->coordinate, g->coordinate.data, bytes, "coordinates", err);
  return s ? s : ds_fail(err, DS_ERR_FORCE_RANGE, "a force is out of range");
}

static ds_status advance_molecules(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, ds_error *err)
{
  if (sop->molecules == 0) return DS_OK;
  if (sop->hydro.kind) return ds_sop_cuda_hydro(sop, g, m, err);
  return g->scheme == DS_SOP_BLOCK ? ds_sop_cuda_blocks(sop, g, m, err) : ds_sop_cuda_particles(sop, g, m, err);
}

/* Steps of one launch. A driver that shows a display stops kernels that last for seconds, nothing can interrupt them, and
   barriers of the grid count to 2^32 only. On an H200 a step takes about 1 us, and up to 0.6 ns more per bead: some 0.2 s in
   all, against the 20 us or so that a launch more costs. Other cards may be ten times slower, and still take no more than some
   seconds for steps of second order. A call of more steps is made in parts, as so many calls would be, with the same bits. */
static int32_t steps_of_launch(const ds_sop *sop)
{
  enum { LIMIT = 200000, BEADS = 2000 };
  const int64_t steps = LIMIT / (1 + sop->beads / BEADS);
  return steps > 0 ? (int32_t) steps : 1;
}

/* So many steps as one launch makes; waits. */
static ds_status advance_part(ds_sop *sop, ds_sop_cuda *g, const ds_sop_motion *part, ds_sop_fault *fault, ds_error *err)
{
  ds_status s = clear_report(g, err);
  if (s) return s;
  const ds_sop_kernel_motion m = describe(sop, g, part);
  const int64_t first_free = (int64_t) sop->molecules * sop->model.topology.beads;
  s = advance_molecules(sop, g, &m, err);
  if (!s) s = ds_sop_cuda_free_beads(sop, g, &m, first_free, sop->free, err);
  if (!s) s = fetch_tips(sop, g, err);
  return s ? s : read_report(sop, g, part, fault, err);
}

static ds_status cuda_advance(ds_sop *sop, const ds_sop_motion *motion, ds_sop_fault *fault, ds_error *err)
{
  ds_sop_cuda *const g = state_of(sop);
  const int32_t most = sop->hydro.kind ? ds_sop_cuda_hydro_steps(sop, g) : steps_of_launch(sop);
  ds_sop_motion part = *motion;
  ds_status s = ds_queue_use(&g->s, err);
  if (!s) s = send_changes(sop, g, err);
  for (int32_t left = motion->steps; left > 0 && !s; left -= part.steps) {
    part.steps = left < most ? left : most;
    s = advance_part(sop, g, &part, fault, err);
    part.first += part.steps;
  }
  return s;
}

static ds_status cuda_forces(ds_sop *sop, int32_t *force, ds_sop_fault *fault, ds_error *err)
{
  ds_sop_cuda *const g = state_of(sop);
  const ds_sop_motion still = {0, 0, 1.0, 1.0, 0.0};
  const size_t bytes = 12 * (size_t) sop->beads;
  ds_status s = ds_queue_use(&g->s, err);
  if (!s) s = clear_report(g, err);
  if (!s) s = ds_reserve(&g->s.memory, &g->force, bytes + 1, 1, "forces", err);
  if (!s) s = ds_gpu_check(cudaMemsetAsync(g->force.data, 0, bytes + 1, g->s.stream), "clearing forces", err);
  if (s) return s;
  const ds_sop_kernel_motion m = describe(sop, g, &still);
  if (sop->molecules) s = ds_sop_cuda_particle_forces(sop, g, &m, err);
  if (!s) s = read_report(sop, g, &still, fault, err);
  fault->step = -1; /* it is of none */
  return s ? s : copy(g, force, g->force.data, bytes, "forces", err);
}

const ds_sop_backend_functions ds_sop_cuda_functions = {
    "cuda",   cuda_open,       cuda_close,   cuda_device, cuda_scheme, cuda_bytes,      cuda_set_beads, cuda_put,
    cuda_get, cuda_set_forces, cuda_advance, cuda_forces, cuda_noise,  cuda_get_states, cuda_put_states};
