"""Merging of equal functions: equal results, with functions that call each other."""

from collections.abc import Sequence

from rulesengine.engine.kernel.code.builder import Builder
from rulesengine.engine.kernel.code.form import Module, Type, Value
from rulesengine.engine.kernel.code.function_merging import merge_equal
from tests.helpers.kernel_reference import Machine

CELLS = 16
INPUTS = [(0x8421, 0x0F0F, 3), (0, 0xFFFF, 9)]


def module_of(steps: Sequence[int], *, is_recursive: bool = False) -> Module:
    """Return a module with two functions for each number, and an entry point that calls them.

    `outer` calls `inner`, which adds its number to a count; a recursive `inner` calls `outer`.
    """
    b = Builder(CELLS)
    types: tuple[Type, ...] = ("m", "m", "i")
    for name in ("outer", "inner"):
        for place in range(len(steps)):
            b.declare(f"{name}{place}", types, ("i",))
    for place, step in enumerate(steps):
        with b.function(f"outer{place}", types, ("i",)) as v:
            more = b.op("isub", v[2], b.i(1))
            result = b.let(b.op("mcount", v[0]))

            def descend(v: Sequence[Value] = v, place: int = place, more: Value = more) -> None:
                b.set(result, *b.call(f"inner{place}", v[1], v[0], more))  # noqa: B023

            b.when(b.op("ilt", b.i(0), v[2]), descend)
            b.emit_return(b.get(result))
        with b.function(f"inner{place}", types, ("i",)) as v:
            (found,) = b.call(f"outer{place}", *v) if is_recursive else (v[2],)
            b.emit_return(b.op("iadd", b.op("imul", found, b.i(2)), b.i(step)))
    with b.function("run", types, ("i",), entry=True) as v:
        total = b.i(0)
        for place in range(len(steps)):
            (found,) = b.call(f"outer{place}", *v)
            total = b.op("iadd", b.op("imul", total, b.i(100)), found)
        b.emit_return(total)
    return b.module


def assert_left(count: int, steps: Sequence[int], *, is_recursive: bool) -> None:
    """Merge the functions of a module, of which `count` remain, with equal results."""
    expected = Machine(module_of(steps, is_recursive=is_recursive))
    merged = merge_equal(module_of(steps, is_recursive=is_recursive))
    assert len(merged.functions) == count
    for args in INPUTS:
        assert Machine(merged).call("run", args) == expected.call("run", args) is not None


def test_equal_functions_with_their_callees_become_one() -> None:
    assert_left(1 + 2, (7, 7, 7), is_recursive=False)


def test_functions_that_call_different_ones_remain() -> None:
    assert_left(1 + 4, (7, 8, 7), is_recursive=False)


def test_recursive_functions_are_merged() -> None:
    assert_left(1 + 2, (5, 5), is_recursive=True)
    assert_left(1 + 4, (5, 6), is_recursive=True)


def test_entry_points_remain() -> None:
    b = Builder(CELLS)
    for name in ("one", "other"):
        with b.function(name, ("i",), ("i",), entry=True) as v:
            b.emit_return(b.op("iadd", v[0], b.i(1)))
    assert set(merge_equal(b.module).functions) == {"one", "other"}


def test_functions_with_exchanged_operands_remain() -> None:
    def module(is_swapped: bool) -> Module:
        b = Builder(CELLS)
        for name in ("one", "other"):
            with b.function(name, ("i", "i"), ("i",)) as v:
                first, second = v[::-1] if is_swapped and name == "other" else v
                b.emit_return(b.op("isub", first, second))
        with b.function("run", ("i", "i"), ("i",), entry=True) as v:
            results = [b.call(name, *v)[0] for name in ("one", "other")]
            b.emit_return(b.op("iadd", b.op("imul", results[0], b.i(50)), results[1]))
        return b.module

    for is_swapped, left in ((False, 2), (True, 3)):
        merged = merge_equal(module(is_swapped))
        assert len(merged.functions) == left
        assert Machine(merged).call("run", (9, 4)) == (50 * 5 + (-5 if is_swapped else 5),)
