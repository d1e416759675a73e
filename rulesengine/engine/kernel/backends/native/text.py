"""LLVM's assembly as it is written: a pool of globals, and the body of one function."""

from collections import ChainMap
from collections.abc import Callable, Iterable, Sequence
from types import MappingProxyType

# LLVM lays code out by how often a branch goes which way, and keeps in registers what is needed
# most often. It takes both ways of most for equally frequent where it is not told (Ball and Larus,
# "Branch prediction for free", PLDI 1993, tell them apart by what they lead to, as callers do).
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
    """What functions share: tables, declared intrinsics and helper functions, each once.

    Without wide words code must not ask for a product of 128 bits.
    """

    def __init__(self, *, has_wide_words: bool = True) -> None:
        self.has_wide_words = has_wide_words
        self.globals: dict[str, str] = {}
        self.declared: dict[str, str] = {}
        self.helpers: dict[str, str] = {}

    def table(self, type: str, items: Sequence[str], align: int = 8) -> str:
        """The name of a constant array of a type."""
        text = f"[{len(items)} x {type}] [{', '.join(f'{type} {i}' for i in items)}], align {align}"
        return self.globals.setdefault(text, f"@table{len(self.globals)}")

    def helper(self, name: str, make: Callable[[], str]) -> str:
        """The name of a function that is written once."""
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
    """The instructions of a function, in blocks; operands are texts."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.slots: list[str] = []
        self.lines: list[str] = []
        self.open = True
        # What has been made of values on the way here, by a name and these values.
        self.known: ChainMap[tuple[str, ...], tuple[str, ...]] = ChainMap()
        self._label = "entry"
        self._count = 0

    @property
    def label(self) -> str:
        """The label of the block that is written now."""
        return self._label

    def fresh(self, stem: str) -> str:
        self._count += 1
        return f"{stem}{self._count}"

    def let(self, text: str) -> str:
        """The result of an instruction."""
        name = f"%{self.fresh('t')}"
        self.lines.append(f"  {name} = {text}")
        return name

    def do(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def slot(self, type: str, align: int = 0) -> str:
        """A place on the stack that lives as long as the function."""
        name = f"%{self.fresh('s')}"
        self.slots.append(f"  {name} = alloca {type}{f', align {align}' if align else ''}")
        return name

    def call(self, result: str, name: str, *args: tuple[str, str]) -> str:
        """The result of an intrinsic, declared as it is called."""
        types = ", ".join(type for type, _ in args)
        self.pool.declared[f"@{name}"] = f"{result} @{name}({types})"
        return self.let(f"call {result} @{name}({', '.join(f'{t} {a}' for t, a in args)})")

    # blocks

    def block(self, label: str) -> None:
        """Begin a block; the one before runs on into it if it has no end yet."""
        if self.open:
            self.do(f"br label %{label}")
        self.lines.append(f"{label}:")
        self._label = label
        self.open = True

    def end(self, text: str) -> None:
        """End the block; what follows until the next label cannot be reached."""
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
        """Open a block that cannot be reached if the last one has ended."""
        if not self.open:
            self.block(self.fresh("dead"))

    def text(self) -> str:
        return "\n".join(["entry:", *self.slots, *self.lines])


def splat(body: Body, lanes: int, type: str, value: str) -> str:
    """A vector of equal lanes."""
    vector = f"<{lanes} x {type}>"
    if not value.startswith("%"):
        return f"<{', '.join([f'{type} {value}'] * lanes)}>"
    one = body.let(f"insertelement {vector} poison, {type} {value}, i64 0")
    return body.let(
        f"shufflevector {vector} {one}, {vector} poison, <{lanes} x i32> zeroinitializer"
    )


def lanes_of(type: str, values: Iterable[int]) -> str:
    """A constant vector."""
    return f"<{', '.join(f'{type} {v}' for v in values)}>"
