"""Rays over sets of any layout, one direction after the other."""

from collections.abc import Callable, Iterator

from rulesengine.kernel.code import InRow, Moves, Rays, Runs
from rulesengine.kernel.native.layout import Layout, Stride, cells_of, padded, targets_of
from rulesengine.kernel.native.text import Body

Beside = Callable[[Body, str, int, list["Axis"]], str]
Axis = tuple[Stride, str]  # the step along it, and the constant set of cells that begin a row


def is_straight(rays: Rays) -> bool:
    """Whether each direction is one shift of the whole board."""
    return all(len(step.deltas) <= 1 for step in (*rays.steps, *rays.back))


def longest(rays: Rays) -> int:
    """How many cells the longest ray has."""
    return max(lengths(rays), default=0)


def lengths(rays: Rays) -> list[int]:
    """How many cells the longest ray of each direction has."""
    return [max(map(len, cells), default=0) for cells in rays.cells]


def toward(b: Body, layout: Layout, runs: Runs, over: str, until: str) -> str:
    """Floods from `until` back through `over`, and one step further."""
    rays = runs.rays
    found, left = [], list(range(len(rays.cells)))
    if not runs.least:
        found += [layout.move(b, until, back) for back in rays.back if back.deltas]
    while left:
        one = left.pop(0)
        other = next((k for k in left if _are_opposite(layout, rays, one, k)), None)
        length = lengths(rays)[one] - max(runs.least, 1)
        if other is not None:
            left.remove(other)
            found += _both_ways(b, layout, rays.back[one], (over, until), runs, length)
        elif rays.back[one].deltas:
            found.append(_one_way(b, layout, rays.back[one], (over, until), runs, length))
    return layout.union(b, found)


def _are_opposite(layout: Layout, rays: Rays, one: int, other: int) -> bool:
    """Whether two directions are one shift of the board, there and back."""
    return layout.stride(rays.back[one]) is not None and targets_of(
        rays.steps[one], layout.cells
    ) == targets_of(rays.back[other], layout.cells)


def _one_way(
    b: Body, layout: Layout, back: Moves, sets: tuple[str, str], runs: Runs, length: int
) -> str:
    over, until = sets
    at = layout.move(b, until, back)

    def on(cells: str) -> str:
        return layout.move(b, layout.op(b, "and", cells, over), back)

    for _ in range(runs.least - 1):
        at = on(at)
    if runs.most is None:
        return layout.move(b, flood(b, layout, back, at, over, length), back)
    found = []
    for _ in range(max(runs.least, 1), runs.most + 1):
        at = on(at)
        found.append(at)
    return layout.union(b, found)


