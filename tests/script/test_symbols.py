"""Symbols of pieces as texts, and positions that are set up from them."""

from pathlib import Path

import pytest

from rulesengine.errors import SpecError
from tests.helpers.script_engines import ending
from tests.helpers.script_runs import failure, output
from tests.script.test_compiled_statements import spec_of


def test_the_symbols_of_cells_are_texts() -> None:
    script = """
play move "a1"
play move "c2"
print "{symbol(a1)}{symbol(b1)}{symbol(c2)} {symbols(all)} {symbol(no_cell)}{empty_symbol}"
let w be symbol(to)
print "{w:3}|{length(w)}|{if w = "o" then "o" else "other"}"
"""
    assert output(script) == "x.o x....o ..\n  o|1|o\n"


def test_a_piece_has_a_symbol_and_a_symbol_a_piece() -> None:
    script = """
repeat
  read word w
  print "{symbol_kind(w)} {symbol_owner(w)}"
  print "{piece_symbol(symbol_kind(w), symbol_owner(w))}"
"""
    expected = "stone left\nx\nstone right\no\nnone nobody\n.\nnone nobody\n.\n"
    assert output(script, "x o . xo") == expected


def test_a_piece_that_its_owner_does_not_have_has_no_symbol() -> None:
    assert "there is no neutral `stone`" in failure('print "{piece_symbol(stone, nobody)}"')


def test_symbols_are_put_on_cells() -> None:
    script = """
put "x.o" on rows(1)
print board
put "x" on columns(2)
read word w
put w on c2
print board
let all_of_it be symbols(all)
start anew
put all_of_it on all
print board
print "{count(own)} {plies}"
"""
    first, second = "x.o\n...\n", "xxo\n.xo\n"
    assert output(script, "o") == f"{first}{second}{second}3 0\n"


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ('put "xy" on columns(1)', "no piece `y`, expected one of . x o"),
        ('put "xo" on rows(1)', "2 symbols for 3 cells: give one symbol, or one for each cell"),
        ('put "" on a1', "0 symbols for 1 cell: give"),
        ('put "ox" on a1', "2 symbols for 1 cell: give"),
        ('put "x" on cell("{word}")', "there is no cell to put symbols on"),
    ],
)
def test_texts_that_are_no_symbols_of_the_cells_are_refused(statement: str, message: str) -> None:
    assert message in failure(statement)
    script = f'put "o" on a2\n{statement}\nelse\n  print "no"\nprint board'
    assert output(script) == "no\n...\no..\n"


HEAD = """\
spec: 1
name: Symbols
board: {rows: 1, columns: 4}
players: [left, right]
pieces:
  stone: {left: x, right: o, at_most: 2}
  rock: {neutral: "#"}
  empty: "-"
rules: {moves: {place: stone, to: empty}, end: {when: none(empty) or count(rock) > 4, result: draw}}
io: |
"""


def test_more_pieces_than_allowed_are_not_put(tmp_path: Path) -> None:
    game = spec_of(tmp_path, 'put "xx#x" on all\nelse\n  print "no"', HEAD)
    assert ending(game, b"", "interpreter")[0] == b"no\n"


def test_an_effect_with_a_piece_takes_no_else() -> None:
    with pytest.raises(SpecError, match="cannot fail"):
        output("put stone on a1\nelse\n  stop")


def test_symbols_on_stacks_are_those_of_the_upper_pieces(tmp_path: Path) -> None:
    head = """\
spec: 1
name: Stacks
board: {rows: 1, columns: 3, stacks: {height: 4}}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
rules: {moves: {place: stone, to: all}, end: {when: plies = 9, result: draw}}
io: |
"""
    script = """\
play move "a1"
play move "a1"
play move "b1"
print "{symbols(all)} {height(a1)}"
put "x." on a1 or b1
print "{symbols(all)} {height(a1)}"
"""
    game = spec_of(tmp_path, script, head)
    assert ending(game, b"", "interpreter")[0] == b"ox. 2\nx.. 1\n"
