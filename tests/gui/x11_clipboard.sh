#!/bin/bash
# Pictures on the X11 clipboard, taken by another program: in one piece, in many (INCR), by two at
# once, replaced, lost to somebody else, and gone with the program. Usage: x11_clipboard.sh HOLDER
. "$(dirname "$0")/x11_server.sh"
holder=$1
need_tools xclip
DISPLAY=:987 "$holder" </dev/null 2>"$work/refusal" && fail "a display that is not there was found"

start_server 640x480
mkfifo "$work/names"
"$holder" <"$work/names" >"$work/said" 2>/dev/null &
child=$!
exec 4>"$work/names"
hold() {
  local lines
  lines=$(wc -l <"$work/said")
  echo "$1" >&4
  for _ in $(seq 100); do
    [ "$(wc -l <"$work/said")" -gt "$lines" ] && [ "$(targets | grep -c image/png)" -eq 1 ] && return
    sleep 0.05
  done
  fail "$1 is not on the clipboard"
}
targets() { timeout 20 xclip -selection clipboard -o -t TARGETS 2>/dev/null; }
paste() { timeout 60 xclip -selection clipboard -o -t image/png 2>/dev/null; }

head -c 5000 /dev/urandom >"$work/small"
head -c 200000 /dev/urandom >"$work/limit"
head -c 200001 /dev/urandom >"$work/beyond"
head -c 9000000 /dev/urandom >"$work/large"
: >"$work/empty"
for name in small limit beyond large empty small; do
  hold "$work/$name"
  sleep 0.1
  paste >"$work/pasted"
  cmp -s "$work/$name" "$work/pasted" || fail "$name came as $(wc -c <"$work/pasted") bytes"
done
targets | sort | tr '\n' ' ' | grep -qx 'TARGETS TIMESTAMP image/png ' || fail "targets: $(targets)"
timeout 20 xclip -selection clipboard -o -t UTF8_STRING >"$work/text" 2>/dev/null &&
  fail "a picture was given as text"

# Two at once, one of which goes in the middle.
hold "$work/large"
sleep 0.1
timeout 0.02 xclip -selection clipboard -o -t image/png >/dev/null 2>&1
paste >"$work/first" &
first=$!
paste >"$work/second"
wait "$first"
cmp -s "$work/large" "$work/first" && cmp -s "$work/large" "$work/second" || fail "two at once failed"
kill -0 "$child" 2>/dev/null || fail "the holder ended when a program went in the middle"

# Somebody else's text takes its place; the next picture takes it back.
printf words | xclip -selection clipboard -i
[ "$(timeout 20 xclip -selection clipboard -o)" = words ] || fail "the clipboard was not let go"
hold "$work/small"
sleep 0.1
paste | cmp -s "$work/small" - || fail "the clipboard was not taken back"

exec 4>&-
for _ in $(seq 100); do kill -0 "$child" 2>/dev/null || break; sleep 0.05; done
kill -0 "$child" 2>/dev/null && fail "the holder did not end"
child=''
[ -z "$(targets)" ] || fail "the clipboard is still held after the end"
echo "every picture came as it was"
