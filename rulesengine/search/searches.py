"""Selection of the search method and its budget, and conversion of results to moves and values."""

from collections.abc import Callable, Collection, Sequence
from time import monotonic, perf_counter
from typing import TYPE_CHECKING

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.search.result import (
    INFORMED,
    IS_MCTS,
    TREES,
    WIN,
    Budget,
    Equilibrium,
    SearchResult,
    Settings,
    Solved,
    Value,
    Variation,
    points_text,
)
from rulesengine.engine.drivers.search.tree_layout import TREE, width
from rulesengine.engine.observation import InformationState
from rulesengine.errors import IllegalMoveError, UsageError
from rulesengine.job import Job
from rulesengine.language.ir.hiding import require_perfect_information
from rulesengine.language.ir.rules import LookAhead, Rules
from rulesengine.search.iterative_deepening import ENTRY, AlphaBeta
from rulesengine.search.learned_weights import LearnedWeights
from rulesengine.search.method_choice import choose_method
from rulesengine.search.move_weights import MoveWeights
from rulesengine.search.search_run import MoveSearch, RankedMove
from rulesengine.search.tree_search import TreeSearch
from rulesengine.search.trial_cache import recall
from rulesengine.state import Move, State
from rulesengine.support.frozen import replace
from rulesengine.support.validate import check_number

if TYPE_CHECKING:
    from rulesengine.search.imperfect_information.game_tree import HiddenGame
    from rulesengine.search.imperfect_information.information_searcher import InformationSearcher

__all__ = [
    "WIN",
    "Equilibrium",
    "InformationState",
    "SearchResult",
    "Solved",
    "Value",
    "choice",
    "points_text",
]

_MEGABYTE, _WORD = 1 << 20, 8
_MEMORY = 64  # default megabytes
_LEAST = 50  # a search gets at least 1 / _LEAST of its time
_PAIR = 2
_CHILDREN = 32  # nodes allocated per playout


class Searcher:
    """A searcher for successive positions of a game, which reuses the tree between them.

    With hidden information the positions are information states, of any players. `weights` are
    those of positions or moves that it uses; None for the evaluation of the rules.
    """

    def __init__(
        self,
        game: "HiddenGame",
        dispatcher: Dispatcher,
        budget: Budget,
        settings: Settings,
        learned: LearnedWeights | MoveWeights | None = None,
    ) -> None:
        self._game = game
        self.weights = learned
        self._dispatcher = dispatcher
        self._budget = budget
        self._settings = settings
        self._last: TreeSearch | None = None
        self._informed: dict[str, "InformationSearcher"] = {}

    @property
    def part(self) -> str:
        """Return the name of the part of kernels that searches a state of perfect information."""
        if self.weights is not None:
            return self.weights.part
        return "tree" if method_of(self._dispatcher, self._budget) in TREES else "search"

    def search(
        self,
        state: State | InformationState,
        *,
        job: Job | None = None,
        each: Callable[[SearchResult], None] | None = None,
    ) -> SearchResult:
        """Search a position; see `Game.search`. The tree below the previous position is reused.

        It is reused if each side has made at most one move since then.
        """
        if not isinstance(state, State):
            return self._search_information(state, job or Job(), each)
        require_searchable(self._dispatcher.machine.program.rules)
        game, moves = self._game, self._game.legal_moves(state)
        if not moves:
            raise UsageError("the game is over: there is no move to search for")
        if self._dispatcher.machine.is_chance(state):
            raise UsageError("chance is to move: there is nothing to choose")
        since = perf_counter()
        search = start_search(
            self._dispatcher, state, len(moves), self._budget, self._settings, self.weights
        )
        self._reuse_tree(search)
        if self._settings.root_moves:
            search.restrict_root(_numbers_of(self._settings.root_moves, moves))

        def current_results() -> SearchResult:
            return search_results(game, search, moves, perf_counter() - since)

        search.run(job or Job(), (lambda: each(current_results())) if each else None)
        return current_results()

    def _search_information(
        self, state: InformationState, job: Job, each: Callable[[SearchResult], None] | None
    ) -> SearchResult:
        """Search an information state by IS-MCTS or decoupled UCT."""
        from rulesengine.search.imperfect_information.information_searcher import (
            InformationSearcher,
            SearchLimits,
            require_sampled,
        )

        if not isinstance(state, InformationState):
            raise UsageError(f"expected a state or an information state, found {state!r:.40}")
        require_sampled(self._budget)
        if self.weights is not None:
            method = self._budget.method
            raise UsageError(f"{method} plays random games: it takes no learned evaluation")
        if state.player is None:
            raise UsageError("a spectator has no move to search for")
        if state.player not in self._informed:
            limits = SearchLimits(self._budget, self._settings.seed, self._settings.lines)
            machine = self._dispatcher.machine
            new = InformationSearcher(self._game, machine, state.player, limits)
            self._informed[state.player] = new
        return self._informed[state.player].search(state, job, each)

    def _reuse_tree(self, search: MoveSearch) -> None:
        """Transfer the subtree of the position from the previous tree, and store the new tree."""
        last, self._last = self._last, search if isinstance(search, TreeSearch) else None
        if last is not None and self._last is not None:
            node = self._place(last, search.state)
            if node:
                self._last.take_over(last, node)

    def _place(self, last: TreeSearch, state: State) -> int:
        """Return the node of a position after the best move of a tree and a reply, 0 if there is
        none.
        """
        game, number = self._game, last.order[0]
        after = game.apply(last.state, game.legal_moves(last.state)[number], check=False)
        node = last.child(TREE, number)
        if after == state or not node:
            return node
        for reply, move in enumerate(game.legal_moves(after)):
            if game.apply(after, move, check=False) == state:
                return last.child(node, reply)
        return 0


