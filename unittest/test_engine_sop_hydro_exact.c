/* test_engine_sop_hydro_exact.c: molecules with hydrodynamic interactions move with the same bits by each scheme, instruction
   set, number of threads and cutting into calls, alone or among others, after a restart, and on host and GPU: all are
   compared with the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "support/sop.h"
#include "support/system.h"

#include <string.h>

static sop_variants variants;

static const ds_sop_hydro kind[2] = {DS_SOP_HYDRO_EXACT, DS_SOP_HYDRO_TEA};

/* What is moved, and how. */
typedef struct {
  const test_molecule *molecule;
  int molecules, free, steps;
  ds_sop_pull_mode pull;
  int pressed;
  int64_t id, first;
  double kT;
  const double *x;
  double push; /* force on all beads of a molecule, which differs from one to the next */
} plan;

static int steps_of(int all)
{
  return check_brief() ? all / 5 : all;
}

static size_t beads_of(const plan *p)
{
  return (size_t) p->molecules * (size_t) p->molecule->topology.beads + (size_t) p->free;
}

static ds_sop *start(const ds_sop_options *o, const plan *p)
{
  const ds_sop_indent tip = {
    .radius = 15.0, .start = {1.0, -2.0, 33.0}, .direction = {0.0, 0.1, -1.0}, .spring = 3.0, .speed = 2e-4,
    .friction = 2.0 * SOP_ZETA, .eps = 1.0, .sigma = 3.8, .has_plane = 1, .plane = {0.0, 0.0, -20.0}
  };
  const int32_t last = p->molecule->topology.beads - 1, fixed[2] = {0, 3}, pulled[2] = {last, last - 2};
  const double weight[2] = {1.0, 2.5};
  const ds_sop_pull pull = {
    .mode = p->pull, .fixed = 2, .pulled = 2, .fixed_bead = fixed, .pulled_bead = pulled, .spring = 0.05, .speed = 1e-3,
    .force = 1.5, .pulled_weight = p->pull == DS_SOP_PULL_SPRING ? weight : NULL
  };
  const size_t n = beads_of(p);
  ds_error err;
  ds_sop *const sop = sop_start_pressed(o, p->molecule, p->molecules, p->free, p->id, p->x, p->pressed ? &tip : NULL);
  double *const f = test_alloc(3 * n * sizeof *f);
  for (size_t k = 0; k < 3 * n; k++) {
    const int64_t bead = p->id - 1 + (int64_t) k / 3, molecule = bead / p->molecule->topology.beads;
    f[k] = 0.01 * (double) (((uint64_t) p->id * 3 + k) % 17) - 0.08 + p->push * (double) (1 + molecule % 3);
  }
  if (p->pull) CHECK_OK(ds_sop_set_pull(sop, &pull, &err), err);
  CHECK_OK(ds_sop_set_forces(sop, f, &err), err);
  free(f);
  return sop;
}

static void advance(ds_sop *sop, const plan *p, int from, int steps)
{
  sop_advance(sop, p->first + from, steps, 800.0, p->kT);
}

/* Where the beads are after all steps, made in calls of so many; to be freed. */
static double *trajectory(const ds_sop_options *o, const plan *p, int per_call)
{
  ds_sop *const sop = start(o, p);
  for (int done = 0; done < p->steps; done += per_call)
    advance(sop, p, done, p->steps - done < per_call ? p->steps - done : per_call);
  double *const x = sop_positions(sop, beads_of(p));
  ds_sop_close(sop);
  return x;
}

/* The reference: the host, by the scheme particle, with the instructions that every processor has. */
static ds_sop_options plain(ds_sop_hydro hydro, const char *rng)
{
  ds_sop_options o = variants.options[0];
  o.backend = DS_BACKEND_HOST;
  o.isa = "base";
  o.scheme = DS_SOP_PARTICLE;
  o.hydro = hydro;
  o.radius = 3.0;
  o.rng = rng;
  return o;
}

static int takes(const ds_sop_options *o, const plan *p)
{
  return o->scheme != DS_SOP_BLOCK || (!p->pressed && !o->inter && sop_takes(o, p->molecule));
}

static void check_restart(const ds_sop_options *o, const plan *p, const double *expected)
{
  const size_t n = beads_of(p);
  const int half = p->steps / 2;
  ds_error err;
  ds_sop *const first = start(o, p);
  advance(first, p, 0, half);
  const size_t size = ds_sop_state_bytes(first);
  void *const state = test_alloc(size);
  plan rest = *p;
  rest.x = sop_positions(first, n);
  CHECK_OK(ds_sop_save(first, state, size, &err), err);
  ds_sop_close(first);
  ds_sop *const second = start(o, &rest);
  CHECK_OK(ds_sop_load(second, state, size, &err), err);
  advance(second, &rest, half, p->steps - half);
  sop_check_positions(sop_positions(second, n), expected, n, o, "after a restart");
  ds_sop_close(second);
  free((void *) rest.x);
  free(state);
}

/* A copy alone, of the same IDs. */
static void check_alone(const ds_sop_options *o, const plan *p, const double *expected)
{
  const size_t n = (size_t) p->molecule->topology.beads;
  for (int copy = 0; copy < p->molecules && !o->inter; copy += p->molecules - 1 > 0 ? p->molecules - 1 : 1) {
    plan one = *p;
    one.molecules = 1;
    one.free = 0;
    one.id += (int64_t) (n * (size_t) copy);
    one.x += 3 * n * (size_t) copy;
    sop_check_positions(trajectory(o, &one, p->steps), expected + 3 * n * (size_t) copy, n, o, "a copy alone");
  }
}

