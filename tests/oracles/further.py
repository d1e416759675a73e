"""Seeded random games and counts of games with words that few others use, by plain programs."""

import random
from collections.abc import Callable, Iterator
from functools import partial

from tests.oracles import plain_dealing, plain_hexagons, plain_joining_up, plain_pegs, variants
from tests.oracles.few_pieces import count
from tests.oracles.openspiel import Ply, Result
from tests.oracles.plain_games import Plain

GAMES: dict[str, Callable[[], Plain]] = {
    "okiya": plain_dealing.Tiles,
    "samegame": plain_dealing.Blocks,
    "samegame-3": partial(plain_dealing.Blocks, 3, 2),
    "chain-reaction": plain_dealing.Orbs,
    "chain-reaction-2": partial(plain_dealing.Orbs, 2, 3),
    "trike": plain_hexagons.Trike,
    "trike-3": partial(plain_hexagons.Trike, 3),
    "yavalath-3": plain_hexagons.Yavalath,
    "hey-thats-my-fish": plain_hexagons.Fishing,
    "hey-thats-my-fish-4": partial(plain_hexagons.Fishing, 4),
    "hey-thats-my-fish-5": partial(plain_hexagons.Fishing, 5),
    "chat-noir": plain_hexagons.CatHunt,
    "chat-noir-5": partial(plain_hexagons.CatHunt, 5, 12),
    "gale": plain_joining_up.Bridges,
    "gale-2": partial(plain_joining_up.Bridges, 2),
    "tic-tac-toe-klein": plain_joining_up.KleinBottle,
    "peg-solitaire": plain_pegs.Pegs,
}


def random_game(name: str, seed: int, plies: int = 500) -> Iterator[Ply | Result]:
    """Play a game by random moves."""
    return variants.played(GAMES[name](), random.Random(f"{name} {seed}"), plies)


def perft(name: str, depth: int) -> int:
    """Count the sequences of so many moves in a game of the table."""
    return count(GAMES[name](), depth)
