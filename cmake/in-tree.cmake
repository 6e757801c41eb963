# Compiles the package into a LAMMPS that is built from source, changing no file of LAMMPS:
#
#   cmake -S lammps/cmake -B build -D CMAKE_PROJECT_lammps_INCLUDE=<this package>/cmake/in-tree.cmake ...
#
# SPDX-License-Identifier: GPL-2.0-or-later
#
# CMake reads this file as the last act of LAMMPS's project() command, before LAMMPS has any target. The
# headers of our styles go onto the lists from which LAMMPS writes its style_*.h; what concerns the
# targets is deferred to the end of LAMMPS's CMakeLists.txt. The engine is a project of its own in a
# subfolder: were its languages enabled here, LAMMPS would ask for the C part of its own dependencies.

include("${CMAKE_CURRENT_LIST_DIR}/LAMMPSVersion.cmake")
get_filename_component(DS_PACKAGE_DIR "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)

set(DS_GPU_PACKAGE_TEXT "LAMMPS's own GPU package also has a pair style dpd/gpu, so only one of the two can \
be compiled in: either -D PKG_GPU=off, or leave out CMAKE_PROJECT_lammps_INCLUDE and load this package as a \
plugin, which then replaces the dpd/gpu of the GPU package.")
if(PKG_GPU)
  message(FATAL_ERROR "${DS_GPU_PACKAGE_TEXT}")
endif()

file(GLOB DS_HEADERS CONFIGURE_DEPENDS "${DS_PACKAGE_DIR}/src/*.h")
if(PKG_KOKKOS)
  file(GLOB DS_KOKKOS_HEADERS CONFIGURE_DEPENDS "${DS_PACKAGE_DIR}/src/KOKKOS/*.h")
  list(APPEND DS_HEADERS ${DS_KOKKOS_HEADERS})
endif()
foreach(header IN LISTS DS_HEADERS) # those of styles say of which kind they are
  file(STRINGS "${header}" kind REGEX "^#ifdef [A-Z]+_CLASS$" LIMIT_COUNT 1)
  if(kind MATCHES "^#ifdef ([A-Z]+)_CLASS$")
    set_property(GLOBAL APPEND PROPERTY ${CMAKE_MATCH_1} "${header}")
  endif()
endforeach()

file(GLOB DS_STYLE_SOURCES CONFIGURE_DEPENDS "${DS_PACKAGE_DIR}/src/*.cpp")
if(PKG_KOKKOS)
  file(GLOB DS_KOKKOS_SOURCES CONFIGURE_DEPENDS "${DS_PACKAGE_DIR}/src/KOKKOS/*.cpp")
  list(APPEND DS_STYLE_SOURCES ${DS_KOKKOS_SOURCES})
endif()
list(FILTER DS_STYLE_SOURCES EXCLUDE REGEX "/(dpdsop)?plugin[^/]*\\.cpp$")

# of its targets those that lammps links are built, and the generators' library is not
add_subdirectory("${DS_PACKAGE_DIR}/cuda" "${CMAKE_BINARY_DIR}/dpdsop" EXCLUDE_FROM_ALL)

function(ds_add_to_lammps)
  if(PKG_GPU)  # known only now if it was switched on by a preset
    message(FATAL_ERROR "${DS_GPU_PACKAGE_TEXT}")
  endif()
  if(PKG_KOKKOS AND NOT DS_KOKKOS_SOURCES)
    message(FATAL_ERROR "LAMMPS's package KOKKOS was switched on by a preset: give -D PKG_KOKKOS=on as well, so that this "
      "package's styles for it are compiled")
  endif()
  lammps_version_number(version "${PROJECT_VERSION}")
  if(NOT version)
    message(FATAL_ERROR "LAMMPS's CMake does not say of which day LAMMPS is: ${PROJECT_VERSION}")
  endif()
  set(definitions DS_LAMMPS_VERSION=${version} $<TARGET_PROPERTY:dpdsop_engine,INTERFACE_COMPILE_DEFINITIONS>)
  set(includes "${DS_PACKAGE_DIR}/src" "${DS_PACKAGE_DIR}/src/KOKKOS"
    $<TARGET_PROPERTY:dpdsop_engine,INTERFACE_INCLUDE_DIRECTORIES>)
  # the styles: compiled with LAMMPS's options, and never with contracted products
  add_library(dpdsop_styles OBJECT ${DS_STYLE_SOURCES})
  target_include_directories(dpdsop_styles PRIVATE ${includes} $<TARGET_PROPERTY:lammps,INCLUDE_DIRECTORIES>)
  target_compile_definitions(dpdsop_styles PRIVATE ${definitions} $<TARGET_PROPERTY:lammps,COMPILE_DEFINITIONS>)
  target_compile_options(dpdsop_styles PRIVATE $<TARGET_PROPERTY:lammps,COMPILE_OPTIONS> -ffp-contract=off)
  set_target_properties(dpdsop_styles PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_sources(lammps PRIVATE $<TARGET_OBJECTS:dpdsop_styles>)
  # linked only: LAMMPS itself is not compiled with the engine's options
  add_library(dpdsop_linked INTERFACE)
  target_link_libraries(dpdsop_linked INTERFACE $<LINK_ONLY:dpdsop_engine>)
  target_link_libraries(lammps PRIVATE dpdsop_linked)
  # of LAMMPS's own files only those see the package's headers that include a list of styles: all others are compiled as
  # without it, and a compiler cache knows them
  file(GLOB sources "${LAMMPS_SOURCE_DIR}/*.cpp")
  foreach(source IN LISTS sources)
    file(STRINGS "${source}" lists REGEX "^#include \"style_(pair|fix|compute|region|integrate)\\.h\"")
    if(lists)
      set_property(SOURCE "${source}" APPEND PROPERTY INCLUDE_DIRECTORIES ${includes})
      set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_DEFINITIONS ${definitions})
    endif()
  endforeach()
  # the language CUDA is known in the engine's folder only
  set_target_properties(lammps lmp PROPERTIES LINKER_LANGUAGE CXX)
  message(STATUS "DPD/SOP package: compiled in from ${DS_PACKAGE_DIR}")
endfunction()
cmake_language(DEFER CALL ds_add_to_lammps)
