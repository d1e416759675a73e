"""Exit codes and messages: wrong usage, interrupts, closed pipes, internal errors."""

import os
import signal
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event

import pytest

from rulesengine import cli
from rulesengine.cli import exit_codes
from rulesengine.game import Game
from rulesengine.support.limits import MAX_SPEC_BYTES
from tests.helpers.cli_calls import call
from tests.helpers.processes import COMMAND, PATIENCE, ROOT, Process, interrupts, running


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no-such-command"], "no-such-command"),
        (["perft", "hex"], "DEPTH"),
        (["perft", "hex", "-1"], "`-1`"),
        (["perft", "hex", "1.5"], "`1.5`"),
        (["perft", "hex", "٣"], "expected a whole number"),
        (["perft", "hex", "9" * 5000], "expected a whole number"),
        (["perft", "hex", "10001"], "at most 10000"),
        (["perft", "hex", "1", "--ended", "x"], "--ended"),
        (["perft", "hex", "1", "--no-such-option"], "--no-such-option"),
        (["perft", "hex", "1", "--div"], "--div"),
        (["perft", "hex", "1", "--engine", "steam"], "use auto, interpreter, python"),
        (["playout", "hex", "many"], "`many`"),
        (["playout", "hex", "1", "--seed", "-1"], "--seed"),
        (["show", "hex"], "--stage"),
        (["show", "hex", "--stage", "no-such-stage"], "--stage"),
        (["test"], "--all"),
        (["test", "--all", "hex"], "--all"),
        (["check"], "SPEC"),
        (["run", "-"], "not `-`"),
        (["perft", "-", "1"], "not `-`"),
        (["test", "-"], "not `-`"),
        (["perft", "otello", "1"], "did you mean `othello`?"),
        (["perft", "", "1"], "argument SPEC: expected a text, found an empty one"),
        (["perft", "no/such.yaml", "1"], "no such file"),
        (["perft", "x" * 5000 + ".yaml", "1"], "name too long"),
        (["perft", ".yaml", "1"], "no such file"),
        (["perft", "hex", "1", "--set", "n"], "NAME=VALUE"),
        (["perft", "hex", "1", "--set", "=5"], "NAME=VALUE"),
        (["perft", "hex", "1", "--set"], "--set"),
        (["perft", "hex", "1", "--set", "n=5", "--set", "n=6"], "twice"),
        (["perft", "hex", "1", "--set", "n=twelve"], "from 1 to 32, found `twelve`"),
        (["perft", "hex", "1", "--set", "n="], "from 1 to 32"),
        (["perft", "hex", "1", "--set", "n=33"], "from 1 to 32, found `33`"),
        (["perft", "hex", "1", "--set", "m=5"], "no parameter `m`"),
        (["perft", "connect-four", "1", "--set", "colums=5"], "did you mean `columns`?"),
        (["perft", "hex", "1", "--set", "self=5"], "no parameter `self`"),
        (["perft", "hex", "1", "--set", "path=5"], "no parameter `path`"),
        (["perft", "hex", "1", "--set", "engine=auto"], "no parameter `engine`"),
        (["perft", "hex\n\x1b[1m", "1"], "hex"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(words: list[str], message: str) -> None:
    done = call(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("rulesengine: ")
    assert done.err.endswith("\n")
    assert done.err[:-1].isprintable()
    assert message in done.err


def test_a_spec_that_cannot_be_read_is_wrong_use(tmp_path: Path) -> None:
    texts = {"binary": b"\x7fELF\xff", "big": b"#" * (MAX_SPEC_BYTES + 1), "nul": b"a: \0"}
    for name, data in texts.items():
        (tmp_path / f"{name}.yaml").write_bytes(data)
    (tmp_path / "folder.yaml").mkdir()
    for name, message in [("binary", "not UTF-8"), ("big", "too large"), ("nul", "not UTF-8"),
                       ("folder", "is a directory")]:  # fmt: skip
        for words in (["run"], ["check"], ["test"], ["show", "--stage", "document"]):
            done = call(*words, str(tmp_path / f"{name}.yaml"))
            assert done.code == 2
            assert message in done.err


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads anything")
def test_a_file_that_may_not_be_read_is_wrong_use(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.touch(mode=0)
    assert "permission denied" in call("check", str(path)).err


def test_a_bundled_name_is_not_shadowed_by_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hex").write_text("nonsense")
    monkeypatch.chdir(tmp_path)
    assert call("check", "hex").code == 0
    assert call("check", "./hex").code == 1


@pytest.mark.parametrize("words", [["run"], ["perft", "1"], ["playout", "1"], ["test"]])
def test_a_wrong_spec_is_exit_code_1_with_its_findings_as_messages(
    words: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("spec: 1\n")
    done = call(words[0], str(path), *words[1:])
    assert done.code == 1
    assert f"--> {path}:1:1" in done.err
    assert "error[" not in done.out


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("1 / count(own and enemy)", "zero"),
        ("5 % count(own and enemy)", "zero"),
        ("4611686018427387904 * (count(occupied) + 3)", "64"),
        ("least(it in own and enemy, row(it))", "nothing"),
    ],
)
def test_a_rule_that_fails_is_exit_code_1_with_its_place(
    rule: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(
        "spec: 1\nname: A\nboard: {rows: 2, columns: 2}\nplayers: [a, b]\n"
        'pieces: {stone: {a: x, b: o}, empty: "."}\nrules:\n  moves: {place: stone, to: empty}\n'
        f'  end: [{{when: "{rule} = 5", result: draw}}]\n'
    )
    assert call("check", str(path)).code == 0
    done = call("perft", str(path), "2")
    assert (done.code, done.out) == (1, "")
    assert "a.yaml:8:" in done.err
    assert message in done.err


@pytest.mark.parametrize("error", [TypeError("a\nb"), RecursionError()])
def test_internal_error_requests_a_report_without_traceback(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Game, "perft", raiser(error))
    done = call("perft", "hex", "1")
    assert (done.code, done.out) == (101, "")
    assert type(error).__name__ in done.err
    assert "please report it" in done.err
    assert "Traceback" not in done.err
    assert done.err.count("\n") == 2


def test_that_memory_runs_out_is_no_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "perft", raiser(MemoryError()))
    done = call("perft", "hex", "1")
    assert (done.code, done.out) == (2, "")
    assert done.err == "rulesengine: there is not enough memory\n"


@pytest.mark.parametrize("place", [["--debug", "perft"], ["perft", "--debug"]])
def test_the_traceback_of_a_bug_is_shown_on_demand(
    place: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Game, "perft", raiser(KeyError("x")))
    done = call(*place, "hex", "1")
    assert done.code == 101
    assert "Traceback" in done.err


def raiser(error: BaseException) -> object:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


def test_an_interruption_is_exit_code_130(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "playouts", raiser(KeyboardInterrupt()))
    done = call("playout", "hex", "1")
    assert (done.code, done.out, done.err) == (130, "", "")
    monkeypatch.setattr(Game, "apply", raiser(KeyboardInterrupt()))
    assert call("count", "hex", "1").code == 130


def test_help_goes_to_standard_output() -> None:
    for words in (["--help"], ["perft", "--help"]):
        done = call(*words)
        assert (done.code, done.err) == (0, "")
        assert "DEPTH" in done.out or "perft" in done.out


# in a process of its own


def program(*words: str) -> AbstractContextManager[Process]:
    return running(*COMMAND, *words, env={"LC_ALL": "C"})


@pytest.mark.slow
def test_the_module_runs_as_a_program() -> None:
    with program("perft", "tic-tac-toe", "2") as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out.split(), err) == (0, [b"72"], b"")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes close in another way")
@pytest.mark.parametrize(
    ("words", "given"),
    [
        (["list"], b""),
        (["show", "hex", "--stage", "program"], b""),
        (["run", "bio97-othello"], b".0*.\n0..0\n0000\n0*.0\n" + b"1\n" * 60),
    ],
)
def test_a_closed_pipe_is_no_error(words: list[str], given: bytes) -> None:
    with program(*words) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(given)
        process.stdin.close()
        err = process.stderr.read()
        assert (process.wait(timeout=PATIENCE), err) == (0, b"")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
@pytest.mark.parametrize("words", [["list"], ["check", "hex"]])
def test_a_full_disk_is_reported_in_one_line(words: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, *words],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            timeout=PATIENCE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, b"rulesengine: no space left on device\n")


