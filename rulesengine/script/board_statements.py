"""Script statements that read a board."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

from rulesengine.errors import NotationError
from rulesengine.language.ir.ops import make
from rulesengine.language.ir.rules import Statement
from rulesengine.notation.state_reader import alphabet, read_row, require_few
from rulesengine.script.runtime import ScriptState, StatementError, shortened, to_pairs
from rulesengine.script.tokens import EndOfInput, bounded
from rulesengine.state import State

Row = Callable[[int], str]


def read_board(stage: ScriptState, statement: Statement) -> None:
    known = _accepted_symbols(stage, statement.words)
    rows = stage.words.row if " " in known else stage.word
    _read_rows(stage, known, _region(stage, statement), lambda count: rows())


def read_symbols(stage: ScriptState, statement: Statement) -> None:
    symbols = _Symbols(stage)
    known = _accepted_symbols(stage, statement.words)
    _read_rows(stage, known, _region(stage, statement), symbols.row)
    if symbols.unread:
        raise StatementError(f"malformed board: unexpected `{shortened(symbols.unread)}`")


def read_whole_board(stage: ScriptState, statement: Statement) -> None:
    """Read lines up to a blank line and begin a new game on a board of that size."""
    rows, columns, *pairs = statement.words
    known = _accepted_symbols(stage, tuple(pairs))
    lines, first = _lines(stage)
    if " " not in known:
        lines = ["".join(line.split()) for line in lines]
    size = len(lines), max(map(len, lines))
    if rows == columns and size[0] != size[1]:
        raise StatementError(
            f"malformed board: {size[0]} rows and {size[1]} columns, expected as many"
        )
    named = zip((rows, columns), size, strict=True)
    stage.bind(**{name: number for name, number in named if name})
    if len(stage.state.form.lines) != len(lines):
        expected = len(stage.state.form.lines)
        raise StatementError(f"malformed board: the board has {expected} rows, found {len(lines)}")
    left = iter(lines)
    _read_rows(stage, known, -1, lambda count: next(left), first)


def put_symbols(stage: ScriptState, statement: Statement) -> None:
    """Set up cells from symbols: one for all cells, or one for each in reading order."""
    text, region = map(stage.value, statement.operands)
    before = stage.state
    cells = [cell for cell in range(len(before.form.cells)) if region >> cell & 1]
    if not cells:
        raise StatementError("there is no cell to put symbols on")
    symbols = text * len(cells) if len(text) == 1 else text
    if len(symbols) != len(cells):
        count = f"{len(symbols)} symbol{'' if len(symbols) == 1 else 's'}"
        cells_of = f"{len(cells)} cell{'' if len(cells) == 1 else 's'}"
        raise StatementError(f"{count} for {cells_of}: give one symbol, or one for each cell")
    known, planes = alphabet(before.form), [mask & ~region for mask in before.planes]
    for cell, symbol in zip(cells, symbols, strict=True):
        if symbol not in known:
            choice = " ".join(s if s != " " else "blank" for s in known)
            raise StatementError(f"no piece `{shortened(symbol)}`, expected one of {choice}")
        if known[symbol] >= 0:
            planes[known[symbol]] |= 1 << cell
    try:
        require_few(before.form, planes)
    except NotationError as error:
        raise StatementError(str(error)) from None
    registers = list(before.registers)
    if before.form.stacks:
        _clear_stacks(before, planes, region, registers)
    after = State(tuple(planes), before.side, tuple(registers), (), before.form, before.seats)
    stage.begin(stage.view.with_effect(make("block"), after, stage.variables))


class _Symbols:
    """The non-blank characters of the input; `unread` is the unread part of the current word."""

    def __init__(self, stage: ScriptState) -> None:
        self._stage = stage
        self.unread = ""

    def row(self, count: int) -> str:
        while len(self.unread) < count:
            self.unread += self._stage.word()
        row, self.unread = self.unread[:count], self.unread[count:]
        return row


def _lines(stage: ScriptState) -> tuple[list[str], int]:
    """Return the lines up to a blank line or the end of the input, and the number of the first.

    Leading blank lines are skipped.
    """
    line = stage.words.row()
    while not line.strip():
        line = stage.words.row()
    first, rows = stage.words.place[0], bounded(_rows(stage, line))
    return [row.rstrip() for row in rows], first


def _rows(stage: ScriptState, row: str) -> Iterator[str]:
    """Yield a line and those after it, up to a blank line or the end of the input."""
    with suppress(EndOfInput):
        while row.strip():
            yield row
            row = stage.words.row()


def _accepted_symbols(stage: ScriptState, words: tuple[str, ...]) -> Mapping[str, int]:
    """Return the accepted symbols, each with its plane."""
    symbols = {symbol: int(plane) for symbol, plane in to_pairs(words).items()}
    return symbols or alphabet(stage.state.form)


def _region(stage: ScriptState, statement: Statement) -> int:
    region = statement.operands[0]
    return -1 if region is None else int(stage.value(region))


def _read_rows(
    stage: ScriptState, known: Mapping[str, int], region: int, row: Row, first: int = 0
) -> None:
    """Read the pieces of a region line by line; other cells keep the initial position.

    `first` is the input line where the board begins, or 0 if the board is read line by line.
    """
    fresh = stage.game.initial_state()
    planes = [mask & ~region for mask in fresh.planes]
    lines = [tuple(cell for cell in line if region >> cell & 1) for line in fresh.form.lines]
    for at, cells in enumerate(filter(None, lines), start=1):
        try:
            read_row(known, planes, cells, row(len(cells)), at, fresh.form.hole)
        except NotationError as error:
            raise StatementError(f"malformed board: {error}", first and first + at - 1) from None
    try:
        require_few(fresh.form, planes)
    except NotationError as error:
        raise StatementError(f"malformed board: {error}", first) from None
    registers = list(fresh.registers)
    if fresh.form.stacks:
        _clear_stacks(fresh, planes, region, registers)
    stage.begin(State(tuple(planes), fresh.side, tuple(registers), (), fresh.form))


def _clear_stacks(fresh: State, planes: Sequence[int], region: int, registers: list[int]) -> None:
    """Set the cells that are read to stacks of one piece, or of none."""
    stacks = fresh.form.stacks
    assert stacks is not None
    for cell in (cell for line in fresh.form.lines for cell in line if region >> cell & 1):
        column = [plane for plane, mask in enumerate(planes) if mask >> cell & 1]
        stacks.write(registers, cell, column)
