"""Pictures and texts of a game as one player sees it, or as all players see it."""

from rulesengine.drawing import Annotations, picture
from rulesengine.drawing.themes import Theme
from rulesengine.engine.observation import Observer
from rulesengine.game import Game
from rulesengine.state import State


def observed_text(game: Game, state: State, player: int | None) -> str:
    """Return the text of a player's observation of a state; None is a spectator."""
    if not game.is_hidden:
        return str(state)
    return str(game.observation(state, None if player is None else game.players[player]))


def observed_svg(game: Game, state: State, player: int | None, theme: Theme = "auto") -> str:
    """Draw the part of a state that a player sees; None is a spectator.

    A cell that is not seen is shaded and has `?`, or a piece in the colour of its owner if that is
    seen. A register next to the board that is not seen has `?` too.
    """
    if not game.is_hidden:
        return game.svg(state, theme=theme)
    observer = game.machine.derived(Observer)
    part = observer.visible_part(state, player)
    marked = Annotations(covered=part.covered, unseen=observer.unseen_registers(state, player))
    return picture(game.program, part.state, marked, theme=theme)
