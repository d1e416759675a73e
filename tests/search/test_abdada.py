"""Threads of alpha-beta defer moves that another thread searches, with the same result."""

import pytest

import rulesengine
from rulesengine import Game
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.random import word
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.drivers.search.abdada import (
    busy_key,
    clear_busy,
    is_busy,
    mark_busy,
    part,
)
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.job import Job
from rulesengine.search.helper_threads import HelperMemories
from rulesengine.search.iterative_deepening import AlphaBeta
from rulesengine.search.null_window import NullWindow
from tests.helpers.engine_comparison import needs_native
from tests.search.test_search import Plain

pytestmark = pytest.mark.usefixtures("in_haste")

ENGINES = ("interpreter", *(backend.name for backend in working()))
ENTRIES = 4 * layout.BUSY_SLOTS


def test_a_move_that_another_thread_looks_at_comes_last() -> None:
    own, table, key = Memory(layout.ROOT + 8), Memory(layout.BUSY_SLOTS), word(7)
    for place in range(4):
        own.numbers[layout.ROOT + place] = place
    assert part(key, 1, 4, own, table) == 1
    mark_busy(busy_key(key, 1), own, table)
    assert is_busy(busy_key(key, 1), own, table)
    assert not is_busy(busy_key(word(8), 1), own, table)
    assert (part(key, 1, 4, own, table), _order(own)) == (2, [0, 2, 3, 1])
    for number in (2, 3):
        mark_busy(busy_key(key, number), own, table)
    assert (part(key, 1, 4, own, table), _order(own)) == (2, [0, 2, 3, 1])
    clear_busy(busy_key(key, 3), own, table)
    assert part(key, 1, 4, own, table) == 3


def _order(own: Memory) -> list[int]:
    return [own.numbers[layout.ROOT + place] for place in range(4)]


def searched(game: Game, plies: int, *, away: bool) -> AlphaBeta:
    """Run a search; with `away`, another thread has claimed every other move of the first two
    plies.
    """
    state = game.initial_state()
    moves = game.legal_moves(state)
    search = AlphaBeta(game._dispatcher, state, len(moves), Budget(plies=plies), ENTRIES)
    search._helpers._place = len(search.table) - layout.BUSY_SLOTS
    search._helpers.ready(search.own)
    judged, sides = search._interpreted(), len(game.players)
    for at in (state, *(game.apply(state, move) for move in moves)) if away else ():
        key = judged.canonical(word(sides), at)
        for number in range(1, len(moves), 2):
            mark_busy(busy_key(key, number), search.own, search.table)
    search.run(Job())
    return search


@pytest.mark.parametrize("engine", ENGINES)
def test_deferred_moves_are_searched(engine: str) -> None:
    game = rulesengine.load("connect-four", rows=4, columns=4, engine=engine)
    state, plies = game.initial_state(), 5
    plain = Plain(game, state)
    values = [plain.value(game.apply(state, m), plies - 1, 1) for m in game.legal_moves(state)]
    for away in (False, True):
        search = searched(game, plies, away=away)
        assert (search.value, search.order[0]) == (max(values), values.index(max(values)))


def test_the_order_of_moves_follows_who_looks_at_them_in_every_engine() -> None:
    found = []
    for engine in ENGINES:
        game = rulesengine.load("connect-four", rows=4, columns=4, engine=engine)
        alone, parted = (
            searched(game, layout.ABDADA_DEPTH + 2, away=away) for away in (False, True)
        )
        assert (parted.value, parted.order[0]) == (alone.value, alone.order[0])
        assert parted.nodes != alone.nodes
        found.append((alone.nodes, parted.nodes, parted.values))
    assert all(one == found[0] for one in found)


@needs_native
def test_parallel_solver_matches_a_single_thread() -> None:
    game = rulesengine.load("connect-four", rows=4, columns=5, engine="native")
    state = game.initial_state()
    window = NullWindow(game._dispatcher, state, Budget(), ENTRIES, 2)
    assert window.reaches(state, 0, 0) is True
    assert window.reaches(state, 0, 1) is False
    assert window.nodes > window.own.numbers[layout.NODES]


def test_one_thread_puts_nothing_off() -> None:
    own, table = Memory(layout.ROOT), Memory(4 * layout.BUSY_SLOTS)
    own.numbers[layout.ENTRIES] = 1
    for threads, place in ((1, 0), (2, 3 * layout.BUSY_SLOTS)):
        assert len(HelperMemories(own, table, threads).ready(own)) == threads - 1
        assert own.numbers[layout.BUSY_AT] == place
