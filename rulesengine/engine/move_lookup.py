"""Lookup of a legal move by its notation, restricted to moves over the cells in the text."""

from collections.abc import Sequence
from functools import cached_property
from itertools import product, repeat
from operator import is_

from rulesengine.board.geometry import bits
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.moves import MoveFactory, Moves, packed_moves
from rulesengine.language.ir.rules import OneOfEach
from rulesengine.notation.move_forms import Form, Parts, Table
from rulesengine.state import Move, State, Step
from rulesengine.support.frozen import replace


class MoveLookup:
    """Finds the first legal move with a given text, among the moves of one game.

    The notation of a move contains the parts that its cells produce. A move with cells without
    part of the text is skipped without being formatted.
    """

    def __init__(self, maker: MoveFactory) -> None:
        self._maker = maker
        names, groups = Table(maker.program.topology.names), maker.program.rules.groups
        self._forms = tuple(Form(maker.writer, group, names) for group in groups)

    def masks(self, text: str) -> tuple[int, int]:
        """Return masks of the origins and the targets of the moves that may have this text."""
        origins = targets = 0
        for origin, target in self._cells(text):
            origins |= origin
            targets |= target
        return origins, targets

    def first(self, text: str, moves: Sequence[Move]) -> Move | None:
        """Return the first of the given moves with this text."""
        if self._ready:
            legal = [move for move in self._ready.get(text, ()) if _holds(moves, move)]
            if len(legal) > 1:
                return next(move for move in moves if move in legal)
            return legal[0] if legal else None
        assert isinstance(moves, Moves)
        return next((m for m in moves.among(self._cells(text)) if m.text == text), None)

    def meant(self, text: str) -> tuple[tuple[int, tuple[int, int]], ...]:
        """Return (group, cells) of each step that groups with a notation of their own write so."""
        cells = self._cells(text)
        return tuple(
            (number, step)
            for number, form in enumerate(self._forms)
            for step in form.steps(text, *cells[number])
        )

    def tiles(self, text: str) -> list[Step]:
        """Return the steps, legal or not, that cover a tile and have this text."""
        steps, writer, cells = list[Step](), self._maker.writer, self._cells(text)
        for number, group in enumerate(self._maker.program.rules.groups):
            targets = bits(cells[number][1]) if group.tiles and not group.written else ()
            for target, choice in product(targets, range(len(group.tiles))):
                step = Step("place", -1, target, choice, number, -1)
                if writer.step_text(step, False, False) == text:
                    steps.append(step)
        return steps

    def _cells(self, text: str) -> list[tuple[int, int]]:
        """Return masks of the possible origins and targets of each group for a text."""
        parts = Parts(text)
        return [form.cells(parts) for form in self._forms]

    @cached_property
    def _ready(self) -> dict[str, list[Move]]:
        """Return all possible moves by their texts, if they can be enumerated, else {}."""
        by_target: dict[str, list[Move]] = {}
        for move in (move for row in self._maker.every() for move in row):
            by_target.setdefault(move.text, []).append(move)
        return by_target


class EquivalentMoves:
    """Finds moves that `keep` drops because another move leads to the same state."""

    def __init__(self, machine: Interpreter, maker: MoveFactory) -> None:
        self._program, self._maker = machine.program, maker
        keep = machine.program.rules.keep
        self._keys = tuple(key for key in keep if not isinstance(key, OneOfEach))
        self._drops_moves = len(self._keys) < len(keep)

    @cached_property
    def _machine(self) -> Interpreter:
        """Return an interpreter of the game that keeps these moves."""
        rules = replace(self._program.rules, keep=self._keys)
        return Interpreter(replace(self._program, rules=rules))

    def find_equivalent(self, text: str, state: State, moves: Sequence[Move]) -> Move | None:
        """Return the legal move with the same result as a dropped move of this text."""
        for steps in self._machine.legal(state) if self._drops_moves else ():
            if self._maker.move(packed_moves((steps,))[0], state).text == text:
                after = self._machine.apply(state, steps)
                same = (move for move in moves if self._machine.apply(state, move.steps) == after)
                return next(same, None)
        return None


def _holds(moves: Sequence[Move], move: Move) -> bool:
    """True if a unique move is among the given ones."""
    if isinstance(moves, Moves):
        return moves.lists(move)
    return True in map(is_, moves, repeat(move))
