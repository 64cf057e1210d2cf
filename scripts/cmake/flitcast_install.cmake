# SPDX-License-Identifier: Apache-2.0
# One library of all rooms for projects elsewhere: flitcast::flitcast, in the same build, installed, or by pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(flitcast_modules base config topology routing collective permutation clos router network tlm traffic stats sim)

# <flitcast/routing.h> is what a routing of one's own needs: the catalog of that room and all it names. <flitcast/fabric.h>
# is what a network in one's own SystemC needs, without the catalogs and their YAML.
set(flitcast_fabric_headers
    network/fabric/fabric.h network/fabric/views.h routing/concentrated_routing.h routing/destination_tag.h
    routing/dimension_order.h routing/dragonfly_routing.h routing/e_cube.h routing/message_classes.h
    routing/o1turn.h routing/shortest_path.h routing/tree_ascent.h topology/butterfly.h topology/complete.h
    topology/concentrated.h topology/dragonfly.h topology/fat_tree.h topology/generalised_hypercube.h
    topology/graph.h topology/grid.h topology/hypercube.h)
string(REPLACE ";" "," flitcast_fabric_headers "${flitcast_fabric_headers}")
set(flitcast_headers ${PROJECT_BINARY_DIR}/include)
foreach(header IN ITEMS fabric=${flitcast_fabric_headers}
                        topology=topology/catalog.h routing=routing/catalog.h router=network/router_entry.h
                        queue_priority=routing/queue_priority.h collective=collective/catalog.h permutation=permutation/algorithm.h
                        strategy=clos/catalog.h pins=network/pins/pins.h pattern=traffic/pattern.h injection=traffic/injection.h
                        trace_format=traffic/trace.h tlm=tlm/interconnect.h workload=sim/experiment/workload.h program=sim/program.h)
  string(REPLACE "=" ";" header ${header})
  list(GET header 0 name)
  list(GET header 1 included)
  string(REGEX REPLACE "([^,]+),?" "#include \"\\1\"\n" FLITCAST_INCLUDES "${included}")
  configure_file(${CMAKE_CURRENT_LIST_DIR}/header.h.in ${flitcast_headers}/flitcast/${name}.h @ONLY)
endforeach()

set(objects)
foreach(module IN LISTS flitcast_modules)
  get_target_property(type flitcast_${module} TYPE)
  if(type STREQUAL STATIC_LIBRARY)
    list(APPEND objects $<TARGET_OBJECTS:flitcast_${module}>)
  endif()
endforeach()
add_library(flitcast_library STATIC EXCLUDE_FROM_ALL ${objects})
add_library(flitcast::flitcast ALIAS flitcast_library)
set_target_properties(flitcast_library PROPERTIES OUTPUT_NAME flitcast EXPORT_NAME flitcast LINKER_LANGUAGE CXX)
target_compile_features(flitcast_library PUBLIC cxx_std_17)
target_include_directories(
  flitcast_library SYSTEM
  INTERFACE $<BUILD_INTERFACE:${flitcast_headers}> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/models>
            $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/flitcast/rooms>)
# Results must not depend on whether a processor has fused multiply-add, those of added entries neither.
target_compile_options(flitcast_library INTERFACE -ffp-contract=off)
# libsystemc refers to sc_main: a program without one of its own gets that of run_program().
target_link_options(flitcast_library INTERFACE LINKER:--undefined=sc_main)
target_link_libraries(flitcast_library PUBLIC SystemC::systemc nlohmann_json::nlohmann_json yaml-cpp fmt::fmt
                                              BZip2::BZip2 Threads::Threads PkgConfig::GMP)

if(NOT FLITCAST_INSTALL)
  return()
endif()
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/flitcast)
set_target_properties(flitcast_library PROPERTIES EXCLUDE_FROM_ALL OFF)
install(TARGETS flitcast_library EXPORT flitcast)
install(TARGETS flitcast)
configure_file(${CMAKE_CURRENT_LIST_DIR}/install_manual.cmake.in install_manual.cmake @ONLY)
install(SCRIPT ${CMAKE_CURRENT_BINARY_DIR}/install_manual.cmake)
install(DIRECTORY ${flitcast_headers}/flitcast/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/flitcast
        FILES_MATCHING PATTERN "*.h")
# Where rooms find each other; apart, as <tlm.h> is a header of SystemC.
install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/flitcast/rooms FILES_MATCHING PATTERN "*.h")
install(DIRECTORY sim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/flitcast/rooms FILES_MATCHING PATTERN "*.h"
        PATTERN examples EXCLUDE PATTERN expected EXCLUDE PATTERN python EXCLUDE PATTERN page EXCLUDE)
install(DIRECTORY sim/python/flitcast DESTINATION ${CMAKE_INSTALL_DATADIR}/flitcast/python FILES_MATCHING PATTERN "*.py")
set(rtl ${CMAKE_INSTALL_DATADIR}/flitcast/rtl)
install(DIRECTORY rtl/ DESTINATION ${rtl} FILES_MATCHING PATTERN "*.sv" PATTERN "*.svh" PATTERN "*.f" PATTERN "*.vlt"
        PATTERN "*.md")
install(EXPORT flitcast NAMESPACE flitcast:: DESTINATION ${package} FILE flitcastTargets.cmake)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/flitcastConfig.cmake.in flitcastConfig.cmake
                              INSTALL_DESTINATION ${package} PATH_VARS rtl)
write_basic_package_version_file(flitcastConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/flitcastConfig.cmake ${PROJECT_BINARY_DIR}/flitcastConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FindSystemC.cmake
        DESTINATION ${package})
file(RELATIVE_PATH FLITCAST_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/flitcast.pc.in flitcast.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/flitcast.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
