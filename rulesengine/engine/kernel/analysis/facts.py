"""Static analysis of operations: free variables, cost, value range, and possible failures.

Ranges are intervals (Cousot and Cousot, 1976). Numbers that always fit a word need no overflow
check.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from types import MappingProxyType

from rulesengine.language.ir.ops import OPS, Op, bound, is_loop, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import (
    alternatives,
    constant,
    domain_type,
    has_role,
    is_by_side,
    is_conditional,
    is_variable,
    loop_function,
    role_of,
)
from rulesengine.language.ir.rules import operations
from rulesengine.language.ir.signature import Part
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN, MAX_ROUNDS

Range = tuple[int, int]
_EVERYTHING: Range = (INTEGER_MIN, INTEGER_MAX)

# Reads that evaluate the rules as a whole, where anything may fail.
_OF_RULES: tuple[Part, ...] = ("outcome", "future")


class Facts:
    """The analysis results for the operations of one program, memoised.

    `bounds` are ranges of registers that are narrower than those of their declarations.
    """

    def __init__(
        self, program: Program, bounds: Mapping[str, Range] = MappingProxyType({})
    ) -> None:
        self.program = program
        self._bounds = bounds
        self.registers = {r.name: r for r in program.rules.registers}
        self._reads: dict[int, tuple[Op, frozenset[str]]] = {}
        self._steps: dict[int, tuple[Op, int]] = {}
        self._fails: dict[int, tuple[Op, bool]] = {}

    @cached_property
    def _non_cell_variables(self) -> frozenset[str]:
        """Return the variables that may be no cell: choices, and arguments of effects."""
        tops = operations(self.program.rules)
        binds = (bound(op) for top in tops for op in walk(top) if not is_loop(op))
        choices = (c.name for group in self.program.rules.groups for c in group.choices)
        return frozenset({"choice", *choices, *binds})

    @cached_property
    def _coordinates(self) -> frozenset[tuple[int, ...]]:
        return frozenset(map(tuple, self.program.topology.coordinates))

    def variables(self, op: Op) -> frozenset[str]:
        """Return the names of the free variables of an operation."""
        if id(op) not in self._reads:
            self._reads[id(op)] = op, self._free_variables(op)
        return self._reads[id(op)][1]

    def _free_variables(self, op: Op) -> frozenset[str]:
        if is_variable(op):
            return frozenset({str(op.value)})
        if name := bound(op):
            domain, body = op.args
            return self.variables(domain) | self.variables(body) - {name}
        # The record and the continuation belong to the current move of the player.
        hand = "step" in OPS[op.name].reads
        own = frozenset({"player", "step"}) if hand else frozenset()
        return own.union(*(self.variables(a) for a in op.args))

    def steps(self, op: Op) -> int:
        """Estimate the number of set operations that an operation takes,
        including its arguments.
        """
        if id(op) not in self._steps:
            board = self.program.topology
            costs = (OPS[o.name].cost(board.cells, len(board.directions)) for o in walk(op))
            self._steps[id(op)] = op, sum(costs)
        return self._steps[id(op)][1]

    def is_fixed(self, op: Op) -> bool:
        """True if an operation depends on its variables alone, not on the state."""
        return all(OPS[o.name].reads <= {"variables"} for o in walk(op))

    def may_fail(self, op: Op) -> bool:
        if id(op) not in self._fails:
            self._fails[id(op)] = op, self._compute_may_fail(op)
        return self._fails[id(op)][1]

    def _compute_may_fail(self, op: Op) -> bool:
        if has_role(op, "mobility") and self.is_player(op.args[0]):
            return self._listing_may_fail()
        return self.fails_itself(op) or any(self.may_fail(a) for a in op.args)

    def fails_itself(self, op: Op) -> bool:
        """True if an operation may fail even if its arguments have values."""
        row = OPS[op.name]
        if not row.reads.isdisjoint(_OF_RULES):
            return True
        return any(self._may_fail_by(cause, op) for cause in row.fails)

    def _may_fail_by(self, cause: str, op: Op) -> bool:
        """True if an operation may fail for a cause, judged by its arguments."""
        function = loop_function(op)
        match cause:
            case "unset":
                # Rules read no unbound variable.
                return False
            case "player":
                return self._may_lack_side(op)
            case "cell":
                # A loop variable is always a cell of the board.
                cells = _args_of_type(op, "cell")
                return any(not is_variable(c) or c.value in self._non_cell_variables for c in cells)
            case "place":
                row, column = (self.range(a) for a in op.args)
                is_known = row[0] == row[1] and column[0] == column[1]
                return not (is_known and (row[0], column[0]) in self._coordinates)
            case "nothing":
                return function in ("", "least", "most")
            case "zero":
                low, high = self.range(op.args[1])
                return low <= 0 <= high
            case "overflow":
                return function in ("", "sum") and not inside(self.range(op), _EVERYTHING)
        return True

    def _may_lack_side(self, op: Op) -> bool:
        """True if an operation may get a side for which it has no value."""
        # One value more than there are players is the value for no player.
        for_no_side = is_by_side(op) and len(op.args) > len(self.program.rules.players) + 1
        return not for_no_side and not all(map(self.is_player, _args_of_type(op, "side")))

    def is_player(self, op: Op) -> bool:
        """True if a side is always one of the players."""
        if has_role(op, "successor"):
            return self.is_player(op.args[0])
        if is_conditional(op):
            return all(map(self.is_player, alternatives(op)))
        side = constant(op)
        if side is not None:
            return 0 <= side < len(self.program.rules.players)
        return has_role(op, "mover") or is_variable(op, "player")

    def _listing_may_fail(self) -> bool:
        """True if the search for a legal step may fail."""
        for tier in self.program.rules.tiers:
            for group in tier:
                parts = (group.along, group.origin, group.target, group.when, *group.choice)
                if group.forbid is not None or any(self.may_fail(p) for p in parts if p):
                    return True
        return False

    def range(self, op: Op) -> Range:
        """Return the least and the greatest possible value of a number, not clamped to 64 bits."""
        if loop_function(op):
            return self._range_of_loop(op, loop_function(op))
        match role_of(op):
            case "constant" if isinstance(op.value, int):
                return op.value, op.value
            case "size":
                return 0, self.program.topology.cells
            case "register" | "cell register":
                return self._range_of_register(op)
            case "coordinate":
                return -(10**6), 10**6
            case "selection":
                return _hull([self.range(a) for a in alternatives(op)])
            case "repetition" | "age" | "clock":
                return 0, 2**32
        if op.name in _COMBINED:
            return _COMBINED[op.name]([self.range(a) for a in op.args])
        return _OF_BOARD[op.name](self, op) if op.name in _OF_BOARD else _EVERYTHING

    def _range_of_register(self, op: Op) -> Range:
        name = op.value[0] if isinstance(op.value, tuple) else op.value
        register = self.registers[str(name)]
        if register.type != "number":
            return _EVERYTHING
        return self._bounds.get(register.name, (register.low, register.high))

    def _range_of_total(self, op: Op) -> Range:
        low, high = self._range_of_register(op)
        cells = self.program.topology.cells
        return min(0, low * cells), max(0, high * cells)

    def _range_of_loop(self, op: Op, function: str) -> Range:
        low, high = self.range(op.args[1])
        if function not in ("count", "sum"):
            return low, high
        rounds = _max_rounds(op.args[0], domain_type(op), self.program.topology.cells)
        return (0, rounds) if function == "count" else (min(0, low * rounds), max(0, high * rounds))


def _args_of_type(op: Op, type: str) -> list[Op]:
    """Return the arguments of an operation that have a type in its signature."""
    expected = zip(OPS[op.name].args, op.args, strict=False)
    return [arg for name, arg in expected if name.rstrip("?") == type]


def _max_rounds(domain: Op, name: str, cells: int) -> int:
    """Return an upper bound for the number of values of a domain."""
    if name == "track":
        return MAX_ROUNDS
    if name != "numbers":
        return max(cells, 64)
    low, high = (arg.value for arg in domain.args)
    if isinstance(low, int) and isinstance(high, int):
        return max(0, high - low + 1)
    return 2**64


def inside(a: Range, b: Range) -> bool:
    return b[0] <= a[0] and a[1] <= b[1]


def _hull(ranges: Iterable[Range]) -> Range:
    known = list(ranges)
    return min(r[0] for r in known), max(r[1] for r in known)


def _times(ranges: list[Range]) -> Range:
    (a, b), (c, d) = ranges
    products = [a * c, a * d, b * c, b * d]
    return min(products), max(products)


def _quotient(ranges: list[Range]) -> Range:
    most = max(abs(ranges[0][0]), abs(ranges[0][1]))
    return -most, most


def _remainder(ranges: list[Range]) -> Range:
    most = max(abs(ranges[1][0]), abs(ranges[1][1]))
    return -most, most


def _size(ranges: list[Range]) -> Range:
    low, high = ranges[0]
    return 0, max(abs(low), abs(high))


_COMBINED: MappingProxyType[str, Callable[[list[Range]], Range]] = MappingProxyType(
    {
        "add": lambda r: (r[0][0] + r[1][0], r[0][1] + r[1][1]),
        "subtract": lambda r: (r[0][0] - r[1][1], r[0][1] - r[1][0]),
        "multiply": _times,
        "negative": lambda r: (-r[0][1], -r[0][0]),
        "abs": _size,
        "divide": _quotient,
        "modulo": _remainder,
        "smaller": lambda r: (min(a for a, _ in r), min(b for _, b in r)),
        "greater": lambda r: (max(a for a, _ in r), max(b for _, b in r)),
    }
)
_OF_BOARD: MappingProxyType[str, Callable[[Facts, Op], Range]] = MappingProxyType(
    {
        "total": Facts._range_of_total,
        "place_on": lambda facts, op: (0, facts.program.topology.cells),
    }
)
