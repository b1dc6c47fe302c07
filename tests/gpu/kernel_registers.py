#!/usr/bin/env python3
"""The registers and static shared memory of every kernel, as ptxas reports them for each kind of
device that the emulation knows. Writes tests/emulation/kernel_registers.inc, which tells the
emulation what a launch takes:

    tests/gpu/kernel_registers.py [nvcc]

With --check it compares instead, and says that it did not where nvcc is another than the table's.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TABLE = SOURCE / "tests" / "emulation" / "kernel_registers.inc"
ARCHITECTURES = [75, 80, 86, 89, 90, 120]
FLAGS = ["-std=c++20", "--expt-relaxed-constexpr", "-fmad=false", "-Xptxas=-v", f"-I{SOURCE}"]
REPORT = re.compile(r"Compiling entry function '(\S+)' for 'sm_(\d+)'"
                    r"(?:(?!Compiling entry function).)*?Used (\d+) registers([^\n]*)", re.DOTALL)


def version(nvcc):
    text = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"V(\d+\.\d+\.\d+)", text).group(1)


def compiled(nvcc, kernel, architecture):
    command = [nvcc, *FLAGS, f"-arch=sm_{architecture}", "-cubin", "-o", os.devnull, str(kernel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{kernel}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def shortened(names):
    """As tests/emulation/kernel_names.cpp shortens its own."""
    text = subprocess.run(["c++filt", *names], capture_output=True, text=True, check=True).stdout
    return [name_of(line) for line in text.splitlines()]


def name_of(function):
    for part in ("(anonymous namespace)::", "dispersion::"):
        function = function.replace(part, "")
    depth = 0
    for at, letter in enumerate(function):
        if letter == "(" and depth == 0:
            function = function[:at]
            break
        depth += {"<": 1, ">": -1}.get(letter, 0)
    return function.removeprefix("void ")


def rows(nvcc):
    kernels = sorted((SOURCE / "gpu").rglob("*.cu"))
    jobs = [(kernel, architecture) for kernel in kernels for architecture in ARCHITECTURES]
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        texts = list(pool.map(lambda job: compiled(nvcc, *job), jobs))
    found = [match for text in texts for match in REPORT.findall(text)]
    names = shortened([match[0] for match in found])
    result = []
    for name, (_, architecture, registers, rest) in zip(names, found):
        shared = re.search(r"(\d+) bytes smem", rest)
        result.append((name, int(architecture), int(registers), int(shared[1]) if shared else 0))
    result.sort()
    keys = [row[:2] for row in result]
    twice = {key for key in keys if keys.count(key) > 1}
    if twice:
        raise SystemExit(f"two kernels of one name: {sorted(twice)}")
    return result


def table(nvcc):
    lines = [f"// Made by tests/gpu/kernel_registers.py with nvcc {version(nvcc)}:",
             "// kernel, compute capability, registers of a thread, bytes of static shared memory."]
    lines += ['{"%s", %d, %d, %d},' % row for row in rows(nvcc)]
    return "\n".join(lines) + "\n"


def main(arguments):
    check = "--check" in arguments
    nvcc = next((a for a in arguments if a != "--check"), "nvcc")
    if not check:
        TABLE.write_text(table(nvcc))
        return 0
    then = TABLE.read_text()
    made_with = re.search(r"nvcc (\S+):", then).group(1)
    if version(nvcc) != made_with:
        print(f"did not run: the table was made with nvcc {made_with}, this is {version(nvcc)}")
        return 77  # ctest shows it as skipped
    now = table(nvcc)
    if now == then:
        return 0
    stale = set(then.splitlines()) ^ set(now.splitlines())
    print("tests/emulation/kernel_registers.inc is stale: run tests/gpu/kernel_registers.py.",
          *sorted(stale), sep="\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
