"""Search: plain negamax results in spite of pruning and tables, the same in every engine."""

import math
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import product
from math import log
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, SpecError, State, UsageError
from rulesengine.engine.drivers import random
from rulesengine.engine.drivers.memory import Memory, store
from rulesengine.engine.drivers.search import layout, tree_layout
from rulesengine.engine.drivers.search.fixed_point import fill_tables, logarithm
from rulesengine.engine.drivers.search.move_ordering import by_mobility, move_priority
from rulesengine.engine.drivers.search.result import Budget, Settings
from rulesengine.engine.evaluation import evaluation_of
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.job import Job
from rulesengine.language.ir.score_decided import points_of
from rulesengine.loading import load_source
from rulesengine.search import iterative_deepening
from rulesengine.search import tree_search as tree
from rulesengine.search.iterative_deepening import AlphaBeta as Search
from rulesengine.search.search_run import MoveSearch
from rulesengine.search.searches import start_search
from rulesengine.search.tree_search import TreeSearch
from rulesengine.support.source import Source
from tests.engine.test_translate import later
from tests.helpers.each_game import LARGER, OPEN, SOME, each_game
from tests.helpers.engine_comparison import Metered, TooLong, needs_native
from tests.helpers.spec_strategies import random_spec

pytestmark = pytest.mark.usefixtures("in_haste")

BACKENDS = tuple(sorted(backend.name for backend in working()))
# Games with more tactics after some plies than in their first positions.
PLIES = 9
SLOTS = 256  # words of a node's AMAF statistics, few enough for collisions
FEW = 16  # entries, few enough that most are replaced


@cache
def loaded(name: str, engine: str = "interpreter") -> Game:
    return rulesengine.load(name, engine=engine)


def search_of(game: Game, state: State, budget: Budget, entries: int = FEW) -> Search:
    count = len(game.legal_moves(state))
    search = Search(game._dispatcher, state, count, budget, entries)
    search.run(Job())
    return search


def found(search: Search) -> tuple[Any, ...]:
    """Return all results of a search, and the number of positions visited."""
    return search.order, search.values, search.line, search.nodes, search.depth, search.whole


def deepest(game: Game, state: State, positions: int) -> int:
    """Return the depth that plain negamax can search through about so many positions."""
    count = max(2, len(game.legal_moves(state)))
    return max(1, next(depth for depth in range(9, -1, -1) if count**depth <= positions))


# independently: exhaustive search to a depth, through the public API


class Plain:
    """Negamax without any pruning, for the player to move in a position."""

    def __init__(self, game: Game, state: State) -> None:
        self.game, self.player = game, state.mover
        self.points = points_of(game.program.rules)
        self.expression = evaluation_of(game.machine)

    def value(self, state: State, depth: int, ply: int) -> int:
        """Return the value of a position for that player, who maximises; all others minimise."""
        outcome = self.game.outcome(state)
        if outcome is not None:
            return self.ended(state, outcome.winner, ply)
        if depth == 0:
            most = layout.MOST
            return max(-most, min(most, self.ahead(state)))
        moves, weights = self.game.legal_moves(state), self.game.weights(state)
        after = (self.game.apply(state, move) for move in moves)
        if weights:
            return self.mean([self.value(one, depth, ply + 1) for one in after], weights)
        values = [self.value(one, depth - 1, ply + 1) for one in after]
        return 0 if not values else max(values) if state.mover == self.player else min(values)

    def ended(self, state: State, winner: str | None, ply: int) -> int:
        if not self.points:
            return 0 if winner is None else self.sign(winner == self.player) * (layout.WON - ply)
        scores = {name: self.points * n for name, n in self.game.scores(state).items()}
        lead = scores.pop(self.player) - max(scores.values(), default=-layout.LARGE)
        return lead + (self.sign(lead > 0) * layout.WON if lead else 0)

    @staticmethod
    def mean(values: list[int], weights: Sequence[int]) -> int:
        """Return the mean over chance outcomes, rounded down for the other team."""
        sure, won, stake = layout.CERTAIN, layout.WON, layout.STAKE
        are_sure = all(v >= sure for v in values) or all(v <= -sure for v in values)
        taken = [
            v if abs(v) < sure else v + (stake - won if v > 0 else won - stake) for v in values
        ]
        kept = [v - won if v > 0 else v + won for v in values] if are_sure else taken
        mean = -(-sum(w * v for w, v in zip(weights, kept, strict=True)) // sum(weights))
        return mean + (won if values[0] > 0 else -won) if are_sure else mean

    @staticmethod
    def sign(positive: bool) -> int:
        return 1 if positive else -1

    def ahead(self, state: State) -> int:
        machine, count = self.game.machine, len(self.game.players)
        worth = {
            state.player(side): machine.number_of(self.expression, state, side)
            for side in range(count)
        }
        return worth.pop(self.player) - max(worth.values(), default=-layout.LARGE)


def compare_with_plain(game: Game, state: State, positions: int) -> None:
    depth = deepest(game, state, positions)
    moves = game.legal_moves(state)
    plain = Plain(game, state)
    values = [plain.value(game.apply(state, move), depth - 1, 1) for move in moves]
    search = search_of(game, state, Budget(plies=depth))
    best = max(values)
    assert search.value == best
    assert search.order[0] == values.index(best)
    pairs = zip(values, search.values, strict=True)
    assert all(own <= bound for own, bound in pairs)


@each_game(quick=(), deep={*OPEN} - SOME, hidden=False)
def test_search_matches_plain_negamax(name: str) -> None:
    game = loaded(name)
    for state in {game.initial_state(), later(game, PLIES)}:
        if game.legal_moves(state) and not game.weights(state):
            compare_with_plain(game, state, 200)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "plies"), [("pig", 3), ("einstein", 2)])
