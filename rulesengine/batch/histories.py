"""Histories of the games of a batch, for rules that read earlier positions: one line per game.

See decision 067.
"""

from collections.abc import Callable, Iterable, Sequence

from rulesengine.engine.drivers.batch.layout import CAPACITY, FIRST_LINE, SPAN
from rulesengine.engine.drivers.history import (
    CACHED,
    FIRST_ENTRY,
    HEAD,
    OWN,
    entries,
    entry_words,
)
from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.errors import LimitError, UsageError
from rulesengine.language.ir.program import Program
from rulesengine.state import Before, Form, State, packed_state

_MIN_CAPACITY = 64  # initial capacity in positions, and minimum growth
_GROWTH = 4  # lines grow by 1/4; reserved memory counts even if unused
_LINES_PER_RELEASE = 256  # lines moved between two releases of memory
# Bytes of a line that a restarted game retains: page faults take longer than plies.
_RETAINED = 32 * 1024


class HistoryNode:
    """An immutable history: a linked list of entries. Histories may share a tail."""

    __slots__ = ("before", "count", "entry")

    def __init__(self, before: "HistoryNode | None", entry: bytes) -> None:
        self.before, self.entry = before, entry
        self.count: int = before.count + 1 if before else 1

    def entries(self) -> list[bytes]:
        """Return all entries, the first one first."""
        packed_entries, past = list[bytes](), self
        while past.before is not None:
            packed_entries.append(past.entry)
            past = past.before
        return [past.entry, *reversed(packed_entries)]

    def state(self, form: Form) -> State:
        """Return the last position as a state with its history."""
        state: State | None = None
        for one in self.entries():
            state = packed_state(form, one[HEAD * WORD :], state)
        assert state is not None
        return state


def history_of(entries: Iterable[bytes]) -> HistoryNode | None:
    """Build a history from entries."""
    past: HistoryNode | None = None
    for one in entries:
        past = HistoryNode(past, one)
    return past


