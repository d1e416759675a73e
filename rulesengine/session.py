"""A game that changes: moves are made and taken back in place."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from rulesengine.errors import UsageError
from rulesengine.state import Move, Outcome, State

if TYPE_CHECKING:
    from types import TracebackType


class Playable(Protocol):
    """The calls of a game that a session makes."""

    @property
    def name(self) -> str: ...

    def legal_moves(self, state: State) -> Sequence[Move]: ...

    def move(self, text: str, state: State | None = None) -> Move: ...

    def apply(self, state: State, move: Move | str, *, check: bool = True) -> State: ...

    def outcome(self, state: State) -> Outcome | None: ...


class Session:
    """One line of play of a game, from a state on; `game.start()` makes one.

    `push` and `pop` change it; what it gives (states, moves, outcomes) are values that do not. A
    call that raises changes nothing. After `close`, or at the end of a `with`, every call raises
    UsageError.
    """

    __slots__ = ("_game", "_moves", "_states")

    def __init__(self, game: Playable, state: State) -> None:
        self._game = game
        self._states = [state]
        self._moves: list[Move] = []

    @property
    def game(self) -> Playable:
        """The game whose rules hold."""
        return self._game

    @property
    def state(self) -> State:
        """The state now."""
        try:
            return self._states[-1]
        except IndexError:
            raise _closed() from None

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that were made, the first one first."""
        self._check()
        return tuple(self._moves)

    @property
    def legal(self) -> Sequence[Move]:
        """The legal moves now, none when the game is over."""
        return self._game.legal_moves(self.state)

    @property
    def mover(self) -> str:
        """The name of the player to move."""
        return self.state.mover

    def push(self, move: Move | str) -> None:
        """Make a legal move, or that of a text.

        Raises IllegalMoveError for a move that is not legal, NotationError for a text that names
        no cells of this game.
        """
        states = self._states
        if isinstance(move, str) or not states:
            move = self._named(move)
        states.append(self._game.apply(states[-1], move))
        self._moves.append(move)

    def pop(self) -> Move:
        """Take the last move back, and give it. Raises UsageError at the start."""
        if not self._moves:
            self._check()
            raise UsageError("there is no move to take back: this is where the session began")
        self._states.pop()
        return self._moves.pop()

    def outcome(self) -> Outcome | None:
        """How the game has ended, or None while it goes on."""
        return self._game.outcome(self.state)

    def copy(self) -> "Session":
        """A session of its own that stands where this one does, with the same moves behind it."""
        self._check()
        made = Session(self._game, self._states[0])
        made._states[:], made._moves[:] = self._states, self._moves
        return made

    def close(self) -> None:
        """Let go of all states; a session may be closed twice."""
        self._states.clear()
        self._moves.clear()

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        self.close()

    def __len__(self) -> int:
        """How many moves were made."""
        return len(self._moves)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        if not self._states:
            return f"<Session of {self._game.name}, closed>"
        return f"<Session of {self._game.name}, {len(self)} moves, {self.mover} to move>"

    def __str__(self) -> str:
        return str(self.state)

    def _named(self, move: Move | str) -> Move:
        """The move of a text; of a closed session there is none."""
        state = self.state
        return self._game.move(move, state) if isinstance(move, str) else move

    def _check(self) -> None:
        if not self._states:
            raise _closed()


def _closed() -> UsageError:
    return UsageError("this session is closed")
