"""Python source of operations along rays and steps: directions unrolled, masks as constants."""

from rulesengine.engine.kernel.analysis.board_tables import relation_of
from rulesengine.engine.kernel.code.form import Rays, Relation, RowPattern, Runs, Window


def moved(name: str, moves: Relation, full: int) -> str:
    """Return the expression that applies a relation to a set."""
    parts = []
    for delta, mask in zip(moves.deltas, moves.masks, strict=True):
        cells = name if mask == full else f"({name} & {hex(mask)})"
        shift = f" << {delta}" if delta > 0 else f" >> {-delta}" if delta else ""
        parts.append(f"{cells}{shift}")
    return " | ".join(parts) or "0"


def fill_text(name: str, moves: Relation) -> str:
    """Return the source of a flood fill: it grows a set inside another to a fixed point."""
    return "\n".join(
        [
            f"def {name}(new, within):",
            "    new &= within",
            "    within ^= new",
            "    reached = new",
            "    while new:",
            f"        new = ({moved('new', moves, 0)}) & within",
            "        within ^= new",
            "        reached |= new",
            "    return reached",
        ]
    )


def row_text(name: str, row: RowPattern) -> str:
    """Return the source of a test for a row; it finds the cells that begin one by doubling."""
    lines = [f"def {name}(cells):"]
    for delta, starts in zip(row.deltas, row.starts, strict=True):
        lines.append(f"    begin = cells & cells >> {delta}")
        length = 2
        while length < row.length:
            step = min(length, row.length - length)
            lines.append(f"    begin &= begin >> {delta * step}")
            length += step
        lines += [f"    if begin & {hex(starts)}:", "        return True"]
    return "\n".join([*lines, "    return False"])


def gather_text(name: str, window: Window) -> str:
    """Return the source of a function that collects bits; bits at equal distances move together."""
    moves = relation_of((cell, place) for place, cell in enumerate(window.cells))
    parts = (
        f"(cells & {hex(mask)}) >> {-delta}" if delta else f"cells & {hex(mask)}"
        for delta, mask in zip(moves.deltas, moves.masks, strict=True)
    )
    return f"def {name}(cells):\n    return {' | '.join(parts)}"


def ray_texts(name: str, op: str, rays: Rays) -> str:
    """Return the source of the function of an instruction over rays."""
    if op == "mslide":
        return _slide(name, rays)
    return _between(name, rays, limited=op == "mbetween")


def toward_text(name: str, runs: Runs) -> str:
    """Return the source of the function of an instruction over runs."""
    lines = [f"def {name}(over, until):", "    found = 0"]
    for back, cells in zip(runs.rays.back, runs.rays.cells, strict=True):
        step = moved("new", back, 0)
        lines.append(f"    new = {moved('until', back, 0)}")
        if not runs.least:
            lines.append("    found |= new")
        lines += ["    new &= over", *[f"    new = ({step}) & over"] * (runs.least - 1)]
        longest = max(map(len, cells), default=0) - 1
        more = min(longest, longest if runs.most is None else runs.most) - max(runs.least, 1)
        if runs.most is None and not runs.rays.cyclic:
            grown = _closure("        ", back, _longest(runs.rays))
            lines += ["    if new:", *grown, f"        found |= {step}"]
        elif more >= 0:
            lines += _steps(back, more)
    return "\n".join([*lines, "    return found"])


def _steps(moves: Relation, more: int) -> list[str]:
    """Return lines that add the targets of `new` and of up to `more` steps through `over`."""
    step = moved("new", moves, 0)
    return [
        f"    for _ in range({more}):",
        "        if not new:",
        "            break",
        f"        new = {step}",
        "        found |= new",
        "        new &= over",
        f"    found |= {step}",
    ]


def _slide(name: str, rays: Rays) -> str:
    lines = [f"def {name}(start, over):", "    found = 0"]
    for step in rays.steps:
        lines += [
            f"    new = ({moved('start', step, 0)}) & over",
            "    if new:",
            *_closure("        ", step, _longest(rays)),
            "        found |= new",
        ]
    return "\n".join([*lines, "    return found"])


