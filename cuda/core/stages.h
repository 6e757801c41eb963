/* Stages of a step, whose time can be measured.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_CORE_STAGES_H
#define DPDSOP_CORE_STAGES_H

typedef enum {
  DS_STAGE_COPY_IN = 0,
  DS_STAGE_MESSAGES,
  DS_STAGE_SORT,
  DS_STAGE_CELLS,
  DS_STAGE_GATHER,
  DS_STAGE_BUILD_LIST,
  DS_STAGE_FINISH_LIST,
  DS_STAGE_FORCES,
  DS_STAGE_COPY_OUT,
  DS_STAGE_BONDS,
  DS_STAGE_MOTION,
  DS_STAGE_WRAP,
  DS_STAGES
} ds_stage;

extern const char *const ds_stage_names[DS_STAGES];

#endif
