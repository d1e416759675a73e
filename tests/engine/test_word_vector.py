"""Sets of large boards as vectors of words: the choice of layout, shifts, and whole games."""

import random

import pytest

pytest.importorskip("llvmlite", reason="native kernels need the extra `native`")

from rulesengine import SpecError
from rulesengine.board.shapes import make_board
from rulesengine.engine.kernel.analysis.board_tables import relation_of
from rulesengine.engine.kernel.analysis.cell_numbering import grid
from rulesengine.engine.kernel.backends.native import build
from rulesengine.engine.kernel.backends.native.emit import layout_of
from rulesengine.engine.kernel.backends.native.layout import MANY_PIECES
from rulesengine.engine.kernel.backends.native.rows import Rows
from rulesengine.engine.kernel.backends.native.target import host
from rulesengine.engine.kernel.backends.native.word_vector import WordVector
from rulesengine.engine.kernel.code.builder import Builder
from rulesengine.engine.kernel.code.form import Module
from tests.conformance.test_engines import compare
from tests.helpers.engine_comparison import needs_native, spec_engines
from tests.helpers.spec_boards import wide_board
from tests.helpers.spec_strategies import random_spec

CELLS = 200
BOARDS = ("rows: 2, columns: 66", "rows: 3, columns: 70, holes: b2 c1", "shape: triangle, size: 27")
SPEC = """\
spec: 1
name: Large
board: {{{board}}}
players: [black, white]
pieces: {{stone: {{black: x, white: o}}, empty: "."}}
rules:
  moves:
    - place: stone
      to: empty
      do:
        - flip enemy between to and own
        - remove enemy minus fill(enemy touching empty, enemy)
  end:
    - when: any(line(own, at least 4)) or any(fill(own and edge, own) and corners)
      result: player wins
    - {{when: none(empty), result: draw}}
"""


@pytest.mark.parametrize(
    ("shape", "options", "about"),
    [
        ("rectangle", {"rows": 16, "columns": 64}, "a row in each of 16 lanes of 64 bits"),
        ("rectangle", {"rows": 15, "columns": 65}, "a vector of 16 words"),
        ("rectangle", {"rows": 65, "columns": 15}, "a vector of 16 words"),
        ("rectangle", {"rows": 3, "columns": 70, "holes": [(1, 2)]}, "a vector of 4 words"),
        ("box", {"layers": 10, "rows": 10, "columns": 10}, "a vector of 16 words"),
        ("mesh", {"rows": 2, "columns": 35}, "a vector of 6 words"),
        ("triangle", {"size": 44}, "a row in each of 64 lanes of 64 bits"),
    ],
)
def test_rows_wider_than_a_word_are_in_a_vector_of_words(
    shape: str, options: dict[str, object], about: str
) -> None:
    board = make_board(shape, options)
    found = grid(board)
    shaped, places = found or (None, None)
    module = Module(board.cells, grid=shaped, places=places)
    layout = layout_of(module, host())
    assert layout.about == about
    assert isinstance(layout, WordVector if "vector" in about else Rows)


@pytest.mark.parametrize("delta", [1, -1, 63, -63, 64, -64, 65, -65, 127, 128, -130, 199, -199])
def test_cells_are_carried_into_other_words(delta: int) -> None:
    b = Builder(CELLS)
    pairs = [(c, c + delta) for c in range(CELLS) if 0 <= c + delta < CELLS and c % 7]
    with b.function("f", ["m"], ["m"], entry=True) as (cells,):
        b.emit_return(b.op("mmove", cells, detail=relation_of(pairs)))
    native, draw = build.native(b.module, level=0), random.Random(delta)
    for given in (2**CELLS - 1, *(draw.getrandbits(CELLS) for _ in range(20))):
        assert native.call("f", (given,)) == (steps_of(pairs, given),)


def test_a_lost_carry_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    monkeypatch.setattr(
        WordVector,
        "_words_by",
        lambda self, b, value, words: "zeroinitializer" if words else value,
    )
    with pytest.raises(AssertionError):
        test_cells_are_carried_into_other_words(1)


def test_steps_of_uneven_rows_are_grouped_by_strides() -> None:
    board = make_board("triangle", {"size": 30})
    shaped, places = grid(board) or (None, None)
    pairs = [(c, t) for d in board.directions for c, t in enumerate(d.targets) if t >= 0]
    moves, b = relation_of(pairs), Builder(board.cells, shaped)
    b.module.places = places
    assert len(moves.deltas) > MANY_PIECES
    with b.function("f", ["m", "m"], ["m", "m"], entry=True) as (cells, within):
        filled = b.op("mfill", cells, within, detail=moves)
        b.emit_return(b.op("mmove", cells, detail=moves), filled)
    native, draw = build.native(b.module, level=0), random.Random(1)
    for _ in range(40):
        start = 1 << draw.randrange(board.cells)
        room = draw.getrandbits(board.cells) | draw.getrandbits(board.cells)
        found = start & room
        while (more := found | steps_of(pairs, found) & room) != found:
            found = more
        assert native.call("f", (start, room)) == (steps_of(pairs, start), found)


def steps_of(pairs: list[tuple[int, int]], cells: int) -> int:
    """Return the targets of a set of cells."""
    return sum(1 << to for to in {to for cell, to in pairs if cells >> cell & 1})


@needs_native
@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize(
    "board",
    [
        pytest.param(b, marks=pytest.mark.deep if i else pytest.mark.slow)
        for i, b in enumerate(BOARDS)
    ],
)
def test_lines_joins_and_captures_on_large_boards_are_those_of_the_interpreter(board: str) -> None:
    engines = spec_engines(SPEC.format(board=board), ("native",))
    engines.play(1, 40, every=8)
    engines.playouts(1, seed=2)


@needs_native
@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize(
    "seed",
    [pytest.param(s, marks=pytest.mark.deep) for s in range(60)],
)
def test_generated_specs_of_large_boards_are_the_same(seed: int) -> None:
    try:
        compare(random_spec(seed, wide_board), 100_000, ("native",))
    except SpecError:
        pytest.skip("the checks reject this spec")