class Histories:
    """The histories of the games in `memory`, which is replaced by a larger one when it is full.

    For a program without history there are none, and no operation has a cost.
    """

    def __init__(self, program: Program, games: int) -> None:
        self._form, self._games = program.form, games
        self._size = entry_words(program.form) if program.keeps_history else 0
        self.capacity = 0
        self.memory = Memory(FIRST_LINE)
        self._grow(_MIN_CAPACITY)

    @property
    def is_active(self) -> bool:
        """True if the program keeps a history."""
        return self._size > 0

    def at(self, number: int) -> int:
        """Return the offset of the history of a game."""
        return FIRST_LINE + number * self.memory.numbers[SPAN] + self.memory.numbers[CAPACITY]

    def entries_at(self, number: int) -> int:
        """Return the offset of the entries of a game."""
        return self.at(number) + FIRST_ENTRY

    def put(
        self, number: int, history: Sequence[Before], retained: Callable[[], Iterable[int]]
    ) -> int:
        """Write the history of a state into the line of a game; return its number of positions.

        `retained` returns the number of positions to preserve in each line. Raises UsageError for a
        position with a piece that has no symbol, LimitError if there is not enough memory.
        """
        packed_entries = entries_of(self._form, history) if self.is_active else []
        self.grow(len(packed_entries), retained)
        self.write(number, 0, packed_entries)
        return len(packed_entries)

    def write(self, number: int, first: int, packed_entries: Sequence[bytes]) -> None:
        """Write entries into the line of a game from entry `first` on."""
        if not self.is_active:
            return
        cached = self.at(number) + CACHED
        self.memory.numbers[cached] = min(self.memory.numbers[cached], first)
        begin = (self.entries_at(number) + first * self._size) * WORD
        data = b"".join(packed_entries)
        self.memory.bytes[begin : begin + len(data)] = data

    def read(self, number: int, count: int) -> bytes:
        """Return the first `count` entries of the line of a game."""
        begin = self.entries_at(number) * WORD
        return bytes(self.memory.bytes[begin : begin + count * self._size * WORD])

    def turn(self, known: "HistoryNode | None", past: "HistoryNode | None") -> None:
        """Replace the contents of the only line; the common prefix of both histories is not
        rewritten.
        """
        new_entries: list[bytes] = []
        while past is not known and past is not None:
            while known is not None and known.count > past.count:
                known = known.before
            if past is not known:
                new_entries.append(past.entry)
                past = past.before
        self.write(0, past.count if past else 0, new_entries[::-1])

    def lengthened(self, past: "HistoryNode | None", count: int) -> "HistoryNode | None":
        """Return the history of the only game: `past` or one entry more."""
        if count <= (past.count if past else 0):
            return past
        begin = (self.entries_at(0) + (count - 1) * self._size) * WORD
        line = bytes(self.memory.bytes[begin : begin + self._size * WORD])
        return HistoryNode(past, bytes(OWN * WORD) + line[OWN * WORD :])

    def grow(self, count: int, retained: Callable[[], Iterable[int]]) -> bool:
        """Grow lines to `count` positions. True if the memory has been replaced."""
        if not self.is_active or count <= self.capacity:
            return False
        self._grow(
            max(count, self.capacity + max(_MIN_CAPACITY, self.capacity // _GROWTH)), retained()
        )
        return True

    @property
    def retained(self) -> int:
        """Return the number of positions that a restarted game has memory for."""
        return _RETAINED // (max(1, self._size) * WORD)

    def leave(self, numbers: Iterable[int]) -> None:
        """Release the memory of the lines of restarted games, except their first positions."""
        if self.is_active:
            size = self.capacity * self._size * WORD
            for number in numbers:
                begin = self.entries_at(number) * WORD
                self.memory.leave(begin + _RETAINED, begin + size)

    def _grow(self, capacity: int, retained: Iterable[int] = ()) -> None:
        if not self.is_active:
            return
        span = capacity + FIRST_ENTRY + capacity * self._size
        counts, moved = list(retained), [0]
        memory = room(FIRST_LINE + self._games * span, sparse=True)
        memory.numbers[SPAN], memory.numbers[CAPACITY] = span, capacity
        try:
            self._move(counts, memory, moved)
        except BaseException:
            # complete the move: the lines moved so far are released
            self._move(counts, memory, moved)
            raise
        finally:
            self.memory, self.capacity = memory, capacity

    def _move(self, counts: Sequence[int], memory: Memory, moved: list[int]) -> None:
        """Move lines to new memory, from the line number in `moved` on.

        Both copies exist for a few lines at a time only.
        """
        span, capacity = memory.numbers[SPAN], memory.numbers[CAPACITY]
        for number in range(moved[0], len(counts)):
            at, begin = FIRST_LINE + number * span + capacity, self.at(number)
            before, size = counts[number], FIRST_ENTRY + counts[number] * self._size
            memory.numbers[at - before : at + size] = self.memory.numbers[
                begin - before : begin + size
            ]
            moved[0] = number + 1
            if moved[0] % _LINES_PER_RELEASE == 0:
                first = self.at(moved[0] - _LINES_PER_RELEASE)
                self.memory.leave(first * WORD, self.at(moved[0]) * WORD)


def entries_of(form: Form, history: Sequence[Before]) -> list[bytes]:
    """Return the entries of a history. Raises UsageError for a piece without a symbol."""
    packed_entries = entries(form, history)
    if packed_entries is None:
        raise UsageError("an earlier position of the state has a piece without a symbol")
    return packed_entries


def room(words: int, *, sparse: bool = False) -> Memory:
    """Allocate memory. Raises LimitError if there is not enough."""
    try:
        return Memory(words, sparse=sparse)
    except (MemoryError, OverflowError):
        raise LimitError(f"no room for {words * WORD:,} bytes of so many games") from None
