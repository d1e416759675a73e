"""Operations and effects as kernel code, each by itself, without a game and without a back end.

Every operation inside the rules of generated and bundled specs is emitted into a function of its
own. A reference evaluator of kernel code runs it in random positions, next to the interpreter.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from rulesengine import EvaluationError, SpecError, State, load
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Draft, Frame
from rulesengine.engine.kernel.code.form import Module, Value, instructions
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.draft import begin_draft
from rulesengine.engine.kernel.emit.effects import EFFECTS, emit_effect
from rulesengine.engine.kernel.emit.state_values import RECORDS, Environment, Position
from rulesengine.engine.kernel.emit.table import EMIT
from rulesengine.engine.kernel.entries.single_calls import finish_module
from rulesengine.engine.kernel.passes import optimised
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import OPS, Op, literal, make, reads_parts, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import operations
from rulesengine.language.ir.signature import Part
from rulesengine.loading import load_source
from rulesengine.support.frozen import replace
from rulesengine.support.source import Source
from tests.helpers.kernel_reference import Machine
from tests.helpers.spec_strategies import random_spec

SEEDS = (*range(20), 23, 24, 32)  # together these use every operation that is compared
# Words that no rule of the other specs uses.
SPEC = """
spec: 1
name: Rare words
board: {rows: 4, columns: 5}
players: {one: {ahead: north, aside: east}, two: {ahead: south, aside: west}}
pieces: {man: {one: x, two: o, values: {worth: plies % 3}}, dot: {neutral: "#"}, empty: "."}
tracks: {way: a1-b1-c1-c2}
rules:
  moves:
    place: man
    to: "empty where any(shift(it, [ahead, aside]) and own) or it in columns(2 to count(own))"
    when: cell_at(1 + count(own) % 5, 2) in empty and screen_row(to) > -place_on(way, to)
    do:
      - if to in rows(2 to 1 + count(own) % 3) then remove enemy and corners
      - if worth of before(kind(to)) < worth of kind(to) then remove edge
      - if to in (all where count(neighbours(it) and own) % 3 = 1) then remove corners
      - flip enemy where count(run(it, enemy, own)) >= 2
  end: {when: none(empty), result: draw}
"""
# A ban on sizes of groups, and targets that are ranked.
HEAD = """
spec: 1
name: Sizes
board: {rows: 4, columns: 5}
players: [one, two]
pieces: {man: {one: x, two: o}, dot: {neutral: "#"}, empty: "."}
rules:
  end: {when: none(empty), result: draw}
"""
BAN = "any(g in groups(own), count(g) > 2 and none(g and left))"
GROUPS = f"{HEAD}  moves: {{place: man, to: empty, forbid: '{BAN}'}}\n"
RANKED = f"{HEAD}  moves: {{place: man, to: empty}}\n  keep: most count(neighbours(to) and own)\n"
CELLS = ("from", "to")
# Operations that need a move; loops and steps bind the other variables.
MOVES: tuple[Part, ...] = ("record", "step", "moves", "outcome", "future")
# Operations that have a value only inside moves or loops.
NOT_ALONE = {name for name, row in OPS.items() if not row.reads.isdisjoint(MOVES)}
NOT_ALONE |= {"variable", "just", "has_direction", "chosen", "before"}
# Joined boards have tests of their own: `meanings/boards.yaml`, and the games on them.
NOT_ALONE |= {"slide_on", "run_on"}
# Stacks have tests of their own: `test_stacks.py`.
NOT_ALONE |= {"below", "carry_stack", "lay", "sow", "unstack"}
# Texts are numbers in code, and are not compared.
NOT_ALONE |= {"row_label", "column_label"}


@dataclass
class OperationCounts:
    """The number of values and failures of each operation."""

    values: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)


def programs(seeds: Iterable[int]) -> Iterator[Program]:
    for text in (SPEC, GROUPS, RANKED, *map(random_spec, seeds)):
        try:
            found = load_source(Source("spec.yaml", text), engine="interpreter")
            found.initial_state()
        except (SpecError, EvaluationError):
            continue
        yield found.program
        yield optimised(found.program)
    for small in (load("go", n=3), load("othello", n=4), load("nine-mens-morris"), load("nim")):
        yield optimised(small.program)


def alone(program: Program) -> Iterator[Op]:
    """Yield operations that depend only on a state, the player and the cells of a step."""
    facts = Context(program, EMIT).facts
    rules = program.rules
    roots = operations((rules.tiers, rules.steps, rules.effects, rules.next, rules.score))
    seen: set[Op] = set()
    for root in (*roots, *operations(rules.ends)):
        for op in walk(root):
            free = facts.variables(op) <= {"player", *CELLS}
            if (
                free
                and not reads_parts(op, *MOVES)
                and all(part.name != "before" for part in walk(op))  # it is read inside a move
                and op not in seen
                and op.type != "text"
                and op.name not in ("range", "along")
            ):
                seen.add(op)
                yield op


def emitted(program: Program, op: Op, side: int) -> tuple[Module, int]:
    """Emit a function of a state and two cells that evaluates an operation; return it with the
    number of its results.
    """
    ctx = Context(program, EMIT)
    size = len(ctx.layout.types)
    effect = op.name in EFFECTS
    records: tuple[Any, ...] = ("m",) * len(RECORDS)
    results = (*ctx.layout.types, *records) if effect else ()
    with ctx.b.function("f", (*ctx.layout.types, "i", "i"), results, entry=True) as values:
        at = Position.of(ctx.layout, values[:size])
        known = {"player": ctx.b.i(side)} | dict(zip(CELLS, values[size:], strict=True))
        found = given(ctx, op, Environment(begin_draft(ctx, at) if effect else at, known))
        ctx.b.emit_return(*found)
        ctx.b.module.functions["f"].results = tuple(value.type for value in found)
    return finish_module(ctx), size


def given(ctx: Context, op: Op, scene: Environment) -> list[Value]:
    if op.name not in EFFECTS:
        return [ctx.value(op, scene)]
    after = emit_effect(ctx, op, scene).at
    assert after.record is not None
    return [*after.values(), *(after.record[name] for name in RECORDS)]


def positions(program: Program, count: int) -> Iterator[tuple[State, dict[str, int]]]:
    """Yield states with a random piece or none, and a number, on each cell; also two cells."""
    start, draw = Interpreter(program).initial_state(), random.Random(5)
    kept = [i for i, symbol in enumerate(program.form.symbols) if symbol]
    cells = range(program.topology.cells)
    for _ in range(count):
        planes = [0] * len(start.planes)
        density = draw.choice((0.3, 0.6, 1.0))
        for cell in cells:
            if kept and draw.random() < density:
                planes[draw.choice(kept)] |= 1 << cell
        side, registers = draw.randrange(len(start.form.players)), list(start.registers)
        for numbers in start.form.numbers:
            at = [draw.randint(0, numbers.high - numbers.low) for _ in cells]
            for i in range(numbers.bits):
                registers[numbers.first + i] = sum((n >> i & 1) << c for c, n in enumerate(at))
        state = replace(start, planes=tuple(planes), side=side, registers=tuple(registers))
        yield state, {name: draw.choice(cells) for name in CELLS}


def expected(machine: Interpreter, op: Op, frame: Frame) -> Any:
    """Return the interpreter's result: a value, or the parts of a draft; None if it fails."""
    try:
        if op.name not in EFFECTS:
            return machine.value(op, frame)
        draft = Draft.of(frame.at)
        machine.effects.execute(op, Frame(draft, frame.variables))
    except EvaluationError:
        return None
    kept = [i for i, symbol in enumerate(machine.program.form.symbols) if symbol]
    planes = [draft.planes[i] for i in kept]
    lost = any(mask and i not in kept for i, mask in enumerate(draft.planes))
    record = draft.record()
    made = (*planes, *draft.registers, *(getattr(record, name) for name in RECORDS))
    return None if lost else made


