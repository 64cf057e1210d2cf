# SPDX-License-Identifier: Apache-2.0
# flitcast_verilate(NAME rr_arbiter_5 TOP rr_arbiter [PARAMETERS NumReq=5 ...])
#
# A static library NAME with the Verilated model of the module TOP of rtl/, as the C++ class V<NAME>. Modules that
# TOP instantiates are found in rtl/ by their names. Assertions of the RTL are on, and stop the program.
function(flitcast_verilate)
  cmake_parse_arguments(arg "" "NAME;TOP" "PARAMETERS" ${ARGN})
  list(TRANSFORM arg_PARAMETERS PREPEND -G)
  set(rtl ${PROJECT_SOURCE_DIR}/rtl)
  add_library(${arg_NAME} STATIC)
  verilate(
    ${arg_NAME}
    PREFIX V${arg_NAME}
    TOP_MODULE ${arg_TOP}
    SOURCES ${rtl}/lint.vlt ${rtl}/${arg_TOP}.sv
    VERILATOR_ARGS -Wall --assert -y ${rtl} ${arg_PARAMETERS})
  # Verilator's headers do not keep to the warnings of this project.
  set_target_properties(${arg_NAME} PROPERTIES SYSTEM ON)
endfunction()
