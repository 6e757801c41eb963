/* Identities, types, special partners and exclusions of the atoms, in device memory.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "atoms_cuda.h"

#include "dpdsop/device/signature.h"

#include <string.h>

enum { DS_THREADS = 256 };

__global__ void special_kernel(ds_array counts, ds_array partners, int n, int most,
                               int32_t *out_count, int64_t *out_tag)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int last = 0;
  for (int c = 0; c < 3; c++) {
    last = max(last, min((int32_t) ds_array_int(&counts, i, c), most)); /* never down: all are read */
    out_count[3 * (size_t) i + c] = last;
  }
  for (int c = 0; c < last; c++) out_tag[(size_t) most * i + c] = ds_array_int(&partners, i, c);
}

__global__ void group_kernel(ds_array mask, ds_array molecule, int n, int32_t *out_mask,
                             int64_t *out_molecule)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out_mask[i] = (int32_t) ds_array_int(&mask, i, 0);
  out_molecule[i] = molecule.data ? ds_array_int(&molecule, i, 0) : 0;
}

/* ----------------------------------------------------------------------------------------- setting */

static ds_status set_special(ds_atoms_cuda *a, const ds_atoms *atoms, ds_error *err)
{
  ds_pool *const pool = &a->stream->memory;
  const size_t n = (size_t) atoms->nlocal;
  a->special.max_special = 0;
  if (!atoms->nspecial.data) return DS_OK;
  if (atoms->special.data && atoms->nspecial.space != atoms->special.space)
    return ds_fail(err, DS_ERR_ARGUMENT, "special counts and partners lie in different memories");
  if (atoms->nspecial.space == DS_SPACE_DEVICE && atoms->max_special < 1)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "max_special %d of special partners in device memory must be > 0",
                   atoms->max_special);
  const int most = atoms->max_special;
  if (most == 0 || n == 0) return DS_OK;
  ds_array counts, partners;
  ds_status s = ds_reserve(pool, &a->special_count, 3 * n, sizeof(int32_t), "special counts", err);
  if (!s)
    s = ds_reserve(pool, &a->special_tag, n * (size_t) most, sizeof(int64_t), "special partners",
                   err);
  if (!s)
    s = ds_queue_array_in(a->stream, &a->nspecial_mirror, &atoms->nspecial, atoms->nlocal, 3,
                           "special counts", &counts, err);
  if (!s)
    s = ds_queue_array_in(a->stream, &a->special_mirror, &atoms->special, atoms->nlocal, most,
                           "special partners", &partners, err);
  if (s) return s;
  a->special.max_special = most;
  a->special.counts = DS_DATA(int32_t, a->special_count);
  a->special.partners = DS_DATA(int64_t, a->special_tag);
  return DS_LAUNCH(err, "special kernel", special_kernel, ds_gpu_blocks(n, DS_THREADS), DS_THREADS,
                   a->stream->stream, counts, partners, atoms->nlocal, most,
                   DS_DATA(int32_t, a->special_count), DS_DATA(int64_t, a->special_tag));
}

static ds_status set_rules(ds_atoms_cuda *a, const ds_atoms *atoms, ds_error *err)
{
  const size_t n = (size_t) atoms->nexclusions;
  ds_status s =
      ds_reserve(&a->stream->memory, &a->rule, n, sizeof(ds_exclusion), "exclusions", err);
  if (!s) s = ds_queue_stage(a->stream, &a->rule_host, n, sizeof(ds_exclusion), "exclusions", err);
  if (s) return s;
  memcpy(a->rule_host.buffer.data, atoms->exclusion, n * sizeof(ds_exclusion));
  for (size_t k = 0; k < n; k++) a->excludes_types |= atoms->exclusion[k].kind == DS_EXCLUDE_TYPES;
  return ds_queue_send(a->stream, a->rule.data, &a->rule_host, n * sizeof(ds_exclusion),
                        "copying exclusions", err);
}

static ds_status set_exclusions(ds_atoms_cuda *a, const ds_atoms *atoms, ds_error *err)
{
  ds_pool *const pool = &a->stream->memory;
  const int n = atoms->nlocal + atoms->nghost;
  ds_array mask, molecule;
  a->excluded.n = a->excludes_types = 0;
  if (atoms->nexclusions == 0) return DS_OK;
  if (atoms->molecule.data && atoms->molecule.space != atoms->mask.space)
    return ds_fail(err, DS_ERR_ARGUMENT, "group masks and molecules lie in different memories");
  ds_status s = set_rules(a, atoms, err);
  if (!s) s = ds_reserve(pool, &a->mask, (size_t) n + 1, sizeof(int32_t), "group masks", err);
  if (!s) s = ds_reserve(pool, &a->molecule, (size_t) n + 1, sizeof(int64_t), "molecules", err);
  if (!s)
    s = ds_queue_array_in(a->stream, &a->mask_mirror, &atoms->mask, n, 1, "group masks", &mask,
                           err);
  if (!s)
    s = ds_queue_array_in(a->stream, &a->molecule_mirror, &atoms->molecule, n, 1, "molecules",
                           &molecule, err);
  if (s) return s;
  a->excluded.n = atoms->nexclusions;
  a->excluded.rule = DS_DATA(ds_exclusion, a->rule);
  a->excluded.mask = DS_DATA(int32_t, a->mask);
  a->excluded.molecule = DS_DATA(int64_t, a->molecule);
  return DS_LAUNCH(err, "group kernel", group_kernel, ds_gpu_blocks((size_t) n, DS_THREADS),
                   DS_THREADS, a->stream->stream, mask, molecule, n, DS_DATA(int32_t, a->mask),
                   DS_DATA(int64_t, a->molecule));
}

