"""Game histories in kernel memory, for games with rules that read earlier positions."""

from collections.abc import Callable
from threading import Lock
from typing import Protocol

from rulesengine.state import Form, State, registers_of


class HistoryOwner(Protocol):
    """A record of the state that owns the history in kernel memory."""

    @property
    def line(self) -> tuple[object, int]:
        """Return the state, None if there is none, and the length of its history."""

    def record_history(self, state: object, length: int) -> None:
        """Record that kernel memory now has the history of a state."""


class GameHistory:
    """Copies the positions before a state into kernel memory, but only those that are missing.

    Kernel memory has one game history: entry i is the position of its i-th state. Writing an entry
    discards all later ones. `held` records the state of the current history; states link to their
    predecessors.
    """

    def __init__(
        self, form: Form, lengthen: Callable[[State, int], int | None], owner: HistoryOwner
    ) -> None:
        self._form = form
        self._lengthen = lengthen
        self._owner = owner
        self._lock = Lock()

    def load(self, state: State) -> bool:
        """Copy the history of a state to kernel memory; True if that succeeded."""
        with self._lock:
            length = self._copy(state)
            if length is not None:
                self._owner.record_history(state, length)
            return length is not None

    def _copy(self, state: State) -> int | None:
        """Return the number of positions before a state, after copying those that are missing."""
        line, length = self._missing(state)
        # Until the copy is complete no other thread may take it for the history of the old state.
        self._owner.record_history(None, 0)
        if length is None:
            length = self._copy_recorded(line[-1])
        for one in reversed(line[1:]):
            length = None if length is None else self._lengthen(one, length)
        return length

    def _missing(self, state: State) -> tuple[list[State], int | None]:
        """Return a state and its predecessors, back to one in kernel memory, with its history's
        length.

        The length is None if none of them is in kernel memory. Both histories are walked at the
        same time, since most states are a few moves from the last one.
        """
        line, places, lengths = [state], {id(state): 0}, dict[int, int]()
        stored, length = self._owner.line
        at: State | None = state
        while at is not None or isinstance(stored, State):
            if isinstance(stored, State):
                if id(stored) in places:
                    return line[: places[id(stored)] + 1], length
                lengths[id(stored)] = length
                stored, length = stored.before, length - 1
            if at is not None and id(at) in lengths:
                return line, lengths[id(at)]
            at = at.before if at is not None else None
            if at is not None:
                places[id(at)] = len(line)
                line.append(at)
        return line, None

    def _copy_recorded(self, state: State) -> int | None:
        """Copy the history of a state without predecessors; return its length."""
        length: int | None = 0
        for planes, side in state.history:
            registers = registers_of(self._form, planes)
            one = State(planes[: len(self._form.symbols)], side, registers, (), self._form)
            length = None if length is None else self._lengthen(one, length)
        return length
