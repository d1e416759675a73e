"""Memory of the caller, recursion, stopping and words of 64 bits, in each back end."""

import random
import struct
import sys
import threading
import time
from array import array
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from itertools import product
from typing import Any, Protocol

import pytest

from rulesengine.engine.kernel.backends.python import build as python
from rulesengine.engine.kernel.code.builder import Builder
from rulesengine.engine.kernel.code.dead_code import remove_dead_code
from rulesengine.engine.kernel.code.form import (
    MEMORY,
    PURE,
    STATEMENTS,
    HistoryFormat,
    Module,
    Type,
    Value,
)
from rulesengine.errors import InternalError, Stopped
from tests.helpers.kernel_reference import Machine

WORD = 2**64
WORDS_OF = 12  # of an entry of a history; its sets take six at most
ENDS = (0, 1, 2, 255, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1)


class Runs(Protocol):
    def call(self, name: str, args: Sequence[Any]) -> tuple[Any, ...] | None: ...


def native(module: Module) -> Runs:
    from rulesengine.engine.kernel.backends.native.build import native

    return native(module)


def wasm(module: Module) -> Runs:
    from tests.helpers.wasm_backend import WebAssembly

    return WebAssembly().compile(module, None, {})


Make = Callable[[Module], Runs]
needs_llvm = pytest.mark.skipif(not find_spec("llvmlite"), reason="no extra `native`")
has_wasm = find_spec("llvmlite") and find_spec("wasmtime")
needs_wasm = pytest.mark.skipif(not has_wasm, reason="no extra `native`, or no wasmtime")
every_back_end = pytest.mark.parametrize(
    "make",
    [
        Machine,
        python.compiled,
        pytest.param(native, marks=needs_llvm),
        pytest.param(wasm, marks=needs_wasm),
    ],
    ids=["reference", "python", "native", "wasm"],
)


def compiled(
    make: Make, name: str, types: Sequence[Type], results: Sequence[Type], body: Any
) -> Runs:
    """Compile a module with one entry point; `body` receives the builder and the parameters."""
    b = Builder(4)
    with b.function(name, types, results, entry=True) as params:
        body(b, *params)
    return make(b.module)


# words of 64 bits


def words_module() -> Module:
    b = Builder(4)
    for op, (types, result) in PURE.items():
        if set(types) <= {"u", "i"} and "u" in types + result:
            wanted: list[Type] = list(types)  # type: ignore[arg-type]
            with b.function(op, wanted, [result], entry=True) as params:  # type: ignore[list-item]
                b.emit_return(b.op(op, *params))
    return b.module


def drawn(op: str, type: str, place: int, draw: random.Random) -> int:
    if type == "i" and op in ("ushl", "ushr"):
        return draw.choice((0, 1, 63, draw.randrange(64)))
    if type == "i":
        return draw.randrange(1, 2**63) if op == "uhigh" else draw.randrange(-(2**63), 2**63)
    words = (*ENDS, draw.getrandbits(64))
    return draw.choice([word for word in words if word]) if op == "ufirst" else draw.choice(words)


@pytest.mark.slow
@every_back_end
def test_words_wrap_as_is_documented(make: Make) -> None:
    module, draw = words_module(), random.Random(1)
    reference, runs = Machine(module), make(module)
    for op, function in module.functions.items():
        for _ in range(60):
            args = [drawn(op, p.type, k, draw) for k, p in enumerate(function.params)]
            assert runs.call(op, args) == reference.call(op, args), (op, args)


@every_back_end
def test_a_word_is_a_number_by_its_highest_bit(make: Make) -> None:
    # Two's complement, by its definition.
    runs = make(words_module())
    assert runs.call("usign", [WORD - 1]) == (-1,)
    assert runs.call("usign", [2**63]) == (-(2**63),)
    assert runs.call("usign", [2**63 - 1]) == (2**63 - 1,)
    assert runs.call("ult", [2**63 - 1, 2**63]) == (True,)
    assert runs.call("umul", [2**63 + 3, 3]) == (2**63 + 9,)
    assert runs.call("ushr", [2**63, 63]) == (1,)
    assert runs.call("ushl", [3, 63]) == (2**63,)


