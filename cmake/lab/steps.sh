# shellcheck shell=bash
# Part of ./lab: runs things quietly, and shows how far they have come.

on_terminal=false
[[ -t 2 && ${TERM:-dumb} != dumb ]] && on_terminal=true
announce=true  # whether a step without a terminal says that it begins

# Copies the latest line of its input to one line of the terminal.
show_latest() {
  local line width
  shopt -s checkwinsize
  (:)
  width=$((${COLUMNS:-80} - ${#1} - 3))
  while IFS= read -r line; do printf '\r\033[K%s: %s' "$1" "${line:0:width}" >&2; done
  printf '\r\033[K' >&2
}

# Says how far a build or a suite has come: on a terminal in one line that changes, elsewhere in a line
# at every tenth of the steps, but not more often than every ten seconds. The time left is an estimate
# from the steps done, and steps differ.
show_steps() {
  local line done=0 all=0 begin=$SECONDS said=$SECONDS tenth=0 text left
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] || $line =~ ^\ *([0-9]+)/([0-9]+)\ Test ]] || continue
    done=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
    text="$1: $done of $all"
    if ((done > 0 && done < all && SECONDS - begin >= 5)); then
      left=$(((SECONDS - begin) * (all - done) / done))
      text+=", about $((left < 90 ? left : left / 60)) $( ((left < 90)) && echo s || echo min) left"
    fi
    if $on_terminal; then
      printf '\r\033[K%s' "$text" >&2
    elif ((done * 10 / all > tenth && SECONDS - said >= 10)); then
      tenth=$((done * 10 / all)) said=$SECONDS
      say "$text"
    fi
  done
  if $on_terminal; then printf '\r\033[K' >&2; fi
}

# Says which fetched file has another hash than the pinned one, as pip found it.
show_mismatch() {
  awk '/^ +[^ ]+ from /    {name = $1}
       / Expected sha256 / {expected = $NF}
       /^ +Got +/          {printf "lab: %s is refused: its SHA-256 is not the pinned one.\n" \
                                   "  expected %s\n  got      %s\n", name, expected, $NF}' "$1" >&2
}

# What went wrong, out of a log: a wrong hash, the first error and after, or the end.
show_failure() {
  if grep -q '^ *Expected sha256 ' "$1"; then
    show_mismatch "$1"
  elif grep -Eq '^(FAILED:|CMake Error)' "$1"; then
    sed -En '/^(FAILED:|CMake Error)/,$p' "$1" | head -n 200 >&2
  else
    tail -n 100 "$1" >&2
  fi
  say "(the whole log: $1)"
}

# step LABEL LOG COMMAND...  Runs the command with its output in the log. Its latest line, or how many
# of its steps are done, is shown while it runs; all that matters when it fails; and its time when it
# took long enough to wonder.
step() {
  local label=$1 log=$2 start=$SECONDS status=0
  shift 2
  mkdir -p -- "${log%/*}"
  if [[ " $* " == *" ninja "* || " $* " == *" ctest "* ]]; then
    if $announce && ! $on_terminal; then say "$label ..."; fi
    "$@" </dev/null 2>&1 | tee -- "$log" | show_steps "$label" || status=${PIPESTATUS[0]}
  elif $on_terminal; then
    "$@" </dev/null 2>&1 | tee -- "$log" | show_latest "$label" || status=${PIPESTATUS[0]}
  else
    if $announce; then say "$label ..."; fi
    "$@" </dev/null >"$log" 2>&1 || status=$?
  fi
  if ((status != 0)); then
    show_failure "$log"
    say "$label: failed."
  elif ((SECONDS - start >= 2)); then
    say "$label: $((SECONDS - start)) s."
  fi
  return "$status"
}
