#!/usr/bin/env bash
# Checks the CUDA backend on the device of this machine and writes a report: under 5 minutes on 16
# cores, and without a network.
#
#   tests/gpu_check.sh [--stages NAME,...] [REPORT.json]
#   tests/gpu_check.sh pack [--binary] [FOLDER]
#   tests/gpu_check.sh sources              what identifies the sources, in the report too
#   tests/gpu_check.sh build FOLDER NAME    device_bench or device_tests alone
#
# Stages, in this order: bench conformance parity memcheck racecheck synccheck initcheck (default: all).
# Figures are printed as they are measured. The report (default: gpu_report.json in $OUT, else in the
# project's folder) is written anew after every stage, so that one who is cut short has what was known
# by then; logs lie beside it. Exit status 1 unless every stage passed or was skipped.
#
# pack makes the folder that a bare machine needs, to be carried along: headers and GoogleTest's sources,
# and with --binary the tests and benches, built here, for a machine without a toolkit. Both are used
# where they are found, in FOLDER or in $PACK (default: .deps/gpu_check).
#
# The environment: CUDAARCHS (default 90), SECONDS_AT_MOST (default 285), BUILD for a folder to build in,
# EMULATION=1 to build and run against tests/emulation in the place of a device.
set -uo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
pack=$(realpath -m -- "${PACK:-$root/.deps/gpu_check}")
export CUDAARCHS=${CUDAARCHS:-90}
all_stages=bench,conformance,parity,memcheck,racecheck,synccheck,initcheck

say() { printf '%s\n' "$*"; }

fail() {
  say "gpu_check.sh: $*" >&2
  exit 2
}

# --- What a bare machine needs --------------------------------------------------------------------

