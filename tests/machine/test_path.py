"""The project in a folder whose name has characters that mean something to the build tools."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support import PATIENCE_SECONDS, ROOT

PARTS = ("CMakeLists.txt", "CMakePresets.json", "app", "assets", "cmake", "core", "gpu", "tests")


class Path(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dispersion-path-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def copy(self, name):
        tree = self.folder / name
        tree.mkdir()
        for part in PARTS:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, tree / part)
        return tree

    def run_in(self, tree, *command):
        return subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=PATIENCE_SECONDS)

    def configure(self, tree):
        return self.run_in(tree, "cmake", "--preset", "release", "-D", "BUILD_TESTING=ON",
                           "-D", "DISPERSION_INSTRUCTION_SET=avx2", "-D", "DISPERSION_CUDA=OFF",
                           "-D", "IMGUI_BUNDLE_DIR=" + os.environ["IMGUI_BUNDLE_DIR"])

    def build(self, tree):
        result = self.run_in(tree, "ninja", "-C", "build/release", "dispersion_palette", "dispersion_embedded",
                             "close_window")
        self.assertEqual(result.returncode, 0, result.stdout)
        return result.stdout

    def test_brackets_and_others_build_and_are_up_to_date_then(self):
        tree = self.copy("[2026] (a) {b}, c=d+e@f~g%h! ü 模")
        result = self.configure(tree)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Linking", self.build(tree))
        self.assertIn("no work to do", self.build(tree))

    def test_others_are_named(self):
        for name, named in (("a;b", ";"), ("a#b", "#"), ("a[b", "[")):
            with self.subTest(name):
                result = self.configure(self.copy(name))
                self.assertNotEqual(result.returncode, 0)
                self.assertIn("take for something else: " + named, " ".join(result.stderr.split()))


if __name__ == "__main__":
    unittest.main()
