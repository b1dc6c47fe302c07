# Chooses between AVX2 and AVX-512: what the processor has and, where it has both, what measures
# faster. The choice is kept in the cache as DISPERSION_INSTRUCTION_SET, and made anew on another
# processor (DISPERSION_PROCESSOR, which ./lab compares too). What was set by hand stays.
set(dispersion_flags_avx2 -march=x86-64-v3)
set(dispersion_flags_avx512 -march=x86-64-v4 -mprefer-vector-width=512)

function(dispersion_run_probe source flags out)
  try_run(ran compiled SOURCES ${CMAKE_CURRENT_LIST_DIR}/${source}
          CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${CMAKE_CURRENT_LIST_DIR}"
          COMPILE_DEFINITIONS -O3 -fno-math-errno -fno-trapping-math ${flags}
          COMPILE_OUTPUT_VARIABLE log RUN_OUTPUT_VARIABLE text NO_CACHE)
  if(NOT compiled)
    message(FATAL_ERROR "cmake/${source} does not compile with ${CMAKE_CXX_COMPILER_ID} "
                        "${CMAKE_CXX_COMPILER_VERSION} (GCC 12 or newer is expected):\n${log}")
  endif()
  if(NOT ran EQUAL 0)
    set(text "")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

function(dispersion_choose_instruction_set)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    message(FATAL_ERROR "Dispersion Lab needs an x86-64 processor with AVX2 and FMA; this one is "
                        "${CMAKE_SYSTEM_PROCESSOR}.")
  endif()
  dispersion_run_probe(detect_instruction_set.cpp "" offered)
  if(NOT offered)
    message(FATAL_ERROR "Dispersion Lab needs a processor with AVX2 and FMA; this one has not got "
                        "them. (To build for another machine, set DISPERSION_INSTRUCTION_SET.)")
  endif()
  list(GET offered -1 choice)
  set(why "the processor has no AVX-512")
  if(choice STREQUAL avx512)
    dispersion_run_probe(measure_instruction_set.cpp "${dispersion_flags_avx2}" avx2_time)
    dispersion_run_probe(measure_instruction_set.cpp "${dispersion_flags_avx512}" avx512_time)
    if(avx2_time AND (NOT avx512_time OR avx2_time LESS avx512_time))
      set(choice avx2)
    endif()
    set(why "measured: AVX2 ${avx2_time} us, AVX-512 ${avx512_time} us")
  endif()
  message(STATUS "Instruction set: ${choice} (${why})")
  set(DISPERSION_INSTRUCTION_SET ${choice} CACHE STRING "Instruction set: avx2 or avx512" FORCE)
  set(DISPERSION_CHOSEN_SET ${choice} CACHE INTERNAL "What was not set by hand")
  set_property(CACHE DISPERSION_INSTRUCTION_SET PROPERTY STRINGS avx2 avx512)
endfunction()

execute_process(COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/processor.sh OUTPUT_VARIABLE processor
                OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT processor STREQUAL DISPERSION_PROCESSOR AND
   DISPERSION_INSTRUCTION_SET STREQUAL DISPERSION_CHOSEN_SET)
  unset(DISPERSION_INSTRUCTION_SET CACHE)
endif()
set(DISPERSION_PROCESSOR "${processor}" CACHE INTERNAL "The processor that this was configured on")

if(DISPERSION_INSTRUCTION_SET)
  message(STATUS "Instruction set: ${DISPERSION_INSTRUCTION_SET} (as set before)")
else()
  dispersion_choose_instruction_set()
endif()

if(DISPERSION_INSTRUCTION_SET STREQUAL avx2)
  set(dispersion_instruction_set_name AVX2)
  set(built_for kAvx2)
elseif(DISPERSION_INSTRUCTION_SET STREQUAL avx512)
  set(dispersion_instruction_set_name AVX-512)
  set(built_for kAvx512)
else()
  message(FATAL_ERROR "DISPERSION_INSTRUCTION_SET is \"${DISPERSION_INSTRUCTION_SET}\"; expected "
                      "avx2 or avx512.")
endif()
set(dispersion_instruction_set_flags ${dispersion_flags_${DISPERSION_INSTRUCTION_SET}})

# Linked into every program that has code with these flags. The last flags count, so this one object
# runs on any x86-64 processor, and before any sanitizer is ready.
add_library(dispersion_require_instruction_set OBJECT
  ${CMAKE_CURRENT_LIST_DIR}/require_instruction_set.cpp)
target_compile_definitions(dispersion_require_instruction_set PRIVATE DISPERSION_BUILT_FOR=${built_for})
target_compile_options(dispersion_require_instruction_set PRIVATE -march=x86-64 -fno-sanitize=all)
