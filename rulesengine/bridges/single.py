"""One game as environments see it: a player to move, a mask, planes of cells, payoffs."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rulesengine.batches import Observer
from rulesengine.batches.position import CHANCE, Position
from rulesengine.errors import UsageError
from rulesengine.game import Game

if TYPE_CHECKING:
    from gymnasium import spaces

Bits = npt.NDArray[np.int8]
Seen = dict[str, Any]

RENDERED = ("svg", "ansi", "rgb_array")
_FLAG = np.dtype(np.int8)
LOST = -1.0  # what an action that is not legal costs


class Single:
    """A game that changes, in which chance moves by itself; `position` is what it is now."""

    def __init__(self, game: Game) -> None:
        self.game, self._observer = game, Observer(game)
        self._actions = len(game.actions)
        self.position = _settled(game.batch(1).stepper().start)
        self._has_numbers = bool(self._observer.numbers(self.position.packed).size)

    def reset(self, seed: int | None) -> None:
        """Begin anew; with a seed draws do too."""
        self.position = _settled(self.position.anew(seed))

    def step(self, action: int) -> bool:
        """Take an action of the player to move, if it is legal; whether it is."""
        after = self.position.tried(action)
        if after is None:
            return False
        self.position = _settled(after)
        return True

    def draw(self) -> None:
        """Take a legal action of the player to move that is drawn."""
        self.position = _settled(self.position.drawn())

    def mask(self, player: int) -> Bits:
        """What a player may do: nothing while another one is to move."""
        if player != self.position.mover:
            return np.zeros(self._actions, _FLAG)
        return np.frombuffer(bytearray(self.position.mask), _FLAG)

    def seen(self, player: int) -> Seen:
        """What a player sees: planes of cells from its side, a last one for its turn, the mask."""
        position = self.position
        packed, is_to_move = position.packed, player == position.mover
        found: Seen = {"observation": self._observer.planes(packed, player, is_to_move)}
        if self._has_numbers:
            found["numbers"] = self._observer.numbers(packed)
        found["action_mask"] = self.mask(player)
        return found

    def rendered(self, mode: str | None) -> Any:
        """The position as text, as SVG or as an array of colours."""
        state = self.position.state
        match mode:
            case "ansi":
                return str(state)
            case "svg":
                return self.game.svg(state)
            case "rgb_array":
                return _pixels(self.game.svg(state, theme="light"))
            case _:
                return None


def _settled(position: Position) -> Position:
    """Where a player is to move, or nobody: before that chance moves by itself."""
    while position.mover == CHANCE:
        position = position.drawn()
    return position


def space_of(seen: Seen) -> "spaces.Dict":
    """The space that observations of a form are in."""
    from gymnasium import spaces

    found: dict[str, Any] = {
        name: spaces.MultiBinary(list(array.shape))
        for name, array in seen.items()
        if name != "numbers"
    }
    if "numbers" in seen:
        low, high = np.iinfo(np.int64).min, np.iinfo(np.int64).max
        found["numbers"] = spaces.Box(low, high, seen["numbers"].shape, np.int64)
    return spaces.Dict(found)


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