# Of all that is built into the tests and benches: whether carried programs are of these sources.
sources_hash() {
  (cd -- "$root" && find core gpu cmake tests/gpu tests/emulation tests/*.h -type f ! -name '*.pyc' -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-16)
}

# The first folder of those that is there.
first_of() {
  local folder
  for folder in "$@"; do
    [[ ! -d $folder ]] || { printf '%s\n' "$folder" && return; }
  done
  return 1
}

# headers FOLDER  Links to where the headers and sources are: the pack, or Debian's packages.
headers() {
  local name from
  mkdir -p -- "$1"
  for name in eigen3 nlohmann googletest; do
    from=$(first_of "$pack/$name" "/usr/include/$name" "/usr/src/$name") || {
      say "$name is neither in $pack nor installed; where it is, run tests/gpu_check.sh pack"
      return 1
    }
    ln -sfn -- "$from" "$1/$name"
  done
}

# build_program NAME  In $build.
build_program() {
  local how=()
  [[ -z ${EMULATION-} ]] || how=(-D EMULATION=ON)
  headers "$build/headers" &&
    cmake -S "$root/tests/gpu/device" -B "$build" -G Ninja -D "DEPENDENCIES=$build/headers" "${how[@]}" &&
    ninja -C "$build" "$1"
}

make_pack() {
  local name with_binary=false
  [[ ${1-} != --binary ]] || { with_binary=true && shift; }
  (($# <= 1)) || fail "pack takes [--binary] and a folder"
  [[ -z ${1-} ]] || pack=$(realpath -m -- "$1")
  build=$(mktemp -d) || exit
  trap 'rm -rf -- "$build"' EXIT
  headers "$build/headers" || exit 1
  for name in $($with_binary && echo device_bench device_tests); do
    build_program "$name" || fail "$name could not be built"
  done
  rm -rf -- "$pack.new"
  mkdir -p -- "$pack.new"
  cp -rL -- "$build/headers/." "$pack.new"
  for name in unsupported signature_of_eigen3_matrix_library; do rm -rf -- "$pack.new/eigen3/$name"; done
  rm -rf -- "$pack.new/googletest/"{googlemock,docs,ci,googletest/test,googletest/docs,googletest/samples}
  if $with_binary; then
    mkdir -- "$pack.new/bin"
    for name in device_bench device_tests; do strip -o "$pack.new/bin/$name" "$build/$name" || exit; done
    sources_hash >"$pack.new/bin/sources"
  fi
  rm -rf -- "$pack"
  mv -- "$pack.new" "$pack"
  say "$pack: $(du -sm -- "$pack" | cut -f 1) MiB"
}

case ${1-} in
  pack)
    make_pack "${@:2}"
    exit
    ;;
  sources)
    sources_hash
    exit
    ;;
  build)  # as a command, which can be stopped when its time is out
    build=$2
    build_program "$3"
    exit
    ;;
esac

# --- Stages ---------------------------------------------------------------------------------------

stages=$all_stages
if [[ ${1-} == --stages ]]; then
  stages=${2-}
  shift 2 || fail "--stages wants names"
fi
[[ $# -le 1 && ${1-} != -* ]] || fail "usage: tests/gpu_check.sh [--stages NAME,...] [REPORT.json]"
for name in ${stages//,/ }; do
  [[ ,$all_stages, == *,$name,* ]] || fail "no stage $name; there are $all_stages"
done
limit=${SECONDS_AT_MOST:-285}
report=$(realpath -m -- "${1:-${OUT:-$root}/gpu_report.json}")
logs=${report%.json}
mkdir -p -- "${report%/*}" || exit
rm -f -- "$report" "$logs".{build,bench,conformance,parity,sanitizers}.log
cd -- "$root" || exit
build=${BUILD:-}
if [[ -z $build ]]; then
  build=$(mktemp -d) || exit
  trap 'rm -rf -- "$build"' EXIT
fi

results=()
bad=0

# write_report  All that is known by now.
write_report() {
  local figures
  figures=$(sed -nE 's/^([a-z0-9_]+) (-?[0-9][-+.e0-9]*|null)$/  "\1": \2/p' "$logs.bench.log" 2>/dev/null |
    paste -s -d , | sed 's/,  /,\n  /g')
  {
    printf '{"commit": "%s",\n "sources": "%s",\n "programs": "%s",\n "machine": "%s",\n "cuda": "%s",\n' \
      "$commit" "$sources" "$programs" "$machine" "$cuda"
    printf ' "stages": {\n%s\n },\n' "$(printf '%s\n' "${results[@]}" | paste -s -d , | sed 's/,  /,\n  /g')"
    printf ' "figures": {\n%s\n }}\n' "$figures"
  } >"$report"
}

# note NAME RESULT SECONDS WHY  Keeps how a stage went, and says it.
note() {
  local why=${4//[\"\\]/}
  results+=("  \"$1\": {\"result\": \"$2\", \"seconds\": $3${why:+, \"why\": \"$why\"}}")
  say "$1: $2 after $3 s${why:+, $why}"
  [[ $2 == passed || $2 == skipped ]] || bad=1
  write_report
}

# worth_showing STATUS  Of tests that fail, what they say, without the list of their names at the end;
# of one that is stopped, how far it came.
worth_showing() {
  case $1 in
    124 | 137) cat ;;
    *) sed -E '/^\[( RUN      |       OK |-{10})\]/d; /ms\)$/!{/^\[  FAILED  \]/d}' ;;
  esac
}

# stage NAME LOG SECONDS COMMAND...  Runs it for so long at most, and within what is left of all. The
# output is appended to the log; that of benches is shown as it comes, else the end of what fails.
stage() {
  local name=$1 log=$logs.$2.log most=$3 begin=$SECONDS left=$((limit - SECONDS)) code lines
  shift 3
  [[ -z ${EMULATION-} ]] || most=$((20 * most))
  ((left >= most)) || most=$left
  if ((most < 3)); then
    note "$name" skipped 0 "the time is out"
    return 0
  fi
  say "$name ..."
  printf '== %s\n' "$name" >>"$log"
  lines=$(wc -l <"$log")
  if [[ $log == *.bench.log ]]; then
    timeout -k 5 "$most" "$@" 2>&1 | tee -a -- "$log"
    code=${PIPESTATUS[0]}
  else
    timeout -k 5 "$most" "$@" >>"$log" 2>&1
    code=$?
  fi
  if ((code == 124 || code == 137)); then
    note "$name" "timed out" $((SECONDS - begin)) "$most s were allowed"
  elif ((code != 0)); then
    note "$name" failed $((SECONDS - begin)) "exit status $code"
  elif tail -n "+$lines" "$log" | grep -q '^\[  PASSED  \] 0 tests'; then
    note "$name" failed $((SECONDS - begin)) "no test has such a name"
    code=1
  else
    note "$name" passed $((SECONDS - begin)) "$(tail -n "+$lines" "$log" | sed -nE 's/^\[  PASSED  \] //p')"
    return 0
  fi
  [[ $log == *.bench.log ]] || tail -n "+$lines" "$log" | worth_showing "$code" | tail -n 40
  say "(the whole log: $log)"
  return "$code"
}

chosen() { [[ ,$stages, == *,$1,* ]]; }

# sanitizer TOOL  A few cases that reach every kernel, since it takes ten times as long and more.
sanitizer() {
  local tool
  local short='*GoesTheSameWay/*OddSizes:*GoesTheSameWay/OneSet*:*AgreesWith*/*Odd:*AgreesWith*/*Sixteen:*AgreesWithDouble/OneMoreThanATile*'
  # One pass over the keys; sets too long for shared memory; many sets of several heads.
  short+=':*AgreesWithDouble/PlainOutlier*:*GoesTheSameWay/ManyItemsDirect:*BitsDepend*/ManySetsDirect'
  tool=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null) ||
    { note "$1" skipped 0 "compute-sanitizer is not here" && return; }
  stage "$1" sanitizers 45 "$tool" --tool "$1" --error-exitcode 9 \
    "$programs/device_tests" --gtest_filter="${SHORT_TESTS:-$short}"
}

