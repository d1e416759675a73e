"""A trace of a move as text, effect by effect, with the cells read and the board after each."""

from collections.abc import Callable, Iterator

from rulesengine.engine.interpreter.trace import Binding, Change
from rulesengine.language.ir.ops import literal
from rulesengine.language.ir.roles import has_role
from rulesengine.language.ir.rules import recalled
from rulesengine.prose.described_game import DescribedGame
from rulesengine.prose.describer_base import Scope
from rulesengine.prose.effects import Describer
from rulesengine.prose.groups import Groups
from rulesengine.prose.layout import filled
from rulesengine.state import Move, State, shown_registers

Draw = Callable[[State, int], str]

_DONE = (
    ("placed", "placed"),
    ("moved", "moved to"),
    ("flipped", "turned over"),
    ("removed", "removed"),
)


def trace_text(game: DescribedGame, state: State, move: Move, draw: Draw) -> str:
    """Describe a legal move effect by effect, with the affected cells marked."""
    formatter = _ChangeFormatter(game, move)
    changes = game.trace(state, move)
    blocks = [f"`{move}` by {state.mover}", draw(state, _cells_of(move))]
    for number, change in enumerate(changes, start=1):
        blocks.append(filled(formatter.title(change), f"{number}. "))
        marked = _changed(change) | sum_of(change.sets)
        if marked:
            blocks.append(draw(change.after, marked))
    outcome = game.outcome(changes[-1].after)
    if outcome:
        winner = f"{outcome.winner} wins" if outcome.winner else "a draw"
        if len(game.players) == 1:
            winner = ", ".join(f"{name} gets {paid}" for name, paid in outcome.payoffs.items())
        blocks.append(f"The game is over: {winner}, {outcome.reason}.")
    return "\n\n".join(blocks)


def captures(game: DescribedGame, state: State, move: Move) -> list[str]:
    """Describe the captures of each effect of a move, a sentence each."""
    formatter = _ChangeFormatter(game, move)
    return [
        f"It captures {cell_names(game, change.record.captured)}: {formatter.rule(change)}."
        for change in game.trace(state, move)
        if change.record.captured
    ]


def cell_names(game: DescribedGame, mask: int) -> str:
    """Return the names of the cells of a mask, separated by blanks."""
    names = game.program.topology.names
    return " ".join(name for i, name in enumerate(names) if mask >> i & 1)


def sum_of(sets: tuple[tuple[object, int], ...]) -> int:
    """Return the union of sets."""
    mask = 0
    for _, cells in sets:
        mask |= cells
    return mask


class _ChangeFormatter:
    """Formats the changes of a move as titles."""

    def __init__(self, game: DescribedGame, move: Move) -> None:
        self.game = game
        self.move = move
        self.describer = Describer(game.program.rules, game.program)

    def title(self, change: Change) -> str:
        """Describe a change: its rule and the affected cells."""
        phrase = self.rule(change)
        parts = [*self._board_changes(change), *self._register_changes(change)]
        if not parts and change.effect is not None:
            parts = ["nothing changes"]
        text = phrase[0].upper() + phrase[1:]
        return f"{text}: {'; '.join(parts)}." if parts else f"{text}."

    def rule(self, change: Change) -> str:
        """Describe an effect, after the conditions that led to it."""
        if change.effect is None:
            return self._step(change)
        scope: Scope = {"from": "the cell that it left", "to": "the cell of the move"}
        if change.group >= 0:
            group = self.game.program.rules.groups[change.group]
            scope = Groups(self.describer).scopes(group)[1]
        scope = {**scope, **{one.name: self._value(one) for one in change.variables}}
        tests = [self.describer.condition(test, scope, holds) for test, holds in change.tests]
        phrase = self.describer.text(change.effect, scope)
        return f"since {' and '.join(tests)}, {phrase}" if tests else phrase

    def _value(self, bound: Binding) -> str:
        if bound.type == "cells":
            return cell_names(self.game, bound.value)
        return self.describer.text(literal(bound.type, bound.value), {})

    def _step(self, change: Change) -> str:
        """Describe the step itself, or the end of the turn."""
        if change.group < 0:
            return f"the turn ends, {change.after.mover} is to move"
        step = self.move.steps[change.step]
        names = self.game.program.topology.names
        to = names[step.target] if step.target >= 0 else ""
        match step.kind:
            case "move":
                return f"the piece on {names[step.origin]} moves to {to}"
            case "place":
                return f"a piece is placed on {to}"
            case "select":
                return f"{to} is chosen"
            case "swap":
                return "the players exchange their sides"
            case "chance":
                return f"chance draws {self.move}"
        return "a pass"

    def _board_changes(self, change: Change) -> Iterator[str]:
        for name, verb in _DONE:
            cells = getattr(change.record, name)
            placed = change.effect is None and name in ("placed", "moved")
            if cells and not placed:
                yield f"{verb} {cell_names(self.game, cells)}"
        promoted = change.effect is not None and has_role(change.effect, "promotion")
        if promoted and _changed(change):
            yield f"changed {cell_names(self.game, _changed(change))}"

    def _register_changes(self, change: Change) -> Iterator[str]:
        """Yield the registers that change, with their values before and after."""
        form = change.before.form
        before = dict(shown_registers(form, change.before.registers))
        for name, now in shown_registers(form, change.after.registers):
            if before[name] != now and not recalled(name):
                yield f"{name} was {before[name]}, is {now}"


def _changed(change: Change) -> int:
    """Return the cells with different pieces before and after a change."""
    mask = 0
    for before, after in zip(change.before.planes, change.after.planes, strict=True):
        mask |= before ^ after
    return mask


def _cells_of(move: Move) -> int:
    cells = (c for step in move.steps for c in (step.origin, step.target) if c >= 0)
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask
