"""Statements of I/O scripts, each by what it reads and prints."""

import io
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.cli import running
from rulesengine.errors import EvaluationError, InputError, RulesError, SpecError
from rulesengine.interpreter import Interpreter
from rulesengine.loading import load_source
from rulesengine.pipeline import analyse
from rulesengine.protocol import run
from rulesengine.protocol.view import View
from rulesengine.source import Source
from tests.cli_calls import call

BOARD = "{rows: 2, columns: 3}"
BASE = f"""
spec: 1
name: Script
board: {BOARD}
players: [left, right]
pieces: {{stone: {{left: x, right: o}}, empty: "."}}
rules:
  moves: {{place: stone, to: empty}}
  end: {{when: none(empty), result: draw}}
"""


def text_of(script: str, more: str = "", board: str = BOARD) -> str:
    body = "".join(f"  {line}\n" for line in script.strip("\n").splitlines())
    return f"{BASE.replace(BOARD, board)}{more}io: |\n{body}"


def output(script: str, given: str = "", more: str = "") -> str:
    game = load_source(Source("script.yaml", text_of(script, more)))
    target = io.BytesIO()
    run(game, io.BytesIO(given.encode()), target)
    return target.getvalue().decode()


def test_a_cell_is_read_by_its_name_or_the_else_is_done() -> None:
    script = """
repeat
  read cell c
  else
    print "no {word}"
    next
  print "{c} in row {row(c)}"
"""
    assert output(script, "b2 z9 a1") == "b2 in row 2\nno z9\na1 in row 1\n"


def test_a_move_is_played_by_a_text_made_of_what_was_read() -> None:
    script = """
read word column
read word row
play move "{column}{row}"
print board
"""
    assert output(script, "b 2") == "...\n.x.\n"


def test_a_text_that_names_no_legal_move_goes_to_the_else() -> None:
    script = """
play move "z9"
else
  print "no"
"""
    assert output(script) == "no\n"


def test_a_board_is_read_symbol_by_symbol_with_blanks_or_without() -> None:
    assert output("read board by symbols\nprint board", "x . o\n..\no") == "x.o\n..o\n"


def test_symbols_are_read_into_a_part_of_the_board() -> None:
    script = "read board by symbols in columns(2 to 3)\nprint board"
    assert output(script, "o x x o") == ".ox\n.xo\n"


def test_at_the_end_of_input_its_block_is_done() -> None:
    script = """
at end
  print "bye"
repeat
  read word w
  print "{w}"
"""
    assert output(script, "one two") == "one\ntwo\nbye\n"


def test_the_moves_are_printed_with_their_notation_and_the_last_move_stays() -> None:
    script = """
play move "a1"
print moves "{move}" joined by " "
print "last {move}"
"""
    assert output(script) == "b1 c1 a2 b2 c2\nlast a1\n"


def test_each_goes_through_players_numbers_and_cells() -> None:
    script = """
print each p in players "{p}" joined by "+"
print each i in numbers(2 to 4) "{i}" joined by "+"
print each c in corners "{c}" joined by "+"
"""
    assert output(script) == "left+right\n2+3+4\na1+c1+a2+c2\n"


def test_a_value_that_was_never_read_is_an_error_and_no_crash() -> None:
    script = """
read number n from 1 to 3
else
  print "bad"
print "{n}"
"""
    with pytest.raises(EvaluationError, match="`n` has no value yet"):
        output(script, "9")


def test_a_strategy_that_is_not_there_is_a_clear_error() -> None:
    script = "read number n\nplay move by strategies[n]"
    more = "strategies: {1: [leftmost]}\n"
    with pytest.raises(InputError, match="no strategy `3`"):
        output(script, "3", more)


def test_widths_put_values_right_or_left_and_labels_of_rows_too() -> None:
    assert output('print "[{count(empty):3}][{mover:<6}]"') == "[  6][left  ]\n"
    more = 'drawing: {row: "{label:3}|{cells}", gap: " "}\n'
    assert output("print board", more=more) == "  1|. . .\n  2|. . .\n"


