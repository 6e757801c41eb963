# Compiles LAMMPS itself in a third of the time: pointers.h, which nearly all of its files include and most of their
# time goes into, is compiled once. For the LAMMPS that the tests run (tools/get-lammps build).
#
#   cmake -S lammps/cmake -B build -D CMAKE_PROJECT_INCLUDE=<this package>/cmake/precompiled.cmake ...
#
# SPDX-License-Identifier: GPL-2.0-or-later
#
# CMake reads this file as the last act of every project() command, that of LAMMPS or of a subfolder.

if(PROJECT_NAME STREQUAL "lammps")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # for ccache to know which header was precompiled
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>")
  endif()
  cmake_language(DEFER CALL target_precompile_headers lammps PRIVATE <pointers.h>)
endif()
