"""Whole moves in lists: first steps, and what may follow them."""

from collections.abc import Callable

from rulesengine.ir.rules import Group
from rulesengine.kernel.code import Value
from rulesengine.kernel.position import Position, Scene
from rulesengine.kernel.steps import StepValue, in_order
from rulesengine.kernel.words import DIRECTION, LIST_TYPES, LISTS, ORIGIN, STRIDE, Words
from rulesengine.limits import MAX_CHAIN_STEPS, MAX_MOVE_STEPS, MAX_MOVES

__all__ = ["LISTS", "LIST_TYPES", "STRIDE", "Moves"]


class Moves(Words):
    """Adds lists of moves."""

    def list_tier(self, at: Position, side: Value, tier: tuple[Group, ...]) -> None:
        """List the moves of a tier."""
        first = self.b.result("size", "i", self.lists[2])
        if any(group.then for group in self.rules.groups):
            self._list_chains(at, side, tier)
        else:
            moves, ends = self.lists[1], self.lists[2]

            def push(step: StepValue) -> None:
                self.push_step(moves, step)
                self.b.effect("push", ends, self.b.result("size", "i", moves))

            self._list_first(at, side, tier, moves, push)
        count = self.b.op("isub", self.b.result("size", "i", self.lists[2]), first)
        self.b.when(self.b.op("ilt", self.b.i(MAX_MOVES), count), self.b.fail)

    def _list_first(
        self,
        at: Position,
        side: Value,
        tier: tuple[Group, ...],
        steps: Value,
        push: Callable[[StepValue], None],
    ) -> None:
        """List the first steps of a tier's moves, each once."""
        start = self.b.result("size", "i", steps)
        distinct = self.distinct_by_form(tier)

        def add(step: StepValue) -> None:
            if distinct:
                push(step)
            else:
                self._unless_listed(steps, start, step, tier, lambda: push(step))

        for group in in_order(tier):
            self.each_step(Scene(at, {"player": side}), self.rules.groups.index(group), add)

    def _unless_listed(
        self,
        steps: Value,
        start: Value,
        step: StepValue,
        tier: tuple[Group, ...],
        push: Callable[[], None],
    ) -> None:
        """Add a step unless an equal one is listed; one with another meaning is a mistake."""
        kind = self.rules.groups[step.group].kind
        alike = [i for i, g in enumerate(self.rules.groups) if g.kind == kind]
        new = self.b.let(self.b.f(True))
        size = self.b.result("size", "i", steps)
        cells = self.b.op(
            "iadd",
            self.b.op("ishl", self.b.op("iadd", step.target, self.b.i(1)), self.b.i(12)),
            self.b.op("iadd", step.origin, self.b.i(1)),
        )
        index = self.b.let(start)

        def look() -> None:
            at = self.b.get(index)
            self.b.when(self.b.op("ile", size, at), self.b.leave)
            word = self.b.result("item", "i", steps, at)
            choice = self.b.result("item", "i", steps, self.b.op("iadd", at, self.b.i(1)))
            same = self.b.op("ieq", self.b.op("ishr", word, self.b.i(ORIGIN)), cells)
            same = self.b.op("fand", same, self.b.op("ieq", choice, step.choice))
            group = self.b.op("iand", word, self.b.i(0xFF))
            kinds = self.b.f(False)
            for other in alike:
                kinds = self.b.op("for", kinds, self.b.op("ieq", group, self.b.i(other)))
            same = self.b.op("fand", same, kinds)

            def equal() -> None:
                direction = self.b.op("ishr", word, self.b.i(DIRECTION))
                direction = self.b.op("iand", direction, self.b.i(0xFF))
                along = self.b.op("ieq", direction, self.b.op("iadd", step.direction, self.b.i(1)))
                for other in alike:
                    does, reads = self.same_effect(other, step.group)
                    here = self.b.op("ieq", group, self.b.i(other))
                    wrong = here if not does else self.b.op("fand", here, self.b.op("fnot", along))
                    if not does or reads:
                        self.b.when(wrong, self.b.fail)
                self.b.set(new, self.b.f(False))
                self.b.leave()

            self.b.when(same, equal)
            self.b.set(index, self.b.op("iadd", at, self.b.i(STRIDE)))

        self.b.loop(look)
        self.b.when(self.b.get(new), push)

    def _list_chains(self, at: Position, side: Value, tier: tuple[Group, ...]) -> None:
        """First steps into list 0, then each with all that may follow it."""
        steps, path, counted = self.lists[0], self.lists[3], self.lists[4]
        start = self.b.result("size", "i", steps)
        self._list_first(at, side, tier, steps, lambda step: self.push_step(steps, step))
        end = self.b.result("size", "i", steps)
        self.b.effect("cut", counted, self.b.i(0))
        self.b.effect("cut", path, self.b.i(0))
        draft = self.drafted(at)
        groups = [self.rules.groups.index(g) for g in tier]
        self._extend_each(draft, side, steps, start, end, groups)
        self.b.effect("cut", steps, start)

    def _extend_each(
        self,
        draft: Position,
        side: Value,
        steps: Value,
        start: Value,
        end: Value,
        groups: list[int],
    ) -> None:
        """For each step of a part of the list: make it, and go on to moves that begin with it."""
        path, counted = self.lists[3], self.lists[4]
        index = self.b.let(start)
        longest = self.b.i(STRIDE * MAX_MOVE_STEPS)
        long = self.b.op("ile", longest, self.b.result("size", "i", path))
        too_long = self.b.op("fand", long, self.b.op("ilt", start, end))
        self.b.when(too_long, self.b.fail)

        def one() -> None:
            at = self.b.get(index)
            self.b.when(self.b.op("ile", end, at), self.b.leave)
            self.b.effect("push", counted, self.b.i(0))
            many = self.b.op("ilt", self.b.i(MAX_CHAIN_STEPS), self.b.result("size", "i", counted))
            self.b.when(many, self.b.fail)
            self.b.when(many, self.b.leave)
            word = self.b.result("item", "i", steps, at)
            choice = self.b.result("item", "i", steps, self.b.op("iadd", at, self.b.i(1)))
            length = self.b.result("size", "i", path)
            self.b.effect("push", path, word)
            self.b.effect("push", path, choice)
            self.read_step(word, choice, groups, lambda step: self._go_on(draft, side, step, word))
            self.b.effect("cut", path, length)
            self.b.set(index, self.b.op("iadd", at, self.b.i(STRIDE)))

        self.b.loop(one)

    def _go_on(self, draft: Position, side: Value, step: StepValue, word: Value) -> None:
        """Make a step; list the move that ends with it, or those that go on."""
        if self.rules.groups[step.group].then is None:
            self._list_path()
            return
        scene = self.carry_out(step, Scene(draft, {"player": side}))
        name = self._follower(step.group, side)
        last = [step.direction, step.origin, step.target, step.choice]
        self.b.call(name, *self.lists, *self._draft_values(scene.at), *last)

    def _list_path(self) -> None:
        path = self.lists[3]
        moves, ends = self.lists[1], self.lists[2]
        size = self.b.result("size", "i", path)
        self.b.range(
            self.b.i(0),
            size,
            lambda i: self.b.effect("push", moves, self.b.result("item", "i", path, i)),
        )
        self.b.effect("push", ends, self.b.result("size", "i", moves))

    def _follower(self, number: int, side: Value) -> str:
        """The function that lists the moves that go on after a step of a group."""
        name = f"follow_{number}_{side.known}"
        if name in self.b.module.functions:
            return name
        types = (*LIST_TYPES, *self.draft_types(), "i", "i", "i", "i")
        self.b.declare(name, types, ())
        outer = self.lists
        with self.b.function(name, types, ()) as values:
            self.lists = list(values[:LISTS])
            draft = self.draft_of(values[LISTS:-4], side)
            direction, origin, target, choice = values[-4:]
            group = self.rules.groups[number]
            for cell, there in ((origin, group.origin), (target, group.target)):
                if there is not None:
                    self._there.add(cell)
            scene = Scene(draft, {"player": side}).with_(
                direction=direction, from_=origin, to=target, choice=choice
            )
            self._follow(group, scene, side)
            self.b.give()
        self.lists = outer
        return name

    def _follow(self, group: Group, scene: Scene, side: Value) -> None:
        then = group.then
        assert then is not None

        def listed() -> None:
            steps = self.lists[0]
            origins = self.value(then.origin, scene) if then.origin else None
            ways = self.value(then.along, scene) if then.along else None
            number = next(i for i, g in enumerate(self.rules.groups) if g.name == then.step)
            following = self.rules.groups[number]
            start = self.b.result("size", "i", steps)
            distinct = self.distinct_by_form((following,))

            def add(step: StepValue) -> None:
                def push() -> None:
                    self.push_step(steps, step)

                if distinct:
                    push()
                else:
                    self._unless_listed(steps, start, step, (following,), push)

            inner = Scene(scene.at, {"player": side})
            self.each_step(inner, number, add, origins, ways)
            end = self.b.result("size", "i", steps)
            none = self.b.op("ieq", start, end)
            self.b.when(self.b.f(True) if then.optional else none, self._list_path)
            self._extend_each(scene.at, side, steps, start, end, [number])
            self.b.effect("cut", steps, start)

        if then.when is None:
            listed()
        else:
            self.b.when(self.value(then.when, scene), listed, self._list_path)
