/* test_gpu_bits.cu: the device functions give on the GPU the bits recorded in bits.h, those of test_bits.c.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "bits.h"
#include "device.h"

#define KERNEL(name, recorded)                                                                     \
  __global__ void name##_kernel(unsigned long long *sum)                                           \
  {                                                                                                \
    const uint64_t i = (uint64_t) blockIdx.x * blockDim.x + threadIdx.x;                           \
    atomicAdd(sum, (unsigned long long) ds_bits_item(i, ds_bits_##name(i)));                       \
  }
DS_BITS_LIST(KERNEL)

typedef void bits_kernel(unsigned long long *sum);

static void compare(bits_kernel *kernel, const char *name, uint64_t recorded)
{
  enum { THREADS = 256 };
  unsigned long long sum = 0, *device = (unsigned long long *) device_copy(&sum, sizeof sum);
  kernel<<<DS_BITS_COUNT / THREADS, THREADS>>>(device);
  device_require(cudaGetLastError(), name);
  device_read(&sum, device, sizeof sum);
  device_free(device);
  CHECK_MSG(sum == recorded, "%s on the GPU: sum is 0x%016llXu, recorded 0x%016llXu", name, sum,
            (unsigned long long) recorded);
  printf("  %s on the GPU: %u results\n", name, DS_BITS_COUNT);
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  int count = 0;
  if (!check_lists && (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)) {
    printf("skipped: no GPU\n");
    return 77;
  }
#define COMPARE(name, recorded) CHECK_CASE(compare(name##_kernel, #name, recorded));
  DS_BITS_LIST(COMPARE)
  return check_result();
}
