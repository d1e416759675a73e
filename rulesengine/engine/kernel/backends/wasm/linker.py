"""Link one object to a module: number the functions, lay out data and memory.

The module has no imports. Its one memory, which it exports, begins with the stack, so that a stack
overflow leaves the memory and traps. Data, the context record and the caller's memory follow. An
entry point is exported as a function of two addresses, words in and words out. It first resets the
stack pointer: an aborted call leaves no stack behind. See decision 060.
"""

from collections.abc import Iterable, Mapping

from rulesengine.engine.kernel.backends.wasm import encoding as wasm
from rulesengine.engine.kernel.backends.wasm.object_reader import (
    ADDRESS,
    ADDRESS_WORD,
    FUNCTION,
    FUNCTION_SYMBOL,
    GLOBAL,
    FunctionBody,
    ObjectFile,
    Relocation,
    Segment,
)
from rulesengine.errors import InternalError
from rulesengine.support.frozen import record

STACK = 1 << 19
_PAGE = 1 << 16
_LINE = 64
_PADDED = 5  # bytes of a relocated number in code
_WORD = 4  # bytes of an address in data
_ADDRESSES = 3  # parameters of an entry point: its context, words in, words out


@record
class LinkedModule:
    """A module; from address `heap` on the memory is free for the caller."""

    code: bytes
    heap: int


def link(parts: ObjectFile, entries: Mapping[str, str], context: int) -> LinkedModule:
    """Link an object; functions and data that the entries do not reach are left out.

    `entries` maps exported names to functions of the object, `context` is the size of the record
    that they share.
    """
    return _Link(parts, entries, context).module()


class _Link:
    def __init__(self, parts: ObjectFile, entries: Mapping[str, str], context: int) -> None:
        self.parts, self.entries = parts, entries
        defined = {s.name: s.number for s in parts.symbols if s.kind == FUNCTION_SYMBOL}
        self.exported = {name: defined[function] for name, function in entries.items()}
        functions, segments = self._reached()
        self.functions = {old: new for new, old in enumerate(sorted(functions))}
        self.places, end = _laid_out(parts.segments, sorted(segments))
        self.context = _aligned(end, _LINE)
        self.heap = _aligned(self.context + context, _LINE)

    def _body(self, number: int) -> FunctionBody:
        """Return the body of a function by its number, which counts imports first."""
        imports = self.parts.imports
        if number < len(imports):
            raise InternalError(
                f"code for WebAssembly calls `{imports[number]}`, which is not there"
            )
        return self.parts.bodies[number - len(imports)]

    def _reached(self) -> tuple[set[int], set[int]]:
        """Return the functions and the segments that are reachable from the entries."""
        functions, segments = set[int](), set[int]()
        waiting = [(True, number) for number in self.exported.values()]
        while waiting:
            is_function, number = waiting.pop()
            numbers = functions if is_function else segments
            if number in numbers:
                continue
            numbers.add(number)
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

    def module(self) -> LinkedModule:
        """Return the module with all sections."""
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
        return LinkedModule(wasm.MAGIC + b"".join(sections), self.heap)

    def _exports(self) -> Iterable[bytes]:
        yield wasm.sized(b"memory") + wasm.SECTION_MEMORY + b"\0"
        for number, name in enumerate(self.exported, start=len(self.functions)):
            yield wasm.sized(name.encode()) + wasm.SECTION_FUNCTION + wasm.unsigned(number)

    def _codes(self) -> Iterable[bytes]:
        for number in self.functions:
            yield self._code(self._body(number))
        for function in self.exported.values():
            yield self._entry_point(self.functions[function])

    def _entry_point(self, function: int) -> bytes:
        """Return a function that calls an entry point with an empty stack."""
        stack = _constant(STACK) + wasm.GLOBAL_SET + b"\0"
        arguments = b"".join(wasm.LOCAL_GET + wasm.unsigned(i) for i in range(_ADDRESSES - 1))
        call = wasm.CALL + wasm.unsigned(function) + wasm.END
        return wasm.vector([]) + stack + _constant(self.context) + arguments + call

    def _code(self, body: FunctionBody) -> bytes:
        """Return a body with its relocated numbers in the shortest encoding."""
        code, done = bytearray(), 0
        for relocation in _within(self.parts.in_code, body.begin, len(body.code)):
            at = relocation.at - body.begin
            code += body.code[done:at] + self._number(relocation)
            done = at + (_WORD if relocation.kind == ADDRESS_WORD else _PADDED)
        return bytes(code + body.code[done:])

    def _data(self, number: int) -> bytes:
        """Return a segment with its address."""
        segment, data = self.parts.segments[number], bytearray(self.parts.segments[number].data)
        for relocation in _within(self.parts.in_data, segment.begin, len(data)):
            at = relocation.at - segment.begin
            data[at : at + _WORD] = self._number(relocation)
        return b"\0" + _constant(self.places[number]) + wasm.END + wasm.sized(bytes(data))

    def _number(self, relocation: Relocation) -> bytes:
        """Return the encoded value of a relocation."""
        symbol = self.parts.symbols[relocation.symbol]
        if relocation.kind == GLOBAL:
            return wasm.unsigned(0)  # the only global, the stack pointer
        if relocation.kind == FUNCTION:
            return wasm.unsigned(self.functions[symbol.number])
        address = self.places[symbol.number] + symbol.offset + relocation.addend
        if relocation.kind == ADDRESS_WORD:
            return address.to_bytes(_WORD, "little")
        return wasm.unsigned(address) if relocation.kind == ADDRESS else wasm.signed(address)


def _within(relocations: Iterable[Relocation], begin: int, size: int) -> Iterable[Relocation]:
    """Return the relocations inside a range of a section."""
    return (r for r in relocations if begin <= r.at < begin + size)


def _laid_out(segments: tuple[Segment, ...], numbers: list[int]) -> tuple[dict[int, int], int]:
    """Assign addresses after the stack to segments; return them and the end of the last one."""
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
    """Return the type of functions from addresses to a number."""
    return b"\x60" + wasm.vector([wasm.I32] * params) + wasm.vector([wasm.I32])
