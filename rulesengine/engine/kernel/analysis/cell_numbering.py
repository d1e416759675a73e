"""Bits for the cells of a board: numbers with gaps, by which a direction is one shift.

Such as the guard files of bitboards, and the 0x88 board of older programs.

`places` are of one word, `grid` of rows for boards that are too large for that.
"""

from itertools import pairwise

from rulesengine.board.topology import Topology

WORD = 64
_FEW = 4  # a torus with gaps goes on in the direction, or to a first row or column, or to both


def places(topology: Topology) -> tuple[int, ...] | None:
    """For each cell its bit in one word, ascending; None if the cells' own numbers do as well.

    Where each line of the screen takes as many bits as any other, and cells that are not there
    take some too, neighbours in a direction are as far from each other all over the board.
    """
    if topology.cells >= WORD or not topology.directions:
        return None
    found = _by_lines(topology)
    own = tuple(range(topology.cells))
    if found is None or found[-1] >= WORD or _shifts(topology, found) >= _shifts(topology, own):
        return None
    return found


def grid(topology: Topology) -> tuple[tuple[int, int], tuple[int, ...] | None] | None:
    """Rows and columns, and for each cell row * columns + column if that is not its own number.

    Rows are lines of the screen; where each is shifted against the next, columns are slanted.
    None for boards that are none of that, and for others with gaps that fit into a word.
    """
    rows = max(line for line, _ in topology.screen) + 1
    columns = max(column for _, column in topology.screen) + 1
    if all(r * columns + c == i for i, (r, c) in enumerate(topology.screen)):
        return (rows, columns), None
    if topology.cells <= WORD or not topology.directions:
        return None
    shapes = [found for slant in (0, 1, -1) if (found := _slanted(topology, slant))]
    if not shapes:
        return None
    strides, width, bits = min((_strides(topology, *shape), *shape) for shape in shapes)
    return ((rows, width), bits) if strides <= _FEW else None


def _slanted(topology: Topology, slant: int) -> tuple[int, tuple[int, ...]] | None:
    """How many columns there are, and where each cell is, if columns move by half cells a line."""
    halves = [2 * c + topology.indents[r] + slant * r for r, c in topology.screen]
    if len({half % 2 for half in halves}) > 1:
        return None
    columns = [(half - min(halves)) // 2 for half in halves]
    width = max(columns) + 1
    rows = (row for row, _ in topology.screen)
    return width, tuple(r * width + c for r, c in zip(rows, columns, strict=True))


def _strides(topology: Topology, width: int, bits: tuple[int, ...]) -> int:
    """By how many numbers of rows and columns the most varied direction moves."""
    return max(
        len(
            {
                (bits[t] // width - bits[c] // width, bits[t] % width - bits[c] % width)
                for c, t in enumerate(d.targets)
                if t >= 0
            }
        )
        for d in topology.directions
    )


def _by_lines(topology: Topology) -> tuple[int, ...] | None:
    """Cells by line and by half cells from the left, lines as near as their order allows."""
    halves = [2 * column + topology.indents[line] for line, column in topology.screen]
    lines = [line for line, _ in topology.screen]
    pitches = (p for p in range(1, max(halves) + 3) if _ascends(lines, halves, p))
    pitch = next(pitches, None)
    if pitch is None:
        return None
    first = lines[0] * pitch + halves[0]
    pairs = zip(lines, halves, strict=True)
    return tuple((line * pitch + half - first) // 2 for line, half in pairs)


def _ascends(lines: list[int], halves: list[int], pitch: int) -> bool:
    """Whether all cells are whole cells apart, each beyond the one before."""
    found = [line * pitch + half for line, half in zip(lines, halves, strict=True)]
    apart = [b - a for a, b in pairwise(found)]
    return all(step > 0 and step % 2 == 0 for step in apart)


def _shifts(topology: Topology, bits: tuple[int, ...]) -> int:
    """How many shifts all directions take."""
    return sum(
        len({bits[t] - bits[c] for c, t in enumerate(d.targets) if t >= 0})
        for d in topology.directions
    )
