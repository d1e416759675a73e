"""Steps that kernels list without a search for duplicates, against the interpreter."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain

import pytest

from rulesengine import Game, load
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.kernel.backends.protocol import Backend
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.duplicate_steps import possible_duplicates
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.step_sets import passes_last, step_sets_of_tier
from rulesengine.engine.kernel.emit.table import EMIT
from rulesengine.engine.kernel.kernels import Kernels
from rulesengine.engine.kernel.passes import optimised
from rulesengine.errors import EvaluationError, SpecError
from rulesengine.language.ir.program import Program
from rulesengine.loading import load_source
from rulesengine.state import State
from rulesengine.support.source import Source
from tests.engine.test_emission import positions
from tests.helpers.each_game import each_game
from tests.helpers.spec_strategies import random_spec

SPEC = """
spec: 1
name: Steps
board: {rows: 3, columns: 3, origin: bottom-left%s}
players: [white, black]
pieces:
  man: {white: o, black: x}
  king: {white: O, black: X}
  empty: "."
registers:
  marked: {type: cells}
rules:
  moves:
%s
"""
ALONG = '{move: %s, along: %s, to: "shift(from, direction) and empty"}'
TORUS = ", wrap: both"


def game_of(rules: str, board: str = "", engine: str = "interpreter") -> Game:
    return load_source(Source("steps.yaml", SPEC % (board, rules)), engine=engine)


def program_of(rules: str, board: str = "") -> Program:
    return game_of(rules, board).program


def scattered(game: Game) -> list[State]:
    """Return positions with arbitrary pieces."""
    return [state for state, _ in positions(game.program, 12)]


@contextmanager
def emitting(program: Program) -> Iterator[tuple[Context, Position]]:
    """Yield the context and position of a state function, to inspect facts before emission."""
    ctx = Context(program, EMIT)
    types = ctx.layout.types
    with ctx.b.function("f", types, types, entry=True) as values:
        yield ctx, Position.of(ctx.layout, values)
        ctx.b.emit_return(*values)


def competing_groups(program: Program, side: int | None = None) -> list[tuple[int, list[int]]]:
    """Return the groups of all tiers, each with those that may have listed one of its steps."""
    with emitting(program) as (ctx, at):
        scene = Environment(at, {"player": at.side if side is None else ctx.b.i(side)})
        tiers = program.rules.tiers
        return [
            pair for tier in tiers for pair in possible_duplicates(ctx, scene, passes_last(tier))
        ]


APART = {
    "other pieces": """
    - {move: man of player, to: empty}
    - {move: king of player, to: empty}
""",
    "other goals": """
    - {move: own, to: empty}
    - {move: own, to: enemy}
""",
    "a condition and its contrary": """
    - {move: own, to: neighbours(from) minus (top or marked)}
    - {move: own, to: (neighbours(from) or own) and marked}
""",
    "a filter of what the other one excludes": """
    - {move: own, to: neighbours(from) minus (marked minus enemy)}
    - {move: own, to: (marked minus enemy) where count(neighbours(it) and own) > 1}
""",
    "other places": """
    - {place: man, to: corners or top}
    - {place: man, to: all minus edge}
""",
    "other distances": """
    - {move: own, along: all, to: "shift(from, direction)"}
    - {move: own, along: all, to: "shift(from, direction, direction)"}
""",
    "other directions": """
    - {move: own, along: [north], to: "slide(from, direction, all)"}
    - {move: own, along: [south, east], to: "slide(from, direction, all) or shift(from, direction)"}
""",
    "other origins": """
    - {move: own and top, to: empty}
    - {move: own and bottom, to: empty}
""",
    "a direction that is written": """
    - {select: all, along: [north, east], do: remove to, written: "{to}-{direction}"}
    - {select: all, along: [west], do: remove to, written: "{to}-{direction}"}
""",
    "if one or the other": """
    - move: own
      along: orthogonal
      to: if any(from and man) then shift(from, direction) else slide(from, direction, empty)
    - {move: own, along: diagonal, to: "shift(from, direction)"}
""",
}
MAYBE = {
    "the same goals": (
        """
    - {move: own, to: empty}
    - {move: own, to: neighbours(from)}
""",
        [(0, []), (1, [0])],
    ),
    "some of the same pieces": (
        """
    - {move: own minus king, to: empty}
    - {move: own minus marked, to: empty}
    - {move: king of player, to: empty}
""",
        [(0, []), (1, [0]), (2, [1])],
    ),
    "a condition of one direction": (
        """
    - {move: own, along: all, to: "all minus shift(from, direction)"}
    - {move: own, along: all, to: "shift(from, direction)"}
""",
        [(0, [0]), (1, [0])],
    ),
    "cells that are excluded on a condition": (
        """
    - {move: own, to: neighbours(from) minus (marked and top)}
    - {move: own, to: neighbours(from) and marked}
    - {move: own, to: neighbours(from) and marked and not (marked and top)}
""",
        [(0, []), (1, [0]), (2, [0, 1])],
    ),
    "cells beside those that are excluded": (
        """
    - {move: own, to: "union(c in marked, neighbours(c))"}
    - {move: own, to: all minus marked}
