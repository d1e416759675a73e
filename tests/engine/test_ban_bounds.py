"""Bans of steps that can neither open nor block an attack are known before the step."""

from functools import cache

import pytest

from rulesengine import EvaluationError
from rulesengine.engine.kernel.analysis.ban_bounds import BanBounds, BansOfMovers
from rulesengine.engine.kernel.analysis.ban_regions import BanRegions
from rulesengine.engine.kernel.analysis.effect_failures import EffectFailures
from rulesengine.engine.kernel.passes import optimised
from rulesengine.game import Game
from rulesengine.language.ir.ops import literal, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import constant, has_role
from rulesengine.language.ir.rules import Group
from rulesengine.loading import load, load_source
from rulesengine.support.source import Source
from tests.helpers.ban_specs import ban_spec

FALSE = literal("flag", 0)
# Specs with regions and bounds of bans, with effects that fail, and with results that change if an
# analysis is wrong.
SEEDS = (7, 11, 21, 2068)
# A page that captures in passing empties two cells of a row.
PASSING = """spec: 1
name: Passing
board: {rows: 4, columns: 4, origin: bottom-left}
players:
  white: {ahead: north}
  black: {ahead: south}
pieces:
  king: {white: K, black: k}
  rook: {white: R, black: r}
  page: {white: P, black: p}
  empty: "."
registers:
  marked: {type: cell}
define:
  met(c, way): shift(slide(c, way, empty) or c, way) minus empty
start: |
  k...
  ..p.
  KP.r
  ....
rules:
  moves:
    - {name: step, move: own king or own rook, to: neighbours(from) minus own}
    - name: page
      move: own page
      to: >-
        shift(from, ahead) and empty or shift(from, ahead, [east, west]) and (enemy or marked)
      do: if to = marked then remove shift(to, opposite(ahead))
  do: set marked to if from in page then to else no_cell
  end: {when: not can_move(mover), result: mover loses}
  forbid: "any(way in orthogonal, any(met(own king, way) and enemy rook))"
"""


@cache
def program_of(name: str) -> Program:
    return optimised(load(name).program)


def group_of(name: str, group: str) -> Group:
    return next(g for g in program_of(name).rules.groups if g.name == group)


def bounds_of(name: str, group: str) -> BanBounds | None:
    found = group_of(name, group)
    assert found.forbid is not None
    return BansOfMovers(program_of(name)).of(found, found.forbid)


def result(game: Game) -> tuple[object, ...]:
    """Return counts and random games of a spec, or the errors of effects that are tried."""
    found: list[object] = []
    for play in (lambda: game.perft(2), lambda: game.playouts(6, seed=3)):
        try:
            found.append(play())
        except EvaluationError as error:
            found.append(str(error))
    return tuple(found)


def compare(seed: int) -> None:
    source = Source("banned.yaml", ban_spec(seed))
    slow, fast = load_source(source, engine="interpreter"), load_source(source, engine="python")
    assert result(fast) == result(slow)


@pytest.mark.parametrize("group", ["pawn", "promotion", "step", "line"])
def test_emptied_cells_alone_open_attacks_in_chess(group: str) -> None:
    found = bounds_of("chess", group)
    assert found is not None
    assert found.bound == FALSE


def test_a_cannon_attacks_over_a_piece_that_a_step_may_provide() -> None:
    found = bounds_of("xiangqi", "line")
    assert found is not None
    kinds = {constant(op.args[0]) for op in walk(found.bound) if has_role(op, "pieces") and op.args}
    cannon = [kind.name for kind in program_of("xiangqi").rules.kinds].index("cannon")
    assert found.bound != FALSE
    assert cannon in kinds


def test_castling_may_change_a_ban_anywhere_and_a_pawn_only_where_it_has_passed() -> None:
    regions = BanRegions(program_of("chess"))
    assert regions.exceptions(group_of("chess", "castling")) is None
    assert len(regions.exceptions(group_of("chess", "pawn")) or ()) == 1
    assert regions.exceptions(group_of("chess", "line")) == ()


def test_effects_cannot_fail_while_a_count_is_below_its_bound() -> None:
    failures = EffectFailures(program_of("chess"))
    condition = failures.absent_if(group_of("chess", "line"))
    assert condition is not None
    numbers = [op.value for op in walk(condition) if has_role(op, "constant")]
    assert numbers == [150]  # one less than the register may have
    assert failures.absent_if(group_of("chess", "pawn")) == literal("flag", 1)
    assert failures.absent_if(group_of("chess", "castling")) is None


def test_a_capture_in_passing_may_open_a_row() -> None:
    # The page on b2 may not capture on c3, which takes c2: then d2 attacks a2.
    text = "k...\np...\nKPpr\n....\nmover: white\nmarked: c3"
    source = Source("passing.yaml", PASSING)
    for engine in ("interpreter", "python"):
        game = load_source(source, engine=engine)
        moves = {str(move) for move in game.legal_moves(game.state_from(text))}
        assert {"b2xa3", "b2-b3"} <= moves
        assert not any("c3" in move for move in moves)
        assert game.perft(1, game.state_from(text)) == len(moves)


@pytest.mark.parametrize("seed", SEEDS)
def test_kernels_of_generated_bans_agree_with_the_interpreter(seed: int) -> None:
    compare(seed)


@pytest.mark.deep
@pytest.mark.parametrize("first", range(100, 500, 20))
def test_kernels_of_many_generated_bans_agree_with_the_interpreter(first: int) -> None:
    for seed in range(first, first + 20):
        compare(seed)
