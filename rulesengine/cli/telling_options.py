"""The options of `rules`, `why` and `trace`, apart from what carries them out."""

import argparse
from collections.abc import Callable


def add_telling(add: Callable[..., argparse.ArgumentParser], spec: str) -> None:
    """The options of the three commands; `spec` says what a spec may be."""
    command = add("rules", "print the rules in plain English, made from the program")
    command.add_argument("spec", metavar="SPEC", help=spec)
    command.add_argument(
        "--format",
        choices=("text", "markdown", "html"),
        default="text",
        help="text (the default), markdown or html, which prints as a sheet with the board",
    )
    command.add_argument(
        "--output",
        metavar="FILE",
        help="write to a new file; of markdown the picture lies beside it, as .svg",
    )
    command = add("why", "say which rule makes a move illegal, or what a legal one captures")
    _position(command, spec)
    command = add("trace", "show what a move does, effect by effect")
    _position(command, spec)


def _position(command: argparse.ArgumentParser, spec: str) -> None:
    command.add_argument("spec", metavar="SPEC", help=spec)
    command.add_argument("move", metavar="MOVE", help="in the game's notation")
    add_position(command)


def add_position(command: argparse.ArgumentParser) -> None:
    """The option that says where a command begins, if not at the start."""
    command.add_argument(
        "--position", metavar="FILE", help="the board, mover and registers; - is standard input"
    )
