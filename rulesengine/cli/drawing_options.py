"""The options of `draw`, apart from what carries them out."""

import argparse
from collections.abc import Callable


def add_drawing(
    add: Callable[..., argparse.ArgumentParser],
    spec: str,
    number: Callable[[int], Callable[[str], int]],
) -> None:
    """The options of the command; `spec` says what a spec may be, `number` reads one."""
    command = add("draw", "draw a position as SVG or PNG", json=False)
    command.add_argument("spec", metavar="SPEC", help=spec)
    command.add_argument(
        "--position",
        metavar="FILE",
        help="a position, or a saved game: its end and last move; - is standard input",
    )
    command.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="a file that ends in .svg or .png, written anew; else SVG on standard output",
    )
    command.add_argument("--last", metavar="MOVE", help="make this move, and mark it")
    command.add_argument("--legal", action="store_true", help="mark where a move may begin")
    command.add_argument(
        "--heat", metavar="FILE", help="a JSON object of cells and numbers to show on them"
    )
    command.add_argument(
        "--arrow", metavar="CELL-CELL", action="append", default=[], help="may be repeated"
    )
    command.add_argument(
        "--theme",
        choices=("auto", "light", "dark"),
        default="auto",
        help="auto (the default) is what the reader's system prefers; a PNG is light",
    )
    command.add_argument("--size", metavar="PIXELS", type=number(4096), help="how wide")
    command.add_argument(
        "--no-coordinates", action="store_true", help="leave out the names of rows and columns"
    )
