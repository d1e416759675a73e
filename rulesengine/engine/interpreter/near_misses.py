"""Explanations for a text that names no legal move: similar moves first, then the rules."""

from collections.abc import Sequence
from dataclasses import replace

from rulesengine.engine.interpreter.machine import Interpreter
from rulesengine.engine.interpreter.reasons import (
    TARGET,
    Attempt,
    AttemptedStep,
    Reason,
    attempts_for,
    reason,
    reason_after,
)
from rulesengine.state import Move, State, Step

_SHOWN = 8


def objection_to(
    machine: Interpreter,
    state: State,
    named: list[AttemptedStep],
    cells: tuple[int, ...],
    moves: Sequence[Move],
) -> Reason:
    """Return why a wanted step or a move over some cells is not legal in a running game.

    `named` are alternatives for the step of the text, `cells` its cells, and `moves` the legal
    moves.
    """
    if not moves:
        return Reason("no move is")
    groups = machine.program.rules.groups
    # Tiles with the same first cell are different moves.
    if similar := _nearly(cells, [m for m in moves if not groups[m.steps[0].group].tiles]):
        return Reason(similar)
    prefix = begun_by(cells, moves)
    if prefix and (late := reason_after(machine, state, *prefix)).text:
        return late
    attempts = named or attempts_for(machine, cells)
    reasons = [reason(machine, state, attempt, moves[0].text) for attempt in attempts]
    if named and (of_none := _of_none(machine, reasons)):
        return of_none
    return next((explanation for explanation in reasons if explanation.text), None) or Reason(
        _listed(moves)
    )


def objection_to_attempt(
    machine: Interpreter, state: State, attempt: Attempt, moves: Sequence[Move]
) -> Reason:
    """Return why none of the steps of an attempt begins a legal move.

    That is the reason of the step that fails the latest test. If several fail earlier, no such
    piece can reach the target.
    """
    for step in attempt.steps:
        if similar := _nearly((step.origin, step.target), moves):
            return Reason(similar)
    reasons = [reason(machine, state, step, moves[0].text) for step in attempt.steps]
    late = [each for each in reasons if each.objection and each.objection.test_number > TARGET]
    if late:
        return max(late, key=lambda each: each.objection.test_number if each.objection else -1)
    if len(reasons) == 1:
        return reasons[0]
    return Reason(f"no {attempt.piece} can move to {attempt.target}")


def _of_none(machine: Interpreter, reasons: list[Reason]) -> Reason | None:
    """Return the reason that excludes each of several possible cells, if it is the same for all."""
    objections = [each.objection for each in reasons if each.objection and each.objection.cell >= 0]
    clauses = {(objection.group, objection.clause) for objection in objections}
    if len(objections) < max(2, len(reasons)) or len(clauses) > 1:
        return None
    names = [machine.program.topology.names[objection.cell] for objection in objections]
    shown = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
    cells = tuple(objection.cell for objection in objections)
    of_all = replace(objections[0], alternatives=cells)
    return Reason(f"none of {shown} is among the cells of {objections[0].clause}", of_all)


def _nearly(cells: tuple[int, ...], moves: Sequence[Move]) -> str:
    """Return a hint to a legal move over the same cells or with these cells as a prefix."""
    for move in moves if cells else ():
        meant = cells_of(move.steps)
        if meant == cells:
            return f"it is written `{move}`"
        if meant[: len(cells)] == cells and len(cells) >= len(cells_of(move.steps[:1])):
            return f"it goes on, as in `{move}`"
    return ""


def begun_by(cells: tuple[int, ...], moves: Sequence[Move]) -> tuple[tuple[Step, ...], int] | None:
    """Return the longest prefix of a legal move that `cells` begin with, and the cell after it."""
    best: tuple[Step, ...] = ()
    for move in moves:
        for count in range(len(move.steps), len(best), -1):
            steps = move.steps[:count]
            meant = cells_of(steps)
            if 0 < len(meant) < len(cells) and cells[: len(meant)] == meant:
                best = steps
                break
    return (best, cells[len(cells_of(best))]) if best else None


def cells_of(steps: tuple[Step, ...]) -> tuple[int, ...]:
    """Return the cells in the notation of a move, in order."""
    cells = [steps[0].origin, *(step.target for step in steps)]
    return tuple(cell for cell in cells if cell >= 0)


def _listed(moves: Sequence[Move]) -> str:
    named = ", ".join(move.text for move in moves[:_SHOWN])
    return f"legal are {named}" + (", …" if len(moves) > _SHOWN else "")
