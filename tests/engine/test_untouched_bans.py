"""Bans that a step cannot change are computed once for a state; loops over directions unroll."""

from functools import cache

import pytest

from rulesengine import EvaluationError
from rulesengine.engine.kernel.analysis.ban_regions import BanRegions
from rulesengine.engine.kernel.emission import emitted
from rulesengine.engine.kernel.passes import optimised
from rulesengine.engine.kernel.passes.direction_loops import unroll_directions
from rulesengine.game import Game
from rulesengine.language.ir.ops import walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import domain_type
from rulesengine.language.ir.rules import operations
from rulesengine.loading import load_source
from rulesengine.support.source import Source

# Kings, rooks and pages on a small board; captured pieces may be dropped.
SPEC = """spec: 1
name: Courts
board: {rows: 4, columns: 4, origin: bottom-left}
players:
  white: {ahead: north}
  black: {ahead: south}
pieces:
  king: {white: K, black: k, is: man, values: {steps: all}}
  rook: {white: R, black: r, is: man, values: {rays: orthogonal, hand_kind: rook}}
  page: {white: P, black: p, is: man, values: {steps: ahead, hand_kind: page}}
  empty: "."
registers:
  hand: {type: number, each: [player, kind], from: 0, to: 9}
define:
  ray(cells, way): slide(cells, way, empty) or shift(slide(cells, way, empty) or cells, way)
  reached(c, piece): shift(c, steps of piece) or union(way in rays of piece, ray(c, way))
  sources(piece): >-
    shift(own king, opposite(as(opponent, steps of piece)))
    or union(way in rays of piece, ray(own king, way))
  in_check: any(piece in kinds(man), any(sources(piece) and enemy piece))
start: |
  rk..
  ..p.
  .P..
  ..KR
rules:
  moves:
    - {name: step, move: own, to: "reached(from, kind(from)) minus own"}
    - name: drop
      place: choice
      when: hand of choice > 0
      to: empty
      choice: [rook, page]
      do: add -1 to hand of choice
  do: if any(captured) then add 1 to hand of hand_kind of before(kind(to))
  end:
    - {when: not can_move(mover), result: mover loses}
    - {when: plies > 30, result: draw}
  forbid: in_check
"""
# The same with an effect on another cell, and with a condition that any cell may change.
ELSEWHERE = SPEC.replace("  do: if any", "  do:\n    - remove enemy page and a1\n    - if any")
ANYWHERE = SPEC.replace("forbid: in_check", "forbid: in_check or count(enemy page) > 3")
# No kind has a value; without its ban, steps are unrestricted.
PLAIN = """spec: 1
name: Plain
board: {rows: 4, columns: 4}
players: [white, black]
pieces: {king: {white: K, black: k}, rook: {white: R, black: r}, empty: "."}
define:
  seen: union(way in orthogonal, shift(slide(own king, way, empty) or own king, way))
start: |
  rk..
  ....
  ....
  ..KR
rules:
  moves: {move: own, to: neighbours(from) minus own}
  forbid: any(seen and enemy rook)
  end: {when: not can_move(mover), result: mover loses}
"""


@cache
def game_of(text: str, engine: str = "interpreter") -> Game:
    return load_source(Source("courts.yaml", text), engine=engine)


def functions(program: Game) -> set[str]:
    return set(emitted(program.machine, "perft").functions)


def counted(game: Game, position: str) -> int | str:
    """Return the count of two plies, or the error that the effect of a tried step causes."""
    try:
        return game.perft(2, game.state_from(position))
    except EvaluationError as error:
        return str(error)


def loops(program: Program) -> int:
    every = {id(op): op for top in operations(program.rules) for op in walk(top)}
    return sum(domain_type(op) == "directions" for op in every.values())


def test_a_ban_of_rays_and_steps_has_a_region_in_the_state() -> None:
    program = optimised(game_of(SPEC).program)
    found = BanRegions(program)
    assert all(found.of(g, g.forbid) is not None for g in program.rules.groups if g.forbid)
    names = functions(game_of(SPEC))
    assert any(name.startswith("state_ban") for name in names)


@pytest.mark.parametrize("text", [ELSEWHERE, ANYWHERE])
def test_a_ban_that_any_step_may_change_has_none(text: str) -> None:
    program = optimised(game_of(text).program)
    found = BanRegions(program)
    assert not any(found.of(g, g.forbid) for g in program.rules.groups if g.forbid)


def test_bans_are_computed_once_without_values_of_kinds() -> None:
    assert loops(game_of(PLAIN).program) == 1
    assert loops(unroll_directions(game_of(PLAIN).program)) == 0
    assert any(name.startswith("state_ban") for name in functions(game_of(PLAIN)))


def test_programs_without_bans_and_values_of_kinds_keep_their_loops() -> None:
    text = PLAIN.replace("  forbid: any(seen and enemy rook)\n", "").replace(
        "minus own}", "minus (own minus seen)}"
    )
    program = game_of(text).program
    assert loops(program) == 1
    assert unroll_directions(program) == program


def test_loops_over_constant_directions_are_unrolled() -> None:
    program = game_of(SPEC).program
    assert loops(program) > 0
    assert loops(unroll_directions(program)) == 0


@pytest.mark.parametrize("text", [SPEC, ELSEWHERE, ANYWHERE])
@pytest.mark.parametrize(
    "position",
    [
        "rk.. ..p. .P.. ..KR mover: white",
        # The king in check by a rook, with a rook in hand that may stand between.
        "k... .... .... K..r mover: white;hand of rook of white: 1",
        # A pinned page, and pieces in hand of both sides.
        "kr.. .... .P.. .K.. mover: white;hand of page of white: 2;hand of rook of black: 1",
        # Check by a page.
        "k... .... .p.. K.R. mover: white;hand of page of black: 1",
    ],
)
def test_kernels_count_the_moves_of_the_interpreter(text: str, position: str) -> None:
    rows, _, rest = position.partition(" mover")
    state_text = "\n".join([*rows.split(), *f"mover{rest}".split(";")])
    slow, fast = game_of(text), game_of(text, "python")
    assert counted(slow, state_text) == counted(fast, state_text) != 0


def test_random_games_are_those_of_the_interpreter() -> None:
    slow, fast = game_of(SPEC), game_of(SPEC, "python")
    assert slow.playouts(20, seed=3) == fast.playouts(20, seed=3)
