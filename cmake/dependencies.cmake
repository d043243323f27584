# Everything comes from the distribution's packages; CONTRIBUTING.md says what each is for.
find_package(Threads REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(rapidcheck CONFIG REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(Boost REQUIRED)  # headers only: multiprecision

# The package ships its headers without SYSTEM; our warnings must not apply to them.
set_target_properties(rapidcheck PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES
  "$<TARGET_PROPERTY:rapidcheck,INTERFACE_INCLUDE_DIRECTORIES>")

# MPFR, MPFI, GMP: the arbiter. Arb: the second witness.
foreach(library gmp mpfr mpfi flint flint-arb)
  string(TOUPPER ${library} upper)
  find_library(ETALON_${upper}_LIBRARY ${library})
endforeach()
if(NOT ETALON_FLINT-ARB_LIBRARY)
  find_library(ETALON_FLINT-ARB_LIBRARY arb)  # upstream's own name
endif()
foreach(library GMP MPFR MPFI FLINT FLINT-ARB)
  if(NOT ETALON_${library}_LIBRARY)
    message(FATAL_ERROR "${library} is missing: run ./etalon setup, or install libmpfr-dev libmpfi-dev libflint-dev libflint-arb-dev")
  endif()
endforeach()
add_library(etalon_mpfr INTERFACE)
target_link_libraries(etalon_mpfr INTERFACE ${ETALON_MPFI_LIBRARY} ${ETALON_MPFR_LIBRARY} ${ETALON_GMP_LIBRARY})
add_library(etalon_arb INTERFACE)
target_link_libraries(etalon_arb INTERFACE ${ETALON_FLINT-ARB_LIBRARY} ${ETALON_FLINT_LIBRARY} ${ETALON_MPFR_LIBRARY} ${ETALON_GMP_LIBRARY})
