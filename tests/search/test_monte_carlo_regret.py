"""External-sampling MCCFR: exploitability of its average strategies by the exact tree."""

import pytest

from rulesengine import LimitError
from rulesengine.job import Job
from rulesengine.search.imperfect_information.best_response import (
    Bounds,
    PayoffTable,
    realisation_plan,
)
from rulesengine.search.imperfect_information.equilibrium import (
    EquilibriumRequest,
    find_equilibrium,
)
from rulesengine.search.imperfect_information.extensive_form import Decision, Node
from rulesengine.search.imperfect_information.monte_carlo_regret import (
    MOST_PLIES,
    ExternalSampling,
)
from rulesengine.search.imperfect_information.sequence_form import sequence_form
from tests.oracles.plain_hidden import HiddenGame, History, Kuhn, MatchingPennies


def bounds_of(game: HiddenGame, sampling: ExternalSampling[History]) -> Bounds:
    """Return the bounds of the average strategies, by the exact tree."""
    tree = sequence_form(game, 100)
    assert tree is not None
    plans = []
    for player, sets in enumerate(tree.sets):
        strategy = [1.0] * tree.sizes[player]
        for known in sets:
            shares = sampling.sets[player][known.information.key].average()
            for number, share in zip(known.sequences, shares, strict=True):
                strategy[number] = share
        plans.append(realisation_plan(tree, player, strategy))
    return PayoffTable(tree).bounds(plans)


def test_the_average_strategies_of_kuhn_poker_are_hard_to_exploit() -> None:
    sampling = ExternalSampling(Kuhn(), seed=1)
    for _ in range(4000):
        assert sampling.iterate(Job())
    bounds = bounds_of(Kuhn(), sampling)
    assert bounds.low <= -1 / 18 <= bounds.high
    assert bounds.exploitability < 0.02
    assert sampling.mean == pytest.approx(-1 / 18, abs=0.06)


def test_a_seed_decides_the_samples() -> None:
    means = []
    for seed in (3, 3, 4):
        sampling = ExternalSampling(Kuhn(), seed)
        for _ in range(50):
            sampling.iterate(Job())
        means.append(sampling.mean)
    assert means[0] == means[1] != means[2]


def test_the_limit_counts_visited_histories() -> None:
    sampling = ExternalSampling(Kuhn(), seed=0, limit=100)
    while sampling.iterate(Job()):
        pass
    assert sampling.histories == 100
    assert sampling.iterations > 1


def test_a_tree_beyond_the_budget_is_sampled_and_has_no_bounds() -> None:
    found = find_equilibrium(Kuhn(), EquilibriumRequest(nodes=100), Job())
    assert (found.at_least, found.at_most, found.is_precise) == (None, None, False)
    assert found.estimate is not None
    assert -2 < found.estimate < 2
    assert found.information_sets == len(found.strategies) > 0


class LongPennies(MatchingPennies):
    """A player moves as often as there are `plies`, before both choose a side."""

    plies = 0

    def node(self, history: History) -> Node:
        if len(history) < self.plies:
            return self.decision(history, 0, "w")
        return super().node(history[self.plies :])

    def child(self, history: History, number: int) -> History:
        node = self.node(history)
        assert isinstance(node, Decision)
        return (*history, node.moves[number])


@pytest.mark.parametrize(("plies", "is_short"), [(MOST_PLIES - 2, True), (MOST_PLIES - 1, False)])
def test_long_games_are_refused_before_the_stack_overflows(plies: int, is_short: bool) -> None:
    game = LongPennies()
    game.plies = plies
    sampling = ExternalSampling(game, seed=0)
    if is_short:
        assert sampling.iterate(Job())
    else:
        with pytest.raises(LimitError, match="games of at most 200 moves"):
            sampling.iterate(Job())
