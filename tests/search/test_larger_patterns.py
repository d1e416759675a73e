"""Larger patterns of moves: cells and symmetries from coordinates, weights and files."""

import json
from functools import cache
from itertools import product
from math import log
from pathlib import Path
from random import Random

import pytest

import rulesengine
from rulesengine import Game, State, UsageError
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.search import pattern_layout as at
from rulesengine.engine.drivers.search.pattern_features import move_weight, pattern_weight
from rulesengine.engine.patterns import MovePatterns, move_patterns_of
from rulesengine.search import move_learning
from rulesengine.search.move_file import MoveLogarithms, read_moves, weights_of, write_moves
from rulesengine.search.move_learning import FeatureReader
from rulesengine.search.move_weights import MoveWeights
from tests.helpers.engine_comparison import needs_native

SIZE, CENTRE = 9, 40
ZEROS = tuple([0.0] * (at.PASS + 1))
Stones = dict[tuple[int, int], int]


@cache
def loaded(name: str) -> Game:
    return rulesengine.load(name, engine="interpreter")


def patterns_of(name: str) -> MovePatterns:
    found = move_patterns_of(loaded(name).program)
    assert found is not None
    return found


def position(stones: Stones, mover: int = 0) -> State:
    """Return a position of Go: 0 is a black stone, 1 a white one."""
    rows = [
        "".join(".xo"[stones.get((row, column), -1) + 1] for column in range(SIZE))
        for row in range(SIZE)
    ]
    return loaded("go").state_from("\n".join([*rows, f"mover: {('black', 'white')[mover]}"]))


def keys_of(state: State, game: Game | None = None) -> dict[int, tuple[int, int]]:
    """Return the larger pattern of each placement by its cell."""
    game = game or loaded("go")
    moves = game.legal_moves(state)
    choice = FeatureReader(game._dispatcher).choice(state, moves, 0, -1)
    cells = (move.steps[0].target for move in moves)
    return {cell: key for cell, key in zip(cells, choice.larger, strict=True) if key is not None}


def test_twelve_cells_are_around_a_neighbourhood_on_squares() -> None:
    cells = patterns_of("go").larger.cells
    for row, column in product(range(SIZE), repeat=2):
        steps = [(0, 2), (1, 2), (2, 1), (2, 0), (2, -1), (1, -2)]
        around = {
            (row + sign * down, column + sign * right) for down, right in steps for sign in (1, -1)
        }
        inside = {SIZE * r + c for r, c in around if r in range(SIZE) and c in range(SIZE)}
        found = cells[SIZE * row + column]
        assert len(found) == len(around) == 12
        assert sorted(cell for cell in found if cell >= 0) == sorted(inside)


def test_cells_at_distance_two_are_around_a_neighbourhood_on_hexagons() -> None:
    program, larger = loaded("hex").program, patterns_of("hex").larger
    near = [
        {other for other in range(program.topology.cells) if mask >> other & 1}
        for mask in program.topology.adjacency
    ]
    for cell, found in enumerate(larger.cells):
        second = set().union(*(near[other] for other in near[cell])) - near[cell] - {cell}
        assert {other for other in found if other >= 0} == second
    assert larger.count == 12


@pytest.mark.parametrize("seed", range(2))
def test_images_of_a_position_have_the_same_larger_patterns(seed: int) -> None:
    chance, last = Random(seed), SIZE - 1
    stones = {
        (row, column): chance.randrange(2)
        for row, column in product(range(SIZE), repeat=2)
        if chance.random() < 0.4
    }
    del_centre = {place: stone for place, stone in stones.items() if place != (4, 4)}
    turned = {(column, last - row): stone for (row, column), stone in del_centre.items()}
    mirrored = {(row, last - column): stone for (row, column), stone in del_centre.items()}
    exchanged = {place: 1 - stone for place, stone in del_centre.items()}
    moved = {(row, column): 1 - stone if (row, column) == (3, 4) else stone
             for (row, column), stone in {**del_centre, (3, 4): 0}.items()}  # fmt: skip
    own = keys_of(position({**del_centre, (3, 4): 0}))[CENTRE]
    assert keys_of(position(moved))[CENTRE] != own
    key = keys_of(position(del_centre)).get(CENTRE)
    assert key is not None
    assert keys_of(position(turned))[CENTRE] == key
    assert keys_of(position(mirrored))[CENTRE] == key
    assert keys_of(position(exchanged, 1))[CENTRE] == key


