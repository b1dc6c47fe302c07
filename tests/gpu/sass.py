"""Reads machine code of an NVIDIA device: the loops of a kernel, and what its warps wait for.

read_code(instructions_of(function["sass-instructions"])), where `function` is one of those that
"nvdisasm -json" tells. machine_code.py says what the figures mean.
"""

import dataclasses
import re

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
                if to in reached and self._dominates(dominator, to, at):
                    self.repeats.setdefault(to, []).append(at)
        self.loops = {head: self._body(head, tails) for head, tails in sorted(self.repeats.items())}

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


# --- What is told of a kernel ---------------------------------------------------------------------


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
