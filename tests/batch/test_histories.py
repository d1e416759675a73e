"""Batches of games with history-dependent rules: each game has its own history."""

import pickle
import sys
from itertools import pairwise
from threading import Thread

import numpy as np
import pytest

import rulesengine
from rulesengine import EvaluationError, Game, LimitError, State, UsageError
from rulesengine.batch import Batch, histories
from rulesengine.batch.mutable_position import MutableGame
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.history import OWN
from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.language.ir.ops import reads_parts
from rulesengine.loading import load_source
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source
from tests.batch.test_batches import FAILING, alike, as_defined

pytestmark = pytest.mark.usefixtures("in_haste")
ENGINES = ("interpreter", *(backend.name for backend in working()))
REMEMBERING = (
    *("arimaa", "brazilian-draughts", "chess", "chess960", "crazyhouse", "dark-chess"),
    *("dobutsu-shogi", "english-draughts", "go", "gonnect", "hasami-shogi", "hive"),
    *("international-draughts", "l-game", "lasca", "lines-of-action", "los-alamos", "minishogi"),
    *("mu-torere", "neutron", "nine-mens-morris", "oware", "phantom-go", "popout", "quixo"),
    *("russian-draughts", "shogi", "stratego", "tablut", "teeko", "three-mens-morris", "xiangqi"),
)
# Few games last until kings move to and fro, few seeds circulate, or boards seldom come again.
SELDOM = frozenset(
    {
        *("brazilian-draughts", "international-draughts", "russian-draughts", "oware"),
        *("dobutsu-shogi", "phantom-go"),
    }
)
MOST = 160  # plies; a longer game is abandoned
GIVES_BACK = sys.platform == "linux"
FULL = 20_000  # positions, more than the kernels store


def load(name: str, engine: str = "interpreter") -> Game:
    return rulesengine.load(name, engine=engine)


def games() -> list[object]:
    """Return the games as test parameters: one cheap to play and to compile, all others deep."""
    return [
        pytest.param(name, marks=() if name == "three-mens-morris" else (pytest.mark.deep,))
        for name in REMEMBERING
    ]


def preferences(game: Game, games: int) -> np.ndarray:
    draw = np.random.default_rng(2)
    return np.array([draw.permutation(len(game.actions)) for _ in range(games)])


def chosen_actions(batch: Batch, wishes: np.ndarray) -> np.ndarray:
    """Return for each game the legal action with the highest wish, or -1 where the game is over.

    A player with the same wishes from the first ply to the last soon repeats a position.
    """
    actions: np.ndarray = np.where(batch.mask, wishes, -1).argmax(axis=1)
    actions[batch.over] = -1
    return actions


@pytest.mark.deep
def test_bundled_games_with_a_history() -> None:
    found = {name for name in bundled_names() if load(name).program.keeps_history}
    assert found == set(REMEMBERING)


@pytest.mark.parametrize("name", games())
def test_whole_games_are_those_of_the_interpreter(name: str) -> None:
    count, drawing = 4, slice(3, 4)
    seen, game = set[str](), load(name)
    one, *others = (load(name, e).batch(count, seed=2, restart=True) for e in ENGINES)
    for other in others:
        other._work._functions = None  # type: ignore[assignment]  # kernels alone
    # the number of games of each that must end
    wishes, left = preferences(game, count), np.full(3, 2)
    for _ in range(MOST):
        for other in others:
            alike(one, other)
        ended = [game.outcome(one.state(int(k))) for k in one.over.nonzero()[0]]
        seen |= {outcome.reason for outcome in ended if outcome}
        left -= one.over[:3]
        if not (left > 0).any():
            break
        actions = chosen_actions(one, wishes)
        actions[drawing] = one.sample()[drawing]
        assert not any(batch.step(actions).size for batch in (one, *others))
    as_defined(game, one)
    ends = game.program.rules.ends
    repeating = {end.reason for end in ends if reads_parts(end.when, "history")}
    assert seen & repeating or not repeating or name in SELDOM


@pytest.mark.parametrize("engine", ENGINES)
def test_a_state_is_taken_out_as_it_was_put_in(engine: str) -> None:
    game = load("three-mens-morris", engine)
    played, line = game.batch(1, seed=5), list[State]()
    for _ in range(8):
        line.append(played.state(0))
        played.step()
    batch = game.batch(3)
    for number, state in ((0, line[7]), (1, line[2]), (2, line[5]), (0, line[6])):
        batch.set_state(number, state)
        assert batch.state(number) == state
    assert [batch.state(k) for k in range(3)] == [line[6], line[2], line[5]]
    assert len(line[6].history) == 6
    as_defined(load("three-mens-morris"), batch)
    copy = pickle.loads(pickle.dumps(batch))
    for _ in range(3):
        batch.step()
        copy.step()
        alike(batch, copy)
    assert batch.state(1).history[:3] == line[3].history


