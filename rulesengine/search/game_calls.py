"""The calls of a game that look ahead; they load what does so only when they are made."""

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


_FILES = 2  # of what was learned, kept by a game


class Searched(Counted):
    """A game that is searched and solved by the calls that it has."""

    _solution: "tuple[Solution | None] | None" = None  # of the game, once it was looked for
    _learned: "dict[str, tuple[tuple[object, ...], Learned]] | None" = None  # the last by file

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players in the order of play."""
        raise NotImplementedError

    def outcome(self, state: State) -> Outcome | None:
        """How the game has ended, or None."""
        raise NotImplementedError

    def with_program(self, program: "Program") -> "Searched":
        """The same game with another program."""
        raise NotImplementedError

    @cached_property
    def search_method(self) -> str:
        """What levels take, and `search` with seconds alone where no trial was kept: `alpha-beta`,
        or `mcts` where nothing tells who is ahead.
        """
        from rulesengine.search.searches import method_of

        return method_of(self._dispatcher)

    @property
    def learnable(self) -> tuple[int, int] | None:
        """How many patterns `learn` looks at, and how many entries their tables have.

        None for games of other than two players.
        """
        from rulesengine.search.learned_weights import is_pair

        if not is_pair(self.program):
            return None
        network = self._dispatcher.interpreted.network
        return network.width, network.size

    def trial(self, *, job: Job | None = None) -> "Trial":
        """Which method suits the game, found by games between them, or as it was kept.

        It is kept in the cache, and goes for searches with seconds alone. The games follow from
        the program alone, on every engine; a `job` can stop them.
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
        """The trial that was kept of the game, if there is one."""
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
        """The best move of a state, as far as a budget goes: whatever of it ends first.

        With `nodes`, `plies` or `playouts` the result is the same in every engine, with `plies`
        that of plain negamax of that depth. `method` is `alpha-beta`, `mcts`, which plays random
        games by `seed` (`uct` without statistics of moves, `grave` with them), or `auto`: what
        suits the budget and the game. Native `threads` share the table or the tree, by which
        results may differ from run to run. `memory` is how many megabytes these take; `learned` is
        a file that `learn` has written, by which alpha-beta estimates positions. A `job` tells how
        many positions have been looked at, and can stop the search. What has been found after each
        round is given to `each`. Raises UsageError for a game that is over, where chance is to
        move, and for a budget of nothing.
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
        """Who searches one state of a game after the other, by `search(state)`.

        It keeps its tree between them, as far as that is below the state that is reached. All
        else is as for `search`.
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
        """Learn an evaluation from games against itself, in a file from which it goes on later.

        It plays so many games, or for so long. By a seed (0 unless given), what is learned from a
        number of games is the same in every engine, however often it was ended and went on. A
        `job` counts the games of this call, and can stop it, which raises Stopped; the file then
        has what was learned by that time. The file `brief` gets what is needed to play by it, in
        a twentieth of the bytes or less. Raises UsageError for games of other than two players,
        for a file of something else, and for one that cannot be written.
        """
        from pathlib import Path

        from rulesengine.search.learning import learned_on

        start = self._from(None)
        files = Path(out), None if brief is None else Path(brief)
        return learned_on(self._dispatcher, start, files, games, seconds, seed, job or Job())

    def learned_in(self, path: str | PathLike[str]) -> "Learned":
        """What `learn` has written to a file, which is read once as long as it stays the same.

        Raises UsageError for one that is damaged, of other rules or of another board.
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
        """The file of what was learned of the game that comes with the package, for `learned=`.

        It is known by the board and the rules. Raises UsageError if there is none.
        """
        from rulesengine.search.learned_weights import bundled_of, require_pair

        require_pair(self.program)
        return bundled_of(self._dispatcher)

    def _known(self, state: State) -> "Found | None":
        """What is known of a state where the whole game was solved and kept."""
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
        """The exact value of a state, its line and its distance, as far as a budget goes.

        Games in which positions may come again are solved by retrograde analysis, as long as few
        can be reached; all others by a search to the end. Without a budget it goes on until the
        value is found, or for as far as a search can look ahead, and only shortly where chance may
        lead back to a position. `memory`, `threads` and `job` are
        as for `search`. What takes long is kept in the file `resume` every now and then, and goes
        on from there if it has any. What is known by then is given to `each` every now and then.
        Raises UsageError for a game that is over, and for a file that is of something else.
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
        """What answers whether a player reaches a goal, in positions that follow from a state.

        It is for games of two players without chance whose rules do not read earlier positions.
        """
        from rulesengine.engine.drivers.search.result import Budget
        from rulesengine.search.proof_number import Prover
        from rulesengine.search.searches import entries_of, words_of

        budget = Budget()
        return Prover(self._dispatcher, state, budget, entries_of(words_of(memory), budget))
