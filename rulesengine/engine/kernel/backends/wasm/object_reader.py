"""Parse a relocatable WebAssembly object as LLVM writes it.

The format is defined in `Linking.md` of the repository WebAssembly/tool-conventions. Features that
our code never needs (tables, other memories, threads) are rejected.
"""

from collections.abc import Callable
from typing import TypeVar

from rulesengine.engine.kernel.backends.wasm import encoding as wasm
from rulesengine.engine.kernel.backends.wasm.encoding import Reader
from rulesengine.errors import InternalError
from rulesengine.support.frozen import record

T = TypeVar("T")

# Kinds of relocations.
FUNCTION, ADDRESS, SIGNED_ADDRESS, ADDRESS_WORD, GLOBAL = 0, 3, 4, 5, 7
_WITH_ADDEND = frozenset({ADDRESS, SIGNED_ADDRESS, ADDRESS_WORD})
_KINDS = frozenset({FUNCTION, GLOBAL}) | _WITH_ADDEND

_IMPORTED_FUNCTION, _IMPORTED_MEMORY, _IMPORTED_GLOBAL = 0, 2, 3
_SEGMENTS, _SYMBOLS = 5, 8  # subsections of `linking`
FUNCTION_SYMBOL, _DATA_SYMBOL, _GLOBAL_SYMBOL = range(3)
_UNDEFINED, _NAMED = 0x10, 0x40  # flags of symbols


@record
class Symbol:
    """A function or a global by its number, or an offset into a segment; -1 if undefined."""

    kind: int
    name: str
    number: int
    offset: int = 0


@record
class Relocation:
    """A number in a section that depends on the final address or index of a symbol."""

    kind: int
    at: int
    symbol: int
    addend: int


@record
class Segment:
    """Data with its position in the section and its alignment, a power of two."""

    data: bytes
    begin: int
    align: int


@record
class FunctionBody:
    """A function: its type, its whole code, and the position of the code in the section."""

    type: int
    code: bytes
    begin: int


@record
class ObjectFile:
    """An object: types in binary form, functions, data, symbols, relocations of code and data.

    `imports` are the names of the imported functions.
    """

    types: tuple[bytes, ...]
    imports: tuple[str, ...]
    bodies: tuple[FunctionBody, ...]
    segments: tuple[Segment, ...]
    symbols: tuple[Symbol, ...]
    in_code: tuple[Relocation, ...]
    in_data: tuple[Relocation, ...]


def read_object(data: bytes) -> ObjectFile:
    """Parse an object. Raises InternalError for an object that the linker does not support."""
    if not data.startswith(wasm.MAGIC):
        raise InternalError("the output of LLVM is not a WebAssembly object")
    sections, named = _sections(data)
    linking = _linking(named.get("linking", b""))
    aligns = _aligns(linking.get(_SEGMENTS, b""))
    types = _items(sections.get(wasm.FUNCTION, b""), Reader.unsigned)
    bodies = _items(sections.get(wasm.CODE, b""), _body)
    segments = _items(sections.get(wasm.DATA, b""), _segment)
    return ObjectFile(
        _items(sections.get(wasm.TYPE, b""), _type),
        tuple(n for n in _items(sections.get(wasm.IMPORT, b""), _import) if n is not None),
        tuple(FunctionBody(t, code, at) for t, (at, code) in zip(types, bodies, strict=True)),
        tuple(Segment(d, at, a) for (at, d), a in zip(segments, aligns, strict=True)),
        _items(linking.get(_SYMBOLS, b""), _symbol),
        _relocations(named.get("reloc.CODE", b"\0\0")),
        _relocations(named.get("reloc.DATA", b"\0\0")),
    )


def _sections(data: bytes) -> tuple[dict[int, bytes], dict[str, bytes]]:
    """Return the sections by kind, and the custom sections by name."""
    reader, sections, named = Reader(data, len(wasm.MAGIC)), dict[int, bytes](), dict[str, bytes]()
    while reader.has_more:
        kind, inside = reader.byte(), reader.sized()
        if kind == wasm.CUSTOM:
            rest = Reader(inside)
            name = rest.text()
            named[name] = inside[rest.at :]
        else:
            sections[kind] = inside
    return sections, named


def _linking(data: bytes) -> dict[int, bytes]:
    """Return the subsections of `linking`, which begins with a version."""
    reader, subsections = Reader(data), dict[int, bytes]()
    if reader.has_more and reader.unsigned() != 2:
        raise InternalError("objects of WebAssembly have another version")
    while reader.has_more:
        kind = reader.byte()
        subsections[kind] = reader.sized()
    return subsections


def _items(data: bytes, one: Callable[[Reader], T]) -> tuple[T, ...]:
    """Parse the items of a vector."""
    reader = Reader(data)
    return tuple(one(reader) for _ in range(reader.unsigned() if data else 0))


def _type(reader: Reader) -> bytes:
    """Return the type of a function in binary form."""
    begin = reader.at
    reader.byte()
    reader.sized()
    reader.sized()
    return reader.data[begin : reader.at]


def _import(reader: Reader) -> str | None:
    """Return the name of an imported function; None for memory and globals."""
    reader.text()
    name, kind = reader.text(), reader.byte()
    if kind == _IMPORTED_FUNCTION:
        reader.unsigned()
        return name
    if kind not in (_IMPORTED_MEMORY, _IMPORTED_GLOBAL):
        raise InternalError(f"an object imports `{name}`, of kind {kind}")
    reader.take(2)  # limits without a maximum, or a type and its mutability
    return None


def _body(reader: Reader) -> tuple[int, bytes]:
    size = reader.unsigned()
    return reader.at, reader.take(size)


def _segment(reader: Reader) -> tuple[int, bytes]:
    """Return the position and the data of a segment of memory 0; its own address is ignored."""
    flags = reader.unsigned()
    if flags or reader.take(1) != wasm.I32_CONST:
        raise InternalError("a segment of data is of another kind")
    reader.signed()
    reader.take(1)
    size = reader.unsigned()
    return reader.at, reader.take(size)


def _aligns(data: bytes) -> tuple[int, ...]:
    def one(reader: Reader) -> int:
        reader.text()
        align = 1 << reader.unsigned()
        reader.unsigned()
        return align

    return _items(data, one)


def _symbol(reader: Reader) -> Symbol:
    kind, flags = reader.byte(), reader.unsigned()
    is_there = not flags & _UNDEFINED
    if kind == _DATA_SYMBOL:
        name = reader.text()
        if not is_there:
            raise InternalError(f"an object imports data `{name}`")
        number, offset = reader.unsigned(), reader.unsigned()
        reader.unsigned()
        return Symbol(kind, name, number, offset)
    if kind not in (FUNCTION_SYMBOL, _GLOBAL_SYMBOL):
        raise InternalError(f"an object has a symbol of kind {kind}")
    number = reader.unsigned()
    return Symbol(kind, reader.text() if is_there or flags & _NAMED else "", number)


def _relocations(data: bytes) -> tuple[Relocation, ...]:
    reader = Reader(data)
    reader.unsigned()  # the section that they belong to
    return _items(data[reader.at :], _relocation)


def _relocation(reader: Reader) -> Relocation:
    kind, at, symbol = reader.byte(), reader.unsigned(), reader.unsigned()
    if kind not in _KINDS:
        raise InternalError(f"an object has a relocation of kind {kind}")
    return Relocation(kind, at, symbol, reader.signed() if kind in _WITH_ADDEND else 0)
