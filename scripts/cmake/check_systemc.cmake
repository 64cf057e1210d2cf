# SPDX-License-Identifier: Apache-2.0
# SystemC's symbols carry the C++ standard that it was built with, so with a library for another
# standard programs compile and fail to link. This check fails first, with the reason.
include(CheckCXXSourceCompiles)

set(CMAKE_REQUIRED_LIBRARIES SystemC::systemc)
check_cxx_source_compiles(
  "#include <systemc>
int sc_main(int, char*[]) { return sc_core::sc_is_running() ? 1 : 0; }"
  FLITCAST_SYSTEMC_LINKS)
unset(CMAKE_REQUIRED_LIBRARIES)

if(NOT FLITCAST_SYSTEMC_LINKS)
  # The next configuration checks again.
  unset(FLITCAST_SYSTEMC_LINKS CACHE)
  message(
    FATAL_ERROR
      "SystemC was found, but a C++${CMAKE_CXX_STANDARD} program does not link with it. flitcast needs "
      "SystemC 2.3.4 built as C++17: run scripts/setup for the system's package, or point SYSTEMC_HOME "
      "to a build made with -DCMAKE_CXX_STANDARD=17. The failed attempt is at the end of "
      "${CMAKE_BINARY_DIR}${CMAKE_FILES_DIRECTORY}.")
endif()
