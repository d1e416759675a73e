"""Ends by a fill from one region to another: evaluated only if enough cells are present to join
them.
"""

import random
from collections.abc import Iterator
from itertools import combinations

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.board.topology import Topology
from rulesengine.engine.kernel.analysis.board_tables import BoardTables, cells_of
from rulesengine.engine.kernel.code.form import instructions
from rulesengine.engine.kernel.emission import emitted
from rulesengine.support.frozen import replace
from tests.helpers.engine_comparison import QUICK, Engines, needs_native, spec_engines

SPEC = """\
spec: 1
name: Joined
board: {{{board}}}
players: [black, white]
pieces: {{stone: {{black: x, white: o}}, empty: "."}}
rules:
  moves: {{place: stone, to: empty}}
  end:
    - {{when: "any(fill({seeds}) and {goal})", result: player wins}}
    - {{when: none(empty), result: draw}}
"""
BOARDS = (
    "rows: 3, columns: 4, adjacency: orthogonal",
    "rows: 4, columns: 4",
    "shape: hexagon, size: 3",
    "rows: 3, columns: 5, adjacency: orthogonal, holes: c1 c2 c3",
)
REGIONS = (
    ("own and rows(1), own", "rows(3)"),
    (
        "own and rows(1) and columns(1), own, [northeast, northwest, southeast, southwest]",
        "rows(3) and columns(3)",
    ),
    ("own and (rows(1) and columns(1)), own", "columns(3 to 4)"),
    ("rows(1) and own and corners, own", "own and (corners minus rows(1))"),
    ("own and rows(1), own", "(rows(1) or rows(2))"),
    ("own and (rows(1) minus columns(2)), own", "edge and columns(1)"),
    ("own, own", "corners"),
    ("own touching rows(1), own", "corners"),
    ("own and columns(4) minus rows(1), own", "own and columns(1) and rows(2)"),
)


def positions(game: Game) -> Iterator[State]:
    """Yield boards of all densities, and boards where black has a shortest chain, or lacks one cell
    of it.

    If few boards have three pieces, yield all of these.
    """
    start = game.initial_state()
    topology, rng = game.program.topology, random.Random(3)
    white = start.planes[1]
    for _ in range(60):
        density, black = rng.random(), 0
        for cell in range(topology.cells):
            if rng.random() < density:
                black |= 1 << cell
        yield replace(start, planes=(black, white, *start.planes[2:]), side=rng.randrange(2))
    for first, last in combinations(range(topology.cells), 2):
        chain = shortest(topology, first, last)
        for black in (chain, chain & (chain - 1), chain & ~(1 << last)):
            yield replace(start, planes=(black, white, *start.planes[2:]), side=0)
    for three in combinations(range(topology.cells), 3) if topology.cells <= 12 else ():
        black = sum(1 << cell for cell in three)
        yield replace(start, planes=(black, white, *start.planes[2:]), side=0)


def shortest(topology: Topology, first: int, last: int) -> int:
    """Return the number of cells of a shortest chain between two cells, or 0 if there is none."""
    before = {first: first}
    for cell in (queue := [first]):
        for other in cells_of(topology.adjacency[cell]):
            if other not in before:
                before[other] = cell
                queue.append(other)
    chain, cell = 0, last
    while cell in before and not chain >> cell & 1:
        chain |= 1 << cell
        cell = before[cell]
    return chain


def compare(engines: Engines) -> set[str]:
    """Compare the ends of positions; return the reasons that occurred, or the lack of one."""
    found = set[str]()
    for state in positions(engines.first):
        outcome = engines.same("outcome", lambda game, at=state: game.outcome(at))  # type: ignore[misc]
        found.add(str(outcome))
    return found


@pytest.mark.parametrize("board", BOARDS)
def test_a_chain_has_as_many_cells_as_it_needs(board: str) -> None:
    (seeds, goal), rng = REGIONS[0], random.Random(7)
    topology = spec_engines(
        SPEC.format(board=board, seeds=seeds, goal=goal), ()
    ).first.program.topology
    shape, lengths = BoardTables(topology), set[int]()
    for _ in range(200):
        starts, goals = (rng.sample(range(topology.cells), rng.randrange(1, 4)) for _ in range(2))
        chains = [shortest(topology, one, other).bit_count() for one in starts for other in goals]
        right = min((length for length in chains if length), default=0)
        masks = [sum(1 << cell for cell in cells) for cells in (starts, goals)]
        assert shape.chain(*masks) == right
        lengths.add(right)
    assert {1, 2, 3} <= lengths
    assert shape.chain(0, 1) == shape.chain(1, 0) == 0


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(("seeds", "goal"), REGIONS)
def test_connection_of_regions_ends_the_game(board: str, seeds: str, goal: str) -> None:
    engines = spec_engines(SPEC.format(board=board, seeds=seeds, goal=goal), QUICK)
    assert len(compare(engines)) > 1 or "holes" in board
    engines.play(1, 12)


@pytest.mark.usefixtures("in_haste")
@needs_native
@pytest.mark.slow
@pytest.mark.parametrize(("seeds", "goal"), REGIONS)
def test_native_code_ends_a_game_alike(seeds: str, goal: str) -> None:
    engines = spec_engines(SPEC.format(board=BOARDS[0], seeds=seeds, goal=goal), ("native",))
    assert len(compare(engines)) > 1
    engines.play(2, 12)


def test_sides_that_are_far_apart_ask_for_as_many_stones() -> None:
    code = emitted(rulesengine.load("hex").machine, "perft")
    comparisons = [
        i for f in code.functions.values() for i in instructions(f.body) if i.op == "ile"
    ]
    assert 11 in {getattr(one.args[0], "constant", None) for one in comparisons}
