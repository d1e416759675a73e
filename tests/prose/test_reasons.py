"""Reasons for illegal moves: one fact in at most 30 words, without clauses of the spec."""

import random
import re

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.errors import IllegalMoveError, NotationError
from rulesengine.loading import load_source
from rulesengine.prose import account
from rulesengine.support.source import Source
from tests.helpers.each_game import OTHERS, each_game

MOST_WORDS = 30
CODE = re.compile(r"\w\([a-z]|[{}]|[<>!]=| = ")


def texts(game: Game, state: State, rng: random.Random) -> list[str]:
    names = game.program.topology.names
    occupied = [n for i, n in enumerate(names) if any(p >> i & 1 for p in state.planes)] or names
    one, other = rng.choice(occupied), rng.choice(names)
    return [one, other, f"{one}-{other}", f"{one}x{other}", "pass"]


def refusal(game: Game, state: State, text: str) -> str:
    """Return the message of the exception for a text, empty for a move."""
    try:
        game.move(text, state)
    except IllegalMoveError as error:
        return str(error)
    return ""


@each_game(quick=(), deep=OTHERS, hidden=False)
def test_a_reason_is_one_short_fact(name: str) -> None:
    game = rulesengine.load(name)
    state, rng = game.initial_state(), random.Random(name)
    for _ in range(6):
        moves = game.legal_moves(state)
        for text in texts(game, state, rng):
            why = game.why_not(text, state)
            assert len(why.split()) <= MOST_WORDS, why
            if not why:
                continue
            reason = re.sub("`[^`]*`", "", why)
            assert not CODE.search(reason), why
            assert "you" not in reason.split(), why
            if not (refused := refusal(game, state, text)):
                continue  # the notation of a format, which is accepted, too
            assert refused == why
            shown = " ".join(account(game, state, text, lambda at, mask: "").split())
            assert shown == " ".join(why.split())
        if not moves:
            break
        state = game.apply(state, rng.choice(moves))


PINNED = """....k...
....r...
........
........
........
........
....N...
....K...
mover: white
rights: none"""


@pytest.mark.parametrize(
    ("game", "position", "move", "why"),
    [
        ("chess", "", "e2e5", "the pawn on e2 cannot move to e5"),
        ("chess", "", "a1a2", "a2 holds a pawn of white"),
        ("chess", PINNED, "e2c3", "after it, white's king is ‘attacked’"),
        ("othello", "", "a1", "there is no unbroken straight row of white's discs between a1 and"),
        ("connect-four", "", "a3", "a3 is directly north of an empty cell"),
        ("amazons", "", "a4-b6/a1", "b6 is not in a straight line in any direction from a4"),
        ("snort", "x" + 7 * "." + 7 * ("\n" + 8 * ".") + "\nmover: right", "b8", "b8 is next to"),
    ],
)
def test_the_reason_is_the_nearest(game: str, position: str, move: str, why: str) -> None:
    played = rulesengine.load(game)
    state = played.state_from(position) if position else played.initial_state()
    assert f": {why}" in played.why_not(move, state)


CASTLING = "4kr2/8/8/8/1b6/2N5/8/R3K2R w KQ - 0 1"


@pytest.mark.parametrize(
    ("position", "move", "why"),
    [
        ("", "O-O", "the bishop on f1 is in the way"),
        ("", "Ke2", "e2 holds a pawn of white"),
        ("", "Nd4", "no knight can move to d4"),
        ("", "e5", "no pawn can move to e5"),
        ("", "Qh5+", "the pawn on e2 is in the way"),
        ("", "e4e5", "e4 is empty"),
        (CASTLING, "0-0", "the cell one step east from e1 is ‘attacked’"),
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "O-O", "the rook on h1 is not in ‘rights’"),
        (CASTLING, "Na4", "after it, white's king is ‘attacked’"),
        (CASTLING, "Qd4", "no queen can move to d4"),
        ("7k/P7/8/8/8/8/8/7K w - - 0 1", "a8", "it is written `a7a8q`"),
    ],
)
def test_a_move_in_algebraic_notation_has_a_reason(position: str, move: str, why: str) -> None:
    chess = rulesengine.load("chess")
    state = chess.state_from(position) if position else chess.initial_state()
    expected = f"`{move}` is not legal for white: {why}"
    assert chess.why_not(move, state).startswith(expected)
    with pytest.raises(IllegalMoveError, match=re.escape(why)):
        chess.move(move, state)


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("9-18", "the man on b6 cannot move to d4"),
        ("11x18", "the man on f6 cannot move to d4"),
        ("1-5", "a7 holds a man of black"),
    ],
)
def test_a_move_by_the_numbers_of_squares_has_a_reason(move: str, why: str) -> None:
    draughts = rulesengine.load("english-draughts")
    found = draughts.why_not(move, draughts.initial_state())
    assert found == f"`{move}` is not legal for black: {why}"


def test_a_legal_move_in_algebraic_notation_has_no_reason() -> None:
    chess = rulesengine.load("chess")
    state = chess.state_from(CASTLING)
    assert [chess.why_not(text, state) for text in ("O-O-O", "Kd1", "e1e2")] == ["", "", ""]


def test_a_long_reason_is_replaced_by_a_short_one() -> None:
    near = "neighbours(neighbours(neighbours(neighbours(neighbours(neighbours(corners))))))"
    game = load_source(
        Source(
            "long.yaml",
            "spec: 1\nname: Long\nboard: {rows: 15, columns: 15}\nplayers: [a, b]\n"
            "pieces: {stone: {a: x, b: o}, empty: '.'}\n"
            f"rules:\n  moves: {{place: stone, to: 'empty minus {near}'}}\n"
            "  end: {when: none(empty), result: draw}\n",
        )
    )
    why = game.why_not("b4", game.initial_state())
    assert why == "`b4` is not legal for a: nothing can be placed on b4"


def test_a_text_without_cells_is_no_move_at_all() -> None:
    game = rulesengine.load("chess")
    with pytest.raises(NotationError, match="names no move"):
        game.why_not("hello", game.initial_state())
