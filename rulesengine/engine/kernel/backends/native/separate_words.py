"""Sets of cells as separate words of 64 bits, for processors with neither 128-bit integers nor
vectors. See decision 105.
"""

from collections.abc import Callable

from rulesengine.engine.kernel.backends.native.bitboard import Bitboard, each_bit, nth_of_word
from rulesengine.engine.kernel.backends.native.layout import Stride, joined
from rulesengine.engine.kernel.backends.native.select_bit import select_word_of
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.backends.native.text import Body

_WORD = 64
_MASK = 2**64 - 1


class SeparateWords(Bitboard):
    """The layout that stores cell i as bit i % 64 of word i // 64 of an array."""

    def __init__(self, cells: int, target: Target) -> None:
        super().__init__(cells, target)
        self.width = _WORD * self.words
        self.type = f"[{self.words} x i64]"

    @property
    def about(self) -> str:
        return f"{self.words} separate words"

    # constants and words

    def bits_of_mask(self, mask: int) -> str:
        if not mask:
            return "zeroinitializer"
        words = (mask >> _WORD * k & _MASK for k in range(self.words))
        return f"[{', '.join(f'i64 {word}' for word in words)}]"

    def const(self, mask: int) -> str:
        return self.bits_of_mask(mask)

    def ones(self) -> str:
        return f"[{', '.join(['i64 -1'] * self.words)}]"

    def split(self, b: Body, value: str) -> list[str]:
        """Return the words of a set."""
        if value == "zeroinitializer":
            return ["0"] * self.words
        if value.startswith("["):
            return [word.split()[1] for word in value[1:-1].split(", ")]
        if ("words", value) in b.facts:
            return list(b.facts["words", value])
        return [b.let(f"extractvalue {self.type} {value}, {k}") for k in range(self.words)]

    def unite(self, b: Body, words: list[str]) -> str:
        """Return the set of given words."""
        value = "poison"
        for k, word in enumerate(words):
            value = b.let(f"insertvalue {self.type} {value}, i64 {word}, {k}")
        b.facts["words", value] = tuple(words)
        return value

    def op(self, b: Body, name: str, x: str, y: str) -> str:
        pairs = zip(self.split(b, x), self.split(b, y), strict=True)
        return self.unite(b, [b.let(f"{name} i64 {p}, {q}") for p, q in pairs])

    def union(self, b: Body, values: list[str]) -> str:
        if not values:
            return self.const(0)
        columns = zip(*(self.split(b, value) for value in values), strict=True)
        return self.unite(b, [joined(b, "i64", list(column)) for column in columns])

    def select(self, b: Body, flag: str, x: str, y: str) -> str:
        pairs = zip(self.split(b, x), self.split(b, y), strict=True)
        return self.unite(b, [b.let(f"select i1 {flag}, i64 {p}, i64 {q}") for p, q in pairs])

    # numbers

    def empty(self, b: Body, value: str) -> str:
        return b.let(f"icmp eq i64 {joined(b, 'i64', self.split(b, value))}, 0")

    def count(self, b: Body, value: str) -> str:
        total = "0"
        for word in self.split(b, value):
            ones = b.call("i64", "llvm.ctpop.i64", ("i64", word))
            total = b.let(f"add i64 {total}, {ones}")
        return total

    def first(self, b: Body, value: str) -> str:
        return self._end(b, value, "cttz", range(self.words))

    def last(self, b: Body, value: str) -> str:
        return self._end(b, value, "ctlz", range(self.words - 1, -1, -1))

    def _end(self, b: Body, value: str, zeros: str, order: range) -> str:
        """Return the first cell of a set that is not empty, in an order of its words."""
        words = self.split(b, value)
        word, number = words[order[-1]], str(order[-1])
        for k in reversed(order[:-1]):
            some = b.let(f"icmp ne i64 {words[k]}, 0")
            word = b.let(f"select i1 {some}, i64 {words[k]}, i64 {word}")
            number = b.let(f"select i1 {some}, i64 {k}, i64 {number}")
        bit = b.call("i64", f"llvm.{zeros}.i64", ("i64", word), ("i1", "false"))
        if zeros == "ctlz":
            bit = b.let(f"sub i64 63, {bit}")
        return b.let(f"add i64 {b.let(f'shl i64 {number}, 6')}, {bit}")

    def nth(self, b: Body, value: str, index: str) -> str:
        number, word, left = select_word_of(b, self.split(b, value), index)
        bit = nth_of_word(b, self.target, word, left)
        return b.let(f"add i64 {b.let(f'shl i64 {number}, 6')}, {bit}")

    def pick(self, b: Body, value: str, index: str) -> str:
        if index == "0":
            return self.lowest(b, value)
        return self.cell(b, self.nth(b, value, index))

    # cells

    def lowest(self, b: Body, value: str) -> str:
        words, before = [], "false"
        for word in self.split(b, value):
            bit = b.let(f"and i64 {word}, {b.let(f'sub i64 0, {word}')}")
            words.append(b.let(f"select i1 {before}, i64 0, i64 {bit}"))
            some = b.let(f"icmp ne i64 {word}, 0")
            before = b.let(f"or i1 {before}, {some}")
        return self.unite(b, words)

    def cell(self, b: Body, index: str) -> str:
        bit = b.let(f"shl i64 1, {b.let(f'and i64 {index}, 63')}")
        number = b.let(f"ashr i64 {index}, 6")  # below 0 for an index that is no cell
        is_word = [b.let(f"icmp eq i64 {number}, {k}") for k in range(self.words)]
        return self.unite(b, [b.let(f"select i1 {flag}, i64 {bit}, i64 0") for flag in is_word])

    def has(self, b: Body, value: str, index: str) -> str:
        number = b.let(f"lshr i64 {index}, 6")
        first, *others = self.split(b, value)
        for k, word in enumerate(others, 1):
            is_word = b.let(f"icmp eq i64 {number}, {k}")
            first = b.let(f"select i1 {is_word}, i64 {word}, i64 {first}")
        moved = b.let(f"lshr i64 {first}, {b.let(f'and i64 {index}, 63')}")
        return b.let(f"trunc i64 {moved} to i1")

    def bits(self, b: Body, value: str, inside: Callable[[str, str, str], None]) -> None:
        slot, end, head = b.slot(self.type, 8), b.fresh("end"), b.fresh("word")
        b.do(f"store {self.type} {value}, ptr {slot}, align 8")
        before, done = b.label, b.fresh("done")
        b.block(head)
        number, after = f"%{b.fresh('number')}", f"%{b.fresh('after')}"
        b.do(f"{number} = phi i64 [ 0, %{before} ], [ {after}, %{done} ]")
        at = b.let(f"getelementptr i64, ptr {slot}, i64 {number}")
        word, base = b.let(f"load i64, ptr {at}, align 8"), b.let(f"shl i64 {number}, 6")

        def bit(rest: str, following: str) -> None:
            place = b.call("i64", "llvm.cttz.i64", ("i64", rest), ("i1", "true"))
            inside(b.let(f"or i64 {base}, {place}"), following, end)

        each_bit(b, "i64", word, bit, done)
        b.block(done)
        b.do(f"{after} = add i64 {number}, 1")
        b.branch(b.let(f"icmp ult i64 {after}, {self.words}"), head, end)
        b.block(end)

    # moves

    def shift(self, b: Body, value: str, stride: Stride, times: int) -> str:
        delta = stride[1] * times
        if not delta:
            return value
        words, (word_steps, rest) = self.split(b, value), divmod(abs(delta), _WORD)
        step = 1 if delta > 0 else -1
        near, far = ("shl", "lshr") if delta > 0 else ("lshr", "shl")
        shifted = []
        for k in range(self.words):
            parts = []
            for source, name, by in (
                (k - step * word_steps, near, rest),
                (k - step * (word_steps + 1), far, _WORD - rest),
            ):
                if 0 <= source < self.words and by < _WORD:
                    word = words[source]
                    parts.append(b.let(f"{name} i64 {word}, {by}") if by else word)
            shifted.append(joined(b, "i64", parts) if parts else "0")
        return self.unite(b, shifted)

    # memory

    def load(self, b: Body, pointer: str) -> str:
        at = [b.let(f"getelementptr i64, ptr {pointer}, i64 {k}") for k in range(self.words)]
        return self.unite(b, [b.let(f"load i64, ptr {place}, align 8") for place in at])

    def store(self, b: Body, value: str, pointer: str) -> None:
        for k, word in enumerate(self.split(b, value)):
            at = b.let(f"getelementptr i64, ptr {pointer}, i64 {k}")
            b.do(f"store i64 {word}, ptr {at}, align 8")

    def table_entry(self, b: Body, table: str, index: str) -> str:
        name, size = table.split()
        inside = b.let(f"and i64 {index}, {int(size) - 1}")
        return self.load(b, b.let(f"getelementptr {self.type}, ptr {name}, i64 {inside}"))

    def key(self, b: Body, value: str) -> list[str]:
        return self.split(b, value)
