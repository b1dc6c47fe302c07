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
#
# This machine's own settings for apt, pip, proxies and certificates are lent to the folder, so that
# it works wherever this machine does. Nothing of them goes into the project.
# shellcheck disable=SC2016,SC2317  # apt fills in $(SITE); the trap calls take_down
set -euo pipefail

project=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
((EUID == 0)) || { echo "fresh_machine.sh: needs root" >&2; exit 1; }

release=bookworm
if [[ ${1-} =~ ^(bookworm|trixie)$ ]]; then
  release=$1
  shift
fi
machine=${1:-$(mktemp -d)/debian}
[[ ! -e $machine ]] || { echo "fresh_machine.sh: $machine exists already" >&2; exit 1; }
commands=("${@:2}")
time_a_build=false
((${#commands[@]} > 0)) || { commands=('' test) time_a_build=true; }

mounted=()
take_down() {
  local i
  for ((i = ${#mounted[@]} - 1; i >= 0; --i)); do umount -l -- "${mounted[i]}"; done
  rm -rf --one-file-system -- "$machine"
}
trap take_down EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

mount_in() {
  mkdir -p -- "${*: -1}"
  mount "$@"
  mounted+=("${*: -1}")
}

# lend PATH...  Copies what there is of these to the same place on the fresh machine.
lend() {
  local path
  for path in "$@"; do
    [[ ! -e $path ]] || { mkdir -p "$machine${path%/*}" && cp -aL -- "$path" "$machine${path%/*}/"; }
  done
}

site=$(apt-get indextargets --format '$(SITE) $(CODENAME)' | sed -n 's/ bookworm$//p' | head -n 1)
debootstrap --variant=minbase "$release" "$machine" ${site:+"$site"}

# The lists of another release than this machine's would be of no use there; debootstrap has left one.
if grep -qs "VERSION_CODENAME=$release\$" /etc/os-release; then
  rm -f "$machine/etc/apt/sources.list"
  lend /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/preferences.d /etc/apt/keyrings \
    /etc/apt/trusted.gpg.d
fi
lend /etc/apt/auth.conf.d /etc/resolv.conf /etc/hosts /etc/pip.conf "$HOME/.config/pip" "$HOME/.pip" \
  "$HOME/.netrc" /usr/local/share/ca-certificates /etc/ssl/certs/ca-certificates.crt
# Of apt's configuration only how it fetches; its hooks belong to this machine.
apt-config dump | grep -E '^Acquire::' | grep -v '^Acquire::IndexTargets' \
  >"$machine/etc/apt/apt.conf.d/90fetching"

settings=(HOME="$HOME" TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
while IFS= read -r name; do
  settings+=("$name=${!name}")
done < <(compgen -e | grep -Ei '^(PIP_.*|(http|https|ftp|no|all)_proxy|SSL_CERT_.*|.*_CA_BUNDLE)$')

mkdir -p -- "$machine$HOME"
mount_in -t proc proc "$machine/proc"
mount_in --rbind /sys "$machine/sys"
mount --make-rslave "$machine/sys"
mount_in -t tmpfs tmpfs "$machine/dev/shm"
mount_in -t devpts -o newinstance,ptmxmode=0666 devpts "$machine/dev/pts"

if [[ -d /usr/local/cuda ]]; then
  mount_in --bind "$(readlink -f /usr/local/cuda)" "$machine/usr/local/cuda"
fi

status=0
report=()

# timed_lab FOLDER COMMAND [REMARK]  Runs ./lab with it in a clone on the fresh machine.
timed_lab() {
  local result=passed used=() TIMEFORMAT='%R %U %S'
  # shellcheck disable=SC2086  # a command is several words
  { time env -i "${settings[@]}" chroot "$machine" \
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
