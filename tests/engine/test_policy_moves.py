"""Policy moves of random games: by sets if the keys allow it, else by a list."""

import random
from pathlib import Path

import pytest

from rulesengine import Game, SpecError, load
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.table import EMIT
from rulesengine.engine.kernel.passes import optimised
from rulesengine.engine.kernel.translate import driver_entry
from rulesengine.loading import load_source
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source
from tests.engine.test_rollouts import as_code, interpreted_notes, places_of, recorded_rollouts
from tests.engine.test_translate import BACKENDS
from tests.helpers.each_game import SOME, each_game

# Conditions that a key can evaluate for all moves at once, on any board.
QUESTIONS = (
    "any(to touching own)",
    "any(to touching enemy)",
    "any(to and enemy)",
    "any(to minus (empty touching own))",
    "any(from touching enemy)",
    "any(to touching (occupied touching to))",
    "none(to)",
    "any(from) and any(to touching empty)",
    "count(own) % 2 = 0",
    "any(to touching own) or plies % 3 = 0",
)


def playing(base: str, *keys: str) -> Game:
    """Return a bundled game with random games that draw among the moves left by the keys."""
    lines = "".join(f"    - {key}\n" for key in keys)
    text = (
        f"spec: 1\nname: Lively\nextends: {base}\ntests: null\n"
        f"rules: {{playouts: drawing}}\nstrategies:\n  drawing:\n{lines}"
    )
    return load_source(Source("spec.yaml", text), engine="interpreter")


def agree(game: Game, backend: str, count: int = 2) -> int:
    """Check that a back end draws the same moves in random games; return their number."""
    state, places = game.initial_state(), places_of(game)
    wanted = interpreted_notes(game, state, count, places)
    assert as_code(game, backend, state, count, places) == wanted
    return sum(len(notes) for _, notes in wanted)


def by_sets(game: Game) -> bool:
    """True if random games build no list of moves."""
    ctx = Context(optimised(game.program), EMIT)
    driver_entry(ctx, recorded_rollouts, "recorded_rollouts")
    return not any(name.startswith("likely_") for name in ctx.b.module.functions)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("base", "keys"),
    [
        ("tic-tac-toe", ["prefer any(to and corners) else any(to touching own)"]),
        ("tic-tac-toe", ["prefer any(to touching own)", "prefer any(to and corners)"]),
        ("tic-tac-toe", ["least if any(to and corners) then -3 else if any(from) then 0 else 7"]),
        ("othello", ["prefer any(to and corners) else none(to touching corners) else none(to)"]),
        ("breakthrough", ["prefer any(to and enemy) else any(from touching enemy)"]),
        ("breakthrough", ["prefer count(own) > 14", "prefer any(to touching enemy)"]),
        ("go", ["prefer any(to touching own) else any(to and corners) else none(to)"]),
        ("hex", ["prefer any(to touching own) else any(to touching enemy)"]),
    ],
)
def test_vectorisable_policy_yields_sets(base: str, keys: list[str], backend: str) -> None:
    game = playing(base, *keys)
    assert by_sets(game)
    assert agree(game, backend) > 8


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("base", "keys"),
    [
        ("tic-tac-toe", ["prefer any(to and corners)", "most count(own touching to)"]),
        ("tic-tac-toe", ["most if any(to and corners) then 1 else if any(to) then 2 else 0"]),
        ("tic-tac-toe", ["prefer after(won)"]),
        ("reversi", ["prefer count(flipped) > 1"]),
        ("reversi", ["prefer any(flipped touching to)"]),
        ("reversi", ["prefer any(to) and row(to) = 1"]),
        ("breakthrough", ["prefer any(to touching (enemy or from))"]),
        ("english-draughts", ["prefer any(to touching own)"]),
    ],
)
def test_per_move_policy_yields_a_list(base: str, keys: list[str], backend: str) -> None:
    game = playing(base, *keys)
    assert not by_sets(game)
    assert agree(game, backend) > 5


ANSWERS = {  # worked out by hand, on 5x5
    "takes what has one liberty": ("c3 a2 a1", ["b1"]),
    "saves what is attacked": ("a1 a2", ["b1"]),
    "else plays where both touch": ("c3 d2", ["c2", "d3"]),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_random_games_of_the_benchmark_s_go_answer_the_last_stone(name: str) -> None:
    moves, wanted = ANSWERS[name]
    spec = Path(__file__).parents[1] / "benchmarks" / "go-answering.yaml"
    game = load(spec, engine="interpreter", n=5)
    state = game.initial_state()
    for move in moves.split():
        state = game.apply(state, move)
    found = {steps[0].target for steps in game.machine.likely(state)}
    assert found == {game.program.topology.cell(cell) for cell in wanted}


def test_go_draws_among_sets() -> None:
    assert by_sets(load("go", engine="interpreter"))


@each_game(quick=(), deep=sorted({*bundled_names()} - SOME))
def test_engines_draw_among_the_same_moves_for_every_condition(name: str) -> None:
    """Draw keys at random; the interpreter evaluates each move separately."""
    rng = random.Random(name)
    for _ in range(4):
        keys = [
            "prefer " + " else ".join(rng.sample(QUESTIONS, rng.randint(1, 3)))
            for _ in range(rng.randint(1, 2))
        ]
        try:
            game = playing(name, *keys)
        except SpecError:  # some boards have no neighbours, some moves no origin
            continue
        agree(game, "python", 1)
