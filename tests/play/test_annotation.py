"""`annotate` and `puzzles`: values of the moves played, and positions with one solution."""

from itertools import islice
from pathlib import Path

import pytest

import rulesengine
from rulesengine.play import annotated, puzzles
from tests.helpers.cli_calls import call

RECORD = """\
rulesengine record 1
game: Tic-tac-toe
spec: tic-tac-toe
rules: {hash}
set m=3
set n=3
set k=3
player cross=human
player nought=human
seed: 0
moves:
{moves}
result: cross wins, a line
"""


@pytest.mark.slow
def test_a_move_that_throws_away_a_draw_is_marked() -> None:
    """Check the known result after a1: only b2 draws, and b1 loses."""
    game = rulesengine.load("tic-tac-toe")
    states, moves = [game.initial_state()], []
    for text in ("a1", "b1", "a2", "a3", "b2", "c2", "c3"):
        moves.append(game.move(text, states[-1]))
        states.append(game.apply(states[-1], moves[-1]))
    notes = list(annotated(game, states, moves, 20_000))
    assert [note.ply for note in notes if note.turns] == [2]
    assert str(notes[1].best) == "b2"
    assert (str(notes[1].before), notes[1].after.number < 0) == ("draw", True)


@pytest.mark.slow
def test_annotate_prints_a_line_for_each_move(tmp_path: Path) -> None:
    game = rulesengine.load("tic-tac-toe")
    from rulesengine.play import rules_hash

    file = tmp_path / "game.txt"
    moves = "a1 b1 a2 b2 a3"
    file.write_text(RECORD.format(hash=rules_hash(game), moves=moves), encoding="utf-8")
    done = call("annotate", str(file))
    lines = done.out.splitlines()
    assert done.code == 0
    assert len(lines) == 5
    assert lines[1].startswith("2. nought b1 ?: loss in ")
    assert lines[4] == "5. cross a3: won"
    notes = call("annotate", str(file), "--json").json()["notes"]
    assert [note["move"] for note in notes] == moves.split()


@pytest.mark.slow
def test_a_puzzle_has_one_winning_move_and_no_other() -> None:
    game = rulesengine.load("tic-tac-toe")
    for puzzle in islice(puzzles(game, 3, 20_000, 3), 2):
        mover, solved = puzzle.state.mover, puzzle.solved
        wins = []
        for move in game.legal_moves(puzzle.state):
            after = game.apply(puzzle.state, move)
            outcome = game.outcome(after)
            value = None if outcome else game.solve(after).value
            wins += [move] if value == "loss" or (outcome and outcome.winner == mover) else []
        assert wins == [solved.move]
        assert solved.distance is not None
        assert solved.distance >= 3


@pytest.mark.slow
def test_puzzles_are_printed_with_their_answers() -> None:
    done = call("puzzles", "tic-tac-toe", "--seed", "3", "--json")
    (puzzle,) = done.json()["puzzles"]
    assert done.code == 0
    assert puzzle["line"][0] == puzzle["move"]
    shown = call("puzzles", "tic-tac-toe", "--seed", "3").out
    assert f"{puzzle['mover']} wins by: {puzzle['move']}" in shown


def test_no_estimate_of_a_move_exceeds_that_of_a_better_one() -> None:
    game = rulesengine.load("chess")
    states, moves = [game.initial_state()], []
    for text in "e4 e5 Bc4 Nc6 Qh5 Nf6".split():
        moves.append(game.move(text, states[-1]))
        states.append(game.apply(states[-1], moves[-1]))
    notes = list(annotated(game, states, moves, 100))
    assert len(notes) == len(moves)
    for note in notes:
        is_less = note.after.number < note.before.number
        assert note.best == note.move or note.after.unit != "estimate" or is_less, note
