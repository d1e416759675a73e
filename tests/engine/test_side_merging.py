"""Merging of the functions of sides: equal results, and one function where that is possible."""

from collections.abc import Callable, Sequence

import pytest

import rulesengine
from rulesengine.engine.kernel.code import side_merging
from rulesengine.engine.kernel.code.builder import Builder
from rulesengine.engine.kernel.code.form import Module, Relation, Table, Type, Value, instructions
from rulesengine.engine.kernel.code.side_merging import merge_large, merge_sides
from rulesengine.engine.kernel.emission import emitted
from rulesengine.state import State
from tests.helpers.kernel_reference import Machine

Body = Callable[[Builder, int, Sequence[Value]], Value]

CELLS = 16
NORTH = Relation((4,), (0x0FFF,))
SOUTH = Relation((-4,), (0xFFF0,))
INPUTS = [(a, b, n) for a in (0x0001, 0x8421, 0xFFFF) for b in (0x0F0F, 0x1248) for n in (0, 3)]


def module_of(body: Body, sides: int = 2) -> Module:
    """Return a module with a function of two sets and a number for each side, and its calls."""
    b = Builder(CELLS)
    types: tuple[Type, ...] = ("m", "m", "i")
    for side in range(sides):
        b.declare(f"f_{side}", types, ("i",))
    for side in range(sides):
        with b.function(f"f_{side}", types, ("i",)) as values:
            b.emit_return(body(b, side, values))
        with b.function(f"run{side}", types, ("i",), entry=True) as values:
            b.emit_return(*b.call(f"f_{side}", *values))
    return b.module


def long(b: Builder, value: Value) -> Value:
    """Append instructions that are equal for all sides, so that merging is worth it."""
    for number in range(20):
        value = b.op("imul", b.op("iadd", value, b.i(number)), b.i(3))
        value = b.op("iand", value, b.i(0xFFFF))
    return value


def assert_equal_when_merged(body: Body, sides: int = 2, left: int = 1) -> None:
    """Merge the functions of a module, of which `left` remain, with equal results."""
    expected, merged = module_of(body, sides), merge_sides(module_of(body, sides))
    assert sum(name.startswith("f") for name in merged.functions) == left
    machines = Machine(expected), Machine(merged)
    for side in range(sides):
        for args in INPUTS:
            found = [machine.call(f"run{side}", args) for machine in machines]
            assert found[0] == found[1] is not None, (side, args)


def test_equal_functions_become_one() -> None:
    assert_equal_when_merged(lambda b, _, v: long(b, b.op("mcount", v[0])))


def test_constants_are_selected() -> None:
    masks = 0x00FF, 0xFF00, 0x0FF0

    def body(b: Builder, side: int, v: Sequence[Value]) -> Value:
        part = b.op("mand", v[0], b.m(masks[side]))
        return long(b, b.op("iadd", b.op("mcount", part), b.i(5 + side)))

    assert_equal_when_merged(body)
    assert_equal_when_merged(body, sides=3)


def test_parameters_are_selected() -> None:
    def body(b: Builder, side: int, v: Sequence[Value]) -> Value:
        own, enemy = v[side], v[1 - side]
        return long(b, b.op("mcount", b.op("mless", own, enemy)))

    assert_equal_when_merged(body)


def test_values_are_selected() -> None:
    def body(b: Builder, side: int, v: Sequence[Value]) -> Value:
        counts = [b.op("mcount", v[0]), b.op("mcount", v[1])]
        return long(b, b.op("isub", counts[side], counts[1 - side]))

    assert_equal_when_merged(body)


def test_operands_in_another_order_need_no_selection() -> None:
    def body(b: Builder, side: int, v: Sequence[Value]) -> Value:
        pair = (v[0], v[1]) if side else (v[1], v[0])
        return long(b, b.op("mcount", b.op("mor", *pair)))

    assert_equal_when_merged(body)
    function = merge_sides(module_of(body)).functions["f.sides"]
    assert all(instr.op != "pick" for instr in instructions(function.body))


def test_relations_and_tables_are_those_of_the_side() -> None:
    tables = Table("i", (7, 1, 9, 2)), Table("i", (3, 5, 8, 6))

    def body(b: Builder, side: int, v: Sequence[Value]) -> Value:
        moved = b.op("mmove", v[0], detail=(NORTH, SOUTH)[side])
        item = b.op("ilook", v[2], detail=tables[side])
        return long(b, b.op("iadd", b.op("mlast", b.op("mor", moved, b.m(1))), item))

    assert_equal_when_merged(body)


@pytest.mark.parametrize("sides", [2, 3])
def test_instructions_in_another_order_are_aligned(sides: int) -> None:
    def body(b: Builder, side: int, v: Sequence[Value]) -> Value:
        first = b.op("mand", v[0], v[1]) if side else v[0]
        second = b.op("mxor", v[0], v[1])
        third = first if side else b.op("mand", v[1], v[0])
        return long(b, b.op("mcount", b.op("mor", second, third)))

    assert_equal_when_merged(body, sides)


def test_blocks_loops_and_variables_are_merged() -> None:
    def body(b: Builder, side: int, v: Sequence[Value]) -> Value:
        total = b.let(b.i(side))

        def add(cell: Value) -> None:
            b.when(
                b.op("mhas", v[1 - side], cell),
                lambda: b.set(total, b.op("iadd", b.get(total), long(b, cell))),
            )

        b.bits(v[side], add)
        return b.get(total)

    assert_equal_when_merged(body)


