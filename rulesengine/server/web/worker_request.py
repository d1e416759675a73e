"""A request on its way to a worker: who asks, about which spec, and how long it may take."""

from rulesengine.server.web.lru import Kept
from rulesengine.support.frozen import record

_MOST = 4_096  # clients and specs that are remembered
_USUAL = 0.1  # seconds of the processor, of a client who is not known
_WEIGHT = 0.3  # of the last request in what a client is reckoned to cost
_SLOWLY = 0.05  # of one that took little in what newcomers are: one that took much counts whole


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
        self._reading = 0.0  # seconds that newcomers' short texts have taken lately

    def cost(self, client: str) -> float:
        """Seconds of the processor that a request of a client takes, as far as is known."""
        return self._costs.find([client]) or _USUAL

    def is_modest(self, question: Question) -> bool:
        """Whether a client is known to ask for little, or new and asks what took others little."""
        if self._costs.find([question.client]) is None:
            return question.reads and self._reading < _USUAL
        return self.cost(question.client) < _USUAL

    def took(self, question: Question, seconds: float) -> None:
        """Count a request that took so long."""
        client, known = question.client, self.cost(question.client)
        if question.reads and self._costs.find([client]) is None:
            falling = self._reading + _SLOWLY * (seconds - self._reading)
            self._reading = max(seconds, falling)
        self._costs.put(client, known + _WEIGHT * (seconds - known))
