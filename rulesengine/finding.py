"""Texts to legal moves: only the moves over cells that a text names are looked at."""

from collections.abc import Container, Sequence
from functools import cached_property

from rulesengine.moves import Maker, Moves
from rulesengine.packing import CELLS
from rulesengine.state import Move

Cells = tuple[int, ...]

_ALL = range(CELLS + 1)


class Finder:
    """Finds the first legal move of a text, among the moves of one game.

    What the notation shows of a move's cells stands in its text: a move over cells whose names
    are not there need not be written to know that it is another.
    """

    def __init__(self, maker: Maker) -> None:
        rules = maker.program.rules
        forms = (rules.notation.move, rules.notation.capture)
        on = tuple(form.partition("{from}")[2] for form in forms)
        targets = (rules.notation.place, *forms, *on)
        self._maker = maker
        self._shows_origin = all("{from}" in form for form in forms) and all(
            group.origin is None or group.kind == "move" for group in rules.groups
        )
        self._shows_target = all("{to}" in form for form in targets) and all(
            group.target is None or group.kind in ("move", "place", "select")
            for group in rules.groups
        )

    def named(self, text: str) -> Cells:
        """The cells whose names stand somewhere in a text."""
        known = self._cells
        parts = {text[i : i + length] for length in self._lengths for i in range(len(text))}
        return tuple(known[part] for part in parts if part in known)

    def masks(self, cells: Cells) -> tuple[int, int]:
        """The origins and the targets of the moves that may be written with these cells."""
        mask = sum(1 << cell for cell in cells)
        return mask if self._shows_origin else -1, mask if self._shows_target else -1

    def first(self, text: str, cells: Cells, moves: Sequence[Move]) -> Move | None:
        """The first of some moves that is written so; `cells` are those that the text names."""
        if self._ready:
            written = (row[cell + 1] for row in self._ready for cell in (-1, *cells))
            places = [_place(move, moves) for move in written if move.text == text]
            least = min((place for place in places if place >= 0), default=-1)
            return moves[least] if least >= 0 else None
        assert isinstance(moves, Moves)
        known = frozenset((0, *(cell + 1 for cell in cells)))
        origins: Container[int] = known if self._shows_origin else _ALL
        targets: Container[int] = known if self._shows_target else _ALL
        return next((m for m in moves.among(origins, targets) if m.text == text), None)

    @cached_property
    def _cells(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self._maker.program.topology.names)}

    @cached_property
    def _lengths(self) -> tuple[int, ...]:
        return tuple(sorted(set(map(len, self._cells))))

    @cached_property
    def _ready(self) -> tuple[tuple[Move, ...], ...]:
        """All moves that there can be, where they are few and show their cell."""
        return self._maker.every() if self._shows_target else ()


def _place(move: Move, moves: Sequence[Move]) -> int:
    """Where a move stands of which there is one alone, -1 if it does not."""
    if isinstance(moves, Moves):
        return moves.place(move)
    return next((i for i, own in enumerate(moves) if own is move), -1)
