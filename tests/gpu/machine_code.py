#!/usr/bin/env python3
"""What the kernels became: reads the machine code of gpu/kernels and prints a table of it.

    python3 tests/gpu/machine_code.py [--arch sm_90] [--loops] [KERNEL.cu ...]   (default: all)

Needs nvcc (DISPERSION_NVCC names another) and nvdisasm (DISPERSION_NVDISASM; else the pinned one,
which ./lab puts into .deps/nvdisasm; else that on the PATH). As a module: kernels(files) compiles and
reads them, and test_machine_code.py says what is allowed.

What the columns are:
  registers, shared, stack, spills  as ptxas reports them; dynamic shared memory is not among them
  local         instructions that touch local memory: spilled registers, arrays with running indices
  conversions   from and to double in loops that also compute in double: work that could be done once
  cas           loops around a compare-and-swap: an atomic that the hardware does not have
  trips         round trips to L2 or memory that a warp waits for, each loop walked once. A warp issues
                in order, so that loads in flight at the same time count once, and what follows the first
                use of a loaded number comes after it.
--loops adds a line for each loop: where it is, its instructions, those columns and, of one iteration
(with those of the loops inside walked once), loads from global memory and trips.
"""

import argparse
import concurrent.futures
import dataclasses
import functools
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import sass

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = ROOT / "gpu/kernels"
FLAGS = ["-std=c++20", *re.search(r"set\(dispersion_cuda_flags ([^)]*)\)",
                                  (ROOT / "cmake/find_cuda.cmake").read_text())[1].split()]


# --- Kernels --------------------------------------------------------------------------------------

MOST_THREADS = 1024  # of a block, on every device


@dataclasses.dataclass
class Kernel:
    file: str
    name: str
    registers: int
    shared: int
    stack: int
    spills: int
    threads: int  # the largest block
    # Of the code, where it was read:
    instructions: int = 0
    local: int = 0
    trips: int = 0
    loops: list = dataclasses.field(default_factory=list)

    def conversions(self):
        return sum(loop.conversions for loop in self.loops)

    def compare_and_swaps(self):
        return sum(loop.compare_and_swap for loop in self.loops)


def nvcc():
    return os.environ.get("DISPERSION_NVCC") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"


def nvdisasm():
    """The path of the disassembler; None where there is none."""
    pinned = ROOT / ".deps/nvdisasm/nvidia/cu13/bin/nvdisasm"
    return os.environ.get("DISPERSION_NVDISASM") or (str(pinned) if pinned.exists() else None) or \
        shutil.which("nvdisasm")


def toolkit():
    """The compiler's version, as "13.0"; "" where there is none."""
    try:
        text = subprocess.run([nvcc(), "--version"], capture_output=True, text=True, check=True).stdout
    except OSError:
        return ""
    release = re.search(r"release (\d+\.\d+)", text)
    return release[1] if release else ""


def plain_name(mangled):
    """Without namespaces and parameters: "tensor_scores_kernel<128>"."""
    text = subprocess.run(["c++filt", "-p", mangled], capture_output=True, text=True, check=True).stdout
    return text.strip().split("::")[-1]


def resources_of(text):
    """What ptxas says of every function: registers, shared memory, stack and spills."""
    found = {}
    for name, about in re.findall(r"Compiling entry function '(\w+)'.*?\n(.*?Used[^\n]*)", text, re.DOTALL):
        def number(pattern, about=about):
            match = re.search(pattern, about)
            return int(match[1]) if match else 0
        found[name] = {"registers": number(r"Used (\d+) registers"), "shared": number(r"(\d+) bytes smem"),
                       "stack": number(r"(\d+) bytes stack frame"),
                       "spills": number(r"(\d+) bytes spill stores") + number(r"(\d+) bytes spill loads")}
    return found


def largest_blocks(ptx):
    """The threads that every function's blocks may have, by __launch_bounds__ where it says so."""
    found = {}
    for name, directives in re.findall(r"\.entry (\w+)\(.*?\)([^{]*)\{", ptx, re.DOTALL):
        bounds = re.search(r"\.maxntid\s+([\d, ]+)", directives)
        found[name] = math.prod(map(int, bounds[1].split(","))) if bounds else MOST_THREADS
    return found


def kernels_of(file, arch, read):
    """The kernels of a source file, compiled; their code too unless it is not to be read."""
    source_root = pathlib.Path(file).resolve().parents[2]
    with tempfile.TemporaryDirectory() as folder:
        image = f"{folder}/image.cubin"
        done = subprocess.run([nvcc(), *FLAGS, f"-arch={arch}", f"-I{source_root}", "-cubin", "-o", image,
                               "--keep", f"--keep-dir={folder}", file],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{file} does not compile:\n{done.stdout}{done.stderr}")
        code = read_image(image) if read else {}
        threads = largest_blocks(pathlib.Path(folder, f"{pathlib.Path(file).stem}.ptx").read_text())
    return [Kernel(file=pathlib.Path(file).name, name=plain_name(name), threads=threads[name], **resources,
                   **code.get(name, {}))
            for name, resources in resources_of(done.stdout + done.stderr).items()]


def read_image(image):
    """Of the functions of a compiled file, by their names, what sass.read_code() tells."""
    listing = subprocess.run([nvdisasm(), "-json", image], capture_output=True, text=True, check=True).stdout
    return {function["function-name"]: sass.read_code(sass.instructions_of(function["sass-instructions"]))
            for function in json.loads(listing)[1]}


def kernels(files=None, arch="sm_90", read=True):
    """Those of these source files, or of all, in the order of their names."""
    files = files or sorted(KERNELS.glob("*.cu"))
    with concurrent.futures.ProcessPoolExecutor() as pool:
        return [kernel for of_file in pool.map(functools.partial(kernels_of, arch=arch, read=read), files)
                for kernel in sorted(of_file, key=lambda kernel: kernel.name)]


# --- The table ------------------------------------------------------------------------------------


def print_table(found, with_loops):
    print("| kernel | registers | shared | stack | spills | instructions | local | conversions | cas | trips |")
    print("|" + "---|" * 10)
    for kernel in found:
        print(f"| {kernel.name} | {kernel.registers} | {kernel.shared} | {kernel.stack} | {kernel.spills} "
              f"| {kernel.instructions} | {kernel.local} | {kernel.conversions()} "
              f"| {kernel.compare_and_swaps()} | {kernel.trips} |")
        for loop in kernel.loops if with_loops else []:
            print(f"| · loop {loop.begin:#x}-{loop.end:#x} | | | | | {loop.instructions} | {loop.local} "
                  f"| {loop.conversions} | {int(loop.compare_and_swap)} "
                  f"| {loop.trips} ({loop.loads} loads) |")


def main():
    parser = argparse.ArgumentParser(description="A table of the kernels' machine code.")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--loops", action="store_true", help="a line for each loop too")
    parser.add_argument("files", nargs="*", metavar="KERNEL.cu")
    options = parser.parse_args()
    if not toolkit() or not nvdisasm():
        parser.exit(1, "nvcc and nvdisasm are needed\n")
    print_table(kernels(options.files, options.arch), options.loops)


if __name__ == "__main__":
    main()
