"""The cells of patterns: lines, neighbourhoods, and pairs if neighbourhoods are too large.

All kinds of piece have the same windows. See decision 203.
"""

from collections.abc import Iterator, Sequence

from rulesengine.board.automorphisms import Automorphism
from rulesengine.language.ir.program import Program
from rulesengine.support.frozen import record

Cells = tuple[int, ...]
_LEAST = 3  # cells of a line that is worth a pattern


@record
class Window:
    """Some cells in order; windows of one `form` are images of each other and share a table."""

    cells: Cells
    form: int


def windows_of(program: Program, most: int, group: Sequence[Automorphism]) -> tuple[Window, ...]:
    """Return the windows of a board with at most `most` cells; subsets of others are omitted."""
    windows: dict[frozenset[int], Window] = {}
    forms = 0
    for cells in _largest([*_neighbourhoods(program, most), *_lines(program, most)]):
        if frozenset(cells) in windows:
            continue
        for moved in group:
            image = tuple(moved.cells[cell] for cell in cells)
            windows.setdefault(frozenset(image), Window(image, forms))
        forms += 1
    return tuple(windows.values())


def _largest(windows: list[Cells]) -> list[Cells]:
    """Return the windows that are subsets of no other, each once."""
    sets = {frozenset(cells): cells for cells in windows}
    return [cells for own, cells in sets.items() if not any(own < other for other in sets)]


def _neighbourhoods(program: Program, most: int) -> Iterator[Cells]:
    """Yield each cell with its neighbours; with each neighbour separately if they are too many."""
    for cell, near in enumerate(program.topology.adjacency):
        others = [c for c in range(program.topology.cells) if near >> c & 1]
        if len(others) < most:
            yield (cell, *others)
        else:
            yield from ((min(cell, c), max(cell, c)) for c in others if most > 1)
    if most == 1 or not any(program.topology.adjacency):
        yield from ((cell,) for cell in range(program.topology.cells))


def _lines(program: Program, most: int) -> Iterator[Cells]:
    """Yield lines of the board and tracks; longer ones in pieces that overlap by about a half."""
    routes = tuple(route.cells for route in program.routes)
    for line in (*program.topology.lines, *routes):
        length = min(len(line), most)
        if length >= min(_LEAST, most):
            overhang = len(line) - length
            pieces = -(-overhang // max(1, length // 2))
            for piece in range(pieces + 1):
                start = overhang * piece // max(1, pieces)
                yield tuple(line[start : start + length])
