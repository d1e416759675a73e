"""Distances to the cells that end the game for a side.

A goal is found by the rules alone: a single piece on an otherwise empty board fulfils the condition
of an end. Where an end needs all cells of a region, the value of a piece grows as it comes nearer.
"""

from collections.abc import Iterator

from rulesengine.board.geometry import bits
from rulesengine.engine.evaluation.lone_pieces import LonePieces
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.errors import EvaluationError
from rulesengine.language.ir.ops import Op, reads_parts
from rulesengine.language.ir.roles import has_role
from rulesengine.language.ir.rules import End

_REACHED = 200  # the gain of a piece on its goal; halved for each step
_STEP = 10  # the gain of a step towards a region that must be filled


def goal_bonus(
    machine: Interpreter, lone: LonePieces, piece: tuple[int, int], side: int
) -> list[int]:
    """Return the gain of a side for a piece on each cell."""
    kind, owner = piece
    sides = len(machine.program.rules.players)
    bonus = [0] * lone.cells
    movers = [owner] if owner < sides else range(sides)
    steps = [0] * lone.cells
    for mover in movers:
        for cell, targets in enumerate(lone.of(kind, owner, mover).steps):
            steps[cell] |= targets
    reached = _reached(machine, lone, piece, side)
    if 0 < reached.bit_count() < lone.cells:
        for cell, distance in _distances(steps, reached):
            bonus[cell] += _REACHED >> distance
    for region in _regions(machine, side) if owner == side else ():
        distances = dict(_distances(steps, region))
        for cell, distance in distances.items():
            bonus[cell] -= _STEP * distance
    return bonus


def _reached(machine: Interpreter, lone: LonePieces, piece: tuple[int, int], side: int) -> int:
    """Return the cells where a single piece wins for a side by some end."""
    kind, owner = piece
    found = 0
    for end in machine.program.rules.ends:
        if not _may_win(end, machine, side):
            continue
        cells = 0
        for cell in range(lone.cells):
            frame = Frame(lone.state(kind, owner, cell, side), {"player": side})
            try:
                cells |= bool(machine.evaluate_in(end.when, frame)) << cell
            except EvaluationError:
                break
        if cells.bit_count() < lone.cells:
            found |= cells
    return found


def _may_win(end: End, machine: Interpreter, side: int) -> bool:
    """True if an end that reads pieces, but no moves, wins for a side."""
    if end.result != "wins" or machine.program.rules.misere:
        return False
    if reads_parts(end.when, "moves", "outcome", "record", "history"):
        return False
    if end.each:
        return True
    frame = Frame(machine.initial_state(), {"player": side})
    return end.side is not None and machine.evaluate_in(end.side, frame) == side


def _regions(machine: Interpreter, side: int) -> Iterator[int]:
    """Yield the regions that a side wins by filling with its pieces."""
    start = machine.initial_state()
    for end in machine.program.rules.ends:
        if _may_win(end, machine, side) and has_role(end.when, "inclusion"):
            region, filling = end.when.args
            if not reads_parts(region, "pieces", "registers") and _is_owned(filling):
                yield machine.evaluate_in(region, Frame(start, {"player": side}))


def _is_owned(op: Op) -> bool:
    return has_role(op, "pieces") and op.args[0].type == "side"


def _distances(steps: list[int], goal: int) -> Iterator[tuple[int, int]]:
    """Yield the cells from which steps lead to a goal, with their number."""
    seen, distance = 0, 0
    ring = goal
    while ring:
        yield from ((cell, distance) for cell in bits(ring))
        seen |= ring
        ring = sum(
            1 << cell
            for cell, targets in enumerate(steps)
            if targets & ring and not seen >> cell & 1
        )
        distance += 1
