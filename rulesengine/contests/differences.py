"""Two games side by side: what their rules say differently, then their numbers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from statistics import fmean

from rulesengine.contests.openings import Opening
from rulesengine.contests.ply_metrics import measured
from rulesengine.contests.referee import Finished, play_game
from rulesengine.contests.units import UNFINISHED
from rulesengine.game import Game
from rulesengine.play.players import player_of
from rulesengine.play.players.controllers import RANDOM
from rulesengine.prose import Section, sections
from rulesengine.support.frozen import record

_NODES = 20_000  # of a depth behind which a deeper count may take long
_DEPTHS = 5
_SENTENCE = re.compile(r"(?<=\.) (?=[A-Z“`])")


@record
class Saying:
    """What one game says where the other says something else, a sentence or an item each."""

    section: str
    one: tuple[str, ...]
    other: tuple[str, ...]


@record
class Numbers:
    """What is counted of a game: cells, parameters, perft from depth 0 on, random games.

    `wins` is what each player won of the games, `length` their mean plies, `branching` the mean
    of legal moves where a player had the move. `problem` tells why a random game had no end.
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


def differences(one: Game, other: Game) -> list[Saying]:
    """What the rules of two games say differently, section by section in the order of the page."""
    said, against = ({s.heading: s for s in sections(game)} for game in (one, other))
    found = list[Saying]()
    for heading in [*said, *(name for name in against if name not in said)]:
        found += _apart(heading, _items(said.get(heading)), _items(against.get(heading)))
    return found


def numbers_of(game: Game, games: int, seed: int) -> Numbers:
    """The numbers of a game, from so many random games of a seed."""
    played, problem = list[Finished](), ""
    start = Opening((), game.initial_state())
    players = [player_of(game, RANDOM)] * len(game.players)
    for number in range(games):
        finished = play_game(game, players, start, seed, number)
        if finished.ending == UNFINISHED:
            problem = problem or f"game {number} of seed {seed} has no end: {finished.reason}"
        played.append(finished)
    ways = [n for one in played for n in measured(game, one.moves).ways if n]
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
    """The sentences and items of a section."""
    found = list[str]()
    for part in section.parts if section else ():
        found += _SENTENCE.split(part) if isinstance(part, str) else part
    return [text for text in found if text]


def _apart(heading: str, one: Sequence[str], other: Sequence[str]) -> Iterator[Saying]:
    """Where two sections differ, what is alike left out."""
    for tag, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal":
            yield Saying(heading, tuple(one[a:b]), tuple(other[c:d]))


def _perft(game: Game) -> Iterator[int]:
    """Sequences of 0, 1, … moves, as long as they are few."""
    for depth in range(_DEPTHS):
        count = game.perft(depth)
        yield count
        if not 0 < count <= _NODES:
            return
