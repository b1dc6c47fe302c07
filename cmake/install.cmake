# `cmake --install`, and the Debian package that `./lab package` makes of two builds, for AVX2 and for
# AVX-512: bin/dispersion_lab starts the one that the processor can run.
set(dispersion_package_folder ${PROJECT_SOURCE_DIR}/cmake/package)

add_executable(dispersion_starter ${dispersion_package_folder}/starter.cpp)
set_target_properties(dispersion_starter PROPERTIES OUTPUT_NAME dispersion_lab
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/package)
target_include_directories(dispersion_starter PRIVATE ${PROJECT_SOURCE_DIR})
# The baseline of x86-64, and nothing that a processor without AVX2 could stumble over.
target_compile_options(dispersion_starter PRIVATE -march=x86-64 -fno-sanitize=all)
target_link_options(dispersion_starter PRIVATE -fno-sanitize=all -static-libgcc -static-libstdc++)

install(TARGETS dispersion_lab DESTINATION lib/dispersion-lab/${DISPERSION_INSTRUCTION_SET})
install(TARGETS dispersion_starter DESTINATION bin)
install(FILES ${dispersion_package_folder}/dispersion-lab.desktop
  DESTINATION share/applications)
install(FILES ${dispersion_package_folder}/dispersion-lab.xml DESTINATION share/mime/packages)
install(FILES ${dispersion_package_folder}/dispersion-lab.svg
  DESTINATION share/icons/hicolor/scalable/apps)
foreach(size 48 128)
  install(FILES ${dispersion_package_folder}/dispersion-lab-${size}.png
    DESTINATION share/icons/hicolor/${size}x${size}/apps RENAME dispersion-lab.png)
endforeach()
install(FILES ${dispersion_package_folder}/completion.bash
  DESTINATION share/bash-completion/completions RENAME dispersion_lab)
install(FILES ${dispersion_package_folder}/completion.zsh
  DESTINATION share/zsh/vendor-completions RENAME _dispersion_lab)
install(FILES ${dispersion_package_folder}/copyright
  DESTINATION share/doc/dispersion-lab)
# Debian wants its manual pages compressed, and man reads them everywhere.
install(CODE "
  set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/man/man1\")
  file(MAKE_DIRECTORY \"\${folder}\")
  execute_process(COMMAND gzip -9nc ${dispersion_package_folder}/dispersion_lab.1
    OUTPUT_FILE \"\${folder}/dispersion_lab.1.gz\" COMMAND_ERROR_IS_FATAL ANY)")

# --- The Debian package ---

# "debian12": packages of two releases differ in the libraries that they need.
set(dispersion_release "")
if(EXISTS /etc/os-release)
  foreach(key ID VERSION_ID)
    file(STRINGS /etc/os-release line REGEX "^${key}=")
    string(REGEX REPLACE "^${key}=|\"" "" value "${line}")
    string(APPEND dispersion_release "${value}")
  endforeach()
endif()
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME dispersion-lab)
set(CPACK_PACKAGE_VENDOR "Dispersion Lab contributors")
# Whoever builds the package answers for it, by Debian's own variables.
set(CPACK_PACKAGE_CONTACT "Dispersion Lab contributors")
if(DEFINED ENV{DEBEMAIL})
  set(CPACK_PACKAGE_CONTACT "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "watch sharp attention disperse as the number of items grows")
set(CPACK_PACKAGE_DESCRIPTION
"A desktop lab around the paper \"Softmax is not Enough (for Sharp Size
Generalisation)\": trains its max-retrieval head live, shows attention as the
number of items doubles, entropy over temperature, the bounds, the adaptive
rule and Table 1, and exports figures. It can also be used from the command
line alone.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_RELEASE "1~${dispersion_release}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What GLFW loads while the window opens.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libegl1, libgl1, libgl1-mesa-dri, libwayland-client0, \
libwayland-cursor0, libwayland-egl1, libxcursor1, libxi6, libxinerama1, libxkbcommon0, libxrandr2")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "xclip | wl-clipboard, xdg-utils, zenity | kdialog")
include(CPack)
