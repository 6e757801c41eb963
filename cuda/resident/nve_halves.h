/* Launches with nothing but halves of steps of fix nve, which every fluid has in every step: one division a particle, and no
   operation is looked up. Forces of bonds are added before them.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RESIDENT_NVE_HALVES_H
#define DPDSOP_RESIDENT_NVE_HALVES_H

#include "step_particle.h"

#include <string.h>

typedef struct {
  double dt, half, trigger2;
  int32_t group[2][DS_LAUNCH_OPERATIONS]; /* of second halves of a step, then of first halves */
  int n[2];
  int clear, check;
} ds_nve_halves;

/* 0: these are not halves of one time step, second ones before first ones. Without any they are. */
static inline int ds_take_halves(const ds_step_launch *l, ds_nve_halves *m)
{
  memset(m, 0, sizeof *m);
  m->trigger2 = l->trigger2;
  m->clear = l->clear;
  m->check = l->check;
  for (int k = 0; k < l->n; k++) {
    const ds_operation *const o = &l->operation[k];
    const int first = o->kind == DS_NVE_INITIAL;
    if (!l->is_plain || (!first && m->n[1])) return 0;
    if (k && (o->number[0] != m->dt || o->number[1] != m->half)) return 0;
    m->dt = o->number[0];
    m->half = o->number[1];
    m->group[first][m->n[first]++] = o->group;
  }
  return 1;
}

/* What they do with particle i, which has this force: x[], v[] before and after. */
DS_FUNC void ds_make_halves(const ds_resident_view *a, const ds_nve_halves *m, int i, const double f[3], double x[3],
                            double v[3])
{
  const int32_t mask = a->mask[i];
  const double half_by_mass = m->half / (a->rmass ? a->rmass[i] : a->mass[a->type[i]]);
  for (int first = 0; first < 2; first++)
    for (int k = 0; k < m->n[first]; k++)
      if (mask & m->group[first][k]) ds_half_step(m->dt, half_by_mass, first, x, v, f);
}

#endif
