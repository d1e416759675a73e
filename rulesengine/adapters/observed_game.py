"""Pictures and texts of a game as one player sees it, or as all players see it."""

from rulesengine.drawing import Annotations, picture
from rulesengine.drawing.themes import Theme
from rulesengine.engine.observation import Observer
from rulesengine.game import Game
from rulesengine.language.ir.hiding import UNSEEN
from rulesengine.state import State


def observed_text(game: Game, state: State, player: int | None) -> str:
    """Return the text of a player's observation of a state; None is a spectator."""
    if not game.is_hidden:
        return str(state)
    return str(game.observation(state, None if player is None else game.players[player]))


def observed_svg(game: Game, state: State, player: int | None, theme: Theme = "auto") -> str:
    """Draw the part of a state that a player sees; None is a spectator.

    A cell that is not seen has `?`, after the first letter of the owner if that is seen. A
    register next to the board that is not seen has `?` too.
    """
    if not game.is_hidden:
        return game.svg(state, theme=theme)
    observer = game.machine.derived(Observer)
    part = observer.visible_part(state, player)
    owners = [name[0] for name in game.players]
    texts = {
        cell: _owner_at(cell, part.owners, owners) + UNSEEN
        for cell in range(len(game.program.form.cells))
        if part.unseen >> cell & 1
    }
    marked = Annotations(numbers=texts, unseen=observer.unseen_registers(state, player))
    return picture(game.program, part.state, marked, theme=theme)


def _owner_at(cell: int, masks: tuple[int, ...], owners: list[str]) -> str:
    """Return the letter of the owner of a piece that is not seen; empty for a neutral one."""
    pairs = zip(masks, owners, strict=False)  # neutral pieces are last and have no owner
    return next((owner for mask, owner in pairs if mask >> cell & 1), "")
