/* Choice of the host kernels at run time.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "isa.h"

#include <string.h>

static const char *const names[DS_ISA_COUNT] = {"base", "avx2", "avx512"};

static int supported(ds_isa isa)
{
  if (isa == DS_ISA_BASE) return 1;
#ifdef DS_HAVE_X86_VARIANTS
  __builtin_cpu_init();
  if (isa == DS_ISA_AVX2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma");
#else
  return 0;
#endif
}

ds_status ds_isa_choose(const char *name, ds_isa *isa, ds_error *err)
{
  for (int k = DS_ISA_COUNT - 1; k >= 0; k--) {
    if (name && strcmp(name, names[k]) != 0) continue;
    if (supported((ds_isa) k)) {
      *isa = (ds_isa) k;
      return ds_succeed(err);
    }
    if (name) return ds_fail(err, DS_ERR_ARGUMENT, "host code path '%s' is not supported by this processor", name);
  }
  return ds_fail(err, DS_ERR_ARGUMENT, "unknown host code path '%s'; allowed: base, avx2, avx512", name);
}

const char *ds_isa_name(ds_isa isa)
{
  return names[isa];
}