def _numbers_of(some: Collection[Move], moves: Sequence[Move]) -> list[int]:
    """Return the numbers of some moves. Raises IllegalMoveError for one that is not legal."""
    for move in some:
        if move not in moves:
            raise IllegalMoveError(f"`{move.text}` is not legal here")
    return [number for number, move in enumerate(moves) if move in some]


def require_searchable(rules: Rules) -> None:
    """Raise UsageError if the states of a game are not searched, because they hide something."""
    instead = f"use `solve`, or search an information state by `{IS_MCTS}`"
    require_perfect_information(rules, "a search of states", instead)


def start_search(
    dispatcher: Dispatcher,
    state: State,
    count: int,
    budget: Budget,
    settings: Settings,
    learned: LearnedWeights | MoveWeights | None = None,
) -> MoveSearch:
    """Return a new search by the method of the budget or the game.

    Weights of positions are for alpha-beta only, those of moves for `grave`.
    """
    check_number("number of threads", settings.threads, 1)
    check_number("seed", settings.seed)
    require_searchable(dispatcher.machine.program.rules)
    words, sides = words_of(settings.memory), len(dispatcher.machine.program.rules.players)
    if isinstance(learned, MoveWeights):
        if budget.method == "uct":
            raise UsageError("weights of moves are for `grave`, not for `uct`")
        room = _room(budget, words, sides)
        tree = TreeSearch(dispatcher, state, count, budget, room, settings, "grave")
        tree.weigh_moves(learned)
        tree.request_noise(budget.noise, settings.seed)
        tree.wanted = settings.lines
        return tree
    is_free = budget.method in ("auto", "alpha-beta") and budget.playouts is None
    if learned and not is_free:
        raise UsageError("a learned evaluation is for alpha-beta, which plays no random games")
    method = "alpha-beta" if learned else method_of(dispatcher, budget)
    if method in INFORMED:
        raise UsageError(f"`{method}` searches an information state, not a state: use `mcts`")
    if method in TREES:
        room = _room(budget, words, sides)
        tree = TreeSearch(dispatcher, state, count, budget, room, settings, method)
        tree.request_noise(budget.noise, settings.seed)
        tree.wanted = settings.lines
        return tree
    entries = entries_of(words, budget)
    is_plain = budget.plies is not None
    table = (
        _shared_table(dispatcher, state, entries, is_plain, learned)
        if settings.keeps and budget.nodes is None
        else None
    )
    search = AlphaBeta(
        dispatcher,
        state,
        count,
        budget,
        entries,
        settings.threads,
        table,
        learned,
        solves=settings.solves,
    )
    search.wanted = settings.lines
    if settings.ties:
        search.request_all_best()
    if budget.noise:
        search.request_noise(budget.noise, settings.seed)
    return search


def _shared_table(
    dispatcher: Dispatcher,
    state: State,
    entries: int,
    is_plain: bool,
    learned: LearnedWeights | None,
) -> Memory:
    """Return the shared table of a player's searches; players of a two-player game share one.

    Searches by plies have a separate table, because depths of entries have another meaning there.
    So has each evaluation, because values of entries have.
    """
    sides = len(dispatcher.machine.program.rules.players)
    evaluation = learned.name if learned else "rules"
    name = f"{entries} {is_plain} {evaluation} {state.mover if sides > _PAIR else ''}"
    if name not in dispatcher.tables:
        dispatcher.tables[name] = Memory(ENTRY * entries)
    return dispatcher.tables[name]


def method_of(dispatcher: Dispatcher, budget: Budget) -> str:
    """Return the method of a budget; with a time limit only, that of a cached trial."""
    if budget.method != "auto":
        return budget.method
    if not budget.is_timed:
        return "alpha-beta" if budget.playouts is None else "mcts"
    if not dispatcher.method:
        trial = recall(dispatcher.machine.program)
        dispatcher.method = trial.method if trial else choose_method(dispatcher).method
    return dispatcher.method


