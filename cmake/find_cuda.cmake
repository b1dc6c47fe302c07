# Looks for a CUDA compiler unless DISPERSION_CUDA is OFF, and sets dispersion_cuda_found. Where there is
# no CUDA code in the program, dispersion_cuda_absence says why, in a sentence that the program repeats.
# Architectures: those given in CMAKE_CUDA_ARCHITECTURES or the environment's CUDAARCHS, else that of
# the machine's own device. On a machine without a device nothing is compiled for one unless that is
# asked for: by CUDAARCHS, or by DISPERSION_CUDA=ON, which builds for all from 75 to 120 that the toolkit
# knows, with PTX of the newest for those to come.
set(DISPERSION_CUDA AUTO CACHE STRING "CUDA backend: AUTO, ON or OFF")
set_property(CACHE DISPERSION_CUDA PROPERTY STRINGS AUTO ON OFF)
set(dispersion_cuda_found FALSE)
set(dispersion_cuda_absence "")
set(DISPERSION_CUDA_FOR none CACHE INTERNAL "What the device code is built for")

macro(dispersion_without_cuda why absence)
  message(STATUS "CUDA backend: no, ${why}")
  set(DISPERSION_CUDA_WHY "${why}" CACHE INTERNAL "Why there is no device code")
  set(dispersion_cuda_absence "This program was built without CUDA: ${absence}")
endmacro()

if(DISPERSION_CUDA STREQUAL OFF)
  dispersion_without_cuda("DISPERSION_CUDA is OFF" "DISPERSION_CUDA was OFF.")
  return()
endif()
if(NOT CMAKE_CUDA_COMPILER)
  find_program(dispersion_nvcc nvcc HINTS ENV CUDACXX ENV CUDA_PATH /usr/local/cuda
    PATH_SUFFIXES bin)
  if(dispersion_nvcc)
    set(CMAKE_CUDA_COMPILER ${dispersion_nvcc})
  endif()
endif()
if(NOT CMAKE_CUDA_COMPILER)
  if(DISPERSION_CUDA STREQUAL ON)
    message(FATAL_ERROR "DISPERSION_CUDA is ON, but no CUDA compiler (nvcc) was found.")
  endif()
  dispersion_without_cuda("no CUDA compiler (nvcc) was found"
    "no CUDA compiler (nvcc) was found. Install the CUDA toolkit and build again.")
  return()
endif()

if(NOT CMAKE_CUDA_ARCHITECTURES AND DEFINED ENV{CUDAARCHS})
  set(CMAKE_CUDA_ARCHITECTURES $ENV{CUDAARCHS})
endif()
if(NOT CMAKE_CUDA_ARCHITECTURES)
  execute_process(COMMAND nvidia-smi -L RESULT_VARIABLE no_device OUTPUT_QUIET ERROR_QUIET)
  if(no_device EQUAL 0)
    set(CMAKE_CUDA_ARCHITECTURES native)
  elseif(DISPERSION_CUDA STREQUAL ON)
    execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-arch OUTPUT_VARIABLE known)
    set(architectures "")
    foreach(architecture 75 80 86 89 90 100 120)
      if(known MATCHES "compute_${architecture}(\n|$)")
        list(APPEND architectures ${architecture}-real)
        set(newest ${architecture})
      endif()
    endforeach()
    list(APPEND architectures ${newest}-virtual)
    set(CMAKE_CUDA_ARCHITECTURES ${architectures})
  else()
    dispersion_without_cuda("no CUDA driver was found (CUDAARCHS=90-real, say, builds for a device elsewhere)"
      "no CUDA driver was found. With one installed, build again; for a device elsewhere, set CUDAARCHS (90-real, say) and build.")
    return()
  endif()
endif()
enable_language(CUDA)
# CMake before 3.26 does not know how to ask nvcc for C++20.
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()
find_package(CUDAToolkit REQUIRED)
# No contraction on the device either: what is to be fused says so. ptxas reports registers and spills.
# tests/gpu/machine_code.py reads them here.
set(dispersion_cuda_flags --expt-relaxed-constexpr -fmad=false -Werror=all-warnings -Xptxas=-v)
set(dispersion_cuda_found TRUE)
set(DISPERSION_CUDA_WHY "" CACHE INTERNAL "Why there is no device code")
set(DISPERSION_CUDA_FOR "${CMAKE_CUDA_ARCHITECTURES}" CACHE INTERNAL "What the device code is built for")
message(STATUS "CUDA backend: yes, CUDA ${CMAKE_CUDA_COMPILER_VERSION} for "
               "${CMAKE_CUDA_ARCHITECTURES}")
