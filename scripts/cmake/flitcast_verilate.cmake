# SPDX-License-Identifier: Apache-2.0
# flitcast_verilate(TARGET my_router TOP flitcast_vc_router [SOURCES my.sv my.vlt...] [PARAMETERS NumVcs=2...]
#                   [VERILATOR_ARGS -Wall...] [OPTIONS TRACE...])
#
# A static library TARGET with the Verilated model of the module TOP, as the C++ class V<TARGET> of the header V<TARGET>.h.
# TOP is in SOURCES or in the RTL of flitcast, where modules that it instantiates are found by their names, too. Assertions of
# the RTL are on, and stop the program. OPTIONS are those of verilate(). find_package(flitcast) defines this function, too.
function(flitcast_verilate)
  cmake_parse_arguments(arg "" "TARGET;TOP" "SOURCES;PARAMETERS;VERILATOR_ARGS;OPTIONS" ${ARGN})
  if(NOT arg_TARGET OR NOT arg_TOP OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "flitcast_verilate needs a TARGET and a TOP, and knows no \"${arg_UNPARSED_ARGUMENTS}\"")
  endif()
  find_package(verilator 5 QUIET HINTS $ENV{VERILATOR_ROOT})
  if(NOT verilator_FOUND)
    message(FATAL_ERROR "flitcast_verilate(TARGET ${arg_TARGET}) needs Verilator 5, which was not found. "
                        "Install it (Debian: verilator), or set VERILATOR_ROOT.")
  endif()
  set(rtl ${flitcast_RTL_DIR})
  if(NOT rtl)  # In the sources of flitcast.
    set(rtl ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../rtl)
  endif()
  list(TRANSFORM arg_PARAMETERS PREPEND -G)
  file(GLOB top ${rtl}/*/${arg_TOP}.sv)
  set(sources ${arg_SOURCES} ${top})
  if(NOT sources MATCHES "[.](v|sv)(;|$)")
    message(FATAL_ERROR "flitcast_verilate(TARGET ${arg_TARGET}): no SOURCES, and no module ${arg_TOP} in ${rtl}")
  endif()
  add_library(${arg_TARGET} STATIC)
  verilate(
    ${arg_TARGET} ${arg_OPTIONS}
    PREFIX V${arg_TARGET}
    TOP_MODULE ${arg_TOP}
    SOURCES ${rtl}/lint.vlt ${sources}
    VERILATOR_ARGS --assert -F ${rtl}/flitcast.f ${arg_PARAMETERS} ${arg_VERILATOR_ARGS})
  # Verilator's headers do not keep to the warnings of a project. They are most of what there is to compile: the files of a
  # model become one, in half the time.
  set_target_properties(${arg_TARGET} PROPERTIES SYSTEM ON UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
endfunction()
