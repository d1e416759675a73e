"""Rays on boards of up to 64 cells: directions side by side in vector lanes, rays as tables."""

from itertools import pairwise
from types import MappingProxyType

from rulesengine.kernel.code import Moves, Rays, Runs
from rulesengine.kernel.native.layout import padded, power_of_two
from rulesengine.kernel.native.lines import Axis, doublings, longest, rounds
from rulesengine.kernel.native.text import Body, lanes_of, splat

_TOP = 1 << 63
_SHIFTS = MappingProxyType(
    {2: "llvm.x86.avx2.psrlv.q", 4: "llvm.x86.avx2.psrlv.q.256", 8: "llvm.x86.avx512.psrlv.q.512"}
)


class Lanes:
    """A vector of words, one for each direction."""

    def __init__(self, body: Body, count: int) -> None:
        self.body = body
        self.count = power_of_two(count)
        self.type = f"<{self.count} x i64>"

    def op(self, name: str, x: str, y: str) -> str:
        return self.body.let(f"{name} {self.type} {x}, {y}")

    def splat(self, value: str) -> str:
        return splat(self.body, self.count, "i64", value)

    def const(self, values: list[int]) -> str:
        return lanes_of("i64", values + [0] * (self.count - len(values)))

    def turn(self, vector: str, amounts: list[int]) -> str:
        """Each lane turned left; what leaves at one end comes in at the other."""
        args = ((self.type, v) for v in (vector, vector, self.const([a % 64 for a in amounts])))
        return self.body.call(self.type, f"llvm.fshl.v{self.count}i64", *args)

    def join(self, vector: str) -> str:
        name = f"llvm.vector.reduce.or.v{self.count}i64"
        return self.body.call("i64", name, (self.type, vector))

    def any(self, vector: str) -> str:
        """Whether some lane is not 0."""
        flags = self.op("icmp ne", vector, "zeroinitializer")
        bits = self.body.let(f"bitcast <{self.count} x i1> {flags} to i{self.count}")
        return self.body.let(f"icmp ne i{self.count} {bits}, 0")

    def choose(self, flags: str, vector: str) -> str:
        flags_type = f"<{self.count} x i1>"
        return self.body.let(
            f"select {flags_type} {flags}, {self.type} {vector}, {self.type} zeroinitializer"
        )

    def flood(self, start: str, inside: str, deltas: list[int], length: int) -> str:
        """As `lines.flood`, lane by lane; `inside` stops what turns round the board."""
        cells, passing = self.op("and", start, inside), inside
        for size, doubled in rounds(length):
            if doubled:
                turned = self.turn(passing, [delta * size // 2 for delta in deltas])
                passing = self.op("and", passing, turned)
            moved = self.turn(cells, [delta * size for delta in deltas])
            cells = self.op("or", cells, self.op("and", moved, passing))
        return cells

    def grown(self, start: str, inside: str, deltas: list[int], steps: int) -> str:
        """The cells that at most so many steps lead to."""
        cells = at = start
        for _ in range(steps):
            at = self.op("and", self.turn(at, deltas), inside)
            cells = self.op("or", cells, at)
        return cells


def toward(b: Body, runs: Runs, over: str, until: str) -> str:
    """Floods cells that can go on both ways, so that none turns round the board."""
    rays = runs.rays
    deltas, reached = _shifts(rays.back)
    _, sources = _shifts(rays.steps)
    v = Lanes(b, len(deltas))
    ends = v.splat(until)
    inside = v.op("and", v.splat(over), v.const(_both(reached, sources)))
    cells = v.op("and", v.turn(ends, deltas), inside)
    for _ in range(runs.least - 1):
        cells = v.op("and", v.turn(cells, deltas), inside)
    least = max(runs.least, 1)
    if runs.most is None:
        cells = v.flood(cells, inside, deltas, longest(rays) - least)
    else:
        cells = v.grown(cells, inside, deltas, runs.most - least)
    if not runs.least:
        cells = v.op("or", cells, v.op("and", ends, v.const(sources)))
    return v.join(v.turn(cells, deltas))


def row_in(b: Body, cells: str, length: int, axes: list[Axis]) -> str:
    """Rows along all axes at once; the last mask drops what has turned round the board."""
    v = Lanes(b, len(axes))
    begin = v.splat(cells)
    for step in doublings(length):
        amounts = v.const([stride[1] * step for stride, _ in axes])
        begin = v.op("and", begin, v.op("lshr", begin, amounts))
    return v.any(v.op("and", begin, v.const([int(starts) for _, starts in axes])))


def _both(some: list[int], others: list[int]) -> list[int]:
    return [a & b for a, b in zip(some, others, strict=True)]


def slide(b: Body, rays: Rays, start: str, through: str) -> str:
    deltas, reached = _shifts(rays.steps)
    v = Lanes(b, len(deltas))
    inside = v.op("and", v.splat(through), v.const(reached))
    return v.join(v.flood(v.turn(v.splat(start), deltas), inside, deltas, longest(rays)))


def _shifts(steps: tuple[Moves, ...]) -> tuple[list[int], list[int]]:
    """By how much each direction moves a board, and the cells that it reaches."""
    deltas = [step.deltas[0] if step.deltas else 0 for step in steps]
    masks = [step.masks[0] if step.masks else 0 for step in steps]
    return deltas, [m << d if d > 0 else m >> -d for d, m in zip(deltas, masks, strict=True)]


def is_monotone(rays: Rays) -> bool:
    """Whether each direction's rays all run up or all run down."""
    return all(_rises(of) or _falls(of) for of in rays.cells)


def between(b: Body, rays: Rays, cell: str, over: str, until: str, low: str, high: str) -> str:
    """Looks up the rays of a cell and finds the first cell beyond `over` on all of them at once."""
    up, down = _parted(rays)
    halves = [Lanes(b, len(part)) for part in (up, down) if part]
    width = sum(half.count for half in halves)
    place = _rays_of(b, cell, [(up, _width(up)), (down, _width(down))], width, len(rays.cells[0]))
    until, bounds = _bounded(b, rays, cell, until, _bounds(rays, low, high))
    found = []
    if up:
        v = halves[0]
        found.append((v, _rising(v, place, over, until, bounds)))
    if down:
        v = halves[-1]
        at = b.let(f"getelementptr inbounds i64, ptr {place}, i64 {width - v.count}")
        found.append((v, _falling(v, at, over, until, bounds)))
    if len(found) == 2 and halves[0].count == halves[1].count:
        v = halves[0]
        return v.join(v.op("or", found[0][1], found[1][1]))
    joined = [v.join(cells) for v, cells in found]
    return joined[0] if len(joined) == 1 else b.let(f"or i64 {joined[0]}, {joined[1]}")


def between_by_words(
    b: Body, rays: Rays, cell: str, over: str, until: str, low: str, high: str
) -> str:
    """As `between`, one ray after the other."""
    up, down = _parted(rays)
    place = _rays_of(b, cell, [(up, len(up)), (down, len(down))], 0, len(rays.cells[0]))
    until, bounds = _bounded(b, rays, cell, until, _bounds(rays, low, high))
    total = "0"
    for number, rising in enumerate([True] * len(up) + [False] * len(down)):
        v = Lanes(b, 1)
        at = b.let(f"getelementptr inbounds i64, ptr {place}, i64 {number}")
        cells = (_rising if rising else _falling)(v, at, over, until, bounds)
        total = b.let(f"or i64 {total}, {b.let(f'extractelement <1 x i64> {cells}, i64 0')}")
    return total


def _width(part: list[tuple[tuple[int, ...], ...]]) -> int:
    return power_of_two(len(part)) if part else 0


def _rises(rays: tuple[tuple[int, ...], ...]) -> bool:
    return all(a < b for ray in rays for a, b in pairwise(ray))


def _falls(rays: tuple[tuple[int, ...], ...]) -> bool:
    return all(a > b for ray in rays for a, b in pairwise(ray))


def _parted(rays: Rays) -> tuple[list[tuple[tuple[int, ...], ...]], ...]:
    """The directions that run up, and those that run down."""
    up = [of for of in rays.cells if _rises(of)]
    return up, [of for of in rays.cells if not _rises(of)]


def _rays_of(
    b: Body,
    cell: str,
    parts: list[tuple[list[tuple[tuple[int, ...], ...]], int]],
    width: int,
    cells: int,
) -> str:
    """Where the rays of a cell stand in a table: a row for no cell, then one for each."""
    rows = [_row(parts, cell) for cell in range(cells)]
    size = len(rows[0])
    filler = _text([0] * size)
    items = padded([filler, *map(_text, rows)], filler)
    table = b.pool.table(f"[{size} x i64]", items, 64)
    after = b.let(f"add i64 {cell}, 1")
    inside = b.let(f"and i64 {after}, {len(items) - 1}")
    return b.let(f"getelementptr inbounds [{size} x i64], ptr {table}, i64 {inside}")


def _row(parts: list[tuple[list[tuple[tuple[int, ...], ...]], int]], cell: int) -> list[int]:
    row: list[int] = []
    for rays, width in parts:
        masks = [sum(1 << c for c in ray[cell]) for ray in rays]
        row += masks + [0] * (width - len(masks))
    return row


def _text(words: list[int]) -> str:
    return f"[{', '.join(f'i64 {word}' for word in words)}]"


def _bounds(rays: Rays, low: str, high: str) -> tuple[str, str] | None:
    """The least and the most cells, or None where any number will do."""
    any_least = (low.isdecimal() and int(low) <= 1) or low.startswith("-")
    any_most = high.isdecimal() and int(high) >= longest(rays)
    return None if any_least and any_most else (low, high)


def _bounded(
    b: Body, rays: Rays, cell: str, until: str, bounds: tuple[str, str] | None
) -> tuple[str, tuple[str, str] | None]:
    """Bounds that are known leave only some cells to end at, where no cell is on two rays."""
    if bounds is None or not all(bound.isdecimal() for bound in bounds):
        return until, bounds
    low, high = map(int, bounds)
    ends = [[ray[cell] for ray in rays.cells] for cell in range(len(rays.cells[0]))]
    if any(len(set(met)) < len(met) for of in ends if (met := [c for ray in of for c in ray])):
        return until, bounds
    masks = [sum(1 << c for ray in of for c in ray[low : high + 1]) for of in ends]
    items = padded(["0", *map(str, masks)], "0")
    table = b.pool.table("i64", items)
    index = b.let(f"and i64 {b.let(f'add i64 {cell}, 1')}, {len(items) - 1}")
    far = b.let(f"load i64, ptr {b.let(f'getelementptr inbounds i64, ptr {table}, i64 {index}')}")
    return b.let(f"and i64 {until}, {far}"), None


def _rising(v: Lanes, place: str, over: str, until: str, bounds: tuple[str, str] | None) -> str:
    ray = v.body.let(f"load {v.type}, ptr {place}, align 8")
    beyond = v.op("and", ray, v.op("xor", v.splat(over), v.splat("-1")))
    lowest = v.op("and", beyond, v.op("sub", v.splat("0"), beyond))
    nearer = v.op("and", ray, v.op("sub", lowest, v.splat("1")))
    met = v.op("and", lowest, v.splat(until))
    flags = v.op("icmp ne", met, v.splat("0"))
    return v.choose(_counted(v, flags, nearer, bounds), nearer)


def _falling(v: Lanes, place: str, over: str, until: str, bounds: tuple[str, str] | None) -> str:
    ray = v.body.let(f"load {v.type}, ptr {place}, align 8")
    beyond = v.op("and", ray, v.op("xor", v.splat(over), v.splat("-1")))
    met = v.op("and", _highest(v, beyond), v.splat(until))
    above = v.op("xor", v.op("sub", v.splat("0"), met), met)
    nearer = v.op("and", ray, above)
    if bounds is None:
        return nearer
    flags = v.op("icmp ne", met, v.splat("0"))
    return v.choose(_counted(v, flags, nearer, bounds), nearer)


def _highest(v: Lanes, vector: str) -> str:
    """The highest bit of each lane that has one."""
    name = f"llvm.ctlz.v{v.count}i64"
    zeros = v.body.call(v.type, name, (v.type, vector), ("i1", "false"))
    if v.count in _SHIFTS:
        # Moved by 64, the bit is gone, where `lshr` would have any value.
        args = ((v.type, v.splat(str(_TOP))), (v.type, zeros))
        return v.body.call(v.type, _SHIFTS[v.count], *args)
    some = v.op("icmp ult", zeros, v.splat("64"))
    return v.choose(some, v.op("lshr", v.splat(str(_TOP)), zeros))


def _counted(v: Lanes, flags: str, cells: str, bounds: tuple[str, str] | None) -> str:
    """The flags of the lanes that have neither too few cells nor too many."""
    if bounds is None:
        return flags
    number = v.body.call(v.type, f"llvm.ctpop.v{v.count}i64", (v.type, cells))
    for test, bound in zip(("sge", "sle"), bounds, strict=True):
        fine = v.op(f"icmp {test}", number, v.splat(bound))
        flags = v.body.let(f"and <{v.count} x i1> {flags}, {fine}")
    return flags
