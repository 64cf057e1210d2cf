# SPDX-License-Identifier: Apache-2.0
# flitcast_verilate(NAME rr_arbiter_5 TOP rr_arbiter [FILE some_tb.sv] [PARAMETERS NumReq=5 ...])
#
# A static library NAME with the Verilated model of the module TOP, as the C++ class V<NAME>. TOP is in FILE of the
# current folder, or in rtl/ if there is none. Modules that TOP instantiates are found in rtl/ by their names.
# Assertions of the RTL are on, and stop the program.
function(flitcast_verilate)
  cmake_parse_arguments(arg "" "NAME;TOP;FILE" "PARAMETERS" ${ARGN})
  list(TRANSFORM arg_PARAMETERS PREPEND -G)
  set(rtl ${PROJECT_SOURCE_DIR}/rtl)
  set(top_file ${rtl}/${arg_TOP}.sv)
  if(arg_FILE)
    set(top_file ${CMAKE_CURRENT_SOURCE_DIR}/${arg_FILE})
  endif()
  add_library(${arg_NAME} STATIC)
  verilate(
    ${arg_NAME}
    PREFIX V${arg_NAME}
    TOP_MODULE ${arg_TOP}
    SOURCES ${rtl}/lint.vlt ${top_file}
    VERILATOR_ARGS -Wall --assert -y ${rtl} ${arg_PARAMETERS})
  # Verilator's headers do not keep to the warnings of this project.
  set_target_properties(${arg_NAME} PROPERTIES SYSTEM ON)
endfunction()
