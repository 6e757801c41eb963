/* errors.h: a small system for checks of statuses and texts. After check.h.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_ERRORS_H
#define DPDSOP_TEST_ERRORS_H

#include "support/engine.h"
#include "support/expect.h"

static test_variants variants;
static const double lo[3] = {0, 0, 0}, h[6] = {5, 6, 7, 0, 0, 0};
static const int all_periodic[3] = {1, 1, 1};

CHECK_HELPER ds_pair *fresh(int variant, ds_precision precision)
{
  ds_pair *dpd = NULL;
  ds_error err;
  ds_pair_options o = variants.options[variant];
  o.precision = precision;
  CHECK_OK(ds_pair_open(&dpd, &o, &err), err);
  return dpd;
}

/* 500 atoms of two types, tags from 1001. */
static test_model model;
static test_system atoms_system;

CHECK_HELPER void small_system(void)
{
  uint64_t seed = 400;
  model_open(&model, 2, 25, 4.5, 1.0, 1.0, 0.3);
  system_open(&atoms_system, lo, h, all_periodic, 1.3, 0.3);
  system_fill(&atoms_system, 500, 2, 1.0, &seed);
  system_shift_tags(&atoms_system, 1000);
  system_images(&atoms_system);
}

/* An engine with model and box, ready for the atoms. */
CHECK_HELPER ds_pair *with_box(int variant, ds_precision precision)
{
  ds_error err;
  ds_pair *dpd = fresh(variant, precision);
  CHECK_OK(ds_pair_set_model(dpd, &model.m, &err), err);
  CHECK_OK(ds_pair_set_box(dpd, &atoms_system.box, &err), err);
  return dpd;
}

#endif
