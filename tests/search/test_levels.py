"""Levels of play: the budget of a move at each of them, and the noise of the choice."""

from collections import Counter
from statistics import fmean, pstdev

import pytest

import rulesengine
from rulesengine import UsageError
from rulesengine.engine.drivers.search.layout import CERTAIN
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.play.players.search_players import budget_of, choose
from rulesengine.search.levels import LEVELS, Level, calibration_of, level_with, row_of
from rulesengine.search.noisy_choice import log_visits, noisy_choice
from rulesengine.support.resources import bundled_names, data_file
from tests.helpers.level_games import greedy_player, level_player, points


def test_a_level_is_a_budget_of_what_the_method_counts() -> None:
    assert level_with("mcts", 50, 2.5, 9) == Level("mcts", (50,), 2.5)
    assert level_with("is-mcts", 50, 0.0, 9) == Level("is-mcts", (50,))
    assert level_with("alpha-beta", 450, 1.0, 9) == Level("alpha-beta", (150, 450, 1350), 1.0)
    # A search of one ply has room for its replies.
    assert level_with("alpha-beta", 450, 1.0, 40) == Level("alpha-beta", (320, 450, 1350), 1.0)
    assert Level("uct", (50,), 2.5).budget(3) == Budget(playouts=50, method="uct", noise=2.5)


def test_levels_have_growing_counts_and_decreasing_noise() -> None:
    for name in ("tic-tac-toe", "hex", "connect-four", "kuhn-poker"):
        game = rulesengine.load(name)
        levels = [game.level(number) for number in range(1, LEVELS + 1)]
        assert {level.method for level in levels} == {game.search_method}
        counts, noise = [level.counts[-1] for level in levels], [level.noise for level in levels]
        assert counts == sorted(counts), name
        assert noise == sorted(noise, reverse=True), name
        assert noise[0] > 1, name


def test_levels_of_a_single_player_have_no_noise() -> None:
    game = rulesengine.load("peg-solitaire")
    levels = [game.level(number) for number in range(1, LEVELS + 1)]
    assert {level.noise for level in levels} == {0}
    assert levels[0].counts < levels[7].counts


@pytest.mark.parametrize("number", [0, 9, True, 2.0])
def test_only_eight_levels_exist(number: int) -> None:
    with pytest.raises(UsageError, match=r"levels go from 1 to 8|whole number"):
        rulesengine.load("tic-tac-toe").level(number)


@pytest.mark.parametrize("noise", [-1, 101, float("nan"), float("inf"), True, "1"])
def test_noise_is_a_number_from_0_to_100(noise: float) -> None:
    game = rulesengine.load("tic-tac-toe")
    with pytest.raises(UsageError, match="`noise` is a number from 0 to 100"):
        game.search(nodes=100, noise=noise)


def test_the_noise_of_a_player_follows_its_limits() -> None:
    game = rulesengine.load("tic-tac-toe")
    assert budget_of(game, "search:nodes=90,noise=1.5") == Budget(nodes=90, noise=1.5)
    with pytest.raises(UsageError, match="say how long to search"):
        budget_of(game, "search:noise=1")


def test_moves_of_a_level_draw_each_of_its_counts_as_often() -> None:
    level = level_with("alpha-beta", 450, 0.0, 9)
    for first, step in ((0, 1), (7, 2), (2**63, 2)):  # of one player, and of one of two
        numbers = range(first, first + 300 * step, step)
        seen = Counter(level.budget(number) for number in numbers)
        assert set(seen) == {Budget(nodes=n, method="alpha-beta") for n in (150, 450, 1350)}
        assert min(seen.values()) > 95


def test_a_choice_without_noise_is_the_first_best_move() -> None:
    assert noisy_choice([3, 7, -2, 7], 0.0, 5) == 1
    assert noisy_choice([3, CERTAIN, -CERTAIN, 900], 0.0, 5) == 1
    assert noisy_choice([None, -CERTAIN, None, -3], 0.0, 5) == 3
    assert noisy_choice([None, None], 0.0, 5) is None


def test_noise_is_a_multiple_of_the_mean_deviation() -> None:
    """Compare with the normal distribution.

    Of two values of mean deviation 1, the lower one wins if a normal number of standard deviation
    2**0.5 * noise exceeds 2: with noise 1 in 7.9 % of all cases.
    """
    chosen = [noisy_choice([0, 2], 1.0, seed) for seed in range(4000)]
    assert fmean(number == 0 for number in chosen) == pytest.approx(0.079, abs=0.015)
    # The unit of the values has no effect.
    assert chosen == [noisy_choice([-5000, 15000], 1.0, seed) for seed in range(4000)]


