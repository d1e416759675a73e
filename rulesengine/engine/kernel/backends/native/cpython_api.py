"""Emit accesses to Python objects and calls of the C API in the code of callables.

The addresses of functions and objects are read from a table of the object code that is filled at
load time: cached code contains no addresses.
"""

from collections.abc import Callable

from rulesengine.engine.kernel.backends.native.cpython_offsets import ObjectLayout
from rulesengine.engine.kernel.backends.native.text import Body

CALLS = (
    "PyBool_FromLong",
    "PyBytes_FromStringAndSize",
    "PyErr_Clear",
    "PyErr_Occurred",
    "PyLong_AsLongLong",
    "PyLong_FromLongLong",
    "PyLong_FromUnsignedLongLong",
    "PyObject_Vectorcall",
    "PyTuple_New",
    "PyTuple_SetItem",
    "PyTuple_Size",
    "PyType_GenericAlloc",
    "Py_DecRef",
    "Py_IncRef",
)
# Indices into the table: the context, None, the type `bytes`, the address of `_CallMemory`. Indices
# into `_CallMemory`: the owner of the history in the context, the tuple returned last, the
# argument that it was returned for, and the length of the history.
CONTEXT, NONE, BYTES, CALL_STATE = range(4)
HISTORY_OWNER, LAST_TUPLE, LAST_ARGUMENT, HISTORY_LENGTH = range(4)
FIRST_CALL = 4
FIRST_OBJECT = FIRST_CALL + len(CALLS)


