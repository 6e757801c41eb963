/* test_sop_terms.c: the forces of dpdsop/device/sop_term.h are the derivatives of its energies, the energies are those of
   eq. 1, and single arithmetic is as near as it can be.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "dpdsop/device/sop_step.h"
#include "dpdsop/device/sop_term.h"
#include "support/sop.h"

/* Energy and -E'/r of a term at r, and the energy as eq. 1 has it. */
typedef struct {
  double energy, force, expected;
} term;

typedef term evaluate(double a, double b, double r);

static term bond(double k, double R0, double r)
{
  const double r0 = 3.8, d = r - r0;
  const ds_sop_bond c = {k, r0, 1.0 / (R0 * R0)};
  double room;
  const double force = ds_sop_bond_force(&c, r * r, &room);
  const term t = {ds_sop_bond_energy(&c, r * r), force,
                  -0.5 * k * R0 * R0 * log(1.0 - d * d / (R0 * R0))};
  CHECK_NEAR(room, 1.0 - d * d / (R0 * R0), 1e-13 * (1.0 + r * r / (R0 * R0)));
  return t;
}

static term contact(double eps, double r0, double r)
{
  const ds_sop_contact c = {r0 * r0, eps};
  const term t = {ds_sop_contact_energy(&c, r * r), ds_sop_contact_force(&c, r * r),
                  eps * (pow(r0 / r, 12.0) - 2.0 * pow(r0 / r, 6.0))};
  return t;
}

/* Third and fourth term: other pairs, and those of i and i+2. */
static term repulsion(double eps, double sigma, double r)
{
  const ds_sop_repulsion c = {sigma * sigma, eps};
  const term t = {ds_sop_repulsion_energy(&c, r * r), ds_sop_repulsion_force(&c, r * r),
                  eps * pow(sigma / r, 6.0)};
  return t;
}

/* Central differences of the energy over 2 h: their own error is h^2 E''' / 6 and 1e-16 E / h. With h = 1e-5 r both are
   below 1e-9 of the largest force and energy nearby, so 1e-6 of the force is a bound where that is no small difference;
   `size` is then what it is small beside. */
static void check_term(const char *name, evaluate *f, double a, double b, double low, double high,
                       double size)
{
  double worst = 0.0, worst_energy = 0.0;
  for (int k = 0; k <= 200; k++) {
    const double r = low + (high - low) * k / 200.0, h = 1e-5 * r;
    const term here = f(a, b, r), more = f(a, b, r + h), less = f(a, b, r - h);
    const double slope = -(more.energy - less.energy) / (2.0 * h), force = here.force * r;
    worst = fmax(worst, fabs(slope - force) / (fabs(force) + size));
    worst_energy =
        fmax(worst_energy, fabs(here.energy - here.expected) / (fabs(here.expected) + size));
  }
  printf("%s\n", name);
  CHECK_BOUND(worst, 1e-6, "force against the slope of the energy, relative");
  CHECK_BOUND(worst_energy, 1e-12, "energy against eq. 1, relative");
}

static void test_slopes(void)
{
  check_term("bond, k = 20, R0 = 2", bond, 20.0, 2.0, 1.9, 5.7, 0.02);
  check_term("bond, k = 1.4, R0 = 0.5", bond, 1.4, 0.5, 3.35, 4.25, 0.002);
  check_term("contact, r0 = 6", contact, 1.5, 6.0, 4.0, 14.0, 0.01);
  check_term("contact, r0 = 3.9", contact, 0.8, 3.9, 3.0, 11.0, 0.01);
  check_term("other", repulsion, 1.0, 3.8, 2.0, 12.0, 0.0);
  check_term("angle", repulsion, 1.3, 4.1, 2.5, 9.0, 0.0);
}

/* Values that anybody can compute by hand. */
static void test_known_values(void)
{
  CHECK_NEAR(contact(1.5, 6.0, 6.0).energy, -1.5, 1e-14);
  CHECK_NEAR(contact(1.5, 6.0, 6.0).force, 0.0, 1e-14);
  CHECK_NEAR(contact(1.0, 4.0, 2.0).energy, 4096.0 - 128.0, 1e-9);
  CHECK_NEAR(repulsion(1.0, 3.8, 7.6).energy, 1.0 / 64.0, 1e-15);
  CHECK_NEAR(repulsion(1.0, 3.8, 3.8).force, 6.0 / (3.8 * 3.8), 1e-14);
  CHECK_NEAR(bond(20.0, 2.0, 3.8).energy, 0.0, 1e-14);
  CHECK_NEAR(bond(20.0, 2.0, 4.8).energy, 40.0 * log(4.0 / 3.0), 1e-12);
  CHECK_NEAR(bond(20.0, 2.0, 4.8).force, -20.0 / (0.75 * 4.8), 1e-12);
}