def test_constant_folding_of_words_matches_execution() -> None:
    module = words_module()
    reference = Machine(module)
    b = Builder(4)
    for op in (
        "ubits",
        "usign",
        "umul",
        "uand",
        "uor",
        "ushl",
        "ushr",
        "ueq",
        "ult",
        "uadd",
        "ucount",
    ):
        types = PURE[op][0]
        for values in product(ENDS, repeat=len(types)):
            pairs = list(zip(types, values, strict=True))
            given = [v % 64 if t == "i" and len(types) > 1 else v for t, v in pairs]
            given = [v - WORD if op == "ubits" and v >> 63 else v for v in given]
            kinds: list[Type] = list(types)  # type: ignore[arg-type]
            folded = b.op(op, *map(b.const, kinds, given))
            assert (folded.constant,) == reference.call(op, given), (op, given)


# loads, stores, atomics

LOADS = tuple(op for op, (_, result) in MEMORY.items() if result and not op.startswith("atomic_"))


def memory_module(cells: int = 4) -> Module:
    """Build an entry point for each instruction on memory; one without a result returns 1."""
    b = Builder(cells)
    for op, (types, result) in MEMORY.items():
        if op == "store_text":  # it has the text as a table
            continue
        wanted: list[Type] = list(types)  # type: ignore[arg-type]
        with b.function(op, wanted, [result or "i"], entry=True) as params:  # type: ignore[list-item]
            if result:
                b.emit_return(b.read(op, *params))
            else:
                b.write(op, *params)
                b.emit_return(b.i(1))
    return b.module


@pytest.mark.slow
@every_back_end
def test_memory_is_read_and_written_as_is_documented(make: Make) -> None:
    module, draw = memory_module(), random.Random(2)
    reference, runs = Machine(module), make(module)
    for op, (types, result) in MEMORY.items():
        if op == "poll" or op.endswith(("_set", "_text")):
            continue
        for _ in range(40):
            one = bytearray(draw.choice((draw.randbytes(64), bytes(64))))
            other = bytearray(one)
            place = 8 * draw.randrange(8) if op.startswith("atomic") else draw.randrange(57)
            values = [drawn(op, t, 0, draw) for t in types[2:]]
            if op == "atomic_cas" and draw.random() < 0.5:
                values[0] = int.from_bytes(one[place : place + 8], "little")
            given = runs.call(op, [one, place, *values])
            expected = reference.call(op, [other, place, *values])
            assert given == (expected if result else (1,)), (op, place, values)
            assert one == other, (op, place, values)


@every_back_end
@pytest.mark.parametrize("cells", [4, 64, 65, 130])
def test_sets_in_memory_are_words_the_first_cell_the_lowest_bit(make: Make, cells: int) -> None:
    runs, draw = make(memory_module(cells)), random.Random(cells)
    words = (cells + 63) // 64
    for cell in (0, cells - 1, *draw.sample(range(cells), 3)):
        memory = bytearray(8 * (words + 2))
        runs.call("store_set", [memory, 8, 1 << cell | 1])
        place, bit = divmod(cell, 64)
        expected = [0] * (words + 2)
        expected[1] |= 1
        expected[1 + place] |= 1 << bit
        assert struct.unpack(f"<{words + 2}Q", memory) == tuple(expected)
        assert runs.call("load_set", [memory, 8]) == (1 << cell | 1,)


@every_back_end
def test_numbers_in_memory_are_little_endian_and_not_below_0(make: Make) -> None:
    runs, memory = make(memory_module()), bytearray(range(0xF8, 0x100)) + bytearray(8)
    assert runs.call("load8", [memory, 1]) == (0xF9,)
    assert runs.call("load16", [memory, 1]) == (0xFAF9,)
    assert runs.call("load32", [memory, 1]) == (0xFCFBFAF9,)
    assert runs.call("load64", [memory, 0]) == (0xFFFEFDFCFBFAF9F8,)
    runs.call("store16", [memory, 9, -2])
    runs.call("store8", [memory, 12, 0x1FF])
    assert memory[8:] == bytes([0, 0xFE, 0xFF, 0, 0xFF, 0, 0, 0])


