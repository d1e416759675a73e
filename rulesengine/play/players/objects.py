"""Players of the caller: functions of a session, and objects that choose moves."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from rulesengine.errors import UsageError
from rulesengine.play.players.base import ILLEGAL, Fault, Player, Seat, Turn, legal_move
from rulesengine.play.players.views import PlayerLine
from rulesengine.state import Move

# The argument is a PlayerSession, or a PlayerView if the game hides something.
Chooser = Callable[[Any], Move | str]

PYTHON = "object"  # the prefix of these players in records and reports
_PACKAGE = __name__.partition(".")[0]
_SHOWN = 60


class PlayerObject(Protocol):
    """An object with the method `choose`; the other methods of `Player` are optional."""

    def choose(self, turn: Any, /) -> Move | str:
        """Return a move, or its text in the game's notation. Raises Fault.

        `turn` is a PlayerSession, or a PlayerView if the game hides something.
        """


Contestant = str | PlayerObject | Chooser


class CheckedPlayer:
    """A player of the caller: its moves are checked, and the caller closes it."""

    def __init__(self, inner: object, choose: Callable[[Any], object]) -> None:
        self._inner = inner
        self._choose = choose
        self._has_begun = False

    def begin(self, seat: Seat) -> None:
        """Start a new game; the player gets a HiddenSeat if the game hides something."""
        self._seat = seat
        self._line = PlayerLine(seat)
        self._own: list[Move] = []
        self._has_begun = True
        self._call("begin", self._line.seat())

    def choose(self, turn: Turn) -> Move:
        """Return the move of the player. Raises Fault for an illegal one, UsageError for others."""
        game, chosen = self._seat.game, self._choose(self._line.turn(turn))
        if not isinstance(chosen, (Move, str)):
            raise UsageError(f"expected a move of {self._seat.name}, found {chosen!r:.{_SHOWN}}")
        move = legal_move(game, turn.state, chosen)
        if move not in game.legal_moves(turn.state):
            raise Fault(ILLEGAL, f"`{move}` is not legal for {self._seat.name}")
        self._own.append(Move(move.steps, move.text))
        return move

    def end(self, moves: Sequence[Move]) -> None:
        """Finish the game; the player gets the moves that it chose if the game hides something."""
        if self._has_begun:
            self._has_begun = False
            self._call("end", tuple(self._own if self._seat.game.is_hidden else moves))

    def transcript(self) -> str:
        """Return the transcript of the player, by default an empty text."""
        return str(self._call("transcript") or "")

    def close(self) -> None:
        """Do nothing: the caller may use the player again."""

    def _call(self, name: str, *arguments: object) -> object:
        """Call a method of the player that is optional."""
        method = getattr(self._inner, name, None)
        return method(*arguments) if callable(method) else None


def player_object(player: object) -> CheckedPlayer:
    """Return the player of an object or a function. Raises UsageError for any other value."""
    if isinstance(player, type):
        name = player.__name__
        raise UsageError(f"expected a player, found the class `{name}`: create one by `{name}()`")
    choose = getattr(player, "choose", player)
    if callable(choose):
        return CheckedPlayer(player, choose)
    expected = "a text, a function of a session, or an object with the method `choose`"
    raise UsageError(f"expected a player, which is {expected}; found {player!r:.{_SHOWN}}")


def checked(player: PlayerObject | Chooser) -> Player:
    """Return a player of this package as it is, and that of another module by `player_object`."""
    is_own = type(player).__module__.partition(".")[0] == _PACKAGE
    return player if is_own and isinstance(player, Player) else player_object(player)
