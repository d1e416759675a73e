"""The options of `study` and `diff`, apart from what carries them out."""

import argparse
from collections.abc import Callable

from rulesengine.cli.contest_options import add_workers

_Number = Callable[[int], Callable[[str], int]]
_MOST_GAMES, _MOST_PLAYOUTS, _MOST_PLIES = 10**6, 10**6, 10_000


def add_comparing(add: Callable[..., argparse.ArgumentParser], spec: str, number: _Number) -> None:
    """The options of both commands; `spec` says what a spec may be, `number` reads one."""
    command = add("study", "say what a game and its variants are like, from games by players")
    command.add_argument("spec", metavar="SPEC", help=spec)
    command.add_argument("--out", metavar="FILE", required=True, help="where all games are kept")
    command.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="NAME=PLAYER",
        help="the weakest first; mcts:playouts=10, 40 and 160 unless given (may be repeated)",
    )
    for name, most, default, help in (
        ("--games", _MOST_GAMES, 100, "games of equals, and of each player against the next one"),
        ("--samples", _MOST_GAMES, 200, "random games, for the size of the tree"),
        ("--judge", _MOST_PLAYOUTS, 100, "random games by which a position is judged, 0 for none"),
        ("--seed", 2**64 - 1, 0, "of all that is drawn"),
        ("--plies", _MOST_PLIES, _MOST_PLIES, "longest game"),
    ):
        command.add_argument(
            name, type=number(most), default=default, metavar="N", help=f"{help}; {default} unless"
            " given",
        )  # fmt: skip
    command.add_argument(
        "--opening",
        type=number(_MOST_PLIES),
        metavar="PLIES",
        help="random plies before the players begin, as few as they need unless given",
    )
    add_workers(command, number)
    command.add_argument("--report", metavar="FILE", help="write a page with tables and pictures")
    _add_diff(add, spec, number)


def _add_diff(add: Callable[..., argparse.ArgumentParser], spec: str, number: _Number) -> None:
    command = add("diff", "say in English what differs between two specs, then in numbers")
    command.add_argument("spec", metavar="A", help=spec)
    command.add_argument("other", metavar="B", nargs="?", help="the same as A unless given")
    for side in ("a", "b"):
        command.add_argument(
            f"--set-{side}", action="append", default=[], metavar="NAME=VALUE",
            help=f"as --set, for {side.upper()} alone",
        )  # fmt: skip
        command.add_argument(
            f"--with-{side}", action="append", default=[], metavar="NAME[=VALUE]",
            help=f"as --with, for {side.upper()} alone",
        )  # fmt: skip
    command.add_argument(
        "--games", type=number(10**6), default=200, metavar="N",
        help="random games that are compared, 200 unless given",
    )  # fmt: skip
    command.add_argument("--seed", type=number(2**64 - 1), default=0, help="0 unless given")