@pytest.mark.parametrize("sides", [2, 3])
def test_calls_of_other_sides_are_calls_of_the_merged_function(sides: int) -> None:
    def body(b: Builder, side: int, v: Sequence[Value]) -> Value:
        out = b.let(long(b, b.i(side)))

        def next_side() -> None:
            less = b.op("isub", v[2], b.i(1))
            (found,) = b.call(f"f_{(side + 1) % sides}", v[1], v[0], less)
            b.set(out, b.op("isub", found, b.op("mcount", v[0])))

        b.when(b.op("ilt", b.i(0), v[2]), next_side)
        return b.get(out)

    assert_equal_when_merged(body, sides)


def test_calls_with_different_numbers_of_operands_remain() -> None:
    b = Builder(CELLS)
    for side in range(2):
        types: list[Type] = ["i"] * (2 - side)
        with b.function(f"g_{side}", types, ("i",)) as values:
            b.emit_return(b.op("iadd", values[0], values[-1]))
    for side in range(2):
        with b.function(f"f_{side}", ("i",), ("i",)) as values:
            found = b.call(f"g_{side}", *values, *[b.i(5)] * (1 - side))[0]
            b.emit_return(long(b, found))
        with b.function(f"run{side}", ("i",), ("i",), entry=True) as values:
            b.emit_return(*b.call(f"f_{side}", *values))
    machine = Machine(merge_sides(b.module))
    assert [machine.run(b.module.functions[f"f_{side}"], [3]) for side in range(2)] == [
        machine.call(f"run{side}", [3]) for side in range(2)
    ]
    assert {"f_0", "f_1"} <= b.module.functions.keys()


def test_functions_that_differ_remain_and_are_dispatched() -> None:
    b = Builder(CELLS)
    for side in range(2):
        with b.function(f"f_{side}", ("m",), ("i",)) as (cells,):
            found = b.op("mcount", cells)
            # One side has a loop, the other none.
            if side:
                b.bits(cells, lambda cell: b.when(b.op("ilt", b.i(9), cell), b.fail))
            b.emit_return(b.op("iadd", found, b.i(side)))
        with b.function(f"g_{side}", ("m",), ("i",)) as (cells,):
            b.emit_return(long(b, b.call(f"f_{side}", cells)[0]))
        with b.function(f"run{side}", ("m",), ("i",), entry=True) as (cells,):
            b.emit_return(*b.call(f"g_{side}", cells))
    expected = {
        (side, m): Machine(b.module).call(f"run{side}", (m,))
        for side in (0, 1)
        for m in (3, 0x8001)
    }
    merged = merge_sides(b.module)
    assert {"f_0", "f_1", "f.sides", "g.sides"} <= merged.functions.keys()
    assert {key: Machine(merged).call(f"run{key[0]}", (key[1],)) for key in expected} == expected
    assert expected[1, 0x8001] is None  # a failure remains one


def test_only_large_modules_are_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    body: Body = lambda b, _, v: long(b, b.op("mcount", v[0]))  # noqa: E731
    assert "f_0" in merge_large(module_of(body)).functions
    monkeypatch.setattr(side_merging, "_LARGE", 1)
    assert "f_0" not in merge_large(module_of(body)).functions


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rolit-3", "fox-and-hounds"])
def test_merged_machine_code_plays_and_searches_as_python_code(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    monkeypatch.setattr(side_merging, "_LARGE", 1)
    monkeypatch.setattr(side_merging, "_LARGE_LOOPS", 1)
    merged, plain = (rulesengine.load(name, engine=engine) for engine in ("native", "python"))
    assert work(merged) == work(plain)
    assert not merged.engine_problems


def work(game: rulesengine.Game) -> tuple[object, ...]:
    """Return the results of perft, random games, a search, and single calls of a game."""
    state, texts = game.initial_state(), list[tuple[State, str]]()
    for ply in range(12):
        if moves := game.legal_moves(state):
            state = game.apply(state, moves[5 * ply % len(moves)])
            texts.append((state, str(game.outcome(state))))
    found = game.search(game.initial_state(), nodes=300, method="alpha-beta")
    return game.perft(2), game.playouts(5, seed=3), found.move, found.nodes, found.moves, texts


def test_a_large_bundled_game_is_merged_by_half(monkeypatch: pytest.MonkeyPatch) -> None:
    module = emitted(rulesengine.load("xiangqi").machine, "perft", 8)
    before = size(module)
    merged = merge_sides(module)
    assert size(merged) < 0.65 * before
    assert not [name for name in merged.functions if name.endswith(("_0", "_1"))]


def size(module: Module) -> int:
    return sum(1 for f in module.functions.values() for _ in instructions(f.body))


def test_a_word_may_follow_the_number_of_the_side() -> None:
    module = module_of(lambda b, _, v: long(b, v[2]))
    renamed = {"f_0": "f_0_kept", "f_1": "f_1_kept"}
    for function in module.functions.values():
        function.name = renamed.get(function.name, function.name)
        for instr in instructions(function.body):
            if instr.op == "call":
                instr.detail = renamed[str(instr.detail)]
    module.functions = {f.name: f for f in module.functions.values()}
    expected = [Machine(module).call(f"run{side}", INPUTS[0]) for side in (0, 1)]
    assert len(merge_sides(module).functions) == 4
    assert [*merge_sides(module, with_endings=True).functions] == ["f_kept.sides", "run0", "run1"]
    assert [Machine(module).call(f"run{side}", INPUTS[0]) for side in (0, 1)] == expected
