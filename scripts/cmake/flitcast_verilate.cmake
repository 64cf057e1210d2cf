# SPDX-License-Identifier: Apache-2.0
# flitcast_verilate(NAME rr_arbiter_5 TOP flitcast_rr_arbiter [FILE some_tb.sv] [COSIM] [PARAMETERS NumReq=5 ...])
#
# A static library NAME with the Verilated model of the module TOP, as the C++ class V<NAME>. TOP is in FILE of the
# current folder, or in rtl/ if there is none. Modules that TOP instantiates are found by their names.
# Assertions of the RTL are on, and stop the program.
#
# COSIM  For lock-step and seeded faults: registers can be found and written, and signals traced (FST).
include(flitcast_rtl)
option(FLITCAST_RTL_COVERAGE "Count which lines and bits of the RTL its tests exercise" OFF)

# The runtime of Verilator for all models, compiled once. Models are linked before it.
function(flitcast_verilated_runtime)
  set(include ${VERILATOR_ROOT}/include)
  flitcast_require(ZLIB DEBIAN zlib1g-dev)
  add_library(flitcast_verilated STATIC ${include}/verilated.cpp ${include}/verilated_threads.cpp
                                        ${include}/verilated_cov.cpp ${include}/verilated_fst_c.cpp)
  target_include_directories(flitcast_verilated SYSTEM PUBLIC ${include} ${include}/vltstd)
  target_link_libraries(flitcast_verilated PUBLIC Threads::Threads ZLIB::ZLIB)
  target_compile_definitions(flitcast_verilated INTERFACE $<$<BOOL:${FLITCAST_RTL_COVERAGE}>:FLITCAST_RTL_COVERAGE>)
endfunction()

function(flitcast_verilate)
  cmake_parse_arguments(arg "COSIM" "NAME;TOP;FILE" "PARAMETERS" ${ARGN})
  flitcast_rtl_parameters(parameters ${arg_PARAMETERS})
  set(rtl ${PROJECT_SOURCE_DIR}/rtl)
  if(arg_FILE)
    set(top_file ${CMAKE_CURRENT_SOURCE_DIR}/${arg_FILE})
  else()
    flitcast_rtl_file(top_file ${arg_TOP})
  endif()
  set(settings ${rtl}/lint.vlt)
  set(options)
  if(arg_COSIM)
    list(APPEND settings ${PROJECT_SOURCE_DIR}/testbenches/cosim/registers.vlt)
    list(APPEND options TRACE_FST)
  endif()
  if(FLITCAST_RTL_COVERAGE)
    list(APPEND options COVERAGE)
  endif()
  add_library(${arg_NAME} STATIC)
  verilate(
    ${arg_NAME} ${options}
    PREFIX V${arg_NAME}
    TOP_MODULE ${arg_TOP}
    SOURCES ${settings} ${top_file}
    VERILATOR_ARGS -Wall --assert -F ${rtl}/flitcast.f ${parameters})
  if(NOT TARGET flitcast_verilated)
    flitcast_verilated_runtime()
  endif()
  # verilate() gives each library a runtime of its own: take that out again.
  get_target_property(sources ${arg_NAME} SOURCES)
  list(FILTER sources EXCLUDE REGEX "^${VERILATOR_ROOT}/include/")
  set_target_properties(${arg_NAME} PROPERTIES SOURCES "${sources}")
  target_link_libraries(${arg_NAME} PUBLIC flitcast_verilated)
  # Verilator's headers do not keep to the warnings of this project. They are most of what there is to compile: the files of
  # a model become one, in half the time.
  set_target_properties(${arg_NAME} PROPERTIES SYSTEM ON UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
endfunction()
