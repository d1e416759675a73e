"""Placements that `forbid` permits: all cells at once against one by one."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.kernel.code.form import instructions
from rulesengine.engine.kernel.emission import emitted
from rulesengine.engine.kernel.passes.forbid_sets import evaluate_forbids
from rulesengine.loading import load_source
from rulesengine.support.frozen import replace
from rulesengine.support.source import Source
from tests.helpers.engine_comparison import (
    QUICK,
    Engines,
    needs_native,
    optimised_game,
    spec_engines,
)

SPEC = """\
spec: 1
name: Groups
board: {{{board}}}
players: [black, white]
pieces: {{stone: {{black: x, white: o}}, rock: {{neutral: "*"}}, empty: "."}}
define:
  dead(stones): stones minus fill(stones touching empty, stones)
  alive(stones): fill(empty touching stones and stones, stones)
rules:
  moves: {{place: stone, to: {to}, do: [{do}], forbid: "{forbid}"}}
"""
BOARDS = ("rows: 5, columns: 4, adjacency: orthogonal", "shape: hexagon, size: 3")
# Boards with target cells, occupied ones included.
PLACES = (
    (BOARDS[0], "empty"),
    (BOARDS[0], "all"),
    (BOARDS[1], "all minus own"),
    ("rows: 4, columns: 5", "empty or edge"),
)
TAKES, GIVES = "remove dead(enemy)", "remove dead(own)"
# Conditions of `forbid`, and effects of a placement.
RULES = (
    ("any(dead(own)) or board_repeats > 0", TAKES),
    ("any(dead(own)) and none(dead(enemy))", ""),
    ("any(dead(own)) or any(dead(enemy))", ""),
    ("none(dead(own) or dead(enemy))", ""),
    ("position_repeats >= 1 or any(dead(enemy))", f"{TAKES}, {GIVES}"),
    ("not board_repeats = 0", f"{GIVES}, {TAKES}"),
    ("any(own minus alive(own)) or to in edge", TAKES),
    ("any(fill(own touching empty, own) and edge)", ""),
    ("count(own) > 9 or any(dead(enemy))", ""),
    ("none(own and corners) or any(dead(own and edge))", "remove rock and neutral"),
    ("any(dead(own or enemy))", "remove to"),
    ("any(own minus fill(own touching (empty or to), own))", ""),
    ("any(dead(enemy))", ""),
    ("none(enemy)", ""),
    ("any((enemy and corners) minus fill(enemy touching empty, enemy))", ""),
    ("any(dead(own)) or any(to and dead(all))", "put rock on corners minus to"),
)


def positions(game: Game, count: int) -> Iterator[State]:
    """Yield boards of all densities, including components without an adjacent empty cell."""
    start = game.initial_state()
    cells, rng = game.program.topology.cells, random.Random(11)
    for _ in range(count):
        planes = [0] * len(start.planes)
        filled = rng.random()
        for cell in range(cells):
            if rng.random() < filled:
                planes[rng.choice((0, 0, 1, 1, 5)) % len(planes)] |= 1 << cell
        yield replace(start, planes=tuple(planes), side=rng.randrange(2))


def compare(engines: Engines, count: int, plies: int) -> None:
    """Compare the moves in so many positions, and a game of so many plies."""
    engines = Engines(engines.first, *engines.others, optimised_game(engines.first))
    for state in positions(engines.first, count):
        engines.same("moves", lambda game, at=state: game.legal_moves(at))  # type: ignore[misc]
    engines.play(1, plies)


@pytest.mark.parametrize(
    ("forbid", "do", "board", "to"),
    [  # Each rule in every other kind of places, each of them with every other rule.
        pytest.param(*rule, *place, marks=pytest.mark.deep if (r + p) % 2 else pytest.mark.slow)
        for (r, rule), (p, place) in product(enumerate(RULES), enumerate(PLACES))
    ],
)
def test_forbid_sets_match_the_interpreter(forbid: str, do: str, board: str, to: str) -> None:
    text = SPEC.format(board=board, do=do, forbid=forbid, to=to)
    compare(spec_engines(text, QUICK), 20, 2)


def test_a_turn_without_a_player_fails_at_its_rule() -> None:
    text = SPEC.format(board=BOARDS[0], do=TAKES, forbid="any(dead(own))", to="empty")
    engines = spec_engines(text + "  turn: owner(a1)\n", QUICK)
    assert evaluate_forbids(engines.first.program) == engines.first.program
    compare(engines, 20, 2)


@pytest.mark.slow
def test_a_register_that_does_not_fit_fails_where_the_rules_say() -> None:
    do = f"{TAKES}, set stones to stones + 1"
    text = SPEC.format(board=BOARDS[0], do=do, forbid="any(dead(own))", to="empty")
    text += "registers: {stones: {type: number, from: 0, to: 2}}\n"
    engines = spec_engines(text, QUICK)
    assert evaluate_forbids(engines.first.program) == engines.first.program
    for seed in range(3):
        Engines(engines.first, *engines.others, optimised_game(engines.first)).play(seed, 5)


@pytest.mark.slow
@pytest.mark.parametrize("to", ["empty", "all"])
@pytest.mark.parametrize("forbid", ["board_repeats > 0", "position_repeats = 1 or any(dead(own))"])
def test_a_board_that_comes_again_is_decided_as_the_rules_say(forbid: str, to: str) -> None:
    text = SPEC.format(board="rows: 2, columns: 3", do=TAKES, forbid=forbid, to=to)
    engines = spec_engines(text, QUICK)
    for seed in range(12):
        engines.play(seed, 20)


WIDE = (*PLACES, ("rows: 9, columns: 8, adjacency: orthogonal", "empty"))


@pytest.mark.usefixtures("in_haste")
@needs_native
@pytest.mark.parametrize(
    ("forbid", "do", "board", "to"),
    [
        # One rule for each kind of `to`; for the Python back end more combinations are deep.
        pytest.param(*rule, *place, marks=marks)
        for (r, rule), (p, place) in product(enumerate(RULES), enumerate(WIDE))
        for marks in [pytest.mark.slow if p == r < len(WIDE) else pytest.mark.deep]
    ],
)
def test_native_code_decides_it_too(forbid: str, do: str, board: str, to: str) -> None:
    text = SPEC.format(board=board, do=do, forbid=forbid, to=to)
    engines = spec_engines(text)
    compare(engines, 25, 6)
    engines.count(1)


# undecided targets


def decide(game: Game, state: State) -> tuple[Any, Any]:
    """Return the certain and the doubtful targets of a game's only group."""
    program = evaluate_forbids(game.program)
    (group,) = program.rules.tiers[0]
    assert group.decided
    machine, frame = Interpreter(program), Frame(state, {"player": state.side})
    return machine.value(group.decided.allowed, frame), machine.value(group.decided.doubtful, frame)


