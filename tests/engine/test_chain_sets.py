"""Chains of captures as sets: kernels play the games of the interpreter on random specs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rulesengine import Game, RulesError
from rulesengine.engine.kernel.emit import continuations
from rulesengine.engine.kernel.emit.path_states import PathState
from rulesengine.engine.kernel.selection import Engine
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.helpers.chain_specs import chain_spec

SOME = (3, 5, 12)
# A hop to the last row may be followed by the hop back, to the cell that it has left.
HOPS = """
spec: 1
name: Hops
board: {{rows: 3, columns: 3, origin: bottom-left}}
players: [white, black]
pieces: {{man: {{white: m, black: w}}, empty: "."}}
start: |
  w..
  ...
  m.m
rules:
  moves:
    name: hop
    move: own
    along: orthogonal
    to: shift(from, direction, direction) and empty
    then: {{step: hop, from: to, when: "{when}"}}
  end: {{when: plies >= 4, result: draw}}
"""
# One capture counts, and one does not: a piece is taken only if the jump ends on the edge.
KEPT = """
spec: 1
name: Kept
board: {rows: 5, columns: 5, origin: bottom-left}
players: [white, black]
pieces: {man: {white: m, black: w}, empty: "."}
start: |
  .....
  .w...
  .m...
  ...wm
  .....
rules:
  moves:
    name: jump
    move: own
    along: orthogonal
    to: shift(shift(from, direction) and enemy, direction) and empty
    do: if to in edge then remove shift(from, direction)
    then: {step: jump, from: to, when: to in empty}
  keep: most count(captured)
  end: {when: plies >= 2 or not can_move(mover), result: draw}
"""
KNOWN, UNKNOWN = "any(to and top)", "any(to and top) and count(own) >= 1"
FAULTS: dict[str, tuple[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "changed cells are read as before the move": (
        KNOWN,
        lambda patch: patch.setattr(
            PathState,
            "content",
            lambda self, planes, path: self.ending_on(path, self.before(planes)),
        ),
    ),
    "changed cells are looked up in the sets of all pieces": (
        KNOWN,
        lambda patch: patch.setattr(PathState, "changes_any", lambda self, paths: False),
    ),
    "unknown conditions are false": (
        UNKNOWN,
        lambda patch: patch.setattr(PathState, "none", lambda self: self.b.m(0)),
    ),
}


def results(text: str, seed: int, engine: Engine) -> list[object]:
    """Return the counts and random games of a spec, or its error."""
    game = load_source(Source("chains.yaml", text), engine=engine)
    found: list[object] = []
    for compute in (counts, games):
        try:
            found.append(compute(game, seed))
        except RulesError as error:
            found.append((type(error), str(error)))
    return found


def counts(game: Game, seed: int) -> list[int]:
    return [game.perft(depth, bulk=bulk) for depth in (2, 3) for bulk in (False, True)]


def games(game: Game, seed: int) -> int:
    return game.playouts(12, seed=seed).checksum


@pytest.mark.parametrize(
    "seed",
    [
        *(pytest.param(seed, marks=pytest.mark.slow) for seed in SOME),
        *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(20, 320)),
    ],
)
def test_random_chains_are_those_of_the_interpreter(seed: int) -> None:
    assert results(chain_spec(seed), seed, "python") == results(
        chain_spec(seed), seed, "interpreter"
    )


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(400, 430))
def test_machine_code_plays_random_chains(seed: int) -> None:
    pytest.importorskip("llvmlite")
    assert results(chain_spec(seed), seed, "native") == results(
        chain_spec(seed), seed, "interpreter"
    )


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_changes_the_games(
    fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    when, plant = FAULTS[fault]
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path))  # kernels with faults are not kept
    text = HOPS.format(when=when)
    plant(monkeypatch)
    assert results(text, 1, "python") != results(text, 1, "interpreter")


@pytest.mark.slow
@pytest.mark.parametrize("when", [KNOWN, UNKNOWN])
def test_a_hop_back_to_the_cell_left_goes_on(when: str) -> None:
    text = HOPS.format(when=when)
    game = load_source(Source("hops.yaml", text), engine="interpreter")
    assert [str(move) for move in game.legal_moves(game.initial_state())] == ["c1-c3-c1"]
    assert results(text, 1, "python") == results(text, 1, "interpreter")


@pytest.mark.slow
def test_a_majority_rule_drops_first_steps_that_capture_less(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = load_source(Source("kept.yaml", KEPT), engine="interpreter")
    assert [str(move) for move in game.legal_moves(game.initial_state())] == ["b3xb5"]
    assert results(KEPT, 1, "python") == results(KEPT, 1, "interpreter")
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path))
    monkeypatch.setattr(continuations, "_dropped", lambda ctx, steps, part: ctx.b.m(0))
    assert results(KEPT, 1, "python") != results(KEPT, 1, "interpreter")
