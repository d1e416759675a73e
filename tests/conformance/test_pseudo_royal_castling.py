"""Castling of pseudo-royal pieces in converted variants: hand-chosen positions, with pyffish.

A piece is pseudo-royal if its loss ends the game and no move may leave it attacked.
"""

from functools import cache
from pathlib import Path

import pytest

from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from rulesengine.tools.variants_ini import convert
from tests.helpers.fairy_stockfish import fairy_stockfish

FILE = Path(__file__).parents[1] / "data" / "variants" / "variants.ini"
CASTLING = frozenset(["e1g1", "e1c1", "e8g8", "e8c8"])

# The position of atomic chess, and its castling moves by the rules of Fairy-Stockfish.
ATOMIC = [
    ("rnbqkbnr/pppp1ppp/8/8/8/8/PPPP1PPP/RNBQK2R w KQkq - 0 1", "e1g1"),  # nothing is attacked
    ("rnbqk1nr/pppp1ppp/8/8/1b6/8/PPP2PPP/RNBQK2R w KQkq - 0 1", ""),  # out of check
    ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", ""),  # through f1
    ("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", ""),  # to g1
    ("3qk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1"),  # through d1
    ("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"),  # only the rook passes b1
    ("r3k2r/6P1/8/8/8/8/8/4K3 b kq - 0 1", "e8c8"),  # a pawn attacks f8
    # No cell next to the king of the opponent is attacked, as the capture would remove both.
    ("4r3/8/8/8/8/8/3k4/R3K2R w KQ - 0 1", "e1c1 e1g1"),
    ("5r2/8/8/8/8/8/3k4/4K2R w K - 0 1", ""),  # f1 is not next to it
    ("5r2/8/8/8/8/8/6k1/4K2R w K - 0 1", "e1g1"),
    ("r3k2r/6K1/4Q3/8/8/8/8/8 b kq - 0 1", ""),  # out of check; f8 is safe
    ("r3k2r/2K5/8/8/8/8/8/3Q4 b kq - 0 1", "e8c8 e8g8"),
]
# The same without explosions, where a pawn may become another king.
TWO_KINGS = """
[pseudoroyal:chess]
king = -
commoner = k
castlingKingPiece = k
extinctionValue = loss
extinctionPieceTypes = k
extinctionPseudoRoyal = true
promotionPieceTypes = nbrqk
"""
PSEUDO_ROYAL = [
    ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", ""),
    ("4kr2/8/8/8/8/8/K7/4K2R w K - 0 1", "e1g1"),  # one of two kings may pass f1
    ("4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", ""),
    ("4r1k1/8/8/8/8/8/K7/R3K2R w KQ - 0 1", "e1c1 e1g1"),  # and leave e1
    ("3qk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1"),
    ("4kr2/8/8/8/8/8/6k1/R3K2R w KQ - 0 1", "e1c1"),  # no cell is safe next to a king
]
ALL = [*(("atomic", *row) for row in ATOMIC), *(("pseudoroyal", *row) for row in PSEUDO_ROYAL)]


@cache
def converted(name: str) -> Game:
    text = FILE.read_text(encoding="utf-8") if name == "atomic" else TWO_KINGS
    found = convert(text, name, "A variant")
    assert found.omissions == ()
    return load_source(Source("variant.yaml", found.text), engine="interpreter")


def legal(name: str, fen: str) -> list[str]:
    game = converted(name)
    return sorted(map(str, game.legal_moves(game.state_from(fen))))


@pytest.mark.parametrize(("name", "fen", "castling"), ALL)
def test_pseudo_royal_piece_castles_neither_out_of_nor_through_an_attack(
    name: str, fen: str, castling: str
) -> None:
    assert [move for move in legal(name, fen) if move in CASTLING] == castling.split()


@pytest.mark.parametrize(("name", "fen"), [(name, fen) for name, fen, _ in ALL])
def test_positions_have_the_legal_moves_of_pyffish(name: str, fen: str) -> None:
    library = fairy_stockfish()
    library.load_variant_config(TWO_KINGS)
    assert legal(name, fen) == sorted(library.legal_moves(name, fen, []))
