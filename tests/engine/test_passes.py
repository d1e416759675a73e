"""Passes: optimised programs play the same games, and have the expected text."""

import random
from collections.abc import Iterator
from contextlib import suppress

import pytest

from rulesengine import EvaluationError, Game, SpecError, State, load
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.kernel.passes import optimised
from rulesengine.engine.kernel.passes.lift import vectorise_conditions
from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import operations
from rulesengine.language.ir.text import read, show
from rulesengine.language.ir.verify import verify
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.helpers.each_game import LARGER, each_game
from tests.helpers.engine_comparison import Difference, Engines, TooLong, optimised_game
from tests.helpers.spec_strategies import random_spec

BUDGET = 30_000


def compare(found: Game, plies: int) -> bool:
    """Play a game by a program and its optimised form; return whether they differ."""
    passed = optimised(found.program)
    verify(passed)
    assert read(show(passed)) == passed
    engines = Engines(Game(found.rules, found.parameters, "interpreter"), optimised_game(found))
    engines.limit(BUDGET)
    with suppress(TooLong):
        engines.play(0, plies)
    return passed != found.program


def test_the_comparison_finds_a_wrong_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("tic-tac-toe", engine="interpreter")
    wrong = load("misere-tic-tac-toe", engine="interpreter").program
    monkeypatch.setattr("tests.helpers.engine_comparison.optimised", lambda program: wrong)
    with pytest.raises(Difference):
        compare(game, 9)


@each_game(quick=(), deep=LARGER)
def test_a_bundled_game_is_the_same_after_all_passes(name: str) -> None:
    compare(load(name, engine="interpreter"), 6)


def generated(first: int, end: int) -> Iterator[Game]:
    for seed in range(first, end):
        try:
            yield load_source(Source("spec.yaml", random_spec(seed)), engine="interpreter")
        except SpecError:
            continue


@pytest.mark.parametrize(
    "first", [pytest.param(0, marks=pytest.mark.slow), pytest.param(25, marks=pytest.mark.deep)]
)
def test_generated_games_are_the_same_after_all_passes(first: int) -> None:
    changed = [compare(found, 4) for found in generated(first, first + 25)]
    assert sum(changed) > len(changed) // 4


@pytest.mark.deep
@pytest.mark.parametrize("first", range(1000, 2000, 100))
def test_many_generated_games_are_the_same_after_all_passes(first: int) -> None:
    for found in generated(first, first + 100):
        compare(found, 8)


# lifting of loops to sets

SPEC = """
spec: 1
name: Questions
board: {board}
players:
  one: {{ahead: {north}, way: [{north}, east], goal: c3 or b2, far: 2}}
  two: {{ahead: {south}, way: [{south}, west], goal: a1, far: 3}}
pieces:
  man: {{one: x, two: o}}
  king: {{one: X, two: O, neutral: n}}
  empty: "."
registers:
  spot: {{type: cell, start: b2}}
rules:
  moves:
    place: man
    to: {cells}
  end:
    when: none(empty)
    result: draw
"""
BOARDS = {
    "square": "{rows: 5, columns: 4}",
    "torus": "{rows: 4, columns: 5, wrap: both}",
    "cylinder": "{rows: 4, columns: 4, wrap: columns}",
    "holes": "{rows: 5, columns: 5, holes: b4 d2 d3}",
    "hexagon": "{shape: hexagon, size: 3}",
    "torus of hexagons": "{shape: rhombus, rows: 4, columns: 5, wrap: both}",
}

# Sets by a condition on each cell that are computed for all cells at once.
LIFTED = (
    "own where it in goal",
    "empty where not (it in goal or it in enemy)",
    "all where any(own) and it in empty",
    "own where it = spot",
    "all where owner(it) = player",
    "all where owner(it) = opponent or owner(it) = next(opponent)",
    "all where spot in neighbours(it) and it in empty",
    "all where any(shift(it, ahead) and empty)",
    "all where none(shift(it, way, ahead) and enemy)",
    "all where any((neighbours(it) and own) minus goal)",
    "empty where any(shift(it, way) and own or (neighbours(it) and king))",
    "all where shift(it, way) in (own or empty)",
    "all where (if any(neighbours(it) and own) then it in goal else it in empty)",
    "empty where any(enemy between it and own)",
    "empty where any(run(it, enemy, own, exactly 2))",
    "empty where any(run(it, enemy, own or enemy, 1 to 3, way))",
    "empty where none(run(shift(it, ahead), empty, own))",
    "empty where any(slide(it, way, empty) and goal)",
    "own where none(slide(it, way, empty or own) minus goal)",
    "all where any(o in own, it = o)",
    "all where count(x in empty, x in neighbours(spot)) > 1 and it in own",
    "own where row(it) > far",
    "empty where column(it) + row(it) > count(shift(it, ahead)) + far",
    "own where any(fill(it, own) and goal)",
    "own where every(x in enemy and b2, x in goal)",
)
# Sets of reachable cells that are computed for all cells at once.
JOINED = (
    "union(x in own, shift(x, ahead) and empty)",
    "union(x in own, neighbours(x) minus enemy)",
    "union(x in enemy, if any(own and goal) then slide(x, way, empty) else fill(x, enemy))",
    "union(x in own or goal, run(x, enemy, own))",
    "union(x in own, union(d in WAYS, shift(shift(x, d) and enemy, d) and empty))",
    "union(x in empty, shift(x, ahead) or (neighbours(x) and own) or goal)",
    "union(x in nowhere, own)",
)
REACHED = (
    "reach(x in own and goal, shift(x, way) and empty)",
    "reach(x in own, union(d in WAYS, shift(shift(x, d) and occupied, d) and empty))",
    "reach(x in goal, neighbours(x) minus own)",
    "reach(x in spot, (slide(x, ahead, empty) or shift(x, way, way)) minus own)",
)
# Tests for runs from any cell of a set.
ROWS = (
    "if any(run(empty, own, empty, exactly 2)) then own else enemy",
    "if none(run(enemy or goal, own, enemy or empty, 1 to 3, way)) then own else enemy",
    "if any(run(own, own, enemy)) then own else enemy",
    "if any(run(goal, enemy, own or enemy, at least 2)) then own else enemy",
)
# Sets by conditions that need a loop.
ASKED = (
    "all where count(neighbours(it) and own) > count(king)",
    "all where owner(it) = nobody",
    "all where row(it) > count(own)",
    "all where any((enemy between it and own) minus goal)",
    "all where 12 / (row(it) + count(own)) > 2",
    "all where kind(it) = kind(spot)",
    "union(x in own, line(x or empty, at least 3))",
    "union(x in own, if x in goal then neighbours(x) else shift(x, ahead))",
    "union(x in own, empty minus neighbours(x))",
    "reach(x in own, neighbours(x) and shift(x, way))",
)


