"""What a game runs on: the fastest engine of each of its parts, and why it is no faster one."""

from collections.abc import Mapping
from dataclasses import dataclass

from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.kernel.selection import Engine
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.search.trial_cache import Trial


@dataclass(frozen=True, slots=True)
class Coverage:
    """`parts` names an engine for each part, `problems` says why another could not be had.

    The parts are those of `Game.engines`; the keys of `problems` are engine and part. `method` is
    how the game is searched if its rules alone are asked, `trial` what games have told of that, if
    any were played. `learning` is what `learn` would look at: how many patterns and entries of
    tables, None for games of other than two players. `refused` says why no kernel takes what
    searches, batches and learning ask for, by part; it is empty where nobody has looked.
    """

    parts: Mapping[str, Engine]
    problems: Mapping[tuple[str, str], str]
    expected: Engine
    method: str
    trial: Trial | None
    learning: tuple[int, int] | None
    refused: Mapping[str, str]

    @property
    def fallbacks(self) -> tuple[str, ...]:
        """The parts that run on another engine than is expected here."""
        return tuple(part for part, engine in self.parts.items() if engine != self.expected)


def cover(
    game: Game, *, tries: bool = False, whole: bool = False, job: Job | None = None
) -> Coverage:
    """Make all kernels of a game; `tries` has ways to search it play each other.

    `whole` looks too whether code can be made of what searches, batches and learning ask for.
    """
    parts = game.engines()
    trial = game.trial(job=job) if tries else game.kept_trial
    method, asked = game.search_method, expected(game.engine)
    refusals: dict[str, str] = {}
    if whole and asked != "interpreter":
        from rulesengine.engine.kernel.emission import (
            refused,  # here: who does not look needs none of it
        )

        refusals = refused(game.machine)
    return Coverage(parts, game.engine_problems, asked, method, trial, game.learnable, refusals)


def expected(asked: Engine) -> Engine:
    """The engine that should do everything here when this one is asked for."""
    if asked != "auto":
        return asked
    return next((backend.name for backend in working()), "interpreter")
