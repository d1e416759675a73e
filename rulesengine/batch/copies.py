"""Copies of games of a batch: their records, outputs and histories, read before any is written."""

from typing import TYPE_CHECKING

from rulesengine.engine.drivers.batch import layout as at
from rulesengine.errors import UsageError
from rulesengine.language.ir.program import Program
from rulesengine.support.frozen import record

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]


@record
class Outputs:
    """The outputs of some games: columns x games, then arrays with a row for each game."""

    columns: "Ints"
    payoffs: "Ints"
    flags: "Flags"
    lists: "Ints"
    steps: "Ints"


@record
class Copies:
    """Some games of a batch. `lines` has their histories, and is empty if rules read none."""

    records: "Ints"
    outputs: Outputs
    lines: list[bytes]

    @property
    def longest(self) -> int:
        """Return the largest number of positions in a history."""
        return int(self.records[:, at.BEFORE].max(initial=0))


def is_like(program: Program, other: Program) -> bool:
    """True if states and actions of two programs are the same."""
    return program is other or program == other


def check_pairs(targets: "Ints", origins: "Ints", games: int) -> None:
    """Raise UsageError unless there is one origin for each target and no target occurs twice."""
    import numpy as np

    if len(targets) != len(origins):
        raise UsageError(f"expected {len(targets)} games to copy, found {len(origins)}")
    if np.bincount(targets, minlength=games).max() > 1:
        raise UsageError("a game occurs twice among the targets of a copy")
