"""Legal moves as a sequence, and states, moves and outcomes as values."""

import contextlib
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, Move, Moves, Outcome, State, UsageError
from rulesengine.engine.moves import MoveFactory
from tests.helpers.engine_comparison import needs_native

ENGINES = ("interpreter", "python", "native")
NAMES = ("tic-tac-toe", "english-draughts", "gomoku", "nine-mens-morris")


@cache
def game(name: str, engine: str) -> Game:
    if engine == "native":
        pytest.importorskip("llvmlite")
    return rulesengine.load(name, engine=engine)


@pytest.mark.slow
@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", NAMES)
def test_moves_are_a_sequence(name: str, engine: str) -> None:
    found = game(name, engine)
    state = found.initial_state()
    moves = found.legal_moves(state)
    every = tuple(moves)
    count = len(every)
    assert len(moves) == count
    assert moves == every
    assert every == tuple(moves)
    assert moves != every[:-1]
    assert moves != every[::-1]
    assert [moves[i] for i in range(-count, count)] == [*every, *every]
    assert (moves[1:3], moves[::-2], moves[:]) == (every[1:3], every[::-2], every)
    assert list(reversed(moves)) == list(reversed(every))
    assert all(move in moves for move in every[:50])
    assert moves.index(every[2]) == 2
    assert moves.count(every[0]) == 1
    for other in ("a1", None):
        assert other not in moves
    for index in (count, -count - 1, 10**9):
        # A list that was computed before may be a tuple.
        with pytest.raises(IndexError, match=f"there are {count} legal moves|tuple index"):
            moves[index]
    assert hash(moves) == hash(every)
    assert pickle.loads(pickle.dumps(moves)) == every
    assert [str(m) for m in pickle.loads(pickle.dumps(moves))] == [str(m) for m in moves]


def test_moves_are_shown_shortly() -> None:
    found = game("tic-tac-toe", "interpreter")
    moves = found.legal_moves(found.initial_state())
    assert isinstance(moves, Moves)
    assert repr(moves) == "<9 moves: a3 b3 c3 a2 b2 c2 a1 b1 …>"
    assert repr(moves[0]) == "<Move a3>"
    end = found.state_from("xxx\noo.\n...\nmover: nought")
    assert repr(found.legal_moves(end)) == "<no moves>"
    assert repr(end) == "<State: nought to move, 5 of 9 cells taken>"


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_move_notation_includes_captures(engine: str) -> None:
    found = game("breakthrough", engine)
    start = found.initial_state()
    near = 1 << start.cell("c6") | 1 << start.cell("h8")
    mine = 1 << start.cell("b5")
    planes = (mine, near, *start.planes[2:])
    state = State(planes, 0, start.registers, (), start.form)
    assert {str(move) for move in found.legal_moves(state)} == {"b5-a6", "b5-b6", "b5xc6"}


def test_contents_of_moves_and_states() -> None:
    found = game("tic-tac-toe", "native")
    state = found.apply(found.initial_state(), "b2")
    assert (state.piece_at("b2"), state.piece_at(4), state.piece_at("a1")) == ("x", "x", None)
    assert state.cell("b2") == state.cell(4) == 4
    for wrong in ("z9", 9, -1, None, 1.5):
        with pytest.raises(UsageError, match=r"no cell .*: they are a3 to c1"):
            state.piece_at(wrong)  # type: ignore[arg-type]
    for attribute in ("planets", "__deepcopy__"):
        with pytest.raises(AttributeError):
            getattr(state, attribute)
    with pytest.raises(AttributeError):
        getattr(found.legal_moves(state)[0], "colour")  # noqa: B009
    with pytest.raises(AttributeError):
        state.side = 0  # type: ignore[misc]


def test_outcomes_are_equal_and_hash_by_what_they_say() -> None:
    one, other = (
        Outcome("a", "line", dict(s)) for s in ((("a", 1), ("b", 2)), (("b", 2), ("a", 1)))
    )
    assert one == other
    assert {one: 1}[other] == 1
    assert len({one, other, Outcome(None, "line")}) == 2


def test_a_move_made_by_hand_has_its_words() -> None:
    found = game("english-draughts", "native")
    for move in found.legal_moves(found.initial_state()):
        assert Move(move.steps, "any").words == move.words
        assert Move(move.steps, "any") == move


def test_states_that_kernels_make_are_states() -> None:
    found = game("english-draughts", "native")
    state = found.initial_state()
    for _ in range(6):
        state = found.apply(state, found.legal_moves(state)[0])
    made = State(state.planes, state.side, state.registers, state.history, state.form, state.seats)
    assert (made, hash(made), str(made)) == (state, hash(state), str(state))
    assert made.packed == state.packed


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["gomoku", "breakthrough", "english-draughts"])
def test_a_listed_move_is_not_searched_for_again(
    name: str, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = rulesengine.load(name, engine=engine)
    state = found.initial_state()
    moves = list(found.legal_moves(state))
    checks: list[bool] = []
    plain = found._dispatcher.apply

    def apply(*args: object, check: bool) -> State | None:
        checks.append(check)
        return plain(*args, check=check)  # type: ignore[arg-type]

    monkeypatch.setattr(found._dispatcher, "apply", apply)
    slow = Game.apply.__get__(found)
    for move in moves:
        slow(state, move)
    assert checks == [False] * len(moves)
    slow(state, Move(moves[0].steps, ""))
    again = found.state_from(str(state))
    slow(again, moves[0])
    assert checks[-1]


def test_moves_have_those_of_their_state_alone() -> None:
    found = game("gomoku", "interpreter")
    state = found.initial_state()
    moves = found.legal_moves(state)
    assert isinstance(moves, Moves)
    after = found.apply(state, moves[0])
    later = found.legal_moves(after)
    assert isinstance(later, Moves)
    assert all(moves.has(move, state) for move in moves)
    assert not moves.has(moves[0], after)
    assert not later.has(moves[0], after)
    assert all(later.has(move, after) for move in later)
    both = Move((moves[1].steps[0], moves[2].steps[0]), "")
    assert not moves.has(both, state)


@needs_native
def test_moves_that_were_listed_before_kernels_serve_stay_what_they_are() -> None:
    game = rulesengine.load("english-draughts", engine="native")
    start = game.initial_state()
    first = game.legal_moves(start)
    for _ in range(3):
        later = game.legal_moves(start)
    assert type(later) is not type(first)
    assert [str(first[i]) for i in range(len(first))] == [str(move) for move in later]


def test_the_moves_that_there_can_be_are_the_same_for_threads_that_ask_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make, met = MoveFactory._all, threading.Barrier(2, timeout=1)

    def late(self: MoveFactory) -> Any:
        with contextlib.suppress(threading.BrokenBarrierError):
            met.wait()  # for the other thread, which must not come here
        return make(self)

    monkeypatch.setattr(MoveFactory, "_all", late)
    maker = rulesengine.load("tic-tac-toe", engine="interpreter")._maker
    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(lambda _: maker.every(), range(2))
    assert one is other
