"""Parsing of texts that are no legal move, for explanations: the cells that they name."""

import re

from rulesengine.errors import NotationError
from rulesengine.language.ir.program import Program

_SHOWN = 40
_FORMS = 4


def read_cells(program: Program, text: str) -> tuple[int, ...]:
    """Parse the cells in a text with the characters of the game's notation, in order.

    At each place the longest name matches; a choice, after `=`, is ignored. Raises NotationError
    for any other character and for a text without cells.
    """
    names = sorted(program.topology.names, key=len, reverse=True)
    token = re.compile("|".join(map(re.escape, names)))
    signs = _signs(program)
    cells, at = list[int](), 0
    end = len(text.partition("=")[0])
    while at < end:
        match = token.match(text, at, end)
        if match is None and text[at] not in signs:
            raise _unknown(program, text)
        if match is not None:
            cells.append(program.topology.names.index(match[0]))
        at = match.end() if match else at + 1
    if not cells:
        raise _unknown(program, text)
    return tuple(cells)


def shown(text: str) -> str:
    """Return a text of a user shortened and without unprintable characters."""
    plain = "".join(c if c.isprintable() else "?" for c in text)
    return plain if len(plain) <= _SHOWN else plain[: _SHOWN - 1] + "…"


def _signs(program: Program) -> set[str]:
    """Return the characters between cells; `x` and `/` precede a selected or placed cell."""
    notation = program.rules.notation
    forms = (notation.place, notation.move, notation.capture, "-x/ ")
    return {c for form in forms for c in re.sub(r"\{[a-z]+\}", "", form)}


def _unknown(program: Program, text: str) -> NotationError:
    forms = dict.fromkeys(group.written.text for group in program.rules.groups if group.written)
    if forms:
        said = " or ".join(f"`{form}`" for form in list(forms)[:_FORMS])
        return NotationError(f"`{shown(text)}` names no move: moves are written {said}")
    example = program.topology.names[0]
    return NotationError(f"`{shown(text)}` names no move: cells are called like `{example}`")
