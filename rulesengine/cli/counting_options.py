"""The options of `perft`, `count` and `playout`, apart from what carries them out."""

import argparse
from collections.abc import Callable

from rulesengine.support.limits import MAX_PLIES

_Add = Callable[..., argparse.ArgumentParser]
_Number = Callable[[int], Callable[[str], int]]

_MEMORY = 1024  # mebibytes


def add_counting(add: _Add, spec: str, number: _Number) -> None:
    """The options of the three; `spec` says what a spec may be, `number` reads a number."""
    _add_perft(add, spec, number)
    _add_count(add, spec, number)
    _add_playout(add, spec, number)


def _add_perft(add: _Add, spec: str, number: _Number) -> None:
    command = add("perft", "count the sequences of exactly DEPTH moves")
    command.add_argument("spec", metavar="SPEC", help=spec)
    command.add_argument("depth", metavar="DEPTH", type=number(MAX_PLIES))
    command.add_argument("--divide", action="store_true", help="count for each first move")
    command.add_argument(
        "--ended", choices=("drop", "keep"), default="drop", help="whether a game over counts"
    )
    command.add_argument(
        "--passes", choices=("ply", "free"), default="ply", help="whether a pass takes a ply"
    )


def _add_count(add: _Add, spec: str, number: _Number) -> None:
    command = add("count", "count the positions that can be reached, ply by ply")
    command.add_argument("spec", metavar="SPEC", help=spec)
    command.add_argument("plies", metavar="PLIES", type=number(MAX_PLIES))
    command.add_argument(
        "--symmetry", action="store_true", help="count positions once that are alike"
    )
    command.add_argument(
        "--of",
        default="",
        metavar="EXPRESSION",
        help="also the least and greatest value of this, its sum, and how many positions have each",
    )
    command.add_argument(
        "--memory",
        type=number(2**20),
        default=_MEMORY,
        metavar="MIB",
        help=f"mebibytes for positions before files are made of them ({_MEMORY} unless given)",
    )


def _add_playout(add: _Add, spec: str, number: _Number) -> None:
    command = add("playout", "play COUNT random games")
    command.add_argument("spec", metavar="SPEC", help=spec)
    command.add_argument("count", metavar="COUNT", type=number(2**63 - 1))
    command.add_argument("--seed", type=number(2**64 - 1), default=0, help="0 unless given")
    command.add_argument(
        "--threads",
        type=number(256),
        default=1,
        metavar="N",
        help="play in N threads; the results stay the same (1 unless given)",
    )
