"""Options, workers and result tables that `match`, `tournament` and `study` share."""

from __future__ import annotations

import math
import re
import sys
from argparse import ArgumentTypeError
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from rulesengine.cli.output import (
    json_result,
    print_error,
    print_long_error,
    result,
    without_progress,
)
from rulesengine.cli.shared_options import (
    MOST_PLIES,
    PLAYERS,
    Options,
    Parser,
    add_game_options,
    add_json,
    add_openings,
    add_seed,
    add_spec,
    add_workers,
    whole_number,
)
from rulesengine.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulesengine.contests import ContestOptions, Openings, Pool, Rating, Standings

_MOST_GAMES = 10**9
_CLOCK = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)(?:\+([0-9]{1,4}(?:\.[0-9]{1,3})?))?")
_INTERVAL = 1.0  # seconds between two tables
_SHOWN = 10  # lines of a program's transcript


def add_contest_options(command: Parser, games: int) -> None:
    """Add the options of players, games and clocks; `games` is the default for each pair."""
    add_json(command)
    add_game_options(command)
    add_spec(command)
    command.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="NAME=PLAYER",
        help=f"{PLAYERS} (may be repeated)",
    )
    command.add_argument(
        "--games",
        type=whole_number(_MOST_GAMES),
        default=games,
        metavar="N",
        help=f"games of each pair, {games} unless given",
    )
    add_seed(command)
    command.add_argument(
        "--opening",
        type=whole_number(MOST_PLIES),
        metavar="PLIES",
        help="random plies at the start of each game, 4 unless given;"
        " with --openings the plies of each game of FILE",
    )
    add_openings(command)
    command.add_argument(
        "--clock",
        type=_clock,
        metavar="S[+S]",
        help="seconds for each game, and increment for each move",
    )
    command.add_argument(
        "--plies",
        type=whole_number(MOST_PLIES),
        default=MOST_PLIES,
        metavar="N",
        help=f"limit of plies of a game, which is then a draw; {MOST_PLIES} unless given",
    )
    add_workers(command)


def _clock(text: str) -> tuple[float, float]:
    match = _CLOCK.fullmatch(text)
    if match is None or not float(match[1]) > 0:
        form = "seconds such as 60 or 60+0.5"
        raise ArgumentTypeError(f"expected {form}, found `{text[:40]}`")
    return float(match[1]), float(match[2] or 0)


def conditions(options: Options) -> ContestOptions:
    """Return the conditions of the games: seed, opening, clock and length."""
    from rulesengine.contests import ContestOptions

    clock, increment = options.clock or (None, 0.0)
    openings = openings_of(options, options.opening)
    return ContestOptions(
        seed=options.seed,
        opening=None if openings else options.opening,
        openings=openings,
        clock=clock,
        increment=increment,
        plies=options.plies,
    )


def openings_of(options: Options, plies: int | None = None) -> Openings | None:
    """Return the openings of `--openings`; None without a file. Raises UsageError."""
    from rulesengine.contests import read_openings

    if options.openings is None:
        return None
    return read_openings(options.openings, plies=plies, order=options.order)


@contextmanager
def pool_for(options: Options) -> Iterator[Pool | None]:
    """Provide the pool that plays: none, threads, processes or Dask."""
    from rulesengine import contests

    wanted = [options.dask is not None, options.threads > 1, options.workers > 1]
    if options.threads < 1 or options.workers < 1:
        raise UsageError("--workers and --threads: at least 1")
    if options.threads > 1 and any(wanted[::2]):
        raise UsageError("--threads: not together with --workers or --dask")
    opened: AbstractContextManager[Pool | None] = nullcontext()
    if options.dask is not None:
        opened = contests.dask(options.dask or None, options.workers)
    elif options.threads > 1:
        opened = contests.threads(options.threads)
    elif options.workers > 1:
        opened = contests.processes(options.workers)
    with opened as pool:
        yield pool


def live_table() -> Callable[[Standings], None]:
    """Return a function that redraws the table of a running contest on a terminal."""
    from rulesengine.contests import standings_text

    shown, last = 0, -math.inf

    def show(standings: Standings) -> None:
        nonlocal shown, last
        if not (sys.stderr and sys.stderr.isatty()) or monotonic() - last < _INTERVAL:
            return
        text = standings_text(standings)
        with without_progress():
            sys.stderr.write(f"\x1b[{shown}A\x1b[J" * bool(shown) + text + "\n")
        shown, last = len(text.splitlines()), monotonic()

    return show


def print_standings(standings: Standings, options: Options) -> int:
    """Print the table; return 1 if the contest ended because of a failing player."""
    from rulesengine import contests

    if options.json:
        json_result(_as_json(standings))
    else:
        result(contests.standings_text(standings))
        if standings.table.entrants > 2 and not contests.has_ratings():
            print_error("no Elo without the extra `contests`")
    return _report_failure(standings)


def _report_failure(standings: Standings) -> int:
    """Report a failing player and the end of its transcript; return 1 if it ended the contest."""
    from rulesengine.contests import failing_line

    message = failing_line(standings)
    if not message or standings.failing is None:
        return 0
    print_error(message)
    transcript = standings.failing.transcript.splitlines()
    if transcript:
        print_long_error("\n".join(["the end of its transcript:", *transcript[-_SHOWN:]]))
    return 1


def _failing_name(standings: Standings) -> str | None:
    failing = standings.failing
    return standings.contest.entrants[failing.entrant].name if failing and failing.is_over else None


def _as_json(standings: Standings) -> dict[str, object]:
    from rulesengine import contests

    table, entrants = standings.table, standings.contest.entrants
    has_elo = table.entrants > 2 and not table.single and contests.has_ratings()
    rated = contests.ratings(table) if has_elo else None
    players = []
    for i, entrant in enumerate(entrants):
        pairs = (table.against(i, j) for j in range(table.entrants) if j != i)
        wins, draws, losses = map(sum, zip(*pairs, strict=True))
        row = {"name": entrant.name, "player": entrant.player, "wins": wins, "draws": draws}
        elo = _elo(rated[i]) if rated else None
        paid = {"mean_payoff": table.mean_payoff(i)} if table.single else {}
        players.append({**row, "losses": losses, "games": table.games[i], "elo": elo, **paid})
    seats = {name: table.seats[seat] for seat, name in enumerate(standings.contest.seats)}
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
        "sprt": standings.test.decision or None if standings.test else None,
        "sprt_by_faults": standings.test.is_by_faults if standings.test else None,
        "ended_by_faults_of": _failing_name(standings),
    }


def _elo(rating: Rating) -> dict[str, float | None]:
    """Return Elo and its interval; infinity is None in JSON."""
    numbers = {"elo": rating.elo, "low": rating.low, "high": rating.high}
    return {name: number if math.isfinite(number) else None for name, number in numbers.items()}


def write_page(page: str, path: str) -> None:
    """Write a report. Raises UsageError."""
    try:
        Path(path).write_text(page, encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or "cannot be written").lower()
        raise UsageError(f"{path}: {reason}") from None
