"""Another compiler: clang understands every source of the project, with the flags of the release build."""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import tempfile
import threading
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
    """(flags, the header that the build had compiled before, the source)"""
    arguments = iter(arguments)
    for argument in arguments:
        if pathlib.Path(argument).name in ("c++", "g++"):
            break
    flags, compiled = ["-Wno-unknown-warning-option"], None
    for argument in arguments:
        if argument == "-include":
            compiled = next(arguments)
        elif argument in WITH_NEXT:
            next(arguments)
        elif argument not in ALONE:
            flags.append(argument)
    return tuple(flags[:-1]), compiled, flags[-1]


def run_clang(arguments, directory, **options):
    return subprocess.run(["clang++", *arguments], cwd=directory, capture_output=True, text=True,
                          timeout=PATIENCE_SECONDS, **options)


class CompiledHeaders:
    """The standard headers of each target, compiled once for all sources that have the same flags."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.files = {}
        self.lock = threading.Lock()

    def flags_for(self, flags, header, directory):
        if header is None:
            return flags
        with self.lock:
            file = self.files.setdefault((flags, header), self.folder / f"{len(self.files)}.pch")
            if not file.exists():
                made = run_clang([*flags, "-w", "-xc++-header", header, "-o", file], directory)
                if made.returncode != 0:
                    raise RuntimeError(made.stderr)
        return (*flags, "-include-pch", str(file))


def check(file, directory, arguments, headers):
    flags, header, source = for_clang(arguments)
    result = run_clang(["-fsyntax-only", *headers.flags_for(flags, header, directory), source], directory)
    return "" if result.returncode == 0 else f"{file}:\n{result.stderr}"


class Clang(unittest.TestCase):
    def test_takes_every_source(self):
        sources = {file: (file, directory, arguments) for file, directory, arguments in own_sources()}
        self.assertGreater(len(sources), 300)
        with tempfile.TemporaryDirectory() as folder, \
                concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            headers = CompiledHeaders(folder)
            texts = pool.map(lambda source: check(*source, headers), sources.values())
            refused = [text for text in texts if text]
        print(f"clang takes {len(sources) - len(refused)} of {len(sources)} sources")
        self.assertEqual(refused, [], "\n".join(refused))

    def test_refuses_what_is_wrong(self):
        """The control: the same arguments with an error in the source."""
        _, directory, arguments = next(own_sources())
        flags, _, _ = for_clang(arguments)
        result = run_clang([*flags, "-fsyntax-only", "-xc++", "-"], directory,
                           input="int main() { return nothing; }")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("nothing", result.stderr)


if __name__ == "__main__":
    unittest.main()
