# SPDX-License-Identifier: Apache-2.0
# Protozero has only headers, and Debian's libprotozero-dev ships no CMake package. Offers Protozero::protozero.
find_path(Protozero_INCLUDE_DIR protozero/pbf_reader.hpp)
mark_as_advanced(Protozero_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Protozero REQUIRED_VARS Protozero_INCLUDE_DIR)
if(Protozero_FOUND AND NOT TARGET Protozero::protozero)
  add_library(Protozero::protozero INTERFACE IMPORTED)
  set_target_properties(Protozero::protozero PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${Protozero_INCLUDE_DIR})
endif()