def test_a_stone_two_steps_away_changes_the_larger_pattern_alone() -> None:
    game = loaded("go")
    codes = list[tuple[object, object]]()
    for stones in ({}, {(4, 6): 0}, {(4, 7): 0}):
        state = position(stones)
        moves = game.legal_moves(state)
        choice = FeatureReader(game._dispatcher).choice(state, moves, 0, -1)
        number = [move.steps[0].target for move in moves].index(CENTRE)
        codes.append((choice.codes[number], choice.larger[number]))
    vacant, near, far = codes
    assert near[0] == vacant[0]
    assert near[1] != vacant[1]
    assert far == vacant


def test_every_image_of_a_larger_pattern_has_its_weight() -> None:
    """Look up keys in a hash table that is filled to its limit; many share slots."""
    patterns, chance = patterns_of("go"), Random(5)
    larger = patterns.larger
    codes = dict[tuple[int, int], int]()
    while len(codes) < larger.most:
        key = chance.randrange(2), chance.randrange(1 << 2 * (8 + larger.count))
        codes[min(larger.classes(*key))] = chance.randrange(1, 4 * at.UNIT)
    own = Memory(at.PATTERNED)
    MoveWeights(patterns, {}, [at.UNIT] * (at.PASS + 1), codes).write(own)
    for key in chance.sample(sorted(codes), 300):
        for side, code in larger.classes(*key):
            fill(own, patterns, code)
            assert pattern_weight(CENTRE, side, own) == codes[key]
    unknown = next(code for code in range(1 << 20) if min(larger.classes(0, code)) not in codes)
    fill(own, patterns, unknown)
    assert pattern_weight(CENTRE, 0, own) == at.UNIT


def fill(own: Memory, patterns: MovePatterns, code: int) -> None:
    """Store the contents of the cells around the centre that a code of a larger pattern has."""
    count = patterns.larger.count
    for place, cell in enumerate(patterns.larger.cells[CENTRE]):
        own.numbers[at.CONTENT + cell] = code >> 2 * (count - 1 - place) & 3
    own.numbers[at.CODES + CENTRE] = code >> 2 * count


def test_the_weight_of_a_move_is_the_product_of_both_patterns_and_the_features() -> None:
    game = loaded("go")
    state = position({(4, 6): 0})
    reader = FeatureReader(game._dispatcher)
    moves = game.legal_moves(state)
    number = [move.steps[0].target for move in moves].index(CENTRE)
    choice = reader.choice(state, moves, 0, -1)
    code, larger = choice.codes[number], choice.larger[number]
    assert code is not None
    assert larger is not None
    features = [log(5)] * (at.PASS + 1)
    weights = weights_of(
        patterns_of("go"), MoveLogarithms({code: log(2)}, features, {larger: log(3)})
    )
    own = Memory(at.PATTERNED)
    weights.write(own)
    own.numbers[at.NOW_LAST] = SIZE * SIZE
    own.numbers[at.CONTENT + 42] = 1  # the stone at (4, 6)
    assert move_weight(CENTRE, 0, own) == pytest.approx(30 * at.UNIT, rel=0.02)
    own.numbers[at.CONTENT + 42] = 0
    assert move_weight(CENTRE, 0, own) == pytest.approx(10 * at.UNIT, rel=0.02)


def file_of(folder: Path, larger: dict[tuple[int, int], float]) -> Path:
    write_moves(folder / "file", loaded("go").program, MoveLogarithms({}, ZEROS, larger), 1, 0)
    return folder / "file"


