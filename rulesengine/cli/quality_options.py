"""The options of `coverage`, `mutate` and `lsp`, apart from what carries them out."""

import argparse
from collections.abc import Callable

_Number = Callable[[int], Callable[[str], int]]


def add_quality(add: Callable[..., argparse.ArgumentParser], spec: str, number: _Number) -> None:
    """The options of the three commands; `spec` says what a spec may be."""
    command = add("coverage", "show which clauses of the rules never held", game=False)
    _add_games(command, spec, number, "play N random games")
    command = add("mutate", "show changes to the rules that no test notices", game=False)
    _add_games(command, spec, number, "look for a difference in N random games too")
    add("lsp", "serve an editor on standard input and output", json=False, game=False)


def _add_games(command: argparse.ArgumentParser, spec: str, number: _Number, help: str) -> None:
    command.add_argument("spec", metavar="SPEC", help=spec + "; - is standard input")
    command.add_argument(
        "--games", type=number(100_000), default=20, metavar="N", help=f"{help} (20 unless given)"
    )
    command.add_argument("--seed", type=number(2**64 - 1), default=0, help="0 unless given")
