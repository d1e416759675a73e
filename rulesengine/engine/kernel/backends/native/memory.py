"""The context record: the state of a thread's calls outside registers, and its accesses.

It starts with the failure flag, the mark and the limit of the stack. A stopped call has failed too,
and sets one more flag. The history is a hash table with chaining: bucket -> entry + 1, entry -> the
previous entry of its bucket. The entries are a stack, so the last one is the first of its chain. A
table counts the entries by a hash of the sizes of their sets. The first entries may remain in
memory of the caller until they are searched often. The lists follow.
"""

from dataclasses import dataclass

from rulesengine.engine.kernel.backends.native.text import Body
from rulesengine.support.limits import MAX_PLIES

MARK, FOOT, TOP, STOPPED, HEAD = 8, 16, 24, 32, 64
# Entries in memory of the caller that are not in the table: words before its history, the first
# entry, their number, and the searches among them.
CACHED_WORDS, PENDING_ENTRIES, PENDING, SEARCHES = 40, 48, 56, 60
ENTRIES = 1 << (MAX_PLIES + 4096).bit_length()
BUCKETS = 1 << 11
SIZES = 1 << 12
# Alias metadata: stores to the failure flag or to memory of the caller change nothing else.
FLAG, MEMORY = "!tbaa !7", "!tbaa !8"
GIVEN = -1  # the number of the list that is passed by the caller
STACK = 384 * 1024  # stack for recursion, in bytes; threads have at least 512 kB
LANE_STACK = 20 * 1024  # the same for a lane of a GPU, which gets 32 kB


@dataclass(frozen=True, slots=True)
class ContextRecord:
    """The offsets of a context record in bytes; `lists` are the numbers of the lists in use.

    A record has space only for the parts that the code uses. A process may hold thousands of games
    with a record for each kernel, and reserved memory counts if address space is limited.
    """

    lists: tuple[int, ...]
    items: int
    history: bool

    @property
    def first_list(self) -> int:
        return HEAD + (BUCKETS * 4 + ENTRIES * 32 + SIZES * 4 if self.history else 0)

    @property
    def list_size(self) -> int:
        return 64 + 8 * self.items

    def list_at(self, number: int) -> int:
        return self.first_list + self.lists.index(number) * self.list_size

    @property
    def size(self) -> int:
        return self.first_list + len(self.lists) * self.list_size


def has_failed(body: Body) -> str:
    """Return a flag that is true after a failure."""
    return body.let(f"icmp ne i64 {body.let(f'load i64, ptr %ctx, align 8, {FLAG}')}, 0")


def fail(body: Body, flag: int = 1) -> None:
    """Set the failure flag; with 0, clear it."""
    body.do(f"store i64 {flag}, ptr %ctx, align 8, {FLAG}")


def at(body: Body, offset: int) -> str:
    """Return the address of an offset into the record."""
    return body.let(f"getelementptr inbounds i8, ptr %ctx, i64 {offset}")


def list_at(body: Body, record: ContextRecord, number: int) -> str:
    """Return the address of a list."""
    return at(body, record.list_at(number))


def copy_list(body: Body, record: ContextRecord, start: str, count: str) -> str:
    """Copy the caller's numbers into their list and return it; too many numbers are a failure."""
    numbers = list_at(body, record, GIVEN)
    on, failed, copy = body.fresh("on"), body.fresh("full"), body.fresh("copy")
    body.do(f"store i64 0, ptr {numbers}, align 8, !tbaa !1")
    body.branch(body.let(f"icmp ugt i64 {count}, {record.items}"), failed, copy, "never")
    body.block(failed)
    fail(body)
    body.jump(on)
    body.block(copy)
    body.pool.declared["@llvm.memcpy.p0.p0.i64"] = "void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
    to, size = body.let(f"getelementptr i8, ptr {numbers}, i64 64"), body.let(f"shl i64 {count}, 3")
    body.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {start}, i64 {size}, i1 false)")
    body.do(f"store i64 {count}, ptr {numbers}, align 8, !tbaa !1")
    body.block(on)
    return numbers


def push(body: Body, record: ContextRecord, numbers: str, value: str) -> str:
    """Append a number unless the list is full; return a flag that is true if it was full."""
    size = body.let(f"load i64, ptr {numbers}, align 8, !tbaa !1")
    full = body.let(f"icmp uge i64 {size}, {record.items}")
    add, on = body.fresh("push"), body.fresh("on")
    failed = body.fresh("full")
    body.branch(full, failed, add, "never")
    body.block(failed)
    fail(body)
    body.jump(on)
    body.block(add)
    body.do(f"store i64 {value}, ptr {_item(body, numbers, size)}, align 8, !tbaa !2")
    body.do(f"store i64 {body.let(f'add i64 {size}, 1')}, ptr {numbers}, align 8, !tbaa !1")
    body.block(on)
    return full


def size(body: Body, numbers: str) -> str:
    return body.let(f"load i64, ptr {numbers}, align 8, !tbaa !1")


def item(body: Body, record: ContextRecord, numbers: str, index: str) -> str:
    last = str(record.items - 1)
    inside = body.call("i64", "llvm.umin.i64", ("i64", index), ("i64", last))
    return body.let(f"load i64, ptr {_item(body, numbers, inside)}, align 8, !tbaa !2")


def cut(body: Body, numbers: str, count: str) -> None:
    """Truncate a list; a count beyond its size changes nothing."""
    before = size(body, numbers)
    least = body.call("i64", "llvm.umin.i64", ("i64", before), ("i64", count))
    body.do(f"store i64 {least}, ptr {numbers}, align 8, !tbaa !1")


def _item(body: Body, numbers: str, index: str) -> str:
    items = body.let(f"getelementptr inbounds i8, ptr {numbers}, i64 64")
    return body.let(f"getelementptr inbounds i64, ptr {items}, i64 {index}")


TBAA = """!0 = !{!"kernel"}
!3 = !{!"size", !0, i64 0}
!4 = !{!"item", !0, i64 0}
!5 = !{!"flag", !0, i64 0}
!6 = !{!"given", !0, i64 0}
!1 = !{!3, !3, i64 0}
!2 = !{!4, !4, i64 0}
!7 = !{!5, !5, i64 0}
!8 = !{!6, !6, i64 0}"""