class ObjectEmitter:
    """An emitter of operations on Python objects."""

    def __init__(self, b: Body, objects: ObjectLayout) -> None:
        self.b = b
        self.objects = objects

    def word(self, type: str, value: str, at: int) -> str:
        """Load a field of an object, at an offset in bytes."""
        return self.b.let(f"load {type}, ptr {self.at(value, at)}, align 8")

    def at(self, value: str, at: int) -> str:
        return self.b.let(f"getelementptr i8, ptr {value}, i64 {at}")

    def type_of(self, value: str) -> str:
        return self.word("ptr", value, self.objects.type)

    def size_of(self, value: str) -> str:
        """Load the size of a tuple or a `bytes` object."""
        return self.word("i64", value, self.objects.size)

    def content_of(self, value: str) -> str:
        """Return the address of the content of a `bytes` object."""
        return self.at(value, self.objects.bytes_content)

    def add_reference(self, value: str) -> None:
        """Increment the reference count of an object inline, unless the object is immortal."""
        b = self.b
        if not self.objects.has_immortals:
            count = b.let(f"add i64 {self.word('i64', value, 0)}, 1")
            b.do(f"store i64 {count}, ptr {value}, align 8")
            return
        before = self.word("i32", value, 0)
        after = b.let(f"add i32 {before}, 1")
        immortal = b.let(f"icmp slt i32 {before}, 0")
        count = b.let(f"select i1 {immortal}, i32 {before}, i32 {after}")
        b.do(f"store i32 {count}, ptr {value}, align 8")

    def go_on_if(self, flag: str, other: str) -> None:
        """Branch to a block unless a flag is set."""
        further = self.b.fresh("further")
        self.b.branch(flag, further, other)
        self.b.block(further)

    def differs(self, value: str, other: str, at: int) -> str:
        """Emit a flag that is true if an object (or null) is not identical to another.

        If an offset is given, two objects of the same type are equal too if the `bytes` objects at
        that offset are equal.
        """
        b = self.b
        another = b.let(f"icmp ne ptr {value}, {other}")
        if not at:
            return another
        differs, on = b.slot("i1"), b.fresh("on")
        b.do(f"store i1 {another}, ptr {differs}")
        self.go_on_if(another, on)
        self.go_on_if(b.let(f"icmp ne ptr {value}, null"), on)
        kind = self.type_of(other)
        self.go_on_if(b.let(f"icmp eq ptr {self.type_of(value)}, {kind}"), on)
        self._go_on_if_equal([self.word("ptr", one, at) for one in (value, other)], on)
        b.do(f"store i1 false, ptr {differs}")
        b.block(on)
        return b.let(f"load i1, ptr {differs}")

    def _go_on_if_equal(self, pair: list[str], other: str) -> None:
        """Branch to a block unless both objects are `bytes` and are equal."""
        b = self.b
        for one in pair:
            self.go_on_if(b.let(f"icmp ne ptr {one}, null"), other)
            kind = self.type_of(one)
            self.go_on_if(b.let(f"icmp eq ptr {kind}, {self.loaded(BYTES)}"), other)
        size, its_size = (self.size_of(one) for one in pair)
        self.go_on_if(b.let(f"icmp eq i64 {size}, {its_size}"), other)

        def compare(index: str) -> None:
            places = [
                b.let(f"getelementptr i8, ptr {self.content_of(one)}, i64 {index}") for one in pair
            ]
            byte, its_byte = (b.let(f"load i8, ptr {place}") for place in places)
            self.go_on_if(b.let(f"icmp eq i8 {byte}, {its_byte}"), other)

        self.times(size, compare)

    def item(self, tuple_object: str, index: str) -> str:
        """Return the address of an item of a tuple."""
        items = self.at(tuple_object, self.objects.tuple_items)
        return self.b.let(f"getelementptr ptr, ptr {items}, i64 {index}")

    def times(self, count: str, body: Callable[[str], None]) -> None:
        """Emit a loop over the numbers from 0 to `count` - 1."""
        b = self.b
        head, inside, end, before = b.fresh("head"), b.fresh("each"), b.fresh("end"), b.label
        index, after = f"%{b.fresh('index')}", f"%{b.fresh('after')}"
        b.block(head)
        at = len(b.lines)
        b.branch(b.let(f"icmp ult i64 {index}, {count}"), inside, end)
        b.block(inside)
        body(index)
        b.do(f"{after} = add i64 {index}, 1")
        line = f"  {index} = phi i64 [ 0, %{before} ], [ {after}, %{b.label} ]"
        b.lines.insert(at, line)
        b.jump(head)
        b.block(end)

    def place(self, number: int) -> str:
        """Return the address of a field that is kept between calls."""
        return self.b.let(f"getelementptr i64, ptr {self.loaded(CALL_STATE)}, i64 {number}")

    def load_reference(self, number: int) -> str:
        return self.b.let(f"load ptr, ptr {self.place(number)}, align 8")

    def store_reference(self, number: int, value: str) -> None:
        """Store a strong reference in place of the previous one."""
        place = self.place(number)
        before = self.b.let(f"load ptr, ptr {place}, align 8")
        self.call("void", "Py_IncRef", ("ptr", value))
        self.b.do(f"store ptr {value}, ptr {place}, align 8")
        self.call("void", "Py_DecRef", ("ptr", before))

    def tuple_of(self, objects: list[str]) -> str:
        size = ("i64", str(len(objects)))
        tuple_object = self.checked(self.called("ptr", "PyTuple_New", size))
        for place, value in enumerate(objects):
            args = (("ptr", tuple_object), ("i64", str(place)), ("ptr", value))
            self.called("i32", "PyTuple_SetItem", *args)
        return tuple_object

    def checked(self, pointer: str) -> str:
        """Return a new object; if it is null, return null with the exception that is set."""
        b = self.b
        wrong, on = b.fresh("wrong"), b.fresh("on")
        b.branch(b.let(f"icmp eq ptr {pointer}, null"), wrong, on)
        b.block(wrong)
        b.end("ret ptr null")
        b.block(on)
        return pointer

    def return_none(self) -> None:
        none = self.loaded(NONE)
        self.call("void", "Py_IncRef", ("ptr", none))
        self.b.end(f"ret ptr {none}")

    def loaded(self, place: int) -> str:
        at = self.b.let(f"getelementptr ptr, ptr @api, i64 {place}")
        return self.b.let(f"load ptr, ptr {at}, align 8")

    def called(self, result: str, name: str, *args: tuple[str, str]) -> str:
        return self.b.let(self._call_text(result, name, args))

    def call(self, result: str, name: str, *args: tuple[str, str]) -> None:
        self.b.do(self._call_text(result, name, args))

    def _call_text(self, result: str, name: str, args: tuple[tuple[str, str], ...]) -> str:
        function = self.loaded(FIRST_CALL + CALLS.index(name))
        return f"call {result} {function}({', '.join(f'{t} {a}' for t, a in args)})"