/* Beyond R0 the bond has no room, in both arithmetics. */
static void test_room(void)
{
  const ds_sop_bond d = {20.0, 3.8, 0.25};
  const ds_sop_bondf f = {20.0f, 3.8f, 0.25f};
  for (int k = -30; k <= 30; k++) {
    const double r = 3.8 + 0.1 * k + 0.05;
    double room;
    float roomf;
    if (r <= 0.0) continue;
    ds_sop_bond_force(&d, r * r, &room);
    ds_sop_bond_forcef(&f, (float) (r * r), &roomf);
    CHECK_MSG((room > 0.0) == (fabs(r - 3.8) < 2.0), "room %g at %g", room, r);
    CHECK_MSG((roomf > 0.0f) == (fabs(r - 3.8) < 2.0), "room %g at %g in single", roomf, r);
  }
}

/* Single against double: some ten operations of 2^-24 each, a sixth power of what r2 has lost, and, for bonds and
   contacts, of what their two terms are before they cancel. */
static void test_single(void)
{
  double worst[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k <= 400; k++) {
    const double r = 3.0 + 0.005 * k;
    const float r2 = (float) (r * r);
    const ds_sop_bondf b = {20.0f, 3.8f, 0.25f};
    const ds_sop_bond bd = {20.0f, 3.8f, 0.25f};
    const ds_sop_contactf c = {16.0f, 1.5f};
    const ds_sop_contact cd = {16.0, 1.5};
    const ds_sop_repulsionf n = {14.5f, 1.0f};
    const ds_sop_repulsion nd = {14.5, 1.0};
    double room;
    float roomf;
    const double q6 = pow(4.0 / r, 6.0);
    const double bond_size = 20.0 * (1.0 + 3.8 / r) / pow(1.0 - 0.25 * (r - 3.8) * (r - 3.8), 2.0),
                 contact_size = 18.0 * (q6 * q6 + q6) / (r * r),
                 size = ds_sop_repulsion_force(&nd, r2);
    worst[0] = fmax(
        worst[0], fabs(ds_sop_bond_forcef(&b, r2, &roomf) - ds_sop_bond_force(&bd, r2, &room)) /
                      bond_size);
    worst[1] =
        fmax(worst[1],
             fabs(ds_sop_contact_forcef(&c, r2) - ds_sop_contact_force(&cd, r2)) / contact_size);
    worst[2] = fmax(worst[2], fabs(ds_sop_repulsion_forcef(&n, r2) - size) / size);
  }
  printf("single against double, relative\n");
  CHECK_BOUND(worst[0], 10 * 0x1p-24, "bond");
  CHECK_BOUND(worst[1], 16 * 0x1p-24, "contact");
  CHECK_BOUND(worst[2], 12 * 0x1p-24, "repulsion");
}

/* Both ways of rounding, ties and the largest force included. */
static void test_quanta(void)
{
  uint64_t seed = 77;
  for (int k = 0; k < 200000; k++) {
    const float size = ldexpf(1.0f, (int) (check_random(&seed) % 23)),
                force = size * (float) (2.0 * check_uniform(&seed) - 1.0),
                half = 0.5f * (float) ((int64_t) (check_random(&seed) % 8388609) - 4194304);
    int fault = 0;
    CHECK(ds_sop_small_quanta(force, 1.0f) == ds_sop_quanta(force, 1.0f, &fault));
    CHECK(ds_sop_small_quanta(half, 1.0f) == ds_sop_quanta(half, 1.0f, &fault));
    CHECK(fault == 0);
  }
  CHECK(ds_sop_small_quanta(DS_SOP_SMALL_FORCE, 1.0f) == 4194304);
  CHECK(ds_sop_small_quanta(-2.0f, DS_SOP_SMALL_FORCE / 2) == -4194304);
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  CHECK_CASE(test_slopes());
  CHECK_CASE(test_known_values());
  CHECK_CASE(test_room());
  CHECK_CASE(test_single());
  CHECK_CASE(test_quanta());
  return check_result();
}
