"""Kernel code for the key of a position up to symmetry: `SearchFunctions.canonical`."""

from collections.abc import Iterator
from functools import reduce

from rulesengine.board.automorphisms import Automorphism
from rulesengine.engine.kernel.analysis.board_tables import relation_of
from rulesengine.engine.kernel.analysis.optional_results import Symmetries
from rulesengine.engine.kernel.code.form import Table, Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.move_choice import position_of
from rulesengine.engine.kernel.emit.state_values import Position
from rulesengine.engine.kernel.entries.playout_ply import fold_state
from rulesengine.support.frozen import replace

_Planes = tuple[Value, ...]


def canonical(ctx: Context, total: Value, at: Position) -> Value:
    """Fold a state into a checksum that is the same for all symmetric states."""
    b, symmetries = ctx.b, ctx.optional(Symmetries)
    if symmetries is None:
        return fold_state(ctx, total, at)
    if "canonical" not in b.module.functions:
        with b.function("canonical", ("u", *ctx.layout.types), ("u",)) as values:
            head, *state = values
            images = _images(ctx, symmetries, position_of(ctx, tuple(state)))
            keys = [b.op("usign", fold_state(ctx, head, image)) for image in images]
            b.emit_return(
                b.op("umix", b.op("ubits", reduce(lambda x, y: b.op("imin", x, y), keys)))
            )
    (key,) = b.call("canonical", total, *at.values())
    return key


def _images(ctx: Context, symmetries: Symmetries, at: Position) -> Iterator[Position]:
    """Yield the images of a state under the symmetries."""
    group = {symmetry.cells: symmetry for symmetry in symmetries.maps}
    for cells, planes in _moved_planes(ctx, symmetries, at.planes):
        yield replace(at, planes=planes, registers=_registers(ctx, at, group[cells]))


def _moved_planes(
    ctx: Context, symmetries: Symmetries, planes: _Planes
) -> Iterator[tuple[tuple[int, ...], _Planes]]:
    """Yield the planes of each image, each computed from another image by the fewest shifts."""
    steps = [(relation_of(enumerate(a.cells)), a.cells) for a in symmetries.maps]
    steps.sort(key=lambda step: len(step[0].deltas))
    images = {tuple(range(ctx.layout.cells)): planes}
    yield from images.items()
    while len(images) < len(steps):
        relation, cells, since = next(
            (relation, cells, since)
            for relation, step in steps
            for since in images
            if (cells := tuple(step[cell] for cell in since)) not in images
        )
        images[cells] = tuple(ctx.b.op("mmove", p, detail=relation) for p in images[since])
        yield cells, images[cells]


def _registers(ctx: Context, at: Position, symmetry: Automorphism) -> tuple[Value, ...]:
    """Return the registers of an image, with cells and directions mapped."""
    b, kinds = ctx.b, ctx.program.form.types

    def moved(value: Value, kind: str) -> Value:
        if kind == "cells":
            return b.op("mmove", value, detail=relation_of(enumerate(symmetry.cells)))
        if kind not in ("cell", "direction"):
            return value
        places = symmetry.cells if kind == "cell" else symmetry.directions
        # An unset register is -1.
        return b.op("ilook", b.op("iadd", value, b.i(1)), detail=Table("i", (-1, *places)))

    return tuple(map(moved, at.registers, kinds))
