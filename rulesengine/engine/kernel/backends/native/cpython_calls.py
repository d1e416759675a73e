"""Entry points as built-in functions: argument checks, conversion, the call, the result.

A call holds the interpreter lock throughout, so all callables share one context. Objects are in the
address table in the order of `CallableSpec.objects`.
"""

from collections.abc import Mapping
from itertools import accumulate

from rulesengine.engine.kernel.backends.callables import (
    AbsenceFlag,
    CallableSpec,
    DifferenceFlag,
    HistoryLength,
    IntegerArgument,
    ObjectResult,
    PackedList,
    PackedValues,
    PlainResult,
    TupleResult,
)
from rulesengine.engine.kernel.backends.native import memory
from rulesengine.engine.kernel.backends.native.callables import table_objects
from rulesengine.engine.kernel.backends.native.cpython_api import (
    BYTES,
    FIRST_OBJECT,
    HISTORY_LENGTH,
    HISTORY_OWNER,
    LAST_ARGUMENT,
    LAST_TUPLE,
    ObjectEmitter,
)
from rulesengine.engine.kernel.backends.native.cpython_offsets import ObjectLayout, slot_at
from rulesengine.engine.kernel.backends.native.layout import Layout
from rulesengine.engine.kernel.backends.native.memory import ContextRecord
from rulesengine.engine.kernel.backends.native.text import Body
from rulesengine.engine.kernel.backends.native.values import read, widths, write
from rulesengine.engine.kernel.code.form import Function
from rulesengine.errors import InternalError
from rulesengine.support.frozen import record

_WORD = 8


@record
class PythonCalls:
    """The callables of a module by name, and the layout of the objects that they access."""

    fasts: Mapping[str, CallableSpec]
    objects: ObjectLayout


def table_text(fasts: Mapping[str, CallableSpec]) -> str:
    size = FIRST_OBJECT + len(table_objects(fasts))
    return f"@api = global [{size} x ptr] zeroinitializer, align 8"


