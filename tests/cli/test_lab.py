"""The script ./lab, with stand-ins for the tools that it calls: other users, other processors, odd paths."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support import PATIENCE_SECONDS, ROOT

# They record how they were called, and leave behind what ./lab looks at afterwards.
CMAKE = """#!/bin/sh
echo "$*" >> cmake.calls
mkdir -p build/release
printf '%s\\n' "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "IMGUI_BUNDLE_DIR:PATH=$IMGUI_BUNDLE_DIR" \\
  "DISPERSION_PROCESSOR:INTERNAL=$(sh cmake/processor.sh)" > build/release/CMakeCache.txt
touch build/release/build.ninja
"""
NINJA = """#!/bin/sh
echo "$*" >> ninja.calls
printf '#!/bin/sh\\necho "ran $*"\\n' > build/release/dispersion_lab
chmod +x build/release/dispersion_lab
"""
DPKG_QUERY = """#!/bin/sh
shift 3
for package; do echo "installed $package "; done
"""


class Lab(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dispersion-lab-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o755)
        self.tools = self.folder / "tools"
        self.tools.mkdir()
        for name, text in (("cmake", CMAKE), ("ninja", NINJA), ("dpkg-query", DPKG_QUERY)):
            (self.tools / name).write_text(text)
            (self.tools / name).chmod(0o755)
        header = self.folder / "bundle/external/imgui/imgui/imgui.h"
        header.parent.mkdir(parents=True)
        header.write_text('#define IMGUI_VERSION "1.93.0"\n')
        self.tree = self.make_tree("tree")

    def make_tree(self, name):
        tree = self.folder / name
        tree.mkdir()
        shutil.copy(ROOT / "lab", tree)
        shutil.copy(ROOT / "CMakePresets.json", tree)
        shutil.copytree(ROOT / "cmake", tree / "cmake")
        return tree

    def lab(self, *arguments, tree=None, before=()):
        tree = tree or self.tree
        environment = {"HOME": str(self.folder), "PATH": f"{self.tools}:{os.environ['PATH']}",
                       "IMGUI_BUNDLE_DIR": str(self.folder / "bundle")}
        return subprocess.run([*before, str(tree / "lab"), *arguments], cwd=tree, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=PATIENCE_SECONDS)

    def calls(self, tool):
        file = self.tree / (tool + ".calls")
        return len(file.read_text().splitlines()) if file.exists() else 0

    def built(self):
        result = self.lab("info")
        self.assertEqual((result.returncode, result.stdout), (0, "ran info\n"), result)

    def as_another_user(self, *arguments):
        """Runs it where nothing in the tree can be written: root, who can write all, becomes nobody."""
        if os.geteuid() == 0:
            return self.lab(*arguments, before=("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"))
        folders = [self.tree, *(path for path in self.tree.rglob("*") if path.is_dir())]
        for folder in folders:
            folder.chmod(0o555)
        try:
            return self.lab(*arguments)
        finally:
            for folder in folders:
                folder.chmod(0o755)

    def assert_refused(self, result, *words):
        self.assertEqual((result.returncode, result.stdout), (1, ""), result)
        self.assertTrue(result.stderr.startswith("lab: "), result)
        self.assertEqual(result.stderr.count("\n"), 1, result)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_configures_once(self):
        self.built()
        self.built()
        self.assertEqual((self.calls("cmake"), self.calls("ninja")), (1, 2))

    def test_chooses_anew_on_another_processor(self):
        self.built()
        cache = self.tree / "build/release/CMakeCache.txt"
        lines = cache.read_text().splitlines()
        self.assertTrue(lines[2].startswith("DISPERSION_PROCESSOR:INTERNAL="), lines)
        cache.write_text("\n".join([*lines[:2], "DISPERSION_PROCESSOR:INTERNAL=Another 4711 avx2"]) + "\n")
        self.built()
        self.assertEqual(self.calls("cmake"), 2)
        self.built()
        self.assertEqual(self.calls("cmake"), 2)

    def test_what_another_user_built_runs(self):
        self.built()
        result = self.as_another_user("evaluate", "--help")
        self.assertEqual((result.returncode, result.stdout), (0, "ran evaluate --help\n"), result)
        self.assertRegex(result.stderr, r"\Alab: \S*/.deps cannot be written by \S+, so that what was built "
                                        r"before runs as it is\n\Z")
        self.assertEqual((self.calls("cmake"), self.calls("ninja")), (1, 1))

    def test_nothing_is_built_for_another_user(self):
        self.assert_refused(self.as_another_user("info"), "cannot be written by", "dispersion_lab")
        self.built()
        for arguments in (["build"], ["test"], ["test", "--full"]):
            self.assert_refused(self.as_another_user(*arguments), "/.deps cannot be written by")

    @unittest.skipUnless(os.geteuid() == 0, "only root can leave files of another user behind")
    def test_files_of_root_in_the_tree_of_a_user(self):
        self.built()
        for path in (self.tree, *self.tree.rglob("*")):
            if path.name != ".lock":
                os.chown(path, 65534, 65534)
        self.assert_refused(self.as_another_user("build"), "build/.lock cannot be written by")

    def test_characters_that_no_tool_can_take_are_named_at_once(self):
        for name, named in (("a;b", ";"), ("a#b $c", "# $"), ("a'b", "'"), ("a[b", "["), ("a]b[", "]["), ('a"b', '"')):
            with self.subTest(name):
                tree = self.make_tree(name)
                self.assert_refused(self.lab("info", tree=tree), name, ": " + named)
                self.assertEqual(sorted(path.name for path in tree.iterdir()), ["CMakePresets.json", "cmake", "lab"])

    def test_other_characters_do(self):
        tree = self.make_tree("[2026] (a) {b}, c=d+e@f~g%h! ü 模")
        result = self.lab("info", tree=tree)
        self.assertEqual((result.returncode, result.stdout), (0, "ran info\n"), result)


if __name__ == "__main__":
    unittest.main()
