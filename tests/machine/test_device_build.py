"""The benches of tests/gpu_check.sh as the CUDA compiler builds them, on a machine without a device."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 1500


@unittest.skipUnless(shutil.which("nvcc") or os.path.exists("/usr/local/cuda/bin/nvcc"), "there is no nvcc")
class DeviceBuild(unittest.TestCase):
    # Not device_tests: it shares the library, and its own files are ordinary C++ that gpu_tests compiles
    # too; alone they take as long as all the kernels.
    def test_the_benches_start_and_say_that_there_is_no_device(self):
        with tempfile.TemporaryDirectory() as build, tempfile.TemporaryDirectory() as empty:
            environment = {**os.environ, "CUDAARCHS": "90"}
            environment.pop("EMULATION", None)
            built = subprocess.run([SOURCE / "tests/gpu_check.sh", "build", build, "device_bench"],
                                   capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False,
                                   env=environment)
            self.assertEqual(built.returncode, 0, (built.stdout + built.stderr)[-5000:])
            self.assertIn("for 90\n", built.stdout)
            started = subprocess.run([f"{build}/device_bench", "--small"], cwd=SOURCE, capture_output=True,
                                     text=True, timeout=PATIENCE_SECONDS, check=False,
                                     env={**environment, "CUDA_VISIBLE_DEVICES": "", "LD_LIBRARY_PATH": empty})
        self.assertEqual(started.returncode, 1, started)
        self.assertRegex(started.stderr, r"^device_bench: (No CUDA driver is installed|There is no CUDA device)\.\n$")
        self.assertEqual(started.stdout, "")


if __name__ == "__main__":
    unittest.main()
