"""Legal steps as sets, where the groups of a tier are such."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulesengine.interpreter import Interpreter
from rulesengine.ir.ops import Op, reads
from rulesengine.ir.rules import Group, operations
from rulesengine.kernel.code import Table, Value
from rulesengine.kernel.deciding import Deciding
from rulesengine.kernel.making import StepValue, remark
from rulesengine.kernel.position import Position, Scene
from rulesengine.kernel.shape import cells_of


@dataclass(frozen=True, slots=True)
class Part:
    """Steps of a group and a direction as a set; `path` leads from the origin to the target.

    Without `path` the set holds the targets, or (`alone`) stands for one step without cells.
    """

    group: int
    direction: Value
    cells: Value
    flag: Value | None = None
    path: tuple[int, ...] | None = None


class Parts(Deciding):
    """Adds the steps of groups as sets."""

    def __init__(self, machine: Interpreter) -> None:
        super().__init__(machine)
        self._found: dict[tuple[int, Value, tuple[Value, ...]], tuple[object, Value]] = {}

    def parts(self, at: Position, player: Value, tier: tuple[Group, ...]) -> list[Part] | None:
        """The steps of a tier as sets in their order; None if some group is not one."""
        found: list[Part] = []
        for group in in_order(tier):
            new = self._parts_of(Scene(at, {"player": player}), group)
            if new is None:
                return None
            # A step that is known not to be there is no part.
            found += [part for part in new if part.flag is None or part.flag.known != 0]
        return found if self._differ(found) else None

    def _parts_of(self, scene: Scene, group: Group, first_steps: bool = False) -> list[Part] | None:
        """The steps of a group as sets, or only the first ones of moves that go on."""
        number = self.rules.groups.index(group)
        if group.choice or (group.then and not first_steps) or self._fails(group):
            return None
        self.b.note(remark(group))
        none = self.b.i(-1)
        scene = scene.with_(from_=none, to=none, choice=none, direction=none)
        if group.along is None and group.origin is None:
            return self._targets(scene, group, number)
        if group.along is None or group.origin is None or group.target is None:
            return None
        along = self.value(group.along, scene)
        if along.known is None:
            return None
        found = []
        for d in cells_of(along.known & self.shape.every):
            part = self._origins(scene.with_(direction=self.b.i(d)), group, number, d)
            if part is None:
                return None
            found.append(part)
        return found

    def _fails(self, group: Group) -> bool:
        ops = (group.along, group.origin, group.target, group.when)
        return any(self.facts.may_fail(op) for op in ops if op is not None)

    def _targets(self, scene: Scene, group: Group, number: int) -> list[Part] | None:
        none = self.b.i(-1)
        if group.target is None:
            flag = self.value(group.when, scene) if group.when else self.b.f(True)
            if group.forbid is not None:
                step = StepValue(number, none, none, none, none)
                flag = self.b.choose(
                    flag, lambda: self._is_allowed(scene, group, step), lambda: self.b.f(False)
                )
            return [Part(number, none, self.b.m(0), flag)]
        cells = self.value(group.target, scene)
        if group.when is not None:
            asked = self._all(group.when, "to", scene)
            if asked is None:
                return None
            cells = self.b.op("mand", cells, asked)
        if group.forbid is not None:
            cells = self._filtered(scene, group, cells, number)
        return [Part(number, none, cells)]

    def _filtered(self, scene: Scene, group: Group, cells: Value, number: int) -> Value:
        """The targets of which what they lead to is not forbidden."""
        key = number, scene.variables["player"], scene.at.values()
        if self.is_found(*key):
            return self._found[key][1]
        none = self.b.i(-1)
        sure, doubtful = self.decided(scene, group, cells)
        found = self.b.let(sure)

        def ask(cell: Value) -> None:
            step = StepValue(number, none, none, cell, none)
            flag = self._is_allowed(scene.with_(to=cell), group, step)

            def add() -> None:
                more = self.b.op("mor", self.b.get(found), self.b.op("mcell", cell))
                self.b.set(found, more)

            self.b.when(flag, add)

        self.each_cell(doubtful, ask)
        self._found[key] = self.b.scope(), self.b.get(found)
        return self._found[key][1]

    def is_found(self, group: int, player: Value, at: tuple[Value, ...]) -> bool:
        """Whether the targets that `forbid` leaves a group in a state are known here."""
        key = group, player, at
        return key in self._found and self.b.reaches(self._found[key][0])

    def _origins(self, scene: Scene, group: Group, number: int, direction: int) -> Part | None:
        """Steps from each origin to the one cell that a path leads to."""
        assert group.origin is not None
        assert group.target is not None
        if group.forbid is not None or "to" in self.facts.variables(group.target):
            return None
        if group.when is not None and "to" in self.facts.variables(group.when):
            return None
        path = self._path(group.target, direction)
        if path is None:
            return None
        cells = self.value(group.origin, scene)
        if group.when is not None:
            asked = self._all(group.when, "from", scene)
            if asked is None:
                return None
            cells = self.b.op("mand", cells, asked)
        there = self._meeting(group.target, "from", scene, self.b.m(self.b.full))
        if there is None:
            return None
        return Part(number, self.b.i(direction), self.b.op("mand", cells, there), None, path)

    def _path(self, op: Op, direction: int) -> tuple[int, ...] | None:
        """The directions that lead from the origin to the only cell that a set may hold."""
        if op.name == "single" and op.args[0].name == "variable" and op.args[0].value == "from":
            return ()
        if op.name == "shift":
            path = self._path(op.args[0], direction)
            for way in op.args[1:]:
                known = self._one_direction(way, direction)
                if path is None or known is None:
                    return None
                path = (*path, known)
            return path
        if op.name in ("and", "minus"):
            args = op.args if op.name == "and" else op.args[:1]
            return next((p for a in args if (p := self._path(a, direction)) is not None), None)
        return None

    def _one_direction(self, op: Op, direction: int) -> int | None:
        if op.name == "just" and op.args[0].name == "variable":
            return direction if op.args[0].value == "direction" else None
        if op.name == "literal" and isinstance(op.value, int) and op.value.bit_count() == 1:
            return op.value.bit_length() - 1
        return None

    def _differ(self, parts: list[Part]) -> bool:
        """Whether no step can come in two parts."""
        seen: dict[tuple[str, str], list[Part]] = {}
        for part in parts:
            kind = self.rules.groups[part.group].kind
            form = "flag" if part.flag is not None else "to" if part.path is None else "from"
            seen.setdefault((kind, form), []).append(part)
        for (_, form), alike in seen.items():
            if len(alike) > 1 and (form != "from" or not self._paths_differ(alike)):
                return False
        return True

    def _paths_differ(self, parts: list[Part]) -> bool:
        paths = [part.path for part in parts if part.path is not None]
        for cell in range(self.shape.cells):
            ends = [self._end_of(cell, path) for path in paths]
            there = [end for end in ends if end >= 0]
            if len(there) != len(set(there)):
                return False
        return True

    def _end_of(self, cell: int, path: tuple[int, ...]) -> int:
        for direction in path:
            cell = self.shape.targets[direction][cell] if cell >= 0 else -1
        return cell

    def step_of(self, part: Part, cell: Value) -> StepValue:
        """The step of a part at a cell of its set."""
        none = self.b.i(-1)
        self._there.add(cell)
        if part.flag is not None:
            return StepValue(part.group, none, none, none, none)
        if part.path is None:
            return StepValue(part.group, none, none, cell, none)
        ends = [self._end_of(c, part.path) for c in range(self.shape.cells)]
        deltas = {end - c for c, end in enumerate(ends) if end >= 0}
        if len(deltas) == 1:
            target = self.b.op("iadd", cell, self.b.i(deltas.pop()))
        else:
            target = self.b.op("ilook", cell, detail=Table("i", tuple(ends)))
        self._there.add(target)
        return StepValue(part.group, part.direction, cell, target, none)

    def picked(self, parts: Sequence[Part], index: Value) -> StepValue | None:
        """The step of an index among parts that do the same, without a branch; else None."""
        numbers = [part.group for part in parts]
        if any(part.path is None for part in parts) or not self._do_the_same(numbers):
            return None
        origins, targets, direction = self.b.m(0), self.b.m(0), self.b.i(-1)
        before, relations = self.b.i(0), [self.shape.path(part.path or ()) for part in parts]
        most = sum(mask.bit_count() for moves in relations for mask in moves.masks)
        for part, moves in zip(parts, relations, strict=True):
            left = self.b.op("isub", index, before)
            cell = self.b.op("mtake", part.cells, left, detail=most)
            origins = self.b.op("mor", origins, cell)
            targets = self.b.op("mor", targets, self.b.op("mstep", cell, detail=moves))
            direction = self.b.op("pick", self.b.op("many", cell), part.direction, direction)
            before = self.b.op("iadd", before, self.count(part))
        origin, target = self.b.cell_of(origins), self.b.cell_of(targets)
        self._there |= {origin, target}
        none = self.b.i(-1)
        return StepValue(numbers[0], direction, origin, target, none, tuple(set(numbers[1:])))

    def _do_the_same(self, numbers: list[int]) -> bool:
        """Whether steps of these groups have the same effects, whatever their direction."""
        if any(self.rules.groups[n].kind != "move" for n in numbers):
            return False
        for number in numbers:
            same, reads_direction = self.same_effect(numbers[0], number)
            if not same or reads_direction:
                return False
        after = operations((self.rules.effects, self.rules.next))
        return not any(reads(op, "variable", "direction") for op in after)

    def count(self, part: Part) -> Value:
        if part.flag is not None:
            return self.b.op("fint", part.flag)
        return self.b.op("mcount", part.cells)


def in_order(tier: tuple[Group, ...]) -> Iterator[Group]:
    """The groups of a tier, a pass last."""
    return iter(sorted(tier, key=lambda group: group.kind == "pass"))
