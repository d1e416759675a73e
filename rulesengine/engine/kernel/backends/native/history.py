"""The history of a game in the context record: keys of positions and how often each occurred.

The first positions may remain in memory of the caller. See decisions 175 and 194.
"""

from dataclasses import dataclass

from rulesengine.engine.drivers.history import FIRST_ENTRY, OWN
from rulesengine.engine.drivers.memory import WORD
from rulesengine.engine.drivers.random import folded
from rulesengine.engine.kernel.backends.native import memory
from rulesengine.engine.kernel.backends.native.numbers import high_product
from rulesengine.engine.kernel.backends.native.text import Body, Pool

_SPREAD = 61
_SEED = 0x9FB21C651E98DF25
_ENTRIES_AT = memory.HEAD + memory.BUCKETS * 4
_SIZES_AT = _ENTRIES_AT + memory.ENTRIES * 32
# A word before a history: the upper bits of the first hash of an entry, and the hash of its sizes.
_SIZES = memory.SIZES - 1
# After more searches than this the entries in memory are added to the table.
_MOST_SEARCHES = 32
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
_PARAMS = "ptr %ctx, i64 %h, i64 %side, i64 %low, i64 %high"
_ADDRESSES = f"""  %topat = getelementptr i8, ptr %ctx, i64 {memory.TOP}
  %top = load i64, ptr %topat, align 8
  %buckets = getelementptr i8, ptr %ctx, i64 {memory.HEAD}
  %entries = getelementptr i8, ptr %ctx, i64 {_ENTRIES_AT}
  %counted = getelementptr i8, ptr %ctx, i64 {_SIZES_AT}
"""
_PENDING = f"""  %pendingat = getelementptr i8, ptr %ctx, i64 {memory.PENDING}
  %pending32 = load i32, ptr %pendingat, align 4
  %pending = zext i32 %pending32 to i64
"""
_MEMORY = f"""  %wordsat = getelementptr i8, ptr %ctx, i64 {memory.CACHED_WORDS}
  %words = load ptr, ptr %wordsat, align 8
  %placesat = getelementptr i8, ptr %ctx, i64 {memory.PENDING_ENTRIES}
  %places = load ptr, ptr %placesat, align 8
"""


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


def entry(body: Body, at: str, number: str, words: int) -> str:
    """Return the address of an entry of a history in memory of the caller."""
    offset = body.let(f"mul i64 {number}, {words * WORD}")
    start = body.let(f"getelementptr i8, ptr {at}, i64 {FIRST_ENTRY * WORD}")
    return body.let(f"getelementptr i8, ptr {start}, i64 {offset}")


def store_key(
    body: Body, at: str, number: str, place: str, keys: tuple[str, str], sizes: str
) -> None:
    """Store the keys of an entry in memory, and the word before its history. See decision 194."""
    for offset, word in enumerate(keys):
        body.do(f"store i64 {word}, ptr {body.let(_word(place, offset))}, align 8")
    masked = body.let(f"and i64 {keys[0]}, {~_SIZES}")
    word = body.let(f"or i64 {masked}, {sizes}")
    back = body.let(f"sub i64 -1, {number}")
    body.do(f"store i64 {word}, ptr {body.let(_word(at, back))}, align 8")


def _word(place: str, offset: int | str) -> str:
    return f"getelementptr i64, ptr {place}, i64 {offset}"


