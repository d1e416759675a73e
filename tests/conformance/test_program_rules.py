"""The rules and strategies of the four programs, ply by ply against hand-written ones."""

import random

import pytest

import rulesengine
from tests.oracles import acm92, aps105, bio04, bio97


def drawn(state: rulesengine.State, rows: int) -> list[str]:
    return str(state).split("\n")[:rows]


def square_name(x: int, y: int) -> str:
    """Return column letter and row number from the bottom left; y counts from the top of 8 rows."""
    return f"{'abcdefgh'[x]}{8 - y}"


def compare_bio97(game: rulesengine.Game, seed: int, plies: int) -> None:
    """Play one random game from a random centre and compare both strategies at every ply."""
    chance = random.Random(seed)
    centre = ["".join(chance.choices(".0*", k=4)) for _ in range(4)]
    board = bio97.new_board(centre if any(set(row) - {"."} for row in centre) else ["*000"] * 4)
    state = game.state_from("\n".join([*bio97.show(board), "mover: white"]))
    mover = bio97.WHITE
    for _ in range(plies):
        squares = bio97.legal_squares(board)
        assert {str(move) for move in game.legal_moves(state)} == {
            square_name(x, y) for x, y in squares
        }
        for strategy in (1, 2):
            chosen = game.choose(str(strategy), state)
            assert str(chosen) == square_name(*bio97.choose(board, mover, strategy))
        x, y = chance.choice(squares)
        bio97.play(board, mover, (x, y))
        state = game.apply(state, game.move(square_name(x, y), state))
        mover = bio97.opponent(mover)
        assert drawn(state, 8) == bio97.show(board)
        assert (game.outcome(state) is not None) == bio97.is_full(board)
        if bio97.is_full(board):
            break
    compare_bio97_result(game, state, board)


def compare_bio97_result(
    game: rulesengine.Game, state: rulesengine.State, board: bio97.Board
) -> None:
    outcome = game.outcome(state)
    if not bio97.is_full(board):
        assert outcome is None
        return
    assert outcome is not None
    white, black = bio97.count(board, bio97.WHITE), bio97.count(board, bio97.BLACK)
    assert outcome.scores == {"white": white, "black": black}
    assert outcome.winner == ("white" if white > black else "black" if black > white else None)


@pytest.mark.slow
def test_bio97_rules_and_strategies_agree_at_every_ply_of_short_random_games() -> None:
    game = rulesengine.load("bio97-othello")
    for seed in range(5):
        compare_bio97(game, seed, 6)


@pytest.mark.slow
def test_bio97_rules_and_strategies_agree_at_every_ply_of_whole_random_games() -> None:
    game = rulesengine.load("bio97-othello")
    for seed in range(100, 115):
        compare_bio97(game, seed, 64)


def test_bio97_turns_nineteen_pieces_on_the_board_of_question_2b() -> None:
    rows = "...*...* *..0..0. .0.0.0.. ..000... *00.000* ..000... .0.0.0.. *..*..*.".split()
    game = rulesengine.load("bio97-othello")
    state = game.state_from("\n".join([*rows, "mover: black"]))
    after = drawn(game.apply(state, game.move("d4", state)), 8)
    before = "".join(rows)
    assert "".join(after).count("*") == before.count("*") + 1 + 19
    assert "".join(after).count("0") == before.count("0") - 19


@pytest.mark.slow
def test_acm92_rules_agree_at_every_ply_of_random_games() -> None:
    game = rulesengine.load("acm92-othello")
    for seed in range(15):
        chance = random.Random(seed)
        board, mover = acm92.new_board(), acm92.WHITE
        state = game.initial_state()
        while acm92.legal_squares(board, "B") or acm92.legal_squares(board, "W"):
            squares = acm92.legal_squares(board, mover)
            texts = {f"{'abcdefgh'[column]}{row + 1}": (row, column) for row, column in squares}
            assert {str(move) for move in game.legal_moves(state)} == (set(texts) or {"pass"})
            text = chance.choice(sorted(texts)) if texts else "pass"
            state = game.apply(state, game.move(text, state))
            if texts:
                acm92.play(board, mover, texts[text])
            mover = acm92.opponent(mover)
            assert drawn(state, 8) == ["".join(row) for row in board]
        outcome = game.outcome(state)
        assert outcome is not None
        counts = {"white": acm92.count(board, "W"), "black": acm92.count(board, "B")}
        assert outcome.scores == counts


@pytest.mark.slow
@pytest.mark.parametrize("n", [4, 6, pytest.param(8, marks=pytest.mark.slow)])
def test_aps105_rules_and_strategy_agree_at_every_ply_of_random_games(n: int) -> None:
    game = rulesengine.load("aps105-reversi", n=n)
    for seed in range(5):
        compare_aps105(game, n, seed)


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 26])
def test_aps105_agrees_on_boards_of_more_than_64_cells(n: int) -> None:
    compare_aps105(rulesengine.load("aps105-reversi", n=n), n, 1, plies=40)


def compare_aps105(game: rulesengine.Game, n: int, seed: int, plies: int = 1000) -> None:
    chance = random.Random(seed)
    board, mover = aps105.new_board(n), "B"
    state = game.initial_state()
    for _ in range(plies):
        names = [aps105.name(square) for square in aps105.candidates(board, mover)]
        over = not names and not aps105.candidates(board, aps105.other(mover))
        assert (game.outcome(state) is not None) == over
        if over:
            break
        assert [str(move) for move in game.legal_moves(state)] == (names or ["pass"])
        text = "pass"
        if names:
            best = aps105.name(aps105.choose(board, mover))
            assert str(game.choose("greedy", state)) == best
            square = chance.choice(aps105.candidates(board, mover))
            text = aps105.name(square)
            aps105.play(board, mover, square)
        state = game.apply(state, game.move(text, state))
        mover = aps105.other(mover)
        assert "".join(str(state).split("mover")[0].split()) == "".join(map("".join, board))


@pytest.mark.slow
def test_bio04_rules_and_strategy_agree_at_every_ply_of_random_games() -> None:
    game = rulesengine.load("bio04-four-in-a-line")
    for seed in range(40):
        chance = random.Random(seed)
        columns: bio04.Columns = [[] for _ in range(7)]
        state = game.initial_state()
        for ply in range(42):
            if game.outcome(state):
                break
            allowed = bio04.open_columns(columns)
            names = {f"{'abcdefg'[x]}{len(columns[x]) + 1}": x for x in allowed}
            assert {str(move) for move in game.legal_moves(state)} == set(names)
            chosen = game.choose("simple", state)
            assert names[str(chosen)] == bio04.choose(columns, ply % 2)
            text = chance.choice(sorted(names))
            columns[names[text]].append(bio04.PIECES[ply % 2])
            state = game.apply(state, game.move(text, state))
            assert drawn(state, 6) == bio04.show(columns)
            assert_bio04_outcome(game.outcome(state), columns, ply % 2)


def assert_bio04_outcome(
    outcome: rulesengine.Outcome | None, columns: bio04.Columns, player: int
) -> None:
    if bio04.has_line(columns, bio04.PIECES[player]):
        assert outcome is not None
        assert outcome.winner == ("first", "second")[player]
    elif bio04.is_full(columns):
        assert outcome is not None
        assert outcome.winner is None
    else:
        assert outcome is None
