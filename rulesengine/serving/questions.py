"""A request on its way to a worker: who asks, about which spec, and how long it may take."""

from rulesengine.record import record
from rulesengine.serving.kept import Kept

_MOST = 4_096  # clients and specs that are remembered
_USUAL = 0.1  # seconds of the processor, of a client who is not known
_WEIGHT = 0.3  # of the last request in what a client is reckoned to cost


@record
class Question:
    """An operation with its body; `spec` tells its rules from others, `client` who asks.

    `reads` says that it looks at a text alone, which takes as long as that is, and it is short.
    """

    name: str
    body: bytes
    spec: bytes
    client: str
    is_long: bool
    reads: bool = False


class Clients:
    """What the requests of each client have cost so far: who asks for little is served first."""

    def __init__(self) -> None:
        self._costs = Kept[str, float](_MOST)

    def cost(self, client: str) -> float:
        """Seconds of the processor that a request of a client takes, as far as is known."""
        return self._costs.find([client]) or _USUAL

    def is_modest(self, client: str) -> bool:
        """Whether a client is known to ask for little."""
        return self.cost(client) < _USUAL

    def took(self, client: str, seconds: float) -> None:
        """Count a request that took so long."""
        known = self.cost(client)
        self._costs.put(client, known + _WEIGHT * (seconds - known))