@dataclass(frozen=True, slots=True)
class Texts:
    """The helpers of a module for its history, as texts.

    - Without `counts_sizes` there is no table of sizes, and a new history clears the buckets.
    - With `has_vectors` entries in memory of the caller are searched there, eight words at once.
    - `size` is the number of bytes of such an entry, 0 if the module reads none.
    """

    pool: Pool
    counts_sizes: bool
    has_vectors: bool
    size: int

    @property
    def defers(self) -> bool:
        """True if entries in memory are added to the table only after several searches."""
        return self.size > 0 and self.has_vectors

    def remember(self) -> str:
        """Return the text of a helper that truncates the history to `h` entries and appends one.

        The hash of sizes is stored in the high half of the word of the next entry. The buckets are
        cleared eight words at a time.
        """
        forget, count = (_FORGET_SIZES, _COUNT_SIZES) if self.counts_sizes else ("", "")
        is_reset = "false" if self.counts_sizes else "%isfirst"
        words = "<8 x i64>" if self.has_vectors else "[8 x i64]"
        pending, outside = "", "%gap"
        if self.defers:
            pending, outside = _PENDING + "  %early = icmp ult i64 %h, %pending\n", "%outside"
            pending += "  %outside = or i1 %gap, %early\n"
        return f"""define internal fastcc i64 @h.remember({_PARAMS}, i64 %sizes) nounwind {{
entry:
{_ADDRESSES}  %gap = icmp ugt i64 %h, %top
{pending}  %full = icmp uge i64 %h, {memory.ENTRIES}
  %bad = or i1 {outside}, %full
  br i1 %bad, label %wrong, label %old
wrong:
  store i64 1, ptr %ctx, align 8
  ret i64 0
old:
  %fresh = icmp eq i64 %h, 0
  %much = icmp ugt i64 %top, {_MUCH}
  %isfirst = and i1 %fresh, %much
  br i1 {is_reset}, label %clear, label %drop
clear:
  %word = phi i64 [ 0, %old ], [ %nextword, %clear ]
  %wordat = getelementptr i64, ptr %buckets, i64 %word
  store volatile {words} zeroinitializer, ptr %wordat, align 8
  %nextword = add i64 %word, 8
  %cleared = icmp eq i64 %nextword, {memory.BUCKETS // 2}
  br i1 %cleared, label %add, label %clear
{_drop("old", "%h", "add", forget)}
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

    def known(self) -> str:
        """Return the text of a helper that counts the entries in memory with cached keys.

        It records that all have keys afterwards.
        """
        unsized = "icmp eq i64 %flag, 0" if self.counts_sizes else "icmp slt i64 %cached, 0"
        return f"""define internal fastcc i64 @h.known(ptr %at, i64 %first, i64 %end) nounwind {{
entry:
  %some = icmp slt i64 %first, %end
  br i1 %some, label %look, label %done
look:
  %cached = load i64, ptr %at, align 8
  %flagat = {_word("%at", 1)}
  %flag = load i64, ptr %flagat, align 8
  %unsized = {unsized}
  %known = select i1 %unsized, i64 0, i64 %cached
  %less = icmp slt i64 %known, %end
  br i1 %less, label %insert, label %done
insert:
  store i64 %end, ptr %at, align 8
  store i64 {int(self.counts_sizes)}, ptr %flagat, align 8
  ret i64 %known
done:
  ret i64 %end
}}"""

    def load_history(self) -> str:
        """Return the text of a helper that lets the history begin with entries in memory.

        The helper returns their number.
        """
        forget = _FORGET_SIZES if self.counts_sizes else ""
        build = "" if self.defers else "  call fastcc void @h.build(ptr %ctx)\n"
        if build:
            self.pool.helper("@h.build", self.build)
        params = "ptr %ctx, ptr %line, i64 %first, i64 %end"
        return f"""define internal fastcc i64 @h.load_history({params}) nounwind {{
entry:
{_ADDRESSES}{_PENDING}  br label %drop
{_drop("entry", "%pending", "insert", forget)}
insert:
  %count = sub i64 %end, %first
  %many = icmp uge i64 %count, {memory.ENTRIES}
  br i1 %many, label %wrong, label %on
wrong:
  store i64 1, ptr %ctx, align 8
  store i64 0, ptr %topat, align 8
  store i32 0, ptr %pendingat, align 4
  ret i64 0
on:
  %back = sub i64 0, %end
  %words = {_word("%line", "%back")}
  %wordsat = getelementptr i8, ptr %ctx, i64 {memory.CACHED_WORDS}
  store ptr %words, ptr %wordsat, align 8
  %begin = mul i64 %first, {self.size}
  %offset = add i64 %begin, {FIRST_ENTRY * WORD}
  %place = getelementptr i8, ptr %line, i64 %offset
  %placeat = getelementptr i8, ptr %ctx, i64 {memory.PENDING_ENTRIES}
  store ptr %place, ptr %placeat, align 8
  %count32 = trunc i64 %count to i32
  store i32 %count32, ptr %pendingat, align 4
  %searchesat = getelementptr i8, ptr %ctx, i64 {memory.SEARCHES}
  store i32 0, ptr %searchesat, align 4
  store i64 %count, ptr %topat, align 8
{build}  ret i64 %count
}}"""

    def build(self) -> str:
        """Return the text of a helper that adds the entries in memory to the table."""
        self.pool.helper("@h.remember", self.remember)
        forget = _FORGET_SIZES if self.counts_sizes else ""
        again = "call fastcc i64 @h.remember(ptr %ctx, i64"
        return f"""define internal fastcc void @h.build(ptr %ctx) nounwind noinline {{
entry:
{_ADDRESSES}{_PENDING}{_MEMORY}  br label %drop
{_drop("entry", "%pending", "begin", forget)}
begin:
  store i64 0, ptr %topat, align 8
  store i32 0, ptr %pendingat, align 4
  br label %test
test:
  %h = phi i64 [ 0, %begin ], [ %after, %insert ]
  %more = icmp ult i64 %h, %pending
  br i1 %more, label %insert, label %rest
insert:
{_entry_text(self.size, "%h")}  %back = sub i64 %pending, %h
  %place = sub i64 %back, 1
  %wordat = {_word("%words", "%place")}
  %word = load i64, ptr %wordat, align 8
  %sizes = and i64 %word, {_SIZES}
  %inserted = {again} %h, i64 %oldside, i64 %oldlow, i64 %oldhigh, i64 %sizes)
  %after = add i64 %h, 1
  br label %test
rest:
  %i = phi i64 [ %pending, %test ], [ %next, %one2 ]
  %later = icmp ult i64 %i, %top
  br i1 %later, label %one2, label %done
one2:
  %new = getelementptr [4 x i64], ptr %entries, i64 %i
  %newlow = load i64, ptr %new, align 8
  %newhighat = {_word("%new", 1)}
  %newhigh = load i64, ptr %newhighat, align 8
  %newsideat = {_word("%new", 2)}
  %newside = load i64, ptr %newsideat, align 8
  %bothat = {_word("%new", 3)}
  %both = load i64, ptr %bothat, align 8
  %newsizes = lshr i64 %both, 32
  %inserted2 = {again} %i, i64 %newside, i64 %newlow, i64 %newhigh, i64 %newsizes)
  %next = add i64 %i, 1
  br label %rest
