"""The options of `selfplay`, apart from what carries it out."""

import argparse
from collections.abc import Callable

_Number = Callable[[int], Callable[[str], int]]
_MOST_GAMES, _MOST_PLAYOUTS, _MOST_WORKERS = 10**9, 10**6, 1024


def add_selfplay(add: Callable[..., argparse.ArgumentParser], spec: str, number: _Number) -> None:
    command = add("selfplay", "write random games as data to learn from, and go on where stopped")
    command.add_argument("spec", metavar="SPEC", help=spec)
    command.add_argument("--out", metavar="DIR", required=True, help="where the parts are kept")
    for name, most, default, help in (
        ("--games", _MOST_GAMES, 1000, "how many"),
        ("--part", _MOST_GAMES, 1024, "of one file"),
        ("--playouts", _MOST_PLAYOUTS, 0, "random games that tell the value of each position"),
        ("--seed", 2**64 - 1, 0, "of all that is drawn"),
    ):
        command.add_argument(
            name, type=number(most), default=default, metavar="N", help=f"{help}; {default} unless"
            " given",
        )  # fmt: skip
    command.add_argument(
        "--format",
        default="npz",
        choices=("npz", "parquet"),
        help="NumPy's (the default) or Parquet; the second one needs the extra `data`",
    )
    command.add_argument(
        "--workers", type=number(_MOST_WORKERS), default=1, metavar="N", help="processes that play"
    )
