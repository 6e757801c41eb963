# What is installed beside plugin and engine: tools for proteins, their topologies, license and pages.
# SPDX-License-Identifier: GPL-2.0-or-later

set(DS_INSTALL_DATA_DIR "${CMAKE_INSTALL_DATADIR}/dpdsop" CACHE STRING "where tools and topologies are installed")
option(DS_INSTALL_COMMANDS "install the commands pdb2sop and plot-pull, as links to the tools" ON)

install(PROGRAMS tools/pdb2sop tools/plot-pull DESTINATION "${DS_INSTALL_DATA_DIR}/tools" COMPONENT tools)
install(DIRECTORY tools/sop DESTINATION "${DS_INSTALL_DATA_DIR}/tools" COMPONENT tools FILES_MATCHING PATTERN "*.py"
  PATTERN __pycache__ EXCLUDE)
install(DIRECTORY potentials DESTINATION "${DS_INSTALL_DATA_DIR}" COMPONENT tools)
if(DS_INSTALL_COMMANDS)
  file(RELATIVE_PATH DS_TOOLS_FROM_BIN "/prefix/${CMAKE_INSTALL_BINDIR}" "/prefix/${DS_INSTALL_DATA_DIR}/tools")
  foreach(command pdb2sop plot-pull) # Python finds the tool's modules beside the file that the link leads to
    install(CODE "
      set(bin \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
      file(MAKE_DIRECTORY \"\${bin}\")
      message(STATUS \"Installing: \${bin}/${command}\")
      file(CREATE_LINK \"${DS_TOOLS_FROM_BIN}/${command}\" \"\${bin}/${command}\" SYMBOLIC)" COMPONENT tools)
  endforeach()
endif()

install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT pages)
install(DIRECTORY "${PROJECT_BINARY_DIR}/doc/html" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT pages OPTIONAL)
