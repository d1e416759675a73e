"""The methods of `Game` that search, solve and learn; their implementations are imported on first
use.
"""

from collections.abc import Callable
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING

from rulesengine.job import Job
from rulesengine.search.counting import Counted
from rulesengine.state import Outcome, State

if TYPE_CHECKING:
    from pathlib import Path

    from rulesengine.engine.drivers.search.result import Found, Learning, Solved
    from rulesengine.language.ir.program import Program
    from rulesengine.search.learned_weights import Learned
    from rulesengine.search.proof_number import Prover
    from rulesengine.search.searches import Searcher
    from rulesengine.search.solution_cache import Solution
    from rulesengine.search.trial_cache import Trial


_FILES = 2  # files of learned weights that a game caches


class Searched(Counted):
    """A game with the methods that search and solve it."""

    # the cached solution of the game, None before the first lookup
    _solution: "tuple[Solution | None] | None" = None
    # cached weights by file
    _learned: "dict[str, tuple[tuple[object, ...], Learned]] | None" = None

    @property
    def players(self) -> tuple[str, ...]:
        """Return the names of the players in the order of play."""
        raise NotImplementedError

    def outcome(self, state: State) -> Outcome | None:
        """Return the outcome of the game, or None."""
        raise NotImplementedError

    def with_program(self, program: "Program") -> "Searched":
        """Return the same game with another program."""
        raise NotImplementedError

    @cached_property
    def search_method(self) -> str:
        """Return the default method: `alpha-beta`, or `mcts` for a game without a static
        evaluation.

        Levels use it, and so does `search` with seconds alone if no trial is cached.
        """
        from rulesengine.search.searches import method_of

        return method_of(self._dispatcher)

    @property
    def learnable(self) -> tuple[int, int] | None:
        """Return the number of patterns that `learn` uses, and the number of entries in their
        tables.

        None for games of other than two players.
        """
        from rulesengine.search.learned_weights import is_pair

        if not is_pair(self.program):
            return None
        network = self._dispatcher.interpreted.network
        return network.width, network.size

    def trial(self, *, job: Job | None = None) -> "Trial":
        """Return the method that suits the game, found by games between the methods, or cached.

        The result is cached, and applies to searches with seconds alone. The games depend on the
        program alone and are the same in every engine; a `job` can stop them.
        """
        from rulesengine.search.method_trial import tried
        from rulesengine.search.trial_cache import keep, recall

        known = recall(self.program)
        if known is None:
            known = tried(self, self._dispatcher, job or Job())
            keep(self.program, known)
        self._dispatcher.method = known.method
        return known

    @property
    def kept_trial(self) -> "Trial | None":
        """Return the cached trial of the game, if there is one."""
        from rulesengine.search.trial_cache import recall

        return recall(self.program)

    def search(
        self,
        state: State | None = None,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        plies: int | None = None,
        playouts: int | None = None,
        method: str = "auto",
        threads: int = 1,
        seed: int = 0,
        memory: int | None = None,
        learned: str | PathLike[str] | None = None,
        job: Job | None = None,
        each: "Callable[[Found], None] | None" = None,
    ) -> "Found":
        """Return the best move of a state within a budget; the first limit reached ends the search.

        With `nodes`, `plies` or `playouts` the result is the same in every engine; with `plies` it
        is that of plain negamax of that depth. `method` is `alpha-beta`, `mcts` (Monte-Carlo tree
        search with playouts by `seed`; `uct` without AMAF statistics, `grave` with them) or `auto`,
        chosen by the budget and the game. Native `threads` share the table or the tree, which makes
        results vary from run to run. `memory` is the size of the table or tree in megabytes.
        `learned` is a file written by `learn`, with which alpha-beta estimates positions. A `job`
        reports the number of positions searched and can stop the search. `each` is called with the
        result after each iteration. Raises UsageError for a finished game, at a chance node, and
        for an invalid budget.
        """
        from rulesengine.engine.drivers.search.result import Budget, Settings
        from rulesengine.search.searches import searched

        budget = Budget(seconds, nodes, plies, playouts, method).checked()
        start, how = self._from(state), Settings(memory, seed, threads)
        known = self._known(start) if budget.is_timed and learned is None else None
        if known:
            return known
        tables = None if learned is None else self.learned_in(learned)
        return searched(self, self._dispatcher, start, budget, how, tables, job=job, each=each)

    def searcher(
        self,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        plies: int | None = None,
        playouts: int | None = None,
        method: str = "auto",
        threads: int = 1,
        seed: int = 0,
        memory: int | None = None,
        learned: str | PathLike[str] | None = None,
    ) -> "Searcher":
        """Return a searcher for successive states of a game, by `search(state)`.

        It reuses the part of its tree below the new state. All else is as for `search`.
        """
        from rulesengine.engine.drivers.search.result import Budget, Settings
        from rulesengine.search.searches import Searcher

        budget = Budget(seconds, nodes, plies, playouts, method).checked()
        tables = None if learned is None else self.learned_in(learned)
        return Searcher(self, self._dispatcher, budget, Settings(memory, seed, threads), tables)

    def learn(
        self,
        out: str | PathLike[str],
        *,
        games: int | None = None,
        seconds: float | None = None,
        seed: int | None = None,
        brief: str | PathLike[str] | None = None,
        job: Job | None = None,
    ) -> "Learning":
        """Learn an evaluation by self-play, in a file that a later call can continue.

        It plays `games` games, or for `seconds`. With the same seed (default 0), the result of a
        number of games is the same in every engine, with any interruptions. A `job` counts the
        games of this call and can stop it, which raises Stopped; the file then has the results so
        far. The file `brief` gets only the data needed to play, in a twentieth of the bytes or
        less. Raises UsageError for games of other than two players, for a file with other contents,
        and for one that cannot be written.
        """
        from pathlib import Path

        from rulesengine.search.learning import learned_on

        start = self._from(None)
        files = Path(out), None if brief is None else Path(brief)
        return learned_on(self._dispatcher, start, files, games, seconds, seed, job or Job())

    def learned_in(self, path: str | PathLike[str]) -> "Learned":
        """Return the weights in a file written by `learn`; they are cached until the file changes.

        Raises UsageError for a damaged file, and for one of other rules or another board.
        """
        from pathlib import Path

        from rulesengine.search.learned_weights import read_learned, version_of

        file, kept = Path(path), self._learned or {}
        name, version = str(file), version_of(file)
        if name not in kept or kept[name][0] != version:
            kept.pop(name, None)
            others = list(kept.items())[1 - _FILES :]
            kept = {**dict(others), name: (version, read_learned(file, self._dispatcher))}
            self._learned = kept
        return kept[name][1]

    @cached_property
    def bundled_learning(self) -> "Path":
        """Return the path of the bundled learned weights of the game, for `learned=`.

        The file is identified by the board and the rules. Raises UsageError if there is none.
        """
        from rulesengine.search.learned_weights import bundled_of, require_pair

        require_pair(self.program)
        return bundled_of(self._dispatcher)

    def _known(self, state: State) -> "Found | None":
        """Return the result for a state from a cached solution of the whole game."""
        if self._solution is None:
            from rulesengine.search.solution_cache import recall
            from rulesengine.search.solving import may_repeat

            self._solution = (recall(self) if may_repeat(self.program.rules) else None,)
        (solution,) = self._solution
        return solution.found(state) if solution else None

    def solve(
        self,
        state: State | None = None,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        threads: int = 1,
        memory: int | None = None,
        job: Job | None = None,
        resume: str | PathLike[str] | None = None,
        each: "Callable[[Solved], None] | None" = None,
    ) -> "Solved":
        """Return the exact value of a state, with its line and its distance, within a budget.

        Games whose positions may repeat are solved by retrograde analysis if few positions are
        reachable; all others by a search to the end. Without a budget the search continues until
        the value is found, or to the maximum depth. It is short if chance may return to an earlier
        position. `memory`, `threads` and `job` are as for `search`. The file `resume` is a
        checkpoint: it is written periodically, and the search resumes from it if it exists. `each`
        is called periodically with the result so far. Raises UsageError for a finished game, and
        for a checkpoint of another problem.
        """
        from pathlib import Path

        from rulesengine.engine.drivers.search.result import Budget, Settings
        from rulesengine.search.solving import solved

        budget, how = Budget(seconds, nodes), Settings(memory, threads=threads)
        file = Path(resume) if resume is not None else None
        return solved(
            self, self._dispatcher, self._from(state), budget, how, job or Job(), file, each
        )

    def prover(self, state: State, *, memory: int | None = None) -> "Prover":
        """Return a prover that decides whether a player reaches a goal, in positions that follow a
        state.

        It supports games of two players without chance whose rules do not read earlier positions.
        """
        from rulesengine.engine.drivers.search.result import Budget
        from rulesengine.search.proof_number import Prover
        from rulesengine.search.searches import entries_of, words_of

        budget = Budget()
        return Prover(self._dispatcher, state, budget, entries_of(words_of(memory), budget))
