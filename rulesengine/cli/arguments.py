"""Words of the command line to options; a mistake is a UsageError of one line."""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby
from typing import Any, NoReturn

from rulesengine import __version__
from rulesengine.cli.authoring_options import add_authoring
from rulesengine.cli.commands import COMMANDS
from rulesengine.cli.contest_options import MOST_WORKERS, add_contests
from rulesengine.cli.counting_options import add_counting
from rulesengine.cli.drawing_options import add_drawing
from rulesengine.cli.engine_options import add_bench, add_doctor
from rulesengine.cli.judge_options import add_judge
from rulesengine.cli.play_options import add_play
from rulesengine.cli.quality_options import add_quality
from rulesengine.cli.search_options import add_learn, add_search, add_studies
from rulesengine.cli.selfplay_options import add_selfplay
from rulesengine.cli.serving_options import add_export, add_serving
from rulesengine.cli.study_options import add_comparing
from rulesengine.cli.telling_options import add_telling
from rulesengine.errors import UsageError

Options = argparse.Namespace
_Add = Callable[..., argparse.ArgumentParser]

_SPEC = "a bundled name, or a path: a text with a `/` or ending in `.yaml`"
SHELLS = ("bash", "fish", "zsh")
STAGES = ("document", "resolved", "syntax", "program", "optimised", "kernel", "cost")


class Finished(Exception):
    """The arguments asked for help, which has been printed."""


def read_arguments(words: list[str]) -> Options:
    """The options, `command` among them.

    Raises UsageError, and Finished after `help`, `--help` and `--version`.
    """
    if not words:
        raise UsageError("a COMMAND is missing: `rulesengine --help` lists them")
    if words[0] == "help":
        words = [*words[1:], "--help"]
    return _parser(words[0]).parse_args(words)


def every_parser() -> dict[str, argparse.ArgumentParser]:
    """The parsers of all commands by name; what a command does is the description of its parser."""
    actions = _parser("")._actions
    found = next(a.choices for a in actions if isinstance(a, argparse._SubParsersAction))
    return {name: found[name] for name in COMMANDS}


# A width of its own: to ask the terminal for it takes 3 ms, at each start and not only for help.
_Formatter = partial(argparse.HelpFormatter, width=80)