def choice(
    dispatcher: Dispatcher,
    state: State,
    number: int,
    moves: Sequence[Move],
    since: float | None = None,
    learned: LearnedWeights | MoveWeights | None = None,
) -> Move | None:
    """Return the move of a strategy with a look-ahead; None if there is no legal move.

    Its seconds count from `since`, if given. `learned` has the weights of its evaluation, None for
    the evaluation of the rules.
    """
    strategy = dispatcher.machine.program.rules.strategies[number]
    assert strategy.search is not None
    if not moves or dispatcher.machine.is_chance(state):
        return None
    if len(moves) == 1:
        return moves[0]
    budget = _remaining_budget(budget_of(strategy.search), since)
    settings = Settings(keeps=True, ties=bool(strategy.keys))
    search = start_search(dispatcher, state, len(moves), budget, settings, learned)
    search.run(Job())
    if not strategy.keys or not isinstance(search, AlphaBeta):
        return moves[search.order[0]]
    best = [moves[number] for number in search.best_moves()]
    steps = dispatcher.machine.choose(state, strategy, among=[move.steps for move in best])
    return next(move for move in best if move.steps == steps)


def budget_of(search: LookAhead) -> Budget:
    """Return the budget of a strategy's search. Raises UsageError."""
    limits = (search.nodes, search.plies, search.playouts)
    nodes, plies, playouts = (None if op is None else int(str(op.value)) for op in limits)
    seconds = float(search.seconds) if search.seconds else None
    return Budget(seconds, nodes, plies, playouts, evaluation=search.evaluation).checked()


def _remaining_budget(budget: Budget, since: float | None) -> Budget:
    """Return the rest of a budget that began at `since`; a minimum of time always remains."""
    if budget.seconds is None or since is None:
        return budget
    left = budget.seconds - (monotonic() - since)
    return replace(budget, seconds=max(left, budget.seconds / _LEAST))


def search_results(
    game: "HiddenGame", search: MoveSearch, moves: Sequence[Move], seconds: float
) -> SearchResult:
    """Return the results of a search so far, as moves and values."""
    values = [search.value_of(number) for number in range(search.count)]
    best = values[search.order[0]]
    return SearchResult(
        moves[search.order[0]],
        best.number,
        best.unit,
        _line(game, search.state, search.line),
        search.nodes,
        search.depth,
        seconds,
        tuple((moves[number], values[number]) for number in search.order),
        search.whole,
        _best_moves(search, moves),
        isinstance(search, AlphaBeta) and search.is_bounded,
        tuple(search.depths[number] for number in search.order)
        if isinstance(search, AlphaBeta)
        else (),
        evaluation_of_search(search),
        search.quiescence_nodes if isinstance(search, AlphaBeta) else 0,
        tuple(_variation(game, search, moves, ranked) for ranked in search.ranked()),
    )


def _variation(
    game: "HiddenGame", search: MoveSearch, moves: Sequence[Move], ranked: RankedMove
) -> Variation:
    """Return one of the best moves of a search."""
    move, value = moves[ranked.number], ranked.value
    line = _line(game, search.state, ranked.line)
    return Variation(move, value.number, value.unit, line, ranked.depth)


def evaluation_of_search(search: MoveSearch) -> str:
    """Return the name of the evaluation that a search uses: of positions, or of moves."""
    used = search.moves if isinstance(search, TreeSearch) else search.learned
    return used.name if used else "rules"


def _best_moves(search: MoveSearch, moves: Sequence[Move]) -> tuple[Move, ...]:
    """Return the moves with the best value: the first one, or all if they are known."""
    first = moves[search.order[0]]
    if not isinstance(search, AlphaBeta) or not search.knows_ties or search.noise:
        return (first,)
    others = (moves[number] for number in search.best_moves())
    return (first, *(move for move in others if move is not first))


def _line(game: "HiddenGame", state: State, numbers: Sequence[int]) -> tuple[Move, ...]:
    """Return the moves of a line from their numbers."""
    line = []
    for number in numbers:
        line.append(game.legal_moves(state)[number])
        state = game.apply(state, line[-1], check=False)
    return tuple(line)


def entries_of(words: int, budget: Budget) -> int:
    """Return the number of table entries: as many as fit, limited by the number of positions."""
    fitting = words // ENTRY
    return max(2, min(fitting, 2 * (budget.nodes or fitting)) & ~1)


def _room(budget: Budget, words: int, sides: int) -> int:
    """Return the size of a tree in words: as many as fit, limited by the number of playouts."""
    games = budget.playouts
    return words if games is None else min(words, TREE + _CHILDREN * width(sides) * games)


def words_of(megabytes: int | None) -> int:
    if megabytes is not None:
        check_number("number of megabytes", megabytes, 1)
    return (megabytes or _MEMORY) * _MEGABYTE // _WORD
