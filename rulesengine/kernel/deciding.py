"""Which of many placements `forbid` lets through, decided for most of them at once."""

from dataclasses import replace

from rulesengine.ir.ops import Op
from rulesengine.ir.rules import Group
from rulesengine.kernel.code import Value
from rulesengine.kernel.facts import inside
from rulesengine.kernel.families import Candidates, Families, Undecided
from rulesengine.kernel.position import Position, Scene


class Deciding(Families):
    """Adds the targets that are allowed."""

    def decided(self, scene: Scene, group: Group, cells: Value) -> tuple[Value, Value]:
        """Targets that are surely allowed, and those that are to be asked about one by one."""
        if not self.decides(scene, group):
            return self.b.m(0), cells
        return self._decide(scene, group, cells)

    def decides(self, scene: Scene, group: Group) -> bool:
        """Whether targets of a group can be decided at once at all."""
        try:
            self.b.inside(lambda: self._decide(scene, group, self.b.new("m")))
        except Undecided:
            return False
        return True

    def _decide(self, scene: Scene, group: Group, cells: Value) -> tuple[Value, Value]:
        if group.forbid is None or group.kind != "place" or self.facts.may_fail(group.forbid):
            raise Undecided
        if not self.facts.is_player(self.rules.next):
            raise Undecided
        at = self._placed(scene, group, cells)
        for effect in (*group.effects, *self.rules.effects):
            at = self._changed(effect, at)
        forbidden = self.flag_of(group.forbid, at)
        doubtful = self.b.op("mand", cells, self.union(at.doubts))
        sure = self.b.op("mless", cells, doubtful)
        return self.b.op("mless", sure, forbidden), doubtful

    def _placed(self, scene: Scene, group: Group, cells: Value) -> Candidates:
        """The states after a piece is placed on each cell, before any effect."""
        assert group.piece is not None
        assert group.side is not None
        if not (self._is_constant(group.piece) and self._is_constant(group.side)):
            raise Undecided
        kind, side = self.value(group.piece, scene).known, self.value(group.side, scene).known
        if kind is None or side is None:
            raise Undecided
        number = kind * (self.sides + 1) + side
        if number not in self.layout.planes or not 0 <= side <= self.sides:
            raise Undecided
        here = tuple(self.b.m(self.b.full if n == number else 0) for n in self.layout.planes)
        return Candidates(cells, scene, scene.at, replace(scene.at, planes=here))

    def _changed(self, effect: Op, at: Candidates) -> Candidates:
        match effect.name:
            case "remove":
                gone = self.known(effect.args[0], at)
                return at.after(
                    self._without(at.rest, gone.rest), self._without(at.here, gone.here)
                )
            case "set" if len(effect.args) == 1 and isinstance(effect.value, tuple):
                # Registers are not asked about; a value that does not fit would be an error.
                register = self.facts.registers[str(effect.value[0])]
                value, bounds = effect.args[0], (register.low, register.high)
                fits = register.type != "number" or inside(self.facts.range(value), bounds)
                if fits and not self.facts.may_fail(value):
                    return at
        raise Undecided

    def _without(self, at: Position, cells: Value) -> Position:
        return replace(at, planes=tuple(self.b.op("mless", p, cells) for p in at.planes))
