/* A DPD fluid whose arrays are on the GPU: steps are queued, and nobody waits until the end.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/dpd.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { N = 3000, STEPS = 200, THREADS = 128, BLOCKS = (N + THREADS - 1) / THREADS };
static const double edge = 10.0, dt = 0.01;
static const double cutoff = 1.0, skin = 0.4;

static ds_pair *pair;
static ds_error err;
static ds_array x, v;
static ds_pair_request request;
static ds_pair_totals totals;
static double *x_data, *v_data, *f_data;
static int32_t *type_data, *tag_data;
static cudaStream_t stream;

static void must(ds_status status)
{
  if (status == DS_OK) return;
  fprintf(stderr, "%s\n", err.text);
  exit(1);
}

static void must(cudaError_t error)
{
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(1);
}

__global__ void begin(double *x, double *v, double *f, int32_t *type, int32_t *tag)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= N) return;
  type[i] = 1;
  tag[i] = i + 1;
  uint32_t random = 2654435761u * tag[i];
  for (int c = 0; c < 3; c++) {
    random = 1664525u * random + 1013904223u;
    x[3 * i + c] = edge * (random / 4294967296.0);
    v[3 * i + c] = f[3 * i + c] = 0.0;
  }
}

/* Forces are added to f, which begins with zeros. A step with a new list puts particles back into the box. */
__global__ void first_half(const uint64_t *halted, double *x, double *v, double *f, int wrap)
{
  const int k = blockIdx.x * THREADS + threadIdx.x;
  if (*halted || k >= 3 * N) return;
  v[k] += 0.5 * dt * f[k];
  x[k] += dt * v[k];
  if (wrap) x[k] += x[k] < 0.0 ? edge : x[k] >= edge ? -edge : 0.0;
  f[k] = 0.0;
}

__global__ void second_half(const uint64_t *halted, double *v, const double *f)
{
  const int k = blockIdx.x * THREADS + threadIdx.x;
  if (*halted || k >= 3 * N) return;
  v[k] += 0.5 * dt * f[k];
}

/* what follows the first half of a step */
static void evaluate(int64_t step, int rebuild)
{
  must(ds_pair_load(pair, &x, &v, step, &err));
  if (rebuild) must(ds_pair_build_list(pair, &err));
  must(ds_pair_enqueue(pair, &request, &err)); /* adds to f */
  second_half<<<3 * BLOCKS, THREADS, 0, stream>>>(ds_pair_halted(pair), v_data, f_data);
}

static void run(int64_t step, int64_t end)
{
  int64_t again;
  for (;;) {
    for (; step < end; step++) {
      const int rebuild = step % 5 == 0;
      first_half<<<3 * BLOCKS, THREADS, 0, stream>>>(ds_pair_halted(pair), x_data, v_data, f_data,
                                                     rebuild);
      evaluate(step, rebuild);
    }
    must(ds_pair_check(pair, &totals, &again, &err));
    if (again < 0) return;
    evaluate(again, 1); /* its first half has been made */
    step = again + 1;
  }
}

static ds_array on_device(void *data, ds_type type, int components)
{
  ds_array array = {data, type, DS_SPACE_DEVICE, components, 1};
  return array;
}

static void allocate(void)
{
  must(cudaMalloc(&x_data, 3 * N * sizeof *x_data));
  must(cudaMalloc(&v_data, 3 * N * sizeof *v_data));
  must(cudaMalloc(&f_data, 3 * N * sizeof *f_data));
  must(cudaMalloc(&type_data, N * sizeof *type_data));
  must(cudaMalloc(&tag_data, N * sizeof *tag_data));
  x = on_device(x_data, DS_F64, 3);
  v = on_device(v_data, DS_F64, 3);
}

static void set_model_and_box(void)
{
  const double a = 25.0, gamma = 4.5, power = 1.0;
  ds_pair_model model;
  ds_box box;
  memset(&model, 0, sizeof model);
  model.ntypes = 1;
  model.coeff[DS_DPD_A] = &a;
  model.coeff[DS_DPD_GAMMA] = &gamma;
  model.coeff[DS_DPD_POWER] = &power;
  model.cutoff = &cutoff;
  model.kT = 1.0;
  model.dt = dt;
  model.skin = skin;
  for (int k = 0; k < 4; k++) model.special[k] = 1.0;
  model.seed = 4711;
  memset(&box, 0, sizeof box);
  for (int d = 0; d < 3; d++) {
    box.h[d] = edge;
    box.periodic[d] = box.undecomposed[d] = 1;
    box.subhi[d] = 1.0;
  }
  box.slack = skin;
  must(ds_pair_set_model(pair, &model, &err));
  must(ds_pair_set_box(pair, &box, &err));
}

static void set_atoms(void)
{
  ds_atoms atoms;
  memset(&atoms, 0, sizeof atoms);
  atoms.nlocal = N;
  atoms.tag = on_device(tag_data, DS_I32, 1);
  atoms.type = on_device(type_data, DS_I32, 1);
  must(ds_pair_set_atoms(pair, &atoms, &err));
}

int main()
{
  static double velocities[3 * N];
  double kinetic = 0.0;
  int gpus = 0;
  ds_pair_options options;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    printf("skipped: no GPU\n");
    return 77;
  }
  memset(&options, 0, sizeof options);
  options.backend = DS_BACKEND_CUDA;
  options.precision = DS_PRECISION_MIXED;
  options.threads = 1;
  must(ds_pair_open(&pair, &options, &err));
  stream = (cudaStream_t) ds_pair_stream(pair);
  allocate();
  begin<<<BLOCKS, THREADS, 0, stream>>>(x_data, v_data, f_data, type_data, tag_data);
  set_model_and_box();
  set_atoms();
  request.want_energy = 1;
  request.f = on_device(f_data, DS_F64, 3);

  run(0, STEPS);

  must(cudaMemcpy(velocities, v_data, sizeof velocities, cudaMemcpyDeviceToHost));
  for (int k = 0; k < 3 * N; k++) kinetic += velocities[k] * velocities[k];
  const double temperature = kinetic / (3 * N);
  printf("energy %.6f per particle, temperature %.3f\n", totals.energy / N, temperature);
  printf("sum of all forces: %lld %lld %lld\n", (long long) totals.force_sum[0],
         (long long) totals.force_sum[1], (long long) totals.force_sum[2]);
  ds_pair_close(pair);
  return totals.force_sum[0] || totals.force_sum[1] || totals.force_sum[2] || temperature < 0.9 ||
         temperature > 1.2;
}
