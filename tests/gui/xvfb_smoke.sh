#!/bin/bash
# Runs the program in a real X11 window under Xvfb: keys, closing, and the processor time of an idle
# window.
# Usage: xvfb_smoke.sh PROGRAM CLOSE_WINDOW
. "$(dirname "$0")/x11_server.sh"
program=$1
close_window=$2
need_tools xdotool xwd
export XDG_CONFIG_HOME=$work/config HOME=$work
unset WAYLAND_DISPLAY

# Without a display, or with one that does not exist, the program prints one line that names the way
# to work without a window, and exits with 1.
for display in '' ':987'; do
  if DISPLAY=$display "$program" gui 2>"$work/refusal"; then fail "gui with DISPLAY='$display' did not fail"; fi
  [ "$(wc -l <"$work/refusal")" -eq 1 ] || fail "not one line for DISPLAY='$display': $(cat "$work/refusal")"
  grep -q 'without a window' "$work/refusal" || fail "no way without a window named: $(cat "$work/refusal")"
done

start_server 1600x1000

cd "$work" || exit 1
"$program" gui >"$work/log" 2>&1 &
child=$!
wait_for_window
xdotool windowsize "$window" 1280 800
has_size() { xdotool getwindowgeometry "$window" | grep -q 1280x800; }
within 60 has_size || fail "the window did not take its new size"

# T changes the theme, which is remembered at the end.
screen=$window
changes "T" xdotool key t

# Processor time of a window that has nothing to do, measured until the heat maps are complete.
ticks() { awk '{print $14 + $15}' "/proc/$child/stat"; }
busy=1000
for _ in $(seq 60); do
  before=$(ticks)
  sleep 2
  busy=$(awk -v t=$(($(ticks) - before)) -v hz="$(getconf CLK_TCK)" 'BEGIN {print 100 * t / hz / 2}')
  awk -v b="$busy" 'BEGIN {exit !(b < 10)}' && break
done
echo "idle: $busy % of a core"
awk -v b="$busy" 'BEGIN {exit !(b < 10)}' || fail "an idle window uses $busy % of a core"

trains
"$close_window" "$window" || fail "the window could not be asked to close"
ends 'close button' 0
grep -q '"theme": "light"' "$XDG_CONFIG_HOME/dispersion-lab/settings.json" || fail "the theme was not remembered"
[ ! -e "$work/imgui.ini" ] || fail "imgui.ini in the working folder"
