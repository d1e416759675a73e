"""Kernel code that reads words and lines of the input and compares them."""

from collections.abc import Callable, Iterable

from rulesengine.engine.kernel.code.builder import Builder
from rulesengine.engine.kernel.code.form import Table, Type, Value
from rulesengine.engine.kernel.scripts.code import ScriptCode
from rulesengine.engine.kernel.scripts.layout import NEEDS_INPUT, TEXT, WORD
from rulesengine.engine.kernel.scripts.numbers import NUMBER, is_between, parsed
from rulesengine.engine.kernel.unsupported import Unsupported

_I: Type = "i"
_A: Type = "a"
_HARD, _NEEDS_INPUT = -1, -2
_TAB, _RETURN, _BLANK, _ASCII = 9, 13, 32, 127


def read_word(code: ScriptCode) -> tuple[Value, Value]:
    """Read the next word that is not ignored; return its offset and size.

    The node is left to the caller if the word may be incomplete, is long, or has a NUL or a
    character outside ASCII.
    """
    b = code.ctx.b
    args = (code.memory, code.get("at"), code.get("end"), code.get("ended"))
    start, stop = code.call("word", (_A, _I, _I, _I), (_I, _I), args, lambda v: _word(code, v))
    if any(node.statement.name == "accept_numbers" for node in code.flow.nodes):
        first, last = b.let(start), b.let(stop)

        def only_numbers() -> None:
            bounds = code.get("low"), code.get("high")
            ends = code.call(
                "accepted",
                (_A, *(_I,) * 5),
                (_I, _I),
                (*args, *bounds),
                lambda v: _accepted(code, v),
            )
            b.set(first, ends[0])
            b.set(last, ends[1])

        b.when(b.op("ieq", code.get("accepts"), b.i(1)), only_numbers)
        start, stop = b.get(first), b.get(last)
    code.leave_if(b.op("ieq", start, b.i(_NEEDS_INPUT)), NEEDS_INPUT)
    code.leave_if(b.op("ieq", start, b.i(_HARD)))
    size = b.op("isub", stop, start)
    for name, value in (("at", stop), ("word", start), ("word_n", size)):
        code.set(name, value)
    return start, size


def _word(code: ScriptCode, values: tuple[Value, ...]) -> None:
    """Return the bounds of the next word; the first is _HARD for a word that is left to the caller.

    It is _NEEDS_INPUT if the word may go on beyond the end of the input in memory.
    """
    b = code.ctx.b
    memory, at, end, ended = values
    place = b.let(at)
    none = lambda: b.emit_return(b.i(_HARD), b.i(_HARD))  # noqa: E731
    needs_input = lambda: b.emit_return(b.i(_NEEDS_INPUT), b.i(_NEEDS_INPUT))  # noqa: E731

    def skip() -> None:
        here = b.get(place)
        b.when(
            b.op("ile", end, here), lambda: b.when(b.op("ieq", ended, b.i(1)), none, needs_input)
        )
        b.when(b.op("fnot", is_blank(code, b.read("load8", memory, here))), b.leave)
        b.set(place, b.op("iadd", here, b.i(1)))

    def scan() -> None:
        here = b.op("iadd", b.get(place), b.i(1))
        b.set(place, here)

        def end_word() -> None:
            b.when(b.op("ieq", ended, b.i(0)), needs_input)
            b.leave()

        b.when(b.op("ile", end, here), end_word)
        sign = b.read("load8", memory, here)
        b.when(is_blank(code, sign), b.leave)
        b.when(b.op("fnot", is_between(code, sign, 1, _ASCII)), none)

    b.loop(skip)
    start = b.get(place)
    first = b.read("load8", memory, start)
    b.when(b.op("fnot", is_between(code, first, 1, _ASCII)), none)
    b.loop(scan)
    stop = b.get(place)
    b.when(b.op("ile", b.i(TEXT), b.op("isub", stop, start)), none)
    b.emit_return(start, stop)


