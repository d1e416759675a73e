"""The design of a study: the pairings of each variant, and their units of games."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rulesengine.contests.entrants import read_entrants
from rulesengine.contests.expected_work import Games, expected_plies
from rulesengine.contests.opening_files import OpeningLine, Openings, book_of, digest_of
from rulesengine.contests.units import Entrant, Terms, Unit, terms_of
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.play.players import RANDOM, is_person, require_player
from rulesengine.support.frozen import record, replace
from rulesengine.support.limits import MAX_PLIES

# These players draw playouts, so games differ from each other and need no opening.
LADDER = ("mcts:playouts=10", "mcts:playouts=40", "mcts:playouts=160")
GAMES, SAMPLES, JUDGE = 100, 200, 100
OPENING = 2  # random plies for deterministic players, which would repeat a game
# pairing numbers: equal players, random players, first step of the ladder
ALIKE, BY_CHANCE, LADDERS = 0, 1, 2
_DRAWN = ("mcts:", RANDOM)
_TOGETHER = 20  # random games per unit


@record
class Design:
    """The settings of a study, with the players from the weakest to the strongest.

    `games` is the number of games of the strongest player against itself, and of each player
    against the next stronger one. `samples` is the number of random games. `judge` is the number of
    playouts per position, 0 for none. `opening` is a number of random plies; None selects it by the
    players. `openings` are those of a file; all but the random games begin there.
    """

    players: tuple[str, ...] = LADDER
    games: int = GAMES
    samples: int = SAMPLES
    judge: int = JUDGE
    seed: int = 0
    opening: int | None = None
    plies: int = MAX_PLIES
    openings: Openings | None = None

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """Return the players with their names. Raises UsageError."""
        return read_entrants(self.players)

    def checked(self) -> "Design":
        """Return this design. Raises UsageError if it is invalid."""
        if self.games < 1:
            raise UsageError("--games: a study needs at least 1 game")
        if not self.players:
            raise UsageError("--player: a study needs a player")
        if any(is_person(entrant.player) for entrant in self.entrants):
            raise UsageError("--player: a study is played without people")
        return self


@record
class Pairing:
    """Games of one kind in a variant: the players by seat in the first game of a round, and the
    rounds.

    `turns` is the number of seatings in a round, `size` the number of rounds in a unit.
    """

    number: int
    players: tuple[str, ...]
    rounds: int
    turns: int
    size: int = 1

    @property
    def games(self) -> int:
        return self.rounds * self.turns


def pairings(design: Design, seats: int) -> list[Pairing]:
    """Return the pairings: equal players, random players, and each step of the ladder."""
    players = [entrant.player for entrant in design.entrants]
    all_pairings = [
        Pairing(ALIKE, (players[-1],) * seats, design.games, 1),
        Pairing(BY_CHANCE, (RANDOM,) * seats, design.samples, 1, _TOGETHER),
    ]
    rounds = -(-design.games // seats)
    for step, (weak, strong) in enumerate(pairwise(players)):
        if seats > 1:
            together = (strong, *(weak,) * (seats - 1))
            all_pairings.append(Pairing(LADDERS + step, together, rounds, seats))
    return all_pairings


def lines_for(design: Design, game: Game) -> tuple[OpeningLine, ...]:
    """Return the openings of a variant from a file. Raises UsageError."""
    if design.openings is None:
        return ()
    players = [entrant.player for entrant in design.entrants]
    return book_of(game, players, design.openings, design.seed)


def terms_for(design: Design, game: Game, spec: str, lines: Sequence[OpeningLine] = ()) -> Terms:
    """Return the terms of the games of a variant. Raises UsageError for players that it does not
    have.
    """
    for entrant in design.entrants:
        require_player(game, entrant.player)
    terms = terms_of(
        game,
        spec,
        design.entrants,
        seed=design.seed,
        opening=0 if lines else _opening(design, game),
        plies=design.plies,
        book=digest_of(lines),
    )
    return replace(terms, measures=True, judge=design.judge)


def with_work(terms: Terms, design: Design, game: Game) -> Terms:
    """Return the terms with the estimated work of all games of a variant."""
    all_pairings = pairings(design, len(game.players))
    groups = [
        Games(one.players, one.games, design.judge if one.number == ALIKE else 0)
        for one in all_pairings
    ]
    return replace(terms, work=tuple(expected_plies(game, groups, measures=True).items()))


def tasks(
    terms: Terms, all_pairings: Sequence[Pairing], group: int, number: int
) -> Iterator[tuple[Terms, Unit]]:
    """Yield the units of a variant, numbered from `number`, with groups numbered from `group`.

    Only games of equal players are judged; random games start from the initial state.
    """
    unjudged = replace(terms, judge=0)
    by_chance = replace(unjudged, opening=0, book="")
    for pairing in all_pairings:
        own = {ALIKE: terms, BY_CHANCE: by_chance}.get(pairing.number, unjudged)
        for first in range(0, pairing.rounds, pairing.size):
            count = min(pairing.size, pairing.rounds - first)
            at = group + pairing.number
            yield own, Unit(number, at, pairing.players, first, count, pairing.turns)
            number += 1


def _opening(design: Design, game: Game) -> int:
    """Return no opening plies if chance or the players' own playouts make games differ."""
    if design.opening is not None:
        return design.opening
    drawn = all(entrant.player.startswith(_DRAWN) for entrant in design.entrants)
    return 0 if drawn or game.rules.chance else OPENING
