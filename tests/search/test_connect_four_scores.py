"""Full scores of Connect Four by `solve --score`, against the solver BitBully."""

from typing import Any

import pytest

import rulesengine
from tests.helpers.engine_comparison import needs_native
from tests.search.test_solve_distance import random_position

bitbully = pytest.importorskip("bitbully", reason="bitbully is not installed")

PLIES, POSITIONS = 14, 20
FAR = 15  # plies to the end, from which a position is hard
COLUMNS = "abcdefg"


def board_of(text: str) -> Any:
    """Return the board of a drawing of six rows, from the top."""
    rows = text.splitlines()[:6]
    mine = {".": 0, "x": 1, "o": 2}
    board = bitbully.Board()
    assert board.reset_board([[mine[sign] for sign in row] for row in rows])
    return board


@needs_native
@pytest.mark.deep
def test_distances_of_hard_positions_are_those_of_bitbully() -> None:
    game = rulesengine.load("connect-four", engine="native")
    solver = bitbully.BitBully(None)
    checked, seed = 0, 0
    while checked < POSITIONS:
        state = random_position(game, seed, PLIES)
        seed += 1
        if state is None:
            continue
        board = board_of(str(state))
        score = solver.mtdf(board)
        if solver.score_to_moves_left(score, board) < FAR:
            continue
        found = game.solve(state, score=True)
        assert found.value == ("win" if score > 0 else "loss" if score < 0 else "draw")
        distance = solver.score_to_moves_left(score, board) if score else None
        assert found.distance == distance, str(state)
        checked += 1
