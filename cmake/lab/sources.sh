# shellcheck shell=bash
# Part of ./lab: what is fetched by pip, pinned and checked: the sources of the window's libraries, and
# packages for tests.

bundle_version=1.93.0

# checked_pip FOLDER COMMAND PINS ARGUMENT...  pip, in an environment inside the folder, for what is
# pinned in cmake/pins; nothing with another hash is kept or run.
checked_pip() {
  local python=$1/venv/bin/python
  [[ -x $python ]] || python3 -m venv "$1/venv" || return
  "$python" -m pip --disable-pip-version-check --no-input "$2" --require-hashes --no-deps \
    -r "$root/cmake/pins/$3" "${@:4}"
}

# The source package. pip looks into it with its build requirements, so they come first.
download_bundle() {
  checked_pip "$1" install build_requirements.txt --no-user --only-binary :all: &&
    checked_pip "$1" download imgui_bundle.txt --no-binary :all: --no-build-isolation -d "$1"
}

# unpack ARCHIVE FOLDER  Only what is built.
unpack() {
  local name top=imgui_bundle-$bundle_version wanted=()
  for name in imgui glfw imgui_test_engine hello_imgui; do
    wanted+=("$top/external/$name")
  done
  mkdir -p -- "$2" && tar -xzf "$1" --no-same-owner --strip-components=1 -C "$2" \
    "$top/LICENSE" "${wanted[@]}"
}

check_archive() {
  local actual
  actual=$(sha256sum <"$1")
  actual=${actual%% *}
  [[ $actual == "$2" ]] && return
  say "lab: $1 is refused: its SHA-256 is not the pinned one."
  say "  expected $2"
  say "  got      $actual"
  fail "remove that file to fetch it again"
}

work=
clean_up() { [[ -z $work ]] || rm -rf -- "$work"; }
trap clean_up EXIT
trap 'say; exit 130' INT
trap 'exit 143' TERM

# Everything happens in a folder that is thrown away; what is complete and checked is moved out of it.
begin_fetch() {
  mkdir -p -- "$deps"
  rm -rf -- "$deps"/fetch.*
  work=$(mktemp -d "$deps/fetch.XXXXXX")
}

# end_fetch FROM TO
end_fetch() {
  rm -rf -- "$2"
  mv -- "$1" "$2"
  clean_up
  work=
}

fetch_bundle() {
  local pinned archive=$deps/imgui_bundle-$bundle_version.tar.gz
  pinned=$(sed -n 's/.*--hash=sha256:\([0-9a-f]*\).*/\1/p' "$root/cmake/pins/imgui_bundle.txt")
  [[ -f $bundle/.sha256 && $(<"$bundle/.sha256") == "$pinned" ]] && return
  begin_fetch
  if [[ ! -f $archive ]]; then
    step "Fetching imgui-bundle $bundle_version" "$build/fetch.log" download_bundle "$work" ||
      fail "imgui-bundle $bundle_version could not be fetched; nothing was kept"
    check_archive "$work/${archive##*/}" "$pinned"
    mv -- "$work/${archive##*/}" "$archive"
  fi
  check_archive "$archive" "$pinned"
  step "Unpacking" "$build/fetch.log" unpack "$archive" "$work/bundle" ||
    fail "$archive could not be unpacked"
  printf '%s\n' "$pinned" >"$work/bundle/.sha256"
  end_fetch "$work/bundle" "$bundle"
}

# ensure_pinned PINS FOLDER WHAT  Python packages that tests use, in a folder of .deps.
ensure_pinned() {
  local pins=$root/cmake/pins/$1
  cmp -s "$pins" "$deps/$2/.pins" && return
  begin_fetch
  step "Fetching $3" "$build/fetch-$2.log" \
    checked_pip "$work" install "$1" --no-user --only-binary :all: --target "$work/$2" ||
    fail "$3 could not be fetched; nothing was kept"
  cp -- "$pins" "$work/$2/.pins"
  end_fetch "$work/$2" "$deps/$2"
}

# Sets `bundle` to the folder with the sources: the one that was named, or ours.
ensure_bundle() {
  if [[ -z ${IMGUI_BUNDLE_DIR-} ]]; then
    bundle=$deps/imgui_bundle-$bundle_version
    fetch_bundle
    return
  fi
  bundle=$(readlink -f -- "$IMGUI_BUNDLE_DIR") || fail "IMGUI_BUNDLE_DIR: no $IMGUI_BUNDLE_DIR"
  local header=$bundle/external/imgui/imgui/imgui.h
  [[ -f $header ]] || fail "IMGUI_BUNDLE_DIR: $header is not there"
  grep -Eq "^#define IMGUI_VERSION +\"${bundle_version//./\\.}\"" "$header" ||
    fail "IMGUI_BUNDLE_DIR: $bundle does not hold Dear ImGui $bundle_version"
}
