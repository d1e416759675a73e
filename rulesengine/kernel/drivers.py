"""Entry points of kernels: single calls, choices, and the drivers."""

from rulesengine.ir.rules import Rules
from rulesengine.kernel import numbering
from rulesengine.kernel.code import Module, Type, Value
from rulesengine.kernel.movesets import InLists, InParts, MoveSet
from rulesengine.kernel.playing import Playing
from rulesengine.kernel.position import RECORDS, Scene
from rulesengine.kernel.prune import pruned
from rulesengine.kernel.steps import StepValue
from rulesengine.kernel.turns import GOES_ON
from rulesengine.limits import MAX_PLIES


class Drivers(Playing):
    """All entry points."""

    def finished_module(self) -> Module:
        """The code that has been made."""
        module, topology = self.b.module, self.program.topology
        module.grid, module.places = numbering.grid(topology) or (None, numbering.places(topology))
        return pruned(module)

    def chooser(self, number: int) -> None:
        """Entry point choose_K(state): the moves that a strategy leaves, the first is the choice.

        Results: the steps of moves and their ends, as lists.
        """
        with self.b.function(
            f"choose_{number}", self.layout.types, ("b", "b"), entry=True
        ) as values:
            self.new_lists()
            at = self._state(values)
            self.on_side(at.side, lambda side: self._choose(self._state(values, side), number))
            self.b.give(self.lists[1], self.lists[2])

    def self_play(self) -> None:
        """The entry point `self_play`, of a state and each side's strategy: a game, as lists."""
        b = self.b
        number: Type = "i"
        numbers = (number,) * self.sides
        with b.function(
            "self_play", (*self.layout.types, *numbers), ("b", "b"), entry=True
        ) as values:
            self.new_lists()
            start, strategies = values[: -self.sides], values[-self.sides :]
            state = [b.let(value) for value in start]
            over = b.let(b.f(False))

            def ply(side: Value) -> None:
                at = self._state(tuple(b.get(v) for v in state), side)
                base, first = (b.result("size", "i", self.lists[k]) for k in (1, 2))
                self._choose_by(strategies[side.known or 0], at)

                def make() -> None:
                    end = b.result("item", "i", self.lists[2], first)
                    new, _ = self.make_listed(at, self.lists[1], base, end, side)
                    b.effect("cut", self.lists[1], end)
                    b.effect("cut", self.lists[2], b.op("iadd", first, b.i(1)))
                    for var, value in zip(state, new.values(), strict=True):
                        b.set(var, value)

                some = b.op("ilt", first, b.result("size", "i", self.lists[2]))
                b.when(some, make, lambda: b.set(over, b.f(True)))

            def round_() -> None:
                self.on_side(b.get(state[len(self.layout.planes)]), ply)
                plies = b.result("size", "i", self.lists[2])
                stop = b.op("for", b.get(over), b.op("ile", b.i(MAX_PLIES), plies))
                b.when(stop, b.leave)

            b.loop(round_)
            b.give(self.lists[1], self.lists[2])

    def singles(self) -> None:
        """Entry points for one state: legal, mask, decide, step, finish."""
        with self.b.function("legal", self.layout.types, ("b", "b"), entry=True) as values:
            self.new_lists()
            at = self._state(values)

            def listed(side: Value) -> None:
                here = self._state(values, side)
                self.b.when(self.b.op("fnot", self.is_over(here)), lambda: self.list_legal(here))

            self.on_side(at.side, listed)
            self.b.give(self.lists[1], self.lists[2])
        with self.b.function("decide", self.layout.types, ("i",), entry=True) as values:
            at = self._state(values)
            self.on_side(at.side, lambda side: self.b.give(self.decide(self._state(values, side))))
            self.b.give(self.b.i(GOES_ON))
        self._making_entries()
        if only_places(self.rules):
            self._mask_entry()

    def remembering(self) -> None:
        """Entry point lengthen(state): the history with this state behind it, if it is kept."""
        if not self.layout.history:
            return
        with self.b.function("lengthen", self.layout.types, ("h",), entry=True) as values:
            at = self._state(values)
            assert at.history is not None
            self.b.give(self.b.result("remember", "h", at.history, at.side, *at.planes))

    def _mask_entry(self) -> None:
        """mask(state): the cells that may be placed on."""
        with self.b.function("mask", self.layout.types, ("m",), entry=True) as values:
            self.new_lists()
            at = self._state(values)

            def give(side: Value) -> None:
                here = self._state(values, side)
                self.b.when(self.is_over(here), lambda: self.b.give(self.b.m(0)))
                self.moves_of(here, side, self._give_mask, lambda: self.b.give(self.b.m(0)))

            self.on_side(at.side, give)
            self.b.give(self.b.m(0))

    def _give_mask(self, moves: MoveSet) -> None:
        if isinstance(moves, InParts):
            self.b.give(self.union([part.cells for part in moves.parts]))
            return
        assert isinstance(moves, InLists)
        total = self.b.let(self.b.m(0))

        def add(start: Value, end: Value) -> None:
            cell = self.target_in(self.b.result("item", "i", self.lists[1], start))
            self.b.set(total, self.b.op("mor", self.b.get(total), self.b.op("mcell", cell)))

        moves.each_bounds(add)
        self.b.give(self.b.get(total))

    def _making_entries(self) -> None:
        """step(draft, player, word, choice) and finish(before, draft, player, word, choice)."""
        groups = list(range(len(self.rules.groups)))
        types = self.draft_types()
        with self.b.function("step", (*types, "i", "i", "i"), types, entry=True) as values:
            player, word, choice = values[-3:]

            def make(side: Value) -> None:
                draft = self.draft_of(values[:-3])

                def give(step: StepValue) -> None:
                    with self.trusting(False):
                        scene = self.carry_out(step, Scene(draft, {"player": side}))
                    self.b.give(*self._draft_values(scene.at))

                self.read_step(word, choice, groups, give)

            self.on_side(player, make)
            self.b.give(*values[:-3])
        results = (*self.layout.types, *("m" for _ in RECORDS))
        with self.b.function(
            "finish",
            (*self.layout.types, *types, "i", "i", "i"),
            results,  # type: ignore[arg-type]
            entry=True,
        ) as values:
            size = len(self.layout.types)
            player, word, choice = values[-3:]

            def end(side: Value) -> None:
                before, draft = self._state(values[:size]), self.draft_of(values[size:-3])

                def give(step: StepValue) -> None:
                    scene = Scene(draft, {"player": side}).with_(
                        direction=step.direction,
                        from_=step.origin,
                        to=step.target,
                        choice=step.choice,
                    )
                    state, record = self.finished(before, scene)
                    self.b.give(*state.values(), *(record[name] for name in RECORDS))

                self.read_step(word, choice, groups, give)

            self.on_side(player, end)
            self.b.give(*values[size : size + size + len(RECORDS)])


def only_places(rules: Rules) -> bool:
    """Whether a legal move is no more than a cell that is placed on or selected."""
    groups = [group for tier in rules.tiers for group in tier]
    return not rules.keep and all(g.origin is None and not g.then for g in groups)
