"""Parsing of states: the board in the symbols of the spec, then the mover and registers."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from rulesengine.errors import NotationError
from rulesengine.language.ir.stack_text import StackTextError, read_columns
from rulesengine.state import CellNumbers, Form, State

_LINE = re.compile(r"([a-z][a-z0-9_ ]*): (.*)")
_FLAGS = MappingProxyType({"yes": 1, "true": 1, "no": 0, "false": 0})


def read_state(form: Form, text: str) -> State:
    """Parse the text of a state as printed by `str(state)`; blanks in board lines are ignored.

    Raises NotationError with the row and column of the error.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    rows = lines[: len(form.lines)]
    side, registers = 0, list(form.starts)
    if form.stacks:
        planes = read_stacks(form, registers, rows)
    else:
        planes = read_board(form, rows)
    require_few(form, planes)
    fields = lines[len(form.lines) :]
    seats: tuple[int, ...] = ()
    history: list[tuple[tuple[int, ...], int]] = []
    for line in fields:
        match = _LINE.fullmatch(line)
        if match is None:
            raise NotationError(f"expected `name: value` after the board, found `{line[:60]}`")
        name, value = match[1], match[2].strip()
        if name == "mover":
            side = _index(form.players, value, "player")
        elif name == "seats":
            seats = tuple(_index(form.players, player, "player") for player in value.split())
            if sorted(seats) != list(range(len(form.players))):
                raise NotationError(f"expected each player once as seats, found `{value[:60]}`")
        elif name == "before":
            history.append(_before(form, value))
        else:
            read_register(form, registers, name, value)
    if seats:  # the mover is a player, in text as in `State.mover`
        side = seats.index(side)
    return State(planes, side, tuple(registers), tuple(history), form, seats)


def read_board(form: Form, rows: list[str]) -> tuple[int, ...]:
    """Parse the printed lines of a board as planes. Raises NotationError."""
    if len(rows) != len(form.lines):
        raise NotationError(f"the board has {len(form.lines)} rows, found {len(rows)}")
    planes, known = [0] * len(form.symbols), alphabet(form)
    for number, (cells, row) in enumerate(zip(form.lines, rows, strict=True), start=1):
        count = len("".join(row.split()))
        if " " not in known and not form.hole and count != len(cells):
            raise NotationError(form.length_problem(number, count))
        read_row(known, planes, cells, row, number, form.hole)
    return tuple(planes)


def read_stacks(form: Form, registers: list[int], rows: list[str]) -> tuple[int, ...]:
    """Parse a board of stacks into planes and registers. Raises NotationError."""
    planes = [0] * len(form.symbols)
    assert form.stacks is not None
    try:
        for cell, column in read_columns(form, rows):
            planes[column[-1]] |= 1 << cell
            form.stacks.write(registers, cell, column)
    except StackTextError as error:
        raise NotationError(str(error)) from None
    return tuple(planes)


def require_few(form: Form, planes: Sequence[int]) -> None:
    """Raise NotationError if a board has more pieces of a kind than allowed."""
    for plane, limit in enumerate(form.limits):
        if (count := planes[plane].bit_count()) > limit:
            kind, owner = divmod(plane, len(form.players) + 1)
            of = f" of {form.players[owner]}" if owner < len(form.players) else ""
            message = f"there can be at most {limit} `{form.kinds[kind]}`{of}, found {count}"
            raise NotationError(message)


def alphabet(form: Form) -> dict[str, int]:
    """Return the plane of each symbol of the game, -1 for an empty cell."""
    planes = {symbol: plane for plane, symbol in enumerate(form.symbols) if symbol}
    return {form.empty: -1, **planes}


def read_row(
    known: Mapping[str, int],
    planes: list[int],
    cells: tuple[int, ...],
    row: str,
    number: int,
    hole: str = "",
) -> None:
    """Add the pieces of one line to the planes; blanks count as symbols only if they are known.

    If the line has more characters than cells, the sign of a hole is skipped.
    """
    symbols = row.rstrip().ljust(len(cells)) if " " in known else "".join(row.split())
    if len(symbols) > len(cells) and hole and hole not in known:
        symbols = symbols.replace(hole, "")
    if len(symbols) != len(cells):
        raise NotationError(f"row {number} has {len(cells)} cells, found {len(symbols)}")
    for column, (cell, symbol) in enumerate(zip(cells, symbols, strict=True), start=1):
        if symbol not in known:
            raise NotationError(
                f"row {number}, column {column}: no piece `{symbol}`, expected one of "
                + " ".join(s if s != " " else "blanks" for s in known)
            )
        if known[symbol] >= 0:
            planes[known[symbol]] |= 1 << cell


def read_register(form: Form, registers: list[int], name: str, text: str) -> None:
    """Parse the value of a register into its slots."""
    numbers = next((n for n in form.numbers if n.name == name), None)
    if numbers is None:
        slot = _index(form.registers, name, "register")
        registers[slot] = _value(form, form.types[slot], text)
        return
    pairs = _cell_numbers(form, numbers, text)
    for i in range(numbers.bits):
        plane = sum(1 << cell for cell, number in pairs if number - numbers.low >> i & 1)
        registers[numbers.first + i] = plane


def _cell_numbers(form: Form, numbers: CellNumbers, text: str) -> list[tuple[int, int]]:
    """Parse numbers at cells from lines separated by `/`; return (cell, number) pairs."""
    rows = [row.split() for row in text.split("/")]
    if [len(row) for row in rows] != [len(line) for line in form.lines]:
        expected = " / ".join(str(len(line)) for line in form.lines)
        lengths = " / ".join(str(len(row)) for row in rows)
        raise NotationError(f"`{numbers.name}` has {expected} numbers, found {lengths}")
    cells = [cell for line in form.lines for cell in line]
    values = [_value(form, "number", word) for row in rows for word in row]
    low, high = numbers.low, numbers.high
    for number in values:
        if not low <= number <= high:
            raise NotationError(f"`{numbers.name}` is {low} to {high}, not {number}")
    return list(zip(cells, values, strict=True))


def _before(form: Form, text: str) -> tuple[tuple[int, ...], int]:
    masks, _, player = text.partition(" ")
    try:
        planes = tuple(int(mask, 16) for mask in masks.split(","))
    except ValueError:
        raise NotationError(f"expected masks of an earlier position, found `{text[:60]}`") from None
    return planes, _index(form.players, player, "player")


def _index(names: tuple[str, ...], name: str, subject: str) -> int:
    if name not in names:
        raise NotationError(f"no {subject} `{name[:60]}`")
    return names.index(name)


def _value(form: Form, kind: str, text: str) -> int:
    if kind == "cells":
        names = [] if text == "none" else text.split()
        return sum(1 << _index(form.cells, name, "cell") for name in names)
    if kind == "flag":
        if text not in _FLAGS:
            raise NotationError(f"expected yes or no, found `{text[:60]}`")
        return _FLAGS[text]
    if known := form.names_of(kind):
        return -1 if text == "none" else _index(known, text, "player" if kind == "side" else kind)
    if not re.fullmatch(r"-?[0-9]{1,19}", text):
        raise NotationError(f"expected a number, found `{text[:60]}`")
    return int(text)
