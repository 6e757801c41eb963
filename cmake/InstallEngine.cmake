# The engine for programs that are not LAMMPS: static and shared libraries, headers, find_package(dpdsop), pkg-config.
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Targets of find_package(dpdsop): dpdsop::engine and dpdsop::rng, shared, for C and C++. With COMPONENTS static also
# dpdsop::engine_static and dpdsop::rng_static, which need C++ among the languages of the project, OpenMP and, with CUDA,
# the CUDA toolkit.

if(NOT DS_ENGINE_LIBRARY OR DS_SANITIZE)
  return()
endif()
include(CMakePackageConfigHelpers)
find_package(OpenMP REQUIRED COMPONENTS C CXX)

set(DS_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/dpdsop")
set(DS_ABI ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}) # until version 1 a minor version may change the interface

# A shared library of what the static one `target` has, as dpdsop::NAME.
function(ds_add_shared target name)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/cmake/empty.c" CONTENT "typedef int nothing;\n")
  add_library(${target}_shared SHARED "${PROJECT_BINARY_DIR}/cmake/empty.c")
  add_dependencies(${target}_shared ${target})
  target_link_libraries(${target}_shared PRIVATE
    "-Wl,--whole-archive,$<TARGET_FILE:${target}>,--no-whole-archive" ${ARGN} OpenMP::OpenMP_C OpenMP::OpenMP_CXX m
    INTERFACE dpdsop_rounding)
  target_link_options(${target}_shared PRIVATE LINKER:-z,defs)
  target_include_directories(${target}_shared INTERFACE $<INSTALL_INTERFACE:include>)
  set_target_properties(${target}_shared PROPERTIES OUTPUT_NAME ${target} EXPORT_NAME ${name} LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${DS_ABI} INSTALL_RPATH "\$ORIGIN" LINK_DEPENDS "$<TARGET_FILE:${target}>")
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name}_static)
endfunction()

set(DS_RUNTIME "")
if(DS_HAVE_CUDA)
  find_package(CUDAToolkit REQUIRED)
  set(DS_RUNTIME CUDA::${DS_CUDART})
endif()
ds_add_shared(dpdsop_engine engine ${DS_RUNTIME})
ds_add_shared(dpdsop_rng rng ${DS_RUNTIME})
target_link_libraries(dpdsop_rng_shared PUBLIC dpdsop_engine_shared)

# ---- libraries and headers
install(TARGETS dpdsop_engine_shared dpdsop_rng_shared dpdsop_rounding EXPORT dpdsop COMPONENT engine)
install(TARGETS dpdsop_engine dpdsop_rng dpdsop_options EXPORT dpdsop_static COMPONENT engine)
install(DIRECTORY cuda/include/dpdsop TYPE INCLUDE COMPONENT engine FILES_MATCHING PATTERN "*.h")

# ---- find_package
install(EXPORT dpdsop NAMESPACE dpdsop:: FILE dpdsopShared.cmake DESTINATION "${DS_CMAKE_DIR}" COMPONENT engine)
install(EXPORT dpdsop_static NAMESPACE dpdsop:: FILE dpdsopStatic.cmake DESTINATION "${DS_CMAKE_DIR}" COMPONENT engine)
configure_package_config_file(cmake/dpdsopConfig.cmake.in "${PROJECT_BINARY_DIR}/cmake/dpdsopConfig.cmake"
  INSTALL_DESTINATION "${DS_CMAKE_DIR}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cmake/dpdsopConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/cmake/dpdsopConfig.cmake" "${PROJECT_BINARY_DIR}/cmake/dpdsopConfigVersion.cmake"
  DESTINATION "${DS_CMAKE_DIR}" COMPONENT engine)

# ---- pkg-config; the prefix is where the files lie
file(RELATIVE_PATH DS_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
set(DS_PC_PRIVATE "-fopenmp -lstdc++ -lm")
if(DS_HAVE_CUDA)
  string(APPEND DS_PC_PRIVATE " -L${CUDAToolkit_LIBRARY_DIR} -l${DS_CUDART} -ldl -lrt -lpthread")
endif()
foreach(name dpdsop dpdsop_rng)
  configure_file(cmake/${name}.pc.in "${PROJECT_BINARY_DIR}/cmake/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/cmake/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT engine)
endforeach()
