"""Kernel code that reads and prints whole boards."""

from rulesengine.engine.kernel.code.form import Table, Type, Value
from rulesengine.engine.kernel.emit.cell_numbers import number_of
from rulesengine.engine.kernel.scripts.code import ScriptCode
from rulesengine.engine.kernel.scripts.numbers import printed
from rulesengine.engine.kernel.scripts.texts import finish, output_writer
from rulesengine.engine.kernel.scripts.words import read_word
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import constant
from rulesengine.language.ir.rules import Statement
from rulesengine.notation.board_text import arrange, cell_fields
from rulesengine.notation.state_reader import alphabet
from rulesengine.state import CellNumbers

_I: Type = "i"
_A: Type = "a"
_M: Type = "m"
_UNKNOWN = -2
_MARK = 0xF0000  # the first of the private characters that mark cells
_ROWS = 64  # rows are read one after the other, each by its own code


def print_board(code: ScriptCode) -> None:
    """Print the board: its fixed text, then the symbols and the numbers of the cells."""
    ctx, b = code.ctx, code.ctx.b
    if ctx.program.form.stacks:
        raise Unsupported("a board with stacks")
    drawing = ctx.analysis(_Drawing)
    text, places = drawing.parts
    writer = output_writer(code)
    start = code.get("out")
    writer.literal(text + "\n")
    table = Table("i", places)
    for offset in drawing.offsets("symbol"):
        for number, cells in zip(ctx.layout.planes, code.position().planes, strict=True):
            symbol = ord(ctx.program.form.symbols[number])

            def put(cell: Value, symbol: int = symbol, offset: int = offset) -> None:
                place = b.op("iadd", start, b.op("ilook", cell, detail=table))
                b.write("store8", code.memory, b.op("iadd", place, b.i(offset)), b.i(symbol))

            b.bits(cells, put)
    for numbers in ctx.program.form.numbers:
        for offset, width in drawing.columns(numbers.name):
            _print_numbers(code, numbers, b.op("iadd", start, b.i(offset)), width, table)
    finish(code, writer)


def _print_numbers(
    code: ScriptCode, numbers: CellNumbers, start: Value, width: int, places: Table
) -> None:
    """Print the number of each cell; leave the node if one is wider than its column."""
    b, at = code.ctx.b, code.position()
    is_wide = b.let(b.f(False))

    def put(cell: Value) -> None:
        place = b.op("iadd", start, b.op("ilook", cell, detail=places))
        code.ctx.cells_on_board.add(cell)
        value = number_of(code.ctx, numbers, at, cell)
        end = printed(code, code.memory, place, value, width, " ")
        too_long = b.op("ilt", b.op("iadd", place, b.i(abs(width))), end)
        b.set(is_wide, b.op("for", b.get(is_wide), too_long))

    b.range(b.i(0), b.i(code.ctx.program.topology.cells), put)
    code.leave_if(b.get(is_wide))


class _Drawing:
    """The drawing of an empty board, and the place of each cell in it.

    The text of a cell has a fixed width: a number that is wider than its column has no code.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._fields: list[tuple[str, str, int]] = []
        names = [numbers.name for numbers in program.form.numbers]
        for text, name, width in cell_fields(program.rules.drawing.cell, ["symbol", *names]):
            self._fields.append((text, name, width or int(bool(name))))

    def offsets(self, name: str) -> list[int]:
        """Return the offsets of a character in the text of a cell."""
        return [at + (width - 1 if width > 0 else 0) for at, width in self.columns(name)]

    def columns(self, name: str) -> list[tuple[int, int]]:
        """Return the offset and the width of each field of a name in the text of a cell."""
        columns, at = [], 0
        for text, field, width in self._fields:
            if field == name:
                columns.append((at, width))
            at += len(text) + abs(width)
        return columns

    @property
    def parts(self) -> tuple[str, tuple[int, ...]]:
        """Return the text and the places. Raises Unsupported."""
        form = self._program.form
        symbols = [form.empty, *filter(None, form.symbols)]
        if any(len(symbol) != 1 or not symbol.isascii() for symbol in symbols):
            raise Unsupported("symbols of several characters")
        cells = range(self._program.topology.cells)
        empty = "".join(text + self._empty(name, width) for text, name, width in self._fields)
        if not empty:
            raise Unsupported("a drawing without cells")
        text = arrange(self._program, [empty] * len(cells))
        # each cell begins with a private character of its own
        marked = arrange(self._program, [chr(_MARK + cell) + empty[1:] for cell in cells])
        places = tuple(marked.find(chr(_MARK + cell)) for cell in cells)
        if not text.isascii() or min(places) < 0:
            raise Unsupported("a drawing that does not show each cell once")
        return text, places

    def _empty(self, name: str, width: int) -> str:
        if not name:
            return ""
        sign = self._program.form.empty if name == "symbol" else " "
        return sign.ljust(-width) if width < 0 else sign.rjust(width)


def read_board(code: ScriptCode, statement: Statement) -> None:
    """Read the pieces of a region, a word for each line, and begin a game there."""
    ctx, b, form = code.ctx, code.ctx.b, code.ctx.program.form
    if form.stacks:
        raise Unsupported("a board with stacks")
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
    for number, bits in zip(ctx.layout.planes, planes, strict=True):
        if form.limits and form.limits[number] < ctx.program.topology.cells:
            code.leave_if(b.op("ilt", b.i(form.limits[number]), b.op("mcount", bits)))
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
    symbols = [_UNKNOWN] * 256
    for symbol, plane in known.items():
        symbols[ord(symbol)] = indices.get(plane, -1)
    return Table("i", tuple(symbols))


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
        variables = [b.let(plane) for plane in (*before, b.m(0))]

        def one(index: Value) -> None:
            sign = b.read("load8", memory, b.op("iadd", word, index))
            plane = b.op("ilook", sign, detail=symbols)
            cell = b.op("ilook", b.op("iadd", first, index), detail=cells)
            code.ctx.cells_on_board.add(cell)

            def put(number: int) -> None:
                b.set(variables[number], b.op("mor", b.get(variables[number]), b.op("mcell", cell)))

            def choose(low: int, high: int) -> None:
                if high - low == 1:
                    put(low)
                    return
                middle = (low + high) // 2
                is_low = b.op("ilt", plane, b.i(middle))
                b.when(is_low, lambda: choose(low, middle), lambda: choose(middle, high))

            b.when(b.op("ile", b.i(0), plane), lambda: choose(0, len(before)))
            b.when(b.op("ieq", plane, b.i(_UNKNOWN)), lambda: put(len(before)))

        b.range(b.i(0), size, one)
        b.emit_return(*(b.get(var) for var in variables))

    args = (code.memory, word, size, first, *planes)
    return list(code.call(name, (_A, _I, _I, _I, *types), (*types, _M), args, body))
