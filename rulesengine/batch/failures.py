"""Failures of the rules in single games of a batch, and the type of the repair callback."""

from collections.abc import Callable

from rulesengine.errors import EvaluationError, LimitError
from rulesengine.support.frozen import record

Driver = Callable[..., int]
Restore = Callable[[int, int], None]  # game, mark: restores a game after a failed kernel


@record
class Failure:
    """A game in which the rules have failed, with the error."""

    game: int
    error: EvaluationError | LimitError
