"""Games that the rules have failed in, and what puts right what a kernel has left half done."""

from collections.abc import Callable

from rulesengine.errors import EvaluationError, LimitError
from rulesengine.support.frozen import record

Driver = Callable[..., int]
Mend = Callable[[int, int], None]  # of a game, whose number is noted at a mark


@record
class Failure:
    """A game that the rules have failed in."""

    game: int
    error: EvaluationError | LimitError
