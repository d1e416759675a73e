"""Script statements that assign values to names or set up a position."""

from typing import Any

from rulesengine.errors import EvaluationError
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Statement
from rulesengine.script.runtime import ScriptState


def let(stage: ScriptState, statement: Statement) -> None:
    name, value = statement.words[0], statement.operands[0]
    stage.variables[name] = own_value(stage.value(value))
    stage.note(name, value)


def append(stage: ScriptState, statement: Statement) -> None:
    """Add a member to a list, which no other name has."""
    name = statement.words[0]
    value = stage.value(statement.operands[0])
    if name not in stage.variables:
        raise EvaluationError(f"`{name}` has no value yet")
    if not isinstance(stage.variables[name], list):
        stage.variables[name] = list(stage.variables[name])  # a list that was read is a tuple
    stage.variables[name].append(value)


def own_value(value: Any) -> Any:
    """Return a value, a list as a copy: a list that grows belongs to one name."""
    return list(value) if isinstance(value, list | tuple) else value


def set_parameter(stage: ScriptState, statement: Statement) -> None:
    name, operand = statement.words[0], statement.operands[0]
    value = stage.value(operand)
    if isinstance(operand, Op) and operand.type == "side":
        value = stage.game.players[value] if value >= 0 else "nobody"
    stage.bind(**{name: value})


def effect(stage: ScriptState, statement: Statement) -> None:
    change = statement.operands[0]
    assert isinstance(change, Op)
    stage.begin(stage.view.with_effect(change, stage.state, stage.variables))


def start_new_game(stage: ScriptState, statement: Statement) -> None:
    stage.begin(stage.game.initial_state())
