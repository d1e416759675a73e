"""The options of `serve`, apart from what carries it out, which costs time."""

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
