"""IS-MCTS on poker hands with one reasonable move."""

import pytest

import rulesengine
from rulesengine import UsageError
from rulesengine.engine.drivers.random import Generator
from rulesengine.job import Job
from rulesengine.search.imperfect_information.determinization import Determinizer
from rulesengine.search.imperfect_information.information_set_tree_search import (
    InformationSetTreeSearch,
    MoveEstimate,
)
from tests.oracles.plain_hidden import HiddenGame, Kuhn, Leduc, Seen


def searched(game: HiddenGame, seen: Seen, count: int, seed: int = 0) -> tuple[MoveEstimate, ...]:
    found = Determinizer(game, seen.player, seed).determinizations(seen, Job())
    search = InformationSetTreeSearch(game, found, Generator(seed, 0))
    search.run(lambda: search.iterations < count, Job())
    return search.estimates()


@pytest.mark.parametrize(
    ("game", "player", "events", "move", "mean"),
    [
        # The highest card wins 2 by a call and loses 1 by a fold; the lowest one loses 2 or 1.
        (Kuhn(), 1, ("3", "b"), "b", 2),
        (Kuhn(), 1, ("1", "b"), "p", -1),
        (Kuhn(), 0, ("3", "p", "b"), "b", 2),
        (Kuhn(), 0, ("1", "p", "b"), "p", -1),
        # A pair in the last round is never beaten: after the raises a call wins 13 chips.
        (Leduc(), 0, ("K1", "r", "r", "c", "K2", "r", "r"), "c", 13),
    ],
)
def test_the_best_move_of_a_clear_hand_is_found(
    game: HiddenGame, player: int, events: tuple[str, ...], move: str, mean: int
) -> None:
    best, *others = searched(game, Seen(player, events), 300)
    assert (best.text, best.mean) == (move, mean)
    assert all(other.mean < mean for other in others)


def test_the_visits_are_the_iterations() -> None:
    found = searched(Leduc(), Seen(0, ("K1",)), 123)
    assert sum(move.visits for move in found) == 123


def test_a_seed_decides_the_search() -> None:
    seen = Seen(0, ("Q1",))
    results = [searched(Leduc(), seen, 200, seed) for seed in (1, 1, 2)]
    assert results[0] == results[1] != results[2]


def test_a_game_of_perfect_information_is_refused() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    with pytest.raises(UsageError, match="searches an information state, not a state: use `mcts`"):
        game.search(playouts=10, method="is-mcts")
