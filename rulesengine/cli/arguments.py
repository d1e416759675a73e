"""Words of the command line to options; a mistake is a UsageError of one line."""

import argparse
from collections.abc import Callable
from typing import NoReturn

from rulesengine.cli.play_options import add_play
from rulesengine.errors import UsageError
from rulesengine.limits import MAX_PLIES

Options = argparse.Namespace
_Add = Callable[..., argparse.ArgumentParser]

_SPEC = "a bundled name, or a path: a text with a `/` or ending in `.yaml`"
_STAGES = ("document", "resolved", "syntax", "program")


class Finished(Exception):
    """The arguments asked for help, which has been printed."""


def read_arguments(words: list[str]) -> Options:
    """The options, `command` among them; raises UsageError, and Finished after `--help`."""
    return _parser().parse_args(words)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}: `{self.prog} --help` shows what there is")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise Finished


def _parser() -> argparse.ArgumentParser:
    parser = _Parser("rulesengine", description="Board games from their specs.", allow_abbrev=False)
    _debug(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def add(name: str, help: str, *, json: bool = True, game: bool = True) -> _Parser:
        command: _Parser = commands.add_parser(name, help=help, allow_abbrev=False)
        _debug(command)
        if json:
            command.add_argument("--json", action="store_true", help="print one JSON object")
        if game:
            _game(command)
        return command

    _add_run(add)
    _add_check(add)
    _add_test(add)
    _add_perft(add)
    _add_playout(add)
    add("list", "print the bundled specs", game=False)
    _add_show(add)
    add_play(add, _SPEC, _number(2**64 - 1))
    return parser


def _debug(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--debug",
        action="store_true",
        default=argparse.SUPPRESS,
        help="show the traceback of a bug in rulesengine",
    )


def _game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a parameter of the spec (may be repeated)",
    )
    parser.add_argument("--engine", default="auto", help="auto (the default) or interpreter")


def _add_run(add: _Add) -> None:
    command = add("run", "read standard input and print as the spec's `io` says", json=False)
    command.add_argument("spec", metavar="SPEC", help=_SPEC)


def _add_check(add: _Add) -> None:
    command = add("check", "print every mistake of the specs, with its place", game=False)
    command.add_argument("specs", metavar="SPEC", nargs="+", help=_SPEC + "; - is standard input")


def _add_test(add: _Add) -> None:
    command = add("test", "run the tests inside the specs")
    command.add_argument("specs", metavar="SPEC", nargs="*", help=_SPEC)
    command.add_argument("--all", action="store_true", help="test every bundled spec")


def _add_perft(add: _Add) -> None:
    command = add("perft", "count the sequences of exactly DEPTH moves")
    command.add_argument("spec", metavar="SPEC", help=_SPEC)
    command.add_argument("depth", metavar="DEPTH", type=_number(MAX_PLIES))
    command.add_argument("--divide", action="store_true", help="count for each first move")
    command.add_argument(
        "--ended", choices=("drop", "keep"), default="drop", help="whether a game over counts"
    )
    command.add_argument(
        "--passes", choices=("ply", "free"), default="ply", help="whether a pass takes a ply"
    )


def _add_playout(add: _Add) -> None:
    command = add("playout", "play COUNT random games")
    command.add_argument("spec", metavar="SPEC", help=_SPEC)
    command.add_argument("count", metavar="COUNT", type=_number(2**63 - 1))
    command.add_argument("--seed", type=_number(2**64 - 1), default=0, help="0 unless given")


def _add_show(add: _Add) -> None:
    command = add("show", "print the spec as a stage of the pipeline sees it")
    command.add_argument("spec", metavar="SPEC", help=_SPEC + "; - is standard input")
    command.add_argument("--stage", choices=_STAGES, required=True, help="which stage")


def _number(most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        digits = text.lstrip("0") or text[-1:]
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 20):
            raise argparse.ArgumentTypeError(f"expected a number, found `{text[:40]}`")
        if int(digits) > most:
            raise argparse.ArgumentTypeError(f"at most {most}, found {digits}")
        return int(digits)

    return read
