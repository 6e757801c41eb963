/* Checked model -> the sweeps' tables.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_PAIR_MODEL_H
#define DPDSOP_PAIR_MODEL_H

#include "../styles/style.h"
#include "tables.h"

/* A wrong value leaves the tables as they were. */
ds_status ds_tables_set(ds_sweep_tables *tables, const ds_pair_style *style,
                        const ds_pair_model *model, ds_precision precision, ds_error *err);
void ds_tables_free(ds_sweep_tables *tables);

#endif