@every_back_end
def test_any_buffer_that_can_be_written_is_memory(make: Make) -> None:
    runs, words = make(memory_module()), array("Q", [5, 6])
    assert runs.call("atomic_add", [memoryview(words).cast("B"), 8, WORD - 1]) == (6,)
    assert words.tolist() == [5, 5]
    with pytest.raises((TypeError, ValueError)):
        runs.call("store8", [b"constant", 0, 1])


def test_a_place_outside_is_an_error_in_python() -> None:
    with pytest.raises(Exception, match="unpack_from requires a buffer"):
        python.compiled(memory_module()).call("load64", [bytearray(8), 1])


@every_back_end
def test_memory_goes_through_functions_and_variables(make: Make) -> None:
    b = Builder(4)
    b.declare("count", ["a", "i", "i"], ["i"])
    with b.function("count", ["a", "i", "i"], ["i"]) as (memory, place, left):
        b.write("store32", memory, place, left)
        rest, total = b.op("isub", left, b.i(1)), b.let(left)
        more = b.op("ilt", b.i(0), rest)

        def deeper() -> None:
            (found,) = b.call("count", memory, b.op("iadd", place, b.i(4)), rest)
            b.set(total, b.op("iadd", b.get(total), found))

        b.when(more, deeper)
        b.emit_return(b.get(total))
    with b.function("start", ["a", "a", "f"], ["i"], entry=True) as (one, other, flag):
        here = b.let(one)
        b.when(flag, lambda: b.set(here, other))
        b.emit_return(*b.call("count", b.get(here), b.i(0), b.i(4)))
    runs, buffers = make(b.module), (bytearray(16), bytearray(16))
    assert runs.call("start", [*buffers, True]) == (10,)
    assert (buffers[0], list(memoryview(buffers[1]).cast("I"))) == (bytearray(16), [4, 3, 2, 1])


@pytest.mark.slow
@pytest.mark.parametrize("make", [python.compiled, pytest.param(native, marks=needs_llvm)])
def test_additions_of_threads_are_not_lost(make: Make) -> None:
    def body(b: Builder, memory: Value, count: Value) -> None:
        def more(_: Value) -> None:
            b.read("atomic_add", memory, b.i(0), b.const("u", 1))

        b.range(b.i(0), count, more)
        b.emit_return(count)

    runs, memory = compiled(make, "add", ["a", "i"], ["i"], body), bytearray(8)
    threads = [threading.Thread(target=runs.call, args=["add", [memory, 20_000]]) for _ in "1234"]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert int.from_bytes(memory, "little") == 80_000


@every_back_end
def test_nothing_is_written_after_a_failure(make: Make) -> None:
    def body(b: Builder, memory: Value, divisor: Value) -> None:
        quotient = b.op("cdiv", b.i(1), divisor)
        b.write("store64", memory, b.op("imul", quotient, b.i(8)), b.const("u", 7))
        b.write("store8", memory, b.i(0), b.i(1))
        b.emit_return(b.op("iadd", quotient, b.read("load8", memory, quotient)))

    runs, memory = compiled(make, "f", ["a", "i"], ["i"], body), bytearray(16)
    assert runs.call("f", [memory, 0]) is None
    assert memory == bytearray(16)
    assert runs.call("f", [memory, 1]) == (1,)
    assert memory == bytes([1, *[0] * 7, 7, *[0] * 7])


def test_unused_load_is_removed_and_store_stays() -> None:
    b = Builder(4)
    with b.function("f", ["a"], ["i"], entry=True) as (memory,):
        for op in LOADS:
            b.read(op, memory, b.i(0))
        b.read("atomic_add", memory, b.i(0), b.const("u", 1))
        b.write("poll", memory, b.i(8))
        b.emit_return(b.i(1))
    body = remove_dead_code(b.module).functions["f"].body
    assert [instr.op for instr in body] == ["atomic_add", "poll", "return"]


