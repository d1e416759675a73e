"""The cells of a step that are possible for a given move text, group by group."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice, product

from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.roles import is_variable
from rulesengine.language.ir.rules import Group, TemplateField
from rulesengine.notation.move_text import Writer

_STEP = frozenset({"from", "to", "direction", "choice"})
# The maximum number of pairs of cells tried for a text that is no legal move.
_MOST = 1024


class Table:
    """A map from a text to the mask of the cells that produce it."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.cells: dict[str, int] = {}
        for cell, text in enumerate(texts):
            self.cells[text] = self.cells.get(text, 0) | 1 << cell
        self.lengths = tuple(sorted(set(map(len, self.cells))))


class Parts:
    """The parts of a text, and the cells that each table has for them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._cells: dict[Table, int] = {}

    def cells(self, tables: tuple[Table, ...]) -> int:
        """Return the cells that produce a part of the text in each table; -1 without a table."""
        cells = -1
        for table in tables:
            if table not in self._cells:
                self._cells[table] = self._among(table)
            cells &= self._cells[table]
        return cells

    def _among(self, table: Table) -> int:
        cells, text = 0, self._text
        for length in table.lengths:
            for at in range(len(text) - length + 1):
                cells |= table.cells.get(text[at : at + length], 0)
        return cells


class Form:
    """The notation of the steps of one group; `names` has the names of the cells.

    `origins` and `targets` have a table for each part of the text that depends on that cell alone.
    """

    def __init__(self, writer: Writer, group: Group, names: Table) -> None:
        self._writer = writer
        self._group = group
        self._names = names

    @cached_property
    def origins(self) -> tuple[Table, ...]:
        return self._tables("from", self._names_origin)

    @cached_property
    def targets(self) -> tuple[Table, ...]:
        return self._tables("to", self._names_target)

    def cells(self, parts: Parts) -> tuple[int, int]:
        """Return the origins and targets that are possible for a text, 0 if a step has none."""
        origins = parts.cells(self.origins) if self._group.origin else 0
        return origins, parts.cells(self.targets) if self._group.target else 0

    def steps(self, text: str, origins: int, targets: int) -> Iterator[tuple[int, int]]:
        """Yield the cells of steps that may have this text; needs a notation of the group."""
        written = self._group.written
        if written is None:
            return
        for pair in islice(product(_cells(origins), _cells(targets)), _MOST):
            variables = dict(zip(("from", "to"), pair, strict=True))
            parts = (self._pattern(part, variables) for part in written.template.parts)
            if re.fullmatch("".join(parts), text):
                yield pair

    def _pattern(self, part: str | TemplateField, variables: dict[str, int]) -> str:
        if isinstance(part, str):
            return re.escape(part)
        if _read(part.value) <= variables.keys():
            return re.escape(self._writer.format_value(part.value, dict(variables)))
        return ".+"

    def _tables(self, name: str, is_named: bool) -> tuple[Table, ...]:
        if self._group.written is None:
            return (self._names,) if is_named else ()
        fields = (p.value for p in self._group.written.template.parts if not isinstance(p, str))
        return tuple(self._table(op, name) for op in fields if _read(op) == {name})

    def _table(self, op: Op, name: str) -> Table:
        cells = range(self._writer.program.topology.cells)
        return Table(self._writer.format_value(op, {name: cell}) for cell in cells)

    @property
    def _names_origin(self) -> bool:
        notation = self._writer.program.rules.notation
        return self._group.step_kind == "move" and all(
            "{from}" in form for form in (notation.move, notation.capture)
        )

    @property
    def _names_target(self) -> bool:
        notation = self._writer.program.rules.notation
        if self._group.step_kind != "move":
            return "{to}" in notation.place
        forms = (notation.move, notation.capture)
        return all("{to}" in form.partition("{from}")[2] for form in forms)


def _read(op: Op) -> set[str]:
    """Return the variables of a step that an operation reads."""
    return {str(o.value) for o in walk(op) if is_variable(o)} & _STEP


def _cells(mask: int) -> list[int]:
    """Return the cells of a mask; [-1] for a step without such a cell."""
    return [i for i in range(mask.bit_length()) if mask >> i & 1] if mask > 0 else [-1]
