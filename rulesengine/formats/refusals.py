"""Refusal of impossible positions of other programs, by the conditions of a spec."""

from rulesengine.errors import EvaluationError, NotationError
from rulesengine.formats.options import option
from rulesengine.formats.protocol import FormatGame
from rulesengine.state import State


def refuse(game: FormatGame, state: State) -> None:
    """Raise NotationError with the reason of the first condition that holds in a state."""
    for when, reason in option(game.program, "refuse", "refuse", ()):
        try:
            is_refused = game.machine.evaluate(when, state, {"player": state.side})
        except EvaluationError as error:
            raise NotationError(f"impossible position: {error}") from None
        if is_refused:
            raise NotationError(f"impossible position: {reason}")
