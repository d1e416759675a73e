"""What is to be played and what came of it, as texts and numbers that go to any process."""

import re
from collections.abc import Iterable, Sequence
from typing import TypedDict, Unpack

from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.kernel.selection import Engine
from rulesengine.errors import UsageError
from rulesengine.game import Game, restored
from rulesengine.language.ir.text import show
from rulesengine.play.players import plays_from_start
from rulesengine.play.players.controllers import RANDOM
from rulesengine.support.frozen import record
from rulesengine.support.limits import MAX_PLIES, MAX_SHOWN_NAME
from rulesengine.version import __version__

_NAME = re.compile(r"[^\s:=,]([^:=,]*[^\s:=,])?")
_SHOWN = 40
_LONGEST = 4096
OPENING = 4  # plies at random, if nothing is said

# How a game has ended: by its rules, by a player's fault, or not at all.
RULES, FORFEIT, UNFINISHED = "rules", "forfeit", "unfinished"


class Fixed(TypedDict, total=False):
    """What holds for all games of a contest, as `Terms` tells; what is left out is as there."""

    seed: int
    clock: float | None
    increment: float
    plies: int


class How(Fixed, total=False):
    """How a contest is played, whatever holds it.

    `opening` is how many plies are drawn at random, None for as many as the players need.
    """

    opening: int | None


@record
class Entrant:
    """Who takes part: a name for tables, and the text of a player."""

    name: str
    player: str


@record
class Terms:
    """What holds for all games of a contest.

    `rules` is the text of the game's rules, `spec` what `load` takes, for records, `opening` the
    plies that are drawn at random, `clock` seconds for each player and game (None for no clock),
    `increment` what each move adds, `plies` the longest game, `keeps` whether records are wanted,
    `one_by_one` whether the result of each single game is. `compiles` tells that there are so
    many games that kernels pay before the first one. With `measures` each game is gone through
    once more, and its positions are judged by so many random games (`judge`; 0: they are not).
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
    compiles: bool = False
    measures: bool = False
    judge: int = 0

    def game(self) -> Game:
        """The game, made anew, with the fastest engine that is here if kernels pay."""
        fastest = next((backend.name for backend in working()), self.engine)
        use_it = self.compiles and self.engine == "auto"
        return restored(self.rules, dict(self.parameters), fastest if use_it else self.engine)


@record
class Unit:
    """Games for one worker: `count` rounds of a group from round `first` on.

    `players` are the texts of those who play, in the order in which they sit in the first game of
    a round; a round has as many games as there are seats, everyone sitting everywhere once, or
    only the first `turns` of them.
    """

    number: int
    group: int
    players: tuple[str, ...]
    first: int
    count: int
    turns: int = 0

    @property
    def seatings(self) -> int:
        """How many games a round has."""
        return self.turns or len(self.players)


@record
class Played:
    """One game: `seats` has for each seat the place of its player in the group.

    `payoffs` are by seat, more is better, and `ending` one of `rules`, `forfeit`, `unfinished`;
    of a forfeit `loser` is the seat and `reason` the fault. `record` is its record as text, empty
    if none is kept, `seconds` the time of each seat, `transcript` what was said to programs,
    `measures` what was measured in it, as text (`contests/measures`).
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
        """Of each seat the place of its player in the group."""
        return seats_of(self.turn, len(self.payoffs))


@record
class Tally:
    """Many games of one seating, counted: wins by seat, draws and unfinished games."""

    turn: int
    wins: tuple[int, ...]
    draws: int
    unfinished: int
    plies: int


@record
class Result:
    """What came of a unit: its games one by one, or counted."""

    unit: Unit
    games: tuple[Played, ...] = ()
    tallies: tuple[Tally, ...] = ()


@record
class Batch:
    """Units that a worker plays one after the other, by the same terms."""

    terms: Terms
    units: tuple[Unit, ...]


@record
class Done:
    """What came of a batch, and how many seconds that took."""

    results: tuple[Result, ...]
    seconds: float


def seats_of(turn: int, seats: int) -> tuple[int, ...]:
    """Who sits at each seat in a game of a round: all move on by one from game to game."""
    return tuple((seat - turn) % seats for seat in range(seats))


def terms_of(
    game: Game,
    spec: str,
    entrants: Sequence[Entrant],
    *,
    keeps: bool = True,
    one_by_one: bool = True,
    compiles: bool = False,
    opening: int | None = None,
    **fixed: Unpack[Fixed],
) -> Terms:
    """The terms of games of a game; random players need no opening unless one is asked for.

    Raises UsageError for an opening that a program could not be told of.
    """
    players = [entrant.player for entrant in entrants]
    from_start = plays_from_start(game, players)
    if from_start and opening:
        raise UsageError("--opening: a program with a script of its own plays from the start")
    drawn = 0 if from_start or all(player == RANDOM for player in players) else OPENING
    return Terms(
        rules=show(game.rules),
        spec=spec,
        parameters=tuple(game.parameters.items()),
        opening=drawn if opening is None else opening,
        version=__version__,
        engine=game.engine,
        keeps=keeps,
        one_by_one=one_by_one,
        compiles=compiles,
        **fixed,
    )


def read_entrants(texts: Iterable[str]) -> tuple[Entrant, ...]:
    """Who takes part, from texts `NAME=PLAYER` or `PLAYER`. Raises UsageError.

    A text splits at its first `=`, unless a `:` stands before it: then it is a player, and its
    own name.
    """
    entrants: list[Entrant] = []
    for text in texts:
        entrant = _read_entrant(text)
        if any(entrant.name == other.name for other in entrants):
            name = entrant.name[:_SHOWN]
            raise UsageError(f"--player: `{name}` is given twice: tell them apart by NAME=PLAYER")
        entrants.append(entrant)
    return tuple(entrants)


def _read_entrant(text: str) -> Entrant:
    if not text.isprintable() or len(text) > _LONGEST:
        what = f"one line of at most {_LONGEST} characters that can be shown"
        raise UsageError(f"--player: expected {what}")
    name, equals, player = text.partition("=")
    if not equals or ":" in name:
        name, player = text, text
    elif not (_NAME.fullmatch(name) and len(name) <= MAX_SHOWN_NAME):
        raise UsageError(f"--player: expected NAME=PLAYER, found `{text[:_SHOWN]}`")
    if not player.strip():
        raise UsageError(f"--player: expected NAME=PLAYER, found `{text[:_SHOWN]}`")
    return Entrant(name, player)
