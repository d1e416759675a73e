"""Null moves: the games that have them, the position after one, and threats that they must show."""

from collections.abc import Iterator

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.evaluation import null_moves
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.job import Job
from rulesengine.search.iterative_deepening import AlphaBeta

BACKENDS = tuple(sorted(backend.name for backend in working()))


@pytest.mark.parametrize("name", ["chess", "xiangqi", "los-alamos"])
def test_games_with_a_royal_piece_have_null_moves(name: str) -> None:
    assert null_moves(rulesengine.load(name).machine) is not None


@pytest.mark.parametrize(
    "name",
    ["english-draughts", "international-draughts", "breakthrough", "othello", "backgammon", "go"],
)
def test_other_games_have_none(name: str) -> None:
    assert null_moves(rulesengine.load(name).machine) is None


def test_a_null_move_forgets_the_last_move_and_changes_the_side() -> None:
    game = rulesengine.load("chess")
    state = game.initial_state()
    for text in ("e2e4", "a7a6", "e4e5", "d7d5"):
        state = game.apply(state, text)
    assert "passed: d6" in str(state)
    after = game._dispatcher.interpreted.search_functions().passed(state)
    assert after.planes == state.planes
    assert (state.mover, after.mover) == ("white", "black")
    assert "passed: d6" not in str(after)
    assert "e5d6" in map(str, game.legal_moves(state))


def test_a_side_with_pawns_alone_may_not_pass() -> None:
    game = rulesengine.load("chess")
    functions = game._dispatcher.interpreted.search_functions()
    rows = "....k...\np.......\n........\n........\n........\n........\n.....{}..\n....K...\n"
    fields = "mover: white\nrights: none\n"
    assert not functions.may_pass(game.state_from(rows.format("P") + fields))
    assert functions.may_pass(game.state_from(rows.format("N") + fields))


def mates(game: Game) -> Iterator[State]:
    """Yield positions in which white mates at once on the last row."""
    for board in (
        "k.......\n........\n.K......\n........\n........\n........\n........\n.......R\n",
        "....k...\nR.......\n.R......\n........\n........\n........\n........\n....K...\n",
    ):
        yield game.state_from(board + "mover: white\nrights: none\n")


@pytest.mark.slow
@pytest.mark.parametrize("engine", BACKENDS)
def test_pruning_hides_no_mate(engine: str) -> None:
    game = rulesengine.load("chess", engine=engine)
    for state in mates(game):
        found = game.search(state, nodes=3000)
        assert found.unit == "plies"
        assert found.value == 10**6 - 1


# White mates in two moves: by two rooks, also next to a knight that lets black pass, and by a move
# that waits until black must move.
LADDER = "........\n....k...\nR.......\n.R......\n........\n.......{}\n........\n....K...\n"
WAITING = ".k......\n........\n.K......\n........\n........\n........\n........\n..R.....\n"
SMALL = "......\n....k.\nR.....\n.R....\n......\n...K.{}\n"
FORCED = (
    ("chess", LADDER.format(".")),
    ("chess", LADDER.format("n")),
    ("chess", WAITING),
    pytest.param("los-alamos", SMALL.format("."), marks=pytest.mark.deep),
    pytest.param("los-alamos", SMALL.format("n"), marks=pytest.mark.deep),
)


def searched(game: Game, state: State, nodes: int, *, prunes: bool) -> AlphaBeta:
    """Return a search of some positions, with or without pruning."""
    count = len(game.legal_moves(state))
    search = AlphaBeta(game._dispatcher, state, count, Budget(nodes=nodes), 1 << 14)
    search.own.numbers[layout.PRUNES] = int(prunes)
    search.run(Job())
    return search


@pytest.mark.slow
@pytest.mark.parametrize(("name", "board"), FORCED)
def test_pruning_changes_no_forced_mate(name: str, board: str) -> None:
    game = rulesengine.load(name, engine=BACKENDS[0])
    fields = "mover: white\n" + ("rights: none\n" if name == "chess" else "")
    state = game.state_from(board + fields)
    for prunes in (False, True):
        search = searched(game, state, 20_000, prunes=prunes)
        assert search.value == layout.WON - 3, (prunes, search.depth)


@pytest.mark.deep
def test_engines_prune_the_same_positions() -> None:
    games = [rulesengine.load("los-alamos", engine=engine) for engine in BACKENDS]
    games.append(rulesengine.load("los-alamos", engine="interpreter"))
    board = "...k..\n.p....\n.n....\n..P...\n......\n.R.K..\n"
    state = games[0].state_from(board + "mover: white\n")
    found = []
    for game in games:
        search = searched(game, state, 500, prunes=True)
        found.append((search.values, search.nodes, search.depth, search.line))
    assert all(other == found[0] for other in found)
    plain = searched(games[0], state, 500, prunes=False)
    assert (plain.values, plain.nodes, plain.depth, plain.line) != found[0]
    assert found[0][2] > layout.NULL_DEPTH


def test_a_search_by_plies_does_not_prune() -> None:
    game = rulesengine.load("los-alamos", engine="python")
    state, plain = game.initial_state(), layout.PRUNES
    count = len(game.legal_moves(state))
    for budget, expected in ((Budget(plies=2), 0), (Budget(nodes=50), 1)):
        search = AlphaBeta(game._dispatcher, state, count, budget, 1 << 10)
        search.run(Job())
        assert search.own.numbers[plain] == expected
