"""Steps made on drafts, and turns: from a state to the next as kernel code."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from rulesengine.interpreter import Interpreter
from rulesengine.ir.ops import looks_at, reads
from rulesengine.ir.rules import Group, operations
from rulesengine.kernel.change import Change
from rulesengine.kernel.code import Value
from rulesengine.kernel.position import Position, Scene

Record = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class StepValue:
    """A step: the group is known, -1 stands for a part that it does not have.

    It may be of one of `others` as well, which do the same.
    """

    group: int
    direction: Value
    origin: Value
    target: Value
    choice: Value
    others: tuple[int, ...] = ()


class Making(Change):
    """Adds the making of moves."""

    def __init__(self, machine: Interpreter) -> None:
        super().__init__(machine)
        self._histories: dict[tuple[Value, Value, tuple[Value, ...]], tuple[object, Value]] = {}

    # Whether steps that are made are known to be legal for the side that makes them.
    _trusts = True

    @contextmanager
    def trusting(self, trusts: bool) -> Iterator[None]:
        """Make steps that are legal, or such as may not be."""
        before, self._trusts = self._trusts, trusts
        try:
            yield
        finally:
            self._trusts = before

    def once(
        self, make: Callable[[Value], tuple[Position, Record]]
    ) -> Callable[[Value], tuple[Position, Record]]:
        """Make what a side's move leads to once, as far as that reaches."""
        made: dict[Value, tuple[object, tuple[Position, Record]]] = {}

        def result(side: Value) -> tuple[Position, Record]:
            if side not in made or not self.b.reaches(made[side][0]):
                made[side] = self.b.scope(), make(side)
            return made[side][1]

        return result

    def carry_out(self, step: StepValue, scene: Scene) -> Scene:
        """The scene after a step that is made on a draft; it binds the step's variables."""
        group = self.rules.groups[step.group]
        self.b.note(f"make {remark(group)}")
        choice = step.choice
        if group.choice and group.choice[0].type == "flag":
            choice = self.b.op("ieq", choice, self.b.i(1))
        scene = scene.with_(
            direction=step.direction, from_=step.origin, to=step.target, choice=choice
        )
        at = self._with_contents(scene, group, step)
        if group.kind == "place" and group.piece and group.side:
            cells = self.b.op("mcell", step.target)
            kind, side = self.value(group.piece, scene), self.value(group.side, scene)
            known = at.content.get(cells, self._anything())
            at = self.put(at, scene.on(at), kind, side, cells, known)
        elif group.kind == "move":
            at = self.carry(at, scene.on(at), step.origin, step.target)
        elif group.kind == "swap":
            assert at.seats is not None
            at = replace(at, seats=self.b.op("isub", self.b.i(1), at.seats))
        scene = scene.on(at)
        for effect in group.effects:
            scene = self.effect(effect, scene)
        return scene

    def _with_contents(self, scene: Scene, group: Group, step: StepValue) -> Position:
        """What is known of the cells of a legal step before it is made."""
        if not self._trusts:
            return scene.at
        content = dict(scene.at.content)
        groups = [group, *(self.rules.groups[number] for number in step.others)]
        for ops, cell in (
            ([g.origin for g in groups], step.origin),
            ([g.target for g in groups], step.target),
        ):
            if None not in ops:
                single = self.b.op("mcell", cell)
                may = 0
                for op in ops:
                    may |= self.content(op, scene) if op else 0
                content[single] = content.get(single, self._anything()) & may
        return replace(scene.at, content=MappingProxyType(content))

    def made(
        self, at: Position, steps: tuple[StepValue, ...], side: Value
    ) -> tuple[Position, Record]:
        """The state after a move by a side, and the record of what it changed."""
        scene = Scene(self.drafted(at), {"player": side})
        for step in steps:
            scene = self.carry_out(step, scene)
        return self.finished(at, scene)

    def finished(self, before: Position, scene: Scene) -> tuple[Position, Record]:
        """The state and record after the last step of a move."""
        for effect in self.rules.effects:
            scene = self.effect(effect, scene)
        draft = scene.at
        assert draft.record is not None
        return self._end_turn(before, draft, scene).settled(), draft.record

    def _end_turn(self, before: Position, draft: Position, scene: Scene) -> Position:
        """Registers, history and the next side, after the last effect."""
        following = self.player(self.value(self.rules.next, scene))
        if before.seats is not None and draft.seats is not None and before.seats != draft.seats:
            same = self.b.op("ieq", before.seats, draft.seats)
            following = self.b.op("pick", same, following, before.side)
        history = draft.history
        if before.history is not None:
            history = self.remembered(before)
        registers = list(draft.registers)
        stays = self.b.op("ieq", following, before.side)
        for register in self.rules.registers:
            if register.lives == "game":
                continue
            at = self.slots[register.name]
            for slot in range(at, at + (self.sides if register.each else 1)):
                start = self._start_of(slot)
                kept = registers[slot] if register.lives == "turn" else start
                registers[slot] = self.b.op("pick", stays, kept, start)
        if self.program.keeps_last:
            registers[-2 if self.program.keeps_plies else -1] = before.side
        if self.program.keeps_plies:
            registers[-1] = self.b.op("iadd", registers[-1], self.b.i(1))
        return replace(draft, side=following, registers=tuple(registers), history=history)

    def remembered(self, at: Position) -> Value:
        """The history with a state at its end.

        What was remembered on the way here still is, unless a draft was put in its place.
        """
        assert at.history is not None
        key = at.history, at.side, at.planes
        if key in self._histories and not self._looks_on_drafts:
            scope, history = self._histories[key]
            if self.b.reaches(scope):
                return history
        history = self.b.result("remember", "h", at.history, at.side, *at.planes)
        self._histories[key] = self.b.scope(), history
        return history

    @cached_property
    def _looks_on_drafts(self) -> bool:
        """Whether effects, or who is next, ask what follows from a state within a move."""
        steps = tuple(group.effects for tier in self.rules.tiers for group in tier)
        asked = operations((steps, self.rules.effects, self.rules.next))
        return any(looks_at(root, "moves", "outcome", "future") for root in asked)

    def _start_of(self, slot: int) -> Value:
        return self.b.const(self.layout.registers[slot], self.program.form.starts[slot])

    def _is_allowed(self, scene: Scene, group: Group, step: StepValue) -> Value:
        """Whether what a step leads to is not forbidden."""
        if group.forbid is None:
            return self.b.f(True)
        player = scene.variables["player"]
        state, record = self.made(scene.at, (step,), player)

        def from_state(start: Position) -> Callable[[Value], tuple[Position, Record]]:
            def made(side: Value) -> tuple[Position, Record]:
                with self.trusting(False):
                    return self.made(start, (step,), side)

            return self.once(made)

        by_other = from_state(state)

        def result(side: Value) -> tuple[Position, Record]:
            return (state, record) if side == player else by_other(side)

        seen = Scene(state, scene.variables, result, from_state)
        return self.b.op("fnot", self.value(group.forbid, seen))

    def same_effect(self, a: int, b: int) -> tuple[bool, bool]:
        """Whether equal steps of two groups do the same: at all, and only along one direction."""
        first, second = self.rules.groups[a], self.rules.groups[b]
        said = [(g.piece, g.side, g.effects, g.then) for g in (first, second)]
        read = any(reads(op, "variable", "direction") for op in operations(said[0]))
        return said[0] == said[1], read


def remark(group: Group) -> str:
    """What the spec says of a group, for readers."""
    return group.site.text
