"""Kernel code that reads operations in a state of paths: each value is for all origins at once."""

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from itertools import product

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.analysis.planes import planes_of
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.lifted_queries import with_constants
from rulesengine.engine.kernel.emit.path_states import Ends, Path, PathState
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import constant, has_role, is_conditional, is_single, is_variable

_MAX_PATHS = 16


class PathReader:
    """The values of operations in a state, with paths and a direction as variables."""

    def __init__(
        self, state: PathState, cells: Mapping[str, Path], direction: Value | None
    ) -> None:
        self._state, self._b, self._cells = state, state.b, cells
        known = {"player": state.side} | ({} if direction is None else {"direction": direction})
        self._scene = Environment(state.at, known)

    def holds(self, op: Op) -> Value:
        """Return the origins for which a condition holds."""
        return self._flag(with_constants(self._state.ctx, op, "", self._scene))

    def ends(self, op: Op) -> Ends:
        """Return a set as ends of paths, each with the origins for which it is a member."""
        return self._ends(with_constants(self._state.ctx, op, "", self._scene))

    def has(self, op: Op, path: Path) -> Value:
        """Return the origins for which a set has the cell at the end of a path."""
        return self._has(with_constants(self._state.ctx, op, "", self._scene), path)

    def tested(self, op: Op) -> set[Path] | None:
        """Return the paths from `from` to the cells that decide a set; None if unknown."""
        paths = self._tested(with_constants(self._state.ctx, op, "", self._scene))
        return None if paths is None else paths[1]

    def _tested(self, op: Op) -> tuple[set[Path], set[Path]] | None:
        """Return the paths to the members of a set, and to the cells that decide them."""
        if is_single(op, "from"):
            return {()}, set()
        if has_role(op, "shift"):
            inner, directions = self._tested(op.args[0]), [constant(arg) for arg in op.args[1:]]
            if inner is None or None in directions:
                return None
            longer = list(self._ways(op))
            return {path + more for path in inner[0] for more in longer}, inner[1]
        if has_role(op, "meet", "difference"):
            inside = op.args[:1] if has_role(op, "difference") else op.args
            leading = [arg for arg in inside if self._leads(arg)]
            inner = self._tested(leading[0]) if len(leading) == 1 else None
            if inner is None or not all(self._is_local(a) for a in op.args if a is not leading[0]):
                return None
            return inner[0], inner[0] | inner[1]
        if has_role(op, "join"):
            parts = [self._tested(arg) for arg in op.args]
            known = [part for part in parts if part is not None]
            if len(known) < len(parts):
                return None
            return set().union(*(k[0] for k in known)), set().union(*(k[1] for k in known))
        return None

    def _is_local(self, op: Op) -> bool:
        """True if the membership of a cell depends on its own content and on sets in registers."""
        state, ctx = self._state, self._state.ctx
        if ctx.facts.is_fixed(op):
            return not ctx.facts.variables(op) - {"player"}
        if has_role(op, "pieces", "vacancy"):
            return all(map(ctx.facts.is_fixed, op.args))
        if has_role(op, "register"):
            return not op.args and op.value not in state.unreadable
        combines = has_role(op, "meet", "join", "difference", "complement")
        return combines and all(map(self._is_local, op.args))

    def _ways(self, op: Op) -> Iterator[Path]:
        """Yield the paths of a shift in constant directions."""
        every = self._state.ctx.shape.every
        return product(*(cells_of((constant(arg) or 0) & every) for arg in op.args[1:]))

    def leads(self, op: Op) -> bool:
        """True if a set has cells at the ends of paths alone."""
        return self._leads(with_constants(self._state.ctx, op, "", self._scene))

    # conditions

    def _flag(self, op: Op) -> Value:
        b = self._b
        if constant(op) is not None:
            return b.m(b.full if constant(op) else 0)
        if has_role(op, "meet", "join") and op.type == "flag":
            return self._each_in_turn(op)
        if has_role(op, "complement"):
            return b.op("mnot", self._flag(op.args[0]))
        if has_role(op, "nonempty"):
            return self._any(op.args[0])
        if has_role(op, "void"):
            return b.op("mnot", self._any(op.args[0]))
        if has_role(op, "membership") and is_variable(op.args[0], *self._cells):
            return self._has(op.args[1], self._cells[str(op.args[0].value)])
        if is_conditional(op):
            return self._branches(op, self._flag)
        if has_role(op, "register") and op.value in self._state.flags:
            return self._state.flags[str(op.value)]
        return self._same_for_all(op)

    def _each_in_turn(self, op: Op) -> Value:
        """Return a conjunction or a disjunction: an operand matters where those before left off."""
        b, is_meet = self._b, has_role(op, "meet")
        mask = b.m(b.full if is_meet else 0)
        for arg in op.args:
            with self._state.among(mask if is_meet else b.op("mnot", mask)):
                value = self._flag(arg)
            mask = b.op("mand" if is_meet else "mor", mask, value)
        return mask

    def _any(self, op: Op) -> Value:
        mask = self._b.m(0)
        for _, origins in self._ends(op):
            mask = self._b.op("mor", mask, origins)
        return mask

    def _branches(self, op: Op, read: Callable[[Op], Value]) -> Value:
        b, state = self._b, self._state
        test, then, other = op.args
        flag = self._flag(test)
        with state.among(flag):
            yes = read(then)
        with state.among(b.op("mnot", flag)):
            no = read(other)
        return b.op("mor", b.op("mand", yes, flag), b.op("mless", no, flag))

    def _same_for_all(self, op: Op) -> Value:
        """Return all origins or none, by a flag that no step has changed."""
        if not self._is_plain(op):
            return self._state.none()
        b, flag = self._b, self._state.ctx.value(op, self._scene)
        return b.op("pick", flag, b.m(b.full), b.m(0))

    def _is_plain(self, op: Op) -> bool:
        """True if an operation has the same value in all states and for all origins."""
        facts = self._state.ctx.facts
        known = facts.is_fixed(op) and not facts.may_fail(op)
        return known and facts.variables(op) <= set(self._scene.variables)

    # sets

    def _has(self, op: Op, path: Path) -> Value:
        b, state, ctx = self._b, self._state, self._state.ctx
        planes = planes_of(op, ctx.sides, len(ctx.rules.kinds), int(state.side.constant or 0))
        if planes is not None:
            return state.content(planes, path)
        if is_single(op, *self._cells):
            return b.m(state.meeting(path, self._cells[str(op.args[0].value)]))
        if has_role(op, "complement"):
            return b.op("mless", state.on_board(path), self._has(op.args[0], path))
        if has_role(op, "meet"):
            return reduce(lambda x, y: b.op("mand", x, y), (self._has(a, path) for a in op.args))
        if has_role(op, "join"):
            return reduce(lambda x, y: b.op("mor", x, y), (self._has(a, path) for a in op.args))
        if has_role(op, "difference"):
            first, second = (self._has(arg, path) for arg in op.args)
            return b.op("mless", first, second)
        if is_conditional(op):
            return self._branches(op, lambda of: self._has(of, path))
        if has_role(op, "register") and not op.args:
            return self._in_register(str(op.value), path)
        if has_role(op, "shift"):
            return self._reached(op, path)
        if self._is_plain(op):
            return state.ending_on(path, ctx.value(op, self._scene))
        return state.none()

    def _in_register(self, name: str, path: Path) -> Value:
        state, ctx = self._state, self._state.ctx
        if name in state.unreadable:
            return state.none()
        mask = state.ending_on(path, state.at.registers[ctx.slots[name]])
        for other, origins in state.sets.get(name, ()):
            meeting = self._b.m(state.meeting(path, other))
            mask = self._b.op("mor", mask, self._b.op("mand", meeting, origins))
        return mask

    def _reached(self, op: Op, path: Path) -> Value:
        mask = self._b.m(0)
        for other, origins in self._ends(op):
            meeting = self._b.m(self._state.meeting(path, other))
            mask = self._b.op("mor", mask, self._b.op("mand", meeting, origins))
        return mask

    def _ends(self, op: Op) -> Ends:
        state, b = self._state, self._b
        if is_single(op, *self._cells):
            path = self._cells[str(op.args[0].value)]
            return [(path, state.on_board(path))]
        if constant(op) == 0:
            return []
        if has_role(op, "register") and op.value in state.sets and not op.args:
            return state.ends_in(str(op.value))
        ends: Ends | None = None
        if has_role(op, "shift"):
            ends = self._shifted(op)
        elif has_role(op, "meet", "difference"):
            ends = self._met(op)
        elif has_role(op, "join"):
            ends = [end for arg in op.args for end in self._ends(arg)]
        elif has_role(op, "ray"):
            ends = self._slid(op)
        elif is_conditional(op):
            ends = self._ends_of_branches(op)
        if ends is None or len(ends) > _MAX_PATHS:
            state.none()
            return []
        return [(path, origins) for path, origins in ends if origins != b.m(0)]

    def _shifted(self, op: Op) -> Ends | None:
        directions = [constant(arg) for arg in op.args[1:]]
        if None in directions:
            return None
        state, longer = self._state, list(self._ways(op))
        return [
            (path + more, self._b.op("mand", origins, state.on_board(path + more)))
            for path, origins in self._ends(op.args[0])
            for more in longer
        ]

    def _slid(self, op: Op) -> Ends | None:
        """Return no cells: a slide is unknown where its first cell is passable."""
        start, directions, through = op.args
        ways = constant(directions)
        if ways is None:
            return None
        for path, origins in self._ends(start):
            for direction in cells_of(ways & self._state.ctx.shape.every):
                with self._state.among(origins):
                    begins = self._has(through, (*path, direction))
                with self._state.among(self._b.op("mand", origins, begins)):
                    self._state.none()
        return []

    def _met(self, op: Op) -> Ends | None:
        """Return the ends of the operand that depends on cells of the move, within the others."""
        b = self._b
        inside = op.args[:1] if has_role(op, "difference") else op.args
        leading = [arg for arg in inside if self._leads(arg)]
        if not leading:
            return None
        ends = []
        for path, origins in self._ends(leading[0]):
            with self._state.among(origins):
                for arg in op.args:
                    if arg is leading[0]:
                        continue
                    name = "mand" if arg in inside else "mless"
                    origins = b.op(name, origins, self._has(arg, path))
            ends.append((path, origins))
        return ends

    def _leads(self, op: Op) -> bool:
        """True if a set is the ends of paths from cells of the move."""
        if has_role(op, "shift", "ray"):
            return self._leads(op.args[0])
        if has_role(op, "meet"):
            return any(map(self._leads, op.args))
        if has_role(op, "join"):
            return all(map(self._leads, op.args))
        if has_role(op, "difference"):
            return self._leads(op.args[0])
        return is_single(op, *self._cells) or (is_conditional(op) and self._leads(op.args[1]))

    def _ends_of_branches(self, op: Op) -> Ends:
        b, state = self._b, self._state
        test, then, other = op.args
        flag = self._flag(test)
        with state.among(flag):
            first = [(path, b.op("mand", cells, flag)) for path, cells in self._ends(then)]
        with state.among(b.op("mnot", flag)):
            second = [(path, b.op("mless", cells, flag)) for path, cells in self._ends(other)]
        return first + second