def test_instructions_on_memory_are_checked() -> None:
    b = Builder(4)
    with b.function("f", ["a", "i"], [], entry=True) as (memory, number):
        with pytest.raises(InternalError, match="store64 takes aiu, found aii"):
            b.write("store64", memory, number, number)
        with pytest.raises(InternalError, match="load8 takes ai, found ii"):
            b.read("load8", number, number)


# recursion


def mutual() -> Module:
    """Build a sum up to a number from two mutually recursive functions; LLVM cannot turn a checked
    sum into a loop.
    """
    b = Builder(4)
    b.declare("other", ["i"], ["i"])
    for name, callee in (("sum", "other"), ("other", "sum")):
        with b.function(name, ["i"], ["i"], entry=name == "sum") as (number,):
            b.when(b.op("ieq", number, b.i(0)), lambda: b.emit_return(b.i(0)))
            (before,) = b.call(callee, b.op("isub", number, b.i(1)))
            b.emit_return(b.op("cadd", before, number))
    return b.module


@pytest.mark.parametrize("make", [python.compiled, pytest.param(native, marks=needs_llvm)])
def test_functions_call_each_other_and_fail_where_they_go_too_deep(make: Make) -> None:
    runs = make(mutual())
    assert [runs.call("sum", [n]) for n in (0, 1, 200, 301)] == [(0,), (1,), (20100,), (45451,)]
    assert runs.call("sum", [-1]) is None
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(runs.call("sum", [-1])))
    thread.start()
    thread.join()
    assert results == [None]
    assert runs.call("sum", [200]) == (20100,)


@every_back_end
def test_recursion_counts_what_a_tree_has(make: Make) -> None:
    b = Builder(4)
    b.declare("leaves", ["i", "i"], ["i"], entry=True)
    with b.function("leaves", ["i", "i"], ["i"]) as (width, depth):
        b.when(b.op("ieq", depth, b.i(0)), lambda: b.emit_return(b.i(1)))
        total = b.let(b.i(0))

        def child(i: Value) -> None:
            (found,) = b.call("leaves", width, b.op("isub", depth, b.i(1)))
            b.set(total, b.op("iadd", b.get(total), found))

        b.range(b.i(0), width, child)
        b.emit_return(b.get(total))
    assert make(b.module).call("leaves", [3, 5]) == (3**5,)


# stopping


def ends(runs: Runs, name: str, args: Sequence[Any]) -> Any:
    """Return the outcome of an entry point: its results, None, or `stopped`."""
    try:
        return runs.call(name, args)
    except Stopped:
        return "stopped"


def endings(b: Builder, memory: Value, first: Value, second: Value) -> None:
    """Emit code that fails if the first number is 0, polls, and fails if the second one is."""
    b.op("cdiv", b.i(1), first)
    b.write("poll", memory, b.i(8))
    b.write("store8", memory, b.i(0), b.i(1))
    b.emit_return(b.op("cdiv", b.i(6), second))


@every_back_end
def test_an_entry_point_returns_fails_or_is_stopped(make: Make) -> None:
    runs = compiled(make, "f", ["a", "i", "i"], ["i"], endings)
    stop, go = bytearray([0] * 15 + [128]), bytearray(16)
    assert ends(runs, "f", [go, 1, 2]) == (3,)
    assert ends(runs, "f", [go, 1, 0]) is None
    assert ends(runs, "f", [stop, 1, 2]) == "stopped"
    assert ends(runs, "f", [go, 1, 2]) == (3,)
    assert (go[0], stop[0]) == (1, 0)


@every_back_end
def test_first_of_failure_and_stop_counts(make: Make) -> None:
    runs = compiled(make, "f", ["a", "i", "i"], ["i"], endings)
    stop = bytearray([0] * 8 + [1] + [0] * 7)
    assert ends(runs, "f", [stop, 0, 1]) is None
    assert ends(runs, "f", [stop, 1, 0]) == "stopped"