def game_of(cells: str, board: str) -> Game:
    ways = ("northeast", "southwest") if "hexagon" in board else ("north", "south")
    cells = cells.replace("WAYS", "[northeast, east, west]")
    shown = {"board": BOARDS[board], "north": ways[0], "south": ways[1], "cells": f'"{cells}"'}
    text = SPEC.format(**shown)
    return load_source(Source("questions.yaml", text), engine="interpreter")


def target(program: Program) -> Op:
    found = program.rules.tiers[0][0].target
    assert found is not None
    return found


def loops(op: Op) -> int:
    return sum(inner.name == "each" for inner in walk(op))


def positions(game: Game, count: int) -> Iterator[State]:
    """Yield states with a random piece, or none, on each cell."""
    start, draw = game.initial_state(), random.Random(7)
    for _ in range(count):
        planes = [0] * len(start.planes)
        kept = [i for i, symbol in enumerate(start.form.symbols) if symbol]
        for cell in range(len(start.form.cells)):
            if draw.random() < 0.6:
                planes[draw.choice(kept)] |= 1 << cell
        side = draw.randrange(2)
        yield State(tuple(planes), side, start.registers, start.history, start.form, start.seats)


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("cells", LIFTED)
def test_a_question_to_each_cell_becomes_a_set(cells: str, board: str) -> None:
    game = game_of(cells, board)
    lifted = vectorise_conditions(game.program)
    verify(lifted)
    assert loops(target(game.program)) > 0
    assert loops(target(lifted)) == 0
    assert_same(game, lifted)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("cells", JOINED)
def test_the_sets_of_each_cell_become_one(cells: str, board: str) -> None:
    game = game_of(cells, board)
    lifted = vectorise_conditions(game.program)
    verify(lifted)
    assert loops(target(game.program)) > loops(target(lifted)) == 0
    if cells != JOINED[-1]:
        assert_same(game, lifted)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("cells", REACHED)
def test_all_cells_that_were_reached_last_lead_on_at_once(cells: str, board: str) -> None:
    game = game_of(cells, board)
    lifted = vectorise_conditions(game.program)
    verify(lifted)
    (loop,) = [op.value for op in walk(target(lifted)) if op.name == "each"]
    assert isinstance(loop, tuple)
    assert loop[2] == "frontier"
    assert_same(game, lifted)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("cells", ROWS)
def test_the_test_for_a_run_is_one_of_its_first_cells(cells: str, board: str) -> None:
    game = game_of(cells, board)
    lifted = vectorise_conditions(game.program)
    verify(lifted)
    assert "run" not in {op.name for op in walk(target(lifted))}
    assert_same(game, lifted)


@pytest.mark.parametrize("cells", ASKED)
def test_unvectorisable_condition_stays_a_loop(cells: str) -> None:
    game = game_of(cells, "square")
    lifted = vectorise_conditions(game.program)
    assert loops(target(lifted)) > 0
    assert_same(game, lifted)


def assert_same(game: Game, changed: Program) -> None:
    """Check that the set of targets is the same in random positions, for both sides."""
    machines, met = (Interpreter(game.program), Interpreter(changed)), set()
    for state in positions(game, 30):
        for side in (0, 1):
            values = [
                attempt(machine, target(machine.program), Frame(state, {"player": side}))
                for machine in machines
            ]
            assert values[0] == values[1]
            met.add(values[0])
    assert len(met) > 1  # a constant set tests little


def attempt(machine: Interpreter, op: Op, frame: Frame) -> object:
    try:
        return machine.value(op, frame)
    except EvaluationError as error:
        return str(error)


def test_lifting_leaves_other_operations_as_they_are() -> None:
    game = game_of("empty touching own", "square")
    assert vectorise_conditions(game.program) == game.program


def test_passes_are_the_same_from_run_to_run() -> None:
    game = game_of(LIFTED[13], "torus")
    assert optimised(game.program) == optimised(game.program)


def test_the_questions_of_all_rules_are_lifted() -> None:
    found = load("othello", engine="interpreter")
    before, after = (
        sum(map(loops, operations(p.rules))) for p in (found.program, optimised(found.program))
    )
    assert before > after == 0
