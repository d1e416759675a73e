"""`search` and `solve` on the command line: output and error messages."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rulesengine import Game
from rulesengine.job import Job
from rulesengine.search.value_search import ValueSearch
from tests.helpers.cli_calls import call

# Cross wins by a3 at once; over: nought has no reply.
WON = "...\nxo.\nxo.\nmover: cross\n"
# Cross must play c3, which makes two threats: it wins in three plies.
FORK = "x..\n.o.\no.x\nmover: cross\n"
OVER = "x..\nxo.\nxo.\nmover: nought\n"


@pytest.mark.parametrize("command", ["search", "solve"])
def test_interrupt_reports_failed_kernels(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object, **how: object) -> None:
        raise KeyboardInterrupt

    problems = {("native", "solving"): "too long"}
    monkeypatch.setattr(Game, command, interrupted)
    monkeypatch.setattr(Game, "engine_problems", property(lambda game: problems))
    done = call(command, "tic-tac-toe", "--nodes", "5")
    assert done.code == 130
    assert "rulesengine: Tic-tac-toe: no native kernel for solving: too long" in done.err


def test_search_prints_the_move_its_value_and_a_table(tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    file.write_text(WON, encoding="utf-8")
    done = call("search", "tic-tac-toe", "--plies", "3", "--position", str(file))
    lines = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert lines[:3] == ["move: a3", "value: win in 1", "line: a3"]
    assert lines[3:6] == ["depth: 1", f"nodes: {lines[4].removeprefix('nodes: ')}", "moves:"]
    assert lines[6] == "  a3  win in 1"
    assert len(lines) == 6 + 5
    found = call("search", "tic-tac-toe", "--plies", "3", "--position", str(file), "--json").json()
    assert (found["move"], found["value"], found["unit"]) == ("a3", 10**6 - 1, "plies")
    assert found["moves"][0]["move"] == "a3"


def test_solve_prints_exact_values_or_their_absence() -> None:
    done = call("solve", "tic-tac-toe", "--set", "m=2", "--set", "n=2", "--set", "k=2")
    assert done.code == 0
    assert done.out.splitlines()[:2] == ["value: win", "distance: 3"]
    assert "depth" not in done.out
    done = call("solve", "breakthrough", "--nodes", "50")
    assert done.code == 1
    assert done.out.splitlines()[0] == "value: not solved"
    assert "\ndepth: " in done.out
    assert call("solve", "breakthrough", "--nodes", "50", "--json").json()["value"] is None


def test_the_full_score_of_a_win_has_its_distance(tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    file.write_text(FORK, encoding="utf-8")
    found = call("solve", "tic-tac-toe", "--position", str(file), "--score", "--json").json()
    assert (found["value"], found["move"], found["distance"]) == ("win", "c3", 3)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--nodes", "0"), "more than 0 nodes"),
        (("--playouts", "5", "--plies", "2"), "random games are counted by playouts"),
        (("--method", "magic"), "no method `magic`"),
        (("--plies", "2", "--memory", "0"), "number of megabytes is at least 1"),
    ],
)
def test_a_search_that_makes_no_sense_is_refused(words: tuple[str, ...], message: str) -> None:
    done = call("search", "tic-tac-toe", *words)
    assert done.code == 2
    assert message in done.err


def test_upper_bounds_are_marked_in_text_and_json() -> None:
    words = ("search", "connect-four", "--nodes", "500")
    moves = call(*words, "--json").json()["moves"]
    assert [move["at_most"] for move in moves] == [False, *[True] * 6]
    table = call(*words).out.split("moves:\n")[1].splitlines()
    assert ["at most" in line for line in table] == [move["at_most"] for move in moves]


def test_values_of_tree_search_are_no_bounds() -> None:
    words = ("search", "tic-tac-toe", "--playouts", "50")
    assert not any(move["at_most"] for move in call(*words, "--json").json()["moves"])
    assert "at most" not in call(*words).out


def test_a_position_that_is_over_is_not_searched(tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    file.write_text(OVER, encoding="utf-8")
    done = call("search", "tic-tac-toe", "--plies", "1", "--position", str(file))
    assert done.code == 2
    assert "the game is over" in done.err


def test_interrupted_search_prints_its_best_result(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = Game.search

    def interrupted(self: Game, *args: object, **options: object) -> None:
        searched(self, *args, **options)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(Game, "search", interrupted)
    done = call("search", "tic-tac-toe", "--plies", "2")
    assert done.code == 130
    assert done.out.startswith("move: ")


def test_interrupted_solve_prints_its_bounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(self: ValueSearch, job: Job, each: Callable[[], None]) -> None:
        self.bounds = self.bounds.after_answer(1, answer=False)
        each()
        raise KeyboardInterrupt

    monkeypatch.setattr("rulesengine.search.solving._GLANCE", 100)
    monkeypatch.setattr(ValueSearch, "find", interrupted)
    done = call("solve", "tic-tac-toe")
    assert done.code == 130
    assert done.out.splitlines()[:2] == ["value: not solved", "at most: draw"]


def test_a_search_without_a_position_states_no_chance() -> None:
    words = ("search", "tic-tac-toe", "--seconds", "0.000001", "--engine", "interpreter")
    done = call(*words)
    assert "value: +0 (not searched)" in done.out
    assert done.err == "rulesengine: no position was searched in time: give more `--seconds`\n"
    assert '"chance": null' in call(*words, "--json").out


def test_a_timed_search_finishes_its_code_for_later_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(Game, "finish_compiling", lambda game, seconds: waits.append(seconds))
    assert call("search", "tic-tac-toe", "--plies", "1").code == 0
    assert waits == []
    assert call("search", "tic-tac-toe", "--seconds", "0.01").code == 0
    assert len(waits) == 1
