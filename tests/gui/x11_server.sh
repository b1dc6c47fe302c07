# Sourced by the tests that need an X11 server of their own. Makes a temporary folder, $work, and the
# function `fail`, which prints a message and $work/log. At the end the folder and the server are
# removed, and the process $child, if one runs, is ended. A busy machine may be slow: nothing sleeps for
# a time that is thought to be enough, but waits for what is wanted (`within`).
set -u
work=$(mktemp -d)
server='' child=''
cleanup() {
  [ -n "$child" ] && kill "$child" 2>/dev/null
  [ -n "$server" ] && kill "$server" 2>/dev/null
  rm -rf "$work"
}
trap cleanup EXIT
fail() {
  echo "$1" >&2
  [ -s "$work/log" ] && cat "$work/log" >&2
  exit 1
}
# within SECONDS COMMAND...: tries the command until it succeeds, for so long at most. The limits are far
# beyond what anything takes.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.1
  done
}
ended() { ! kill -0 "$child" 2>/dev/null; }
# runs WHEN: the program has not ended.
runs() { kill -0 "$child" 2>/dev/null || fail "the program ended $1"; }
# ends WAY CODE: the program ends with the exit code.
ends() {
  local status
  within 60 ended || fail "$1: the program is still there after 60 s"
  wait "$child"
  status=$?
  child=''
  [ "$status" -eq "$2" ] || fail "$1: exit code $status, expected $2"
}
# need_tools NAME...
need_tools() {
  for tool in Xvfb "$@"; do
    command -v "$tool" >/dev/null || fail "$tool is not installed"
  done
}
# start_server WIDTHxHEIGHT: starts Xvfb and exports its $DISPLAY. It does not begin anew when its last
# client goes: the next one might come in between.
start_server() {
  Xvfb -noreset -displayfd 3 -screen 0 "$1x24" -nolisten tcp 3>"$work/display" 2>/dev/null &
  server=$!
  within 60 test -s "$work/display" || fail "Xvfb did not start"
  DISPLAY=:$(cat "$work/display")
  export DISPLAY
}
# find_window PATTERN...: sets $window to the first that xdotool finds on the screen.
find_window() {
  window=$(xdotool search --onlyvisible "$@" 2>/dev/null | head -n 1)
  [ -n "$window" ]
}
# wait_for_window: sets $window to the window of the program that runs as $child, and gives it the keyboard.
wait_for_window() {
  find_window_or_end() { find_window --name 'Dispersion Lab' || ended; }
  within 60 find_window_or_end || fail "no window within a minute"
  [ -n "$window" ] || fail "the program ended before it showed a window"
  xdotool windowfocus --sync "$window" 2>/dev/null
}
# picture: of the X11 window $screen, as a number that changes with it.
picture() { xwd -silent -id "$screen" | cksum; }
# settle: waits until the picture stays the same for a second, and keeps it as $before.
settle() {
  stays() {
    before=$(picture)
    sleep 1
    ! differs
  }
  within 300 stays || fail "the picture never came to rest"
}
differs() { [ "$(picture)" != "$before" ]; }
# changes WHAT COMMAND...: the command changes a picture that had come to rest.
changes() {
  local what=$1
  shift
  settle
  "$@"
  within 60 differs || fail "$what changed nothing on the screen"
}
# trains: N makes a new run, Space trains it, and what it has learnt is drawn.
trains() {
  changes "N" xdotool key n
  changes "Space" xdotool key space
  before=$(picture)
  within 60 differs || fail "no training is drawn"
  runs "while training"
}
