"""Convert between values and 64-bit words in memory, the calling convention of entry points."""

from rulesengine.engine.kernel.backends.native import memory
from rulesengine.engine.kernel.backends.native.layout import Layout
from rulesengine.engine.kernel.backends.native.memory import ContextRecord
from rulesengine.engine.kernel.backends.native.text import Body


def widths(types: tuple[str, ...], layout: Layout) -> list[int]:
    """Return the number of words that values of these types take."""
    return [{"m": layout.words, "b": 2}.get(type, 1) for type in types]


def read(b: Body, type: str, layout: Layout, record: ContextRecord, words: str, place: int) -> str:
    """Load a value from its place among words; a list is copied into the context."""
    at = b.let(f"getelementptr i64, ptr {words}, i64 {place}")
    if type == "m":
        return layout.load(b, at)
    word = b.let(f"load i64, ptr {at}, align 8")
    if type == "b":
        start, count = (
            b.let(f"inttoptr i64 {word} to ptr"),
            read(b, "i", layout, record, words, place + 1),
        )
        return memory.copy_list(b, record, start, count)
    if type == "a":
        return b.let(f"inttoptr i64 {word} to ptr")
    return b.let(f"icmp ne i64 {word}, 0") if type == "f" else word


def write(b: Body, type: str, layout: Layout, value: str, words: str, place: int) -> None:
    """Store a value at its place among words; a list as the address of its items and a count."""
    at = b.let(f"getelementptr i64, ptr {words}, i64 {place}")
    if type == "m":
        layout.store(b, value, at)
        return
    if type == "b":
        items = b.let(f"getelementptr i8, ptr {value}, i64 64")
        size = b.let(f"load i64, ptr {value}, align 8")
        b.do(f"store i64 {size}, ptr {b.let(f'getelementptr i64, ptr {at}, i64 1')}, align 8")
        value = b.let(f"ptrtoint ptr {items} to i64")
    elif type == "f":
        value = b.let(f"zext i1 {value} to i64")
    b.do(f"store i64 {value}, ptr {at}, align 8")
