"""A mutable game: pushed, popped, copied, closed."""

import copy
import pickle
import random
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from types import FrameType
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, IllegalMoveError, NotationError, Session, UsageError
from tests.helpers.rule_games import make

pytestmark = pytest.mark.usefixtures("in_haste")

ENGINES = ["interpreter", "python", "native", "auto"]


@pytest.fixture(params=ENGINES)
def game(request: pytest.FixtureRequest) -> Game:
    if request.param == "native":
        pytest.importorskip("llvmlite")
    return rulesengine.load("english-draughts", engine=request.param)


@pytest.mark.slow
def test_a_session_goes_where_states_go(game: Game) -> None:
    draw, state, session = random.Random(2), game.initial_state(), game.start()
    states, moves = [state], []
    for _ in range(30):
        legal = game.legal_moves(state)
        assert (session.state, session.legal, session.outcome()) == (
            state,
            legal,
            game.outcome(state),
        )
        if not legal:
            break
        move = draw.choice(legal)
        session.push(str(move) if draw.random() < 0.5 else move)
        state = game.apply(state, move)
        states.append(state)
        moves.append(move)
        assert session.mover == state.mover
    assert session.moves == tuple(moves)
    while moves:
        assert session.state == states.pop()
        assert session.pop() == moves.pop()
    assert session.state == game.initial_state()
    assert len(session) == 0


@pytest.mark.slow
def test_a_move_that_cannot_be_made_changes_nothing(game: Game) -> None:
    session = game.start()
    session.push(session.legal[0])
    before = session.state, session.moves
    wrong = game.legal_moves(game.initial_state())[0]
    for move, error in ((wrong, IllegalMoveError), ("z9", NotationError), (None, UsageError)):
        with pytest.raises(error):
            session.push(move)  # type: ignore[arg-type]
        assert (session.state, session.moves) == before


@pytest.mark.parametrize("call", ["push", "pop"])
def test_an_interrupted_session_is_before_the_move_or_after_it(call: str) -> None:
    game = rulesengine.load("tic-tac-toe")
    first, second = game.initial_state(), game.apply(game.initial_state(), "b2")
    after = {(): first, ("b2",): second, ("b2", "a1"): game.apply(second, "a1")}
    for number in count():
        session = game.start()
        session.push("b2")
        words = ("a1",) if call == "push" else ()
        finished = interrupted(number, partial(getattr(session, call), *words))
        assert session.state == after[tuple(map(str, session.moves))]
        if finished:
            return


def interrupted(number: int, call: Callable[[], object]) -> bool:
    """True if a call of a session ends before it has executed so many instructions of its own."""
    left = number

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.endswith("session.py"):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return False
    finally:
        sys.settrace(before)
    return True


def test_there_is_nothing_to_take_back_at_the_start(game: Game) -> None:
    middle = game.apply(game.initial_state(), game.legal_moves(game.initial_state())[0])
    for session in (game.start(), game.start(middle)):
        with pytest.raises(UsageError, match="no move to take back"):
            session.pop()
    assert session.state == middle


def test_a_copy_is_on_its_own() -> None:
    session = rulesengine.load("tic-tac-toe").start()
    session.push("b2")
    other = session.copy()
    other.push("a1")
    session.pop()
    assert [str(move) for move in other.moves] == ["b2", "a1"]
    assert (len(session), len(other)) == (0, 2)
    assert other.pop().text + other.pop().text == "a1b2"


BACK_AND_FORTH = """\
moves: {select: empty, do: carry first(occupied) to to}
end: []
"""


@pytest.mark.slow
def test_a_session_that_is_pickled_keeps_its_line_however_long_it_is() -> None:
    session = make(1, 2, BACK_AND_FORTH, "start: [put rock on a1]").start()
    for text in ("b1", "a1") * 1000:
        session.push(text)
    for other in (pickle.loads(pickle.dumps(session)), copy.deepcopy(session)):
        assert (other.moves, other.state) == (session.moves, session.state)
        assert [other.pop().text for _ in range(3)] == ["a1", "b1", "a1"]
        assert len(other) == 1997
    session.close()
    assert repr(pickle.loads(pickle.dumps(session))).endswith("closed>")


def test_a_closed_session_says_so() -> None:
    game = rulesengine.load("tic-tac-toe")
    with game.start() as session:
        session.push("b2")
        assert bool(session)
    session.close()
    assert repr(session) == "<Session of Tic-tac-toe, closed>"
    calls = (
        lambda: session.state,
        lambda: session.legal,
        lambda: session.moves,
        lambda: session.mover,
        lambda: session.push("a1"),
        session.pop,
        session.outcome,
        session.copy,
    )
    for call in calls:
        with pytest.raises(UsageError, match="this session is closed"):
            call()


def test_a_state_of_another_game_begins_no_session() -> None:
    other = rulesengine.load("othello").initial_state()
    with pytest.raises(UsageError, match="another game"):
        rulesengine.load("tic-tac-toe").start(other)


def test_session_repr_shows_the_state() -> None:
    session = rulesengine.load("tic-tac-toe").start()
    session.push("b2")
    assert isinstance(session, Session)
    assert repr(session) == "<Session of Tic-tac-toe, 1 moves, nought to move>"
    assert str(session) == str(session.state)
    assert session.game.name == "Tic-tac-toe"
