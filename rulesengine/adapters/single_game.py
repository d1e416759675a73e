"""One game as environments need it: the player to move, action mask, observation and payoffs."""

from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from rulesengine.adapters.observed_game import observed_svg, observed_text
from rulesengine.batch import PlayerObserver
from rulesengine.batch.mutable_position import MutableGame
from rulesengine.batch.position import CHANCE, Position
from rulesengine.engine.drivers.batch.layout import NOBODY
from rulesengine.errors import UsageError
from rulesengine.game import Game

Bits = npt.NDArray[np.int8]
Observation = dict[str, Any]

RENDERED = ("svg", "ansi", "rgb_array")
LOST = -1.0  # the reward of an illegal action


class SingleGame:
    """A game that changes in place and draws chance events itself; `underway` is its position.

    Observations are copies, unaffected by the next action. They have only the part that their
    player sees.
    """

    def __init__(self, game: Game, position: Position | None = None) -> None:
        self.game, self.underway = game, MutableGame(game)
        alone, views = self.underway.alone, self.underway.views
        flags = np.frombuffer(alone.shown.bytes, np.int8)
        self._mask = flags[alone.masks : alone.masks + alone.actions]
        self._nothing = np.zeros_like(self._mask)
        # Cached: looking up these attributes takes as long as the calls.
        self._planes = [views.of(k)[0].copy for k in range(len(game.players))]
        self._numbers = [views.of(k)[1] for k in range(len(game.players))]
        self._has_numbers = bool(self._numbers[0].size)
        self._observer = PlayerObserver(game) if game.is_hidden else None
        if position is not None:
            self.underway.put(position)
        self._settle()

    def __reduce__(self) -> tuple[type["SingleGame"], tuple[object, ...]]:
        return SingleGame, (self.game, self.underway.position)

    def reset(self, seed: int | None) -> None:
        """Restart the game; a seed also resets its generator."""
        self.underway.reset(seed)
        self._settle()

    def step(self, action: int) -> bool:
        """Take an action of the player to move if it is legal. True if it is."""
        underway = self.underway
        is_legal = underway.step(action)
        if underway.mover == CHANCE:
            self._settle()
        return is_legal

    def draw(self) -> None:
        """Draw a legal action of the player to move and take it."""
        self.underway.draw()
        self._settle()

    def mask(self, player: int) -> Bits:
        """Return the legal actions of a player; none while another one is to move."""
        return (self._mask if player == self.underway.mover else self._nothing).copy()

    def observation(self, player: int) -> Observation:
        """Return a player's observation: planes from its side, a last one for its turn, and the
        mask.
        """
        underway = self.underway
        if self._observer:
            return self._hidden_observation(self._observer, player)
        if underway.viewed != player and underway.viewed != NOBODY:
            underway.view(player)
        planes = self._planes[player]()
        mask = (self._mask if player == underway.mover else self._nothing).copy()
        if not self._has_numbers:
            return {"observation": planes, "action_mask": mask}
        numbers = self._numbers[player].copy()
        return {"observation": planes, "numbers": numbers, "action_mask": mask}

    def _hidden_observation(self, observer: PlayerObserver, player: int) -> Observation:
        """Return a player's observation without the parts that this player does not see."""
        position, is_to_move = self.underway.position, player == self.underway.mover
        planes, numbers = observer.view(position.state, player, is_to_move=is_to_move)
        seen = {"observation": planes, "action_mask": self.mask(player)}
        return {**seen, "numbers": numbers} if self._has_numbers else seen

    def _settle(self) -> None:
        """Draw chance events until a player is to move or the game is over."""
        while self.underway.mover == CHANCE:
            self.underway.draw()

    def rendered(self, mode: str | None, player: int | None = None) -> Any:
        """Render a player's view as text, SVG or an RGB array; None is a spectator."""
        state = self.underway.position.state
        match mode:
            case "ansi":
                return observed_text(self.game, state, player)
            case "svg":
                return observed_svg(self.game, state, player)
            case "rgb_array":
                return _pixels(observed_svg(self.game, state, player, "light"))
            case _:
                return None


def action_of(value: Any) -> int:
    """Return the number of an action. Raises UsageError."""
    try:
        return index(value)
    except TypeError:
        raise UsageError(f"an action is a whole number, found {value!r:.40}") from None


def check_render_mode(mode: str | None) -> None:
    if mode is not None and mode not in RENDERED:
        known = ", ".join(f"`{name}`" for name in RENDERED)
        raise UsageError(f"a render mode is one of {known}, found {mode!r:.40}")


def _pixels(picture: str) -> npt.NDArray[np.uint8]:
    """Convert an SVG picture to an RGB array, on white; requires the extras `png` and `rl`."""
    from io import BytesIO

    from PIL import Image

    from rulesengine.drawing import to_png

    with Image.open(BytesIO(to_png(picture))) as image:
        drawn = image.convert("RGBA")
    ground = Image.new("RGBA", drawn.size, "white")
    return np.asarray(Image.alpha_composite(ground, drawn).convert("RGB"))
