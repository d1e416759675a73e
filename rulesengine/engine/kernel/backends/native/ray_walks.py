"""Rays of one cell walked from cell to cell, on sets of any layout."""

from collections.abc import Callable

from rulesengine.engine.kernel.backends.native.layout import Bounds, Layout, padded
from rulesengine.engine.kernel.backends.native.text import Body
from rulesengine.engine.kernel.code.form import Rays


def between(
    b: Body, layout: Layout, rays: Rays, cell: str, over: str, until: str, bounds: Bounds
) -> str:
    """Compute `Layout.between` by walking each ray from cell to cell."""
    count, cells = len(rays.cells), layout.cells
    following = padded([str(ray[0] if ray else 0) for d in rays.cells for ray in d], "0")
    sizes = padded([str(len(ray)) for d in rays.cells for ray in d], "0")
    tables = [(b.pool.table("i16", items, 2), len(items)) for items in (following, sizes)]
    result = b.slot(layout.type)
    b.do(f"store {layout.type} {layout.const(0)}, ptr {result}")
    there = b.let(f"icmp sge i64 {cell}, 0")

    def load_entry(table: tuple[str, int], base: str, at: str) -> str:
        index = b.let(f"and i64 {b.let(f'add i64 {base}, {at}')}, {table[1] - 1}")
        place = b.let(f"getelementptr inbounds i16, ptr {table[0]}, i64 {index}")
        return b.let(f"zext i16 {b.let(f'load i16, ptr {place}')} to i64")

    def direction(number: str) -> None:
        base = b.let(f"mul i64 {number}, {cells}")
        length = load_entry(tables[1], base, cell)
        stop, passed = _walk(
            b, layout, lambda at: load_entry(tables[0], base, at), cell, over, length
        )
        enough = b.let(f"icmp sge i64 {stop[1]}, {bounds.low}")
        few = b.let(f"icmp sle i64 {stop[1]}, {bounds.high}")
        inside = b.let(f"icmp slt i64 {stop[1]}, {length}")
        bounded = layout.has(b, until, stop[0])
        counts = b.let(f"and i1 {enough}, {few}")
        fine = b.let(f"and i1 {counts}, {b.let(f'and i1 {inside}, {bounded}')}")
        selected = layout.select(b, fine, passed, layout.const(0))
        before = b.let(f"load {layout.type}, ptr {result}")
        b.do(f"store {layout.type} {layout.op(b, 'or', before, selected)}, ptr {result}")

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
    """Walk through `over`; return the cell at its end, the number of steps, the cells passed."""
    at, passed, steps = b.slot("i64"), b.slot(layout.type), b.slot("i64")
    b.do(f"store {layout.type} {layout.const(0)}, ptr {passed}")
    b.do(f"store i64 {following(cell)}, ptr {at}")
    b.do(f"store i64 0, ptr {steps}")
    test, load_entry, step, end = (b.fresh(s) for s in ("walk", "look", "step", "walked"))
    b.block(test)
    cell_reached = b.let(f"load i64, ptr {at}")
    done = b.let(f"load i64, ptr {steps}")
    b.branch(b.let(f"icmp slt i64 {done}, {length}"), load_entry, end)
    b.block(load_entry)
    b.branch(layout.has(b, over, cell_reached), step, end)
    b.block(step)
    cells = layout.op(
        b, "or", b.let(f"load {layout.type}, ptr {passed}"), layout.cell(b, cell_reached)
    )
    b.do(f"store {layout.type} {cells}, ptr {passed}")
    b.do(f"store i64 {following(cell_reached)}, ptr {at}")
    b.do(f"store i64 {b.let(f'add i64 {done}, 1')}, ptr {steps}")
    b.jump(test)
    b.block(end)
    return (cell_reached, done), b.let(f"load {layout.type}, ptr {passed}")


def counted(b: Body, top: str, inside: Callable[[str], None]) -> None:
    """Emit a loop over the numbers from 0 to `top` - 1."""
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