def _both_ways(
    b: Body, layout: Layout, back: Moves, sets: tuple[str, str], runs: Runs, length: int
) -> list[str]:
    """One flood each way; both use the same sets of cells that begin a gapless row of `over`.

    What is flooded can go on both ways, so that no shift leaves the board.
    """
    stride = layout.stride(back) or (0, 0)
    over, until = sets
    passing = layout.op(b, "and", over, layout.const(_reached(back) & _sources(back)))

    def ahead(cells: str, size: int = 1) -> str:
        return layout.op(b, "and", layout.shift(b, cells, stride, size), passing)

    def behind(cells: str, size: int = 1) -> str:
        return layout.shift(b, layout.op(b, "and", cells, passing), stride, -size)

    forth, beyond = ahead(until), behind(layout.shift(b, until, stride, -1))
    for _ in range(runs.least - 1):
        forth, beyond = ahead(forth), behind(beyond)
    if runs.most is not None:
        ways = [(forth, beyond)]
        for _ in range(max(runs.least, 1), runs.most):
            ways.append((ahead(ways[-1][0]), behind(ways[-1][1])))
        forth, beyond = (layout.union(b, list(way)) for way in zip(*ways, strict=True))
        return [layout.shift(b, forth, stride, 1), beyond]
    for size, doubled in rounds(length):
        if doubled:
            passing = layout.op(b, "and", passing, layout.shift(b, passing, stride, size // 2))
        forth = layout.op(b, "or", forth, ahead(forth, size))
        beyond = layout.op(b, "or", beyond, behind(beyond, size))
    return [layout.shift(b, forth, stride, 1), beyond]


def rounds(length: int) -> Iterator[tuple[int, bool]]:
    """How a flood covers a length: strides, and whether each is twice the one before.

    >>> list(rounds(6))
    [(1, False), (2, True), (2, False)]
    """
    covered = size = 1
    while covered < length:
        doubled = 2 * size <= covered and length - covered > size
        size = 2 * size if doubled else size
        yield size, doubled
        covered += size


def slide(b: Body, layout: Layout, rays: Rays, start: str, through: str) -> str:
    """Floods from the cells next to `start`."""
    return layout.union(
        b,
        [
            flood(b, layout, step, layout.move(b, start, step), through, length)
            for step, length in zip(rays.steps, lengths(rays), strict=True)
        ],
    )


def row_in(b: Body, layout: Layout, cells: str, row: InRow, beside: Beside | None = None) -> str:
    """As `Layout.row_in`; `beside` asks for straight rows along several axes at once."""
    even, odd = _rows_apart(layout, row)
    flags = [layout.equal(b, layout.op(b, "and", cells, whole), whole) for whole in odd]
    if even or not odd:
        ask = beside or _one_by_one(layout)
        flags.append(ask(b, cells, row.length, even))
    found = flags[0]
    for flag in flags[1:]:
        found = b.let(f"or i1 {found}, {flag}")
    return found


def _rows_apart(layout: Layout, row: InRow) -> tuple[list[Axis], list[str]]:
    """Rows by the shift from each cell to the next, and those with different ones."""
    even: dict[Stride, int] = {}
    odd = []
    for delta, starts in zip(row.deltas, row.starts, strict=True):
        for first in cells_of(starts):
            whole = range(first, first + delta * row.length, delta)
            strides = {layout.apart(c, c + delta) for c in whole[:-1]}
            if len(strides) > 1:
                odd.append(layout.const(sum(1 << cell for cell in whole)))
            else:
                stride = strides.pop()
                even[stride] = even.get(stride, 0) | 1 << first
    return [(stride, layout.const(mask)) for stride, mask in even.items()], odd


def _one_by_one(layout: Layout) -> Beside:
    def ask(b: Body, cells: str, length: int, axes: list[Axis]) -> str:
        """Cells that begin a row, by doubling; what leaves the board begins none."""
        found = []
        for stride, starts in axes:
            begin = cells
            for step in doublings(length):
                begin = layout.op(b, "and", begin, layout.shift(b, begin, stride, -step))
            found.append(layout.op(b, "and", begin, starts))
        return b.let(f"xor i1 {layout.empty(b, layout.union(b, found))}, true")

    return ask


def doublings(length: int) -> Iterator[int]:
    """The shifts by which cells that begin rows of so many are found.

    >>> list(doublings(5))
    [1, 2, 1]
    """
    covered = 1
    while covered < length:
        step = min(covered, length - covered)
        yield step
        covered += step


def flood(b: Body, layout: Layout, step: Moves, start: str, inside: str, length: int) -> str:
    """The cells of `inside` that are in `start` or follow on it without a gap.

    `length` bounds how many. One shift of the board is doubled at each round (Kogge, Stone,
    1973: a prefix computation); any other step is repeated until nothing is added.
    """
    first = layout.op(b, "and", start, inside)
    stride = layout.stride(step)
    if stride is not None:
        return _doubling(b, layout, stride, _reached(step), first, inside, length)

    def more(cells: str) -> str:
        following = layout.op(b, "and", layout.move(b, cells, step), inside)
        return layout.op(b, "or", cells, following)

    return layout.settle(b, first, more) if step.deltas else first


def _reached(step: Moves) -> int:
    """The cells that a step leads to."""
    mask = 0
    for delta, cells in zip(step.deltas, step.masks, strict=True):
        mask |= cells << delta if delta > 0 else cells >> -delta
    return mask


def _sources(step: Moves) -> int:
    """The cells that a step leads from."""
    mask = 0
    for cells in step.masks:
        mask |= cells
    return mask


def _doubling(
    b: Body, layout: Layout, stride: Stride, reached: int, first: str, inside: str, length: int
) -> str:
    passing, cells = layout.op(b, "and", inside, layout.const(reached)), first
    for size, doubled in rounds(length):
        if doubled:
            moved = layout.shift(b, passing, stride, size // 2)
            passing = layout.op(b, "and", passing, moved)
        moved = layout.op(b, "and", layout.shift(b, cells, stride, size), passing)
        cells = layout.op(b, "or", cells, moved)
    return cells


def between(
    b: Body, layout: Layout, rays: Rays, cell: str, over: str, until: str, low: str, high: str
) -> str:
    """Walks each ray from cell to cell, for as many cells as it has."""
    count, cells = len(rays.cells), layout.cells
    following = padded([str(ray[0] if ray else 0) for d in rays.cells for ray in d], "0")
    sizes = padded([str(len(ray)) for d in rays.cells for ray in d], "0")
    tables = [(b.pool.table("i16", items, 2), len(items)) for items in (following, sizes)]
    result = b.slot(layout.type)
    b.do(f"store {layout.type} {layout.const(0)}, ptr {result}")
    there = b.let(f"icmp sge i64 {cell}, 0")

    def look(table: tuple[str, int], base: str, at: str) -> str:
        index = b.let(f"and i64 {b.let(f'add i64 {base}, {at}')}, {table[1] - 1}")
        place = b.let(f"getelementptr inbounds i16, ptr {table[0]}, i64 {index}")
        return b.let(f"zext i16 {b.let(f'load i16, ptr {place}')} to i64")

    def direction(number: str) -> None:
        base = b.let(f"mul i64 {number}, {cells}")
        length = look(tables[1], base, cell)
        stop, met = _walk(b, layout, lambda at: look(tables[0], base, at), cell, over, length)
        enough = b.let(f"icmp sge i64 {stop[1]}, {low}")
        few = b.let(f"icmp sle i64 {stop[1]}, {high}")
        inside = b.let(f"icmp slt i64 {stop[1]}, {length}")
        bounded = layout.has(b, until, stop[0])
        counts = b.let(f"and i1 {enough}, {few}")
        fine = b.let(f"and i1 {counts}, {b.let(f'and i1 {inside}, {bounded}')}")
        kept = b.let(f"select i1 {fine}, {layout.type} {met}, {layout.type} {layout.const(0)}")
        before = b.let(f"load {layout.type}, ptr {result}")
        b.do(f"store {layout.type} {layout.op(b, 'or', before, kept)}, ptr {result}")

    top = b.let(f"select i1 {there}, i64 {count}, i64 0")
    counted(b, top, direction)
    return b.let(f"load {layout.type}, ptr {result}")


def _walk(
    b: Body,
    layout: Layout,
    following: Callable[[str], str],
    cell: str,
    over: str,
    length: str,
) -> tuple[tuple[str, str], str]:
    """The cell where a walk through `over` ends, after how many cells, and these cells."""
    at, met, steps = b.slot("i64"), b.slot(layout.type), b.slot("i64")
    b.do(f"store {layout.type} {layout.const(0)}, ptr {met}")
    b.do(f"store i64 {following(cell)}, ptr {at}")
    b.do(f"store i64 0, ptr {steps}")
    test, look, step, end = (b.fresh(s) for s in ("walk", "look", "step", "walked"))
    b.block(test)
    here = b.let(f"load i64, ptr {at}")
    done = b.let(f"load i64, ptr {steps}")
    b.branch(b.let(f"icmp slt i64 {done}, {length}"), look, end)
    b.block(look)
    b.branch(layout.has(b, over, here), step, end)
    b.block(step)
    cells = layout.op(b, "or", b.let(f"load {layout.type}, ptr {met}"), layout.cell(b, here))
    b.do(f"store {layout.type} {cells}, ptr {met}")
    b.do(f"store i64 {following(here)}, ptr {at}")
    b.do(f"store i64 {b.let(f'add i64 {done}, 1')}, ptr {steps}")
    b.jump(test)
    b.block(end)
    return (here, done), b.let(f"load {layout.type}, ptr {met}")


def counted(b: Body, top: str, inside: Callable[[str], None]) -> None:
    """A loop over the numbers from 0 to below `top`."""
    head, body, end, before = b.fresh("count"), b.fresh("each"), b.fresh("counted"), b.label
    number, after = f"%{b.fresh('number')}", f"%{b.fresh('after')}"
    b.block(head)
    at = len(b.lines)
    b.branch(b.let(f"icmp slt i64 {number}, {top}"), body, end)
    b.block(body)
    inside(number)
    b.do(f"{after} = add i64 {number}, 1")
    b.lines.insert(at, f"  {number} = phi i64 [ 0, %{before} ], [ {after}, %{b.label} ]")
    b.jump(head)
    b.block(end)
