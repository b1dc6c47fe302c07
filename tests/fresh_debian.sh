#!/usr/bin/env bash
# Sourced by the scripts that try something on a Debian that has nothing but its base system. Makes one
# in the folder $machine with debootstrap, of the release $release, and removes it at the end. Needs
# root, debootstrap and some gigabytes.
#
# This machine's own settings for apt, pip, proxies and certificates are lent to the folder, so that
# it works wherever this machine does. Nothing of them goes into the project.
# shellcheck disable=SC2016,SC2154,SC2317  # apt fills in $(SITE); the trap calls take_down
set -euo pipefail

((EUID == 0)) || { echo "${0##*/}: needs root" >&2; exit 1; }
[[ ! -e $machine ]] || { echo "${0##*/}: $machine exists already" >&2; exit 1; }

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

# on_machine COMMAND...  Runs it there, with nothing of this machine's environment but how to fetch.
on_machine() { env -i "${settings[@]}" chroot "$machine" "$@"; }
