# Run at build time: finds the commit and writes build_info.cpp, if it differs.
function(git out)
  # The project may belong to another user than the one who builds it.
  execute_process(COMMAND ${GIT} -c safe.directory=${SOURCE_DIR} -C ${SOURCE_DIR} ${ARGN}
                  OUTPUT_VARIABLE text
                  RESULT_VARIABLE result ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT result EQUAL 0)
    set(text "")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

set(DISPERSION_COMMIT unknown)
# A copy without its own history may lie inside another repository, whose commit says nothing here.
if(GIT AND EXISTS ${SOURCE_DIR}/.git)
  git(commit rev-parse --short=12 HEAD)
  if(commit)
    set(DISPERSION_COMMIT ${commit})
    # Only what goes into the program counts; --no-optional-locks leaves a git at work alone.
    git(changes --no-optional-locks status --porcelain -- CMakeLists.txt cmake core gpu app assets)
    if(changes)
      string(APPEND DISPERSION_COMMIT -modified)
    endif()
  endif()
endif()
configure_file(${SOURCE_DIR}/cmake/build_info.cpp.in ${OUTPUT} @ONLY)
