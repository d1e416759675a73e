"""Entry points as built-in functions of Python: arguments, results and references."""

import gc
import struct
import sys
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

pytest.importorskip("llvmlite")

from rulesengine.engine.kernel.backends.callables import (
    AbsenceFlag,
    Argument,
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
from rulesengine.engine.kernel.backends.native import build
from rulesengine.engine.kernel.code.builder import Builder
from rulesengine.errors import InternalError

Calls = dict[str, Callable[..., Any]]
ONE = (Argument(),)
MOST = 20


@dataclass(slots=True)
class Box:
    """A stand-in for a state in callables."""

    form: object
    packed: object
    before: object = None


@dataclass(slots=True)
class Other:
    form: object
    packed: object


FORM = object()
BOX = Argument(Box, (("form", FORM),))


def words(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}q", *numbers)


def builder(cells: int = 64) -> Builder:
    b = Builder(cells)
    b.module.items = MOST
    with b.function("free", ["m", "m"], ["m"], entry=True, pure=True) as (own, enemy):
        b.emit_return(b.op("mnot", b.op("mor", own, enemy)))
    with b.function("cells", ["m"], ["b"], entry=True) as (cells_,):
        numbers = b.result("list", "b", detail=0)
        b.bits(cells_, lambda cell: b.effect("push", numbers, cell))
        b.emit_return(numbers)
    with b.function("sum", ["i", "i", "f"], ["i"], entry=True) as (x, y, flag):
        b.emit_return(b.op("pick", flag, b.op("cadd", x, y), b.i(0)))
    with b.function("both", ["m", "i"], ["i", "m"], entry=True) as (one, number):
        b.emit_return(b.op("iadd", number, b.i(1)), b.op("mnot", one))
    with b.function("last", ["b"], ["i"], entry=True) as (listed,):
        size = b.result("size", "i", listed)
        b.emit_return(b.result("item", "i", listed, b.op("isub", size, b.i(1))))
    with b.function("pairs", ["m"], ["b"], entry=True) as (cells_,):
        numbers = b.result("list", "b", detail=0)

        def push(cell: Any) -> None:
            b.effect("push", numbers, b.op("ishl", cell, b.i(8)))
            b.effect("push", numbers, b.i(-1))

        b.bits(cells_, push)
        b.emit_return(numbers)
    with b.function("flag", ["m", "f"], ["i"], entry=True) as (cells_, flag):
        b.emit_return(b.op("fint", flag))
    return b


def calls(fasts: dict[str, CallableSpec], cells: int = 64) -> Calls:
    return dict(build.native(builder(cells).module, fasts=fasts).fast)


PLAIN = {
    "free": CallableSpec("free", ONE, (PackedValues(0, "", 2),)),
    "cells": CallableSpec("cells", ONE, (PackedValues(0, "", 1),)),
    "sum": CallableSpec(
        "sum", (Argument(),) * 3, (IntegerArgument(0), IntegerArgument(1), IntegerArgument(2))
    ),
    "both": CallableSpec("both", ONE, (PackedValues(0, "", 2),)),
    "last": CallableSpec("last", ONE, (PackedList(0, ""),)),
}


@pytest.fixture(scope="module")
def plain() -> Calls:
    return calls(PLAIN)


@pytest.mark.slow
def test_bytes_and_numbers_go_in_and_come_out(plain: Calls) -> None:
    assert plain["free"](words(5, 6)) == 2**64 - 1 - 7
    assert plain["sum"](3, -5, True) == -2
    assert plain["sum"](-1, 0, 1) == -1
    assert plain["sum"](3, -5, 0) == 0
    assert plain["both"](words(-1, 41)) == words(42, 0)
    assert plain["cells"](words(0b1010001)) == words(0, 4, 6)
    assert plain["cells"](words(0)) == b""
    assert plain["last"](words(7, 8, 9)) == 9


@pytest.mark.slow
@pytest.mark.parametrize("cells", [65, 100, 361])
def test_large_sets_are_bytes(cells: int) -> None:
    made = calls({"both": PLAIN["both"], "free": PLAIN["free"]}, cells)
    size = 8 * ((cells + 63) // 64)
    one, other = 1 << 64 | 5, 1 << cells - 1
    full = (1 << cells) - 1
    given = b"".join(mask.to_bytes(size, "little") for mask in (one, other))
    assert int.from_bytes(made["free"](given), "little") == full & ~(one | other)
    found = made["both"](one.to_bytes(size, "little") + words(1))
    assert found == words(2) + (full & ~one).to_bytes(size, "little")


def test_failed_call_or_wrong_argument_returns_none(plain: Calls) -> None:
    assert plain["sum"](2**63 - 1, 1, True) is None
    assert plain["cells"](words(2**62 - 1)) is None
    assert plain["cells"](words(7)) == words(0, 1, 2)
    assert plain["last"](words(*range(MOST + 1))) is None
    assert plain["last"](words(*range(MOST))) == MOST - 1
    for wrong in (None, "text", 5, words(1, 2, 3), b"", object()):
        assert plain["free"](wrong) is None
    assert plain["free"]() is None
    assert plain["free"](words(1, 2), words(1, 2)) is None
    assert plain["sum"]("x", 1, True) is None
    assert plain["sum"](2**70, 1, True) is None


@pytest.mark.slow
def test_slow_fallback_receives_the_same_arguments() -> None:
    def slow(*args: Any, **options: Any) -> Any:
        return args, options

    fast = CallableSpec("both", (BOX,), (PackedValues(0, "packed", 2),), slow=slow)
    both = calls({"both": fast})["both"]
    assert both(Box(FORM, words(-1, 1))) == words(2, 0)
    for wrong in (Box(object(), words(-1, 1)), Other(FORM, words(-1, 1)), Box(FORM, None), None):
        assert both(wrong) == ((wrong,), {})
    right = Box(FORM, words(-1, 1))
    assert both(right, 1) == ((right, 1), {})
    assert both(right, check=True) == ((right,), {"check": True})


@pytest.mark.slow
def test_slow_fallback_may_raise() -> None:
    def slow(*args: Any) -> Any:
        raise KeyError(args)

    both = calls(
        {"both": CallableSpec("both", (BOX,), (PackedValues(0, "packed", 2),), slow=slow)}
    )["both"]
    with pytest.raises(KeyError):
        both(None)


@pytest.mark.slow
def test_an_object_is_made_of_results_arguments_and_constants() -> None:
    after = ObjectResult(Box, (("form", FORM),), results="packed", arguments=(("before", 0),))
    both = calls({"both": CallableSpec("both", (BOX,), (PackedValues(0, "packed", 2),), after)})[
        "both"
    ]
    before = Box(FORM, words(-1, 41))
    made = both(before)
    assert type(made) is Box
    assert (made.form, made.packed, made.before) == (FORM, words(42, 0), before)
    assert both(made).before is made


@pytest.mark.slow
def test_lists_are_attributes_of_an_object() -> None:
    listed = ObjectResult(Other, (("form", FORM),), lists=(("packed", 0),))
    cells = calls(
        {"listed": CallableSpec("cells", (BOX,), (PackedValues(0, "packed", 1),), listed)}
    )
    made = cells["listed"](Box(FORM, words(0b101)))
    assert (type(made), made.form, made.packed) == (Other, FORM, words(0, 2))


@pytest.mark.slow
def test_results_are_attributes_of_an_object_as_whole_numbers_too() -> None:
    counted = ObjectResult(Box, (("form", FORM),), numbers=(("before", 0), ("packed", 1)))
    both = calls({"both": CallableSpec("both", (BOX,), (PackedValues(0, "packed", 2),), counted)})[
        "both"
    ]
    made = both(Box(FORM, words(-1, 41)))
    assert (made.form, made.before, made.packed) == (FORM, 42, 0)


@pytest.mark.slow
def test_accepted_option_is_ignored() -> None:
    def slow(*args: object, **options: object) -> tuple[object, ...]:
        return *args, options

    fast = CallableSpec("both", (BOX,), (PackedValues(0, "packed", 2),), slow=slow, option="check")
    both, box = calls({"both": fast})["both"], Box(FORM, words(-1, 41))
    assert both(box, check=False) == both(box, check=0) == both(box) == words(42, 0)
    assert both(box, other=1) == (box, {"other": 1})
    assert both(box, check=1, other=2) == (box, {"check": 1, "other": 2})
    assert both(check=1) == ({"check": 1},)


@pytest.mark.slow
def test_value_is_none_or_the_result_of_a_function() -> None:
    gives = PlainResult(0, lambda number, box: (number, box))
    last = calls({"last": CallableSpec("last", (BOX,), (PackedList(0, "packed"),), gives)})["last"]
    assert last(Box(FORM, words(1, 0))) is None
    box = Box(FORM, words(0, 7))
    assert last(box) == (7, box)


@pytest.mark.slow
def test_known_objects_are_passed_and_recognised() -> None:
    names = tuple(f"c{i}" for i in range(64))
    fasts = {
        "list": CallableSpec(
            "pairs", (BOX,), (PackedValues(0, "packed", 1),), TupleResult((names,), 0, 8)
        ),
        "new": CallableSpec(
            "flag", (BOX, Argument()), (PackedValues(0, "packed", 1), AbsenceFlag(1, 0))
        ),
    }
    made = calls(fasts)
    box, other = Box(FORM, words(0b10110)), Box(FORM, words(0b10110))
    assert made["new"](box, names[1]) == 1
    assert made["list"](box) == ("c1", "c2", "c4")
    assert [made["new"](box, names[i]) for i in (1, 2, 4, 3)] == [0, 0, 0, 1]
    assert made["new"](other, names[1]) == 1
    assert made["list"](Box(FORM, words(0))) == ()
    assert made["new"](box, names[1]) == 1


@pytest.mark.slow
def test_rows_of_known_objects_are_reported_by_low_bits() -> None:
    b = builder()
    with b.function("rows", ["i"], ["b"], entry=True) as (number,):
        numbers = b.result("list", "b", detail=0)
        for value in (number, b.i(0)):
            b.effect("push", numbers, value)
        b.emit_return(numbers)
    rows = (("a", "b", "c"), ("d", "e", "f"))
    fast = CallableSpec("rows", ONE, (IntegerArgument(0),), TupleResult(rows, 8, 28))
    found = build.native(b.module, fasts={"rows": fast}).fast["rows"]
    assert [found(2 << 28), found(1), found(1 | 2 << 28)] == [("c",), ("d",), ("f",)]


@pytest.mark.slow
def test_whether_an_attribute_is_another_argument() -> None:
    fast = CallableSpec(
        "flag", (BOX, Argument(Box)), (PackedValues(0, "packed", 1), DifferenceFlag(1, "before", 0))
    )
    differs = calls({"differs": fast})["differs"]
    box = Box(FORM, words(1))
    assert differs(box, Box(FORM, b"", box)) == 0
    assert differs(box, Box(FORM, b"", Box(FORM, words(1)))) == 1


@pytest.mark.slow
def test_an_attribute_with_equal_bytes_is_no_other_argument() -> None:
    given = (PackedValues(0, "packed", 1), DifferenceFlag(1, "before", 0, "packed"))
    fast = CallableSpec("flag", (BOX, Argument(Box)), given)
    differs = calls({"differs": fast})["differs"]
    box, none = Box(FORM, words(1)), Box(FORM, b"")
    del none.packed
    for other in (box, Box(FORM, words(1)), Box(object(), words(1))):
        assert differs(box, Box(FORM, b"", other)) == 0
    for unlike in (Box(FORM, words(2)), Box(FORM, words(1, 1)), Box(FORM, None), none, None):
        assert differs(box, Box(FORM, b"", unlike)) == 1
    assert differs(box, Box(FORM, b"", Other(FORM, words(1)))) == 1


@pytest.mark.slow
def test_a_history_is_of_one_line_of_play() -> None:
    b = builder()
    with b.function("next", ["i", "h"], ["i", "h"], entry=True) as (number, length):
        longer = b.result("remember", "h", length, number, b.m(1))
        b.emit_return(b.op("iadd", number, b.i(5)), longer)
    after = ObjectResult(Box, (("form", FORM),), results="packed", arguments=(("before", 0),))
    given = (PackedValues(0, "packed", 1), HistoryLength(0))
    native = build.native(b.module, fasts={"next": CallableSpec("next", (BOX,), given, after)})
    step, line = native.fast["next"], native.line
    assert line is not None
    first = Box(FORM, words(10))
    assert step(first) is None
    line.record_history(first, 0)
    second = step(first)
    assert (second.packed, line.line) == (words(15), (second, 1))
    third = step(second)
    assert (third.packed, line.line) == (words(20), (third, 2))
    assert step(first) is None
    line.record_history(first, 7)  # the context has no line of that length
    assert step(first) is None


@pytest.mark.slow
def test_calls_keep_no_references_but_to_what_came_last() -> None:
    names = tuple(f"n{i}" for i in range(64))
    after = ObjectResult(Box, (("form", FORM),), results="packed", arguments=(("before", 0),))
    fasts = {
        "both": CallableSpec("both", (BOX,), (PackedValues(0, "packed", 2),), after),
        "list": CallableSpec(
            "pairs", (BOX,), (PackedValues(0, "packed", 1),), TupleResult((names,), 0, 8)
        ),
        "free": PLAIN["free"],
        "none": CallableSpec(
            "last", (BOX,), (PackedList(0, "packed"),), PlainResult(0, lambda number, box: number)
        ),
    }
    made = calls(fasts)
    box, small = Box(FORM, words(-1, 41)), Box(FORM, words(0b110))
    watched = (box, box.packed, FORM, names[1], None, small, Box)
    made["list"](Box(FORM, words(0)))
    before = [sys.getrefcount(one) for one in watched]
    for _ in range(1000):
        made["both"](box)
        made["both"](None)
        made["list"](small)
        made["free"](5)
        made["none"](Box(FORM, words(0)))
        made["none"](Box(FORM, words(300)))
    made["list"](Box(FORM, words(0)))
    after_counts = [sys.getrefcount(one) for one in watched]
    assert all(abs(x - y) < 20 for x, y in zip(before, after_counts, strict=True))


@pytest.mark.slow
def test_a_callable_outlives_what_made_it_and_goes_with_its_last_user() -> None:
    class Slow:
        def __call__(self, *args: Any) -> str:
            return "slow"

    slow = Slow()
    gone = weakref.ref(slow)
    fast = CallableSpec("both", (BOX,), (PackedValues(0, "packed", 2),), slow=slow)
    native = build.native(builder().module, fasts={"both": fast})
    both = native.fast["both"]
    del native, fast, slow
    gc.collect()
    assert both(Box(FORM, words(-1, 1))) == words(2, 0)
    assert both(None) == "slow"
    del both
    gc.collect()
    assert gone() is None


@pytest.mark.slow
def test_a_circle_through_a_callable_is_collected() -> None:
    class Owner:
        def slow(self, *args: Any) -> str:
            return "slow"

    owner = Owner()
    fast = CallableSpec("both", (BOX,), (PackedValues(0, "packed", 2),), slow=owner.slow)
    owner.call = build.native(builder().module, fasts={"both": fast}).fast["both"]  # type: ignore[attr-defined]
    gone = weakref.ref(owner)
    del owner, fast
    gc.collect()
    assert gone() is None


def test_parameters_that_do_not_fit_the_entry_are_a_mistake_of_ours() -> None:
    with pytest.raises(InternalError, match="other parameters"):
        calls({"wrong": CallableSpec("both", ONE, (PackedValues(0, "", 1),))})
