"""Observations of a single game: the same as numpy computes from its state, in every engine."""

from itertools import chain, repeat

import numpy as np
import pytest

import rulesengine
from rulesengine.batch import Observer
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.support.resources import bundled_names

pytest.importorskip("gymnasium", reason="the extra `rl` is not installed")

from rulesengine.adapters.single_game import SingleGame

# Together these cover swapped sides, three players, numbers at cells, and an end.
QUICK = {
    "interpreter": {"hex-pie", "pig", "three-player-tic-tac-toe", "tic-tac-toe"},
    "python": {"hex-pie"},
    "native": {"connect-four"},
}
PLIES = 12


def games() -> list[object]:
    engines = ["interpreter", *(backend.name for backend in working())]
    return [
        pytest.param(name, engine, marks=() if name in QUICK[engine] else (pytest.mark.deep,))
        for engine in engines
        for name in sorted(bundled_names())
    ]


def alike(single: SingleGame, observer: Observer) -> None:
    """Check the planes, numbers and actions that every player observes."""
    position = single.underway.position
    for player in range(len(single.game.players)):
        seen, is_to_move = single.observation(player), position.mover == player
        planes = observer.planes(position.packed, player, is_to_move)
        assert np.array_equal(seen["observation"], planes)
        numbers = observer.numbers(position.packed)
        assert np.array_equal(seen.get("numbers", numbers[:0]), numbers)
        mask = position.mask if is_to_move else bytes(len(position.mask))
        assert seen["action_mask"].tobytes() == mask


@pytest.mark.slow
@pytest.mark.parametrize(("name", "engine"), games())
def test_player_views_match_the_state(name: str, engine: str) -> None:
    game = rulesengine.load(name, engine=engine)
    single, observer = SingleGame(game), Observer(game)
    alike(single, observer)
    # In Hex with a pie the last action of the second player swaps sides.
    for draws in chain([True, False], repeat(True, PLIES)):
        if single.underway.over:
            break
        if draws:
            single.draw()
        else:
            assert single.step(single.underway.position.legal[-1])
        alike(single, observer)
    assert name != "hex-pie" or single.underway.position.state.seats
    before = single.underway.position
    single.reset(None)
    alike(single, observer)
    single.underway.put(before)
    alike(single, observer)
