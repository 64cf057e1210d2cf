# SPDX-License-Identifier: Apache-2.0
# What scripts/verify-controller drives a controller with; it knows nothing of Verilator. Its tests are in
# CMakeLists.txt.
set(here ${CMAKE_CURRENT_LIST_DIR})

add_library(flitcast_verify_controller STATIC ${here}/clock_formula.cpp ${here}/coverage.cpp ${here}/diagnosis.cpp
                                              ${here}/files.cpp ${here}/golden.cpp ${here}/monitor.cpp ${here}/player.cpp
                                              ${here}/report.cpp ${here}/scenario.cpp ${here}/shrink.cpp
                                              ${here}/stimuli.cpp ${here}/verify.cpp
                                              ${PROJECT_SOURCE_DIR}/sim/host/output_file.cpp)
target_include_directories(flitcast_verify_controller PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}
                                                             PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(flitcast_verify_controller PUBLIC flitcast_clos
                                                 PRIVATE fmt::fmt nlohmann_json::nlohmann_json flitcast_options)

# In testbenches/ of the build folder, where the script looks for it.
add_executable(flitcast-verify-controller ${here}/main.cpp ${here}/plugin_loader.cpp)
target_link_libraries(flitcast-verify-controller PRIVATE flitcast_verify_controller flitcast_options CLI11::CLI11
                                                         ${CMAKE_DL_LIBS})
