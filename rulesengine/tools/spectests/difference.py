"""Differences between the expected and the actual values of a test, as text."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import unified_diff

_MOST_CELLS = 12  # listed below two boards


@dataclass(frozen=True, slots=True)
class Difference:
    """A key of a test that does not hold.

    `found` is the value of the key with which the test would pass; None if there is no such value,
    as for an illegal move.
    """

    key: str
    text: str
    found: object = None


def of_values(subject: str, expected: str, actual: str) -> str:
    """Compare two short values on two lines."""
    return f"{subject}\n  expected {expected or 'nothing'}\n  found    {actual or 'nothing'}"


def of_moves(expected: Sequence[str], actual: Sequence[str]) -> str:
    """Compare two lists of moves, and list the moves that are in only one of them."""
    lines = [of_values("legal moves", " ".join(expected), " ".join(actual))]
    missing = [move for move in expected if move not in actual]
    more = [move for move in actual if move not in expected]
    if missing:
        lines.append(f"  not legal: {' '.join(missing)}")
    if more:
        lines.append(f"  legal too: {' '.join(more)}")
    if not missing and not more and len(expected) == len(actual):
        lines.append("  the same moves in another order")
    return "\n".join(lines)


def of_boards(
    expected: Sequence[str], actual: Sequence[str], names: Sequence[Sequence[str]]
) -> str:
    """Compare two boards in two columns, with a mark and a name for each cell that differs.

    `names` are the names of the cells, line by line. Boards of different sizes are compared as
    lines.
    """
    if [len(row) for row in expected] != [len(row) for row in actual]:
        return of_lines("board", "\n".join(expected) + "\n", "\n".join(actual) + "\n")
    width = max(len("expected"), *map(len, expected)) + 2
    lines = ["board", f"  {'expected':{width}}{'found':{width}}differs"]
    cells: list[str] = []
    for one, other, row in zip(expected, actual, names, strict=True):
        differs = [a != b for a, b in zip(one, other, strict=True)]
        marks = "".join("^" if wrong else "·" for wrong in differs)
        lines.append(f"  {one:{width}}{other:{width}}{marks}")
        cells += [name for name, wrong in zip(row, differs, strict=True) if wrong]
    return "\n".join([*lines, f"  differs at {_listed(cells)}"])


def of_lines(subject: str, expected: str, actual: str) -> str:
    """Return the unified diff of two texts, with three lines of context."""
    one, other = (text.splitlines(keepends=True) for text in (expected, actual))
    lines = unified_diff(one, other, "expected", "found")
    return "\n".join([subject, *(f"  {_visible(line)}" for line in lines)])


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_CELLS
    shown = " ".join(names[:_MOST_CELLS])
    return f"{shown} and {more} more" if more > 0 else shown


def _visible(line: str) -> str:
    """Return a line of a diff with its trailing blanks made visible."""
    text = line.removesuffix("\n")
    ended = line.endswith("\n")
    shown = text.rstrip(" ") + "·" * (len(text) - len(text.rstrip(" ")) if len(text) > 1 else 0)
    return shown + ("" if ended else "  (no end of line)")
