"""The options of `new`, `fmt` and `watch`, apart from what carries them out, which costs time."""

import argparse
from collections.abc import Callable


def add_authoring(add: Callable[..., argparse.ArgumentParser]) -> None:
    """The options of the three commands."""
    command = add("new", "begin a spec: a file with a test that passes", json=False, game=False)
    command.add_argument("name", metavar="NAME", help="of the file, without `.yaml`")
    command.add_argument(
        "--from",
        dest="parent",
        metavar="GAME",
        help="build on a bundled game, or on a file of the same folder, which it extends",
    )
    command = add("fmt", "write specs in the one layout", json=False, game=False)
    command.add_argument(
        "files", metavar="FILE", nargs="+", help="a path; - is standard input, printed in layout"
    )
    command.add_argument(
        "--check", action="store_true", help="change nothing, list the files that would change"
    )
    command = add("watch", "check and test a spec whenever it is saved", json=False, game=False)
    command.add_argument("file", metavar="FILE", help="a path; Ctrl-C ends")
