"""Kernel code that reads and prints whole boards."""

from rulesengine.engine.kernel.code.form import Table, Type, Value
from rulesengine.engine.kernel.scripts.code import ScriptCode
from rulesengine.engine.kernel.scripts.texts import finish, output_writer
from rulesengine.engine.kernel.scripts.words import read_word
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import constant
from rulesengine.language.ir.rules import Statement
from rulesengine.notation.board_text import draw
from rulesengine.notation.state_reader import alphabet
from rulesengine.state import State

_I: Type = "i"
_A: Type = "a"
_M: Type = "m"
_UNKNOWN = -2
_ROWS = 64  # rows are read one after the other, each by its own code


def print_board(code: ScriptCode) -> None:
    """Print the board: its fixed text, then the symbols of the pieces on it."""
    ctx, b = code.ctx, code.ctx.b
    text, places = ctx.analysis(_Drawing).parts
    writer = output_writer(code)
    start = code.get("out")
    writer.literal(text + "\n")
    table = Table("i", places)
    for number, cells in zip(ctx.layout.planes, code.position().planes, strict=True):
        symbol = ord(ctx.program.form.symbols[number])

        def put(cell: Value, symbol: int = symbol) -> None:
            place = b.op("iadd", start, b.op("ilook", cell, detail=table))
            b.write("store8", code.memory, place, b.i(symbol))

        b.bits(cells, put)
    finish(code, writer)


class _Drawing:
    """The drawing of an empty board, and the place of each cell in it."""

    def __init__(self, program: Program) -> None:
        self._program = program

    @property
    def parts(self) -> tuple[str, tuple[int, ...]]:
        """Return the text and the places. Raises Unsupported."""
        program = self._program
        form = program.form
        symbols = [form.empty, *filter(None, form.symbols)]
        if program.rules.drawing.cell != "{symbol}" or any(
            len(symbol) != 1 or not symbol.isascii() for symbol in symbols
        ):
            raise Unsupported("a drawing with cells of several characters")
        plane = next((i for i, s in enumerate(form.symbols) if s and s != form.empty), None)
        if plane is None:
            raise Unsupported("a drawing where no piece is visible")
        none = [0] * len(form.symbols)
        empty = self._symbol_of(none)
        none[plane] = (1 << program.topology.cells) - 1
        full = self._symbol_of(none)
        if not empty.isascii() or len(empty) != len(full):
            raise Unsupported("a drawing that is not plain")
        changed = [at for at, (a, c) in enumerate(zip(empty, full, strict=True)) if a != c]
        screen = program.topology.screen
        cells = [c for line in form.lines for c in sorted(line, key=lambda c: screen[c][1])]
        if len(changed) != len(cells) or sorted(cells) != list(range(program.topology.cells)):
            raise Unsupported("a drawing that does not show each cell once")
        places = dict(zip(cells, changed, strict=True))
        return empty, tuple(places[cell] for cell in range(len(cells)))

    def _symbol_of(self, planes: list[int]) -> str:
        form = self._program.form
        return draw(self._program, State(tuple(planes), 0, form.starts, (), form))


def read_board(code: ScriptCode, statement: Statement) -> None:
    """Read the pieces of a region, a word for each line, and begin a game there."""
    ctx, b, form = code.ctx, code.ctx.b, code.ctx.program.form
    known = {s: int(p) for s, p in zip(statement.words[::2], statement.words[1::2], strict=True)}
    known = known or alphabet(form)
    if any(len(s) != 1 or not s.isascii() or s.isspace() for s in known):
        raise Unsupported("symbols that are not one character")
    region = _region(statement, ctx.b.full)
    lines = [tuple(cell for cell in line if region >> cell & 1) for line in form.lines]
    lines = [line for line in lines if line]
    if (
        len(lines) > _ROWS
        or not lines
        or any(p >= 0 and p not in ctx.layout.planes for p in known.values())
    ):
        raise Unsupported("a board that is not read by rows")
    start = code.starting_values()
    planes = [b.op("mless", cells, b.m(region)) for cells in start[: len(ctx.layout.planes)]]
    symbols = _symbols(code, known)
    cells = Table("i", tuple(cell for line in lines for cell in line))
    at = 0
    for line in lines:
        word, size = read_word(code)
        code.leave_if(b.op("fnot", b.op("ieq", size, b.i(len(line)))))
        planes = _read_row(code, symbols, cells, word, size, b.i(at), planes)
        *planes, wrong = planes
        code.leave_if(b.op("many", wrong))
        at += len(line)
    for number, found in zip(ctx.layout.planes, planes, strict=True):
        if form.limits and form.limits[number] < ctx.program.topology.cells:
            code.leave_if(b.op("ilt", b.i(form.limits[number]), b.op("mcount", found)))
    code.begin((*planes, *start[len(planes) :]))


def _region(statement: Statement, full: int) -> int:
    region = statement.operands[0]
    if region is None:
        return full
    known = constant(region) if isinstance(region, Op) else None
    if known is not None:
        return known
    raise Unsupported("a region that depends on the position")


def _symbols(code: ScriptCode, known: dict[str, int]) -> Table:
    """Return the index of the plane of each character, -1 for an empty cell."""
    indices = {plane: i for i, plane in enumerate(code.ctx.layout.planes)}
    found = [_UNKNOWN] * 256
    for symbol, plane in known.items():
        found[ord(symbol)] = indices.get(plane, -1)
    return Table("i", tuple(found))


def _read_row(
    code: ScriptCode,
    symbols: Table,
    cells: Table,
    word: Value,
    size: Value,
    first: Value,
    planes: list[Value],
) -> list[Value]:
    """Return the planes with the pieces of a line, and the cells with an unknown symbol."""
    types = (_M,) * len(planes)
    name = f"row_{code.current}"

    def body(values: tuple[Value, ...]) -> None:
        b = code.ctx.b
        memory, word, size, first, *before = values
        found = [b.let(cells) for cells in (*before, b.m(0))]

        def one(index: Value) -> None:
            sign = b.read("load8", memory, b.op("iadd", word, index))
            plane = b.op("ilook", sign, detail=symbols)
            cell = b.op("ilook", b.op("iadd", first, index), detail=cells)
            code.ctx.cells_on_board.add(cell)

            def put(number: int) -> None:
                b.set(found[number], b.op("mor", b.get(found[number]), b.op("mcell", cell)))

            for number in range(len(before)):
                b.when(b.op("ieq", plane, b.i(number)), lambda n=number: put(n))  # type: ignore[misc]
            b.when(b.op("ieq", plane, b.i(_UNKNOWN)), lambda: put(len(before)))

        b.range(b.i(0), size, one)
        b.emit_return(*(b.get(var) for var in found))

    args = (code.memory, word, size, first, *planes)
    return list(code.call(name, (_A, _I, _I, _I, *types), (*types, _M), args, body))
