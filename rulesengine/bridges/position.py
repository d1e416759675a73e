"""A game under way, one action after the other."""

from functools import cached_property

from rulesengine.actions import Path
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.state import Move, Outcome, State

CHANCE = -1


class Position:
    """A state of a game and the actions taken so far of its next move; it never changes.

    An action is what `game.actions` numbers: a step of a move.
    """

    def __init__(self, game: Game, state: State | None = None, taken: Path = ()) -> None:
        self.game = game
        self.state = game.initial_state() if state is None else state
        self.taken = taken

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game has ended, None while it goes on."""
        return self.game.outcome(self.state)

    @cached_property
    def mover(self) -> int:
        """The number of the player to move in `game.players`, or `CHANCE`."""
        if self.is_by_chance:
            return CHANCE
        return self.game.players.index(self.state.mover)

    @cached_property
    def is_by_chance(self) -> bool:
        return self.outcome is None and self.game.machine.is_chance(self.state)

    @cached_property
    def legal(self) -> Path:
        """The actions that may be next, in the order of their numbers; none at the end."""
        return tuple(sorted({path[len(self.taken)] for path in self._open}))

    @property
    def payoffs(self) -> tuple[int, ...]:
        """What each player gets, in the order of `game.players`: nothing while the game goes on."""
        if self.outcome is None:
            return (0,) * len(self.game.players)
        return tuple(self.outcome.payoffs[name] for name in self.game.players)

    def weights(self) -> dict[int, int]:
        """How often chance takes each action that may be next, by the sum of all."""
        found = dict.fromkeys(self.legal, 0)
        moves = zip(self._paths, self.game.weights(self.state), strict=True)
        for path, weight in moves:
            if path in self._open:
                found[path[len(self.taken)]] += weight
        return found

    def after(self, action: int) -> "Position":
        """The position after an action. Raises UsageError for one that is not legal."""
        if action not in self.legal:
            raise UsageError(f"action {action} is not legal here")
        taken = (*self.taken, action)
        move = self._paths.get(taken)
        if move is None:
            return Position(self.game, self.state, taken)
        return Position(self.game, self.game.apply(self.state, move, check=False))

    def __str__(self) -> str:
        steps = [f"taken: {self.game.actions[number]}" for number in self.taken]
        return "\n".join([str(self.state), *steps])

    @cached_property
    def _paths(self) -> dict[Path, Move]:
        return {} if self.outcome else self.game.actions.paths(self.state)

    @cached_property
    def _open(self) -> dict[Path, Move]:
        """The moves that begin with the actions taken."""
        count = len(self.taken)
        return {path: move for path, move in self._paths.items() if path[:count] == self.taken}
