"""Two-Person Whist against a plain program: moves, tricks, trees of play and exact results."""

import random

import pytest

import rulesengine
from rulesengine import Game, State
from tests.oracles.plain_open_whist import CARDS, Deal, best, counts

SIDES = ("first", "second")


def whist(engine: str = "interpreter") -> Game:
    return rulesengine.load("two-person-whist", engine=engine)


def position(game: Game, deal: Deal) -> State:
    """Return a position with these hands and no tricks so far."""
    signs = {card: sign for sign, hand in zip("fs", deal.hands, strict=True) for card in hand}
    rows = ["".join(signs.get(rank + suit, "p") for rank in "JQKA") for suit in "SHDC"]
    return game.state_from("\n".join([*rows, f"mover: {SIDES[deal.mover]}", "stock: 0"]))


def dealt(cards: int, seed: int) -> Deal:
    """Return a random deal of a number of cards for each player."""
    draw = random.Random(seed)
    chosen = draw.sample(CARDS, 2 * cards)
    return Deal((frozenset(chosen[:cards]), frozenset(chosen[cards:])), draw.randrange(2))


def compare(game: Game, seed: int) -> str | None:
    """Compare a random game ply by ply, with its deal, and return its winner."""
    draw, state, cards = random.Random(seed), game.initial_state(), list[str]()
    while len(cards) < len(CARDS):
        legal = {str(move): move for move in game.legal_moves(state)}
        assert legal.keys() == set(CARDS) - set(cards)
        assert [*game.weights(state)] == [1] * len(legal)
        cards.append(draw.choice(sorted(legal)))
        state = game.apply(state, legal[cards[-1]])
    deal, tricks = Deal((frozenset(cards[::2]), frozenset(cards[1::2])), 0), [0, 0]
    while (outcome := game.outcome(state)) is None:
        assert state.mover == SIDES[deal.mover]
        legal = {str(move): move for move in game.legal_moves(state)}
        assert legal.keys() == deal.legal()
        card = draw.choice(sorted(legal))
        state = game.apply(state, legal[card])
        deal, winner = deal.after(card)
        if winner >= 0:
            tricks[winner] += 1
        assert game.scores(state) == dict(zip(SIDES, tricks, strict=True))
    assert not any(deal.hands)
    best_tricks = max(tricks)
    leaders = [side for side, own in zip(SIDES, tricks, strict=True) if own == best_tricks]
    assert outcome.winner == (leaders[0] if len(leaders) == 1 else None)
    return outcome.winner


@pytest.mark.parametrize("seed", range(3))
def test_a_random_game_is_that_of_a_plain_program(seed: int) -> None:
    compare(whist(), seed)


@pytest.mark.deep
def test_random_games_are_those_of_a_plain_program() -> None:
    assert {compare(whist("auto"), seed) for seed in range(200)} == {*SIDES, None}


@pytest.mark.parametrize("seed", range(20))
def test_each_ply_has_as_many_lines_of_play(seed: int) -> None:
    game, deal = whist(), dealt(3, seed)
    start = position(game, deal)
    found = [game.perft(depth, start) for depth in range(1, 7)]
    assert found == counts(deal)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(40))
def test_each_ply_of_ten_has_as_many_lines_of_play(seed: int) -> None:
    game, deal = whist("native"), dealt(5, seed)
    start = position(game, deal)
    assert [game.perft(depth, start) for depth in range(1, 11)] == counts(deal)


@pytest.mark.parametrize("seed", range(20))
def test_solved_positions_have_the_tricks_of_best_play(seed: int) -> None:
    game, deal = whist(), dealt(4, seed)
    solved = game.solve(position(game, deal))
    value = best(deal) * (1 if deal.mover == 0 else -1)
    assert solved.score == value
    assert solved.value == ("win" if value > 0 else "loss" if value < 0 else "draw")