class CallableEmitter(ObjectEmitter):
    """An emitter of one callable around the call of its entry point."""

    def __init__(
        self,
        b: Body,
        calls: PythonCalls,
        name: str,
        function: Function,
        layout: Layout,
        record: ContextRecord,
    ) -> None:
        super().__init__(b, calls.objects)
        fasts = calls.fasts
        self.fast, self.function = fasts[name], function
        self.layout, self.record = layout, record
        before = list(fasts.values())[: list(fasts).index(name)]
        self._next = FIRST_OBJECT + sum(len(fast.objects()) for fast in before)
        self._slow = self._next + len(self.fast.objects()) - 1
        self.arguments: list[str] = []

    # arguments

    def parameters(self) -> list[str]:
        """Emit the arguments of the entry point; for other arguments call the fallback `slow`."""
        b = self.b
        self.leave_if(b.let(f"icmp ne i64 %count, {len(self.fast.arguments)}"))
        self._leave_if_named()
        for place, argument in enumerate(self.fast.arguments):
            at = b.let(f"getelementptr ptr, ptr %arguments, i64 {place}")
            value = b.let(f"load ptr, ptr {at}, align 8")
            self.arguments.append(value)
            if argument.of:
                self._leave_unless_same(self.type_of(value))
            for name, _ in argument.same:
                self._leave_unless_same(self._attribute(place, name))
        values: list[str] = []
        for parameter in self.fast.parameters:
            values += self._values(parameter, len(values))
        if len(values) != len(self.function.params):
            raise InternalError("a callable gives other parameters than its entry point takes")
        return values

    def _leave_if_named(self) -> None:
        """Call the fallback if there is a keyword argument other than the option."""
        b = self.b
        named = b.let("icmp ne ptr %names, null")
        if not self.fast.option:
            self.leave_if(named)
            return
        look, on, option = b.fresh("look"), b.fresh("unnamed"), self._object()
        b.branch(named, look, on)
        b.block(look)
        size = self.called("i64", "PyTuple_Size", ("ptr", "%names"))
        self.leave_if(b.let(f"icmp ne i64 {size}, 1"))
        name = b.let(f"load ptr, ptr {self.item('%names', '0')}, align 8")
        self.leave_if(b.let(f"icmp ne ptr {name}, {option}"))
        b.jump(on)
        b.block(on)

    def _values(self, parameter: object, first: int) -> list[str]:
        b, types = self.b, [p.type for p in self.function.params[first:]]
        match parameter:
            case PackedValues(argument, attribute, count):
                return self._unpacked(argument, attribute, tuple(types[:count]))
            case PackedList(argument, attribute):
                start, size = self._bytes(argument, attribute)
                items = b.let(f"lshr i64 {size}, 3")
                return [memory.copy_list(b, self.record, start, items)]
            case IntegerArgument(argument):
                word = self._number(self.arguments[argument])
                return [b.let(f"icmp ne i64 {word}, 0") if types[0] == "f" else word]
            case DifferenceFlag(argument, attribute, other, content):
                value = self._attribute(argument, attribute)
                of = self.fast.arguments[other].of
                place = slot_at(of, content) if of and content else 0
                return [self.differs(value, self.arguments[other], place)]
            case AbsenceFlag(argument, other):
                return [self._is_unlisted(self.arguments[argument], self.arguments[other])]
            case HistoryLength(argument):
                owner = self.load_reference(HISTORY_OWNER)
                self.leave_if(b.let(f"icmp ne ptr {owner}, {self.arguments[argument]}"))
                return [b.let(f"load i64, ptr {self.place(HISTORY_LENGTH)}, align 8")]
        raise InternalError("no such parameter")

    def _unpacked(self, argument: int, attribute: str, types: tuple[str, ...]) -> list[str]:
        """Read values from the words in a `bytes` object."""
        places = [0, *accumulate(widths(types, self.layout))]
        start, size = self._bytes(argument, attribute)
        self.leave_if(self.b.let(f"icmp ne i64 {size}, {_WORD * places[-1]}"))
        pairs = zip(types, places, strict=False)
        return [read(self.b, t, self.layout, self.record, start, place) for t, place in pairs]

    def _bytes(self, argument: int, attribute: str) -> tuple[str, str]:
        """Return the address of the content of a `bytes` object, and its size."""
        value = self._attribute(argument, attribute) if attribute else self.arguments[argument]
        if attribute:
            self.leave_if(self.b.let(f"icmp eq ptr {value}, null"))
        of = self.type_of(value)
        self.leave_if(self.b.let(f"icmp ne ptr {of}, {self.loaded(BYTES)}"))
        return self.content_of(value), self.size_of(value)

    def _number(self, argument: str) -> str:
        b = self.b
        word = self.called("i64", "PyLong_AsLongLong", ("ptr", argument))
        maybe, on = b.fresh("maybe"), b.fresh("on")
        b.branch(b.let(f"icmp eq i64 {word}, -1"), maybe, on)
        b.block(maybe)
        error = self.called("ptr", "PyErr_Occurred")
        self.leave_if(b.let(f"icmp ne ptr {error}, null"), error=True)
        b.block(on)
        return word

    def _attribute(self, argument: int, name: str) -> str:
        """Load an attribute of an argument (a borrowed reference); null if it is not set."""
        of = self.fast.arguments[argument].of
        if of is None:
            raise InternalError("an attribute of an argument of any type")
        return self.word("ptr", self.arguments[argument], slot_at(of, name))

    def _leave_unless_same(self, value: str) -> None:
        self.leave_if(self.b.let(f"icmp ne ptr {value}, {self._object()}"))

    def leave_if(self, flag: str, *, error: bool = False) -> None:
        """Return the result of the fallback, or None, if a flag is set.

        With `error`, the exception that is set is cleared first.
        """
        leave, on = self.b.fresh("leave"), self.b.fresh("on")
        self.b.branch(flag, leave, on)
        self.b.block(leave)
        if error:
            self.call("void", "PyErr_Clear")
        self._leave()
        self.b.block(on)

    def _leave(self) -> None:
        if self.fast.slow is None:
            self.return_none()
            return
        args = (("ptr", "%arguments"), ("i64", "%count"), ("ptr", "%names"))
        slow = ("ptr", self.loaded(self._slow))
        self.b.end(f"ret ptr {self.called('ptr', 'PyObject_Vectorcall', slow, *args)}")

    # results

    def return_results(self, values: list[str]) -> None:
        """Emit the return of the results of the entry point."""
        match self.fast.gives:
            case ObjectResult() as wanted:
                self._return_object(wanted, values)
            case TupleResult() as known:
                self._return_tuple(known, values[0])
            case PlainResult(none, then) if none is not None and then is not None:
                self._return_none_or(none, values[0])
            case _:
                self.b.end(f"ret ptr {self._whole(values)}")

    def _return_none_or(self, none: int, value: str) -> None:
        """Return None for the value `none`, and the result of `then` for any other value."""
        b = self.b
        is_none, on = b.fresh("given"), b.fresh("on")
        b.branch(b.let(f"icmp eq i64 {value}, {none}"), is_none, on)
        b.block(is_none)
        self.return_none()
        b.block(on)
        objects = [self.called("ptr", "PyLong_FromLongLong", ("i64", value)), *self.arguments]
        self.checked(objects[0])
        array = b.slot(f"[{len(objects)} x ptr]", 8)
        for place, one in enumerate(objects):
            b.do(f"store ptr {one}, ptr {b.let(f'getelementptr ptr, ptr {array}, i64 {place}')}")
        args = (("ptr", array), ("i64", str(len(objects))), ("ptr", "null"))
        then = ("ptr", self._object())
        result = self.called("ptr", "PyObject_Vectorcall", then, *args)
        self.call("void", "Py_DecRef", ("ptr", objects[0]))
        b.end(f"ret ptr {result}")

    def _return_tuple(self, known: TupleResult, numbers: str) -> None:
        b = self.b
        size = b.let(f"lshr i64 {b.let(f'load i64, ptr {numbers}, align 8')}, 1")
        tuple_object = self.checked(self.called("ptr", "PyTuple_New", ("i64", size)))
        items, first = b.let(f"getelementptr i8, ptr {numbers}, i64 64"), self._next
        self._next += sum(map(len, known.objects))

        def give(index: str) -> None:
            at = b.let(f"getelementptr i64, ptr {items}, i64 {b.let(f'shl i64 {index}, 1')}")
            word = b.let(f"load i64, ptr {at}, align 8")
            row = b.let(f"and i64 {word}, {(1 << known.low) - 1}")
            start = b.let(f"mul i64 {row}, {len(known.objects[0])}")
            place = b.let(f"add i64 {start}, {b.let(f'lshr i64 {word}, {known.high}')}")
            at = b.let(f"getelementptr ptr, ptr @api, i64 {b.let(f'add i64 {place}, {first}')}")
            item = b.let(f"load ptr, ptr {at}, align 8")
            self.add_reference(item)
            b.do(f"store ptr {item}, ptr {self.item(tuple_object, index)}, align 8")

        self.times(size, give)
        self.store_reference(LAST_TUPLE, tuple_object)
        self.store_reference(LAST_ARGUMENT, self.arguments[0])
        b.end(f"ret ptr {tuple_object}")

    def _is_unlisted(self, wanted: str, other: str) -> str:
        b = self.b
        missing = b.slot("i1")
        b.do(f"store i1 true, ptr {missing}")
        of, has_entry, on = b.fresh("of"), b.fresh("found"), b.fresh("on")
        b.branch(b.let(f"icmp eq ptr {self.load_reference(LAST_ARGUMENT)}, {other}"), of, on)
        b.block(of)
        listed = self.load_reference(LAST_TUPLE)
        size = self.called("i64", "PyTuple_Size", ("ptr", listed))

        def compare(index: str) -> None:
            one = b.let(f"load ptr, ptr {self.item(listed, index)}, align 8")
            self.go_on_if(b.let(f"icmp ne ptr {one}, {wanted}"), has_entry)

        self.times(size, compare)
        b.jump(on)
        b.block(has_entry)
        b.do(f"store i1 false, ptr {missing}")
        b.block(on)
        return b.let(f"load i1, ptr {missing}")

    def _whole(self, values: list[str]) -> str:
        """Return all values as one object."""
        types = self.function.results
        if "b" in types:
            lists = [self._items(value) for value in values]
            return lists[0] if len(lists) == 1 else self.tuple_of(lists)
        if len(types) == 1 and (types[0] != "m" or self.layout.words == 1):
            return self._plain(types[0], values[0])
        return self._packed(types, values)

    def _return_object(self, result_type: ObjectResult, values: list[str]) -> None:
        type, types = self._object(), self.function.results
        attributes = {name: self._object() for name, _ in result_type.constants}
        attributes |= {name: self.arguments[number] for name, number in result_type.arguments}
        old = list(attributes.values())
        # Lists are copied before the object is allocated, since an allocation may run code that
        # calls again.
        attributes |= {name: self._items(values[place]) for name, place in result_type.lists}
        for name, place in result_type.numbers:
            attributes[name] = self.checked(self._plain(types[place], values[place]))
        if result_type.results:
            own = [(t, value) for t, value in zip(types, values, strict=True) if t != "h"]
            packed = self._packed(tuple(t for t, _ in own), [value for _, value in own])
            attributes[result_type.results] = packed
        instance = self.checked(
            self.called("ptr", "PyType_GenericAlloc", ("ptr", type), ("i64", "0"))
        )
        for value in old:
            self.call("void", "Py_IncRef", ("ptr", value))
        for name, value in attributes.items():
            slot = self.at(instance, slot_at(result_type.of, name))
            self.b.do(f"store ptr {value}, ptr {slot}, align 8")
        if "h" in types:
            self._record_history(instance, values[types.index("h")])
        self.b.end(f"ret ptr {instance}")

    def _record_history(self, instance: str, length: str) -> None:
        """Record that the context contains the history of a new object."""
        self.store_reference(HISTORY_OWNER, instance)
        self.b.do(f"store i64 {length}, ptr {self.place(HISTORY_LENGTH)}, align 8")

    def _packed(self, types: tuple[str, ...], values: list[str]) -> str:
        """Return a `bytes` object with the words of values."""
        places = [0, *accumulate(widths(types, self.layout))]
        size = ("i64", str(_WORD * places[-1]))
        bytes_object = self.called("ptr", "PyBytes_FromStringAndSize", ("ptr", "null"), size)
        start = self.content_of(self.checked(bytes_object))
        for type, value, place in zip(types, values, places, strict=False):
            write(self.b, type, self.layout, value, start, place)
        return bytes_object

    def _items(self, numbers: str) -> str:
        """Return a `bytes` object with the items of a list."""
        b = self.b
        size = b.let(f"shl i64 {b.let(f'load i64, ptr {numbers}, align 8')}, 3")
        items = b.let(f"getelementptr i8, ptr {numbers}, i64 64")
        args = (("ptr", items), ("i64", size))
        return self.checked(self.called("ptr", "PyBytes_FromStringAndSize", *args))

    def _plain(self, type: str, value: str) -> str:
        match type:
            case "i" | "h":
                return self.called("ptr", "PyLong_FromLongLong", ("i64", value))
            case "m":
                word = ("i64", self.layout.to_word(self.b, value))
                return self.called("ptr", "PyLong_FromUnsignedLongLong", word)
            case "u":
                return self.called("ptr", "PyLong_FromUnsignedLongLong", ("i64", value))
            case "f":
                flag = self.b.let(f"zext i1 {value} to i64")
                return self.called("ptr", "PyBool_FromLong", ("i64", flag))
        raise InternalError(f"no object of type {type}")

    # the table

    def _object(self) -> str:
        """Load the next object in the order of `CallableSpec.objects`."""
        self._next += 1
        return self.loaded(self._next - 1)
