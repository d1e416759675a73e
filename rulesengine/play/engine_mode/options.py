"""The options of engine mode, independent of the protocol."""

from rulesengine.engine.drivers.search.result import METHODS, Budget
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.search.levels import LEVELS

MOST_THREADS, MOST_MEMORY, MOST_OVERHEAD = 256, 1 << 20, 5000
MOST_LINES = 500
DEFAULT_MEMORY, DEFAULT_OVERHEAD = 64, 30
FULL = 0  # the level without a limit of its own


class EngineOptions:
    """The options of a session of engine mode.

    - `threads` and `memory` (megabytes) are those of searches.
    - `level` is that of play, 0 for full strength.
    - `method` is that of searches, or the name of a strategy of the spec.
    - `lines` is the number of best moves that a search reports.
    - `overhead` is the time in milliseconds that is lost between engine and client.
    """

    def __init__(self) -> None:
        self.threads = 1
        self.memory = DEFAULT_MEMORY
        self.level = FULL
        self.method = METHODS[0]
        self.lines = 1
        self.overhead = DEFAULT_OVERHEAD

    def set(self, name: str, value: str, game: Game) -> None:
        """Set an option by its name in small letters. Raises UsageError."""
        match name.replace("_", " "):
            case "threads":
                self.threads = _number(name, value, 1, MOST_THREADS)
            case "hash":
                self.memory = _number(name, value, 1, MOST_MEMORY)
            case "level":
                self.level = _number(name, value, FULL, LEVELS)
            case "multipv":
                self.lines = _number(name, value, 1, MOST_LINES)
            case "move overhead":
                self.overhead = _number(name, value, 0, MOST_OVERHEAD)
            case "method":
                known = methods(game)
                if value not in known:
                    raise UsageError(f"no method `{value[:40]}`: there is {', '.join(known)}")
                self.method = value
            case _:
                raise UsageError(f"no option `{name[:40]}`")

    def strategy(self, game: Game) -> str:
        """Return the strategy of the spec that chooses moves; empty if a search does."""
        return self.method if self.method in game.strategies else ""

    def budget(self, game: Game, limits: Budget, ply: int) -> Budget:
        """Return the budget of a search with some limits: that of the level if there is one."""
        if self.level != FULL:
            return game.level(self.level).budget(ply)
        return limits


def methods(game: Game) -> tuple[str, ...]:
    """Return the values of the option `method`."""
    return (*METHODS, *(name for name in game.strategies if name not in METHODS))


def _number(name: str, text: str, least: int, most: int) -> int:
    """Parse a whole number. Raises UsageError."""
    if not text.isascii() or not text.isdigit() or not least <= int(text[:12]) <= most:
        raise UsageError(f"`{name}` is a number from {least} to {most}, found `{text[:40]}`")
    return int(text)
