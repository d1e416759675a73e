"""Kernels for other processors than this machine's: LLVM parses and compiles them."""

import re
from collections.abc import Iterator
from functools import cache

import pytest

import rulesengine
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.backends.native_backend import NativeBackend
from rulesengine.engine.kernel.code.builder import Builder
from rulesengine.engine.kernel.code.form import Module
from rulesengine.engine.kernel.emission import emitted
from rulesengine.engine.kernel.kernels import parts_of
from rulesengine.support.resources import bundled_names
from tests.helpers.each_game import OTHERS, each_game

pytest.importorskip("llvmlite", reason="native kernels need the extra `native`")

import llvmlite.binding as llvm

from rulesengine.engine.kernel.backends.native import compiler_process
from rulesengine.engine.kernel.backends.native.emit import emit, kind_of
from rulesengine.engine.kernel.backends.native.target import USED, Target, fast_features

# The levels of the x86-64 psABI, by LLVM's names.
V2 = frozenset("cx16 popcnt sahf sse3 sse4.1 sse4.2 ssse3".split())
V3 = V2 | frozenset("avx avx2 bmi bmi2 f16c fma lzcnt movbe xsave".split())
V4 = V3 | frozenset("avx512bw avx512cd avx512dq avx512f avx512vl".split())
X86, ARM = "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"
TARGETS = {
    "x86-64-v2": Target(X86, "x86-64-v2", V2),
    "x86-64-v3": Target(X86, "x86-64-v3", V3),
    "x86-64-v4": Target(X86, "x86-64-v4", V4),
    "aarch64": Target(ARM, "", frozenset({"neon"})),
}
# Those with special code: the text depends on the features in use.
WRITTEN = tuple({target.features & USED: target for target in TARGETS.values()}.values())
# The machine field of an ELF header, at byte 18.
ELF = {X86: 62, ARM: 183}
# Boards in one word, with rays and without, with gaps, in two words, in rows of two, four, six.
SOME = ("tic-tac-toe", "othello", "othello-holes", "hex", "amazons", "gomoku", "pente")


@pytest.fixture(scope="module", autouse=True)
def all_targets() -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()


@cache
def machine_of(name: str) -> Interpreter:
    return rulesengine.load(name, engine="interpreter").machine


def modules(name: str) -> Iterator[Module]:
    """Yield the code of each part of a game."""
    machine = machine_of(name)
    return (emitted(machine, part, NativeBackend.seats) for part in parts_of(machine))


def body(text: str) -> str:
    """Return the text after the name of the processor."""
    return text.partition("\n")[2]


def unknown(text: str) -> list[str]:
    """Return the intrinsics of a text that LLVM does not know; the text must be valid."""
    module = llvm.parse_assembly(text)
    module.verify()
    declared = [function for function in module.functions if function.is_declaration]
    return [one.name for one in declared if "Unknown intrinsic" in str(one)]


def object_code(text: str, target: Target, level: int) -> bytes:
    return compiler_process.object_code(text, target.triple, target.cpu, target.flags, level)


def check_object(data: bytes, target: Target) -> None:
    """Check that the code is for that processor, with no unresolved intrinsic."""
    assert data[:4] == b"\x7fELF"
    assert int.from_bytes(data[18:20], "little") == ELF[target.triple]
    assert b"llvm." not in data


@each_game(quick=(), deep=OTHERS)
def test_llvm_takes_the_kernels_of_every_bundled_game_for_every_processor(name: str) -> None:
    for module in modules(name):
        bodies = {body(text): text for text in (emit(module, target) for target in WRITTEN)}
        assert [unknown(text) for text in bodies.values()] == [[]] * len(bodies)


@pytest.mark.slow
@pytest.mark.parametrize("name", SOME)
def test_object_code_is_made_of_every_layout_for_every_processor(name: str) -> None:
    module = next(modules(name))
    texts = {key: emit(module, target) for key, target in TARGETS.items()}
    for key, target in TARGETS.items():
        check_object(object_code(texts[key], target, 0), target)
    assert body(texts["x86-64-v2"]) == body(texts["aarch64"])
    assert "llvm.x86." not in texts["aarch64"]


