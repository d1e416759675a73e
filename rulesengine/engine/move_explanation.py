"""Explanations of a text that names no legal move, from its cells and the clauses of the rules."""

from collections.abc import Sequence
from typing import Protocol

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.near_misses import objection_to, objection_to_attempt
from rulesengine.engine.interpreter.reasons import Attempt, AttemptedStep, Reason
from rulesengine.engine.move_lookup import MoveLookup
from rulesengine.errors import NotationError
from rulesengine.language.ir.hiding import hidden_in
from rulesengine.notation.illegal_text import read_cells, shorten_text
from rulesengine.state import Move, Outcome, State


class Formats(Protocol):
    """The notations of other programs that a game has."""

    def attempt(self, text: str, state: State) -> Attempt | None: ...


class Playable(Protocol):
    """The part of a game that an explanation reads."""

    @property
    def machine(self) -> Interpreter: ...

    @property
    def formats(self) -> Formats: ...

    def legal_moves(self, state: State) -> Sequence[Move]: ...

    def find(self, text: str, state: State) -> Move | None: ...

    def outcome(self, state: State) -> Outcome | None: ...


def reason_of(game: Playable, finder: MoveLookup, text: str, state: State) -> Reason:
    """Return the reason why a text is no legal move; an empty one if it is legal.

    Raises NotationError for a text that names no cells of the game.
    """
    moves, rules = game.legal_moves(state), game.machine.program.rules
    if game.find(text, state) is not None:
        return Reason("")
    outcome = game.outcome(state)
    attempt = game.formats.attempt(text, state) if rules.formats else None
    return explain_illegal_move(game.machine, finder, text, state, moves, outcome, attempt)


def explain_illegal_move(
    machine: Interpreter,
    finder: MoveLookup,
    text: str,
    state: State,
    moves: Sequence[Move],
    outcome: Outcome | None,
    attempt: Attempt | None = None,
) -> Reason:
    """Return why a text is no legal move; `moves` and `outcome` are those of the state.

    `attempt` is the move that the text means in a format of the game. A clause of the rules might
    reveal something hidden, so games that hide something name none. Raises NotationError for a
    text that names no cells of this game.
    """
    if attempt is not None and attempt.is_legal and outcome is None:
        return Reason("")
    if outcome is not None or not moves or _is_of_the_game(machine, finder, text):
        attempt = None
    if attempt is None:
        named, cells = _named_steps(machine, finder, text, str(moves[0]) if moves else "")
    else:
        named, cells = [], attempt.cells
    if outcome is not None:
        return Reason(f"`{shorten_text(text)}` is not legal: the game is over, {outcome.reason}")
    if machine.is_chance(state):
        return Reason(
            f"`{shorten_text(text)}` is not legal: chance is to move, such as `{moves[0]}`"
        )
    if hidden_in(machine.program.rules):
        return Reason(f"`{shorten_text(text)}` is not legal for {state.mover}")
    if attempt and not cells:
        reason = objection_to_attempt(machine, state, attempt, moves)
    else:
        reason = objection_to(machine, state, named, cells, moves)
    return Reason(
        f"`{shorten_text(text)}` is not legal for {state.mover}: {reason.text}", reason.objection
    )


def _is_of_the_game(machine: Interpreter, finder: MoveLookup, text: str) -> bool:
    """True if a text is a move in the notation of the game, legal or not."""
    try:
        return bool(finder.meant(text)) or len(read_cells(machine.program, text)) > 1
    except NotationError:
        return False


def _named_steps(
    machine: Interpreter, finder: MoveLookup, text: str, legal: str
) -> tuple[list[AttemptedStep], tuple[int, ...]]:
    """Return the steps that a text may mean, or else the cells that it names."""
    rules = machine.program.rules
    meant = finder.meant(text)
    if meant:
        return [
            AttemptedStep(rules.groups[number].step_kind, *cells, number) for number, cells in meant
        ], ()
    if tiles := finder.tiles(text):
        return [
            AttemptedStep("place", -1, step.target, step.group, step.choice) for step in tiles
        ], ()
    kinds = {rules.notation.pass_: "pass", rules.notation.swap: "swap"}
    if text in kinds:
        return [AttemptedStep(kinds[text], -1, -1)], ()
    return [], read_cells(machine.program, text, legal)
