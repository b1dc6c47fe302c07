#!/bin/bash
# However a window ends, its process ends too, and a run that was not saved is kept.
# Usage: kept_runs.sh KEEPING_WINDOW CLOSE_WINDOW
. "$(dirname "$0")/x11_server.sh"
program=$1
close_window=$2
need_tools xdotool
export XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state HOME=$work
unset WAYLAND_DISPLAY
cd "$work" || exit 1

# open_and_train FOLDER: opens the window, begins a new run and trains it.
open_and_train() {
  "$program" "$1" >"$work/log" 2>&1 &
  child=$!
  wait_for_window
  xdotool key --window "$window" n
  xdotool key --window "$window" space
  within 60 grep -qx trained "$work/log" || fail "nothing was trained"
  runs "while training"
}

# ends_with WAY CODE FOLDER: waits for the end of the process; the folder holds one run then.
ends_with() {
  ends "$1" "$2"
  [ "$(find "$3" -name '*.safetensors' | wc -l)" -eq 1 ] || fail "$1: the run was not kept"
  grep -q 'is kept in .*; the window offers it at the next start' "$work/log" || fail "$1: not told"
  echo "$1: kept $(find "$3" -name '*.safetensors' -printf '%f')"
}

start_server 1200x800
open_and_train "$work/button"
"$close_window" "$window" || fail "the window could not be asked to close"
ends_with 'close button' 0 "$work/button"

# (SIGINT is ignored in what a script has put into the background.)
for signal in TERM HUP; do
  open_and_train "$work/$signal"
  kill -s "$signal" "$child"
  ends_with "SIG$signal" $((128 + $(kill -l "$signal"))) "$work/$signal"
done

# Another program destroys the window, or has the server close the connection.
open_and_train "$work/destroyed"
xdotool windowclose "$window"
ends_with 'destroyed window' 0 "$work/destroyed"
open_and_train "$work/killed"
xdotool windowkill "$window"
ends_with 'closed connection' 1 "$work/killed"

# The server ends.
open_and_train "$work/server"
kill -9 "$server"
ends_with 'lost server' 1 "$work/server"