def assembly(cpu: str, features: frozenset[str]) -> str:
    """Return the assembly of a shift of two words by nine."""
    text = "define i128 @f(i128 %x) { %y = shl i128 %x, 9\n ret i128 %y }"
    target, flags = llvm.Target.from_triple(X86), Target(X86, cpu, features).flags
    return str(target.create_target_machine(cpu, flags).emit_assembly(llvm.parse_assembly(text)))


@pytest.mark.slow
@pytest.mark.parametrize("generation", range(1, 6))
def test_zen_shifts_two_words_without_a_double_shift(generation: int) -> None:
    cpu = f"znver{generation}"
    assert "shld" not in assembly(cpu, fast_features(cpu, V3))
    assert ("bmi2" in fast_features(cpu, V3)) == (generation > 2)
    assert fast_features("x86-64-v3", V3) == V3
    assert "shld" in assembly("x86-64-v3", V3)


@pytest.mark.deep
@pytest.mark.parametrize("name", bundled_names())
def test_object_code_is_made_of_every_bundled_game_for_every_processor(name: str) -> None:
    for module in modules(name):
        for target in TARGETS.values():
            check_object(object_code(emit(module, target), target, 2), target)


@pytest.mark.slow
def test_kernels_differ_where_processors_do() -> None:
    (perft,) = (module for module in modules("othello-holes") if "perft" in module.functions)
    assert len({body(emit(perft, target)) for target in WRITTEN}) == len(WRITTEN) == 3


def test_an_intrinsic_that_is_none_is_found() -> None:
    text = "declare i64 @llvm.none(i64)\ndeclare i64 @llvm.ctpop.i64(i64)\n"
    call = "define i64 @f(i64 %a) {\n  %b = call i64 @llvm.none(i64 %a)\n  ret i64 %b\n}\n"
    assert unknown(text + call) == ["llvm.none"]
    with pytest.raises(AssertionError):
        check_object(object_code(text + call, TARGETS["aarch64"], 0), TARGETS["aarch64"])


# By the size of the board and the features: 64 cells, 60 with holes, 121, 10x10 and 19x19.
KINDS = [
    ("othello", "x86-64-v4", "one word, directions in lanes"),
    ("othello", "x86-64-v3", "one word, directions one by one"),
    ("othello-holes", "x86-64-v4", "one word with gaps, directions in lanes"),
    ("breakthrough", "x86-64-v4", "one word"),
    ("hex", "x86-64-v3", "two words"),
    ("amazons", "x86-64-v3", "a row in each of 16 lanes of 16 bits, directions one by one"),
    ("pente", "x86-64-v4", "a row in each of 32 lanes of 32 bits"),
]


@pytest.mark.parametrize(("name", "target", "kind"), KINDS)
def test_kernel_kind_matches_the_target(name: str, target: str, kind: str) -> None:
    module = emitted(machine_of(name), "playouts", NativeBackend.seats)
    assert kind_of(module, TARGETS[target]) == kind
    # Eight directions in lanes are eight adjacent words.
    assert ("<8 x i64>" in emit(module, TARGETS[target])) == ("in lanes" in kind)


def test_a_loop_has_one_way_back() -> None:
    # LLVM accepts several methods for several loops, and compiles each.
    b = Builder(4)
    with b.function("f", ["i"], ["i"], entry=True) as (number,):
        left = b.let(number)

        def once() -> None:
            now = b.get(left)
            b.when(b.op("ilt", now, b.i(1)), b.leave)
            less, least = b.op("isub", now, b.i(1)), b.op("isub", now, b.i(2))
            small = b.op("ilt", now, b.i(9))
            b.when(small, lambda: b.set(left, less), lambda: b.set(left, least))

        b.loop(once)
        b.emit_return(b.get(left))
    text = emit(b.module, TARGETS["x86-64-v3"])
    (head,) = re.findall(r"^(loop\d+):$", text, re.MULTILINE)
    assert text.count(f"label %{head}\n") == 2  # from before it, and back to it
