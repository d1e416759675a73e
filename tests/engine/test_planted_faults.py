"""A planted fault in an analysis of kernels is found by the check of the tests for it."""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulesengine import EvaluationError
from rulesengine.engine.kernel.analysis.ban_bounds import BanBounds, BansOfMovers
from rulesengine.engine.kernel.analysis.ban_regions import BanRegions
from rulesengine.engine.kernel.analysis.effect_failures import EffectFailures
from rulesengine.engine.kernel.emit import move_parts, part_lists, tallies
from rulesengine.engine.kernel.emit.counted_targets import OriginSet
from rulesengine.engine.kernel.passes import (
    group_sets,
    placement_lines,
    placement_sets,
    rank_sets,
)
from rulesengine.engine.kernel.passes import tallies as number_sets
from rulesengine.engine.kernel.passes.anchor_bans import AnchorBans
from rulesengine.engine.kernel.passes.forbid_sets import ForbidSets
from rulesengine.engine.kernel.passes.group_sets import lift_group_loops
from rulesengine.engine.kernel.passes.lift import vectorise_conditions
from rulesengine.language.ir.ops import literal
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.tallies import make_best
from rulesengine.language.lower import repetition
from rulesengine.loading import load, load_source
from rulesengine.support.frozen import replace
from rulesengine.support.resources import bundled_path
from rulesengine.support.source import Source
from tests.engine import test_ban_sets as bans
from tests.engine import test_placement_lines as lines
from tests.engine import test_rank_sets as ranks
from tests.engine import test_tallies as numbers
from tests.engine.test_passes import assert_same, game_of
from tests.helpers.ban_specs import ban_spec
from tests.language import test_repetition as repeated

NO_CELLS, FALSE, TRUE = literal("cells", 0), literal("flag", 0), literal("flag", 1)
Patch = pytest.MonkeyPatch
range_of = number_sets._range
best_of, list_part = make_best, part_lists.list_part


def changed(owner: type, method: str, change: Callable[[Any], Any]) -> Callable[[Patch], None]:
    """Return a function that changes the result of a method."""
    real = getattr(owner, method)

    def wrong(self: Any, *args: Any) -> Any:
        found = real(self, *args)
        return found if found is None else change(found)

    return lambda patch: patch.setattr(owner, method, wrong)


def unbound(found: BanBounds) -> BanBounds:
    return replace(found, bound=FALSE, opened=FALSE)


def check_bans() -> None:
    for name, letters in bans.GAMES.items():
        for banned in bans.bans_of(load(name), letters):
            bans.check(banned, random.Random(name))


def check_generated_bans() -> None:
    assert bans.compare(range(18, 19)) > 0


def check_lifted(cells: str, run: Callable[[Program], Program]) -> None:
    game = game_of(cells, "square")
    assert_same(game, run(game.program))


def check_lines(rule: str, do: str = "") -> None:
    lines.assert_decided(lines.game_of(rule, lines.BOARDS[0], do))


def check_repetition() -> None:
    """Compare random games under a ban with and without the removal of bans."""
    moves, more = repeated.POSSIBLE[0]
    found = repeated.game(moves, more)
    with pytest.MonkeyPatch.context() as patch:
        module = sys.modules["rulesengine.language.lower.lower"]
        patch.setattr(module, "without_vain_repetition", same_rules)
        right = repeated.game(moves, more)
    assert repeated.has_same_moves(found, right)


def check_playouts(text: str) -> None:
    """Compare random games with those of the interpreter."""
    games = [load_source(Source("game.yaml", text), engine=e) for e in ("interpreter", "python")]
    right, found = (game.playouts(4, seed=1) for game in games)
    assert found == right


def check_mills() -> None:
    check_playouts(bundled_path("three-mens-morris").read_text(encoding="utf-8"))


def check_full_register() -> None:
    """Compare counts where a capture that is tried makes a register too large: an error."""
    found = []
    for engine in ("interpreter", "python"):
        game = load_source(Source("banned.yaml", ban_spec(9)), engine=engine)
        state = game.state_from(f"{game.initial_state()}\ntaken: 20")
        try:
            found.append(str(game.perft(1, state)))
        except EvaluationError as error:
            found.append(str(error))
    assert found[0] == found[1]


def same_rules(rules: Any, board: object) -> Any:
    return rules


