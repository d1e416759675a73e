"""One object to a module that runs: functions numbered, data and memory given their places.

The module takes nothing from outside. It has one memory, which it exports: first the stack, so
that one that grows too far leaves the memory, then data, the context record and whatever the
caller keeps. An entry point is exported as a function of two addresses, words in and words out,
which begins with an empty stack: a call that was broken off leaves none.
"""

from collections.abc import Iterable, Mapping

from rulesengine.engine.kernel.backends.wasm import encoding as wasm
from rulesengine.engine.kernel.backends.wasm.object_reader import (
    ADDRESS,
    ADDRESS_WORD,
    FUNCTION,
    FUNCTION_SYMBOL,
    GLOBAL,
    Body,
    Parts,
    Relocation,
    Segment,
)
from rulesengine.errors import InternalError
from rulesengine.support.frozen import record

STACK = 1 << 19
_PAGE = 1 << 16
_LINE = 64
_PADDED = 5  # bytes of a number that a relocation names in code
_WORD = 4  # bytes of an address among data
_ADDRESSES = 3  # parameters of an entry point: its context, words in, words out


@record
class Linked:
    """A module, and from where on its memory is the caller's."""

    code: bytes
    heap: int


def linked(parts: Parts, entries: Mapping[str, str], context: int) -> Linked:
    """The module of an object, without what its entries do not reach.

    `entries` are the functions of an object's entry points by the names under which they are
    exported, `context` is the size of the record that they share.
    """
    return _Link(parts, entries, context).module()


class _Link:
    def __init__(self, parts: Parts, entries: Mapping[str, str], context: int) -> None:
        self.parts, self.entries = parts, entries
        defined = {s.name: s.number for s in parts.symbols if s.kind == FUNCTION_SYMBOL}
        self.exported = {name: defined[function] for name, function in entries.items()}
        functions, segments = self._reached()
        self.functions = {old: new for new, old in enumerate(sorted(functions))}
        self.places, end = _laid_out(parts.segments, sorted(segments))
        self.context = _aligned(end, _LINE)
        self.heap = _aligned(self.context + context, _LINE)

    def _body(self, number: int) -> Body:
        """The body of a function by its number, which counts those from outside first."""
        imports = self.parts.imports
        if number < len(imports):
            raise InternalError(
                f"code for WebAssembly calls `{imports[number]}`, which is not there"
            )
        return self.parts.bodies[number - len(imports)]

    def _reached(self) -> tuple[set[int], set[int]]:
        """The functions and the segments that the entries need."""
        functions, segments = set[int](), set[int]()
        waiting = [(True, number) for number in self.exported.values()]
        while waiting:
            is_function, number = waiting.pop()
            found = functions if is_function else segments
            if number in found:
                continue
            found.add(number)
            for relocation in self._inside(is_function, number):
                if relocation.kind != GLOBAL:
                    named = self.parts.symbols[relocation.symbol]
                    waiting.append((relocation.kind == FUNCTION, named.number))
        return functions, segments

    def _inside(self, is_function: bool, number: int) -> Iterable[Relocation]:
        if is_function:
            body = self._body(number)
            return _within(self.parts.in_code, body.begin, len(body.code))
        segment = self.parts.segments[number]
        return _within(self.parts.in_data, segment.begin, len(segment.data))

    def module(self) -> Linked:
        """All sections, one after the other."""
        types = (*self.parts.types, _signature(_ADDRESSES - 1))
        kinds = [self._body(number).type for number in self.functions]
        kinds += [len(types) - 1] * len(self.exported)
        pages = -(-self.heap // _PAGE)
        top = wasm.I32 + b"\1" + _constant(STACK) + wasm.END
        sections = (
            wasm.section(wasm.TYPE, types),
            wasm.section(wasm.FUNCTION, [*map(wasm.unsigned, kinds)]),
            wasm.section(wasm.MEMORY, [b"\0" + wasm.unsigned(pages)]),
            wasm.section(wasm.GLOBAL, [top]),
            wasm.section(wasm.EXPORT, [*self._exports()]),
            wasm.section(wasm.CODE, [*map(wasm.sized, self._codes())]),
            wasm.section(wasm.DATA, [*map(self._data, self.places)]),
        )
        return Linked(wasm.MAGIC + b"".join(sections), self.heap)

    def _exports(self) -> Iterable[bytes]:
        yield wasm.sized(b"memory") + wasm.SECTION_MEMORY + b"\0"
        for number, name in enumerate(self.exported, start=len(self.functions)):
            yield wasm.sized(name.encode()) + wasm.SECTION_FUNCTION + wasm.unsigned(number)

    def _codes(self) -> Iterable[bytes]:
        for number in self.functions:
            yield self._code(self._body(number))
        for function in self.exported.values():
            yield self._begun(self.functions[function])

    def _begun(self, function: int) -> bytes:
        """The function that calls an entry point with an empty stack."""
        stack = _constant(STACK) + wasm.GLOBAL_SET + b"\0"
        given = b"".join(wasm.LOCAL_GET + wasm.unsigned(i) for i in range(_ADDRESSES - 1))
        call = wasm.CALL + wasm.unsigned(function) + wasm.END
        return wasm.vector([]) + stack + _constant(self.context) + given + call

    def _code(self, body: Body) -> bytes:
        """A body with its numbers in as few bytes as they need."""
        found, done = bytearray(), 0
        for relocation in _within(self.parts.in_code, body.begin, len(body.code)):
            at = relocation.at - body.begin
            found += body.code[done:at] + self._number(relocation)
            done = at + (_WORD if relocation.kind == ADDRESS_WORD else _PADDED)
        return bytes(found + body.code[done:])

    def _data(self, number: int) -> bytes:
        """A segment at its place."""
        segment, data = self.parts.segments[number], bytearray(self.parts.segments[number].data)
        for relocation in _within(self.parts.in_data, segment.begin, len(data)):
            at = relocation.at - segment.begin
            data[at : at + _WORD] = self._number(relocation)
        return b"\0" + _constant(self.places[number]) + wasm.END + wasm.sized(bytes(data))

    def _number(self, relocation: Relocation) -> bytes:
        """What stands where a relocation is."""
        symbol = self.parts.symbols[relocation.symbol]
        if relocation.kind == GLOBAL:
            return wasm.unsigned(0)  # the one that there is, the top of the stack
        if relocation.kind == FUNCTION:
            return wasm.unsigned(self.functions[symbol.number])
        address = self.places[symbol.number] + symbol.offset + relocation.addend
        if relocation.kind == ADDRESS_WORD:
            return address.to_bytes(_WORD, "little")
        return wasm.unsigned(address) if relocation.kind == ADDRESS else wasm.signed(address)


def _within(relocations: Iterable[Relocation], begin: int, size: int) -> Iterable[Relocation]:
    """Those in some bytes of a section."""
    return (r for r in relocations if begin <= r.at < begin + size)


def _laid_out(segments: tuple[Segment, ...], numbers: list[int]) -> tuple[dict[int, int], int]:
    """Where segments lie behind the stack, and where the last one ends."""
    places, end = dict[int, int](), STACK
    for number in numbers:
        places[number] = _aligned(end, segments[number].align)
        end = places[number] + len(segments[number].data)
    return places, end


def _aligned(at: int, to: int) -> int:
    return -(-at // to) * to


def _constant(number: int) -> bytes:
    return wasm.I32_CONST + wasm.signed(number)


def _signature(params: int) -> bytes:
    """The type of functions that take addresses and give a number."""
    return b"\x60" + wasm.vector([wasm.I32] * params) + wasm.vector([wasm.I32])
