"""Entry points that Python calls like functions of its own: they read objects, give objects.

A call holds the interpreter's lock from end to end, so that all of them share one context. The
addresses of Python's functions are in a table of the object code that is filled when it is
loaded: kept code holds no addresses.
"""

from rulesengine.errors import InternalError
from rulesengine.kernel.backends.native.layout import Layout
from rulesengine.kernel.backends.native.text import Body
from rulesengine.kernel.backends.protocol import Fast
from rulesengine.kernel.code.form import Function

CALLS = (
    "PyObject_GetAttr",
    "PyTuple_GetItem",
    "PyLong_AsUnsignedLongLongMask",
    "PyErr_Occurred",
    "Py_DecRef",
    "Py_IncRef",
    "PyLong_FromLongLong",
    "PyLong_FromUnsignedLongLong",
    "PyBool_FromLong",
    "PyTuple_New",
    "PyTuple_SetItem",
)
CONTEXT, NONE = 0, 1
_FIRST_CALL = 2
FIRST_NAME = _FIRST_CALL + len(CALLS)


def is_fast(function: Function, layout: Layout) -> bool:
    """Whether all that goes in or out of an entry point is in single words or lists."""
    types = (*(p.type for p in function.params), *function.results)
    if not function.results or "a" in types:
        return False
    return layout.words == 1 or "m" not in types


def names_of(fasts: dict[str, Fast]) -> list[str]:
    """The attributes that are read, in the order of their places in the table."""
    return sorted({name for fast in fasts.values() for name, _ in fast.sources if name})


def table_text(fasts: dict[str, Fast]) -> str:
    return f"@api = global [{FIRST_NAME + len(names_of(fasts))} x ptr] zeroinitializer, align 8"


class Reader:
    """Writes what reads the argument of one callable."""

    def __init__(self, b: Body, fast: Fast, names: list[str]) -> None:
        self.b, self.fast = b, fast
        self.places = {name: FIRST_NAME + k for k, name in enumerate(names)}
        self.owned: list[str] = []
        self.attributes: dict[str, str] = {"": "%argument"}

    def words(self) -> list[str]:
        """All parameters, each as a word."""
        numbers = [self._object(*source) for source in self.fast.sources]
        mask = "PyLong_AsUnsignedLongLongMask"
        words = [called(self.b, "i64", mask, ("ptr", number)) for number in numbers]
        for owned in self.owned:
            call(self.b, "void", "Py_DecRef", ("ptr", owned))
        self._leave_if(self.b.let(f"icmp ne ptr {called(self.b, 'ptr', 'PyErr_Occurred')}, null"))
        return words

    def _object(self, name: str, index: int) -> str:
        if name not in self.attributes:
            place = loaded(self.b, self.places[name])
            args = (("ptr", "%argument"), ("ptr", place))
            found = called(self.b, "ptr", "PyObject_GetAttr", *args)
            self._leave_if(self.b.let(f"icmp eq ptr {found}, null"))
            self.owned.append(found)
            self.attributes[name] = found
        if index < 0:
            return self.attributes[name]
        args = (("ptr", self.attributes[name]), ("i64", str(index)))
        item = called(self.b, "ptr", "PyTuple_GetItem", *args)
        self._leave_if(self.b.let(f"icmp eq ptr {item}, null"))
        return item

    def _leave_if(self, flag: str) -> None:
        """Return with the exception that is set."""
        wrong, on = self.b.fresh("wrong"), self.b.fresh("on")
        self.b.branch(flag, wrong, on)
        self.b.block(wrong)
        self.b.end("ret ptr null")
        self.b.block(on)


def loaded(b: Body, place: int) -> str:
    """What stands at a place of the table."""
    return b.let(f"load ptr, ptr {b.let(f'getelementptr ptr, ptr @api, i64 {place}')}, align 8")


def called(b: Body, result: str, name: str, *args: tuple[str, str]) -> str:
    return b.let(_call(b, result, name, args))


def call(b: Body, result: str, name: str, *args: tuple[str, str]) -> None:
    b.do(_call(b, result, name, args))


def _call(b: Body, result: str, name: str, args: tuple[tuple[str, str], ...]) -> str:
    function = loaded(b, _FIRST_CALL + CALLS.index(name))
    return f"call {result} {function}({', '.join(f'{t} {a}' for t, a in args)})"


def give(b: Body, types: tuple[str, ...], values: list[str]) -> None:
    """Return values as one object."""
    if len(types) == 1:
        b.end(f"ret ptr {_object(b, types[0], values[0])}")
        return
    whole = called(b, "ptr", "PyTuple_New", ("i64", str(len(types))))
    for index, (type, value) in enumerate(zip(types, values, strict=True)):
        args = (("ptr", whole), ("i64", str(index)), ("ptr", _object(b, type, value)))
        called(b, "i32", "PyTuple_SetItem", *args)
    b.end(f"ret ptr {whole}")


def give_none(b: Body) -> None:
    none = loaded(b, NONE)
    call(b, "void", "Py_IncRef", ("ptr", none))
    b.end(f"ret ptr {none}")


def _object(b: Body, type: str, value: str) -> str:
    match type:
        case "i" | "h":
            return called(b, "ptr", "PyLong_FromLongLong", ("i64", value))
        case "m" | "u":
            return called(b, "ptr", "PyLong_FromUnsignedLongLong", ("i64", value))
        case "f":
            return called(b, "ptr", "PyBool_FromLong", ("i64", b.let(f"zext i1 {value} to i64")))
        case "b":
            return _tuple(b, value)
    raise InternalError(f"no object of type {type}")


def _tuple(b: Body, numbers: str) -> str:
    """The items of a list as a tuple."""
    size = b.let(f"load i64, ptr {numbers}, align 8")
    items = b.let(f"getelementptr i8, ptr {numbers}, i64 64")
    whole = called(b, "ptr", "PyTuple_New", ("i64", size))
    head, body, end, before = b.fresh("item"), b.fresh("each"), b.fresh("done"), b.label
    index, after = f"%{b.fresh('index')}", f"%{b.fresh('after')}"
    b.block(head)
    b.do(f"{index} = phi i64 [ 0, %{before} ], [ {after}, %{body} ]")
    b.branch(b.let(f"icmp ult i64 {index}, {size}"), body, end)
    b.block(body)
    item = b.let(f"load i64, ptr {b.let(f'getelementptr i64, ptr {items}, i64 {index}')}, align 8")
    number = called(b, "ptr", "PyLong_FromLongLong", ("i64", item))
    called(b, "i32", "PyTuple_SetItem", ("ptr", whole), ("i64", index), ("ptr", number))
    b.do(f"{after} = add i64 {index}, 1")
    b.jump(head)
    b.block(end)
    return whole