def _closure(indent: str, moves: Relation, longest: int) -> list[str]:
    """Return lines that grow `new` in one direction, by doubling if that is a single shift."""
    if len(moves.deltas) != 1:
        return [
            f"{indent}last = new",
            f"{indent}while last:",
            f"{indent}    last = ({moved('last', moves, 0)}) & over & ~new",
            f"{indent}    new |= last",
        ]
    delta, mask = moves.deltas[0], moves.masks[0]
    # Only cells of the mask have a next cell, so only their targets can be reached.
    sign, size = ("<<", delta) if delta > 0 else (">>", -delta)
    arrive = mask << size if delta > 0 else mask >> size
    lines = [f"{indent}free = over & {hex(arrive)}", f"{indent}new |= free & (new {sign} {size})"]
    reach = 2
    while reach < longest:
        lines += [
            f"{indent}free &= free {sign} {size * reach // 2}",
            f"{indent}new |= free & (new {sign} {size * reach})",
        ]
        reach *= 2
    return lines


def _longest(rays: Rays) -> int:
    return max((len(ray) for of in rays.cells for ray in of), default=0)


def _between(name: str, rays: Rays, limited: bool) -> str:
    if _is_monotone(rays):
        return _between_by_masks(name, rays, limited)
    return _between_by_cells(name, rays, limited)


def _is_monotone(rays: Rays) -> bool:
    """True if the cells of each ray only ascend or only descend."""
    return all(
        list(ray) == sorted(ray) or list(ray) == sorted(ray, reverse=True)
        for of in rays.cells
        for ray in of
    )


def _between_by_masks(name: str, rays: Rays, limited: bool) -> str:
    """Return the source of `between` with rays as (mask, first cell), ascending or descending."""
    up, down = [], []
    for cell in range(len(rays.cells[0]) if rays.cells else 0):
        of = [(ray, sum(1 << c for c in ray)) for r in rays.cells if len(ray := r[cell]) > 1]
        up.append([(mask, 1 << ray[0]) for ray, mask in of if ray[-1] > ray[0]])
        down.append([(mask, 1 << ray[0]) for ray, mask in of if ray[-1] < ray[0]])
    test = " and low <= part.bit_count() <= high" if limited else ""
    return "\n".join(
        [
            f"{name}_up = ({_pairs(up)},)",
            f"{name}_down = ({_pairs(down)},)",
            f"def {name}(cell, over, until{', low, high' if limited else ''}):",
            "    if cell < 0:",
            "        return 0",
            "    found = 0",
            f"    for ray, first in {name}_up[cell]:",
            "        if first & over:",
            "            stop = ray & ~over",
            "            stop &= -stop",
            "            if stop & until:",
            *_union_lines("ray & stop - 1", test),
            f"    for ray, first in {name}_down[cell]:",
            "        if first & over:",
            "            stop = ray & ~over",
            "            stop = 1 << stop.bit_length() >> 1",
            "            if stop & until:",
            *_union_lines("ray & -(stop + stop)", test),
            "    return found",
        ]
    )


def _union_lines(part: str, test: str) -> list[str]:
    indent = " " * 16
    if not test:
        return [f"{indent}found |= {part}"]
    return [f"{indent}part = {part}", f"{indent}if{test[4:]}:", f"{indent}    found |= part"]


def _pairs(rows: list[list[tuple[int, int]]]) -> str:
    texts = ["".join(f"({hex(a)}, {hex(b)}), " for a, b in row) for row in rows]
    return ", ".join(f"({text.rstrip()})" for text in texts)


def _between_by_cells(name: str, rays: Rays, limited: bool) -> str:
    count = len(rays.cells[0]) if rays.cells else 0
    rows = [[r[cell] for r in rays.cells if r[cell]] for cell in range(count)]
    texts = ["".join(f"({', '.join(map(str, ray))},), " for ray in row) for row in rows]
    test = " and low <= part.bit_count() <= high" if limited else " and part"
    return "\n".join(
        [
            f"{name}_rays = ({', '.join(f'({t.rstrip()})' for t in texts)},)",
            f"def {name}(cell, over, until{', low, high' if limited else ''}):",
            "    if cell < 0:",
            "        return 0",
            "    found = 0",
            f"    for ray in {name}_rays[cell]:",
            "        part = 0",
            "        for at in ray:",
            "            if over >> at & 1:",
            "                part |= 1 << at",
            "                continue",
            f"            if until >> at & 1{test}:",
            "                found |= part",
            "            break",
            "    return found",
        ]
    )
