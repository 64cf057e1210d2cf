# SPDX-License-Identifier: Apache-2.0
# flitcast_embed(TARGET HEADER NAME FILE [NAME FILE]...)
# Makes the text of each file a `const char* const NAME` of namespace flitcast, which HEADER declares, in one source. The
# source is written at configuration: a build-time command would wait for all libraries that the target links.
function(flitcast_embed target header)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${ARGV2}.cpp)
  file(WRITE ${source}.new "#include \"${header}\"\n")
  while(ARGN)
    list(POP_FRONT ARGN name file)
    file(READ ${file} text)
    string(FIND "${text}" ")FLITCAST\"" end)
    if(NOT end EQUAL -1)
      message(FATAL_ERROR "${file} contains the end of the literal that it is to become")
    endif()
    file(APPEND ${source}.new "const char* const flitcast::${name} = R\"FLITCAST(")
    file(APPEND ${source}.new "${text}")
    file(APPEND ${source}.new ")FLITCAST\";\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endwhile()
  file(COPY_FILE ${source}.new ${source} ONLY_IF_DIFFERENT)
  # The standard guarantees literals of up to 65536 characters only.
  set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS -Wno-overlength-strings)
  target_sources(${target} PRIVATE ${source})
endfunction()
