# Sourced by the tests that need an X11 server of their own. Makes a temporary folder, $work, and the
# function `fail`, which prints a message and $work/log. At the end the folder and the server are
# removed, and the process $child, if one runs, is ended.
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
  for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
  [ -s "$work/display" ] || fail "Xvfb did not start"
  DISPLAY=:$(cat "$work/display")
  export DISPLAY
}
# wait_for_window: sets $window to the window of the program that runs as $child, and gives it the keyboard.
wait_for_window() {
  window=''
  for _ in $(seq 600); do
    window=$(xdotool search --name 'Dispersion Lab' 2>/dev/null | head -n 1)
    [ -n "$window" ] && break
    kill -0 "$child" 2>/dev/null || fail "the program ended before it showed a window"
    sleep 0.1
  done
  [ -n "$window" ] || fail "no window within a minute"
  xdotool windowfocus "$window" 2>/dev/null
}
