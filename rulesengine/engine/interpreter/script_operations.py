"""The semantics of operations on texts and lists, which only scripts have."""

import re
from typing import Any

from rulesengine.engine.interpreter.frame import Frame, plane_at
from rulesengine.engine.interpreter.operations import Operations
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.support.limits import INTEGER_MAX

_LABEL = re.compile(r"[0-9]{1,18}|[A-Za-z]{1,8}")


class ScriptOperations(Operations):
    """Operations on texts and lists."""

    def op_join(self, op: Op, frame: Frame) -> str:
        return "".join(self.value(a, frame) for a in op.args)

    def op_shown(self, op: Op, frame: Frame) -> str:
        assert isinstance(op.value, tuple)
        width, filler = op.value
        text = format_value(self.program, op.args[0].type, self._one(op, frame))
        return padded(text, int(width), filler)

    def op_length(self, op: Op, frame: Frame) -> int:
        return len(self._one(op, frame))

    def op_item(self, op: Op, frame: Frame) -> Any:
        items, at = self._two(op, frame)
        if not 1 <= at <= len(items):
            raise self.fail(op, f"no member {at} of {len(items)}")
        return items[at - 1]

    def op_listed(self, op: Op, frame: Frame) -> int:
        value, items = self._two(op, frame)
        return int(value in items)

    def op_cell_called(self, op: Op, frame: Frame) -> int:
        name, cells = self._one(op, frame), self.program.form.cells
        return cells.index(name) if name in cells else -1

    def op_label_number(self, op: Op, frame: Frame) -> int:
        # imported here: few scripts use it
        from rulesengine.board.coordinates import number_of_letters

        label = self._one(op, frame)
        if not _LABEL.fullmatch(label):
            raise self.fail(op, f"`{label[:40]}` is no number and no letters")
        return int(label) if label[0].isdigit() else number_of_letters(label.lower())

    def op_label(self, op: Op, frame: Frame) -> str:
        from rulesengine.board.coordinates import letters

        number = self._one(op, frame)
        if not 1 <= number <= INTEGER_MAX:
            raise self.fail(op, f"no letters denote {number}")
        return letters(number)

    def op_capitals(self, op: Op, frame: Frame) -> str:
        return str(self._one(op, frame)).upper()

    def op_no_numbers(self, op: Op, frame: Frame) -> list[int]:
        return []

    def op_no_words(self, op: Op, frame: Frame) -> list[str]:
        return []

    def op_slice(self, op: Op, frame: Frame) -> Any:
        items, first, last = (self.value(arg, frame) for arg in op.args)
        return items[max(first - 1, 0) : max(last, 0)]

    def op_strip(self, op: Op, frame: Frame) -> str:
        return str(self._one(op, frame)).strip()

    def op_split(self, op: Op, frame: Frame) -> list[str]:
        text, separator = self._two(op, frame)
        return text.split(separator) if separator else [*text]

    def op_symbol(self, op: Op, frame: Frame) -> str:
        return self._symbol(frame, self._one(op, frame))

    def op_symbols(self, op: Op, frame: Frame) -> str:
        cells = self._one(op, frame)
        every = range(len(self.program.form.cells))
        return "".join(self._symbol(frame, cell) for cell in every if cells >> cell & 1)

    def op_piece_symbol(self, op: Op, frame: Frame) -> str:
        form, (kind, side) = self.program.form, self._two(op, frame)
        if kind < 0:
            return str(form.empty)
        owner = side if side >= 0 else self.sides
        symbol = form.symbols[kind * (self.sides + 1) + owner]
        if not symbol:
            name = f"`{form.kinds[kind]}`"
            if owner == self.sides:
                raise self.fail(op, f"there is no neutral {name}")
            raise self.fail(op, f"there is no {name} of {form.players[owner]}")
        return str(symbol)

    def op_empty_symbol(self, op: Op, frame: Frame) -> str:
        return self.program.form.empty

    def op_symbol_kind(self, op: Op, frame: Frame) -> int:
        return self._piece(op, frame)[0]

    def op_symbol_owner(self, op: Op, frame: Frame) -> int:
        return self._piece(op, frame)[1]

    def _symbol(self, frame: Frame, cell: int) -> str:
        plane = plane_at(frame, cell)
        form = self.program.form
        return form.empty if plane < 0 else form.symbols[plane]

    def _piece(self, op: Op, frame: Frame) -> tuple[int, int]:
        """Return the kind and the owner of the pieces with a symbol, -1 for none."""
        return self.program.form.piece_of(self._one(op, frame))

    def op_small_letters(self, op: Op, frame: Frame) -> str:
        return str(self._one(op, frame)).lower()


def format_value(program: Program, kind: str, value: Any) -> str:
    """Format a value as scripts print it."""
    match kind:
        case "side":
            return program.form.players[value] if value >= 0 else "nobody"
        case "cell":
            return program.form.cells[value] if value >= 0 else "none"
        case "cells":
            return " ".join(name for i, name in enumerate(program.form.cells) if value >> i & 1)
        case "kind":
            return program.rules.kinds[value].name if value >= 0 else "none"
        case "numbers" | "texts":
            return " ".join(map(str, value))
    return str(value)


def padded(text: str, width: int, filler: str = " ") -> str:
    """Pad a text to a width: on the left, or on the right if negative; zeros follow a sign."""
    if filler == "0":
        return text.zfill(width)
    return text.ljust(-width) if width < 0 else text.rjust(width)
