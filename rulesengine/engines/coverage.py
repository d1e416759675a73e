"""What a game runs on: the fastest engine of each of its parts, and why it is no faster one."""

from collections.abc import Mapping
from dataclasses import dataclass

from rulesengine.game import Game
from rulesengine.kernel.backends.registry import working
from rulesengine.kernel.selection import Engine


@dataclass(frozen=True, slots=True)
class Coverage:
    """`parts` names an engine for each part, `problems` says why another could not be had.

    The parts are those of `Game.engines`; the keys of `problems` are engine and part. `method` is
    how the game is searched if nothing is said, `learning` what `learn` would look at: how many
    patterns and entries of tables, None for games of other than two players.
    """

    parts: Mapping[str, Engine]
    problems: Mapping[tuple[str, str], str]
    expected: Engine
    method: str
    learning: tuple[int, int] | None

    @property
    def fallbacks(self) -> tuple[str, ...]:
        """The parts that run on another engine than is expected here."""
        return tuple(part for part, engine in self.parts.items() if engine != self.expected)


def cover(game: Game) -> Coverage:
    """Make all kernels of a game."""
    parts = game.engines()
    return Coverage(
        parts, game.engine_problems, expected(game.engine), game.search_method, game.learnable
    )


def expected(asked: Engine) -> Engine:
    """The engine that should do everything here when this one is asked for."""
    if asked != "auto":
        return asked
    return next((backend.name for backend in working()), "interpreter")
