"""Records and operations to a table that JSON can hold, and back: quick to read, not for people.

A row is `[name, item …]` for a record or an operation, `["", item …]` for a tuple. An item is a
number, a flag, a text, null, or `[i]` for what row i stands for. Equal parts share a row, and
rows come after those that they name; the last is the whole.
"""

from typing import Any

from rulesengine.language.ir.node_types import RECORDS
from rulesengine.language.ir.ops import Op
from rulesengine.support.frozen import make, names_of

Rows = list[list[Any]]


def pack(value: object) -> Rows:
    """The table of a record, an operation, or a tuple of them."""
    table = _Table()
    table.item(value)
    return table.rows


def unpack(rows: Rows) -> Any:
    """The value of a table; raises ValueError for what `pack` never makes."""
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


class _Table:
    def __init__(self) -> None:
        self.rows: Rows = []
        self._places: dict[str, int] = {}
        self._met: dict[int, tuple[object, list[int]]] = {}  # holds what it knows by its id

    def item(self, value: object) -> Any:
        """A value as it stands in a row."""
        if value is None or isinstance(value, int | str):
            return value
        if id(value) not in self._met:
            self._met[id(value)] = value, [self._place(value)]
        return self._met[id(value)][1]

    def _place(self, value: object) -> int:
        """The number of a value's row, a new one unless there is an equal one."""
        if isinstance(value, tuple):
            row = ["", *map(self.item, value)]
        else:
            names = names_of(value)
            assert names is not None
            row = [type(value).__name__, *(self.item(getattr(value, name)) for name in names)]
        text = repr(row)  # a table of rows would take 1 for true
        if text not in self._places:
            self._places[text] = len(self.rows)
            self.rows.append(row)
        return self._places[text]
