/* Forces begun before the ghosts have arrived, on the CUDA backend.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BEGIN_H
#define DPDSOP_BEGIN_H

#include "pair_state.h"

DS_C_BEGIN

/* Only in builds with CUDA (DS_WITH_CUDA). After a list has been queued: which blocks of its rows need no ghosts, where evaluations can be begun. */
ds_status ds_begin_find_inner(ds_pair *pair, ds_error *err);

/* ds_begin_forces is ds_pair_begin; ds_begin_finish is ds_pair_enqueue where is_open; ds_begin_give_up drops what was begun. */
ds_status ds_begin_forces(ds_pair *pair, const ds_pair_request *wanted, ds_error *err);
ds_status ds_begin_finish(ds_pair *pair, const ds_pair_request *wanted, ds_error *err);
ds_status ds_begin_give_up(ds_pair *pair, ds_error *err);

/* What is queued between these two goes on a stream of its own, and waits for nothing on the queue's stream. */
ds_status ds_begin_enter_messages(ds_pair *pair, ds_error *err);
ds_status ds_begin_leave_messages(ds_pair *pair, ds_status status, ds_error *err);
void ds_begin_close(ds_begin *b);

DS_C_END
#endif
