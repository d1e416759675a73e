"""Positions that are sums of components: the rules that allow them, and their keys."""

import random
from collections.abc import Callable, Iterator
from itertools import product

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.search.component_key import cached_key, named, position_key
from rulesengine.engine.drivers.search.layout import KEYS, KEYS_KEPT, PARTS_SIZE, PIECES
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.kernel.passes.components import components_of, vectors_of
from rulesengine.loading import load_source
from rulesengine.search.component_sums import lay_out
from rulesengine.search.null_window import NullWindow
from rulesengine.support.frozen import replace
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source

BACKENDS = tuple(sorted(backend.name for backend in working()))

SPEC = """
spec: 1
name: Beside
board: {{{board}}}
players: [white, black]
pieces:
  stone: {{white: o, black: x}}
{pieces}
  empty: "."
start:
  - put stone of white on all
rules:
  moves:
    move: {move}
    along: {along}
    to: {to}
  end:
    - when: not can_move(mover)
      result: mover loses
      reason: no move left
"""
TO = "shift(from, direction) and enemy"
SQUARE = "rows: 3, columns: 4, origin: bottom-left, adjacency: orthogonal"


def beside(
    *,
    board: str = SQUARE,
    pieces: str = "",
    move: str = "own",
    along: str = "orthogonal",
    to: str = TO,
    engine: str = "interpreter",
) -> Game:
    text = SPEC.format(board=board, pieces=pieces, move=move, along=along, to=to)
    return load_source(Source("beside.yaml", text), engine=engine)


KING = "orthogonal, diagonal"
IMAGES = {
    "orthogonal": ({}, 8),
    "eight ways": ({"board": f"{SQUARE[:-10]}[{KING}]", "along": f"[{KING}]"}, 8),
    "diagonals": ({"board": f"{SQUARE[:-10]}[{KING}]", "along": "diagonal"}, 8),
    "north and east": ({"along": "[north, east]"}, 2),
    "north and south": ({"along": "[north, south]"}, 1),
    "hexagons": ({"board": "shape: rhombus, rows: 3, columns: 4", "along": "all"}, 12),
}


@pytest.mark.parametrize("name", IMAGES)
def test_parts_are_turned_by_all_maps_that_keep_steps(name: str) -> None:
    how, count = IMAGES[name]
    game = beside(**how)
    parts = components_of(game.program)
    assert parts is not None
    assert len(parts.images) == count
    assert len(set(parts.images)) == count
    board = game.program.topology
    # A step from any cell has the same number in an image; a number without a step is none.
    steps = {
        (cell, end)
        for cell, near in enumerate(parts.near)
        for end in range(board.cells)
        if near >> end & 1
    }
    for image in parts.images:
        numbers = {image[end] - image[cell] for cell, end in steps}
        assert len(numbers) < 13
        for pair in product(range(board.cells), repeat=2):
            assert (image[pair[1]] - image[pair[0]] in numbers) is (pair in steps)


@pytest.mark.parametrize(
    "how",
    [
        {"board": f"{SQUARE}, wrap: both"},
        {"pieces": '  king: {white: O, black: X}\n  rock: {neutral: "#"}'},
        {"to": f"{TO} and empty"},
        {"to": "shift(from, direction) and (enemy or empty)"},
        {"board": "rows: 9, columns: 8, origin: bottom-left"},
    ],
    ids=["a torus", "two kinds", "nothing to take", "empty cells", "72 cells"],
)
def test_other_rules_and_boards_have_no_parts(how: dict[str, str]) -> None:
    assert components_of(beside(**how).program) is None


def test_a_step_that_leads_on_from_some_cells_alone_is_no_vector() -> None:
    places = ((1, 1), (1, 2), (1, 3))
    assert vectors_of(places, [(1, 2, -1)]) == {(0, 1)}
    assert vectors_of(places, [(1, -1, -1)]) is None
    assert vectors_of(places, [(1, 2, 0)]) is None


@pytest.mark.parametrize("varies", [0, 1])
def test_components_in_one_cache_slot_have_distinct_keys(varies: int) -> None:
    game = beside(board="rows: 8, columns: 8, origin: top-left, adjacency: orthogonal")
    own = Memory(PARTS_SIZE)
    lay_out(game._dispatcher, own, 0)
    fresh = bytes(own.bytes)

    def both(cells: int) -> tuple[int, int]:
        return (1, cells) if varies else (cells, 1)

    places: dict[int, int] = {}
    for cells in range(2, 1 << 20, 2):
        cached_key(*both(cells), 0, own)
        (place,) = (at for at in range(0, 3 * KEYS_KEPT, 3) if own.numbers[KEYS + at])
        own.bytes[:] = fresh
        if place in places:
            break
        places[place] = cells
    pairs = [both(places[place]), both(cells), both(places[place])]
    keys = [cached_key(*pair, 0, own) for pair in pairs]
    assert keys == [named(*pair, 0, own) for pair in pairs]
    assert keys[0] != keys[1]


@pytest.mark.slow
def test_clobber_is_the_only_bundled_game_with_components() -> None:
    games = (rulesengine.load(name, engine="interpreter") for name in bundled_names())
    assert [game.name for game in games if components_of(game.program)] == ["Clobber"]


def scattered(game: Game, count: int, seed: int) -> Iterator[State]:
    """Yield positions in which each cell has a piece of either side, or none."""
    chance, start = random.Random(seed), game.initial_state()
    for _ in range(count):
        planes = [0] * len(start.planes)
        for cell in range(game.program.topology.cells):
            who = chance.randrange(3)
            if who < 2:
                planes[who] |= 1 << cell
        yield replace(start, planes=tuple(planes), side=chance.randrange(2))


