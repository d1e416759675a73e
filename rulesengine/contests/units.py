"""Values sent to and from workers: terms, units and results, as texts and numbers.

See decision 043.
"""

from collections.abc import Sequence
from typing import TypedDict, Unpack

from rulesengine.contests.opening_files import OpeningLine, Openings
from rulesengine.engine.kernel.selection import Engine
from rulesengine.errors import UsageError
from rulesengine.game import Game, restored
from rulesengine.language.ir.text import show
from rulesengine.play.players import RANDOM, plays_from_start
from rulesengine.support.frozen import record, replace
from rulesengine.support.limits import MAX_PLIES
from rulesengine.version import __version__

OPENING = 4  # default number of random plies

# The kinds of end: by the rules, by a forfeit, or unfinished.
RULES, FORFEIT, UNFINISHED = "rules", "forfeit", "unfinished"


class TermsOptions(TypedDict, total=False):
    """Keyword arguments that become fields of `Terms`, with its defaults."""

    seed: int
    clock: float | None
    increment: float
    plies: int
    book: str


class ContestOptions(TermsOptions, total=False):
    """Keyword arguments of all kinds of contest.

    - `opening` is the number of random plies; None selects it by the players.
    - `openings` are those of a file, instead of random plies.
    """

    opening: int | None
    openings: Openings | None


@record
class Entrant:
    """An entrant: its name in tables, and the text of a player."""

    name: str
    player: str


@record
class Terms:
    """The settings of all games of a contest.

    - `rules`: the text of the game's rules.
    - `spec`: the argument of `load`, for records.
    - `opening`: the number of random plies.
    - `clock`: seconds per player and game, None for no clock; `increment` is added per move.
    - `plies`: the maximum length of a game.
    - `keeps`: records are stored; `one_by_one`: the result of each single game is needed.
    - `work`: the estimated plies of the whole contest by part of the kernels, for `auto`.
    - `book`: a digest of the openings of a file, empty for random openings.
    - `measures`: each game is measured; `judge` is the number of playouts per position, 0 for none.
    """

    rules: str
    spec: str
    parameters: tuple[tuple[str, int | str], ...]
    opening: int
    version: str
    seed: int = 0
    engine: Engine = "auto"
    clock: float | None = None
    increment: float = 0.0
    plies: int = MAX_PLIES
    keeps: bool = True
    one_by_one: bool = True
    work: tuple[tuple[str, float], ...] = ()
    measures: bool = False
    judge: int = 0
    book: str = ""

    def game(self) -> Game:
        """Build the game, and announce the work of the contest."""
        game = restored(self.rules, dict(self.parameters), self.engine, ())
        game.expect(dict(self.work))
        return game


@record
class Unit:
    """Games for one worker: `count` rounds of a group from round `first` on.

    `players` are the texts of the players, in the order of their seats in the first game of a
    round. A round has a game for each rotation of the seats, or only for the first `turns` of them.
    `lines` are the openings of the rounds; without them openings are random.
    """

    number: int
    group: int
    players: tuple[str, ...]
    first: int
    count: int
    turns: int = 0
    lines: tuple[OpeningLine, ...] = ()

    @property
    def seatings(self) -> int:
        """Return the number of games in a round."""
        return self.turns or len(self.players)


@record
class PlayedGame:
    """One finished game: `seats` maps each seat to the position of its player in the group.

    `payoffs` are by seat, `ending` is `rules`, `forfeit` or `unfinished`. After a forfeit `loser`
    is the seat and `reason` the fault. `record` is the record as text, empty if none is kept;
    `seconds` is the time of each seat; `transcript` is the dialogue with programs; `measures` is
    encoded by `contests.ply_metrics`.
    """

    round: int
    turn: int
    payoffs: tuple[int, ...]
    plies: int
    ending: str
    reason: str = ""
    loser: int = -1
    record: str = ""
    seconds: tuple[float, ...] = ()
    transcript: str = ""
    measures: str = ""

    @property
    def seats(self) -> tuple[int, ...]:
        """Return the position in the group of the player at each seat."""
        return seats_of(self.turn, len(self.payoffs))


@record
class Tally:
    """Totals of many games of one seating: wins by seat, draws, unfinished games and plies."""

    turn: int
    wins: tuple[int, ...]
    draws: int
    unfinished: int
    plies: int


@record
class Result:
    """The result of a unit: its games one by one, or totals."""

    unit: Unit
    games: tuple[PlayedGame, ...] = ()
    tallies: tuple[Tally, ...] = ()


@record
class Batch:
    """Units with equal terms that a worker plays in sequence."""

    terms: Terms
    units: tuple[Unit, ...]


@record
class BatchResult:
    """The results of a batch, and its time in seconds."""

    results: tuple[Result, ...]
    seconds: float


def seats_of(turn: int, seats: int) -> tuple[int, ...]:
    """Return the seating of game `turn` of a round: all players rotate by one from game to game."""
    return tuple((seat - turn) % seats for seat in range(seats))


def terms_of(
    game: Game,
    spec: str,
    entrants: Sequence[Entrant],
    *,
    keeps: bool = True,
    one_by_one: bool = True,
    opening: int | None = None,
    **fixed: Unpack[TermsOptions],
) -> Terms:
    """Return the terms of a contest; random players and games of a book have no random opening.

    Raises UsageError for an opening if a program has to play from the initial state.
    """
    players = [entrant.player for entrant in entrants]
    from_start, has_book = plays_from_start(game, players), bool(fixed.get("book"))
    if from_start and opening:
        raise UsageError("--opening: a program with a script of its own plays from the start")
    is_random = all(player == RANDOM for player in players)
    drawn = 0 if from_start or has_book or is_random else OPENING
    return Terms(
        rules=show(game.rules),
        spec=spec,
        parameters=tuple(game.parameters.items()),
        opening=drawn if opening is None else opening,
        version=__version__,
        engine=game.engine,
        keeps=keeps,
        one_by_one=one_by_one,
        **fixed,
    )


def with_lines(unit: Unit, lines: Sequence[OpeningLine]) -> Unit:
    """Return a unit with the openings of its rounds; after the last opening comes the first."""
    if not lines:
        return unit
    rounds = range(unit.first, unit.first + unit.count)
    return replace(unit, lines=tuple(lines[number % len(lines)] for number in rounds))