@pytest.mark.slow
@pytest.mark.parametrize("make", [python.compiled, pytest.param(native, marks=needs_llvm)])
def test_a_loop_without_an_end_is_stopped_from_outside(make: Make) -> None:
    b = Builder(4)
    with b.function("step", ["a", "u"], ["u"], apart=True) as (memory, word):
        b.write("poll", memory, b.i(0))
        b.emit_return(b.op("umix", word))
    with b.function("f", ["a"], ["u"], entry=True) as (memory,):
        last = b.let(b.const("u", 1))
        b.loop(lambda: b.set(last, *b.call("step", memory, b.get(last))))
        b.emit_return(b.get(last))
    runs, flag = make(b.module), bytearray(8)
    timer = threading.Timer(0.1, lambda: flag.__setitem__(0, 1))
    start = time.monotonic()
    timer.start()
    assert ends(runs, "f", [flag]) == "stopped"
    assert time.monotonic() - start >= 0.05
    timer.join()


@every_back_end
def test_recursion_is_left_at_once_when_it_is_stopped(make: Make) -> None:
    b = Builder(4)
    b.declare("walk", ["a", "i"], ["i"], entry=True)
    with b.function("walk", ["a", "i"], ["i"]) as (memory, depth):
        # A function that counts its calls, and stops itself at the fifth.
        before = b.read("atomic_add", memory, b.i(0), b.const("u", 1))
        fifth = b.op("ueq", before, b.const("u", 4))
        b.when(fifth, lambda: b.write("store64", memory, b.i(8), b.const("u", 1)))
        b.write("poll", memory, b.i(8))
        b.when(b.op("ieq", depth, b.i(0)), lambda: b.emit_return(b.i(1)))
        for _ in range(2):
            b.call("walk", memory, b.op("isub", depth, b.i(1)))
        b.emit_return(b.i(1))
    counter = bytearray(16)
    assert ends(make(b.module), "walk", [counter, 30]) == "stopped"
    assert counter[0] == 5


# histories


def history_module(cells: int) -> Module:
    """Build a function that counts a position in a history, with its word and without, and by its
    sizes.
    """
    b = Builder(cells)
    kinds: list[Type] = ["a", "i", "i", "i", "i", "m", "m"]
    with b.function("asked", kinds, ["i", "i", "f"], entry=True) as args:
        memory, place, first, end, word, *sets = args
        entries = HistoryFormat(WORDS_OF, 2)
        history = b.result("load_history", "h", memory, place, first, end, detail=entries)
        found = [b.result("recall", "i", history, word, *sets, detail="position")]
        found.append(b.result("recall", "i", history, *sets, detail="board"))
        sizes = [b.op("mcount", cells) for cells in sets]
        b.emit_return(*found, b.result("met", "f", history, *sizes))
    return b.module


@every_back_end
@pytest.mark.parametrize("cells", [4, 64, 65, 130])
def test_a_line_in_memory_is_read_as_history(make: Make, cells: int) -> None:
    runs, reference, draw = (
        make(history_module(cells)),
        Machine(history_module(cells)),
        random.Random(cells),
    )
    # Forty words precede the history; its first word counts the entries with cached results.
    size, begin = (cells + 63) // 64 * 8, 16 + 40 * 8
    few = [(draw.randrange(2), draw.getrandbits(cells), 1 << cells - 1) for _ in range(3)]
    memories = [bytearray(begin + 16 + 40 * WORDS_OF * 8) for _ in range(2)]
    lines = [[draw.choice(few) for _ in range(40)] for _ in memories]
    for memory, line in zip(memories, lines, strict=True):
        for number, (word, *sets) in enumerate(line):
            data = word.to_bytes(8, "little") + b"".join(s.to_bytes(size, "little") for s in sets)
            place = begin + 16 + number * WORDS_OF * 8 + 16
            memory[place : place + len(data)] = data
    # One history after the other, longer and shorter; cached results must not matter.
    for _ in range(60):
        memory, (first, end) = draw.choice(memories), sorted(draw.choices(range(41), k=2))
        memory[begin] = min(memory[begin], draw.randrange(41))
        word, *sets = draw.choice(few)
        given = [memory, begin, first, end, word, *sets]
        *found, is_met = runs.call("asked", given) or ()
        *right, was_met = reference.call("asked", given) or ()
        assert found == right
        assert is_met or not was_met


