# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=... -DOUTPUT=... -DHEADERS=a.h:b.h -DMODULES=base:config -P public_headers.cmake
# Writes the headers as projects elsewhere see them below OUTPUT: <flitcast/fabric.h> and <flitcast/network/network.h>,
# which include each other with the prefix flitcast/. A header that has not changed is not written, so that what includes
# it is not compiled again.
string(REPLACE ":" ";" HEADERS "${HEADERS}")
string(REPLACE ":" "|" MODULES "${MODULES}")
file(GLOB_RECURSE old RELATIVE ${OUTPUT} ${OUTPUT}/flitcast/*.h)
foreach(header IN LISTS HEADERS)
  file(READ ${SOURCE}/${header} text)
  string(REGEX REPLACE "(\n *#include \")(${MODULES})/" "\\1flitcast/\\2/" text "${text}")
  string(REGEX REPLACE "^models/(include/flitcast/)?" "" name "${header}")
  list(REMOVE_ITEM old flitcast/${name})
  set(before "")
  if(EXISTS ${OUTPUT}/flitcast/${name})
    file(READ ${OUTPUT}/flitcast/${name} before)
  endif()
  if(NOT text STREQUAL before)
    file(WRITE ${OUTPUT}/flitcast/${name} "${text}")
  endif()
endforeach()
list(TRANSFORM old PREPEND ${OUTPUT}/)
if(old)
  file(REMOVE ${old})
endif()
