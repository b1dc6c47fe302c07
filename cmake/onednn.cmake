# oneDNN multiplies matrices faster than Eigen does. dispersion_onednn exists where it is found. Its
# own package file is passed over: it asks for OpenCL's headers, which nothing here needs.
find_path(ONEDNN_INCLUDE_DIR dnnl.hpp)
find_library(ONEDNN_LIBRARY dnnl)
mark_as_advanced(ONEDNN_INCLUDE_DIR ONEDNN_LIBRARY)
if(ONEDNN_INCLUDE_DIR AND ONEDNN_LIBRARY)
  add_library(dispersion_onednn INTERFACE)
  target_include_directories(dispersion_onednn SYSTEM INTERFACE ${ONEDNN_INCLUDE_DIR})
  # Its threads are libgomp's, and their number is set through it.
  target_link_libraries(dispersion_onednn INTERFACE ${ONEDNN_LIBRARY} gomp)
  message(STATUS "Matrix products: oneDNN (${ONEDNN_LIBRARY})")
else()
  message(STATUS "Matrix products: Eigen (oneDNN was not found)")
endif()
