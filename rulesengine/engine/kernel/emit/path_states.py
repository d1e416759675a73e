"""Kernel code for the state within a move, from all origins at once.

The steps of a move lead along a fixed path, so each of its cells is a path from the first origin. A
condition on the state becomes the set of origins for which it holds. See decision 174.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rulesengine.engine.kernel.analysis.planes import EMPTY
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.cells import image
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.state_values import Position

Path = tuple[int, ...]
Ends = list[tuple[Path, Value]]


@dataclass(frozen=True, slots=True)
class Change:
    """New content of the cell at the end of a path, for moves from some origins.

    `plane` is the number of a plane, or `EMPTY`.
    """

    path: Path
    plane: int
    origins: Value


class PathState:
    """The state after some steps of a move, for all origins at once.

    - `changes`: new contents of cells, in order.
    - `flags`, `sets`: the values of registers that the move has set; those of sets are the value
      before the move, and further cells.
    - `captured`: the cells from which pieces of others were removed, once for each removal; and
      `lost`, the origins of moves that removed a piece of their own side.
    - `unreadable`: the names of registers with unknown values.
    - `are_kinds_unknown`: true if some pieces may have been promoted.
    - `unknown`: the origins for which some value is not known.
    """

    def __init__(self, ctx: Context, at: Position, side: Value) -> None:
        self.ctx, self.b, self.at, self.side = ctx, ctx.b, at, side
        self.changes: list[Change] = []
        self.flags: dict[str, Value] = {}
        self.sets: dict[str, Ends] = {}
        self.captured: Ends = []
        self.lost = ctx.b.m(0)
        self.unreadable: set[str] = set()
        self.are_kinds_unknown = False
        self.unknown = ctx.b.m(0)
        self._active = ctx.b.m(ctx.b.full)

    @property
    def active(self) -> Value:
        """Return the origins for which values are computed now."""
        return self._active

    @contextmanager
    def among(self, origins: Value) -> Iterator[None]:
        """Compute values for some origins only."""
        outer, self._active = self._active, self.b.op("mand", self._active, origins)
        try:
            yield
        finally:
            self._active = outer

    def none(self) -> Value:
        """Return the empty set, and mark the active origins as unknown."""
        self.unknown = self.b.op("mor", self.unknown, self._active)
        return self.b.m(0)

    def end(self, cell: int, path: Path) -> int:
        """Return the cell at the end of a path, -1 off the board."""
        for direction in path:
            cell = self.ctx.shape.targets[direction][cell] if cell >= 0 else -1
        return cell

    def ending_on(self, path: Path, cells: Value) -> Value:
        """Return the origins from which a path leads onto a set."""
        if not path:
            return cells
        return image(self.ctx, cells, self.ctx.shape.path_back(path))

    def on_board(self, path: Path) -> Value:
        """Return the origins from which a path stays on the board."""
        return self.ending_on(path, self.b.m(self.b.full))

    def meeting(self, one: Path, other: Path) -> int:
        """Return the origins from which two paths lead to the same cell."""
        cells = range(self.ctx.shape.cells)
        return sum(1 << c for c in cells if 0 <= self.end(c, one) == self.end(c, other))

    def content(self, planes: frozenset[int], path: Path) -> Value:
        """Return the origins for which the end of a path has a piece of some planes, or none."""
        if self.are_kinds_unknown and not self._are_by_owner(planes):
            return self.none()
        matching, all_origins = self.ending_on(path, self.before(planes)), self.on_board(path)
        for change in self.changes:
            meeting, is_in = self.meeting(path, change.path), change.plane in planes
            hit = self.b.op("mand", change.origins, self.b.m(meeting))
            if hit == all_origins:
                matching = all_origins if is_in else self.b.m(0)
            elif meeting:
                matching = self.b.op("mor" if is_in else "mless", matching, hit)
        return matching

    def _are_by_owner(self, planes: frozenset[int]) -> bool:
        """True if planes are all those of some owners."""
        owners = {number % (self.ctx.sides + 1) for number in planes - {EMPTY}}
        wanted = {n for n in self.ctx.layout.planes if n % (self.ctx.sides + 1) in owners}
        return wanted <= planes

    def changes_any(self, paths: Iterable[Path]) -> bool:
        """True if the move may have changed the cell at the end of some path."""
        changed = [change.path for change in self.changes]
        changed += [path for ends in self.sets.values() for path, _ in ends]
        return any(self.meeting(path, other) for path in paths for other in changed)

    def ends_in(self, name: str) -> Ends:
        """Return the cells in a register of sets; the move is unknown if it had some before."""
        old = self.at.registers[self.ctx.slots[name]]
        had_some = self.b.op("pick", self.b.op("many", old), self.b.m(self.b.full), self.b.m(0))
        with self.among(had_some):
            self.none()
        return self.sets[name]

    def remove(self, path: Path, origins: Value) -> None:
        """Remove the piece at the end of a path, in moves from some of the active origins."""
        b, guard = self.b, self.b.op("mand", self._active, origins)
        owners, mover = self.ctx.sides + 1, self.side.constant
        own = frozenset(n for n in self.ctx.layout.planes if n % owners == mover)
        others = frozenset(self.ctx.layout.planes) - own
        self.lost = b.op("mor", self.lost, b.op("mand", guard, self.content(own, path)))
        self.captured.append((path, b.op("mand", guard, self.content(others, path))))
        self.changes.append(Change(path, EMPTY, guard))

    def before(self, planes: frozenset[int]) -> Value:
        """Return the cells with such content before the move."""
        present, absent = self.b.m(0), self.b.m(0)
        for number, cells in zip(self.ctx.layout.planes, self.at.planes, strict=True):
            if number in planes:
                present = self.b.op("mor", present, cells)
            else:
                absent = self.b.op("mor", absent, cells)
        return self.b.op("mnot", absent) if EMPTY in planes else present
