"""`match` and `tournament`: players meet, and a table of the results."""

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from time import monotonic

from rulesengine import contests
from rulesengine.cli.arguments import Options
from rulesengine.cli.output import complain, complain_at_length, json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.specs import load_game
from rulesengine.contests import How, Pool, Rating, Standing
from rulesengine.errors import UsageError
from rulesengine.job import Job

_LOOK = 1.0  # seconds between two tables
_SHOWN = 10  # lines of what was said to a program


def match(options: Options) -> int:
    """Play a match, and print the table."""
    test = None if options.sprt is None else contests.read_sprt(options.sprt)
    game = load_game(options.spec, options)

    def play(pool: Pool | None, job: Job) -> Standing:
        return contests.match(
            game, options.player, options.games, **_how(options), sprt=test, executor=pool,
            each=_growing(), job=job,
        )  # fmt: skip

    return _tell(_held(play, options), options)


def tournament(options: Options) -> int:
    """Hold a tournament or go on with one, print the table, and write the report."""
    game = load_game(options.spec, options)

    def play(pool: Pool | None, job: Job) -> Standing:
        return contests.tournament(
            game, options.player, options.games, options.out, **_how(options),
            spec=options.spec, system=options.system, stages=options.stages, executor=pool,
            each=_growing(), job=job,
        )  # fmt: skip

    standing = _held(play, options)
    if options.report:
        write_page(contests.html_report(standing, options.out), options.report)
    if options.parquet:
        contests.write_parquet(standing, options.out, options.parquet)
    return _tell(standing, options)


def _how(options: Options) -> How:
    clock, increment = options.clock or (None, 0.0)
    return How(
        seed=options.seed,
        opening=options.opening,
        clock=clock,
        increment=increment,
        plies=options.plies,
    )


def _held(play: Callable[[Pool | None, Job], Standing], options: Options) -> Standing:
    with pool_for(options) as pool, _shown(options) as job:
        return play(pool, job)


def _shown(options: Options) -> AbstractContextManager[Job]:
    """A bar for games that a kernel counts; all others grow a table."""
    players = {entrant.player for entrant in contests.read_entrants(options.player)}
    at_random = options.command == "match" and players <= {"random"}
    return progress("match", "games", options.games) if at_random else nullcontext(Job())


@contextmanager
def pool_for(options: Options) -> Iterator[Pool | None]:
    """Who plays: this process, threads, processes or Dask."""
    wanted = [options.dask is not None, options.threads > 1, options.workers > 1]
    if options.threads < 1 or options.workers < 1:
        raise UsageError("--workers and --threads: at least 1")
    if options.threads > 1 and any(wanted[::2]):
        raise UsageError("--threads: threads of this process or other workers, not both")
    opened: AbstractContextManager[Pool | None] = nullcontext()
    if options.dask is not None:
        opened = contests.dask(options.dask or None, options.workers)
    elif options.threads > 1:
        opened = contests.threads(options.threads)
    elif options.workers > 1:
        opened = contests.processes(options.workers)
    with opened as pool:
        yield pool


def _growing() -> Callable[[Standing], None]:
    """Shows the table on a terminal as it grows, in the place of the one before."""
    shown, last = 0, -math.inf

    def show(standing: Standing) -> None:
        nonlocal shown, last
        if not (sys.stderr and sys.stderr.isatty()) or monotonic() - last < _LOOK:
            return
        text = contests.standings_text(standing)
        sys.stderr.write(f"\x1b[{shown}A\x1b[J" * bool(shown) + text + "\n")
        shown, last = len(text.splitlines()), monotonic()

    return show


def _tell(standing: Standing, options: Options) -> int:
    if options.json:
        json_result(_as_json(standing))
    else:
        result(contests.standings_text(standing))
        if standing.table.entrants > 2 and not contests.has_ratings():
            complain("no Elo: it needs the extra `contests`")
    return _failing(standing)


def _failing_name(standing: Standing) -> str | None:
    failing = standing.failing
    return standing.contest.entrants[failing.entrant].name if failing and failing.is_over else None


def _failing(standing: Standing) -> int:
    """Tell who has failed, and what was said to him last; 1 where a contest has ended by that."""
    why = contests.failing_line(standing)
    if not why or standing.failing is None:
        return 0
    complain(why)
    said = standing.failing.transcript.splitlines()
    if said:
        complain_at_length("\n".join(["what was said in it, at the end:", *said[-_SHOWN:]]))
    return 1


def _as_json(standing: Standing) -> dict[str, object]:
    table, entrants = standing.table, standing.contest.entrants
    has_elo = table.entrants > 2 and contests.has_ratings()
    rated = contests.ratings(table) if has_elo else None
    players = []
    for i, entrant in enumerate(entrants):
        pairs = (table.against(i, j) for j in range(table.entrants) if j != i)
        wins, draws, losses = map(sum, zip(*pairs, strict=True))
        told = {"name": entrant.name, "player": entrant.player, "wins": wins, "draws": draws}
        elo = _elo(rated[i]) if rated else None
        players.append({**told, "losses": losses, "games": table.games[i], "elo": elo})
    seats = {name: table.seats[seat] for seat, name in enumerate(standing.contest.seats)}
    over = contests.difference(table, 0, 1) if table.entrants == 2 else None
    return {
        "games": table.played,
        "players": players,
        "seats": seats,
        "draws": table.drawn,
        "unfinished": table.unfinished,
        "elo": _elo(over) if over else None,
        "faults": [
            {"name": entrants[i].name, "kind": kind, "games": count}
            for (i, kind), count in sorted(table.faults.items())
        ],
        "sprt": standing.test.decision or None if standing.test else None,
        "sprt_by_faults": standing.test.is_by_faults if standing.test else None,
        "ended_by_faults_of": _failing_name(standing),
    }


def _elo(rating: Rating) -> dict[str, float | None]:
    """Elo and its interval; JSON has no infinity."""
    numbers = {"elo": rating.elo, "low": rating.low, "high": rating.high}
    return {name: number if math.isfinite(number) else None for name, number in numbers.items()}


def write_page(page: str, path: str) -> None:
    """Write a report. Raises UsageError."""
    try:
        Path(path).write_text(page, encoding="utf-8")
    except OSError as error:
        why = (error.strerror or "cannot be written").lower()
        raise UsageError(f"{path}: {why}") from None
