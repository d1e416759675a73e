"""Tests inside specs: passes, failures, and the report of a failure."""

from pathlib import Path
from typing import Any

import pytest

from rulesengine.game import Game
from rulesengine.support.resources import bundled_names
from tests.helpers.cli_calls import Result, call

PASSING = {
    "perft": "{perft: [9, 72, 504]}",
    "information": "{information: [1, 9, 72]}",
    "information after moves": "{moves: a1, information: [1, 8]}",
    "no information after the end": "{moves: a1 a2 b1 b2 c1, information: [0, 0]}",
    "parameters": "{parameters: {m: 4, n: 1}, perft: [4, 12]}",
    "no perft after the end": "{moves: a1 a2 b1 b2 c1, perft: [0, 0]}",
    "moves as a list": "{moves: [a1, a2], legal: [a3, b3, c3, b2, c2, b1, c1]}",
    "legal in words": "{moves: a1 a2 b1 b2 a3 b3, legal: c3 c2 c1}",
    "no legal moves": "{moves: a1 a2 b1 b2 c1, legal: []}",
    "illegal": "{moves: a1, illegal: [a1, z9]}",
    "a win": "{moves: a1 a2 b1 b2 c1, outcome: cross wins}",
    "no win yet": "{moves: a1 a2 b1 b2, outcome: none, mover: cross}",
    "a draw": "{moves: a1 b1 c1 a2 b2 c2 a3 c3 b3, outcome: draw, parameters: {k: 4}}",
    "a board": '{moves: a1 c3, board: "..o\\n ...\\nx..  "}',
    "a board with its rows side by side": "{moves: a1 c3, board: ..o ... x..}",
    "a board with blanks between its cells": '{moves: a1, board: ". . .\\n. . .\\nx . ."}',
    "a position": '{position: "xx.\\noo.\\n...", mover: nought, moves: c2, outcome: nought wins}',
    "a position that says who moves": '{position: "x..\\n...\\n...\\nmover: nought", legal: '
    "b3 c3 a2 b2 c2 a1 b1 c1}",
    "a position that says it, and who is next": '{position: "x..\\n...\\n...\\nmover: nought", '
    "moves: a1, mover: cross}",
    "random games": "{random: 5}",
    "output": '{input: "", output: "...\\n...\\n...\\n\\n"}',
    "output without blank lines": '{output: "...\\n...\\n...", blank_lines: drop}',
    "an error": '{input: a1 a1, exit: 1, error: "not a legal move"}',
    "an error without an exit code": "{input: a1 a1, error: a1}",
    "the end of the input": "{input: a1, exit: 0}",
    "moves alone": "{moves: a1 a2}",
}

FAILING = [
    ("{perft: [9, 73]}", ["perft", "expected 9 73", "found    9 72"]),
    ("{information: [1, 8]}", ["information", "expected 1 8", "found    1 9"]),
    ("{perft: [9], parameters: {q: 1}}", ["no parameter `q`"]),
    ("{parameters: {self: 1}, perft: [9]}", ["no parameter `self`"]),
    ("{parameters: {m: 99}, perft: [9]}", ["from 1 to 32, found `99`"]),
    ("{moves: a1 a1}", ["move 2: `a1` is not legal"]),
    ("{moves: [a1 a2]}", ["move 1: `a1 a2` "]),
    ("{moves: a1, legal: a2 a1}", ["legal moves", "expected a2 a1", "found    a3 b3 c3 a2"]),
    ("{moves: a1, legal: a2 a1}", ["not legal: a1\n", "legal too: a3 b3 c3 b2 c2 b1 c1\n"]),
    ("{legal: b3 a3 c3 a2 b2 c2 a1 b1 c1}", ["expected b3 a3", "found    a3 b3", "another order"]),
    ("{legal: []}", ["expected nothing"]),
    ("{illegal: [a1]}", ["`a1` is legal"]),
    ("{outcome: cross wins}", ["expected cross wins", "found    none"]),
    ("{mover: nought}", ["expected nought", "found    cross"]),
    ("{scores: {cross: 3}}", ["expected cross 3", "found    cross none"]),
    ('{board: "x..\\n..."}', ["    -x..\n", "    +...\n"]),
    ('{position: "x..\\n...", legal: []}', ["the board has 3 rows, found 2"]),
    ('{position: "q..\\n...\\n...", legal: []}', ["no piece `q`"]),
    ('{position: "...\\n...\\n...", mover: nobody}', ["no player `nobody`"]),
    ('{position: "x..\\n...\\n...\\nmover: nought", mover: cross}', ["found    nought"]),
    ('{output: "...\\n...\\n...\\n"}', ["output", "--- expected", "+++ found"]),
    ('{output: "... \\n...\\n...\\n\\n"}', ["-...·\n", "+...\n"]),
    ('{output: "...\\n...\\n...\\n\\nx"}', ["-x  (no end of line)"]),
    (
        "{input: a1 a1}",
        ["exit code", "expected 0", "found    1 (`a1` is not a legal move (line 1, "],
    ),
    ("{input: a1, exit: 1}", ["expected 1", "found    0"]),
    ("{input: a1 a1, error: nonsense}", ["expected one with `nonsense`", "`a1` is not a legal"]),
    ("{input: a1, error: nonsense}", ["exit code"]),
    ("{name: only a name}", ["the test expects nothing"]),
]


