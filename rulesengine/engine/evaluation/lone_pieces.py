"""The steps of a single piece on a board that is empty, or full of enemy pieces."""

from collections.abc import Sequence
from functools import cache

from rulesengine.board.geometry import bits
from rulesengine.engine.evaluation.material import planes_of, steps_of, without_bans
from rulesengine.engine.interpreter import Interpreter
from rulesengine.errors import EvaluationError
from rulesengine.language.ir.ops import actions
from rulesengine.state import State, Step
from rulesengine.support.frozen import record, replace

Reach = tuple[int, ...]  # for each cell: the mask of the cells that one step leads to


@record
class LonePiece:
    """A piece of a kind and an owner, moved by a side, without other pieces.

    - `steps` are its steps on the empty board.
    - `captures` are its steps on a board full of enemy pieces, if its steps never lead back.
    - `promotions` has for each cell the kinds, as a mask, that a step from there turns it into.
    """

    steps: Reach
    captures: Reach
    promotions: Reach

    @property
    def reach(self) -> Reach:
        """Return the steps of both kinds."""
        return tuple(a | b for a, b in zip(self.steps, self.captures, strict=True))

    @property
    def is_reversible(self) -> bool:
        """True if some steps lead back to a cell that the piece came from."""
        return _is_reversible(self.steps)


class LonePieces:
    """The single pieces of a game; computed on request."""

    def __init__(self, machine: Interpreter) -> None:
        self._program = program = machine.program
        self._free = without_bans(program)
        self._start = machine.initial_state()
        self.cells = program.topology.cells
        everywhere = any("promotes" in actions(effect) for effect in program.rules.effects)
        self._promoting = frozenset(
            number
            for number, group in enumerate(program.rules.groups)
            if everywhere or any("promotes" in actions(effect) for effect in group.effects)
        )
        self.of = cache(self._of)

    def state(self, kind: int, owner: int, cell: int, side: int) -> State:
        """Return the position with one piece and a side to move."""
        planes = [0] * len(self._start.planes)
        planes[planes_of(self._program, kind)[owner]] = 1 << cell
        return replace(self._start, planes=tuple(planes), side=side, history=())

    def _of(self, kind: int, owner: int, side: int) -> LonePiece:
        steps, promotions = list[int](), list[int]()
        captures = [0] * self.cells
        for cell in range(self.cells):
            state = self.state(kind, owner, cell, side)
            reached = turned = 0
            for step in steps_of(self._free, state):
                if step.origin == cell:
                    reached |= 1 << step.target
                    turned |= self._kinds_after(state, step, owner) & ~(1 << kind)
            steps.append(reached)
            promotions.append(turned)
        if not _is_reversible(steps):
            captures = [
                self._captures(self.state(kind, owner, cell, side), cell)
                for cell in range(self.cells)
            ]
        return LonePiece(tuple(steps), tuple(captures), tuple(promotions))

    def _kinds_after(self, state: State, step: Step, owner: int) -> int:
        """Return the kinds of the pieces of an owner after a step, as a mask; 0 if none changes."""
        if step.group not in self._promoting:
            return 0
        try:
            after = self._free.apply(state, (step,))
        except EvaluationError:
            return 0
        kinds = range(len(self._program.rules.kinds))
        return sum(1 << k for k in kinds if after.planes[planes_of(self._program, k)[owner]])

    def _captures(self, state: State, cell: int) -> int:
        """Return the targets of a piece where all other cells have enemy pieces."""
        enemy = (state.side + 1) % len(self._program.rules.players)
        kind = self._usual_kind(enemy)
        if enemy == state.side or kind < 0:
            return 0
        planes = list(state.planes)
        planes[planes_of(self._program, kind)[enemy]] |= self._others(cell)
        full = replace(state, planes=tuple(planes))
        return sum(1 << step.target for step in steps_of(self._free, full) if step.origin == cell)

    def _others(self, cell: int) -> int:
        return (1 << self.cells) - 1 & ~(1 << cell)

    def _usual_kind(self, side: int) -> int:
        """Return the most numerous kind of a side at the start; -1 if it never has pieces."""
        rules, planes = self._program.rules, self._start.planes
        return max(
            (k for k, kind in enumerate(rules.kinds) if kind.symbols[side]),
            key=lambda k: (planes[planes_of(self._program, k)[side]].bit_count(), -k),
            default=-1,
        )


def _is_reversible(steps: Sequence[int]) -> bool:
    return any(
        steps[target] >> cell & 1 for cell, targets in enumerate(steps) for target in bits(targets)
    )
