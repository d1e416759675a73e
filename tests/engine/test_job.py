"""Jobs: progress of a long call, and its cancellation from another thread, in every engine."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from rulesengine import Game, Job, Stopped, load
from rulesengine.engine.drivers import playouts
from rulesengine.engine.kernel.backends.registry import backend_by_name, working
from rulesengine.engine.kernel.kernels import Kernels
from rulesengine.engine.kernel.parallel_runs import PlayoutRun
from rulesengine.engine.kernel.selection import Engine
from rulesengine.support.blocking import in_threads, start_thread
from tests.helpers.cli_calls import call
from tests.helpers.processes import PATIENCE

ENGINES = ("interpreter", *(backend.name for backend in working()))
EVERY_ENGINE = pytest.mark.parametrize("engine", ENGINES)
Call = Callable[[Game, Job], object]
LONG: dict[str, Call] = {
    "perft": lambda game, job: game.perft(40, job=job),
    "playouts": lambda game, job: game.playouts(10**12, job=job),
    "threads": lambda game, job: game.playouts(10**12, threads=2, job=job),
}


@EVERY_ENGINE
@pytest.mark.parametrize("threads", [1, 3])
def test_a_job_counts_random_games(engine: Engine, threads: int) -> None:
    job, game = Job(), load("tic-tac-toe", engine=engine)
    assert job.done == 0
    for games in (1, 7, 100):
        before = job.done
        game.playouts(games, threads=threads, job=job)
        assert job.done - before == games


@EVERY_ENGINE
def test_a_job_counts_the_positions_that_a_count_looks_at(engine: Engine) -> None:
    job, inner = Job(), 1 + 9
    assert load("tic-tac-toe", engine=engine).perft(4, job=job) == 9 * 8 * 7 * 6
    # Kernels leave out positions before the last two moves.
    assert job.done == (inner + 9 * 8 + 9 * 8 * 7 if engine == "interpreter" else inner)


@EVERY_ENGINE
@pytest.mark.parametrize("call", LONG.values(), ids=LONG)
def test_a_job_is_stopped_by_another_thread(engine: Engine, call: Call) -> None:
    game, job, other = load("connect-four", engine=engine), Job(), Job()
    game.perft(1), game.playouts(1, job=other)  # the kernels are compiled
    stopping = threading.Thread(target=stop_once_begun, args=[job], daemon=True)
    stopping.start()
    start = time.monotonic()
    with pytest.raises(Stopped, match="the job was stopped"):
        call(game, job)
    assert time.monotonic() - start < PATIENCE
    stopping.join()
    with pytest.raises(Stopped):
        call(game, job)
    assert game.playouts(2, job=other).games == 2


@EVERY_ENGINE
def test_a_job_is_stopped_where_no_interrupt_would_come(engine: Engine) -> None:
    """Stop calls on other threads than the main one, which run directly."""
    game, job, ended = load("connect-four", engine=engine), Job(), threading.Event()

    def work() -> None:
        with pytest.raises(Stopped):
            game.perft(40, job=job)
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    stop_once_begun(job)
    assert ended.wait(PATIENCE)
    thread.join()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "depth", "looks"),
    [("three-mens-morris", 2, False), ("three-mens-morris", 3, True), ("amazons", 2, True)],
)
def test_a_count_of_two_plies_polls_where_a_list_is_long(
    name: str, depth: int, looks: bool
) -> None:
    job, row = Job(), backend_by_name("python")
    assert row is not None
    kernels = Kernels(load(name, engine="interpreter").machine, row)
    part, start = kernels.part("perft"), load(name).initial_state()
    words = (*kernels.words(start, part), depth, 0, 0, 1, job.control_block())
    job.stop()
    if looks:
        with pytest.raises(Stopped):
            part.call("perft", words)
    else:
        found = part.call("perft", words)
        assert found is not None
        assert found[0] == 9 * 8


def stop_once_begun(job: Job) -> None:
    while not job.done:
        time.sleep(0.01)
    job.stop()


def test_a_lane_of_a_job_that_is_stopped_says_so() -> None:
    job = Job()
    before = job.control_block()
    job.stop()
    assert [lane[0] for lane in (before, job.control_block())] == [1, 1]
    with pytest.raises(Stopped):
        job.raise_if_stopped()


@pytest.mark.parametrize("ends", [0, 1])
def test_lanes_that_hold_the_same_are_those_of_their_calls(ends: int) -> None:
    job, lanes = Job(), [bytearray(128), bytearray(128)]
    calls = [job.attach(lane) for lane in lanes]
    for watched in calls:
        watched.__enter__()
    lanes[ends][8] = lanes[1 - ends][8] = 5
    calls[ends].__exit__(None, None, None)
    lanes[1 - ends][8] = 7
    assert job.done == 5 + 7
    job.stop()
    assert (lanes[ends][0], lanes[1 - ends][0]) == (0, 1)
    calls[1 - ends].__exit__(None, None, None)
    assert job.done == 5 + 7


# games in which a kernel fails


class Failing:
    """A part that fails in some games, and marks one of these."""

    is_final = True

    def __init__(self, part: Any, numbers: set[int]) -> None:
        self.part, self.numbers, self.mark = part, numbers, -1

    def call(self, name: str, args: Sequence[Any]) -> Any:
        first, count = args[-4:-2]
        met = [number for number in self.numbers if first <= number < first + count]
        if not met:
            return self.part.call(name, args)
        self.mark = max(met)
        return None


@pytest.mark.parametrize("numbers", [{0}, {9}, {3, 4}, {0, 2, 5, 9}, set(range(10))], ids=str)
def test_a_game_in_which_a_kernel_fails_is_played_by_the_interpreter(numbers: set[int]) -> None:
    game = load("tic-tac-toe", engine="python")
    plain = load("tic-tac-toe", engine="interpreter")
    kernels = game._dispatcher.selector.parts.kernels("python")
    played: list[int] = []

    def apply(state: Any, steps: Any) -> Any:
        played.append(sum(mask.bit_count() for mask in state.planes))
        return game.machine.apply(state, steps)

    functions = replace(game._dispatcher.interpreted.functions(), apply=apply)
    job = Job()
    games = PlayoutRun(kernels, functions, game.initial_state(), 7, job)
    games._part = Failing(games._part, numbers)  # type: ignore[assignment]
    totals = games.totals(range(10), 1)
    assert playouts.summary(game.players, 10, totals) == plain.playouts(10, seed=7)
    assert played.count(0) == len(numbers)
    assert job.done >= 10


# waiting


def test_results_come_in_the_order_of_the_calls() -> None:
    gate = threading.Event()

    def first() -> int:
        gate.wait(PATIENCE)
        return 1

    def second() -> int:
        gate.set()
        return 2

    assert in_threads([first, second], pytest.fail) == [1, 2]


def test_the_first_of_two_errors_is_raised() -> None:
    def fails(text: str) -> Callable[[], None]:
        def call() -> None:
            raise ValueError(text)

        return call

    with pytest.raises(ValueError, match="one"):
        in_threads([fails("one"), fails("two")], pytest.fail)


def test_one_call_leaves_the_main_thread_alone() -> None:
    here = threading.current_thread
    (inside,) = in_threads([here], pytest.fail)
    assert inside is not here()
    (again,) = in_threads([lambda: in_threads([lambda: here()], pytest.fail)[0]], pytest.fail)
    assert again is not here()


def test_an_interrupt_leaves_no_call_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interrupt arrives just after a thread has started, before the pool records it."""
    begun, stopped, ended = threading.Event(), threading.Event(), list[bool]()
    start = threading.Thread.start

    def works() -> None:
        begun.set()
        assert stopped.wait(PATIENCE)
        threading.Event().wait(0.01)  # the time for a call to see that it is stopped
        ended.append(True)

    def started(thread: threading.Thread) -> None:
        start(thread)
        assert begun.wait(PATIENCE)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", started)
    with pytest.raises(KeyboardInterrupt):
        in_threads([works], stopped.set)
    assert ended == [True]


