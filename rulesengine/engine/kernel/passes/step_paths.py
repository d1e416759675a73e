"""Sets of cells that fixed paths of single steps lead to from one cell.

A leap is the end of several paths: two steps north, then one east. A set without the ends of some
paths is the union of the other paths.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, product

from rulesengine.engine.kernel.analysis.board_tables import BoardTables, cells_of
from rulesengine.engine.kernel.analysis.facts import Facts
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.roles import constant, has_role, is_single
from rulesengine.support.frozen import record

_MAX_PATHS = 32


@record
class Path:
    """The cells at the end of a path of steps in `ways`, if any."""

    cells: Op
    ways: tuple[int, ...]


class StepPaths:
    """The paths in expressions of one cell, the value of a variable."""

    def __init__(self, shape: BoardTables, facts: Facts, name: str) -> None:
        self._shape, self._facts, self._name = shape, facts, name

    def of(self, op: Op) -> list[Path] | None:
        """Split a set into the ends of paths; None if it has other cells, or too many paths."""
        if is_single(op, self._name):
            return [Path(op, ())]
        if has_role(op, "shift"):
            paths = self._shifted(op)
        elif has_role(op, "neighbourhood") and len(op.args) == 1:
            paths = self._near(op)
        elif has_role(op, "join"):
            paths = self._joined(map(self.of, op.args))
        elif has_role(op, "meet"):
            paths = self._met(op)
        else:
            paths = self._without(op) if has_role(op, "difference") else None
        return paths if paths is not None and len(paths) <= _MAX_PATHS else None

    def reads(self, op: Op) -> bool:
        """True if an operation depends on the variable."""
        return self._name in self._facts.variables(op)

    def end(self, cell: int, directions: Iterable[int]) -> int:
        """Return the cell at the end of a path, -1 off the board."""
        for direction in directions:
            cell = self._shape.targets[direction][cell] if cell >= 0 else -1
        return cell

    def is_injective(self, directions: tuple[int, ...]) -> bool:
        """True if a path leads from different cells to different cells."""
        ends = [
            end for cell in range(self._shape.cells) if (end := self.end(cell, directions)) >= 0
        ]
        return len(set(ends)) == len(ends)

    def are_distinct(self, paths: list[Path]) -> bool:
        """True if no two paths lead from one cell to one cell."""
        for cell in range(self._shape.cells):
            ends = [end for path in paths if (end := self.end(cell, path.ways)) >= 0]
            if len(set(ends)) < len(ends):
                return False
        return True

    def _joined(self, parts: Iterable[list[Path] | None]) -> list[Path] | None:
        lists = list(parts)
        known = [paths for paths in lists if paths is not None]
        return [*chain.from_iterable(known)] if len(known) == len(lists) else None

    def _met(self, op: Op) -> list[Path] | None:
        reading = [arg for arg in op.args if self.reads(arg)]
        inner = self.of(reading[0]) if len(reading) == 1 else None
        if inner is None:
            return None
        others = [arg for arg in op.args if arg is not reading[0]]
        return [Path(make("and", path.cells, *others), path.ways) for path in inner]

    def _without(self, op: Op) -> list[Path] | None:
        first, subtracted = op.args
        inner = self.of(first)
        if inner is None:
            return None
        if not self.reads(subtracted):
            return [Path(make("minus", path.cells, subtracted), path.ways) for path in inner]
        removed = self.of(subtracted) if self._facts.is_fixed(subtracted) else None
        if removed is None:
            return None
        paths = []
        for path in inner:
            inside = [self._is_end(cell, path, removed) for cell in self._sources(path)]
            if all(inside):
                continue
            if any(inside):
                return None
            paths.append(path)
        return paths

    def _sources(self, path: Path) -> list[int]:
        return [cell for cell in range(self._shape.cells) if self.end(cell, path.ways) >= 0]

    def _is_end(self, cell: int, path: Path, others: list[Path]) -> bool:
        """True if a path from a cell ends where one of some others ends."""
        end = self.end(cell, path.ways)
        return any(self.end(cell, other.ways) == end for other in others)

    def _shifted(self, op: Op) -> list[Path] | None:
        """Return the paths of a shift in constant directions."""
        start, masks = self.of(op.args[0]), [constant(directions) for directions in op.args[1:]]
        if start is None or None in masks:
            return None
        choices = [cells_of((mask or 0) & self._shape.every) for mask in masks]
        return [_longer(path, directions) for path in start for directions in product(*choices)]

    def _near(self, op: Op) -> list[Path] | None:
        """Return the paths to the neighbours of a set, if these are the next cells."""
        start, near = self.of(op.args[0]), self._shape.topology.adjacency
        directions = [
            direction
            for direction, targets in enumerate(self._shape.targets)
            if all(t < 0 or near[cell] >> t & 1 for cell, t in enumerate(targets))
        ]
        reached = [
            sum(
                1 << t
                for t in {self._shape.targets[direction][cell] for direction in directions}
                if t >= 0
            )
            for cell in range(self._shape.cells)
        ]
        if start is None or reached != list(near):
            return None
        return [_longer(path, (direction,)) for path in start for direction in directions]


def _longer(path: Path, directions: tuple[int, ...]) -> Path:
    steps = (literal("directions", 1 << direction) for direction in directions)
    return Path(make("shift", path.cells, *steps), path.ways + directions)


def necessary_sets(facts: Facts, condition: Op) -> Iterator[Op]:
    """Yield sets that have a member if a condition holds; they depend on the state alone."""
    if has_role(condition, "meet") and condition.type == "flag":
        for part in condition.args:
            yield from necessary_sets(facts, part)
    if has_role(condition, "nonempty"):
        yield from _sources(facts, condition.args[0])


def _sources(facts: Facts, cells: Op) -> Iterator[Op]:
    """Yield sets that have a member if a set has one."""
    if facts.variables(cells) <= {"player"}:
        if not facts.may_fail(cells):
            yield cells
    elif has_role(cells, "meet"):
        for part in cells.args:
            yield from _sources(facts, part)
    elif has_role(cells, "row"):
        yield from _sources(facts, cells.args[2])
