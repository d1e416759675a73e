"""Players of the caller: objects with the methods of a player, and functions of a state."""

from collections.abc import Callable, Sequence

from rulesengine.errors import UsageError
from rulesengine.play.players.base import ILLEGAL, BasePlayer, Fault, Player, Seat, Turn, legal_move
from rulesengine.state import Move, State

Chooser = Callable[[State], Move | str]
Contestant = str | Player | Chooser

PYTHON = "object"  # the prefix of these players in records and reports
_SHOWN = 60


class FunctionPlayer(BasePlayer):
    """Plays the moves of a function of the state."""

    def __init__(self, function: Chooser) -> None:
        self._function = function

    def choose(self, turn: Turn) -> Move | str:
        return self._function(turn.state)


class CheckedPlayer:
    """A player of the caller: its moves are checked, and the caller closes it."""

    def __init__(self, inner: Player) -> None:
        self._inner = inner

    def begin(self, seat: Seat) -> None:
        self._seat = seat
        self._inner.begin(seat)

    def choose(self, turn: Turn) -> Move | str:
        """Return the move of the player. Raises Fault for an illegal one, UsageError for others."""
        game, found = self._seat.game, self._inner.choose(turn)
        if not isinstance(found, (Move, str)):
            raise UsageError(f"expected a move of {self._seat.name}, found {found!r:.{_SHOWN}}")
        move = legal_move(game, turn.state, found)
        if move not in game.legal_moves(turn.state):
            raise Fault(ILLEGAL, f"`{move}` is not legal for {self._seat.name}")
        return move

    def end(self, moves: Sequence[Move]) -> None:
        self._inner.end(moves)

    def transcript(self) -> str:
        return self._inner.transcript()

    def close(self) -> None:
        """Do nothing: the caller may use the player again."""


def player_object(player: object) -> CheckedPlayer:
    """Return the player of an object or a function. Raises UsageError for any other value."""
    if isinstance(player, type):
        name = player.__name__
        raise UsageError(f"expected a player, found the class `{name}`: create one by `{name}()`")
    if isinstance(player, Player):
        return CheckedPlayer(player)
    if callable(player):
        return CheckedPlayer(FunctionPlayer(player))
    expected = "a text, a function of a state, or an object derived from `contests.BasePlayer`"
    raise UsageError(f"expected a player, which is {expected}; found {player!r:.{_SHOWN}}")
