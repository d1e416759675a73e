"""Native kernels as functions: loaded object code, arguments in words, a context per thread."""

import ctypes
import struct
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulesengine.engine.kernel.backends.callables import CallableSpec
from rulesengine.engine.kernel.backends.code_image import Image
from rulesengine.engine.kernel.backends.native.callables import (
    AddressTable,
    make_callable,
    redirect,
    table_objects,
)
from rulesengine.engine.kernel.backends.native.cpython_offsets import object_layout
from rulesengine.engine.kernel.backends.native.exit_codes import RETURNED, STOPPED
from rulesengine.engine.kernel.backends.native.loader import LoadedCode, zeros
from rulesengine.engine.kernel.backends.native.memory import MARK
from rulesengine.engine.kernel.backends.native.object_code import (
    CompileError,
    cached_object,
    interim_object,
)
from rulesengine.engine.kernel.backends.native.promotion import Promotion, promote
from rulesengine.engine.kernel.backends.native.target import Target, versions
from rulesengine.engine.kernel.backends.protocol import Store
from rulesengine.errors import Stopped

# Seconds until better code is compiled for cached code of a lower tier: a short run needs none.
_DELAY = 1.0
_ENTRY = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class Native:
    """The entry points of a module as native code, from its image and its object code.

    `fasts` are the callables that the code contains; `fast` has them by name. Threads may call the
    entry points concurrently: each has its own context record, and calls release the interpreter
    lock. Raises CompileError.
    """

    def __init__(
        self,
        image: Image,
        data: bytes,
        target: Target,
        fasts: Mapping[str, CallableSpec] | None = None,
    ) -> None:
        self.image = image
        # The compilation of better code in the background, if there is one.
        self.promotion: Promotion | None = None
        self._target = target
        self._size = image.context
        self._threads = threading.local()
        code = LoadedCode(data, target)
        self._entries = {
            name: Entry(params, results, image.words, function_at(code, name))
            for name, (params, results) in image.entries.items()
        }
        self.line: AddressTable | None = None
        self.fast = self._callables(dict(fasts or {}), code)

    def _callables(
        self, fasts: dict[str, CallableSpec], code: LoadedCode
    ) -> dict[str, Callable[..., Any]]:
        if not fasts:
            return {}
        memory = zeros(self._size)
        context = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        objects = table_objects(fasts)
        owners = (code, memory, *objects)
        self.line = table = AddressTable(code.variable("api"), context, objects, owners)
        addresses = ((name, code.symbol(f"p.{name}")) for name in fasts)
        return {name: make_callable(address, table) for name, address in addresses}

    def replace(self, data: bytes) -> None:
        """Use other object code of the same text from the next call on.

        Running calls end in the code that they began in. Both compute the same on the same context
        records. Raises CompileError, and changes nothing then.
        """
        code = LoadedCode(data, self._target)
        entries = {name: function_at(code, name) for name in self._entries}
        calls = {name: code.symbol(f"p.{name}") for name in self.fast}
        if self.line is not None:
            self.line.move(code.variable("api"), code)
        for name, address in calls.items():
            redirect(self.fast[name], address)
        for name, function in entries.items():
            self._entries[name].function = function

    @property
    def is_final(self) -> bool:
        return self.promotion is None or self.promotion.has_ended

    def wait_until_final(self, seconds: float) -> bool:
        return self.promotion is None or self.promotion.is_over(seconds)

    def call(self, name: str, args: Sequence[Any]) -> tuple[Any, ...] | None:
        """Return the results of an entry point, None if it fails; a list is returned as a list.

        A call fails too if there is no memory for its context. An argument of type `a` is a
        writable buffer. Raises Stopped.
        """
        try:
            context = self.context
        except CompileError:
            return None
        return self._entries[name].call(context, args)

    def bound(self, name: str, args: Sequence[Any]) -> Callable[[], bool]:
        """Return a function that calls an entry point with these arguments; True if it succeeds."""
        entry = self._entries[name]
        arguments, out, buffers = entry.bound(args)
        threads = self._threads

        def call(
            buffers: object = buffers,
        ) -> bool:  # the default argument keeps the call buffers alive
            try:
                context = threads.pointer
            except AttributeError:
                try:
                    context = self._pointer()
                except CompileError:
                    return False
            ended = entry.function(context, arguments, out)
            return ended == RETURNED or _is_returned(ended)

        return call

    def _pointer(self) -> ctypes.c_void_p:
        """Return this thread's context as a ctypes pointer; raises as `context` does."""
        self._threads.pointer = ctypes.c_void_p(self.context)
        return self._threads.pointer  # type: ignore[no-any-return]

    @property
    def context(self) -> int:
        """Return the address of this thread's context record; raise CompileError without memory."""
        try:
            return self._threads.address  # type: ignore[no-any-return]
        except AttributeError:
            self._threads.memory = zeros(self._size)
            start = ctypes.c_char.from_buffer(self._threads.memory)
            self._threads.address = ctypes.addressof(start)
            return ctypes.addressof(start)

    @property
    def mark(self) -> int:
        """Return the last number marked by a call of this thread; raises as `context` does."""
        return ctypes.c_int64.from_address(self.context + MARK).value


