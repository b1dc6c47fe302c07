"""tests/gpu_check.sh with the emulation in the place of a device, and with programs that fail."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["DISPERSION_SOURCE"])
BENCH = os.environ["DISPERSION_BENCH"]  # device_bench and gpu_tests, on the emulation
GPU_TESTS = os.environ["DISPERSION_GPU_TESTS"]
SCRIPT = SOURCE / "tests/gpu_check.sh"
PATIENCE_SECONDS = 120
SANITIZERS = ["memcheck", "racecheck", "synccheck", "initcheck"]
BENCHES = ["bench_machine", "bench_training", "bench_evaluation", "bench_attention"]

PASSES = "echo '[  PASSED  ] 7 tests.'"
# As compute-sanitizer, of which only the command that it is given counts.
SANITIZER = 'while [ "${1#--}" != "$1" ]; do case $1 in --tool | --error-exitcode) shift;; esac; shift; done; "$@"'


def write_program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


class GpuCheck(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dispersion-gpu-check-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.pack = self.folder / "pack"
        self.tools = self.folder / "tools"
        self.report_file = self.folder / "out/report.json"
        write_program(self.tools / "nvidia-smi", "echo Stand-in, 580.1, 1980 MHz")

    def carry(self, bench="exit 0", tests=PASSES, sources=None):
        """Programs that are there already, of these sources."""
        write_program(self.pack / "bin/device_bench", bench)
        write_program(self.pack / "bin/device_tests", tests)
        if sources is None:
            sources = subprocess.run([SCRIPT, "sources"], capture_output=True, text=True, check=True).stdout
        (self.pack / "bin/sources").write_text(sources)

    def run_script(self, *arguments, **environment):
        path = f"{self.tools}:{os.environ['PATH']}"
        inherited = {name: value for name, value in os.environ.items() if name != "CUDAARCHS"}
        return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True,
                              timeout=PATIENCE_SECONDS, check=False,
                              env={**inherited, "PATH": path, "PACK": str(self.pack), **environment})

    def check(self, *arguments, **environment):
        report = [] if "OUT" in environment else [self.report_file]
        return self.run_script(*arguments, *report, **environment)

    def report(self):
        return json.loads(self.report_file.read_text())

    def results(self):
        return {name: stage["result"] for name, stage in self.report()["stages"].items()}

    def test_all_stages_on_the_emulation(self):
        self.carry(bench=f'exec "{BENCH}" "$@"',
                   tests=f'exec "{GPU_TESTS}" "$@" --gtest_filter="*GoesTheSameWay/OneSet"')
        write_program(self.tools / "compute-sanitizer", SANITIZER)
        done = self.check(EMULATION="1")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        stages = [*BENCHES, "conformance", "parity", *SANITIZERS]
        self.assertEqual(self.results(), dict.fromkeys(stages, "passed"))
        self.assertEqual(list(self.results()), stages)
        report = self.report()
        self.assertEqual(report["machine"], "Stand-in, 580.1, 1980 MHz")
        self.assertIn("1 test.", report["stages"]["parity"]["why"])
        figures = report["figures"]
        for name in ["graph_gap_us", "copy_gb_per_s", "bf16_mma_tflops", "spectral_2_heads_step_us",
                     "direct_1_heads_kernel_1_nothing_us", "spectral_1_sets_of_128_us",
                     "attention_bf16_adaptive_128_ms", "attention_fp32_softmax_128_ms"]:
            self.assertGreater(figures[name], 0, name)
            self.assertIn(f"\n{name} ", done.stdout)

    def test_runs_the_stages_that_are_named(self):
        self.carry(tests=f"echo ran \"$@\"; {PASSES}")
        done = self.check("--stages", "parity")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.results(), {"parity": "passed"})
        self.assertIn("ran --gtest_filter=-Conformance",
                      (self.folder / "out/report.parity.log").read_text())
        self.check("--stages", "conformance,bench")
        self.assertEqual(list(self.results()), [*BENCHES, "conformance"])
        wrong = self.check("--stages", "parity,speed")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("no stage speed", wrong.stderr)

    def test_what_fails_shows_its_end_and_stops_nothing(self):
        self.carry(bench="echo step_us 3; echo rate -1.5e+20; echo ratio null; echo 'no figure 7'",
                   tests='for i in $(seq 60); do echo "[ RUN      ] $i"; echo "line $i;"; done; '
                         'seq -f "[  FAILED  ] number %g" 50; exit 3')
        done = self.check("--stages", "bench,conformance,parity")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.results(), {**dict.fromkeys(BENCHES, "passed"), "conformance": "failed",
                                          "parity": "failed"})
        self.assertIn("exit status 3", self.report()["stages"]["parity"]["why"])
        self.assertEqual(self.report()["figures"], {"step_us": 3, "rate": -1.5e20, "ratio": None})
        self.assertEqual(done.stdout.count("line 21;"), 2)
        self.assertEqual(done.stdout.count("line 60;"), 2)
        self.assertNotIn("line 20;", done.stdout)
        self.assertIn("line 1;", (self.folder / "out/report.parity.log").read_text())

    def test_a_filter_without_tests_fails(self):
        self.carry(tests=f'exec "{GPU_TESTS}" "$@" --gtest_filter=NoSuchTest')
        self.assertEqual(self.check("--stages", "conformance").returncode, 1)
        self.assertEqual(self.results(), {"conformance": "failed"})

    @unittest.skipIf(shutil.which("compute-sanitizer") or
                     os.path.exists("/usr/local/cuda/bin/compute-sanitizer"), "compute-sanitizer is here")
    def test_without_the_sanitizer_it_says_so(self):
        self.carry()
        done = self.check("--stages", "racecheck")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.results(), {"racecheck": "skipped"})
        self.assertIn("racecheck: skipped after 0 s, compute-sanitizer is not here", done.stdout)

    def test_what_the_sanitizer_finds_fails(self):
        self.carry()
        write_program(self.tools / "compute-sanitizer", 'echo "$*" && [ "$2" != racecheck ] || exit 9')
        self.assertEqual(self.check("--stages", ",".join(SANITIZERS)).returncode, 1)
        self.assertEqual(self.results(), {**dict.fromkeys(SANITIZERS, "passed"), "racecheck": "failed"})
        self.assertIn("--tool initcheck --error-exitcode 9",
                      (self.folder / "out/report.sanitizers.log").read_text())

    def test_ends_in_time_with_what_is_known(self):
        self.carry(bench="echo first_us 1; sleep 1000")
        done = self.check("--stages", "bench,parity", SECONDS_AT_MOST="5")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.results(), {"bench_machine": "timed out", "parity": "skipped",
                                          **dict.fromkeys(BENCHES[1:], "skipped")})
        self.assertEqual(self.report()["figures"], {"first_us": 1})
        self.assertIn("parity: skipped after 0 s, the time is out", done.stdout)

    def test_shows_how_far_tests_came_that_are_stopped(self):
        self.carry(tests="echo '[ RUN      ] TheOneThatHangs'; sleep 1000")
        done = self.check("--stages", "parity", SECONDS_AT_MOST="4")
        self.assertEqual(self.results(), {"parity": "timed out"})
        self.assertIn("TheOneThatHangs", done.stdout)

    def test_writes_to_the_folder_for_output(self):
        self.carry()
        out = self.folder / "elsewhere"
        self.check("--stages", "parity", OUT=str(out))
        self.assertEqual(sorted(file.name for file in out.iterdir()),
                         ["gpu_report.json", "gpu_report.parity.log"])

    def test_programs_of_other_sources_are_built_anew(self):
        self.carry(tests="exit 1", sources="0123")
        write_program(self.tools / "cmake", 'echo "for $CUDAARCHS"')
        write_program(self.tools / "ninja", f'echo "built $3"; printf "#!/bin/sh\n{PASSES}\n" >"$2/$3"; '
                                            'chmod +x "$2/$3"')
        done = self.check("--stages", "parity")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.results(), {"build_device_tests": "passed", "parity": "passed"})
        self.assertIn("of other sources", done.stdout)
        self.assertIn("for 90\nbuilt device_tests", (self.folder / "out/report.build.log").read_text())

    def test_what_does_not_build_leaves_the_rest(self):
        write_program(self.tools / "cmake", "exit 0")
        write_program(self.tools / "ninja", '[ "$3" = device_tests ] || { echo "error: no"; exit 4; }; '
                                            f'printf "#!/bin/sh\n{PASSES}\n" >"$2/$3"; chmod +x "$2/$3"')
        done = self.check("--stages", "bench,parity")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.results(), {"build_device_bench": "failed", "build_device_tests": "passed",
                                          "parity": "passed"})
        self.assertIn("error: no", done.stdout)

    def test_packed_programs_are_run_as_they_are(self):
        write_program(self.tools / "cmake", "exit 0")
        write_program(self.tools / "ninja", f'printf "#!/bin/sh\n{PASSES}\n" >"$2/$3"; chmod +x "$2/$3"')
        write_program(self.tools / "strip", 'cp "$3" "$2"')
        packed = self.run_script("pack", "--binary")
        self.assertEqual(packed.returncode, 0, packed.stdout + packed.stderr)
        write_program(self.tools / "cmake", "exit 1")
        done = self.check("--stages", "bench,parity")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.results(), dict.fromkeys([*BENCHES, "parity"], "passed"))
        self.assertEqual(self.report()["programs"], str(self.pack / "bin"))

    def test_pack_holds_all_that_a_bare_machine_lacks(self):
        self.assertEqual(self.run_script("pack").returncode, 0)
        for name in ["eigen3/Eigen/Core", "nlohmann/json.hpp", "googletest/googletest/src/gtest-all.cc",
                     "googletest/googletest/include/gtest/gtest.h"]:
            self.assertTrue((self.pack / name).is_file(), name)
        size = sum(file.stat().st_size for file in self.pack.rglob("*") if file.is_file())
        self.assertLess(size, 32 << 20)
        self.assertFalse([path for path in self.pack.rglob("*") if path.is_symlink()])


if __name__ == "__main__":
    unittest.main()
