"""Texts to legal moves: only the moves over cells that a text names are looked at."""

from collections.abc import Sequence
from functools import cached_property
from itertools import repeat
from operator import is_

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.moves import Maker, Moves, packed_moves
from rulesengine.language.ir.rules import OneOfEach
from rulesengine.notation.move_forms import Form, Parts, Table
from rulesengine.state import Move, State
from rulesengine.support.frozen import replace


class Finder:
    """Finds the first legal move of a text, among the moves of one game.

    What the notation shows of a move's cells stands in its text: a move over cells that give
    none of its parts need not be written to know that it is another.
    """

    def __init__(self, maker: Maker) -> None:
        self._maker = maker
        names, groups = Table(maker.program.topology.names), maker.program.rules.groups
        self._forms = tuple(Form(maker.writer, group, names) for group in groups)

    def masks(self, text: str) -> tuple[int, int]:
        """The origins and the targets of the moves that may be written so."""
        origins = targets = 0
        for origin, target in self._cells(text):
            origins |= origin
            targets |= target
        return origins, targets

    def first(self, text: str, moves: Sequence[Move]) -> Move | None:
        """The first of some moves that is written so."""
        if self._ready:
            legal = [move for move in self._ready.get(text, ()) if _holds(moves, move)]
            if len(legal) > 1:
                return next(move for move in moves if move in legal)
            return legal[0] if legal else None
        assert isinstance(moves, Moves)
        return next((m for m in moves.among(self._cells(text)) if m.text == text), None)

    def meant(self, text: str) -> tuple[tuple[int, tuple[int, int]], ...]:
        """Groups that say how they are written and may write so, each with its step's cells."""
        cells = self._cells(text)
        return tuple(
            (number, step)
            for number, form in enumerate(self._forms)
            for step in form.steps(text, *cells[number])
        )

    def _cells(self, text: str) -> list[tuple[int, int]]:
        """For each group the origins and the targets that its steps have in such a text."""
        parts = Parts(text)
        return [form.cells(parts) for form in self._forms]

    @cached_property
    def _ready(self) -> dict[str, list[Move]]:
        """The moves of each text, where all that there can be are known."""
        found: dict[str, list[Move]] = {}
        for move in (move for row in self._maker.every() for move in row):
            found.setdefault(move.text, []).append(move)
        return found


class Twins:
    """Moves that `keep` leaves out since another one leads to the same state, found by texts."""

    def __init__(self, machine: Interpreter, maker: Maker) -> None:
        self._program, self._maker = machine.program, maker
        keep = machine.program.rules.keep
        self._keep = tuple(key for key in keep if not isinstance(key, OneOfEach))
        self._are_left_out = len(self._keep) < len(keep)

    @cached_property
    def _machine(self) -> Interpreter:
        """The game in which they are legal, too."""
        rules = replace(self._program.rules, keep=self._keep)
        return Interpreter(replace(self._program, rules=rules))

    def stands_for(self, text: str, state: State, moves: Sequence[Move]) -> Move | None:
        """The legal move that does what a move of this text would, which is left out for it."""
        for steps in self._machine.legal(state) if self._are_left_out else ():
            if self._maker.move(packed_moves((steps,))[0], state).text == text:
                after = self._machine.apply(state, steps)
                same = (move for move in moves if self._machine.apply(state, move.steps) == after)
                return next(same, None)
        return None


def _holds(moves: Sequence[Move], move: Move) -> bool:
    """Whether a move of which there is one alone is among some."""
    if isinstance(moves, Moves):
        return moves.lists(move)
    return True in map(is_, moves, repeat(move))
