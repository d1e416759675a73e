"""Memory of drivers: 64-bit words that the interpreter and all kernels read and write in place.

The interpreter, Python code and native code share one format, so one of them can continue the work
of another. An address is an index of words from the start. The driver keeps it within bounds; only
the interpreter checks that.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from rulesengine.errors import Stopped

if TYPE_CHECKING:
    from mmap import mmap

    from rulesengine.job import WritableBuffer

Word = Annotated[int, "64 bits that wrap"]
StaticFlag = Annotated[bool, "a literal at each call; the driver is compiled once for each value"]

# The address of the stop flag that `poll` checks, as in the shared words of a job.
STOP = 0
WORD = 8
_SMALL_REQUEST = 1 << 10  # a request for fewer words must not fail
_MAPPED_WORDS = 1 << 17  # memory of this size is mapped, so that untouched pages cost no time
_MASK = 2**64 - 1
_SIGN = 2**63


class Memory:
    """Zeroed words; `bytes` is the buffer that kernels receive.

    `sparse` memory is used only in some of its pages.
    """

    __slots__ = ("bytes", "numbers")

    def __init__(self, words: int, *, sparse: bool = False) -> None:
        size = WORD * words
        self.bytes: WritableBuffer = (
            bytearray(size) if words < _MAPPED_WORDS else _zeros(size, large=not sparse)
        )
        self.numbers = memoryview(self.bytes).cast("q")

    def __len__(self) -> int:
        return len(self.numbers)

    def leave(self, begin: int, end: int) -> None:
        """Release the whole pages within a range of bytes to the system.

        Afterwards these bytes have their previous contents or are 0.
        """
        import mmap

        if isinstance(self.bytes, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            first, past = -(-begin // mmap.PAGESIZE) * mmap.PAGESIZE, end & -mmap.PAGESIZE
            if first < past:
                self.bytes.madvise(mmap.MADV_DONTNEED, first, past - first)


def _zeros(size: int, *, large: bool) -> "mmap":
    """Map zeroed memory, which costs nothing until it is touched. Raises MemoryError.

    Large pages, if requested and supported, avoid most page faults and most TLB misses of a table
    with random access.
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


def allocate_largest(words: int) -> Memory:
    """Allocate memory of the given size, or half, a quarter, … of it while the allocation fails."""
    while True:
        try:
            return Memory(words)
        except (MemoryError, OverflowError):
            if words < _SMALL_REQUEST:
                raise
            words //= 2


def load(memory: Memory, at: int) -> int:
    """Return the number at an address."""
    return memory.numbers[_inside(at)]


def store(memory: Memory, at: int, number: int) -> None:
    """Write a number to an address."""
    memory.numbers[_inside(at)] = number


def add_shared(memory: Memory, at: int, number: int) -> int:
    """Add to the number at an address that other threads change too; return its previous value."""
    before = load(memory, at)
    store(memory, at, before + number)
    return before


def load_word(memory: Memory, at: int) -> Word:
    """Return the 64 bits at an address."""
    return memory.numbers[_inside(at)] & _MASK


def store_word(memory: Memory, at: int, word: Word) -> None:
    """Write 64 bits to an address."""
    memory.numbers[_inside(at)] = signed(word)


def load_byte(memory: Memory, at: int) -> int:
    """Return the 8-bit number at a byte address."""
    return memory.bytes[_inside(at)]


def store_byte(memory: Memory, at: int, number: int) -> None:
    """Write a number from 0 to 255 to a byte address."""
    memory.bytes[_inside(at)] = number


def load_half(memory: Memory, at: int) -> int:
    """Return the 16-bit number at a byte address."""
    return memory.bytes[_inside(at)] | memory.bytes[at + 1] << 8


def store_half(memory: Memory, at: int, number: int) -> None:
    """Write a number from 0 to 65,535 to a byte address and the next one."""
    memory.bytes[_inside(at)], memory.bytes[at + 1] = number & 255, number >> 8


def poll(memory: Memory) -> None:
    """Raise Stopped if the stop flag is set."""
    if memory.numbers[STOP]:
        raise Stopped


def signed(word: Word) -> int:
    """Reinterpret a word as a signed number."""
    return (word ^ _SIGN) - _SIGN


def words_equal(a: Word, b: Word) -> bool:
    """True if two words are equal."""
    return a == b


def _inside(at: int) -> int:
    """Return a valid address; Python would count a negative one from the end."""
    if at < 0:
        raise IndexError(f"no place {at}")
    return at
