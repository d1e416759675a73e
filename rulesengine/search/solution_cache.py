"""Cached solutions of small games: the values of all positions, for players to look up."""

from bisect import bisect_left
from collections.abc import Sequence
from time import perf_counter

from rulesengine.engine.drivers.search.result import WIN, SearchResult, Value, Variation
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.text import show
from rulesengine.search.enumeration.packed_states import Records
from rulesengine.search.enumeration.retrograde import Solvable, Table, without_repeats
from rulesengine.state import Move, State
from rulesengine.support.cache import MAX_ENTRY, Cache, digest
from rulesengine.support.resources import stamp_below

_KIND = "solution"
_DISTANCE = 2  # bytes of the value of a record: 0 for a draw, else the plies to the end plus one
_SIGN = 1 << 15  # flag of a loss
_LONGEST = 1000  # maximum plies of a line


class Solution:
    """The values of the positions of a game, as an array of sorted records with values."""

    def __init__(self, game: Solvable, data: bytes) -> None:
        program = game.program
        left = without_repeats(program) if program.keeps_history else program
        self._game = game if left is None or left is program else game.with_program(left)
        self._records = Records(self._game.program)
        self._width = program.form.packing.size + _DISTANCE
        self._data = data

    def value(self, state: State) -> Value | None:
        """Return the value of a position for the side to move; None if it is unknown.

        Positions with a history are unknown, because an earlier position might repeat too often.
        """
        if state.history:
            return None
        key = self._records.record(state)
        rows = range(len(self._data) // self._width)
        place = bisect_left(rows, key, key=self._record)
        if place == len(rows) or self._record(place) != key:
            return None
        end = (place + 1) * self._width
        number = int.from_bytes(self._data[end - _DISTANCE : end], "little")
        if not number:
            return Value(0, "plies")
        sure = WIN + 1 - number % _SIGN
        return Value(-sure if number & _SIGN else sure, "plies")

    def lookup(self, state: State, lines: int = 1) -> SearchResult | None:
        """Return the best moves of a position and the values of all moves; None if it is unknown.

        `lines` is the number of variations.
        """
        since, values = perf_counter(), self._moves(state)
        if values is None:
            return None
        best = values[0][1]
        line = self._line(state)
        return SearchResult(
            values[0][0],
            best.number,
            best.unit,
            line,
            0,
            len(line),
            perf_counter() - since,
            tuple(values),
            True,
            tuple(move for move, value in values if value == best),
            lines=tuple(self._variation(state, *pair) for pair in values[:lines]),
        )

    def _variation(self, state: State, move: Move, value: Value) -> Variation:
        """Return the line of best play after a move."""
        line = (move, *self._line(self._game.apply(state, move)))[:_LONGEST]
        return Variation(move, value.number, value.unit, line, len(line))

    def _record(self, row: int) -> bytes:
        return self._data[row * self._width : (row + 1) * self._width - _DISTANCE]

    def _moves(self, state: State) -> Sequence[tuple[Move, Value]] | None:
        """Return the legal moves with their values, best first."""
        values = []
        for move in self._game.legal_moves(state):
            after = self._game.apply(state, move)
            value = self.value(after)
            if value is None:
                return None
            values.append((move, _before(value, stays=after.mover == state.mover)))
        return sorted(values, key=lambda pair: -pair[1].number) or None

    def _line(self, state: State) -> tuple[Move, ...]:
        """Return the line of best play, up to the end or a repetition."""
        line, visited = list[Move](), set[State]()
        while state not in visited and len(line) < _LONGEST:
            visited.add(state)
            values = self._moves(state)
            if values is None:
                break
            line.append(values[0][0])
            state = self._game.apply(state, values[0][0])
        return tuple(line)


def keep(program: Program, table: Table) -> None:
    """Cache the values of a table, unless it is too large."""
    cache = Cache.open()
    rows = sorted(record + _solved_value(table, number) for record, number in table.numbers.items())
    data = b"".join(rows)
    if cache and len(data) <= MAX_ENTRY:
        cache.put(_KIND, _key(program), data)


def recall(game: Solvable) -> Solution | None:
    """Return the cached values of a game, or None."""
    cache = Cache.open()
    data = cache.get(_KIND, _key(game.program)) if cache else None
    return Solution(game, data) if data is not None else None


def _solved_value(table: Table, number: int) -> bytes:
    value, distance = table.value(number)
    code = 0 if distance is None else distance + 1 + (_SIGN if value == "loss" else 0)
    return code.to_bytes(_DISTANCE, "little")


def _before(value: Value, *, stays: bool) -> Value:
    """Return the value of a move that leads to a value, one ply later."""
    sign = 1 if stays else -1
    nearer = value.number - (value.number > 0) + (value.number < 0)
    return Value(sign * nearer, "plies")


def _key(program: Program) -> bytes:
    stamp = stamp_below("search/enumeration").encode("utf-8", "surrogatepass")
    return digest(stamp, show(program).encode("utf-8", "surrogatepass"))
