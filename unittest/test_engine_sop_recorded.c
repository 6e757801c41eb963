/* test_engine_sop_recorded.c: trajectories of SOP molecules end where they ended when this was written, to the bit, with
   each generator.   SPDX-License-Identifier: GPL-2.0-or-later

   test_engine_sop_exact.c compares the code paths with each other, so it cannot notice a change that moves the bits of all
   of them alike. The numbers may change only where the bits are meant to: where a comparison fails, the program ends with
   the lines of the table as it finds them. */
#include "check.h"
#include "support/sop.h"

#include <string.h>

static sop_variants variants;

enum { GENERATORS = 8, STEPS = 200 };

/* Of each generator and order: a hash of the positions after STEPS steps. */
static const uint64_t recorded[GENERATORS][2] = {
    {0xDAF21A5761127C70u, 0xE696DD5AC1CB5DEFu}, /* tea */
    {0xDFFC77175345A8C1u, 0x9B2094BDE7A8BCBAu}, /* philox */
    {0x2287056787129737u, 0xA426C33833E0E562u}, /* taus */
    {0x841E2BCF3FECCEB0u, 0xB3193BFCAD0EDD0Fu}, /* ran2 */
    {0x4EAF0604BEC779D8u, 0xAF770450129D273Fu}, /* fibonacci */
    {0xB1EA44A9F32EF81Cu, 0x7E7C1D0B65D808DAu}, /* lcg */
    {0x2F565F629D480BF0u, 0x29DE7B96A9A24C54u}, /* mrg32k3a */
    {0xC4E6BD1ACBF351A2u, 0x8E6A13F17F73AE69u}, /* mt19937 */
};
static uint64_t found[GENERATORS][2];

/* The same for molecules between a tip and a plane, of order 1 and 2: positions and where the tips are. */
static const uint64_t recorded_pressed[2] = {0x62CF3EFBC1AFBAA7u, 0x3315789E1443B273u};

enum { COPIES = 3, FREE = 5 };

/* Three copies of ubiquitin, pulled, and five free beads. */
static uint64_t run(const ds_sop_options *o, const test_molecule *m, const double *x, size_t beads)
{
  const int32_t fixed = 0, pulled = m->topology.beads - 1;
  const ds_sop_pull pull = {
    .mode = DS_SOP_PULL_SPRING, .fixed = 1, .pulled = 1, .fixed_bead = &fixed, .pulled_bead = &pulled, .spring = 0.05,
    .speed = 1e-5
  };
  const ds_sop_motion motion = {7, STEPS, 1000.0, SOP_ZETA, SOP_KT};
  ds_error err;
  ds_sop *const sop = sop_start(o, m, COPIES, FREE, 1, x);
  CHECK_OK(ds_sop_set_pull(sop, &pull, &err), err);
  CHECK_OK(ds_sop_advance(sop, &motion, &err), err);
  double *const end = sop_positions(sop, beads);
  const uint64_t hash = sop_hash(end, 3 * beads);
  free(end);
  ds_sop_close(sop);
  return hash;
}

static void check_generator(int g, const test_molecule *m, const double *x, size_t beads)
{
  for (int order = 1; order <= 2; order++)
    for (int v = 0; v < variants.n; v++) {
      ds_sop_options o = variants.options[v];
      o.rng = sop_generators[g];
      o.order = order;
      const uint64_t hash = run(&o, m, x, beads);
      if (v == 0) found[g][order - 1] = hash;
      CHECK_MSG(hash == recorded[g][order - 1],
                "%s: other bits than recorded: 0x%016" PRIX64 ", recorded 0x%016" PRIX64,
                sop_name(&o), hash, recorded[g][order - 1]);
    }
}

/* The same, pressed: a tip of 15 angstrom from above, a plane below; they begin in touch. */
static uint64_t run_pressed(const ds_sop_options *o, const test_molecule *m, const double *x,
                            size_t beads)
{
  const ds_sop_indent tip = {
    .radius = 15.0, .start = {1.0, -2.0, 33.0}, .direction = {0.0, 0.1, -1.0}, .spring = 3.0, .speed = 2e-5,
    .friction = 2.0 * SOP_ZETA, .eps = 1.0, .sigma = 3.8, .has_plane = 1, .plane = {0.0, 0.0, -22.0}
  };
  const ds_sop_motion motion = {7, STEPS, 4000.0, SOP_ZETA, SOP_KT};
  double force[COPIES], travel[COPIES];
  ds_error err;
  ds_sop *const sop = sop_start_pressed(o, m, COPIES, FREE, 1, x, &tip);
  CHECK_OK(ds_sop_advance(sop, &motion, &err), err);
  CHECK_OK(ds_sop_indenting(sop, force, travel, &err), err);
  CHECK(travel[0] > 2.0);
  double *const end = sop_positions(sop, beads + 1);
  memcpy(end + 3 * beads, travel, sizeof travel);
  const uint64_t hash = sop_hash(end, 3 * beads + COPIES);
  free(end);
  ds_sop_close(sop);
  return hash;
}

static void check_pressed(const test_molecule *m, const double *x, size_t beads)
{
  for (int order = 1; order <= 2; order++)
    for (int v = 0; v < variants.n; v++) {
      ds_sop_options o = variants.options[v];
      o.scheme = v % 2 ? DS_SOP_PAIR : DS_SOP_PARTICLE;
      o.order = order;
      CHECK_HEX(run_pressed(&o, m, x, beads), recorded_pressed[order - 1]);
    }
}

static void print_table(void)
{
  printf("the table as found:\n");
  for (int g = 0; g < GENERATORS; g++)
    printf("    {0x%016" PRIX64 "u, 0x%016" PRIX64 "u}, /* %s */\n", found[g][0], found[g][1],
           sop_generators[g]);
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  test_molecule m;
  molecule_ubiquitin(&m);
  const size_t beads = COPIES * (size_t) m.topology.beads + FREE;
  double *const x = sop_copies(&m, COPIES, FREE, 50.0);
  for (int g = 0; g < GENERATORS; g++) CHECK_CASE(check_generator(g, &m, x, beads));
  CHECK_CASE(check_pressed(&m, x, beads));
  free(x);
  molecule_close(&m);
  if (check_failed) print_table();
  return check_result();
}
