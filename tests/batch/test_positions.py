"""Single games in progress: the same as a batch of that game, without a batch."""

import copy
import pickle
from itertools import pairwise

import numpy as np
import pytest

import rulesengine
from rulesengine import EvaluationError, Game, UsageError
from rulesengine.batch import Batch, Observer
from rulesengine.batch.mutable_position import MutableGame
from rulesengine.batch.position import Position
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.loading import load_source
from rulesengine.support.resources import open_names
from rulesengine.support.source import Source
from tests.batch.test_batches import FAILING, LISTING_FAILS

NATIVE = next((backend.name for backend in working()), "interpreter")
# Together these have chains with and without a stop, chance, three players, a history, a swap.
QUICK = frozenset({"konane", "pig", "three-player-tic-tac-toe", "popout", "hex-pie", "kalah"})
PLIES = 5


def load(name: str, engine: str = "interpreter") -> Game:
    return rulesengine.load(name, engine=engine)


def games() -> list[object]:
    """Return a few games for the interpreter, and those cheapest to compile for kernels; others are
    deep.
    """
    return [
        pytest.param(name, engine, marks=() if name in quick else (pytest.mark.deep,))
        for engine, quick in (("interpreter", QUICK), (NATIVE, {"connect-four"}))
        for name in sorted(open_names())
    ]


def alike(position: Position, batch: Batch, observer: Observer) -> None:
    """Check that a position equals a batch of one, bit for bit."""
    assert position.state == batch.state(0)
    assert position.taken == batch.taken(0)
    assert (position.mover, position.over) == (batch.mover[0], batch.over[0])
    assert (position.plies, position.payoffs) == (batch.plies[0], batch.payoffs[0].tolist())
    assert position.mask == batch.mask[0].tobytes()
    assert list(position.legal) == np.flatnonzero(batch.mask[0]).tolist()
    for player in range(len(batch.payoffs[0])):
        for is_to_move in (False, True):
            planes = observer.planes(position.packed, player, is_to_move)
            assert np.array_equal(planes[:-1], batch.observe(player)[0])
            assert (planes[-1] == is_to_move).all()
    assert np.array_equal(observer.numbers(position.packed), batch.numbers()[0])


@pytest.mark.parametrize(("name", "engine"), games())
def test_position_matches_a_batch_of_one(name: str, engine: str) -> None:
    game = load(name, engine)
    batch, observer = game.batch(1, seed=3), Observer(game)
    position = game.batch(1).stepper().start.restarted(3)
    for _ in range(PLIES):
        alike(position, batch, observer)
        batch.step()
        position = position.drawn()
    alike(position, batch, observer)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "engine"),
    [("konane", "interpreter"), ("popout", "interpreter"), ("tic-tac-toe", NATIVE)],
)
def test_a_position_goes_on_from_anywhere(name: str, engine: str) -> None:
    start = load(name, engine).batch(1).stepper().start
    line = [start]
    for _ in range(PLIES):
        line.append(line[-1].after(line[-1].legal[0]))
    # Return to each position, in another order than they were played: no trace of the others is
    # left.
    for before, after in reversed(list(pairwise(line))):
        again = before.after(before.legal[0])
        assert (again.record, again.shown, again.state) == (after.record, after.shown, after.state)
    other = pickle.loads(pickle.dumps(line[3])).after(line[3].legal[0])
    assert (other.record, other.state) == (line[4].record, line[4].state)
    assert copy.deepcopy(line[3]) is line[3]


def test_draws_go_on_after_a_new_game() -> None:
    start = load("pig").batch(1).stepper().start
    rolled = start.after(start.legal[0]).drawn()
    again = rolled.restarted()
    assert again.state == start.state
    assert again.record[:8] == rolled.record[:8] != start.record[:8]
    assert rolled.restarted(0).record == start.record


def test_an_action_that_is_not_legal_is_refused() -> None:
    start = load("tic-tac-toe", NATIVE).batch(1).stepper().start
    for action in (-3, -2, -1, 9, 2**40):
        assert start.step_if_legal(action) is None
        with pytest.raises(UsageError, match=f"action {action} is not legal here"):
            start.after(action)


@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize("engine", ["interpreter", NATIVE])
def test_rules_that_fail_name_the_ply_and_leave_the_position(engine: str) -> None:
    # A player with a piece who takes the first cell has two, which is more than `few` holds.
    game = load_source(Source("failing.yaml", FAILING), engine=engine)
    third = game.batch(1).stepper().start.after(1).after(2)
    with pytest.raises(EvaluationError, match=r"failing.yaml:12.*\(ply 3\)"):
        third.after(0)
    assert third.legal == (0,)
    with pytest.raises(EvaluationError, match=r"failing.yaml:12.*\(ply 3\)"):
        third.after(0)


@pytest.mark.slow
@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize("engine", ["interpreter", NATIVE])
def test_a_game_in_progress_equals_its_positions(engine: str) -> None:
    game = load("popout", engine)
    underway, position = MutableGame(game), game.batch(1).stepper().start.restarted(3)
    underway.reset(3)
    for number in range(PLIES):
        draws = number % 2 == 0
        action = position.legal[-1]
        if draws:
            underway.draw()
        else:
            assert underway.step(action)
        position = position.drawn() if draws else position.after(action)
        now = underway.position
        assert (now.record, now.shown, now.state) == (
            position.record,
            position.shown,
            position.state,
        )
        assert (underway.mover, underway.payoffs) == (position.mover, position.payoffs)
        assert not any(underway.step(wrong) for wrong in (-3, -1, 2**40))
    underway.reset(None)
    assert underway.position.record == position.restarted().record


@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize(("text", "wrong"), [(FAILING, 0), (LISTING_FAILS, 3)])
@pytest.mark.parametrize("engine", ["interpreter", NATIVE])
def test_rules_that_fail_leave_a_game_under_way(engine: str, text: str, wrong: int) -> None:
    underway = MutableGame(load_source(Source("failing.yaml", text), engine=engine))
    assert underway.step(1)
    assert underway.step(2)
    before = underway.position
    for _ in range(2):
        with pytest.raises(EvaluationError, match=r"failing.yaml:1[02].*\(ply 3\)"):
            underway.step(wrong)
        after = underway.position
        assert after.record == before.record
        assert (after.legal, after.mask, underway.mover) == (before.legal, before.mask, 0)
