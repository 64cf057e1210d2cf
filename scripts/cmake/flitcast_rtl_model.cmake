# SPDX-License-Identifier: Apache-2.0
# flitcast_rtl_model(NAME rr_arbiter_5 TOP flitcast_rr_arbiter [FILE some_tb.sv] [COSIM] [PARAMETERS NumReq=5 ...])
#
# flitcast_verilate() for the tests of the RTL: with all warnings of Verilator as errors, and one runtime for all models. TOP
# is in FILE of the current folder, or in rtl/ if there is none.
#
# COSIM  For lock-step and seeded faults: registers can be found and written, and signals traced (FST).
include(flitcast_rtl)
include(flitcast_verilate)
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

function(flitcast_rtl_model)
  cmake_parse_arguments(arg "COSIM" "NAME;TOP;FILE" "PARAMETERS" ${ARGN})
  flitcast_numbered_designs(parameters ${arg_PARAMETERS})
  set(sources)
  set(options)
  if(arg_FILE)
    list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/${arg_FILE})
  endif()
  if(arg_COSIM)
    list(APPEND sources ${PROJECT_SOURCE_DIR}/testbenches/cosim/registers.vlt)
    list(APPEND options TRACE_FST)
  endif()
  if(FLITCAST_RTL_COVERAGE)
    list(APPEND options COVERAGE)
  endif()
  flitcast_verilate(TARGET ${arg_NAME} TOP ${arg_TOP} SOURCES ${sources} PARAMETERS ${parameters}
                    VERILATOR_ARGS -Wall OPTIONS ${options})
  if(NOT TARGET flitcast_verilated)
    flitcast_verilated_runtime()
  endif()
  # verilate() gives each library a runtime of its own: take that out again.
  get_target_property(sources ${arg_NAME} SOURCES)
  list(FILTER sources EXCLUDE REGEX "^${VERILATOR_ROOT}/include/")
  set_target_properties(${arg_NAME} PROPERTIES SOURCES "${sources}")
  target_link_libraries(${arg_NAME} PUBLIC flitcast_verilated)
endfunction()
