"""Engine mode: a game as an engine for user interfaces, by the protocols of the field.

See decision 110. A protocol is a row of `PROTOCOLS`.
"""

from types import MappingProxyType

from rulesengine.play.engine_mode.gtp import GtpEngine
from rulesengine.play.engine_mode.nboard import NboardEngine
from rulesengine.play.engine_mode.protocol import EngineFactory, EngineProtocol
from rulesengine.play.engine_mode.streams import serve
from rulesengine.play.engine_mode.uci import UciEngine, uci_engine
from rulesengine.play.engine_mode.uci_dialects import DIALECTS
from rulesengine.play.engine_mode.xboard import XboardEngine

PROTOCOLS: MappingProxyType[str, EngineFactory] = MappingProxyType(
    {
        **{name: uci_engine(dialect) for name, dialect in DIALECTS.items()},
        "gtp": GtpEngine,
        "xboard": XboardEngine,
        "nboard": NboardEngine,
    }
)

__all__ = [
    "PROTOCOLS",
    "EngineProtocol",
    "GtpEngine",
    "NboardEngine",
    "UciEngine",
    "XboardEngine",
    "serve",
]
