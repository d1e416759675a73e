"""Batches: parallel games are the same in every engine; argument errors."""

import os
import pickle
import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rulesengine
from rulesengine import EvaluationError, Game, State, UsageError
from rulesengine.batch import Batch, Observer
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.batch.outputs import slot_of
from rulesengine.engine.drivers.memory import STOP, Memory
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.errors import Stopped
from rulesengine.loading import load_source
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source
from tests.helpers.each_game import LONG_TO_MAKE

ENGINES = ("interpreter", *(backend.name for backend in working()))
GAMES, STEPS = 4, 8
ARRAYS = ("mover", "mask", "over", "payoffs", "plies")
# Together these have chains with and without a stop, chance, three players, a history, a swap.
QUICK = frozenset({"konane", "pig", "three-player-tic-tac-toe", "popout", "hex-pie", "kalah"})


def load(name: str, engine: str = "interpreter") -> Game:
    return rulesengine.load(name, engine=engine)


def alike(one: Batch, other: Batch) -> None:
    for name in ARRAYS:
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    for number in range(len(one)):
        assert one.state(number) == other.state(number)
        assert one.taken(number) == other.taken(number)


def as_defined(game: Game, batch: Batch) -> None:
    """Check the observations of a batch against the interpreter's view of its states."""
    for number in range(len(batch)):
        state = batch.state(number)
        legal = game.actions.legal(state, batch.taken(number))
        assert np.flatnonzero(batch.mask[number]).tolist() == sorted(legal)
        outcome = game.outcome(state)
        assert batch.over[number] == (not legal)
        paid = list(outcome.payoffs.values()) if outcome else [0] * len(game.players)
        assert batch.payoffs[number].tolist() == paid
        if not legal:
            assert batch.mover[number] == -2
        elif game.machine.is_chance(state):
            assert batch.mover[number] == -1
        else:
            assert game.players[batch.mover[number]] == state.mover


def compared(name: str, engine: str, steps: int = STEPS) -> None:
    """Check at every step that a batch of an engine equals one of the interpreter."""
    game = load(name)
    one, other = (
        g.batch(GAMES, seed=5, threads=t, restart=True)
        for g, t in ((game, 1), (load(name, engine), 2))
    )
    for _ in range(steps):
        alike(one, other)
        as_defined(game, one)
        actions = one.sample()
        assert np.array_equal(actions, other.sample())
        assert not one.step().size
        assert not other.step(actions).size
    alike(one, other)


def cost(name: str) -> tuple[pytest.MarkDecorator, ...]:
    return () if name in QUICK else (pytest.mark.deep,)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=cost(name)) for name in sorted(bundled_names())]
)
def test_batch_matches_the_interpreter(name: str) -> None:
    compared(name, "python")


@pytest.mark.skipif("native" not in ENGINES, reason="no native kernels here")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == "connect-four" else (pytest.mark.deep,))
        for name in sorted(set(bundled_names()) - LONG_TO_MAKE)
    ],
)
def test_native_batch_matches_the_interpreter(name: str) -> None:
    compared(name, "native")


@pytest.mark.parametrize("name", ["clobber", "pig"])
def test_a_step_is_found_where_it_is_looked_for(name: str) -> None:
    # No two steps of games with few actions want the same slot.
    plan = load(name).batch(1)._own
    slots, table = plan.numbers[at.SLOTS], plan.numbers[at.TABLE]
    words = list(load(name).actions.words())
    for step, choice, number in words:
        entry = table + slot_of(step, choice, slots) * at.ENTRY
        assert plan.numbers[entry + at.NUMBER] == number + 1
    assert slots < 6 * len(words)


def test_a_batch_is_played_out_as_its_game_is() -> None:
    # From every state, each random game has its own number; the result is the sum of the payoffs.
    game, games = load("tic-tac-toe"), 5
    batch = game.batch(3, seed=2)
    batch.step([0, 4, 8])
    found = batch.playouts(games, seed=7)
    for number in range(3):
        state, total = batch.state(number), np.zeros(2, np.int64)
        for one in range(games):
            from rulesengine.engine.drivers import playouts

            functions = game._dispatcher.interpreted.functions()
            last, _ = playouts.play(functions, state, 7, number * games + one)
            outcome = game.outcome(last)
            assert outcome is not None
            total += list(outcome.payoffs.values())
        assert found[number].tolist() == total.tolist()


