#!/usr/bin/env bash
# Checks the CUDA backend on the device of this machine and writes a report. No network; under 8
# minutes on 16 cores.
#
#   tests/gpu_check.sh [REPORT.json]
#
# DEPENDENCIES names a folder with eigen3, nlohmann and googletest (default: where Debian has them);
# SECONDS_AT_MOST ends it early (default 480), with what is known by then.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
report=${1:-$root/gpu_report.json}
dependencies=${DEPENDENCIES-}
build=${BUILD:-$(mktemp -d)}
limit=${SECONDS_AT_MOST:-480}

if [[ -z $dependencies ]]; then
  dependencies=$build/dependencies
  mkdir -p "$dependencies"
  ln -sfn /usr/include/eigen3 "$dependencies/eigen3"
  ln -sfn /usr/include/nlohmann "$dependencies/nlohmann"
  ln -sfn /usr/src/googletest "$dependencies/googletest"
fi

left() { echo $((limit - SECONDS > 5 ? limit - SECONDS : 5)); }

# stage NAME COMMAND...  Keeps its output, and in `results` how it went.
results=
stage() {
  local name=$1 code begin=$SECONDS
  shift
  echo "$name ..." >&2
  timeout "$(left)" "$@" >"$build/$name.log" 2>&1
  code=$?
  tail -n 3 "$build/$name.log" >&2
  results+="\"$name\": {\"exit\": $code, \"seconds\": $((SECONDS - begin))}, "
  return "$code"
}

stage configure cmake -S "$root/tests/gpu/device" -B "$build" -G Ninja \
  -D DEPENDENCIES="$dependencies" &&
  stage build ninja -C "$build" &&
  {
    stage parity "$build/device_tests" --gtest_brief=1
    # The sanitizer takes ten times as long and more: a few cases of every kernel.
    if command -v compute-sanitizer >/dev/null; then
      short='*GoesTheSameWay/*OddSizes:*GoesTheSameWay/OneSet*:*AgreesWith*/*Odd:*AgreesWith*/*Sixteen:*AgreesWithDouble/OneMoreThanATile*'
      for tool in memcheck racecheck; do
        stage "$tool" compute-sanitizer --tool "$tool" --error-exitcode 9 \
          "$build/device_tests" --gtest_brief=1 --gtest_filter="$short"
      done
    fi
    stage bench "$build/device_bench"
  }

machine=$(nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,power.limit \
  --format=csv,noheader 2>/dev/null | head -n 1)
figures=$(tail -n 1 "$build/bench.log" 2>/dev/null | grep '^{' || echo null)
tests=$(grep -E '^\[(=+| +PASSED +)\] [0-9]+ test' "$build/parity.log" 2>/dev/null |
  grep -v Running | tr '\n' ' ' || true)
cat >"$report" <<END
{"commit": "$(git -C "$root" rev-parse --short=12 HEAD 2>/dev/null || echo unknown)",
 "machine": "$machine",
 "cuda": "$(nvcc --version 2>/dev/null | grep -o 'release [0-9.]*' || echo unknown)",
 "parity": "$tests",
 "stages": {${results%, }},
 "figures": $figures}
END
cat "$report"
[[ $results != *'"exit": '[1-9]* ]]
