"""CFR+ on small games, with the values of Kuhn (1950), of OpenSpiel, and of brute force."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from rulesengine import UsageError
from rulesengine.engine.drivers.search.result import Equilibrium
from rulesengine.job import Job
from rulesengine.search.imperfect_information.best_response import (
    PayoffTable,
    realisation_plan,
    strategy_of,
)
from rulesengine.search.imperfect_information.counterfactual_regret import CfrPlus
from rulesengine.search.imperfect_information.equilibrium import (
    EquilibriumRequest,
    find_equilibrium,
)
from rulesengine.search.imperfect_information.extensive_form import Chance, Node, Terminal
from rulesengine.search.imperfect_information.sequence_form import SequenceForm, sequence_form
from rulesengine.search.imperfect_information.vectorised_regret import VectorisedCfrPlus
from tests.oracles.plain_hidden import (
    HiddenGame,
    History,
    Kuhn,
    Leduc,
    MatchingPennies,
    Seen,
)

MOST = 10_000
# OpenSpiel's tests of exploitability state these values of NashConv for equal probabilities.
UNIFORM_KUHN = Fraction(11, 12)
UNIFORM_LEDUC = 4.747222222222222


def tree_of(game: HiddenGame) -> SequenceForm:
    tree = sequence_form(game, MOST)
    assert tree is not None
    return tree


@pytest.fixture(scope="module")
def leduc() -> SequenceForm:
    return tree_of(Leduc())


def solved(game: HiddenGame, request: EquilibriumRequest) -> Equilibrium:
    return find_equilibrium(game, request, Job())


def uniform_plans(tree: SequenceForm) -> list[list[float]]:
    strategies = [strategy_of(tree, player, [0.0] * tree.sizes[player]) for player in (0, 1)]
    return [realisation_plan(tree, player, strategy) for player, strategy in enumerate(strategies)]


def test_the_tree_of_kuhn_poker_has_the_histories_and_sets_of_openspiel() -> None:
    tree = tree_of(Kuhn())
    assert tree.histories == 24 + 4 + 30
    assert [len(sets) for sets in tree.sets] == [6, 6]


def test_the_tree_of_leduc_poker_has_the_histories_and_sets_of_openspiel(
    leduc: SequenceForm,
) -> None:
    assert leduc.histories == 3780 + 157 + 5520
    assert sum(map(len, leduc.sets)) == 936


def test_a_tree_with_more_histories_than_the_limit_is_none() -> None:
    assert sequence_form(Kuhn(), 58) is not None
    assert sequence_form(Kuhn(), 57) is None


@pytest.mark.parametrize("kind", [CfrPlus, VectorisedCfrPlus])
def test_the_bounds_enclose_the_value_of_kuhn(kind: type[CfrPlus | VectorisedCfrPlus]) -> None:
    minimiser = kind(tree_of(Kuhn()))
    for _ in range(400):
        minimiser.iterate()
    bounds = minimiser.bounds()
    assert bounds.low <= -1 / 18 <= bounds.high
    assert bounds.nash_conv < 0.002


def test_the_second_player_of_kuhn_poker_has_its_only_equilibrium_strategy() -> None:
    found = solved(Kuhn(), EquilibriumRequest(nodes=500_000))
    bets = {row.information: row.moves[1] for row in found.strategies if row.player == "second"}
    # Kuhn 1950: bluff with the lowest card in a third of the games, call with the middle one.
    expected = {"1 p": 1 / 3, "1 b": 0, "2 p": 0, "2 b": 1 / 3, "3 p": 1, "3 b": 1}
    assert {name: text for name, (text, _) in bets.items()} == dict.fromkeys(expected, "b")
    assert {name: share for name, (_, share) in bets.items()} == pytest.approx(expected, abs=0.02)


def test_the_value_of_leduc_poker_is_that_of_openspiel(leduc: SequenceForm) -> None:
    minimiser = VectorisedCfrPlus(leduc)
    for _ in range(400):
        minimiser.iterate()
    bounds = minimiser.bounds()
    assert bounds.low <= -0.0856 <= bounds.high
    assert bounds.exploitability < 0.01


def test_mixed_strategies_of_two_by_two_games_follow_the_formula() -> None:
    # Equal payoffs of both moves of the opponent: 3x = 1 - x, with the value 3/4.
    found = solved(MatchingPennies(3, 0, 1), EquilibriumRequest())
    assert found.is_precise
    assert found.at_least is not None
    assert found.at_most is not None
    assert found.at_least <= 0.75 <= found.at_most <= found.at_least + 3 / 2000
    for row in found.strategies:
        assert dict(row.moves) == pytest.approx({"h": 0.25, "t": 0.75}, abs=0.01)


def test_numpy_finds_the_bounds_of_plain_python(leduc: SequenceForm) -> None:
    plain, vectorised = CfrPlus(leduc), VectorisedCfrPlus(leduc)
    for _ in range(8):
        plain.iterate()
        vectorised.iterate()
    one, two = plain.bounds(), vectorised.bounds()
    assert (one.low, one.high) == pytest.approx((two.low, two.high), abs=1e-9)
    for player in (0, 1):
        assert plain.average_strategy(player) == pytest.approx(
            vectorised.average_strategy(player), abs=1e-6
        )


def test_equal_probabilities_have_the_exploitability_of_openspiel(leduc: SequenceForm) -> None:
    kuhn = tree_of(Kuhn())
    for tree, nash_conv in ((kuhn, float(UNIFORM_KUHN)), (leduc, UNIFORM_LEDUC)):
        bounds = PayoffTable(tree).bounds(uniform_plans(tree))
        assert bounds.nash_conv == pytest.approx(nash_conv, abs=1e-9)


def pure_strategies(tree: SequenceForm, player: int) -> Iterator[list[float]]:
    """Yield all strategies of a player without chance, as probabilities of sequences."""
    for choice in product(*(known.sequences for known in tree.sets[player])):
        yield [float(n == 0 or n in choice) for n in range(tree.sizes[player])]


@pytest.mark.parametrize("player", [0, 1])
def test_a_best_response_is_the_best_of_all_pure_strategies(player: int) -> None:
    tree, random = tree_of(Kuhn()), Random(player)
    table, sign = PayoffTable(tree), 1 - 2 * player
    for _ in range(5):
        weights = [random.random() for _ in range(tree.sizes[1 - player])]
        plan = realisation_plan(tree, 1 - player, strategy_of(tree, 1 - player, weights))
        best = -9.0
        for strategy in pure_strategies(tree, player):
            own = realisation_plan(tree, player, strategy)
            paid = 0.0
            for entry in tree.payoffs:
                mine, other = entry.sequences[player], entry.sequences[1 - player]
                paid += sign * entry.value * own[mine] * plan[other]
            best = max(best, paid)
        assert table.best_response(player, plan) == pytest.approx(best, abs=1e-12)


def test_a_budget_ends_the_iterations_with_wider_bounds() -> None:
    found = solved(Kuhn(), EquilibriumRequest(nodes=58 + 10 * 2 * 58))
    assert (found.iterations, found.is_precise) == (10, False)
    assert found.at_least is not None
    assert found.at_most is not None
    assert found.at_least <= -1 / 18 <= found.at_most
    assert found.at_most - found.at_least > 0.002


def test_equal_requests_have_equal_results() -> None:
    results = [solved(Kuhn(), EquilibriumRequest(nodes=20_000)) for _ in range(2)]
    assert results[0].at_least == results[1].at_least
    assert results[0].iterations == results[1].iterations


class Present(MatchingPennies):
    """Both players are paid for heads."""

    def node(self, history: History) -> Node:
        node = super().node(history)
        return Terminal((1, 1)) if history == ("h", "h") else node


def test_payoffs_that_do_not_sum_to_zero_are_refused() -> None:
    with pytest.raises(UsageError, match="sum to zero"):
        sequence_form(Present(), MOST)


class ThreePennies(MatchingPennies):
    players = ("first", "second", "third")


def test_three_players_are_refused() -> None:
    with pytest.raises(UsageError, match="two players"):
        sequence_form(ThreePennies(), MOST)


class HiddenDraw(HiddenGame):
    """A single player guesses a draw that it does not see; tails is three times as probable."""

    players = ("guesser",)

    def node(self, history: History) -> Node:
        if not history:
            return Chance((1, 3))
        if len(history) == 1:
            return self.decision(history, 0, "h", "t")
        return Terminal((int(history[0] == history[1]),))

    def branches(self, history: History) -> tuple[str, ...]:
        return "h", "t"

    def information(self, history: History, player: int) -> Seen:
        return Seen(player, history[1:])


@pytest.mark.parametrize("kind", [CfrPlus, VectorisedCfrPlus])
def test_a_single_player_gets_the_greatest_expectation(
    kind: type[CfrPlus | VectorisedCfrPlus],
) -> None:
    minimiser = kind(tree_of(HiddenDraw()))
    for _ in range(50):
        minimiser.iterate()
    bounds = minimiser.bounds()
    assert bounds.high == pytest.approx(3 / 4)
    assert bounds.low == pytest.approx(3 / 4, abs=0.01)
