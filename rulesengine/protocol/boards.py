"""Statements that read a board."""

from collections.abc import Callable

from rulesengine.errors import NotationError
from rulesengine.ir.rules import Statement
from rulesengine.protocol.stage import Failed, Stage, cut
from rulesengine.state import State
from rulesengine.text.reading import read_row


def read_board(stage: Stage, statement: Statement) -> None:
    _read_rows(stage, statement, lambda count: stage.word())


def read_symbols(stage: Stage, statement: Statement) -> None:
    symbols = _Symbols(stage)
    _read_rows(stage, statement, symbols.row)
    if symbols.left:
        raise Failed(f"malformed board: `{cut(symbols.left)}` is too much")


class _Symbols:
    """The characters of the input that are not blank; `left` are those of a word begun."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.left = ""

    def row(self, count: int) -> str:
        while len(self.left) < count:
            self.left += self._stage.word()
        row, self.left = self.left[:count], self.left[count:]
        return row


def _read_rows(stage: Stage, statement: Statement, row: Callable[[int], str]) -> None:
    """Read the pieces of a region line by line; everything else is as at the start."""
    region = stage.value(statement.operands[0]) if statement.operands else -1
    fresh = stage.game.initial_state()
    planes = [mask & ~region for mask in fresh.planes]
    lines = [tuple(cell for cell in line if region >> cell & 1) for line in fresh.form.lines]
    for at, cells in enumerate(filter(None, lines), start=1):
        try:
            read_row(fresh.form, planes, cells, row(len(cells)), at)
        except NotationError as error:
            raise Failed(f"malformed board: {error}") from None
    stage.begin(State(tuple(planes), fresh.side, fresh.registers, (), fresh.form))
