"""Games whose values are known: what `solve` finds is what others have found.

Connect Four as in John Tromp's table of small boards; Hex is won by who begins (Nash's argument).
"""

from dataclasses import dataclass, field
from typing import Any

import pytest

import rulesengine
from tests.engine_comparison import needs_native


@dataclass(frozen=True, slots=True)
class Known:
    """A game, and its value to the player who begins."""

    name: str
    value: str
    parameters: dict[str, int] = field(default_factory=dict)
    transforms: tuple[Any, ...] = ()
    score: int | None = None

    def __str__(self) -> str:
        return "-".join(
            [self.name, *map(str, self.parameters.values()), *map(str, self.transforms)]
        )


SMALL = (
    Known("tic-tac-toe", "draw"),
    Known("tic-tac-toe", "win", {"m": 4, "n": 4, "k": 3}),
    Known("tic-tac-toe", "draw", transforms=("misere",)),
    Known("tic-tac-toe", "win", transforms=("torus",)),
    Known("connect-four", "draw", {"columns": 4, "rows": 4}),
    Known("othello", "loss", {"n": 4}, score=-8),
    Known("hex", "win", {"n": 3}),
    Known("nogo", "win", {"n": 3}),
)
LARGER = (
    Known("tic-tac-toe", "draw", {"m": 4, "n": 4, "k": 4}),
    Known("connect-four", "draw", {"columns": 4, "rows": 5}),
    Known("connect-four", "draw", {"columns": 5, "rows": 4}),
    Known("connect-four", "loss", {"columns": 6, "rows": 4}),
    Known("hex", "win", {"n": 4}),
    Known("clobber", "win", {"rows": 4, "columns": 4}),
)


def solved_is_known(known: Known) -> None:
    game = rulesengine.load(
        known.name, transforms=known.transforms, engine="native", **known.parameters
    )
    solved = game.solve(memory=256)
    assert (solved.value, solved.score) == (known.value, known.score)
    state = game.initial_state()
    for move in solved.line:
        state = game.apply(state, move)
    outcome = game.outcome(state)
    if known.score is not None or known.value == "draw":
        assert outcome is not None
    if outcome is not None and known.value != "draw":
        first = game.initial_state().mover
        assert (outcome.winner == first) == (known.value == "win")


@needs_native
@pytest.mark.slow
@pytest.mark.parametrize("known", SMALL, ids=str)
def test_a_small_game_has_its_known_value(known: Known) -> None:
    solved_is_known(known)


@needs_native
@pytest.mark.deep
@pytest.mark.parametrize("known", LARGER, ids=str)
def test_a_larger_game_has_its_known_value(known: Known) -> None:
    solved_is_known(known)


@needs_native
@pytest.mark.slow
def test_the_winning_openings_of_a_small_board_of_hex_are_known() -> None:
    """3x3, in OpenSpiel's names c1 a2 b2 c2 a3: the others lose."""
    game = rulesengine.load("hex", n=3, engine="native")
    start = game.initial_state()
    won = {
        str(move)
        for move in game.legal_moves(start)
        if game.solve(game.apply(start, move)).value == "loss"
    }
    assert won == {"c1", "a2", "b2", "c2", "a3"}
