# SPDX-License-Identifier: Apache-2.0
# Debian's libsystemc-dev ships pkg-config files and no CMake package; upstream builds ship
# SystemCLanguage. Offers SystemC::systemc either way, as a system library.
find_package(SystemCLanguage CONFIG QUIET)
find_package(PkgConfig QUIET)
if(NOT SystemCLanguage_FOUND AND PkgConfig_FOUND)
  pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc)
endif()

if(SystemCLanguage_FOUND)
  set(SystemC_LIBRARIES SystemC::systemc)
elseif(SYSTEMC_FOUND)
  set(SystemC_LIBRARIES PkgConfig::SYSTEMC)
  add_library(SystemC::systemc INTERFACE IMPORTED)
  target_link_libraries(SystemC::systemc INTERFACE PkgConfig::SYSTEMC)
elseif(DEFINED ENV{SYSTEMC_HOME})
  find_library(SystemC_LIBRARIES systemc PATHS $ENV{SYSTEMC_HOME} PATH_SUFFIXES lib lib-linux64)
  if(SystemC_LIBRARIES)
    add_library(SystemC::systemc UNKNOWN IMPORTED)
    set_target_properties(
      SystemC::systemc PROPERTIES IMPORTED_LOCATION ${SystemC_LIBRARIES}
                                  INTERFACE_INCLUDE_DIRECTORIES $ENV{SYSTEMC_HOME}/include)
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  SystemC
  REQUIRED_VARS SystemC_LIBRARIES
  REASON_FAILURE_MESSAGE
    "Run scripts/setup, install libsystemc-dev by hand, or point SYSTEMC_HOME to a C++17 build of SystemC 2.3.4.")