def _accepted(code: ScriptCode, values: tuple[Value, ...]) -> None:
    """Return the bounds of the next word that is a number in a range."""
    b = code.ctx.b
    memory, at, end, ended, low, high = values
    place = b.let(at)
    inner = ScriptCode(
        code.ctx, code.flow, code.layout, memory, code.vars, code.status, code.starts,
        code.has_separators, code.has_forfeits, code.without_texts,
    )  # fmt: skip

    def one() -> None:
        types: tuple[Type, ...] = (_A, _I, _I, _I)
        args = (memory, b.get(place), end, ended)
        start, stop = inner.call("word", types, (_I, _I), args, lambda v: _word(inner, v))
        none = lambda: b.emit_return(b.i(_HARD), b.i(_HARD))  # noqa: E731
        b.when(b.op("ilt", start, b.i(0)), lambda: b.emit_return(start, start))
        status, value = parsed(inner, start, b.op("isub", stop, start))
        b.when(b.op("ilt", b.i(1), status), none)
        inside = b.op("fand", b.op("ile", low, value), b.op("ile", value, high))
        good = b.op("fand", b.op("ieq", status, b.i(NUMBER)), inside)
        b.when(good, lambda: b.emit_return(start, stop))
        b.set(place, stop)

    b.loop(one)
    b.emit_return(b.i(_HARD), b.i(_HARD))


def is_blank(code: ScriptCode, sign: Value) -> Value:
    b = code.ctx.b
    return b.op("for", b.op("ieq", sign, b.i(_BLANK)), is_between(code, sign, _TAB, _RETURN))


# comparison


def is_text(code: ScriptCode, start: Value, size: Value, text: str) -> Value:
    """Return a flag that is true if a text in memory equals a constant."""
    b = code.ctx.b
    same = b.op("ieq", size, b.i(len(text.encode())))
    return b.op("fand", same, begins(b, code.memory, start, text))


def begins(b: Builder, memory: Value, start: Value, text: str) -> Value:
    """Return a flag that is true if the text at an offset begins with a constant."""
    data, same = text.encode(), b.f(True)
    for at in range(0, len(data), WORD):
        part = data[at : at + WORD]
        word = b.read("load64", memory, b.op("iadd", start, b.i(at)))
        mask = b.const("u", 256 ** len(part) - 1)
        wanted = b.const("u", int.from_bytes(part, "little"))
        same = b.op("fand", same, b.op("ueq", b.op("uand", word, mask), wanted))
    return same


def key_of(code: ScriptCode, start: Value, size: Value) -> Value:
    """Return a text of at most eight bytes as a number; other texts as -1."""
    b = code.ctx.b
    fits = b.op("ile", size, b.i(WORD))
    word = key_at(b, code.memory, start, b.op("imin", size, b.i(WORD)))
    return b.op("pick", fits, word, b.i(-1))


def key_at(b: Builder, memory: Value, start: Value, size: Value) -> Value:
    """Return the text of a size up to eight bytes at an offset as a number."""
    masks = Table("i", tuple(_signed(256**n - 1) for n in range(WORD + 1)))
    mask = b.op("ilook", size, detail=masks)
    word = b.op("uand", b.read("load64", memory, start), b.op("ubits", mask))
    return b.op("usign", word)


def keys_of(texts: Iterable[str]) -> tuple[int, ...]:
    """Return texts as numbers; raise Unsupported if one has no or more than eight characters."""
    if any(not text.isascii() or not 0 < len(text) <= WORD for text in texts):
        raise Unsupported("names of more than eight characters")
    return tuple(_signed(int.from_bytes(text.encode(), "little")) for text in texts)


