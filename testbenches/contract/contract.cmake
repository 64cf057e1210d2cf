# SPDX-License-Identifier: Apache-2.0
# The contract of every entry of every catalog, as a library: flitcast_contract, Catch2 test cases that loop over the
# catalogs, with a main of their own. A program that links it may add entries before main. Needs the installed package.
get_filename_component(testbenches ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
find_package(Catch2 REQUIRED)
add_library(flitcast_contract OBJECT
  ${testbenches}/clos/strategies/problem.cpp
  ${testbenches}/clos/strategies/strategies_test.cpp
  ${testbenches}/collective/catalog_test.cpp
  ${testbenches}/network/contract_test.cpp
  ${testbenches}/network/networks.cpp
  ${testbenches}/routing/contract_test.cpp
  ${testbenches}/routing/queue_priority_test.cpp
  ${testbenches}/sim/folder.cpp
  ${testbenches}/sim/workload_test.cpp
  ${testbenches}/support/fresh_kernel.cpp
  ${testbenches}/support/systemc_main.cpp
  ${testbenches}/support/test_main.cpp
  ${testbenches}/topology/contract_test.cpp
  ${testbenches}/topology/examples.cpp
  ${testbenches}/traffic/contract_test.cpp)
# Its macro changes what the header of Catch2 declares, so it stands at the begin of a source.
set_source_files_properties(${testbenches}/support/test_main.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_include_directories(flitcast_contract PRIVATE ${testbenches})
# They include headers as sources of flitcast do, without its prefix.
target_compile_options(flitcast_contract PRIVATE -iquote ${flitcast_INCLUDE_DIR}/flitcast)
target_compile_definitions(flitcast_contract PRIVATE FLITCAST_TOPOLOGY_EXAMPLES="${testbenches}/topology")
target_link_libraries(flitcast_contract PUBLIC flitcast::flitcast Catch2::Catch2)
