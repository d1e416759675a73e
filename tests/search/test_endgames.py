"""Endgames of Othello, solved to their published scores."""

import pytest

import rulesengine
from tests.benchmarks.ffo import endgames
from tests.helpers.engine_comparison import needs_native


@needs_native
@pytest.mark.deep
def test_an_endgame_of_twenty_cells_has_its_published_score() -> None:
    game = rulesengine.load("othello", engine="native")
    endgame = endgames()[40]
    solved = game.solve(game.position_from(endgame.board + ";").state, score=True)
    assert solved.value == "win"
    assert solved.score == endgame.score == 38
    assert str(solved.move) == "a2"
