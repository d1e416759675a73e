"""One game as environments see it: a player to move, a mask, planes of cells, payoffs."""

from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from rulesengine.batch.mutable_position import Underway
from rulesengine.batch.position import CHANCE, Position
from rulesengine.engine.drivers.batch.layout import NOBODY
from rulesengine.errors import UsageError
from rulesengine.game import Game

Bits = npt.NDArray[np.int8]
Seen = dict[str, Any]

RENDERED = ("svg", "ansi", "rgb_array")
LOST = -1.0  # what an action that is not legal costs


class Single:
    """A game that changes, in which chance moves by itself; `underway` is where it stands.

    What is seen are copies: the next action changes none of it.
    """

    def __init__(self, game: Game, position: Position | None = None) -> None:
        self.game, self.underway = game, Underway(game)
        alone, views = self.underway.alone, self.underway.views
        flags = np.frombuffer(alone.shown.bytes, np.int8)
        self._mask = flags[alone.masks : alone.masks + alone.actions]
        self._nothing = np.zeros_like(self._mask)
        # Looked up once: to find them takes as long as they do.
        self._planes = [views.of(k)[0].copy for k in range(len(game.players))]
        self._numbers = [views.of(k)[1] for k in range(len(game.players))]
        self._has_numbers = bool(self._numbers[0].size)
        if position is not None:
            self.underway.put(position)
        self._settle()

    def __reduce__(self) -> tuple[type["Single"], tuple[Game, Position]]:
        return Single, (self.game, self.underway.position)

    def reset(self, seed: int | None) -> None:
        """Begin anew; with a seed draws do too."""
        self.underway.reset(seed)
        self._settle()

    def step(self, action: int) -> bool:
        """Take an action of the player to move, if it is legal; whether it is."""
        underway = self.underway
        is_legal = underway.step(action)
        if underway.mover == CHANCE:
            self._settle()
        return is_legal

    def draw(self) -> None:
        """Take a legal action of the player to move that is drawn."""
        self.underway.draw()
        self._settle()

    def mask(self, player: int) -> Bits:
        """What a player may do: nothing while another one is to move."""
        return (self._mask if player == self.underway.mover else self._nothing).copy()

    def seen(self, player: int) -> Seen:
        """What a player sees: planes of cells from its side, a last one for its turn, the mask."""
        underway = self.underway
        if underway.viewed != player and underway.viewed != NOBODY:
            underway.view(player)
        planes = self._planes[player]()
        mask = (self._mask if player == underway.mover else self._nothing).copy()
        if not self._has_numbers:
            return {"observation": planes, "action_mask": mask}
        numbers = self._numbers[player].copy()
        return {"observation": planes, "numbers": numbers, "action_mask": mask}

    def _settle(self) -> None:
        """Let chance move until a player is to, or nobody."""
        while self.underway.mover == CHANCE:
            self.underway.draw()

    def rendered(self, mode: str | None) -> Any:
        """The position as text, as SVG or as an array of colours."""
        state = self.underway.position.state
        match mode:
            case "ansi":
                return str(state)
            case "svg":
                return self.game.svg(state)
            case "rgb_array":
                return _pixels(self.game.svg(state, theme="light"))
            case _:
                return None


def action_of(given: Any) -> int:
    """The number of an action. Raises UsageError."""
    try:
        return index(given)
    except TypeError:
        raise UsageError(f"an action is a whole number, found {given!r:.40}") from None


def check_render_mode(mode: str | None) -> None:
    if mode is not None and mode not in RENDERED:
        known = ", ".join(f"`{name}`" for name in RENDERED)
        raise UsageError(f"a render mode is one of {known}, found {mode!r:.40}")


def _pixels(picture: str) -> npt.NDArray[np.uint8]:
    """An SVG picture as rows of colours; by the extras `png` and `rl`."""
    from io import BytesIO

    from PIL import Image

    from rulesengine.drawing import to_png

    with Image.open(BytesIO(to_png(picture))) as image:
        return np.asarray(image.convert("RGB"))
