"""Referee of one game: queries the players, checks their moves and clocks, determines the end."""

from collections.abc import Sequence
from time import perf_counter

from rulesengine.contests.openings import Opening
from rulesengine.contests.units import FORFEIT, RULES, UNFINISHED
from rulesengine.engine.drivers.random import Generator, fold, word
from rulesengine.errors import EvaluationError, LimitError
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.play.players import Chooser, Fault, PlayerObject, Seat, Turn, checked
from rulesengine.play.players.base import LATE, legal_move
from rulesengine.state import Move, Outcome
from rulesengine.support.frozen import record
from rulesengine.support.limits import MAX_PLIES


@record
class FinishedGame:
    """A finished game: its moves, its end, and the time used by each seat in seconds.

    `loser` is the seat of a player that forfeited: it gets a loss, all others a win.
    """

    moves: tuple[Move, ...]
    outcome: Outcome | None
    ending: str
    reason: str
    loser: int
    seconds: tuple[float, ...]

    def payoffs(self, players: Sequence[str]) -> tuple[int, ...]:
        """Return the payoff of each seat; an unfinished game is a draw."""
        if self.ending == FORFEIT:
            others = len(players) - 1
            return tuple(-others if seat == self.loser else 1 for seat in range(len(players)))
        paid = self.outcome.payoffs if self.outcome else {}
        return tuple(paid.get(name, 0) for name in players)


def play_game(
    game: Game,
    players: Sequence[PlayerObject | Chooser],
    opening: Opening,
    seed: int,
    number: int,
    *,
    clock: float | None = None,
    increment: float = 0.0,
    plies: int = MAX_PLIES,
    job: Job | None = None,
) -> FinishedGame:
    """Play a game from an opening; `players` are by seat: objects, functions, or of `player_of`.

    Chance and random players draw as random game `number` of the seed does. A player forfeits the
    game by an illegal move or timeout, or if its program crashes, is silent or prints invalid
    output. Cancelling `job` raises Stopped.
    """
    time = _TimeControl(clock, increment)
    table = _Table(game, players, opening, Generator(seed, number), time, plies, job)
    return table.play(fold(word(seed), number))


@record
class _TimeControl:
    """Seconds per player and game, None for no clock, and seconds added per move."""

    clock: float | None
    increment: float


class _Table:
    """A game in progress."""

    def __init__(
        self,
        game: Game,
        players: Sequence[PlayerObject | Chooser],
        opening: Opening,
        random: Generator,
        time: _TimeControl,
        plies: int,
        job: Job | None,
    ) -> None:
        self.game = game
        self.players = [checked(player) for player in players]
        self.random = random
        self.first = opening.first or game.initial_state()
        self.state = opening.state
        self.moves = list(opening.moves)
        self.clocks = [time.clock] * len(players) if time.clock is not None else None
        self.increment = time.increment
        self.plies = plies
        self.job = job or Job()
        self.seconds = [0.0] * len(players)

    def play(self, seed: int) -> FinishedGame:
        """Play the whole game; call `begin` and `end` of all players."""
        mover = -1
        try:
            for mover, player in enumerate(self.players):
                player.begin(Seat(self.game, self.game.players[mover], self.first, seed))
            while len(self.moves) < self.plies:
                self.job.raise_if_stopped()
                moves = self.game.legal_moves(self.state)
                if not moves:
                    break
                mover = self.game.players.index(self.state.mover)
                self._apply(self._chance(moves) or self._query_player(mover))
            return self._over()
        except Fault as fault:
            reason = f"{fault.kind}: {fault}"
            return self._finished(None, FORFEIT, reason, mover)
        except (EvaluationError, LimitError) as error:
            return self._finished(None, UNFINISHED, str(error), -1)
        finally:
            for player in self.players:
                player.end(self.moves)

    def _apply(self, move: Move) -> None:
        self.state = self.game.apply(self.state, move, check=False)
        self.moves.append(move)

    def _chance(self, moves: Sequence[Move]) -> Move | None:
        """Draw the move of a chance node; return None if a player is to move."""
        if not self.game.rules.chance:
            return None
        weights = self.game.weights(self.state)
        return moves[self.random.among(weights)] if weights else None

    def _query_player(self, seat: int) -> Move:
        """Return the move of a player. Raises Fault, also if its time is up."""
        left = self.clocks[seat] if self.clocks else None
        clocks, moves = self.clocks or (), tuple(self.moves)
        turn = Turn(self.state, moves, self.random, left, clocks, self.increment, self.job)
        since = perf_counter()
        try:
            chosen = self.players[seat].choose(turn)
        finally:
            took = perf_counter() - since
            self.seconds[seat] += took
        if self.clocks and left is not None:
            self.clocks[seat] = left - took + self.increment
            if took > left:
                raise Fault(LATE, f"{took - left:.3f} seconds too late")
        return legal_move(self.game, self.state, chosen)

    def _over(self) -> FinishedGame:
        outcome = self.game.outcome(self.state)
        if outcome is None:
            long = len(self.moves) >= self.plies
            reason = f"{self.plies} plies" if long else "no legal move, and no end of the rules"
            return self._finished(None, UNFINISHED, reason, -1)
        return self._finished(outcome, RULES, outcome.reason, -1)

    def _finished(
        self, outcome: Outcome | None, ending: str, reason: str, loser: int
    ) -> FinishedGame:
        return FinishedGame(tuple(self.moves), outcome, ending, reason, loser, tuple(self.seconds))