""",
        [(0, []), (1, [0])],
    ),
    "the other case of a condition": (
        """
    - {move: own, to: if any(from and man) then top else bottom}
    - {move: own, to: bottom}
    - {move: own, to: top}
""",
        [(0, []), (1, [0]), (2, [0])],
    ),
    "a written direction in common": (
        """
    - {select: all, along: [north, east], do: remove to, written: "{to}-{direction}"}
    - {select: top, along: [east, west], do: remove to, written: "{to}-{direction}"}
""",
        [(0, []), (1, [0])],
    ),
    "directions in common": (
        """
    - {move: own, along: [north, east], to: "shift(from, direction)"}
    - {move: own, along: [east, south], to: "shift(from, direction)"}
""",
        [(0, []), (1, [0])],
    ),
}


@pytest.mark.parametrize("rules", APART.values(), ids=APART)
@pytest.mark.parametrize("side", [0, 1, None])
def test_steps_differ_by(rules: str, side: int | None) -> None:
    program = program_of(rules)
    assert competing_groups(program, side) == [(0, []), (1, [])]
    assert not contradicted(program, 20)


@pytest.mark.parametrize(("rules", "found"), MAYBE.values(), ids=MAYBE)
def test_steps_may_be_equal_with(rules: str, found: list[tuple[int, list[int]]]) -> None:
    assert competing_groups(program_of(rules), 0) == found


def test_opposite_steps_meet_where_a_board_comes_round() -> None:
    """Expect three steps east to be none on a torus of three columns, and two to be one west."""
    rules = """
    - move: own
      along: [east, west]
      to: shift(from, direction) or shift(from, direction, direction)
"""
    assert competing_groups(program_of(rules)) == [(0, [])]
    assert competing_groups(program_of(rules, TORUS)) == [(0, [0])]


@pytest.mark.parametrize(
    ("first", "second", "are_sets"),
    [
        ("{place: man, to: empty and edge}", "{place: king, to: empty minus edge}", True),
        ("{place: man, to: empty and edge}", "{place: king, to: empty and top}", False),
        ("{place: man, to: empty}", "{place: man, to: enemy}", True),
        (ALONG % ("man of player", "[north, east]"), ALONG % ("king of player", "[east]"), True),
        (ALONG % ("own", "[north, east]"), ALONG % ("king of player", "[east]"), False),
        (ALONG % ("own", "[north, east]"), ALONG % ("king of player", "[west]"), True),
    ],
)
def test_steps_of_two_groups_are_sets_where_these_are_apart(
    first: str, second: str, are_sets: bool
) -> None:
    program = program_of(f"    - {first}\n    - {second}\n")
    with emitting(program) as (ctx, at):
        parts = step_sets_of_tier(ctx, at, ctx.b.i(0), program.rules.tiers[0])
    assert (parts is not None) == are_sets


@pytest.mark.parametrize("backend", working(), ids=lambda backend: backend.name)
def test_missing_goals_are_not_evaluated(backend: Backend) -> None:
    """With no marked cell there is no first one, so the owner of goal pieces would be an error."""
    rules = """
    - {move: own and marked, to: owner(first(marked))}
    - {move: own, to: enemy}
"""
    game = game_of(rules)
    kernels = Kernels(game.machine, backend)
    part = kernels.part("singles")
    states = scattered(game)
    assert any(map(game.legal_moves, states))
    for state in states:
        assert part.call("legal", kernels.words(state, part)) is not None


def contradicted(program: Program, count: int) -> list[str]:
    """Return groups with equal steps, contrary to the analysis, in arbitrary positions."""
    machine, found = Interpreter(program), list[str]()
    by_side = {
        side: dict(competing_groups(program, side)) for side in range(len(program.rules.players))
    }
    for state, _ in positions(program, count):
        found += _contradicted(machine, state, by_side[state.side])
    return found


def _contradicted(machine: Interpreter, state: State, by_side: dict[int, list[int]]) -> list[str]:
    found = list[str]()
    groups = machine.program.rules.groups
    for tier in machine.program.rules.tiers:
        listed = dict[int, list[object]]()
        for number in [groups.index(group) for group in passes_last(tier)]:
            frame = Frame(state, {"player": state.side})
            try:
                steps = list(machine.generator.steps(frame, number))
            except EvaluationError:
                continue
            others = [before for before in listed if before not in by_side[number]]
            if number not in by_side[number] and len(set(steps)) < len(steps):
                found.append(f"group {number} lists a step twice in {state}")
            if not set(steps).isdisjoint(chain.from_iterable(listed[n] for n in others)):
                found.append(f"group {number} lists a step of {others} in {state}")
            listed[number] = list(steps)
    return found


@each_game()
def test_no_step_of_a_bundled_game_is_outside_the_tested_ways(name: str) -> None:
    assert not contradicted(optimised(load(name, engine="interpreter").program), 12)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(n, n + 50) for n in (0, 50, 100)])
def test_no_step_of_a_random_game_is_outside_the_tested_ways(seeds: range) -> None:
    seen = 0
    for text in map(random_spec, seeds):
        try:
            game = load_source(Source("spec.yaml", text), engine="interpreter")
            game.initial_state()
        except (SpecError, EvaluationError):
            continue
        program = game.program
        assert not contradicted(program, 5), text
        seen += 1
    assert seen > len(seeds) / 2
