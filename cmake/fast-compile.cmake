# For what the tests run (tools/get-lammps build, tools/quickstart test), compiles LAMMPS itself in a third of the time, and
# this package's files for LAMMPS in a fourth. LAMMPS's pointers.h, which nearly all files include and most of their time goes
# into, is compiled once, and the package's files are compiled several at a time.
#
#   cmake -S lammps/cmake -B build -D CMAKE_PROJECT_INCLUDE=<this package>/cmake/fast-compile.cmake ...
#
# SPDX-License-Identifier: GPL-2.0-or-later
#
# CMake reads this file as the last act of every project() command, that of LAMMPS or of a subfolder.

function(ds_speed_up)
  foreach(target IN LISTS ARGN)
    if(NOT TARGET ${target})
      continue()
    endif()
    target_precompile_headers(${target} PRIVATE <pointers.h>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # for ccache to know which header was precompiled
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>")
    endif()
    if(NOT target STREQUAL "lammps") # whose files have names in common
      get_target_property(sources ${target} SOURCES)
      list(FILTER sources INCLUDE REGEX "/KOKKOS/") # each of them takes long enough alone
      set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 18)
    endif()
  endforeach()
endfunction()

# after all other deferred calls, as one of them adds dpdsop_styles (in-tree.cmake); what is deferred is expanded when it is called
function(ds_speed_up_last)
  cmake_language(EVAL CODE "cmake_language(DEFER CALL ds_speed_up ${ARGN})")
endfunction()

if(PROJECT_NAME STREQUAL "lammps")
  cmake_language(DEFER CALL ds_speed_up_last lammps dpdsop_styles)
elseif(PROJECT_NAME STREQUAL "dpdsop")
  cmake_language(DEFER CALL ds_speed_up_last dpdsopplugin dpdsopplugin_tree)
endif()
