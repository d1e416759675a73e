"""The earlier positions of games beside one another, where rules read them: a line for each."""

from collections.abc import Callable, Iterable, Sequence

from rulesengine.engine.drivers.batch.layout import FIRST_LINE, SPAN
from rulesengine.engine.drivers.history import HEAD, OWN, entries, entry_words
from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.errors import LimitError, UsageError
from rulesengine.language.ir.program import Program
from rulesengine.state import Before, Form, State, packed_state

_FEW = 64  # positions that there is room for at first, and that are added at least
_GROWTH = 4  # lines grow by this part of what they have: what is reserved and unused counts too
_AT_ONCE = 256  # lines that are moved before their memory is given back


class Past:
    """The positions before a game, which others may have in common with it: entries of lines."""

    __slots__ = ("before", "count", "entry")

    def __init__(self, before: "Past | None", entry: bytes) -> None:
        self.before, self.entry = before, entry
        self.count: int = before.count + 1 if before else 1

    def entries(self) -> list[bytes]:
        """All entries, the first one first."""
        found, past = list[bytes](), self
        while past.before is not None:
            found.append(past.entry)
            past = past.before
        return [past.entry, *reversed(found)]

    def state(self, form: Form) -> State:
        """The last position, as a state after the others."""
        state: State | None = None
        for one in self.entries():
            state = packed_state(form, one[HEAD * WORD :], state)
        assert state is not None
        return state


def past_of(entries: Iterable[bytes]) -> Past | None:
    """The positions of these entries."""
    past: Past | None = None
    for one in entries:
        past = Past(past, one)
    return past


class Lines:
    """The lines of so many games in `memory`, which grows by another one in its place.

    Of a program that keeps no history there are none, and nothing here has a cost.
    """

    def __init__(self, program: Program, games: int) -> None:
        self._form, self._games = program.form, games
        self._size = entry_words(program.form) if program.keeps_history else 0
        self.capacity = 0
        self.memory = Memory(FIRST_LINE)
        self._grow(_FEW)

    @property
    def keeps(self) -> bool:
        """Whether there are any positions to keep."""
        return self._size > 0

    def at(self, number: int) -> int:
        """Where the line of a game begins."""
        return FIRST_LINE + number * self.memory.numbers[SPAN]

    def put(self, number: int, history: Sequence[Before], kept: Callable[[], Iterable[int]]) -> int:
        """Let the line of a game be that of a state; how many positions it has.

        `kept` tells how many positions of each line are to stay. Raises UsageError for a position
        with a piece that has no symbol, LimitError where there is no room.
        """
        found = entries_of(self._form, history) if self.keeps else []
        self.make_room(len(found), kept)
        self.write(number, 0, found)
        return len(found)

    def write(self, number: int, first: int, found: Sequence[bytes]) -> None:
        """Put entries into the line of a game, behind so many others."""
        begin = (self.at(number) + first * self._size) * WORD
        data = b"".join(found)
        self.memory.bytes[begin : begin + len(data)] = data

    def turn(self, known: "Past | None", past: "Past | None") -> None:
        """Let the only line be another one: what both have at their begin stays."""
        found: list[bytes] = []
        while past is not known and past is not None:
            while known is not None and known.count > past.count:
                known = known.before
            if past is not known:
                found.append(past.entry)
                past = past.before
        self.write(0, past.count if past else 0, found[::-1])

    def lengthened(self, past: "Past | None", count: int) -> "Past | None":
        """What is before a game whose only line has so many positions, at most one more by now."""
        if count <= (past.count if past else 0):
            return past
        begin = (self.at(0) + (count - 1) * self._size) * WORD
        held = bytes(self.memory.bytes[begin : begin + self._size * WORD])
        return Past(past, bytes(OWN * WORD) + held[OWN * WORD :])

    def make_room(self, count: int, kept: Callable[[], Iterable[int]]) -> bool:
        """Let lines have room for so many positions; whether the memory is another one now."""
        if not self.keeps or count <= self.capacity:
            return False
        self._grow(max(count, self.capacity + max(_FEW, self.capacity // _GROWTH)), kept())
        return True

    def leave(self, numbers: Iterable[int]) -> None:
        """Give back the memory of the lines of games that have begun anew."""
        if self.keeps:
            size = self.memory.numbers[SPAN] * WORD
            for number in numbers:
                begin = self.at(number) * WORD
                self.memory.leave(begin, begin + size)

    def _grow(self, capacity: int, kept: Iterable[int] = ()) -> None:
        if not self.keeps:
            return
        span, counts, moved = capacity * self._size, list(kept), [0]
        memory = room(FIRST_LINE + self._games * span, sparse=True)
        memory.numbers[SPAN] = span
        try:
            self._move(counts, memory, moved)
        except BaseException:
            self._move(counts, memory, moved)  # what was moved is no longer where it was
            raise
        finally:
            self.memory, self.capacity = memory, capacity

    def _move(self, counts: Sequence[int], memory: Memory, moved: list[int]) -> None:
        """Move lines of so many positions to other memory, from the number on that `moved` tells.

        It takes the room of both for a few of them alone.
        """
        span = memory.numbers[SPAN]
        for number in range(moved[0], len(counts)):
            at, begin = FIRST_LINE + number * span, self.at(number)
            size = counts[number] * self._size
            memory.numbers[at : at + size] = self.memory.numbers[begin : begin + size]
            moved[0] = number + 1
            if moved[0] % _AT_ONCE == 0:
                first = self.at(moved[0] - _AT_ONCE)
                self.memory.leave(first * WORD, self.at(moved[0]) * WORD)


def entries_of(form: Form, history: Sequence[Before]) -> list[bytes]:
    """The entries of a line. Raises UsageError for a piece without a symbol."""
    found = entries(form, history)
    if found is None:
        raise UsageError("the state comes after one with a piece that has no symbol")
    return found


def room(words: int, *, sparse: bool = False) -> Memory:
    """Memory. Raises LimitError where there is none."""
    try:
        return Memory(words, sparse=sparse)
    except (MemoryError, OverflowError):
        raise LimitError(f"no room for {words * WORD:,} bytes of so many games") from None
