"""Statements of I/O scripts, each by its input and output."""

import io
import random
import time
from collections.abc import Mapping
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.interpreter import Interpreter
from rulesengine.errors import EvaluationError, InputError
from rulesengine.loading import load_source
from rulesengine.script import run, runner
from rulesengine.script.game_view import GameView
from rulesengine.support.source import Source
from rulesengine.tools.explain.tables import statements
from tests.helpers.cli_calls import call
from tests.helpers.script_runs import BASE, FLIPS, output, run_with_sizes, text_of


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


def test_choose_selects_a_move_without_playing_it() -> None:
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
    with pytest.raises(InputError, match="unexpected `oo`"):
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

    def _with_values(self, values: Mapping[str, int | str]) -> Game:
        self.lowered += 1
        return super()._with_values(values)


def test_parameters_that_were_read_before_make_no_new_game() -> None:
    script = "repeat\n  read parameter n\n  let c be count(all)\n  print board\n"
    more = "parameters: {n: {type: integer, from: 1, to: 9, default: 4}}\n"
    spec = load_source(Source("script.yaml", text_of(script, more, "{rows: 1, columns: n}")))
    game, target = Counting(spec.rules, spec.parameters), io.BytesIO()
    run(game, io.BytesIO(b"2 3 2 4 3 2"), target)
    assert target.getvalue() == b"..\n...\n..\n....\n...\n..\n"
    assert game.lowered == 2


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


def test_the_values_of_a_strategy_are_computed_in_the_position_before() -> None:
    more = "strategies: {alike(n): [prefer after(count(occupied)) = n and to = b1, leftmost]}\n"
    script = 'play move by alike(count(occupied) + 1)\nprint "{move}"'
    assert output(script, more=more) == "b1\n"


class Idle(Interpreter):
    """An interpreter that evaluates scripts only, and rejects the work of an engine."""

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


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["python", "native"])
def test_script_plays_on_the_selected_engine(engine: str) -> None:
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
    engines = []
    monkeypatch.setattr(
        "rulesengine.script.run", lambda game, *_, **__: engines.append(game.engine)
    )
    for engine in ("interpreter", "python", "auto"):
        assert call("run", "tic-tac-toe", "--engine", engine).code == 0
    assert engines == ["interpreter", "python", "auto"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hex-pie", "three-player-tic-tac-toe", "reversi"])
def test_the_outcome_of_a_script_is_that_of_the_rules(name: str) -> None:
    game, draw = rulesengine.load(name, engine="interpreter"), random.Random(5)
    view, decided = GameView(game), 0
    for _ in range(3):
        state = game.initial_state()
        while (found := game.machine.decide(state)) is None:
            assert view.decide(state) is None
            moves = game.legal_moves(state)
            swap = [move for move in moves if move.text == "swap"]
            state = game.apply(state, swap[0] if swap else draw.choice(moves))
        decision = view.decide(state)
        assert decision
        assert decision[:2] == found[:2]
        decided += 1
    assert decided == 3


class Waiting:
    """An input that delivers each word some time after the request."""

    def __init__(self, *words: str) -> None:
        self.words, self.arrived = [*words], list[float]()

    def read(self, size: int, /) -> bytes:
        time.sleep(0.01)
        self.arrived.append(time.monotonic())
        return self.words.pop(0).encode() + b"\n" if self.words else b""


def test_seconds_of_thought_count_from_when_one_could_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Count thinking time from program start, the last choice, or a word that arrived late."""
    since, starts, plain = list[float](), list[float](), Game.choose

    def choose(self: Game, strategy: str, state: State, **given: float) -> rulesengine.Move | None:
        since.append(given["since"])
        starts.append(time.monotonic())
        return plain(self, strategy, state)

    monkeypatch.setattr(Game, "choose", choose)
    game = load_source(
        Source(
            "script.yaml",
            text_of("play 2 moves by greedy\nread word w\nplay move by greedy", FLIPS),
        )
    )
    source, begun = Waiting("x"), time.monotonic()
    run(game, source, io.BytesIO(), age=5.0)
    assert begun <= since[0] + 5 <= starts[0]
    assert begun < since[1] < source.arrived[0] <= since[2]


# Statements with blocks or without an effect of their own, and `set`, which sets a parameter or is
# an effect.
CONTROL = {
    *("if", "else_if", "else", "repeat", "repeat_from", "repeat_in", "block", "do"),
    *("command", "command_of_line", "case", "at_end", "stop", "leave", "next", "set"),
}


def test_every_statement_of_the_grammar_has_a_function() -> None:
    names = {name for name, _ in statements()}
    assert names >= CONTROL
    assert runner.STATEMENTS.keys() == names - CONTROL | {"set_parameter", "append", "put_symbols"}