def test_a_file_keeps_larger_patterns(tmp_path: Path) -> None:
    chance, patterns = Random(2), patterns_of("go")
    keys = ((chance.randrange(2), chance.randrange(1 << 40)) for _ in range(500))
    larger = {min(patterns.larger.classes(*key)): chance.uniform(-3, 3) for key in keys}
    read = read_moves(file_of(tmp_path, larger), loaded("go").program)
    assert read.words == weights_of(patterns, MoveLogarithms({}, ZEROS, larger)).words
    assert json.loads((tmp_path / "file").read_bytes().partition(b"\n")[0])["larger"] == 500


@pytest.mark.parametrize("key", [(2, 5), (0, 1 << 40), (0, -1)])
def test_larger_patterns_that_no_board_has_are_damage(key: tuple[int, int], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the file is damaged"):
        read_moves(file_of(tmp_path, {key: 1.0}), loaded("go").program)


def test_more_larger_patterns_than_the_table_has_are_damage(tmp_path: Path) -> None:
    most = patterns_of("go").larger.most
    read_moves(file_of(tmp_path, {(0, code): 1.0 for code in range(most)}), loaded("go").program)
    path = file_of(tmp_path, {(0, code): 1.0 for code in range(most + 1)})
    with pytest.raises(UsageError, match="the file is damaged"):
        read_moves(path, loaded("go").program)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write weights of the larger patterns of some random positions."""
    chance, game, larger = Random(3), small("interpreter"), dict[tuple[int, int], float]()
    for _ in range(3):
        state = game.initial_state()
        for _ in range(12):
            state = game.apply(state, chance.choice(game.legal_moves(state)[:-1]))  # no pass
            larger |= {key: chance.uniform(-3, 3) for key in keys_of(state, game).values()}
    assert len(larger) > 200
    path = tmp_path_factory.mktemp("larger") / "file"
    write_moves(path, game.program, MoveLogarithms({}, ZEROS, larger), 1, 0)
    return path


@cache
def small(engine: str) -> Game:
    return rulesengine.load("go", engine=engine, n=5)


@needs_native
def test_kernels_search_with_larger_patterns_as_the_interpreter(learned: Path) -> None:
    found = [
        small(engine).search(playouts=60, method="grave", learned=learned, seed=4).moves
        for engine in ("native", "interpreter")
    ]
    plain = small("native").search(playouts=60, method="grave", evaluation="rules", seed=4)
    assert found[0] == found[1]
    assert found[0] != plain.moves


def test_threads_and_parts_change_no_byte_across_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(move_learning, "_FIRST_FIT", 3)
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    for threads in (1, 3):
        game.learn_moves(tmp_path / str(threads), games=8, playouts=5, threads=threads)
    for games in (2, 1, 4, 1):
        game.learn_moves(tmp_path / "parts", games=games, playouts=5)
    whole = (tmp_path / "1").read_bytes()
    assert (tmp_path / "3").read_bytes() == (tmp_path / "parts").read_bytes() == whole
    assert json.loads(whole.partition(b"\n")[0])["prefix"] > 0
    monkeypatch.setattr(move_learning, "_FIRST_FIT", 100)
    game.learn_moves(tmp_path / "plain", games=8, playouts=5)
    assert (tmp_path / "plain").read_bytes() != whole  # the later games are others


def test_choices_of_an_earlier_version_are_refused(tmp_path: Path) -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    game.learn_moves(tmp_path / "file", games=1, playouts=5)
    line, _, rest = (tmp_path / "file").read_bytes().partition(b"\n")
    head = json.loads(line)
    del head["larger"]
    (tmp_path / "file").write_bytes(json.dumps(head).encode() + b"\n" + rest)
    with pytest.raises(UsageError, match="learned by another version of the package"):
        game.learn_moves(tmp_path / "file", games=1)
