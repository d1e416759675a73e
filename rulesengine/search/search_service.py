"""The searches of one game: best moves, exact values, learning, and their cached results."""

from collections.abc import Callable, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.search.result import (
    FITTED_BY_PLAYOUTS,
    TREES,
    WEIGHING,
    Budget,
    Learning,
    SearchResult,
    Settings,
    Solved,
    Value,
    check_method,
)
from rulesengine.engine.interpreter import Interpreter
from rulesengine.errors import EvaluationError, UsageError
from rulesengine.job import Job, job_of
from rulesengine.language.ir.hiding import hidden_in, require_perfect_information
from rulesengine.language.ir.rules import Rules
from rulesengine.search.bundled_weights import bundled_of, stale_of
from rulesengine.search.calibration import Calibration, calibration_of, chance_of
from rulesengine.search.learned_weights import (
    LearnedWeights,
    is_learnable,
    read_learned,
    require_learnable,
    version_of,
)
from rulesengine.search.levels import Level, check_level, levels_of
from rulesengine.search.method_choice import EvaluationChoice, MethodChoice, choose_method
from rulesengine.search.move_file import read_moves
from rulesengine.search.move_weights import MoveWeights
from rulesengine.search.named_evaluations import (
    FITTED,
    LEARNED,
    RULES,
    check_name,
    fitted_weights,
)
from rulesengine.search.searches import (
    Searcher,
    budget_of,
    choice,
    entries_of,
    method_of,
    require_searchable,
    words_of,
)
from rulesengine.search.trial_cache import Trial, keep, recall
from rulesengine.state import Move, State
from rulesengine.support.validate import (
    check_callback,
    check_keywords,
    check_kind,
    check_path,
    check_text,
)

if TYPE_CHECKING:
    from rulesengine.engine.observation import InformationState
    from rulesengine.search.enumeration.retrograde import Solvable
    from rulesengine.search.move_learning import MoveOptions
    from rulesengine.search.proof_number import Prover
    from rulesengine.search.solution_cache import Solution
    from rulesengine.search.training_plan import LearnOptions

_MAX_WEIGHTS = 2  # files of learned weights that are cached


