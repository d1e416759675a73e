"""A request to a worker, and the estimated cost of each client's requests."""

from rulesengine.server.web.lru import LruCache
from rulesengine.support.frozen import record

_MOST = 4_096  # entries of the tables of clients and specs
_USUAL = 0.1  # CPU seconds of an unknown client
_WEIGHT = 0.3  # the weight of the last request in a client's moving average
_SLOWLY = 0.05  # the decay of the newcomers' cost; a higher cost counts immediately


@record
class WorkerRequest:
    """An operation with its body; `spec` is the key of its rules, `client` identifies the sender.

    `reads` marks a short text operation: its cost depends only on the length of the text.
    """

    name: str
    body: bytes
    spec: bytes
    client: str
    is_long: bool
    reads: bool = False


class ClientCosts:
    """A moving average of the CPU cost of each client's requests; cheap clients go first."""

    def __init__(self) -> None:
        self._costs = LruCache[str, float](_MOST)
        self._reading = 0.0  # seconds recently used by newcomers' short texts

    def cost(self, client: str) -> float:
        """Return the estimated CPU seconds of a client's request."""
        return self._costs.find([client]) or _USUAL

    def is_modest(self, request: WorkerRequest) -> bool:
        """True if a client is known as cheap, or new with a kind of request that was cheap
        recently.
        """
        if self._costs.find([request.client]) is None:
            return request.reads and self._reading < _USUAL
        return self.cost(request.client) < _USUAL

    def record_cost(self, request: WorkerRequest, seconds: float) -> None:
        """Record the cost of a request."""
        client, known = request.client, self.cost(request.client)
        if request.reads and self._costs.find([client]) is None:
            falling = self._reading + _SLOWLY * (seconds - self._reading)
            self._reading = max(seconds, falling)
        self._costs.put(client, known + _WEIGHT * (seconds - known))
