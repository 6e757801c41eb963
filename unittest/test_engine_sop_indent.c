/* test_engine_sop_indent.c: a tip, a plane and a cylinder that press on molecules: their forces, the motion of the tip, errors.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "support/expect.h"
#include "support/sop.h"
#include "support/system.h"

#include <string.h>

static sop_variants variants;

static const double h = 2000.0;

/* A tip that comes down along z, from (0, 0, 40) of the molecule's centre. */
static ds_sop_indent tip_above(void)
{
  const ds_sop_indent i = {
    .radius = 20.0, .start = {0.0, 0.0, 40.0}, .direction = {0.0, 0.0, -2.0}, .spring = 0.5, .speed = 2e-4,
    .friction = 10.0 * SOP_ZETA, .eps = 1.0, .sigma = 3.0
  };
  return i;
}

/* ------------------------------------------------------------------------------------------- forces */

/* V = eps (A (sigma / gap)^12 + B (sigma / gap)^6), up to 3 sigma. */
static double wall_force(const ds_sop_indent *i, double gap)
{
  const double sixth = i->twelfth == 0.0 && i->sixth == 0.0 ? 1.0 : i->sixth, ratio = i->sigma / gap;
  return gap < 3.0 * i->sigma ? i->eps * (12.0 * i->twelfth * pow(ratio, 12.0) + 6.0 * sixth * pow(ratio, 6.0)) / gap : 0.0;
}

