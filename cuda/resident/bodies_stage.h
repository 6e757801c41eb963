/* What one rigid body does in a launch, on either backend.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RESIDENT_BODIES_STAGE_H
#define DPDSOP_RESIDENT_BODIES_STAGE_H

#include "bodies.h"
#include "dpdsop/device/step/rigid_body.h"

DS_FUNC void ds_move_body(const ds_body_launch *m, int k)
{
  ds_body *const b = m->body + k;
  if (m->ends) ds_end_body_step(&m->end, m->step, k, m->sums + (size_t) DS_BODY_SUMS * (size_t) k, b);
  if (m->begins) ds_begin_body_step(&m->begin, &m->box, b);
}

#endif
