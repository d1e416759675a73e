"""The steps that can occur in a game, in an order that never changes."""

from collections.abc import Iterator

from rulesengine.actions.possible import Possible
from rulesengine.board.geometry import bits
from rulesengine.errors import LimitError
from rulesengine.interpreter import Interpreter
from rulesengine.ir.ops import Op
from rulesengine.ir.rules import BY_CHANCE, Group
from rulesengine.limits import MAX_ACTIONS
from rulesengine.state import Step

Places = tuple[int, int, int, int]  # direction, origin, target, choice


def steps_of(machine: Interpreter, most: int = MAX_ACTIONS) -> tuple[Step, ...]:
    """All steps that a legal move may have, each once, whichever side moves.

    They come group by group, in a group by direction, origin, target and choice. Steps that no
    position allows may be among them; none that a position allows is missing. Raises LimitError
    where there are more than `most`, or where what may be chosen depends on the position.
    """
    found: dict[Step, None] = {}
    for step in given_steps(machine):
        found.setdefault(step)
        if len(found) > most:
            raise LimitError(f"more than {most:,} steps can occur")
    return tuple(found)


def given_steps(machine: Interpreter) -> Iterator[Step]:
    """The same in the same order, each as often as groups and directions give it."""
    walk = _Walk(machine)
    for number, group in enumerate(machine.program.rules.groups):
        for places in sorted(walk.places(group)):
            yield machine.maker.step(number, *places)


class _Walk:
    """Goes through what the steps of a group may have, as the interpreter lists them."""

    def __init__(self, machine: Interpreter) -> None:
        self._players = range(len(machine.program.rules.players))
        self._possible = Possible(machine)

    def places(self, group: Group) -> set[Places]:
        """What its steps have, by any side."""
        chance = int(group.weight is not None)
        return {
            places
            for player in self._players
            for places in self._of(group, {"player": player, BY_CHANCE: chance})
        }

    def _of(self, group: Group, at: dict[str, int]) -> Iterator[Places]:
        when = self._possible.known(group.when, at) if group.when else None
        for direction in self._each(group.along, "direction", at):
            for origin in self._each(group.origin, "from", at):
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
