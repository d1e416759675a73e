"""Parsing of the command line; a mistake is a UsageError of one line."""

import argparse
from functools import partial
from importlib import import_module
from itertools import groupby
from typing import Any, NoReturn

from rulesengine import __version__
from rulesengine.cli.commands import COMMANDS
from rulesengine.cli.shared_options import Options, Parser
from rulesengine.errors import UsageError

_HELP_HINT = "`rulesengine --help` lists them"


class HelpPrinted(Exception):
    """The arguments request help or the version, which has been printed."""


def read_arguments(words: list[str]) -> Options:
    """Parse the arguments of the program; the result has the attribute `command`.

    Raises UsageError, and HelpPrinted without words and after `help`, `--help` and
    `--version`.
    """
    if not words:
        words = ["--help"]
    if words[0] == "help":
        words = [*words[1:], "--help"]
    return _program_parser().parse_args(words)


def command_parsers() -> dict[str, Parser]:
    """Return the parsers of all commands by name, each with the summary as its description."""
    return {name: _command_parser(name) for name in COMMANDS}


# A fixed width: querying the terminal takes 3 ms at each start, not only for help.
_Formatter = partial(argparse.HelpFormatter, width=80)


class _Parser(argparse.ArgumentParser):
    def __init__(self, prog: str, **keywords: Any) -> None:
        own: dict[str, Any] = {"formatter_class": _Formatter, "allow_abbrev": False}
        super().__init__(prog, **own, **keywords)
        self._used: set[argparse.Action] = set()

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Convert the words of an argument; refuse empty words and a second use of an option."""
        if action in self._used:
            raise argparse.ArgumentError(action, "given twice")
        if action.option_strings and not isinstance(action, argparse._AppendAction):
            self._used.add(action)
        values = super()._get_values(action, arg_strings)
        if "" in arg_strings and action.nargs != argparse.PARSER:
            raise argparse.ArgumentError(action, "expected a text, found an empty one")
        return values

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}: `{self.prog} --help` lists the options")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise HelpPrinted


class _ProgramParser(_Parser):
    """The parser of the whole program; its help lists the commands in groups."""

    def format_help(self) -> str:
        """Format the usage, the commands by group, and the options."""
        formatter = self._get_formatter()
        formatter.add_usage("%(prog)s [-h] [-V] [--debug] COMMAND ...", self._actions, ())
        formatter.add_text(self.description)
        rows = {
            name: argparse.Action((), name, metavar=name, help=summary)
            for name, (_, summary) in COMMANDS.items()
        }
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


class _CommandAction(argparse.Action):
    """Parses the remaining words by the parser of a command, which is imported here."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: Options,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Parse the command and its options."""
        name, *words = values
        if name not in COMMANDS:
            from rulesengine.support.diagnostic import did_you_mean

            hint = did_you_mean(name, list(COMMANDS)) or _HELP_HINT
            raise UsageError(f"no command `{name[:40]}`: {hint}")
        namespace.command = name
        _command_parser(name).parse_args(words, namespace)


def _program_parser() -> _ProgramParser:
    parser = _ProgramParser(
        "rulesengine",
        description="Board games from their specs.",
        epilog="`rulesengine help COMMAND` lists the options of a command.",
    )
    version = f"rulesengine {__version__}"
    parser.add_argument("-V", "--version", action="version", version=version)
    _add_debug(parser)
    parser.add_argument("command", metavar="COMMAND", nargs=argparse.PARSER, action=_CommandAction)
    return parser


def _command_parser(name: str) -> Parser:
    """Build the parser of a command from its module."""
    _, summary = COMMANDS[name]
    parser = _Parser(f"rulesengine {name}", description=summary)
    _add_debug(parser)
    import_module(f"rulesengine.cli.{name}").add_options(parser)
    return parser


def _add_debug(parser: Parser) -> None:
    parser.add_argument(
        "--debug",
        action="store_true",
        default=argparse.SUPPRESS,
        help="show the traceback of a bug in rulesengine",
    )
