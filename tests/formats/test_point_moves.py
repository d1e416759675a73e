"""Backgammon notation: points counted by the mover, worked out by hand."""

import random

import pytest

from rulesengine import Game, NotationError, State, UsageError, load


@pytest.fixture(scope="module")
def game() -> Game:
    return load("backgammon", engine="interpreter")


def thrown(game: Game, dice: str) -> State:
    return game.apply(game.initial_state(), dice)


def placed(
    game: Game, dice: tuple[int, int], white: dict[str, int], black: dict[str, int]
) -> State:
    """Return a position with white to move; all other white men are off, the black ones on p1."""
    cells = game.program.form.cells
    men = {**white, "wo": 15 - sum(white.values()), **black}
    men |= {"bo": 15 - sum(black.values())}
    signs = ["o" if c in white or c == "wo" else "x" if men.get(c) else "." for c in cells]
    signs = [sign if men.get(cell) else "." for sign, cell in zip(signs, cells, strict=True)]
    counts = [str(men.get(cell, 0)) for cell in cells]
    half = len(cells) // 2
    return game.state_from(
        f"{''.join(signs[:half])}\n{''.join(signs[half:])}\nmover: white\nplies: 9\n"
        f"men: {' '.join(counts[:half])} / {' '.join(counts[half:])}\n"
        f"one: {dice[0]}\ntwo: {dice[1]}\n"
    )


@pytest.mark.parametrize(
    ("dice", "text", "move"),
    [
        # White moves down from p24: its points have the numbers of the cells.
        ("3-1", "8/5 6/5", "p8/3,p6/1"),
        ("3-1", "6/5 8/5", "p8/3,p6/1"),
        ("3-1", "31: 8/5 6/5", "p8/3,p6/1"),
        ("4-3", "13/10 8/4", "p13/3,p8/4"),
        ("6-5", "24/13", "p24/6,p18/5"),
        ("6-5", "24/18/13", "p24/6,p18/5"),
        # Black begins with the greater second die; its point n is the cell p(25 - n).
        ("1-3", "8/5 6/5", "p17/3,p19/1"),
        ("5-6", "24/13", "p1/6,p7/5"),
    ],
)
def test_moves_are_read_by_the_points_of_the_mover(
    game: Game, dice: str, text: str, move: str
) -> None:
    state = thrown(game, dice)
    found = game.move(text, state)
    assert game.apply(state, found) == game.apply(state, game.move(move, state))


@pytest.mark.parametrize("text", ["13/11 8/4", "bar/22", "6/off", "25/1", "13/", "8/5(9)", "a/b"])
def test_other_texts_name_no_legal_move(game: Game, text: str) -> None:
    state = thrown(game, "3-1")
    assert game.find(text, state) is None
    with pytest.raises(NotationError, match="names no move"):
        game.move(text, state)


def test_men_enter_from_the_bar_hit_and_leave_the_board(game: Game) -> None:
    state = placed(game, (3, 2), {"wb": 1, "p6": 2}, {"p22": 1, "p12": 2})
    move = game.move("bar/22* 6/4", state)
    assert str(move) == "wb/3,p6/2"
    assert game.move_text(move, state, "points") == "bar/22* 6/4"
    home = placed(game, (6, 4), {"p6": 1, "p4": 1}, {"p12": 2})
    move = game.move("6/off 4/off", home)
    assert game.outcome(game.apply(home, move)) is not None
    assert game.move_text(move, home, "points") in ("6/off 4/off", "4/off 6/off")


def test_two_men_may_be_written_as_one_word(game: Game) -> None:
    state = game.apply(game.apply(thrown(game, "3-1"), "8/5 6/5"), "2-2")
    assert str(state.mover) == "black"
    move = game.move("13/11(2)", state)
    assert str(move) == "p12/2,p12/2"


def test_a_text_that_hits_on_one_of_two_ways_is_refused_unless_it_names_the_way(
    game: Game,
) -> None:
    state = placed(game, (3, 1), {"p10": 1, "p13": 1}, {"p9": 1, "p24": 2})
    with pytest.raises(NotationError, match="`10/6` means several moves: `p10/"):
        game.move("10/6", state)
    assert str(game.move("10/9*/6", state)) == "p10/1,p9/3"
    assert str(game.move("10/7/6", state)) == "p10/3,p7/1"


def test_written_moves_are_read_again_in_random_games(game: Game) -> None:
    draw, state, seen = random.Random(5), game.initial_state(), 0
    while seen < 12 and game.outcome(state) is None:
        moves, weights = game.legal_moves(state), game.weights(state)
        move = moves[draw.choices(range(len(moves)), weights or None)[0]]
        if not weights and str(move) != "pass":
            text = game.move_text(move, state, "points")
            assert game.apply(state, game.move(text, state)) == game.apply(state, move), text
            seen += 1
        state = game.apply(state, move)
    assert seen == 12


def test_a_game_without_tracks_has_no_such_notation() -> None:
    chess = load("chess", engine="interpreter")
    with pytest.raises(UsageError, match="declares no `points`"):
        chess.move_text(chess.move("e4"), chess.initial_state(), "points")
