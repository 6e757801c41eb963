/* test_engine_misuse.c: what a caller can do wrong with the pair, the resident and the generators' interface, and what
   only looks wrong: an error that names it, never a crash, never a wrong answer without a word. Of most use under
   sanitizers.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_misuse cuda" makes the same checks on the GPU. */
#include <stdlib.h>
#include <string.h>

#include "support/atoms_of_caller.h"
#include "support/errors.h"
#include "dpdsop/rng.h"

/* The name of a code path is the caller's memory, and may be gone when the object is used. */
static void test_name_of_code_path(void)
{
  for (int k = 0; k < variants.n; k++) {
    char name[16] = "base";
    ds_pair_options o = variants.options[k];
    ds_error err;
    ds_resident *r = NULL;
    ds_pair *p = NULL;
    o.isa = name;
    if (!CHECK_OK(ds_pair_open(&p, &o, &err), err)) continue;
    strcpy(name, "gone");
    if (CHECK_OK(ds_resident_open(&r, p, 0, &err), err)) ds_resident_close(r);
    if (o.backend != DS_BACKEND_CUDA) CHECK(strcmp(ds_pair_get_info(p).variant, "base") == 0);
    ds_pair_close(p);
  }
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  small_system();
  test_name_of_code_path();
  system_close(&atoms_system);
  return check_result();
}
