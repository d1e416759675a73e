"""Evaluation of operations without a position: values from cells and parameters alone."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from rulesengine.board.geometry import Geometry, bits
from rulesengine.board.topology import Topology
from rulesengine.language.ir.constants import NotConstant, number
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import has_role, is_conditional, loop_function
from rulesengine.support.limits import MAX_BOARD_STEPS

Values = Mapping[str, Any]


class StaticEvaluator:
    """An evaluator of operations on one board; raises NotConstant if a value needs a position."""

    def __init__(self, board: Topology, parameters: Mapping[str, int | str]) -> None:
        self.board = board
        self.parameters = parameters
        self.geometry = Geometry(board)
        self.regions = {"all": board.mask, "nowhere": 0, **dict(board.regions)}
        self.directions = {d.name: i for i, d in enumerate(board.directions)}
        self.steps = 0
        self.sets = {name: sum(1 << i for i in of) for name, of in board.direction_sets}

    def value(self, op: Op, variables: Values = MappingProxyType({})) -> Any:
        """Evaluate an operation with these values of its variables."""
        self.steps += 1
        if self.steps > MAX_BOARD_STEPS:
            raise NotConstant(f"it takes more than {MAX_BOARD_STEPS:,} operations")
        if op.name in _NAMES:
            return _NAMES[op.name](self, op, variables)
        if loop_function(op):
            return self._evaluate_loop(op, variables)
        if is_conditional(op):
            return self.value(op.args[1 if self.value(op.args[0], variables) else 2], variables)
        values = [self.value(a, variables) for a in op.args]
        if op.name in _PLAIN:
            return _PLAIN[op.name](values)
        if op.name in _ON_BOARD:
            return _ON_BOARD[op.name](self, values)
        if has_role(op, "sum", "product", "quotient", "remainder"):
            literals = tuple(Op("literal", "number", (), v) for v in values)
            return number(Op(op.name, op.type, literals), {})
        raise NotConstant("it must follow from cells, regions, directions and numbers alone")

    def _literal(self, op: Op, variables: Values) -> Any:
        return op.value

    def _parameter(self, op: Op, variables: Values) -> Any:
        return self.parameters[str(op.value)]

    def _cell(self, op: Op, variables: Values) -> Any:
        assert isinstance(op.value, tuple)
        return self._require(self.board.cell(op.value[0]), op.value[0])

    def _direction(self, op: Op, variables: Values) -> Any:
        known = self.directions if op.type == "direction" else self.sets
        return self._require(known.get(str(op.value)), str(op.value))

    def _region(self, op: Op, variables: Values) -> Any:
        return self._require(self.regions.get(str(op.value)), str(op.value))

    def _variable(self, op: Op, variables: Values) -> Any:
        return self._require(variables.get(str(op.value)), str(op.value))

    def _require(self, value: Any, name: str) -> Any:
        if value is None:
            raise NotConstant(f"there is no `{name}` on this board")
        return value

    def _evaluate_loop(self, op: Op, variables: Values) -> Any:
        """Evaluate a loop over cells, directions, groups or numbers."""
        assert isinstance(op.value, tuple)
        function, name, domain, _ = op.value
        if domain not in ("cells", "directions", "groups", "numbers") or function not in _LOOPS:
            raise NotConstant(f"`{function}` needs a game here")
        of = op.args[0]
        members: Sequence[int]
        if domain == "numbers":
            low, high = (self.value(a, variables) for a in of.args)
            members = range(low, high + 1)
        else:
            mask = self.value(of, variables)
            members = self.geometry.groups(mask) if domain == "groups" else bits(mask)
        body = op.args[1]
        values = [self.value(body, {**variables, name: member}) for member in members]
        return _LOOPS[function](members, values)

    def coordinate(self, axis: int, screen: bool, cell: int) -> int:
        """Return the row (axis 0) or column (axis 1) of a cell."""
        if cell < 0:
            raise NotConstant("a cell off the board")
        return self.board.screen[cell][axis] + 1 if screen else self.board.coordinates[cell][axis]

    def shifted(self, cells: int, directions: Sequence[int]) -> int:
        """Return the cells that steps, one after the other, lead to."""
        for direction in directions:
            cells = self.geometry.shift(cells, direction)
        return cells


def _union(masks: Sequence[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _cut(masks: Sequence[int]) -> int:
    members = -1
    for mask in masks:
        members &= mask
    return members


def _member(values: Sequence[int]) -> int:
    return values[1] >> values[0] & 1 if values[0] >= 0 else 0


def _place_of(value: int | None) -> int:
    if value is None:
        raise NotConstant("a cell off the board")
    return value


def _only(mask: int, cell: int) -> int:
    if not mask:
        raise NotConstant("the first of nothing")
    return cell


_NAMES: Mapping[str, Callable[[StaticEvaluator, Op, Values], Any]] = MappingProxyType(
    {
        "literal": StaticEvaluator._literal,
        "variable": StaticEvaluator._variable,
        "parameter": StaticEvaluator._parameter,
        "region": StaticEvaluator._region,
        "named_cell": StaticEvaluator._cell,
        "named_direction": StaticEvaluator._direction,
    }
)
_PLAIN: Mapping[str, Callable[[list[Any]], Any]] = MappingProxyType(
    {
        "and": _cut,
        "or": _union,
        "all_directions": _union,
        "minus": lambda v: v[0] & ~v[1],
        "single": lambda v: 1 << v[0] if v[0] >= 0 else 0,
        "just": lambda v: 1 << v[0],
        "count": lambda v: v[0].bit_count(),
        "any": lambda v: int(v[0] != 0),
        "none": lambda v: int(v[0] == 0),
        "first": lambda v: _only(v[0], (v[0] & -v[0]).bit_length() - 1),
        "last": lambda v: _only(v[0], v[0].bit_length() - 1),
        "member": _member,
        "has_direction": _member,
        "inside": lambda v: int(v[0] & ~v[1] == 0),
        "negative": lambda v: -v[0],
        "abs": lambda v: abs(v[0]),
        "smaller": min,
        "greater": max,
        "both": lambda v: int(all(v)),
        "either": lambda v: int(any(v)),
        "deny": lambda v: 1 - v[0],
        "equal": lambda v: int(v[0] == v[1]),
        "less": lambda v: int(v[0] < v[1]),
        "at_most": lambda v: int(v[0] <= v[1]),
    }
)
_ON_BOARD: Mapping[str, Callable[[StaticEvaluator, list[Any]], Any]] = MappingProxyType(
    {
        "not": lambda k, v: k.board.mask & ~v[0],
        "shift": lambda k, v: k.shifted(v[0], v[1:]),
        "neighbours": lambda k, v: (
            k.geometry.shift(v[0], v[1]) if v[1:] else k.geometry.neighbours(v[0])
        ),
        "slide": lambda k, v: k.geometry.slide(*v),
        "run": lambda k, v: k.geometry.run(*v),
        "line": lambda k, v: k.geometry.line(*v),
        "fill": lambda k, v: k.geometry.fill(*v),
        "rows": lambda k, v: k.geometry.band(0, *v),
        "columns": lambda k, v: k.geometry.band(1, *v),
        "opposite": lambda k, v: k.geometry.opposite(v[0]),
        "turned": lambda k, v: k.geometry.turned(*v),
        "at": lambda k, v: _place_of(k.board.cell_at(*v)),
        "row": lambda k, v: k.coordinate(0, False, v[0]),
        "column": lambda k, v: k.coordinate(1, False, v[0]),
        "screen_row": lambda k, v: k.coordinate(0, True, v[0]),
        "screen_column": lambda k, v: k.coordinate(1, True, v[0]),
    }
)
_LOOPS: Mapping[str, Callable[[Sequence[int], list[Any]], Any]] = MappingProxyType(
    {
        "where": lambda of, v: sum(1 << m for m, held in zip(of, v, strict=True) if held),
        "union": lambda of, v: _union(v),
        "any": lambda of, v: int(any(v)),
        "every": lambda of, v: int(all(v)),
        "none": lambda of, v: int(not any(v)),
        "count": lambda of, v: sum(map(bool, v)),
        "sum": lambda of, v: sum(v),
    }
)