def found_by(module: Module, op: Op, program: Program, state: State, cells: dict[str, int]) -> Any:
    """Return the result of the code, in the same form."""
    kept = [i for i, symbol in enumerate(program.form.symbols) if symbol]
    swaps = any(group.kind == "swap" for group in program.rules.groups)
    history = (0,) if program.keeps_history else ()
    words = (*(state.planes[i] for i in kept), state.side, *state.registers, *((0,) * swaps))
    result = Machine(module).call("f", (*words, *history, *cells.values()))
    if result is None or op.name not in EFFECTS:
        return None if result is None else result[0]
    planes, registers = result[: len(kept)], result[len(kept) + 1 :][: len(state.registers)]
    return (*planes, *registers, *result[-len(RECORDS) :])


def compare(program: Program, seen: OperationCounts, positions_each: int = 2) -> None:
    machine = Interpreter(program)
    for number, op in enumerate(alone(program)):
        side = number % len(program.rules.players)
        try:
            module, _ = emitted(program, op, side)
        except Unsupported:
            continue
        for state, cells in positions(program, positions_each):
            frame = Frame(state, {"player": side, **cells})
            right = expected(machine, op, frame)
            found = found_by(module, op, program, state, cells)
            assert same(found, right), (program.rules.name, op, state, cells, found, right)
            (seen.failures if right is None else seen.values)[op.name] += 1


def same(found: Any, right: Any) -> bool:
    """True if the results agree, or if the code failed: the interpreter then decides."""
    if found is None or right is None:
        return found is None
    return bool(found == right)


@pytest.mark.slow
def test_each_operation_matches_the_interpreter() -> None:
    seen = OperationCounts()
    for program in programs(SEEDS):
        compare(program, seen)
    assert sum(seen.values.values()) > 4_000
    assert sum(seen.failures.values()) > 40
    assert {name for name in (*EMIT, *EFFECTS) if not seen.values[name]} <= NOT_ALONE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("back", lambda ctx, op, scene: ctx.value(op.args[0], scene)),
        ("components", lambda ctx, op, scene: ctx.value(op.args[0], scene)),
        ("minus", lambda ctx, op, scene: ctx.value(op.args[0], scene)),
        ("less", lambda ctx, op, scene: EMIT["at_most"](ctx, op, scene)),
    ],
)
def test_a_wrong_row_is_found(
    name: str, wrong: Callable[[Any, Any, Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.engine.test_emission.EMIT", {**EMIT, name: wrong})
    with pytest.raises(AssertionError):
        compare_all(range(2))


def compare_all(seeds: Iterable[int]) -> None:
    for program in programs(seeds):
        compare(program, OperationCounts(), 3)


@pytest.mark.parametrize("name", ["and", "or", "minus"])
def test_longest_operand_is_emitted_first(name: str) -> None:
    """Check it in either order of operands, so that no intermediate result has to be stored."""
    program = load("tic-tac-toe", engine="interpreter").program
    quick = make("shift", make("owned", literal("side", 0)), literal("directions", 1))
    slow = make("fill", make("owned", literal("side", 1)), make("not", make("empty")))
    for args in ((quick, slow), (slow, quick)):
        module, _ = emitted(program, make(name, *args), 0)
        ops = [instr.op for instr in instructions(module.functions["f"].body)]
        assert ops.index("mfill") < ops.index("mmove")
