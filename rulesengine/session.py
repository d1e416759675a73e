"""A mutable line of play: moves are pushed and popped in place."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from rulesengine.errors import UsageError
from rulesengine.state import Move, Outcome, State

if TYPE_CHECKING:
    from types import TracebackType

    from rulesengine.engine.observation import InformationState


class SessionGame(Protocol):
    """The methods of a game that a session calls."""

    @property
    def name(self) -> str: ...

    def legal_moves(self, state: State) -> Sequence[Move]: ...

    def move(self, text: str, state: State | None = None) -> Move: ...

    def apply(self, state: State, move: Move | str, *, check: bool = True) -> State: ...

    def outcome(self, state: State) -> Outcome | None: ...

    def svg(self, state: State | None = None, *, last: Move | None = None) -> str: ...

    def information_state(
        self, moves: Sequence[Move | str], player: str | None, start: State | None = None
    ) -> "InformationState": ...


_NO_MOVE = "there is no move to take back: this is where the session began"


class Session:
    """A line of play of a game that starts at a state; `game.start()` creates one.

    `push` and `pop` change it. The states, moves and outcomes that it returns are immutable values.
    A call that raises changes nothing. After `close`, or at the end of a `with` block, every call
    raises UsageError. `len(session)` is the number of moves made.
    """

    __slots__ = ("_game", "_line")

    def __init__(self, game: SessionGame, state: State) -> None:
        self._game = game
        # The line as nested tuples: (state, move, line before). The first is (state,). A call
        # replaces the whole line or nothing, wherever an interrupt occurs.
        self._line: tuple[Any, ...] = (state,)

    @property
    def game(self) -> SessionGame:
        """Return the game that defines the rules."""
        return self._game

    @property
    def state(self) -> State:
        """Return the current state. Raises UsageError if the session is closed."""
        self._check()
        now: State = self._line[0]
        return now

    @property
    def moves(self) -> tuple[Move, ...]:
        """Return the moves made so far, the first one first."""
        self._check()
        return tuple(self._back())[::-1]

    @property
    def legal(self) -> Sequence[Move]:
        """Return the legal moves of the current state; none when the game is over."""
        line = self._line
        return self._game.legal_moves(line[0] if line else self.state)

    @property
    def legal_moves(self) -> Sequence[Move]:
        """Return the same as `legal`; views of players have this name, too."""
        return self.legal

    @property
    def mover(self) -> str:
        """Return the name of the player to move."""
        return self.state.mover

    def push(self, move: Move | str) -> None:
        """Make a legal move, given as a move or as its notation.

        Raises IllegalMoveError for a move that is not legal, and NotationError for a text that
        names no cells of this game.
        """
        line = self._line
        if type(move) is not Move or not line:
            move = self._named(move)
        self._line = (self._game.apply(line[0], move), move, line)

    def pop(self) -> Move:
        """Undo the last move and return it. Raises UsageError if there is none."""
        move: Move
        try:
            _, move, self._line = self._line
        except ValueError:
            self._check()
            raise UsageError(_NO_MOVE) from None
        return move

    def outcome(self) -> Outcome | None:
        """Return the outcome of the current state; None while the game is not over."""
        line = self._line
        return self._game.outcome(line[0] if line else self.state)

    def information_state(self, player: str | None) -> "InformationState":
        """Return the information state of a player since the session began; None is a spectator.

        Raises UsageError for an unknown player.
        """
        start, line = self.state, self._line
        while len(line) > 1:
            line = line[2]
            start = line[0]
        return self._game.information_state(self.moves, player, start)

    def copy(self) -> "Session":
        """Return an independent session with the same state and the same moves."""
        self._check()
        copy = Session(self._game, self.state)
        copy._line = self._line
        return copy

    def close(self) -> None:
        """Release all states; a second call has no effect."""
        self._line = ()

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        self.close()

    def __reduce__(self) -> "tuple[Callable[..., Session], tuple[SessionGame, list[Any]]]":
        """Pickle the line as a flat list: nested tuples would exceed the recursion limit."""
        parts, line = [], self._line
        while line:
            parts.append(line[:2])
            line = line[2] if len(line) > 2 else ()
        return _restored, (self._game, parts[::-1])

    def __len__(self) -> int:
        """Return the number of moves made."""
        return sum(1 for _ in self._back())

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        if not self._line:
            return f"<Session of {self._game.name}, closed>"
        return f"<Session of {self._game.name}, {len(self)} moves, {self.mover} to move>"

    def __str__(self) -> str:
        return str(self.state)

    def _repr_svg_(self) -> str:
        """Return the current state as an SVG element with the last move marked, for notebooks."""
        return self._game.svg(self.state, last=next(self._back(), None))

    def _named(self, move: Move | str) -> Move:
        """Return the move of a text. Raises UsageError if the session is closed."""
        state = self.state
        return self._game.move(move, state) if isinstance(move, str) else move

    def _back(self) -> Iterator[Move]:
        """Yield the moves made so far, the last one first."""
        line = self._line
        while len(line) > 1:
            _, move, line = line
            yield move

    def _check(self) -> None:
        if not self._line:
            raise _closed()


def _restored(game: SessionGame, parts: list[Any]) -> Session:
    """Rebuild a session from its states, each but the first with the move that led to it."""
    line: tuple[Any, ...] = ()
    for part in parts:
        line = (*part, line) if line else part
    session = object.__new__(Session)
    session._game, session._line = game, line
    return session


def _closed() -> UsageError:
    return UsageError("this session is closed")
