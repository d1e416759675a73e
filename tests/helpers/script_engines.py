"""Runs of scripts by every engine, which must print the same and end the same way."""

import io
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rulesengine.errors import RulesError
from rulesengine.game import Game
from rulesengine.script import run

Ending = tuple[bytes, str, str]


class Pieces:
    """A stream that returns its content in pieces of a size."""

    def __init__(self, content: bytes, size: int) -> None:
        self._left, self._size = content, size

    def read(self, size: int) -> bytes:
        count = min(size, self._size)
        piece, self._left = self._left[:count], self._left[count:]
        return piece


def ending(game: Game, given: bytes, engine: str, piece: int = 1 << 20, seed: int = 0) -> Ending:
    """Return the output of a script, and the type and message of its error."""
    target = io.BytesIO()
    loaded = _cached_game(game, engine)
    try:
        run(loaded, Pieces(given, piece), target, seed=seed)
    except RulesError as error:
        return target.getvalue(), type(error).__name__, str(error)
    return target.getvalue(), "", ""


@lru_cache(maxsize=64)
def _cached_game(game: Game, engine: str) -> Game:
    """Return the same game with another engine, for many runs: its kernels are compiled once."""
    return with_engine(game, engine)


def with_engine(game: Game, engine: str) -> Game:
    """Return the same game with another engine."""
    values: Mapping[str, Any] = game.parameters
    return Game(game.rules, values, engine, game.tests)
