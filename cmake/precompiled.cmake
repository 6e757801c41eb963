# Compiles LAMMPS itself in a third of the time, and the plugins in two thirds: LAMMPS's pointers.h, which nearly all of
# their files include and most of their time goes into, is compiled once. For what the tests run (tools/get-lammps build,
# tools/quickstart test).
#
#   cmake -S lammps/cmake -B build -D CMAKE_PROJECT_INCLUDE=<this package>/cmake/precompiled.cmake ...
#
# SPDX-License-Identifier: GPL-2.0-or-later
#
# CMake reads this file as the last act of every project() command, that of LAMMPS or of a subfolder.

function(ds_precompile)
  foreach(target IN LISTS ARGN)
    if(TARGET ${target})
      target_precompile_headers(${target} PRIVATE <pointers.h>)
      if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # for ccache to know which header was precompiled
        target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>")
      endif()
    endif()
  endforeach()
endfunction()

if(PROJECT_NAME STREQUAL "lammps")
  cmake_language(DEFER CALL ds_precompile lammps)
elseif(PROJECT_NAME STREQUAL "dpdsop")
  cmake_language(DEFER CALL ds_precompile dpdsopplugin dpdsopplugin_tree)
endif()
