#!/usr/bin/env bash
# Times a training step of the paper's listing in JAX, Flax and Optax, and ours, by the direct and by
# the spectral path, on one core and on two, alternating in one run; and checks that a checkpoint of
# ours gives our class logits in the listing. Needs the network once, for a throw-away environment.
#
#   tests/bench/against_jax.sh [STEPS]      (after ./lab test, which builds the benchmark)
#
# ROUNDS says how often everything is timed (default 3; medians are reported); JAX_PYTHON names a Python
# that has jax, flax, optax and safetensors already.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
steps=${1:-1500}
rounds=${ROUNDS:-3}
bench=$root/build/release/bench
[[ -x $bench ]] || { echo "against_jax.sh: $bench is not there; run ./lab test first" >&2; exit 1; }
(($(nproc) >= 2)) || { echo "against_jax.sh: two cores are needed" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
python=${JAX_PYTHON-}
if [[ -z $python ]]; then
  echo "Installing jax, flax and optax into a throw-away environment ..." >&2
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install -q jax==0.10.2 flax==0.12.8 optax==0.2.8 safetensors==0.8.0
  python=$work/venv/bin/python
fi
export JAX_PLATFORMS=cpu

# jax CORES  Milliseconds per step.
jax() { taskset -c "$1" "$python" "$root/tests/bench/jax_listing.py" time "$steps"; }

# ours PATH THREADS CORES  The same, the median of repetitions.
ours() {
  taskset -c "$3" "$bench" --benchmark_filter="^training_step_$1/threads/$2/" \
    --benchmark_repetitions=5 --benchmark_min_time=0.5 --benchmark_format=json 2>/dev/null |
    "$python" -c '
import json, sys
text = sys.stdin.read()
runs = json.loads(text[text.index("{"):])["benchmarks"]
print([run["ms_a_step"] for run in runs if run.get("aggregate_name") == "median"][0])'
}

for ((round = 0; round < rounds; ++round)); do
  for threads in 1 2; do
    cores=0
    ((threads == 2)) && cores=0,1
    jax $cores >>"$work/jax.$threads"
    ours direct $threads $cores >>"$work/direct.$threads"
    ours spectral $threads $cores >>"$work/spectral.$threads"
  done
done

head=$root/assets/heads/seed1.safetensors
"$root/build/release/class_logits" "$head" >"$work/logits.json"
difference=$("$python" "$root/tests/bench/jax_listing.py" check "$head" "$work/logits.json")
echo "The shipped head in the listing gives our class logits to $difference."
taskset -c 0 "$bench" --benchmark_filter='^(training_step.*/1/|evaluate)' 2>/dev/null || true

"$python" - "$work" <<'END'
import statistics
import sys

def median(name, threads):
    with open(f"{sys.argv[1]}/{name}.{threads}", encoding="utf-8") as file:
        return statistics.median(float(line) for line in file)

parts = []
for threads, name in ((1, "one core"), (2, "two cores")):
    jax, direct, spectral = (median(kind, threads) for kind in ("jax", "direct", "spectral"))
    print(f"{name}: JAX {jax:.3f} ms a step, direct {direct:.3f}, spectral {spectral:.3f}")
    parts.append(f"{name}: direct {jax / direct:.2f} spectral {jax / spectral:.2f}")
print("ratio " + "; ".join(parts))
END
