"""The values of a small solved game are cached, and players look them up."""

from pathlib import Path

import pytest

from rulesengine import Game, State
from rulesengine.engine.drivers.search.result import WIN
from rulesengine.loading import load_source
from rulesengine.search.enumeration.retrograde import solve_by_retrograde
from rulesengine.search.solution_cache import recall
from rulesengine.support.source import Source
from tests.certificates.test_certificates import ENDLESS

# Stones step next to each other: on a line of five cells the side that must retreat loses.
LINE = """\
spec: 1
name: Line
board: {rows: 1, columns: 5}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
start: |
  x...o
rules:
  moves: {move: own, to: empty touching from}
  end:
    - {when: any(own and c1), result: player wins}
    - {when: not can_move(mover), result: mover loses}
"""


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path / "cache"))


def fresh(text: str) -> Game:
    return load_source(Source("game.yaml", text), engine="interpreter")


def reached(game: Game) -> set[State]:
    """Return all reachable positions."""
    states, queue = {game.initial_state()}, [game.initial_state()]
    while queue:
        state = queue.pop()
        after = {game.apply(state, move) for move in game.legal_moves(state)} - states
        states |= after
        queue += after
    return states


@pytest.mark.slow
@pytest.mark.parametrize("text", [LINE, ENDLESS], ids=["line", "endless"])
def test_all_values_of_a_solved_game_are_kept(text: str) -> None:
    assert recall(fresh(text)) is None
    fresh(text).solve()
    game = fresh(text)
    kept = recall(game)
    assert kept is not None
    for state in reached(game):
        exact = solve_by_retrograde(game, state, 1000)
        value = kept.value(state)
        assert exact is not None
        assert value is not None
        sign = {"win": 1, "draw": 0, "loss": -1}[exact.value]
        assert value.number == sign * (WIN - (exact.distance or 0))


def test_a_player_with_time_alone_looks_them_up() -> None:
    fresh(LINE).solve()
    game = fresh(LINE)
    found = game.search(seconds=1)
    exact = solve_by_retrograde(game, game.initial_state(), 1000)
    assert exact is not None
    assert (found.nodes, found.whole, found.line) == (0, True, exact.line)
    assert found.value == WIN - (exact.distance or 0)
    # The counts do not depend on the presence of a table.
    assert game.search(nodes=50).nodes > 0
    assert game.search(plies=2).nodes > 0


def test_another_game_or_a_position_inside_has_no_table() -> None:
    game = fresh(LINE)
    game.solve(game.apply(game.initial_state(), game.legal_moves(game.initial_state())[0]))
    assert recall(game) is None
    game.solve()
    assert recall(fresh(ENDLESS)) is None
