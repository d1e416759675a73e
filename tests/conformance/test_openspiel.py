"""Five games against OpenSpiel: legal moves, boards and results of seeded random games."""

import itertools
import re

import pyspiel
import pytest

import rulesengine
from tests.oracles import openspiel
from tests.oracles.openspiel import GAMES, Ply, Result, random_game

# The boards of the rules, drawn by hand.
STARTS = {
    "othello": "......../......../......../...o*.../...*o.../......../......../........",
    "connect-four": "/".join(["." * 7] * 6),
    "tic-tac-toe": ".../.../...",
    "hex": "/".join(["." * 11] * 11),
    "breakthrough": "BBBBBBBB/BBBBBBBB/......../......../......../......../WWWWWWWW/WWWWWWWW",
}
BOTTOM_LEFT = ("connect-four", "tic-tac-toe", "breakthrough")


def cell_of(board: tuple[str, ...], name: str, text: str) -> str:
    """Return the symbol on a cell of a drawn board, by its name in our notation."""
    column, row = "abcdefghijk".index(text[0]), int(text[1:])
    return board[len(board) - row if name in BOTTOM_LEFT else row - 1][column]


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_starts_from_the_board_that_we_draw(name: str) -> None:
    first = next(random_game(name, 0))
    assert "/".join(first.board) == STARTS[name]


@pytest.mark.parametrize("name", GAMES)
def test_each_move_of_openspiel_puts_a_piece_of_its_player_on_the_cell_it_names(name: str) -> None:
    for seed in range(20):
        plies = list(random_game(name, seed))
        first = plies[0]
        assert isinstance(first, Ply)
        own: dict[str, str] = {}
        for before, after in itertools.pairwise(plies):
            assert isinstance(before, Ply)
            if before.played == "pass":
                assert before.board == after.board
                continue
            cells = re.findall(r"[a-k][0-9]+", before.played)
            if len(cells) == 2:
                assert cell_of(after.board, name, cells[0]) == "."
            symbol = cell_of(after.board, name, cells[-1])
            assert own.setdefault(before.mover, symbol) == symbol
            taken = cell_of(before.board, name, cells[-1])
            assert (taken != ".") == ("x" in before.played)
        assert len(set(own.values())) == 2


def test_the_first_player_of_openspiels_hex_joins_top_and_bottom() -> None:
    state = pyspiel.load_game("hex(board_size=11)").new_initial_state()
    for row in range(11):
        assert not state.is_terminal()
        state.apply_action(row * 11)  # a1, a2, and so on down the left column
        if row < 10:
            state.apply_action(row * 11 + 5)
    assert state.is_terminal()
    assert state.returns() == [1.0, -1.0]


def test_random_games_are_the_same_whenever_they_are_replayed() -> None:
    assert list(random_game("othello", 5)) == list(random_game("othello", 5))
    assert list(random_game("othello", 5)) != list(random_game("othello", 6))


@pytest.mark.slow
def test_the_random_games_hold_passes_captures_draws_and_wins_of_both_sides() -> None:
    ends = {(name, results(name, seed)) for name in GAMES for seed in range(60)}
    for name in GAMES:
        assert {(name, player) for player in GAMES[name].players} <= ends
    assert {("othello", None), ("tic-tac-toe", None)} <= ends
    played = [ply.played for seed in range(20) for ply in plies_of("othello", seed)]
    assert "pass" in played
    assert any("x" in ply.played for ply in plies_of("breakthrough", 0))


def results(name: str, seed: int) -> str | None:
    *_, last = random_game(name, seed)
    assert isinstance(last, Result)
    return last.winner


def plies_of(name: str, seed: int) -> list[Ply]:
    return [ply for ply in random_game(name, seed) if isinstance(ply, Ply)]


def drawn(state: rulesengine.State, rows: int) -> tuple[str, ...]:
    """Return the lines of a state's board, without blanks between or before cells."""
    return tuple(line.replace(" ", "") for line in str(state).split("\n")[:rows])


def replay(game: rulesengine.Game, name: str, seed: int) -> None:
    """Replay one game of OpenSpiel in ours and compare at every ply."""
    state = game.initial_state()
    for ply in random_game(name, seed):
        assert drawn(state, len(ply.board)) == ply.board
        outcome = game.outcome(state)
        if isinstance(ply, Result):
            assert outcome is not None
            assert outcome.winner == ply.winner
            assert list(game.legal_moves(state)) == []
            return
        assert outcome is None
        assert state.mover == ply.mover
        assert {str(move) for move in game.legal_moves(state)} == ply.legal
        state = game.apply(state, game.move(ply.played, state))


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_random_games_agree_with_openspiel_at_every_ply(name: str) -> None:
    game = rulesengine.load(name)
    for seed in range(20):
        replay(game, name, seed)


@pytest.mark.deep
@pytest.mark.parametrize("name", GAMES)
def test_two_hundred_random_games_agree_with_openspiel_at_every_ply(name: str) -> None:
    game = rulesengine.load(name)
    for seed in range(200):
        replay(game, name, seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_few_random_games_agree_with_openspiel_at_every_ply(name: str) -> None:
    game = rulesengine.load(name)
    for seed in range(1000, 1003):
        replay(game, name, seed)


def test_every_game_of_the_table_has_a_start_drawn_by_hand() -> None:
    assert set(STARTS) == set(openspiel.GAMES)
