"""Instructions on memory of the caller: loads and stores, relaxed atomics, the poll.

Atomic instructions use LLVM's ordering `monotonic`, which is C's `memory_order_relaxed`. The poll
is volatile too, or LLVM could hoist its load out of a loop.
"""

from collections.abc import Callable, Sequence

from rulesengine.engine.kernel.backends.native import memory
from rulesengine.engine.kernel.backends.native.text import Body

_FEW_WORDS = 4
_ATOMIC = f"monotonic, align 8, {memory.MEMORY}"


def emit(body: Body, op: str, args: list[str]) -> str:
    """Emit an instruction on memory, except the poll; return its result or an empty string."""
    place = address_of(body, args)
    match op, args[2:]:
        case "atomic_load", []:
            return body.let(f"load atomic i64, ptr {place} {_ATOMIC}")
        case "atomic_store", [value]:
            body.do(f"store atomic i64 {value}, ptr {place} {_ATOMIC}")
            return ""
        case "atomic_add", [value]:
            return body.let(f"atomicrmw add ptr {place}, i64 {value} {_ATOMIC}")
        case "atomic_cas", [expected, new]:
            return _swap(body, place, expected, new)
        case _, []:
            return _load(body, place, int(op.removeprefix("load")))
    _store(body, place, int(op.removeprefix("store")), args[2])
    return ""


def emit_unless(body: Body, failed: str, op: str, args: list[str]) -> str:
    """Emit the instruction unless something has failed; then its address may be arbitrary."""
    if is_fixed(args) and op in ("atomic_load", "load64"):
        return emit(body, op, args)  # a read at a fixed address is safe
    on, there, before = body.fresh("on"), body.fresh("there"), body.label
    body.branch(failed, on, there, "never")
    body.block(there)
    value, last = emit(body, op, args), body.label
    body.block(on)
    return body.let(f"phi i64 [ 0, %{before} ], [ {value}, %{last} ]") if value else ""


def store_text(body: Body, failed: str, args: list[str], words: Sequence[int]) -> None:
    """Emit a store of constant words unless something has failed; many words are copied."""
    on = body.fresh("on")
    if failed:
        there = body.fresh("there")
        body.branch(failed, on, there, "never")
        body.block(there)
    place = address_of(body, args)
    if len(words) > _FEW_WORDS:
        text = body.pool.table("i64", [str(word) for word in words])
        body.pool.declared["@llvm.memcpy.p0.p0.i64"] = (
            "void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
        )
        size = f"i64 {8 * len(words)}, i1 false"
        body.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {place}, ptr {text}, {size})")
    for at, word in enumerate(words if len(words) <= _FEW_WORDS else ()):
        there = body.let(f"getelementptr i8, ptr {place}, i64 {8 * at}")
        body.do(f"store i64 {word}, ptr {there}, align 1, {memory.MEMORY}")
    if failed:
        body.block(on)


def poll(body: Body, failed: str, args: list[str], leave: Callable[[], None]) -> None:
    """Emit a return from the function if the word is not 0 (stopped) or if it has failed."""
    halt, look, stop, left, on = map(body.fresh, ("halt", "look", "stop", "left", "on"))
    if not is_fixed(args):
        body.branch(failed, left, look, "never")
        body.block(look)
    word = body.let(f"load atomic volatile i64, ptr {address_of(body, args)} {_ATOMIC}")
    stopped = body.let(f"icmp ne i64 {word}, 0")
    # The common path has one branch; the two conditions are tested separately on the way out.
    body.branch(body.let(f"or i1 {stopped}, {failed}"), halt, on, "never")
    body.block(halt)
    body.branch(failed, left, stop)
    body.block(stop)
    body.do(f"store i64 1, ptr {memory.at(body, memory.STOPPED)}, align 8")
    memory.fail(body)
    body.block(left)
    leave()
    body.block(on)


def is_fixed(args: list[str]) -> bool:
    """True if the address is a constant offset into a parameter, valid even after a failure."""
    return args[0].startswith("%p") and args[1].isdigit()


def address_of(body: Body, args: list[str]) -> str:
    """Return the address that an instruction refers to."""
    return body.let(f"getelementptr i8, ptr {args[0]}, i64 {args[1]}")


def _load(body: Body, place: str, bits: int) -> str:
    value = body.let(f"load i{bits}, ptr {place}, align 1, {memory.MEMORY}")
    return value if bits == 64 else body.let(f"zext i{bits} {value} to i64")


def _store(body: Body, place: str, bits: int, value: str) -> None:
    low = value if bits == 64 else body.let(f"trunc i64 {value} to i{bits}")
    body.do(f"store i{bits} {low}, ptr {place}, align 1, {memory.MEMORY}")


def _swap(body: Body, place: str, expected: str, new: str) -> str:
    words = f"i64 {expected}, i64 {new}"
    pair = body.let(f"cmpxchg ptr {place}, {words} monotonic {_ATOMIC}")
    return body.let(f"extractvalue {{ i64, i1 }} {pair}, 0")
