# ccache is used where it is installed and no other launcher is chosen. A precompiled header needs it
# to overlook the time stamps and definitions that such a header holds; paths inside the project are
# taken as relative, so that a second clone finds what the first one compiled.
find_program(DISPERSION_CCACHE ccache)
mark_as_advanced(DISPERSION_CCACHE)
if(DISPERSION_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT DEFINED ENV{CMAKE_CXX_COMPILER_LAUNCHER})
  set(launcher ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${DISPERSION_CCACHE})
  foreach(language C CXX CUDA)
    set(CMAKE_${language}_COMPILER_LAUNCHER ${launcher})
  endforeach()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
  message(STATUS "Compiler cache: ${DISPERSION_CCACHE}")
endif()