@pytest.mark.parametrize("words", [["explain", "line"], ["play", "tic-tac-toe"]])
def test_a_closed_output_is_reported_in_one_line(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python has no `sys.stdout` if the file descriptor is closed, as by `>&-` in a shell."""
    monkeypatch.setattr("sys.stdout", None)
    assert cli.main(words) == 2
    assert capsys.readouterr().err == "rulesengine: standard output is closed\n"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are sent in another way")
def test_a_program_that_waits_for_input_can_be_interrupted() -> None:
    with program("run", "aps105-reversi") as process:
        assert process.stdout
        assert process.stdout.read(5) == b"Enter"  # flushed before it waits
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, b"")


def test_command_imports_only_needed_modules() -> None:
    code = "import sys, rulesengine.cli; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=PATIENCE,
        check=True,
        text=True,
    )
    loaded = set(done.stdout.split())
    assert "rulesengine.cli" in loaded
    assert loaded.isdisjoint({"yaml", "lark", "jsonschema", "json", "rulesengine.script"})


class Leaving:
    """Exits during an interrupt, which Python then does not report."""

    def __del__(self) -> None:
        raise KeyboardInterrupt


def test_an_interrupt_during_the_release_of_memory_is_handled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def work(options: object) -> int:
        Leaving()
        Event().wait(PATIENCE)
        return exit_codes.OK

    monkeypatch.setattr(cli, "_dispatch", work)
    with interrupts():
        assert call("list").code == exit_codes.INTERRUPTED


def test_a_copy_without_dependencies_reports_what_is_not_installed(tmp_path: Path) -> None:
    """`-S` hides the packages that are installed. The cache has no rules that were read before."""
    code = "import sys; sys.path.insert(0, sys.argv[1]); from rulesengine.cli import main; "
    words = [code + "sys.exit(main(['perft', 'hex', '1']))", str(ROOT)]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", *words],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"RULESENGINE_CACHE": str(tmp_path)},
    )
    assert done.returncode == exit_codes.WRONG_USAGE
    assert done.stderr in {
        f"rulesengine: {name} is not installed: `pip install .` in a clone adds it\n"
        for name in ("lark", "yaml", "jsonschema", "referencing")
    }