class Entry:
    """An entry point with the conversion of its arguments and results.

    `function` may be replaced by an equivalent one between two calls.
    """

    def __init__(self, params: str, results: str, words: int, function: Callable[..., int]) -> None:
        self.function = function
        self._pack = struct.Struct(_format(params, words)).pack
        input_form = struct.Struct(_format(results, words))
        self._unpack, self._out = input_form.unpack, ctypes.c_char * max(8, input_form.size)
        self._size = input_form.size
        self._wide_in = _wide(params, words)
        self._wide_out = _wide(results, words)
        self._memories = _places(params, "a")
        self._buffers = _places(params, "b")
        self._lists = _places(results, "b")
        self._bytes = 8 * words

    def call(self, context: int, args: Sequence[Any]) -> tuple[Any, ...] | None:
        if self._memories or self._buffers:
            return self._call_holding(context, *self._placed(args))
        return self._call(context, self._in_bytes(list(args)) if self._wide_in else args)

    def _in_bytes(self, args: list[Any]) -> list[Any]:
        """Convert sets of more than one word to bytes, in place."""
        for place in self._wide_in:
            args[place] = args[place].to_bytes(self._bytes, "little")
        return args

    def bound(self, args: Sequence[Any]) -> tuple[ctypes.c_void_p, ctypes.c_void_p, object]:
        """Return the argument and result buffers, and the objects to keep alive."""
        args, buffers = self._placed(args)
        input_words, out = ctypes.c_char_p(self._pack(*args)), self._out()
        pointers = ctypes.cast(input_words, ctypes.c_void_p), ctypes.c_void_p(ctypes.addressof(out))
        return *pointers, (input_words, out, buffers)

    def _placed(self, args: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Return arguments with addresses of buffers and lists, and the objects to keep alive."""
        args, buffers = list(args), list[Any]()
        for place in self._buffers:
            buffers.append((ctypes.c_int64 * len(args[place]))(*args[place]))
            args[place : place + 1] = [ctypes.addressof(buffers[-1]), len(buffers[-1])]
        self._in_bytes(args)
        for place in self._memories:
            buffers.append((ctypes.c_char * 0).from_buffer(args[place]))
            args[place] = ctypes.addressof(buffers[-1])
        return args, buffers

    def _call_holding(
        self, context: int, args: list[Any], buffers: list[Any]
    ) -> tuple[Any, ...] | None:
        """Call the entry point; `buffers` keeps its arguments alive until the call has ended."""
        return self._call(context, args)

    def _call(self, context: int, args: Sequence[Any]) -> tuple[Any, ...] | None:
        out = self._out()
        ended = self.function(context, self._pack(*args), out)
        if ended != RETURNED and not _is_returned(ended):
            return None
        values = self._unpack(out.raw[: self._size])
        return self._rich(values) if self._wide_out or self._lists else values

    def _rich(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """Convert sets of more than one word and lists to Python objects."""
        arguments = list(values)
        for place in self._wide_out:
            arguments[place] = int.from_bytes(arguments[place], "little")
        for place in reversed(self._lists):
            address, size = arguments[place : place + 2]
            arguments[place : place + 2] = [list((ctypes.c_int64 * size).from_address(address))]
        return tuple(arguments)


def function_at(code: LoadedCode, name: str) -> Callable[..., int]:
    """Return an entry point of loaded code, which it keeps loaded."""
    function = _ENTRY(code.symbol(f"e.{name}"))
    function.code = code  # type: ignore[attr-defined]
    return function


def _is_returned(ended: int) -> bool:
    """True if an entry point has returned. Raises Stopped."""
    if ended == STOPPED:
        raise Stopped
    return ended == RETURNED


def _format(types: str, words: int) -> str:
    """Return the `struct` format of values in words."""
    wide = f"{8 * words}s" if words > 1 else "Q"
    return "<" + "".join({"i": "q", "h": "q", "m": wide, "b": "QQ"}.get(t, "Q") for t in types)


def _wide(types: str, words: int) -> tuple[int, ...]:
    """Return the indices of sets of more than one word."""
    return _places(types, "m") if words > 1 else ()


def _places(types: str, wanted: str) -> tuple[int, ...]:
    """Return the indices of the values of a type; a list takes two words."""
    spread = "".join("bx" if t == "b" else t for t in types)
    return tuple(i for i, t in enumerate(spread) if t == wanted)


def load_image(image: Image, store: Store, fasts: Mapping[str, CallableSpec]) -> Native | None:
    """Load the code of a cached image; None if it is of another machine or was evicted.

    Code of a lower tier is loaded too; better code is then compiled after a while.
    """
    target = host_target()
    if image.maker != maker(target):
        return None
    fasts = fasts if object_layout() else {}
    data = cached_object(store, image.code)
    if data is not None:
        return Native(image, data, target, fasts)
    interim = interim_object(store, image.code)
    if interim is None:
        return None
    native = Native(image, interim[0], target, fasts)
    native.promotion = promote(native, interim[1], target, store, image.code, delay=_DELAY)
    return native


def maker(target: Target) -> str:
    """Return a description of the tools and the processor; an image needs an equal one to load."""
    return " ".join([*versions(), target.triple, target.cpu, target.flags, sys.version])


def host_target() -> Target:
    """Return the processor of this machine.

    Raises CompileError if no native code can be compiled.
    """
    from importlib.util import find_spec

    from rulesengine.engine.kernel.backends.native.target import host

    if sys.byteorder != "little":
        raise CompileError("native code is made for little-endian processors only")
    if find_spec("llvmlite") is None:
        raise CompileError("llvmlite is not installed")
    try:
        return host()
    except (ImportError, OSError):
        raise CompileError("llvmlite is installed, and cannot be loaded") from None