def test_a_hole_is_printed_as_a_blank_and_a_rhombus_is_shifted() -> None:
    holes = BASE.replace("{rows: 2, columns: 3}", "{rows: 2, columns: 3, holes: b1}")
    slanted = BASE.replace("{rows", "{shape: rhombus, rows") + 'drawing: {gap: " "}\n'
    for text, board in ((holes, ". .\n...\n"), (slanted, ". . .\n . . .\n")):
        target = io.BytesIO()
        game = load_source(Source("board.yaml", text + "io: |\n  print board\n"))
        run(game, io.BytesIO(), target)
        assert target.getvalue().decode() == board


def test_the_cells_of_a_graph_are_printed_where_the_spec_draws_them() -> None:
    cells = "  cells: |\n    a   b\n      m\n    c   d\n"
    shape = f"board:\n  shape: graph\n{cells}  edges: a-m b-m c-m d-m\n"
    text = BASE.replace("board: {rows: 2, columns: 3}\n", shape)
    target = io.BytesIO()
    game = load_source(Source("graph.yaml", text + 'io: |\n  play move "m"\n  print board\n'))
    run(game, io.BytesIO(), target)
    assert target.getvalue().decode() == ". .\n x\n. .\n"


@pytest.mark.parametrize(("word", "rows"), [("capitals", "A1"), ("letters", "a1")])
def test_columns_are_small_letters_or_capitals(word: str, rows: str) -> None:
    more = f"notation: {{columns: {word}}}\n"
    assert output(f'play move "{rows}"\nprint board', more=more) == "x..\n...\n"


FLIPS = "strategies: {greedy: [most column(to)]}\n"


def test_a_strategy_can_be_asked_without_playing() -> None:
    script = """
choose m by greedy
print "{m} {count(occupied)}"
play move m
print "{m} {count(occupied)}"
"""
    assert output(script, more=FLIPS) == "c1 0\nc1 1\n"


def test_choosing_where_there_is_no_move_goes_to_the_else() -> None:
    script = """
play all moves by greedy
choose m by greedy
else
  print "none"
"""
    assert output(script, more=FLIPS) == "none\n"


def test_records_in_a_script_are_those_of_the_last_move() -> None:
    script = """
print "{count(placed)}"
play move "b2"
print "{placed}"
"""
    assert output(script) == "0\nb2\n"


def test_a_board_that_is_read_starts_a_game_of_which_nothing_before_is_left() -> None:
    script = """
play move "a1"
forfeit
print "{reason}"
read board
print "{move}-{reason}-{count(placed)}"
if over
  print "over"
else
  play move "b1"
  print "{move}"
"""
    assert output(script, "... ...") == "forfeit\n--0\nb1\n"


def test_symbols_too_many_for_the_board_are_an_error() -> None:
    with pytest.raises(InputError, match="`oo` is too much"):
        output("read board by symbols", "x.....oo")


def test_scores_go_to_the_players_who_hold_the_sides_after_a_swap() -> None:
    moves = "moves: [{place: stone, to: empty}, swap]\n  score: count(own)"
    rules = BASE.replace("moves: {place: stone, to: empty}", moves)
    game = load_source(Source("swap.yaml", rules))
    state = game.apply(game.initial_state(), game.move("a1"))
    assert game.scores(state) == {"left": 1, "right": 0}
    state = game.apply(state, game.move("swap", state))
    assert game.scores(state) == {"left": 0, "right": 1}


class Counting(Game):
    """A game that counts how often its rules are lowered for other parameters."""

    lowered = 0

    def _with(self, values: Mapping[str, int | str]) -> Game:
        self.lowered += 1
        return super()._with(values)


def test_parameters_that_were_read_before_make_no_new_game() -> None:
    script = "repeat\n  read parameter n\n  let c be count(all)\n  print board\n"
    more = "parameters: {n: {type: integer, from: 1, to: 9, default: 4}}\n"
    spec = load_source(Source("script.yaml", text_of(script, more, "{rows: 1, columns: n}")))
    game, target = Counting(spec.rules, spec.parameters), io.BytesIO()
    run(game, io.BytesIO(b"2 3 2 4 3 2"), target)
    assert target.getvalue() == b"..\n...\n..\n....\n...\n..\n"
    assert game.lowered == 2


