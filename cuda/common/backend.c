/* Choice of a backend.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "backend.h"

#ifdef DS_HAVE_CUDA
#include "../gpu/usable.h"
#endif

ds_status ds_backend_choose(ds_backend wanted, int *cuda, ds_error *no_gpu, ds_error *err)
{
  ds_succeed(no_gpu);
  *cuda = 0;
  if ((int) wanted < DS_BACKEND_AUTO || wanted > DS_BACKEND_CUDA)
    return ds_fail(err, DS_ERR_ARGUMENT, "backend %d; allowed: %d (auto), %d (host) and %d (cuda)",
                   (int) wanted, DS_BACKEND_AUTO, DS_BACKEND_HOST, DS_BACKEND_CUDA);
  if (wanted == DS_BACKEND_HOST) return ds_succeed(err);
#ifdef DS_HAVE_CUDA
  const ds_status usable = ds_gpu_usable(no_gpu);
#else
  const ds_status usable = ds_fail(no_gpu, DS_ERR_NO_GPU, "this build has no CUDA code");
#endif
  *cuda = usable == DS_OK;
  if (usable == DS_OK || wanted == DS_BACKEND_AUTO) return ds_succeed(err);
  return ds_fail(err, usable, "backend cuda: %s; allowed: auto, host", no_gpu->text);
}
