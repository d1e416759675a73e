"""Positions of chess in which one move keeps or wins material, or mates.

The best moves and their values are those of Fairy-Stockfish 11.1 at depth 11.
"""

from pathlib import Path

import pytest

import rulesengine
from rulesengine.engine.kernel.backends.registry import working

POSITIONS = Path(__file__).parents[1] / "data" / "tactics" / "chess.txt"
NODES = 1_000  # enough for 31 of the first 32 positions found


def rows() -> list[tuple[str, str]]:
    """Return the position and the best move of each line."""
    lines = POSITIONS.read_text(encoding="utf-8").splitlines()
    fields = [line.split("; ") for line in lines if not line.startswith("#")]
    return [(fen, best) for fen, best, _, _ in fields]


@pytest.mark.skipif(
    all(backend.name != "native" for backend in working()), reason="needs the native engine"
)
def test_the_search_finds_the_only_good_move() -> None:
    game = rulesengine.load("chess", engine="native")
    found = [str(game.search(game.state_from(fen), nodes=NODES).move) for fen, _ in rows()]
    wrong = [(row, move) for row, move in zip(rows(), found, strict=True) if row[1] != move]
    assert len(found) == 30
    assert len(wrong) <= 1, wrong