SIZES = "parameters: {n: {type: integer, from: 1, to: 9, default: 4}}\n"


def run_with_sizes(script: str, given: str) -> str:
    text = text_of(script, SIZES, "{rows: 1, columns: n}")
    target = io.BytesIO()
    run(load_source(Source("script.yaml", text)), io.BytesIO(given.encode()), target)
    return target.getvalue().decode()


def test_a_cell_does_not_outlive_its_board() -> None:
    script = """
repeat 3 times
  read word w
  if w = "cell"
    read cell c
    let many be column(c)
  print "{many} {c}"
  if w = "cell"
    next
  read parameter n
"""
    with pytest.raises(EvaluationError, match="`c` has no value yet"):
        run_with_sizes(script, "cell d1 on 2 on 3")
    once = 'read cell c\nat end\n  print "{c}"\nread parameter n\nread word w'
    with pytest.raises(EvaluationError, match="`c` has no value yet"):
        run_with_sizes(once, "d1 2")
    kept = 'read cell c\nlet k be column(c)\nlet m be mover\nread parameter n\nprint "{k} {m}"'
    assert run_with_sizes(kept, "d1 2") == "4 left\n"


def test_a_word_that_was_not_read_is_an_error_and_no_crash() -> None:
    with pytest.raises(EvaluationError, match="`w` has no value yet"):
        output("if over\n  read word w\nplay move w")


def test_the_variable_of_print_each_leaves_one_outside_as_it_was() -> None:
    script = 'let c be 5\nprint each c in rows(1 to 1) "{c}" joined by " "\nprint "{c + 1}"'
    assert output(script) == "a1 b1 c1\n6\n"


def test_a_loop_counts_from_one_number_to_another() -> None:
    script = """
let top be 3
repeat i from top - 1 to top + 1 separated by "-"
  if i = 3
    next
  print "{i}"
repeat i from 5 to 4
  print "never"
repeat i from 1 to 9 until count(occupied) = 2
  play move by greedy
  print "{i} {move}"
repeat k from 1 to 9
  print "{k}"
  leave
"""
    assert output(script, more=FLIPS) == "2\n-\n4\n1 c1\n2 c2\n1\n"


def test_a_loop_goes_through_a_domain_as_it_is_before_the_first_round() -> None:
    script = """
repeat c in empty where column(it) < 3
  play move where to = c
  print "{c} {count(empty)}"
repeat p in players
  repeat i in numbers(1 to 2)
    print "{p} {i}"
"""
    placed = "a1 5\nb1 4\na2 3\nb2 2\n"
    assert output(script) == placed + "left 1\nleft 2\nright 1\nright 2\n"


def test_the_variable_of_a_loop_leaves_one_outside_as_it_was() -> None:
    script = """
let c be 5
repeat c in rows(1 to 1)
  let d be column(c)
print "{c + d}"
repeat c from 1 to 2
  let d be c
print "{c + d}"
"""
    assert output(script) == "8\n7\n"


def test_the_variable_of_a_loop_is_not_known_after_it() -> None:
    script = 'repeat i from 1 to 3\n  print "{i}"\nprint "{i}"'
    with pytest.raises(SpecError, match="`i` is known in the lines of its loop alone"):
        output(script)


def test_numbers_go_on_where_a_parameter_is_read_in_the_loop() -> None:
    script = """
repeat i from 1 to 3
  read parameter n
  let c be cell_at(1, n)
  print "{i} {c}"
"""
    assert run_with_sizes(script, "2 4 1") == "1 b1\n2 d1\n3 a1\n"


def failure(script: str, given: str = "", more: str = "") -> str:
    """The message that a run ends with."""
    with pytest.raises(RulesError) as caught:
        output(script, given, more)
    return str(caught.value)


HEAD = len(text_of("").splitlines())


