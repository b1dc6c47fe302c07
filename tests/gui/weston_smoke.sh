#!/bin/bash
# Runs the program in a real Wayland window: weston, shown in a window of Xvfb, so that its keyboard
# and its pointer are true ones. Starts, draws, is resized, takes keys, copies, idles and closes.
# Usage: weston_smoke.sh PROGRAM
. "$(dirname "$0")/x11_server.sh"
program=$1
need_tools xdotool weston wl-paste
weston=''
end_weston() { [ -z "$weston" ] || kill "$weston" 2>/dev/null; }
trap 'end_weston; cleanup' EXIT
start_server 1600x1000

export XDG_RUNTIME_DIR=$work/runtime XDG_CONFIG_HOME=$work/config HOME=$work
mkdir -m 700 "$XDG_RUNTIME_DIR"
socket=lab-test
weston --backend=x11-backend.so --use-pixman --shell=desktop-shell.so --no-config --idle-time=0 \
  --socket=$socket --width=1500 --height=950 >"$work/weston.log" 2>&1 &
weston=$!
for _ in $(seq 100); do [ -S "$XDG_RUNTIME_DIR/$socket" ] && break; sleep 0.1; done
[ -S "$XDG_RUNTIME_DIR/$socket" ] || { cp "$work/weston.log" "$work/log"; fail "weston did not start"; }
screen=''
for _ in $(seq 100); do
  screen=$(xdotool search --class Weston 2>/dev/null | head -n 1)
  [ -n "$screen" ] && break
  sleep 0.1
done
[ -n "$screen" ] || fail "no window of weston"

cd "$work" || exit 1
WAYLAND_DISPLAY=$socket DISPLAY='' "$program" gui >"$work/log" 2>&1 &
child=$!
# A picture of the whole screen, as a number that changes with it.
picture() { xwd -silent -id "$screen" | cksum; }
sleep 3
kill -0 "$child" 2>/dev/null || fail "the program ended under weston"

# The picture, once it stays the same for a second.
settled() {
  local one two
  two=$(picture)
  for _ in $(seq 30); do
    one=$two
    sleep 1
    two=$(picture)
    [ "$one" = "$two" ] && break
  done
  printf '%s' "$two"
}

# changes WHAT COMMAND...: the picture is another one within ten seconds of the command.
changes() {
  local what=$1 before
  shift
  before=$(settled)
  "$@"
  for _ in $(seq 50); do
    [ "$(picture)" = "$before" ] || return 0
    sleep 0.2
  done
  fail "$what changed nothing on the screen"
}
xdotool windowfocus "$screen" 2>/dev/null
xdotool mousemove --window "$screen" 750 500 click 1
sleep 1
changes "T" xdotool key t
changes "F1" xdotool key F1
changes "Escape" xdotool key Escape

# Copies every number (Ctrl C); another client reads it.
xdotool key ctrl+c
sleep 1
WAYLAND_DISPLAY=$socket timeout 20 wl-paste >"$work/pasted" 2>"$work/paste.log" || true
grep -q 'accuracy' "$work/pasted" || fail "Ctrl C copied nothing: $(cat "$work/paste.log")"

# weston resizes with Super and the right button.
resize() {
  xdotool mousemove --window "$screen" 1200 800 keydown super mousedown 3
  xdotool mousemove --window "$screen" 1100 700 mousemove --window "$screen" 1000 600
  xdotool mouseup 3 keyup super
}
changes "resizing" resize

# Training, then the key that closes the window.
xdotool key n
xdotool key space
sleep 2
kill -0 "$child" 2>/dev/null || fail "the program ended while training"
xdotool key ctrl+q
for _ in $(seq 100); do kill -0 "$child" 2>/dev/null || break; sleep 0.1; done
kill -0 "$child" 2>/dev/null && fail "the program is still there 10 s after Ctrl Q"
wait "$child"
status=$?
child=''
[ "$status" -eq 0 ] || fail "exit code $status"
grep -q '"theme": "light"' "$XDG_CONFIG_HOME/dispersion-lab/settings.json" || fail "the theme was not remembered"
