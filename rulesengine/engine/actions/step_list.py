"""The steps that can occur in a game, in an order that never changes; their halves likewise."""

from collections.abc import Iterable, Iterator
from math import inf

from rulesengine.board.geometry import bits
from rulesengine.engine.actions.upper_bounds import Possible
from rulesengine.engine.interpreter import Interpreter
from rulesengine.errors import LimitError
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import BY_CHANCE, Group
from rulesengine.state import Step, step_words

Places = tuple[int, int, int, int]  # direction, origin, target, choice
Words = tuple[int, int]
Given = tuple[Step, Words]


def numbered(given: Iterable[Given], most: int) -> dict[Step, int] | None:
    """Steps by number, each once; None where there are more than `most`."""
    found: dict[Step, int] = {}
    for step, _ in given:
        found.setdefault(step, len(found))
        if len(found) > most:
            return None
    return found


def given_steps(machine: Interpreter, most: float = inf) -> Iterator[Given]:
    """All steps that a legal move may have, whichever side moves, with their words.

    They come group by group, in a group by direction, origin, target and choice, each as often as
    groups and directions give it. Steps that no position allows may be among them; none that a
    position allows is missing; of more than `most` only so many that this is seen. Raises
    LimitError where what may be chosen depends on the position.
    """
    walk = _Walk(machine, most)
    for number, group in enumerate(machine.program.rules.groups):
        for places in sorted(walk.places(group)):
            step = machine.maker.step(number, *places)
            yield step, step_words(step)


def given_halves(machine: Interpreter, most: float = inf) -> Iterator[Given]:
    """The same with what `halves` makes of each step that is split.

    Origins and targets are gone through by themselves, so that it takes no time for each pair.
    """
    walk = _Walk(machine, most)
    for number, group in enumerate(machine.program.rules.groups):
        found = sorted(walk.places(group, splits=is_split(group)))
        steps = [machine.maker.step(number, *places) for places in found]
        if is_split(group):
            steps = [_from(number, origin) for origin in sorted(walk.origins(group))] + steps
        for step in steps:
            yield step, step_words(step)


def is_split(group: Group) -> bool:
    """Whether a group's steps are two actions where steps are split: those from cell to cell.

    What chance does is drawn as a whole.
    """
    return group.origin is not None and group.target is not None and group.weight is None


def halves(step: Step) -> tuple[Step, Step]:
    """A step without where it goes to, the same whatever is done, and without where it is from.

    Their words are parts of its own: `FROM_PART`, without a choice, and `TO_PART`.
    """
    to = Step(step.kind, -1, step.target, step.choice, step.group, step.direction, step.written)
    return _from(step.group, step.origin), to


def _from(group: int, origin: int) -> Step:
    return Step("from", origin, -1, -1, group, -1)


class _Walk:
    """Goes through what the steps of a group may have, as the interpreter lists them."""

    def __init__(self, machine: Interpreter, most: float) -> None:
        self._players = range(len(machine.program.rules.players))
        self._possible, self._most = Possible(machine), most

    def places(self, group: Group, *, splits: bool = False) -> set[Places]:
        """What its steps have, by any side; where it splits them, without where they are from."""
        chance = int(group.weight is not None)
        blind = splits and not any("from" in self._possible.variables(op) for op in group.choice)
        found, apart = set[Places](), set[tuple[int, int, int]]()
        for player in self._players:
            at = {"player": player, BY_CHANCE: chance}
            for direction, origin, target, choice in self._of(group, at, blind):
                places = direction, -1 if splits else origin, target, choice
                found.add(places)
                apart.add(places[1:])
                if len(apart) > self._most:
                    return found
        return found

    def origins(self, group: Group) -> set[int]:
        """Where its steps may come from, whatever else they have, by any side."""
        return {
            origin
            for player in self._players
            for at in [{"player": player, BY_CHANCE: int(group.weight is not None)}]
            for _ in self._each(group.along, "direction", at)
            for origin in self._each(group.origin, "from", at)
        }

    def _of(self, group: Group, at: dict[str, int], blind: bool) -> Iterator[Places]:
        """What its steps have by one side; `blind` to where they come from, of which any may be."""
        when = self._possible.known(group.when, at) if group.when else None
        for direction in self._each(group.along, "direction", at):
            for origin in (-1,) if blind else self._each(group.origin, "from", at):
                for target in self._each(group.target, "to", at):
                    for choice in self._choices(group, at):
                        if when is None or self._possible.may_hold(when, at):
                            yield direction, origin, target, choice

    def _each(self, op: Op | None, name: str, at: dict[str, int]) -> Iterator[int]:
        for value in bits(self._possible.most(op, at)) if op else (-1,):
            at[name] = value
            yield value
        at.pop(name, None)

    def _choices(self, group: Group, at: dict[str, int]) -> Iterator[int]:
        for op in group.choice:
            value = self._possible.fixed(op, at)
            if value is None:
                site = group.site
                raise LimitError(
                    f"{site.file}:{site.line}:{site.column}: what may be chosen depends on the"
                    " position, so that it has no numbers"
                )
            at["choice"] = value
            yield value
        if not group.choice:
            at["choice"] = -1
            yield -1
