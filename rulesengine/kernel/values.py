"""Operations as kernel code, a method for each: the counterpart of the interpreter's evaluator."""

from collections.abc import Callable, Sequence
from types import MappingProxyType

from rulesengine.interpreter import Interpreter
from rulesengine.ir.ops import Op
from rulesengine.kernel.builder import Builder
from rulesengine.kernel.code import Type, Value
from rulesengine.kernel.facts import Facts
from rulesengine.kernel.position import Layout, Position, Scene
from rulesengine.kernel.shape import Shape

_PLAIN = MappingProxyType({"number": "i", "flag": "f", "cells": "m"})


class Unsupported(Exception):
    """What kernels cannot take: a reason in words."""


def type_of(op: Op) -> Type:
    if op.type == "text":
        raise Unsupported("texts inside rules")
    return _PLAIN.get(op.type, "i")  # type: ignore[return-value]


class Values:
    """Makes the values of operations; what looks at moves and outcomes is added by `Turns`."""

    def __init__(self, machine: Interpreter) -> None:
        self.machine = machine
        program = machine.program
        self.program = program
        self.rules = program.rules
        self.layout = Layout.of(program)
        self.shape = Shape(program.topology)
        self.facts = Facts(program)
        self.sides = len(program.rules.players)
        self.slots = dict(program.slots)
        self.b = Builder(program.topology.cells)
        self._there: set[Value] = set()
        self._made: dict[tuple[int, int], tuple[Op, Scene, object, Value]] = {}
        self._open: set[str] = set()

    def value(self, op: Op, scene: Scene) -> Value:
        """The value of an operation; made before in the same place, it is used again."""
        key = id(op), id(scene)
        if key in self._made:
            _, _, scope, value = self._made[key]
            if self.b.reaches(scope):
                return value
        method: Callable[[Op, Scene], Value] | None = getattr(self, "op_" + op.name, None)
        if method is None:
            raise Unsupported(f"the operation {op.name}")
        value = method(op, scene)
        self._made[key] = op, scene, self.b.scope(), value
        return value

    def there(self, cell: Value) -> bool:
        """Whether a cell is known to be on the board."""
        known = cell.known
        return known >= 0 if known is not None else cell in self._there

    def each_cell(self, mask: Value, body: Callable[[Value], None]) -> None:
        def at(cell: Value) -> None:
            self._there.add(cell)
            body(cell)

        self.b.bits(mask, at)

    def fail_unless(self, flag: Value) -> None:
        if flag.known != 1:
            self.b.when(self.b.op("fnot", flag), self.b.fail)

    def op_literal(self, op: Op, scene: Scene) -> Value:
        if not isinstance(op.value, int):
            raise Unsupported("texts inside rules")
        return self.b.const(type_of(op), op.value)

    def op_variable(self, op: Op, scene: Scene) -> Value:
        if op.value not in scene.variables:
            raise Unsupported(f"`{op.value}` has no value there")
        value = scene.variables[str(op.value)]
        return self._as(op, value) if value.type == "i" else value

    def op_mover(self, op: Op, scene: Scene) -> Value:
        return scene.at.side

    def op_empty(self, op: Op, scene: Scene) -> Value:
        return self.b.op("mnot", self.union(scene.at.planes))

    def union(self, masks: Sequence[Value]) -> Value:
        result = self.b.m(0)
        for mask in masks:
            result = self.b.op("mor", result, mask)
        return result

    def op_owned(self, op: Op, scene: Scene) -> Value:
        return self.owned(scene.at, self.value(op.args[0], scene))

    def owned(self, at: Position, side: Value) -> Value:
        """The cells with pieces of a side; a side that is not there owns none."""
        by_owner = [self._planes_of(at, owner) for owner in range(self.sides + 1)]
        known = side.known
        if known is not None:
            return by_owner[known] if 0 <= known <= self.sides else self.b.m(0)
        return self._pick(side, by_owner, self.b.m(0))

    def _planes_of(self, at: Position, owner: int) -> Value:
        planes = zip(self.layout.planes, at.planes, strict=True)
        return self.union([mask for number, mask in planes if number % (self.sides + 1) == owner])

    def _pick(self, index: Value, values: Sequence[Value], other: Value) -> Value:
        """The value of an index; `other` if there is none."""
        result = other
        for i, value in enumerate(values):
            result = self.b.op("pick", self.b.op("ieq", index, self.b.i(i)), value, result)
        return result

    def op_of_kind(self, op: Op, scene: Scene) -> Value:
        kind = self.value(op.args[0], scene)
        by_kind = []
        for k in range(len(self.rules.kinds)):
            planes = zip(self.layout.planes, scene.at.planes, strict=True)
            by_kind.append(self.union([m for n, m in planes if n // (self.sides + 1) == k]))
        if kind.known is not None:
            return by_kind[kind.known] if kind.known >= 0 else self.b.m(0)
        return self._pick(kind, by_kind, self.b.m(0))

    def op_register(self, op: Op, scene: Scene) -> Value:
        slot = self.slots[str(op.value)]
        values = scene.at.registers[slot:]
        if not op.args:
            return self._as(op, values[0])
        side = self.player(self.value(op.args[0], scene))
        if side.known is not None:
            return self._as(op, scene.at.registers[slot + side.known])
        return self._as(op, self._pick(side, values[: self.sides - 1], values[self.sides - 1]))

    def _as(self, op: Op, value: Value) -> Value:
        return self.b.op("ieq", value, self.b.i(1)) if op.type == "flag" else value

    def op_owner(self, op: Op, scene: Scene) -> Value:
        def owner(plane: int) -> int:
            side = plane % (self.sides + 1)
            return -1 if side == self.sides else side

        return self._content(op.args[0], scene, owner)

    def op_kind_at(self, op: Op, scene: Scene) -> Value:
        return self._content(op.args[0], scene, lambda plane: plane // (self.sides + 1))

    def _content(self, cell: Op, scene: Scene, says: Callable[[int], int]) -> Value:
        """What the plane of the piece on a cell says, -1 if there is none."""
        at = self.value(cell, scene)
        mask = self.b.op("mcell", at)
        result = self.b.i(-1)
        for plane, cells in zip(self.layout.planes, scene.at.planes, strict=True):
            on = self.b.op("many", self.b.op("mand", cells, mask))
            result = self.b.op("pick", on, self.b.i(says(plane)), result)
        return result

    def op_plies(self, op: Op, scene: Scene) -> Value:
        return scene.at.registers[-1]

    def op_repeats(self, op: Op, scene: Scene) -> Value:
        history = scene.at.history
        assert history is not None
        side = (scene.at.side,) if op.value == "position" else ()
        return self.b.result("recall", "i", history, *side, *scene.at.planes, detail=str(op.value))

    def op_next(self, op: Op, scene: Scene) -> Value:
        return self.next_side(self.player(self.value(op.args[0], scene)))

    def player(self, side: Value) -> Value:
        """A side that must be a player; nobody is an error."""
        if side.known is None:
            inside = self.b.op("ile", self.b.i(0), side)
            last = self.b.i(self.sides - 1)
            self.fail_unless(self.b.op("fand", inside, self.b.op("ile", side, last)))
        elif not 0 <= side.known < self.sides:
            self.b.fail()
            return self.b.i(0)
        return side

    def next_side(self, side: Value, steps: int = 1) -> Value:
        """The side that many places on in the order of play."""
        if side.known is not None:
            return self.b.i((side.known + steps) % self.sides)
        if self.sides == 2 and steps == 1:
            return self.b.op("isub", self.b.i(1), side)
        on = self.b.op("iadd", side, self.b.i(steps))
        past = self.b.op("ile", self.b.i(self.sides), on)
        return self.b.op("pick", past, self.b.op("isub", on, self.b.i(self.sides)), on)

    def op_by_side(self, op: Op, scene: Scene) -> Value:
        side = self.value(op.args[0], scene)
        values = op.args[1:]
        other = values[-1] if len(values) > self.sides else None
        return self.cases(
            side,
            [lambda v=v: self.value(v, scene) for v in values[: self.sides]],  # type: ignore[misc]
            (lambda: self.value(other, scene)) if other else None,
            type_of(op),
        )

    def cases(
        self,
        index: Value,
        cases: Sequence[Callable[[], Value]],
        other: Callable[[], Value] | None,
        type: Type,
    ) -> Value:
        """The value of the case of an index; without `other` an index beyond them fails."""
        if index.known is not None and 0 <= index.known < len(cases):
            return cases[index.known]()

        def failed() -> Value:
            self.b.fail()
            return self.b.const(type, 0)

        def chain(i: int) -> Value:
            if i == len(cases):
                return (other or failed)()
            flag = self.b.op("ieq", index, self.b.i(i))
            return self.b.choose(flag, cases[i], lambda: chain(i + 1))

        return chain(0)
