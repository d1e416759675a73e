"""What lowering finds wrong."""

from dataclasses import dataclass

from rulesengine.language.ir.rules import Rules


@dataclass(frozen=True)
class LoweringError(Exception):
    """A spec that does not fit the board of these parameters; `site` is -1 for the board itself.

    `row` and `sign` count from 1 in the diagram of the start; 0 is none.
    `key` and `word` say what of the board is wrong, as in a BoardError, or `key` is `players`;
    `wanted` is how many signs or rows the diagram should have there,
    `nearest` a name that the board has, for one that it has not. `path` are the keys and the
    numbers of items that lead to a clause of the rules, as `cost` has them; `loops` tells whether
    there are any in what costs too much.
    """

    site: int
    code: str
    message: str
    row: int = 0
    sign: int = 0
    key: str = ""
    word: str = ""
    wanted: int = 0
    nearest: str = ""
    path: tuple[str | int, ...] = ()
    loops: bool = False


def place_of(error: LoweringError, rules: Rules) -> str:
    """The error of a game whose text is no longer at hand, on one line with its place."""
    if error.site < 0:
        return error.message
    site = rules.sites[error.site]
    return f"{site.file}:{site.line}:{site.column}: {error.message}"
