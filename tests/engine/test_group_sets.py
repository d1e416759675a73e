"""Loops over groups as set operations: the same sets as group by group, in random positions."""

import pytest

from rulesengine.engine.kernel.passes.group_sets import lift_group_loops
from rulesengine.language.ir.verify import verify
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.engine.test_passes import BOARDS, assert_same, game_of, loops, target

# Sets by a condition on each group that are computed for all groups at once.
LIFTED = (
    "union(g in groups(own), if any(empty touching g) then g else nowhere)",
    "union(g in groups(enemy), if count(empty touching g) <= 1 then g else nowhere)",
    "union(g in groups(enemy), if count(empty touching g) = 1 then neighbours(g) else g)",
    "union(g in groups(own), if 2 <= count((goal or empty) touching g) then g else nowhere)",
    "union(g in groups(own), if count(g) = 1 then neighbours(g) else nowhere)",
    "union(g in groups(own), if any(g and goal) and not spot in g then g else nowhere)",
    "union(g in groups(own or king), if none(shift(g, way) and enemy) then g else nowhere)",
    "union(g in groups(own), if fill(g, own or empty) in (all minus goal) then g else spot)",
    "union(g in groups(own), if any(own and goal) then shift(g, way) else fill(g, empty or own))",
    "if any(g in groups(own), none(empty touching g) or any(g and goal)) then own else enemy",
    "if every(g in groups(own), any(empty touching g)) then own else goal",
    "if none(g in groups(enemy), 1 < count(g)) then enemy else own",
)
# Numbers of groups, and conditions with a part that is a set.
RESTRICTED = (
    "if count(g in groups(own), any(g and goal)) > 1 then own else enemy",
    "if any(g in groups(own), any(empty touching g) and count(g) % 2 = 0) then own else enemy",
)
# Conditions that remain tests of one group after the other.
REMAINING = (
    "union(g in groups(own), if count(g) > 2 then g else nowhere)",
    "union(g in groups(own), if count(empty touching g) % 2 = 1 then g else nowhere)",
    "union(g in groups(own), if count(empty touching g) > 2 then g else nowhere)",
    "union(g in groups(own), if 12 / count(empty touching g) > 2 then g else nowhere)",
)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("cells", LIFTED)
def test_a_condition_on_each_group_becomes_a_set(cells: str, board: str) -> None:
    game = game_of(cells, board)
    lifted = lift_group_loops(game.program)
    verify(lifted)
    assert loops(target(game.program)) > loops(target(lifted)) == 0
    assert_same(game, lifted)


@pytest.mark.parametrize("cells", RESTRICTED)
def test_only_groups_that_meet_a_set_remain_in_a_loop(cells: str) -> None:
    game = game_of(cells, "square")
    lifted = lift_group_loops(game.program)
    assert target(lifted) != target(game.program)
    assert loops(target(lifted)) == 1
    assert_same(game, lifted)


@pytest.mark.parametrize("cells", REMAINING)
def test_other_conditions_on_groups_stay_a_loop(cells: str) -> None:
    game = game_of(cells, "square")
    lifted = lift_group_loops(game.program)
    assert loops(target(lifted)) == 1
    assert_same(game, lifted)


PLACING = """
spec: 1
name: Growing
board: {shape: rhombus, rows: 4, columns: 5}
players: [one, two]
pieces: {man: {one: x, two: o}, empty: "."}
rules:
  moves: {place: man, to: empty, do: DO}
  end:
    - {when: "WHEN", result: player wins}
    - {when: none(empty), result: draw}
"""
# Ends that a group can reach only by growing, and effects of a placement.
ENDS = (
    ("any(g in groups(own), count(g) >= 5)", "[]"),
    ("any(own) and most(g in groups(own), count(g)) > 4", "[]"),
    (
        "any(g in groups(own), count(g) >= 3 and any(g and edge)) or any(line(own, at least 4))",
        "[]",
    ),
    ("any(g in groups(own minus a1), any(g and left) and any(g and right))", "[]"),
    ("any(g in groups(own), count(g) >= 4)", "[put man on b2]"),
    ("any(g in groups(own), count(g) >= 4)", "[flip enemy touching to]"),
    ("any(g in groups(own), count(g) = 4)", "[remove enemy touching to]"),
    ("any(g in groups(own), count(g) >= 3 and none(empty touching g))", "[]"),
    ("count(g in groups(own), count(g) >= 3) >= 2", "[]"),
    ("count(g in groups(own), count(g and edge) >= 2) >= 2", "[]"),
    ("any(g in groups(own), count(g and edge) > 3)", "[]"),
    ("count(g in groups(own), count(g) % 2 = 0) > 2", "[]"),
    ("count(g in groups(own), count(g) >= 3) >= 2", "[put man on (b2 or d4 or e1) and empty]"),
    ("count(g in groups(own), count(g) >= 3) >= 2", "[flip enemy touching to]"),
)


@pytest.mark.parametrize(("when", "do"), ENDS)
def test_kernels_play_to_the_same_ends_of_groups(when: str, do: str) -> None:
    source = Source("growing.yaml", PLACING.replace("WHEN", when).replace("DO", do))
    slow, fast = (load_source(source, engine=engine) for engine in ("interpreter", "python"))
    assert fast.engines()["playouts"] == "python"
    found = fast.playouts(150, seed=3)
    assert found == slow.playouts(150, seed=3)
    assert found.draws < 150
