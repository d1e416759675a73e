import doctest
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesengine.board import coordinates
from rulesengine.board.coordinates import CellNames, letters
from rulesengine.board.shapes import hexagon, rectangle
from rulesengine.board.topology import BoardError


def test_the_examples_in_the_docstrings_hold() -> None:
    results = doctest.testmod(coordinates)
    assert results.attempted > 0
    assert results.failed == 0


def test_letters_go_on_with_two_after_z() -> None:
    assert [letters(i) for i in range(1, 27)] == list(ascii_lowercase)
    assert [letters(i) for i in (27, 28, 52, 53, 702, 703)] == ["aa", "ab", "az", "ba", "zz", "aaa"]


@pytest.mark.slow
@given(st.integers(1, 10**6))
def test_letters_sort_as_numbers_do_when_the_shorter_comes_first(number: int) -> None:
    here, there = letters(number), letters(number + 1)
    assert (len(here), here) < (len(there), there)


def test_rows_may_be_letters_and_stand_first() -> None:
    names = CellNames(rows="letters", columns="letters", cell="{row}{column}")
    board = rectangle(2, 3, names=names)
    assert board.names == ("aa", "ab", "ac", "ba", "bb", "bc")
    assert board.row_labels == ("a", "b")
    assert board.cell("bc") == 5


def test_labels_may_be_listed_from_the_first_row_or_column_on() -> None:
    names = CellNames(rows="C D", columns="10 J Q")
    board = rectangle(2, 3, origin="bottom-left", names=names)
    assert board.names == ("10D", "JD", "QD", "10C", "JC", "QC")
    assert board.column_labels == ("10", "J", "Q")


def test_each_row_and_column_has_a_label() -> None:
    with pytest.raises(BoardError, match="`J Q` has no label 3"):
        rectangle(2, 3, names=CellNames(columns="J Q"))


def test_a_template_may_hold_other_characters() -> None:
    names = CellNames(columns="numbers", cell="({row},{column})")
    assert rectangle(1, 2, names=names).names == ("(1,1)", "(1,2)")


def test_a_hexagon_of_size_five_has_the_names_of_its_best_known_game() -> None:
    # The lines of an Abalone board: i5 to i9 on top, e1 to e9 across, a1 to a5 at the bottom.
    names = CellNames(rows="letters", columns="numbers", cell="{row}{column}")
    board = hexagon(5, origin="bottom-left", names=names)
    assert board.names[:5] == ("i5", "i6", "i7", "i8", "i9")
    assert board.names[26:35] == ("e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8", "e9")
    assert board.names[-5:] == ("a1", "a2", "a3", "a4", "a5")
    assert board.column_labels == ("",) * 9


@pytest.mark.parametrize(
    ("style", "message"),
    [
        ({"rows": "roman"}, "or `numbers`, found `roman`"),
        ({"rows": "C D C"}, "two labels of `C D C` are equal"),
        ({"cell": "{layer}{row}"}, "takes `{row}`, `{column}`, `{screen_row}`"),
        ({"cell": "{column} {row}"}, "one word"),
        ({"cell": ""}, "one word"),
    ],
)
def test_a_style_that_cannot_be_says_why(style: dict[str, str], message: str) -> None:
    with pytest.raises(BoardError) as caught:
        CellNames(**style)
    assert message in str(caught.value)


def test_a_style_that_gives_two_cells_one_name_is_refused() -> None:
    numbers = CellNames(columns="numbers", cell="{row}{column}")
    with pytest.raises(BoardError, match="two cells are named `111`"):
        rectangle(11, 11, names=numbers)