def test_an_error_of_input_names_the_word_the_turn_and_the_line_of_the_script() -> None:
    script = 'read word w\nplay move w\nread number n to 9\nplay move "{n}"'
    told = "(line 2, word 2 of the input; right is to move; script.yaml:{}: `{}`)"
    shown = "n: expected a number from -9223372036854775808 to 9, found `z9` "
    read = told.format(HEAD + 3, "read number n to 9")
    assert failure(script, "\na1  z9 \n\n") == shown + read
    played = told.format(HEAD + 4, 'play move "{n}"')
    assert failure(script, "\na1  7 8\n\n") == "`7` is not legal " + played


def test_words_and_lines_of_the_input_are_counted_through_all_that_was_read() -> None:
    script = """
repeat
  read number n
  else
    read line rest
    read cell c
"""
    words = "1 2 3 4 5\n" * 20000  # more than the reader keeps
    text = failure(script, f"{words}6 x of no matter\n\n  7 8")
    assert "expected a cell such as `a1`, found `7` (line 20003, word 1 of the input; " in text


def test_nothing_is_said_of_an_input_of_which_nothing_was_read() -> None:
    text = failure("play move where to = a1 and false")
    place = f"script.yaml:{HEAD + 1}: `play move where to = a1 and false`"
    assert text == f"no legal move is the one that is wanted (left is to move; {place})"


def test_a_message_of_the_script_and_a_value_that_is_not_there_have_their_place_too() -> None:
    text = failure('forfeit\nread line x\nfail "{x}: no"', "some words\nmore")
    place = f'script.yaml:{HEAD + 3}: `fail "{{x}}: no"`'
    assert text == f"some words: no (line 1, word 2 of the input; the game is over; {place})"
    later = "if over\n  read number n\nrepeat until n = 3\n  stop"
    place = f"script.yaml:{HEAD + 3}: `repeat until n = 3`"
    assert failure(later, "a") == f"`n` has no value yet (left is to move; {place})"


def test_numbers_are_filled_up_with_zeros_behind_their_sign() -> None:
    assert output('print "{7:03}|{0 - 7:03}|{1234:03}|{7:3}|{7:<3}|"') == "007|-07|1234|  7|7  |\n"


def test_a_text_is_chosen_and_made_inside_a_text_and_as_a_value() -> None:
    script = """
read word w
let joined be "{w}-{count(all):03}:{mover:<6}|"
print "{joined}{if w = "a b" then "never" else "{w}{w}"}{if over then "}}" else "{{"}"
if joined = "x-006:left  |"
  print "equal {if count(own) = 0 then 0 else 1:2}"
"""
    assert output(script, "x") == "x-006:left  |xx{\nequal  0\n"


def test_texts_and_lists_have_a_length_and_members_that_are_counted_from_one() -> None:
    script = """
read words w
read 2 numbers n
let middle be w[2]
print "{length(w)} {w[1]} {w[length(w)]} {length(middle)}{middle[1]} {n} {n[2] + 1}"
print each x in w "{x}" joined by "/"
repeat x in n
  print "{sum(y in n, y * x)} {if 7 in n and not 8 in n and "bc" in w then "yes" else "no"}"
"""
    shown = output(script, "\n a bc \t é\n7\n\n-2")
    assert shown == "3 a é 2b 7 -2 -1\na/bc/é\n35 yes\n-10 yes\n"
    for at in (0, 3):
        text = failure(f'read words w\nprint "{{w[{at}]}}"', "a b")
        assert f"no member {at} of 2 in `w[{at}]`" in text


def test_several_names_are_read_one_after_the_other() -> None:
    script = """
read number a, b to 9
else
  print "{a} {word}"
read word c, d
read cell e, f
print "{c}{d} {e}{f}"
"""
    assert output(script, "4 x y\nz a1\nc2") == "4 x\nyz a1c2\n"


def test_a_list_is_what_stands_on_its_line() -> None:
    script = """
read number n
repeat n times
  read numbers a from 0
  else
    read line rest
    print "not {word}, then{rest}"
    next
  print "{length(a)}: {a}"
read cells c
print "{c} {count(c)}"
accept numbers
read numbers b
print "{b}"
"""
    given = "3\n1\n\n2 3\r\n4 -5 6\n\na1 c2 a1\nx 7 y 8 z\n9"
    assert output(script, given) == "1: 1\n2: 2 3\nnot -5, then 6\na1 c2 2\n7 8\n"