def test_chance_node_has_the_mean_value(name: str, plies: int) -> None:
    game = loaded(name)
    game = game.bind(goal=12) if name == "pig" else game
    compared = 0
    for count in range(2, 16, 3):
        state = later(game, count)
        if game.legal_moves(state) and not game.weights(state):
            plain, moves = Plain(game, state), game.legal_moves(state)
            values = [plain.value(game.apply(state, move), plies - 1, 1) for move in moves]
            search = search_of(game, state, Budget(plies=plies))
            assert search.value == max(values)
            assert search.order[0] == values.index(max(values))
            compared += 1
    assert compared > 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "backend", [BACKENDS[-1], *(pytest.param(b, marks=pytest.mark.deep) for b in BACKENDS[:-1])]
)
def test_engines_look_alike_where_chance_moves(backend: str) -> None:
    game = rulesengine.load("pig", goal=12, engine="interpreter")
    other = rulesengine.load("pig", goal=12, engine=backend)
    state = next(s for s in (later(game, n) for n in range(1, 9)) if not game.weights(s))
    assert found(search_of(other, state, Budget(plies=4))) == found(
        search_of(game, state, Budget(plies=4))
    )
    assert tree_of(other, state, 60)[1] == tree_of(game, state, 60)[1]


@pytest.mark.slow
def test_near_its_end_a_game_is_searched_to_it() -> None:
    game = loaded("tic-tac-toe")
    state = game.initial_state()
    for text in ("a1", "b2", "c3", "c1"):
        state = game.apply(state, text)
    compare_with_plain(game, state, 4000)
    # a3 blocks, and then a2 and b3 both win.
    result = game.search(state, plies=9)
    assert (str(result.move), result.value) == ("a3", 10**6 - 3)


@pytest.mark.slow
def test_the_last_cells_of_a_game_of_points_are_filled_for_the_best() -> None:
    games = [rulesengine.load("othello", n=4, engine=name) for name in ("interpreter", *BACKENDS)]
    cells = set()
    for plies in (6, 7, 8, 9):
        state = later(games[0], plies)
        cells.add(games[0]._dispatcher.interpreted.vacant(state))
        plain, moves = Plain(games[0], state), games[0].legal_moves(state)
        after = [games[0].apply(state, move) for move in moves]
        values = [plain.value(one, layout.DEEPEST, 1) for one in after]
        searches = [search_of(game, state, Budget(plies=layout.DEEPEST)) for game in games]
        assert searches[0].whole
        assert searches[0].value == max(values)
        assert all(found(search) == found(searches[0]) for search in searches)
    # Some of them are above the number of cells that ends exhaustive search, some below.
    assert min(cells) < layout.ENDGAME_CELLS < max(cells)