def run(folder: Path, *tests: str, json: bool = False) -> Result:
    path = folder / "spec.yaml"
    lines = "".join(f"  - {test}\n" for test in tests)
    path.write_text(f"extends: tic-tac-toe\ntests:\n{lines}")
    return call("test", str(path), *(["--json"] if json else []))


@pytest.mark.parametrize("test", PASSING.values(), ids=PASSING)
def test_satisfied_expectation_passes(test: str, tmp_path: Path) -> None:
    done = run(tmp_path, test)
    assert (done.code, done.out, done.err) == (0, "1 passed\n", "")


@pytest.mark.parametrize(("test", "lines"), FAILING)
def test_failure_reports_expected_and_found(test: str, lines: list[str], tmp_path: Path) -> None:
    done = run(tmp_path, test)
    assert (done.code, done.err) == (1, "")
    assert done.out.startswith(f"FAILED {tmp_path / 'spec.yaml'}:3: ")
    assert done.out.endswith("\n0 passed, 1 failed\n")
    assert [text for text in lines if text not in done.out] == []


def test_all_problems_of_a_test_are_shown_under_its_name(tmp_path: Path) -> None:
    done = run(tmp_path, "{name: opening, outcome: draw, mover: nought}", "{perft: [9]}")
    assert done.out.splitlines() == [
        f"FAILED {tmp_path / 'spec.yaml'}:3: opening",
        "  outcome",
        "    expected draw",
        "    found    none",
        "  mover",
        "    expected nought",
        "    found    cross",
        "",
        "1 passed, 1 failed",
    ]


def test_two_boards_stand_side_by_side_with_a_mark_for_each_cell_that_differs(
    tmp_path: Path,
) -> None:
    done = run(tmp_path, '{moves: a1 c3, board: "..o\\n.x.\\nxx."}')
    assert done.out.splitlines()[1:-1] == [
        "  board",
        "    expected  found     differs",
        "    ..o       ..o       ···",
        "    .x.       ...       ·^·",
        "    xx.       x..       ·^·",
        "    differs at b2 b1",
        "",
    ]


