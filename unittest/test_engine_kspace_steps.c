/* test_engine_kspace_steps.c: charged atoms that stay with the engine make the same steps, to the bit, as a caller makes who
   asks for the forces of pairs and those of the mesh one after the other.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_kspace_steps cuda" makes the same checks on the GPU; the caller's forces are the host's. */
#include "support/reference_integrator.h"

#include "support/expect.h"

static test_variants variants;

static const setting fluid = {.name = "fluid", ALL_MOVE, .rule = {1, 0, 1, 0.0225}, .steps = 24, .stretch = 24},
                     seldom = {.name = "seldom", ALL_MOVE, .rule = {5, 0, 0, 0.0}, .steps = 24, .stretch = 5, .wide_images = 1};

/* Charges of both signs, and most atoms without. */
static double charges[ATOMS];

static ds_mesh_model mesh_of(int slab)
{
  ds_mesh_model m = {
      5,   {12, 15, 16}, {low[0], low[1], low[2]}, {edge[0], edge[1], edge[2]}, {0, 0, 0}, 1.0, DS_SLAB_NONE, 1.1, 2.5, 0.0,
      0.0, 0.0};
  if (slab) m.slab = DS_SLAB_NO_Z_FORCE;
  for (int i = 0; i < ATOMS; i++) {
    charges[i] = i % 5 ? 0.0 : i % 10 ? -1.0 : 0.75 + 0.5 * (i % 20 == 0);
    m.charge += charges[i];
    m.squares += charges[i] * charges[i];
    m.sizes += fabs(charges[i]);
  }
  return m;
}

/* dpd and clouds of charge, of one object. */
static ds_pair *open_pair(const ds_pair_options *options, ds_precision precision, const setting *s, const atoms *a, int charged)
{
  static test_model coul;
  ds_pair_options o = *options;
  ds_pair *pair;
  ds_error err;
  const test_model *const t = model_used();
  const ds_box box = box_of(s, t->m.skin);
  const ds_array q = array_of_doubles(charges, 1);
  model_coul(&coul, 2, 2.5, 0.67, 1.1, 2.0, 0.3);
  o.precision = precision;
  if (charged) o.more[0] = &ds_style_coul_slater;
  if (!CHECK_OK(ds_pair_open(&pair, &o, &err), err)) exit(1);
  CHECK_OK(ds_pair_set_model(pair, &t->m, &err), err);
  if (charged) CHECK_OK(ds_pair_set_model_of(pair, 1, &coul.m, &err), err);
  CHECK_OK(ds_pair_set_box(pair, &box, &err), err);
  CHECK_OK(give_atoms(pair, a, &err), err);
  if (charged) CHECK_OK(ds_pair_set_charges(pair, &q, &err), err);
  return pair;
}

static void caller_steps(ds_pair *pair, ds_kspace *k, atoms *a, const setting *s, int64_t first, int64_t last,
                         ds_mesh_sums *sums)
{
  ds_error err;
  ds_pair_totals totals[2];
  int64_t reneighbored = first - 1;
  for (int64_t step = first; step <= last; step++) {
    caller_kicks(a, s, 1);
    const int64_t age = step - reneighbored;
    int reneighbor = age >= s->rule.delay && age % s->rule.every == 0;
    if (reneighbor && s->rule.check) reneighbor = caller_sees_movement(a, s);
    if (reneighbor) caller_wraps(a, s);
    if (reneighbor) reneighbored = step;
    CHECK_OK(caller_forces(pair, a, step, reneighbor, totals, &err), err);
    const ds_kspace_request r = {
        a->n, array_of_doubles(a->x, 3), array_of_doubles(charges, 1), array_of_doubles(a->f, 3), array_none(), array_none(),
        1};
    CHECK_OK(ds_kspace_compute(k, &r, sums, &err), err);
    caller_kicks(a, s, 0);
  }
}

static void engine_steps(ds_resident *r, const setting *s, int64_t from, ds_mesh_sums *sums)
{
  const int64_t last = from + s->steps;
  int64_t reneighbored = from;
  ds_error err;
  for (int64_t step = from + 1; step <= last;) {
    ds_run_result reached;
    ds_run_request stretch = {
        .first = step, .reneighbored = reneighbored, .rule = s->rule, .hand_over = INT64_MAX, .mesh_sums = sums};
    stretch.last = step + s->stretch - 1 < last ? step + s->stretch - 1 : last;
    if (!CHECK_OK(ds_resident_run(r, &stretch, &reached, &err), err)) return;
    CHECK(reached.whole);
    reneighbored = reached.reneighbored;
    step = stretch.last + 1;
  }
}

/* Forces of the mesh alone, of the state that the steps have left. */
static void check_alone(ds_resident *r, atoms *ours, int64_t step, const ds_mesh_sums *sums, const char *where)
{
  ds_mesh_sums again;
  ds_error err;
  const double without = ours->f[0];
  memset(ours->f, 0, 24 * ATOMS);
  CHECK_OK(ds_resident_to_engine(r, DS_FORCE, &err), err);
  CHECK_OK(ds_resident_mesh_forces(r, step, &again, &err), err);
  CHECK_MSG(memcmp(&again, sums, sizeof again) == 0, "%s: sums of a step in parts differ", where);
  CHECK_OK(ds_resident_to_host(r, DS_FORCE, &err), err);
  CHECK(ours->f[3] == 0.0 && ours->f[0] != 0.0 && ours->f[0] != without); /* atom 1 has no charge */
}

