"""The options of learning from self-play."""

from collections.abc import Sequence
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import TypedDict

from rulesengine.errors import UsageError
from rulesengine.search.learned_weights import MOST_BATCH, is_batch
from rulesengine.state import State
from rulesengine.support.files import are_one_file, require_writable
from rulesengine.support.frozen import record
from rulesengine.support.validate import check_flag, check_number, check_path

MOST_THREADS = 1024
_MOST_SEED = 2**64 - 1
File = str | PathLike[str]
Brief = File | tuple[File, int] | None


class LearnOptions(TypedDict, total=False):
    """Keyword arguments of `Game.learn`, which documents them."""

    games: int | None
    seconds: float | None
    brief: Brief
    seed: int | None
    starts: Sequence[State]
    correction: bool
    threads: int | None
    batch: int | None


@record
class TrainingPlan:
    """The self-play games to learn from.

    - `games` and `seconds` limit the run; at least one is given.
    - `brief` is a file for play only, which may have a largest size.
    - `starts` are the first states of the games, used in turn.
    - `seed` is None for that of the file.
    - `correction` learns a correction of the evaluation of the rules.
    - `threads` play, all cores by default; they change no result.
    - `batch` is the largest number of games played with the same weights, by default that of the
      file.
    """

    games: int | None = None
    seconds: float | None = None
    brief: Brief = None
    starts: Sequence[State] = ()
    seed: int | None = None
    correction: bool = False
    threads: int | None = None
    batch: int | None = None

    def check(self) -> None:
        """Raise UsageError for invalid options."""
        check_flag("`correction`", self.correction)
        if self.threads is not None:
            check_number("number of threads", self.threads, 1, MOST_THREADS)
        if self.batch is not None:
            check_number("number of games of a batch", self.batch, 1, MOST_BATCH)
            if not is_batch(self.batch):
                raise UsageError(f"a batch has a power of two of games, found {self.batch}")
        check_limits(self.games, self.seconds, self.seed)

    def brief_file(self) -> tuple[Path | None, int | None]:
        """Return the path of the brief file, and its largest size. Raises UsageError."""
        if not isinstance(self.brief, tuple):
            return None if self.brief is None else Path(check_path(self.brief)), None
        file, size = self.brief
        return Path(check_path(file)), check_number("size of the brief file", size, 1)


def check_brief(out: Path, brief: Path) -> None:
    """Raise UsageError for a compact file that is the complete one, or cannot be written."""
    if are_one_file(out, brief):
        raise UsageError(f"{brief}: is the complete file: the compact one needs another name")
    require_writable(brief)


def check_limits(games: int | None, seconds: float | None, seed: int | None) -> None:
    """Raise UsageError unless positive numbers of games or seconds limit a run, with a seed."""
    if games is None and seconds is None:
        raise UsageError("say how long to learn: so many games or seconds")
    time: object = seconds
    if time is not None and not isinstance(time, Real):
        raise UsageError(f"the number of seconds is a number, found {time!r:.40}")
    is_empty = games is not None and check_number("number of games", games) < 1
    if is_empty or (seconds is not None and not seconds > 0):
        raise UsageError("to learn takes at least 1 game, and more than 0 seconds")
    if seed is not None:
        check_number("seed", seed, 0, _MOST_SEED)
