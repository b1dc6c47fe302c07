"""Another compiler: clang understands every source of the project, with the flags of the release build."""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import unittest

from support import PATIENCE_SECONDS, ROOT

RELEASE = pathlib.Path(os.environ["DISPERSION_RELEASE"])
# What only GCC knows, or what would write a file.
ALONE = {"-c", "-MD", "-fpch-preprocess", "-Winvalid-pch"}
WITH_NEXT = {"-o", "-MT", "-MF"}


def own_sources():
    """(file, arguments) of every C++ file below the project's root; those that the build wrote are not ours."""
    for entry in json.loads((RELEASE / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        if file.is_relative_to(ROOT) and not file.is_relative_to(ROOT / "build") and ".deps" not in file.parts:
            if file.suffix == ".cpp":
                yield file, entry["directory"], shlex.split(entry["command"])


def for_clang(arguments):
    arguments = iter(arguments)
    for argument in arguments:
        if pathlib.Path(argument).name in ("c++", "g++"):
            break
    kept = ["clang++", "-fsyntax-only", "-Wno-unknown-warning-option"]
    for argument in arguments:
        if argument == "-include":
            header = next(arguments)
            if not header.endswith("cmake_pch.hxx"):
                kept += ["-include", header]
        elif argument in WITH_NEXT:
            next(arguments)
        elif argument not in ALONE:
            kept.append(argument)
    return kept


def check(source):
    file, directory, arguments = source
    result = subprocess.run(for_clang(arguments), cwd=directory, capture_output=True, text=True,
                            timeout=PATIENCE_SECONDS)
    return "" if result.returncode == 0 else f"{file}:\n{result.stderr}"


class Clang(unittest.TestCase):
    def test_takes_every_source(self):
        sources = {file: (file, directory, arguments) for file, directory, arguments in own_sources()}
        self.assertGreater(len(sources), 300)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            refused = [text for text in pool.map(check, sources.values()) if text]
        print(f"clang takes {len(sources) - len(refused)} of {len(sources)} sources")
        self.assertEqual(refused, [], "\n".join(refused))

    def test_refuses_what_is_wrong(self):
        """The control: the same arguments with an error in the source."""
        _, directory, arguments = next(own_sources())
        result = subprocess.run([*for_clang(arguments)[:-1], "-xc++", "-"], cwd=directory, text=True,
                                input="int main() { return nothing; }", capture_output=True)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("nothing", result.stderr)


if __name__ == "__main__":
    unittest.main()
