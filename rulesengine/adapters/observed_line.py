"""The actions of a game so far, and the information states of the players after them."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from rulesengine.batch.position import Position
from rulesengine.engine.observation import InformationState
from rulesengine.game import Game
from rulesengine.state import Move, State


class ObservedLine:
    """A position after the actions of a game; lines share those before, and do not change.

    Information states are computed on first use.
    """

    def __init__(
        self,
        game: Game,
        position: Position,
        before: "ObservedLine | None" = None,
        action: int = -1,
    ) -> None:
        self.position = position
        self._game, self._before, self._action = game, before, action
        self._known: dict[int | None, InformationState] = {}

    @cached_property
    def state(self) -> State:
        """Return the state of the position."""
        return self.position.state

    @property
    def actions(self) -> tuple[int, ...]:
        """Return the actions since the first position."""
        actions: list[int] = []
        at = self
        while at._before is not None:
            actions.append(at._action)
            at = at._before
        return tuple(reversed(actions))

    def after(self, action: int) -> "ObservedLine":
        """Return the line with one more action. Raises UsageError if it is not legal."""
        return ObservedLine(self._game, self.position.after(action), self, action)

    def information(self, player: int | None) -> InformationState:
        """Return the knowledge of a player after the last whole move; None is a spectator."""
        line: list[ObservedLine] = []
        at: ObservedLine | None = self
        while at is not None and player not in at._known:
            line.append(at)
            at = at._before
        for one in reversed(line):
            one._known[player] = one._computed(player)
        return self._known[player]

    def information_text(self, player: int | None) -> str:
        """Return a text that is equal for equal knowledge; None is a spectator.

        The player to move also knows the actions taken of an unfinished move. The key distinguishes
        own moves with equal texts.
        """
        position, info = self.position, self.information(player)
        taken = position.taken if player == position.mover else ()
        steps = (f"taken: {self._game.actions[number]}" for number in taken)
        return "\n".join([str(info), *steps, f"key: {info.key.hex()}"])

    @cached_property
    def _move(self) -> Move | None:
        """Return the move that the last action completes, if it does."""
        if self._before is None or self.position.taken:
            return None
        actions = (*self._before.position.taken, self._action)
        return self._game.actions.move_of(self._before.state, actions)

    def _computed(self, player: int | None) -> InformationState:
        """Return the knowledge of a player from that before the last action."""
        game, before = self._game, self._before
        if before is None:
            name = None if player is None else game.players[player]
            return game.information_state((), name, self.state)
        known, move = before._known[player], self._move
        return known.after(before.state, move, self.state) if move else known

    def __deepcopy__(self, memo: Any) -> "ObservedLine":
        return self

    def __reduce__(self) -> tuple[Callable[..., "ObservedLine"], tuple[Any, ...]]:
        """Return the actions from the first position, since nested pickles have a limited depth."""
        first = self
        while first._before is not None:
            first = first._before
        return _replayed, (self._game, first.position, self.actions)


def _replayed(game: Game, position: Position, actions: Sequence[int]) -> ObservedLine:
    """Return the line of some actions from a position."""
    line = ObservedLine(game, position)
    for action in actions:
        line = line.after(action)
    return line
