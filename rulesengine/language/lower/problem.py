"""Errors of lowering."""

from dataclasses import dataclass

from rulesengine.language.ir.rules import Rules


@dataclass(frozen=True)
class LoweringError(Exception):
    """A spec that does not fit the board of these parameters; `site` is -1 for the board itself.

    `row` and `sign` count from 1 in the start diagram; 0 is none. `key` and `word` are the cause in
    the section `board`, as in a BoardError, or `key` is `players`. `expected` is the number of
    signs or rows that the diagram should have, `nearest` a name of the board that is similar to an
    unknown one. `path` are the keys and item numbers that lead to a clause of the rules, as in
    `cost`. `loops` is true if the part that costs too much contains loops.
    """

    site: int
    code: str
    message: str
    row: int = 0
    sign: int = 0
    key: str = ""
    word: str = ""
    expected: int = 0
    nearest: str = ""
    path: tuple[str | int, ...] = ()
    loops: bool = False


def place_of(error: LoweringError, rules: Rules) -> str:
    """Format the error on one line with its place, for a game without its source text."""
    if error.site < 0:
        return error.message
    site = rules.sites[error.site]
    return f"{site.file}:{site.line}:{site.column}: {error.message}"
