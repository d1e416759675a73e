"""Cells on faces, borders and points: Dots and Boxes against OpenSpiel's `dots_and_boxes`."""

import random

import pytest

import rulesengine
from rulesengine import Outcome
from rulesengine.board.coordinates import CellNames, letters
from rulesengine.board.shapes import mesh
from rulesengine.errors import NotationError, SpecError
from rulesengine.loading import load_source
from rulesengine.notation.board_text import draw
from rulesengine.support.source import Source
from tests.helpers.engine_comparison import needs_native

PLAYERS = ("first", "second")

BORDERS = """
spec: 1
name: Borders
board: {shape: mesh, rows: 1, columns: 2, origin: bottom-left, holes: points}
players: [first, second]
pieces: {bar: {first: x, second: o}, empty: "."}
regions: {middle: 'cell("b1-b2")'}
rules:
  moves: {place: bar, to: empty and borders}
  end: {when: middle in own, result: player wins}
notation: {cell: "{corners}"}
drawing: {row: "{label:2} {cells}", bottom: "   {columns}", hole: "+"}
"""


@pytest.mark.parametrize(
    ("engine", "rows", "columns", "games"),
    [
        ("interpreter", 2, 2, 2),
        ("python", 2, 3, 5),
        pytest.param("native", 3, 3, 20, marks=[needs_native, pytest.mark.slow]),
        pytest.param("native", 7, 6, 100, marks=[needs_native, pytest.mark.deep]),
    ],
)
def test_random_games_are_those_of_openspiel(
    engine: str, rows: int, columns: int, games: int
) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    ours = rulesengine.load("dots-and-boxes", engine=engine, rows=rows, columns=columns)
    theirs = pyspiel.load_game("dots_and_boxes", {"num_rows": rows, "num_cols": columns})
    across = [(r, c) for r in range(rows + 1) for c in range(columns)]
    down = [(r, c) for r in range(rows) for c in range(columns + 1)]
    names = [f"{letters(2 * c + 2)}{2 * r + 1}" for r, c in across]
    names += [f"{letters(2 * c + 1)}{2 * r + 2}" for r, c in down]
    for seed in range(games):
        draw, state, other = random.Random(seed), ours.initial_state(), theirs.new_initial_state()
        while not other.is_terminal():
            legal = other.legal_actions()
            assert {str(move) for move in ours.legal_moves(state)} == {names[a] for a in legal}
            assert state.mover == PLAYERS[other.current_player()]
            action = draw.choice(legal)
            other.apply_action(action)
            state = ours.apply(state, ours.move(names[action], state))
        outcome, first = ours.outcome(state), other.returns()[0]
        assert outcome is not None
        assert outcome.winner == (None if first == 0 else PLAYERS[first < 0])


def test_a_mesh_has_faces_borders_and_points() -> None:
    board = mesh(2, 3)
    kinds = {name: mask.bit_count() for name, mask in board.regions}
    assert board.cells == 35
    assert (kinds["faces"], kinds["borders"], kinds["points"]) == (6, 17, 12)
    assert (kinds["top"], kinds["left"], kinds["edge"], kinds["corners"]) == (7, 5, 20, 4)


def test_a_step_from_a_face_leads_to_its_borders_and_on_to_the_face_behind() -> None:
    board = mesh(2, 2)
    (face, behind), border = (board.cell("b2"), board.cell("d2")), board.cell("c2")
    east = board.directions[board.direction("east") or 0].targets
    assert east[face or 0] == border
    assert east[border or 0] == behind
    assert dict(board.regions)["faces"] >> (behind or 0) & 1


def test_board_text_includes_symbols_of_holes() -> None:
    game = rulesengine.load("dots-and-boxes", rows=1, columns=2)
    state = game.initial_state()
    for move in ("b1", "e2"):
        state = game.apply(state, game.move(move, state))
    assert draw(game.program, state).splitlines() == [
        " 1 + - + . +",
        " 2 . . . . |",
        " 3 + . + . +",
        "   a b c d e",
    ]
    assert game.state_from(str(state)) == state


def test_borders_are_called_by_the_points_at_their_ends() -> None:
    names = CellNames(cell="{corners}")
    assert mesh(1, 2, origin="bottom-left", names=names).names == (
        *("a2", "a2-b2", "b2", "b2-c2", "c2"),
        *("a1-a2", "a1-b2", "b1-b2", "b1-c2", "c1-c2"),
        *("a1", "a1-b1", "b1", "b1-c1", "c1"),
    )


def test_a_game_is_played_drawn_and_read_by_the_names_of_borders() -> None:
    game = load_source(Source("borders.yaml", BORDERS), engine="interpreter")
    state = game.initial_state()
    for move in ("a1-b1", "b2-c2", "b1-b2"):
        state = game.apply(state, move)
    assert str(state).splitlines()[:3] == [".o", "..x..", "x."]
    assert draw(game.program, state).splitlines() == [
        " 2 +.+o+",
        "   ..x..",
        " 1 +x+.+",
        "   a b c",
    ]
    assert game.outcome(state) == Outcome("first", "middle in own")


def test_a_position_may_show_its_holes_as_the_drawing_does() -> None:
    game = load_source(Source("borders.yaml", BORDERS), engine="interpreter")
    shown = "+ . + o +\n. . x . .\n+ x + . +\nmover: second"
    assert game.state_from(shown) == game.state_from(".o\n..x..\nx.\nmover: second")
    with pytest.raises(NotationError, match="row 1 has 2 cells, found 3"):
        game.state_from("+.+o+.+\n..x..\nx.\nmover: second")


def test_only_places_of_a_mesh_have_corners() -> None:
    with pytest.raises(SpecError, match="`cell` has no field `corners`"):
        load_source(Source("borders.yaml", BORDERS.replace("shape: mesh, ", "")))