def test_a_cell_a_row_and_a_letter_come_from_words() -> None:
    script = """
repeat
  read word w
  let c be cell("{w}2")
  if c = no_cell
    print "{w}: {c} {number(w)} {letter(28)}"
  else
    print "{row(c)} {column(c)} {number(w)}"
"""
    assert output(script, "a B 7 ab") == "2 1 1\nB: none 2 ab\n7: none 7 ab\nab: none 28 ab\n"
    assert "`a1` is no number and no letters" in failure('print "{number("a1")}"')
    assert "no letters stand for 0" in failure('print "{letter(0)}"')


KEPT = """registers:
  stock: {type: number, from: 0, to: 9, start: 4, each: player}
  spot: {type: cell}
"""


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


def test_a_register_that_is_set_out_of_its_range_is_an_error_with_its_place() -> None:
    text = failure("set stock of left to 10", more=KEPT)
    assert "stock" in text
    assert f"script.yaml:{HEAD + 4}: `set stock of left to 10`" in text


def test_a_parameter_is_set_to_a_value_that_is_worked_out() -> None:
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


ROWS = "r: {type: integer, from: 1, to: 9, default: 2}"
COUNT = f"parameters: {{{ROWS}, c: {{type: integer, from: 2, to: 9, default: 3}}}}\n"


def run_with_size(script: str, given: str, board: str = "{rows: r, columns: c}") -> str:
    return sized(script, board)(given)


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


def test_members_and_moves_come_in_an_order_of_ones_own() -> None:
    script = """
play move "b1"
print each i in numbers(1 to 4) in order of i % 2, -i "{i}" joined by ">"
print each c in empty in order of column(c) "{c}" joined by " "
print moves in order of -column(to), -row(to) "{move}" joined by " "
print moves in order of move "{move}" joined by " "
read words w
print each x in w in order of length(x), x "{x}" joined by " "
repeat c in occupied or corners in order of -column(c), row(c) until column(c) = 1 separated by "/"
  print "{c}"
"""
    lines = [
        *("4>2>3>1", "a1 a2 b2 c1 c2", "c2 c1 b2 a2 a1", "a1 a2 b2 c1 c2", "a b bb aaa"),
        *("c1", "/", "c2", "/", "b1"),
    ]
    assert output(script, "b aaa bb a\n").splitlines() == lines


def test_lists_are_printed_without_a_line_end_too() -> None:
    script = """
prompt each c in rows(1 to 1) "{c}"
prompt "|"
prompt each c in nowhere "{c}"
prompt moves in order of -row(to) "{move}" joined by ","
print ""
prompt each p in players "<{p}>" joined by " "
"""
    assert output(script) == "a1b1c1|a2,b2,c2,a1,b1,c1\n<left> <right>"


def test_a_command_may_be_a_whole_line_of_words() -> None:
    script = """
repeat
  command line
    "put {c:word} {n:number}"
      print "{c},{n}"
    "put {rest:line}"
      print "?{rest}"
    "say{rest:line}"
      print "[{rest}]"
    else
      print "<{word}>"
"""
    given = "put a  7\n\n \t\r\nput a\nput a b 7\nsay \r\nsay  x  y\nput\nput a -1"
    shown = "a,7\n?a\n?a b 7\n[]\n[ x y]\n<put>\na,-1\n"
    assert output(script, given) == shown


def test_of_fields_side_by_side_the_first_takes_as_much_as_it_can() -> None:
    script = """
repeat
  command
    "{a:word}-{b:word}{n:number}{d:digit}"
      print "{a} {b} {n} {d}"
"""
    assert output(script, "p-q-xy-12 p-x123") == "p-q xy- 1 2\np x1 2 3\n"


