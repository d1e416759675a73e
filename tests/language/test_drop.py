"""The effect `drop`: rounds end as defined, in every engine."""

from collections.abc import Iterator

import pytest

from rulesengine import Game, State
from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Draft, Frame
from rulesengine.engine.kernel.emit.incremental import only_adds_pieces
from rulesengine.engine.kernel.selection import Engine
from rulesengine.language.ir.ops import literal, make
from rulesengine.loading import load_source
from rulesengine.support.frozen import replace
from rulesengine.support.source import Source
from tests.helpers.engine_comparison import QUICK, needs_engines, needs_native, spec_engines

BOARDS = {
    "rectangle": "{rows: 5, columns: 4}",
    "one line": "{rows: 1, columns: 6}",
    "cylinder": "{rows: 3, columns: 5, wrap: columns}",
    "torus": "{rows: 4, columns: 6, wrap: both}",
    "torus of a line": "{rows: 1, columns: 5, wrap: both}",
    "torus with a hole": "{rows: 4, columns: 5, wrap: both, holes: [b2, d4]}",
    "holes": "{rows: 5, columns: 5, holes: [c3, b4, e1]}",
    "hexagon": "{shape: hexagon, size: 3}",
    "rhombus": "{shape: rhombus, rows: 4, columns: 5}",
    "box": "{shape: box, layers: 2, rows: 3, columns: 3}",
    "wide": "{rows: 9, columns: 11}",
    "wide torus": "{rows: 10, columns: 8, wrap: both}",
}
# In turn, ply by ply: all pieces, those of a side or of a kind, some cells; in a direction that is
# fixed, depends on the side, or is stored in a register.
EFFECTS = (
    "drop occupied to {ahead}",
    "drop own to ahead",
    "drop king to {back}",
    "drop enemy or to to ahead",
    "drop occupied and neighbours(to) to down",
)
SPEC = """\
spec: 1
name: Falling
board: {board}
players:
  white: {{ahead: {ahead}}}
  black: {{ahead: {back}}}
pieces: {{man: {{white: o, black: x}}, king: {{white: O, black: X}}, rock: {{neutral: "*"}},
  empty: "."}}
registers:
  down: {{type: direction, start: {ahead}}}
rules:
  moves:
    - {{place: choice, to: empty, choice: [man, king], do: [{effects}]}}
    - {{place: rock of neutral, to: empty, when: plies < 2}}
  do:
    - if any(moved) then set down to (if down = {ahead} then {back} else {ahead})
  end:
    - {{when: count(own and edges) > 5, result: player wins}}
    - {{when: none(empty), result: highest score wins}}
  score: count(own and edges)
regions: {{edges: all where count(neighbours(it)) < 6}}
strategies: {{far: [most count(moved), most after(count(own and edges))]}}
"""


def spec(board: str, slanted: bool) -> str:
    """Return a spec in which pieces fall along the rows, or diagonally."""
    ahead, back = ("southeast", "northwest") if slanted else ("east", "west")
    effects = (effect.format(ahead=ahead, back=back) for effect in EFFECTS)
    turns = [f"if plies % {len(EFFECTS)} = {i} then {effect}" for i, effect in enumerate(effects)]
    return SPEC.format(board=BOARDS[board], ahead=ahead, back=back, effects=", ".join(turns))


# In the gate one board of each kind; a test below covers the effect alone on all of them.
IN_GATE = ("one line", "torus with a hole", "holes", "hexagon", "box")
CASES = [
    pytest.param(board, slanted, marks=pytest.mark.deep if slanted or board not in IN_GATE else ())
    for board in BOARDS
    for slanted in ((False,) if board in ("hexagon", "rhombus") else (False, True))
]


def compare(board: str, slanted: bool, names: tuple[Engine, ...]) -> None:
    engines = spec_engines(spec(board, slanted), names)
    engines.play(0, 2 * len(EFFECTS))
    engines.count(1)
    engines.playouts(1, seed=1)