@pytest.mark.slow
def test_all_best_moves_are_reported_on_request() -> None:
    game = rulesengine.load("tic-tac-toe", engine="python")
    state = game.initial_state()
    search = Search(game._dispatcher, state, 9, Budget(plies=9), 4096)
    search.request_all_best()
    search.run(Job())
    assert search.best_moves() == list(range(9))
    state = game.apply(game.apply(state, "b2"), "a2")
    search = Search(game._dispatcher, state, 7, Budget(plies=3), FEW)
    search.request_all_best()
    search.run(Job())
    plain = Plain(game, state)
    moves = game.legal_moves(state)
    values = [plain.value(game.apply(state, move), 2, 1) for move in moves]
    assert search.best_moves() == [i for i, v in enumerate(values) if v == max(values)]


# engines

# Together these have chains, a swap, three players, an end by a line.
SHOWN = ("connect-four", "english-draughts", "hex-pie", "three-player-tic-tac-toe")
# Games that are slow in the interpreter.
LENGTHY = LARGER | {"english-draughts"}


def marks(name: str, backend: str) -> tuple[pytest.MarkDecorator, ...]:
    if name not in SHOWN or (backend == "native" and name != "english-draughts"):
        return (pytest.mark.deep,)
    return (pytest.mark.slow,)


@pytest.mark.parametrize(
    ("name", "backend"),
    [pytest.param(*case, marks=marks(*case)) for case in product(OPEN, BACKENDS)],
)
def test_engines_look_at_the_same_positions(name: str, backend: str) -> None:
    game, other = loaded(name), rulesengine.load(name, engine=backend)
    nodes = 60 if name in LENGTHY else 400
    for state in {game.initial_state(), later(game, PLIES)}:
        if game.legal_moves(state) and not game.weights(state):
            for budget in (Budget(plies=2), Budget(nodes=nodes)):
                search = search_of(other, state, budget)
                assert search.engine == backend
                assert found(search) == found(search_of(game, state, budget))


@pytest.mark.slow
def test_engines_visit_the_same_positions_of_generated_games() -> None:
    compared = 0
    for seed in range(4):
        with suppress(SpecError, TooLong, rulesengine.RulesError):
            game = load_source(Source("spec.yaml", random_spec(seed)), engine="interpreter")
            other = load_source(Source("spec.yaml", random_spec(seed)), engine="python")
            game.machine = game._dispatcher.machine = Metered(game.program, 60_000)
            state = game.initial_state()
            if game.legal_moves(state):
                wanted = found(search_of(game, state, Budget(nodes=60)))
                assert found(search_of(other, state, Budget(nodes=60))) == wanted
                compared += 1
    assert compared > 2


# tree search


def tree_of(game: Game, state: State, playouts: int) -> tuple[Any, ...]:
    """Return all results of a tree search."""
    budget = Budget(playouts=playouts)
    search = start_search(
        game._dispatcher, state, len(game.legal_moves(state)), budget, Settings(seed=5)
    )
    search.run(Job())
    return search.engine, search_results(search)


def search_results(search: MoveSearch) -> tuple[Any, ...]:
    values = [str(search.value_of(number)) for number in range(search.count)]
    return search.order, search.line, search.nodes, search.whole, values


def test_pauses_change_nothing_in_a_tree() -> None:
    """Play two games from each leaf: a pause between them would change the results."""
    whole, paused = (tree_of_tic_tac_toe() for _ in range(2))
    whole._round(41)
    while paused.nodes < 41:
        paused.pool.numbers[tree_layout.PAUSE] = paused.nodes + 1
        before = paused.nodes
        paused._round(41)
        assert before < paused.nodes <= before + 2
    paused.pool.numbers[tree_layout.PAUSE] = 0
    assert bytes(paused.pool.bytes) == bytes(whole.pool.bytes)


def tree_of_tic_tac_toe() -> TreeSearch:
    game = loaded("tic-tac-toe")
    return TreeSearch(
        game._dispatcher,
        game.initial_state(),
        9,
        Budget(playouts=41),
        1 << 12,
        Settings(seed=5),
        "uct",
    )


