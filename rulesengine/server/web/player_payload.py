"""The players of a position for the page: the side and the colour that each of them plays."""

from collections.abc import Mapping

from rulesengine.drawing.appearance import side_colours
from rulesengine.drawing.themes import Theme, paints
from rulesengine.game import Game
from rulesengine.state import State


def sides_of(state: State) -> Mapping[str, str]:
    """Return the name of the side that each player plays; a swap exchanges them."""
    names = state.form.players
    by_player = {state.player(side): name for side, name in enumerate(names)}
    return {name: by_player[name] for name in names}


def colours_of(game: Game, theme: Theme = "light") -> Mapping[str, str]:
    """Return the colour of the pieces of each side."""
    colours, inks = side_colours(game.program), paints(theme)
    return {
        name: inks[f"piece-{colour}"].fill
        for name, colour in zip(game.players, colours, strict=False)
    }


def scores_shown(game: Game) -> Mapping[str, object]:
    """Return the time when scores are shown, the units of one point, and True if the picture has
    dice.
    """
    display = game.program.rules.look
    if display is None:
        return {"score_shown": "always", "point": 1, "shows_dice": False}
    return {"score_shown": display.score, "point": display.point, "shows_dice": bool(display.dice)}
