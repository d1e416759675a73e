"""The output that a script would print next if its strategy chose a given move."""

from contextlib import suppress
from copy import copy
from io import BytesIO

from rulesengine.language.ir.rules import Statement
from rulesengine.script.play_statements import play_move
from rulesengine.script.runner import Runner
from rulesengine.script.runtime import ScriptState, StatementError
from rulesengine.script.tokens import EndOfInput, Tokenizer
from rulesengine.state import Move

Block = tuple[Statement, ...]

_LOOPS = ("repeat", "repeat_from", "repeat_in")
_END = (Statement("stop"),)  # ends a round


def next_output(stage: ScriptState, move: Move) -> bytes:
    """Return the output after a move of the current statement, up to a read or the end of the
    round.

    The stage is not changed.
    """
    shadow = copy(stage)
    shadow.variables, shadow.on_board = dict(stage.variables), set(stage.on_board)
    shadow.target = target = BytesIO()
    shadow.words = Tokenizer(BytesIO(), lambda: None)
    runner = Runner(shadow)
    with suppress(EndOfInput, StatementError):
        play_move(shadow, move)
        for rest in _following(stage.view.script, stage.at):
            if runner.block(lambda rest=rest: rest):  # type: ignore[misc]
                break
    return target.getvalue()


def _following(block: Block, wanted: Statement | None) -> list[Block]:
    """Return the rest of a statement's block, then of its enclosing blocks up to a loop."""
    for at, statement in enumerate(block):
        if statement is wanted:
            return [block[at + 1 :]]
        blocks = _following(statement.body, wanted) or _following(statement.otherwise, wanted)
        if blocks:
            is_round = statement.name in _LOOPS
            return [*blocks, _END] if is_round else [*blocks, block[at + 1 :]]
    return []