def keys_of(game: Game) -> Callable[[State], int]:
    judged, own = game._dispatcher.interpreted.search_functions(symmetry=True), Memory(PARTS_SIZE)
    lay_out(game._dispatcher, own, PIECES)
    return lambda state: position_key(judged, state, 0, PIECES, own)


def as_a_sum(state: State, rows: int, columns: int) -> tuple[object, ...]:
    """Return the components with both colours in canonical form, sorted.

    Cells are joined by sides. The canonical form is the least under rotation, reflection and
    translation. The code uses only the state from the package.
    """
    sides = (state.planes[state.side], state.planes[1 - state.side])
    left = {
        (row, column): who
        for row, column in product(range(rows), range(columns))
        for who in range(2)
        if sides[who] >> (row * columns + column) & 1
    }
    found = []
    while left:
        ahead = [next(iter(left))]
        part: dict[tuple[int, int], int] = {}
        while ahead:
            row, column = ahead.pop()
            if (row, column) in left:
                part[row, column] = left.pop((row, column))
                ahead += [(row + 1, column), (row - 1, column)]
                ahead += [(row, column + 1), (row, column - 1)]
        if len(set(part.values())) == 2:
            found.append(least(part))
    return tuple(sorted(found))


def least(part: dict[tuple[int, int], int]) -> tuple[tuple[int, int, int], ...]:
    images = []
    for down, right, over in product((1, -1), (1, -1), (False, True)):
        turned = [
            (column * right, row * down, who) if over else (row * down, column * right, who)
            for (row, column), who in part.items()
        ]
        first, left = min(row for row, _, _ in turned), min(column for _, column, _ in turned)
        images.append(tuple(sorted((r - first, c - left, who) for r, c, who in turned)))
    return min(images)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (3, 3), (3, 5), (8, 8)])
def test_positions_have_one_key_if_they_are_the_same_sum(rows: int, columns: int) -> None:
    board = f"rows: {rows}, columns: {columns}, origin: top-left, adjacency: orthogonal"
    game = beside(board=board)
    key_of = keys_of(game)
    by_key: dict[int, object] = {}
    sums = set()
    for state in scattered(game, 60 if rows == 8 else 350, seed=rows):
        for here in (state, turned(state, rows * columns)):
            found = as_a_sum(here, rows, columns)
            assert by_key.setdefault(key_of(here), found) == found
            sums.add(found)
    assert len(sums) == len(by_key)


def turned(state: State, cells: int) -> State:
    """Return a position rotated by 180 degrees, with colours and mover swapped."""
    one, other = (
        sum(1 << cells - 1 - cell for cell in range(cells) if plane >> cell & 1)
        for plane in state.planes[:2]
    )
    return replace(state, planes=(other, one, *state.planes[2:]), side=1 - state.side)


def exact_distance(game: Game, state: State, known: dict[State, int]) -> int:
    """Return the plies until the side to move wins, negative if it loses, by exhaustive search."""
    if state not in known:
        after = [
            exact_distance(game, game.apply(state, move), known) for move in game.legal_moves(state)
        ]
        won, lost = [n for n in after if n <= 0], [n for n in after if n > 0]
        known[state] = 1 - max(won) if won else -1 - max(lost) if lost else 0
    return known[state]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "orthogonal",
        pytest.param("eight ways", marks=pytest.mark.deep),
        "diagonals",
        "north and east",
        pytest.param("hexagons", marks=pytest.mark.deep),
    ],
)
def test_positions_with_equal_keys_have_equal_distances(name: str) -> None:
    how = dict(IMAGES[name][0])
    how["board"] = how.get("board", SQUARE).replace("columns: 4", "columns: 3")
    game = beside(**how)
    key_of = keys_of(game)
    known: dict[State, int] = {}
    by_key: dict[int, int] = {}
    alike = 0
    for state in scattered(game, 250, seed=3):
        value, key = exact_distance(game, state, known), key_of(state)
        alike += key in by_key
        assert by_key.setdefault(key, value) == value
    assert alike > 20
    assert min(by_key.values()) < 0 < max(by_key.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("eight ways", marks=pytest.mark.deep),
        "north and east",
        pytest.param("hexagons", marks=pytest.mark.deep),
    ],
)
def test_engines_solve_through_the_same_positions(name: str) -> None:
    found = []
    for engine in ("interpreter", *BACKENDS):
        game = beside(**IMAGES[name][0], engine=engine)
        start = next(scattered(game, 1, seed=5))
        window = NullWindow(game._dispatcher, start, Budget(), 1 << 10)
        window.expected = 1 << 40
        answer = window.reaches(start, start.side, 1)
        found.append((answer, window.nodes, bytes(window.table.bytes)))
        assert window.engine == engine
    assert all(one == found[0] for one in found)


@pytest.mark.slow
def test_clobber_is_solved_by_its_parts_in_few_positions() -> None:
    """Bound the positions: without components it takes four times as many, and with plies in the
    key 1.5 times.
    """
    game = rulesengine.load("clobber", engine="native", rows=4, columns=5)
    start, most = game.initial_state(), 90_000
    window = NullWindow(game._dispatcher, start, Budget(nodes=most), 1 << 18)
    assert window.reaches(start, 0, 1) is True
