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
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = ROOT / "gpu/kernels"
FLAGS = ["-std=c++20", "--expt-relaxed-constexpr", "-fmad=false", "-Werror=all-warnings", "-Xptxas=-v"]
INSTRUCTION_BYTES = 16


# --- Instructions ---------------------------------------------------------------------------------


@dataclasses.dataclass
class Instruction:
    opcode: str
    operands: list
    predicate: str = ""

    def name(self):
        return self.opcode.split(".")[0]

    def is_local(self):
        return self.name() in ("LDL", "STL")

    def is_conversion(self):
        return self.name() in ("F2F", "F2I", "I2F") and "F64" in self.opcode

    def is_double(self):
        return self.name() in ("DADD", "DMUL", "DFMA")

    def is_compare_and_swap(self):
        return self.name().startswith("ATOM") and ".CAS" in self.opcode

    def is_load(self):
        """Waits, when its result is used, for L2 or memory."""
        return self.name() in ("LDG", "LD", "ATOM", "ATOMG")

    def is_jump(self):
        return self.name() in ("BRA", "JMP", "WARPSYNC") and self.target() is not None

    def target(self):
        last = self.operands[-1] if self.operands else ""
        return int(last, 16) // INSTRUCTION_BYTES if re.fullmatch(r"0x[0-9a-f]+", last) else None

    def falls_through(self):
        always = self.predicate in ("", "@PT") and not (self.name() == "BRA" and len(self.operands) > 1)
        return not (self.name() in ("BRA", "JMP", "EXIT", "RET", "BRX") and always)

    def registers(self):
        """Of all operands, those of addresses in pairs."""
        text = ",".join(self.operands)
        found = {int(number) for number in re.findall(r"\bR(\d+)", text)}
        return found | {int(number) + 1 for number in re.findall(r"\bR(\d+)\.64", text)}

    def loaded_registers(self):
        width = next((bits // 32 for bits in (128, 64) if f".{bits}" in self.opcode), 1)
        first = next((int(o[1:]) for o in self.operands if re.fullmatch(r"R\d+", o)), None)
        return [] if first is None else range(first, first + width)


def split_operands(text):
    return [operand.split(".reuse")[0] for operand in text.split(",")] if text else []


def instructions_of(listing):
    return [Instruction(entry["opcode"], split_operands(entry.get("operands", "")),
                        entry.get("predicate", "")) for entry in listing]


# --- Loops ----------------------------------------------------------------------------------------


def successors(code):
    """Of every instruction. Subroutines of the compiler return to behind their call."""
    after = [[] for _ in code]
    for at, instruction in enumerate(code):
        if instruction.is_jump():
            after[at].append(instruction.target())
        if instruction.falls_through() and at + 1 < len(code):
            after[at].append(at + 1)
    return after


def reverse_postorder(after):
    order, seen, stack = [], {0}, [(0, iter(after[0]))]
    while stack:
        at, rest = stack[-1]
        following = next((to for to in rest if to not in seen), None)
        if following is None:
            order.append(at)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(after[following])))
    return order[::-1]


def immediate_dominators(order, before):
    """As Cooper, Harvey and Kennedy find them."""
    place = {at: i for i, at in enumerate(order)}
    dominator = {order[0]: order[0]}

    def common(a, b):
        while a != b:
            while place[a] > place[b]:
                a = dominator[a]
            while place[b] > place[a]:
                b = dominator[b]
        return a

    changed = True
    while changed:
        changed = False
        for at in order[1:]:
            known = [b for b in before[at] if b in dominator]
            new = known[0]
            for other in known[1:]:
                new = common(new, other)
            if dominator.get(at) != new:
                dominator[at] = new
                changed = True
    return dominator


class Flow:
    """Where control goes in a kernel, and its loops: of each its head, its body and whence it repeats."""

    def __init__(self, code):
        self.code = code
        self.after = successors(code)
        self.order = reverse_postorder(self.after)
        reached = set(self.order)
        self.before = {at: [] for at in self.order}
        for at in self.order:
            for to in self.after[at]:
                self.before[to].append(at)
        dominator = immediate_dominators(self.order, self.before)
        self.repeats = {}  # head: instructions from which it is jumped back to
        for at in self.order:
            for to in self.after[at]:
                if to in reached and self._dominates(dominator, to, at) and not self._is_end(at, to):
                    self.repeats.setdefault(to, []).append(at)
        self.loops = {head: self._body(head, tails) for head, tails in sorted(self.repeats.items())}

    def _is_end(self, at, to):
        return at == to  # the jump to itself behind a kernel

    @staticmethod
    def _dominates(dominator, above, below):
        while below not in (above, dominator[below]):
            below = dominator[below]
        return below == above

    def _body(self, head, tails):
        body, rest = {head}, list(tails)
        while rest:
            at = rest.pop()
            if at not in body:
                body.add(at)
                rest += self.before[at]
        return body

    def innermost(self, at):
        """The body of the smallest loop around an instruction; None outside of loops."""
        return min((body for body in self.loops.values() if at in body), key=len, default=None)


# --- Round trips ----------------------------------------------------------------------------------


