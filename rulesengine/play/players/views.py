"""The arguments of players of the caller: sessions, and views in games with hidden information."""

from collections.abc import Sequence

from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.observation import InformationState, Observation
from rulesengine.errors import RulesError
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.play.players.base import Seat, Turn
from rulesengine.session import Session
from rulesengine.state import Move, State
from rulesengine.support.frozen import field, record

try:  # as in `support/cache.py`: `hashlib` would load OpenSSL
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

_SEED_BYTES = 8


class PlayerSession(Session):
    """The session of the game so far, with the other fields of a `Turn`.

    The player may push and pop moves: the game that is played does not change. `copy` returns a
    plain session.
    """

    __slots__ = ("clocks", "increment", "job", "left", "random")

    def __init__(self, line: Session, turn: Turn) -> None:
        self._game, self._line = line._game, line._line
        self.random: Generator = turn.random
        self.left: float | None = turn.left
        self.clocks: Sequence[float] = tuple(turn.clocks)
        self.increment: float = turn.increment
        self.job: Job | None = turn.job

    @property
    def seconds(self) -> float | None:
        """Return the remaining time in seconds; None without a clock. It is the same as `left`."""
        return self.left


@record
class PlayerView:
    """The argument of `choose` if the game hides something; it replaces the session.

    - `player` is the name of the player.
    - `observation` is the part of the state that the player sees.
    - `information_state` is the knowledge of the player since the start of the game.
    - `legal_moves` are the legal moves of the player.
    - `seconds` is the remaining time; None without a clock.
    - `random` is a generator of the player alone; comparisons ignore it.
    """

    player: str
    observation: Observation
    information_state: InformationState
    legal_moves: tuple[Move, ...]
    seconds: float | None
    random: Generator = field(compare=False)


@record
class HiddenSeat:
    """The argument of `begin` if the game hides something: a `Seat` without the first state.

    The seed is of the player alone: that of the seat would reveal the events of chance.
    """

    game: Game
    name: str
    seed: int


class PlayerLine:
    """The moves of one game, followed for one player."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        text = f"{seat.name} {seat.seed}".encode()
        self._seed = int.from_bytes(blake2b(text, digest_size=_SEED_BYTES).digest(), "little")
        self._random = Generator(self._seed, 0)
        self._moves: tuple[Move, ...] = ()
        self._line, self._knowledge = self._begun(seat.start)

    def seat(self) -> Seat | HiddenSeat:
        """Return the argument of `begin` for the player."""
        game, name = self._seat.game, self._seat.name
        return HiddenSeat(game, name, self._seed) if game.is_hidden else self._seat

    def turn(self, turn: Turn) -> PlayerSession | PlayerView:
        """Return the argument of `choose` for the player."""
        self._follow(turn)
        if self._knowledge is None:
            return PlayerSession(self._line, turn)
        game, name = self._seat.game, self._seat.name
        return PlayerView(
            name,
            game.observation(turn.state, name),
            self._knowledge,
            # A listed move may hold the state; these moves are equal and do not.
            tuple(Move(move.steps, move.text) for move in game.legal_moves(turn.state)),
            turn.left,
            self._random,
        )

    def _follow(self, turn: Turn) -> None:
        """Make the new moves; begin again after a move was taken back."""
        moves = tuple(turn.moves)
        if moves[: len(self._moves)] != self._moves:
            self._moves = ()
            self._line, self._knowledge = self._begun(self._seat.start)
        try:
            for move in moves[len(self._moves) :]:
                self._push(move)
            is_reached = self._line.state == turn.state
        except RulesError:
            is_reached = False
        if not is_reached:
            self._line, self._knowledge = self._begun(turn.state)
        self._moves = moves

    def _begun(self, state: State) -> tuple[Session, InformationState | None]:
        """Return a line without moves, and the player's knowledge if the game hides something."""
        game, name = self._seat.game, self._seat.name
        knowledge = game.information_state((), name, state) if game.is_hidden else None
        return Session(game, state), knowledge

    def _push(self, move: Move) -> None:
        before = self._line.state
        self._line.push(move)
        if self._knowledge is not None:
            self._knowledge = self._knowledge.after(before, move, self._line.state)
