"""Boards that scripts read, and positions that they set up."""

import io

import pytest

from rulesengine.errors import InputError, SpecError
from rulesengine.loading import load_source
from rulesengine.script import run
from rulesengine.support.source import Source
from tests.helpers.script_runs import HEAD, failure, output, run_with_size, run_with_sizes, text_of

KEPT = """registers:
  stock: {type: number, from: 0, to: 9, start: 4, each: player}
  spot: {type: cell}
"""


def test_read_board_sets_the_reason_of_the_end() -> None:
    script = """
print "{reason}."
read board
print "{reason}."
put stone on nowhere
remove a1
print "{reason}."
play move "a1"
print "{reason}."
start anew
print "{reason}."
"""
    assert output(script, "xox oxo") == ".\nnone(empty).\n.\nnone(empty).\n.\n"
    assert output('forfeit\nprint "{reason}"') == "forfeit\n"


def test_a_position_is_set_up_by_effects_as_if_no_move_had_led_to_it() -> None:
    script = """
play move "c2"
print "{move} {to} {from} {placed} {mover}"
remove to
put stone of left on a1 or cell("b{1}")
set stock of right to stock of left + 1
set spot to b1
print "{move}-{to}-{count(placed)} {stock of left} {stock of right} {spot} {mover}"
print board
if none(empty minus all) then put stone on all
if over
  print "over"
start anew
print "{stock of right} {spot} {mover} {empty}"
"""
    lines = [
        *("c2 c2 none c2 right", "-none-0 4 5 b1 right"),
        *("xx.", "...", "over", "4 none left a1 b1 c1 a2 b2 c2"),
    ]
    assert output(script, more=KEPT).splitlines() == lines


def test_an_effect_reads_what_the_last_move_did_and_the_game_begins_there() -> None:
    script = """
play move "a1"
play move "b1"
remove placed
print board
play move "b1"
print "{plies} {board_repeats}"
if over
  print "{reason}"
"""
    ends = "  end: {when: board_repeats > 0 or plies > 2, result: draw}\n"
    text = text_of(script).replace("  end: {when: none(empty), result: draw}\n", ends)
    target = io.BytesIO()
    run(load_source(Source("script.yaml", text)), io.BytesIO(), target)
    assert target.getvalue().decode() == "x..\n...\n1 0\n"


def test_an_end_that_asks_for_the_last_move_finds_none_after_an_effect() -> None:
    script = """
play move "a1"
print "{if over then "over" else "on"}"
put stone on b2
print "{if over then "over" else "on"}"
"""
    text = text_of(script).replace("when: none(empty)", "when: any(placed and rows(1))")
    target = io.BytesIO()
    run(load_source(Source("script.yaml", text)), io.BytesIO(), target)
    assert target.getvalue().decode() == "over\non\n"


def test_a_register_that_is_set_out_of_its_range_is_an_error_with_its_place() -> None:
    text = failure("set stock of left to 10", more=KEPT)
    assert "stock" in text
    assert f"script.yaml:{HEAD + 4}: `set stock of left to 10`" in text


def test_a_parameter_is_set_to_a_computed_value() -> None:
    script = """
read cell c
repeat i from 8 to 10
  set n to i
  else
    print "{i} cannot be: {n}"
    next
  play move "a1"
  print board
"""
    bound = "x.......\nx........\n10 cannot be: 9\n"
    assert run_with_sizes(script, "a1") == bound
    with pytest.raises(SpecError, match="`c` was of the board before"):
        run_with_sizes('read cell c\nset n to 3\nprint "{c}"', "")


def test_a_player_and_a_flag_are_values_of_parameters_too() -> None:
    who, odd = "{choices: [left, right], default: left}", "{type: flag, default: false}"
    more = f"parameters: {{who: {who}, odd: {odd}}}\n"
    script = """
play move "a1"
set who to mover
set odd to count(occupied) = 0
print "{who} {if odd then 1 else 0}"
set odd to who = left
print "{who} {if odd then 1 else 0} {count(occupied)}"
"""
    assert output(script, more=more) == "right 1\nright 0 0\n"


def test_a_board_is_read_in_another_alphabet() -> None:
    script = """
read board with "X" left, "." right, "-" empty
else
  print "no"
print board
read board by symbols in columns(1 to 2) with "1" stone of left, "2" stone of right, "o" empty
print board
"""
    assert output(script, "X.-\n--X\n1o 2 o") == "xo.\n..x\nx..\no..\n"
    assert output(script, "x..\n1o 2 o").startswith("no\n")
    wrong = failure('read board with "X" left, "O" right, "-" empty', "X-O\nXo-")
    assert "row 2, column 2: no piece `o`, expected one of X O - (line 2, word 1" in wrong


def test_empty_cells_are_blanks_where_the_alphabet_says_so() -> None:
    script = 'read number n\nread board with " " empty, "x" left, "o" right\nprint board'
    assert output(script, "7  \n  x\n o") == "..x\n.o.\n"
    assert output(script, "7 x\r\n\r\no") == ".x.\n...\n"
    assert output(script, "7\n\nxxo\n") == "...\nxxo\n"
    assert "row 1 has 3 cells, found 4" in failure(script, "7\n   x\n\n")


def test_a_board_of_any_size_is_read_to_a_blank_line_or_the_end() -> None:
    script = """
read number n
repeat n times separated by "--"
  read board to blank line
  print "{r} {c} {count(own)}"
  print board
"""
    given = "2\n\nx . x o\n....\n\n\n  o\t.\r\n..\n.x"
    assert run_with_size(script, given) == "2 4 2\nx.xo\n....\n--\n3 2 1\no.\n..\n.x\n"
    with pytest.raises(InputError, match="c: expected a number from 2 to 9, found `1`"):
        run_with_size(script, "1\nx\no\n")
    with pytest.raises(InputError, match="row 2 has 3 cells, found 2"):
        run_with_size(script, "1\n...\nxx\n")
    blank = 'read board to blank line with " " empty, "#" left\nprint board\nread word w'
    assert run_with_size(blank, "\n# #\n #\n###  #\n\n") == "x.x...\n.x....\nxxx..x\n"


def test_a_board_of_any_size_fits_what_is_fixed_in_its_size() -> None:
    script = "read board to blank line\nprint board"
    assert run_with_size(script, "..\n..", "{rows: 2, columns: c}") == "..\n..\n"
    with pytest.raises(InputError, match="the board has 2 rows, found 3"):
        run_with_size(script, "..\n..\n..", "{rows: 2, columns: c}")
    assert run_with_size(script, "x..\n...\n...", "{rows: c, columns: c}") == "x..\n...\n...\n"
    with pytest.raises(InputError, match="1 rows and 2 columns"):
        run_with_size(script, "..", "{rows: c, columns: c}")
