#!/usr/bin/env bash
# Proves that a package made by ./lab package starts on a Debian that has nothing but its base system,
# no compiler above all: installs it there with apt, looks at what it says and draws, opens its window
# on a display of this machine (where Xvfb and xdotool are), and removes it again without a trace.
#
#   tests/fresh_package.sh [bookworm|trixie] [PACKAGE.deb]
#
# The release is that of Debian 12 (bookworm) unless another is named. Without a package it is made
# first, of what is committed: by ./lab package on another fresh Debian of that release, with what that
# installs. It is left in build/RELEASE/ then. Needs root, debootstrap and git; some 6 GB.
# shellcheck source=tests/fresh_debian.sh
set -euo pipefail

project=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
release=bookworm
if [[ ${1-} =~ ^(bookworm|trixie)$ ]]; then
  release=$1
  shift
fi
fail() { echo "fresh_package.sh: $*" >&2; exit 1; }

# make_package: in a Debian that is gone afterwards.
make_package() (
  machine=$(mktemp -d)/debian
  . "$project/tests/fresh_debian.sh"
  git clone -q --no-hardlinks -- "$project" "$machine/opt/lab"
  on_machine sh -c 'cd /opt/lab && ./lab package' </dev/null
  mkdir -p -- "$made"
  rm -f -- "$made"/*.deb
  cp -- "$machine"/opt/lab/build/*.deb "$made"
)

if (($# == 0)); then
  echo "Making the package on a Debian ($release) of its own ..."
  made=$project/build/$release
  make_package
  package=$(echo "$made"/*.deb)
else
  package=$1
fi
[[ -f $package ]] || fail "no $package"
machine=$(mktemp -d)/debian
. "$project/tests/fresh_debian.sh"

cp -- "$package" "$machine/opt/lab.deb"
on_machine apt-get -q update
on_machine env DEBIAN_FRONTEND=noninteractive apt-get -y -q --no-install-recommends install /opt/lab.deb
on_machine sh -c '! command -v cc g++ cmake' || fail "there is a compiler, which proves nothing"

on_machine dispersion_lab info
on_machine env DISPERSION_INSTRUCTION_SET=avx2 dispersion_lab info | grep -q AVX2 || fail "no program for AVX2"
on_machine sh -c 'cd /tmp && dispersion_lab figure entropy -o entropy.pdf && dispersion_lab figure fit -o fit.png'
head -c 5 "$machine/tmp/entropy.pdf" | grep -q '%PDF-' || fail "no figure"
on_machine sh -c 'cd /tmp && dispersion_lab train --steps 50 --out run'

# The window, on a display of this machine: the socket of the server is lent.
if command -v Xvfb >/dev/null && command -v xdotool >/dev/null; then
  Xvfb -noreset -displayfd 7 7>"$machine/opt/display" -screen 0 1600x1000x24 -nolisten tcp 2>/dev/null &
  server=$!
  for _ in $(seq 100); do [[ -s $machine/opt/display ]] && break; sleep 0.1; done
  display=:$(<"$machine/opt/display")
  mount_in --bind /tmp/.X11-unix "$machine/tmp/.X11-unix"
  on_machine env DISPLAY="$display" dispersion_lab gui /tmp/run/seed1.safetensors &
  client=$!
  window=
  for _ in $(seq 300); do
    window=$(DISPLAY=$display xdotool search --name 'Dispersion Lab' 2>/dev/null | head -n 1) || true
    [[ -n $window ]] && break
    sleep 0.1
  done
  [[ -n $window ]] || fail "no window"
  echo "The window is open."
  kill "$server"
  wait "$client" "$server" || true
fi

on_machine env DEBIAN_FRONTEND=noninteractive apt-get -y -q purge dispersion-lab
left=$(find "$machine/usr" -iname '*dispersion*' -print)
[[ -z $left ]] || fail "left behind: $left"
printf '\n%s works on a fresh Debian (%s).\n' "${package##*/}" "$release"
