"""Chances of winning: units, the fit of the curve, and the table of bundled calibrations."""

import math
import random

import pytest

import rulesengine
from rulesengine import Game, UsageError
from rulesengine.search.calibration import Calibration, calibration_of, chance_of, digest_of
from rulesengine.search.searches import WIN, Value
from rulesengine.server.web.value_display import shown_value
from rulesengine.support.resources import bundled_names, calibration_text
from tests.helpers.calibration import LEAST, Sample, fitted, loss, played
from tests.helpers.cli_calls import call

ROWS = [line.split(" | ") for line in calibration_text().splitlines() if line[0] != "#"]


@pytest.fixture(scope="module")
def othello() -> Game:
    return rulesengine.load("othello", engine="interpreter")


@pytest.mark.parametrize(
    ("value", "chance"),
    [
        (Value(WIN - 5, "plies"), 1.0),
        (Value(-(WIN - 4), "plies"), 0.0),
        (Value(0, "plies"), 0.5),
        (Value(1, "result"), 1.0),
        (Value(-3, "points"), 0.0),
        (Value(240, "chance"), 0.62),
        (Value(0, "estimate"), 0.5),
        (Value(20, "estimate"), math.e / (1 + math.e)),
        (Value(-20, "estimate"), 1 / (1 + math.e)),
        (Value(10**9, "estimate"), 1.0),
        (Value(7, "payoff"), None),
        (Value(7000, "mean"), None),
    ],
)
def test_each_unit_states_its_chance(value: Value, chance: float | None) -> None:
    assert chance_of(value, Calibration(20.0, 80)) == (
        None if chance is None else pytest.approx(chance)
    )


def test_an_estimate_without_a_curve_states_none() -> None:
    assert chance_of(Value(5, "estimate"), None) is None
    assert chance_of(Value(1, "result"), None) == 1.0


def test_the_fit_finds_the_scale_of_drawn_results() -> None:
    draw, curve = random.Random(1), Calibration(40.0, 0)
    samples = []
    for _ in range(3000):
        value = draw.randint(-100, 100)
        samples.append(Sample(((value, float(draw.random() < curve.chance(value))),)))
    scale = fitted(samples)
    assert scale == pytest.approx(40.0, rel=0.1)
    assert loss(samples, Calibration(scale, 0).chance) < loss(samples, lambda value: 0.5)


def test_a_game_of_searches_gives_estimates_with_their_results() -> None:
    sample = played(rulesengine.load("othello", n=4), 0)
    if sample is None:  # the search has seen the end from the start
        sample = played(rulesengine.load("othello", n=6), 1)
    assert sample
    assert {result for _, result in sample.points} <= {0.0, 0.5, 1.0}


def test_rows_are_of_bundled_games_and_better_than_a_constant() -> None:
    assert len(ROWS) > 20
    assert {row[0] for row in ROWS} <= set(bundled_names())
    for name, digest, scale, games, found, constant in ROWS:
        assert len(digest) == 16, name
        assert 0.05 < float(scale) < 5000, name
        assert 40 <= int(games) <= 80, name
        assert float(found) <= LEAST * float(constant) + 0.001, name


def test_curve_of_chess_is_plausible_to_a_player() -> None:
    """A queen wins nearly always between equal players, and a pawn is worth less than that."""
    (scale,) = (float(row[2]) for row in ROWS if row[0] == "chess")
    curve = Calibration(scale, 80)
    assert curve.chance(900) > 0.9 > curve.chance(100) > 0.5


@pytest.mark.deep
def test_every_curve_is_current() -> None:
    stale = [row[0] for row in ROWS if digest_of(rulesengine.load(row[0]).rules) != row[1]]
    assert stale == [], "run tests.helpers.calibration, with `confirm` if play has not changed"


@pytest.mark.deep
def test_curves_are_of_games_that_alpha_beta_plays_by_default() -> None:
    methods = {row[0]: rulesengine.load(row[0]).search_method for row in ROWS}
    assert set(methods.values()) == {"alpha-beta"}, methods


def test_a_copy_under_another_name_has_the_same_curve(othello: Game) -> None:
    copy, value = rulesengine.loads("extends: othello\nname: A Copy\n"), Value(5, "estimate")
    assert copy.win_chance(value, "rules") == othello.win_chance(value, "rules") is not None


def test_other_parameters_and_rules_have_no_curve(othello: Game) -> None:
    assert calibration_of(othello.rules, othello.program)
    value = Value(5, "estimate")
    assert othello.win_chance(value, "rules")
    assert othello.bind(n=6).win_chance(value) is None
    assert rulesengine.load("othello", transforms=["misere"]).win_chance(value) is None
    four = rulesengine.load("connect-four", engine="interpreter")
    assert four.win_chance(value, "rules") is None


def test_a_learned_estimate_is_an_expected_result(othello: Game) -> None:
    """A value is from -100,000, a loss, to 100,000, a win; a file of the user states no chance."""
    assert othello.evaluation_choice.name == "learned"
    for number, chance in ((0, 0.5), (50_000, 0.75), (-80_000, 0.1)):
        assert othello.win_chance(Value(number, "estimate")) == pytest.approx(chance)
        assert othello.win_chance(Value(number, "estimate"), "fitted") is None
    assert othello.win_chance(Value(-3, "points")) == 0
    with pytest.raises(UsageError, match="no evaluation `x`"):
        othello.win_chance(Value(0, "estimate"), "x")


def test_the_commands_state_chances_of_calibrated_games_only() -> None:
    options = ("--plies", "2", "--engine", "interpreter")
    shown = call("search", "othello", *options).out
    assert "(estimated; a chance of " in shown
    assert (
        call("search", "othello", "--set", "n=6", *options)
        .out.splitlines()[1]
        .endswith("(estimated)")
    )
    data = call("search", "othello", *options, "--json").json()
    assert 0 < data["chance"] < 1
    plain = call("search", "othello", "--set", "n=6", *options, "--json").json()
    assert plain["chance"] is None


def test_the_page_says_the_chance_of_an_estimate() -> None:
    shown = shown_value(Value(5, "estimate"), chance=0.61)
    assert shown["description"] == "is slightly better, with a chance of 61 % (+5)"
    assert (shown["short"], shown["bar"]) == ("61 %", 0.22)
    assert shown_value(Value(9000, "estimate"), chance=1.0)["short"] == "99 %"
    plain = shown_value(Value(5, "estimate"))
    assert (plain["description"], plain["chance"]) == ("is clearly better (+5)", None)
    sure = shown_value(Value(1, "result"), chance=1.0)
    assert (sure["description"], sure["short"], sure["bar"]) == ("wins", "win", 1.0)


def test_an_estimate_of_a_correction_states_a_chance_by_its_unit() -> None:
    # A lead of one unit is worth half a win: x / (1 + x).
    chances = [
        chance_of(Value(number, "estimate"), None, is_learned=True, half=200)
        for number in (-600, 0, 200)
    ]
    assert chances == [0.125, 0.5, 0.75]
