"""What must not come back into the kernels, seen in their machine code (see machine_code.py).

    python3 tests/gpu/test_machine_code.py --print     the table ALLOWED as it could be now

The counts are of one compiler: with another than PINNED_TOOLKIT, or without the disassembler, the test
says that it did not run (exit status 77, which ctest counts as skipped).
"""

import re
import sys
import unittest

import machine_code
from machine_code import Instruction

PINNED_TOOLKIT = "13.0"
DID_NOT_RUN = 77

# Where a kernel, or any of a template, may have more than none of them.
ALLOWED = {
    "attention_scores_kernel": {"conversions": 3},
    "direct_pool_kernel": {"conversions": 15},
    "direct_scores_kernel": {"conversions": 15},
    "finish_kernel": {"conversions": 21},
    "flash_attention_kernel": {"conversions": 3},
    "item_backward_kernel": {"conversions": 32},
    "merge_scores_kernel": {"local": 64, "conversions": 9},
    "pool_chunks_kernel": {"conversions": 21},
    "pool_nodes_kernel": {"conversions": 59},
    "query_backward_kernel": {"conversions": 39},
    "set_results_kernel": {"conversions": 8},
    "sets_kernel": {"conversions": 193},
    "spectral_pool_kernel": {"local": 43, "conversions": 50},
    "spectral_scores_kernel": {"conversions": 24},
    "update_kernel": {"conversions": 5},
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


def read(listing):
    """A listing's code: a line for an instruction, its place counted from 0, jumps to such places."""
    code = []
    for line in listing.strip().splitlines():
        predicate, opcode, operands = re.fullmatch(r"\s*(@!?\w+)?\s*(\S+)\s*(.*)", line).groups()
        operands = re.sub(r"=(\d+)", lambda place: hex(16 * int(place[1])), operands)
        code.append(Instruction(opcode, machine_code.split_operands(operands), predicate or ""))
    return machine_code.read_code(code)


class Reader(unittest.TestCase):
    def test_counts_loads_in_flight_together_once(self):
        code = read("""LDG.E R2,desc[UR6][R10.64]
                       LDG.E R3,desc[UR6][R12.64]
                       FADD R4,R2,R3
                       EXIT""")
        self.assertEqual(code["trips"], 1)

    def test_counts_what_waits_for_a_load_after_it(self):
        for use in ["LDG.E R4,desc[UR6][R2.64]",  # its address
                    "IADD3 R4,R4,R3,RZ"]:         # its upper half; what follows is issued after
            code = read(f"""LDG.E.64 R2,desc[UR6][R10.64]
                            {use}
                            LDG.E R6,desc[UR6][R12.64]
                            FADD R8,R6,R6
                            EXIT""")
            self.assertEqual(code["trips"], 2, use)

    def test_takes_the_longest_way(self):
        code = read("""LDG.E R2,desc[UR6][R10.64]
                       ISETP.NE.AND P0,PT,R2,RZ,PT
                       @P0 BRA =5
                       LDG.E R3,desc[UR6][R12.64]
                       FADD R4,R3,R3
                       EXIT""")
        self.assertEqual(code["trips"], 2)
        self.assertEqual(code["loops"], [])

    def test_counts_trips_of_an_iteration(self):
        each = read("""MOV R2,RZ
                       LDG.E R3,desc[UR6][R10.64]
                       FFMA R2,R3,R3,R2
                       @P0 BRA =1
                       EXIT""")["loops"]
        self.assertEqual([(loop.begin, loop.end, loop.loads, loop.trips) for loop in each],
                         [(16, 48, 1, 1)])
        # The link of a chain is what the next iteration loads from.
        chain = read("""LDG.E.64 R2,desc[UR6][R2.64]
                        @P0 BRA =0
                        EXIT""")["loops"]
        self.assertEqual(chain[0].trips, 1)

    def test_counts_asynchronous_copies_when_they_are_waited_for(self):
        ahead = """LDGSTS.E.BYPASS.128 [R3],desc[UR6][R10.64]
                   LDGDEPBAR
                   LDGSTS.E.BYPASS.128 [R3+0x100],desc[UR6][R12.64]
                   LDGDEPBAR
                   DEPBAR.LE SB0,{}
                   LDG.E R4,desc[UR6][R10.64]
                   FADD R4,R4,R4
                   EXIT"""
        self.assertEqual(read(ahead.format("0x0"))["trips"], 2)
        self.assertEqual(read(ahead.format("0x2"))["trips"], 1)

    def test_knows_a_jump_back_that_is_no_loop(self):
        code = read("""BRA.DIV UR4,=3
                       SHFL.BFLY PT,R2,R3,0x1,0x1f
                       EXIT
                       WARPSYNC.COLLECTIVE R4,=4
                       SHFL.BFLY PT,R2,R3,0x1,0x1f
                       BRA =2
                       BRA =6""")
        self.assertEqual(code["loops"], [])

    def test_counts_conversions_only_where_they_are_repeated(self):
        listing = """F2F.F64.F32 R4,R2
                     {}
                     F2F.F64.F32 R6,R2
                     @P0 BRA =1
                     EXIT"""
        computing = read(listing.format("DFMA R8,R4,R6,R8"))["loops"]
        self.assertEqual([loop.conversions for loop in computing], [1])
        storing = read(listing.format("STS.64 [R3],R4"))["loops"]
        self.assertEqual([loop.conversions for loop in storing], [0])

    def test_sees_local_memory_and_compare_and_swap(self):
        code = read("""STL [R1],R2
                       LDS.64 R4,[R8]
                       IADD3 R6,P1,R4,R2,RZ
                       ATOMS.CAST.SPIN.64 R6,[R8],R4,R6
                       @!P1 BRA =1
                       LDL R2,[R1]
                       EXIT""")
        self.assertEqual(code["local"], 2)
        self.assertEqual([loop.compare_and_swap for loop in code["loops"]], [True])
        once = read("""ATOMS.CAS R6,[R8],R4,R6
                       EXIT""")
        self.assertEqual(once["loops"], [])

    def test_counts_inner_loops_for_themselves(self):
        code = read("""MOV R2,RZ
                       MOV R3,RZ
                       F2F.F64.F32 R4,R2
                       DADD R6,R6,R4
                       @P0 BRA =2
                       @P1 BRA =1
                       EXIT""")
        self.assertEqual([(loop.begin, loop.conversions) for loop in code["loops"]], [(16, 0), (32, 1)])


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
