"""Searches of some root moves alone, against plain negamax."""

from itertools import pairwise

import pytest

import rulesengine
from rulesengine import Game
from rulesengine.errors import IllegalMoveError, NotationError, UsageError
from tests.helpers.cli_calls import call
from tests.helpers.engine_comparison import needs_native
from tests.search.test_multi_pv import DEPTH, OTHELLO, negamax, position

TIC_TAC_TOE = rulesengine.load("tic-tac-toe", engine="interpreter")
CHESS = rulesengine.load("chess", engine="interpreter")


@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("lines", [1, 2])
def test_value_is_that_of_the_best_root_move_by_negamax(seed: int, lines: int) -> None:
    state = position(seed)
    moves = [str(move) for move in OTHELLO.legal_moves(state)]
    for pair in pairwise(sorted(moves, key=lambda move: negamax(state, move, DEPTH))):
        found = OTHELLO.search(state, plies=DEPTH, root_moves=pair, evaluation="rules", lines=lines)
        values = {move: negamax(state, move, DEPTH) for move in pair}
        assert found.value == max(values.values()) == values[str(found.move)]
        assert {str(move) for move, _ in found.moves} == set(pair)
        assert found.line[0] == found.move
        if lines > 1:
            assert [line.value for line in found.lines] == sorted(values.values(), reverse=True)


def test_all_moves_as_root_moves_change_nothing() -> None:
    state = position(1)
    moves = OTHELLO.legal_moves(state)
    every, free = (OTHELLO.search(state, nodes=300, root_moves=some).moves for some in (moves, ()))
    assert every == free


def test_nodes_are_those_below_the_root_moves() -> None:
    state, move = position(2), OTHELLO.legal_moves(position(2))[-1]
    found = OTHELLO.search(state, plies=1, root_moves=[move])
    assert (found.nodes, found.moves[0][0], len(found.moves)) == (1, move, 1)


@pytest.mark.parametrize("method", ["grave", "uct"])
def test_tree_search_chooses_among_the_root_moves(method: str) -> None:
    state = TIC_TAC_TOE.initial_state()
    for text in ("b2", "a1"):
        state = TIC_TAC_TOE.apply(state, text)
    found = TIC_TAC_TOE.search(state, playouts=200, method=method, root_moves=["b1", "c1"], seed=3)
    assert {str(move) for move, _ in found.moves} == {"b1", "c1"}
    assert found.line[0] == found.move


def test_tree_search_of_root_moves_is_whole_if_their_values_are_proven() -> None:
    state = TIC_TAC_TOE.initial_state()
    for text in ("a1", "a2", "b1", "b2"):
        state = TIC_TAC_TOE.apply(state, text)
    won = TIC_TAC_TOE.search(state, playouts=400, root_moves=["c1"])
    assert (won.value, won.whole, str(won.move)) == (1000, True, "c1")
    # Every other move but `c2` loses to `c2`; a free search would choose `c1`.
    lost = TIC_TAC_TOE.search(state, playouts=2000, root_moves=["a3", "b3"])
    assert (lost.value, lost.whole) == (-1000, True)


def test_the_choice_with_noise_is_a_root_move() -> None:
    chosen = {
        str(CHESS.search(plies=1, noise=3.0, seed=seed, root_moves=["a2a3", "h2h3"]).move)
        for seed in range(12)
    }
    assert chosen == {"a2a3", "h2h3"}


def test_a_single_player_searches_the_root_moves() -> None:
    game = rulesengine.load("peg-solitaire", engine="interpreter")
    moves = game.legal_moves(game.initial_state())
    for found in (
        game.search(root_moves=moves[-1:], playouts=30),
        game.search(root_moves=moves[-1:], nodes=50),
    ):
        assert found.move == found.line[0] == moves[-1]


def test_root_moves_are_legal_moves_of_a_state() -> None:
    with pytest.raises(NotationError, match="`a9` names no move"):
        TIC_TAC_TOE.search(plies=2, root_moves=["a9"])
    first = TIC_TAC_TOE.legal_moves(TIC_TAC_TOE.initial_state())[0]
    state = TIC_TAC_TOE.apply(TIC_TAC_TOE.initial_state(), first)
    with pytest.raises(IllegalMoveError, match=f"`{first}` is not legal here"):
        TIC_TAC_TOE.search(state, plies=2, root_moves=[first])
    with pytest.raises(UsageError, match="expected a list of moves, found 'a1'"):
        TIC_TAC_TOE.search(plies=2, root_moves="a1")


@needs_native
@pytest.mark.parametrize("name", ["chess", "othello"])
def test_kernels_search_root_moves_as_the_interpreter(name: str) -> None:
    games: list[Game] = [
        rulesengine.load(name, engine=engine) for engine in ("interpreter", "native")
    ]
    moves = games[0].legal_moves(games[0].initial_state())[1:4]
    found = [
        game.search(nodes=200, root_moves=map(str, moves), lines=2, evaluation="rules")
        for game in games
    ]
    assert found[0].moves == found[1].moves
    assert found[0].lines == found[1].lines


def test_command_searches_the_root_moves() -> None:
    options = ("--plies", "2", "--root-move", "a2a3", "--root-move", "b1c3", "--json")
    found = call("search", "chess", *options, "--engine", "interpreter").json()
    assert {move["move"] for move in found["moves"]} == {"a2a3", "b1c3"}


def test_an_information_state_has_no_root_moves() -> None:
    game = rulesengine.load("kuhn-poker", engine="interpreter")
    state = game.information_state(["queen", "jack"], "first")
    with pytest.raises(UsageError, match="not of an information state"):
        game.search(state, playouts=5, root_moves=["bet"])
