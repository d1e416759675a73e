"""Preimages: the cells for which an expression of the cell intersects a given set.

"A step north of x is in the top row" holds for the cells one step south of the top row. The
expression is inverted operation by operation.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from types import MappingProxyType

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.analysis.board_tables import BoardTables, cells_of
from rulesengine.engine.kernel.analysis.facts import Facts
from rulesengine.language.ir.ops import OPS, Op, literal, make
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import (
    alternatives,
    constant,
    goes_by_adjacency,
    has_role,
    is_constant,
    is_single,
    role_of,
)
from rulesengine.language.lower.simplify import simplify
from rulesengine.state import State
from rulesengine.support.limits import INTEGER_MAX

# A longer run remains a loop, since unrolling shifts the board once for each cell.
_UNROLLED = 32
PLAYER = Op("variable", "side", (), "player")


class Preimages:
    """The preimages of sets of one program, and constructors for simplified operations."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.facts = Facts(program)
        self.shape = BoardTables(program.topology)
        self.sides = len(program.rules.players)
        self.all = literal("cells", self.shape.full)
        self.none = literal("cells", 0)

    @cached_property
    def machine(self) -> Interpreter:
        return Interpreter(self.program)

    @cached_property
    def bare_state(self) -> State:
        """Return a state without pieces, for operations that do not depend on the state.

        The initial state serves less well: the effects of the start may fail.
        """
        form = self.program.form
        return State((0,) * len(form.symbols), 0, form.starts, (), form)

    def build(self, name: str, *args: Op) -> Op:
        """Build an operation on sets, simplified and constant-folded."""
        op = make(name, *args, type=args[-1].type if OPS[name].result == "T" else None)
        return simplify(self._without_redundancy(op), self.program.topology)

    def _without_redundancy(self, op: Op) -> Op:
        """Remove redundant parts of a set operation; none of them may fail."""
        args = tuple(dict.fromkeys(op.args))
        if op.type != "cells":
            return op
        match role_of(op):
            case "meet" if self.none in args:
                return self.none
            case "join" if self.all in args:
                return self.all
            case "meet" | "join":
                return Op(op.name, op.type, args, op.value)
            case "difference" if op.args[0] in (self.none, op.args[1]) or op.args[1] == self.all:
                return self.none
            case "difference" if op.args[0] == self.all:
                return make("not", op.args[1])
        return op

    def reads(self, op: Op, name: str) -> bool:
        return name in self.facts.variables(op)

    def joined(self, name: str, sets: Sequence[Op | None]) -> Op | None:
        """Combine sets by `and` or `or`; None if one of them is None."""
        known = [op for op in sets if op is not None]
        return self.build(name, *known) if len(known) == len(sets) else None

    def inverted(self, cells: Op | None) -> Op | None:
        return self.build("not", cells) if cells else None

    def preimage(self, op: Op, name: str, target: Op) -> Op | None:
        """Return the values for which a set intersects `target`; None if unsupported."""
        if not self.reads(op, name):
            some = self.build("any", self.build("and", op, target))
            return self.build("if", some, self.all, self.none)
        back = _BACK.get(op.name)
        return back(self, op, name, target) if back else None

    def _single(self, op: Op, name: str, target: Op) -> Op | None:
        return target if is_single(op) else None

    def _variable(self, op: Op, name: str, target: Op) -> Op | None:
        """Return the set itself: a set intersects the variable where it contains it."""
        return target

    def _connected(self, op: Op, name: str, target: Op) -> Op | None:
        """Return the cells that are connected to a set, as steps between neighbours lead back."""
        if not (self._only_first(op, name) and goes_by_adjacency(op)):
            return None
        back = self.build("fill", self.build("and", target, op.args[1]), op.args[1])
        return self.preimage(op.args[0], name, back)

    def _and(self, op: Op, name: str, target: Op) -> Op | None:
        dependent = [arg for arg in op.args if self.reads(arg, name)]
        if len(dependent) > 1:
            return None
        others = [arg for arg in op.args if arg is not dependent[0]]
        return self.preimage(dependent[0], name, self.build("and", target, *others))

    def _or(self, op: Op, name: str, target: Op) -> Op | None:
        return self.joined("or", [self.preimage(arg, name, target) for arg in op.args])

    def _minus(self, op: Op, name: str, target: Op) -> Op | None:
        if self.reads(op.args[1], name):
            return None
        return self.preimage(op.args[0], name, self.build("minus", target, op.args[1]))

    def _only_first(self, op: Op, name: str) -> bool:
        """True if only the first argument reads the variable."""
        return not any(self.reads(arg, name) for arg in op.args[1:])

    def _steps(self, op: Op, name: str, target: Op) -> Op | None:
        if not self._only_first(op, name):
            return None
        if has_role(op, "neighbourhood") and len(op.args) == 1:
            return self.preimage(op.args[0], name, self.build("neighbours", target))
        return self.preimage(op.args[0], name, self.build("back", target, *op.args[1:]))

    def _run(self, op: Op, name: str, target: Op) -> Op | None:
        """Return the cells with any run; the preimage of a smaller set is unsupported."""
        if not self._only_first(op, name) or target != self.all:
            return None
        origins = self._origins(op)
        return origins and self.preimage(op.args[0], name, origins)

    def first_cells(self, op: Op) -> Op | None:
        """Return the cells of the first operand of a run from which there is one; None if
        unsupported.
        """
        origins = self._origins(op)
        return origins and self.build("and", op.args[0], origins)

    def _origins(self, op: Op) -> Op | None:
        """Return the cells of the board from which there is a run; None if unsupported."""
        over, until, low, high = op.args[1:5]
        directions = op.args[5] if len(op.args) > 5 else literal("directions", -1)
        if not self._supports_lengths(low, high, directions):
            return None
        # A run ends where `over` does: a cell in both sets is no end.
        ends = self.build("minus", until, over)
        least = literal("number", max(_number(low), 1))
        return self.build("toward", over, ends, least, high, directions)

    def _slide(self, op: Op, name: str, target: Op) -> Op | None:
        """Return the cells that slide onto a set, backwards through the passable cells."""
        start, directions, through = op.args
        low, high = literal("number", 0), literal("number", INTEGER_MAX)
        if not self._only_first(op, name):
            return None
        if target in (self.all, through) and self._leads_away(directions):
            # A slide to any cell begins with a step.
            return self.preimage(start, name, self.build("back", through, directions))
        if not self._supports_lengths(low, high, directions):
            return None
        ends = self.build("and", target, through)
        return self.preimage(
            start, name, self.build("toward", through, ends, low, high, directions)
        )

    def _leads_away(self, directions: Op) -> bool:
        """True if no step in some directions leads from a cell to itself."""
        possible = self.possible_directions(directions) or (self.shape.every,)
        return all(
            target != cell
            for mask in possible
            for direction in cells_of(mask & self.shape.every)
            for cell, target in enumerate(self.shape.targets[direction])
        )

    def _supports_lengths(self, low: Op, high: Op, directions: Op) -> bool:
        """True if `toward` supports these lengths for all possible directions."""
        if not (is_constant(low) and is_constant(high)):
            return False
        possible = self.possible_directions(directions)
        return possible is not None and all(
            self._supports_directions(mask & self.shape.every, _number(low), _number(high))
            for mask in possible
        )

    def _supports_directions(self, directions: int, low: int, high: int) -> bool:
        """True if all cyclic lines are longest lines, and the lengths are not too large."""
        rays = self.shape.rays(directions)
        if rays.cyclic and not self.shape.has_longest_cyclic_lines(directions):
            return False
        longest = max((len(ray) for of in rays.cells for ray in of), default=0) - 1
        if max(low, 1) > min(longest, high):
            return True
        return (low if high >= longest else high) <= _UNROLLED

    def possible_directions(self, ways: Op) -> tuple[int, ...] | None:
        """Return the possible values of directions; None if they are not known."""
        mask = constant(ways)
        if mask is not None:
            return (mask,)
        if is_single(ways, "direction"):
            return tuple(1 << d for d in range(len(self.shape.targets)))
        directions = [self.possible_directions(value) for value in alternatives(ways)]
        known = [masks for masks in directions if masks is not None]
        return sum(known, ()) if directions and len(known) == len(directions) else None


def _number(op: Op) -> int:
    assert isinstance(op.value, int)
    return op.value


Back = Callable[[Preimages, Op, str, Op], Op | None]

# The preimage of each operation.
_BACK: MappingProxyType[str, Back] = MappingProxyType(
    {
        "single": Preimages._single,
        "variable": Preimages._variable,
        "fill": Preimages._connected,
        "and": Preimages._and,
        "or": Preimages._or,
        "minus": Preimages._minus,
        "shift": Preimages._steps,
        "neighbours": Preimages._steps,
        "run": Preimages._run,
        "slide": Preimages._slide,
    }
)