def test_a_certain_win_is_missed_only_with_much_noise() -> None:
    values = [0, 10, -10, CERTAIN, 5, -CERTAIN]
    found = {
        noise: Counter(noisy_choice(values, noise, seed) for seed in range(300))
        for noise in (0.5, 4.0)
    }
    assert found[0.5] == {3: 300}
    assert 50 < found[4.0][3] < 250
    assert found[4.0][3] > found[4.0][5]
    assert all(noisy_choice([None, *values], 50.0, seed) != 0 for seed in range(300))


def test_equal_values_are_drawn_evenly() -> None:
    seen = Counter(noisy_choice([4] * 8, 1.0, seed) for seed in range(8000))
    assert set(seen) == set(range(8))
    assert pstdev(seen.values()) < 60


def test_logarithms_of_visits_grow_with_them() -> None:
    assert [log_visits(visits) for visits in (0, 1, 3, 1023)] == [0, 256, 512, 2560]
    numbers = [log_visits(visits) for visits in range(5000)]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("tic-tac-toe", {"nodes": 100}),
        ("three-mens-morris", {"nodes": 60}),
        ("cram", {"playouts": 30}),
        ("pig", {"nodes": 60}),
        ("three-player-tic-tac-toe", {"nodes": 100}),
    ],
)
def test_a_choice_with_noise_is_the_same_on_every_engine(name: str, limits: dict[str, int]) -> None:
    games = rulesengine.load(name, engine="interpreter"), rulesengine.load(name, engine="python")
    nodes, playouts = limits.get("nodes"), limits.get("playouts")
    for seed in range(4):
        plain, compiled = (
            game.search(_decision(game), nodes=nodes, playouts=playouts, noise=2.0, seed=seed)
            for game in games
        )
        assert [str(move) for move, _ in plain.moves] == [str(move) for move, _ in compiled.moves]
        assert plain.move == plain.moves[0][0] == plain.line[0]


def _decision(game: rulesengine.Game) -> rulesengine.State:
    state = game.initial_state()
    while game.weights(state):
        state = game.apply(state, game.legal_moves(state)[0])
    return state


def test_values_of_a_search_with_noise_are_exact() -> None:
    """Each value is that of plain negamax after the move, not a bound."""
    game = rulesengine.load("tic-tac-toe")
    state = game.initial_state()
    for text in ("a1", "b2", "b3"):
        state = game.apply(state, game.move(text, state))
    found = game.search(state, plies=4, noise=1.0)
    assert not found.bounded
    for move, value in found.moves:
        after = game.search(game.apply(state, move), plies=3)
        # A result is one ply further away before the move.
        further = 0 if after.unit == "estimate" or not after.value else 1 if after.value > 0 else -1
        assert value.number == further - after.value, move


def test_a_choice_depends_on_the_seed() -> None:
    game = rulesengine.load("tic-tac-toe")
    start = game.initial_state()
    chosen = [str(choose(game, start, "search:level=1", seed, 0)) for seed in range(12)]
    assert chosen == [str(choose(game, start, "search:level=1", seed, 0)) for seed in range(12)]
    assert len(set(chosen)) > 2
    assert len({choose(game, start, "search:level=8", seed, 0) for seed in range(3)}) == 1


def test_the_first_level_is_one_for_beginners() -> None:
    game = rulesengine.load("othello", n=4, engine="python")
    first, greedy = level_player(game, game.level(1)), greedy_player(game)
    last = level_player(game, game.level(5))
    assert sum(points(game, last, first, number) for number in range(12)) >= 8
    assert sum(points(game, first, greedy, number) for number in range(12)) <= 10


def test_calibrations_of_the_package_belong_to_their_games() -> None:
    lines = data_file("games/levels.txt").read_text().splitlines(keepends=True)
    rows = {line.split(" | ")[0]: line for line in lines if not line.startswith("#")}
    assert list(rows) == sorted(rows)
    assert set(rows) <= set(bundled_names())
    for name, row in rows.items():
        game = rulesengine.load(name)
        found = calibration_of(game.program)
        assert found is not None, name
        method, pairs = found
        assert method == game.search_method, name
        assert row == row_of(name, game.program, method, list(pairs))
        assert len(pairs) == LEVELS


def test_another_board_has_the_usual_levels() -> None:
    assert calibration_of(rulesengine.load("connect-four").program) is not None
    assert calibration_of(rulesengine.load("connect-four", columns=8).program) is None