def index_of(
    code: ScriptCode, name: str, texts: dict[str, int], start: Value, size: Value
) -> Value:
    """Return the number of a text in memory by a table of constants; -1 for another text."""
    keys = dict(zip(keys_of([*texts]), texts.values(), strict=True))
    ordered = sorted(keys)
    words, numbers = Table("i", tuple(ordered)), Table("i", tuple(keys[key] for key in ordered))

    def search(values: tuple[Value, ...]) -> None:
        b = code.ctx.b
        (key,) = values
        low, high = b.let(b.i(0)), b.let(b.i(len(ordered)))

        def halve() -> None:
            first, last = b.get(low), b.get(high)
            b.when(b.op("ile", last, first), b.leave)
            middle = b.op("ishr", b.op("iadd", first, last), b.i(1))
            word = b.op("ilook", middle, detail=words)
            b.when(
                b.op("ieq", word, key), lambda: b.emit_return(b.op("ilook", middle, detail=numbers))
            )
            up = b.op("ilt", word, key)
            b.set(low, b.op("pick", up, b.op("iadd", middle, b.i(1)), first))
            b.set(high, b.op("pick", up, last, middle))

        b.loop(halve)
        b.emit_return(b.i(-1))

    key = key_of(code, start, size)
    return code.call(f"find_{name}", (_I,), (_I,), (key,), search)[0]


def _signed(value: int) -> int:
    return value - 2**64 if value >> 63 else value


# patterns

Field = tuple[str, str, Value, Value]  # name, kind, offset, size
_SINGLE = frozenset({"digit", "letter"})


def match(
    code: ScriptCode,
    pattern: tuple[str, ...],
    start: Value,
    size: Value,
    then: Callable[[], None],
    other: Callable[[], None],
) -> None:
    """Assign the fields of a text that matches a pattern, and go on with `then`, or `other`."""
    b = code.ctx.b
    parts = [("", p[1:]) if p.startswith("'") else tuple(p.split(":")) for p in pattern]
    free = [i for i, (name, kind) in enumerate(parts) if name and kind not in _SINGLE]
    if len(free) > 1:
        raise Unsupported("a pattern with several fields of any size")
    widths = [1 if name else len(text.encode()) for name, text in parts]
    fixed = sum(width for i, width in enumerate(widths) if i not in free)
    good = b.op("ieq", size, b.i(fixed)) if not free else b.op("ilt", b.i(fixed), size)
    if not pattern:
        then()
        return
    fields: list[Field] = []
    place = start
    for i, (name, kind) in enumerate(parts):
        width = b.op("isub", size, b.i(fixed)) if i in free else b.i(widths[i])
        if not name:
            good = b.op("fand", good, begins(b, code.memory, place, kind))
        else:
            good = b.op("fand", good, _is_kind(code, kind, place))
            fields.append((name, kind, place, width))
        place = b.op("iadd", place, width)

    def matched() -> None:
        _assign(code, fields, then, other)

    b.when(good, matched, other)


def _is_kind(code: ScriptCode, kind: str, place: Value) -> Value:
    b = code.ctx.b
    if kind not in _SINGLE:
        return b.f(True)
    sign = b.read("load8", code.memory, place)
    if kind == "digit":
        return is_between(code, sign, 48, 57)
    capital, small = is_between(code, sign, 65, 90), is_between(code, sign, 97, 122)
    return b.op("for", capital, small)


def _assign(
    code: ScriptCode, fields: list[Field], then: Callable[[], None], other: Callable[[], None]
) -> None:
    """Assign the fields in order; a number that is none leads to `other`."""
    b = code.ctx.b
    for i, (name, kind, start, size) in enumerate(fields):
        if kind == "number":
            status, value = parsed(code, start, size)
            code.leave_if(b.op("ilt", b.i(1), status))

            def rest(value: Value = value, i: int = i, name: str = name) -> None:
                code.assign(name, value)
                _assign(code, fields[:i] + fields[i + 1 :], then, other)

            b.when(b.op("ieq", status, b.i(NUMBER)), rest, other)
            return
    for name, kind, start, size in fields:
        if kind == "digit":
            code.assign(name, b.op("isub", b.read("load8", code.memory, start), b.i(48)))
        elif kind != "number":
            code.assign_text(name, start, size)
    then()
