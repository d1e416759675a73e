"""The options of `serve` and `export`, apart from what carries them out, which costs time."""

import argparse
from collections.abc import Callable


def add_serving(
    add: Callable[..., argparse.ArgumentParser], number: Callable[[int], Callable[[str], int]]
) -> None:
    """The options of the command; `number` reads one."""
    command = add("serve", "serve a page to play, edit and look at games", json=False, game=False)
    command.add_argument(
        "--host", default="127.0.0.1", help="the address to listen at; this machine unless given"
    )
    command.add_argument(
        "--port", type=number(65_535), default=8000, help="8000 unless given; 0 is any free one"
    )


def add_export(add: Callable[..., argparse.ArgumentParser], spec: str) -> None:
    """The options of `export`; `spec` says what a spec may be."""
    command = add("export", "write a game as one file to play, without a server", json=False)
    command.add_argument("spec", metavar="SPEC", help=spec)
    command.add_argument(
        "--to", choices=("html",), default="html", help="html (the default): a page for any browser"
    )
    command.add_argument(
        "-o", "--output", metavar="FILE", help="a file, written anew; else standard output"
    )