@pytest.mark.parametrize("engine", ENGINES)
def test_repetition_counts_the_history_of_a_set_state(engine: str) -> None:
    # The position after the move has occurred twice, according to the state that is put in.
    game = load("three-mens-morris", engine)
    start = game.initial_state()
    move = game.legal_moves(start)[0]
    after = game.apply(start, move)
    before = ((after.planes, after.side),) * 2
    for history, ends in ((before[:1], False), (before, True)):
        state = State(start.planes, start.side, start.registers, history, start.form)
        batch = game.batch(2)
        batch.set_state(1, state)
        batch.step([game.actions.number(str(move))] * 2)
        assert batch.over.tolist() == [False, ends]
        assert batch.state(1).history == (*history, (start.planes, start.side))


def test_an_earlier_position_without_a_symbol_is_refused() -> None:
    game = load("popout")
    batch, start = game.batch(1), game.initial_state()
    batch.step()
    before = batch.state(0)
    planes = (*start.planes[:-1], 1)
    assert not start.form.symbols[-1]
    wrong = State(start.planes, start.side, start.registers, ((planes, 0),), start.form)
    with pytest.raises(UsageError, match="has a piece without a symbol"):
        batch.set_state(0, wrong)
    assert (batch.state(0), batch.plies.tolist()) == (before, [1])


