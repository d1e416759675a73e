"""What a study plays: who meets whom in each variant, as units of games."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rulesengine.contests.units import Entrant, Terms, Unit, read_entrants, terms_of
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.play.players import is_person, player_of
from rulesengine.play.players.controllers import RANDOM
from rulesengine.support.frozen import record, replace
from rulesengine.support.limits import MAX_PLIES

# Random games decide their moves, so that no two games are alike and none needs an opening.
LADDER = ("mcts:playouts=10", "mcts:playouts=40", "mcts:playouts=160")
GAMES, SAMPLES, JUDGE = 100, 200, 100
OPENING = 2  # plies at random where players would play the same game again
ALIKE, BY_CHANCE, LADDERS = 0, 1, 2  # numbers of pairings
_DRAWN = ("mcts:", RANDOM)
_TOGETHER = 20  # random games of a unit
_MANY = 40  # games for which kernels are made first


@record
class Design:
    """How a variant is looked at, by players from the weakest to the strongest.

    `games` are played by the strongest one alone, from every seat, and by each against the next
    stronger one; `samples` are random games; `judge` is how many random games judge a position,
    0 for none. `opening` is plies at random, None for as many as the players need.
    """

    players: tuple[str, ...] = LADDER
    games: int = GAMES
    samples: int = SAMPLES
    judge: int = JUDGE
    seed: int = 0
    opening: int | None = None
    plies: int = MAX_PLIES

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """The players with their names. Raises UsageError."""
        return read_entrants(self.players)

    def checked(self) -> "Design":
        """The design. Raises UsageError for one that shows nothing."""
        if self.games < 1:
            raise UsageError("--games: a study needs at least 1 game")
        if not self.players:
            raise UsageError("--player: a study needs a player")
        if any(is_person(entrant.player) for entrant in self.entrants):
            raise UsageError("--player: a study is played without people")
        return self


@record
class Pairing:
    """Games of one kind in a variant: who sits where in the first one of a round, and how many.

    `turns` is how many seatings a round has, `size` how many rounds a unit has.
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
    """What a variant plays: equals, games at random, and each player against the one below."""
    players = [entrant.player for entrant in design.entrants]
    found = [
        Pairing(ALIKE, (players[-1],) * seats, design.games, 1),
        Pairing(BY_CHANCE, (RANDOM,) * seats, design.samples, 1, _TOGETHER),
    ]
    rounds = -(-design.games // seats)
    for step, (weak, strong) in enumerate(pairwise(players)):
        if seats > 1:
            together = (strong, *(weak,) * (seats - 1))
            found.append(Pairing(LADDERS + step, together, rounds, seats))
    return found


def terms_for(design: Design, game: Game, spec: str) -> Terms:
    """By what the games of a variant are played. Raises UsageError for players that it lacks."""
    for entrant in design.entrants:
        player_of(game, entrant.player).close()
    terms = terms_of(
        game, spec, design.entrants, seed=design.seed, opening=_opening(design, game),
        plies=design.plies, compiles=design.games >= _MANY,
    )  # fmt: skip
    return replace(terms, measures=True, judge=design.judge)


def tasks(
    terms: Terms, found: Sequence[Pairing], group: int, number: int
) -> Iterator[tuple[Terms, Unit]]:
    """The units of a variant, numbered from `number` on, its pairings from `group` on.

    Only games of equals are judged, and games at random begin at the start.
    """
    unjudged = replace(terms, judge=0)
    by_chance = replace(unjudged, opening=0)
    for pairing in found:
        own = {ALIKE: terms, BY_CHANCE: by_chance}.get(pairing.number, unjudged)
        for first in range(0, pairing.rounds, pairing.size):
            count = min(pairing.size, pairing.rounds - first)
            at = group + pairing.number
            yield own, Unit(number, at, pairing.players, first, count, pairing.turns)
            number += 1


def _opening(design: Design, game: Game) -> int:
    """No opening where chance or the players' own random games make games differ."""
    if design.opening is not None:
        return design.opening
    drawn = all(entrant.player.startswith(_DRAWN) for entrant in design.entrants)
    return 0 if drawn or game.rules.chance else OPENING
