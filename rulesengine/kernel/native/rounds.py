"""Runs along lines that may come round: lengths by doubling, never more than a ray has."""

from collections.abc import Iterator

from rulesengine.kernel.code import Moves, Rays, Runs
from rulesengine.kernel.native.lanes import Lanes
from rulesengine.kernel.native.layout import Layout, cells_of
from rulesengine.kernel.native.lines import lengths
from rulesengine.kernel.native.text import Body
from rulesengine.kernel.shape import moves_of

MOST_PIECES = 6


def fits(rays: Rays) -> bool:
    """Whether a step in each direction is only a few turns of a word."""
    return all(len(back.deltas) <= MOST_PIECES for back in rays.back)


def toward(b: Body, layout: Layout, runs: Runs, over: str, until: str) -> str:
    """As `lines.toward`, on lines that may come round."""
    found = []
    for back, room in zip(runs.rays.back, _rooms(runs), strict=True):
        at = until
        for _ in range(max(runs.least, 1)):
            at = layout.op(b, "and", layout.move(b, at, back), over)
        cells, passing = at if room > 0 else layout.const(0), over
        for _, size, half in _rounds(room):
            if half:
                moved = layout.move(b, passing, repeated(back, half))
                passing = layout.op(b, "and", passing, moved)
            moved = layout.op(b, "and", layout.move(b, cells, repeated(back, size)), passing)
            cells = layout.op(b, "or", cells, moved)
        if not runs.least:
            cells = layout.op(b, "or", cells, until)
        found.append(layout.move(b, cells, back))
    return layout.union(b, found)


def toward_in_lanes(b: Body, runs: Runs, over: str, until: str) -> str:
    """The same on one word, directions side by side; rays and steps are of bits."""
    backs, rooms = runs.rays.back, _rooms(runs)
    v = Lanes(b, len(backs))

    def leap(cells: str, steps: list[int]) -> str:
        pairs = zip(backs, steps, strict=True)
        return _turned(v, cells, [repeated(back, times) for back, times in pairs])

    one, ends, passing = [1] * len(backs), v.splat(until), v.splat(over)
    cells = ends
    for _ in range(max(runs.least, 1)):
        cells = v.op("and", leap(cells, one), passing)
    if min(rooms) < 1:
        cells = v.op("and", cells, v.const([-1 if room > 0 else 0 for room in rooms]))
    for covered, size, half in _rounds(max(rooms)):
        if half:
            passing = v.op("and", passing, leap(passing, [half] * len(backs)))
        sizes = [max(0, min(size, room - covered)) for room in rooms]
        cells = v.op("or", cells, v.op("and", leap(cells, sizes), passing))
    if not runs.least:
        cells = v.op("or", cells, ends)
    return v.join(leap(cells, one))


def _rooms(runs: Runs) -> list[int]:
    """How many lengths from the least one on fit into the rays of each direction."""
    most = [length - 1 for length in lengths(runs.rays)]
    if runs.most is not None:
        most = [min(length, runs.most) for length in most]
    return [length - max(runs.least, 1) + 1 for length in most]


def _rounds(room: int) -> Iterator[tuple[int, int, int]]:
    """How lengths grow: how many there are, by how many more, and, if that doubles, from what.

    Who is in a longer row than those so far is in one of as many cells as any step has.

    >>> list(_rounds(7))
    [(1, 1, 0), (2, 2, 1), (4, 2, 0), (6, 1, 0)]
    """
    covered = power = 1
    while covered < room:
        doubles = 2 * power <= covered and room - covered > power
        yield covered, min(power << doubles, room - covered), power if doubles else 0
        power <<= doubles
        covered += min(power, room - covered)


def repeated(moves: Moves, times: int) -> Moves:
    """A map of cells done so many times; none at all for 0 times."""
    after = {
        cell: cell + delta
        for delta, mask in zip(moves.deltas, moves.masks, strict=True)
        for cell in cells_of(mask)
    }
    pairs = [(cell, cell) for cell in after] if times else []
    for _ in range(times):
        pairs = [(cell, after[at]) for cell, at in pairs if at in after]
    return moves_of(pairs)


def _turned(v: Lanes, vector: str, moves: list[Moves]) -> str:
    """The cells that those of each lane lead to; what turns alike does so at once."""
    lanes = [_turns(of) for of in moves]
    found = v.const([0])
    for k in range(max(map(len, lanes))):
        turn = [lane[k] if k < len(lane) else (0, 0) for lane in lanes]
        part = v.op("and", v.turn(vector, [t for t, _ in turn]), v.const([m for _, m in turn]))
        found = v.op("or", found, part) if k else part
    return found


def _turns(moves: Moves) -> list[tuple[int, int]]:
    """By how much to turn a word left, and the bits that are right then."""
    found: dict[int, int] = {}
    for delta, mask in zip(moves.deltas, moves.masks, strict=True):
        reached = mask << delta if delta > 0 else mask >> -delta
        found[delta % 64] = found.get(delta % 64, 0) | reached
    return sorted(found.items())
