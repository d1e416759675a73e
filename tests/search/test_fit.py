"""Fits: the lead by the rules in learning, corrected searches, and the match that decides."""

import random
from array import array

import pytest

import rulesengine
from rulesengine import Game
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.search import match_layout
from rulesengine.engine.drivers.search import td_layout as at
from rulesengine.engine.drivers.search.result import Budget, Settings
from rulesengine.engine.drivers.search.sigmoid import ONE
from rulesengine.engine.drivers.search.td_learning import learn
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.job import Job
from rulesengine.search import named_evaluations
from rulesengine.search.fit_match import MatchRun, beats_the_rules
from rulesengine.search.learned_weights import LearnedWeights
from rulesengine.search.named_evaluations import fitted_weights
from rulesengine.search.searches import start_search
from tests.benchmarks.fitted_match import FOLDER
from tests.helpers.engine_comparison import needs_native

BACKENDS = tuple(sorted(backend.name for backend in working()))


@pytest.mark.parametrize("slow", [0, 1, 3])
def test_a_lead_by_the_rules_is_added_to_the_sum_of_weights(slow: int) -> None:
    # The winner to move leads by one unit: the value is half a win by x / (1 + x), its slope is a
    # quarter, and half a win is missing.
    own, tables = Memory(at.entries_of(2, 2, 1) + 2), Memory(3 * 2)
    head = {at.WIDTH: 1, at.SIZE: 2, at.WAYS: 2, at.MOST: 2, at.UNIT: 100, at.SLOW: slow}
    for place, number in (head | {at.LEADS: at.entries_of(2, 2, 1)}).items():
        own.numbers[place] = number
    for ply in range(2):
        own.numbers[at.HEAD + 2 * ply] = ply
        own.numbers[at.entries_of(ply, 2, 1)] = ply
    own.numbers[at.entries_of(2, 2, 1) + 1] = ONE
    learn(2, 1, False, own, tables, own)
    assert tables.numbers[1] == ONE // 8 // 2**slow
    assert tables.numbers[0] < 0


def corrected(game: Game, unit: int, factor: int) -> LearnedWeights:
    """Return weights of all sizes that correct the rules."""
    network = game._dispatcher.interpreted.network
    numbers = array("q", (n * 0x9E3779B1 % (ONE // 4) - ONE // 8 for n in range(network.size)))
    memory = Memory(network.size + 2)
    memory.numbers[:] = memoryview(numbers + array("q", (unit, factor)))
    return LearnedWeights(network, memory, pays=False, name="fitted")


def searched(game: Game, weights: LearnedWeights | None, plies: int) -> tuple[object, ...]:
    draw, state = random.Random(3), game.initial_state()
    for _ in range(plies):
        moves = game.legal_moves(state)
        state = game.apply(state, moves[draw.randrange(len(moves))])
    count, budget = len(game.legal_moves(state)), Budget(nodes=150, method="alpha-beta")
    search = start_search(game._dispatcher, state, count, budget, Settings(), weights)
    search.run(Job())
    return list(search.order), search.nodes, search.value_of(search.order[0])


# The second has captures that are followed, null moves and selective search.
@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["connect-four", pytest.param("los-alamos", marks=pytest.mark.deep)]
)
def test_corrected_searches_are_the_same_in_every_engine(name: str) -> None:
    plain = rulesengine.load(name, engine="interpreter")
    expected = searched(plain, corrected(plain, 300, 3), 6)
    assert expected != searched(plain, None, 6)
    for engine in BACKENDS:
        game = rulesengine.load(name, engine=engine)
        assert searched(game, corrected(game, 300, 3), 6) == expected


def test_a_correction_of_nothing_searches_as_the_rules_do() -> None:
    game = rulesengine.load("los-alamos", engine="interpreter")
    assert searched(game, corrected(game, 0, 1), 4) == searched(game, None, 4)


def test_a_fit_that_loses_its_match_leaves_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    monkeypatch.setattr(named_evaluations, "beats_the_rules", lambda *args: False)
    game = rulesengine.load("tic-tac-toe", engine="python")
    fitted, rules = (game.search(nodes=60, evaluation=name) for name in ("fitted", "rules"))
    assert fitted.evaluation == "fitted"
    assert fitted.moves == rules.moves
    assert fitted.nodes == rules.nodes


def matched(game: Game, nodes: int) -> list[int]:
    """Return the memory of a match of weights of all sizes, without its stop flag."""
    match = MatchRun(game._dispatcher, corrected(game, 300, 3), nodes, 4)
    match.run(Job())
    return match.own.numbers.tolist()[1:]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["tic-tac-toe", pytest.param("los-alamos", marks=pytest.mark.deep)]
)
def test_matches_are_the_same_in_every_engine(name: str) -> None:
    expected = matched(rulesengine.load(name, engine="interpreter"), 40)
    assert expected[0] > 0
    for engine in BACKENDS:
        assert matched(rulesengine.load(name, engine=engine), 40) == expected


def test_a_match_plays_each_opening_from_both_sides() -> None:
    # Equal players play each opening in the same way, so that the points of a pair are even.
    game = rulesengine.load("tic-tac-toe", engine="python")
    match = MatchRun(game._dispatcher, corrected(game, 0, 1), 20, 6)
    assert match.run(Job()) == 6
    assert match.own.numbers[match_layout.PLAYED] == 6


def test_equal_players_share_the_points_and_win_no_match() -> None:
    game = rulesengine.load("tic-tac-toe", engine="python")
    assert not beats_the_rules(game._dispatcher, corrected(game, 0, 1), Job())


@pytest.mark.deep
@needs_native
def test_a_fit_of_a_changed_game_beats_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    game = rulesengine.load(FOLDER / "othello-oblong.yaml", engine="native")
    weights = fitted_weights(game._dispatcher, Job())
    assert MatchRun(game._dispatcher, weights, 200, 60).run(Job()) > 60
