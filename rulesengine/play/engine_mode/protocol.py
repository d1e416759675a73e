"""The interface of protocols of engine mode."""

from collections.abc import Callable
from typing import Protocol

from rulesengine.game import Game

Print = Callable[[str], None]


class EngineProtocol(Protocol):
    """A protocol: it handles one line after the other and prints its answers."""

    def handle(self, line: str) -> bool:
        """Handle a line; return False if it ends the program."""
        ...

    def close(self) -> None:
        """End a search in progress."""
        ...


EngineFactory = Callable[[Game, Print], EngineProtocol]
