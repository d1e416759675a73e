"""Elo, intervals and sequential tests, against players of known strength."""

import math
import random
from collections import Counter

import pytest

from rulesengine import UsageError
from rulesengine.contests import Crosstable, Sprt, has_ratings, ratings, read_sprt
from rulesengine.contests.stats.ratings import Rating
from rulesengine.contests.stats.sprt import RunningTest, score_of
from rulesengine.contests.text_tables import elo_text

needs_choix = pytest.mark.skipif(not has_ratings(), reason="needs the extra `contests`")


def test_the_ratio_is_that_of_wald_where_all_rounds_are_decided() -> None:
    """Compare with the closed form: with rounds won or lost as a whole the model has two values."""
    test = Sprt(0, 50)
    won, lost = 30, 20
    p0, p1 = score_of(0), score_of(50)
    expected = won * math.log(p1 / p0) + lost * math.log((1 - p1) / (1 - p0))
    assert test.log_ratio(Counter({4: won, 0: lost})) == pytest.approx(expected, abs=0.02)


def test_bounds_are_walds() -> None:
    assert Sprt(0, 5, 0.05, 0.1).bounds == (math.log(0.1 / 0.95), math.log(0.9 / 0.05))


def test_rounds_count_in_the_order_of_their_numbers() -> None:
    rounds = [(n, 4 if n % 3 else 0) for n in range(400)]
    one, other = RunningTest(Sprt(0, 100)), RunningTest(Sprt(0, 100))
    one.add(rounds)
    for number in random.Random(1).sample(range(400), 400):
        other.add([rounds[number]])
    assert one.decision == other.decision == "H1"
    assert (one.rounds, one.counts) == (other.rounds, other.counts)


@pytest.mark.parametrize(
    "text", ["", "0", "5,0", "0,5,0.1", "0,5,0,0.1", "0,5,0.5,0.1", "0,inf", "a,b", "0,5,-0.1,0.1"]
)
def test_malformed_sprt_is_rejected(text: str) -> None:
    with pytest.raises(UsageError, match="--sprt: "):
        read_sprt(text)


def test_a_test_is_read() -> None:
    assert read_sprt("-5,5.5,0.01,0.1") == Sprt(-5, 5.5, 0.01, 0.1)
    assert read_sprt("0,5") == Sprt(0, 5, 0.05, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("elo", [0, 100])
def test_a_sequential_test_errs_no_more_often_than_it_may(elo: float) -> None:
    """Expect at most 6 wrong among 60 tests of error rate 10 %, plus 3 standard deviations."""
    assert errors(elo, 60) <= 6 + 3 * math.sqrt(60 * 0.1 * 0.9)


@pytest.mark.deep
@pytest.mark.parametrize("elo", [0, 100])
def test_a_thousand_sequential_tests_err_no_more_often_than_they_may(elo: float) -> None:
    assert errors(elo, 1000) <= 100 + 3 * math.sqrt(1000 * 0.1 * 0.9)


def errors(elo: float, tests: int) -> int:
    """Return the number of tests that are wrong on a player who is stronger by so many Elo."""
    draw, wrong = random.Random(int(elo)), 0
    for _ in range(tests):
        test, number = RunningTest(Sprt(0, 100, 0.1, 0.1)), 0
        while not test.decision:
            halves = played(draw, elo, 0.3) + played(draw, elo, 0.3)
            test.add([(number, halves)])
            number += 1
        wrong += test.decision != ("H1" if elo else "H0")
    return wrong


@pytest.mark.slow
@needs_choix
def test_intervals_cover_the_strength_of_ten_players() -> None:
    """Check 20 tournaments: intervals of 95 % cover the strength in at least 90 % of all cases."""
    assert sum(covered(20)) >= 180


@needs_choix
@pytest.mark.deep
def test_intervals_cover_each_strength_in_nine_of_ten_tournaments() -> None:
    assert min(covered(200)) >= 180


def covered(tournaments: int) -> list[int]:
    """Return for each of ten players how often the interval covers its strength."""
    draw = random.Random(0)
    true = [40.0 * i for i in range(10)]
    mean = sum(true) / 10
    found = [0] * 10
    for _ in range(tournaments):
        for i, rating in enumerate(ratings(tournament(draw, true, 10))):
            found[i] += rating.low <= true[i] - mean <= rating.high
    return found


@needs_choix
def test_undefeated_player_has_a_finite_rating() -> None:
    table = Crosstable(3)
    table.wins.update({(0, 1): 10, (0, 2): 10, (1, 2): 10})
    first, second, third = ratings(table)
    assert first.elo > second.elo > third.elo
    assert all(math.isfinite(r.low) and math.isfinite(r.high) for r in (first, second, third))
    assert first.elo + second.elo + third.elo == pytest.approx(0, abs=1e-6)


@needs_choix
def test_two_of_three_to_one_are_as_far_apart_as_their_score() -> None:
    table = Crosstable(3)  # the third one has drawn half of its games with both
    table.wins.update({(0, 1): 7500, (1, 0): 2500})
    first, second, _ = ratings(table)
    assert first.elo - second.elo == pytest.approx(190.85, abs=0.1)


def tournament(draw: random.Random, strengths: list[float], games: int) -> Crosstable:
    """Return a round-robin tournament, with draws in three of ten games of equals."""
    table = Crosstable(len(strengths))
    for i in range(len(strengths)):
        for j in range(i):
            for _ in range(games):
                halves = played(draw, strengths[i] - strengths[j], 0.3)
                table.wins[i, j] += halves == 2
                table.wins[j, i] += halves == 0
                table.draws[i, j] += halves == 1
                table.draws[j, i] += halves == 1
    return table


def played(draw: random.Random, elo: float, drawn: float) -> int:
    """Return the half points of a player who is stronger by so many Elo; draws reduce wins and
    losses equally.
    """
    score = score_of(elo)
    share = drawn * 2 * min(score, 1 - score)
    at = draw.random()
    return 1 if at < share else 2 * (at < share / 2 + score)


def test_a_difference_of_almost_nothing_has_a_positive_sign() -> None:
    assert elo_text(Rating(-0.2, -296.4, 296.4)) == "+0 [-296, +296]"
