#!/usr/bin/env python3
"""The registers and static shared memory of every kernel, as ptxas reports them for each kind of
device that the emulation knows, and its largest block. Writes tests/emulation/kernel_registers.inc,
which tells the emulation what a launch takes and may have (test_machine_code.py says when it is stale):

    tests/gpu/kernel_registers.py
"""

import re

import machine_code

TABLE = machine_code.ROOT / "tests/emulation/kernel_registers.inc"
ARCHITECTURES = [75, 80, 86, 89, 90, 120]
ROW = re.compile(r'\{"(.+)", (\d+), (\d+), (\d+), (\d+)\},')


def row(kernel, architecture):
    return kernel.name, architecture, kernel.registers, kernel.shared, kernel.threads


def stored_rows(architecture):
    """The table's rows for one of the architectures."""
    rows = [(name, *map(int, numbers)) for name, *numbers in ROW.findall(TABLE.read_text())]
    return [found for found in rows if found[1] == architecture]


def main():
    rows = sorted(row(kernel, architecture) for architecture in ARCHITECTURES
                  for kernel in machine_code.kernels(arch=f"sm_{architecture}", read=False))
    names = [found[:2] for found in rows]
    if twice := {name for name in names if names.count(name) > 1}:
        raise SystemExit(f"two kernels of one name: {sorted(twice)}")
    lines = [f"// Made by tests/gpu/kernel_registers.py with CUDA {machine_code.toolkit()}:",
             "// kernel, compute capability, registers of a thread, bytes of static shared memory,",
             "// threads of the largest block."]
    lines += ['{"%s", %d, %d, %d, %d},' % found for found in rows]
    TABLE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
