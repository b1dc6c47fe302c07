"""The reader of machine code, on listings made up for it."""

import re
import unittest

import sass


def read(listing):
    """A listing's code: a line for an instruction, its place counted from 0, jumps to such places."""
    code = []
    for line in listing.strip().splitlines():
        predicate, opcode, operands = re.fullmatch(r"\s*(@!?\w+)?\s*(\S+)\s*(.*)", line).groups()
        operands = re.sub(r"=(\d+)", lambda place: hex(16 * int(place[1])), operands)
        code.append(sass.Instruction(opcode, sass.split_operands(operands), predicate or ""))
    return sass.read_code(code)


class Reader(unittest.TestCase):
    def test_counts_loads_in_flight_together_once(self):
        code = read("""LDG.E R2,desc[UR6][R10.64]
                       LDG.E R3,desc[UR6][R12.64]
                       FADD R4,R2,R3
                       EXIT""")
        self.assertEqual(code["trips"], 1)

    def test_counts_what_waits_for_a_load_after_it(self):
        for use in ["LDG.E R4,desc[UR6][R2.64]",     # its address
                    "LDG.E R4,desc[UR6][R3.64]",     # half of its address
                    "STG.E desc[UR6][R1.64],R8",     # its lower half, as an upper one
                    "IADD3 R4,R4,R3,RZ"]:            # its upper half; what follows is issued after
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
                       LDG.E R5,desc[UR6][R14.64]
                       FADD R5,R5,R5
                       EXIT""")
        self.assertEqual(code["trips"], 3)
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


if __name__ == "__main__":
    unittest.main()
