"""Bans that read lines and runs, decided for all placements at once, against one by one."""

import random
from collections.abc import Iterator

import pytest

from rulesengine import Game, State
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.kernel.passes.forbid_sets import evaluate_forbids
from rulesengine.engine.kernel.passes.group_sets import lift_group_loops
from rulesengine.loading import load_source
from rulesengine.support.frozen import replace
from rulesengine.support.source import Source

SPEC = """
spec: 1
name: Lines
board: {{{board}}}
players: [black, white]
pieces: {{stone: {{black: x, white: o}}, rock: {{neutral: "*"}}, empty: "."}}
rules:
  moves: {{place: stone, to: empty, do: [{do}], forbid: "{forbid}"}}
  end: {{when: none(empty), result: draw}}
"""
BOARDS = (
    "rows: 5, columns: 6",
    "rows: 5, columns: 6, holes: b2 d3 d4",
    "shape: hexagon, size: 4",
    "rows: 6, columns: 2",
)
RULES = (
    "any(line(own, at least 3))",
    "any(line(own, exactly 3))",
    "any(line(own, 2 to 3)) and not any(line(enemy, at least 3))",
    "player = black and any(line(own, at least 3))",
    "any(line(own or neutral, at least 4))",
    "none(line(own, at least 2))",
    "any(run(enemy, own, enemy, exactly 2))",
    "any(run(empty, own, empty, exactly 3)) or any(line(own, exactly 4))",
    "any(run(empty, own, enemy or neutral))",
    "any(run(enemy, own, own or enemy, at least 3))",
    "any(run(neutral, own, empty, 1 to 2))",
    "count(run(to, own, empty, exactly 2)) >= 4",
    "any(g in groups(own), count(empty touching g) < 2)",
    "any(run(to, enemy, own)) or any(slide(to, all_ways, own) and corners)",
)
# Bans that are tested placement by placement.
REMAINING = (
    "count(line(own, at least 3)) > 3",
    "any(run(own, enemy, own, exactly 2))",
    "any(line(own, at least 9))",
)


# Bans after placements that capture.
CAPTURES = ("remove run(to, enemy, own, exactly 2)", "remove run(to, enemy, own) and left")


def game_of(forbid: str, board: str, do: str = "") -> Game:
    if "hexagon" in board:
        forbid = forbid.replace("corners", "top")
    forbid = forbid.replace("all_ways", "[east, west]")
    text = SPEC.format(forbid=forbid, board=board, do=f'"{do}"' if do else "")
    return load_source(Source("lines.yaml", text), engine="interpreter")


def positions(game: Game, count: int) -> Iterator[State]:
    """Yield boards of all densities."""
    start = game.initial_state()
    cells, draw = game.program.topology.cells, random.Random(5)
    for _ in range(count):
        planes, filled = [0] * len(start.planes), draw.random()
        for cell in range(cells):
            if draw.random() < filled:
                planes[draw.choice((0, 0, 1, 1, 5))] |= 1 << cell
        yield replace(start, planes=tuple(planes), side=draw.randrange(2))


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("forbid", RULES)
def test_placements_that_are_decided_are_decided_right(forbid: str, board: str) -> None:
    assert_decided(game_of(forbid, board))


@pytest.mark.parametrize("forbid", [RULES[0], RULES[6], RULES[7]])
@pytest.mark.parametrize("do", CAPTURES)
def test_placements_that_capture_are_in_doubt(do: str, forbid: str) -> None:
    assert_decided(game_of(forbid, BOARDS[0], do))


def assert_decided(game: Game) -> None:
    """Check the placements that are decided in random positions; some must be."""
    program = evaluate_forbids(lift_group_loops(game.program))
    (group,) = program.rules.tiers[0]
    assert group.decided
    machine, met, open_cells = Interpreter(program), set[int](), 0
    for state in positions(game, 40):
        frame = Frame(state, {"player": state.side})
        sure, doubtful = (
            machine.value(op, frame) for op in (group.decided.allowed, group.decided.doubtful)
        )
        empty = ~sum(state.planes) & game.program.topology.mask
        legal = sum(1 << move.steps[0].target for move in game.legal_moves(state))
        assert sure & ~doubtful == legal & ~doubtful
        assert not (sure | doubtful) & ~empty
        met |= {bool(legal), bool(empty & ~legal)}
        open_cells += (empty & ~doubtful).bit_count()
    assert met == {True, False}
    assert open_cells > 0


@pytest.mark.parametrize("forbid", REMAINING)
def test_other_bans_stay_undecided(forbid: str) -> None:
    (group,) = evaluate_forbids(game_of(forbid, BOARDS[0]).program).rules.tiers[0]
    assert group.decided is None
