"""Bans on connected groups, decided for all placements at once, against one by one."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.kernel.emit import group_sizes, grown_groups
from rulesengine.engine.kernel.entries import playout_ply
from rulesengine.engine.kernel.passes.forbid_sets import evaluate_forbids
from rulesengine.engine.kernel.passes.placement_groups import Groups, PlacementGroups
from rulesengine.language.ir.ops import Op, make
from rulesengine.loading import load_source
from rulesengine.support.frozen import replace
from rulesengine.support.source import Source
from tests.engine.test_emission import emitted, found_by
from tests.engine.test_emission import positions as board_positions
from tests.engine.test_passes import game_of as passes_game
from tests.engine.test_passes import target
from tests.engine.test_placement_lines import BOARDS, assert_decided, game_of

RULES = (
    "any(g in groups(own), count(g) > 3)",
    "any(g in groups(own), count(g) >= 2)",
    "any(g in groups(own), count(g) = 4)",
    "any(g in groups(own), count(g) < 3)",
    "none(g in groups(own), 2 < count(g) and count(g) < 6)",
    "any(g in groups(own), count(g) > 4 and none(g and edge))",
    "any(g in groups(own), count(g) > 2 and any(g and edge))",
    "any(g in groups(own), count(g) > 5 or any(g and left) and any(g and right))",
    "any(g in groups(own), count(g) > 3 and (any(g and left) or none(g and right)))",
    "any(g in groups(own or neutral), count(g) > 5 and not count(g) = 7)",
    "any(g in groups(own), any(g and left) and any(g and right))",
    "any(g in groups(own), none(g and edge)) or any(line(own, at least 4))",
    "any(g in groups(enemy), count(g) > 3) or any(g in groups(own), count(g) = 2)",
)
BOXES = (
    *BOARDS,
    "rows: 7, columns: 9, adjacency: orthogonal",
    "rows: 5, columns: 5, wrap: columns",
)
# Bans that are tested placement by placement.
REMAINING = (
    "any(g in groups(own), count(g) % 2 = 0)",
    "any(g in groups(own), count(empty touching g) = 3)",
    "count(g in groups(own), count(g) > 2) > 2",
)


@pytest.mark.parametrize(
    ("forbid", "board"),
    [
        pytest.param(forbid, board, marks=[pytest.mark.deep] if (r + b) % 3 else [])
        for (r, forbid), (b, board) in product(enumerate(RULES), enumerate(BOXES))
        if not ("line" in forbid and "wrap" in board)  # closed lines are not decided
    ],
)
def test_placements_that_are_decided_are_decided_right(forbid: str, board: str) -> None:
    if "hexagon" in board or "wrap" in board:
        forbid = forbid.replace("left", "top").replace("right", "bottom")
    assert_decided(game_of(forbid, board))


@pytest.mark.parametrize("forbid", REMAINING)
def test_other_bans_stay_undecided(forbid: str) -> None:
    (group,) = evaluate_forbids(game_of(forbid, BOARDS[0]).program).rules.tiers[0]
    assert group.decided is None


@pytest.mark.parametrize("board", ["square", "torus", "holes", "hexagon"])
@pytest.mark.parametrize("least", [3, 4, 6, 9])
def test_code_finds_large_groups_and_the_cells_that_join_them(least: int, board: str) -> None:
    assert_sized(least, board)


def assert_sized(least: int, board: str) -> None:
    """Compare the code of both sets with the interpreter on random boards; some have cells."""
    game = passes_game("own", board)
    machine, own = Interpreter(game.program), target(game.program)
    for which in ("alone", "joined"):
        op = make("large_groups", own, value=(which, str(least)))
        module, _ = emitted(game.program, op, 0)
        met = 0
        for state, cells in board_positions(game.program, 60):
            right = machine.evaluate_in(op, Frame(state, {"player": 0, **cells}))
            assert found_by(module, op, game.program, state, cells) == right
            met |= right
        assert met


def sizes_by_hand(cells: int, least: int, near: tuple[int, ...]) -> tuple[int, int]:
    """Return the groups with so many cells, and the cells that join others to such a group."""
    groups, left = list[set[int]](), {c for c in range(len(near)) if cells >> c & 1}
    while left:
        found = {min(left)}
        while more := {c for c in left - found if any(near[c] >> f & 1 for f in found)}:
            found |= more
        groups.append(found)
        left -= found
    large = sum(1 << c for group in groups if len(group) >= least for c in group)
    joined = 0
    for cell, around in enumerate(near):
        parts = [group for group in groups if any(around >> c & 1 for c in group)]
        if not cells >> cell & 1 and parts and 1 + sum(map(len, parts)) >= least:
            joined |= 1 << cell
    return large, joined


@pytest.mark.parametrize("board", ["square", "torus", "hexagon"])
def test_the_interpreter_has_the_sizes_counted_by_hand(board: str) -> None:
    game = passes_game("own", board)
    machine, own = Interpreter(game.program), target(game.program)
    for state, cells in board_positions(game.program, 30):
        frame = Frame(state, {"player": 0, **cells})
        for least in (2, 3, 5):
            found = tuple(
                machine.evaluate_in(make("large_groups", own, value=(which, str(least))), frame)
                for which in ("alone", "joined")
            )
            mask = machine.evaluate_in(own, frame)
            assert found == sizes_by_hand(mask, least, game.program.topology.adjacency)


GROWING = """
spec: 1
name: Growing
board: {shape: rhombus, rows: 4, columns: 5}
players: [one, two]
pieces: {man: {one: x, two: o}, empty: "."}
rules:
  moves: {place: man, to: empty}
  end:
    - {when: "count(g in groups(own), count(g) >= 3) >= 2", result: player wins}
    - {when: not can_move(mover), result: draw}
