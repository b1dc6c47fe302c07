# Sanitizers go into everything that is compiled here, the GUI libraries included, so that no
# container is annotated on one side only.
set(DISPERSION_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize; empty for none")
if(DISPERSION_SANITIZE)
  add_compile_options(-fsanitize=${DISPERSION_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${DISPERSION_SANITIZE})
  # Half the time to compile for tests that take little longer; a report needs line tables, no more.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
  set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O1 -g1")
endif()
