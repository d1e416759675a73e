"""The options of `play` and `replay`, apart from what carries them out, which costs time."""

import argparse
from collections.abc import Callable


def add_play(
    add: Callable[..., argparse.ArgumentParser],
    spec: str,
    number: Callable[[str], int],
    engine: Callable[[str], str],
) -> None:
    """The options of both commands.

    `spec` says what a spec may be, `number` reads a seed, `engine` the name of an engine.
    """
    command = add("play", "play a game at the terminal", json=False)
    command.add_argument("spec", metavar="SPEC", help=spec)
    command.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="NAME=PLAYER",
        help="human, random, a strategy of the spec, search:seconds=1, mcts:playouts=1000,"
        " learned:FILE,seconds=1, cmd:COMMAND, gtp:COMMAND or uci:COMMAND plays for NAME"
        " (may be repeated)",
    )
    seed = (
        "of random players and of chance; unless given another each time if there is chance, or 0"
    )
    command.add_argument("--seed", type=number, help=seed)
    command.add_argument("--load", metavar="FILE", help="go on from a saved game or a position")
    command = add("replay", "check a saved game and print its end", game=False)
    command.add_argument("file", metavar="FILE", help="a file that `save` has written")
    command.add_argument("--spec", metavar="SPEC", help=spec + "; else the file names it")
    command.add_argument(
        "--strict", action="store_true", help="exit with 1 too where the rules have changed"
    )
    command.add_argument("--engine", type=engine, default="auto", help=argparse.SUPPRESS)
    command.set_defaults(set=[], transforms=[])
