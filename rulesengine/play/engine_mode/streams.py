"""Lines of engine mode on the standard streams."""

from contextlib import suppress
from threading import Lock
from typing import BinaryIO

from rulesengine.game import Game
from rulesengine.play.engine_mode.protocol import EngineFactory
from rulesengine.support.limits import MAX_ENGINE_LINE

_BLANKS = " \t\r\n\v\f\ufeff"  # some shells of Windows write a byte-order mark


def serve(
    game: Game,
    protocol: EngineFactory,
    source: BinaryIO,
    target: BinaryIO,
) -> None:
    """Handle lines until the protocol or the input ends.

    Longer lines than the limit are ignored. A closed output ends the program without an error.
    """
    lock = Lock()

    def write(text: str) -> None:
        with lock, suppress(OSError, ValueError):
            target.write(text.encode() + b"\n")
            target.flush()

    engine = protocol(game, write)
    try:
        while line := source.readline(MAX_ENGINE_LINE + 1):
            if len(line) > MAX_ENGINE_LINE:
                while line and not line.endswith(b"\n"):
                    line = source.readline(MAX_ENGINE_LINE)
                continue
            if not engine.handle(line.decode("utf-8", "replace").strip(_BLANKS)):
                return
    finally:
        engine.close()
