# Sets DS_HAVE_CUDA and enables the language CUDA, as DS_CUDA asks; and DS_CUDART, the name of the CUDA runtime to link.
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Included, not a subdirectory: a language is known only in and below the folder that enables it.

set(DS_CUDA AUTO CACHE STRING "CUDA backend: AUTO (if nvcc is found), ON or OFF")
set_property(CACHE DS_CUDA PROPERTY STRINGS AUTO ON OFF)

set(DS_HAVE_CUDA OFF)
if(DS_CUDA OR DS_CUDA STREQUAL "AUTO")
  # Named by the environment, and not by CMAKE_CUDA_COMPILER: CMake then tries it, and does without if it fails.
  if(NOT CMAKE_CUDA_COMPILER)
    unset(CMAKE_CUDA_COMPILER CACHE)
    if(NOT DEFINED ENV{CUDACXX})
      execute_process(COMMAND "${CMAKE_CURRENT_LIST_DIR}/../tools/get-cuda" find OUTPUT_VARIABLE DS_NVCC
        OUTPUT_STRIP_TRAILING_WHITESPACE)
      set(ENV{CUDACXX} "${DS_NVCC}")
    endif()
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    set(CMAKE_CUDA_ARCHITECTURES "80-real;90-real;90-virtual" CACHE STRING "CUDA architectures")
  endif()
  include(CheckLanguage)
  if(CMAKE_CUDA_COMPILER OR NOT "$ENV{CUDACXX}" STREQUAL "")
    check_language(CUDA)
  endif()
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    set(DS_HAVE_CUDA ON)
  elseif(NOT DS_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "DS_CUDA=${DS_CUDA}, but no working nvcc was found: put it in PATH, set "
      "CUDACXX, or configure with -D DS_CUDA=OFF")
  endif()
endif()

# CMake's own option; targets have it without being told
if(NOT CMAKE_CUDA_RUNTIME_LIBRARY OR CMAKE_CUDA_RUNTIME_LIBRARY STREQUAL "Static")
  set(DS_CUDART cudart_static)
elseif(CMAKE_CUDA_RUNTIME_LIBRARY STREQUAL "Shared")
  set(DS_CUDART cudart)
else()
  message(FATAL_ERROR "CMAKE_CUDA_RUNTIME_LIBRARY=${CMAKE_CUDA_RUNTIME_LIBRARY}: Static (the default) or Shared")
endif()
