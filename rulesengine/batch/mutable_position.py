"""A game that changes in place, for callers that play it in one direction."""

from threading import Lock

from rulesengine.batch.position import CHANCE, Position, Stepper
from rulesengine.batch.single import RANDOM_SIZE, Batchable, sown
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.support.validate import check_number


class MutableGame:
    """A game in progress. Its positions share one memory, which arrays may view.

    `mover` is the number of the player to move, -1 at a chance node, -2 if the game is over.
    The memory of `views` has the view of the player `viewed`; -2 is all players, -1 none. A
    step that raises leaves the game unchanged. Threads are serialised by a lock.
    """

    def __init__(self, game: Batchable) -> None:
        self.game = game
        self._positions: Stepper = game.batch(1).stepper()
        self._start = self._positions.start
        self.alone = alone = self._positions.alone.viewed()
        assert alone.views
        self.views = alone.views
        self._legal = memoryview(alone.shown.bytes)[alone.masks : alone.masks + alone.actions]
        self._words = alone.shown.numbers
        self._paid = self._words[at.PAID : at.PAID + len(game.program.form.players)]
        self._lock = Lock()
        self.mover: int
        self.viewed: int
        self.put(self._start)

    @property
    def over(self) -> bool:
        return self.mover == at.NOBODY

    @property
    def payoffs(self) -> list[int]:
        """Return the payoffs of the players, 0 while the game continues."""
        paid: list[int] = self._paid.tolist()
        return paid

    @property
    def position(self) -> Position:
        """Return the current position as an immutable value."""
        with self._lock:
            return Position(self._positions, *self.alone.snapshot())

    def put(self, position: Position) -> None:
        """Continue from a position."""
        self._put(position, position.record)

    def reset(self, seed: int | None) -> None:
        """Restart the game; a seed resets its generator to that of a new batch."""
        if seed is None:
            drawing = bytes(self.alone.record.bytes[:RANDOM_SIZE])
        else:
            check_number("seed", seed)
            drawing = sown(seed)
        self._put(self._start, drawing + self._start.record[RANDOM_SIZE:])

    def step(self, action: int) -> bool:
        """Take an action if it is legal. True if it is."""
        try:
            is_legal = action >= 0 and self._legal[action]
        except IndexError:
            return False
        if is_legal:
            self._take(action)
        return bool(is_legal)

    def draw(self) -> None:
        """Draw an action and take it, chance events by the weights of the rules."""
        self._take(at.DRAWN)

    def view(self, player: int) -> None:
        """Write the view of a player into `views`."""
        with self._lock:
            self.alone.view(player)

    def _put(self, position: Position, record: bytes) -> None:
        with self._lock:
            self.alone.put(record, position.shown, position.past)
            self.mover, self.viewed = self._words[at.MOVERS], CHANCE

    def _take(self, action: int) -> None:
        with self._lock:
            try:
                self.alone.step(action)
                self.mover = self.viewed = self._words[at.MOVERS]
            except BaseException:
                self.viewed = CHANCE
                self.alone.show()
                self.mover = self._words[at.MOVERS]
                raise
