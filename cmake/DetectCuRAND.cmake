# Sets DS_HAVE_CURAND where cuRAND is installed with its header: then CUDA::curand can be linked. Tests and benchmarks
# compare with it; nothing that is installed uses it.
# SPDX-License-Identifier: GPL-2.0-or-later
set(DS_HAVE_CURAND OFF)
if(DS_HAVE_CUDA)
  find_package(CUDAToolkit REQUIRED)
  find_path(DS_CURAND_INCLUDE curand_kernel.h HINTS ${CUDAToolkit_INCLUDE_DIRS} NO_DEFAULT_PATH)
  mark_as_advanced(DS_CURAND_INCLUDE)
  if(DS_CURAND_INCLUDE AND TARGET CUDA::curand)
    set(DS_HAVE_CURAND ON)
  else()
    message(STATUS "cuRAND not found: no comparisons with it")
  endif()
endif()
