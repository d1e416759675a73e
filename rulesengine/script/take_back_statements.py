"""Script statements that take moves back and replay them. See decision 173."""

from rulesengine.engine.interpreter import DECIDED, LAST_MOVE
from rulesengine.language.ir.rules import Statement
from rulesengine.script.play_statements import carry_out, note_last
from rulesengine.script.runtime import ScriptState, StatementError


def take_back(stage: ScriptState, statement: Statement) -> None:
    count = stage.value(statement.operands[0])
    if not 0 <= count <= len(stage.played):
        raise StatementError(f"{_moves(len(stage.played))} can be taken back, not {count}")
    _take_back(stage, count)


def take_back_all(stage: ScriptState, statement: Statement) -> None:
    _take_back(stage, len(stage.played))


def replay(stage: ScriptState, statement: Statement) -> None:
    count = stage.value(statement.operands[0])
    if not 0 <= count <= len(stage.taken_back):
        raise StatementError(f"{_moves(len(stage.taken_back))} can be replayed, not {count}")
    _replay(stage, count)


def replay_all(stage: ScriptState, statement: Statement) -> None:
    _replay(stage, len(stage.taken_back))


def _take_back(stage: ScriptState, count: int) -> None:
    """Return to the position before so many moves; a forfeit is taken back too."""
    stage.variables.pop(DECIDED, None)
    for _ in range(count):
        stage.state, move = stage.played.pop()
        stage.taken_back.append(move)
        stage.plies -= 1
    if stage.played:
        note_last(stage, *stage.played[-1])
    elif count:
        stage.variables |= {"move": "", "from": -1, "to": -1}
        stage.variables.pop(LAST_MOVE, None)


def _replay(stage: ScriptState, count: int) -> None:
    for _ in range(count):
        carry_out(stage, stage.taken_back.pop())


def _moves(count: int) -> str:
    return f"{count} move{'' if count == 1 else 's'}"