def test_draws_come_from_the_seed_and_the_number_of_the_game_alone() -> None:
    game = load("connect-four")
    few, many = game.batch(3, seed=4), game.batch(9, seed=4)
    other = game.batch(9, seed=5)
    for _ in range(6):
        for batch in (few, many, other):
            batch.step()
    assert [few.state(k) for k in range(3)] == [many.state(k) for k in range(3)]
    assert [other.state(k) for k in range(9)] != [many.state(k) for k in range(9)]


def test_a_draw_is_uniform_over_the_legal_actions() -> None:
    # Chi squared with 8 degrees of freedom is above 26.1 once in a thousand such tests.
    drawn = load("tic-tac-toe").batch(900, seed=1).sample()
    counts = np.bincount(drawn, minlength=9)
    assert ((counts - 100) ** 2 / 100).sum() < 26.1


def test_an_action_that_is_not_legal_is_reported_and_changes_nothing() -> None:
    game = load("tic-tac-toe")
    batch, alone = game.batch(4), game.batch(4)
    batch.step([4, 4, 4, 4])
    alone.step([4, 4, 4, 4])
    before = [batch.state(k) for k in range(4)]
    refused = batch.step([4, 0, 9, -1])
    assert refused.tolist() == [0, 2, 3]
    assert [batch.state(k) == before[k] for k in range(4)] == [True, False, True, True]
    assert batch.plies.tolist() == [1, 2, 1, 1]
    # The state is unchanged, and so is the random generator.
    alone.step([-7, 0, 2**40, -2])
    assert np.array_equal(batch.sample()[1:2], alone.sample()[1:2])
    alike(batch, alone)


def test_chance_is_drawn_or_given() -> None:
    game = load("pig")
    batch = game.batch(200, seed=3)
    roll = game.actions.number("roll")
    batch.step(np.full(200, roll))
    assert (batch.mover == -1).all()
    five = game.actions.number("5")
    given = np.full(200, -1)
    given[:2] = five
    assert not batch.step(given).size
    throws = [
        dict(zip(game.program.form.registers, batch.state(k).registers, strict=True))
        for k in range(200)
    ]
    totals = [throw["turn_total"] for throw in throws]
    assert totals[:2] == [5, 5]
    assert set(totals) == {0, 2, 3, 4, 5, 6}  # a one leaves no points


def test_a_finished_game_rests_or_restarts() -> None:
    game = load("tic-tac-toe")
    for restart in (False, True):
        batch = game.batch(1, restart=restart)
        for action in (0, 3, 1, 4, 2):
            assert not batch.step([action]).size
        assert batch.over[0]
        assert batch.payoffs.tolist() == [[1, -1]]
        assert batch.sample().tolist() == [-1]
        assert not batch.step([7]).size
        assert batch.over[0] != restart
        assert batch.plies[0] == (0 if restart else 5)
        assert (batch.state(0) == game.initial_state()) == restart
        assert batch.payoffs.tolist() == ([[0, 0]] if restart else [[1, -1]])


def test_observation_planes_of_states() -> None:
    game = load("tic-tac-toe")
    batch = game.batch(2)
    assert batch.planes("absolute") == ("cross mark", "nought mark") or len(batch.planes()) == 2
    batch.step([0, 8])
    own, other = np.zeros((2, 9), bool), np.zeros((2, 9), bool)
    other[0, 0] = other[1, 8] = True
    assert np.array_equal(batch.observe(), np.stack([own, other], axis=1))
    assert np.array_equal(batch.observe("absolute"), np.stack([other, own], axis=1))
    assert batch.planes(1) == ("nought mark", "cross mark")
    assert np.array_equal(batch.observe(1), batch.observe("absolute")[:, ::-1])
    assert batch.numbers().shape == (2, 0)
    pig = load("pig").batch(1)
    assert pig.numbers().shape[0] == 1


@pytest.mark.parametrize("name", ["hex-pie", "pig"])
def test_states_alone_are_seen_as_in_a_batch(name: str) -> None:
    game = load(name)
    batch, observer = game.batch(3, seed=6), Observer(game)
    for _ in range(3):
        batch.step()
    for player in (0, 1):
        planes, numbers = batch.observe(player), batch.numbers()
        for number in range(3):
            seen = observer.observe(batch.state(number), player)
            assert np.array_equal(seen[0], planes[number])
            assert np.array_equal(seen[1], numbers[number])


