# SPDX-License-Identifier: Apache-2.0
# Debian packages by CPack, one for each component of flitcast_install.cmake; scripts/package makes them.
if(NOT FLITCAST_INSTALL)
  return()
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME flitcast)
set(CPACK_PACKAGE_VENDOR "The flitcast authors")
set(CPACK_PACKAGE_CONTACT "The flitcast authors <flitcast@example.org>" CACHE STRING "Maintainer of the packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/complete_packages.cmake)
set(flitcast_is "Interconnection networks of computers and chips, cycle by cycle: routers,
channels, flit buffers and crossbars in C++ and SystemC, with topologies,
routing, traffic and collective operations chosen in YAML.")

# flitcast_deb(COMPONENT NAME SUMMARY TEXT [SECTION s] [ARCHITECTURE a] [DEPENDS d] [SUGGESTS s]): the package of a component.
function(flitcast_deb component name summary text)
  cmake_parse_arguments(arg "" "SECTION;ARCHITECTURE;DEPENDS;SUGGESTS" "" ${ARGN})
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_COMPONENT_${key}_DESCRIPTION "${summary}\n${flitcast_is}\n.\n${text}" PARENT_SCOPE)
  foreach(field SECTION ARCHITECTURE DEPENDS SUGGESTS)
    set(CPACK_DEBIAN_${key}_PACKAGE_${field} ${arg_${field}} PARENT_SCOPE)
  endforeach()
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
  install(FILES ${PROJECT_SOURCE_DIR}/scripts/cmake/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name}
          COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

set(CPACK_COMPONENTS_ALL)
set(version ${PROJECT_VERSION})
flitcast_deb(program flitcast "model of interconnection networks: program" "This package has the program and its examples."
             SECTION science SUGGESTS "flitcast-doc, python3-flitcast, libflitcast-dev")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
string(CONCAT links "libsystemc-dev (>= 2.3.4), nlohmann-json3-dev (>= 3.11), libfmt-dev, libpugixml-dev, libyaml-cpp-dev, "
              "libgmp-dev, libbz2-dev")
flitcast_deb(development libflitcast-dev "model of interconnection networks: library"
             "This package has static libraries and headers, and the blocks in SystemVerilog."
             SECTION libdevel DEPENDS "${links}, libflitcast1 (= ${version})" SUGGESTS "pkg-config, cmake, verilator, iverilog")
flitcast_deb(library libflitcast1 "model of interconnection networks: shared library"
             "This package has networks for the process of their user, in C, Python and other languages." SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
flitcast_deb(python python3-flitcast "model of interconnection networks: Python package"
             "This package runs the program from Python, and reads and draws its results; with libflitcast1 it has networks in its process."
             SECTION python ARCHITECTURE all DEPENDS "python3, flitcast (>= ${version})"
             SUGGESTS "libflitcast1, libflitcast-dev, python3-numpy, python3-matplotlib, python3-pandas, jupyter-notebook")
flitcast_deb(documentation flitcast-doc "model of interconnection networks: manual"
             "This package has the manual, pages with a search that needs no network." SECTION doc ARCHITECTURE all)

install(DIRECTORY sim/python/flitcast DESTINATION lib/python3/dist-packages COMPONENT python EXCLUDE_FROM_ALL
        FILES_MATCHING PATTERN "*.py")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/manual/site/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/flitcast-doc/html
        COMPONENT documentation EXCLUDE_FROM_ALL)
include(CPack)
