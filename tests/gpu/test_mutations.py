"""Deliberate bugs in gpu/, one at a time: the parity tables and the conformance suite must catch each.

A mutation replaces a piece of a source file, of gpu/kernels unless it names a folder; the changed
files are compiled anew, linked before the others, and the named tests must fail.
"""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["DISPERSION_SOURCE"])
BUILD = pathlib.Path(os.environ["DISPERSION_BUILD"])
KERNELS = SOURCE / "gpu" / "kernels"


def path_of(name):
    return SOURCE / name if "/" in name else KERNELS / name


def compile_command(source):
    """How the build compiles a file for the emulation."""
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        if entry["file"] == str(source) and "emulated_cuda" in entry["command"]:
            return shlex.split(entry["command"])
    raise AssertionError(f"{source} is not compiled for the emulation")


def link_command(objects, program):
    """How the build links gpu_tests, with these objects before its libraries."""
    commands = subprocess.run([os.environ["DISPERSION_NINJA"], "-t", "commands", "gpu_tests"],
                              cwd=BUILD, capture_output=True, text=True, check=True).stdout
    command = shlex.split(commands.splitlines()[-1].split(" && ")[1])  # ": && c++ ... && :"
    at = command.index("-o")
    return [*command[:at], *map(str, objects), "-o", str(program), *command[at + 2:]]


class Mutations(unittest.TestCase):
    def mutate(self, mutation, folder):
        """Compiles the changed source; returns the objects."""
        original = path_of(mutation["file"])
        text = original.read_text()
        self.assertEqual(text.count(mutation["find"]), 1,
                         f"{mutation['file']} should hold once: {mutation['find']}")
        changed = folder / original.relative_to(SOURCE)
        changed.parent.mkdir(parents=True)
        changed.write_text(text.replace(mutation["find"], mutation["replace"]))
        objects = []
        for name in mutation.get("sources", [mutation["file"]]):
            source = path_of(name)
            command = compile_command(source)
            to = folder / f"{source.name}.o"
            command[command.index("-o") + 1] = str(to)
            command[-1] = str(changed if name == mutation["file"] else source)
            # What a mutation leaves unused is no concern; a changed header comes first.
            command[1:1] = [f"-I{folder}"]
            command.append("-w")
            done = subprocess.run(command, capture_output=True, text=True, cwd=BUILD, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            objects.append(to)
        return objects

    def run_tests(self, mutation):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            program = folder / "gpu_tests"
            subprocess.run(link_command(self.mutate(mutation, folder), program), cwd=BUILD,
                           check=True)
            return subprocess.run([program, f"--gtest_filter={mutation['tests']}",
                                   "--gtest_brief=1"], capture_output=True, text=True,
                                  timeout=300, check=False)

    def test_every_mutation_is_caught(self):
        mutations = json.loads((SOURCE / "tests/gpu/mutations.json").read_text())
        mutated = {name for mutation in mutations
                   for name in (mutation["file"], *mutation.get("sources", []))}
        kernels = {path.name for path in KERNELS.glob("*.cu")}
        self.assertEqual(kernels - mutated, set(), "kernels without a deliberate bug")
        with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            runs = [(mutation, pool.submit(self.run_tests, mutation)) for mutation in mutations]
        for mutation, run in runs:
            with self.subTest(mutation["name"]):
                done = run.result()
                # Ended by a signal: the bug did not stay inside its buffers.
                if done.returncode >= 0:
                    self.assertRegex(done.stdout, r"[1-9]\d* tests? from .* ran")
                self.assertNotEqual(done.returncode, 0, "no test noticed")


if __name__ == "__main__":
    unittest.main()
