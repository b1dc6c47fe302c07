# shellcheck shell=bash
# Part of ./lab: the Debian packages that it needs, installed where they are missing.

packages_to_build=(
  ca-certificates cmake fonts-dejavu-core fonts-lmodern fonts-roboto-unhinted g++ git libcairo2-dev
  libcli11-dev libdnnl-dev libegl-dev libegl-mesa0 libeigen3-dev libgif-dev libgl-dev
  libgl1-mesa-dri libglx-mesa0 libwayland-dev libx11-dev libxcursor-dev libxext-dev libxi-dev libxinerama-dev
  libxkbcommon-dev libxrandr-dev ninja-build nlohmann-json3-dev pkg-config python3-venv xclip zlib1g-dev)
packages_to_test=(
  libbenchmark-dev libgtest-dev libopenblas-dev librsvg2-bin poppler-utils python3-numpy qemu-user
  weston wl-clipboard x11-apps x11-xkb-utils xauth xdotool xvfb)
packages_to_test_fully=(clang desktop-file-utils dpkg-dev lintian shared-mime-info zsh texlive-latex-base texlive-latex-recommended texlive-xetex)

is_debian_like() {
  command -v apt-get >/dev/null && command -v dpkg-query >/dev/null &&
    grep -Eqs '^ID(_LIKE)?="?([^"]* )?(debian|ubuntu)[" ]?' /etc/os-release
}

list_needs() {
  cat >&2 <<'TEXT'
This is neither Debian nor Ubuntu, so nothing is installed. Dispersion Lab needs
  GCC 12, CMake 3.25, Ninja, pkg-config and Python 3.11 with venv, or newer;
  the development files of Eigen 3.4, nlohmann-json 3.11, CLI11, cairo, giflib, zlib, EGL, OpenGL,
  Wayland, xkbcommon and X11 (with Xcursor, Xext, Xi, Xinerama, Xrandr); oneDNN makes it faster;
  the fonts Roboto, DejaVu (Sans and Serif) and Latin Modern;
  to copy pictures: xclip (X11) or wl-copy (Wayland);
  to test: GoogleTest, Google Benchmark, Xvfb, setxkbmap, xdotool, xclip, xauth, poppler's tools, rsvg-convert and
  qemu-x86_64; to test all: clang, and pdflatex and xelatex with beamer.
Going on with what is here.
TEXT
}

# Those of the packages that are not installed; dpkg-query fails on a name it has never met.
missing_packages() {
  local installed package
  installed=$({ dpkg-query -W -f '${db:Status-Status} ${Package} \n' "$@" 2>/dev/null || true; } |
    sed -n 's/^installed//p' | tr -d '\n')
  for package in "$@"; do
    [[ $installed == *" $package "* ]] || printf '%s\n' "$package"
  done
}

# Runs as root, through sudo where necessary, with the proxies that sudo would drop.
apt_get() {
  local name command=(env DEBIAN_FRONTEND=noninteractive)
  for name in http_proxy https_proxy ftp_proxy no_proxy; do
    [[ -n ${!name-} ]] && command+=("$name=${!name}")
  done
  ((EUID == 0)) || command=(sudo "${command[@]}")
  "${command[@]}" apt-get -y -q -o DPkg::Lock::Timeout=600 "$@"
}

# The first try saves fetching package lists that are new enough.
install_packages() {
  apt_get install --no-install-recommends "$@" ||
    { apt_get update && apt_get install --no-install-recommends "$@"; }
}

# ensure_packages STAMP PACKAGE...  The stamp holds the list that was found installed and is out of
# date as soon as the package database is newer.
ensure_packages() {
  local stamp=$deps/$1 missing
  shift
  [[ -f $stamp && $(<"$stamp") == "$*" && ! /var/lib/dpkg/status -nt $stamp ]] && return
  mkdir -p -- "$deps"
  if is_debian_like; then
    mapfile -t missing < <(missing_packages "$@")
    if ((${#missing[@]} > 0)); then
      say "Missing Debian packages: ${missing[*]}"
      if ((EUID != 0)); then
        command -v sudo >/dev/null || fail "sudo is not here; as root: apt-get install ${missing[*]}"
        sudo -v || fail "no rights to install; as root: apt-get install ${missing[*]}"
      fi
      step "Installing ${#missing[@]} packages" "$build/packages.log" \
        install_packages "${missing[@]}" || fail "could not install: ${missing[*]}"
    fi
  else
    list_needs
  fi
  printf '%s\n' "$*" >"$stamp"
}
