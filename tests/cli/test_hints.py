"""Typing errors on the command line: each message suggests a correction."""

import re
import resource
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest

import rulesengine
from rulesengine.cli.arguments import command_parsers
from rulesengine.cli.commands import COMMANDS
from tests.helpers.cli_calls import call

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("chekc", "othello"), "no command `chekc`: did you mean `check`?"),
        (("help", "chekc"), "no command `chekc`: did you mean `check`?"),
        (("zzzzzz",), "no command `zzzzzz`: `rulesengine --help` lists them"),
        (("show", "othello"), "a stage is missing: `--stage` takes document, resolved, syntax"),
        (("perft", "othello", "-3"), "expected a whole number from 0 to 10000, found `-3`"),
        (("perft", "othello", "1", "--with", "foo"), "--with: no transform is called `foo`: there"),
        (("perft", "othello", "1", "--with", "size=3"), "--with: `size` does not fit this game"),
        (
            ("fmt", "othello"),
            "`othello` is a bundled game, and `rulesengine new NAME --from othello`",
        ),
        (("watch", "othello"), "`othello` is a bundled game"),
    ],
)
def test_usage_error_is_reported_in_one_line(words: tuple[str, ...], message: str) -> None:
    done = call(*words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_name_of_a_file_that_is_here_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mygame.yaml").write_text("spec: 1\n")
    done = call("perft", "mygame", "3")
    assert done.code == 2
    assert (
        "no bundled game is called `mygame`: the file that is here is `./mygame.yaml`" in done.err
    )


def test_help_shows_every_command_in_its_group() -> None:
    done = call("help")
    assert (done.code, done.err) == (0, "")
    assert done.out == call("--help").out == call().out
    found, group = [], ""
    for line in done.out.splitlines():
        if line.endswith(":"):
            group = line.removesuffix(":")
        elif row := re.match(r"  ([a-z]+) ", line):
            found.append((row[1], group))
    assert found == [(name, group) for name, (group, _) in COMMANDS.items()]


def test_groups_are_not_torn_apart() -> None:
    groups = [group for group, _ in COMMANDS.values()]
    assert len(list(groupby(groups))) == len(set(groups))


@pytest.mark.parametrize("command", COMMANDS)
def test_help_describes_a_command_and_its_options(command: str) -> None:
    done = call("help", command)
    assert (done.code, done.err) == (0, "")
    assert done.out == call(command, "--help").out
    assert done.out.startswith(f"usage: rulesengine {command} ")
    about = str(command_parsers()[command].description)
    shown = [re.sub(r"\s+", " ", text) for text in (done.out, call("help").out)]
    assert all(f" {about} " in text for text in shown)


@pytest.mark.parametrize("word", ["--version", "-V"])
def test_the_version_is_that_of_the_package(word: str) -> None:
    done = call(word)
    assert (done.code, done.out, done.err) == (0, f"rulesengine {rulesengine.__version__}\n", "")


@pytest.mark.slow
def test_a_new_spec_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

    done = subprocess.run(
        [sys.executable, "-m", "rulesengine", "new", "mine"],
        cwd=tmp_path,
        # Compiled modules would be truncated too, and later processes would read them.
        env={"PYTHONPATH": str(ROOT), "RULESENGINE_CACHE": "", "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=small_files,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "mine.yaml: file too large" in done.stderr
    assert list(tmp_path.iterdir()) == []
