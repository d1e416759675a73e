"""Statements that give values to names."""

from rulesengine.ir.ops import ON_BOARD, Op
from rulesengine.ir.rules import Statement
from rulesengine.protocol.stage import Stage


def let(stage: Stage, statement: Statement) -> None:
    name, value = statement.words[0], statement.operands[0]
    stage.variables[name] = stage.value(value)
    if isinstance(value, Op) and value.type in ON_BOARD:
        stage.on_board.add(name)
