# SPDX-License-Identifier: Apache-2.0
# Built when scripts/synth asks for it; in testbenches/ of the build folder, where the script looks for it.
add_executable(flitcast-controller-clocks EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/main.cpp)
target_link_libraries(flitcast-controller-clocks PRIVATE flitcast_clos flitcast_options)