@pytest.mark.slow
def test_a_batch_goes_on_from_its_pickle_and_is_set_and_reset() -> None:
    for name in ("konane", "popout", "pig"):
        game = load(name)
        batch = game.batch(3, seed=8, restart=True)
        for _ in range(5):
            batch.step()
        copy = pickle.loads(pickle.dumps(batch))
        for _ in range(5):
            alike(batch, copy)
            batch.step()
            copy.step()
        state = batch.state(0)
        batch.reset([0, 2])
        assert batch.state(0) == batch.state(2) == game.initial_state()
        alike(batch, batch)
        batch.reset(np.array([False, True, False]))
        assert batch.plies.tolist() == [0, 0, 0]
        batch.set_state(1, state)
        assert batch.state(1) == state
        as_defined(game, batch)
        batch.reset()
        assert batch.state(1) == game.initial_state()


def test_games_without_a_where_flag_are_unchanged() -> None:
    batch = load("tic-tac-toe").batch(3, restart=True)
    assert not batch.step([0, 99, 2], where=[True, False, True]).size
    assert batch.plies.tolist() == [1, 0, 1]
    with pytest.raises(UsageError, match="`where` is 3 flags"):
        batch.step([0, 0, 0], where=[1, 0, 1])  # type: ignore[list-item]


# errors


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0], r"an array of shape \(2,\), found \(1,\)"),
        ([[0], [1]], r"found \(2, 1\)"),
        (3, r"found \(\)"),
        ([0.0, 1.0], "whole numbers, found an array of float64"),
        ([True, False], "found an array of bool"),
        (["a", "b"], "whole numbers, found an array of <U1"),
        ([10**30, 0], "whole numbers, found an array of object"),
        ([[0], [1, 2]], "whole numbers, found an array of object"),
        ([], r"an array of shape \(2,\), found \(0,\)"),
    ],
)
def test_actions_in_another_form_are_refused(actions: Any, message: str) -> None:
    batch = load("tic-tac-toe").batch(2)
    with pytest.raises(UsageError, match=message):
        batch.step(actions)
    assert batch.plies.tolist() == [0, 0]


def test_actions_come_in_any_whole_type_and_order() -> None:
    batch = load("tic-tac-toe").batch(2)
    assert not batch.step(np.array([1, 9, 2, 9], ">i2")[::2]).size
    assert batch.step(np.array([2**63 + 5, 3], np.uint64)).tolist() == [0]
    assert str(batch.state(1)).splitlines()[:2] == ["..x", "o.."]


def test_an_array_of_words_is_checked_as_a_list_is_and_remains_unchanged() -> None:
    batch, other = (load("tic-tac-toe").batch(6) for _ in range(2))
    for numbers in ([4, 0, -2, -3, -4, -(2**63)], [4, 1, -1, 9, 2**63 - 1, 5]):
        given = np.array(numbers)
        given.flags.writeable = False
        refused = [number not in (0, 1, 4, 5) for number in numbers]
        refused[0] = batch.plies[0] > 0  # the centre is taken
        for one, actions in ((batch, given), (other, numbers)):
            assert one.step(actions).tolist() == np.flatnonzero(refused).tolist()
        assert given.tolist() == numbers
        alike(batch, other)
    assert batch.plies.tolist() == [1, 2, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "number of games is at least 1, found 0"),
        ({"n": 2.5}, "number of games is a whole number, found 2.5"),
        ({"n": 2, "threads": 0}, "number of threads is at least 1"),
        ({"n": 2, "seed": "x"}, "the seed is a whole number, found 'x'"),
        ({"n": 2**60}, "no room for"),
        ({"n": 2**80}, "no room for"),
    ],
)
def test_a_batch_that_cannot_be_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(rulesengine.RulesError, match=message):
        load("tic-tac-toe").batch(**options)


def test_more_threads_than_cores_are_as_many_as_cores() -> None:
    batch = load("tic-tac-toe").batch(40, threads=10**6)
    assert batch.threads == min(40, os.cpu_count() or 1)
    one = load("tic-tac-toe").batch(40)
    batch.step()
    one.step()
    assert np.array_equal(batch.mask, one.mask)