def test_a_block_is_done_with_values_of_its_own() -> None:
    script = """
let n be 5
do show(2, "two")
block show(n, text)
  if n = 0
    leave
  repeat i from 1 to n
    if i = 2
      leave
    print "{text} {i}"
  let last be text
  if n = 9
    stop
  print board
do show(0, "none")
print "{n} {last}"
do again
do show(9, "nine")
print "never"
block again
  do show(count(own), "in {mover}")
"""
    board = "...\n...\n"
    assert output(script) == f"two 1\n{board}5 two\nnine 1\n"


def test_a_block_may_read_and_play_and_change_the_board() -> None:
    script = """
block turn(c)
  play move where to = c
  else
    print "{c} is taken"
    next
  print board
block size(k)
  set n to k
  print "{n}"
repeat 2 times
  do turn(a1)
  do turn(first(all))
do size(2)
do turn(last(all))
read cell c
do size(3)
at end
  do turn(b1)
read word w
"""
    shown = "x...\na1 is taken\na1 is taken\na1 is taken\n2\n.x\n3\n.x.\n"
    assert run_with_sizes(script, "a1") == shown
    with pytest.raises(SpecError, match="`c` was of the board before"):
        run_with_sizes(script.replace("read word w", 'print "{c}"'), "")


def test_a_block_that_is_never_done_is_told() -> None:
    source = Source("script.yaml", text_of("block idle(x)\n  print x"))
    assert [f.message for f in analyse(source).findings] == [
        "expected a text in quotation marks, found `x`"
    ]
    source = Source("script.yaml", text_of('block idle(x)\n  print "{x}"\nprint board'))
    found = [f for f in analyse(source).findings if f.code == "unused-name"]
    assert [f.message for f in found] == ["the block `idle` is never done"]
    assert output('block idle(x)\n  print "{x}"\nprint board') == "...\n...\n"


NEAREST = """strategies:
  nearest(c): [least abs(row(to) - row(c)) + abs(column(to) - column(c))]
  filling(want, first_row):
    - prefer after(count(own)) >= want
    - "prefer to in (if first_row then rows(1) else rows(2))"
    - rightmost
  greedy: [leftmost]
"""


def test_a_strategy_takes_values_that_were_read() -> None:
    script = """
read cell c
play move by nearest(c)
print "{move}"
choose best by nearest(last(all))
print "{best}"
play 2 moves by nearest(c2)
print board
play all moves by filling(length(best), over)
print "{move} {if over then "over" else "on"}"
play move by greedy
"""
    assert output(script, "b2", NEAREST) == "b2\nc2\n..x\n.xo\na1 over\n"


def test_the_values_of_a_strategy_are_worked_out_in_the_position_before() -> None:
    more = "strategies: {alike(n): [prefer after(count(occupied)) = n and to = b1, leftmost]}\n"
    script = 'play move by alike(count(occupied) + 1)\nprint "{move}"'
    assert output(script, more=more) == "b1\n"


def test_a_loop_that_prints_nothing_leaves_the_separator_of_the_loop_around_it() -> None:
    script = """
repeat i from 1 to 3 separated by "--"
  repeat k from 1 to 2 separated by "never"
    let sum be i + k
  print "{sum}"
  repeat k from 1 to 2 separated by "-"
    print "{k}"
"""
    once = "{}\n1\n-\n2\n"
    assert output(script) == "--\n".join(once.format(n) for n in (3, 4, 5))


READS = [
    ("read number x to 9", "7\n", "10\n"),
    ("read number x, y", "7 8\n", "7 x\n"),
    ("read numbers x from 0", "7 8\n", "7 -8\n"),
    ("read 2 numbers x", "7\n8\n", "7\nx\n"),
    ("read word x, y", "a b\n", ""),
    ("read words x", "a b\n", ""),
    ("read 2 words x", "a\nb\n", ""),
    ("read line x", "a b\n", ""),
    ("read cell x, y", "a1\nc2\n", "a1 d1\n"),
    ("read cells x", "a1 c2\n", "a1 d1\n"),
    ("read board", "x..\n...\n", "x..\n..\n"),
    ('read board with "x" left, " " empty', "x\n x\n", "x\n o\n"),
    ("read board by symbols", "x. .\n...\n", "x..?.."),
    ("read board to blank line", "x..\n...\n\n", "x..\n..\n\n"),
    ('read mover from "1" left, "2" right', "2\n", "3\n"),
    ("read parameter c", "3\n", "99\n"),
    ('command\n  "a{n:number}"\n    print "{n}"', "b a7\n", ""),
    ('command line\n  "a {n:number}"\n    print "{n}"', "\na  7\n", ""),
]


