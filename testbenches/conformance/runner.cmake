# SPDX-License-Identifier: Apache-2.0
# The conformance runner; its tests are in CMakeLists.txt.
set(here ${CMAKE_CURRENT_LIST_DIR})

add_library(flitcast_conformance STATIC ${here}/cdg_rows.cpp
                                        ${here}/clos_bound_rows.cpp
                                        ${here}/clos_controller_rows.cpp
                                        ${here}/clos_crosspoint_rows.cpp
                                        ${here}/clos_join_leave_rows.cpp
                                        ${here}/clos_lemma1_rows.cpp
                                        ${here}/clos_minimum_rows.cpp
                                        ${here}/clos_params.cpp
                                        ${here}/clos_strategy_rows.cpp
                                        ${here}/clos_traffic_rows.cpp
                                        ${here}/collective_instance.cpp
                                        ${here}/collective_network_rows.cpp
                                        ${here}/collective_rows.cpp
                                        ${here}/controllers_rtl.cpp
                                        ${here}/curve_point.cpp ${here}/curves.cpp
                                        ${here}/fat_tree_rows.cpp ${here}/formats.cpp ${here}/multicast_rows.cpp ${here}/named_network.cpp
                                        ${here}/normative.cpp
                                        ${here}/permutation_instance.cpp
                                        ${here}/permutation_play.cpp
                                        ${here}/permutation_rows.cpp
                                        ${here}/rank_rows.cpp
                                        ${here}/reference_routings.cpp
                                        ${here}/runner.cpp ${here}/table.cpp ${here}/text.cpp)
target_include_directories(flitcast_conformance PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(flitcast_conformance PUBLIC flitcast_clos_instruments flitcast_collective flitcast_permutation
                      PRIVATE flitcast_collective_network flitcast_sim fmt::fmt flitcast_options)
# The level rtl calls Verilator when a row needs it: nothing of it takes part in this build.
set_source_files_properties(${here}/controllers_rtl.cpp ${here}/curve_point.cpp PROPERTIES
  COMPILE_DEFINITIONS "FLITCAST_CONFORMANCE_FOLDER=\"${here}\";FLITCAST_RTL_CACHE=\"${PROJECT_BINARY_DIR}/rtl\"")

# In testbenches/ of the build folder, where scripts look for it.
add_executable(flitcast-conform ${here}/main.cpp)
target_link_libraries(flitcast-conform PRIVATE flitcast_conformance flitcast_systemc_main
                                               flitcast_options CLI11::CLI11 SystemC::systemc)
