"""Annotation and puzzles for one player: values in points, several best moves."""

from itertools import islice, pairwise

import pytest

import rulesengine
from rulesengine import Game, Move, State
from rulesengine.play import annotated, puzzles, result_text
from rulesengine.search.searches import Value
from tests.helpers.lone_specs import game_of, pegs_of, sokoban_of
from tests.oracles.plain_alone import fewest_steps, most_jumps

LEVEL = ("#######", "#@ $. #", "#  $. #", "#     #", "#######")


def played(game: Game, moves: str) -> tuple[list[State], list[Move]]:
    """Return the states and the moves of a game."""
    states, line = [game.initial_state()], list[Move]()
    for text in moves.split():
        line.append(game.move(text, states[-1]))
        states.append(game.apply(states[-1], line[-1]))
    return states, line


def jumps_from(game: Game, state: State) -> int:
    """Return the jumps so far and the most that can follow, by brute force."""
    cells = [(ord(cell[0]) - ord("a"), int(cell[1]) - 1) for cell in state.form.cells]
    pegs = [at for at, name in zip(cells, state.form.cells, strict=True) if state.piece_at(name)]
    return len(cells) - 1 - len(pegs) + most_jumps(cells, pegs)


def test_notes_of_one_player_have_the_points_that_a_move_loses() -> None:
    game = pegs_of(("....", "....", "....", "...."), "b2")
    state, line = game.initial_state(), list[str]()
    while moves := game.legal_moves(state):
        line.append(str(moves[-1]))
        state = game.apply(state, moves[-1])
    states, moves_played = played(game, " ".join(line))
    lost = 0
    notes = annotated(game, states, moves_played, 5000)
    for note, (before, after) in zip(notes, pairwise(states), strict=True):
        best, reached = jumps_from(game, before), jumps_from(game, after)
        assert (note.before, note.after) == (Value(best, "payoff"), Value(reached, "payoff"))
        assert note.loss == (Value(best - reached, "payoff") if reached < best else None)
        assert note.turns is (reached < best)
        assert (note.move == note.best) is (reached == best)
        lost += best - reached
    assert lost == 13 - len(line) > 0


def test_notes_of_a_puzzle_count_the_plies_to_the_win() -> None:
    game = sokoban_of(LEVEL)
    fewest = fewest_steps(LEVEL)
    assert fewest == 5
    states, moves = played(game, "a3-a2 a2-a3 a3-b3 b3xc3 c3-b3 b3-b2 b2xc2")
    notes = list(annotated(game, states, moves, 5000))
    plies = [str(note.before) for note in notes]
    assert plies == [f"win in {left}" for left in (5, 5, 5, 4, 3, 2, 1)]
    assert [note.move == note.best for note in notes] == [False, False, *[True] * 5]
    assert str(notes[-1].after) == "won"


@pytest.mark.parametrize("opening", ["a1", "b1", "b2"])
def test_every_move_with_the_best_value_is_a_best_move(opening: str) -> None:
    # All nine openings of tic-tac-toe are draws.
    game = rulesengine.load("tic-tac-toe")
    states, moves = played(game, opening)
    (note,) = annotated(game, states, moves, 100_000)
    assert note.best == note.move
    assert note.loss is None


def test_a_search_with_ties_reports_all_best_moves() -> None:
    game = rulesengine.load("tic-tac-toe")
    assert len(game.search(nodes=100_000, ties=True).best) == 9
    assert len(game.search(nodes=100_000).best) == 1


def test_a_puzzle_of_one_player_has_one_move_to_the_greatest_payoff() -> None:
    game = pegs_of(("....", "....", "....", "...."), "b2")
    for puzzle in islice(puzzles(game, 1, 5000, 2), 2):
        best = jumps_from(game, puzzle.state)
        assert puzzle.solved.score == best
        after = [game.apply(puzzle.state, move) for move in game.legal_moves(puzzle.state)]
        assert sum(jumps_from(game, state) == best for state in after) == 1
        assert len(puzzle.solved.line) >= 2


def test_a_puzzle_of_one_player_without_points_has_one_winning_move() -> None:
    game = sokoban_of(LEVEL)
    for puzzle in islice(puzzles(game, 1, 2000, 2), 2):
        assert puzzle.solved.value == "win"
        after = [game.apply(puzzle.state, move) for move in game.legal_moves(puzzle.state)]
        wins = [
            game.outcome(state) is not None or game.solve(state).value == "win" for state in after
        ]
        assert sum(wins) == 1


def test_the_terminal_prints_the_points_of_one_player() -> None:
    game = pegs_of(("....",), "a1")
    outcome = game.outcome(
        game.apply(game.initial_state(), game.legal_moves(game.initial_state())[0])
    )
    assert outcome is not None
    assert result_text(game, outcome) == "solver gets 1 point: no peg can jump"


@pytest.mark.parametrize(("result", "text"), [("wins", "solver wins"), ("loses", "solver loses")])
def test_the_terminal_prints_a_win_or_a_loss_of_one_player(result: str, text: str) -> None:
    game = game_of(
        f"""
spec: 1
name: One stone
board: {{rows: 1, columns: 1}}
players: [solver]
pieces: {{stone: {{solver: o}}, empty: "."}}
rules:
  moves: {{place: stone, to: empty}}
  end: {{when: none(empty), result: player {result}, reason: full}}
"""
    )
    outcome = game.outcome(game.apply(game.initial_state(), "a1"))
    assert outcome is not None
    assert result_text(game, outcome) == f"{text}: full"
    assert outcome.payoffs == {"solver": 1 if result == "wins" else -1}
