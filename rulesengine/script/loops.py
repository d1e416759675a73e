"""The values that a loop of a running script has left."""

from collections.abc import Iterable


class LoopState:
    """A loop: the next number and the last one, or other values with the next one last.

    `printed` is the number of outputs when the loop was entered.
    """

    __slots__ = ("last", "next", "printed", "values")

    def __init__(self, next: int, last: int, values: list[int] | None, printed: int) -> None:
        self.next, self.last, self.values, self.printed = next, last, values, printed

    @classmethod
    def of(cls, values: Iterable[int], printed: int) -> "LoopState":
        """Return the state of a loop that begins."""
        if isinstance(values, range):
            return cls(values.start, values.stop - 1, None, printed)
        return cls(0, 0, list(values)[::-1], printed)

    @property
    def has_more(self) -> bool:
        """True if there is another round."""
        return self.next <= self.last if self.values is None else bool(self.values)

    def take(self) -> int:
        """Return the value of the next round."""
        if self.values is not None:
            return self.values.pop()
        self.next += 1
        return self.next - 1
