"""`before` in the steps of a chained move: kernels leave it to the interpreter."""

import pytest

from rulesengine import State
from tests.helpers.engine_comparison import COMPILED, Engines, needs_engines, spec_engines

# A man hops east several times. Each step counts the enemies before the move, and those left.
SPEC = """
spec: 1
name: Hops
board: {rows: 2, columns: 5}
players: [white, black]
pieces: {man: {white: o, black: x}, empty: "."}
registers: {sum: {type: number, from: 0, to: 9999}}
start: |
  ox.ox
  xo.xo
rules:
  moves:
    - name: hop
      move: own
      to: shift(from, east)
      do: set sum to sum + before(count(enemy)) * 10 + count(enemy)
      then: {step: hop, from: to, optional: true, when: column(to) < 5}
    - otherwise
    - pass
  end: {when: plies = 8, result: draw}
"""


def hops(engine: str) -> Engines:
    return spec_engines(SPEC, (engine,))


@needs_engines
@pytest.mark.parametrize(
    "engine", [pytest.param(e, marks=pytest.mark.slow if e == "native" else ()) for e in COMPILED]
)
def test_before_in_a_chained_step_is_that_of_the_interpreter(engine: str) -> None:
    engines = hops(engine)
    for seed in range(3):
        engines.play(seed, 8)
    engines.count(2)
    engines.playouts(4, seed=3)
    engines.same("search", lambda game: game.search(nodes=60).value)
    (other,) = engines.others
    assert any("`before`" in problem for problem in other.engine_problems.values())


def test_before_in_a_chained_step_reads_the_position_before_the_first_step() -> None:
    game = hops("python").first
    state: State = game.initial_state()
    move = next(m for m in game.legal_moves(state) if len(m.steps) > 1)
    # Four enemies before the move, and three after each step.
    assert "sum: 86" in str(game.apply(state, move)), str(move)
