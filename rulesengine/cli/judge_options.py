"""The options of `judge`, apart from what carries it out, which costs time."""

import argparse
from collections.abc import Callable

from rulesengine.cli.engine_options import seconds

_MOST_CASES, _MOST_MEMORY = 10_000, 2**20
_GAMES = 10


def add_judge(
    add: Callable[..., argparse.ArgumentParser],
    spec: str,
    number: Callable[[int], Callable[[str], int]],
) -> None:
    """The options of the command; `spec` says what a spec may be, `number` reads a number."""
    command = add("judge", "run programs on cases, and compare what they print with the spec")
    command.add_argument("spec", metavar="SPEC", help=spec)
    command.add_argument(
        "--cases", metavar="DIR", help="a folder of cases, NAME.in and maybe NAME.ans"
    )
    command.add_argument(
        "--cmd",
        action="append",
        default=[],
        metavar="COMMAND",
        help="a program, in words as for a shell (may be repeated)",
    )
    command.add_argument(
        "--programs", metavar="DIR", help="a folder of programs: executable, .py, .c, .cc, .cpp"
    )
    command.add_argument(
        "--generate",
        type=number(_MOST_CASES),
        default=0,
        metavar="N",
        help="make N cases by random games through the spec's `io`",
    )
    command.add_argument("--seed", type=number(2**64 - 1), default=0, help="0 unless given")
    command.add_argument(
        "--against", metavar="PLAYER", help="let programs play games against one, instead of cases"
    )
    command.add_argument(
        "--games", type=number(_MOST_CASES), default=_GAMES, metavar="N",
        help=f"games of each program, from each seat in turn; {_GAMES} unless given",
    )  # fmt: skip
    command.add_argument("--write", metavar="DIR", help="write all cases with their answers")
    command.add_argument(
        "--package",
        metavar="DIR",
        help="write a problem package as Kattis and DOMjudge take it; NAME.zip packs it",
    )
    command.add_argument(
        "--seconds", type=seconds, default=2.0, metavar="S", help="of the processor; 2 unless given"
    )
    command.add_argument(
        "--memory",
        type=number(_MOST_MEMORY),
        default=256,
        metavar="MB",
        help="megabytes; 256 unless given",
    )
    command.add_argument(
        "--jobs", type=number(256), default=1, metavar="N", help="so many programs at a time"
    )
    command.add_argument("--junit", metavar="FILE", help="write the verdicts as JUnit's XML")