def small_tree_of(game: Game, state: State) -> tuple[Any, ...]:
    """Return the results of a tree search with AMAF statistics that soon runs out of memory."""
    count, budget = len(game.legal_moves(state)), Budget(playouts=24)
    room = tree_layout.TREE + 3 * (count + 1) * tree_layout.width(len(game.players)) + SLOTS
    tree = TreeSearch(game._dispatcher, state, count, budget, room, Settings(seed=5), "grave")
    tree.own.numbers[tree_layout.REFERENCE] = 4
    tree.own.numbers[tree_layout.SLOTS] = SLOTS
    tree.run(Job())
    return search_results(tree)


@pytest.mark.parametrize(
    ("name", "backend"),
    [
        pytest.param(
            *case,
            marks=pytest.mark.deep
            if case == ("connect-four", "python") or case[0] == "english-draughts"
            else marks(*case),
        )
        for case in product(OPEN, BACKENDS)
    ],
)
def test_engines_grow_the_same_tree(name: str, backend: str) -> None:
    game, other = loaded(name), rulesengine.load(name, engine=backend)
    state = later(game, PLIES)
    if game.legal_moves(state) and not game.weights(state):
        count = 10 if name in LENGTHY else 40
        engine, found = tree_of(other, state, count)
        assert engine == backend
        assert found == tree_of(game, state, count)[1]
        assert small_tree_of(other, state) == small_tree_of(game, state)


def test_tree_search_proves_wins_and_losses() -> None:
    game = loaded("tic-tac-toe")
    state = game.initial_state()
    for text in ("a1", "b1", "a2", "b2"):
        state = game.apply(state, text)
    result = game.search(state, playouts=500)
    assert (str(result.move), result.value, result.unit, result.whole) == (
        "a3",
        1000,
        "chance",
        True,
    )
    lost = game.apply(state, "c3")
    assert str(game.search(lost, playouts=500).move) == "b3"


def test_a_tree_without_room_goes_on() -> None:
    game = loaded("tic-tac-toe")
    search = TreeSearch(game._dispatcher, game.initial_state(), 9, Budget(playouts=60), 0)
    search.run(Job())
    assert search.nodes == 60
    assert len(search.line) == 1


def visits(tree: TreeSearch | None, node: int = tree_layout.TREE) -> int:
    """Return the number of random games in a tree, or below one of its nodes."""
    assert tree is not None
    return tree.pool.numbers[node + tree_layout.VISITS]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["interpreter", *BACKENDS])
def test_a_searcher_goes_on_from_the_tree_that_it_has(engine: str) -> None:
    game = loaded("tic-tac-toe", engine)
    searcher = game.searcher(playouts=200, seed=3)
    start = game.initial_state()
    first, tree = searcher.search(start), searcher._last
    assert tree is not None
    assert visits(tree) == 200
    known = visits(tree, tree.child(tree.child(tree_layout.TREE, tree.line[0]), tree.line[1]))
    after = game.apply(game.apply(start, first.move), first.line[1])
    assert searcher.search(after).nodes == 200
    assert visits(searcher._last) == 200 + known > 200
    searcher.search(start)
    assert visits(searcher._last) == 200


@pytest.mark.slow
def test_reused_subtree_is_limited_by_memory() -> None:
    game = loaded("tic-tac-toe")
    start = game.initial_state()
    large, small = (
        TreeSearch(game._dispatcher, start, 9, Budget(playouts=300), words)
        for words in (1 << 16, 0)
    )
    large.run(Job())
    node = large.child(tree_layout.TREE, large.order[0])
    small.take_over(large, node)
    assert visits(small) == visits(large, node)
    # There is memory for nine children, and the position has eight.
    replies = [large.child(node, number) for number in range(8)]
    kept = [small.child(tree_layout.TREE, number) for number in range(8)]
    assert [visits(small, n) for n in kept] == [visits(large, n) for n in replies]
    assert not any(small.child(n, 0) for n in kept)
    assert any(large.child(n, 0) for n in replies)


CORNERS_FIRST = """
spec: 1
name: Corners first
extends: tic-tac-toe
rules: {playouts: cautious}
strategies:
  cautious: [prefer any(to and corners), lowest]
tests: null
"""


