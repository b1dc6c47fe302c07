"""What must not come back into the kernels, seen in their machine code (see machine_code.py).

    python3 tests/gpu/test_machine_code.py --print     the table ALLOWED as it could be now

The counts are of one compiler: with another than PINNED_TOOLKIT, or without the disassembler, the test
says that it did not run (exit status 77, which ctest counts as skipped).
"""

import sys
import unittest

import kernel_registers
import machine_code

PINNED_TOOLKIT = "13.0"
DID_NOT_RUN = 77

# Where a kernel, or any of a template, may have more than none of them.
ALLOWED = {
    "attention_scores_kernel": {"conversions": 3},
    "direct_pool_kernel": {"conversions": 4},
    "direct_scores_kernel": {"conversions": 4},
    "flash_attention_kernel": {"conversions": 3},
    "merge_scores_kernel": {"conversions": 5},
    "node_logits_kernel": {"conversions": 9},
    "pool_nodes_kernel": {"conversions": 12},
    "set_tables_kernel": {"conversions": 21},
    "sets_kernel": {"conversions": 23},
    "spectral_pool_kernel": {"conversions": 9},
    "spectral_scores_kernel": {"conversions": 5},
    "update_kernel": {"conversions": 15},
}


def counts(kernel):
    return {"local": kernel.local, "conversions": kernel.conversions(), "cas": kernel.compare_and_swaps()}


def template_of(kernel):
    return kernel.name.split("<")[0]


def why_not():
    """Why the kernels cannot be looked at here; None where they can."""
    if machine_code.toolkit() != PINNED_TOOLKIT:
        return f"the counts are of CUDA {PINNED_TOOLKIT}; here is {machine_code.toolkit() or 'none'}"
    return None if machine_code.nvdisasm() else "there is no nvdisasm"


class Kernels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kernels = machine_code.kernels(read=not why_not()) if machine_code.toolkit() else []

    @unittest.skipUnless(machine_code.toolkit(), "there is no nvcc")
    def test_spill_no_registers(self):
        self.assertGreater(len(self.kernels), 25)
        for kernel in self.kernels:
            self.assertGreater(kernel.registers, 0, f"{kernel.name}: ptxas reported nothing")
            self.assertEqual(kernel.spills, 0, f"{kernel.name} spills")

    @unittest.skipIf(why_not(), why_not())
    def test_have_no_more_than_they_are_allowed(self):
        kernels = self.kernels
        self.assertEqual(set(ALLOWED) - {template_of(kernel) for kernel in kernels}, set(),
                         "allowed to kernels that are not there")
        # What the reader must have seen: nearly all kernels load, and most in loops.
        self.assertGreater(sum(kernel.trips > 0 for kernel in kernels), 20)
        self.assertGreater(sum(len(kernel.loops) for kernel in kernels), 50)
        for kernel in kernels:
            allowed = ALLOWED.get(template_of(kernel), {})
            for what, count in counts(kernel).items():
                with self.subTest(kernel=kernel.name, file=kernel.file, what=what):
                    self.assertLessEqual(count, allowed.get(what, 0))

    @unittest.skipIf(why_not(), why_not())
    def test_take_what_the_emulation_is_told(self):
        now = sorted(kernel_registers.row(kernel, 90) for kernel in self.kernels)
        self.assertEqual(kernel_registers.stored_rows(90), now, "run tests/gpu/kernel_registers.py")

    @unittest.skipUnless(machine_code.toolkit(), "there is no nvcc")
    def test_are_known_to_the_emulation_of_every_device(self):
        # Compiling for all of them takes long; which kernels there are, with which largest blocks, does
        # not depend on the device.
        now = sorted((kernel.name, kernel.threads) for kernel in self.kernels)
        for architecture in kernel_registers.ARCHITECTURES:
            rows = kernel_registers.stored_rows(architecture)
            stored = [(name, threads) for name, _, _, _, threads in rows]
            self.assertEqual(stored, now, f"sm_{architecture}: run tests/gpu/kernel_registers.py")


def print_allowed():
    most = {}
    for kernel in machine_code.kernels():
        of_template = most.setdefault(template_of(kernel), {})
        for what, count in counts(kernel).items():
            of_template[what] = max(of_template.get(what, 0), count)
    print("ALLOWED = {")
    for name, of_template in sorted(most.items()):
        needed = ", ".join(f'"{what}": {count}' for what, count in of_template.items() if count)
        if needed:
            print(f'    "{name}": {{{needed}}},')
    print("}")


def main():
    if sys.argv[1:] == ["--print"]:
        print_allowed()
        return
    result = unittest.main(exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(DID_NOT_RUN if result.skipped else 0)


if __name__ == "__main__":
    main()
