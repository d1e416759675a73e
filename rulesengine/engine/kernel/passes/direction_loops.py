"""Unrolls loops over constant sets of directions: each round has a constant direction.

A slide or a step in a constant direction is a few shifts. In a loop over directions the code would
contain every direction, with a test of each. The pass serves programs with values of kinds: their
directions become constant in each case. It also serves programs with bans: their parts are then
bounded one by one. See decisions 148 and 166.
"""

from collections.abc import Mapping
from types import MappingProxyType

from rulesengine.language.ir.ops import Op, bound, literal, make, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import (
    alternatives,
    constant,
    domain_type,
    is_by_kind,
    is_by_side,
    is_variable,
    loop_function,
    reads_variable,
)
from rulesengine.language.ir.rules import operations, rewrite
from rulesengine.language.lower.simplify import simplify
from rulesengine.support.frozen import replace

_MOST = 8  # rounds of a loop that is unrolled
_JOINS: Mapping[str, str] = MappingProxyType({"union": "or", "any": "either", "every": "both"})


def unroll_directions(program: Program) -> Program:
    """Return a program without loops over few constant directions, if it has values of kinds or
    bans.
    """
    tops = operations(program.rules)
    has_bans = any(group.forbid for group in program.rules.groups)
    if not has_bans and not any(is_by_kind(op) for top in tops for op in walk(top)):
        return program
    return replace(program, rules=rewrite(program.rules, _LoopUnroller(program).unrolled))


class _LoopUnroller:
    """The unrolled operations of one program; shared operations stay shared."""

    def __init__(self, program: Program) -> None:
        self._board = program.topology
        self._memo: dict[int, tuple[Op, Op]] = {}
        self._bound: dict[tuple[int, str, int], tuple[Op, Op]] = {}

    def unrolled(self, op: Op) -> Op:
        """Return an operation without loops over constant directions."""
        if id(op) not in self._memo:
            args = tuple(map(self.unrolled, op.args))
            same = all(a is b for a, b in zip(args, op.args, strict=True))
            new = op if same else simplify(replace(op, args=args), self._board)
            self._memo[id(op)] = op, self._loop(new)
        return self._memo[id(op)][1]

    def _loop(self, op: Op) -> Op:
        """Return the rounds of a loop over constant directions; other operations unchanged."""
        if loop_function(op) not in _JOINS or domain_type(op) != "directions":
            return op
        domain, body = op.args
        if is_by_side(domain) and all(constant(d) is not None for d in alternatives(domain)):
            cases = [self._rounds(op, constant(d) or 0, body) for d in alternatives(domain)]
            return make("by_side", domain.args[0], *cases, value=domain.value, type=op.type)
        directions = constant(domain)
        return op if directions is None else self._rounds(op, directions, body)

    def _rounds(self, op: Op, directions: int, body: Op) -> Op:
        """Return the join of the body for each direction of a set."""
        numbers = [number for number in range(directions.bit_length()) if directions >> number & 1]
        if len(numbers) > _MOST:
            return replace(op, args=(literal("directions", directions), body))
        function, name = loop_function(op), bound(op)
        rounds = [self._at(body, name, number) for number in numbers]
        if not rounds:
            return literal(op.type, 1 if function == "every" else 0)
        joined = make(_JOINS[function], *rounds) if len(rounds) > 1 else rounds[0]
        return simplify(joined, self._board)

    def _at(self, op: Op, name: str, number: int) -> Op:
        """Return an operation with a constant direction for a variable."""
        key = id(op), name, number
        if key not in self._bound:
            self._bound[key] = op, self._replaced(op, name, number)
        return self._bound[key][1]

    def _replaced(self, op: Op, name: str, number: int) -> Op:
        if is_variable(op, name):
            return literal("direction", number)
        if not reads_variable(op, name):
            return op
        args = tuple(self._at(arg, name, number) for arg in op.args)
        return simplify(replace(op, args=args), self._board)