@pytest.mark.parametrize(("read", "good", "bad"), READS, ids=[read[0] for read in READS])
def sized(script: str, board: str = "{rows: r, columns: c}") -> Callable[[str], str]:
    """What the game of a script prints for an input."""
    game = load_source(Source("script.yaml", text_of(script, COUNT, board)))

    def printed(given: str) -> str:
        target = io.BytesIO()
        run(game, io.BytesIO(given.encode()), target)
        return target.getvalue().decode()

    return printed


@pytest.mark.parametrize(("read", "good", "bad"), READS, ids=[read[0] for read in READS])
def test_a_read_ends_with_the_input_and_fails_into_its_else(read: str, good: str, bad: str) -> None:
    printed = sized(f'print "start"\n{read}\nprint "done"')
    assert printed("") == "start\n"
    for end in (at + 1 for at, sign in enumerate(good) if sign.isspace()):
        shown = printed(good[:end]).splitlines()
        assert shown[:1] == ["start"]
        assert shown[1:] in ([], ["done"], ["7", "done"])
    assert shown[-1] == "done"
    if bad:
        with pytest.raises(InputError, match=r"\(line \d+.* of the input; left is to move"):
            printed(bad)
        caught = f'print "start"\n{read}\nelse\n  print "caught"\nprint "done"'
        assert sized(caught)(bad) == "start\ncaught\ndone\n"


class Idle(Interpreter):
    """An interpreter that evaluates what a script says, and refuses to do what an engine does."""

    def decide(self, state: State) -> Any:
        raise AssertionError("the interpreter is asked for the outcome")

    def possible(self, state: State, side: int) -> Any:
        raise AssertionError("the interpreter is asked for moves")

    def play(self, state: State, steps: Any, side: int) -> Any:
        raise AssertionError("the interpreter is asked to move")


PLAYED = """
read word w
play move w
play move where column(to) = 3
play move by greedy
print moves "{move}" joined by " "
play all moves by greedy
if over and drawn and winner != left
  print "{reason} {count(own)}"
"""


@pytest.mark.parametrize("engine", ["python", "native"])
def test_what_a_script_plays_is_played_by_the_engine_that_was_asked_for(engine: str) -> None:
    if engine == "native":
        pytest.importorskip("llvmlite")
    spec = load_source(Source("script.yaml", text_of(PLAYED, FLIPS)))
    game, target = Game(spec.rules, {}, engine, (), Idle(spec.program)), io.BytesIO()
    run(game, io.BytesIO(b"b2"), target)
    assert target.getvalue().decode() == output(PLAYED, "b2", FLIPS)
    assert target.getvalue().decode().endswith("none(empty) 3\n")
    assert set(game.engines().values()) == {engine}


def test_the_command_runs_a_script_by_the_engine_that_it_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []
    monkeypatch.setattr(running, "run_script", lambda game, *streams: asked.append(game.engine))
    for engine in ("interpreter", "python", "auto"):
        assert call("run", "tic-tac-toe", "--engine", engine).code == 0
    assert asked == ["interpreter", "python", "auto"]


@pytest.mark.parametrize("name", ["hex-pie", "three-player-tic-tac-toe", "reversi"])
def test_the_outcome_of_a_script_is_that_of_the_rules(name: str) -> None:
    game, draw = rulesengine.load(name, engine="interpreter"), random.Random(5)
    view, decided = View(game), 0
    for _ in range(3):
        state = game.initial_state()
        while (found := game.machine.decide(state)) is None:
            assert view.decide(state) is None
            moves = game.legal_moves(state)
            swap = [move for move in moves if move.text == "swap"]
            state = game.apply(state, swap[0] if swap else draw.choice(moves))
        told = view.decide(state)
        assert told
        assert told[:2] == found[:2]
        decided += 1
    assert decided == 3