done:
  ret void
}}"""

    def met(self) -> str:
        """Return the text of a helper that is true if some entry has this hash of sizes."""
        search = "  ret i1 false"
        if self.defers:
            self.pool.helper("@h.build", self.build)
            search = f"""{_MEMORY}{_search_text("no", "%sizes", _SIZES, "")}
hit:
  ret i1 true
next:
  br label %scan
{_count_search("i1 false")}"""
        return f"""define internal fastcc i1 @h.met(ptr %ctx, i64 %sizes) nounwind noinline {{
entry:
{_ADDRESSES}{_PENDING}  %at = getelementptr i32, ptr %counted, i64 %sizes
  %count = load i32, ptr %at, align 4
  %any = icmp ne i32 %count, 0
  br i1 %any, label %yes, label %no
yes:
  ret i1 true
no:
{search}
}}"""

    def recall(self) -> str:
        """Return the text of a helper that counts the entries before `h` with a key and a side.

        A side below 0 matches any side.
        """
        return self._through("@h.recall", "add i64 %found, %one")

    def age(self) -> str:
        """Return the text of a helper for the distance to the first entry with a key and a side.

        The distance is counted back from `h`; 0 if there is no such entry.
        """
        return self._through("@h.age", "select i1 %counts, i64 %ago, i64 %found")

    def _through(self, name: str, follows: str) -> str:
        """Return a function over the hash chain of a key, last entry first.

        `follows` is the expression that updates the result at each entry.
        """
        ending = "  ret i64 %found"
        if self.defers:
            self.pool.helper(f"{name}.memory", lambda: self._through_memory(name, follows))
            ending = f"""{_PENDING}  %all = icmp eq i32 %pending32, 0
  br i1 %all, label %inserted, label %more
inserted:
  ret i64 %found
more:
  %sought = call fastcc i64 {name}.memory({_PARAMS}, i64 %found)
  ret i64 %sought"""
        return f"""define internal fastcc i64 {name}({_PARAMS}) nounwind alwaysinline {{
entry:
{_ADDRESSES}  %any = icmp slt i64 %side, 0
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
{_OLD}  %nextat = getelementptr i8, ptr %old, i64 24
  %next32 = load i32, ptr %nextat, align 4
  %next = zext i32 %next32 to i64
{_COMPARED}  %sum = {follows}
  br label %test
done:
{ending}
}}"""

    def _through_memory(self, name: str, follows: str) -> str:
        """Return the same function over the entries in memory, which continues from a result."""
        self.pool.helper("@h.build", self.build)
        self.pool.declared["@llvm.cttz.i8"] = "i8 @llvm.cttz.i8(i8, i1)"
        carried = "  %sofar = phi i64 [ %start, %entry ], [ %last, %next ]\n"
        params = f"{_PARAMS}, i64 %start"
        return f"""define internal fastcc i64 {name}.memory({params}) nounwind noinline {{
entry:
{_PENDING}{_MEMORY}  %any = icmp slt i64 %side, 0
  %begin = and i64 %low, {~_SIZES}
{_search_text("entry", "%begin", ~_SIZES, carried)}
hit:
  %left = phi i8 [ %bits, %eight.words ], [ %rest, %hit ]
  %found = phi i64 [ %sofar, %eight.words ], [ %sum, %hit ]
  %lane8 = call i8 @llvm.cttz.i8(i8 %left, i1 true)
  %lane = zext i8 %lane8 to i64
  %place = add i64 %k, %lane
  %back = sub i64 %pending, %place
  %index = sub i64 %back, 1
{_entry_text(self.size, "%index")}{_COMPARED}  %sum = {follows}
  %less = sub i8 %left, 1
  %rest = and i8 %left, %less
  %empty = icmp eq i8 %rest, 0
  br i1 %empty, label %next, label %hit
next:
  %last = phi i64 [ %sofar, %eight.words ], [ %sum, %hit ]
  br label %scan
{_count_search("i64 %sofar")}
}}"""


# The entry at `old`, and its comparison with a key and a side.
_OLD = f"""  %oldlow = load i64, ptr %old, align 8
  %oldhighat = getelementptr i8, ptr %old, i64 8
  %oldhigh = load i64, ptr %oldhighat, align 8
  %oldsideat = getelementptr i8, ptr %old, i64 {OWN * WORD}
  %oldside = load i64, ptr %oldsideat, align 8
