"""Bit indices for the cells of a board, with gaps that make a step in a direction one shift.

Guard files of bitboards and the 0x88 board use the same idea. `places` numbers boards that fit into
one word, `grid` larger ones by rows.
"""

from itertools import pairwise

from rulesengine.board.topology import Topology

WORD = 64
_FEW = 4  # a step on a torus with gaps goes ahead, or wraps to a first row, a first column or both


def places(topology: Topology) -> tuple[int, ...] | None:
    """Return the bit of each cell in one word, ascending; None if cell numbers need no more shifts.

    Each line of the screen takes the same number of bits, holes included. So neighbours in a
    direction have the same distance all over the board.
    """
    if topology.cells >= WORD or not topology.directions:
        return None
    numbers = _by_lines(topology)
    own = tuple(range(topology.cells))
    if (
        numbers is None
        or numbers[-1] >= WORD
        or _shifts(topology, numbers) >= _shifts(topology, own)
    ):
        return None
    return numbers


def grid(topology: Topology) -> tuple[tuple[int, int], tuple[int, ...] | None] | None:
    """Return the rows and columns, and for each cell row * columns + column.

    The second value is None if it equals the cell numbers. Rows are lines of the screen; where each
    line is shifted against the next, columns are slanted. The result is None for boards without
    such a grid, and for boards with gaps that fit into a word.
    """
    rows = max(line for line, _ in topology.screen) + 1
    columns = max(column for _, column in topology.screen) + 1
    if all(r * columns + c == i for i, (r, c) in enumerate(topology.screen)):
        return (rows, columns), None
    if topology.cells <= WORD or not topology.directions:
        return None
    shapes = [slanted for slant in (0, 1, -1) if (slanted := _slanted(topology, slant))]
    if not shapes:
        return None
    strides, width, bits = min((_strides(topology, *shape), *shape) for shape in shapes)
    return ((rows, width), bits) if strides <= _FEW else None


def _slanted(topology: Topology, slant: int) -> tuple[int, tuple[int, ...]] | None:
    """Return the number of columns and the index of each cell, with columns
    slanted by half cells.
    """
    halves = [2 * c + topology.indents[r] + slant * r for r, c in topology.screen]
    if len({half % 2 for half in halves}) > 1:
        return None
    columns = [(half - min(halves)) // 2 for half in halves]
    width = max(columns) + 1
    rows = (row for row, _ in topology.screen)
    return width, tuple(r * width + c for r, c in zip(rows, columns, strict=True))


def _strides(topology: Topology, width: int, bits: tuple[int, ...]) -> int:
    """Return the largest number of distinct (row, column) offsets of any direction."""
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
    """Number the cells by line and half column, with the smallest pitch that keeps their order."""
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
    """True if successive cells are a positive, even number of half columns apart."""
    positions = [line * pitch + half for line, half in zip(lines, halves, strict=True)]
    apart = [b - a for a, b in pairwise(positions)]
    return all(step > 0 and step % 2 == 0 for step in apart)


def _shifts(topology: Topology, bits: tuple[int, ...]) -> int:
    """Return the number of distinct shifts, summed over the directions."""
    return sum(
        len({bits[t] - bits[c] for c, t in enumerate(d.targets) if t >= 0})
        for d in topology.directions
    )
