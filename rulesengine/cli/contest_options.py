"""The options of `match` and `tournament`, apart from what carries them out, which costs time."""

import argparse
import re
from collections.abc import Callable

_Number = Callable[[int], Callable[[str], int]]
_MOST_GAMES, MOST_WORKERS, _MOST_PLIES = 10**9, 1024, 10_000
_CLOCK = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)(?:\+([0-9]{1,4}(?:\.[0-9]{1,3})?))?")


def add_contests(add: Callable[..., argparse.ArgumentParser], spec: str, number: _Number) -> None:
    """The options of both commands; `spec` says what a spec may be."""
    command = add("match", "let players meet: who wins how often, and by how much Elo")
    _games(command, spec, number, 100)
    command.add_argument(
        "--sprt",
        metavar="ELO0,ELO1",
        help="end when it is decided whether the first player is stronger by ELO0 or by ELO1"
        " (further: ,ALPHA,BETA; 0.05,0.05 unless given)",
    )
    command = add("tournament", "hold a tournament that is kept in a file and goes on when stopped")
    _games(command, spec, number, 10)
    command.add_argument("--out", metavar="FILE", required=True, help="where all games are kept")
    command.add_argument(
        "--system",
        default="round-robin",
        metavar="NAME",
        help="round-robin (the default), gauntlet (the first one against all others) or swiss",
    )
    command.add_argument(
        "--stages", type=number(1000), default=0, metavar="N", help="of a Swiss tournament"
    )
    command.add_argument("--report", metavar="FILE", help="write a page with plots and all games")
    command.add_argument("--parquet", metavar="FILE", help="write all games as a table, a row each")


def _games(command: argparse.ArgumentParser, spec: str, number: _Number, games: int) -> None:
    command.add_argument("spec", metavar="SPEC", help=spec)
    command.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="NAME=PLAYER",
        help="random, human, a strategy of the spec, search:nodes=1000, mcts:playouts=100,"
        " learned:FILE,nodes=1000, cmd:COMMAND, gtp:COMMAND or uci:COMMAND (may be repeated)",
    )
    command.add_argument(
        "--games",
        type=number(_MOST_GAMES),
        default=games,
        metavar="N",
        help=f"for each pair, {games} unless given",
    )
    command.add_argument("--seed", type=number(2**64 - 1), default=0, help="0 unless given")
    command.add_argument(
        "--opening",
        type=number(_MOST_PLIES),
        metavar="PLIES",
        help="random plies before the players begin, 4 unless given",
    )
    command.add_argument(
        "--clock", type=_clock, metavar="S[+S]", help="seconds for a game, and for each move"
    )
    command.add_argument(
        "--plies", type=number(_MOST_PLIES), default=_MOST_PLIES, metavar="N", help="longest game"
    )
    add_workers(command, number)


def add_workers(command: argparse.ArgumentParser, number: _Number) -> None:
    """The options that say who plays."""
    command.add_argument(
        "--workers", type=number(MOST_WORKERS), default=1, metavar="N", help="processes that play"
    )
    command.add_argument(
        "--threads", type=number(MOST_WORKERS), default=1, metavar="N", help="threads that play"
    )
    command.add_argument(
        "--dask",
        nargs="?",
        const="",
        metavar="ADDRESS",
        help="play on a scheduler of Dask, or on one started here for --workers",
    )


def _clock(text: str) -> tuple[float, float]:
    match = _CLOCK.fullmatch(text)
    if match is None or not float(match[1]) > 0:
        what = "seconds such as 60 or 60+0.5"
        raise argparse.ArgumentTypeError(f"expected {what}, found `{text[:40]}`")
    return float(match[1]), float(match[2] or 0)
