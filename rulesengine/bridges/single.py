"""One game as environments see it: a player to move, a mask, planes of cells, payoffs."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rulesengine.batch.layout import NOTHING
from rulesengine.batches import Batch
from rulesengine.bridges.position import CHANCE
from rulesengine.errors import UsageError
from rulesengine.game import Game

if TYPE_CHECKING:
    from gymnasium import spaces

Bits = npt.NDArray[np.int8]
Seen = dict[str, Any]

RENDERED = ("svg", "ansi", "rgb_array")
LOST = -1.0  # what an action that is not legal costs


class Single:
    """A batch of one game, in which chance moves by itself."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.batch: Batch = game.batch(1)
        self.reset(0)

    def reset(self, seed: int | None) -> None:
        """Begin anew; with a seed draws do too."""
        self.batch.reset(seed=seed)
        self._settle()

    def step(self, action: int) -> None:
        """Take a legal action of the player to move."""
        self.batch.step([action])
        self._settle()

    def draw(self) -> int:
        """A legal action of the player to move."""
        return int(self.batch.sample()[0])

    def is_legal(self, action: int) -> bool:
        return 0 <= action < self.batch.mask.shape[1] and bool(self.batch.mask[0, action])

    @property
    def over(self) -> bool:
        return bool(self.batch.over[0])

    @property
    def mover(self) -> int:
        return int(self.batch.mover[0])

    @property
    def payoffs(self) -> list[int]:
        found: list[int] = self.batch.payoffs[0].tolist()
        return found

    @property
    def plies(self) -> int:
        return int(self.batch.plies[0])

    def mask(self, player: int) -> Bits:
        """What a player may do: nothing while another one is to move."""
        mask = self.batch.mask[0].astype(np.int8)
        return mask if player == self.mover else np.zeros_like(mask)

    def seen(self, player: int) -> Seen:
        """What a player sees: planes of cells from its side, a last one for its turn, the mask."""
        planes = self.batch.observe(player)[0]
        seen = np.empty((len(planes) + 1, planes.shape[1]), np.int8)
        seen[:-1], seen[-1] = planes, player == self.mover
        found: Seen = {"observation": seen}
        numbers = self.batch.numbers()[0]
        if numbers.size:
            found["numbers"] = numbers
        return {**found, "action_mask": self.mask(player)}

    def rendered(self, mode: str | None) -> Any:
        """The position as text, as SVG or as an array of colours."""
        state = self.batch.state(0)
        match mode:
            case "ansi":
                return str(state)
            case "svg":
                return self.game.svg(state)
            case "rgb_array":
                return _pixels(self.game.svg(state, theme="light"))
            case _:
                return None

    def _settle(self) -> None:
        while self.mover == CHANCE:
            self.batch.step([NOTHING])


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