static void compare(const setting *s, const ds_pair_options *options, ds_precision precision, int own_copies, int slab)
{
  static const ds_pair_options plain = {.backend = DS_BACKEND_HOST, .threads = 1};
  static const ds_kspace_options plain_mesh = {.backend = DS_BACKEND_HOST, .threads = 1};
  const ds_mesh_model mesh = mesh_of(slab);
  atoms theirs, ours;
  ds_mesh_sums expected, got;
  ds_pair_totals totals[2];
  ds_kspace *k;
  ds_error err;
  char where[120];
  ds_pair_options o = *options;
  o.precision = precision;
  snprintf(where, sizeof where, "%s%s", variant_name(&o), own_copies ? ", own copies" : "");
  atoms_open(&theirs, ATOMS);
  atoms_open(&ours, ATOMS);
  atoms_fill(&theirs, s, 78);
  ds_pair *const reference = open_pair(&plain, precision, s, &theirs, 1);
  CHECK_OK(ds_kspace_open(&k, &plain_mesh, &err), err);
  CHECK_OK(ds_kspace_set_model(k, &mesh, &err), err);
  caller_wraps(&theirs, s);
  CHECK_OK(caller_forces(reference, &theirs, 5, 1, totals, &err), err);
  atoms_copy(&ours, &theirs); /* both begin without the mesh */
  caller_steps(reference, k, &theirs, s, 6, 5 + s->steps, &expected);

  ds_pair *const pair = open_pair(options, precision, s, &ours, 1);
  ds_resident *const r = resident_in(pair, &ours, s, own_copies);
  CHECK_OK(ds_resident_set_mesh(r, &mesh, &err), err);
  engine_steps(r, s, 5, &got);
  CHECK_OK(ds_resident_to_host(r, DS_ALL_FIELDS, &err), err);
  check_same(&ours, &theirs, s, where);
  CHECK_MSG(memcmp(&got, &expected, sizeof got) == 0, "%s, %s: sums of the mesh differ: %.17g, expected %.17g", s->name, where,
            got.energy, expected.energy);
  check_alone(r, &ours, 5 + s->steps, &expected, where);
  ds_resident_close(r);
  ds_pair_close(pair);
  ds_pair_close(reference);
  ds_kspace_close(k);
  atoms_close(&ours);
  atoms_close(&theirs);
}

static void test_errors(const ds_pair_options *o)
{
  ds_mesh_model mesh = mesh_of(0);
  atoms a;
  ds_error err;
  ds_run_result reached;
  const ds_run_request one = {.first = 6, .last = 6, .reneighbored = 5, .rule = {1, 0, 0, 0.0}, .hand_over = INT64_MAX};
  atoms_open(&a, ATOMS);
  atoms_fill(&a, &fluid, 78);
  caller_wraps(&a, &fluid);
  for (int charged = 0; charged < 2; charged++) {
    ds_pair *const pair = open_pair(o, DS_PRECISION_MIXED, &fluid, &a, charged);
    ds_resident *const r = resident_in(pair, &a, &fluid, 0);
    ds_mesh_sums none;
    EXPECT(ds_resident_mesh_forces(r, 5, NULL, &err), err, DS_ERR_ARGUMENT, "forces of a mesh, of which there is none");
    ds_resident_mesh_sums(r, &none);
    CHECK(none.energy == 0.0 && none.virial[5] == 0.0);
    mesh.n[2] = 7;
    EXPECT(ds_resident_set_mesh(r, &mesh, &err), err, DS_ERR_ARGUMENT, "7 mesh points along z");
    mesh.n[2] = 16;
    CHECK_OK(ds_resident_set_mesh(r, &mesh, &err), err);
    if (!charged) EXPECT(ds_resident_run(r, &one, &reached, &err), err, DS_ERR_ARGUMENT, "but the pair object has no charges");
    if (!charged) EXPECT(ds_resident_mesh_forces(r, 5, NULL, &err), err, DS_ERR_ARGUMENT, "but the pair object has no charges");
    if (charged) CHECK_OK(ds_resident_run(r, &one, &reached, &err), err);
    CHECK_OK(ds_resident_set_mesh(r, NULL, &err), err);
    ds_resident_close(r);
    ds_pair_close(pair);
  }
  atoms_close(&a);
}

int main(int argc, char **argv)
{
  const int skipped = variants_open(&variants, argc, argv);
  if (skipped) return skipped;
  for (int v = 0; v < variants.n; v++) {
    CHECK_CASE(compare(&fluid, &variants.options[v], DS_PRECISION_MIXED, 0, 0));
    CHECK_CASE(compare(&seldom, &variants.options[v], DS_PRECISION_MIXED, 1, 0));
    CHECK_CASE(compare(&fluid, &variants.options[v], DS_PRECISION_DOUBLE, 1, 1));
    CHECK_CASE(test_errors(&variants.options[v]));
  }
  return check_result();
}
