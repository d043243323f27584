# What every target of the project is compiled with. The proofs of the error bounds assume IEEE
# arithmetic as written: no contraction of a*b+c, no fast-math.
add_library(etalon_options INTERFACE)
target_include_directories(etalon_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(etalon_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wundef
  $<$<COMPILE_LANGUAGE:CXX>:-Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual>
  $<$<BOOL:${ETALON_WERROR}>:-Werror>
  # GCC 12 sees overlapping memory in every `"literal" + std::string` once it is inlined (PR 105651).
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict>
  -ffp-contract=off -fno-fast-math)
if(ETALON_SANITIZE)
  target_compile_options(etalon_options INTERFACE -fsanitize=${ETALON_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(etalon_options INTERFACE -fsanitize=${ETALON_SANITIZE})
endif()
if(ETALON_COVERAGE)
  target_compile_options(etalon_options INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(etalon_options INTERFACE --coverage)
endif()

# etalon_tests(<name> <library>...): one test program from the *_test.cpp files beside it.
function(etalon_tests name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/tests/*_test.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE etalon_options ${ARGN} GTest::gtest GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
endfunction()