static double length_of(const double x[3])
{
  return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* The unit vector from the beads to the plane. */
static void plane_normal(const ds_sop_indent *i, double n[3])
{
  const double given = length_of(i->normal);
  for (int c = 0; c < 3; c++) n[c] = given > 0.0 ? -i->normal[c] / given : i->direction[c] / length_of(i->direction);
}

static void add_cylinder_force(const ds_sop_indent *i, const double x[3], double f[3])
{
  if (i->cylinder == DS_SOP_NO_CYLINDER) return;
  const double a = length_of(i->axis);
  double d[3], along = 0.0;
  for (int c = 0; c < 3; c++) along += (x[c] - i->axis_point[c]) * i->axis[c] / a;
  for (int c = 0; c < 3; c++) d[c] = x[c] - i->axis_point[c] - along * i->axis[c] / a;
  const double r = length_of(d), side = i->cylinder == DS_SOP_BEADS_INSIDE ? 1.0 : -1.0;
  const double force = wall_force(i, side * (i->cylinder_radius - r));
  for (int c = 0; c < 3 && r > 0.0; c++) f[c] -= side * force * d[c] / r;
}

/* What a bead at x should feel, and what of it the tip exerts; both places are relative to the molecule's centre. */
static void expected_force(const ds_sop_indent *i, const double x[3], double f[3], double by_tip[3])
{
  const double from_tip[3] = {x[0] - i->start[0], x[1] - i->start[1], x[2] - i->start[2]}, r = length_of(from_tip);
  double n[3], along = 0.0;
  plane_normal(i, n);
  for (int c = 0; c < 3; c++) along += (i->plane[c] - x[c]) * n[c];
  for (int c = 0; c < 3; c++) {
    by_tip[c] = wall_force(i, r - i->radius) * from_tip[c] / r;
    f[c] = by_tip[c];
    if (i->has_plane) f[c] -= wall_force(i, along) * n[c];
  }
  add_cylinder_force(i, x, f);
}

/* The third bead near the wall of a cylinder across n, which goes through the place 2000 behind the tip; inside all others are
   out of its reach, as it is wide enough for them. Returns how far the third bead is from its axis, along `across`. */
static double place_cylinder(ds_sop_indent *i, const double n[3], double across[3], uint64_t *seed)
{
  static const double zero[3];
  const double x = i->cylinder == DS_SOP_NO_CYLINDER ? 0.0 : 1.0, gap = 2.6 + 9.0 * check_uniform(seed);
  const double other[3] = {n[1], n[2], n[0]};
  memcpy(across, zero, sizeof zero);
  across[0] = n[1] * other[2] - n[2] * other[1];
  across[1] = n[2] * other[0] - n[0] * other[2];
  across[2] = n[0] * other[1] - n[1] * other[0];
  const double length = length_of(across);
  for (int c = 0; c < 3; c++) across[c] /= length;
  i->cylinder_radius = i->cylinder == DS_SOP_BEADS_OUTSIDE ? 17.0 : 700.0;
  for (int c = 0; c < 3; c++) {
    i->axis[c] = 0.3 * n[c] * x;
    i->axis_point[c] = i->start[c] - 2000.0 * n[c];
  }
  if (i->cylinder == DS_SOP_BEADS_OUTSIDE) /* away from the others, which are near the line along n */
    for (int c = 0; c < 3; c++) i->axis_point[c] += 400.0 * across[c];
  return i->cylinder == DS_SOP_BEADS_OUTSIDE ? 400.0 - i->cylinder_radius - gap : x * (i->cylinder_radius - gap);
}

/* Of four beads that see neither each other nor a bond the first is near the tip, the second near the plane, the third near the
   cylinder, from within reach to beyond it. Places are multiples of 2^-10, so that the centre and all coordinates are exact. */
static void place_beads(test_molecule *m, ds_sop_indent *i, const double n[3], uint64_t *seed)
{
  const double u = 6.3 * check_uniform(seed), z = 2.0 * check_uniform(seed) - 1.0,
               s = sqrt(1.0 - z * z), side[3] = {s * cos(u), s * sin(u), z};
  const double r = i->radius + 2.6 + 9.0 * check_uniform(seed),
               gap = 2.6 + 9.0 * check_uniform(seed);
  double centre[3] = {0, 0, 0}, dot = 0.0, across[3];
  const double out = place_cylinder(i, n, across, seed);
  for (int c = 0; c < 3; c++) dot += side[c] * n[c];
  i->has_plane = 1;
  for (int c = 0; c < 3; c++) {
    const double from[4] = {r * side[c], (75.0 - gap) * n[c] + 20.0 * (side[c] - dot * n[c]),
                            -2000.0 * n[c] + out * across[c], -3000.0 * n[c]};
    i->plane[c] = i->start[c] + 75.0 * n[c];
    for (int b = 0; b < 4; b++) {
      m->x[3 * b + c] = rint(1024.0 * (i->start[c] + from[b])) / 1024.0;
      centre[c] += 0.25 * m->x[3 * b + c];
    }
  }
  for (int c = 0; c < 3; c++) { /* places of tip, plane and cylinder are relative to the centre */
    i->start[c] -= centre[c];
    i->plane[c] -= centre[c];
    i->axis_point[c] -= centre[c];
  }
}

/* Surfaces that repel by the sixth power alone and hold with a plane across the tip's way; then other ones. */
static void set_surfaces(ds_sop_indent *i, const double n[3], int kind)
{
  static const double factors[3][2] = {{0.0, 0.0}, {1.0, -2.0}, {0.3, 0.7}};
  static const ds_sop_cylinder cylinders[3] = {DS_SOP_NO_CYLINDER, DS_SOP_BEADS_INSIDE, DS_SOP_BEADS_OUTSIDE};
  i->twelfth = factors[kind % 3][0];
  i->sixth = factors[kind % 3][1];
  i->cylinder = cylinders[kind / 3 % 3];
  for (int c = 0; c < 3; c++) {
    i->direction[c] = 1.7 * n[c];
    if (kind % 2) i->normal[c] = -0.1 * n[c];
  }
  if (kind % 4 == 3) /* the plane is no longer across the tip's way */
    for (int c = 0; c < 3; c++) i->direction[c] += 0.9 * n[(c + 1) % 3];
}

/* One step without noise tells the force on each bead, and that on the tip. */
static void check_forces(const ds_sop_options *o, uint64_t seed)
{
  const double n[3] = {0.28, -0.576, -0.768}; /* a unit vector */
  test_molecule m;
  molecule_loose(&m, 4);
  const sop_units unit = sop_units_of(&m.topology);
  ds_sop_indent i = tip_above();
  double pushed = 0.0, force, travel;
  ds_error err;
  set_surfaces(&i, n, (int) (seed % 36));
  place_beads(&m, &i, n, &seed);
  const double way = length_of(i.direction);
  ds_sop *const sop = sop_start_pressed(o, &m, 1, 0, 1, m.x, &i);
  sop_advance(sop, 0, 1, 10.0, 0.0);
  double *const y = sop_positions(sop, 4);
  const double per_force = 10.0 / SOP_ZETA;
  for (int b = 0; b < 4; b++) {
    double x[3], f[3], by_tip[3];
    for (int c = 0; c < 3; c++)
      x[c] = m.x[3 * b + c] - 0.25 * (m.x[c] + m.x[3 + c] + m.x[6 + c] + m.x[9 + c]);
    expected_force(&i, x, f, by_tip);
    for (int c = 0; c < 3; c++) {
      CHECK_NEAR((y[3 * b + c] - m.x[3 * b + c]) / per_force, f[c],
                 unit.force + unit.position / per_force + 0x1p-21 * fabs(f[c]));
      pushed += by_tip[c] * i.direction[c] / way;
    }
  }
  CHECK_OK(ds_sop_indenting(sop, &force, &travel, &err), err);
  const double tip_per_force = 10.0 / i.friction;
  CHECK_NEAR(travel / tip_per_force, -pushed,
             4.0 * unit.force + unit.position / tip_per_force + 0x1p-21 * fabs(pushed));
  CHECK_NEAR(force, i.spring * (10.0 * i.speed - travel), 1e-12);
  ds_sop_close(sop);
  molecule_close(&m);
  free(y);
}

static void test_forces(void)
{
  for (int v = 0; v < variants.n; v++)
    for (int s = DS_SOP_PARTICLE; s <= DS_SOP_PAIR; s++)
      for (uint64_t seed = 1; seed <= (check_brief() ? 5 : 60); seed++) {
        ds_sop_options o = variants.options[v];
        o.scheme = (ds_sop_scheme) s;
        check_forces(&o, 9000 + seed);
      }
}

/* ------------------------------------------------------------------------------- the tip by itself */

/* One bead, far from the tip. The force of the spring is K (V t - s), t that of the step's beginning; eqs. 4 and 5. Then the
   tip is drawn back, held, and pressed on: the cantilever goes on from where it is, and the force does not jump. */
static void check_spring(const ds_sop_options *o)
{
  enum { RUNS = 9, CHANGED = 4 };
  const double length[RUNS] = {h, h, 0.5 * h, 1.5 * h, 1.5 * h, 0.5 * h, h, h, h};
  const double speed[RUNS] = {2e-4, 2e-4, 2e-4, 2e-4, -5e-4, -5e-4, 0.0, 2e-4, 3e-4};
  test_molecule m;
  molecule_loose(&m, 1);
  const double unit = sop_units_of(&m.topology).position;
  ds_sop_indent i = tip_above();
  i.start[2] = 4000.0;
  i.spring = 5.0;
  i.friction = 0.5 * SOP_ZETA;
  ds_sop *const sop = sop_start_pressed(o, &m, 1, 0, 1, m.x, &i);
  double s = 0.0, base = 0.0, force, travel, before, most = 0.0;
  ds_error err;
  CHECK_OK(ds_sop_indenting(sop, &force, &travel, &err), err);
  CHECK(force == 0.0 && travel == 0.0);
  for (int run = 0; run < RUNS; run++) {
    CHECK_OK(ds_sop_indenting(sop, &before, &travel, &err), err);
    if (run >= CHANGED) {
      CHECK_OK(ds_sop_set_indent_speed(sop, speed[run], &err), err);
    }
    CHECK(ds_sop_indent_speed(sop) == speed[run]);
    CHECK_OK(ds_sop_indenting(sop, &force, &travel, &err), err);
    CHECK(force == before);
    sop_advance(sop, 7 + 30 * run, 30, length[run], 0.0);
    for (int k = 0; k < 30; k++, base += speed[run] * length[run]) {
      const double rate = i.spring * (base - s) / i.friction;
      const double ahead = i.spring * (base - s - rate * length[run]) / i.friction;
      s += length[run] * (o->order == 1 ? rate : 0.5 * (rate + ahead));
    }
    CHECK_OK(ds_sop_indenting(sop, &force, &travel, &err), err);
    CHECK_NEAR(travel, s, 0.5 * 30 * (run + 1) * unit);
    CHECK_NEAR(force, i.spring * (base - s), i.spring * 0.5 * 30 * (run + 1) * unit + 1e-12);
    most = fmax(most, s);
    if (run == 5) { /* it has come forth and back */
      CHECK(most > 1.0 && s < most - 1.0);
    }
  }
  ds_sop_close(sop);
  molecule_close(&m);
}

/* A tip on a spring that stands still, with a = K h / friction: variance kT/K times 1 / (1 - a/2) in steps of first order,
   2 a (1 - a/2)^2 / (1 - (1 - a + a^2/2)^2) in those of second. Tips of different molecules, and those of one at times
   between which (1 - a)^60 is forgotten, are independent: the mean of n has the standard error sqrt(var / n), the variance
   has sqrt(2 / n) of itself; both are allowed 4.5. */
static void check_noise(const ds_sop_options *o)
{
  enum { COPIES = 300, TIMES = 6 };
  const int n = COPIES * TIMES;
  test_molecule m;
  molecule_loose(&m, 1);
  ds_sop_indent i = tip_above();
  i.start[2] = 4000.0;
  i.speed = 0.0;
  i.spring = 0.1 * i.friction / h;
  double *const x = sop_copies(&m, COPIES, 0, 10.0), force[COPIES], travel[COPIES], sum = 0.0,
                squares = 0.0;
  ds_sop *const sop = sop_start_pressed(o, &m, COPIES, 0, 1, x, &i);
  ds_error err;
  for (int k = 0; k < TIMES; k++) {
    sop_advance(sop, 60 * k, 60, h, SOP_KT);
    CHECK_OK(ds_sop_indenting(sop, force, travel, &err), err);
    for (int c = 0; c < COPIES; c++) {
      sum += travel[c];
      squares += travel[c] * travel[c];
    }
  }
  const double a = 0.1, keeps = 1.0 - a + 0.5 * a * a;
  const double variance =
      SOP_KT / i.spring *
      (o->order == 1 ? 1.0 / (1.0 - 0.5 * a)
                     : 2.0 * a * (1.0 - 0.5 * a) * (1.0 - 0.5 * a) / (1.0 - keeps * keeps));
  CHECK_BOUND(fabs(sum / n), 4.5 * sqrt(variance / n), "mean of tips");
  CHECK_BOUND(fabs(squares / n / variance - 1.0), 4.5 * sqrt(2.0 / n), "variance of tips");
  ds_sop_close(sop);
  molecule_close(&m);
  free(x);
}

static void test_tip(void)
{
  for (int v = 0; v < variants.n; v++)
    for (int order = 1; order <= 2; order++) {
      ds_sop_options o = variants.options[v];
      o.order = order;
      o.scheme = order == 1 ? DS_SOP_PARTICLE : DS_SOP_PAIR;
      check_spring(&o);
      if (v == 0) check_noise(&o);
    }
}

/* ------------------------------------------------------------------------------------------- errors */

static void test_values(void)
{
  ds_sop_options o = variants.options[0];
  test_molecule m;
  ds_error err;
  ds_sop *sop = NULL;
  int64_t id[2] = {1, 2};
  molecule_loose(&m, 1);
  CHECK_OK(ds_sop_open(&sop, &o, &m.topology, &err), err);
#define VALUE(field, value, words)                                                                 \
  {                                                                                                \
    ds_sop_indent i = tip_above();                                                                 \
    i.has_plane = 1;                                                                               \
    i.field = (value);                                                                             \
    EXPECT(ds_sop_set_indent(sop, &i, &err), err, DS_ERR_ARGUMENT, words);                         \
  }
  VALUE(radius, 0.0, "radius of the tip 0 must be above 0");
  VALUE(radius, INFINITY, "radius of the tip inf");
  VALUE(spring, -1.0, "spring -1 must be above 0");
  VALUE(friction, 0.0, "friction coefficient of the tip 0 must be above 0");
  VALUE(friction, NAN, "friction coefficient of the tip|must be above 0");
  VALUE(eps, 0.0, "energy of the tip's repulsion 0 must be above 0");
  VALUE(sigma, -2.0, "range of the tip's repulsion -2 must be above 0");
  VALUE(speed, INFINITY, "speed inf of the tip must be finite");
  VALUE(start[1], NAN, "place 0|40 of the tip must be finite");
  VALUE(start[2], 4068.0, "radius 20 and repulsion 3 at 0 0 4068 reaches too far|within 4096");
  VALUE(direction[2], 0.0, "direction 0 0 0 of the tip must be finite and not 0 0 0");
  VALUE(direction[0], INFINITY, "direction inf 0 -2 of the tip");
  VALUE(plane[0], INFINITY, "place inf 0 0 of the plane must be finite");
  VALUE(normal[1], INFINITY, "normal 0 inf 0 of the plane must be finite");
  VALUE(twelfth, -1.0, "factors -1 of (sigma/d)^12 and 0 of (sigma/d)^6: the first must not be below 0");
  VALUE(sixth, -2.0, "factors 0 of (sigma/d)^12 and -2 of (sigma/d)^6|the second must be above 0");
  VALUE(sixth, INFINITY, "factors 0 of (sigma/d)^12 and inf of (sigma/d)^6");
  VALUE(cylinder, (ds_sop_cylinder) 3, "side 3 of the cylinder's beads is not known");
  VALUE(cylinder, DS_SOP_BEADS_INSIDE, "radius of the cylinder 0 must be above 0");
#undef VALUE
  ds_sop_indent bad = tip_above();
  bad.cylinder = DS_SOP_BEADS_OUTSIDE;
  bad.cylinder_radius = 5.0;
  EXPECT(ds_sop_set_indent(sop, &bad, &err), err, DS_ERR_ARGUMENT, "axis 0 0 0 of the cylinder must be finite and not 0 0 0");
  bad.axis[0] = 2.0;
  bad.axis_point[1] = INFINITY;
  EXPECT(ds_sop_set_indent(sop, &bad, &err), err, DS_ERR_ARGUMENT, "place 0 inf 0 of the cylinder must be finite");
  EXPECT(ds_sop_set_indent_speed(sop, 1e-5, &err), err, DS_ERR_ARGUMENT,
         "speed 1e-05 of a tip, allowed only where one presses");
  const ds_sop_indent good = tip_above();
  CHECK_OK(ds_sop_set_indent(sop, &good, &err), err);
  EXPECT(ds_sop_set_indent_speed(sop, INFINITY, &err), err, DS_ERR_ARGUMENT, "speed inf of the tip must be finite");
  CHECK_OK(ds_sop_set_beads(sop, 1, 0, id, &err), err);
  const char *const scheme = ds_sop_get_info(sop).scheme;
  CHECK(strcmp(scheme, o.backend == DS_BACKEND_HOST && o.threads == 1 ? "pair" : "particle") == 0);
  EXPECT(ds_sop_set_indent(sop, &good, &err), err, DS_ERR_ARGUMENT, "before beads are");
  ds_sop_close(sop);
  o.inter = 1;
  CHECK_OK(ds_sop_open(&sop, &o, &m.topology, &err), err);
  CHECK_OK(ds_sop_set_indent(sop, &good, &err), err);
  EXPECT(ds_sop_set_beads(sop, 2, 0, id, &err), err, DS_ERR_ARGUMENT,
         "2 molecules that see each other|one molecule alone");
  ds_sop_close(sop);
  o.inter = 0;
  o.scheme = DS_SOP_BLOCK;
  CHECK_OK(ds_sop_open(&sop, &o, &m.topology, &err), err);
  EXPECT(ds_sop_set_indent(sop, &good, &err), err, DS_ERR_ARGUMENT,
         "scheme block nothing presses|auto, particle or pair");
  ds_sop_close(sop);
  molecule_close(&m);
}

/* One step that fails; the second molecule is the one where it does. */
static void check_fault(const ds_sop_options *o, const ds_sop_indent *i, double z, double kT,
                        const char *words)
{
  const ds_sop_motion one = {41, 3, h, SOP_ZETA, kT};
  test_molecule m;
  ds_error err;
  molecule_loose(&m, 2);
  double *const x = sop_copies(&m, 2, 0, 0.0);
  x[3 * 2 + 2] += z; /* so that the centre moves by half of it */
  ds_sop *const sop = sop_start_pressed(o, &m, 2, 0, 11, x, i);
  EXPECT(ds_sop_advance(sop, &one, &err), err, DS_ERR_FORCE_RANGE, words);
  double *const y = sop_positions(sop, 4);
  for (int k = 6; k < 12; k++) CHECK_NEAR(y[k], x[k], 2e-9);
  ds_sop_close(sop);
  molecule_close(&m);
  free(x);
  free(y);
}

static void test_faults(void)
{
  for (int v = 0; v < variants.n; v++)
    for (int order = 1; order <= 2; order++)
      for (int s = DS_SOP_PARTICLE; s <= DS_SOP_PAIR; s++) {
        ds_sop_options o = variants.options[v];
        o.order = order;
        o.scheme = (ds_sop_scheme) s;
        ds_sop_indent i =
            tip_above(); /* its centre is 10 to the side of both beads, and 40 above the molecule's centre */
        check_fault(&o, &i, 85.0, SOP_KT,
                    "atom 13 is in the tip, or too near to its surface in step 41");
        check_fault(&o, &i, 44.2, SOP_KT,
                    "atom 13 is in the tip, or too near to its surface in step 41");
        i.start[2] = 4000.0;
        i.has_plane = 1;
        i.plane[2] = -30.0;
        check_fault(&o, &i, 70.0, SOP_KT,
                    "atom 14 is in the plane, or too near to its surface in step 41");
        i = tip_above();
        i.start[2] = 4000.0;
        i.axis[2] = 0.5;
        i.cylinder = DS_SOP_BEADS_INSIDE;
        i.cylinder_radius = 9.0;
        check_fault(&o, &i, 0.0, SOP_KT, "atom 11 is in the cylinder's wall, or too near to its surface in step 41");
        i = tip_above();
        i.start[2] = 4000.0;
        i.friction = 1e-3 * SOP_ZETA;
        i.speed = 1.0;
        check_fault(
            &o, &i, 0.0, 0.0,
            "the tip on the molecule of atom 1|by more than 2 at once|in step 42|friction of the tip");
      }
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_forces());
  CHECK_CASE(test_tip());
  CHECK_CASE(test_values());
  CHECK_CASE(test_faults());
  return check_result();
}