"""
_COMPARED = """  %lows = icmp eq i64 %oldlow, %low
  %highs = icmp eq i64 %oldhigh, %high
  %sides = icmp eq i64 %oldside, %side
  %sideok = or i1 %sides, %any
  %keys = and i1 %lows, %highs
  %same = and i1 %keys, %sideok
  %before = icmp ult i64 %index, %h
  %counts = and i1 %same, %before
  %one = zext i1 %counts to i64
  %ago = sub i64 %h, %index
"""


def _drop(before: str, bottom: str, then: str, forget: str) -> str:
    """Return blocks that remove the entries from the top down to a number of entries."""
    return f"""drop:
  %t = phi i64 [ %top, %{before} ], [ %last, %one ]
  %above = icmp ugt i64 %t, {bottom}
  br i1 %above, label %one, label %{then}
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
{forget}  br label %drop"""


def _entry_text(size: int, number: str) -> str:
    """Return the loads of an entry in memory of the caller."""
    return f"""  %offset = mul i64 {number}, {size}
  %old = getelementptr i8, ptr %places, i64 %offset
{_OLD}"""


def _search_text(before: str, wanted: str, mask: int, carried: str) -> str:
    """Return blocks that search the words of entries in memory for a word, eight at a time.

    They go on to `hit` with the bits of those that equal it under a mask, else to `next`.
    """
    lanes = ", ".join(f"i64 {lane}" for lane in range(8))
    masks = ", ".join([f"i64 {mask}"] * 8)
    return f"""{_splat("wanted", wanted)}{_splat("ends", "%pending")}  br label %scan
scan:
  %k = phi i64 [ 0, %{before} ], [ %nextk, %next ]
{carried}  %within = icmp ult i64 %k, %pending
  br i1 %within, label %eight.words, label %ended
eight.words:
  %eightat = {_word("%words", "%k")}
  %eight = load <8 x i64>, ptr %eightat, align 8
  %masked = and <8 x i64> %eight, <{masks}>
  %equal = icmp eq <8 x i64> %masked, %wanted
{_splat("ks", "%k")}  %lanes = add <8 x i64> %ks, <{lanes}>
  %inside = icmp ult <8 x i64> %lanes, %ends
  %hits = and <8 x i1> %equal, %inside
  %bits = bitcast <8 x i1> %hits to i8
  %nextk = add i64 %k, 8
  %nothing = icmp eq i8 %bits, 0
  br i1 %nothing, label %next, label %hit"""


def _splat(name: str, value: str) -> str:
    """Return a vector of eight words that are all one value."""
    return f"""  %{name}1 = insertelement <8 x i64> poison, i64 {value}, i64 0
  %{name} = shufflevector <8 x i64> %{name}1, <8 x i64> poison, <8 x i32> zeroinitializer
"""


def _count_search(result: str) -> str:
    """Return blocks that count a search, build the table after many, and return a result."""
    return f"""ended:
  %searchesat = getelementptr i8, ptr %ctx, i64 {memory.SEARCHES}
  %searches = load i32, ptr %searchesat, align 4
  %searched = add i32 %searches, 1
  store i32 %searched, ptr %searchesat, align 4
  %often = icmp ugt i32 %searched, {_MOST_SEARCHES}
  br i1 %often, label %build, label %leave
build:
  call fastcc void @h.build(ptr %ctx)
  br label %leave
leave:
  ret {result}"""
