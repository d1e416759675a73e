"""Options that are given twice and texts that are empty are refused, for every command."""

import argparse

import pytest

from rulesengine.cli.arguments import command_parsers, read_arguments
from rulesengine.errors import UsageError
from tests.helpers.cli_calls import call

PARSERS = command_parsers()
REPEATED = {"--set", "--with", "--player", "--set-a", "--with-a", "--set-b", "--with-b"}
REPEATED |= {"--arrow", "--cmd", "--root-move"}


def options(command: str) -> dict[str, argparse.Action]:
    """Return the options of a command by their longest name, without `--help`."""
    actions = [action for action in PARSERS[command]._actions if action.option_strings]
    return {action.option_strings[-1]: action for action in actions if action.dest != "help"}


def use(word: str, action: argparse.Action) -> list[str]:
    """Return an option with a value that its parser accepts."""
    value = next(iter(action.choices or ("auto" if word == "--engine" else "1",)))
    return [word, *[value] * (action.nargs if isinstance(action.nargs, int) else 1)]


@pytest.mark.parametrize("command", PARSERS)
def test_an_option_given_twice_is_refused_unless_it_may_be_repeated(command: str) -> None:
    for word, action in options(command).items():
        if word in REPEATED:
            continue
        for first in action.option_strings:
            with pytest.raises(UsageError) as caught:
                read_arguments([command, *use(first, action), *use(word, action)])
            named = "/".join(action.option_strings)
            hint = f"`rulesengine {command} --help` lists the options"
            assert str(caught.value) == f"argument {named}: given twice: {hint}"


def test_wrong_use_is_exit_code_2() -> None:
    done = call("search", "tic-tac-toe", "--nodes", "5", "--nodes", "6")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("rulesengine: argument --nodes: given twice:")


def test_an_option_that_may_be_repeated_takes_all_values() -> None:
    done = call("perft", "mnk", "2", "--set", "m=4", "--set", "n=5", "--set", "k=3")
    assert (done.code, done.out, done.err) == (0, "380\n", "")  # 20 cells, then 19
    done = call("perft", "tic-tac-toe", "1", "--with", "misere", "--with", "size=4")
    assert (done.code, done.out, done.err) == (0, "16\n", "")


@pytest.mark.parametrize("command", PARSERS)
def test_an_empty_text_is_refused(command: str) -> None:
    texts = [
        use(word, action)[:1] + [""] * len(use(word, action)[1:])
        for word, action in options(command).items()
        if action.nargs != 0 and not action.choices and not action.type
    ]
    for words in texts:
        with pytest.raises(UsageError, match=f"{words[0]}: expected a text, found an empty one:"):
            read_arguments([command, *words])


def test_an_empty_operand_is_refused() -> None:
    for words in (("check", ""), ("diff", "tic-tac-toe", ""), ("list", "a", ""), ("why", "a", "")):
        done = call(*words)
        assert (done.code, done.out) == (2, "")
        assert "expected a text, found an empty one" in done.err
    assert call("").err == "rulesengine: no command ``: `rulesengine --help` lists them\n"