def test_long_list_of_differing_cells_is_truncated(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    board = "".join("      " + "*" * 8 + "\n" for _ in range(8))
    path.write_text(f"extends: othello\ntests:\n  - board: |\n{board}")
    assert (
        "differs at a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 and 50 more\n"
        in call("test", str(path)).out
    )


@pytest.mark.parametrize("engine", ["interpreter", "python"])
def test_tests_run_on_the_selected_engine(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines = []
    known = Game.perft

    def perft(game: Game, *rest: Any, **keywords: Any) -> int:
        engines.append(game.engine)
        return known(game, *rest, **keywords)

    monkeypatch.setattr(Game, "perft", perft)
    path = tmp_path / "spec.yaml"
    path.write_text(
        "extends: tic-tac-toe\ntests: [{perft: [9]}, {perft: [12], parameters: {m: 4}}]\n"
    )
    assert call("test", str(path), "--engine", engine).out == "2 passed\n"
    assert engines == [engine, engine]


def test_results_as_json_are_one_object(tmp_path: Path) -> None:
    done = run(tmp_path, "{name: opening, mover: nought}", "{perft: [9]}", json=True)
    spec = str(tmp_path / "spec.yaml")
    assert done.code == 1
    problem = "mover\n  expected nought\n  found    cross"
    assert done.json() == {
        "tests": [
            {"spec": spec, "name": "opening", "passed": False, "problems": [problem]},
            {"spec": spec, "name": "test 2", "passed": True, "problems": []},
        ]
    }


def test_scores_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(
        "extends: othello\ntests:\n"
        "  - {moves: d3, scores: {white: 1, black: 4}}\n"
        "  - {moves: d3, scores: {black: 5}}\n"
    )
    done = call("test", str(path))
    assert "expected black 5\n    found    black 4\n" in done.out
    assert done.out.endswith("\n1 passed, 1 failed\n")


def test_the_parameters_of_the_command_line_count_where_a_test_has_none(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(
        "extends: tic-tac-toe\ntests: [{perft: [12]}, {perft: [15], parameters: {m: 5}}]\n"
    )
    assert call("test", str(path), "--set", "m=4").out == "2 passed\n"


BROKEN = """\
extends: tic-tac-toe
{change}
tests: [{{random: 3}}]
"""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("rules: {end: []}", "no move is left and no end"),
        ("notation: {place: mark}", "two moves are called"),
    ],
)
def test_random_games_find_a_broken_invariant(change: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(BROKEN.format(change=change))
    done = call("test", str(path))
    assert done.code == 1
    assert message in done.out + done.err


@pytest.mark.parametrize(
    ("method", "message"),
    [("state_from", "reads back as another state"), ("outcome", "the game is over but")],
)
def test_random_games_find_a_state_that_contradicts_itself(
    method: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Game, method, lambda *_: "something else")
    assert message in run(tmp_path, "{random: 1}").out


@pytest.mark.slow
def test_specs_without_tests_and_specs_that_are_wrong_do_not_stop_the_others(
    tmp_path: Path,
) -> None:
    (tmp_path / "bare.yaml").write_text("extends: hex\ntests: []\n")
    (tmp_path / "wrong.yaml").write_text("extends: hex\ntests: [{peft: [1]}]\n")
    (tmp_path / "good.yaml").write_text("extends: hex\ntests: [{perft: [121]}]\n")
    names = [str(tmp_path / f"{name}.yaml") for name in ("bare", "wrong", "good")]
    done = call("test", *names)
    assert done.code == 1
    assert done.out == f"{names[0]}: no tests\n1 passed, 1 spec not tested\n"
    assert "did you mean `perft`?" in done.err
    missing = call("test", str(tmp_path / "none.yaml"), *names)
    assert missing.code == 2
    assert missing.out == f"{names[0]}: no tests\n1 passed, 2 specs not tested\n"
    alone = call("test", names[1])
    assert (alone.code, alone.out) == (1, "1 spec not tested\n")


def test_tests_of_one_name_are_reported_by_their_lines(tmp_path: Path) -> None:
    name = "{name: twice, mover: nought}"
    done = run(tmp_path, name, "{perft: [9]}", name)
    found = [line for line in done.out.splitlines() if "FAILED" in line]
    assert found == [f"FAILED {tmp_path / 'spec.yaml'}:{line}: twice" for line in (3, 5)]


def test_a_test_of_a_parent_is_reported_by_its_place_there(tmp_path: Path) -> None:
    run(tmp_path, "{mover: nought}")
    child = tmp_path / "child.yaml"
    child.write_text("extends: ./spec.yaml\nname: Child\n")
    assert call("test", str(child)).out.startswith(f"FAILED {tmp_path / 'spec.yaml'}:3: test 1\n")


def test_a_finished_game_is_reported_where_moves_were_expected(tmp_path: Path) -> None:
    done = run(tmp_path, "{moves: a1 a2 b1 b2 c1, legal: c2}")
    assert "  not legal: c2\n    the game is over, a line\n" in done.out


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--json",)], ids=str)
def test_parallel_test_run_has_the_same_output(tmp_path: Path, more: tuple[str, ...]) -> None:
    specs = {"good": "[{perft: [9]}]", "bad": "[{perft: [8]}, {perft: [9]}]", "none": "null"}
    for name, tests in {**specs, "wrong": "[{perf: [9]}]"}.items():
        (tmp_path / f"{name}.yaml").write_text(f"extends: tic-tac-toe\ntests: {tests}\n")
    names = ("good", "bad", "missing", "none", "wrong", "good2")
    (tmp_path / "good2.yaml").write_text("extends: nim\n")
    words = [*(str(tmp_path / f"{name}.yaml") for name in names), *more]
    alone, together = call("test", *words), call("test", *words, "--workers", "2")
    assert (alone.code, alone.out, alone.err) == (together.code, together.out, together.err)
    assert alone.code == 2
    assert more or "1 failed, 2 specs not tested\n" in alone.out


def test_processes_do_not_update_and_are_at_least_one(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("extends: tic-tac-toe\n")
    spec = str(tmp_path / "a.yaml")
    done = call("test", spec, "nim", "--workers", "2", "--update")
    assert (done.code, done.err) == (
        2,
        "rulesengine: --workers: specs are updated by one process\n",
    )
    assert call("test", spec, "--workers", "0").err == "rulesengine: --workers: at least 1\n"


@pytest.mark.deep  # the full gate runs `rulesengine test --all` by itself
def test_all_bundled_specs_pass_their_tests() -> None:
    done = call("test", "--all", "--json")
    assert (done.code, done.err) == (0, "")
    assert {test["spec"] for test in done.json()["tests"]} <= set(bundled_names())


@pytest.mark.slow
def test_all_are_the_bundled_specs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesengine.cli.test.bundled_names", lambda: ("hex", "clobber"))
    done = call("test", "--all", "--json")
    assert (done.code, done.err) == (0, "")
    assert {test["spec"] for test in done.json()["tests"]} == {"hex", "clobber"}
