"""A single game that records its moves, for opponents that follow the whole game."""

from rulesengine.adapters.single_game import SingleGame
from rulesengine.batch.position import CHANCE, Position
from rulesengine.game import Game
from rulesengine.state import Move, State


class RecordedGame(SingleGame):
    """A game with the `moves` since its start, chance events included."""

    def __init__(
        self, game: Game, position: Position | None = None, moves: tuple[Move, ...] = ()
    ) -> None:
        self.moves = list(moves)
        super().__init__(game, position)

    def __reduce__(self) -> tuple[type[SingleGame], tuple[object, ...]]:
        return RecordedGame, (self.game, self.underway.position, tuple(self.moves))

    @property
    def state(self) -> State:
        return self.underway.position.state

    def reset(self, seed: int | None) -> None:
        self.moves.clear()
        super().reset(seed)

    def step(self, action: int) -> bool:
        """Take an action if it is legal, and record the move that it completes."""
        before = self.underway.position
        if not self.underway.step(action):
            return False
        after = self.underway.position
        if not after.taken:  # a choice of a round takes no ply
            move = self.game.actions.move_of(before.state, (*before.taken, action))
            assert move is not None
            self.moves.append(move)
        self._settle()
        return True

    def _settle(self) -> None:
        while self.underway.mover == CHANCE:
            before = self.state
            self.underway.draw()
            self.moves.append(self._event(before, self.state))

    def _event(self, before: State, after: State) -> Move:
        """Return the chance event between two states."""
        game = self.game
        events = game.legal_moves(before)
        return next(move for move in events if game.apply(before, move, check=False) == after)