def test_random_games_of_a_search_draw_among_what_a_strategy_leaves() -> None:
    game = load_source(Source("spec.yaml", CORNERS_FIRST), engine="interpreter")
    start = game.initial_state()
    after = game.apply(game.apply(start, "a1"), "c1")
    drawn = [
        ["".join(game.program.topology.names[s.target] for s in steps) for steps in moves]
        for moves in map(game.machine.likely, (start, after))
    ]
    assert drawn == [["a1", "c1"], ["a3", "c3"]]
    assert len(game.legal_moves(start)) == 9


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_engines_draw_alike_by_a_strategy(backend: str) -> None:

    game, other = (
        load_source(Source("spec.yaml", CORNERS_FIRST), engine=engine)
        for engine in ("interpreter", backend)
    )
    assert tree_of(other, game.initial_state(), 60) == (
        backend,
        tree_of(game, game.initial_state(), 60)[1],
    )


def test_logarithms_and_roots_are_right() -> None:
    for n in (2, 3, 10, 1000, 4095):
        assert abs(logarithm(n) / 65536 - log(n)) < 1e-4
    memory = Memory(tree_layout.OWN)
    fill_tables(memory)
    for n in (1, 2, 100, 4095):
        assert abs(memory.numbers[tree_layout.ROOTS + n] / 65536 - n**-0.5) < 1e-4
        assert abs(memory.numbers[tree_layout.LOGS + n] / 65536 - log(max(n, 2)) ** 0.5) < 1e-4


# budgets and results


def test_the_value_of_a_won_game_counts_the_plies_to_its_end() -> None:
    game = loaded("tic-tac-toe")
    state = game.initial_state()
    for text in ("a1", "b1", "a2", "b2"):
        state = game.apply(state, text)
    result = game.search(state, plies=4)
    assert (str(result.move), result.value, result.unit) == ("a3", 10**6 - 1, "plies")
    assert [str(move) for move in result.line] == ["a3"]
    assert str(result.moves[0][1]) == "win in 1"


@pytest.mark.slow
def test_the_value_of_a_game_of_points_is_in_points() -> None:
    """4x4 Othello is won by the second player by 8 (Takeshita et al., 2015)."""
    result = rulesengine.load("othello", n=4, engine="auto").search(plies=20)
    assert (result.value, result.unit, result.whole) == (-8, "points", True)


@pytest.mark.slow
def test_a_search_for_the_score_at_the_end_goes_deeper_by_half_each_time() -> None:
    depths = list[int]()
    game = rulesengine.load("othello", n=4, engine="python")
    game.search(plies=layout.DEEPEST, each=lambda found: depths.append(found.depth))
    # 13 plies would leave none of the 12 cells: that iteration searches to the end, passes
    # included.
    assert depths == [1, 2, 3, 4, 6, 9, 24]


def test_in_games_of_points_few_replies_come_first() -> None:
    own = Memory(layout.ROOT)
    store(own, layout.KILLERS, 7)
    killer, other = move_priority(7, True, 0, own), move_priority(8, True, 0, own)
    assert killer > other
    assert (
        by_mobility(killer, 3)
        > by_mobility(other, 3)
        > by_mobility(killer, 4)
        > by_mobility(other, 300)
        >= 0
    )


@pytest.mark.slow
def test_the_line_is_played_from_the_position() -> None:
    game = loaded("connect-four")
    result = game.search(nodes=300)
    state = game.initial_state()
    for move in result.line:
        state = game.apply(state, move)
    assert result.nodes == 300
    assert result.line[0] == result.move


def test_a_search_of_no_time_has_a_move() -> None:
    game = loaded("othello")
    assert game.search(seconds=1e-9).move in game.legal_moves(game.initial_state())
    assert game.search(nodes=1).move in game.legal_moves(game.initial_state())


