"""Select the word that contains the n-th cell of a set, without a loop or a branch."""

from itertools import pairwise

from rulesengine.engine.kernel.backends.native.text import Body, lanes_of, splat

_FEW = 4  # up to this many words are counted one by one


def select_word(b: Body, words: str, count: int, index: str) -> tuple[str, str, str]:
    """Return the number of the word with the cell at an index, the word, and the index within it.

    If there is no such cell, word and index are arbitrary.
    """
    if count > _FEW:
        return _by_lanes(b, words, count, index)
    split = [b.let(f"extractelement <{count} x i64> {words}, i64 {k}") for k in range(count)]
    return select_word_of(b, split, index)


def select_word_of(b: Body, words: list[str], index: str) -> tuple[str, str, str]:
    """Select as `select_word` does, from separate words."""
    number, word, left, before = "0", words[0], index, "0"
    for past, following in pairwise(words):
        count = b.call("i64", "llvm.ctpop.i64", ("i64", past))
        before = b.let(f"add i64 {before}, {count}")
        beyond = b.let(f"icmp sge i64 {index}, {before}")
        number = b.let(f"add i64 {number}, {b.let(f'zext i1 {beyond} to i64')}")
        word = b.let(f"select i1 {beyond}, i64 {following}, i64 {word}")
        index_in_word = b.let(f"sub i64 {index}, {before}")
        left = b.let(f"select i1 {beyond}, i64 {index_in_word}, i64 {left}")
    return number, word, left


def _by_lanes(b: Body, words: str, count: int, index: str) -> tuple[str, str, str]:
    """Compare the index with prefix sums of counts in 16-bit lanes and count the lanes below it."""
    word_vector, lanes = f"<{count} x i64>", f"<{count} x i16>"
    counts = b.call(word_vector, f"llvm.ctpop.v{count}i64", (word_vector, words))
    counts = b.let(f"trunc {word_vector} {counts} to {lanes}")
    sums, step = counts, 1
    while step < count:
        order = [count if k < step else k - step for k in range(count)]
        moved = b.let(
            f"shufflevector {lanes} {sums}, {lanes} zeroinitializer,"
            f" <{count} x i32> {lanes_of('i32', order)}"
        )
        sums, step = b.let(f"add {lanes} {sums}, {moved}"), 2 * step
    limit = splat(b, count, "i16", b.let(f"trunc i64 {index} to i16"))
    beyond = b.let(f"icmp ule {lanes} {sums}, {limit}")
    bits = b.let(f"bitcast <{count} x i1> {beyond} to i{count}")
    number = bits if count == 64 else b.let(f"zext i{count} {bits} to i64")
    number = b.call("i64", "llvm.ctpop.i64", ("i64", number))
    number = b.let(f"and i64 {number}, {count - 1}")
    before = _item(b, lanes, b.let(f"sub {lanes} {sums}, {counts}"), number)
    left = b.let(f"sub i64 {index}, {b.let(f'zext i16 {before} to i64')}")
    return number, _item(b, word_vector, words, number), left


def _item(b: Body, type: str, vector: str, number: str) -> str:
    """Return a lane of a vector, by way of memory."""
    slot = b.slot(type, 64)
    b.do(f"store {type} {vector}, ptr {slot}, align 64")
    lane = type.split()[-1].rstrip(">")
    return b.let(f"load {lane}, ptr {b.let(f'getelementptr {lane}, ptr {slot}, i64 {number}')}")