@pytest.mark.slow
@needs_engines
@pytest.mark.parametrize(("board", "slanted"), CASES)
def test_pieces_fall_the_same_in_python(board: str, slanted: bool) -> None:
    compare(board, slanted, QUICK)


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@needs_native
@pytest.mark.parametrize(
    "board",
    [
        "hexagon",
        *(pytest.param(b, marks=pytest.mark.deep) for b in ("torus with a hole", "wide")),
    ],
)
def test_pieces_fall_the_same_natively(board: str) -> None:
    compare(board, False, ("native",))


def fallen(game: Game, state: State, cells: int, direction: int) -> tuple[list[int], int]:
    """Return the planes and the record `moved` after pieces fall cell by cell, one piece at a time.

    A piece goes on if the next cell is empty, or if the piece on it goes on.
    """
    board = game.program.topology
    targets = board.directions[direction].targets
    at = {c: p for p, mask in enumerate(state.planes) for c in range(board.cells) if mask >> c & 1}
    left = {c: len(board.ray(c, direction)) for c in at if cells >> c & 1}
    moved = set[int]()

    def goes_on(cell: int, behind: tuple[int, ...] = ()) -> bool:
        ahead = targets[cell]
        if cell in behind or ahead < 0 or not left.get(cell):
            return False
        return ahead not in at or goes_on(ahead, (*behind, cell))

    while going := [cell for cell in left if goes_on(cell)]:
        pieces = {targets[cell]: (at.pop(cell), left.pop(cell) - 1) for cell in going}
        moved = moved.difference(going) | pieces.keys()
        at |= {cell: plane for cell, (plane, _) in pieces.items()}
        left |= {cell: rest for cell, (_, rest) in pieces.items()}
    planes = [0] * len(state.planes)
    for cell, plane in at.items():
        planes[plane] |= 1 << cell
    return planes, sum(1 << cell for cell in moved)


def positions(game: Game) -> Iterator[tuple[State, int]]:
    """Yield states of all densities, and sets of cells that fall."""
    board, draw = game.program.topology, Generator(7, 0)
    symbols = [i for i, symbol in enumerate(game.program.form.symbols) if symbol]
    state = game.initial_state()
    for most in (1, 2, 4, 8):
        for _ in range(12):
            planes = [0] * len(state.planes)
            for cell in range(board.cells):
                if draw.below(most + 1):
                    planes[symbols[draw.below(len(symbols))]] |= 1 << cell
            kept = sum(1 << cell for cell in range(board.cells) if not draw.below(4))
            for cells in (board.mask, board.mask & ~kept, planes[symbols[0]]):
                yield replace(state, planes=tuple(planes)), cells


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
def test_pieces_end_where_those_do_that_go_cell_by_cell(board: str) -> None:
    game = load_source(Source("falling.yaml", spec(board, False)))
    machine = Interpreter(game.program)
    for state, cells in positions(game):
        for direction in range(len(game.program.topology.directions)):
            draft = Draft.of(state)
            op = make("drop", literal("cells", cells), literal("direction", direction))
            machine.effects.execute(op, Frame(draft, {"player": 0}))
            assert (draft.planes, draft.moved) == fallen(game, state, cells, direction)
            assert not draft.placed | draft.removed | draft.flipped | draft.captured


SMALL = """\
spec: 1
name: Small
board: {{rows: 3, columns: 3}}
players: [white, black]
pieces: {{man: {{white: o, black: x}}, empty: "."}}
rules:
  moves: {{place: man, to: empty, do: {effect}}}
  end: [{{when: none(empty), result: draw}}]
"""


@pytest.mark.parametrize(
    ("effect", "adds"), [("put man on empty and top", True), ("drop own to east", False)]
)
def test_a_move_that_lets_pieces_fall_does_more_than_add_some(effect: str, adds: bool) -> None:
    game = load_source(Source("small.yaml", SMALL.format(effect=effect)))
    assert only_adds_pieces(game.program.rules) is adds