def test_states_and_games_that_are_not_there_are_refused() -> None:
    batch = load("tic-tac-toe").batch(2)
    with pytest.raises(UsageError, match=r"expected a state of Tic-tac-toe"):
        batch.set_state(0, load("othello").initial_state())
    with pytest.raises(UsageError, match="the number of a game is a whole number, found 'a'"):
        batch.state("a")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="there is no game 2: games are 0 to 1"):
        batch.state(2)
    with pytest.raises(UsageError, match="there is no game -1"):
        batch.reset([-1])
    wrong: Any = "a"
    for call, message in (
        (lambda: batch.observe(True), "a view is `mover`, `absolute` or the number of a player"),
        (lambda: batch.planes(2), "a view is `mover`, `absolute` or the number of a player"),
        (lambda: batch.playouts(10**9 + 1), "random games is at most 1,000,000,000, found 1,000,"),
        (lambda: batch.playouts(1, seed=wrong), "the seed is a whole number, found 'a'"),
        (lambda: batch.game.batch(1, restart=wrong), "`restart` is True or False, found 'a'"),
        (lambda: batch.stepper().start.after(wrong), "an action is a whole number, found 'a'"),
    ):
        with pytest.raises(UsageError, match=message):
            call()
    with pytest.raises(UsageError, match="expected numbers of games or 2 flags"):
        batch.reset([0.5])  # type: ignore[list-item]
    with pytest.raises(
        UsageError, match="a view is `mover`, `absolute` or the number of a player, found 'white'"
    ):
        batch.observe("white")  # type: ignore[arg-type]


def test_the_arrays_cannot_be_written() -> None:
    batch = load("tic-tac-toe").batch(2)
    for name in ARRAYS:
        with pytest.raises(ValueError, match="read-only"):
            getattr(batch, name)[0] = 1


FAILING = """\
spec: 1
name: Failing
board: {rows: 1, columns: 3}
players: [first, second]
pieces: {stone: {first: x, second: o}, empty: "."}
registers:
  few: {type: number, from: 0, to: 1}
rules:
  moves:
    place: stone
    to: empty
    do: set few to if to = a1 then count(own) else few
  end: {when: not any(empty), result: draw, reason: full}
"""


# Listing moves fails for a player who faces two pieces.
LISTING_FAILS = """\
spec: 1
name: Failing
board: {rows: 1, columns: 4}
players: [first, second]
pieces: {stone: {first: x, second: o}, empty: "."}
rules:
  moves:
    place: stone
    to: empty
    when: 6 / (2 - count(enemy)) > 0
  end: {when: not any(empty), result: draw, reason: full}
"""


@pytest.mark.slow
@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize("engine", ENGINES)
def test_rules_that_fail_behind_an_action_leave_the_game_before_it(engine: str) -> None:
    game = load_source(Source("failing.yaml", LISTING_FAILS), engine=engine)
    batch = game.batch(3)
    assert not batch.step([0, 1, 2]).size
    assert not batch.step([1, 0, -1], where=np.array([True, True, False])).size
    mask = batch.mask.copy()
    for _ in range(2):
        with pytest.raises(EvaluationError, match=r"division by zero.*\(game 0, ply 3\)"):
            batch.step([2, 2, 1], where=np.array([True, True, False]))
        assert (batch.refused.tolist(), batch.failed.tolist()) == ([], [0, 1])
        assert np.array_equal(batch.mask, mask)
        assert batch.plies.tolist() == [2, 2, 1]
        assert not batch.over.any()


@pytest.mark.slow
@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize("engine", ENGINES)
def test_rules_that_fail_in_one_game_name_it_and_the_others_go_on(engine: str) -> None:
    game = load_source(Source("failing.yaml", FAILING), engine=engine)
    batch = game.batch(5)
    assert not batch.step([1, 1, 0, 0, 1]).size
    assert not batch.step([2, 2, 1, 1, 2]).size
    assert batch.step([9] * 5, where=[False, True, False, False, False]).tolist() == [1]
    before = batch.state(1)
    # The first player's second stone exceeds the register's range, except at c1.
    batch.set_state(0, game.apply(game.apply(game.initial_state(), "a1"), "b1"))
    with pytest.raises(EvaluationError, match=r"failing.yaml:12.*\(game 1, ply 3\)"):
        batch.step([2, 0, 2, 1, 0])
    assert batch.refused.tolist() == [3]
    assert batch.failed.tolist() == [1, 4]
    assert batch.state(1) == before
    assert batch.over.tolist() == [True, False, True, False, False]
    as_defined(load_source(Source("failing.yaml", FAILING), engine="interpreter"), batch)
    assert batch.plies.tolist() == [1, 2, 3, 2, 2]


def test_a_batch_is_used_by_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    game, seen = load("tic-tac-toe"), list[str]()
    batch = game.batch(1)
    plain = game.machine.apply

    def use() -> None:
        with pytest.raises(UsageError, match="another thread is using this batch"):
            batch.step([1])
        seen.append("refused")

    def meanwhile(*args: Any) -> Any:
        other = threading.Thread(target=use)
        other.start()
        other.join()
        return plain(*args)

    monkeypatch.setattr(game.machine, "apply", meanwhile)
    batch = game.batch(1)
    batch.step([0])
    assert seen == ["refused"]
    batch.step([1])