@pytest.mark.slow
@needs_native
def test_a_search_of_no_time_looks_as_far_as_takes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow for a busy processor that gives the process no time slice for so long."""
    monkeypatch.setattr(
        iterative_deepening, "_SHORT", 0.2
    )  # far more than the first round takes anywhere
    game = loaded("connect-four", "native")
    assert game.search(seconds=1e-9).depth > 1


def test_a_tree_that_has_not_begun_leaves_the_moves_in_their_order() -> None:
    game, job = loaded("othello"), Job()
    tree = TreeSearch(game._dispatcher, game.initial_state(), 4, Budget(playouts=9), 0)
    job.stop()
    with pytest.raises(rulesengine.Stopped):
        tree.run(job)
    tree._take()
    assert (tree.order, tree.line) == ([0, 1, 2, 3], ())
    assert [tree.value_of(number).number for number in range(4)] == [0, 0, 0, 0]


METHODS = "auto, alpha-beta, mcts, uct, grave, is-mcts, duct"


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        ({}, "say how long to search: seconds, nodes, plies or playouts"),
        ({"playouts": 9, "plies": 2}, "random games are counted by playouts, not by plies"),
        ({"nodes": 9, "method": "mcts"}, "random games are counted by playouts, not by nodes"),
        (
            {"playouts": 9, "method": "alpha-beta"},
            "alpha-beta counts nodes and plies: it plays no playouts",
        ),
        (
            {"plies": 1, "method": "magic"},
            f"no method `magic`: there is {METHODS}",
        ),
        ({"seconds": 0}, "a search needs more than 0 seconds, found 0"),
        ({"nodes": -1}, "a search needs more than 0 nodes, found -1"),
        ({"plies": 128}, "a search goes at most 127 plies deep, found 128"),
        ({"nodes": True}, "the limit of nodes is a whole number, found True"),
        ({"nodes": 10**400}, f"a search has at most {2**62} nodes, found 1{'0' * 39}"),
        ({"seconds": 10**400}, f"a search has at most {2**62} seconds, found 1{'0' * 39}"),
        ({"plies": 1, "memory": 0}, "the number of megabytes is at least 1, found 0"),
        ({"nodes": 2**62 + 1}, f"a search has at most {2**62} nodes, found {2**62 + 1}"),
        ({"nodes": 1.5}, "the limit of nodes is a whole number, found 1.5"),
        ({"plies": 2.0}, "the limit of plies is a whole number, found 2.0"),
        ({"playouts": math.inf}, "the limit of playouts is a whole number, found inf"),
        ({"nodes": 9, "method": None}, f"no method `None`: there is {METHODS}"),
        ({"nodes": 9, "evaluation": 1}, "the name of an evaluation is a text, found 1"),
        ({"playouts": 9, "seed": 1.5}, "the seed is a whole number, found 1.5"),
    ],
)
def test_a_budget_of_nothing_is_refused(budget: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        loaded("tic-tac-toe").search(**budget)
    assert str(caught.value) == message


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["interpreter", "python"])
def test_an_evaluation_that_fails_is_named(engine: str) -> None:
    text = """
spec: 1
name: Failing
extends: tic-tac-toe
rules: {evaluate: 9 / (count(own) - 1)}
tests: null
"""
    game = load_source(Source("spec.yaml", text), engine=engine)
    with pytest.raises(rulesengine.RulesError) as caught:
        game.search(nodes=50)
    assert str(caught.value).startswith("spec.yaml:5:19: a division by zero in `9 / (count(own)")


@pytest.mark.parametrize("evaluation", ["9 / (count(own) - 1)", "9223372036854775807 + plies"])
@pytest.mark.parametrize(
    "engine", ["interpreter", pytest.param("native", marks=[needs_native, pytest.mark.slow])]
)
def test_no_exact_value_needs_the_evaluation(engine: str, evaluation: str) -> None:
    text = "extends: tic-tac-toe\nname: Failing\ntests: null\nparameters: {m: {default: 2}}\n"
    game = rulesengine.loads(f"{text}rules: {{evaluate: {evaluation}}}\n", engine=engine)
    with pytest.raises(rulesengine.EvaluationError):
        game.search(nodes=50)
    solved = game.solve()
    assert solved.value == "draw"
    assert solved.move in game.legal_moves(game.initial_state())
    state = game.initial_state()
    for move in solved.line:
        state = game.apply(state, move)
    assert game.outcome(state) is not None


def test_an_exact_value_needs_all_other_rules() -> None:
    text = "extends: tic-tac-toe\nname: Failing\ntests: null\nparameters: {m: {default: 2}}\n"
    text += "rules:\n  evaluate: 1\n  end:\n    - {when: 1 / count(empty) < 0, result: draw}\n"
    with pytest.raises(rulesengine.EvaluationError, match="a division by zero"):
        rulesengine.loads(text, engine="interpreter").solve()


def test_a_game_that_is_over_is_not_searched() -> None:
    game = loaded("tic-tac-toe")
    state = game.initial_state()
    for text in ("a1", "b1", "a2", "b2", "a3"):
        state = game.apply(state, text)
    with pytest.raises(UsageError, match="the game is over"):
        game.search(state, plies=1)


def test_a_job_counts_positions_and_stops_a_search() -> None:
    game, job = loaded("tic-tac-toe"), Job()
    result = game.search(plies=2, job=job)
    assert job.done == result.nodes
    job.stop()
    with pytest.raises(rulesengine.errors.Stopped):
        game.search(plies=2, job=job)


@needs_native
@pytest.mark.slow
def test_threads_share_the_table_and_find_as_much() -> None:
    game = rulesengine.load("connect-four", rows=4, columns=4, engine="native")
    alone, shared = game.search(plies=16), game.search(plies=16, threads=2)
    assert (shared.value, shared.whole) == (alone.value, alone.whole) == (0, True)
    with pytest.raises(UsageError, match="threads is at least 1"):
        game.search(plies=1, threads=0)


@pytest.mark.slow
def test_the_second_player_of_the_smallest_othello_is_never_below_its_value() -> None:
    """4x4: the second player wins by 8, and by more against random play."""
    game = rulesengine.load("aps105-reversi", n=4)
    state, draw = game.initial_state(), random.Generator(0, 0)
    while game.outcome(state) is None:
        moves = game.legal_moves(state)
        is_ours = state.mover == "white"
        move = game.search(state, plies=20).move if is_ours else moves[draw.below(len(moves))]
        state = game.apply(state, move)
    scores = game.scores(state)
    assert scores["white"] - scores["black"] >= 8


@pytest.mark.slow
@pytest.mark.parametrize("engine", [pytest.param("interpreter", marks=pytest.mark.deep), *BACKENDS])
def test_a_strategy_may_be_a_search(engine: str) -> None:
    text = """
