"""A unit of work, carried out: what an executor calls, in this process or in another one."""

from collections.abc import Sequence
from functools import lru_cache
from threading import get_ident
from time import perf_counter

from rulesengine.contests.openings import opening
from rulesengine.contests.ply_metrics import measured, written
from rulesengine.contests.referee import Finished, play_game
from rulesengine.contests.units import Batch, Done, Played, Result, Tally, Terms, Unit, seats_of
from rulesengine.engine.drivers.random import fold, word
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.play.players import Player, player_of
from rulesengine.play.players.controllers import RANDOM
from rulesengine.play.records.native import GameRecord, rules_hash, write_record
from rulesengine.support.frozen import replace
from rulesengine.support.limits import MAX_PLIES
from rulesengine.version import __version__

_GAMES = 8  # that a process keeps ready, with the kernels that they have


def play_batch(batch: Batch, job: Job | None = None) -> Done:
    """The games of some units, as `play_unit` plays them; a `job` can stop them."""
    since = perf_counter()
    results = tuple(play_unit(batch.terms, unit, job, job) for unit in batch.units)
    return Done(results, perf_counter() - since)


def play_unit(terms: Terms, unit: Unit, job: Job | None = None, ends: Job | None = None) -> Result:
    """The games of a unit. Raises UsageError for players that there are not.

    Where all play at random and nobody wants records they are counted by a kernel: game by game
    they are the same. A `job` counts these games. `ends` can stop all others, which raises Stopped;
    what their searches count in it is nobody's.
    """
    if terms.version != __version__:
        raise UsageError(f"a worker has version {__version__} of the package, not {terms.version}")
    game = _game(terms, get_ident())
    if is_counted(terms, unit.players) and unit.first == 0:
        return _counted(game, terms, unit, job)
    return Result(unit, games=tuple(_played(game, terms, unit, ends)))


def is_counted(terms: Terms, players: Sequence[str]) -> bool:
    """Whether only the numbers of games are wanted, and a kernel can play them."""
    by_rules = terms.plies == MAX_PLIES and terms.clock is None and terms.opening == 0
    return by_rules and not terms.one_by_one and all(player == RANDOM for player in players)


def seed_of(terms: Terms, group: int, turn: int) -> int:
    """The seed of the games of a group with one seating; a round's number draws one of them."""
    return fold(fold(word(terms.seed), group), turn)


def _counted(game: Game, terms: Terms, unit: Unit, job: Job | None) -> Result:
    tallies = []
    for turn in range(len(game.players)):
        seed = seed_of(terms, unit.group, turn)
        found = game.playouts(unit.count, seed=seed, job=job)
        wins = tuple(found.wins[name] for name in game.players)
        plies = round(found.mean_length * found.games)
        tallies.append(Tally(turn, wins, found.draws, found.unfinished, plies))
    return Result(unit, tallies=tuple(tallies))


def _played(game: Game, terms: Terms, unit: Unit, ends: Job | None) -> list[Played]:
    """The games one by one, by players that last for all of them."""
    players = [player_of(game, text) for text in unit.players]
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
) -> Played:
    seats = seats_of(turn, len(players))
    seed = seed_of(terms, unit.group, turn)
    start = opening(game, terms.seed, number, terms.opening)
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
    return Played(
        number,
        turn,
        finished.payoffs(game.players),
        len(finished.moves),
        finished.ending,
        finished.reason,
        finished.loser,
        _record(game, terms, finished, texts) if terms.keeps else "",
        tuple(round(seconds, 6) for seconds in finished.seconds),
        "\n".join(filter(None, (player.transcript() for player in players))),
        _measures(game, terms, finished, len(start.moves), fold(word(seed), number)),
    )


def _measures(game: Game, terms: Terms, finished: Finished, since: int, seed: int) -> str:
    """What is measured in a game, whose players began after so many moves."""
    if not terms.measures:
        return ""
    return written(measured(game, finished.moves, since=since, judge=terms.judge, seed=seed))


def _record(game: Game, terms: Terms, finished: Finished, texts: Sequence[str]) -> str:
    """The record of a game, as `replay` takes it."""
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
            forfeit=forfeit,
        )
    )


def _game(terms: Terms, thread: int) -> Game:
    """The game of the terms: each thread has its own, which changes as it is asked."""
    plain = replace(terms, measures=False, judge=0)  # the same game, whatever is measured in it
    return _made(plain, thread)


@lru_cache(_GAMES)
def _made(terms: Terms, thread: int) -> Game:
    return terms.game()


@lru_cache(_GAMES)
def _hash(terms: Terms, thread: int) -> str:
    return rules_hash(_game(terms, thread))