class Waits:
    """Trips so far, and for what is under way how many they will be when it has come."""

    def __init__(self, trips=0, pending=None, groups=()):
        self.trips = trips
        self.pending = dict(pending or {})
        self.groups = list(groups)  # of asynchronous copies, committed; the last is open
        self.groups = self.groups or [0]

    def copy(self):
        return Waits(self.trips, self.pending, self.groups)

    def joined(self, other):
        length = max(len(self.groups), len(other.groups))
        mine = [0] * (length - len(self.groups)) + self.groups
        others = [0] * (length - len(other.groups)) + other.groups
        pending = {register: max(self.pending.get(register, 0), other.pending.get(register, 0))
                   for register in {*self.pending, *other.pending}}
        return Waits(max(self.trips, other.trips), pending, [max(p) for p in zip(mine, others)])

    def step(self, instruction):
        name = instruction.name()
        for register in instruction.registers():
            self.trips = max(self.trips, self.pending.pop(register, 0))
        if instruction.is_load():
            for register in instruction.loaded_registers():
                self.pending[register] = self.trips + 1
        elif name == "LDGSTS":
            self.groups[-1] = self.trips + 1
        elif name == "LDGDEPBAR":
            self.groups.append(0)
        elif name == "DEPBAR" and "LE" in instruction.opcode:
            left = int(instruction.operands[-1], 16)
            finished = len(self.groups) - 1 - left
            self.trips = max([self.trips, *self.groups[:max(finished, 0)]])
            self.groups = self.groups[max(finished, 0):] or [0]


def walk(flow, start, body, waits):
    """From `start` once through `body`; the states at its instructions when they are done."""
    states = {}
    for at in flow.order:
        if at not in body:
            continue
        coming = [] if at == start else [states[b] for b in flow.before[at] if b in states]
        if at == start:
            state = waits.copy()
        elif coming:
            state = coming[0].copy()
            for other in coming[1:]:
                state = state.joined(other)
        else:
            continue
        state.step(flow.code[at])
        states[at] = state
    return states


def trips_of_kernel(flow):
    return max(state.trips for state in walk(flow, 0, set(flow.order), Waits()).values())


def trips_of_iteration(flow, head, body):
    """In the steady state, where what one iteration asks for may be used by the next."""
    waits, trips = Waits(), [0]
    for _ in range(4):
        states = walk(flow, head, body, waits)
        ends = [states[tail] for tail in flow.repeats[head]]
        waits = ends[0]
        for other in ends[1:]:
            waits = waits.joined(other)
        trips.append(waits.trips)
    return trips[-1] - trips[-2]


# --- Kernels --------------------------------------------------------------------------------------


@dataclasses.dataclass
class Loop:
    begin: int  # bytes from the kernel's begin, of its first and last instruction
    end: int
    instructions: int
    local: int
    conversions: int  # of its own, not of loops inside; 0 unless it computes in double too
    compare_and_swap: bool  # of its own
    loads: int
    trips: int


@dataclasses.dataclass
class Kernel:
    file: str
    name: str
    registers: int
    shared: int
    stack: int
    spills: int
    # Of the code, where it was read:
    instructions: int = 0
    local: int = 0
    trips: int = 0
    loops: list = dataclasses.field(default_factory=list)

    def conversions(self):
        return sum(loop.conversions for loop in self.loops)

    def compare_and_swaps(self):
        return sum(loop.compare_and_swap for loop in self.loops)


def loop_of(flow, head):
    body = flow.loops[head]
    own = [flow.code[at] for at in body if flow.innermost(at) == body]
    every = [flow.code[at] for at in body]
    double = any(instruction.is_double() for instruction in own)
    return Loop(begin=INSTRUCTION_BYTES * min(body), end=INSTRUCTION_BYTES * max(body),
                instructions=len(body), local=sum(i.is_local() for i in every),
                conversions=sum(i.is_conversion() for i in own) if double else 0,
                compare_and_swap=any(i.is_compare_and_swap() for i in own),
                loads=sum(i.is_load() or i.name() == "LDGSTS" for i in every),
                trips=trips_of_iteration(flow, head, body))


def read_code(code):
    """Instructions, those on local memory, trips and loops of a kernel's code."""
    flow = Flow(code)
    return {"instructions": len(code), "local": sum(i.is_local() for i in code),
            "trips": trips_of_kernel(flow), "loops": [loop_of(flow, head) for head in flow.loops]}


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


def kernels_of(file, arch, read):
    """The kernels of a source file, compiled; their code too unless it is not to be read."""
    source_root = pathlib.Path(file).resolve().parents[2]
    with tempfile.TemporaryDirectory() as folder:
        image = f"{folder}/image.cubin"
        done = subprocess.run([nvcc(), *FLAGS, f"-arch={arch}", f"-I{source_root}", "-cubin", "-o", image, file],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{file} does not compile:\n{done.stdout}{done.stderr}")
        code = read_image(image) if read else {}
    return [Kernel(file=pathlib.Path(file).name, name=plain_name(name), **resources, **code.get(name, {}))
            for name, resources in resources_of(done.stdout + done.stderr).items()]


def read_image(image):
    """Of the functions of a compiled file, by their names, what read_code() tells."""
    listing = subprocess.run([nvdisasm(), "-json", image], capture_output=True, text=True, check=True).stdout
    return {function["function-name"]: read_code(instructions_of(function["sass-instructions"]))
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
