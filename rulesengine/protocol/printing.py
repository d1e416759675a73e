"""Statements that print."""

from typing import Any

from rulesengine.errors import InputError
from rulesengine.ir.rules import Statement
from rulesengine.protocol.playing import is_pass
from rulesengine.protocol.stage import Stage


def print_text(stage: Stage, statement: Statement) -> None:
    stage.write(stage.text(statement.operands[0]) + "\n")


def prompt(stage: Stage, statement: Statement) -> None:
    stage.write(stage.text(statement.operands[0]))


def fail(stage: Stage, statement: Statement) -> None:
    raise InputError(stage.text(statement.operands[0]))


def print_board(stage: Stage, statement: Statement) -> None:
    stage.write(stage.view.board(stage.state) + "\n")


def print_moves(stage: Stage, statement: Statement) -> None:
    template, separator = statement.operands
    template = stage.asked(template, "from", "to", "move")
    played, texts = stage.variables["move"], []
    for move in stage.game.legal_moves(stage.state):
        if not is_pass(move):
            stage.variables["move"] = move.text
            texts.append(stage.text(template, move))
    stage.variables["move"] = played
    _print_joined(stage, texts, separator)


def print_each(stage: Stage, statement: Statement) -> None:
    domain, template, separator = statement.operands
    name, kind = statement.words
    outer, texts = stage.variables, []
    stage.variables = dict(outer)
    template = stage.asked(template, name)
    for value in stage.members(kind, domain):
        stage.variables[name] = value
        texts.append(stage.text(template))
    _print_joined(stage, texts, separator)
    stage.variables = outer


def _print_joined(stage: Stage, texts: list[str], separator: Any) -> None:
    if texts:
        between = stage.text(separator) if separator is not None else "\n"
        stage.write(between.join(texts) + "\n")
