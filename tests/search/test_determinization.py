"""Determinizations, compared with all histories of small games."""

from collections import defaultdict
from collections.abc import Iterator
from math import fsum

import pytest

from rulesengine import LimitError
from rulesengine.engine.drivers.random import Generator
from rulesengine.job import Job
from rulesengine.search.imperfect_information.determinization import (
    Determinizations,
    Determinizer,
)
from rulesengine.search.imperfect_information.extensive_form import Chance, Decision, H
from tests.oracles.plain_hidden import (
    HiddenGame,
    History,
    Kuhn,
    Leduc,
    PhantomTicTacToe,
    Seen,
)


def histories(game: HiddenGame, player: int) -> Iterator[tuple[History, float]]:
    """Yield the histories at which a player moves, weighted by chance and the other player."""
    waiting = [(game.root(), 1.0)]
    while waiting:
        history, weight = waiting.pop()
        match game.node(history):
            case Chance(weights):
                shares = [w / sum(weights) for w in weights]
            case Decision(mover, _, moves):
                shares = [1.0 if mover == player else 1 / len(moves)] * len(moves)
                if mover == player:
                    yield history, weight
            case _:
                continue
        waiting += [(game.child(history, n), weight * s) for n, s in enumerate(shares)]


def posterior(game: HiddenGame, player: int) -> dict[Seen, dict[History, float]]:
    """Return the probability of each history in each information set of a player."""
    sets: dict[Seen, dict[History, float]] = defaultdict(dict)
    for history, weight in histories(game, player):
        sets[game.information(history, player)][history] = weight
    return {
        seen: {history: weight / fsum(known.values()) for history, weight in known.items()}
        for seen, known in sets.items()
    }


def shares_of(found: Determinizations[H]) -> dict[H, float]:
    totals = (0.0, *found.totals)
    return {
        history: (after - before) / totals[-1]
        for history, before, after in zip(found.histories, totals, totals[1:], strict=False)
    }


@pytest.mark.parametrize(("game", "player"), [(Kuhn(), 0), (Kuhn(), 1), (Leduc(), 1)])
def test_an_enumeration_has_the_probability_of_each_history(game: HiddenGame, player: int) -> None:
    expected = posterior(game, player)
    chosen = list(expected)[:: max(1, len(expected) // 12)]
    for seen in chosen:
        found = Determinizer(game, player).determinizations(seen, Job())
        assert found.is_complete
        assert shares_of(found) == pytest.approx(expected[seen])


def test_a_try_that_the_player_does_not_notice_counts_by_its_probability() -> None:
    game = PhantomTicTacToe()
    played = game.child(game.child(game.root(), 4), 0)
    found = Determinizer(game, 0).determinizations(game.information(played, 0), Job())
    shares = sorted(shares_of(found).values())
    # The second player takes one of 8 cells at once, or first meets the mark in the centre.
    assert shares == pytest.approx([1 / 9 / 8] * 8 + [1 / 9] * 8)


def selected(seen: Seen, limit: int, seed: int) -> Determinizations[History]:
    return Determinizer(Leduc(), seen.player, seed, limit).determinizations(seen, Job())


def test_particles_agree_with_the_events_and_are_a_selection() -> None:
    seen = Seen(0, ("J1", "c", "r", "c", "Q1", "c", "r"))
    everything = selected(seen, 100, 0)
    few = selected(seen, 3, 0)
    assert everything.is_complete
    assert not few.is_complete
    assert {*few.histories} < {*everything.histories}
    assert {Leduc().information(history, 0) for history in few.histories} == {seen}


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_particles_have_the_probabilities_of_the_enumeration_on_the_average(limit: int) -> None:
    seen = Seen(0, ("J1", "c", "r"))
    expected = shares_of(selected(seen, 100, 0))
    mean = dict.fromkeys(expected, 0.0)
    for seed in range(400):
        for history, share in shares_of(selected(seen, limit, seed)).items():
            mean[history] += share / 400
    assert mean == pytest.approx(expected, abs=0.06)


def test_a_later_call_continues_to_the_result_of_a_fresh_one() -> None:
    along = Determinizer(Leduc(), 0, seed=5, limit=3)
    events = ("J1", "c", "r", "c", "Q1", "c", "r")
    for count in (1, 3, 5, 7):
        seen = Seen(0, events[:count])
        fresh = Determinizer(Leduc(), 0, seed=5, limit=3).determinizations(seen, Job())
        assert along.determinizations(seen, Job()) == fresh


def test_an_earlier_state_after_a_later_one_is_replayed() -> None:
    determinizer = Determinizer(Kuhn(), 0)
    determinizer.determinizations(Seen(0, ("1", "p", "b")), Job())
    assert len(determinizer.determinizations(Seen(0, ("2",)), Job()).histories) == 2


def test_events_that_no_history_has_are_an_error() -> None:
    with pytest.raises(LimitError, match="no history was found in which"):
        Determinizer(Kuhn(), 0).determinizations(Seen(0, ("1", "p", "p", "p")), Job())


def test_draws_follow_the_weights() -> None:
    found = Determinizations(("a", "b", "c"), (1.0, 1.5, 4.0), is_complete=True)
    random = Generator(7, 0)
    drawn = [found.histories[found.draw(random)] for _ in range(4000)]
    counts = [drawn.count(name) / 1000 for name in "abc"]
    assert counts == pytest.approx([1.0, 0.5, 2.5], abs=0.15)
