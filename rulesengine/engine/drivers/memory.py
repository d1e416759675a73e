"""Memory of drivers: words of 64 bits that code of every kind reads and writes in place.

What stands in it is read in the interpreter, in Python's code and natively alike, so that one may
go on where another has stopped. A place is a number of words from the begin, and lies inside: that
is the driver's duty, which the interpreter alone looks at.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from rulesengine.errors import Stopped

if TYPE_CHECKING:
    from mmap import mmap

    from rulesengine.job import Lane

Word = Annotated[int, "64 bits that wrap"]
Known = Annotated[bool, "written where a driver is called, which is made anew for either"]

# The word that stops whoever polls, as in the lane of a job.
STOP = 0
WORD = 8
_FEW = 1 << 10  # words that there is always room for
_MANY = 1 << 17  # words from which on it counts that those take no time that nobody touches
_MASK = 2**64 - 1
_SIGN = 2**63


class Memory:
    """So many words, all 0 at first; `bytes` is what kernels take.

    Of `sparse` memory some parts are used and others are not, page by page.
    """

    __slots__ = ("bytes", "numbers")

    def __init__(self, words: int, *, sparse: bool = False) -> None:
        size = WORD * words
        self.bytes: Lane = bytearray(size) if words < _MANY else _zeros(size, large=not sparse)
        self.numbers = memoryview(self.bytes).cast("q")

    def __len__(self) -> int:
        return len(self.numbers)

    def leave(self, begin: int, end: int) -> None:
        """Need no more what bytes hold: their pages are given back, as far as they are whole.

        Either they hold what they did or 0 then.
        """
        import mmap

        if isinstance(self.bytes, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            first, past = -(-begin // mmap.PAGESIZE) * mmap.PAGESIZE, end & -mmap.PAGESIZE
            if first < past:
                self.bytes.madvise(mmap.MADV_DONTNEED, first, past - first)


def _zeros(size: int, *, large: bool) -> "mmap":
    """Memory of zeros, which costs nothing until it is touched. Raises MemoryError.

    Large pages, where there are any and they are wanted, spare a table that is read here and there
    most of the faults and most of the misses of what translates addresses.
    """
    import mmap

    try:
        if not hasattr(mmap, "MAP_PRIVATE"):
            return mmap.mmap(-1, size)
        memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError:
        raise MemoryError from None
    if large and hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


def largest(words: int) -> Memory:
    """So many words, or as many as there is room for: half of them, a quarter of them, …"""
    while True:
        try:
            return Memory(words)
        except (MemoryError, OverflowError):
            if words < _FEW:
                raise
            words //= 2


def load(memory: Memory, at: int) -> int:
    """The number at a place."""
    return memory.numbers[_inside(at)]


def store(memory: Memory, at: int, number: int) -> None:
    """Let a place hold a number."""
    memory.numbers[_inside(at)] = number


def add_shared(memory: Memory, at: int, number: int) -> int:
    """Add to the number at a place that other threads change too; gives what it was."""
    before = load(memory, at)
    store(memory, at, before + number)
    return before


def load_word(memory: Memory, at: int) -> Word:
    """The 64 bits at a place."""
    return memory.numbers[_inside(at)] & _MASK


def store_word(memory: Memory, at: int, word: Word) -> None:
    """Let a place hold 64 bits."""
    memory.numbers[_inside(at)] = signed(word)


def load_byte(memory: Memory, at: int) -> int:
    """The number of 8 bits at a place that counts bytes."""
    return memory.bytes[_inside(at)]


def store_byte(memory: Memory, at: int, number: int) -> None:
    """Let a place that counts bytes hold a number from 0 to 255."""
    memory.bytes[_inside(at)] = number


def load_half(memory: Memory, at: int) -> int:
    """The number of 16 bits at a place that counts bytes."""
    return memory.bytes[_inside(at)] | memory.bytes[at + 1] << 8


def store_half(memory: Memory, at: int, number: int) -> None:
    """Let a place that counts bytes, and the next one, hold a number from 0 to 65,535."""
    memory.bytes[_inside(at)], memory.bytes[at + 1] = number & 255, number >> 8


def poll(memory: Memory) -> None:
    """Raise Stopped if the word that stops is set."""
    if memory.numbers[STOP]:
        raise Stopped


def signed(word: Word) -> int:
    """The number with these bits."""
    return (word ^ _SIGN) - _SIGN


def same(a: Word, b: Word) -> bool:
    """Whether two words are equal."""
    return a == b


def _inside(at: int) -> int:
    """The place; Python would count one below 0 from the end."""
    if at < 0:
        raise IndexError(f"no place {at}")
    return at