def searching_module(cells: int) -> Module:
    """Build a function that searches a history several times, then the history with one more."""
    b = Builder(cells)
    kinds: list[Type] = ["a", "i", "i", "i", "i", "i", "i", "m", "m"]
    with b.function("sought", kinds, ["i", "i", "i", "i", "f"], entry=True) as args:
        memory, place, first, end, times, word, last, *sets = args
        entries = HistoryFormat(WORDS_OF, 2)
        history = b.result("load_history", "h", memory, place, first, end, detail=entries)
        found = list[Value]()

        def search(length: Value) -> None:
            total = b.let(b.i(0))

            def again(number: Value) -> None:
                count = b.result("recall", "i", length, word, *sets, detail="position")
                b.set(total, b.op("iadd", b.get(total), b.op("iadd", count, number)))

            b.range(b.i(0), times, again)
            found.append(b.get(total))
            found.append(b.result("recall", "i", length, word, *sets, detail="age"))

        search(history)
        longer = b.result("remember", "h", history, last, *sets)
        search(longer)
        sizes = [b.op("mcount", cells) for cells in sets]
        b.emit_return(*found, b.result("met", "f", longer, *sizes))
    return b.module


@every_back_end
@pytest.mark.parametrize("cells", [4, 65])
def test_a_line_in_memory_is_searched_often(make: Make, cells: int) -> None:
    runs, reference, draw = (
        make(searching_module(cells)),
        Machine(searching_module(cells)),
        random.Random(cells),
    )
    size, begin, count = (cells + 63) // 64 * 8, 100 * 8, 100
    few = [(draw.randrange(2), draw.getrandbits(cells), 1 << cells - 1) for _ in range(12)]
    memory = bytearray(begin + 16 + count * WORDS_OF * 8)
    for number in range(count):
        word, *sets = draw.choice(few)
        data = word.to_bytes(8, "little") + b"".join(s.to_bytes(size, "little") for s in sets)
        place = begin + 16 + number * WORDS_OF * 8 + 16
        memory[place : place + len(data)] = data
    for times in (0, 1, 31, 32, 40, 70, 3):
        first, end = sorted(draw.choices(range(count + 1), k=2))
        word, *sets = draw.choice(few)
        given = [memory, begin, first, end, times, word, draw.randrange(2), *sets]
        *found, is_met = runs.call("sought", given) or ()
        *right, _ = reference.call("sought", given) or ()
        assert found == right
        assert is_met


@pytest.mark.parametrize("make", [pytest.param(native, marks=needs_llvm)])
def test_a_line_that_is_too_long_fails(make: Make) -> None:
    runs, count = make(history_module(4)), 20_000
    begin = count * 8
    memory = bytearray(begin + 16 + count * WORDS_OF * 8)
    for _ in range(2):
        assert runs.call("asked", [memory, begin, 0, count, 0, 1, 1]) is None
    assert runs.call("asked", [memory, begin, 0, 9, 0, 0, 0]) == (9, 9, True)


def test_a_line_that_no_operation_reads_is_not_copied() -> None:
    b = Builder(4)
    with b.function("f", ["a", "i"], ["i"], entry=True) as (memory, count):
        b.result("load_history", "h", memory, b.i(0), b.i(0), count, detail=HistoryFormat(7, 2))
        b.emit_return(count)
    assert [instr.op for instr in remove_dead_code(b.module).functions["f"].body] == ["return"]


# every back end supports every instruction


def test_every_statement_has_its_row_in_each_back_end() -> None:
    from rulesengine.engine.kernel.backends.native import statements as native
    from rulesengine.engine.kernel.backends.python import statements as plain

    assert not STATEMENTS & (PURE.keys() | MEMORY.keys())
    assert native.STATEMENTS.keys() == STATEMENTS
    assert plain.STATEMENTS.keys() == STATEMENTS - {"get", "note"}  # these are no histories