class _Parser(argparse.ArgumentParser):
    def __init__(self, prog: str, **keywords: Any) -> None:
        own: dict[str, Any] = {"formatter_class": _Formatter, "allow_abbrev": False}
        super().__init__(prog, **own, **keywords)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}: `{self.prog} --help` shows what there is")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """As argparse has it, but a command that there is not is told with one that is like it."""
        known = list(map(str, action.choices or ()))
        if action.dest == "command" and value not in known:
            from rulesengine.support.diagnostic import did_you_mean

            hint = did_you_mean(str(value), known) or "`rulesengine --help` shows what there is"
            raise UsageError(f"no command `{str(value)[:40]}`: {hint}")
        super()._check_value(action, value)

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise Finished


class _Commands(_Parser):
    """The parser of all commands; its help shows them in their groups."""

    def format_help(self) -> str:
        """The usage, the commands group by group, the options."""
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, ())
        formatter.add_text(self.description)
        rows = {row.metavar: row for a in self._actions for row in _rows(a)}
        sections = [
            (group, [rows[name] for name in names])
            for group, names in groupby(COMMANDS, key=lambda name: COMMANDS[name][0])
        ]
        options = [action for action in self._actions if action.option_strings]
        for title, actions in [*sections, ("options", options)]:
            formatter.start_section(title)
            formatter.add_arguments(actions)
            formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()


def _rows(action: argparse.Action) -> Iterator[argparse.Action]:
    """What argparse shows of the commands."""
    if isinstance(action, argparse._SubParsersAction):
        yield from action._get_subactions()


class _Unasked(_Parser):
    """In the place of a command that was not asked for: its options would take time."""

    def __init__(self) -> None:
        pass

    def add_argument(self, *args: Any, **keywords: Any) -> Any:
        """Add nothing."""

    def set_defaults(self, **keywords: Any) -> None:
        """Set nothing."""


def _parser(asked: str) -> argparse.ArgumentParser:
    """The parser of one command; of all of them if there is none of that name."""
    parser = _Commands(
        "rulesengine",
        description="Board games from their specs.",
        epilog="`rulesengine help COMMAND` shows what a command takes.",
    )
    version = f"rulesengine {__version__}"
    parser.add_argument("-V", "--version", action="version", version=version)
    _debug(parser)
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, parser_class=_Parser
    )

    def add(name: str, help: str, *, json: bool = True, game: bool = True) -> _Parser:
        if asked and name != asked:
            return _Unasked()
        command: _Parser = commands.add_parser(name, help=help, description=help)
        _debug(command)
        if json:
            command.add_argument("--json", action="store_true", help="print one JSON object")
        if game:
            _game(command)
        return command

    _add_run(add)
    _add_check(add)
    _add_test(add)
    add_counting(add, _SPEC, _number)
    add_search(add, _SPEC, _number)
    add_learn(add, _SPEC, _number)
    add_studies(add, _SPEC, _number)
    add_contests(add, _SPEC, _number)
    add_selfplay(add, _SPEC, _number)
    add_comparing(add, _SPEC, _number)
    add_bench(add, _SPEC)
    add_doctor(add, _SPEC)
    add("list", "print the bundled specs", game=False)
    _add_show(add)
    add("schema", "print the JSON Schema of specs, for editors", json=False, game=False)
    _add_explain(add)
    add_quality(add, _SPEC, _number)
    add_drawing(add, _SPEC, _number)
    add_telling(add, _SPEC)
    add_play(add, _SPEC, _number(2**64 - 1), _engine)
    add_serving(add, _number)
    add_export(add, _SPEC)
    add_judge(add, _SPEC, _number)
    add_authoring(add)
    _add_cache(add)
    _add_completion(add)
    return parser if commands.choices else _parser("")


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
    parser.add_argument(
        "--with",
        action="append",
        default=[],
        dest="transforms",
        metavar="NAME[=VALUE]",
        help="play a variant: misere, torus, pie, size=N or start=FILE (may be repeated)",
    )
    parser.add_argument(
        "--engine",
        type=_engine,
        default="auto",
        metavar="NAME",
        help="auto (the default), interpreter, python or native",
    )


def _add_run(add: _Add) -> None:
    command = add("run", "read standard input and print as the spec's `io` says", json=False)
    command.add_argument("spec", metavar="SPEC", help=_SPEC)
    seed = "of what chance does; 0 unless given"
    command.add_argument("--seed", type=_number(2**64 - 1), default=0, help=seed)


def _add_check(add: _Add) -> None:
    command = add(
        "check", "print every mistake of the specs, with its place", json=False, game=False
    )
    command.add_argument(
        "--format",
        choices=("text", "json", "github", "sarif"),
        default="text",
        help="text (the default), json, github (workflow commands) or sarif (2.1.0)",
    )
    command.add_argument(
        "--json", action="store_const", const="json", dest="format", help="the same as json"
    )
    command.add_argument("specs", metavar="SPEC", nargs="+", help=_SPEC + "; - is standard input")
    command.add_argument(
        "--fuzz",
        type=_number(1_000_000),
        default=0,
        metavar="N",
        help="play N random games of each spec, and show the shortest that goes wrong;"
        " 100 or more also tell what never comes about",
    )
    command.add_argument("--seed", type=_number(2**64 - 1), default=0, help="0 unless given")


def _add_test(add: _Add) -> None:
    command = add("test", "run the tests inside the specs")
    command.add_argument("specs", metavar="SPEC", nargs="*", help=_SPEC)
    command.add_argument("--all", action="store_true", help="test every bundled spec")
    command.add_argument(
        "--workers", type=_number(MOST_WORKERS), default=1, metavar="N", help="processes that test"
    )
    command.add_argument(
        "--update",
        action="store_true",
        help="write what was found into the tests that fail, and print what has changed",
    )


def _add_show(add: _Add) -> None:
    command = add("show", "print the spec as a stage of the pipeline sees it")
    command.add_argument("spec", metavar="SPEC", help=_SPEC + "; - is standard input")
    command.add_argument("--stage", choices=STAGES, help="which stage")
    command.add_argument(
        "--origin", action="store_true", help="`resolved` with the place of each value"
    )


def _add_cache(add: _Add) -> None:
    command = add("cache", "say what is kept from run to run, or remove it", game=False)
    command.add_argument("action", choices=("info", "clear"), help="which of the two")


def _add_completion(add: _Add) -> None:
    command = add("completion", "print a script that completes words in a shell",
                  json=False, game=False)  # fmt: skip
    command.add_argument("shell", choices=SHELLS, help="whose script")


def _add_explain(add: _Add) -> None:
    command = add("explain", "say what a word of the language or a code means", game=False)
    command.add_argument("word", metavar="WORD", nargs="+", help="such as `slide` or `unknown-key`")


def _engine(name: str) -> str:
    if name == "auto":  # what is asked for at each start
        return name
    from rulesengine.engine.dispatch import engine_named

    try:
        return engine_named(name)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _number(most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        digits = text.lstrip("0") or text[-1:]
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 20):
            wanted = f"a whole number from 0 to {most}"
            raise argparse.ArgumentTypeError(f"expected {wanted}, found `{text[:40]}`")
        if int(digits) > most:
            raise argparse.ArgumentTypeError(f"at most {most}, found {digits}")
        return int(digits)

    return read
