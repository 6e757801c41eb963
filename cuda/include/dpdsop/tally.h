/* Energies and virials of atoms where terms of bonds to impropers act on the caller's copies of atoms, too, and are shared
   (ds_bonded): what is tallied of a copy is its owner's. Sums are integers, so that their order moves no bit.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TALLY_H
#define DPDSOP_TALLY_H

#include "dpdsop/resident.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { DS_TALLY_SUMS = 7 }; /* of an atom and a kind of terms: energy, virial xx yy zz xy xz yz */

/* In a step that the caller makes in parts, for each kind of which something is due (ds_step_tallies), behind the forces of the
   step: sums of the copies, DS_TALLY_SUMS of each, into host memory. The caller adds them up at their owners, maybe on other
   processes, and gives what this process's own atoms have got, as many sums of each: then the engine has their values. Both
   wait. */
ds_status ds_resident_sums_of_copies(ds_resident *resident, int64_t step, ds_bonded_kind kind, ds_exact_sum *sums,
                                     ds_error *err);
ds_status ds_resident_tally_with(ds_resident *resident, int64_t step, ds_bonded_kind kind, const ds_exact_sum *sums,
                                 ds_error *err);

#ifdef __cplusplus
}
#endif
#endif
