"""Engine mode: a game as an engine for user interfaces, by the protocols of the field.

See decision 110. A protocol is a row of `PROTOCOLS`.
"""

from collections.abc import Callable
from types import MappingProxyType

from rulesengine.game import Game
from rulesengine.play.engine_mode.gtp import GtpEngine
from rulesengine.play.engine_mode.protocol import EngineProtocol, Print
from rulesengine.play.engine_mode.streams import serve
from rulesengine.play.engine_mode.uci import UciEngine

PROTOCOLS: MappingProxyType[str, Callable[[Game, Print], EngineProtocol]] = MappingProxyType(
    {"uci": UciEngine, "gtp": GtpEngine}
)

__all__ = ["PROTOCOLS", "EngineProtocol", "GtpEngine", "UciEngine", "serve"]
