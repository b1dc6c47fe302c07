# Flags of our own targets: dispersion_options carries them.
add_library(dispersion_options INTERFACE)
target_include_directories(dispersion_options INTERFACE ${PROJECT_SOURCE_DIR})
# Warnings are errors for the compiler that everything is tested with; newer ones warn of more, some of
# it without reason (GCC 14 of a copied std::vector), and shall stop nobody.
set(dispersion_werror "")
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  set(dispersion_werror -Werror)
endif()
# No fast-math. Contraction is off so that a value does not depend on where the compiler sees a chance
# to fuse; hot loops ask for std::fma by name. errno and trapping semantics change no value.
# GCC 12 takes its own AVX-512 intrinsics, inlined from Eigen, for uses of uninitialised values, so that
# warning is off; its stricter sister falls for them too, where a sanitizer is built in.
# The CUDA compiler has flags of its own (gpu/CMakeLists.txt).
set(dispersion_cxx_flags
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion ${dispersion_werror}
  -ffp-contract=off -fno-math-errno -fno-trapping-math
  ${dispersion_instruction_set_flags})
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND dispersion_cxx_flags -Wno-maybe-uninitialized)
  # Sanitizers bring false warnings of this kind with them, as GCC's manual says; those of a release
  # are errors.
  if(DISPERSION_SANITIZE)
    list(APPEND dispersion_cxx_flags -Wno-uninitialized -Wno-error)
  endif()
endif()
target_link_libraries(dispersion_options INTERFACE
  $<TARGET_OBJECTS:dispersion_require_instruction_set>)
target_compile_options(dispersion_options INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${dispersion_cxx_flags}>")

# The standard headers that most files include, parsed once per target. A file still includes what it
# uses: it compiles as well with CMAKE_DISABLE_PRECOMPILE_HEADERS.
set(dispersion_standard_headers
  <algorithm> <array> <cmath> <cstddef> <cstdint> <filesystem> <functional> <limits> <memory> <optional>
  <span> <stdexcept> <string> <string_view> <utility> <variant> <vector>)

# What code is compiled with that computes nothing that takes long. GCC from 13 on switches two more
# things off below -O2, and then refuses headers that were compiled before with -O3, unless both are
# on. Should a later GCC find one more, it reads the headers themselves, which only takes longer.
set(dispersion_fast_flags -O1)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  list(APPEND dispersion_fast_flags -munroll-only-small-loops -mvzeroupper)
  set(CMAKE_PCH_WARN_INVALID OFF)
endif()

# dispersion_fast_to_compile(TARGET)  For code that computes nothing that takes long: its build is a
# third shorter without the last optimisations, and nobody can tell the difference when it runs.
function(dispersion_fast_to_compile target)
  target_compile_options(${target} PRIVATE
    "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:${dispersion_fast_flags}>")
endfunction()
