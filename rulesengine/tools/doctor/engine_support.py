"""The engine that each part of a game runs on, and the reasons for slower engines."""

from collections.abc import Mapping
from dataclasses import dataclass

from rulesengine.engine.drivers.search.result import INFORMED
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.kernel.selection import Engine
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.search.method_choice import EvaluationChoice, MethodChoice
from rulesengine.search.trial_cache import Trial


@dataclass(frozen=True, slots=True)
class EngineSupport:
    """The engine of each part, and in `problems` why another engine is unavailable.

    The parts are those of `Game.engines`; the keys of `problems` are engine and part. `method` is
    the search method chosen from the program alone, `trial` the result of a method trial, if one
    was played on this machine. `learning` is the number of patterns and of table entries that
    `learn` would use, None for games that it refuses. `refused` has the reason why search, batches
    or learning have no kernel, by part; it is empty if this was not checked.
    `evaluation` is the default evaluation.
    """

    parts: Mapping[str, Engine]
    problems: Mapping[tuple[str, str], str]
    expected: Engine
    method: MethodChoice
    trial: Trial | None
    learning: tuple[int, int] | None
    evaluation: EvaluationChoice
    refused: Mapping[str, str]

    @property
    def evaluates(self) -> bool:
        """True if searches can evaluate positions: the game hides nothing."""
        return self.method.method not in INFORMED

    @property
    def fallbacks(self) -> tuple[str, ...]:
        """Return the parts that run on another engine than the expected one."""
        return tuple(part for part, engine in self.parts.items() if engine != self.expected)


def engine_support(
    game: Game, *, tries: bool = False, whole: bool = False, job: Job | None = None
) -> EngineSupport:
    """Compile all kernels of a game; `tries` plays a trial between search methods.

    `whole` also checks that code can be generated for search, batches and learning.
    """
    parts = game.engines()
    trial = game.trial(job=job) if tries else game.kept_trial
    method, engine = game.method_choice, expected(game.engine)
    refusals: dict[str, str] = {}
    if whole and engine != "interpreter":
        from rulesengine.engine.kernel.emission import (
            refused,  # imported here: only `whole` needs it
        )

        refusals = refused(game.machine)
    return EngineSupport(
        parts,
        game.engine_problems,
        engine,
        method,
        trial,
        game.learnable,
        game.evaluation_choice,
        refusals,
    )


def expected(engine: Engine) -> Engine:
    """Return the engine expected to run every part on this machine if this one is selected."""
    if engine != "auto":
        return engine
    return next((backend.name for backend in working()), "interpreter")
