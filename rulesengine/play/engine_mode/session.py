"""The session of an engine: one game, its position, options, and one search at a time.

All protocols share it; they translate lines to its calls, and its results to lines. See decision
136.
"""

from collections.abc import Iterable

from rulesengine.engine.drivers.search.result import TREES, Budget
from rulesengine.errors import RulesError, UsageError
from rulesengine.formats.registry_types import MoveNotation
from rulesengine.game import Game
from rulesengine.language.ir.hiding import require_perfect_information
from rulesengine.play.engine_mode.cell_texts import MoveTexts
from rulesengine.play.engine_mode.options import EngineOptions
from rulesengine.play.engine_mode.search_thread import (
    Done,
    Report,
    SearchTask,
    SearchThread,
    prepare,
)
from rulesengine.play.engine_mode.time_limits import move_seconds
from rulesengine.state import Move, State
from rulesengine.support.frozen import record
from rulesengine.support.limits import MAX_SEARCH_PLIES

ENDLESS = 1e6  # seconds of a search without a limit
_LEAST = 0.005  # seconds of a move


@record
class Clock:
    """The clock of the player to move: seconds left, seconds added for each move, moves to go."""

    left: float
    increment: float = 0.0
    moves: int | None = None


@record
class SearchLimits:
    """The limits of a search as a client sends them; the first one that is reached counts.

    - `seconds` is the time of this move, and `clock` that of the player.
    - `among` are the moves that the client allows, all if it is empty.
    - `waits` is true if the result is held back until `finish` or `release`.
    """

    seconds: float | None = None
    clock: Clock | None = None
    nodes: int | None = None
    plies: int | None = None
    among: frozenset[Move] = frozenset()
    waits: bool = False


class EngineSession:
    """An engine of one game of two players; raises UsageError for another number of players."""

    def __init__(self, game: Game, protocol: str) -> None:
        if len(game.players) != 2:
            raise UsageError(f"{protocol}: {game.name} is not played by two")
        require_perfect_information(game.rules, protocol)
        self.game = game
        self.options = EngineOptions()
        self._texts = MoveTexts(game, protocol)
        self._states = [game.initial_state()]
        self._moves: list[Move] = []
        self._thread: SearchThread | None = None
        self._prepared: Game | None = None

    # position

    @property
    def state(self) -> State:
        """Return the current state."""
        return self._states[-1]

    @property
    def start(self) -> State:
        """Return the state before the first move."""
        return self._states[0]

    @property
    def moves(self) -> tuple[Move, ...]:
        """Return the moves since the start."""
        return tuple(self._moves)

    @property
    def ply(self) -> int:
        """Return the number of moves."""
        return len(self._moves)

    def reset(self, state: State | None = None) -> None:
        """Set a position without moves, the initial one if none is given."""
        self._states = [self.game.initial_state() if state is None else state]
        self._moves = []

    def apply(self, move: Move) -> None:
        """Play a legal move."""
        self._states.append(self.game.without_claims.apply(self.state, move))
        self._moves.append(move)

    def play_all(self, texts: Iterable[str]) -> str:
        """Play moves of a client; return the first text that is no legal move, or an empty one."""
        for text in texts:
            move = self.find(text)
            if move is None:
                return text
            self.apply(move)
        return ""

    def undo(self) -> bool:
        """Take the last move back; return False if there is none."""
        if not self._moves:
            return False
        self._moves.pop()
        self._states.pop()
        return True

    # moves as text

    @property
    def notation(self) -> MoveNotation:
        """Return the notation of moves of the protocol."""
        return self._texts

    def find(self, text: str) -> Move | None:
        """Return the legal move of a text; None if there is none."""
        try:
            return self._texts.find(text, self.state)
        except RulesError:
            return None

    def text(self, move: Move) -> str:
        """Return a move as the protocol writes it."""
        return self._texts.write(move, self.state)

    # searches

    def prepare(self, game: Game | None = None) -> None:
        """Compile the kernels of searches, once and before clocks run."""
        game = game or self.game
        if self._prepared is not game and not self._is_searching:
            self._prepared = game
            prepare(game)

    def search(
        self, limits: SearchLimits, report: Report, done: Done, settled: Report | None = None
    ) -> None:
        """Start a search of the position on a thread; `done` is called there at its end.

        `settled` is called with the result of a search that waits, if it ends by itself.
        """
        game = self.ongoing
        budget = self.options.budget(game, self.budget(limits), self.ply)
        self.start_task(
            SearchTask(
                game, self.state, budget, self.options, limits.among, self.ply, limits.waits
            ),
            report,
            done,
            settled,
        )

    def start_task(
        self, task: SearchTask, report: Report, done: Done, settled: Report | None = None
    ) -> None:
        """Start a search on a thread."""
        self._thread = SearchThread(task, report, done, settled)
        self._thread.start()

    def release(self, limits: SearchLimits) -> None:
        """Report the result of a search that waits, at the latest when its time is over."""
        if self._thread is not None:
            self._thread.release(self.budget(limits).seconds or ENDLESS)

    def join(self) -> None:
        """Wait until a search in progress has reported its move."""
        if self._thread is not None:
            self._thread.join()

    def interrupt(self) -> None:
        """End the search in progress; its move is reported first, and may start another search."""
        if self._thread is not None:
            self._thread.stop()

    def finish(self) -> None:
        """End all searches; their moves are reported first."""
        while (thread := self._thread) is not None:
            thread.stop()
            if self._thread is thread:
                self._thread = None

    @property
    def _is_searching(self) -> bool:
        return self._thread is not None and self._thread.is_alive

    @property
    def ongoing(self) -> Game:
        """Return the game, or the game without claims where a claim would end it."""
        return self.game if self.game.outcome(self.state) is None else self.game.without_claims

    def budget(self, limits: SearchLimits) -> Budget:
        """Return the budget of a search; without any limit, it is endless."""
        options, clock = self.options, limits.clock
        seconds = None
        if limits.seconds is not None:
            seconds = max(limits.seconds - options.overhead / 1000, _LEAST)
        elif clock is not None:
            overhead = options.overhead / 1000
            seconds = move_seconds(clock.left, clock.increment, clock.moves, overhead)
        nodes = None if limits.nodes is None else max(limits.nodes, 1)
        plies = None if limits.plies is None else min(max(limits.plies, 1), MAX_SEARCH_PLIES)
        if seconds is nodes is plies is None:
            seconds = ENDLESS
        method = options.method if options.method not in self.game.strategies else "auto"
        if method in TREES:  # these count random games
            return Budget(seconds or (None if nodes else ENDLESS), None, None, nodes, method)
        return Budget(seconds, nodes, plies, None, method)
