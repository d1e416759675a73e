"""Generated specs: they detect an engine with a mistake; invariants of every spec."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

import pytest
from hypothesis import HealthCheck, assume, given, settings

from rulesengine import (
    EvaluationError,
    Game,
    LimitError,
    Move,
    RulesError,
    SpecError,
    State,
    load,
)
from rulesengine.engine.drivers.random import Generator
from rulesengine.language.ir import text
from rulesengine.language.ir.ops import OPS, walk
from rulesengine.language.ir.rules import operations
from rulesengine.language.ir.scripted_ops import SCRIPTED
from rulesengine.language.lower import kind_registers, stacks, tiles
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.helpers.broken_engines import MISTAKES, broken
from tests.helpers.engine_comparison import Difference, Engines, TooLong
from tests.helpers.spec_strategies import random_spec, specs

# Lowering replaces them.
REPLACED = kind_registers.REPLACED | stacks.REPLACED | tiles.REPLACED
SEEDS = 100
# A later spec with words that the first ones happen not to use.
RARE = 872
# Words that appear only through a spec's script or parameters, or that lowering removes.
NEVER = {
    "seen",
    "parameter",
    "region",
    "named_cell",
    "named_direction",
    "players",
    "variable",
    "range",
}
NEVER |= {name for name, row in OPS.items() if row.by_passes} | REPLACED
# Tracks by name: separate tests cover these.
NEVER |= {"track", "place_on"}
# Boards with stacks have separate tests.
NEVER |= {"below", "lay", "unstack", "carry_stack", "sow"}
SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)


@cache
def game(seed: int) -> Game | None:
    """Return the game of a seed; None if its spec does not pass the checks."""
    try:
        return load_source(Source("spec.yaml", random_spec(seed)), engine="interpreter")
    except SpecError:
        return None


def games() -> list[Game]:
    return [found for seed in range(SEEDS) if (found := game(seed)) is not None]


@pytest.mark.slow
def test_at_least_nineteen_specs_of_twenty_pass_the_checks() -> None:
    assert len(games()) >= 0.95 * SEEDS


@pytest.mark.slow
def test_the_specs_use_every_operation() -> None:
    used = {
        op.name
        for found in filter(None, (*games(), game(RARE)))
        for root in operations(found.program.rules)
        for op in walk(root)
    }
    assert used - NEVER - SCRIPTED.keys() == OPS.keys() - NEVER


@pytest.mark.slow
def test_the_specs_have_boards_of_every_shape_and_size_and_one_to_three_players() -> None:
    forms = Counter[str]()
    for found in games():
        board = found.program.topology
        forms[found.rules.board.shape] += 1
        forms["wrapped"] += found.rules.board.wrap != "none"
        forms["holes"] += bool(found.rules.board.holes)
        forms["wide" if board.cells > 64 else "narrow"] += 1
        forms[f"{len(found.players)} players"] += 1
    shapes = {
        "rectangle",
        "rhombus",
        "hexagon",
        "triangle",
        "staggered",
        "box",
        "graph",
        "wrapped",
        "holes",
    }
    assert shapes | {"wide", "narrow", "1 players", "2 players", "3 players"} <= forms.keys()
    assert min(forms.values()) >= 3


@pytest.mark.slow
def test_the_games_meet_ends_errors_chains_and_choices() -> None:
    met = Counter[str]()
    for found in games():
        engines = Engines(Game(found.rules, found.parameters, "interpreter"))
        engines.limit(30_000)
        try:
            played = engines.play(0, 12)
        except TooLong:
            met["long"] += 1
            continue
        met[played.end] += 1
        met["errors"] += bool(played.failures)
        for move in first_moves(found):
            met["chains"] += len(move.steps) > 1
            met["choices"] += move.steps[0].choice != -1
            met[move.steps[0].kind] += 1
    kinds = ("over", "cut", "failed", "errors", "choices", "place", "move", "select")
    assert all(met[kind] >= 8 for kind in (*kinds, "chains")), met
    # A game that fails or has no legal move at the start compares little.
    assert met["cut"] + met["over"] > 0.4 * SEEDS


def first_moves(found: Game) -> Sequence[Move]:
    try:
        return found.legal_moves(found.initial_state())
    except RulesError:
        return ()


# Specs that expose these mistakes. If a seed's spec changes, search all seeds again.
SHOWN_BY = {
    "a chain that may always stop": 21,
    "every move kept": 24,
    "a swap that does nothing": 182,
    "turns that only go round": 20,
    "one register for all players": 220,
    "registers of any number": 103,
    "numbers that wrap round": 52,
    "`or` that goes on": 39,
    "no more than 64 cells": 90,
    "runs that need no end": 21,
    "lines that may be longer": 9,
    "slides of one step": 44,
    "both branches worked out": 10,
    "no promotion": 9,
    "pieces that fall one by one": 8,
    "fills along every direction": 80,
    "fills of one step": 11,
    "a record without what is removed on the way": 21,
    "pieces that fall through others": 30,
    "losing that wins": 35,
    "passes that count as moves": 43,
    "what follows a move of another": 56,
}


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_engine_with_a_mistake_is_found_out(mistake: str) -> None:
    for found in filter(None, map(game, (SHOWN_BY.get(mistake, 0), *range(SEEDS)))):
        first = Game(found.rules, found.parameters, "interpreter")
        engines = Engines(first, broken(found, mistake))
        engines.limit(60_000)
        try:
            engines.play(0, 8)
        except TooLong:
            continue
        except Difference:
            return
    pytest.fail("no generated spec shows the mistake")


@pytest.mark.slow
def test_a_mistake_in_counts_and_in_random_games_is_found_out() -> None:
    right, wrong = (load("tic-tac-toe", engine="interpreter") for _ in range(2))
    same = Engines(right, right)
    assert same.count(3) == 504
    assert same.playouts(3, seed=1) == right.playouts(3, seed=1)
    perft, playouts = wrong.perft, wrong.playouts
    vars(wrong)["perft"] = lambda *a, **k: perft(*a, **k) + (k.get("ended") == "keep")
    with pytest.raises(Difference, match="perft 2 keep free"):
        Engines(right, wrong).count(2)
    vars(wrong)["playouts"] = lambda games, seed, state: playouts(games, seed=seed + 1)
    with pytest.raises(Difference, match="playouts of seed 1"):
        Engines(right, wrong).playouts(3, seed=1)


def test_an_error_of_another_text_and_one_of_another_type_are_found_out() -> None:
    right, wrong = (load("tic-tac-toe", engine="interpreter") for _ in range(2))
    for error in (EvaluationError("this"), LimitError("that")):
        vars(right)["outcome"] = _raising(EvaluationError("that"))
        vars(wrong)["outcome"] = _raising(error)
        with pytest.raises(Difference, match="outcome at ply 0"):
            Engines(right, wrong).play(0, 1)


def _raising(error: Exception) -> Callable[[State], None]:
    def outcome(state: State) -> None:
        raise error

    return outcome


# invariants of every spec


@pytest.mark.slow
@settings(max_examples=15, suppress_health_check=SLOW)
@given(specs())
def test_invariants_hold_for_generated_specs(spec: str) -> None:
    try:
        found = load_source(Source("spec.yaml", spec), engine="interpreter")
    except SpecError:
        assume(False)
    hold(found)


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(first, marks=pytest.mark.deep if first else pytest.mark.slow)
        for first in range(0, SEEDS, 30)
    ],
)
def test_invariants_hold_for_many_generated_specs(first: int) -> None:
    for seed in range(first, first + 30):
        found = game(seed)
        if found is not None:
            hold(Game(found.rules, found.parameters, "interpreter"))


def hold(found: Game) -> None:
    """Play a random game and check each position; rules may fail only with a reported error."""
    assert text.read(text.show(found.program)) == found.program
    engines = Engines(found)
    engines.limit(60_000)
    draw = Generator(0, 0)
    try:
        state = found.initial_state()
        for _ in range(12):
            moves = check_position(found, state)
            if not moves:
                return
            state = found.apply(state, moves[draw.below(len(moves))])
    except (TooLong, EvaluationError, LimitError):
        return


def check_position(found: Game, state: State) -> Sequence[Move]:
    """Check a position: it reads back, no cell holds two pieces, ended games have no moves."""
    assert found.state_from(str(state)) == state
    board = found.program.topology.mask
    assert sum(mask.bit_count() for mask in state.planes) == _union(state.planes).bit_count()
    assert _union(state.planes) & ~board == 0
    assert 0 <= state.side < len(found.players)
    outcome, moves = found.outcome(state), found.legal_moves(state)
    assert outcome is None or moves == ()
    assert len({move.steps for move in moves}) == len(moves)
    # Perft does not count chance moves by themselves, unless they are plies.
    is_chance = bool(moves) and found.program.rules.groups[moves[0].steps[0].group].weight
    if not is_chance or found.program.rules.chance is None or found.program.rules.chance.counts:
        assert found.perft(1, state) == len(moves)
    return moves


def _union(masks: tuple[int, ...]) -> int:
    total = 0
    for mask in masks:
        total |= mask
    return total
