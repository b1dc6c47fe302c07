# shellcheck shell=bash
# Part of ./lab: runs the suites and counts their tests.

passed=0 failed=0 skipped=0
failures="" # what to read of the tests that failed

summary() {
  local line="$passed passed, $failed failed"
  printf '%s' "$failures"
  ((skipped > 0)) && line+=", $skipped skipped"
  printf '%s\n' "$line"
  ((failed == 0 && passed > 0)) || exit 1
}

# count_tests PRESET REPORT LIST  Prints what a report of ctest holds: what the tests under random inputs
# have counted, then the tests suite by suite, and last the three sums. LIST is ctest's own list of the
# tests with their labels, which are the suites.
count_tests() {
  python3 - "$@" <<'PYTHON'
import collections, json, sys, xml.etree.ElementTree as tree

preset, report, listing = sys.argv[1:]
suite_of = {}
for test in json.load(open(listing))["tests"]:
    properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
    suite_of[test["name"]] = properties.get("LABELS", ["other"])[0]
suites = collections.defaultdict(collections.Counter)
for case in tree.parse(report).getroot().iter("testcase"):
    outcome = {"run": "passed", "fail": "failed"}.get(case.get("status"), "skipped")
    suites[suite_of[case.get("name")]].update({outcome: 1, "seconds": float(case.get("time") or 0)})
    for line in (case.findtext("system-out") or "").splitlines():
        if line.startswith(("fuzz: ", "monkey: ")):
            print(f"{preset:8} {line}")
total = collections.Counter()
for suite, count in sorted(suites.items()):
    print(f"{preset:8} {suite:8} {count['passed']:4} passed, {count['failed']} failed, "
          f"{count['skipped']} skipped, {count['seconds']:.0f} s of tests")
    total.update(count)
print(total["passed"], total["failed"], total["skipped"])
PYTHON
}

# failed_outputs PRESET REPORT  What to read of each test that failed: its last lines, or those from where a
# sanitizer begins, which ends with a table of bytes.
failed_outputs() {
  python3 - "$@" <<'PYTHON'
import sys, xml.etree.ElementTree as tree

preset, report = sys.argv[1:]
for case in tree.parse(report).getroot().iter("testcase"):
    if case.get("status") == "fail":
        print(f"{preset}: {case.get('name')} failed:")
        lines = (case.findtext("system-out") or "").splitlines()
        found = [i for i, line in enumerate(lines) if "Sanitizer" in line or "runtime error" in line]
        first = found[0] if found else max(0, len(lines) - 25)
        print(*("  " + line[:300] for line in lines[first : first + 25]), sep="\n")
PYTHON
}

# run_suites PRESET OPTION...  Every test that was built, or those that options of ctest choose, as many
# at a time as there are cores; tests that share a display or use all cores say so to ctest themselves.
run_suites() {
  local preset=$1 start=$SECONDS wrapper=() counts good=0 bad=1 left_out=0
  local report=$build/$preset/test.xml log=$build/$preset/test.log
  # ThreadSanitizer wants its addresses where it expects them.
  [[ $preset == tsan ]] && setarch "$(uname -m)" -R true 2>/dev/null &&
    wrapper=(setarch "$(uname -m)" -R)
  rm -f -- "$report"
  step "Testing $preset" "$log" "${wrapper[@]}" ctest --preset "$preset" \
    -j "$(nproc)" --output-junit "$report" "${@:2}" || true
  ctest --test-dir "$build/$preset" --show-only=json-v1 >"$build/$preset/tests.json" || true
  if [[ -f $report ]] && counts=$(count_tests "$preset" "$report" "$build/$preset/tests.json"); then
    read -r good bad left_out <<<"${counts##*$'\n'}"
    printf '%s\n' "${counts%$'\n'*}"
    ((bad == 0)) || failures+=$(failed_outputs "$preset" "$report")$'\n'
  fi
  ((good + bad > 0)) || bad=1
  passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left_out))
  say "$preset: $((SECONDS - start)) s."
}

# build_tests PRESET TARGET...
build_tests() {
  configure "$1" ON && compile "$@" && return
  failed=$((failed + 1))
  summary
}

# test_preset PRESET TARGET...  Builds the targets and runs what they test.
test_preset() {
  build_tests "$@"
  run_suites "$1"
}

has_libfuzzer() {
  command -v clang >/dev/null && command -v clang++ >/dev/null &&
    [[ -e $(clang++ -print-file-name="lib/linux/libclang_rt.fuzzer_no_main-$(uname -m).a") ]]
}

# run_fuzz SECONDS  Each reader for so long and kills for five times as long, under the sanitizers; with
# other random numbers every time, unless DISPERSION_FUZZ_SEED names those that are printed.
run_fuzz() {
  local preset=asan
  has_libfuzzer && preset=fuzz
  export DISPERSION_FUZZ_SECONDS=$1 DISPERSION_FUZZ_SEED=${DISPERSION_FUZZ_SEED:-$RANDOM}
  build_tests "$preset" fuzz_tests dispersion_lab
  run_suites "$preset" -L fuzz
  summary
}

# What a device's driver is for, or what CUDAARCHS asks for; see cmake/find_cuda.cmake.
cuda_is_built() { [[ $(cached release DISPERSION_CUDA_FOR) != none ]]; }

# run_tests TIER  "quick": release, every suite. "full": built for AVX2, with the suite "machine" (other
# processors, compilers and readers), and under the sanitizers too, and the device code compiled, for
# two architectures unless CUDAARCHS names others.
run_tests() {
  ensure_packages packages-to-test "${packages_to_build[@]}" "${packages_to_test[@]}"
  [[ $1 == quick ]] || ensure_packages packages-to-test-fully "${packages_to_test_fully[@]}"
  ensure_bundle
  ensure_pinned test_requirements.txt python "safetensors for Python"
  export LC_ALL=C.UTF-8
  cd -- "$root"
  if [[ $1 == fuzz ]]; then
    run_fuzz "$2"
    return
  fi
  if [[ $1 == full ]]; then export CUDAARCHS=${CUDAARCHS:-90-real;120-real}; fi
  build_tests release all
  ! cuda_is_built || ensure_pinned device_requirements.txt nvdisasm nvdisasm
  run_suites release
  cuda_is_built ||
    echo "The kernels ran on the CPU; device code was not built ($(cached release DISPERSION_CUDA_WHY))."
  if [[ $1 == full ]]; then
    test_preset avx2 dispersion_lab dispersion_starter
    # The sanitizers need only what their own suites use; the command line's run the program.
    # Three minutes for all readers, and one for kills; four for the window at random.
    DISPERSION_FUZZ_SECONDS=${DISPERSION_FUZZ_SECONDS:-12} \
      DISPERSION_MONKEY_SECONDS=${DISPERSION_MONKEY_SECONDS:-240} test_preset asan tests/all dispersion_lab
    test_preset tsan tests/all
  fi
  summary
}
