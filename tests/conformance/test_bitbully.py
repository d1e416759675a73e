"""Connect Four against BitBully, a dedicated solver: values and distances of positions.

BitBully is no dependency: these tests are skipped where it is not installed.
"""

from functools import cache
from typing import Any

import pytest

import rulesengine
from rulesengine import Game
from rulesengine.engine.drivers.random import Generator
from tests.helpers.engine_comparison import needs_native

pytestmark = pytest.mark.usefixtures("in_haste")

SEED = 14
COLUMNS = "abcdefg"


@cache
def bitbully() -> Any:
    return pytest.importorskip("bitbully").bitbully_core


@cache
def connect_four() -> Game:
    return rulesengine.load("connect-four", engine="native")


def compare(plies: int, number: int) -> None:
    """Compare both programs in a random unfinished position after so many plies."""
    game, board, draw = connect_four(), bitbully().BoardCore(), Generator(SEED + plies, number)
    state = game.initial_state()
    for _ in range(plies):
        moves = game.legal_moves(state)
        if not moves:
            break
        move = moves[draw.below(len(moves))]
        board.play(COLUMNS.index(str(move)[0]))
        state = game.apply(state, move)
    if game.outcome(state) is not None:
        return
    solved = game.solve(state, memory=16)
    score = bitbully().BitBullyCore().mtdf(board, 0)
    wanted = "win" if score > 0 else "loss" if score < 0 else "draw"
    assert solved.value == wanted, f"{state}"
    if score and solved.distance is not None:
        left = bitbully().BitBullyCore().scoreToMovesLeft(score, board)
        assert solved.distance == left, f"{state}"


@needs_native
@pytest.mark.slow
@pytest.mark.parametrize("plies", [24, 28, 32, 34])
def test_late_positions_have_the_values_of_a_perfect_solver(plies: int) -> None:
    for number in range(5):
        compare(plies, number)


@needs_native
@pytest.mark.deep
@pytest.mark.parametrize(
    ("plies", "positions"),
    [*((plies, 75) for plies in range(20, 35)), (18, 20), (16, 10), (14, 5), (12, 3), (10, 1)],
)
def test_positions_have_the_values_of_a_perfect_solver(plies: int, positions: int) -> None:
    for number in range(positions):
        compare(plies, number)
