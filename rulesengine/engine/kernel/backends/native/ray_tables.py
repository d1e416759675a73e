"""Rays of one cell from a table, on boards of up to 64 cells: a bit scan finds the first blocker.

The classical approach of bitboards to attacks of sliding pieces, for all rays of a kind at once.
"""

from itertools import pairwise
from types import MappingProxyType

from rulesengine.engine.kernel.backends.native.layout import Bounds, padded, power_of_two
from rulesengine.engine.kernel.backends.native.prefix import lengths
from rulesengine.engine.kernel.backends.native.text import Body
from rulesengine.engine.kernel.backends.native.vector_lines import Lanes
from rulesengine.engine.kernel.code.form import Rays

Direction = tuple[tuple[int, ...], ...]  # the ray of each cell

_TOP = 1 << 63
_SHIFTS = MappingProxyType(
    {2: "llvm.x86.avx2.psrlv.q", 4: "llvm.x86.avx2.psrlv.q.256", 8: "llvm.x86.avx512.psrlv.q.512"}
)


def is_monotone(rays: Rays) -> bool:
    """True if the rays of each direction all ascend or all descend in cell numbers."""
    return all(_rises(of) or _falls(of) for of in rays.cells)


def between(
    b: Body, rays: Rays, cell: str, over: str, until: str, bounds: Bounds, *, wide: bool
) -> str:
    """Compute `Layout.between` from a table; if `wide`, all rays of one kind in a vector."""
    up, down = _parted(rays)
    size = len(rays.cells) if wide else 1
    parts = [*_in_parts(up, size), *_in_parts(down, size)]
    place, offset = _rays_of(b, cell, parts), 0
    until, effective = _bounded(b, rays, cell, until, _bounds(rays, bounds))
    by_ray: dict[int, str] = {}
    for part in parts:
        v = Lanes(b, len(part))
        at = b.let(f"getelementptr inbounds i64, ptr {place}, i64 {offset}") if offset else place
        nearer = _rising if _rises(part[0]) else _falling
        cells = nearer(v, at, over, until, effective)
        by_ray[v.count] = v.op("or", by_ray[v.count], cells) if v.count in by_ray else cells
        offset += v.count
    joined = [Lanes(b, count).join(cells) for count, cells in by_ray.items()]
    return joined[0] if len(joined) == 1 else b.let(f"or i64 {joined[0]}, {joined[1]}")


def _in_parts(rays: list[Direction], size: int) -> list[list[Direction]]:
    return [rays[k : k + size] for k in range(0, len(rays), size)]


def _rises(rays: Direction) -> bool:
    return all(a < b for ray in rays for a, b in pairwise(ray))


def _falls(rays: Direction) -> bool:
    return all(a > b for ray in rays for a, b in pairwise(ray))


def _parted(rays: Rays) -> tuple[list[Direction], list[Direction]]:
    """Split the directions into those that ascend and those that descend."""
    up = [of for of in rays.cells if _rises(of)]
    return up, [of for of in rays.cells if not _rises(of)]


def _rays_of(b: Body, cell: str, parts: list[list[Direction]]) -> str:
    """Return the address of a cell's rays in a table: a row for no cell, then one for each cell."""
    cells = range(len(parts[0][0]))
    rows = [[word for part in parts for word in _row(part, at)] for at in cells]
    size = len(rows[0])
    filler = _text([0] * size)
    items = padded([filler, *map(_text, rows)], filler)
    table = b.pool.table(f"[{size} x i64]", items, 64)
    after = b.let(f"add i64 {cell}, 1")
    inside = b.let(f"and i64 {after}, {len(items) - 1}")
    return b.let(f"getelementptr inbounds [{size} x i64], ptr {table}, i64 {inside}")


def _row(part: list[Direction], cell: int) -> list[int]:
    """Return the masks of the rays of a cell, one for each lane."""
    masks = [sum(1 << c for c in ray[cell]) for ray in part]
    return masks + [0] * (power_of_two(len(masks)) - len(masks))


def _text(words: list[int]) -> str:
    return f"[{', '.join(f'i64 {word}' for word in words)}]"