static void check_paths(const plan *p, const char *rng, int inter, const char *what)
{
  const size_t n = beads_of(p);
  for (int k = 0; k < 2; k++) {
    ds_sop_options o = plain(kind[k], rng);
    o.inter = inter;
    double *const expected = trajectory(&o, p, p->steps);
    o.hydro = DS_SOP_HYDRO_NONE;
    double *const without = trajectory(&o, p, p->steps);
    CHECK_MSG(memcmp(expected, without, 3 * n * sizeof *expected) != 0, "%s: hydro %d does nothing", what, (int) kind[k]);
    free(without);
    for (int v = 0; v < variants.n; v++)
      for (int s = DS_SOP_AUTO; s <= DS_SOP_BLOCK; s++) {
        o = variants.options[v];
        o.hydro = kind[k];
        o.radius = 3.0;
        o.rng = rng;
        o.inter = inter;
        o.scheme = (ds_sop_scheme) s;
        if (!takes(&o, p)) continue;
        sop_check_positions(trajectory(&o, p, p->steps), expected, n, &o, what);
        if (v < variants.n - 1) continue;
        sop_check_positions(trajectory(&o, p, 7), expected, n, &o, "in several calls");
        check_restart(&o, p, expected);
        if (s == DS_SOP_AUTO) check_alone(&o, p, expected);
      }
    free(expected);
  }
}

static void test_paths(void)
{
  test_molecule m;
  molecule_folded(&m, 24, 700);
  double *const x = sop_copies(&m, 17, 5, 60.0);
  plan p = {&m, 5, 5, steps_of(40), DS_SOP_PULL_NONE, 0, 1, 0, SOP_KT, x, 0.0};
  check_paths(&p, "tea", 0, "five molecules");
  p.pull = DS_SOP_PULL_SPRING;
  check_paths(&p, "taus", 0, "pulled molecules");
  p.pull = DS_SOP_PULL_FORCE;
  p.molecules = 17;
  p.first = INT64_C(1) << 40;
  check_paths(&p, "mt19937", 0, "molecules under a constant force");
  p.pull = DS_SOP_PULL_SPRING;
  p.pressed = 1;
  p.molecules = 3;
  p.first = 0;
  check_paths(&p, "philox", 0, "pressed molecules");
  free(x);
  molecule_close(&m);
}

/* Molecules that go so far that lists are made anew, each in steps of its own. */
static void test_far(void)
{
  test_molecule m;
  molecule_folded(&m, 24, 702);
  double *const x = sop_copies(&m, 3, 2, 60.0);
  const plan p = {&m, 3, 2, 100, DS_SOP_PULL_NONE, 0, 1, 0, SOP_KT, x, 5.0};
  check_paths(&p, "taus", 0, "molecules that go far");
  free(x);
  molecule_close(&m);
}

/* Molecules that repel each other have hydrodynamic interactions of their own nevertheless. */
static void test_inter(void)
{
  test_molecule m;
  molecule_folded(&m, 30, 701);
  double *const x = sop_copies(&m, 3, 4, 24.0);
  const plan p = {&m, 3, 4, steps_of(40), DS_SOP_PULL_NONE, 0, 1, 0, SOP_KT, x, 0.0};
  check_paths(&p, "tea", 1, "molecules that see each other");
  free(x);
  molecule_close(&m);
}

/* From two beads to more than a block of threads has, and to a matrix that no shared memory has room for. */
static void test_sizes(void)
{
  static const int size[] = {2, 3, 33, 90, 150};
  for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
    test_molecule m;
    molecule_folded(&m, size[k], 710 + k);
    double *const x = sop_copies(&m, 2, 1, 80.0);
    const plan p = {&m, 2, 1, size[k] > 100 ? 3 : steps_of(20), DS_SOP_PULL_NONE, 0, 1, 0, SOP_KT, x, 0.0};
    check_paths(&p, "tea", 0, "another size");
    free(x);
    molecule_close(&m);
  }
}

/* Beads of different radii; some overlap, some are inside of others. */
static void test_radii(void)
{
  test_molecule m;
  molecule_folded(&m, 40, 720);
  m.topology.radius = test_alloc(40 * sizeof(double));
  for (int b = 0; b < 40; b++) m.topology.radius[b] = b % 3 == 0 ? 0.0 : b % 7 == 0 ? 9.5 : 0.7 + 0.13 * b;
  double *const x = sop_copies(&m, 2, 0, 80.0);
  const plan p = {&m, 2, 0, steps_of(30), DS_SOP_PULL_NONE, 0, 1, 0, SOP_KT, x, 0.0};
  check_paths(&p, "tea", 0, "radii");
  free(x);
  molecule_close(&m);
}

/* The truncated expansion is one of the noise: without it there is no difference to the bit. */
static void test_without_noise(void)
{
  test_molecule m;
  molecule_folded(&m, 50, 730);
  double *const x = sop_copies(&m, 2, 0, 80.0);
  sop_shake(x, 100, 0.1, 731);
  const plan p = {&m, 2, 0, steps_of(50), DS_SOP_PULL_SPRING, 0, 1, 0, 0.0, x, 0.0};
  for (int v = 0; v < variants.n; v++) {
    ds_sop_options o = variants.options[v];
    o.radius = 4.0;
    o.hydro = DS_SOP_HYDRO_EXACT;
    double *const expected = trajectory(&o, &p, p.steps);
    o.hydro = DS_SOP_HYDRO_TEA;
    sop_check_positions(trajectory(&o, &p, p.steps), expected, 100, &o, "without noise");
    free(expected);
  }
  free(x);
  molecule_close(&m);
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_paths());
  CHECK_CASE(test_far());
  CHECK_CASE(test_inter());
  CHECK_CASE(test_sizes());
  CHECK_CASE(test_radii());
  CHECK_CASE(test_without_noise());
  return check_result();
}