bench_stages() {
  local section small=()
  [[ -z ${EMULATION-} ]] || small=(--small)
  for section in machine training evaluation; do
    stage "bench_$section" bench 40 "$programs/device_bench" "${small[@]}" "$section"
  done
  stage bench_attention bench 60 "$programs/device_bench" "${small[@]}" attention
}

test_stages() {
  local tool conformance='Conformance*:*/Conformance*'
  ! chosen conformance || stage conformance conformance 90 \
    "$programs/device_tests" --gtest_filter="$conformance"
  ! chosen parity || stage parity parity 60 \
    "$programs/device_tests" --gtest_filter="-$conformance"
  for tool in memcheck racecheck synccheck initcheck; do
    ! chosen "$tool" || sanitizer "$tool"
  done
}

# program NAME  Whether it is there: carried, or built now.
program() { $carried || stage "build_$1" build 120 "$BASH" "$root/tests/gpu_check.sh" build "$build" "$1"; }

commit=$(git -C "$root" rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
sources=$(sources_hash)
machine=$(nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,power.limit \
  --format=csv,noheader 2>/dev/null | head -n 1 | tr -d '\042\134')
cuda=$( (nvcc --version || /usr/local/cuda/bin/nvcc --version) 2>/dev/null | grep -o 'release [0-9.]*' || echo none)
say "${machine:-no nvidia-smi}; nvcc: $cuda"
programs=$pack/bin carried=true
if [[ ! -x $programs/device_bench || $(<"$programs/sources") != "$sources" ]]; then
  [[ ! -x $programs/device_bench ]] || say "The programs in $programs are of other sources."
  programs=$build carried=false
fi
if chosen bench; then program device_bench && bench_stages; fi
if [[ $stages != bench ]]; then program device_tests && test_stages; fi
say "The report: $report"
exit "$bad"
