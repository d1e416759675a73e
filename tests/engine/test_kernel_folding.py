"""Folding in the builder and the emission of sets, against the unfolded result."""

import random
from collections.abc import Callable

import pytest

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.kernel.backends.registry import BACKENDS, working
from rulesengine.engine.kernel.code.builder import Builder
from rulesengine.engine.kernel.code.form import Module, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.table import EMIT
from rulesengine.engine.kernel.entries.single_calls import finish_module
from rulesengine.language.ir.ops import Op
from rulesengine.loading import load_source
from rulesengine.state import State
from rulesengine.support.source import Source
from tests.helpers.kernel_reference import Board, Machine, grid_board

CELLS = 20
Make = Callable[[Builder, Value, Value], Value]


def module_of(make: Make, board: Board | None = None) -> Module:
    """Build a module with a function `f` that returns a set computed from two."""
    b = Builder(board.cells if board else CELLS)
    with b.function("f", ["m", "m"], ["m"], entry=True) as (x, y):
        b.emit_return(make(b, x, y))
    return b.module


def sizes(module: Module) -> int:
    return len(module.functions["f"].body)


# A subset of x, and whether the builder can prove it.
PARTS: tuple[tuple[str, Make, bool], ...] = (
    ("itself", lambda b, x, y: x, True),
    ("met", lambda b, x, y: b.op("mand", y, x), True),
    ("less", lambda b, x, y: b.op("mless", x, y), True),
    ("met, then less", lambda b, x, y: b.op("mless", b.op("mand", x, y), b.m(3)), True),
    ("another less", lambda b, x, y: b.op("mless", y, x), False),
    ("more", lambda b, x, y: b.op("mor", x, y), False),
    ("other", lambda b, x, y: b.op("mxor", x, y), False),
)


@pytest.mark.parametrize(("part", "known"), [p[1:] for p in PARTS], ids=[p[0] for p in PARTS])
def test_a_set_is_not_met_with_one_that_it_is_part_of(part: Make, known: bool) -> None:
    def met(b: Builder, x: Value, y: Value) -> Value:
        cells = part(b, x, y)
        return b.op("mand", x, cells)

    machine, draw = Machine(module_of(met)), random.Random(1)
    plain = Machine(module_of(part))
    for _ in range(50):
        args = [draw.getrandbits(CELLS), draw.getrandbits(CELLS)]
        (found,) = machine.call("f", args) or ()
        (cells,) = plain.call("f", args) or ()
        assert found == cells & args[0]
    assert (sizes(machine.module) == sizes(plain.module)) == known


RAYS = grid_board(4, 5)


def run(b: Builder, cell: int, over: Value, until: Value, alike: bool) -> Value:
    start = b.op("mcell", b.i(cell))
    if alike:
        over, until = b.ignoring(over, b.i(cell)), b.ignoring(until, b.i(cell))
    assert start.constant == 1 << cell
    return b.op("mbetween", b.i(cell), over, until, b.i(1), b.i(9), detail=RAYS.rays)


@pytest.mark.parametrize("op", ["mor", "mless", "mxor"])
@pytest.mark.parametrize("swapped", [False, True])
def test_whether_a_cell_is_in_a_set_does_not_matter_to_its_rays(op: str, swapped: bool) -> None:
    draw = random.Random(2)
    for cell in range(RAYS.cells):

        def changed(b: Builder, x: Value, cell: int = cell) -> Value:
            pair = (b.m(1 << cell), x) if swapped else (x, b.m(1 << cell))
            return b.op(op, *pair)

        def make(alike: bool, cell: int = cell) -> Module:
            return module_of(
                lambda b, x, y: run(b, cell, changed(b, x), changed(b, y), alike), RAYS
            )

        with_, without = make(False), make(True)
        args = [draw.getrandbits(RAYS.cells), draw.getrandbits(RAYS.cells)]
        assert Machine(with_).call("f", args) == Machine(without).call("f", args)


