"""Execution of a unit of games; executors call this in this process or another one."""

from collections.abc import Sequence
from functools import lru_cache
from threading import get_ident
from time import perf_counter

from rulesengine.contests.entrants import NO_OBJECTS, Objects
from rulesengine.contests.opening_files import opening_of
from rulesengine.contests.openings import Opening, opening
from rulesengine.contests.ply_metrics import measure_game, written
from rulesengine.contests.referee import FinishedGame, play_game
from rulesengine.contests.units import (
    Batch,
    BatchResult,
    PlayedGame,
    Result,
    Tally,
    Terms,
    Unit,
    seats_of,
)
from rulesengine.engine.drivers.random import fold, word
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.play.players import RANDOM, Player, player_of
from rulesengine.play.records import GameRecord, rules_hash, write_record
from rulesengine.support.frozen import replace
from rulesengine.support.limits import MAX_PLIES
from rulesengine.version import __version__

_GAMES = 8  # games cached per process, with their kernels


def play_batch(batch: Batch, job: Job | None = None) -> BatchResult:
    """Play the units of a batch with `play_unit`; a `job` can cancel them."""
    since = perf_counter()
    results = tuple(play_unit(batch.terms, unit, job, job) for unit in batch.units)
    return BatchResult(results, perf_counter() - since)


def play_unit(
    terms: Terms,
    unit: Unit,
    job: Job | None = None,
    ends: Job | None = None,
    objects: Objects = NO_OBJECTS,
) -> Result:
    """Play the games of a unit, with the player `objects` of some texts.

    Raises UsageError for unknown players.

    If all players are random and no records are needed, a kernel plays the same games and counts
    them; `job` counts these games. `ends` can cancel all other games, which raises Stopped; the
    work counted in it is not used.
    """
    if terms.version != __version__:
        raise UsageError(f"a worker has version {__version__} of the package, not {terms.version}")
    game = _game(terms, get_ident())
    if is_counted(terms, unit.players) and unit.first == 0:
        return _counted(game, terms, unit, job)
    return Result(unit, games=tuple(_played(game, terms, unit, ends, objects)))


def is_counted(terms: Terms, players: Sequence[str]) -> bool:
    """True if only totals are needed and a kernel can play the games."""
    by_rules = terms.plies == MAX_PLIES and terms.clock is None and terms.opening == 0
    is_plain = not (terms.one_by_one or terms.book)
    return by_rules and is_plain and all(player == RANDOM for player in players)


def seed_of(terms: Terms, group: int, turn: int) -> int:
    """Return the seed of the games of a group with one seating; rounds are streams of it."""
    return fold(fold(word(terms.seed), group), turn)


def _counted(game: Game, terms: Terms, unit: Unit, job: Job | None) -> Result:
    tallies = []
    for turn in range(len(game.players)):
        seed = seed_of(terms, unit.group, turn)
        result = game.playouts(unit.count, seed=seed, job=job)
        wins = tuple(result.wins[name] for name in game.players)
        plies = round(result.mean_length * result.games)
        tallies.append(Tally(turn, wins, result.draws, result.unfinished, plies))
    return Result(unit, tallies=tuple(tallies))


def _played(
    game: Game, terms: Terms, unit: Unit, ends: Job | None, objects: Objects
) -> list[PlayedGame]:
    """Play the games one by one; the players are created once for all of them."""
    players = [objects.get(text) or player_of(game, text) for text in unit.players]
    try:
        return [
            _one(game, terms, unit, players, number, turn, ends)
            for number in range(unit.first, unit.first + unit.count)
            for turn in range(unit.seatings)
        ]
    finally:
        for player in players:
            player.close()


def _one(
    game: Game,
    terms: Terms,
    unit: Unit,
    players: Sequence[Player],
    number: int,
    turn: int,
    ends: Job | None,
) -> PlayedGame:
    seats = seats_of(turn, len(players))
    # Single players are compared in the same games; a study compares variants.
    is_shared = len(players) == 1 and not terms.measures
    seed = seed_of(terms, 0 if is_shared else unit.group, turn)
    start = _opening(game, terms, unit, number)
    finished = play_game(
        game,
        [players[place] for place in seats],
        start,
        seed,
        number,
        clock=terms.clock,
        increment=terms.increment,
        plies=terms.plies,
        job=ends,
    )
    texts = [unit.players[place] for place in seats]
    return PlayedGame(
        number,
        turn,
        finished.payoffs(game.players),
        len(finished.moves),
        finished.ending,
        finished.reason,
        finished.loser,
        _record(game, terms, start, finished, texts) if terms.keeps else "",
        tuple(round(seconds, 6) for seconds in finished.seconds),
        "\n".join(filter(None, (player.transcript() for player in players))),
        _measures(game, terms, finished, start, fold(word(seed), number)),
    )


def _opening(game: Game, terms: Terms, unit: Unit, number: int) -> Opening:
    """Return the opening of a round: that of a book, else random plies."""
    if unit.lines:
        return opening_of(game, unit.lines[number - unit.first])
    return opening(game, terms.seed, number, terms.opening)


def _measures(game: Game, terms: Terms, finished: FinishedGame, start: Opening, seed: int) -> str:
    """Return the encoded measurements of a game; playouts leave out its opening."""
    if not terms.measures:
        return ""
    since, judge = len(start.moves), terms.judge
    measured = measure_game(
        game, finished.moves, since=since, judge=judge, seed=seed, start=start.first
    )
    return written(measured)


def _record(
    game: Game, terms: Terms, start: Opening, finished: FinishedGame, texts: Sequence[str]
) -> str:
    """Return the record of a game as text."""
    forfeit = ""
    if finished.loser >= 0:
        forfeit = f"{game.players[finished.loser]}, {finished.reason}"
    return write_record(
        GameRecord(
            game=game.name,
            rules=_hash(terms, get_ident()),
            moves=tuple(map(str, finished.moves)),
            result=finished.outcome,
            spec=terms.spec,
            parameters=game.parameters,
            players=dict(zip(game.players, texts, strict=True)),
            seed=terms.seed,
            start="" if start.first in (None, game.initial_state()) else str(start.first),
            forfeit=forfeit,
        )
    )


def _game(terms: Terms, thread: int) -> Game:
    """Return the cached game of the terms; each thread has its own, because queries change its
    state.
    """
    plain = replace(terms, measures=False, judge=0)  # measurements do not change the game
    return _load_game(plain, thread)


@lru_cache(_GAMES)
def _load_game(terms: Terms, thread: int) -> Game:
    return terms.game()


@lru_cache(_GAMES)
def _hash(terms: Terms, thread: int) -> str:
    return rules_hash(_game(terms, thread))
