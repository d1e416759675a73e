"""Options and argument types that several commands share.

This module is imported at every start, so it imports nothing but argparse.
"""

import argparse
from collections.abc import Callable

from rulesengine.errors import UsageError

Parser = argparse.ArgumentParser
Options = argparse.Namespace

SPEC = "a bundled name, or a path: a text with a `/` or ending in `.yaml`"
# Examples of all kinds of players, for the help of commands.
PLAYERS = (
    "human, random, a strategy of the spec, search:level=3, search:nodes=1000, mcts:playouts=100,"
    " uct:LIMITS, grave:LIMITS, is-mcts:LIMITS, duct:LIMITS, learned:FILE, cmd:COMMAND,"
    " gtp:COMMAND, uci:COMMAND, ucci:COMMAND, usi:COMMAND or xboard:COMMAND"
)
SPEC_OR_STDIN = f"{SPEC}; - is standard input"
MOST_WORKERS, MOST_PLIES, MOST_NODES, MOST_SEED = 1024, 10_000, 2**62, 2**64 - 1
_MOST_MEMORY, _MOST_THREADS, _MOST_GAMES = 2**20, 256, 10**9


def add_json(command: Parser) -> None:
    """Add `--json`."""
    command.add_argument("--json", action="store_true", help="print one JSON object")


def add_game_options(command: Parser) -> None:
    """Add the options that select a variant and an engine."""
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a parameter of the spec (may be repeated)",
    )
    command.add_argument(
        "--with",
        action="append",
        default=[],
        dest="transforms",
        metavar="NAME[=VALUE]",
        help="play a variant: misere, torus, pie, size=N or start=FILE (may be repeated)",
    )
    command.add_argument(
        "--engine",
        type=engine_name,
        default="auto",
        metavar="NAME",
        help="auto (the default), interpreter, python or native",
    )


def add_spec(command: Parser, help: str = SPEC) -> None:
    """Add the operand SPEC."""
    command.add_argument("spec", metavar="SPEC", help=help)


def add_seed(command: Parser) -> None:
    """Add `--seed`, 0 by default."""
    command.add_argument(
        "--seed", type=whole_number(MOST_SEED), default=0, help="random seed, 0 unless given"
    )


def add_device(command: Parser) -> None:
    """Add `--device`, the CPU by default."""
    command.add_argument(
        "--device",
        default="cpu",
        metavar="NAME",
        help="use `cuda`, an NVIDIA GPU, or `auto`, a GPU if there is one (experimental)",
    )


def add_openings(command: Parser) -> None:
    """Add `--openings` and `--order`."""
    command.add_argument(
        "--openings",
        metavar="FILE",
        help="begin games at the openings of a file, such as EPD or PGN, from every seat",
    )
    command.add_argument(
        "--order",
        default="sequential",
        metavar="NAME",
        help="order of the openings: sequential (the default), or random by the seed",
    )


def add_game_number(command: Parser) -> None:
    """Add `--game`, the number of a game in a file with several."""
    command.add_argument(
        "--game",
        type=whole_number(_MOST_GAMES),
        metavar="N",
        help="the number of the game in a file with several",
    )


def add_position(command: Parser) -> None:
    """Add `--position`, the initial position by default, and `--game`."""
    command.add_argument(
        "--position",
        metavar="FILE",
        help="a position as text or in a file, or a game (its last position); - is standard input",
    )
    add_game_number(command)


def add_workers(command: Parser) -> None:
    """Add the options that distribute games over threads, processes or Dask."""
    command.add_argument(
        "--workers",
        type=whole_number(MOST_WORKERS),
        default=1,
        metavar="N",
        help="worker processes that play",
    )
    command.add_argument(
        "--threads",
        type=whole_number(MOST_WORKERS),
        default=1,
        metavar="N",
        help="threads that play",
    )
    command.add_argument(
        "--dask",
        nargs="?",
        const="",
        metavar="ADDRESS",
        help="play on a Dask scheduler, or on a local one with --workers processes",
    )


def add_search_limits(command: Parser) -> None:
    """Add the resource limits of a search."""
    command.add_argument("--seconds", type=seconds, metavar="S", help="time limit")
    command.add_argument(
        "--nodes", type=whole_number(MOST_NODES), metavar="N", help="limit of positions"
    )
    command.add_argument(
        "--memory",
        type=whole_number(_MOST_MEMORY),
        metavar="MB",
        help="megabytes of the transposition table (64 unless given)",
    )
    command.add_argument(
        "--threads",
        type=whole_number(_MOST_THREADS),
        default=1,
        metavar="N",
        help="search threads, native engine only (1 unless given)",
    )


def add_nodes(command: Parser, nodes: int) -> None:
    """Add `--nodes`, the search limit for each of several positions."""
    command.add_argument(
        "--nodes",
        type=whole_number(MOST_NODES),
        default=nodes,
        metavar="N",
        help=f"positions searched for each, {nodes} unless given",
    )


def engine_name(text: str) -> str:
    """Parse the name of an engine."""
    if text == "auto":  # the default needs no import
        return text
    from rulesengine.engine.dispatch import engine_named

    try:
        return engine_named(text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def whole_number(most: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from 0 to a maximum."""

    def read(text: str) -> int:
        digits = text.lstrip("0") or text[-1:]
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 20):
            form = f"a whole number from 0 to {most}"
            raise argparse.ArgumentTypeError(f"expected {form}, found `{text[:40]}`")
        if int(digits) > most:
            raise argparse.ArgumentTypeError(f"at most {most}, found {digits}")
        return int(digits)

    return read


def seconds(text: str) -> float:
    """Parse a positive number of seconds, at most an hour."""
    return _duration(text, "seconds", 3600)


def minutes(text: str) -> float:
    """Parse a positive number of minutes, at most a week."""
    return _duration(text, "minutes", 10_080)


def _duration(text: str, unit: str, most: int) -> float:
    integer, _, part = text.partition(".")
    digits = integer + part
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 9):
        raise argparse.ArgumentTypeError(f"expected a number of {unit}, found `{text[:40]}`")
    if not 0 < float(text) <= most:
        raise argparse.ArgumentTypeError(f"more than 0 and at most {most}, found {text}")
    return float(text)