FAULTS: dict[str, tuple[Callable[[Patch], None], Callable[[], None]]] = {
    "no step changes a ban": (changed(BanRegions, "of", lambda region: NO_CELLS), check_bans),
    "no step opens an attack": (
        changed(BansOfMovers, "of", unbound),
        check_generated_bans,
    ),
    "no target is forbidden": (changed(AnchorBans, "of", lambda cells: NO_CELLS), check_bans),
    "all targets are forbidden": (
        changed(AnchorBans, "of", lambda cells: literal("cells", (1 << 36) - 1)),
        check_bans,
    ),
    "effects never fail": (
        changed(EffectFailures, "absent_if", lambda condition: TRUE),
        check_full_register,
    ),
    "groups with fewer cells satisfy a bound": (
        lambda patch: patch.setattr(group_sets._Sizes, "at_least", lambda self, number: self.cells),
        lambda: check_lifted(
            "union(g in groups(own), if count(empty touching g) > 1 then g else nowhere)",
            lift_group_loops,
        ),
    ),
    "a group that meets a set is its common part": (
        changed(group_sets.GroupSets, "meeting", lambda fill: fill.args[0]),
        lambda: check_lifted(
            "union(g in groups(own), if any(g and goal) then g else nowhere)", lift_group_loops
        ),
    ),
    "the bounds of a number are one higher": (
        lambda patch: patch.setattr(
            number_sets, "_range", lambda *args: tuple(n + 1 for n in range_of(*args))
        ),
        lambda: check_lifted("all where count(neighbours(it) and own) = 2", vectorise_conditions),
    ),
    "a carry is lost in the sums of bit slices": (
        lambda patch: patch.setattr(tallies.Slices, "add_bit", without_carry),
        lambda: numbers.test_code_of_a_tally_has_the_cells_with_a_sum_in_the_range(
            numbers.TALLIES[2]
        ),
    ),
    "rows of one side of a placement do not count": (
        lambda patch: patch.setattr(placement_lines, "_opposite", lambda way, sets: None),
        lambda: check_lines("any(run(enemy, own, enemy, exactly 2))"),
    ),
    "no row through a placement is new": (
        lambda patch: patch.setattr(
            placement_lines, "completing_cells", lambda line, sets: sets.none
        ),
        lambda: check_lines("any(line(own, exactly 3))"),
    ),
    "no placement is in doubt": (
        lambda patch: patch.setattr(
            placement_sets.CandidateEvaluator, "_add_doubts", lambda self, cells, at: None
        ),
        lambda: check_lines("count(enemy) > 4", "remove run(to, enemy, own)"),
    ),
    "captured pieces are still there": (
        lambda patch: patch.setattr(ForbidSets, "_changed", lambda self, effect, at: at),
        lambda: check_lines("count(enemy) > 4", "remove run(to, enemy, own)"),
    ),
    "each origin has one step": (
        lambda patch: patch.setattr(
            OriginSet, "count", lambda self: self.ctx.b.op("mcount", self.origins)
        ),
        check_mills,
    ),
    "the step after the drawn one is made": (
        lambda patch: patch.setattr(OriginSet, "nth", after(OriginSet.nth)),
        check_mills,
    ),
    "all moves are of the first part": (
        lambda patch: patch.setattr(
            move_parts,
            "list_part",
            lambda ctx, at, side, part, cells: list_part(ctx, at, side, ctx.b.i(0), cells),
        ),
        lambda: check_playouts(ban_spec(7)),
    ),
    "the least number is the best": (
        lambda patch: patch.setattr(
            rank_sets,
            "make_best",
            lambda cells, sets, weights, order: best_of(cells, sets, weights, "least"),
        ),
        lambda: ranks.assert_ranked(ranks.game_of(*ranks.RANKED[0])),
    ),
    "games that remove pieces drop bans on repetition": (
        lambda patch: patch.setattr(repetition, "_keep", lambda effects: True),
        check_repetition,
    ),
}


def after(nth: Callable[[OriginSet, Any], Any]) -> Callable[[OriginSet, Any], Any]:
    """Return a selection of the step with the next index, for the last one the first."""

    def wrong(self: OriginSet, index: Any) -> Any:
        b = self.ctx.b
        following = b.op("iadd", index, b.i(1))
        is_last = b.op("ile", self.count(), following)
        return nth(self, b.op("pick", is_last, b.i(0), following))

    return wrong


def without_carry(self: tallies.Slices, place: int, carry: Any) -> None:
    self.bits[place] = self.b.op("mxor", self.bits[place], carry)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str, monkeypatch: Patch, tmp_path: Path) -> None:
    plant, check = FAULTS[fault]
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path))  # kernels with faults are not kept
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        check()
