"""`completion`: a shell script that completes commands, options and their values.

The script is generated from the parsers and contains all words, so a completion does not start
Python.
"""

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from shlex import quote

from rulesengine.cli.arguments import command_parsers
from rulesengine.cli.output import result
from rulesengine.cli.shared_options import Options, Parser
from rulesengine.support.resources import bundled_names

SHELLS = ("bash", "fish", "zsh")
_TOP = ("help", "--help", "--version")
_SPECS = ("SPEC", "GAME")  # the metavars of a bundled name or a file


@dataclass(frozen=True, slots=True)
class _Argument:
    """An option, or an operand with an empty `word`; `values` are its completions."""

    word: str
    summary: str
    takes_value: bool
    values: tuple[str, ...]
    is_spec: bool


@dataclass(frozen=True, slots=True)
class _Command:
    name: str
    summary: str
    arguments: tuple[_Argument, ...]

    @property
    def options(self) -> tuple[_Argument, ...]:
        return tuple(one for one in self.arguments if one.word)

    @property
    def operands(self) -> tuple[_Argument, ...]:
        return tuple(one for one in self.arguments if not one.word)


def add_options(command: Parser) -> None:
    """Add the operand of the command."""
    command.add_argument("shell", choices=SHELLS, help="shell that will run the script")


def execute(options: Options) -> int:
    """Print the script of a shell."""
    commands = tuple(_command(name, parser) for name, parser in command_parsers().items())
    lines = {"bash": _bash, "fish": _fish, "zsh": _zsh}[options.shell](commands)
    result("\n".join(lines))
    return 0


def _command(name: str, parser: argparse.ArgumentParser) -> _Command:
    shown = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    return _Command(name, parser.description or "", tuple(map(_argument, shown)))


def _argument(action: argparse.Action) -> _Argument:
    word = next((word for word in action.option_strings if word.startswith("--")), "")
    choices = _engines() if action.dest == "engine" else tuple(map(str, action.choices or ()))
    is_spec = action.metavar in _SPECS
    return _Argument(word, action.help or "", action.nargs != 0, choices, is_spec)


def _engines() -> tuple[str, ...]:
    from rulesengine.tools.doctor import SLOWEST_FIRST

    return ("auto", *reversed(SLOWEST_FIRST))


def _bash(commands: Iterable[_Command]) -> list[str]:
    """Return a function that is called with the program, the current word and the previous word."""
    commands = tuple(commands)
    names = " ".join(one.name for one in commands)
    return [
        "# rulesengine in bash; in ~/.bashrc: source <(rulesengine completion bash)",
        "_rulesengine() {",
        f"  local offered= specs={quote(' '.join(bundled_names()))}",
        '  if [ "$COMP_CWORD" = 1 ]; then',
        f"    offered='{names} {' '.join(_TOP)}'",
        '  else case "${COMP_WORDS[1]} $3 $2" in',
        f"    'help '*) offered='{names}' ;;",
        *(line for one in commands for line in _bash_cases(one)),
        "  esac; fi",
        '  COMPREPLY=($(compgen -W "$offered" -- "$2"))',
        '  if [ "$offered" = "$specs" ]; then',
        """    COMPREPLY+=($(compgen -f -X '!*.yaml' -- "$2"))""",
        "  fi",
        "}",
        "complete -o default -F _rulesengine rulesengine",
    ]


def _bash_cases(command: _Command) -> list[str]:
    """Return cases of command, previous and current word: values, options, operands."""
    name = command.name
    valued = [one for one in command.options if one.takes_value]
    return [
        *(f"    '{name} {one.word} '*) offered={_offered([one])} ;;" for one in valued),
        f"    '{name} '*' -'*) offered='{' '.join(one.word for one in command.options)}' ;;",
        f"    '{name} '*) offered={_offered(command.operands)} ;;",
    ]


def _offered(arguments: Iterable[_Argument]) -> str:
    """Return the words for some arguments, or the variable with the names of specs."""
    arguments = tuple(arguments)
    words = " ".join(word for one in arguments for word in one.values)
    return '"$specs"' if any(one.is_spec for one in arguments) else f"'{words}'"


def _zsh(commands: Iterable[_Command]) -> list[str]:
    """Return the same function, run by the bash compatibility of zsh."""
    _, *lines = _bash(commands)
    return [
        "# rulesengine in zsh; in ~/.zshrc: source <(rulesengine completion zsh)",
        "(( $+functions[compdef] )) || { autoload -U compinit && compinit }",
        "autoload -U bashcompinit && bashcompinit",
        *lines,
    ]


def _fish(commands: Iterable[_Command]) -> list[str]:
    """Return a line for each word, offered after its command."""
    commands = tuple(commands)
    start = "complete -c rulesengine"
    lines = [
        "# rulesengine in fish; in config.fish: rulesengine completion fish | source",
        f"{start} -n __fish_use_subcommand -l help -l version",
        f"{start} -f -n __fish_use_subcommand -a help -d 'list the options of a command'",
    ]
    for one in commands:
        condition = f"{start} -n '__fish_seen_subcommand_from {one.name}'"
        lines.append(f"{start} -f -n __fish_use_subcommand -a {one.name} -d {quote(one.summary)}")
        lines += [f"{condition} {words}" for words in map(_fish_words, one.arguments) if words]
    names = " ".join(one.name for one in commands)
    return [*lines, f"{start} -f -n '__fish_seen_subcommand_from help' -a '{names}'"]


def _fish_words(argument: _Argument) -> str:
    """Return an option with its summary, and its values."""
    words = bundled_names() if argument.is_spec else argument.values
    parts = [f"-a {quote(' '.join(words))}"] if words else []
    if argument.word:
        parts += [f"-l {argument.word[2:]}", f"-d {quote(argument.summary)}"]
        parts += ["-r"] if argument.takes_value else []
    return " ".join(parts)
