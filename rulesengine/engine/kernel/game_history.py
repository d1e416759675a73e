"""The line of play that kernels hold, for games whose rules read earlier positions."""

from collections.abc import Callable
from threading import Lock
from typing import Protocol

from rulesengine.state import Form, State, registers_of


class Held(Protocol):
    """Whose line of play kernels have."""

    @property
    def line(self) -> tuple[object, int]:
        """The object, None if there is none, and the length of its history."""

    def hold(self, state: object, length: int) -> None:
        """Note that it is now that of an object."""


class Line:
    """Lets kernels hold the positions before a state, told of those only that they do not hold.

    They keep one line: entry i is the position of its i-th state, and telling it anew forgets all
    behind it. `held` has the state whose line that is; states know the ones before them.
    """

    def __init__(
        self, form: Form, lengthen: Callable[[State, int], int | None], held: Held
    ) -> None:
        self._form = form
        self._lengthen = lengthen
        self._held = held
        self._lock = Lock()

    def hold(self, state: State) -> bool:
        """Whether the kernels hold the line of a state now."""
        with self._lock:
            length = self._told(state)
            if length is not None:
                self._held.hold(state, length)
            return length is not None

    def _told(self, state: State) -> int | None:
        """How many positions are before a state, all of which the kernels have been told."""
        line, length = self._untold(state)
        # Until all is told no other thread may take the line for that of the state before.
        self._held.hold(None, 0)
        if length is None:
            length = self._told_alone(line[-1])
        for one in reversed(line[1:]):
            length = None if length is None else self._lengthen(one, length)
        return length

    def _untold(self, state: State) -> tuple[list[State], int | None]:
        """A state and those before it, back to one of the line that is held, with its length.

        None is the length of the first state of all, if it is not of that line. Both lines are
        followed at the same time, since most states are a few moves from what was asked last.
        """
        line, places, lengths = [state], {id(state): 0}, dict[int, int]()
        held, length = self._held.line
        at: State | None = state
        while at is not None or isinstance(held, State):
            if isinstance(held, State):
                if id(held) in places:
                    return line[: places[id(held)] + 1], length
                lengths[id(held)] = length
                held, length = held.before, length - 1
            if at is not None and id(at) in lengths:
                return line, lengths[id(at)]
            at = at.before if at is not None else None
            if at is not None:
                places[id(at)] = len(line)
                line.append(at)
        return line, None

    def _told_alone(self, state: State) -> int | None:
        """The same of a state that knows its history by itself."""
        length: int | None = 0
        for planes, side in state.history:
            registers = registers_of(self._form, planes)
            one = State(planes[: len(self._form.symbols)], side, registers, (), self._form)
            length = None if length is None else self._lengthen(one, length)
        return length
