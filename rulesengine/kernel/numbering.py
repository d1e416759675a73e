"""Bits for the cells of a board: numbers with gaps, by which a direction is one shift."""

from itertools import pairwise

from rulesengine.board.topology import Topology

WORD = 64


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
