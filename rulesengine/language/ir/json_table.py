"""Serialisation of records and operations as a table for JSON, fast to decode.

A row is `[name, item …]` for a record or an operation, `["", item …]` for a tuple. An item is a
number, a flag, a text, null, or `[i]`, a reference to row i. Equal values share a row, and a row
comes after the rows that it refers to; the last row is the whole value.
"""

from typing import Any, TypeVar

from rulesengine.language.ir.node_types import RECORDS, tag_of
from rulesengine.language.ir.ops import Op
from rulesengine.support.frozen import make, names_of

T = TypeVar("T")

Rows = list[list[Any]]


def pack(value: object) -> Rows:
    """Encode a record, an operation, or a tuple of them as a table."""
    table = _Table()
    table.item(value)
    return table.rows


def unpack(rows: Rows) -> Any:
    """Decode a table; raises ValueError for a table that `pack` never makes."""
    done: list[Any] = []
    try:
        for name, *items in rows:
            values = [done[item[0]] if type(item) is list else item for item in items]
            if name:
                done.append(make(Op if name == "Op" else RECORDS[name], values))
            else:
                done.append(tuple(values))
        return done[-1]
    except (LookupError, TypeError) as error:
        raise ValueError(str(error)) from None


def with_shared_parts(value: T) -> T:
    """Return an equal value in which equal parts are one object, as they are after decoding."""
    shared: T = unpack(pack(value))
    return shared


class _Table:
    def __init__(self) -> None:
        self.rows: Rows = []
        self._places: dict[str, int] = {}
        # by id; references to the values keep their ids valid
        self._met: dict[int, tuple[object, list[int]]] = {}

    def item(self, value: object) -> Any:
        """Return the item that represents a value in a row."""
        if value is None or isinstance(value, int | str):
            return value
        if id(value) not in self._met:
            self._met[id(value)] = value, [self._place(value)]
        return self._met[id(value)][1]

    def _place(self, value: object) -> int:
        """Return the number of a value's row; an equal row is reused."""
        if isinstance(value, tuple):
            row = ["", *map(self.item, value)]
        else:
            names = names_of(value)
            assert names is not None
            row = [tag_of(type(value)), *(self.item(getattr(value, name)) for name in names)]
        text = repr(row)  # as text, because equality of lists would take 1 for true
        if text not in self._places:
            self._places[text] = len(self.rows)
            self.rows.append(row)
        return self._places[text]
