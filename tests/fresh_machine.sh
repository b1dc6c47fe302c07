#!/usr/bin/env bash
# Proves the two commands on a Debian that has nothing but its base system: makes one in a folder with
# debootstrap, clones the committed project into it and runs ./lab and ./lab test in there, by chroot,
# with no display. Then, in a second clone with the packages and the archive of the window's sources at
# hand, ./lab info: what a build alone takes. Prints the time and the processor time of each. Needs
# root, debootstrap and git; some 6 GB. A CUDA toolkit of this machine can be seen from in there.
#
#   tests/fresh_machine.sh [bookworm|trixie] [FOLDER [COMMAND]...]
#
# The release is that of Debian 12 (bookworm) unless another is named. FOLDER (default: a temporary one)
# must not exist; it is removed at the end. Each COMMAND is what follows ./lab, in quotes; the default is:
# '' test, and the second clone, which is left out where commands are named.
# shellcheck source=tests/fresh_debian.sh
set -euo pipefail

project=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

release=bookworm
if [[ ${1-} =~ ^(bookworm|trixie)$ ]]; then
  release=$1
  shift
fi
machine=${1:-$(mktemp -d)/debian}
commands=("${@:2}")
time_a_build=false
((${#commands[@]} > 0)) || { commands=('' test) time_a_build=true; }

. "$project/tests/fresh_debian.sh"

if [[ -d /usr/local/cuda ]]; then
  mount_in --bind "$(readlink -f /usr/local/cuda)" "$machine/usr/local/cuda"
fi

status=0
report=()

# timed_lab FOLDER COMMAND [REMARK]  Runs ./lab with it in a clone on the fresh machine.
timed_lab() {
  local result=passed used=() TIMEFORMAT='%R %U %S'
  # shellcheck disable=SC2086  # a command is several words
  { time on_machine \
    sh -c 'cd "$1" && shift && exec ./lab "$@"' lab "$1" $2 </dev/null 2>&4; } \
    4>&2 2>"$machine/opt/used" || result=failed status=1
  read -r -a used <"$machine/opt/used"
  report+=("$(printf '%-48s %6.0f s, %6.0f processor seconds  %s' "./lab $2${3-}" "${used[0]}" \
    "$(awk "BEGIN {print ${used[1]} + ${used[2]}}")" "$result")")
}

lab='/opt/dispersion lab'
git clone -q --no-hardlinks -- "$project" "$machine$lab"
for command in "${commands[@]}"; do
  timed_lab "$lab" "$command"
done

if $time_a_build; then
  git clone -q --no-hardlinks -- "$project" "$machine/opt/second"
  mkdir "$machine/opt/second/.deps"
  cp -- "$machine$lab"/.deps/*.tar.gz "$machine/opt/second/.deps/"
  timed_lab /opt/second info ' (packages and archive there)'
fi

printf '\nOn a fresh Debian (%s) with %s cores:\n' "$release" "$(nproc)"
printf '  %s\n' "${report[@]}"
exit "$status"
