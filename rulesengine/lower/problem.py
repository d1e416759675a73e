"""What lowering finds wrong."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LoweringError(Exception):
    """A spec that does not fit the board of these parameters; `site` is -1 for the board itself."""

    site: int
    code: str
    message: str
