"""A back end with kernels as WebAssembly modules, run by Wasmtime."""

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import wasmtime

from rulesengine.engine.kernel.backends.callables import CallableSpec
from rulesengine.engine.kernel.backends.native.emit import emit, kind_of, record_of
from rulesengine.engine.kernel.backends.native.exit_codes import RETURNED
from rulesengine.engine.kernel.backends.native.exit_codes import STOPPED as ENDED
from rulesengine.engine.kernel.backends.native.memory import MARK
from rulesengine.engine.kernel.backends.protocol import Store
from rulesengine.engine.kernel.backends.wasm.build import TARGET, WebModule, build_web_module
from rulesengine.engine.kernel.backends.wasm.module_merge import SHARED, merge_modules
from rulesengine.engine.kernel.code.form import Module
from rulesengine.errors import Stopped

_ALONE = "alone"
_PAGE, _WORD, _LINE, _MASK = 1 << 16, 8, 64, 2**64 - 1


class Instance:
    """A module instance: its entry points called with words, its memory as bytes."""

    def __init__(self, code: bytes) -> None:
        engine = wasmtime.Engine()
        self._store = wasmtime.Store(engine)
        instance = wasmtime.Instance(self._store, wasmtime.Module(engine, code), [])
        self._exports = instance.exports(self._store)
        memory = self._exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self._memory = memory

    def names(self) -> list[str]:
        return sorted(self._exports.keys())

    def call(self, name: str, start: int, out: int) -> int:
        """Return the status of an entry point with arguments and results at these addresses. May
        trap.
        """
        function = self._exports[name]
        assert isinstance(function, wasmtime.Func)
        return int(function(self._store, start, out))

    def read(self, at: int, size: int) -> bytes:
        return bytes(self._memory.read(self._store, at, at + size))

    def write(self, at: int, data: bytes) -> None:
        """Write bytes at an address; memory grows to hold them."""
        missing = at + len(data) - self._memory.data_len(self._store)
        if missing > 0:
            self._memory.grow(self._store, -(-missing // _PAGE))
        self._memory.write(self._store, data, at)


class Part:
    """One part of an instance as `Compiled`: it copies values and memory in and out.

    `failed` counts the failed calls, which the interpreter repeats.
    """

    def __init__(self, instance: Instance, made: WebModule, part: str, context: int) -> None:
        self.instance = instance
        self.made = made
        self.part = part
        self.failed = 0
        self.fast: dict[str, Any] = {}
        self.image = self.line = None
        self._mark = made.heap - -(-context // _LINE) * _LINE + MARK

    @property
    def is_final(self) -> bool:
        return True

    def wait_until_final(self, seconds: float) -> bool:
        return True

    @property
    def mark(self) -> int:
        return int.from_bytes(self.instance.read(self._mark, _WORD), "little")

    def call(self, name: str, args: Sequence[Any]) -> tuple[Any, ...] | None:
        full = name if name == SHARED else f"{self.part}.{name}"
        params, results = self.made.entries[full]
        out = self.made.heap
        start = out + _WORD * (sum(map(self._width, results)) + 1)
        begin = start + _WORD * (sum(map(self._width, params)) + 1)
        words, held = self._given(params, args, -(-begin // _LINE) * _LINE)
        self.instance.write(out, bytes(start - out))
        self.instance.write(start, words)
        try:
            ended = self.instance.call(full, start, out)
        except wasmtime.Trap:
            ended = -1
        for at, memory in held:
            memory[:] = self.instance.read(at, len(memory))
        if ended == ENDED:
            raise Stopped
        if ended != RETURNED:
            self.failed += 1
            return None
        return self._results(results, out)

    def bound(self, name: str, args: Sequence[Any]) -> Callable[[], bool]:
        return lambda: self.call(name, args) is not None

    def _width(self, type: str) -> int:
        return {"m": self.made.words, "b": 2}.get(type, 1)

    def _given(
        self, params: str, args: Sequence[Any], free: int
    ) -> tuple[bytes, list[tuple[int, Any]]]:
        """Return the words of parameters; lists and memory are written from an address on."""
        words, held = b"", list[tuple[int, Any]]()
        for type, value in zip(params, args, strict=True):
            if type == "m":
                words += value.to_bytes(_WORD * self._width(type), "little")
            elif type in "ab":
                data = struct.pack(f"<{len(value)}q", *value) if type == "b" else bytes(value)
                self.instance.write(free, data)
                words += struct.pack("<Q", free)
                words += struct.pack("<Q", len(value)) if type == "b" else b""
                held += [(free, value)] if type == "a" else []
                free = -(-(free + len(data)) // _LINE) * _LINE
            else:
                words += struct.pack("<Q", int(value) & _MASK)
        return words, held

    def _results(self, results: str, at: int) -> tuple[Any, ...]:
        values = list[Any]()
        for type in results:
            size = _WORD * self._width(type)
            data = self.instance.read(at, size)
            at += size
            if type == "b":
                place, count = struct.unpack("<QQ", data)
                numbers = self.instance.read(place, _WORD * count)
                values.append(list(struct.unpack(f"<{count}q", numbers)))
            else:
                values.append(int.from_bytes(data, "little", signed=type in "ih"))
        return tuple(values)


class WebAssembly:
    """The back end's description: the parts of a program in one module, or each in a module of its
    own.

    `parts` are joined parts of one program; all others are linked separately.
    """

    name = "wasm"
    rate = call_rate = load_seconds = 0.0
    seats = 1
    keeps_history = True
    has_threads = False
    remark = ";"

    def __init__(self, parts: Mapping[str, Module] | None = None, *, level: int = 0) -> None:
        self.parts = dict(parts or {})
        self.level = level
        self.compiled: list[Part] = []
        self._joined: tuple[Instance, WebModule, int] | None = None

    @property
    def failed(self) -> int:
        return sum(part.failed for part in self.compiled)

    def compile_seconds(self, size: int, part: str) -> float:
        return 0.0

    def problem(self) -> None:
        return None

    def versions(self) -> dict[str, str]:
        return {}

    def maker(self) -> str:
        return "the tests"

    def processor(self) -> tuple[str, tuple[str, ...]]:
        return "", ()

    def compile(
        self, module: Module, store: Store | None, fasts: Mapping[str, CallableSpec]
    ) -> Part:
        alike = (n for n, m in self.parts.items() if m.functions.keys() == module.functions.keys())
        name = next(alike, "")
        if name and not self._joined:
            self._joined = self._linked(self.parts)
        linked = self._joined if name else self._linked({_ALONE: module})
        assert linked is not None
        self.compiled.append(Part(*linked[:2], name or _ALONE, linked[2]))
        return self.compiled[-1]

    def _linked(self, parts: Mapping[str, Module]) -> tuple[Instance, WebModule, int]:
        """Return an instance of some parts, its module, and the size of their context record."""
        made = build_web_module(parts, level=self.level)
        return Instance(made.code), made, record_of(merge_modules(parts)).size

    def reloaded(self, *kept: object) -> None:
        """Return None: its code cannot be cached."""

    def kind(self, module: Module) -> str:
        return kind_of(module, TARGET)

    def text(self, module: Module) -> str:
        return emit(module, TARGET)