def neighbours(cells: int, game: Game) -> int:
    masks = game.program.topology.adjacency
    return sum(1 << c for c, mask in enumerate(masks) if mask & cells)


def parts(cells: int, game: Game) -> Iterator[int]:
    """Yield the connected components of a set."""
    while cells:
        part = cells & -cells
        while (more := part | neighbours(part, game) & cells) != part:
            part = more
        cells &= ~part
        yield part


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("rule", range(4))
def test_only_cells_that_take_stones_off_stay_in_doubt(rule: int, board: str) -> None:
    forbid, do = RULES[rule]
    text = SPEC.format(board=board, do=do, forbid=forbid, to="empty")
    game = load_source(Source("spec.yaml", text), engine="interpreter")
    for state in positions(game, 25):
        mine = replace(state, side=0)
        black, white, rocks = (mine.planes[p] for p in (0, 1, 5))
        empty = (1 << game.program.topology.cells) - 1 & ~(black | white | rocks)
        sure, doubtful = decide(game, mine)
        legal = sum(1 << move.steps[0].target for move in game.legal_moves(mine))
        met = (neighbours(part, game) & empty for part in parts(white, game))
        takes = {cells for cells in met if cells.bit_count() == 1}
        assert doubtful == (sum(takes) if do else 0)
        assert sure == legal & ~doubtful


@pytest.mark.parametrize("name", ["nogo", "atari-go"])
@pytest.mark.parametrize("part", ["perft", "playouts"])
def test_can_move_reuses_the_next_moves(name: str, part: str) -> None:
    # A list of the moves, or their count, also shows whether there is one.
    functions = emitted(rulesengine.load(name).machine, part).functions.values()
    calls = [i for f in functions for i in instructions(f.body) if i.op == "call"]
    assert len([call for call in calls if str(call.detail).startswith("some_")]) == 0


@pytest.mark.slow
@needs_native
@pytest.mark.parametrize("do", [TAKES, f"{TAKES}, {GIVES}", "remove to"])
def test_plies_are_counted_with_the_positions_that_led_to_them(do: str) -> None:
    """Check that the history is left out where moves are only counted."""
    text = SPEC.format(board="rows: 2, columns: 2", do=do, forbid="board_repeats > 0", to="empty")
    engines = spec_engines(text)
    rng, repeats = random.Random(5), 0
    for _ in range(12):
        state = engines.first.initial_state()
        for _ in range(rng.randrange(3, 9)):
            if moves := engines.first.legal_moves(state):
                state = engines.first.apply(state, rng.choice(moves))
        depth = rng.randrange(1, 5)
        for bulk in (True, False):
            engines.same("perft", lambda g, s=state, d=depth, b=bulk: g.perft(d, s, bulk=b))  # type: ignore[misc]
        empty = 4 - sum(plane.bit_count() for plane in state.planes)
        repeats += len(engines.first.legal_moves(state)) < empty
    assert repeats