@pytest.mark.parametrize("engine", ENGINES)
def test_lines_are_as_long_as_they_get(engine: str) -> None:
    # One of three games outgrows the shared memory; the others keep their contents.
    game = load("three-mens-morris", engine)
    start, batch = game.initial_state(), game.batch(3, seed=4)
    for _ in range(3):
        batch.step()
    beside = [batch.state(0), batch.state(2)]
    long = tuple(((1, 0, 0), side) for side in (0, 1)) * (FULL // 2)
    batch.set_state(1, State(start.planes, start.side, start.registers, long, start.form))
    assert [batch.state(0), batch.state(2)] == beside
    assert batch.step([8, 8, 8], where=[False, True, False]).tolist() == []
    assert batch.state(1).history == (*long, (start.planes, start.side))
    assert [batch.state(0), batch.state(2)] == beside


def aged(batch: Batch, positions: int) -> list[State]:
    """Give every third game of a batch a history of distinct positions, plus its number, and return
    all states.
    """
    start = batch.game.initial_state()
    for number in range(0, len(batch), 3):
        line = tuple(((number, k, 0), 0) for k in range(positions + number))
        batch.set_state(number, State(start.planes, 0, start.registers, line, start.form))
    return [batch.state(number) for number in range(len(batch))]


def grown(batch: Batch, positions: int) -> None:
    batch._lines.grow(positions, batch._counts)


def test_lines_move_to_larger_memory_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = load("three-mens-morris").batch(40)
    before = aged(batch, 300)
    monkeypatch.setattr(histories, "_LINES_PER_RELEASE", 2)
    for room in (600, 700):
        grown(batch, room)
        assert [batch.state(number) for number in range(len(batch))] == before


def test_an_interrupt_while_lines_move_leaves_them(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = load("three-mens-morris").batch(40)
    before = aged(batch, 300)
    monkeypatch.setattr(histories, "_LINES_PER_RELEASE", 2)
    interrupts = iter([None, KeyboardInterrupt, *[None] * 40])
    leave = Memory.leave

    def interrupted(memory: Memory, begin: int, end: int) -> None:
        leave(memory, begin, end)
        if interrupt := next(interrupts):
            raise interrupt

    grown(batch, 700)
    monkeypatch.setattr(Memory, "leave", interrupted)
    with pytest.raises(KeyboardInterrupt):
        grown(batch, 800)
    assert [batch.state(number) for number in range(len(batch))] == before


def test_failed_allocation_leaves_the_batch_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    batch, other = (load("three-mens-morris").batch(4, seed=1) for _ in range(2))
    for each in (batch, other):
        aged(each, each._lines.capacity - 3)  # the last one has no room for another position

    def none(words: int, *, sparse: bool = False) -> Memory:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(histories, "Memory", none)
        with pytest.raises(LimitError, match=r"no room for [0-9,]+ bytes of so many games"):
            batch.step()
    for _ in range(2):
        alike(batch, other)
        assert not any(each.step().size for each in (batch, other))
    alike(batch, other)


def test_restarted_games_release_their_history(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histories, "_RETAINED", 16 * 1024)
    batch = load("three-mens-morris").batch(200, restart=True)
    seen = aged(batch, 600)
    held = batch._lines

    def holds(number: int, positions: int = 560) -> bool:
        begin = (held.at(number) + positions * held._size) * WORD
        return any(held.memory.bytes[begin : begin + 100])

    batch.reset([3])
    assert [holds(number) for number in (0, 3, 6)] == [True, not GIVES_BACK, True]
    won = State((0b11, 0b11000, 0), 0, (), seen[6].history, seen[6].form)
    batch.set_state(6, won)
    actions = np.full(200, batch.game.actions.number("c3"))
    assert not batch.step(actions).size
    assert batch.over[6]
    assert holds(6)
    batch.step(np.where(batch.over, actions, 0))
    assert not batch.over[6]
    assert [holds(number) for number in (0, 6)] == [True, not GIVES_BACK]
    assert holds(6, held.retained - 10)
    assert [len(batch.state(number).history) for number in (0, 3, 6)] == [602, 2, 0]


@pytest.mark.parametrize("engine", ENGINES)
def test_two_threads_have_lines_of_their_own(engine: str) -> None:
    game = load("three-mens-morris", engine)
    one, *others = (game.batch(5, seed=6, restart=True, threads=t) for t in (1, 1, 2))
    threads = [Thread(target=lambda b=b: [b.step() for _ in range(40)]) for b in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for _ in range(40):
        one.step()
    for other in others:
        alike(one, other)


@pytest.mark.parametrize("engine", ENGINES)
def test_positions_share_the_history_before_them(engine: str) -> None:
    game = load("three-mens-morris", engine)
    start = game.batch(1).stepper().start
    line, wishes = [start], preferences(game, 1)[0]
    while not line[-1].over:
        line.append(line[-1].after(max(line[-1].legal, key=lambda a: int(wishes[a]))))
    states = [start.state]
    for position, after in pairwise(line):
        action = next(a for a in position.legal if position.after(a).state == after.state)
        # Another line first: the memory then holds that one.
        position.after(position.legal[-1])
        again = position.after(action)
        assert (again.record, again.shown, again.state) == (after.record, after.shown, after.state)
        states.append(game.apply(states[-1], str(game.actions[action])))
        assert again.state == states[-1]
    other = pickle.loads(pickle.dumps(line[-2]))
    # Results that a kernel has cached for these positions do not help another kernel.
    assert all(not any(entry[: OWN * 8]) for entry in other.past.entries())
    assert other.state == line[-2].state
    assert any(other.after(a).over for a in other.legal)
    underway = MutableGame(game)
    underway.put(line[-2])
    assert underway.position.state == line[-2].state


@pytest.mark.parametrize("engine", ENGINES)
def test_rules_that_fail_leave_the_line(engine: str) -> None:
    text = FAILING.replace(
        "end: {", "end:\n    - {when: board_repeats > 0, result: draw, reason: r}\n    - {"
    )
    game = load_source(Source("failing.yaml", text), engine=engine)
    batch = game.batch(2)
    batch.step([1, 0])
    batch.step([2, 1])
    before = [batch.state(0), batch.state(1)]
    for _ in range(2):
        with pytest.raises(EvaluationError, match=r"\(game 0, ply 3\)"):
            batch.step([0, 2], where=[True, False])
        assert [batch.state(0), batch.state(1)] == before
    with pytest.raises(EvaluationError, match=r"\(game 0, ply 3\)"):
        batch.step([0, 2])
    assert batch.state(0) == before[0]
    assert batch.state(1).history == (*before[1].history, (before[1].planes, before[1].side))


# Men of one side capture those of the other; a capture is the only irreversible move.
CAPTURING = """spec: 1
name: Skirmish
board: {rows: 4, columns: 3}
players: [white, black]
pieces:
  man: {white: o, black: x}
  empty: "."
start: |
  x x x
  . . .
  . . .
  o o o
rules:
  moves:
    - move: own
      to: (empty or enemy) touching from
  end:
    - when: count(own) = 0
      result: opponent wins
    - when: position_repeats >= 1
      result: draw
      reason: repetition
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_positions_before_a_capture_are_not_read_again(engine: str) -> None:
    game = load_source(Source("skirmish.yaml", CAPTURING), engine=engine)
    batch = game.batch(3, seed=3, restart=True)
    after_captures, ends = 0, set[str]()
    for _ in range(40):
        as_defined(game, batch)
        since = batch._arrays.records(batch._was)[:, at.SINCE].tolist()
        for number, first in enumerate(since):
            state = batch.state(number)
            men = sum(state.planes).bit_count()
            earlier = [sum(planes).bit_count() for planes, _ in state.history]
            assert first == sum(count > men for count in earlier)
            outcome = game.outcome(state)
            if outcome:
                ends.add(outcome.reason)
                after_captures += first > 0 and outcome.reason == "repetition"
        batch.step()
    assert after_captures > 0
    assert len(ends) > 1
