"""Statements that take moves back and replay them."""

from tests.helpers.script_runs import failure, output


def test_moves_are_taken_back_with_the_names_of_the_last_move() -> None:
    script = """
play move "a1"
play move "b1"
play move "c1"
take back 2 moves
print "{move} {to} {mover} {count(occupied)}"
take back all moves
print "{move}{count(occupied)}"
"""
    assert output(script) == "a1 a1 right 1\n0\n"


def test_moves_that_were_taken_back_are_replayed_from_the_earliest_on() -> None:
    script = """
play move "a1"
play move "b1"
play move "c1"
take back all moves
replay 1 moves
print "{move} {mover}"
replay all moves
print "{move} {mover} {count(occupied)}"
"""
    assert output(script) == "a1 right\nc1 right 3\n"


def test_another_move_drops_those_that_were_taken_back() -> None:
    script = """
play move "a1"
play move "b1"
take back 1 moves
play move "c1"
replay 1 moves
else
  print "none of {count(occupied)}"
"""
    assert output(script) == "none of 2\n"


def test_more_moves_than_there_are_cannot_be_taken_back_or_replayed() -> None:
    assert "1 move can be taken back, not 2" in failure('play move "a1"\ntake back 2 moves')
    assert "0 moves can be replayed, not 1" in failure('play move "a1"\nreplay 1 moves')
    assert "0 moves can be taken back, not -1" in failure("take back 0 - 1 moves")


def test_a_forfeit_is_taken_back_with_no_move() -> None:
    script = """
play move "a1"
forfeit
take back 0 moves
play move "b1"
print "{over}"
"""
    script = script.replace("{over}", '{if over then "over" else "on"}')
    assert output(script) == "on\n"


def test_an_effect_and_a_new_game_begin_without_moves_to_take_back() -> None:
    assert "0 moves can be taken back" in failure('play move "a1"\nstart anew\ntake back 1 moves')
    text = 'play move "a1"\nremove a1\ntake back 1 moves'
    assert "0 moves can be taken back" in failure(text)


def test_one_move_is_written_in_the_singular() -> None:
    script = """
play 1 move by rightmost_first
play 2 moves by rightmost_first
print "{move}"
take back 1 move
print "{move}"
replay 1 move
print "{move}"
"""
    more = "strategies: {rightmost_first: [rightmost, lowest]}\n"
    assert output(script, more=more) == "b2\nc1\nb2\n"
