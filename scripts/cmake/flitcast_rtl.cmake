# SPDX-License-Identifier: Apache-2.0
# Reads rtl/: the files of modules, and the designs of the Clos controller.

# flitcast_rtl_file(VARIABLE MODULE): the file of a module, in one of the folders of rtl/flitcast.f.
function(flitcast_rtl_file variable module)
  file(STRINGS ${PROJECT_SOURCE_DIR}/rtl/flitcast.f folders REGEX "^-y ")
  list(TRANSFORM folders REPLACE "^-y " ${PROJECT_SOURCE_DIR}/rtl/)
  unset(found)
  find_file(found ${module}.sv PATHS ${folders} NO_DEFAULT_PATH NO_CACHE REQUIRED)
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# flitcast_clos_designs(VARIABLE): the names of the designs; the index of a name in the list is its parameter Design.
function(flitcast_clos_designs variable)
  set(registry ${PROJECT_SOURCE_DIR}/rtl/clos_search/flitcast_clos_search.sv)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${registry})
  file(STRINGS ${registry} designs REGEX "Design == [0-9]+")
  list(TRANSFORM designs REPLACE ".* begin : gen_" "")
  set(${variable} ${designs} PARENT_SCOPE)
endfunction()

# flitcast_numbered_designs(VARIABLE NAME=VALUE...): the same with the number of the Design, which may be given by name.
function(flitcast_numbered_designs variable)
  flitcast_clos_designs(designs)
  set(parameters)
  foreach(parameter IN LISTS ARGN)
    if(parameter MATCHES "^Design=([a-z].*)")
      list(FIND designs ${CMAKE_MATCH_1} number)
      set(parameter Design=${number})
    endif()
    list(APPEND parameters ${parameter})
  endforeach()
  set(${variable} ${parameters} PARENT_SCOPE)
endfunction()
