# shellcheck shell=bash
# Part of ./lab: configures and builds, one lab at a time.

cached() { sed -n "s/^$2:[A-Z]*=//p" "$build/$1/CMakeCache.txt" 2>/dev/null || true; }

# The architectures that device code is wanted for: a list, or "native"; nothing where what was built
# before is as good.
wanted_device_code() {
  [[ $(cached release dispersion_nvcc) != *NOTFOUND ]] || return 0
  if [[ -n ${CUDAARCHS-} ]]; then
    printf '%s\n' "$CUDAARCHS"
  elif [[ $(cached release dispersion_nvcc) == /* ]] && nvidia-smi -L >/dev/null 2>&1; then
    echo native
  fi
}

# Whether the instruction set was chosen, or set, on this processor.
is_for_this_processor() { [[ $(cached "$1" DISPERSION_PROCESSOR) == "$(sh "$root/cmake/processor.sh")" ]]; }

# configure PRESET TESTING  TESTING is ON when tests are wanted; OFF takes them or leaves them.
configure() {
  local preset=$1 testing=$2 fresh=() wanted log=$build/$1/configure.log
  local was_testing
  was_testing=$(cached "$preset" BUILD_TESTING)
  wanted=$(wanted_device_code)
  if [[ -f $build/$preset/build.ninja ]]; then
    [[ $(cached "$preset" CMAKE_HOME_DIRECTORY) == "$root" ]] || fresh=(--fresh)
    # A preset that has changed since is taken anew.
    [[ ${#fresh[@]} == 0 && $root/CMakePresets.json -ot $build/$preset/configure.log ]] &&
      [[ $preset != release || -z $wanted || $(cached release DISPERSION_CUDA_FOR) == "$wanted" ]] &&
      [[ $(cached "$preset" IMGUI_BUNDLE_DIR) == "$bundle" ]] && is_for_this_processor "$preset" &&
      [[ $testing == OFF || $was_testing == ON ]] && return
  fi
  [[ $was_testing == ON ]] && testing=ON
  # CMake keeps the architectures of the last time.
  [[ -z $wanted ]] || fresh+=(-U CMAKE_CUDA_ARCHITECTURES)
  step "Configuring $preset" "$log" cmake -S "$root" --preset "$preset" "${fresh[@]}" \
    -D "IMGUI_BUNDLE_DIR=$bundle" -D "BUILD_TESTING=$testing" || return
  sed -n 's/^-- \(Instruction set: .*\)/\1/p; s/^-- \(Matrix products: .*\)/\1/p' "$log" >&2
}

# compile PRESET TARGET...
compile() {
  local preset=$1
  shift
  step "Building $preset" "$build/$preset/build.log" ninja -C "$build/$preset" "$@"
}

# A program that is up to date is found to be so without a word.
build_program() {
  ensure_packages packages-to-build "${packages_to_build[@]}"
  ensure_bundle
  configure release OFF || fail "the project could not be configured"
  if [[ -x $build/release/dispersion_lab ]]; then announce=false; fi
  compile release dispersion_lab || fail "the program could not be built"
}

# The package holds both programs, so each is built on any processor; see cmake/install.cmake.
build_package() {
  local preset package
  ensure_packages packages-to-build "${packages_to_build[@]}"
  ensure_packages packages-to-package dpkg-dev file
  ensure_bundle
  for preset in avx512 avx2; do
    configure "$preset" OFF || fail "the project could not be configured"
    compile "$preset" dispersion_lab dispersion_starter || fail "the program could not be built"
  done
  rm -f -- "$build"/*.deb
  step "Packing" "$build/package.log" env -C "$build/avx2" cpack -G DEB -B "$build" \
    -D "CPACK_INSTALL_CMAKE_PROJECTS=$build/avx2;dispersion_lab;ALL;/;$build/avx512;dispersion_lab;ALL;/" ||
    fail "the package could not be made"
  rm -rf -- "$build/_CPack_Packages"
  for package in "$build"/*.deb; do printf '%s\n' "$package"; done
}

# The first of what a build writes that this user cannot write; nothing where all can be written.
unwritable() {
  local folder depth=0 found
  for folder in "$deps" "$build"; do
    found=$folder
    if [[ -e $folder ]]; then
      found=$(find "$folder" -maxdepth "$depth" \( -type d -o -type f \) ! -writable -print -quit \
        2>/dev/null) || true
    elif [[ -w $root ]]; then
      found=
    fi
    [[ -z $found ]] || break
    depth=2
  done
  printf '%s\n' "$found"
}

require_writable() {
  local path
  path=$(unwritable)
  [[ -z $path ]] || fail "$path cannot be written by $(id -un)"
}

# Where another user has built, or on a medium that cannot be written, what was built runs as it is.
run_as_it_is() {
  local path program=$build/release/dispersion_lab
  path=$(unwritable)
  [[ -n $path ]] || return 0
  [[ -x $program ]] ||
    fail "$path cannot be written by $(id -un), and there is no $program that can be run"
  say "lab: $path cannot be written by $(id -un), so that what was built before runs as it is"
  exec "$program" "$@"
}

# One lab at a time sets up and builds; the program itself runs without the lock.
lock() {
  mkdir -p -- "$build"
  command -v flock >/dev/null || return 0
  exec 9>"$build/.lock"
  flock -n 9 || { say "Waiting for another ./lab to finish building ..." && flock 9; }
}

unlock() { exec 9>&-; }
