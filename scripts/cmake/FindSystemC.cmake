# SPDX-License-Identifier: Apache-2.0
# Debian's libsystemc-dev ships pkg-config files and no CMake package; upstream builds ship
# SystemCLanguage. Offers SystemC::systemc either way, as a system library.
find_package(SystemCLanguage CONFIG QUIET)
if(SystemCLanguage_FOUND)
  set(SystemC_FOUND TRUE)
else()
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc)
  endif()
  if(NOT SYSTEMC_FOUND AND DEFINED ENV{SYSTEMC_HOME})
    find_library(SYSTEMC_LIBRARY systemc PATHS $ENV{SYSTEMC_HOME} PATH_SUFFIXES lib lib-linux64)
    if(SYSTEMC_LIBRARY)
      add_library(SystemC::systemc UNKNOWN IMPORTED)
      set_target_properties(
        SystemC::systemc PROPERTIES IMPORTED_LOCATION ${SYSTEMC_LIBRARY}
                                    INTERFACE_INCLUDE_DIRECTORIES $ENV{SYSTEMC_HOME}/include)
      set(SYSTEMC_FOUND TRUE)
    endif()
  elseif(SYSTEMC_FOUND)
    add_library(SystemC::systemc ALIAS PkgConfig::SYSTEMC)
  endif()
  include(FindPackageHandleStandardArgs)
  find_package_handle_standard_args(
    SystemC
    REQUIRED_VARS SYSTEMC_FOUND
    REASON_FAILURE_MESSAGE
      "install libsystemc-dev (scripts/setup does) or point SYSTEMC_HOME to a C++17 build of SystemC 2.3.4")
endif()
