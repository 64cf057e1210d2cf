# SPDX-License-Identifier: Apache-2.0
# Run by CPack on the files of all packages before it packs them: compresses the manual page, adds changelogs and the link to
# the examples, as Debian's policy asks.
set(stage ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(GLOB copyrights ${stage}/*/usr/share/doc/*/copyright)
foreach(copyright IN LISTS copyrights)
  cmake_path(GET copyright PARENT_PATH folder)
  cmake_path(GET folder FILENAME name)
  file(WRITE ${folder}/changelog "${name} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
       "  * CHANGELOG.md of the sources lists the changes of this version.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
endforeach()
file(GLOB texts ${stage}/*/usr/share/doc/*/changelog ${stage}/*/usr/share/man/man1/*.1)
execute_process(COMMAND gzip -9nf ${texts} COMMAND_ERROR_IS_FATAL ANY)
file(CREATE_LINK ../../flitcast/examples ${stage}/program/usr/share/doc/flitcast/examples SYMBOLIC)
