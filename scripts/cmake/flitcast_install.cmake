# SPDX-License-Identifier: Apache-2.0
# For projects elsewhere, in the same build, installed, or by pkg-config: the public headers, the component libraries
# flitcast::fabric, flitcast::tlm and flitcast::program, each with those before it, and flitcast::flitcast for all; the
# shared library flitcast::c with its header, which needs none of them; the function flitcast_verilate().
include(GNUInstallDirs)
include(flitcast_verilate)
include(CMakePackageConfigHelpers)

# The headers as users see them: models/network/network.h is <flitcast/network/network.h>, models/include/flitcast/fabric.h
# is <flitcast/fabric.h>. They are written while the project is built, so that an edited header takes no configuration.
set(flitcast_include ${PROJECT_BINARY_DIR}/include)
set(modules base config topology routing collective permutation clos router network tlm traffic stats sim)
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS models/*.h sim/*.h)
list(FILTER headers EXCLUDE REGEX "^sim/library/")
list(TRANSFORM headers REPLACE "^models/(include/flitcast/)?" "" OUTPUT_VARIABLE written)
list(TRANSFORM written PREPEND ${flitcast_include}/flitcast/)
list(TRANSFORM headers PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE sources)
list(JOIN headers ":" listed_headers)
list(JOIN modules ":" listed_modules)
set(write_headers ${CMAKE_CURRENT_LIST_DIR}/public_headers.cmake)
set(stamp ${PROJECT_BINARY_DIR}/public_headers.stamp)
add_custom_command(
  OUTPUT ${stamp}
  BYPRODUCTS ${written}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${flitcast_include} -DHEADERS=${listed_headers}
          -DMODULES=${listed_modules} -P ${write_headers}
  COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
  DEPENDS ${sources} ${write_headers}
  COMMENT "Writing the public headers"
  VERBATIM)
add_custom_target(flitcast_headers DEPENDS ${stamp})

file(RELATIVE_PATH FLITCAST_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(flitcast_package ${CMAKE_INSTALL_LIBDIR}/cmake/flitcast)

# flitcast_component(fabric MODULES base topology... LINKS fmt::fmt... PC flitcast-fabric REQUIRES fmt... LIBS -pthread...)
# The static library flitcast::fabric of these modules, in the same build, installed, or by pkg-config as PC; links the
# libraries LINKS, which pkg-config knows as REQUIRES and LIBS.
function(flitcast_component name)
  cmake_parse_arguments(arg "" "PC" "MODULES;LINKS;REQUIRES;LIBS" ${ARGN})
  set(objects)
  foreach(module IN LISTS arg_MODULES)
    list(APPEND objects $<TARGET_OBJECTS:flitcast_${module}>)
  endforeach()
  set(library flitcast_${name}_component)
  add_library(${library} STATIC EXCLUDE_FROM_ALL ${objects})
  add_library(flitcast::${name} ALIAS ${library})
  add_dependencies(${library} flitcast_headers)
  set_target_properties(${library} PROPERTIES OUTPUT_NAME flitcast-${name} EXPORT_NAME ${name} LINKER_LANGUAGE CXX)
  target_compile_features(${library} PUBLIC cxx_std_17)
  target_include_directories(${library} SYSTEM INTERFACE $<BUILD_INTERFACE:${flitcast_include}>
                                                         $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # Results must not depend on whether a processor has fused multiply-add, those of added entries neither.
  target_compile_options(${library} INTERFACE -ffp-contract=off)
  # The symbols of the kernel carry the standard that it was built with, as check_systemc.cmake demands: with this, programs
  # in C++20 link, too.
  target_compile_definitions(${library} INTERFACE SC_CPLUSPLUS=201703L)
  target_link_libraries(${library} PUBLIC ${arg_LINKS})
  if(NOT FLITCAST_INSTALL)
    return()
  endif()
  set_target_properties(${library} PROPERTIES EXCLUDE_FROM_ALL OFF)
  install(TARGETS ${library} EXPORT flitcast-${name} COMPONENT development)
  install(EXPORT flitcast-${name} NAMESPACE flitcast:: DESTINATION ${flitcast_package} FILE flitcast-${name}.cmake
          COMPONENT development)
  list(JOIN arg_REQUIRES " " FLITCAST_REQUIRES)
  list(JOIN arg_LIBS " " FLITCAST_LIBS)
  set(FLITCAST_NAME ${arg_PC})
  configure_file(${PROJECT_SOURCE_DIR}/scripts/cmake/flitcast.pc.in ${arg_PC}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${arg_PC}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
          COMPONENT development)
endfunction()

flitcast_component(fabric MODULES base sections topology algorithms control fabric
                   LINKS SystemC::systemc nlohmann_json::nlohmann_json fmt::fmt pugixml::pugixml Threads::Threads
                   PC flitcast-fabric REQUIRES systemc nlohmann_json fmt pugixml LIBS -lflitcast-fabric -pthread)
flitcast_component(tlm MODULES config routing collective clos network tlm LINKS flitcast_fabric_component yaml-cpp PkgConfig::GMP
                   PC flitcast-tlm REQUIRES flitcast-fabric yaml-cpp gmpxx LIBS -lflitcast-tlm)
# libsystemc refers to sc_main: a program without one of its own gets that of run_program().
flitcast_component(program MODULES permutation traffic stats sim LINKS flitcast_tlm_component BZip2::BZip2
                   PC flitcast REQUIRES flitcast-tlm LIBS -Wl,--undefined=sc_main -lflitcast-program -lbz2)
target_link_options(flitcast_program_component INTERFACE LINKER:--undefined=sc_main)
# All of them.
add_library(flitcast_library INTERFACE)
add_library(flitcast::flitcast ALIAS flitcast_library)
set_target_properties(flitcast_library PROPERTIES EXPORT_NAME flitcast)
target_link_libraries(flitcast_library INTERFACE flitcast_program_component)

# Headers beside a source of the same name are the first that it includes, so that a build without unity compiles them
# alone; this does it for the others.
option(FLITCAST_HEADERS_ALONE "Compile each public header that has no source of its name" OFF)
if(FLITCAST_HEADERS_ALONE)
  foreach(header source IN ZIP_LISTS written sources)
    string(REGEX REPLACE "h$" "cpp" source ${source})
    if(NOT EXISTS ${source})
      file(RELATIVE_PATH name ${flitcast_include} ${header})
      string(MAKE_C_IDENTIFIER ${name} file)
      file(CONFIGURE OUTPUT headers_alone/${file}.cpp CONTENT "#include <${name}>\n")
      list(APPEND headers_alone ${PROJECT_BINARY_DIR}/headers_alone/${file}.cpp)
    endif()
  endforeach()
  add_library(flitcast_headers_alone OBJECT ${headers_alone})
  target_link_libraries(flitcast_headers_alone PRIVATE flitcast::flitcast flitcast_options)
endif()

if(NOT FLITCAST_INSTALL)
  return()
endif()
# A component is a package of scripts/package, but for "elsewhere", which a package has in another place.
install(TARGETS flitcast_library EXPORT flitcast-program COMPONENT development)
install(TARGETS flitcast COMPONENT program)
if(FLITCAST_SHARED)
  install(TARGETS flitcast_shared EXPORT flitcast-c LIBRARY COMPONENT library NAMELINK_COMPONENT development)
  install(EXPORT flitcast-c NAMESPACE flitcast:: DESTINATION ${flitcast_package} FILE flitcast-c.cmake COMPONENT development)
  install(FILES sim/library/flitcast.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
  install(FILES sim/library/flitcast_dpi_pkg.sv DESTINATION ${CMAKE_INSTALL_DATADIR}/flitcast/dpi COMPONENT development)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/flitcast-c.pc.in flitcast-c.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/flitcast-c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/install_manual.cmake.in install_manual.cmake @ONLY)
install(SCRIPT ${CMAKE_CURRENT_BINARY_DIR}/install_manual.cmake COMPONENT program)
install(DIRECTORY sim/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/flitcast COMPONENT program)
install(DIRECTORY ${flitcast_include}/flitcast DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN "*.h")
install(DIRECTORY sim/python/flitcast DESTINATION ${CMAKE_INSTALL_DATADIR}/flitcast/python COMPONENT elsewhere
        FILES_MATCHING PATTERN "*.py")
set(rtl ${CMAKE_INSTALL_DATADIR}/flitcast/rtl)
install(DIRECTORY rtl/ DESTINATION ${rtl} COMPONENT development
        FILES_MATCHING PATTERN "*.sv" PATTERN "*.svh" PATTERN "*.f" PATTERN "*.vlt" PATTERN "*.md" PATTERN "*.core" PATTERN "Bender.yml")
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/flitcastConfig.cmake.in flitcastConfig.cmake
                              INSTALL_DESTINATION ${flitcast_package} PATH_VARS rtl CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(flitcastConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/flitcastConfig.cmake ${PROJECT_BINARY_DIR}/flitcastConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FindSystemC.cmake ${CMAKE_CURRENT_LIST_DIR}/flitcast_verilate.cmake
        DESTINATION ${flitcast_package} COMPONENT development)
