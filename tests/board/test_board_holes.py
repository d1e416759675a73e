"""Holes of a board, by an expression or drawn, and drawn regions."""

import pytest

import rulesengine
from rulesengine.errors import SpecError
from rulesengine.loading import load_source
from rulesengine.support.limits import MAX_BOARD_STEPS
from rulesengine.support.source import Source

SPEC = """
spec: 1
name: Holes
parameters:
  n: {{type: integer, from: 2, to: 32, default: 4}}
board:
  rows: n
  columns: 4
  holes: {holes}
players: [first, second]
pieces: {{stone: {{first: x, second: o}}, empty: "."}}
regions:
  {region}
rules:
  moves: {{place: stone, to: empty and asked}}
  end: {{when: none(empty), result: draw}}
"""


def game(holes: str, region: str = "asked: all", n: int = 4) -> rulesengine.Game:
    text = SPEC.format(holes=holes, region=region)
    return load_source(Source("holes.yaml", text), n=n)


def cells(game: rulesengine.Game) -> str:
    return " ".join(str(move) for move in game.legal_moves(game.initial_state()))


@pytest.mark.parametrize(
    ("holes", "left"),
    [
        ("corners or rows(2 to 3) and columns(1)", "b1 c1 b2 c2 d2 b3 c3 d3 b4 c4"),
        ("rows(2 to n)", "a1 b1 c1 d1"),
        ("not (shift(b2, north, east) or a4)", "c1 a4"),
        ("all where count(neighbours(it)) > 3", "a1 d1 a4 d4"),
        (
            "slide(b2, orthogonal, all) or fill(d4, right)",
            "a1 c1 b2 a3 c3 a4 c4",
        ),
        ("union(d in diagonal, shift(b2, d))", "b1 d1 a2 b2 c2 d2 b3 d3 a4 b4 c4 d4"),
        ("if n > 3 then all minus first(bottom) else top", "a4"),
        ("cell_at(1, 2) or last(top)", "a1 c1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4"),
        ("|\n    .###\n    #.##\n    ##.#\n    ###.", "a1 b2 c3 d4"),
    ],
)
def test_holes_are_computed_on_the_whole_board(holes: str, left: str) -> None:
    assert cells(game(holes)) == left


PARTS = "yard: |\n    AB..\n    #BA.\n    ....\n    ...B\n  asked: "


@pytest.mark.parametrize(
    ("region", "cells_in_region"),
    [
        ("yard", "a1 b1 a2 b2 c2 d4"),
        ("yard_a", "a1 c2"),
        ("yard_b", "b1 b2 d4"),
        ("yard minus yard_a minus yard_b", "a2"),
    ],
)
def test_capital_letters_distinguish_regions_of_one_drawing(
    region: str, cells_in_region: str
) -> None:
    assert cells(game("nowhere", PARTS + region)) == cells_in_region


def test_the_parts_of_a_drawing_are_names_like_others() -> None:
    with pytest.raises(SpecError, match="`yard_c`"):
        game("nowhere", PARTS + "yard_c")
    with pytest.raises(SpecError, match="`yard_b` is declared twice"):
        game("nowhere", "yard_b: top\n  " + PARTS + "yard_b")


def test_holes_by_an_expression_follow_the_size() -> None:
    assert cells(game("rows(2 to n - 1)", n=5)) == "a1 b1 c1 d1 a5 b5 c5 d5"


def test_a_region_is_drawn_on_the_board_that_is_left() -> None:
    drawn = "asked: |\n    #.\n    ..#.\n    ....\n    .#"
    assert cells(game("corners", drawn)) == "b1 c2 c4"


def test_a_drawing_of_another_size_is_reported() -> None:
    drawn = "asked: |\n    #...\n    ..#.\n    ....\n    .#.."
    with pytest.raises(SpecError, match="the board has 5 rows, the drawing 4"):
        game("nowhere or nowhere", drawn, n=5)


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [0, 1])
def test_an_expression_for_holes_takes_so_many_operations(rounds: int) -> None:
    """Each round reads two numbers and compares them; the choice and the loop are the rest."""
    fixed, each = 6, 3
    most = (MAX_BOARD_STEPS - fixed) // each
    holes = f"if any(i in numbers(1 to {most + rounds}), i < 0) then all else a1"
    if rounds:
        with pytest.raises(SpecError, match="it takes more than 200,000 operations"):
            game(holes)
    else:
        assert cells(game(holes)).startswith("b1")
