"""Programs with their own choice of moves: verdicts of games that the spec referees."""

import json
import shlex
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.helpers.cli_calls import call
from tests.helpers.contest_players import PROPER
from tests.helpers.processes import COMMAND, PATIENCE, ROOT, are_running, running

FIRST_FREE = "import sys\n" + PROPER
FAULTY = {
    "elsewhere.py": FIRST_FREE.replace("cells.pop(0)", '"z9"'),
    "ends.py": FIRST_FREE.replace("print(cells.pop(0), flush=True)", "sys.exit(3)"),
    "hangs.py": FIRST_FREE.replace("print(cells.pop(0), flush=True)", "while True: pass"),
    "large.py": FIRST_FREE.replace('"move":', '"move":\n        room = b"x" * 2**27'),
}


def judged(tmp_path: Path, programs: dict[str, str], *options: str) -> list[dict[str, object]]:
    tmp_path.mkdir(exist_ok=True)
    for name, text in programs.items():
        (tmp_path / name).write_text(text)
    done = call("judge", *options, "--programs", str(tmp_path), "--json")
    found: list[dict[str, object]] = json.loads(done.out)["programs"]
    assert done.code == int(any(one["right"] != len(cases(one)) for one in found))
    return found


def cases(one: dict[str, object]) -> list[dict[str, object]]:
    found = one["cases"]
    assert isinstance(found, list)
    return found


@pytest.mark.slow
def test_each_fault_in_a_game_has_its_verdict(tmp_path: Path) -> None:
    options = ("tic-tac-toe", "--against", "search:plies=9", "--games", "1", "--memory", "100")
    soon, late = {"first.py": FIRST_FREE, **FAULTY}, {"hangs.py": FAULTY["hangs.py"]}
    del soon["hangs.py"]
    found = {
        str(one["name"]): cases(one)[0]
        for name, programs, seconds in (("soon", soon, "20"), ("late", late, "0.5"))
        for one in judged(tmp_path / name, programs, *options, "--seconds", seconds)
    }
    verdicts = {name: one["verdict"] for name, one in found.items()}
    wrong = {"elsewhere.py": "wrong", "ends.py": "crash", "hangs.py": "time", "large.py": "memory"}
    assert verdicts == {"first.py": "right", **wrong}
    # The opening has four plies; a player that breaks a rule has lost.
    assert str(found["elsewhere.py"]["note"]).startswith("after 4 plies: `z9` names no move")
    assert "exit code 3" in str(found["ends.py"]["note"])
    assert {found[name]["points"] for name in FAULTY} == {0}


@pytest.mark.slow
def test_a_program_has_each_seat_and_is_right_for_each_winner(tmp_path: Path) -> None:
    # One in a row wins: the first player wins.
    options = ("tic-tac-toe", "--set", "k=1", "--against", "random", "--games", "4")
    (one,) = judged(tmp_path, {"first.py": FIRST_FREE}, *options)
    games = [(case["case"], case["verdict"], case["note"]) for case in cases(one)]
    assert games[:2] == [("game 1, cross", "right", "won"), ("game 2, nought", "right", "lost")]
    assert [case["points"] for case in cases(one)] == [1, 0, 1, 0]


@pytest.mark.slow
def test_win_over_the_memory_limit_scores_no_points(tmp_path: Path) -> None:
    """The first move wins, usually before the next check; the final check finds the memory used."""
    options = ("tic-tac-toe", "--set", "k=1", "--against", "random", "--games", "1")
    (one,) = judged(tmp_path, {"large.py": FAULTY["large.py"]}, *options, "--memory", "100")
    assert [(case["verdict"], case["points"]) for case in cases(one)] == [("memory", 0)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("judge", "tic-tac-toe", "--against", "random", "--games", "9000", "--cmd", "{}"),
        (
            "match",
            "tic-tac-toe",
            "--player",
            "cmd:{}",
            "--player",
            "random",
            "--threads",
            "2",
            "--clock",
            "900",
        ),
    ],
    ids=("judge", "match"),
)
def test_an_interrupt_waits_for_no_program_that_is_silent(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    """Interrupt the remaining games too; the program would be silent in them as well."""
    marker = tmp_path / "told"
    asked = f"[ $line = move ] && echo > {marker}"
    (tmp_path / "silent.sh").write_text(f"while read line _; do {asked}; done")
    command = f"sh {tmp_path / 'silent.sh'}"
    started = time.monotonic()
    with running(*COMMAND, *(word.format(command) for word in words)) as process:
        while not marker.exists() and time.monotonic() < started + PATIENCE:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
    assert not are_running(command)


@pytest.mark.deep
def test_a_program_may_speak_the_script_of_the_spec() -> None:
    """Use the command `run` itself as the program; it plays the strategy of the script."""
    words = [sys.executable, "-m", "rulesengine", "run", "aps105-reversi"]
    program = shlex.join(["env", f"PYTHONPATH={ROOT}", *words])
    options = ("aps105-reversi", "--set", "n=4", "--against", "random", "--games", "2")
    done = call("judge", *options, "--seconds", "9", "--cmd", program)
    assert done.code == 0, done.out
    head, row = done.out.splitlines()[:2]
    assert head.split() == ["program", "right", "time", "memory", "points", "games"]
    assert (" 2/2 " in row, row[-3:]) == (True, " ..")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--against", "random"), "no program"),
        (("--against", "nobody", "--cmd", "true"), "unknown player `nobody`"),
        (("--against", "human", "--cmd", "true"), "a person cannot play here"),
        (("--against", "random", "--cmd", "true", "--generate", "2"), "without `--generate`"),
    ],
)
def test_invalid_judge_options_are_usage_errors(options: tuple[str, ...], message: str) -> None:
    done = call("judge", "tic-tac-toe", *options)
    assert (done.code, message in done.err) == (2, True), done.err
