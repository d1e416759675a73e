"""Mastermind against its definition, and Knuth's bound of five guesses.

Donald Knuth, The Computer as Master Mind, Journal of Recreational Mathematics 9 (1977): the guess
that leaves the fewest codes at worst finds each of the 1,296 codes by the fifth guess, and needs
5,801 guesses for all of them.
"""

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import product

import pytest

import rulesengine
from rulesengine import Game, State

COLOURS = ("red", "yellow", "green", "blue", "orange", "purple")
CODES = tuple(product(range(6), repeat=4))

Code = tuple[int, ...]
Keys = tuple[int, int]


@cache
def answer(guess: Code, code: Code) -> Keys:
    """Return the black and the white keys of a guess."""
    blacks = sum(one == other for one, other in zip(guess, code, strict=True))
    return blacks, (Counter(guess) & Counter(code)).total() - blacks


def play(game: Game, state: State, pegs: Code) -> State:
    for peg in pegs:
        state = game.apply(state, game.move(COLOURS[peg], state))
    return state


def keys_of(game: Game, state: State, number: int) -> Keys:
    """Return the keys next to a guess, counted from 1, as the breaker sees them."""
    row = game.observation(state, "breaker").rows[-number]
    return row.count("x"), row.count("+")


@pytest.mark.slow
def test_random_guesses_get_the_keys_of_the_definition() -> None:
    game, draw = rulesengine.load("mastermind", engine="interpreter"), random.Random(1)
    for _ in range(3):
        code = draw.choice(CODES)
        state, number = play(game, game.initial_state(), code), 1
        while game.outcome(state) is None:
            guess = draw.choice(CODES)
            state = play(game, state, guess)
            assert keys_of(game, state, number) == answer(guess, code)
            number += 1


def best_guess(codes: Sequence[Code]) -> Code:
    """Return the guess that leaves the fewest codes at worst, a possible code if there is one."""
    if len(codes) < 3:
        return codes[0]

    def rank(guess: Code) -> tuple[int, bool, Code]:
        return (
            max(Counter(answer(guess, code) for code in codes).values()),
            guess not in kept,
            guess,
        )

    kept = frozenset(codes)
    return min(CODES, key=rank)


@pytest.mark.deep
def test_five_guesses_find_every_code() -> None:
    game = rulesengine.load("mastermind")
    guesses: dict[tuple[Code, ...], Code] = {CODES: (0, 0, 1, 1)}
    counts = Counter[int]()
    for code in CODES:
        state, left, number = play(game, game.initial_state(), code), CODES, 0
        while game.outcome(state) is None:
            guess = guesses[left] if left in guesses else guesses.setdefault(left, best_guess(left))
            state, number = play(game, state, guess), number + 1
            keys = keys_of(game, state, number)
            left = tuple(one for one in left if answer(guess, one) == keys)
        assert game.outcome(state) == rulesengine.Outcome("breaker", "the code is found")
        counts[number] += 1
    assert max(counts) == 5
    assert sum(number * count for number, count in counts.items()) == 5801
