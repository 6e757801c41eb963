/* device.h: device memory for the tests, plain C.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_DEVICE_H
#define DPDSOP_TEST_DEVICE_H

#include "check.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>

/* A test that cannot get or copy its data stops. */
CHECK_HELPER void device_require(cudaError_t code, const char *what)
{
  if (code == cudaSuccess) return;
  printf("%s: %s\n", what, cudaGetErrorString(code));
  exit(1);
}

/* Copy of host data; never NULL. cudaMemcpy may return while pageable memory is still on its way, and a stream that
   does not wait for the default one, as the engine's own, would read too early. */
CHECK_HELPER void *device_copy(const void *data, size_t bytes)
{
  void *p = NULL;
  device_require(cudaMalloc(&p, bytes + 1), "device memory of a test");
  if (bytes)
    device_require(cudaMemcpy(p, data, bytes, cudaMemcpyHostToDevice), "copy to the device");
  device_require(cudaDeviceSynchronize(), "copy to the device");
  return p;
}

CHECK_HELPER void device_read(void *to, const void *from, size_t bytes)
{
  device_require(cudaDeviceSynchronize(), "waiting for the device");
  if (bytes)
    device_require(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copy from the device");
}

CHECK_HELPER void device_free(void *p)
{
  device_require(cudaFree(p), "freeing device memory");
}

#endif
