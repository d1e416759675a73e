"""The public calls for matches and tournaments."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from os import PathLike
from pathlib import Path
from typing import Unpack

from rulesengine.contests.entrants import Players, entrants_of
from rulesengine.contests.executors import Pool, pool_of
from rulesengine.contests.expected_work import between_pairs, counted_plies, expected_plies
from rulesengine.contests.opening_files import OpeningLine, book_of, digest_of
from rulesengine.contests.schedule import plan_of
from rulesengine.contests.stats.sprt import Sprt
from rulesengine.contests.store import opened
from rulesengine.contests.tournament import Contest, Standings, hold
from rulesengine.contests.unit_runner import is_counted
from rulesengine.contests.units import ContestOptions, TermsOptions, terms_of
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.job import Job, job_of
from rulesengine.play.players import is_person, require_player
from rulesengine.support.frozen import replace
from rulesengine.support.limits import MAX_PLIES
from rulesengine.support.validate import (
    check_callback,
    check_kind,
    check_number,
    check_path,
    check_text,
)

Each = Callable[[Standings], None]


def match(
    game: Game,
    players: Players,
    games: int = 100,
    *,
    sprt: Sprt | None = None,
    executor: Executor | Pool | None = None,
    each: Each | None = None,
    job: Job | None = None,
    **options: Unpack[ContestOptions],
) -> Standings:
    """Play a match between players: texts `NAME=PLAYER` or `PLAYER`, functions, or objects.

    A function returns a move for a `PlayerSession`, or for a `PlayerView` if the game hides
    something. An object has the method `choose`, which does the same. Both play in this thread,
    without an executor. A map gives the names of the players. More than two players meet in
    all pairs. Each opening of `opening` random plies (default 4, none between random players) is
    played from every seat, so `games` is a multiple of the seats. `openings` are those of a file,
    instead of random plies; see `read_openings`. A `clock` is in seconds per player and game, its
    `increment` in seconds per move. With `sprt`, for two players, the match ends when the test is
    decided. Units of games are submitted to `executor`, or played in this thread. Raises UsageError
    for unknown players.
    """
    contest = contest_of(game, players, games, sprt=sprt, keeps=False, **options)
    check_callback(each)
    return hold(contest, pool=_pool(executor, contest), each=each, job=job_of(job))


def tournament(
    game: Game,
    players: Players,
    games: int,
    out: str | PathLike[str],
    *,
    spec: str = "",
    system: str = "round-robin",
    stages: int = 0,
    executor: Executor | Pool | None = None,
    each: Each | None = None,
    job: Job | None = None,
    **options: Unpack[ContestOptions],
) -> Standings:
    """Play a tournament with `games` games for each pair; finished games are stored in an SQLite
    file.

    A repeated call resumes from the file; a call with more games, or more stages of a Swiss
    tournament, adds them. `system` is `round-robin`, `gauntlet` (the first entrant
    against all others) or `swiss` with a number of `stages`; `spec` is written into records. Other
    arguments are those of `match`. Raises UsageError also for the file of another contest, and for
    a file that cannot be written.
    """
    contest = contest_of(game, players, games, spec=spec, system=system, stages=stages, **options)
    check_callback(each)
    counted, pool = job_of(job), _pool(executor, contest)
    with opened(Path(check_path(out)), contest.identity()) as store:
        return hold(contest, store=store, pool=pool, each=each, job=counted)


def contest_of(
    game: Game,
    players: Players,
    games: int,
    *,
    spec: str = "",
    system: str = "round-robin",
    stages: int = 0,
    sprt: Sprt | None = None,
    keeps: bool = True,
    **options: Unpack[ContestOptions],
) -> Contest:
    """Return the contest of these arguments. Raises UsageError if they are invalid."""
    check_kind("a game", game, Game)
    check_number("number of games", games)
    check_number("number of stages", stages)
    check_text("name of the spec", spec)
    check_text("system of a tournament", system)
    check_kind("a test of `read_sprt` or None", sprt, Sprt, type(None))
    declared = entrants_of(players)
    entrants = declared.entrants
    one_by_one = keeps or sprt is not None or len(game.players) == 1
    lines = _lines(game, [entrant.player for entrant in entrants], options)
    terms = terms_of(
        game,
        spec,
        entrants,
        keeps=keeps,
        one_by_one=one_by_one,
        opening=options.get("opening"),
        **_term_options(options, lines),
    )
    for text in declared.texts:
        require_player(game, text)
    if sprt and (len(entrants) != 2 or len(game.players) != 2):
        raise UsageError("--sprt: a test compares two entrants, in a game of two players")
    texts = [entrant.player for entrant in entrants]
    counted = is_counted(terms, texts)
    pairs = between_pairs(texts, games)
    work = counted_plies(game, pairs[0].count) if counted else expected_plies(game, pairs)
    terms = replace(terms, work=tuple(work.items()))
    size = max(games // len(game.players), 1) if counted else 1
    plan = plan_of(entrants, len(game.players), games, system, stages, size)
    return Contest(game.name, game.players, terms, entrants, plan, sprt, declared.objects, lines)


def _lines(game: Game, players: Sequence[str], options: ContestOptions) -> tuple[OpeningLine, ...]:
    """Return the openings of a contest. Raises UsageError."""
    openings = options.get("openings")
    if openings is None:
        return ()
    if options.get("opening"):
        raise UsageError("openings of a file are not followed by random plies")
    return book_of(game, players, openings, options.get("seed", 0))


def _term_options(options: ContestOptions, lines: Sequence[OpeningLine]) -> TermsOptions:
    """Return the arguments that become fields of the terms."""
    return TermsOptions(
        seed=options.get("seed", 0),
        clock=options.get("clock"),
        increment=options.get("increment", 0.0),
        plies=options.get("plies", MAX_PLIES),
        book=digest_of(lines),
    )


def _pool(executor: Executor | Pool | None, contest: Contest) -> Pool | None:
    if executor is not None and any(is_person(e.player) for e in contest.entrants):
        raise UsageError("a person plays at this terminal: leave the workers out")
    if executor is not None and contest.objects:
        fix = "leave the executor out, or run the player as a program by `cmd:`"
        raise UsageError(f"a player that is an object plays in this thread: {fix}")
    return pool_of(executor)
