"""`solve --resume`: a long solution continues after any interruption; limited memory."""

from pathlib import Path

import pytest

import rulesengine
from rulesengine import Game, Job, State, UsageError
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.search.result import Budget, Settings
from rulesengine.errors import Stopped
from rulesengine.search import (
    checkpoint,
    search_turns,
    shortest_win,
    single_player,
    solving,
    value_search,
)
from tests.helpers.cli_calls import call
from tests.helpers.lone_specs import game_of, pegs_of, sokoban_of
from tests.oracles.plain_alone import fewest_steps, most_jumps
from tests.search.test_proof_number import plain

VALUES = {1: "win", 0: "draw", -1: "loss"}


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve small games with the settings for large ones."""
    for name in ("_GLANCE", "_LAST"):
        monkeypatch.setattr(solving, name, 20)
    monkeypatch.setattr(value_search, "_FIRST", 10)
    monkeypatch.setattr(search_turns, "_FIRST", 10)
    monkeypatch.setattr(single_player, "FEW", 10)
    monkeypatch.setattr(checkpoint, "_EVERY", 0.0)


def begun() -> tuple[Game, State]:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    return game, after(game, "a1", "b2")


def after(game: Game, *moves: str) -> State:
    """Return a drawn position that is not quickly solved."""
    state = game.initial_state()
    for move in moves:
        state = game.apply(state, move)
    return state


@pytest.mark.slow
def test_the_same_command_goes_on_until_a_value_is_known(tmp_path: Path) -> None:
    game, state = begun()
    file, runs, solved = tmp_path / "kept", 0, None
    while solved is None or solved.value is None:
        solved = game.solve(state, nodes=100, resume=file)
        runs += 1
        assert runs < 50
    assert runs > 1
    assert solved.value == VALUES[plain(game, state, 0)]
    assert solved.nodes > 100
    again = game.solve(state, resume=file)
    assert (again.value, again.line) == (solved.value, solved.line)


@pytest.mark.slow
def test_interrupted_solver_saves_its_bounds(tmp_path: Path) -> None:
    game, state = begun()
    file, job = tmp_path / "kept", Job()

    class Ended(value_search.ValueSearch):
        def _turn(self) -> bool:
            if self.nodes:
                job.stop()
            return super()._turn()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(solving, "ValueSearch", Ended)
        with pytest.raises(Stopped):
            game.solve(state, job=job, resume=file)
    found = value_search.ValueSearch(
        state,
        solving._values(game._dispatcher, state, Budget(), 64).judges,
        Budget(),
    )
    checkpoint.Checkpoint(file, game.program).restore(found)
    assert found.earlier > 0
    assert game.solve(state, resume=file).value == VALUES[plain(game, state, 0)]


@pytest.mark.slow
def test_a_search_for_a_payoff_goes_on_until_the_greatest_is_proved(tmp_path: Path) -> None:
    places = {(x, y) for x in range(4) for y in range(4)}
    most = most_jumps(places, places - {(1, 1)})
    file, runs, bounds = tmp_path / "kept", 0, [0]
    while True:
        # Each run is a new game, as a new process would have.
        game = pegs_of(("....", "....", "....", "...."), "b2")
        solved = game.solve(nodes=500, resume=file)
        bounds.append(solved.score_at_least or 0)
        assert bounds[-2] <= bounds[-1] <= most
        if solved.score is not None:
            break
        runs += 1
        assert runs < 200
    assert runs > 2
    assert solved.score == most
    state = game.initial_state()
    for move in solved.line:
        state = game.apply(state, move)
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.payoffs == {"solver": most}


@pytest.mark.slow
def test_interrupted_search_for_a_payoff_saves_its_bounds(tmp_path: Path) -> None:
    game, job, file = pegs_of(("....", "....", "....", "...."), "b2"), Job(), tmp_path / "kept"

    class Ended(single_player.PayoffSearch):
        def _turn(self) -> bool:
            if self.low > 0:
                job.stop()
            return super()._turn()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(single_player, "PayoffSearch", Ended)
        with pytest.raises(Stopped):
            game.solve(job=job, resume=file)
    settings, start = Settings(solves=True), game.initial_state()
    search = single_player.PayoffSearch(game, game._dispatcher, start, Budget(), settings)
    checkpoint.Checkpoint(file, game.program).restore(search)
    assert search.low > 0
    places = {(x, y) for x in range(4) for y in range(4)}
    assert game.solve(resume=file).score == most_jumps(places, places - {(1, 1)})


LEVEL = ("#######", "#@ $. #", "#  $. #", "#     #", "#######")


def test_a_search_for_the_shortest_win_goes_on_until_it_is_found(tmp_path: Path) -> None:
    file, runs, depths = tmp_path / "kept", 0, [0]
    while True:
        # Each run is a new game, as a new process would have.
        game = sokoban_of(LEVEL)
        solved = game.solve(nodes=140, resume=file)
        if solved.value is not None:
            break
        depths.append(solved.depth or 0)
        assert depths[-2] <= depths[-1] < (fewest_steps(LEVEL) or 0)
        runs += 1
        assert runs < 100
    assert runs > 2
    assert (solved.value, solved.distance) == ("win", fewest_steps(LEVEL))
    assert game.outcome(after(game, *map(str, solved.line))) is not None
    again = sokoban_of(LEVEL).solve(resume=file)
    assert (again.value, again.distance) == (solved.value, solved.distance)
    assert again.nodes > solved.nodes


@pytest.mark.slow
def test_an_interrupted_search_for_the_shortest_win_saves_its_depth(tmp_path: Path) -> None:
    game, job, file = sokoban_of(LEVEL), Job(), tmp_path / "kept"

    class Ended(shortest_win.ShortestWin):
        def _turn(self, job: Job) -> bool:
            if self.search.depth > 1:
                job.stop()
                job.raise_if_stopped()
            return super()._turn(job)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(single_player, "ShortestWin", Ended)
        with pytest.raises(Stopped):
            game.solve(job=job, resume=file)
    search = shortest_win.ShortestWin(
        game, game._dispatcher, game.initial_state(), Budget(plies=127), Settings(solves=True)
    )
    checkpoint.Checkpoint(file, game.program).restore(search)
    assert search.search.depth > 1
    assert game.solve(resume=file).distance == fewest_steps(LEVEL)


def test_a_puzzle_that_reads_the_past_is_not_resumed(tmp_path: Path) -> None:
    text = "spec: 1\nname: Pegs\nextends: peg-solitaire\nrules: {forbid: board_repeats > 0}\n"
    game = game_of(text)
    with pytest.raises(UsageError, match="no search is resumed where rules read the past"):
        game.solve(nodes=100, resume=tmp_path / "kept")


def test_a_file_is_written_seldom_where_that_takes_long(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game, state = begun()
    found, clock, written = solving._values(game._dispatcher, state, Budget(), 64), [0.0], []

    def write(path: Path, fill: object) -> None:
        written.append(clock[0])
        clock[0] += 7

    monkeypatch.setattr(checkpoint, "_EVERY", 20.0)
    monkeypatch.setattr(checkpoint, "monotonic", lambda: clock[0])
    monkeypatch.setattr(checkpoint, "replace_by", write)
    saved = checkpoint.Checkpoint(tmp_path / "kept", game.program)
    for clock[0] in range(0, 200, 5):
        saved.save(found)
    assert written == [20, 100, 180]
    saved.save(found, now=True)
    assert len(written) == 4


def test_memory_comes_back_block_by_block(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(checkpoint, "_BLOCK", 4096)
    game, state = begun()
    one, other = (solving._values(game._dispatcher, state, Budget(), at) for at in (4096, 64))
    for judge in one.judges:
        numbers = judge.table.numbers
        for place in range(0, len(numbers), 7):
            numbers[place] = place * place
    file = tmp_path / "kept"
    checkpoint.Checkpoint(file, game.program, 2).save(one, now=True)
    checkpoint.Checkpoint(file, game.program).restore(other)
    for judge, again in zip(one.judges, other.judges, strict=True):
        assert bytes(judge.own.bytes) == bytes(again.own.bytes)
        assert bytes(judge.table.bytes) == bytes(again.table.bytes)


@pytest.mark.slow
def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    game, state = begun()
    file = tmp_path / "kept"
    game.solve(state, nodes=80, resume=file)
    other = rulesengine.load("clobber", rows=2, columns=4, engine="interpreter")
    for other_game, at in ((other, None), (game, after(game, "a1")), (game.bind(m=4), None)):
        with pytest.raises(UsageError, match="of another game or position"):
            other_game.solve(at, nodes=80, resume=file)
    kept = file.read_bytes()
    for damaged in (kept[:-1], kept[:-1] + b"x", b"", b"[" * 10_000, b"{}\n", kept[:40]):
        file.write_bytes(damaged)
        with pytest.raises(UsageError, match="no solution that was begun, or a damaged one"):
            game.solve(state, nodes=80, resume=file)
    with pytest.raises(UsageError, match="is a directory"):
        game.solve(state, nodes=80, resume=tmp_path)


def test_rules_that_read_the_past_are_not_resumed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no search is resumed where rules read the past"):
        rulesengine.load("go", n=2).solve(nodes=10, resume=tmp_path / "kept")


@pytest.mark.slow
def test_too_little_memory_for_a_table_shrinks_it_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Short(Memory):
        def __init__(self, words: int) -> None:
            if words > 1 << 18:
                raise MemoryError
            super().__init__(words)

    game, state = begun()
    file = tmp_path / "position.txt"
    file.write_text(str(state), encoding="utf-8")
    monkeypatch.setattr("rulesengine.engine.drivers.memory.Memory", Short)
    words = ("solve", "tic-tac-toe", "--engine", "interpreter", "--memory", "64")
    done = call(*words, "--position", str(file))
    assert done.code == 0
    assert done.out.startswith(f"value: {VALUES[plain(game, state, 0)]}")
    assert "the tables use 4 megabytes: not enough memory for 64" in done.err
