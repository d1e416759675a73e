"""What can be told of sets from how they have been made: what a set has more than another."""

from rulesengine.kernel.code import Value
from rulesengine.kernel.turns import Turns


class Growing(Turns):
    """Adds comparisons of sets by their making."""

    def added(self, new: Value, old: Value) -> Value | None:
        """Cells that make one set of another, which loses none; None if that is not seen."""
        parts, before = self._united(new), self._united(old)
        if len(parts) == len(before) == 1:
            return self._added_to_both(new, old)
        rest, added = [part for part in parts if part not in before], []
        for part in before:
            if part in parts:
                continue
            grown = [(other, self.added(other, part)) for other in rest]
            other, more = next(((o, m) for o, m in grown if m is not None), (part, None))
            if more is None:
                return None
            rest.remove(other)
            added.append(more)
        return self.union([*added, *rest])

    def _united(self, cells: Value) -> list[Value]:
        """The sets that a set is the union of."""
        parts = self.b.made("mor", cells)
        return [cells] if parts is None else [v for part in parts for v in self._united(part)]

    def _added_to_both(self, new: Value, old: Value) -> Value | None:
        """What has been added to the intersection of two sets, none of which loses a cell."""
        b, parts, before = self.b, self._both(new), self._both(old)
        if new == old:
            return b.m(0)
        if parts is None or before is None:
            return None
        more = [self.added(x, y) for x, y in zip(parts, before, strict=True)]
        if more[0] is None or more[1] is None:
            return None
        return b.op("mor", b.op("mand", more[0], parts[1]), b.op("mand", more[1], parts[0]))

    def common_to(self, cells: Value) -> list[Value]:
        """The sets that a set is the intersection of."""
        parts = self._both(cells)
        return [cells] if parts is None else [v for part in parts for v in self.common_to(part)]

    def _both(self, cells: Value) -> tuple[Value, ...] | None:
        """Two sets that a set is the intersection of, if it has been made as such."""
        less = self.b.made("mless", cells)
        return (less[0], self.b.op("mnot", less[1])) if less else self.b.made("mand", cells)
