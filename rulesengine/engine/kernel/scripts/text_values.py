"""Values of texts inside expressions: comparisons, lengths, and the cells of names."""

from collections.abc import Callable
from types import MappingProxyType

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.scripts.code import ScriptCode
from rulesengine.engine.kernel.scripts.texts import drafted
from rulesengine.engine.kernel.scripts.words import index_of, is_text
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import Op, bound, is_loop, walk
from rulesengine.language.ir.roles import has_role, is_variable
from rulesengine.support.frozen import replace

Text = tuple[Value, Value]  # offset and size


def without_texts(code: ScriptCode, op: Op) -> tuple[Op, dict[str, Value]]:
    """Return an expression where variables replace the queries of texts, and their values."""
    values: dict[str, Value] = {}
    return _replaced(code, op, values), values


def _replaced(code: ScriptCode, op: Op, values: dict[str, Value]) -> Op:
    emission = _emission(op)
    if emission:
        name = f"={len(values)}"
        values[name] = emission(code, op)
        return Op("variable", op.type, (), name)
    if not any(_emission(inner) for inner in walk(op)):
        return op
    if bound(op) or is_loop(op):
        raise Unsupported("a query of a text for each value of a domain")
    return replace(op, args=tuple(_replaced(code, arg, values) for arg in op.args))


def _emission(op: Op) -> Callable[[ScriptCode, Op], Value] | None:
    if has_role(op, "equality"):
        return _emit_is_equal if op.args[0].type == "text" else None
    return _EMIT.get(op.name)


def _emit_is_equal(code: ScriptCode, op: Op) -> Value:
    texts = [arg for arg in op.args if not _is_fixed(arg)]
    if len(texts) == 1:
        (fixed,) = (arg for arg in op.args if _is_fixed(arg))
        return is_text(code, *_text(code, texts[0]), str(fixed.value))
    if all(not is_variable(text) or is_variable(text, "move") for text in texts):
        raise Unsupported("a comparison of two texts that are put together")
    first, second = (_text(code, text) for text in texts)
    return _emit_same(code, first, second)


def _is_fixed(op: Op) -> bool:
    return has_role(op, "constant") and isinstance(op.value, str)


def _text(code: ScriptCode, op: Op) -> Text:
    if is_variable(op) and not is_variable(op, "move"):
        return code.text(str(op.value))
    return drafted(code, op)


def _emit_same(code: ScriptCode, one: Text, other: Text) -> Value:
    """Return a flag that is true if two texts in memory are equal."""
    b = code.ctx.b
    same = b.let(b.op("ieq", one[1], other[1]))

    def compare(index: Value) -> None:
        first, second = (
            b.read("load8", code.memory, b.op("iadd", start, index)) for start, _ in (one, other)
        )
        b.set(same, b.op("fand", b.get(same), b.op("ieq", first, second)))

    b.range(b.i(0), b.op("imin", one[1], other[1]), compare)
    return b.get(same)


def _emit_length(code: ScriptCode, op: Op) -> Value:
    if op.args[0].type != "text":
        raise Unsupported("the length of a list")
    return _text(code, op.args[0])[1]


def _emit_cell(code: ScriptCode, op: Op) -> Value:
    names = {name: cell for cell, name in enumerate(code.ctx.program.form.cells)}
    return index_of(code, "cell", names, *_text(code, op.args[0]))


def _emit_symbol_kind(code: ScriptCode, op: Op) -> Value:
    return _emit_piece(code, op, "symbol_kind", 0)


def _emit_symbol_owner(code: ScriptCode, op: Op) -> Value:
    return _emit_piece(code, op, "symbol_owner", 1)


def _emit_piece(code: ScriptCode, op: Op, name: str, part: int) -> Value:
    form = code.ctx.program.form
    numbers = {symbol: form.piece_of(symbol)[part] for symbol in form.symbols if symbol}
    return index_of(code, name, numbers, *_text(code, op.args[0]))


_EMIT: MappingProxyType[str, Callable[[ScriptCode, Op], Value]] = MappingProxyType(
    {
        "length": _emit_length,
        "cell_called": _emit_cell,
        "symbol_kind": _emit_symbol_kind,
        "symbol_owner": _emit_symbol_owner,
    }
)