class SearchService:
    """Searches, solves and learns one game; `Game` documents the arguments and results."""

    def __init__(self, game: "Solvable", dispatcher: Dispatcher) -> None:
        self._game = game
        self._dispatcher = dispatcher
        self._calibration: tuple[Calibration | None] | None = None
        self._weights: dict[str, tuple[tuple[object, ...], LearnedWeights]] = {}
        self._fitted: LearnedWeights | None = None
        self._moves: tuple[tuple[object, ...], MoveWeights] | None = None
        self._levels: dict[str, tuple[Level, ...]] = {}

    @cached_property
    def choice(self) -> MethodChoice:
        """Return the search method of the program, with the reason."""
        return choose_method(self._dispatcher)

    def level(self, number: int, method: str) -> Level:
        """Return a level of play; `auto` is the method of the game. Raises UsageError."""
        check_level(number)
        check_method(method)
        if method not in self._levels:
            named = self.choice.method if method == "auto" else method
            moves = len(self._game.legal_moves(self._game.initial_state()))
            evaluation = self._evaluation_of_levels(named)
            self._levels[method] = levels_of(self._game.program, named, moves, evaluation)
        return self._levels[method][number - 1]

    def _evaluation_of_levels(self, method: str) -> str:
        """Return the evaluation of levels by a method, empty for the rules."""
        if method == "alpha-beta":
            return LEARNED if self.default_evaluation == LEARNED else ""
        return LEARNED if method in WEIGHING and self._weighs_moves else ""

    @cached_property
    def default_evaluation(self) -> str:
        """Return the evaluation of alpha-beta unless it is named: `learned` or `rules`.

        Bundled weights are the default where they are valid for these rules, unless the spec has an
        evaluation of its own. See decision 177.
        """
        if self._game.program.rules.evaluation is not None:
            return RULES
        try:
            self.weights(self.bundled_weights)
        except UsageError:
            return RULES
        return LEARNED

    def win_chance(self, rules: Rules, value: Value, evaluation: str) -> float | None:
        """Return the chance to win that a value states; None if it is unknown."""
        check_kind("a value of a search", value, Value)
        name = check_text("name of an evaluation", evaluation) or self.default_evaluation
        check_name(name)
        if name != RULES:
            is_learned = name == LEARNED
            has_file = is_learned and self.default_evaluation == LEARNED
            half = self.weights(self.bundled_weights).half if has_file else 0
            return chance_of(value, None, is_learned=is_learned, half=half)
        if self._calibration is None:
            self._calibration = (calibration_of(rules, self._game.program),)
        return chance_of(value, self._calibration[0])

    def search(
        self,
        start: "State | InformationState",
        budget: Budget,
        settings: Settings,
        learned: str | PathLike[str] | None,
        job: Job | None,
        each: Callable[[SearchResult], None] | None,
    ) -> SearchResult:
        """Return the best move of a state; a solved game in the cache answers a timed search."""
        check_callback(each)
        job = job_of(job)
        if isinstance(start, State):
            require_searchable(self._game.program.rules)
        is_plain = learned is None and not settings.evaluation
        is_plain = is_plain and not budget.noise and not settings.root_moves
        solution = self._solution if budget.is_timed and is_plain else None
        solved = (
            solution.lookup(start, settings.lines)
            if solution and isinstance(start, State)
            else None
        )
        if solved:
            return solved
        weights = self._evaluation(budget, settings.evaluation, learned, job)
        searcher = Searcher(self._game, self._dispatcher, budget, settings, weights)
        return searcher.search(start, job=job, each=each)

    def choose(
        self, number: int, state: State, moves: Sequence[Move], since: float | None
    ) -> Move | None:
        """Return the move of a strategy that searches; its seconds count from `since`, if given.

        The evaluation is that of other searches unless the strategy names one. See decision 197.
        Returns None if there is no legal move. Raises UsageError.
        """
        search = self._game.program.rules.strategies[number].search
        assert search is not None
        budget = budget_of(search)
        name = budget.evaluation
        weights = self._evaluation(budget, name, None, Job()) if len(moves) > 1 else None
        return choice(self._dispatcher, state, number, moves, since, weights)

    def searcher(
        self, budget: Budget, settings: Settings, learned: str | PathLike[str] | None
    ) -> Searcher:
        """Return a searcher that reuses its tree from one state to the next."""
        weights = self._evaluation(budget, settings.evaluation, learned, Job())
        return Searcher(self._game, self._dispatcher, budget, settings, weights)

    def solve(
        self,
        start: State,
        budget: Budget,
        settings: Settings,
        job: Job,
        resume: str | PathLike[str] | None,
        each: Callable[[Solved], None] | None,
    ) -> Solved:
        """Return the exact value of a state, or bounds of it within the budget."""
        check_callback(each)
        checkpoint = None if resume is None else Path(check_path(resume))
        if hidden_in(self._game.program.rules):
            return self._equilibrium(start, budget, settings, job, resume, each)
        from rulesengine.search.solving import Solver

        solver = Solver(self._game, self._dispatcher, budget, settings)
        program = self._game.program
        try:
            return solver.solve(start, job, checkpoint, each)
        except EvaluationError:
            if program.rules.evaluation is None:
                raise
        # The evaluation of the spec may have failed, which no exact value needs.
        plain = self._game.with_program(program.without_evaluation())
        dispatcher = Dispatcher(Interpreter(plain.program), self._dispatcher.selector.engine)
        return Solver(plain, dispatcher, budget, settings).solve(start, job, checkpoint, each)

    def _equilibrium(
        self,
        start: State,
        budget: Budget,
        settings: Settings,
        job: Job,
        resume: str | PathLike[str] | None,
        each: Callable[[Solved], None] | None,
    ) -> Solved:
        """Return the value of a game with hidden information. Raises UsageError."""
        from rulesengine.search.imperfect_information.equilibrium_solver import solve_hidden

        if resume is not None:
            raise UsageError("no solver of games with hidden information is resumed")
        machine = self._dispatcher.machine
        return solve_hidden(self._game, machine, start, budget, settings, job, each)

    def prover(self, state: State, memory: int | None) -> "Prover":
        """Return a prover for the positions that follow a state."""
        from rulesengine.search.proof_number import Prover

        self._require_perfect_information("a proof")
        budget = Budget()
        return Prover(self._dispatcher, state, budget, entries_of(words_of(memory), budget))

    def trial(self, job: Job) -> Trial:
        """Return the cached trial of the search methods, or run and cache it."""
        from rulesengine.search.method_trial import run_trial

        self._require_perfect_information("a trial of search methods")
        trial = self.cached_trial()
        if trial is None:
            is_learned = self.default_evaluation == LEARNED
            weights = self.weights(self.bundled_weights) if is_learned else None
            trial = run_trial(self._game, self._dispatcher, job, weights)
            keep(self._game.program, trial)
        self._dispatcher.method = trial.method
        return trial

    def cached_trial(self) -> Trial | None:
        """Return the cached trial of the search methods, if there is one."""
        return recall(self._game.program)

    def learnable(self) -> tuple[int, int] | None:
        """Return the numbers of patterns and table entries; None for more than two players."""
        if not is_learnable(self._game.program):
            return None
        network = self._dispatcher.interpreted.network
        return network.width, network.size

    def learn(self, out: str | PathLike[str], options: "LearnOptions", job: Job) -> Learning:
        """Learn weights from self-play into a file; see `Game.learn`."""
        from rulesengine.search.learning import learned_on
        from rulesengine.search.training_plan import LearnOptions, TrainingPlan

        check_keywords("Game.learn", options, LearnOptions.__annotations__)
        self._require_perfect_information("learning by self-play")
        return learned_on(self._dispatcher, Path(check_path(out)), TrainingPlan(**options), job)

    def learn_moves(self, out: str | PathLike[str], options: "MoveOptions", job: Job) -> Learning:
        """Learn weights of moves from self-play into a file; see `Game.learn_moves`."""
        from rulesengine.search.move_learning import MoveOptions, SelfPlay, learn_moves

        check_keywords("Game.learn_moves", options, MoveOptions.__annotations__)
        return learn_moves(
            self._game, self._dispatcher, Path(check_path(out)), SelfPlay(**options), job
        )

    def weights(self, path: str | PathLike[str]) -> LearnedWeights:
        """Return the weights of a file, cached until the file changes. Raises UsageError."""
        file = Path(check_path(path))
        name, version = str(file), version_of(file)
        cached = self._weights.get(name)
        if cached and cached[0] == version:
            return cached[1]
        weights = read_learned(file, self._dispatcher)
        others = [(key, value) for key, value in self._weights.items() if key != name]
        self._weights = {**dict(others[1 - _MAX_WEIGHTS :]), name: (version, weights)}
        return weights

    def _require_perfect_information(self, feature: str) -> None:
        """Raise UsageError for a game that hides something: these methods read the whole state."""
        require_perfect_information(self._game.program.rules, feature)

    def evaluation_for(self, budget: Budget) -> str:
        """Return the evaluation of a search that names none: `learned` or `rules`."""
        method = method_of(self._dispatcher, budget)
        if method == "alpha-beta":
            return self.default_evaluation
        return LEARNED if method in WEIGHING and self._weighs_moves else RULES

    @cached_property
    def _weighs_moves(self) -> bool:
        """True if the package has weights of moves for these rules of perfect information."""
        if hidden_in(self._game.program.rules):
            return False
        try:
            self.move_weights(self.bundled_moves)
        except UsageError:
            return False
        return True

    def _evaluation(
        self, budget: Budget, name: str, learned: str | PathLike[str] | None, job: Job
    ) -> LearnedWeights | MoveWeights | None:
        """Return the weights of a named evaluation, or of the default; None for the rules.

        Tree search takes weights of moves.

        Raises UsageError.
        """
        check_name(name)
        if learned is not None and name not in ("", LEARNED):
            raise UsageError(f"a file of `learn` is the evaluation `learned`, not `{name}`")
        if name and hidden_in(self._game.program.rules):
            raise UsageError("a search by random games has no `evaluation`")
        is_tree = budget.playouts is not None or budget.method in TREES
        if learned is None and name in ("", LEARNED):
            default = self.evaluation_for(budget)
            name = name or default
            is_tree = is_tree or (name == default and method_of(self._dispatcher, budget) in TREES)
        if is_tree and (name == LEARNED or learned is not None):
            return self.move_weights(self.bundled_moves if learned is None else Path(learned))
        if is_tree and name == FITTED:
            raise UsageError(FITTED_BY_PLAYOUTS)
        if learned is not None or name == LEARNED:
            return self.weights(self.bundled_weights if learned is None else learned)
        if name != FITTED:
            return None
        if self._fitted is None:
            self._fitted = fitted_weights(self._dispatcher, job)
        return self._fitted

    def move_weights(self, path: Path) -> MoveWeights:
        """Return the weights of moves of a file, cached until it changes. Raises UsageError."""
        key = version_of(path)
        if self._moves is None or self._moves[0] != key:
            self._moves = key, read_moves(path, self._game.program)
        return self._moves[1]

    @cached_property
    def bundled_moves(self) -> Path:
        """Return the file of bundled weights of moves for these rules. Raises UsageError."""
        return bundled_of(self._dispatcher, moves=True)

    @cached_property
    def bundled_weights(self) -> Path:
        """Return the file of bundled weights for these rules. Raises UsageError."""
        require_learnable(self._game.program)
        return bundled_of(self._dispatcher)

    @cached_property
    def evaluation_choice(self) -> EvaluationChoice:
        """Return the default evaluation, with the reason why bundled weights are left out."""
        name = self.default_evaluation
        is_open = name == RULES and is_learnable(self._game.program)
        stale = stale_of(self._dispatcher) if is_open else ""
        return EvaluationChoice(name, stale, self._weighs_moves)

    @cached_property
    def _solution(self) -> "Solution | None":
        """Return the cached solution of the whole game, if it was solved."""
        from rulesengine.search import solution_cache
        from rulesengine.search.solving import may_repeat

        game = self._game
        return solution_cache.recall(game) if may_repeat(game.program.rules) else None
