"""The statistics of a variant, computed from its games."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import log10
from statistics import fmean, median

from rulesengine.contests.ply_metrics import PlyMetrics, read
from rulesengine.contests.stats.crosstable import best_seats
from rulesengine.contests.stats.intervals import Interval, mean_of, score_of, share_of
from rulesengine.contests.study.design import ALIKE, BY_CHANCE, LADDERS, Design
from rulesengine.contests.study.lead_changes import Course, Leads, course_of, leads_of
from rulesengine.contests.study.tree_size import Tree, tree_of
from rulesengine.contests.units import UNFINISHED, PlayedGame
from rulesengine.game import Game
from rulesengine.play.records import read_record
from rulesengine.prose import unused_rules
from rulesengine.support.frozen import record
from rulesengine.support.limits import MAX_MOVES


@record
class Step:
    """The score of a player against the next weaker one, as a share of all points."""

    weak: str
    strong: str
    score: Interval


@record
class Findings:
    """The statistics of a variant, with confidence intervals for samples.

    Unless noted below they are from games between equal players; `different` is the number of
    distinct ones.
    - `wins` are by player; `first` is the score of the first seat. An equal share is 1 / players.
    - `lengths` counts games by plies; `branching` is the number of legal moves at a player's turn.
    - `complexity` is the decimal logarithm of branching to the power of the turns of a game.
    - `cells` counts the moves that name a cell.
    - `steps` are the scores along the ladder.
    - `unused` are the rules that no game of any kind has used.
    - `payoff` and `chance_payoff` are the payoff of a single player, in games of the strongest
      player and in random games. Shares of points and of draws are None then, and the ladder has
      no steps.
    - `by_chance` and `chance_length` are the score of the first seat and the length in random
      games.
    """

    games: int
    different: int
    wins: Mapping[str, Interval | None]
    draws: Interval | None
    unfinished: Interval | None
    first: Interval | None
    length: Interval | None
    lengths: Mapping[int, int]
    branching: Interval | None
    complexity: float | None
    leads: Leads
    steps: tuple[Step, ...]
    tree: Tree | None
    by_chance: Interval | None
    chance_length: Interval | None
    cells: Mapping[int, int]
    unused: tuple[str, ...]
    payoff: Interval | None = None
    chance_payoff: Interval | None = None

    @property
    def skill(self) -> Interval | None:
        """Return the score of the strongest player against the next weaker one."""
        return self.steps[-1].score if self.steps else None

    @property
    def median(self) -> float | None:
        """Return the median number of plies."""
        return median(Counter(self.lengths).elements()) if self.lengths else None


Games = Mapping[int, Sequence[PlayedGame]]


def findings_of(game: Game, design: Design, games: Games, *, counts: bool = True) -> Findings:
    """Compute the statistics of games, given by the number of their pairing.

    With `counts` a small game tree is counted exactly.
    """
    alike, chance = games.get(ALIKE, ()), games.get(BY_CHANCE, ())
    measures = [read(played.measures) for played in alike]
    random = [read(played.measures) for played in chance]
    every = [*measures, *random, *_of_ladders(games)]
    count, seats = len(alike), game.players
    is_single = len(seats) == 1
    best = [best_seats(played.payoffs) for played in alike]
    branching = _branching(measures)
    return Findings(
        count,
        len({read_record(played.record).moves for played in alike}),
        {name: share_of(best.count([i]), count) for i, name in enumerate(seats) if not is_single},
        None if is_single else share_of(sum(len(winners) > 1 for winners in best), count),
        share_of(sum(played.ending == UNFINISHED for played in alike), count),
        None if is_single else _score(alike, 0),
        mean_of([played.plies for played in alike], 0, design.plies),
        dict(sorted(Counter(played.plies for played in alike).items())),
        branching,
        _complexity(branching, measures),
        leads_of([_course(*pair) for pair in zip(measures, alike, strict=True)]),
        tuple(_steps(design, games)),
        tree_of(game, [one.tree for one in random], counts=counts),
        None if is_single else _score(chance, 0),
        mean_of([played.plies for played in chance], 0, design.plies),
        Counter(cell for one in measures for cell in one.cells),
        _unused(game, every),
        _payoff(alike) if is_single else None,
        _payoff(chance) if is_single else None,
    )


def _payoff(games: Sequence[PlayedGame]) -> Interval | None:
    """Return the mean payoff of a single player in the games with an end."""
    return mean_of([played.payoffs[0] for played in games if played.ending != UNFINISHED])


def _of_ladders(games: Games) -> Iterator[PlyMetrics]:
    for number, several in games.items():
        if number >= LADDERS:
            yield from (read(played.measures) for played in several)


def _score(games: Sequence[PlayedGame], place: int) -> Interval | None:
    """Return the score of the player at a position of the group, as a share of all points."""
    return score_of([_points(played, place) for played in games])


def _points(played: PlayedGame, place: int) -> float:
    """Return one point, divided by the number of winners."""
    best = best_seats(played.payoffs)
    return (played.seats.index(place) in best) / len(best)


def _branching(measures: Iterable[PlyMetrics]) -> Interval | None:
    means = [fmean(ways) for one in measures if (ways := [n for n in one.move_counts if n])]
    return mean_of(means, 1, MAX_MOVES)


def _complexity(branching: Interval | None, measures: Sequence[PlyMetrics]) -> float | None:
    if not branching:
        return None
    turns = fmean(sum(n > 0 for n in one.move_counts) for one in measures)
    return turns * log10(branching.value)


def _course(measures: PlyMetrics, played: PlayedGame) -> Course:
    best = best_seats(played.payoffs)
    return course_of(measures.values, 1 - 2 * best[0] if len(best) == 1 else 0)


def _steps(design: Design, games: Games) -> Iterator[Step]:
    names = [entrant.name for entrant in design.entrants]
    for step, (weak, strong) in enumerate(pairwise(names)):
        score = _score(games.get(LADDERS + step, ()), 0)
        if score:
            yield Step(weak, strong, score)


def _unused(game: Game, every: Sequence[PlyMetrics]) -> tuple[str, ...]:
    groups = {group for one in every for group in one.groups}
    return tuple(unused_rules(game, groups, {one.end for one in every})) if every else ()
