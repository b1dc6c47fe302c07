# The libraries of the window, built from the sources of the imgui-bundle 1.93.0 package: Dear ImGui
# 1.93.0 (docking) and GLFW 3.5.1 (X11, Wayland and the null platform). Only what is used is built,
# once, statically.
#
#   gui_libraries             what the program links
#   gui_libraries_under_test  the same with the hooks of Dear ImGui Test Engine, and the engine; for
#                             tests only, its licence is not MIT
#   stb_image_write           header only
#
# Dear ImGui's public header is the same with and without hooks, so our own window and panels are
# compiled once and linked with either.

set(bundle_default ${PROJECT_SOURCE_DIR}/.deps/imgui_bundle-1.93.0)
if(DEFINED ENV{IMGUI_BUNDLE_DIR} AND NOT "$ENV{IMGUI_BUNDLE_DIR}" STREQUAL "")
  set(bundle_default $ENV{IMGUI_BUNDLE_DIR})
endif()
set(IMGUI_BUNDLE_DIR ${bundle_default} CACHE PATH "Unpacked source package imgui-bundle 1.93.0")
set(bundle ${IMGUI_BUNDLE_DIR}/external)
if(NOT EXISTS ${bundle}/imgui/imgui/imgui.h)
  message(FATAL_ERROR "No imgui-bundle 1.93.0 in ${IMGUI_BUNDLE_DIR}. `./lab build` fetches it; "
                      "-DIMGUI_BUNDLE_DIR=FOLDER names a copy that is there already.")
endif()
file(STRINGS ${bundle}/imgui/imgui/imgui.h bundle_version REGEX "define IMGUI_VERSION  ")
if(NOT bundle_version MATCHES "\"1\\.93\\.0\"")
  message(FATAL_ERROR "${IMGUI_BUNDLE_DIR} does not hold Dear ImGui 1.93.0: ${bundle_version}")
endif()

set(GLFW_BUILD_DOCS OFF CACHE INTERNAL "")
set(GLFW_BUILD_EXAMPLES OFF CACHE INTERNAL "")
set(GLFW_BUILD_TESTS OFF CACHE INTERNAL "")
set(GLFW_INSTALL OFF CACHE INTERNAL "")
set(GLFW_LIBRARY_TYPE STATIC CACHE INTERNAL "")
set(GLFW_BUILD_X11 ON CACHE INTERNAL "")
set(GLFW_BUILD_WAYLAND ON CACHE INTERNAL "")
add_subdirectory(${bundle}/glfw/glfw ${PROJECT_BINARY_DIR}/glfw EXCLUDE_FROM_ALL SYSTEM)

find_package(Threads REQUIRED)
set(gui_sources
  ${bundle}/imgui/imgui/imgui.cpp
  ${bundle}/imgui/imgui/imgui_draw.cpp
  ${bundle}/imgui/imgui/imgui_stacklayout.cpp
  ${bundle}/imgui/imgui/imgui_tables.cpp
  ${bundle}/imgui/imgui/imgui_widgets.cpp
  ${bundle}/imgui/imgui/backends/imgui_impl_glfw.cpp
  ${bundle}/imgui/imgui/backends/imgui_impl_opengl3.cpp)

# Headers and settings that everybody who includes imgui.h must share.
add_library(gui_headers INTERFACE)
target_include_directories(gui_headers SYSTEM INTERFACE
  ${bundle}/imgui/imgui ${bundle}/imgui/imgui/backends ${PROJECT_SOURCE_DIR}/cmake)
target_compile_definitions(gui_headers INTERFACE
  "IMGUI_USER_CONFIG=\"imgui_config.h\"")

# Not ours to mend: no warnings.
function(add_gui_library name)
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${gui_sources} ${ARGN})
  target_compile_options(${name} PRIVATE -w)
  dispersion_fast_to_compile(${name})
  target_link_libraries(${name} PUBLIC gui_headers glfw Threads::Threads ${CMAKE_DL_LIBS})
endfunction()

add_gui_library(gui_libraries)

set(engine ${bundle}/imgui_test_engine/imgui_test_engine/imgui_test_engine)
dispersion_glob(engine_sources GLOB ${engine} imgui_te_*.cpp imgui_capture_tool.cpp)
add_gui_library(gui_libraries_under_test ${engine_sources})
# Tests see every assertion of the libraries, in every kind of build.
target_compile_options(gui_libraries_under_test PRIVATE -UNDEBUG)
target_include_directories(gui_libraries_under_test SYSTEM PUBLIC ${engine})
target_compile_definitions(gui_libraries_under_test PUBLIC
  IMGUI_ENABLE_TEST_ENGINE
  IMGUI_TEST_ENGINE_ENABLE_CAPTURE=0
  IMGUI_TEST_ENGINE_ENABLE_STD_FUNCTION=1
  IMGUI_TEST_ENGINE_ENABLE_COROUTINE_STDTHREAD_IMPL=1)

add_library(stb_image_write INTERFACE)
target_include_directories(stb_image_write SYSTEM INTERFACE
  ${bundle}/hello_imgui/hello_imgui/external/stb_hello_imgui)
