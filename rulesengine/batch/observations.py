"""Observations: states as planes of cells, and their other registers, in arrays."""

from typing import TYPE_CHECKING, Literal

from rulesengine.batch.memory_layout import Plan
from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.language.ir.hiding import hidden_in
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

View = Literal["mover", "absolute"]
Row = tuple[str, tuple[int, ...]]  # name of a plane, and its set from the side of each player


class Planes:
    """The cell sets of a game's states as planes, in a fixed order.

    For each kind of piece come those of each player, then neutral ones. Registers that are sets of
    cells follow, those of each player by player. From a mover's side its own planes come first,
    then those of the next player in order, and so on.
    """

    def __init__(self, program: Program, plan: Plan) -> None:
        import numpy as np

        self._program, self._plan = program, plan
        form = program.form
        self._sides, self._cells = len(form.players), len(form.cells)
        self._words = (self._cells + 63) // 64
        planes = [i for i, symbol in enumerate(form.symbols) if symbol]
        # The index of each set of a state among the packed sets, planes by number first.
        self._sets = {plane: place for place, plane in enumerate(planes)}
        self._offsets = [place * self._words for place in range(len(planes))]
        self._register_offsets: list[int] = []
        place = len(planes) * self._words + 1
        for slot, kind in enumerate(form.types):
            if kind == "cells":
                self._sets[len(form.symbols) + slot] = len(self._offsets)
                self._offsets.append(place)
                place += self._words
            else:
                self._register_offsets.append(place)
                place += 1
        self._rows = [*self._pieces(), *self._registers()]
        # The set of each plane by side, and the offsets of the words of each set in a record.
        order = [[sets[s] for _, sets in self._rows] for s in range(self._sides)]
        self._order = np.array(order, np.int64)
        offsets = np.array(self._offsets, np.int64)[:, None]
        self._places = plan.state + offsets + np.arange(self._words)
        self._games = np.arange(plan.games)[:, None]

    def names(self, view: View | int) -> tuple[str, ...]:
        players = self._program.form.players
        if isinstance(view, int):
            players = players[view:] + players[:view]
        if view == "mover":
            players = ("own", *(f"opponent {k}" for k in range(1, self._sides)))
            players = ("own", "opponent") if self._sides == 2 else players
        unseen = unseen_planes(self._program.rules, players)
        return (*(name.format(*players) for name, _ in self._rows), *unseen)

    def observed(self, records: Memory, view: View) -> "Flags":
        """Return the planes of all games."""
        sides = self._column(records, self._side_at())
        return self._planes_from(records, sides if view == "mover" else 0 * sides)

    def of_player(self, records: Memory, player: int) -> "Flags":
        """Return the planes of all games from a player's side, independent of the mover."""
        import numpy as np

        sides = np.full(self._plan.games, player)
        if self._program.form.swaps:
            sides ^= self._column(records, self._plan.width - self._plan.state - 1)
        return self._planes_from(records, sides)

    def _planes_from(self, records: Memory, sides: "Ints") -> "Flags":
        """Return the planes of all games, each from a side."""
        flags: Flags = self._unpacked(records)[self._games, self._order[sides]]
        return flags

    def bits(self, zero: int) -> "Ints":
        """Return the bit of a packed state for each cell, by side and plane.

        Bits are in the order of `unpackbits`; `zero` is the bit of cells without a set.
        """
        import numpy as np

        cells = np.arange(self._cells)
        of_cells = cells // 8 * 8 + 7 - cells % 8
        sets = np.full((len(self._offsets) + 1, self._cells), zero)
        sets[:-1] = np.array(self._offsets, np.int64)[:, None] * (8 * WORD) + of_cells
        bits_by_side: Ints = sets[self._order]
        return bits_by_side

    def places(self) -> list[list[int]]:
        """Return the offset in a record of the first word of each set, by side and plane; -1 for
        none.
        """
        begins = [self._plan.state + offset for offset in self._offsets] + [-1]
        return [[begins[number] for number in order] for order in self._order.tolist()]

    @property
    def side_offset(self) -> int:
        """Return the offset of the side to move in a record."""
        return self._plan.state + self._side_at()

    @property
    def swap_offset(self) -> int:
        """Return the offset of the flag in a record that sides are swapped; -1 without a swap."""
        return self._plan.width - 1 if self._program.form.swaps else -1

    @property
    def register_offsets(self) -> "Ints":
        """Return the offsets of the other registers, in words of a packed state."""
        import numpy as np

        return np.array(self._register_offsets, np.int64)

    def numbers(self, records: Memory) -> "Ints":
        """Return the other registers of all games."""
        import numpy as np

        columns = [self._column(records, place) for place in self._register_offsets]
        empty = np.zeros((self._plan.games, 0), np.int64)
        return np.stack(columns, axis=1) if columns else empty

    def _pieces(self) -> list[Row]:
        form, step = self._program.form, self._sides + 1
        rows: list[Row] = []
        for kind, name in enumerate(form.kinds):
            of_sides = [kind * step + side for side in range(self._sides)]
            rows += self._of_sides(name, of_sides)
            neutral = kind * step + self._sides
            if neutral in self._sets:
                rows.append((name, (self._sets[neutral],) * self._sides))
        return rows

    def _registers(self) -> list[Row]:
        program, rows = self._program, list[Row]()
        first, slots = len(program.form.symbols), dict(program.slots)
        for register in program.rules.registers:
            begin = first + slots[register.name]
            places = range(begin, begin + register.slots(self._sides))
            if places and places[0] in self._sets:
                if register.each == "player":
                    rows += self._of_sides(register.name, list(places))
                else:
                    rows += [(register.name, (self._sets[p],) * self._sides) for p in places]
        return rows

    def _of_sides(self, name: str, sets: list[int]) -> list[Row]:
        """Return a plane for each side; it is empty for a side that never has any."""
        none = len(self._offsets)
        if not any(s in self._sets for s in sets):
            return []
        rows = [self._sets.get(s, none) for s in sets]
        count = self._sides
        return [
            (f"{{{k}}} {name}", tuple(rows[(side + k) % count] for side in range(count)))
            for k in range(count)
        ]

    def _side_at(self) -> int:
        count = sum(bool(symbol) for symbol in self._program.form.symbols)
        return count * self._words

    def _table(self, records: Memory) -> "Ints":
        import numpy as np

        return np.frombuffer(records.bytes, np.int64).reshape(self._plan.games, self._plan.width)

    def _column(self, records: Memory, place: int) -> "Ints":
        return self._table(records)[:, self._plan.state + place]

    def _unpacked(self, records: Memory) -> "Flags":
        """Return all sets as flags, followed by an empty one."""
        import numpy as np

        games, count = self._plan.games, len(self._offsets)
        words = np.zeros((games, count + 1, self._words), "<i8")
        words[:, :count] = self._table(records)[:, self._places]
        packed = words.view(np.uint8).reshape(games, count + 1, self._words * WORD)
        bits = np.unpackbits(packed, axis=-1, bitorder="little", count=self._cells)
        return bits.view(np.bool_)


def unseen_planes(rules: Rules, players: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the planes of cells that a player does not see.

    There is one if the game hides pieces, and one more for each owner if a player may see an owner
    alone. `players` names the players in the order of the planes.
    """
    if not hidden_in(rules).pieces:
        return ()
    if rules.sees is None or rules.sees.owners is None:
        return ("unseen",)
    return ("unseen", *(f"{name} unseen piece" for name in (*players, "neutral")))
