"""Static facts about operations against the interpreter's results."""

from collections import Counter
from functools import cache
from typing import Any

import pytest

from rulesengine import load
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.kernel.analysis.facts import Facts
from rulesengine.engine.kernel.analysis.planes import EMPTY, planes_of, side_of
from rulesengine.engine.kernel.analysis.side_symmetry import is_side_symmetric, other_sides
from rulesengine.engine.kernel.analysis.state_layout import StateLayout
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.program import Program
from tests.engine.test_emission import alone, expected, positions, programs

PLAYER = Op("variable", "side", (), "player")
OWN, ENEMY = make("owned", PLAYER), make("owned", make("next", PLAYER))
MAN, KING = make("of_kind", literal("kind", 0)), make("of_kind", literal("kind", 1))
FREE = make("empty")


@cache
def checked_facts() -> Counter[str]:
    """Check the facts of operations in random positions; count the informative ones by name."""
    found = Counter[str]()
    for program in programs(range(25)):
        machine, facts = Interpreter(program), Facts(program)
        for op in alone(program):
            if op.type != "effect":
                found += check(machine, facts, op)
    return found


def check(machine: Interpreter, facts: Facts, op: Op) -> Counter[str]:
    found, answers = Counter[str](), list[Any]()
    for state, cells in positions(machine.program, 3):
        frame = Frame(state, {"player": 0, **cells})
        value = expected(machine, op, frame)
        answers.append(value)
        if not facts.may_fail(op):
            assert value is not None, op
            found["never fails"] += 1
        if op.type == "number" and value is not None:
            low, high = facts.range(op)
            assert low <= value <= high, op
            found["bounded"] += high - low < 2**63
        planes = planes_of(op, machine.evaluator.sides, len(machine.program.rules.kinds), 0)
        if planes is not None:
            whole = [
                machine.evaluator.geometry.mask & ~union(state.planes) if EMPTY in planes else 0
            ]
            assert value == union([*whole, *(state.planes[p] for p in planes if p >= 0)]), op
            found["planes"] += 1
    if facts.is_fixed(op) and not facts.variables(op) & {"from", "to"}:
        assert len(set(answers)) == 1, op
        found["fixed"] += 1
    return found


def union(masks: Any) -> int:
    total = 0
    for mask in masks:
        total |= mask
    return total


@pytest.mark.slow
@pytest.mark.parametrize("fact", ["never fails", "bounded", "planes", "fixed"])
def test_a_fact_is_true_in_random_positions(fact: str) -> None:
    assert checked_facts()[fact] > 200


@pytest.mark.parametrize(
    ("op", "planes"),
    [
        (OWN, {0, 3}),
        (ENEMY, {1, 4}),
        (MAN, {0, 1, 2}),
        (make("and", OWN, KING), {3}),
        (make("minus", make("not", FREE), OWN), {1, 2, 4, 5}),
        (make("or", FREE, make("owned", literal("side", 2))), {EMPTY, 2, 5}),
    ],
)
def test_sets_of_whole_planes_are_known_as_such(op: Op, planes: set[int]) -> None:
    # Two players and two kinds: planes 0 to 2 are men of each owner, 3 to 5 kings.
    assert planes_of(op, 2, 2, 0) == frozenset(planes)


def test_other_sets_are_not() -> None:
    assert planes_of(make("neighbours", OWN), 2, 2, 0) is None
    assert planes_of(make("and", OWN, literal("cells", 3)), 2, 2, 0) is None
    assert side_of(literal("side", -1), 2, 0) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "alike"),
    [("othello", True), ("hex", False), ("breakthrough", False), ("go", False), ("gomoku", True)],
)
def test_rules_are_the_same_for_both_sides_or_not(name: str, alike: bool) -> None:
    program: Program = load(name).program
    assert is_side_symmetric(program) == alike
    if alike:
        assert other_sides(StateLayout.of(program).planes) == [1, 0]


@pytest.mark.parametrize(("row", "column", "fails"), [(1, 1, False), (3, 3, False), (3, 4, True)])
def test_a_cell_that_is_named_by_numbers_is_there_if_they_are_on_the_board(
    row: int, column: int, fails: bool
) -> None:
    cell = make("at", literal("number", row), literal("number", column))
    assert Facts(load("tic-tac-toe").program).may_fail(cell) is fails
