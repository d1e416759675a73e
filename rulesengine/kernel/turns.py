"""Ends and looks ahead as kernel code: who has won, who can move, what follows a move."""

from collections.abc import Callable, Sequence

from rulesengine.ir.ops import OPS, Op, walk
from rulesengine.ir.rules import End
from rulesengine.kernel.code import Value
from rulesengine.kernel.position import Position, Scene
from rulesengine.kernel.steps import Steps, StepValue
from rulesengine.kernel.values import Unsupported, type_of

GOES_ON = -2


class Turns(Steps):
    """Adds outcomes."""

    def decide(self, at: Position, before: Position | None = None) -> Value:
        """The winner's number, -1 if nobody wins, `GOES_ON` while the game does.

        Where the state `before` the last move is given, it was not over: what an end reads that
        the move has left as it was need not be asked again.
        """
        return self._first_end(at, before, self._winner, self.b.i(GOES_ON))

    def is_over(self, at: Position, before: Position | None = None) -> Value:
        def ended(end: End, scene: Scene) -> Value:
            risky = end.side is not None and self.facts.may_fail(end.side)
            if risky or self._scores_fail():
                self._winner(end, scene)
            return self.b.f(True)

        return self._first_end(at, before, ended, self.b.f(False))

    def _scores_fail(self) -> bool:
        return self.rules.score is not None and self.facts.may_fail(self.rules.score)

    def _first_end(
        self,
        at: Position,
        before: Position | None,
        says: Callable[[End, Scene], Value],
        goes_on: Value,
    ) -> Value:
        """What the first end that holds says, asked of the sides in their order."""
        last = self._last(at)
        if last.known is not None or not any(end.each for end in self.rules.ends):
            return self._asked(at, before, last, says, goes_on)
        ways = [
            lambda s=s: self._asked(at, before, self.b.i(s), says, goes_on)
            for s in range(self.sides)
        ]
        return self.cases(last, ways, None, goes_on.type)

    def _asked(
        self,
        at: Position,
        before: Position | None,
        last: Value,
        says: Callable[[End, Scene], Value],
        goes_on: Value,
    ) -> Value:
        questions = []
        for end in self.rules.ends:
            sides = [self.next_side(last, i) for i in range(self.sides)] if end.each else [at.side]
            for side in sides:
                scene = Scene(at, {"player": side})
                changed = self.b.f(True)
                if before is not None and end.each:
                    changed = self._end_changed(end.when, scene, before)
                if changed.known != 0:
                    questions.append((end, scene, changed))

        def ask(number: int) -> Value:
            if number == len(questions):
                return goes_on
            end, scene, changed = questions[number]
            self.b.note(f"end, {end.result}: {end.reason}")
            holds = self.b.choose(
                changed, lambda: self.value(end.when, scene), lambda: self.b.f(False)
            )
            return self.b.choose(holds, lambda: says(end, scene), lambda: ask(number + 1))

        return ask(0)

    def _end_changed(self, when: Op, scene: Scene, before: Position) -> Value:
        """A flag that holds wherever what an end reads is not what it was in the state before."""
        return self.b.f(not self._is_same(when, scene, before))

    def _is_same(self, when: Op, scene: Scene, before: Position) -> bool:
        """Whether all that an end reads is what it was in the state before."""
        planes, after = before.planes, scene.at.planes
        for op in walk(when):
            match op.name:
                case "owned" | "of_kind":
                    # Only of the player who is asked: a loop over sides would ask of others.
                    if op.name == "owned" and op.args[0].name not in (
                        "variable",
                        "literal",
                        "next",
                    ):
                        return False
                    if facts_of_loops(when) & self.facts.variables(op):
                        return False
                    covered = self.covered(op, scene)
                    if not covered:
                        return False
                    if any(covered >> i & 1 and planes[i] != after[i] for i in range(len(planes))):
                        return False
                case "register":
                    at = self.slots[str(op.value)]
                    end = at + (self.sides if op.args else 1)
                    if before.registers[at:end] != scene.at.registers[at:end]:
                        return False
                case name if not OPS[name].reads <= {"pieces", "variables"}:
                    # Every move may change it.
                    return False
                case name if "pieces" in OPS[name].reads and planes != after:
                    return False
        return True

    def _last(self, at: Position) -> Value:
        """The side that moved last: the first that is asked."""
        last = self.next_side(at.side, self.sides - 1)
        if self.program.keeps_last:
            kept = at.registers[-2 if self.program.keeps_plies else -1]
            last = self.b.op("pick", self.b.op("ile", self.b.i(0), kept), kept, last)
        return last

    def _asked_of(
        self, end: End, sides: Sequence[Value], at: Position, other: Callable[[], Value]
    ) -> Value:
        if not sides:
            return other()
        scene = Scene(at, {"player": sides[0]})
        return self.b.choose(
            self.value(end.when, scene),
            lambda: self._winner(end, scene),
            lambda: self._asked_of(end, sides[1:], at, other),
        )

    def _winner(self, end: End, scene: Scene) -> Value:
        winner = self.b.i(-1)
        if self._scores_fail():
            # An outcome holds the scores, whatever the end says.
            self._leader(False, scene.at)
        if end.side is not None:
            winner = self.value(end.side, scene)
        elif end.result in ("highest", "lowest"):
            winner = self._leader(end.result == "lowest", scene.at)
        if (end.result == "loses") != self.rules.misere:
            if self.sides != 2:
                return self.b.i(-1)
            there = self.b.op("ile", self.b.i(0), winner)
            other = self.b.op("isub", self.b.i(1), winner)
            winner = self.b.op("pick", there, other, winner)
        return winner

    def _leader(self, lowest: bool, at: Position) -> Value:
        """The side with the highest or lowest score, -1 if it is shared."""
        score = self.rules.score
        if score is None:
            return self.b.i(-1)
        scores = [self.value(score, Scene(at, {"player": self.b.i(s)})) for s in range(self.sides)]
        best, leader = scores[0], self.b.i(0)
        for side, value in enumerate(scores[1:], start=1):
            better = self.b.op("ilt", value, best) if lowest else self.b.op("ilt", best, value)
            tied = self.b.op("ieq", value, best)
            leader = self.b.op("pick", tied, self.b.i(-1), leader)
            leader = self.b.op("pick", better, self.b.i(side), leader)
            best = self.b.op("pick", better, value, best)
        return leader

    # operations that look at moves and outcomes

    def op_can_move(self, op: Op, scene: Scene) -> Value:
        side = self.player(self.value(op.args[0], scene))
        at = scene.at.settled()
        if side.known is None:
            ways = [lambda s=s: self.can_move(at, self.b.i(s)) for s in range(self.sides)]
            return self.cases(side, ways, None, "f")
        return self.can_move(at, side)

    def can_move(self, at: Position, side: Value) -> Value:
        """Whether a side has a step other than a pass, tiers one after the other."""

        def look(tiers: Sequence[int]) -> Value:
            if not tiers:
                return self.b.f(False)
            some = self._some_step(at, side, tiers[0])
            return self.b.choose(some, lambda: self.b.f(True), lambda: look(tiers[1:]))

        return look(range(len(self.rules.tiers)))

    def _some_step(self, at: Position, side: Value, tier: int) -> Value:
        groups = [g for g in self.rules.tiers[tier] if g.kind != "pass"]
        some = self.b.f(False)
        for group in groups:
            number, found = self.rules.groups.index(group), None
            if group.forbid is None or self.is_found(number, side, at.values()):
                found = self._parts_of(Scene(at, {"player": side}), group)
            if found is not None:
                for part in found:
                    flag = part.flag if part.flag is not None else self.b.op("many", part.cells)
                    some = self.b.op("for", some, flag)
            else:
                some = self.b.choose(
                    some,
                    lambda: self.b.f(True),
                    lambda n=number: self._any_step(at, side, n),  # type: ignore[misc]
                )
        return some

    def _any_step(self, at: Position, side: Value, number: int) -> Value:
        """Whether a group has a step: looked for one by one in a function of its own."""
        name = f"some_{number}_{side.known if side.known is not None else 'any'}"
        if name in self._open:
            raise Unsupported("rules that ask in a circle who can move")
        if name not in self.b.module.functions:
            self._open.add(name)
            with self.b.function(name, self.layout.types, ("f",), pure=True) as values:
                inner = Position.of(self.layout, values)

                def found(step: StepValue) -> None:
                    self.b.give(self.b.f(True))

                self.each_step(Scene(inner, {"player": side}), number, found)
                self.b.give(self.b.f(False))
            self._open.discard(name)
        return self.b.call(name, *at.values())[0]

    def op_winner(self, op: Op, scene: Scene) -> Value:
        return self.b.op("imax", self.decide(scene.at), self.b.i(-1))

    def op_over(self, op: Op, scene: Scene) -> Value:
        return self.is_over(scene.at)

    def op_drawn(self, op: Op, scene: Scene) -> Value:
        return self.b.op("ieq", self.decide(scene.at), self.b.i(-1))

    def op_record(self, op: Op, scene: Scene) -> Value:
        name = str(op.value)
        if scene.at.record is not None:
            return scene.at.record[name]
        if scene.result is None:
            raise Unsupported("a record without a move")
        return scene.result(scene.variables["player"])[1][name]

    def op_after(self, op: Op, scene: Scene) -> Value:
        if scene.result is None:
            raise Unsupported("what follows a move, without a move")
        result = scene.result

        def after(side: Value) -> Value:
            return self.value(op.args[1], scene.on(result(side)[0]))

        side = self.player(self.value(op.args[0], scene))
        if side.known is not None:
            return after(side)
        ways = [lambda s=s: after(self.b.i(s)) for s in range(self.sides)]
        return self.cases(side, ways, None, type_of(op))

    def ordered(self, args: Sequence[Op], scene: Scene) -> Sequence[Op]:
        """Flags that cannot fail, in any order: what the list of moves needs comes first."""
        if any(self.facts.may_fail(arg) for arg in args):
            return args

        def rank(arg: Op) -> int:
            asked = [op.args[0] for op in walk(arg) if op.name == "can_move"]
            if not asked:
                return 1
            return 0 if all(self.value(side, scene) == scene.at.side for side in asked) else 2

        return sorted(args, key=rank)


def facts_of_loops(op: Op) -> frozenset[str]:
    """The names of the variables that loops inside an operation bind."""
    loops = (o.value for o in walk(op) if o.name == "each" and isinstance(o.value, tuple))
    return frozenset(str(value[1]) for value in loops)
