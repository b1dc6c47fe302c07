"""The program as the CUDA compiler builds it, on a machine without a device."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["DISPERSION_LAB"]

# Says that it is for CUDA 11.4, and is no use for anything else.
OLD_DRIVER = """
int cuInit(unsigned flags) { (void)flags; return 0; }
int cuDriverGetVersion(int* version) { *version = 11040; return 0; }
"""


class CudaBuild(unittest.TestCase):
    def info(self, **environment):
        done = subprocess.run([PROGRAM, "info", "--json"], capture_output=True, text=True,
                              check=True, env={**os.environ, **environment})
        return json.loads(done.stdout)

    def test_the_driver_is_not_needed_to_start(self):
        listing = subprocess.run(["readelf", "-d", PROGRAM], capture_output=True, text=True,
                                 check=True).stdout
        needed = re.findall(r"\(NEEDED\).*\[(.+)\]", listing)
        self.assertIn("libc.so.6", needed)
        self.assertEqual([name for name in needed if "cuda" in name], [])

    def test_without_a_driver_the_program_says_so(self):
        with tempfile.TemporaryDirectory() as empty:
            info = self.info(LD_LIBRARY_PATH=empty)
        if info["gpu"] is None:  # else this machine has a device
            self.assertEqual(info["gpu_reason"], "No CUDA driver is installed.")

    def test_an_old_driver_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "driver.c"
            source.write_text(OLD_DRIVER)
            subprocess.run(["cc", "-shared", "-fPIC", "-o", f"{folder}/libcuda.so.1", source],
                           check=True)
            info = self.info(LD_LIBRARY_PATH=folder)
        self.assertIsNone(info["gpu"])
        self.assertIn("too old", info["gpu_reason"])
        self.assertIn("11.4", info["gpu_reason"])


if __name__ == "__main__":
    unittest.main()
