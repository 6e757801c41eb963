/* test_gpu_bonds.cu: bonds of as many atoms as the GPU has memory for, up to 1.4e8: beyond 2^27, where the number of
   threads in a kernel with 32 threads per atom no longer fits 32 bits.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "gpu/device.h"
#include "support/model.h"
#include "support/skip.h"

enum { THREADS = 256, MAX_EDGE = 413 }; /* 2 * 413^3 = 140,889,994 atoms */

static const double SPACING = 2.5, BOND = 0.5, A = 25.0, FACTOR = 0.5;

/* What the caller holds, and the engine beside it: a list begins with 60 entries of 4 bytes per row, and in this
   sparse system there are three cells with their stencils to an atom. */
static const double BYTES_PER_ATOM = 1150.0;

typedef struct {
  double *x, *v, *f;
  int32_t *type, *tag, *nspecial, *special;
} dimers;

/* Dimer d is made of atoms 2d and 2d+1, which lie along x around a point of a cubic lattice. */
__global__ void fill_kernel(dimers a, int edge, double spacing, double bond)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x, d = i / 2;
  if (d >= (size_t) edge * edge * edge) return;
  const int at[3] = {(int) (d % edge), (int) (d / edge % edge), (int) (d / edge / edge)};
  for (int c = 0; c < 3; c++) {
    a.x[3 * i + c] = (at[c] + 0.5) * spacing;
    a.v[3 * i + c] = a.f[3 * i + c] = 0.0;
    a.nspecial[3 * i + c] = 1; /* counts are up to 1-2, 1-3 and 1-4 */
  }
  a.x[3 * i] += i % 2 ? bond / 2 : -bond / 2;
  a.type[i] = 1;
  a.tag[i] = (int32_t) i + 1;
  a.special[i] = (int32_t) (i % 2 ? i : i + 2);
}

__global__ void count_kernel(const double *f, size_t n, double force, double most_error,
                             unsigned long long *wrong)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double error =
      fabs(f[3 * i] - (i % 2 ? force : -force)) + fabs(f[3 * i + 1]) + fabs(f[3 * i + 2]);
  if (!(error <= most_error)) atomicAdd(wrong, 1ull);
}

template <class T> static T *get(size_t count)
{
  void *p = NULL;
  device_require(cudaMalloc(&p, count * sizeof(T)), "device memory of a test");
  return (T *) p;
}

static ds_array view(void *data, ds_type type, int components)
{
  const ds_array a = {data, type, DS_SPACE_DEVICE, components, 1};
  return a;
}

static ds_status evaluate(ds_pair *pair, const test_model *t, const dimers *a, int n, double length,
                          ds_error *err)
{
  const ds_array x = view(a->x, DS_F64, 3), v = view(a->v, DS_F64, 3);
  ds_box box = {};
  ds_atoms atoms = {};
  ds_pair_request r = {};
  for (int c = 0; c < 3; c++) {
    box.h[c] = length;
    box.subhi[c] = 1.0;
    box.periodic[c] = 1;
  }
  box.slack = t->m.skin;
  box.undecomposed[0] = box.undecomposed[1] = box.undecomposed[2] = 1;
  atoms.nlocal = n;
  atoms.tag = view(a->tag, DS_I32, 1);
  atoms.type = view(a->type, DS_I32, 1);
  atoms.nspecial = view(a->nspecial, DS_I32, 3);
  atoms.special = view(a->special, DS_I32, 1);
  atoms.max_special = 1;
  r.f = view(a->f, DS_F64, 3);
  ds_status s = ds_pair_set_model(pair, &t->m, err);
  if (!s) s = ds_pair_set_box(pair, &box, err);
  if (!s) s = ds_pair_set_atoms(pair, &atoms, err);
  if (!s) s = ds_pair_load(pair, &x, &v, 0, err);
  if (!s) s = ds_pair_build_list(pair, err);
  return s ? s : ds_pair_compute(pair, &r, NULL, err);
}

/* Bonded atoms half a cutoff apart feel the repulsion times the factor of bond partners. Their distance is exact but for
   two roundings to integers, each by half of 2^-30 of the box. Returns in *atoms how many there were. */
static void test_bonds(ds_pair *pair, int edge, size_t *atoms)
{
  static test_model t;
  const size_t n = *atoms = 2 * (size_t) edge * edge * edge;
  const unsigned blocks = (unsigned) ((n + THREADS - 1) / THREADS);
  const double length = edge * SPACING, force = FACTOR * A * (1.0 - BOND);
  dimers a = {get<double>(3 * n), get<double>(3 * n),  get<double>(3 * n), get<int32_t>(n),
              get<int32_t>(n),    get<int32_t>(3 * n), get<int32_t>(n)};
  unsigned long long *const count = get<unsigned long long>(1), wrong = 1;
  ds_error err;
  model_open(&t, 1, A, 0.0, 1.0, 1.0, 0.3);
  t.m.special[1] = FACTOR;
  t.m.kT = 0.0;
  device_require(cudaMemset(count, 0, sizeof *count), "clearing a count");
  fill_kernel<<<blocks, THREADS>>>(a, edge, SPACING, BOND);
  device_require(cudaDeviceSynchronize(), "fill kernel");
  CHECK_OK(evaluate(pair, &t, &a, (int) n, length, &err), err);
  count_kernel<<<blocks, THREADS>>>(a.f, n, force, 4.0 * A * length * 0x1p-30, count);
  device_read(&wrong, count, sizeof wrong);
  CHECK_MSG(wrong == 0, "%llu of %zu atoms have other forces than their bonds exert", wrong, n);
  printf("%zu bonded atoms, %zu MiB of the engine\n", n, ds_pair_get_info(pair).bytes_device >> 20);
  void *const all[] = {a.x, a.v, a.f, a.type, a.tag, a.nspecial, a.special, count};
  for (void *p : all) device_free(p);
}

/* Cubes of dimers that the memory has room for, along an edge. */
static int edge_with_room()
{
  size_t free_bytes, all_bytes;
  device_require(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for free memory");
  const int edge = (int) cbrt((double) free_bytes / BYTES_PER_ATOM / 2.0);
  return edge < MAX_EDGE ? edge : MAX_EDGE;
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  ds_pair_options options = {};
  ds_pair *pair = NULL;
  ds_error err;
  size_t n = 0;
  options.backend = DS_BACKEND_CUDA;
  options.threads = 1;
  const ds_status s = check_lists ? DS_OK : ds_pair_open(&pair, &options, &err);
  if (s) return skip_or_fail(s, &err);
  CHECK_CASE(test_bonds(pair, edge_with_room(), &n));
  if (pair) ds_pair_close(pair);
  if (!check_failed && n > 0 && n <= (size_t) 1 << 27)
    CHECK_SKIP("too little memory to come beyond 2^27 atoms, which is what this tests");
  return check_result();
}
