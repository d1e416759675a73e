"""The history of a game in the context record: keys of positions and how often each occurred.

See decision 175.
"""

from rulesengine.engine.drivers.history import OWN
from rulesengine.engine.drivers.memory import WORD
from rulesengine.engine.drivers.random import folded
from rulesengine.engine.kernel.backends.native import memory
from rulesengine.engine.kernel.backends.native.numbers import high_product
from rulesengine.engine.kernel.backends.native.text import Body

_SPREAD = 61
_SEED = 0x9FB21C651E98DF25
_ENTRIES_AT = memory.HEAD + memory.BUCKETS * 4
_SIZES_AT = _ENTRIES_AT + memory.ENTRIES * 32
# Bits of the word of a stored hash of sizes: the keys are stored, and the hash as well.
_KNOWN, _SIZED = 1 << 32, 1 << 33
# More entries than this are not removed one by one.
_MUCH = 16
# The entries by their hash of sizes: one less, and one more.
_FORGET_SIZES = """  %oldsizes = lshr i64 %oldnext, 32
  %oldcountat = getelementptr i32, ptr %counted, i64 %oldsizes
  %oldcount = load i32, ptr %oldcountat, align 4
  %fewer = sub i32 %oldcount, 1
  store i32 %fewer, ptr %oldcountat, align 4
"""
_COUNT_SIZES = """  %countat = getelementptr i32, ptr %counted, i64 %sizes
  %count = load i32, ptr %countat, align 4
  %raised = add i32 %count, 1
  store i32 %raised, ptr %countat, align 4
"""
_ENTRIES = "ptr %ctx, ptr %first, i64 %size, i64 %begin, i64 %count"
_PARAMS = "ptr %ctx, i64 %h, i64 %side, i64 %low, i64 %high"


def key(body: Body, words: list[str]) -> tuple[str, str]:
    """Return two 64-bit hashes that identify a board with overwhelming probability.

    They are a sum of products of two words, each with a constant added: the hash NH of UMAC (Black
    and others, 1999), with 128 bits. The first hash has bits of both halves.
    """
    low, high = "0", "0"
    for place in range(0, len(words), 2):
        pair = [*words[place : place + 2], "0"][:2]
        one, other = (
            body.let(f"add i64 {word}, {_constant(place + number)}")
            for number, word in enumerate(pair)
        )
        more = body.let(f"mul i64 {one}, {other}")
        low = body.let(f"add i64 {low}, {more}")
        carry = body.let(f"zext i1 {body.let(f'icmp ult i64 {low}, {more}')} to i64")
        above = body.let(f"add i64 {high_product(body, one, other)}, {carry}")
        high = body.let(f"add i64 {high}, {above}")
    return body.let(f"xor i64 {low}, {high}"), high


def _constant(place: int) -> int:
    """Return a random constant for the word at a place."""
    return folded(_SEED, (place,))


def sizes(body: Body, counts: list[str]) -> str:
    """Return a hash of the sizes of sets, the index into the table that counts entries by size."""
    total = "0"
    for place, count in enumerate(counts):
        part = body.let(f"mul i64 {count}, {pow(_SPREAD, place, memory.SIZES)}")
        total = body.let(f"add i64 {total}, {part}")
    return body.let(f"and i64 {total}, {memory.SIZES - 1}")


def emit_has_sizes(body: Body, place: str) -> str:
    """Return a flag that is true if some entry has this hash of sizes."""
    first = memory.at(body, _SIZES_AT)
    at = body.let(f"getelementptr i32, ptr {first}, i64 {place}")
    return body.let(f"icmp ne i32 {body.let(f'load i32, ptr {at}, align 4')}, 0")


