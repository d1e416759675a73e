"""IS-MCTS on poker hands with one reasonable move."""

from collections.abc import Hashable
from math import fsum

import pytest

import rulesengine
from rulesengine import UsageError
from rulesengine.engine.drivers.random import Generator
from rulesengine.job import Job
from rulesengine.search.imperfect_information.determinization import Determinizer
from rulesengine.search.imperfect_information.extensive_form import (
    Decision,
    H,
    ObservedForm,
    Terminal,
)
from rulesengine.search.imperfect_information.information_set_tree_search import (
    InformationSetTreeSearch,
    MoveEstimate,
)
from tests.oracles.plain_hidden import (
    HiddenGame,
    Kuhn,
    Leduc,
    Phantom,
    PhantomTicTacToe,
    Seen,
)


def searched(
    game: ObservedForm[H], seen: Seen, count: int, seed: int = 0
) -> tuple[MoveEstimate, ...]:
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


class RandomOpponent:
    """The exact score of IS-MCTS as the first player against random play.

    The moves depend on the information state and the seed alone, so each is searched once.
    """

    def __init__(self, playouts: int, seed: int) -> None:
        self.game = PhantomTicTacToe()
        self.playouts = playouts
        self.seed = seed
        self.moves: dict[bytes, int] = {}
        self.scores: dict[Hashable, float] = {}

    def score(self, history: Phantom) -> float:
        """Return the expected score from a history, from 0 to 1."""
        node = self.game.node(history)
        if isinstance(node, Terminal):
            return (node.payoffs[0] + 1) / 2
        assert isinstance(node, Decision)
        seen = self.game.information(history, 0)
        key = self.game.state_key(history), seen.key
        if key not in self.scores:
            numbers = [self.move(seen)] if node.player == 0 else range(len(node.moves))
            found = [self.score(self.game.child(history, number)) for number in numbers]
            self.scores[key] = fsum(found) / len(found)
        return self.scores[key]

    def move(self, seen: Seen) -> int:
        if seen.key not in self.moves:
            best = searched(self.game, seen, self.playouts, self.seed)[0]
            self.moves[seen.key] = best.number
        return self.moves[seen.key]


@pytest.mark.slow
def test_a_thousand_determinizations_score_nearly_as_an_exact_best_response() -> None:
    # OpenSpiel's best response to random play scores 97.66 % as the first player.
    assert 0.95 <= RandomOpponent(1000, seed=0).score(Phantom()) < 0.9767
