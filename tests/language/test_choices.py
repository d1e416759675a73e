"""Moves with a choice, moves that `keep` retains, and chains of preferences."""

from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.support.source import Source

BASE = """
spec: 1
name: Choice
board: {rows: 1, columns: 7}
players: [white, black]
pieces:
  man: {white: o, black: x}
  king: {white: O, black: X}
  wall: {neutral: "#"}
  empty: "."
"""


def game(rules: str) -> Game:
    return load_source(Source("choice.yaml", BASE + rules))


def moves(game: Game, board: str) -> list[str]:
    return [str(m) for m in game.legal_moves(game.state_from(board))]


def test_each_cell_comes_with_each_choice_in_the_order_written() -> None:
    choosing = game("rules: {moves: {place: choice, to: a1 or b1, choice: [wall, man]}}\n")
    state = choosing.initial_state()
    assert moves(choosing, ".......") == ["a1=wall", "a1=man", "b1=wall", "b1=man"]
    after = choosing.apply(state, choosing.move("b1=wall", state))
    assert str(after).splitlines()[0] == ".#....."
    after = choosing.apply(after, choosing.move("a1=man", after))
    assert str(after).splitlines()[0] == "x#....."


def test_a_choice_of_numbers_is_read_in_effects() -> None:
    taking = game(
        "registers: {heap: {type: number, from: 0, to: 9, start: 5}}\n"
        "rules: {moves: {select: a1, choice: [1, 2, 3], when: choice <= heap,"
        " do: set heap to heap - choice},"
        " end: {when: heap = 0, result: player wins}}\n"
    )
    state = taking.initial_state()
    for text in ("a1=3", "a1=1", "a1=1"):
        assert text in [str(m) for m in taking.legal_moves(state)]
        state = taking.apply(state, taking.move(text, state))
    outcome = taking.outcome(state)
    assert outcome is not None
    assert outcome.winner == "white"


JUMPS = """
rules:
  moves:
    - name: jump
      move: own
      along: orthogonal
      to: shift(shift(from, direction) and enemy, direction) and empty
      do: remove shift(from, direction)
      then: {step: jump, from: to}
"""


def test_keep_leaves_the_moves_that_take_most() -> None:
    assert moves(game(JUMPS), "ox.x.x.") == ["a1xc1xe1xg1"]
    assert moves(game(JUMPS), ".xox.x.") == ["c1xe1xg1", "c1xa1"]
    keep = JUMPS + "  keep: most count(captured)\n"
    assert moves(game(keep), ".xox.x.") == ["c1xe1xg1"]


def test_the_second_preference_counts_only_where_the_first_holds_for_no_move() -> None:
    rules = "rules: {moves: {place: man, to: empty}}\nstrategies:\n  s:\n"
    both = game(rules + "    - prefer to = f1 or to = b1 else to = f1\n    - leftmost\n")
    assert str(both.choose("s", both.initial_state())) == "b1"
    rules = rules.replace("strategies", "define: {none_such: nowhere}\nstrategies")
    second = game(rules + "    - prefer to in none_such else to = f1\n    - leftmost\n")
    assert str(second.choose("s", second.initial_state())) == "f1"


def test_keep_asks_nothing_more_of_the_last_move_that_is_left() -> None:
    # The least of no cells would be an error.
    choosing = game(
        "rules:\n  moves: {place: man, to: empty}\n"
        "  keep:\n    - least column(to)\n    - most least(c in nowhere, column(c))\n"
    )
    assert moves(choosing, "..x....") == ["a1"]
