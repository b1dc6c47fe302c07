"""Which instruction set CMake chooses, and when it chooses again."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from support import PATIENCE_SECONDS, ROOT

PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(choice LANGUAGES CXX)
include("{ROOT}/cmake/instruction_set.cmake")
"""


class Choice(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dispersion-choice-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "CMakeLists.txt").write_text(PROJECT)

    def configure(self, *options):
        """The line that CMake says of the instruction set, without the name of the set."""
        result = subprocess.run(["cmake", "-S", ".", "-B", "build", *options], cwd=self.folder,
                                capture_output=True, text=True, timeout=PATIENCE_SECONDS)
        self.assertEqual(result.returncode, 0, result.stderr)
        return re.search(r"^-- Instruction set: avx\w+ \((.*)\)$", result.stdout, re.MULTILINE)[1]

    def pretend_that_it_was_another_processor(self):
        cache = self.folder / "build/CMakeCache.txt"
        text, count = re.subn(r"^(DISPERSION_PROCESSOR:\w+=).*$", r"\1Another 4711 avx2", cache.read_text(),
                              flags=re.MULTILINE)
        self.assertEqual(count, 1)
        cache.write_text(text)

    def test_is_made_once_for_each_processor(self):
        first = self.configure()
        self.assertRegex(first, "^(measured: |the processor has no AVX-512)")
        self.assertEqual(self.configure(), "as set before")
        self.pretend_that_it_was_another_processor()
        self.assertRegex(self.configure(), "^(measured: |the processor has no AVX-512)")
        self.assertEqual(self.configure(), "as set before")

    def test_by_hand_stays(self):
        self.assertEqual(self.configure("-D", "DISPERSION_INSTRUCTION_SET=avx2"), "as set before")
        self.pretend_that_it_was_another_processor()
        self.assertEqual(self.configure(), "as set before")


if __name__ == "__main__":
    unittest.main()
