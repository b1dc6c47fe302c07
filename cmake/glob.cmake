# dispersion_glob(OUT GLOB|GLOB_RECURSE FOLDER PATTERN...)  The files in the folder that match, as file()
# finds them, with the folder's own name taken as it is: brackets in the path of the project are no
# patterns.
function(dispersion_glob out how folder)
  string(REGEX REPLACE "([][*?])" "[\\1]" literally "${folder}")
  set(patterns ${ARGN})
  list(TRANSFORM patterns PREPEND "${literally}/")
  file(${how} found CONFIGURE_DEPENDS ${patterns})
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
