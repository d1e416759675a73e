"""A game under way that changes in place, for whoever goes one way through it."""

from threading import Lock

from rulesengine.batch import layout as at
from rulesengine.batches.alone import RANDOM_SIZE, Batchable, sown
from rulesengine.batches.position import Position, Stepper
from rulesengine.given import check_number


class Underway:
    """One position after the other in the same memory, which arrays may show.

    `mover` is the number of the player to move, -1 where chance is and -2 where the game is over.
    A step that raises leaves the game as it was. Threads take turns.
    """

    def __init__(self, game: Batchable) -> None:
        self.game = game
        self._positions: Stepper = game.batch(1).stepper()
        self.alone = self._positions.alone.another()
        self._flags, self._masks = self.alone.shown.bytes, self.alone.masks
        self._words = self.alone.shown.numbers
        self._paid = self._words[at.PAID : at.PAID + len(game.program.form.players)]
        self._lock = Lock()
        self.mover: int
        self.put(self._positions.start)

    @property
    def over(self) -> bool:
        return self.mover == at.NOBODY

    @property
    def payoffs(self) -> list[int]:
        """What the players get, nothing while the game goes on."""
        paid: list[int] = self._paid.tolist()
        return paid

    @property
    def position(self) -> Position:
        """The game as it stands, as a value."""
        with self._lock:
            return Position(self._positions, *self.alone.kept())

    def put(self, position: Position) -> None:
        """Go on from a position."""
        self._put(position, position.record)

    def reset(self, seed: int | None) -> None:
        """Begin anew; with a seed it draws what that of any batch of it would, else it goes on."""
        check_number("seed", 0 if seed is None else seed)
        own, start = self.alone.record.bytes, self._positions.start
        drawing = bytes(own[:RANDOM_SIZE]) if seed is None else sown(seed)
        self._put(start, drawing + start.record[RANDOM_SIZE:])

    def step(self, action: int) -> bool:
        """Take an action, if it is legal; whether it is."""
        if not (0 <= action < self.alone.actions and self._flags[self._masks + action]):
            return False
        self._take(action)
        return True

    def draw(self) -> None:
        """Take an action that is drawn, by chance with the weights of the rules."""
        self._take(at.DRAWN)

    def _put(self, position: Position, record: bytes) -> None:
        with self._lock:
            self.alone.put(record, position.shown, position.past)
            self.mover = self._words[at.MOVERS]

    def _take(self, action: int) -> None:
        with self._lock:
            try:
                self.alone.step(action)
            except BaseException:
                self.alone.show()
                raise
            finally:
                self.mover = self._words[at.MOVERS]
