"""Values of terminal positions by the rules alone."""

from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.score_decided import points_of
from rulesengine.search.enumeration.retrograde import without_repeats
from rulesengine.state import Outcome, State

_PAIR = 2
_NO_END = -(1 << 40)  # less than any payoff


class Results:
    """The results of a game of one or two players as numbers for the side to move.

    `game` has no draw by repetition: a game without end is a draw anyway. `points` is true if
    numbers are points of the score, or payoffs of a single player. Raises UsageError for games
    whose values have no certificate.
    """

    def __init__(self, game: Game) -> None:
        if len(game.players) > _PAIR or game.program.rules.chance:
            raise UsageError("certificates are of games for one or two players without chance")
        self._is_single = len(game.players) == 1
        program: Program | None = game.program
        if game.program.keeps_history:
            program = None if self._is_single else without_repeats(game.program)
        if program is None:
            raise UsageError("no certificates where the rules read earlier positions")
        self.game = game if program is game.program else game.with_program(program)
        self._sign = points_of(program.rules)
        self.points = self._sign != 0

    def of(self, state: State) -> int | None:
        """Return the value for the side to move; None if the game continues."""
        outcome = self.game.outcome(state)
        if self._is_single:
            return self._payoff(state, outcome)
        if outcome is None:
            return None if self.game.legal_moves(state) else 0
        if not self.points:
            return 0 if outcome.winner is None else 1 if outcome.winner == state.mover else -1
        scores = self.game.scores(state)
        own = scores.pop(state.mover)
        return self._sign * own - self._sign * next(iter(scores.values()))

    def _payoff(self, state: State, outcome: Outcome | None) -> int | None:
        """Return the payoff of a single player; None if the game continues."""
        if outcome is not None:
            return outcome.payoffs[state.mover]
        if self.game.legal_moves(state):
            return None
        return _NO_END if self.points else 0
