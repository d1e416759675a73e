"""Comparison of two games: differences of their rules in English, and their statistics."""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from statistics import fmean

from rulesengine.contests.openings import Opening
from rulesengine.contests.ply_metrics import measure_game
from rulesengine.contests.referee import FinishedGame, play_game
from rulesengine.contests.units import UNFINISHED
from rulesengine.game import Game
from rulesengine.play.players import RANDOM, player_of
from rulesengine.prose import Section, sections
from rulesengine.support.frozen import record

_NODES = 20_000  # count above which no greater depth is counted, to bound the time
_DEPTHS = 5
_SENTENCE = re.compile(r"(?<=\.) (?=[A-Z“`])")


@record
class RuleDifference:
    """A difference between the rules of two games: the sentences or list items of each."""

    section: str
    one: tuple[str, ...]
    other: tuple[str, ...]


@record
class Numbers:
    """Statistics of a game: cells, parameters, perft from depth 0, and random games.

    `wins` counts wins by player. `length` is the mean number of plies, `branching` the mean number
    of legal moves at a player's turn. `problem` describes the first random game without an end.
    """

    cells: int
    players: tuple[str, ...]
    parameters: Mapping[str, int | str]
    perft: tuple[int, ...]
    games: int
    wins: Mapping[str, int]
    length: float
    branching: float
    problem: str = ""


def differences(one: Game, other: Game) -> list[RuleDifference]:
    """Return the differences between the rules of two games, section by section in page order."""
    before, against = ({s.heading: s for s in sections(game)} for game in (one, other))
    rows = list[RuleDifference]()
    for heading in [*before, *(name for name in against if name not in before)]:
        rows += _section_differences(
            heading, _items(before.get(heading)), _items(against.get(heading))
        )
    return rows


def numbers_of(game: Game, games: int, seed: int) -> Numbers:
    """Compute the statistics of a game from `games` random games of a seed."""
    played, problem = list[FinishedGame](), ""
    start = Opening((), game.initial_state())
    players = [player_of(game, RANDOM)] * len(game.players)
    for number in range(games):
        finished = play_game(game, players, start, seed, number)
        if finished.ending == UNFINISHED:
            problem = problem or f"game {number} of seed {seed} has no end: {finished.reason}"
        played.append(finished)
    ways = [n for one in played for n in measure_game(game, one.moves).move_counts if n]
    won = [one.outcome.winner for one in played if one.outcome]
    return Numbers(
        game.program.topology.cells,
        game.players,
        game.parameters,
        tuple(_perft(game)),
        len(played),
        {name: won.count(name) for name in game.players},
        fmean(len(one.moves) for one in played) if played else 0.0,
        fmean(ways) if ways else 0.0,
        problem,
    )


def _items(section: Section | None) -> list[str]:
    """Return the sentences and list items of a section."""
    items = list[str]()
    for part in section.parts if section else ():
        items += _SENTENCE.split(part) if isinstance(part, str) else part
    return [text for text in items if text]


def _section_differences(
    heading: str, one: Sequence[str], other: Sequence[str]
) -> Iterator[RuleDifference]:
    """Yield the differences between two sections."""
    for tag, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal":
            yield RuleDifference(heading, tuple(one[a:b]), tuple(other[c:d]))


def _perft(game: Game) -> Iterator[int]:
    """Yield perft from depth 0 while the counts are small."""
    for depth in range(_DEPTHS):
        count = game.perft(depth)
        yield count
        if not 0 < count <= _NODES:
            return