def remember_text(counts_sizes: bool, has_vectors: bool) -> str:
    """Return the text of a helper that truncates the history to `h` entries and appends one.

    The hash of sizes is stored in the high half of the word of the next entry. Without
    `counts_sizes` there is no table of sizes, and a new history clears the buckets. It clears eight
    words by one vector, or one by one without `has_vectors`.
    """
    forget, count = (_FORGET_SIZES, _COUNT_SIZES) if counts_sizes else ("", "")
    anew = "false" if counts_sizes else "%isfirst"
    words = "<8 x i64>" if has_vectors else "[8 x i64]"
    return f"""define internal fastcc i64 @h.remember({_PARAMS}, i64 %sizes) nounwind {{
entry:
  %topat = getelementptr i8, ptr %ctx, i64 {memory.TOP}
  %buckets = getelementptr i8, ptr %ctx, i64 {memory.HEAD}
  %entries = getelementptr i8, ptr %ctx, i64 {_ENTRIES_AT}
  %counted = getelementptr i8, ptr %ctx, i64 {_SIZES_AT}
  %top = load i64, ptr %topat, align 8
  %gap = icmp ugt i64 %h, %top
  %full = icmp uge i64 %h, {memory.ENTRIES}
  %bad = or i1 %gap, %full
  br i1 %bad, label %wrong, label %old
wrong:
  store i64 1, ptr %ctx, align 8
  ret i64 0
old:
  %fresh = icmp eq i64 %h, 0
  %much = icmp ugt i64 %top, {_MUCH}
  %isfirst = and i1 %fresh, %much
  br i1 {anew}, label %clear, label %drop
clear:
  %word = phi i64 [ 0, %old ], [ %nextword, %clear ]
  %wordat = getelementptr i64, ptr %buckets, i64 %word
  store volatile {words} zeroinitializer, ptr %wordat, align 8
  %nextword = add i64 %word, 8
  %cleared = icmp eq i64 %nextword, {memory.BUCKETS // 2}
  br i1 %cleared, label %add, label %clear
drop:
  %t = phi i64 [ %top, %old ], [ %last, %one ]
  %more = icmp ugt i64 %t, %h
  br i1 %more, label %one, label %add
one:
  %last = sub i64 %t, 1
  %old1 = getelementptr [4 x i64], ptr %entries, i64 %last
  %oldkey = load i64, ptr %old1, align 8
  %oldslot = and i64 %oldkey, {memory.BUCKETS - 1}
  %oldnextat = getelementptr i8, ptr %old1, i64 24
  %oldnext = load i64, ptr %oldnextat, align 8
  %oldat = getelementptr i32, ptr %buckets, i64 %oldslot
  %oldnext32 = trunc i64 %oldnext to i32
  store i32 %oldnext32, ptr %oldat, align 4
{forget}  br label %drop
add:
  %slot = and i64 %low, {memory.BUCKETS - 1}
  %at = getelementptr i32, ptr %buckets, i64 %slot
  %next32 = load i32, ptr %at, align 4
  %next = zext i32 %next32 to i64
  %new = getelementptr [4 x i64], ptr %entries, i64 %h
  store i64 %low, ptr %new, align 8
  %highat = getelementptr i8, ptr %new, i64 8
  store i64 %high, ptr %highat, align 8
  %sideat = getelementptr i8, ptr %new, i64 16
  store i64 %side, ptr %sideat, align 8
  %nextat = getelementptr i8, ptr %new, i64 24
  %sizeshigh = shl i64 %sizes, 32
  %both = or i64 %sizeshigh, %next
  store i64 %both, ptr %nextat, align 8
{count}  %after = add i64 %h, 1
  %after32 = trunc i64 %after to i32
  store i32 %after32, ptr %at, align 4
  store i64 %after, ptr %topat, align 8
  ret i64 %after
}}"""


def store_key(
    body: Body, entry: str, keys: tuple[str, str], sizes: str, counts_sizes: bool
) -> None:
    """Store the keys that `retell` reads into the reserved words of an entry in memory."""
    low, high = keys
    known = body.let(f"or i64 {sizes}, {_KNOWN | (_SIZED if counts_sizes else 0)}")
    for place, word in enumerate((low, high, known)):
        at = body.let(f"getelementptr i64, ptr {entry}, i64 {place}")
        body.do(f"store i64 {word}, ptr {at}, align 8")


