"""Seeded random games and counts of games of few pieces, Rolit and Tablut, by plain programs."""

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from operator import attrgetter

from tests.oracles import plain_few, plain_room, variants
from tests.oracles.openspiel import Ply, Result
from tests.oracles.plain_games import Plain, Repeating

GAMES: dict[str, Callable[[], Plain]] = {
    "teeko": plain_few.Teeko,
    "three-musketeers": plain_few.Musketeers,
    "fox-and-hounds": plain_few.Hunt,
    "neutron": lambda: Repeating(plain_few.Neutron(), attrgetter("with_man")),
    "order-and-chaos": plain_few.OrderAndChaos,
    "order-and-chaos-5": partial(plain_few.OrderAndChaos, 5),
    "squava": plain_few.Squava,
    "gcj13-tomek": plain_few.Tomek,
    "rolit": partial(plain_room.Rolit, "red", "yellow", "green", "blue"),
    "rolit-2": partial(plain_room.Rolit, "red", "yellow"),
    "rolit-3": partial(plain_room.Rolit, "red", "yellow", "green"),
    "tablut": lambda: Repeating(plain_room.Tablut()),
    "snailtrail": plain_room.Snails,
    "snailtrail-3": partial(plain_room.Snails, 3),
}


def random_game(name: str, seed: int, plies: int = 150) -> Iterator[Ply | Result]:
    """Play a game by random moves, broken off after so many."""
    return variants.played(GAMES[name](), random.Random(f"{name} {seed}"), plies)


def perft(name: str, depth: int) -> int:
    """Count the sequences of so many moves in a game of the table."""
    return count(GAMES[name](), depth)


def count(game: Plain, depth: int) -> int:
    """Count the sequences of so many moves from a position."""
    if depth == 0 or game.over:
        return int(depth == 0)
    legal = game.legal()
    if depth == 1:
        return len(legal)
    return sum(count(_after(game, text), depth - 1) for text in legal)


def _after(game: Plain, text: str) -> Plain:
    after = deepcopy(game)
    after.play(text)
    return after
