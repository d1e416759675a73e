"""Kernel code for steps of one piece on a state of paths: for all origins at once."""

from collections.abc import Sequence

from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.analysis.planes import EMPTY, planes_of
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.lifted_queries import emit_cells_where, with_constants
from rulesengine.engine.kernel.emit.path_reader import PathReader
from rulesengine.engine.kernel.emit.path_states import Change, Path, PathState
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.language.ir.ops import Op, make
from rulesengine.language.ir.roles import constant, has_role, is_conditional, is_single
from rulesengine.language.ir.rules import Group, Then


class PathSteps:
    """Steps of one piece from all origins, on a state of paths."""

    def __init__(self, ctx: Context, at: Position, side: Value) -> None:
        self.ctx, self.b, self.side = ctx, ctx.b, side
        self.state = PathState(ctx, at, side)

    def make(self, group: Group, path: Path, direction: Value) -> None:
        """Make the step of a group along a path from the first origin."""
        reader = PathReader(self.state, {"from": (), "to": path}, direction)
        assert group.origin is not None
        self._carry(reader, group.origin, path)
        for effect in group.effects:
            self._apply(effect, reader)

    def _carry(self, reader: PathReader, origin: Op, path: Path) -> None:
        state = self.state
        planes = self._planes(origin)
        carried = [Change(path, EMPTY, state.active)] if len(planes) != 1 else []
        for plane in sorted(planes):
            occupied = state.active
            if len(planes) > 1:
                occupied = self.b.op("mand", occupied, state.content(frozenset({plane}), ()))
            carried.append(Change(path, plane, occupied))
        state.changes += [*carried, Change((), EMPTY, state.active)]

    def _planes(self, origin: Op) -> frozenset[int]:
        """Return the planes of pieces that may be on the cells of a set."""
        kinds = len(self.ctx.rules.kinds)
        parts = origin.args if has_role(origin, "meet") else (origin,)
        possible = frozenset(self.ctx.layout.planes)
        for part in parts:
            planes = planes_of(part, self.ctx.sides, kinds, int(self.side.constant or 0))
            possible &= possible if planes is None else planes
        return possible

    # effects

    def finish(self, path: Path, direction: Value) -> None:
        """Apply the effects after the last step, which led along a path."""
        reader = PathReader(self.state, {"from": (), "to": path}, direction)
        for effect in self.ctx.rules.effects:
            self._apply(effect, reader)

    def _apply(self, effect: Op, reader: PathReader) -> None:
        state = self.state
        if has_role(effect, "sequence"):
            for inner in effect.args:
                self._apply(inner, reader)
        elif is_conditional(effect):
            flag = reader.holds(effect.args[0])
            for inner, origins in zip(
                effect.args[1:], (flag, self.b.op("mnot", flag)), strict=False
            ):
                with state.among(origins):
                    self._apply(inner, reader)
        elif has_role(effect, "removal"):
            for path, origins in reader.ends(effect.args[0]):
                state.remove(path, origins)
        elif has_role(effect, "promotion") and constant(effect.args[1]) is not None:
            self._promote(effect.args[0], constant(effect.args[1]) or 0, reader)
        elif has_role(effect, "assignment"):
            self._assign(effect, reader)
        else:
            state.none()

    def _change(self, path: Path, plane: int, origins: Value) -> Change:
        return Change(path, plane, self.b.op("mand", self.state.active, origins))

    def _promote(self, cells: Op, kind: int, reader: PathReader) -> None:
        owners, state = self.ctx.sides + 1, self.state
        if not reader.leads(cells):
            state.are_kinds_unknown = True
            return
        changes = []
        for path, origins in reader.ends(cells):
            for plane in self.ctx.layout.planes:
                promoted = self.b.op("mand", origins, state.content(frozenset({plane}), path))
                if plane // owners != kind and promoted.constant != 0:
                    changes.append(self._change(path, kind * owners + plane % owners, promoted))
        state.changes += changes

    def _assign(self, effect: Op, reader: PathReader) -> None:
        assert isinstance(effect.value, tuple)
        name, value, state = str(effect.value[0]), effect.args[0], self.state
        register = self.ctx.facts.registers[name]
        if register.each or register.type not in ("flag", "cells"):
            state.unreadable.add(name)
        elif register.type == "flag":
            old = state.flags.get(name)
            new = reader.holds(value)
            if old is not None:
                new = self.b.op(
                    "mor",
                    self.b.op("mand", new, state.active),
                    self.b.op("mless", old, state.active),
                )
            state.flags[name] = new
        else:
            self._add_cells(name, value, reader)

    def _add_cells(self, name: str, value: Op, reader: PathReader) -> None:
        """Assign the union of the value of a register and further cells to it."""
        state = self.state
        parts = value.args if has_role(value, "join") else (value,)
        more = [part for part in parts if not (has_role(part, "register") and part.value == name)]
        if len(more) == len(parts) or name in state.unreadable:
            state.unreadable.add(name)
            return
        for part in more:
            for path, origins in reader.ends(part):
                guard = self.b.op("mand", origins, state.active)
                state.sets.setdefault(name, []).append((path, guard))

    # continuations

    def following(self, then: Then, path: Path, direction: Value) -> Value:
        """Return the origins for which the step along a path is followed by another one."""
        state, b = self.state, self.b
        reader = PathReader(state, {"from": (), "to": path}, direction)
        group = next(group for group in self.ctx.rules.groups if group.name == then.step)
        directions = self._directions(group, then, direction)
        if then.origin is None or not is_single(then.origin, "to") or directions is None:
            return state.none()
        goes = reader.holds(then.when) if then.when is not None else b.m(b.full)
        with state.among(goes):
            steps = self._steps_in(group, path, directions)
        return b.op("mand", steps, goes)

    def _steps_in(self, group: Group, path: Path, directions: Sequence[Value]) -> Value:
        """Return the origins from which a step of a group leads on in some directions.

        Cells that no earlier step has changed are looked up once for all directions.
        """
        b, steps = self.b, self.b.m(0)
        ahead: dict[Value, Value] = {}
        for direction in directions:
            reader = PathReader(
                self.state, {"from": path}, direction if group.along is not None else None
            )
            origins = self._may_go(group, path, reader)
            beyond = self._unchanged(group, path, direction, reader)
            if beyond is not None:
                ahead[origins] = b.op("mor", ahead.get(origins, b.m(0)), beyond)
                continue
            with self.state.among(origins):
                there = reader.holds(make("any", group.target)) if group.target else b.m(0)
            steps = b.op("mor", steps, b.op("mand", origins, there))
        for origins, cells in ahead.items():
            there = b.op("mand", origins, self.state.ending_on(path, cells))
            steps = b.op("mor", steps, there)
        return steps

    def _may_go(self, group: Group, path: Path, reader: PathReader) -> Value:
        """Return the origins for which a piece may go on by a group, if it has targets."""
        may_fail = any(map(self.ctx.facts.may_fail, filter(None, (group.target, group.when))))
        if group.choice or group.forbid or group.target is None or group.origin is None or may_fail:
            return self.state.none()
        may_move = reader.has(group.origin, path)
        if group.when is not None:
            with self.state.among(may_move):
                may_move = self.b.op("mand", may_move, reader.holds(group.when))
        return may_move

    def _unchanged(self, group: Group, path: Path, way: Value, reader: PathReader) -> Value | None:
        """Return the cells with targets of a group before the move, if no step has changed them."""
        if group.target is None or self.ctx.facts.may_fail(group.target):
            return None
        tested = reader.tested(group.target)
        if tested is None or self.state.changes_any(path + more for more in tested):
            return None
        direction = {} if group.along is None else {"direction": way}
        scene = Environment(self.state.at, {"player": self.side, **direction})
        return emit_cells_where(self.ctx, make("any", group.target), "from", scene)

    def _directions(self, group: Group, then: Then, direction: Value) -> Sequence[Value] | None:
        """Return the directions in which a step may follow, if they are constant; else None."""
        if group.along is None:
            return [self.b.i(-1)] if then.along is None else None
        scene = Environment(self.state.at, {"player": self.side, "direction": direction})
        directions = constant(with_constants(self.ctx, group.along, "", scene))
        more = (
            -1 if then.along is None else constant(with_constants(self.ctx, then.along, "", scene))
        )
        if directions is None or more is None:
            return None
        return [self.b.i(d) for d in cells_of(directions & more & self.ctx.shape.every)]