@pytest.mark.skipif(os.name != "posix", reason="signals are sent in another way")
def test_an_interrupt_leaves_a_batch_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    game, calls = load("tic-tac-toe"), list[int]()
    plain = game.machine.apply

    def apply(*args: Any) -> Any:
        calls.append(1)
        if len(calls) == 10:
            raise KeyboardInterrupt
        return plain(*args)

    monkeypatch.setattr(game.machine, "apply", apply)
    batch, other = game.batch(8), load("tic-tac-toe").batch(8)
    batch.step()
    other.step()
    with pytest.raises(KeyboardInterrupt):
        batch.step()
    alike(batch, other)
    batch.step()
    other.step()
    alike(batch, other)


def test_an_interrupt_ends_the_showing_of_games_and_a_reset_shows_them_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, shown_games = load("tic-tac-toe"), list[int]()
    batch, other = game.batch(8), load("tic-tac-toe").batch(8)
    plain = batch._functions.targets

    def targets(state: State, memory: Memory, place: int) -> int:
        shown_games.append(1)
        if len(shown_games) == 3:
            raise KeyboardInterrupt
        return plain(state, memory, place)

    batch.step()
    other.step()
    monkeypatch.setattr(batch._work, "_functions", replace(batch._functions, targets=targets))
    with pytest.raises(KeyboardInterrupt):
        batch.reset()
    other.reset()
    alike(batch, other)
    batch._own.numbers[STOP] = 1
    with pytest.raises(Stopped):
        batch._show_all()


@pytest.mark.slow
@pytest.mark.skipif(
    os.name != "posix" or "native" not in ENGINES, reason="signals, and native kernels"
)
def test_a_kernel_of_a_batch_is_interrupted(tmp_path: Path) -> None:
    batch = load("connect-four", "native").batch(4)
    before = batch.sample().tolist()
    signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    with pytest.raises(KeyboardInterrupt):
        batch.playouts(10**9)
    assert batch.sample().tolist() == before
    assert not batch.step(before).size


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("name", ["connect-four", "konane", "popout", "pig"])
def test_copied_games_continue_as_their_sources(name: str) -> None:
    game = load(name, "auto")
    source, target = game.batch(6, seed=1), game.batch(4, seed=2)
    for _ in range(STEPS):
        source.step()
    untouched = target.state(1)
    target.copy_games([3, 0], [2, 5], source)
    assert [target.state(n) for n in (3, 0)] == [source.state(n) for n in (2, 5)]
    assert [target.taken(n) for n in (3, 0)] == [source.taken(n) for n in (2, 5)]
    assert target.state(1) == untouched
    for array in ARRAYS:
        assert np.array_equal(getattr(target, array)[[3, 0]], getattr(source, array)[[2, 5]])
    as_defined(game, target)
    if name != "pig":  # a chance node is drawn by each game's own generator
        actions = np.where(source.over, -1, source.mask.argmax(axis=1))
        own = np.full(4, -1)
        own[[3, 0]] = actions[[2, 5]]
        source.step(actions)
        target.step(own, where=[True, False, False, True])
        assert [target.state(n) for n in (3, 0)] == [source.state(n) for n in (2, 5)]


def test_games_of_one_batch_are_exchanged_and_keep_their_generators() -> None:
    game = load("connect-four")
    left, middle = (game.actions.index(name) for name in ("a1", "d1"))
    batch, other = game.batch(2, seed=1), game.batch(2, seed=1)
    assert not batch.step([left, middle]).size
    assert not other.step([middle, left]).size
    batch.copy_games([0, 1], [1, 0])
    assert "\n...x...\n" in str(batch.state(0))
    assert "\nx......\n" in str(batch.state(1))
    assert batch.sample().tolist() == other.sample().tolist()


@pytest.mark.parametrize(
    ("to", "of"), [([0, 0], [1, 2]), ([0], [1, 2]), ([3], [0]), ([-1], [0]), ([0], [3])]
)
def test_copies_between_games_that_are_not_there_are_refused(to: list[int], of: list[int]) -> None:
    with pytest.raises(UsageError):
        load("tic-tac-toe").batch(3).copy_games(to, of)


def test_copies_from_a_batch_of_another_game_are_refused() -> None:
    batch = load("tic-tac-toe").batch(3)
    with pytest.raises(UsageError, match="expected a batch of Tic-tac-toe"):
        batch.copy_games([0], [0], load("connect-four").batch(3))
