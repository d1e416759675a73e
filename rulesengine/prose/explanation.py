"""Explanations of a move: the reason why it is not legal, or its rule and its captures."""

from collections.abc import Callable

from rulesengine.engine.interpreter.reasons import Objection
from rulesengine.errors import IllegalMoveError
from rulesengine.language.ir.hiding import require_perfect_information
from rulesengine.prose.definitions import named_definitions
from rulesengine.prose.described_game import DescribedGame
from rulesengine.prose.effects import Describer
from rulesengine.prose.groups import Groups
from rulesengine.prose.layout import filled
from rulesengine.prose.preparation import prepared
from rulesengine.prose.trace import captures
from rulesengine.state import Move, State

# A function that draws the board of a state with some cells marked: a mask with bit i for cell i.
Draw = Callable[[State, int], str]


def account(game: DescribedGame, state: State, text: str, draw: Draw) -> str:
    """Explain a legal or illegal move. Raises NotationError for a text that names no cells.

    Raises UsageError for a game that hides something, which an explanation would reveal.
    """
    require_perfect_information(game.program.rules, "an explanation of moves")
    try:
        move = game.move(text, state)
    except IllegalMoveError as error:
        return "\n\n".join(_of_illegal(game, state, text, str(error), draw))
    return "\n\n".join(_of_legal(game, state, move, draw))


def _of_illegal(
    game: DescribedGame, state: State, text: str, reason: str, draw: Draw
) -> tuple[str, str]:
    """Return the reason, and the position to which it applies, with the allowed cells marked."""
    objection = game.reason(text, state).objection
    marked = _marked(objection) if objection else 0
    at = state if objection is None or objection.at is None else objection.at
    return filled(reason), draw(at, marked)


def _marked(objection: Objection) -> int:
    """Return the cells that a clause allows, or the cell of the step."""
    if objection.cells:
        return objection.cells
    to = dict(objection.variables).get("to", -1)
    return 1 << to if to >= 0 else 0


def _of_legal(game: DescribedGame, state: State, move: Move, draw: Draw) -> list[str]:
    """Describe the rule of each step and the captures of the move."""
    rules = prepared(game.rules, game.program)
    groups = Groups(Describer(rules, game.program, named_definitions(rules, game.program)))
    sentences = [f"`{move}` is legal for {state.mover}."]
    names = [game.program.rules.groups[step.group].name for step in move.steps]
    for group in (g for g in rules.groups if g.name in names):
        sentences.append(filled(f"The rule: {' '.join(groups.sentences(group))}"))
    captured = captures(game, state, move)
    sentences += [filled(text) for text in captured] or ["It captures nothing."]
    marked = game.move_record(state, move).captured
    return [*sentences, draw(state, marked)] if marked else sentences
