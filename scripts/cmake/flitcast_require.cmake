# SPDX-License-Identifier: Apache-2.0
# flitcast_require(PACKAGE [VERSION...] DEBIAN debian-package)
# find_package; if the package is missing, the error names the Debian package to install.
macro(flitcast_require package)
  cmake_parse_arguments(flitcast_require "" "DEBIAN" "" ${ARGN})
  find_package(${package} ${flitcast_require_UNPARSED_ARGUMENTS} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} ${flitcast_require_UNPARSED_ARGUMENTS} was not found. "
                        "Run scripts/setup, or install ${flitcast_require_DEBIAN} by hand.")
  endif()
endmacro()
