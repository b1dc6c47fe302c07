#!/bin/bash
# Runs the program in a real Wayland window: weston, shown in a window of Xvfb, so that its keyboard
# and its pointer are true ones. Starts, draws, is resized, takes keys, copies, idles and closes.
# Usage: weston_smoke.sh PROGRAM
. "$(dirname "$0")/x11_server.sh"
program=$1
need_tools python3 xdotool xwd weston wl-paste
weston=''
end_weston() { [ -z "$weston" ] || kill "$weston" 2>/dev/null; }
trap 'end_weston; cleanup' EXIT
start_server 1600x1000

export XDG_RUNTIME_DIR=$work/runtime XDG_CONFIG_HOME=$work/config HOME=$work
mkdir -m 700 "$XDG_RUNTIME_DIR"
# The desktop is of one colour and holds nothing that moves by itself.
cat >"$work/weston.ini" <<END
[shell]
background-color=0xff123456
panel-position=none
animation=none
startup-animation=none
close-animation=none
END
socket=lab-test
weston --backend=x11-backend.so --use-pixman --shell=desktop-shell.so --config="$work/weston.ini" --idle-time=0 \
  --socket=$socket --width=1500 --height=950 >"$work/weston.log" 2>&1 &
weston=$!
within 60 test -S "$XDG_RUNTIME_DIR/$socket" || { cp "$work/weston.log" "$work/log"; fail "weston did not start"; }
within 60 find_window --class Weston || fail "no window of weston"
screen=$window

# bare: how many pixels of the desktop are seen.
bare() {
  xwd -silent -id "$screen" |
    python3 -c 'import sys; print(sys.stdin.buffer.read().count(bytes([0x56, 0x34, 0x12])))'
}
desktop_is_seen() { [ "$(bare)" -gt 1400000 ]; }
within 60 desktop_is_seen || fail "no desktop"

cd "$work" || exit 1
WAYLAND_DISPLAY=$socket DISPLAY='' "$program" gui >"$work/log" 2>&1 &
child=$!
window_is_seen() { [ "$(bare)" -lt 700000 ] || ended; }
within 60 window_is_seen || fail "no window under weston"
runs "under weston"

xdotool windowfocus --sync "$screen" 2>/dev/null
xdotool mousemove --window "$screen" 750 500 click 1
changes "T" xdotool key t
changes "F1" xdotool key F1
changes "Escape" xdotool key Escape

# Copies every number (Ctrl C); another client reads it.
xdotool key ctrl+c
pasted() {
  WAYLAND_DISPLAY=$socket timeout 20 wl-paste >"$work/pasted" 2>"$work/paste.log"
  grep -q 'accuracy' "$work/pasted"
}
within 60 pasted || fail "Ctrl C copied nothing: $(cat "$work/paste.log")"

# weston resizes with Super and the right button. It has put the window anywhere, so that its bottom right
# or its top left may be what is dragged: more of the desktop is seen, or less.
full=$(bare)
xdotool mousemove --window "$screen" 1200 800 keydown super mousedown 3
xdotool mousemove --window "$screen" 1100 700 mousemove --window "$screen" 1000 600
xdotool mouseup 3 keyup super
has_other_size() {
  local now
  now=$(bare)
  [ "$now" -gt $((full + 20000)) ] || [ "$now" -lt $((full - 20000)) ]
}
within 60 has_other_size || fail "the window was not resized"

trains
xdotool key ctrl+q
ends 'Ctrl Q' 0
grep -q '"theme": "light"' "$XDG_CONFIG_HOME/dispersion-lab/settings.json" || fail "the theme was not remembered"
