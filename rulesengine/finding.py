"""Texts to legal moves: only the moves over cells that a text names are looked at."""

from collections.abc import Container, Sequence
from functools import cached_property
from itertools import repeat
from operator import is_

from rulesengine.moves import Maker, Moves
from rulesengine.packing import CELLS
from rulesengine.state import Move

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

    def masks(self, text: str) -> tuple[int, int]:
        """The origins and the targets of the moves that may be written so."""
        mask = sum(1 << cell for cell in self._named(text))
        return mask if self._shows_origin else -1, mask if self._shows_target else -1

    def first(self, text: str, moves: Sequence[Move]) -> Move | None:
        """The first of some moves that is written so."""
        if self._ready:
            legal = [move for move in self._ready.get(text, ()) if _holds(moves, move)]
            if len(legal) > 1:
                return next(move for move in moves if move in legal)
            return legal[0] if legal else None
        assert isinstance(moves, Moves)
        known = frozenset((0, *(cell + 1 for cell in self._named(text))))
        origins: Container[int] = known if self._shows_origin else _ALL
        targets: Container[int] = known if self._shows_target else _ALL
        return next((m for m in moves.among(origins, targets) if m.text == text), None)

    def _named(self, text: str) -> set[int]:
        """The cells whose names stand somewhere in a text."""
        known = self._cells
        parts = {text[i : i + length] for length in self._lengths for i in range(len(text))}
        return {known[part] for part in parts if part in known}

    @cached_property
    def _cells(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self._maker.program.topology.names)}

    @cached_property
    def _lengths(self) -> tuple[int, ...]:
        return tuple(sorted(set(map(len, self._cells))))

    @cached_property
    def _ready(self) -> dict[str, list[Move]]:
        """The moves of each text, where all that there can be are known."""
        found: dict[str, list[Move]] = {}
        for move in (move for row in self._maker.every() for move in row):
            found.setdefault(move.text, []).append(move)
        return found


def _holds(moves: Sequence[Move], move: Move) -> bool:
    """Whether a move of which there is one alone is among some."""
    if isinstance(moves, Moves):
        return moves.lists(move)
    return True in map(is_, moves, repeat(move))
