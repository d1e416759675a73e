"""The options of `search` and `solve`, apart from what carries them out, which costs time."""

import argparse
from collections.abc import Callable

from rulesengine.cli.engine_options import minutes, seconds
from rulesengine.cli.telling_options import add_position

_Number = Callable[[int], Callable[[str], int]]
_MOST_NODES, _MOST_MEMORY, _MOST_THREADS = 2**62, 2**20, 256


def add_search(add: Callable[..., argparse.ArgumentParser], spec: str, number: _Number) -> None:
    """The options of both commands; `spec` says what a spec may be."""
    command = add("search", "look for the best move of a position")
    command.add_argument("spec", metavar="SPEC", help=spec)
    add_position(command)
    _limits(command, number)
    command.add_argument("--plies", type=number(127), metavar="N", help="look so far ahead")
    command.add_argument("--playouts", type=number(_MOST_NODES), metavar="N", help="random games")
    command.add_argument(
        "--method",
        default="auto",
        metavar="NAME",
        help="auto (the default), alpha-beta, or mcts, which plays random games: uct, grave",
    )
    command.add_argument("--seed", type=number(2**64 - 1), default=0, help="0 unless given")
    command.add_argument(
        "--learned",
        nargs="?",
        const="",
        metavar="FILE",
        help="estimate by what `learn` has written to a file, or by the bundled one",
    )
    command = add("solve", "find the exact value of a position, and how both sides go on")
    command.add_argument("spec", metavar="SPEC", help=spec)
    add_position(command)
    _limits(command, number)
    command.add_argument(
        "--resume", metavar="FILE", help="keep what is found in a file, and go on from there"
    )
    command.add_argument("--certificate", metavar="FILE", help="write a proof of the value")
    command.add_argument(
        "--verify", metavar="FILE", help="look at such a proof, by the rules alone"
    )


def add_learn(add: Callable[..., argparse.ArgumentParser], spec: str, number: _Number) -> None:
    """The options of `learn`."""
    command = add("learn", "learn what positions are worth, from games against itself")
    command.add_argument("spec", metavar="SPEC", help=spec)
    command.add_argument("--minutes", type=minutes, metavar="M", help="so long")
    command.add_argument(
        "--games", type=number(_MOST_NODES), metavar="N", help="so many games (whatever ends first)"
    )
    command.add_argument(
        "--out", metavar="FILE", required=True, help="where it is kept, and goes on if it is there"
    )
    command.add_argument("--seed", type=number(2**64 - 1), metavar="N", help="0 unless given")
    command.add_argument(
        "--brief", metavar="FILE", help="write what is needed to play by it, in a small file"
    )


def add_studies(add: Callable[..., argparse.ArgumentParser], spec: str, number: _Number) -> None:
    """The options of `annotate` and `puzzles`."""
    command = add("annotate", "say of each move of a saved game what it was worth", game=False)
    command.add_argument("file", metavar="FILE", help="a file that `save` has written")
    command.add_argument("--spec", metavar="SPEC", help=spec + "; else the file names it")
    _each(command, number, 20_000)
    command.set_defaults(set=[], transforms=[], engine="auto")
    command = add("puzzles", "find positions with one winning move, in random games")
    command.add_argument("spec", metavar="SPEC", help=spec)
    command.add_argument(
        "--count", type=number(10_000), default=1, metavar="N", help="1 unless given"
    )
    command.add_argument("--seed", type=number(2**64 - 1), default=0, help="0 unless given")
    command.add_argument(
        "--shortest",
        type=number(127),
        default=3,
        metavar="N",
        help="plies of a win, 3 unless given",
    )
    _each(command, number, 20_000)


def _each(command: argparse.ArgumentParser, number: _Number, nodes: int) -> None:
    command.add_argument(
        "--nodes",
        type=number(_MOST_NODES),
        default=nodes,
        metavar="N",
        help=f"positions looked at for each, {nodes} unless given",
    )


def _limits(command: argparse.ArgumentParser, number: _Number) -> None:
    command.add_argument("--seconds", type=seconds, metavar="S", help="so long at most")
    command.add_argument(
        "--nodes", type=number(_MOST_NODES), metavar="N", help="so many positions at most"
    )
    command.add_argument(
        "--memory",
        type=number(_MOST_MEMORY),
        metavar="MB",
        help="megabytes for the table of positions (64 unless given)",
    )
    command.add_argument(
        "--threads",
        type=number(_MOST_THREADS),
        default=1,
        metavar="N",
        help="threads that search, by native code (1 unless given)",
    )