def test_a_set_without_the_cell_is_left_as_it_is() -> None:
    b = Builder(CELLS)
    with b.function("f", ["m", "i"], ["m"], entry=True) as (x, cell):
        other = b.op("mor", x, b.m(4))
        assert b.ignoring(other, cell) == other
        assert b.ignoring(b.op("mor", other, b.op("mcell", cell)), cell) == other
        assert b.ignoring(b.op("mless", b.op("mcell", cell), x), cell).constant == 0


# Sets that are whole planes, and the number of instructions they take; others are computed in full.
WHOLE = {
    "enemy": 0,
    "(not empty) minus own": 1,
    "not (empty or enemy)": 1,
    "(own or enemy) and not own": 0,
    "own or not own": 0,
    "own and enemy": 0,
    "own or enemy": 1,
    "not (own or empty)": 1,
    "empty": 3,
    "empty or own": 2,
    "(not empty) minus rows(1)": 3,
}


def spec(expression: str) -> str:
    return f"""
spec: 1
name: Sets
board: {{rows: 3, columns: 4}}
players: [one, two]
pieces:
  disc: {{one: x, two: o, neutral: n}}
  empty: "."
rules:
  moves:
    - place: disc
      to: empty
    - place: disc of neutral
      to: empty
  end:
    - when: any({expression})
      result: draw
"""


def evaluated(machine: Interpreter) -> Op:
    return machine.program.rules.ends[0].when.args[0]


@pytest.mark.parametrize(("expression", "most"), WHOLE.items(), ids=str)
def test_a_set_that_is_some_planes_as_a_whole_is_made_of_these(expression: str, most: int) -> None:
    machine = Interpreter(load_source(Source("sets.yaml", spec(expression))).program)
    kernel = Context(machine.program, EMIT)
    with kernel.b.function("f", kernel.layout.types, ("m",), entry=True) as values:
        at = Position.of(kernel.layout, values, kernel.b.i(1))
        kernel.b.emit_return(
            kernel.value(evaluated(machine), Environment(at, {"player": kernel.b.i(1)}))
        )
    module = finish_module(kernel)
    assert sizes(module) - 1 <= most
    draw, start = random.Random(3), machine.initial_state()
    for _ in range(20):
        contents = [draw.randrange(4) for _ in range(12)]
        planes = tuple(sum(1 << c for c in range(12) if contents[c] == p) for p in range(3))
        state = State(planes, 1, start.registers, (), start.form, ())
        expected = machine.value(evaluated(machine), Frame(state, {"player": 1}))
        assert Machine(module).call("f", (*planes, 1)) == (expected,)


RUNS = """
spec: 1
name: Runs
parameters: {{n: {{type: integer, from: 4, to: 12, default: 6}}}}
board: {{rows: n, columns: n}}
players: [one, two]
pieces:
  disc: {{one: x, two: o}}
  empty: "."
start:
  - put disc of one on rows(2) and columns(2 to 3)
  - put disc of two on rows(3) or (rows(4) and columns(1))
rules:
  moves:
    - place: disc
      to: empty where any({run})
  end:
    - when: none(empty)
      result: draw
"""


@pytest.mark.slow
@pytest.mark.parametrize("engine", [backend.name for backend in BACKENDS])
@pytest.mark.parametrize("n", [6, 10])
@pytest.mark.parametrize(
    "run",
    [
        "(own or enemy) between it and own",
        "enemy between it and (own or enemy)",
        "run(it, occupied and columns(2 to n), occupied, 2 to 3)",
        "run(it, occupied minus rows(3), occupied, at least 2)",
    ],
)
def test_a_run_does_not_end_in_what_it_goes_over(run: str, n: int, engine: str) -> None:
    if engine not in [backend.name for backend in working()]:
        pytest.skip(f"{engine} does not work here")
    source = Source("runs.yaml", RUNS.format(run=run))
    plain = load_source(source, engine="interpreter", n=n)
    count = plain.perft(3)
    assert load_source(source, engine=engine, n=n).perft(3) == count