def _bounds(rays: Rays, bounds: Bounds) -> Bounds | None:
    """Return the bounds of the number of cells, or None if they exclude nothing."""
    low, high = bounds.low, bounds.high
    any_least = (low.isdecimal() and int(low) <= 1) or low.startswith("-")
    any_most = high.isdecimal() and int(high) >= max(lengths(rays))
    return None if any_least and any_most else bounds


def _bounded(
    b: Body, rays: Rays, cell: str, until: str, bounds: Bounds | None
) -> tuple[str, Bounds | None]:
    """Fold constant bounds into `until`, if no cell is on two rays of a cell."""
    if bounds is None or not (bounds.low.isdecimal() and bounds.high.isdecimal()):
        return until, bounds
    low, high = int(bounds.low), int(bounds.high)
    ends = [[ray[cell] for ray in rays.cells] for cell in range(len(rays.cells[0]))]
    if any(
        len(set(ends_of_rays)) < len(ends_of_rays)
        for of in ends
        if (ends_of_rays := [c for ray in of for c in ray])
    ):
        return until, bounds
    masks = [sum(1 << c for ray in of for c in ray[low : high + 1]) for of in ends]
    items = padded(["0", *map(str, masks)], "0")
    table = b.pool.table("i64", items)
    index = b.let(f"and i64 {b.let(f'add i64 {cell}, 1')}, {len(items) - 1}")
    beyond = b.let(
        f"load i64, ptr {b.let(f'getelementptr inbounds i64, ptr {table}, i64 {index}')}"
    )
    return b.let(f"and i64 {until}, {beyond}"), None


def _rising(v: Lanes, place: str, over: str, until: str, bounds: Bounds | None) -> str:
    ray = v.body.let(f"load {v.type}, ptr {place}, align 8")
    beyond = v.op("and", ray, v.op("xor", v.splat(over), v.splat("-1")))
    lowest = v.op("and", beyond, v.op("sub", v.splat("0"), beyond))
    nearer = v.op("and", ray, v.op("sub", lowest, v.splat("1")))
    hits = v.op("and", lowest, v.splat(until))
    flags = v.op("icmp ne", hits, v.splat("0"))
    return v.choose(_counted(v, flags, nearer, bounds), nearer)


def _falling(v: Lanes, place: str, over: str, until: str, bounds: Bounds | None) -> str:
    ray = v.body.let(f"load {v.type}, ptr {place}, align 8")
    beyond = v.op("and", ray, v.op("xor", v.splat(over), v.splat("-1")))
    hits = v.op("and", _highest(v, beyond), v.splat(until))
    above = v.op("xor", v.op("sub", v.splat("0"), hits), hits)
    nearer = v.op("and", ray, above)
    if bounds is None:
        return nearer
    flags = v.op("icmp ne", hits, v.splat("0"))
    return v.choose(_counted(v, flags, nearer, bounds), nearer)


def _highest(v: Lanes, vector: str) -> str:
    """Return the highest bit of each lane; 0 for an empty lane."""
    name = f"llvm.ctlz.{v.suffix}"
    zeros = v.body.call(v.type, name, (v.type, vector), ("i1", "false"))
    if v.count in _SHIFTS:
        # The intrinsic shifts by 64 to 0; `lshr` by 64 is poison.
        args = ((v.type, v.splat(str(_TOP))), (v.type, zeros))
        return v.body.call(v.type, _SHIFTS[v.count], *args)
    some = v.op("icmp ult", zeros, v.splat("64"))
    return v.choose(some, v.op("lshr", v.splat(str(_TOP)), zeros))


def _counted(v: Lanes, flags: str, cells: str, bounds: Bounds | None) -> str:
    """Clear the flags of lanes with too few or too many cells."""
    if bounds is None:
        return flags
    number = v.body.call(v.type, f"llvm.ctpop.{v.suffix}", (v.type, cells))
    for test, bound in (("sge", bounds.low), ("sle", bounds.high)):
        fine = v.op(f"icmp {test}", number, v.splat(bound))
        flags = v.body.let(f"and {v.flags} {flags}, {fine}")
    return flags
