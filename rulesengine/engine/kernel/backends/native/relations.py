"""Compile-time properties of relations between cells."""

from collections.abc import Iterator

from rulesengine.engine.kernel.analysis.board_tables import cells_of, relation_of
from rulesengine.engine.kernel.code.form import Relation


def pairs_of(moves: Relation) -> Iterator[tuple[int, int]]:
    """Yield the pairs (cell, target) of a relation."""
    for delta, mask in zip(moves.deltas, moves.masks, strict=True):
        for cell in cells_of(mask):
            yield cell, cell + delta


def targets_of(moves: Relation, cells: int) -> list[int]:
    """Return the mask of the targets of each cell."""
    targets = [0] * cells
    for cell, target in pairs_of(moves):
        targets[cell] |= 1 << target
    return targets


def sources(moves: Relation) -> int:
    """Return the mask of the cells that have a target."""
    return sum(1 << cell for cell in {cell for cell, _ in pairs_of(moves)})


def all_targets(moves: Relation) -> int:
    """Return the mask of all targets."""
    return sum(1 << cell for cell in {target for _, target in pairs_of(moves)})


def power(moves: Relation, times: int) -> Relation:
    """Return a map of cells composed with itself `times` times; an empty relation for 0 times."""
    after = dict(pairs_of(moves))
    pairs = [(cell, cell) for cell in after] if times else []
    for _ in range(times):
        pairs = [(cell, after[at]) for cell, at in pairs if at in after]
    return relation_of(pairs)