"""


def assert_games() -> None:
    source = Source("growing.yaml", GROWING)
    slow, fast = (load_source(source, engine=engine) for engine in ("interpreter", "python"))
    assert fast.playouts(60, seed=3) == slow.playouts(60, seed=3)


def _nothing(*args: object) -> None:
    pass


SHRINKING = "any(g in groups(own), count(g) > 2 and any(g and edge))"
Plant = Callable[[pytest.MonkeyPatch], None]
FAULTS: dict[str, tuple[Plant, Callable[[], None]]] = {
    "small groups are not counted": (
        lambda patch: patch.setattr(group_sizes.GroupSizes, "_add_small", _nothing),
        lambda: assert_sized(4, "square"),
    ),
    "only groups in a fill count for a new group": (
        lambda patch: patch.setattr(PlacementGroups, "of", _shrinking),
        lambda: assert_decided(game_of(SHRINKING, BOARDS[0])),
    ),
    "a new group is in no fill": (
        lambda patch: patch.setattr(PlacementGroups, "of", _unjoined),
        lambda: assert_decided(game_of(RULES[6], BOARDS[0])),
    ),
    "a number of groups never grows": (
        lambda patch: patch.setattr(
            grown_groups._Groups, "_has_none", lambda self, *sets: self.ctx.b.f(False)
        ),
        assert_games,
    ),
    "ends before one that queries moves are not tested": (
        lambda patch: patch.setattr(
            playout_ply, "ends_by_moves", lambda program: ((), program.rules.ends[1:])
        ),
        assert_games,
    ),
}
of = PlacementGroups.of


def _shrinking(self: PlacementGroups, op: Op) -> Groups:
    return replace(of(self, op), shrinks=True)


def _unjoined(self: PlacementGroups, op: Op) -> Groups:
    found = of(self, op)
    return replace(found, new=self.sets.none) if found.grows and not found.shrinks else found


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(
    fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plant, check = FAULTS[fault]
    check()
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path))  # kernels with faults are not kept
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        check()
