# Checks that a shared library shows what a header exports, and nothing else.
#
#   cmake -DREADELF=... -DLIBRARY=... -DHEADER=... -P exports.cmake
execute_process(COMMAND ${READELF} --dyn-syms --wide ${LIBRARY}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL
  "(GLOBAL|WEAK) +(DEFAULT|PROTECTED) +[0-9]+ [^\n]+" shown "${symbols}")
list(TRANSFORM shown REPLACE "^.* " "")
list(SORT shown)

file(READ ${HEADER} text)
string(REGEX MATCHALL "TILE_C_EXPORT [^(]*" declared "${text}")
list(TRANSFORM declared REPLACE "^.*[^A-Za-z]([A-Za-z]+)$" "\\1")
list(FILTER declared INCLUDE REGEX "^tile")
list(SORT declared)

list(LENGTH declared number)
if(number EQUAL 0 OR NOT shown STREQUAL declared)
  message(FATAL_ERROR "expected the symbols\n${declared}\ngot\n${shown}")
endif()
message("${number} functions")
