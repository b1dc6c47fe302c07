#!/bin/bash
# Presses keys in a real X11 window on American, German, French and Swiss keyboards: letters and signs
# go by their character, the digit row also by its place, and no press does two things. Then types
# quickly into the field of Open: nothing is lost or left hanging, and after a refused name the typing
# goes into the field again, not to shortcuts.
# Usage: keyboards.sh TELL_STATE CLOSE_WINDOW
. "$(dirname "$0")/x11_server.sh"
tell_state=$1
close_window=$2
need_tools xdotool setxkbmap
export XDG_CONFIG_HOME=$work/config HOME=$work
unset WAYLAND_DISPLAY
start_server 1280x900

: >"$work/states"
"$tell_state" >>"$work/states" 2>"$work/log" &
child=$!
# wait_for PATTERN: until the newest state is PATTERN, a pattern of the shell.
newest() { tail -n 1 "$work/states"; }
# shellcheck disable=SC2053 # the pattern is meant
is_at() { [[ "$(newest)" == $1 ]] || ended; }
wait_for() {
  within 60 is_at "$1" || fail "$2: expected $1, but the window is at $(newest)"
  runs "$2"
}
start='view=Attention theta=1.000000 zoom=100 dark adaptive seed=1 steps=0 entry=none'
wait_for "$start" "at the start"
wait_for_window

# press LAYOUT KEYS STATE: the keys as xdotool takes them (a number is a place) change the state at
# the start to STATE, and UNDO changes it back. Every action that came twice, or another one beside
# it, would show in the state.
press() {
  xdotool key "$2"
  wait_for "$3" "$layout, $1"
}
expect() { # WHAT KEY STATE UNDO
  press "$1" "$2" "$3"
  xdotool key "$4"
  wait_for "$start" "$layout, after $1"
}
state() { # view zoom theme adaptive
  echo "view=$1 theta=1.000000 zoom=$2 $3 $4 seed=1 steps=0 entry=none"
}
places=(10 11 12 13 14 15 16 17 18) # of the digits 1 to 9, on every keyboard
views=(Attention 'Table 1' '*' '*' '*' '*' '*' '*' '*')
one_view() { # I: the view of the I-th digit has the title that it has on an American keyboard
  xdotool key "${places[$1]}"
  wait_for "view=${views[$1]} *" "$layout, digit $(($1 + 1))"
}

layout=us
setxkbmap us
for i in 1 2 3 4 5 6 7 8; do
  before=$(newest)
  xdotool key "${places[i]}"
  another() { [ "$(newest)" != "$before" ]; }
  within 60 another || fail "digit $((i + 1)) changed nothing"
  title=$(newest)
  title=${title#view=}
  views[i]=${title%% theta=*}
done
[ "$(printf '%s\n' "${views[@]}" | sort -u | wc -l)" -eq 9 ] || fail "not nine views: ${views[*]}"
xdotool key 10
wait_for "$start" "us, back to the first view"

# LAYOUT PLUS MINUS A T: the places of these characters; for +, with the modifiers that it needs.
while read -r layout plus minus a t; do
  setxkbmap "$layout"
  for i in 8 7 6 5 4 3 2 1 0; do one_view "$i"; done
  expect "Ctrl and +" "ctrl+$plus" "$(state Attention 110 dark adaptive)" "ctrl+$minus"
  expect "Ctrl and -" "ctrl+$minus" "$(state Attention 90 dark adaptive)" "ctrl+19"
  expect "Ctrl and keypad +" "ctrl+86" "$(state Attention 110 dark adaptive)" "ctrl+82"
  expect "A" "$a" "$(state Attention 100 dark plain)" "$a"
  press "T" "$t" "$(state Attention 100 light adaptive)"
  expect "T again" "$t" "$(state Attention 100 "high contrast" adaptive)" "$t"
done <<END
us shift+21 20 38 28
de 35 61 38 28
fr shift+21 15 24 28
ch shift+10 61 38 28
END

# The digits of a French keyboard need Shift.
setxkbmap fr
layout=fr
expect "Shift and 2" shift+11 "$(state "${views[1]}" 100 dark adaptive)" shift+10

# Nothing waits for the next event when keys come faster than frames.
setxkbmap us
layout=us
name=/nowhere/rainy-harness-noon-press.safetensors
xdotool key ctrl+o type --delay 0 "$name"
wait_for "${start%none}$name" "typed quickly after Ctrl+O"
xdotool type --delay 0 "x
"
wait_for "${start%none}${name}x refused" "Enter"
xdotool type --delay 0 "nr span"
wait_for "${start%none}${name}xnr span" "typing after the name was refused"
xdotool key Escape
wait_for "$start" "Esc"

"$close_window" "$window" || fail "the window could not be asked to close"
ends 'close button' 0
echo "four keyboards, and nothing left hanging"
