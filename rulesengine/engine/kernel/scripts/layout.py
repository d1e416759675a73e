"""The memory of a running script: fields in words, the texts of variables, output and input."""

import struct
from collections.abc import Iterator
from types import MappingProxyType
from typing import Literal

from rulesengine.engine.kernel.scripts.flow import Flow
from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import is_variable
from rulesengine.language.ir.rules import Statement, operations
from rulesengine.support.frozen import record

WORD = 8
TEXT = 256  # bytes of the text of a variable
DRAFT = 1024  # bytes of a text that is put together
OUTPUT = 1 << 16
INPUT = 1 << 16
SLACK = 64  # bytes that code may read or write beyond a text
NO_STEP = -1  # of the field `step` before the first move
HELD = -2  # for the offset of a text or a move that only the caller knows

# Exit codes of the entry point.
#   ENDED: the script is over
#   LEFT: the current node is left to the caller
#   NEEDS_INPUT: the current node needs more input
#   FULL: there may be no room for the output of the next nodes
#   PAUSED: the budget is used up
ENDED, LEFT, NEEDS_INPUT, FULL, PAUSED = range(5)

# Fields of the script itself, each a word: see `ScriptMemory`.
FIELDS = (
    *("pc", "budget", "at", "end", "ended", "out", "idle", "patience", "printed", "moves", "plies"),
    *("separator", "decided", "accepts", "low", "high", "word", "word_n", "step", "choice"),
    *("takes", "from", "to", "armed"),
)

# Types of values that are numbers in kernel code.
_NUMBERS = frozenset({"number", "flag", "side", "cell", "kind", "direction", "directions"})
Held = Literal["number", "cells", "text"]


@record
class ScriptLayout:
    """The fields of a script's memory in order, each `i` (a number) or `m` (a set of cells).

    - `variables`: the variables of the script that have fields, with their types.
    - `offsets`: the offset of each field in bytes.
    """

    fields: tuple[tuple[str, str], ...]
    variables: tuple[tuple[str, Held], ...]
    set_bytes: int
    offsets: dict[str, int]

    @property
    def size(self) -> int:
        """Return the number of bytes of the fields."""
        return sum(self.set_bytes if type == "m" else WORD for _, type in self.fields)

    @property
    def form(self) -> struct.Struct:
        """Return the format of all fields."""
        kinds = ("q" if type == "i" else f"{self.set_bytes}s" for _, type in self.fields)
        return struct.Struct("<" + "".join(kinds))

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the variables that hold texts."""
        return tuple(name for name, kind in self.variables if kind == "text")

    def text_at(self, name: str) -> int:
        """Return the offset of the text of a variable, which only the caller writes.

        A failed call is thus repeated with the same texts.
        """
        return self.size + TEXT * self.texts.index(name)

    def made_at(self, name: str) -> int:
        """Return the offset of the text that the kernel has assigned to a variable."""
        return self.size + TEXT * (len(self.texts) + self.texts.index(name))

    @property
    def draft(self) -> int:
        """Return the offset of the text that is being put together."""
        return self.size + 2 * TEXT * len(self.texts)

    @property
    def output(self) -> int:
        """Return the offset of the output."""
        return self.draft + DRAFT + SLACK

    @property
    def input(self) -> int:
        return self.output + OUTPUT + SLACK

    @property
    def total(self) -> int:
        return self.input + INPUT + SLACK


def layout_of(program: Program, flow: Flow) -> ScriptLayout:
    """Return the layout for a script."""
    types = _state_types(program)
    variables = tuple(sorted(_variables(program).items()))
    fields = [(name, "i") for name in FIELDS]
    fields += [(f"state.{i}", "m" if t == "m" else "i") for i, t in enumerate(types)]
    for name, kind in variables:
        fields.append((f"v.{name}", "m" if kind == "cells" else "i"))
        fields.append((f"has.{name}", "i"))
        if kind == "text":
            fields.append((f"n.{name}", "i"))
    for loop in range(flow.loops):
        fields += [(f"left.{loop}", "i"), (f"last.{loop}", "i"), (f"rest.{loop}", "m")]
        fields += [(f"shown.{loop}", "i"), (f"outer.{loop}", "i")]
    for block in range(len(flow.blocks)):
        fields += [(f"back.{block}", "i"), (f"kept.{block}", "i")]
    size = (program.topology.cells + 63) // 64 * WORD
    offsets, at = {}, 0
    for name, type in fields:
        offsets[name] = at
        at += size if type == "m" else WORD
    return ScriptLayout(tuple(fields), variables, size, offsets)


def _state_types(program: Program) -> list[str]:
    """Return the types of a state's values, as `StateLayout.types` without a history.

    That module imports more than the caller of a cached kernel needs.
    """
    form = program.form
    planes = ["m" for symbol in form.symbols if symbol]
    registers = ["m" if type == "cells" else "i" for type in form.types]
    swaps = any(group.kind == "swap" for group in program.rules.groups)
    return [*planes, "i", *registers, *("i" for _ in range(swaps))]


def _variables(program: Program) -> dict[str, Held]:
    """Return the variables that fields can hold; a name with several types has none."""
    types: dict[str, set[Held | None]] = {}
    for statement in statements(program.rules.script):
        for name, type in _bound(statement):
            types.setdefault(name, set()).add(_field_size(type))
        for root in operations((statement.operands,)):
            for op in walk(root):
                if is_variable(op):
                    types.setdefault(str(op.value), set()).add(_field_size(op.type))
    own = {"player", "from", "to", "move", "word", "direction", "choice"}
    single = {name: kinds for name, kinds in types.items() if len(kinds) == 1 and name not in own}
    return {name: kind for name, kinds in single.items() for kind in kinds if kind is not None}


def _field_size(type: str) -> Held | None:
    if type in _NUMBERS:
        return "number"
    return "cells" if type == "cells" else "text" if type == "text" else None


_FIELD_TYPES = MappingProxyType({"digit": "number", "number": "number"})
_READ_TYPES = MappingProxyType(
    {
        "read_number": "number",
        "read_word": "text",
        "read_line": "text",
        "read_cell": "cell",
        "read_cells": "cells",
        "choose": "text",
        "repeat_from": "number",
    }
)


def _bound(statement: Statement) -> Iterator[tuple[str, str]]:
    """Yield the names that a statement binds, with their types."""
    name, words = statement.name, statement.words
    if name in _READ_TYPES:
        yield from ((word, _READ_TYPES[name]) for word in words[: 1 if name == "choose" else None])
    elif name in ("read_numbers", "read_some_numbers", "read_words", "read_some_words"):
        yield words[0], "list"
    elif name == "let" and isinstance(statement.operands[0], Op):
        yield words[0], statement.operands[0].type
    elif name == "case":
        for part in words:
            if not part.startswith("'"):
                field, _, kind = part.partition(":")
                yield field, _FIELD_TYPES.get(kind, "text")


def statements(block: tuple[Statement, ...]) -> Iterator[Statement]:
    """Yield the statements of a block and of the blocks inside."""
    for statement in block:
        yield statement
        yield from statements(statement.body)
        yield from statements(statement.otherwise)
