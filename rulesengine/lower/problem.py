"""What lowering finds wrong."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LoweringError(Exception):
    """A spec that does not fit the board of these parameters; `site` is -1 for the board itself.

    `row` and `sign` count from 1 in the diagram of the start; 0 is none.
    """

    site: int
    code: str
    message: str
    row: int = 0
    sign: int = 0