def retell_text(counts_sizes: bool) -> str:
    """Return the text of a helper that appends entries from memory while their keys are stored.

    The helper returns the number of entries that it has reached; all of them after a failure.
    """
    return f"""define internal fastcc i64 @h.retell({_ENTRIES}) nounwind {{
entry:
  br label %test
test:
  %h = phi i64 [ %begin, %entry ], [ %after, %tell ]
  %more = icmp slt i64 %h, %count
  br i1 %more, label %look, label %done
look:
  %offset = mul i64 %h, %size
  %at = getelementptr i8, ptr %first, i64 %offset
  %knownat = getelementptr i8, ptr %at, i64 16
  %known = load i64, ptr %knownat, align 8
  %stored = and i64 %known, {_SIZED if counts_sizes else _KNOWN}
  %none = icmp eq i64 %stored, 0
  br i1 %none, label %done, label %tell
tell:
  %low = load i64, ptr %at, align 8
  %highat = getelementptr i8, ptr %at, i64 8
  %high = load i64, ptr %highat, align 8
  %sideat = getelementptr i8, ptr %at, i64 {OWN * WORD}
  %side = load i64, ptr %sideat, align 8
  %sizes = and i64 %known, {memory.SIZES - 1}
  %after = call fastcc i64 @h.remember(ptr %ctx, i64 %h, i64 %side, i64 %low, i64 %high, i64 %sizes)
  %full = icmp eq i64 %after, 0
  br i1 %full, label %wrong, label %test
wrong:
  ret i64 %count
done:
  ret i64 %h
}}"""


def recall_text() -> str:
    """Return the text of a helper that counts the entries before `h` with a key and a side.

    A side below 0 matches any side.
    """
    return _through("@h.recall", "add i64 %found, %one")


def age_text() -> str:
    """Return the text of a helper for the distance to the first entry with a key and a side.

    The distance is counted back from `h`; 0 if there is no such entry.
    """
    return _through("@h.age", "select i1 %counts, i64 %ago, i64 %found")


def _through(name: str, follows: str) -> str:
    """Return a function over the hash chain of a key, last entry first.

    `follows` is the expression that updates the result at each entry.
    """
    return f"""define internal fastcc i64 {name}({_PARAMS}) nounwind alwaysinline {{
entry:
  %buckets = getelementptr i8, ptr %ctx, i64 {memory.HEAD}
  %entries = getelementptr i8, ptr %ctx, i64 {_ENTRIES_AT}
  %any = icmp slt i64 %side, 0
  %slot = and i64 %low, {memory.BUCKETS - 1}
  %at = getelementptr i32, ptr %buckets, i64 %slot
  %first32 = load i32, ptr %at, align 4
  %first = zext i32 %first32 to i64
  br label %test
test:
  %number = phi i64 [ %first, %entry ], [ %next, %look ]
  %found = phi i64 [ 0, %entry ], [ %sum, %look ]
  %none = icmp eq i64 %number, 0
  br i1 %none, label %done, label %look
look:
  %index = sub i64 %number, 1
  %old = getelementptr [4 x i64], ptr %entries, i64 %index
  %oldlow = load i64, ptr %old, align 8
  %oldhighat = getelementptr i8, ptr %old, i64 8
  %oldhigh = load i64, ptr %oldhighat, align 8
  %oldsideat = getelementptr i8, ptr %old, i64 16
  %oldside = load i64, ptr %oldsideat, align 8
  %nextat = getelementptr i8, ptr %old, i64 24
  %next32 = load i32, ptr %nextat, align 4
  %next = zext i32 %next32 to i64
  %lows = icmp eq i64 %oldlow, %low
  %highs = icmp eq i64 %oldhigh, %high
  %sides = icmp eq i64 %oldside, %side
  %sideok = or i1 %sides, %any
  %keys = and i1 %lows, %highs
  %same = and i1 %keys, %sideok
  %before = icmp ult i64 %index, %h
  %counts = and i1 %same, %before
  %one = zext i1 %counts to i64
  %ago = sub i64 %h, %index
  %sum = {follows}
  br label %test
done:
  ret i64 %found
}}"""
