# Sets DS_HAVE_CUDA and enables the language CUDA, as DS_CUDA asks.
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Included, not a subdirectory: a language is known only in and below the folder that enables it.

set(DS_CUDA AUTO CACHE STRING "CUDA backend: AUTO (if nvcc is found), ON or OFF")
set_property(CACHE DS_CUDA PROPERTY STRINGS AUTO ON OFF)

set(DS_HAVE_CUDA OFF)
if(DS_CUDA OR DS_CUDA STREQUAL "AUTO")
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(DS_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda
      PATH_SUFFIXES bin)
    mark_as_advanced(DS_NVCC)
    if(DS_NVCC)
      set(CMAKE_CUDA_COMPILER "${DS_NVCC}" CACHE FILEPATH "CUDA compiler")
    endif()
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "80-real;90-real;90-virtual" CACHE STRING "CUDA architectures")
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    set(DS_HAVE_CUDA ON)
  elseif(NOT DS_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "DS_CUDA=${DS_CUDA}, but no working nvcc was found: put it in PATH, set "
      "CUDACXX, or configure with -D DS_CUDA=OFF")
  endif()
endif()
