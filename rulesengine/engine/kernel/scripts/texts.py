"""Kernel code that prints templates: literals, numbers, names and texts of variables."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from rulesengine.board.coordinates import label
from rulesengine.engine.kernel.code.form import Table, Value, Var
from rulesengine.engine.kernel.emit.move_list import origin_in, target_in
from rulesengine.engine.kernel.scripts import numbers
from rulesengine.engine.kernel.scripts.code import ScriptCode
from rulesengine.engine.kernel.scripts.flow import fixed_text
from rulesengine.engine.kernel.scripts.layout import DRAFT, HELD, NO_STEP, OUTPUT, TEXT, WORD
from rulesengine.engine.kernel.scripts.moves import (
    NotedMove,
    Parts,
    each_notation,
    has_origins,
    move_texts,
    require_plain_moves,
    text_number,
)
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import Op, make
from rulesengine.language.ir.rules import Template, TemplateField

_NUMBER = 20  # characters of a number
_LONGEST = 8 * TEXT


class TextWriter:
    """A writer of text at a variable offset; `bound` is the greatest number of bytes written.

    `evaluate` returns the value of an expression, `move` the move that `move` names. With `texts`,
    the texts of variables are these.
    """

    def __init__(
        self,
        code: ScriptCode,
        memory: Value,
        place: Var,
        evaluate: Callable[[Op], Value],
        move: Callable[[], NotedMove] | None = None,
        texts: Mapping[str, tuple[Value, Value]] | None = None,
    ) -> None:
        self.code, self.b = code, code.ctx.b
        self._memory, self._place = memory, place
        self._evaluate = evaluate
        self._move = move
        self._texts = texts
        self.bound = 0
        self.is_ascii = True

    def literal(self, text: str) -> None:
        data = text.encode()
        if not data:
            return
        self.is_ascii = self.is_ascii and text.isascii()
        here = self.b.get(self._place)
        self.b.effect("store_text", self._memory, here, detail=Table("i", words_of(data)))
        self._advance(self.b.i(len(data)), len(data))

    def template(self, template: Template | None) -> None:
        for part in template.parts if template else ():
            if isinstance(part, str):
                self.literal(part)
            else:
                self._field(part)

    def name(self, names: Sequence[str], index: Value, width: int = 0) -> None:
        """Print the name of an index, which is inside."""
        texts = [name.encode() for name in names]
        longest = max(map(len, texts))
        if longest > _LONGEST or not all(map(str.isascii, names)):
            raise Unsupported("long names")
        size = self.b.op("ilook", index, detail=Table("i", tuple(map(len, texts))))
        pad = self.b.op("imax", self.b.i(0), self.b.op("isub", self.b.i(abs(width)), size))
        if width > 0:
            self._pad(pad, width)
        for at in range(0, longest, WORD):
            parts = [text[at : at + WORD].ljust(WORD, b"\0") for text in texts]
            table = Table("i", tuple(int.from_bytes(p, "little", signed=True) for p in parts))
            word = self.b.op("ubits", self.b.op("ilook", index, detail=table))
            there = self.b.op("iadd", self.b.get(self._place), self.b.i(at))
            self.b.write("store64", self._memory, there, word)
        self._advance(size, longest)
        if width < 0:
            self._pad(pad, -width)

    def _pad(self, count: Value, most: int) -> None:
        numbers.fill(self.code, self._memory, self.b.get(self._place), count, numbers.BLANK)
        self._advance(count, most)

    def _advance(self, size: Value, most: int) -> None:
        self.b.set(self._place, self.b.op("iadd", self.b.get(self._place), size))
        self.bound += most

    def _field(self, field: TemplateField) -> None:
        self._value(field.value, field.width, field.filler)

    def _value(self, op: Op, width: int, filler: str) -> None:
        """Print a value as `shown` and `padded` of the interpreter do."""
        form = self.code.ctx.program.form
        if filler == "0" and op.type != "number":
            raise Unsupported("zeros before a text")
        match op.type:
            case "number":
                value, here = self._evaluate(op), self.b.get(self._place)
                end = numbers.printed(self.code, self._memory, here, value, width, filler)
                self.b.set(self._place, end)
                self.bound += max(_NUMBER, abs(width))
            case "side":
                self._named(("nobody", *form.players), op, width)
            case "cell":
                self._named(("none", *form.cells), op, width)
            case "kind":
                kinds = (kind.name for kind in self.code.ctx.rules.kinds)
                self._named(("none", *kinds), op, width)
            case "text" if not width:
                self.text(op)
            case _:
                raise Unsupported(f"a printed {op.type}")

    def _named(self, names: tuple[str, ...], op: Op, width: int) -> None:
        self.name(names, self.b.op("iadd", self._evaluate(op), self.b.i(1)), width)

    def text(self, op: Op) -> None:
        """Write the value of a text expression."""
        emission = _TEXTS.get(op.name) or _SCRIPTED.get(op.name)
        if emission is None:
            raise Unsupported(f"a printed {op.name}")
        emission(self, op)

    def _constant(self, op: Op) -> None:
        self.literal(str(op.value))

    def _joined(self, op: Op) -> None:
        for arg in op.args:
            self.text(arg)

    def _format(self, op: Op) -> None:
        assert isinstance(op.value, tuple)
        width, filler = op.value
        self._value(op.args[0], int(width), filler)

    def _variable(self, op: Op) -> None:
        if op.value == "move":
            self._print_move()
        elif self._texts is not None:
            self._copy(*self._texts[str(op.value)])
        else:
            self._copy(*self.code.text(str(op.value)))

    def _by_side(self, op: Op) -> None:
        sides, values = self.code.ctx.sides, op.args[1:]
        other = values[-1] if len(values) > sides else None
        self._case(self._evaluate(op.args[0]), values[:sides], other)

    def _if(self, op: Op) -> None:
        test, then, other = op.args
        flag = self._evaluate(test)
        self.b.when(flag, lambda: self.text(then), lambda: self.text(other))

    def _row_label(self, op: Op) -> None:
        self._label(op, 0, self.code.ctx.rules.notation.rows)

    def _column_label(self, op: Op) -> None:
        self._label(op, 1, self.code.ctx.rules.notation.columns)

    def _capitals(self, op: Op) -> None:
        self._shifted(op, "az", -32)

    def _small_letters(self, op: Op) -> None:
        self._shifted(op, "AZ", 32)

    def _symbol(self, op: Op) -> None:
        """Print the symbol of a cell; the number of its plane is that of its kind and owner."""
        kind, owner = (self._evaluate(make(name, *op.args)) for name in ("kind_at", "owner"))
        self._print_symbol(kind, owner)

    def _piece_symbol(self, op: Op) -> None:
        kind, owner = map(self._evaluate, op.args)
        self._print_symbol(kind, owner)

    def _print_symbol(self, kind: Value, owner: Value) -> None:
        """Print the symbol of a kind and an owner, -1 for none; fail if there is none."""
        b, form = self.b, self.code.ctx.program.form
        sides = b.i(len(form.players))
        last = b.op("pick", b.op("ilt", owner, b.i(0)), sides, owner)
        plane = b.op("iadd", b.op("imul", kind, b.op("iadd", sides, b.i(1))), last)
        at = b.op("pick", b.op("ilt", kind, b.i(0)), b.i(0), b.op("iadd", plane, b.i(1)))
        names = (form.empty, *form.symbols)
        sizes = Table("i", tuple(map(len, names)))
        self.code.ctx.fail_unless(b.op("ilt", b.i(0), b.op("ilook", at, detail=sizes)))
        self.name(names, at)

    def _empty_symbol(self, op: Op) -> None:
        self.literal(self.code.ctx.program.form.empty)

    def _shifted(self, op: Op, letters: str, distance: int) -> None:
        """Print a text in ASCII, with some letters replaced by those at a distance in the code."""
        b, was_ascii, self.is_ascii = self.b, self.is_ascii, True
        begin = b.get(self._place)
        self.text(op.args[0])
        if not self.is_ascii:
            raise Unsupported("letters outside ASCII")
        self.is_ascii = was_ascii
        low, high = map(ord, letters)

        def one(at: Value) -> None:
            sign = b.read("load8", self._memory, at)
            is_letter = numbers.is_between(self.code, sign, low, high)
            other = b.op("iadd", sign, b.i(distance))
            b.write("store8", self._memory, at, b.op("pick", is_letter, other, sign))

        b.range(begin, b.get(self._place), one)

    def _case(self, index: Value, cases: Sequence[Op], other: Op | None) -> None:
        """Print the text of an index; without `other`, fail out of range."""
        if not cases:
            if other is None:
                self.b.fail()
            else:
                self.text(other)
            return
        flag = self.b.op("ieq", index, self.b.i(0))
        rest = self.b.op("isub", index, self.b.i(1))
        self.b.when(flag, lambda: self.text(cases[0]), lambda: self._case(rest, cases[1:], other))

    def _label(self, op: Op, axis: int, labels: str) -> None:
        cell = self._evaluate(op.args[0])
        self.code.ctx.fail_unless(self.b.op("ile", self.b.i(0), cell))
        inside = self.b.op("imax", self.b.i(0), cell)
        places = self.code.ctx.program.topology.coordinates
        self.name([label(place[axis], labels) for place in places], inside)

    def _print_move(self) -> None:
        """Print the notation of the last move, empty before the first; fail if it is unknown."""
        if self._move is not None:
            self._notation(self._move())
            return
        b, code = self.b, self.code
        step, takes = code.get("step"), code.get("takes")
        code.leave_if(b.op("ieq", step, b.i(HELD)))
        moved = b.op("fnot", b.op("ieq", step, b.i(NO_STEP)))
        move = NotedMove(b.op("imax", step, b.i(0)), b.op("ieq", takes, b.i(1)))
        b.when(moved, lambda: self._notation(move))

    def _notation(self, move: NotedMove) -> None:
        """Print the notation of a move."""
        ctx = self.code.ctx
        require_plain_moves(ctx)
        if has_origins(ctx):
            each_notation(ctx, move, lambda parts: self._spell(move.word, parts))
        else:
            self.name(move_texts(ctx), text_number(ctx, move.word))

    def _spell(self, word: Value, parts: Parts) -> None:
        ctx = self.code.ctx
        for part in parts:
            if part in ("{from}", "{to}"):
                cell = origin_in(ctx, word) if part == "{from}" else target_in(ctx, word)
                self.name(ctx.program.form.cells, self.b.op("imax", cell, self.b.i(0)))
            else:
                self.literal(part)

    def _copy(self, start: Value, size: Value) -> None:
        here = self.b.get(self._place)

        def one(index: Value) -> None:
            sign = self.b.read("load8", self._memory, self.b.op("iadd", start, index))
            self.b.write("store8", self._memory, self.b.op("iadd", here, index), sign)

        self.b.range(self.b.i(0), size, one)
        self._advance(size, TEXT)


_TEXTS: MappingProxyType[str, Callable[[TextWriter, Op], None]] = MappingProxyType(
    {
        "literal": TextWriter._constant,
        "join": TextWriter._joined,
        "shown": TextWriter._format,
        "variable": TextWriter._variable,
        "by_side": TextWriter._by_side,
        "if": TextWriter._if,
        "row_label": TextWriter._row_label,
        "column_label": TextWriter._column_label,
    }
)

_SCRIPTED: MappingProxyType[str, Callable[[TextWriter, Op], None]] = MappingProxyType(
    {
        "capitals": TextWriter._capitals,
        "small_letters": TextWriter._small_letters,
        "symbol": TextWriter._symbol,
        "piece_symbol": TextWriter._piece_symbol,
        "empty_symbol": TextWriter._empty_symbol,
    }
)


def drafted(code: ScriptCode, text: Op | Template) -> tuple[Value, Value]:
    """Write a text to the draft; return its offset and size."""
    b, start = code.ctx.b, code.layout.draft
    if code.cached_facts.get("drafting"):
        raise Unsupported("a text inside a text")
    code.cached_facts["drafting"] = True
    place = b.let(b.i(start))
    writer = TextWriter(code, code.memory, place, code.value)
    try:
        if isinstance(text, Op):
            writer.text(text)
        else:
            writer.template(text)
    finally:
        code.cached_facts["drafting"] = False
    if writer.bound > DRAFT or not writer.is_ascii:
        raise Unsupported("a text that may be long or not ASCII")
    size = b.op("isub", b.get(place), b.i(start))
    code.leave_if(b.op("ile", b.i(TEXT), size))
    return b.i(start), size


def assign_drafted(code: ScriptCode, name: str, op: Op) -> None:
    """Assign the value of a text expression to a variable."""
    b = code.ctx.b
    if name not in code.layout.texts:
        raise Unsupported(f"the variable `{name}`")
    start, size = drafted(code, op)
    there = b.i(code.layout.made_at(name))

    def copy(index: Value) -> None:
        at = b.op("ishl", index, b.i(3))
        word = b.read("load64", code.memory, b.op("iadd", start, at))
        b.write("store64", code.memory, b.op("iadd", there, at), word)

    b.range(b.i(0), b.op("ishr", b.op("iadd", size, b.i(WORD - 1)), b.i(3)), copy)
    code.assign_text(name, there, size)


def words_of(data: bytes) -> tuple[int, ...]:
    """Return bytes as words; the last one is filled with zeros."""
    parts = (data[at : at + WORD].ljust(WORD, b"\0") for at in range(0, len(data), WORD))
    return tuple(int.from_bytes(part, "little", signed=True) for part in parts)


def output_writer(code: ScriptCode) -> TextWriter:
    """Begin to print: write the pending separator, and return a writer of the output."""
    b = code.ctx.b
    writer = TextWriter(code, code.memory, code.vars["out"], code.value)
    if code.has_separators:
        pending = code.get("separator")
        code.leave_if(b.op("ieq", pending, b.i(HELD)))
        for number, node in enumerate(code.flow.nodes):
            if (
                node.kind == "separate"
                and (text := fixed_text(node.statement.operands[-1])) is not None
            ):
                wanted = b.op("ieq", pending, b.i(number))
                b.when(wanted, lambda text=text: writer.literal(text + "\n"))  # type: ignore[misc]
        code.set("separator", -1)
    code.set("printed", b.op("iadd", code.get("printed"), b.i(1)))
    return writer


def finish(code: ScriptCode, writer: TextWriter) -> None:
    """Add the size bound of a writer to that of the node. Raises Unsupported beyond the buffer."""
    code.bound += writer.bound
    if code.bound > OUTPUT // 2:
        raise Unsupported("more output than the buffer holds")


def print_text(code: ScriptCode, template: object, end: str) -> None:
    """Print a template, and an end."""
    assert isinstance(template, Template)
    writer = output_writer(code)
    parts = list(template.parts)
    if end:
        last = parts.pop() if parts and isinstance(parts[-1], str) else ""
        parts.append(f"{last}{end}")
    writer.template(Template(tuple(parts)))
    finish(code, writer)