spec: 1
name: Searching
extends: tic-tac-toe
strategies:
  first: {search: {plies: 9}}
  last: {search: {plies: 9}, then: [lowest, rightmost]}
  lucky: {search: {playouts: 50}}
rules: {evaluate: count(own and corners)}
tests: null
"""
    game = load_source(Source("spec.yaml", text), engine=engine)
    start = game.initial_state()
    # All first moves draw.
    assert [str(game.choose(name, start)) for name in ("first", "last")] == ["a3", "c1"]
    assert game.choose("lucky", start) in game.legal_moves(start)


@pytest.mark.slow
def test_games_that_repeat_are_solved_through_all_their_positions() -> None:
    """Compare with a plain enumeration: `tests/search/test_retrograde.py`."""
    draw, won = rulesengine.load("mu-torere").solve(), rulesengine.load("three-mens-morris").solve()
    assert (draw.value, draw.distance) == ("draw", None)
    assert (won.value, won.distance, won.move) == ("win", 9, won.line[0])


def test_unsolved_position_has_no_value() -> None:
    solved = loaded("breakthrough").solve(nodes=50)
    assert (solved.value, solved.move, solved.line) == (None, None, ())
    with pytest.raises(UsageError, match="more than 0 nodes"):
        loaded("breakthrough").solve(nodes=0)


@needs_native
@pytest.mark.slow
@pytest.mark.parametrize(
    ("plies", "playouts"),
    [
        pytest.param(3, None, marks=pytest.mark.deep),
        pytest.param(None, 600, marks=pytest.mark.deep),
    ],
)
def test_kernels_search_with_a_line_of_play_behind_them_in_any_thread(
    monkeypatch: pytest.MonkeyPatch, plies: int | None, playouts: int | None
) -> None:
    """Check that the history goes into one thread's own memory, and into no other one."""
    native = rulesengine.load("go", engine="native", n=3)
    python = rulesengine.load("go", engine="python", n=3)
    state = native.initial_state()
    for text in ("a1", "b2", "c3", "pass"):
        state = native.apply(state, text)
    # No iteration is too short for a thread.
    monkeypatch.setattr(iterative_deepening, "_SHORT", -1.0)
    monkeypatch.setattr(tree, "_SERIAL_PLAYOUTS", -1)
    expected = python.search(state, plies=plies, playouts=playouts, seed=1)
    monkeypatch.setattr(MoveSearch, "_interpreted", _has_failed)
    found = native.search(state, plies=plies, playouts=playouts, seed=1)
    assert (found.move, found.nodes, found.moves) == (expected.move, expected.nodes, expected.moves)


def _has_failed(self: MoveSearch) -> None:
    raise AssertionError("a kernel has failed")
