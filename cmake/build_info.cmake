# build_info.cpp is written at every build and changes only when the commit or the settings do, so a
# commit compiles one small file again and nothing else.
find_package(Git QUIET)
set(dispersion_build_info_source ${PROJECT_BINARY_DIR}/build_info.cpp)
add_custom_target(dispersion_build_info
  BYPRODUCTS ${dispersion_build_info_source}
  COMMAND ${CMAKE_COMMAND}
    -D SOURCE_DIR=${PROJECT_SOURCE_DIR}
    -D OUTPUT=${dispersion_build_info_source}
    -D GIT=${GIT_EXECUTABLE}
    -D DISPERSION_VERSION=${PROJECT_VERSION}
    -D DISPERSION_INSTRUCTION_SET_NAME=${dispersion_instruction_set_name}
    -D "DISPERSION_COMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    -D DISPERSION_BUILD_TYPE=${CMAKE_BUILD_TYPE}
    -D DISPERSION_SANITIZERS=${DISPERSION_SANITIZE}
    -D "DISPERSION_CUDA_ABSENCE=${dispersion_cuda_absence}"
    -P ${PROJECT_SOURCE_DIR}/cmake/write_build_info.cmake
  COMMENT ""
  VERBATIM)
