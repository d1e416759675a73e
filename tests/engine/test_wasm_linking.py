"""Linking one WebAssembly object into a module: retained functions, addresses, and errors."""

import pytest

from rulesengine.errors import InternalError

pytest.importorskip("llvmlite", reason="code for WebAssembly needs the extra `native`")
pytest.importorskip("wasmtime", reason="WebAssembly runs by wasmtime, which is not here")

from rulesengine.engine.kernel.backends.native import compiler_process
from rulesengine.engine.kernel.backends.wasm.build import TARGET
from rulesengine.engine.kernel.backends.wasm.encoding import Reader, signed, unsigned
from rulesengine.engine.kernel.backends.wasm.linker import STACK, LinkedModule, link
from rulesengine.engine.kernel.backends.wasm.object_reader import read_object
from tests.helpers.wasm_backend import Instance

HEAD = f'target triple = "{TARGET.triple}"\n'
# An entry point takes its context and the addresses of arguments and results.
ENTRY = "define i32 @{name}(ptr %ctx, ptr %in, ptr %out) {{\n{body}\n  ret i32 0\n}}\n"


def module_of(text: str, *entries: str, context: int = 128) -> LinkedModule:
    made = compiler_process.object_code(HEAD + text, TARGET.triple, TARGET.cpu, TARGET.flags, 0)
    return link(read_object(made), {f"out.{name}": name for name in entries}, context)


def result_of(made: LinkedModule, name: str, word: int = 0) -> int:
    """Return the result word of an entry point for one argument word."""
    instance, start = Instance(made.code), made.heap
    instance.write(start, word.to_bytes(8, "little") + bytes(8))
    assert instance.call(name, start, start + 8) == 0
    return int.from_bytes(instance.read(start + 8, 8), "little")


# The first examples of LEB128 in DWARF 4, section 7.6.
@pytest.mark.parametrize(
    ("number", "low", "with_sign"),
    [
        (2, b"\2", b"\2"),
        (127, b"\x7f", b"\xff\0"),
        (128, b"\x80\1", b"\x80\1"),
        (129, b"\x81\1", b"\x81\1"),
        (12857, b"\xb9\x64", b"\xb9\xe4\0"),
        (-2, None, b"\x7e"),
        (-127, None, b"\x81\x7f"),
        (-128, None, b"\x80\x7f"),
        (-129, None, b"\xff\x7e"),
    ],
)
def test_numbers_are_written_as_dwarf_says(
    number: int, low: bytes | None, with_sign: bytes
) -> None:
    assert low is None or (unsigned(number), Reader(low).unsigned()) == (low, number)
    assert (signed(number), Reader(with_sign).signed()) == (with_sign, number)


def test_functions_that_nothing_reaches_are_left_out() -> None:
    one, other = (ENTRY.format(name=name, body="") for name in ("one", "other"))
    text = ENTRY.format(name="f", body="  store i64 7, ptr %out, align 8")
    alone, among = module_of(text, "f"), module_of(one + text + other, "f")
    assert alone == among
    assert result_of(alone, "out.f") == 7


def test_calls_and_numbers_find_what_has_moved() -> None:
    # A discarded function lies between the retained ones; the first calls the last.
    text = "define internal i64 @unused() noinline {\n  ret i64 1\n}\n"
    call = "  %w = load i64, ptr %in\n  %x = call i64 @twice(i64 %w)\n  store i64 %x, ptr %out"
    text = ENTRY.format(name="f", body=call) + text
    text += "define i64 @unreached() {\n  %x = call i64 @unused()\n  ret i64 %x\n}\n"
    text += "define internal i64 @twice(i64 %x) noinline {\n  %y = shl i64 %x, 1\n  ret i64 %y\n}\n"
    assert result_of(module_of(text, "f"), "out.f", 21) == 42


TABLES = """
@odd = private constant [3 x i8] c"abc", align 1
@near = private constant [2 x i64] [i64 11, i64 12], align 64
@far = private constant [2 x ptr] [ptr getelementptr (i8, ptr @near, i64 8), ptr @near], align 4
@unread = private constant [999 x i64] zeroinitializer, align 8
"""
LOOK = """  %w = load i64, ptr %in
  %at = getelementptr ptr, ptr @far, i64 %w
  %to = load ptr, ptr %at
  %x = load i64, ptr %to
  %o = getelementptr i8, ptr @odd, i64 %w
  %b = load i8, ptr %o
  %z = zext i8 %b to i64
  %s = mul i64 %z, 1000
  %sum = add i64 %x, %s
  store i64 %sum, ptr %out"""


def test_data_lie_where_code_and_other_data_look_for_them() -> None:
    made = module_of(TABLES + ENTRY.format(name="f", body=LOOK), "f")
    # The first of `far` is the second of `near`, and the letters are 97 and 98.
    assert [result_of(made, "out.f", word) for word in (0, 1)] == [97_012, 98_011]
    assert len(made.code) < 999


def test_the_context_lies_behind_the_data_in_lines_of_its_own() -> None:
    body = "  %a = ptrtoint ptr %ctx to i64\n  store i64 %a, ptr %out"
    text = ENTRY.format(name="f", body=body)
    for size in (1, 64, 100_000):
        made = module_of(text, "f", context=size)
        at = result_of(made, "out.f")
        assert at >= STACK
        assert at + size <= made.heap < at + size + 64
        assert (at % 64, made.heap % 64) == (0, 0)


def test_a_stack_that_grows_too_far_ends_the_call() -> None:
    import wasmtime

    deep = "define internal i64 @deep(i64 %n) noinline {\n  %s = alloca [65536 x i8]\n"
    deep += "  store volatile i8 1, ptr %s\n  %m = sub i64 %n, 1\n  %z = icmp eq i64 %n, 0\n"
    deep += "  br i1 %z, label %end, label %on\non:\n  %x = call i64 @deep(i64 %m)\n"
    deep += "  %y = add i64 %x, 1\n  ret i64 %y\nend:\n  ret i64 0\n}\n"
    call = "  %w = load i64, ptr %in\n  %x = call i64 @deep(i64 %w)\n  store i64 %x, ptr %out"
    made = module_of(deep + ENTRY.format(name="f", body=call), "f")
    assert result_of(made, "out.f", 6) == 6
    with pytest.raises(wasmtime.Trap):
        result_of(made, "out.f", 9)


def test_a_function_that_is_not_there_is_named() -> None:
    text = "declare i64 @elsewhere(i64)\n"
    text += ENTRY.format(name="f", body="  %x = call i64 @elsewhere(i64 1)")
    with pytest.raises(InternalError, match="calls `elsewhere`, which is not there"):
        module_of(text, "f")


def test_invalid_wasm_object_is_rejected() -> None:
    with pytest.raises(InternalError, match="is not a WebAssembly object"):
        read_object(b"\x7fELF")
    text = "@there = external global i64\n"
    text += ENTRY.format(name="f", body="  %x = load i64, ptr @there\n  store i64 %x, ptr %out")
    with pytest.raises(InternalError, match="imports data `there`"):
        module_of(text, "f")