# no memory for another thread


def full(*_: object, **__: object) -> None:
    raise RuntimeError("can't start new thread")  # Python's own message


def test_a_thread_for_which_there_is_no_room_is_want_of_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stopped: list[bool] = []
    monkeypatch.setattr(threading.Thread, "start", full)
    with pytest.raises(MemoryError, match="can't start new thread"):
        in_threads([lambda: 1, lambda: 2], lambda: stopped.append(True))
    assert stopped == [True]
    with pytest.raises(MemoryError):
        start_thread(threading.Thread())


def test_a_command_without_room_for_threads_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite", reason="native kernels need the extra `native`")
    words = ("playout", "tic-tac-toe", "5", "--threads", "3", "--engine", "native")
    assert call(*words).code == 0
    monkeypatch.setattr(threading.Thread, "start", full)
    for command in (words, ("bench", "tic-tac-toe", "--seconds", "0.01", "--engine", "python")):
        done = call(*command)
        assert (done.code, done.out) == (2, "")
        assert done.err.endswith("rulesengine: there is not enough memory\n")


def test_single_calls_go_on_without_room_for_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("tic-tac-toe")
    state = game.initial_state()
    with monkeypatch.context() as without:
        without.setattr(threading.Thread, "start", full)
        game._dispatcher.selector._seconds = 10.0  # as after so many seconds of single calls
        assert len(game.legal_moves(state)) == 9
    assert game.outcome(state) is None
