"""The options of learning from self-play."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TypedDict

from rulesengine.errors import UsageError
from rulesengine.state import State
from rulesengine.support.frozen import record
from rulesengine.support.validate import check_flag, check_number

File = str | PathLike[str]
Brief = File | tuple[File, int] | None


class LearningOptions(TypedDict, total=False):
    """Keyword arguments of `Game.learn`, which documents them."""

    games: int | None
    seconds: float | None
    brief: Brief
    seed: int | None
    starts: Sequence[State]
    correction: bool


@record
class TrainingPlan:
    """The self-play games to learn from.

    - `games` and `seconds` limit the run; at least one is given.
    - `brief` is a file for play only, which may have a largest size.
    - `starts` are the first states of the games, used in turn.
    - `seed` is None for that of the file.
    - `correction` learns a correction of the evaluation of the rules.
    """

    games: int | None = None
    seconds: float | None = None
    brief: Brief = None
    starts: Sequence[State] = ()
    seed: int | None = None
    correction: bool = False

    def check(self) -> None:
        """Raise UsageError for invalid options."""
        check_flag("`correction`", self.correction)
        games, seconds = self.games, self.seconds
        if games is None and seconds is None:
            raise UsageError("say how long to learn: so many games or seconds")
        if (games is not None and games < 1) or (seconds is not None and not seconds > 0):
            raise UsageError("to learn takes at least 1 game, and more than 0 seconds")

    def brief_file(self) -> tuple[Path | None, int | None]:
        """Return the path of the brief file, and its largest size. Raises UsageError."""
        if not isinstance(self.brief, tuple):
            return None if self.brief is None else Path(self.brief), None
        file, size = self.brief
        return Path(file), check_number("size of the brief file", size, 1)
