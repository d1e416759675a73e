"""A writer of LLVM assembly: a pool of globals, and the body of one function."""

from collections import ChainMap
from collections.abc import Callable, Iterable, Sequence
from types import MappingProxyType

from rulesengine.engine.kernel.code.form import Relation

# LLVM uses branch weights for code placement and register allocation. Without them it treats most
# branches as even (Ball and Larus, "Branch prediction for free", PLDI 1993, predict them by the
# code that they lead to; here the caller states the odds).
_WEIGHTS: MappingProxyType[str, tuple[str, int, int]] = MappingProxyType(
    {
        "never": ("!9", 1, 2000),
        "seldom": ("!10", 1, 200),
        "often": ("!11", 200, 1),
        "always": ("!12", 2000, 1),
    }
)
WEIGHTS = "\n".join(
    f'{name} = !{{!"branch_weights", i32 {then}, i32 {other}}}'
    for name, then, other in _WEIGHTS.values()
)


class Pool:
    """The globals of a module: tables, declared intrinsics and helper functions, each once.

    If `has_wide_words` is false, code must not contain 128-bit products. `high_product` is the
    intrinsic for the high word of a product of 64-bit words, empty if there is none.
    """

    def __init__(self, *, has_wide_words: bool = True, high_product: str = "") -> None:
        self.has_wide_words = has_wide_words
        self.high_product = high_product
        self.globals: dict[str, str] = {}
        self.declared: dict[str, str] = {}
        self.helpers: dict[str, str] = {}
        # The helper function of fills by a relation; empty if they are short.
        self.fills: dict[Relation, str] = {}

    def table(self, type: str, items: Sequence[str], align: int = 8) -> str:
        """Return the name of a constant array of a type."""
        text = f"[{len(items)} x {type}] [{', '.join(f'{type} {i}' for i in items)}], align {align}"
        return self.globals.setdefault(text, f"@table{len(self.globals)}")

    def helper(self, name: str, make: Callable[[], str]) -> str:
        """Return the name of a helper function; emit it on first use."""
        if name not in self.helpers:
            self.helpers[name] = ""
            self.helpers[name] = make()
        return name

    def lines(self) -> Iterable[str]:
        for text, name in self.globals.items():
            yield f"{name} = private unnamed_addr constant {text}"
        yield from self.helpers.values()
        yield from (f"declare {text}" for text in self.declared.values())


class Body:
    """The instructions of a function, in basic blocks; operands are texts."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.slots: list[str] = []
        self.lines: list[str] = []
        self.open = True
        # Values available in this block, by the name of a computation and its operands.
        self.facts: ChainMap[tuple[str, ...], tuple[str, ...]] = ChainMap()
        self._label = "entry"
        self._count = 0

    @property
    def label(self) -> str:
        """Return the label of the current block."""
        return self._label

    def fresh(self, stem: str) -> str:
        self._count += 1
        return f"{stem}{self._count}"

    def let(self, text: str) -> str:
        """Append an instruction and return the name of its result."""
        name = f"%{self.fresh('t')}"
        self.lines.append(f"  {name} = {text}")
        return name

    def do(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def slot(self, type: str, align: int = 0) -> str:
        """Allocate a stack slot that lives as long as the function."""
        name = f"%{self.fresh('s')}"
        self.slots.append(f"  {name} = alloca {type}{f', align {align}' if align else ''}")
        return name

    def call(self, result: str, name: str, *args: tuple[str, str]) -> str:
        """Call an intrinsic, declare it, and return its result."""
        types = ", ".join(type for type, _ in args)
        self.pool.declared[f"@{name}"] = f"{result} @{name}({types})"
        return self.let(f"call {result} @{name}({', '.join(f'{t} {a}' for t, a in args)})")

    # blocks

    def block(self, label: str) -> None:
        """Begin a block; the previous one falls through to it if it has no terminator yet."""
        if self.open:
            self.do(f"br label %{label}")
        self.lines.append(f"{label}:")
        self._label = label
        self.open = True

    def end(self, text: str) -> None:
        """Terminate the block; instructions up to the next label are unreachable."""
        if not self.open:
            self.block(self.fresh("dead"))
        self.do(text)
        self.open = False

    def jump(self, label: str) -> None:
        self.end(f"br label %{label}")

    def branch(self, flag: str, then: str, other: str, odds: str | None = None) -> None:
        weighed = f", !prof {_WEIGHTS[odds][0]}" if odds else ""
        self.end(f"br i1 {flag}, label %{then}, label %{other}{weighed}")

    def ready(self) -> None:
        """Begin an unreachable block if the last one has been terminated."""
        if not self.open:
            self.block(self.fresh("dead"))

    def text(self) -> str:
        return "\n".join(["entry:", *self.slots, *self.lines])


def splat(body: Body, lanes: int, type: str, value: str) -> str:
    """Return a vector of equal lanes."""
    vector = f"<{lanes} x {type}>"
    if not value.startswith("%"):
        return f"<{', '.join([f'{type} {value}'] * lanes)}>"
    one = body.let(f"insertelement {vector} poison, {type} {value}, i64 0")
    return body.let(
        f"shufflevector {vector} {one}, {vector} poison, <{lanes} x i32> zeroinitializer"
    )


def lanes_of(type: str, values: Iterable[int]) -> str:
    """Return a constant vector."""
    return f"<{', '.join(f'{type} {v}' for v in values)}>"
