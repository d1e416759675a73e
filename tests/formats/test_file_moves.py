"""Moves by piece, column and direction: the standard of xiangqi, and agreement with pyffish."""

import random

import pytest

import rulesengine
from rulesengine.errors import NotationError
from rulesengine.state import State

GAME = rulesengine.load("xiangqi")
# Red soldiers in the third column from the right, and in the seventh one, as in the standard.
PAWNS = {
    3: "5k3/6P2/6P2/6P2/9/9/9/9/9/3K5 w",
    4: "5k3/6P2/6P2/6P2/6P2/9/9/9/9/3K5 w",
    5: "5k3/6P2/6P2/6P2/6P2/9/6P2/9/9/3K5 w",
    32: "5k3/2P3P2/2P3P2/6P2/9/9/9/9/9/3K5 w",
}


def text(move: str, state: State) -> str:
    return GAME.move_text(GAME.move(move, state), state, "wxf")


@pytest.mark.parametrize(
    ("fen", "texts"),
    [
        ("", {"h3e3": "C2=5", "b1c3": "H8+7", "a1a2": "R9+1", "h3h10": "C2+7", "c1e3": "E7+5"}),
        (
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b",
            {"h8e8": "C8=5", "h10g8": "H8+7", "a10a9": "R1+1", "c7c6": "P3+1", "b8b1": "C2+7"},
        ),
        (
            "5k3/9/9/9/9/4R4/9/9/4R4/3K5 w",
            {"e5e6": "R++1", "e2e3": "R-+1", "e5d5": "R+=6", "e2d2": "R-=6"},
        ),
        ("3k5/4r4/9/4r4/9/9/9/9/9/5K3 b", {"e9f9": "R-=6", "e7f7": "R+=6", "e9e10": "R--1"}),
        ("3k5/9/9/9/9/9/9/3A5/9/3AK4 w", {"d3e2": "A6-5", "d1e2": "A6+5"}),
        (PAWNS[3], {"g9f9": "P+=4", "g8f8": "P3=4", "g7f7": "P-=4"}),
        (PAWNS[4], {"g9f9": "++=4", "g8f8": "P+=4", "g7f7": "P-=4", "g6f6": "--=4"}),
        (PAWNS[5], {"g9f9": "++=4", "g8f8": "P+=4", "g7f7": "P3=4", "g6f6": "P-=4"}),
        (
            PAWNS[32],
            {"g9f9": "3+=4", "g8f8": "33=4", "g7f7": "3-=4", "c9d9": "7+=6", "c8d8": "7-=6"},
        ),
    ],
)
def test_texts_are_those_of_the_standard(fen: str, texts: dict[str, str]) -> None:
    state = GAME.state_from(fen) if fen else GAME.initial_state()
    assert {move: text(move, state) for move in texts} == texts
    for move, written in texts.items():
        for other in (written, written.lower(), written.replace("=", ".")):
            assert GAME.move(other, state) == GAME.move(move, state), other


def test_other_letters_columns_and_numbers_are_read() -> None:
    start = GAME.initial_state()
    for other in ("N8+7", "h8+7", "H8+7"):
        assert text(str(GAME.move(other, start)), start) == "H8+7"
    assert GAME.move("B7+5", start) == GAME.move("E7+5", start)
    state = GAME.state_from(PAWNS[3])
    for first, second in (("13=4", "P+=4"), ("23=4", "P3=4"), ("33=4", "P-=4")):
        assert GAME.move(first, state) == GAME.move(second, state)


def test_text_of_two_moves_is_ambiguous_and_others_are_illegal() -> None:
    state = GAME.state_from("5k3/9/9/9/9/4R4/9/9/4R4/3K5 w")
    with pytest.raises(NotationError, match="`R5=6` is ambiguous"):
        GAME.move("R5=6", state)
    for wrong in ("C5=6", "R+=5", "R1=6", "xx", "R+=66"):
        assert GAME.formats.moves("wxf").find(wrong, state) is None


def test_games_in_pgn_have_moves_by_column() -> None:
    headers = '[Game "Chinese Chess"]\n[Red "Ann"]\n[Black "Bob"]\n[Result "*"]\n'
    (found,) = GAME.read_games(f"{headers}\n1. C2.5 H8+7 2. H2+3! *\n")
    assert (found.problems, found.notes[3].nags) == ((), (1,))
    assert [str(move) for move in found.moves] == ["h3e3", "h10g8", "h1g3"]
    written = GAME.format_record(found)
    assert "1. C2=5 H8+7 2. H2+3 $1 *" in written
    assert '[Red "Ann"]' in written
    assert "White" not in written
    (again,) = GAME.read_games(written.replace("C2=5", "h3e3"))
    assert again.moves == found.moves


def test_random_games_agree_with_pyffish() -> None:
    """Compare all moves; a text of pyffish without a mark means the same move."""
    sf = pytest.importorskip("pyffish", reason="pyffish is not installed")
    chosen, notation, count = random.Random(3), GAME.formats.moves("wxf"), 0
    state = GAME.initial_state()
    for _ in range(6):
        legal, fen = GAME.legal_moves(state), GAME.export(state)
        for move in legal:
            other = sf.get_san("xiangqi", fen, str(move), False, sf.NOTATION_XIANGQI_WXF)
            own = notation.write(move, state)
            assert own == other or {own[1], other[1]} & set("+-"), (fen, own, other)
            assert notation.find(own, state) == notation.find(other, state) == move
            count += 1
        state = GAME.apply(state, chosen.choice(legal))
    assert count > 200
