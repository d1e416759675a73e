"""The steps that can occur in a game, in a fixed order, and their halves."""

from collections.abc import Iterable, Iterator
from math import inf

from rulesengine.board.geometry import bits
from rulesengine.engine.actions.upper_bounds import UpperBounds
from rulesengine.engine.interpreter import Interpreter
from rulesengine.errors import LimitError
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import BY_CHANCE, Group
from rulesengine.state import Step, step_words

Places = tuple[int, int, int, int]  # direction, origin, target, choice
Words = tuple[int, int]
NumberedStep = tuple[Step, Words]


def numbered(steps: Iterable[NumberedStep], most: int) -> dict[Step, int] | None:
    """Number the steps, each once; return None if there are more than `most`."""
    numbers: dict[Step, int] = {}
    for step, _ in steps:
        numbers.setdefault(step, len(numbers))
        if len(numbers) > most:
            return None
    return numbers


def given_steps(machine: Interpreter, most: float = inf) -> Iterator[NumberedStep]:
    """Yield all steps that a legal move of any side may have, with their words.

    They are ordered by group, then by direction, origin, target and choice. A step occurs once for
    each group and direction that generates it. Steps that no position allows may be included; no
    possible step is missing. Enumeration ends soon after `most` distinct steps. Raises LimitError
    if the values of a choice depend on the position.
    """
    walk = _Walk(machine, most)
    for number, group in enumerate(machine.program.rules.groups):
        for places in sorted(walk.places(group)):
            step = machine.generator.maker.step(number, *places)
            yield step, step_words(step)


def given_halves(machine: Interpreter, most: float = inf) -> Iterator[NumberedStep]:
    """Yield the same, with each split step replaced by its halves.

    Origins and targets are enumerated separately, so that it takes no time for each pair.
    """
    walk = _Walk(machine, most)
    for number, group in enumerate(machine.program.rules.groups):
        sorted_places = sorted(walk.places(group, splits=is_split(group)))
        steps = [machine.generator.maker.step(number, *places) for places in sorted_places]
        if is_split(group):
            steps = [_from(number, origin) for origin in sorted(walk.origins(group))] + steps
        for step in steps:
            yield step, step_words(step)


def is_split(group: Group) -> bool:
    """True if the steps of a group, from cell to cell, can be split into two actions.

    Steps of chance are not split.
    """
    return group.origin is not None and group.target is not None and group.weight is None


def halves(step: Step) -> tuple[Step, Step]:
    """Return a step without its target, direction and choice, and the step without its origin.

    Their words are parts of the words of the step: `FROM_PART`, without a choice, and `TO_PART`.
    """
    to = Step(step.kind, -1, step.target, step.choice, step.group, step.direction, step.written)
    return _from(step.group, step.origin), to


def _from(group: int, origin: int) -> Step:
    return Step("from", origin, -1, -1, group, -1)


class _Walk:
    """Enumerates the possible steps of a group, in the order of the interpreter."""

    def __init__(self, machine: Interpreter, most: float) -> None:
        self._players = range(len(machine.program.rules.players))
        self._possible, self._most = UpperBounds(machine), most

    def places(self, group: Group, *, splits: bool = False) -> set[Places]:
        """Return the (direction, origin, target, choice) of its steps by any side; origin -1 if
        split.
        """
        chance = int(group.weight is not None)
        blind = splits and not any("from" in self._possible.variables(op) for op in group.choice)
        distinct, apart = set[Places](), set[tuple[int, int, int]]()
        for player in self._players:
            at = {"player": player, BY_CHANCE: chance}
            for direction, origin, target, choice in self._of(group, at, blind):
                places = direction, -1 if splits else origin, target, choice
                distinct.add(places)
                apart.add(places[1:])
                if len(apart) > self._most:
                    return distinct
        return distinct

    def origins(self, group: Group) -> set[int]:
        """Return the possible origins of its steps, by any side."""
        return {
            origin
            for player in self._players
            for at in [{"player": player, BY_CHANCE: int(group.weight is not None)}]
            for _ in self._values(group.along, "direction", at)
            for origin in self._values(group.origin, "from", at)
        }

    def _of(self, group: Group, at: dict[str, int], blind: bool) -> Iterator[Places]:
        """Yield the steps of one side; with `blind` the origin is left open."""
        when = self._possible.substitute(group.when, at) if group.when else None
        for direction in self._values(group.along, "direction", at):
            for origin in (-1,) if blind else self._values(group.origin, "from", at):
                for target in self._values(group.target, "to", at):
                    for choice in self._choices(group, at):
                        if when is None or self._possible.may_be_true(when, at):
                            yield direction, origin, target, choice

    def _values(self, op: Op | None, name: str, at: dict[str, int]) -> Iterator[int]:
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