/* Those in host memory are read when positions are loaded. */
void ds_atoms_cuda_set_types(ds_atoms_cuda *a, const ds_array *type)
{
  a->host.type = *type;
  a->types_pending = type->space == DS_SPACE_HOST;
  if (!a->types_pending) a->type = *type;
}

static ds_status send_types(ds_atoms_cuda *a, ds_error *err)
{
  if (!a->types_pending) return DS_OK;
  a->types_pending = 0;
  return ds_queue_array_in(a->stream, &a->type_mirror, &a->host.type, a->nlocal, 1, "atom types",
                            &a->type, err);
}

ds_status ds_atoms_cuda_set(ds_atoms_cuda *a, const ds_atoms *atoms, int ntypes, ds_error *err)
{
  if (atoms->tag.space != atoms->type.space)
    return ds_fail(err, DS_ERR_ARGUMENT, "atom IDs and types lie in different memories");
  a->nlocal = a->host.nlocal = atoms->nlocal;
  a->nghost = atoms->nghost;
  a->ntypes = a->host.ntypes = ntypes;
  a->have_owners = a->messages_pending = 0;
  a->host.tag = atoms->tag;
  a->clear_ghosts = 1;
  ds_atoms_cuda_set_types(a, &atoms->type);
  ds_status s = ds_queue_array_in(a->stream, &a->tag_mirror, &atoms->tag,
                                   atoms->nlocal + atoms->nghost, 1, "atom IDs", &a->tag, err);
  if (!s) s = set_special(a, atoms, err);
  return s ? s : set_exclusions(a, atoms, err);
}

/* What the device is to read itself. */
static ds_status copy_in(ds_atoms_cuda *a, const ds_array *x, const ds_array *v, ds_error *err)
{
  ds_status s =
      ds_queue_array_in(a->stream, &a->x_mirror, x, a->nlocal, 3, "positions", &a->x, err);
  if (!s)
    s = ds_queue_array_in(a->stream, &a->v_mirror, v, a->nlocal, 3, "velocities", &a->v, err);
  return s ? s : send_types(a, err);
}

ds_status ds_atoms_cuda_load(ds_atoms_cuda *a, const ds_frame *frame, const ds_array *x,
                             const ds_array *v, uint32_t seed, uint32_t place, int64_t step,
                             int threads, ds_error *err)
{
  if (x->space != v->space)
    return ds_fail(err, DS_ERR_ARGUMENT, "positions and velocities lie in different memories");
  a->frame = a->host.frame = *frame;
  a->seed = a->host.seed = seed;
  a->step = step;
  a->host.step = ds_signature_step((uint64_t) step, place);
  a->host.x = *x;
  a->host.v = *v;
  a->on_host = x->space == DS_SPACE_HOST && a->host.tag.space == DS_SPACE_HOST;
  const int before = a->by_message;
  a->by_message = a->on_host && a->host.type.space == DS_SPACE_HOST &&
                  !(ds_queue_is_pinned(a->stream, x, a->nlocal, 3) &&
                    ds_queue_is_pinned(a->stream, v, a->nlocal, 3));
  a->clear_ghosts |= a->by_message != before; /* they lie elsewhere */
  ds_timer_begin(&a->stream->timer, DS_STAGE_COPY_IN, a->stream->stream);
  ds_status s = ds_atoms_cuda_own_messages(a, threads, err);
  if (!s && !a->by_message) s = copy_in(a, x, v, err);
  ds_timer_end(&a->stream->timer, DS_STAGE_COPY_IN, a->stream->stream);
  return s;
}

/* ------------------------------------------------------------------------- faults, named on the host */

/* One element of an array that kernels read. */
static ds_status read_element(ds_atoms_cuda *a, const ds_array *from, int atom, int component,
                              ds_array *one, char word[8], ds_error *err)
{
  const size_t size = from->type == DS_F64 || from->type == DS_I64 ? 8 : 4;
  const ptrdiff_t at = (ptrdiff_t) atom * from->atom_stride + component * from->component_stride;
  const ds_array host = {word, from->type, DS_SPACE_HOST, 1, 1};
  *one = host;
  const ds_status s =
      ds_queue_copy(a->stream, word, (const char *) from->data + at * (ptrdiff_t) size, size,
                     "copying what is wrong", err);
  return s ? s : ds_queue_wait(a->stream, "copying what is wrong", err);
}

static ds_status read_int(ds_atoms_cuda *a, const ds_array *from, int atom, int64_t *value,
                          ds_error *err)
{
  char word[8];
  ds_array one;
  const ds_status s = read_element(a, from, atom, 0, &one, word, err);
  if (!s) *value = ds_array_int(&one, 0, 0);
  return s;
}

ds_status ds_atoms_cuda_tag(ds_atoms_cuda *a, int atom, int64_t *tag, ds_error *err)
{
  return read_int(a, &a->tag, atom, tag, err);
}

ds_status ds_atoms_cuda_type(ds_atoms_cuda *a, int atom, int64_t *type, ds_error *err)
{
  return read_int(a, &a->type, atom, type, err);
}

ds_status ds_atoms_cuda_place(ds_atoms_cuda *a, int atom, double x[3], ds_error *err)
{
  for (int c = 0; c < 3; c++) {
    char word[8];
    ds_array one;
    const ds_status s = read_element(a, &a->x, atom, c, &one, word, err);
    if (s) return s;
    x[c] = ds_array_get(&one, 0, 0);
  }
  return DS_OK;
}
