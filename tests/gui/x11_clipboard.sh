#!/bin/bash
# Copies pictures to the X11 clipboard through xclip and pastes them in another program: small ones in
# one piece, large ones in many (INCR; xclip 0.13 serves these to one program at a time), replaced by
# another picture or another program's text, and after the program that copied them has ended.
# Usage: x11_clipboard.sh HOLDER
. "$(dirname "$0")/x11_server.sh"
holder=$1
need_tools xclip
PATH=/nowhere "$holder" </dev/null 2>"$work/refusal" && fail "xclip was found where it is not"

start_server 640x480
mkfifo "$work/names"
"$holder" <"$work/names" >"$work/said" 2>/dev/null &
child=$!
exec 4>"$work/names"
# Copies the file and compares what is pasted. Tries again for a while, since the picture before stays
# until xclip has taken this one.
hold() {
  local lines
  lines=$(wc -l <"$work/said")
  echo "$1" >&4
  has_come() {
    [ "$(wc -l <"$work/said")" -gt "$lines" ] && paste >"$work/pasted" && cmp -s "$1" "$work/pasted"
  }
  within 60 has_come "$1" && return
  fail "$1 came as $(wc -c <"$work/pasted") bytes"
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
done
targets | sort | tr '\n' ' ' | grep -qx 'TARGETS image/png ' || fail "targets: $(targets)"

# Text that another program copies replaces the picture, and the next picture replaces that.
printf words | xclip -selection clipboard -i
words_come() { [ "$(timeout 20 xclip -selection clipboard -o)" = words ]; }
within 60 words_come || fail "the clipboard was not let go"
hold "$work/small"

exec 4>&-
ends 'the program that copied' 0
paste | cmp -s "$work/small" - || fail "the picture went with the program that copied it"
printf words | xclip -selection clipboard -i 2>/dev/null # so that the xclip before it ends
echo "every picture came as it was"
