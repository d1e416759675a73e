"""The location of a script error, in words: in the input, the game and the script."""

from rulesengine.engine.interpreter import DECIDED
from rulesengine.script.runtime import ScriptState, StatementError


def with_location(stage: ScriptState, error: Exception) -> str:
    """Return the message with its location: input line and word, player to move, script line."""
    line = error.given_at if isinstance(error, StatementError) else 0
    location = f"line {line} of the input" if line else _of_input(stage)
    parts = (location, _of_game(stage), _of_script(stage))
    return f"{error} ({'; '.join(filter(None, parts))})"


def _of_input(stage: ScriptState) -> str:
    line, word = stage.words.place
    if word:
        return f"line {line}, word {word} of the input"
    return f"line {line} of the input" if line > 1 else ""


def _of_game(stage: ScriptState) -> str:
    if DECIDED in stage.variables or stage.game.outcome(stage.state) is not None:
        return "the game is over"
    return f"{stage.state.mover} is to move"


def _of_script(stage: ScriptState) -> str:
    site = stage.site
    return f"{site.file}:{site.line}: `{site.text[:60]}`" if site else ""
