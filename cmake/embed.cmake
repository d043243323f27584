# Writes OUTPUT, a C++ source that holds every Markdown page of DIRECTORY as a string literal.
file(GLOB pages RELATIVE ${DIRECTORY} ${DIRECTORY}/*.md)
list(SORT pages)
set(text "// Generated from spec/*.md.\n#include \"spec/checker.hpp\"\n\nnamespace etalon::spec {\nstd::vector<Page> embedded_pages() {\n  return {\n")
foreach(page IN LISTS pages)
  file(READ ${DIRECTORY}/${page} hex HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" escaped "${hex}")
  # Literals are split so that none is longer than compilers must accept.
  string(REGEX REPLACE "(................................................................................................................................................................................................................................................................)" "\\1\"\n      \"" escaped "${escaped}")
  string(APPEND text "      {\"${page}\",\n      \"${escaped}\"},\n")
endforeach()
string(APPEND text "  };\n}\n}  // namespace etalon::spec\n")
file(WRITE ${OUTPUT} "${text}")
