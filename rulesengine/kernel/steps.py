"""Legal steps one by one, by loops, and whether any two of them can be equal."""

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

from rulesengine.ir.ops import Op
from rulesengine.ir.rules import Group
from rulesengine.kernel.code import Value
from rulesengine.kernel.making import Record, StepValue, remark
from rulesengine.kernel.parts import Part, Parts, in_order
from rulesengine.kernel.position import Scene
from rulesengine.kernel.shape import cells_of
from rulesengine.kernel.values import Unsupported

__all__ = ["Part", "Record", "StepValue", "Steps", "in_order"]


_UNROLLED = 8


class Steps(Parts):
    """Adds the steps of groups by loops."""

    def each_step(
        self,
        scene: Scene,
        number: int,
        use: Callable[[StepValue], None],
        origins: Value | None = None,
        directions: Value | None = None,
    ) -> None:
        """Hand on the steps of a group in order, from some origins and directions only if given."""
        group = self.rules.groups[number]
        self.b.note(remark(group))
        none = self.b.i(-1)
        scene = scene.with_(from_=none, to=none, choice=none, direction=none)

        def from_direction(inner: Scene) -> None:
            self._each_of(
                group.origin, inner, "from", origins, lambda s: self._to(group, number, s, use)
            )

        if group.along is None:
            from_direction(scene)
            return
        along = self.value(group.along, scene)
        if directions is not None and directions.known != -1:
            along = self.b.op("iand", along, directions)
        self._each_way(along, lambda d: from_direction(scene.with_(direction=d)))

    def _each_way(self, along: Value, body: Callable[[Value], None]) -> None:
        """For each direction of a set, one after the other or, where they are many, in a loop."""
        if along.known is None or len(cells_of(along.known)) > _UNROLLED:
            self._each_direction(along, body)
            return
        for d in cells_of(along.known & self.shape.every):
            body(self.b.i(d))

    def _each_of(
        self,
        op: Op | None,
        scene: Scene,
        name: str,
        among: Value | None,
        body: Callable[[Scene], None],
    ) -> None:
        if op is None:
            body(scene)
            return
        cells = self.value(op, scene)
        if among is not None:
            cells = self.b.op("mand", cells, among)
        what = self.content(op, scene)

        def bound(cell: Value) -> None:
            at = scene.at
            single = self.b.op("mcell", cell)
            content = {**at.content, single: at.content.get(single, self._anything()) & what}
            known = replace(at, content=MappingProxyType(content))
            body(scene.on(known).with_(**{"from_" if name == "from" else name: cell}))

        self.each_cell(cells, bound)

    def _to(
        self, group: Group, number: int, scene: Scene, use: Callable[[StepValue], None]
    ) -> None:
        self._each_of(
            group.target, scene, "to", None, lambda s: self._chosen(group, number, s, use)
        )

    def _chosen(
        self, group: Group, number: int, scene: Scene, use: Callable[[StepValue], None]
    ) -> None:
        """For each choice, if the step is allowed."""
        for op in group.choice or (None,):
            choice = self.value(op, scene) if op else self.b.i(-1)
            if choice.type == "f":
                choice = self.b.op("fint", choice)
            if choice.type != "i":
                raise Unsupported("a choice of sets")
            shown = choice
            if op is not None and op.type == "flag":
                shown = self.b.op("ieq", choice, self.b.i(1))
            inner = scene.with_(choice=shown)
            at = inner.variables
            step = StepValue(number, at["direction"], at["from"], at["to"], choice)
            self.b.when(self._permitted(inner, group, step), lambda step=step: use(step))  # type: ignore[misc]

    def _permitted(self, scene: Scene, group: Group, step: StepValue) -> Value:
        def allowed() -> Value:
            return self._is_allowed(scene, group, step)

        if group.when is None:
            return allowed()
        return self.b.choose(self.value(group.when, scene), allowed, lambda: self.b.f(False))

    def distinct_by_form(self, tier: tuple[Group, ...]) -> bool:
        """Whether no two steps that a tier lists can be equal, whatever the position."""
        kinds = [group.kind for group in tier]
        if len(set(kinds)) != len(kinds) or any(group.choice for group in tier):
            return False
        return all(self._one_way(group) for group in tier)

    def _one_way(self, group: Group) -> bool:
        """Whether a group reaches a cell from another in one direction at most."""
        if group.along is None:
            return True
        if group.target is None:
            return False
        reaches = [self._reach(group.target, d) for d in range(len(self.shape.targets))]
        for cell in range(self.shape.cells):
            seen = 0
            for reach in reaches:
                if seen & reach[cell]:
                    return False
                seen |= reach[cell]
        return group.origin is not None

    def _reach(self, op: Op, direction: int) -> list[int]:
        """Per origin, cells among which all targets are."""
        cells = range(self.shape.cells)
        full = [self.b.full] * self.shape.cells
        if op.name == "single" and op.args[0].name == "variable" and op.args[0].value == "from":
            return [1 << cell for cell in cells]
        if op.name in ("and", "minus"):
            args = op.args if op.name == "and" else op.args[:1]
            for arg in args:
                full = [a & b for a, b in zip(full, self._reach(arg, direction), strict=True)]
            return full
        ways = [self._one_direction(a, direction) for a in op.args[1:2]]
        if op.name in ("shift", "slide") and None not in ways and len(op.args) > 1:
            start = self._reach(op.args[0], direction)
            if op.name == "slide":
                return [self._rayed(mask, ways[0] or 0) for mask in start]
            for arg in op.args[1:]:
                way = self._one_direction(arg, direction)
                if way is None:
                    return full
                start = [self._stepped_from(mask, way) for mask in start]
            return start
        return full

    def _stepped_from(self, mask: int, direction: int) -> int:
        targets = [self.shape.targets[direction][c] for c in cells_of(mask)]
        return sum(1 << t for t in set(targets) if t >= 0)

    def _rayed(self, mask: int, direction: int) -> int:
        result = 0
        for cell in cells_of(mask):
            for passed in self.program.topology.ray(cell, direction):
                result |= 1 << passed
        return result
