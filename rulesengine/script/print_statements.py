"""Script statements that print."""

from typing import Any

from rulesengine.errors import InputError
from rulesengine.language.ir.rules import Statement
from rulesengine.script.play_statements import is_pass
from rulesengine.script.runtime import ScriptState


def print_text(stage: ScriptState, statement: Statement) -> None:
    stage.write(stage.text(statement.operands[0]) + "\n")


def prompt(stage: ScriptState, statement: Statement) -> None:
    stage.write(stage.text(statement.operands[0]))


def fail(stage: ScriptState, statement: Statement) -> None:
    raise InputError(stage.text(statement.operands[0]))


def print_board(stage: ScriptState, statement: Statement) -> None:
    stage.write(stage.view.board(stage.state) + "\n")


def print_moves(stage: ScriptState, statement: Statement) -> None:
    _print_joined(stage, _moves(stage, statement), statement, "\n")


def prompt_moves(stage: ScriptState, statement: Statement) -> None:
    _print_joined(stage, _moves(stage, statement), statement, "")


def print_each(stage: ScriptState, statement: Statement) -> None:
    _print_joined(stage, _members(stage, statement), statement, "\n")


def prompt_each(stage: ScriptState, statement: Statement) -> None:
    _print_joined(stage, _members(stage, statement), statement, "")


def _moves(stage: ScriptState, statement: Statement) -> list[str]:
    """Return the texts of the legal moves, passes excepted."""
    *conditions, template = _prepared_parts(stage, statement.operands[:-1], "from", "to", "move")
    texts: list[tuple[Any, ...]] = []
    with stage.local("move"):
        for move in stage.game.legal_moves(stage.state):
            if not is_pass(move):
                stage.variables["move"] = move.text
                texts.append(
                    ([stage.value(k, move) for k in conditions], stage.text(template, move))
                )
    return _in_order(texts)


def _members(stage: ScriptState, statement: Statement) -> list[str]:
    """Return the texts of the values of a domain."""
    name, kind = statement.words
    values, texts = stage.members(kind, statement.operands[0]), []
    *conditions, template = _prepared_parts(stage, statement.operands[1:-1], name)
    with stage.local(name):
        for value in values:
            stage.variables[name] = value
            texts.append(([stage.value(key) for key in conditions], stage.text(template)))
    return _in_order(texts)


def _prepared_parts(stage: ScriptState, parts: tuple[Any, ...], *names: str) -> list[Any]:
    return [stage.prepare(part, *names) for part in parts]


def _in_order(texts: list[tuple[Any, ...]]) -> list[str]:
    """Return the texts sorted by their keys; the sort is stable."""
    return [text for _, text in sorted(texts, key=lambda pair: pair[0])]


def _print_joined(stage: ScriptState, texts: list[str], statement: Statement, end: str) -> None:
    separator = statement.operands[-1]
    if texts:
        between = stage.text(separator) if separator is not None else end
        stage.write(between.join(texts) + end)
